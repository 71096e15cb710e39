"""Drawn tables on disk as training data, made once per count and seed and added to when more are wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from engine.tiles import CODES, INDEX, PLAYABLE
from vision.classifier import BACK, OTHER
from vision.crops import cut
from vision.dataset import label_line, save_image

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from numpy.typing import NDArray

VISIBLE = 0.5
"""Tiles of which less can be seen are not labelled: nobody should name them, nor is finding them asked for."""

SHORTEST = 9.0
"""Boxes with a longer side under this many pixels are left out: nothing can be read on them."""


MIXED = 240
"""Sets mixed by chance whose faces are shown straight from above."""


def ensure(
    folder: Path,
    count: int,
    seed: int,
    say: Callable[[str], None] = print,
    left_out: Iterable[str] = (),
) -> Path:
    """Make sure that ``folder`` holds ``count`` drawn tables of ``seed`` in YOLO form (class 42: a back).

    Args:
        folder: where pictures and labels go. Pictures that are there already are kept, so an interrupted run goes on.
        count: how many tables.
        seed: of everything random.
        say: told of the tile sets found and of the progress.
        left_out: which of ``vision.synthesis.dataset.INGREDIENTS`` may not occur. Another choice needs another folder: what
            lies there already is not drawn again.

    Returns:
        The folder.

    Raises:
        ValueError: an unknown ingredient.
    """
    from vision.synthesis import scripts  # noqa: PLC0415 - only training needs drawing
    from vision.synthesis.dataset import INGREDIENTS, tables  # noqa: PLC0415
    from vision.synthesis.package_sets import tell  # noqa: PLC0415

    left_out = frozenset(left_out)
    if not left_out <= set(INGREDIENTS):
        raise ValueError(
            f"no such ingredient: {', '.join(sorted(left_out - set(INGREDIENTS)))}; there are {', '.join(INGREDIENTS)}"
        )
    chosen = tuple(name for name in INGREDIENTS if name not in left_out)
    scripts.tell(say)
    if "packages" in chosen:
        tell(say)

    images, labels = folder / "images", folder / "labels"
    images.mkdir(parents=True, exist_ok=True)
    labels.mkdir(parents=True, exist_ok=True)
    for index in range(count):
        label = labels / f"d_{seed}_{index:05d}.txt"
        if label.exists():
            continue
        (rendered,) = tables(1, seed, first=index, ingredients=chosen)
        height, width = rendered.image.shape[:2]
        save_image(images / f"{label.stem}.jpg", rendered.image)
        lines = []
        for box in rendered.boxes:
            left, top, right, bottom = box.xyxy
            if box.visible < VISIBLE or max(right - left, bottom - top) < SHORTEST:
                continue
            lines.append(label_line(INDEX.get(box.code, BACK), box.xyxy, width, height))
        label.write_text("\n".join(lines) + "\n", encoding="ascii")
        if index % 100 == 0:
            say(f"drawn tables: {index} of {count}")
    return folder


def faces(side: int, margin: float, seed: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Crops of drawn faces of many styles, seen straight from above between neighbours, and of faces that are none of the 42.

    On drawn tables a flower shows once in eighteen tiles; here flowers and the bird are drawn more often than the rest.

    Args:
        side: pixels per side of a crop.
        margin: side of a crop as a multiple of the tile's longer side.
        seed: of everything random.

    Returns:
        (N, side, side, 3) BGR and (N,) kinds; ``OTHER`` where the face is none of the 42.
    """
    from vision.synthesis.package_sets import installed  # noqa: PLC0415 - see ensure
    from vision.synthesis.strangers import strangers  # noqa: PLC0415
    from vision.synthesis.styles import MIX, STYLES  # noqa: PLC0415
    from vision.synthesis.tiles import raster  # noqa: PLC0415

    rng = np.random.default_rng(seed)
    high = 2 * round(side / margin)
    images: list[NDArray[np.uint8]] = []
    kinds: list[int] = []

    def add(face: NDArray[np.uint8], kind: int, style: str) -> None:
        neighbours = [raster(CODES[int(rng.integers(len(CODES)))], high, style) for _ in range(2)]
        images.append(_between(face, neighbours, side, rng))
        kinds.append(kind)

    mixed = tuple(f"{MIX}{number}" for number in rng.integers(100_000, size=MIXED))
    for styles, usual, rare in ((STYLES, 3, 10), ((*mixed, *installed()), 1, 3)):
        for style in styles:
            for kind, code in enumerate(CODES):
                for _ in range(rare if kind >= PLAYABLE or code == "1s" else usual):
                    add(raster(code, high, style), kind, style)
    for face in strangers(10 * MIXED, high, seed):
        add(face, OTHER, mixed[int(rng.integers(len(mixed)))])
    return np.stack(images), np.array(kinds, np.int64)


def _between(
    face: NDArray[np.uint8], neighbours: list[NDArray[np.uint8]], side: int, rng: np.random.Generator
) -> NDArray[np.uint8]:
    """A crop (side, side, 3) of a face drawn at twice the size, with a neighbour at its left and right now and then."""
    wide = face.shape[1]
    canvas = np.empty((2 * side, 2 * side, 3), np.float32)
    canvas[:] = rng.uniform(10, 230, 3)
    gap = rng.uniform(0, 0.06) * wide
    for place, neighbour in zip((-1, 1), neighbours, strict=True):
        if rng.random() < 0.65:
            _paste(canvas, neighbour, side + place * (wide + gap), side)
    _paste(canvas, face, side, side)
    small = cv2.resize(canvas, (side, side), interpolation=cv2.INTER_AREA)
    return np.asarray(np.clip(small, 0, 255), np.uint8)


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
    from vision.synthesis.dice import dice as sprites  # noqa: PLC0415 - see ensure
    from vision.synthesis.dice import paste  # noqa: PLC0415

    rng = np.random.default_rng(seed)
    images = np.empty((count, side, side, 3), np.uint8)
    edge = side / margin / 1.25  # a die seen over a corner is wider than its edge
    for image in images:
        image[:] = rng.integers(10, 230, 3)
        one, *others = sprites(rng, edge, int(rng.integers(1, 4)))
        for other in others:
            away = rng.uniform(0, 2 * np.pi)
            reach = edge * rng.uniform(1.2, 1.9)
            paste(image, other, side / 2 + reach * np.cos(away), side / 2 + reach * np.sin(away))
        paste(image, one, side / 2, side / 2)
    return images


KEYS_EACH = 10
"""Keys learned from one keyboard: they are much alike."""


def lying_about(count: int, side: int, margin: float, seed: int) -> NDArray[np.uint8]:
    """Crops of what lies on tables and is as large as a tile: keys of keyboards, seat marks, chips, coins.

    Args:
        count: how many; four in five are keys.
        side: pixels per side of a crop.
        margin: side of a crop as a multiple of the thing's longer side.
        seed: of everything random.

    Returns:
        (count, side, side, 3) BGR.
    """
    from vision.synthesis import clutter, keyboards  # noqa: PLC0415 - see ensure

    rng = np.random.default_rng([seed, 47])
    images = np.empty((count, side, side, 3), np.uint8)
    done, keys_wanted = 0, count * 4 // 5
    while done < keys_wanted:
        pad, keys = keyboards.keys(rng)
        some = [keys[int(index)] for index in rng.permutation(len(keys))[: min(KEYS_EACH, keys_wanted - done)]]
        plain = np.ascontiguousarray(pad[..., :3])
        images[done : done + len(some)] = cut(plain, np.array(some, np.float32), side, margin)
        done += len(some)
    size = max(1, round(side / margin))
    canvas = np.empty((side, side, 3), np.float32)
    for image in images[done:]:
        make = (clutter.mark, clutter.mark, clutter.chip, clutter.coin)[int(rng.integers(4))]
        canvas[:] = rng.integers(10, 230, 3)
        thing = cv2.resize(make(rng), (size, size), interpolation=cv2.INTER_AREA)
        _paste(canvas, np.asarray(thing, np.uint8), side / 2, side / 2)
        image[:] = canvas.astype(np.uint8)
    return images
