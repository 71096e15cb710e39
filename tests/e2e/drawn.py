"""Photos and cameras made of drawn tiles, so that the browser tests run anywhere."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Self

import cv2
import numpy as np

from vision.camera import Frame
from vision.synthesis.demo import DemoScript
from vision.synthesis.geometry import Camera
from vision.synthesis.render import PlacedTile, Scene, render

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WIDTH = 27.0
"""mm from tile to tile in a row."""

PAUSE = 0.03
"""Seconds between two frames of the demo."""

LOOKS = 5
"""Frames of a moment at least …"""

MOMENT = 0.4
"""… and seconds …"""

LONGEST = 20.0
"""… and at most, whatever is still in doubt."""


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
    """The demo at the pace of whoever watches: each still moment is shown until everything in it was seen well enough.

    Moves of the other players that change nothing in the own hand are left out, so that a test is short.

    Attributes:
        doubt: whether whoever watches would see more with more frames of the same moment.
        truth: of the newest frame.
    """

    still = False
    status = None

    def __init__(self, *, stays: bool = False, size: tuple[int, int] = (1280, 720)) -> None:
        """Prepare the demo; one that stays never leaves its first moment."""
        self._script = DemoScript(size=size)
        self._stays = stays
        self.doubt: Callable[[], bool] = lambda: False
        self.truth: Any = None
        self._times = [
            span.still + 0.5 * (span.end - span.still) for span in self._script._spans(0) if span.step.key != "other"
        ]
        self._index = self._step = 0
        self._began, self._looks = 0.0, 0
        self._image, self.truth = self._script.frame(self._times[0])
        self._noise = np.random.default_rng(4)

    def _seen_enough(self) -> bool:
        shown = time.monotonic() - self._began
        return self._looks > LOOKS and ((shown > MOMENT and not self.doubt()) or shown > LONGEST)

    def latest(self, after: int = 0, timeout: float = 0.0) -> Frame:
        if self._index and not self._stays and self._seen_enough() and self._step + 1 < len(self._times):
            self._step += 1
            self._image, self.truth = self._script.frame(self._times[self._step])
            self._looks = 0
        if self._looks == 0:
            self._began = time.monotonic()
        else:
            time.sleep(PAUSE)
        self._looks += 1
        self._index += 1
        grain = self._noise.integers(-2, 3, self._image.shape, np.int16)
        image = (self._image + grain).clip(0, 255).astype(np.uint8)
        return Frame(self._index, image, self._times[self._step])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass
