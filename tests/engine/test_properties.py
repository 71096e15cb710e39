"""What must hold for every hand, whatever it is."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import api, shapes
from engine.errors import InputError, Refusal
from engine.parsing import parse
from engine.record import HandRecord, Win
from engine.rules import GAMES
from engine.settlement import EventResult, Settlement, zero
from engine.text import same
from engine.tiles import CODES, format_tiles, names, to_unicode
from tests.engine.reference import random_hand

Json = dict[str, Any]
SEEDS = st.integers(0, 2**32)


def random_record(seed: int, rules: str) -> Json:
    """A record with a tile drawn, near completion, sometimes with melds, flowers, a table."""
    rng = random.Random(seed)
    game = GAMES[rules]
    gold = 31 if game.gold_is_white else rng.choice([4, 13, 26, 27, 31, rng.randrange(34)])
    wilds = rng.choice((0, 0, 1, 1, 2, 3))
    melds: list[Json] = []
    while True:
        tiles = random_hand(rng, 3 * game.sets + 2, wilds)
        tiles = [kind for kind in tiles if kind != gold]
        if len(tiles) == 3 * game.sets + 2 - wilds:
            break
    if rng.random() < 0.3:
        for kind in set(tiles):
            if tiles.count(kind) >= 3 and kind != gold:
                melds = [{"kind": "pong", "tiles": format_tiles([kind] * 3)}]
                for _ in range(3):
                    tiles.remove(kind)
                break
    tiles += [gold] * wilds
    rng.shuffle(tiles)
    record: Json = {
        "rules": rules,
        "gold": CODES[gold],
        "seat": rng.choice("ABCD"),
        "hand": format_tiles(tiles[1:]),
        "drawn": CODES[tiles[0]],
        "melds": melds,
    }
    if game.has_flowers:
        record["flowers"] = format_tiles(rng.sample(range(34, 42), rng.randrange(9)))
    if rng.random() < 0.3:
        record["table"] = {"dealer_streak": rng.randrange(3), "chips": {seat: rng.randrange(200) for seat in "ABCD"}}
    return record


def settlements(answer: Any) -> list[Json]:
    """Every settlement inside an answer."""
    if isinstance(answer, list):
        return [found for item in answer for found in settlements(item)]
    if not isinstance(answer, dict):
        return []
    if "payments" in answer:
        return [answer]
    return [found for item in answer.values() for found in settlements(item)]


@pytest.mark.parametrize("rules", list(GAMES))
@settings(max_examples=40, deadline=None)
@given(seed=SEEDS)
def test_options_of_any_hand_are_consistent(rules: str, seed: int) -> None:
    record = random_record(seed, rules)
    answer = api.options(record)
    if "error" in answer:
        assert answer["error"]["code"] == "five_of_a_kind"
        return
    for settlement in settlements(answer):
        assert sum(settlement["payments"].values()) == 0
        assert sum(settlement["bonus"].values()) == 0
        assert settlement["payments"][record["seat"]] >= 0
        assert settlement["water_total"] == sum(item["value"] for item in settlement["water"])
        assert settlement["lines"]
    for entry in answer["discards"]:
        if entry["state"] == "ready":
            assert entry["waits"]
            assert all(1 <= wait["left"] <= 4 and wait["tile"] != record["gold"] for wait in entry["waits"])
        elif entry["state"] == "not_ready":
            assert entry["shanten"] >= 0


@pytest.mark.parametrize("rules", list(GAMES))
@settings(max_examples=25, deadline=None)
@given(seed=SEEDS)
def test_the_order_and_the_script_of_the_tiles_do_not_matter(rules: str, seed: int) -> None:
    record = random_record(seed, rules)
    record["win"] = {"by": "self_draw"}
    answer = api.score(record)
    try:
        parsed = parse(record, GAMES)
    except InputError:
        assert "field" in answer["error"]
        return
    kinds = list(parsed.hand)
    random.Random(seed).shuffle(kinds)
    for text in ("".join(CODES[kind] for kind in kinds), names(kinds).zh, names(kinds).zh_hant, to_unicode(kinds)):
        assert api.score(record | {"hand": text}) == answer
    assert parse(parsed.as_json(), GAMES) == parsed


@pytest.mark.parametrize("rules", list(GAMES))
@settings(max_examples=40, deadline=None)
@given(seed=SEEDS)
def test_7_1_youjin_shape_wins_with_every_kind(rules: str, seed: int) -> None:
    record = random_record(seed, rules)
    answer = api.waits(record | {"drawn": None})
    if "error" in answer:
        return
    game = GAMES[rules]
    parsed = parse(record | {"drawn": None}, GAMES)
    hand = game.concealed(parsed)
    every = all(
        shapes.complete(hand.natural + unit, hand.wilds)
        or (game.seven_pairs and hand.sets == game.sets and shapes.pairs_complete(hand.natural + unit, hand.wilds))
        for unit in shapes.UNIT
    )
    shape = shapes.lone_wild(hand.natural, hand.wilds) or (
        game.seven_pairs and hand.sets == game.sets and shapes.lone_wild_pairs(hand.natural, hand.wilds)
    )
    assert shape == (every and hand.wilds > 0)
    if shape and game.in_youjin_shape(hand, parsed):
        assert answer["waits"] == "any"


@settings(max_examples=60, deadline=None)
@given(seed=SEEDS)
def test_if_won_is_the_least_a_win_can_pay(seed: int) -> None:
    record = random_record(seed, "xiamen")
    answer = api.options(record)
    for entry in answer.get("discards", []):
        if entry["state"] != "youjin":
            continue
        parsed = parse(record, GAMES)
        tiles = [*parsed.hand, parsed.drawn]
        tiles.remove(CODES.index(entry["tile"]))
        rest = replace(parsed, hand=tuple(sorted(tiles)), drawn=None, youjin=1)
        for kind in range(34):
            paid = GAMES["xiamen"].settle(replace(rest, win=Win("self_draw", kind)))
            assert isinstance(paid, Settlement)
            assert paid.water_total >= entry["if_won"]["water_total"]


JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["A", "5m", "123m", "pong"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
FIELDS = (
    "rules",
    "house",
    "gold",
    "dealer",
    "seat",
    "hand",
    "drawn",
    "melds",
    "flowers",
    "youjin",
    "table",
    "win",
    "sitting_out",
    "event",
)


@settings(max_examples=300, deadline=None)
@given(
    field=st.sampled_from(FIELDS), junk=JUNK, question=st.sampled_from(["score", "options", "waits", "claims", "event"])
)
def test_junk_is_answered_never_raised(field: str, junk: Any, question: str) -> None:
    record: Json = {"rules": "xiamen", "gold": "5m", "hand": "123m 678s 99p 45s 234p 678p", "drawn": "6s"}
    answer = getattr(api, question)(record | {field: junk})
    assert isinstance(answer, dict)


@given(JUNK)
def test_a_record_of_junk_is_an_error(junk: Any) -> None:
    assert "error" in api.score(junk)


def test_nothing_that_is_not_zero_sum_can_be_built() -> None:
    wrong = zero() | {"A": 1}
    with pytest.raises(AssertionError):
        EventResult(wrong, zero())
    with pytest.raises(AssertionError):
        Settlement("A", "self_draw", same("x"), 1, 1, zero(), wrong)


def test_a_record_built_by_hand_prints_everything() -> None:
    data: Json = {
        "rules": "xiamen",
        "house": {"sanyou_multiplier": 12},
        "gold": "5m",
        "dealer": "B",
        "seat": "C",
        "hand": "123m99p45678s",
        "melds": [{"kind": "chow", "tiles": "234p", "from": "B"}, {"kind": "concealed_kong", "tiles": "1111z"}],
        "flowers": "16f",
        "youjin": 1,
        "table": {
            "dealer_streak": 2,
            "draw_streak": 1,
            "tiles_left": 0,
            "visible": "9p2f",
            "chips": {"A": 1, "B": 2, "C": 3, "D": 4},
            "claims": {"A": {"B": 3}},
            "passed": [{"tile": "5p", "from": "B"}],
            "discards": "7z1z",
            "wild_discarder": "A",
            "youjin": {"B": 2},
        },
        "win": {"by": "self_draw", "tile": "6s", "first_round": True, "last_tile": True, "kong": "concealed"},
        "sitting_out": ["D"],
    }
    record = parse(data, GAMES)
    assert record.as_json() == data
    assert not record.is_dealer
    assert [meld.is_claimed for meld in record.melds] == [True, False]
    offered = {**data, "win": None, "offered": {"tile": "5p", "from": "B"}}
    assert parse(parse(offered, GAMES).as_json(), GAMES) == parse(offered, GAMES)
    drawn = {**data, "win": None, "drawn": "6s"}
    assert parse(drawn, GAMES).as_json()["drawn"] == "6s"
    discard = {**data, "youjin": 0, "win": {"by": "discard", "tile": "6s", "from": "B", "first_discard": True}}
    assert parse(discard, GAMES).as_json()["win"] == discard["win"]
    opening = {**data, "win": {"by": "three_golds", "opening": True}}
    assert parse(opening, GAMES).as_json()["win"] == opening["win"]


def test_a_record_without_a_gold_is_printed_with_null() -> None:
    record = replace(parse({"rules": "xiamen", "gold": "5m", "hand": "123m 678s 99p 45s 234p 678p"}, GAMES), gold=None)
    assert isinstance(record, HandRecord)
    assert record.as_json()["gold"] is None


def test_refusals_are_frozen() -> None:
    refusal = Refusal("x", same("y"))
    with pytest.raises(AttributeError):
        refusal.code = "z"  # type: ignore[misc]
