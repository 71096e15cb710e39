"""Zones: what a person has drawn once on the picture to say what lies where.

In JSON, as the page sends it and as it is stored::

    [{"kind": "concealed", "polygon": [[0.1, 0.75], [0.9, 0.75], [0.9, 1.0], [0.1, 1.0]]}]

``kind`` is one of ``KINDS``; ``polygon`` its corners in order, x and y as parts of the picture's width and height, from
0 (left, top) to 1. A kind may have several zones, and no zone need be drawn: what lies outside all of them is laid out
by geometry. A tile belongs to the zone its middle lies in. Where zones overlap, ``ignore`` comes before all others, and
of the others the one drawn last.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from engine.text import Text, join, printable, same

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Point = tuple[float, float]

CONCEALED, MELDS, FLOWERS, GOLD = "concealed", "melds", "flowers", "gold"
DISCARDS, OTHERS, IGNORE = "discards", "others", "ignore"

KIND_NAMES: Final[dict[str, Text]] = {
    CONCEALED: Text("手牌", "手牌", "hand"),
    MELDS: Text("副露", "副露", "melds"),
    FLOWERS: Text("花牌", "花牌", "flowers"),
    GOLD: Text("翻开的金", "翻開的金", "flipped gold"),
    DISCARDS: Text("牌池", "牌池", "discards"),
    OTHERS: Text("别家的牌", "別家的牌", "other players"),
    IGNORE: Text("不看", "不看", "not looked at"),
}
"""What each kind of zone is called."""

KINDS: Final = tuple(KIND_NAMES)
"""What a zone may hold: my hand, my melds, my flowers, the gold's indicator, discards, all of other players' tiles that
lie open, and places that are not looked at."""

MOST_ZONES: Final = 40
MOST_CORNERS: Final = 60

LEAST_AREA: Final = 0.0005
"""A zone covers at least this part of the picture: the place of one small tile."""


class ZoneError(ValueError):
    """Zones that cannot be.

    Attributes:
        code: stable key, for instance ``self_crossing``.
        field: what to correct, for instance ``[2].polygon``; ``""`` for the whole list.
        text: what is wrong and what to do about it.
    """

    def __init__(self, code: str, field: str, text: Text) -> None:
        super().__init__(f"{field}: {text.en}" if field else text.en)
        self.code = code
        self.field = field
        self.text = text

    def as_json(self) -> dict[str, str]:
        """``{"code", "field", "zh", "zh_hant", "en"}``."""
        return {"code": self.code, "field": self.field, **self.text.as_json()}


_NOT_A_LIST = Text(
    "区域应当是一个列表，每项写明 kind 和 polygon。",
    "區域應當是一個列表，每項寫明 kind 和 polygon。",
    "The zones must be a list of objects with kind and polygon.",
)
_TOO_MANY = Text(
    "区域最多 {most} 个，这里有 {n} 个；请删去一些。",
    "區域最多 {most} 個，這裡有 {n} 個；請刪去一些。",
    "There can be {most} zones at most, here are {n}; remove some.",
)
_NOT_A_ZONE = Text(
    "第 {n} 个区域必须正好写明 kind 和 polygon。",
    "第 {n} 個區域必須正好寫明 kind 和 polygon。",
    "Zone {n} must have kind and polygon, and nothing else.",
)
_UNKNOWN_KIND = Text(
    "第 {n} 个区域的种类“{kind}”不存在，可以是：{kinds}。",
    "第 {n} 個區域的種類「{kind}」不存在，可以是：{kinds}。",
    'Zone {n}: there is no kind "{kind}"; choose one of {kinds}.',
)
_NOT_POINTS = Text(
    "第 {n} 个区域（{kind}）的角点必须写成 [x, y] 两个数。",
    "第 {n} 個區域（{kind}）的角點必須寫成 [x, y] 兩個數。",
    "Zone {n} ({kind}): every corner must be two numbers, [x, y].",
)
_TOO_MANY_CORNERS = Text(
    "第 {n} 个区域（{kind}）的角点最多 {most} 个；请画得简单些。",
    "第 {n} 個區域（{kind}）的角點最多 {most} 個；請畫得簡單些。",
    "Zone {n} ({kind}) can have {most} corners at most; draw it simpler.",
)
_OUTSIDE = Text(
    "第 {n} 个区域（{kind}）有角点在画面外；请把它移回画面里。",
    "第 {n} 個區域（{kind}）有角點在畫面外；請把它移回畫面裡。",
    "Zone {n} ({kind}) has a corner outside the picture; move it back inside.",
)
_TOO_FEW = Text(
    "第 {n} 个区域（{kind}）至少要有三个不同的角点；请再点几个。",
    "第 {n} 個區域（{kind}）至少要有三個不同的角點；請再點幾個。",
    "Zone {n} ({kind}) needs at least three different corners; add some.",
)
_CROSSING = Text(
    "第 {n} 个区域（{kind}）的边互相交叉；请沿着边缘依次点角点，重画一次。",
    "第 {n} 個區域（{kind}）的邊互相交叉；請沿著邊緣依次點角點，重畫一次。",
    "The edges of zone {n} ({kind}) cross each other; draw it again, corner by corner along its edge.",
)
_TOO_SMALL = Text(
    "第 {n} 个区域（{kind}）太小，放不下一张牌；请画大一点。",
    "第 {n} 個區域（{kind}）太小，放不下一張牌；請畫大一點。",
    "Zone {n} ({kind}) is too small for a single tile; draw it larger.",
)


@dataclass(frozen=True, slots=True)
class Zone:
    """A part of the picture: what lies there (one of ``KINDS``), and its corners in order, 0 to 1."""

    kind: str
    polygon: tuple[Point, ...]

    def holds(self, points: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which of the points (N, 2), in parts of the picture, lie inside: (N,)."""
        inside = np.zeros(len(points), np.bool_)
        x, y = points[:, 0], points[:, 1]
        for (x0, y0), (x1, y1) in zip(self.polygon, self.polygon[1:] + self.polygon[:1], strict=True):
            if y0 != y1:  # how often a ray to the right meets the edge: once or not at all
                inside ^= ((y0 > y) != (y1 > y)) & (x < x0 + (y - y0) * (x1 - x0) / (y1 - y0))
        return inside

    def as_json(self) -> dict[str, Any]:
        """``{"kind", "polygon"}``."""
        return {"kind": self.kind, "polygon": [list(point) for point in self.polygon]}


@dataclass(frozen=True, slots=True)
class Zones:
    """All zones of a picture, in the order in which they were drawn."""

    zones: tuple[Zone, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.zones)

    @classmethod
    def from_json(cls, data: object) -> Zones:
        """Zones from their JSON form (see the head of this module). A corner given twice in a row counts once.

        Raises:
            ZoneError: they cannot be; its text says which zone, and what to do.

        >>> square = [[0.1, 0.7], [0.9, 0.7], [0.9, 1], [0.1, 1]]
        >>> Zones.from_json([{"kind": "concealed", "polygon": square}]).kinds_at([[0.5, 0.8], [0.5, 0.2]])
        ['concealed', None]
        """
        if not isinstance(data, list):
            raise ZoneError("not_a_list", "", _NOT_A_LIST)
        if len(data) > MOST_ZONES:
            raise ZoneError("too_many", "", _TOO_MANY.format(most=MOST_ZONES, n=len(data)))
        return cls(tuple(_zone(item, place) for place, item in enumerate(data)))

    def as_json(self) -> list[dict[str, Any]]:
        """The form that ``from_json`` takes."""
        return [zone.as_json() for zone in self.zones]

    def has(self, kind: str) -> bool:
        """Whether a zone of this kind was drawn."""
        return any(zone.kind == kind for zone in self.zones)

    def kinds_at(self, points: object) -> list[str | None]:
        """The kind of zone each point lies in, ``None`` outside all of them.

        Args:
            points: (N, 2) x and y as parts of the picture.
        """
        places = np.asarray(points, np.float64).reshape(-1, 2)
        kinds: list[str | None] = [None] * len(places)
        for zone in sorted(self.zones, key=lambda zone: zone.kind == IGNORE):  # stable: the last drawn lies on top
            for index in np.flatnonzero(zone.holds(places)):
                kinds[index] = zone.kind
        return kinds


def _zone(item: object, place: int) -> Zone:
    number, field = place + 1, f"[{place}]"
    if not isinstance(item, dict) or set(item) != {"kind", "polygon"}:
        raise ZoneError("not_a_zone", field, _NOT_A_ZONE.format(n=number))
    kind = item["kind"]
    if not isinstance(kind, str) or kind not in KIND_NAMES:
        known = join([same(name) for name in KINDS])
        raise ZoneError(
            "unknown_kind", f"{field}.kind", _UNKNOWN_KIND.format(n=number, kind=printable(str(kind)), kinds=known)
        )

    def error(code: str, text: Text) -> ZoneError:
        return ZoneError(code, f"{field}.polygon", text.format(n=number, kind=KIND_NAMES[kind], most=MOST_CORNERS))

    corners = item["polygon"]
    if not isinstance(corners, list) or not all(_is_point(corner) for corner in corners):
        raise error("not_points", _NOT_POINTS)
    if len(corners) > MOST_CORNERS:
        raise error("too_many_corners", _TOO_MANY_CORNERS)
    if not all(0 <= value <= 1 for corner in corners for value in corner):
        raise error("outside", _OUTSIDE)
    # A double click gives a corner twice, and some programs close a polygon with its first corner.
    points = [(float(x), float(y)) for x, y in corners]
    points = [point for index, point in enumerate(points) if index == 0 or point != points[index - 1]]
    if len(points) > 1 and points[0] == points[-1]:
        points.pop()
    if len(set(points)) < 3:
        raise error("too_few_corners", _TOO_FEW)
    if _crosses(points):
        raise error("self_crossing", _CROSSING)
    if _area(points) < LEAST_AREA:
        raise error("too_small", _TOO_SMALL)
    return Zone(kind, tuple(points))


def _is_point(corner: object) -> bool:
    return (
        isinstance(corner, list)
        and len(corner) == 2
        and all(isinstance(value, int | float) and not isinstance(value, bool) for value in corner)
        and all(isinstance(value, int) or math.isfinite(value) for value in corner)  # an int may exceed every float
    )


def _area(points: list[Point]) -> float:
    return abs(sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in _edges(points))) / 2


def _edges(points: list[Point]) -> list[tuple[Point, Point]]:
    return list(zip(points, points[1:] + points[:1], strict=True))


def _crosses(points: list[Point]) -> bool:
    """Whether two edges that are no neighbours touch, or neighbours lie on each other."""
    edges = _edges(points)
    for a, (p, q) in enumerate(edges):
        for b in range(a + 1, len(edges)):
            r, s = edges[b]
            if b == a + 1 or (a == 0 and b == len(edges) - 1):
                corner, one, other = (q, p, s) if b == a + 1 else (p, q, r)
                if _side(one, corner, other) == 0 and _toward(corner, one, other):
                    return True
            elif _meet(p, q, r, s):
                return True
    return False


def _side(p: Point, q: Point, r: Point) -> float:
    """On which side of the line from p to q the point r lies: above 0, below 0, or 0 on it."""
    turn = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
    return 0.0 if abs(turn) < 1e-12 else turn


def _toward(corner: Point, one: Point, other: Point) -> bool:
    """Whether two points lie in the same direction from a corner."""
    return (one[0] - corner[0]) * (other[0] - corner[0]) + (one[1] - corner[1]) * (other[1] - corner[1]) > 0


def _meet(p: Point, q: Point, r: Point, s: Point) -> bool:
    """Whether the edges from p to q and from r to s have a point in common."""
    sides = _side(p, q, r), _side(p, q, s), _side(r, s, p), _side(r, s, q)
    if sides[0] * sides[1] < 0 and sides[2] * sides[3] < 0:
        return True
    ends = ((p, q, r), (p, q, s), (r, s, p), (r, s, q))
    return any(side == 0 and _between(*end) for side, end in zip(sides, ends, strict=True))


def _between(p: Point, q: Point, r: Point) -> bool:
    """Whether r, on the line through p and q, lies between them."""
    return min(p[0], q[0]) <= r[0] <= max(p[0], q[0]) and min(p[1], q[1]) <= r[1] <= max(p[1], q[1])
