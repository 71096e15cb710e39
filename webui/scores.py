"""The score sheet: what was confirmed, added up for four players.

The page sends the record it shows, never numbers: the engine settles it again here, so that what is written down can be
traced to its lines. A sheet is the fold over its entries; undo marks the last one that holds.
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from engine.api import event as settle_event
from engine.errors import InputError, Refusal
from engine.parsing import parse
from engine.rules import GAMES as RULES
from engine.settlement import SEATS
from engine.text import Text
from webui.errors import ApiError
from webui.games import GAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from webui.store import Entry, Sheet, Store

#: Joins two emoji to one; nothing to be seen by itself.
_JOINER = "\u200d"
#: Letters of a name that fit into a column.
LONGEST_NAME = 24

_CHANGED = Text(
    "刚才有人在别的页面记了分或撤回了。记分表已更新，请看一下再确认。",
    "剛才有人在別的頁面記了分或撤回了。記分表已更新，請看一下再確認。",
    "Somebody has just booked or taken back a hand on another page. The sheet is up to date now; look at it, then confirm.",
)
_NOTHING = Text("没有可以撤回的记录。", "沒有可以撤回的記錄。", "There is nothing to take back.")
_NO_SHEET = Text("没有这张记分表。", "沒有這張記分表。", "There is no such score sheet.")
_LONG_NAME = Text("名字最多 {n} 个字。", "名字最多 {n} 個字。", "A name has at most {n} letters.")
_NO_NAME = Text(
    "名字要按座位 A、B、C、D 写成文字。",
    "名字要按座位 A、B、C、D 寫成文字。",
    "Names are texts by seat: A, B, C, D.",
)


class Scores:
    """The score sheets of one user.

    Args:
        store: where they are kept.

    Attributes:
        on_change: told after each booking and taking back who deals now (see `_deal`; `None`: the hand goes on) and what
            each seat got.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self.on_change: Callable[[dict[str, Any] | None, dict[str, int]], None] | None = None

    def read(self, number: int | None = None) -> dict[str, Any]:
        """Return a sheet for the page, without a number the present one.

        Returns:
            `{sheet, current, started, players, revision, entries, totals, outside, deal, sheets}`; `totals` and
            `outside` (課外) by seat, `deal` as `_deal` says it.

        Raises:
            ApiError: `no_sheet`.
        """
        with self._store.transaction():
            sheets = self._store.sheets()
            sheet = _find(sheets, number)
            entries = self._store.entries(sheet.number)
        holding = [entry for entry in entries if entry.undone is None]
        return {
            "sheet": sheet.number,
            "current": sheet is sheets[0],
            "started": sheet.started,
            "players": sheet.players,
            "revision": _revision(entries),
            "entries": [_entry_as_json(entry) for entry in entries],
            "totals": _sum(entry.answer["payments"] for entry in holding),
            "outside": _sum(entry.answer["bonus"] for entry in holding),
            "deal": _deal(entries),
            "sheets": [{"sheet": one.number, "started": one.started, "players": one.players} for one in sheets],
        }

    def book(self, record: object, token: str, revision: int) -> dict[str, Any]:
        """Write down what a person confirmed, on the present sheet, and return the sheet.

        Args:
            record: a hand record with `win`, or an event.
            token: the sender's name for this confirmation; sent again it changes nothing.
            revision: of the sheet that the person looked at.

        Raises:
            InputError: the record is no possible hand.
            ApiError: `not_a_win`, or `sheet_changed` where somebody else was quicker.
        """
        answer, following = _settled(record)
        if not isinstance(record, dict):  # pragma: no cover  # refused by the engine
            raise TypeError(record)
        new = False
        with self._store.transaction():
            sheet = self._store.sheets()[0]
            entries = self._store.entries(sheet.number)
            if self._store.sheet_of(token) is None:
                if _revision(entries) != revision:
                    raise ApiError(409, "sheet_changed", _CHANGED)
                self._store.add_entry(sheet.number, token, record, answer, following)
                new = True
            elif any(entry.token == token and entry.undone is not None for entry in entries):
                raise ApiError(409, "sheet_changed", _CHANGED)
        found = self.read()
        if new and self.on_change is not None:
            self.on_change(found["deal"] if following is not None else None, answer["payments"])
        return found

    def take_back(self, number: int) -> dict[str, Any]:
        """Take back the last entry that holds, if it is this one, and return the sheet.

        Raises:
            ApiError: `nothing_to_undo`, or `sheet_changed` where another one is the last by now.
        """
        gone: Entry | None = None
        with self._store.transaction():
            entries = self._store.entries(self._store.sheets()[0].number)
            holding = [entry for entry in entries if entry.undone is None]
            if not any(entry.number == number for entry in entries):
                raise ApiError(409, "nothing_to_undo", _NOTHING)
            if any(entry.number == number for entry in holding):  # else it was taken back before: a repeated request
                if holding[-1].number != number:
                    raise ApiError(409, "sheet_changed", _CHANGED)
                self._store.take_back(number)
                gone = holding[-1]
        found = self.read()
        if gone is not None and self.on_change is not None:
            back = {seat: -paid for seat, paid in gone.answer["payments"].items()}
            self.on_change(found["deal"] if gone.next is not None else None, back)
        return found

    def name_players(self, names: object) -> dict[str, Any]:
        """Name players of the present sheet (`{"A": "…", …}`; an empty name is none) and return the sheet.

        Seats that are not named keep theirs: two phones may name the players at the same time.

        Raises:
            ApiError: `bad_name`.
        """
        if not isinstance(names, dict) or not all(
            seat in SEATS and isinstance(name, str) for seat, name in names.items()
        ):
            raise ApiError(422, "bad_name", _NO_NAME)
        clean = {seat: _visible(name) for seat, name in names.items()}
        if any(len(name) > LONGEST_NAME for name in clean.values()):
            raise ApiError(422, "bad_name", _LONG_NAME.format(n=LONGEST_NAME))
        with self._store.transaction():
            sheet = self._store.sheets()[0]
            players = {**sheet.players, **clean}
            self._store.name_players(sheet.number, {seat: players[seat] for seat in SEATS if players.get(seat)})
        return self.read()

    def begin(self) -> dict[str, Any]:
        """Begin a new sheet with the same players and return it; an empty one goes on."""
        with self._store.transaction():
            sheet = self._store.sheets()[0]
            if self._store.entries(sheet.number):
                self._store.begin_sheet(sheet.players)
        return self.read()

    def as_csv(self, number: int | None, language: str) -> str:
        """Return a sheet as CSV for a spreadsheet, with what was taken back, marked, and the totals last.

        Raises:
            ApiError: `no_sheet`.
        """
        with self._store.transaction():
            sheet = _find(self._store.sheets(), number)
            entries = self._store.entries(sheet.number)
        names = [sheet.players.get(seat, seat) for seat in SEATS]
        outside = [_OUTSIDE.format(name=name).in_language(language) for name in names]
        out = io.StringIO()
        # Excel takes a comma for the separator only where the file says so, and UTF-8 only after a byte order mark.
        write = csv.writer(out).writerow
        write([text.in_language(language) for text in _HEAD] + list(map(_safe, names + outside)))
        number_of = 0
        for entry in entries:
            number_of += entry.undone is None
            what = summary(entry.record, entry.answer)
            amounts = [entry.answer[key][seat] for key in ("payments", "bonus") for seat in SEATS]
            winner = entry.record.get("seat") if "win" in entry.record else None
            write(
                [
                    number_of if entry.undone is None else "",
                    entry.made,
                    GAMES[entry.record["rules"]].name.in_language(language),
                    _safe(sheet.players.get(winner, winner)) if winner else "",
                    what.in_language(language),
                    " ".join(line[language] for line in entry.answer["lines"]),
                    entry.undone or "",
                    *amounts,
                ]
            )
        holding = [entry for entry in entries if entry.undone is None]
        totals = [_sum(entry.answer[key] for entry in holding) for key in ("payments", "bonus")]
        write([_TOTAL.in_language(language), *[""] * 6, *(total[seat] for total in totals for seat in SEATS)])
        return "\ufeff" + out.getvalue()


_HEAD = (
    Text("局", "局", "hand"),
    Text("时间", "時間", "time"),
    Text("打法", "打法", "game"),
    Text("赢家", "贏家", "winner"),
    Text("结果", "結果", "result"),
    Text("算法", "算法", "how it was counted"),
    Text("撤回", "撤回", "taken back"),
)
_OUTSIDE = Text("{name} 课外", "{name} 課外", "{name} outside")
_TOTAL = Text("合计", "合計", "total")
_EVENTS = {
    "draw": Text("流局", "流局", "drawn hand"),
    "false_win": Text("诈胡", "詐胡", "false win"),
    "follow": Text("分饼", "分餅", "followed discards"),
}


def summary(record: dict[str, Any], answer: dict[str, Any]) -> Text:
    """Say in two words how a hand ended."""
    if "event" in record:
        return _EVENTS[record["event"]]
    name = answer["method_name"]
    return Text(name["zh"], name["zh_hant"], name["en"])


def _visible(name: str) -> str:
    """A name without what cannot be seen, and without what turns the letters after it round; emoji stay joined."""
    shown = "".join(letter if letter.isprintable() or letter == _JOINER else " " for letter in name)
    return " ".join(shown.split()) if shown.strip(f" {_JOINER}") else ""


def _safe(text: str) -> str:
    """A name that a spreadsheet does not take for a formula."""
    return f"'{text}" if text[:1] in {"=", "+", "-", "@", "\t"} else text


def _settled(record: object) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """The engine's answer and the next deal.

    Raises:
        InputError: the record is no possible hand.
        ApiError: `not_a_win`.
    """
    if isinstance(record, dict) and record.get("event") is not None:
        answer = settle_event(record)
        if "error" in answer:
            error = answer["error"]
            raise InputError(error["code"], error["field"], Text(error["zh"], error["zh_hant"], error["en"]))
        return answer, answer.get("next")
    hand = parse(record, RULES)
    rules = RULES[hand.rules]
    settlement = rules.settle(hand)
    if isinstance(settlement, Refusal):
        raise ApiError(422, "not_a_win", settlement.text)
    return settlement.as_json(), rules.next_deal(hand.dealer, hand.seat, hand.table, hand).as_json()


def _find(sheets: list[Sheet], number: int | None) -> Sheet:
    found = next((sheet for sheet in sheets if number is None or sheet.number == number), None)
    if found is None:
        raise ApiError(404, "no_sheet", _NO_SHEET)
    return found


def _table_of(record: dict[str, Any]) -> dict[str, Any]:
    """Streaks and chips of a record; whoever has none of them may leave them out (hand-record.md)."""
    return record.get("table") or {}


def _deal(entries: list[Entry]) -> dict[str, Any] | None:
    """Say who deals after what stands on a sheet, how often in a row, and who has how many chips.

    Returns:
        `{dealer, dealer_streak, draw_streak, chips}`: `dealer` is `None` where the lot decides, `chips` where nobody counts
        them; `None` for an empty sheet.
    """
    if not entries:
        return None
    holding = [entry for entry in entries if entry.undone is None]
    chips = None
    counted = next((place for place in range(len(holding) - 1, -1, -1) if holding[place].record.get("win")), None)
    if counted is not None and (had := _table_of(holding[counted].record).get("chips")):
        got = _sum(entry.answer["payments"] for entry in holding[counted:])
        chips = {seat: had[seat] + got[seat] for seat in SEATS}
    following = next((entry.next for entry in reversed(holding) if entry.next is not None), None)
    if following is None:  # everything was taken back: as the first hand began
        record = (holding or entries)[0].record
        streaks = {name: _table_of(record).get(name) or 0 for name in ("dealer_streak", "draw_streak")}
        following = {"dealer": record.get("dealer") or SEATS[0], **streaks}
    return {**following, "chips": chips}


def _revision(entries: list[Entry]) -> int:
    return len(entries) + sum(entry.undone is not None for entry in entries)


def _sum(amounts: Iterable[dict[str, int]]) -> dict[str, int]:
    total = dict.fromkeys(SEATS, 0)
    for amount in amounts:
        for seat in SEATS:
            total[seat] += amount[seat]
    return total


def _entry_as_json(entry: Entry) -> dict[str, Any]:
    return {
        "entry": entry.number,
        "token": entry.token,
        "made": entry.made,
        "undone": entry.undone,
        "record": entry.record,
        "answer": entry.answer,
        "next": entry.next,
        "what": summary(entry.record, entry.answer).as_json(),
    }
