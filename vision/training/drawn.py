"""Drawn tables on disk as training data, made once per count and seed and added to when more are wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.tiles import INDEX
from vision.classifier import BACK
from vision.dataset import save_image

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

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
