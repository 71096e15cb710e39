"""Shapes of hands with wilds: complete, lone-wild, shanten, waits, readings.

A set of tiles is a *packed* integer, three bits for each of the 34 playable kinds, so that adding a tile is
one addition, and a suit is one shift and one mask. A suit looks the same in thousands of hands; what it
needs is worked out once and remembered.

Wilds may be any part of a run, a triplet or the pair; two or three wilds may form a pair or a set alone
(RULES 7.1). Sizes are not checked here: `complete` asks whether *n* sets and a pair come out exactly, which
for 3n + 2 tiles is the same as asking whether the wilds suffice.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from operator import add
from typing import TYPE_CHECKING, Final

from engine.tiles import CODES, HONOUR, PLAYABLE, WHITE, format_tiles

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

#: One tile of each kind, packed.
UNIT: Final[tuple[int, ...]] = tuple(1 << 3 * kind for kind in range(PLAYABLE))
SUIT_BITS: Final = 27
SUIT_MASK: Final = (1 << SUIT_BITS) - 1
# The three bits of every kind's count.
_ONES: Final = sum(UNIT)
_TWOS: Final = 2 * _ONES
_FOURS: Final = 4 * _ONES
#: More wilds than any hand can have.
IMPOSSIBLE: Final = 99


def pack(kinds: Iterable[int]) -> int:
    """Playable kinds as one packed set.

    >>> pack([0, 0, 1])
    10
    """
    total = 0
    for kind in kinds:
        total += UNIT[kind]
    return total


def count(packed: int, kind: int) -> int:
    """Copies of a kind in a packed set.

    >>> count(pack([4, 4]), 4)
    2
    """
    return packed >> 3 * kind & 7


def unpack(packed: int) -> list[int]:
    """The kinds of a packed set, sorted.

    >>> unpack(pack([9, 0, 9]))
    [0, 9, 9]
    """
    kinds: list[int] = []
    kind = 0
    while packed:
        kinds += [kind] * (packed & 7)
        packed >>= 3
        kind += 1
    return kinds


def distinct(packed: int) -> list[int]:
    """The different kinds of a packed set, sorted.

    >>> distinct(pack([9, 0, 9]))
    [0, 9]
    """
    kinds: list[int] = []
    kind = 0
    while packed:
        if packed & 7:
            kinds.append(kind)
        packed >>= 3
        kind += 1
    return kinds


@dataclass(frozen=True, slots=True)
class Concealed:
    """The concealed part of a hand, seen through the gold.

    Attributes:
        physical: the tiles as they lie on the table, golds included, packed.
        gold: the kind that is wild, or ``None``.
        sets: how many sets are still to be formed.
        natural: the tiles that are not golds, whites as the face of the gold, packed.
        wilds: how many real golds.
    """

    physical: int
    gold: int | None
    sets: int
    natural: int
    wilds: int

    @classmethod
    def of(cls, kinds: Iterable[int], gold: int | None, sets: int) -> Concealed:
        """From physical kinds.

        >>> hand = Concealed.of([3, 5, 31, 4], gold=4, sets=1)  # 46m, a white for 5m, a real 5m
        >>> unpack(hand.natural), hand.wilds
        ([3, 4, 5], 1)
        """
        return cls.from_packed(pack(kinds), gold, sets)

    @classmethod
    def from_packed(cls, physical: int, gold: int | None, sets: int) -> Concealed:
        """From packed physical tiles."""
        if gold is None:
            return cls(physical, None, sets, physical, 0)
        wilds = physical >> 3 * gold & 7
        natural = physical - wilds * UNIT[gold]
        if gold != WHITE:
            whites = natural >> 3 * WHITE & 7
            natural += whites * (UNIT[gold] - UNIT[WHITE])
        return cls(physical, gold, sets, natural, wilds)

    def add(self, kind: int) -> Concealed:
        """With one more physical tile."""
        return Concealed.from_packed(self.physical + UNIT[kind], self.gold, self.sets)

    def remove(self, kind: int) -> Concealed:
        """Without one physical tile, which must be there."""
        return Concealed.from_packed(self.physical - UNIT[kind], self.gold, self.sets)


def face(kind: int, gold: int | None) -> int:
    """What a physical tile that is not a gold counts as: a white is the face of the gold (XM 1.7).

    >>> face(31, 4), face(31, 31), face(0, 4)
    (4, 31, 0)
    """
    return gold if kind == WHITE and gold is not None else kind


def tile_for(kind: int, gold: int | None) -> int | None:
    """The physical tile that counts naturally as a kind: a white for the face of the gold.

    ``None`` where no such tile exists: nothing is naturally a white while whites stand for the gold.

    >>> tile_for(4, 4), tile_for(31, 4), tile_for(0, 4)
    (31, None, 0)
    """
    if gold is None or gold == WHITE:
        return None if kind == gold else kind
    if kind == gold:
        return WHITE
    return None if kind == WHITE else kind


# --- complete -------------------------------------------------------------------------------------------

# Key of a suit (packed, 27 bits) -> wilds needed to split it into sets, and into sets and one pair.
_NEED: Final[dict[int, tuple[int, int]]] = {0: (0, 2)}
_HONOUR_NEED: Final[dict[int, tuple[int, int]]] = {0: (0, 2)}
# Copies of an honour 0..7 -> wilds for triplets only; wilds for triplets and a pair.
_TRIPLETS: Final = (0, 2, 1, 0, 2, 1, 0, 2)
_TRIPLETS_PAIR: Final = (2, 1, 0, 2, 1, 0, 2, 1)


def _need(key: int) -> tuple[int, int]:
    """Wilds a suit needs, see ``_NEED``. Worked out from its lowest tile, which must go somewhere."""
    found = _NEED.get(key)
    if found is not None:
        return found
    shift = ((key & -key).bit_length() - 1) // 3 * 3
    if shift:
        # Runs are the same wherever they lie, so a suit is looked up as if it began at 1.
        found = _NEED[key] = _need(key >> shift)
        return found
    copies = key & 7
    second = key >> 3 & 7
    third = key >> 6 & 7
    sets, pair = _need(key - 1)
    best_sets, best_pair = sets + 2, min(pair + 2, sets + 1)
    options: list[tuple[int, int]] = []
    if copies >= 2:
        sets, pair = _need(key - 2)
        best_sets, best_pair = min(best_sets, sets + 1), min(best_pair, pair + 1, sets)
        if copies >= 3:
            options.append((key - 3, 0))
    if second:
        options.append((key - 0o11, 1))
        if third:
            options.append((key - 0o111, 0))
    if third:
        options.append((key - 0o101, 1))
    for rest, wilds in options:
        sets, pair = _need(rest)
        best_sets, best_pair = min(best_sets, sets + wilds), min(best_pair, pair + wilds)
    found = _NEED[key] = (best_sets, best_pair)
    return found


def _honour_need(key: int) -> tuple[int, int]:
    """The same for the honours, which make no runs."""
    sets, pair, rest = 0, 2, key
    while rest:
        copies = rest & 7
        sets += _TRIPLETS[copies]
        pair = min(pair, _TRIPLETS_PAIR[copies] - _TRIPLETS[copies])
        rest >>= 3
    found = _HONOUR_NEED[key] = (sets, sets + pair)
    return found


def _needs(natural: int) -> tuple[int, int]:
    """Wilds that split a whole hand into sets, and into sets and a pair."""
    key = natural & SUIT_MASK
    m = _NEED.get(key) or _need(key)
    natural >>= SUIT_BITS
    key = natural & SUIT_MASK
    p = _NEED.get(key) or _need(key)
    natural >>= SUIT_BITS
    key = natural & SUIT_MASK
    s = _NEED.get(key) or _need(key)
    key = natural >> SUIT_BITS
    z = _HONOUR_NEED.get(key) or _honour_need(key)
    sets = m[0] + p[0] + s[0] + z[0]
    return sets, sets + min(m[1] - m[0], p[1] - p[0], s[1] - s[0], z[1] - z[0])


def complete(natural: int, wilds: int) -> bool:
    """Whether 3n + 2 tiles are *n* sets and a pair.

    Args:
        natural: the tiles that are not wild, packed.
        wilds: how many wilds.

    >>> complete(pack([0, 1, 2, 9, 9]), 0), complete(pack([0, 1, 9, 9]), 1), complete(pack([0, 3, 9, 9]), 1)
    (True, True, False)
    """
    return _needs(natural)[1] <= wilds


def only_sets(natural: int, wilds: int) -> bool:
    """Whether 3n tiles are *n* sets.

    >>> only_sets(pack([0, 1]), 1), only_sets(pack([0, 3]), 1)
    (True, False)
    """
    return _needs(natural)[0] <= wilds


def pairs_complete(natural: int, wilds: int) -> bool:
    """Whether an even number of tiles are pairs; four equal tiles are two pairs (YX 3.4).

    >>> pairs_complete(pack([0, 0, 5]), 1), pairs_complete(pack([0, 5]), 0)
    (True, False)
    """
    return (natural & _ONES).bit_count() <= wilds


def lone_wild(natural: int, wilds: int) -> bool:
    """游金 shape (RULES 7.1): one wild is left over as half of the pair, the rest is sets.

    >>> lone_wild(pack([0, 1, 2]), 1), lone_wild(pack([0, 1, 9]), 1)
    (True, False)
    """
    return wilds > 0 and only_sets(natural, wilds - 1)


def lone_wild_pairs(natural: int, wilds: int) -> bool:
    """The seven-pairs form of 游金 shape: six pairs and a wild.

    >>> lone_wild_pairs(pack([0, 0]), 1)
    True
    """
    return wilds > 0 and pairs_complete(natural, wilds - 1)


def standard_waits(natural: int, wilds: int) -> list[int]:
    """Kinds (faces, not physical tiles) that complete 3n + 1 tiles as sets and a pair.

    >>> standard_waits(pack([0, 1, 9, 9]), 0)
    [2]
    """
    return [kind for kind in range(PLAYABLE) if complete(natural + UNIT[kind], wilds)]


# --- shanten --------------------------------------------------------------------------------------------

_MOST_SETS: Final = 5
_WIDTH: Final = _MOST_SETS + 1
# Key of a suit -> tiles that must be added for 0..5 sets (six numbers) and for 0..5 sets and a pair (six more).
_NOTHING: Final = (*(3 * sets for sets in range(_WIDTH)), *(3 * sets + 2 for sets in range(_WIDTH)))
_DISTANCE: Final[dict[int, tuple[int, ...]]] = {0: _NOTHING}
_HONOUR_DISTANCE: Final[dict[int, tuple[int, ...]]] = {0: _NOTHING}


def _plus_set(distances: tuple[int, ...], added: int) -> tuple[int, ...]:
    """Distances after one more set that takes ``added`` tiles from outside."""
    d = distances
    a = added
    return (
        *(IMPOSSIBLE, d[0] + a, d[1] + a, d[2] + a, d[3] + a, d[4] + a),
        *(IMPOSSIBLE, d[6] + a, d[7] + a, d[8] + a, d[9] + a, d[10] + a),
    )


def _plus_pair(distances: tuple[int, ...], added: int) -> tuple[int, ...]:
    """The same after the pair."""
    d = distances
    a = added
    return (
        *(IMPOSSIBLE, IMPOSSIBLE, IMPOSSIBLE, IMPOSSIBLE, IMPOSSIBLE, IMPOSSIBLE),
        *(d[0] + a, d[1] + a, d[2] + a, d[3] + a, d[4] + a, d[5] + a),
    )


def _suit_distance(key: int, memo: dict[int, tuple[int, ...]]) -> tuple[int, ...]:
    """Fewest tiles to add, see ``_DISTANCE``. The lowest tile is used in a set or a pair, or is left over."""
    found = memo.get(key)
    if found is not None:
        return found
    shift = ((key & -key).bit_length() - 1) // 3 * 3
    if shift:
        found = memo[key] = _suit_distance(key >> shift, memo)
        return found
    copies = key & 7
    less = _suit_distance(key - 1, memo)
    choices = [less, _plus_set(less, 2), _plus_pair(less, 1)]
    if copies >= 2:
        less = _suit_distance(key - 2, memo)
        choices += [_plus_set(less, 1), _plus_pair(less, 0)]
        if copies >= 3:
            choices.append(_plus_set(_suit_distance(key - 3, memo), 0))
    if memo is _DISTANCE:
        second = key >> 3 & 7
        third = key >> 6 & 7
        if second:
            choices.append(_plus_set(_suit_distance(key - 0o11, memo), 1))
            if third:
                choices.append(_plus_set(_suit_distance(key - 0o111, memo), 0))
        if third:
            choices.append(_plus_set(_suit_distance(key - 0o101, memo), 1))
    found = memo[key] = tuple(map(min, *choices))
    return found


def groups_of(natural: int) -> tuple[int, int, int, int]:
    """The four suit keys of a packed set: 萬, 餅, 條, honours."""
    return (
        natural & SUIT_MASK,
        natural >> SUIT_BITS & SUIT_MASK,
        natural >> 2 * SUIT_BITS & SUIT_MASK,
        natural >> 3 * SUIT_BITS,
    )


def suit_distances(natural: int) -> list[tuple[int, ...]]:
    """Per suit (萬, 餅, 條, honours) the tiles to add for 0..5 sets, and for 0..5 sets and a pair."""
    m, p, s, z = groups_of(natural)
    return [
        _suit_distance(m, _DISTANCE),
        _suit_distance(p, _DISTANCE),
        _suit_distance(s, _DISTANCE),
        _suit_distance(z, _HONOUR_DISTANCE),
    ]


@lru_cache(maxsize=65536)
def merge_distances(one: tuple[int, ...], two: tuple[int, ...]) -> tuple[int, ...]:
    """Distances of two suits taken together."""
    best = [IMPOSSIBLE] * (2 * _WIDTH)
    for first in range(_WIDTH):
        plain, paired = one[first], one[first + _WIDTH]
        for second in range(_WIDTH - first):
            total = first + second
            value = plain + two[second]
            best[total] = min(best[total], value)
            value = min(plain + two[second + _WIDTH], paired + two[second])
            best[total + _WIDTH] = min(best[total + _WIDTH], value)
    return tuple(best)


def merged_distance(one: tuple[int, ...], two: tuple[int, ...], sets: int) -> int:
    """The distance to *sets* sets and a pair of two parts of a hand, without counting wilds."""
    return _least(one, *_facing(two, sets))


def _facing(distances: tuple[int, ...], sets: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Distances of one part ordered so that they face those of the other: with the pair, and without it."""
    return distances[_WIDTH + sets : _WIDTH - 1 : -1], distances[sets::-1]


def _least(one: tuple[int, ...], paired: tuple[int, ...], plain: tuple[int, ...]) -> int:
    """The least sum of two parts, the pair in either of them."""
    least: int = min(*map(add, one, paired), *map(add, one[_WIDTH:], plain))
    return least


def standard_distance(natural: int, wilds: int, sets: int) -> int:
    """Fewest tiles that must still be exchanged for *sets* sets and a pair; 0 is complete.

    ``distance - 1`` is the shanten number (0 = ready).

    >>> standard_distance(pack([0, 1, 9, 9]), 0, 1)
    1
    """
    m, p, s, z = suit_distances(natural)
    return max(0, merged_distance(merge_distances(m, p), merge_distances(s, z), sets) - wilds)


def distances_with_each(natural: int, sets: int) -> tuple[int, list[int]]:
    """The distance of a hand without counting wilds, and what it becomes with one more tile of each kind.

    >>> before, after = distances_with_each(pack([0, 1, 9, 9]), 1)
    >>> before, [kind for kind in range(PLAYABLE) if after[kind] < before]
    (1, [2])
    """
    m, p, s, z = suit_distances(natural)
    numbers, rest = merge_distances(m, p), merge_distances(s, z)
    before = merged_distance(numbers, rest, sets)
    after: list[int] = []
    keys = groups_of(natural)
    others = (
        merge_distances(p, rest),
        merge_distances(m, rest),
        merge_distances(z, numbers),
        merge_distances(s, numbers),
    )
    for key, other, memo in zip(keys, others, (_DISTANCE, _DISTANCE, _DISTANCE, _HONOUR_DISTANCE), strict=True):
        paired, plain = _facing(other, sets)
        for unit in UNIT[: 7 if memo is _HONOUR_DISTANCE else 9]:
            more = memo.get(key + unit) or _suit_distance(key + unit, memo)
            after.append(_least(more, paired, plain))
    return before, after


def pairs_distance(natural: int, wilds: int, pairs: int = 7) -> int:
    """The same for seven pairs, four equal tiles being two pairs.

    >>> pairs_distance(pack([0, 0, 1, 1, 2]), 1, 3)
    0
    """
    whole = (natural & _TWOS).bit_count() + 2 * (natural & _FOURS).bit_count()
    singles = (natural & _ONES).bit_count()
    missing = max(0, pairs - whole)
    return max(0, 2 * missing - min(singles, missing) - wilds)


# --- readings -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Group:
    """One set or pair of a reading.

    Attributes:
        tiles: its natural tiles (faces), sorted; empty if it is made of wilds only.
        wilds: how many wilds fill it up. One natural tile and two wilds may be read as a triplet or as a run.
    """

    tiles: tuple[int, ...]
    wilds: int

    @property
    def is_pair(self) -> bool:
        """Two tiles, not three."""
        return len(self.tiles) + self.wilds == 2

    @property
    def may_be_triplet(self) -> bool:
        """All its natural tiles are equal and it is no pair."""
        return not self.is_pair and len(set(self.tiles)) <= 1

    def faces(self, gold: int | None) -> tuple[int, ...]:
        """What the group shows: wilds as what they stand for (alone: as the gold itself).

        >>> [CODES[kind] for kind in Group((6, 7), 1).faces(31)]
        ['7m', '8m', '9m']
        """
        return tuple(sorted(self.tiles + self.wild_faces(gold)))

    def wild_faces(self, gold: int | None) -> tuple[int, ...]:
        """What each wild of the group stands for."""
        if not self.wilds:
            return ()
        if not self.tiles:
            return (0 if gold is None else gold,) * self.wilds
        low, high = self.tiles[0], self.tiles[-1]
        if low == high:
            return (low,) * self.wilds
        if high - low == 2:
            return (low + 1,)
        return (high + 1,) if high % 9 < 8 else (low - 1,)


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to see concealed tiles as sets and a pair.

    Attributes:
        sets: the sets.
        pair: the pair.
    """

    sets: tuple[Group, ...]
    pair: Group

    @property
    def groups(self) -> tuple[Group, ...]:
        """Sets, then the pair."""
        return (*self.sets, self.pair)

    def shown(self, gold: int | None) -> tuple[str, ...]:
        """The groups as MPSZ faces, the form of ``reading`` in a settlement.

        >>> Reading((Group((0, 1), 1),), Group((9,), 1)).shown(31)
        ('123m', '11p')
        """
        return tuple([_shown(group, gold) for group in self.groups])

    def golds_as(self, gold: int | None) -> tuple[str, ...]:
        """What each gold stands for, in MPSZ, the form of ``golds_as`` in a settlement.

        >>> Reading((Group((0, 1), 1),), Group((9,), 1)).golds_as(31)
        ('3m', '1p')
        """
        return tuple([CODES[kind] for group in self.groups if group.wilds for kind in group.wild_faces(gold)])


@lru_cache(maxsize=4096)
def _shown(group: Group, gold: int | None) -> str:
    return format_tiles(group.faces(gold))


# Key, first kind of the suit, runs allowed -> every (sets, pair or None, wilds).
_Split = tuple[tuple[Group, ...], Group | None, int]
_SPLITS: Final[dict[tuple[int, int, int], tuple[_Split, ...]]] = {}


def suit_splits(key: int, first: int, most_wilds: int) -> tuple[_Split, ...]:
    """Every way to split one suit into sets and at most one pair with at most ``most_wilds`` wilds."""
    found = _SPLITS.get((key, first, most_wilds))
    if found is not None:
        return found
    if not key:
        return (((), None, 0),)
    low = ((key & -key).bit_length() - 1) // 3
    unit = 1 << 3 * low
    copies, second, third = (key >> 3 * low & 7), 0, 0
    if first < 27:
        second, third = key >> 3 * (low + 1) & 7, key >> 3 * (low + 2) & 7
    kind = first + low
    options: list[tuple[tuple[int, ...], int, int, bool]] = [
        ((kind,) * used, size - used, unit * used, size == 2)
        for size in (3, 2)
        for used in range(1, min(size, copies) + 1)
    ]
    if second:
        options.append(((kind, kind + 1), 1, unit * 0o11, False))
        if third:
            options.append(((kind, kind + 1, kind + 2), 0, unit * 0o111, False))
    if third:
        options.append(((kind, kind + 2), 1, unit * 0o101, False))
    result: dict[tuple[tuple[Group, ...], Group | None], int] = {}
    for tiles, wilds, used, is_pair in options:
        if wilds > most_wilds:
            continue
        group = Group(tiles, wilds)
        for sets, pair, more in suit_splits(key - used, first, most_wilds - wilds):
            if not is_pair:
                result[tuple(sorted((group, *sets), key=_group_order)), pair] = wilds + more
            elif pair is None:
                result[sets, group] = wilds + more
    found = _SPLITS[key, first, most_wilds] = tuple((sets, pair, used) for (sets, pair), used in result.items())
    return found


def _group_order(group: Group) -> tuple[tuple[int, ...], int]:
    return group.tiles, group.wilds


def readings(natural: int, wilds: int) -> Iterator[Reading]:
    """Every reading of 3n + 2 tiles as sets and a pair (each different one once).

    >>> [[group.tiles for group in reading.groups] for reading in readings(pack([0, 0, 0, 1, 2]), 0)]
    [[(0, 1, 2), (0, 0)]]
    """
    parts: list[_Split] = [((), None, 0)]
    for number, key in enumerate(groups_of(natural)):
        grown: list[_Split] = []
        for sets, pair, used in parts:
            for more, other, extra in suit_splits(key, 9 * number, wilds - used):
                if pair is None or other is None:
                    grown.append((sets + more, pair or other, used + extra))
        parts = grown
    for sets, pair, used in parts:
        free = wilds - used
        if pair is None:
            free -= 2
        # Of 3n + 2 tiles less sets and the pair a multiple of three is left, all of them wilds.
        yield Reading(sets + (Group((), 3),) * (free // 3), pair or Group((), 2))


# --- the reading with most concealed triplets ------------------------------------------------------------

# A group as one number: its form, and its lowest kind. Adding to the number moves the group.
_FORM: Final = 64
# Per form: kinds above the lowest one, and wilds. Pairs come last.
_FORMS: Final[tuple[tuple[tuple[int, ...], int], ...]] = (
    ((0, 0, 0), 0),
    ((0, 1, 2), 0),
    ((0, 0), 1),
    ((0, 1), 1),
    ((0, 2), 1),
    ((0,), 2),
    ((0, 0), 0),
    ((0,), 1),
)
_TRIPLET, _RUN, _TWO_EQUAL, _TWO_NEXT, _TWO_APART, _ONE, _PAIR, _HALF_PAIR = (
    form * _FORM for form in range(len(_FORMS))
)
_GROUPS: Final[dict[int, Group]] = {
    form * _FORM + kind: Group(tuple(kind + step for step in steps), wilds)
    for form, (steps, wilds) in enumerate(_FORMS)
    for kind in range(PLAYABLE)
}

# (pair taken, wilds used) -> worth of the triplets, groups as numbers.
_Best = dict[tuple[bool, int], tuple[int, tuple[int, ...]]]
# Suit that begins at its lowest tile, worth of a triplet, discounted kind or -1, most wilds.
_RICHEST: Final[dict[tuple[int, int, int, int], _Best]] = {}
_EMPTY: Final[_Best] = {(False, 0): (0, ())}


def _richest_suit(key: int, worth: int, discounted: int, most: int) -> _Best:
    """For every number of wilds up to ``most`` the split whose natural triplets are worth most.

    ``key`` has a tile in its lowest place (or none at all). Honours are told from suits by ``worth`` 2.
    """
    if not key:
        return _EMPTY
    found = _RICHEST.get((key, worth, discounted, most))
    if found is not None:
        return found
    copies, second, third = key & 7, 0, 0
    if worth == 1:
        second, third = key >> 3 & 7, key >> 6 & 7
    options: list[tuple[int, int, int, int]] = []  # group, its tiles, wilds, worth
    if copies >= 3:
        options.append((_TRIPLET, 3, 0, worth - (discounted == 0)))
    if second and third:
        options.append((_RUN, 0o111, 0, 0))
    if copies >= 2:
        options.append((_PAIR, 2, 0, 0))
    if most:
        if copies >= 2:
            options.append((_TWO_EQUAL, 2, 1, 0))
        if second:
            options.append((_TWO_NEXT, 0o11, 1, 0))
        if third:
            options.append((_TWO_APART, 0o101, 1, 0))
        options.append((_HALF_PAIR, 1, 1, 0))
        if most > 1:
            options.append((_ONE, 1, 2, 0))
    best: _Best = {}
    for group, used, wilds, value in options:
        rest = key - used
        shift = ((rest & -rest).bit_length() - 1) // 3 if rest else 0
        place = discounted - shift if discounted >= shift else -1
        is_pair = group >= _PAIR
        for (paired, more), (rest_value, groups) in _richest_suit(
            rest >> 3 * shift, worth, place, most - wilds
        ).items():
            if is_pair and paired:
                continue
            state = (paired or is_pair, wilds + more)
            known = best.get(state)
            if known is None or known[0] < value + rest_value:
                moved = tuple([other + shift for other in groups]) if shift else groups
                best[state] = (value + rest_value, (group, *moved))
    _RICHEST[key, worth, discounted, most] = best
    return best


def richest_reading(natural: int, wilds: int, *, discounted: int | None = None, lone: bool = False) -> Reading | None:
    """The reading with the most natural triplets, an honour triplet counting twice (XM 4.2, 4.3).

    Args:
        natural: the tiles that are not wild, packed.
        wilds: how many wilds.
        discounted: a kind whose triplet counts one less: it was completed by a discard (XM 4.3c).
        lone: read 3n + 1 tiles in 游金 shape; the pair is one wild waiting for any tile (R 8).

    Returns:
        The reading, or ``None`` if there is none.

    >>> [group.tiles for group in richest_reading(pack([0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3]), 0).groups]
    [(0, 0, 0), (1, 1, 1), (2, 2, 2), (3, 3)]
    """
    states = _EMPTY
    first = 0
    for key in groups_of(natural):
        if key:
            shift = ((key & -key).bit_length() - 1) // 3
            low = first + shift
            here = discounted - low if discounted is not None and low <= discounted < first + 9 else -1
            options = _richest_suit(key >> 3 * shift, 2 if first == HONOUR else 1, here, wilds)
            grown: _Best = {}
            for (paired, used), (value, groups) in states.items():
                for (more_paired, more), (extra, more_groups) in options.items():
                    total = used + more
                    if total > wilds or (paired and more_paired):
                        continue
                    state = (paired or more_paired, total)
                    known = grown.get(state)
                    if known is None or known[0] < value + extra:
                        grown[state] = (value + extra, groups + tuple([group + low for group in more_groups]))
            states = grown
        first += 9
    best: tuple[int, int, tuple[int, ...]] | None = None
    for (paired, used), (value, groups) in states.items():
        if lone and paired:
            continue
        free = wilds - used - (1 if lone else 0 if paired else 2)
        if free >= 0 and free % 3 == 0 and (best is None or value > best[0]):
            best = value, free // 3, groups
    if best is None:
        return None
    pair = _LONE if lone else _TWO_WILDS
    sets: list[Group] = []
    for number in best[2]:
        if number >= _PAIR:
            pair = _GROUPS[number]
        else:
            sets.append(_GROUPS[number])
    sets += [_THREE_WILDS] * best[1]
    return Reading(tuple(sets), pair)


_LONE: Final = Group((), 1)
_TWO_WILDS: Final = Group((), 2)
_THREE_WILDS: Final = Group((), 3)
