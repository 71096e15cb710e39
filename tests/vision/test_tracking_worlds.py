"""Random tables with everything that happens on them: no tile may ever be shown as settled that is not there as shown."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

import numpy as np
import pytest

from engine.tiles import CODES
from tests.vision.conftest import as_reading, placed
from vision.tracking import FREEZE, Tracker

if TYPE_CHECKING:
    from vision.detections import Detections

STEP, LEFT = 41.0, 100.0

LAID, MISTAKEN = CODES[:24], CODES[24:]
"""Kinds that lie on these tables, and those they are mistaken for: a new tile mistaken in its first frame for the very
kind that lay there before cannot be told from that tile by anybody."""


@dataclass
class Tile:
    name: int
    code: str
    x: float
    y: float


class World:
    """A hand in a row, a pool, and a camera that errs: it misses tiles and takes them for others, now and then.

    Args:
        seed: of everything that happens.
        misreads: share of the tiles that one frame shows as another kind.
        misses: share of the tiles that one frame does not show.
    """

    def __init__(self, seed: int, misreads: float = 0.04, misses: float = 0.03) -> None:
        self.rng = np.random.default_rng(seed)
        self.misreads, self.misses = misreads, misses
        self.names = count(1)
        self.hand = [self.tile() for _ in range(13)]
        self.pool: list[Tile] = []
        self.nudge = np.zeros(2)
        self.close_up()

    def tile(self) -> Tile:
        return Tile(next(self.names), str(self.rng.choice(LAID)), 0, 0)

    def close_up(self) -> None:
        for place, tile in enumerate(self.hand):
            tile.x, tile.y = LEFT + place * STEP, 600
        for place, tile in enumerate(self.pool):
            tile.x, tile.y = 300 + place % 8 * STEP, 200 + place // 8 * 58

    def tiles(self) -> list[Tile]:
        return [*self.hand, *self.pool]

    def happen(self) -> None:
        """Something a table sees between two frames."""
        what = self.rng.choice(["discard", "draw", "swap", "sort", "other", "replace", "nudge", "nothing"])
        if what == "discard" and len(self.hand) > 6:
            self.pool.append(self.hand.pop(int(self.rng.integers(len(self.hand)))))
        elif what == "draw" and len(self.hand) < 17:
            self.hand.append(self.tile())
        elif what == "swap":  # the drawn tile is discarded and another one drawn, unseen
            self.pool.append(self.hand.pop())
            self.hand.append(self.tile())
        elif what == "sort":
            self.hand.sort(key=lambda tile: tile.code)
        elif what == "other":
            self.pool.append(self.tile())
        elif what == "replace":
            self.hand[int(self.rng.integers(len(self.hand)))] = self.tile()
        elif what == "nudge":
            self.nudge += self.rng.uniform(-20, 20, 2)
        self.pool = self.pool[-24:]
        self.close_up()

    def seen(self, covered: tuple[float, float] | None = None) -> Detections:
        """A frame; tiles of the hand between two places lie under somebody's hand."""
        shown: list[tuple[str, float, float]] = []
        for tile in self.tiles():
            chance = self.rng.random()
            if chance < self.misses or (covered and tile.y == 600 and covered[0] < tile.x < covered[1]):
                continue
            code = str(self.rng.choice(MISTAKEN)) if chance > 1 - self.misreads else tile.code
            tremble = self.rng.normal(0, 0.8, 2) + self.nudge
            shown.append((code, tile.x + tremble[0], tile.y + tremble[1]))
        return placed(shown)

    def really(self, x: float, y: float) -> Tile | None:
        near = [
            tile for tile in self.tiles() if np.hypot(*(np.array([tile.x - x, tile.y - y]) + self.nudge)) < 0.4 * 54
        ]
        return near[0] if near else None


def wrong(world: World, tracker: Tracker, detections: Detections) -> list[tuple[str, str, int]]:
    found = []
    for index in np.flatnonzero(detections.certain):
        real = world.really(*detections.centres[index])
        if real is None or real.code != detections.code(int(index)):
            found.append((detections.code(int(index)), real.code if real else "nothing", tracker.ids[index]))
    return found


@pytest.mark.parametrize("seed", range(8))
def test_nothing_wrong_is_ever_settled(seed: int) -> None:
    world, tracker = World(seed), Tracker()
    settled = frames = 0
    for _ in range(20):
        world.happen()
        for _ in range(int(world.rng.integers(1, 9))):
            answer = tracker.update(as_reading(world.seen()))
            assert wrong(world, tracker, answer.detections) == []
            settled += int(answer.detections.certain.sum())
            frames += len(world.tiles())
    assert settled > 0.3 * frames  # doubting everything would be easy


@pytest.mark.parametrize("seed", range(8))
def test_a_still_table_is_settled_soon_and_stays_so(seed: int) -> None:
    world, tracker = World(seed, misreads=0, misses=0), Tracker()
    for _ in range(6):
        world.happen()
        for frame in range(6):
            answer = tracker.update(as_reading(world.seen()))
            if frame >= 3:
                over = {code for problem in answer.problems for code in problem.tiles}
                doubtful = [tracker.ids[i] for i in np.flatnonzero(~answer.detections.certain)]
                kinds = {answer.detections.code(int(i)) for i in np.flatnonzero(~answer.detections.certain)}
                assert kinds <= over, (doubtful, kinds)
                assert len(answer.detections) == len(world.tiles())


@pytest.mark.parametrize("seed", range(8))
def test_a_hand_over_the_table_changes_nothing(seed: int) -> None:
    world, tracker = World(seed, misreads=0, misses=0), Tracker()
    for _ in range(5):
        before = tracker.update(as_reading(world.seen()))
    ids, kinds = list(tracker.ids), list(before.detections.kind)
    left = LEFT + STEP * float(world.rng.integers(0, 5))
    for _ in range(FREEZE // 2):
        answer = tracker.update(as_reading(world.seen((left, left + 6 * STEP))))
        assert list(answer.detections.kind) == kinds
        assert wrong(world, tracker, answer.detections) == []
    answer = tracker.update(as_reading(world.seen()))
    assert tracker.ids == ids
    assert list(answer.detections.certain) == list(before.detections.certain)


@pytest.mark.parametrize("seed", range(8))
def test_what_happens_under_a_moving_hand_is_never_settled_as_it_was(seed: int) -> None:
    world, tracker = World(seed), Tracker()
    for _ in range(40):
        for _ in range(int(world.rng.integers(1, 5))):
            reading = as_reading(world.seen())
            assert wrong(world, tracker, tracker.update(reading).detections) == []
        left = LEFT + STEP * float(world.rng.integers(-1, 12))
        hand = [(int(left), 160, int(left + 5 * STEP), 720)] if world.rng.random() < 0.8 else [(0, 0, 1280, 720)]
        for _ in range(int(world.rng.integers(1, 8))):
            shown = tracker.cover(reading, hand).detections
            centres = shown.centres[shown.certain]
            assert not ((centres[:, 0] > hand[0][0]) & (centres[:, 0] < hand[0][2]) & (centres[:, 1] > 160)).any()
        # What happens under the hand is seen once it is gone; elsewhere nothing does.
        if hand[0][0] == 0:
            world.happen()


@pytest.mark.parametrize("seed", range(8))
def test_a_correction_stays_with_its_tile_and_never_goes_to_another(seed: int) -> None:
    world, tracker = World(seed, misreads=0.03, misses=0.03), Tracker()
    for _ in range(5):
        answer = tracker.update(as_reading(world.seen()))
    index = int(world.rng.integers(len(answer.detections)))
    tile = world.really(*answer.detections.centres[index])
    assert tile is not None
    said = "8f" if tile.code != "8f" else "7f"
    number = tracker.ids[index]
    assert tracker.correct(number, said)
    for _ in range(20):
        for _ in range(int(world.rng.integers(1, 6))):
            answer = tracker.update(as_reading(world.seen()))
            track = next((t for t in tracker.tracks if t.id == number), None)
            if track is not None and track.pinned is not None and track.there and not track.contradicted:
                # Its own tile, or one that looks exactly like it and lies there without a frame between.
                real = world.really(*track.centre)
                assert real is not None
                assert real is tile or real.code == tile.code
        world.happen()
