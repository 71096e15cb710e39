"""The tiles as the player at one side of the picture sees them: the own edge below, the own row level."""

from __future__ import annotations

import math
from statistics import median
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.detections import Detections

    Floats = NDArray[np.float64]

SIDES: Final = ("bottom", "right", "top", "left")
"""Where in the picture a player may sit, in turn order."""

ASPECT = 1.35
"""Height by width of a tile."""

LEVEL = 35.0
"""Degrees by which a row may be turned and still be one that runs along the player's edge."""

_NEAREST = 20

_FORESHORTENED = 0.88
"""From here on what is foreshortened is stretched; less does not disturb the rows."""


class Frame:
    """Boxes turned so that the player's edge lies below, and levelled.

    Attributes:
        u, v: (N,) middles: u to the player's right, v towards the player.
        w, h: (N,) sizes along u and v, of the tile itself rather than of its box where the rows are tilted.
        height: of the picture along v.
    """

    def __init__(
        self, boxes: NDArray[np.float32], size: tuple[int, int], side: str, rows: Sequence[Sequence[int]]
    ) -> None:
        """Turn and level.

        Args:
            boxes: (N, 4).
            size: width and height of the picture.
            side: one of ``SIDES``.
            rows: indices of the tiles row by row, from which the tilt is taken.
        """
        u, v, w, h = _turned(np.asarray(boxes, np.float64).reshape(-1, 4), size, side)
        self.height = float(size[1] if side in {"bottom", "top"} else size[0])
        angle = math.radians(_tilt(u, v, rows))
        u, v = u * math.cos(angle) + v * math.sin(angle), v * math.cos(angle) - u * math.sin(angle)
        c, s = math.cos(angle), abs(math.sin(angle))
        # A tile tilted by the angle fills a box that is w·c + h·s wide and w·s + h·c high.
        least = 0.4 * np.maximum(w, h)
        tight = 1 / (c * c - s * s)
        w, h = np.maximum((w * c - h * s) * tight, least), np.maximum((h * c - w * s) * tight, least)
        # Tiles lying flat are never higher than ASPECT; where even the upright ones are much lower, the picture is
        # foreshortened and rows would seem nearer to each other than the tiles in them. It is less so near the camera,
        # and what lies before the player matters most.
        near = np.argsort(-v)[:_NEAREST]
        flat = float(np.quantile(h[near] / w[near], 0.75)) / ASPECT if len(w) else 1.0
        stretch = 1 / max(flat, 0.5) if flat < _FORESHORTENED else 1.0
        self.u, self.v, self.w, self.h = u, v * stretch, w, h * stretch
        self.height *= stretch

    @property
    def boxes(self) -> NDArray[np.float32]:
        """(N, 4) left, top, right, bottom."""
        half = self.w / 2, self.h / 2
        return np.stack([self.u - half[0], self.v - half[1], self.u + half[0], self.v + half[1]], 1).astype(np.float32)


def hand_likeness(detections: Detections, size: tuple[int, int], side: str, rows: Sequence[Sequence[int]]) -> float:
    """How much the likeliest row looks like the hand of a player at one side: long, large, along his edge and near it.

    Args:
        detections: the tiles.
        size: width and height of the picture.
        side: one of ``SIDES``.
        rows: indices of the tiles row by row.
    """
    u, v, w, h = _turned(np.asarray(detections.boxes, np.float64).reshape(-1, 4), size, side)
    height = size[1] if side in {"bottom", "top"} else size[0]
    faces = [face_up for row in rows if (face_up := [i for i in row if detections.kind[i] >= 0])]
    nearest = max((float(v[row].max()) for row in faces), default=0.0)
    best = 0.0
    for row in faces:
        across, down = abs(float(u[row[-1]] - u[row[0]])), abs(float(v[row[-1]] - v[row[0]]))
        if len(row) > 1 and down > across * math.tan(math.radians(LEVEL)):
            continue
        tall, at = float(h[row].mean()), float(v[row].mean())
        score = math.pow(len(row), 0.7) * max(float(w[row].mean()) * ASPECT, tall)
        best = max(best, score * (0.35 + at / height) * math.exp((at - nearest) / tall / 5))
    return best


def _turned(boxes: Floats, size: tuple[int, int], side: str) -> tuple[Floats, Floats, Floats, Floats]:
    x, y = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
    w, h = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    width, height = size
    if side == "top":
        return width - x, height - y, w, h
    if side == "left":
        return y, width - x, h, w
    if side == "right":
        return height - y, x, h, w
    return x, y, w, h


def _tilt(u: Floats, v: Floats, rows: Sequence[Sequence[int]]) -> float:
    """Degrees by which the rows along the player's edge are tilted: the median over the tiles nearest to the player."""
    angles: list[tuple[float, float, int]] = []
    for row in rows:
        if len(row) < 3:
            continue
        x, y = u[list(row)], v[list(row)]
        middle = float(y.mean())
        x, y = x - x.mean(), y - y.mean()
        # The longer axis of the scatter.
        angle = math.degrees(math.atan2(2 * float(x @ y), float(x @ x - y @ y)) / 2)
        if abs(angle) < LEVEL:
            angles.append((-middle, angle, len(row)))
    near: list[float] = []
    for _, angle, count in sorted(angles):
        if len(near) < _NEAREST:
            near += [angle] * count
    return median(near) if near else 0.0
