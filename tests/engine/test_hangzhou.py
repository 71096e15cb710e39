"""Hangzhou special hands, rule by rule; the names carry the paragraphs of RULES HZ. Whites are wild."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement
from random import Random
from typing import Any

import pytest

from engine import api
from engine.tiles import CODES, format_tiles

Json = dict[str, Any]

PLAIN = "123m 456p 789s 22z 45m"  # waits 3m 6m
LONE = "123m 456p 789s 222z 5z"
PAIRS = "1133m 2255p 66s 77z 8p"
SIX_PAIRS = "1133m 2255p 66s 77z 5z"


def record(hand: str = PLAIN, tile: str | None = "6m", **fields: Any) -> Json:
    win: Json = {"by": "self_draw"} | ({"tile": tile} if tile else {}) | fields.pop("extra", {})
    return {"rules": "hangzhou", "seat": "B", "hand": hand, "win": win} | fields


def patterns(data: Json) -> dict[str, int]:
    answer = api.score(data)
    assert answer["valid"], answer
    found = {pattern["key"]: pattern["value"] for pattern in answer["patterns"]}
    product = 1
    for value in found.values():
        product *= value
    base = answer["base"]
    assert answer["multiplier"] == product
    assert answer["payments"] == {
        "A": -base * product,
        "B": 3 * base * product,
        "C": -base * product,
        "D": -base * product,
    }
    assert set(answer["bonus"].values()) == {0}
    assert all(line[language] for line in answer["lines"] for language in ("zh", "zh_hant", "en"))
    shown = [char for group in answer["reading"] for char in group if char.isdigit()]
    assert len(shown) == sum(char.isdigit() for char in data["hand"]) + ("tile" in data["win"])
    return found


def refused(data: Json) -> str:
    answer = api.score(data)
    assert answer["valid"] is False, answer
    return str(answer["error"]["code"])


def test_hz_1_3_gold_may_be_left_out_and_is_never_anything_else() -> None:
    assert patterns(record()) == patterns(record(gold="5z")) == {"plain": 1}
    assert api.score(record(gold="1m"))["error"]["field"] == "gold"


def test_hz_1_3_all_four_whites_are_wild_and_stand_for_nothing_else() -> None:
    assert patterns(record("123m 456p 78s 22z 45m 5z", "6m")) == {"plain": 1}
    assert patterns(record("123m 456p 789s 45m 55z", "6m")) == {"baotou": 2}
    assert refused(record("123m 456p 79s 22z 45m 9p", "6m")) == "not_complete"


@pytest.mark.parametrize(
    "win",
    [
        {"by": "discard", "tile": "6m", "from": "A"},
        {"by": "rob_kong", "tile": "6m", "from": "A"},
        {"by": "opening", "tile": "6m"},
        {"by": "gold_grab"},
        {"by": "three_golds"},
    ],
)
def test_hz_1_4_only_self_draws_win(win: Json) -> None:
    data = record()
    data["win"] = win
    assert refused(data | {"dealer": "B"}) == "no_such_win"


@pytest.mark.parametrize(
    ("hand", "tile", "expected"),
    [
        (PAIRS, "8p", {"seven_pairs": 2}),
        ("1133m 2255p 6s 77z 8p 5z", "8p", {"seven_pairs": 2}),
        ("11m 2222p 55p 66s 77z 8p", "8p", {"luxury_seven_pairs": 4}),
        ("11m 222p 55p 66s 77z 88p", "2p", {"luxury_seven_pairs": 4}),  # completed by the drawn tile
        ("2222p 5555p 66s 77z 8p", "8p", {"double_luxury_seven_pairs": 8}),
        ("2222p 5555p 6666s 8p", "8p", {"triple_luxury_seven_pairs": 16}),
        ("11m 222p 5z 55p 66s 77z 8p", "8p", {"seven_pairs": 2}),  # a white does not make a four of a kind
        (LONE, "4s", {"baotou": 2}),
        (LONE, "5z", {"baotou": 2}),
        ("123m 456p 78s 222z 55z", "4s", {"baotou": 2}),  # one white inside a set
        (SIX_PAIRS, "4s", {"seven_pairs": 2, "baotou": 2}),
        ("11m 2222p 55p 66s 77z 5z", "9m", {"luxury_seven_pairs": 4, "baotou": 2}),
        ("2222p 5555p 66s 77z 5z", "9m", {"double_luxury_seven_pairs": 8, "baotou": 2}),
        (PLAIN, "6m", {"plain": 1}),
        ("123m 456p 789s 2z 45m 5z", "6m", {"plain": 1}),  # the pair is completed by a white that was not alone
    ],
)
def test_hz_2_patterns(hand: str, tile: str, expected: dict[str, int]) -> None:
    assert patterns(record(hand, tile)) == expected


def test_hz_2_seven_pairs_have_no_melds() -> None:
    meld = [{"kind": "pong", "tiles": "111z"}]
    assert refused(record("1133m 2255p 66s", "7z", melds=meld)) == "not_complete"
    assert patterns({**record("456p 789s 222z 5z", "1p"), "melds": meld}) == {"baotou": 2}


@pytest.mark.parametrize(("level", "factor"), [(1, 2), (2, 4), (3, 8)])
@pytest.mark.parametrize(("hand", "keys"), [(LONE, {"baotou": 2}), (SIX_PAIRS, {"seven_pairs": 2, "baotou": 2})])
@pytest.mark.parametrize("tile", ["4s", None])
def test_hz_2_4_piao(level: int, factor: int, hand: str, keys: dict[str, int], tile: str | None) -> None:
    data = record(hand, tile, youjin=level)
    assert patterns(data) == keys | {"piao": factor}
    assert api.score(data)["method"] == "piao"


def test_hz_2_4_piao_needs_the_shape() -> None:
    assert refused(record(PLAIN, "6m", youjin=1)) == "no_youjin_shape"


def test_r2_whites_discarded_count_as_seen() -> None:
    assert "error" in api.score(record("123m 456p 78s 222z 55z", "4s", youjin=3))
    assert patterns(record("123m 456p 78s 222z 55z", "4s", youjin=2)) == {"baotou": 2, "piao": 4}


@pytest.mark.parametrize("factor", [1, 2, 4])
def test_hz_a1_piao_multiplier(factor: int) -> None:
    house = {"piao_multiplier": factor}
    assert patterns(record(LONE, "4s", youjin=2, house=house)) == {"baotou": 2, "piao": factor**2}


def test_hz_a2_qidui_with_baotou() -> None:
    house = {"qidui_with_baotou": "highest"}
    assert patterns(record("11m 2222p 55p 66s 77z 5z", "9m", house=house)) == {"luxury_seven_pairs": 4}
    assert patterns(record("11m 2222p 55p 66s 77z 5z", "9m", youjin=1, house=house)) == {
        "luxury_seven_pairs": 4,
        "piao": 2,
    }
    dear = house | {"pattern_values": {"baotou": 5}}
    assert patterns(record(SIX_PAIRS, "9m", house=dear)) == {"baotou": 5}


@pytest.mark.parametrize(
    ("hand", "tile", "expected"),
    [
        ("11m 222p 5z 55p 66s 77z 8p", "8p", {"luxury_seven_pairs": 4}),
        ("11m 22p 55p 66s 77z 8p 55z", "8p", {"luxury_seven_pairs": 4, "baotou": 2}),
        ("11m 22p 55p 66s 77z 88p 5z", "2p", {"luxury_seven_pairs": 4, "baotou": 2}),
        ("11m 22p 55p 66s 77z 88p 5z", "9m", {"seven_pairs": 2, "baotou": 2}),
        ("11m 22p 55p 66s 77z 88p 5z", "5z", {"luxury_seven_pairs": 4, "baotou": 2}),
        ("11m 22p 5p 6s 77z 88p 555z", "5p", {"luxury_seven_pairs": 4, "baotou": 2}),
    ],
)
def test_hz_a3_natural_quads_only_off(hand: str, tile: str, expected: dict[str, int]) -> None:
    assert patterns(record(hand, tile, house={"natural_quads_only": False})) == expected


@pytest.mark.parametrize(("on", "expected"), [(False, {"plain": 1}), (True, {"baotou": 2})])
def test_hz_a6_four_wilds_baotou(on: bool, expected: dict[str, int]) -> None:
    house = {"four_wilds_baotou": on}
    assert patterns(record("123m 456p 7s 222z 555z", "5z", house=house)) == expected
    assert patterns(record("123m 456p 789s 5555z", "1p", house=house)) == expected


@pytest.mark.parametrize(
    ("key", "hand", "tile"),
    [
        ("plain", PLAIN, "6m"),
        ("seven_pairs", PAIRS, "8p"),
        ("luxury_seven_pairs", "11m 2222p 55p 66s 77z 8p", "8p"),
        ("double_luxury_seven_pairs", "2222p 5555p 66s 77z 8p", "8p"),
        ("triple_luxury_seven_pairs", "2222p 5555p 6666s 8p", "8p"),
        ("baotou", LONE, "4s"),
    ],
)
def test_hz_2_pattern_values(key: str, hand: str, tile: str) -> None:
    assert patterns(record(hand, tile, house={"pattern_values": {key: 7}})) == {key: 7}


def test_hz_2_1_base() -> None:
    assert api.score(record(house={"base": 8}))["payments"]["A"] == -8


# --- options ---------------------------------------------------------------------------------------------------


def options(hand: str, drawn: str, **fields: Any) -> Json:
    return api.options({"rules": "hangzhou", "seat": "B", "hand": hand, "drawn": drawn} | fields)


def entry(answer: Json, tile: str) -> Json:
    return next(found for found in answer["discards"] if found["tile"] == tile)


@pytest.mark.parametrize(
    ("youjin", "state", "times"), [(0, "double_youjin", 4), (1, "triple_youjin", 8), (2, "triple_youjin", 16)]
)
def test_7_4_3_piao_states(youjin: int, state: str, times: int) -> None:
    found = entry(options(LONE, "5z", youjin=youjin), "5z")
    assert (found["state"], found["legal"]) == (state, True)
    assert found["if_won"]["multiplier"] == times


def test_7_4_4_baotou_if_won() -> None:
    answer = options(LONE, "4s")
    assert answer["win_now"]["settlement"]["multiplier"] == 2
    found = entry(answer, "4s")
    assert (found["state"], found["waits"], found["if_won"]["multiplier"]) == ("youjin", "any", 2)
    # Any other discard resets the count of 財飄.
    assert entry(options(LONE, "4s", youjin=1), "4s")["if_won"]["multiplier"] == 2


@pytest.mark.parametrize(("direct", "legal"), [(True, True), (False, False)])
def test_hz_2_4_direct_shuangyou(direct: bool, legal: bool) -> None:
    house = {"direct_shuangyou": direct}
    # Two whites after the draw, and not in 暴頭 shape before it.
    found = entry(options("123m 456p 78s 222z 55z", "9s", house=house), "5z")
    assert (found["state"], found["legal"]) == ("double_youjin", True)
    before = entry(options("123m 456p 789s 22z 55z", "2z", house=house), "5z")
    assert (before["state"], before["legal"]) == ("double_youjin", True)
    broken = entry(options("123m 456p 78s 22z 9p 55z", "9s", house=house), "5z")
    assert broken["state"] != "double_youjin"
    loose = entry(options("123m 456p 78s 222z 5z 1p", "5z", house=house), "5z")
    assert loose["state"] != "double_youjin"
    direct_only = entry(options("123m 456p 789s 22z 9p 5z", "5z", house=house), "5z")
    assert direct_only["state"] != "double_youjin"
    first = entry(options("123m 456p 79s 222z 5z 9s", "5z", house=house), "5z")
    assert first["legal"]


def test_four_whites_before_the_draw() -> None:
    answer = options("123m 456p 789s 5555z", "9s")
    assert entry(answer, "9s")["if_won"]["multiplier"] == 1


def test_waits() -> None:
    answer = api.waits({"rules": "hangzhou", "hand": PLAIN})
    assert [wait["tile"] for wait in answer["waits"]] == ["3m", "6m"]
    assert not any(wait["by_discard"] for wait in answer["waits"])
    assert api.waits({"rules": "hangzhou", "hand": LONE})["state"] == "youjin"
    assert api.waits({"rules": "hangzhou", "hand": LONE, "youjin": 1})["state"] == "double_youjin"


# --- brute force -------------------------------------------------------------------------------------------------


def quads(faces: list[int], natural: list[int]) -> int | None:
    """Fours of a kind of seven pairs, natural ones only; ``None`` if the faces are not seven pairs."""
    if any(count % 2 for count in Counter(faces).values()):
        return None
    return sum(count == 4 for count in Counter(natural).values())


def brute_family(physical: list[int]) -> int | None:
    """The best seven-pairs reading without 暴頭."""
    natural = [kind for kind in physical if kind != 31]
    best: int | None = None
    for chosen in combinations_with_replacement(range(34), len(physical) - len(natural)):
        found = quads([*natural, *chosen], natural)
        if found is not None:
            best = found if best is None else max(best, found)
    return best


def test_hz_2_seven_pairs_against_brute_force() -> None:
    random = Random(7)
    keys = ["seven_pairs", "luxury_seven_pairs", "double_luxury_seven_pairs", "triple_luxury_seven_pairs"]
    seen: Counter[int | None] = Counter()
    for _ in range(150):
        tiles = [kind for kind in random.sample(range(34), 7) for _ in range(random.choice([1, 2, 2, 2, 4]))]
        tiles = [*tiles, *[31] * random.randint(0, 2)][:14]
        if len(tiles) < 14 or max(Counter(tiles).values()) > 4 or tiles[-1] == 31:
            continue
        family = brute_family(tiles)
        # The lone white would make it 暴頭; only hands without one are compared.
        data = record(format_tiles(tiles[:-1]), CODES[tiles[-1]], house={"pattern_values": {"baotou": 1}})
        answer = api.score(data)
        found = [pattern["key"] for pattern in answer.get("patterns", []) if pattern["key"] in keys]
        if family is not None:
            assert found == [keys[family]], data
        seen[family] += 1
    assert len(seen) >= 3
