"""The phones that offer themselves as the camera, of which one is it.

Several may have the camera page open. The one whose owner pressed "Start" last is the camera; the others are told so and
send nothing but a sign of life, so that four of them cost no more than one.
"""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Literal, TypeAlias

from vision.camera import open_source
from vision.images import LARGEST, load_image
from vision.phone import STALE, PhoneSource

if TYPE_CHECKING:
    from vision.camera import Source

Role: TypeAlias = Literal["camera", "standby"]

#: Seconds after which a phone that said nothing is no longer counted.
_HERE = 5.0
#: Seconds after which the camera should send a picture even though it sees no change.
_REFRESH = 2.0
#: Pixels of a frame; a phone sends at most 2560 × 1920.
LARGEST_FRAME = 16_000_000


class Phones:
    """Which phone is the camera, and the source its pictures go to.

    Args:
        stale: see `vision.phone.PhoneSource`.
    """

    def __init__(self, stale: float = STALE) -> None:
        self._lock = threading.Lock()
        # One thread decodes for all: each of the many that answer requests would keep memory for pictures of its own.
        self._decoder = ThreadPoolExecutor(1, "decoder")
        self._stale = stale
        self._source: PhoneSource | None = None
        self._camera: str | None = None
        self._seen: dict[str, float] = {}

    def open(self, spec: str) -> Source:
        """Open a source for the live loop. For `phone` a new one begins, and the one before gets nothing more.

        Raises:
            SourceError: see `vision.camera.open_source`.
        """
        if spec != "phone":
            return open_source(spec)
        with self._lock:
            self._source = PhoneSource(self._stale).start()
            return self._source

    def hello(self, phone: str, *, start: bool = False) -> Role:
        """A phone is there; with `start` its owner wants it to be the camera."""
        with self._lock:
            self._here(phone)
            if start:
                self._camera = phone
            if phone != self._camera:
                return "standby"
            if self._source is not None:
                self._source.alive()
            return "camera"

    def bye(self, phone: str) -> None:
        """A phone pauses or leaves."""
        with self._lock:
            self._seen.pop(phone, None)
            if phone == self._camera and self._source is not None:
                self._source.pause()

    def role(self, phone: str) -> Role:
        """What this phone is; the first that sends a picture after the program was started is the camera."""
        with self._lock:
            self._here(phone)
            if self._camera is None:
                self._camera = phone
            return "camera" if phone == self._camera else "standby"

    def feed(self, phone: str, data: bytes, *, photo: bool = False) -> None:
        """Show a picture of the phone that is the camera.

        One picture is decoded at a time; it is shown unless another phone was chosen meanwhile.

        Raises:
            ImageError: that is no picture; what was shown before stays.
        """
        image = self._decoder.submit(load_image, data, LARGEST if photo else LARGEST_FRAME).result()
        with self._lock:
            if phone == self._camera and self._source is not None:
                self._source.feed(image, still=photo)

    @property
    def wants_picture(self) -> bool:
        """Whether the camera should send a picture although it sees no change."""
        with self._lock:
            return self._source is not None and not self._source.still and self._source.age > _REFRESH

    @property
    def count(self) -> int:
        """Phones with the camera page open."""
        with self._lock:
            now = time.monotonic()
            return sum(now - seen < _HERE for seen in self._seen.values())

    def _here(self, phone: str) -> None:
        now = time.monotonic()
        self._seen[phone] = now
        if len(self._seen) > 64:
            self._seen = {name: seen for name, seen in self._seen.items() if now - seen < _HERE}
