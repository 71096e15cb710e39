"""Square cut-outs of tiles, as the classifier sees them, in training and in reading alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

SIDE = 96
"""Width and height of the classifier's input in pixels, unless its file says otherwise."""

MARGIN = 1.15
"""Side of the square that is cut, as a multiple of the longer side of the tile's box."""

SURROUNDED = 1.4375
"""Side of a stored crop as a multiple of the classifier's: surroundings at the same scale, for turning and shifting it."""


def cut(
    image: NDArray[np.uint8], boxes: NDArray[np.float32], side: int = SIDE, margin: float = MARGIN
) -> NDArray[np.uint8]:
    """Cut one square around each box, at the picture's own resolution, and bring it to ``side`` pixels.

    Args:
        image: (H, W, 3) BGR picture.
        boxes: (N, 4) left, top, right, bottom in pixels; they may stick out of the picture.
        side: pixels per side of the result.
        margin: side of the square as a multiple of the longer side of the box.

    Returns:
        (N, side, side, 3) BGR crops. Beyond the picture's edge the edge pixels repeat.
    """
    crops = np.empty((len(boxes), side, side, 3), np.uint8)
    for crop, (left, top, right, bottom) in zip(crops, boxes, strict=True):
        half = max(right - left, bottom - top, 1.0) * margin / 2
        crop[:] = _square(image, (left + right) / 2, (top + bottom) / 2, half, side)
    return crops


def stored_side(side: int) -> int:
    """Pixels per side of stored crops for a classifier that sees ``side``."""
    return round(side * SURROUNDED)


def seen_side(stored: NDArray[np.uint8]) -> int:
    """Pixels per side of what a classifier sees of stored crops (N, S, S, 3); see ``stored_side``."""
    side: int = stored.shape[1]
    return round(side / SURROUNDED)


def store(image: NDArray[np.uint8], boxes: NDArray[np.float32], side: int = SIDE) -> NDArray[np.uint8]:
    """Cut crops with surroundings, to be stored and learned from.

    Returns:
        (N, S, S, 3) BGR, S being ``stored_side(side)``; see ``cut``.
    """
    whole = stored_side(side)
    return cut(image, boxes, whole, MARGIN * whole / side)


def resized(stored: NDArray[np.uint8], side: int) -> NDArray[np.uint8]:
    """Stored crops for a classifier that sees ``side`` pixels, whatever they were stored for."""
    whole = stored_side(side)
    if stored.shape[1] == whole:
        return stored
    how = cv2.INTER_AREA if stored.shape[1] > whole else cv2.INTER_CUBIC
    crops = [cv2.resize(crop, (whole, whole), interpolation=how) for crop in stored]
    return np.array(crops, np.uint8).reshape(-1, whole, whole, 3)


def turned(stored: NDArray[np.uint8], degrees: float, size: float = 1.0) -> NDArray[np.uint8]:
    """Another look at stored crops, turned and larger or smaller.

    Args:
        stored: (N, S, S, 3) BGR.
        degrees: counter-clockwise.
        size: factor by which the tile appears larger.

    Returns:
        (N, side, side, 3) BGR, side being ``seen_side(stored)``.
    """
    whole, side = stored.shape[1], seen_side(stored)
    centre = (whole - 1) / 2
    matrix = np.array(cv2.getRotationMatrix2D((centre, centre), degrees, size), np.float64)
    matrix[:, 2] += (side - whole) / 2
    views = np.empty((len(stored), side, side, 3), np.uint8)
    for view, crop in zip(views, stored, strict=True):
        cv2.warpAffine(crop, matrix, (side, side), dst=view, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return views


def middle(stored: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """What the classifier sees of stored crops (N, S, S, 3): (N, side, side, 3) BGR."""
    side = seen_side(stored)
    edge = (stored.shape[1] - side) // 2
    return stored[:, edge : edge + side, edge : edge + side]


def _square(image: NDArray[np.uint8], x: float, y: float, half: float, side: int) -> NDArray[Any]:
    """One square of 2 × ``half`` pixels around (x, y), resized to ``side``."""
    scale = side / (2 * half)
    if scale < 0.5:
        factor = 2 * scale
        left, top = int(x - half * 1.1), int(y - half * 1.1)
        right, bottom = int(x + half * 1.1) + 2, int(y + half * 1.1) + 2
        x0, y0 = max(left, 0), max(top, 0)
        part = image[y0 : max(bottom, y0 + 1), x0 : max(right, x0 + 1)]
        if part.size:
            small = cv2.resize(part, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
            fx, fy = small.shape[1] / part.shape[1], small.shape[0] / part.shape[0]
            image = np.asarray(small, np.uint8)
            x, y, half = (x - x0) * fx, (y - y0) * fy, half * (fx + fy) / 2
            scale = side / (2 * half)
    # Pixel centres sit at half integers in box coordinates, at integers in OpenCV's.
    shift = side / 2 - 0.5
    matrix = np.array([[scale, 0, shift - (x - 0.5) * scale], [0, scale, shift - (y - 0.5) * scale]], np.float32)
    return cv2.warpAffine(image, matrix, (side, side), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)


def standardise(crops: NDArray[Any]) -> NDArray[np.float32]:
    """Take the light out of crops: mean 0 per channel, spread about 1 over the crop.

    Args:
        crops: (N, side, side, 3) BGR, 0 to 255.

    Returns:
        (N, 3, side, side) float32: ``(x - mean per channel) / (std over the crop + 0.05)`` with x from 0 to 1.
    """
    x = np.ascontiguousarray(crops.transpose(0, 3, 1, 2), np.float32) / np.float32(255)
    mean = x.mean((2, 3), keepdims=True)
    # ddof=1 as torch.std, which the starting weights were trained with.
    spread = x.std((1, 2, 3), keepdims=True, ddof=1)
    return np.asarray((x - mean) / (spread + np.float32(0.05)), np.float32)
