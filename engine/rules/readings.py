"""Showing how a hand was seen: its groups and what each gold stood for, where any reading pays the same (R 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import shapes
from engine.tiles import CODES, format_tiles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.shapes import Concealed, Group

#: Groups as faces, and what each gold stands for.
Faces = tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]


def standard(hand: Concealed) -> Faces | None:
    """One reading of 3n + 2 tiles as sets and a pair; ``None`` if there is none.

    >>> standard(shapes.Concealed.of([0, 1, 4, 9, 9], gold=4, sets=1))
    (((0, 1, 2), (9, 9)), (2,))
    """
    reading = next(shapes.readings(hand.natural, hand.wilds), None)
    return None if reading is None else _of_groups(reading.groups, hand.gold)


def pairs(hand: Concealed) -> Faces | None:
    """The tiles as pairs, a gold beside every single tile; ``None`` if the golds do not suffice.

    >>> pairs(shapes.Concealed.of([0, 0, 3, 4], gold=4, sets=4))
    (((0, 0), (3, 3)), (3,))
    """
    if not shapes.pairs_complete(hand.natural, hand.wilds):
        return None
    groups: list[tuple[int, ...]] = []
    golds: list[int] = []
    for kind in shapes.distinct(hand.natural):
        copies = shapes.count(hand.natural, kind)
        groups += [(kind, kind)] * (copies + 1 >> 1)
        golds += [kind] * (copies & 1)
    own = 0 if hand.gold is None else hand.gold
    free = hand.wilds - len(golds)
    groups += [(own, own)] * (free >> 1)
    return tuple(groups), (*golds, *(own,) * free)


def lone_wild(hand: Concealed, *, seven_pairs: bool) -> Faces:
    """A hand in 游金 shape (7.1), nothing drawn yet: its groups and the gold that is left over.

    >>> lone_wild(shapes.Concealed.of([0, 1, 2, 4], gold=4, sets=1), seven_pairs=False)
    (((0, 1, 2), (4,)), (4,))
    """
    gold = 0 if hand.gold is None else hand.gold
    # The lone gold and the tile still to come are a pair of wilds; all the rest must be sets.
    for reading in shapes.readings(hand.natural, hand.wilds + 1):
        if not reading.pair.tiles:
            groups, golds = _of_groups(reading.sets, gold)
            return (*groups, (gold,)), (*golds, gold)
    rest = shapes.Concealed(hand.physical, hand.gold, hand.sets, hand.natural, hand.wilds - 1)
    groups, golds = (pairs(rest) if seven_pairs else None) or ((), ())
    return (*groups, (gold,)), (*golds, gold)


def _of_groups(groups: Sequence[Group], gold: int | None) -> Faces:
    return (
        tuple(group.faces(gold) for group in groups),
        tuple(face for group in groups for face in group.wild_faces(gold)),
    )


def written(faces: Faces) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Groups and golds in MPSZ, as a settlement shows them.

    >>> written((((0, 1, 2), (9, 9)), (2,)))
    (('123m', '11p'), ('3m',))
    """
    groups, golds = faces
    return tuple(format_tiles(group) for group in groups), tuple(CODES[gold] for gold in golds)
