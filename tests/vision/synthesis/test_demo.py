from collections import Counter

import numpy as np
import pytest

from engine.tiles import CODES, parse_tiles
from vision.synthesis.demo import SCRIPTS, DemoScript

SMALL = (640, 360)


@pytest.fixture(scope="module")
def demo():
    return DemoScript(seed=1, size=SMALL)


def still_time(demo, key, which=0):
    spans = [span for span in demo._spans(0) if span.step.key == key]
    return spans[which].still + 0.05


def record_tiles(record):
    texts = [
        record["hand"],
        record.get("drawn", ""),
        record["flowers"],
        record["table"]["visible"],
        record["gold"] or "",
    ]
    texts += [meld["tiles"] for meld in record["melds"]]
    if "win" in record:
        texts.append(record["win"]["tile"])
    return Counter(CODES[kind] for text in texts for kind in parse_tiles(text))


@pytest.mark.parametrize("key", ["deal", "gold", "pong", "choice", "youjin", "laid"])
def test_the_truth_of_a_still_frame_names_every_face_on_the_table(demo, key):
    image, truth = demo.frame(still_time(demo, key))
    assert image.shape == (360, 640, 3)
    assert image.dtype == np.uint8
    assert truth.settled
    assert truth.key == key
    assert truth.note == truth.caption.zh_hant
    faces = [box for box in truth.boxes if box.code != "back"]
    assert Counter(box.code for box in faces) == (
        record_tiles(truth.record) if key != "deal" else Counter(b.code for b in faces)
    )
    assert all(box.visible > 0.97 for box in faces), [(box.code, box.visible) for box in faces if box.visible <= 0.97]
    for box in faces:
        left, top, right, bottom = box.xyxy
        assert min(right - left, bottom - top) > 12


def test_the_deal_shows_sixteen_tiles_with_the_flowers_among_them(demo):
    _, truth = demo.frame(still_time(demo, "deal"))
    assert sum(box.code != "back" for box in truth.boxes) == 16
    assert truth.record["gold"] is None


def test_frames_do_not_depend_on_the_order_in_which_they_are_asked_for():
    times = [3.0, 12.3, 7.7, 12.45]
    one, two = DemoScript(seed=2, size=SMALL), DemoScript(seed=2, size=SMALL)
    first = {time: one.frame(time)[0] for time in times}
    second = {time: two.frame(time)[0] for time in reversed(times)}
    assert all(np.array_equal(first[time], second[time]) for time in times)


def test_still_frames_differ_by_noise_only_and_moves_by_more(demo):
    span = next(span for span in demo._spans(0) if span.step.key == "discard")
    one, two = (demo.frame(span.still + offset)[0].astype(int) for offset in (0.2, 0.6))
    assert 0 < np.abs(one - two).mean() < 6
    moving, truth = demo.frame(span.start + 0.4 * (span.still - span.start))
    assert not truth.settled
    assert (np.abs(moving.astype(int) - one).max(axis=2) > 60).mean() > 0.01


def test_every_step_can_be_read_before_the_next_begins(demo):
    for span in demo._spans(0):
        assert span.end - span.still >= 1.2
    keys = {"draw", "discard", "pong", "ready", "choice", "youjin", "win", "laid"}
    assert all(span.end - span.still >= 2.0 for span in demo._spans(0) if span.step.key in keys)


def test_speed_shortens_everything():
    assert DemoScript(size=SMALL, speed=4).duration() == pytest.approx(DemoScript(size=SMALL).duration() / 4)
    with pytest.raises(ValueError, match="positive"):
        DemoScript(speed=0)


def test_the_next_script_follows_and_all_scripts_come_round(demo):
    _, first = demo.frame(0.1)
    _, second = demo.frame(demo.duration() + 3.0)
    assert (first.script, second.script) == (1, 2)
    assert {demo._number(hand) for hand in range(SCRIPTS)} == set(range(SCRIPTS))
    assert demo._number(SCRIPTS) == demo._number(0)


def test_iterating_gives_the_steps_of_the_hand(demo):
    steps = list(demo)
    assert steps[0].key == "deal"
    assert steps[-1].record["youjin"] == 1
    _, truth = demo.frame(still_time(demo, "laid"))
    assert truth.record == steps[-1].record


def test_times_before_the_start_count_as_the_start(demo):
    assert demo.frame(-5.0)[1].index == 0


@pytest.mark.parametrize("part", [0.1, 0.5, 0.7])
def test_boxes_during_a_move_leave_out_what_the_hand_hides(demo, part):
    span = next(span for span in demo._spans(0) if span.step.key == "pong")
    _, truth = demo.frame(span.start + part * (span.still - span.start))
    _, before = demo.frame(span.start - 0.05)
    assert not truth.settled
    shown = sum(box.visible > 0.98 for box in truth.boxes)
    assert shown < sum(box.visible > 0.98 for box in before.boxes)
