"""The tile drawings: 42 faces and a back as SVG, in several art styles, and their rasters.

No font is needed: characters come as outlines (``glyphs.json``). ``faces/`` holds the classic style as files, written by
``write_faces.py``.

>>> svg("1m").startswith("<svg ")
True
>>> raster("back", 40).shape
(40, 30, 4)
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from engine.tiles import CODES
from vision.synthesis.drawing import HEIGHT, WIDTH, Pen, dot, great_dot, number, stick
from vision.synthesis.pictures import BIRDS, FLOWERS

BACK = "back"

FULL_COLOUR = {
    "ink": "#1c1b22", "blue": "#1d3c8a", "green": "#12683a", "red": "#b3202c", "pink": "#e07a8b", "gold": "#d99a1f",
    "amber": "#d8701e", "violet": "#7a4a9c", "brown": "#6b4429", "face": "#fbf7ea",
}  # fmt: skip
# Cut and filled with three paints only, as machine-made sets are.
THREE_PAINTS = FULL_COLOUR | {
    "blue": "#2233a8", "green": "#0d6a35", "red": "#cf2418", "pink": "#cf2418", "gold": "#cf2418", "amber": "#0d6a35",
    "violet": "#cf2418", "brown": "#0d6a35",
}  # fmt: skip
DARK_PAINTS = THREE_PAINTS | {
    "ink": "#15161a", "blue": "#191d33", "green": "#14382c", "red": "#8d1b1f", "pink": "#8d1b1f", "gold": "#8d1b1f",
    "amber": "#14382c", "violet": "#8d1b1f", "brown": "#14382c",
}  # fmt: skip
BRIGHT_PAINTS = FULL_COLOUR | {
    "ink": "#101014", "blue": "#0a63c9", "green": "#129a43", "red": "#e22b2b", "pink": "#f06a9b", "gold": "#f0b000",
    "amber": "#f08a1d", "violet": "#8a4fd0", "brown": "#8a5a30",
}  # fmt: skip


@dataclass(frozen=True)
class Style:
    """One art variant of a whole set.

    Attributes:
        palette: colours by name; ``face`` is the colour of the plate.
        script: hand of the characters, a key of ``glyphs.json``.
        weight: how much heavier than the font's the strokes are, in units of the 300-unit face.
        number_ink, myriad_ink, wind_ink, green_ink, red_ink: paint of 一…九, 萬, the winds, 發 and 中.
        five: 五 or 伍; myriad: 萬 or 万; fortune: 發 or 发; east: 東 or 东.
        white: frame, double, corners, blank or inscribed.
        dots: kind of circle; sticks: kind of stick; bird: which bird.
        dot_paints, stick_paints: paints of the first, second and third group of a pattern.
        eight: the slanting sticks of 8s form W above M, as on most sets, or M above W.
        corners: arabic numerals and letters in the corner.
        flowers: full (character, digit, picture), digits (digit and picture: blue 1–4 the plants, red 一–四 the seasons),
            plain (character and digit only), outlined (contours only).
    """

    palette: Mapping[str, str] = field(default_factory=lambda: FULL_COLOUR)
    script: str = "kai"
    weight: float = 9.0
    number_ink: str = "ink"
    myriad_ink: str = "red"
    wind_ink: str = "ink"
    green_ink: str = "green"
    red_ink: str = "red"
    five: str = "五"
    myriad: str = "萬"
    fortune: str = "發"
    east: str = "東"
    white: str = "frame"
    dots: str = "ornate"
    sticks: str = "bamboo"
    bird: str = "peacock"
    dot_paints: tuple[str, str, str] = ("green", "blue", "red")
    stick_paints: tuple[str, str, str] = ("green", "blue", "red")
    eight: str = "WM"
    corners: bool = False
    flowers: str = "full"


_STYLES: dict[str, Style] = {
    "classic": Style(),
    "parlour": Style(
        palette=THREE_PAINTS,
        number_ink="blue",
        wind_ink="blue",
        five="伍",
        white="double",
        bird="phoenix",
        dots="wheel",
        flowers="digits",
        weight=7.0,
    ),
    "ivory": Style(
        palette=DARK_PAINTS,
        script="wenkai",
        weight=4.0,
        five="伍",
        white="blank",
        dots="coin",
        sticks="slit",
        bird="sparrow",
        dot_paints=("ink", "ink", "red"),
        stick_paints=("ink", "ink", "ink"),
        flowers="outlined",
    ),
    "export": Style(
        palette=BRIGHT_PAINTS,
        script="song",
        weight=5.0,
        number_ink="blue",
        wind_ink="ink",
        white="corners",
        dots="rings",
        sticks="bone",
        bird="phoenix",
        eight="MW",
        corners=True,
        flowers="full",
    ),
    "modern": Style(
        palette=BRIGHT_PAINTS,
        script="hei",
        weight=0.0,
        myriad="万",
        fortune="发",
        east="东",
        white="inscribed",
        dots="plain",
        sticks="bar",
        bird="sparrow",
        flowers="plain",
    ),
    "travel": Style(
        palette=THREE_PAINTS,
        script="marker",
        weight=4.0,
        number_ink="ink",
        five="伍",
        white="frame",
        dots="rings",
        sticks="bar",
        bird="peacock",
        flowers="outlined",
        dot_paints=("blue", "blue", "red"),
        corners=True,
    ),
    "mono": Style(
        palette=DARK_PAINTS,
        script="kai",
        weight=6.0,
        number_ink="ink",
        white="double",
        dots="rings",
        sticks="bone",
        bird="phoenix",
        flowers="digits",
        five="伍",
        dot_paints=("green", "ink", "red"),
    ),
}
STYLES: tuple[str, ...] = tuple(_STYLES)

_DIGITS = "一二三四五六七八九"
_FLOWER_CHARACTERS = "春夏秋冬梅蘭竹菊"
# Real sets number 菊 3 and 竹 4; the code of 竹 is 7f and of 菊 8f.
_FLOWER_NUMBERS = (1, 2, 3, 4, 1, 2, 4, 3)
_LEFT, _MIDDLE, _RIGHT = 75.0, 150.0, 225.0

# x, y, paint group of each circle; the radius by rank
_DOTS: dict[int, tuple[float, list[tuple[float, float, int]]]] = {
    2: (62, [(150, 108, 0), (150, 292, 1)]),
    3: (52, [(72, 82, 1), (150, 200, 2), (228, 318, 0)]),
    4: (56, [(82, 104, 1), (218, 104, 0), (82, 296, 0), (218, 296, 1)]),
    5: (50, [(74, 86, 1), (226, 86, 0), (150, 200, 2), (74, 314, 0), (226, 314, 1)]),
    6: (50, [(84, 84, 0), (216, 84, 0), (84, 212, 2), (216, 212, 2), (84, 326, 2), (216, 326, 2)]),
    7: (43, [(58, 62, 0), (150, 102, 0), (242, 142, 0), (92, 240, 2), (208, 240, 2), (92, 338, 2), (208, 338, 2)]),
    8: (42, [(x, y, 1) for y in (62, 154, 246, 338) for x in (92, 208)]),
    9: (41, [(x, y, group) for y, group in ((76, 0), (200, 2), (324, 1)) for x in (58, 150, 242)]),
}


def _sticks(rank: int, eight: str) -> tuple[float, list[tuple[tuple[float, float], tuple[float, float], int]]]:
    """Width and, for every stick, its two ends and its paint group."""

    def upright(x: float, y: float, length: float, group: int) -> tuple[tuple[float, float], tuple[float, float], int]:
        return (x, y - length / 2), (x, y + length / 2), group

    if rank == 2:
        return 54, [upright(150, 108, 156, 0), upright(150, 292, 156, 1)]
    if rank == 3:
        return 50, [upright(150, 108, 146, 1), upright(84, 292, 146, 0), upright(216, 292, 146, 0)]
    if rank in {4, 5}:
        four = [
            upright(84, 108, 146, 1),
            upright(216, 108, 146, 0),
            upright(84, 292, 146, 0),
            upright(216, 292, 146, 1),
        ]
        return 48, four + ([upright(150, 200, 150, 2)] if rank == 5 else [])
    if rank == 6:
        return 48, [upright(x, y, 154, group) for y, group in ((108, 0), (292, 1)) for x in (68, 150, 232)]
    if rank == 7:
        rows = [upright(150, 72, 104, 2)]
        return 42, rows + [upright(x, y, 106, 1 if x == 150 else 0) for y in (200, 322) for x in (68, 150, 232)]
    if rank == 8:
        one = [((54, 44), (54, 182)), ((246, 44), (246, 182)), ((64, 52), (145, 142)), ((236, 52), (155, 142))]
        other = [((x0, 226 - y0), (x1, 226 - y1)) for (x0, y0), (x1, y1) in one]
        upper, lower = (other, one) if eight == "WM" else (one, other)
        both = [(*line, 0) for line in upper] + [((x0, y0 + 174), (x1, y1 + 174), 1) for (x0, y0), (x1, y1) in lower]
        return 38, [((float(a), float(b)), (float(c), float(d)), group) for (a, b), (c, d), group in both]
    return 42, [upright(x, y, 106, group) for y in (78, 200, 322) for x, group in ((68, 0), (150, 2), (232, 1))]


def _corner(pen: Pen, style: Style, text: str, colour: str) -> None:
    if style.corners:
        pen.character(text, (14, 14, 34, 44), colour, script="hei", weight=0)


def _honour(pen: Pen, style: Style, rank: int) -> None:
    if rank == 5:
        _white(pen, style)
        return
    character = {1: style.east, 2: "南", 3: "西", 4: "北", 6: style.fortune, 7: "中"}[rank]
    ink = {6: style.green_ink, 7: style.red_ink}.get(rank, style.wind_ink)
    box = (74.0, 80.0, 152.0, 240.0) if rank == 7 else (58.0, 88.0, 184.0, 224.0)
    pen.character(character, box, ink, script=style.script, weight=style.weight * 1.5, stretch=1.25)
    _corner(pen, style, {1: "E", 2: "S", 3: "W", 4: "N", 6: "F", 7: "C"}[rank], ink)


def _white(pen: Pen, style: Style) -> None:
    if style.white == "inscribed":
        pen.character("白", (66, 84, 168, 232), "blue", script=style.script, weight=style.weight)
    elif style.white == "frame":
        pen.frame(48, 58, 204, 284, "blue", 17, 16)
        pen.frame(66, 76, 168, 248, "blue", 4, 8)
        for x, y, turn in ((66, 76, 0), (234, 76, 90), (234, 324, 180), (66, 324, 270)):
            pen.raw(f'<g transform="translate({x} {y}) rotate({turn})">')
            pen.line("M0 40Q4 26 18 22Q24 6 38 0", "blue", 4.5)
            pen.disc(13, 13, 5.5, "blue")
            pen.raw("</g>")
    elif style.white == "double":
        pen.frame(46, 52, 208, 296, "blue", 8, 4)
        pen.frame(66, 72, 168, 256, "blue", 8, 22)
    elif style.white == "corners":
        pen.frame(58, 74, 184, 266, "blue", 26, 2)
        for y in range(74, 341, 38):
            pen.block(53, y - 5, 10, 10, "face")
            pen.block(237, y - 5, 10, 10, "face")
        for x in range(95, 206, 37):
            pen.block(x - 5, 69, 10, 10, "face")
            pen.block(x - 5, 335, 10, 10, "face")
        _corner(pen, style, "P", "blue")


def _picture(pen: Pen, draw: Callable[[Pen], None]) -> None:
    """A picture with a margin round it."""
    pen.raw('<g transform="translate(12 12) scale(0.92)">')
    draw(pen)
    pen.raw("</g>")


def _flower(pen: Pen, style: Style, rank: int) -> None:
    season = rank <= 4
    character = _FLOWER_CHARACTERS[rank - 1]
    figure = _FLOWER_NUMBERS[rank - 1]
    ink = "red" if season else "blue"
    if style.flowers == "plain":
        pen.character(character, (56, 44, 188, 200), ink, script=style.script, weight=style.weight)
        pen.character(str(figure), (116, 272, 68, 92), "blue", script="hei")
        return
    if style.flowers == "digits":
        _picture(pen, FLOWERS[rank - 1])
        text = "一二三四"[figure - 1] if season else str(figure)
        box = (178, 10, 110, 104) if season else (22, 22, 82, 78)
        pen.character(text, box, ink, script=style.script, weight=style.weight, fit_ink=not season)
        return
    _picture(pen, FLOWERS[rank - 1])
    # Seasons in red with the figure at the left, plants in blue with it at the right, as most sets have them.
    left, right = (18, 14, 90, 90), (194, 14, 90, 90)
    ink = "red" if season else "blue"
    pen.character(character, right if season else left, ink, script=style.script, weight=style.weight * 0.45)
    pen.character(str(figure), (20, 20, 46, 62) if season else (234, 20, 46, 62), ink, script="hei")


def _face(pen: Pen, style: Style, code: str) -> None:
    rank, suit = int(code[0]), code[1]
    if style.corners and suit in "mps":
        # Room for the index in the corner.
        pen.raw('<g transform="translate(36 50) scale(0.85)">')
        _suit(pen, style, rank, suit)
        pen.raw("</g>")
        _corner(
            pen, style, str(rank), {"m": style.number_ink, "p": style.dot_paints[1], "s": style.stick_paints[0]}[suit]
        )
    elif suit in "mps":
        _suit(pen, style, rank, suit)
    elif suit == "z":
        _honour(pen, style, rank)
    else:
        _flower(pen, style, rank)


def _suit(pen: Pen, style: Style, rank: int, suit: str) -> None:
    if suit == "m":
        digit = style.five if rank == 5 else _DIGITS[rank - 1]
        # The flat numbers get a lower box each, so that 二 and 三 keep clear gaps between their strokes.
        box, stretch = {1: ((66, 66, 168, 70), 1.35), 2: ((68, 54, 164, 96), 1.5), 3: ((66, 38, 168, 128), 1.5)}.get(
            rank, ((70, 30, 160, 146), 1.35)
        )
        pen.character(digit, box, style.number_ink, script=style.script, weight=style.weight * 1.25, stretch=stretch)
        pen.character(
            style.myriad, (66, 192, 168, 172), style.myriad_ink, script=style.script, weight=style.weight * 0.75
        )
    elif suit == "p":
        if rank == 1:
            great_dot(pen, style.dots, style.dot_paints)
        else:
            radius, places = _DOTS[rank]
            for x, y, group in places:
                dot(pen, x, y, radius, style.dot_paints[group], style.dots)
    elif rank == 1:
        _picture(pen, BIRDS[style.bird])
    else:
        width, lines = _sticks(rank, style.eight)
        for start, end, group in lines:
            stick(pen, start, end, width, style.stick_paints[group], style.sticks)


def _back(pen: Pen) -> None:
    """The back: plain, with the fret that frames it."""
    pen.frame(34, 34, 232, 332, "#ffffff55", 7, 20)
    pen.frame(52, 52, 196, 296, "#ffffff38", 4, 12)
    for x, y, turn in ((150, 200, 0), (150, 200, 90), (150, 200, 180), (150, 200, 270)):
        pen.raw(f'<g transform="translate({x} {y}) rotate({turn})">')
        pen.raw('<path d="M0 -64L30 -34L0 -4L-30 -34Z" fill="none" stroke="#ffffff66" stroke-width="6"/>')
        pen.raw('<circle cx="0" cy="-34" r="8" fill="#ffffff66"/></g>')


def blank_white(style: str) -> bool:
    """Whether the white dragon of a style has no ink at all."""
    return _STYLES[style].white == "blank"


def svg(code: str, style: str = "classic", *, plate: bool = True) -> str:
    """The drawing of a tile face as a complete SVG document, 300 × 400 units.

    Args:
        code: one of the 42 codes of ``engine.tiles.CODES`` or ``"back"``.
        style: one of ``STYLES``.
        plate: draw the rounded plate under the ink; without it the background is transparent.

    Raises:
        ValueError: an unknown code or style.
    """
    if style not in _STYLES:
        raise ValueError(f"no art style {style!r}; there are {', '.join(STYLES)}")
    if code != BACK and code not in CODES:
        raise ValueError(f"no tile {code!r}; there are {', '.join(CODES)} and {BACK!r}")
    look = _STYLES[style]
    pen = Pen(look.palette, outlined=look.flowers == "outlined" and code != BACK)
    if plate:
        colour = "#1d7a4c" if code == BACK else look.palette["face"]
        edge = "#135535" if code == BACK else "#d9cfb4"
        pen.raw(
            f'<rect x="2" y="2" width="{WIDTH - 4}" height="{HEIGHT - 4}" rx="26" fill="{colour}" stroke="{edge}" '
            f'stroke-width="{number(4)}"/>'
        )
    if code == BACK:
        _back(pen)
    else:
        _face(pen, look, code)
    body = "\n".join(pen.parts)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">\n{body}\n</svg>\n'


@lru_cache(maxsize=512)
def raster(code: str, height_px: int, style: str = "classic", *, plate: bool = True) -> npt.NDArray[np.uint8]:
    """The drawing as pixels.

    Args:
        code: as for ``svg``.
        height_px: height of the picture; the width is three quarters of it.
        style: one of ``STYLES``.
        plate: as for ``svg``.

    Returns:
        (height, width, 4) uint8, BGR and alpha, not premultiplied, read-only (the array is cached).
    """
    import cv2  # noqa: PLC0415 (heavy; not needed to list styles or write SVG)
    import resvg_py  # noqa: PLC0415

    width_px = max(1, round(height_px * WIDTH / HEIGHT))
    data = resvg_py.svg_to_bytes(
        svg_string=svg(code, style, plate=plate), width=width_px, height=height_px, skip_system_fonts=True
    )
    pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    if pixels is None or pixels.ndim != 3 or pixels.shape[2] != 4:
        raise RuntimeError(f"resvg gave no RGBA picture of {code}")
    if pixels.shape[:2] != (height_px, width_px):
        pixels = cv2.resize(pixels, (width_px, height_px), interpolation=cv2.INTER_AREA)
    result = np.ascontiguousarray(pixels, dtype=np.uint8)
    result.setflags(write=False)
    return result
