"""What it brings to show the camera one's own set, measured on sets that the classifier has never seen.

``python tests/bench/bench_calibration.py CLASSIFIER.onnx DATA [--draws 3] [--shots 1 2 3]``

CLASSIFIER was trained without the photos ``k_*`` (``youjin train classifier DATA --without k``), DATA holds ``train`` and
``val_web``. Each set is a run of photos of one set in one household, found by looking at the pictures. Photos are drawn at
random until every kind was shown (for ``--shots 2`` twice, …); one crop of each kind is learned; tiles of all other
photos are read. Reported are means over the draws: tiles named right, rows right (given the tiles' places), called
certain, and wrong of the certain ones; and for crops without a tile beside the tiles, how many are still turned away.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from vision.calibration import Examples, learn
from vision.classifier import KINDS, OTHER, Classifier
from vision.crops import store
from vision.dataset import Photo, beside, read_folder
from vision.reading import CERTAIN, NOTHING
from vision.rows import group_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

SETS = {
    "white, dim": ("train", range(1260, 1314)),
    "cream": ("train", range(1458, 1518)),
    "white, carpet": ("train", range(1518, 1605)),
    "yellow": ("train", range(1635, 1658)),
    "green cloth": (
        "val_web",
        (0, 4, 5, 8, 10, 17, 18, 20, 22, 23, 24, 25, 26, 29, 30, 31, 32, 34, 35, 39, 40, 41, 42, 43, 44),
    ),
}


class OwnSet:
    """All tiles of one set: stored crops, kinds, the photo and the row of each, and places without a tile."""

    def __init__(self, photos: list[Photo]) -> None:
        crops, kinds, owner, rows, nothing = [], [], [], [], []
        count = 0
        rng = np.random.default_rng(0)
        for number, photo in enumerate(photos):
            image, boxes = photo.load()
            boxes, known = boxes[photo.kinds < KINDS], photo.kinds[photo.kinds < KINDS]
            if not len(boxes):
                continue
            crops.append(store(image, boxes))
            kinds.append(known)
            owner.append(np.full(len(boxes), number))
            row = np.empty(len(boxes), np.int64)
            for members in group_rows(boxes):
                row[members] = count
                count += 1
            rows.append(row)
            free = list(beside(boxes, rng, 4))
            nothing.append((number, store(image, np.array(free, np.float32).reshape(-1, 4))))
        self.crops, self.kinds = np.concatenate(crops), np.concatenate(kinds)
        self.owner, self.rows = np.concatenate(owner), np.concatenate(rows)
        self.nothing = nothing

    def draw(self, seed: int, shots: int) -> tuple[NDArray[np.int64], set[int]]:
        """Indices of the crops to learn, and the photos they are from, which are not tested."""
        rng = np.random.default_rng(seed)
        need = dict.fromkeys((int(k) for k in np.unique(self.kinds)), shots)
        chosen: list[int] = []
        used: set[int] = set()
        photos = np.unique(self.owner)
        for photo in rng.permutation(photos):
            if not any(need.values()) or len(used) >= 0.6 * len(photos):
                break
            for i in rng.permutation(np.flatnonzero(self.owner == photo)):
                if need[int(self.kinds[i])] > 0:
                    need[int(self.kinds[i])] -= 1
                    chosen.append(int(i))
                    used.add(int(photo))
        return np.array(chosen, np.int64), used


def figures(probability: NDArray[np.float32], kinds: NDArray[np.int64], rows: NDArray[np.int64]) -> dict[str, float]:
    """Shares of tiles and rows right, of tiles certain, and the number of certain ones that are wrong."""
    best = probability[:, :KINDS].argmax(1)
    right = best == kinds
    certain = probability[np.arange(len(best)), best] >= CERTAIN
    return {
        "tiles": float(right.mean()),
        "rows": float(np.mean([right[rows == row].all() for row in np.unique(rows)])),
        "certain": float(certain.mean()),
        "certain_wrong": int((certain & ~right).sum()),
        "certain_tiles": int(certain.sum()),
    }


def measure(classifier: Classifier, own: OwnSet, seed: int, shots: int) -> dict[str, Any]:
    """One draw: figures without and with what was learned."""
    chosen, used = own.draw(seed, shots)
    tested = ~np.isin(own.owner, list(used))
    nothing = np.concatenate([crops for photo, crops in own.nothing if photo not in used])
    shown = [crops for photo, crops in own.nothing if photo in used]
    free = np.concatenate(shown)[:: max(1, len(shown) // 3)]
    examples = Examples(
        np.concatenate([own.crops[chosen], free]), np.append(own.kinds[chosen], np.full(len(free), OTHER))
    )
    began = time.process_time()
    profile = learn(classifier, examples, "bench")
    seconds = time.process_time() - began
    result: dict[str, Any] = {"tested": int(tested.sum()), "photos": len(used), "seconds": seconds}
    for name, used_profile in (("before", None), ("after", profile)):
        classifier.use(used_profile)
        tiles, none = classifier.chances(own.crops[tested]), classifier.chances(nothing)
        result[name] = figures(tiles, own.kinds[tested], own.rows[tested])
        result[name]["turned_away"] = float((none[:, OTHER] >= NOTHING).mean())
    classifier.use(None)
    return result


def line(name: str, shots: int, results: list[dict[str, Any]]) -> str:
    """One row of the table for the model card."""
    parts = [name, str(shots), f"{np.mean([r['tested'] for r in results]):.0f}"]
    for key in ("tiles", "rows", "certain", "turned_away"):
        before, after = (np.mean([r[when][key] for r in results]) for when in ("before", "after"))
        parts.append(f"{before:.1%} → **{after:.1%}**")
    before, after = (
        f"{sum(r[w]['certain_wrong'] for r in results)} of {sum(r[w]['certain_tiles'] for r in results)}"
        for w in ("before", "after")
    )
    return (
        "| "
        + " | ".join([*parts, f"{before} → **{after}**", f"{np.mean([r['seconds'] for r in results]):.1f} s"])
        + " |"
    )


def main() -> None:
    """Measure all sets and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("classifier", type=Path)
    parser.add_argument("data", type=Path)
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--shots", type=int, nargs="+", default=[1])
    parser.add_argument("--json", type=Path, help="write all figures here")
    arguments = parser.parse_args()
    classifier = Classifier(arguments.classifier)
    folders = {name: read_folder(arguments.data / name) for name in ("train", "val_web")}
    print(
        "| set | crops per kind | tiles tested | tiles right | rows right | called certain | no tile, turned away | certain but wrong | processor time |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    everything: list[dict[str, Any]] = []
    for name, (folder, numbers) in SETS.items():
        wanted = {f"k_{number:05d}" for number in numbers}
        own = OwnSet([photo for photo in folders[folder] if photo.path.stem in wanted])
        for shots in arguments.shots:
            results = [measure(classifier, own, seed, shots) for seed in range(arguments.draws)]
            everything += [{"set": name, "shots": shots, **r} for r in results]
            print(line(name, shots, results), flush=True)
    for shots in arguments.shots:
        print(line("all", shots, [r for r in everything if r["shots"] == shots]), flush=True)
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(everything, indent=1))


if __name__ == "__main__":
    main()
