"""Hand and event records from JSON: read, and checked against what can happen at a table (RULES 0.3).

Everything impossible is an `InputError` that names the field and says what to correct. Nothing is guessed and
nothing is silently ignored: a field nobody knows is an error too, since a misspelt ``flowers`` would cost
points without a word.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine import house as house_rules
from engine.errors import InputError
from engine.fields import Fields, shown
from engine.record import (
    ADDED_KONG,
    CHOW,
    CONCEALED_KONG,
    DISCARD,
    EVENTS,
    GOLD_GRAB,
    KONG,
    MELD_KINDS,
    NOTHING_KNOWN,
    OPENING,
    PONG,
    ROB_KONG,
    SELF_DRAW,
    THREE_GOLDS,
    WIN_WAYS,
    YOUJIN_DECLARED,
    EventRecord,
    Game,
    HandRecord,
    Meld,
    Offer,
    TableFacts,
    Win,
)
from engine.settlement import SEATS, before
from engine.text import Text, same
from engine.tiles import CODES, HONOUR, NAMES, PLAYABLE, WHITE, format_tiles

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_STREAK: Final = 30
#: Keys a record may carry for its owner's use; the engine does not read them.
LABELS: Final = ("id", "title", "note")

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
                f"没有“{shown(name)}”这种打法，可用的有：{listed}",
                f"沒有「{shown(name)}」這種打法，可用的有：{listed}",
                f'there are no rules "{shown(name)}"; there are: {listed}',
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
    melds = tuple(_meld(item, f"melds[{index}]", gold, seat) for index, item in enumerate(fields.items("melds")))
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


def _meld(data: object, prefix: str, gold: int | None, seat: str) -> Meld:
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
        fits = first < HONOUR and first % 9 <= 6 and faces == wanted
    else:
        fits = first < PLAYABLE and faces == (first,) * size
    if not fits:
        what = {
            CHOW: Text("同花色连续三张", "同花色連續三張", "three consecutive tiles of one suit"),
            PONG: Text("三张相同的牌", "三張相同的牌", "three equal tiles"),
        }.get(meld.kind, Text("四张相同的牌", "四張相同的牌", "four equal tiles"))
        shown = format_tiles(meld.tiles) or "–"
        name = _MELD_NAMES[meld.kind]
        raise InputError(
            "bad_meld",
            path,
            Text(
                f"{name.zh}应该是{what.zh}，而不是 {shown}",
                f"{name.zh_hant}應該是{what.zh_hant}，而不是 {shown}",
                f"{name.en} is {what.en}, not {shown}",
            ),
        )


_MELD_NAMES: Final = {
    CHOW: Text("吃", "吃", "a chow"),
    PONG: Text("碰", "碰", "a pong"),
    KONG: Text("明杠", "明槓", "a kong"),
    ADDED_KONG: Text("补杠", "補槓", "an added kong"),
    CONCEALED_KONG: Text("暗杠", "暗槓", "a concealed kong"),
}


def _check_source(meld: Meld, fields: Fields, seat: str) -> None:
    path = fields.path("from")
    if meld.kind == CONCEALED_KONG:
        raise InputError(
            "concealed_kong_from",
            path,
            Text(
                "暗杠没有来自别家的牌，请去掉 from",
                "暗槓沒有來自別家的牌，請去掉 from",
                "a concealed kong came from nobody; leave out from",
            ),
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
        Text(
            "不能来自自己，请写另外一家",
            "不能來自自己，請寫另外一家",
            "it cannot come from the own seat; name another one",
        ),
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


_WHO_DISCARDED: Final = Text(
    "打出（或被抢杠）的座位", "打出（或被搶槓）的座位", "the seat that discarded it (or was robbed)"
)
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
        raise fields.missing(
            "by", Text(f"胡牌方式（{listed}）", f"胡牌方式（{listed}）", f"the way of winning ({listed})")
        )
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
            Text(
                f"{by} 没有 {key} 这一项，请去掉", f"{by} 沒有 {key} 這一項，請去掉", f"{by} has no {key}; leave it out"
            ),
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
                    f"这里应该是 A、B、C、D 之一，不能重复，而不是 {shown(value)}",
                    f"這裡應該是 A、B、C、D 之一，不能重複，而不是 {shown(value)}",
                    f"this must be a seat A, B, C or D, each once, not {shown(value)}",
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
                f"流局也算在连庄里：draw_streak 不能大于 dealer_streak（{dealer_streak}）",
                f"流局也算在連莊裡：draw_streak 不能大於 dealer_streak（{dealer_streak}）",
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
    passed = tuple(_offer(item, f"table.passed[{index}]", "") for index, item in enumerate(fields.items("passed")))
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
            raise fields.missing(seat, Text(f" {seat} 的筹码", f" {seat} 的籌碼", f"the chips of {seat}"))
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
            Text(
                "宣告游金时 youjin 应为 1、2 或 3",
                "宣告游金時 youjin 應為 1、2 或 3",
                "a declared 游金 needs youjin 1, 2 or 3",
            ),
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
    beside = f"（{melds} 组吃碰杠之外）" if melds else ""
    beside_hant = f"（{melds} 組吃碰槓之外）" if melds else ""
    beside_en = f" beside {melds} meld{'s' if melds > 1 else ''}" if melds else ""
    zh = f"手牌应有 {expected} 张{beside}，现在是 {held} 张"
    hant = f"手牌應有 {expected} 張{beside_hant}，現在是 {held} 張"
    en = f"the hand must have {expected} tiles{beside_en}; it has {held}"
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
    if gold is not None and not game.gold_is_white:
        counts[gold] += 1  # the flipped tile; with 搶金 it is the copy that is taken
    own = list(counts)
    for kind in record.table.visible:
        counts[kind] += 1
    if gold is not None and record.youjin:
        counts[gold] = own[gold] + max(counts[gold] - own[gold], game.golds_discarded(record.youjin))
    most = max(counts[:PLAYABLE])
    if most > 4:
        kind = counts.index(most)
        raise InputError("five_of_a_kind", _copies_field(record, kind, own), _copies_text(record, kind, most, game))
    if max(counts[PLAYABLE:]) > 1:
        raise _flower_twice(counts.index(2, PLAYABLE), "table.visible")


def _copies_field(record: HandRecord, kind: int, own: list[int]) -> str:
    """The field to look at first: the one that brought the fifth copy."""
    if own[kind] <= 4:
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


def parse_event(data: object, games: Mapping[str, Game], *, house: Mapping[str, object] | None = None) -> EventRecord:
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
    profile = _house(fields, game, house)
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
        count=fields.integer("count", 0, 100),
        base=fields.integer("base", 1, house_rules.MOST),
    )
