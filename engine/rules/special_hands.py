"""Tiles that stand alone: 不搭 (Yunxiao), 十三不靠 and 七風 (Jinhua).

Number tiles stand alone when those of one suit are at least three ranks apart (147, 159, 28 …) and nothing
comes twice. All functions look at packed *faces*: what each tile is taken for has been decided before, and
wilds are not among them.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, product
from typing import Final

from engine.shapes import SUIT_BITS, SUIT_MASK
from engine.tiles import HONOUR, PLAYABLE

_HONOUR_SHIFT: Final = 3 * HONOUR
#: Bits that are set where a kind comes more than once.
TWICE: Final = sum(6 << 3 * kind for kind in range(PLAYABLE))
# The lowest bit of every honour's count.
_ONES: Final = sum(1 << 3 * kind for kind in range(PLAYABLE - HONOUR))
_RANKS: Final = tuple(range(9))
_Kept = tuple[int, int, int, int]


def _apart(ranks: tuple[int, ...]) -> bool:
    """At least three ranks between any two."""
    return all(abs(high - low) >= 3 for low, high in combinations(ranks, 2))


#: How a number of tiles that stand alone can be shared out among three suits.
_SHARES: Final = tuple(
    [shares for shares in product(range(4), repeat=3) if sum(shares) == numbers] for numbers in range(10)
)


@cache
def suit_room(key: int) -> int:
    """How many tiles of one suit can stand alone in all, the packed ones included; -1 if those do not.

    >>> suit_room(0), suit_room(0o1001), suit_room(0o1000100), suit_room(0o11), suit_room(0o2)
    (3, 3, 2, -1, -1)
    """
    ranks = tuple(rank for rank in _RANKS for _ in range(key >> 3 * rank & 7))
    if not _apart(ranks):
        return -1
    return max(len(ranks) + more for more in range(4) for added in combinations(_RANKS, more) if _apart(ranks + added))


@cache
def suit_kept(key: int) -> _Kept:
    """Most tiles of a suit that can stay if 0, 1, 2 or 3 of it shall stand alone in the end.

    >>> suit_kept(0o111), suit_kept(0o1000100), suit_kept(0)
    ((0, 1, 1, 1), (0, 1, 2, 1), (0, 0, 0, 0))
    """
    ranks = tuple(rank for rank in _RANKS if key >> 3 * rank & 7)
    kept = [0, 0, 0, 0]
    for size in range(min(3, len(ranks)) + 1):
        for chosen in combinations(ranks, size):
            room = suit_room(sum(1 << 3 * rank for rank in chosen))
            for wanted in range(size, room + 1):
                kept[wanted] = max(kept[wanted], size)
    return (kept[0], kept[1], kept[2], kept[3])


def suits(faces: int) -> tuple[int, int, int]:
    """The packed suits 萬, 餅, 條."""
    return faces & SUIT_MASK, faces >> SUIT_BITS & SUIT_MASK, faces >> 2 * SUIT_BITS & SUIT_MASK


def honours(faces: int) -> tuple[int, int]:
    """How many different honours there are, and how many honour tiles.

    >>> honours(0o2_1 << 81)
    (2, 3)
    """
    rest = faces >> _HONOUR_SHIFT
    ones, twos, fours = rest & _ONES, rest >> 1 & _ONES, rest >> 2 & _ONES
    return (ones | twos | fours).bit_count(), ones.bit_count() + 2 * twos.bit_count() + 4 * fours.bit_count()


def numbers_alone(faces: int) -> tuple[int, int] | None:
    """Number tiles there are, and how many could stand alone in all; ``None`` if those there are do not."""
    have = room = 0
    for key in suits(faces):
        more = suit_room(key)
        if more < 0:
            return None
        room += more
        have += key.bit_count()
    return have, room


def unrelated(faces: int, wilds: int, fewest: int, most: int) -> bool:
    """Fourteen different tiles that stand alone, a wild taking any place.

    Args:
        faces: the tiles that are not wild, packed; with the wilds fourteen.
        wilds: how many wilds.
        fewest: fewest different honours of the whole hand.
        most: most different honours.

    >>> from engine.shapes import pack
    >>> hand = pack([0, 3, 6, 10, 13, 16, 20, 23, 26, 27, 28, 29, 30])  # 147m 258p 369s 1234z
    >>> unrelated(hand, 1, 5, 7), unrelated(hand, 1, 6, 7)
    (True, False)
    """
    if faces & TWICE:
        return False
    different, _ = honours(faces)
    alone = numbers_alone(faces)
    if alone is None:
        return False
    have, room = alone
    size = different + have + wilds
    return any(different <= wanted and have <= size - wanted <= room for wanted in range(fewest, most + 1))


def fill(faces: int, wilds: int, fewest: int, most: int) -> tuple[int, ...]:
    """What the wilds of an `unrelated` hand stand for, in one way that works.

    >>> from engine.shapes import pack
    >>> fill(pack([0, 3, 6, 10, 13, 16, 20, 23, 26, 27, 28, 29]), 2, 5, 5)
    (30, 31)
    """
    different, _ = honours(faces)
    ways = (_fill_with(faces, wilds, wanted - different) for wanted in range(max(fewest, different), most + 1))
    return tuple(sorted(next(taken for taken in ways if len(taken) == wilds)))


def _fill_with(faces: int, wilds: int, new_honours: int) -> list[int]:
    """As many places as there are: honours first, then number tiles that take no room from each other."""
    free = [kind for kind in range(HONOUR, PLAYABLE) if not faces >> 3 * kind & 7]
    taken = free[:new_honours]
    for number, key in enumerate(suits(faces)):
        grown = key
        for rank in _RANKS:
            added = grown + (1 << 3 * rank)
            if len(taken) < wilds and suit_room(added) == suit_room(key):
                grown = added
                taken.append(9 * number + rank)
    return taken


def distance(faces: int, wilds: int, fewest: int, most: int, *, wild_honours: bool = True) -> int:
    """Fewest tiles still to exchange for fourteen tiles that stand alone.

    Args:
        faces: the tiles that are not wild, packed.
        wilds: how many wilds.
        fewest: fewest different honours of the whole hand.
        most: most different honours.
        wild_honours: whether a wild may take the place of an honour (not in 七風).

    >>> from engine.shapes import pack
    >>> distance(pack([0, 1, 6, 10, 13, 16, 20, 23, 26, 27, 28, 29, 30]), 0, 5, 7)
    2
    """
    different, _ = honours(faces)
    m, p, s = suits(faces)
    kept = _kept(suit_kept(m), suit_kept(p), suit_kept(s))
    best = 0
    for wanted in range(fewest, most + 1):
        numbers = 14 - wanted
        stay = kept[numbers]
        places = numbers - stay + (wanted - min(different, wanted) if wild_honours else 0)
        best = max(best, stay + min(different, wanted) + min(wilds, places))
    return 14 - best


@cache
def _kept(m: _Kept, p: _Kept, s: _Kept) -> tuple[int, ...]:
    """Most number tiles that can stay if 0 to 9 of them shall stand alone in the end."""
    return tuple(max(m[a] + p[b] + s[c] for a, b, c in shares) for shares in _SHARES)
