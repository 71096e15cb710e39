"""Japanese sets, of which there are no photos: drawn tables of a set that no training drew from, beside one that it did.

``python tests/bench/bench_japanese.py [--models MODELS] [--tables N]`` draws the same tables in usable light twice: with the tiles
of PyPI's nonebot-plugin-mahjong-utils (``pip install --no-deps nonebot-plugin-mahjong-utils==0.5.0``; 34 faces after a Japanese set,
kept out of every training) and with riichienv's, which training draws from. What is hidden by half, cut off by the picture's edge or
shorter than 20 pixels does not count. How exactly photos are read it cannot say; how much a Japanese set costs that was never seen,
it can.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from engine.tiles import INDEX
from vision import MODELS
from vision.dataset import Photo
from vision.evaluation import Outcome, outcome, summary
from vision.reading import Reader
from vision.synthesis.dataset import random_scene
from vision.synthesis.package_sets import PREFIX, reserved
from vision.synthesis.render import Rendered, render

if TYPE_CHECKING:
    from vision.synthesis.scene import Scene

SEED = 777
LIGHT = frozenset({"packages", "mixed", "racks", "clutter", "dice", "print"})
"""Ingredients without dim and coloured lamps, far cameras and tiles that the edge cuts off."""

SEEN = f"{PREFIX}riichienv/0"


def japanese(scene: Scene, style: str, rng: np.random.Generator) -> Scene:
    """The same table with tiles of a style; flowers, which Japanese sets lack, become honours."""
    tiles = [
        replace(tile, code=f"{rng.integers(1, 8)}z") if tile.code in INDEX and tile.code[1] == "f" else tile
        for tile in scene.tiles
    ]
    return replace(scene, tiles=tuple(tiles), look=replace(scene.look, style=style))


def judged(reader: Reader, drawn: Rendered) -> Outcome:
    """The reading of one table beside what is to be seen on it."""
    height, width = drawn.image.shape[:2]
    whole = [
        b for b in drawn.boxes
        if b.code in INDEX and b.visible >= 0.5 and b.short >= 20
        and min(b.xyxy) > 1 and b.xyxy[2] < width - 1 and b.xyxy[3] < height - 1
    ]  # fmt: skip
    ignored = tuple(b.xyxy for b in drawn.boxes if b not in whole)
    boxes = np.array([b.xyxy for b in whole], np.float32).reshape(-1, 4)
    photo = Photo(Path("drawn"), boxes, np.array([INDEX[b.code] for b in whole], np.int64), hidden=ignored)
    return outcome(photo, boxes, reader.read(drawn.image))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=Path, default=MODELS)
    parser.add_argument("--tables", type=int, default=40, help="of each of three kinds")
    given = parser.parse_args()
    if not reserved():
        parser.error("install the set first: pip install --no-deps nonebot-plugin-mahjong-utils==0.5.0")
    reader = Reader(given.models)
    print("| set | tables | exact | rows exact | located | named right | invented |\n|---|---|---|---|---|---|---|")
    for style in (*reserved(), SEEN):
        outcomes = []
        for kind in ("hand", "laid", "closeup"):
            for number in range(given.tables):
                rng = np.random.default_rng([SEED, number])
                scene = japanese(random_scene(rng, kind, (960, 720), LIGHT), style, np.random.default_rng(number))
                outcomes.append(judged(reader, render(scene, rng)))
        figures = summary([o for o in outcomes if len(o.kinds)])
        print(
            f"| {style} | {figures['photos']} | {figures['exact_photo_rate']:.1%} | {figures['exact_row_rate']:.1%} | "
            f"{figures['located']:.2%} | {figures['named_when_located']:.2%} | {figures['invented']} |"
        )


if __name__ == "__main__":
    main()
