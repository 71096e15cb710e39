"""How soon after the last movement the page is told what lies there, and how soon it is settled, on rendered sequences.

    python tests/bench/bench_settling.py [SECONDS]

The demo's table, hands and all, is filmed by a good camera and by a bad one (dim, noisy, compressed) at 10 and at 30 frames
a second. The real loop runs on it with the real models and a clock of its own: a reading takes as long as the processor
time it needs, shared by two cores, so that the figures depend little on what else this machine does. What the page itself
needs (`bench_page.py`) comes on top.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "webui"))
from film import Clock, Film, TimedEyes, judge, watch

from vision.reading import Reader


def run(reader: Reader, seconds: float, rate: float, *, bad: bool) -> None:
    """Film, watch, and print the figures."""
    film = Film(Clock(), seconds, rate, bad=bad)
    eyes = TimedEyes(film.clock, reader)
    figures = judge(film, watch(film, eyes))
    took = np.array(eyes.took) * 1000
    print(
        f"{'bad' if bad else 'good'} camera, {rate:.0f} frames/s: {figures.moments} still moments in {seconds:.0f} s; the first "
        f"still frame is out after {np.median(figures.showing) * 1000:.0f} ms (95 % within "
        f"{np.percentile(figures.showing, 95) * 1000:.0f}); settled after {np.median(figures.settling):.2f} s (median of "
        f"{len(figures.settling)} tiles that were in doubt, 95 % within {np.percentile(figures.settling, 95):.2f} s; "
        f"{figures.stayed} stayed in doubt); {len(figures.wrong)} of {figures.claims} settled tiles wrong; a reading takes "
        f"{np.median(took):.0f} ms (95 % under {np.percentile(took, 95):.0f}), {len(took) / seconds:.1f} a second",
        flush=True,
    )


if __name__ == "__main__":
    length = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    two_cores = Reader(threads=2)
    for frames in (10.0, 30.0):
        for worse in (False, True):
            run(two_cores, length, frames, bad=worse)
