"""Jinhua hands: every way to see fourteen tiles as one of the five shapes, and the patterns each way shows.

JH 3.1: all patterns of a win must hold for the *same* reading, and the best reading counts. So every sort of
reading is enumerated; of the groups of a suit only what patterns look at is told apart: whether all are
triplets, whether there is a pair, how many wilds they take. A white is the face of the wild, except in 清風,
亂風, 十三不靠 and 七風, where each may be 白 instead (JH 1.3).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING, Final

from engine.rules import special_hands
from engine.shapes import (
    UNIT,
    Concealed,
    Group,
    distinct,
    groups_of,
    lone_wild,
    pack,
    pairs_complete,
    suit_splits,
    unpack,
)
from engine.tiles import HONOUR, PLAYABLE, WHITE, format_tiles

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from engine.record import Meld

HONOURS: Final = 3
_HONOURS_ONLY: Final = 1 << HONOURS
_SUITS_ONLY: Final = frozenset({1, 2, 4})
_COLOURS: Final = (0, 1, 2, HONOURS)
_ALL_HONOURS: Final = pack(range(HONOUR, PLAYABLE))


def colour(kind: int) -> int:
    """0 萬, 1 餅, 2 條, 3 honours.

    >>> colour(0), colour(26), colour(27)
    (0, 2, 3)
    """
    return min(kind // 9, HONOURS)


@dataclass(frozen=True, slots=True)
class Seen:
    """One way to see the tiles.

    Attributes:
        groups: its concealed groups as faces.
        golds_as: what each wild stands for.
    """

    groups: tuple[tuple[int, ...], ...]
    golds_as: tuple[int, ...]

    @property
    def reading(self) -> tuple[str, ...]:
        """The groups in MPSZ."""
        return tuple(format_tiles(group) for group in self.groups)


@dataclass(frozen=True, slots=True)
class Melds:
    """What patterns look at in the melds.

    Attributes:
        count: how many there are.
        colours: bit set of their colours, whites as the face of the wild.
        honours: all their tiles are honours if a white is 白, or its face where that is an honour.
        triplets: none is a chow.
        claimed_triplets: claimed pongs and kongs, added kongs included (JH 3.1 碰碰胡).
    """

    count: int
    colours: int
    honours: bool
    triplets: bool
    claimed_triplets: int

    @classmethod
    def of(cls, melds: Iterable[Meld], wild: int | None) -> Melds:
        """From the melds of a record."""
        count = colours = claimed = 0
        honours = triplets = True
        for meld in melds:
            count += 1
            colours |= 1 << colour(meld.faces(wild)[0])
            honours = honours and meld.tiles[0] >= HONOUR
            triplets = triplets and meld.kind != "chow"
            claimed += meld.kind in ("pong", "kong", "added_kong")
        return cls(count, colours, honours, triplets, claimed)


@dataclass(frozen=True, slots=True)
class Tiles:
    """Fourteen tiles, kongs as three, and what is known of the last one.

    Attributes:
        before: the concealed tiles without the winning tile.
        last: the winning tile, physical; ``None`` for a dealt hand that names none.
        self_drawn: the winning tile was drawn: only then there is 敲響 (JH 3.3).
        melds: the melds.
        strict_pongs: house key ``pph_strict``.
        triplet_with_lone_wild: house key ``sancai_with_qiaoxiang``.
    """

    before: Concealed
    last: int | None
    self_drawn: bool
    melds: Melds
    strict_pongs: bool = True
    triplet_with_lone_wild: bool = False

    @property
    def wild(self) -> int:
        """The kind that is wild."""
        assert self.before.gold is not None  # noqa: S101  # every game of this module has a wild
        return self.before.gold

    @property
    def whole(self) -> Concealed:
        """All concealed tiles."""
        return self.before if self.last is None else self.before.add(self.last)


#: The patterns a reading shows (without ``plain``), and the reading itself when it is asked for.
_Sight = tuple[frozenset[str], "Callable[[], Seen]"]


def see(tiles: Tiles) -> dict[frozenset[str], Callable[[], Seen]]:
    """Every combination of patterns that some reading of the tiles shows, with one such reading.

    Empty if the tiles are no winning hand. The choice between them is a matter of prices, and only the one
    that is chosen needs to be written down.
    """
    found: dict[frozenset[str], Callable[[], Seen]] = {}
    for keys, seen in (*_standard(tiles), *_seven_pairs(tiles), *_alone(tiles), *_loose_honours(tiles)):
        found.setdefault(keys, seen)
    return found


# --- four sets and a pair -------------------------------------------------------------------------------

# Has a pair, wilds used, all sets are triplets -> the sets and the pair of one such way.
_Ways = dict[tuple[bool, int, bool], tuple[tuple[Group, ...], Group | None]]


@lru_cache(maxsize=200_000)
def _ways(key: int, first: int, most_wilds: int) -> _Ways:
    """The sorts of splits of one colour. One number tile and two wilds may be a triplet or a run."""
    ways: _Ways = {}
    for sets, pair, used in suit_splits(key, first, most_wilds):
        paired = pair is not None
        triplets = all(group.may_be_triplet for group in sets)
        if triplets:
            ways.setdefault((paired, used, True), (sets, pair))
        if not triplets or (first < HONOUR and any(group.wilds == 2 for group in sets)):
            ways.setdefault((paired, used, False), (sets, pair))
    return ways


# All sets are triplets, colours, sets, pair, wilds left over.
_Part = tuple[bool, int, tuple[Group, ...], Group | None, int]


def _parts(natural: int, wilds: int, *, pair: bool) -> Iterator[_Part]:
    """Every sort of split of the tiles that are not wild, with at most one pair or with none."""
    parts: list[_Part] = [(True, 0, (), None, wilds)]
    for number, key in enumerate(groups_of(natural)):
        if not key:
            continue
        ways = _ways(key, 9 * number, wilds)
        parts = [
            (triplets and all_triplets, colours | 1 << number, sets + more, other or eyes, free - used)
            for triplets, colours, sets, eyes, free in parts
            for (paired, used, all_triplets), (more, other) in ways.items()
            if used <= free and not (paired and (eyes is not None or not pair))
        ]
    return iter(parts)


_NO_KEYS: Final[frozenset[str]] = frozenset()
_LONE_WILD: Final = frozenset({"baotou"})


@dataclass(frozen=True, slots=True)
class _Made:
    """A group as far as it adds to the others: a pair, or a set of wilds only.

    Attributes:
        keys: patterns it is itself.
        colours: its colour, as a bit.
        triplet: it is no run.
        faces: what it shows.
        golds: what its wilds stand for.
    """

    keys: frozenset[str]
    colours: int
    triplet: bool
    faces: tuple[int, ...]
    golds: tuple[int, ...]

    @classmethod
    def wilds(cls, faces: tuple[int, ...], *keys: str) -> _Made:
        """Made of wilds only."""
        return cls(frozenset(keys), 1 << colour(faces[0]), faces[0] == faces[-1], faces, faces)


_NO_SET: Final = (_Made(_NO_KEYS, 0, True, (), ()),)


@cache
def _wild_pairs(wild: int) -> tuple[_Made, ...]:
    """Two wilds as the pair: themselves (財神頭, JH 3.4), or a pair of any colour."""
    return _Made.wilds((wild,) * 2, "wild_pair"), *(_Made.wilds((9 * number,) * 2) for number in _COLOURS)


@cache
def _wild_sets(wild: int) -> tuple[_Made, ...]:
    """Three wilds as a set: themselves (三財一刻), or a triplet or run of any colour."""
    triplets = (_Made.wilds((9 * number,) * 3) for number in _COLOURS)
    runs = (_Made.wilds((9 * number, 9 * number + 1, 9 * number + 2)) for number in _COLOURS[:HONOURS])
    return _Made.wilds((wild,) * 3, "wild_triplet"), *triplets, *runs


@lru_cache(maxsize=1024)
def _eyes(pair: Group, wild: int) -> _Made:
    """A pair with a tile that is not wild."""
    return _Made(_NO_KEYS, 1 << colour(pair.tiles[0]), True, pair.faces(wild), pair.wild_faces(wild))


def _standard(tiles: Tiles) -> Iterator[_Sight]:
    """Readings as four sets and a pair, whites as the face of the wild; 清風 with whites as 白 too."""
    yield from _standard_with(tiles, tiles.before, tiles.last, tiles.melds.colours, honours_only=False)
    wild = tiles.wild
    if wild == WHITE or not tiles.melds.honours or not only_honours(tiles.whole):
        return
    # 清風: each white is 白 or the face of the wild (JH-A9). Its melds are honours either way.
    whites = tiles.before.physical >> 3 * WHITE & 7
    last_options = (WHITE, wild) if tiles.last == WHITE else (tiles.last,)
    change = UNIT[WHITE] - UNIT[wild]
    for selves in range(whites + 1):
        held = tiles.before
        before = Concealed(held.physical, wild, held.sets, held.natural + selves * change, held.wilds)
        for last in last_options:
            yield from _standard_with(tiles, before, last, _HONOURS_ONLY, honours_only=True)


def only_honours(held: Concealed) -> bool:
    """All tiles that are not wild are honours, whites as 白."""
    wilds = 0 if held.gold is None else held.wilds * UNIT[held.gold]
    return not (held.physical - wilds) & ((1 << 3 * HONOUR) - 1)


def _standard_with(
    tiles: Tiles, before: Concealed, last: int | None, meld_colours: int, *, honours_only: bool
) -> Iterator[_Sight]:
    """Standard readings with what whites stand for decided.

    Args:
        tiles: the hand.
        before: its tiles before the last, naturals as decided.
        last: the last tile: for ``honours_only`` its face, or the wild kind both for a real wild and for a
            white that stands for it.
        meld_colours: the colours of the melds.
        honours_only: only 清風 is looked for.
    """
    wild = tiles.wild
    drawn_wild = tiles.last == wild
    natural, wilds = before.natural, before.wilds
    face: int | None = None
    if drawn_wild:
        wilds += 1
    elif last is not None:
        face = wild if last == WHITE and not honours_only else last
        natural += UNIT[face]
    keys_of = _KeysOf(tiles, wilds, honours_only)
    lone = tiles.self_drawn and lone_wild(before.natural, before.wilds)
    for triplets, colours, sets, pair, free in _parts(natural, wilds, pair=True):
        # What is left over comes out by itself: 3n + 2 tiles less sets, less a pair.
        eyes_options = _wild_pairs(wild) if pair is None else (_eyes(pair, wild),)
        for made in _wild_sets(wild) if free >= 3 else _NO_SET:
            for eyes in eyes_options:
                extra = made.keys | eyes.keys
                keys = keys_of(triplets and made.triplet, meld_colours | colours | made.colours | eyes.colours, extra)
                if keys is None:
                    continue
                seen = partial(_built, wild, sets, made, eyes)
                yield keys, seen
                if tiles.triplet_with_lone_wild and lone and made.keys:
                    yield keys | _LONE_WILD, seen
    if not lone:
        return
    # 敲響: the pair is a wild that was alone and the tile drawn (JH 3.3).
    eyes_options = _wild_pairs(wild) if face is None else (_eyes(Group((face,), 1), wild),)
    for triplets, colours, sets, _, free in _parts(before.natural, before.wilds - 1, pair=False):
        for made in _wild_sets(wild) if free else _NO_SET:
            for eyes in eyes_options:
                extra = made.keys | eyes.keys
                keys = keys_of(triplets and made.triplet, meld_colours | colours | made.colours | eyes.colours, extra)
                if keys is not None:
                    yield keys | _LONE_WILD, partial(_built, wild, sets, made, eyes)


def _built(wild: int, sets: tuple[Group, ...], made: _Made, eyes: _Made) -> Seen:
    """The reading of these groups."""
    groups = [group.faces(wild) for group in sets]
    if made.faces:
        groups.append(made.faces)
    golds = [gold for group in sets for gold in group.wild_faces(wild)]
    return Seen((*groups, eyes.faces), (*golds, *made.golds, *eyes.golds))


class _KeysOf:
    """The pattern keys of a standard reading (JH 3.1, 3.2)."""

    def __init__(self, tiles: Tiles, wilds: int, honours_only: bool) -> None:
        melds = tiles.melds
        self.pongs = melds.triplets and (not tiles.strict_pongs or melds.claimed_triplets >= 3)
        self.wilds = wilds > 0
        self.honours_only = honours_only

    def __call__(self, triplets: bool, colours: int, extra: frozenset[str]) -> frozenset[str] | None:
        """``None`` if only 清風 is looked for and this is none."""
        if self.honours_only and colours != _HONOURS_ONLY:
            return None
        return _standard_keys(triplets and self.pongs, colours, self.wilds, extra)


@cache
def _standard_keys(pongs: bool, colours: int, wilds: bool, extra: frozenset[str]) -> frozenset[str]:
    suited = "ordered_honours" if colours == _HONOURS_ONLY else colour_key(colours, wilds)
    return extra | (frozenset({"all_pongs"}) if pongs else _NO_KEYS) | (frozenset({suited} if suited else ()))


def colour_key(colours: int, wilds: bool) -> str | None:
    """清一色 or 混一色 (JH 3.1), if either.

    >>> colour_key(0b0100, False), colour_key(0b0100, True), colour_key(0b1100, True), colour_key(0b0110, True)
    ('pure_suit', 'pure_suit_wild', 'mixed_suit', None)
    """
    if colours in _SUITS_ONLY:
        return "pure_suit_wild" if wilds else "pure_suit"
    if colours & _HONOURS_ONLY and colours & ~_HONOURS_ONLY in _SUITS_ONLY:
        return "mixed_suit"
    return None


# --- seven pairs ----------------------------------------------------------------------------------------


def _colours(natural: int) -> int:
    """Bit set of the colours of packed tiles."""
    return sum(1 << number for number, key in enumerate(groups_of(natural)) if key)


def _seven_pairs(tiles: Tiles) -> Iterator[_Sight]:
    """七對子 and its relatives: no melds, four equal tiles are two pairs (JH 3.6)."""
    if tiles.melds.count:
        return
    whole, before, wild = tiles.whole, tiles.before, tiles.wild
    yield from _pairs_of(whole.natural, whole.wilds, (), "seven_pairs" if whole.wilds else "pure_seven_pairs")
    if not tiles.self_drawn or not before.wilds:
        return
    # 七對子爆頭: six pairs and a wild were there before the draw (7.1).
    drawn = None if tiles.last in (wild, None) else tiles.last
    face = wild if drawn == WHITE else drawn
    if face is not None:
        yield from _pairs_of(before.natural, before.wilds - 1, (face,), "seven_pairs_baotou")
        return
    for number in _COLOURS:
        eyes = (9 * number,) * 2
        yield from _pairs_of(before.natural, before.wilds - 1, eyes, "seven_pairs_baotou")


def _pairs_of(natural: int, wilds: int, eyes: tuple[int, ...], key: str) -> Iterator[_Sight]:
    """Pairs of the tiles, beside a pair of a drawn tile and a wild (``eyes``: what its wilds stand for)."""
    if not pairs_complete(natural, wilds):
        return
    kinds = distinct(natural)
    singles = [kind for kind in kinds if natural >> 3 * kind & 1]
    free = wilds - len(singles)
    pairs = [(kind, kind) for kind in kinds for _ in range((natural >> 3 * kind & 7) + 1 >> 1)]
    colours = _colours(natural)
    if eyes:
        colours |= 1 << colour(eyes[0])
        pairs.append((eyes[0],) * 2)
    any_wild = key != "pure_seven_pairs"
    # Two wilds left over are a pair of any colour.
    for numbers in _colour_choices(free // 2):
        made = tuple((9 * number,) * 2 for number in numbers)
        suited = colour_key(colours | sum({1 << number for number in numbers}), any_wild)
        keys = frozenset({key} if suited is None else {key, suited})
        golds = (*singles, *(kind for pair in made for kind in pair), *eyes)
        yield keys, partial(Seen, (*pairs, *made), golds)


@cache
def _colour_choices(pairs: int) -> tuple[tuple[int, ...], ...]:
    if not pairs:
        return ((),)
    return tuple((*fewer, number) for fewer in _colour_choices(pairs - 1) for number in _COLOURS)


# --- 十三不靠, 七風 --------------------------------------------------------------------------------------

#: Fewest and most different honours of 十三不靠 (JH-A8) and of 七風.
UNRELATED_HONOURS: Final = (5, 7)
WINDS_HONOURS: Final = (7, 7)


def alone(whole: Concealed) -> Iterator[tuple[str, int]]:
    """Whether fourteen tiles are 七風 or 十三不靠: the pattern and the faces that show it (JH 3.1).

    Each white is 白 or the face of the wild (JH 1.3).
    """
    if whole.natural & special_hands.TWICE and not whole.physical >> 3 * WHITE & 7:
        return
    for faces in white_choices(whole):
        if not special_hands.unrelated(faces, whole.wilds, *UNRELATED_HONOURS):
            continue
        # All seven honours must be there without a wild.
        if faces & _ALL_HONOURS == _ALL_HONOURS:
            yield "seven_winds", faces
        yield "thirteen_unrelated", faces


def _alone(tiles: Tiles) -> Iterator[_Sight]:
    """七風 and 十三不靠 to show; no melds."""
    if tiles.melds.count:
        return
    whole = tiles.whole
    for key, faces in alone(whole):
        honours = WINDS_HONOURS if key == "seven_winds" else UNRELATED_HONOURS
        golds = special_hands.fill(faces, whole.wilds, *honours)
        shown = sorted((*unpack(faces), *golds))
        groups = (tuple(kind for kind in shown if colour(kind) == number) for number in _COLOURS)
        yield frozenset({key}), partial(Seen, tuple(group for group in groups if group), golds)


def white_choices(held: Concealed) -> list[int]:
    """The tiles that are not wild, packed, for every number of whites that are 白 and not the wild's face.

    >>> [unpack(faces) for faces in white_choices(Concealed.of([0, 31], gold=4, sets=1))]
    [[0, 4], [0, 31]]
    """
    if held.gold is None or held.gold == WHITE:
        return [held.natural]
    change = UNIT[WHITE] - UNIT[held.gold]
    whites = held.physical >> 3 * WHITE & 7
    return [held.natural + selves * change for selves in range(whites + 1)]


# --- 亂風 -----------------------------------------------------------------------------------------------


def _loose_honours(tiles: Tiles) -> Iterator[_Sight]:
    """亂風: honours only, in no order; whites are honours as 白 (JH 3.1)."""
    whole, wild = tiles.whole, tiles.wild
    if not tiles.melds.honours or not only_honours(whole):
        return
    golds = (max(wild, HONOUR),) * whole.wilds
    naturals = [kind for kind in unpack(whole.physical) if kind != wild]
    yield frozenset({"loose_honours"}), partial(Seen, (tuple(sorted((*naturals, *golds))),), golds)
