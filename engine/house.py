"""House rules: one frozen, typed profile for each game (RULES section 10).

A field of a profile *is* a house key: it carries its default, the mark of that default (``S`` seed, ``D``
derived from the seed, ``O`` outside source or our default, ``S/O`` rule from the seed and number from
outside) and the paragraph it comes from. What a key means, which values it takes and how it is called stands
once, in `engine.house_keys`. `load` builds a profile from the overrides of a record and refuses what is not
listed; `read_profile` takes the text of a TOML file.

>>> load(Zhangzhou, {"free_flowers": 4}).free_flowers
4
>>> load(Zhangzhou, {"free_flowers": -1})
Traceback (most recent call last):
    ...
engine.errors.InputError: house.free_flowers: free_flowers must be a whole number of at least 0, not -1
"""

# A profile's fields are made by `_rule`, which returns `dataclasses.field` with the rule's source in it.
# ruff: noqa: RUF009

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from difflib import get_close_matches
from typing import Any, Final, Literal, TypeVar

from engine.errors import InputError
from engine.house_keys import SETTINGS, Setting, Value
from engine.text import Text

#: No house counts in larger numbers; the bound keeps payments readable.
MOST: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class HouseRule:
    """One house key in one game.

    Attributes:
        setting: what the key means and which values it takes.
        mark: where the default comes from: ``S``, ``D``, ``O`` or ``S/O``.
        paragraph: where the rule stands, for instance ``XM 4.4``.
        patterns: the pattern keys an object of multipliers may have.
    """

    setting: Setting
    mark: str
    paragraph: str
    patterns: tuple[str, ...] = ()


def _rule(default: Value | tuple[tuple[str, int], ...], mark: str, paragraph: str, *patterns: str) -> Any:
    """A profile field: default, mark of the default and RULES paragraph."""
    meta = {"mark": mark, "paragraph": paragraph, "patterns": patterns}
    return field(default=default, metadata=meta)


@dataclass(frozen=True, kw_only=True)
class Profile:
    """What all profiles share; a game whose house has no choices."""


P = TypeVar("P", bound=Profile)

StreakMode = Literal["double", "plus_one", "none"]
PassLock = Literal["kind", "all", "off"]
NextDealer = Literal["rotate", "winner", "random"]
ShuangyouMode = Literal["one_draw", "draw_and_discard", "claims_allowed"]
SanyouMode = Literal["immediate", "one_draw", "kong_only"]
QiangjinTiming = Literal["before_first_discard", "first_turn"]
PatternValues = tuple[tuple[str, int], ...]


#: Keys of the pattern table of RULES JH 3.1, in its order.
JINHUA_PATTERNS: Final = (
    "plain",
    "all_pongs",
    "all_claimed",
    "pure_seven_pairs",
    "seven_pairs",
    "seven_pairs_baotou",
    "thirteen_unrelated",
    "seven_winds",
    "kong_bloom",
    "pure_suit",
    "pure_suit_wild",
    "mixed_suit",
    "loose_honours",
    "ordered_honours",
    "wild_pair",
    "wild_triplet",
    "baotou",
    "heaven",
    "earth",
    "man",
    "last_tile",
)
#: Keys of the pattern table of RULES HZ 2 whose value is a number of its own (``piao`` is a factor).
HANGZHOU_PATTERNS: Final = (
    "plain",
    "seven_pairs",
    "luxury_seven_pairs",
    "double_luxury_seven_pairs",
    "triple_luxury_seven_pairs",
    "baotou",
)


@dataclass(frozen=True, kw_only=True)
class Xiamen(Profile):
    """House rules of Xiamen, RULES section 1."""

    base_nondealer: int = _rule(8, "S", "XM 4.1")
    base_dealer: int = _rule(16, "S", "XM 4.1")
    streak_mode: StreakMode = _rule("double", "S", "XM 4.1")
    formula: Literal["sum_times_multiplier", "base_times_multiplier_plus_water"] = _rule(
        "sum_times_multiplier", "S", "XM 4.1"
    )
    dealer_loser_pays_dealer_base: bool = _rule(False, "D", "XM 4.1")
    course_chips: int = _rule(100, "S", "XM 4.4")
    flower_set_additive: bool = _rule(False, "O", "XM 4.3")
    tianting_bonus: int = _rule(0, "D", "XM 3.1")
    mid_three_golds: Literal["x3", "x4", "must_youjin"] = _rule("x3", "S", "XM 3.1")
    sanyou_multiplier: int = _rule(16, "D", "XM 4.5")
    sanyou_settlement: Literal["kill_all", "formula"] = _rule("kill_all", "S", "XM 4.5")
    no_discard_win_with_golds: int = _rule(1, "S", "XM 2.4")
    rob_kong_with_gold: bool = _rule(True, "D", "XM 2.4")
    false_win_fine_added: bool = _rule(True, "D", "XM 2.15")
    shuangyou_mode: ShuangyouMode = _rule("one_draw", "S", "XM 2.12")
    sanyou_mode: SanyouMode = _rule("immediate", "S", "XM 2.12")
    direct_shuangyou: bool = _rule(False, "S", "XM 3.1")
    gold_discard: Literal["refuse", "xianggong", "lock_one_round"] = _rule("refuse", "O", "XM 2.9")
    follow_discard: bool = _rule(True, "S", "XM 2.8")
    pass_lock: PassLock = _rule("kind", "S", "XM 2.6")
    qiangjin_timing: QiangjinTiming = _rule("before_first_discard", "O", "XM 3.3")
    dead_wall: int = _rule(16, "S", "XM 1.9")
    next_dealer: NextDealer = _rule("rotate", "S", "XM 1.10")


@dataclass(frozen=True, kw_only=True)
class Zhangzhou(Profile):
    """House rules of Zhangzhou, RULES section 2."""

    base_nondealer: int = _rule(5, "O", "ZZ 4.1")
    base_dealer: int = _rule(6, "O", "ZZ 4.1")
    streak_mode: StreakMode = _rule("plus_one", "O", "ZZ 4.1")
    sanyou_multiplier: int = _rule(16, "S/O", "ZZ 3")
    no_discard_win_with_golds: int = _rule(2, "S", "ZZ 2.2")
    rob_kong_with_gold: bool = _rule(True, "O", "ZZ 2.4")
    lone_wild_discard_win: bool = _rule(False, "O", "ZZ 2.3")
    scoring_profile: Literal["points", "club"] = _rule("points", "O", "ZZ 4.1")
    discard_payers: Literal["all", "single", "single_double"] = _rule("all", "O", "ZZ 4.4")
    free_flowers: int = _rule(3, "S/O", "ZZ 4.2")
    qiangjin_multiplier: int = _rule(2, "S/O", "ZZ 3")
    rob_kong_multiplier: int = _rule(2, "O", "ZZ 3")
    tianhu_multiplier: int = _rule(4, "S/O", "ZZ 3")
    last_hand_liability: bool = _rule(True, "S", "ZZ 1.9")
    last_hand_liability_rob_kong: bool = _rule(True, "O", "ZZ 1.9")
    shuangyou_mode: ShuangyouMode = _rule("one_draw", "S", "ZZ 2.5")
    sanyou_mode: SanyouMode = _rule("immediate", "S", "ZZ 2.6")
    direct_shuangyou: bool = _rule(True, "S", "ZZ 3")
    pass_lock: PassLock = _rule("all", "O", "ZZ 2.1")
    qiangjin_timing: QiangjinTiming = _rule("before_first_discard", "O", "ZZ 3")
    dead_wall: int = _rule(16, "S", "ZZ 1.8")
    dead_wall_increase: Literal["per_point", "per_event", "off"] = _rule("per_point", "S", "ZZ 1.8")
    fenbing: bool = _rule(True, "S", "ZZ 2.7")
    fenbing_broken_by_claim: bool = _rule(True, "O", "ZZ 2.7")
    next_dealer: NextDealer = _rule("rotate", "S", "ZZ 1.2")


@dataclass(frozen=True, kw_only=True)
class Yunxiao(Profile):
    """House rules of Yunxiao, RULES section 3."""

    base: int = _rule(10, "S", "YX 4.1")
    no_discard_win_with_golds: int = _rule(0, "D", "YX 2.5")
    tianhu_multiplier: int = _rule(8, "D", "YX 3.1")
    sanyou: bool = _rule(True, "O", "YX 3.1")
    special_hand_multiplier: int = _rule(1, "O", "YX 3.1")
    white_self_in_special_hands: bool = _rule(True, "S", "YX 1.4")
    foreign_gold_in_pure_suit: Literal["plain", "useless"] = _rule("plain", "O", "YX 1.5")
    pure_suit_discard: Literal["each_8", "plain"] = _rule("each_8", "S", "YX 3.1")
    all_honours_pure_suit: bool = _rule(False, "S", "YX 3.5")
    qiangjin_dealer: bool = _rule(False, "S", "YX 3.1")
    direct_shuangyou: bool = _rule(True, "S", "YX 3.1")
    pass_lock: PassLock = _rule("off", "O", "YX 2.8")
    dead_wall: int = _rule(34, "S", "YX 1.7")
    dead_wall_kong: Literal["once", "each", "off"] = _rule("once", "S", "YX 1.7")
    third_kong_draw: bool = _rule(True, "S", "YX 1.8")
    kong_after_claim: bool = _rule(True, "O", "YX 2.8")
    next_dealer: NextDealer = _rule("random", "S", "YX 1.1")


@dataclass(frozen=True, kw_only=True)
class Jinhua(Profile):
    """House rules of Jinhua, RULES section 4."""

    base: int = _rule(5, "O", "JH 4.1")
    no_discard_win_with_golds: int = _rule(0, "D", "JH 2.8")
    lone_wild_discard_win: bool = _rule(True, "D", "JH 2.8")
    rob_kong: bool = _rule(True, "O", "JH 2.7")
    chengbao_double: Literal["both", "claimed_from_wins", "none"] = _rule("both", "S", "JH 4.2")
    chengbao_multi: Literal["each_full", "share"] = _rule("each_full", "S", "JH 4.2")
    chengbao_count: Literal["total", "consecutive"] = _rule("total", "D", "JH 4.2")
    haidi_baotou: Literal["eight", "multiply"] = _rule("eight", "S", "JH 3.1")
    gangbao_multiplier: int = _rule(4, "D", "JH 3.3")
    pph_strict: bool = _rule(True, "S", "JH 3.1")
    quanqiuren_kongs: Literal["none", "exposed", "any"] = _rule("exposed", "O", "JH 3.1")
    sancai_with_qiaoxiang: bool = _rule(False, "D", "JH 3.4")
    opening_wins_multiply: bool = _rule(True, "S", "JH 3.1")
    pattern_values: tuple[tuple[str, int], ...] = _rule((), "S", "JH 3.1", *JINHUA_PATTERNS)
    pass_lock: PassLock = _rule("kind", "S", "JH 2.3")
    dead_wall: int = _rule(0, "O", "JH 1.4")
    next_dealer: NextDealer = _rule("rotate", "O", "JH 1.4")
    wild_discard_ban: Literal["until_next_discard", "one_circle", "off"] = _rule("until_next_discard", "S/O", "JH 2.5")
    haidi_window: int = _rule(4, "D", "JH 3.1")
    renhu_window: Literal["unclaimed", "first_round"] = _rule("unclaimed", "D", "JH 3.1")


@dataclass(frozen=True, kw_only=True)
class Hangzhou(Profile):
    """House rules of the Hangzhou special hands, RULES section 5."""

    base: int = _rule(10, "O", "HZ 1.1")
    pattern_values: tuple[tuple[str, int], ...] = _rule((), "S", "HZ 2", *HANGZHOU_PATTERNS)
    piao_multiplier: int = _rule(2, "O", "HZ 2.4")
    qidui_with_baotou: Literal["multiply", "highest"] = _rule("multiply", "D", "HZ 2.3")
    natural_quads_only: bool = _rule(True, "O", "HZ 2.2")
    four_wilds_baotou: bool = _rule(False, "O", "HZ 3")
    direct_shuangyou: bool = _rule(True, "S", "HZ 2.4")
    dead_wall: int = _rule(20, "O", "HZ 1.2")
    next_dealer: NextDealer = _rule("rotate", "O", "HZ 3")


#: The profile class of each rule set.
PROFILES: Final[Mapping[str, type[Profile]]] = {
    "xiamen": Xiamen,
    "zhangzhou": Zhangzhou,
    "yunxiao": Yunxiao,
    "jinhua": Jinhua,
    "hangzhou": Hangzhou,
}


def keys(profile: type[Profile]) -> dict[str, HouseRule]:
    """The house keys of a game, in the order of RULES 10: settlement first, then the course of the game.

    >>> keys(Xiamen)["base_dealer"].paragraph
    'XM 4.1'
    """
    found = _KEYS.get(profile)
    if found is None:
        own = {entry.name: entry for entry in fields(profile)}
        found = _KEYS[profile] = {key: _house_rule(own[key]) for key in SETTINGS if key in own}
    return found


_KEYS: Final[dict[type[Profile], dict[str, HouseRule]]] = {}


def _house_rule(entry: Field[Any]) -> HouseRule:
    return HouseRule(SETTINGS[entry.name], **entry.metadata)


def as_dict(profile: Profile) -> dict[str, object]:
    """All keys with their values, as a record's ``house`` writes them."""
    return {key: _written(getattr(profile, key)) for key in keys(type(profile))}


def changed(profile: Profile) -> dict[str, object]:
    """The keys whose value is not the default: what a record must carry in ``house``.

    >>> changed(load(Jinhua, {"base": 5, "pattern_values": {"baotou": 3}}))
    {'pattern_values': {'baotou': 3}}
    """
    default = _default(type(profile))
    return {
        key: _written(getattr(profile, key))
        for key in keys(type(profile))
        if getattr(profile, key) != getattr(default, key)
    }


def _written(value: object) -> object:
    return dict(value) if isinstance(value, tuple) else value


# --- overrides ------------------------------------------------------------------------------------------


def load(profile: type[P], overrides: object, prefix: str = "house") -> P:
    """A profile with some keys changed (R 13).

    Values are taken strictly: ``true`` is not 1 and ``8.0`` is not 8.

    Args:
        profile: the profile class of the game.
        overrides: an object from key to value; ``None`` and ``{}`` are the defaults.
        prefix: the field of the record, for errors.

    Raises:
        InputError: ``bad_house`` (no object), ``unknown_house_key``, ``house_key_of_other_game``,
            ``unknown_pattern`` or ``bad_house_value``; the sentence lists what is allowed.
    """
    if overrides is None:
        return _default(profile)
    if not isinstance(overrides, Mapping):
        text = Text(
            "house 必须是本桌规则的对照（键：值），不能是 {value}",
            "house 必須是本桌規則的對照（鍵：值），不能是 {value}",
            "house must be an object of house rules (key: value), not {value}",
        )
        raise InputError("bad_house", prefix, text.format(value=_shown(overrides)))
    known = keys(profile)
    values: dict[str, Any] = {}
    for key, value in overrides.items():
        if key not in known:
            raise _unknown_key(str(key), profile, prefix)
        values[key] = _checked(known[key], value, f"{prefix}.{key}")
    return profile(**values) if values else _default(profile)


_DEFAULTS: Final[dict[type[Profile], Profile]] = {}


def _default(profile: type[P]) -> P:
    found = _DEFAULTS.get(profile)
    if found is None:
        found = _DEFAULTS[profile] = profile()
    return found  # type: ignore[return-value]  # keyed by the class itself


def _unknown_key(key: str, profile: type[Profile], prefix: str) -> InputError:
    known = list(keys(profile))
    listed = ", ".join(known)
    shown = _shortened(key)
    if key in SETTINGS:
        text = Text(
            "这种打法没有 {key} 这条本桌规则；可用的有：{allowed}",
            "這種打法沒有 {key} 這條本桌規則；可用的有：{allowed}",
            "{key} is no house rule of this game; its house rules are: {allowed}",
        )
        return InputError("house_key_of_other_game", f"{prefix}.{shown}", text.format(key=shown, allowed=listed))
    close = get_close_matches(shown, known, 1)
    text = (
        Text(
            "没有 {key} 这条本桌规则，是不是 {close}？可用的有：{allowed}",
            "沒有 {key} 這條本桌規則，是不是 {close}？可用的有：{allowed}",
            "there is no house rule {key}; did you mean {close}? The house rules are: {allowed}",
        )
        if close
        else Text(
            "没有 {key} 这条本桌规则；可用的有：{allowed}",
            "沒有 {key} 這條本桌規則；可用的有：{allowed}",
            "there is no house rule {key}; the house rules are: {allowed}",
        )
    )
    return InputError(
        "unknown_house_key",
        f"{prefix}.{shown}",
        text.format(key=shown, close="".join(close), allowed=listed),
    )


def _checked(rule: HouseRule, value: object, where: str) -> Value | PatternValues:
    """One value, of the right type and among the allowed ones."""
    setting = rule.setting
    if setting.kind == "integer":
        return _whole_number(setting.key, value, setting.minimum, where)
    if setting.kind == "patterns":
        return _pattern_values(rule, value, where)
    for allowed in setting.allowed:
        if type(value) is type(allowed) and value == allowed:
            return allowed
    listed = ", ".join(json.dumps(allowed) for allowed in setting.allowed)
    raise _bad_value(setting.key, value, Text(f"其中之一：{listed}", f"其中之一：{listed}", f"one of: {listed}"), where)


def _whole_number(key: str, value: object, minimum: int, where: str) -> int:
    if type(value) is not int or not minimum <= value <= MOST:
        allowed = Text(f"不小于 {minimum} 的整数", f"不小於 {minimum} 的整數", f"a whole number of at least {minimum}")
        raise _bad_value(key, value, allowed, where)
    return value


def _pattern_values(rule: HouseRule, value: object, where: str) -> PatternValues:
    """Pattern multipliers, checked and in the order of the game's pattern table."""
    listed = ", ".join(rule.patterns)
    if not isinstance(value, Mapping):
        allowed = Text(
            f"牌型到倍数的对照（{listed}）",
            f"牌型到倍數的對照（{listed}）",
            f"an object from pattern to multiplier ({listed})",
        )
        raise _bad_value(rule.setting.key, value, allowed, where)
    for key in value:
        if key not in rule.patterns:
            text = Text(
                "没有 {key} 这个牌型；可用的有：{allowed}",
                "沒有 {key} 這個牌型；可用的有：{allowed}",
                "there is no pattern {key}; the patterns are: {allowed}",
            )
            shown = _shortened(str(key))
            raise InputError("unknown_pattern", f"{where}.{shown}", text.format(key=shown, allowed=listed))
    return tuple((key, _whole_number(key, value[key], 1, f"{where}.{key}")) for key in rule.patterns if key in value)


def _bad_value(key: str, value: object, allowed: Text, where: str) -> InputError:
    text = Text(
        "{key} 必须是{allowed}，不能是 {value}",
        "{key} 必須是{allowed}，不能是 {value}",
        "{key} must be {allowed}, not {value}",
    )
    return InputError("bad_house_value", where, text.format(key=key, allowed=allowed, value=_shown(value)))


def _shown(value: object) -> str:
    """A refused value as it was written."""
    return _shortened(json.dumps(value, ensure_ascii=False, default=str))


def _shortened(text: str) -> str:
    """Short enough for the sentence to stay readable."""
    return text if len(text) <= 40 else text[:39] + "…"


# --- TOML -----------------------------------------------------------------------------------------------


def read_profile(text: str, game: str) -> dict[str, object]:
    r"""The house rules a TOML profile sets for a game, as a record's ``house`` writes them.

    Keys at the top of the file, or in a table ``[house]``, hold for every game that is asked for, or for the
    game the file names in ``rules``. A table named after a game holds for that game only, so that a club can
    keep all its games in one file. Everything is checked, whichever game is asked for.

    >>> read_profile('sanyou_multiplier = 12', "xiamen")
    {'sanyou_multiplier': 12}
    >>> read_profile('rules = "xiamen"\n[house]\nsanyou_multiplier = 12', "zhangzhou")
    {}
    >>> read_profile('[zhangzhou]\nfenbing = false', "zhangzhou")
    {'fenbing': False}

    Args:
        text: the contents of the file.
        game: the rule set that is played.

    Raises:
        InputError: ``bad_toml``, ``unknown_rules``, or what `load` refuses.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = Text(
            "本桌规则档不是有效的 TOML：{error}",
            "本桌規則檔不是有效的 TOML：{error}",
            "the house-rule file is not valid TOML: {error}",
        )
        raise InputError("bad_toml", "house", message.format(error=str(error))) from error
    named = data.pop("rules", game)
    if not isinstance(named, str) or named not in PROFILES:
        message = Text(
            "本桌规则档的 rules 是 {value}，没有这种打法；可用的有：{allowed}",
            "本桌規則檔的 rules 是 {value}，沒有這種打法；可用的有：{allowed}",
            "the rules of the house-rule file are {value}, which is no game; there are: {allowed}",
        )
        raise InputError("unknown_rules", "rules", message.format(value=_shown(named), allowed=", ".join(PROFILES)))
    tables = {name: data.pop(name) for name in PROFILES if name in data}
    for name, table in tables.items():
        load(PROFILES[name], table, name)
    table = data.pop("house", {})
    load(PROFILES[named], table)
    for name, value in data.items():
        if isinstance(value, dict) and name not in SETTINGS:
            message = Text(
                "本桌规则档里的 [{name}] 不是一种打法；可用的有：{allowed}，或者 house",
                "本桌規則檔裡的 [{name}] 不是一種打法；可用的有：{allowed}，或者 house",
                "[{name}] in the house-rule file is no game; there are: {allowed}, or house",
            )
            listed = ", ".join(PROFILES)
            raise InputError("unknown_rules", _shortened(name), message.format(name=_shortened(name), allowed=listed))
    load(PROFILES[named], data)
    shared = {**data, **table} if named == game else {}
    return {**shared, **tables.get(game, {})}


def write_profile(profile: Profile, language: Literal["zh", "zh_hant", "en"] = "en") -> str:
    """A profile as TOML, every key with its sentence as a comment; `read_profile` reads it back.

    >>> write_profile(Hangzhou()).splitlines()[0]
    '[hangzhou]'
    """
    game = next(name for name, cls in PROFILES.items() if cls is type(profile))
    lines = [f"[{game}]"]
    for key, rule in keys(type(profile)).items():
        setting = rule.setting
        sentence = setting.sentence.in_language(language)
        lines += ["", f"# {sentence} ({rule.paragraph}, {rule.mark})"]
        if setting.values:
            lines.append("# " + " | ".join(json.dumps(value) for value in setting.allowed))
        value = getattr(profile, key)
        if setting.kind == "patterns":
            inner = ", ".join(f"{name} = {number}" for name, number in value)
            lines.append(f"{key} = {{ {inner} }}" if inner else f"{key} = {{}}")
        else:
            lines.append(f"{key} = {json.dumps(value)}")
    return "\n".join(lines) + "\n"
