"""Zhangzhou, rule by rule; the names carry the paragraphs of RULES ZZ. The worked examples are in test_cases."""

from __future__ import annotations

from typing import Any

import pytest

from engine import api

Json = dict[str, Any]

# One gold (5m) in 67p5m; waits 3s and 6s.
ONE_GOLD = "123m 678s 99p 45s 67p 5m"
PLAIN = "123m 678s 99p 45s 678p"
CHOW = {"kind": "chow", "tiles": "234p", "from": "A"}


def record(hand: str = PLAIN, win: Json | None = None, **fields: Any) -> Json:
    """B's record with gold 5m and one chow; A deals."""
    base: Json = {"rules": "zhangzhou", "gold": "5m", "dealer": "A", "seat": "B", "hand": hand, "melds": [CHOW]}
    return base | ({"win": win} if win else {}) | fields


def draw(tile: str = "3s", **extra: Any) -> Json:
    return {"by": "self_draw", "tile": tile, **extra}


def discard(tile: str = "3s", source: str = "C", **extra: Any) -> Json:
    return {"by": "discard", "tile": tile, "from": source, **extra}


def pays(data: Json) -> dict[str, int]:
    answer = api.score(data)
    assert answer["valid"], answer
    assert sum(answer["payments"].values()) == 0
    assert set(answer["bonus"].values()) == {0}
    assert all(line[language] for line in answer["lines"] for language in ("zh", "zh_hant", "en"))
    return dict(answer["payments"])


def refused(data: Json) -> str:
    answer = api.score(data)
    assert answer["valid"] is False, answer
    assert all(answer["error"][language] for language in ("zh", "zh_hant", "en"))
    return str(answer["error"]["code"])


# --- ZZ 1.6, 1.7: white and gold ------------------------------------------------------------------------


def test_zz_1_6_a_discarded_white_is_won_on_as_the_face() -> None:
    assert pays(record("46m 678s 99p 345s 678p", discard("5z"))) == {"A": -6, "B": 16, "C": -5, "D": -5}


def test_zz_1_7_a_discarded_gold_is_never_won_on() -> None:
    assert refused(record("46m 678s 99p 345s 678p", discard("5m"))) == "gold_discarded"


def test_zz_1_6_gold_is_the_white_itself() -> None:
    answer = api.score(record("123m 678s 99p 45s 67p 5z", draw(), gold="5z"))
    assert answer["valid"]
    assert answer["golds_as"] in (["5p"], ["8p"])


# --- ZZ 1.9, 4.5: the last hand ----------------------------------------------------------------------------


def test_zz_1_9_last_hand_discarder_pays_for_all() -> None:
    assert pays(record(win=discard(last_tile=True))) == {"A": 0, "B": 16, "C": -16, "D": 0}


def test_zz_1_9_robbed_konger_too() -> None:
    win = {"by": "rob_kong", "tile": "3s", "from": "D", "last_tile": True}
    assert pays(record(win=win)) == {"A": 0, "B": 32, "C": 0, "D": -32}


@pytest.mark.parametrize(
    ("house", "win", "expected"),
    [
        ({"last_hand_liability": False}, discard(last_tile=True), {"A": -6, "B": 16, "C": -5, "D": -5}),
        (
            {"last_hand_liability": False},
            {"by": "rob_kong", "tile": "3s", "from": "D", "last_tile": True},
            {"A": -12, "B": 32, "C": -10, "D": -10},
        ),
        (
            {"last_hand_liability_rob_kong": False},
            {"by": "rob_kong", "tile": "3s", "from": "D", "last_tile": True},
            {"A": -12, "B": 32, "C": -10, "D": -10},
        ),
        ({"last_hand_liability_rob_kong": False}, discard(last_tile=True), {"A": 0, "B": 16, "C": -16, "D": 0}),
        ({"discard_payers": "single_double"}, discard(last_tile=True), {"A": 0, "B": 10, "C": -10, "D": 0}),
    ],
)
def test_zz_1_9_house_keys(house: Json, win: Json, expected: dict[str, int]) -> None:
    assert pays(record(win=win, house=house)) == expected


def test_zz_1_9_a_last_self_draw_is_paid_by_all() -> None:
    assert pays(record(win=draw(last_tile=True))) == {"A": -12, "B": 32, "C": -10, "D": -10}


# --- ZZ 2.2, 2.3, 2.4: who may win on a discard ------------------------------------------------------------


def test_zz_2_2_one_gold_may_win_on_a_discard() -> None:
    assert pays(record(ONE_GOLD, discard())) == {"A": -6, "B": 16, "C": -5, "D": -5}


@pytest.mark.parametrize(
    ("limit", "golds", "open_"),
    [(2, 1, True), (2, 2, False), (0, 2, True), (1, 1, False), (3, 2, True), (3, 1, True)],
)
def test_zz_2_2_no_discard_win_with_golds(limit: int, golds: int, open_: bool) -> None:
    hand = ONE_GOLD if golds == 1 else "123m 678s 99p 45s 6p 55m"
    data = record(hand, discard(), house={"no_discard_win_with_golds": limit})
    if open_:
        assert pays(data)["B"] == 16
    else:
        assert refused(data) == "holds_gold"


def test_zz_2_2_whites_do_not_count_as_golds() -> None:
    assert pays(record("46m 5z 678s 99p 45s 678p", discard()))["B"] == 16


LONE = "123m 678s 999p 345s 5m"


def test_zz_2_3_a_hand_in_youjin_shape_does_not_win_on_a_discard() -> None:
    assert refused(record(LONE, discard("7z"))) == "lone_wild"
    assert refused(record(LONE, discard("7z"), youjin=1)) == "lone_wild"


def test_zz_2_3_lone_wild_discard_win() -> None:
    assert pays(record(LONE, discard("7z"), house={"lone_wild_discard_win": True}))["B"] == 16


def test_zz_2_4_robbing_a_kong_is_no_discard() -> None:
    rob = {"by": "rob_kong", "tile": "7z", "from": "D"}
    assert pays(record(LONE, rob))["B"] == 32
    assert pays(record("123m 678s 99p 45s 6p 55m", {**rob, "tile": "3s"}))["B"] == 32


def test_zz_2_4_rob_kong_with_gold() -> None:
    rob = {"by": "rob_kong", "tile": "3s", "from": "D"}
    assert refused(record(ONE_GOLD, rob, house={"rob_kong_with_gold": False})) == "holds_gold"
    assert pays(record(PLAIN, rob, house={"rob_kong_with_gold": False}))["B"] == 32


def test_zz_2_5_nobody_wins_on_a_discard_during_shuangyou() -> None:
    assert refused(record(win=discard(), table={"youjin": {"D": 2}})) == "during_double_youjin"
    assert pays(record(win=discard(), table={"youjin": {"D": 1}}))["B"] == 16
    assert pays(record(win=draw(), table={"youjin": {"D": 2}}))["B"] == 32


# --- ZZ 2.7: 分餅 -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("count", "each"), [(0, 0), (1, 5), (2, 15), (3, 35)])
def test_zz_2_7_fenbing_doubles(count: int, each: int) -> None:
    answer = api.event({"rules": "zhangzhou", "event": "follow", "dealer": "C", "count": count, "base": 5})
    assert answer["payments"] == {"A": each, "B": each, "C": -3 * each, "D": each}
    assert answer["bonus"] == {"A": 0, "B": 0, "C": 0, "D": 0}
    assert "next" not in answer


def test_zz_2_7_fenbing_without_a_base_takes_that_of_the_house() -> None:
    data = {"rules": "zhangzhou", "event": "follow", "count": 1, "house": {"base_nondealer": 7}}
    assert api.event(data)["payments"]["A"] == -21


def test_zz_2_7_fenbing_needs_a_count_and_shows_its_steps() -> None:
    missing = api.event({"rules": "zhangzhou", "event": "follow", "base": 5})
    assert (missing["error"]["code"], missing["error"]["field"]) == ("missing", "count")
    shown = [
        api.event({"rules": "zhangzhou", "event": "follow", "count": count, "base": 5})["lines"][0]["zh"]
        for count in (1, 2)
    ]
    assert shown == ["分饼 1 次：庄家 A 付每家 5", "分饼 2 次：庄家 A 付每家 5 + 10 = 15"]


def test_zz_2_7_house_without_fenbing() -> None:
    answer = api.event({"rules": "zhangzhou", "event": "follow", "count": 1, "house": {"fenbing": False}})
    assert (answer["error"]["code"], answer["error"]["field"]) == ("no_fenbing", "event")


def test_zz_1_10_a_draw_keeps_the_dealer() -> None:
    answer = api.event({"rules": "zhangzhou", "event": "draw", "dealer": "B", "table": {"dealer_streak": 1}})
    assert answer["next"] == {"dealer": "B", "dealer_streak": 2, "draw_streak": 1}


# --- ZZ 3: ways to win -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "win", "fields", "multiplier"),
    [
        (PLAIN, discard(), {}, 1),
        (PLAIN, draw(), {}, 2),
        (LONE, draw("7z"), {}, 2),
        (LONE, draw("7z"), {"youjin": 1}, 4),
        (LONE, draw("7z"), {"youjin": 2}, 8),
        (LONE, draw("7z"), {"youjin": 3}, 16),
        (LONE, {"by": "self_draw"}, {"youjin": 3}, 16),
        (LONE, draw("7z"), {"youjin": 3, "house": {"sanyou_multiplier": 12}}, 12),
        (PLAIN, {"by": "rob_kong", "tile": "3s", "from": "D"}, {}, 2),
        (PLAIN, {"by": "rob_kong", "tile": "3s", "from": "D"}, {"house": {"rob_kong_multiplier": 1}}, 1),
        ("19m 2589p 147s 12z 55m", {"by": "three_golds"}, {"drawn": "5m"}, 2),
    ],
)
def test_zz_3_multipliers(hand: str, win: Json, fields: Json, multiplier: int) -> None:
    answer = api.score(record(hand, win, **fields))
    assert answer["valid"], answer
    assert answer["multiplier"] == multiplier
    assert answer["payments"]["C"] == -5 * multiplier
    assert answer["payments"]["A"] == -6 * multiplier


@pytest.mark.parametrize(("house", "multiplier"), [({}, 2), ({"qiangjin_multiplier": 4}, 4)])
def test_zz_3_gold_grab(house: Json, multiplier: int) -> None:
    data = record("123m 456p 789m 111z 34p 88s", {"by": "gold_grab"}, gold="9s", melds=[], house=house)
    assert pays(data) == {"A": -6 * multiplier, "B": 16 * multiplier, "C": -5 * multiplier, "D": -5 * multiplier}


@pytest.mark.parametrize(
    ("house", "multiplier"), [({}, 4), ({"tianhu_multiplier": 8}, 8), ({"tianhu_multiplier": 10}, 10)]
)
def test_zz_3_opening(house: Json, multiplier: int) -> None:
    data = record("123m 456p 789m 111z 34p 88s", {"by": "opening", "tile": "5p"}, seat="A", melds=[], house=house)
    assert pays(data)["A"] == 18 * multiplier


def test_zz_3_three_golds_needs_three() -> None:
    assert refused(record("19m 2589p 147s 123z 5m", {"by": "three_golds"}, drawn="5m")) == "too_few_golds"


def test_zz_3_opening_by_a_non_dealer() -> None:
    assert refused(record("123m 456p 789m 111z 34p 88s", {"by": "opening", "tile": "5p"}, melds=[])) == "not_dealer"


def test_zz_3_there_are_no_seven_pairs() -> None:
    assert refused(record("1133m 2255p 66s 77z 1s", draw("1s"))) == "not_complete"


def test_zz_r7_youjin_without_the_shape() -> None:
    assert refused(record(PLAIN, draw(), youjin=1)) == "no_youjin_shape"


def test_zz_3_names_of_the_levels() -> None:
    names = [api.score(record(LONE, draw("7z"), youjin=level))["method_name"]["zh_hant"] for level in (0, 1, 2, 3)]
    assert names == ["自摸", "單游", "雙游", "三游"]


# --- ZZ 4: bases, streaks, points ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("house", "seat", "expected"),
    [
        ({}, "B", {"A": -12, "B": 32, "C": -10, "D": -10}),
        ({}, "A", {"A": 36, "B": -12, "C": -12, "D": -12}),
        ({"base_nondealer": 1, "base_dealer": 2}, "B", {"A": -4, "B": 8, "C": -2, "D": -2}),
        ({"scoring_profile": "club"}, "B", {"A": -10, "B": 30, "C": -10, "D": -10}),
        ({"scoring_profile": "club"}, "A", {"A": 30, "B": -10, "C": -10, "D": -10}),
        ({"scoring_profile": "club", "base_nondealer": 3, "base_dealer": 9}, "A", {"A": 18, "B": -6, "C": -6, "D": -6}),
    ],
)
def test_zz_4_1_bases(house: Json, seat: str, expected: dict[str, int]) -> None:
    chow = {"kind": "chow", "tiles": "234p"}
    assert pays(record(win=draw(), seat=seat, melds=[chow], house=house)) == expected


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("plus_one", {"A": -18, "B": 50, "C": -16, "D": -16}),
        ("double", {"A": -96, "B": 116, "C": -10, "D": -10}),
        ("none", {"A": -12, "B": 32, "C": -10, "D": -10}),
    ],
)
def test_zz_4_1_streak_mode(mode: str, expected: dict[str, int]) -> None:
    assert pays(record(win=draw(), house={"streak_mode": mode}, table={"dealer_streak": 3})) == expected


@pytest.mark.parametrize(("mode", "each"), [("plus_one", 16), ("double", 10), ("none", 10)])
def test_zz_4_3_streak_mode_of_the_club(mode: str, each: int) -> None:
    house = {"streak_mode": mode, "scoring_profile": "club"}
    assert pays(record(win=draw(), house=house, table={"dealer_streak": 3}))["C"] == -each


@pytest.mark.parametrize(
    ("flowers", "house", "points"),
    [
        ("", {}, 0),
        ("123f", {}, 0),
        ("1234f", {}, 1),
        ("12345678f", {}, 5),
        ("12f", {"free_flowers": 0}, 2),
        ("12345678f", {"free_flowers": 8}, 0),
    ],
)
def test_zz_4_2_flower_points(flowers: str, house: Json, points: int) -> None:
    answer = api.score(record(win=draw(), flowers=flowers, house=house))
    assert answer["water_total"] == points
    assert answer["payments"]["C"] == -(10 + points)
    assert [item["tiles"] for item in answer["water"]] == ([flowers] if points else [])


@pytest.mark.parametrize(("kind", "points"), [("pong", 0), ("kong", 1), ("added_kong", 1), ("concealed_kong", 2)])
def test_zz_4_2_kong_points(kind: str, points: int) -> None:
    tiles = "111z" if kind == "pong" else "1111z"
    answer = api.score(record(win=draw(), melds=[{"kind": kind, "tiles": tiles}]))
    assert answer["water_total"] == points
    assert answer["payments"]["C"] == -(10 + points)


def test_zz_4_3_the_club_multiplies_the_points() -> None:
    data = record(win=draw(), melds=[{"kind": "concealed_kong", "tiles": "1111z"}], house={"scoring_profile": "club"})
    assert pays(data) == {"A": -14, "B": 42, "C": -14, "D": -14}


@pytest.mark.parametrize(
    ("mode", "source", "expected"),
    [
        ("all", "C", {"A": -6, "B": 16, "C": -5, "D": -5}),
        ("single", "C", {"A": 0, "B": 5, "C": -5, "D": 0}),
        ("single", "A", {"A": -6, "B": 6, "C": 0, "D": 0}),
        ("single_double", "C", {"A": 0, "B": 10, "C": -10, "D": 0}),
    ],
)
def test_zz_4_4_discard_payers(mode: str, source: str, expected: dict[str, int]) -> None:
    assert pays(record(win=discard(source=source), house={"discard_payers": mode})) == expected


def test_zz_4_4_a_self_draw_is_paid_by_all_whatever_the_house() -> None:
    assert pays(record(win=draw(), house={"discard_payers": "single"}))["B"] == 32


# --- the reading, options ------------------------------------------------------------------------------------


def test_the_reading_shows_every_tile_once() -> None:
    answer = api.score(record(ONE_GOLD, draw()))
    assert sum(char.isdigit() for group in answer["reading"] for char in group) == 14
    assert answer["golds_as"] in (["5p"], ["8p"])
    assert api.score(record(LONE, {"by": "self_draw"}, youjin=3))["reading"][-1] == "5m"
    assert api.score(record("19m 2589p 147s 12z 55m", {"by": "three_golds"}, drawn="5m"))["reading"] == []


def two_golds(**fields: Any) -> Json:
    return api.options(record("123m 456p 789s 34s 55m", drawn="5s", **fields))


@pytest.mark.parametrize(("direct", "legal"), [(True, True), (False, False)])
def test_zz_3_direct_shuangyou(direct: bool, legal: bool) -> None:
    answer = two_golds(house={"direct_shuangyou": direct})
    entry = next(entry for entry in answer["discards"] if entry["tile"] == "5m")
    assert (entry["state"], entry["legal"]) == ("double_youjin", legal)


def test_zz_1_7_a_gold_may_be_discarded_as_an_ordinary_tile() -> None:
    answer = api.options(record("123m 456p 789s 24s 8m 5m", drawn="9p"))
    entry = next(entry for entry in answer["discards"] if entry["tile"] == "5m")
    assert entry["legal"]


def test_7_4_1_three_golds_beside_a_self_draw() -> None:
    answer = api.options(record("19m 258p 147s 123z 55m", drawn="5m"))
    assert answer["win_now"]["method"] == "three_golds"
