"""The hand record: one form for a hand at a moment (``design/hand-record.md``), and how it is printed.

`engine.parsing` reads records from JSON and accepts only what can happen at a table; a record built directly is
taken as it is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

from engine import house as house_rules
from engine.tiles import CODES, WHITE, format_tiles

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.text import Text

CHOW, PONG, KONG, ADDED_KONG, CONCEALED_KONG = "chow", "pong", "kong", "added_kong", "concealed_kong"
MELD_KINDS: Final = (CHOW, PONG, KONG, ADDED_KONG, CONCEALED_KONG)
KONGS: Final = frozenset({KONG, ADDED_KONG, CONCEALED_KONG})

DISCARD, SELF_DRAW, ROB_KONG, GOLD_GRAB = "discard", "self_draw", "rob_kong", "gold_grab"
THREE_GOLDS, OPENING, YOUJIN_DECLARED = "three_golds", "opening", "youjin_declared"
#: Every way a record can say a hand was won.
WIN_WAYS: Final = (DISCARD, SELF_DRAW, ROB_KONG, GOLD_GRAB, THREE_GOLDS, OPENING, YOUJIN_DECLARED)

FALSE_WIN, FOLLOW, DRAW = "false_win", "follow", "draw"
#: Every event that moves points, or ends a hand, without a win.
EVENTS: Final = (FALSE_WIN, FOLLOW, DRAW)


class Game(Protocol):
    """What the record must know about a game; `engine.rules.base.RuleSet` provides it."""

    @property
    def name(self) -> str:
        """Its key in ``rules``."""

    @property
    def title(self) -> Text:
        """What people call it."""

    @property
    def sets(self) -> int:
        """Sets of a complete hand beside the pair."""

    @property
    def has_flowers(self) -> bool:
        """Whether flowers are in the set of tiles."""

    @property
    def gold_is_white(self) -> bool:
        """Whether the white is the wild tile, so that nothing is flipped."""

    @property
    def house(self) -> type[house_rules.Profile]:
        """Its house profile."""

    def golds_discarded(self, youjin: int) -> int:
        """How many golds the player has discarded to be in this 游金 state (R 2)."""


@dataclass(frozen=True, slots=True)
class Meld:
    """A set laid open, or a concealed kong.

    Attributes:
        kind: ``chow``, ``pong``, ``kong``, ``added_kong`` or ``concealed_kong``.
        tiles: physical tiles, sorted.
        source: the seat the claimed tile came from, where known.
    """

    kind: str
    tiles: tuple[int, ...]
    source: str | None = None

    @property
    def is_kong(self) -> bool:
        """Four tiles."""
        return self.kind in KONGS

    @property
    def is_claimed(self) -> bool:
        """Made with somebody's discard."""
        return self.kind != CONCEALED_KONG

    def faces(self, gold: int | None) -> tuple[int, ...]:
        """What the tiles count as, sorted: whites as the face of the gold (R 3)."""
        if gold is None or WHITE not in self.tiles:
            return self.tiles
        return tuple(sorted(gold if kind == WHITE else kind for kind in self.tiles))

    def as_json(self) -> dict[str, object]:
        """``{kind, tiles, from}``."""
        answer: dict[str, object] = {"kind": self.kind, "tiles": format_tiles(self.tiles)}
        if self.source is not None:
            answer["from"] = self.source
        return answer


@dataclass(frozen=True, slots=True)
class Win:
    """How the hand was won.

    Attributes:
        by: one of ``WIN_WAYS``.
        tile: the winning tile; ``None`` where there is none.
        source: the discarder or the robbed konger.
        first_discard: it was the dealer's first discard (地胡).
        last_tile: it was one of the last tiles (最後一手牌, 海底).
        first_round: own first draw (人胡).
        kong: ``exposed`` or ``concealed`` when the tile was a kong's replacement.
        opening: the three golds were dealt.
    """

    by: str
    tile: int | None = None
    source: str | None = None
    first_discard: bool = False
    last_tile: bool = False
    first_round: bool = False
    kong: str | None = None
    opening: bool = False

    def as_json(self) -> dict[str, object]:
        """Only what is set."""
        answer: dict[str, object] = {"by": self.by}
        if self.tile is not None:
            answer["tile"] = CODES[self.tile]
        if self.source is not None:
            answer["from"] = self.source
        for flag in ("first_discard", "last_tile", "first_round", "opening"):
            if getattr(self, flag):
                answer[flag] = True
        if self.kong is not None:
            answer["kong"] = self.kong
        return answer


@dataclass(frozen=True, slots=True)
class Offer:
    """A tile somebody has discarded."""

    tile: int
    source: str

    def as_json(self) -> dict[str, object]:
        """``{tile, from}``."""
        return {"tile": CODES[self.tile], "from": self.source}


@dataclass(frozen=True, slots=True)
class TableFacts:
    """What else the rules may need to know.

    Attributes:
        dealer_streak: the dealer's consecutive deals after wins and draws together.
        draw_streak: how many of the latest of them were draws.
        tiles_left: tiles left in the wall.
        visible: tiles seen elsewhere, sorted.
        chips: chips of every seat in this course.
        claims: Jinhua 承包: claimer -> claimed-from -> melds.
        passed: claimable tiles this seat let go since its own last turn.
        discards: everything discarded in this hand, in order.
        wild_discarder: who discarded a wild last, while that still matters.
        youjin: other seats known to be in 游金 states.
    """

    dealer_streak: int = 0
    draw_streak: int = 0
    tiles_left: int | None = None
    visible: tuple[int, ...] = ()
    chips: Mapping[str, int] | None = None
    claims: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    passed: tuple[Offer, ...] = ()
    discards: tuple[int, ...] = ()
    wild_discarder: str | None = None
    youjin: Mapping[str, int] = field(default_factory=dict)

    def as_json(self) -> dict[str, object]:
        """Only what is set."""
        answer: dict[str, object] = {}
        if self.dealer_streak:
            answer["dealer_streak"] = self.dealer_streak
        if self.draw_streak:
            answer["draw_streak"] = self.draw_streak
        if self.tiles_left is not None:
            answer["tiles_left"] = self.tiles_left
        if self.visible:
            answer["visible"] = format_tiles(self.visible)
        if self.chips is not None:
            answer["chips"] = dict(self.chips)
        if self.claims:
            answer["claims"] = {claimer: dict(counts) for claimer, counts in self.claims.items()}
        if self.passed:
            answer["passed"] = [offer.as_json() for offer in self.passed]
        if self.discards:
            answer["discards"] = "".join(CODES[kind] for kind in self.discards)
        if self.wild_discarder is not None:
            answer["wild_discarder"] = self.wild_discarder
        if self.youjin:
            answer["youjin"] = dict(self.youjin)
        return answer


NOTHING_KNOWN: Final = TableFacts()


@dataclass(frozen=True, slots=True)
class HandRecord:
    """A hand at a moment, checked against the game it belongs to. Tiles are physical kinds, sorted.

    Attributes:
        rules: name of the game.
        house: the house profile, an instance of the game's own class.
        gold: the kind that is wild, or ``None`` where the game has none.
        dealer, seat: ``A``-``D``.
        hand: concealed tiles without the one just drawn or claimed.
        drawn: the tile just drawn.
        melds: what lies open, and concealed kongs.
        flowers: flowers laid out by this seat.
        youjin: 游金 state 0-3 (R 7).
        table: what else is known.
        win: how it was won, in a record to be scored.
        offered: the discard that may be claimed.
        sitting_out: players who play as 相公.
    """

    rules: str
    house: house_rules.Profile
    gold: int | None
    dealer: str = "A"
    seat: str = "A"
    hand: tuple[int, ...] = ()
    drawn: int | None = None
    melds: tuple[Meld, ...] = ()
    flowers: tuple[int, ...] = ()
    youjin: int = 0
    table: TableFacts = NOTHING_KNOWN
    win: Win | None = None
    offered: Offer | None = None
    sitting_out: tuple[str, ...] = ()

    @property
    def is_dealer(self) -> bool:
        """The record's seat deals."""
        return self.seat == self.dealer

    def as_json(self) -> dict[str, object]:
        """The record as JSON; parsing that gives an equal record."""
        answer: dict[str, object] = {"rules": self.rules}
        overrides = house_rules.changed(self.house)
        if overrides:
            answer["house"] = overrides
        answer["gold"] = None if self.gold is None else CODES[self.gold]
        answer["dealer"] = self.dealer
        answer["seat"] = self.seat
        answer["hand"] = format_tiles(self.hand)
        if self.drawn is not None:
            answer["drawn"] = CODES[self.drawn]
        if self.melds:
            answer["melds"] = [meld.as_json() for meld in self.melds]
        if self.flowers:
            answer["flowers"] = format_tiles(self.flowers)
        if self.youjin:
            answer["youjin"] = self.youjin
        table = self.table.as_json()
        if table:
            answer["table"] = table
        if self.win is not None:
            answer["win"] = self.win.as_json()
        if self.offered is not None:
            answer["offered"] = self.offered.as_json()
        if self.sitting_out:
            answer["sitting_out"] = list(self.sitting_out)
        return answer


@dataclass(frozen=True, slots=True)
class EventRecord:
    """Something that moves points, or ends the hand, without a win.

    Attributes:
        rules: name of the game.
        house: the house profile.
        event: one of ``EVENTS``.
        seat: who caused it; ``None`` for a draw.
        dealer: the dealer.
        table: streaks and chips.
        youjin_players: records of the players who were in 游金 (``false_win``).
        count: followed discards in a row from the first; a ``follow`` must have it.
        base: 底分 of a follow, or ``None`` for the house's own.
    """

    rules: str
    house: house_rules.Profile
    event: str
    seat: str | None = None
    dealer: str = "A"
    table: TableFacts = NOTHING_KNOWN
    youjin_players: tuple[HandRecord, ...] = ()
    count: int | None = None
    base: int | None = None
