"""The drawn demo is read by the real models, frame by frame, without a wrong settled tile."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from vision.detections import iou
from vision.synthesis.demo import DemoScript
from vision.tracking import Tracker

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vision.reading import Reader, Reading
    from vision.synthesis.demo import Truth

FRAMES = 4
"""Readings of each step: enough to settle."""


def steps(script: DemoScript, count: int) -> Iterator[float]:
    """Times at which the table of ``count`` steps, spread over the hand, stands still."""
    still: list[float] = []
    last = -1
    for at in np.arange(1.0, script.duration(0) - 0.5, 0.5):
        truth = script.frame(float(at))[1]
        if truth.settled and truth.index != last:
            last = truth.index
            still.append(float(at))
    chosen = np.linspace(2, len(still) - 1, count).round().astype(int)
    yield from (still[i] for i in dict.fromkeys(chosen.tolist()))


def wrong_settled(answer: Reading, truth: Truth) -> list[tuple[str, str]]:
    """(read as, really) of the settled tiles that are wrong."""
    seen = answer.detections
    overlap = iou(seen.boxes, np.array([b.xyxy for b in truth.boxes], np.float32))
    wrong = []
    for i in np.flatnonzero(seen.certain & (seen.kind >= 0)):
        real = truth.boxes[int(overlap[i].argmax())].code if overlap[i].max() > 0.3 else "nothing"
        if seen.code(int(i)) != real:
            wrong.append((seen.code(int(i)), real))
    return wrong


def test_another_hand_is_read_without_a_wrong_settled_tile(reader: Reader) -> None:
    """`test_demo_tracking` reads the first two scripts step by step; this looks into a later one."""
    script = DemoScript(seed=5)
    tracker = Tracker()
    for at in steps(script, 8):
        for k in range(FRAMES):
            image, truth = script.frame(at + 0.05 * k)
            answer = tracker.update(reader.read(image))
        assert wrong_settled(answer, truth) == []
        json.dumps(answer.as_json("demo"))
