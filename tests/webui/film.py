"""Films of a drawn table, hands and all, for the loop: with a clock of their own, so that nothing depends on this machine."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from vision.camera import Frame
from vision.detections import iou
from vision.synthesis.demo import DemoScript, Truth
from vision.synthesis.optics import add_noise, compress
from webui.config import Config
from webui.live import Loop

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from vision.reading import Reader


class Clock:
    """Seconds that pass only when somebody lets them."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Film:
    """A source whose frames are drawn when they are asked for; waiting for one lets the clock run.

    Args:
        clock: is let run.
        seconds: after which the loop is woken to end.
        rate: frames a second.
        bad: dim, noisy, compressed.
    """

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
    """The reader, whose work lets the clock run.

    Args:
        clock: is let run.
        reader: reads.
        cost: seconds that a reading takes; by default half the processor time it needs, as on two cores.
    """

    def __init__(self, clock: Clock, reader: Reader, cost: float | None = None) -> None:
        self.clock, self._reader, self._cost = clock, reader, cost
        self.took: list[float] = []

    def load(self) -> None:
        """It is loaded."""

    @contextmanager
    def reader(self) -> Iterator[Reader]:
        began = time.process_time()
        yield self._reader
        spent = (time.process_time() - began) / 2 if self._cost is None else self._cost
        self.took.append(spent)
        self.clock.now += spent


@dataclass
class Shown:
    """What the page was told: when, of which frame, and the tiles."""

    at: float
    frame: int
    tiles: list[dict[str, Any]]


def boxes_of(truth: Truth) -> NDArray[np.float32]:
    """(N, 4) of all tiles."""
    return np.array([box.xyxy for box in truth.boxes], np.float32).reshape(-1, 4)


def settled(shown: Shown, box: Any) -> bool:
    """Whether a tile is shown as what it is, beyond doubt."""
    if not shown.tiles:
        return False
    over = iou(np.array([tile["box"] for tile in shown.tiles], np.float32), np.array([box.xyxy], np.float32))[:, 0]
    best = shown.tiles[int(over.argmax())]
    return bool(over.max() > 0.3 and best["certain"] and best["tile"] == box.code)


def watch(film: Film, eyes: TimedEyes) -> list[Shown]:
    """Let the loop watch a film to its end. Returns what it told the page."""
    loop = Loop(Config(source="film"), eyes, clock=film.clock)  # type: ignore[arg-type]
    film.loop = loop
    told: list[Shown] = []
    publish = loop.board.publish

    def note(state: dict[str, Any]) -> bool:
        told.append(Shown(film.clock.now, film.shown, state["tiles"]))
        return publish(state)

    loop.board.publish = note  # type: ignore[method-assign]
    loop._watch_source(film)  # type: ignore[arg-type]
    return told


@dataclass
class Figures:
    """How soon what lies there was told and settled, in seconds after the first frame in which all is still.

    Attributes:
        moments: still moments of the film.
        showing: until the first of these frames was told.
        settling: until each tile that was in doubt is settled.
        stayed: tiles that stayed in doubt.
        claims, wrong: tiles shown as settled on still frames, and those of them that are something else.
    """

    moments: int
    showing: list[float]
    settling: list[float]
    stayed: int
    claims: int
    wrong: list[tuple[str, str | None]]


def judge(film: Film, told: list[Shown]) -> Figures:
    """Hold what was told against the truth."""
    figures = Figures(0, [], [], 0, 0, [])
    for shown in told:
        truth = film.truths.get(shown.frame)
        if truth is None or not truth.settled or not shown.tiles:
            continue
        over = iou(np.array([tile["box"] for tile in shown.tiles], np.float32), boxes_of(truth))
        for tile, row in zip(shown.tiles, over, strict=True):
            if tile["certain"] and tile["tile"] is not None:
                figures.claims += 1
                real = truth.boxes[int(row.argmax())].code if row.max() > 0.3 else None
                if real != tile["tile"]:
                    figures.wrong.append((tile["tile"], real))
    frames = sorted(film.truths)
    for span in film.script._spans(0):
        start, finish = span.still - film.start, span.end - film.start
        inside = [number for number in frames if start <= (number - 1) / film.rate < finish]
        if not inside or finish >= film.end or span.step.key == "deal":
            continue
        figures.moments += 1
        begin, truth = (inside[0] - 1) / film.rate, film.truths[inside[0]]
        before = [shown for shown in told if shown.at < begin]
        during = [shown for shown in told if begin <= shown.at < finish]
        if news := [shown.at for shown in during if (shown.frame - 1) / film.rate >= begin - 1e-3]:
            figures.showing.append(news[0] - begin)
        for box in truth.boxes:
            if box.code == "back":
                continue
            history = [(begin, settled(before[-1], box))] if before else []
            history += [(shown.at, settled(shown, box)) for shown in during]
            if not history or history[0][1]:
                continue  # nothing had disturbed it
            if not history[-1][1]:
                figures.stayed += 1
                continue
            last = max(at for at, good in history if not good)
            figures.settling.append(min(at for at, good in history if good and at >= last) - begin)
    return figures
