"""What the light, the camera and the way it is held do to the reading: photos made worse, one fault at a time.

``python tests/bench/bench_worn.py FOLDER [--models MODELS] [--only PATTERN]`` reads every labelled photo (repaired) as it is, turned by quarters,
smaller and larger, dim, in warm light, out of focus and pressed hard by JPEG, and prints how many are exact, what is located,
named and invented, and what is called certain and is wrong.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import MODELS
from vision.dataset import read_folder
from vision.detections import turned_boxes
from vision.evaluation import outcome, summary
from vision.reading import Reader

Picture = NDArray[np.uint8]
Boxes = NDArray[np.float32]
Fault = Callable[[Picture, Boxes], tuple[Picture, Boxes]]

SEED = 5
NOISE = 7.5
"""Standard deviation of what a sensor adds in the dark, of 255."""


def quarters(count: int) -> Fault:
    """The camera is held sideways, upside down, or stands on another side of the table."""

    def fault(image: Picture, boxes: Boxes) -> tuple[Picture, Boxes]:
        return np.ascontiguousarray(np.rot90(image, count)), turned_boxes(
            boxes, (image.shape[0], image.shape[1]), count
        )

    return fault


def scaled(factor: float) -> Fault:
    """The picture has fewer pixels, or more of them and no more to see."""
    how = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC

    def fault(image: Picture, boxes: Boxes) -> tuple[Picture, Boxes]:
        larger = cv2.resize(image, None, fx=factor, fy=factor, interpolation=how)
        return np.asarray(larger, np.uint8), boxes * np.float32(factor)

    return fault


def dim(light: float) -> Fault:
    """Little light, and the noise of a sensor that makes the most of it."""

    def fault(image: Picture, boxes: Boxes) -> tuple[Picture, Boxes]:
        rng = np.random.default_rng(SEED)
        dark = 255 * (image / 255) ** 1.6 * light + rng.normal(0, NOISE, image.shape)
        return dark.clip(0, 255).astype(np.uint8), boxes

    return fault


def blurred(deviation: float) -> Fault:
    """Out of focus, pixels of a picture of 640."""

    def fault(image: Picture, boxes: Boxes) -> tuple[Picture, Boxes]:
        soft = cv2.GaussianBlur(image, (0, 0), deviation * max(image.shape[:2]) / 640)
        return np.asarray(soft, np.uint8), boxes

    return fault


def warm(image: Picture, boxes: Boxes) -> tuple[Picture, Boxes]:
    """An old bulb."""
    return (image * np.array([0.55, 0.85, 1.1])).clip(0, 255).astype(np.uint8), boxes


def pressed(quality: int) -> Fault:
    """JPEG of a poor link."""

    def fault(image: Picture, boxes: Boxes) -> tuple[Picture, Boxes]:
        _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
        return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8), boxes

    return fault


FAULTS: dict[str, Fault] = {
    "as it is": lambda image, boxes: (image, boxes),
    "turned by 90°": quarters(1),
    "turned by 180°": quarters(2),
    "turned by 270°": quarters(3),
    "half the pixels": scaled(0.5),
    "twice the pixels": scaled(2.0),
    "four tenths of the light": dim(0.4),
    "two tenths of the light": dim(0.2),
    "warm light": warm,
    "blurred by 1.2 pixels": blurred(1.2),
    "blurred by 2 pixels": blurred(2.0),
    "JPEG 25": pressed(25),
}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--models", type=Path, default=MODELS)
    parser.add_argument("--only", default="*", help="photos with such a file name; 'k_0005[1-8]*' of val_web are racks")
    given = parser.parse_args()
    reader = Reader(given.models)
    photos = [photo for photo in read_folder(given.folder) if fnmatchcase(photo.path.name, given.only)]
    print("| | exact | located | named | invented | certain, misnamed |\n|---|---|---|---|---|---|")
    for name, fault in FAULTS.items():
        outcomes = []
        for photo in photos:
            image, boxes = photo.load()
            unlabelled = photo.turned([*photo.hidden, *photo.unnamed], image.shape[1])
            worse, places = fault(image, np.concatenate([boxes, unlabelled]))
            hidden = tuple(tuple(float(value) for value in box) for box in places[len(boxes) :])
            moved = replace(photo, mirrored=False, unnamed=(), hidden=hidden)
            outcomes.append(outcome(moved, places[: len(boxes)], reader.read(worse)))
        figures = summary(outcomes)
        print(
            f"| {name} | {figures['exact_photos']} of {figures['photos']} | {figures['located']:.1%} | "
            f"{figures['named_when_located']:.1%} | {figures['invented']} | {figures['calibration']['certain_wrong']} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
