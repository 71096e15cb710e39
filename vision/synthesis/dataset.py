"""Random tables in YOLO form, for training: hands, melds, pools, walls, trays, scattered tiles, many sets, rooms and cameras.

``python -m vision.synthesis.dataset OUT --count 1000 --seed 1`` writes ``OUT/images/*.jpg``, ``OUT/labels/*.txt`` and
``OUT/data.yaml``. Classes 0–41 are the kinds in the order of ``engine.tiles.CODES``, class 42 is a tile that shows its back.
"""

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from engine.tiles import CODES, INDEX
from vision.dataset import label_line
from vision.synthesis import clutter, lettering
from vision.synthesis.geometry import Body, Camera
from vision.synthesis.optics import Optics
from vision.synthesis.package_sets import installed as package_sets
from vision.synthesis.render import Box, Rendered, render
from vision.synthesis.scene import Block, Colour, Cup, Flat, Hand, Light, Look, PlacedTile, Prop, Scene, TableTop
from vision.synthesis.styles import MIX, STYLES
from vision.synthesis.textures import TEXTURES, random_colour
from vision.synthesis.tiles import BACK, blank_white

BACK_CLASS = len(CODES)
CLASS_NAMES = (*CODES, BACK)
KINDS = ("hand", "webcam", "laid", "scatter", "pool", "tray", "closeup", "rack")
_SHARES = (0.18, 0.1, 0.13, 0.11, 0.08, 0.04, 0.06, 0.3)
_SIZES = ((640, 480), (640, 640), (480, 640), (960, 540), (960, 720), (1280, 720))
_BACKS: tuple[Colour, ...] = (
    (60, 130, 30), (90, 160, 60), (45, 90, 20), (190, 130, 40), (200, 160, 90), (60, 170, 225), (60, 110, 180),
    (60, 50, 180), (150, 60, 110), (40, 40, 40), (170, 190, 60), (120, 170, 205),
)  # fmt: skip
_FLOWER_START = INDEX["1f"]


INGREDIENTS = ("mixed", "packages", "racks", "edges", "small", "dice", "clutter", "print", "light")
"""What may be left out of drawn tables, so that its worth can be measured.

mixed: sets put together by chance; packages: sets of installed packages; racks: upright hands on racks with printed bars,
seen over the player's shoulder, and the racks of others from behind; edges: rows that the picture's edge cuts off; small:
small tiles and far cameras; dice; clutter: seat marks, chips, coins, sticks, papers; print: words and a glossy middle on
the table; light: coloured and dim lamps, more blur.
"""
EVERYTHING = frozenset(INGREDIENTS)


def random_style(rng: np.random.Generator, ingredients: frozenset[str] = EVERYTHING) -> str:
    """An art style: one of the named ones, one mixed by chance, or one that an installed package brings."""
    chance = rng.random()
    if chance < 0.2 and "packages" in ingredients and package_sets():
        return package_sets()[int(rng.integers(len(package_sets())))]
    if chance < 0.8 and "mixed" in ingredients:
        return f"{MIX}{rng.integers(100_000)}"
    return STYLES[int(rng.integers(len(STYLES)))]


def random_look(rng: np.random.Generator, ingredients: frozenset[str] = EVERYTHING) -> Look:
    """A tile set as families own them: size, colours, art and wear."""
    width = rng.uniform(21, 32)
    if "small" in ingredients and rng.random() < 0.15:  # Japanese sets
        width = rng.uniform(17, 21)
    body = Body(
        width,
        width * rng.uniform(1.27, 1.42),
        width * rng.uniform(0.5, 0.82),
        width * rng.uniform(0.05, 0.15),
        width * rng.uniform(0.02, 0.07),
        rng.uniform(0.45, 0.75),
    )
    shade = rng.uniform(0.86, 1.0)
    warm = rng.uniform(0.0, 0.3) if rng.random() < 0.25 else rng.uniform(0.0, 0.1)
    plate = (252 * shade * (1 - warm), 253 * shade * (1 - warm * 0.18), 254 * shade)
    style = random_style(rng, ingredients)
    back = _BACKS[int(rng.integers(len(_BACKS)))]
    if rng.random() < 0.08 and not blank_white(style):  # where the white is blank it must differ from a back
        back = plate
    mixed = [float(np.clip(part * rng.uniform(0.8, 1.2), 10, 250)) for part in back]
    ink = tuple(float(value) for value in rng.uniform(0.55, 1.35, 3)) if rng.random() < 0.6 else (1.0, 1.0, 1.0)
    return Look(
        style=style,
        body=body,
        plate=plate,
        back=(mixed[0], mixed[1], mixed[2]),
        engraved=float(rng.random()),
        fade=float(rng.uniform(0, 0.35)) if rng.random() < 0.4 else 0.0,
        ink=(ink[0], ink[1], ink[2]),
        scale=float(rng.uniform(0.8, 1.0)),
    )


def random_optics(rng: np.random.Generator, ingredients: frozenset[str] = EVERYTHING) -> Optics:
    """The faults of a phone or webcam in somebody's room."""
    dim = rng.random() < 0.2
    warmth = rng.normal(0, 0.09)
    if "light" in ingredients:
        chance = rng.random()
        if chance < 0.12:  # a coloured lamp
            red, green, blue = rng.uniform(0.6, 1.25, 3)
            return replace(random_optics(rng, frozenset()), tint=(float(blue), float(green), float(red)))
        if chance < 0.2:  # an evening by one lamp
            return replace(
                random_optics(rng, frozenset()),
                exposure=float(rng.uniform(0.3, 0.5)),
                noise=float(rng.uniform(3, 9)),
                tint=(float(rng.uniform(0.6, 0.9)), 0.95, 1.08),
                lamp=float(rng.uniform(0.2, 0.5)),
            )
        if chance < 0.28:  # a hand that moves, or a camera
            return replace(random_optics(rng, frozenset()), motion=float(rng.uniform(3, 8)))
        if chance < 0.36:  # a video sent through a messenger
            return replace(
                random_optics(rng, frozenset()), jpeg=int(rng.integers(18, 45)), blur=float(rng.uniform(0.5, 1.4))
            )
    return Optics(
        exposure=float(rng.uniform(0.4, 0.75) if dim else rng.uniform(0.8, 1.3)),
        gamma=float(rng.uniform(0.8, 1.25)),
        tint=(float(1 - warmth), float(rng.uniform(0.96, 1.04)), float(1 + warmth)),
        vignette=float(rng.uniform(0, 0.45)),
        lamp=float(rng.uniform(0, 0.45)),
        glare=float(rng.uniform(0.1, 0.9)) if rng.random() < 0.4 else 0.0,
        blur=float(rng.uniform(0, 1.1) if rng.random() < 0.85 else rng.uniform(1.1, 2.2)),
        motion=float(rng.uniform(2, 7)) if rng.random() < 0.1 else 0.0,
        noise=float(rng.uniform(2, 15) if dim else rng.uniform(0.5, 7)),
        grey=1.0 if rng.random() < 0.05 else float(rng.uniform(0, 0.3)),
        jpeg=int(rng.integers(35, 96)),
        haze=float(rng.uniform(0, 0.22)) if rng.random() < 0.3 else 0.0,
    )


class _Deck:
    """A shuffled set of 144: nothing is dealt five times."""

    def __init__(self, rng: np.random.Generator) -> None:
        codes = [code for code in CODES for _ in range(1 if INDEX[code] >= _FLOWER_START else 4)]
        self._codes = [codes[index] for index in rng.permutation(len(codes))]

    def take(self, count: int) -> list[str]:
        taken, self._codes = self._codes[:count], self._codes[count:]
        return taken

    def like(self, count: int, rng: np.random.Generator) -> list[str]:
        """Tiles of a hand: mostly sorted, with sets in it."""
        taken = self.take(count)
        return sorted(taken, key=lambda code: (code[1], code[0])) if rng.random() < 0.7 else taken


def _row(
    codes: list[str],
    rng: np.random.Generator,
    body: Body,
    start: tuple[float, float],
    *,
    yaw: float = 0.0,
    pitch: float = 0.0,
    jitter: float = 0.6,
    z: float = 0.0,
    roll_chance: float = 0.0,
) -> list[PlacedTile]:
    """Tiles side by side from ``start`` in the direction of ``yaw``, touching but for a jitter in mm."""
    along = np.array([np.cos(np.radians(yaw)), np.sin(np.radians(yaw))])
    place = np.asarray(start, float)
    gap = abs(rng.normal(0, 0.5)) + 0.25
    tiles = []
    for code in codes:
        aside = rng.normal(0, jitter)
        x, y = place + np.array([-along[1], along[0]]) * aside
        turn = rng.normal(0, jitter * 0.7)
        roll = 180.0 if rng.random() < roll_chance else 0.0
        tiles.append(PlacedTile(code, float(x), float(y), z, yaw + turn, pitch, roll))
        place = place + along * (body.width + gap + abs(rng.normal(0, jitter * 0.5)))
        if rng.random() < 0.02:
            place = place + along * rng.uniform(3, 30)
    return tiles


def _wall(
    rng: np.random.Generator, body: Body, start: tuple[float, float], yaw: float, stacks: int
) -> list[PlacedTile]:
    lower = _row([BACK] * stacks, rng, body, start, yaw=yaw, jitter=0.4)
    missing = int(rng.integers(0, 3))
    upper = [
        replace(tile, z=body.depth, x=tile.x + rng.normal(0, 0.5), y=tile.y + rng.normal(0, 0.5)) for tile in lower
    ]
    return lower + upper[missing:]


def _pool(deck: _Deck, rng: np.random.Generator, body: Body, half: float, *, tidy: bool) -> list[PlacedTile]:
    """Discards in the middle: rows before each player, or a loose heap."""
    tiles: list[PlacedTile] = []
    if not tidy:
        return _scatter(deck.take(int(rng.integers(8, 50))), rng, body, half * 2.0, half * 1.6)
    inner = max(half * 0.35, 3 * body.width + body.height / 2 + rng.uniform(2, 25))
    for side in range(4):
        yaw = 90.0 * side
        turn = np.radians(yaw)
        count, per_row = int(rng.integers(2, 19)), 6
        for row in range((count + per_row - 1) // per_row):
            local = np.array([-per_row / 2 * body.width, -inner - row * (body.height + 1.5)])
            x = np.cos(turn) * local[0] - np.sin(turn) * local[1]
            y = np.sin(turn) * local[0] + np.cos(turn) * local[1]
            tiles += _row(deck.take(min(per_row, count - row * per_row)), rng, body, (x, y), yaw=yaw, jitter=1.0)
    return tiles


def _scatter(
    codes: list[str],
    rng: np.random.Generator,
    body: Body,
    width: float,
    height: float,
    centre: tuple[float, float] = (0, 0),
) -> list[PlacedTile]:
    """Tiles anywhere and any way round, not one through another; a few face down or standing."""
    tiles: list[PlacedTile] = []
    spots: list[tuple[float, float]] = []
    aligned = rng.random() < 0.3
    for code in codes:
        for _ in range(30):
            x = centre[0] + rng.uniform(-width / 2, width / 2)
            y = centre[1] + rng.uniform(-height / 2, height / 2)
            near = min((np.hypot(x - a, y - b) for a, b in spots), default=np.inf)
            if near > np.hypot(body.width, body.height) * (1.0 if not aligned else 0.98):
                spots.append((x, y))
                yaw = rng.normal(0, 8) if aligned else rng.uniform(0, 360)
                shown = BACK if rng.random() < 0.08 else code
                pitch = 90.0 if rng.random() < 0.04 else 0.0
                tiles.append(PlacedTile(shown, float(x), float(y), 0.0, float(yaw), pitch))
                break
    return tiles


def _apart(focus: list[PlacedTile], others: list[PlacedTile], body: Body) -> tuple[list[PlacedTile], list[PlacedTile]]:
    """The tiles without those that would run through an earlier one or float over nothing."""
    kept: list[PlacedTile] = []
    prints: list[npt.NDArray[np.float64]] = []
    result: tuple[list[PlacedTile], list[PlacedTile]] = ([], [])
    reach = np.hypot(body.width, body.height)
    for group, tiles in zip(result, (focus, others), strict=True):
        for tile in tiles:
            footprint = _footprint(tile, body)
            near = [index for index, other in enumerate(kept) if np.hypot(tile.x - other.x, tile.y - other.y) < reach]
            level = [index for index in near if abs(kept[index].z - tile.z) < body.depth - 1]
            supported = tile.z == 0 or any(kept[index].z < tile.z for index in near)
            if supported and not any(_overlap(footprint, prints[index]) for index in level):
                kept.append(tile)
                prints.append(footprint)
                group.append(tile)
    return result


def _rack(deck: _Deck, rng: np.random.Generator, body: Body) -> tuple[list[PlacedTile], list[PlacedTile], list[Prop]]:
    """An upright hand over its player's shoulder: a bar with print before it, melds and walls behind it, others' racks."""
    count = int(rng.choice([7, 10, 11, 13, 14, 16, 17]))
    pitch = float(rng.uniform(82, 90) if rng.random() < 0.75 else rng.uniform(60, 82))
    start = -count / 2 * body.width
    focus = _row(deck.like(count, rng), rng, body, (start, -200.0), pitch=pitch, jitter=0.5, roll_chance=0.02)
    others: list[PlacedTile] = []
    bars: list[Prop] = []
    if rng.random() < 0.75:
        depth, high = float(rng.uniform(14, 38)), float(rng.uniform(4, 24) if pitch > 82 else rng.uniform(8, 20))
        lean = np.cos(np.radians(pitch)) * body.height / 2
        y = -200 - body.depth / 2 - lean - depth / 2 - float(rng.uniform(0.5, 6))
        length = count * body.width + float(rng.uniform(-40, 220))
        bars.append(clutter.rack_bar(rng, y, length, (depth, high), random_colour(rng, "plain")))
    behind = -200 + body.depth + float(rng.uniform(8, 30))
    if rng.random() < 0.7:  # exposed sets behind the hand, standing or lying
        x = start + float(rng.uniform(-20, 60))
        flat = rng.random() < 0.5
        for _ in range(int(rng.integers(1, 4))):
            codes = deck.take(1) * 3 if rng.random() < 0.5 else deck.take(3)
            y = behind + (body.height / 2 if flat else body.depth / 2)
            focus += _row(codes, rng, body, (x, y), pitch=0.0 if flat else 90.0, jitter=0.4)
            x += 3 * body.width + float(rng.uniform(2, 25))
    if rng.random() < 0.65:
        y = behind + body.height * float(rng.uniform(1.3, 2.4))
        others += _wall(
            rng, body, (start + float(rng.uniform(-60, 120)), y), float(rng.normal(0, 4)), int(rng.integers(4, 17))
        )
    if rng.random() < 0.5:
        others += [
            replace(tile, y=tile.y + 90)
            for tile in _pool(deck, rng, body, 110, tidy=bool(rng.random() < 0.5))
            if tile.y > -60
        ]
    for side in (-1, 1):
        if rng.random() < 0.35:  # a neighbour's hand, its backs or its edge towards us
            yaw = 90.0 if side < 0 else -90.0
            others += _row(
                [BACK] * 13, rng, body, (side * float(rng.uniform(250, 330)), side * 160.0), yaw=yaw, pitch=90.0
            )
    if rng.random() < 0.35:
        others += _row([BACK] * 13, rng, body, (-170.0, 330.0), pitch=90.0)
    return focus, others, bars


def _footprint(tile: PlacedTile, body: Body) -> npt.NDArray[np.float64]:
    """Corners (4, 2) of the ground a tile covers, less one millimetre all round."""
    x, y = body.width / 2 - 1, (body.depth if tile.pitch > 45 else body.height) / 2 - 1
    angle = np.radians(tile.yaw)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    result: npt.NDArray[np.float64] = np.array([(-x, -y), (x, -y), (x, y), (-x, y)]) @ turn.T + (tile.x, tile.y)
    return result


def _overlap(one: npt.NDArray[np.float64], two: npt.NDArray[np.float64]) -> bool:
    """Whether two rectangles overlap (separating axes)."""
    for rectangle in (one, two):
        for edge in (rectangle[1] - rectangle[0], rectangle[3] - rectangle[0]):
            a, b = one @ edge, two @ edge
            if a.max() <= b.min() or b.max() <= a.min():
                return False
    return True


def _melds(
    deck: _Deck, rng: np.random.Generator, body: Body, start: tuple[float, float], groups: int
) -> list[PlacedTile]:
    """Exposed sets beside the hand, in one row or below each other; one tile of a set may lie across."""
    tiles: list[PlacedTile] = []
    x, y = start
    down = rng.random() < 0.5
    for _ in range(groups):
        codes = deck.take(1) * 3 if rng.random() < 0.5 else deck.take(3)
        if rng.random() < 0.15:
            codes = [BACK, *codes[:2], BACK]
        tiles += _row(codes, rng, body, (x, y), jitter=0.5)
        if down:
            y += body.height + rng.uniform(0.5, 6)
        else:
            x += len(codes) * (body.width + 0.8) + rng.uniform(2, 14)
    return tiles


def _props(rng: np.random.Generator, reach: float, ingredients: frozenset[str]) -> list[Prop]:
    """Dice, cup, phone, a hand, small things: what lies about."""
    props: list[Prop] = []
    if "dice" in ingredients and rng.random() < 0.4:
        x, y = rng.uniform(-reach, reach, 2)
        props += clutter.dice(rng, float(x), float(y))
    if "clutter" in ingredients:
        props += clutter.small_things(rng, reach)
    if "print" in ingredients and rng.random() < 0.2:
        x, y = rng.uniform(-reach, reach, 2)
        if rng.random() < 0.4:
            size = float(rng.uniform(120, 260))
            props.append(Flat(0.0, 0.0, (size, size), clutter.middle(rng)))
        elif lettering.available():
            word = clutter.printed_word(rng)
            high = float(rng.uniform(20, 90))
            turn = float(rng.choice([0, 90, 180, 270]))
            props.append(Flat(float(x), float(y), (high * word.shape[1] / word.shape[0], high), word, turn))
    if rng.random() < 0.15:
        tone = float(rng.uniform(120, 240))
        props.append(Cup(float(rng.choice([-1, 1]) * reach), float(rng.uniform(-0.5, 1) * reach), float(rng.uniform(25, 42)),
                         float(rng.uniform(40, 100)), (tone, tone, tone)))  # fmt: skip
    if rng.random() < 0.12:
        props.append(Block(float(rng.choice([-1, 1]) * reach * 1.05), float(rng.uniform(-1, 1) * reach), (74.0, 150.0, 9.0),
                           (28.0, 26.0, 26.0), yaw=float(rng.uniform(0, 180)), screen=True))  # fmt: skip
    if rng.random() < 0.28:
        tone = rng.uniform(0.55, 1.1)
        skin = (135 * tone, 168 * tone, min(245.0, 220 * tone))
        cloth = tuple(float(value) for value in rng.uniform(20, 220, 3))
        yaw = float(rng.choice([0, 0, 90, -90, 180]) + rng.normal(0, 25))
        away = np.radians(yaw)
        x = float(np.sin(away) * reach * 0.9 + rng.uniform(-0.7, 0.7) * reach)
        y = float(-np.cos(away) * reach * 0.9 + rng.uniform(-0.3, 0.3) * reach)
        props.append(
            Hand(
                x,
                y,
                float(rng.uniform(12, 60)),
                yaw,
                skin,
                (cloth[0], cloth[1], cloth[2]),
                float(rng.random()),
                bool(rng.random() < 0.5),
            )
        )
    return props


def _camera(
    rng: np.random.Generator,
    tiles: list[PlacedTile],
    body: Body,
    size: tuple[int, int],
    elevation: float,
    azimuth: float,
    fill: tuple[float, float],
    aside: float,
) -> Camera:
    """A camera from which the tiles cover a part of the picture's width drawn from ``fill``.

    It looks past their middle by ``aside`` of their extent.
    """
    places = np.array([(tile.x, tile.y) for tile in tiles])
    low, high = places.min(0) - body.height / 2, places.max(0) + body.height / 2
    middle = (low + high) / 2
    focal = float(rng.uniform(0.7, 1.3))
    roll = float(rng.normal(0, 3)) if rng.random() < 0.85 else float(rng.uniform(0, 360))
    view, rise = np.radians(azimuth), np.radians(elevation)
    # Extent seen across and down, roughly: down is foreshortened by the elevation.
    across = np.abs(np.array([np.sin(view), -np.cos(view)])) @ (high - low)
    down = np.abs(np.array([np.cos(view), np.sin(view)])) @ (high - low) * max(
        0.25, np.sin(rise)
    ) + body.height * np.cos(rise)
    turned = abs(np.sin(np.radians(roll)))
    wide, tall = across + turned * (down - across), down + turned * (across - down)
    part = rng.uniform(*fill)
    longer = max(size)
    distance = focal * longer * max(wide / (part * size[0]), tall / (part * size[1]))
    distance = max(distance, body.height * 3.2)
    position = (
        float(middle[0] + np.cos(view) * np.cos(rise) * distance),
        float(middle[1] + np.sin(view) * np.cos(rise) * distance),
        float(np.sin(rise) * distance),
    )
    aim = middle + (rng.normal(0, 0.04, 2) + rng.uniform(-aside, aside, 2)) * (high - low)
    return Camera(position, (float(aim[0]), float(aim[1]), float(rng.uniform(0, 20))), focal, roll)


def random_scene(
    rng: np.random.Generator,
    kind: str | None = None,
    size: tuple[int, int] | None = None,
    ingredients: frozenset[str] = EVERYTHING,
) -> Scene:
    """A random table.

    Args:
        rng: everything is drawn from it.
        kind: one of ``KINDS``; by chance if missing.
        size: width and height in pixels; by chance if missing.
        ingredients: which of ``INGREDIENTS`` may occur.

    Raises:
        ValueError: an unknown kind or ingredient.
    """
    if not ingredients <= EVERYTHING:
        unknown = ", ".join(sorted(ingredients - EVERYTHING))
        raise ValueError(f"no ingredient {unknown}; there are {', '.join(INGREDIENTS)}")
    if kind is None:
        kind = str(rng.choice(KINDS, p=_SHARES))
        if kind == "rack" and "racks" not in ingredients:
            kind = "hand"
    if kind not in KINDS:
        raise ValueError(f"no kind of scene {kind!r}; there are {', '.join(KINDS)}")
    size = size or _SIZES[int(rng.integers(len(_SIZES)))]
    look = random_look(rng, ingredients)
    body = look.body
    deck = _Deck(rng)
    props: list[Prop] = []
    focus: list[PlacedTile]  # what the camera is pointed at
    others: list[PlacedTile] = []
    azimuth = float(rng.normal(-90, 12))
    if kind in {"hand", "webcam"}:
        count = int(rng.choice([4, 7, 8, 10, 11, 13, 14, 16, 17]))
        codes = deck.like(count, rng)
        pose = rng.random()
        pitch = float(rng.uniform(78, 90) if pose < 0.45 else rng.uniform(50, 78) if pose < 0.65 else 0.0)
        start = (-count / 2 * body.width, -200.0)
        focus = _row(codes, rng, body, start, pitch=pitch, jitter=0.7, roll_chance=0.03)
        if 0 < pitch < 78 or (pitch and rng.random() < 0.35):
            length = count * body.width + rng.uniform(20, 120)
            colour = random_colour(rng, "wood")
            props.append(
                Block(0.0, -200 - body.depth / 2 - 14, (length, 12.0, float(rng.uniform(4, 11))), colour, nearer=60)
            )
            if pitch < 78:
                props.append(Block(0.0, -200 + body.depth / 2 + 16, (length, 10.0, 22.0), colour, nearer=-60))
        if rng.random() < 0.5:
            focus += _row(
                deck.take(1), rng, body, (start[0] + (count + rng.uniform(0.3, 1.2)) * body.width, -200.0), pitch=pitch
            )
        if rng.random() < 0.6:
            right = start[0] + (count + 2.2) * body.width
            place = (
                (right, -200.0)
                if rng.random() < 0.6
                else (start[0] + rng.uniform(0, 60), -200 + body.height * rng.uniform(1.7, 2.6))
            )
            melds = _melds(deck, rng, body, place, int(rng.integers(1, 4)))
            (focus if rng.random() < 0.7 else others).extend(melds)
        if rng.random() < 0.4:
            others += _row([f"{index}f" for index in rng.permutation(8)[: int(rng.integers(1, 5))] + 1], rng, body,
                           (start[0], -200 + body.height * rng.uniform(2.7, 3.4)))  # fmt: skip
        if rng.random() < 0.7:
            others += [
                replace(tile, y=tile.y + 40)
                for tile in _pool(deck, rng, body, 110, tidy=bool(rng.random() < 0.5))
                if tile.y > -60
            ]
        if rng.random() < 0.6:
            for _ in range(int(rng.integers(1, 4))):
                side = int(rng.integers(3))
                if side == 0:
                    others += _wall(
                        rng,
                        body,
                        (-rng.uniform(100, 240), rng.uniform(200, 290)),
                        float(rng.normal(0, 2)),
                        int(rng.integers(3, 18)),
                    )
                else:
                    x = (-1 if side == 1 else 1) * rng.uniform(280, 340)
                    others += _wall(rng, body, (x, -rng.uniform(0, 100)), 90.0, int(rng.integers(3, 12)))
        if rng.random() < 0.25:  # the hand of the player opposite, seen from behind
            others += _row([BACK] * 13, rng, body, (-170.0, 330.0), pitch=90.0)
        if rng.random() < 0.08:  # racks seen from behind
            azimuth += 180
        low = 55.0 if kind == "webcam" else 25.0 if pitch > 40 else 38.0
        fill = (0.75, 1.15) if kind == "hand" else (0.45, 0.8)
        elevation = float(rng.uniform(low, 62 if pitch > 40 else 85))
    elif kind == "rack":
        focus, others, bars = _rack(deck, rng, body)
        props += bars
        azimuth = float(rng.normal(-90, 20))
        fill, elevation = (0.5, 1.05), float(rng.uniform(18, 52))
    elif kind == "laid":
        focus = []
        for row in range(int(rng.choice([1, 1, 1, 2, 3]))):
            count = int(rng.integers(5, 19))
            focus += _row(deck.like(count, rng), rng, body, (-count / 2 * body.width + rng.uniform(-30, 30), -row * body.height * rng.uniform(1.02, 1.6)),
                          jitter=float(rng.choice([0.3, 1.2, 2.5])), roll_chance=0.05)  # fmt: skip
        fill, elevation = (0.6, 1.0), float(rng.uniform(48, 90))
        azimuth = float(rng.uniform(0, 360)) if rng.random() < 0.35 else azimuth
    elif kind == "scatter":
        focus = _scatter(deck.take(int(rng.integers(4, 46))), rng, body, rng.uniform(180, 480), rng.uniform(150, 360))
        fill, elevation = (0.7, 1.2), float(rng.uniform(35, 90))
        azimuth = float(rng.uniform(0, 360))
    elif kind == "pool":
        focus = _pool(deck, rng, body, 130, tidy=bool(rng.random() < 0.7))
        for side in range(int(rng.integers(0, 4))):
            turn = np.radians(side * 90)
            others += _wall(rng, body, (float(-200 * np.cos(turn) - 260 * np.sin(turn)), float(-200 * np.sin(turn) + 260 * np.cos(turn))),
                            side * 90.0, int(rng.integers(4, 16)))  # fmt: skip
        fill, elevation = (0.7, 1.3), float(rng.uniform(35, 90))
    elif kind == "tray":
        rows, columns = int(rng.integers(2, 7)), int(rng.integers(3, 10))
        focus = []
        for row in range(rows):
            focus += _row(
                deck.take(columns),
                rng,
                body,
                (0.0, row * (body.height + rng.uniform(0.3, 2))),
                jitter=0.4,
                roll_chance=0.1,
            )
        fill, elevation = (0.6, 1.1), float(rng.uniform(55, 90))
        azimuth = float(rng.uniform(0, 360)) if rng.random() < 0.5 else azimuth
    else:
        focus = _scatter(deck.take(int(rng.integers(1, 7))), rng, body, 120, 90)
        fill, elevation = (0.4, 0.95), float(rng.uniform(40, 90))
        azimuth = float(rng.uniform(0, 360)) if rng.random() < 0.5 else azimuth
    focus, others = _apart(focus, others, body)
    reach = 60 + max(max(abs(tile.x), abs(tile.y)) for tile in focus) * 0.8
    props += _props(rng, reach, ingredients)
    texture = str(rng.choice(list(TEXTURES)))
    half = float(rng.uniform(400, 520))
    table = TableTop(
        texture,
        random_colour(rng, texture),
        (half, half),
        random_colour(rng, "wood") if rng.random() < 0.7 else None,
        random_colour(rng, "felt"),
    )
    light = Light(
        # Lamps hang over the table: upright faces are lit by what the room throws back.
        azimuth=float(rng.normal(-90, 60) if kind == "rack" else rng.uniform(0, 360)),
        elevation=float(rng.uniform(28, 70 if kind == "rack" else 85)),
        ambient=float(rng.uniform(0.65, 0.92) if kind == "rack" else rng.uniform(0.45, 0.85)),
        softness=float(rng.uniform(2, 18)),
        shadow=float(rng.uniform(0.15, 0.65)),
    )
    if "small" in ingredients and size[0] >= 900 and rng.random() < 0.25:
        fill = (fill[0] * 0.45, fill[1] * 0.6)
    aside = 0.6 if "edges" in ingredients and rng.random() < 0.3 else 0.0
    camera = _camera(rng, focus, body, size, elevation, azimuth, fill, aside)
    return Scene(
        size[0],
        size[1],
        camera,
        tuple(focus + others),
        look,
        tuple(props),
        table,
        light,
        random_optics(rng, ingredients),
    )


def tables(
    count: int,
    seed: int,
    *,
    first: int = 0,
    kind: str | None = None,
    size: tuple[int, int] | None = None,
    ingredients: Iterable[str] = INGREDIENTS,
) -> Iterator[Rendered]:
    """Random pictures number ``first`` … of a seed; each has its own generator, so any part can be made alone.

    Args:
        count: how many.
        seed: of everything random.
        first: number of the first picture.
        kind: one of ``KINDS``; by chance if missing.
        size: width and height in pixels; by chance if missing.
        ingredients: which of ``INGREDIENTS`` may occur.

    Raises:
        ValueError: an unknown kind or ingredient.
    """
    chosen = frozenset(ingredients)
    for index in range(first, first + count):
        rng = np.random.default_rng([seed, index])
        yield render(random_scene(rng, kind, size, chosen), rng)


def label_lines(boxes: list[Box], width: int, height: int, *, min_side: float = 6.0) -> list[str]:
    """YOLO label lines: class, centre x, centre y, width, height as parts of the picture; boxes thinner than ``min_side`` px are left out."""
    lines = []
    for box in boxes:
        if box.short < min_side:
            continue
        kind = BACK_CLASS if box.code == BACK else INDEX[box.code]
        lines.append(label_line(kind, box.xyxy, width, height))
    return lines


def write(folder: Path, count: int, seed: int, *, first: int = 0, kind: str | None = None) -> None:
    """Write pictures and labels in YOLO form, and the ``data.yaml`` that names the 43 classes."""
    images, labels = folder / "images", folder / "labels"
    images.mkdir(parents=True, exist_ok=True)
    labels.mkdir(parents=True, exist_ok=True)
    for index, rendered in enumerate(tables(count, seed, first=first, kind=kind), first):
        name = f"drawn_{seed}_{index:06d}"
        height, width = rendered.image.shape[:2]
        _, data = cv2.imencode(".jpg", rendered.image, [cv2.IMWRITE_JPEG_QUALITY, 95])
        (images / f"{name}.jpg").write_bytes(data.tobytes())
        (labels / f"{name}.txt").write_text(
            "".join(f"{line}\n" for line in label_lines(rendered.boxes, width, height)), encoding="ascii"
        )
    names = "".join(f"  {index}: {name}\n" for index, name in enumerate(CLASS_NAMES))
    (folder / "data.yaml").write_text(
        f"path: {folder.resolve()}\ntrain: images\nval: images\nnames:\n{names}", encoding="utf-8"
    )


def main() -> None:
    """Command line of this module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--first", type=int, default=0, help="number of the first picture: parts of one seed can be made apart"
    )
    parser.add_argument("--kind", choices=KINDS)
    arguments = parser.parse_args()
    write(arguments.folder, arguments.count, arguments.seed, first=arguments.first, kind=arguments.kind)


if __name__ == "__main__":
    main()
