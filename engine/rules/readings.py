"""Showing how a hand was seen: its groups and what each gold stood for, where any reading pays the same (R 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import shapes
from engine.tiles import CODES, format_tiles

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.shapes import Concealed

#: Groups as MPSZ faces, and what each gold stood for: ``reading`` and ``golds_as`` of a settlement.
Shown = tuple[tuple[str, ...], tuple[str, ...]]


def standard(hand: Concealed) -> Shown | None:
    """One reading of 3n + 2 tiles as sets and a pair; ``None`` if there is none.

    >>> standard(shapes.Concealed.of([0, 1, 4, 9, 9], gold=4, sets=1))
    (('123m', '11p'), ('3m',))
    """
    reading = shapes.richest_reading(hand.natural, hand.wilds)
    return None if reading is None else (reading.shown(hand.gold), reading.golds_as(hand.gold))


def pairs(hand: Concealed) -> Shown | None:
    """The tiles as pairs, a gold beside every single tile; ``None`` if the golds do not suffice.

    >>> pairs(shapes.Concealed.of([0, 0, 3, 4], gold=4, sets=4))
    (('11m', '44m'), ('4m',))
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
    return written(groups, (*golds, *(own,) * free))


def lone_wild(hand: Concealed, drawn: int | None = None, *, seven_pairs: bool = False) -> Shown:
    """A hand in 游金 shape (7.1): its groups, and the gold that is left over with the tile drawn to it.

    Args:
        hand: the 3n + 1 tiles before the draw, in 游金 shape.
        drawn: the physical tile that was drawn; ``None`` if nothing was.
        seven_pairs: read it as six pairs, where it could be sets as well.

    >>> lone_wild(shapes.Concealed.of([0, 1, 2, 4], gold=4, sets=1))
    (('123m', '5m'), ('5m',))
    >>> lone_wild(shapes.Concealed.of([0, 0, 3, 3, 6, 6, 4], gold=4, sets=4), drawn=9)
    (('11m', '44m', '77m', '11p'), ('1p',))
    """
    gold = 0 if hand.gold is None else hand.gold
    groups: tuple[str, ...]
    golds: tuple[str, ...]
    reading = None if seven_pairs else shapes.richest_reading(hand.natural, hand.wilds, lone=True)
    if reading is not None:
        groups, golds = reading.shown(gold)[:-1], reading.golds_as(gold)[:-1]
    else:
        rest = shapes.Concealed(hand.physical, gold, hand.sets, hand.natural, hand.wilds - 1)
        groups, golds = pairs(rest) or ((), ())
    if drawn is None:
        return (*groups, CODES[gold]), (*golds, CODES[gold])
    mate = shapes.face(drawn, gold)
    lone = (CODES[mate],) * (2 if drawn == gold else 1)
    return (*groups, format_tiles((mate, mate))), (*golds, *lone)


def written(groups: Iterable[tuple[int, ...]], golds: Iterable[int]) -> Shown:
    """Groups and golds given as kinds.

    >>> written([(0, 1, 2), (9, 9)], [2])
    (('123m', '11p'), ('3m',))
    """
    return tuple(format_tiles(group) for group in groups), tuple(CODES[gold] for gold in golds)
