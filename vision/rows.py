"""Rows of tiles, from the geometry of their boxes alone, lying any way round."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

REACH = 1.75
"""Middles of neighbours in a row are at most this many tile sides apart (a gap sets the drawn tile apart)."""

BEND = 25.0
"""Degrees by which the direction from tile to tile may differ within a row."""


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
    links = _links(centres, sizes, side)
    neighbours: list[list[int]] = [[] for _ in range(count)]
    chain = list(range(count))
    members: dict[int, list[int]] = {i: [i] for i in range(count)}
    for _, a, b in links:
        if chain[a] == chain[b] or len(neighbours[a]) == 2 or len(neighbours[b]) == 2:
            continue
        if not _straight(a, b, neighbours, centres) or not _straight(b, a, neighbours, centres):
            continue
        joined = members[chain[a]] + members[chain[b]]
        if not _line(centres[joined], side[joined]):
            continue
        neighbours[a].append(b)
        neighbours[b].append(a)
        gone = chain[b]
        for i in members.pop(gone):
            chain[i] = chain[a]
        members[chain[a]] = joined
    rows = [_ordered(row, centres) for row in members.values()]
    height = float(np.median(side))
    return sorted(rows, key=lambda row: (round(float(centres[row, 1].mean()) / height), float(centres[row, 0].min())))


def _links(
    centres: NDArray[np.float64], sizes: NDArray[np.float64], side: NDArray[np.float64]
) -> list[tuple[float, int, int]]:
    """Pairs of near neighbours of similar size, nearest first."""
    result: list[tuple[float, int, int]] = []
    for a in range(len(centres)):
        offset = np.abs(centres[a + 1 :] - centres[a])
        mean = (sizes[a + 1 :] + sizes[a]) / 2
        distance = np.hypot(offset[:, 0], offset[:, 1])
        larger, smaller = np.maximum(side[a + 1 :], side[a]), np.minimum(side[a + 1 :], side[a])
        near = (distance < REACH * larger) & (larger < 1.7 * smaller)
        # How far apart the boxes are, beyond touching; ties (rows and columns both touch) go to the nearer middles.
        gap = np.maximum((offset - mean * 0.9).max(1), 0) / larger
        result += [(float(gap[k] + distance[k] / larger[k]), a, a + 1 + int(k)) for k in np.flatnonzero(near)]
    return sorted(result)


def _straight(a: int, b: int, neighbours: list[list[int]], centres: NDArray[np.float64]) -> bool:
    """Whether going on from ``a`` to ``b`` keeps the direction in which ``a`` was reached."""
    if not neighbours[a]:
        return True
    before = centres[a] - centres[neighbours[a][0]]
    after = centres[b] - centres[a]
    cosine = float(before @ after) / max(float(np.linalg.norm(before) * np.linalg.norm(after)), 1e-9)
    return cosine > float(np.cos(np.deg2rad(BEND)))


def _line(points: NDArray[np.float64], side: NDArray[np.float64]) -> bool:
    """Whether the points lie on one (slightly bent) line: rows seen through a lens bend a little."""
    if len(points) < 3:
        return True
    x, y = (points - points.mean(0)).T
    # The smaller eigenvalue of the scatter matrix, in closed form: this is asked for every link.
    xx, yy, xy = float(x @ x), float(y @ y), float(x @ y)
    across = (xx + yy) / 2 - float(np.hypot((xx - yy) / 2, xy))
    return bool(np.sqrt(max(across, 0.0) / len(points)) < 0.35 * float(np.median(side)))


def _ordered(row: list[int], centres: NDArray[np.float64]) -> list[int]:
    along = row_direction(centres[row])
    return [row[i] for i in np.argsort(centres[row] @ along, kind="stable")]


def row_direction(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Unit vector in which a row is read: to the right, or downwards where the row is steep (over 55°)."""
    if len(points) < 2:
        return np.array([1.0, 0.0])
    middle = points - points.mean(0)
    _, _, axes = np.linalg.svd(middle, full_matrices=False)
    along = np.asarray(axes[0], np.float64)
    steep = abs(along[1]) > abs(along[0]) * np.tan(np.deg2rad(55))
    if (along[1] if steep else along[0]) < 0:
        along = -along
    return along
