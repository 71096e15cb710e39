"""The Hangzhou 杭州 special hands, RULES section 5, second half of seed 002: 七對 family, 暴頭, 財飄.

All four whites are wild, nothing is flipped, and wins are self-drawn only (HZ 1.3, 1.4). ``youjin`` counts
the whites discarded in a row (HZ 2.4).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING, Final

from engine import house as house_rules
from engine import shapes
from engine.record import SELF_DRAW, HandRecord, Win
from engine.rules import readings
from engine.rules.base import RuleSet
from engine.rules.patterns import product_line
from engine.settlement import Line, Pattern, Settlement, collect, others, seat_names, zero
from engine.text import Text

if TYPE_CHECKING:
    from engine.errors import Refusal
    from engine.shapes import Concealed

#: HZ 2: name and multiplier of each pattern, in the order of the table.
PATTERNS: Final[dict[str, tuple[Text, int]]] = {
    "plain": (Text("平胡", "平胡", "plain hand"), 1),
    "seven_pairs": (Text("七对", "七對", "seven pairs"), 2),
    "luxury_seven_pairs": (Text("豪华七对", "豪華七對", "luxury seven pairs"), 4),
    "double_luxury_seven_pairs": (Text("两豪华七对", "兩豪華七對", "double luxury seven pairs"), 8),
    "triple_luxury_seven_pairs": (Text("三豪华七对", "三豪華七對", "triple luxury seven pairs"), 16),
    "baotou": (Text("暴头", "暴頭", "lone wild (暴頭)"), 2),
    "piao": (Text("财飘", "財飄", "財飄"), 2),
}
#: By the number of fours of a kind.
_FAMILY: Final = (
    "seven_pairs",
    "luxury_seven_pairs",
    "double_luxury_seven_pairs",
    "triple_luxury_seven_pairs",
)
_METHOD: Final = Text("自摸", "自摸", "self-draw")
_PIAO_NAMES: Final = (
    _METHOD,
    Text("财飘", "財飄", "財飄"),
    Text("双财飘", "雙財飄", "雙財飄"),
    Text("三财飘", "三財飄", "三財飄"),
)


@dataclass(frozen=True, slots=True)
class _Sight:
    """One way to see the tiles: a member of the seven-pairs family or a standard hand, 暴頭 or not."""

    family: str | None
    lone_wild: bool


class Hangzhou(RuleSet[house_rules.Hangzhou]):
    """Hangzhou: 136 tiles, whites wild, four sets and a pair or seven pairs."""

    name = "hangzhou"
    title = Text("杭州麻将", "杭州麻將", "Hangzhou mahjong")
    sets = 4
    has_flowers = False
    gold_is_white = True
    seven_pairs = True
    win_ways = frozenset({SELF_DRAW})
    youjin_of_shape = 0

    @property
    def house(self) -> type[house_rules.Hangzhou]:
        """The profile of section 10 for Hangzhou."""
        return house_rules.Hangzhou

    # --- 財飄 -------------------------------------------------------------------------------------------

    def golds_discarded(self, youjin: int) -> int:
        """HZ 2.4: the field is the number of whites discarded."""
        return youjin

    def youjin_after_gold(self, youjin: int) -> int:
        """One white more."""
        return min(youjin + 1, 3)

    def direct_youjin(self, record: HandRecord) -> bool:
        """House key ``direct_shuangyou``: 財飄 without a turn in 暴頭 shape before."""
        return super().direct_youjin(record) or self.in_youjin_shape(self.concealed(record), record)

    def if_won(self, record: HandRecord) -> Settlement | Refusal:
        """7.4.4: the lowest amount over all tiles other than a white that can still be drawn."""
        house = self.profile(record)

        def worth(kind: int) -> int:
            win = Win(SELF_DRAW, kind)
            sights = self._sights(replace(record, win=win), win)
            return max(prod(_priced(sight, record, house).values()) for sight in sights)

        # Any tile drawn to the lone white is 暴頭 at least, unless all four whites are in the hand (HZ-A6).
        counts = house.four_wilds_baotou or self.concealed(record).wilds < 4
        floor = prod(_priced(_Sight(None, lone_wild=True), record, house).values()) if counts else 0
        return self.least_win(record, worth, floor)

    # --- settlement -------------------------------------------------------------------------------------

    def pay(self, record: HandRecord, win: Win) -> Settlement:
        """HZ 2.1: each loser pays the base times the product of the patterns."""
        house = self.profile(record)
        sights = self._sights(record, win)
        best = max(sights, key=lambda sight: prod(_priced(sight, record, house).values()))
        values = _priced(best, record, house)
        patterns = tuple([Pattern(key, PATTERNS[key][0], value) for key, value in values.items()])
        multiplier = prod(values.values())
        due = house.base * multiplier
        form = Text(
            "{seats} 各付 {base} × {times} = {due}",
            "{seats} 各付 {base} × {times} = {due}",
            "{base} × {times} = {due} from each of {seats}",
        )
        seats = seat_names(sorted(others(record.seat)))
        formula = form.format(seats=seats, base=house.base, times=multiplier, due=due)
        reading, golds_as = self._shown(record, win, best)
        return Settlement(
            seat=record.seat,
            method=SELF_DRAW if "piao" not in values else "piao",
            method_name=_PIAO_NAMES[record.youjin if "piao" in values else 0],
            multiplier=multiplier,
            base=house.base,
            payments=collect(record.seat, dict.fromkeys(others(record.seat), due)),
            bonus=zero(),
            patterns=patterns,
            reading=reading,
            golds_as=golds_as,
            lines=(product_line(patterns), Line("formula", formula)),
        )

    def _sights(self, record: HandRecord, win: Win) -> list[_Sight]:
        """Every way to see the tiles that a pattern tells apart."""
        house = self.profile(record)
        before, whole = self.concealed(record), self.winning_hand(record)
        counts = house.four_wilds_baotou or whole.wilds < 4
        natural_only = house.natural_quads_only
        sights: list[_Sight] = []
        if win.tile is not None:
            if shapes.complete(whole.natural, whole.wilds):
                sights.append(_Sight(None, lone_wild=False))
            if not record.melds and shapes.pairs_complete(whole.natural, whole.wilds):
                sights.append(_Sight(_FAMILY[_quads(whole, None, natural_only)], lone_wild=False))
        if counts and shapes.lone_wild(before.natural, before.wilds):
            sights.append(_Sight(None, lone_wild=True))
        if counts and not record.melds and shapes.lone_wild_pairs(before.natural, before.wilds):
            rest = shapes.Concealed(before.physical, before.gold, before.sets, before.natural, before.wilds - 1)
            sights.append(_Sight(_FAMILY[_quads(rest, win.tile, natural_only)], lone_wild=True))
        return sights

    def _shown(self, record: HandRecord, win: Win, sight: _Sight) -> readings.Shown:
        """The tiles as they were seen."""
        if sight.lone_wild:
            return readings.lone_wild(self.concealed(record), drawn=win.tile, seven_pairs=sight.family is not None)
        hand = self.winning_hand(record)
        return (readings.standard(hand) if sight.family is None else readings.pairs(hand)) or ((), ())


def _quads(hand: Concealed, lone: int | None, natural_only: bool) -> int:
    """Fours of a kind used as two pairs each (HZ 2.2).

    Args:
        hand: the tiles that are paired among themselves; a wild goes beside each single one.
        lone: the tile that is paired with a wild of its own besides; ``None`` if there is none.
        natural_only: only four natural tiles count.
    """
    copies = [shapes.count(hand.natural, kind) for kind in shapes.distinct(hand.natural)]
    if natural_only:
        return copies.count(4)
    pairs = {kind: shapes.count(hand.natural, kind) + 1 >> 1 for kind in shapes.distinct(hand.natural)}
    free = hand.wilds - sum(count & 1 for count in copies) >> 1
    if lone is not None and lone != hand.gold:
        pairs[lone] = pairs.get(lone, 0) + 1
    elif lone is not None:
        free += 1
    single = sum(count == 1 for count in pairs.values())
    # A pair of wilds makes a four of a kind of another pair; two such pairs make one of their own.
    used = min(free, single)
    return min(3, sum(count >= 2 for count in pairs.values()) + used + (free - used >> 1))


def _priced(sight: _Sight, record: HandRecord, house: house_rules.Hangzhou) -> dict[str, int]:
    """The patterns of one sight with their values (HZ 2); the product is the multiplier."""
    own = dict(house.pattern_values)
    found = [key for key in (sight.family, "baotou" if sight.lone_wild else None) if key is not None]
    values = {key: own.get(key, PATTERNS[key][1]) for key in found}
    if len(values) == 2 and house.qidui_with_baotou == "highest":
        best = max(values, key=lambda key: values[key])
        values = {best: values[best]}
    if sight.lone_wild and record.youjin:
        values["piao"] = house.piao_multiplier**record.youjin
    return values or {"plain": own.get("plain", PATTERNS["plain"][1])}
