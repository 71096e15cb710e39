"""Every step of two demo hands, moves included, read by the real models and tracked: nothing wrong is ever settled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from engine.tiles import CODES, parse_tiles
from vision.detections import iou
from vision.indicator import IndicatorWatch
from vision.synthesis.demo import DemoScript
from vision.table import Table
from vision.tracking import Tracker

if TYPE_CHECKING:
    from vision.reading import Reader, Reading
    from vision.synthesis.demo import Truth


def wrong_settled(answer: Reading, truth: Truth) -> list[tuple[str, str]]:
    """(read as, really) of the settled face-up tiles that are wrong."""
    seen = answer.detections
    overlap = iou(seen.boxes, np.array([b.xyxy for b in truth.boxes], np.float32).reshape(-1, 4))
    wrong = []
    for i in np.flatnonzero(seen.certain & (seen.kind >= 0)):
        real = truth.boxes[int(overlap[i].argmax())].code if overlap[i].max(initial=0) > 0.3 else "nothing"
        if seen.code(int(i)) != real:
            wrong.append((seen.code(int(i)), real))
    return wrong


def concealed(table: Table) -> list[int]:
    hand = [*table.concealed, *([table.drawn] if table.drawn is not None else [])]
    return sorted(int(table.reading.detections.kind[i]) for i in hand)


@pytest.mark.timeout(900)  # a hundred pictures are drawn and read; minutes on a busy machine
@pytest.mark.parametrize("seed", [0, 1])
def test_every_step_of_the_demo_without_a_wrong_settled_tile(reader: Reader, seed: int) -> None:
    script = DemoScript(seed=seed)
    tracker, watch = Tracker(), IndicatorWatch()
    wrong: list[tuple[int, str, list[tuple[str, str]]]] = []
    hands = golds = settled = faces = steps = 0
    for index, span in enumerate(script._spans(0)):
        moving = span.start + 0.6 * (span.still - span.start)
        still = (span.still + span.end) / 2
        for at, frames in ((moving, 1), (still, 4)):
            image, truth = script.frame(at)
            reading = reader.read(image)
            for frame in range(frames):
                answer = tracker.update(reading, still=frame > 0)
                if found := wrong_settled(answer, truth):
                    wrong.append((index, truth.key, found))
                table = Table.from_reading(answer, indicator=watch.index(tracker.ids))
                watch.see(table, tracker.ids)
        if truth.key in {"deal", "laid"}:  # flowers stand among the tiles, or the hand lies flat and open
            continue
        steps += 1
        hands += concealed(table) == sorted(parse_tiles(truth.record["hand"] + truth.record.get("drawn", "")))
        golds += truth.record["gold"] in {None, watch.kind}
        own = [*table.concealed, *(i for meld in table.melds for i in meld.indices)]
        settled += int(answer.detections.certain[own].sum())
        faces += len(own)
        assert watch.kind is None or not watch.sure or watch.kind == truth.record["gold"]
    assert wrong == []
    assert hands >= steps - 2
    assert golds >= steps - 2
    assert watch.sure
    assert CODES.index(watch.kind or "") == parse_tiles(truth.record["gold"])[0]
    assert settled > 0.9 * faces
