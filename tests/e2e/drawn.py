"""Photos and cameras made of drawn tiles, so that the browser tests run anywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import cv2
import numpy as np

from vision.camera import Frame
from vision.synthesis.demo import DemoScript
from vision.synthesis.geometry import Camera
from vision.synthesis.render import PlacedTile, Scene, render

if TYPE_CHECKING:
    from pathlib import Path

WIDTH = 27.0
"""mm from tile to tile in a row."""


def photo(
    path: Path,
    hand: list[str],
    *,
    drawn: str | None = None,
    melds: tuple[list[str], ...] = (),
    flowers: list[str] | None = None,
) -> Path:
    """Write a photo of a hand laid on the table: melds and flowers above, the concealed tiles below."""
    tiles: list[PlacedTile] = []
    left = -WIDTH * len(hand) / 2
    tiles += [PlacedTile(code, left + WIDTH * number, 0) for number, code in enumerate(hand)]
    if drawn is not None:
        tiles.append(PlacedTile(drawn, left + WIDTH * len(hand) + 18, 0))
    x = left
    for group in (*melds, flowers or []):
        for code in group:
            tiles.append(PlacedTile(code, x, 75))
            x += WIDTH
        x += 20
    camera = Camera(position=(0, -250, 420), target=(0, 30, 0), focal=1.1)
    picture = render(Scene(1920, 1080, camera=camera, tiles=tuple(tiles)), np.random.default_rng(3))
    assert cv2.imwrite(str(path), picture.image)
    return path


class PacedDemo:
    """The demo at the pace of whoever watches: each still moment is shown until it was looked at often enough.

    Moves of the other players that change nothing in the own hand are left out, so that a test is short.
    """

    still = False
    status = None

    def __init__(self, looks: int = 7, size: tuple[int, int] = (1280, 720)) -> None:
        self._script = DemoScript(size=size)
        self._looks = looks
        self.truth: Any = None
        self._times = [
            span.still + 0.5 * (span.end - span.still) for span in self._script._spans(0) if span.step.key != "other"
        ]
        self._index = 0
        self._step = -1
        self._image = np.zeros((1, 1, 3), np.uint8)
        self._noise = np.random.default_rng(4)

    @property
    def steps(self) -> int:
        return len(self._times)

    @property
    def done(self) -> bool:
        return self._index > self._looks * len(self._times)

    def latest(self, after: int = 0, timeout: float = 0.0) -> Frame:
        step = min(self._index // self._looks, len(self._times) - 1)
        if step != self._step:
            self._step = step
            self._image, self.truth = self._script.frame(self._times[step])
        self._index += 1
        grain = self._noise.integers(-2, 3, self._image.shape, np.int16)
        image = (self._image + grain).clip(0, 255).astype(np.uint8)
        return Frame(self._index, image, self._times[step])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass
