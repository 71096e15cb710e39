"""What each choice of the classifier and each ingredient of the drawn tables brings on sets that were not trained on.

``python tests/bench/bench_learning.py DATA OUT designs [NAME ...]`` trains short runs without the photos ``k_*`` that differ in
one choice (side of the input, width, colour, …) and prints how many of the ``k_*`` tiles each names right.
``python tests/bench/bench_learning.py DATA OUT ingredients [NAME ...]`` does the same with one ingredient of the drawn tables left
out, for the classifier, and ``finding`` for the detector (tiles located and photos exact, named by the shipped classifier).
``… finders`` trains detectors of other widths, all from nothing, and times them on a hand's row.

Each run is a process and a folder of its own below OUT; what is finished there is not run again.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

SOURCE = "k"
BASE: dict[str, Any] = {"epochs": 2, "drawn": 300, "seed": 31, "side": 64}
DESIGNS: dict[str, dict[str, Any]] = {
    "64 pixels, width 24, colour": {},
    "48 pixels": {"side": 48},
    "80 pixels": {"side": 80},
    "96 pixels": {"side": 96},
    "width 16": {"width": 16},
    "width 32": {"width": 32},
    "width 48": {"width": 48},
    "without colour": {"grey": True},
    "cosine head with a margin": {"margin": 0.2},
    "no foot behind a bar": {"behind": 0.0},
    "no print": {"captioned": 0.0},
}
LEFT_OUT: dict[str, tuple[str, ...]] = {
    "all ingredients": (),
    "without sets mixed by chance": ("mixed",),
    "without sets of packages": ("packages",),
    "without racks": ("racks",),
    "without print, clutter, dice": ("print", "clutter", "dice"),
    "without coloured and dim light": ("light",),
    "without small and cut-off tiles": ("small", "edges"),
}

WIDTHS: dict[str, float] = {
    "YOLO11n": 0.25,
    "two thirds of its width": 0.16,
    "half of its width": 0.125,
}
"""Factor on the channels of YOLO11."""


def train_classifier(data: Path, out: Path, choice: dict[str, Any]) -> dict[str, Any]:
    """One short run; in a process of its own, since some choices change the package."""
    import numpy as np  # noqa: PLC0415 - in the process of the run only
    import torch  # noqa: PLC0415

    from vision import crops  # noqa: PLC0415

    if choice.pop("grey", False):
        coloured = crops.standardise
        crops.standardise = lambda images: coloured(
            np.repeat(np.asarray(images, np.float32).mean(-1, keepdims=True), 3, axis=-1)
        )
    from vision.training import augment, classifier  # noqa: PLC0415 - after the change above

    augment.BEHIND = choice.pop("behind", augment.BEHIND)
    margin = choice.pop("margin", 0.0)
    if margin:
        use_cosine_head(classifier, margin)
    settings = classifier.Settings(**{**BASE, "without": SOURCE, **choice})
    weights = classifier.train(data, out, settings)
    log = [json.loads(line) for line in (out / "log.jsonl").read_text(encoding="utf-8").splitlines()]
    net, _ = classifier.load(weights)
    hand = torch.rand(17, 3, settings.side, settings.side)
    torch.set_num_threads(1)
    with torch.inference_mode():
        milliseconds = _median_ms(lambda: net(hand))
    return {
        "named": log[-1]["held_out"],
        "val_web": log[-1].get("val_web"),
        "parameters": sum(p.numel() for p in net.parameters()),
        "milliseconds": milliseconds,
    }


def use_cosine_head(classifier: Any, margin: float, scale: float = 16.0) -> None:
    """Let the classifier learn an embedding: logits are cosines (additive margin: Wang et al. 2018, arXiv:1801.05599)."""
    import torch  # noqa: PLC0415 - as above

    class Cosine(torch.nn.Linear):
        def forward(self, x: Any) -> Any:
            unit = torch.nn.functional.normalize
            return scale * torch.nn.functional.linear(unit(x.float()), unit(self.weight)) + 0 * self.bias

    plain, loss = classifier.network, classifier.F.cross_entropy

    def network(**how: Any) -> Any:
        net = plain(**how)
        net[-1] = Cosine(net[-1].in_features, net[-1].out_features)
        return net

    def with_margin(answer: Any, kinds: Any, **how: Any) -> Any:
        return loss(answer - scale * margin * torch.nn.functional.one_hot(kinds, answer.shape[1]), kinds, **how)

    classifier.network = network
    classifier.F = type("F", (), {"cross_entropy": staticmethod(with_margin)})


def train_detector(data: Path, out: Path, left_out: tuple[str, ...] | None) -> dict[str, Any]:
    """One short run of the detector, ``None``: without any drawn table."""
    from vision.training import ancestor, detector  # noqa: PLC0415 - as above

    settings = detector.Settings(
        epochs=2, size=448, drawn=0 if left_out is None else 400, without=SOURCE, left_out=left_out or ()
    )
    weights = detector.train(data, out, settings, ancestor.START)
    return _found(data, out, weights)


def train_finder(data: Path, out: Path, width: float) -> dict[str, Any]:
    """One short run of a detector of another width, from nothing: no published weights fit it."""
    import cv2  # noqa: PLC0415 - as above
    import numpy as np  # noqa: PLC0415
    import ultralytics  # noqa: PLC0415

    from vision.detector import Detector  # noqa: PLC0415
    from vision.training import detector  # noqa: PLC0415

    plan = (Path(ultralytics.__file__).parent / "cfg/models/11/yolo11.yaml").read_text(encoding="utf-8")
    usual = "  n: [0.50, 0.25, 1024]"
    if usual not in plan:
        raise ValueError(f"this ultralytics says otherwise what YOLO11n is: no {usual.strip()!r}")
    start = out / "yolo11n.yaml"
    start.write_text(plan.replace(usual, f"  n: [0.50, {width}, 1024]"), encoding="utf-8")
    settings = detector.Settings(epochs=6, size=448, drawn=400, without=SOURCE, rate=3e-3)
    weights = detector.train(data, out, settings, start)
    figures = _found(data, out, weights)
    cv2.setNumThreads(1)
    finder, hand = Detector(out / "detector.onnx", threads=1), np.zeros((448, 576, 3), np.uint8)
    size = (out / "detector.onnx").stat().st_size
    return {**figures, "bytes": size, "ms": _median_ms(lambda: finder.find(hand))}


def _median_ms(call: Callable[[], object]) -> float:
    """Median time of thirty calls, in milliseconds."""
    times = []
    for _ in range(30):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return round(1000 * statistics.median(times), 1)


def _found(data: Path, out: Path, weights: Path) -> dict[str, Any]:
    """What a detector finds on the photos that were held out, named by the shipped classifier."""
    from vision.dataset import read_folder  # noqa: PLC0415 - as above
    from vision.evaluation import evaluate, summary  # noqa: PLC0415
    from vision.reading import Reader  # noqa: PLC0415
    from vision.training import detector  # noqa: PLC0415

    detector.export(weights, out / "detector.onnx")
    photos = [photo for photo in read_folder(data / "train") if photo.source == SOURCE][::2]
    figures = summary(list(evaluate(Reader(detector=out / "detector.onnx"), photos)))
    return {name: figures[name] for name in ("exact_photos", "photos", "exact_row_rate", "located", "invented")}


def main() -> None:
    """Run what is not finished, each in a process of its own, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("what", choices=("designs", "ingredients", "finding", "finders"))
    parser.add_argument("names", nargs="*")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    choices: dict[str, Any] = {
        "designs": DESIGNS,
        "ingredients": {"no drawn table": {"drawn": 0}} | {k: {"left_out": v} for k, v in LEFT_OUT.items()},
        "finding": {"no drawn table": None} | LEFT_OUT,
        "finders": WIDTHS,
    }[given.what]
    unknown = set(given.names) - set(choices)
    if unknown:
        parser.error(f"no such run: {', '.join(sorted(unknown))}; there are {', '.join(choices)}")
    for name in given.names or choices:
        folder = given.out / given.what / "".join(c if c.isalnum() else "_" for c in name)
        result = folder / "result.json"
        if given.one:
            run = {"finding": train_detector, "finders": train_finder}.get(given.what, train_classifier)
            folder.mkdir(parents=True, exist_ok=True)
            answer = run(given.data, folder, choices[name])
            result.write_text(json.dumps(answer), encoding="utf-8")
            return
        if not result.exists():
            folder.mkdir(parents=True, exist_ok=True)
            if (
                given.what in {"designs", "finders"} and not (folder / "drawn").exists()
            ):  # all learn from the same tables
                shared = given.out / given.what / "drawn"
                shared.mkdir(exist_ok=True)
                (folder / "drawn").symlink_to(shared.resolve())
            with (folder / "run.log").open("a", encoding="utf-8") as log:
                subprocess.run(
                    [sys.executable, __file__, str(given.data), str(given.out), given.what, name, "--one"],
                    check=True, stdout=log, stderr=log, env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
                )  # fmt: skip
        print(f"{name}: {result.read_text(encoding='utf-8')}", flush=True)


if __name__ == "__main__":
    main()
