"""Speed of the engine, on hands drawn anew in every run, beside PyPI `mahjong` and `xiangting`.

``python tests/bench/bench_engine.py [SEED]`` prints one line for each figure, its target and whether it is met.
Times are CPU time of this process: what one core does, whatever else the machine is busy with.
"""

from __future__ import annotations

import random
import sys
import time
from typing import TYPE_CHECKING, Any

import xiangting
from mahjong.agari import Agari
from mahjong.shanten import Shanten

from engine import api, shapes
from engine.parsing import parse
from engine.rules import GAMES
from engine.settlement import Settlement
from engine.tiles import CODES, format_tiles

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

HANDS = 40_000
MISSED: list[str] = []


def dealt(rng: random.Random, size: int, wilds: int, gold: int = 4) -> list[int]:
    """Tiles from a shuffled wall, ``wilds`` of them golds."""
    wall = [kind for kind in range(34) for _ in range(4) if kind != gold]
    return rng.sample(wall, size - wilds) + [gold] * wilds


def near(rng: random.Random, size: int, wilds: int, gold: int = 4) -> list[int]:
    """Sets and a pair from few suits, some of the tiles exchanged: what hands look like late in the game."""
    while True:
        tiles: list[int] = []
        for _ in range(size // 3):
            first = rng.choice((0, 9, 18))
            low = first + rng.randrange(7)
            tiles += [low, low + 1, low + 2] if rng.random() < 0.7 else [low] * 3
        tiles += [rng.randrange(34)] * 2
        rng.shuffle(tiles)
        tiles = tiles[: size - wilds]
        for _ in range(rng.randrange(4)):
            tiles[rng.randrange(len(tiles))] = rng.randrange(34)
        if gold not in tiles and all(tiles.count(kind) <= 4 for kind in tiles):
            return tiles + [gold] * wilds


def clock(function: Callable[[Any], object], items: Sequence[Any]) -> float:
    """CPU seconds for one call, over all items once."""
    start = time.process_time()
    for item in items:
        function(item)
    return (time.process_time() - start) / len(items)


def report(name: str, figure: str, met: bool | None = None, target: str = "") -> None:
    """One line."""
    verdict = "" if met is None else f"   target {target}: {'met' if met else 'MISSED'}"
    print(f"{name:<58} {figure:>16}{verdict}")
    if met is False:
        MISSED.append(name)


def bench_complete(rng: random.Random) -> None:
    """complete?, cold: no hand and hardly a suit has been seen before."""
    for wilds in (0, 1, 2, 3):
        for size in (14, 17):
            draw = dealt if wilds % 2 else near
            hands = [draw(rng, size, wilds)[: size - wilds] for _ in range(HANDS)]
            each = clock(lambda tiles, g=wilds: shapes.complete(shapes.pack(tiles), g), hands)
            name = f"complete? {size} tiles, {wilds} wilds, from a list of kinds"
            report(name, f"{1 / each:,.0f} /s", 1 / each >= 100_000, "100,000 /s")


def bench_beside(rng: random.Random) -> None:
    """The same gold-free hands of 14 tiles for everybody."""
    hands = [(dealt if number % 2 else near)(rng, 14, 0) for number in range(10_000)]
    arrays = [[tiles.count(kind) for kind in range(34)] for tiles in hands]
    packed = [shapes.pack(tiles) for tiles in hands]
    shanten, agari = Shanten(), Agari()
    complete = clock(lambda hand: shapes.complete(hand, 0), packed)
    distance = clock(lambda hand: shapes.standard_distance(hand, 0, 4), packed)
    theirs = clock(lambda array: shanten.calculate_shanten(array, use_chiitoitsu=False, use_kokushi=False), arrays)
    theirs_agari = clock(agari.is_agari, arrays)
    four = xiangting.PlayerCount.FOUR
    rust = clock(lambda array: xiangting.calculate_replacement_number(array, four), arrays)
    ratio = theirs / complete
    report("our complete?, 14 tiles without golds", f"{complete * 1e6:.2f} µs")
    report("our shanten (sets and pair)", f"{distance * 1e6:.2f} µs")
    report("mahjong: shanten (sets and pair)", f"{theirs * 1e6:.2f} µs")
    report("mahjong: agari", f"{theirs_agari * 1e6:.2f} µs")
    report("xiangting (compiled Rust): replacement number", f"{rust * 1e6:.2f} µs")
    report("mahjong's shanten / our complete?", f"{ratio:.1f} ×", ratio >= 8, "8 ×")
    report("mahjong's agari / our complete?", f"{theirs_agari / complete:.1f} ×")
    report("mahjong's shanten / our shanten", f"{theirs / distance:.1f} ×")
    report("xiangting / our complete?", f"{rust / complete:.2f} ×")
    differ = sum(
        shapes.standard_distance(hand, 0, 4) - 1
        != shanten.calculate_shanten(array, use_chiitoitsu=False, use_kokushi=False)
        for hand, array in zip(packed, arrays, strict=True)
    )
    report("hands whose shanten differs from mahjong's", f"{differ} of {len(hands):,}")


def bench_questions(rng: random.Random) -> None:
    """Waits and options of hands with two golds, from JSON to JSON, in every game."""
    tiles = [(dealt if number % 2 else near)(rng, 17, 2)[:-2] for number in range(2000)]
    hands = [shapes.Concealed.of([*hand[:14], 4, 4], 4, 5) for hand in tiles]
    xiamen = GAMES["xiamen"]
    blank = parse({"rules": "xiamen", "gold": "5m", "hand": "123m 678s 99p 45s 234p 678p"}, GAMES)
    each = clock(lambda hand: xiamen.waits(hand, blank), hands)
    report("all waits, 16 tiles, two golds", f"{each * 1e3:.3f} ms", each < 1e-3, "1 ms")
    for rules in GAMES:
        fresh = fresh_records(rng, rules, 300)
        times = sorted(clock(api.options, [record]) for record in fresh)
        median, worst = times[len(times) // 2], times[len(times) * 95 // 100]
        mean = sum(times) / len(times)
        size = 3 * GAMES[rules].sets + 2
        name = f"options, {rules}, {size} tiles, two golds"
        report(name, f"{mean * 1e3:.2f} ms", mean < 10e-3, "10 ms")
        report("   median, 95 of 100", f"{median * 1e3:.2f}, {worst * 1e3:.2f} ms")


def fresh_records(rng: random.Random, rules: str, count: int) -> list[dict[str, Any]]:
    """Records of hands that the engine has never seen."""
    game = GAMES[rules]
    gold = 31 if game.gold_is_white else 4
    found = []
    while len(found) < count:
        tiles = (dealt if len(found) % 2 else near)(rng, 3 * game.sets + 2, 2, gold)
        rng.shuffle(tiles)
        found.append({"rules": rules, "gold": CODES[gold], "hand": format_tiles(tiles[1:]), "drawn": CODES[tiles[0]]})
    return found


def bench_settlements(rng: random.Random) -> None:
    """Settlements of won Xiamen hands without melds."""
    game = GAMES["xiamen"]
    won = []
    while len(won) < 5000:
        wilds = rng.randrange(3)
        tiles = near(rng, 17, wilds)
        hand = shapes.Concealed.of(tiles, 4, 5)
        if shapes.complete(hand.natural, hand.wilds):
            rng.shuffle(tiles)
            won.append(
                {
                    "rules": "xiamen",
                    "gold": "5m",
                    "seat": rng.choice("ABCD"),
                    "hand": format_tiles(tiles[1:]),
                    "flowers": format_tiles(rng.sample(range(34, 42), rng.randrange(4))),
                    "win": {"by": "self_draw", "tile": CODES[tiles[0]]},
                }
            )
    parsed = [parse(record, GAMES) for record in won]
    each = clock(game.settle, parsed)
    report("settlements, Xiamen without melds", f"{1 / each:,.0f} /s", 1 / each >= 10_000, "10,000 /s")
    assert all(isinstance(game.settle(record), Settlement) for record in parsed)
    each = clock(api.score, won)
    report("the same from JSON to JSON", f"{1 / each:,.0f} /s")


def main() -> int:
    """All figures; 1 if a target is missed."""
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else random.SystemRandom().randrange(2**32)
    print(f"engine, Python {sys.version.split()[0]}, seed {seed}")
    rng = random.Random(seed)
    start = time.process_time()
    bench_complete(rng)
    bench_beside(rng)
    bench_settlements(rng)
    bench_questions(rng)
    print(f"{time.process_time() - start:.0f} s; " + (f"missed: {', '.join(MISSED)}" if MISSED else "all targets met"))
    return 1 if MISSED else 0


if __name__ == "__main__":
    sys.exit(main())
