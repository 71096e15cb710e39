"""A phone as the camera, end to end: a browser whose camera shows a drawn table, over HTTPS from the network's address."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import cv2
import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import DESKTOP, FLAGS, PHONE, chromium, picture_of, serving
from drawn import photo
from playwright.sync_api import expect

from vision.synthesis.demo import DemoScript
from webui.config import Config

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext, Page

    from vision.reading import Reader
    from webui.server import Server

LOOKS = [
    pytest.param("zh_Hans", PHONE, "light", id="zh_Hans-phone-light"),
    pytest.param("zh_Hant", PHONE, "dark", id="zh_Hant-phone-dark"),
    pytest.param("en", DESKTOP, "light", id="en-desktop-light"),
]


@pytest.fixture(scope="module")
def shown() -> DemoScript:
    return DemoScript(size=(1280, 720))


@pytest.fixture(scope="module")
def phone_browser(browser: Browser, shown: DemoScript, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Chromium that takes a film for its camera: one still moment of the drawn table, with a sensor's noise."""
    span = next(span for span in shown._spans(0) if span.step.key != "other")
    image, _ = shown.frame(span.still + 0.5 * (span.end - span.still))
    film = tmp_path_factory.mktemp("film") / "table.mjpeg"
    film.write_bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes() * 2)
    found = browser.browser_type.launch(
        executable_path=chromium(),
        args=[
            *FLAGS,
            "--use-fake-ui-for-media-stream",
            "--use-fake-device-for-media-stream",
            f"--use-file-for-fake-video-capture={film}",
        ],
    )
    yield found
    found.close()


@pytest.fixture
def server(tmp_path: Path, reader: Reader) -> Iterator[Server]:
    config = Config(source="phone", lan=True, lan_port=0, data_dir=tmp_path)
    with serving(config, reader=reader) as running:
        yield running


@contextlib.contextmanager
def phone(
    browser: Browser, *, lang: str = "en", size: dict[str, int] = PHONE, scheme: str = "light"
) -> Iterator[BrowserContext]:
    """A phone: an own profile that trusts the certificate, as its owner would after the warning."""
    locale = {"zh_Hans": "zh-CN", "zh_Hant": "zh-TW", "en": "en-GB"}[lang]
    context = browser.new_context(
        viewport=size, color_scheme=scheme, locale=locale, ignore_https_errors=True, reduced_motion="reduce"
    )
    context.set_default_timeout(30_000)
    yield context
    context.close()


def link(server: Server) -> str:
    """The code's address; over loopback where the machine is in no network."""
    assert server.lan is not None
    links = server.lan.links()
    return links[0] if links else f"https://localhost:{server.lan.port}/pair/{server.lan.secret}"


def open_phone(context: BrowserContext, server: Server) -> Page:
    page = context.new_page()
    page.goto(link(server))
    page.wait_for_selector("html[data-ready]")
    assert page.url.endswith("/phone")
    return page


def read(page: Page) -> list[str]:
    found: list[str] = page.eval_on_selector_all(
        "#seen [data-row=concealed] .tile, #seen [data-row=drawn] .tile", "nodes => nodes.map((n) => n.dataset.code)"
    )
    return found


def test_a_phone_takes_the_place_of_another_camera(phone_browser: Browser, tmp_path: Path, reader: Reader) -> None:
    config = Config(source="demo", lan=True, lan_port=0, data_dir=tmp_path)
    with serving(config, reader=reader) as server, phone(phone_browser) as context:
        page = open_phone(context, server)
        expect(page.locator("#status")).to_contain_text("Tap “Start” to use this phone instead")
        page.locator("#start").click()
        expect(page.locator("#seen [data-row=concealed] .tile").first).to_be_visible()
        assert server.app.extensions["youjin"].loop.spec == "phone"


def test_a_stranger_is_told_to_scan(phone_browser: Browser, server: Server) -> None:
    assert server.lan is not None
    if not server.lan.links():
        pytest.skip("this machine is in no network: the refusal of strangers was NOT seen in a browser")
    with phone(phone_browser, lang="zh_Hans") as context:
        page = context.new_page()
        answer = page.goto(link(server).split("/pair/")[0] + "/phone")
        assert answer is not None
        assert answer.status == 403
        expect(page.locator("h1")).to_have_text("这部手机还没有配对")
        picture_of(page, "phone-stranger")
        page.goto(link(server)[:-1] + "!")
        expect(page.locator(".lead")).to_contain_text("重新扫电脑上的二维码")


@pytest.mark.parametrize(("lang", "size", "scheme"), LOOKS)
def test_the_phone_films_and_shows_what_was_read(
    phone_browser: Browser, server: Server, lang: str, size: dict[str, int], scheme: str
) -> None:
    with phone(phone_browser, lang=lang, size=size, scheme=scheme) as context:
        page = open_phone(context, server)
        picture_of(page, f"phone-before-{lang}")
        page.locator("#start").click()
        expect(page.locator("html")).to_have_attribute("data-camera", "camera")
        page.wait_for_function(
            "() => document.querySelectorAll('#seen [data-row=concealed] .tile:not(.unsettled)').length >= 13"
        )
        board = server.app.extensions["youjin"].loop.board.read()
        hand = board["hand"]
        expected = [tile["tile"] for tile in [*hand["concealed"], *([hand["drawn"]] if hand["drawn"] else [])]]
        assert read(page) == expected
        assert board["frame"]["width"] == 1280
        expect(page.locator("#view .box").nth(13)).to_be_attached()
        expect(page.locator("#status")).not_to_be_empty()
        picture_of(page, f"phone-running-{lang}", full=True)
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        page.locator("#start").click()
        expect(page.locator("html")).to_have_attribute("data-camera", "off")


def test_away_and_back(phone_browser: Browser, server: Server) -> None:
    board = server.app.extensions["youjin"].loop.board
    with phone(phone_browser) as context:
        page = open_phone(context, server)
        page.locator("#start").click()
        page.wait_for_function("() => document.querySelectorAll('#seen .tile').length >= 13")
        context.set_offline(True)
        expect(page.locator("#status")).to_contain_text("cannot be reached")
        picture_of(page, "phone-lost")
        page.wait_for_function("() => document.documentElement.dataset.camera === 'lost'")
        assert "Wi-Fi" in _eventually(board, trouble=True)["en"]
        context.set_offline(False)
        expect(page.locator("html")).to_have_attribute("data-camera", "camera")
        _eventually(board, trouble=False)
        # The page is put away: the camera rests, and goes on by itself when it is opened again.
        page.evaluate(HIDE.replace("STATE", "hidden"))
        assert "paused" in _eventually(board, trouble=True)["en"]
        page.evaluate(HIDE.replace("STATE", "visible"))
        _eventually(board, trouble=False)
        expect(page.locator("html")).to_have_attribute("data-camera", "camera")


HIDE = """() => {
  Object.defineProperty(document, "visibilityState", { value: "STATE", configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def _eventually(board: object, *, trouble: bool) -> dict[str, str]:
    version = -1
    for _ in range(200):
        state = board.wait(version, 0.5)  # type: ignore[attr-defined]
        version = state["version"]
        if state["status"]["trouble"] is trouble:
            return state["status"]
    pytest.fail(f"trouble is still {not trouble}")


def test_the_other_phone_takes_over(phone_browser: Browser, server: Server) -> None:
    with phone(phone_browser) as first, phone(phone_browser) as second:
        pages = [open_phone(first, server), open_phone(second, server)]
        for page in pages:
            page.locator("#start").click()
            expect(page.locator("html")).to_have_attribute("data-camera", "camera")
        expect(pages[0].locator("#status")).to_contain_text("Another phone")
        picture_of(pages[0], "phone-standby")
        pages[0].locator("#take-over").click()
        expect(pages[0].locator("html")).to_have_attribute("data-camera", "camera")
        expect(pages[1].locator("html")).to_have_attribute("data-camera", "standby")


def test_without_a_camera_a_photo_does(phone_browser: Browser, server: Server, tmp_path: Path) -> None:
    hand = ["1m", "2m", "3m", "6s", "7s", "8s", "9p", "9p", "4s", "5s", "2p", "3p", "4p"]
    file = photo(tmp_path / "hand.jpg", hand)
    with phone(phone_browser) as context:
        context.add_init_script("Object.defineProperty(navigator, 'mediaDevices', { value: undefined })")
        page = open_phone(context, server)
        expect(page.locator("#status")).to_contain_text("cannot use the camera")
        picture_of(page, "phone-no-camera")
        page.locator("[data-photo]").set_input_files(file)
        page.wait_for_function(
            "() => document.querySelectorAll('#seen [data-row=concealed] .tile:not(.unsettled)').length >= 13"
        )
        assert sorted(read(page)) == sorted(hand)
        picture_of(page, "phone-photo", full=True)
        (tmp_path / "bad.jpg").write_bytes(b"no picture at all")
        page.locator("[data-photo]").set_input_files(tmp_path / "bad.jpg")
        expect(page.locator("#status")).to_contain_text("not a picture")


def test_a_refused_camera_is_explained(phone_browser: Browser, server: Server) -> None:
    with phone(phone_browser, lang="zh_Hant") as context:
        context.add_init_script(
            "navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('no', 'NotAllowedError'); }"
        )
        page = open_phone(context, server)
        page.locator("#start").click()
        expect(page.locator("#status")).to_contain_text("沒有允許使用攝影機")


@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "dark"), (DESKTOP, "light")], ids=["phone", "desktop"])
def test_the_code_is_shown_on_the_computer(
    visit: Callable[..., Page], server: Server, size: dict[str, int], scheme: str
) -> None:
    page = visit(server.url, lang="zh_Hans", size=size, scheme=scheme)
    expect(page.locator("#status")).to_contain_text("扫二维码")
    picture_of(page, f"phone-table-{size['width']}")
    page.locator(".picture-bar a").click()
    expect(page.locator(".qr").first).to_be_visible()
    expect(page.locator(".qr").first).not_to_have_js_property("naturalWidth", 0)
    picture_of(page, f"phone-connect-{size['width']}", full=True)
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
