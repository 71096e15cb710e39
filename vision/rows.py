"""Rows of tiles, from the geometry of their boxes alone, lying any way round."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

REACH = 1.75
"""Middles of neighbours in a row are at most this many tile sides apart (a gap sets the drawn tile apart)."""

BEND = 25.0
"""Degrees by which the direction from tile to tile may differ within a row."""

_COSINE = math.cos(math.radians(BEND))


def group_rows(boxes: NDArray[np.float32]) -> list[list[int]]:
    """Rows in reading order: rows from the top of the picture down, tiles from left to right (steep rows: downwards).

    Tiles are chained to their nearest neighbours, nearest pairs first, as long as the chain stays straight; in a
    block of rows the neighbours within a row are the nearer ones, because tiles are higher than wide.

    Args:
        boxes: (N, 4) left, top, right, bottom.

    Returns:
        Every index once; a tile that lies alone is a row of its own.
    """
    count = len(boxes)
    if not count:
        return []
    centres = np.asarray((boxes[:, :2] + boxes[:, 2:]) / 2, np.float64)
    sizes = np.asarray(boxes[:, 2:] - boxes[:, :2], np.float64)
    side = sizes.max(1)
    # The distance is measured in tile sides, along each axis in that axis's own measure, so that the tiles of one
    # upright row count as nearer than those of the row below.
    pairs = _pairs(centres, sizes, side)
    # Plain numbers from here on: every pair is looked at alone, and numpy takes longer to begin than that.
    points: list[tuple[float, float]] = [(float(x), float(y)) for x, y in centres]
    neighbours: list[list[int]] = [[] for _ in range(count)]
    chain = list(range(count))
    chains = [_Chain([i], x, y, x * x, y * y, x * y, float(side[i])) for i, (x, y) in enumerate(points)]
    for a, b in pairs:
        if chain[a] == chain[b] or len(neighbours[a]) == 2 or len(neighbours[b]) == 2:
            continue
        if not _straight(a, b, neighbours[a], points) or not _straight(b, a, neighbours[b], points):
            continue
        joined = chains[chain[a]] + chains[chain[b]]
        if not joined.is_line():
            continue
        neighbours[a].append(b)
        neighbours[b].append(a)
        for i in chains[chain[b]].members:
            chain[i] = chain[a]
        chains[chain[a]] = joined
    rows = [_ordered(chains[number].members, centres) for number in sorted(set(chain))]
    height = float(np.median(side))
    return sorted(rows, key=lambda row: (round(float(centres[row, 1].mean()) / height), float(centres[row, 0].min())))


def _pairs(
    centres: NDArray[np.float64], sizes: NDArray[np.float64], side: NDArray[np.float64]
) -> list[tuple[int, int]]:
    """Pairs of near neighbours of similar size, nearest first."""
    first, second = np.triu_indices(len(centres), 1)
    offset = np.abs(centres[second] - centres[first])
    distance = np.hypot(offset[:, 0], offset[:, 1])
    larger, smaller = np.maximum(side[second], side[first]), np.minimum(side[second], side[first])
    near = np.flatnonzero((distance < REACH * larger) & (larger < 1.7 * smaller))
    first, second, larger = first[near], second[near], larger[near]
    # How far apart the boxes are, beyond touching; ties (rows and columns both touch) go to the nearer middles.
    gap = np.maximum((offset[near] - (sizes[first] + sizes[second]) * 0.45).max(1), 0) / larger
    order = np.argsort(gap + distance[near] / larger, kind="stable")
    return list(zip(first[order].tolist(), second[order].tolist(), strict=True))


def _straight(a: int, b: int, before: list[int], points: list[tuple[float, float]]) -> bool:
    """Whether going on from ``a``, which was reached from ``before``, to ``b`` keeps the direction."""
    if not before:
        return True
    (x, y), (x0, y0), (x1, y1) = points[a], points[before[0]], points[b]
    cosine = (x - x0) * (x1 - x) + (y - y0) * (y1 - y)
    return cosine > _COSINE * max(math.hypot(x - x0, y - y0) * math.hypot(x1 - x, y1 - y), 1e-9)


@dataclass(slots=True)
class _Chain:
    """Tiles in a row, with the sums from which its straightness follows: this is asked for every pair."""

    members: list[int]
    x: float
    y: float
    xx: float
    yy: float
    xy: float
    side: float

    def __add__(self, other: _Chain) -> _Chain:
        return _Chain(
            self.members + other.members, self.x + other.x, self.y + other.y, self.xx + other.xx,
            self.yy + other.yy, self.xy + other.xy, self.side + other.side,
        )  # fmt: skip

    def is_line(self) -> bool:
        """Whether the tiles lie on one (slightly bent) line: rows seen through a lens bend a little."""
        n = len(self.members)
        if n < 3:
            return True
        xx, yy = self.xx / n - (self.x / n) ** 2, self.yy / n - (self.y / n) ** 2
        xy = self.xy / n - self.x * self.y / n**2
        across = (xx + yy) / 2 - math.hypot((xx - yy) / 2, xy)  # the smaller eigenvalue of the covariance
        return math.sqrt(max(across, 0.0)) < 0.35 * self.side / n


def _ordered(row: list[int], centres: NDArray[np.float64]) -> list[int]:
    along = row_direction(centres[row])
    return [row[i] for i in np.argsort(centres[row] @ along, kind="stable")]


def row_direction(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Unit vector in which a row is read: to the right, or downwards where the row is steep (over 55°)."""
    if len(points) < 2:
        return np.array([1.0, 0.0])
    x, y = (points - points.mean(0)).T
    angle = math.atan2(2 * float(x @ y), float(x @ x) - float(y @ y)) / 2  # of the longer axis
    along = np.array([math.cos(angle), math.sin(angle)])
    steep = abs(along[1]) > abs(along[0]) * np.tan(np.deg2rad(55))
    if (along[1] if steep else along[0]) < 0:
        along = -along
    return along
