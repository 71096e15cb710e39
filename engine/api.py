"""The door to the engine: JSON in, JSON out (``design/hand-record.md``). Input errors are answers, never exceptions.

>>> score({"rules": "xiamen", "gold": "5m", "hand": "123m", "win": {"by": "self_draw", "tile": "9p"}})["error"]["code"]
'wrong_tile_count'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine import claims as claims_module
from engine import options as options_module
from engine.errors import InputError
from engine.parsing import parse, parse_event
from engine.rules import GAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from engine.record import HandRecord
    from engine.rules.base import RuleSet

Json = dict[str, Any]


def score(record: object, *, house: Mapping[str, object] | None = None) -> Json:
    """The settlement of a record with ``win``, or what an ``event`` moves.

    Args:
        record: a decoded JSON record.
        house: house rules that hold unless the record overrides them.

    Returns:
        A settlement, an event's answer, ``{"valid": false, "error": …}`` for a hand that is no win, or
        ``{"error": …}`` with ``field`` for a record that is no possible hand.
    """
    if isinstance(record, dict) and record.get("event") is not None:
        return event(record, house=house)
    return _answer(record, house, lambda game, parsed: game.settle(parsed).as_json())


def options(record: object, *, house: Mapping[str, object] | None = None) -> Json:
    """What the player may do with the tile just drawn (arguments as `score`)."""
    return _answer(record, house, options_module.options)


def waits(record: object, *, house: Mapping[str, object] | None = None) -> Json:
    """What a hand between turns waits for (arguments as `score`)."""
    return _answer(record, house, options_module.waits)


def claims(record: object, *, house: Mapping[str, object] | None = None) -> Json:
    """What may be done with the discard that is ``offered`` (arguments as `score`)."""
    return _answer(record, house, claims_module.claims)


def event(record: object, *, house: Mapping[str, object] | None = None) -> Json:
    """What an event without a win moves, and who deals next (arguments as `score`)."""
    try:
        parsed = parse_event(record, GAMES, house=house)
        return GAMES[parsed.rules].event(parsed).as_json()
    except InputError as error:
        return error.as_json()


def _answer(
    record: object, house: Mapping[str, object] | None, question: Callable[[RuleSet[Any], HandRecord], Json]
) -> Json:
    try:
        parsed = parse(record, GAMES, house=house)
        return question(GAMES[parsed.rules], parsed)
    except InputError as error:
        return error.as_json()
