from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.tiles import INDEX
from tests.vision.conftest import as_reading, placed
from vision.dataset import Photo, save_image
from vision.evaluation import as_text, match, outcome, page, summary


def judged(truth, seen, path: Path = Path("k_1.jpg")):
    labels, found = placed(truth), placed(seen)
    kinds = np.array([INDEX.get(code, 42) for code, _, _ in truth], np.int64)
    photo = Photo(path, labels.boxes, kinds)
    return outcome(photo, photo.boxes, as_reading(found))


def test_all_right(row) -> None:
    o = judged(row("1m 2m 3m", 100, 100), row("1m 2m 3m", 102, 99))
    assert o.exact
    assert o.rows == [True]
    assert o.mistakes == 0


def test_one_wrong_one_missed_one_invented(row) -> None:
    o = judged(row("1m 2m 3m", 100, 100), [*row("1m 5m", 100, 100), ("9p", 600, 600)])
    assert not o.exact
    assert (o.right, len(o.pairs), o.mistakes) == (1, 2, 3)
    assert o.rows == [False]


def test_face_down_tiles_count_neither_way(row) -> None:
    assert judged(row("1m back 3m", 100, 100), row("1m back 3m", 100, 100)).exact
    assert judged(row("1m back 3m", 100, 100), [*row("1m", 100, 100), ("3m", 182, 100)]).exact
    assert not judged(row("1m back 3m", 100, 100), row("1m 2m 3m", 100, 100)).exact


def test_unlabelled_tiles_that_repairs_mention_are_no_inventions(row) -> None:
    truth, seen = placed(row("1m 2m", 100, 100)), placed([*row("1m 2m", 100, 100), ("9p", 600, 600)])
    photo = Photo(Path("a_1.jpg"), truth.boxes, np.array([0, 1]))
    assert not outcome(photo, photo.boxes, as_reading(seen)).exact
    mentioned = replace(photo, unnamed=((580, 580, 660, 680),))
    assert outcome(mentioned, photo.boxes, as_reading(seen)).exact
    # A labelled tile counts wherever a repair's box lies.
    covered = replace(photo, hidden=((0, 0, 1000, 1000),))
    assert outcome(covered, photo.boxes, as_reading(seen[:2])).exact
    assert not outcome(covered, photo.boxes, as_reading(seen[:1])).exact


def test_each_find_is_used_once() -> None:
    truth = np.array([[0, 0, 10, 10], [1, 0, 11, 10]], np.float32)
    assert match(truth, truth[:1]) == [(0, 0)]


def test_summary(row) -> None:
    outcomes = [
        judged(row("1m 2m 3m 4m", 100, 100), row("1m 2m 3m 4m", 100, 100)),
        judged(row("1m 2m 3m 4m", 100, 100), row("1m 2m 3m 6s", 100, 100)),
    ]
    figures = summary(outcomes)
    assert figures["exact_photos"] == 1
    assert figures["exact_photo_rate"] == 0.5
    assert figures["exact_row_rate"] == 0.5
    assert figures["located"] == 1
    assert figures["named_when_located"] == pytest.approx(7 / 8)
    assert figures["precision"] == figures["recall"] == pytest.approx(7 / 8)
    assert figures["confusions"] == [{"is": "4m", "read_as": "6s", "count": 1}]
    assert figures["kinds"]["4m"] == {"tiles": 2, "recall": 0.5, "precision": 1.0}
    assert figures["calibration"]["certain_wrong"] == 1
    assert sum(b["tiles"] for b in figures["calibration"]["bins"]) == 8
    json.dumps(figures)
    assert "1 of 2 photos exact" in as_text(figures)


def test_summary_of_nothing() -> None:
    with pytest.raises(ValueError, match="no photos"):
        summary([])


def test_page_shows_the_worst_photos_and_escapes_names(row, tmp_path: Path) -> None:
    paths = [tmp_path / "good.png", tmp_path / "bad & ugly.png"]
    for path in paths:
        save_image(path, np.zeros((200, 300, 3), np.uint8))
    outcomes = [
        judged(row("1m 2m", 100, 100), row("1m 2m", 100, 100), paths[0]),
        judged(row("1m 2m", 100, 100), row("1m 9p", 100, 100), paths[1]),
    ]
    text = page(outcomes, summary(outcomes), "a <test>")
    assert "bad &amp; ugly.png" in text
    assert "good.png" not in text
    assert "a &lt;test&gt;" in text
