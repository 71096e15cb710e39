"""Hands of Xiamen mahjong played out move by move, legal under the rules (RULES XM 1, XM 2), for the drawn demo.

The near player follows a plan: a pong, 聽, the choice between winning and 游金, 游金, the win. The three others draw and discard
at random within the rules: no gold is thrown away, and 跟打 (XM 2.8) binds everybody. Tiles come from one set of 144.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.text import Text
from engine.tiles import CODES, HONOUR, NAMES, PLAYABLE, WHITE, format_tiles, names

SEATS = "ABCD"
_FLOWERS = range(PLAYABLE, len(CODES))


@dataclass(frozen=True)
class Move:
    """What one step shows happening: a tile goes from one place to another.

    Attributes:
        kind: the tile, as an index of ``CODES``.
        seat: who moves it.
        what: draw, flower, discard, pong, gold or win.
    """

    kind: int
    seat: str
    what: str


@dataclass(frozen=True)
class Step:
    """A moment that stands still.

    Attributes:
        key: deal, flowers, gold, draw, discard, other, pong, ready, choice, youjin, win or laid.
        caption: what is happening.
        concealed: the near player's concealed tiles in the order in which they stand (kinds).
        drawn: the tile set apart, or ``None``.
        melds: the near player's sets.
        flowers: the near player's flowers.
        gold: the turned tile, or ``None`` before it is turned.
        pool: discards on the table, in order.
        wall: tiles left to draw, without the turned one.
        tail: tiles that were taken from the tail of the wall.
        record: the hand record (design/hand-record.md); ``gold`` is ``None`` until it is turned.
        move: what moved to get here.
        laid: the concealed tiles lie face up, as after a win.
    """

    key: str
    caption: Text
    concealed: tuple[int, ...]
    drawn: int | None
    melds: tuple[tuple[int, ...], ...]
    flowers: tuple[int, ...]
    gold: int | None
    pool: tuple[int, ...]
    wall: int
    tail: int
    record: dict[str, Any]
    move: Move | None = None
    laid: bool = False


class _ImpossibleError(Exception):
    """This draw of the lots leads to no legal course; another is tried."""


@dataclass
class _Plan:
    """What the near player is going to hold."""

    gold: int
    whole: list[tuple[int, ...]]  # sets that are complete from the start
    parts: list[tuple[tuple[int, int], int]]  # two tiles of a run and the one that completes it
    pair: int  # becomes the pong
    spare: int  # the single tile kept to the end
    junk: list[int]  # held from the start, thrown away
    late: list[int]  # drawn and thrown away
    last: int  # the tile that wins
    flowers: list[int]


def _plan(rng: np.random.Generator) -> _Plan:
    gold = int(rng.integers(0, 27))
    left = Counter(dict.fromkeys(range(PLAYABLE), 4))
    left[gold] -= 2  # one turned up, one in the near hand
    white_run = bool(rng.random() < 0.5)

    def take(kinds: Iterable[int]) -> tuple[int, ...]:
        taken = tuple(kinds)
        if any(left[kind] < count for kind, count in Counter(taken).items()):
            raise _ImpossibleError
        left.subtract(taken)
        return taken

    def run(suit: int, low: int) -> tuple[int, ...]:
        tiles = [suit * 9 + low + step for step in range(3)]
        if gold in tiles:
            if not white_run:
                raise _ImpossibleError
            tiles[tiles.index(gold)] = WHITE  # the white takes the gold's face (XM 1.7)
        return take(tiles)

    suit, rank = divmod(gold, 9)
    first = (
        run(suit, int(np.clip(rank - rng.integers(0, 3), 0, 6)))
        if white_run
        else run(int(rng.integers(3)), int(rng.integers(7)))
    )
    suits = [int(value) for value in rng.permutation(3)]
    parts = []
    for suit in suits:
        tiles = run(suit, int(rng.integers(7)))
        if WHITE in tiles:
            raise _ImpossibleError
        missing = int(rng.choice([0, 2])) if tiles[0] % 9 not in {0, 6} else 1
        rest = [tile for index, tile in enumerate(tiles) if index != missing]
        parts.append(((rest[0], rest[1]), tiles[missing]))
    honours = [int(kind) for kind in rng.permutation([kind for kind in range(HONOUR, PLAYABLE) if kind != WHITE])]
    pair = honours.pop() if rng.random() < 0.7 else int(rng.integers(27))
    if left[pair] < 4:
        raise _ImpossibleError
    take([pair] * 3)
    left[pair] = 0  # the fourth stays in the wall
    junk = [honours.pop() for _ in range(3)]
    take(junk)
    used = set(first) | {tile for two, one in parts for tile in (*two, one)} | {pair, gold}
    lonely = [
        kind
        for kind in range(27)
        if left[kind] == 4 and all(abs(kind - other) > 2 or kind // 9 != other // 9 for other in used)
    ]
    if not lonely:
        raise _ImpossibleError
    spare = lonely[int(rng.integers(len(lonely)))]
    take([spare])
    late = [honours.pop(), honours.pop()]
    take(late)
    last = junk[0] if left[junk[0]] else late[0]
    take([last])
    flowers = [int(kind) for kind in rng.permutation(np.array(_FLOWERS))[:3]]
    return _Plan(gold, [first], parts, pair, spare, junk, late, last, flowers)


@dataclass
class _Course:
    """The state of one hand while it is played."""

    plan: _Plan
    rng: np.random.Generator
    seat: str
    hands: dict[str, list[int]] = field(default_factory=dict)
    drawn: int | None = None
    melds: list[tuple[int, ...]] = field(default_factory=list)
    claimed_from: list[str] = field(default_factory=list)
    flowers: list[int] = field(default_factory=list)
    turned: bool = False
    discards: list[int] = field(default_factory=list)
    pool: list[int] = field(default_factory=list)
    wall: int = 144
    tail: int = 0
    youjin: int = 0
    rest: list[int] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)

    # -- telling ------------------------------------------------------------------------------------------------------

    def show(self, key: str, caption: Text, move: Move | None = None, *, laid: bool = False, win: bool = False) -> None:
        hand = list(self.hands[self.seat])
        drawn = self.drawn
        if drawn is None and len(hand) % 3 == 2:
            drawn = hand.pop()  # after a claim the last tile of the row is as good as drawn
        gold = CODES[self.plan.gold] if self.turned else None
        record: dict[str, Any] = {
            "rules": "xiamen", "gold": gold, "dealer": "A", "seat": self.seat, "hand": format_tiles(hand),
            "melds": [
                {"kind": "pong", "tiles": format_tiles(meld), "from": source}
                for meld, source in zip(self.melds, self.claimed_from, strict=True)
            ],
            "flowers": format_tiles(self.flowers), "youjin": self.youjin,
            "table": {
                "dealer_streak": 0, "draw_streak": 0, "tiles_left": self.wall,
                "visible": format_tiles(self.pool), "discards": "".join(CODES[kind] for kind in self.discards),
            },
        }  # fmt: skip
        if win:
            record["win"] = {"by": "self_draw", "tile": CODES[self.plan.last]}
        elif drawn is not None:
            record["drawn"] = CODES[drawn]
        self.steps.append(
            Step(
                key,
                caption,
                tuple(self.hands[self.seat]),
                self.drawn,
                tuple(self.melds),
                tuple(self.flowers),
                self.plan.gold if self.turned else None,
                tuple(self.pool),
                self.wall,
                self.tail,
                record,
                move,
                laid,
            )
        )

    # -- playing ------------------------------------------------------------------------------------------------------

    def sort(self) -> None:
        """Golds to the left, then by kind, as most players do."""
        self.hands[self.seat].sort(key=lambda kind: (kind != self.plan.gold or not self.turned, kind))

    def forced(self, hand: list[int]) -> list[int]:
        """Big tiles that 跟打 binds to be discarded: one copy held, one discarded before; no gold, no white for the gold."""
        counts = Counter(hand)
        return [
            kind for kind in range(HONOUR, PLAYABLE) if kind != WHITE and counts[kind] == 1 and kind in self.discards
        ]

    def deal(self) -> None:
        plan = self.plan
        own = [*(tile for group in plan.whole for tile in group), *(tile for two, _ in plan.parts for tile in two)]
        own += [plan.gold, plan.spare, plan.pair, plan.pair, *plan.junk]
        order = [own[index] for index in self.rng.permutation(len(own))]
        early = plan.flowers[:2]
        dealt = order[:-2] + early
        used = Counter(own) + Counter(one for _, one in plan.parts)
        used += Counter([plan.pair, *plan.late, plan.last, plan.gold])  # a pair's third, later draws, the turned gold
        pile = [kind for kind in range(PLAYABLE) for _ in range(4 - used[kind]) if kind != plan.pair]
        self.rest = [pile[index] for index in self.rng.permutation(len(pile))]
        for seat in SEATS:
            self.hands[seat] = [] if seat == self.seat else [self.rest.pop() for _ in range(17 if seat == "A" else 16)]
        self.wall -= 65
        self.hands[self.seat] = [dealt[index] for index in self.rng.permutation(16)]
        self.show(
            "deal",
            Text(
                "发牌：每人十六张，庄家十七张",
                "發牌：每人十六張，莊家十七張",
                "The deal: sixteen tiles each, seventeen for the dealer",
            ),
        )
        for flower in early:
            self.hands[self.seat].remove(flower)
        self.flowers += early
        self.hands[self.seat] += order[-2:]
        self.wall -= 2
        self.tail += 2
        self.sort()
        self.show(
            "flowers",
            Text("补花：{t}", "補花：{t}", "Flowers laid out and replaced: {t}").format(t=names(early)),
            Move(early[0], self.seat, "flower"),
        )
        self.turned = True
        self.wall -= 1
        self.sort()
        self.show(
            "gold",
            Text("开金：{t} 是金", "開金：{t} 是金", "The gold is turned up: {t}").format(t=NAMES[plan.gold]),
            Move(plan.gold, "A", "gold"),
        )

    def discard(self, seat: str, kind: int) -> None:
        self.hands[seat].remove(kind)
        self.discards.append(kind)
        self.pool.append(kind)

    def other(self, seat: str, *, throw: int | None = None) -> None:
        """Another seat's turn: draw and discard; ``throw`` is drawn and discarded at once."""
        hand = self.hands[seat]
        if len(hand) % 3 != 2:
            hand.append(self.rest.pop() if throw is None else throw)
            self.wall -= 1
        bound = self.forced(hand)
        if throw is not None:
            if bound and throw not in bound:
                raise _ImpossibleError
            kind = throw
        else:
            # The near player declines nothing he needs, so nobody offers it: his missing tiles stay in their hands.
            wanted = {one for _, one in self.plan.parts} | {self.plan.pair}
            free = [tile for tile in hand if tile not in {self.plan.gold, WHITE} and tile not in wanted]
            honours = [tile for tile in free if tile >= HONOUR and hand.count(tile) == 1]
            edges = [tile for tile in free if tile < HONOUR and tile % 9 in {0, 8} and hand.count(tile) == 1]
            choice = bound or honours or edges or free
            if not choice:
                raise _ImpossibleError
            kind = choice[int(self.rng.integers(len(choice)))]
        self.discard(seat, kind)
        self.show(
            "other",
            Text("{s} 家打 {t}", "{s} 家打 {t}", "{s} discards {t}").format(s=seat, t=NAMES[kind]),
            Move(kind, seat, "discard"),
        )

    def draw(self, kind: int, key: str, caption: Text) -> None:
        self.drawn = kind
        self.wall -= 1
        self.show(key, caption.format(t=NAMES[kind]), Move(kind, self.seat, "draw"))

    def throw(self, kind: int, key: str, caption: Text) -> None:
        """The near player's discard, by 跟打 another one than planned if the plan allows it."""
        hand = self.hands[self.seat]
        if self.drawn is not None:
            hand.append(self.drawn)
            self.drawn = None
        bound = self.forced(hand)
        if bound and kind not in bound:
            raise _ImpossibleError
        self.discard(self.seat, kind)
        self.sort()
        self.show(key, caption.format(t=NAMES[kind]), Move(kind, self.seat, "discard"))

    def useless(self) -> int:
        """What the near player throws away next: what 跟打 demands, else the first tile he has no use for."""
        hand = self.hands[self.seat] + ([self.drawn] if self.drawn is not None else [])
        bound = self.forced(hand)
        junk = [kind for kind in (*self.plan.junk, *self.plan.late) if kind in hand]
        if any(kind not in junk for kind in bound) or not junk:
            raise _ImpossibleError
        return bound[0] if bound else junk[0]

    def round(self, start: str, *, throw_by: str | None = None) -> None:
        """The other seats' turns from ``start`` until the near seat is on (or ``throw_by`` has thrown the pair's third)."""
        index = SEATS.index(start)
        while SEATS[index % 4] != self.seat:
            seat = SEATS[index % 4]
            if seat == throw_by:
                self.other(seat, throw=self.plan.pair)
                return
            self.other(seat)
            index += 1

    def play(self) -> list[Step]:
        plan, after = self.plan, SEATS[(SEATS.index(self.seat) + 1) % 4]
        draws = Text("摸到 {t}", "摸到 {t}", "Draws {t}")
        throws = Text("打 {t}", "打 {t}", "Discards {t}")
        completing = [one for _, one in plan.parts]
        self.deal()
        self.round("A")
        self.draw(completing[0], "draw", draws)
        self.throw(self.useless(), "discard", throws)
        thrower = [seat for seat in SEATS if seat != self.seat][int(self.rng.integers(3))]
        self.round(after, throw_by=thrower)
        self.pong(thrower)
        self.throw(self.useless(), "discard", throws)
        self.round(after)
        self.flower(plan.flowers[2], plan.late[0])
        self.throw(self.useless(), "discard", throws)
        self.round(after)
        self.draw(completing[1], "draw", draws)
        self.throw(self.useless(), "ready", Text("打 {t}，听牌", "打 {t}，聽牌", "Discards {t}: ready"))
        self.round(after)
        self.draw(plan.late[1], "draw", draws)
        self.throw(self.useless(), "ready", Text("打 {t}，仍然听牌", "打 {t}，仍然聽牌", "Discards {t}: still ready"))
        self.round(after)
        self.draw(
            completing[2],
            "choice",
            Text(
                "摸到 {t}：可以自摸，也可以游金",
                "摸到 {t}：可以自摸，也可以游金",
                "Draws {t}: win now, or go for 游金 (youjin)",
            ),
        )
        self.youjin = 1
        self.throw(
            plan.spare,
            "youjin",
            Text("打 {t}，游金：摸什么都能赢", "打 {t}，游金：摸什麼都能贏", "Discards {t}: 游金, any tile wins"),
        )
        self.round(after)
        self.draw(plan.last, "win", Text("摸到 {t}，游金！", "摸到 {t}，游金！", "Draws {t}: a 游金 win!"))
        self.show(
            "laid",
            Text("亮牌结算", "亮牌結算", "The hand is laid down and settled"),
            Move(plan.last, self.seat, "win"),
            laid=True,
            win=True,
        )
        return self.steps

    def pong(self, source: str) -> None:
        kind = self.plan.pair
        self.pool.pop()
        hand = self.hands[self.seat]
        hand.remove(kind)
        hand.remove(kind)
        self.melds.append((kind,) * 3)
        self.claimed_from.append(source)
        self.show("pong", Text("碰 {t}", "碰 {t}", "Pong of {t}").format(t=NAMES[kind]), Move(kind, self.seat, "pong"))

    def flower(self, flower: int, instead: int) -> None:
        """A flower drawn in play is laid out and replaced from the tail at once (XM 1.4)."""
        self.flowers.append(flower)
        self.drawn = instead
        self.wall -= 2
        self.tail += 1
        caption = Text("摸到花 {f}，补 {t}", "摸到花 {f}，補 {t}", "Draws the flower {f}, replaces it: {t}")
        self.show("draw", caption.format(f=NAMES[flower], t=NAMES[instead]), Move(flower, self.seat, "flower"))


def play(number: int) -> list[Step]:
    """The steps of script ``number``: the same for the same number.

    >>> steps = play(0)
    >>> steps[0].key, steps[-1].record["win"]["by"], steps[-1].record["youjin"]
    ('deal', 'self_draw', 1)
    """
    for attempt in range(1000):
        rng = np.random.default_rng([20_26, number, attempt])
        try:
            return _Course(_plan(rng), rng, seat="BCD"[number % 3]).play()
        except _ImpossibleError:
            continue
    raise RuntimeError(f"no legal course found for script {number}")
