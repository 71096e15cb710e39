"""A picture in, its tiles out: finding, naming, rows, doubt, and what cannot be."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.text import Text
from engine.tiles import CODES, NAMES, PLAYABLE, WHITE
from vision import MODELS
from vision.classifier import BACK, KINDS, OTHER, Classifier
from vision.detections import FACE_DOWN, Detections, areas
from vision.detector import Detector, supported
from vision.images import ImageError, brightened, content, load_image
from vision.rows import group_rows, row_direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.profiles import Profile

__all__ = ["MODELS", "ImageError", "Problem", "Reader", "Reading", "load_image"]

CERTAIN = 0.95
"""A kind at least this probable is certain, when the finder is sure too (see models/README.md for the measurement)."""

SURE_FIND = 0.45
"""The finder's confidence that ``certain`` asks for."""


WORTH = 0.5
"""Finder's confidence times best kind's probability below which a find is not listed."""


BETWEEN = 0.35
"""The same for a find right between two that are worth listing: a row has no gaps of just one tile."""

WORTH_BLANK = 0.2
"""The same for a white dragon: on many sets it is a blank tile, of which nobody can be very sure."""

NOTHING = 0.3
"""Probability of "no tile" from which a find is dropped."""

NEIGHBOUR = 1.8
"""Finds whose middles are so many times their size (the root of the area) apart are neighbours: tiles that touch, and keys."""

ALIKE = 0.5
"""And whose sizes differ by no more than this (of the natural logarithm)."""

NEIGHBOURS = 3
"""So many neighbours tell something about what lies among them."""

STRANGE = 0.0005
"""Probability of "no tile" from which nothing is certain: a joker or a red five, most likely.

Of 200 drawn ones none is called certain, of 1,050 real tiles 0.8 % less than without this (models/README.md)."""

SURELY_A_TILE = 0.8
"""The finder's confidence from which a find is listed even if nobody can name it."""


CUT_OFF = 0.55
"""A find at the picture's edge that shows less than this part of the area, or of the length, of the tiles near it is cut off: not read.

Publishers label some tiles of which two thirds are to be seen and leave others out. On 64 photos of other rooms this leaves
out 5 unlabelled finds and 1 labelled, and 3 photos more are exact; from 0.6 on more labelled ones would go than others."""

OUT_OF_SCALE = 0.36
"""Natural logarithm of the factor by which a find may differ from the size of a tile at its place.

On photos 1 tile of 4,047 differed by more, and 29 of 96 things that are no tiles."""

REFERENCE = 0.6
"""The finder's confidence from which a tile tells how large tiles are."""

FEWEST = 6
"""So many tiles are needed to tell that."""

NOTHING_SURE = 0.5
"""The same as ``NOTHING`` where the finder is as sure as ``SURELY_A_TILE``: a bird or a flower nobody drew before half looks like none."""

WHITE_OTHER = 0.65
"""The same as ``NOTHING`` for what may be a blank tile and the finder is ``SURE_BLANK`` of: a plain face looks like nothing."""

SURE_BLANK = 0.65

PLAIN_OTHER = 0.95
"""The same where it is plain and of the colour of the faces beside it (``plain_faces``)."""

FACE_UP_BY_FINDER = 0.02
"""Factor on the probability of a back where the finder saw a face: a plain white face and a white back look alike in a crop, and
the finder sees how the tiles beside it lie. Of 1,130 backs on drawn tables and photos it took 2 for faces; of 345 whites none of the
photos' and 4 of the drawn ones for backs."""

BACK_BY_FINDER = 0.9
"""The finder's (raised) confidence from which it may call a tile face down on its own."""

BESIDE = 3.2
"""Tiles whose middles are no more than so many times a find's size away say what colour its set's faces are."""

BESIDE_ALIKE = 0.25
"""And whose sizes differ by no more than this (of the natural logarithm); the four nearest, at least two, are asked."""

MIDDLE_PART = 0.6
"""Part of a find's width and height that is looked at for its colour."""

FEW_PIXELS = 25
"""Of less than this many nothing is told."""

PLAIN = (0.9, 24.0)
"""A find is plain when this part of its middle differs from its median by no more than so much (of 255, in each colour)."""

SAME_COLOUR = (0.02, 1.25)
"""Largest difference of the colours' parts of the sum, and largest factor of the sum, of what has a face's colour."""

FACE_AFTER_ALL = 0.8
"""Probability of a kind from which a find stays face up although the finder saw a back."""


@dataclass(frozen=True)
class Problem:
    """Something the tiles seen cannot be: ``code``, the kinds it is about, the detections, and a sentence."""

    code: str
    tiles: tuple[str, ...]
    indices: tuple[int, ...]
    text: Text

    def as_json(self) -> dict[str, Any]:
        """As in the reading of ``hand-record.md``."""
        return {"code": self.code, "tiles": list(self.tiles), **self.text.as_json()}


@dataclass(frozen=True)
class Reading:
    """What was seen in one picture.

    Attributes:
        detections: the tiles, face-down ones with kind -1.
        rows: indices of the face-up tiles in reading order, row by row; see ``rows.group_rows``.
        problems: what cannot be (five of a kind, two equal flowers).
        milliseconds: time the reading took, without decoding the file.
        width: of the picture, in pixels.
        height: of the picture, in pixels.
    """

    detections: Detections
    rows: list[list[int]]
    problems: list[Problem]
    milliseconds: float
    width: int
    height: int

    def row_of(self, index: int) -> int:
        """The row a face-up tile lies in.

        Raises:
            ValueError: the tile lies face down or does not exist.
        """
        for number, row in enumerate(self.rows):
            if index in row:
                return number
        raise ValueError(f"tile {index} is in no row")

    def as_json(self, image_name: str) -> dict[str, Any]:
        """The reading as ``hand-record.md`` has it: tiles row by row in reading order, face-down ones left out."""
        listed = self.detections.as_json()
        tiles = [{**listed[i], "row": number} for number, row in enumerate(self.rows) for i in row]
        return {
            "image": image_name,
            "width": self.width,
            "height": self.height,
            "milliseconds": round(self.milliseconds),
            "tiles": tiles,
            "rows": [[self.detections.code(i) for i in row] for row in self.rows],
            "problems": [problem.as_json() for problem in self.problems],
        }


class Reader:
    """Both models, loaded once, ready to read pictures.

    Args:
        models_dir: folder with ``detector.onnx`` and ``classifier.onnx``; default: the shipped weights.
        detector: another detector file (``.onnx``, or ``.pt`` with the extra ``train``).
        threads: threads per model; default: see ``runtime.threads_to_use``.
        profile: what was learned of the player's own set.

    Raises:
        ModelError: a model is missing or damaged.
        ProfileError: the profile is for another classifier.
    """

    def __init__(
        self,
        models_dir: Path | str | None = None,
        detector: Path | str | None = None,
        threads: int | None = None,
        profile: Profile | None = None,
    ) -> None:
        folder = Path(models_dir) if models_dir is not None else MODELS
        self.detector = Detector(Path(detector) if detector is not None else folder / "detector.onnx", threads=threads)
        self.classifier = Classifier(folder / "classifier.onnx", threads)
        self.classifier.use(profile)

    def read(self, image: NDArray[np.uint8]) -> Reading:
        """Read one picture.

        Args:
            image: (H, W, 3) BGR uint8, the right way round (``load_image`` sees to that).
        """
        began = time.perf_counter()
        seen = self.see(brightened(image))
        detections, rows, problems = arrange(seen[in_scale(seen)])
        height, width = image.shape[:2]
        return Reading(detections, rows, problems, (time.perf_counter() - began) * 1000, width, height)

    def see(
        self, image: NDArray[np.uint8], part: tuple[int, int, int, int] | None = None, scale: float | None = None
    ) -> Detections:
        """Find and name the tiles of a picture or of a part of it; neither rows nor what cannot be is looked at.

        Args:
            image: (H, W, 3) BGR, not dark (see ``images.brightened``).
            part: left, top, right, bottom in pixels; default: all of it.
            scale: of the look to take, see ``Detector.find``.
        """
        left, top, right, bottom = part if part is not None else (0, 0, image.shape[1], image.shape[0])
        boxes, confidence, classes = self.detector.find(image[top:bottom, left:right], scale)
        boxes += np.array([left, top, left, top], np.float32)
        classes = np.where(plain_faces(image, boxes, confidence, classes, classes == 1), 0, classes)
        detections, is_tile = self._judged(image, boxes, confidence, classes)
        return detections[is_tile & ~out_of_place(detections, is_tile)]

    def name(
        self,
        image: NDArray[np.uint8],
        boxes: NDArray[np.float32],
        confidence: NDArray[np.float32],
        classes: NDArray[np.int64] | None = None,
    ) -> Detections:
        """Name found tiles; finds that the classifier takes for no tile are dropped.

        What lies round a find is not asked: these may be some of the tiles only.

        Args:
            image: (H, W, 3) BGR, not dark (see ``images.brightened``).
            boxes: (N, 4) finds.
            confidence: (N,) the finder's.
            classes: (N,) 0 face up, 1 face down by the finder; default: all face up.
        """
        detections, is_tile = self._judged(image, boxes, confidence, classes, listed=True)
        return detections[is_tile]

    def _judged(
        self,
        image: NDArray[np.uint8],
        boxes: NDArray[np.float32],
        confidence: NDArray[np.float32],
        classes: NDArray[np.int64] | None,
        *,
        listed: bool = False,
    ) -> tuple[Detections, NDArray[np.bool_]]:
        """All finds with the best name of each, and (N,) which are taken for tiles; see ``name``.

        ``listed``: they were before, so a blank white need not be told by its neighbours' colour again.
        """
        probability = self.classifier.probabilities(image, boxes)
        if classes is not None:
            probability[classes == 0, BACK] *= FACE_UP_BY_FINDER
            probability /= probability.sum(1, keepdims=True)
        down = np.zeros(len(boxes), np.bool_) if classes is None else classes == 1
        # The classifier decides what lies face down; the finder alone only where it has no doubt.
        is_back = (probability[:, BACK] > 0.5) | (down & (confidence > BACK_BY_FINDER) & (probability[:, OTHER] < 0.6))
        # What the finder half believes and the classifier cannot name is print, a seam, a tile's side (measured in
        # models/README.md): nothing is gained by asking the player what it is.
        kinds = probability[:, :KINDS]
        best = kinds.argmax(1) if len(boxes) else np.empty(0, np.int64)
        top = kinds[np.arange(len(boxes)), best]
        worth = np.where(best == WHITE, WORTH_BLANK, WORTH)
        score = top * confidence
        named = (score >= worth) | (confidence >= SURELY_A_TILE)
        named |= (score >= BETWEEN) & supported(boxes, score, WORTH)
        # A find that the finder took for a back and the classifier for neither back nor a clear face is nothing; a plain
        # white face it may well be.
        named &= ~down | ((top >= FACE_AFTER_ALL) & (best != WHITE))
        blank = (best == WHITE) & (confidence >= SURE_BLANK)
        unlike = blank & (probability[:, OTHER] >= WHITE_OTHER)
        plain = unlike if listed else plain_faces(image, boxes, confidence, np.where(down, 1, 0), unlike)
        whites = np.where(plain, PLAIN_OTHER, WHITE_OTHER)
        nothing = np.where(blank, whites, np.where(confidence >= SURELY_A_TILE, NOTHING_SURE, NOTHING))
        is_tile = is_back | ((probability[:, OTHER] < nothing) & (named | blank & ~down))
        kind = np.where(is_back, FACE_DOWN, best).astype(np.int16)
        sure = (top >= CERTAIN) & (confidence >= SURE_FIND) & (probability[:, OTHER] < STRANGE)
        certain = np.where(is_back, confidence > SURE_FIND, sure)
        detections = Detections(
            np.asarray(boxes, np.float32), np.asarray(confidence, np.float32), kind,
            np.ascontiguousarray(kinds, np.float32), np.asarray(certain, np.bool_), np.zeros(len(boxes), np.float32),
        )  # fmt: skip
        return detections, np.asarray(is_tile & ~cut_off(detections.boxes, content(image)), np.bool_)


def plain_faces(
    image: NDArray[np.uint8],
    boxes: NDArray[np.float32],
    confidence: NDArray[np.float32],
    classes: NDArray[np.int64],
    which: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Which of some finds are plain and of the colour that the faces beside them have: blank white dragons.

    A crop of a blank white and one of a white back look alike, and so does one of a tile's side; the finder takes some for
    backs. But the backs of most sets have another colour than the faces. On 250 drawn tables the finder took 8 of 119 whites
    for backs, all of which this tells; of 290 backs it takes 5 for faces, on sets whose backs are as white as the faces. Of
    the photos of ``val`` two more are exact (models/README.md).

    Args:
        image: (H, W, 3) BGR.
        boxes: (N, 4) finds.
        confidence: (N,) the finder's.
        classes: (N,) 0 face up, 1 face down by the finder.
        which: (N,) bool, the finds that are asked about.

    Returns:
        (N,) bool.
    """
    result = np.zeros(len(boxes), np.bool_)
    sizes = np.sqrt(areas(boxes).clip(min=1))
    middles = (boxes[:, :2] + boxes[:, 2:]) / 2
    sure = np.flatnonzero((classes == 0) & (confidence >= REFERENCE))
    for i in np.flatnonzero(which):
        apart = np.linalg.norm(middles[sure] - middles[i], axis=1)
        near = (sure != i) & (apart < BESIDE * sizes[i])
        near &= np.abs(np.log(sizes[sure] / sizes[i])) < BESIDE_ALIKE
        shown = [_middle(image, boxes[j]) for j in sure[near][np.argsort(apart[near])[:4]]]
        faces = [_face_colour(pixels) for pixels in shown if len(pixels) >= FEW_PIXELS]
        pixels = _middle(image, boxes[i])
        if len(faces) < 2 or len(pixels) < FEW_PIXELS:
            continue
        own, theirs = np.median(pixels, axis=0), np.median(faces, axis=0)
        plain = (np.abs(pixels - own).max(1) <= PLAIN[1]).mean() >= PLAIN[0]
        # A little is added so that what is nearly black has no colour.
        tint = np.abs((own + 4) / (own.sum() + 12) - (theirs + 4) / (theirs.sum() + 12)).max()
        light = abs(np.log((own.sum() + 1) / (theirs.sum() + 1)))
        result[i] = plain and tint < SAME_COLOUR[0] and light < np.log(SAME_COLOUR[1])
    return result


def _middle(image: NDArray[np.uint8], box: NDArray[np.float32]) -> NDArray[np.float32]:
    """Pixels (N, 3) in the middle of a box, of a large one not all."""
    centre, half = (box[:2] + box[2:]) / 2, (box[2:] - box[:2]) * (MIDDLE_PART / 2)
    left, top = (centre - half).clip(min=0).astype(int)
    right, bottom = (centre + half).clip(min=0).astype(int)
    step = max(1, round(float(half.min()) / 12))
    return image[top:bottom:step, left:right:step].reshape(-1, 3).astype(np.float32)


def _face_colour(pixels: NDArray[np.float32]) -> NDArray[np.float32]:
    """The colour (3,) of a face without its ink: of the brightest two fifths of its pixels (N, 3)."""
    light = pixels.sum(1)
    return np.asarray(np.median(pixels[light >= np.quantile(light, 0.6)], axis=0), np.float32)


def out_of_place(detections: Detections, is_tile: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Doubtful finds that what lies round them speaks against.

    Keys of a keyboard look a little like faces now and then, but most of their neighbours do not; and what is white and lies
    alone is anything (a key, a tile's side, a cup), while plain white tiles lie among others or are found beyond doubt.

    Args:
        detections: all N finds, also those taken for nothing.
        is_tile: (N,) which are taken for tiles.

    Returns:
        (N,) bool, the ones among ``is_tile`` that had better be left out.
    """
    sizes = np.sqrt(areas(detections.boxes).clip(min=1))
    apart = np.linalg.norm(detections.centres[:, None] - detections.centres[None], axis=2)
    near = apart < NEIGHBOUR * np.maximum(sizes[:, None], sizes[None])
    near &= (np.abs(np.log(sizes[:, None] / sizes[None])) < ALIKE) & ~np.eye(len(sizes), dtype=np.bool_)
    doubtful = is_tile & ~detections.certain & (detections.kind != FACE_DOWN)
    left = is_tile.copy()
    enough = near.sum(1) >= NEIGHBOURS
    while True:
        gone = left & doubtful & enough & ((near & ~left).sum(1) * 2 > near.sum(1))
        if not gone.any():
            break
        left &= ~gone
    alone = ~(near & left).any(1) & (detections.confidence < SURELY_A_TILE)
    left &= ~(doubtful & alone & (detections.kind == WHITE))
    return np.asarray(is_tile & ~left, np.bool_)


def cut_off(boxes: NDArray[np.float32], edges: tuple[int, int, int, int]) -> NDArray[np.bool_]:
    """Which finds the picture's edge cuts off: they reach it and show much less than the whole tiles nearest to them.

    Args:
        boxes: (N, 4) finds; they may reach beyond the picture.
        edges: left, top, right, bottom of the picture, without black bars.

    Returns:
        (N,) bool; false where fewer than three whole tiles are seen.
    """
    result = np.zeros(len(boxes), np.bool_)
    first, last = np.array(edges[:2], np.float32), np.array(edges[2:], np.float32)
    shown = np.concatenate([boxes[:, :2].clip(first, last), boxes[:, 2:].clip(first, last)], 1)
    sizes = shown[:, 2:] - shown[:, :2]
    near = np.maximum(2.0, 0.05 * sizes)
    touching = (shown[:, :2] <= first + near) | (shown[:, 2:] >= last - near)
    whole = np.flatnonzero(~touching.any(1))
    if len(whole) < 3:
        return result
    area = sizes.prod(1)
    for i in np.flatnonzero(touching.any(1)):
        nearest = whole[np.argsort(np.abs(shown[whole] - shown[i]).sum(1))[:4]]
        short = sizes[i] < CUT_OFF * np.median(sizes[nearest], axis=0)
        result[i] = bool(area[i] < CUT_OFF * np.median(area[nearest]) or short[touching[i]].any())
    return result


def in_scale(detections: Detections) -> NDArray[np.bool_]:
    """Which finds are about as large as a tile is where they lie: dice, print and keys of a keyboard are smaller.

    Tiles of a set are alike, and from one camera their size changes evenly over the table. A plane through the logarithm
    of the sizes says how large a tile is at each place.

    Returns:
        (N,) bool; all true where too few tiles are seen, or where too many would be left out for the sizes to be one set's.
    """
    faces = detections.kind >= 0
    sure = np.flatnonzero(faces & (detections.confidence > REFERENCE))
    everything = np.ones(len(detections), np.bool_)
    if len(sure) < FEWEST:
        return everything
    size = np.log((detections.boxes[:, 2:] - detections.boxes[:, :2]).prod(1).clip(min=1)) / 2
    place = np.stack([detections.boxes[:, [0, 2]].mean(1), detections.boxes[:, 3]], 1).astype(np.float64)
    usual = float(np.exp(np.median(size[sure])))
    off = np.zeros(len(detections))
    for _ in range(2):  # the second time without what the first found out of scale
        kept = sure[np.abs(off[sure]) < OUT_OF_SCALE]
        if len(kept) < FEWEST:
            return everything
        middle, level = np.median(place[kept], axis=0), float(np.median(size[kept]))
        d = place[kept] - middle
        # Pulled towards no slope: a few tiles close together tell nothing about the table's perspective.
        slope = np.linalg.solve(d.T @ d + len(kept) * usual**2 * np.eye(2), d.T @ (size[kept] - level))
        off = size - level - (place - middle) @ slope
    good = ~faces | (np.abs(off) < OUT_OF_SCALE)
    if not good.all():
        listed = np.flatnonzero(faces)
        for row in group_rows(detections.boxes[listed]):
            members = listed[row]
            # One of a row of tiles as large as it is a tile, whatever the plane says.
            if len(members) >= 4 and good[members].mean() > 0.5:
                good[members] |= np.abs(size[members] - np.median(size[members])) < OUT_OF_SCALE / 2
    return np.asarray(good if (~good).sum() * 3 <= faces.sum() else everything, np.bool_)


def arrange(detections: Detections) -> tuple[Detections, list[list[int]], list[Problem]]:
    """Rows, angles and problems of named tiles: the detections with ``angle`` and ``certain`` brought up to date."""
    faces = np.flatnonzero(detections.kind >= 0)
    rows = [[int(faces[i]) for i in row] for row in group_rows(detections.boxes[faces])]
    checked, problems = check(replace(detections, angle=_angles(detections, rows)))
    return checked, rows, problems


def _angles(detections: Detections, rows: list[list[int]]) -> NDArray[np.float32]:
    """Degrees, clockwise, by which each tile's row is turned."""
    angles = np.zeros(len(detections), np.float32)
    centres = np.asarray(detections.centres, np.float64)
    for row in rows:
        if len(row) > 1:
            x, y = row_direction(centres[row])
            angles[row] = np.rad2deg(np.arctan2(y, x))
    return angles


def check(detections: Detections) -> tuple[Detections, list[Problem]]:
    """What cannot be, since a set has four of a kind and one of each flower; the tiles concerned become uncertain.

    Nothing is renamed: the sentence goes to the player, who knows.
    """
    certain = detections.certain.copy()
    problems: list[Problem] = []
    for kind, code in enumerate(CODES):
        where = np.flatnonzero(detections.kind == kind)
        if len(where) <= (4 if kind < PLAYABLE else 1):
            continue
        certain[where] = False
        if kind < PLAYABLE:
            text = Text(
                "看到 {n} 张{t}，一副牌只有四张。",
                "看到 {n} 張{t}，一副牌只有四張。",
                "{n} of {t} seen, a set has four.",
            )
            problem = "too_many"
        else:
            text = Text(
                "看到 {n} 张{t}，一副牌只有一张。",
                "看到 {n} 張{t}，一副牌只有一張。",
                "{n} of {t} seen, a set has one.",
            )
            problem = "duplicate_flower"
        problems.append(
            Problem(problem, (code,), tuple(int(i) for i in where), text.format(n=len(where), t=NAMES[kind]))
        )
    return replace(detections, certain=certain), problems
