from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.tiles import INDEX
from tests.vision.conftest import as_reading, placed
from vision.detections import Detections
from vision.tracking import Tracker

HAND = "1m 2m 3m 5p 6p 7p 3z 3z 7s 8s 9s 4m 4m"


def codes(reading) -> list[str]:
    return [reading.detections.code(i) for row in reading.rows for i in row]


def doubtful(detections: Detections, index: int, wrong: str, share: float) -> Detections:
    """The same, with one tile read as ``wrong``."""
    kind, probability = detections.kind.copy(), detections.probability.copy()
    right = int(kind[index])
    probability[index, right] = 1 - share
    probability[index, INDEX[wrong]] = share
    kind[index] = INDEX[wrong] if share > 0.5 else right
    certain = detections.certain.copy()
    certain[index] = False
    return replace(detections, kind=kind, probability=probability, certain=certain)


def test_a_still_row_settles_after_three_frames_and_keeps_its_ids(row) -> None:
    tracker, seen = Tracker(), as_reading(placed(row(HAND, 100, 600)))
    first = tracker.update(seen)
    ids = tracker.ids
    assert not first.detections.certain.any()
    tracker.update(seen)
    third = tracker.update(seen)
    assert third.detections.certain.all()
    assert tracker.ids == ids
    assert codes(third) == HAND.split()


def test_one_photo_settles_what_is_certain(row) -> None:
    seen = doubtful(placed(row(HAND, 100, 600)), 4, "9p", 0.4)
    answer = Tracker(frames_to_settle=1).update(as_reading(seen))
    assert list(np.flatnonzero(~answer.detections.certain)) == [4]


def test_one_bad_frame_changes_nothing(row) -> None:
    tracker, good = Tracker(), placed(row(HAND, 100, 600))
    for _ in range(5):
        tracker.update(as_reading(good))
    answer = tracker.update(as_reading(doubtful(good, 4, "9p", 0.95)))
    assert codes(answer) == HAND.split()
    assert answer.detections.certain.all()


def test_a_tile_seen_half_and_half_is_never_settled(row) -> None:
    tracker, good = Tracker(), placed(row(HAND, 100, 600))
    for k in range(12):
        answer = tracker.update(as_reading(doubtful(good, 4, "9p", 0.55 if k % 2 else 0.45)))
    assert list(np.flatnonzero(~answer.detections.certain)) == [4]


def test_another_tile_in_the_same_place_is_noticed(row) -> None:
    tracker, before = Tracker(), placed(row(HAND, 100, 600))
    after = placed(row(HAND.replace("6p", "9p"), 100, 600))
    for _ in range(6):
        tracker.update(as_reading(before))
    answers = [tracker.update(as_reading(after)) for _ in range(6)]
    assert answers[-1].detections.code(4) == "9p"
    assert answers[-1].detections.certain.all()
    assert not any(a.detections.certain[4] for a in answers if a.detections.code(4) == "9p" and a is answers[2])


def test_a_hand_passing_over_does_not_lose_the_tiles(row) -> None:
    tracker, full = Tracker(), placed(row(HAND, 100, 600))
    for _ in range(4):
        tracker.update(as_reading(full))
    ids = tracker.ids
    answer = tracker.update(as_reading(full[[0, 1, 2, 3, 9, 10, 11, 12]]))
    assert codes(answer) == HAND.split()
    answer = tracker.update(as_reading(full))
    assert sorted(tracker.ids) == sorted(ids)


def test_tiles_taken_away_are_gone_after_a_few_frames(row) -> None:
    tracker, full = Tracker(), placed(row(HAND, 100, 600))
    for _ in range(4):
        tracker.update(as_reading(full))
    for _ in range(4):
        answer = tracker.update(as_reading(full[:12]))
    assert codes(answer) == HAND.split()[:12]
    for _ in range(9):
        answer = tracker.update(as_reading(Detections.empty()))
    assert codes(answer) == []
    assert tracker.tracks == []


def test_a_nudged_camera_keeps_ids_and_corrections(row) -> None:
    tracker = Tracker()
    for _ in range(4):
        tracker.update(as_reading(placed(row(HAND, 100, 600))))
    ids = list(tracker.ids)
    assert tracker.correct(ids[0], "9m")
    moved = as_reading(placed(row(HAND, 100 + 57, 600 - 33)))
    answer = tracker.update(moved)
    assert tracker.ids == ids
    assert answer.detections.code(0) == "9m"


def test_a_correction_holds_until_the_tile_is_replaced(row) -> None:
    tracker, seen = Tracker(), placed(row(HAND, 100, 600))
    tracker.update(as_reading(seen))
    assert tracker.correct(tracker.ids[4], "9p")
    for _ in range(8):
        answer = tracker.update(as_reading(seen))
    assert answer.detections.code(4) == "9p"
    assert answer.detections.certain[4]
    assert answer.detections.alternatives(4, 1)[0][1] == 0
    other = placed(row(HAND.replace("6p", "2z"), 100, 600))
    for _ in range(6):
        answer = tracker.update(as_reading(other))
    assert answer.detections.code(4) == "2z"


def test_a_correction_ends_when_the_tile_moves_away(row) -> None:
    tracker, seen = Tracker(), placed([("6p", 300, 300), *row("1m 2m 3m 4m 5m", 100, 600)])
    for _ in range(3):
        tracker.update(as_reading(seen))
    tracker.correct(tracker.ids[0], "9p")
    for x in range(300, 420, 12):
        answer = tracker.update(as_reading(placed([("6p", x, 300), *row("1m 2m 3m 4m 5m", 100, 600)])))
    assert answer.detections.code(0) == "6p"


def test_a_correction_can_be_taken_back(row) -> None:
    tracker, seen = Tracker(), placed(row(HAND, 100, 600))
    tracker.update(as_reading(seen))
    number = tracker.ids[4]
    tracker.correct(number, "back")
    assert tracker.update(as_reading(seen)).detections.kind[4] == -1
    assert tracker.release(number)
    for _ in range(3):
        answer = tracker.update(as_reading(seen))
    assert codes(answer) == HAND.split()


def test_corrections_of_nothing() -> None:
    tracker = Tracker()
    assert not tracker.correct(7, "1m")
    assert not tracker.release(7)
    with pytest.raises(ValueError, match="10m"):
        tracker.correct(7, "10m")


def test_five_of_a_kind_is_in_doubt_even_when_every_vote_agrees(row) -> None:
    tracker = Tracker()
    for _ in range(4):
        answer = tracker.update(as_reading(placed(row("1m 1m 1m 1m 1m 2m", 100, 600))))
    assert [p.code for p in answer.problems] == ["too_many"]
    assert list(answer.detections.certain) == [False] * 5 + [True]


def test_reset(row) -> None:
    tracker = Tracker()
    tracker.update(as_reading(placed(row(HAND, 100, 600))))
    tracker.reset()
    assert tracker.tracks == []
    assert tracker.ids == []
