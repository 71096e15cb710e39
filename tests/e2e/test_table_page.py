"""The page as a player uses it: by hand, from a photo, with the camera; in three languages, on a phone and a desk."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from acting import (
    add_meld,
    amounts,
    choose,
    choose_radio,
    codes,
    expect_amounts,
    expect_codes,
    pick_field,
    put_right,
    serious,
    set_gold,
    settle_self_draw,
    type_hand,
)
from browsing import DESKTOP, PHONE, picture_of, serving
from drawn import PacedDemo, photo
from playwright.sync_api import expect

from webui.config import Config

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

    from vision.reading import Reader

HAND = ["1m", "2m", "3m", "6s", "7s", "8s", "9p", "9p", "4s", "5s"]
MELDS = (["2p", "3p", "4p"], ["7z", "7z", "7z"])
WORDS = {
    "zh_Hans": {"win": "现在可以胡", "wait": "你听", "settle": "结算", "pay": "每家 11"},
    "zh_Hant": {"win": "現在可以胡", "wait": "你聽", "settle": "結算", "pay": "每家 11"},
    "en": {"win": "You can win now", "wait": "You wait for", "settle": "Settle", "pay": "11 from each"},
}
LOOKS = [
    pytest.param("zh_Hans", DESKTOP, "light", id="zh_Hans-desktop-light"),
    pytest.param("zh_Hant", PHONE, "dark", id="zh_Hant-phone-dark"),
    pytest.param("en", PHONE, "light", id="en-phone-light"),
    pytest.param("en", DESKTOP, "dark", id="en-desktop-dark"),
]


@pytest.mark.parametrize(("lang", "size", "scheme"), LOOKS)
def test_a_hand_entered_by_hand_is_settled(
    site: str, visit: Callable[..., Page], lang: str, size: dict[str, int], scheme: str
) -> None:
    page = visit(site, lang=lang, size=size, scheme=scheme)
    words = WORDS[lang]
    picture_of(page, f"empty-{lang}-{size['width']}-{scheme}", full=True)
    set_gold(page, "5m")
    add_meld(page, "chow", "2p")
    add_meld(page, "pong", "7z", "D")
    type_hand(page, "123m 678s 99p 45s 16f")
    expect(page.locator("#status")).to_contain_text(words["wait"])
    expect_codes(page, "flowers", ["1f", "6f"])
    expect(page.locator("#answers .wait")).to_have_count(3)
    picture_of(page, f"waits-{lang}-{size['width']}-{scheme}", full=True)

    page.get_by_role("tab", name=words["settle"]).click()
    pick_field(page, "seat", "C")
    pick_field(page, "by", "discard")
    pick_field(page, "from", "D")
    page.locator("[data-pick-winning]").click()
    choose(page, "6s")
    expect(page.locator("#settlement .seat-card")).to_have_count(4)
    expect_amounts(page, {"A": "−11", "B": "−11", "C": "+33", "D": "−11"})
    expect(page.locator("#status")).to_contain_text(words["pay"])
    picture_of(page, f"settled-{lang}-{size['width']}-{scheme}", full=True)


@pytest.mark.parametrize(("lang", "size", "scheme"), LOOKS)
def test_options_after_a_draw(
    site: str, visit: Callable[..., Page], lang: str, size: dict[str, int], scheme: str
) -> None:
    page = visit(site, lang=lang, size=size, scheme=scheme)
    set_gold(page, "5m")
    type_hand(page, "123m 456p 789s 222z 34s 55m 5s")
    expect(page.locator("#status")).to_contain_text(WORDS[lang]["win"])
    expect(page.locator("#answers .win-card")).to_be_visible()
    refused = page.locator("#answers .discard.is-refused")
    expect(refused).to_have_attribute("data-tile", "5m")
    expect(refused.locator(".why")).not_to_be_empty()
    expect(page.locator("#answers .discard[data-state=youjin] .discard-tile").nth(9)).to_be_attached()
    picture_of(page, f"options-{lang}-{size['width']}-{scheme}", full=True)
    page.locator("[data-settle]").click()
    expect(page.locator("#settlement .seat-amount").first).to_be_visible()


@pytest.mark.parametrize(("lang", "size", "scheme"), LOOKS)
def test_a_photo_is_read_corrected_and_settled(
    site: str, visit: Callable[..., Page], tmp_path: Path, lang: str, size: dict[str, int], scheme: str
) -> None:
    page = visit(site, lang=lang, size=size, scheme=scheme)
    file = photo(tmp_path / "手牌.jpg", HAND, drawn="6s", melds=MELDS)
    page.locator(".picture-bar input[type=file]").set_input_files(file)
    expect(page.locator("#hand [data-row=concealed] .tile")).not_to_have_count(0)
    expect(page.locator("#picture svg .box-group.concealed")).to_have_count(len(codes(page, "concealed")))
    # Every tile is named on the picture, however small it is there.
    expect(page.locator("#picture svg .box-group.concealed text:visible")).to_have_count(len(codes(page, "concealed")))
    picture_of(page, f"photo-{lang}-{size['width']}-{scheme}", full=True)
    set_gold(page, "5m")

    # One tile is put wrong and right again, whatever else the reader may have doubted.
    first = page.locator("#hand [data-row=concealed] .tile").first
    first.click()
    expect(page.locator("#picker .crop canvas")).to_be_visible()
    picture_of(page, f"picker-{lang}-{size['width']}-{scheme}")
    choose(page, "9m")
    expect(first).to_have_attribute("data-code", "9m")
    page.locator("#toast .button").click()
    expect(first).not_to_have_attribute("data-code", "9m")
    put_right(page, HAND)
    if codes(page, "drawn") != ["6s"]:
        page.locator("#hand [data-row=drawn] .tile").click()
        choose(page, "6s")
    expect_codes(page, "concealed", HAND)
    expect_codes(page, "drawn", ["6s"])

    page.get_by_role("tab", name=WORDS[lang]["settle"]).click()
    pick_field(page, "seat", "C")
    pick_field(page, "by", "self_draw")
    expect(page.locator("#settlement .seat-card")).to_have_count(4)
    expect_amounts(page, {"A": "−18", "B": "−18", "C": "+54", "D": "−18"})


def test_a_real_photo(site: str, visit: Callable[..., Page], shared: Path) -> None:
    page = visit(site, lang="en", size=PHONE)
    file = min((shared / "data" / "tiles42" / "val_web" / "images").glob("*.jpg"))
    page.locator(".picture-bar input[type=file]").set_input_files(file)
    expect(page.locator("#picture svg .box-group").first).to_be_attached()
    page.locator("#picture svg .box-group").first.click()
    choose(page, "3p")
    expect(page.locator("#picture svg .box-group").first).to_have_attribute("aria-label", "3 dots")
    picture_of(page, "real-photo", full=True)


def test_dropped_and_pasted_photos(site: str, visit: Callable[..., Page], tmp_path: Path) -> None:
    page = visit(site, lang="en")
    data = photo(tmp_path / "hand.jpg", HAND).read_bytes()
    give = """([bytes, kind]) => {
        const files = new DataTransfer();
        files.items.add(new File([new Uint8Array(bytes)], "hand.jpg", { type: "image/jpeg" }));
        if (kind === "drop") {
            dispatchEvent(new DragEvent("dragenter", { dataTransfer: files, bubbles: true }));
            if (document.querySelector("#dropzone").hidden) throw new Error("no drop zone");
            dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));
        } else {
            dispatchEvent(new ClipboardEvent("paste", { clipboardData: files, bubbles: true }));
        }
    }"""
    for kind in ("drop", "paste"):
        page.evaluate(give, [list(data), kind])
        expect(page.locator("#hand [data-row=concealed] .tile")).not_to_have_count(0)
        page.locator("[data-act=clear]").click()
        expect(page.locator("#hand [data-row=concealed] .tile")).to_have_count(0)


def test_may_a_discard_be_taken(site: str, visit: Callable[..., Page]) -> None:
    page = visit(site, lang="en", size=PHONE)
    page.locator(".settings > summary").click()
    page.locator("select[data-setting=seat]").select_option("C")
    set_gold(page, "5m")
    add_meld(page, "chow", "2p")
    add_meld(page, "pong", "7z", "D")
    type_hand(page, "123m 678s 99p 45s 16f")
    page.locator("#claims > summary").click()
    page.locator("[data-offer]").click()
    choose(page, "6s")
    verdicts = page.locator("#claims .verdict")
    expect(verdicts.first).to_contain_text("possible · 11 from each")
    expect(page.locator("#claims .verdict.is-legal")).to_have_count(
        4
    )  # the win and three chows, from the player before
    choose_radio(page, "#claims [data-field=offer-from]", "D")
    expect(page.locator("#claims .verdict.is-legal")).to_have_count(1)
    picture_of(page, "claims", full=True)


def test_what_is_no_photo_is_told_and_wipes_nothing(site: str, visit: Callable[..., Page], tmp_path: Path) -> None:
    page = visit(site, lang="en", expect_errors=True)
    type_hand(page, "123m")
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(b"\xff\xd8\xff no picture")
    page.locator(".picture-bar input[type=file]").set_input_files(broken)
    expect(page.locator("#toast")).to_contain_text("not a picture")
    expect_codes(page, "concealed", ["1m", "2m", "3m"])
    type_hand(page, "12q")
    expect(page.locator("#typed-note")).not_to_be_empty()
    expect(page.locator("#typed-text")).to_have_value("12q")
    expect_codes(page, "concealed", ["1m", "2m", "3m"])


def test_nothing_is_lost_by_a_reload(site: str, visit: Callable[..., Page]) -> None:
    page = visit(site, lang="en")
    settle_self_draw(page, "123m 456p 789s 222z 345s 5m 9p 1f", "D")
    expect(page.locator("#settlement .seat-card")).to_have_count(4)
    before = amounts(page)
    page.reload()
    expect(page.locator("#settlement .seat-card")).to_have_count(4)
    expect_amounts(page, before)
    assert len(codes(page, "concealed")) + len(codes(page, "drawn")) == 17
    expect_codes(page, "flowers", ["1f"])


def test_a_reason_that_stands_alone_is_a_sentence(site: str, visit: Callable[..., Page]) -> None:
    page = visit(site, lang="en")
    settle_self_draw(page, "147m 258p 369s 1234567z 2m", "B")
    expect(page.locator("#settlement .tone-trouble")).to_have_text(re.compile(r"^Not a win\. [A-Z]"))


def test_tiles_are_added_removed_and_brought_back(site: str, visit: Callable[..., Page]) -> None:
    page = visit(site, lang="en", size=PHONE)
    page.locator("[data-act=add-tile]").click()
    for code in ("7z", "1m", "3f"):
        page.locator(f"#picker .suit-keys [data-code='{code}']").click()
    page.locator("#picker [data-action=stop]").click()
    expect_codes(page, "concealed", ["1m", "7z"])
    expect_codes(page, "flowers", ["3f"])
    page.locator("#hand [data-row=concealed] .tile").first.click()
    page.locator("#picker [data-action=remove]").click()
    expect_codes(page, "concealed", ["7z"])
    page.locator(".cloth-tools [data-act=undo]").click()
    expect_codes(page, "concealed", ["1m", "7z"])
    page.keyboard.press("Control+z")
    expect_codes(page, "flowers", [])


def test_the_offer_to_undo_goes_with_the_next_edit(site: str, visit: Callable[..., Page]) -> None:
    page = visit(site, lang="en")
    type_hand(page, "123m")
    page.locator("[data-act=clear]").click()
    expect(page.locator("#toast")).to_be_visible()
    type_hand(page, "456p")
    expect(page.locator("#toast")).to_be_hidden()
    page.locator("[data-act=undo]").first.click()
    expect(page.locator("#hand [data-row=concealed] .tile")).to_have_count(0)
    page.locator("[data-act=undo]").first.click()
    expect(page.locator("#hand [data-row=concealed] .tile")).to_have_count(3)


def test_white_is_shown_as_the_gold(site: str, visit: Callable[..., Page]) -> None:
    page = visit(site, lang="en")
    set_gold(page, "5m")
    type_hand(page, "5z 5m 1m")
    tiles = page.locator("#hand [data-row=concealed] .tile")
    expect(tiles).to_have_count(3)
    white, gold = tiles.nth(0), tiles.nth(1)
    expect(white).to_have_attribute("aria-label", "white as 5 characters")
    expect(white.locator(".badge")).to_have_text("白")
    assert "/5m.svg" in (white.locator("img").get_attribute("src") or "")
    expect(gold).to_have_attribute("aria-label", "5 characters, a gold")
    expect(gold.locator(".badge")).to_have_text("金")
    set_gold(page, "5z")
    expect(white).to_have_attribute("aria-label", "white dragon, a gold")


@pytest.mark.parametrize("rules", ["xiamen", "zhangzhou", "yunxiao", "jinhua", "hangzhou"])
def test_the_form_follows_the_game(site: str, visit: Callable[..., Page], rules: str) -> None:
    page = visit(site, lang="en")
    page.locator("select[data-setting=rules]").select_option(rules)
    page.get_by_role("tab", name="Settle").click()
    methods = page.locator("#settle-form [data-field=by] input")
    expect(methods.first).to_be_attached()
    if rules == "hangzhou":
        expect(methods).to_have_count(1)
    else:
        expect(methods).not_to_have_count(1)
    pick_field(page, "seat", "B")
    expect(page.locator("#settle-form [data-field=claims]")).to_have_count(1 if rules == "jinhua" else 0)
    page.locator(".settings > summary").click()
    page.locator("#house > summary").click()
    expect(page.locator("#house .house-key").nth(3)).to_be_attached()


def test_house_rules_change_the_settlement(site: str, visit: Callable[..., Page]) -> None:
    page = visit(site, lang="en")
    settle_self_draw(page, "123m 456p 789s 222z 345s 5m 9p", "C")
    expect(page.locator("#settlement [data-seat=C] .seat-amount")).to_have_text("+66")
    page.locator(".settings > summary").click()
    page.locator("#house > summary").click()
    field = page.locator("#house [data-field=base_nondealer] input")
    field.fill("20")
    field.press("Tab")
    expect(page.locator("#settlement [data-seat=C] .seat-amount")).to_have_text("+138")
    expect(page.locator("[data-house-count]")).to_have_text("1 changed")
    page.reload()
    expect(page.locator("#settlement [data-seat=C] .seat-amount")).to_have_text("+138")


def test_the_command_line_beats_what_was_chosen_before(visit: Callable[..., Page], reader: Reader) -> None:
    with serving(Config(), reader=reader) as server:
        port = server.port
        page = visit(server.url, lang="en")
        type_hand(page, "123m")
        expect_codes(page, "concealed", ["1m", "2m", "3m"])
        page.goto("about:blank")  # nothing asks for the server while it changes
    with serving(Config(rules="zhangzhou", house={"base_dealer": 30}), port=port, reader=reader):
        page.goto(server.url)
        page.wait_for_selector("html[data-ready]")
        expect(page.locator("select[data-setting=rules]")).to_have_value("zhangzhou")
        expect(page.locator("[data-house-count]")).to_have_text("1 changed")
        expect_codes(page, "concealed", ["1m", "2m", "3m"])
        page.close()


def test_language_and_colours_are_switched_and_kept(site: str, visit: Callable[..., Page]) -> None:
    page = visit(site, lang="en")
    page.locator("select[data-lang]").select_option("zh_Hant")
    expect(page.locator("#hand-title")).to_have_text("我的手牌")
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hant")
    page.locator("[data-theme-toggle]").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.get_by_role("link", name="名詞").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator(".term-entry")).not_to_have_count(0)


def test_words_are_explained_where_they_stand(site: str, visit: Callable[..., Page]) -> None:
    page = visit(site, lang="en", size=PHONE)
    page.locator(".group-gold .term").click()
    expect(page.locator(".bubble")).to_contain_text("turned up")
    page.keyboard.press("Escape")
    expect(page.locator(".bubble")).to_have_count(0)


def test_a_sheet_that_is_opened_again_at_once_is_heard(site: str, visit: Callable[..., Page]) -> None:
    page = visit(site, lang="en")
    type_hand(page, "1m 2m 3m")
    # The browser tells that a sheet was closed a moment later, when the next one is open already.
    page.evaluate(
        """() => {
          document.querySelectorAll("#hand [data-row=concealed] .tile")[0].click();
          document.querySelector("#picker .suit-keys [data-code='7z']").click();
          document.querySelectorAll("#hand [data-row=concealed] .tile")[1].click();
        }"""
    )
    choose(page, "6z")
    expect_codes(page, "concealed", ["7z", "6z", "3m"])


def test_by_keyboard_alone(site: str, visit: Callable[..., Page]) -> None:
    page = visit(site, lang="en")
    page.locator("[data-gold]").focus()
    page.keyboard.press("Enter")
    page.locator("#picker .suit-keys [data-code='5m']").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-gold]")).to_be_focused()
    expect(page.locator("[data-gold]")).to_have_attribute("aria-label", "The gold is 5 characters")
    page.get_by_role("tab", name="What now").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Settle")).to_be_focused()
    expect(page.locator("#pane-settle")).to_be_visible()


@pytest.mark.parametrize("width", [320, 390, 600, 768, 1024, 1280, 1920])
def test_no_width_scrolls_sideways(site: str, visit: Callable[..., Page], width: int) -> None:
    page = visit(site, lang="en", size={"width": width, "height": 800})
    set_gold(page, "5m")
    add_meld(page, "kong", "9p", "D")
    type_hand(page, "123m 678s 99p 45s 5z 12345678f")
    page.get_by_role("tab", name="Settle").click()
    pick_field(page, "seat", "A")
    pick_field(page, "by", "self_draw")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("tab", name="Score sheet").click()
    expect(page.locator("#sheet .totals")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_nothing_serious_for_axe(site: str, visit: Callable[..., Page], size: dict[str, int], scheme: str) -> None:
    page = visit(site, lang="en", size=size, scheme=scheme)
    assert serious(page) == []
    set_gold(page, "5m")
    add_meld(page, "chow", "2p")
    type_hand(page, "123m 678s 99p 456s 5z 5m 9s 16f")
    expect(page.locator("#answers .discard").first).to_be_attached()
    page.locator(".settings > summary").click()
    page.locator("#house > summary").click()
    assert serious(page) == []
    page.get_by_role("tab", name="Settle").click()
    pick_field(page, "seat", "A")
    pick_field(page, "by", "self_draw")
    expect(page.locator("#settlement")).to_be_visible()
    assert serious(page) == []
    page.locator("[data-gold]").click()
    assert serious(page) == []
    page.keyboard.press("Escape")
    page.locator("[data-act=add-meld]").click()
    assert serious(page) == []
    for other in ("glossary", "connect", "corrections", "offline"):
        page.goto(f"{site}{other}")
        assert serious(page) == [], other


def test_an_unknown_address_leads_back(site: str, visit: Callable[..., Page]) -> None:
    page = visit(f"{site}nowhere", lang="zh_Hans", expect_errors=True, ready=False)
    expect(page.locator("h1")).to_have_text("出了点问题")
    assert serious(page) == []
    page.get_by_role("link", name="回到牌桌").click()
    page.wait_for_selector("html[data-ready]")


# --- the camera ---------------------------------------------------------------------------------------------


@pytest.mark.timeout(900)  # a whole hand is drawn and read; minutes on a busy machine
def test_the_demo_runs_to_a_win(visit: Callable[..., Page], reader: Reader) -> None:
    demo = PacedDemo()
    with serving(Config(source="demo"), reader=reader, open_source=lambda _: demo) as server:
        tracker = server.app.extensions["youjin"].loop._tracker
        demo.doubt = lambda: tracker.waiting
        page = visit(server.url)
        expect(page.locator("#picture img")).to_be_visible()
        page.wait_for_selector("#status.tone-youjin", timeout=400_000)
        picture_of(page, "demo-youjin")
        page.wait_for_selector("#status.tone-win:has-text('游')", timeout=400_000)
        picture_of(page, "demo-win")
        page.locator("[data-settle]").click()
        expect(page.locator("html")).to_have_attribute("data-held", "true")
        expect(page.locator("#settlement .seat-card")).to_have_count(4)
        picture_of(page, "demo-settled", full=True)
        page.locator("[data-act=live]").first.click()
        expect(page.locator("html")).to_have_attribute("data-held", "false")
        page.close()


def test_a_correction_is_pinned_to_the_tile_on_the_table(visit: Callable[..., Page], reader: Reader) -> None:
    with serving(Config(source="demo"), reader=reader, open_source=lambda _: PacedDemo(stays=True)) as server:
        page = visit(server.url, lang="en")
        page.wait_for_selector("#hand [data-row=concealed] .tile")
        assert serious(page) == []
        tile = page.locator("#hand [data-row=concealed] .tile").nth(2)
        tile.click()
        choose(page, "6z")
        expect(page.locator("#hand [data-row=concealed] .tile.pinned")).to_have_count(1)
        page.reload()
        expect(page.locator("#hand [data-row=concealed] .tile.pinned")).to_have_attribute("data-code", "6z")
        page.locator("#hand [data-row=concealed] .tile.pinned").click()
        page.locator("#picker [data-action=unpin]").click()
        expect(page.locator("#hand .tile.pinned")).to_have_count(0)
        page.locator("[data-act=hold]").click()
        expect(page.locator("#source")).to_contain_text("held")
        page.close()


def test_a_camera_that_is_not_there(visit: Callable[..., Page], reader: Reader, tmp_path: Path) -> None:
    with serving(Config(source=str(tmp_path / "none.mp4")), reader=reader) as server:
        page = visit(server.url, lang="en")
        expect(page.locator("#status")).to_contain_text("There is no")
        expect(page.locator("#source")).to_have_attribute("data-state", "trouble")
        type_hand(page, "123m")  # the rest of the page works
        expect(page.locator("#hand [data-row=concealed] .tile")).to_have_count(3)
        page.close()


def test_the_page_finds_the_program_again(visit: Callable[..., Page], reader: Reader) -> None:
    def source(_: str) -> PacedDemo:
        return PacedDemo(stays=True)

    with serving(Config(source="demo"), reader=reader, open_source=source) as server:
        port = server.port
        page = visit(server.url, lang="en", expect_errors=True)
        page.wait_for_selector("#hand [data-row=concealed] .tile")
    expect(page.locator("#connection")).to_be_visible()
    expect(page.locator("#hand [data-row=concealed] .tile").first).to_be_visible()
    with serving(Config(source="demo"), port=port, reader=reader, open_source=source):
        expect(page.locator("#connection")).not_to_be_visible()
        expect(page.locator("#source")).to_have_attribute("data-state", "live")
        page.close()
