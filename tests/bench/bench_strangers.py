"""How the classifier takes what is none of the 42 faces: jokers, red fives, trade marks, dice, keys of keyboards.

``python tests/bench/bench_strangers.py CLASSIFIER.onnx DATA`` prints, for drawn ones of seeds that no training used and for the
tiles of DATA/val_web: the share that is called "no tile", the share that a reader would call certain, and how well "no tile"
tells them from those tiles (AUROC).
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from vision.classifier import KINDS, OTHER, Classifier
from vision.crops import MARGIN, SIDE, store, stored_side
from vision.dataset import read_folder
from vision.reading import CERTAIN, NOTHING, STRANGE
from vision.synthesis import keyboards
from vision.synthesis.strangers import strangers
from vision.training.drawn import _between, dice

SEED = 777


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("classifier", type=Path)
    parser.add_argument("data", type=Path)
    given = parser.parse_args()
    classifier = Classifier(given.classifier)
    rng = np.random.default_rng(SEED)
    whole = stored_side(SIDE)
    faces = strangers(200, 2 * round(SIDE / MARGIN), SEED)
    pads = [keyboards.keys(np.random.default_rng(SEED + number)) for number in range(8)]
    tiles = [store(*photo.load()) for photo in read_folder(given.data / "val_web")]
    crops = {
        "jokers, red fives, trade marks": np.stack([_between(face, [face, face], whole, rng) for face in faces]),
        "dice": dice(100, whole, MARGIN * whole / SIDE, SEED),
        "keys": np.concatenate([store(np.ascontiguousarray(p[..., :3]), np.array(b, np.float32)) for p, b in pads]),
        "tiles of val_web": np.concatenate(tiles),
    }
    chances = {name: classifier.chances(stored) for name, stored in crops.items()}
    known = chances["tiles of val_web"][:, OTHER]
    print("| | crops | no tile | called certain | AUROC against tiles |\n|---|---|---|---|---|")
    for name, chance in chances.items():
        other = chance[:, OTHER]
        certain = (chance[:, :KINDS].max(1) >= CERTAIN) & (other < STRANGE)
        apart = (other[:, None] > known).mean() + (other[:, None] == known).mean() / 2
        print(
            f"| {name} | {len(other)} | {(other >= NOTHING).mean():.1%} | {certain.mean():.1%} | "
            + (f"{apart:.4f} |" if chance is not chances["tiles of val_web"] else "– |")
        )


if __name__ == "__main__":
    main()
