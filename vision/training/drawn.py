"""Drawn tables on disk as training data, made once per count and seed and added to when more are wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from engine.tiles import CODES, INDEX, PLAYABLE
from vision.classifier import BACK
from vision.dataset import save_image

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

VISIBLE = 0.5
"""Tiles of which less can be seen are not labelled: nobody should name them, nor is finding them asked for."""

SHORTEST = 9.0
"""Boxes with a longer side under this many pixels are left out: nothing can be read on them."""


def ensure(folder: Path, count: int, seed: int, say: Callable[[str], None] = print) -> Path:
    """Make sure that ``folder`` holds ``count`` drawn tables of ``seed`` in YOLO form (class 42: a back).

    Pictures that are there already are kept, so an interrupted run goes on. Returns the folder.
    """
    from vision.synthesis.dataset import tables  # noqa: PLC0415 - drawing loads slowly and only training needs it

    images, labels = folder / "images", folder / "labels"
    images.mkdir(parents=True, exist_ok=True)
    labels.mkdir(parents=True, exist_ok=True)
    for index in range(count):
        label = labels / f"d_{seed}_{index:05d}.txt"
        if label.exists():
            continue
        (rendered,) = tables(1, seed, first=index)
        height, width = rendered.image.shape[:2]
        save_image(images / f"{label.stem}.jpg", rendered.image)
        lines = []
        for box in rendered.boxes:
            left, top, right, bottom = box.xyxy
            if box.visible < VISIBLE or max(right - left, bottom - top) < SHORTEST:
                continue
            kind = INDEX.get(box.code, BACK)
            place = (
                (left + right) / 2 / width,
                (top + bottom) / 2 / height,
                (right - left) / width,
                (bottom - top) / height,
            )
            lines.append(f"{kind} " + " ".join(f"{v:.6f}" for v in place))
        label.write_text("\n".join(lines) + "\n", encoding="ascii")
        if index % 100 == 0:
            say(f"drawn tables: {index} of {count}")
    return folder


def faces(side: int, margin: float, seed: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Crops of the drawn faces of every style, seen straight from above between neighbours.

    On drawn tables a flower shows once in eighteen tiles; here flowers and the bird are drawn more often than the rest.

    Args:
        side: pixels per side of a crop.
        margin: side of a crop as a multiple of the tile's longer side.
        seed: of everything random.

    Returns:
        (N, side, side, 3) BGR and (N,) kinds.
    """
    from vision.synthesis.tiles import STYLES, raster  # noqa: PLC0415 - see ensure

    rng = np.random.default_rng(seed)
    high = 2 * round(side / margin)
    wide = round(high * 0.75)
    images: list[NDArray[np.uint8]] = []
    kinds: list[int] = []
    for style in STYLES:
        for kind, code in enumerate(CODES):
            for _ in range(10 if kind >= PLAYABLE or code == "1s" else 3):
                canvas = np.empty((2 * side, 2 * side, 3), np.float32)
                canvas[:] = rng.uniform(10, 230, 3)
                gap = rng.uniform(0, 0.06) * wide
                for place in (-1, 0, 1):
                    if place and rng.random() < 0.35:
                        continue
                    shown = code if not place else CODES[int(rng.integers(len(CODES)))]
                    _paste(canvas, raster(shown, high, style), side + place * (wide + gap), side)
                small = cv2.resize(canvas, (side, side), interpolation=cv2.INTER_AREA)
                images.append(np.asarray(np.clip(small, 0, 255), np.uint8))
                kinds.append(kind)
    return np.stack(images), np.array(kinds, np.int64)


def _paste(canvas: NDArray[np.float32], face: NDArray[np.uint8], x: float, y: float) -> None:
    """Lay a face with its middle at (x, y) onto the canvas; what sticks out is cut off."""
    height, width = face.shape[:2]
    left, top = round(x - width / 2), round(y - height / 2)
    x0, x1 = max(left, 0), min(left + width, canvas.shape[1])
    if x0 >= x1:
        return
    part = face[:, x0 - left : x1 - left].astype(np.float32)
    cover = part[..., 3:] / 255
    below = canvas[top : top + height, x0:x1]
    below[:] = part[..., :3] * cover + below * (1 - cover)


PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def dice(count: int, side: int, margin: float, seed: int) -> NDArray[np.uint8]:
    """Crops of dice, which lie on every table and look like small dots tiles.

    Args:
        count: how many.
        side: pixels per side of a crop.
        margin: side of a crop as a multiple of the die.
        seed: of everything random.

    Returns:
        (count, side, side, 3) BGR.
    """
    rng = np.random.default_rng(seed)
    images = np.empty((count, side, side, 3), np.uint8)
    edge = 2 * side / margin
    for image in images:
        canvas = np.empty((2 * side, 2 * side, 3), np.uint8)
        canvas[:] = rng.integers(10, 230, 3)
        for x, y in ((side, side), (side + edge * rng.uniform(1.05, 1.6), side + edge * rng.uniform(-0.6, 0.6))):
            body = tuple(int(v) for v in rng.integers(205, 256, 3)) if rng.random() < 0.85 else (40, 40, 200)
            shade = tuple(int(0.78 * v) for v in body)
            lean = edge * rng.uniform(0, 0.3)  # the side of the die that is seen below its upper face
            face = edge - lean
            _square(canvas, x, y + lean / 2, face, shade)
            _square(canvas, x, y - lean / 2, face, body)
            number = int(rng.integers(1, 7))
            ink = (
                (30, 20, 190)
                if number in {1, 4} and rng.random() < 0.7
                else tuple(int(v) for v in rng.integers(0, 130, 3))
            )
            radius = face * (rng.uniform(0.12, 0.2) if number == 1 else rng.uniform(0.07, 0.11))
            turn = rng.integers(2)
            for a, b in PIPS[number]:
                u, v = (b, a) if turn else (a, b)
                place = (round(x + u * face * 0.26), round(y - lean / 2 + v * face * 0.26))
                cv2.circle(canvas, place, max(1, round(radius)), ink, -1, cv2.LINE_AA)
        image[:] = cv2.resize(canvas, (side, side), interpolation=cv2.INTER_AREA)
    return images


def _square(canvas: NDArray[np.uint8], x: float, y: float, edge: float, colour: tuple[int, ...]) -> None:
    """A filled square with round corners."""
    r = edge * 0.16
    half = edge / 2 - r
    points = np.array([(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)])
    cv2.fillConvexPoly(canvas, points.round().astype(np.int32), colour)
    cv2.polylines(canvas, [points.round().astype(np.int32)], True, colour, max(1, round(2 * r)), cv2.LINE_AA)
