"""Telling trouble with the camera at once, even while a picture is being read."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.text import Text
    from vision.camera import Source

#: Seconds between two looks.
PAUSE = 0.2


class Lookout:
    """Watches the status of a source from a thread of its own; use it as a context manager.

    Reading a picture may take a second on a small machine, and somebody who trips over the cable should not wait for it.

    Args:
        source: what is watched.
        tell: called every time with the trouble, or `None` while there is none.
    """

    def __init__(self, source: Source, tell: Callable[[Text | None], None]) -> None:
        self._source, self._tell = source, tell
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="lookout", daemon=True)

    def _watch(self) -> None:
        while not self._end.is_set():
            self._tell(self._source.status)
            self._end.wait(PAUSE)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join(2)
