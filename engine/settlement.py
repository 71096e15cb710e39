"""What a hand or an event pays: itemised, in the form of ``design/hand-record.md``, always zero-sum."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.text import Text, join
from engine.tiles import format_tiles

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

#: Seats in turn order.
SEATS: Final = ("A", "B", "C", "D")

#: Points per seat.
Payments = dict[str, int]


def after(seat: str, steps: int = 1) -> str:
    """The seat that many turns later.

    >>> after("D"), after("A", 3)
    ('A', 'D')
    """
    return SEATS[(SEATS.index(seat) + steps) % 4]


def before(seat: str) -> str:
    """The seat whose discards this seat may chow (上家).

    >>> before("A")
    'D'
    """
    return after(seat, 3)


_OTHERS: Final = {seat: tuple(after(seat, steps) for steps in (1, 2, 3)) for seat in SEATS}


def others(seat: str) -> tuple[str, ...]:
    """The three other seats, in turn order from the next one.

    >>> others("C")
    ('D', 'A', 'B')
    """
    return _OTHERS[seat]


def zero() -> Payments:
    """Nothing moves."""
    return {"A": 0, "B": 0, "C": 0, "D": 0}


def collect(winner: str, dues: Mapping[str, int]) -> Payments:
    """One seat receives what the others pay.

    Args:
        winner: the seat that receives.
        dues: what each other seat pays, at least 0; seats left out pay nothing.

    >>> collect("C", {"A": 11, "B": 11, "D": 11})
    {'A': -11, 'B': -11, 'C': 33, 'D': -11}
    """
    payments = zero()
    for seat, due in dues.items():
        payments[seat] -= due
        payments[winner] += due
    return payments


def add(*parts: Mapping[str, int]) -> Payments:
    """Several movements of points as one.

    >>> add({"A": 1, "B": -1, "C": 0, "D": 0}, {"A": 2, "B": 0, "C": -2, "D": 0})
    {'A': 3, 'B': -1, 'C': -2, 'D': 0}
    """
    return {seat: sum(part[seat] for part in parts) for seat in SEATS}


def cap(dues: Mapping[str, int], chips: Mapping[str, int] | None) -> Payments:
    """Nobody pays more chips than he has left (XM 4.4); without chips nothing is capped.

    >>> cap({"A": 60, "B": 20}, {"A": 55, "B": 40, "C": 0, "D": 0})
    {'A': 55, 'B': 20}
    """
    if chips is None:
        return dict(dues)
    return {seat: min(due, chips[seat]) for seat, due in dues.items()}


@dataclass(frozen=True, slots=True)
class Line:
    """One step of the reckoning, as a sentence a player can check.

    Attributes:
        key: what kind of step it is, for instance ``formula``, ``capped``, ``kill_all_bonus``.
        text: the sentence.
    """

    key: str
    text: Text

    def as_json(self) -> dict[str, str]:
        """``{key, zh, zh_hant, en}``."""
        text = self.text
        return {"key": self.key, "zh": text.zh, "zh_hant": text.zh_hant, "en": text.en}


@dataclass(frozen=True, slots=True)
class WaterItem:
    """One item of 水 (Xiamen), or one flower or kong point (Zhangzhou).

    Attributes:
        key: stable key, for instance ``pong_dragon``.
        text: its name at the table.
        tiles: the physical tiles it is given for; whites as whites.
        value: its worth.
    """

    key: str
    text: Text
    tiles: tuple[int, ...]
    value: int

    def as_json(self) -> dict[str, object]:
        """``{key, zh, zh_hant, en, tiles, value}``."""
        text = self.text
        return {
            "key": self.key,
            "zh": text.zh,
            "zh_hant": text.zh_hant,
            "en": text.en,
            "tiles": format_tiles(self.tiles),
            "value": self.value,
        }


@dataclass(frozen=True, slots=True)
class Pattern:
    """One pattern with its factor (Jinhua, Hangzhou), by the keys of RULES JH 3 and HZ 2."""

    key: str
    text: Text
    value: int

    def as_json(self) -> dict[str, object]:
        """``{key, zh, zh_hant, en, value}``."""
        text = self.text
        return {"key": self.key, "zh": text.zh, "zh_hant": text.zh_hant, "en": text.en, "value": self.value}


@dataclass(frozen=True, slots=True)
class Settlement:
    """A win, itemised.

    Attributes:
        seat: the winner.
        method: key of the way of winning that was paid, for instance ``self_draw``, ``youjin``.
        method_name: its name at the table.
        multiplier: RULES R 12.
        base: the winner's base (底).
        payments: what moves inside the course (chips); sums to zero.
        bonus: what is paid outside it (課外); sums to zero.
        water: itemised water or points; empty where the game has none.
        patterns: itemised patterns; empty where the game has none.
        reading: the concealed groups that were scored, as MPSZ faces (a white as the face of the gold, a
            gold as what it stands for); empty where the shape does not matter.
        golds_as: what each real gold stood for, in MPSZ.
        lines: the reckoning, step by step.
    """

    seat: str
    method: str
    method_name: Text
    multiplier: int
    base: int
    payments: Payments
    bonus: Payments
    water: tuple[WaterItem, ...] = ()
    patterns: tuple[Pattern, ...] = ()
    reading: tuple[str, ...] = ()
    golds_as: tuple[str, ...] = ()
    lines: tuple[Line, ...] = ()

    def __post_init__(self) -> None:
        if sum(self.payments.values()) or sum(self.bonus.values()):
            raise AssertionError(f"not zero-sum: {self.payments} {self.bonus}")

    @property
    def water_total(self) -> int:
        """Sum of the water items."""
        return sum(item.value for item in self.water)

    @property
    def total(self) -> int:
        """All the winner receives, inside the course and outside it."""
        return self.payments[self.seat] + self.bonus[self.seat]

    def as_json(self) -> dict[str, object]:
        """The settlement in the form of ``design/hand-record.md``."""
        return {
            "valid": True,
            "method": self.method,
            "method_name": self.method_name.as_json(),
            "multiplier": self.multiplier,
            "base": self.base,
            "water": [item.as_json() for item in self.water],
            "water_total": self.water_total,
            "patterns": [pattern.as_json() for pattern in self.patterns],
            "reading": list(self.reading),
            "golds_as": list(self.golds_as),
            "payments": dict(self.payments),
            "bonus": dict(self.bonus),
            "lines": [line.as_json() for line in self.lines],
        }


@dataclass(frozen=True, slots=True)
class NextDeal:
    """Who deals the next hand.

    Attributes:
        dealer: the seat, or ``None`` where it is drawn by lot.
        dealer_streak: his consecutive deals so far, wins and draws together.
        draw_streak: how many of the latest of them were draws.
    """

    dealer: str | None
    dealer_streak: int = 0
    draw_streak: int = 0

    def as_json(self) -> dict[str, object]:
        """``{dealer, dealer_streak, draw_streak}``."""
        return {"dealer": self.dealer, "dealer_streak": self.dealer_streak, "draw_streak": self.draw_streak}


@dataclass(frozen=True, slots=True)
class EventResult:
    """What an event without a win moves, and who deals next (``None`` where the hand goes on)."""

    payments: Payments
    bonus: Payments
    lines: tuple[Line, ...] = ()
    next: NextDeal | None = None

    def __post_init__(self) -> None:
        if sum(self.payments.values()) or sum(self.bonus.values()):
            raise AssertionError(f"not zero-sum: {self.payments} {self.bonus}")

    def as_json(self) -> dict[str, object]:
        """``{payments, bonus, lines, next}``; no ``next`` where the hand goes on."""
        answer: dict[str, object] = {
            "payments": dict(self.payments),
            "bonus": dict(self.bonus),
            "lines": [line.as_json() for line in self.lines],
        }
        if self.next is not None:
            answer["next"] = self.next.as_json()
        return answer


def seat_groups(dues: Mapping[str, int]) -> list[tuple[tuple[str, ...], int]]:
    """Losers who pay the same, together, in seat order: one line of the reckoning for each group.

    >>> seat_groups({"D": 11, "A": 19, "B": 11})
    [(('A',), 19), (('B', 'D'), 11)]
    """
    groups: dict[int, list[str]] = {}
    for seat in sorted(dues):
        groups.setdefault(dues[seat], []).append(seat)
    return [(tuple(seats), due) for due, seats in groups.items()]


def seat_list(seats: Iterable[str]) -> str:
    """Seats as people say them.

    >>> seat_list(("A", "B"))
    'A, B'
    """
    return ", ".join(seats)


def seat_names(seats: Iterable[str]) -> Text:
    """Seats for a sentence in any language.

    >>> seat_names(("A", "B")).zh, seat_names(("A", "B")).en
    ('A、B', 'A, B')
    """
    return join([Text(seat, seat, seat) for seat in seats])
