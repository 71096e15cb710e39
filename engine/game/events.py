"""What can happen at a table, one frozen dataclass for each kind of event, to and from JSON.

A game is the list of its events (see `engine.game`); seats are ``A``-``D``, tiles MPSZ codes in JSON and kinds
in Python.

>>> from_json({"type": "discard", "seat": "B", "tile": "9p"})
Discard(seat='B', tile=17)
>>> to_json(Claim("C", "chow", (3, 5)))
{'type': 'claim', 'seat': 'C', 'kind': 'chow', 'using': '46m'}
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from engine.errors import InputError
from engine.fields import Fields
from engine.record import CHOW, KONG, PONG, WIN_WAYS
from engine.text import Text
from engine.tiles import CODES, format_tiles

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Deal:
    """A hand begins: the wall as it stands is dealt.

    Attributes:
        wall: every tile of the game in the order of drawing; replacements and the gold come from its end.
        dealer: only where the dealer is drawn by lot (YX 1.1), and optional elsewhere.
    """

    wall: tuple[int, ...]
    dealer: str | None = None


@dataclass(frozen=True, slots=True)
class ReplaceFlowers:
    """A seat lays out its flowers and takes as many tiles from the tail (XM 1.4)."""

    seat: str


@dataclass(frozen=True, slots=True)
class FlipGold:
    """Two dice decide which tile of the wall is turned up as gold (XM 1.5, YX 1.3, JH 1.2)."""

    dice: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Draw:
    """A seat takes its tile: from the front of the wall, after a kong from the tail."""

    seat: str


@dataclass(frozen=True, slots=True)
class Discard:
    """A seat discards a tile."""

    seat: str
    tile: int


@dataclass(frozen=True, slots=True)
class Claim:
    """A seat wants the discard for a set.

    Attributes:
        seat: who claims.
        kind: ``chow``, ``pong`` or ``kong``.
        using: for a chow the two tiles of the hand; empty for the others.
    """

    seat: str
    kind: str
    using: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DeclareKong:
    """A seat declares a kong at its own turn.

    Attributes:
        seat: who declares.
        tile: the kind.
        exposed: four tiles of the hand are laid open although they need not be (YX 2.2); the fourth tile of a
            pong is always open.
    """

    seat: str
    tile: int
    exposed: bool = False


@dataclass(frozen=True, slots=True)
class DeclareWin:
    """A seat wins.

    Attributes:
        seat: the winner.
        by: one of `engine.record.WIN_WAYS`.
        removed: the tile a dealer puts aside when he robs the gold (ZZ 3).
    """

    seat: str
    by: str
    removed: int | None = None


@dataclass(frozen=True, slots=True)
class Pass:
    """A seat that is asked lets it go."""

    seat: str


@dataclass(frozen=True, slots=True)
class FalseWin:
    """A seat has shown a hand that is no win (詐胡, XM 2.14)."""

    seat: str


@dataclass(frozen=True, slots=True)
class SitOut:
    """A seat has broken a rule and sits out as 相公 until the hand ends (XM 2.13)."""

    seat: str


@dataclass(frozen=True, slots=True)
class NewCourse:
    """Everybody gets the chips of a new course (XM 4.4)."""


Event: TypeAlias = (
    "Deal | ReplaceFlowers | FlipGold | Draw | Discard | Claim | DeclareKong | DeclareWin | Pass | FalseWin"
    " | SitOut | NewCourse"
)

_CLAIMS: Final = (CHOW, PONG, KONG)


def to_json(event: Event) -> dict[str, Any]:
    """An event as JSON; `from_json` gives it back."""
    match event:
        case Deal(wall, dealer):
            answer: dict[str, Any] = {"type": "deal", "wall": "".join(CODES[kind] for kind in wall)}
            if dealer is not None:
                answer["dealer"] = dealer
            return answer
        case FlipGold(dice):
            return {"type": "flip_gold", "dice": list(dice)}
        case NewCourse():
            return {"type": "new_course"}
        case Discard(seat, tile):
            return {"type": "discard", "seat": seat, "tile": CODES[tile]}
        case Claim(seat, kind, using):
            answer = {"type": "claim", "seat": seat, "kind": kind}
            if using:
                answer["using"] = format_tiles(using)
            return answer
        case DeclareKong(seat, tile, exposed):
            answer = {"type": "kong", "seat": seat, "tile": CODES[tile]}
            if exposed:
                answer["exposed"] = True
            return answer
        case DeclareWin(seat, by, removed):
            answer = {"type": "win", "seat": seat, "by": by}
            if removed is not None:
                answer["removed"] = CODES[removed]
            return answer
        case _:
            return {"type": _PLAIN_NAMES[type(event)], "seat": event.seat}


_PLAIN: Final[dict[str, Callable[[str], Event]]] = {
    "flowers": ReplaceFlowers,
    "draw": Draw,
    "pass": Pass,
    "false_win": FalseWin,
    "sit_out": SitOut,
}
_PLAIN_NAMES: Final[dict[Any, str]] = {maker: name for name, maker in _PLAIN.items()}
_FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "deal": ("wall", "dealer"),
    "flip_gold": ("dice",),
    "new_course": (),
    "discard": ("seat", "tile"),
    "claim": ("seat", "kind", "using"),
    "kong": ("seat", "tile", "exposed"),
    "win": ("seat", "by", "removed"),
    **dict.fromkeys(_PLAIN, ("seat",)),
}


def from_json(data: object) -> Event:
    """An event from JSON.

    Raises:
        InputError: it is none; the message names the field.
    """
    if not isinstance(data, dict):
        Fields(data, "", ())
    name = data.get("type")  # type: ignore[attr-defined]  # Fields has refused everything but a dict
    if not isinstance(name, str) or name not in _FIELDS:
        listed = ", ".join(_FIELDS)
        raise InputError(
            "unknown_event",
            "type",
            Text(f"type 必须是：{listed}", f"type 必須是：{listed}", f"type must be one of: {listed}"),
        )
    fields = Fields(data, "", ("type", *_FIELDS[name]))
    if name == "deal":
        return Deal(_tiles(fields, "wall"), fields.seat("dealer"))
    if name == "flip_gold":
        return FlipGold(_dice(fields))
    if name == "new_course":
        return NewCourse()
    seat = fields.seat("seat")
    if seat is None:
        raise fields.missing("seat", Text("座位", "座位", "the seat"))
    if name in _PLAIN:
        return _PLAIN[name](seat)
    if name == "discard":
        return Discard(seat, _tile(fields, "tile"))
    if name == "claim":
        return Claim(seat, _word(fields, "kind", _CLAIMS), tuple(sorted(fields.tiles("using") or ())))
    if name == "kong":
        return DeclareKong(seat, _tile(fields, "tile"), fields.flag("exposed"))
    removed = None if fields.get("removed") is None else _tile(fields, "removed")
    return DeclareWin(seat, _word(fields, "by", WIN_WAYS), removed)


def _tiles(fields: Fields, name: str) -> tuple[int, ...]:
    tiles = fields.tiles(name)
    if tiles is None:
        raise fields.missing(name, Text("牌", "牌", "the tiles"))
    return tiles


def _tile(fields: Fields, name: str) -> int:
    tile = fields.tile(name)
    if tile is None:
        raise fields.missing(name, Text("牌", "牌", "the tile"))
    return tile


def _word(fields: Fields, name: str, allowed: tuple[str, ...]) -> str:
    word = fields.choice(name, allowed)
    if word is None:
        raise fields.missing(name, Text(" " + name, " " + name, name))
    return word


def _dice(fields: Fields) -> tuple[int, int]:
    value = fields.get("dice")
    if isinstance(value, list) and len(value) == 2 and all(type(one) is int and 1 <= one <= 6 for one in value):
        return value[0], value[1]
    raise fields.wrong("dice", value, Text("两个 1 到 6 的数字", "兩個 1 到 6 的數字", "two numbers from 1 to 6"))
