"""Yunxiao by brute force: every gold is tried as every kind; prices as RULES YX 3 and 4 word them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import combinations, combinations_with_replacement

WHITE = 31
TERMINAL = frozenset({0, 8, 9, 17, 18, 26, *range(27, 34)})


@dataclass(frozen=True)
class Case:
    """Physical kinds of a hand with default house rules."""

    gold: int
    hand: tuple[int, ...]
    tile: int
    melds: tuple[tuple[int, ...], ...] = ()
    discard: bool = False


def shapes(case: Case) -> set[str]:
    """``standard``, ``pairs``, ``terminals``, ``unrelated`` and ``pure``."""
    found: set[str] = set()
    physical = [*case.hand, case.tile]
    naturals = [kind for kind in physical if kind != case.gold]
    golds = len(physical) - len(naturals)
    faces = [case.gold if kind == WHITE and case.gold != WHITE else kind for kind in naturals]
    for chosen in combinations_with_replacement(range(34), golds):
        counts = tuple(sorted((*faces, *chosen)))
        if is_standard(counts):
            found.add("standard")
        if not case.melds and all(count % 2 == 0 for count in Counter(counts).values()):
            found.add("pairs")
        if not case.melds and is_unrelated((*naturals, *chosen)):
            found.add("unrelated")
    if not case.melds and all(kind in TERMINAL for kind in physical):
        found.add("terminals")
    meld_faces = [case.gold if kind == WHITE else kind for meld in case.melds for kind in meld]
    suits = {kind // 9 for kind in (*faces, *meld_faces)} | ({case.gold // 9} if golds else set())
    if len(suits) == 1 and suits <= {0, 1, 2} and found & {"standard", "pairs"}:
        found.add("pure")
    return found


def in_youjin_shape(case: Case) -> bool:
    """RULES 7.1 by its equivalent: every kind wins, as sets and a pair or as seven pairs."""
    if case.gold not in case.hand:
        return False
    return all(shapes(Case(case.gold, case.hand, kind, case.melds)) & {"standard", "pairs"} for kind in range(34))


def price(case: Case) -> tuple[int, int] | None:
    """What a loser pays and what the discarder pays, in bases; ``None`` for no win."""
    found = shapes(case)
    if not found or (case.discard and (case.tile == case.gold or in_youjin_shape(case))):
        return None
    prices: list[tuple[int, int]] = []
    if found & {"standard", "pairs", "unrelated"}:
        prices.append((1, 2) if case.discard else (2, 2))
    if "terminals" in found:
        prices.append((2, 2) if case.discard else (4, 4))
    if "pure" in found:
        prices.append((8, 8))
    return max(prices, key=lambda pair: 2 * pair[0] + pair[1])


@cache
def is_standard(faces: tuple[int, ...]) -> bool:
    """Sets and a pair."""
    for face, count in Counter(faces).items():
        if count >= 2:
            rest = list(faces)
            rest.remove(face)
            rest.remove(face)
            if only_sets(tuple(rest)):
                return True
    return False


@cache
def only_sets(faces: tuple[int, ...]) -> bool:
    """Runs and triplets."""
    if not faces:
        return True
    first = faces[0]
    ways = [(first,) * 3]
    if first < 27 and first % 9 <= 6:
        ways.append((first, first + 1, first + 2))
    for way in ways:
        rest = list(faces)
        try:
            for face in way:
                rest.remove(face)
        except ValueError:
            continue
        if only_sets(tuple(rest)):
            return True
    return False


def is_unrelated(faces: tuple[int, ...]) -> bool:
    """不搭: fourteen different tiles, three of each suit at least three apart, five honours."""
    suits: list[list[int]] = [[], [], [], []]
    for face in faces:
        suits[min(face // 9, 3)].append(face)
    if len(set(faces)) != 14 or [len(suit) for suit in suits] != [3, 3, 3, 5]:
        return False
    return all(abs(high - low) >= 3 for suit in suits[:3] for low, high in combinations(suit, 2))
