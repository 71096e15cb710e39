"""Reading frame after frame: only what changed is looked at again.

A whole picture takes most of a second on a small machine, and from one frame to the next nearly all of it stays as it was.
So the finds and names of untouched tiles are kept, and the parts that changed are cut out of the full resolution and
looked at as closely as a reading of the whole picture would. What was read is held against each new frame, not the frame
before: slow changes (dusk, a tile slid along) add up until they count.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import cv2
import numpy as np

from vision.detections import FACE_DOWN, Detections, iou
from vision.detector import OVERLAP, READABLE, SMALL, Region, area, around, join, look_scale, small, wide_scale
from vision.images import brightened, content
from vision.reading import Reading, arrange, in_scale

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Image = NDArray[np.uint8]
    Grey = NDArray[np.float32]
    Mask = NDArray[np.bool_]

WIDTH = 320
"""Pictures are compared this many cells wide; a tile of a wide table still covers several of them."""

LEVELS = 12.0
"""Grey levels by which a cell must differ to count …"""

NOISES = 7.0
"""… and by so many times the noise between two frames."""

WORST_NOISE = 3.0
"""Grey levels of noise in a cell, in a dim room."""

CELLS = 4
"""Cells side by side that must differ: a smaller spot is noise, or the glint of a lamp."""

ALL = 0.45
"""Share of the picture from which a change concerns all of it: the camera was moved, the light switched on."""

MUCH = 0.15
"""Share of the picture up to which tiles in doubt are looked for again: a change that comes meanwhile has to wait."""

CONTEXT = 1.5
"""Tile sides of unchanged picture that are looked at round a change; the finder needs to see what lies beside."""

BANDS = 6
"""Parts in which a still picture is read again from time to time, so that a change that comes meanwhile waits only for one."""


class Eyes(Protocol):
    """What reads; ``vision.reading.Reader`` does."""

    def see(self, image: Image, part: Region | None = None, scale: float | None = None) -> Detections:
        """See ``Reader.see``."""
        ...

    def name(
        self,
        image: Image,
        boxes: NDArray[np.float32],
        confidence: NDArray[np.float32],
        classes: NDArray[np.int64] | None = None,
    ) -> Detections:
        """See ``Reader.name``."""
        ...


@dataclass(frozen=True)
class Glance:
    """How a frame differs from what was read, and from the frame before.

    Attributes:
        changed: parts that differ from what was read there.
        moving: parts that differ from the frame before.
        everything: so much differs from what was read that only a whole reading helps; so does the first frame.
        extent: share of the picture that differs from the last frame in which nothing moved: the size of the hand that
            moves, and of what it has moved so far.
        restless: share of the picture that differs from the frame before.
    """

    changed: list[Region]
    moving: list[Region]
    everything: bool
    extent: float
    restless: float

    @property
    def still(self) -> bool:
        """Whether the frame shows what was read."""
        return not self.changed and not self.everything


class Watcher:
    """Reads the frames of one camera, keeping what did not change.

    Use: `glance` at each frame; then `read`, `again` or `refresh` it, or leave it. Not for several threads at once.
    """

    def __init__(self) -> None:
        self._seen = Detections.empty()
        self._shown: Grey | None = None  # what was read, small and grey
        self._newest: Grey | None = None
        self._rest: Grey | None = None  # the last frame in which nothing moved
        self._noise = 0.0
        self._size = (0, 0)
        self._scale = 0.0
        self._usual_side = float(READABLE)
        self._band = BANDS

    def reset(self) -> None:
        """Forget everything: another camera."""
        self.__init__()  # type: ignore[misc]

    # --- seeing what changed ---------------------------------------------------------------------------------------

    def glance(self, image: Image) -> Glance:
        """Compare a frame (H, W, 3), BGR, with what was read and with the frame before; costs about a millisecond."""
        before, self._newest = self._newest, _thumbnail(image)
        if self._shown is None or self._size != image.shape[:2] or before is None or before.shape != self._newest.shape:
            self._noise, self._rest = 0.0, self._newest
            return Glance([], [], everything=True, extent=1.0, restless=0.0)
        difference = _difference(self._newest, before)
        # Mostly half of the cells show nothing but noise; more than the worst webcam's is movement.
        noise = min(_median(difference) * 1.48, WORST_NOISE)
        self._noise = noise if self._noise == 0.0 else 0.8 * self._noise + 0.2 * noise
        level = max(LEVELS, NOISES * self._noise)
        moving = difference > level
        changed = _difference(self._newest, self._shown) > level
        spots = self._regions(moving)
        if not spots or self._rest is None:
            self._rest = self._newest
        extent = float((_difference(self._newest, self._rest) > level).mean())
        return Glance(
            self._regions(changed), spots, float(changed.mean()) > ALL, extent, float(moving.mean()) if spots else 0.0
        )

    def _regions(self, mask: Mask) -> list[Region]:
        """The spots of a mask as rectangles of the picture, those that touch joined."""
        if not mask.any():
            return []
        height, width = self._size
        fx, fy = width / mask.shape[1], height / mask.shape[0]
        near = cv2.dilate(mask.astype(np.uint8), np.ones((5, 5), np.uint8))
        count, labels = cv2.connectedComponents(near)
        cells = np.bincount(labels[mask], minlength=count)
        found: list[Region] = []
        for number in np.flatnonzero(cells >= CELLS):
            rows, columns = np.nonzero((labels == number) & mask)
            found.append(
                (
                    int(columns.min() * fx),
                    int(rows.min() * fy),
                    min(width, int((columns.max() + 1) * fx) + 1),
                    min(height, int((rows.max() + 1) * fy) + 1),
                )
            )
        return found

    # --- reading ---------------------------------------------------------------------------------------------------

    def read(self, eyes: Eyes, image: Image, glance: Glance) -> Reading:
        """Read what changed; everything where that is most of the picture.

        Args:
            eyes: who reads.
            image: (H, W, 3) BGR, the frame of the glance.
            glance: how it differs.
        """
        began = time.perf_counter()
        if glance.everything or not len(self._seen):
            self._whole(eyes, image)
        else:
            self._parts(eyes, image, glance.changed)
        return self._reading(began)

    def again(self, eyes: Eyes, image: Image, doubtful: NDArray[np.float32]) -> Reading:
        """Read a still picture once more where there is doubt: the newest frame has other noise than the one before.

        Args:
            eyes: who reads.
            image: (H, W, 3) BGR, a frame that shows what was read.
            doubtful: (N, 4) boxes of the tiles in doubt, found or missed.
        """
        began = time.perf_counter()
        if not len(self._seen):
            self._whole(eyes, image)
            return self._reading(began)
        found = _among(doubtful, self._seen.boxes)
        spots = [_around(box) for box in doubtful]
        cores, lit = self._cores(spots), brightened(image)
        if sum(area(self._context(core)) for core in cores) > MUCH * self._size[0] * self._size[1]:
            # Much of the table is new. Finding it again would take long and find the same; the names are asked again.
            self._rename(eyes, lit, _among(self._seen.boxes, doubtful[found]))
            cores = self._cores([_around(box) for box in doubtful[~found]])
        self._look(eyes, image, lit, cores)
        return self._reading(began)

    def refresh(self, eyes: Eyes, image: Image) -> Reading:
        """Read the next part of a still picture anew, whatever it shows; after ``BANDS`` of them all was read again."""
        began = time.perf_counter()
        height, width = self._size
        self._band = (self._band + 1) % BANDS
        # Bands of equal height; tiles on the seam belong to the band their middle lies in.
        top, bottom = height * self._band // BANDS, height * (self._band + 1) // BANDS
        if len(self._seen):
            self._look(eyes, image, brightened(image), [(0, top, width, bottom)])
        else:
            self._whole(eyes, image)
        return self._reading(began)

    def _reading(self, began: float) -> Reading:
        detections, rows, problems = arrange(self._seen[in_scale(self._seen)])
        height, width = self._size
        return Reading(detections, rows, problems, (time.perf_counter() - began) * 1000, width, height)

    def _whole(self, eyes: Eyes, image: Image) -> None:
        left, top, right, bottom = content(image)
        part = image[top:bottom, left:right]
        first, wide = look_scale(part), wide_scale(part)
        lit, seen = brightened(image), None
        if len(self._seen) and self._size == image.shape[:2] and self._scale == wide > first:
            # The tiles were small before: most likely they still are, and one look will do.
            seen = eyes.see(lit, (left, top, right, bottom), wide)
            if not len(seen) or not small(seen.boxes, first):
                seen = None
        if seen is None:
            seen = eyes.see(lit)
        self._size = (image.shape[0], image.shape[1])
        self._shown = _thumbnail(image)
        self._seen = seen
        self._scale = wide if wide > first and small(seen.boxes, first) else first

    def _parts(self, eyes: Eyes, image: Image, changed: list[Region]) -> None:
        cores = self._cores(changed)
        if sum(area(self._context(core)) for core in cores) > ALL * self._size[0] * self._size[1]:
            self._whole(eyes, image)
        else:
            self._look(eyes, image, brightened(image), cores)

    def _cores(self, spots: list[Region]) -> list[Region]:
        """Rectangles that hold the spots and every tile they touch; those whose looks would overlap are joined."""
        cores = list(spots)
        boxes = self._seen.boxes
        for _ in range(3):
            for number, core in enumerate(cores):
                touched = boxes[_touches(boxes, core)]
                if len(touched):
                    tiles = _around(np.concatenate([touched[:, :2].min(0), touched[:, 2:].max(0)]))
                    cores[number] = self._clip(around(core, tiles))
            joined = self._join(cores)
            if joined == cores:
                break
            cores = joined
        return cores

    def _join(self, cores: list[Region]) -> list[Region]:
        """Join two cores where one look at both costs no more than a look at each."""

        def cheaper(a: Region, b: Region) -> bool:
            return area(self._context(around(a, b))) <= area(self._context(a)) + area(self._context(b))

        return join(cores, cheaper)

    def _side(self, core: Region) -> float:
        """Longer side of the tiles round a region, in pixels; with no tile left on the table, of those seen last."""
        boxes = self._seen.boxes
        if not len(boxes):
            return self._usual_side
        sides = (boxes[:, 2:] - boxes[:, :2]).max(1)
        middle = np.array([(core[0] + core[2]) / 2, (core[1] + core[3]) / 2], np.float32)
        distance = np.linalg.norm((boxes[:, :2] + boxes[:, 2:]) / 2 - middle, axis=1)
        self._usual_side = float(np.median(sides[np.argsort(distance, kind="stable")[:7]]))
        return self._usual_side

    def _context(self, core: Region) -> Region:
        margin = int(CONTEXT * self._side(core)) + 1
        return self._clip((core[0] - margin, core[1] - margin, core[2] + margin, core[3] + margin))

    def _clip(self, region: Region) -> Region:
        height, width = self._size
        return max(0, region[0]), max(0, region[1]), min(width, region[2]), min(height, region[3])

    def _look(self, eyes: Eyes, image: Image, lit: Image, cores: list[Region]) -> None:
        """Look at regions of a frame, ``lit`` as brightened; what is found there replaces what was."""
        little = _thumbnail(image)
        for core in cores:
            side = self._side(core)
            # As near as a reading of the whole picture would look at tiles of this size.
            scale = self._scale if side * self._scale >= SMALL else min(READABLE / side, 2.0)
            found = eyes.see(lit, self._context(core), max(scale, self._scale))
            new = found[_inside(found.boxes, core)]
            kept = self._seen[~_inside(self._seen.boxes, core)]
            # A tile on the seam may be found a little to the other side than before.
            self._seen = _together(kept, new[~_among(new.boxes, kept.boxes)])
            self._take_note(little, core)

    def _rename(self, eyes: Eyes, lit: Image, which: Mask) -> None:
        old = self._seen[which]
        classes = (old.kind == FACE_DOWN).astype(np.int64)
        self._seen = _together(self._seen[~which], eyes.name(lit, old.boxes, old.confidence, classes))

    def _take_note(self, new: Grey, core: Region) -> None:
        """From now on this part of the frame, of which ``new`` is the thumbnail, is what was read."""
        if self._shown is None:
            return
        height, width = self._size
        rows, columns = new.shape
        top, bottom = core[1] * rows // height, -(-core[3] * rows // height)
        left, right = core[0] * columns // width, -(-core[2] * columns // width)
        # A lamp that flickers lifted the new part: it is brought to the light of the rest.
        lift = _median(new - self._shown)
        self._shown[top:bottom, left:right] = new[top:bottom, left:right] - lift


def _thumbnail(image: Image) -> Grey:
    height, width = image.shape[:2]
    size = (min(WIDTH, width), max(1, round(height * min(WIDTH, width) / width)))
    little = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(little, cv2.COLOR_BGR2GRAY), np.float32)


def _difference(one: Grey, other: Grey) -> Grey:
    """How much two thumbnails differ, the light of the whole picture left out: lamps flicker."""
    difference = one - other
    return np.asarray(np.abs(difference - np.float32(_median(difference))), np.float32)


def _median(values: Grey) -> float:
    """The median, of every ninth value: it is asked for at each frame."""
    return float(np.median(values[::3, ::3]))


def _around(box: NDArray[np.float32]) -> Region:
    return int(box[0]), int(box[1]), int(box[2]) + 1, int(box[3]) + 1


def _touches(boxes: NDArray[np.float32], region: Region) -> Mask:
    left, top, right, bottom = region
    return np.asarray(
        (boxes[:, 0] < right) & (boxes[:, 2] > left) & (boxes[:, 1] < bottom) & (boxes[:, 3] > top), np.bool_
    )


def _inside(boxes: NDArray[np.float32], region: Region) -> Mask:
    """Which boxes have their middle in a region."""
    x, y = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
    left, top, right, bottom = region
    return np.asarray((x >= left) & (x < right) & (y >= top) & (y < bottom), np.bool_)


def _among(boxes: NDArray[np.float32], others: NDArray[np.float32]) -> Mask:
    """Which boxes are among the others."""
    return np.asarray((iou(boxes, others) > OVERLAP).any(1), np.bool_)


def _together(one: Detections, other: Detections) -> Detections:
    return Detections(
        np.concatenate([one.boxes, other.boxes]),
        np.concatenate([one.confidence, other.confidence]),
        np.concatenate([one.kind, other.kind]),
        np.concatenate([one.probability, other.probability]),
        np.concatenate([one.certain, other.certain]),
        np.concatenate([one.angle, other.angle]),
    )
