"""A table in the hands of a test: readings written as text, a reader and a camera that do as they are told."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

import numpy as np

from engine.tiles import CODES, INDEX
from vision.camera import Frame
from vision.detections import Detections, iou
from vision.reading import Reading, arrange

if TYPE_CHECKING:
    from engine.text import Text


def reading_of(*rows: str, sure: float = 0.99, width: int = 1280, height: int = 720) -> Reading:
    """A reading of tiles in rows, the last one nearest to the player; `|` leaves a gap, `x` is a tile face down."""
    boxes, kinds = [], []
    for number, row in enumerate(rows):
        x, y = 60.0, height - 120.0 * (len(rows) - number)
        for code in _split(row):
            if code == "|":
                x += 40
                continue
            boxes.append((x, y, x + 48, y + 64))
            kinds.append(-1 if code == "x" else INDEX[code])
            x += 50
    count = len(boxes)
    probability = np.full((count, len(CODES)), 0.0001, np.float32)
    for index, kind in enumerate(kinds):
        if kind >= 0:
            probability[index, kind] = sure
            probability[index, (kind + 1) % len(CODES)] = (1 - sure) / 2
    detections = Detections(
        np.array(boxes, np.float32).reshape(count, 4),
        np.full(count, 0.9, np.float32),
        np.array(kinds, np.int16),
        probability,
        np.full(count, sure > 0.97),
        np.zeros(count, np.float32),
    )
    detections, ordered, problems = arrange(detections)
    return Reading(detections, ordered, problems, 12.0, width, height)


def _split(row: str) -> list[str]:
    result: list[str] = []
    digits = ""
    for char in row.replace(" ", ""):
        if char in "|x":
            result.append(char)
        elif char.isdigit():
            digits += char
        else:
            result += [digit + char for digit in digits]
            digits = ""
    return result


def picture(number: int) -> np.ndarray:
    """A picture that differs all over from that of every other number; the scripted reader knows it by its first pixel."""
    blocks = np.random.default_rng(number).integers(0, 256, (9, 16, 3), np.uint8)
    image = np.repeat(np.repeat(blocks, 80, 0), 80, 1)
    image[:8, :8] = number
    return image


@dataclass
class ScriptedReader:
    """Knows each picture by its number and counts how often it was asked."""

    readings: dict[int, Reading]
    calls: int = 0

    def read(self, image: np.ndarray) -> Reading:
        self.calls += 1
        return self.readings[int(image[0, 0, 0])]

    def see(
        self, image: np.ndarray, part: tuple[int, int, int, int] | None = None, scale: float | None = None
    ) -> Detections:
        del scale
        found = self.read(image).detections
        if part is None:
            return found
        x, y = found.centres.T
        return found[(x >= part[0]) & (x < part[2]) & (y >= part[1]) & (y < part[3])]

    def name(self, image: np.ndarray, boxes: np.ndarray, *_: object) -> Detections:
        found = self.read(image).detections
        return found[(iou(boxes, found.boxes) > 0.5).any(0)]


@dataclass
class ScriptedSource:
    """A camera in the hands of a test: it shows what it is told, and fails when it is told."""

    still: bool = False
    frame: Frame | None = None
    trouble: Text | None = None
    breaks: Exception | None = None
    closed: bool = False
    asked: int = 0
    _news: threading.Condition = field(default_factory=threading.Condition)

    def show(self, image: np.ndarray) -> None:
        with self._news:
            index = self.frame.index + 1 if self.frame else 1
            self.frame = Frame(index, image, float(index))
            self._news.notify_all()

    def latest(self, after: int = 0, timeout: float = 0.0) -> Frame | None:
        if self.breaks is not None:
            error, self.breaks = self.breaks, None
            raise error
        with self._news:
            self.asked += 1
            self._news.wait_for(lambda: self.frame is not None and self.frame.index > after, timeout)
            return self.frame if self.frame is not None and self.frame.index > after else None

    @property
    def status(self) -> Text | None:
        return self.trouble

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.closed = True
