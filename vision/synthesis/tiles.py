"""The tile drawings: 42 faces and a back as SVG, in several art styles, and their rasters.

No font is needed: characters come as outlines (``glyphs.json``). ``faces/`` holds the classic style as files, written by
``write_faces.py``.

>>> svg("1m").startswith("<svg ")
True
>>> raster("back", 40).shape
(40, 30, 4)
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from engine.tiles import CODES
from vision.synthesis.creatures import cut_bird, cut_dragon
from vision.synthesis.drawing import HEIGHT, WIDTH, Pen, Point, dot, great_dot, number, stick, turned_stick
from vision.synthesis.package_sets import PREFIX
from vision.synthesis.package_sets import raster as package_raster
from vision.synthesis.pictures import BIRDS, FLOWERS
from vision.synthesis.sprigs import sprig
from vision.synthesis.styles import MIX, Style
from vision.synthesis.styles import style as style_of

BACK = "back"

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
        width, height = 34 * style.corner_size, 44 * style.corner_size
        left = 14 if style.corners == "left" else WIDTH - 14 - width
        pen.character(text, (left, 14, width, height), style.corner_ink or colour, script="hei", weight=0)


def _scaled(pen: Pen, scale: float, draw: Callable[[], None], *, mirrored: bool = False) -> None:
    """What ``draw`` draws, smaller or larger about the middle of the face; ``mirrored`` for birds, never for characters."""
    if scale == 1 and not mirrored:
        draw()
        return
    across = -scale if mirrored else scale
    pen.raw(f'<g transform="translate(150 200) scale({across:.3f} {scale:.3f}) translate(-150 -200)">')
    draw()
    pen.raw("</g>")


def _honour(pen: Pen, style: Style, rank: int) -> None:
    if rank == 5:
        _scaled(pen, style.white_scale, lambda: _white(pen, style))
        if style.white == "corners":
            _corner(pen, style, "P", "blue")
        return
    if style.dragons and rank in {6, 7}:
        ink = "green" if rank == 6 else "red"
        cut_dragon(pen, style.sprigs, ink)
    else:
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
    elif style.white == "letter":
        pen.frame(66, 80, 168, 240, "blue", 12, 18)
        pen.character("P", (112, 132, 76, 136), style.corner_ink or "blue", script="hei")
    elif style.white == "single":
        pen.frame(56, 64, 188, 272, "blue", 16, 22)
    elif style.white == "chain":
        for inset in (0, 30):
            pen.frame(50 + inset, 58 + inset, 200 - 2 * inset, 284 - 2 * inset, "blue", 6, 3)
        for y in range(96, 321, 37):
            for x in (65, 235):
                pen.block(x - 8, y - 9, 16, 18, "blue", 5)
        for x in range(103, 198, 31):
            for y in (73, 327):
                pen.block(x - 9, y - 8, 18, 16, "blue", 5)


def _picture(pen: Pen, draw: Callable[[Pen], None]) -> None:
    """A picture with a margin round it."""
    pen.raw('<g transform="translate(12 12) scale(0.92)">')
    draw(pen)
    pen.raw("</g>")


def _flower_character(style: Style, rank: int) -> str:
    return style.orchid if rank == 6 else _FLOWER_CHARACTERS[rank - 1]


def _flower(pen: Pen, style: Style, rank: int) -> None:
    season = rank <= 4
    character = _flower_character(style, rank)
    figure = _FLOWER_NUMBERS[rank - 1]
    ink = style.figures[1] if season else style.figures[0]
    if style.flowers in {"engraved", "named", "both"}:
        sprig(pen, rank, style.sprigs)
        if style.flowers == "both":
            _named_and_numbered(pen, style, rank, ink)
        elif style.flowers == "engraved":
            _cut_figure(pen, style, rank, ink)
        else:
            place = (190, 14, 92, 92) if season != style.swapped else (20, 14, 92, 92)
            pen.character(character, place, ink, script=style.script, weight=style.weight * 0.45)
        return
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
    _named_and_numbered(pen, style, rank, ink)


def _named_and_numbered(pen: Pen, style: Style, rank: int, ink: str) -> None:
    """Seasons in red with the figure at the left, plants in blue with it at the right, as most sets have them."""
    named, numbered = (18, 14, 90, 90), (234, 20, 46, 62)
    if (rank <= 4) != style.swapped:
        named, numbered = (194, 14, 90, 90), (20, 20, 46, 62)
    pen.character(_flower_character(style, rank), named, ink, script=style.script, weight=style.weight * 0.45)
    pen.character(str(_FLOWER_NUMBERS[rank - 1]), numbered, ink, script="hei")


def _cut_figure(pen: Pen, style: Style, rank: int, ink: str) -> None:
    """The figure of a flower as makers cut it: 一 … 四 at the right for seasons, 1 … 4 at the left for plants, large or small, atilt."""
    season = rank <= 4
    figure = _FLOWER_NUMBERS[rank - 1]
    maker, hand = np.random.default_rng([style.sprigs, 13]), np.random.default_rng([style.sprigs, 17, rank])
    size = float(maker.uniform(0.6, 1.08))
    width, height = (110 * size, 96 * size) if season else (74 * size, 92 * size)
    right = season != style.swapped
    x, y = (286 - width / 2, 16 + height / 2) if right else (24 + width / 2, 20 + height / 2)
    x, y = x + float(hand.uniform(-8, 8)), y + float(hand.uniform(-4, 14))
    tilt = float(maker.uniform(-14, 14) + hand.uniform(-5, 5))
    pen.raw(f'<g transform="rotate({tilt:.1f} {x:.1f} {y:.1f})">')
    pen.character(
        "一二三四"[figure - 1] if season else str(figure), (x - width / 2, y - height / 2, width, height), ink,
        script=style.script, weight=style.weight, fit_ink=not season,
    )  # fmt: skip
    pen.raw("</g>")


def draw_face(pen: Pen, style: Style, code: str) -> None:
    """Draw one of the 42 faces with a pen of the style's palette."""
    rank, suit = int(code[0]), code[1]
    if style.corners and suit in "mps":
        # Room for the index in the corner.
        pen.raw(f'<g transform="translate({36 if style.corners == "left" else 9} 50) scale(0.85)">')
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
        pen.character(
            digit, _fitted(box, style.number_fit), style.number_ink, script=style.script, weight=style.weight * 1.25,
            stretch=stretch,
        )  # fmt: skip
        pen.character(
            style.myriad, _fitted((66, 192, 168, 172), style.myriad_fit), style.myriad_ink, script=style.script,
            weight=style.weight * 0.75,
        )  # fmt: skip
    elif suit == "p":
        if rank == 1:
            _scaled(pen, style.great_scale, lambda: great_dot(pen, style.great or style.dots, style.dot_paints))
        else:
            radius, places = _DOTS[rank]
            size, across, down = style.dot_fit
            for place, y, group in places:
                x = place if style.slant or rank not in {3, 7} else WIDTH - place
                spot = (150 + (x - 150) * across, 200 + (y - 200) * down)
                dot(pen, *spot, radius * size * min(across, down), style.dot_paints[group], style.dots)
    elif rank == 1:
        _scaled(pen, style.bird_scale, lambda: _bird(pen, style), mirrored=style.bird_left)
    else:
        width, lines = _sticks(rank, style.eight)
        thick, long, across, down = style.stick_fit
        for start, end, group in lines:
            ends = _spaced(start, end, long, (across, down))
            if style.turning:
                turned_stick(pen, *ends, width * thick, style.stick_paints[group], style.turning)
            else:
                stick(pen, *ends, width * thick, style.stick_paints[group], style.sticks)


def _bird(pen: Pen, style: Style) -> None:
    if style.bird == "cut":
        cut_bird(pen, style.sprigs)
    else:
        _picture(pen, BIRDS[style.bird])


def _fitted(
    box: tuple[float, float, float, float], fit: tuple[float, float, float]
) -> tuple[float, float, float, float]:
    """A box (left, top, width, height) made wider and higher about its middle and moved down."""
    left, top, width, height = box
    across, down, lower = fit
    return left + width * (1 - across) / 2, top + height * (1 - down) / 2 + lower, width * across, height * down


def _spaced(start: Point, end: Point, long: float, spacing: tuple[float, float]) -> tuple[Point, Point]:
    """A stick made shorter about its middle, and its middle moved with its pattern about the face's."""
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    moved = (150 + (middle[0] - 150) * spacing[0], 200 + (middle[1] - 200) * spacing[1])
    long *= spacing[1]
    one, two = (
        (moved[0] + (point[0] - middle[0]) * long, moved[1] + (point[1] - middle[1]) * long) for point in (start, end)
    )
    return one, two


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
    return not raster("5z", 40, style, plate=False)[..., 3].any()


def _own(style: str) -> str:
    """The style that draws what a package's set lacks."""
    return f"{MIX}{sum(map(ord, style))}" if style.startswith(PREFIX) else style


def svg(code: str, style: str = "classic", *, plate: bool = True) -> str:
    """The drawing of a tile face as a complete SVG document, 300 × 400 units.

    Args:
        code: one of the 42 codes of ``engine.tiles.CODES`` or ``"back"``.
        style: one of ``STYLES``, ``mix:NUMBER`` (see ``styles``).
        plate: draw the rounded plate under the ink; without it the background is transparent.

    Raises:
        ValueError: an unknown code or style.
    """
    look = style_of(style)
    if code != BACK and code not in CODES:
        raise ValueError(f"no tile {code!r}; there are {', '.join(CODES)} and {BACK!r}")
    pen = Pen(look.palette, outlined=look.flowers == "outlined" and code != BACK)
    if plate:
        _plate(pen, code == BACK)
    if code == BACK:
        _back(pen)
    else:
        draw_face(pen, look, code)
    return _document(pen)


def _plate(pen: Pen, back: bool = False) -> None:
    """The rounded plate under the ink, or the back."""
    colour = "#1d7a4c" if back else pen.colour("face")
    edge = "#135535" if back else "#d9cfb4"
    pen.raw(
        f'<rect x="2" y="2" width="{WIDTH - 4}" height="{HEIGHT - 4}" rx="26" fill="{colour}" stroke="{edge}" '
        f'stroke-width="{number(4)}"/>'
    )


def _document(pen: Pen) -> str:
    body = "\n".join(pen.parts)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">\n{body}\n</svg>\n'


def raster_pen(pen: Pen, height_px: int) -> npt.NDArray[np.uint8]:
    """What a pen drew, on a plate, as pixels: (height, width, 4) uint8 BGR and alpha."""
    under = Pen(pen.palette)
    _plate(under)
    under.parts += pen.parts
    return _drawn(_document(under), height_px)


@lru_cache(maxsize=512)
def raster(code: str, height_px: int, style: str = "classic", *, plate: bool = True) -> npt.NDArray[np.uint8]:
    """The drawing as pixels.

    Args:
        code: as for ``svg``.
        height_px: height of the picture; the width is three quarters of it.
        style: as for ``svg``, or a set of an installed package (``package_sets.installed``); what that lacks is drawn.
        plate: as for ``svg``.

    Returns:
        (height, width, 4) uint8, BGR and alpha, not premultiplied, read-only (the array is cached).
    """
    if style.startswith(PREFIX) and code in CODES:
        ink = package_raster(code, height_px, style)
        if ink is not None:
            result = on_plate(ink, height_px) if plate else ink
            result.setflags(write=False)
            return result
    result = _drawn(svg(code, _own(style), plate=plate), height_px)
    result.setflags(write=False)
    return result


def on_plate(ink: npt.NDArray[np.uint8], height_px: int) -> npt.NDArray[np.uint8]:
    """Ink (height, width, 4) laid on the plate of the own drawings."""
    under = raster_pen(Pen(style_of("classic").palette), height_px)
    cover = ink[..., 3:].astype(np.float32) / 255
    mixed = ink[..., :3] * cover + under[..., :3] * (1 - cover)
    return np.dstack([mixed, np.maximum(under[..., 3:], ink[..., 3:])]).astype(np.uint8)


def _drawn(document: str, height_px: int) -> npt.NDArray[np.uint8]:
    """An SVG document of 300 × 400 units as (height, width, 4) BGR and alpha."""
    import cv2  # noqa: PLC0415 (heavy; not needed to list styles or write SVG)
    import resvg_py  # noqa: PLC0415

    width_px = max(1, round(height_px * WIDTH / HEIGHT))
    data = resvg_py.svg_to_bytes(svg_string=document, width=width_px, height=height_px, skip_system_fonts=True)
    pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    if pixels is None or pixels.ndim != 3 or pixels.shape[2] != 4:
        raise RuntimeError("resvg gave no RGBA picture")
    if pixels.shape[:2] != (height_px, width_px):
        pixels = cv2.resize(pixels, (width_px, height_px), interpolation=cv2.INTER_AREA)
    return np.ascontiguousarray(pixels, dtype=np.uint8)
