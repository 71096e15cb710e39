"""Dice as sprites: rounded cubes with coloured pips, seen from above at a slant. They lie on every table and look like dots tiles."""

import cv2
import numpy as np
import numpy.typing as npt

Sprite = npt.NDArray[np.uint8]
_FACE = 96
_FINE = 3  # drawn larger by this factor, then shrunk
PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def dice(rng: np.random.Generator, edge_px: float, count: int, elevation: float | None = None) -> list[Sprite]:
    """Dice of one make.

    Args:
        rng: source of chance.
        edge_px: edge of a die, pixels.
        count: how many.
        elevation: height of the camera over the table in degrees; by chance if missing.

    Returns:
        (height, width, 4) uint8 each, BGR and alpha, cut close.
    """
    chance = rng.random()
    if chance < 0.82:
        body = rng.uniform(225, 255) * np.array([rng.uniform(0.86, 1.0), rng.uniform(0.96, 1.0), 1.0])
        dark = np.array([(30, 25, 25), (150, 60, 20), (40, 30, 30)][int(rng.integers(3))], float)
    else:
        bodies = [(40, 40, 190), (60, 120, 30), (170, 70, 30), (40, 40, 40), (60, 190, 230), (150, 60, 140)]
        body = np.array(bodies[int(rng.integers(len(bodies)))], float)
        dark = np.array((245, 250, 250), float)
    red = np.array((40, 30, 200), float)
    redden = {1, 4} if rng.random() < 0.7 else {1} if rng.random() < 0.5 else set()
    big_one = rng.random() < 0.7
    size = float(rng.uniform(0.085, 0.125))
    rounding = float(rng.uniform(0.12, 0.3))
    faces = [
        _face(number, body, red if number in redden and dark.sum() < 600 else dark, size, big=big_one)
        for number in range(1, 7)
    ]
    rise = float(rng.uniform(25, 80)) if elevation is None else elevation
    return [_die(rng, faces, body, edge_px, rise, rounding) for _ in range(count)]


def _face(
    number: int, body: npt.NDArray[np.float64], ink: npt.NDArray[np.float64], size: float, *, big: bool
) -> Sprite:
    picture = np.empty((_FACE, _FACE, 3), np.uint8)
    picture[:] = body.astype(np.uint8)
    radius = size * _FACE * (2.0 if number == 1 and big else 1.0)
    for a, b in PIPS[number]:
        place = (round((_FACE / 2 + a * 0.27 * _FACE) * 16), round((_FACE / 2 + b * 0.27 * _FACE) * 16))
        cv2.circle(picture, place, round(radius * 16), tuple(float(v) for v in ink), -1, cv2.LINE_AA, 4)
    return picture


def _die(
    rng: np.random.Generator,
    faces: list[Sprite],
    body: npt.NDArray[np.float64],
    edge: float,
    elevation: float,
    rounding: float,
) -> Sprite:
    """One die, turned by chance, with parallel projection."""
    yaw, rise = rng.uniform(0, 2 * np.pi), np.radians(elevation)
    right = np.array([np.cos(yaw), np.sin(yaw), 0.0])
    towards = np.array([np.sin(yaw) * np.cos(rise), -np.cos(yaw) * np.cos(rise), np.sin(rise)])
    up = np.cross(towards, right)
    scale = edge * _FINE

    def flat(point: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return np.array([point @ right, -(point @ up)]) * scale

    corners = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    spots = np.array([flat(corner) for corner in corners])
    margin = 2 * _FINE
    origin = spots.min(0) - margin
    width, height = np.ceil(np.ptp(spots, axis=0) + 2 * margin).astype(int)
    colour = np.zeros((height, width, 3), np.uint8)
    cover = np.zeros((height, width), np.uint8)
    # The outline is the hull of the cube, its corners rounded off.
    hull = cv2.convexHull((spots - origin).astype(np.float32)).reshape(-1, 2)
    middle = hull.mean(0)
    radius = rounding * scale * 0.5
    inner = middle + (hull - middle) * (1 - 1.25 * radius / np.linalg.norm(hull - middle, axis=1, keepdims=True))
    points = np.round(inner).astype(np.int32)
    cv2.fillConvexPoly(cover, points, 255, cv2.LINE_AA)
    cv2.polylines(cover, [points], True, 255, max(1, round(2 * radius)), cv2.LINE_AA)
    colour[:] = np.clip(body * 0.93, 0, 255).astype(np.uint8)
    top = int(rng.integers(6))
    side = (top + 1) % 3 + 3 * int(rng.integers(2))
    shown = {0: faces[top], 1: faces[side], 2: faces[(top + 2) % 3 + 3 * int(rng.integers(2))]}
    lamp = rng.uniform(0.55, 0.95)
    axes = np.eye(3)
    for axis, face in ((2, shown[0]), (0, shown[1]), (1, shown[2])):
        sign = 1.0 if towards[axis] > 0 else -1.0
        if abs(towards[axis]) < 0.08:
            continue
        normal = axes[axis] * sign
        one, two = axes[(axis + 1) % 3], axes[(axis + 2) % 3]
        shade = 1.0 if axis == 2 else lamp * (0.92 if axis == 0 else 1.05)
        inset = 0.5 - rounding * 0.12
        quad = [normal * 0.5 + one * a * inset + two * b * inset for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        target = np.array([flat(point) - origin for point in quad], np.float32)
        source = np.array([(0, 0), (_FACE, 0), (_FACE, _FACE), (0, _FACE)], np.float32)
        warp = cv2.getPerspectiveTransform(source, target)
        lit = np.clip(face * min(shade, 1.0), 0, 255).astype(np.uint8)
        picture = cv2.warpPerspective(lit, warp, (int(width), int(height)), flags=cv2.INTER_AREA)
        mask = cv2.warpPerspective(np.full((_FACE, _FACE), 255, np.uint8), warp, (int(width), int(height)))
        weight = (mask.astype(np.float32) / 255)[..., None]
        colour = (colour * (1 - weight) + picture * weight).astype(np.uint8)
    colour = np.asarray(cv2.GaussianBlur(colour, (0, 0), max(0.5, rounding * scale * 0.08)), np.uint8)
    size = (max(3, round(int(width) / _FINE)), max(3, round(int(height) / _FINE)))
    return np.asarray(cv2.resize(np.dstack([colour, cover]), size, interpolation=cv2.INTER_AREA), np.uint8)


def paste(image: npt.NDArray[np.uint8], sprite: Sprite, x: float, y: float, shade: float = 1.0) -> None:
    """Lay a sprite with its middle at (x, y) onto a picture, in place, with a soft shadow under it.

    Args:
        image: (H, W, 3) BGR.
        sprite: (h, w, 4) BGR and alpha.
        x: middle, pixels.
        y: middle, pixels.
        shade: factor on its brightness, to fit it into the light of a photo.
    """
    height, width = sprite.shape[:2]
    pad = max(2, height // 4)
    roomy = np.pad(sprite, ((pad, pad), (pad, pad), (0, 0)))
    left, top = round(x - width / 2) - pad, round(y - height / 2) - pad
    x0, y0 = max(left, 0), max(top, 0)
    x1, y1 = min(left + roomy.shape[1], image.shape[1]), min(top + roomy.shape[0], image.shape[0])
    if x0 >= x1 or y0 >= y1:
        return
    cut = np.s_[y0 - top : y1 - top, x0 - left : x1 - left]
    cover = roomy[..., 3].astype(np.float32) / 255
    shadow = cv2.GaussianBlur(np.roll(cover, (pad // 2, pad // 3), (0, 1)), (0, 0), max(0.8, pad / 2))[cut]
    cover = cover[cut][..., None]
    part = image[y0:y1, x0:x1]
    under = part * (1 - 0.5 * shadow[..., None])
    part[:] = np.clip(under * (1 - cover) + roomy[cut][..., :3] * (shade * cover), 0, 255).astype(np.uint8)
