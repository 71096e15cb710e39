import numpy as np
import pytest

from vision.classifier import LOOKS, OUTPUTS, Classifier
from vision.crops import SIDE, cut, middle, resized, seen_side, store, stored_side, turned
from vision.reading import MODELS

STORE = stored_side(SIDE)


def marked(x, y):
    """A stored crop with a bright spot ``x`` to the right of and ``y`` below its middle, in pixels of the result."""
    crop = np.zeros((STORE, STORE, 3), np.uint8)
    across, down = round((STORE - 1) / 2 + x), round((STORE - 1) / 2 + y)
    crop[down - 2 : down + 3, across - 2 : across + 3] = 255
    return crop


def spot(view):
    rows, columns = np.nonzero(view.max(2) > 128)
    return columns.mean() - (SIDE - 1) / 2, rows.mean() - (SIDE - 1) / 2


def test_looked_at_straight_a_crop_is_its_middle():
    stored = np.random.default_rng(1).integers(0, 256, (3, STORE, STORE, 3), dtype=np.uint8)
    assert np.array_equal(turned(stored, 0.0), middle(stored))


@pytest.mark.parametrize(("degrees", "expected"), [(90, (0, -16)), (180, (-16, 0)), (270, (0, 16)), (0, (16, 0))])
def test_turned_counter_clockwise(degrees, expected):
    assert spot(turned(marked(16, 0)[None], degrees)[0]) == pytest.approx(expected, abs=0.8)


def test_looked_at_from_nearer_everything_moves_out():
    assert spot(turned(marked(16, 8)[None], 0.0, 1.25)[0]) == pytest.approx((20, 10), abs=0.8)


def test_no_crop_no_view():
    assert turned(np.empty((0, STORE, STORE, 3), np.uint8), 20.0).shape == (0, SIDE, SIDE, 3)


@pytest.mark.parametrize("side", [32, 48, 64, 80, 96, 128])
def test_crops_of_every_size_show_the_same_part_of_the_picture(side):
    image = np.zeros((200, 200, 3), np.uint8)
    image[:, 100:] = 200  # the right half is bright
    box = np.array([(70, 60, 130, 140)], np.float32)
    stored = store(image, box, side)
    assert stored.shape[1] == stored_side(side)
    assert seen_side(stored) == side
    seen = middle(stored)
    assert seen.shape == turned(stored, 20.0).shape == (1, side, side, 3)
    for view in (seen, cut(image, box, side)):
        assert view[0, side // 2, side // 2 - 3].max() == 0
        assert view[0, side // 2, side // 2 + 3].min() == 200


@pytest.mark.parametrize("side", [46, 92, STORE, 2 * STORE])
def test_crops_stored_by_another_version_show_the_same(side):
    once = np.zeros((2, side, side, 3), np.uint8)
    once[1, : side // 2] = 200  # the second one's upper half is bright
    now = resized(once, SIDE)
    assert now.shape == (2, STORE, STORE, 3)
    assert now[0].max() == 0
    assert abs(now[1, : STORE // 2 - 3].mean() - 200) < 1
    assert now[1, STORE // 2 + 3 :].mean() < 1
    assert resized(once[:0], SIDE).shape == (0, STORE, STORE, 3)


def test_whoever_is_unsure_looks_again_in_every_way_and_believes_the_mean(monkeypatch):
    classifier = Classifier(MODELS / "classifier.onnx", 1)
    image = np.random.default_rng(2).integers(0, 256, (300, 300, 3), dtype=np.uint8)
    boxes = np.array([(40, 40, 100, 120), (150, 60, 210, 140)], np.float32)
    asked = []

    def logits(crops):
        asked.append(crops)
        answer = np.zeros((len(crops), OUTPUTS), np.float32)
        if len(asked) == 1:
            answer[0, 3], answer[1, 5] = 50.0, 4.0  # sure of the first tile, not of the second
        else:
            answer[:, 7] = 4.0
        return answer

    monkeypatch.setattr(classifier, "logits", logits)
    probability = classifier.probabilities(image, boxes)
    assert probability.argmax(1).tolist() == [3, 7]
    assert probability.sum(1) == pytest.approx(1, abs=1e-5)
    assert [len(crops) for crops in asked] == [2, len(LOOKS)]
    again = store(image, boxes[1:], classifier.side)
    for view, (degrees, size) in zip(asked[1], LOOKS, strict=True):
        assert np.array_equal(view, turned(again, degrees, size)[0])
