"""What options, waits and kongs answer beyond the worked hands (RULES 7.4)."""

from __future__ import annotations

from typing import Any

import pytest

from engine import api, shapes

Json = dict[str, Any]


def record(hand: str, **fields: Any) -> Json:
    return {"rules": "xiamen", "gold": "5m", "dealer": "A", "seat": "C", "hand": hand} | fields


def entry(answer: Json, tile: str) -> Json:
    return next(found for found in answer["discards"] if found["tile"] == tile)


READY = "123m 789m 99p 45s 234p 678p"


def test_waits_of_a_hand_between_turns() -> None:
    answer = api.waits(record(READY))
    assert answer["state"] == "ready"
    assert [(wait["tile"], wait["left"], wait["by_discard"]) for wait in answer["waits"]] == [
        ("3s", 4, True),
        ("6s", 4, True),
    ]
    assert answer["waits"][0]["self_draw"]["payments"]["C"] == 48
    assert answer["waits"][0]["discard"]["payments"]["C"] == 24


def test_a_wait_without_a_copy_left_is_not_listed() -> None:
    answer = api.waits(record(READY, table={"visible": "3333s"}))
    assert [wait["tile"] for wait in answer["waits"]] == ["6s"]
    none = api.waits(record(READY, table={"visible": "33336666s"}))
    # Only a gold would still complete it, and a gold is never listed as a wait.
    assert none == {"state": "not_ready", "shanten": 0, "useful": [{"tile": "5m", "left": 3}]}


def test_waits_with_a_gold_are_for_self_draw_only() -> None:
    answer = api.waits(record("123m 678s 99p 45s 234p 67p 5m"))
    assert all(not wait["by_discard"] for wait in answer["waits"])
    assert answer["waits"][0]["why_not_by_discard"]["code"] == "holds_gold"
    assert "discard" not in answer["waits"][0]


def test_the_white_is_listed_where_the_face_of_the_gold_is_needed() -> None:
    answer = api.waits(record("46m 678s 99p 345s 234p 678p"))
    assert [wait["tile"] for wait in answer["waits"]] == ["5z"]
    assert answer["waits"][0]["left"] == 4


@pytest.mark.parametrize(
    ("youjin", "state", "multiplier"),
    [(0, "youjin", 4), (1, "youjin", 4), (2, "double_youjin", 8), (3, "triple_youjin", 16)],
)
def test_waits_in_youjin(youjin: int, state: str, multiplier: int) -> None:
    answer = api.waits(record("123m 678s 999p 456s 234p 5m", youjin=youjin))
    assert (answer["state"], answer["waits"]) == (state, "any")
    assert answer["if_won"]["multiplier"] == multiplier


def test_not_ready_tells_how_far_and_what_helps() -> None:
    answer = api.waits(record("123m 678s 99p 45s 234p 69p 1z"))
    assert answer["state"] == "not_ready"
    assert answer["shanten"] == 1
    useful = {item["tile"]: item["left"] for item in answer["useful"]}
    assert {"3s", "6s", "9s", "5m"} <= set(useful)
    assert useful["5m"] == 3
    assert "5z" not in useful


def test_win_now_takes_the_best_paying_way_and_lists_the_others() -> None:
    answer = api.options(record("123m 678s 999p 456s 234p 5m", drawn="1z"))
    assert answer["win_now"]["method"] == "self_draw"
    assert "others" not in answer["win_now"]
    three = api.options(record("123m 678s 99p 456s 234p 55m", drawn="5m"))["win_now"]
    assert three["method"] == "three_golds"
    assert [other["method"] for other in three["others"]] == ["self_draw"]
    none = api.options(record(READY, drawn="1z"))["win_now"]
    assert none["legal"] is False
    assert none["why"]["code"] == "not_complete"


def test_triple_youjin() -> None:
    answer = api.options(record("123m 456p 789s 222z 345s 5m", drawn="5m", youjin=2))
    gold = entry(answer, "5m")
    assert (gold["state"], gold["legal"]) == ("triple_youjin", True)
    assert gold["if_won"]["bonus"]["A"] == -250
    assert answer["win_now"]["method"] == "double_youjin"


def test_r2_golds_discarded_for_shuangyou_are_seen() -> None:
    # Flipped, held, and one discarded: one of four golds is left, listed among the visible tiles or not.
    hand = record("19m 258p 147s 1234z 67z 2s 5m", youjin=2)
    for table in ({}, {"visible": "5m"}):
        golds = [item for item in api.waits(hand | {"table": table})["useful"] if item["tile"] == "5m"]
        assert golds == [{"tile": "5m", "left": 1}]


def test_discards_are_listed_once_for_each_physical_tile() -> None:
    answer = api.options(record("46m 5z 123p 789s 222z 345s 5m", drawn="9p"))
    tiles = [found["tile"] for found in answer["discards"]]
    assert len(tiles) == len(set(tiles)) == 15
    assert {"5z", "5m"} <= set(tiles)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"hand": "1111z 678s 99p 45s 234p 67p", "drawn": "9s"}, ["1111z"]),
        ({"hand": "111z 678s 99p 45s 234p 678p", "drawn": "1z"}, ["1111z"]),
        ({"hand": "5555z 678s 99p 45s 234p 67p", "drawn": "9s"}, ["5555z"]),
        ({"hand": "123m 678s 99p 45s 678p", "drawn": "2p", "melds": [{"kind": "pong", "tiles": "222p"}]}, ["2222p"]),
        ({"hand": "123m 678s 99p 45s 2p 67p", "drawn": "1z", "melds": [{"kind": "pong", "tiles": "222p"}]}, ["2222p"]),
        ({"hand": "123m 678s 99p 45s 678p", "drawn": "2p", "melds": [{"kind": "chow", "tiles": "234p"}]}, []),
        ({"hand": "123m 678s 99p 45s 234p 678p", "drawn": "9s"}, []),
    ],
)
def test_7_4_6_kongs(fields: Json, expected: list[str]) -> None:
    base = record("")
    assert api.options(base | fields)["kongs"] == expected


def test_advice_names_legal_discards_and_why() -> None:
    answer = api.options(record("123m 456p 789s 222z 345s 5m", drawn="9p"))
    assert answer["advice"][0]["tile"] == "9p"
    assert all(entry(answer, item["tile"])["legal"] for item in answer["advice"] if item["tile"] is not None)
    assert [item["key"] for item in answer["advice"] if item.get("win")] == ["win_now"]
    assert all(item["why"]["zh_hant"] for item in answer["advice"])
    far = api.options(record("147m 258p 369s 1234z 6z 12s", drawn="9p"))
    assert far["advice"]
    assert "from ready" in far["advice"][0]["why"]["en"]


def test_shanten_counts_exchanges() -> None:
    # 9 isolated tiles and two golds: every set and the pair still need tiles.
    packed = shapes.pack([0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 28, 29, 30])
    assert shapes.standard_distance(packed, 0, 4) == 9
    assert shapes.standard_distance(packed, 2, 4) == 7
    assert shapes.standard_distance(packed, 30, 4) == 0


def test_distances_with_each_agree_with_the_distance() -> None:
    packed = shapes.pack([0, 1, 4, 4, 10, 11, 12, 20, 22, 27, 27, 30, 33])
    before, after = shapes.distances_with_each(packed, 4)
    assert before == shapes.standard_distance(packed, 0, 4)
    assert after == [shapes.standard_distance(packed + unit, 0, 4) for unit in shapes.UNIT]
