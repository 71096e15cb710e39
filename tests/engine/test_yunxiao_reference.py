"""Yunxiao's hands and prices against brute force: every gold as every kind (RULES YX 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import api
from engine.tiles import CODES, format_tiles
from tests.engine import reference_yunxiao as reference

if TYPE_CHECKING:
    from random import Random

KINDS = range(34)
TERMINALS = sorted(reference.TERMINAL)


def random_case(random: Random, most_golds: int) -> reference.Case | None:
    """A hand near one of the shapes, some tiles turned into golds, now and then one tile wrong."""
    gold = random.choice([*KINDS, 31, *TERMINALS])
    shape = random.choice(["sets", "sets", "pure", "pairs", "terminals", "unrelated"])
    faces = shaped(random, shape)
    melds: list[tuple[int, ...]] = []
    if shape in ("sets", "pure"):
        for _ in range(random.choice([0, 0, 1, 2])):
            melds.append(tuple(faces[:3]))
            faces = faces[3:]
    own_white = shape in ("terminals", "unrelated")
    physical = [31 if face == gold and gold != 31 and not own_white else face for face in faces]
    melds = [tuple(31 if face == gold else face for face in meld) for meld in melds]
    for position in random.sample(range(len(physical)), min(len(physical), random.randint(0, most_golds))):
        physical[position] = gold
    if random.random() < 0.25:
        physical[random.randrange(len(physical))] = random.choice(KINDS)
    everything = [*physical, *(kind for meld in melds for kind in meld), gold]
    if any(everything.count(kind) > 4 for kind in everything) or any(gold in meld for meld in melds):
        return None
    random.shuffle(physical)
    return reference.Case(gold, tuple(physical[:-1]), physical[-1], tuple(melds), random.random() < 0.4)


def shaped(random: Random, shape: str) -> list[int]:
    """Fourteen faces of one shape."""
    if shape == "terminals":
        return random.sample(TERMINALS * 3, 14)
    if shape == "unrelated":
        numbers = [9 * suit + rank for suit in range(3) for rank in random.choice([(0, 3, 6), (0, 4, 8), (2, 5, 8)])]
        return numbers + random.sample(range(27, 34), 5)
    suit = 9 * random.randrange(3)
    if shape == "pairs":
        kinds = random.sample(range(suit, suit + 9) if random.random() < 0.5 else KINDS, 7)
        return sorted(kinds * 2)
    faces: list[int] = []
    for _ in range(4):
        if shape == "sets":
            suit = 9 * random.randrange(3)
        low = suit + random.randrange(7)
        faces += random.choice([[low, low + 1, low + 2], [low] * 3])
    return faces + [random.choice(KINDS) if shape == "sets" else suit + random.randrange(9)] * 2


def check(case: reference.Case) -> None:
    win = {"by": "discard", "tile": CODES[case.tile], "from": "D"} if case.discard else None
    record = {
        "rules": "yunxiao",
        "gold": CODES[case.gold],
        "seat": "B",
        "hand": format_tiles(case.hand),
        "melds": [
            {"kind": "pong" if len(set(meld)) == 1 else "chow", "tiles": format_tiles(meld)} for meld in case.melds
        ],
        "win": win or {"by": "self_draw", "tile": CODES[case.tile]},
    }
    answer = api.score(record)
    assert "field" not in answer.get("error", {}), (record, answer)
    expected = reference.price(case)
    assert answer["valid"] == (expected is not None), (record, answer)
    if expected is not None:
        assert answer["multiplier"] == expected[0], (record, answer)
        assert answer["payments"] == {
            "A": -10 * expected[0],
            "B": 10 * (2 * expected[0] + expected[1]),
            "C": -10 * expected[0],
            "D": -10 * expected[1],
        }
        shown = [code for group in answer["reading"] for code in group]
        assert sum(char.isdigit() for char in shown) == len(case.hand) + 1
        assert len(answer["golds_as"]) == [*case.hand, case.tile].count(case.gold)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.randoms(use_true_random=False))
def test_yx_3_price_is_that_of_the_highest_class(random: Random) -> None:
    case = random_case(random, most_golds=2)
    if case is not None:
        check(case)


@pytest.mark.slow
@settings(max_examples=3000, deadline=None)
@given(st.randoms(use_true_random=False))
def test_yx_3_price_is_that_of_the_highest_class_three_golds(random: Random) -> None:
    case = random_case(random, most_golds=3)
    if case is not None:
        check(case)
