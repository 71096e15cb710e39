"""A phone as the camera: its browser sends pictures, and this source shows the newest of them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Self

from engine.text import Text
from vision.camera import Source

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

STALE = 1.6
"""Seconds without a sign of life after which a phone counts as gone; it gives one at least every 0.7 s."""

_NONE_YET = Text(
    "还没有手机：请用手机扫二维码，再点“开始”。",
    "還沒有手機：請用手機掃 QR 碼，再點「開始」。",
    "No phone yet: scan the code with a phone and tap “Start”.",
)
_PAUSED = Text(
    "手机的镜头停下了：请把手机上的拍摄页面打开并保持亮屏。",
    "手機的鏡頭停下了：請把手機上的拍攝頁面打開並保持亮屏。",
    "The phone's camera is paused: open its camera page again and keep the screen on.",
)
_GONE = Text(
    "手机没有反应：可能锁屏了，或离开了 Wi-Fi。恢复后会自动继续。",
    "手機沒有反應：可能鎖屏了，或離開了 Wi-Fi。恢復後會自動繼續。",
    "The phone does not answer: it may be asleep or out of the Wi-Fi. It goes on by itself when it is back.",
)


class PhoneSource(Source):
    """A source without a thread of its own: whoever receives the pictures puts them in.

    Args:
        stale: seconds without a picture or `alive` after which trouble is told.
    """

    def __init__(self, stale: float = STALE) -> None:
        super().__init__("phone")
        self._stale = stale
        self._paused = False
        self._put_at = 0.0

    def start(self) -> Self:
        """Nothing runs here."""
        return self

    def feed(self, image: NDArray[np.uint8], *, still: bool = False) -> None:
        """Show a picture (H, W, 3), BGR; `still` where it is a photo and no further one will follow."""
        self._paused = False
        self.still = still
        self._put_at = time.monotonic()
        self._put(image)

    def alive(self) -> None:
        """The phone is there, and nothing has changed before its camera."""
        with self._condition:
            self._alive = time.monotonic()
            self._paused = False

    def pause(self) -> None:
        """The phone says that it stops for now."""
        self._paused = True

    @property
    def age(self) -> float:
        """Seconds since the newest picture; infinite before the first."""
        return time.monotonic() - self._put_at if self._put_at else float("inf")

    @property
    def status(self) -> Text | None:
        """What is wrong, or ``None``."""
        if self._frame is None:
            return _NONE_YET
        if self.still:
            return None
        if self._paused:
            return _PAUSED
        if time.monotonic() - self._alive > self._stale:
            return _GONE
        return None
