"""Yunxiao 雲霄, RULES section 3, seed 003.

A win belongs to one or more *classes* (YX 3.7); the highest price counts alone (R 10). A class is the way of
winning, a special hand (幺九, 不搭, 七對) or 清一色.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from engine import house as house_rules
from engine import shapes
from engine.errors import Refusal
from engine.record import (
    DISCARD,
    GOLD_GRAB,
    OPENING,
    ROB_KONG,
    SELF_DRAW,
    THREE_GOLDS,
    YOUJIN_DECLARED,
    HandRecord,
    Win,
)
from engine.rules import readings, special_hands
from engine.rules.base import NO_YOUJIN_SHAPE, NOT_COMPLETE, RuleSet
from engine.settlement import Line, Settlement, collect, others, seat_groups, seat_names, zero
from engine.text import Text
from engine.tiles import HONOUR, PLAYABLE, WHITE

if TYPE_CHECKING:
    from engine.shapes import Concealed

#: Terminals and honours: 幺九 (YX 3.2).
_TERMINALS: Final = tuple(kind for kind in range(PLAYABLE) if kind >= HONOUR or kind % 9 in (0, 8))
_TERMINAL_BITS: Final = sum(7 << 3 * kind for kind in _TERMINALS)
#: 不搭: five honours, three tiles of each suit (YX 3.3).
_HONOURS_OF_BUDA: Final = (5, 5)


@dataclass(frozen=True, slots=True)
class _Class:
    """One class a win belongs to (YX 3.1, 3.7).

    Attributes:
        key: for the settlement's ``method``.
        name: what it is called.
        each: what a loser who did not discard pays, in bases.
        discarder: what the discarder pays.
    """

    key: str
    name: Text
    each: int
    discarder: int

    @classmethod
    def from_all(cls, key: str, name: Text, each: int) -> _Class:
        """All three pay the same."""
        return cls(key, name, each, each)


_NAMES: Final[dict[str, Text]] = {
    DISCARD: Text("点炮胡", "點炮胡", "win on a discard"),
    SELF_DRAW: Text("自摸", "自摸", "self-draw"),
    ROB_KONG: Text("抢杠胡", "搶槓胡", "robbing a kong"),
    GOLD_GRAB: Text("抢金胡", "搶金胡", "robbing the gold"),
    THREE_GOLDS: Text("三金倒", "三金倒", "three golds"),
    OPENING: Text("天胡", "天胡", "complete as dealt"),
    "earth": Text("地胡", "地胡", "won on the dealer's first discard"),
    "kong_exposed": Text("明杠开胡", "明槓開胡", "win on an exposed kong's replacement"),
    "kong_concealed": Text("暗杠开胡", "暗槓開胡", "win on a concealed kong's replacement"),
    "youjin": Text("游金", "游金", "游金"),
    "double_youjin": Text("双游金", "雙游金", "double 游金"),
    "triple_youjin": Text("三游金", "三游金", "triple 游金"),
    "terminals": Text("幺九", "幺九", "terminals and honours (幺九)"),
    "unrelated": Text("不搭", "不搭", "unrelated tiles (不搭)"),
    "seven_pairs": Text("七对", "七對", "seven pairs"),
    "pure_suit": Text("清一色", "清一色", "pure suit"),
}

HOLDS_GOLDS: Final = Text(
    "手里有 {held} 张金，这桌不能胡别人打的牌（本桌规则 no_discard_win_with_golds）",
    "手裡有 {held} 張金，這桌不能胡別人打的牌（本桌規則 no_discard_win_with_golds）",
    "with {held} golds in hand this table allows no win on a discard (house rule no_discard_win_with_golds)",
)
LONE_WILD = Refusal(
    "lone_wild",
    Text(
        "已是单游金牌型，不能胡别人打的牌；轮到自己时可以直接游金（云霄 2.4）",
        "已是單游金牌型，不能胡別人打的牌；輪到自己時可以直接游金（雲霄 2.4）",
        "a hand in 游金 shape does not win on a discard; declare 游金 at your own turn (YX 2.4)",
    ),
)
DEALER_GRABS_NO_GOLD = Refusal(
    "dealer_gold_grab",
    Text(
        "庄家不能抢金（本桌规则 qiangjin_dealer）",
        "莊家不能搶金（本桌規則 qiangjin_dealer）",
        "the dealer cannot rob the gold (house rule qiangjin_dealer)",
    ),
)
GOLD_USELESS = Refusal(
    "foreign_gold",
    Text(
        "打清一色时异色的金没有用，要先打掉（本桌规则 foreign_gold_in_pure_suit）",
        "打清一色時異色的金沒有用，要先打掉（本桌規則 foreign_gold_in_pure_suit）",
        "beside one suit a gold of another suit is useless; discard it first (house rule foreign_gold_in_pure_suit)",
    ),
)
MUST_BE_CONCEALED = Refusal(
    "must_be_concealed",
    Text(
        "幺九不能吃、碰、杠（云霄 2.7）",
        "幺九不能吃、碰、槓（雲霄 2.7）",
        "幺九 must stay concealed: no chow, pong or kong (YX 2.7)",
    ),
)
GOLD_NOT_TERMINAL = Refusal(
    "gold_not_terminal",
    Text(
        "金本身不是幺九牌，在幺九里什么也不能代替（云霄 1.5）",
        "金本身不是幺九牌，在幺九裡什麼也不能代替（雲霄 1.5）",
        "in 幺九 a gold that is no terminal or honour itself replaces nothing (YX 1.5)",
    ),
)


class Yunxiao(RuleSet[house_rules.Yunxiao]):
    """Yunxiao: 136 tiles, four sets and a pair, 七對, 幺九, 不搭; prices in units of the base."""

    name = "yunxiao"
    title = Text("云霄麻将", "雲霄麻將", "Yunxiao")
    sets = 4
    has_flowers = False
    seven_pairs = True
    win_ways = frozenset({DISCARD, SELF_DRAW, ROB_KONG, GOLD_GRAB, THREE_GOLDS, OPENING, YOUJIN_DECLARED})

    @property
    def house(self) -> type[house_rules.Yunxiao]:
        """The profile of section 10 for Yunxiao."""
        return house_rules.Yunxiao

    # --- shapes -----------------------------------------------------------------------------------------

    def complete(self, hand: Concealed, record: HandRecord) -> bool:
        """Sets and a pair, 七對, 幺九 or 不搭; not beside a useless gold."""
        return super().complete(hand, record) and not self._gold_useless(hand, record)

    def distance(self, hand: Concealed, record: HandRecord) -> int:
        """Beside one suit a gold is useless until a tile of another suit is drawn."""
        if not self._gold_useless(hand, record):
            return super().distance(hand, record)
        return min(self._distances_beside_one_suit(hand, record))

    def improving(self, hand: Concealed, record: HandRecord) -> tuple[int, list[int]]:
        """Beside a useless gold: tiles of the suit, of another suit if the gold is to be used, or a second gold."""
        if not self._gold_useless(hand, record):
            return super().improving(hand, record)
        pure, mixed = self._distances_beside_one_suit(hand, record)
        before = min(pure, mixed)
        suit = self._one_suit(hand, record)
        useful = []
        for kind in range(PLAYABLE):
            if _suit(kind) == suit or kind == hand.gold:
                helps = min(self._distances_beside_one_suit(hand.add(kind), record)) < before
            else:
                helps = mixed == before
            if helps:
                useful.append(kind)
        return before, useful

    def _distances_beside_one_suit(self, hand: Concealed, record: HandRecord) -> tuple[int, int]:
        """Tiles to exchange without the useless golds, and with them and at least one tile of another suit.

        To a hand of one suit all other tiles are alike: one pairs with a gold, or makes a set with two.
        """
        without = shapes.Concealed(hand.physical, hand.gold, hand.sets, hand.natural, 0)
        pure = super().distance(without, record)
        honour = next(kind for kind in range(HONOUR, PLAYABLE) if kind not in (hand.gold, WHITE))
        paired = hand.natural + 2 * shapes.UNIT[honour]
        mixed = 1 + shapes.standard_distance(paired, hand.wilds - 1, hand.sets)
        if hand.sets == self.sets:
            mixed = min(mixed, 1 + shapes.pairs_distance(paired, hand.wilds - 1))
        if hand.sets:
            drawn = max(1, 3 - hand.wilds)
            spare = hand.wilds + drawn - 3
            mixed = min(mixed, drawn + shapes.standard_distance(hand.natural, spare, hand.sets - 1))
        return pure, mixed

    def special(self, hand: Concealed, record: HandRecord) -> bool:
        """幺九 and 不搭: no melds at all (YX 2.7)."""
        return not record.melds and (self.terminals(hand, record) or self.unrelated(hand, record))

    def special_distance(self, hand: Concealed, record: HandRecord) -> int:
        """Tiles still to exchange for 幺九 or 不搭."""
        if record.melds:
            return shapes.IMPOSSIBLE
        faces = self._faces(hand, record)
        fitting = sum(shapes.count(faces, kind) for kind in _TERMINALS)
        if hand.gold in _TERMINALS:
            fitting += hand.wilds
        return min(14 - fitting, special_hands.distance(faces, hand.wilds, *_HONOURS_OF_BUDA))

    def _faces(self, hand: Concealed, record: HandRecord) -> int:
        """The tiles that are not golds as 幺九 and 不搭 see them: white is 白 (YX 1.4)."""
        if self.profile(record).white_self_in_special_hands and hand.gold is not None:
            return hand.physical - hand.wilds * shapes.UNIT[hand.gold]
        return hand.natural

    def terminals(self, hand: Concealed, record: HandRecord) -> bool:
        """幺九: terminals and honours only; a gold must be one itself (YX 3.2)."""
        return not self._faces(hand, record) & ~_TERMINAL_BITS and (not hand.wilds or hand.gold in _TERMINALS)

    def unrelated(self, hand: Concealed, record: HandRecord) -> bool:
        """不搭: fourteen different tiles, three of each suit apart, five honours (YX 3.3)."""
        return special_hands.unrelated(self._faces(hand, record), hand.wilds, *_HONOURS_OF_BUDA)

    def in_youjin_shape(self, hand: Concealed, record: HandRecord) -> bool:
        """RULES 7.1, six pairs and a gold included; not beside a useless gold."""
        return super().in_youjin_shape(hand, record) and not self._gold_useless(hand, record)

    def pure_suit(self, hand: Concealed, record: HandRecord) -> bool:
        """All tiles, melds and golds of one suit, whites as the face of the gold (YX 3.5)."""
        suit = self._one_suit(hand, record)
        if suit is None or (suit == 3 and not self.profile(record).all_honours_pure_suit):
            return False
        return not hand.wilds or _suit(hand.gold) == suit

    @staticmethod
    def _one_suit(hand: Concealed, record: HandRecord) -> int | None:
        """The one suit of everything but the golds (3 for honours), or ``None``."""
        used = {number for number, key in enumerate(shapes.groups_of(hand.natural)) if key}
        used |= {_suit(meld.faces(hand.gold)[0]) for meld in record.melds}
        return used.pop() if len(used) == 1 else None

    def _gold_useless(self, hand: Concealed, record: HandRecord) -> bool:
        """House key ``foreign_gold_in_pure_suit``: golds beside one suit that is not theirs (YX-A15)."""
        if not hand.wilds or self.profile(record).foreign_gold_in_pure_suit != "useless":
            return False
        suit = self._one_suit(hand, record)
        return suit is not None and suit < 3 and suit != _suit(hand.gold)

    # --- restrictions -----------------------------------------------------------------------------------

    def refuse(self, record: HandRecord, win: Win) -> Refusal | None:
        """YX 1.5, 2.4, 2.5, 2.7 and 搶金 by the dealer on top of the common refusals."""
        refusal = super().refuse(record, win)
        if refusal is not None:
            return self._explained(refusal, record)
        house = self.profile(record)
        if win.by == GOLD_GRAB and record.is_dealer and not house.qiangjin_dealer:
            return DEALER_GRABS_NO_GOLD
        if win.by != DISCARD:
            return None
        hand = self.concealed(record)
        limit = house.no_discard_win_with_golds
        if limit and hand.wilds >= limit:
            return Refusal("holds_gold", HOLDS_GOLDS.format(held=hand.wilds))
        # The ban looks at the shape alone (YX 2.4): whether the gold is useless does not matter to it.
        return LONE_WILD if super().in_youjin_shape(hand, record) else None

    def _explained(self, refusal: Refusal, record: HandRecord) -> Refusal:
        """The nearest reason why a hand is not complete."""
        hand = self.winning_hand(record)
        if refusal not in (NOT_COMPLETE, NO_YOUJIN_SHAPE):
            return refusal
        if self._gold_useless(hand, record):
            return GOLD_USELESS
        if refusal is NOT_COMPLETE and not self._faces(hand, record) & ~_TERMINAL_BITS:
            if record.melds and all(kind in _TERMINALS for meld in record.melds for kind in meld.tiles):
                return MUST_BE_CONCEALED
            if not record.melds:
                return GOLD_NOT_TERMINAL
        return refusal

    def wins_in_spite_of_pass(self, settlement: Settlement) -> bool:
        """YX 2.8: 清一色 may be won although another win was let go."""
        return settlement.method == "pure_suit"

    def if_won(self, record: HandRecord) -> Settlement | Refusal:
        """7.4.4: the declaration without drawing."""
        return self.settle(replace(record, win=Win(YOUJIN_DECLARED)))

    # --- settlement -------------------------------------------------------------------------------------

    def pay(self, record: HandRecord, win: Win) -> Settlement:
        """YX 4: the highest class, in units of the base."""
        house = self.profile(record)
        classes = self._classes(record, win)
        best = max(classes, key=lambda found: (2 * found.each + found.discarder, -classes.index(found)))
        dues = dict.fromkeys(others(record.seat), best.each * house.base)
        if win.by == DISCARD:
            dues[str(win.source)] = best.discarder * house.base
        reading, golds_as = self._shown(record, win, best.key)
        lines = [
            _formula_line(best.name, seats, house.base, due // house.base, due) for seats, due in seat_groups(dues)
        ]
        return Settlement(
            seat=record.seat,
            method=best.key,
            method_name=best.name,
            multiplier=best.each,
            base=house.base,
            payments=collect(record.seat, dues),
            bonus=zero(),
            reading=reading,
            golds_as=golds_as,
            lines=tuple(lines),
        )

    def _classes(self, record: HandRecord, win: Win) -> list[_Class]:
        """Every class the win belongs to (YX 3.1), the way of winning first."""
        house = self.profile(record)
        if win.by == THREE_GOLDS:
            return [_Class.from_all(win.by, _NAMES[win.by], 2)]
        hand = self.winning_hand(record)
        drawn = win.by in (OPENING, GOLD_GRAB) or win.tile is not None
        seven = drawn and not record.melds and shapes.pairs_complete(hand.natural, hand.wilds)
        standard = drawn and shapes.complete(hand.natural, hand.wilds)
        special: list[str] = []
        if drawn and not record.melds:
            special += ["seven_pairs"] if seven else []
            special += ["unrelated"] if self.unrelated(hand, record) else []
        terminals = drawn and not record.melds and self.terminals(hand, record)
        # Without a drawn tile the lone gold's mate is open, and the tiles held decide.
        pure = self.pure_suit(hand, record) and (standard or seven or not drawn)
        factor = house.special_hand_multiplier
        classes: list[_Class] = []
        if win.by == DISCARD:
            if win.first_discard:
                classes.append(_Class.from_all("earth", _NAMES["earth"], house.tianhu_multiplier))
            if standard:
                classes.append(_Class(DISCARD, _NAMES[DISCARD], 1, 2))
            classes += [_Class(key, _NAMES[key], factor, 2 * factor) for key in special]
            if terminals:
                classes.append(_Class.from_all("terminals", _NAMES["terminals"], 2))
            if pure and house.pure_suit_discard == "each_8":
                classes.append(_Class.from_all("pure_suit", _NAMES["pure_suit"], 8))
            return classes
        classes += self._own_turn_classes(record, win, standard)
        classes += [_Class.from_all(key, _NAMES[key], 2 * factor) for key in special]
        if terminals:
            classes.append(_Class.from_all("terminals", _NAMES["terminals"], 4))
        if pure:
            classes.append(_Class.from_all("pure_suit", _NAMES["pure_suit"], 8))
        return classes

    def _own_turn_classes(self, record: HandRecord, win: Win, standard: bool) -> list[_Class]:
        """The way of winning, where it is no discard."""
        house = self.profile(record)
        classes: list[_Class] = []
        if win.by == OPENING:
            classes.append(_Class.from_all(OPENING, _NAMES[OPENING], house.tianhu_multiplier))
        # A concealed kong's replacement is a self-draw, whatever the state was (7.2, YX 2.2).
        if record.youjin and win.by in (SELF_DRAW, YOUJIN_DECLARED) and win.kong != "concealed":
            level = record.youjin if house.sanyou else min(record.youjin, 2)
            key = ("youjin", "double_youjin", "triple_youjin")[level - 1]
            classes.append(_Class.from_all(key, _NAMES[key], 2 << level))
        if win.kong is not None:
            key = f"kong_{win.kong}"
            classes.append(_Class.from_all(key, _NAMES[key], 4 if win.kong == "exposed" else 2))
        elif standard and win.by != OPENING:
            classes.append(_Class.from_all(win.by, _NAMES[win.by], 2))
        return classes

    def _shown(self, record: HandRecord, win: Win, method: str) -> readings.Shown:
        """The tiles as the class that was paid sees them."""
        hand = self.winning_hand(record)
        if win.by == THREE_GOLDS:
            return (), ()
        if win.by == YOUJIN_DECLARED or (win.tile is None and win.by == SELF_DRAW):
            return readings.lone_wild(hand)
        if method == "seven_pairs":
            return readings.pairs(hand) or ((), ())
        special = method in ("terminals", "unrelated")
        found = None if special else readings.standard(hand) or readings.pairs(hand)
        if found is not None:
            return found
        faces = self._faces(hand, record)
        if self.unrelated(hand, record):
            golds = special_hands.fill(faces, hand.wilds, *_HONOURS_OF_BUDA)
        else:
            golds = (WHITE if hand.gold is None else hand.gold,) * hand.wilds
        return readings.written([tuple(sorted((*shapes.unpack(faces), *golds)))], golds)


@lru_cache(maxsize=1024)
def _formula_line(name: Text, seats: tuple[str, ...], base: int, times: int, due: int) -> Line:
    """One line of the reckoning."""
    text = (
        Text(
            "{name}：{seats} 各付 {base} × {times} = {due}",
            "{name}：{seats} 各付 {base} × {times} = {due}",
            "{name}: {base} × {times} = {due} from each of {seats}",
        )
        if len(seats) > 1
        else Text(
            "{name}：{seats} 付 {base} × {times} = {due}",
            "{name}：{seats} 付 {base} × {times} = {due}",
            "{name}: {base} × {times} = {due} from {seats}",
        )
    )
    return Line("formula", text.format(name=name, seats=seat_names(seats), base=base, times=times, due=due))


def _suit(kind: int | None) -> int:
    """0 萬, 1 餅, 2 條, 3 honours; -1 without a kind."""
    return -1 if kind is None else min(kind // 9, 3)
