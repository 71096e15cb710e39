"""Jinhua's readings against brute force: every wild as every kind (RULES JH 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import api
from engine.tiles import CODES, format_tiles
from tests.engine import reference_jinhua as reference

if TYPE_CHECKING:
    from random import Random

KINDS = range(34)


def random_case(random: Random, most_wilds: int) -> reference.Case | None:
    """A hand near a win: sets of few colours, some tiles turned into wilds, whites mixed in."""
    gold = random.choice([*KINDS, 31, 27, 33])
    shape = random.choice(["sets", "sets", "sets", "pairs", "alone", "winds", "honours"])
    faces = shaped(random, shape)
    meld_tiles: list[tuple[int, ...]] = []
    if shape in ("sets", "honours") and random.random() < 0.5:
        for _ in range(random.choice([1, 2, 3, 3])):
            meld_tiles.append(tuple(faces[:3]))
            faces = faces[3:]
    physical = [31 if face == gold and gold != 31 else face for face in faces]
    melds = [tuple(31 if face == gold else face for face in meld) for meld in meld_tiles]
    for position in random.sample(range(len(physical)), min(len(physical), random.randint(0, most_wilds))):
        physical[position] = gold
    if random.random() < 0.2:
        physical[random.randrange(len(physical))] = random.choice(KINDS)
    everything = [*physical, *(kind for meld in melds for kind in meld), gold]
    if any(everything.count(kind) > 4 for kind in everything) or any(gold in meld for meld in melds):
        return None
    random.shuffle(physical)
    self_drawn = random.random() < 0.7
    if not self_drawn and physical[-1] == gold:
        return None
    return reference.Case(
        gold,
        tuple(physical[:-1]),
        physical[-1],
        tuple(melds),
        self_drawn,
        sum(len(set(meld)) == 1 for meld in melds),
    )


def shaped(random: Random, shape: str) -> list[int]:
    """Fourteen faces of one shape."""
    if shape == "pairs":
        kinds = random.sample(range(18, 34) if random.random() < 0.5 else KINDS, 7)
        return sorted(kinds * 2)
    if shape in ("alone", "winds"):
        honours = random.sample(range(27, 34), 7 if shape == "winds" else random.choice([5, 6, 7]))
        numbers = [9 * suit + rank for suit in range(3) for rank in random.choice([(0, 3, 6), (1, 4, 8), (2, 5, 8)])]
        return honours + random.sample(numbers, 14 - len(honours))
    if shape == "honours":
        return [kind for kind in random.sample(range(27, 34), 4) for _ in range(3)] + [random.randrange(27, 34)] * 2
    base = 9 * random.randrange(3)
    mixed = random.random()
    faces: list[int] = []
    for _ in range(4):
        if mixed < 0.4:
            base = 9 * random.randrange(3)
        if random.random() < 0.4:
            triple = (
                random.choice([*range(base, base + 9), *range(27, 34)]) if mixed < 0.8 else base + random.randrange(9)
            )
            faces += [triple] * 3
        else:
            low = base + random.randrange(7)
            faces += [low, low + 1, low + 2]
    return faces + [random.choice([*range(base, base + 9), *range(27, 34)])] * 2


def check(case: reference.Case) -> None:
    record = {
        "rules": "jinhua",
        "gold": CODES[case.gold],
        "seat": "B",
        "hand": format_tiles(case.hand),
        "melds": [
            {"kind": "pong" if len(set(meld)) == 1 else "chow", "tiles": format_tiles(meld)} for meld in case.melds
        ],
        "win": {"by": "self_draw", "tile": CODES[case.tile]}
        if case.self_drawn
        else {"by": "discard", "tile": CODES[case.tile], "from": "C"},
    }
    answer = api.score(record)
    assert "field" not in answer.get("error", {}), (record, answer)
    expected = reference.best(case)
    assert answer["valid"] == (expected is not None), record
    if expected is None:
        return
    assert answer["multiplier"] == expected, (record, answer["patterns"])
    keys = frozenset(pattern["key"] for pattern in answer["patterns"]) - {"plain"}
    assert keys in reference.sights(case), (record, keys)
    assert len(answer["golds_as"]) == [*case.hand, case.tile].count(case.gold)
    shown = [code for group in answer["reading"] for code in group]
    assert sum(char.isdigit() for char in shown) == len(case.hand) + 1


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.randoms(use_true_random=False))
def test_jh_3_best_reading_is_the_best_of_all(random: Random) -> None:
    case = random_case(random, most_wilds=2)
    if case is not None:
        check(case)


@pytest.mark.slow
@settings(max_examples=3000, deadline=None)
@given(st.randoms(use_true_random=False))
def test_jh_3_best_reading_is_the_best_of_all_three_wilds(random: Random) -> None:
    case = random_case(random, most_wilds=3)
    if case is not None:
        check(case)


LONE_HANDS = st.tuples(
    st.sampled_from(["jinhua", "hangzhou"]),
    st.randoms(use_true_random=False),
)


def lone_wild_hand(random: Random, gold: str) -> list[str] | None:
    """Thirteen tiles in 敲響 shape, of one colour or several, sometimes with two wilds."""
    suits = random.choice(["m", "mp", "mps", "mz", "z"])
    tiles: list[str] = []
    if random.random() < 0.3:
        kinds = [code for code in CODES[:34] if code[1] in suits and code not in (gold, "5z")]
        if len(kinds) < 6:
            return None
        tiles = [code for code in random.sample(kinds, 6) for _ in range(2)]
    while len(tiles) < 12:
        suit = random.choice(suits)
        if suit != "z" and random.random() < 0.5:
            low = random.randint(1, 7)
            tiles += [f"{low + step}{suit}" for step in range(3)]
        else:
            tiles += [random.choice([code for code in CODES[:34] if code[1] == suit])] * 3
    if random.random() < 0.3:
        tiles[random.randrange(12)] = gold
    tiles.append(gold)
    if any(tiles.count(tile) > (3 if tile == gold else 4) for tile in tiles):
        return None
    return tiles


@settings(max_examples=60, deadline=None, derandomize=True)
@given(LONE_HANDS)
def test_7_4_4_if_won_is_the_least_of_all_draws(drawn: tuple[str, Random]) -> None:
    rules, random = drawn
    gold = "5z" if rules == "hangzhou" else random.choice(CODES[:34])
    hand = lone_wild_hand(random, gold)
    if hand is None:
        return
    record = {"rules": rules, "gold": gold, "seat": "B", "hand": "".join(hand)}
    answer = api.waits(record)
    if answer.get("state") != "youjin":
        return
    worths = []
    for code in CODES[:34]:
        seen = hand.count(code) + (code == gold and rules == "jinhua")
        if code != gold and seen < 4:
            won = api.score(record | {"win": {"by": "self_draw", "tile": code}})
            assert won["valid"], (record, code)
            worths.append(won["payments"]["B"])
    assert answer["if_won"]["payments"]["B"] == min(worths), record
