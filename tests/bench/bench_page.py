"""How quick the page is: ready on loopback, work for a still picture, and from a new frame to the browser.

    python tests/bench/bench_page.py [MINUTES]

MINUTES of the demo are watched in a browser (3 unless given). Needs Chromium for all but the first two figures; says so
where there is none.
"""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "webui"))
from scripted import ScriptedReader, ScriptedSource, picture, reading_of

from vision.camera import DemoSource
from vision.reading import Reader
from vision.synthesis.demo import DemoScript
from vision.watching import Watcher
from webui.config import Config
from webui.live import Loop
from webui.server import Server
from webui.services import Eyes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray
    from playwright.sync_api import Page

RUNS = 9
SUDDEN = 21
HAND = "123m456p789s222z345s5m"


def still_picture() -> None:
    """CPU time of the loop for ten seconds of a still, noisy 720p picture at ten frames a second."""
    source = ScriptedSource()
    config = Config(source="scripted")
    loop = Loop(config, Eyes(config, ScriptedReader({7: reading_of(HAND)})), open_source=lambda _: source)
    noise = np.random.default_rng(1)
    frames = []
    for _ in range(10):
        frame = picture(7).astype(np.int16) + noise.normal(0, 3, (720, 1280, 3)).astype(np.int16)
        frame = frame.clip(0, 255).astype(np.uint8)
        frame[0, 0] = 7
        frames.append(frame)
    loop.start()
    for number in range(20):  # let the tiles settle
        source.show(frames[number % 10])
        time.sleep(0.05)
    began = time.process_time()
    for number in range(100):
        source.show(frames[number % 10])
        time.sleep(0.1)
    spent = time.process_time() - began
    loop.stop()
    print(f"still picture, 720p at 10 frames/s: {spent * 10:.1f} % of one core")


@contextmanager
def in_browser(
    path: str, opened: Callable[[], Any], *, source: str = "scripted", reader: ScriptedReader | None = None
) -> Iterator[tuple[Page, str, Any]]:
    """The program in a browser: an empty page, the program's address, its services.

    Args:
        path: of Chromium.
        opened: gives the source that is looked at.
        source: what it is called.
        reader: reads in place of the real models.
    """
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  (the other figures need no browser)

    server = Server(Config(source=source), 0)
    services: Any = server.app.extensions["youjin"]
    if reader is not None:
        services.eyes._reader = reader
    services.loop._open = lambda _: opened()
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
            yield browser.new_page(), server.url, services
            browser.close()
    finally:
        server.close()
        thread.join()


def browser_figures(path: str) -> None:
    """Time until the page is ready, and from a frame to the changed hand in the browser (the reading itself left out)."""
    source = ScriptedSource()
    readings = {1: reading_of(HAND), 2: reading_of(f"{HAND}|9p")}
    with in_browser(path, lambda: source, reader=ScriptedReader(readings)) as (page, url, _):
        ready = [opening(page, url) for _ in range(RUNS)]
        print(f"page ready after {statistics.median(ready):.0f} ms (median of {RUNS}, worst {max(ready):.0f})")
        delays = []
        drawn = "#hand [data-row=drawn] .tile"
        page.evaluate(WATCH_DRAWN)
        for _ in range(RUNS):
            while page.locator(drawn).count() or not page.locator("#hand [data-row=concealed] .tile").count():
                source.show(picture(1))
                time.sleep(0.05)
            began = begin(page)
            source.show(picture(2))
            page.wait_for_selector(drawn)
            delays.append(shown_after(page, began))
            for _ in range(10):  # let the tiles settle before the next change
                source.show(picture(2))
                time.sleep(0.05)
        middle, worst = statistics.median(delays), max(delays)
        print(f"frame to page {middle:.0f} ms without the reading (median of {RUNS}, worst {worst:.0f})")


def reading_figures() -> None:
    """Processor time of a reading of the whole picture and of what a step of the demo changed, by the real models."""
    reader, watcher, script = Reader(), Watcher(), DemoScript()
    whole, parts = [], []
    for number, span in enumerate(script._spans(0)[2:32]):
        image, _ = script.frame((span.still + span.end) / 2)
        began = time.process_time()
        watcher.read(reader, image, watcher.glance(image))
        if number:
            parts.append((time.process_time() - began) * 1000)
        if number % 3 == 0:
            began = time.process_time()
            reader.read(image)
            whole.append((time.process_time() - began) * 1000)
    print(
        f"reading 1280 × 720, processor time: whole {statistics.median(whole):.0f} ms; what changed "
        f"{statistics.median(parts):.0f} ms (median of {len(parts)} steps, 95 % under {np.percentile(parts, 95):.0f})"
    )


WATCH_DRAWN = """() => {
  window.changes = [];
  let before = null;
  const look = () => {
    const tile = document.querySelector("#hand [data-row=drawn] .tile");
    const now = tile ? (tile.classList.contains("unsettled") ? "doubt" : "settled") : "none";
    if (now !== before) requestAnimationFrame(() => window.changes.push([Date.now() / 1000, now]));  // as it is drawn
    before = now;
  };
  new MutationObserver(look).observe(document.querySelector("#hand"), {subtree: true, childList: true, attributes: true});
  look();
}"""


def demo_figures(path: str, minutes: float) -> None:
    """The running demo in a browser, read by the real models: from the first frame of a still table to the page.

    A tile is drawn or discarded, the hand that did it is gone, and that frame's time is held against the time at which
    the browser shows, or shows no more, the drawn tile. It may be earlier: the tile lies there before the hand is gone.
    """
    stood: list[tuple[float, bool]] = []

    class Noting(DemoSource):
        """Notes when the table first stands still with a drawn tile, or without one."""

        def _put(self, image: NDArray[np.uint8], seconds: float | None = None, note: str = "") -> None:
            super()._put(image, seconds, note)
            drawn = "drawn" in self.truth.record
            if self.truth.settled and self.truth.key != "laid" and (not stood or stood[-1][1] != drawn):
                stood.append((time.time(), drawn))

    with in_browser(path, lambda: Noting(rate=10).start(), source="demo") as (page, url, _):
        page.goto(url)
        page.wait_for_selector("#hand [data-row=concealed] .tile")
        page.evaluate(WATCH_DRAWN)
        page.wait_for_timeout(minutes * 60_000)
        changes: list[tuple[float, str]] = page.evaluate("window.changes")
    shown, settled = [], []
    for (when, drawn), (until, _) in pairwise(stood):
        if when < changes[0][0]:
            continue
        # The tile may be seen a little before the hand that laid it is gone.
        after = [(at, what) for at, what in changes if when - 0.9 < at < until]
        if right := [at for at, what in after if (what != "none") == drawn]:
            shown.append((right[0] - when) * 1000)
        if drawn and (sure := [at for at, what in after if what == "settled"]):
            settled.append((sure[0] - when) * 1000)
    if not shown or not settled:
        print("the demo was watched for too short a time")
        return
    print(
        f"demo, still frame to page {statistics.median(shown):.0f} ms (median of {len(shown)} draws and discards, 95 % under "
        f"{np.percentile(shown, 95):.0f}); drawn tiles settled after {statistics.median(settled):.0f} ms (95 % under "
        f"{np.percentile(settled, 95):.0f})"
    )


def sudden_figures(path: str) -> None:
    """From a frame in which a tile suddenly lies there to the browser, read by the real models."""
    script = DemoScript()
    spans = script._spans(0)
    number = next(n for n, span in enumerate(spans) if n > 4 and span.step.key == "draw")
    before, after = (script.frame((span.still + span.end) / 2)[0] for span in (spans[number - 1], spans[number]))
    source = ScriptedSource()
    with in_browser(path, lambda: source) as (page, url, services):
        page.goto(url)
        page.evaluate(WATCH_DRAWN)
        drawn = "#hand [data-row=drawn] .tile"
        delays, settling, reading = [], [], []
        for _ in range(SUDDEN):
            while page.locator(drawn).count() or not page.locator("#hand [data-row=concealed] .tile").count():
                source.show(before)
                time.sleep(0.1)
            for _ in range(10):  # let the tiles settle before the next change
                source.show(before)
                time.sleep(0.1)
            began = begin(page)
            source.show(after)
            page.wait_for_selector(drawn)
            delays.append(shown_after(page, began))
            reading.append(services.loop.board.read()["milliseconds"])
            while not page.locator(f"{drawn}:not(.unsettled)").count():
                source.show(after)
                time.sleep(0.05)
            settling.append(shown_after(page, began, "settled"))
        print(
            f"a tile suddenly there, frame to page {statistics.median(delays):.0f} ms with the reading (median of {SUDDEN}, "
            f"95 % under {np.percentile(delays, 95):.0f}), of which reading {statistics.median(reading):.0f} ms; "
            f"settled after {statistics.median(settling):.0f} ms (95 % under {np.percentile(settling, 95):.0f})"
        )


def begin(page: Page) -> float:
    """Seconds since 1970, with nothing noted in the page before."""
    page.evaluate("() => { window.changes = []; }")
    return time.time()


def shown_after(page: Page, began: float, *wanted: str) -> float:
    """Milliseconds from `began` until the page drew a drawn tile; the browser and this script have one clock."""
    if not wanted:
        wanted = ("doubt", "settled")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    changes: list[tuple[float, str]] = page.evaluate("window.changes")
    return (next(at for at, what in changes if what in wanted) - began) * 1000


def opening(page: Page, url: str) -> float:
    """Milliseconds from asking for the page until it can be used."""
    began = time.perf_counter()
    page.goto(url, wait_until="commit")
    page.wait_for_selector("html[data-ready]")
    return (time.perf_counter() - began) * 1000


if __name__ == "__main__":
    os.environ["YOUJIN_DATA"] = tempfile.mkdtemp()  # not the data of this machine's user
    still_picture()
    reading_figures()
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        print("no chromium: the figures of the page were not measured")
    else:
        browser_figures(chromium)
        sudden_figures(chromium)
        demo_figures(chromium, float(sys.argv[1]) if len(sys.argv) > 1 else 3.0)
