"""What further frames bring: each photo as a shaky, noisy film, read alone and voted over frames.

``python tests/bench/bench_frames.py FOLDER [--models MODELS] [--every N] [--frames 10]`` makes a film of every labelled photo (a
hand's shake, noise, exposure, now and then a blurred frame, JPEG), reads each frame whole, and prints how many photos are exact
after so many frames, in a single frame on average and by the tracker's votes, and what is shown as settled.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision import MODELS
from vision.dataset import read_folder
from vision.evaluation import Outcome, outcome, summary
from vision.reading import Reader
from vision.synthesis.optics import Optics, expose
from vision.tracking import Tracker

if TYPE_CHECKING:
    from numpy.typing import NDArray

SHAKE = 1.5
"""Standard deviation of a held camera's shift between frames, in pixels of the photo."""

SMEARED = 0.2
"""Part of the frames in which the hand or the camera moves while the shutter is open."""


def filmed(
    image: NDArray[np.uint8], boxes: NDArray[np.float32], rng: np.random.Generator
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """One frame of a film of the photo, (H, W, 3), and where its tiles are in it, (N, 4)."""
    height, width = image.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), rng.normal(0, 0.4), float(np.exp(rng.normal(0, 0.005))))
    matrix[:, 2] += rng.normal(0, SHAKE, 2)
    frame = cv2.warpAffine(image, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    smeared = rng.random() < SMEARED
    optics = Optics(
        exposure=float(np.exp(rng.normal(0, 0.05))),
        blur=float(rng.uniform(0, 0.8)),
        motion=float(rng.uniform(3, 7)) if smeared else 0.0,
        noise=float(rng.uniform(2, 9)),
        jpeg=int(rng.integers(55, 90)),
    )
    middles = (boxes[:, :2] + boxes[:, 2:]) / 2
    moved = middles @ matrix[:, :2].T + matrix[:, 2]
    shift = np.tile(moved - middles, 2).astype(np.float32)
    return expose(np.asarray(frame, np.float32), optics, rng), boxes + shift


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--models", type=Path, default=MODELS)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--source", default="")
    parser.add_argument("--frames", type=int, default=10)
    given = parser.parse_args()
    reader = Reader(given.models)
    photos = [p for p in read_folder(given.folder) if not given.source or p.source in given.source][:: given.every]
    alone: list[list[Outcome]] = [[] for _ in range(given.frames)]
    voted: list[list[Outcome]] = [[] for _ in range(given.frames)]
    for number, photo in enumerate(photos):
        image, boxes = photo.load()
        tracker = Tracker()
        rng = np.random.default_rng((1, number))
        for frame in range(given.frames):
            picture, places = filmed(image, boxes, rng)
            reading = reader.read(picture)
            alone[frame].append(outcome(photo, places, reading))
            voted[frame].append(outcome(photo, places, tracker.update(reading)))
    singly = [o for frame in alone for o in frame]
    print(
        "| | photos exact | located | named | invented | certain or settled | of them misnamed |\n" + "|---" * 7 + "|"
    )
    _line("each frame alone", singly)
    for count in (1, 3, 5, 10):
        if count <= given.frames:
            _line(f"voted over {count}", voted[count - 1])


def _line(name: str, outcomes: list[Outcome]) -> None:
    figures = summary(outcomes)
    certain = figures["calibration"]
    print(
        f"| {name} | {figures['exact_photo_rate']:.1%} of {len(outcomes)} | {figures['located']:.2%} "
        f"| {figures['named_when_located']:.2%} | {figures['invented'] / len(outcomes):.2f} a photo "
        f"| {certain['certain_share']:.1%} | {certain['certain_wrong']} ({certain['certain_wrong_rate']:.2%}) |",
        flush=True,
    )


if __name__ == "__main__":
    main()
