"""The demo's table, seen without error, must be laid out by ``vision.table`` as the script means it."""

import numpy as np
import pytest

from engine.tiles import CODES, INDEX, parse_tiles
from vision.detections import Detections
from vision.reading import Reading
from vision.synthesis.demo import DemoScript
from vision.table import Table


@pytest.fixture(scope="module")
def demo():
    return DemoScript(seed=4)


def perfect_reading(boxes, width, height):
    count = len(boxes)
    kind = np.array([INDEX.get(box.code, -1) for box in boxes], np.int16)
    probability = np.zeros((count, len(CODES)), np.float32)
    probability[kind >= 0, kind[kind >= 0]] = 1
    detections = Detections(
        np.array([box.xyxy for box in boxes], np.float32),
        np.ones(count, np.float32),
        kind,
        probability,
        np.ones(count, bool),
        np.zeros(count, np.float32),
    )
    return Reading(detections, [], [], 0.0, width, height)


@pytest.mark.parametrize("key", ["gold", "draw", "pong", "ready", "choice", "youjin", "win", "laid"])
def test_hand_melds_flowers_and_gold_are_found_where_they_lie(demo, key):
    span = next(span for span in demo._spans(0) if span.step.key == key)
    image, truth = demo.frame(span.still + 0.05)
    seen = Table.from_reading(perfect_reading(truth.boxes, image.shape[1], image.shape[0])).as_record("xiamen")
    meant = truth.record
    drawn = meant.get("drawn") or meant.get("win", {}).get("tile")
    assert sorted(parse_tiles(seen["hand"])) == sorted(parse_tiles(meant["hand"]))
    assert seen.get("drawn") == drawn
    assert seen["gold"] == meant["gold"]
    assert sorted(parse_tiles(seen["flowers"])) == sorted(parse_tiles(meant["flowers"]))
    assert [meld["tiles"] for meld in seen["melds"]] == [meld["tiles"] for meld in meant["melds"]]
    assert sorted(parse_tiles(seen["table"]["visible"])) == sorted(parse_tiles(meant["table"]["visible"]))
