"""The eyes beside PyPI mahjong-detector 0.0.6 on the same real photos, in one run: time and accuracy.

usage: python tests/bench/bench_vision.py [FOLDER …] [--every N]

Both get the decoded picture and the same number of threads, one after the other on every photo, so that a busy machine
slows both alike. mahjong-detector knows 34 kinds (no flowers) and answers boxes with classes; flowers are counted
against neither: photos that show them are left out of its accuracy. Its boxes and ours are compared with the labels in
the same way. Then frames a second on hand rows and whole tables, also beside ultralytics' own predict with our
detector, where it is installed. Without the developers' photos all is done on drawn tables.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.tiles import INDEX, PLAYABLE
from vision import MODELS
from vision.dataset import read_folder
from vision.detections import Detections
from vision.evaluation import Outcome, match
from vision.reading import Reader
from vision.rows import group_rows
from vision.training.drawn import ensure

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from vision.dataset import Photo

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data" / "tiles42"
HONOURS = {"tou": "1z", "nan": "2z", "sha": "3z", "pe": "4z", "haku": "5z", "hatsu": "6z", "chun": "7z"}


class Rival:
    """mahjong-detector: its own preprocessing, model and postprocessing, with boxes."""

    def __init__(self) -> None:
        # import_module, because the package's attribute `predict` is a function that hides the module.
        self._predict = import_module("mahjong_detector.predict")
        self._prepare = import_module("mahjong_detector.preprocess").preprocess_image
        self._picture = import_module("PIL.Image").fromarray
        self._kinds = [INDEX[HONOURS.get(name, name)] for name in self._predict.CLASS_NAMES]

    def read(self, image: np.ndarray) -> Detections:
        rgb = self._picture(np.ascontiguousarray(image[..., ::-1]))
        prepared, padding = self._prepare(rgb)
        found = self._predict.predict(prepared, padding)
        boxes = np.array([(d.x1, d.y1, d.x2, d.y2) for d in found], np.float32).reshape(-1, 4)
        seen = Detections.found(boxes, np.array([d.confidence for d in found], np.float32))
        seen.kind[:] = [self._kinds[d.class_id] for d in found]
        return seen


def judge(photo: Photo, boxes: np.ndarray, seen: Detections) -> Outcome:
    face_up = photo.kinds < len(INDEX)
    found = seen[seen.kind >= 0]
    truth = boxes[face_up]
    return Outcome(photo, truth, photo.kinds[face_up], found, match(truth, found.boxes), 0.0)


def line(name: str, outcomes: list[Outcome], seconds: list[float]) -> dict[str, Any]:
    tiles, right = sum(len(o.kinds) for o in outcomes), sum(o.right for o in outcomes)
    finds = sum(len(o.found) for o in outcomes)
    exact = sum(o.exact for o in outcomes)
    median = 1000 * float(np.median(seconds))
    print(
        f"  {name:18} {median:7.1f} ms   tiles right {right / tiles:6.1%}   finds right {right / max(finds, 1):6.1%}"
        f"   photos exact {exact:3} of {len(outcomes)}"
    )
    return {"ms": median, "right": right / tiles, "exact": exact}


def compare(name: str, photos: list[Photo], reader: Reader, rival: Rival) -> None:
    ours: list[Outcome] = []
    theirs: list[Outcome] = []
    our_seconds: list[float] = []
    their_seconds: list[float] = []
    warm = photos[0].load()[0]
    reader.read(warm)
    rival.read(warm)
    for photo in photos:
        image, boxes = photo.load()
        began = time.perf_counter()
        mine = reader.read(image).detections
        between = time.perf_counter()
        other = rival.read(image)
        our_seconds.append(between - began)
        their_seconds.append(time.perf_counter() - between)
        if (photo.kinds < PLAYABLE).all():
            ours.append(judge(photo, boxes, mine))
            theirs.append(judge(photo, boxes, other))
    print(f"{name}: {len(photos)} photos timed, {len(ours)} without flowers compared")
    a, b = line("youjin", ours, our_seconds), line("mahjong-detector", theirs, their_seconds)
    print(
        f"  time ratio {a['ms'] / b['ms']:.2f} (under 1: we are faster), tiles right ratio {a['right'] / max(b['right'], 1e-9):.2f}"
    )


def hands(photos: list[Photo]) -> list[NDArray[np.uint8]]:
    """The hand rows of some photos, cut out with a tile's width of table round them: what a camera at the hand sees."""
    rows: list[NDArray[np.uint8]] = []
    for photo in photos:
        image, boxes = photo.load()
        for row in group_rows(boxes):
            if 12 <= len(row) <= 18:
                side = float((boxes[row, 2:] - boxes[row, :2]).max(1).mean())
                left, top = np.maximum(boxes[row, :2].min(0) - side, 0).astype(int)
                right, bottom = (boxes[row, 2:].max(0) + side).astype(int)
                rows.append(np.ascontiguousarray(image[top:bottom, left:right]))
    return rows


def frames_per_second(name: str, images: list[NDArray[np.uint8]], ways: dict[str, Callable[[Any], object]]) -> None:
    """Frames a second of several readers on the same pictures, taken in turn."""
    seconds: dict[str, list[float]] = {way: [] for way in ways}
    for number, image in enumerate([images[0], *images]):
        for way, read in ways.items():
            began = time.perf_counter()
            read(image)
            if number:  # the first picture warms up
                seconds[way].append(time.perf_counter() - began)
    height, width = images[0].shape[:2]
    print(f"{name}: {len(images)} pictures, the first {width} x {height}")
    ours = float(np.median(seconds["youjin"]))
    for way, spent in seconds.items():
        median = float(np.median(spent))
        print(f"  {way:34} {1 / median:6.1f} frames/s   time ratio {ours / median:.2f}")


def speed(reader: Reader, rival: Rival, photos: list[Photo], folder: Path) -> None:
    """Hand rows and whole tables: ours (found and named) beside the rival and ultralytics' predict (found only)."""
    ways: dict[str, Callable[[Any], object]] = {"youjin": reader.read, "mahjong-detector": rival.read}
    try:
        yolo = import_module("ultralytics").YOLO(MODELS / "detector.onnx", task="detect")
        ways["ultralytics predict, our detector"] = lambda image: yolo.predict(image, verbose=False, device="cpu")
    except ImportError:
        print("ultralytics is not installed (pip install 'youjin[train]'): left out")
    rows = hands(photos)
    if rows:
        frames_per_second("hand rows", rows[:40], ways)
    tables = ensure(folder, 12, 11, lambda _: None)
    frames_per_second("whole drawn tables", [p.load()[0] for p in read_folder(tables, repair=False)], ways)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--every", type=int, default=4, help="read every n-th photo of val")
    arguments = parser.parse_args()
    try:
        rival = Rival()
    except ImportError:
        sys.exit("bench_vision compares with mahjong-detector; run: pip install 'youjin[bench]'")
    reader = Reader()
    folders = arguments.folders or [f for f in (SHARED / "val", SHARED / "val_web") if f.is_dir()]
    for folder in folders:
        photos = read_folder(folder, repair=False)
        compare(folder.name, photos[:: arguments.every] if folder.name == "val" else photos, reader, rival)
    with tempfile.TemporaryDirectory() as place:
        sample = [photo for folder in folders for photo in read_folder(folder)][:: arguments.every]
        speed(reader, rival, sample, Path(place))
    if not folders:
        print("the developers' photos are absent; drawn tables instead")
        with tempfile.TemporaryDirectory() as place:
            compare("drawn", read_folder(ensure(Path(place), 24, 9, lambda _: None), repair=False), reader, rival)


if __name__ == "__main__":
    main()
