"""What lies beside tiles and is none: printed text on bars and as captions, dice, keys. Painted into training photos as a lesson."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.detections import iou
from vision.synthesis import keyboards, lettering
from vision.synthesis.dice import dice, paste

if TYPE_CHECKING:
    from numpy.typing import NDArray

BAR = 0.45
"""Share of the lines of text that stand on a bar along the tiles, as print on a rack does."""

DICE = 0.5
"""Chance of dice in a picture that gets text."""

KEYS = 0.15
"""Chance of a keyboard, a calculator or a remote control in such a picture."""


def paint(
    image: NDArray[np.uint8], boxes: NDArray[np.float32], rng: np.random.Generator, lines: int
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Paint up to ``lines`` lines of text, and now and then dice, where no tile lies.

    Args:
        image: (H, W, 3) BGR.
        boxes: (N, 4) the tiles.
        rng: source of chance.
        lines: how many lines to try; a line that finds no room is left out.

    Returns:
        The picture, and (M, 4) the boxes of the single characters and dice. Without a Chinese font there is no text.
    """
    height, width = image.shape[:2]
    side = float(np.median((boxes[:, 2:] - boxes[:, :2]).max(1))) if len(boxes) else min(height, width) / 10
    painting = _Painting(image.copy(), boxes.reshape(-1, 4), side, rng)
    for _ in range(lines if lettering.available() else 0):
        if rng.random() < BAR and len(boxes):
            painting.bar()
        else:
            painting.caption()
    if rng.random() < DICE:
        painting.dice()
    if rng.random() < KEYS:
        painting.keys()
    return painting.picture, np.array(painting.placed, np.float32).reshape(-1, 4)


@dataclass
class _Painting:
    """A picture that is painted on.

    Attributes:
        picture: (H, W, 3) BGR.
        boxes: (N, 4) the tiles.
        side: usual longer side of a tile, in pixels.
        rng: source of chance.
        placed: boxes of what was painted.
    """

    picture: NDArray[np.uint8]
    boxes: NDArray[np.float32]
    side: float
    rng: np.random.Generator
    placed: list[tuple[float, float, float, float]] = field(default_factory=list)

    def free(self, area: NDArray[np.float32]) -> bool:
        """Whether a box (1, 4) touches neither tiles nor what was painted before."""
        taken = np.concatenate([self.boxes, np.array(self.placed, np.float32).reshape(-1, 4)])
        return not len(taken) or float(iou(area, taken).max()) <= 0

    def caption(self) -> None:
        """A line of print straight across the picture: a subtitle, a caption, a label."""
        height, width = self.picture.shape[:2]
        size = int(np.clip(self.side * self.rng.uniform(0.35, 1.3), 9, height / 3))
        text, font = lettering.words(self.rng)
        strip, letters = lettering.strip(
            text, font, size, self.rng, lettering.paint(self.rng) if self.rng.random() < 0.3 else None
        )
        high, long = strip.shape[:2]
        for _ in range(12):
            x, y = (
                self.rng.uniform(-0.1 * long, max(1.0, width - 0.8 * long)),
                self.rng.uniform(0, max(1.0, height - high)),
            )
            if self.free(np.array([[x - 3, y - 3, x + long + 3, y + high + 3]], np.float32)):
                matrix = np.array([[1, 0, x], [0, 1, y]], np.float64)
                self.lay(strip, letters, matrix, 0.0)
                return

    def bar(self) -> None:
        """Text on a coloured bar along a row of tiles, as on a rack or a ruler before the hand."""
        centres = (self.boxes[:, :2] + self.boxes[:, 2:]) / 2
        seed = centres[int(self.rng.integers(len(centres)))]
        near = centres[np.abs(centres - seed).max(1) < 8 * self.side]
        angle = 0.0
        if len(near) >= 4:
            _, spread, directions = np.linalg.svd(near - near.mean(0))
            if spread[0] > 4 * spread[1]:
                angle = float(np.arctan(directions[0, 1] / directions[0, 0])) if abs(directions[0, 0]) > 0.3 else 0.0
        size = int(np.clip(self.side * self.rng.uniform(0.35, 0.9), 9, 200))
        text, font = lettering.words(self.rng)
        strip, letters = lettering.strip(text, font, size, self.rng, lettering.paint(self.rng))
        high, long = strip.shape[:2]
        along, down = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        for _ in range(12):
            sign = 1 if self.rng.random() < 0.8 else -1
            middle = (
                seed
                + down * sign * (self.side * self.rng.uniform(0.5, 1.2) + high / 2)
                + along * self.rng.uniform(-3, 3) * self.side
            )
            start = middle - along * long / 2 - down * high / 2
            spots = np.array([middle + along * t * long / 2 for t in np.linspace(-1, 1, 9)])
            half = high * 0.62 + 2
            if all(self.free(np.array([[x - half, y - half, x + half, y + half]], np.float32)) for x, y in spots):
                matrix = np.column_stack([along, down, start]).astype(np.float64)
                self.lay(strip, letters, matrix, self.rng.uniform(0.2, 0.9))
                return

    def lay(
        self,
        strip: NDArray[np.uint8],
        letters: list[tuple[float, float, float, float]],
        matrix: NDArray[np.float64],
        blur: float,
    ) -> None:
        """Lay a strip onto the picture by an affine matrix (2, 3); its characters are placed."""
        height, width = self.picture.shape[:2]
        laid = cv2.warpAffine(strip, matrix, (width, height), flags=cv2.INTER_LINEAR)
        if blur > 0.3:
            laid = cv2.GaussianBlur(laid, (0, 0), blur)
        cover = laid[..., 3:].astype(np.float32) / 255
        self.picture[:] = (self.picture * (1 - cover) + laid[..., :3] * cover).astype(np.uint8)
        for left, top, right, bottom in letters:
            corners = np.array([(left, top, 1), (right, top, 1), (right, bottom, 1), (left, bottom, 1)]) @ matrix.T
            (x0, y0), (x1, y1) = corners.min(0), corners.max(0)
            if 0 <= x0 + x1 < 2 * width and 0 <= y0 + y1 < 2 * height:
                self.placed.append((float(x0), float(y0), float(x1), float(y1)))

    def light(self) -> float:
        """How bright the picture is, so that what is painted does not shine in the dark."""
        return float(np.clip(np.percentile(self.picture, 97) / 235, 0.35, 1.0))

    def keys(self) -> None:
        """Keys about as large as the tiles, turned somehow, where no tile lies; the picture's edge may cut them off."""
        height, width = self.picture.shape[:2]
        pad, keys = keyboards.keys(self.rng)
        pad[..., :3] = (pad[..., :3] * self.light()).astype(np.uint8)
        for _ in range(12):
            size = self.side * self.rng.uniform(0.5, 1.1) / keyboards.PITCH
            angle = self.rng.choice([0, 90, 180, 270]) + self.rng.uniform(-25, 25)
            middle = (pad.shape[1] / 2, pad.shape[0] / 2)
            matrix = np.array(cv2.getRotationMatrix2D(middle, float(angle), float(size)), np.float64)
            matrix[:, 2] += (self.rng.uniform(0, width) - middle[0], self.rng.uniform(0, height) - middle[1])
            corners = np.array([(x, y, 1) for x in (0, pad.shape[1]) for y in (0, pad.shape[0])]) @ matrix.T
            if self.free(np.concatenate([corners.min(0), corners.max(0)])[None].astype(np.float32)):
                self.lay(pad, keys, matrix, self.rng.uniform(0.2, 0.9))
                return

    def dice(self) -> None:
        """Two or three dice close together, where no tile lies."""
        height, width = self.picture.shape[:2]
        edge = self.side * self.rng.uniform(0.33, 0.62)
        light = self.light()
        sprites = dice(self.rng, edge, int(self.rng.integers(1, 4)))
        for _ in range(12):
            middle = np.array([self.rng.uniform(0.03, 0.97) * width, self.rng.uniform(0.03, 0.97) * height])
            if len(self.boxes) and self.rng.random() < 0.6:  # beside a tile
                box = self.boxes[int(self.rng.integers(len(self.boxes)))]
                middle = (box[:2] + box[2:]) / 2 + self.rng.uniform(-3.5, 3.5, 2) * self.side
            reach = 2.2 * edge
            area = np.array([[*(middle - reach), *(middle + reach)]], np.float32)
            if not self.free(area):
                continue
            spots: list[NDArray[np.float64]] = []
            for sprite in sprites:
                for _ in range(10):
                    spot = middle + self.rng.uniform(-1.5, 1.5, 2) * edge
                    inside = 0 <= spot[0] < width and 0 <= spot[1] < height
                    if inside and all(np.linalg.norm(spot - other) > 1.25 * edge for other in spots):
                        break
                else:
                    continue
                spots.append(spot)
                soft = np.asarray(cv2.GaussianBlur(sprite, (0, 0), self.rng.uniform(0.4, 0.9)), np.uint8)
                paste(self.picture, soft, float(spot[0]), float(spot[1]), light)
                x, y, half_wide, half_high = float(spot[0]), float(spot[1]), sprite.shape[1] / 2, sprite.shape[0] / 2
                self.placed.append((x - half_wide, y - half_high, x + half_wide, y + half_high))
            return
