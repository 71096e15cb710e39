"""Whole games played by simple players through `engine.game`: for tests, figures and demonstrations.

A player is a function from a game, a seat and its legal moves to one of them; it sees only what its seat sees.
Everything is seeded: the same seed plays the same game.

>>> game = play_hand(new_game("yunxiao"), random.Random(4), [greedy] * 4)
>>> game.hand.result.kind, sum(game.points)
('win', 0)
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from engine import shapes
from engine.game import (
    Claim,
    Deal,
    DeclareKong,
    DeclareWin,
    Discard,
    FlipGold,
    Game,
    Hand,
    NewCourse,
    Pass,
    apply,
    awaited,
    full_set,
    legal_events,
    new_game,
)
from engine.game.state import FLIP, SEAT_NUMBERS
from engine.settlement import SEATS
from engine.tiles import HONOUR

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.game import Event

    Player: TypeAlias = "Callable[[Game, str, Sequence[Event], random.Random], Event]"

#: No hand is longer; a longer one would be a fault of the engine.
_MOST_EVENTS = 2000


def shuffled_wall(game: Game, rng: random.Random) -> tuple[int, ...]:
    """The tiles of the game in a random order."""
    wall = full_set(game.ruleset)
    rng.shuffle(wall)
    return tuple(wall)


def throw(rng: random.Random) -> FlipGold:
    """Two dice for the gold."""
    return FlipGold((rng.randint(1, 6), rng.randint(1, 6)))


# --- players --------------------------------------------------------------------------------------------


def at_random(game: Game, seat: str, moves: Sequence[Event], rng: random.Random) -> Event:
    """Any legal move."""
    del game, seat
    return rng.choice(moves)


def greedy(game: Game, seat: str, moves: Sequence[Event], rng: random.Random) -> Event:
    """Wins at once, claims what brings the hand nearer, discards what keeps it nearest."""
    for move in moves:
        if isinstance(move, DeclareWin):
            return move
    return _building_move(game, seat, moves, rng)


def youjin_seeker(game: Game, seat: str, moves: Sequence[Event], rng: random.Random) -> Event:
    """Like `greedy`, but prefers a discard that leaves 游金 shape, and opens golds, to an ordinary win."""
    hand = game.hand
    if hand is not None:
        player = hand.players[SEAT_NUMBERS[seat]]
        discards = [move for move in moves if isinstance(move, Discard)]
        opening = [
            move for move in discards if move.tile == hand.gold and _lone(game, hand, player.held, move.tile, seat)
        ]
        if opening:
            return opening[0]
        wins = [move for move in moves if isinstance(move, DeclareWin)]
        if player.youjin == 0 and all(move.by == "self_draw" for move in wins):
            waiting = [move for move in discards if _lone(game, hand, player.held, move.tile, seat)]
            if waiting:
                return waiting[0]
    return greedy(game, seat, moves, rng)


def _lone(game: Game, hand: Hand, held: int, tile: int, seat: str) -> bool:
    """Whether a discard leaves 游金 shape (RULES 7.1), by the tiles alone."""
    melds = hand.players[SEAT_NUMBERS[seat]].melds
    rest = shapes.Concealed.from_packed(held - shapes.UNIT[tile], hand.gold, game.ruleset.sets - len(melds))
    if shapes.lone_wild(rest.natural, rest.wilds):
        return True
    return game.ruleset.seven_pairs and not melds and shapes.lone_wild_pairs(rest.natural, rest.wilds)


def _building_move(game: Game, seat: str, moves: Sequence[Event], rng: random.Random) -> Event:
    """The move that leaves the fewest tiles to exchange; a claim only if it brings the hand nearer."""
    hand = game.hand
    if hand is None or len(moves) == 1:
        return moves[0]
    player = hand.players[SEAT_NUMBERS[seat]]
    sets = game.ruleset.sets - len(player.melds)
    for move in moves:
        if isinstance(move, DeclareKong) and not player.youjin:
            return move
    discards = [move for move in moves if isinstance(move, Discard)]
    if discards:
        return min(discards, key=lambda move: _cost(game, hand, player.held, move.tile, sets, rng))
    before = _distance(game, hand, player.tiles, sets)
    best: Event | None = None
    for move in moves:
        if isinstance(move, Claim) and hand.offered is not None:
            using = move.using or (hand.offered,) * (3 if move.kind == "kong" else 2)
            rest = player.tiles - shapes.pack(using)
            nearest = min(_distance(game, hand, rest - shapes.UNIT[kind], sets - 1) for kind in shapes.distinct(rest))
            if nearest < before:
                before, best = nearest, move
    if best is not None:
        return best
    passing = next((move for move in moves if isinstance(move, Pass)), None)
    return passing or moves[-1]


def _distance(game: Game, hand: Hand, tiles: int, sets: int) -> int:
    """Tiles still to exchange; seven pairs count where the game has them."""
    concealed = shapes.Concealed.from_packed(tiles, hand.gold, sets)
    least = shapes.standard_distance(concealed.natural, concealed.wilds, sets)
    if game.ruleset.seven_pairs and sets == game.ruleset.sets:
        least = min(least, shapes.pairs_distance(concealed.natural, concealed.wilds))
    return least


def _cost(game: Game, hand: Hand, held: int, tile: int, sets: int, rng: random.Random) -> tuple[int, int, float]:
    """How bad a discard is: golds last, then the distance, then how well the tile is connected."""
    if tile == hand.gold:
        return (shapes.IMPOSSIBLE, 0, 0.0)
    rest = held - shapes.UNIT[tile]
    near = 3 * shapes.count(held, tile)
    if tile < HONOUR:
        rank = tile % 9
        near += sum(
            3 - abs(step) for step in (-2, -1, 1, 2) if 0 <= rank + step <= 8 and shapes.count(held, tile + step)
        )
    return (_distance(game, hand, rest, sets), near, rng.random())


# --- playing --------------------------------------------------------------------------------------------


def play_hand(
    game: Game,
    rng: random.Random,
    players: Sequence[Player],
    *,
    wall: tuple[int, ...] | None = None,
    dice: tuple[int, int] | None = None,
    watch: Callable[[Game, Event], None] | None = None,
) -> Game:
    """One hand from the deal to its end.

    Args:
        game: a game between hands; a course that is over begins anew.
        rng: the dice, the wall where none is given, and the players' chance.
        players: of the seats A to D.
        wall: a wall as it stands.
        dice: what the dice show for the gold; thrown where not given.
        watch: called with the state after each event and the event.

    Raises:
        AssertionError: nobody could act, or the hand does not end.
    """

    def step(event: Event) -> None:
        nonlocal game
        game = apply(game, event)
        if watch is not None:
            watch(game, event)

    if game.course_over:
        step(NewCourse())
    dealer = rng.choice(SEATS) if game.dealer is None else None
    step(Deal(shuffled_wall(game, rng) if wall is None else wall, dealer))
    for _ in range(_MOST_EVENTS):
        if not game.running:
            return game
        if game.hand is not None and game.hand.phase == FLIP:
            step(throw(rng) if dice is None else FlipGold(dice))
            continue
        seats = awaited(game)
        seat = seats[0] if len(seats) == 1 else rng.choice(seats)
        moves = legal_events(game, seat)
        if not moves:
            raise AssertionError(f"{seat} has no move in {game.hand}")
        step(players[SEATS.index(seat)](game, seat, moves, rng))
    raise AssertionError("the hand does not end")


def count_tiles(hand: Hand) -> Counter[int]:
    """Every tile of a hand, wherever it is: the same at each step of a hand, a whole set."""
    tiles: Counter[int] = Counter(hand.wall[hand.front : hand.back])
    tiles.update(hand.river)
    for player in hand.players:
        tiles.update(shapes.unpack(player.held))
        tiles.update(player.loose)
        tiles.update(player.flowers)
        for meld in player.melds:
            tiles.update(meld.tiles)
    if hand.gold is not None and len(hand.wall) % 2:
        # The turned gold has left the wall.
        tiles[hand.gold] += 1
    if hand.kong_kind is not None and hand.offered is not None:
        tiles[hand.offered] += 1
    return tiles


@dataclass
class Tally:
    """What happened in many hands.

    Attributes:
        hands: hands played.
        events: events applied.
        methods: ways of winning, ``draw``, by how often.
        patterns: patterns of Jinhua and Hangzhou.
        kinds: events by kind.
    """

    hands: int = 0
    events: int = 0
    methods: Counter[str] = field(default_factory=Counter)
    patterns: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)

    def count(self, game: Game) -> None:
        """Takes in a hand that has ended."""
        self.hands += 1
        hand = game.hand
        result = None if hand is None else hand.result
        if result is None:
            raise AssertionError("the hand has not ended")
        settlement = result.settlement
        self.methods[result.kind if settlement is None else settlement.method] += 1
        if settlement is not None:
            self.patterns.update(pattern.key for pattern in settlement.patterns)


def play_many(
    rules: str, hands: int, seed: int, players: Sequence[Player], *, check: bool = True, house: object = None
) -> Tally:
    """Many hands in a row.

    Args:
        rules: name of the game.
        hands: how many.
        seed: of everything.
        players: of the seats A to D.
        check: count the tiles and the points after each event.
        house: house rules.

    Raises:
        AssertionError: a tile is lost or doubled, or the points do not add up.
    """
    rng = random.Random(seed)  # noqa: S311  # games, not secrets
    game = new_game(rules, house)
    tally = Tally()
    whole = Counter(full_set(game.ruleset))

    def watch(state: Game, event: Event) -> None:
        tally.events += 1
        tally.kinds[type(event).__name__] += 1
        if not check or state.hand is None:
            return
        if count_tiles(state.hand) != whole:
            raise AssertionError(f"tiles lost or doubled after {event}")
        if sum(state.points) or sum(state.outside):
            raise AssertionError(f"points do not add up after {event}")

    for _ in range(hands):
        game = play_hand(game, rng, players, watch=watch)
        tally.count(game)
    return tally
