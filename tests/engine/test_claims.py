"""What may be done with a discard, for every game; the names carry the paragraphs of RULES."""

from __future__ import annotations

from typing import Any

import pytest

from engine import api

Json = dict[str, Any]


def record(rules: str, hand: str, tile: str, source: str, **fields: Any) -> Json:
    """C's hand between turns; B is the player before, D the next one; gold 5m."""
    base: Json = {"rules": rules, "dealer": "A", "seat": "C", "hand": hand, "offered": {"tile": tile, "from": source}}
    if rules != "hangzhou":
        base["gold"] = "5m"
    return base | fields


def claims(rules: str, hand: str, tile: str, source: str, **fields: Any) -> Json:
    answer = api.claims(record(rules, hand, tile, source, **fields))
    assert list(answer) == ["win", "kong", "pong", "chow"], answer
    for entry in (answer["win"], answer["kong"], answer["pong"], *answer["chow"]):
        assert entry["legal"] == ("why" not in entry)
        if not entry["legal"]:
            assert all(entry["why"][language] for language in ("code", "zh", "zh_hant", "en"))
    return answer


def why(entry: Json) -> str | None:
    return None if entry["legal"] else str(entry["why"]["code"])


def legal_chows(answer: Json) -> list[str]:
    return [chow["with"] for chow in answer["chow"] if chow["legal"]]


READY = "123m 678s 99p 45s 234p 678p"  # sixteen tiles, waits 3s 6s
MELD = [{"kind": "chow", "tiles": "234p"}]
SHORT = "123m 678s 99p 45s"  # thirteen-tile game with one meld, waits 3s 6s


# --- the common rules --------------------------------------------------------------------------------------------


def test_xm_2_2_win_kong_pong_chow() -> None:
    answer = claims("xiamen", READY, "6s", "B")
    assert answer["win"]["settlement"]["payments"]["C"] == 24
    assert why(answer["pong"]) == why(answer["kong"]) == "not_enough_copies"
    assert legal_chows(answer) == ["45s", "57s", "78s"]
    assert answer["kong"]["why"]["en"].startswith("only 1 × 6 bamboo in hand; to kong it takes 3")
    none = claims("xiamen", READY, "7z", "B")["pong"]["why"]["en"]
    assert none.startswith("no red dragon in hand; to pong it takes 2")
    pong = claims("xiamen", READY, "9p", "A")
    assert (pong["pong"]["legal"], why(pong["kong"]), why(pong["win"])) == (True, "not_enough_copies", "not_complete")
    kong = claims("xiamen", "123m 678s 999p 45s 23p 678p", "9p", "D")
    assert kong["pong"]["legal"]
    assert kong["kong"]["legal"]


def test_chow_only_from_the_player_before() -> None:
    for source, legal in (("B", ["45s", "57s", "78s"]), ("A", []), ("D", [])):
        answer = claims("xiamen", READY, "6s", source)
        assert legal_chows(answer) == legal
        if source != "B":
            assert {why(chow) for chow in answer["chow"]} == {"not_previous_player"}
            assert all(chow["may_not_discard"] == [] for chow in answer["chow"])


@pytest.mark.parametrize(
    ("tile", "chows"),
    [
        ("1p", ["23p"]),
        ("2p", ["34p"]),
        ("3p", ["24p"]),
        ("5p", ["34p", "46p", "67p"]),
        ("9p", ["78p"]),
        ("1z", []),
        ("7z", []),
    ],
)
def test_every_run_is_listed(tile: str, chows: list[str]) -> None:
    assert legal_chows(claims("xiamen", READY, tile, "B")) == chows


def test_runs_do_not_go_round_the_corner() -> None:
    answer = claims("xiamen", "1289m 1289p 1289s 1234z", "1p", "B")
    assert legal_chows(answer) == []
    assert legal_chows(claims("xiamen", "1289m 1289p 1289s 1234z", "3p", "B")) == ["12p"]


def test_xm_b6_a_white_is_chowed_ponged_and_won_on_as_the_face() -> None:
    answer = claims("xiamen", "46m 678s 99p 45s 234p 678p 1z", "5z", "B")
    assert legal_chows(answer) == ["46m"]
    pong = claims("xiamen", "46m 55z 678s 99p 45s 23p 678p", "5z", "D")
    assert pong["pong"]["legal"]
    win = claims("xiamen", "46m 678s 99p 345s 234p 678p", "5z", "D")
    assert win["win"]["legal"]


def test_xm_1_7_a_white_in_hand_chows_as_the_face() -> None:
    answer = claims("xiamen", "6m 5z 678s 99p 45s 234p 678p 1z", "4m", "B")
    assert legal_chows(answer) == ["6m5z"]


@pytest.mark.parametrize("rules", ["xiamen", "zhangzhou"])
def test_xm_b7_nothing_can_be_done_with_a_gold(rules: str) -> None:
    answer = claims(rules, "46m 678s 99p 345s 234p 678p", "5m", "B")
    assert why(answer["win"]) == "gold_discarded"
    assert why(answer["pong"]) == why(answer["kong"]) == "gold_discarded"
    assert answer["chow"] == []


def test_xm_2_3_golds_in_hand_are_no_part_of_a_claim() -> None:
    answer = claims("xiamen", "6m 5m 678s 99p 45s 234p 678p 1z", "4m", "B")
    assert answer["chow"] == []
    white = claims("xiamen", "55m 678s 99p 45s 234p 678p 1z", "5z", "B")
    assert why(white["pong"]) == "not_enough_copies"


def test_gold_is_the_white() -> None:
    answer = claims("xiamen", "46m 5z 678s 99p 45s 234p 678p", "5m", "B", gold="5z")
    assert legal_chows(answer) == ["46m"]
    assert claims("xiamen", "46m 5z 678s 99p 45s 234p 678p", "5z", "B", gold="5z")["chow"] == []


# --- discard wins that the games forbid ---------------------------------------------------------------------------


def test_xm_2_4_no_discard_win_with_a_gold() -> None:
    assert why(claims("xiamen", "123m 678s 99p 45s 234p 67p 5m", "3s", "A")["win"]) == "holds_gold"


def test_zz_2_2_two_golds() -> None:
    assert claims("zhangzhou", "123m 678s 99p 45s 234p 67p 5m", "3s", "A")["win"]["legal"]
    assert why(claims("zhangzhou", "123m 678s 99p 45s 234p 6p 55m", "3s", "A")["win"]) == "holds_gold"


def test_zz_2_3_lone_wild() -> None:
    assert why(claims("zhangzhou", "123m 678s 999p 345s 234p 5m", "1z", "A")["win"]) == "lone_wild"


def test_yx_2_4_lone_wild() -> None:
    assert why(claims("yunxiao", "123m 678s 345s 5m", "7z", "A", melds=MELD)["win"]) == "lone_wild"


def test_hz_1_4_no_discard_wins() -> None:
    answer = claims("hangzhou", "123m 456p 789s 22z 45m", "6m", "B")
    assert why(answer["win"]) == "no_such_win"
    assert legal_chows(answer) == ["45m"]


def test_yx_08_the_dealers_first_discard_is_dihu() -> None:
    hand = "111p 234m 678m 22z 45s"
    fields: Json = {"gold": "9p", "table": {"discards": "6s"}}
    answer = claims("yunxiao", hand, "6s", "A", **fields)
    assert answer["win"]["settlement"]["method"] == "earth"
    later = claims("yunxiao", hand, "6s", "A", gold="9p", table={"discards": "1z6s"})
    assert later["win"]["settlement"]["method"] == "discard"
    other = claims("yunxiao", hand, "6s", "B", **fields)
    assert other["win"]["settlement"]["method"] == "discard"


# --- pass_lock -----------------------------------------------------------------------------------------------------


def passed(*tiles: str, source: str = "B") -> Json:
    return {"passed": [{"tile": tile, "from": source} for tile in tiles]}


PAIR = "46p 55p 678s 99p 123m 123s 1z"


def test_xm_b4_a_tile_let_go_is_not_ponged_but_may_be_chowed() -> None:
    # D let B's 5p go, C discards the next one; C is the player before D.
    fields: Json = {"seat": "D", "table": passed("5p")}
    answer = claims("xiamen", PAIR, "5p", "C", **fields)
    assert why(answer["pong"]) == "passed_this_circle"
    assert legal_chows(answer) == ["46p"]
    assert claims("xiamen", PAIR, "5p", "C", seat="D", table=passed("9p"))["pong"]["legal"]
    assert claims("xiamen", PAIR, "5p", "C", seat="D")["pong"]["legal"]


def test_xm_b5_a_win_let_go_is_not_taken_on_the_next_copy() -> None:
    answer = claims("xiamen", READY, "6s", "B", table=passed("6s", source="A"))
    assert why(answer["win"]) == "passed_this_circle"
    # Another kind is not locked.
    assert claims("xiamen", READY, "3s", "B", table=passed("6s", source="A"))["win"]["legal"]


def test_xm_2_6_the_own_discard_counts_as_a_first_copy() -> None:
    answer = claims("xiamen", PAIR, "5p", "B", table=passed("5p", source="C"))
    assert why(answer["pong"]) == "passed_this_circle"
    assert why(claims("xiamen", READY, "6s", "B", table=passed("6s", source="C"))["win"]) == "passed_this_circle"
    all_ = claims("xiamen", PAIR, "5p", "B", table=passed("5p", source="C"), house={"pass_lock": "all"})
    assert all_["pong"]["legal"]


@pytest.mark.parametrize(
    ("mode", "same", "other", "pong"),
    [("kind", False, True, False), ("all", False, False, False), ("off", True, True, True)],
)
@pytest.mark.parametrize("rules", ["xiamen", "zhangzhou"])
def test_10_2_pass_lock(rules: str, mode: str, same: bool, other: bool, pong: bool) -> None:
    house = {"pass_lock": mode}
    table = passed("6s", source="A")
    assert claims(rules, READY, "6s", "B", table=table, house=house)["win"]["legal"] == same
    assert claims(rules, READY, "3s", "B", table=table, house=house)["win"]["legal"] == other
    assert claims(rules, PAIR, "5p", "B", table=passed("5p", source="A"), house=house)["pong"]["legal"] == pong


def test_zz_2_1_only_a_passed_win_locks_wins() -> None:
    # 9p could only have been ponged: it locks 9p, not the win.
    answer = claims("zhangzhou", READY, "6s", "B", table=passed("9p", source="A"))
    assert answer["win"]["legal"]
    assert why(claims("zhangzhou", READY, "6s", "B", table=passed("3s", source="A"))["win"]) == "passed_win"
    assert claims("zhangzhou", READY, "6s", "B", table=passed("3s", source="C"))["win"]["legal"]


def test_yx_2_8_pass_lock_leaves_a_pure_suit_open() -> None:
    house = {"pass_lock": "all"}
    chow = [{"kind": "chow", "tiles": "234s"}]
    assert claims("yunxiao", SHORT, "6s", "B", melds=MELD, table=passed("3s", source="A"))["win"]["legal"]
    fields: Json = {"table": passed("3s", source="A"), "house": house}
    assert why(claims("yunxiao", SHORT, "6s", "B", melds=MELD, **fields)["win"]) == "passed_win"
    assert claims("yunxiao", "123s 678s 99s 45s", "6s", "B", melds=chow, **fields)["win"]["legal"]


def test_jh_b3_a_tile_let_go_from_the_player_before() -> None:
    answer = claims("jinhua", "22z 123m 456p 789s 45s", "2z", "B", table=passed("2z", source="A"))
    assert why(answer["pong"]) == "passed_this_circle"
    off = claims(
        "jinhua", "22z 123m 456p 789s 45s", "2z", "B", table=passed("2z", source="A"), house={"pass_lock": "off"}
    )
    assert off["pong"]["legal"]


def test_a_game_without_the_key_locks_nothing() -> None:
    assert claims("hangzhou", "22z 123m 456p 789s 45s", "2z", "B", table=passed("2z", source="A"))["pong"]["legal"]


# --- 雙游 ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "level", "claim"),
    [
        ("one_draw", 1, True),
        ("one_draw", 2, False),
        ("draw_and_discard", 2, False),
        ("claims_allowed", 2, True),
        ("claims_allowed", 3, False),
    ],
)
@pytest.mark.parametrize("rules", ["xiamen", "zhangzhou"])
def test_10_2_shuangyou_mode(rules: str, mode: str, level: int, claim: bool) -> None:
    fields: Json = {"house": {"shuangyou_mode": mode}, "table": {"youjin": {"D": level}}}
    pair = claims(rules, PAIR, "5p", "B", **fields)
    assert pair["pong"]["legal"] == claim
    assert bool(legal_chows(pair)) == claim
    three = claims(rules, "4p 555p 678s 99p 45s 123m 12s", "5p", "B", **fields)
    assert three["kong"]["legal"] == claim
    win = claims(rules, READY, "6s", "B", **fields)["win"]
    assert win["legal"] == (level < 2)
    if level >= 2:
        assert why(win) == "during_double_youjin"


def test_yx_2_6_no_discard_win_but_claims_during_shuangyou() -> None:
    answer = claims("yunxiao", SHORT, "6s", "B", melds=MELD, table={"youjin": {"A": 2}})
    assert why(answer["win"]) == "during_double_youjin"
    assert legal_chows(answer) == ["45s", "57s", "78s"]
    assert claims("yunxiao", SHORT, "9p", "B", melds=MELD, table={"youjin": {"A": 2}})["pong"]["legal"]


def test_the_own_state_is_not_somebody_elses() -> None:
    assert claims("yunxiao", SHORT, "6s", "B", melds=MELD, table={"youjin": {"C": 2}})["win"]["legal"]


@pytest.mark.parametrize(("mode", "code"), [("lock_one_round", "gold_discarder"), ("refuse", None)])
def test_xm_2_9_who_has_discarded_a_gold_may_only_self_draw(mode: str, code: str | None) -> None:
    fields: Json = {"house": {"gold_discard": mode}}
    assert why(claims("xiamen", READY, "6s", "B", table={"wild_discarder": "C"}, **fields)["win"]) == code
    assert claims("xiamen", READY, "6s", "B", table={"wild_discarder": "A"}, **fields)["win"]["legal"]


# --- Jinhua ------------------------------------------------------------------------------------------------------------


def chows(number: int) -> list[Json]:
    return [{"kind": "chow", "tiles": tiles, "from": "B"} for tiles in ("123p", "789p")[:number]]


@pytest.mark.parametrize(
    ("number", "hand", "tile", "expected"),
    [
        (0, "345s 11m 678m 99p 123m", "6s", {"45s": []}),
        (1, "345s 11m 678m 99p", "6s", {"45s": []}),
        (2, "345s 11m 99p", "6s", {"45s": ["3s"]}),
        (2, "3456s 1m 99p", "6s", {"45s": ["3s", "6s"]}),
        (2, "4566s 1m 99p", "6s", {"45s": ["6s"]}),
        (2, "4578s 1m 99p", "6s", {"45s": [], "57s": [], "78s": []}),
        (2, "46s 5s 1m 99p 7z", "5s", {"46s": ["5s"]}),
        (2, "12s 3s 1m 99p 7z", "3s", {"12s": ["3s"]}),
        (2, "6m 4s 77z 99p 5z", "4m", {"6m5z": []}),
        (2, "6m 7m 4s 77z 9p 5z", "4m", {"6m5z": ["7m"]}),
    ],
)
def test_jh_2_4_chow_and_discard(number: int, hand: str, tile: str, expected: dict[str, list[str]]) -> None:
    answer = claims("jinhua", hand, tile, "B", melds=chows(number))
    assert {chow["with"]: chow["may_not_discard"] for chow in answer["chow"]} == expected
    assert all(chow["legal"] for chow in answer["chow"])


def test_jh_2_4_nothing_left_to_discard() -> None:
    melds = [*chows(2), {"kind": "pong", "tiles": "111z"}]
    answer = claims("jinhua", "345s 3s", "6s", "B", melds=melds)
    assert [why(chow) for chow in answer["chow"]] == ["nothing_to_discard"]
    assert claims("jinhua", "345s 1m", "6s", "B", melds=melds)["chow"][0]["legal"]


@pytest.mark.parametrize(
    ("mode", "discarder", "legal"),
    [
        ("until_next_discard", "A", False),
        ("one_circle", "A", False),
        ("off", "A", True),
        ("until_next_discard", "C", True),
        ("until_next_discard", None, True),
    ],
)
def test_jh_b2_after_a_discarded_wild(mode: str, discarder: str | None, legal: bool) -> None:
    table = {} if discarder is None else {"wild_discarder": discarder}
    fields: Json = {"table": table, "house": {"wild_discard_ban": mode}}
    answer = claims("jinhua", "555p 46p 11m 678m 123m", "5p", "B", **fields)
    assert answer["pong"]["legal"] == answer["kong"]["legal"] == legal
    assert bool(legal_chows(answer)) == legal
    # A win is no claim.
    assert claims("jinhua", SHORT, "6s", "B", melds=MELD, **fields)["win"]["legal"]


def test_jh_2_5_nobody_claims_the_wild_itself() -> None:
    answer = claims("jinhua", "46m 11m 678m 123p 99s 7z", "5m", "B")
    assert why(answer["pong"]) == "gold_discarded"
    assert answer["chow"] == []


# --- a discard must follow ------------------------------------------------------------------------------------------


def test_a_claim_that_leaves_only_golds_that_may_not_be_discarded() -> None:
    melds = [{"kind": "pong", "tiles": tiles} for tiles in ("111z", "222z", "333z", "444z")]
    answer = claims("xiamen", "99p 55m", "9p", "B", melds=melds)
    assert why(answer["pong"]) == "nothing_to_discard"
    allowed = claims("xiamen", "99p 55m", "9p", "B", melds=melds, house={"direct_shuangyou": True})
    assert allowed["pong"]["legal"]
    assert why(claims("xiamen", "78p 55m", "9p", "B", melds=melds)["chow"][0]) == "nothing_to_discard"
    assert claims("zhangzhou", "99p 55m", "9p", "B", melds=melds)["pong"]["legal"]


# --- what is no question ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"offered": None}, "offered"),
        ({"offered": {"tile": "6s"}}, "offered.from"),
        ({"offered": {"from": "B"}}, "offered.tile"),
        ({"offered": {"tile": "6s", "from": "C"}}, "offered.from"),
        ({"offered": {"tile": "1f", "from": "B"}}, "offered.tile"),
        ({"drawn": "1z"}, "offered"),
        ({"win": {"by": "discard", "tile": "3s", "from": "A"}}, "win"),
        ({"table": {"passed": [{"tile": "6s"}]}}, "table.passed[0].from"),
        ({"hand": "123m"}, "hand"),
        ({"sitting_out": ["C"]}, "sitting_out[0]"),
    ],
)
def test_input_errors(change: Json, field: str) -> None:
    answer = api.claims(record("xiamen", READY, "6s", "B") | change)
    assert answer["error"]["field"] == field
