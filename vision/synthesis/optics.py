"""What a camera does to a clean picture: light, vignetting, glare, blur, noise, compression."""

from dataclasses import dataclass
from typing import Any, TypeVar, cast

import cv2
import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.float32]
Image = npt.NDArray[np.uint8]


_Array = TypeVar("_Array", bound=npt.NDArray[Any])


def soften(picture: _Array, radius: float) -> _Array:
    """Gaussian blur with a standard deviation in pixels; keeps the type of the array."""
    return cast("_Array", cv2.GaussianBlur(picture, (0, 0), radius))


def dim(picture: Image, factor: Picture) -> Image:
    """A picture times a factor per pixel, (height, width, 3) and (height, width)."""
    return np.asarray(cv2.multiply(picture, cv2.merge([factor] * 3), dtype=cv2.CV_8U), np.uint8)


@dataclass(frozen=True)
class Optics:
    """Faults of one exposure; the zero of each field leaves the picture as it is.

    Attributes:
        exposure: factor on the light.
        gamma: exponent on the brightness (1 = none).
        tint: factors on blue, green and red.
        vignette: how much darker the corners are, 0–1.
        lamp: strength of the uneven light of one lamp, 0–1, whose place is drawn at random.
        glare: strength of the reflection of a lamp on the tiles, 0–1.
        blur: radius of defocus, pixels.
        motion: length of motion blur, pixels.
        noise: standard deviation of the noise in mid-grey, 0–255.
        grey: 1 makes a grey picture.
        jpeg: JPEG quality, 0 = not compressed.
        haze: white veil of a dirty lens, 0–1.
    """

    exposure: float = 1.0
    gamma: float = 1.0
    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)
    vignette: float = 0.0
    lamp: float = 0.0
    glare: float = 0.0
    blur: float = 0.0
    motion: float = 0.0
    noise: float = 0.0
    grey: float = 0.0
    jpeg: int = 0
    haze: float = 0.0


def _bump(width: int, height: int, centre: tuple[float, float], radius: tuple[float, float], angle: float) -> Picture:
    """A soft elliptic spot, 1 in its middle, computed small and enlarged."""
    scale = 8
    x, y = np.meshgrid(np.arange(0, width, scale, dtype=np.float32), np.arange(0, height, scale, dtype=np.float32))
    dx, dy = x - np.float32(centre[0]), y - np.float32(centre[1])
    cos, sin = np.float32(np.cos(angle)), np.float32(np.sin(angle))
    u, v = (dx * cos + dy * sin) / np.float32(radius[0]), (dy * cos - dx * sin) / np.float32(radius[1])
    return np.asarray(cv2.resize(np.exp(-(u * u + v * v)), (width, height), interpolation=cv2.INTER_LINEAR), np.float32)


def light_field(width: int, height: int, optics: Optics, rng: np.random.Generator) -> Picture:
    """The factor on the brightness of every pixel (height, width, 1): lamp, vignette and exposure."""
    field = np.full((height, width), optics.exposure, np.float32)
    if optics.lamp:
        centre = (rng.uniform(-0.2, 1.2) * width, rng.uniform(-0.4, 1.0) * height)
        size = rng.uniform(0.4, 1.0) * max(width, height)
        field *= (
            1
            - optics.lamp
            + 1.4 * optics.lamp * _bump(width, height, centre, (size, size * rng.uniform(0.5, 1)), rng.uniform(0, 3))
        )
    if optics.vignette:
        reach = (width * 0.62, height * 0.62)
        spot = _bump(width, height, (width / 2, height / 2), (reach[0] * 1.35, reach[1] * 1.35), 0.0)
        field *= 1 - optics.vignette + optics.vignette * spot
    return field[..., None]


def expose(
    picture: Picture, optics: Optics, rng: np.random.Generator, tiles: npt.NDArray[np.bool_] | None = None
) -> Image:
    """Turn a clean picture into what the camera delivers.

    Args:
        picture: (height, width, 3) BGR, 0–255.
        optics: what to do.
        rng: where the random parts come from.
        tiles: pixels that are glossy, for glare.

    Returns:
        (height, width, 3) uint8 BGR, of the same size: no geometry is changed, boxes stay true.
    """
    height, width = picture.shape[:2]
    result: npt.NDArray[Any] = picture * light_field(width, height, optics, rng)
    if optics.tint != (1.0, 1.0, 1.0):
        result *= np.asarray(optics.tint, np.float32)
    if optics.glare and tiles is not None:
        gloss = np.zeros((height, width), np.float32)
        for _ in range(int(rng.integers(1, 4))):
            centre = (rng.uniform(0, width), rng.uniform(0, height))
            reach = rng.uniform(0.03, 0.16, 2) * width
            gloss += _bump(width, height, centre, (reach[0], reach[1]), rng.uniform(0, 3))
        part = soften(tiles.astype(np.float32), 1.0)
        result += (np.clip(gloss, 0, 1) * (0.25 + 0.75 * part) * 190 * optics.glare)[..., None].astype(np.float32)
    if optics.haze:
        result = result * (1 - optics.haze) + 215 * optics.haze
    if optics.gamma != 1.0:
        table = (255 * (np.arange(1025, dtype=np.float32) / 1024) ** optics.gamma).astype(np.float32)
        result = table[np.clip(result * (1024 / 255), 0, 1024).astype(np.int16)]
    if optics.blur > 0.05:
        result = soften(result, optics.blur)
    if optics.motion >= 2:
        result = np.asarray(cv2.filter2D(result, -1, _streak(optics.motion, rng.uniform(0, np.pi))), np.float32)
    if optics.grey:
        grey = result @ np.array([0.114, 0.587, 0.299], np.float32)
        result = result * (1 - optics.grey) + grey[..., None] * optics.grey
    return compress(add_noise(np.asarray(result, np.float32), optics.noise, rng), optics.jpeg)


def _streak(length: float, angle: float) -> Picture:
    size = int(length) // 2 * 2 + 3
    kernel = np.zeros((size, size), np.float32)
    middle = size // 2
    dx, dy = np.cos(angle) * length / 2, np.sin(angle) * length / 2
    start = (round((middle - dx) * 16), round((middle - dy) * 16))
    end = (round((middle + dx) * 16), round((middle + dy) * 16))
    cv2.line(kernel, start, end, 1.0, 1, cv2.LINE_AA, 4)
    return np.asarray(kernel / kernel.sum(), np.float32)


def add_noise(picture: Picture, noise: float, rng: np.random.Generator) -> Image:
    """Grain that grows with the light, and the rounding to bytes."""
    if noise > 0:
        height, width = picture.shape[:2]
        grain = rng.standard_normal((height, width, 3), np.float32)
        cv2.addWeighted(grain, 0.75, soften(grain, 0.8), 0.5, 0.0, grain)
        picture = np.asarray(picture + grain * (noise * (0.5 + np.clip(picture, 0, 255) / 255)), np.float32)
    return np.asarray(np.clip(picture + 0.5, 0, 255), np.uint8)


def compress(image: Image, quality: int) -> Image:
    """The picture after JPEG compression; unchanged for quality 0."""
    if not quality:
        return image
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    decoded = cv2.imdecode(data, cv2.IMREAD_COLOR)
    if decoded is None:
        raise RuntimeError("OpenCV could not read its own JPEG")
    return np.asarray(decoded, np.uint8)
