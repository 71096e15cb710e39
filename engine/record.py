"""The hand record: one JSON form for a hand at a moment (``design/hand-record.md``), parsed, checked, printed.

`parse` accepts only what can happen at a table (RULES 0.3); everything else is an `InputError` that names the
field and says what to correct. Nothing is guessed and nothing is silently ignored: a field nobody knows is an
error too, since a misspelt ``flowers`` would cost points without a word.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, Final, Protocol

from engine import house as house_rules
from engine.errors import InputError
from engine.settlement import SEATS, before
from engine.text import Text, same
from engine.tiles import CODES, HONOUR, NAMES, PLAYABLE, WHITE, format_tiles, parse_tiles

CHOW, PONG, KONG, ADDED_KONG, CONCEALED_KONG = "chow", "pong", "kong", "added_kong", "concealed_kong"
MELD_KINDS: Final = (CHOW, PONG, KONG, ADDED_KONG, CONCEALED_KONG)
KONGS: Final = frozenset({KONG, ADDED_KONG, CONCEALED_KONG})

DISCARD, SELF_DRAW, ROB_KONG, GOLD_GRAB = "discard", "self_draw", "rob_kong", "gold_grab"
THREE_GOLDS, OPENING, YOUJIN_DECLARED = "three_golds", "opening", "youjin_declared"
#: Every way a record can say a hand was won.
WIN_WAYS: Final = (DISCARD, SELF_DRAW, ROB_KONG, GOLD_GRAB, THREE_GOLDS, OPENING, YOUJIN_DECLARED)

FALSE_WIN, FOLLOW, DRAW = "false_win", "follow", "draw"
#: Every event that moves points, or ends a hand, without a win.
EVENTS: Final = (FALSE_WIN, FOLLOW, DRAW)

MOST_STREAK: Final = 30
#: Keys a record may carry for its owner's use; the engine does not read them.
LABELS: Final = ("id", "title", "note")


class Game(Protocol):
    """What the record must know about a game; `engine.rules.base.RuleSet` provides it."""

    @property
    def name(self) -> str:
        """Its key in ``rules``."""

    @property
    def title(self) -> Text:
        """What people call it."""

    @property
    def sets(self) -> int:
        """Sets of a complete hand beside the pair."""

    @property
    def has_flowers(self) -> bool:
        """Whether flowers are in the set of tiles."""

    @property
    def gold_is_white(self) -> bool:
        """Whether the white is the wild tile, so that nothing is flipped."""

    @property
    def house(self) -> type[house_rules.Profile]:
        """Its house profile."""

    def golds_discarded(self, youjin: int) -> int:
        """How many golds the player has discarded to be in this 游金 state (R 2)."""


@dataclass(frozen=True, slots=True)
class Meld:
    """A set laid open, or a concealed kong.

    Attributes:
        kind: ``chow``, ``pong``, ``kong``, ``added_kong`` or ``concealed_kong``.
        tiles: physical tiles, sorted.
        source: the seat the claimed tile came from, where known.
    """

    kind: str
    tiles: tuple[int, ...]
    source: str | None = None

    @property
    def is_kong(self) -> bool:
        """Four tiles."""
        return self.kind in KONGS

    @property
    def is_claimed(self) -> bool:
        """Made with somebody's discard."""
        return self.kind != CONCEALED_KONG

    def faces(self, gold: int | None) -> tuple[int, ...]:
        """What the tiles count as, sorted: whites as the face of the gold (R 3)."""
        if gold is None or WHITE not in self.tiles:
            return self.tiles
        return tuple(sorted(gold if kind == WHITE else kind for kind in self.tiles))

    def as_json(self) -> dict[str, object]:
        """``{kind, tiles, from}``."""
        answer: dict[str, object] = {"kind": self.kind, "tiles": format_tiles(self.tiles)}
        if self.source is not None:
            answer["from"] = self.source
        return answer


@dataclass(frozen=True, slots=True)
class Win:
    """How the hand was won.

    Attributes:
        by: one of ``WIN_WAYS``.
        tile: the winning tile; ``None`` where there is none.
        source: the discarder or the robbed konger.
        first_discard: it was the dealer's first discard (地胡).
        last_tile: it was one of the last tiles (最後一手牌, 海底).
        first_round: own first draw (人胡).
        kong: ``exposed`` or ``concealed`` when the tile was a kong's replacement.
        opening: the three golds were dealt.
    """

    by: str
    tile: int | None = None
    source: str | None = None
    first_discard: bool = False
    last_tile: bool = False
    first_round: bool = False
    kong: str | None = None
    opening: bool = False

    def as_json(self) -> dict[str, object]:
        """Only what is set."""
        answer: dict[str, object] = {"by": self.by}
        if self.tile is not None:
            answer["tile"] = CODES[self.tile]
        if self.source is not None:
            answer["from"] = self.source
        for flag in ("first_discard", "last_tile", "first_round", "opening"):
            if getattr(self, flag):
                answer[flag] = True
        if self.kong is not None:
            answer["kong"] = self.kong
        return answer


@dataclass(frozen=True, slots=True)
class Offer:
    """A tile somebody has discarded."""

    tile: int
    source: str

    def as_json(self) -> dict[str, object]:
        """``{tile, from}``."""
        return {"tile": CODES[self.tile], "from": self.source}


@dataclass(frozen=True, slots=True)
class TableFacts:
    """What else the rules may need to know.

    Attributes:
        dealer_streak: the dealer's consecutive deals after wins and draws together.
        draw_streak: how many of the latest of them were draws.
        tiles_left: tiles left in the wall.
        visible: tiles seen elsewhere, sorted.
        chips: chips of every seat in this course.
        claims: Jinhua 承包: claimer -> claimed-from -> melds.
        passed: claimable tiles this seat let go since its own last turn.
        discards: everything discarded in this hand, in order.
        wild_discarder: who discarded a wild last, while that still matters.
        youjin: other seats known to be in 游金 states.
    """

    dealer_streak: int = 0
    draw_streak: int = 0
    tiles_left: int | None = None
    visible: tuple[int, ...] = ()
    chips: Mapping[str, int] | None = None
    claims: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    passed: tuple[Offer, ...] = ()
    discards: tuple[int, ...] = ()
    wild_discarder: str | None = None
    youjin: Mapping[str, int] = field(default_factory=dict)

    def as_json(self) -> dict[str, object]:
        """Only what is set."""
        answer: dict[str, object] = {}
        if self.dealer_streak:
            answer["dealer_streak"] = self.dealer_streak
        if self.draw_streak:
            answer["draw_streak"] = self.draw_streak
        if self.tiles_left is not None:
            answer["tiles_left"] = self.tiles_left
        if self.visible:
            answer["visible"] = format_tiles(self.visible)
        if self.chips is not None:
            answer["chips"] = dict(self.chips)
        if self.claims:
            answer["claims"] = {claimer: dict(counts) for claimer, counts in self.claims.items()}
        if self.passed:
            answer["passed"] = [offer.as_json() for offer in self.passed]
        if self.discards:
            answer["discards"] = "".join(CODES[kind] for kind in self.discards)
        if self.wild_discarder is not None:
            answer["wild_discarder"] = self.wild_discarder
        if self.youjin:
            answer["youjin"] = dict(self.youjin)
        return answer


NOTHING_KNOWN: Final = TableFacts()


@dataclass(frozen=True, slots=True)
class HandRecord:
    """A hand at a moment, checked against the game it belongs to. Tiles are physical kinds, sorted.

    Attributes:
        rules: name of the game.
        house: the house profile, an instance of the game's own class.
        gold: the kind that is wild, or ``None`` where the game has none.
        dealer, seat: ``A``-``D``.
        hand: concealed tiles without the one just drawn or claimed.
        drawn: the tile just drawn.
        melds: what lies open, and concealed kongs.
        flowers: flowers laid out by this seat.
        youjin: 游金 state 0-3 (R 7).
        table: what else is known.
        win: how it was won, in a record to be scored.
        offered: the discard that may be claimed.
        sitting_out: players who play as 相公.
    """

    rules: str
    house: house_rules.Profile
    gold: int | None
    dealer: str = "A"
    seat: str = "A"
    hand: tuple[int, ...] = ()
    drawn: int | None = None
    melds: tuple[Meld, ...] = ()
    flowers: tuple[int, ...] = ()
    youjin: int = 0
    table: TableFacts = NOTHING_KNOWN
    win: Win | None = None
    offered: Offer | None = None
    sitting_out: tuple[str, ...] = ()

    @property
    def is_dealer(self) -> bool:
        """The record's seat deals."""
        return self.seat == self.dealer

    def as_json(self) -> dict[str, object]:
        """The record as JSON; parsing that gives an equal record."""
        answer: dict[str, object] = {"rules": self.rules}
        overrides = house_rules.changed(self.house)
        if overrides:
            answer["house"] = overrides
        answer["gold"] = None if self.gold is None else CODES[self.gold]
        answer["dealer"] = self.dealer
        answer["seat"] = self.seat
        answer["hand"] = format_tiles(self.hand)
        if self.drawn is not None:
            answer["drawn"] = CODES[self.drawn]
        if self.melds:
            answer["melds"] = [meld.as_json() for meld in self.melds]
        if self.flowers:
            answer["flowers"] = format_tiles(self.flowers)
        if self.youjin:
            answer["youjin"] = self.youjin
        table = self.table.as_json()
        if table:
            answer["table"] = table
        if self.win is not None:
            answer["win"] = self.win.as_json()
        if self.offered is not None:
            answer["offered"] = self.offered.as_json()
        if self.sitting_out:
            answer["sitting_out"] = list(self.sitting_out)
        return answer


@dataclass(frozen=True, slots=True)
class EventRecord:
    """Something that moves points, or ends the hand, without a win.

    Attributes:
        rules: name of the game.
        house: the house profile.
        event: one of ``EVENTS``.
        seat: who caused it; ``None`` for a draw.
        dealer: the dealer.
        table: streaks and chips.
        youjin_players: records of the players who were in 游金 (``false_win``).
        count: followed discards in a row from the first (``follow``).
        base: 底分 of a follow, or ``None`` for the house's own.
    """

    rules: str
    house: house_rules.Profile
    event: str
    seat: str | None = None
    dealer: str = "A"
    table: TableFacts = NOTHING_KNOWN
    youjin_players: tuple[HandRecord, ...] = ()
    count: int = 0
    base: int | None = None


# --- reading JSON ---------------------------------------------------------------------------------------


def _shown(value: object) -> str:
    """A value as a short quotation."""
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 40 else text[:37] + "…"  # noqa: PLR2004


class Fields:
    """A JSON object read field by field; what is left over at the end is an error."""

    def __init__(self, data: object, prefix: str, known: tuple[str, ...]) -> None:
        if not isinstance(data, dict):
            raise InputError(
                "not_an_object",
                prefix,
                Text(
                    f"这里应该是一个对象 {{…}}，而不是 {_shown(data)}" if prefix else "记录应该是一个 JSON 对象 {…}",
                    f"這裡應該是一個物件 {{…}}，而不是 {_shown(data)}" if prefix else "記錄應該是一個 JSON 物件 {…}",
                    f"this must be an object {{…}}, not {_shown(data)}" if prefix else "a record is a JSON object {…}",
                ),
            )
        self.data: dict[Any, Any] = data
        self.prefix = prefix + "." if prefix else ""
        for key in data:
            if key not in known:
                listed = ", ".join(known)
                close = get_close_matches(str(key)[:60], known, 1)
                name = _shown(key)
                raise InputError(
                    "unknown_field",
                    self.prefix + name,
                    Text(
                        f"没有“{name}”这一项" + (f"，是不是 {close[0]}？" if close else f"，可用的有：{listed}"),
                        f"沒有「{name}」這一項" + (f"，是不是 {close[0]}？" if close else f"，可用的有：{listed}"),
                        f'there is no field "{name}"'
                        + (f"; did you mean {close[0]}?" if close else f"; there are: {listed}"),
                    ),
                )

    def path(self, key: str) -> str:
        """The field's name from the top of the record."""
        return self.prefix + key

    def get(self, key: str) -> Any:
        """The raw value; ``None`` if missing."""
        return self.data.get(key)

    def wrong(self, key: str, value: object, expected: Text) -> InputError:
        """The error for a value of a wrong type."""
        return InputError(
            "bad_value",
            self.path(key),
            Text(
                f"这里应该是{expected.zh}，而不是 {_shown(value)}",
                f"這裡應該是{expected.zh_hant}，而不是 {_shown(value)}",
                f"this must be {expected.en}, not {_shown(value)}",
            ),
        )

    def missing(self, key: str, what: Text) -> InputError:
        """The error for a value that must be there."""
        return InputError(
            "missing", self.path(key), Text(f"缺少{what.zh}", f"缺少{what.zh_hant}", f"{what.en} is missing")
        )

    def text(self, key: str) -> str | None:
        """A text, or ``None`` if missing."""
        value = self.data.get(key)
        if value is not None and not isinstance(value, str):
            raise self.wrong(key, value, Text("文字", "文字", "a text"))
        return value

    def choice(self, key: str, allowed: tuple[str, ...]) -> str | None:
        """One of some words, or ``None`` if missing."""
        value = self.data.get(key)
        if value is not None and (not isinstance(value, str) or value not in allowed):
            listed = ", ".join(allowed)
            raise self.wrong(
                key, value, Text(f"其中之一：{listed}", f"其中之一：{listed}", f"one of {listed}")
            )
        return value

    def seat(self, key: str, default: str | None = None) -> str | None:
        """A seat, or the default if missing."""
        return self.choice(key, SEATS) or default

    def flag(self, key: str) -> bool:
        """True or false; false if missing."""
        value = self.data.get(key)
        if value is not None and not isinstance(value, bool):
            raise self.wrong(key, value, Text(" true 或 false", " true 或 false", "true or false"))
        return bool(value)

    def integer(self, key: str, least: int, most: int) -> int | None:
        """A whole number in a range, or ``None`` if missing."""
        value = self.data.get(key)
        if value is not None and (type(value) is not int or not least <= value <= most):
            raise self.wrong(
                key,
                value,
                Text(
                    f" {least} 到 {most} 的整数", f" {least} 到 {most} 的整數", f"a whole number from {least} to {most}"
                ),
            )
        return value

    def tiles(self, key: str) -> tuple[int, ...] | None:
        """Tiles in the order written, or ``None`` if missing."""
        value = self.data.get(key)
        if value is None:
            return None
        if not isinstance(value, str):
            raise self.wrong(key, value, Text("牌的文字，例如 123m", "牌的文字，例如 123m", "tiles as text, such as 123m"))
        return parse_tiles(value, self.path(key))

    def tile(self, key: str) -> int | None:
        """Exactly one tile that is no flower, or ``None`` if missing."""
        kinds = self.tiles(key)
        if kinds is None:
            return None
        if len(kinds) != 1:
            raise InputError(
                "one_tile",
                self.path(key),
                Text(
                    f"这里只能是一张牌，写了 {len(kinds)} 张",
                    f"這裡只能是一張牌，寫了 {len(kinds)} 張",
                    f"this is exactly one tile; {len(kinds)} are given",
                ),
            )
        if kinds[0] >= PLAYABLE:
            raise InputError(
                "flower_not_allowed",
                self.path(key),
                Text(
                    f"{NAMES[kinds[0]].zh}是花牌：请放到 flowers，先补花",
                    f"{NAMES[kinds[0]].zh_hant}是花牌：請放到 flowers，先補花",
                    f"{NAMES[kinds[0]].en} is a flower: lay it out in flowers and draw its replacement first",
                ),
            )
        return kinds[0]

    def items(self, key: str) -> list[Any]:
        """A list; empty if missing."""
        value = self.data.get(key)
        if value is None:
            return []
        if not isinstance(value, list):
            raise self.wrong(key, value, Text("列表 […]", "列表 […]", "a list […]"))
        return value


_RECORD_FIELDS: Final = (
    *("rules", "house", "gold", "dealer", "seat", "hand", "drawn", "melds", "flowers", "youjin", "table", "win"),
    *("offered", "sitting_out", *LABELS),
)
_TABLE_FIELDS: Final = (
    *("dealer_streak", "draw_streak", "tiles_left", "visible", "chips", "claims", "passed", "discards"),
    *("wild_discarder", "youjin"),
)
_WIN_FIELDS: Final = ("by", "tile", "from", "first_discard", "last_tile", "first_round", "kong", "opening")
_EVENT_FIELDS: Final = (
    *("rules", "house", "event", "seat", "dealer", "table", "youjin_players", "count", "base", *LABELS),
)


def find_game(data: object, games: Mapping[str, Game]) -> Game:
    """The game a record belongs to.

    Raises:
        InputError: the record is no object, or its ``rules`` are unknown.
    """
    if not isinstance(data, dict):
        Fields(data, "", ())
    name = data.get("rules")  # type: ignore[attr-defined]  # Fields has refused everything but a dict
    listed = ", ".join(games)
    if name is None:
        raise InputError(
            "missing",
            "rules",
            Text(f"缺少打法：{listed}", f"缺少打法：{listed}", f"the rules are missing; there are: {listed}"),
        )
    if not isinstance(name, str) or name not in games:
        raise InputError(
            "unknown_rules",
            "rules",
            Text(
                f"没有“{_shown(name)}”这种打法，可用的有：{listed}",
                f"沒有「{_shown(name)}」這種打法，可用的有：{listed}",
                f'there are no rules "{_shown(name)}"; there are: {listed}',
            ),
        )
    return games[name]


def parse(data: object, games: Mapping[str, Game], *, house: Mapping[str, object] | None = None) -> HandRecord:
    """A hand record from JSON.

    Args:
        data: the decoded JSON.
        games: the known games by name.
        house: house rules that hold unless the record overrides them.

    Raises:
        InputError: the record is not a possible hand.
    """
    game = find_game(data, games)
    fields = Fields(data, "", _RECORD_FIELDS)
    profile = _house(fields, game, house)
    gold = _gold(fields, game)
    seat = fields.seat("seat", "A") or "A"
    dealer = fields.seat("dealer", "A") or "A"
    hand = fields.tiles("hand")
    if hand is None:
        raise fields.missing("hand", Text("手牌", "手牌", "the hand"))
    for kind in hand:
        if kind >= PLAYABLE:
            raise InputError(
                "flower_in_hand",
                "hand",
                Text(
                    f"{NAMES[kind].zh}是花牌，不能在手牌里，请放到 flowers",
                    f"{NAMES[kind].zh_hant}是花牌，不能在手牌裡，請放到 flowers",
                    f"{NAMES[kind].en} is a flower and cannot be in the hand; put it in flowers",
                ),
            )
    melds = tuple(
        _meld(item, f"melds[{index}]", game, gold, seat) for index, item in enumerate(fields.items("melds"))
    )
    if len(melds) > game.sets:
        raise InputError(
            "too_many_melds",
            "melds",
            Text(
                f"最多 {game.sets} 组，写了 {len(melds)} 组",
                f"最多 {game.sets} 組，寫了 {len(melds)} 組",
                f"a hand has at most {game.sets} melds; {len(melds)} are given",
            ),
        )
    record = HandRecord(
        rules=game.name,
        house=profile,
        gold=gold,
        dealer=dealer,
        seat=seat,
        hand=tuple(sorted(hand)),
        drawn=fields.tile("drawn"),
        melds=melds,
        flowers=_flowers(fields, game),
        youjin=fields.integer("youjin", 0, 3) or 0,
        table=_table(fields, game, seat),
        win=None if fields.get("win") is None else _win(fields.get("win"), seat, dealer, gold),
        offered=None if fields.get("offered") is None else _offer(fields.get("offered"), "offered", seat),
        sitting_out=_sitting_out(fields, seat),
    )
    return _checked(record, game)


def _house(fields: Fields, game: Game, inherited: Mapping[str, object] | None) -> house_rules.Profile:
    overrides = fields.get("house")
    if overrides is None:
        overrides = {}
    if not isinstance(overrides, dict):
        Fields(overrides, "house", ())
    return house_rules.load(game.house, {**inherited, **overrides} if inherited else overrides)


def _gold(fields: Fields, game: Game) -> int | None:
    gold = fields.tile("gold")
    if game.gold_is_white:
        if gold not in (None, WHITE):
            raise InputError(
                "gold_is_white",
                "gold",
                Text(
                    f"{game.title.zh}的财神是白板：写 5z，或省略",
                    f"{game.title.zh_hant}的財神是白板：寫 5z，或省略",
                    f"in {game.title.en} the white is the wild tile: write 5z, or leave it out",
                ),
            )
        return WHITE
    if gold is None:
        raise fields.missing("gold", Text("金（翻出的牌）", "金（翻出的牌）", "the gold (the tile that was flipped)"))
    return gold


def _flowers(fields: Fields, game: Game) -> tuple[int, ...]:
    flowers = fields.tiles("flowers") or ()
    if flowers and not game.has_flowers:
        raise InputError(
            "no_flowers",
            "flowers",
            Text(
                f"{game.title.zh}没有花牌，请留空",
                f"{game.title.zh_hant}沒有花牌，請留空",
                f"{game.title.en} has no flowers; leave this empty",
            ),
        )
    for kind in flowers:
        if kind < PLAYABLE:
            raise InputError(
                "not_a_flower",
                "flowers",
                Text(
                    f"{NAMES[kind].zh}不是花牌，请放到 hand 或 melds",
                    f"{NAMES[kind].zh_hant}不是花牌，請放到 hand 或 melds",
                    f"{NAMES[kind].en} is no flower; it belongs to hand or melds",
                ),
            )
        if flowers.count(kind) > 1:
            raise _flower_twice(kind, "flowers")
    return tuple(sorted(flowers))


def _flower_twice(kind: int, field_name: str) -> InputError:
    return InputError(
        "flower_twice",
        field_name,
        Text(
            f"{NAMES[kind].zh}每副牌只有一张",
            f"{NAMES[kind].zh_hant}每副牌只有一張",
            f"there is only one {NAMES[kind].en} in a set of tiles; it is given twice",
        ),
    )


def _meld(data: object, prefix: str, game: Game, gold: int | None, seat: str) -> Meld:
    fields = Fields(data, prefix, ("kind", "tiles", "from"))
    kind = fields.choice("kind", MELD_KINDS)
    if kind is None:
        listed = ", ".join(MELD_KINDS)
        raise fields.missing("kind", Text(f"种类（{listed}）", f"種類（{listed}）", f"the kind ({listed})"))
    tiles = fields.tiles("tiles")
    if tiles is None:
        raise fields.missing("tiles", Text("牌", "牌", "the tiles"))
    source = fields.seat("from")
    meld = Meld(kind, tuple(sorted(tiles)), source)
    _check_meld(meld, fields, gold)
    if source is not None:
        _check_source(meld, fields, seat)
    return meld


def _check_meld(meld: Meld, fields: Fields, gold: int | None) -> None:
    path = fields.path("tiles")
    if gold is not None and gold in meld.tiles:
        name = NAMES[gold]
        raise InputError(
            "gold_in_meld",
            path,
            Text(
                f"{name.zh}是金，不能吃、碰、杠",
                f"{name.zh_hant}是金，不能吃、碰、槓",
                f"{name.en} is the gold and can never be chowed, ponged or konged",
            ),
        )
    size = 4 if meld.is_kong else 3
    faces = meld.faces(gold)
    first = faces[0] if faces else 0
    if meld.kind == CHOW:
        wanted = (first, first + 1, first + 2)
        fits = first < HONOUR and first % 9 <= 6 and faces == wanted  # noqa: PLR2004
    else:
        fits = first < PLAYABLE and faces == (first,) * size
    if not fits:
        what = {
            CHOW: Text("同花色连续三张", "同花色連續三張", "three consecutive tiles of one suit"),
            PONG: Text("三张相同的牌", "三張相同的牌", "three equal tiles"),
        }.get(meld.kind, Text("四张相同的牌", "四張相同的牌", "four equal tiles"))
        shown = format_tiles(meld.tiles) or "–"
        raise InputError(
            "bad_meld",
            path,
            Text(
                f"{meld.kind} 应该是{what.zh}，而不是 {shown}",
                f"{meld.kind} 應該是{what.zh_hant}，而不是 {shown}",
                f"a {meld.kind} is {what.en}, not {shown}",
            ),
        )


def _check_source(meld: Meld, fields: Fields, seat: str) -> None:
    path = fields.path("from")
    if meld.kind == CONCEALED_KONG:
        raise InputError(
            "concealed_kong_from",
            path,
            Text("暗杠没有来自别家的牌，请去掉 from", "暗槓沒有來自別家的牌，請去掉 from", "a concealed kong came from nobody; leave out from"),
        )
    if meld.source == seat:
        raise _from_self(path)
    if meld.kind == CHOW and meld.source != before(seat):
        raise InputError(
            "chow_from",
            path,
            Text(
                f"只能吃上家（{before(seat)}）的牌",
                f"只能吃上家（{before(seat)}）的牌",
                f"a chow comes only from the player before, {before(seat)}",
            ),
        )


def _from_self(path: str) -> InputError:
    return InputError(
        "from_self",
        path,
        Text("不能来自自己，请写另外一家", "不能來自自己，請寫另外一家", "it cannot come from the own seat; name another one"),
    )


def _offer(data: object, prefix: str, seat: str) -> Offer:
    fields = Fields(data, prefix, ("tile", "from"))
    tile = fields.tile("tile")
    if tile is None:
        raise fields.missing("tile", Text("打出的牌", "打出的牌", "the tile that was discarded"))
    source = fields.seat("from")
    if source is None:
        raise fields.missing("from", Text("打出这张牌的座位", "打出這張牌的座位", "the seat that discarded it"))
    if source == seat:
        raise _from_self(fields.path("from"))
    return Offer(tile, source)


_WHO_DISCARDED: Final = Text("打出（或被抢杠）的座位", "打出（或被搶槓）的座位", "the seat that discarded it (or was robbed)")
#: Which extra keys each way of winning may carry.
_WIN_EXTRAS: Final[dict[str, frozenset[str]]] = {
    DISCARD: frozenset({"tile", "from", "first_discard", "last_tile"}),
    SELF_DRAW: frozenset({"tile", "first_round", "last_tile", "kong"}),
    ROB_KONG: frozenset({"tile", "from", "last_tile"}),
    GOLD_GRAB: frozenset(),
    THREE_GOLDS: frozenset({"opening"}),
    OPENING: frozenset({"tile"}),
    YOUJIN_DECLARED: frozenset(),
}


def _win(data: object, seat: str, dealer: str, gold: int | None) -> Win:
    fields = Fields(data, "win", _WIN_FIELDS)
    by = fields.choice("by", WIN_WAYS)
    if by is None:
        listed = ", ".join(WIN_WAYS)
        raise fields.missing("by", Text(f"胡牌方式（{listed}）", f"胡牌方式（{listed}）", f"the way of winning ({listed})"))
    win = Win(
        by=by,
        tile=fields.tile("tile"),
        source=fields.seat("from"),
        first_discard=fields.flag("first_discard"),
        last_tile=fields.flag("last_tile"),
        first_round=fields.flag("first_round"),
        kong=fields.choice("kong", ("exposed", "concealed")),
        opening=fields.flag("opening"),
    )
    for key in _WIN_FIELDS[1:]:
        given = fields.get(key)
        if given is None or given is False or key in _WIN_EXTRAS[by]:
            continue
        if by == GOLD_GRAB and key == "tile" and win.tile == gold:
            continue  # says the same twice
        raise InputError(
            "not_with_this_win",
            fields.path(key),
            Text(f"{by} 没有 {key} 这一项，请去掉", f"{by} 沒有 {key} 這一項，請去掉", f"{by} has no {key}; leave it out"),
        )
    if by in (DISCARD, ROB_KONG):
        if win.tile is None:
            raise fields.missing("tile", Text("胡的那张牌", "胡的那張牌", "the winning tile"))
        if win.source is None:
            raise fields.missing("from", _WHO_DISCARDED)
        if win.source == seat:
            raise _from_self(fields.path("from"))
    if win.first_discard and win.source != dealer:
        raise InputError(
            "first_discard_from_dealer",
            fields.path("from"),
            Text(
                f"first_discard 指庄家打的第一张，应来自 {dealer}",
                f"first_discard 指莊家打的第一張，應來自 {dealer}",
                f"first_discard is the dealer's first discard, so it comes from {dealer}",
            ),
        )
    return win


def _sitting_out(fields: Fields, seat: str) -> tuple[str, ...]:
    seats: list[str] = []
    for index, value in enumerate(fields.items("sitting_out")):
        path = f"sitting_out[{index}]"
        if not isinstance(value, str) or value not in SEATS or value in seats:
            raise InputError(
                "bad_value",
                path,
                Text(
                    f"这里应该是 A、B、C、D 之一，不能重复，而不是 {_shown(value)}",
                    f"這裡應該是 A、B、C、D 之一，不能重複，而不是 {_shown(value)}",
                    f"this must be a seat A, B, C or D, each once, not {_shown(value)}",
                ),
            )
        if value == seat:
            raise InputError(
                "sits_out_self",
                path,
                Text(
                    f"{seat} 是这副牌的主人，相公不能胡牌",
                    f"{seat} 是這副牌的主人，相公不能胡牌",
                    f"{seat} plays this hand; a player who sits out cannot win",
                ),
            )
        seats.append(value)
    return tuple(seats)


def _table(outer: Fields, game: Game, seat: str) -> TableFacts:
    data = outer.get("table")
    if data is None or data == {}:
        return NOTHING_KNOWN
    fields = Fields(data, "table", _TABLE_FIELDS)
    dealer_streak = fields.integer("dealer_streak", 0, MOST_STREAK) or 0
    draw_streak = fields.integer("draw_streak", 0, MOST_STREAK) or 0
    if draw_streak > dealer_streak:
        raise InputError(
            "draw_streak",
            fields.path("draw_streak"),
            Text(
                f"和局也算在连庄里：draw_streak 不能大于 dealer_streak（{dealer_streak}）",
                f"和局也算在連莊裡：draw_streak 不能大於 dealer_streak（{dealer_streak}）",
                f"draws are part of the streak: draw_streak cannot be more than dealer_streak ({dealer_streak})",
            ),
        )
    visible = fields.tiles("visible") or ()
    if not game.has_flowers and any(kind >= PLAYABLE for kind in visible):
        raise InputError(
            "no_flowers",
            fields.path("visible"),
            Text(f"{game.title.zh}没有花牌", f"{game.title.zh_hant}沒有花牌", f"{game.title.en} has no flowers"),
        )
    discards = fields.tiles("discards") or ()
    if any(kind >= PLAYABLE for kind in discards):
        raise InputError(
            "flower_not_allowed",
            fields.path("discards"),
            Text("花牌不会被打出，请去掉", "花牌不會被打出，請去掉", "flowers are never discarded; leave them out"),
        )
    passed = tuple(
        _offer(item, f"table.passed[{index}]", seat) for index, item in enumerate(fields.items("passed"))
    )
    return TableFacts(
        dealer_streak=dealer_streak,
        draw_streak=draw_streak,
        tiles_left=fields.integer("tiles_left", 0, 144),
        visible=tuple(sorted(visible)),
        chips=_chips(fields),
        claims=_claims(fields, game, seat),
        passed=passed,
        discards=discards,
        wild_discarder=fields.seat("wild_discarder"),
        youjin=_seats_youjin(fields),
    )


def _chips(outer: Fields) -> dict[str, int] | None:
    data = outer.get("chips")
    if data is None:
        return None
    fields = Fields(data, outer.path("chips"), SEATS)
    chips: dict[str, int] = {}
    for seat in SEATS:
        number = fields.integer(seat, 0, house_rules.MOST)
        if number is None:
            raise fields.missing(seat, Text(f"{seat} 的筹码", f"{seat} 的籌碼", f"the chips of {seat}"))
        chips[seat] = number
    return chips


def _claims(outer: Fields, game: Game, seat: str) -> dict[str, dict[str, int]]:
    data = outer.get("claims")
    if data is None:
        return {}
    path = outer.path("claims")
    claimers = Fields(data, path, SEATS)
    claims: dict[str, dict[str, int]] = {}
    for claimer in data:
        if claimer == seat:
            raise InputError(
                "claims_of_self",
                f"{path}.{claimer}",
                Text(
                    f"{seat} 自己的吃碰杠写在 melds 里",
                    f"{seat} 自己的吃碰槓寫在 melds 裡",
                    f"the claims of {seat} itself are the from of its melds",
                ),
            )
        fields = Fields(claimers.get(claimer), f"{path}.{claimer}", SEATS)
        counts: dict[str, int] = {}
        for source in fields.data:
            if source == claimer:
                raise _from_self(fields.path(source))
            counts[source] = fields.integer(source, 0, game.sets) or 0
        claims[claimer] = counts
    return claims


def _seats_youjin(outer: Fields) -> dict[str, int]:
    data = outer.get("youjin")
    if data is None:
        return {}
    fields = Fields(data, outer.path("youjin"), SEATS)
    return {seat: fields.integer(seat, 0, 3) or 0 for seat in SEATS if fields.get(seat) is not None}


# --- what can lie on a table ----------------------------------------------------------------------------


def _checked(record: HandRecord, game: Game) -> HandRecord:
    """The record with the winning tile in its place, after the checks that concern several fields."""
    win = record.win
    if win is not None:
        record = _place_winning_tile(record, win)
        win = record.win
    _check_size(record, game)
    _check_copies(record, game)
    if win is not None and win.kong is not None:
        kinds = {CONCEALED_KONG} if win.kong == "concealed" else {KONG, ADDED_KONG}
        if not any(meld.kind in kinds for meld in record.melds):
            raise InputError(
                "kong_without_kong",
                "win.kong",
                Text(
                    "melds 里没有这样的杠，无法杠上开花",
                    "melds 裡沒有這樣的槓，無法槓上開花",
                    f"there is no {win.kong} kong among the melds whose replacement this could be",
                ),
            )
    if record.drawn is not None and record.offered is not None:
        raise InputError(
            "drawn_and_offered",
            "offered",
            Text(
                "刚摸了牌就不能要别人打的牌：请去掉 drawn 或 offered",
                "剛摸了牌就不能要別人打的牌：請去掉 drawn 或 offered",
                "who has just drawn cannot claim a discard: leave out drawn or offered",
            ),
        )
    return record


def _place_winning_tile(record: HandRecord, win: Win) -> HandRecord:
    """Lets ``drawn`` serve as the winning tile of a self-draw, and refuses it where nothing is drawn."""
    drawn = record.drawn
    if win.by == SELF_DRAW or (win.by == OPENING and drawn is not None):
        if drawn is not None and win.tile is not None and drawn != win.tile:
            raise InputError(
                "two_drawn_tiles",
                "win.tile",
                Text(
                    f"刚摸的是 {CODES[drawn]}，胡的却是 {CODES[win.tile]}：两者应相同",
                    f"剛摸的是 {CODES[drawn]}，胡的卻是 {CODES[win.tile]}：兩者應相同",
                    f"the tile drawn is {CODES[drawn]}, the winning tile {CODES[win.tile]}: they must be the same",
                ),
            )
        if drawn is not None:
            win = Win(win.by, drawn, None, win.first_discard, win.last_tile, win.first_round, win.kong)
            return _replace(record, drawn=None, win=win)
        if win.tile is None and record.youjin == 0:
            raise InputError(
                "missing",
                "win.tile",
                Text("缺少自摸的那张牌", "缺少自摸的那張牌", "the tile that was drawn is missing"),
            )
    elif drawn is not None and win.by != THREE_GOLDS:
        raise InputError(
            "drawn_with_this_win",
            "drawn",
            Text(
                f"{win.by} 时没有刚摸的牌，请去掉 drawn",
                f"{win.by} 時沒有剛摸的牌，請去掉 drawn",
                f"with {win.by} no tile has just been drawn; leave out drawn",
            ),
        )
    if win.by == YOUJIN_DECLARED and record.youjin == 0:
        raise InputError(
            "youjin_level",
            "youjin",
            Text("宣告游金时 youjin 应为 1、2 或 3", "宣告游金時 youjin 應為 1、2 或 3", "a declared 游金 needs youjin 1, 2 or 3"),
        )
    return record


def _replace(record: HandRecord, *, drawn: int | None, win: Win | None) -> HandRecord:
    """A copy with another drawn tile and win; `dataclasses.replace` is several times slower."""
    return HandRecord(
        *(record.rules, record.house, record.gold, record.dealer, record.seat, record.hand, drawn, record.melds),
        *(record.flowers, record.youjin, record.table, win, record.offered, record.sitting_out),
    )


def _check_size(record: HandRecord, game: Game) -> None:
    """R 1: 3n + 1 tiles without the one drawn or claimed."""
    sets = game.sets - len(record.melds)
    expected = 3 * sets + 1
    win = record.win
    if win is not None and win.by == OPENING and win.tile is None:
        expected += 1
    held = len(record.hand)
    if held == expected:
        return
    melds = len(record.melds)
    zh = f"手牌应有 {expected} 张（{melds} 组吃碰杠之外），现在是 {held} 张"
    hant = f"手牌應有 {expected} 張（{melds} 組吃碰槓之外），現在是 {held} 張"
    en = f"the hand must have {expected} tiles beside {melds} melds; it has {held}"
    if held == expected + 1:
        zh += "；刚摸或要来的那张请写在 drawn 或 win.tile"
        hant += "；剛摸或要來的那張請寫在 drawn 或 win.tile"
        en += "; the tile just drawn or claimed belongs in drawn or win.tile"
    if any(meld.is_kong for meld in record.melds):
        zh += "；杠只算三张"
        hant += "；槓只算三張"
        en += "; a kong counts as three"
    raise InputError("wrong_tile_count", "hand", Text(zh, hant, en))


def _check_copies(record: HandRecord, game: Game) -> None:
    """R 2: at most four of a kind in everything that is known, at most one of a flower."""
    counts = [0] * len(CODES)
    for kind in record.hand:
        counts[kind] += 1
    for meld in record.melds:
        for kind in meld.tiles:
            counts[kind] += 1
    for kind in record.flowers:
        counts[kind] += 1
    win = record.win
    if record.drawn is not None:
        counts[record.drawn] += 1
    if win is not None and win.tile is not None and win.by != GOLD_GRAB:
        counts[win.tile] += 1
    if record.offered is not None:
        counts[record.offered.tile] += 1
    gold = record.gold
    if gold is not None:
        # The flipped tile; with 搶金 it is the copy that is taken.
        counts[gold] += 0 if game.gold_is_white else 1
    own = list(counts)
    for kind in record.table.visible:
        counts[kind] += 1
    if gold is not None and record.youjin:
        counts[gold] = own[gold] + max(counts[gold] - own[gold], game.golds_discarded(record.youjin))
    if max(counts) <= 4 and max(counts[PLAYABLE:]) <= 1:  # noqa: PLR2004
        return
    for kind, copies in enumerate(counts):
        if kind >= PLAYABLE and copies > 1:
            raise _flower_twice(kind, "table.visible")
        if kind < PLAYABLE and copies > 4:  # noqa: PLR2004
            raise InputError("five_of_a_kind", _copies_field(record, kind, own), _copies_text(record, kind, copies, game))


def _copies_field(record: HandRecord, kind: int, own: list[int]) -> str:
    """The field to look at first: the one that brought the fifth copy."""
    if own[kind] <= 4:  # noqa: PLR2004
        return "table.visible" if kind in record.table.visible else "youjin"
    if kind in record.hand:
        return "hand"
    return "melds" if any(kind in meld.tiles for meld in record.melds) else "win.tile"


def _copies_text(record: HandRecord, kind: int, copies: int, game: Game) -> Text:
    note = same("")
    if kind == record.gold and not game.gold_is_white:
        note = Text("（翻出的金也算一张）", "（翻出的金也算一張）", " (the flipped gold is one of them)")
    code = CODES[kind]
    return Text(
        f"{code} {NAMES[kind].zh}有 {copies} 张{note.zh}，一副牌只有 4 张，请检查手牌、吃碰杠和看到的牌",
        f"{code} {NAMES[kind].zh_hant}有 {copies} 張{note.zh_hant}，一副牌只有 4 張，請檢查手牌、吃碰槓和看到的牌",
        f"there are {copies} × {code}{note.en}, a set of tiles has four; check the hand, the melds and what is visible",
    )


# --- events ---------------------------------------------------------------------------------------------


def parse_event(data: object, games: Mapping[str, Game]) -> EventRecord:
    """An event record from JSON.

    Raises:
        InputError: the record is not a possible event.
    """
    game = find_game(data, games)
    fields = Fields(data, "", _EVENT_FIELDS)
    event = fields.choice("event", EVENTS)
    if event is None:
        listed = ", ".join(EVENTS)
        raise fields.missing("event", Text(f"事件（{listed}）", f"事件（{listed}）", f"the event ({listed})"))
    profile = _house(fields, game, None)
    seat = fields.seat("seat")
    players: list[HandRecord] = []
    for index, item in enumerate(fields.items("youjin_players")):
        try:
            players.append(parse(item, {game.name: game}, house=house_rules.changed(profile)))
        except InputError as error:
            raise error.within(f"youjin_players[{index}]") from None
    return EventRecord(
        rules=game.name,
        house=profile,
        event=event,
        seat=seat,
        dealer=fields.seat("dealer", "A") or "A",
        table=_table(fields, game, ""),
        youjin_players=tuple(players),
        count=fields.integer("count", 0, 100) or 0,
        base=fields.integer("base", 1, house_rules.MOST),
    )
