"""The work behind ``vision.table``: which area of the table every tile belongs to, as one side's player sees it.

The hand is the row nearest to the player's edge that is no row of sets; pieces of it may lie apart, and it may lie in two
rows. Sets in line with the hand, in front of it, or going on from the player's own sets are the player's melds as far as
the count of tiles leaves room for them. Sets, flowers and open hands at the other three edges belong to the others; what
is left in between was discarded. Where a zone was drawn for something, it lies there and nowhere else.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from engine.tiles import PLAYABLE
from vision.detections import FACE_DOWN
from vision.frames import ASPECT
from vision.geometry import BACKS, FACES, FLOWERS, SETS, TURNED, Geometry, Group
from vision.melds import ACROSS, CONCEALED_KONG, LEFT, RIGHT, Meld, make_meld
from vision.zones import CONCEALED, DISCARDS, GOLD, IGNORE, MELDS, OTHERS
from vision.zones import FLOWERS as FLOWER_ZONE

if TYPE_CHECKING:
    from collections.abc import Sequence


SET_APART = 0.55
"""A set is a meld beside the hand from this gap on, in tile widths; nearer it is a part of the hand that is sorted so."""

HAND_GAP = 1.6
"""Pieces of a hand are at most this many tile widths apart: a tile may be covered between them."""

IN_LINE = 0.9
"""What lies in line with the hand is at most this many tile heights off it."""

FAR_IN_LINE = 24.0
"""Melds in line with the hand may lie this many tile widths away, at the other end of the table's edge."""

NEAR = 3.6
"""Melds in front of the hand lie within this many tile heights of it."""

FLOWERS_NEAR = 4.6
"""So do flowers."""

STEP = 2.2
"""From meld to meld it is at most this many tile heights."""

ASIDE = 8.0
"""Melds in front of the hand may lie this many tile widths beside it."""

ACROSS_FROM = 17.0
"""Tile heights from the hand to the nearest that may lie before the player opposite."""

BESIDE_FROM = 10.2
"""Tile widths from the middle of the table to the nearest that may lie before the players at the sides."""

OPEN_HAND = 4
"""So many tiles in a row at another player's edge are a hand laid open."""

LONE = 1.4
"""No other face-up tile lies within this many tile heights (from middle to middle) of the gold's indicator."""

TOUCHING = 1.05
"""Middles of tiles that touch are at most this many tile heights apart."""

WALL = 8
"""With this many face-down tiles in sight the wall is in sight, and the indicator lies on it or beside it."""

MOST = 17
"""No hand has more tiles, where three count of a kong."""


@dataclass
class Areas:
    """What lies where, for the player at one side; see ``vision.table.Table``."""

    side: str
    concealed: list[int] = field(default_factory=list)
    drawn: int | None = None
    melds: list[Meld] = field(default_factory=list)
    flowers: list[int] = field(default_factory=list)
    gold: int | None = None
    gold_sure: bool = False
    gold_candidates: list[int] = field(default_factory=list)
    discards: list[int] = field(default_factory=list)
    others: list[int] = field(default_factory=list)
    other_melds: list[tuple[str, Meld]] = field(default_factory=list)
    face_down: list[int] = field(default_factory=list)
    ignored: list[int] = field(default_factory=list)


class Layout:
    """Sorts the tiles of one picture into areas, for the player at one side.

    Args:
        geometry: the tiles in groups.
        side: where in the picture the player sits.
        size: tiles of a hand between turns, 13 or 16, where the game is known.
        zones: the kind of zone every tile lies in.
        drawn_zones: the kinds of zones there are.
    """

    def __init__(
        self, geometry: Geometry, side: str, size: int | None, zones: Sequence[str | None], drawn_zones: frozenset[str]
    ) -> None:
        self.g = geometry
        self.kind = geometry.kind
        self.size = size
        self.most = MOST if size is None else size + 1
        self.zones = zones
        self.drawn_zones = drawn_zones
        self.areas = Areas(side)
        self.used: set[int] = set()
        self.hand: list[Group] = []
        self.base: list[Group] = []
        """Groups that show where the player's line is: the hand's, or melds' where no hand is to be seen."""
        self.likeness = 0.0
        self.unlaid = 0
        """Flowers in the hand."""
        self._find_hand()

    def sort(self, indicator: int | None = None) -> Areas:
        """Sort every tile into one area.

        Args:
            indicator: the tile that was the gold's indicator before, on the same table.
        """
        self._by_zone()
        self._take_hand()
        self._take_own()
        self._take_hidden_kongs()
        self._take_drawn()
        self._take_others()
        self._take_indicator(indicator)
        for index, kind in enumerate(self.kind):
            if index not in self.used:
                (self.areas.face_down if kind == FACE_DOWN else self.areas.discards).append(index)
        return self.areas

    # -- what is asked of a sorted layout ------------------------------------------------------------------

    @property
    def count(self) -> int:
        """Tiles of the hand with flowers not yet laid out, three for every meld."""
        a = self.areas
        return len(a.concealed) + (a.drawn is not None) + self.unlaid + 3 * len(a.melds)

    def adds_up(self) -> bool:
        """Whether the hand and the melds have as many tiles as a hand has."""
        sizes = (13, 16) if self.size is None else (self.size,)
        return self.count in {n for size in sizes for n in (size, size + 1)}

    def lacks_a_meld(self) -> bool:
        """Whether the count leaves room for another meld."""
        return self.count + 3 <= self.most

    @property
    def scale(self) -> float:
        """Size of the hand's tiles in pixels."""
        return max((g.w for g in self.base), default=0.0)

    def aside(self, group: Group, own: Sequence[int] = ()) -> float:
        """Tile widths by which a group lies beside the hand, and beside other tiles of the player's."""
        u0 = min([g.u0 for g in self.base] + [self.g.u[i] for i in own])
        u1 = max([g.u1 for g in self.base] + [self.g.u[i] for i in own])
        return max(u0 - group.u1, group.u0 - u1, 0.0) / group.w

    def is_aside(self, group: Group) -> bool:
        """Whether a group lies in the hand's line, a little beyond its reach."""
        return self._place(group, [], math.inf) == "line" and self.aside(group) < 3 * HAND_GAP

    def leftovers(self) -> list[tuple[Group, str | None]]:
        """Groups that are nobody's but lie where the player's tiles would lie, each with its place (see ``_place``).

        A group in the zone of melds has that as its place, a group that runs away from the player's edge near the own
        tiles ``edge``.
        """
        own = [i for g in self.base for i in g.indices] + [i for meld in self.areas.melds for i in meld.indices]
        loose = {*self.areas.discards, *self.areas.others}
        result: list[tuple[Group, str | None]] = [
            (g, MELDS)
            for g in self.g.groups.get(MELDS, [])
            if loose.issuperset(i for i in g.indices if self.kind[i] >= 0)
        ]
        for group in self.g.groups[None] if self.base else ():
            if self._shows_faces(group) and loose.issuperset(i for i in group.indices if self.kind[i] >= 0):
                distance = self._distance(group, own)
                near = not group.level and distance <= STEP
                result.append((group, "edge" if near else self._place(group, own, distance)))
        return result

    def sets_in_line(self) -> list[tuple[Group, float]]:
        """Sets in the hand's line that lie upright, part of the hand or not, with their distance from the nearest piece."""
        line = [g for g in self._line(self.hand[0], self.g.groups[None]) if not self._is_flowers(g)]
        result = []
        for before, group in pairwise(line):
            for one, other in ((before, group), (group, before)):
                if other in self.hand and self.is_sets(one) and not self._lies_open(one):
                    result.append((one, gap(one, other)))
        return result

    # -- zones ---------------------------------------------------------------------------------------------

    def _by_zone(self) -> None:
        """Tiles whose zone alone says what they are."""
        a = self.areas
        for index, zone in enumerate(self.zones):
            if zone in {IGNORE, OTHERS, DISCARDS}:
                face_up = a.others if zone == OTHERS else a.discards
                place = a.ignored if zone == IGNORE else a.face_down if self.kind[index] == FACE_DOWN else face_up
                place.append(index)
                self.used.add(index)

    def _groups(self, zone: str) -> list[Group]:
        """Groups among which to look for what a kind of zone holds: those in it if one was drawn, else those in none."""
        groups = self.g.groups.get(zone if zone in self.drawn_zones else None, [])
        return [group for group in groups if self.used.isdisjoint(group.indices)]

    # -- the hand ------------------------------------------------------------------------------------------

    def _find_hand(self) -> None:
        """Find the hand's pieces, and how much they look like this player's hand, 0 for not at all."""
        groups = self._groups(CONCEALED)
        if CONCEALED in self.drawn_zones:
            self.hand = self.base = _reading_order(groups)
            self.likeness = float(sum(len(g.indices) for g in groups))
            return
        nearest = max((g.v for g in groups if self._shows_faces(g)), default=0.0)
        scores = [self._likeness(g, nearest) for g in groups]
        self.likeness = max(scores, default=0.0)
        if self.likeness > 0:
            anchor = groups[scores.index(self.likeness)]
            line = self._line(anchor, groups)
            self.hand = self._pieces(line)
            if self.hand:
                self._add_second_row(groups)
            self.base = self.hand or line

    def _shows_faces(self, group: Group) -> bool:
        return any(self.kind[i] != FACE_DOWN for i in group.indices)

    def _likeness(self, group: Group, nearest: float) -> float:
        """Many tiles, large, near the player's edge, and no row of sets."""
        faces = [i for i in group.indices if self.kind[i] != FACE_DOWN]
        if not group.level or len(faces) < 0.7 * len(group.indices) or all(self.kind[i] >= PLAYABLE for i in faces):
            return 0.0
        score = math.pow(len(faces), 0.7) * max(group.w * ASPECT, group.h)
        score *= (0.35 + group.v / self.g.frame.height) * math.exp((group.v - nearest) / group.h / 5)
        return score * 0.45 if self.is_sets(group) else score

    def _line(self, anchor: Group, groups: list[Group]) -> list[Group]:
        """The groups in line with one, from left to right."""
        found = [
            g
            for g in groups
            if g is anchor
            or (g.level and abs(self._up(g, anchor)) < IN_LINE and 0.6 < g.w / anchor.w < 1.6 and self._shows_faces(g))
        ]
        return sorted(found, key=lambda g: g.u)

    def _up(self, group: Group, base: Group) -> float:
        """Tile heights from a base up to a group that lies farther from the player.

        Heights shrink with the square of the distance from the camera and widths with the distance, so the height of
        a hand that stands or leans, which is another, is not needed.
        """
        return (base.v - group.v) * group.w / (group.h * base.w)

    def _pieces(self, line: list[Group]) -> list[Group]:
        """Which groups of the player's line are the hand, by what they are and how far apart they lie."""
        plain = [n for n, g in enumerate(line) if not self.is_sets(g) and not self._is_flowers(g)]
        if not plain:
            # Nothing but sets: they are the hand where they lie in one piece, else melds without the hand.
            return line if len(line) == 1 and not self._lies_open(line[0]) else []
        start = max(plain, key=lambda n: len(line[n].indices))
        if len(line[start].indices) == 1:
            # A tile alone is rather set apart from a hand that happens to be made of sets than a hand of its own.
            runs = [n for n, g in enumerate(line) if len(g.indices) > 4 and not self._lies_open(g) and n not in plain]
            plain += runs
            start = max([start, *runs], key=lambda n: len(line[n].indices))
        first = last = start
        for way in (1, -1):
            number = start
            while 0 <= number + way < len(line):
                apart = gap(line[number], line[number + way])
                joined = first <= number <= last
                number += way
                if apart > HAND_GAP or self._is_flowers(line[number]) or self._lies_open(line[number]):
                    break
                if number in plain or (joined and apart < SET_APART):
                    first, last = min(first, number), max(last, number)
        return line[first : last + 1]

    def is_sets(self, group: Group) -> bool:
        """Whether a group is made of sets, perhaps with flowers at their end."""
        return all(what in {SETS, FLOWERS} for what, _ in self.g.parts(group)) and not self._is_flowers(group)

    def _is_flowers(self, group: Group) -> bool:
        return all(self.kind[i] >= PLAYABLE for i in group.indices)

    def _lies_open(self, group: Group) -> bool:
        """Whether sets are surely laid open: a tile lies across, face down, or as the fourth of an added kong."""
        bases = {base for base, _ in self.g.tops.values()}
        return self.is_sets(group) and any(
            what == SETS
            and (self.g.turned(part) or any(self.kind[i] == FACE_DOWN for i in part) or not bases.isdisjoint(part))
            for what, part in self.g.parts(group)
        )

    def _add_second_row(self, groups: list[Group]) -> None:
        """Add the hand's other row, where there is one and the count allows it."""
        first = max(self.hand, key=lambda g: len(g.indices))
        u0, u1 = min(g.u0 for g in self.hand), max(g.u1 for g in self.hand)
        count = sum(len(g.indices) for g in self.hand)
        for way in (1, -1):
            close = [
                g
                for g in groups
                if g not in self.hand
                and g.level
                and 0.85 < self._up(g, first) * way < 1.45
                and min(g.u1, u1) - max(g.u0, u0) > 0.6 * (g.u1 - g.u0)
                and 0.6 < g.w / first.w < 1.6
                and all(0 <= self.kind[i] < PLAYABLE for i in g.indices)
            ]
            if not close or self._are_melds(close):
                continue
            others = [g for g in groups if g not in self.hand]
            row = self._pieces(self._line(max(close, key=lambda g: len(g.indices)), others))
            if self._hand_may_have(count + sum(len(g.indices) for g in row)):
                self.hand = _reading_order([*self.hand, *row])
                self.base = self.hand
                self._add_beside_rows(groups)
                return

    def _add_beside_rows(self, groups: list[Group]) -> None:
        """Add a tile set apart beside a hand in two rows: it may lie closer to the longer row's end than to its own's."""
        for group in groups:
            if (
                group not in self.hand
                and len(group.indices) == 1
                and 0 <= self.kind[group.indices[0]] < PLAYABLE
                and any(abs(self._up(group, g)) < IN_LINE / 2 for g in self.hand)
                and self.aside(group) < HAND_GAP
            ):
                self.hand = _reading_order([*self.hand, group])
                return

    def _are_melds(self, row: list[Group]) -> bool:
        """Whether a row right before the hand is made of melds, rather than being the hand's other row."""
        if any(self._lies_open(g) for g in row):
            return True
        return all(self.is_sets(g) and len(g.indices) <= 4 for g in row)

    def _hand_may_have(self, count: int) -> bool:
        """Whether a hand may have so many tiles, with some number of melds."""
        if self.size is None:
            return count <= MOST and count % 3 != 0
        return count <= self.size + 1 and (self.size - count) % 3 in {0, 2}

    def _take_hand(self) -> None:
        for index in (i for g in self.hand for i in g.indices):
            self.used.add(index)
            if self.kind[index] == FACE_DOWN:
                self.areas.face_down.append(index)
            elif self.kind[index] >= PLAYABLE:
                self.areas.flowers.append(index)
                self.unlaid += 1
            else:
                self.areas.concealed.append(index)

    def _take_drawn(self) -> None:
        """Find the tile set apart; without one the last of 14 or 17 is as good as any."""
        a = self.areas
        if self.size is not None and self.count == self.size:
            return  # nobody has drawn
        if self.hand:
            low = max(g.v for g in self.hand)
            row = [g for g in self.hand if low - g.v < 0.5 * g.h]
            for group in (row[-1], row[0]) if len(row) > 1 else ():
                if len(group.indices) == 1 and group.indices[0] in a.concealed:
                    a.drawn = group.indices[0]
                    a.concealed.remove(a.drawn)
                    return
        if len(a.concealed) % 3 == 2:
            a.drawn = a.concealed.pop()

    # -- melds and flowers ---------------------------------------------------------------------------------

    def _take_own(self) -> None:
        """The player's melds and flowers, from the nearest on."""
        for group in self._groups(MELDS) if MELDS in self.drawn_zones else ():
            for what, part in self.g.parts(group):
                if what == SETS:
                    self._take_meld(part, level=group.level)
                elif what == FLOWERS:
                    self._take_flowers(part)
        for group in self._groups(FLOWER_ZONE) if FLOWER_ZONE in self.drawn_zones else ():
            self._take_flowers([i for i in group.indices if self.kind[i] >= PLAYABLE])
        if not self.base:
            return
        own = [i for g in self.base for i in g.indices]
        rest = {g: math.inf for g in self.g.groups[None] if self._may_be_own(g)}
        new = own.copy()
        while rest:
            rest = {group: min(distance, self._distance(group, new)) for group, distance in rest.items()}
            group = min(rest, key=rest.__getitem__)
            place = self._place(group, own, rest.pop(group))
            new = []
            for what, part in self.g.parts(group):
                if what == SETS and MELDS not in self.drawn_zones and self._is_own_meld(group, part, place):
                    new += self._take_meld(part, level=group.level)
                elif (
                    what == FLOWERS and FLOWER_ZONE not in self.drawn_zones and self._are_own_flowers(group, place, own)
                ):
                    self._take_flowers(part)
            own += new

    def _may_be_own(self, group: Group) -> bool:
        """Whether a group runs along the player's edge, not too far from it, and is nobody's yet."""
        return (
            group.level
            and self.used.isdisjoint(group.indices)
            and 0.5 < group.w / self.base[0].w < 1.7
            and -STEP < self._up(group, self.base[0]) < NEAR + 2 * STEP
        )

    def _take_meld(self, part: list[int], *, level: bool) -> tuple[int, ...]:
        meld = self.g.meld(part, level=level)
        self.areas.melds.append(meld)
        self.used.update(meld.indices)
        return meld.indices

    def _take_flowers(self, part: list[int]) -> None:
        self.areas.flowers += part
        self.used.update(part)

    def _place(self, group: Group, own: list[int], distance: float) -> str | None:
        """Where a group lies: in ``line`` with the hand, in ``front`` of it, ``on`` from own tiles; ``None``: elsewhere."""
        if not group.level or not self.base:
            return None
        up = min((self._up(group, g) for g in self.base), key=abs)
        aside = self.aside(group, own)
        if abs(up) < IN_LINE and aside < FAR_IN_LINE:
            return "line"
        if -STEP < up <= NEAR and aside < ASIDE:
            return "front"
        if distance <= STEP:
            return "on"
        return "beyond" if NEAR < up <= FLOWERS_NEAR and aside < ASIDE / 2 else None

    def _is_own_meld(self, group: Group, part: list[int], place: str | None) -> bool:
        """Whether a set in some place is the player's: in line with the hand surely, elsewhere if the count leaves room."""
        if place == "line":
            return len(self.areas.melds) < 5
        if self._is_wall(part) and not self._is_asked_for(group):
            return False
        return place in {"front", "on"} and self.lacks_a_meld()

    def _is_wall(self, part: list[int]) -> bool:
        """Whether what looks like a concealed kong may be what is left of the wall, with the flipped gold on it."""
        return sum(self.kind[i] == FACE_DOWN for i in part) > 2

    def _is_asked_for(self, group: Group) -> bool:
        """Whether the count asks for exactly one more meld, just in front of the hand: the wall lies farther away."""
        wanted = self.size is not None and self.count + 3 in {self.size, self.size + 1}
        return wanted and self._up(group, self.base[0]) < STEP

    def _are_own_flowers(self, group: Group, place: str | None, own: list[int]) -> bool:
        """Whether flowers in some place are the player's; single ones beside the hand that lie across are a neighbour's."""
        if place is None or place == "line" or len(group.indices) > 1 or self.aside(group) == 0:
            return place is not None
        u, v, (flower,) = self.g.u, self.g.v, group.indices
        near = sorted(own, key=lambda i: math.hypot(u[i] - u[flower], v[i] - v[flower]))[:4]
        upright = sorted(self.g.w[i] / self.g.h[i] for i in near)[:2][-1]
        return self.g.w[flower] / self.g.h[flower] < 1.1 * TURNED * upright

    def _distance(self, group: Group, own: list[int]) -> float:
        """Tile heights between the nearest tiles of a group and of the player's own."""
        u, v, wide, high = self.g.u, self.g.v, group.w * ASPECT, group.h
        return min(
            (math.hypot((u[a] - u[b]) / wide, (v[a] - v[b]) / high) for a in group.indices for b in own),
            default=math.inf,
        )

    def _take_hidden_kongs(self) -> None:
        """Concealed kongs of which all four tiles lie face down, where as many tiles are missing from the hand."""
        for group in self._groups(MELDS):
            if len(group.indices) == 4 and self.g.parts(group)[0][0] == BACKS and self._is_hidden_kong(group):
                self.areas.melds.append(make_meld(CONCEALED_KONG, group.indices, [FACE_DOWN] * 4))
                self.used.update(group.indices)

    def _is_hidden_kong(self, group: Group) -> bool:
        """Whether four tiles face down are the player's rather than a piece of the wall."""
        if MELDS in self.drawn_zones:
            return True
        if not self.base or not self.lacks_a_meld():
            return False
        own = [i for g in self.base for i in g.indices] + [i for meld in self.areas.melds for i in meld.indices]
        place = self._place(group, own, self._distance(group, own))
        return place == "line" or (place is not None and self._is_asked_for(group))

    # -- the gold ------------------------------------------------------------------------------------------

    def _take_indicator(self, before: int | None) -> None:
        """The flipped gold, whether that is sure, and the tiles that may be it where none is chosen.

        It lies alone, on or beside the face-down wall. Where no wall was found, a lone tile that is the only one is a
        guess; the one that was the indicator in earlier frames stays it as long as it lies alone.
        """
        a = self.areas
        if GOLD in self.drawn_zones:
            alone = [i for i, zone in enumerate(self.zones) if zone == GOLD and 0 <= self.kind[i] < PLAYABLE]
            on_wall = alone
        else:
            alone, on_wall = self._lone_tiles()
            # What lies in the hand's line may be a tile of the hand that was set apart too far.
            aside = {i for g in self.g.groups[None] if self.is_aside(g) for i in g.indices}
            alone = [i for i in alone if i in on_wall or i not in aside]
        down = sum(kind == FACE_DOWN and i not in self.used for i, kind in enumerate(self.kind))
        if before in alone and (before in on_wall or not on_wall):
            a.gold, a.gold_sure = before, before in on_wall
        elif len(on_wall) == 1:
            a.gold, a.gold_sure = on_wall[0], True
        elif not on_wall and len(alone) == 1 and down < WALL:
            a.gold = alone[0]
        else:
            a.gold_candidates = on_wall or alone
        if a.gold is not None:
            self.used.add(a.gold)

    def _lone_tiles(self) -> tuple[list[int], list[int]]:
        """Face-up tiles that lie alone, and those of them that lie on or beside the wall."""
        f = self.g.frame
        centres, side = np.stack([f.u, f.v], 1), np.maximum(f.w, f.h)
        kinds = np.asarray(self.kind)
        faces = np.flatnonzero((kinds != FACE_DOWN) & (kinds < PLAYABLE))  # flowers lie about everywhere
        down = np.array([i for i in np.flatnonzero(kinds == FACE_DOWN) if i not in self.used], np.int64)
        free = np.array([i for i in faces.tolist() if i not in self.used and self.zones[i] is None], np.int64)
        apart = np.linalg.norm(centres[free][:, None] - centres[faces], axis=2)
        apart /= np.maximum(side[free][:, None], side[faces])
        apart[free[:, None] == faces] = np.inf
        walls = np.linalg.norm(centres[free][:, None] - centres[down], axis=2) / side[free][:, None]
        alone: list[int] = []
        on_wall: list[int] = []
        for index, nearest, wall in zip(free.tolist(), apart.min(1, initial=np.inf), walls, strict=True):
            # Between two tiles of the wall it is part of it, whatever else lies near.
            if nearest < (TOUCHING if (wall < TOUCHING).sum() >= 2 else LONE):
                continue
            alone.append(index)
            if wall.min(initial=np.inf) < 1.4 and (wall < 2.5).sum() >= 2:
                on_wall.append(index)
        return alone, on_wall

    # -- the others ----------------------------------------------------------------------------------------

    def _take_others(self) -> None:
        """Melds, flowers and open hands at the other three edges; flowers that are not the player's are always others'."""
        groups = [g for g in self.g.groups[None] if self.used.isdisjoint(g.indices)]
        middle = median([self.g.u[i] for g in groups for i in g.indices] or [0.0])
        for group in groups:
            edge = self._edge(group, middle)
            for what, part in self.g.parts(group):
                if what == FLOWERS:
                    self._take_other(part)
                elif edge is None:
                    continue
                elif what == SETS and not self._is_wall(part):
                    self._take_other_meld(edge, part, level=group.level)
                elif what == FACES and len(part) >= OPEN_HAND:
                    self._take_other(part)

    def _take_other(self, part: Sequence[int]) -> None:
        self.areas.others += part
        self.used.update(part)

    def _take_other_meld(self, edge: str, part: list[int], *, level: bool) -> None:
        # Read as its owner reads it, from his left: mine is the opposite's right, and the player at my right reads
        # from my end of the table to the far one.
        order, towards = {
            ACROSS: (part[::-1], (0, 1)),
            RIGHT: (sorted(part, key=lambda i: -self.g.v[i]), (-1, 0)),
            LEFT: (sorted(part, key=lambda i: self.g.v[i]), (1, 0)),
        }[edge]
        meld = self.g.meld(order, level=level, towards=towards)
        self.areas.other_melds.append((edge, meld))
        self._take_other(meld.indices)

    def _edge(self, group: Group, middle: float) -> str | None:
        """Before which other player a group lies, if before any."""
        if group.level:
            up = min((self._up(group, g) for g in self.base), default=0.0)
            return ACROSS if up > ACROSS_FROM and len(group.indices) > 1 else None
        beside = (group.u - middle) / group.w
        return None if abs(beside) < BESIDE_FROM else RIGHT if beside > 0 else LEFT


def gap(one: Group, two: Group) -> float:
    """Tile widths between two groups of a line."""
    left, right = (one, two) if one.u < two.u else (two, one)
    return (right.u0 - left.u1) / ((one.w + two.w) / 2)


def _reading_order(groups: list[Group]) -> list[Group]:
    """Groups row by row from the far one, from left to right."""
    rest = sorted(groups, key=lambda g: g.v)
    ordered: list[Group] = []
    while rest:
        row = [g for g in rest if g.v - rest[0].v < 0.5 * rest[0].h]
        ordered += sorted(row, key=lambda g: g.u)
        rest = [g for g in rest if g not in row]
    return ordered
