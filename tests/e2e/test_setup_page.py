"""Setting up: zones on the picture, another camera, a closer look; corrected pictures; the app without its program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from acting import choose, choose_radio, codes, expect_codes, serious
from asking import ask
from browsing import DESKTOP, PHONE, picture_of, serving
from drawn import PacedDemo, photo
from playwright.sync_api import expect

from vision.camera import open_source
from webui.config import Config

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

    from vision.reading import Reader

HAND = ["1m", "2m", "3m", "6s", "7s", "8s", "9p", "9p", "4s", "5s"]


def still_demo(_: str) -> PacedDemo:
    return PacedDemo(stays=True)


def on_picture(page: Page, x: float, y: float) -> tuple[float, float]:
    """A point of the picture in the window."""
    frame = page.locator(".picture-frame").bounding_box()
    assert frame is not None
    return frame["x"] + x * frame["width"], frame["y"] + y * frame["height"]


def test_zones_are_drawn_by_mouse_and_moved_by_keyboard(
    visit: Callable[..., Page], reader: Reader, tmp_path: Path
) -> None:
    config = Config(source="demo", data_dir=tmp_path)
    with serving(config, reader=reader, open_source=still_demo) as server:
        page = visit(server.url, lang="en")
        page.wait_for_selector("#hand [data-row=concealed] .tile")
        page.locator("[data-act=zones]").click()
        choose_radio(page, "#zone-panel", "discards")
        page.locator(".picture-frame").scroll_into_view_if_needed()
        page.mouse.move(*on_picture(page, 0.2, 0.2))
        page.mouse.down()
        page.mouse.move(*on_picture(page, 0.4, 0.3))
        page.mouse.move(*on_picture(page, 0.6, 0.4))
        page.mouse.up()
        expect(page.locator(".zone-entry")).to_have_count(1)
        choose_radio(page, "#zone-panel", "ignore")
        page.locator(".picture-frame").scroll_into_view_if_needed()
        for corner in ((0.1, 0.6), (0.3, 0.6), (0.2, 0.9), (0.1, 0.6)):
            page.mouse.click(*on_picture(page, *corner))
        expect(page.locator(".zone-entry")).to_have_count(2)
        picture_of(page, "zones", full=True)
        assert serious(page) == []
        page.locator("[data-zone='0']").focus()
        page.keyboard.press("Shift+ArrowRight")
        page.locator("[data-key='c1-2']").focus()
        page.keyboard.press("ArrowDown")
        # What is sent last has all of it.
        with page.expect_response(lambda answer: '"seat":"left"' in (answer.request.post_data or "")):
            choose_radio(page, "#zone-panel", "left")
        kept = ask(f"{server.url}api/zones")
        assert kept["seat"] == "left"
        box, triangle = kept["zones"]
        assert (box["kind"], triangle["kind"]) == ("discards", "ignore")
        assert box["polygon"][0] == pytest.approx([0.25, 0.2], abs=0.01)
        assert box["polygon"][2] == pytest.approx([0.65, 0.4], abs=0.01)
        assert triangle["polygon"][2] == pytest.approx([0.2, 0.91], abs=0.01)
        page.locator("[data-zone='1']").focus()
        page.keyboard.press("Delete")
        expect(page.locator(".zone-entry")).to_have_count(1)
        page.locator("#zone-panel .button-primary").click()
        expect(page.locator("#zone-panel")).to_be_hidden()
        page.close()


def test_another_camera_is_chosen(visit: Callable[..., Page], reader: Reader, tmp_path: Path) -> None:
    file = photo(tmp_path / "table.jpg", HAND)
    config = Config(source="demo", data_dir=tmp_path)

    def opened(spec: str) -> Any:
        return still_demo(spec) if spec == "demo" else open_source(spec)

    with serving(config, reader=reader, open_source=opened) as server:
        page = visit(server.url, lang="en", size=PHONE, expect_errors=True)
        page.wait_for_selector("#hand [data-row=concealed] .tile")
        page.locator("#source").click()
        expect(page.locator("#source-sheet .source-one.is-current")).to_contain_text("demo")
        assert serious(page) == []
        page.locator("#source-sheet input").fill(str(tmp_path / "none.jpg"))
        page.locator("#source-sheet input").press("Enter")
        expect(page.locator("#source-sheet [role=alert]")).to_contain_text("none.jpg")
        page.locator("#source-sheet input").fill(str(file))
        page.locator("#source-sheet input").press("Enter")
        expect(page.locator("#source-sheet")).to_be_hidden()
        expect(page.locator("#hand [data-row=concealed] .tile")).to_have_count(len(HAND))
        page.close()


def test_a_corrected_photo_is_kept_with_consent_and_survives_leaving_the_page(
    visit: Callable[..., Page], reader: Reader, tmp_path: Path
) -> None:
    with serving(Config(data_dir=tmp_path / "data"), reader=reader) as server:
        page = visit(server.url, lang="en", size=PHONE)
        page.locator(".picture-bar input[type=file]").set_input_files(photo(tmp_path / "hand.jpg", HAND))
        expect(page.locator("#hand [data-row=concealed] .tile")).to_have_count(len(HAND))
        seen = codes(page, "concealed")
        page.locator("#hand [data-row=concealed] .tile").first.click()
        choose(page, "1m")
        page.locator("[data-consent=yes]").click()
        expect(page.locator("#ask-consent")).to_be_hidden()
        if page.locator("[data-act=all-right]").count():
            page.locator("[data-act=all-right]").click()
        expect(page.locator("#hand .tile.unsettled")).to_have_count(0)

        # The photo is still there after the page was left.
        page.goto(f"{server.url}glossary")
        page.go_back()
        page.wait_for_selector("html[data-ready]")
        expect_codes(page, "concealed", ["1m", *seen[1:]])
        expect(page.locator("#picture svg.overlay .box-group.concealed")).to_have_count(len(HAND))
        page.locator("#hand [data-row=concealed] .tile").first.click()
        expect(page.locator("#picker .crop canvas")).to_be_visible()
        choose(page, "1m")
        page.locator("#hand [data-row=concealed] .tile").nth(1).click()
        choose(page, "2m")

        # Whoever leaves right after a correction loses nothing: it is sent when the page is opened again.
        page.goto(f"{server.url}glossary")
        with page.expect_response(lambda got: got.url.endswith("/api/corrections") and got.request.method == "POST"):
            page.go_back()
            page.wait_for_selector("html[data-ready]")
        page.goto(f"{server.url}corrections")
        page.wait_for_selector("html[data-ready]")
        expect(page.locator(".kept-one")).to_have_count(1)
        expect(page.locator(".kept-one rect")).to_have_count(len(HAND))
        expect(page.locator("#consent")).to_be_checked()
        picture_of(page, "corrections", full=True)
        assert serious(page) == []
        page.locator(".kept-one .button").click()
        expect(page.locator(".kept-one")).to_have_count(0)
        page.locator("#consent").uncheck()
        page.reload()
        expect(page.locator("#consent")).not_to_be_checked()
        page.locator("#consent").check()

        # What was deleted does not come back with the page that it was sent from.
        page.goto(server.url)
        page.wait_for_selector("html[data-ready]")
        expect(page.locator("#picture svg.overlay .box-group.concealed")).to_have_count(len(HAND))
        page.wait_for_timeout(2000)  # longer than a correction waits before it is sent
        page.goto(f"{server.url}corrections")
        page.wait_for_selector("html[data-ready]")
        expect(page.locator(".kept-one")).to_have_count(0)


def test_tiles_that_are_nobodys_hand_are_told(visit: Callable[..., Page], reader: Reader, tmp_path: Path) -> None:
    config = Config(source="demo", data_dir=tmp_path)
    with serving(config, reader=reader, open_source=still_demo) as server:
        page = visit(server.url, lang="en")
        page.wait_for_selector("#hand [data-row=concealed] .tile")
        everything = {"kind": "discards", "polygon": [[0, 0], [1, 0], [1, 1], [0, 1]]}
        ask(f"{server.url}api/zones", {"zones": [everything], "seat": None}, "PUT")
        expect(page.locator("#status")).to_contain_text("none as your hand")
        page.close()


def test_what_does_not_fit_is_marked_until_it_is_put_right(
    site: str, visit: Callable[..., Page], tmp_path: Path
) -> None:
    hand = ["1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "3s", "4s", "5s", "9p"]
    page = visit(site, lang="en", size=PHONE)
    file = photo(tmp_path / "hand.jpg", hand, melds=(["1z", "2z", "2z"],))
    page.locator(".picture-bar input[type=file]").set_input_files(file)
    expect(page.locator("#problems")).to_contain_text("are no chow")
    marked = page.locator("#picture svg.overlay .box-group.questioned")
    expect(marked).to_have_count(3)
    picture_of(page, "questioned", full=True)
    assert serious(page) == []
    marked.first.click()
    choose(page, "2z")
    expect(marked).to_have_count(0)
    expect(page.locator("#problems")).to_be_hidden()
    page.locator(".cloth-tools [data-act=undo]").click()
    expect(marked).to_have_count(3)


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_closer_look_at_the_picture(
    site: str, visit: Callable[..., Page], tmp_path: Path, size: dict[str, int]
) -> None:
    page = visit(site, lang="en", size=size)
    page.locator(".picture-bar input[type=file]").set_input_files(photo(tmp_path / "hand.jpg", HAND))
    first = page.locator("#picture svg.overlay .box-group.concealed").first
    expect(first).to_be_attached()
    expect(page.locator("#busy")).to_be_hidden()

    def expect_box(condition: str, than: float) -> dict[str, float]:
        """Wait until the first tile's box on the screen is so, and return it."""
        script = "than => { const box = document.querySelector('#picture svg.overlay .box-group.concealed').getBoundingClientRect(); return (%s) && { x: box.x, width: box.width }; }"
        found: dict[str, float] = page.wait_for_function(script % condition, arg=than).json_value()
        return found

    before = expect_box("true", 0)
    page.locator("[data-zoom=closer]").click()
    after = expect_box("box.width > 1.3 * than", before["width"])
    x, y = on_picture(page, 0.5, 0.5)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y + 10, steps=4)
    page.mouse.up()
    expect_box("box.x > than + 20", after["x"])
    expect(page.locator("#picker")).not_to_be_visible()  # a drag is no tap
    page.locator("[data-zoom=whole]").click()
    expect_box("Math.abs(box.width - than) < 2", before["width"])


def test_the_app_says_when_its_program_does_not_run(visit: Callable[..., Page], reader: Reader) -> None:
    with serving(Config(), reader=reader) as server:
        port = server.port
        page = visit(server.url, lang="zh_Hans", expect_errors=True)
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.reload(wait_until="commit")
    expect(page.locator("h1")).to_have_text("游金没有在运行")
    assert serious(page) == []
    picture_of(page, "offline")
    with serving(Config(), reader=reader, port=port):
        expect(page.locator("#hand-title")).to_be_visible()
        page.close()
