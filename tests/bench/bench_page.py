"""How quick the page is: ready on loopback, work for a still picture, and from a new frame to the browser.

    python tests/bench/bench_page.py

Needs Chromium for the first and the last figure; says so where there is none.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "webui"))
from scripted import ScriptedReader, ScriptedSource, picture, reading_of

from webui.config import Config
from webui.live import Loop
from webui.server import Server
from webui.services import Eyes

if TYPE_CHECKING:
    from playwright.sync_api import Page

RUNS = 9
HAND = "123m456p789s222z345s5m"


def still_picture() -> None:
    """CPU time of the loop for ten seconds of a still, noisy 720p picture at ten frames a second."""
    source = ScriptedSource()
    config = Config(source="scripted")
    loop = Loop(config, Eyes(config, ScriptedReader({7: reading_of(HAND)})), open_source=lambda _: source)
    noise = np.random.default_rng(1)
    frames = []
    for _ in range(10):
        frame = np.repeat(np.repeat(picture(7), 10, 0), 10, 1).astype(np.int16) + noise.normal(
            0, 3, (720, 1280, 3)
        ).astype(np.int16)
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


def browser_figures(path: str) -> None:
    """Time until the page is ready, and from a frame to the changed hand in the browser (the reading itself left out)."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  (the other figure needs no browser)

    source = ScriptedSource()
    readings = {1: reading_of(HAND), 2: reading_of(f"{HAND}|9p")}
    server = Server(Config(source="scripted"), 0)
    services: Any = server.app.extensions["youjin"]
    services.eyes._reader = ScriptedReader(readings)
    services.loop._open = lambda _: source
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
            page = browser.new_page()
            ready = [opening(page, server.url) for _ in range(RUNS)]
            print(f"page ready after {statistics.median(ready):.0f} ms (median of {RUNS}, worst {max(ready):.0f})")
            delays = []
            drawn = "#hand [data-row=drawn] .tile"
            for _ in range(RUNS):
                while page.locator(drawn).count() or not page.locator("#hand [data-row=concealed] .tile").count():
                    source.show(picture(1))
                    time.sleep(0.05)
                began = time.perf_counter()
                source.show(picture(2))
                page.wait_for_selector(drawn)
                delays.append((time.perf_counter() - began) * 1000)
                for _ in range(10):  # let the tiles settle before the next change
                    source.show(picture(2))
                    time.sleep(0.05)
            middle, worst = statistics.median(delays), max(delays)
            print(f"frame to page {middle:.0f} ms without the reading (median of {RUNS}, worst {worst:.0f})")
            browser.close()
    finally:
        server.close()
        thread.join()


def demo_figures(path: str) -> None:
    """From a frame of the drawn demo to the tile in the browser, read by the real models: a tile is drawn."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  (the other figures need no browser)

    from vision.synthesis.demo import DemoScript  # noqa: PLC0415

    script = DemoScript()
    spans = script._spans(0)
    number = next(n for n, span in enumerate(spans) if n > 4 and span.step.key == "draw")
    before, after = (script.frame((span.still + span.end) / 2)[0] for span in (spans[number - 1], spans[number]))
    source = ScriptedSource()
    server = Server(Config(source="scripted"), 0)
    services: Any = server.app.extensions["youjin"]
    services.loop._open = lambda _: source
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
            page = browser.new_page()
            page.goto(server.url)
            drawn = "#hand [data-row=drawn] .tile"
            delays, settling, reading = [], [], []
            for _ in range(RUNS):
                while page.locator(drawn).count() or not page.locator("#hand [data-row=concealed] .tile").count():
                    source.show(before)
                    time.sleep(0.15)
                began = time.perf_counter()
                source.show(after)
                page.wait_for_selector(drawn)
                delays.append((time.perf_counter() - began) * 1000)
                reading.append(services.loop.board.read()["milliseconds"])
                while not page.locator(f"{drawn}:not(.unsettled)").count():
                    source.show(after)
                    time.sleep(0.02)
                settling.append((time.perf_counter() - began) * 1000)
            print(
                f"demo, frame to page {statistics.median(delays):.0f} ms with the reading (median of {RUNS}, worst "
                f"{max(delays):.0f}), of which reading {statistics.median(reading):.0f} ms; "
                f"settled after {statistics.median(settling):.0f} ms (worst {max(settling):.0f})"
            )
            browser.close()
    finally:
        server.close()
        thread.join()


def opening(page: Page, url: str) -> float:
    """Milliseconds from asking for the page until it can be used."""
    began = time.perf_counter()
    page.goto(url, wait_until="commit")
    page.wait_for_selector("html[data-ready]")
    return (time.perf_counter() - began) * 1000


if __name__ == "__main__":
    still_picture()
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        print("no chromium: the figures of the page were not measured")
    else:
        browser_figures(chromium)
        demo_figures(chromium)
