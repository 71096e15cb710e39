"""From what was seen on the table to the hand the page shows.

The page's hand is `{gold, gold_certain, gold_candidates, concealed, drawn, melds: [{kind, from, tiles}], flowers, visible, youjin}`; each of its tiles
`{tile, id, certain, pinned, alternatives}`. `id` ties a tile to its box on the picture. The scripts turn such a hand
into a hand record (`static/js/store.js`), and so does `record_of`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.tiles import CODES, INDEX, format_tiles
from webui.games import GAMES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from vision.indicator import IndicatorWatch
    from vision.reading import Reading
    from vision.table import Table

#: How many further kinds a tile carries to the page.
ALTERNATIVES = 4


@dataclass(frozen=True)
class Seen:
    """A laid-out table: the hand, the boxes on the picture, what cannot be."""

    hand: dict[str, Any]
    boxes: list[dict[str, Any]]
    problems: list[dict[str, Any]]


def hand_size(rules: str) -> int:
    """Tiles of a hand between turns."""
    return 3 * GAMES[rules].sets + 1


def empty_hand() -> dict[str, Any]:
    """Return a hand without tiles."""
    return {
        "gold": None,
        "gold_certain": True,
        "gold_candidates": [],
        "concealed": [],
        "drawn": None,
        "melds": [],
        "flowers": [],
        "visible": [],
        "youjin": 0,
    }


def tiles_of(hand: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Go through all tiles of a hand."""
    yield from hand["concealed"]
    if hand["drawn"] is not None:
        yield hand["drawn"]
    for meld in hand["melds"]:
        yield from meld["tiles"]
    yield from hand["flowers"]


def of_table(
    table: Table,
    rules: str,
    *,
    ids: Sequence[int] | None = None,
    pinned: Collection[int] = (),
    gold: str | None = None,
    watch: IndicatorWatch | None = None,
    seat: str = "A",
) -> Seen:
    """Say what lies on a table in the page's words.

    Args:
        table: what lies where; `certain` of its detections says what is settled.
        rules: the game, which says what the gold is.
        ids: an id for each detection; default: its index.
        pinned: ids of the tiles a person has named.
        gold: the gold where a person has named it.
        watch: what is remembered of the gold's indicator; default: only this table is known.
        seat: the player's own seat, from which the turned tile of a meld tells whom it came from.
    """
    from vision.melds import seat_of  # noqa: PLC0415  (the command line starts without the eyes)

    reading = table.reading
    seen = reading.detections
    names = list(ids) if ids is not None else list(range(len(seen)))

    def code(index: int) -> str | None:
        kind = int(seen.kind[index])
        return CODES[kind] if kind >= 0 else None

    def tile(index: int, known: str | None = None) -> dict[str, Any]:
        return {
            "tile": known or code(index),
            "id": names[index],
            "certain": bool(seen.certain[index]),
            "pinned": names[index] in pinned,
            "alternatives": [[kind, round(share, 4)] for kind, share in seen.alternatives(index, ALTERNATIVES)],
        }

    hand = empty_hand()
    hand["concealed"] = [tile(index) for index in table.concealed]
    hand["drawn"] = tile(table.drawn) if table.drawn is not None else None
    # A concealed kong may show two of its tiles only; all four are of that kind. One that shows none has no text.
    hand["melds"] = [
        {
            "kind": meld.kind,
            "from": seat_of(meld.source, seat) if meld.source is not None else None,
            "tiles": [
                tile(index, meld.tiles[:1] + meld.tiles[-1:] if code(index) is None else None) for index in meld.indices
            ],
        }
        for meld in table.melds
    ]
    hand["flowers"] = [tile(index) for index in table.flowers]
    hand["visible"] = [CODES[kind] for kind in table.visible()]
    if GAMES[rules].gold != "flipped":
        hand["gold"] = GAMES[rules].gold
    elif gold is not None:
        hand["gold"] = gold
    elif watch is not None:
        hand["gold"] = watch.kind
        hand["gold_certain"] = watch.kind is None or (watch.sure and watch.settled)
    elif table.gold is not None:
        hand["gold"] = code(table.gold)
        hand["gold_certain"] = table.gold_sure and bool(seen.certain[table.gold])
    if hand["gold"] is None:
        hand["gold_candidates"] = list(dict.fromkeys(code(index) for index in table.gold_candidates))

    area = dict.fromkeys(table.discards, "discards") | dict.fromkeys(table.concealed, "concealed")
    area |= dict.fromkeys(table.flowers, "flowers") | dict.fromkeys(table.others, "others")
    area |= dict.fromkeys(table.ignored, "ignored")
    area |= {index: "melds" for meld in table.melds for index in meld.indices}
    if table.drawn is not None:
        area[table.drawn] = "drawn"
    if table.gold is not None:
        area[table.gold] = "gold"
    boxes = [
        {
            **tile(index),
            "settled": bool(seen.certain[index]),
            "box": [round(float(value), 1) for value in seen.boxes[index]],
            "area": area.get(index, "back"),
        }
        for index in range(len(seen))
    ]
    problems = [
        {**problem.as_json(), "ids": [names[index] for index in problem.indices]}
        for problem in (*reading.problems, *table.problems)
    ]
    return Seen(hand, boxes, problems)


def of_photo(reading: Reading, rules: str) -> dict[str, Any]:
    """Return what the page needs of a single photo beside its reading.

    Returns:
        `hand`, `boxes`, the partial `record`, and `problems`: those of the reading and what does not add up on the table,
        each with the `ids` of its tiles.
    """
    from vision.table import Table  # noqa: PLC0415  (the command line starts without the eyes)

    seen = of_table(Table.from_reading(reading, size=hand_size(rules)), rules)
    record = record_of(seen.hand, rules)
    return {"hand": seen.hand, "boxes": seen.boxes, "problems": seen.problems, "record": record}


def record_of(
    hand: dict[str, Any],
    rules: str,
    *,
    seat: str = "A",
    dealer: str = "A",
    house: dict[str, Any] | None = None,
    table: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the hand record of a hand (`design/hand-record.md`), without a win."""

    def text(tiles: list[dict[str, Any]]) -> str:
        return format_tiles(INDEX[tile["tile"]] for tile in tiles if tile["tile"] is not None)

    record: dict[str, Any] = {
        "rules": rules,
        "house": dict(house or {}),
        "gold": hand["gold"],
        "dealer": dealer,
        "seat": seat,
        "hand": text(hand["concealed"]),
        "melds": [
            {"kind": meld["kind"], "tiles": text(meld["tiles"]), **({"from": meld["from"]} if meld["from"] else {})}
            for meld in hand["melds"]
        ],
        "flowers": text(_one_of_each(hand["flowers"])),
        "youjin": hand["youjin"],
        "table": {**(table or {}), "visible": format_tiles(INDEX[kind] for kind in hand["visible"])},
    }
    if hand["drawn"] is not None and hand["drawn"]["tile"] is not None:
        record["drawn"] = hand["drawn"]["tile"]
    return record


def _one_of_each(flowers: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The flowers without those in doubt that are there already: they are asked about, and do not count meanwhile."""
    sure = [flower for flower in flowers if flower["certain"] or flower["pinned"]]
    kinds = {flower["tile"] for flower in sure}
    for flower in flowers:
        if flower not in sure and flower["tile"] not in kinds:
            sure.append(flower)
            kinds.add(flower["tile"])
    return sure
