"""Where the live loop pins up what it knows: one newest state, a version, and readers who wait for the next."""

from __future__ import annotations

import threading
from typing import Any


class Board:
    """The newest state with a version number; whoever waits is woken by the next one.

    Nothing queues: a reader who was slow gets the newest state and never sees those between.

    Args:
        state: the first state, version 0.
        max_waiting: how many readers may wait at the same time.
    """

    def __init__(self, state: dict[str, Any], max_waiting: int) -> None:
        self._changed = threading.Condition()
        self._state = state
        self._version = 0
        self._places = threading.BoundedSemaphore(max_waiting)
        self._closed = False

    @property
    def version(self) -> int:
        """The version of the newest state."""
        return self._version

    def publish(self, state: dict[str, Any]) -> bool:
        """Pin up a state; one that equals the present one changes nothing and wakes nobody."""
        with self._changed:
            if state == self._state:
                return False
            self._state = state
            self._version += 1
            self._changed.notify_all()
            return True

    def read(self) -> dict[str, Any]:
        """Return the newest state with its `version`."""
        with self._changed:
            return {"version": self._version, **self._state}

    def wait(self, after: int, seconds: float) -> dict[str, Any]:
        """Return a state other than version `after`, waiting up to `seconds` for one.

        With all places taken the present state comes at once, marked `busy`: the reader should ask again a little later.
        """
        if not self._places.acquire(blocking=False):
            return {**self.read(), "busy": True}
        try:
            with self._changed:
                self._changed.wait_for(lambda: self._version != after or self._closed, timeout=seconds)
                return {"version": self._version, **self._state}
        finally:
            self._places.release()

    def close(self) -> None:
        """Let everybody go who waits."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
