"""The course of a game: a fold over events (RULES, the paragraphs on tiles, deal, play and claims of each game).

A game is the list of its events. `new_game` gives the state before the first, `apply` the state after one more;
undoing is leaving out the last. An event that the rules do not allow raises `Refused`, which names the paragraph
and gives the reason in three languages; the state is immutable and stays what it was.

>>> import random
>>> game = new_game("jinhua")
>>> wall = full_set(game.ruleset)
>>> random.Random(1).shuffle(wall)
>>> game = replay(game, [Deal(tuple(wall)), FlipGold((2, 4))])
>>> awaited(game), len(legal_events(game, "A")) > 0
(('A',), True)
>>> try:
...     apply(game, Discard("B", 0))
... except Refused as refusal:
...     print(refusal.paragraph, refusal.text.en)
JH 2.1 it is not the turn of B
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game.course import apply
from engine.game.events import (
    Claim,
    Deal,
    DeclareKong,
    DeclareWin,
    Discard,
    Draw,
    Event,
    FalseWin,
    FlipGold,
    NewCourse,
    Pass,
    ReplaceFlowers,
    SitOut,
    from_json,
    to_json,
)
from engine.game.moves import awaited, legal_events
from engine.game.refusals import Refused
from engine.game.state import Game, Hand, Player, Result, full_set, new_game
from engine.game.views import view

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "Claim",
    "Deal",
    "DeclareKong",
    "DeclareWin",
    "Discard",
    "Draw",
    "Event",
    "FalseWin",
    "FlipGold",
    "Game",
    "Hand",
    "NewCourse",
    "Pass",
    "Player",
    "Refused",
    "ReplaceFlowers",
    "Result",
    "SitOut",
    "apply",
    "awaited",
    "from_json",
    "full_set",
    "legal_events",
    "new_game",
    "replay",
    "to_json",
    "view",
]


def replay(game: Game, events: Iterable[Event]) -> Game:
    """The state after several events.

    Raises:
        Refused: one of them is not allowed.
    """
    for event in events:
        game = apply(game, event)
    return game
