"""Groups of tiles that lie side by side, as the player at one side sees them, and what they can be."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise, permutations
from statistics import median
from typing import TYPE_CHECKING

from engine.tiles import PLAYABLE
from vision.detections import FACE_DOWN
from vision.frames import ASPECT, LEVEL, Frame
from vision.melds import ADDED_KONG, PONG, Meld, cut, make_meld, meld_kind
from vision.rows import group_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.reading import Reading

APART = 0.28
"""A gap of this many tile widths ends a group within a row."""

TURNED = 1.25
"""A tile lies across if it is so much wider, by its height, than the others of its set (1.8 times where all is exact)."""

_LEVEL = math.sin(math.radians(LEVEL))

SETS, FLOWERS, FACES, BACKS, MIXED = "sets", "flowers", "faces", "backs", "mixed"
"""What a part of a group is: a set, flowers, tiles that form no set, tiles face down, faces and backs that form no set."""


@dataclass(frozen=True)
class Group:
    """Tiles side by side without a gap, in reading order.

    Attributes:
        indices: of the detections.
        level: it runs along the player's edge rather than away from it; so does a single tile.
        u0, u1: where it begins and ends.
        v: its middle.
        w, h: sizes of one of its tiles as if it lay upright before the player.
    """

    indices: tuple[int, ...]
    level: bool
    u0: float
    u1: float
    v: float
    w: float
    h: float

    @property
    def u(self) -> float:
        """Its middle."""
        return (self.u0 + self.u1) / 2


class Geometry:
    """Tiles of one picture as one side's player sees them, in groups.

    Args:
        reading: the tiles.
        side: where in the picture the player sits.
        rows: the tiles row by row.
        gold: the kind that is gold, for which whites may stand.
        zones: the kind of zone every tile lies in; tiles of different zones are never grouped.
    """

    def __init__(
        self, reading: Reading, side: str, rows: Sequence[Sequence[int]], gold: int | None, zones: Sequence[str | None]
    ) -> None:
        seen = reading.detections
        self.kind: list[int] = seen.kind.tolist()
        self.gold = gold
        self.frame = Frame(seen.boxes, (reading.width, reading.height), side, rows)
        # Groups are small: plain numbers are quicker than numpy's arrays.
        self.u: list[float] = self.frame.u.tolist()
        self.v: list[float] = self.frame.v.tolist()
        self.w: list[float] = self.frame.w.tolist()
        self.h: list[float] = self.frame.h.tolist()
        self.tops = self._fourths()
        self.groups: dict[str | None, list[Group]] = {None: []}
        """The groups by zone."""
        self._parts: dict[tuple[int, ...], list[tuple[str, list[int]]]] = {}
        boxes = self.frame.boxes
        for zone in set(zones):
            inside = [i for i, kind in enumerate(zones) if kind == zone and i not in self.tops]
            self.groups[zone] = [
                group for row in group_rows(boxes[inside]) for group in self._split([inside[i] for i in row])
            ]

    def _split(self, row: list[int]) -> list[Group]:
        """The groups of a row: it is cut where tiles do not touch."""
        first, last = row[0], row[-1]
        across, down = self.u[last] - self.u[first], self.v[last] - self.v[first]
        long = math.hypot(across, down)
        across, down = (across / long, down / long) if long else (1.0, 0.0)
        level = abs(down) < _LEVEL
        extents = [self.w[i] / abs(across) if level else self.h[i] / abs(down) for i in row]
        places = [self.u[i] * across + self.v[i] * down for i in row]
        unit = median(extents)
        gaps = [b - a - (x + y) / 2 for (a, b), (x, y) in zip(pairwise(places), pairwise(extents), strict=True)]
        cuts = [0, *(k for k, gap in enumerate(gaps, 1) if gap > APART * unit), len(row)]
        return [self.group(row[a:b], level=level) for a, b in pairwise(cuts)]

    def group(self, indices: Sequence[int], *, level: bool = True) -> Group:
        """The group of some tiles."""
        wide, high = median(self.w[i] for i in indices), median(self.h[i] for i in indices)
        if not level or (len(indices) == 1 and wide > high):  # lies across
            wide, high = wide / ASPECT, high * ASPECT
        u0, u1 = min(self.u[i] - self.w[i] / 2 for i in indices), max(self.u[i] + self.w[i] / 2 for i in indices)
        return Group(tuple(indices), level, u0, u1, median(self.v[i] for i in indices), wide, high)

    # -- what a group is -----------------------------------------------------------------------------------

    def set_gold(self, gold: int) -> None:
        """Let another kind be gold."""
        self.gold = gold
        self._parts.clear()

    def parts(self, group: Group) -> list[tuple[str, list[int]]]:
        """What a group is made of: sets standing side by side, flowers at their ends, faces that form no sets, backs."""
        known = self._parts.get(group.indices)
        if known is None:
            known = self._parts[group.indices] = self._find_parts(list(group.indices))
        return known

    def _find_parts(self, indices: list[int]) -> list[tuple[str, list[int]]]:
        kinds = [self.kind[i] for i in indices]
        if all(k == FACE_DOWN for k in kinds):
            return [(BACKS, indices)]
        if all(k >= PLAYABLE for k in kinds):
            return [(FLOWERS, indices)]
        for order in (indices, indices[::-1]):
            sets = cut(order, self.kind, self.gold)
            if sets is not None:
                return [(SETS, sorted(part, key=indices.index)) for part in sets]
        playable = [i for i in indices if self.kind[i] < PLAYABLE]
        flowers = [i for i in indices if self.kind[i] >= PLAYABLE]
        if flowers:
            sets = cut(playable, self.kind, self.gold)
            rest = [(SETS, part) for part in sets] if sets is not None else [(self._plain(playable), playable)]
            return [*rest, (FLOWERS, flowers)]
        faces = [place for place, kind in enumerate(kinds) if kind != FACE_DOWN]
        first, last = faces[0], faces[-1] + 1
        if last - first < len(indices):  # the end of a wall that touches
            ends = [(BACKS, part) for part in (indices[:first], indices[last:]) if part]
            return [*self._find_parts(indices[first:last]), *ends]
        return [(self._plain(indices), indices)]

    def _plain(self, indices: list[int]) -> str:
        return FACES if all(self.kind[i] != FACE_DOWN for i in indices) else MIXED

    def turned(self, part: Sequence[int], *, level: bool = True) -> list[int]:
        """Places in a set of the tiles that lie across."""
        ratio = [self.w[i] / self.h[i] if level else self.h[i] / self.w[i] for i in part]
        usual = sorted(ratio)[(len(part) - 1) // 2]  # one of three or four lies across at most
        return [place for place, value in enumerate(ratio) if value > TURNED * usual]

    def meld(self, part: Sequence[int], *, level: bool = True, towards: tuple[int, int] = (0, -1)) -> Meld:
        """The meld of a set.

        Args:
            part: indices in the order in which its owner reads them.
            level: whether it runs along the edge below.
            towards: the direction, along u or v, in which its owner looks.
        """
        kinds = [self.kind[i] for i in part]
        kind = meld_kind(kinds, self.gold)
        if kind is None:
            raise ValueError("these tiles are no set")
        turned = self.turned(part, level=level)
        if kind == PONG and len(turned) == 1:
            above = [top for top, (base, way) in self.tops.items() if base == part[turned[0]] and way == towards]
            if above:
                return make_meld(ADDED_KONG, [*part, *above], [*kinds, self.kind[above[0]]], turned, len(part))
        return make_meld(kind, part, kinds, turned)

    def _fourths(self) -> dict[int, tuple[int, tuple[int, int]]]:
        """Tiles laid on the far side of a turned tile, as the fourth of an added kong: the tile they touch, and the way."""
        result: dict[int, tuple[int, tuple[int, int]]] = {}
        by_kind: dict[int, list[int]] = {}
        for index, kind in enumerate(self.kind):
            if 0 <= kind < PLAYABLE:
                by_kind.setdefault(kind, []).append(index)
        for same in by_kind.values():
            for top, base in permutations(same, 2) if len(same) >= 4 else ():
                way = self._on_top(top, base, same)
                if way is not None:
                    result[top] = (base, way)
        return result

    def _on_top(self, top: int, base: int, same: list[int]) -> tuple[int, int] | None:
        """The way from a tile lying across to one that touches its long side, if two of its set stand beside it."""
        du, dv = self.u[top] - self.u[base], self.v[top] - self.v[base]
        w, h = (self.w[base] + self.w[top]) / 2, (self.h[base] + self.h[top]) / 2
        if abs(du) < 0.35 * w and 0.7 * h < abs(dv) < 1.3 * h:
            way = (0, -1 if dv < 0 else 1)
            aside, far, long, short = self.u, self.v, self.w, self.h
        elif abs(dv) < 0.35 * h and 0.7 * w < abs(du) < 1.3 * w:
            way = (-1 if du < 0 else 1, 0)
            aside, far, long, short = self.v, self.u, self.h, self.w
        else:
            return None

        def ratio(index: int) -> float:
            return long[index] / short[index]

        beside = [
            i
            for i in same
            if i not in {top, base}
            and ratio(base) > TURNED * ratio(i)
            and abs(aside[i] - aside[base]) < 2.2 * long[base]
            and abs(far[i] - far[base]) < 0.6 * short[base]
        ]
        return way if len(beside) == 2 and ratio(top) > TURNED * ratio(beside[0]) else None
