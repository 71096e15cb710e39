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


def at(reading, x: float, y: float = 600) -> int:
    """Index of the tile that lies at a place."""
    return int(np.linalg.norm(reading.detections.centres - np.array([x, y]), axis=1).argmin())


def settled(reading) -> list[bool]:
    return [bool(reading.detections.certain[i]) for row in reading.rows for i in row]


def watch(tracker: Tracker, tiles, frames: int = 4):
    for _ in range(frames):
        answer = tracker.update(as_reading(placed(tiles)))
    return answer


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


def test_one_bad_frame_puts_the_tile_in_doubt_and_changes_nothing_else(row) -> None:
    tracker, good = Tracker(), placed(row(HAND, 100, 600))
    for _ in range(5):
        tracker.update(as_reading(good))
    ids = tracker.ids
    answer = tracker.update(as_reading(doubtful(good, 4, "9p", 0.95)))
    assert codes(answer) == HAND.split()
    assert list(np.flatnonzero(~answer.detections.certain)) == [4]
    for _ in range(5):
        answer = tracker.update(as_reading(good))
    assert answer.detections.certain.all()
    assert tracker.ids == ids


def test_a_tile_seen_half_and_half_is_never_settled(row) -> None:
    tracker, good = Tracker(), placed(row(HAND, 100, 600))
    for k in range(12):
        answer = tracker.update(as_reading(doubtful(good, 4, "9p", 0.55 if k % 2 else 0.45)))
    assert list(np.flatnonzero(~answer.detections.certain)) == [4]


def test_another_tile_in_the_same_place_is_in_doubt_at_once_and_gets_an_id_of_its_own(row) -> None:
    tracker, place = Tracker(), 100 + 4 * 41
    watch(tracker, row(HAND, 100, 600), 6)
    before = tracker.ids[4]
    shown = []
    for _ in range(7):
        answer = tracker.update(as_reading(placed(row(HAND.replace("6p", "9p"), 100, 600))))
        index = at(answer, place)
        shown.append((answer.detections.code(index), bool(answer.detections.certain[index])))
    assert shown[:2] == [("6p", False), ("6p", False)]
    assert shown[2:] == [("9p", True)] * 5
    assert tracker.ids[at(answer, place)] != before


@pytest.mark.parametrize("gap", [1, 2, 3, 5, 6, 7])
def test_a_tile_drawn_to_the_place_of_the_last_one_inherits_nothing(row, gap: int) -> None:
    hand, place = row(HAND, 100, 600), 100 + 13 * 41 + 20
    tracker = Tracker()
    watch(tracker, [*hand, ("8p", place, 600)])
    before = tracker.ids[-1]
    watch(tracker, hand, gap)
    for frame in range(5):
        answer = tracker.update(as_reading(placed([*hand, ("1z", place, 600)])))
        index = at(answer, place)
        assert answer.detections.code(index) == "1z"
        assert tracker.ids[index] != before
        assert bool(answer.detections.certain[index]) == (frame >= 2)


def test_the_first_frame_without_a_tile_puts_it_in_doubt(row) -> None:
    hand, place = row(HAND, 100, 600), 100 + 13 * 41 + 20
    tracker = Tracker()
    watch(tracker, [*hand, ("8p", place, 600)])
    for frame in range(4):
        answer = tracker.update(as_reading(placed(hand)))
        assert len(codes(answer)) == (14 if frame < 2 else 13)
        assert settled(answer)[:13] == [True] * 13
        assert not any(settled(answer)[13:])


def test_a_row_that_closes_up_keeps_its_ids_and_is_agreed_on_anew(row) -> None:
    tracker = Tracker()
    watch(tracker, row("1m 3m 5p 7p 3z 7s 9s", 100, 600))
    ids = list(tracker.ids)
    answer = tracker.update(as_reading(placed(row("1m 3m 7p 3z 7s 9s", 100, 600))))
    assert codes(answer) == ["1m", "3m", "7p", "3z", "7s", "9s"]
    assert settled(answer) == [True, True, False, False, False, False]
    assert sorted(tracker.ids) == sorted(ids[:2] + ids[3:])
    assert all(settled(watch(tracker, row("1m 3m 7p 3z 7s 9s", 100, 600), 2)))


def test_a_row_sorted_anew_is_never_settled_as_it_was(row) -> None:
    tracker, after = Tracker(), "9s 1m 5p 3z 3m 7s 7p"
    watch(tracker, row("1m 3m 5p 7p 3z 7s 9s", 100, 600))
    for _ in range(8):
        answer = tracker.update(as_reading(placed(row(after, 100, 600))))
        assert all(
            answer.detections.code(i) == after.split()[round((answer.detections.centres[i][0] - 100) / 41)]
            for i in np.flatnonzero(answer.detections.certain)
        )
    assert codes(answer) == after.split()
    assert all(settled(answer))


def test_a_hand_over_the_table_freezes_what_it_covers(row) -> None:
    hand, pool = row(HAND, 100, 600), row("1z 9m 2s 8p 6z", 300, 300)
    tracker = Tracker()
    watch(tracker, hand + pool)
    ids = list(tracker.ids)
    assert tracker.correct(ids[5], "8p")
    for _ in range(12):  # longer than a missing tile is remembered
        answer = tracker.update(as_reading(placed(hand[:3] + hand[9:] + pool)))
        assert tracker.frozen
        assert tracker.ids == ids
        assert not answer.detections.certain[3:9].any()
        assert answer.detections.certain[9:].all()
    answer = tracker.update(as_reading(placed(hand + pool)))
    assert not tracker.frozen
    assert tracker.ids == ids
    assert answer.detections.certain.all()
    assert answer.detections.code(5) == "8p"


def test_what_a_hand_half_covers_is_not_taken_for_another_tile(row) -> None:
    hand = row(HAND, 100, 600)
    tracker = Tracker()
    watch(tracker, hand)
    half = [*hand[:3], ("9p", *hand[3][1:]), *hand[8:]]
    for _ in range(8):
        answer = tracker.update(as_reading(placed(half)))
        index = at(answer, hand[3][1])
        assert (answer.detections.code(index), bool(answer.detections.certain[index])) == ("5p", False)
    assert codes(tracker.update(as_reading(placed(hand)))) == HAND.split()


def test_what_was_taken_away_is_gone_soon_after_the_picture_is_still(row) -> None:
    tracker = Tracker()
    watch(tracker, row(HAND, 100, 600))
    tracker.update(as_reading(placed(row("1m 2m 3m", 100, 600))))
    assert tracker.frozen
    frames = 0
    while tracker.waiting:
        answer = tracker.update(as_reading(placed(row("1m 2m 3m", 100, 600))), still=True)
        frames += 1
        assert frames < 10
    assert codes(answer) == ["1m", "2m", "3m"]
    assert all(settled(answer))


def test_what_something_moves_over_is_in_doubt_until_it_is_seen_again(row) -> None:
    tracker, seen = Tracker(), as_reading(placed(row(HAND, 100, 600)))
    for _ in range(4):
        tracker.update(seen)
    ids = list(tracker.ids)
    assert len(tracker.doubtful) == 0
    for _ in range(30):  # however long it moves: nothing is read meanwhile
        answer = tracker.cover(seen, [(150, 500, 270, 719)])
    assert codes(answer) == HAND.split()
    assert list(np.flatnonzero(~answer.detections.certain)) == [1, 2, 3, 4]
    assert len(tracker.doubtful) == 4
    assert tracker.waiting
    answer = tracker.update(seen)
    assert answer.detections.certain.all()
    assert tracker.ids == ids
    assert not tracker.waiting


def test_a_row_that_closes_up_under_a_hand_keeps_its_ids(row) -> None:
    tracker, seen = Tracker(), as_reading(placed(row("1m 3m 5p 7p 3z 7s 9s", 100, 600)))
    for _ in range(4):
        tracker.update(seen)
    ids = list(tracker.ids)
    tracker.cover(seen, [(160, 500, 400, 719)])
    answer = tracker.update(as_reading(placed(row("1m 3m 7p 3z 7s 9s", 100, 600))))
    assert codes(answer) == ["1m", "3m", "7p", "3z", "7s", "9s"]
    assert sorted(tracker.ids) == sorted(ids[:2] + ids[3:])
    assert settled(answer)[2:] == [False] * 4  # agreed on anew


def test_another_tile_laid_under_a_hand_inherits_nothing(row) -> None:
    tracker, seen = Tracker(), as_reading(placed(row(HAND, 100, 600)))
    for _ in range(4):
        tracker.update(seen)
    before = tracker.ids[4]
    tracker.cover(seen, [(240, 500, 290, 719)])
    answer = tracker.update(as_reading(placed(row(HAND.replace("6p", "9p"), 100, 600))))
    index = at(answer, 100 + 4 * 41)
    assert (answer.detections.code(index), bool(answer.detections.certain[index])) == ("9p", False)
    assert tracker.ids[index] != before


def test_corrections_of_another_run_find_their_tiles(row) -> None:
    first = Tracker()
    seen = as_reading(placed(row(HAND, 100, 600)))
    first.update(seen)
    assert first.correct(first.ids[4], "9p")
    assert first.correct(first.ids[7], "back")
    pins = first.pins
    assert [(pin.tile, pin.looks) for pin in pins] == [("9p", "6p"), ("back", "3z")]
    again = Tracker()
    assert again.recall(pins) == pins  # nothing was seen yet
    again.update(as_reading(placed(row(HAND.replace("3z 3z", "3z 1z"), 100, 600))))
    assert again.recall(pins) == pins[1:]  # another tile lies there
    answer = again.newest(seen)
    assert answer.detections.code(4) == "9p"
    assert answer.detections.certain[4]
    assert again.recall(pins[:1]) == pins[:1]  # it is pinned already


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
    for _ in range(12):
        answer = tracker.update(as_reading(Detections.empty()), still=True)
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
    first = tracker.update(as_reading(other))
    assert not first.detections.certain[4]
    for _ in range(6):
        answer = tracker.update(as_reading(other))
    index = at(answer, 100 + 4 * 41)
    assert answer.detections.code(index) == "2z"
    assert answer.detections.certain[index]


def test_a_correction_outlives_a_missed_frame_and_ends_when_the_tile_vanishes(row) -> None:
    hand, place = row(HAND, 100, 600), 100 + 13 * 41 + 20
    tracker = Tracker()
    watch(tracker, [*hand, ("8p", place, 600)])
    assert tracker.correct(tracker.ids[-1], "9p")
    watch(tracker, hand, 1)
    answer = watch(tracker, [*hand, ("8p", place, 600)], 1)
    assert answer.detections.code(at(answer, place)) == "9p"
    watch(tracker, hand, 3)
    answer = watch(tracker, [*hand, ("8p", place, 600)], 1)
    assert answer.detections.code(at(answer, place)) == "8p"
    assert not answer.detections.certain[at(answer, place)]


def test_a_correction_holds_while_the_picture_misleads_in_changing_ways(row) -> None:
    tracker, seen = Tracker(), placed(row(HAND, 100, 600))
    tracker.update(as_reading(doubtful(seen, 4, "9p", 0.5)))
    assert tracker.correct(tracker.ids[4], "4p")
    for k in range(10):
        answer = tracker.update(as_reading(doubtful(seen, 4, "9p", (0.05, 0.5, 0.95)[k % 3])))
        assert answer.detections.code(4) == "4p"
        assert answer.detections.certain[4]


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
