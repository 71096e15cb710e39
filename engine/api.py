"""The door to the engine: JSON in, JSON out (``design/hand-record.md``). Input errors are answers, never exceptions.

>>> score({"rules": "xiamen", "gold": "5m", "hand": "123m", "win": {"by": "self_draw", "tile": "9p"}})["error"]["code"]
'wrong_tile_count'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine import options as options_module
from engine.errors import InputError
from engine.parsing import parse, parse_event
from engine.rules import GAMES

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.record import HandRecord

Json = dict[str, Any]


def score(record: object) -> Json:
    """The settlement of a record with ``win``, or what an ``event`` moves.

    Args:
        record: a decoded JSON record.

    Returns:
        A settlement, an event's answer, ``{"valid": false, "error": …}`` for a hand that is no win, or
        ``{"error": …}`` with ``field`` for a record that is no possible hand.
    """
    if isinstance(record, dict) and record.get("event") is not None:
        return event(record)
    return _answer(record, lambda parsed: GAMES[parsed.rules].settle(parsed).as_json())


def options(record: object) -> Json:
    """What the player may do with the tile just drawn."""
    return _answer(record, lambda parsed: options_module.options(GAMES[parsed.rules], parsed))


def waits(record: object) -> Json:
    """What a hand between turns waits for."""
    return _answer(record, lambda parsed: options_module.waits(GAMES[parsed.rules], parsed))


def claims(record: object) -> Json:
    """What may be done with the discard that is ``offered``."""
    from engine import claims as claims_module

    return _answer(record, lambda parsed: claims_module.claims(GAMES[parsed.rules], parsed))


def event(record: object) -> Json:
    """What an event without a win moves, and who deals next."""
    try:
        parsed = parse_event(record, GAMES)
        return GAMES[parsed.rules].event(parsed).as_json()
    except InputError as error:
        return error.as_json()


def _answer(record: object, question: Callable[[HandRecord], Json]) -> Json:
    try:
        return question(parse(record, GAMES))
    except InputError as error:
        return error.as_json()
