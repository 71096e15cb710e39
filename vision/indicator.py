"""The gold's indicator over a whole hand: found once, it is remembered although a hand covers it or a frame misses it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.tiles import CODES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.table import Table

GROWN = 3
"""Discards laid elsewhere meanwhile after which a tile that still lies alone is surely the indicator, wall or not."""

CHANGED = 3
"""Frames in a row that must show another sure indicator before a remembered one gives way."""


class IndicatorWatch:
    """Remembers which tile is the flipped gold.

    A single picture in which no wall was found cannot tell the indicator from a lone discard. Over time it can: the
    indicator was there before the discards and goes on lying alone while they are laid elsewhere.
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Another hand begins."""
        self.kind: str | None = None
        """The gold it shows, MPSZ; ``None`` before it was seen."""
        self.sure = False
        """Whether that is beyond doubt (what kind the tile is, is the tracker's to say)."""
        self.settled = False
        """Whether its kind was settled."""
        self._id: int | None = None
        self._pool = 0
        self._other = 0
        self._place: NDArray[np.float32] = np.full(2, np.inf, np.float32)

    def index(self, ids: Sequence[int]) -> int | None:
        """Where the indicator is among the newest detections, ``None`` if it is not to be seen."""
        return ids.index(self._id) if self._id is not None and self._id in ids else None

    def see(self, table: Table, ids: Sequence[int]) -> None:
        """Take in a table.

        Args:
            table: laid out with ``indicator=self.index(ids)``.
            ids: the tracker's id of each detection.
        """
        gold, detections = table.gold, table.reading.detections
        if not self.sure and self._id in ids and (gold is None or ids[gold] != self._id):
            self.reset()  # other tiles were laid beside it: it was a discard
        if gold is None:
            return
        place = detections.centres[gold]
        if ids[gold] != self._id:
            self._other += 1
            same_place = np.linalg.norm(place - self._place) < float(detections.sizes[gold].max())
            if self.sure and not (table.gold_sure and self._other >= CHANGED):
                return
            if self.kind is not None and not (table.gold_sure or same_place):
                return
            self.sure = False
            self._id, self._pool = ids[gold], len(table.discards)
        self._other, self._place = 0, place
        kind = CODES[int(detections.kind[gold])]
        # Once settled it stays so under a passing hand; what the kind is only changes with the tile.
        self.settled = bool(detections.certain[gold]) or (self.settled and kind == self.kind)
        self.kind = kind
        self.sure = self.sure or table.gold_sure or len(table.discards) >= self._pool + GROWN
