"""Films of a table with hands and noise, watched by the real loop with the real models, by a clock of their own."""

from __future__ import annotations

import pytest
from film import Clock, Film, TimedEyes, judge, watch

from vision.reading import Reader


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(threads=2)


@pytest.mark.timeout(900)  # a hundred pictures are drawn; minutes on a busy machine
@pytest.mark.parametrize("bad", [False, True], ids=["good camera", "bad camera"])
def test_a_film_is_read_without_a_wrong_settled_tile_and_settles_soon(reader: Reader, bad: bool) -> None:
    film = Film(Clock(), 9.0, 10.0, bad=bad)
    eyes = TimedEyes(film.clock, reader, cost=0.15)
    figures = judge(film, watch(film, eyes))
    assert figures.wrong == []
    assert figures.claims > 100
    assert figures.moments >= 3
    # Seconds of the film's own clock, by which every reading takes 0.15 s: the same on every machine.
    assert max(figures.showing) < 0.5
    assert max(figures.settling) <= 1.5
    assert figures.stayed <= (2 if not bad else 0.4 * (figures.stayed + len(figures.settling)) + 3)
    assert len(eyes.took) < 6 * film.end
