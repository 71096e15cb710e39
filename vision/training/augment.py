"""Random changes of a crop: what cameras, lamps, hands and other tile sets do to a tile. Never mirrored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from vision.crops import MARGIN

if TYPE_CHECKING:
    from numpy.typing import NDArray

BEHIND = 0.14
"""Part of the views in which the tile's foot is hidden by the bar of a rack."""

DIAGONAL = 0.4
"""Part of the views in which the tile may lie at any angle; the others are within 18 degrees of a quarter turn."""

SLIM = 0.75
"""Width of a tile as a part of its height."""

LEAN = 0.22
"""How far a tile seen from the side leans: a part of its height."""

UNIT = 64
"""Side of a view whose strokes, blurs and lights are given in pixels below; those of other sides are as much larger."""


def augment(crop: NDArray[np.uint8], side: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """One training view of a stored crop.

    Args:
        crop: (S, S, 3) BGR with S > ``side``, at the classifier's scale but showing more of the surroundings, so that
            turning and shifting bring in what really lies there.
        side: pixels per side of the result.
        rng: source of chance.

    Returns:
        (side, side, 3) float32, 0 to 255.
    """
    hidden = float(rng.uniform(0.05, 0.33)) if rng.random() < BEHIND else 0.0
    if hidden:
        crop = _behind_a_bar(crop, hidden * side / MARGIN, side / MARGIN, rng)
    view = _move(crop, side, rng, hidden)
    view = _defocus(view, rng)
    return _light(view, rng)


def _behind_a_bar(crop: NDArray[np.uint8], hidden: float, tall: float, rng: np.random.Generator) -> NDArray[np.uint8]:
    """The tile standing behind the bar of a rack, which hides its foot: ``hidden`` of ``tall`` pixels."""
    high, wide = crop.shape[:2]
    edge = (high + tall) / 2 - hidden
    rise = np.tan(rng.uniform(-0.25, 0.25)) * wide / 2
    colour = np.array(rng.integers(15, 245, 3), np.float64)
    below = np.array([(0, edge - rise), (wide, edge + rise), (wide, high), (0, high)]).round().astype(np.int32)
    bar = np.empty_like(crop)
    bar[:] = colour.astype(np.uint8)
    unit = tall * MARGIN / UNIT
    for _ in range(int(rng.integers(1, 9)) if rng.random() < 0.5 else 0):  # print
        start = rng.uniform((0, edge), (wide, high + 4))
        end = start + rng.uniform(-10, 10, 2) * unit
        ink = tuple(float(part) for part in np.clip(colour + rng.choice((-130, 130)), 0, 255))
        thick = max(1, round(rng.uniform(0.5, 2.5) * unit))
        cv2.line(bar, start.astype(int).tolist(), end.astype(int).tolist(), ink, thick, cv2.LINE_AA)
    cover = np.zeros((high, wide), np.uint8)
    cv2.fillPoly(cover, [below], 255, cv2.LINE_AA)
    part = cover[..., None].astype(np.float32) / 255
    return np.asarray(crop * (1 - part) + bar * part, np.uint8)


def _move(crop: NDArray[np.uint8], side: int, rng: np.random.Generator, hidden: float = 0.0) -> NDArray[Any]:
    """Turn, scale, stretch and shift; of a tile whose foot is ``hidden`` (a part of its height) the rest is looked at."""
    quarter = int(rng.integers(1, 4)) if rng.random() < 0.35 else 0
    angle = 90.0 * quarter + (rng.uniform(-45, 45) if rng.random() < DIAGONAL else rng.uniform(-18, 18))
    scale = rng.uniform(0.78, 1.22) / max(SLIM, 1 - hidden)
    # The upright box round a tile that lies diagonally is larger, so the tile is smaller in its crop.
    across, along = np.abs(np.cos(np.deg2rad(angle))), np.abs(np.sin(np.deg2rad(angle)))
    scale /= max(across + SLIM * along, along + SLIM * across) ** rng.uniform(0.3, 1.0)
    stretch = np.exp(rng.uniform(-0.18, 0.18))  # boxes round flat-lying tiles seen at a slant are squat
    a = np.deg2rad(angle)
    turn = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    shear = np.array([[1, rng.uniform(-LEAN, LEAN)], [rng.uniform(-LEAN, LEAN), 1]])
    matrix = scale * turn @ shear @ np.diag([stretch, 1 / stretch])
    source = np.array([crop.shape[1] / 2 - 0.5, crop.shape[0] / 2 - 0.5 - hidden * side / MARGIN / 2])
    target = np.array([side / 2 - 0.5, side / 2 - 0.5]) + rng.uniform(-0.075, 0.075, 2) * side
    affine = np.hstack([matrix, (target - matrix @ source)[:, None]]).astype(np.float32)
    return cv2.warpAffine(crop, affine, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def _defocus(view: NDArray[Any], rng: np.random.Generator) -> NDArray[Any]:
    side = view.shape[0]
    unit = side / UNIT
    chance = rng.random()
    if chance < 0.3:  # a small tile, blown up
        small = int(rng.integers(14, 44))
        view = cv2.resize(
            cv2.resize(view, (small, small), interpolation=cv2.INTER_AREA), (side, side), interpolation=cv2.INTER_CUBIC
        )
    elif chance < 0.48:
        view = cv2.GaussianBlur(view, (0, 0), rng.uniform(0.4, 3.2) * unit)
    elif chance < 0.58:  # the hand or the camera moved
        length = round(rng.uniform(2.5, 7.5) * unit)
        kernel = np.zeros((length, length), np.float32)
        a = rng.uniform(0, np.pi)
        for t in np.linspace(-1, 1, 2 * length):
            kernel[
                round((length - 1) * (0.5 + 0.5 * t * np.sin(a))), round((length - 1) * (0.5 + 0.5 * t * np.cos(a)))
            ] = 1
        view = cv2.filter2D(view, -1, kernel / kernel.sum())
    if rng.random() < 0.2:
        done, data = cv2.imencode(".jpg", view, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(15, 70))])
        if done:
            view = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR))
    if rng.random() < 0.12:  # a finger, a neighbour, the edge of a rack
        depth = int(rng.uniform(0.05, 0.22) * side)
        view = np.ascontiguousarray(np.rot90(view, int(rng.integers(4))))
        view[:depth] = rng.integers(0, 256, 3)
    return view


def _light(view: NDArray[Any], rng: np.random.Generator) -> NDArray[np.float32]:
    x = view.astype(np.float32)
    if rng.random() < 0.25:  # other inks, other bodies
        hsv = cv2.cvtColor(x / 255, cv2.COLOR_BGR2HSV)
        reach = 180 if rng.random() < 0.2 else 35  # now and then any ink: makers' colours differ, shapes do not
        hsv[..., 0] = (hsv[..., 0] + rng.uniform(-reach, reach)) % 360
        hsv[..., 1] = np.clip(hsv[..., 1] * rng.uniform(0.3, 1.7), 0, 1)
        x = np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR), np.float32) * 255
    if rng.random() < 0.2:
        x = np.repeat(x.mean(2, keepdims=True), 3, 2)
    if rng.random() < 0.3:  # lamp from one side, shadow of a hand
        a, side = rng.uniform(0, 2 * np.pi), x.shape[0]
        ramp = np.linspace(-1, 1, side, dtype=np.float32)
        x = x * (1 + rng.uniform(0.1, 0.5) * (np.cos(a) * ramp[None, :] + np.sin(a) * ramp[:, None]))[..., None]
    if rng.random() < 0.08:  # glare
        side = x.shape[0]
        unit = side / UNIT
        spot = np.zeros((side, side), np.float32)
        middle = (int(rng.integers(side)), int(rng.integers(side)))
        cv2.circle(spot, middle, round(rng.uniform(3.5, 15.5) * unit), float(rng.uniform(40, 160)), -1)
        x = x + cv2.GaussianBlur(spot, (0, 0), 5 * unit)[..., None]
    x = 255 * (np.clip(x, 0, 255) / 255) ** np.exp(rng.uniform(-0.4, 0.4))
    x = x * rng.uniform(0.5, 1.4) + rng.uniform(-40, 40)
    x = x * rng.uniform(0.85, 1.15, 3).astype(np.float32)
    x = x + rng.standard_normal(x.shape, np.float32) * rng.uniform(0, 10)
    return np.asarray(np.clip(x, 0, 255), np.float32)
