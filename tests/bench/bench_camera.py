"""How soon a network camera's trouble is told, and how soon its pictures are back: a stalled stream, a camera switched off.

python tests/bench/bench_camera.py
"""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "vision"))
from test_streams import Camera, shows

from vision.camera import open_source

if TYPE_CHECKING:
    from collections.abc import Callable

TIMES = 8


def until(truth: Callable[[], object]) -> float:
    """Seconds until something is true."""
    began = time.perf_counter()
    while not truth():
        time.sleep(0.005)
        if time.perf_counter() - began > 60:
            raise TimeoutError("this never came true")
    return time.perf_counter() - began


def main() -> None:
    """Print the figures."""
    camera = Camera()
    took: dict[str, list[float]] = {}
    with open_source(camera.url) as source:
        until(lambda: shows(source, camera.shade))
        for number in range(TIMES):
            camera.stalls.set()
            took.setdefault("stalled: told", []).append(until(lambda: source.status is not None))
            time.sleep(0.7 * number)  # away for a short and for a long time
            camera.shade = 40 + 20 * number
            camera.stalls.clear()
            took.setdefault("stalled: back", []).append(until(lambda: shows(source, camera.shade)))
            time.sleep(0.5)
        for number in range(TIMES):
            began = time.perf_counter()
            camera.close()
            until(lambda: source.status is not None)
            took.setdefault("switched off: told", []).append(time.perf_counter() - began)
            time.sleep(0.7 * number)
            camera = Camera(camera.port)
            camera.shade = shade = 40 + 20 * number
            took.setdefault("switched off: back", []).append(until(lambda shade=shade: shows(source, shade)))
            time.sleep(0.5)
    camera.close()
    for what, seconds in took.items():
        print(f"{what} after {statistics.median(seconds):.2f} s (median of {TIMES}, at most {max(seconds):.2f})")


if __name__ == "__main__":
    main()
