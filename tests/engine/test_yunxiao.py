"""Yunxiao, rule by rule; the names carry the paragraphs of RULES YX. The worked examples are in test_cases."""

from __future__ import annotations

from typing import Any

import pytest

from engine import api
from engine.tiles import format_tiles, parse_tiles

Json = dict[str, Any]

PLAIN = "123m 678s 99p 45s"  # waits 3s 6s
CHOW = {"kind": "chow", "tiles": "234p", "from": "A"}
LONE = "123m 678s 345s 5m"  # 游金 shape with the chow
PAIRS = "1133m 2255p 66s 77z 8p"  # waits 8p
UNRELATED = "147m 258p 369s 1236z"  # waits 4z 5z 7z
TERMINALS = "119m 9p 19s 1223467z"  # waits for any terminal or honour
PURE = "123s 678s 99s 45s"


def record(hand: str = PLAIN, win: Json | None = None, **fields: Any) -> Json:
    """B's record with gold 5m and one chow; A deals."""
    base: Json = {"rules": "yunxiao", "gold": "5m", "dealer": "A", "seat": "B", "hand": hand, "melds": [CHOW]}
    return base | ({"win": win} if win else {}) | fields


def concealed(hand: str, win: Json | None = None, **fields: Any) -> Json:
    return record(hand, win, **{"melds": [], **fields})


def draw(tile: str, **extra: Any) -> Json:
    return {"by": "self_draw", "tile": tile, **extra}


def discard(tile: str, source: str = "D", **extra: Any) -> Json:
    return {"by": "discard", "tile": tile, "from": source, **extra}


def rob(tile: str) -> Json:
    return {"by": "rob_kong", "tile": tile, "from": "D"}


DECLARED = {"by": "youjin_declared"}


def pays(data: Json) -> tuple[int, int, int]:
    """What A and C and the discarder D pay, in bases of 10."""
    answer = api.score(data)
    assert answer["valid"], answer
    assert sum(answer["payments"].values()) == 0
    assert set(answer["bonus"].values()) == {0}
    assert answer["water"] == answer["patterns"] == []
    assert all(line[language] for line in answer["lines"] for language in ("zh", "zh_hant", "en"))
    assert answer["payments"]["A"] == -10 * answer["multiplier"]
    return tuple(-answer["payments"][seat] // 10 for seat in "ACD")  # type: ignore[return-value]


def refused(data: Json) -> str:
    answer = api.score(data)
    assert answer["valid"] is False, answer
    assert all(answer["error"][language] for language in ("zh", "zh_hant", "en"))
    return str(answer["error"]["code"])


def method(data: Json) -> str:
    answer = api.score(data)
    assert answer["valid"], answer
    return str(answer["method"])


EACH = {n: (n, n, n) for n in (2, 4, 8, 10, 16)}
DISCARDED = (1, 1, 2)


# --- YX 1.4, 1.5: white and gold -----------------------------------------------------------------------------


def test_yx_1_4_white_is_the_face_of_the_gold_in_ordinary_hands() -> None:
    assert pays(record("46m 5z 678s 99p 45s", draw("3s"))) == EACH[2]
    assert pays(record("46m 678s 99p 456s", discard("5z"))) == DISCARDED
    assert pays(concealed("1133m 2255p 66s 77z 5z", draw("5z"))) == EACH[2]


def test_yx_1_4_white_is_itself_in_terminals_and_unrelated() -> None:
    assert pays(concealed("119m 9p 19s 122346z 5z", draw("7z"))) == EACH[4]
    assert pays(concealed("147m 258p 369s 123z 5z", draw("7z"))) == EACH[2]


def test_yx_1_4_white_self_in_special_hands_off() -> None:
    house = {"white_self_in_special_hands": False}
    assert refused(concealed("119m 9p 19s 122346z 5z", draw("7z"), house=house)) == "not_complete"
    assert refused(concealed("147m 258p 369s 123z 5z", draw("7z"), house=house)) == "not_complete"
    # The face itself may belong there: gold 1m, white is 1m; gold 4z, white is 4z.
    assert pays(concealed("9m 9p 19s 1223467z 5z 1s", draw("9s"), gold="1m", house=house)) == EACH[4]
    assert pays(concealed("147m 258p 369s 123z 5z", draw("7z"), gold="4z", house=house)) == EACH[2]


def test_yx_1_5_gold_in_terminals_must_be_one_itself() -> None:
    assert refused(concealed("119m 9p 19s 122346z 5m", draw("7z"))) == "gold_not_terminal"


def test_yx_1_5_a_terminal_gold_belongs_to_terminals() -> None:
    assert pays(concealed("11m 9m 9p 19s 1223467z", draw("9m"), gold="9m")) == EACH[4]


def test_yx_1_6_a_discarded_gold_is_never_won_on() -> None:
    assert refused(record("46m 678s 99p 456s", discard("5m"))) == "gold_discarded"


@pytest.mark.parametrize(("mode", "valid"), [("plain", True), ("useless", False)])
def test_yx_1_5_foreign_gold_in_pure_suit(mode: str, valid: bool) -> None:
    house = {"foreign_gold_in_pure_suit": mode}
    melds = [{"kind": "pong", "tiles": "222s"}]
    hand = "123s 456s 88s 9s 5m"
    if valid:
        assert pays(record(hand, draw("7s"), melds=melds, house=house)) == EACH[2]
        assert pays(record("123s 456s 789s 5m", DECLARED, melds=melds, youjin=1, house=house)) == EACH[4]
        return
    assert refused(record(hand, draw("7s"), melds=melds, house=house)) == "foreign_gold"
    assert refused(record(hand, discard("7s"), melds=melds, house=house)) == "foreign_gold"
    assert refused(record("123s 456s 789s 5m", DECLARED, melds=melds, youjin=1, house=house)) == "foreign_gold"
    # With a tile of another suit the gold is wild again, a gold of the suit always is, and 三金倒 needs no shape.
    assert pays(record("123s 456s 789s 5m", draw("1z"), melds=melds, house=house)) == EACH[2]
    assert pays(record(hand.replace("5m", "5s"), draw("7s"), melds=melds, gold="5s", house=house)) == EACH[8]
    assert pays(record("123s 456s 88s 55m", {"by": "three_golds"}, melds=melds, house=house, drawn="5m")) == EACH[2]
    # A gold of the honours is foreign to a suit as well.
    assert refused(record("123s 456s 88s 9s 1z", draw("7s"), melds=melds, gold="1z", house=house)) == "foreign_gold"


def test_yx_1_5_useless_gold_in_options() -> None:
    house = {"foreign_gold_in_pure_suit": "useless"}
    answer = api.waits(concealed("123s 456s 789s 11s 8s 5m", house=house))
    # A tile of another suit frees the gold, but one gold beside it completes nothing here.
    assert answer["state"] == "not_ready"
    assert answer["shanten"] == 1
    assert api.waits(concealed("123s 456s 789s 11s 8s 5m"))["state"] == "ready"
    # A lone gold beside complete sets is no 游金, but any tile of another suit makes a pair with it.
    lone = api.waits(concealed("123s 456s 789s 111s 5m", house=house))
    assert lone["state"] == "ready"
    assert {wait["tile"] for wait in lone["waits"]}.isdisjoint({"5m", *(f"{number}s" for number in range(1, 10))})
    assert len(lone["waits"]) == 24
    four = [{"kind": "chow", "tiles": tiles} for tiles in ("123s", "456s", "789s", "123s")]
    assert len(api.waits(record("5m", melds=four, house=house))["waits"]) == 24


@pytest.mark.parametrize(
    ("hand", "melds"),
    [
        ("123s 456s 789s 11s 8s 5m", []),
        ("124455567789s 5m", []),
        ("1122345688s 55m 9s", []),
        ("1123 4689s 55m", [{"kind": "chow", "tiles": "567s"}]),
        ("11335577 99s 2s 4s 5m", []),
    ],
)
def test_yx_1_5_useful_tiles_beside_a_useless_gold(hand: str, melds: list[Json]) -> None:
    """One tile from ready: useful is what leaves a ready hand after some discard, and nothing else."""
    rules = {"foreign_gold_in_pure_suit": "useless"}
    held = parse_tiles(hand)
    answer = api.waits(record(hand, melds=melds, house=rules))
    assert answer["shanten"] == 1
    useful = set()
    for kind in range(34):
        for discarded in set(held):
            rest = [*held, kind]
            rest.remove(discarded)
            after = api.waits(record(format_tiles(rest), melds=melds, house=rules))
            if after.get("state") in ("ready", "youjin"):
                useful.add(format_tiles([kind]))
    assert {entry["tile"] for entry in answer["useful"]} == useful


# --- YX 2: who may win ---------------------------------------------------------------------------------------


def test_yx_2_3_robbing_a_kong_counts_as_self_draw() -> None:
    assert pays(record(win=rob("3s"))) == EACH[2]
    assert method(record(win=rob("3s"))) == "rob_kong"


@pytest.mark.parametrize("level", [0, 1])
def test_yx_2_4_no_discard_win_in_youjin_shape(level: int) -> None:
    assert refused(record(LONE, discard("7z"), youjin=level)) == "lone_wild"
    assert refused(concealed("1133m 2255p 66s 77z 5m", discard("7z"), youjin=level)) == "lone_wild"
    # 清一色 and 地胡 are no exception.
    pure = concealed("123s 678s 999s 333s 5s", discard("1s", "A", first_discard=True), gold="5s")
    assert refused(pure) == "lone_wild"


def test_yx_2_4_robbing_a_kong_is_no_discard() -> None:
    assert pays(record(LONE, rob("7z"))) == EACH[2]


def test_yx_2_5_a_gold_does_not_prevent_a_discard_win() -> None:
    assert pays(record("123m 678s 99p 4s 5m", discard("3s"))) == DISCARDED


@pytest.mark.parametrize(("limit", "valid"), [(0, True), (1, False), (2, True), (3, True)])
def test_yx_2_5_no_discard_win_with_golds(limit: int, valid: bool) -> None:
    data = record("123m 678s 99p 4s 5m", discard("3s"), house={"no_discard_win_with_golds": limit})
    assert (pays(data) == DISCARDED) if valid else (refused(data) == "holds_gold")


def test_yx_2_6_nobody_wins_on_a_discard_during_shuangyou() -> None:
    assert refused(record(win=discard("3s"), table={"youjin": {"C": 2}})) == "during_double_youjin"
    assert pays(record(win=discard("3s"), table={"youjin": {"C": 1}})) == DISCARDED
    assert pays(record(win=draw("3s"), table={"youjin": {"C": 3}})) == EACH[2]


def test_yx_2_7_special_hands_stay_concealed() -> None:
    pong = [{"kind": "pong", "tiles": "111z"}]
    assert refused(record("19m 19p 19s 2234z", draw("6z"), melds=pong)) == "must_be_concealed"
    assert refused(record("1133m 2255p 66s", draw("1m"), melds=pong)) == "not_complete"
    assert refused(record("19m 19p 19s 2234z", draw("6z"), melds=[CHOW])) == "not_complete"
    kong = [{"kind": "concealed_kong", "tiles": "1111z"}]
    assert refused(record("19m 19p 19s 2234z", draw("6z"), melds=kong)) == "must_be_concealed"


# --- YX 3.1: ways to win ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "price"),
    [
        (record(win=discard("3s")), DISCARDED),
        (record(win=draw("3s")), EACH[2]),
        (concealed("19m 258p 147s 123z 55m", {"by": "three_golds"}, drawn="5m"), EACH[2]),
        (concealed("123m 678s 345p 99p 45s", {"by": "opening", "tile": "3s"}, dealer="B"), EACH[8]),
        (concealed("123m 678s 345p 99p 45s", discard("3s", "A", first_discard=True)), EACH[8]),
        (concealed("123m 678s 345p 99p 45s", {"by": "gold_grab"}), EACH[2]),
        (concealed("123m 678s 345p 99p 45s", discard("3s", "A")), (2, 1, 1)),
    ],
)
def test_yx_3_1_prices(data: Json, price: tuple[int, int, int]) -> None:
    answer = api.score(data)
    assert answer["valid"], answer
    assert tuple(-answer["payments"][seat] // 10 for seat in "ACD") in (price, (-24, 8, 8))


@pytest.mark.parametrize("multiplier", [4, 8, 10])
def test_yx_3_1_tianhu_multiplier(multiplier: int) -> None:
    house = {"tianhu_multiplier": multiplier}
    hand = "123m 678s 345p 99p 45s"
    answer = api.score(concealed(hand, {"by": "opening", "tile": "3s"}, dealer="B", house=house))
    assert answer["payments"] == {
        "A": -10 * multiplier,
        "B": 30 * multiplier,
        "C": -10 * multiplier,
        "D": -10 * multiplier,
    }
    assert pays(concealed(hand, discard("3s", "A", first_discard=True), house=house)) == EACH[multiplier]


def test_yx_3_1_opening_without_a_tile() -> None:
    answer = api.score(concealed("123m 678s 345p 99p 345s", {"by": "opening"}, dealer="B"))
    assert answer["multiplier"] == 8
    assert refused(concealed("123m 678s 345p 99p 345s", {"by": "opening"})) == "not_dealer"


@pytest.mark.parametrize(("hand", "tile"), [(UNRELATED, "7z"), (TERMINALS, "9s"), (PAIRS, "8p")])
def test_yx_3_1_opening_with_a_special_hand(hand: str, tile: str) -> None:
    answer = api.score(concealed(hand, {"by": "opening", "tile": tile}, dealer="B"))
    assert (answer["multiplier"], answer["method"]) == (8, "opening")
    assert sum(char.isdigit() for group in answer["reading"] for char in group) == 14


def test_yx_3_1_gold_grab_by_the_dealer() -> None:
    data = concealed("123m 678s 345p 99p 45s", {"by": "gold_grab"}, dealer="B")
    assert refused(data) == "dealer_gold_grab"
    assert pays({**data, "house": {"qiangjin_dealer": True}}) == EACH[2]
    assert refused(record("123m 678s 99p 45s", {"by": "gold_grab"})) == "opening_with_melds"


@pytest.mark.parametrize(
    ("kind", "kong", "times"),
    [("kong", "exposed", 4), ("added_kong", "exposed", 4), ("concealed_kong", "concealed", 2)],
)
def test_yx_3_1_win_on_a_kongs_replacement(kind: str, kong: str, times: int) -> None:
    melds = [{"kind": kind, "tiles": "1111z"}]
    assert pays(record(win=draw("3s", kong=kong), melds=melds)) == EACH[times]
    assert method(record(win=draw("3s", kong=kong), melds=melds)) == f"kong_{kong}"


def test_yx_3_1_youjin_and_a_kong() -> None:
    exposed = [{"kind": "kong", "tiles": "1111z"}]
    hidden = [{"kind": "concealed_kong", "tiles": "1111z"}]
    assert pays(record(LONE, draw("7z", kong="exposed"), melds=exposed, youjin=1)) == EACH[4]
    assert pays(record(LONE, draw("7z", kong="exposed"), melds=exposed, youjin=2)) == EACH[8]
    assert pays(record(LONE, draw("7z", kong="concealed"), melds=hidden, youjin=1)) == EACH[2]


@pytest.mark.parametrize(("level", "times"), [(1, 4), (2, 8), (3, 16)])
@pytest.mark.parametrize("hand", [LONE, "123m 678s 55s 55m", "1133m 2255p 66s 77z 5m"])
def test_yx_3_8_youjin_declared_or_drawn_to(level: int, times: int, hand: str) -> None:
    fields: Json = {"youjin": level, "melds": [] if "z" in hand else [CHOW]}
    if hand.count("5m") and level == 3 and "55m" in hand:
        return
    assert pays(record(hand, DECLARED, **fields)) == EACH[times]
    assert pays(record(hand, draw("7z"), **fields)) == EACH[times]
    assert pays(record(hand, {"by": "self_draw"}, **fields)) == EACH[times]


def test_yx_3_8_a_self_draw_from_the_shape_without_the_state() -> None:
    assert pays(record(LONE, draw("7z"))) == EACH[2]


def test_yx_3_1_youjin_without_the_shape() -> None:
    assert refused(record(PLAIN, DECLARED, youjin=1)) == "no_youjin_shape"
    assert api.score(record(LONE, DECLARED))["error"]["field"] == "youjin"


@pytest.mark.parametrize(("sanyou", "times"), [(True, 16), (False, 8)])
def test_yx_3_1_sanyou(sanyou: bool, times: int) -> None:
    assert pays(record(LONE, DECLARED, youjin=3, house={"sanyou": sanyou})) == EACH[times]


# --- YX 3.2-3.5: special hands -----------------------------------------------------------------------------------


def test_yx_3_2_terminals() -> None:
    assert pays(concealed(TERMINALS, discard("9s"))) == EACH[2]
    assert pays(concealed(TERMINALS, draw("9s"))) == EACH[4]
    assert pays(concealed(TERMINALS, rob("9s"))) == EACH[4]
    assert method(concealed(TERMINALS, draw("9s"))) == "terminals"
    assert refused(concealed(TERMINALS, draw("8s"))) == "not_complete"
    # Terminals that are also sets: the higher class counts.
    assert pays(concealed("111m 999m 111p 999p 1s", draw("1s"))) == EACH[4]


@pytest.mark.parametrize(("factor", "drawn", "discarded"), [(1, 2, (1, 1, 2)), (2, 4, (2, 2, 4)), (4, 8, (4, 4, 8))])
def test_yx_3_3_unrelated_and_pairs_price(factor: int, drawn: int, discarded: tuple[int, int, int]) -> None:
    house = {"special_hand_multiplier": factor}
    assert pays(concealed(UNRELATED, draw("7z"), house=house)) == EACH[drawn]
    assert pays(concealed(UNRELATED, discard("7z"), house=house)) == discarded
    assert pays(concealed(PAIRS, draw("8p"), house=house)) == EACH[drawn]
    assert pays(concealed(PAIRS, discard("8p"), house=house)) == discarded
    assert pays(record(win=draw("3s"), house=house)) == EACH[2]


def test_yx_3_3_a_gold_takes_any_place_of_unrelated() -> None:
    assert pays(concealed("147m 258p 36s 1236z 5m", draw("7z"))) == EACH[2]
    assert pays(concealed("147m 258p 36s 123z 55m", draw("7z"))) == EACH[2]
    assert refused(concealed("147m 258p 38s 1236z 5m", draw("7z"))) == "not_complete"  # 3 and 8 leave no third
    assert refused(concealed("147m 258p 369s 1236z", draw("6z"))) == "not_complete"
    assert refused(concealed("147m 257p 369s 1236z", draw("7z"))) == "not_complete"
    assert refused(concealed("14m 258p 369s 12346z", draw("7z"))) == "not_complete"
    reading = api.score(concealed("147m 258p 36s 1236z 5m", draw("7z")))
    assert (reading["method"], reading["golds_as"]) == ("unrelated", ["9s"])


def test_yx_3_4_four_equal_tiles_are_two_pairs() -> None:
    assert pays(concealed("1111m 2255p 66s 77z 8p", draw("8p"))) == EACH[2]
    assert method(concealed("1111m 2255p 66s 77z 8p", draw("8p"))) == "seven_pairs"


def test_yx_3_5_pure_suit() -> None:
    chow = [{"kind": "chow", "tiles": "234s"}]
    assert pays(record(PURE, draw("3s"), melds=chow)) == EACH[8]
    assert pays(record(PURE, discard("3s"), melds=chow)) == EACH[8]
    assert pays(record(PURE, rob("3s"), melds=chow)) == EACH[8]
    assert method(record(PURE, draw("3s"), melds=chow)) == "pure_suit"
    assert pays(record(PURE, draw("3s"))) == EACH[2]  # a chow of another suit
    assert pays(concealed("1133s 2255s 66s 77s 8s", draw("8s"))) == EACH[8]
    assert pays(concealed("123s 678s 99s 456s 4s 5m", draw("5s"))) == EACH[2]  # a foreign gold
    assert pays(concealed("123s 678s 99s 456s 4s 5s", draw("6s"), gold="5s")) == EACH[8]


def test_yx_3_5_whites_in_a_pure_suit() -> None:
    assert pays(concealed("123s 678s 99s 46s 5z 44s", draw("4s"), gold="5s")) == EACH[8]
    assert pays(concealed("123s 678s 99s 555z 44s", draw("4s"), gold="5m")) == EACH[2]


def test_yx_3_5_pure_suit_with_youjin() -> None:
    pong = [{"kind": "pong", "tiles": "222s"}]
    fields: Json = {"melds": pong, "gold": "5s"}
    assert pays(record("123s 678s 999s 5s", DECLARED, youjin=1, **fields)) == EACH[8]
    assert pays(record("123s 678s 999s 5s", DECLARED, youjin=3, **fields)) == EACH[16]
    assert pays(record("123s 678s 999s 5s", draw("3s"), youjin=1, **fields)) == EACH[8]
    assert pays(record("123s 678s 999s 5s", draw("3m"), youjin=1, **fields)) == EACH[4]
    assert pays(record("123s 678s 999s 5m", DECLARED, youjin=1, melds=pong)) == EACH[4]


@pytest.mark.parametrize(("mode", "price"), [("each_8", EACH[8]), ("plain", DISCARDED)])
def test_yx_3_5_pure_suit_discard(mode: str, price: tuple[int, int, int]) -> None:
    data = record(PURE, discard("3s"), melds=[{"kind": "chow", "tiles": "234s"}], house={"pure_suit_discard": mode})
    assert pays(data) == price
    assert pays({**data, "win": draw("3s")}) == EACH[8]


@pytest.mark.parametrize(("on", "times"), [(False, 4), (True, 8)])
def test_yx_3_5_all_honours_pure_suit(on: bool, times: int) -> None:
    house = {"all_honours_pure_suit": on}
    assert pays(concealed("111z 222z 333z 444z 6z", draw("6z"), house=house)) == EACH[times]
    melds = [{"kind": "pong", "tiles": "111z"}]
    assert pays(record("222z 333z 444z 6z", draw("6z"), melds=melds, house=house)) == EACH[8 if on else 2]
    # A gold of the suits is no honour.
    assert pays(record("222z 333z 44z 66z", draw("5m"), melds=melds, house=house)) == EACH[2]


def test_yx_3_7_the_highest_class_counts_alone() -> None:
    pure_opening = concealed("123s 678s 99s 456s 44s", {"by": "opening", "tile": "4s"}, dealer="B")
    answer = api.score({**pure_opening, "house": {"tianhu_multiplier": 4}})
    assert (answer["multiplier"], answer["method"]) == (8, "pure_suit")
    assert api.score(pure_opening)["method"] == "opening"
    assert (
        pays(concealed("1133m 2255p 66s 77z 5m", draw("8p"), youjin=1, house={"special_hand_multiplier": 4})) == EACH[8]
    )


# --- YX 4, events ------------------------------------------------------------------------------------------------


def test_yx_4_1_base() -> None:
    answer = api.score(record(win=discard("3s"), house={"base": 3}))
    assert answer["payments"] == {"A": -3, "B": 12, "C": -3, "D": -6}
    assert answer["base"] == 3


@pytest.mark.parametrize(
    ("house", "after"),
    [
        ({}, {"dealer": None, "dealer_streak": 0, "draw_streak": 0}),
        ({"next_dealer": "rotate"}, {"dealer": "C", "dealer_streak": 1, "draw_streak": 1}),
        ({"next_dealer": "winner"}, {"dealer": "C", "dealer_streak": 1, "draw_streak": 1}),
    ],
)
def test_yx_1_1_next_dealer_after_a_draw(house: Json, after: Json) -> None:
    answer = api.event({"rules": "yunxiao", "event": "draw", "dealer": "C", "house": house})
    assert answer["next"] == after


@pytest.mark.parametrize("event", ["follow", "false_win"])
def test_yx_has_no_such_event(event: str) -> None:
    assert api.event({"rules": "yunxiao", "event": event, "seat": "A"})["error"]["code"] == "no_such_event"


# --- options -----------------------------------------------------------------------------------------------------


def state(answer: Json, tile: str) -> Json:
    return next(entry for entry in answer["discards"] if entry["tile"] == tile)


@pytest.mark.parametrize(("direct", "legal"), [(True, True), (False, False)])
def test_yx_3_1_direct_shuangyou(direct: bool, legal: bool) -> None:
    answer = api.options(record("123m 678s 345s 5m", drawn="5m", house={"direct_shuangyou": direct}))
    assert (state(answer, "5m")["state"], state(answer, "5m")["legal"]) == ("double_youjin", legal)


def test_7_4_4_if_won_is_the_declaration_without_drawing() -> None:
    pong = [{"kind": "pong", "tiles": "222s"}]
    answer = api.options(record("123s 678s 999s 5s", drawn="3m", melds=pong, gold="5s"))
    # A tile of another suit could still be drawn, but nothing needs to be drawn at all: 清一色.
    assert state(answer, "3m")["if_won"]["multiplier"] == 8
    assert state(answer, "3m")["waits"] == "any"


def test_7_4_5_waits_for_terminals_do_not_list_the_gold() -> None:
    answer = api.waits(concealed(TERMINALS, gold="1p"))
    tiles = {wait["tile"] for wait in answer["waits"]}
    assert "1p" not in tiles
    assert {"9m", "9p", "1s", "9s", "1z", "5z", "7z"} <= tiles
    assert not any(tile[0] in "2345678" and tile[1] in "mps" for tile in tiles)


def test_shanten_counts_the_special_hands() -> None:
    answer = api.waits(concealed("129m 9p 129s 123467z"))
    assert (answer["state"], answer["shanten"]) == ("not_ready", 2)
    assert "3z" in [useful["tile"] for useful in answer["useful"]]
    far = api.waits(concealed("147m 258p 369s 1122z"))
    assert far["shanten"] == 2
    gold = api.waits(concealed("129m 9p 1278s 12346z", gold="1s"))
    assert "1s" in [useful["tile"] for useful in gold["useful"]]
