"""Words as pictures, in the Chinese fonts that are installed: print on racks, cloths and captions. Needs Pillow (extra ``train``)."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from vision.synthesis.scripts import print_fonts

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

Paint = tuple[int, int, int]

CHARACTERS = (
    "自摸胡糊碰吃槓杠清混對对子花色番門门風风金游財财神恭喜發发來来了手氣气開开心心大吉利春夏秋冬梅蘭竹菊東东南西北中白萬万一二三四五六七八九十"
    "的是我有不這这打牌聽听張张麻將将下注好運运年年有餘平安福祿壽喜上海廣广東福建廈厦門漳州浙江歡迎0123456789ABCDEFGHKLMNPRSTWXYZabcdeghkmnorstu!?，。"
)
WISHES = (
    "好手氣來了開開心心", "好手气来了开开心心", "恭喜發財", "恭喜发财", "自摸", "大吉大利", "歡迎光臨", "福祿壽喜", "金玉滿堂", "萬事如意", "万事如意",
    "東南西北中發白", "八方來財", "年年有餘", "一路發", "九九歸一", "財源廣進", "出入平安", "心想事成", "春夏秋冬", "麻將館", "雀友", "三缺一",
)  # fmt: skip


@cache
def available() -> bool:
    """Whether words can be drawn here at all."""
    return find_spec("PIL") is not None and bool(print_fonts())


@lru_cache(maxsize=64)
def _font(path: Path, size: int) -> Any:
    lettering: Any = import_module("PIL.ImageFont")
    return lettering.truetype(str(path), size)


@lru_cache(maxsize=8192)
def has(path: Path, letter: str) -> bool:
    """Whether a font has a character, and not the box that stands for what it lacks."""
    font = _font(path, 24)
    shape, missing = (font.getmask(text) for text in (letter, "\uffff"))
    return bool(shape.getbbox()) and (shape.size, bytes(shape)) != (missing.size, bytes(missing))


def words(rng: np.random.Generator) -> tuple[str, Path]:
    """A text, a wish or letters by chance, and a font that has all of it."""
    fonts = print_fonts()
    font = fonts[int(rng.integers(len(fonts)))]
    if rng.random() < 0.5:
        text = WISHES[int(rng.integers(len(WISHES)))]
    else:
        text = "".join(rng.choice(list(CHARACTERS), int(rng.integers(3, 10))))
    return "".join(letter for letter in text if has(font, letter)) or "1", font


def paint(rng: np.random.Generator) -> Paint:
    """A colour of ink or paper: dark, light or any."""
    parts = rng.choice([rng.integers(0, 70, 3), rng.integers(200, 256, 3), rng.integers(0, 256, 3)])
    return int(parts[0]), int(parts[1]), int(parts[2])


def shaded(colour: Paint, factor: float) -> Paint:
    """A colour made darker or lighter."""
    blue, green, red = (int(np.clip(part * factor, 0, 255)) for part in colour)
    return blue, green, red


def strip(
    text: str, path: Path, size: int, rng: np.random.Generator, ground: Paint | None
) -> tuple[NDArray[np.uint8], list[tuple[float, float, float, float]]]:
    """A line of text.

    Args:
        text: what to write.
        path: of the font.
        size: height of the letters, pixels.
        rng: ink, spacing and margins are drawn from it.
        ground: colour of the bar it stands on; ``None`` for none.

    Returns:
        (h, w, 4) BGR and alpha, and the boxes of the characters in it.
    """
    pillow: Any = import_module("PIL.Image")
    drawing: Any = import_module("PIL.ImageDraw")
    font = _font(path, size)
    spread = rng.uniform(0.0, 0.9) * size if ground is not None and rng.random() < 0.7 else 0.0
    edge = max(1, size // 14) if rng.random() < 0.3 else 0
    steps = [float(font.getlength(letter)) + spread for letter in text]
    margin = rng.uniform(0.2, 2.5) * size if ground is not None else edge + 2
    long, high = round(sum(steps) + 2 * margin), round(size * (rng.uniform(1.25, 1.9) if ground is not None else 1.4))
    ink = paint(rng)
    if ground is not None and abs(sum(ink) - sum(ground)) < 150:
        ink = (20, 20, 20) if sum(ground) > 380 else (240, 240, 240)
    picture = pillow.new("RGBA", (long, high), (*ground, 255) if ground is not None else (0, 0, 0, 0))
    pen = drawing.Draw(picture)
    outline = (*(255 - part for part in ink), 255)
    at, boxes = float(margin), []
    for letter, step in zip(text, steps, strict=True):
        pen.text(
            (at, high / 2), letter, font=font, fill=(*ink, 255), anchor="lm", stroke_width=edge, stroke_fill=outline
        )
        boxes.append((at, high / 2 - 0.55 * size, at + step - spread, high / 2 + 0.55 * size))
        at += step
    return np.array(picture, np.uint8), boxes


@lru_cache(maxsize=4096)
def cover(text: str, path: Path, size: int) -> NDArray[np.uint8]:
    """How far a word covers each pixel: (h, w) from 0 to 255, cut close; letters ``size`` pixels high."""
    pillow: Any = import_module("PIL.Image")
    font = _font(path, size)
    left, top, right, bottom = font.getbbox(text)
    shape = pillow.new("L", (max(1, right - left), max(1, bottom - top)))
    drawing: Any = import_module("PIL.ImageDraw")
    drawing.Draw(shape).text((-left, -top), text, font=font, fill=255)
    return np.array(shape, np.uint8)


def lay(picture: NDArray[np.uint8], covered: NDArray[np.uint8], ink: Paint) -> None:
    """Colour a picture (h, w, 3 or 4), in place, where ``covered`` (h, w) says how far; alpha stays."""
    weight = covered[..., None].astype(np.float32) / 255
    picture[..., :3] = (picture[..., :3] * (1 - weight) + np.array(ink, np.float32) * weight).astype(np.uint8)
