"""What lies about on a table besides tiles: dice, seat marks, chips, coins, point sticks, cards, notes, print, the middle of the table."""

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from vision.synthesis import keyboards, lettering
from vision.synthesis.scene import Block, Dice, Flat, Prop

Image = npt.NDArray[np.uint8]
_SIDE = 128


def dice(rng: np.random.Generator, x: float, y: float) -> list[Prop]:
    """Two or three dice near a place, some under a dome or on a coloured disc."""
    count = int(rng.choice([1, 2, 2, 3, 3]))
    edge = float(rng.uniform(11, 17))
    spots: list[tuple[float, float]] = []
    for _ in range(count * 20):
        dx, dy = (float(value) for value in rng.uniform(-1.8, 1.8, 2) * edge)
        if len(spots) < count and all(np.hypot(dx - a, dy - b) > 1.3 * edge for a, b in spots):
            spots.append((dx, dy))
    dome = edge * float(rng.uniform(2.9, 3.6)) if rng.random() < 0.15 else 0.0
    things: list[Prop] = []
    if dome:
        things.append(Flat(x, y, (dome * 2.3, dome * 2.3), disc(rng, (30, 60, 30) if rng.random() < 0.5 else None)))
    things.append(Dice(x, y, tuple(spots), edge, int(rng.integers(1 << 31)), dome))
    return things


def _round() -> tuple[Image, Callable[[float, lettering.Paint], None]]:
    """An empty picture with alpha, and a brush for discs round its middle (radius as a part of the half side)."""
    picture = np.zeros((_SIDE, _SIDE, 4), np.uint8)

    def fill(radius: float, colour: lettering.Paint) -> None:
        middle = _SIDE * 8
        cv2.circle(picture, (middle, middle), round(radius * middle * 0.97), (*colour, 255), -1, cv2.LINE_AA, 4)

    return picture, fill


def _any(rng: np.random.Generator) -> lettering.Paint:
    return int(rng.integers(20, 240)), int(rng.integers(20, 240)), int(rng.integers(20, 240))


def disc(rng: np.random.Generator, colour: lettering.Paint | None = None) -> Image:
    """A disc with rings: a coaster, a lid, a seat mark without a word."""
    picture, fill = _round()
    paint = colour or _any(rng)
    fill(1.0, paint)
    for _ in range(int(rng.integers(0, 4))):
        fill(float(rng.uniform(0.2, 0.92)), _any(rng) if rng.random() < 0.5 else paint)
    return picture


def chip(rng: np.random.Generator) -> Image:
    """A gaming chip: a striped edge round a plain middle."""
    picture, fill = _round()
    edge, stripe = _any(rng), (235, 240, 240)
    fill(1.0, edge)
    for turn in range(6):
        cv2.ellipse(picture, (64, 64), (54, 54), 0, turn * 60, turn * 60 + 22, (*stripe, 255), 16, cv2.LINE_AA)
    fill(0.68, edge if rng.random() < 0.5 else stripe)
    fill(0.6, _any(rng))
    return picture


def coin(rng: np.random.Generator) -> Image:
    """A coin of silver or brass."""
    picture, fill = _round()
    metal = (185, 190, 195) if rng.random() < 0.5 else (90, 160, 190)
    fill(1.0, lettering.shaded(metal, 0.75))
    fill(0.9, metal)
    figure = lettering.shaded(metal, 0.82)
    cv2.putText(
        picture, str(rng.integers(1, 10)), (44, 86), cv2.FONT_HERSHEY_SIMPLEX, 2, (*figure, 255), 7, cv2.LINE_AA
    )
    return picture


def mark(rng: np.random.Generator) -> Image:
    """A seat mark: a disc or a plate with a wind's character or a figure, or a disc with all four winds round its middle."""
    picture, fill = _round()
    if rng.random() < 0.4:
        _winds(picture, fill, rng)
        return picture
    paint = _any(rng)
    if rng.random() < 0.6:
        fill(1.0, paint)
        fill(0.86, _any(rng))
    else:
        picture[6:-6, 6:-6] = (*paint, 255)
    if lettering.available():
        _write(picture, "東南西北起莊莊"[int(rng.integers(7))], rng, (20, 20, 108, 108))
    else:
        cv2.circle(picture, (70, 56), 24, (235, 240, 240, 255), -1, cv2.LINE_AA)
    return picture


def _winds(picture: Image, fill: Callable[[float, lettering.Paint], None], rng: np.random.Generator) -> None:
    """A disc of bone or plastic with the four winds cut into it, their feet or heads to the middle, in place."""
    bone = rng.random() < 0.7
    ground = (
        (int(rng.integers(195, 235)), int(rng.integers(220, 245)), int(rng.integers(235, 255))) if bone else _any(rng)
    )
    fill(1.0, ground)
    for _ in range(int(rng.integers(0, 3))):  # a turned rim
        fill(float(rng.uniform(0.8, 0.95)), lettering.shaded(ground, float(rng.uniform(0.88, 1.08))))
    inks = ((40, 150, 190), (30, 25, 25), (40, 40, 190), (60, 110, 30), (150, 60, 30))
    ink = inks[int(rng.integers(len(inks)))]
    font = lettering.words(rng)[1] if lettering.available() else None
    reach, high = float(rng.uniform(0.5, 0.62)), round(_SIDE * rng.uniform(0.19, 0.27))
    outward = 0 if rng.random() < 0.5 else 180
    for turn, wind in enumerate("東南西北"):
        cover = np.zeros((_SIDE, _SIDE), np.uint8)
        if font is None:
            cv2.putText(cover, "ESWN"[turn], (_SIDE // 2 - 12, _SIDE // 2 + 12), cv2.FONT_HERSHEY_DUPLEX, 1.1, 255, 2, cv2.LINE_AA)  # fmt: skip
        else:
            word = lettering.cover(wind, font, high)[:_SIDE, :_SIDE]
            top, left = (_SIDE - word.shape[0]) // 2, (_SIDE - word.shape[1]) // 2
            cover[top : top + word.shape[0], left : left + word.shape[1]] = word
        matrix = np.array(cv2.getRotationMatrix2D((_SIDE / 2, _SIDE / 2), turn * 90 + outward, 1.0), np.float64)
        matrix[:, 2] += reach * _SIDE / 2 * np.array([np.sin(np.radians(turn * 90)), np.cos(np.radians(turn * 90))])
        lettering.lay(picture, np.asarray(cv2.warpAffine(cover, matrix, (_SIDE, _SIDE)), np.uint8), ink)
    if rng.random() < 0.6:
        fill(float(rng.uniform(0.1, 0.26)), _any(rng))


def _write(picture: Image, text: str, rng: np.random.Generator, box: tuple[int, int, int, int]) -> None:
    """A word into a box (left, top, right, bottom) of a picture with alpha, in place."""
    _, font = lettering.words(rng)
    word, _ = lettering.strip(text, font, 64, rng, None)
    left, top, right, bottom = box
    scale = min((right - left) / word.shape[1], (bottom - top) / word.shape[0])
    size = (max(1, round(word.shape[1] * scale)), max(1, round(word.shape[0] * scale)))
    word = np.asarray(cv2.resize(word, size, interpolation=cv2.INTER_AREA), np.uint8)
    x, y = (left + right - size[0]) // 2, (top + bottom - size[1]) // 2
    part = picture[y : y + size[1], x : x + size[0]]
    cover = word[..., 3:].astype(np.float32) / 255
    part[..., :3] = part[..., :3] * (1 - cover) + word[..., :3] * cover
    part[..., 3] = np.maximum(part[..., 3], word[..., 3])


def stick(rng: np.random.Generator) -> Image:
    """A point stick of Japanese sets: a white bar with red and black dots."""
    picture = np.zeros((16, 160, 4), np.uint8)
    picture[2:-2, 2:-2] = (225, 238, 240, 255)
    paint = (40, 30, 190, 255) if rng.random() < 0.6 else (30, 30, 30, 255)
    count = int(rng.choice([1, 2, 5, 8]))
    for index in range(count):
        cv2.circle(
            picture, (80 + round((index - (count - 1) / 2) * 9), 8), 4 if count == 1 else 3, paint, -1, cv2.LINE_AA
        )
    return picture


def paper(rng: np.random.Generator) -> Image:
    """A card, a note or a score sheet with words or lines."""
    high, wide = 160, int(rng.integers(100, 260))
    picture = np.empty((high, wide, 4), np.uint8)
    picture[:] = (*(int(v) for v in rng.integers(190, 256, 3)), 255)
    for row in range(int(rng.integers(1, 5))):
        top = 12 + row * 36
        if lettering.available() and rng.random() < 0.7:
            text, _ = lettering.words(rng)
            _write(picture, text[:6], rng, (8, top, wide - 8, top + 32))
        else:
            cv2.line(picture, (10, top + 16), (wide - 10, top + 16), (90, 80, 80, 255), 2, cv2.LINE_AA)
    return picture


def printed_word(rng: np.random.Generator) -> Image:
    """A word without ground, as printed or woven into a cloth."""
    text, font = lettering.words(rng)
    return lettering.strip(text[: int(rng.integers(1, 6))], font, 72, rng, None)[0]


def middle(rng: np.random.Generator) -> Image:
    """The glossy round or square middle of an automatic table, with its lamps."""
    picture, fill = _round()
    dark = (int(rng.integers(15, 60)),) * 3
    if rng.random() < 0.6:
        fill(1.0, dark)
    else:
        picture[4:-4, 4:-4] = (*dark, 255)
    fill(0.7, (30, 30, 30))
    for turn in range(4):
        lamp = (255, 160, 60) if rng.random() < 0.5 else (60, 60, 230)
        x, y = round(64 + 34 * np.cos(turn * np.pi / 2)), round(64 + 34 * np.sin(turn * np.pi / 2))
        cv2.circle(picture, (x, y), 7, (*lamp, 255), -1, cv2.LINE_AA)
    return picture


def small_things(rng: np.random.Generator, reach: float) -> list[Prop]:
    """Marks, chips, coins, sticks and papers by chance within ``reach`` mm of the middle."""
    things: list[Prop] = []

    def lay(image: Image, size: tuple[float, float], x: float, y: float, z: float) -> None:
        things.append(Flat(x, y, size, image, float(rng.uniform(0, 360)), z))

    def place() -> tuple[float, float]:
        x, y = rng.uniform(-reach, reach, 2)
        return float(x), float(y)

    if rng.random() < 0.3:
        lay(mark(rng) if rng.random() < 0.7 else disc(rng), (size := float(rng.uniform(28, 46)), size), *place(), 3.0)
    for make, chance, size, most in ((chip, 0.2, 38.0, 6), (coin, 0.15, 24.0, 5)):
        if rng.random() < chance:
            x, y = place()
            for _ in range(int(rng.integers(1, most))):
                dx, dy = (float(value) for value in rng.uniform(-45, 45, 2))
                lay(make(rng), (size, size), x + dx, y + dy, 2.0)
    if rng.random() < 0.12:
        x, y = place()
        for index in range(int(rng.integers(1, 5))):
            lay(stick(rng), (75.0, 7.0), x + float(rng.uniform(-8, 8)), y + 9.0 * index, 1.5)
    if rng.random() < 0.15:
        lay(paper(rng), (float(rng.uniform(60, 110)), float(rng.uniform(45, 80))), *place(), 0.3)
    if rng.random() < 0.1:
        image, _ = keyboards.keys(rng)
        per_pixel = float(rng.uniform(*keyboards.PITCH_MM)) / keyboards.PITCH
        lay(image, (image.shape[1] * per_pixel, image.shape[0] * per_pixel), *place(), 4.0)
    return things


def rack_bar(
    rng: np.random.Generator, y: float, length: float, size: tuple[float, float], colour: tuple[float, float, float]
) -> Block:
    """A bar before a row, with words on its upper side where a font is there to write them.

    Args:
        rng: words are drawn from it.
        y: its middle, mm.
        length: along the row, mm.
        size: its depth on the table and its height, mm.
        colour: of the bar.
    """
    printed = None
    if lettering.available() and rng.random() < 0.75:
        high = 56
        wide = int(np.clip(round(high * length / size[0]), high, 2400))
        picture = np.empty((high, wide, 4), np.uint8)
        picture[:] = (*(int(np.clip(part, 0, 255)) for part in colour), 255)
        at = int(rng.integers(10, max(11, wide // 3)))
        while at < wide - high:
            text, _ = lettering.words(rng)
            room = min(wide - at - 8, int(high * rng.uniform(0.8, 1.7) * len(text)))
            if room > 24:
                _write(picture, text, rng, (at, int(rng.integers(0, 8)), at + room, high - int(rng.integers(0, 8))))
            at += room + int(rng.integers(high // 2, 6 * high))
        if rng.random() < 0.3:  # a sticker
            x = int(rng.integers(0, max(1, wide - 130)))
            cv2.ellipse(picture, (x + 60, high // 2), (30, 24), 0, 0, 360, (*_any(rng), 255), -1, cv2.LINE_AA)
        printed = np.ascontiguousarray(picture[..., :3])
    return Block(0.0, y, (length, size[0], size[1]), colour, nearer=60, printed=printed)
