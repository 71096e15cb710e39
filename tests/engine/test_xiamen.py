"""Xiamen, rule by rule; the names carry the paragraphs of RULES XM. The worked examples are in test_cases."""

from __future__ import annotations

from typing import Any

import pytest

from engine import api

Json = dict[str, Any]


def record(hand: str, win: Json | None = None, **fields: Any) -> Json:
    """A non-dealer's record with gold 5m."""
    base: Json = {"rules": "xiamen", "gold": "5m", "dealer": "A", "seat": "C", "hand": hand}
    return base | ({"win": win} if win else {}) | fields


def self_draw(tile: str, **extra: Any) -> Json:
    return {"by": "self_draw", "tile": tile, **extra}


def discard(tile: str, source: str = "B") -> Json:
    return {"by": "discard", "tile": tile, "from": source}


def meld(kind: str, tiles: str) -> Json:
    return {"kind": kind, "tiles": tiles}


def water(answer: Json) -> dict[str, int]:
    assert answer["valid"], answer
    return {f"{item['key']} {item['tiles']}": item["value"] for item in answer["water"]}


def code(answer: Json) -> str:
    assert answer["valid"] is False, answer
    return str(answer["error"]["code"])


PLAIN = "123m 678s 99p 45s 234p 678p"  # waits 3s 6s, no water


# --- XM 4.1: base -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seat", "house", "streak", "base"),
    [
        ("C", {}, 0, 8),
        ("C", {}, 3, 8),
        ("A", {}, 0, 16),
        ("A", {}, 3, 128),
        ("A", {"streak_mode": "plus_one"}, 3, 19),
        ("C", {"streak_mode": "plus_one"}, 3, 11),
        ("A", {"streak_mode": "none"}, 3, 16),
        ("C", {"base_nondealer": 5}, 0, 5),
        ("A", {"base_dealer": 20}, 1, 40),
    ],
)
def test_xm_4_1_base(seat: str, house: Json, streak: int, base: int) -> None:
    answer = api.score(record(PLAIN, self_draw("6s"), seat=seat, house=house, table={"dealer_streak": streak}))
    assert answer["base"] == base
    assert max(answer["payments"].values()) == 3 * 2 * base
    assert any(line["key"] == "base" for line in answer["lines"]) == (base not in (8, 16, 5, 20))


def test_xm_4_1_losing_dealer_pays_with_his_streak() -> None:
    house = {"dealer_loser_pays_dealer_base": True}
    answer = api.score(record(PLAIN, self_draw("6s"), house=house, table={"dealer_streak": 1}))
    assert answer["payments"] == {"A": -64, "B": -16, "C": 96, "D": -16}
    assert [line["zh_hant"] for line in answer["lines"]] == [
        "(32 底 + 0 水) × 2 = 64，A 付",
        "(8 底 + 0 水) × 2 = 16，B、D 各付",
    ]
    assert answer["lines"][0]["en"] == "(32 base + 0 water) × 2 = 64 from A"


def test_xm_a17_formula() -> None:
    house = {"formula": "base_times_multiplier_plus_water"}
    answer = api.score(record(PLAIN, self_draw("6s"), house=house, flowers="123f"))
    assert answer["payments"]["C"] == 3 * (8 * 2 + 3)
    assert answer["lines"][0]["en"] == "8 base × 2 + 3 water = 19 from each of A, B, D"


# --- XM 4.2, 4.3: water -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "tiles", "key", "value"),
    [
        ("pong", "111z", "pong_wind", 1),
        ("pong", "777z", "pong_dragon", 1),
        ("kong", "2222p", "exposed_kong_suited", 2),
        ("added_kong", "2222p", "exposed_kong_suited", 2),
        ("concealed_kong", "2222p", "concealed_kong_suited", 3),
        ("kong", "1111z", "exposed_kong_wind", 3),
        ("added_kong", "6666z", "exposed_kong_dragon", 3),
        ("concealed_kong", "1111z", "concealed_kong_wind", 4),
        ("concealed_kong", "7777z", "concealed_kong_dragon", 4),
    ],
)
def test_xm_4_2_melds(kind: str, tiles: str, key: str, value: int) -> None:
    answer = api.score(record("123m 678s 99p 45s 678p", self_draw("6s"), melds=[meld(kind, tiles)]))
    assert water(answer) == {f"{key} {tiles}": value}


@pytest.mark.parametrize("entry", [meld("pong", "222p"), meld("chow", "234p")])
def test_xm_4_2_melds_without_water(entry: Json) -> None:
    assert water(api.score(record("123m 678s 99p 45s 678p", self_draw("6s"), melds=[entry]))) == {}


@pytest.mark.parametrize(
    ("tiles", "key", "value"),
    [
        ("222p", "concealed_triplet_suited", 1),
        ("111z", "concealed_triplet_wind", 2),
        ("777z", "concealed_triplet_dragon", 2),
    ],
)
def test_xm_4_2_concealed_triplets(tiles: str, key: str, value: int) -> None:
    answer = api.score(record("123m 678s 99p 45s 678p" + tiles, discard("6s")))
    assert water(answer) == {f"{key} {tiles}": value}


@pytest.mark.parametrize(
    ("flowers", "additive", "total"),
    [
        ("", False, 0),
        ("1f", False, 1),
        ("1235678f", False, 11),
        ("1234f", False, 8),
        ("5678f", False, 8),
        ("12345f", False, 9),
        ("12345678f", False, 16),
        ("1234f", True, 12),
        ("5678f", True, 12),
        ("12345678f", True, 24),
    ],
)
def test_xm_4_3a_flowers(flowers: str, additive: bool, total: int) -> None:
    answer = api.score(record(PLAIN, self_draw("6s"), flowers=flowers, house={"flower_set_additive": additive}))
    assert answer["water_total"] == total


@pytest.mark.parametrize(
    ("pair", "claimed", "expected"),
    [
        ("22p", "2p", {}),
        ("11z", "1z", {"pong_wind 111z": 1}),
        ("77z", "7z", {"pong_dragon 777z": 1}),
    ],
)
def test_xm_4_3c_triplet_completed_by_a_discard(pair: str, claimed: str, expected: Json) -> None:
    hand = "123m 678s 99p 345s 678p" + pair
    assert water(api.score(record(hand, discard(claimed)))) == expected
    # XM 4.3d: drawn, it is concealed.
    drawn = water(api.score(record(hand, self_draw(claimed))))
    assert sum(drawn.values()) == (1 if claimed == "2p" else 2)


def test_xm_4_3c_the_claimed_tile_stands_elsewhere() -> None:
    # 222p + 34p and a claimed 2p: the triplet was complete before, the claimed tile makes 234p.
    answer = api.score(record("123m 678s 99p 222p 34p 678p", discard("2p")))
    assert water(answer) == {"concealed_triplet_suited 222p": 1}


def test_xm_4_3d_triplets_of_a_dealt_hand_and_of_a_kong_replacement_are_concealed() -> None:
    hand = "123m 678s 99p 345s 678p 11z"
    assert api.score(record(hand, {"by": "opening", "tile": "1z"}, seat="A"))["water_total"] == 2
    kong = record("123m 678s 99p 345s 11z", self_draw("1z", kong="concealed"), melds=[meld("concealed_kong", "2222p")])
    answer = api.score(kong)
    assert answer["water_total"] == 5
    assert answer["method_name"]["zh_hant"] == "自摸（槓上開花）"


def test_xm_4_3e_a_triplet_with_a_gold_gives_nothing() -> None:
    answer = api.score(record("123m 678s 99p 345s 678p 1z 5m", self_draw("1z")))
    assert water(answer) == {"gold 5m": 1}
    assert answer["golds_as"] in (["1z"], ["9p"])
    three = api.score(record("123m 678s 345s 678p 22p 55m", self_draw("5m")))
    assert water(three) == {"gold 555m": 3}


def test_xm_4_3f_four_equal_tiles_are_a_triplet_and_a_single() -> None:
    answer = api.score(record("123m 678s 99p 678p 2222p 3p", self_draw("4p")))
    assert water(answer) == {"concealed_triplet_suited 222p": 1}


def test_xm_4_3g_the_reading_with_most_water_counts() -> None:
    # 111222333p: three runs would give nothing.
    answer = api.score(record("111222333p 678s 99p 45s", self_draw("6s")))
    assert answer["water_total"] == 3
    assert set(answer["reading"]) == {"111p", "222p", "333p", "456s", "678s", "99p"}


def test_xm_4_3h_golds() -> None:
    answer = api.score(record("123m 678s 99p 45s 234p 67p 5m", self_draw("5m")))
    assert water(answer) == {"gold 55m": 2}
    # 搶金: the taken gold counts as well.
    grab = api.score(record("123m 678s 99p 45s 234p 678p", {"by": "gold_grab"}))
    assert water(grab) == {"gold 5m": 1}
    assert grab["multiplier"] == 4


def test_xm_4_3i_three_golds_count_natural_triplets_whatever_the_shape() -> None:
    hand = "19m 2222p 147s 1112z 55m 5z"
    answer = api.score(record(hand, {"by": "three_golds"}, drawn="5m"))
    assert water(answer) == {"concealed_triplet_suited 222p": 1, "concealed_triplet_wind 111z": 2, "gold 555m": 3}
    assert answer["reading"] == []
    whites = api.score(record("19m 258p 147s 123z 55m 555z", {"by": "three_golds", "opening": True}, drawn="5m"))
    assert water(whites) == {"concealed_triplet_suited 555z": 1, "gold 555m": 3}


def test_xm_1_7_whites_count_as_the_face_of_the_gold() -> None:
    answer = api.score(record("123p 678s 99p 45s 678p 555z", self_draw("6s")))
    assert water(answer) == {"concealed_triplet_suited 555z": 1}
    assert "555m" in answer["reading"]
    dragon = api.score(record("123p 678s 99p 45s 678p 555z", self_draw("6s"), gold="6z"))
    assert water(dragon) == {"concealed_triplet_dragon 555z": 2}
    kong = api.score(record("123p 678s 99p 45s 678p", self_draw("6s"), gold="1z", melds=[meld("kong", "5555z")]))
    assert water(kong) == {"exposed_kong_wind 5555z": 3}


def test_xm_1_8_the_gold_is_the_white() -> None:
    answer = api.score(record("123p 678s 99p 45s 67p 5z 234m", self_draw("6s"), gold="5z"))
    assert water(answer) == {"gold 5z": 1}


# --- XM 2, 3: what is a win ---------------------------------------------------------------------------


def test_not_complete() -> None:
    assert code(api.score(record(PLAIN, self_draw("1z")))) == "not_complete"


def test_xm_2_3_a_discarded_gold_is_never_won_on() -> None:
    assert code(api.score(record("46m 678s 99p 456s 234p 678p", discard("5m")))) == "gold_discarded"
    rob = {"by": "rob_kong", "tile": "5m", "from": "B"}
    assert code(api.score(record("46m 678s 99p 456s 234p 678p", rob))) == "gold_discarded"


GOLD_HAND = "123m 678s 99p 45s 234p 67p 5m"  # waits 3s 6s (and more), one gold, no 游金 shape


@pytest.mark.parametrize(("limit", "valid"), [(0, True), (1, False), (2, True), (3, True)])
def test_xm_2_4_no_discard_win_with_golds(limit: int, valid: bool) -> None:
    answer = api.score(record(GOLD_HAND, discard("6s"), house={"no_discard_win_with_golds": limit}))
    assert answer["valid"] is valid
    assert valid or answer["error"]["code"] == "holds_gold"


@pytest.mark.parametrize("youjin", [0, 1])
def test_xm_a12_in_youjin_no_discard_is_won(youjin: int) -> None:
    hand = "123m 678s 999p 456s 234p 5m"
    house = {"no_discard_win_with_golds": 0}
    assert code(api.score(record(hand, discard("1z"), house=house, youjin=youjin))) == "in_youjin"


@pytest.mark.parametrize(("allowed", "valid"), [(True, True), (False, False)])
def test_xm_a14_robbing_a_kong_with_a_gold(allowed: bool, valid: bool) -> None:
    rob = {"by": "rob_kong", "tile": "6s", "from": "B"}
    assert api.score(record(GOLD_HAND, rob, house={"rob_kong_with_gold": allowed}))["valid"] is valid
    assert api.score(record(PLAIN, rob, house={"rob_kong_with_gold": allowed}))["valid"]


def test_xm_3_1_declared_youjin_does_not_exist() -> None:
    hand = "123m 678s 999p 456s 234p 5m"
    answer = api.score(record(hand, {"by": "youjin_declared"}, youjin=1))
    assert code(answer) == "no_such_win"
    assert "Xiamen" in answer["error"]["en"]


def test_xm_3_1_no_seven_pairs() -> None:
    assert code(api.score(record("1133m 2255p 66s 77z 1122z", self_draw("3z")))) == "not_complete"


@pytest.mark.parametrize("youjin", [1, 2, 3])
def test_r7_youjin_needs_the_shape(youjin: int) -> None:
    assert code(api.score(record(GOLD_HAND, self_draw("6s"), youjin=youjin))) == "no_youjin_shape"


def test_r7_without_the_state_it_is_a_plain_self_draw() -> None:
    answer = api.score(record("123m 678s 999p 456s 234p 5m", self_draw("1z")))
    assert (answer["method"], answer["multiplier"]) == ("self_draw", 2)


def test_r8_without_a_tile_one_gold_waits_for_anything() -> None:
    hand = "123m 678s 999p 456s 22z 55m"
    answer = api.score(record(hand, {"by": "self_draw"}, youjin=1))
    assert answer["reading"][-1] == "5m"
    assert water(answer) == {"concealed_triplet_suited 999p": 1, "gold 55m": 2}
    drawn = api.score(record(hand, self_draw("2z"), youjin=1))
    assert water(drawn) == {"concealed_triplet_suited 999p": 1, "concealed_triplet_wind 222z": 2, "gold 55m": 2}


@pytest.mark.parametrize(
    ("youjin", "method", "multiplier", "bonus"),
    [(1, "youjin", 4, 50), (2, "double_youjin", 8, 100)],
)
def test_xm_3_1_youjin_levels(youjin: int, method: str, multiplier: int, bonus: int) -> None:
    answer = api.score(record("123m 678s 999p 456s 234p 5m", self_draw("1z"), youjin=youjin))
    assert (answer["method"], answer["multiplier"], answer["bonus"]["A"]) == (method, multiplier, -bonus)
    assert answer["lines"][-1]["key"] == f"{method}_bonus"


@pytest.mark.parametrize(
    ("kong", "youjin", "method"),
    [("exposed", 1, "youjin"), ("concealed", 1, "self_draw"), ("concealed", 2, "self_draw")],
)
def test_xm_2_11_kong_in_youjin(kong: str, youjin: int, method: str) -> None:
    kind = "concealed_kong" if kong == "concealed" else "kong"
    win = self_draw("1z", kong=kong)
    answer = api.score(record("123m 678s 999p 456s 5m", win, youjin=youjin, melds=[meld(kind, "2222p")]))
    assert answer["method"] == method


@pytest.mark.parametrize(("by", "tile"), [("opening", "6s"), ("gold_grab", None)])
def test_opening_wins_come_before_any_meld(by: str, tile: str | None) -> None:
    win = {"by": by} | ({"tile": tile} if tile else {})
    melds = [meld("pong", "111z")]
    answer = api.score(record("123m 678s 99p 45s 678p", win, seat="A", melds=melds))
    assert code(answer) == "opening_with_melds"


def test_three_golds_as_dealt_come_before_any_meld() -> None:
    win = {"by": "three_golds", "opening": True}
    answer = api.score(record("19m 258p 147s 1z 6z 555m", win, melds=[meld("pong", "222z")], drawn="7z"))
    assert code(answer) == "opening_with_melds"


def test_r5_only_the_dealer_is_complete_as_dealt() -> None:
    assert code(api.score(record(PLAIN, {"by": "opening", "tile": "6s"}))) == "not_dealer"


def test_opening_with_all_tiles_in_hand() -> None:
    with_tile = api.score(record(PLAIN, {"by": "opening", "tile": "6s"}, seat="A"))
    assert api.score(record(PLAIN + "6s", {"by": "opening"}, seat="A")) == with_tile
    assert api.score(record(PLAIN, {"by": "opening"}, seat="A", drawn="6s")) == with_tile


def test_three_golds_need_three() -> None:
    assert code(api.score(record("19m 258p 147s 1234z 7z 6z 55m", {"by": "three_golds"}))) == "too_few_golds"


@pytest.mark.parametrize(
    ("mode", "opening", "multiplier", "bonus"),
    [("x3", False, 3, 0), ("x4", False, 4, 0), ("x3", True, 4, 50), ("must_youjin", True, 4, 50)],
)
def test_xm_a2_three_golds(mode: str, opening: bool, multiplier: int, bonus: int) -> None:
    win = {"by": "three_golds", "opening": opening}
    answer = api.score(record("19m 258p 147s 1234z 7z 555m", win, house={"mid_three_golds": mode}))
    assert (answer["multiplier"], -answer["bonus"]["A"]) == (multiplier, bonus)


# --- XM 4.4, 4.5: course and 殺三 ---------------------------------------------------------------------


def chips(a: int, b: int, c: int, d: int) -> Json:
    return {"chips": {"A": a, "B": b, "C": c, "D": d}}


def test_xm_4_4_nobody_pays_more_than_he_has() -> None:
    answer = api.score(record(PLAIN, self_draw("6s"), table=chips(10, 16, 100, 50)))
    assert answer["payments"] == {"A": -10, "B": -16, "C": 42, "D": -16}
    assert answer["bonus"]["C"] == 0
    capped = [line["en"] for line in answer["lines"] if line["key"] == "capped"]
    assert capped == ["A has only 10 chips left: owes 16, pays 10"]


def test_xm_4_4_all_three_emptied_exactly_or_capped() -> None:
    answer = api.score(record(PLAIN, discard("6s"), table=chips(8, 5, 379, 8)))
    assert answer["payments"] == {"A": -8, "B": -5, "C": 21, "D": -8}
    assert answer["bonus"] == {"A": -100, "B": -100, "C": 300, "D": -100}
    assert answer["lines"][-1]["key"] == "kill_all_bonus"


def test_xm_4_4_who_had_nothing_is_not_emptied() -> None:
    answer = api.score(record(PLAIN, discard("6s"), table=chips(8, 0, 384, 8)))
    assert answer["payments"] == {"A": -8, "B": 0, "C": 16, "D": -8}
    assert answer["bonus"]["C"] == 0


def test_xm_4_5_kill_all() -> None:
    hand = "123m 678s 999p 456s 234p 5m"
    answer = api.score(record(hand, {"by": "self_draw"}, youjin=3, table=chips(10, 30, 330, 30)))
    assert answer["payments"] == {"A": -10, "B": -30, "C": 70, "D": -30}
    assert answer["bonus"]["A"] == -250
    assert (answer["water"], answer["water_total"], answer["multiplier"]) == ([], 0, 16)
    assert [line["key"] for line in answer["lines"]] == [
        "kill_all",
        "kill_all",
        "triple_youjin_bonus",
        "kill_all_bonus",
    ]
    course = api.score(record(hand, {"by": "self_draw"}, youjin=3, house={"course_chips": 200}))
    assert course["payments"]["C"] == 600


def test_xm_4_5_formula_with_chips_that_suffice() -> None:
    hand = "123m 678s 999p 456s 234p 5m"
    house = {"sanyou_settlement": "formula", "sanyou_multiplier": 12}
    answer = api.score(record(hand, {"by": "self_draw"}, youjin=3, house=house, table=chips(500, 500, 500, 500)))
    assert answer["payments"]["A"] == -12 * 10
    assert answer["bonus"]["A"] == -150


# --- XM 2.14, 2.15, 1.9: events -----------------------------------------------------------------------

YOUJIN_PLAYER: Json = {
    "rules": "xiamen",
    "gold": "9s",
    "dealer": "A",
    "seat": "D",
    "hand": "123m 456m 678s 222s 9s",
    "melds": [{"kind": "pong", "tiles": "111z", "from": "C"}],
    "youjin": 1,
    "win": {"by": "self_draw"},
}


def false_win(*players: Json, **fields: Any) -> Json:
    return {
        "rules": "xiamen",
        "event": "false_win",
        "seat": "B",
        "dealer": "A",
        "youjin_players": list(players),
    } | fields


def test_xm_2_14_the_same_dealer_with_the_same_streak() -> None:
    answer = api.score(false_win(table={"dealer_streak": 2, "draw_streak": 1}))
    assert answer["next"] == {"dealer": "A", "dealer_streak": 2, "draw_streak": 1}


def test_xm_2_15_several_youjin_players_are_paid_in_full() -> None:
    second = YOUJIN_PLAYER | {"seat": "C", "melds": [{"kind": "pong", "tiles": "333z"}]}
    answer = api.score(false_win(YOUJIN_PLAYER, second))
    # (8 + 3) × 4 × 3 + 150 = 282 to each, and the 50 to everybody.
    assert answer["bonus"] == {"A": 50, "B": -2 * 282 - 150, "C": 332, "D": 332}
    assert len(answer["lines"]) == 3


def test_xm_2_15_killing_all_three_is_part_of_it() -> None:
    player = YOUJIN_PLAYER | {"table": {"chips": {"A": 44, "B": 40, "C": 30, "D": 286}}}
    answer = api.score(false_win(player, house={"false_win_fine_added": False}))
    assert answer["bonus"]["D"] == 44 + 40 + 30 + 150 + 300


def test_false_win_house_reaches_the_youjin_player() -> None:
    answer = api.score(false_win(YOUJIN_PLAYER, house={"base_nondealer": 10}))
    assert answer["bonus"]["D"] == (10 + 3) * 4 * 3 + 150 + 50


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"seat": "B"}, "youjin_player_seat"),
        ({"dealer": "B"}, "youjin_player_dealer"),
        ({"youjin": 0, "win": {"by": "self_draw", "tile": "1m"}}, "youjin_player_win"),
        ({"win": {"by": "discard", "tile": "1m", "from": "A"}}, "youjin_player_win"),
        ({"win": None}, "youjin_player_win"),
        ({"hand": "123m 456m 678s 223s 9s"}, "no_youjin_shape"),
    ],
)
def test_xm_2_15_who_cannot_have_been_in_youjin(changes: Json, error: str) -> None:
    answer = api.score(false_win(YOUJIN_PLAYER | changes))
    assert answer["error"]["code"] == error
    assert answer["error"]["field"].startswith("youjin_players[0].")


def test_xm_2_15_nobody_twice() -> None:
    answer = api.score(false_win(YOUJIN_PLAYER, YOUJIN_PLAYER))
    assert answer["error"]["field"] == "youjin_players[1].seat"


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("rotate", {"dealer": "B", "dealer_streak": 3, "draw_streak": 2}),
        ("winner", {"dealer": "B", "dealer_streak": 3, "draw_streak": 2}),
        ("random", {"dealer": None, "dealer_streak": 0, "draw_streak": 0}),
    ],
)
def test_xm_1_9_a_drawn_hand(mode: str, expected: Json) -> None:
    event = {"rules": "xiamen", "event": "draw", "dealer": "B", "table": {"dealer_streak": 2, "draw_streak": 1}}
    answer = api.score(event | {"house": {"next_dealer": mode}})
    assert answer["next"] == expected
    assert set(answer["payments"].values()) == {0}


# --- XM 2.8, 2.9: discards ----------------------------------------------------------------------------


def legal(answer: Json) -> dict[str, bool]:
    return {entry["tile"]: entry["legal"] for entry in answer["discards"]}


FOLLOW = record("123m 678s 99p 456s 1z 22z 3z 7z", drawn="9s", table={"discards": "1z2z7z"})


def test_xm_b1_follow() -> None:
    answer = api.options(FOLLOW)
    assert {tile for tile, allowed in legal(answer).items() if allowed} == {"1z", "7z"}
    refused = next(entry for entry in answer["discards"] if entry["tile"] == "3z")
    assert refused["why"]["code"] == "must_follow"
    assert refused["why"]["en"] == "single honours must follow: discard east or red dragon"


def test_xm_b1_follow_can_be_switched_off() -> None:
    assert all(legal(api.options(FOLLOW | {"house": {"follow_discard": False}})).values())


def test_xm_b2_whites_do_not_follow() -> None:
    hand = record("123m 678s 99p 456s 5z 22z 3z 7z", drawn="9s", table={"discards": "5z"})
    assert all(legal(api.options(hand)).values())


def test_xm_b3_golds_do_not_follow() -> None:
    hand = record("123m 678s 99p 456s 1z 2z 33z 7z", gold="1z", drawn="9s", table={"discards": "1z2z5z"})
    allowed = {tile for tile, is_legal in legal(api.options(hand)).items() if is_legal}
    assert allowed == {"2z"}


def test_xm_2_8_follow_binds_youjin_too() -> None:
    # Discarding 9p leaves four sets, 1z with two golds as a set, and a lone gold; but 1z must follow.
    hand = record("123m 456p 789s 345s 1z 555m", drawn="9p", table={"discards": "1z"})
    entries = {entry["tile"]: entry for entry in api.options(hand)["discards"]}
    assert entries["9p"]["state"] == "youjin"
    assert entries["9p"]["if_won"]["valid"]
    assert entries["9p"]["why"]["code"] == "must_follow"
    assert entries["1z"]["legal"]


@pytest.mark.parametrize(
    ("mode", "code_or_none"),
    [("refuse", "gold_discard"), ("xianggong", "gold_discard_offence"), ("lock_one_round", None)],
)
def test_xm_a7_discarding_a_gold_outside_shuangyou(mode: str, code_or_none: str | None) -> None:
    answer = api.options(record(GOLD_HAND, drawn="1z", house={"gold_discard": mode}))
    entry = next(entry for entry in answer["discards"] if entry["tile"] == "5m")
    assert entry["legal"] is (code_or_none is None)
    assert entry.get("why", {}).get("code") == code_or_none
