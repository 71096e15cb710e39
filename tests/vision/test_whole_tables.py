"""Whole tables seen from above and from behind the hand: what lies where is found, or said to be in doubt."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.worlds import SIDES, Choices, World, read, world, wrong
from vision.table import Table
from vision.zones import Zones

#: What would make a hand wrong; whether an open tile of another's is a discard only matters for its name.
GRAVE = {"hand", "drawn", "melds", "source", "flowers", "gold", "seen", "side"}


def lay(true: World, choices: Choices, **more: Any) -> Table:
    return Table.from_reading(true.reading, size=choices.size, **more)


def assert_every_tile_has_one_place(table: Table) -> None:
    every = [*table.concealed, *table.flowers, *table.discards, *table.others, *table.face_down, *table.ignored]
    every += [i for meld in table.melds for i in meld.indices] + [i for i in (table.drawn, table.gold) if i is not None]
    assert sorted(every) == list(range(len(table.reading.detections)))


SCENARIOS = {
    "above": Choices(side=None),
    "thirteen tiles": Choices(size=13),
    "melds in line": Choices(place="line", kongs=0.5),
    "melds in a column": Choices(place="column", kongs=0.5),
    "melds in front": Choices(place="front", kongs=0.5),
    "two rows": Choices(rows=2, side=None),
    "sorted with gaps": Choices(suits=True),
    "tilted": Choices(tilt=8.0),
    "no wall": Choices(wall=0, gold=False),
    "behind, lying": Choices(view="behind", others="melds"),
    "behind, on a rack": Choices(view="behind", lean=60.0, others="none"),
}


@pytest.mark.parametrize("name", SCENARIOS)
def test_clear_tables_are_laid_out_exactly(name: str) -> None:
    choices = SCENARIOS[name]
    for seed in range(4):
        true = world(1000 + seed, choices)
        table = lay(true, choices, seat=true.side)
        assert not GRAVE & set(wrong(true, table)), (name, seed, wrong(true, table))
        assert not table.problems


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10**6),
    size=st.sampled_from([13, 16]),
    view=st.sampled_from(["above", "above", "behind"]),
    side=st.sampled_from(SIDES),
    rows=st.sampled_from([1, 1, 2]),
    place=st.sampled_from(["line", "column", "front"]),
    others=st.sampled_from(["none", "melds", "laid"]),
    pool=st.sampled_from(["rivers", "heap", "none"]),
    wall=st.sampled_from([0, 6, 12]),
    tilt=st.floats(0, 8),
    known=st.booleans(),
)
def test_nothing_is_guessed_in_silence(seed: int, *, known: bool, **made: Any) -> None:
    choices = Choices(**made, gold=made["wall"] > 5)
    try:
        true = world(seed, choices)
    except ValueError:
        return  # no room for such a table
    table = lay(true, choices, seat=true.side if known else None)
    assert_every_tile_has_one_place(table)
    if {"hand", "melds"} & set(wrong(true, table)):
        assert table.problems


def test_of_four_open_hands_seen_from_above_the_page_asks_which_is_mine() -> None:
    choices = Choices(others="laid", side="left")
    true = world(1, choices)
    assert "which_side" in [problem.code for problem in lay(true, choices).problems]
    for more in ({"seat": "left"}, {"before": "left"}):
        table = lay(true, choices, **more)
        assert not GRAVE & set(wrong(true, table))
        assert "which_side" not in [problem.code for problem in table.problems]
        assert table.side_sure


@pytest.mark.parametrize("side", SIDES)
def test_the_side_is_found_where_only_one_hand_lies(side: str) -> None:
    choices = Choices(others="melds", side=side)
    true = world(3, choices)
    table = lay(true, choices)
    assert table.side == side
    assert not GRAVE & set(wrong(true, table))
    assert table.side_sure


def test_the_others_melds_tell_whom_they_were_claimed_from() -> None:
    choices = Choices(others="melds", turned=1.0, kongs=0.3)
    claims = 0
    for seed in range(4):
        true = world(20 + seed, choices)
        table = lay(true, choices, seat=true.side)
        seen = {(owner, meld.kind, meld.tiles, meld.source) for owner, meld in table.other_melds}
        assert seen == true.other_melds
        claims += sum(n for counts in table.claims("B").values() for n in counts.values())
        record = table.as_record("jinhua", seat="B")
        assert record["table"].get("claims", {}) == table.claims("B")
        assert "claims" not in table.as_record("xiamen")["table"]
    assert claims > 5


BOX = st.tuples(st.floats(0, 1500), st.floats(0, 1100), st.floats(0.5, 90), st.floats(0.5, 90), st.integers(-1, 41))


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    boxes=st.lists(BOX, max_size=30),
    seat=st.sampled_from([None, *SIDES]),
    size=st.sampled_from([None, 13, 16]),
    zoned=st.booleans(),
)
def test_any_boxes_are_laid_out(
    boxes: list[tuple[float, float, float, float, int]], seat: str | None, size: int | None, *, zoned: bool
) -> None:
    corners = np.array([(x, y, x + w, y + h) for x, y, w, h, _ in boxes]).reshape(-1, 4)
    halves = {"melds": (0, 0.5), "concealed": (0.4, 1)} if zoned else {}
    zones = Zones.from_json(
        [{"kind": kind, "polygon": [[a, 0], [b, 0], [b, 1], [a, 1]]} for kind, (a, b) in halves.items()]
    )
    table = Table.from_reading(read(corners, [kind for *_, kind in boxes]), seat=seat, size=size, zones=zones)
    assert_every_tile_has_one_place(table)
    table.as_record("xiamen")
    table.as_json()
