"""How soon after the last movement the page is told what lies there, and how soon it is settled, on rendered sequences.

    python tests/bench/bench_settling.py [SECONDS]

The demo's table, hands and all, is filmed by a good camera and by a bad one (dim, noisy, compressed) at 10 and at 30 frames
a second. The real loop runs on it with the real models and a clock of its own: a reading takes as long as the processor
time it needs, shared by two cores, so that the figures do not depend on what else this machine does. What the page itself
needs (`bench_page.py`) comes on top.
"""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from vision.camera import Frame
from vision.detections import iou
from vision.reading import Reader
from vision.synthesis.demo import DemoScript, Truth
from vision.synthesis.optics import add_noise, compress
from webui.config import Config
from webui.live import Loop

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

CORES = 2


class Clock:
    """Seconds that pass only when somebody lets them."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Film:
    """A source whose frames are drawn when they are asked for; waiting for one lets the clock run."""

    still = False
    status = None

    def __init__(self, clock: Clock, seconds: float, rate: float, *, bad: bool) -> None:
        self.clock, self.end, self.rate, self.bad = clock, seconds, rate, bad
        self.script = DemoScript(seed=1)
        self.start = self.script._spans(0)[2].start
        self.noise = np.random.default_rng(3)
        self.loop: Loop | None = None
        self.truths: dict[int, Truth] = {}
        self.shown = 0

    def latest(self, after: int = 0, timeout: float = 0.0) -> Frame | None:
        newest = int(self.clock.now * self.rate) + 1
        if newest <= after:
            self.clock.now = min((newest + 1e-6) / self.rate, self.clock.now + max(timeout, 0.001))
            newest = int(self.clock.now * self.rate) + 1
        if self.clock.now >= self.end and self.loop is not None:
            self.loop._wake.set()
        if newest <= after:
            return None
        at = (newest - 1) / self.rate
        image, truth = self.script.frame(self.start + at)
        if self.bad:
            dim = image.astype(np.float32) * 0.5
            image = compress(add_noise(dim, 5.0, self.noise), 60)
        self.truths[newest] = truth
        self.shown = newest
        return Frame(newest, np.ascontiguousarray(image), at)


class TimedEyes:
    """The reader, whose work lets the clock run."""

    def __init__(self, clock: Clock) -> None:
        self.clock, self._reader = clock, Reader(threads=CORES)
        self.took: list[float] = []

    def load(self) -> None:
        """It is loaded."""

    @contextmanager
    def reader(self) -> Iterator[Reader]:
        began = time.process_time()
        yield self._reader
        spent = (time.process_time() - began) / CORES
        self.took.append(spent)
        self.clock.now += spent


@dataclass
class Shown:
    """What the page was told: when, of which frame, and the tiles."""

    at: float
    frame: int
    tiles: list[dict[str, Any]]


def boxes_of(truth: Truth) -> NDArray[np.float32]:
    """(N, 4) of the tiles that lie face up, and their codes."""
    return np.array([box.xyxy for box in truth.boxes], np.float32).reshape(-1, 4)


def run(seconds: float, rate: float, *, bad: bool) -> None:
    """Film, watch, and print the figures."""
    clock = Clock()
    eyes, film = TimedEyes(clock), Film(clock, seconds, rate, bad=bad)
    loop = Loop(Config(source="film"), eyes, clock=clock)  # type: ignore[arg-type]
    film.loop = loop
    told: list[Shown] = []
    publish = loop.board.publish

    def note(state: dict[str, Any]) -> bool:
        told.append(Shown(clock.now, film.shown, state["tiles"]))
        return publish(state)

    loop.board.publish = note  # type: ignore[method-assign]
    loop._watch_source(film)  # type: ignore[arg-type]

    settling: list[float] = []
    showing: list[float] = []
    never = disturbed = wrong = claims = 0
    frames = sorted(film.truths)
    spans: list[tuple[float, float, Truth]] = []  # from when, until when, what lies there
    for span in film.script._spans(0):
        begin, finish = span.still - film.start, span.end - film.start
        inside = [number for number in frames if begin <= (number - 1) / rate < finish]
        if inside and finish < seconds and span.step.key != "deal":
            spans.append(((inside[0] - 1) / rate, finish, film.truths[inside[0]]))
    for shown in told:
        truth = film.truths.get(shown.frame)
        if truth is None or not truth.settled or not shown.tiles:
            continue
        over = iou(np.array([tile["box"] for tile in shown.tiles], np.float32), boxes_of(truth))
        for tile, row in zip(shown.tiles, over, strict=True):
            if tile["certain"] and tile["tile"] is not None:
                claims += 1
                real = truth.boxes[int(row.argmax())].code if row.max() > 0.3 else None
                wrong += real != tile["tile"]
    for begin, finish, truth in spans:
        before = [shown for shown in told if shown.at < begin]
        during = [shown for shown in told if begin <= shown.at < finish]
        if news := [shown.at for shown in during if (shown.frame - 1) / rate >= begin - 1e-3]:
            showing.append(news[0] - begin)
        for box in truth.boxes:
            if box.code == "back":
                continue
            history = [(begin, settled(before[-1], box))] if before else []
            history += [(shown.at, settled(shown, box)) for shown in during]
            if not history or history[0][1]:
                continue  # nothing had disturbed it
            disturbed += 1
            if not history[-1][1]:
                never += 1
                continue
            last = max(at for at, good in history if not good)
            settling.append(min(at for at, good in history if good and at >= last) - begin)
    name = f"{'bad' if bad else 'good'} camera, {rate:.0f} frames/s"
    took = np.array(eyes.took) * 1000
    print(
        f"{name}: {len(spans)} still moments in {seconds:.0f} s; the first still frame is out after "
        f"{np.median(showing) * 1000:.0f} ms (95 % within {np.percentile(showing, 95) * 1000:.0f}); settled after {np.median(settling):.2f} s "
        f"(median of {len(settling)} tiles that were in doubt, 95 % within {np.percentile(settling, 95):.2f} s; {never} of {disturbed} "
        f"stayed in doubt); {wrong} of {claims} settled tiles wrong; a reading takes {np.median(took):.0f} ms (95 % under "
        f"{np.percentile(took, 95):.0f}), {len(took) / seconds:.1f} a second",
        flush=True,
    )


def settled(shown: Shown, box: Any) -> bool:
    """Whether a tile is shown as what it is, beyond doubt."""
    if not shown.tiles:
        return False
    over = iou(np.array([tile["box"] for tile in shown.tiles], np.float32), np.array([box.xyxy], np.float32))[:, 0]
    best = shown.tiles[int(over.argmax())]
    return bool(over.max() > 0.3 and best["certain"] and best["tile"] == box.code)


if __name__ == "__main__":
    length = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    for rate in (10.0, 30.0):
        for bad in (False, True):
            run(length, rate, bad=bad)
