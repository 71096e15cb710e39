"""From a hand record to what the engine says about it, and how the 游金 level follows from one turn to the next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine import api
from engine.tiles import CODES, parse_tiles
from webui.games import GAMES

if TYPE_CHECKING:
    from collections.abc import Mapping

_SPECIAL = {"youjin": 1, "double_youjin": 2, "triple_youjin": 3}


def concealed_count(record: Mapping[str, Any]) -> int:
    """Return how many concealed tiles a record holds, the drawn one included."""
    return len(parse_tiles(record["hand"])) + (1 if record.get("drawn") else 0)


def stage(record: Mapping[str, Any]) -> str:
    """Return `between` (3n + 1 concealed tiles), `drawn` (3n + 2), or `count` where the number fits neither (R 1)."""
    n = GAMES[record["rules"]].sets - len(record.get("melds", []))
    count = concealed_count(record)
    return {3 * n + 1: "between", 3 * n + 2: "drawn"}.get(count, "count")


def answer(record: Mapping[str, Any]) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    """Ask the engine about a hand.

    Returns:
        The answer of `options` or `waits` and the error, one of them `None`; both `None` while there is nothing to ask:
        tiles are missing, or no gold has been turned yet.
    """
    where = stage(record)
    if where == "count" or (GAMES[record["rules"]].gold == "flipped" and not record.get("gold")):
        return None, None
    result = api.options(dict(record)) if where == "drawn" else api.waits(dict(record))
    return (None, result["error"]) if "error" in result else (result, None)


@dataclass
class YoujinWatch:
    """Follows one player's 游金 level (RULES 7.2) from one settled hand to the next.

    Between turns a hand in 游金 shape is at level 1; if the player was in it already and discarded a gold to get here,
    it is one level higher. Any other hand between turns is at level 0. A drawn tile changes nothing.
    """

    level: int = 0
    _drawn_golds: int = 0

    def see(self, record: Mapping[str, Any], result: Mapping[str, Any]) -> int:
        """Take note of a settled hand with the engine's answer and return its level."""
        gold = record.get("gold")
        kinds = [*parse_tiles(record["hand"]), *parse_tiles(record.get("drawn") or "")]
        golds = sum(CODES[kind] == gold for kind in kinds)
        if stage(record) == "drawn":
            self._drawn_golds = golds
            return self.level
        if result.get("state") not in _SPECIAL:
            self.level = 0
        elif self.level and golds < self._drawn_golds:
            self.level = min(self.level + 1, 3)
        else:
            self.level = max(self.level, 1)
        self._drawn_golds = golds
        return self.level

    def set(self, level: int) -> None:
        """Take the player's word for it."""
        self.level = level

    def reset(self) -> None:
        """A new hand begins."""
        self.level = 0
        self._drawn_golds = 0
