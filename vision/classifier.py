"""Naming a tile from a crop of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.tiles import CODES
from vision.crops import cut, standardise
from vision.runtime import session

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

KINDS = len(CODES)
BACK = KINDS
"""Logit of a tile lying face down."""
OTHER = KINDS + 1
"""Logit of anything that is no tile: a tile's side, a seam between two tiles, the table."""
OUTPUTS = KINDS + 2

UNSURE = 0.9
"""Below this probability a crop is looked at in all four quarter turns."""

BATCH = 64


class Classifier:
    """The crop classifier, run by ONNX Runtime.

    Its file answers 42 logits (the kinds in code order) or 44 (then a tile's back and "no tile"). The metadata
    ``temperature`` divides the logits, so that probabilities mean what they say.
    """

    def __init__(self, path: Path, threads: int | None = None) -> None:
        self._session = session(path, threads)
        self._input = self._session.get_inputs()[0].name
        self.temperature = float(self._session.get_modelmeta().custom_metadata_map.get("temperature", "1"))

    def logits(self, crops: NDArray[np.uint8]) -> NDArray[np.float32]:
        """(N, 64, 64, 3) BGR crops to (N, 44) logits divided by the temperature."""
        result = np.full((len(crops), OUTPUTS), -20, np.float32)
        for start in range(0, len(crops), BATCH):
            part = standardise(crops[start : start + BATCH])
            answer, *_ = self._session.run(["logits"], {self._input: part})
            result[start : start + BATCH, : answer.shape[1]] = answer / self.temperature
        return result

    def probabilities(self, image: NDArray[np.uint8], boxes: NDArray[np.float32]) -> NDArray[np.float32]:
        """Probabilities for the tile in each box, lying any way round.

        Args:
            image: (H, W, 3) BGR picture at its own resolution.
            boxes: (N, 4) left, top, right, bottom.

        Returns:
            (N, 44) float32, rows summing to 1. Tiles that the first look leaves unsure are looked at in all four
            quarter turns and get the mean of the log-probabilities.
        """
        crops = cut(image, boxes)
        first = log_softmax(self.logits(crops))
        unsure = np.flatnonzero(np.exp(first.max(1)) < UNSURE) if len(crops) else np.empty(0, np.int64)
        if len(unsure):
            turned = np.concatenate([np.rot90(crops[unsure], k, (1, 2)) for k in (1, 2, 3)])
            others = log_softmax(self.logits(turned)).reshape(3, len(unsure), OUTPUTS)
            first[unsure] = log_softmax((first[unsure] + others.sum(0)) / 4)
        return np.exp(first)


def log_softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """Log-probabilities over the last axis."""
    top = logits - logits.max(-1, keepdims=True, initial=-np.inf)
    return np.asarray(top - np.log(np.exp(top).sum(-1, keepdims=True)), np.float32)
