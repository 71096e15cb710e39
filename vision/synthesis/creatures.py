"""Birds of few cut lines for 1s, and the dragons that some sets show for 發 and 中, drawn by chance.

No two makers cut the same bird, and many are no more than a dozen strokes.
"""

import math

import numpy as np

from vision.synthesis.drawing import Pen, Point, leaf, path, polar, uniform


def cut_bird(pen: Pen, seed: int) -> None:
    """Draw the bird of a set; the same seed gives the same bird.

    Args:
        pen: receives it; the bird fills most of the face and looks to the left.
        seed: of the set.
    """
    rng = np.random.default_rng([seed, 31])
    line = uniform(rng, 4.5, 13)
    paints = [str(paint) for paint in rng.permutation(["green", "blue", "red"])]
    if rng.random() < 0.35:  # most makers leave one paint out
        paints[2] = paints[0]
    if rng.random() < 0.3:
        paints[int(rng.integers(1, 3))] = "ink"
    body_paint, wing_paint, tail_paint = paints
    # From the neck to the tail's root: 0° lies, 90° stands upright.
    back = -uniform(rng, -95, -5)
    length, fat = uniform(rng, 90, 150), uniform(rng, 0.24, 0.46)
    middle = (uniform(rng, 135, 170), uniform(rng, 165, 215))
    rump, neck = polar(*middle, length / 2, back), polar(*middle, length / 2, 180 + back)
    filled = rng.random() < 0.4
    pen.raw('<clipPath id="bird"><rect x="12" y="12" width="276" height="376"/></clipPath><g clip-path="url(#bird)">')
    _tail(pen, rng, rump, back, tail_paint, wing_paint, line)
    _legs(pen, rng, middle, length * fat, "red" if rng.random() < 0.4 else body_paint, line)
    _body(pen, rng, (neck, rump), length * fat, body_paint, line, filled=filled)
    _wings(pen, rng, middle, back, length, wing_paint, line, filled=filled)
    _head(pen, rng, neck, (body_paint, wing_paint if rng.random() < 0.5 else "red"), line, filled=filled)
    pen.raw("</g>")


def _curve(pen: Pen, start: Point, degrees: float, length: float, bend: float, paint: str, width: float) -> Point:
    """A stroke from a point in a direction that bends aside by ``bend`` of its length; where it ends."""
    end = polar(*start, length, degrees)
    control = polar(*polar(*start, length * 0.55, degrees), length * bend, degrees + 90)
    pen.line(path("M", start, "Q", control, end), paint, width)
    return end


def _tail(pen: Pen, rng: np.random.Generator, rump: Point, away: float, paint: str, other: str, line: float) -> None:
    """Plumes: strokes, leaves, or strokes with eyes, some with curled ends."""
    plumes = int(rng.integers(1, 7))
    spread = uniform(rng, 6, 26)
    down = uniform(rng, -240, -60) if rng.random() < 0.3 else uniform(rng, -15, 50)  # tails are raised, or hang
    kind = str(rng.choice(["stroke", "leaf", "outline", "eyes", "fringe"]))
    reach = uniform(rng, 80, 190)
    if kind == "fringe":
        _fringe(pen, rng, rump, (away + down * 0.5, reach), paint, line)
        return
    for index in range(plumes):
        degrees = away + down * 0.5 + (index - (plumes - 1) / 2) * spread
        length, bend = reach * uniform(rng, 0.75, 1.1), uniform(rng, -0.3, 0.3)
        colour = paint if index % 2 == 0 or rng.random() < 0.5 else other
        if kind in {"leaf", "outline"}:
            shape = leaf(*rump, degrees, length, length * uniform(rng, 0.09, 0.2), bend=uniform(rng, -16, 16))
            if kind == "leaf":
                pen.area(shape, colour, solid=True, line="face", width=2.5)
            else:
                pen.area(shape, "face", solid=True, line=colour, width=line * 0.8)
                if rng.random() < 0.5:
                    pen.line(path("M", rump, "L", polar(*rump, length * 0.8, degrees)), colour, line * 0.6)
            continue
        end = _curve(pen, rump, degrees, length, bend, colour, line * uniform(rng, 0.7, 1.6))
        if kind == "eyes":
            pen.disc(*end, uniform(rng, 9, 17), colour)
            pen.disc(*end, uniform(rng, 3, 7), "face")
        elif rng.random() < 0.35:
            _curve(pen, end, degrees + uniform(rng, 90, 200), uniform(rng, 14, 34), 0.4, colour, line)


def _fringe(
    pen: Pen, rng: np.random.Generator, rump: Point, sweep: tuple[float, float], paint: str, line: float
) -> None:
    """One or two long plumes, curled at their ends, with short strokes along them."""
    degrees, reach = sweep
    for _ in range(int(rng.integers(1, 3))):
        degrees += uniform(rng, -35, 35)
        bend = uniform(rng, -0.35, 0.35)
        end = _curve(pen, rump, degrees, reach, bend, paint, line)
        _curve(pen, end, degrees + uniform(rng, -110, 110), uniform(rng, 18, 44), uniform(rng, -0.6, 0.6), paint, line)
        side = 90 if rng.random() < 0.5 else -90
        for part in np.linspace(0.15, 0.85, int(rng.integers(3, 8))):
            # A point of the plume, which bends as a parabola does.
            place = polar(
                *polar(*rump, reach * float(part), degrees), reach * bend * 2 * float(part * (1 - part)), degrees + 90
            )
            turn = degrees + side + uniform(rng, -25, 25)
            pen.line(path("M", place, "L", polar(*place, uniform(rng, 14, 40), turn)), paint, line * 0.7)


def _body(
    pen: Pen, rng: np.random.Generator, ends: tuple[Point, Point], half: float, paint: str, line: float, *, filled: bool
) -> None:
    """An egg from neck to rump with feathers on it."""
    (x0, y0), (x1, y1) = ends
    length = math.hypot(x1 - x0, y1 - y0)
    along, side = ((x1 - x0) / length, (y1 - y0) / length), ((y0 - y1) / length, (x1 - x0) / length)
    fullest = uniform(rng, 0.35, 0.65)

    def point(part: float, aside: float) -> Point:
        return x0 + along[0] * length * part + side[0] * aside, y0 + along[1] * length * part + side[1] * aside

    shape = path("M", point(-0.06, 0), "C", point(0, half * 0.9), point(fullest, half * 1.3), point(1.04, half * 0.25),
                 "L", point(1.04, -half * 0.25), "C", point(fullest, -half * 1.3), point(0, -half * 0.9), point(-0.06, 0),
                 "Z")  # fmt: skip
    if filled:
        pen.area(shape, paint, solid=True, line="face", width=2.5)
    else:
        pen.area(shape, "face", solid=True, line=paint, width=line)
    ink = "face" if filled else paint
    for row in range(int(rng.integers(0, 5))):
        part = 0.15 + 0.17 * row
        for aside in (-0.4, 0.4) if rng.random() < 0.5 else (0.0,):
            wide = half * uniform(rng, 0.2, 0.45)
            pen.line(
                path("M", point(part, half * aside - wide), "Q", point(part + 0.13, half * aside),
                     point(part, half * aside + wide)), ink, line * 0.6,
            )  # fmt: skip


def _wings(
    pen: Pen,
    rng: np.random.Generator,
    middle: Point,
    back: float,
    length: float,
    paint: str,
    line: float,
    *,
    filled: bool,
) -> None:
    """A wing laid on the body or one or two raised ones, leaves or strokes; some birds show none."""
    chance = rng.random()
    if chance < 0.2:
        return
    spots = (
        [back + uniform(rng, -25, 5)] if chance < 0.6 else [back - uniform(rng, 40, 80), back - uniform(rng, 75, 130)]
    )
    for degrees in spots:
        reach = length * uniform(rng, 0.55, 1.0)
        start = polar(*middle, length * 0.18, 180 + back)
        if rng.random() < 0.5:
            shape = leaf(*start, degrees, reach, reach * uniform(rng, 0.16, 0.3), bend=uniform(rng, -8, 8))
            pen.area(shape, paint if filled else "face", solid=True, line="face" if filled else paint, width=line * 0.8)
            for turn in (-7, 7):
                tip = polar(*start, reach * 0.7, degrees + turn)
                pen.line(
                    path("M", polar(*start, reach * 0.3, degrees), "L", tip), "face" if filled else paint, line * 0.5
                )
        else:
            for index in range(int(rng.integers(2, 6))):
                _curve(pen, polar(*start, reach * 0.14 * index, back), degrees - 6 * index, reach * (1 - 0.1 * index),
                       uniform(rng, -0.2, 0.2), paint, line * 0.8)  # fmt: skip


def _head(
    pen: Pen, rng: np.random.Generator, neck: Point, paints: tuple[str, str], line: float, *, filled: bool
) -> None:
    """Head, eye, beak and crest."""
    paint, crest = paints
    radius = uniform(rng, 17, 36)
    x, y = polar(*neck, radius * uniform(rng, 0.5, 1.1), uniform(rng, 200, 275))
    strokes = int(rng.integers(0, 5))
    for index in range(strokes):
        degrees = -90 + (index - (strokes - 1) / 2) * uniform(rng, 14, 30) + uniform(rng, -10, 25)
        end = _curve(pen, polar(x, y, radius * 0.8, degrees), degrees, uniform(rng, 18, 52), uniform(rng, -0.3, 0.3), crest,
                     line * 0.8)  # fmt: skip
        if rng.random() < 0.3:
            pen.disc(*end, uniform(rng, 4, 9), crest)
    size = radius * uniform(rng, 0.7, 1.5)
    droop = uniform(rng, 150, 195)
    tip = polar(x, y, radius * 0.85 + size, droop)
    beak = path("M", polar(x, y, radius * 0.9, droop - 28), "L", tip, "L", polar(x, y, radius * 0.9, droop + 28))
    if rng.random() < 0.5:
        pen.area(beak + "Z", crest, solid=True)
    else:
        pen.line(beak, crest, line * 0.7)
    if filled:
        pen.disc(x, y, radius, paint)
    else:
        pen.disc(x, y, radius, "face")
        pen.ring(x, y, radius, paint, line)
    eye = (x - radius * 0.2, y - radius * 0.1)
    if rng.random() < 0.5:
        pen.disc(*eye, radius * 0.42, "face")
        pen.ring(*eye, radius * 0.42, paint if not filled else "face", line * 0.6)
    pen.disc(*eye, radius * uniform(rng, 0.14, 0.26), "ink" if rng.random() < 0.5 else paint)


def _legs(pen: Pen, rng: np.random.Generator, middle: Point, half: float, paint: str, line: float) -> None:
    """Legs with or without claws, and what the bird stands on, if anything."""
    if rng.random() < 0.3:
        return
    ground = uniform(rng, 290, 362)
    top = middle[1] + half * 0.6
    for x in (middle[0] - uniform(rng, 4, 22), middle[0] + uniform(rng, 4, 22)):
        foot = (x + uniform(rng, -14, 14), max(top + 30, ground - uniform(rng, 0, 12)))
        pen.line(path("M", (x, top), "L", foot), paint, line * 0.8)
        if rng.random() < 0.6:
            pen.line(path("M", (foot[0] - 15, foot[1] + 3), "L", (foot[0] + 10, foot[1] + 3)), paint, line * 0.7)
    chance = rng.random()
    if chance < 0.35:
        return
    left, right = uniform(rng, 30, 90), uniform(rng, 205, 270)
    pen.line(
        path("M", (left, ground + 6), "Q", (150, ground + uniform(rng, -14, 24)), (right, ground + 6)),
        "green" if rng.random() < 0.5 else paint, line * uniform(rng, 0.8, 1.8),
    )  # fmt: skip
    if chance > 0.7:
        for _ in range(int(rng.integers(1, 4))):
            spot = (uniform(rng, left, right), ground + 6)
            pen.area(leaf(*spot, uniform(rng, -160, -20), uniform(rng, 28, 56), 9), "green", solid=True)


def cut_dragon(pen: Pen, seed: int, paint: str) -> None:
    """Draw the dragon that stands for 發 (green) or 中 (red) on some sets; the same seed gives the same dragon.

    Args:
        pen: receives it.
        seed: of the set.
        paint: its only paint.
    """
    rng = np.random.default_rng([seed, 37])
    line = uniform(rng, 5, 10)
    swings, wide, thick = uniform(rng, 1.0, 2.2), uniform(rng, 45, 85), uniform(rng, 13, 24)
    spine = []
    for step in range(33):
        part = step / 32
        spine.append((150 + wide * math.sin(2 * math.pi * swings * part) * (0.55 + 0.45 * part), 108 + 236 * part))
    scales = rng.random() < 0.7
    for index in range(1, 32):
        (x0, y0), (x1, y1) = spine[index - 1], spine[index + 1]
        away = math.degrees(math.atan2(y1 - y0, x1 - x0)) + 90
        half = thick * (1.15 - index / 32)
        if index % 2 and scales:  # fins along the back
            pen.line(
                path("M", polar(*spine[index], half, away), "L", polar(*spine[index], half * 1.9, away + 25)),
                paint,
                line * 0.7,
            )
        if index in {9, 12, 22, 25}:  # claws
            knee = polar(*spine[index], half * 2.6, away + 180)
            pen.line(path("M", spine[index], "L", knee), paint, line)
            for turn in (-40, 0, 40):
                pen.line(path("M", knee, "L", polar(*knee, 14, away + 180 + turn)), paint, line * 0.7)
    for index in range(32):
        pen.line(path("M", spine[index], "L", spine[index + 1]), paint, 2 * thick * (1.1 - index / 32))
    if rng.random() < 0.7:
        for index in range(0, 31, 2):
            pen.line(path("M", spine[index], "L", spine[index + 1]), "face", thick * (1.1 - index / 32))
    x, y = spine[0][0] - 6, spine[0][1] - 14
    pen.area(path("M", (x + 34, y - 22), "Q", (x - 20, y - 40), (x - 62, y - 6), "L", (x - 30, y + 4), "L", (x - 56, y + 18),
                  "Q", (x - 6, y + 34), (x + 34, y + 18), "Z"), paint, solid=True)  # fmt: skip
    pen.disc(x - 8, y - 8, 6.5, "face")
    for turn in (-62, -38):
        _curve(pen, (x + 14, y - 20), turn, uniform(rng, 34, 58), uniform(rng, -0.3, 0.3), paint, line)
    _curve(pen, (x - 56, y + 2), 160, uniform(rng, 20, 36), -0.4, paint, line * 0.6)
