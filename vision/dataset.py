"""Labelled photos on disk (YOLO format), with our repairs of their labels."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from vision.detections import areas, intersection
from vision.images import load_image

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

REPAIRS = Path(__file__).resolve().parents[1] / "datasets"
"""Folder of text files, one repair a line: the first 16 hex digits of the picture file's SHA-256, an action, its arguments."""

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Photo:
    """One labelled photo.

    ``boxes`` are (N, 4) float32 pixels of the picture, ``kinds`` (N,) indices of the 42 kinds. ``mirrored`` says that
    the picture on disk is a mirror image (a publisher's augmentation), ``loose`` that its boxes are far larger than
    the tiles. Further boxes, in pixels of the file: ``hidden`` are tiles, or what may be tiles, that nobody labelled and
    that training must not see; ``unnamed`` are face-up tiles for the finder, whose kind nobody has checked; ``strange``
    are tiles with none of the 42 faces (jokers); ``nothing`` is what looks like a tile and is none (dice).
    """

    path: Path
    boxes: NDArray[np.float32]
    kinds: NDArray[np.int64]
    mirrored: bool = False
    loose: bool = False
    hidden: tuple[Box, ...] = ()
    unnamed: tuple[Box, ...] = ()
    strange: tuple[Box, ...] = ()
    nothing: tuple[Box, ...] = ()

    @property
    def source(self) -> str:
        """The publisher's prefix: ``a``, ``l`` or ``k``."""
        return self.path.name.split("_")[0]

    def load(self) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        """The picture the right way round and its boxes."""
        image = load_image(self.path)
        return (np.ascontiguousarray(image[:, ::-1]) if self.mirrored else image), self.turned(
            self.boxes, image.shape[1]
        )

    def turned(self, boxes: Sequence[Box] | NDArray[np.float32], width: int) -> NDArray[np.float32]:
        """Boxes (N, 4) of the file as boxes of the picture that ``load`` returns, ``width`` pixels wide."""
        boxes = np.asarray(boxes, np.float32).reshape(-1, 4)
        return (
            np.stack([width - boxes[:, 2], boxes[:, 1], width - boxes[:, 0], boxes[:, 3]], 1)
            if self.mirrored
            else boxes
        )


def picture_hash(path: Path) -> str:
    """First 16 hex digits of the file's SHA-256: names a picture without committing it."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def read_repairs(path: Path = REPAIRS) -> dict[str, list[list[str]]]:
    """Repairs of a file, or of all files of a folder, by picture hash: lists of words (see ``datasets/README.md``)."""
    repairs: dict[str, list[list[str]]] = {}
    for file in sorted(path.glob("*.txt")) if path.is_dir() else [path]:
        for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else []:
            words = line.split("#")[0].split()
            if words:
                repairs.setdefault(words[0], []).append(words[1:])
    return repairs


def find_images(folder: Path) -> list[Path]:
    """The pictures of a YOLO folder, sorted: ``folder/images/*``, or ``folder/*`` where there is no such subfolder."""
    inner = folder / "images"
    suffixes = {".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"}
    return sorted(p for p in (inner if inner.is_dir() else folder).iterdir() if p.suffix.lower() in suffixes)


def label_path(image: Path) -> Path:
    """Where the labels of a picture lie: ``labels/NAME.txt`` beside ``images/``, or beside the picture."""
    if image.parent.name == "images":
        return image.parent.parent / "labels" / f"{image.stem}.txt"
    return image.with_suffix(".txt")


def label_line(kind: int, box: Sequence[float] | NDArray[Any], width: float = 1, height: float = 1) -> str:
    """A line of a YOLO label file: class, centre x and y, width and height as parts of the picture.

    Args:
        kind: the class.
        box: left, top, right, bottom.
        width: of the picture, in the unit of ``box``.
        height: of the picture.
    """
    left, top, right, bottom = box
    numbers = ((left + right) / 2 / width, (top + bottom) / 2 / height, (right - left) / width, (bottom - top) / height)
    return f"{kind} " + " ".join(f"{number:.6f}" for number in numbers)


def parse_label(line: str) -> tuple[int, Box]:
    """Class and box (left, top, right, bottom as parts of the picture) of a YOLO label; a polygon becomes its bounds.

    Raises:
        ValueError: it is neither.
    """
    words = line.split()
    try:
        kind, values = int(words[0]), [float(word) for word in words[1:]]
    except (IndexError, ValueError):
        raise ValueError("not numbers") from None
    if len(values) == 4:
        x, y, w, h = values
        return kind, (x - w / 2, y - h / 2, x + w / 2, y + h / 2)
    if len(values) >= 6 and len(values) % 2 == 0:
        return kind, (min(values[::2]), min(values[1::2]), max(values[::2]), max(values[1::2]))
    raise ValueError(f"{len(words)} numbers, expected 5")


def read_labels(path: Path, width: int, height: int) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Boxes in pixels and kinds of a YOLO label file (class x y w h, relative); polygons become their bounds.

    Raises:
        ValueError: a line that is neither.
    """
    boxes: list[tuple[float, float, float, float]] = []
    kinds: list[int] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines() if path.exists() else [], 1):
        if not line.strip():
            continue
        try:
            kind, box = parse_label(line)
        except ValueError as error:
            raise ValueError(f"{path}, line {number}: {error}") from None
        boxes.append((box[0] * width, box[1] * height, box[2] * width, box[3] * height))
        kinds.append(kind)
    return np.array(boxes, np.float32).reshape(-1, 4), np.array(kinds, np.int64)


def read_folder(folder: Path, *, repair: bool = True, repairs: Path = REPAIRS) -> list[Photo]:
    """All labelled photos of a folder, with the repairs of ``datasets/repairs.txt`` applied.

    Raises:
        ValueError: a broken label file, or no picture at all.
    """
    fixes = read_repairs(repairs) if repair else {}
    photos: list[Photo] = []
    for path in find_images(folder):
        height, width = load_image(path).shape[:2]
        boxes, kinds = read_labels(label_path(path), width, height)
        photo: Photo | None = Photo(path, boxes, kinds)
        for words in fixes.get(picture_hash(path), []) if fixes else []:
            photo = _repaired(photo, words) if photo is not None else None
        if photo is not None:
            photos.append(photo)
    if not photos:
        raise ValueError(f"{folder}: no pictures found (looked in {folder / 'images'} and in the folder itself)")
    return photos


def _repaired(photo: Photo, words: list[str]) -> Photo | None:
    match words:
        case ["drop"]:
            return None
        case ["mirrored"]:
            return replace(photo, mirrored=True)
        case ["loose"]:
            return replace(photo, loose=True)
        case ["kind", index, kind]:
            kinds = photo.kinds.copy()
            kinds[int(index)] = int(kind)
            return replace(photo, kinds=kinds)
        case ["twice", index]:
            others = np.arange(len(photo.kinds)) != int(index)
            return replace(photo, boxes=photo.boxes[others], kinds=photo.kinds[others])
        case ["add", kind, *numbers] if len(numbers) == 4:
            box = np.array([[float(n) for n in numbers]], np.float32)
            return replace(photo, boxes=np.concatenate([photo.boxes, box]), kinds=np.append(photo.kinds, int(kind)))
        case ["hide", *numbers] if len(numbers) == 4:
            return replace(photo, hidden=(*photo.hidden, _box(numbers)))
        case ["tile", *numbers] if len(numbers) == 4:
            return replace(photo, unnamed=(*photo.unnamed, _box(numbers)))
        case ["strange", *numbers] if len(numbers) == 4:
            return replace(photo, strange=(*photo.strange, _box(numbers)))
        case ["nothing", *numbers] if len(numbers) == 4:
            return replace(photo, nothing=(*photo.nothing, _box(numbers)))
    raise ValueError(f"datasets: unknown repair {' '.join(words)!r}")


def _box(numbers: list[str]) -> Box:
    left, top, right, bottom = (float(number) for number in numbers)
    return left, top, right, bottom


def beside(boxes: NDArray[np.float32], rng: np.random.Generator, count: int) -> Iterator[NDArray[np.float32]]:
    """At most ``count`` boxes that hold no tile: seams between tiles, tile sides, table beside the row.

    Only near tiles: far from them a photo may show face-up tiles that nobody labelled.

    Args:
        boxes: (N, 4) the tiles; beside none there is nothing.
        rng: source of chance.
        count: places to try.
    """
    for _ in range(count if len(boxes) else 0):
        left, top, right, bottom = boxes[rng.integers(len(boxes))]
        w, h = right - left, bottom - top
        scale = rng.uniform(0.6, 1.2)
        x = (left + right) / 2 + rng.choice([-1, 0, 1]) * w * rng.uniform(0.45, 0.8)
        y = (top + bottom) / 2 + rng.choice([-1, 0, 1]) * h * rng.uniform(0.45, 0.8)
        box = np.array([x - w * scale / 2, y - h * scale / 2, x + w * scale / 2, y + h * scale / 2], np.float32)
        if _cover(box, boxes) < 0.55:
            yield box


def _cover(box: NDArray[np.float32], boxes: NDArray[np.float32]) -> float:
    """Largest share of the smaller of ``box`` and any of ``boxes`` that the two have in common."""
    one = box[None]
    return float((intersection(one, boxes)[0] / np.minimum(areas(boxes), areas(one))).max(initial=0))


def save_image(path: Path, image: NDArray[np.uint8]) -> None:
    """Write a picture; works with Chinese file names on Windows too.

    Raises:
        OSError: the place cannot be written, or the format is unknown.
    """
    try:
        done, data = cv2.imencode(path.suffix or ".jpg", image)
    except cv2.error:
        done = False
    if not done:
        raise OSError(f"{path}: pictures can be written as .jpg, .png, .bmp or .webp")
    path.write_bytes(data.tobytes())
