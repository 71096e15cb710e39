"""Everything that cannot happen at a table is refused with the field to correct (RULES 0.3)."""

from __future__ import annotations

import copy
import json
import math
from typing import Any

import pytest

from engine import api

Json = dict[str, Any]

GOOD: Json = {
    "rules": "xiamen",
    "gold": "5m",
    "dealer": "A",
    "seat": "C",
    "hand": "123m 678s 99p 45s",
    "melds": [{"kind": "chow", "tiles": "234p", "from": "B"}, {"kind": "pong", "tiles": "777z", "from": "D"}],
    "flowers": "16f",
    "win": {"by": "discard", "tile": "6s", "from": "D"},
}


def changed(**fields: Any) -> Json:
    """The good record with fields replaced; ``None`` removes one; ``win__tile`` reaches inside."""
    record = copy.deepcopy(GOOD)
    for name, value in fields.items():
        where: Any = record
        *path, last = name.split("__")
        for step in path:
            where = where[int(step) if step.isdigit() else step]
        key: Any = int(last) if last.isdigit() else last
        if value is None:
            where.pop(key, None)
        else:
            where[key] = value
    return record


def meld(kind: str, tiles: str, source: str | None = None) -> Json:
    return {"kind": kind, "tiles": tiles} | ({"from": source} if source else {})


def with_meld(entry: Json, hand: str = "123m 678s 99p 45s") -> Json:
    return changed(melds=[entry, meld("pong", "666z")], hand=hand)


HANGZHOU: Json = {"rules": "hangzhou", "hand": "123m 456p 789s 222z 5z", "win": {"by": "self_draw", "tile": "4s"}}

ERRORS = [
    # the record itself
    ("list", ["x"], "not_an_object", ""),
    ("text", "123m", "not_an_object", ""),
    ("nothing", None, "not_an_object", ""),
    ("no rules", changed(rules=None), "missing", "rules"),
    ("other rules", changed(rules="riichi"), "unknown_rules", "rules"),
    ("rules a number", changed(rules=5), "unknown_rules", "rules"),
    ("rules a list", changed(rules=["xiamen"]), "unknown_rules", "rules"),
    ("misspelt field", changed(flower="1f"), "unknown_field", "flower"),
    ("foreign field", changed(zzzzzz=1), "unknown_field", "zzzzzz"),
    ("no win", changed(win=None), "missing", "win"),
    # house
    ("house unknown", changed(house={"sanyou_multipler": 12}), "unknown_house_key", "house.sanyou_multipler"),
    ("house of another game", changed(house={"fenbing": True}), "house_key_of_other_game", "house.fenbing"),
    ("house value", changed(house={"sanyou_multiplier": 13}), "bad_house_value", "house.sanyou_multiplier"),
    ("house bool as int", changed(house={"follow_discard": 1}), "bad_house_value", "house.follow_discard"),
    ("house int as bool", changed(house={"base_dealer": True}), "bad_house_value", "house.base_dealer"),
    ("house no object", changed(house=[1]), "not_an_object", "house"),
    # gold, seats
    ("no gold", changed(gold=None), "missing", "gold"),
    ("gold flower", changed(gold="1f"), "flower_not_allowed", "gold"),
    ("gold two tiles", changed(gold="5m6m"), "one_tile", "gold"),
    ("gold empty", changed(gold=""), "one_tile", "gold"),
    ("gold number", changed(gold=5), "bad_value", "gold"),
    ("seat", changed(seat="E"), "bad_value", "seat"),
    ("seat lower case", changed(seat="c"), "bad_value", "seat"),
    ("dealer", changed(dealer=1), "bad_value", "dealer"),
    # hand
    ("no hand", changed(hand=None), "missing", "hand"),
    ("hand list", changed(hand=["1m"]), "bad_value", "hand"),
    ("hand unknown suit", changed(hand="123x"), "digits_without_suit", "hand"),
    ("hand nonsense", changed(hand="xyz"), "unknown_tile", "hand"),
    ("hand digits", changed(hand="123"), "digits_without_suit", "hand"),
    ("hand suit", changed(hand="m123"), "suit_without_digits", "hand"),
    ("hand zero", changed(hand="0m"), "unknown_tile", "hand"),
    ("hand 8z", changed(hand="8z"), "unknown_tile", "hand"),
    ("hand huge", changed(hand="1m" * 100_000), "too_long", "hand"),
    ("hand control character", changed(hand="\x00"), "unknown_tile", "hand"),
    ("hand half a character", changed(hand="\ud83c"), "unknown_tile", "hand"),
    ("hand face down", changed(hand="🀫"), "unknown_tile", "hand"),
    ("hand flower", changed(hand="123m 678s 99p 4s 1f"), "flower_in_hand", "hand"),
    ("hand short", changed(hand="123m 678s 99p 4s"), "wrong_tile_count", "hand"),
    ("hand long", changed(hand="123m 678s 99p 456s"), "wrong_tile_count", "hand"),
    ("kong in the count", with_meld(meld("kong", "1111z"), "123m 678s 99p 4s"), "wrong_tile_count", "hand"),
    ("five", changed(hand="123m 678s 9999p", win__tile="9p"), "five_of_a_kind", "hand"),
    ("gold four times", changed(hand="123m 6s 5555m 45s"), "five_of_a_kind", "hand"),
    ("five in melds", changed(melds=[meld("kong", "9999p"), meld("chow", "789p")]), "five_of_a_kind", "hand"),
    (
        "five only in melds",
        changed(melds=[meld("kong", "1111z"), meld("pong", "111z")]),
        "five_of_a_kind",
        "melds",
    ),
    ("five with visible", changed(table={"visible": "999p"}), "five_of_a_kind", "table.visible"),
    (
        "five with the claimed tile",
        changed(melds__0=meld("kong", "6666s"), hand="123m 777s 99p 45s"),
        "five_of_a_kind",
        "melds",
    ),
    # melds
    ("melds no list", changed(melds={}), "bad_value", "melds"),
    ("melds text", changed(melds="234p"), "bad_value", "melds"),
    ("meld no object", changed(melds__0="234p"), "not_an_object", "melds[0]"),
    ("meld without kind", with_meld({"tiles": "234p"}), "missing", "melds[0].kind"),
    ("meld without tiles", with_meld({"kind": "chow"}), "missing", "melds[0].tiles"),
    ("meld kind", with_meld(meld("pung", "777z")), "bad_value", "melds[0].kind"),
    ("meld field", with_meld({"kind": "chow", "tiles": "234p", "form": "B"}), "unknown_field", "melds[0].form"),
    ("chow gap", with_meld(meld("chow", "235p")), "bad_meld", "melds[0].tiles"),
    ("chow over the end", with_meld(meld("chow", "89p1s")), "bad_meld", "melds[0].tiles"),
    ("chow of honours", with_meld(meld("chow", "123z")), "bad_meld", "melds[0].tiles"),
    ("chow of four", with_meld(meld("chow", "2345p")), "bad_meld", "melds[0].tiles"),
    ("chow empty", with_meld(meld("chow", "")), "bad_meld", "melds[0].tiles"),
    ("pong unequal", with_meld(meld("pong", "112z")), "bad_meld", "melds[0].tiles"),
    ("pong of flowers", with_meld(meld("pong", "111f")), "bad_meld", "melds[0].tiles"),
    ("kong of three", with_meld(meld("kong", "111z")), "bad_meld", "melds[0].tiles"),
    ("gold in a chow", with_meld(meld("chow", "456m")), "gold_in_meld", "melds[0].tiles"),
    ("gold in a pong", with_meld(meld("pong", "5m55z")), "gold_in_meld", "melds[0].tiles"),
    ("white gold in a pong", changed(gold="5z", melds__1=meld("pong", "555z")), "gold_in_meld", "melds[1].tiles"),
    ("meld from", with_meld(meld("pong", "111z", "X")), "bad_value", "melds[0].from"),
    ("meld from self", with_meld(meld("pong", "111z", "C")), "from_self", "melds[0].from"),
    ("chow not from before", with_meld(meld("chow", "234p", "D")), "chow_from", "melds[0].from"),
    ("concealed kong from", with_meld(meld("concealed_kong", "1111z", "D")), "concealed_kong_from", "melds[0].from"),
    ("six melds", changed(melds=[meld("pong", f"{n}{n}{n}z") for n in (1, 2, 3, 4, 6, 7)]), "too_many_melds", "melds"),
    # flowers
    ("flower twice", changed(flowers="11f"), "flower_twice", "flowers"),
    ("no flower", changed(flowers="1z"), "not_a_flower", "flowers"),
    ("flower seen twice", changed(table={"visible": "1f"}), "flower_twice", "table.visible"),
    # youjin, drawn
    ("youjin 4", changed(youjin=4), "bad_value", "youjin"),
    ("youjin negative", changed(youjin=-1), "bad_value", "youjin"),
    ("youjin true", changed(youjin=True), "bad_value", "youjin"),
    ("youjin float", changed(youjin=1.0), "bad_value", "youjin"),
    ("youjin nan", changed(youjin=math.nan), "bad_value", "youjin"),
    ("youjin huge", changed(youjin=10**5000), "bad_value", "youjin"),
    ("drawn with a discard", changed(drawn="6s"), "drawn_with_this_win", "drawn"),
    ("drawn flower", changed(drawn="1f", win={"by": "self_draw"}), "flower_not_allowed", "drawn"),
    (
        "drawn and another tile",
        changed(drawn="6s", win={"by": "self_draw", "tile": "3s"}),
        "two_drawn_tiles",
        "win.tile",
    ),
    # win
    ("win no object", changed(win="discard"), "not_an_object", "win"),
    ("win without by", changed(win={"tile": "6s"}), "missing", "win.by"),
    ("win by", changed(win__by="ron"), "bad_value", "win.by"),
    ("win by null", changed(win={"by": None}), "missing", "win.by"),
    ("win field", changed(win__form="D"), "unknown_field", "win.form"),
    ("discard without tile", changed(win={"by": "discard", "from": "D"}), "missing", "win.tile"),
    ("discard without from", changed(win={"by": "discard", "tile": "6s"}), "missing", "win.from"),
    ("discard from self", changed(win__from="C"), "from_self", "win.from"),
    ("discard of a flower", changed(win__tile="1f"), "flower_not_allowed", "win.tile"),
    ("self-draw without tile", changed(win={"by": "self_draw"}), "missing", "win.tile"),
    ("self-draw from", changed(win={"by": "self_draw", "tile": "6s", "from": "D"}), "not_with_this_win", "win.from"),
    ("discard on a kong", changed(win__kong="exposed"), "not_with_this_win", "win.kong"),
    ("kong which", changed(win={"by": "self_draw", "tile": "6s", "kong": "added"}), "bad_value", "win.kong"),
    (
        "kong without a kong",
        changed(win={"by": "self_draw", "tile": "6s", "kong": "exposed"}),
        "kong_without_kong",
        "win.kong",
    ),
    ("first discard by a non-dealer", changed(win__first_discard=True), "first_discard_from_dealer", "win.from"),
    ("flag no bool", changed(win__last_tile=1), "bad_value", "win.last_tile"),
    ("opening of a discard", changed(win__opening=True), "not_with_this_win", "win.opening"),
    ("three golds with a tile", changed(win={"by": "three_golds", "tile": "5m"}), "not_with_this_win", "win.tile"),
    ("gold grab of another tile", changed(win={"by": "gold_grab", "tile": "6s"}), "not_with_this_win", "win.tile"),
    ("declared at no level", changed(win={"by": "youjin_declared"}), "youjin_level", "youjin"),
    # sitting out
    ("sitting out no list", changed(sitting_out="D"), "bad_value", "sitting_out"),
    ("sitting out who", changed(sitting_out=["E"]), "bad_value", "sitting_out[0]"),
    ("sitting out twice", changed(sitting_out=["D", "D"]), "bad_value", "sitting_out[1]"),
    ("sitting out object", changed(sitting_out=[{}]), "bad_value", "sitting_out[0]"),
    ("sitting out the winner", changed(sitting_out=["C"]), "sits_out_self", "sitting_out[0]"),
    # table
    ("table no object", changed(table=[1]), "not_an_object", "table"),
    ("table field", changed(table={"chip": {}}), "unknown_field", "table.chip"),
    ("streak", changed(table={"dealer_streak": -1}), "bad_value", "table.dealer_streak"),
    ("streak text", changed(table={"dealer_streak": "2"}), "bad_value", "table.dealer_streak"),
    ("streak endless", changed(table={"dealer_streak": 1000}), "bad_value", "table.dealer_streak"),
    ("draws", changed(table={"dealer_streak": 1, "draw_streak": 2}), "draw_streak", "table.draw_streak"),
    ("tiles left", changed(table={"tiles_left": 145}), "bad_value", "table.tiles_left"),
    ("chips no object", changed(table={"chips": 100}), "not_an_object", "table.chips"),
    ("chips of three", changed(table={"chips": {"A": 1, "B": 2, "C": 3}}), "missing", "table.chips.D"),
    ("chips of five", changed(table={"chips": {"E": 1}}), "unknown_field", "table.chips.E"),
    ("chips negative", changed(table={"chips": {"A": -1, "B": 2, "C": 3, "D": 4}}), "bad_value", "table.chips.A"),
    ("claims no object", changed(table={"claims": []}), "not_an_object", "table.claims"),
    ("claims of one", changed(table={"claims": {"A": 3}}), "not_an_object", "table.claims.A"),
    ("claims from self", changed(table={"claims": {"A": {"A": 1}}}), "from_self", "table.claims.A.A"),
    ("claims of the winner", changed(table={"claims": {"C": {"A": 1}}}), "claims_of_self", "table.claims.C"),
    ("claims many", changed(table={"claims": {"A": {"B": 9}}}), "bad_value", "table.claims.A.B"),
    ("passed no list", changed(table={"passed": "5p"}), "bad_value", "table.passed"),
    ("passed without tile", changed(table={"passed": [{"from": "B"}]}), "missing", "table.passed[0].tile"),
    ("passed without from", changed(table={"passed": [{"tile": "5p"}]}), "missing", "table.passed[0].from"),
    ("discarded flower", changed(table={"discards": "1f"}), "flower_not_allowed", "table.discards"),
    ("wild discarder", changed(table={"wild_discarder": "X"}), "bad_value", "table.wild_discarder"),
    ("others' youjin", changed(table={"youjin": {"B": 9}}), "bad_value", "table.youjin.B"),
    ("visible number", changed(table={"visible": 9}), "bad_value", "table.visible"),
    ("two seasons among the visible", changed(table={"visible": "22f"}), "flower_twice", "table.visible"),
    # other games
    ("gold in Hangzhou", HANGZHOU | {"gold": "5m"}, "gold_is_white", "gold"),
    ("flowers in Hangzhou", HANGZHOU | {"flowers": "1f"}, "no_flowers", "flowers"),
    ("flowers seen in Hangzhou", HANGZHOU | {"table": {"visible": "1f"}}, "no_flowers", "table.visible"),
    ("four golds discarded", HANGZHOU | {"hand": "123m 456p 789s 22z 55z", "youjin": 3}, "five_of_a_kind", "youjin"),
    # offered
    ("offered by oneself", changed(win=None, offered={"tile": "3s", "from": "C"}), "from_self", "offered.from"),
    (
        "offered and drawn",
        changed(win=None, drawn="6s", offered={"tile": "3s", "from": "B"}),
        "drawn_and_offered",
        "offered",
    ),
    ("offered no object", changed(win=None, offered="3s"), "not_an_object", "offered"),
    (
        "offered five",
        changed(win=None, offered={"tile": "7z", "from": "B"}, table={"visible": "7z"}),
        "five_of_a_kind",
        "table.visible",
    ),
]


@pytest.mark.parametrize(
    ("record", "code", "field"), [error[1:] for error in ERRORS], ids=[error[0] for error in ERRORS]
)
def test_impossible_input(record: Any, code: str, field: str) -> None:
    answer = api.score(record)
    assert "valid" not in answer
    error = answer["error"]
    assert (error["code"], error["field"]) == (code, field), error
    for language in ("zh", "zh_hant", "en"):
        assert error[language]
        assert len(error[language]) < 800
        assert error[language].isprintable()
    json.dumps(answer).encode()


def test_the_good_record_is_good() -> None:
    assert api.score(GOOD)["valid"]
    assert api.score(HANGZHOU)["valid"]


def test_gold_grab_may_name_the_gold() -> None:
    record = changed(hand="123m 678s 99p 45s 234p 678p", melds=None, win={"by": "gold_grab"})
    assert api.score(record)["valid"]
    assert api.score(record | {"win": {"by": "gold_grab", "tile": "5m"}}) == api.score(record)


def test_labels_are_allowed() -> None:
    assert api.score(changed(id="x", title="y", note="z"))["valid"]


def test_null_is_the_same_as_missing() -> None:
    record = GOOD | dict.fromkeys(("drawn", "table", "house", "offered", "youjin", "sitting_out"))
    assert api.score(record) == api.score(GOOD)


def test_deep_nesting_is_quoted_shortly() -> None:
    deep: Any = []
    for _ in range(50_000):
        deep = [deep]
    assert api.score(changed(hand=deep))["error"]["code"] == "bad_value"
    assert "[…]" in api.score(changed(hand=deep))["error"]["en"]
    assert "{…}" in api.score(changed(hand={"a": deep}))["error"]["en"]


def test_messages_suggest_what_was_meant() -> None:
    assert "did you mean flowers?" in api.score(changed(flower="1f"))["error"]["en"]
    assert "是不是 flowers？" in api.score(changed(flower="1f"))["error"]["zh"]
    hand = api.score(changed(hand="123m 678s 99p 456s"))["error"]["en"]
    assert "drawn or win.tile" in hand
    kong = with_meld(meld("kong", "1111z"), "123m 678s 99p 4s")
    assert "a kong counts as three" in api.score(kong)["error"]["en"]


def test_messages_quote_what_was_written() -> None:
    assert api.score(changed(youjin="1"))["error"]["en"].endswith('not "1"')
    assert api.score(changed(youjin="1"))["error"]["zh_hant"].endswith("而不是 「1」")
    assert api.score(changed(youjin=7))["error"]["zh"].endswith("而不是 7")
    wrong = api.score(with_meld(meld("added_kong", "1112z"), "123m 678s 99p 4s"))["error"]
    assert (wrong["zh"], wrong["en"]) == (
        "补杠应该是四张相同的牌，而不是 1112z",
        "an added kong is four equal tiles, not 1112z",
    )


def test_options_and_waits_want_different_records() -> None:
    open_hand = changed(win=None)
    assert api.options(open_hand)["error"]["field"] == "drawn"
    assert api.waits(open_hand | {"drawn": "6s"})["error"]["field"] == "drawn"
    assert api.options(GOOD | {"win": {"by": "self_draw"}, "drawn": "6s"})["error"]["code"] == "missing"
    assert api.waits(GOOD)["error"]["field"] == "win"


def test_a_drawn_tile_is_the_tile_of_a_self_draw() -> None:
    drawn = changed(drawn="6s", win={"by": "self_draw"})
    assert api.score(drawn) == api.score(changed(win={"by": "self_draw", "tile": "6s"}))
    assert api.score(changed(drawn="6s", win={"by": "self_draw", "tile": "6s"})) == api.score(drawn)


def test_discarded_golds_count_as_seen() -> None:
    record = changed(hand="12m 5m 678s 99p 45s", youjin=3, win={"by": "self_draw"})
    assert "valid" in api.score(record)
    record["hand"] = "1m 55m 678s 99p 45s"
    assert api.score(record)["error"]["field"] == "youjin"
    # Visible golds are the discarded ones, not further ones.
    record |= {"hand": "12m 5m 678s 99p 45s", "table": {"visible": "55m"}}
    assert "valid" in api.score(record)


@pytest.mark.parametrize(
    ("record", "code", "field"),
    [
        ({"rules": "xiamen", "event": "win"}, "bad_value", "event"),
        ({"rules": "xiamen", "event": 5}, "bad_value", "event"),
        ({"rules": "xiamen", "event": "follow", "seat": "A", "count": 2}, "no_such_event", "event"),
        ({"rules": "xiamen", "event": "false_win"}, "missing", "seat"),
        ({"rules": "xiamen", "event": "false_win", "seat": "Q"}, "bad_value", "seat"),
        ({"rules": "xiamen", "event": "draw", "players": []}, "unknown_field", "players"),
        ({"rules": "xiamen", "event": "draw", "count": -1}, "bad_value", "count"),
        ({"rules": "xiamen", "event": "false_win", "seat": "B", "youjin_players": {}}, "bad_value", "youjin_players"),
        (
            {"rules": "xiamen", "event": "false_win", "seat": "B", "youjin_players": [{"rules": "xiamen"}]},
            "missing",
            "youjin_players[0].gold",
        ),
        (
            {"rules": "xiamen", "event": "false_win", "seat": "B", "youjin_players": [5]},
            "not_an_object",
            "youjin_players[0]",
        ),
        (
            {"rules": "xiamen", "event": "false_win", "seat": "B", "youjin_players": [GOOD | {"rules": "zhangzhou"}]},
            "unknown_rules",
            "youjin_players[0].rules",
        ),
    ],
)
def test_impossible_event(record: Json, code: str, field: str) -> None:
    error = api.score(record)["error"]
    assert (error["code"], error["field"]) == (code, field), error


def test_event_must_be_named() -> None:
    assert api.event({"rules": "xiamen"})["error"]["field"] == "event"
