"""How often a whole table is laid out exactly, by scenario, and how long that takes.

``python tests/bench/bench_table.py [worlds per scenario] [--auto]``; with ``--auto`` nobody says at which side the
player sits. A world counts as *exact* where every tile of the player, the gold and what is seen elsewhere is right, as
*asked* where something is wrong and a problem says so, and as *silent* where something is wrong without a word. *Names*
are exact worlds in which some tile of another player was called a discard or the other way round. The worlds are those
of ``tests/vision/worlds.py``: geometry without reading errors, box edges with noise.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.vision.worlds import Choices, world, wrong
from vision.table import Table

SCENARIOS = {
    "above, any side": Choices(side=None),
    "13 tiles": Choices(size=13, side=None),
    "open hands all round": Choices(others="laid", side=None),
    "melds in line": Choices(place="line"),
    "melds in a column": Choices(place="column"),
    "melds in front": Choices(place="front"),
    "kongs only": Choices(kongs=1.0),
    "hand in two rows": Choices(rows=2, side=None),
    "two rows of 13": Choices(rows=2, size=13),
    "suits with gaps": Choices(suits=True),
    "no wall, no gold": Choices(wall=0, gold=False),
    "tilted by 10 degrees": Choices(tilt=10.0),
    "noise of 4 %": Choices(noise=0.04),
    "behind, lying": Choices(view="behind"),
    "behind, on a rack": Choices(view="behind", lean=60.0),
    "behind, two rows": Choices(view="behind", rows=2),
}


def main() -> None:
    """Print one line per scenario."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", nargs="?", type=int, default=100)
    parser.add_argument("--auto", action="store_true", help="the side is not told")
    arguments = parser.parse_args()
    print(f"{'scenario':24}{'exact':>7}{'asked':>7}{'silent':>8}{'needless':>10}{'names':>7}{'ms':>7}")
    for name, choices in SCENARIOS.items():
        exact = asked = silent = needless = names = 0
        spent = 0.0
        for seed in range(arguments.count):
            true = world(seed, choices)
            start = time.process_time()
            seat = None if arguments.auto else true.side
            table = Table.from_reading(true.reading, size=choices.size, seat=seat)
            spent += time.process_time() - start
            found = wrong(true, table)
            grave = [what for what in found if what != "others"]
            exact += not grave
            asked += bool(grave and table.problems)
            silent += bool(grave and not table.problems)
            needless += bool(not grave and table.problems)
            names += bool(found and not grave)
        milliseconds = spent / arguments.count * 1000
        print(f"{name:24}{exact:7}{asked:7}{silent:8}{needless:10}{names:7}{milliseconds:7.1f}", flush=True)


if __name__ == "__main__":
    main()
