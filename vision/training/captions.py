"""Printed text that is no tile: captions, subtitles, good wishes on racks. Painted into training pictures as a lesson."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from vision.detections import iou

if TYPE_CHECKING:
    from numpy.typing import NDArray

CHARACTERS = (
    "自摸胡糊碰吃槓杠清混對对子花色番門门風风金游財财神恭喜發发來来了手氣气開开心心大吉利春夏秋冬梅蘭竹菊東东南西北中白萬万一二三四五六七八九十"
    "的是我有不這这打牌聽听張张麻將将下注好運运年年有餘平安福祿壽喜上海廣广東福建廈厦門漳州浙江歡迎0123456789ABCDEFGHKLMNPRSTWXYZabcdeghkmnorstu!?，。"
)
FOLDERS = ("/usr/share/fonts", "/Library/Fonts", "/System/Library/Fonts", "C:/Windows/Fonts")
PATTERNS = (
    "*CJK*.ttc",
    "*CJK*.otf",
    "ukai*.ttc",
    "uming*.ttc",
    "wqy*.ttc",
    "msyh*.ttc",
    "simsun*.ttc",
    "PingFang*.ttc",
    "STHeiti*.ttc",
)


@lru_cache(maxsize=1)
def fonts() -> tuple[Path, ...]:
    """Fonts with Chinese characters on this machine."""
    return tuple(sorted(p for folder in FOLDERS for pattern in PATTERNS for p in Path(folder).rglob(pattern)))


def paint(
    image: NDArray[np.uint8], boxes: NDArray[np.float32], rng: np.random.Generator, lines: int
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Paint up to ``lines`` lines of text where no tile lies.

    Args:
        image: (H, W, 3) BGR.
        boxes: (N, 4) the tiles.
        rng: source of chance.
        lines: how many lines to try; a line that finds no room is left out.

    Returns:
        The picture, and (M, 4) the boxes of the single characters. Without a Chinese font the picture as it was.
    """
    if not fonts():
        return image, np.empty((0, 4), np.float32)
    pillow: Any = import_module("PIL.Image")
    drawing: Any = import_module("PIL.ImageDraw")
    lettering: Any = import_module("PIL.ImageFont")
    height, width = image.shape[:2]
    picture = pillow.fromarray(np.ascontiguousarray(image[..., ::-1]))
    pen = drawing.Draw(picture)
    side = float(np.median((boxes[:, 2:] - boxes[:, :2]).max(1))) if len(boxes) else min(height, width) / 10
    placed: list[tuple[float, float, float, float]] = []
    for _ in range(lines):
        size = int(np.clip(side * rng.uniform(0.35, 1.3), 9, height / 3))
        text = "".join(rng.choice(list(CHARACTERS), int(rng.integers(3, 10))))
        font = lettering.truetype(str(fonts()[int(rng.integers(len(fonts())))]), size)
        long = float(pen.textlength(text, font=font))
        for _ in range(12):
            x, y = rng.uniform(-0.1 * long, max(1.0, width - 0.8 * long)), rng.uniform(0, max(1.0, height - size))
            area = np.array([[x - 3, y - 3, x + long + 3, y + 1.35 * size]], np.float32)
            if (len(boxes) and iou(area, boxes).max() > 0) or any(
                iou(area, np.array([p], np.float32)).max() > 0 for p in placed
            ):
                continue
            ink = tuple(
                int(v) for v in rng.choice([rng.integers(0, 70, 3), rng.integers(200, 256, 3), rng.integers(0, 256, 3)])
            )
            if rng.random() < 0.45:  # printed on a bar: a rack, a label, a subtitle's ground
                ground = tuple(int(v) for v in rng.integers(0, 256, 3))
                pen.rectangle(tuple(float(v) for v in area[0]), fill=ground)
            edge = max(1, size // 14) if rng.random() < 0.4 else 0
            pen.text((x, y), text, font=font, fill=ink, stroke_width=edge, stroke_fill=tuple(255 - v for v in ink))
            at = x
            for letter in text:
                step = float(pen.textlength(letter, font=font))
                placed.append((at, y + 0.1 * size, at + step, y + 1.2 * size))
                at += step
            break
    return np.ascontiguousarray(np.asarray(picture)[..., ::-1]), np.array(placed, np.float32).reshape(-1, 4)
