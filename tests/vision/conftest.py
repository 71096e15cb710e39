from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from engine.tiles import INDEX
from vision.detections import Detections
from vision.reading import Reader, Reading, arrange

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@pytest.fixture(scope="session")
def reader() -> Reader:
    return Reader(threads=2)


@pytest.fixture(autouse=True)
def _nobodys_set(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs the tests may have learned a set of their own, with which pictures would be read."""
    monkeypatch.setenv("YOUJIN_DATA", str(tmp_path_factory.getbasetemp() / "nobody"))


def placed(tiles: Sequence[tuple[str, float, float]], *, size: tuple[float, float] = (40, 54)) -> Detections:
    """Certain detections of tiles given as (code, middle x, middle y); ``back`` lies face down."""
    boxes = np.array(
        [(x - size[0] / 2, y - size[1] / 2, x + size[0] / 2, y + size[1] / 2) for _, x, y in tiles], np.float32
    ).reshape(-1, 4)
    kinds = np.array([INDEX.get(code, -1) for code, _, _ in tiles], np.int16)
    probability = np.full((len(tiles), 42), 0.0002, np.float32)
    for row, kind in zip(probability, kinds, strict=True):
        if kind >= 0:
            row[kind] = 0.99
    return Detections(
        boxes, np.full(len(tiles), 0.9, np.float32), kinds, probability, np.ones(len(tiles), np.bool_), np.zeros(len(tiles), np.float32),
    )  # fmt: skip


def as_reading(detections: Detections, width: int = 1280, height: int = 720) -> Reading:
    detections, rows, problems = arrange(detections)
    return Reading(detections, rows, problems, 1.0, width, height)


@pytest.fixture
def row() -> Callable[..., list[tuple[str, float, float]]]:
    """Tiles side by side: ``row("1m 2m", x, y, step)``."""

    def make(codes: str, x: float, y: float, step: float = 41.0) -> list[tuple[str, float, float]]:
        return [(code, x + i * step, y) for i, code in enumerate(codes.split())]

    return make
