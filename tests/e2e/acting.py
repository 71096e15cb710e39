"""What a player does on the page, for the browser tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page


def codes(page: Page, row: str) -> list[str]:
    tiles = f"#hand [data-row={row}] .tile"
    found: list[str] = page.eval_on_selector_all(tiles, "nodes => nodes.map((node) => node.dataset.code)")
    return found


def expect_codes(page: Page, row: str, wanted: list[str]) -> None:
    """The row shows these tiles, at once or as soon as the page has drawn them."""
    tiles = page.locator(f"#hand [data-row={row}] .tile")
    expect(tiles).to_have_count(len(wanted))
    for place, code in enumerate(wanted):
        expect(tiles.nth(place)).to_have_attribute("data-code", code)


def choose(page: Page, code: str) -> None:
    page.locator(f"#picker .suit-keys [data-code='{code}']").click()
    expect(page.locator("#picker")).not_to_be_visible()


def put_right(page: Page, wanted: list[str]) -> None:
    """Correct the concealed tiles one by one, as a player would."""
    tiles = page.locator("#hand [data-row=concealed] .tile")
    for number, code in enumerate(wanted):
        if codes(page, "concealed")[number : number + 1] == [code]:
            continue
        tiles.nth(number).click()
        if codes(page, "concealed")[number + 1 : number + 2] == [code]:  # one tile too many was seen
            page.locator("#picker [data-action=remove]").click()
        else:
            choose(page, code)
    while len(codes(page, "concealed")) > len(wanted):
        tiles.last.click()
        page.locator("#picker [data-action=remove]").click()


def choose_radio(page: Page, field: str, value: str) -> None:
    """Tap one part of a switch, where a finger would."""
    radio = page.locator(f"{field} input[value='{value}']")
    page.locator(f"{field} label", has=page.locator(f"input[value='{value}']")).click()
    expect(radio).to_be_checked()


def type_hand(page: Page, text: str) -> None:
    if not page.locator("#typed-text").is_visible():
        page.locator(".typing > summary").click()
    page.locator("#typed-text").fill(text)
    page.locator("#typed-text").press("Enter")
    expect(page.locator("#typed")).to_have_attribute("aria-busy", "false")


def set_gold(page: Page, code: str) -> None:
    page.locator("[data-gold]").click()
    choose(page, code)


def add_meld(page: Page, kind: str, code: str, seat: str | None = None) -> None:
    page.locator("[data-act=add-meld]").click()
    choose_radio(page, "#meld-sheet [data-field=meld-kind]", kind)
    page.locator("#meld-sheet [data-meld-tile]").click()
    choose(page, code)
    if seat:
        choose_radio(page, "#meld-sheet [data-field=meld-from]", seat)
    page.locator("#meld-sheet [data-meld-done]").click()


def pick_field(page: Page, field: str, value: str) -> None:
    choose_radio(page, f"#settle-form [data-field={field}]", value)


def settle_self_draw(page: Page, hand: str, seat: str) -> None:
    """Enter a hand whose gold is 5m, and who won with it by the own draw; the page speaks English."""
    set_gold(page, "5m")
    type_hand(page, hand)
    page.get_by_role("tab", name="Settle").click()
    pick_field(page, "seat", seat)
    pick_field(page, "by", "self_draw")


def amounts(page: Page) -> dict[str, str]:
    return {seat: page.locator(f"#settlement [data-seat={seat}] .seat-amount").inner_text() for seat in "ABCD"}


def expect_amounts(page: Page, wanted: dict[str, str]) -> None:
    for seat, amount in wanted.items():
        expect(page.locator(f"#settlement [data-seat={seat}] .seat-amount")).to_have_text(amount)


def serious(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [
        f"{rule['id']}: {node['html'][:200]}"
        for rule in found
        if rule["impact"] in {"serious", "critical"}
        for node in rule["nodes"]
    ]
