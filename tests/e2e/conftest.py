"""A real browser before the real server."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from browsing import DESKTOP, FLAGS, chromium, serving
from playwright.sync_api import expect, sync_playwright

from vision.reading import Reader
from webui.config import Config

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page


# On a machine that trains a model beside the tests one reading takes seconds; a test must not depend on that.
expect.set_options(timeout=60_000)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "e2e" in item.path.parts:
            item.add_marker("browser")


@pytest.fixture(scope="session", autouse=True)
def own_data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test touches what belongs to the machine's user."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("YOUJIN_DATA", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium; its absence is visible, and an error where a machine is meant to have it."""
    path = chromium()
    if path is None:
        if os.environ.get("CI"):
            pytest.fail("no chromium on this machine, and CI must have one (.ci/run installs it)")
        pytest.skip("no chromium found: the browser tests were NOT run; install chromium to run them")
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield found
        found.close()


@pytest.fixture(scope="session")
def reader() -> Reader:
    """The real models, loaded once."""
    return Reader()


@pytest.fixture(scope="session")
def site(reader: Reader) -> Iterator[str]:
    """A server without a camera."""
    with serving(Config(), reader=reader) as server:
        yield server.url


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Open a page; console errors, failed requests and sideways scrolling of any page make the test fail."""
    contexts = []
    troubles: list[str] = []
    pages: list[Page] = []

    def open_page(
        url: str,
        *,
        lang: str = "zh_Hans",
        size: dict[str, int] | None = None,
        scheme: str = "light",
        expect_errors: bool = False,
        ready: bool = True,
    ) -> Page:
        context = browser.new_context(viewport=size or DESKTOP, color_scheme=scheme, reduced_motion="reduce")
        contexts.append(context)
        context.set_default_timeout(30_000)
        context.add_cookies([{"name": "lang", "value": lang, "url": url}])
        page = context.new_page()
        if not expect_errors:
            page.on(
                "console",
                lambda message: troubles.append(message.text) if message.type in {"error", "warning"} else None,
            )
            pages.append(page)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        origin = "/".join(url.split("/")[:3])
        page.on(
            "request",
            lambda request: (
                None
                if request.url.startswith((origin, "blob:", "data:"))
                else troubles.append(f"fetched {request.url}")
            ),
        )
        page.goto(url)
        if ready:
            page.wait_for_selector("html[data-ready]")
        return page

    yield open_page
    for page in pages:
        if not page.is_closed():
            width = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert width <= 0, f"{page.url} scrolls sideways by {width} px"
    for context in contexts:
        context.close()
    assert troubles == []
