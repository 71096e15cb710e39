"""Learning a player's own set from one or a few crops of each kind, in seconds and without the extra ``train``.

The classifier's last layer is corrected by softmax regression on changed views of the crops, pulled towards no
correction. What was tried beside it (prototypes, a blend of both) and what it brings is in ``models/README.md``;
``tests/bench/bench_calibration.py`` measures it again.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from engine.text import Text
from engine.tiles import CODES
from vision.classifier import BACK, OTHER, OUTPUTS, log_softmax
from vision.crops import middle, resized, seen_side, store
from vision.dataset import beside
from vision.profiles import Confusion, Profile, ProfileError, checked_name, unit
from vision.training.augment import augment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from vision.classifier import Classifier
    from vision.dataset import Photo
    from vision.profiles import Profiles

VIEWS = 16
"""Changed views of each crop that are learned, beside the crop itself in its four quarter turns."""

TESTS = 8
"""Changed views of each crop on which the result is measured."""

MOST_CROPS = 6
"""Crops of one kind that are learned: more bring nothing and cost time."""

MOST_NOTHING = 12
"""Crops without a tile that are learned: they keep the profile from seeing tiles everywhere."""

PLACES = 6
"""Places without a tile that are tried per picture."""

TOLD = 0.2
"""Share of the views of a kind that must be read as a certain other one to be told."""

DECAY = 0.03
"""Pull towards no correction, chosen on sets that the classifier had never seen (``bench_calibration.py``)."""

STEPS = 150
RATE = 0.05

LEAST = 5
"""Kinds that must be shown: with fewer there is nothing to tell apart."""

_NO_FEATURES = Text(
    "这个识别模型太旧，不能学自己的牌，请更新模型。",
    "這個辨識模型太舊，不能學自己的牌，請更新模型。",
    "This classifier file is too old to learn a set; update the models.",
)
LEARNED_AGAIN = Text(
    "识别模型更新了，已用存下的照片把“{name}”重新学了一次。",
    "辨識模型更新了，已用存下的照片把「{name}」重新學了一次。",
    "The recognition was updated: “{name}” was learned again from its kept pictures.",
)
_TOO_FEW = Text(
    "只拍了 {n} 种牌，至少要 {least} 种才能学。",
    "只拍了 {n} 種牌，至少要 {least} 種才能學。",
    "Kinds shown so far: {n}; at least {least} are needed.",
)


@dataclass(frozen=True, eq=False)
class Examples:
    """Labelled crops of one set.

    Attributes:
        crops: (N, S, S, 3) uint8 BGR, see ``crops.store``.
        kinds: (N,) 0 to 41, 42 a tile's back, 43 no tile.
    """

    crops: NDArray[np.uint8]
    kinds: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.kinds)

    @classmethod
    def joined(cls, parts: Sequence[Examples]) -> Examples:
        """All examples of several parts, those of smaller crops as large as the largest.

        Raises:
            ValueError: no part.
        """
        side = max(seen_side(p.crops) for p in parts)
        return cls(np.concatenate([resized(p.crops, side) for p in parts]), np.concatenate([p.kinds for p in parts]))

    @classmethod
    def cut(cls, image: NDArray[np.uint8], boxes: NDArray[np.float32], kinds: NDArray[np.int64]) -> Examples:
        """The tiles of a picture, and some places beside them that hold none.

        Args:
            image: (H, W, 3) BGR.
            boxes: (N, 4) all its tiles.
            kinds: (N,) what they are.
        """
        rng = np.random.default_rng(len(boxes))
        nothing = list(beside(boxes, rng, PLACES))
        every = np.concatenate([np.asarray(boxes, np.float32).reshape(-1, 4), *(box[None] for box in nothing)])
        return cls(store(image, every), np.append(kinds, np.full(len(nothing), OTHER)).astype(np.int64))

    def thinned(self) -> Examples:
        """At most ``MOST_CROPS`` crops of each kind (``MOST_NOTHING`` without a tile), evenly from first to last."""
        keep: list[int] = []
        for kind in np.unique(self.kinds):
            most = MOST_NOTHING if kind == OTHER else MOST_CROPS
            where = np.flatnonzero(self.kinds == kind)
            keep += [int(i) for i in where[np.linspace(0, len(where) - 1, min(most, len(where))).round().astype(int)]]
        return Examples(self.crops[keep], self.kinds[keep])


def examples_of(photos: Iterable[Photo]) -> Examples:
    """The labelled tiles of photos in YOLO form (class 42: a tile's back); other classes are left out.

    Raises:
        ImageError: a picture that cannot be read.
    """
    parts = [Examples.cut(np.empty((1, 1, 3), np.uint8), np.empty((0, 4), np.float32), np.empty(0, np.int64))]
    for photo in photos:
        image, boxes = photo.load()
        known = (photo.kinds >= 0) & (photo.kinds <= BACK)
        parts.append(Examples.cut(image, boxes[known], photo.kinds[known]))
    return Examples.joined(parts)


def learn(
    classifier: Classifier,
    examples: Examples,
    name: str,
    *,
    seed: int = 1,
    progress: Callable[[float], None] = lambda _: None,
) -> Profile:
    """Learn a set.

    Args:
        classifier: the one that is to read the set; a profile in use there does not matter and stays.
        examples: one or a few crops of each kind; kinds that are missing stay as the classifier knows them.
        name: what the owner calls the set.
        seed: of the changed views.
        progress: told the part done, 0 to 1.

    Raises:
        ProfileError: ``bad_name``, ``too_few_kinds``, or ``no_features`` (the classifier's file is too old).
    """
    name = checked_name(name)
    if not classifier.has_features:
        raise ProfileError("no_features", _NO_FEATURES)
    shown = np.unique(examples.kinds[examples.kinds <= BACK])
    if len(shown) < LEAST:
        raise ProfileError("too_few_kinds", _TOO_FEW.format(n=len(shown), least=LEAST))
    examples = examples.thinned()
    examples = Examples(resized(examples.crops, classifier.side), examples.kinds)
    rng = np.random.default_rng(seed)
    count = len(examples)
    logits, features = [], []
    for number, (crop, small) in enumerate(zip(examples.crops, middle(examples.crops), strict=True)):
        views = [augment(crop, classifier.side, rng) for _ in range(VIEWS + TESTS)]
        views += [np.rot90(small, quarter).astype(np.float32) for quarter in range(4)]
        a, b = classifier.answers(np.stack(views))
        logits.append(a)
        features.append(b)
        progress(0.8 * (number + 1) / count)
    z, f = np.stack(logits), unit(np.concatenate(features)).reshape(count, -1, features[0].shape[1])
    tested = np.zeros(z.shape[1], np.bool_)
    tested[VIEWS : VIEWS + TESTS] = True
    whole = fit(f[:, ~tested], z[:, ~tested], examples.kinds)
    progress(0.9)
    rounds = _rounds(examples.kinds)
    truth, before, after = [], [], []
    for back in rounds or [np.ones(count, np.bool_)]:
        weights, bias, centre = (
            fit(f[~back][:, ~tested], z[~back][:, ~tested], examples.kinds[~back]) if rounds else whole
        )
        asked = back & (examples.kinds <= BACK)
        corrected = z[asked][:, tested] + (f[asked][:, tested] - centre) @ weights + bias
        truth.append(np.repeat(examples.kinds[asked], TESTS))
        before.append(z[asked][:, tested].argmax(2).ravel())
        after.append(corrected.argmax(2).ravel())
    kinds, was, now = (np.concatenate(part) for part in (truth, before, after))
    weights, bias, centre = whole
    progress(1.0)
    return Profile(
        name=name, classifier=classifier.digest, weights=weights, bias=bias, centre=centre,
        temperature=classifier.temperature, crops=examples.crops, kinds=examples.kinds,
        right_before=float((was == kinds).mean()), right_after=float((now == kinds).mean()),
        held_out=bool(rounds), confusions=_confusions(kinds, was, now),
    )  # fmt: skip


def fitted(classifier: Classifier, profiles: Profiles, name: str) -> tuple[Profile, bool]:
    """One kept set for this classifier, and whether it had to be learned anew.

    A set that was learned with another classifier (the program was updated since) is learned anew from its kept pictures and
    kept so; where that cannot be, it comes as it is, and ``Classifier.use`` refuses it.

    Raises:
        ProfileError: the set is unknown, damaged, of a later version, or cannot be written.
    """
    profile = profiles.load(name)
    if profile.classifier == classifier.digest:
        return profile, False
    try:
        again = learn(classifier, Examples(profile.crops, profile.kinds), profile.name)
    except ProfileError:
        return profile, False
    again = replace(again, made=profile.made)
    profiles.save(again)
    return again, True


def fit(
    features: NDArray[np.float32], logits: NDArray[np.float32], kinds: NDArray[np.int64]
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Softmax regression of a correction of the last layer.

    Args:
        features: (N, V, D) of V views of N crops, scaled to length 1.
        logits: (N, V, 44) of the classifier.
        kinds: (N,) what the crops show.

    Returns:
        weights (D, 44), bias (44,), and centre (D,), see ``Profile``.
    """
    views = features.shape[1]
    x = features.reshape(-1, features.shape[2])
    centre = x.mean(0)
    spread = np.float32(max(float(x.std()), 1e-6))
    x = (x - centre) / spread
    base = logits.reshape(-1, OUTPUTS)
    target = np.repeat(np.eye(OUTPUTS, dtype=np.float32)[kinds], views, axis=0)
    # Every kind counts the same, however many crops of it there are.
    share = np.repeat(1 / np.bincount(kinds, minlength=OUTPUTS)[kinds], views).astype(np.float32)
    share /= share.sum()
    parts = [np.zeros((x.shape[1], OUTPUTS), np.float32), np.zeros(OUTPUTS, np.float32)]
    first, second = [np.zeros_like(p) for p in parts], [np.zeros_like(p) for p in parts]
    for step in range(1, STEPS + 1):  # Adam (Kingma and Ba 2015)
        error = (np.exp(log_softmax(base + x @ parts[0] + parts[1])) - target) * share[:, None]
        for i, slope in enumerate((x.T @ error + DECAY * parts[0], error.sum(0) + DECAY * parts[1])):
            first[i] = 0.9 * first[i] + 0.1 * slope
            second[i] = 0.99 * second[i] + 0.01 * slope**2
            parts[i] = parts[i] - RATE * (first[i] / (1 - 0.9**step)) / (np.sqrt(second[i] / (1 - 0.99**step)) + 1e-8)
    return np.asarray(parts[0] / spread, np.float32), np.asarray(parts[1], np.float32), np.asarray(centre, np.float32)


def _rounds(kinds: NDArray[np.int64]) -> list[NDArray[np.bool_]]:
    """Which crops to keep back in each round of the test, half of each kind; none where no tile was shown twice."""
    seen: Counter[int] = Counter()
    turn = np.zeros(len(kinds), np.int64)
    for i, kind in enumerate(kinds):
        turn[i] = seen[int(kind)]
        seen[int(kind)] += 1
    several = np.array([seen[int(kind)] > 1 and kind <= BACK for kind in kinds], np.bool_)
    return [several & (turn % 2 == half) for half in (0, 1)] if several.any() else []


def _confusions(kinds: NDArray[np.int64], before: NDArray[np.int64], after: NDArray[np.int64]) -> tuple[Confusion, ...]:
    """Every pair that is or was misread in a fifth of the views, the worst now first."""
    names = (*CODES, "back", "none")
    total = Counter(int(k) for k in kinds)
    was = Counter((int(a), int(b)) for a, b in zip(kinds, before, strict=True) if a != b)
    now = Counter((int(a), int(b)) for a, b in zip(kinds, after, strict=True) if a != b)
    pairs = [
        Confusion(names[a], names[b], was[a, b] / total[a], now[a, b] / total[a]) for a, b in was.keys() | now.keys()
    ]
    told = [pair for pair in pairs if max(pair.before, pair.after) >= TOLD]
    return tuple(sorted(told, key=lambda pair: (-pair.after, -pair.before, pair.shown, pair.read_as)))
