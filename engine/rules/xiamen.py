"""Xiamen 廈門 (RULES XM, seeds 000/001): 16 tiles, base and water, 游金 with bonuses outside the chips."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar, Final

from engine import house as house_rules
from engine import shapes
from engine.errors import InputError, Refusal
from engine.record import (
    ADDED_KONG,
    CONCEALED_KONG,
    DISCARD,
    GOLD_GRAB,
    KONG,
    OPENING,
    PONG,
    ROB_KONG,
    SELF_DRAW,
    THREE_GOLDS,
    EventRecord,
    HandRecord,
    Win,
)
from engine.rules.base import WIN_NAMES, RuleSet
from engine.settlement import (
    EventResult,
    Line,
    NextDeal,
    Payments,
    Settlement,
    WaterItem,
    add,
    cap,
    collect,
    others,
    seat_groups,
    seat_list,
    zero,
)
from engine.text import Text
from engine.tiles import EAST, HONOUR, NAMES, PLANTS, SEASONS

if TYPE_CHECKING:
    from engine.shapes import Concealed, Reading

YOUJIN: Final = ("", "youjin", "double_youjin", "triple_youjin")
_YOUJIN_NAMES: Final = (
    Text("", "", ""),
    Text("游金", "游金", "youjin"),
    Text("双游", "雙游", "double youjin"),
    Text("三游", "三游", "triple youjin"),
)
#: Bonus outside the chips from each loser (XM 3.1): 游金, 雙游, 三游; 起手三金倒; 殺三.
_YOUJIN_BONUS: Final = (0, 50, 100, 150)
_THREE_GOLDS_BONUS: Final = 50
_KILL_ALL_BONUS: Final = 100
#: 詐胡: half a course (半課) to each other player (XM 2.14).
_FINE: Final = 50

_MULTIPLIERS: Final = {DISCARD: 1, SELF_DRAW: 2, ROB_KONG: 2, GOLD_GRAB: 4, OPENING: 4}
_NAMES: Final = {
    **WIN_NAMES,
    DISCARD: Text("平胡（点炮）", "平和（點炮）", "win on a discard"),
    GOLD_GRAB: Text("天听抢金", "天聽搶金", "robbing the gold"),
    OPENING: Text("天胡", "天和", "complete as dealt"),
}
_OPENING_THREE_GOLDS: Final = Text("起手三金倒", "起手三金倒", "three golds as dealt")
_KONG_BLOOM: Final = Text("自摸（杠上开花）", "自摸（槓上開花）", "self-draw on a kong's replacement")

# Water of a meld by its kind: suited, wind, dragon (XM 4.2).
_MELD_WATER: Final[dict[str, tuple[int, int, int]]] = {
    PONG: (0, 1, 1),
    KONG: (2, 3, 3),
    ADDED_KONG: (2, 3, 3),
    CONCEALED_KONG: (3, 4, 4),
}
_MELD_KEYS: Final = {PONG: "pong", KONG: "exposed_kong", ADDED_KONG: "exposed_kong", CONCEALED_KONG: "concealed_kong"}
_CONCEALED_TRIPLET: Final = "concealed_triplet"
_ITEM_NAMES: Final[dict[str, Text]] = {
    "pong_wind": Text("风碰", "風碰", "wind pong"),
    "pong_dragon": Text("箭碰", "箭碰", "dragon pong"),
    "exposed_kong_suited": Text("明杠", "明槓", "exposed kong"),
    "exposed_kong_wind": Text("风明杠", "風明槓", "exposed wind kong"),
    "exposed_kong_dragon": Text("字明杠", "字明槓", "exposed dragon kong"),
    "concealed_kong_suited": Text("暗杠", "暗槓", "concealed kong"),
    "concealed_kong_wind": Text("风暗杠", "風暗槓", "concealed wind kong"),
    "concealed_kong_dragon": Text("字暗杠", "字暗槓", "concealed dragon kong"),
    "concealed_triplet_suited": Text("暗刻", "暗刻", "concealed triplet"),
    "concealed_triplet_wind": Text("风暗刻", "風暗刻", "concealed wind triplet"),
    "concealed_triplet_dragon": Text("箭暗刻", "箭暗刻", "concealed dragon triplet"),
}
_FLOWERS: Final = Text("花", "花", "flowers")
_SEASON_SET: Final = Text("春夏秋冬", "春夏秋冬", "four seasons")
_PLANT_SET: Final = Text("梅兰竹菊", "梅蘭竹菊", "four plants")
_ALL_FLOWERS: Final = Text("八花", "八花", "all eight flowers")
_GOLDS: Final = Text("金", "金", "gold tiles")

_HOLDS_GOLD: Final = Refusal(
    "holds_gold", Text("手中有金，不能平胡", "手中有金，不能平胡", "a discard cannot be won with a gold in hand")
)
_IN_YOUJIN: Final = Refusal(
    "in_youjin",
    Text("游金状态下不能胡别人打的牌", "游金狀態下不能胡別人打的牌", "in 游金 no discard can be won"),
)
_ROB_WITH_GOLD: Final = Refusal(
    "holds_gold",
    Text("本桌规定有金不能抢杠", "本桌規定有金不能搶槓", "by house rule no kong is robbed with a gold in hand"),
)
_MUST_YOUJIN: Final = Refusal(
    "must_youjin",
    Text(
        "本桌规定开打后三金必须游金，不能三金倒",
        "本桌規定開打後三金必須游金，不能三金倒",
        "by house rule three golds in mid-hand must play 游金",
    ),
)
_GOLD_REFUSED: Final = Refusal(
    "gold_discard",
    Text("不是双游、三游，不能打金", "不是雙游、三游，不能打金", "a gold may only be discarded for 雙游 or 三游"),
)
_GOLD_LOCK: Final = Refusal(
    "gold_discarder",
    Text(
        "刚打过金，一圈之内只能自摸",
        "剛打過金，一圈之內只能自摸",
        "who has discarded a gold may only self-draw for one round",
    ),
)
_GOLD_OFFENCE: Final = Refusal(
    "gold_discard_offence",
    Text(
        "非双游打金要盖牌做相公",
        "非雙游打金要蓋牌做相公",
        "a gold discarded outside 雙游 is an offence: the player sits out",
    ),
)


class Xiamen(RuleSet[house_rules.Xiamen]):
    """RULES XM."""

    name: ClassVar[str] = "xiamen"
    title: ClassVar[Text] = Text("厦门麻将", "廈門麻將", "Xiamen mahjong")
    sets: ClassVar[int] = 5
    has_flowers: ClassVar[bool] = True
    win_ways: ClassVar[frozenset[str]] = frozenset({DISCARD, SELF_DRAW, ROB_KONG, GOLD_GRAB, THREE_GOLDS, OPENING})

    @property
    def house(self) -> type[house_rules.Xiamen]:
        """See `engine.house.Xiamen`."""
        return house_rules.Xiamen

    # --- what is no win -------------------------------------------------------------------------------

    def refuse(self, record: HandRecord, win: Win) -> Refusal | None:
        """XM 2.4, XM-A2, XM-A12, XM-A14 on top of the common refusals."""
        house = self.profile(record)
        if win.by == THREE_GOLDS and not win.opening and house.mid_three_golds == "must_youjin":
            return _MUST_YOUJIN
        if win.by in (DISCARD, ROB_KONG) and win.tile != record.gold:
            hand = self.concealed(record)
            if win.by == ROB_KONG:
                if hand.wilds and not house.rob_kong_with_gold:
                    return _ROB_WITH_GOLD
            else:
                limit = house.no_discard_win_with_golds
                if limit and hand.wilds >= limit:
                    return _HOLDS_GOLD
                if record.youjin or self.in_youjin_shape(hand, record):
                    return _IN_YOUJIN
                if house.gold_discard == "lock_one_round" and record.table.wild_discarder == record.seat:
                    return _GOLD_LOCK
        return super().refuse(record, win)

    # --- what a win pays ------------------------------------------------------------------------------

    def pay(self, record: HandRecord, win: Win) -> Settlement:
        """XM 4."""
        house = self.profile(record)
        level = _level(record, win)
        method, name, multiplier, bonus = _method(house, win, level)
        kill_all = level == 3 and house.sanyou_settlement == "kill_all"
        hand = self.winning_hand(record)
        opened = _opened(hand, win)
        reading: Reading | None = None
        if win.by != THREE_GOLDS:
            # The reading with most water (XM 4.3g); without a drawn tile one gold waits for it (R 8).
            lone = win.by == SELF_DRAW and win.tile is None
            reading = shapes.richest_reading(hand.natural, hand.wilds, discounted=opened, lone=lone)
        water = () if kill_all else self._water(hand, record, reading, opened, house)
        total = sum(item.value for item in water)
        base = self._base(house, record, dealer=record.is_dealer)
        lines: list[Line] = []
        if record.is_dealer or (record.table.dealer_streak and house.streak_mode == "plus_one"):
            lines += _streak_lines(house, record, base)
        chips = record.table.chips
        if kill_all:
            due = {seat: house.course_chips if chips is None else chips[seat] for seat in others(record.seat)}
            paid = due
            lines += [_kill_line(seats, amount) for seats, amount in seat_groups(due)]
        else:
            due = {}
            bases = {}
            for seat in others(record.seat):
                own = base
                if seat == record.dealer and house.dealer_loser_pays_dealer_base:
                    own = self._base(house, record, dealer=True)
                bases[seat] = own
                due[seat] = _price(house.formula, own, total, multiplier)
            for seats, amount in seat_groups(due):
                lines.append(_formula_line(house.formula, bases[seats[0]], total, multiplier, amount, seats))
            paid = cap(due, chips)
            lines += [_cap_line(seat, due[seat], paid[seat]) for seat in sorted(due) if paid[seat] < due[seat]]
        if bonus:
            lines.append(_bonus_line(method, name, bonus, record.seat))
        emptied = chips is not None and all(0 < paid[seat] == chips[seat] for seat in due)
        if kill_all or emptied:
            bonus += _KILL_ALL_BONUS
            lines.append(_kill_bonus_line(record.seat))
        return Settlement(
            seat=record.seat,
            method=method,
            method_name=name,
            multiplier=multiplier,
            base=base,
            payments=collect(record.seat, paid),
            bonus=collect(record.seat, dict.fromkeys(due, bonus)),
            water=water,
            reading=() if reading is None else reading.shown(record.gold),
            golds_as=() if reading is None else reading.golds_as(record.gold),
            lines=tuple(lines),
        )

    def _base(self, house: house_rules.Xiamen, record: HandRecord, *, dealer: bool) -> int:
        """底 (XM 4.1): of the dealer with his streak, or of another player."""
        streak = record.table.dealer_streak
        base = house.base_dealer if dealer else house.base_nondealer
        if house.streak_mode == "plus_one":
            return base + streak
        return base << streak if dealer and house.streak_mode == "double" else base

    def _water(
        self,
        hand: Concealed,
        record: HandRecord,
        reading: Reading | None,
        opened: int | None,
        house: house_rules.Xiamen,
    ) -> tuple[WaterItem, ...]:
        """Every item of water (XM 4.2)."""
        gold = record.gold
        items: list[WaterItem] = []
        for meld in record.melds:
            if meld.kind in _MELD_WATER:
                kind = meld.faces(gold)[0]
                value = _MELD_WATER[meld.kind][_family(kind)]
                if value:
                    items.append(_item(_MELD_KEYS[meld.kind], kind, meld.tiles, value))
        if reading is None:
            # 三金倒: the shape is irrelevant, so three equal tiles are a triplet whatever else they could be.
            triplets = [kind for kind in shapes.distinct(hand.natural) if shapes.count(hand.natural, kind) >= 3]
        else:
            triplets = [group.tiles[0] for group in reading.sets if len(group.tiles) == 3 and group.may_be_triplet]
        for kind in triplets:
            tile = shapes.tile_for(kind, gold)
            tiles = (kind if tile is None else tile,) * 3
            if kind == opened:
                if kind >= HONOUR:
                    items.append(_item("pong", kind, tiles, 1))
            else:
                items.append(_item(_CONCEALED_TRIPLET, kind, tiles, 2 if kind >= HONOUR else 1))
        items += _flower_water(record.flowers, additive=house.flower_set_additive)
        if hand.wilds and gold is not None:
            items.append(WaterItem("gold", _GOLDS, (gold,) * hand.wilds, hand.wilds))
        return tuple(items)

    # --- options --------------------------------------------------------------------------------------

    def refuse_gold_discard(self, record: HandRecord) -> Refusal | None:
        """XM 2.9, XM-A7."""
        mode = self.profile(record).gold_discard
        if mode == "lock_one_round":
            return None
        return _GOLD_REFUSED if mode == "refuse" else _GOLD_OFFENCE

    def forced_discards(self, record: HandRecord) -> frozenset[int] | None:
        """跟打 (XM 2.8): single honours of which one was discarded before."""
        if not record.table.discards or not self.profile(record).follow_discard:
            return None
        held = [*record.hand] if record.drawn is None else [*record.hand, record.drawn]
        gold = record.gold
        forced = frozenset(
            kind
            for kind in record.table.discards
            if kind >= HONOUR and kind != gold and shapes.face(kind, gold) != gold and held.count(kind) == 1
        )
        return forced or None

    # --- events ---------------------------------------------------------------------------------------

    def false_win(self, event: EventRecord) -> EventResult:
        """詐胡 and its re-judgement (XM 2.14, 2.15): all outside the chips; the same dealer deals again."""
        offender = event.seat
        if offender is None:
            raise InputError(
                "missing", "seat", Text("缺少诈胡的座位", "缺少詐胡的座位", "the seat that declared falsely is missing")
            )
        bonus = zero()
        lines: list[Line] = []
        if not event.youjin_players or self.profile(event).false_win_fine_added:
            bonus = _paid_by(offender, dict.fromkeys(others(offender), _FINE))
            text = Text(
                f"诈胡：{offender} 付其他三家各 {_FINE}（课外）",
                f"詐胡：{offender} 付其他三家各 {_FINE}（課外）",
                f"False win: {offender} pays {_FINE} to each of the others, outside the chips",
            )
            lines.append(Line("false_win", text))
        seen: set[str] = set()
        for index, player in enumerate(event.youjin_players):
            settlement = self._youjin_player(event, player, f"youjin_players[{index}]", seen)
            bonus = add(bonus, _paid_by(offender, {player.seat: settlement.total}))
            inside, outside = settlement.payments[player.seat], settlement.bonus[player.seat]
            text = Text(
                f"重判：{player.seat} 在游金，{offender} 付其应得 {inside} + {outside} = {settlement.total}",
                f"重判：{player.seat} 在游金，{offender} 付其應得 {inside} + {outside} = {settlement.total}",
                f"{player.seat} was in youjin: {offender} pays all it would have received, {inside} + {outside} = {settlement.total}",
            )
            lines.append(Line("false_win_youjin", text))
        table = event.table
        return EventResult(zero(), bonus, tuple(lines), NextDeal(event.dealer, table.dealer_streak, table.draw_streak))

    def _youjin_player(self, event: EventRecord, player: HandRecord, path: str, seen: set[str]) -> Settlement:
        """What one 游金 player would have received; refuses players who cannot have been in 游金."""
        if player.seat == event.seat or player.seat in seen:
            raise InputError(
                "youjin_player_seat",
                f"{path}.seat",
                Text(
                    "游金的玩家不能是诈胡者，也不能重复",
                    "游金的玩家不能是詐胡者，也不能重複",
                    "a 游金 player is not the one who declared falsely, and is given once",
                ),
            )
        seen.add(player.seat)
        if player.dealer != event.dealer:
            raise InputError(
                "youjin_player_dealer",
                f"{path}.dealer",
                Text(
                    f"同一副牌的庄家应是 {event.dealer}",
                    f"同一副牌的莊家應是 {event.dealer}",
                    f"it is the same hand, so the dealer is {event.dealer}",
                ),
            )
        win = player.win
        if win is None or win.by != SELF_DRAW or not player.youjin:
            raise InputError(
                "youjin_player_win",
                f"{path}.win",
                Text(
                    '应有 youjin 1 到 3 和 "win": {"by": "self_draw"}',
                    '應有 youjin 1 到 3 和 "win": {"by": "self_draw"}',
                    'it needs youjin 1 to 3 and "win": {"by": "self_draw"}',
                ),
            )
        settlement = self.settle(player)
        if isinstance(settlement, Refusal):
            raise InputError(settlement.code, f"{path}.hand", settlement.text)
        return settlement


def _paid_by(payer: str, amounts: Payments) -> Payments:
    """One seat pays several."""
    payments = zero()
    for seat, amount in amounts.items():
        payments[seat] += amount
        payments[payer] -= amount
    return payments


def _level(record: HandRecord, win: Win) -> int:
    """The 游金 state that is paid: a concealed kong before the draw ends it (XM 2.11)."""
    if win.by != SELF_DRAW or (win.kong == "concealed" and record.youjin < 3):
        return 0
    return record.youjin


def _method(house: house_rules.Xiamen, win: Win, level: int) -> tuple[str, Text, int, int]:
    """Key, name, multiplier and bonus of a way of winning (XM 3.1)."""
    if level:
        multiplier = (0, 4, 8, house.sanyou_multiplier)[level]
        return YOUJIN[level], _YOUJIN_NAMES[level], multiplier, _YOUJIN_BONUS[level]
    if win.by == THREE_GOLDS:
        if win.opening:
            return win.by, _OPENING_THREE_GOLDS, 4, _THREE_GOLDS_BONUS
        return win.by, _NAMES[win.by], 4 if house.mid_three_golds == "x4" else 3, 0
    bonus = house.tianting_bonus if win.by == GOLD_GRAB else 0
    name = _KONG_BLOOM if win.kong is not None else _NAMES[win.by]
    return win.by, name, _MULTIPLIERS[win.by], bonus


def _opened(hand: Concealed, win: Win) -> int | None:
    """The kind whose triplet the claimed tile completes, so that it is not concealed (XM 4.3c).

    With four of the kind the claimed one can stand elsewhere.
    """
    if win.by != DISCARD or win.tile is None:
        return None
    kind = shapes.face(win.tile, hand.gold)
    return kind if shapes.count(hand.natural, kind) == 3 else None


def _price(formula: str, base: int, water: int, multiplier: int) -> int:
    """What one loser owes."""
    return (base + water) * multiplier if formula == "sum_times_multiplier" else base * multiplier + water


def _family(kind: int) -> int:
    """0 suited, 1 wind, 2 dragon."""
    return 0 if kind < HONOUR else 1 if kind < EAST + 4 else 2


def _item(key: str, kind: int, tiles: tuple[int, ...], value: int) -> WaterItem:
    """An item of water that belongs to a kind."""
    full, text = _item_text(key, kind)
    return WaterItem(full, text, tiles, value)


@lru_cache(maxsize=1024)
def _item_text(key: str, kind: int) -> tuple[str, Text]:
    full = f"{key}_{('suited', 'wind', 'dragon')[_family(kind)]}"
    name, tile = _ITEM_NAMES[full], NAMES[kind]
    return full, Text(f"{name.zh} {tile.zh}", f"{name.zh_hant} {tile.zh_hant}", f"{name.en}: {tile.en}")


@lru_cache(maxsize=512)
def _flower_water(flowers: tuple[int, ...], *, additive: bool) -> tuple[WaterItem, ...]:
    """Flowers one by one, complete families instead of or on top of them (XM 4.3a)."""
    held = frozenset(flowers)
    seasons, plants = held >= SEASONS, held >= PLANTS
    items: list[WaterItem] = []
    single = held
    if not additive:
        single = held - (SEASONS if seasons else frozenset()) - (PLANTS if plants else frozenset())
    if single:
        items.append(WaterItem("flowers", _FLOWERS, tuple(sorted(single)), len(single)))
    if seasons and plants:
        items.append(WaterItem("all_flowers", _ALL_FLOWERS, flowers, 16))
    elif seasons:
        items.append(WaterItem("season_set", _SEASON_SET, tuple(sorted(SEASONS)), 8))
    elif plants:
        items.append(WaterItem("plant_set", _PLANT_SET, tuple(sorted(PLANTS)), 8))
    return tuple(items)


# --- lines ----------------------------------------------------------------------------------------------


def _streak_lines(house: house_rules.Xiamen, record: HandRecord, base: int) -> list[Line]:
    streak = record.table.dealer_streak
    if not streak or house.streak_mode == "none":
        return []
    first = house.base_dealer if record.is_dealer else house.base_nondealer
    sign = f"{first} × {2**streak}" if house.streak_mode == "double" else f"{first} + {streak}"
    return [
        Line(
            "base",
            Text(
                f"连庄 {streak} 次：底 {sign} = {base}",
                f"連莊 {streak} 次：底 {sign} = {base}",
                f"The dealer's {streak} consecutive deals: base {sign} = {base}",
            ),
        )
    ]


@lru_cache(maxsize=4096)
def _formula_line(formula: str, base: int, water: int, multiplier: int, amount: int, seats: tuple[str, ...]) -> Line:
    if formula == "sum_times_multiplier":
        chinese = f"({base} 底 + {water} 水) × {multiplier} = {amount}"
        english = f"({base} base + {water} water) × {multiplier} = {amount}"
    else:
        chinese = f"{base} 底 × {multiplier} + {water} 水 = {amount}"
        english = f"{base} base × {multiplier} + {water} water = {amount}"
    listed = "、".join(seats)
    each = "各" if len(seats) > 1 else ""
    return Line(
        "formula",
        Text(
            f"{chinese}，{listed} {each}付",
            f"{chinese}，{listed} {each}付",
            f"{english} from each of {seat_list(seats)}" if each else f"{english} from {listed}",
        ),
    )


def _cap_line(seat: str, due: int, paid: int) -> Line:
    return Line(
        "capped",
        Text(
            f"{seat} 只剩 {paid} 筹码：应付 {due}，实付 {paid}",
            f"{seat} 只剩 {paid} 籌碼：應付 {due}，實付 {paid}",
            f"{seat} has only {paid} chips left: owes {due}, pays {paid}",
        ),
    )


def _kill_line(seats: tuple[str, ...], amount: int) -> Line:
    listed = "、".join(seats)
    each = "各" if len(seats) > 1 else ""
    return Line(
        "kill_all",
        Text(
            f"三游不算水，{listed} {each}交出全部筹码 {amount}",
            f"三游不算水，{listed} {each}交出全部籌碼 {amount}",
            f"Triple youjin, no water is counted: every chip, {amount}, from {'each of ' if each else ''}{seat_list(seats)}",
        ),
    )


@lru_cache(maxsize=256)
def _bonus_line(method: str, name: Text, bonus: int, winner: str) -> Line:
    seats = sorted(others(winner))
    listed = "、".join(seats)
    return Line(
        f"{method}_bonus",
        Text(
            f"{name.zh}奖 {bonus}，{listed} 各付（课外）",
            f"{name.zh_hant}獎 {bonus}，{listed} 各付（課外）",
            f"Bonus for {name.en}: {bonus} from each of {seat_list(seats)}, outside the chips",
        ),
    )


@lru_cache(maxsize=8)
def _kill_bonus_line(winner: str) -> Line:
    seats = sorted(others(winner))
    listed = "、".join(seats)
    return Line(
        "kill_all_bonus",
        Text(
            f"杀三奖 {_KILL_ALL_BONUS}：三家筹码清空，{listed} 各付（课外）",
            f"殺三獎 {_KILL_ALL_BONUS}：三家籌碼清空，{listed} 各付（課外）",
            f"All three lost their last chip: {_KILL_ALL_BONUS} from each of {seat_list(seats)}, outside the chips",
        ),
    )
