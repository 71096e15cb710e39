"""What the page asks for in each game: its ways of winning and the facts each of them needs.

The rules themselves are the engine's. This is the shape of the form: which of the fields of the hand record
(`design/hand-record.md`, "A win") belong to which game, and what they are called at the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from engine.text import Text

#: Where the winning tile goes: it must be named; it may be named (a win without a drawn tile, R 8); it stays in
#: `drawn` (三金倒); there is none.
WinningTile = Literal["required", "optional", "drawn", "none"]


@dataclass(frozen=True, kw_only=True)
class Method:
    """One way to win, as the form shows it.

    Attributes:
        name: what it is called.
        tile: where the winning tile goes.
        from_seat: whether another seat gave the tile.
        youjin: whether the 游金 level matters.
        flags: facts the tiles cannot show, by their key in `win`.
    """

    name: Text
    tile: WinningTile = "required"
    from_seat: bool = False
    youjin: bool = False
    flags: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the form description for the page."""
        return {
            "name": self.name.as_json(),
            "tile": self.tile,
            "from": self.from_seat,
            "youjin": self.youjin,
            "flags": list(self.flags),
        }


@dataclass(frozen=True, kw_only=True)
class Game:
    """What the page must know about a rule set before any hand is there.

    Attributes:
        name: name of the game.
        sets: sets of a complete hand.
        gold: `flipped` where a tile is turned up, else the code that is always wild.
        flowers: whether flowers are used.
        white_stands_for_gold: whether a white is the face of the gold.
        youjin_names: names of the levels of `youjin`, 0 first; one entry where the game has none.
        methods: ways to win by their `by`.
        events: what moves points or ends the hand without a win, by `event`.
        streaks: whether consecutive deals matter.
        chips: whether a course of chips is counted.
        claims: whether claims between other seats matter (承包).
    """

    name: Text
    sets: int
    gold: str
    flowers: bool
    white_stands_for_gold: bool
    youjin_names: tuple[Text, ...]
    methods: dict[str, Method]
    events: dict[str, Text]
    streaks: bool = False
    chips: bool = False
    claims: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return what the page's scripts read."""
        return {
            "name": self.name.as_json(),
            "sets": self.sets,
            "gold": self.gold,
            "flowers": self.flowers,
            "white_stands_for_gold": self.white_stands_for_gold,
            "youjin_names": [name.as_json() for name in self.youjin_names],
            "methods": {by: method.as_json() for by, method in self.methods.items()},
            "events": {event: name.as_json() for event, name in self.events.items()},
            "streaks": self.streaks,
            "chips": self.chips,
            "claims": self.claims,
        }


_NONE = Text("没有", "沒有", "none")
_DISCARD = Text("点炮", "點炮", "on a discard")
_SELF_DRAW = Text("自摸", "自摸", "self-draw")
_ROB_KONG = Text("抢杠", "搶槓", "robbing a kong")
_TIANHU = Text("天胡", "天胡", "heavenly hand")
_DRAWN = Text("流局", "流局", "nobody wins")


def _minnan(
    *, opening: Text, on_discard: tuple[str, ...] = (), on_kong: tuple[str, ...] = (), **further: Method
) -> dict[str, Method]:
    """The ways to win that the games of southern Fujian share; `on_discard` and `on_kong` are further questions."""
    return {
        "self_draw": Method(name=_SELF_DRAW, tile="optional", youjin=True, flags=("kong",)),
        "discard": Method(name=_DISCARD, from_seat=True, flags=on_discard),
        **further,
        "rob_kong": Method(name=_ROB_KONG, from_seat=True, flags=on_kong),
        "three_golds": Method(name=Text("三金倒", "三金倒", "three golds"), tile="drawn", flags=("opening",)),
        "gold_grab": Method(name=Text("抢金", "搶金", "robbing the gold"), tile="none"),
        "opening": Method(name=opening, tile="none"),
    }


GAMES: dict[str, Game] = {
    "xiamen": Game(
        name=Text("厦门", "廈門", "Xiamen"),
        sets=5,
        gold="flipped",
        flowers=True,
        white_stands_for_gold=True,
        youjin_names=(
            _NONE,
            Text("游金", "游金", "youjin (游金)"),
            Text("双游", "雙游", "double youjin (雙游)"),
            Text("三游", "三游", "triple youjin (三游)"),
        ),
        methods=_minnan(opening=Text("天和", "天和", "heavenly hand")),
        events={"draw": _DRAWN, "false_win": Text("诈胡", "詐胡", "false win")},
        streaks=True,
        chips=True,
    ),
    "zhangzhou": Game(
        name=Text("漳州", "漳州", "Zhangzhou"),
        sets=5,
        gold="flipped",
        flowers=True,
        white_stands_for_gold=True,
        youjin_names=(
            _NONE,
            Text("单游", "單游", "single youjin (單游)"),
            Text("双游", "雙游", "double youjin (雙游)"),
            Text("三游", "三游", "triple youjin (三游)"),
        ),
        methods=_minnan(opening=_TIANHU, on_discard=("last_tile",), on_kong=("last_tile",)),
        events={"draw": _DRAWN, "follow": Text("分饼", "分餅", "followed discards (分餅)")},
        streaks=True,
    ),
    "yunxiao": Game(
        name=Text("云霄", "雲霄", "Yunxiao"),
        sets=4,
        gold="flipped",
        flowers=False,
        white_stands_for_gold=True,
        youjin_names=(
            _NONE,
            Text("单游金", "單游金", "single youjin (單游金)"),
            Text("双游金", "雙游金", "double youjin (雙游金)"),
            Text("三游金", "三游金", "triple youjin (三游金)"),
        ),
        methods=_minnan(
            opening=_TIANHU,
            on_discard=("first_discard",),
            youjin_declared=Method(name=Text("宣告游金", "宣告游金", "declared youjin"), tile="none", youjin=True),
        ),
        events={"draw": _DRAWN},
    ),
    "jinhua": Game(
        name=Text("金华", "金華", "Jinhua"),
        sets=4,
        gold="flipped",
        flowers=False,
        white_stands_for_gold=True,
        youjin_names=(_NONE,),
        methods={
            "self_draw": Method(name=_SELF_DRAW, flags=("kong", "first_round", "last_tile")),
            "discard": Method(name=_DISCARD, from_seat=True, flags=("first_discard",)),
            "rob_kong": Method(name=_ROB_KONG, from_seat=True),
            "opening": Method(name=_TIANHU, tile="none"),
        },
        events={"draw": _DRAWN},
        claims=True,
    ),
    "hangzhou": Game(
        name=Text("杭州", "杭州", "Hangzhou"),
        sets=4,
        gold="5z",
        flowers=False,
        white_stands_for_gold=False,
        youjin_names=(
            _NONE,
            Text("一飘", "一飄", "one wild discarded (財飄)"),
            Text("双飘", "雙飄", "two wilds discarded (雙飄)"),
            Text("三飘", "三飄", "three wilds discarded (三飄)"),
        ),
        methods={"self_draw": Method(name=_SELF_DRAW, youjin=True)},
        events={"draw": _DRAWN},
    ),
}
