"""Shapes beyond their doctests: all readings, seven pairs, golds in every place, the distance of every game."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine import shapes
from engine.parsing import parse
from engine.rules import GAMES
from engine.shapes import Concealed, Group, pack
from engine.tiles import CODES, INDEX, format_tiles
from tests.engine import reference

Json = dict[str, Any]


def kinds(text: str) -> list[int]:
    return [INDEX[code] for code in text.split()]


def test_a_hand_without_a_gold() -> None:
    hand = Concealed.of([0, 31, 31], None, 1)
    assert (hand.natural, hand.wilds) == (hand.physical, 0)
    assert shapes.face(31, None) == 31
    assert shapes.tile_for(31, None) == 31
    assert shapes.tile_for(31, 31) is None
    assert hand.add(5).remove(5) == hand
    assert Group((), 3).wild_faces(None) == (0, 0, 0)


def test_the_face_of_the_gold_is_a_white() -> None:
    hand = Concealed.of(kinds("4m 6m 5z 5m 5m"), INDEX["5m"], 1)
    assert shapes.unpack(hand.natural) == kinds("4m 5m 6m")
    assert hand.wilds == 2


@pytest.mark.parametrize("wilds", [0, 1, 2, 3])
def test_readings_are_all_different_use_every_tile_and_are_complete(wilds: int) -> None:
    rng = random.Random(wilds)
    found = 0
    for _ in range((150, 120, 60, 25)[wilds]):
        tiles = reference.random_hand(rng, 14, wilds)
        listed = list(shapes.readings(pack(tiles), wilds))
        assert len(set(listed)) == len(listed)
        assert bool(listed) == reference.complete(tiles, wilds)
        for reading in listed:
            assert sorted(kind for group in reading.groups for kind in group.tiles) == sorted(tiles)
            assert sum(group.wilds for group in reading.groups) == wilds
            assert len(reading.sets) == 4
            assert reading.pair.is_pair
            for group in reading.sets:
                faces = group.faces(4)
                assert len(faces) == 3
                run = faces[0] // 9 == faces[2] // 9 and faces[2] < 27
                assert len(set(faces)) == 1 or (run and faces == (faces[0], faces[0] + 1, faces[0] + 2))
        found += len(listed)
    assert found >= 5


@pytest.mark.parametrize("wilds", [0, 1, 2, 3])
def test_the_richest_reading_is_one_of_all_and_none_is_richer(wilds: int) -> None:
    rng = random.Random(10 + wilds)
    for _ in range((150, 120, 60, 25)[wilds]):
        tiles = reference.random_hand(rng, 14, wilds)
        listed = list(shapes.readings(pack(tiles), wilds))
        best = shapes.richest_reading(pack(tiles), wilds)
        assert (best is None) == (not listed)
        if best is not None:
            assert worth(best) == max(worth(reading) for reading in listed)
            assert sorted(map(repr, best.sets)) in [sorted(map(repr, reading.sets)) for reading in listed]


def worth(reading: shapes.Reading) -> int:
    return sum(
        2 if group.tiles[0] >= 27 else 1 for group in reading.sets if len(group.tiles) == 3 and group.may_be_triplet
    )


def test_wilds_stand_at_the_ends_of_a_suit() -> None:
    assert Group((7, 8), 1).wild_faces(4) == (6,)
    assert Group((0, 1), 1).wild_faces(4) == (2,)
    assert Group((3, 5), 1).wild_faces(4) == (4,)
    assert Group((27, 27), 1).wild_faces(4) == (27,)


def test_pairs_distance() -> None:
    pairs = pack(kinds("1m 1m 3m 3m 2p 2p 5p 5p 6s 6s 7z 7z"))
    assert shapes.pairs_distance(pairs + pack(kinds("1s 2s")), 0) == 1
    assert shapes.pairs_distance(pairs + pack(kinds("1s")), 1) == 0
    four = pack(kinds("1m 1m 1m 1m 2p 2p 2p 2p 6s 6s 6s 6s 7z 7z"))
    assert shapes.pairs_distance(four, 0) == 0


@pytest.mark.parametrize("rules", list(GAMES))
def test_the_distance_of_a_hand_agrees_with_its_waits(rules: str) -> None:
    game = GAMES[rules]
    rng = random.Random(rules)
    gold = INDEX["5z"] if game.gold_is_white else INDEX["5m"]
    seen = {0: 0, 1: 0, 2: 0}
    for number in range(240):
        wilds = rng.choice((0, 1, 2))
        tiles = (
            special_tiles(rng, wilds)
            if game.sets == 4 and number % 2
            else reference.random_hand(rng, 3 * game.sets + 2, wilds)
        )
        tiles = [kind for kind in tiles[1:] if kind not in (gold, 31)]
        tiles += [gold] * wilds
        while len(tiles) < 3 * game.sets + 1:
            kind = rng.randrange(34)
            if kind not in (gold, 31) and tiles.count(kind) < 4:
                tiles.append(kind)
        record = parse({"rules": rules, "gold": CODES[gold], "hand": format_tiles(tiles[: 3 * game.sets + 1])}, GAMES)
        hand = game.concealed(record)
        distance = game.distance(hand, record)
        completing = [kind for kind in range(34) if game.complete(hand.add(kind), record)]
        assert (distance <= 1) == bool(completing), format_tiles(record.hand)
        assert [kind for kind in completing if kind != gold] == game.waits(hand, record)
        before, useful = game.improving(hand, record)
        assert before == distance
        assert useful == [kind for kind in range(34) if game.distance(hand.add(kind), record) < distance]
        seen[min(distance, 2)] = seen.get(min(distance, 2), 0) + 1
    assert seen[1] > 5
    assert seen[2] > 5


def special_tiles(rng: random.Random, wilds: int) -> list[int]:
    """Tiles near 幺九, 不搭, 十三不靠, 七風, 亂風 or seven pairs."""
    choice = rng.randrange(4)
    if choice == 0:
        tiles = [rng.choice((0, 8, 9, 17, 18, 26, *range(27, 34))) for _ in range(14)]
    elif choice == 1:
        tiles = [9 * suit + rng.randrange(3) + 3 * step for suit in range(3) for step in range(3)]
        tiles += rng.sample(range(27, 34), 5)
    elif choice == 2:
        tiles = [kind for kind in rng.sample(range(34), 7) for _ in range(2)]
    else:
        tiles = [rng.randrange(27, 34) for _ in range(14)]
    for _ in range(rng.randrange(3)):
        tiles[rng.randrange(14)] = rng.randrange(34)
    while any(tiles.count(kind) > 4 for kind in tiles):
        kind = next(kind for kind in tiles if tiles.count(kind) > 4)
        tiles[tiles.index(kind)] = rng.randrange(34)
    rng.shuffle(tiles)
    return tiles[: 14 - wilds]
