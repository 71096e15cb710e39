"""Zhangzhou 漳州 (Minnan 閩南), RULES section 2, seed 004.

The seed's score table is lost; two profiles fill it (ZZ 4): ``points`` with flower and kong points outside
the multiplier, and ``club`` with everything inside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine import house as house_rules
from engine.errors import InputError, Refusal
from engine.record import (
    CONCEALED_KONG,
    DISCARD,
    GOLD_GRAB,
    OPENING,
    ROB_KONG,
    SELF_DRAW,
    THREE_GOLDS,
    EventRecord,
    HandRecord,
    Meld,
    Win,
)
from engine.rules import readings
from engine.rules.base import RuleSet
from engine.settlement import (
    SEATS,
    EventResult,
    Line,
    Settlement,
    WaterItem,
    collect,
    others,
    seat_groups,
    seat_names,
    zero,
)
from engine.text import Text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_METHODS: Final[dict[str, Text]] = {
    DISCARD: Text("点炮胡", "點炮胡", "win on a discard"),
    SELF_DRAW: Text("自摸", "自摸", "self-draw"),
    ROB_KONG: Text("抢杠", "搶槓", "robbing a kong"),
    GOLD_GRAB: Text("抢金", "搶金", "robbing the gold"),
    THREE_GOLDS: Text("三金倒", "三金倒", "three golds"),
    OPENING: Text("天胡", "天胡", "complete as dealt"),
    "youjin": Text("单游", "單游", "游金"),
    "double_youjin": Text("双游", "雙游", "double 游金"),
    "triple_youjin": Text("三游", "三游", "triple 游金"),
}
#: ZZ 3: 游金 states by ``youjin``.
_EACH: Final = Text("各", "各", ", each")
_ALONE: Final = Text("", "", "")
_YOUJIN: Final = (SELF_DRAW, "youjin", "double_youjin", "triple_youjin")

HOLDS_GOLDS = Refusal(
    "holds_gold",
    Text(
        "手里有 {held} 张金，不能胡别人打的牌，只能自摸（漳州 2.2）",
        "手裡有 {held} 張金，不能胡別人打的牌，只能自摸（漳州 2.2）",
        "with {held} golds in hand a discard cannot be won, only a self-draw (ZZ 2.2)",
    ),
)
LONE_WILD = Refusal(
    "lone_wild",
    Text(
        "已是单游牌型，不能胡别人打的牌，等自己摸（漳州 2.3）",
        "已是單游牌型，不能胡別人打的牌，等自己摸（漳州 2.3）",
        "a hand in 游金 shape does not win on a discard; draw it yourself (ZZ 2.3)",
    ),
)
GOLD_ROBS_NO_KONG = Refusal(
    "holds_gold",
    Text("手里有金，不能抢杠", "手裡有金，不能搶槓", "with a gold in hand no kong can be robbed"),
)


class Zhangzhou(RuleSet[house_rules.Zhangzhou]):
    """Zhangzhou: 144 tiles, five sets and a pair, flowers and kongs as points."""

    name = "zhangzhou"
    title = Text("漳州麻将", "漳州麻將", "Zhangzhou")
    sets = 5
    has_flowers = True
    win_ways = frozenset({DISCARD, SELF_DRAW, ROB_KONG, GOLD_GRAB, THREE_GOLDS, OPENING})

    @property
    def house(self) -> type[house_rules.Zhangzhou]:
        """The profile of section 10 for Zhangzhou."""
        return house_rules.Zhangzhou

    # --- restrictions -----------------------------------------------------------------------------------

    def refuse(self, record: HandRecord, win: Win) -> Refusal | None:
        """ZZ 2.2, 2.3, 2.4 on top of the common refusals."""
        refusal = super().refuse(record, win)
        if refusal is not None:
            return refusal
        house = self.profile(record)
        hand = self.concealed(record)
        if win.by == DISCARD:
            limit = house.no_discard_win_with_golds
            if limit and hand.wilds >= limit:
                return Refusal(HOLDS_GOLDS.code, HOLDS_GOLDS.text.format(held=hand.wilds))
            if not house.lone_wild_discard_win and self.in_youjin_shape(hand, record):
                return LONE_WILD
        if win.by == ROB_KONG and hand.wilds and not house.rob_kong_with_gold:
            return GOLD_ROBS_NO_KONG
        return None

    # --- settlement -------------------------------------------------------------------------------------

    def pay(self, record: HandRecord, win: Win) -> Settlement:
        """ZZ 4: multiplier, bases, points, and who pays."""
        house = self.profile(record)
        method = _YOUJIN[record.youjin] if win.by == SELF_DRAW else win.by
        multiplier = self._multiplier(house, method)
        items = point_items(record.flowers, record.melds, house.free_flowers)
        dues, lines = self._dues(record, house, multiplier, sum(item.value for item in items))
        if win.by == DISCARD and house.discard_payers != "all":
            dues, lines = _only_discarder(win, house, dues, lines)
        if _last_hand(win, house):
            dues, lines = _pays_for_all(win, dues, lines)
        reading, golds_as = self._shown(record, win)
        return Settlement(
            seat=record.seat,
            method=method,
            method_name=_METHODS[method],
            multiplier=multiplier,
            base=_base(record, house, record.is_dealer and house.scoring_profile == "points"),
            payments=collect(record.seat, dues),
            bonus=zero(),
            water=items,
            reading=reading,
            golds_as=golds_as,
            lines=tuple(lines),
        )

    def _shown(self, record: HandRecord, win: Win) -> readings.Shown:
        """How the hand was seen; any reading pays the same."""
        if win.by == THREE_GOLDS:
            return (), ()
        hand = self.winning_hand(record)
        waiting = win.by == SELF_DRAW and win.tile is None
        return (None if waiting else readings.standard(hand)) or readings.lone_wild(hand)

    @staticmethod
    def _multiplier(house: house_rules.Zhangzhou, method: str) -> int:
        """ZZ 3, the column ×."""
        return {
            DISCARD: 1,
            SELF_DRAW: 2,
            THREE_GOLDS: 2,
            ROB_KONG: house.rob_kong_multiplier,
            GOLD_GRAB: house.qiangjin_multiplier,
            OPENING: house.tianhu_multiplier,
            "youjin": 4,
            "double_youjin": 8,
            "triple_youjin": house.sanyou_multiplier,
        }[method]

    @staticmethod
    def _dues(
        record: HandRecord, house: house_rules.Zhangzhou, multiplier: int, points: int
    ) -> tuple[dict[str, int], list[Line]]:
        """What each loser owes before it is settled who pays it (ZZ 4.1, 4.3)."""
        dues: dict[str, int] = {}
        bases: dict[str, int] = {}
        club = house.scoring_profile == "club"
        for seat in others(record.seat):
            bases[seat] = _base(record, house, not club and record.dealer in (record.seat, seat))
            dues[seat] = (bases[seat] + points) * multiplier if club else bases[seat] * multiplier + points
        form = (
            Text(
                "{seats} {each}应付：（{base} 底＋{points} 分）×{times}＝{due}",
                "{seats} {each}應付：（{base} 底＋{points} 分）×{times}＝{due}",
                "{seats}{each}: ({base} base + {points} points) × {times} = {due}",
            )
            if club
            else Text(
                "{seats} {each}应付：{base} 底×{times}＋{points} 花杠分＝{due}",
                "{seats} {each}應付：{base} 底×{times}＋{points} 花槓分＝{due}",
                "{seats}{each}: {base} base × {times} + {points} flower and kong points = {due}",
            )
        )
        lines = [
            Line(
                "formula",
                form.format(
                    seats=seat_names(seats),
                    each=_EACH if len(seats) > 1 else _ALONE,
                    base=bases[seats[0]],
                    points=points,
                    times=multiplier,
                    due=due,
                ),
            )
            for seats, due in seat_groups(dues)
        ]
        return dues, lines

    # --- 分餅 -------------------------------------------------------------------------------------------

    def follow(self, event: EventRecord) -> EventResult:
        """分餅 (ZZ 2.7): the dealer pays each player 1, 2, 4 … times the 底分, one after the other."""
        house = self.profile(event)
        if not house.fenbing:
            raise InputError(
                "no_fenbing",
                "event",
                Text(
                    "这桌不算分饼（本桌规则 fenbing）",
                    "這桌不算分餅（本桌規則 fenbing）",
                    "this table does not play 分餅 (house rule fenbing)",
                ),
            )
        if event.count is None:
            raise InputError(
                "missing",
                "count",
                Text(
                    "缺少连续被跟的次数（count）",
                    "缺少連續被跟的次數（count）",
                    "how often in a row the others followed (count) is missing",
                ),
            )
        base = house.base_nondealer if event.base is None else event.base
        each = base * (2**event.count - 1)
        dealer = event.dealer
        text = Text(
            "分饼 {count} 次：庄家 {dealer} 付每家 {steps}",
            "分餅 {count} 次：莊家 {dealer} 付每家 {steps}",
            "Discards followed in a row: {count}; the dealer {dealer} pays each of the others {steps}",
        ).format(
            count=event.count,
            steps=" + ".join(str(base * 2**turn) for turn in range(event.count)) + f" = {each}"
            if event.count > 1
            else each,
            dealer=dealer,
        )
        payments = {seat: -3 * each if seat == dealer else each for seat in SEATS}
        return EventResult(payments, zero(), (Line("follow", text),))


def _base(record: HandRecord, house: house_rules.Zhangzhou, dealer: bool) -> int:
    """One base with the dealer's streak in it (ZZ 4.1)."""
    base = house.base_dealer if dealer else house.base_nondealer
    streak = record.table.dealer_streak
    if house.streak_mode == "plus_one":
        return base + streak
    return base * 2**streak if house.streak_mode == "double" and dealer else base


def _last_hand(win: Win, house: house_rules.Zhangzhou) -> bool:
    """Whether one player pays for all (ZZ 1.9)."""
    if not win.last_tile or not house.last_hand_liability:
        return False
    return win.by == DISCARD or (win.by == ROB_KONG and house.last_hand_liability_rob_kong)


def point_items(flowers: Sequence[int], melds: Sequence[Meld], free_flowers: int) -> tuple[WaterItem, ...]:
    """ZZ 4.2: flowers beyond the free ones, exposed kongs 1, concealed kongs 2."""
    items: list[WaterItem] = []
    beyond = len(flowers) - free_flowers
    if beyond > 0:
        items.append(WaterItem("flower_points", Text("花分", "花分", "flower points"), tuple(flowers), beyond))
    for meld in melds:
        if meld.kind == CONCEALED_KONG:
            items.append(WaterItem("kong_concealed", Text("暗杠", "暗槓", "concealed kong"), meld.tiles, 2))
        elif meld.is_kong:
            items.append(WaterItem("kong_exposed", Text("明杠", "明槓", "exposed kong"), meld.tiles, 1))
    return tuple(items)


def _only_discarder(
    win: Win, house: house_rules.Zhangzhou, dues: Mapping[str, int], lines: list[Line]
) -> tuple[dict[str, int], list[Line]]:
    """ZZ 4.4: the discarder alone pays, what he owes or twice that."""
    source = str(win.source)
    twice = house.discard_payers == "single_double"
    due = dues[source] * (2 if twice else 1)
    text = (
        Text(
            "只有点炮者 {seat} 付双份：{due}",
            "只有點炮者 {seat} 付雙份：{due}",
            "Only the discarder {seat} pays, twice: {due}",
        )
        if twice
        else Text("只有点炮者 {seat} 付：{due}", "只有點炮者 {seat} 付：{due}", "Only the discarder {seat} pays: {due}")
    )
    return {source: due}, [*lines, Line("discarder_pays", text.format(seat=source, due=due))]


def _pays_for_all(win: Win, dues: Mapping[str, int], lines: list[Line]) -> tuple[dict[str, int], list[Line]]:
    """ZZ 4.5: who gives the last hand away pays what all three would have paid."""
    source = str(win.source)
    total = sum(dues.values())
    text = Text(
        "最后一手：{seat} 一家承包，付 {total}",
        "最後一手：{seat} 一家承包，付 {total}",
        "Last hand: {seat} pays for everybody, {total}",
    ).format(seat=source, total=total)
    return {source: total}, [*lines, Line("last_hand", text)]
