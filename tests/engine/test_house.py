"""House rules: RULES section 10, R 13."""

from __future__ import annotations

import re
import tomllib
from dataclasses import FrozenInstanceError, fields

import pytest

from engine import house
from engine.errors import InputError
from engine.house_keys import SETTINGS

GAMES = tuple(house.PROFILES)
PAIRS = [(game, key) for game in GAMES for key in house.keys(house.PROFILES[game])]

# The tables of RULES 10.1 and 10.2, written down a second time: key, allowed values (a bare integer is the
# minimum of "integer"), defaults by game.
FLAG = [True, False]
TABLE = {
    "base": (1, {"yunxiao": 10, "jinhua": 5, "hangzhou": 10}),
    "base_nondealer": (1, {"xiamen": 8, "zhangzhou": 5}),
    "base_dealer": (1, {"xiamen": 16, "zhangzhou": 6}),
    "streak_mode": (["double", "plus_one", "none"], {"xiamen": "double", "zhangzhou": "plus_one"}),
    "formula": (
        ["sum_times_multiplier", "base_times_multiplier_plus_water"],
        {"xiamen": "sum_times_multiplier"},
    ),
    "dealer_loser_pays_dealer_base": (FLAG, {"xiamen": False}),
    "course_chips": (1, {"xiamen": 100}),
    "flower_set_additive": (FLAG, {"xiamen": False}),
    "tianting_bonus": ([0, 50], {"xiamen": 0}),
    "mid_three_golds": (["x3", "x4", "must_youjin"], {"xiamen": "x3"}),
    "sanyou_multiplier": ([16, 12], {"xiamen": 16, "zhangzhou": 16}),
    "sanyou_settlement": (["kill_all", "formula"], {"xiamen": "kill_all"}),
    "no_discard_win_with_golds": ([0, 1, 2, 3], {"xiamen": 1, "zhangzhou": 2, "yunxiao": 0, "jinhua": 0}),
    "rob_kong_with_gold": (FLAG, {"xiamen": True, "zhangzhou": True}),
    "lone_wild_discard_win": (FLAG, {"zhangzhou": False, "jinhua": True}),
    "false_win_fine_added": (FLAG, {"xiamen": True}),
    "scoring_profile": (["points", "club"], {"zhangzhou": "points"}),
    "discard_payers": (["all", "single", "single_double"], {"zhangzhou": "all"}),
    "free_flowers": (0, {"zhangzhou": 3}),
    "qiangjin_multiplier": ([2, 4], {"zhangzhou": 2}),
    "rob_kong_multiplier": ([1, 2], {"zhangzhou": 2}),
    "tianhu_multiplier": ([4, 8, 10], {"zhangzhou": 4, "yunxiao": 8}),
    "last_hand_liability": (FLAG, {"zhangzhou": True}),
    "last_hand_liability_rob_kong": (FLAG, {"zhangzhou": True}),
    "sanyou": (FLAG, {"yunxiao": True}),
    "special_hand_multiplier": ([1, 2, 4], {"yunxiao": 1}),
    "white_self_in_special_hands": (FLAG, {"yunxiao": True}),
    "foreign_gold_in_pure_suit": (["plain", "useless"], {"yunxiao": "plain"}),
    "pure_suit_discard": (["each_8", "plain"], {"yunxiao": "each_8"}),
    "all_honours_pure_suit": (FLAG, {"yunxiao": False}),
    "qiangjin_dealer": (FLAG, {"yunxiao": False}),
    "rob_kong": (FLAG, {"jinhua": True}),
    "chengbao_double": (["both", "claimed_from_wins", "none"], {"jinhua": "both"}),
    "chengbao_multi": (["each_full", "share"], {"jinhua": "each_full"}),
    "chengbao_count": (["total", "consecutive"], {"jinhua": "total"}),
    "haidi_baotou": (["eight", "multiply"], {"jinhua": "eight"}),
    "gangbao_multiplier": ([2, 4, 8], {"jinhua": 4}),
    "pph_strict": (FLAG, {"jinhua": True}),
    "quanqiuren_kongs": (["none", "exposed", "any"], {"jinhua": "exposed"}),
    "sancai_with_qiaoxiang": (FLAG, {"jinhua": False}),
    "opening_wins_multiply": (FLAG, {"jinhua": True}),
    "pattern_values": ({}, {"jinhua": {}, "hangzhou": {}}),
    "piao_multiplier": ([1, 2, 4], {"hangzhou": 2}),
    "qidui_with_baotou": (["multiply", "highest"], {"hangzhou": "multiply"}),
    "natural_quads_only": (FLAG, {"hangzhou": True}),
    "four_wilds_baotou": (FLAG, {"hangzhou": False}),
    "shuangyou_mode": (
        ["one_draw", "draw_and_discard", "claims_allowed"],
        {"xiamen": "one_draw", "zhangzhou": "one_draw"},
    ),
    "sanyou_mode": (
        ["immediate", "one_draw", "kong_only"],
        {"xiamen": "immediate", "zhangzhou": "immediate"},
    ),
    "direct_shuangyou": (FLAG, {"xiamen": False, "zhangzhou": True, "yunxiao": True, "hangzhou": True}),
    "gold_discard": (["refuse", "xianggong", "lock_one_round"], {"xiamen": "refuse"}),
    "follow_discard": (FLAG, {"xiamen": True}),
    "pass_lock": (
        ["kind", "all", "off"],
        {"xiamen": "kind", "zhangzhou": "all", "yunxiao": "off", "jinhua": "kind"},
    ),
    "qiangjin_timing": (
        ["before_first_discard", "first_turn"],
        {"xiamen": "before_first_discard", "zhangzhou": "before_first_discard"},
    ),
    "dead_wall": (0, {"xiamen": 16, "zhangzhou": 16, "yunxiao": 34, "jinhua": 0, "hangzhou": 20}),
    "dead_wall_increase": (["per_point", "per_event", "off"], {"zhangzhou": "per_point"}),
    "dead_wall_kong": (["once", "each", "off"], {"yunxiao": "once"}),
    "third_kong_draw": (FLAG, {"yunxiao": True}),
    "kong_after_claim": (FLAG, {"yunxiao": True}),
    "fenbing": (FLAG, {"zhangzhou": True}),
    "fenbing_broken_by_claim": (FLAG, {"zhangzhou": True}),
    "next_dealer": (
        ["rotate", "winner", "random"],
        {
            "xiamen": "rotate",
            "zhangzhou": "rotate",
            "yunxiao": "random",
            "jinhua": "rotate",
            "hangzhou": "rotate",
        },
    ),
    "wild_discard_ban": (["until_next_discard", "one_circle", "off"], {"jinhua": "until_next_discard"}),
    "haidi_window": ([4, 1], {"jinhua": 4}),
    "renhu_window": (["unclaimed", "first_round"], {"jinhua": "unclaimed"}),
}
COURSE = list(TABLE)[list(TABLE).index("shuangyou_mode") :]


def value_of(game: str, overrides: dict[str, object], key: str) -> object:
    return house.as_dict(house.load(house.PROFILES[game], overrides))[key]


def test_section_10_every_key_stands_in_the_tables() -> None:
    assert list(SETTINGS) == list(TABLE)
    assert {(game, key) for key, (_, defaults) in TABLE.items() for game in defaults} == set(PAIRS)
    assert [key for key, setting in SETTINGS.items() if setting.course] == COURSE


@pytest.mark.parametrize("key", TABLE)
def test_section_10_values_and_defaults(key: str) -> None:
    values, defaults = TABLE[key]
    setting = SETTINGS[key]
    if isinstance(values, int):
        assert (setting.kind, setting.minimum) == ("integer", values)
    elif values:
        assert list(setting.allowed) == values
        assert [type(value) for value in setting.allowed] == [type(value) for value in values]
    else:
        assert setting.kind == "patterns"
    for game, default in defaults.items():
        value = value_of(game, {}, key)
        assert value == default
        assert type(value) is type(default)


@pytest.mark.parametrize(("game", "key"), PAIRS)
def test_every_field_carries_mark_and_paragraph(game: str, key: str) -> None:
    rule = house.keys(house.PROFILES[game])[key]
    prefix = {"xiamen": "XM", "zhangzhou": "ZZ", "yunxiao": "YX", "jinhua": "JH", "hangzhou": "HZ"}[game]
    assert rule.mark in {"S", "D", "O", "S/O"}
    assert re.fullmatch(rf"{prefix} \d(\.\d+)?", rule.paragraph)


@pytest.mark.parametrize("key", SETTINGS)
def test_every_key_is_explained_in_three_languages(key: str) -> None:
    setting = SETTINGS[key]
    texts = [setting.label, setting.sentence, *(name for _, name in setting.values)]
    for text in texts:
        assert all(text.as_json().values())
        assert not re.search("[\u4e00-\u9fff]{5,}", text.en), text.en
    assert setting.sentence.zh.endswith("。")
    assert setting.sentence.en.endswith(".")


def test_profiles_are_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        house.Xiamen().base_dealer = 3  # type: ignore[misc]


@pytest.mark.parametrize("game", GAMES)
def test_profiles_compare_and_hash(game: str) -> None:
    cls = house.PROFILES[game]
    assert cls() == house.load(cls, {}) == house.load(cls, None)
    assert hash(cls()) == hash(house.load(cls, {}))
    assert house.changed(cls()) == {}


@pytest.mark.parametrize(("game", "key"), PAIRS)
def test_r13_every_allowed_value_is_taken(game: str, key: str) -> None:
    cls = house.PROFILES[game]
    setting = SETTINGS[key]
    values: list[object] = list(setting.allowed) or [setting.minimum, setting.minimum + 1, house.MOST]
    if setting.kind == "patterns":
        values = [{name: 3} for name in house.keys(cls)[key].patterns] + [{}]
    for value in values:
        profile = house.load(cls, {key: value})
        assert house.as_dict(profile)[key] == value
        assert house.changed(profile) in ({}, {key: value})
        assert house.load(cls, house.as_dict(profile)) == profile


def bad(overrides: object, game: str) -> InputError:
    with pytest.raises(InputError) as caught:
        house.load(house.PROFILES[game], overrides)
    error = caught.value
    assert all(error.text.as_json().values())
    return error


@pytest.mark.parametrize(("game", "key"), PAIRS)
@pytest.mark.parametrize("value", [None, "", "DOUBLE", -1, 7.5, 1.0, [], {"a": 1}, 10**40])
def test_r13_bad_values_are_refused_and_the_sentence_lists_what_is_allowed(game: str, key: str, value: object) -> None:
    error = bad({key: value}, game)
    assert error.code in {"bad_house_value", "unknown_pattern"}
    assert error.field.startswith(f"house.{key}")
    for allowed in SETTINGS[key].allowed:
        shown = str(allowed).lower()
        assert shown in error.text.en
        assert shown in error.text.zh


@pytest.mark.parametrize(
    ("game", "overrides"),
    [
        ("xiamen", {"follow_discard": 1}),
        ("xiamen", {"follow_discard": 0}),
        ("xiamen", {"no_discard_win_with_golds": True}),
        ("xiamen", {"tianting_bonus": False}),
        ("yunxiao", {"special_hand_multiplier": True}),
        ("zhangzhou", {"free_flowers": False}),
        ("xiamen", {"base_dealer": 0}),
        ("jinhua", {"pattern_values": {"plain": True}}),
        ("jinhua", {"pattern_values": {"plain": 0}}),
        ("jinhua", {"pattern_values": []}),
        ("jinhua", {"pattern_values": {"piao": 2}}),
        ("hangzhou", {"pattern_values": {"piao": 2}}),
        ("hangzhou", {"pattern_values": {"heaven": 2}}),
    ],
)
def test_r13_types_are_taken_strictly(game: str, overrides: dict[str, object]) -> None:
    bad(overrides, game)


def test_r13_key_of_another_game() -> None:
    error = bad({"fenbing": True}, "xiamen")
    assert (error.code, error.field) == ("house_key_of_other_game", "house.fenbing")
    assert "course_chips" in error.text.en


def test_r13_unknown_key() -> None:
    error = bad({"sanyou_multiplyer": 16}, "xiamen")
    assert (error.code, error.field) == ("unknown_house_key", "house.sanyou_multiplyer")
    assert "sanyou_multiplier" in error.text.en


def test_r13_house_must_be_an_object() -> None:
    error = bad(["base"], "jinhua")
    assert (error.code, error.field) == ("bad_house", "house")


def test_a_key_that_is_nearly_right_is_suggested() -> None:
    assert "did you mean sanyou_multiplier" in bad({"sanyou_multiplyer": 16}, "xiamen").text.en
    assert "did you mean" not in bad({"qqqq": 16}, "xiamen").text.en


def test_long_and_strange_values_are_quoted_briefly() -> None:
    assert len(bad({"base": "x" * 500}, "jinhua").text.en) < 120
    assert len(bad({"x" * 500: 1}, "jinhua").field) < 60
    assert "set()" in bad({"base": set()}, "jinhua").text.en


def test_pattern_values_keep_the_order_of_the_rules() -> None:
    profile = house.load(house.Jinhua, {"pattern_values": {"last_tile": 3, "plain": 2}})
    assert profile.pattern_values == (("plain", 2), ("last_tile", 3))


def test_a_table_of_no_game_names_the_games() -> None:
    with pytest.raises(InputError) as caught:
        house.read_profile("[mars]\nbase = 1\n", "xiamen")
    assert (caught.value.code, caught.value.field) == ("unknown_rules", "mars")
    for game in house.PROFILES:
        assert game in caught.value.text.en
    with pytest.raises(InputError, match="no house rule mars"):
        house.read_profile("mars = 1\n", "xiamen")


def test_toml_profile_for_one_game() -> None:
    assert house.read_profile("base_dealer = 32\nfollow_discard = false\n", "xiamen") == {
        "base_dealer": 32,
        "follow_discard": False,
    }


def test_toml_profile_with_a_table_for_each_game() -> None:
    text = "[xiamen]\nsanyou_multiplier = 12\n[jinhua]\nbase = 1\npattern_values = { loose_honours = 10 }\n"
    assert house.read_profile(text, "xiamen") == {"sanyou_multiplier": 12}
    assert house.read_profile(text, "jinhua") == {"base": 1, "pattern_values": {"loose_honours": 10}}
    assert house.read_profile(text, "yunxiao") == {}


def test_toml_profile_in_the_form_of_a_record() -> None:
    text = 'rules = "xiamen"\nbase_nondealer = 3\n[house]\nbase_dealer = 32\n'
    assert house.read_profile(text, "xiamen") == {"base_nondealer": 3, "base_dealer": 32}
    assert house.read_profile(text, "zhangzhou") == {}


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ('rules = "fujian"', "rules"),
        ("rules = 3", "rules"),
        ("rules = []", "rules"),
        ("house = 3", "house"),
        ("[house]\nfenbing = true", "house.fenbing"),
        ('rules = "zhangzhou"\ncourse_chips = 1', "house.course_chips"),
        ("[xiamen]\nbase = 3", "xiamen.base"),
        ("fenbing = true", "house.fenbing"),
        ("base_dealer = 1.5", "house.base_dealer"),
        ("zhangzhou = 3", "zhangzhou"),
        ("base_dealer =", "house"),
        ("[hangzhou.pattern_values]\nnothing = 1", "hangzhou.pattern_values.nothing"),
    ],
)
def test_toml_profile_that_is_wrong(text: str, field: str) -> None:
    with pytest.raises(InputError) as caught:
        house.read_profile(text, "xiamen")
    assert caught.value.field == field


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", ["zh", "zh_hant", "en"])
def test_written_profile_is_read_back(game: str, language: str) -> None:
    cls = house.PROFILES[game]
    overrides: dict[str, object] = {"dead_wall": 3}
    if "pattern_values" in house.keys(cls):
        overrides["pattern_values"] = {"plain": 2, "seven_pairs": 3}
    profile = house.load(cls, overrides)
    text = house.write_profile(profile, language)  # type: ignore[arg-type]
    assert house.load(cls, house.read_profile(text, game)) == profile
    assert tomllib.loads(text).keys() == {game}
    for key in house.keys(cls):
        assert getattr(SETTINGS[key].sentence, language) in text


@pytest.mark.parametrize("game", GAMES)
def test_fields_are_the_keys_and_nothing_else(game: str) -> None:
    cls = house.PROFILES[game]
    assert {item.name for item in fields(cls)} == set(house.keys(cls))
