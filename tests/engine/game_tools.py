"""Tables for the tests of `engine.game`: walls arranged so that seats hold, draw and turn up what a test wants."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from engine.game import (
    Claim,
    Deal,
    Discard,
    Draw,
    Event,
    FlipGold,
    Game,
    Pass,
    ReplaceFlowers,
    apply,
    awaited,
    full_set,
    new_game,
)
from engine.game.state import FLIP, FLOWERS, Hand
from engine.settlement import SEATS
from engine.tiles import INDEX, parse_tiles

if TYPE_CHECKING:
    from collections.abc import Iterable


class Table:
    """A game with a wall in which only what matters is given; the rest is filled with what is left.

    Args:
        rules: the game.
        hands: tiles dealt to the seats in turn order from the dealer (with the dealer's last tile at the end); a
            hand may be shorter than it should be.
        gold: the kind to be turned up; ``None`` where nothing is flipped.
        draws: the tiles drawn from the front, in order.
        tail: the tiles drawn from the tail as replacements, in order.
        house: house rules; tests about the end of the wall set `dead_wall` so that few tiles may be drawn.
        early: how many tiles of the tail are drawn before the gold is turned up.
    """

    def __init__(
        self,
        rules: str,
        hands: Iterable[str] = (),
        *,
        gold: str | None = "9p",
        draws: str = "",
        tail: str = "",
        house: dict[str, object] | None = None,
        dealer: str = "A",
        game: Game | None = None,
        fill: str = "",
        flowers: bool = False,
        early: int = 0,
    ) -> None:
        self.game = game or new_game(rules, house, dealer=dealer)
        self.events: list[Event] = []
        sets = self.game.ruleset.sets
        size = 3 * sets + 1
        given = [list(parse_tiles(text)) for text in hands]
        given += [[] for _ in range(4 - len(given))]
        front = list(parse_tiles(draws))
        back = list(parse_tiles(tail))
        pool = Counter(full_set(self.game.ruleset))
        for kinds in (*given, front, back):
            pool.subtract(kinds)
        gold_kind = None if gold is None else INDEX[gold]
        if gold_kind is not None:
            pool[gold_kind] -= 1
        short = [kind for kind, count in pool.items() if count < 0]
        assert not short, f"too many of {short}"
        # Filling: tiles that make nothing together.
        preferred = list(parse_tiles(fill))
        for kind in preferred:
            pool[kind] -= 1
        rest = [kind for kind in pool.elements() if flowers or kind < 34]
        kept_flowers = [] if flowers else [kind for kind in pool.elements() if kind >= 34]
        # Every tenth tile of the rest, so that neighbours are far apart.
        rest = [kind for start in range(11) for kind in rest[start::11]]
        rest = preferred + [kind for kind in rest if kind != gold_kind] + [kind for kind in rest if kind == gold_kind]

        def take() -> int:
            return rest.pop(0)

        for place, kinds in enumerate(given):
            want = size + (1 if place == 0 else 0)
            while len(kinds) < want:
                kinds.append(take())
            assert len(kinds) == want, (place, len(kinds))
        early_tail = tuple(reversed(back[:early]))
        # Flowers lie in the middle of the wall, where neither the first draws nor the first replacements come from.
        half = len(rest) // 2
        rest[half:half] = kept_flowers
        self.wall = self._build(given, front, back[early:], rest, gold_kind, sets) + early_tail

    def _build(
        self,
        given: list[list[int]],
        front: list[int],
        back: list[int],
        rest: list[int],
        gold: int | None,
        sets: int,
    ) -> tuple[int, ...]:
        rounds = 4 if sets == 5 else 3
        dealt: list[int] = []
        for turn in range(rounds):
            for kinds in given:
                dealt += kinds[4 * turn : 4 * turn + 4]
        if sets == 5:
            dealt.append(given[0][16])
        else:
            dealt += [given[0][12], given[1][12], given[2][12], given[3][12], given[0][13]]
        wall = [*dealt, *front, *rest]
        # The gold lies where two ones point to; what is drawn as replacement comes around it.
        tail = list(back)
        end = list(reversed(tail))
        if gold is None:
            return tuple(wall + end)
        at = {"yunxiao": 3, "jinhua": 1}.get(self.game.rules, 2)
        while len(end) < at - 1:
            end.insert(0, wall.pop())
        end.insert(len(end) - (at - 1), gold)
        return tuple(wall + end)

    def start(self, *, opening: bool = False) -> Table:
        """Deal, flowers, gold; wins as dealt are let go unless ``opening``."""
        self.do(Deal(self.wall))
        while self.hand.phase == FLOWERS:
            self.do(ReplaceFlowers(SEATS[self.hand.turn]))
        if self.hand.phase == FLIP:
            self.do(FlipGold((1, 1)))
        while not opening and self.hand.phase == "opening":
            self.do(Pass(awaited(self.game)[0]))
        return self

    def do(self, *events: Event) -> Table:
        """Applies events."""
        for event in events:
            self.game = apply(self.game, event)
            self.events.append(event)
        return self

    def draw(self, seat: str) -> Table:
        return self.do(Draw(seat))

    def discard(self, seat: str, tile: str) -> Table:
        return self.do(Discard(seat, INDEX[tile]))

    def turn(self, seat: str, tile: str | None = None) -> Table:
        """Draw, and discard a tile (or what was drawn); claims by others are let go."""
        self.draw(seat)
        return self.throw(seat, tile)

    def throw(self, seat: str, tile: str | None = None) -> Table:
        """Discard; claims by others are let go."""
        kind = self.hand.players[SEATS.index(seat)].drawn if tile is None else INDEX[tile]
        assert kind is not None
        self.do(Discard(seat, kind))
        return self.let_go()

    def let_go(self) -> Table:
        """Everybody who is asked passes."""
        while self.game.running and self.hand.phase in ("claiming", "robbing"):
            self.do(Pass(awaited(self.game)[0]))
        return self

    def claim(self, seat: str, kind: str, using: str = "") -> Table:
        return self.do(Claim(seat, kind, parse_tiles(using)))

    @property
    def hand(self) -> Hand:
        assert self.game.hand is not None
        return self.game.hand

    def player(self, seat: str) -> Any:
        return self.hand.players[SEATS.index(seat)]
