"""What does not add up on a table is said in a sentence, with the tiles it is about."""

from __future__ import annotations

from typing import Any

import pytest

from engine.text import LANGUAGES
from tests.vision.conftest import as_reading, placed
from vision.melds import Meld, seat_of
from vision.table import Table
from vision.zones import Zones

TEN = "1m 2m 4m 5p 6p 8p 3z 3z 7s 8s"  # with two melds a hand of 16


def lay(tiles: list[tuple[str, float, float]], **more: Any) -> Table:
    return Table.from_reading(as_reading(placed(tiles)), **more)


def problems(table: Table) -> dict[str, list[str]]:
    """The tiles concerned by code; every sentence is whole in every language."""
    for problem in table.problems:
        for language in LANGUAGES:
            sentence = problem.text.in_language(language)
            assert sentence.endswith((".", "。"))
            assert "{" not in sentence
        assert all(0 <= i < len(table.reading.detections) for i in problem.indices)
    return {p.code: [table.reading.detections.code(i) for i in p.indices] for p in table.problems}


def zone(kind: str, left: float, top: float, right: float, bottom: float) -> dict[str, Any]:
    """A zone of pixels of a picture of 1280 × 720."""
    corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
    return {"kind": kind, "polygon": [[x / 1280, y / 720] for x, y in corners]}


def test_a_whole_hand_has_no_problem(row) -> None:
    table = lay(row(TEN, 60, 640) + row("2p 3p 4p", 530, 640) + row("7z 7z 7z", 700, 640), size=16)
    assert problems(table) == {}
    assert table.side_sure


@pytest.mark.parametrize("size", [13, 16])
def test_a_covered_tile_leaves_a_place_that_is_named(row, size: int) -> None:
    names = ["1m", "2m", "4m", "5p", "6p", "8p", "3z", "3z", "7s", "8s", "9s", "1s", "4s", "6s", "7p", "9p"][:size]
    tiles = [tile for tile in row(" ".join(names), 60, 640) if tile[0] != "6p"]
    table = lay(tiles, size=size)
    assert problems(table) == {"tile_missing": ["5p", "8p"]}
    text = table.problems[0].text
    assert "5 dots and 8 dots" in text.en
    assert "五饼" in text.zh
    assert not table.side_sure
    assert problems(lay(tiles)) == {}  # nobody has said which game it is


def test_too_few_and_too_many_tiles(row) -> None:
    few = lay(row(TEN, 60, 640), size=16)
    assert problems(few) == {"too_few_tiles": []}
    assert "hand: 10" in few.problems[0].text.en
    assert "6 missing" in few.problems[0].text.en
    many = lay([*row("1m 2m 4m 5p 6p 8p 3z 3z 7s 8s 9s 1s 4s", 60, 640), ("6s", 640, 640), ("7p", 705, 640)], size=13)
    assert problems(many) == {"too_many_tiles": ["6s", "7p"]}
    assert "1 too many" in many.problems[0].text.en


def test_flowers_that_are_still_in_the_hand_count(row) -> None:
    table = lay(row("1f 1m 2m 4m 5p 6p 8p 3z 3z 7s 8s 9s 6f", 60, 640), size=13)
    assert problems(table) == {}
    assert table.drawn is None
    assert [table.reading.detections.code(i) for i in table.flowers] == ["1f", "6f"]


def test_a_meld_that_is_none(row) -> None:
    table = lay(row(TEN, 60, 640) + row("2p 3p 5p", 560, 640) + row("7z 7z 7z", 760, 640), size=16)
    assert problems(table)["no_meld"] == ["2p", "3p", "5p"]
    front = lay(row(TEN, 60, 640) + row("2p 3p 5p", 60, 550) + row("7z 7z 7z", 760, 640), size=16)
    assert problems(front)["no_meld"] == ["2p", "3p", "5p"]
    pool = lay(row("1m 2m 4m 5p 6p 8p 3z 3z 7s 8s 1p 9p 9s", 60, 640) + row("2p 3p 5p", 60, 550), size=13)
    assert problems(pool) == {}  # nothing is missing: these were discarded


def test_a_tile_between_the_hand_and_something_else(row) -> None:
    names = "1m 2m 4m 5p 6p 8p 3z 3z 7s 8s 9s 1s"
    table = lay([*row(names, 60, 640), ("6s", 60 + 11 * 41 + 130, 640)], size=13)
    assert problems(table)["between"] == ["6s"]
    whole = lay([*row(names + " 6s", 60, 640), ("9p", 60 + 12 * 41 + 130, 640)], size=13)
    assert problems(whole) == {}


def test_a_set_that_runs_away_from_the_edge_beside_my_melds(row) -> None:
    names, lying = row(TEN, 60, 640) + row("7z 7z 7z", 530, 640), [("9p", 720.0, 560.0 + 41 * k) for k in range(3)]
    detections = placed([*names, *lying])
    for index in range(len(names), len(detections)):
        x, y = detections.centres[index]
        detections.boxes[index] = (x - 27, y - 20, x + 27, y + 20)
    table = Table.from_reading(as_reading(detections), size=16)
    assert problems(table)["between"] == ["9p", "9p", "9p"]
    assert [meld.tiles for meld in table.melds] == ["777z"]


def test_a_set_as_far_from_the_hand_as_the_hands_own_pieces(row) -> None:
    tiles = row("1m 2m 4m 6m", 60, 640) + row("5p 6p 8p", 60 + 4 * 41 + 24, 640)
    x = 60 + 7 * 41 + 48
    table = lay(tiles + row("7z 7z 7z", x, 640) + row("1s 4s 9s", x + 3 * 41 + 24, 640) + row("2p 3p 4p", x + 6 * 41 + 50, 640), size=16)  # fmt: skip
    assert "hand_or_meld" in problems(table)


def test_a_concealed_kong_of_four_hidden_tiles(row) -> None:
    melds = row("7z 7z 7z", 530, 640) + row("back back back back", 710, 640)
    table = lay(row(TEN, 60, 640) + melds, size=16)
    assert [(meld.kind, meld.tiles) for meld in table.melds] == [("pong", "777z"), ("concealed_kong", "")]
    assert problems(table) == {"hidden_kong": ["back"] * 4}
    whole = lay(row("1m 2m 4m 5p 6p 8p 3z 3z 7s 8s 9s 1s 4s", 60, 640) + row("back back back back", 710, 640), size=13)
    assert problems(whole) == {}
    assert len(whole.face_down) == 4  # a piece of the wall


def test_a_fifth_tile_that_only_shows_with_a_concealed_kongs_hidden_ones(row) -> None:
    tiles = row("1m 2m 4m 5p 6p 9p 3z 3z 7s 8s", 60, 640) + row("7z 7z 7z", 530, 640) + row("back 8p 8p back", 700, 640)
    assert problems(lay([*tiles, *row("9p 9m", 600, 200)], size=16)) == {}
    table = lay([*tiles, *row("8p 9m", 600, 200)], size=16)
    assert problems(table) == {"fifth_hidden": ["8p", "8p", "8p"]}
    assert "there are 5 of 8 dots" in table.problems[0].text.en


def test_tiles_of_the_hand_that_lie_face_down(row) -> None:
    table = lay(row("1m 2m 4m 5p 6p 8p 3z 3z 7s 8s 9s back 4s", 60, 640), size=13)
    assert problems(table)["face_down_in_hand"] == ["back"]
    assert len(table.face_down) == 1


def test_a_row_of_sets_without_gaps_beside_a_single_tile(row) -> None:
    table = lay([*row("1m 2m 3m 6s 7s 8s", 60, 640), ("5z", 60 + 6 * 41 + 30, 640)], size=13)
    assert {"hand_or_meld", "too_few_tiles"} <= set(problems(table))


def test_a_winners_hand_laid_down_set_by_set_may_be_melds(row) -> None:
    tiles: list[tuple[str, float, float]] = []
    for number, part in enumerate(["1m 2m 3m", "4p 5p 6p", "7s 8s 9s", "2z 2z 2z", "9p 9p"]):
        tiles += row(part, 60 + number * (3 * 41 + 35), 640)
    table = lay(tiles, size=13)
    assert set(problems(table)) == {"hand_or_meld"}
    close = [tile for number, part in enumerate(["1m 2m 3m", "4p 5p 6p", "7s 8s 9s", "2z 2z 2z", "9p 9p"])
             for tile in row(part, 60 + number * (3 * 41 + 14), 640)]  # fmt: skip
    table = lay(close, size=13)
    assert len(table.concealed) == 13
    assert table.melds == []


def test_a_hidden_kong_above_my_melds(row) -> None:
    hand = row("1m 2m 4m 5p 6p 8p 3z 3z 7s 8s", 60, 640)
    column = row("7z 7z 7z", 560, 640) + row("back back back back", 560, 584)
    wall = row("back back back back", 700, 420)
    table = lay([*hand, *column, *wall], size=16)
    assert [(meld.kind, meld.tiles) for meld in table.melds] == [("pong", "777z"), ("concealed_kong", "")]
    assert len(table.face_down) == 4
    assert set(problems(table)) == {"hidden_kong"}
    named = lay([*hand, *column[:4], ("8p", column[4][1], 584), *column[5:], *wall], size=16)
    assert [(meld.kind, meld.tiles) for meld in named.melds] == [("pong", "777z"), ("concealed_kong", "8888p")]


# --- turned tiles -----------------------------------------------------------------------------------------------


def with_turned(tiles: list[tuple[str, float, float]], turned: list[int], **more: Any) -> Table:
    detections = placed(tiles)
    for index in turned:
        x, y = detections.centres[index]
        detections.boxes[index] = (x - 27, y - 13, x + 27, y + 27)
    return Table.from_reading(as_reading(detections), **more)


@pytest.mark.parametrize(("place", "source", "seat"), [(0, "left", "B"), (1, "across", "A"), (2, "right", "D")])
def test_the_turned_tile_tells_whom_a_pong_came_from(row, place: int, source: str, seat: str) -> None:
    hand = row("1m 2m 4m 5p 6p 8p 3z 3z 7s 8s 9s 1s 4s", 60, 640)
    at = [720.0, 761.0, 802.0]
    at = [x + (7 if k == place else 14 if k > place else 0) for k, x in enumerate(at)]
    table = with_turned([*hand, *(("7z", x, 640.0) for x in at)], [13 + place], size=16)
    assert table.melds == [Meld("pong", (13, 14, 15), "777z", source)]
    assert table.as_record("xiamen", seat="C")["melds"] == [{"kind": "pong", "tiles": "777z", "from": seat}]


def test_the_fourth_tile_on_the_turned_one_makes_an_added_kong(row) -> None:
    hand = row("1m 2m 4m 5p 6p 8p 3z 3z 7s 8s 9s 1s 4s", 60, 640)
    table = with_turned(
        [*hand, ("7z", 727, 640), ("7z", 775, 640), ("7z", 816, 640), ("7z", 727, 600)], [13, 16], size=16
    )
    assert [(meld.kind, meld.tiles, meld.source) for meld in table.melds] == [("added_kong", "7777z", "left")]
    assert problems(table) == {}


def test_seats_go_round_the_table() -> None:
    assert [seat_of("right", seat) for seat in "ABCD"] == list("BCDA")
    assert [seat_of("across", seat) for seat in "ABCD"] == list("CDAB")
    assert [seat_of("left", seat) for seat in "ABCD"] == list("DABC")


# --- zones ------------------------------------------------------------------------------------------------------


def test_zones_come_before_geometry(row) -> None:
    hand = row("1m 2m 4m 5p 6p 8p 3z 3z 7s 8s", 60, 300)  # in the middle of the picture, a longer row below it
    below = row("1p 4p 7p 9p 1s 4s 9m 9m 6m 2z 2z 4z 4z", 60, 660)
    melds = row("2p 3p 4p", 700, 150) + row("7z 7z 7z", 900, 150)
    rest = [*row("1f 6f", 60, 60), ("6s", 640, 60), *row("5m 5m", 1000, 400), ("3s", 1200, 60)]
    zones = Zones.from_json(
        [
            zone("concealed", 0, 240, 560, 360), zone("others", 0, 600, 1280, 720), zone("melds", 650, 90, 1050, 210),
            zone("flowers", 0, 0, 200, 120), zone("gold", 560, 0, 720, 85), zone("discards", 940, 340, 1280, 460),
            zone("ignore", 1150, 0, 1280, 120),
        ]
    )  # fmt: skip
    table = lay(hand + below + melds + rest, zones=zones, size=16)
    assert problems(table) == {}
    assert table.side == "bottom"
    record = table.as_record("xiamen")
    assert record["hand"] == "124m568p78s33z"
    assert record["melds"] == [{"kind": "chow", "tiles": "234p"}, {"kind": "pong", "tiles": "777z"}]
    assert (record["flowers"], record["gold"], table.gold_sure) == ("16f", "6s", True)
    assert record["table"]["visible"] == "55699m1479p14s2244z"
    assert [table.reading.detections.code(i) for i in table.ignored] == ["3s"]
    assert len(table.others) == 13


def test_what_does_not_belong_into_a_zone_is_said(row) -> None:
    tiles = row(TEN, 60, 640) + row("2p 3p 5p", 700, 640) + row("7z 7z 7z", 900, 640) + row("1f 9p", 60, 60)
    zones = Zones.from_json([zone("melds", 650, 580, 1100, 700), zone("flowers", 0, 0, 200, 120)])
    table = lay(tiles, zones=zones, size=16)
    found = problems(table)
    assert found["no_meld"] == ["2p", "3p", "5p"]
    assert found["no_flower"] == ["9p"]
    assert [table.reading.detections.code(i) for i in table.flowers] == ["1f"]


def test_backs_flowers_and_hidden_kongs_in_zones(row) -> None:
    tiles = row("1m 2m 4m 5p 6p 8p 3z 3z 7s 8s", 60, 640) + row("7z 7z 7z 1f", 700, 640)
    tiles += row("back back back back", 900, 640) + row("9p back", 60, 60) + row("back 2s", 400, 60)
    zones = Zones.from_json(
        [zone("melds", 650, 580, 1100, 700), zone("discards", 0, 0, 200, 120), zone("others", 340, 0, 700, 120)]
    )
    table = lay(tiles, zones=zones, size=16)
    assert [(meld.kind, meld.tiles) for meld in table.melds] == [("pong", "777z"), ("concealed_kong", "")]
    assert [table.reading.detections.code(i) for i in table.flowers] == ["1f"]
    assert [table.reading.detections.code(i) for i in table.discards] == ["9p"]
    assert [table.reading.detections.code(i) for i in table.others] == ["2s"]
    assert len(table.face_down) == 2
    assert set(problems(table)) == {"hidden_kong"}


def test_in_the_zone_of_the_gold_two_tiles_leave_it_open(row) -> None:
    tiles = [*row(TEN, 60, 640), ("6s", 600, 60), ("9p", 700, 60)]
    table = lay(tiles, zones=Zones.from_json([zone("gold", 500, 0, 800, 120)]))
    assert table.gold is None
    assert len(table.gold_candidates) == 2
    elsewhere = lay([*tiles[:-2], ("6s", 100, 60)], zones=Zones.from_json([zone("gold", 500, 0, 800, 120)]))
    assert elsewhere.gold is None


@pytest.mark.parametrize(
    ("corners", "side"),
    [((0, 600, 1280, 720), "bottom"), ((0, 0, 1280, 120), "top"), ((0, 0, 160, 720), "left"), ((1120, 0, 1280, 720), "right")],
)  # fmt: skip
def test_the_zone_of_the_hand_tells_the_side(row, corners: tuple[float, float, float, float], side: str) -> None:
    assert lay(row(TEN, 300, 350), zones=Zones.from_json([zone("concealed", *corners)])).side == side


def test_a_likelier_side_that_does_not_add_up_is_asked_about(row) -> None:
    mine = row("1m 2m 4m 5p 6p 8p 3z 3z 7s 8s 9s 1s", 300, 650)  # a tile is covered
    theirs = row("1p 4p 7p 9p 1s 4s 9m 9m 6m 2z 2z 4z 4z", 300, 60)
    table = lay(mine + theirs, size=13)
    assert table.side == "top"
    assert "which_side" in problems(table)
    assert not table.side_sure
    told = lay(mine + theirs, size=13, seat="bottom")
    assert "which_side" not in problems(told)
    assert "too_few_tiles" in problems(told)


def test_an_unknown_side_is_an_error(row) -> None:
    with pytest.raises(ValueError, match="no side 'north'"):
        lay(row(TEN, 60, 640), seat="north")


def test_everything_reaches_json(row) -> None:
    data = lay(row(TEN, 60, 640) + row("2p 3p 5p", 560, 640), size=16).as_json()
    assert data["side"] == "bottom"
    assert [problem["code"] for problem in data["problems"]] == ["too_few_tiles", "no_meld"]
    assert data["problems"][1]["indices"] == [10, 11, 12]
