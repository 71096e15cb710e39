"""Primitives of the tile drawings: a pen that writes SVG shapes, character outlines, dots and bamboo sticks.

Everything is drawn on a face of 300 × 400 units, y down.
"""

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np

from vision.synthesis.scripts import PREFIX as FONT
from vision.synthesis.scripts import outline

WIDTH = 300
HEIGHT = 400
_TOKEN = re.compile(r"[MLHVQCZ]|-?\d+(?:\.\d+)?")
Point = tuple[float, float]


def number(value: float) -> str:
    """A coordinate with one decimal at most.

    >>> number(12.0), number(3.14159)
    ('12', '3.1')
    """
    return f"{value:.1f}".rstrip("0").rstrip(".") if "." in f"{value:.1f}" else str(value)


@cache
def glyphs() -> Mapping[str, Mapping[str, str]]:
    """Outlines by script and character on a 1000-unit em, y down (``extract_glyphs.py`` writes them)."""
    loaded: dict[str, dict[str, str]] = json.loads(Path(__file__).with_name("glyphs.json").read_text(encoding="utf-8"))
    return loaded


@cache
def _segments(script: str, character: str) -> tuple[tuple[str, tuple[Point, ...]], ...]:
    """A character's path as absolute segments of points (H and V turned into L)."""
    own = glyphs()
    path = (outline(script, character) if script.startswith(FONT) else own[script].get(character)) or own["kai"][
        character
    ]
    tokens = _TOKEN.findall(path)
    segments: list[tuple[str, tuple[Point, ...]]] = []
    position = 0
    command = ""
    here: Point = (0.0, 0.0)
    pairs = {"M": 1, "L": 1, "Q": 2, "C": 3}
    while position < len(tokens):
        if tokens[position].isalpha():
            command = tokens[position]
            position += 1
            if command == "Z":
                segments.append(("Z", ()))
                continue
        if command in "HV":
            value = float(tokens[position])
            position += 1
            here = (value, here[1]) if command == "H" else (here[0], value)
            segments.append(("L", (here,)))
            continue
        count = pairs[command]
        values = [float(token) for token in tokens[position : position + 2 * count]]
        position += 2 * count
        points = tuple(zip(values[::2], values[1::2], strict=True))
        here = points[-1]
        segments.append((command, points))
        command = "L" if command == "M" else command
    return tuple(segments)


@cache
def extent(script: str, character: str) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a character on its em (of the control points, which is close enough)."""
    points = [point for _, points in _segments(script, character) for point in points]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


@dataclass
class Pen:
    """Collects SVG shapes.

    Attributes:
        palette: colour names (``red``, ``ink`` …) to CSS colours; a name it lacks is taken as a CSS colour.
        outlined: draw areas as contours, as plainly engraved sets do.
    """

    palette: Mapping[str, str]
    outlined: bool = False
    parts: list[str] = field(default_factory=list)

    def colour(self, name: str) -> str:
        """The CSS colour of a name."""
        return self.palette.get(name, name)

    def raw(self, element: str) -> None:
        """Adds an element as it is."""
        self.parts.append(element)

    def area(self, path: str, colour: str, *, solid: bool = False, line: str = "", width: float = 2.5) -> None:
        """A filled path; ``line`` names the colour of its contour; ``solid`` keeps it filled in outlined sets."""
        if self.outlined and not solid:
            stroke = self.colour(colour)
            self.raw(f'<path d="{path}" fill="none" stroke="{stroke}" stroke-width="5" stroke-linejoin="round"/>')
            return
        contour = (
            f' stroke="{self.colour(line)}" stroke-width="{number(width)}" stroke-linejoin="round"' if line else ""
        )
        self.raw(f'<path d="{path}" fill="{self.colour(colour)}"{contour}/>')

    def line(self, path: str, colour: str, width: float) -> None:
        """A stroked path with round ends."""
        self.raw(
            f'<path d="{path}" fill="none" stroke="{self.colour(colour)}" stroke-width="{number(width)}" '
            'stroke-linecap="round" stroke-linejoin="round"/>'
        )

    def disc(self, x: float, y: float, radius: float, colour: str) -> None:
        """A filled circle."""
        self.raw(f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="{self.colour(colour)}"/>')

    def ring(self, x: float, y: float, radius: float, colour: str, width: float) -> None:
        """A circle's line."""
        self.raw(
            f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="none" '
            f'stroke="{self.colour(colour)}" stroke-width="{number(width)}"/>'
        )

    def block(self, x: float, y: float, width: float, height: float, colour: str, corner: float = 0.0) -> None:
        """A filled rectangle."""
        rounded = f' rx="{number(corner)}"' if corner else ""
        self.raw(
            f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"{rounded} '
            f'fill="{self.colour(colour)}"/>'
        )

    def frame(self, x: float, y: float, width: float, height: float, colour: str, line: float, corner: float) -> None:
        """A rectangle's line."""
        self.raw(
            f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}" '
            f'rx="{number(corner)}" fill="none" stroke="{self.colour(colour)}" stroke-width="{number(line)}"/>'
        )

    def character(
        self,
        character: str,
        box: tuple[float, float, float, float],
        colour: str,
        *,
        script: str = "kai",
        weight: float = 0.0,
        stretch: float = 1.3,
        fit_ink: bool = True,
    ) -> None:
        """A character's outline in a box.

        Args:
            character: one character of ``glyphs.json``.
            box: left, top, width, height on the face.
            colour: colour name.
            script: which hand it is written in: a key of ``glyphs.json`` or one of ``scripts.installed()``.
            weight: width of a contour of the same colour that makes the strokes heavier.
            stretch: how much one direction may be scaled more than the other.
            fit_ink: fit the ink into the box; otherwise the em square (keeps 一 a single stroke in the middle).
        """
        left, top, width, height = box
        x0, y0, x1, y1 = extent(script, character) if fit_ink else (30.0, 30.0, 970.0, 970.0)
        across, down = (width - weight) / (x1 - x0), (height - weight) / (y1 - y0)
        across, down = min(across, down * stretch), min(down, across * stretch)
        dx = left + width / 2 - across * (x0 + x1) / 2
        dy = top + height / 2 - down * (y0 + y1) / 2
        path = "".join(
            command + " ".join(f"{number(x * across + dx)} {number(y * down + dy)}" for x, y in points)
            for command, points in _segments(script, character)
        )
        ink = self.colour(colour)
        heavy = f' stroke="{ink}" stroke-width="{number(weight)}" stroke-linejoin="round"' if weight else ""
        self.raw(f'<path d="{path}" fill="{ink}"{heavy}/>')


def uniform(rng: np.random.Generator, low: float, high: float) -> float:
    """A number by chance between two."""
    return float(rng.uniform(low, high))


def polar(x: float, y: float, radius: float, degrees: float) -> Point:
    """The point at a distance and a direction (0° right, 90° down) from (x, y)."""
    return x + radius * math.cos(math.radians(degrees)), y + radius * math.sin(math.radians(degrees))


def path(*items: str | Point) -> str:
    """An SVG path from commands and points.

    >>> path("M", (1, 2), "L", (3.25, 4), "Z")
    'M1 2L3.2 4Z'
    """
    text = ""
    for item in items:
        if isinstance(item, str):
            text += item
        else:
            space = " " if text and text[-1].isdigit() else ""
            text += f"{space}{number(item[0])} {number(item[1])}"
    return text


def leaf(x: float, y: float, degrees: float, length: float, width: float, bend: float = 0.0) -> str:
    """A pointed leaf from its stalk at (x, y) in a direction; ``bend`` moves its belly aside, in units."""
    tip = polar(x, y, length, degrees)
    middle = polar(x, y, length * 0.5, degrees)
    one = polar(*middle, width + bend, degrees + 90)
    two = polar(*middle, -width + bend, degrees + 90)
    return path("M", (x, y), "Q", one, tip, "Q", two, (x, y), "Z")


def petal(x: float, y: float, degrees: float, start: float, length: float, width: float) -> str:
    """A round petal between two radii round (x, y)."""
    inner = polar(x, y, start, degrees)
    outer = start + length
    side = math.degrees(math.atan2(width, outer * 0.72))
    left, right = (polar(x, y, outer * 0.78, degrees + sign * side) for sign in (-1, 1))
    top_left, top_right = (polar(x, y, outer * 1.1, degrees + sign * side * 0.72) for sign in (-1, 1))
    tip = polar(x, y, outer, degrees)
    return path("M", inner, "Q", left, *_between(left, top_left), "Q", top_left, tip, "Q", top_right,
                *_between(right, top_right), "Q", right, inner, "Z")  # fmt: skip


def _between(one: Point, two: Point) -> tuple[Point]:
    return (((one[0] + two[0]) / 2, (one[1] + two[1]) / 2),)


def dot(pen: Pen, x: float, y: float, radius: float, colour: str, kind: str) -> None:
    """One circle of the dots suit. ``kind``: ornate, rings, wheel, coin, plain, target, eye, quartered, crossed, whirl or bloom."""
    if kind == "quartered":
        pen.ring(x, y, radius * 0.86, colour, radius * 0.22)
        for turn in (0, 90):
            ends = (polar(x, y, radius * 0.86, degrees) for degrees in (turn, turn + 180))
            pen.line(path("M", next(ends), "L", next(ends)), colour, radius * 0.2)
        pen.ring(x, y, radius * 0.36, colour, radius * 0.16)
        return
    if kind == "crossed":  # filled, with a light cross in a light ring
        pen.disc(x, y, radius, colour)
        pen.ring(x, y, radius * 0.74, "face", radius * 0.1)
        for turn in (0, 90):
            ends = (polar(x, y, radius * 0.7, degrees) for degrees in (turn, turn + 180))
            pen.line(path("M", next(ends), "L", next(ends)), "face", radius * 0.18)
        return
    if kind == "whirl":
        pen.ring(x, y, radius * 0.9, colour, radius * 0.14)
        for turn in range(6):
            start, bend, end = (
                polar(x, y, radius * part, turn * 60 + more) for part, more in ((0.1, 0), (0.5, 50), (0.84, 70))
            )
            pen.line(path("M", start, "Q", bend, end), colour, radius * 0.14)
        return
    if kind == "bloom":
        for turn in range(6):
            pen.ring(*polar(x, y, radius * 0.6, turn * 60), radius * 0.28, colour, radius * 0.16)
        pen.disc(x, y, radius * 0.24, colour)
        return
    if kind == "target":
        for part, line in ((0.92, 0.11), (0.66, 0.1), (0.4, 0.1)):
            pen.ring(x, y, radius * part, colour, radius * line)
        pen.disc(x, y, radius * 0.16, colour)
        return
    if kind == "eye":
        pen.ring(x, y, radius * 0.88, colour, radius * 0.22)
        pen.disc(x, y, radius * 0.45, colour)
        for turn in range(4):
            pen.area(petal(x, y, turn * 90, radius * 0.04, radius * 0.34, radius * 0.12), "face", solid=True)
        return
    if kind == "plain":
        pen.disc(x, y, radius, colour)
        pen.ring(x, y, radius * 0.62, "face", radius * 0.12)
        return
    if kind == "rings":
        pen.ring(x, y, radius * 0.9, colour, radius * 0.2)
        pen.ring(x, y, radius * 0.55, colour, radius * 0.17)
        pen.disc(x, y, radius * 0.26, colour)
        return
    if kind == "coin":
        pen.ring(x, y, radius * 0.86, colour, radius * 0.28)
        for turn in range(4):
            pen.disc(*polar(x, y, radius * 0.33, 45 + 90 * turn), radius * 0.2, colour)
        return
    if kind == "wheel":
        pen.ring(x, y, radius * 0.92, colour, radius * 0.16)
        for turn in range(8):
            pen.area(petal(x, y, turn * 45, radius * 0.2, radius * 0.5, radius * 0.17), colour, solid=True)
        pen.disc(x, y, radius * 0.16, colour)
        return
    pen.disc(x, y, radius, colour)
    pen.ring(x, y, radius * 0.8, "face", radius * 0.09)
    for turn in range(8):
        pen.area(petal(x, y, turn * 45 + 22.5, radius * 0.26, radius * 0.4, radius * 0.16), "face", solid=True)
    pen.disc(x, y, radius * 0.2, "face")
    pen.disc(x, y, radius * 0.11, colour)


def great_dot(pen: Pen, kind: str, colours: Sequence[str]) -> None:
    """The one of dots: a big medallion. ``kind``: as for ``dot``, or beads or rosette; ``colours``: rim, petals, heart."""
    x, y, rim, petals, heart = 150.0, 200.0, *colours
    if kind == "target":
        for radius, colour, width in ((106, rim, 15), (84, petals, 7), (66, petals, 13), (42, heart, 9)):
            pen.ring(x, y, radius, colour, width)
        pen.disc(x, y, 15, heart)
        return
    if kind == "beads":
        pen.disc(x, y, 112, rim)
        for turn in range(14):
            spot = polar(x, y, 84, turn * 360 / 14)
            pen.disc(*spot, 15, petals)
            pen.disc(*spot, 6, "face")
        pen.disc(x, y, 58, "face")
        pen.ring(x, y, 52, rim, 8)
        pen.disc(x, y, 20, heart)
        return
    if kind == "rosette":
        for turn in range(14):
            pen.area(petal(x, y, turn * 360 / 14, 58, 56, 16), "face", solid=True, line=rim, width=8)
        pen.ring(x, y, 58, petals, 8)
        pen.disc(x, y, 46, heart)
        for turn in range(4):
            pen.area(petal(x, y, turn * 90 + 45, 6, 32, 12), "face", solid=True)
        return
    if kind == "rings":
        for radius, colour in ((110, rim), (82, petals), (54, rim)):
            pen.ring(x, y, radius, colour, 17)
        pen.disc(x, y, 28, heart)
        return
    if kind in {"plain", "coin"}:
        pen.ring(x, y, 108, rim, 10)
        for turn in range(12):
            pen.area(petal(x, y, turn * 30, 52, 44, 13), petals)
        pen.ring(x, y, 46, rim, 8)
        pen.disc(x, y, 33, heart)
        for turn in range(4):
            pen.disc(*polar(x, y, 15, 45 + 90 * turn), 7, "face")
        return
    if kind == "wheel":
        for turn in range(16):
            pen.area(petal(x, y, turn * 22.5, 66, 50, 14), "none", line=petals, width=6)
        pen.disc(x, y, 64, rim)
        pen.ring(x, y, 52, "face", 5)
        pen.disc(x, y, 38, heart)
        for turn in range(6):
            pen.area(petal(x, y, turn * 60, 8, 24, 9), "face", solid=True)
        return
    pen.disc(x, y, 118, rim)
    pen.ring(x, y, 108, "face", 4)
    for turn in range(24):
        pen.disc(*polar(x, y, 97, turn * 15), 6, "face")
    pen.ring(x, y, 85, "face", 4)
    pen.disc(x, y, 79, "face")
    for turn in range(12):
        pen.area(petal(x, y, turn * 30, 36, 38, 11), petals, solid=True)
    pen.disc(x, y, 40, heart)
    pen.ring(x, y, 33, "face", 3)
    for turn in range(8):
        pen.area(petal(x, y, turn * 45, 8, 18, 6.5), "face", solid=True)
    pen.disc(x, y, 5, "face")


@dataclass(frozen=True)
class Turning:
    """How the sticks of a set are turned: a profile that swells and narrows along the stick.

    Attributes:
        lobes: how often, 1 to 5: beads of a chain, or the canes between knots.
        waist: the half width where it is narrowest, as a part of where it is widest.
        flared: widest at the ends and knots, as a cane is, not in between, as beads are.
        boxy: from 0.2 (long straight sides) to 1 (round).
        line: width of the cut outline as a part of the stick's width; 0: the stick is filled.
        slit: width of the light line within each filled lobe, as a part of the stick's; 0: none.
        collars: bars across the ends and knots.
    """

    lobes: int = 3
    waist: float = 0.35
    flared: bool = False
    boxy: float = 0.6
    line: float = 0.14
    slit: float = 0.0
    collars: bool = False


def turned_stick(pen: Pen, start: Point, end: Point, width: float, colour: str, turning: Turning) -> None:
    """One bamboo stick from end to end, turned as the sticks of its set are."""
    length = math.dist(start, end)
    angle = math.degrees(math.atan2(end[1] - start[1], end[0] - start[0])) - 90
    half = width / 2 * (1 - turning.line)
    steps = 10 * turning.lobes
    profile = []
    for step in range(steps + 1):
        swell = math.sin(math.pi * (step * turning.lobes % steps) / steps) ** turning.boxy
        part = 1 - (1 - turning.waist) * (swell if turning.flared else 1 - swell)
        profile.append((half * part, width * turning.line / 2 + (length - width * turning.line) * step / steps))
    outline_points = profile + [(-x, y) for x, y in reversed(profile)]
    shape = path("M", outline_points[0], *(item for point in outline_points[1:] for item in ("L", point)), "Z")
    pen.raw(f'<g transform="translate({number(start[0])} {number(start[1])}) rotate({number(angle)})">')
    if turning.line:
        pen.line(shape, colour, width * turning.line)
    else:
        pen.area(shape, colour, solid=True)
    if turning.slit:
        for lobe in range(turning.lobes):
            top, bottom = (length * (lobe + part) / turning.lobes for part in (0.24, 0.76))
            pen.line(
                path("M", (0.0, top), "L", (0.0, bottom)), "face" if not turning.line else colour, width * turning.slit
            )
    if turning.collars:
        reach = half * (1.0 if turning.flared else max(turning.waist, 0.5))
        for knot in range(turning.lobes + 1):
            y = profile[0][1] + (profile[-1][1] - profile[0][1]) * knot / turning.lobes
            pen.line(path("M", (-reach, y), "L", (reach, y)), colour, width * max(turning.line, 0.12))
    pen.raw("</g>")


def stick(pen: Pen, start: Point, end: Point, width: float, colour: str, kind: str) -> None:
    """One bamboo stick from end to end. ``kind``: bamboo (three knots), bone (two ends), bar, slit, peanut (two lobes) or cane (cut outline)."""
    length = math.dist(start, end)
    angle = math.degrees(math.atan2(end[1] - start[1], end[0] - start[0])) - 90
    half = width / 2
    knot = min(width * 0.42, length * 0.12)
    pen.raw(f'<g transform="translate({number(start[0])} {number(start[1])}) rotate({number(angle)})">')
    if kind == "bar":
        pen.block(-half * 0.7, 0, width * 0.7, length, colour, half * 0.7)
        pen.block(-half * 0.12, length * 0.12, half * 0.24, length * 0.76, "face", half * 0.12)
    elif kind == "peanut":
        for top in (0.0, length / 2):
            pen.frame(-half * 0.62, top + length * 0.03, half * 1.24, length * 0.44, colour, width * 0.26, half * 0.6)
        pen.block(-half * 0.3, length * 0.44, half * 0.6, length * 0.12, colour)
    elif kind == "cane":
        pen.frame(-half * 0.6, length * 0.03, half * 1.2, length * 0.94, colour, width * 0.13, 2)
        for place in (0.46, 0.54):
            pen.block(-half * 0.6, length * place - width * 0.05, half * 1.2, width * 0.1, colour)
    elif kind == "slit":
        pen.frame(-half * 0.72, 2, width * 0.72, length - 4, colour, width * 0.2, half * 0.6)
        pen.block(-half * 0.72, length / 2 - width * 0.1, width * 0.72, width * 0.2, colour)
    else:
        middles = (0.0, 0.5, 1.0) if kind == "bamboo" else (0.0, 1.0)
        body = half * (0.66 if kind == "bamboo" else 0.55)
        pen.block(-body, knot * 0.5, body * 2, length - knot, colour)
        for middle in middles:
            top = middle * (length - knot)
            pen.block(-half, top, width, knot, colour, knot * 0.5)
        for one, two in pairwise(middles):
            top, bottom = one * (length - knot) + knot * 1.25, two * (length - knot) - knot * 0.25
            pen.block(-body * 0.3, top, body * 0.6, bottom - top, "face", body * 0.3)
    pen.raw("</g>")
