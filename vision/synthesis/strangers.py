"""Tile faces that are none of the 42: jokers, red fives, trade marks, picture cards. A reader must not give them a name."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from vision.synthesis import package_sets, scripts
from vision.synthesis.drawing import Pen, petal, polar
from vision.synthesis.styles import MIX, style
from vision.synthesis.tiles import draw_face, on_plate, raster_pen

_JOKERS = ("百搭", "財神", "聽用", "飛", "鬼", "公", "皇", "后", "總", "寶", "貓", "鼠", "富", "龍")
_SHAPES = 4


def strangers(count: int, height_px: int, seed: int) -> list[npt.NDArray[np.uint8]]:
    """Random faces that are none of the 42.

    Args:
        count: how many.
        height_px: their height; the width is three quarters of it.
        seed: of everything random.

    Returns:
        (height, width, 4) uint8 each, BGR and alpha, on their plates.
    """
    rng = np.random.default_rng([seed, 43])
    brought = package_sets.strangers()
    faces = []
    for _ in range(count):
        chance = rng.random()
        if chance < 0.3 and brought:
            faces.append(on_plate(package_sets.resize(brought[int(rng.integers(len(brought)))], height_px), height_px))
        else:
            faces.append(raster_pen(_red_five(rng) if chance < 0.6 else _joker(rng), height_px))
    return faces


def _red_five(rng: np.random.Generator) -> Pen:
    """A five all in red, as Japanese sets have them."""
    own = style(f"{MIX}{rng.integers(100_000)}")
    red = own.palette["red"]
    paints = dict.fromkeys(("ink", "blue", "green"), red)
    look = replace(own, palette={**own.palette, **paints})
    pen = Pen(look.palette)
    draw_face(pen, look, "5" + "mps"[int(rng.integers(3))])
    return pen


def _joker(rng: np.random.Generator) -> Pen:
    """A word from above to below in an installed hand, or a figure of simple shapes."""
    own = style(f"{MIX}{rng.integers(100_000)}")
    pen = Pen(own.palette)
    paint = ("red", "green", "blue", "ink", "gold")[int(rng.integers(5))]
    hands = scripts.installed()
    if hands and rng.random() < 0.6:
        word = _JOKERS[int(rng.integers(len(_JOKERS)))]
        hand = hands[int(rng.integers(len(hands)))]
        if all(scripts.outline(hand, character) for character in word):
            high = 300 / len(word)
            for place, character in enumerate(word):
                pen.character(character, (75, 50 + place * high, 150, high - 12), paint, script=hand, weight=own.weight)
            if rng.random() < 0.3:
                pen.frame(46, 32, 208, 336, paint, 7, 14)
            return pen
    for _ in range(int(rng.integers(1, _SHAPES))):
        x, y, size = rng.uniform(100, 200), rng.uniform(130, 270), rng.uniform(30, 80)
        points = int(rng.integers(3, 8))
        turn = rng.uniform(0, 360)
        if rng.random() < 0.5:
            spots = [polar(x, y, size * (1 if k % 2 else 0.45), turn + 180 * k / points) for k in range(2 * points)]
            pen.area("M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in spots) + "Z", paint)
        else:
            for k in range(points):
                pen.area(petal(x, y, turn + 360 * k / points, size * 0.2, size * 0.8, size * 0.4), paint, line="face")
        paint = ("red", "green", "blue", "ink", "gold")[int(rng.integers(5))]
    if rng.random() < 0.5:
        for place, letter in enumerate("PEW"[: int(rng.integers(1, 4))]):
            pen.character(letter, (70 + place * 54, 316, 44, 54), paint, script="hei")
    return pen
