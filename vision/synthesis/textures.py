"""Surfaces of tables, made from noise: cloth, felt, automatic-table plush, wood, marble, paper, a cutting mat, plain."""

import colorsys
from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.float32]
SIDE = 1024  # texture pixels along one side


def _noise(rng: np.random.Generator, cells: tuple[int, int], shape: tuple[int, int] = (SIDE, SIDE)) -> Picture:
    """Smooth noise, mean 0, about −1 … 1, with a number of cells down and across."""
    small = rng.standard_normal((cells[0] + 1, cells[1] + 1)).astype(np.float32)
    return np.asarray(cv2.resize(small, shape[::-1], interpolation=cv2.INTER_CUBIC), np.float32)


def clouds(rng: np.random.Generator, cells: int = 3, octaves: int = 4, side: int = SIDE) -> Picture:
    """Noise of several scales, each half as strong as the one before, on ``side`` × ``side`` pixels."""
    result = np.zeros((side, side), np.float32)
    for octave in range(octaves):
        result += _noise(rng, (cells * 2**octave, cells * 2**octave), (side, side)) * 0.5**octave
    return result


def _paint(colour: npt.ArrayLike, brightness: Picture) -> Picture:
    return np.asarray(np.asarray(colour, np.float32) * np.clip(brightness, 0, 2)[..., None], np.float32)


def _bgr(hue: float, saturation: float, value: float) -> tuple[float, float, float]:
    red, green, blue = colorsys.hsv_to_rgb(hue % 1.0, saturation, value)
    return blue * 255, green * 255, red * 255


def felt(rng: np.random.Generator, colour: npt.ArrayLike) -> Picture:
    """Short fibres and slow blotches."""
    fibres = rng.standard_normal((SIDE, SIDE)).astype(np.float32)
    fibres = cv2.GaussianBlur(fibres, (0, 0), 0.9) * 0.14
    return _paint(colour, 1 + fibres + 0.05 * clouds(rng))


def cloth(rng: np.random.Generator, colour: npt.ArrayLike) -> Picture:
    """A woven cloth with soft creases."""
    period = rng.uniform(3.5, 9)
    axis = np.arange(SIDE, dtype=np.float32) * np.float32(2 * np.pi / period)
    weave = (np.sin(axis)[:, None] * np.sin(axis)[None, :]).astype(np.float32) * rng.uniform(0.05, 0.16)
    creases = np.abs(clouds(rng, 2, 3))
    return _paint(colour, 1 + weave + 0.06 * creases + 0.02 * rng.standard_normal((SIDE, SIDE)).astype(np.float32))


def plush(rng: np.random.Generator, colour: npt.ArrayLike) -> Picture:
    """The top of an automatic table: plush with the printed square in the middle."""
    picture = felt(rng, colour)
    line = np.asarray(colour, np.float32) * rng.choice([0.55, 1.5])
    half = int(rng.uniform(0.2, 0.34) * SIDE)
    middle = SIDE // 2
    canvas = np.zeros((SIDE, SIDE), np.float32)
    cv2.rectangle(canvas, (middle - half, middle - half), (middle + half, middle + half), 1.0, int(rng.integers(2, 6)))
    if rng.random() < 0.6:
        cv2.circle(canvas, (middle, middle), int(half * rng.uniform(0.2, 0.5)), 1.0, int(rng.integers(2, 6)))
    return np.asarray(picture * (1 - canvas[..., None]) + np.clip(line, 0, 255) * canvas[..., None], np.float32)


def wood(rng: np.random.Generator, colour: npt.ArrayLike) -> Picture:
    """Boards with grain."""
    grain = _noise(rng, (3, 160)) * 0.5 + _noise(rng, (5, 420)) * 0.35
    warp = _noise(rng, (3, 4)) * 3
    rings_ = np.sin(np.linspace(0, 40, SIDE, dtype=np.float32)[None, :] + warp * 4).astype(np.float32)
    brightness = 1 + 0.09 * grain + 0.06 * rings_
    boards = int(rng.integers(0, 7))
    for board in range(1, boards):
        column = board * SIDE // boards
        brightness[:, column : column + 3] *= 0.55
    picture = _paint(colour, brightness)
    return picture if rng.random() < 0.5 else np.ascontiguousarray(picture.transpose(1, 0, 2))


def marble(rng: np.random.Generator, colour: npt.ArrayLike) -> Picture:
    """Stone with veins."""
    field = clouds(rng, 3, 5)
    veins = np.exp(-np.abs(field) * 9)
    return _paint(colour, 1 - 0.25 * veins + 0.04 * clouds(rng, 6, 3))


def paper(rng: np.random.Generator, colour: npt.ArrayLike) -> Picture:
    """Sheets of newspaper: columns of lines of dark dabs."""
    picture = _paint(np.minimum(np.asarray(colour, np.float32) * 0.25 + 150, 235), 1 + 0.03 * clouds(rng))
    ink = np.ones((SIDE, SIDE), np.float32)
    pitch = int(rng.integers(7, 13))
    columns = int(rng.integers(4, 8))
    width = SIDE // columns
    for column in range(columns):
        y = int(rng.integers(4, 40))
        while y < SIDE - pitch:
            if rng.random() < 0.04:
                size = int(rng.integers(30, 110))
                ink[y : y + size, column * width + 10 : (column + 1) * width - 10] *= rng.uniform(0.35, 0.8)
                y += size + pitch
                continue
            dabs = (rng.random(max(1, (width - 20) // 4)) < 0.75).astype(np.float32)
            row = np.repeat(dabs, 4)[: width - 20]
            ink[y : y + pitch // 2, column * width + 10 : column * width + 10 + len(row)] *= 1 - 0.6 * row
            y += pitch
    return np.asarray(picture * ink[..., None], np.float32)


def mat(rng: np.random.Generator, colour: npt.ArrayLike) -> Picture:
    """A cutting mat or chequered oilcloth."""
    picture = _paint(colour, 1 + 0.03 * clouds(rng))
    pitch = int(rng.integers(40, 120))
    tone = float(rng.choice([0.7, 1.35]))
    if rng.random() < 0.5:
        for position in range(0, SIDE, pitch):
            picture[position : position + 2] *= tone
            picture[:, position : position + 2] *= tone
    else:
        index = np.arange(SIDE) // pitch % 2
        picture *= np.where((index[:, None] ^ index[None, :])[..., None] == 1, np.float32(tone), np.float32(1))
    return picture


def flowers(rng: np.random.Generator, colour: npt.ArrayLike) -> Picture:
    """A printed tablecloth: many small coloured figures."""
    picture = cloth(rng, colour)
    inks = [_bgr(rng.random(), rng.uniform(0.3, 0.9), rng.uniform(0.3, 1.0)) for _ in range(4)]
    for _ in range(int(rng.integers(40, 160))):
        x, y = (int(value) for value in rng.integers(0, SIDE, 2))
        size = int(rng.integers(5, 26))
        ink = inks[int(rng.integers(4))]
        for turn in range(5):
            angle = turn * 1.2566 + x
            centre = (int(x + size * np.cos(angle)), int(y + size * np.sin(angle)))
            cv2.circle(picture, centre, max(2, int(size * 0.55)), ink, -1, cv2.LINE_AA)
        cv2.circle(picture, (x, y), max(2, size // 2), inks[(x + y) % 4], -1, cv2.LINE_AA)
    return picture


def plain(rng: np.random.Generator, colour: npt.ArrayLike) -> Picture:
    """A smooth table top."""
    return _paint(colour, 1 + 0.02 * clouds(rng) + 0.01 * rng.standard_normal((SIDE, SIDE)).astype(np.float32))


TEXTURES: dict[str, Callable[[np.random.Generator, npt.ArrayLike], Picture]] = {
    "felt": felt, "cloth": cloth, "plush": plush, "wood": wood, "marble": marble, "paper": paper, "mat": mat, "flowers": flowers,
    "plain": plain,
}  # fmt: skip


def random_colour(rng: np.random.Generator, texture: str) -> tuple[float, float, float]:
    """A likely colour (BGR, 0–255) of a table with this surface."""
    if texture == "wood":
        return _bgr(rng.uniform(0.05, 0.11), rng.uniform(0.3, 0.75), rng.uniform(0.25, 0.85))
    if texture in {"marble", "paper"}:
        return _bgr(rng.random(), rng.uniform(0.0, 0.12), rng.uniform(0.55, 0.95))
    if rng.random() < 0.5:  # green and blue-green cloths are by far the commonest
        return _bgr(rng.uniform(0.3, 0.5), rng.uniform(0.4, 0.95), rng.uniform(0.15, 0.7))
    if rng.random() < 0.35:
        return _bgr(rng.random(), rng.uniform(0.0, 0.15), rng.uniform(0.08, 0.95))
    return _bgr(rng.random(), rng.uniform(0.2, 0.9), rng.uniform(0.15, 0.85))
