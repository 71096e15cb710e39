"""Drawing what was read onto the picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.detections import Detections

CERTAIN = (80, 175, 40)
DOUBT = (0, 140, 255)
FACE_DOWN = (150, 150, 150)


def annotate(image: NDArray[np.uint8], detections: Detections) -> NDArray[np.uint8]:
    """A copy of the picture with a frame and the MPSZ code of every tile.

    Green: certain; orange with a question mark: in doubt; gray: face down.
    """
    result = image.copy()
    if not len(detections):
        return result
    side = float(np.median(detections.sizes.max(1)))
    line = max(1, round(side / 40))
    scale = max(0.3, side / 100)
    for i, (left, top, right, bottom) in enumerate(detections.boxes.round().astype(int)):
        down = detections.kind[i] < 0
        colour = FACE_DOWN if down else CERTAIN if detections.certain[i] else DOUBT
        cv2.rectangle(result, (left, top), (right, bottom), colour, line)
        if down:
            continue
        text = detections.code(i) + ("" if detections.certain[i] else "?")
        (width, height), base = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, line)
        y = top if top > height + base else top + height + base
        cv2.rectangle(result, (left, y - height - base), (left + width + 2, y), colour, -1)
        cv2.putText(
            result,
            text,
            (left + 1, y - base // 2 - 1),
            cv2.FONT_HERSHEY_SIMPLEX,
            scale,
            (255, 255, 255),
            line,
            cv2.LINE_AA,
        )
    return result
