"""The 游金 states of one player (RULES 7.2): what a discard does to them, and whether it is legal.

The predicate of 7.1 is `engine.shapes.lone_wild`; a game widens or narrows it in ``in_youjin_shape``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.rules.base import NEEDS_YOUJIN_FIRST

if TYPE_CHECKING:
    from engine.errors import Refusal
    from engine.record import HandRecord
    from engine.rules.base import RuleSet
    from engine.shapes import Concealed

YOUJIN, DOUBLE_YOUJIN, TRIPLE_YOUJIN = "youjin", "double_youjin", "triple_youjin"


@dataclass(frozen=True, slots=True)
class Move:
    """One discard from 3n + 2 tiles.

    Attributes:
        kind: the physical kind discarded.
        hand: what stays.
        state: ``youjin``, ``double_youjin``, ``triple_youjin``, or ``None`` for an ordinary state.
        youjin: the player's ``youjin`` after it.
        refusal: why the move is not legal; ``None`` if it is.
    """

    kind: int
    hand: Concealed
    state: str | None
    youjin: int
    refusal: Refusal | None


def discard(game: RuleSet[Any], record: HandRecord, held: Concealed, kind: int) -> Move:
    """What discarding a tile does.

    Args:
        game: the rules.
        record: the hand before the discard; ``youjin`` is the state the player was in.
        held: its concealed tiles, the drawn one included.
        kind: a physical kind that is among them.
    """
    rest = held.remove(kind)
    shape = game.in_youjin_shape(rest, record)
    if kind == held.gold:
        if shape and game.youjin_states:
            level = game.youjin_after_gold(record.youjin)
            refusal = None if record.youjin or game.direct_youjin(record) else NEEDS_YOUJIN_FIRST
            return Move(kind, rest, gold_state(game, level), level, refusal)
        # An ordinary discard that opens no state of its own, whatever it leaves (7.4.3, Jinhua).
        return Move(kind, rest, None, 0, game.refuse_gold_discard(record))
    refusal = game.refuse_discard(record, kind)
    return Move(kind, rest, YOUJIN if shape else None, game.youjin_of_shape if shape else 0, refusal)


def gold_state(game: RuleSet[Any], level: int) -> str:
    """What a state reached by discarding a gold is called: the first such is ``double_youjin``."""
    return DOUBLE_YOUJIN if level == game.youjin_after_gold(0) else TRIPLE_YOUJIN
