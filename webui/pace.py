"""When to read: at once when something changed, not while a hand moves, again while there is doubt, seldom when all is well."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Literal, TypeAlias

from vision.watching import ALL, BANDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.watching import Glance

Step: TypeAlias = Literal["read", "cover", "again", "refresh", "rest"]

#: Seconds without a newer frame after which one that was taken while something moved is read all the same.
LATE = 0.06
#: Share of the picture from which what moves is more than a few tiles: a hand, most likely. Less is read at once, quickly.
HAND = 0.03
#: Seconds for which a movement puts readings off: a hand has laid its tile by then, or it rests.
PUT_OFF = 1.0
#: The same where the whole picture moves, as with a phone held in the hand.
PUT_OFF_ALL = 0.35
#: Seconds between readings of a still picture in which something is in doubt; the last one goes on.
PAUSES = (0.15, 0.15, 0.3, 0.5)
#: Readings of a still picture at most, where some tile might still settle or vanish.
PATIENT = 14
#: Seconds after which a still picture is read anew part by part, once; and between two parts of it.
REFRESH, PART = 2.0, 0.6
#: Seconds after which that begins again.
ROUND = 60.0


class Pace:
    """Decides what each frame is good for.

    Args:
        clock: seconds, counting up.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._moved = False
        self._begun = False
        self._read_at = 0.0
        self._repeats = 0
        self._parts = 0
        self._next_part = 0.0

    def decide(self, glance: Glance, *, doubt: bool, late: bool = False) -> Step:
        """Say what to do with a frame.

        Args:
            glance: how it differs from what was read and from the frame before.
            doubt: whether a further reading of the same picture may change something.
            late: the frame was put off, and no newer one has come.

        Returns:
            `read` what changed; `cover` the tiles where something moves, and wait for the next frame; read `again` what
            is in doubt; `refresh` the next part of a still picture; `rest`.
        """
        now = self._clock()
        moves = bool(glance.moving)
        first, self._moved = not self._moved, moves
        if not self._begun:
            return "read"
        if not glance.still:
            # The first frame of a movement is read at once: tiles may just lie there, all of a sudden.
            hand = moves and glance.extent > HAND and (not first or glance.everything)
            put_off = PUT_OFF_ALL if glance.restless > ALL else PUT_OFF
            return "cover" if hand and not late and now - self._read_at < put_off else "read"
        if doubt and self._repeats < PATIENT:
            pause = PAUSES[min(self._repeats, len(PAUSES) - 1)]
            return "again" if now - self._read_at >= pause else "rest"
        if now >= self._next_part:
            return "refresh"
        return "rest"

    def done(self, step: Step) -> None:
        """Take note that a step was taken, when it is over."""
        now = self._clock()
        if step == "read":
            self._begun = True
            self._repeats = self._parts = 0
            self._next_part = now + REFRESH
        elif step == "again":
            self._repeats += 1
            self._next_part = max(self._next_part, now + PART)
        elif step == "refresh":
            self._repeats = 0
            self._parts = (self._parts + 1) % BANDS
            self._next_part = now + (PART if self._parts else ROUND)
        if step != "rest":
            self._read_at = now
