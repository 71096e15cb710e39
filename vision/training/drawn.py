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
