"""The demo source: a scripted Xiamen hand played before a virtual webcam, tile by tile, with its truth.

A camera hangs above and behind the near player and looks at his rack; his melds lie to the right of it, his flowers before it,
discards in the middle, and the turned gold on the wall at the left. Every step stands still for a while after a hand has moved
the tile. The clock is the caller's: ``frame(seconds)`` may be asked for any time, in any order.
"""

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from engine.text import Text
from engine.tiles import CODES
from vision.synthesis.geometry import Body, Camera
from vision.synthesis.optics import Image, Optics, light_field, soften
from vision.synthesis.render import Box, Canvas
from vision.synthesis.scene import Block, Hand, Light, Look, PlacedTile, Prop, Scene, TableTop
from vision.synthesis.script import SEATS, Step, play
from vision.synthesis.tiles import BACK

SCRIPTS = 12
"""How many scripts there are; each is checked against the rules engine by the tests."""

_MOVING = 0.9  # seconds of a move
_HOLD = {"other": 1.3, "laid": 7.0, "choice": 4.0, "youjin": 3.5, "win": 3.0, "gold": 3.0, "deal": 2.0}
_USUAL_HOLD = 2.4
_DARK = 0.6  # seconds of an empty table between two hands

_BODY = Body(24.0, 32.0, 19.0, 2.8, 1.1, 0.62)
_PITCH = 24.3  # mm from tile to tile in a row
_HAND_LEFT, _HAND_Y, _HAND_LEAN = -268.0, -300.0, 52.0
_MELD_LEFT = 178.0
_FLOWER_LEFT, _FLOWER_Y = -268.0, -240.0
_POOL_LEFT, _POOL_TOP, _POOL_COLUMNS = -112.0, 44.0, 10
_WALL = 236.0  # mm from the middle to the walls
_STACKS = 18
_TURNED_STACK = 9  # the gold lies on this stack, counted from the wall's end
_CAMERA = Camera((10.0, -585.0, 532.0), (10.0, -136.0, 0.0), 0.95)


@dataclass(frozen=True)
class Truth:
    """What a frame really shows.

    Attributes:
        script: number of the hand that is played.
        index: number of the step in it.
        key: what kind of step (see ``script.Step``).
        caption: the step in a sentence.
        record: the hand record after the step; its ``gold`` is ``None`` before the gold is turned.
        boxes: every visible tile. While a hand moves they are those of this very frame.
        settled: nothing moves.
    """

    script: int
    index: int
    key: str
    caption: Text
    record: dict[str, Any]
    boxes: list[Box]
    settled: bool

    @property
    def note(self) -> str:
        """The caption in traditional Chinese."""
        return self.caption.zh_hant


@dataclass(frozen=True)
class _Span:
    """A step on the time line of a hand: it moves from ``start`` and stands still until ``end``."""

    step: Step
    start: float
    still: float
    end: float


class DemoScript:
    """A hand of mahjong before a virtual camera; when it is over the next script follows.

    Iterating gives the steps of the first hand. The same arguments give the same pictures.

    Args:
        seed: which script comes first, and the noise.
        speed: how much faster than usual; 2 halves all times.
        size: width and height of the picture in pixels.
        style: art style of the tiles, as for ``tiles.raster``.

    Raises:
        ValueError: the speed is not positive, or an unknown style.
    """

    def __init__(
        self, seed: int = 0, speed: float = 1.0, size: tuple[int, int] = (1280, 720), style: str = "classic"
    ) -> None:
        if speed <= 0:
            raise ValueError("the demo's speed must be positive")
        self._seed, self._speed = seed, speed
        self._scene = Scene(
            size[0], size[1], _CAMERA,
            look=Look(style, _BODY, engraved=0.6),
            table=TableTop("felt", (92.0, 112.0, 30.0), (430.0, 430.0), (44.0, 76.0, 112.0), (70.0, 74.0, 78.0)),
            light=Light(azimuth=-60.0, elevation=62.0, ambient=0.66, softness=8.0, shadow=0.42),
            optics=Optics(exposure=1.0, vignette=0.22, lamp=0.12),
        )  # fmt: skip
        rng = np.random.default_rng([11, seed])
        self._table = Canvas(self._scene, rng)
        field = light_field(size[0], size[1], self._scene.optics, rng)
        self._light = np.repeat(field, 3, axis=2)
        self._grain = [np.asarray(rng.normal(0, 2.2, (size[1], size[0], 3)), np.int16) for _ in range(3)]
        self._hands: dict[int, list[_Span]] = {}
        self._still: OrderedDict[tuple[int, int, bool], Canvas] = OrderedDict()

    def __iter__(self) -> Iterator[Step]:
        return iter([span.step for span in self._spans(0)])

    def duration(self, hand: int = 0) -> float:
        """Seconds that hand number ``hand`` takes."""
        return self._spans(hand)[-1].end

    def frame(self, seconds: float) -> tuple[Image, Truth]:
        """The picture (height, width, 3) BGR and its truth at a time since the start (negative times count as 0)."""
        left = max(0.0, seconds)
        hand = 0
        while left >= self.duration(hand):
            left -= self.duration(hand)
            hand += 1
        spans = self._spans(hand)
        index = next(number for number, span in enumerate(spans) if left < span.end)
        span = spans[index]
        settled = left >= span.still
        if settled:
            canvas = self._canvas(hand, index)
            self._prepare(hand, index + 1)
        else:
            canvas = self._move(hand, index, (left - span.start) / (span.still - span.start))
        step = span.step
        truth = Truth(self._number(hand), index, step.key, step.caption, step.record, canvas.boxes(), settled)
        return self._expose(canvas.picture, seconds), truth

    # -- time ----------------------------------------------------------------------------------------------------------

    def _number(self, hand: int) -> int:
        return (self._seed + hand) % SCRIPTS

    def _spans(self, hand: int) -> list[_Span]:
        number = self._number(hand)
        if number not in self._hands:
            spans: list[_Span] = []
            clock = 0.0
            for step in play(number):
                moving = (_MOVING if step.move else _DARK) / self._speed
                hold = _HOLD.get(step.key, _USUAL_HOLD) / self._speed
                spans.append(_Span(step, clock, clock + moving, clock + moving + hold))
                clock += moving + hold
            self._hands[number] = spans
        return self._hands[number]

    # -- space ---------------------------------------------------------------------------------------------------------

    def _canvas(self, hand: int, index: int, *, moving: bool = False) -> Canvas:
        """The still table after a step; with ``moving`` without the tile that the step moves."""
        key = (self._number(hand), index, moving)
        if key in self._still:
            self._still.move_to_end(key)
            return self._still[key]
        step = self._spans(hand)[index].step
        before = self._spans(hand)[index - 1].step if index else None
        tiles = _layout(_held_back(step, before) if moving else step)
        if not moving and step.move is not None and step.move.what in {"discard", "draw"}:
            # Nothing but the moved tile is new, and nothing lies before it.
            canvas = self._canvas(hand, index, moving=True).copy()
            there = set(canvas.placed)
            canvas.add(tuple(tile for tile in tiles if tile not in there))
        else:
            canvas = self._table.copy()
            canvas.add(tuple(tiles), () if step.laid else _RACK)
        canvas.boxes()  # known from now on, also to copies
        self._still[key] = canvas
        while len(self._still) > 6:
            self._still.popitem(last=False)
        return canvas

    def _prepare(self, hand: int, index: int) -> None:
        """Draw one table of the next move while nothing moves, so that the move does not stutter."""
        if index < len(self._spans(hand)):
            for moving in (True, False):
                if (self._number(hand), index, moving) not in self._still:
                    self._canvas(hand, index, moving=moving)
                    return

    def _move(self, hand: int, index: int, part: float) -> Canvas:
        """A frame of a move: 0 it begins, 1 it is over."""
        step = self._spans(hand)[index].step
        if step.move is None:
            return self._table
        before = self._spans(hand)[index - 1].step
        canvas = self._canvas(hand, index, moving=True)
        path = _path(step, before)
        down = 0.66  # by then the tile has been put down and the hand withdraws
        if part >= down:
            canvas = self._canvas(hand, index).copy()
            place = _between(path.end, path.rest, (part - down) / (1 - down))
            canvas.add((), (path.hand(place),))
            return canvas
        canvas = canvas.copy()
        way = part / down
        smooth = way * way * (3 - 2 * way)
        place = _between(path.start, path.end, smooth)
        lift = 42 * np.sin(np.pi * smooth)
        carried = replace(
            path.tile,
            x=place[0],
            y=place[1],
            z=path.tile.z + lift,
            pitch=path.tile.pitch * (smooth if path.tile.pitch else 1),
        )
        canvas.add((carried,), (path.hand(place, lift),))
        return canvas

    def _expose(self, picture: Image, seconds: float) -> Image:
        """Light, its flicker, and the sensor's noise."""
        tick = int(seconds * 30)
        flicker = 1.0 + 0.012 * np.sin(tick * 1.7) + 0.006 * np.sin(tick * 0.23)
        lit = cv2.multiply(picture, self._light, scale=float(flicker), dtype=cv2.CV_8U)
        grain = self._grain[tick % len(self._grain)]
        shift = tick * 37 % picture.shape[0]
        return np.asarray(
            cv2.add(soften(np.asarray(lit, np.uint8), 0.55), np.roll(grain, shift, axis=0), dtype=cv2.CV_8U), np.uint8
        )


_RACK: tuple[Prop, ...] = (
    Block(-55.0, _HAND_Y - 19.0, (440.0, 9.0, 7.0), (52.0, 92.0, 132.0), nearer=80.0),
    Block(-55.0, _HAND_Y + 20.0, (440.0, 9.0, 15.0), (52.0, 92.0, 132.0), nearer=-60.0),
)


@dataclass(frozen=True)
class _Path:
    """How a tile travels: from, to, where the hand goes afterwards, and whose hand it is (its yaw)."""

    tile: PlacedTile
    start: tuple[float, float]
    end: tuple[float, float]
    rest: tuple[float, float]
    yaw: float

    def hand(self, place: tuple[float, float], lift: float = 0.0) -> Hand:
        """The hand whose fingertips are over a place."""
        turn = np.radians(self.yaw)
        reach = 72.0
        return Hand(
            float(place[0] + np.sin(turn) * reach), float(place[1] - np.cos(turn) * reach), 34.0 + lift, self.yaw, grip=0.8,
            sleeve=_SLEEVES[round(self.yaw / 90) % 4],
        )  # fmt: skip


_SLEEVES = ((120.0, 70.0, 52.0), (60.0, 60.0, 62.0), (70.0, 96.0, 60.0), (70.0, 52.0, 120.0))


def _between(one: tuple[float, float], two: tuple[float, float], part: float) -> tuple[float, float]:
    return one[0] + (two[0] - one[0]) * part, one[1] + (two[1] - one[1]) * part


def _held_back(step: Step, before: Step | None) -> Step:
    """The table while the tile of a step is on its way: what was there before, without what is being moved away."""
    if before is None or step.move is None:
        return step
    if step.key == "other":
        return replace(step, pool=step.pool[:-1])
    if step.move.what == "discard":
        # The row has already closed up behind the tile.
        return replace(step, pool=step.pool[:-1])
    if step.move.what == "draw":
        return replace(step, drawn=None)
    if step.move.what == "pong":
        return replace(step, melds=step.melds[:-1])
    if step.move.what == "flower":
        return replace(before, flowers=before.flowers, wall=step.wall, tail=step.tail)
    if step.move.what == "gold":
        return replace(step, gold=None)
    return before


def _path(step: Step, before: Step) -> _Path:
    """Where the tile of a step comes from and goes to."""
    move = step.move
    if move is None:
        raise ValueError(f"nothing moves in step {step.key}")
    own = step.record["seat"]
    # Counter-clockwise at the table: the next player sits at the right.
    yaw = 90.0 * ((SEATS.index(move.seat) - SEATS.index(own)) % 4)
    turn = np.radians(yaw)
    away = (float(np.sin(turn) * 460), float(-120 - np.cos(turn) * 330))
    if move.what == "discard":
        tile = _pool_tile(len(step.pool) - 1, move.kind)
        start = away if move.seat != own else (_HAND_LEFT + len(before.concealed) * _PITCH, _HAND_Y)
    elif move.what == "draw":
        tile = _hand_tile(len(step.concealed), move.kind, apart=True)
        start = _next_of_wall(step)
    elif move.what == "pong":
        tile = _meld_tile(len(step.melds) - 1, 0, move.kind)
        spot = _pool_tile(len(before.pool) - 1, move.kind)
        start = (spot.x, spot.y)
    elif move.what == "flower":
        tile = _flower_tile(len(step.flowers) - 1, move.kind)
        start = (_HAND_LEFT + len(before.concealed) * _PITCH, _HAND_Y)
    elif move.what == "gold":
        tile = _gold_tile(move.kind)
        start = (tile.x, tile.y - 60)
    else:
        tile = _hand_tile(len(step.concealed), move.kind, apart=True, laid=True)
        start = (tile.x, tile.y)
    return _Path(tile, start, (tile.x, tile.y), away, yaw)


# -- the layout of the table: where each tile lies ---------------------------------------------------------------------


def _layout(step: Step) -> list[PlacedTile]:
    tiles = [_hand_tile(place, kind, laid=step.laid) for place, kind in enumerate(step.concealed)]
    if step.drawn is not None:
        tiles.append(_hand_tile(len(step.concealed), step.drawn, apart=True, laid=step.laid))
    for number, meld in enumerate(step.melds):
        tiles += [_meld_tile(number, place, kind) for place, kind in enumerate(meld)]
    tiles += [_flower_tile(place, kind) for place, kind in enumerate(step.flowers)]
    tiles += [_pool_tile(place, kind) for place, kind in enumerate(step.pool)]
    if step.gold is not None:
        tiles.append(_gold_tile(step.gold))
    return tiles + _wall(step)


def _hand_tile(place: int, kind: int, *, apart: bool = False, laid: bool = False) -> PlacedTile:
    x = _HAND_LEFT + (place + 0.5) * _PITCH + (15.0 if apart else 0.0)
    return PlacedTile(CODES[kind], x, _HAND_Y, 0.0 if laid else 2.0, pitch=0.0 if laid else _HAND_LEAN)


def _meld_tile(number: int, place: int, kind: int) -> PlacedTile:
    return PlacedTile(CODES[kind], _MELD_LEFT + place * _PITCH, _HAND_Y - 6 + number * (_BODY.height + 3))


def _flower_tile(place: int, kind: int) -> PlacedTile:
    return PlacedTile(CODES[kind], _FLOWER_LEFT + (place + 0.5) * _PITCH, _FLOWER_Y)


def _pool_tile(place: int, kind: int) -> PlacedTile:
    row, column = divmod(place, _POOL_COLUMNS)
    # A person does not lay tiles by the ruler; the same place is always crooked in the same way.
    slant = ((place * 7) % 5 - 2) * 1.3
    return PlacedTile(
        CODES[kind],
        _POOL_LEFT + column * (_PITCH + 1.4),
        _POOL_TOP - row * (_BODY.height + 4.0) + (place * 3 % 4) * 0.6,
        yaw=slant,
    )


def _gold_tile(kind: int) -> PlacedTile:
    return PlacedTile(CODES[kind], -_WALL, _stack_places()[-_TURNED_STACK][1], 2 * _BODY.depth)


def _stack_places() -> list[tuple[float, float, float]]:
    """x, y and yaw of the 72 stacks in the order in which they are taken: far, right, near, left wall, clockwise."""
    half = (_STACKS - 1) / 2 * _PITCH
    steps = [half - place * _PITCH for place in range(_STACKS)]
    far = [(-step, _WALL, 0.0) for step in steps]
    right = [(_WALL + 20, step, 90.0) for step in steps]
    near = [(step + 16, -_WALL + 48, 0.0) for step in steps]
    left = [(-_WALL, 18 - step, 90.0) for step in steps]
    return far + right + near + left


def _wall(step: Step) -> list[PlacedTile]:
    """What is left of the wall: taken from the front in stacks of two, upper tile first, and from the tail."""
    places = _stack_places()
    turned = step.gold is not None
    last = 2 * len(places) - step.tail
    first = last - step.wall - (1 if turned else 0)
    tiles = []
    for number in range(first, last):
        x, y, yaw = places[number // 2]
        upper = number % 2 == 0 and number + 1 < last
        tiles.append(PlacedTile(BACK, x, y, _BODY.depth if upper else 0.0, yaw))
    if turned:
        # One tile was turned up: the stack under it loses its upper tile, the gold lies on its neighbours' height.
        spot = places[-_TURNED_STACK]
        tiles = [tile for tile in tiles if not ((tile.x, tile.y) == spot[:2] and tile.z > 0)]
        tiles = [
            tile
            for tile in tiles
            if not (tile.z > 0 and abs(tile.x - spot[0]) < 1 and 0 < abs(tile.y - spot[1]) < _PITCH * 0.5)
        ]
    return tiles


def _next_of_wall(step: Step) -> tuple[float, float]:
    """Where the tile just drawn lay."""
    places = _stack_places()
    number = 2 * len(places) - step.tail - step.wall - 2
    x, y, _ = places[max(0, number) // 2]
    return x, y
