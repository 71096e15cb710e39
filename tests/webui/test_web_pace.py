"""When frames are read: scripted glances, a scripted clock."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from vision.watching import BANDS, Glance
from webui.pace import PATIENT, PUT_OFF, REFRESH, ROUND, Pace, Step

SPOT = (300, 200, 360, 280)
STILL = Glance([], [], everything=False, extent=0.0, restless=0.0)
CHANGED = Glance([SPOT], [], everything=False, extent=0.1, restless=0.0)
"""Differs from what was read, and no more from the frame before."""
MOVING = Glance([SPOT], [SPOT], everything=False, extent=0.1, restless=0.05)
LAID = Glance([SPOT], [SPOT], everything=False, extent=0.01, restless=0.05)
"""The hand is gone since the frame before; what it has laid down is little."""
SHAKEN = Glance([SPOT], [SPOT], everything=True, extent=0.9, restless=0.8)
PASSED = Glance([], [SPOT], everything=False, extent=0.0, restless=0.05)
"""Something moved away, and the picture is as it was read."""


@dataclass
class Frames:
    """Frames at a rate, each handled at once, as the loop does it."""

    rate: float = 10.0
    now: float = 100.0
    pace: Pace = field(init=False)

    def __post_init__(self) -> None:
        self.pace = Pace(lambda: self.now)
        assert self.show(SHAKEN) == "read"  # the first frame, whatever it shows

    def show(self, glance: Glance, *, doubt: bool = False, late: bool = False) -> Step:
        self.now += 1 / self.rate
        step = self.pace.decide(glance, doubt=doubt, late=late)
        if step != "cover":
            self.pace.done(step)
        return step

    def steps(self, glance: Glance, seconds: float, *, doubt: bool = False) -> list[Step]:
        return [self.show(glance, doubt=doubt) for _ in range(round(seconds * self.rate))]


def test_a_tile_that_is_suddenly_there_is_read_at_once() -> None:
    frames = Frames()
    frames.steps(STILL, 1)
    assert frames.show(MOVING) == "read"


def test_a_hand_puts_readings_off_until_it_is_gone() -> None:
    frames = Frames(rate=20)
    frames.steps(STILL, 1)
    assert frames.show(MOVING) == "read"
    assert set(frames.steps(MOVING, PUT_OFF * 0.8)) == {"cover"}
    assert frames.show(CHANGED) == "read"  # still, and not as it was


def test_what_a_hand_has_laid_is_read_as_soon_as_the_hand_is_gone() -> None:
    frames = Frames()
    frames.steps(STILL, 1)
    frames.steps(MOVING, 0.5)
    assert frames.show(LAID) == "read"


def test_a_hand_that_moves_on_and_on_is_read_now_and_then() -> None:
    frames = Frames(rate=20)
    steps = frames.steps(MOVING, 6)
    assert 4 <= steps.count("read") <= 8
    assert steps.count("cover") > 0.8 * len(steps) - 8


def test_a_camera_in_the_hand_is_read_more_often() -> None:
    frames = Frames(rate=20)
    steps = frames.steps(SHAKEN, 6)
    assert steps.count("read") >= 10


def test_a_frame_that_no_other_follows_is_read() -> None:
    frames = Frames()
    frames.show(MOVING)
    assert frames.show(MOVING) == "cover"
    assert frames.show(MOVING, late=True) == "read"


def test_what_is_as_it_was_read_is_not_read_again() -> None:
    frames = Frames()
    assert set(frames.steps(PASSED, REFRESH * 0.9)) == {"rest"}


@pytest.mark.parametrize("rate", [5, 10, 30])
def test_doubt_is_looked_into_again_soon_and_not_for_ever(rate: float) -> None:
    frames = Frames(rate)
    steps = frames.steps(STILL, 1.0, doubt=True)
    assert steps.count("again") >= 3
    steps += frames.steps(STILL, 15, doubt=True)
    # After that the parts of the picture are read anew, one after the other, and each deserves a second look.
    before = steps[: steps.index("refresh")]
    assert before.count("again") == PATIENT


def test_a_still_picture_is_read_anew_part_by_part_and_then_seldom() -> None:
    frames = Frames()
    steps = frames.steps(STILL, ROUND * 0.9)
    assert steps[: int(REFRESH * frames.rate) - 1] == ["rest"] * (int(REFRESH * frames.rate) - 1)
    assert steps.count("refresh") == BANDS
    assert steps.count("again") == 0
    assert frames.steps(STILL, ROUND).count("refresh") == BANDS
    assert frames.show(MOVING) == "read"  # whatever else is due


def test_a_change_overtakes_what_is_still_to_be_done() -> None:
    frames = Frames()
    frames.steps(STILL, 0.3, doubt=True)
    assert frames.show(CHANGED, doubt=True) == "read"
