"""What a whole table becomes on the page: other players' tiles, melds with their source, problems with their tiles."""

from __future__ import annotations

from tests.vision.worlds import Choices, world
from vision.table import Table
from webui import layout

CHOICES = Choices(others="melds", melds=3, place="line", turned=1.0, kongs=0.0)


def test_a_whole_table_reaches_the_page() -> None:
    true = world(5, CHOICES)
    table = Table.from_reading(true.reading, size=16, seat=true.side)
    seen = layout.of_table(table, "xiamen", seat="B")
    areas = {box["id"]: box["area"] for box in seen.boxes}
    assert {i for i, area in areas.items() if area == "others"} == set(table.others)
    assert {i for i, area in areas.items() if area == "melds"} == {i for meld in true.melds for i in meld.indices}
    seats = {"left": "A", "across": "D", "right": "C"}
    assert {meld["from"] for meld in seen.hand["melds"]} == {seats[meld.source] for meld in true.melds if meld.source}
    open_tiles = true.discards | true.others
    assert len(seen.hand["visible"]) >= sum(int(true.reading.detections.kind[i]) < 34 for i in open_tiles)
    assert seen.problems == []


def test_a_problem_names_the_boxes_it_is_about() -> None:
    true = world(5, CHOICES)
    table = Table.from_reading(true.reading, size=13, seat=true.side)
    ids = [100 + i for i in range(len(true.reading.detections))]
    problems = layout.of_table(table, "jinhua", ids=ids).problems
    assert [problem["code"] for problem in problems] == ["too_many_tiles"]
    assert problems[0]["ids"] == [100 + i for i in table.problems[0].indices] != []


def test_hands_of_every_game() -> None:
    sizes = {"xiamen": 16, "zhangzhou": 16, "yunxiao": 13, "jinhua": 13, "hangzhou": 13}
    assert {rules: layout.hand_size(rules) for rules in sizes} == sizes
