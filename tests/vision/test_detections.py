from __future__ import annotations

import json

import numpy as np
import pytest

from tests.vision.conftest import placed
from vision.detections import FACE_DOWN, Detections, iou


def test_empty() -> None:
    nothing = Detections.empty()
    assert len(nothing) == 0
    assert nothing.as_json() == []
    assert nothing.centres.shape == (0, 2)


def test_slicing_takes_all_fields_along() -> None:
    seen = placed([("1m", 50, 50), ("back", 100, 50), ("8f", 150, 50)])
    assert [seen.code(i) for i in range(3)] == ["1m", "back", "8f"]
    up = seen[seen.kind != FACE_DOWN]
    assert len(up) == 2
    assert up.probability.shape == (2, 42)
    assert [up[[1]].code(0)] == ["8f"]
    assert len(seen[:1]) == 1


def test_json_is_that_of_the_reading() -> None:
    (tile,) = placed([("5m", 50, 50)]).as_json()
    assert tile["tile"] == "5m"
    assert tile["certain"] is True
    assert tile["confidence"] == pytest.approx(0.99)
    assert tile["box"] == [30.0, 23.0, 70.0, 77.0]
    assert len(tile["alternatives"]) == 3
    json.dumps(tile)


def test_alternatives_leave_the_best_out() -> None:
    seen = placed([("5m", 50, 50)])
    seen.probability[0, 5] = 0.2
    assert seen.alternatives(0, 1) == [("6m", pytest.approx(0.2))]


def test_iou() -> None:
    a = np.array([[0, 0, 10, 10]], np.float32)
    b = np.array([[5, 0, 15, 10], [0, 0, 10, 10], [20, 20, 30, 30]], np.float32)
    assert iou(a, b)[0] == pytest.approx([1 / 3, 1, 0])
