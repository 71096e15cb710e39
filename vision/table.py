"""From named tiles to what they are on the table: the hand, melds, flowers, the gold's indicator, discards, other players.

Only geometry and the count of tiles decide, and everything they decide can be put right by hand. The player sits at one
of the four sides of the picture; where nobody has said which, it is the one where a hand lies. His own row is the long
one nearest to that side; a tile set a little apart at its end was just drawn; sets in line with the hand or before it are
his melds, and the tile that lies across in one tells from whom it was claimed; flowers lie near the hand; a single face-up
tile on or beside the face-down wall is the flipped gold; sets, flowers and open hands at the other edges belong to the
others; the rest are discards. A lone tile where no wall was seen may be the gold: that is said as a guess, never as a
finding (``Table.gold_sure``), and of several such tiles none is chosen. What does not add up is said in
``Table.problems``. Zones drawn on the picture (``vision.zones``) come before all of this.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.tiles import CODES, INDEX, PLAYABLE, WHITE, format_tiles, parse_tiles
from vision.areas import Layout
from vision.checks import check_layout, two_sides
from vision.detections import FACE_DOWN
from vision.frames import SIDES, hand_likeness
from vision.geometry import Geometry
from vision.melds import Meld, meld_kind, seat_of
from vision.rows import group_rows
from vision.zones import CONCEALED, Zones

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vision.reading import Problem, Reading

__all__ = ["SIDES", "Meld", "Table", "meld_kind"]

RIVAL = 0.35
"""A side where a row looks at least so much like a hand as at the best side is looked at, too."""

USUAL_SIDE = 1.25
"""By how much a hand below counts more: there the player sits behind whom the camera stands."""

UPPER = 0.35
"""A zone drawn across the picture for the hand is that of a player at the top where its middle lies above this part."""

HALF = 7
"""A row with so many tiles at the likeliest side may be a hand, although it does not add up and another one does."""

NEARER = 1.15
"""Tiles so much larger than those at another side are nearer to the camera: it stands behind their player."""


@dataclass(frozen=True)
class Table:
    """What lies where; every number is an index of ``reading.detections``, and every tile has exactly one place.

    Attributes:
        reading: what was seen.
        side: of the picture at which the player sits: ``bottom``, ``right``, ``top`` or ``left``.
        side_sure: whether the hand at that side adds up and no other side's might be the player's.
        concealed: the tiles of the player's hand, in reading order, without the drawn one.
        drawn: the tile set apart, if any.
        melds: the player's sets.
        flowers: the player's flowers.
        gold: the flipped indicator, if it was seen.
        gold_sure: whether that is beyond doubt: it lies on or beside the face-down wall, or in its zone.
        gold_candidates: tiles one of which may be the indicator, where nothing decides between them.
        discards: all other face-up tiles.
        others: the other players' tiles that lie open (flowers too), and the hidden ones of their concealed kongs.
        other_melds: the melds among them, each with the neighbour it belongs to (``right``, ``across``, ``left``); the
            source of such a meld is its owner's neighbour.
        face_down: tiles lying face down that are no part of a concealed kong.
        ignored: tiles in zones that are not looked at.
        problems: what does not add up, each with a sentence that says what to do, and the tiles concerned.
    """

    reading: Reading
    side: str = "bottom"
    side_sure: bool = False
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
    problems: list[Problem] = field(default_factory=list)

    @classmethod
    def from_reading(
        cls,
        reading: Reading,
        *,
        gold: str | None = None,
        indicator: int | None = None,
        zones: Zones | None = None,
        seat: str | None = None,
        before: str | None = None,
        size: int | None = None,
    ) -> Table:
        """Lay out what was seen.

        Args:
            reading: the tiles.
            gold: the gold where it is known; a white in a meld stands for it. Default: the indicator's kind.
            indicator: the tile that was the indicator before, on the same table.
            zones: what a person drew on the picture.
            seat: the side of the picture at which the player sits, one of ``SIDES``; default: where a hand lies.
            before: the side found before, of which the picture was sure; it is kept as long as a hand lies there.
            size: tiles of a hand between turns, 16 or 13. Without it the count of tiles is not checked.

        Raises:
            ValueError: an unknown side.
        """
        if seat is not None and seat not in SIDES:
            raise ValueError(f"no side {seat!r}; there are {', '.join(SIDES)}")
        zones = zones or Zones()
        seen = reading.detections
        places = zones.kinds_at(seen.centres / np.array([reading.width, reading.height]))
        kinds_of_zones = frozenset(zone.kind for zone in zones.zones)
        rows = reading.rows or group_rows(seen.boxes)
        known = INDEX[gold] if gold is not None else None
        sides = [seat] if seat is not None else _sides(reading, rows, zones)
        if before in sides:
            sides = [before, *(side for side in sides if side != before)]
        views = [(side, Geometry(reading, side, rows, known, places)) for side in sides]

        def lay_out(sooner: int | None) -> tuple[Layout, list[Problem]]:
            layouts = [Layout(view, side, size, places, kinds_of_zones) for side, view in views]
            return _choose(reading, layouts, sooner, before)

        best, problems = lay_out(indicator)
        if gold is None and best.areas.gold is not None and (seen.kind == WHITE).any():
            for _, view in views:
                view.set_gold(int(seen.kind[best.areas.gold]))
            best, problems = lay_out(best.areas.gold)
        sure = not problems and best.adds_up()
        return cls(reading, **vars(best.areas), side_sure=sure, problems=[*problems, *check_layout(reading, best)])

    def tiles(self, indices: Iterable[int]) -> str:
        """MPSZ text of some detections."""
        return format_tiles(int(self.reading.detections.kind[i]) for i in indices)

    def visible(self) -> list[int]:
        """Kinds of the tiles seen elsewhere: discards and the others' melds and open hands, without flowers."""
        kinds = self.reading.detections.kind
        in_melds = {i for _, meld in self.other_melds for i in meld.indices}
        loose = [int(kinds[i]) for i in (*self.discards, *self.others) if i not in in_melds]
        # Of a concealed kong that shows one tile all four are known.
        melds = [kind for _, meld in self.other_melds for kind in parse_tiles(meld.tiles)]
        return [kind for kind in (*loose, *melds) if kind != FACE_DOWN and kind < PLAYABLE]

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
            "hand": self.tiles(self.concealed), "melds": [_meld_record(meld, seat) for meld in self.melds],
            "flowers": self.tiles(self.flowers), "youjin": 0, "table": {"visible": format_tiles(self.visible())},
        }  # fmt: skip
        claims = self.claims(seat)
        if rules == "jinhua" and claims:
            record["table"]["claims"] = claims
        if self.drawn is not None:
            record["drawn"] = self.tiles([self.drawn])
        return record

    def claims(self, seat: str) -> dict[str, dict[str, int]]:
        """Who has claimed how many melds from whom, as far as turned tiles show it, without the player's own.

        Args:
            seat: the player's own.
        """
        result: dict[str, dict[str, int]] = {}
        for neighbour, meld in self.other_melds:
            if meld.source is not None:
                claimer = seat_of(neighbour, seat)
                counts = result.setdefault(claimer, {})
                source = seat_of(meld.source, claimer)
                counts[source] = counts.get(source, 0) + 1
        return result

    def as_json(self) -> dict[str, Any]:
        """Indices by role, for the page."""
        return {
            "side": self.side,
            "side_sure": self.side_sure,
            "concealed": self.concealed,
            "drawn": self.drawn,
            "melds": [_meld_json(meld) for meld in self.melds],
            "flowers": self.flowers,
            "gold": self.gold,
            "gold_sure": self.gold_sure,
            "gold_candidates": self.gold_candidates,
            "discards": self.discards,
            "others": self.others,
            "other_melds": [{"of": neighbour, **_meld_json(meld)} for neighbour, meld in self.other_melds],
            "face_down": self.face_down,
            "ignored": self.ignored,
            "problems": [{**problem.as_json(), "indices": list(problem.indices)} for problem in self.problems],
        }


def _sides(reading: Reading, rows: list[list[int]], zones: Zones) -> list[str]:
    """The sides at which the player may sit: where the row nearest to the edge looks most like a hand."""
    if zones.has(CONCEALED):
        corners = np.array([point for zone in zones.zones if zone.kind == CONCEALED for point in zone.polygon])
        (left, top), (right, bottom) = corners.min(0), corners.max(0)
        if (right - left) * reading.width >= (bottom - top) * reading.height:
            return ["top" if top + bottom < 2 * UPPER else "bottom"]
        return ["right" if left + right > 1 else "left"]
    seen = reading.detections
    scores = {side: hand_likeness(seen, (reading.width, reading.height), side, rows) for side in SIDES}
    scores["bottom"] *= USUAL_SIDE
    best = max(scores.values(), default=0.0)
    return sorted((side for side in SIDES if scores[side] >= RIVAL * best), key=lambda side: -scores[side])


def _choose(
    reading: Reading, layouts: list[Layout], indicator: int | None, before: str | None
) -> tuple[Layout, list[Problem]]:
    """The layout of the side at which the player sits: the first whose hand adds up, and whether others may be as well."""
    first = layouts[0]
    first.sort(indicator)
    if first.areas.side == before and first.adds_up():
        return first, []
    for layout in layouts[1:]:
        layout.sort(indicator)
    fitting = [layout for layout in layouts if layout.areas.concealed and layout.adds_up()]
    if not fitting:
        return first, []
    best = fitting[0]
    rivals = [other for other in fitting[1:] if other.scale * NEARER > best.scale]
    if first is not best and len(first.areas.concealed) >= HALF:
        rivals.append(first)
    return best, two_sides(reading, [best, *rivals])


def _meld_json(meld: Meld) -> dict[str, Any]:
    return {"kind": meld.kind, "tiles": meld.tiles, "indices": list(meld.indices), "source": meld.source}


def _meld_record(meld: Meld, seat: str) -> dict[str, Any]:
    record = {"kind": meld.kind, "tiles": meld.tiles}
    if meld.source is not None:
        record["from"] = seat_of(meld.source, seat)
    return record
