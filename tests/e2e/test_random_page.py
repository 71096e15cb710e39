"""Whatever is tapped in whatever order: what the page shows is what the engine says of what the page shows."""

from __future__ import annotations

import contextlib
import random
from typing import TYPE_CHECKING

import pytest
from acting import codes, set_gold, type_hand
from asking import ask
from browsing import DESKTOP, PHONE, picture_of, serving
from drawn import photo
from playwright.sync_api import TimeoutError, expect  # noqa: A004  (Playwright's own)

from engine.tiles import CODES
from webui.config import Config

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Locator, Page

    from vision.reading import Reader

STEPS = 60
LOOK_EVERY = 6
HAND = ["1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "3s", "4s", "5s", "9p", "9p"]

STATE = """async () => {
  const store = await import(document.querySelector('link[href*="/js/store.js"]').href);
  const { state } = store;
  return JSON.parse(JSON.stringify({
    win: state.tab === "settle" ? store.toWinRecord() : null, settled: state.settled, settlement: state.settlement,
    tab: state.tab, mode: state.mode, held: state.held, booking: state.booking, scores: state.scores,
    concealed: state.hand.concealed.map((item) => item.tile), version: state.live?.version ?? null,
  }));
}"""


class Player:
    """Somebody who taps about, always alike for the same seed."""

    def __init__(self, page: Page, seed: int) -> None:
        self.page = page
        self.dice = random.Random(seed)
        self.done: list[str] = []

    def act(self) -> None:
        deeds = (
            [self.win] * 4
            + [self.radio] * 6
            + [self.tile] * 3
            + [self.type, self.tab, self.tab, self.gold, self.undo, self.rules]
        )
        deeds += [self.house, self.button, self.button, self.confirm, self.confirm, self.reload, self.meld]
        deed = self.dice.choice(deeds)
        self.done.append(deed.__name__)
        with contextlib.suppress(TimeoutError):  # what was to be tapped is gone: the page had moved on
            deed()

    def tap(self, found: Locator) -> bool:
        """Tap one of these that can be seen."""
        seen = [one for one in found.all() if one.is_visible() and one.is_enabled()]
        if seen:
            self.dice.choice(seen).click()
        return bool(seen)

    def radio(self) -> None:
        self.tap(self.page.locator("#settle-form .segments label"))

    def choose(self) -> None:
        """Answer the sheet that asks for a tile, or close it."""
        picker = self.page.locator("#picker")
        expect(picker).to_be_visible()
        if self.dice.random() < 0.8:
            self.tap(picker.locator(f".suit-keys [data-code='{self.dice.choice(CODES)}'], .sheet-actions .button"))
        self.page.wait_for_timeout(100)
        while picker.is_visible():  # adding goes on until it is ended
            self.page.keyboard.press("Escape")
            self.page.wait_for_timeout(100)

    def tile(self) -> None:
        if self.tap(self.page.locator("#hand .tile:not([disabled]):not([data-gold])")):
            self.choose()

    def gold(self) -> None:
        if self.tap(self.page.locator("#hand [data-gold]")):
            self.choose()

    def type(self) -> None:
        if not self.page.locator(".typing > summary").is_visible():  # on a phone's score sheet
            return
        *kinds, pair = self.dice.sample(CODES[:33], k=6)
        type_hand(self.page, " ".join([kind * 3 for kind in kinds] + [pair * 2]))

    def win(self) -> None:
        """A hand that is complete, and who won it how."""
        self.type()
        if self.page.locator("#hand [data-gold]:not([disabled])").is_visible():
            set_gold(self.page, "7z")
        self.page.locator("#tab-settle").click()
        for field in ("ending", "seat", "by", "from"):
            self.tap(self.page.locator(f"#settle-form [data-field={field}] .segments label"))

    def tab(self) -> None:
        self.tap(self.page.locator("[role=tab]"))

    def undo(self) -> None:
        self.tap(self.page.locator("[data-act=undo]"))

    def rules(self) -> None:
        select = self.page.locator("select[data-setting=rules]")
        if select.is_visible():
            select.select_option(self.dice.choice(["xiamen", "zhangzhou", "yunxiao", "jinhua", "hangzhou"]))

    def house(self) -> None:
        self.tap(self.page.locator("#settle-form .more > summary, #settle-form .more input[type=checkbox]"))

    def button(self) -> None:
        names = ["clear", "hold", "live", "all-right", "add-tile"]
        name = self.dice.choice(names)
        if self.tap(self.page.locator(f"[data-act={name}]")) and name == "add-tile":
            self.choose()

    def meld(self) -> None:
        if not self.tap(self.page.locator("[data-act=add-meld]")):
            return
        sheet = self.page.locator("#meld-sheet")
        expect(sheet).to_be_visible()
        self.tap(sheet.locator(".segments label"))
        self.tap(sheet.locator("[data-meld-tile]"))
        self.choose()
        if not self.tap(sheet.locator("[data-meld-done]")):
            self.page.keyboard.press("Escape")
        expect(sheet).to_be_hidden()

    def confirm(self) -> None:
        self.tap(self.page.locator("[data-confirm], [data-take-back]"))

    def reload(self) -> None:
        self.page.reload()
        self.page.wait_for_selector("html[data-ready]")


def look(page: Page, url: str) -> None:
    """What is shown is what the engine says of it, once the page has come to rest."""
    for _ in range(100):
        page.wait_for_timeout(150)
        state = page.evaluate(STATE)
        answered = ask(f"{url}api/table", {"record": None, "win": state["win"], "claim": None})
        if state["booking"] or (state["mode"] == "live" and not state["held"] and state["version"] is None):
            continue
        if answered["settlement"] == state["settlement"] and (
            state["settlement"] is None or state["win"] == state["settled"]
        ):
            break
    else:
        pytest.fail(f"the page shows {state['settlement']} for {state['win']}, the engine says {answered}")
    if state["settlement"] is not None and state["settlement"].get("valid") is not False:
        for seat, amount in state["settlement"]["payments"].items():
            shown = page.locator(f"#settlement [data-seat={seat}] .seat-amount").inner_text()
            assert shown.replace("−", "-").replace("+", "") == str(amount)
    assert codes(page, "concealed") == [tile or "back" for tile in state["concealed"]]
    booked = ask(f"{url}api/scores")
    if state["scores"] is not None and state["scores"]["current"]:
        assert state["scores"]["revision"] == booked["revision"], "nobody else books"
    holding = [entry for entry in booked["entries"] if entry["undone"] is None]
    for seat in "ABCD":
        assert booked["totals"][seat] == sum(entry["answer"]["payments"][seat] for entry in holding)


@pytest.mark.parametrize(("seed", "size", "camera"), [(1, DESKTOP, True), (2, PHONE, False), (3, DESKTOP, False)])
def test_what_is_shown_is_what_the_engine_says(
    visit: Callable[..., Page], reader: Reader, tmp_path: Path, seed: int, size: dict[str, int], camera: bool
) -> None:
    source = str(photo(tmp_path / "table.jpg", HAND, melds=(["2z", "2z", "2z"],))) if camera else None
    with serving(Config(source=source, data_dir=tmp_path / "data"), reader=reader) as server:
        page = visit(server.url, lang="en", size=size, expect_errors=True)  # what is refused is an error in the console
        page.set_default_timeout(3000)
        player = Player(page, seed)
        try:
            for step in range(STEPS):
                player.act()
                if step % LOOK_EVERY == LOOK_EVERY - 1:
                    look(page, server.url)
        except BaseException as error:
            error.add_note(", ".join(player.done))
            picture_of(page, f"random-{seed}", full=True)
            raise
        finally:
            page.close()
