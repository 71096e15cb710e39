from __future__ import annotations

from tests.vision.conftest import as_reading, placed
from vision.indicator import IndicatorWatch
from vision.table import Table
from vision.tracking import Tracker

HAND = "1m 2m 3m 5p 6p 7p 3z 3z 7s 8s 9s 4m 4m"


class Hand:
    """A tracker and a watch looking at the same table."""

    def __init__(self) -> None:
        self.tracker, self.watch = Tracker(), IndicatorWatch()

    def look(self, tiles, frames: int = 4) -> Table:
        for _ in range(frames):
            answer = self.tracker.update(as_reading(placed(tiles)))
            table = Table.from_reading(answer, indicator=self.watch.index(self.tracker.ids))
            self.watch.see(table, self.tracker.ids)
        return table


def test_a_lone_tile_becomes_sure_while_the_pool_grows_elsewhere(row) -> None:
    live, own, gold = Hand(), row(HAND, 100, 640), ("6s", 200, 150)
    live.look([*own, gold])
    assert (live.watch.kind, live.watch.sure, live.watch.settled) == ("6s", False, True)
    live.look([*own, gold, *row("1z", 700, 380)])
    assert (live.watch.kind, live.watch.sure) == ("6s", False)
    live.look([*own, gold, *row("1z 9p", 700, 380)])
    assert not live.watch.sure
    live.look([*own, gold, *row("1z 9p 2z", 700, 380)])
    assert (live.watch.kind, live.watch.sure) == ("6s", True)


def test_on_the_wall_it_is_sure_at_once(row) -> None:
    live = Hand()
    live.look([*row(HAND, 100, 640), *row("back back back back", 200, 150), ("6s", 200 + 4 * 41, 150)])
    assert (live.watch.kind, live.watch.sure) == ("6s", True)


def test_covered_or_missed_it_is_remembered_and_no_discard_takes_its_place(row) -> None:
    live, own, gold = Hand(), row(HAND, 100, 640), ("6s", 200, 150)
    live.look([*own, gold, *row("1z 9p", 700, 380)])
    live.look([*own, gold, *row("1z 9p 2z 3z 4z", 700, 380)])
    live.look([*own, *row("1z 9p 2z 3z 4z", 700, 380), ("8p", 500, 200)], 10)
    assert (live.watch.kind, live.watch.sure) == ("6s", True)


def test_a_first_discard_taken_for_it_is_given_up_when_the_real_one_is_seen(row) -> None:
    live, own = Hand(), row(HAND, 100, 640)
    live.look([*own, ("1z", 700, 380)])
    assert (live.watch.kind, live.watch.sure) == ("1z", False)
    live.look([*own, ("1z", 700, 380), *row("back back back back", 200, 150), ("6s", 200 + 4 * 41, 150)])
    assert (live.watch.kind, live.watch.sure) == ("6s", True)


def test_a_first_discard_taken_for_it_is_given_up_when_others_join_it(row) -> None:
    live, own = Hand(), row(HAND, 100, 640)
    live.look([*own, ("1z", 700, 380)])
    live.look([*own, *row("1z 9p", 700, 380)])
    assert live.watch.kind is None
    live.look([*own, *row("1z 9p", 700, 380), ("6s", 200, 150)])
    assert (live.watch.kind, live.watch.sure) == ("6s", False)


def test_no_lone_discard_takes_the_place_of_a_covered_guess(row) -> None:
    live, own, gold = Hand(), row(HAND, 100, 640), ("6s", 200, 150)
    live.look([*own, gold])
    live.look([*own, ("1z", 700, 380)], 10)
    assert (live.watch.kind, live.watch.sure) == ("6s", False)
    live.look([*own, ("1z", 700, 380), gold])
    assert (live.watch.kind, live.watch.sure) == ("6s", False)


def test_a_person_may_correct_the_tile_and_another_hand_starts_anew(row) -> None:
    live, tiles = Hand(), [*row(HAND, 100, 640), *row("back back back back", 200, 150), ("6s", 200 + 4 * 41, 150)]
    table = live.look(tiles)
    assert table.gold is not None
    live.tracker.correct(live.tracker.ids[table.gold], "9s")
    live.look(tiles, 1)
    assert (live.watch.kind, live.watch.sure, live.watch.settled) == ("9s", True, True)
    live.watch.reset()
    assert (live.watch.kind, live.watch.sure) == (None, False)
