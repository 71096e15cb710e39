"""What a laid-out table cannot be, in sentences: the count of tiles, sets that are none, tiles between two places."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from engine.text import Text, join
from engine.tiles import CODES, NAMES, PLAYABLE
from vision.areas import HAND_GAP, SET_APART, Layout, gap
from vision.detections import FACE_DOWN
from vision.geometry import FACES, MIXED, SETS
from vision.melds import CONCEALED_KONG
from vision.reading import Problem
from vision.zones import FLOWERS, MELDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vision.reading import Reading

_WHICH_SIDE = Text(
    "画面有两边都像是你的手牌。请在设置里选你坐在哪一边。",
    "畫面有兩邊都像是你的手牌。請在設定裡選你坐在哪一邊。",
    "Two sides of the picture look like your hand. Choose in the settings at which side you sit.",
)
_TOO_FEW = Text(
    "手牌 {hand} 张、副露 {melds} 组（每组算三张），共 {n} 张，应有 {size} 或 {more} 张：少了 {k} 张。请看有没有牌被遮住或没摆平。",
    "手牌 {hand} 張、副露 {melds} 組（每組算三張），共 {n} 張，應有 {size} 或 {more} 張：少了 {k} 張。請看有沒有牌被遮住或沒擺平。",
    "Tiles in the hand: {hand}, melds: {melds} (three each), {n} in all, but {size} or {more} belong to a hand: "
    "{k} missing. See whether a tile is covered or does not lie flat.",
)
_MISSING_BETWEEN = Text(
    "手牌少一张：{a} 和 {b} 之间空了一张牌的位置。请把那里露出来，或点一下补上。",
    "手牌少一張：{a} 和 {b} 之間空了一張牌的位置。請把那裡露出來，或點一下補上。",
    "One tile of the hand is missing: there is room for it between {a} and {b}. Uncover that place, or add it by a tap.",
)
_TOO_MANY = Text(
    "手牌 {hand} 张、副露 {melds} 组（每组算三张），共 {n} 张，最多 {more} 张：多了 {k} 张。请把不是你的牌移开，或点一下改正。",
    "手牌 {hand} 張、副露 {melds} 組（每組算三張），共 {n} 張，最多 {more} 張：多了 {k} 張。請把不是你的牌移開，或點一下改正。",
    "Tiles in the hand: {hand}, melds: {melds} (three each), {n} in all, but there are {more} at most: {k} too many. "
    "Move away what is not yours, or correct it by a tap.",
)
_NO_MELD = Text(
    "{tiles} 放在副露的位置，但不成顺子、刻子或杠。请看是不是认错了一张，点一下改正。",
    "{tiles} 放在副露的位置，但不成順子、刻子或槓。請看是不是認錯了一張，點一下改正。",
    "{tiles} lie where melds lie, but are no chow, pong or kong. See whether one was misread, and tap to correct it.",
)
_BETWEEN = Text(
    "看不出 {tiles} 是不是你的牌。是你的就靠近手牌，不是就移远一点。",
    "看不出 {tiles} 是不是你的牌。是你的就靠近手牌，不是就移遠一點。",
    "One cannot tell whether {tiles} is yours. Move it close to the hand if it is, and farther away if not.",
)
_HAND_OR_MELD = Text(
    "看不出 {tiles} 是手牌还是副露。请把副露移开一张牌的距离，或点一下改正。",
    "看不出 {tiles} 是手牌還是副露。請把副露移開一張牌的距離，或點一下改正。",
    "One cannot tell whether {tiles} belong to the hand or are a meld. Move melds a tile's width away, or tap to correct it.",
)
_FIFTH = Text(
    "连暗杠盖着的算在内，{tile} 有 {n} 张，一副牌只有四张。请看哪一张认错了。",
    "連暗槓蓋著的算在內，{tile} 有 {n} 張，一副牌只有四張。請看哪一張認錯了。",
    "With the hidden tiles of the concealed kong there are {n} of {tile}, a set has four. See which one was misread.",
)
_HIDDEN = Text(
    "这副暗杠四张都盖着，看不出是什么牌。请点其中一张说明。",
    "這副暗槓四張都蓋著，看不出是什麼牌。請點其中一張說明。",
    "All four tiles of this concealed kong lie face down. Tap one of them and say what it is.",
)
_FACE_DOWN = Text(
    "手牌里有 {n} 张盖着，看不出是什么。请翻开，或点一下说明。",
    "手牌裡有 {n} 張蓋著，看不出是什麼。請翻開，或點一下說明。",
    "{n} tiles of the hand lie face down. Turn them up, or tap them and say what they are.",
)
_NO_FLOWER = Text(
    "{tiles} 在花牌区里，但不是花牌。请移走，或点一下改正。",
    "{tiles} 在花牌區裡，但不是花牌。請移走，或點一下改正。",
    "{tiles} lies in the zone of flowers, but is none. Move it, or tap to correct it.",
)


def two_sides(reading: Reading, layouts: list[Layout]) -> list[Problem]:
    """Several sides of the picture that all look like the player's; with one there is no doubt."""
    if len(layouts) < 2:
        return []
    tiles = tuple(i for layout in layouts for i in layout.areas.concealed)
    return [_problem(reading, "which_side", tiles, _WHICH_SIDE)]


def check_layout(reading: Reading, layout: Layout) -> list[Problem]:
    """Everything that does not add up in a sorted layout."""
    return [
        *_count(reading, layout),
        *_no_melds(reading, layout),
        *_between(reading, layout),
        *_hand_or_meld(reading, layout),
        *_fifths(reading, layout),
        *_hidden(reading, layout),
        *_strangers(reading, layout),
    ]


def _problem(reading: Reading, code: str, indices: Iterable[int], text: Text) -> Problem:
    where = tuple(indices)
    kinds = dict.fromkeys(int(reading.detections.kind[i]) for i in where)
    return Problem(code, tuple(CODES[kind] for kind in kinds if kind != FACE_DOWN), where, text)


def _names(layout: Layout, indices: Iterable[int]) -> Text:
    return join([NAMES[layout.kind[i]] for i in indices if layout.kind[i] != FACE_DOWN], chinese="", english=", ")


def _count(reading: Reading, layout: Layout) -> list[Problem]:
    areas, size = layout.areas, layout.size
    if size is None or not (areas.concealed or areas.melds) or layout.adds_up():
        return []
    n = layout.count
    numbers = {
        "hand": n - 3 * len(areas.melds), "melds": len(areas.melds), "n": n, "size": size, "more": size + 1,
        "k": size - n if n < size else n - size - 1,
    }  # fmt: skip
    if n > size + 1:
        alone = [g.indices[0] for g in layout.hand if len(g.indices) == 1]
        return [_problem(reading, "too_many_tiles", alone or areas.concealed, _TOO_MANY.format(**numbers))]
    holes = [(a.indices[-1], b.indices[0]) for a, b in pairwise(layout.hand) if 0.75 < gap(a, b) < 1.35]
    if len(holes) == 1 and numbers["k"] == 1:
        a, b = holes[0]
        text = _MISSING_BETWEEN.format(a=NAMES[layout.kind[a]], b=NAMES[layout.kind[b]])
        return [_problem(reading, "tile_missing", holes[0], text)]
    return [_problem(reading, "too_few_tiles", [i for hole in holes for i in hole], _TOO_FEW.format(**numbers))]


def _no_melds(reading: Reading, layout: Layout) -> list[Problem]:
    """Three or four tiles where a meld would lie that form none."""
    result = []
    for group, place in layout.leftovers():
        part = list(group.indices)
        if not 3 <= len(part) <= 4 or layout.g.parts(group)[0][0] not in {FACES, MIXED}:
            continue
        if place in {MELDS, "line"} or (place in {"front", "on"} and layout.lacks_a_meld()):
            result.append(_problem(reading, "no_meld", part, _NO_MELD.format(tiles=_names(layout, part))))
    return result


def _between(reading: Reading, layout: Layout) -> list[Problem]:
    """Tiles that may be the player's, where the count asks for more or nobody knows the count."""
    if layout.size is not None and layout.count >= layout.size:
        return []
    result = []
    for group, place in layout.leftovers():
        part = list(group.indices)
        what = layout.g.parts(group)[0][0]
        single = len(part) <= 2 and what == FACES and layout.is_aside(group)
        sets = what == SETS and place == "edge" and layout.lacks_a_meld()
        if single or sets:
            result.append(_problem(reading, "between", part, _BETWEEN.format(tiles=_names(layout, part))))
    return result


def _hand_or_meld(reading: Reading, layout: Layout) -> list[Problem]:
    """Upright sets beside the hand whose distance tells nothing.

    The hand has gaps that are as wide, or no more than a pair is left of it: a winner lays down his hand set by set.
    """
    if len(layout.hand) == 0:
        return []
    pieces = [g for g in layout.hand if layout.areas.drawn not in g.indices]
    loose = sum(len(g.indices) for g in layout.hand if not layout.is_sets(g))
    within = max((gap(a, b) for a, b in pairwise(pieces) if abs(a.v - b.v) < 0.5 * a.h), default=0.0)
    result = []
    for group, apart in layout.sets_in_line():
        near_limit = abs(apart - SET_APART) < 0.12
        laid_down = loose <= 2 and (apart < HAND_GAP or group in layout.hand)
        if near_limit or laid_down or within > 0.75 * apart:
            part = list(group.indices)
            result.append(_problem(reading, "hand_or_meld", part, _HAND_OR_MELD.format(tiles=_names(layout, part))))
    return result


def _fifths(reading: Reading, layout: Layout) -> list[Problem]:
    """Five of a kind that only shows when the hidden tiles of concealed kongs are counted."""
    seen = Counter(kind for kind in layout.kind if kind != FACE_DOWN)
    all_melds = [*layout.areas.melds, *(meld for _, meld in layout.areas.other_melds)]
    result = []
    for meld in all_melds:
        faces = [layout.kind[i] for i in meld.indices if layout.kind[i] != FACE_DOWN]
        if meld.kind != CONCEALED_KONG or not faces:
            continue
        kind = faces[0]
        total = seen[kind] + 4 - len(faces)
        if seen[kind] <= 4 < total:
            where = [i for i, k in enumerate(layout.kind) if k == kind]
            result.append(_problem(reading, "fifth_hidden", where, _FIFTH.format(tile=NAMES[kind], n=total)))
    return result


def _hidden(reading: Reading, layout: Layout) -> list[Problem]:
    result = [_problem(reading, "hidden_kong", meld.indices, _HIDDEN) for meld in layout.areas.melds if not meld.tiles]
    backs = [i for g in layout.hand for i in g.indices if layout.kind[i] == FACE_DOWN]
    if backs:
        result.append(_problem(reading, "face_down_in_hand", backs, _FACE_DOWN.format(n=len(backs))))
    return result


def _strangers(reading: Reading, layout: Layout) -> list[Problem]:
    """Tiles in the zone of flowers that are none."""
    wrong = [i for i, zone in enumerate(layout.zones) if zone == FLOWERS and 0 <= layout.kind[i] < PLAYABLE]
    return [_problem(reading, "no_flower", wrong, _NO_FLOWER.format(tiles=_names(layout, wrong)))] if wrong else []
