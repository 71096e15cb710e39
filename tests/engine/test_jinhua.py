"""Jinhua, rule by rule; the names carry the paragraphs of RULES JH. The worked examples are in test_cases."""

from __future__ import annotations

from typing import Any

import pytest

from engine import api

Json = dict[str, Any]

CHOW = {"kind": "chow", "tiles": "234p", "from": "A"}
PONG = {"kind": "pong", "tiles": "111z", "from": "C"}
PLAIN = "123m 678s 99p 45s"  # waits 3s 6s
LONE = "456p 789s 345s 2m"  # 敲響 shape with a pong, wild 2m


def record(hand: str = PLAIN, win: Json | None = None, **fields: Any) -> Json:
    """B's record with wild 5m and one chow; A deals."""
    base: Json = {"rules": "jinhua", "gold": "5m", "dealer": "A", "seat": "B", "hand": hand, "melds": [CHOW]}
    return base | ({"win": win} if win else {}) | fields


def concealed(hand: str, win: Json | None = None, **fields: Any) -> Json:
    return record(hand, win, **{"melds": [], **fields})


def lone(win: Json | None = None, **fields: Any) -> Json:
    return record(LONE, win, **{"melds": [PONG], "gold": "2m", **fields})


def draw(tile: str, **extra: Any) -> Json:
    return {"by": "self_draw", "tile": tile, **extra}


def discard(tile: str, source: str = "D", **extra: Any) -> Json:
    return {"by": "discard", "tile": tile, "from": source, **extra}


def rob(tile: str) -> Json:
    return {"by": "rob_kong", "tile": tile, "from": "D"}


def melds(*tiles: str, kind: str = "pong", source: str = "C") -> list[Json]:
    return [{"kind": kind, "tiles": each, "from": source} for each in tiles]


def patterns(data: Json) -> dict[str, int]:
    answer = api.score(data)
    assert answer["valid"], answer
    assert sum(answer["payments"].values()) == 0
    assert set(answer["bonus"].values()) == {0}
    found = {pattern["key"]: pattern["value"] for pattern in answer["patterns"]}
    product = 1
    for value in found.values():
        product *= value
    assert answer["multiplier"] == product
    assert all(line[language] for line in answer["lines"] for language in ("zh", "zh_hant", "en"))
    assert all(pattern[language] for pattern in answer["patterns"] for language in ("zh", "zh_hant", "en"))
    return found


def payments(data: Json) -> dict[str, int]:
    answer = api.score(data)
    assert answer["valid"], answer
    return dict(answer["payments"])


def refused(data: Json) -> str:
    answer = api.score(data)
    assert answer["valid"] is False, answer
    assert all(answer["error"][language] for language in ("zh", "zh_hant", "en"))
    return str(answer["error"]["code"])


# --- JH 1.3: white ---------------------------------------------------------------------------------------------


def test_jh_1_3_white_is_the_face_of_the_wild() -> None:
    assert patterns(record("46m 5z 678s 99p 45s", draw("3s"))) == {"plain": 1}
    assert patterns(record("46m 678s 99p 456s", discard("5z"))) == {"plain": 1}


def test_jh_1_3_white_is_itself_or_the_face_where_honours_stand_alone() -> None:
    assert patterns(concealed("147m 258p 369s 123z 5z", draw("7z"))) == {"thirteen_unrelated": 1}
    # One white as 白, one as the face 5m.
    assert patterns(concealed("19m 258p 3s 123467z 5z", draw("5z"))) == {"seven_winds": 2}


def test_jh_1_3_whites_in_ordered_honours() -> None:
    # Wild 5m: three whites are a triplet of 白.
    assert patterns(concealed("111z 222z 555z 33z 6z 5m", draw("3z"))) == {"ordered_honours": 16}
    # Wild 1z: two whites are 東 with ... one of the three stays 白.
    assert patterns(concealed("55z 222z 333z 444z 66z", draw("5z"), gold="1z")) == {"ordered_honours": 16}


def test_jh_1_3_a_meld_of_whites_is_honours_too() -> None:
    fields: Json = {"melds": melds("555z", "111z")}
    assert patterns(record("222z 333z 6z", draw("6z"), **fields)) == {"ordered_honours": 16}
    assert patterns(record("2234z 66z 7z", draw("7z"), **fields)) == {"loose_honours": 8}
    # As the face 5m it makes 混一色 of characters.
    assert patterns(record("123m 333z 6z", draw("6z"), **fields)) == {"mixed_suit": 2}


# --- JH 2: discards, kongs -----------------------------------------------------------------------------------------


def test_jh_2_5_a_discarded_wild_is_never_won_on() -> None:
    assert refused(record("46m 678s 99p 456s", discard("5m"))) == "gold_discarded"


@pytest.mark.parametrize(("on", "valid"), [(True, True), (False, False)])
def test_jh_2_7_rob_kong(on: bool, valid: bool) -> None:
    data = record(win=rob("3s"), house={"rob_kong": on})
    if valid:
        assert payments(data) == {"A": -5, "B": 20, "C": -5, "D": -10}
    else:
        assert refused(data) == "no_rob_kong"


@pytest.mark.parametrize(("limit", "valid"), [(0, True), (1, False), (2, True), (3, True)])
def test_jh_2_8_no_discard_win_with_golds(limit: int, valid: bool) -> None:
    data = record("123m 678s 99p 4s 5m", discard("3s"), house={"no_discard_win_with_golds": limit})
    if valid:
        assert payments(data)["B"] == 20
    else:
        assert refused(data) == "holds_gold"


def test_jh_2_8_a_discard_in_lone_wild_shape_wins_without_baotou() -> None:
    assert patterns(lone(discard("7z"))) == {"plain": 1}
    assert patterns(lone(rob("7z"))) == {"plain": 1}
    assert refused(lone(discard("7z"), house={"lone_wild_discard_win": False})) == "lone_wild"
    assert patterns(lone(rob("7z"), house={"lone_wild_discard_win": False})) == {"plain": 1}


@pytest.mark.parametrize("by", ["gold_grab", "three_golds", "youjin_declared"])
def test_jh_has_no_such_win(by: str) -> None:
    data = record(win={"by": by}, youjin=1)
    assert refused(data) == "no_such_win"


def test_r7_the_youjin_field_is_not_used() -> None:
    assert patterns(lone(draw("7z"), youjin=1)) == {"baotou": 2}
    assert patterns(record(win=draw("3s"), youjin=1)) == {"plain": 1}
    assert refused(lone({"by": "self_draw"}, youjin=1)) == "no_winning_tile"


# --- JH 3.1: the patterns, one by one ---------------------------------------------------------------------------------


def test_jh_3_1_plain_is_listed_only_alone() -> None:
    assert patterns(record(win=draw("3s"))) == {"plain": 1}


THREE_PONGS = melds("222p", "888s", "333z")


@pytest.mark.parametrize(
    ("hand", "win", "groups", "strict", "expected"),
    [
        ("55m 77p", discard("7p"), THREE_PONGS, True, {"all_pongs": 2}),
        ("55m 77p", draw("7p"), THREE_PONGS, True, {"all_pongs": 2}),
        ("555m 7p", draw("7p"), THREE_PONGS, True, {"all_pongs": 2}),
        ("55m 7p 1m", draw("7p"), THREE_PONGS, True, {"all_pongs": 2}),  # wild 1m inside
        ("555m 77p 99p", draw("9p"), THREE_PONGS[:2], True, {"plain": 1}),
        ("555m 77p 99p", draw("9p"), THREE_PONGS[:2], False, {"all_pongs": 2}),
        ("555m 777p 999p 444z 2s", draw("2s"), [], False, {"all_pongs": 2}),
        ("456m 7p", draw("7p"), THREE_PONGS, True, {"plain": 1}),
        ("555m 7p", draw("7p"), [*THREE_PONGS[:2], {"kind": "chow", "tiles": "234s"}], False, {"plain": 1}),
    ],
)
def test_jh_3_1_all_pongs(hand: str, win: Json, groups: list[Json], strict: bool, expected: dict[str, int]) -> None:
    assert patterns(record(hand, win, melds=groups, gold="1m", house={"pph_strict": strict})) == expected


@pytest.mark.parametrize(
    ("kind", "counts"), [("pong", True), ("kong", True), ("added_kong", True), ("concealed_kong", False)]
)
def test_jh_3_1_all_pongs_needs_three_claims(kind: str, counts: bool) -> None:
    third = {"kind": kind, "tiles": "333z" if kind == "pong" else "3333z"}
    data = record("555m 7p", draw("7p"), melds=[*THREE_PONGS[:2], third], gold="1m")
    assert patterns(data) == ({"all_pongs": 2} if counts else {"plain": 1})


FOUR = [*melds("234p", "567m", kind="chow", source="A"), *melds("888s", "333z")]


def test_jh_3_1_all_claimed() -> None:
    assert patterns(record("4s", discard("4s"), melds=FOUR, gold="1m")) == {"all_claimed": 2}
    assert patterns(record("4s", draw("4s"), melds=FOUR, gold="1m")) == {"plain": 1}
    assert patterns(record("4s", rob("4s"), melds=FOUR, gold="1m")) == {"plain": 1}
    # The one tile left must not be the wild.
    assert patterns(record("1m", discard("4s"), melds=FOUR, gold="1m")) == {"plain": 1}
    assert patterns(record("4s 123p", discard("4s"), melds=FOUR[1:], gold="1m")) == {"plain": 1}


@pytest.mark.parametrize(
    ("kind", "mode", "counts"),
    [
        ("kong", "none", False),
        ("kong", "exposed", True),
        ("kong", "any", True),
        ("added_kong", "none", False),
        ("added_kong", "exposed", True),
        ("concealed_kong", "none", False),
        ("concealed_kong", "exposed", False),
        ("concealed_kong", "any", True),
    ],
)
def test_jh_3_1_quanqiuren_kongs(kind: str, mode: str, counts: bool) -> None:
    groups = [*FOUR[:3], {"kind": kind, "tiles": "3333z"}]
    data = record("4s", discard("4s"), melds=groups, gold="1m", house={"quanqiuren_kongs": mode})
    assert patterns(data) == ({"all_claimed": 2} if counts else {"plain": 1})


def test_jh_3_1_seven_pairs() -> None:
    assert patterns(concealed("1133m 2255p 66s 77z 8p", draw("8p"))) == {"pure_seven_pairs": 4}
    assert patterns(concealed("1133m 2255p 66s 77z 8p", discard("8p"))) == {"pure_seven_pairs": 4}
    assert patterns(concealed("1133m 2255p 6s 77z 5m 8p", draw("8p"))) == {"seven_pairs": 2}
    assert patterns(concealed("1111m 2255p 66s 77z 8p", draw("8p"))) == {"pure_seven_pairs": 4}
    assert patterns(concealed("1133m 2255p 66s 77z 5m", draw("8p"))) == {"seven_pairs_baotou": 8}
    assert patterns(concealed("1133m 2255p 66s 77z 5m", draw("5m"))) == {"seven_pairs_baotou": 8}
    assert patterns(concealed("1133m 2255p 66s 77z 5m", draw("5z"))) == {"seven_pairs_baotou": 8}
    assert patterns(concealed("1133m 2255p 6s 77z 55m", draw("8p"))) == {"seven_pairs_baotou": 8}
    assert patterns(concealed("1133m 2255p 66s 77z 5m", discard("8p"))) == {"seven_pairs": 2}
    assert refused(record("1133m 2255p 66s", draw("7z"), melds=[PONG])) == "not_complete"


def test_jh_3_1_thirteen_unrelated_and_seven_winds() -> None:
    assert patterns(concealed("147m 258p 369s 1236z", draw("7z"))) == {"thirteen_unrelated": 1}
    assert patterns(concealed("147m 258p 36s 12346z", draw("7z"))) == {"thirteen_unrelated": 1}  # six honours
    assert patterns(concealed("147m 258p 3s 123456z", draw("7z"))) == {"seven_winds": 2}
    assert patterns(concealed("147m 258p 36s 1236z 5m", draw("7z"))) == {"thirteen_unrelated": 1}
    assert refused(concealed("147m 258p 369s 123z 3s", draw("7z"))) == "not_complete"
    assert refused(concealed("147m 258p 379s 1236z", draw("7z"))) == "not_complete"
    assert refused(record("147m 25p 12346z", draw("7z"), melds=[PONG])) == "not_complete"


def test_jh_3_1_seven_winds_takes_no_wild_for_an_honour() -> None:
    # Six honours and a wild: the wild is a number tile or a seventh honour of 十三不靠, never of 七風.
    assert patterns(concealed("147m 258p 3s 12346z 5m", draw("7z"))) == {"thirteen_unrelated": 1}
    assert patterns(concealed("147m 258p 123456z 5m", draw("7z"))) == {"seven_winds": 2}
    # Wild 東: its place needs a white, and 白 another one.
    assert patterns(concealed("147m 258p 3s 2346z 55z", draw("7z"), gold="1z")) == {"seven_winds": 2}
    assert patterns(concealed("147m 258p 3s 2346z 5z 1z", draw("7z"), gold="1z")) == {"thirteen_unrelated": 1}
    # Wild 白: no white can stand for it.
    assert patterns(concealed("147m 258p 3s 12346z 5z", draw("7z"), gold="5z")) == {"thirteen_unrelated": 1}


def test_jh_3_1_kong_bloom() -> None:
    for kind, kong in (("kong", "exposed"), ("added_kong", "exposed"), ("concealed_kong", "concealed")):
        groups = [{"kind": kind, "tiles": "1111z"}]
        assert patterns(record(win=draw("3s", kong=kong), melds=groups)) == {"kong_bloom": 2}


def test_jh_3_1_one_suit() -> None:
    chow = melds("123s", kind="chow", source="A")
    assert patterns(record("345s 678s 999s 2s", draw("2s"), melds=chow)) == {"pure_suit": 4}
    # A wild of whatever kind counts as what it replaces.
    assert patterns(record("345s 678s 99s 5m 2s", draw("2s"), melds=chow)) == {"pure_suit_wild": 2}
    assert patterns(record("345s 678s 99s 33z", draw("3z"), melds=chow)) == {"mixed_suit": 2}
    assert patterns(record("345s 678s 99s 33z", draw("5m"), melds=chow)) == {"mixed_suit": 2}
    assert patterns(record("345s 678s 99s 11m", draw("1m"), melds=chow)) == {"plain": 1}
    # A meld of another suit.
    assert patterns(record("345s 678s 999s 2s", draw("2s"))) == {"plain": 1}


def test_jh_3_1_honours() -> None:
    assert patterns(concealed("1122334466677z", draw("7z"))) == {"loose_honours": 8}
    assert patterns(concealed("112233446667z 5m", draw("1z"))) == {"loose_honours": 8}
    assert patterns(concealed("111z 222z 333z 44z 66z", draw("6z"))) == {"ordered_honours": 16}
    assert patterns(concealed("111z 222z 333z 4z 66z 5m", draw("6z"))) == {"ordered_honours": 16}
    assert patterns(record("11z 22z 34z 6z", draw("7z"), melds=melds("333z", "444z")[:1] + melds("777z"))) == {
        "loose_honours": 8
    }
    assert refused(record("66z 22z 34z 6z 1m 9p 9s", draw("7z"), melds=[PONG])) == "not_complete"
    assert refused(concealed("1122334466677z", draw("1m"))) == "not_complete"


def test_jh_3_4_wild_pair_and_triplet() -> None:
    assert patterns(lone(draw("2m"))) == {"baotou": 2, "wild_pair": 4}
    assert patterns(record("456p 789s 345s 2m", discard("7z"), melds=[PONG], gold="2m")) == {"plain": 1}
    assert patterns(record("456p 789s 34s 22m", draw("5s"), melds=[PONG], gold="2m")) == {"wild_pair": 4}
    assert patterns(record("456p 789s 222m 8s", draw("8s"), melds=[PONG], gold="2m")) == {"wild_triplet": 8}
    # They count as tiles of their own kind: a pair of 2m spoils 混一色 but 清一色 of characters it makes.
    answer = patterns(record("456m 789m 345m 2m", draw("2m"), melds=melds("678m", kind="chow", source="A"), gold="2m"))
    assert answer == {"baotou": 2, "wild_pair": 4, "pure_suit_wild": 2}


def test_jh_3_4_wilds_that_do_not_come_out_are_no_group() -> None:
    # 清風 with a pair of wilds of another colour is 混一色; with the wilds as honours it is 清風.
    assert patterns(concealed("111z 222z 333z 66z 55m", discard("6z"))) == {"ordered_honours": 16}
    assert patterns(concealed("111z 222z 333z 666z 5m", draw("5m"))) == {"ordered_honours": 16, "baotou": 2}
    # Three wilds left over beside the lone one cannot be: there are three in all. With whites as wilds there can.
    assert patterns(concealed("111z 222z 333z 6z 555z", draw("6z"), gold="5z")) == {
        "ordered_honours": 16,
        "wild_triplet": 8,
    }


def test_jh_3_4_wild_triplet_is_a_triplet_for_all_pongs() -> None:
    assert patterns(record("222m 8s", draw("8s"), melds=THREE_PONGS[0:1] + melds("444p", "333z"), gold="2m")) == {
        "all_pongs": 2,
        "wild_triplet": 8,
    }


def test_jh_3_3_baotou() -> None:
    assert patterns(lone(draw("7z"))) == {"baotou": 2}
    assert patterns(record("456p 789s 34s 22m", draw("7z"), melds=[PONG], gold="2m")) == {"baotou": 2}
    # The drawn tile completes a set and frees the wild: 敲響 is still there, for the same tiles were grouped before.
    assert patterns(lone(draw("3p"))) == {"baotou": 2}
    # No lone wild before the draw.
    assert patterns(record("456p 789s 34s 8p 2m", draw("8p"), melds=[PONG], gold="2m")) == {"plain": 1}
    opening = concealed("456p 789s 345s 123s 2m", {"by": "opening", "tile": "7z"}, dealer="B", gold="2m")
    assert patterns(opening) == {"heaven": 2}


@pytest.mark.parametrize(
    ("value", "expected"),
    [(4, {"baotou": 2, "kong_bloom": 2}), (2, {"baotou": 2, "kong_bloom": 1}), (8, {"baotou": 2, "kong_bloom": 4})],
)
def test_jh_3_3_gangbao_multiplier(value: int, expected: dict[str, int]) -> None:
    kong = [{"kind": "kong", "tiles": "1111z", "from": "C"}]
    assert patterns(lone(draw("7z", kong="exposed"), melds=kong, house={"gangbao_multiplier": value})) == expected
    hidden = [{"kind": "concealed_kong", "tiles": "1111z"}]
    assert patterns(lone(draw("7z", kong="concealed"), melds=hidden, house={"gangbao_multiplier": value})) == expected


def test_jh_3_1_opening_wins() -> None:
    hand = "123m 678s 345p 99p 45s"
    assert patterns(concealed(hand, {"by": "opening", "tile": "3s"}, dealer="B")) == {"heaven": 2}
    assert patterns(concealed("123m 678s 345p 99p 345s", {"by": "opening"}, dealer="B")) == {"heaven": 2}
    assert patterns(concealed(hand, discard("3s", "A", first_discard=True))) == {"earth": 2}
    assert patterns(concealed(hand, draw("3s", first_round=True))) == {"man": 2}
    assert patterns(concealed(hand, draw("3s", first_round=True), dealer="B")) == {"plain": 1}
    assert payments(concealed(hand, {"by": "opening", "tile": "3s"}, dealer="B")) == {
        "A": -20,
        "B": 60,
        "C": -20,
        "D": -20,
    }
    assert payments(concealed(hand, discard("3s", "A", first_discard=True))) == {"A": -20, "B": 40, "C": -10, "D": -10}


@pytest.mark.parametrize(
    ("hand", "on", "expected"),
    [
        ("123m 678s 345p 99p 45s", True, {"man": 2}),
        ("123m 678s 345p 99p 45s", False, {"man": 2}),
        ("1133m 2255p 66s 77z 3s", True, {"pure_seven_pairs": 4, "man": 2}),
        ("1133m 2255p 66s 77z 3s", False, {"pure_seven_pairs": 4}),
        ("1133m 2255p 6s 77z 3s 5m", False, {"seven_pairs": 2}),
    ],
)
def test_jh_3_1_opening_wins_multiply(hand: str, on: bool, expected: dict[str, int]) -> None:
    house = {"opening_wins_multiply": on}
    assert patterns(concealed(hand, draw("3s", first_round=True), house=house)) == expected


def test_jh_3_1_last_tile() -> None:
    assert patterns(record(win=draw("3s", last_tile=True))) == {"last_tile": 2}
    assert patterns(concealed("1133m 2255p 6s 77z 5m 8p", draw("8p", last_tile=True))) == {
        "seven_pairs": 2,
        "last_tile": 2,
    }
    assert patterns(record(win=discard("3s", last_tile=True))) == {"plain": 1}


@pytest.mark.parametrize(
    ("mode", "expected"), [("eight", {"baotou": 2, "last_tile": 4}), ("multiply", {"baotou": 2, "last_tile": 2})]
)
def test_jh_a1_haidi_baotou(mode: str, expected: dict[str, int]) -> None:
    house = {"haidi_baotou": mode}
    assert patterns(lone(draw("7z", last_tile=True), house=house)) == expected
    pairs = concealed("1133m 2255p 66s 77z 5m", draw("8p", last_tile=True), house=house)
    assert patterns(pairs) == {"seven_pairs_baotou": 8, "last_tile": 2}


def test_jh_a1_the_eight_stands_whatever_baotou_is_worth() -> None:
    house = {"pattern_values": {"baotou": 3}}
    assert api.score(lone(draw("7z", last_tile=True), house=house))["multiplier"] == 8
    assert api.score(lone(draw("7z"), house=house))["multiplier"] == 3


@pytest.mark.parametrize(("on", "expected"), [(False, {"wild_triplet": 8}), (True, {"wild_triplet": 8, "baotou": 2})])
def test_jh_a6_sancai_with_qiaoxiang(on: bool, expected: dict[str, int]) -> None:
    house = {"sancai_with_qiaoxiang": on}
    # Before the draw: 8s with two wilds is a set, the third wild is alone.
    data = record("456p 789p 222m 8s", draw("8s"), melds=[PONG], gold="2m", house=house)
    assert patterns(data) == expected
    assert patterns({**data, "win": discard("8s")}) == {"wild_triplet": 8}
    # Not in 敲響 shape before the draw: two open sets need the wilds.
    waiting = record("456p 78p 55s 222m", draw("9p"), melds=[PONG], gold="2m", house=house)
    assert patterns(waiting)["wild_triplet"] == 8


# --- JH 3.2, 3.5: what goes together ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (
            record("4s", discard("4s"), melds=melds("222s", "888s", "333s", "999s"), gold="1m"),
            {"all_claimed": 2, "all_pongs": 2, "pure_suit": 4},
        ),
        (
            record("7z", discard("7z"), melds=melds("111z", "222z", "333z", "444z")),
            {"all_claimed": 2, "all_pongs": 2, "ordered_honours": 16},
        ),
        (
            record("7z", discard("6z"), melds=melds("111z", "222z", "333z", "444z")),
            {"all_claimed": 2, "loose_honours": 8},
        ),
        (concealed("1133s 2255s 66s 77s 8s", draw("8s")), {"pure_seven_pairs": 4, "pure_suit": 4}),
        (concealed("1133s 2255s 66s 77z 5m", draw("8s")), {"seven_pairs_baotou": 8, "mixed_suit": 2}),
        (concealed("1133s 2255s 66s 77s 5m", draw("5m")), {"seven_pairs_baotou": 8, "pure_suit_wild": 2}),
        (concealed("1133s 2255s 66s 7z 55m", discard("7z")), {"seven_pairs": 2, "mixed_suit": 2}),
        (
            concealed("1133s 2255s 6s 77z 8s 5m", discard("8s", "A", first_discard=True)),
            {"seven_pairs": 2, "mixed_suit": 2, "earth": 2},
        ),
        (
            concealed("147m 258p 369s 1236z", draw("7z", first_round=True, last_tile=True)),
            {"thirteen_unrelated": 1, "man": 2, "last_tile": 2},
        ),
        (
            concealed("147m 258p 3s 123456z", {"by": "opening", "tile": "7z"}, dealer="B"),
            {"seven_winds": 2, "heaven": 2},
        ),
        (
            record(
                "1136z 77z 3z",
                draw("3z", kong="exposed", last_tile=True),
                melds=[PONG | {"tiles": "222z"}, {"kind": "kong", "tiles": "4444z", "from": "D"}],
            ),
            {"loose_honours": 8, "kong_bloom": 2, "last_tile": 2},
        ),
        (
            record("345s 678s 999s 5m", draw("2s", last_tile=True), melds=melds("123s", kind="chow", source="A")),
            {"pure_suit_wild": 2, "baotou": 2, "last_tile": 4},
        ),
        (
            record(
                "345s 678s 5m",
                draw("2s", kong="exposed", last_tile=True),
                melds=[*melds("123s", kind="chow", source="A"), {"kind": "kong", "tiles": "9999s", "from": "C"}],
            ),
            {"pure_suit_wild": 2, "baotou": 2, "kong_bloom": 2, "last_tile": 4},
        ),
    ],
)
def test_jh_3_5_combinations(data: Json, expected: dict[str, int]) -> None:
    assert patterns(data) == expected


def test_jh_3_1_all_patterns_hold_for_one_reading() -> None:
    # 111222333m can be runs or triplets; with 敲響 and pongs the triplets pay more.
    house = {"pph_strict": False}
    data = concealed("111222333m 444z 5m", draw("9p"), house=house)
    assert patterns(data) == {"all_pongs": 2, "baotou": 2}
    # Seven pairs of the same tiles: the higher product counts.
    double = concealed("112233m 778899s 5s", draw("5s"))
    assert patterns(double) == {"pure_seven_pairs": 4}


# --- pattern_values -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "data"),
    [
        ("plain", record(win=draw("3s"))),
        ("all_pongs", record("55m 77p", draw("7p"), melds=THREE_PONGS, gold="1m")),
        ("all_claimed", record("4s", discard("4s"), melds=FOUR, gold="1m")),
        ("pure_seven_pairs", concealed("1133m 2255p 66s 77z 8p", draw("8p"))),
        ("seven_pairs", concealed("1133m 2255p 6s 77z 5m 8p", draw("8p"))),
        ("seven_pairs_baotou", concealed("1133m 2255p 66s 77z 5m", draw("8p"))),
        ("thirteen_unrelated", concealed("147m 258p 369s 1236z", draw("7z"))),
        ("seven_winds", concealed("147m 258p 3s 123456z", draw("7z"))),
        ("kong_bloom", record(win=draw("3s", kong="exposed"), melds=[{"kind": "kong", "tiles": "1111z"}])),
        ("pure_suit", record("345s 678s 999s 2s", draw("2s"), melds=melds("123s", kind="chow", source="A"))),
        ("pure_suit_wild", record("345s 678s 99s 5m 2s", draw("2s"), melds=melds("123s", kind="chow", source="A"))),
        ("mixed_suit", record("345s 678s 99s 33z", draw("3z"), melds=melds("123s", kind="chow", source="A"))),
        ("loose_honours", concealed("1122334466677z", draw("7z"))),
        ("ordered_honours", concealed("111z 222z 333z 44z 66z", draw("6z"))),
        ("wild_triplet", record("456p 789s 222m 8s", draw("8s"), melds=[PONG], gold="2m")),
        ("baotou", lone(draw("7z"))),
        ("heaven", concealed("123m 678s 345p 99p 345s", {"by": "opening"}, dealer="B")),
        ("earth", concealed("123m 678s 345p 99p 45s", discard("3s", "A", first_discard=True))),
        ("man", concealed("123m 678s 345p 99p 45s", draw("3s", first_round=True))),
        ("last_tile", record(win=draw("3s", last_tile=True))),
        ("wild_pair", record("456p 789s 34s 22m", discard("5s"), melds=[PONG], gold="2m")),
    ],
)
def test_jh_a18_pattern_values(key: str, data: Json) -> None:
    assert patterns(data | {"house": {"pattern_values": {key: 12}}}) == {key: 12}


def test_r9_a_changed_value_changes_the_best_reading() -> None:
    # Three equal pairs in a row are runs or triplets; with 平胡 at 9 the runs pay more than 碰碰胡.
    data = concealed("111222333p 444z 9s", draw("9s"))
    assert patterns(data | {"house": {"pph_strict": False}}) == {"all_pongs": 2}
    assert patterns(data | {"house": {"pph_strict": False, "pattern_values": {"plain": 9}}}) == {"plain": 9}
    wilds = concealed("444z 123s 789p 9s 555m", discard("9s"))
    assert patterns(wilds) == {"wild_triplet": 8}
    # Three wilds as a run or a triplet of anything, where they are worth nothing themselves.
    cheap = {"pattern_values": {"wild_triplet": 1, "wild_pair": 1, "plain": 3}}
    assert patterns(wilds | {"house": cheap}) == {"plain": 3}


# --- JH 4: who pays ---------------------------------------------------------------------------------------------------


def test_jh_4_1_base() -> None:
    assert payments(record(win=discard("3s"), house={"base": 3})) == {"A": -3, "B": 12, "C": -3, "D": -6}
    assert payments(record(win=draw("3s"), house={"base": 3})) == {"A": -6, "B": 18, "C": -6, "D": -6}


CLAIMED = [
    {"kind": "chow", "tiles": "234p", "from": "A"},
    {"kind": "chow", "tiles": "567s", "from": "A"},
    {"kind": "pong", "tiles": "222m", "from": "A"},
]
SMALL = "99p 45m"  # wild 1m


def bound(win: Json, groups: list[Json] | None = None, **fields: Any) -> dict[str, int]:
    return payments(record(SMALL, win, melds=CLAIMED if groups is None else groups, gold="1m", **fields))


@pytest.mark.parametrize(
    ("mode", "claimed", "claimer"), [("both", 60, 60), ("claimed_from_wins", 30, 60), ("none", 30, 30)]
)
def test_jh_4_2_chengbao_double(mode: str, claimed: int, claimer: int) -> None:
    house = {"chengbao_double": mode}
    assert bound(draw("6m"), house=house) == {"A": -claimed, "B": claimed, "C": 0, "D": 0}
    free = [
        {**meld, "from": "C"} if meld["kind"] == "pong" else {"kind": "chow", "tiles": meld["tiles"]}
        for meld in CLAIMED
    ]
    table = {"claims": {"D": {"B": 3}}}
    assert bound(draw("6m"), free, table=table, house=house) == {"A": 0, "B": claimer, "C": 0, "D": -claimer}
    # Both directions with the same player: paid once, doubled if either direction doubles.
    both = {"claims": {"A": {"B": 4}}}
    assert bound(draw("6m"), table=both, house=house)["A"] == -claimer


@pytest.mark.parametrize(("mode", "each"), [("each_full", 60), ("share", 30)])
def test_jh_4_2_chengbao_multi(mode: str, each: int) -> None:
    table = {"claims": {"C": {"B": 3}, "D": {"A": 3}}}
    answer = bound(draw("6m"), table=table, house={"chengbao_multi": mode})
    assert answer == {"A": -each, "B": 2 * each, "C": -each, "D": 0}


def test_jh_4_2_what_does_not_divide_is_shared_as_evenly_as_it_can_be() -> None:
    table = {"claims": {"C": {"B": 3}, "D": {"B": 3}}}
    house = {"chengbao_multi": "share", "base": 1}
    # 放銃: 2 + 1 + 1 = 4, doubled 8, shared by three: 3, 3 and 2, nearest after the winner first.
    assert bound(discard("6m"), table=table, house=house) == {"A": -2, "B": 8, "C": -3, "D": -3}


def test_jh_4_2_lines_of_the_liable_add_up() -> None:
    def liable(win: Json | None = None, **fields: Any) -> list[str]:
        answer = api.score(record(SMALL, win or draw("6m"), melds=CLAIMED, gold="1m", **fields))
        return [line["zh"] for line in answer["lines"] if line["key"] == "chengbao"]

    assert liable() == ["承包：A 与赢家 B 有三摊，一家付全部 30 × 2 = 60"]
    assert liable(house={"chengbao_double": "none"}) == ["承包：A 与赢家 B 有三摊，一家付全部 30"]
    two: Json = {"claims": {"C": {"B": 3}}}
    shared = liable(table=two, house={"chengbao_multi": "share"})
    assert "承包：A 与赢家 B 有三摊，2 家分担全部 30 × 2 ÷ 2 = 30" in shared
    three: Json = {"claims": {"C": {"B": 3}, "D": {"B": 3}}}
    odd = liable(table=three, house={"chengbao_multi": "share", "base": 2, "chengbao_double": "none"})
    assert odd == [f"承包：{seat} 与赢家 B 有三摊，3 家分担全部 12 ÷ 3 = 4" for seat in "CDA"]
    rest = liable(discard("6m"), table=three, house={"chengbao_multi": "share", "base": 1})
    assert [line.split("全部 ")[1] for line in rest] == ["4 × 2 ÷ 3 ≈ 3", "4 × 2 ÷ 3 ≈ 3", "4 × 2 ÷ 3 ≈ 2"]


def test_jh_4_2_a_liable_player_frees_the_discarder() -> None:
    assert bound(discard("6m", "C")) == {"A": -40, "B": 40, "C": 0, "D": 0}


@pytest.mark.parametrize(("kind", "counts"), [("kong", True), ("added_kong", True), ("concealed_kong", False)])
def test_jh_4_2_which_melds_count(kind: str, counts: bool) -> None:
    third: Json = {"kind": kind, "tiles": "2222m"} | ({"from": "A"} if counts else {})
    answer = bound(draw("6m"), [*CLAIMED[:2], third])
    assert (answer["C"] == 0) == counts


def test_jh_4_2_a_chow_came_from_the_player_before() -> None:
    groups = [
        {key: value for key, value in meld.items() if meld["kind"] == "pong" or key != "from"} for meld in CLAIMED
    ]
    assert bound(draw("6m"), groups) == {"A": -60, "B": 60, "C": 0, "D": 0}


def test_jh_4_2_two_claims_do_not_bind() -> None:
    assert bound(draw("6m"), [*CLAIMED[:2], {**CLAIMED[2], "from": "C"}])["D"] == -10
    assert bound(draw("6m"), [*CLAIMED[:2], {"kind": "pong", "tiles": "222m"}])["D"] == -10
    assert (
        bound(draw("6m"), [*CLAIMED[:2], {**CLAIMED[2], "from": "C"}], table={"claims": {"D": {"B": 2, "C": 3}}})["D"]
        == -10
    )


@pytest.mark.parametrize(("mode", "binds"), [("total", True), ("consecutive", False)])
def test_jh_4_2_chengbao_count(mode: str, binds: bool) -> None:
    house = {"chengbao_count": mode}
    groups = [CLAIMED[0], CLAIMED[1], {"kind": "pong", "tiles": "222z", "from": "D"}, CLAIMED[2]]
    answer = payments(record("9p", draw("9p"), melds=groups, gold="1m", house=house))
    assert (answer["D"] == 0) == binds
    assert payments(record(SMALL, draw("6m"), melds=CLAIMED, gold="1m", house=house))["D"] == 0


def test_jh_1_4_draw() -> None:
    answer = api.event({"rules": "jinhua", "event": "draw", "dealer": "D"})
    assert answer["payments"] == {"A": 0, "B": 0, "C": 0, "D": 0}
    assert answer["next"] == {"dealer": "D", "dealer_streak": 1, "draw_streak": 1}


# --- options -------------------------------------------------------------------------------------------------------------


def entry(answer: Json, tile: str) -> Json:
    return next(found for found in answer["discards"] if found["tile"] == tile)


def test_7_4_3_a_discarded_wild_opens_no_state() -> None:
    answer = api.options(lone(drawn="2m"))
    wild = entry(answer, "2m")
    assert (wild["state"], wild["legal"]) == ("ready", True)
    assert answer["win_now"]["settlement"]["multiplier"] == 8


def test_7_4_4_if_won_is_the_lowest_amount_of_all_tiles() -> None:
    chow = melds("123s", kind="chow", source="A")
    answer = api.options(record("345s 678s 999s 5s", drawn="1p", melds=chow, gold="5s"))
    # A bamboo would make it 清一色, the lowest is 敲響 alone.
    assert entry(answer, "1p")["if_won"]["multiplier"] == 2
    seen = "".join(f"{n}m" * 4 + f"{n}p" * 4 for n in range(1, 10)) + "1234567z" * 4
    visible = seen.replace("1p", "", 1)
    only = api.options(record("345s 678s 999s 5s", drawn="1p", melds=chow, gold="5s", table={"visible": visible}))
    # Nothing but bamboos can still come; the last 1p was just discarded.
    assert entry(only, "1p")["if_won"]["multiplier"] == 4
    everything = visible + "".join(f"{n}s" * (4 - "345678999123555".count(str(n))) for n in range(1, 10))
    nothing = api.options(record("345s 678s 999s 5s", drawn="1p", melds=chow, gold="5s", table={"visible": everything}))
    assert "if_won" in entry(nothing, "1p")


def test_7_4_4_the_least_tile_need_not_be_the_first_tried() -> None:
    chow = melds("123s", kind="chow", source="A")
    visible = "".join(f"{n}m" * 4 + f"{n}p" * 4 for n in range(1, 10)).replace("1p", "", 1)
    house = {"pattern_values": {"mixed_suit": 3}}
    answer = api.options(
        record("345s 678s 999s 5s", drawn="1p", melds=chow, gold="5s", table={"visible": visible}, house=house)
    )
    # An honour would be 混一色 3 × 敲響 2, a bamboo 清一色 2 × 敲響 2.
    assert entry(answer, "1p")["if_won"]["multiplier"] == 4


def test_waits_of_special_hands() -> None:
    answer = api.waits(concealed("147m 258p 369s 1236z"))
    assert [wait["tile"] for wait in answer["waits"]] == ["4z", "5z", "7z"]
    honours = api.waits(record("11z 22z 34z 6z", melds=melds("333z", "777z")[:2]))
    assert {wait["tile"] for wait in honours["waits"]} == {"1z", "2z", "4z", "5z", "6z", "7z"}


def test_shanten_counts_the_special_hands() -> None:
    answer = api.waits(concealed("147m 258p 36s 1122z 9p"))
    assert answer["state"] == "not_ready"
    assert answer["shanten"] == 3
    far = api.waits(record("11z 22z 3z 19m", melds=melds("444z", "777z")))
    assert far["shanten"] == 2
    assert "6z" in [useful["tile"] for useful in far["useful"]]


@pytest.mark.parametrize("drawn", ["1z", "9p"])
def test_advice_of_a_special_hand(drawn: str) -> None:
    answer = api.options(concealed("147m 258p 369s 1123z", drawn=drawn))
    assert answer["win_now"]["legal"] is False
    assert answer["advice"]
