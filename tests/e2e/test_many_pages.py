"""Several pages at one table, answers that are lost, taps that come too early: nothing that could start a quarrel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from acting import choose, codes, expect_amounts, expect_codes, pick_field, settle_self_draw, type_hand
from browsing import PHONE, serving
from drawn import PacedDemo
from playwright.sync_api import expect

from webui.config import Config

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Page, Route

    from vision.reading import Reader

HAND = "123m 456p 789s 222z 345s 5m 9p"


@pytest.fixture
def fresh(tmp_path: Path, reader: Reader) -> Iterator[str]:
    """A server without a camera whose score sheet is empty."""
    with serving(Config(data_dir=tmp_path), reader=reader) as server:
        yield server.url


def settle_draw(page: Page) -> None:
    page.get_by_role("tab", name="Settle").click()
    pick_field(page, "ending", "draw")
    expect(page.locator("[data-confirm]")).to_be_enabled()


def settle_win(page: Page, seat: str) -> None:
    settle_self_draw(page, HAND, seat)
    expect(page.locator("[data-confirm]")).to_be_enabled()


def look_at_sheet(page: Page) -> None:
    page.get_by_role("tab", name="Score sheet").click()


def test_a_page_that_opens_changes_nothing_for_the_others(
    visit: Callable[..., Page], reader: Reader, tmp_path: Path
) -> None:
    config = Config(source="demo", data_dir=tmp_path)
    with serving(config, reader=reader, open_source=lambda _: PacedDemo(stays=True)) as server:
        page = visit(server.url, lang="en")
        page.wait_for_selector("#hand [data-row=concealed] .tile")
        page.locator("select[data-setting=rules]").select_option("zhangzhou")
        page.get_by_role("tab", name="Settle").click()
        pick_field(page, "dealer", "C")
        page.locator("#settle-form .more > summary").click()
        page.locator("#settle-form [data-field=dealer_streak] input").fill("2")
        page.locator("#settle-form [data-field=dealer_streak] input").press("Tab")
        other = visit(server.url, lang="en", size=PHONE)
        expect(other.locator("select[data-setting=rules]")).to_have_value("zhangzhou")
        other.get_by_role("tab", name="Settle").click()
        expect(other.locator("#settle-form [data-field=dealer] input[value=C]")).to_be_checked()
        other.locator("#settle-form .more > summary").click()
        expect(other.locator("#settle-form [data-field=dealer_streak] input")).to_have_value("2")
        # And what the second one changes, it changes alone.
        pick_field(other, "dealer", "D")
        expect(page.locator("#settle-form [data-field=dealer] input[value=D]")).to_be_checked()
        expect(page.locator("#settle-form [data-field=dealer_streak] input")).to_have_value("2")
        page.close()
        other.close()


def test_the_sheet_tells_every_page_who_deals(fresh: str, visit: Callable[..., Page]) -> None:
    page, other = visit(fresh, lang="en"), visit(fresh, lang="en")
    settle_draw(page)
    page.locator("[data-confirm]").click()
    expect(page.locator("#status")).to_contain_text("A deals again, hand 2 in a row")
    look_at_sheet(other)
    expect(other.locator("#status")).to_contain_text("A deals again, hand 2 in a row")
    other.locator("[data-take-back]").click()
    expect(other.get_by_role("tab", name="Settle")).to_have_attribute("aria-selected", "true")
    page.get_by_role("tab", name="Settle").click()
    look_at_sheet(page)
    page.reload()
    expect(page.locator("#status")).to_contain_text("A deals")
    expect(page.locator("#status")).not_to_contain_text("in a row")


def test_what_is_confirmed_is_what_the_form_says(fresh: str, visit: Callable[..., Page]) -> None:
    page = visit(fresh, lang="en")
    settle_win(page, "B")
    page.clock.install()
    page.clock.pause_at(2e12)  # no answer is asked for before the button is tapped
    pick_field(page, "seat", "C")
    expect(page.locator("[data-confirm]")).to_be_disabled()
    expect(page.locator("#settlement")).to_have_attribute("aria-busy", "true")
    page.clock.resume()
    page.locator("[data-confirm]").click()
    expect(page.locator("#sheet .hand-line .hand-name")).to_have_text("C wins: self-draw")


@pytest.mark.parametrize("same", [True, False], ids=["this hand", "another one"])
def test_a_hand_is_not_booked_by_two_pages_unasked(fresh: str, visit: Callable[..., Page], same: bool) -> None:
    page, other = visit(fresh, lang="en"), visit(fresh, lang="en")
    settle_win(page, "C")
    settle_win(other, "C")
    expect_amounts(other, {"C": "+66"})
    page.locator("[data-confirm]").click()
    expect(page.locator("#sheet .hand-line")).to_have_count(1)
    look_at_sheet(other)
    expect(other.locator("#sheet .hand-line")).to_have_count(1)
    other.get_by_role("tab", name="Settle").click()
    expect(other.locator("#confirm [role=alert]")).to_contain_text("Booked on another page")
    expect(other.locator("[data-confirm]")).to_have_count(0)
    if same:
        other.locator("[data-same_hand]").click()
        expect(other.locator("#status")).to_contain_text("Next hand: B deals")
        assert codes(other, "concealed") == []
        expect(other.locator("#sheet .hand-line")).to_have_count(1)
    else:
        other.locator("[data-another_hand]").click()
        expect(other.locator("#settle-form [data-field=dealer] input[value=B]")).to_be_checked()
        other.locator("[data-confirm]").click()
        expect(other.locator("#sheet .hand-line")).to_have_count(2)


def test_the_question_is_over_when_that_hand_was_taken_back(fresh: str, visit: Callable[..., Page]) -> None:
    page, other = visit(fresh, lang="en"), visit(fresh, lang="en")
    settle_win(page, "C")
    settle_win(other, "C")
    page.locator("[data-confirm]").click()
    expect(page.locator("#sheet .hand-line")).to_have_count(1)
    look_at_sheet(other)
    other.get_by_role("tab", name="Settle").click()
    expect(other.locator("[data-same_hand]")).to_be_visible()
    page.locator("[data-take-back]").click()
    expect(page.get_by_role("tab", name="Settle")).to_have_attribute("aria-selected", "true")
    look_at_sheet(other)
    expect(other.locator("#sheet .hand-line.is-undone")).to_have_count(1)
    other.get_by_role("tab", name="Settle").click()
    expect(other.locator("[data-confirm]")).to_be_enabled()


def test_the_camera_keeps_the_deal_when_the_page_is_cut_off(
    visit: Callable[..., Page], reader: Reader, tmp_path: Path
) -> None:
    config = Config(source="demo", data_dir=tmp_path)
    with serving(config, reader=reader, open_source=lambda _: PacedDemo(stays=True)) as server:
        page = visit(server.url, lang="en", expect_errors=True)  # what is cut off is an error in the console
        page.wait_for_selector("#hand [data-row=concealed] .tile")
        other = visit(server.url, lang="en")
        page.route("**/api/live/context", lambda route: route.abort())
        settle_draw(page)
        page.locator("[data-confirm]").click()
        for one in (page, other):
            look_at_sheet(one)
            expect(one.locator("#status")).to_contain_text("A deals again, hand 2 in a row")
        page.reload()
        expect(page.locator("#status")).to_contain_text("A deals again, hand 2 in a row")
        page.close()
        other.close()


def test_an_answer_that_is_lost_books_once(fresh: str, visit: Callable[..., Page]) -> None:
    page = visit(fresh, lang="en", expect_errors=True)  # the lost answer is an error in the console

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    settle_draw(page)
    page.route("**/api/scores/book", lose)
    page.locator("[data-confirm]").click()
    expect(page.locator("#toast")).to_be_visible()
    page.unroute("**/api/scores/book")
    look_at_sheet(page)
    expect(page.locator("#sheet .hand-line")).to_have_count(1)
    expect(page.locator("#status")).to_contain_text("A deals again, hand 2 in a row")
    # The next hand is drawn, too; it is another one. So it is after it was taken back.
    for lines in (2, 3):
        settle_draw(page)
        page.locator("[data-confirm]").click()
        expect(page.locator("#sheet .hand-line")).to_have_count(lines)
        if lines == 2:
            page.locator("[data-take-back]").click()
            expect(page.get_by_role("tab", name="Settle")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#sheet .hand-line.is-undone")).to_have_count(1)


def test_undo_is_about_tiles(fresh: str, visit: Callable[..., Page]) -> None:
    page = visit(fresh, lang="en")
    settle_win(page, "C")
    page.locator("#hand [data-row=concealed] .tile").first.click()
    choose(page, "9m")
    pick_field(page, "dealer", "C")
    pick_field(page, "seat", "D")
    page.locator(".cloth-tools [data-act=undo]").click()
    expect(page.locator("#hand [data-row=concealed] .tile").first).to_have_attribute("data-code", "1m")
    expect(page.locator("#settle-form [data-field=dealer] input[value=C]")).to_be_checked()
    expect(page.locator("#settle-form [data-field=seat] input[value=D]")).to_be_checked()


def test_taking_back_from_an_earlier_sheet_and_the_draft_it_replaces(fresh: str, visit: Callable[..., Page]) -> None:
    page = visit(fresh, lang="en")
    settle_draw(page)
    page.locator("[data-confirm]").click()
    page.locator("[data-new-sheet]").click()
    expect(page.locator("#sheet .hand-line")).to_have_count(0)
    settle_win(page, "C")
    page.locator("[data-confirm]").click()
    expect(page.locator("#sheet .hand-line")).to_have_count(1)
    type_hand(page, "111z 9p")
    expect_codes(page, "concealed", ["1z", "1z", "1z", "9p"])
    page.locator("#sheet select").select_option("1")
    page.locator("#sheet .hand-line", has_text="drawn hand").wait_for()
    page.locator("#toast .button", has_text="Undo").click()
    expect(page.get_by_role("tab", name="Settle")).to_have_attribute("aria-selected", "true")
    expect_amounts(page, {"C": "+66"})
    page.locator(".cloth-tools [data-act=undo]").click()
    expect_codes(page, "concealed", ["1z", "1z", "1z", "9p"])


def test_a_number_that_does_not_count_is_not_left_standing(fresh: str, visit: Callable[..., Page]) -> None:
    page = visit(fresh, lang="en")
    page.get_by_role("tab", name="Settle").click()
    page.locator("#settle-form .more > summary").click()
    field = page.locator("#settle-form [data-field=dealer_streak] input")
    for typed, left in (("2", "2"), ("31", "2"), ("3", "3"), ("-1", "3")):
        field.fill(typed)
        field.press("Tab")
        page.locator("#tab-settle").focus()
        expect(field).to_have_value(left)
