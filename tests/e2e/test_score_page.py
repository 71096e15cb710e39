"""Settling and booking: nothing without a confirmation, nothing lost after it."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from acting import (
    add_meld,
    choose,
    codes,
    expect_amounts,
    expect_codes,
    pick_field,
    serious,
    set_gold,
    settle_self_draw,
    type_hand,
)
from browsing import DESKTOP, PHONE, picture_of, serving
from drawn import photo
from playwright.sync_api import expect

from webui.config import Config

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Page

    from vision.reading import Reader


@pytest.fixture
def fresh(tmp_path: Path, reader: Reader) -> Iterator[str]:
    """A server without a camera whose score sheet is empty."""
    with serving(Config(data_dir=tmp_path), reader=reader) as server:
        yield server.url


def enter_win(page: Page) -> None:
    """C wins on D's discard: 11 from each."""
    set_gold(page, "5m")
    add_meld(page, "chow", "2p")
    add_meld(page, "pong", "7z", "D")
    type_hand(page, "123m 678s 99p 45s 16f")
    page.get_by_role("tab", name="Settle").click()
    pick_field(page, "seat", "C")
    pick_field(page, "by", "discard")
    pick_field(page, "from", "D")
    page.locator("[data-pick-winning]").click()
    choose(page, "6s")
    expect_amounts(page, {"A": "−11", "B": "−11", "C": "+33", "D": "−11"})


def expect_totals(page: Page, wanted: dict[str, str]) -> None:
    for seat, amount in wanted.items():
        expect(page.locator(f"#sheet [data-total={seat}] .seat-amount")).to_have_text(amount)


@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "dark"), (DESKTOP, "light")], ids=["phone-dark", "desktop-light"])
def test_a_win_is_booked_taken_back_and_booked_again(
    fresh: str, visit: Callable[..., Page], size: dict[str, int], scheme: str
) -> None:
    page = visit(fresh, lang="en", size=size, scheme=scheme)
    enter_win(page)
    picture_of(page, f"confirm-{size['width']}-{scheme}", full=True)
    assert serious(page) == []
    page.locator("[data-confirm]").click()
    expect_totals(page, {"A": "−11", "B": "−11", "C": "+33", "D": "−11"})
    expect(page.locator("#status")).to_contain_text("Next hand: B deals")
    page.get_by_text("Names of the players").click()
    page.locator("[data-name=C]").fill("林阿婆")
    with page.expect_response("**/api/scores/players"):
        page.locator("[data-name=C]").press("Tab")
    expect(page.locator("#sheet [data-total=C] .seat-name")).to_contain_text("林阿婆")
    assert serious(page) == []
    picture_of(page, f"sheet-{size['width']}-{scheme}", full=True)

    # Locked, reloaded, opened on another phone: it is still there.
    page.reload()
    expect_totals(page, {"C": "+33"})
    other = page.context.new_page()
    other.goto(f"{fresh}?tab=sheet")
    expect_totals(other, {"C": "+33"})
    other.close()

    page.locator("[data-take-back]").click()
    expect(page.get_by_role("tab", name="Settle")).to_have_attribute("aria-selected", "true")
    expect_codes(page, "concealed", ["1m", "2m", "3m", "9p", "9p", "4s", "5s", "6s", "7s", "8s"])
    expect_amounts(page, {"C": "+33"})
    pick_field(page, "by", "self_draw")
    expect(page.locator("#settlement [data-seat=C] .seat-amount")).not_to_have_text("+33")
    page.locator("[data-confirm]").click()
    expect(page.locator("#sheet .hand-line")).to_have_count(2)
    expect(page.locator("#sheet .hand-line.is-undone")).to_have_count(1)
    assert codes(page, "concealed") == []
    with page.expect_download() as download:
        page.get_by_role("link", name="Save as CSV").click()
    rows = list(csv.reader(io.StringIO(Path(download.value.path()).read_text("utf-8-sig"))))
    assert [row[0] for row in rows] == ["hand", "", "1", "total"]


def test_two_pages_do_not_book_the_same_hand(fresh: str, visit: Callable[..., Page]) -> None:
    page = visit(fresh, lang="en", expect_errors=True)  # a refusal is an error in the console
    other = visit(fresh, lang="en", expect_errors=True)
    for one in (page, other):
        one.get_by_role("tab", name="Settle").click()
        pick_field(one, "ending", "draw")
        expect(one.locator("[data-confirm]")).to_be_enabled()
    page.locator("[data-confirm]").click()
    expect(page.locator("#sheet .hand-line")).to_have_count(1)
    other.evaluate("scrollTo(0, 0)")
    other.locator("[data-confirm]").click()
    expect(other.locator("#toast")).to_contain_text("Somebody has just booked")
    other.get_by_role("tab", name="Score sheet").click()
    expect(other.locator("#sheet .hand-line")).to_have_count(1)


def test_a_false_win_with_a_player_in_youjin(fresh: str, visit: Callable[..., Page]) -> None:
    page = visit(fresh, lang="en")
    set_gold(page, "5m")
    type_hand(page, "123m 456p 789s 222z 345s 5m")
    page.get_by_role("tab", name="Settle").click()
    pick_field(page, "ending", "false_win")
    pick_field(page, "offender", "B")
    expect(page.locator("#settlement [data-seat=B] .seat-bonus")).to_have_text("outside −150")
    pick_field(page, "wronged", "D")
    expect(page.locator("#settlement .formula").last).to_contain_text("D was in youjin")
    page.locator("[data-confirm]").click()
    expect(page.locator("#sheet .hand-line")).to_contain_text("B: false win")


def test_a_dealer_drawn_by_lot_must_be_named(fresh: str, visit: Callable[..., Page]) -> None:
    page = visit(fresh, lang="en", size=PHONE)
    page.locator("select[data-setting=rules]").select_option("yunxiao")
    page.get_by_role("tab", name="Settle").click()
    pick_field(page, "ending", "draw")
    page.locator("[data-confirm]").click()
    expect(page.locator("#status")).to_contain_text("Drawn by lot")
    page.get_by_role("tab", name="Settle").click()
    pick_field(page, "ending", "draw")
    expect(page.locator("[data-confirm]")).to_be_disabled()
    expect(page.locator("#confirm-note")).to_contain_text("who is the dealer")
    pick_field(page, "dealer", "C")
    page.locator("[data-confirm]").click()
    expect(page.locator("#sheet .hand-line")).to_have_count(2)


def test_the_same_question_after_a_booking_is_asked_again(fresh: str, visit: Callable[..., Page]) -> None:
    page = visit(fresh, lang="en")
    page.locator("select[data-setting=rules]").select_option("yunxiao")
    page.get_by_role("tab", name="Settle").click()
    pick_field(page, "ending", "draw")
    pick_field(page, "dealer", "B")
    expect(page.locator("[data-confirm]")).to_be_enabled()
    page.clock.install()
    page.clock.pause_at(2e12)  # nothing that waits a moment happens before the next draw is chosen
    page.locator("[data-confirm]").click()
    expect(page.locator("#settle-form")).to_be_hidden()
    page.get_by_role("tab", name="Settle").click()
    pick_field(page, "dealer", "B")
    pick_field(page, "ending", "draw")
    page.clock.resume()
    expect(page.locator("[data-confirm]")).to_be_enabled()


def test_back_to_the_camera_is_not_held_by_the_same_win(
    visit: Callable[..., Page], reader: Reader, tmp_path: Path
) -> None:
    hand = ["1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "3s", "4s", "5s", "9p", "9p"]
    table = photo(tmp_path / "table.jpg", hand, melds=(["2z", "2z", "2z"],))
    config = Config(source=str(table), data_dir=tmp_path / "data")
    with serving(config, reader=reader) as server:
        page = visit(server.url, lang="en")
        tiles = page.locator("#hand [data-row=concealed] .tile, #hand [data-row=drawn] .tile")
        expect(tiles).to_have_count(len(hand))
        set_gold(page, "5m")
        if page.locator("[data-act=all-right]").count():
            page.locator("[data-act=all-right]").click()
        expect(page.locator("#hand .tile.unsettled")).to_have_count(0)
        page.get_by_role("tab", name="Settle").click()
        pick_field(page, "seat", "A")
        pick_field(page, "by", "self_draw")
        expect(page.locator("html")).to_have_attribute("data-held", "true")  # what is settled does not move any more
        page.locator("[data-act=live]").first.click()
        expect(page.locator("html")).to_have_attribute("data-held", "false")
        page.wait_for_timeout(500)  # the answer to the same win is there again by now
        expect(page.locator("html")).to_have_attribute("data-held", "false")
        # It may be the next hand: who won, and how, is asked anew.
        expect(page.locator("#settle-form input:checked")).to_have_count(2)  # that it is a win, and who deals
        pick_field(page, "seat", "B")
        pick_field(page, "by", "self_draw")
        expect(page.locator("html")).to_have_attribute("data-held", "true")
        page.close()


def test_a_hand_that_did_not_win_was_drawn(fresh: str, visit: Callable[..., Page]) -> None:
    page = visit(fresh, lang="en")
    settle_self_draw(page, "123m 456p 789s 222z 345s 1p 9p", "C")
    expect(page.locator("#settlement .tone-trouble")).to_be_visible()
    pick_field(page, "ending", "draw")
    expect(page.locator("[data-confirm]")).to_be_enabled()
    expect(page.locator("#settlement .tone-trouble")).to_have_count(0)


def test_a_course_ends_when_somebody_has_no_chips_left(fresh: str, visit: Callable[..., Page]) -> None:
    page = visit(fresh, lang="en")
    page.get_by_role("tab", name="Settle").click()
    page.locator("#settle-form .more > summary").click()
    page.locator("#settle-form [data-field=chips] input").check()
    expect(page.locator("#settle-form [data-field=chips-A] input")).to_have_value("100")
    page.locator("#settle-form [data-field=chips-A] input").fill("11")
    page.locator("#settle-form [data-field=chips-A] input").press("Tab")
    enter_win(page)
    page.locator("[data-confirm]").click()
    expect(page.locator("#status")).to_contain_text("A has no chips left")
    page.locator("[data-new-course]").click()
    expect(page.locator("#status")).to_contain_text("Next hand")


def test_a_settlement_by_keyboard_alone(fresh: str, visit: Callable[..., Page]) -> None:
    page = visit(fresh, lang="en")

    def press(selector: str, key: str = "Enter") -> None:
        page.locator(selector).first.focus()
        page.keyboard.press(key)

    press(".typing > summary")
    page.locator("#typed-text").focus()
    page.keyboard.type("123m 456p 789s 222z 345s 5m 1p")
    page.keyboard.press("Enter")
    press("[data-gold]")
    press("#picker .suit-keys [data-code='5m']")
    press("#hand [data-row=drawn] .tile")  # a correction
    press("#picker .suit-keys [data-code='9p']")
    expect_codes(page, "drawn", ["9p"])
    press("#tab-move", "ArrowRight")
    press("#settle-form [data-field=seat] input[value=A]", "Space")
    press("#settle-form [data-field=by] input[value=self_draw]", "Space")
    expect(page.locator("#settle-form [data-field=by] input[value=self_draw]")).to_be_focused()
    expect(page.locator("[data-confirm]")).to_be_enabled()
    press("[data-confirm]")
    expect(page.locator("#sheet .hand-line")).to_have_count(1)
    expect(page.locator("#tab-sheet")).to_be_focused()
    press("#sheet .hand-line summary")
    expect(page.locator("#sheet .hand-line .formula")).to_be_visible()
    press("[data-take-back]")
    expect_codes(
        page, "concealed", ["1m", "2m", "3m", "5m", "4p", "5p", "6p", "3s", "4s", "5s", "7s", "8s", "9s", *["2z"] * 3]
    )
