"""Jinhua 金華, RULES section 4, first half of seed 002.

Patterns multiply; all of them must hold for the same reading of the tiles, and the best reading counts
(JH 3.1). The readings are enumerated in `engine.rules.jinhua_hands`; here stand their prices and who pays.
"""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import TYPE_CHECKING, Final

from engine import house as house_rules
from engine import shapes
from engine.errors import Refusal
from engine.record import (
    CHOW,
    CONCEALED_KONG,
    DISCARD,
    OPENING,
    ROB_KONG,
    SELF_DRAW,
    HandRecord,
    Win,
)
from engine.rules import jinhua_hands, special_hands
from engine.rules.base import RuleSet
from engine.rules.jinhua_hands import Melds, Seen, Tiles
from engine.rules.patterns import product_line
from engine.settlement import Line, Pattern, Settlement, before, collect, others, seat_groups, seat_names, zero
from engine.text import Text
from engine.tiles import CODES, HONOUR, PLAYABLE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from engine.shapes import Concealed

#: JH 3.1: name and multiplier of each pattern, in the order of the table.
PATTERNS: Final[dict[str, tuple[Text, int]]] = {
    "plain": (Text("平胡", "平胡", "plain hand"), 1),
    "all_pongs": (Text("碰碰胡", "碰碰胡", "all pongs"), 2),
    "all_claimed": (Text("全求人", "全求人", "all claimed"), 2),
    "pure_seven_pairs": (Text("清七对", "清七對", "seven pairs without a wild"), 4),
    "seven_pairs": (Text("七对子", "七對子", "seven pairs"), 2),
    "seven_pairs_baotou": (Text("七对子爆头", "七對子爆頭", "seven pairs with a lone wild"), 8),
    "thirteen_unrelated": (Text("十三不靠", "十三不靠", "thirteen unrelated"), 1),
    "seven_winds": (Text("七风", "七風", "seven honours"), 2),
    "kong_bloom": (Text("杠上开花", "槓上開花", "win on a kong's replacement"), 2),
    "pure_suit": (Text("清一色（无财神）", "清一色（無財神）", "pure suit without a wild"), 4),
    "pure_suit_wild": (Text("清一色（有财神）", "清一色（有財神）", "pure suit with a wild"), 2),
    "mixed_suit": (Text("混一色", "混一色", "one suit and honours"), 2),
    "loose_honours": (Text("乱风", "亂風", "honours in no order"), 8),
    "ordered_honours": (Text("清风", "清風", "honours in sets and a pair"), 16),
    "wild_pair": (Text("财神头", "財神頭", "pair of wilds"), 4),
    "wild_triplet": (Text("三财一刻", "三財一刻", "triplet of wilds"), 8),
    "baotou": (Text("敲响", "敲響", "lone wild (敲響)"), 2),
    "heaven": (Text("天胡", "天胡", "complete as dealt"), 2),
    "earth": (Text("地胡", "地胡", "won on the dealer's first discard"), 2),
    "man": (Text("人胡", "人胡", "self-draw in the first round"), 2),
    "last_tile": (Text("海底捞月", "海底撈月", "self-draw with the last tile"), 2),
}
#: Patterns of one reading with their values.
_Values = tuple[tuple[str, int], ...]
_ORDER: Final = {key: place for place, key in enumerate(PATTERNS)}
_OPENING_KEYS: Final = frozenset({"heaven", "earth", "man"})
#: 爆頭的海撈是八倍 (JH-A1).
_LAST_TILE_WITH_LONE_WILD: Final = 8

_METHODS: Final[dict[str, Text]] = {
    DISCARD: Text("放铳", "放銃", "win on a discard"),
    SELF_DRAW: Text("自摸", "自摸", "self-draw"),
    ROB_KONG: Text("抢杠", "搶槓", "robbing a kong"),
    OPENING: Text("天胡", "天胡", "complete as dealt"),
}

HOLDS_WILDS: Final = Text(
    "手里有 {held} 张财神，这桌不能胡别人打的牌（本桌规则 no_discard_win_with_golds）",
    "手裡有 {held} 張財神，這桌不能胡別人打的牌（本桌規則 no_discard_win_with_golds）",
    "with {held} wilds in hand this table allows no win on a discard (house rule no_discard_win_with_golds)",
)
LONE_WILD = Refusal(
    "lone_wild",
    Text(
        "有财必敲响：已成敲响牌型，这桌只能自摸（本桌规则 lone_wild_discard_win）",
        "有財必敲響：已成敲響牌型，這桌只能自摸（本桌規則 lone_wild_discard_win）",
        "a hand in 敲響 shape wins only by self-draw at this table (house rule lone_wild_discard_win)",
    ),
)
WILD_WAS_DISCARDED = Refusal(
    "wild_discarded",
    Text(
        "{seat} 刚打出财神，只有 {seat} 可以吃碰（本桌规则 wild_discard_ban）",
        "{seat} 剛打出財神，只有 {seat} 可以吃碰（本桌規則 wild_discard_ban）",
        "{seat} has discarded a wild: only {seat} may chow or pong now (house rule wild_discard_ban)",
    ),
)
NO_ROBBING = Refusal(
    "no_rob_kong",
    Text(
        "这桌不能抢杠（本桌规则 rob_kong）",
        "這桌不能搶槓（本桌規則 rob_kong）",
        "this table does not allow robbing a kong (house rule rob_kong)",
    ),
)
NO_TILE = Refusal(
    "no_winning_tile",
    Text("要写出自摸的那张牌", "要寫出自摸的那張牌", "the tile that was drawn must be given"),
)


class Jinhua(RuleSet[house_rules.Jinhua]):
    """Jinhua: 136 tiles, four sets and a pair and four more shapes, patterns that multiply, 承包."""

    name = "jinhua"
    title = Text("金华麻将", "金華麻將", "Jinhua mahjong")
    sets = 4
    has_flowers = False
    seven_pairs = True
    win_ways = frozenset({DISCARD, SELF_DRAW, ROB_KONG, OPENING})
    youjin_states = False
    youjin_in_record = False

    @property
    def house(self) -> type[house_rules.Jinhua]:
        """The profile of section 10 for Jinhua."""
        return house_rules.Jinhua

    # --- shapes -----------------------------------------------------------------------------------------

    def special(self, hand: Concealed, record: HandRecord) -> bool:
        """十三不靠 and 七風 without melds, 亂風 with honour melds or none (JH 3.1)."""
        if jinhua_hands.only_honours(hand):
            return _honour_melds(record)
        return not record.melds and any(True for _ in jinhua_hands.alone(hand))

    def special_distance(self, hand: Concealed, record: HandRecord) -> int:
        """Tiles still to exchange for 亂風, 十三不靠 or 七風."""
        least = shapes.IMPOSSIBLE
        if _honour_melds(record):
            honours = sum(shapes.count(hand.physical, kind) for kind in range(HONOUR, PLAYABLE) if kind != hand.gold)
            least = 3 * hand.sets + 2 - honours - hand.wilds
        if record.melds:
            return least
        for faces in jinhua_hands.white_choices(hand):
            unrelated = special_hands.distance(faces, hand.wilds, *jinhua_hands.UNRELATED_HONOURS)
            winds = special_hands.distance(faces, hand.wilds, *jinhua_hands.WINDS_HONOURS, wild_honours=False)
            least = min(least, unrelated, winds)
        return least

    def golds_discarded(self, youjin: int) -> int:
        """Jinhua does not use the field (R 7)."""
        del youjin
        return 0

    # --- restrictions -----------------------------------------------------------------------------------

    def refuse(self, record: HandRecord, win: Win) -> Refusal | None:
        """JH 2.7, 2.8 on top of the common refusals."""
        if win.by == SELF_DRAW and win.tile is None:
            return NO_TILE
        refusal = super().refuse(record, win)
        if refusal is not None:
            return refusal
        house = self.profile(record)
        if win.by == ROB_KONG and not house.rob_kong:
            return NO_ROBBING
        if win.by != DISCARD:
            return None
        hand = self.concealed(record)
        limit = house.no_discard_win_with_golds
        if limit and hand.wilds >= limit:
            return Refusal("holds_gold", HOLDS_WILDS.format(held=hand.wilds))
        if not house.lone_wild_discard_win and self.in_youjin_shape(hand, record):
            return LONE_WILD
        return None

    def refuse_claim(self, record: HandRecord, claim: str) -> Refusal | None:
        """JH 2.5: after a discarded 財神 only its discarder may chow or pong."""
        wild_discarder = record.table.wild_discarder
        banned = self.profile(record).wild_discard_ban != "off"
        if banned and wild_discarder is not None and wild_discarder != record.seat:
            return Refusal(WILD_WAS_DISCARDED.code, WILD_WAS_DISCARDED.text.format(seat=wild_discarder))
        return super().refuse_claim(record, claim)

    def bars_discard_of_chowed(self, record: HandRecord) -> bool:
        """JH 2.4: 吃張打張 is barred once two melds have been chowed."""
        return sum(meld.kind == CHOW for meld in record.melds) >= 2

    # --- settlement -------------------------------------------------------------------------------------

    def pay(self, record: HandRecord, win: Win) -> Settlement:
        """JH 4: the best reading, its patterns multiplied, and who pays."""
        house = self.profile(record)
        multiplier, values, seen = self._best(record, win)
        patterns = tuple([Pattern(key, PATTERNS[key][0], value) for key, value in values])
        lines = [product_line(patterns)]
        dues = dict.fromkeys(others(record.seat), house.base * multiplier)
        for seat in dues:
            if win.by not in (DISCARD, ROB_KONG) or seat == win.source:
                dues[seat] *= 2
        lines += [_formula_line(seats, due // multiplier, multiplier, due) for seats, due in seat_groups(dues)]
        bound = _bound(record, house)
        if bound:
            dues, more = _liable_pay(record, house, bound, sum(dues.values()))
            lines += more
        reading = seen()
        return Settlement(
            seat=record.seat,
            method=win.by,
            method_name=_METHODS[win.by],
            multiplier=multiplier,
            base=house.base,
            payments=collect(record.seat, dues),
            bonus=zero(),
            patterns=patterns,
            reading=reading.reading,
            golds_as=tuple([CODES[gold] for gold in reading.golds_as]),
            lines=tuple(lines),
        )

    def if_won(self, record: HandRecord) -> Settlement | Refusal:
        """7.4.4: the lowest amount over all tiles other than a wild that can still be drawn."""
        house = self.profile(record)
        # Any tile drawn to the lone wild is 敲響, or 七對子爆頭 at least.
        floor = min(priced(frozenset({key}), house)[0] for key in ("baotou", "seven_pairs_baotou"))
        return self.least_win(record, lambda kind: self._best(record, Win(SELF_DRAW, kind))[0], floor)

    def _best(self, record: HandRecord, win: Win) -> tuple[int, _Values, Callable[[], Seen]]:
        """The reading that pays most (R 9): product, patterns with their values, and the reading."""
        house = self.profile(record)
        hand = self.concealed(record)
        tiles = Tiles(
            before=hand,
            last=win.tile,
            self_drawn=win.by == SELF_DRAW,
            melds=Melds.of(record.melds, hand.gold),
            strict_pongs=house.pph_strict,
            triplet_with_lone_wild=house.sancai_with_qiaoxiang,
        )
        facts = _facts(record, win, house)
        sights = [(*priced(keys | facts, house), seen) for keys, seen in jinhua_hands.see(tiles).items()]
        # Of equal prices the one that names more.
        return max(sights, key=lambda sight: (sight[0], len(sight[1])))


def _honour_melds(record: HandRecord) -> bool:
    """No melds but pongs and kongs of honours; whites are 白 if need be."""
    return all(meld.tiles[0] >= HONOUR for meld in record.melds)


def _facts(record: HandRecord, win: Win, house: house_rules.Jinhua) -> frozenset[str]:
    """Patterns that lie in the course of the hand, not in the reading (JH 3.1)."""
    keys: set[str] = set()
    if win.by == OPENING:
        keys.add("heaven")
    if win.by == DISCARD:
        if win.first_discard:
            keys.add("earth")
        if _all_claimed(record, house):
            keys.add("all_claimed")
    if win.by == SELF_DRAW:
        if win.first_round and not record.is_dealer:
            keys.add("man")
        if win.last_tile:
            keys.add("last_tile")
        if win.kong is not None:
            keys.add("kong_bloom")
    return frozenset(keys)


def _all_claimed(record: HandRecord, house: house_rules.Jinhua) -> bool:
    """全求人: four claimed melds and one tile that is no wild (JH 3.1, JH-A11)."""
    if len(record.melds) < Jinhua.sets or record.hand[0] == record.gold:
        return False
    for meld in record.melds:
        if meld.kind == CONCEALED_KONG:
            if house.quanqiuren_kongs != "any":
                return False
        elif meld.is_kong and house.quanqiuren_kongs == "none":
            return False
    return True


@lru_cache(maxsize=4096)
def priced(keys: frozenset[str], house: house_rules.Jinhua) -> tuple[int, _Values]:
    """The multiplier of one reading, and its patterns with their values in the order of the table.

    >>> priced(frozenset({"baotou", "last_tile"}), house_rules.Jinhua())
    (8, (('baotou', 2), ('last_tile', 4)))
    """
    values = _values(keys, house)
    return prod(values.values()), tuple(values.items())


def _values(keys: frozenset[str], house: house_rules.Jinhua) -> dict[str, int]:
    own = dict(house.pattern_values)
    values = {key: own.get(key, PATTERNS[key][1]) for key in sorted(keys, key=_ORDER.__getitem__)}
    if "baotou" in values:
        if "kong_bloom" in values:
            _together(values, "kong_bloom", house.gangbao_multiplier)
        if "last_tile" in values and house.haidi_baotou == "eight":
            _together(values, "last_tile", _LAST_TILE_WITH_LONE_WILD)
    plain = {"plain": own.get("plain", PATTERNS["plain"][1])}
    opening = values.keys() & _OPENING_KEYS
    if opening and not house.opening_wins_multiply:
        # The opening win counts alone if it is more, otherwise not at all.
        alone = {key: values.pop(key) for key in opening}
        values = values or plain
        if prod(alone.values()) > prod(values.values()):
            return alone
    return values or plain


def _together(values: dict[str, int], other: str, product: int) -> None:
    """敲響 and another pattern are worth a fixed product (JH-A1, JH-A2)."""
    if product % values["baotou"]:
        values["baotou"] = product
    values[other] = product // values["baotou"]


@lru_cache(maxsize=1024)
def _formula_line(seats: tuple[str, ...], units: int, multiplier: int, due: int) -> Line:
    text = (
        Text(
            "{seats} 各付 {units} × {times} = {due}",
            "{seats} 各付 {units} × {times} = {due}",
            "{units} × {times} = {due} from each of {seats}",
        )
        if len(seats) > 1
        else Text(
            "{seats} 付 {units} × {times} = {due}",
            "{seats} 付 {units} × {times} = {due}",
            "{units} × {times} = {due} from {seats}",
        )
    )
    return Line("formula", text.format(seats=seat_names(seats), units=units, times=multiplier, due=due))


_PAYS_ALL: Final = Text(
    "承包：{seat} 与赢家 {winner} 有三摊，一家付全部 {steps}",
    "承包：{seat} 與贏家 {winner} 有三攤，一家付全部 {steps}",
    "承包: {seat} is bound to the winner {winner} by three claims and pays for all, {steps}",
)
_SHARES: Final = Text(
    "承包：{seat} 与赢家 {winner} 有三摊，{shares} 家分担全部 {steps}",
    "承包：{seat} 與贏家 {winner} 有三攤，{shares} 家分擔全部 {steps}",
    "承包: {seat} is bound to the winner {winner} by three claims and shares the whole with the others bound, {steps}",
)


# --- 承包 -----------------------------------------------------------------------------------------------


def _bound(record: HandRecord, house: house_rules.Jinhua) -> dict[str, bool]:
    """Who is bound to the winner, and whether that is doubled (JH 4.2)."""
    doubled_claimed = house.chengbao_double == "both"
    doubled_claimer = house.chengbao_double != "none"
    bound: dict[str, bool] = {}
    # A chow can only have come from the player before, also where the record does not say so.
    sources = [
        meld.source or (before(record.seat) if meld.kind == CHOW else None)
        for meld in record.melds
        if meld.kind != CONCEALED_KONG
    ]
    for seat in others(record.seat):
        if claims_from(sources, seat, house.chengbao_count) >= 3:
            bound[seat] = doubled_claimed
        if record.table.claims.get(seat, {}).get(record.seat, 0) >= 3:
            bound[seat] = bound.get(seat, False) or doubled_claimer
    return bound


def claims_from(sources: Sequence[str | None], seat: str, count: str) -> int:
    """Melds claimed from a seat: in ``total``, or the most of them ``consecutive`` (``chengbao_count``, JH-A5)."""
    if count == "total":
        return sources.count(seat)
    longest = run = 0
    for source in sources:
        run = run + 1 if source == seat else 0
        longest = max(longest, run)
    return longest


def _liable_pay(
    record: HandRecord, house: house_rules.Jinhua, bound: Mapping[str, bool], total: int
) -> tuple[dict[str, int], list[Line]]:
    """Those who are bound pay everything; the others nothing, the discarder included (JH 4.2)."""
    shares = 1 if house.chengbao_multi == "each_full" else len(bound)
    whole = {seat: total * (2 if doubled else 1) for seat, doubled in bound.items()}
    dues = {seat: due // shares for seat, due in whole.items()}
    # What does not divide is paid by those who sit nearest after the winner, one point each.
    rest = sum(whole.values()) // shares - sum(dues.values())
    for seat in list(dues)[:rest]:
        dues[seat] += 1
    lines = []
    for seat, due in dues.items():
        steps = f"{total} × 2" if bound[seat] else f"{total}"
        if shares > 1:
            # What does not divide was spread one by one above.
            steps += f" ÷ {shares} {'=' if whole[seat] == due * shares else '≈'} {due}"
        elif bound[seat]:
            steps += f" = {due}"
        text = _PAYS_ALL if shares == 1 else _SHARES
        lines.append(Line("chengbao", text.format(seat=seat, winner=record.seat, steps=steps, shares=shares)))
    return dues, lines
