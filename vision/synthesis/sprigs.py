"""Plants of few cut lines, as machine-engraved sets have them: green stems and leaves, red flower heads, a blue foot.

On such sets the figure tells the tile; the plants differ from maker to maker, so they are drawn by chance.
"""

import numpy as np

from vision.synthesis.drawing import Pen, Point, leaf, path, petal, polar, uniform


def sprig(pen: Pen, rank: int, seed: int) -> None:
    """Draw the plant of a flower tile.

    Args:
        pen: receives it; the plant leaves room for figures in the upper corners.
        rank: digit of the code: 1–4 the seasons, 5 梅, 6 蘭, 7 竹, 8 菊.
        seed: of the set; the same seed and rank give the same plant.
    """
    rng = np.random.default_rng([seed, rank])
    line = float(np.random.default_rng([seed, 7]).uniform(5.5, 15))
    pen.raw('<clipPath id="plate"><rect x="14" y="14" width="272" height="372"/></clipPath><g clip-path="url(#plate)">')
    {6: _orchid, 7: _bamboo}.get(rank, _spray)(pen, rng, line)
    pen.raw("</g>")


def _leaf(pen: Pen, rng: np.random.Generator, place: Point, degrees: float, length: float, line: float) -> None:
    shape = leaf(*place, degrees, length, length * uniform(rng, 0.16, 0.3), bend=uniform(rng, -5, 5))
    if rng.random() < 0.55:
        pen.area(shape, "none", solid=True, line="green", width=line * 0.8)
    else:
        pen.area(shape, "green", solid=True)


def _head(pen: Pen, rng: np.random.Generator, place: Point, radius: float, line: float) -> None:
    """A flower seen from the front: loops of cut lines, or a rose of arcs."""
    x, y = place
    petals = int(rng.integers(5, 8))
    turn = uniform(rng, 0, 72)
    pen.disc(x, y, radius * 0.75, "face")
    if rng.random() < 0.6:
        for index in range(petals):
            shape = petal(x, y, turn + index * 360 / petals, radius * 0.2, radius * 0.8, radius * 2.6 / petals)
            pen.area(shape, "face", solid=True, line="red", width=line * 0.85)
        pen.ring(x, y, radius * 0.2, "red", line * 0.7)
        return
    for index in range(petals):
        start, end = (polar(x, y, radius * 0.85, turn + (index + part) * 360 / petals) for part in (0.0, 1.05))
        top = polar(x, y, radius * 1.35, turn + (index + 0.5) * 360 / petals)
        pen.line(path("M", start, "Q", top, end), "red", line * 0.9)
    for part, sweep in ((0.6, 250), (0.3, 320)):
        begin = uniform(rng, 0, 360)
        points = [polar(x, y, radius * part, begin + step * sweep / 8) for step in range(9)]
        pen.line(path("M", points[0], *(item for point in points[1:] for item in ("L", point))), "red", line * 0.8)


def _foot(pen: Pen, rng: np.random.Generator, x: float, line: float) -> None:
    """Ground or stone under the plant, in blue or green, on some sets."""
    if rng.random() < 0.4:
        return
    paint = "blue" if rng.random() < 0.6 else "green"
    for _ in range(int(rng.integers(1, 4))):
        start = (x + uniform(rng, -60, 0), uniform(rng, 352, 384))
        end = (start[0] + uniform(rng, 40, 100), start[1] + uniform(rng, -14, 14))
        pen.line(path("M", start, "Q", ((start[0] + end[0]) / 2, start[1] - 16), end), paint, line)


def _spray(pen: Pen, rng: np.random.Generator, line: float) -> None:
    """A stem with leaves along it, one or two heads and buds."""
    root = (uniform(rng, 120, 190), 366.0)
    tip = (uniform(rng, 105, 200), uniform(rng, 96, 140))
    knee = (uniform(rng, 90, 215), uniform(rng, 210, 280))

    def along(part: float) -> Point:
        a, b, c = (1 - part) ** 2, 2 * part * (1 - part), part**2
        return a * root[0] + b * knee[0] + c * tip[0], a * root[1] + b * knee[1] + c * tip[1]

    pen.line(path("M", root, "Q", knee, tip), "green", line)
    pairs = int(rng.integers(4, 8))
    for index in range(pairs):
        part = 0.12 + 0.84 * index / pairs
        length = uniform(rng, 48, 96) * (1.15 - 0.55 * part)
        for side in (-1, 1) if rng.random() < 0.7 else (1 if index % 2 else -1,):
            degrees = -90 + side * uniform(rng, 30, 80)
            place = along(part)
            if rng.random() < 0.25:  # a shoot that ends in a bud
                end = polar(*place, length * 1.1, degrees)
                pen.line(
                    path("M", place, "Q", polar(*place, length * 0.6, degrees - side * 20), end), "green", line * 0.8
                )
                pen.ring(*end, uniform(rng, 6, 11), "red", line * 0.7)
            else:
                _leaf(pen, rng, place, degrees, length, line)
    _foot(pen, rng, root[0], line)
    place = along(uniform(rng, 0.2, 0.5))
    _head(pen, rng, (place[0] + uniform(rng, -28, 28), place[1]), uniform(rng, 36, 60), line)
    if rng.random() < 0.4:
        _head(pen, rng, (tip[0], tip[1] + 12), uniform(rng, 20, 32), line)


def _orchid(pen: Pen, rng: np.random.Generator, line: float) -> None:
    """Arching blades from one root, small flowers beside them."""
    root = (uniform(rng, 120, 180), 368.0)
    for _ in range(int(rng.integers(5, 10))):
        side = 1 if rng.random() < 0.5 else -1
        reach, rise = side * uniform(rng, 20, 115), uniform(rng, 120, 250)
        end = (root[0] + reach, root[1] - rise * uniform(rng, 0.55, 1.0))
        top = (root[0] + reach * 0.35, root[1] - rise * 1.12)
        pen.line(path("M", root, "Q", top, end), "green", line * uniform(rng, 0.8, 1.5))
    _foot(pen, rng, root[0], line)
    for _ in range(int(rng.integers(1, 4))):
        x, y = root[0] + uniform(rng, -70, 70), uniform(rng, 230, 330)
        for index in range(int(rng.integers(3, 6))):
            _petal = petal(x, y, index * 72 + uniform(rng, -15, 15), 3, uniform(rng, 18, 30), 9)
            pen.area(_petal, "face" if rng.random() < 0.5 else "red", solid=True, line="red", width=line * 0.7)


def _bamboo(pen: Pen, rng: np.random.Generator, line: float) -> None:
    """Jointed canes, fans of leaves, red berries on some sets."""
    paint = str(rng.choice(["blue", "green", "ink"], p=[0.4, 0.4, 0.2]))
    for _ in range(int(rng.integers(1, 5))):
        foot, top, lean = uniform(rng, 105, 195), uniform(rng, 110, 220), uniform(rng, -45, 45)
        joints = int(rng.integers(3, 6))
        half = uniform(rng, 4, 10)
        for joint in range(joints):
            ends = [
                (foot + lean * part, 370 - (370 - top) * part)
                for part in ((joint + 0.06) / joints, (joint + 0.94) / joints)
            ]
            (x0, y0), (x1, y1) = ends
            if half < 6.5:
                pen.line(path("M", ends[0], "L", ends[1]), paint, half * 2)
            else:
                shape = path(
                    "M", (x0 - half, y0), "L", (x1 - half, y1), "L", (x1 + half, y1), "L", (x0 + half, y0), "Z"
                )
                pen.area(shape, "face", solid=True, line=paint, width=line * 0.8)
        for _ in range(int(rng.integers(1, 4))):
            part, side = uniform(rng, 0.3, 1.0), 1 if rng.random() < 0.5 else -1
            place = (foot + lean * part, 370 - (370 - top) * part)
            fan = polar(*place, uniform(rng, 20, 50), -90 + side * 60)
            pen.line(path("M", place, "L", fan), "green", line * 0.8)
            for degrees in range(-60, 200, int(rng.integers(38, 66))):
                _leaf(pen, rng, fan, degrees, uniform(rng, 40, 70), line)
            if rng.random() < 0.4:
                pen.ring(fan[0], fan[1] - 8, 9, "red", line * 0.8)
    for _ in range(int(rng.integers(0, 3))):  # a thin shoot that arches over the canes
        root, side = uniform(rng, 120, 180), 1 if rng.random() < 0.5 else -1
        bow, tip = (root, uniform(rng, 60, 140)), (root + side * uniform(rng, 40, 110), uniform(rng, 60, 190))
        pen.line(path("M", (root, 300), "Q", bow, tip), paint, line * uniform(rng, 0.7, 1.3))
    _foot(pen, rng, 150, line)
