"""How well pictures are read: exact photos first, then tiles, kinds, confusions, calibration, time."""

from __future__ import annotations

import base64
import html
from collections import Counter
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from engine.tiles import CODES
from vision.detections import Detections, iou
from vision.drawing import annotate
from vision.rows import group_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from vision.dataset import Photo
    from vision.reading import Reader, Reading

IOU = 0.5
"""A labelled tile is located by a find with at least this intersection over union."""

STEPS = np.linspace(0.5, 0.95, 10)
"""The thresholds of mAP50-95."""


def match(truth: NDArray[np.float32], found: NDArray[np.float32], threshold: float = IOU) -> list[tuple[int, int]]:
    """Pairs (label, find), each used once, best overlap first."""
    overlap = iou(truth, found)
    pairs: list[tuple[int, int]] = []
    while overlap.size and overlap.max() >= threshold:
        i, j = divmod(int(overlap.argmax()), overlap.shape[1])
        pairs.append((i, j))
        overlap[i, :] = 0
        overlap[:, j] = 0
    return pairs


@dataclass
class Outcome:
    """What came of one photo; indices are of the labels and of the face-up finds."""

    photo: Photo
    boxes: NDArray[np.float32]
    kinds: NDArray[np.int64]
    found: Detections
    pairs: list[tuple[int, int]]
    milliseconds: float
    rows: list[bool] = field(default_factory=list)

    @property
    def right(self) -> int:
        """Labelled tiles that were located and named right."""
        return sum(int(self.found.kind[j]) == int(self.kinds[i]) for i, j in self.pairs)

    @property
    def exact(self) -> bool:
        """Every tile right and nothing invented."""
        return self.right == len(self.kinds) == len(self.found)

    @property
    def mistakes(self) -> int:
        """Tiles missed, misnamed or invented."""
        return len(self.kinds) - self.right + len(self.found) - len(self.pairs)


def outcome(photo: Photo, boxes: NDArray[np.float32], reading: Reading) -> Outcome:
    """Compare one reading with the labels; labels of face-down tiles do not count, nor do finds of unlabelled tiles.

    Which those are, repairs say (``Photo.hidden``, ``Photo.unnamed``).
    """
    face_up = photo.kinds < len(CODES)
    truth, kinds = boxes[face_up], photo.kinds[face_up]
    found = reading.detections[reading.detections.kind >= 0]
    ignored = photo.turned([*photo.hidden, *photo.unnamed], reading.width)
    middle = (found.boxes[:, None, :2] + found.boxes[:, None, 2:]) / 2
    unlabelled = np.any(np.all((middle > ignored[:, :2]) & (middle < ignored[:, 2:]), axis=2), axis=1)
    located = iou(found.boxes, truth).max(1, initial=0) >= IOU
    found = found[~unlabelled | located]
    pairs = match(truth, found.boxes)
    named = {i: int(found.kind[j]) for i, j in pairs}
    rows = [all(named.get(i) == kinds[i] for i in row) for row in group_rows(truth)]
    return Outcome(photo, truth, kinds, found, pairs, reading.milliseconds, rows)


def evaluate(reader: Reader, photos: Iterable[Photo]) -> Iterator[Outcome]:
    """Read photo after photo. The first is read twice, so that its time does not hold the models' warming up."""
    for number, photo in enumerate(photos):
        image, boxes = photo.load()
        if number == 0:
            reader.read(image)
        yield outcome(photo, boxes, reader.read(image))


def summary(outcomes: list[Outcome]) -> dict[str, Any]:
    """All figures of some photos, as JSON.

    Raises:
        ValueError: no photos.
    """
    if not outcomes:
        raise ValueError("no photos were read")
    tiles = sum(len(o.kinds) for o in outcomes)
    finds = sum(len(o.found) for o in outcomes)
    located = sum(len(o.pairs) for o in outcomes)
    right = sum(o.right for o in outcomes)
    rows = [good for o in outcomes for good in o.rows]
    times = np.array([o.milliseconds for o in outcomes])
    return {
        "photos": len(outcomes),
        "exact_photos": sum(o.exact for o in outcomes),
        "exact_photo_rate": _share(sum(o.exact for o in outcomes), len(outcomes)),
        "exact_row_rate": _share(sum(rows), len(rows)),
        "tiles": tiles,
        "located": _share(located, tiles),
        "named_when_located": _share(right, located),
        "precision": _share(right, finds),
        "recall": _share(right, tiles),
        "invented": finds - located,
        **_average_precision(outcomes),
        "kinds": _per_kind(outcomes),
        "confusions": _confusions(outcomes),
        "calibration": _calibration(outcomes),
        "milliseconds": {"median": round(float(np.median(times)), 1), "p90": round(float(np.percentile(times, 90)), 1)},
    }


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def _scores(found: Detections) -> NDArray[np.float64]:
    """(N,) confidence of the best kind times that of the find."""
    return np.asarray(found.probability.max(1, initial=0) * found.confidence, np.float64)


def _average_precision(outcomes: list[Outcome]) -> dict[str, float | None]:
    """mAP50 and mAP50-95 over the kinds, computed by ultralytics; ``None`` without the extra ``train``.

    Finds below the reader's confidence are not in it, which makes the figures a little lower than with all finds.
    """
    if find_spec("ultralytics") is None:
        return {"map50": None, "map50_95": None}
    metrics: Any = import_module("ultralytics.utils.metrics")
    hits = []
    for o in outcomes:
        hit = np.zeros((len(o.found), len(STEPS)), np.bool_)
        for kind in np.unique(o.found.kind):
            mine, theirs = np.flatnonzero(o.found.kind == kind), np.flatnonzero(o.kinds == kind)
            for k, threshold in enumerate(STEPS):
                for _, j in match(o.boxes[theirs], o.found.boxes[mine], float(threshold)):
                    hit[mine[j], k] = True
        hits.append(hit)
    scores = np.concatenate([_scores(o.found) for o in outcomes])
    kinds = np.concatenate([o.found.kind for o in outcomes]).astype(np.int64)
    truth = np.concatenate([o.kinds for o in outcomes])
    if not len(scores) or not len(truth):
        return {"map50": 0.0, "map50_95": 0.0}
    table = np.asarray(metrics.ap_per_class(np.concatenate(hits), scores, kinds, truth)[5])
    return {"map50": round(float(table[:, 0].mean()), 4), "map50_95": round(float(table.mean()), 4)}


def _per_kind(outcomes: list[Outcome]) -> dict[str, dict[str, float]]:
    total: Counter[int] = Counter()
    right: Counter[int] = Counter()
    claimed: Counter[int] = Counter()
    for o in outcomes:
        total.update(int(k) for k in o.kinds)
        claimed.update(int(k) for k in o.found.kind)
        right.update(int(o.kinds[i]) for i, j in o.pairs if o.found.kind[j] == o.kinds[i])
    return {
        CODES[k]: {"tiles": total[k], "recall": _share(right[k], total[k]), "precision": _share(right[k], claimed[k])}
        for k in range(len(CODES))
        if total[k] or claimed[k]
    }


def _confusions(outcomes: list[Outcome], most: int = 20) -> list[dict[str, Any]]:
    pairs = Counter(
        (int(o.kinds[i]), int(o.found.kind[j])) for o in outcomes for i, j in o.pairs if o.found.kind[j] != o.kinds[i]
    )
    return [{"is": CODES[a], "read_as": CODES[b], "count": n} for (a, b), n in pairs.most_common(most)]


def _calibration(outcomes: list[Outcome]) -> dict[str, Any]:
    """How often located tiles are named right, by probability; and how often "certain" is wrong."""
    probability = np.array([o.found.probability[j].max() for o in outcomes for _, j in o.pairs])
    good = np.array([o.found.kind[j] == o.kinds[i] for o in outcomes for i, j in o.pairs], np.bool_)
    certain = np.array([o.found.certain[j] for o in outcomes for _, j in o.pairs], np.bool_)
    invented = sum(int(np.delete(o.found.certain, [j for _, j in o.pairs]).sum()) for o in outcomes)
    edges = [0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0001]
    bins, error = [], 0.0
    for low, high in pairwise(edges):
        inside = (probability >= low) & (probability < high)
        if inside.any():
            mean, rate = float(probability[inside].mean()), float(good[inside].mean())
            error += abs(mean - rate) * inside.mean()
            bins.append({"from": low, "to": min(high, 1.0), "tiles": int(inside.sum()), "said": round(mean, 4), "right": round(rate, 4)})  # fmt: skip
    return {
        "expected_calibration_error": round(float(error), 4),
        "bins": bins,
        "certain_share": round(float(certain.mean()), 4) if len(certain) else 0.0,
        "certain_wrong": int((certain & ~good).sum()),
        "certain_wrong_rate": round(float((certain & ~good).sum() / max(1, certain.sum())), 5),
        "certain_invented": invented,
    }


def as_text(figures: dict[str, Any]) -> str:
    """The figures for people."""
    f, c = figures, figures["calibration"]
    lines = [
        f"{f['exact_photos']} of {f['photos']} photos exact ({f['exact_photo_rate']:.1%}), rows exact {f['exact_row_rate']:.1%}",
        f"{f['tiles']} tiles: located {f['located']:.2%}, named right when located {f['named_when_located']:.2%}, {f['invented']} invented",
        f"per tile: precision {f['precision']:.2%}, recall {f['recall']:.2%}",
        "mAP50 and mAP50-95: need the extra `train`" if f["map50"] is None else f"mAP50 {f['map50']:.3f}, mAP50-95 {f['map50_95']:.3f}",
        f"certain: {c['certain_share']:.1%} of located tiles, {c['certain_wrong']} of them wrong ({c['certain_wrong_rate']:.2%}), {c['certain_invented']} certain but invented; calibration error {c['expected_calibration_error']:.3f}",
        f"time per image: median {f['milliseconds']['median']:.0f} ms, 90% under {f['milliseconds']['p90']:.0f} ms",
        "weakest kinds: " + ", ".join(f"{code} {k['recall']:.0%} of {k['tiles']}" for code, k in sorted(f["kinds"].items(), key=lambda item: item[1]["recall"])[:8] if k["tiles"]),
    ]  # fmt: skip
    if f["confusions"]:
        lines.append(
            "confused: " + ", ".join(f"{p['is']} read as {p['read_as']} ×{p['count']}" for p in f["confusions"][:10])
        )
    return "\n".join(lines)


def page(outcomes: list[Outcome], figures: dict[str, Any], title: str, most: int = 30) -> str:
    """An HTML page: the figures, and the worst photos with what was read and what it should have been."""
    parts = [
        "<!doctype html><html lang='en'><meta charset='utf-8'><meta name='viewport' content='width=device-width'>",
        f"<title>{html.escape(title)}</title>",
        "<style>body{font:15px/1.5 system-ui;margin:2em auto;max-width:70em;padding:0 1em}",
        "img{max-width:100%}figure{margin:2em 0}pre{white-space:pre-wrap;background:#8881;padding:1em}</style>",
        f"<h1>{html.escape(title)}</h1><pre>{html.escape(as_text(figures))}</pre>",
        "<p>Green: certain. Orange: in doubt. Red: labelled, but missed or misnamed. Magenta: invented.</p>",
    ]
    for o in sorted(outcomes, key=lambda item: -item.mistakes)[:most]:
        if not o.mistakes:
            break
        image, _ = o.photo.load()
        picture = annotate(image, o.found)
        right = {i for i, j in o.pairs if o.found.kind[j] == o.kinds[i]}
        for i, (left, top, r, bottom) in enumerate(o.boxes.round().astype(int)):
            if i not in right:
                cv2.rectangle(picture, (left, top), (r, bottom), (0, 0, 230), 2)
                cv2.putText(
                    picture, CODES[int(o.kinds[i])], (left, bottom + 12), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (0, 0, 230), 1
                )
        for j in set(range(len(o.found))) - {j for _, j in o.pairs}:
            left, top, r, bottom = o.found.boxes[j].round().astype(int)
            cv2.rectangle(picture, (left, top), (r, bottom), (230, 0, 230), 2)
        _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 80])
        name = html.escape(o.photo.path.name)
        parts.append(
            f"<figure><figcaption>{name}: {len(o.kinds)} tiles, {o.right} right, {len(o.found) - len(o.pairs)} invented</figcaption>"
            f"<img alt='{name}' src='data:image/jpeg;base64,{base64.b64encode(data.tobytes()).decode()}'></figure>"
        )
    return "\n".join(parts) + "\n</html>\n"
