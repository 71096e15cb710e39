"""What the live loop knows from one start of the program to the next."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from webui.store import StoreError

if TYPE_CHECKING:
    from vision.tracking import Pin
    from webui.store import Store

log = logging.getLogger(__name__)

#: Name of the setting that holds it all; with a colon and its place behind it, what one of several programs knows.
_NAME = "live"


class Memory:
    """Keeps one JSON object in the user's store, and writes it only when it has changed.

    A store that cannot be used is told once in the log; the program goes on without.

    Two programs at two tables may share a store: each finds again what was said at its own place, and a new place begins
    with what was said last anywhere.

    Args:
        store: the user's store; without one nothing is kept.
        place: which program this is, its port for instance.

    Attributes:
        pins: corrections of the run before, of tiles that were not seen again yet.
    """

    def __init__(self, store: Store | None, place: str = "") -> None:
        self._store = store
        self._names = [f"{_NAME}:{place}", _NAME] if place else [_NAME]
        self._kept: dict[str, Any] = {}
        self.pins: list[Pin] = []

    def recall(self) -> dict[str, Any]:
        """Return what was kept, `{}` where nothing was."""
        if self._store is not None:
            try:
                kept = next((kept for name in self._names if (kept := self._store.setting(name))), None)
            except StoreError as error:
                self._give_up(error)
            else:
                self._kept = kept if isinstance(kept, dict) else {}
        return self._kept

    def keep(self, value: dict[str, Any]) -> None:
        """Keep an object."""
        if self._store is None or value == self._kept:
            return
        self._kept = value
        try:
            for name in self._names:
                self._store.keep_setting(name, value)
        except StoreError as error:
            self._give_up(error)

    def _give_up(self, error: StoreError) -> None:
        log.warning("%s", error.text.en)
        self._store = None
