"""Reading only what changed: what counts as a change, and that the result is what a reading of the whole picture gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.vision.conftest import placed
from vision.detections import Detections, iou
from vision.synthesis.demo import DemoScript
from vision.tracking import Tracker
from vision.watching import BANDS, Region, Watcher

if TYPE_CHECKING:
    from vision.reading import Reader

SIZE = (720, 1280)


def scene(*spots: tuple[int, int], light: int = 0, noise: np.random.Generator | None = None) -> np.ndarray:
    """A dark table with a white tile at each (left, top)."""
    image = np.full((*SIZE, 3), 60 + light, np.uint8)
    for left, top in spots:
        image[top : top + 60, left : left + 44] = 230
    if noise is not None:
        shaken = image.astype(np.int16) + noise.normal(0, 6, image.shape).round().astype(np.int16)
        image = shaken.clip(0, 255).astype(np.uint8)
    return image


class Eyes:
    """Sees the tiles of `scene`, each as 1m, and notes what it was asked."""

    def __init__(self) -> None:
        self.asked: list[Region | None] = []
        self.scales: list[float | None] = []
        self.named: list[int] = []
        self.tiles: list[tuple[int, int]] = []

    def see(self, image: np.ndarray, part: Region | None = None, scale: float | None = None) -> Detections:
        self.asked.append(part)
        self.scales.append(scale)
        left, top, right, bottom = part or (0, 0, image.shape[1], image.shape[0])
        there = [(x, y) for x, y in self.tiles if left <= x and x + 44 <= right and top <= y and y + 60 <= bottom]
        assert (scale is None) == (part is None)
        return placed([("1m", x + 22, y + 30) for x, y in there], size=(44, 60))

    def name(self, image: np.ndarray, boxes: np.ndarray, *_: object) -> Detections:
        del image
        self.named.append(len(boxes))
        return placed([("2m", *((box[:2] + box[2:]) / 2)) for box in boxes], size=(44, 60))


ROW = [(100 + 46 * place, 600) for place in range(13)]


def read(watcher: Watcher, eyes: Eyes, *spots: tuple[int, int], light: int = 0) -> int:
    """Show a table and read it; how many tiles the reading has."""
    eyes.tiles = list(spots)
    image = scene(*spots, light=light)
    glance = watcher.glance(image)
    return len(watcher.read(eyes, image, glance).detections)


def test_something_else_lies_there_when_the_last_tile_is_taken() -> None:
    watcher, eyes = Watcher(), Eyes()
    assert read(watcher, eyes, (60, 60)) == 1
    eyes.tiles = []
    image = scene((1150, 600))  # a phone, for instance; it is looked at when no tile is known any more
    assert len(watcher.read(eyes, image, watcher.glance(image)).detections) == 0
    assert len(eyes.asked) == 3
    assert read(watcher, eyes, (60, 60), (1150, 600)) == 2


def test_only_what_changed_is_looked_at() -> None:
    watcher, eyes = Watcher(), Eyes()
    assert read(watcher, eyes, *ROW) == 13
    assert read(watcher, eyes, *ROW, (800, 200)) == 14
    assert eyes.asked[0] is None
    part = eyes.asked[1]
    assert part is not None
    assert part[0] < 800 - 60
    assert part[2] > 844 + 60  # with what lies round it
    assert (part[2] - part[0]) * (part[3] - part[1]) < 0.08 * SIZE[0] * SIZE[1]
    assert read(watcher, eyes, *ROW[:12], (800, 200)) == 13
    assert watcher.glance(scene(*ROW[:12], (800, 200))).still
    assert len(eyes.asked) == 3


def test_a_change_of_nearly_everything_is_read_whole_and_of_small_tiles_one_look_is_enough() -> None:
    watcher, eyes = Watcher(), Eyes()
    read(watcher, eyes, *ROW)
    far = [(60 + 90 * column, 20 + 80 * row) for row in range(6) for column in range(13)]
    eyes.tiles = far
    turned = scene(*far)
    assert len(watcher.read(eyes, turned, watcher.glance(turned)).detections) == len(far)
    assert eyes.asked == [None, (0, 0, 1280, 720)]
    assert eyes.scales[1] == 1.0
    eyes.tiles = []
    read(watcher, eyes)
    assert eyes.asked[2:] == [(0, 0, 1280, 720), None]  # nothing was found that way: perhaps the tiles are large now
    assert watcher.glance(scene()[:360]).everything, "another camera"


def test_noise_and_flicker_are_no_change_and_slow_changes_add_up() -> None:
    watcher, eyes, noise = Watcher(), Eyes(), np.random.default_rng(5)
    assert watcher.glance(scene(*ROW)).everything, "the first frame"
    read(watcher, eyes, *ROW)
    for _ in range(10):
        assert watcher.glance(scene(*ROW, noise=noise)).still
    assert watcher.glance(scene(*ROW, light=9)).still
    assert not watcher.glance(scene(*ROW[:12], noise=noise)).still
    slid = [watcher.glance(scene(*ROW[:12], (ROW[12][0], 600 - step))).still for step in range(20)]
    assert slid[0]
    assert not slid[-1]


def test_what_moves_is_told_from_what_has_changed() -> None:
    watcher, eyes = Watcher(), Eyes()
    read(watcher, eyes, *ROW)
    first, second = (watcher.glance(scene(*ROW, (700, 300))) for _ in range(2))
    assert first.moving
    assert first.changed
    assert not second.moving
    assert second.changed == first.changed


def test_the_extent_of_a_movement_is_that_of_the_hand_and_then_of_what_it_has_laid() -> None:
    watcher, eyes = Watcher(), Eyes()
    read(watcher, eyes, *ROW)
    watcher.glance(scene(*ROW))
    extents = []
    for step in range(6):
        image = scene(*ROW, (700, 300))
        image[200:600, 400 + 30 * step : 800 + 30 * step] = 150
        glance = watcher.glance(image)
        watcher.read(eyes, image, glance)  # what was read on the way does not make the hand smaller
        extents.append(glance.extent)
    assert min(extents) > 0.1
    gone = watcher.glance(scene(*ROW, (700, 300)))
    assert gone.moving
    assert gone.extent < 0.01
    assert watcher.glance(scene(*ROW, (700, 300))).extent == 0.0


def test_a_still_picture_is_asked_again_only_where_there_is_doubt() -> None:
    watcher, eyes = Watcher(), Eyes()
    read(watcher, eyes, *ROW, (800, 200))
    reading = watcher.again(eyes, scene(*ROW, (800, 200)), np.array([[800, 200, 844, 260]], np.float32))
    assert len(reading.detections) == 14
    assert len(eyes.asked) == 2
    assert eyes.named == []
    # All of a large table: it is not found again, only named.
    many = [(60 + 90 * column, 20 + 100 * row) for row in range(7) for column in range(13)]
    read(watcher, eyes, *many)
    asked = len(eyes.asked)
    boxes = np.array([(x, y, x + 44, y + 60) for x, y in many], np.float32)
    named = watcher.again(eyes, scene(*many), boxes).detections
    assert {named.code(index) for index in range(len(many))} == {"2m"}
    assert eyes.named == [len(many)]
    assert len(eyes.asked) == asked


def test_in_the_dark_every_look_is_at_a_brightened_picture() -> None:
    class Noting(Eyes):
        """Notes how light what it is shown is."""

        def __init__(self) -> None:
            super().__init__()
            self.light: list[tuple[str, int]] = []

        def see(self, image: np.ndarray, part: Region | None = None, scale: float | None = None) -> Detections:
            self.light.append(("see", int(image.max())))
            return super().see(image, part, scale)

        def name(self, image: np.ndarray, boxes: np.ndarray, *rest: object) -> Detections:
            self.light.append(("name", int(image.max())))
            return super().name(image, boxes, *rest)

    watcher, eyes = Watcher(), Noting()
    for tiles in (ROW, [*ROW, (800, 200)]):  # the whole picture, then what changed
        eyes.tiles = tiles
        dark = scene(*tiles) // 4
        watcher.read(eyes, dark, watcher.glance(dark))
    far = [(60 + 90 * column, 20 + 80 * row) for row in range(6) for column in range(13)]
    eyes.tiles = far
    dark = scene(*far) // 4
    reading = watcher.read(eyes, dark, watcher.glance(dark))
    watcher.again(eyes, dark, reading.detections.boxes)  # so many in doubt are named again
    watcher.refresh(eyes, dark)
    assert {which for which, _ in eyes.light} == {"see", "name"}
    assert min(light for _, light in eyes.light) > 180


def test_a_still_picture_is_read_anew_part_by_part() -> None:
    watcher, eyes = Watcher(), Eyes()
    tiles = [*ROW, *((100 + 46 * place, 91) for place in range(10))]  # these lie on the seam of two parts
    read(watcher, eyes, *tiles)
    for _ in range(BANDS):
        assert len(watcher.refresh(eyes, scene(*tiles)).detections) == len(tiles)
    eyes.tiles = [*tiles, (900, 400)]  # overlooked until now
    assert [len(watcher.refresh(eyes, scene(*tiles)).detections) for _ in range(BANDS)][-1] == len(tiles) + 1


def test_without_tiles_everything_is_read() -> None:
    watcher, eyes = Watcher(), Eyes()
    assert read(watcher, eyes) == 0
    assert read(watcher, eyes, (800, 200)) == 1
    assert eyes.asked == [None, None]
    watcher.reset()
    assert read(watcher, eyes, (800, 200)) == 1


@pytest.mark.timeout(900)
def test_steps_of_the_demo_are_read_as_a_reading_of_the_whole_picture_would(reader: Reader) -> None:
    script = DemoScript(seed=3)
    watcher = Watcher()
    trackers = Tracker(), Tracker()
    agreed = faces = 0
    spans = [span for span in script._spans(0) if span.step.key != "other"][2:11]
    for span in spans:
        image, truth = script.frame((span.still + span.end) / 2)
        glance = watcher.glance(image)
        readings = watcher.read(reader, image, glance), reader.read(image)
        part, whole = (
            [tracker.update(reading, still=frame > 0) for frame in range(3)][-1].detections
            for tracker, reading in zip(trackers, readings, strict=True)
        )
        over = iou(part.boxes, whole.boxes)
        real = iou(part.boxes, np.array([box.xyxy for box in truth.boxes], np.float32))
        for index in np.flatnonzero(part.certain & (part.kind >= 0)):
            other = int(over[index].argmax())
            faces += 1
            agreed += bool(over[index, other] > 0.5 and part.kind[index] == whole.kind[other])
            assert truth.boxes[int(real[index].argmax())].code == part.code(int(index)), truth.key
            if over[index, other] > 0.5 and whole.certain[other]:
                assert part.kind[index] == whole.kind[other], truth.key
    assert faces > 20 * len(spans)
    assert agreed >= 0.97 * faces
