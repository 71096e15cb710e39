"""Proposing label repairs: the models point at what looks wrong, whoever looks at the picture decides.

Mirrored glyphs: a publisher's augmentation mirrored whole pictures. Each picture's labelled crops are named as they
are and mirrored; where the mirror image explains the labels better, the picture is mirrored back when it is read.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from vision.classifier import Classifier, log_softmax
from vision.crops import cut
from vision.dataset import Photo, picture_hash, read_folder
from vision.reading import MODELS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

FLOOR = -6.0
"""Log-probabilities are cut off here, so that one hopeless crop does not decide for a whole picture."""


def mirror_evidence(photo: Photo, classifier: Classifier) -> float:
    """How much better (mean log-probability per tile) the mirrored picture explains the labels; negative: worse."""
    image, boxes = photo.load()
    if not len(boxes):
        return 0.0
    crops = cut(image, boxes)
    return _explained(crops[:, :, ::-1], photo.kinds, classifier) - _explained(crops, photo.kinds, classifier)


def _explained(crops: NDArray[np.uint8], kinds: NDArray[np.int64], classifier: Classifier) -> float:
    turns = [
        log_softmax(classifier.logits(np.ascontiguousarray(np.rot90(crops, k, (1, 2)))))[np.arange(len(crops)), kinds]
        for k in range(4)
    ]
    return float(np.clip(np.max(turns, axis=0), FLOOR, 0).mean())


def propose(photos: Iterable[Photo], classifier: Classifier, margin: float = 0.1) -> Iterator[str]:
    """Lines for ``repairs.txt``: ``mirrored`` where the evidence is clear, ``drop`` where it is not.

    Only pictures of source ``a`` are looked at: the other publishers did not mirror (measured: 0 of 1,460 pictures
    with evidence above 0.3).
    """
    for photo in photos:
        if photo.source != "a":
            continue
        evidence = mirror_evidence(photo, classifier)
        action = "mirrored" if evidence > margin else "drop" if evidence > -margin else None
        if action:
            yield f"{picture_hash(photo.path)} {action}  # {photo.path.name}: mirror evidence {evidence:+.2f}"


def main() -> None:
    """Command line of this module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--classifier", type=Path, default=MODELS / "classifier.onnx")
    arguments = parser.parse_args()
    for line in propose(read_folder(arguments.folder, repair=False), Classifier(arguments.classifier)):
        print(line)  # noqa: T201 - what a command is for


if __name__ == "__main__":
    main()
