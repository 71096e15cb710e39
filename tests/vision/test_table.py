from __future__ import annotations

import numpy as np
import pytest

from engine.tiles import INDEX, parse_tiles
from tests.vision.conftest import as_reading, placed
from vision.melds import meld_kind
from vision.table import Table

HAND = "1m 2m 3m 5p 6p 7p 3z 3z 7s 8s 9s 4m 4m"


def lay(tiles) -> Table:
    return Table.from_reading(as_reading(placed(tiles)))


def codes(table: Table, indices) -> list[str]:
    return [table.reading.detections.code(i) for i in indices]


def test_nothing_on_the_table() -> None:
    table = lay([])
    assert table.concealed == []
    assert table.as_record("xiamen")["hand"] == ""


def test_hand_with_a_drawn_tile_set_apart(row) -> None:
    table = lay([*row(HAND, 100, 600), ("5s", 100 + 13 * 41 + 25, 600)])
    assert codes(table, table.concealed) == HAND.split()
    assert codes(table, [table.drawn]) == ["5s"]


def test_melds_beside_the_hand_flowers_above_it_and_discards(row) -> None:
    hand = row("1m 2m 3m 5p 6p 7p 3z 3z 7s 8s", 60, 640)
    melds = row("2p 3p 4p", 60 + 10 * 41 + 30, 640) + row("7z 7z 7z", 60 + 13 * 41 + 80, 640)
    flowers = row("1f 6f", 60, 540)
    pool = row("9p 1z 4z 2m 8s", 400, 200) + row("3z 6m 1s 1s", 400, 262)
    table = lay(hand + melds + flowers + pool)
    assert codes(table, table.concealed) == ["1m", "2m", "3m", "5p", "6p", "7p", "3z", "3z", "7s", "8s"]
    assert [(m.kind, m.tiles) for m in table.melds] == [("chow", "234p"), ("pong", "777z")]
    assert sorted(codes(table, table.flowers)) == ["1f", "6f"]
    assert len(table.discards) == 9
    record = table.as_record("xiamen", gold="5m", seat="C")
    assert record["hand"] == "123m567p78s33z"
    assert record["melds"] == [{"kind": "chow", "tiles": "234p"}, {"kind": "pong", "tiles": "777z"}]
    assert record["flowers"] == "16f"
    assert record["gold"] == "5m"
    assert record["table"]["visible"] == "26m9p118s134z"


def test_a_meld_far_along_the_edge_of_the_table_is_still_mine(row) -> None:
    table = lay(row("1m 2m 3m 5p 6p 7p 3z 3z 7s 8s", 40, 640) + row("9s 9s 9s", 40 + 10 * 41 + 300, 645))
    assert [m.tiles for m in table.melds] == ["999s"]


def test_concealed_kong_with_two_tiles_face_down(row) -> None:
    table = lay(row("1m 2m 3m 5p 6p 7p 3z 3z 7s 8s", 60, 640) + row("back 8p 8p back", 60 + 10 * 41 + 40, 640))
    assert [(m.kind, m.tiles, len(m.indices)) for m in table.melds] == [("concealed_kong", "8888p", 4)]
    assert table.face_down == []


def test_the_gold_lies_on_the_wall(row) -> None:
    wall = row("back back back back back back back", 200, 200)
    table = lay(row(HAND, 100, 640) + wall + [("6s", 200 + 7 * 41, 200)] + row("1z 2z 9p", 700, 380))
    assert codes(table, [table.gold]) == ["6s"]
    assert table.as_record("xiamen")["gold"] == "6s"
    assert sorted(codes(table, table.discards)) == ["1z", "2z", "9p"]
    assert len(table.face_down) == 7


def test_a_lone_tile_without_a_wall_in_sight_is_a_guess(row) -> None:
    table = lay([*row(HAND, 100, 640), ("6s", 200, 150), *row("1z 2z 9p", 700, 380)])
    assert codes(table, [table.gold]) == ["6s"]
    assert not table.gold_sure
    assert table.gold_candidates == []


def test_of_two_lone_tiles_none_is_chosen_unless_one_was_the_indicator_before(row) -> None:
    tiles = [*row(HAND, 100, 640), ("6s", 200, 150), ("9p", 700, 380)]
    table = lay(tiles)
    assert table.gold is None
    assert sorted(codes(table, table.gold_candidates)) == ["6s", "9p"]
    known = Table.from_reading(table.reading, indicator=len(tiles) - 2)
    assert codes(known, [known.gold]) == ["6s"]
    assert not known.gold_sure


def test_with_the_wall_in_sight_a_lone_discard_is_not_the_gold(row) -> None:
    wall = row("back " * 10, 200, 200)
    hand = row(HAND, 100, 640)
    table = lay([*hand, *wall, ("9p", 700, 380)])
    assert table.gold is None
    assert codes(table, table.gold_candidates) == ["9p"]
    table = lay([*hand, *wall, ("9p", 700, 380), ("6s", 200 + 10 * 41, 200)])
    assert codes(table, [table.gold]) == ["6s"]
    assert table.gold_sure


def test_the_indicator_lies_on_top_of_the_wall(row) -> None:
    wall = row("back back back back", 200, 200) + row("back back back back", 200 + 5 * 41, 200)
    table = lay([*row(HAND, 100, 640), *wall, ("6s", 200 + 4 * 41, 192)])
    assert codes(table, [table.gold]) == ["6s"]
    assert table.gold_sure


def test_what_is_not_the_gold(row) -> None:
    hand = row(HAND, 100, 640)
    for lone in ([("2f", 200, 150)], [("9p", 100 + 13 * 41 + 25, 640)], row("9p 9p", 200, 150)):
        table = lay([*hand, *lone])
        assert table.gold is None
        assert table.gold_candidates == []


def test_a_white_in_a_meld_stands_for_the_gold(row) -> None:
    hand = row("1p 2p 3p 5p 6p 7p 3z 3z 7s 8s", 60, 640)
    melds = row("4m 5z 6m", 60 + 10 * 41 + 30, 640) + row("5z 5z 5z", 60 + 13 * 41 + 80, 640)
    wall = row("back " * 8, 200, 200)
    expected = [("chow", "46m5z"), ("pong", "555z")]
    seen = lay([*hand, *melds, *wall, ("5m", 200 + 8 * 41, 200)])
    assert [(m.kind, m.tiles) for m in seen.melds] == expected
    said = Table.from_reading(as_reading(placed([*hand, *melds])), gold="5m")
    assert [(m.kind, m.tiles) for m in said.melds] == expected
    assert [m.tiles for m in lay([*hand, *melds]).melds] == ["555z"]


def test_seventeen_in_one_row_have_a_last_tile_to_call_drawn(row) -> None:
    table = lay(row("1m 2m 3m 4m 5m 6m 7m 8m 9m 1p 2p 3p 4p 5p 6p 7p 7p", 60, 640))
    assert len(table.concealed) == 16
    assert codes(table, [table.drawn]) == ["7p"]


def test_every_tile_has_exactly_one_role(row) -> None:
    rng = np.random.default_rng(5)
    for _ in range(40):
        tiles = row(" ".join(rng.choice(["1m", "2m", "5p", "7z", "1f", "3s"], int(rng.integers(1, 15)))), 60, 640)
        tiles += [
            (str(rng.choice(["1m", "9p", "8f", "back", "4z"])), float(x), float(y))
            for x, y in rng.uniform(50, 600, (12, 2))
        ]
        table = lay(tiles)
        roles = [*table.concealed, *table.flowers, *table.discards, *table.others, *table.face_down]
        roles += [i for m in table.melds for i in m.indices]
        roles += [i for i in (table.drawn, table.gold) if i is not None]
        assert sorted(roles) == list(range(len(tiles)))


def test_meld_kinds() -> None:
    assert meld_kind([33, 33, 33, 33]) == "kong"
    assert meld_kind([26, 27, 28]) is None
    assert meld_kind([8, 9, 10]) is None
    assert meld_kind([34, 34, 34]) is None
    assert meld_kind([-1, -1, -1, -1]) is None
    assert meld_kind([2, 0, 1]) == "chow"


@pytest.mark.parametrize(
    ("tiles", "gold", "sort"),
    [
        ("46m5z", "5m", "chow"),
        ("46m5z", "6m", None),
        ("46m5z", None, None),
        ("555z", "5m", "pong"),
        ("5555z", "5m", "kong"),
        ("567z", "5m", None),
        ("46m5z", "5z", None),
        ("67p5z", "8p", "chow"),
        ("67p5z", "1z", None),
    ],
)
def test_meld_kinds_with_a_gold(tiles: str, gold: str | None, sort: str | None) -> None:
    assert meld_kind(list(parse_tiles(tiles)), INDEX[gold] if gold else None) == sort
