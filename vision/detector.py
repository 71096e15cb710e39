"""Finding tiles: a YOLO over the whole picture, then a second, closer look where tiles are small."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import cv2
import numpy as np

from engine.text import Text
from vision.detections import areas, intersection, iou
from vision.images import content
from vision.rows import group_rows
from vision.runtime import ModelError, session

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    Boxes = NDArray[np.float32]

Region: TypeAlias = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels of the picture."""

STRIDE = 32
"""The network's input must be a multiple of this, both ways."""

LOOK = 576
"""Longer side of the first look, in pixels of the network's input."""

WIDE_LOOK = 1280
"""Longer side of the look at large photos in which tiles come out small."""

SMALL = 26
"""A tile whose longer side is shorter than this many pixels of the network's input deserves a closer look."""

READABLE = 56
"""Longer side of a tile, in pixels of the network's input, that a closer look aims at."""

RIM = 0.35
"""Width of a closer look's rim, as a part of a tile: there tiles are cut, and what was found before stands."""

CONFIDENCE = 0.3
BACK_GAIN = 4.0
"""Scores of face-down tiles are multiplied by this: the finder saw few in training and says so. The classifier checks them."""

WEAK = 0.4
"""Finds down to this part of the asked confidence count where they fill a gap between two surer ones."""

OVERLAP = 0.55
"""Two finds with more intersection over union than this are one tile."""


TIGHT = 0.9
"""Size of tiles as a part of the network's boxes, for weights that do not say (metadata ``tight``). The boxes are too large: labels
that the network learned from are loose, and ultralytics puts the upright box round a box it turns. How much is measured on photos
that were not trained on (``training.detector.tightness``). On sources left out of training, 95.2 % of the tiles have half of their
box in common with the network's own boxes, 99.9 % with these (models/README.md)."""

MOST = 2000
"""Finds that are compared with each other; a printed page may give tens of thousands of weak ones, whose table fills the memory."""

WITHIN = 0.9
"""So much of a find within a surer one makes them one tile: of 10,310 labelled tiles none had more than 0.43 of itself in
another's box, but for five that were labelled twice."""


class Finder(Protocol):
    """What runs the network.

    Attributes:
        tight: size of tiles as a part of its boxes, see ``TIGHT``.
    """

    tight: float

    def __call__(self, blob: NDArray[np.float32]) -> NDArray[np.float32]:
        """(1, 3, H, W) RGB 0 to 1 to (4 + classes, anchors): centre x, y, width, height, then class scores."""
        ...


class OnnxFinder:
    """The detector as ONNX, run by ONNX Runtime."""

    def __init__(self, path: Path, threads: int | None = None) -> None:
        self._session = session(path, threads)
        self._input = self._session.get_inputs()[0].name
        self.tight = float(self._session.get_modelmeta().custom_metadata_map.get("tight", TIGHT))

    def __call__(self, blob: NDArray[np.float32]) -> NDArray[np.float32]:
        """See ``Finder``."""
        (answer,) = self._session.run(None, {self._input: blob})
        return np.asarray(answer[0], np.float32)


class TorchFinder:
    """A ``.pt`` of ultralytics, on the graphics card where there is one. Needs the extra ``train``."""

    tight = TIGHT

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise ModelError(
                Text("找不到模型文件 {path}。", "找不到模型檔案 {path}。", "the model {path} is missing.").format(
                    path=path
                )
            )
        try:
            torch: Any = import_module("torch")  # a player has neither
            ultralytics: Any = import_module("ultralytics")
        except ImportError as error:
            raise ModelError(
                Text(
                    "运行 .pt 模型需要训练组件，请运行：pip install 'youjin[train]'。",
                    "執行 .pt 模型需要訓練元件，請執行：pip install 'youjin[train]'。",
                    "a .pt detector needs the training parts; run: pip install 'youjin[train]'.",
                )
            ) from error
        self._torch = torch
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self._net: Any = ultralytics.YOLO(str(path)).model.float().fuse().eval().to(self._device)

    def __call__(self, blob: NDArray[np.float32]) -> NDArray[np.float32]:
        """See ``Finder``."""
        with self._torch.inference_mode():
            answer = self._net(self._torch.from_numpy(blob).to(self._device))
        answer = answer[0] if isinstance(answer, (tuple, list)) else answer
        return np.asarray(answer[0].float().cpu().numpy(), np.float32)


class Detector:
    """Finds face-up and face-down tiles in pictures of any size.

    Args:
        path: ``.onnx``, or ``.pt`` with the extra ``train``.
        confidence: finds below it are left out.
        threads: threads of ONNX Runtime.

    Attributes:
        tight: size of tiles as a part of the network's boxes, see ``TIGHT``.
    """

    def __init__(self, path: Path, confidence: float = CONFIDENCE, threads: int | None = None) -> None:
        self.confidence = confidence
        self._finder: Finder = TorchFinder(path) if path.suffix == ".pt" else OnnxFinder(path, threads)
        self.tight = self._finder.tight

    def find(
        self, image: NDArray[np.uint8], scale: float | None = None
    ) -> tuple[Boxes, NDArray[np.float32], NDArray[np.int64]]:
        """All tiles of a picture.

        One look at the whole picture (less black bars round it) at 576 pixels; where the tiles come out small and the
        picture has more pixels than that, a look at 1280 pixels; then a closer look at each row of small tiles, cut
        out of the full resolution.

        Args:
            image: (H, W, 3) BGR.
            scale: of the one look to take, where it is known how large the tiles are (a part of a picture that was
                read before).

        Returns:
            (N, 4) float32 boxes, (N,) float32 confidences, (N,) classes: 0 face up, 1 face down.
        """
        if scale is not None:
            boxes, scores, classes = self._closer(image, self.look(image, scale), scale)
            return tightened(boxes, self.tight), scores, classes
        left, top, right, bottom = content(image)
        part = image[top:bottom, left:right]
        scale = look_scale(part)
        found = self.look(part, scale)
        wide = wide_scale(part)
        if wide > scale and small(found[0], scale):
            scale = wide
            found = self.look(part, scale)
        boxes, scores, classes = self._closer(part, found, scale)
        return tightened(boxes, self.tight) + np.array([left, top, left, top], np.float32), scores, classes

    def look(self, image: NDArray[np.uint8], scale: float) -> tuple[Boxes, NDArray[np.float32], NDArray[np.int64]]:
        """One look at a picture, brought to ``scale`` times its size."""
        height, width = image.shape[:2]
        w, h = max(1, round(width * scale)), max(1, round(height * scale))
        small = cv2.resize(image, (w, h), interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
        padded_w, padded_h = -(-w // STRIDE) * STRIDE, -(-h // STRIDE) * STRIDE
        left, top = (padded_w - w) // 2, (padded_h - h) // 2
        canvas = np.full((padded_h, padded_w, 3), 114, np.uint8)
        canvas[top : top + h, left : left + w] = small
        blob = np.asarray(cv2.dnn.blobFromImage(canvas, 1 / 255, swapRB=True), np.float32)
        answer = self._finder(blob)
        answer[5:] = np.minimum(answer[5:] * BACK_GAIN, 0.99)
        scores = answer[4:].max(0)
        keep = scores >= self.confidence * WEAK
        x, y, bw, bh = answer[:4, keep]
        boxes = np.stack([x - bw / 2 - left, y - bh / 2 - top, x + bw / 2 - left, y + bh / 2 - top], 1)
        boxes /= np.array([w / width, h / height, w / width, h / height], np.float32)
        found = suppress(np.asarray(boxes, np.float32), scores[keep], answer[4:, keep].argmax(0))
        good = supported(found[0], found[1], self.confidence)
        return found[0][good], found[1][good], found[2][good]

    def _closer(
        self, image: NDArray[np.uint8], found: tuple[Boxes, NDArray[np.float32], NDArray[np.int64]], seen_at: float
    ) -> tuple[Boxes, NDArray[np.float32], NDArray[np.int64]]:
        """Look again at rows of small tiles, at the resolution they have; what is found there replaces the first find."""
        boxes, scores, classes = found
        for region in regions(boxes, image.shape[1], image.shape[0], seen_at):
            left, top, right, bottom = region
            inside = _inside(boxes, region)
            if not inside.any():  # a look at a region beside this one found its tiles to be none
                continue
            side = float(np.median((boxes[inside, 2:] - boxes[inside, :2]).max(1)))
            scale = min(READABLE / side, WIDE_LOOK / max(right - left, bottom - top), 2.0)
            if scale < seen_at * 1.25:
                continue
            again = self.look(image[top:bottom, left:right], scale)
            moved = again[0] + np.array([left, top, left, top], np.float32)
            whole = _inside(moved, region, rim=RIM * side)
            keep = ~_inside(boxes, region, rim=RIM * side)
            boxes = np.concatenate([boxes[keep], moved[whole]])
            scores = np.concatenate([scores[keep], again[1][whole]])
            classes = np.concatenate([classes[keep], again[2][whole]])
            boxes, scores, classes = suppress(boxes, scores, classes)
        return boxes, scores, classes


def tightened(boxes: Boxes, part: float) -> Boxes:
    """Boxes (N, 4) brought to ``part`` of their size, about their middles."""
    middle, half = (boxes[:, :2] + boxes[:, 2:]) / 2, (boxes[:, 2:] - boxes[:, :2]) * (part / 2)
    return np.concatenate([middle - half, middle + half], axis=1)


def look_scale(picture: NDArray[np.uint8]) -> float:
    """The scale of the first look at a picture (H, W, 3)."""
    return float(min(LOOK / max(picture.shape[:2]), 2.0))


def wide_scale(picture: NDArray[np.uint8]) -> float:
    """The scale of the second look, for small tiles; no more than the first one's where it would show little more."""
    longer = max(picture.shape[:2])
    return float(min(WIDE_LOOK / longer, 1.0)) if longer > LOOK * 1.2 else 0.0


def small(boxes: Boxes, scale: float) -> bool:
    """Whether tiles come out small at this scale, or none was found (they may be too small to be)."""
    if not len(boxes):
        return True
    return float(np.median((boxes[:, 2:] - boxes[:, :2]).max(1))) * scale < SMALL * 1.5


def _inside(boxes: Boxes, region: Region, rim: float = 0.0) -> NDArray[np.bool_]:
    """Which boxes have their middle in the region, at least ``rim`` pixels from its edge."""
    x, y = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
    left, top, right, bottom = region
    return np.asarray((x >= left + rim) & (x <= right - rim) & (y >= top + rim) & (y <= bottom - rim))


def regions(boxes: Boxes, width: int, height: int, seen_at: float) -> list[Region]:
    """Parts of the picture, around rows of tiles that were seen too small, worth a closer look.

    Args:
        boxes: (N, 4) tiles found.
        width: of the picture.
        height: of the picture.
        seen_at: the scale of the look that found them.

    Returns:
        left, top, right, bottom in whole pixels; overlapping ones are joined.
    """
    result: list[Region] = []
    if not len(boxes) or float((boxes[:, 2:] - boxes[:, :2]).max(1).min()) * seen_at >= SMALL:
        return result
    for row in group_rows(boxes):
        members = boxes[row]
        side = float(np.median((members[:, 2:] - members[:, :2]).max(1)))
        if side * seen_at >= SMALL:
            continue
        # A row may go on past its last find: look two tiles further.
        result.append(
            (
                max(0, int(members[:, 0].min() - 2 * side)),
                max(0, int(members[:, 1].min() - 1.5 * side)),
                min(width, int(members[:, 2].max() + 2 * side) + 1),
                min(height, int(members[:, 3].max() + 1.5 * side) + 1),
            )
        )
    return join(result, _overlap)


def join(parts: list[Region], together: Callable[[Region, Region], bool]) -> list[Region]:
    """Join rectangles, two at a time, as long as there are two that belong ``together``."""
    parts = list(parts)
    merged = True
    while merged:
        merged = False
        for i, a in enumerate(parts):
            for j in range(i + 1, len(parts)):
                b = parts[j]
                if together(a, b):
                    parts[i] = around(a, b)
                    del parts[j]
                    merged = True
                    break
            if merged:
                break
    return parts


def around(a: Region, b: Region) -> Region:
    """The smallest rectangle that holds two."""
    return min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])


def area(region: Region) -> int:
    """Pixels of a region."""
    return max(0, region[2] - region[0]) * max(0, region[3] - region[1])


def _overlap(a: Region, b: Region) -> bool:
    """Whether two rectangles have more than a third of the smaller one in common."""
    common = area((max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])))
    return common > min(area(a), area(b)) / 3


def supported(boxes: Boxes, scores: NDArray[np.float32], confidence: float) -> NDArray[np.bool_]:
    """Which finds to keep: the sure ones, and weak ones that lie right between two sure ones of their size.

    A dark or blank tile in a row is found weakly, yet a gap of just one tile between two others speaks for it.
    """
    keep = scores >= confidence
    sure = np.flatnonzero(keep)
    if len(sure) < 2:
        return keep
    centres = (boxes[:, :2] + boxes[:, 2:]) / 2
    sizes = boxes[:, 2:] - boxes[:, :2]
    for i in np.flatnonzero(~keep):
        offset = centres[sure] - centres[i]
        distance = np.hypot(offset[:, 0], offset[:, 1])
        alike = (np.abs(np.log(sizes[sure] / sizes[i])) < 0.3).all(1)
        # Neighbours touch: their middles are about a width apart along a row, a height across it.
        near = alike & (distance > 0.8 * sizes[i].min()) & (distance < 1.35 * sizes[i].max())
        sides = offset[near]
        between = np.linalg.norm(sides[:, None] + sides[None], axis=2) < 0.3 * sizes[i].min()
        keep[i] = bool(between.any())
    return keep


def suppress(
    boxes: Boxes, scores: NDArray[np.float32], classes: NDArray[np.int64]
) -> tuple[Boxes, NDArray[np.float32], NDArray[np.int64]]:
    """Of finds that overlap too much keep the surest (non-maximum suppression over all classes together).

    A find as large as two neighbours, both of which were found as well, goes; so does one that lies almost wholly within a
    surer one.
    """
    order = np.argsort(-scores, kind="stable")[:MOST]
    boxes, scores, classes = boxes[order], scores[order], np.asarray(classes[order], np.int64)
    if len(boxes) < 2:
        return boxes, scores, classes
    keep = _surest(iou(boxes, boxes) > OVERLAP)
    boxes, scores, classes = boxes[keep], scores[keep], classes[keep]
    keep = ~_doubles(boxes, scores)
    boxes, scores, classes = boxes[keep], scores[keep], classes[keep]
    keep = _surest(_within(boxes) > WITHIN)
    return boxes[keep], scores[keep], classes[keep]


def _surest(same: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which finds, sorted by confidence, are the ``same`` (N, N) as no surer one that is kept."""
    keep = np.ones(len(same), np.bool_)
    for i in range(len(same)):
        if keep[i]:
            later = same[i].copy()
            later[: i + 1] = False
            keep &= ~later
    return keep


def _within(boxes: Boxes) -> NDArray[np.float32]:
    """(N, N) how much two boxes have in common, as a part of the smaller one."""
    size = areas(boxes)
    return np.asarray(intersection(boxes, boxes) / np.minimum(size[:, None], size).clip(1e-9), np.float32)


def _doubles(boxes: Boxes, scores: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which finds span two neighbouring tiles that were found one by one."""
    result = np.zeros(len(boxes), np.bool_)
    size = areas(boxes)
    sure = scores >= CONFIDENCE
    if sure.sum() < 4:
        return result
    usual = float(np.median(size[sure]))
    common = intersection(boxes, boxes)
    single = sure & (size > usual / 1.7) & (size < usual * 1.4)
    for i in np.flatnonzero(size > usual * 1.4):
        inside = np.flatnonzero(single & (common[i] > 0.7 * size) & (scores > 0.5 * scores[i]))
        apart = common[np.ix_(inside, inside)] < 0.35 * size[inside]
        result[i] = bool(apart.any())
    return result
