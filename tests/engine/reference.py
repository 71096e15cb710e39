"""A slow, different way to judge hands, for comparison with `engine.shapes`.

The engine takes a hand apart, lowest tile first. This module never takes anything apart: it builds every suit
that sets and a pair can make, and asks which of them contain the tiles of the hand; what they have more is what
the golds stand for.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import random

MOST_WILDS = 4
SUITS = ((0, 9), (9, 9), (18, 9), (27, 7))


@dataclass(frozen=True)
class Patterns:
    """Everything one suit can be: a row for each choice of sets and pair.

    Attributes:
        tiles: (rows, kinds) copies of each kind.
        size: (rows,) tiles in all.
        paired: (rows,) whether a pair is among them.
        triplets: (rows, kinds) whether the kind is there as a triplet.
    """

    tiles: np.ndarray
    size: np.ndarray
    paired: np.ndarray
    triplets: np.ndarray


@cache
def patterns(kinds: int) -> Patterns:
    """All of them for a suit of nine kinds with runs, or the seven honours without."""
    sets = [(kind, kind, kind) for kind in range(kinds)]
    if kinds == 9:
        sets += [(low, low + 1, low + 2) for low in range(7)]
    tiles, paired, triplets = [], [], []
    for number in range(6):
        for chosen in combinations_with_replacement(sets, number):
            row = np.zeros(kinds, np.int8)
            triplet = np.zeros(kinds, bool)
            for group in chosen:
                for kind in group:
                    row[kind] += 1
                triplet[group[0]] |= group[0] == group[2]
            for pair in range(-1, kinds):
                with_pair = row.copy()
                if pair >= 0:
                    with_pair[pair] += 2
                tiles.append(with_pair)
                paired.append(pair >= 0)
                triplets.append(triplet)
    stacked = np.array(tiles)
    size = stacked.sum(axis=1)
    order = np.argsort(size, kind="stable")
    return Patterns(stacked[order], size[order], np.array(paired)[order], np.array(triplets)[order])


@cache
def suit(held: tuple[int, ...], worth: tuple[int, ...]) -> dict[tuple[bool, int], int]:
    """What a suit can be completed to: (has a pair, golds used) -> most worth of natural triplets."""
    known = patterns(len(held))
    total = sum(held)
    first, last = np.searchsorted(known.size, [total, total + MOST_WILDS + 1])
    rows = np.nonzero((known.tiles[first:last] >= np.array(held, np.int8)).all(axis=1))[0] + first
    # A triplet is natural if the hand has three of the kind: the golds can always stand elsewhere.
    natural = np.array([value if copies >= 3 else 0 for value, copies in zip(worth, held, strict=True)])
    values = known.triplets[rows] @ natural
    best: dict[tuple[bool, int], int] = {}
    for paired, size, value in zip(known.paired[rows], known.size[rows], values, strict=True):
        state = (bool(paired), int(size) - total)
        best[state] = max(best.get(state, 0), int(value))
    return best


def best_worth(tiles: list[int], wilds: int, discounted: int | None = None, *, lone: bool = False) -> int | None:
    """Most worth of natural triplets (suited 1, honour 2; one less for a discounted kind); ``None``: no reading.

    With ``lone`` one gold stays outside and everything else must be sets.
    """
    counts = [tiles.count(kind) for kind in range(34)]
    states: dict[tuple[bool, int], int] = {(False, 0): 0}
    for first, kinds in SUITS:
        worth = tuple((2 if kinds == 7 else 1) - (first + offset == discounted) for offset in range(kinds))
        here = suit(tuple(counts[first : first + kinds]), worth)
        grown: dict[tuple[bool, int], int] = {}
        for (paired, used), value in states.items():
            for (more_paired, more), extra in here.items():
                if not (paired and more_paired) and used + more <= wilds:
                    state = (paired or more_paired, used + more)
                    grown[state] = max(grown.get(state, 0), value + extra)
        states = grown
    return states.get((False, wilds - 1) if lone else (True, wilds))


def complete(tiles: list[int], wilds: int) -> bool:
    """Sets and a pair."""
    return best_worth(tiles, wilds) is not None


def substituted(tiles: list[int], wilds: int) -> bool:
    """The plainest way of all: try every kind for every gold. For few golds only."""
    for faces in combinations_with_replacement(range(34), wilds):
        counts = [0] * 34
        for kind in (*tiles, *faces):
            counts[kind] += 1
        if any(_sets(counts, pair) for pair in range(34) if counts[pair] >= 2):
            return True
    return False


def _sets(counts: list[int], pair: int) -> bool:
    """Whether the tiles without a pair are sets: triplets wherever there are three, or else runs from the left."""
    counts = counts.copy()
    counts[pair] -= 2
    for kind in range(34):
        # Three equal runs are the same tiles as three triplets, so at most two runs begin anywhere.
        runs = counts[kind] % 3
        if runs and (kind >= 27 or kind % 9 > 6 or min(counts[kind + 1], counts[kind + 2]) < runs):
            return False
        if runs:
            counts[kind + 1] -= runs
            counts[kind + 2] -= runs
    return True


def random_hand(rng: random.Random, size: int, wilds: int) -> list[int]:
    """Tiles of a hand near completion: sets and a pair, some tiles lifted for golds, some exchanged.

    Args:
        rng: where chance comes from.
        size: tiles in all, 3n + 2, or 3n + 1 to leave one out.
        wilds: how many of them are golds; these are not in the list.
    """
    suits = rng.sample(range(4), rng.choice((1, 2, 2, 3, 4)))
    while True:
        tiles: list[int] = []
        for _ in range((size + 1) // 3):
            tiles += _random_set(rng, rng.choice(suits))
        first, kinds = SUITS[rng.choice(suits)]
        tiles += [first + rng.randrange(kinds)] * 2
        rng.shuffle(tiles)
        tiles = tiles[: size - wilds]
        for _ in range(rng.choice((0, 0, 1, 1, 2, 3))):
            tiles[rng.randrange(len(tiles))] = rng.randrange(34)
        if all(tiles.count(kind) <= 4 for kind in tiles):
            return tiles


def _random_set(rng: random.Random, number: int) -> list[int]:
    first, kinds = SUITS[number]
    if kinds == 7 or rng.random() < 0.35:
        return [first + rng.randrange(kinds)] * 3
    low = first + rng.randrange(7)
    return [low, low + 1, low + 2]
