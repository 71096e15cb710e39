"""Jinhua by brute force: every wild is tried as every kind, every grouping of the fourteen tiles is looked at.

Nothing of the engine is used but the order of the kinds. Slow, and meant to be obvious: a tile is a pair
(face, where it comes from), and each pattern is written down as RULES JH 3.1 words it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import prod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

WHITE = 31
HONOURS = range(27, 34)
VALUES = {
    "plain": 1,
    "all_pongs": 2,
    "pure_seven_pairs": 4,
    "seven_pairs": 2,
    "seven_pairs_baotou": 8,
    "thirteen_unrelated": 1,
    "seven_winds": 2,
    "pure_suit": 4,
    "pure_suit_wild": 2,
    "mixed_suit": 2,
    "loose_honours": 8,
    "ordered_honours": 16,
    "wild_pair": 4,
    "wild_triplet": 8,
    "baotou": 2,
}


@dataclass(frozen=True)
class Tile:
    """A tile as it is seen: its face, whether it is a wild, and whether it was drawn last."""

    face: int
    wild: bool = False
    drawn: bool = False


@dataclass(frozen=True)
class Case:
    """Physical kinds; ``melds`` as tuples of physical kinds."""

    gold: int
    hand: tuple[int, ...]
    tile: int
    melds: tuple[tuple[int, ...], ...] = ()
    self_drawn: bool = True
    claimed_pongs: int = 0


def best(case: Case) -> int | None:
    """The highest product of patterns over all readings; ``None`` for a hand that does not win."""
    products = [prod(VALUES[key] for key in keys) if keys else VALUES["plain"] for keys in sights(case)]
    return max(products, default=None)


def sights(case: Case) -> set[frozenset[str]]:
    """The pattern sets of all readings."""
    found: set[frozenset[str]] = set()
    for whites_as_faces in (True, False):
        for tiles in seen(case, whites_as_faces):
            if whites_as_faces:
                found |= set(standard(case, tiles, honours_only=False))
                found |= set(seven_pairs(case, tiles))
            found |= set(standard(case, tiles, honours_only=True))
            found |= set(alone(case, tiles))
            found |= set(loose(case, tiles))
    return found


def seen(case: Case, whites_as_faces: bool) -> Iterator[list[Tile]]:
    """The concealed tiles with every wild as every kind; whites as faces, or in every mixture."""
    fixed: list[list[Tile]] = []
    wilds = 0
    drawn_wild = False
    for position, kind in enumerate((*case.hand, case.tile)):
        drawn = position == len(case.hand)
        if kind == case.gold:
            wilds += not drawn
            drawn_wild = drawn_wild or drawn
        elif kind == WHITE:
            faces = [case.gold] if whites_as_faces else [case.gold, WHITE]
            fixed.append([Tile(face, drawn=drawn) for face in faces])
        else:
            fixed.append([Tile(kind, drawn=drawn)])
    for naturals in product(*fixed):
        for chosen in combinations_with_replacement(range(34), wilds):
            for last in range(34) if drawn_wild else (-1,):
                tiles = [*naturals, *(Tile(face, wild=True) for face in chosen)]
                if drawn_wild:
                    tiles.append(Tile(last, wild=True, drawn=True))
                yield tiles


def colour(face: int) -> int:
    return min(face // 9, 3)


def standard(case: Case, tiles: list[Tile], *, honours_only: bool) -> Iterator[frozenset[str]]:
    """Four sets and a pair."""
    meld_faces = [[case.gold if kind == WHITE and not honours_only else kind for kind in meld] for meld in case.melds]
    colours = {colour(tile.face) for tile in tiles} | {colour(face) for meld in meld_faces for face in meld}
    if honours_only and colours != {3}:
        return
    counts = Counter(tile.face for tile in tiles)
    if not any(count >= 2 and groups_exist(minus(counts, face, 2)) for face, count in counts.items()):
        return
    wilds = any(tile.wild for tile in tiles)
    suited: str | None = None
    if colours == {3}:
        suited = "ordered_honours"
    elif len(colours) == 1:
        suited = "pure_suit_wild" if wilds else "pure_suit"
    elif len(colours) == 2 and 3 in colours:
        suited = "mixed_suit"
    meld_triplets = all(len(set(meld)) == 1 for meld in meld_faces)
    for first, second in combinations(range(len(tiles)), 2):
        one, two = tiles[first], tiles[second]
        if one.face != two.face:
            continue
        rest = [tile for position, tile in enumerate(tiles) if position not in (first, second)]
        for triplets, wild_triplet in groupings(tuple(sorted(rest, key=order)), case.gold):
            keys: set[str] = set()
            if suited:
                keys.add(suited)
            if triplets and meld_triplets and case.claimed_pongs >= 3:
                keys.add("all_pongs")
            if one.wild and two.wild and one.face == case.gold:
                keys.add("wild_pair")
            if wild_triplet:
                keys.add("wild_triplet")
            if case.self_drawn and ((one.drawn and two.wild) or (two.drawn and one.wild)):
                keys.add("baotou")
            yield frozenset(keys)


def order(tile: Tile) -> tuple[int, bool, bool]:
    return tile.face, tile.wild, tile.drawn


def minus(counts: Counter[int], face: int, copies: int) -> Counter[int]:
    rest = counts.copy()
    rest[face] -= copies
    return rest


def groups_exist(counts: Counter[int]) -> bool:
    """Whether faces split into runs and triplets at all."""
    return _groups_exist(tuple(sorted((face, count) for face, count in counts.items() if count)))


@cache
def _groups_exist(counts: tuple[tuple[int, int], ...]) -> bool:
    if not counts:
        return True
    left = dict(counts)
    face = counts[0][0]
    ways = []
    if left[face] >= 3:
        ways.append((face,) * 3)
    if face < 27 and face % 9 <= 6 and left.get(face + 1) and left.get(face + 2):
        ways.append((face, face + 1, face + 2))
    for way in ways:
        rest = Counter(left)
        rest.subtract(way)
        if _groups_exist(tuple(sorted((kind, count) for kind, count in rest.items() if count))):
            return True
    return False


@cache
def groupings(tiles: tuple[Tile, ...], gold: int) -> frozenset[tuple[bool, bool]]:
    """(all triplets, three wilds as themselves among them) of every grouping into sets."""
    if not tiles:
        return frozenset({(True, False)})
    found: set[tuple[bool, bool]] = set()
    first = tiles[0]
    others = range(1, len(tiles))
    tried = set()
    for second, third in combinations(others, 2):
        two, three = tiles[second], tiles[third]
        faces = (first.face, two.face, three.face)
        triplet = len(set(faces)) == 1
        run = first.face < 27 and first.face % 9 <= 6 and faces == (first.face, first.face + 1, first.face + 2)
        if not (triplet or run) or (two, three) in tried:
            continue
        tried.add((two, three))
        own = triplet and first.face == gold and all(tile.wild for tile in (first, two, three))
        rest = tuple(tile for position, tile in enumerate(tiles) if position not in (0, second, third))
        for triplets, wild_triplet in groupings(rest, gold):
            found.add((triplets and triplet, wild_triplet or own))
    return frozenset(found)


def seven_pairs(case: Case, tiles: list[Tile]) -> Iterator[frozenset[str]]:
    if case.melds or any(count % 2 for count in Counter(tile.face for tile in tiles).values()):
        return
    colours = {colour(tile.face) for tile in tiles}
    wilds = any(tile.wild for tile in tiles)
    keys: set[str] = set()
    if len(colours) == 1 and colours != {3}:
        keys.add("pure_suit_wild" if wilds else "pure_suit")
    elif len(colours) == 2 and 3 in colours:
        keys.add("mixed_suit")
    yield frozenset({*keys, "seven_pairs" if wilds else "pure_seven_pairs"})
    last = next(tile for tile in tiles if tile.drawn)
    if case.self_drawn and any(tile.wild and tile.face == last.face and tile is not last for tile in tiles):
        yield frozenset({*keys, "seven_pairs_baotou"})


def alone(case: Case, tiles: list[Tile]) -> Iterator[frozenset[str]]:
    """十三不靠, 七風."""
    faces = sorted(tile.face for tile in tiles)
    if case.melds or len(set(faces)) != 14:
        return
    numbers = [face for face in faces if face < 27]
    if any(colour(low) == colour(high) and high - low < 3 for low, high in combinations(numbers, 2)):
        return
    honours = [tile for tile in tiles if tile.face >= 27]
    if len(honours) >= 5:
        yield frozenset({"thirteen_unrelated"})
    if len(honours) == 7 and not any(tile.wild for tile in honours):
        yield frozenset({"seven_winds"})


def loose(case: Case, tiles: list[Tile]) -> Iterator[frozenset[str]]:
    """亂風; melds of whites are honours as 白."""
    if all(tile.face in HONOURS for tile in tiles) and all(kind in HONOURS for meld in case.melds for kind in meld):
        yield frozenset({"loose_honours"})
