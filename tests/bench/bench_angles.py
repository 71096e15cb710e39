"""Whether upright boxes lose tiles that lie askew: found and named by how far they are turned from a quarter turn.

``python tests/bench/bench_angles.py [--models MODELS] [--tables N]`` draws tables of tiles lying flat, of a seed that no training
used, and prints the share of wholly visible tiles (20 pixels and more) that is located and named right, by their angle.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path

import numpy as np

from engine.tiles import INDEX
from vision import MODELS
from vision.evaluation import match
from vision.reading import Reader
from vision.synthesis.dataset import tables

SEED = 777
STEP = 9


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=Path, default=MODELS)
    parser.add_argument("--tables", type=int, default=40, help="of each of four kinds")
    given = parser.parse_args()
    reader = Reader(given.models)
    counts: dict[int, list[int]] = defaultdict(lambda: [0, 0, 0])
    for kind in ("scatter", "laid", "pool", "tray"):
        for drawn in tables(given.tables, SEED, kind=kind, size=(960, 720)):
            seen = reader.read(drawn.image).detections
            seen = seen[seen.kind >= 0]
            whole = [b for b in drawn.boxes if b.code in INDEX and b.visible > 0.9 and b.short >= 20]
            pairs = dict(match(np.array([b.xyxy for b in whole], np.float32).reshape(-1, 4), seen.boxes))
            for i, box in enumerate(whole):
                x, y = np.subtract(box.polygon[1], box.polygon[0])
                askew = abs(np.rad2deg(np.arctan2(y, x)) % 90)
                count = counts[int(min(askew, 90 - askew) // STEP)]
                count[0] += 1
                if i in pairs:
                    count[1] += 1
                    count[2] += int(seen.kind[pairs[i]]) == INDEX[box.code]
    print("| degrees from a quarter turn | tiles | located | named right when located |\n|---|---|---|---|")
    for part, (tiles, located, named) in sorted(counts.items()):
        print(
            f"| {STEP * part} to {STEP * part + STEP} | {tiles} | {located / tiles:.1%} | {named / max(located, 1):.1%} |"
        )


if __name__ == "__main__":
    main()
