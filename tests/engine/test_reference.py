"""The engine and a reference that works differently must agree on random hands."""

from __future__ import annotations

import random
import time

import pytest

from engine import shapes
from tests.engine import reference


def compare(count: int, seed: int, every: int) -> tuple[int, int]:
    """Compares that many hands; returns how many were complete, and how many in 游金 shape."""
    rng = random.Random(seed)
    complete = youjin = 0
    for number in range(count):
        wilds = number % 5
        size = (14, 17)[number // 5 % 2]
        tiles = reference.random_hand(rng, size, wilds)
        packed = shapes.pack(tiles)
        discounted = rng.choice(tiles) if number % 2 else None
        best = reference.best_worth(tiles, wilds, discounted)
        assert shapes.complete(packed, wilds) == (best is not None), (tiles, wilds)
        assert (shapes.standard_distance(packed, wilds, size // 3) == 0) == (best is not None), (tiles, wilds)
        reading = shapes.richest_reading(packed, wilds, discounted=discounted)
        assert worth(reading, discounted) == best, (tiles, wilds, discounted)
        complete += best is not None
        if number % every == 0:
            youjin += compare_waits(tiles[1:], wilds)
    return complete, youjin


def worth(reading: shapes.Reading | None, discounted: int | None) -> int | None:
    """Worth of the natural triplets of a reading."""
    if reading is None:
        return None
    triplets = [group.tiles[0] for group in reading.sets if len(group.tiles) == 3 and len(set(group.tiles)) == 1]
    return sum((2 if kind >= 27 else 1) - (kind == discounted) for kind in triplets)


def compare_waits(tiles: list[int], wilds: int) -> bool:
    """Waits and 游金 shape of 3n + 1 tiles."""
    packed = shapes.pack(tiles)
    waits = [kind for kind in range(34) if reference.complete([*tiles, kind], wilds)]
    assert shapes.standard_waits(packed, wilds) == waits, (tiles, wilds)
    lone = reference.best_worth(tiles, wilds, lone=True)
    assert shapes.lone_wild(packed, wilds) == (lone is not None), (tiles, wilds)
    # RULES 7.1: 游金 shape and "wins with every kind" are the same.
    assert (lone is not None) == (wilds > 0 and len(waits) == 34), (tiles, wilds)
    assert worth(shapes.richest_reading(packed, wilds, lone=True), None) == lone, (tiles, wilds)
    return lone is not None


def test_agree_on_some_hands() -> None:
    complete, youjin = compare(300, seed=1, every=7)
    assert complete > 30
    assert youjin > 0


@pytest.mark.parametrize("wilds", [0, 1, 2])
def test_agree_with_plain_substitution(wilds: int) -> None:
    rng = random.Random(wilds)
    seen = set()
    for _ in range((60, 40, 12)[wilds]):
        tiles = reference.random_hand(rng, 14, wilds)
        answer = reference.substituted(tiles, wilds)
        assert shapes.complete(shapes.pack(tiles), wilds) == answer == reference.complete(tiles, wilds)
        seen.add(answer)
    assert seen == {False, True}


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_agree_on_two_hundred_thousand_hands(capsys: pytest.CaptureFixture[str]) -> None:
    start = time.perf_counter()
    complete, youjin = compare(200_000, seed=20261129, every=19)
    with capsys.disabled():
        seconds = time.perf_counter() - start
        print(f"\n200000 hands agree ({complete} complete, {youjin} of 10527 compared in 游金 shape), {seconds:.0f} s")  # noqa: T201
    assert complete > 20_000
    assert youjin > 100
