"""From named tiles to what they are on the table: the hand, melds, flowers, the gold's indicator, discards.

Only geometry decides, and everything it decides can be put right by hand: the player's own row is the long one nearest
to the camera; a tile set a little apart at its right end was just drawn; groups of three or four beside or before the
hand that form a set are melds; flowers lie near the hand; a single face-up tile on or beside the face-down wall is
the flipped gold; the rest are discards. A lone tile where no wall was seen may be the gold: that is said as a guess, never
as a finding (``Table.gold_sure``), and of several such tiles none is chosen.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.tiles import CODES, INDEX, PLAYABLE, format_tiles
from vision.detections import FACE_DOWN
from vision.rows import group_rows, row_direction

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from vision.detections import Detections
    from vision.reading import Reading

APART = 0.28
"""A gap of this many tile widths (beyond touching) ends a group within a row."""

NEAR = 3.6
"""Melds and flowers lie within this many tile heights of the hand's row."""

STEP = 2.2
"""From meld to meld it is at most this many tile heights."""

LONE = 1.4
"""No other face-up tile lies within this many tile heights (from middle to middle) of the gold's indicator."""

WALL = 8
"""With this many face-down tiles in sight the wall is in sight, and the indicator lies on it or beside it."""

WHITE = INDEX["5z"]


@dataclass(frozen=True)
class Meld:
    """A set laid open: ``kind`` chow, pong, kong or concealed_kong, and the indices of its detections."""

    kind: str
    indices: tuple[int, ...]
    tiles: str


@dataclass(frozen=True)
class Table:
    """What lies where; every number is an index of ``reading.detections``.

    Attributes:
        reading: what was seen.
        concealed: the tiles of the player's hand, in reading order, without the drawn one.
        drawn: the tile set apart, if any.
        melds: the player's sets.
        flowers: the player's flowers.
        gold: the flipped indicator, if it was seen.
        gold_sure: whether that is beyond doubt: it lies on or beside the face-down wall.
        gold_candidates: tiles one of which may be the indicator, where nothing decides between them.
        discards: all other face-up tiles.
        face_down: tiles lying face down that are no part of a concealed kong.
    """

    reading: Reading
    concealed: list[int] = field(default_factory=list)
    drawn: int | None = None
    melds: list[Meld] = field(default_factory=list)
    flowers: list[int] = field(default_factory=list)
    gold: int | None = None
    discards: list[int] = field(default_factory=list)
    face_down: list[int] = field(default_factory=list)
    gold_sure: bool = False
    gold_candidates: list[int] = field(default_factory=list)

    @classmethod
    def from_reading(cls, reading: Reading, *, gold: str | None = None, indicator: int | None = None) -> Table:
        """Lay out what was seen.

        Args:
            reading: the tiles.
            gold: the gold where it is known; a white in a meld stands for it. Default: the indicator's kind.
            indicator: the tile that was the indicator before, on the same table.
        """
        table = _Layout(reading, INDEX[gold] if gold is not None else None).table(indicator)
        kinds = reading.detections.kind
        if gold is None and table.gold is not None and (kinds == WHITE).any():
            return _Layout(reading, int(kinds[table.gold])).table(table.gold)
        return table

    def tiles(self, indices: Iterable[int]) -> str:
        """MPSZ text of some detections."""
        return format_tiles(int(self.reading.detections.kind[i]) for i in indices)

    def as_record(
        self,
        rules: str,
        *,
        gold: str | None = None,
        dealer: str = "A",
        seat: str = "A",
        house: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        """The partial hand record of ``hand-record.md`` that the picture shows.

        Args:
            rules: ``xiamen``, ``zhangzhou``, ``yunxiao``, ``jinhua`` or ``hangzhou``.
            gold: the gold where the player has said it; default: the indicator seen, if any.
            dealer: seat of the dealer.
            seat: the player's own seat.
            house: house-rule overrides.
        """
        seen = CODES[int(self.reading.detections.kind[self.gold])] if self.gold is not None else None
        record: dict[str, Any] = {
            "rules": rules, "house": dict(house or {}), "gold": gold or seen, "dealer": dealer, "seat": seat,
            "hand": self.tiles(self.concealed), "melds": [{"kind": m.kind, "tiles": m.tiles} for m in self.melds],
            "flowers": self.tiles(self.flowers), "youjin": 0,
            "table": {"visible": self.tiles(i for i in self.discards if self.reading.detections.kind[i] < PLAYABLE)},
        }  # fmt: skip
        if self.drawn is not None:
            record["drawn"] = self.tiles([self.drawn])
        return record

    def as_json(self) -> dict[str, Any]:
        """Indices by role, for the page."""
        return {
            "concealed": self.concealed,
            "drawn": self.drawn,
            "melds": [{"kind": m.kind, "tiles": m.tiles, "indices": list(m.indices)} for m in self.melds],
            "flowers": self.flowers,
            "gold": self.gold,
            "gold_sure": self.gold_sure,
            "gold_candidates": self.gold_candidates,
            "discards": self.discards,
            "face_down": self.face_down,
        }


def meld_kind(kinds: list[int], gold: int | None = None) -> str | None:
    """What set the kinds form: ``chow``, ``pong``, ``kong``, ``concealed_kong`` (some tiles face down), or none.

    Args:
        kinds: of the tiles, -1 face down.
        gold: the kind that is gold; a white then counts as it (R 3).

    >>> meld_kind([0, 1, 2]), meld_kind([33, 33, 33]), meld_kind([5, -1, -1, 5]), meld_kind([0, 1, 3])
    ('chow', 'pong', 'concealed_kong', None)
    >>> meld_kind([3, 5, 31]), meld_kind([3, 5, 31], gold=4)  # 4m 6m and a white, gold 5m
    (None, 'chow')
    """
    plain = _set_of(kinds)
    if plain is not None or gold is None or WHITE not in kinds:
        return plain
    return _set_of([gold if kind == WHITE else kind for kind in kinds])


def _set_of(kinds: list[int]) -> str | None:
    faces = sorted(k for k in kinds if k != FACE_DOWN)
    if not faces or faces[-1] >= PLAYABLE:
        return None
    if len(kinds) == 4 and len(set(faces)) == 1:
        return "kong" if len(faces) == 4 else "concealed_kong"
    if len(kinds) == 3 and len(faces) == 3:
        if faces[0] == faces[2]:
            return "pong"
        suited = faces[2] < 27 and faces[0] // 9 == faces[2] // 9
        return "chow" if suited and faces[1] == faces[0] + 1 and faces[2] == faces[0] + 2 else None
    return None


@dataclass
class _Group:
    """Tiles side by side without a gap."""

    indices: list[int]
    row: int
    centre: NDArray[np.float64]
    side: float


class _Layout:
    """The work of ``Table.from_reading``."""

    def __init__(self, reading: Reading, gold: int | None = None) -> None:
        self.reading = reading
        self.gold_kind = gold
        self.seen: Detections = reading.detections
        self.kind = self.seen.kind
        self.centres = np.asarray(self.seen.centres, np.float64)
        self.side = np.asarray(self.seen.sizes.max(1) if len(self.seen) else [], np.float64)
        self.rows = group_rows(self.seen.boxes)
        self.groups = [group for number, row in enumerate(self.rows) for group in self._split(row, number)]

    def table(self, indicator: int | None = None) -> Table:
        hand = self._hand()
        if hand is None:
            return Table(self.reading, face_down=[int(i) for i in np.flatnonzero(self.kind == FACE_DOWN)])
        rest = [g for g in self.groups if g is not hand]
        concealed = [i for i in hand.indices if 0 <= self.kind[i] < PLAYABLE]
        flowers = [i for i in hand.indices if self.kind[i] >= PLAYABLE]
        melds: list[Meld] = []
        drawn: int | None = None
        used = set(hand.indices)
        own = list(hand.indices)  # what surely lies before the player: melds may go on from melds
        while rest:
            group = min(rest, key=lambda g: self._distance(g.indices, own))
            rest.remove(group)
            near = self._distance(group.indices, hand.indices) <= NEAR * hand.side
            near = near or self._distance(group.indices, own) <= STEP * hand.side or self._in_line(group, hand)
            if not near or not 0.6 < group.side / hand.side < 1.6:
                continue
            beside = group.row == hand.row
            # Between the hand and the table's middle lie the own melds and flowers, but also the pool: a pool is
            # larger than sets, and its tiles rarely form them.
            for part in self._sets(group):
                kinds = [int(self.kind[i]) for i in part]
                sort = self._meld_kind(part)
                if sort is not None and len(melds) < 5:
                    melds.append(self._meld(sort, part))
                    used.update(part)
                    own += part
                elif all(k >= PLAYABLE for k in kinds):
                    flowers += part
                    used.update(part)
                elif (
                    beside
                    and len(part) == 1
                    and drawn is None
                    and 0 <= kinds[0] < PLAYABLE
                    and self._after(part[0], hand)
                ):
                    drawn = part[0]
                    used.add(part[0])
                elif (
                    beside
                    and len(part) > 0
                    and all(0 <= k < PLAYABLE for k in kinds)
                    and self._short(len(part), concealed, melds)
                ):
                    concealed = self._in_order(concealed + part)  # the hand itself, with a gap in it
                    used.update(part)
        gold, sure, candidates = self._indicator(used, indicator)
        if gold is not None:
            used.add(gold)
        others = [i for i in range(len(self.kind)) if i not in used]
        if drawn is None and len(concealed) % 3 == 2:
            drawn = concealed.pop()  # 14 or 17 in one row: the last one is as good as any
        return Table(
            self.reading, concealed, drawn, melds, flowers, gold,
            [i for i in others if self.kind[i] != FACE_DOWN], [i for i in others if self.kind[i] == FACE_DOWN],
            sure, candidates,
        )  # fmt: skip

    def _split(self, row: list[int], number: int) -> list[_Group]:
        """The groups of a row: it is cut where tiles do not touch."""
        along = row_direction(self.centres[row])
        sizes = np.asarray(self.seen.sizes[row], np.float64)
        places = self.centres[row] @ along
        steps = np.diff(places)
        # Tiles seen upright are narrower than high; the usual step tells the width better than the boxes do when the
        # row is tilted.
        width = float(np.median(np.abs(sizes @ np.abs(along)))) if len(row) else 1.0
        usual = min(float(np.median(steps)), width) if len(steps) >= 3 else width
        cuts = [0, *(k + 1 for k, step in enumerate(steps) if step > usual * (1 + APART)), len(row)]
        return [self._group(row[a:b], number) for a, b in pairwise(cuts) if b > a]

    def _group(self, indices: list[int], row: int) -> _Group:
        return _Group(list(indices), row, self.centres[indices].mean(0), float(np.median(self.side[indices])))

    def _hand(self) -> _Group | None:
        """The player's own concealed tiles: many, large, near the bottom of the picture."""
        best, top = None, 0.0
        height = float(self.reading.height)
        for group in self.groups:
            faces = [i for i in group.indices if self.kind[i] != FACE_DOWN]
            if not faces or len(faces) < 0.7 * len(group.indices) or all(self.kind[i] >= PLAYABLE for i in faces):
                continue
            score = len(faces) ** 0.7 * group.side * (0.35 + group.centre[1] / height)
            if len(faces) <= 4 and self._meld_kind(group.indices) is not None:
                score *= 0.6  # more likely a meld
            if score > top:
                best, top = group, score
        return best

    def _distance(self, some: list[int], others: list[int]) -> float:
        """Pixels between the nearest tiles of two groups."""
        a, b = self.centres[some], self.centres[others]
        return float(np.linalg.norm(a[:, None] - b[None], axis=2).min())

    def _in_line(self, group: _Group, hand: _Group) -> bool:
        """Whether a group goes on where the hand's row ends, however far along the table's edge."""
        if len(hand.indices) < 2:
            return False
        along = row_direction(self.centres[hand.indices])
        offset = group.centre - hand.centre
        across = abs(float(offset @ np.array([-along[1], along[0]])))
        return across < 0.5 * hand.side and abs(float(offset @ along)) < 18 * hand.side

    def _sets(self, group: _Group) -> list[list[int]]:
        """A group cut into sets where it is made of sets standing side by side (12 tiles: four melds), else itself."""
        indices = group.indices
        for part in (self._cut(indices), self._cut(indices[::-1])):
            if part is not None:
                return part
        # Flowers at the end of melds.
        playable = [i for i in indices if self.kind[i] < PLAYABLE]
        flowers = [i for i in indices if self.kind[i] >= PLAYABLE]
        if flowers and playable:
            return [*(self._cut(playable) or [playable]), flowers]
        return [indices]

    def _cut(self, indices: list[int]) -> list[list[int]] | None:
        if not indices:
            return []
        for size in (4, 3):
            part = indices[:size]
            if len(part) == size and self._meld_kind(part) is not None:
                rest = self._cut(indices[size:])
                if rest is not None:
                    return [part, *rest]
        return None

    def _meld_kind(self, part: list[int]) -> str | None:
        return meld_kind([int(self.kind[i]) for i in part], self.gold_kind)

    def _meld(self, sort: str, part: list[int]) -> Meld:
        kinds = [int(self.kind[i]) for i in part if self.kind[i] != FACE_DOWN]
        full = kinds if sort != "concealed_kong" else kinds[:1] * 4
        return Meld(sort, tuple(part), format_tiles(full))

    def _after(self, index: int, hand: _Group) -> bool:
        """Whether a tile lies at the right end of the hand (or its left: some players draw to the left)."""
        along = row_direction(self.centres[hand.indices])
        places = self.centres[hand.indices] @ along
        place = float(self.centres[index] @ along)
        return place > float(places.max()) or place < float(places.min())

    @staticmethod
    def _short(more: int, concealed: list[int], melds: list[Meld]) -> bool:
        """Whether the hand can still take in ``more`` tiles."""
        return len(concealed) + 3 * len(melds) + more <= 17

    def _in_order(self, indices: list[int]) -> list[int]:
        along = row_direction(self.centres[indices])
        return sorted(indices, key=lambda i: float(self.centres[i] @ along))

    def _indicator(self, used: set[int], before: int | None) -> tuple[int | None, bool, list[int]]:
        """The flipped gold, whether that is sure, and the tiles that may be it where none is chosen.

        It lies alone, on or beside the face-down wall. Where no wall was found, a lone tile that is the only one is a
        guess; the one that was the indicator in earlier frames stays it as long as it lies alone.
        """
        faces = np.flatnonzero(self.kind != FACE_DOWN)
        down = np.array([i for i in np.flatnonzero(self.kind == FACE_DOWN) if i not in used], np.int64)
        alone: list[int] = []
        on_wall: list[int] = []
        for index in (int(i) for i in faces):
            if index in used or self.kind[index] >= PLAYABLE:
                continue
            others = faces[faces != index]
            sides = np.maximum(self.side[others], self.side[index])
            if (np.linalg.norm(self.centres[others] - self.centres[index], axis=1) / sides).min(initial=np.inf) < LONE:
                continue
            alone.append(index)
            wall = np.linalg.norm(self.centres[down] - self.centres[index], axis=1) / self.side[index]
            if wall.min(initial=np.inf) < 1.4 and (wall < 2.5).sum() >= 2:
                on_wall.append(index)
        if before in alone and (before in on_wall or not on_wall):
            return before, before in on_wall, []
        if len(on_wall) == 1:
            return on_wall[0], True, []
        if not on_wall and len(alone) == 1 and len(down) < WALL:
            return alone[0], False, []
        return None, False, on_wall or alone
