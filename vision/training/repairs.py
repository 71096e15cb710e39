"""Proposing label repairs: the models point at what looks wrong, whoever looks at the picture decides.

Unlabelled tiles: what the reader finds outside the labels becomes ``tile`` where it is sure and ``hide`` where it is not.

Mirrored glyphs: a publisher's augmentation mirrored whole pictures. Each picture's labelled crops are named as they
are and mirrored; where the mirror image explains the labels better, the picture is mirrored back when it is read.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from vision.classifier import BACK, KINDS, OTHER, Classifier, log_softmax
from vision.crops import cut
from vision.dataset import Photo, picture_hash, read_folder
from vision.detections import iou
from vision.reading import MODELS, Reader

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


def unlabelled(photo: Photo, reader: Reader) -> Iterator[str]:
    """Lines for ``discards.txt``: face-up tiles that nobody labelled, and what may be some.

    Args:
        photo: labelled in part.
        reader: its detector should be set to a low confidence (0.12), so that doubtful tiles are hidden as well.
    """
    image, boxes = photo.load()
    height, width = image.shape[:2]
    found, confidence, classes = reader.detector.find(image)
    if not len(found):
        return
    probability = reader.classifier.probabilities(image, found)
    top = probability[:, :KINDS].max(1)
    free = iou(found, boxes).max(1, initial=0)
    cut_off = (found[:, :2] <= 2).any(1) | (found[:, 2] >= width - 2) | (found[:, 3] >= height - 2)
    sure = (free <= 0.25) & (classes == 0) & (confidence > 0.4) & (top > 0.8) & ~cut_off
    doubtful = (free <= 0.05) & ~sure
    doubtful &= (
        ((confidence > 0.3) & (probability[:, OTHER] < 0.7))
        | ((confidence > 0.15) & (top > 0.5))
        | ((classes == 1) & (confidence > 0.5) & (probability[:, BACK] > 0.3))
    )
    known = np.concatenate([boxes, found[sure]])
    usual = float(np.median((known[:, 2:] - known[:, :2]).max(1))) if len(known) else float("inf")
    name = picture_hash(photo.path)
    for i in np.flatnonzero(sure | doubtful):
        size = float((found[i, 2:] - found[i, :2]).max())
        # Beside a labelled tile lies its side, not a tile that somebody forgot.
        if doubtful[i] and (_distance(found[i], boxes) < 0.8 * size or size > 2.2 * usual):
            continue
        left, top_edge, right, bottom = photo.turned(found[i : i + 1], width)[0]
        yield f"{name} {'tile' if sure[i] else 'hide'} {left:.0f} {top_edge:.0f} {right:.0f} {bottom:.0f}"


def _distance(box: NDArray[np.float32], others: NDArray[np.float32]) -> float:
    """Pixels from the middle of a box to the nearest of the others (0: inside)."""
    middle = (box[:2] + box[2:]) / 2
    gaps = np.maximum(np.maximum(others[:, :2] - middle, middle - others[:, 2:]), 0)
    return float(gaps.max(1).min(initial=float("inf")))


def main() -> None:
    """Command line of this module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("mirrored", "unlabelled"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--models", type=Path, default=MODELS)
    arguments = parser.parse_args()
    if arguments.what == "mirrored":
        lines = propose(read_folder(arguments.folder, repair=False), Classifier(arguments.models / "classifier.onnx"))
    else:
        reader = Reader(arguments.models)
        reader.detector.confidence = 0.12
        lines = (line for photo in read_folder(arguments.folder) for line in unlabelled(photo, reader))
    for line in lines:
        print(line)  # noqa: T201 - what a command is for


if __name__ == "__main__":
    main()
