"""The one value that every step of the eyes takes and returns."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.tiles import CODES

if TYPE_CHECKING:
    from numpy.typing import NDArray

FACE_DOWN = -1
"""``Detections.kind`` of a tile lying face down."""


@dataclass(frozen=True, eq=False)
class Detections:
    """Tiles seen in one picture.

    Attributes:
        boxes: (N, 4) float32 left, top, right, bottom in pixels of the picture after EXIF rotation.
        confidence: (N,) float32, the finder's confidence that a tile lies there, 0 to 1.
        kind: (N,) int16, the most probable of the 42 kinds, or -1 for a tile lying face down.
        probability: (N, 42) float32 calibrated probabilities of the kinds; what is missing to 1 is the probability
            that the tile is face down or no tile at all.
        certain: (N,) bool, sure enough not to ask anybody.
        angle: (N,) float32 degrees, clockwise, by which the tile's row is turned in the picture, -90 to 90.
    """

    boxes: NDArray[np.float32]
    confidence: NDArray[np.float32]
    kind: NDArray[np.int16]
    probability: NDArray[np.float32]
    certain: NDArray[np.bool_]
    angle: NDArray[np.float32]

    @classmethod
    def empty(cls) -> Detections:
        """No tile at all."""
        return cls.found(np.empty((0, 4), np.float32), np.empty(0, np.float32))

    @classmethod
    def found(cls, boxes: NDArray[np.float32], confidence: NDArray[np.float32]) -> Detections:
        """Boxes that nobody has named yet: kind -1, all probabilities 0."""
        n = len(boxes)
        return cls(
            np.asarray(boxes, np.float32).reshape(n, 4),
            np.asarray(confidence, np.float32),
            np.full(n, FACE_DOWN, np.int16),
            np.zeros((n, len(CODES)), np.float32),
            np.zeros(n, np.bool_),
            np.zeros(n, np.float32),
        )

    def __len__(self) -> int:
        return len(self.boxes)

    def __getitem__(self, index: NDArray[Any] | slice | list[int]) -> Detections:
        """The detections picked by a mask, a slice or a list of indices."""
        where = np.asarray(index, np.int64) if isinstance(index, list) else index
        return Detections(**{f.name: getattr(self, f.name)[where] for f in fields(self)})

    @property
    def centres(self) -> NDArray[np.float32]:
        """(N, 2) x and y of the middles of the boxes."""
        return np.asarray((self.boxes[:, :2] + self.boxes[:, 2:]) / 2, np.float32)

    @property
    def sizes(self) -> NDArray[np.float32]:
        """(N, 2) widths and heights of the boxes."""
        return np.asarray(self.boxes[:, 2:] - self.boxes[:, :2], np.float32)

    def code(self, index: int) -> str:
        """MPSZ code of one tile, ``back`` for one lying face down."""
        kind = int(self.kind[index])
        return CODES[kind] if kind >= 0 else "back"

    def alternatives(self, index: int, count: int = 3) -> list[tuple[str, float]]:
        """The next-best kinds after ``kind`` with their probability, best first."""
        order = np.argsort(-self.probability[index], kind="stable")
        others = [int(k) for k in order if k != self.kind[index]][:count]
        return [(CODES[k], float(self.probability[index, k])) for k in others]

    def as_json(self) -> list[dict[str, Any]]:
        """One object per detection, face-down tiles as ``back``; fields as in the reading of ``hand-record.md``."""
        result = []
        for i in range(len(self)):
            kind = int(self.kind[i])
            confidence = float(self.probability[i, kind]) if kind >= 0 else float(self.confidence[i])
            result.append(
                {
                    "tile": self.code(i),
                    "confidence": round(confidence, 4),
                    "certain": bool(self.certain[i]),
                    "box": [round(float(v), 1) for v in self.boxes[i]],
                    "alternatives": [[code, round(p, 4)] for code, p in self.alternatives(i)] if kind >= 0 else [],
                }
            )
        return result


def areas(boxes: NDArray[np.float32]) -> NDArray[np.float32]:
    """(N,) areas of (N, 4) boxes."""
    return np.asarray((boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1]), np.float32)


def turned_boxes(boxes: NDArray[np.float32], shape: tuple[int, int], quarters: int) -> NDArray[np.float32]:
    """Boxes in a picture that was turned as ``np.rot90`` turns.

    Args:
        boxes: (N, 4) left, top, right, bottom, pixels.
        shape: height and width of the picture before.
        quarters: turns by 90 degrees counter-clockwise.

    Returns:
        (N, 4), pixels of the turned picture.

    >>> turned_boxes(np.array([[1, 2, 3, 5]], np.float32), (10, 20), 1).tolist()
    [[2.0, 17.0, 5.0, 19.0]]
    """
    height, width = shape
    for _ in range(quarters % 4):
        left, top, right, bottom = boxes.T
        boxes = np.stack([top, width - right, bottom, width - left], 1)
        height, width = width, height
    return boxes


def intersection(a: NDArray[np.float32], b: NDArray[np.float32]) -> NDArray[np.float32]:
    """The area that every box of ``a`` (N, 4) has in common with every box of ``b`` (M, 4): (N, M)."""
    across = np.minimum(a[:, None, 2], b[None, :, 2]) - np.maximum(a[:, None, 0], b[None, :, 0])
    down = np.minimum(a[:, None, 3], b[None, :, 3]) - np.maximum(a[:, None, 1], b[None, :, 1])
    return np.asarray(np.maximum(across, 0) * np.maximum(down, 0), np.float32)


def iou(a: NDArray[np.float32], b: NDArray[np.float32]) -> NDArray[np.float32]:
    """Intersection over union of every box of ``a`` (N, 4) with every box of ``b`` (M, 4): (N, M)."""
    common = intersection(a, b)
    return np.asarray(common / np.maximum(areas(a)[:, None] + areas(b)[None, :] - common, 1e-9), np.float32)
