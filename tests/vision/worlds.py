"""Whole tables as geometry: four seats, hands, melds with turned tiles, kongs, flowers, walls, rivers, and a camera.

Tiles are placed on a table as people place them and projected through the pinhole camera of ``vision.synthesis``; nothing
is drawn, so a world takes milliseconds. What every tile is there for is known: that is what ``vision.table`` must find.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from engine.tiles import CODES, PLAYABLE, format_tiles
from vision.detections import Detections
from vision.reading import Reading, arrange
from vision.synthesis.geometry import Body, Camera, project, rings
from vision.synthesis.render import _pose
from vision.synthesis.scene import PlacedTile
from vision.synthesis.tiles import BACK

if TYPE_CHECKING:
    from vision.table import Table

SIDES = ("bottom", "right", "top", "left")
SOURCES = ("left", "across", "right")
PICTURE = (1600, 1200)


@dataclass
class Choices:
    """How a world is made up; what is ``None`` is drawn by lot.

    Attributes:
        size: tiles of a hand between turns.
        view: ``above`` or ``behind`` the hand.
        side: where in the picture my edge of the table is, seen from above.
        melds: how many I have.
        place: where my melds lie: ``line`` with the hand, ``column`` right of it, ``front`` of it.
        rows: of my hand.
        drawn: whether I have just drawn.
        turned: share of claimed melds with a turned tile.
        kongs: share of kongs among the melds.
        flowers: how many I have.
        gold: whether the indicator lies on the wall.
        wall: stacks on each side.
        pool: ``rivers``, ``heap`` or ``none``.
        others: ``melds``, ``laid`` (their hands lie open too) or ``none``.
        noise: standard deviation of box edges in parts of the tile.
        tilt: standard deviation of the camera's roll in degrees.
        suits: whether small gaps part the suits of my hand.
        lean: my hand's pitch seen from behind.
    """

    size: int = 16
    view: str = "above"
    side: str | None = "bottom"
    melds: int | None = None
    place: str | None = None
    rows: int = 1
    drawn: bool | None = None
    turned: float = 0.6
    kongs: float = 0.25
    flowers: int | None = None
    gold: bool = True
    wall: int = 10
    pool: str | None = None
    others: str | None = None
    noise: float = 0.015
    tilt: float = 3.0
    suits: bool = False
    lean: float | None = None


@dataclass(frozen=True)
class TrueMeld:
    """A meld as it lies there: which tiles, and from whom the turned one came."""

    kind: str
    tiles: str
    source: str | None
    indices: frozenset[int]


@dataclass
class World:
    """What the camera sees, and what it is."""

    reading: Reading
    side: str
    concealed: set[int] = field(default_factory=set)
    drawn: int | None = None
    melds: set[TrueMeld] = field(default_factory=set)
    flowers: set[int] = field(default_factory=set)
    gold: int | None = None
    discards: set[int] = field(default_factory=set)
    others: set[int] = field(default_factory=set)
    other_melds: set[tuple[str, str, str, str | None]] = field(default_factory=set)


class _NoRoomError(Exception):
    """This draw of the lots leads to no possible table; another is tried."""


class _Deck:
    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.left = Counter({kind: 4 if kind < PLAYABLE else 1 for kind in range(len(CODES))})

    def any(self, count: int, *, flowers: bool = False) -> list[int]:
        pile = [k for k, n in self.left.items() for _ in range(n) if (k >= PLAYABLE) == flowers]
        taken = [int(k) for k in self.rng.permutation(pile)[:count]]
        self.left.subtract(taken)
        return taken

    def chow(self) -> list[int]:
        while True:
            first = int(self.rng.integers(3)) * 9 + int(self.rng.integers(7))
            tiles = [first, first + 1, first + 2]
            if all(self.left[k] for k in tiles):
                self.left.subtract(tiles)
                return tiles

    def same(self, count: int) -> list[int]:
        kinds = [k for k in range(PLAYABLE) if self.left[k] >= count]
        if not kinds:
            raise _NoRoomError
        kind = int(self.rng.choice(kinds))
        self.left[kind] -= count
        return [kind] * count


@dataclass
class _Spot:
    """A tile on the table: where in its player's own view (x to the right, y away from him), and what it is there for."""

    kind: int  # -1: lies face down
    x: float
    y: float
    seat: int
    role: str
    turned: bool = False
    z: float = 0.0
    pitch: float = 0.0
    yaw: float = 0.0
    meld: int = -1


class _Builder:
    def __init__(self, rng: np.random.Generator, choices: Choices) -> None:
        self.rng, self.c = rng, choices
        width = rng.uniform(23, 29)
        self.body = Body(width, width * rng.uniform(1.3, 1.4), width * rng.uniform(0.6, 0.8))
        self.w, self.h = self.body.width, self.body.height
        self.edge = 13.6 * self.w * rng.uniform(0.97, 1.05)  # from the middle to the hands
        self.deck = _Deck(rng)
        self.spots: list[_Spot] = []
        self.melds: list[tuple[str, list[int], str | None]] = []

    # -- parts ---------------------------------------------------------------------------------------------

    def row(self, kinds: list[int], x: float, y: float, seat: int, role: str, **more: float) -> float:
        """Tiles side by side from a left edge; returns the right edge."""
        for kind in kinds:
            step = self.w + abs(self.rng.normal(0, 0.4))
            self.spots.append(_Spot(kind, x + self.w / 2, y + self.rng.normal(0, 0.5), seat, role, **more))
            x += step
        return x

    def meld(self, x: float, y: float, seat: int, *, pitch_free: bool = True) -> float:
        """A random meld whose left end is at x; returns its right end."""
        rng, c = self.rng, self.c
        number = len(self.melds)
        role = "meld" if seat == 0 else "others"
        if rng.random() < c.kongs:
            kind = str(rng.choice(["kong", "added_kong", "concealed_kong"]))
            tiles = self.deck.same(4)
        else:
            kind = str(rng.choice(["chow", "pong"]))
            tiles = self.deck.chow() if kind == "chow" else self.deck.same(3)
        if kind == "concealed_kong":
            shown = [tiles[0], -1, -1, tiles[0]] if rng.random() < 0.5 else [-1, tiles[0], tiles[0], -1]
            self.melds.append((kind, tiles, None))
            return self.row(shown, x, y, seat, role, meld=number)
        source = None
        place = -1
        if rng.random() < c.turned or kind == "added_kong":  # an added kong without a turned tile is a kong to see
            source = "left" if kind == "chow" else str(rng.choice(SOURCES))
        upright = tiles[:3] if kind == "added_kong" else tiles
        if source is not None:
            place = {"left": 0, "across": 1, "right": len(upright) - 1}[source]
            if kind == "chow":
                upright = [int(k) for k in rng.permutation(upright)]
        for index, tile in enumerate(upright):
            if index == place:
                low = y - (self.h - self.w) / 2
                self.spots.append(_Spot(tile, x + self.h / 2, low, seat, role, turned=True, meld=number))
                if kind == "added_kong":
                    self.spots.append(
                        _Spot(tiles[3], x + self.h / 2, low + self.w + 0.4, seat, role, turned=True, meld=number)
                    )
                x += self.h + abs(rng.normal(0, 0.4))
            else:
                x = self.row([tile], x, y, seat, role, meld=number)
        self.melds.append((kind, tiles, source))
        return x

    def length(self, count: int) -> float:
        return count * (self.w + 0.4)

    # -- seats ---------------------------------------------------------------------------------------------

    def me(self) -> None:
        rng, c = self.rng, self.c
        most = 4 if c.size == 16 else 3
        melds = c.melds if c.melds is not None else int(rng.integers(0, most + 1))
        drawn = c.drawn if c.drawn is not None else bool(rng.random() < 0.5)
        place = c.place or str(rng.choice(["line", "column", "front"]))
        count = c.size - 3 * melds
        pitch = c.lean if c.lean is not None and c.view == "behind" else 0.0
        y = -self.edge
        room = self.length(-(-count // c.rows)) + (2 * self.w if drawn else 0)
        room += self.w * (1.2 * melds + 3.7 * melds) if place == "line" else 5 * self.w if place == "column" else 0
        x = -room / 2
        hand = sorted(self.deck.any(count))
        top = y
        if c.rows == 2:
            upper = -(-count // 2)
            top = y + self.h + rng.uniform(0.3, 5)
            self.row(hand[:upper], x + rng.uniform(0, 3), top, 0, "hand")
            right = self.row(hand[upper:], x, y, 0, "hand")
            right = max(right, x + self.length(upper))
        elif c.suits:
            right = x
            for number, part in enumerate(_suits(hand)):
                right = self.row(part, right + (rng.uniform(0.32, 0.45) * self.w if number else 0), y, 0, "hand")
        else:
            right = self.row(hand, x, y, 0, "hand", pitch=pitch)
        if drawn:
            right = self.row(self.deck.any(1), right + rng.uniform(0.5, 1.0) * self.w, y, 0, "drawn", pitch=pitch)
        front = top + self.h * rng.uniform(1.35, 1.8)
        if pitch:
            front = top + self.h * rng.uniform(1.9, 2.3)  # what stands hides what lies close behind it
        if place == "line":
            at = right + rng.uniform(1.2, 2.0) * self.w
            for _ in range(melds):
                at = self.meld(at, y, 0) + rng.uniform(0.6, 1.2) * self.w
        elif place == "column":
            at = right + rng.uniform(1.3, 2.2) * self.w
            row = y
            for _ in range(melds):
                self.meld(at, row, 0)
                row += self.h + (self.w if self.melds[-1][0] == "added_kong" else 2) + rng.uniform(1, 4)
        else:
            at = x + rng.uniform(0, 2) * self.w
            for _ in range(melds):
                at = self.meld(at, front, 0) + rng.uniform(0.6, 1.2) * self.w
        flowers = c.flowers if c.flowers is not None else int(rng.choice([0, 1, 2, 3, 5]))
        kinds = self.deck.any(flowers, flowers=True)
        if place == "front" and melds:
            self.row(kinds, at + rng.uniform(0.6, 1.5) * self.w, front, 0, "flower")
        else:
            self.row(kinds, x + rng.uniform(0, 3) * self.w, front, 0, "flower")

    def other(self, seat: int, what: str) -> None:
        rng = self.rng
        y = -self.edge * rng.uniform(0.97, 1.03)
        melds = int(rng.integers(0, 4))
        x = -rng.uniform(6, 8) * self.w
        if what == "laid":
            x = self.row(sorted(self.deck.any(16 - 3 * melds)), x, y, seat, "others")
        elif self.c.view == "behind" and seat == 2:
            x = self.row([-1] * (16 - 3 * melds), x, y, seat, "back", pitch=90.0)
        else:
            x += (16 - 3 * melds) * self.w
        x += 1.5 * self.w
        for _ in range(melds):
            x = self.meld(x, y, seat) + rng.uniform(0.6, 1.2) * self.w
        if rng.random() < 0.5:
            self.row(self.deck.any(1, flowers=True), -5 * self.w, y + 1.5 * self.h, seat, "others")

    def table(self) -> None:
        rng, c = self.rng, self.c
        wall = 9.3 * self.w
        half = c.wall / 2 * self.w
        if c.wall:
            for seat in range(4):
                self.row([-1] * c.wall, -half, -wall, seat, "back", z=self.body.depth)
            if c.gold:
                spots = [s for s in self.spots if s.role == "back" and s.seat == 3 and s.z > 0]
                spot = spots[int(rng.integers(2, len(spots) - 2))]
                spot.role, spot.kind, spot.z = "gold", self.deck.any(1)[0], 2 * self.body.depth
        pool = c.pool or str(rng.choice(["rivers", "heap"]))
        if pool == "rivers":
            inner = 3 * self.w + self.h / 2 + rng.uniform(4, 12)
            for seat in range(4):
                tiles = self.deck.any(int(rng.integers(1, 13)))
                for row in range(0, len(tiles), 6):
                    self.row(tiles[row : row + 6], -3.1 * self.w, -inner - row / 6 * (self.h + 2), seat, "discard")
        elif pool == "heap":
            placed: list[tuple[float, float]] = []
            reach = 5.2 * self.w
            for kind in self.deck.any(int(rng.integers(3, 30))):
                for _ in range(40):
                    x, y = rng.uniform(-reach, reach, 2)
                    if all(np.hypot(x - a, y - b) > 1.05 * np.hypot(self.w, self.h) for a, b in placed):
                        placed.append((x, y))
                        self.spots.append(_Spot(kind, x, y, 0, "discard", yaw=float(rng.uniform(0, 360))))
                        break

    def collides(self) -> bool:
        """Whether some tile would lie in another's place, or beyond the table."""
        places = np.array([self._on_table(spot) for spot in self.spots])
        across = np.array([(spot.seat % 2 == 1) != spot.turned for spot in self.spots])
        half = np.where(across[:, None], (self.h / 2, self.w / 2), (self.w / 2, self.h / 2)) - 0.8
        apart = np.abs(places[:, None] - places[None]) - half[:, None] - half[None]
        touching = (apart < 0).all(2)
        np.fill_diagonal(touching, val=False)
        return bool(touching.any() or (np.abs(places) > self.edge + 2.5 * self.h).any())

    @staticmethod
    def _on_table(spot: _Spot) -> tuple[float, float]:
        turn = np.radians(90 * spot.seat)
        return (
            float(np.cos(turn) * spot.x - np.sin(turn) * spot.y),
            float(np.sin(turn) * spot.x + np.cos(turn) * spot.y),
        )

    # -- the picture ---------------------------------------------------------------------------------------

    def camera(self, side: str) -> Camera:
        rng = self.rng
        width, height = PICTURE
        if self.c.view == "above":
            far = (self.edge + 1.6 * self.h) * width / (0.5 * min(width, height) * 0.93)
            # Held a little askew, towards any side.
            aside, away = rng.normal(0, 0.08, 2) * far
            plain = Camera((aside, away, far), (0.0, 0.0, 0.0))
            (x0, y0), (x1, y1) = project(plain.matrix(width, height), np.array([[0.0, 0.0, 0.0], [0.0, 50.0, 0.0]]))
            up = np.degrees(np.arctan2(x1 - x0, y0 - y1))
            return replace(plain, roll=float(up + 90.0 * SIDES.index(side) + rng.normal(0, self.c.tilt)))
        back = self.edge + rng.uniform(120, 220)
        return Camera(
            (rng.normal(0, 30), -back, rng.uniform(380, 560)), (rng.normal(0, 10), -0.45 * self.edge, 0.0),
            rng.uniform(0.72, 0.85), rng.normal(0, self.c.tilt / 2),
        )  # fmt: skip

    def see(self) -> World:
        if self.collides():
            raise _NoRoomError
        c, rng = self.c, self.rng
        side = c.side if c.view == "above" else "bottom"
        side = side or str(rng.choice(SIDES))
        camera = self.camera(side)
        matrix = camera.matrix(*PICTURE)
        boxes, seen = [], []
        for spot in self.spots:
            box = self._box(spot, matrix, camera)
            if box is None and spot.seat == 0 and spot.role in {"hand", "drawn", "meld", "flower"}:
                raise _NoRoomError  # a picture that does not show the whole hand is another matter
            if box is not None:
                boxes.append(box)
                seen.append(spot)
        order = rng.permutation(len(seen))
        reading = read(np.array([boxes[i] for i in order]), [seen[i].kind for i in order])
        world = World(reading, side)
        melds: dict[int, set[int]] = {}
        for index, spot in enumerate(seen[i] for i in order):
            match spot.role:
                case "hand":
                    world.concealed.add(index)
                case "drawn":
                    world.drawn = index
                case "meld":
                    melds.setdefault(spot.meld, set()).add(index)
                case "flower":
                    world.flowers.add(index)
                case "gold":
                    world.gold = index
                case "discard":
                    world.discards.add(index)
                case "others":
                    if spot.kind >= 0:
                        world.others.add(index)
                    if spot.meld >= 0:
                        kind, tiles, source = self.melds[spot.meld]
                        owner = {1: "right", 2: "across", 3: "left"}[spot.seat]
                        world.other_melds.add((owner, kind, format_tiles(tiles), source))
        for number, indices in melds.items():
            kind, tiles, source = self.melds[number]
            world.melds.add(TrueMeld(kind, format_tiles(tiles), source, frozenset(indices)))
        return world

    def _box(self, spot: _Spot, matrix: np.ndarray, camera: Camera) -> tuple[float, float, float, float] | None:
        x, y = self._on_table(spot)
        yaw = 90.0 * spot.seat + (90 if spot.turned else 0) + spot.yaw + self.rng.normal(0, 1)
        code = BACK if spot.kind < 0 else CODES[spot.kind]
        pose = _pose(PlacedTile(code, x, y, spot.z, yaw, spot.pitch), self.body)
        shape = rings(self.body)
        eye = np.asarray(camera.position) - pose.origin
        ring = (1, 0) if float(eye @ pose.turn[:, 2]) > 0 else (3, 4)
        outline = project(matrix, pose.world(np.vstack([shape[i] for i in ring])))
        (left, top), (right, bottom) = outline.min(0), outline.max(0)
        noise = self.rng.normal(0, self.c.noise, 4) * np.sqrt((right - left) * (bottom - top))
        left, top, right, bottom = np.array([left, top, right, bottom]) + noise
        width, height = PICTURE
        cut = max(0, min(right, width) - max(left, 0)) * max(0, min(bottom, height) - max(top, 0))
        if cut < 0.9 * (right - left) * (bottom - top) or min(right - left, bottom - top) < 6:
            return None
        return float(left), float(top), float(right), float(bottom)


def _suits(hand: list[int]) -> list[list[int]]:
    parts: list[list[int]] = []
    for kind in hand:
        if not parts or min(parts[-1][-1] // 9, 3) != min(kind // 9, 3):
            parts.append([])
        parts[-1].append(kind)
    return parts


def read(boxes: np.ndarray, kinds: list[int]) -> Reading:
    """A reading without doubt of boxes (N, 4) in a picture of ``PICTURE`` pixels; kind -1 lies face down."""
    count = len(kinds)
    probability = np.full((count, len(CODES)), 0.0002, np.float32)
    for row, kind in zip(probability, kinds, strict=True):
        if kind >= 0:
            row[kind] = 0.99
    detections = Detections(
        np.asarray(boxes, np.float32).reshape(count, 4), np.full(count, 0.9, np.float32), np.array(kinds, np.int16),
        probability, np.ones(count, np.bool_), np.zeros(count, np.float32),
    )  # fmt: skip
    detections, rows, problems = arrange(detections)
    return Reading(detections, rows, problems, 1.0, *PICTURE)


def world(seed: int, choices: Choices | None = None, **changes: object) -> World:
    """The world with a number; the same number gives the same world.

    Args:
        seed: its number.
        choices: how it is made up.
        changes: fields of the choices to set.
    """
    for attempt in range(200):
        rng = np.random.default_rng([20, seed, attempt])
        builder = _Builder(rng, replace(choices or Choices(), **changes))
        try:
            builder.me()
            others = builder.c.others or str(rng.choice(["melds", "laid", "none"]))
            if others != "none":
                for seat in (1, 2, 3):
                    builder.other(seat, others)
            builder.table()
            return builder.see()
        except _NoRoomError:
            continue
    raise ValueError("no such table: its tiles never find room")


def wrong(true: World, table: Table) -> list[str]:
    """What of a world the table has got wrong, by area; nothing where all is right."""
    found = []
    seen = {*table.concealed, *([] if table.drawn is None else [table.drawn])}
    if seen != true.concealed | ({true.drawn} - {None}):
        found.append("hand")
    elif true.drawn != table.drawn:
        found.append("drawn")
    melds = {TrueMeld(meld.kind, meld.tiles, meld.source, frozenset(meld.indices)) for meld in table.melds}
    if melds != true.melds:
        plain = {(meld.kind, meld.tiles) for meld in melds} == {(meld.kind, meld.tiles) for meld in true.melds}
        found.append("source" if plain else "melds")
    if set(table.flowers) != true.flowers:
        found.append("flowers")
    guess = {table.gold} - {None} if true.gold is None and not table.gold_sure else set()
    if table.gold != true.gold and not guess and not (table.gold is None and true.gold in table.gold_candidates):
        found.append("gold")
    others = {i for i in table.others if table.reading.detections.kind[i] >= 0}
    if set(table.discards) | others | guess != true.discards | true.others:
        found.append("seen")
    elif others != true.others:
        found.append("others")
    if table.side != true.side:
        found.append("side")
    return found


__all__ = ["SIDES", "Choices", "TrueMeld", "World", "read", "world", "wrong"]
