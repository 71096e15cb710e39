"""Advice: the ranking of discards, and the 游金 decision of RULES 7.3."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import advice, api
from engine.parsing import parse
from engine.rules import GAMES
from engine.tiles import CODES, PLAYABLE, format_tiles

Json = dict[str, Any]

WORLDS = {"zh", "zh_hant", "en"}


def record(hand: str, drawn: str = "9p", **more: object) -> Json:
    return {"rules": "xiamen", "gold": "5m", "dealer": "A", "seat": "B", "hand": hand, "drawn": drawn, **more}


def advised(data: Json) -> list[Json]:
    answer = api.options(data)
    assert "error" not in answer, answer
    found: list[Json] = answer["advice"]
    return found


H01 = "123m 456p 789s 222z 345s 5m"


def test_7_3_the_break_even_chance_of_h_01_is_the_rule_of_thumb() -> None:
    first = advised(record(H01))[0]
    assert (first["tile"], first["key"]) == ("9p", "youjin")
    # 22 each now against 44 + 50 each.
    assert first["break_even"] == pytest.approx(22 / 94, abs=0.001)
    assert 0.5 < first["chance"] < 1
    assert "23%" in first["why"]["en"]
    assert "44" in first["why"]["en"]
    assert "游金" in first["why"]["zh"]


def test_7_3_winning_now_is_named_beside_it() -> None:
    found = advised(record(H01))
    assert [item.get("win", False) for item in found[:2]] == [False, True]
    win = found[1]
    assert (win["tile"], win["key"], win["value"]) == (None, "win_now", 66)
    assert "22 from each" in win["why"]["en"]


def test_late_in_the_hand_the_chance_falls() -> None:
    def chance(left: int) -> float:
        found: float = advised(record(H01, table={"tiles_left": left}))[0]["chance"]
        return found

    chances = [chance(left) for left in (76, 60, 44, 28)]
    assert chances == sorted(chances, reverse=True)
    assert chances[0] - chances[-1] > 0.1


def test_where_little_more_is_won_the_certain_win_comes_first() -> None:
    """Jinhua: 敲響 only doubles, and late in the hand somebody else wins often enough."""
    hand = {
        "rules": "jinhua",
        "gold": "2m",
        "seat": "B",
        "hand": "456m 789p 345s 111z 2m",
        "drawn": "7z",
        "house": {"pattern_values": {"baotou": 1}},
        "table": {"tiles_left": 20},
    }
    found = advised(hand)
    assert found[0].get("win") is True
    assert found[0]["key"] == "win_now"
    assert "for certain" in found[0]["why"]["en"] or "Win now" in found[0]["why"]["en"]


def test_sanyou_at_once_is_certain() -> None:
    data = record("123m 456p 789s 222z 345s 55m"[:-3] + "5m", "5m", youjin=2, table={"visible": "5m"})
    found = advised(data)
    triple = next(item for item in found if item["key"] == "triple_youjin")
    assert triple["chance"] == 1
    assert "at once" in triple["why"]["en"]


def test_after_an_announced_shuangyou_only_self_draws_are_counted() -> None:
    data = record("123m 456p 789s 222z 34s 55m", "5s", youjin=1)
    found = {item["key"]: item for item in advised(data)}
    assert found["double_youjin"]["chance"] > found.get("youjin", {"chance": 0})["chance"]


def test_without_flowers_and_golds_nothing_is_certain() -> None:
    found = advised(record("123m 456p 789s 222z 34s 9p 1s", "9p"))
    assert (found[0]["key"], found[0]["tile"]) == ("ready", "1s")
    assert "you are ready" in found[0]["why"]["en"]
    assert "somebody discards" in found[0]["why"]["en"]


def test_with_a_gold_a_ready_hand_is_told_to_draw_itself() -> None:
    # H-09
    found = advised(record("123m 456p 789s 222z 24s 8m 5m"))
    assert {item["tile"] for item in found[:2]} == {"8m", "9p"}
    assert "only draw it yourself" in found[0]["why"]["en"]


def test_far_hands_by_shanten_then_by_tiles_left() -> None:
    data = record("147m 258p 369s 1234z 6z 12s")
    game = GAMES["xiamen"]
    parsed = parse(data, GAMES)
    answer = api.options(data)
    every = advice.advise(game, parsed, answer["win_now"], answer["discards"], most=None)
    assert len(every) == len([entry for entry in answer["discards"] if entry["legal"]])
    keys = [(item["shanten"], -item["useful"]) for item in every]
    assert keys == sorted(keys)
    # Several discards leave the same number of tiles, so none is said to be the best.
    assert (every[0]["shanten"], every[0]["useful"]) == (every[1]["shanten"], every[1]["useful"])
    assert "more than after any other" not in every[0]["why"]["en"]


def test_the_best_discard_is_called_so() -> None:
    first, second = advised(record("123m 456p 78s 22z 3s 6s 8p 1z 2m 5m", "9m"))[:2]
    assert first["key"] == second["key"] == "not_ready"
    assert (first["shanten"], -first["useful"]) < (second["shanten"], -second["useful"])
    assert "more than after any other" in first["why"]["en"]
    assert "more than after any other" not in second["why"]["en"]


def test_a_forced_discard_is_the_only_advice() -> None:
    data = record("147m 258p 369s 1234z 6z 12s", table={"discards": "1z"})
    assert [item["tile"] for item in advised(data)] == ["1z"]


def test_the_dealer_among_the_losers_is_told_the_sum() -> None:
    hand = {
        "rules": "zhangzhou",
        "gold": "5m",
        "dealer": "A",
        "seat": "B",
        "hand": H01,
        "drawn": "9p",
    }
    first = advised(hand)[0]
    assert "in all" in first["why"]["en"]


@pytest.mark.parametrize("rules", ["yunxiao", "hangzhou", "jinhua"])
def test_the_names_of_each_game(rules: str) -> None:
    gold, hand = ("5z", "123m 456p 789s 222z 5z") if rules == "hangzhou" else ("5m", "123m 456p 789s 222z 5m")
    found = advised({"rules": rules, "gold": gold, "hand": hand, "drawn": "1s", "seat": "B"})
    youjin = next(item for item in found if item["key"] == "youjin")
    assert {"yunxiao": "单游金", "hangzhou": "暴头", "jinhua": "敲响"}[rules] in youjin["why"]["zh"]


def test_the_same_record_always_gets_the_same_advice() -> None:
    first = advised(record(H01))
    advice.undisturbed.cache_clear()
    assert advised(record(H01)) == first


def test_no_unseen_tile_no_danger() -> None:
    assert advice.undisturbed("xiamen", (0,) * PLAYABLE, 4, 8, 1) == (1.0,) * PLAYABLE
    # A game without a flipped gold.
    assert len(advice.undisturbed("xiamen", (4,) * PLAYABLE, None, 8, 0)) == PLAYABLE


@pytest.mark.parametrize(
    ("table", "turn"),
    [
        ({}, 8),
        ({"discards": "1m2m3m4m5m6m7m8m"}, 2),
        ({"tiles_left": 78 - 16}, 4),
        ({"visible": "111222333444s"}, 3),
        ({"discards": "1m"}, 1),
    ],
)
def test_how_far_the_hand_is(table: Json, turn: int) -> None:
    parsed = parse(record("147m 258p 369p 1234z 6z 12m", table=table), GAMES)
    assert advice.turn_of(GAMES["xiamen"], parsed) == turn


@settings(max_examples=25, deadline=None)
@given(st.permutations(list(range(PLAYABLE)) * 4).map(lambda tiles: tiles[:17]), st.sampled_from(sorted(GAMES)))
def test_any_hand_gets_advice_on_legal_discards(tiles: list[int], rules: str) -> None:
    game = GAMES[rules]
    size = 3 * game.sets + 1
    hand = format_tiles(tiles[:size])
    gold = "5z" if game.gold_is_white else "5m"
    data = {"rules": rules, "gold": gold, "hand": hand, "drawn": CODES[tiles[size]], "seat": "B"}
    answer = api.options(data)
    if "error" in answer:
        # Four 5m in hand, one of which lies turned up.
        assert answer["error"]["code"] == "five_of_a_kind"
        return
    legal = {entry["tile"] for entry in answer["discards"] if entry["legal"]}
    found = answer["advice"]
    assert found
    for item in found:
        assert item["tile"] in legal or item.get("win")
        assert set(item["why"]) == WORLDS
        assert "{" not in "".join(item["why"].values())
        assert 0 <= item.get("chance", 0) <= 1


def test_staying_in_youjin_brings_no_more_than_winning() -> None:
    found = advised(record(H01, "1z", youjin=1))
    assert found[0].get("win") is True
    assert found[0]["why"]["en"].startswith("Win now: 44 from each and 50 outside")
    stay = next(item for item in found if item["tile"] == "1z")
    assert "no more than" in stay["why"]["en"]
    assert "break_even" not in stay


def test_a_plain_win_is_simply_taken() -> None:
    won = advised(record("123m 456p 789s 222z 345s 1p", "1p", gold="9m"))
    # (8 + 2 for the concealed wind triplet) × 2.
    assert (won[0]["key"], won[0]["why"]["en"]) == ("win_now", "Win now: 20 from each.")


def test_youjin_after_a_claim_has_nothing_to_set_against() -> None:
    game = GAMES["xiamen"]
    data = record(H01)
    parsed = parse(data, GAMES)
    answer = api.options(data)
    found = advice.advise(game, parsed, {"legal": False}, answer["discards"])
    assert found[0]["tile"] == "9p"
    assert "Winning now" not in found[0]["why"]["en"]
    assert "break_even" not in found[0]
