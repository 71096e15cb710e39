"""How long advice takes: run ``python tests/bench/bench_advice.py``.

A decision between winning and 游金 plays turn cycles, so it is the dearest; every hand is asked about with a table
not seen before, so that nothing is remembered.
"""

from __future__ import annotations

import time
from statistics import median
from typing import Any

from engine import advice, api

HANDS: dict[str, dict[str, Any]] = {
    "游金 or win, one gold (H-01)": {"hand": "123m 456p 789s 222z 345s 5m", "drawn": "9p"},
    "游金 or win, two golds, 17 discards (H-11)": {"hand": "123m 456p 789s 222z 34s 55m", "drawn": "5s", "youjin": 1},
    "ready, one gold (H-09)": {"hand": "123m 456p 789s 222z 24s 8m 5m", "drawn": "9p"},
    "far from ready": {"hand": "147m 258p 369s 1234z 6z 12s", "drawn": "9p"},
}


def main() -> None:
    """Prints milliseconds of the whole options answer with its advice, and of the simulation alone."""
    for name, hand in HANDS.items():
        times = []
        for left in range(20, 77):
            record = {"rules": "xiamen", "gold": "5m", "seat": "B", "table": {"tiles_left": left}, **hand}
            advice.undisturbed.cache_clear()
            start = time.perf_counter()
            api.options(record)
            times.append(1000 * (time.perf_counter() - start))
        print(f"{name}: {median(times):.1f} ms median, {max(times):.1f} ms at most")
    times = []
    for turn in range(1, 17):
        advice.undisturbed.cache_clear()
        start = time.perf_counter()
        advice.undisturbed("xiamen", (3,) * 34, 4, turn, 1)
        times.append(1000 * (time.perf_counter() - start))
    print(f"simulation alone, {advice.SAMPLES} turn cycles: {median(times):.1f} ms median")


if __name__ == "__main__":
    main()
