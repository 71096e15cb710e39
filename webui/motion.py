"""Seeing whether anything in the picture has changed, for almost nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: The picture is looked at this small; a tile of a wide table still covers several of its pixels.
_WIDTH = 160
#: Grey levels by which a pixel must differ to count, well above the noise of a webcam averaged over a block.
_LEVELS = 14
#: Pixels that must differ: about a quarter of a tile in a wide picture.
_PIXELS = 4


class MotionGate:
    """Compares each picture with the last one that was let through.

    Comparing with the last picture *read*, not with the one before, makes slow changes (dusk, a sliding camera) add up
    until they count.
    """

    def __init__(self) -> None:
        self._last: NDArray[np.int16] | None = None

    def changed(self, image: NDArray[np.uint8]) -> bool:
        """Tell whether `image` (H, W, 3, BGR) differs from the last one for which this was true; the first one does."""
        import cv2  # noqa: PLC0415  (slow to import; the command line starts without it)

        height, width = image.shape[:2]
        small = cv2.resize(image, (_WIDTH, max(1, round(height * _WIDTH / width))), interpolation=cv2.INTER_AREA)
        grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.int16)
        if self._last is not None and self._last.shape == grey.shape:
            # A lamp that flickers lifts the whole picture; tiles that move do not.
            difference = grey - self._last
            difference -= np.int16(np.median(difference))
            if int((np.abs(difference) > _LEVELS).sum()) < _PIXELS:
                return False
        self._last = grey
        return True

    def reset(self) -> None:
        """Let the next picture through."""
        self._last = None
