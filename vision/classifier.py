"""Naming a tile from a crop of it."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.text import Text
from engine.tiles import CODES
from vision.crops import middle, resized, standardise, store, turned
from vision.runtime import session

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from vision.profiles import Profile

KINDS = len(CODES)
BACK = KINDS
"""Logit of a tile lying face down."""
OTHER = KINDS + 1
"""Logit of anything that is no tile: a tile's side, a seam between two tiles, the table."""
OUTPUTS = KINDS + 2

UNSURE = 0.997
"""Below this probability a tile is looked at again in the ways of ``LOOKS``: one in ten (see models/README.md)."""

LOOKS = ((90.0, 1.0), (180.0, 1.0), (270.0, 1.0), (20.0, 1.0), (-20.0, 1.0), (0.0, 1.25))
"""Degrees and size of the further looks at a tile: tiles lie any way round, and the finder's boxes are tight or loose."""

BATCH = 64

NEVER = -20.0
"""Logit of what a classifier's file does not know."""

_OTHER_CLASSIFIER = Text(
    "“{name}”是用以前的识别模型学的，现在的模型不同了。请让程序用存下的照片重新学一次（youjin calibrate --again）。",
    "「{name}」是用以前的辨識模型學的，現在的模型不同了。請讓程式用存下的照片重新學一次（youjin calibrate --again）。",
    "“{name}” was learned with an earlier classifier, and this one differs. Let it be learned again from the kept pictures (youjin calibrate --again).",
)


class Classifier:
    """The crop classifier, run by ONNX Runtime.

    Its file answers 42 logits (the kinds in code order) or 44 (then a tile's back and "no tile"), and the features
    before its last layer, which files of before 2026-11-30 do not. The metadata ``temperature`` divides the logits, so
    that probabilities mean what they say.

    Attributes:
        side: pixels per side of the crops it sees, from its file.
        digest: first 16 hex digits of the file's SHA-256; a profile is for one classifier.
        profile: what was learned of the player's own set, see ``use``.
    """

    def __init__(self, path: Path, threads: int | None = None) -> None:
        self._session = session(path, threads)
        entrance = self._session.get_inputs()[0]
        self._input, self.side = entrance.name, int(entrance.shape[2])
        self.has_features = "features" in {output.name for output in self._session.get_outputs()}
        self.temperature = float(self._session.get_modelmeta().custom_metadata_map.get("temperature", "1"))
        self.digest = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
        self.profile: Profile | None = None

    def use(self, profile: Profile | None) -> None:
        """Read with what was learned of one set; ``None``: as the classifier comes.

        Raises:
            ProfileError: ``other_classifier``, it was learned with another classifier file.
        """
        if profile is not None and profile.classifier != self.digest:
            from vision.profiles import ProfileError  # noqa: PLC0415 - most readers know no profile

            raise ProfileError("other_classifier", _OTHER_CLASSIFIER.format(name=profile.name))
        self.profile = profile

    def answers(self, crops: NDArray[Any]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Logits (N, 44), not divided and without the profile, and features (N, D) of (N, side, side, 3) BGR crops.

        A file without features answers D = 0.
        """
        names = ["logits", "features"] if self.has_features else ["logits"]
        logits = np.full((len(crops), OUTPUTS), NEVER, np.float32)
        features = [np.empty((0, 0), np.float32)]
        for start in range(0, len(crops), BATCH):
            answer, *more = self._session.run(names, {self._input: standardise(crops[start : start + BATCH])})
            logits[start : start + BATCH, : answer.shape[1]] = answer
            features += more
        return logits, np.concatenate(features[1:] or features)

    def logits(self, crops: NDArray[Any]) -> NDArray[np.float32]:
        """(N, side, side, 3) BGR crops to (N, 44) logits, with the profile, divided by the temperature."""
        logits, features = self.answers(crops)
        if self.profile is not None and len(crops):
            return self.profile.adjust(logits, features)
        return logits / np.float32(self.temperature)

    def probabilities(self, image: NDArray[np.uint8], boxes: NDArray[np.float32]) -> NDArray[np.float32]:
        """Probabilities for the tile in each box, lying any way round.

        Args:
            image: (H, W, 3) BGR picture at its own resolution.
            boxes: (N, 4) left, top, right, bottom.

        Returns:
            (N, 44) float32, rows summing to 1; see ``chances``.
        """
        return self.chances(store(image, boxes, self.side))

    def chances(self, stored: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Probabilities for stored crops (N, S, S, 3), see ``crops.store``: (N, 44) float32, rows summing to 1.

        Tiles that the first look leaves in the least doubt are looked at in the ways of ``LOOKS`` too and get the mean of the
        log-probabilities: a wrong kind seldom survives a turn.
        """
        stored = resized(stored, self.side)
        first = log_softmax(self.logits(middle(stored)))
        unsure = np.flatnonzero(np.exp(first.max(1)) < UNSURE) if len(stored) else np.empty(0, np.int64)
        if len(unsure):
            views = np.concatenate([turned(stored[unsure], degrees, size) for degrees, size in LOOKS])
            others = log_softmax(self.logits(views)).reshape(len(LOOKS), len(unsure), OUTPUTS)
            first[unsure] = log_softmax((first[unsure] + others.sum(0)) / (1 + len(LOOKS)))
        return np.exp(first)


def log_softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """Log-probabilities over the last axis."""
    top = logits - logits.max(-1, keepdims=True, initial=-np.inf)
    return np.asarray(top - np.log(np.exp(top).sum(-1, keepdims=True)), np.float32)
