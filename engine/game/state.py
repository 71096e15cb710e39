"""The state of a game: who deals, the points, and the hand in play. Immutable; made by `engine.game.apply` only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

from engine import house as house_rules
from engine import shapes
from engine.rules import GAMES
from engine.settlement import SEATS
from engine.tiles import PLAYABLE

if TYPE_CHECKING:
    from engine.record import HandRecord, Meld, Offer
    from engine.rules.base import RuleSet
    from engine.settlement import Line, NextDeal, Settlement

#: What the hand is waiting for.
FLOWERS, FLIP, OPENING, DRAWING, TURN = "flowers", "flip", "opening", "drawing", "turn"
CLAIMING, ROBBING, LAST_DRAW, LAST_KONG, OVER = "claiming", "robbing", "last_draw", "last_kong", "over"

#: How a seat came to hold 3n + 2 tiles: dealt, drawn, with a kong's replacement, or after a claim.
BY_DEAL, BY_DRAW, BY_KONG, BY_CLAIM = "deal", "draw", "kong", "claim"

#: How a hand ends, beside `engine.record.DRAW` and `engine.record.FALSE_WIN`.
WIN: Final = "win"

SEAT_NUMBERS: Final = {seat: number for number, seat in enumerate(SEATS)}


@dataclass(frozen=True)
class Player:
    """One seat during a hand.

    Attributes:
        tiles: concealed tiles without the one just drawn, packed (see `engine.shapes`).
        drawn: the tile just drawn.
        loose: flowers in the hand that are not laid out yet.
        melds: what lies open, and concealed kongs.
        flowers: flowers laid out, sorted.
        youjin: 游金 state (RULES 7.2).
        discards: everything this seat discarded in this hand.
        passed: claimable tiles let go since the last turn, and the own last discard (XM 2.6).
        sitting_out: plays as 相公.
        only_self_draw: discarded a gold under ``lock_one_round``, and may not win on discards for a round.
    """

    tiles: int = 0
    drawn: int | None = None
    loose: tuple[int, ...] = ()
    melds: tuple[Meld, ...] = ()
    flowers: tuple[int, ...] = ()
    youjin: int = 0
    discards: tuple[int, ...] = ()
    passed: tuple[Offer, ...] = ()
    sitting_out: bool = False
    only_self_draw: bool = False

    @property
    def held(self) -> int:
        """The concealed tiles, the drawn one included, packed."""
        if self.drawn is None or self.drawn >= PLAYABLE:
            return self.tiles
        return self.tiles + shapes.UNIT[self.drawn]


@dataclass(frozen=True, slots=True)
class Asked:
    """A seat that is asked during a window, what it may do, and what it has answered.

    Attributes:
        seat: its number.
        wins: ways of winning (``win.by``) open to it.
        kong, pong: whether it may take the tile so.
        chows: for each chow the tiles of the hand and the tiles that may then not be discarded.
        answer: rank and event of its claim, once it has claimed.
    """

    seat: int
    wins: tuple[str, ...] = ()
    kong: bool = False
    pong: bool = False
    chows: tuple[tuple[tuple[int, ...], frozenset[int]], ...] = ()
    answer: Any = None

    @property
    def best(self) -> int:
        """Rank of the best it could do: win 3, kong or pong 2, chow 1."""
        if self.wins:
            return 3
        return 2 if self.kong or self.pong else 1


@dataclass(frozen=True, slots=True)
class Result:
    """How a hand ended.

    Attributes:
        kind: ``win``, ``draw`` or ``false_win``.
        record: the winning hand, as it can be scored again; ``None`` without a winner.
        settlement: what the win pays by itself.
        payments, bonus: what moved at the end of the hand, inside and outside the course.
        lines: the reckoning.
        next: who deals next.
    """

    kind: str
    record: HandRecord | None
    settlement: Settlement | None
    payments: dict[str, int]
    bonus: dict[str, int]
    lines: tuple[Line, ...]
    next: NextDeal

    @property
    def winner(self) -> str | None:
        """The winner's seat."""
        return None if self.record is None else self.record.seat


@dataclass(frozen=True)
class Hand:
    """The hand in play.

    Attributes:
        phase: what is awaited, see the constants above.
        wall: all tiles in the order of drawing, without the flipped gold once it lies open.
        front, back: the tiles still to be drawn are ``wall[front:back]``.
        dealer: number of the dealer's seat.
        turn: number of the seat whose turn it is, or whose tile is claimed or robbed.
        players: the four seats.
        gold: the wild kind.
        gold_taken: the flipped gold was robbed.
        turned: flowers turned up and put back.
        aside: the tile a dealer put aside when he robbed the gold.
        source: how the seat in turn came to its tiles.
        extra: the dealer's last tile dealt.
        pending: seats still to act in this round of flowers or of last draws, in order.
        asked: the seats asked in a window, in order of priority.
        offered: the tile discarded or added to a pong.
        kong_kind: the kong that is being robbed or replaced: ``concealed_kong``, ``added_kong`` or ``kong``.
        replacing: the next draw replaces a kong.
        kong_win: ``exposed`` or ``concealed`` while the drawn tile is a kong's replacement.
        late: the drawn tile is one of the last (ZZ 1.9, JH 海底).
        banned: tiles that may not be discarded after the chow just made (JH 2.4).
        turn_pongs: kinds ponged in this very turn (XM 2.10).
        discards: everything discarded in this hand, in order.
        thrown_by: who discarded last.
        river: the discards that still lie on the table, in order.
        claimed: somebody has chowed, ponged or konged a discard.
        kongs: kongs declared by all seats.
        reserve: tiles that stay in the wall.
        wild_discarder: who discarded a gold last, while that matters (JH 2.5).
        youjin_seat: the seat whose 雙游 or 三游 stops the others (XM 2.12).
        followed: rounds of 分餅 completed.
        follow_ended: a discard was not followed, or somebody claimed: no more 分餅 in this hand.
        must_win: the tile drawn must win, otherwise the hand is drawn (YX 1.7, 1.8).
        result: how it ended.
    """

    phase: str
    wall: tuple[int, ...]
    front: int
    back: int
    dealer: int
    turn: int
    players: tuple[Player, ...]
    gold: int | None = None
    gold_taken: bool = False
    turned: tuple[int, ...] = ()
    aside: int | None = None
    source: str = BY_DEAL
    extra: int | None = None
    pending: tuple[int, ...] = ()
    asked: tuple[Asked, ...] = ()
    offered: int | None = None
    kong_kind: str | None = None
    replacing: bool = False
    kong_win: str | None = None
    late: bool = False
    banned: frozenset[int] = frozenset()
    turn_pongs: frozenset[int] = frozenset()
    discards: tuple[int, ...] = ()
    thrown_by: int | None = None
    river: tuple[int, ...] = ()
    claimed: bool = False
    kongs: int = 0
    reserve: int = 0
    wild_discarder: int | None = None
    youjin_seat: int | None = None
    followed: int = 0
    follow_ended: bool = False
    must_win: bool = False
    result: Result | None = None

    @property
    def left(self) -> int:
        """Tiles in the wall, the reserve included."""
        return self.back - self.front

    @property
    def drawable(self) -> int:
        """Tiles that may still be drawn."""
        return max(0, self.back - self.front - self.reserve)


@dataclass(frozen=True)
class Game:
    """A course of hands.

    Attributes:
        rules: name of the game.
        house: its house rules.
        dealer: who deals next, or deals now; ``None`` while that is to be drawn by lot.
        dealer_streak, draw_streak: see `engine.record.TableFacts`.
        chips: chips of each seat in this course; ``None`` where the game counts none.
        points: all that was won and lost inside the course since the game began.
        outside: all that was won and lost outside it (課外).
        deals: hands dealt so far.
        hand: the hand in play, or the last one.
    """

    rules: str
    house: house_rules.Profile
    dealer: str | None = "A"
    dealer_streak: int = 0
    draw_streak: int = 0
    chips: tuple[int, ...] | None = None
    points: tuple[int, ...] = (0, 0, 0, 0)
    outside: tuple[int, ...] = (0, 0, 0, 0)
    deals: int = 0
    hand: Hand | None = None

    @property
    def ruleset(self) -> RuleSet[Any]:
        """The rules of the game."""
        return GAMES[self.rules]

    @property
    def running(self) -> bool:
        """A hand is being played."""
        return self.hand is not None and self.hand.phase != OVER

    @property
    def course_over(self) -> bool:
        """Somebody has no chips left (XM 4.4)."""
        return self.chips is not None and min(self.chips) <= 0


S = TypeVar("S", Game, Hand, Player)


def evolve(state: S, **changes: Any) -> S:
    """`dataclasses.replace` for the three states, several times as fast: they are copied at every event.

    >>> evolve(Player(), youjin=1).youjin
    1
    """
    new = object.__new__(type(state))
    values = new.__dict__
    values.update(state.__dict__)
    values.update(changes)
    return new


def new_game(rules: str, house: object = None, dealer: str | None = None) -> Game:
    """A game before its first hand.

    Args:
        rules: name of the game.
        house: overrides of the house rules, as in a record.
        dealer: the first dealer; ``None`` draws him by lot where the game does, and is A elsewhere.

    Raises:
        KeyError: there is no such game.
        InputError: a house rule is wrong.

    >>> game = new_game("xiamen")
    >>> game.chips, game.dealer
    ((100, 100, 100, 100), 'A')
    """
    profile = house_rules.load(GAMES[rules].house, house)
    chips = getattr(profile, "course_chips", None)
    if dealer is None and getattr(profile, "next_dealer", "rotate") != "random":
        dealer = "A"
    return Game(rules, profile, dealer, chips=None if chips is None else (chips,) * 4)


def full_set(rules: RuleSet[Any]) -> list[int]:
    """Every tile of the game, sorted.

    >>> len(full_set(GAMES["xiamen"])), len(full_set(GAMES["jinhua"]))
    (144, 136)
    """
    tiles = [kind for kind in range(PLAYABLE) for _ in range(4)]
    return [*tiles, *range(PLAYABLE, PLAYABLE + 8)] if rules.has_flowers else tiles
