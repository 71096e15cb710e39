"""What a game is to the engine, and how to write one.

How to write a game
-------------------

One module in ``engine/rules/`` with one subclass of `RuleSet`, and one line in ``engine/rules/__init__.py``.

1. Declare the facts: ``name``, ``title``, ``sets`` (5 or 4), ``has_flowers``, ``gold_is_white``,
   ``seven_pairs``, ``win_ways`` (the ``win.by`` the game has), ``house`` (its profile in `engine.house`).
2. Write `pay`: given a record whose win has passed `refuse`, the `Settlement`. Everything needed is there:
   `winning_hand` (the concealed tiles with the winning one, seen through the gold), `shapes.readings` (all
   decompositions), `settlement.collect`, `cap`, `Line`.
3. Extend `refuse` (call ``super().refuse`` first) with what this game forbids: discard wins with golds,
   concealed-only hands. The base class already refuses ways of winning the game does not have, a discarded
   gold (R 6), ``opening`` by a non-dealer, too few golds for ``three_golds``, ``youjin`` without the shape
   (R 7), and hands that are not complete.
4. Special shapes (幺九, 不搭, 十三不靠, 七風, 亂風): override `special` (is this hand, of 3n + 2 tiles, such a
   shape) and `special_distance` (how many tiles away); `complete`, `waits`, options and shanten follow.
5. Options (section 7.4) are generic. Override where the game differs: `in_youjin_shape`, `golds_discarded`,
   `youjin_states`, `direct_youjin`, `refuse_gold_discard`, `forced_discards`, `own_turn_wins`, `if_won`.
6. Claims are generic. Override where the game differs: `refuse_claim`, `bars_discard_of_chowed`,
   `wins_in_spite_of_pass`.
7. Events: override `follow` or `false_win` where the game has them. `draw` and `next_deal` are common.

Every rule names its paragraph (``XM 2.4``). Records passed in are already valid (`engine.record.parse`);
methods never raise for a valid record, except `event` for events that contradict themselves.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar, cast

from engine import shapes
from engine.errors import InputError, Refusal
from engine.house import Profile
from engine.record import (
    DISCARD,
    DRAW,
    FALSE_WIN,
    GOLD_GRAB,
    OPENING,
    ROB_KONG,
    SELF_DRAW,
    THREE_GOLDS,
    YOUJIN_DECLARED,
    EventRecord,
    HandRecord,
    TableFacts,
    Win,
)
from engine.settlement import EventResult, Line, NextDeal, Settlement, after, zero
from engine.shapes import Concealed
from engine.text import Text
from engine.tiles import PLAYABLE

if TYPE_CHECKING:
    from collections.abc import Callable

P = TypeVar("P", bound=Profile)

#: What people call each way of winning, where a game has no name of its own.
WIN_NAMES: dict[str, Text] = {
    DISCARD: Text("点炮", "點炮", "win on a discard"),
    SELF_DRAW: Text("自摸", "自摸", "self-draw"),
    ROB_KONG: Text("抢杠", "搶槓", "robbing a kong"),
    GOLD_GRAB: Text("抢金", "搶金", "robbing the gold"),
    THREE_GOLDS: Text("三金倒", "三金倒", "three golds"),
    OPENING: Text("天胡", "天胡", "complete as dealt"),
    YOUJIN_DECLARED: Text("游金", "游金", "declared 游金"),
}

NOT_COMPLETE = Refusal("not_complete", Text("还没有胡：牌型不完整", "還沒有胡：牌型不完整", "the hand is not complete"))
GOLD_DISCARDED = Refusal("gold_discarded", Text("打出的金不能胡", "打出的金不能胡", "nobody wins on a discarded gold"))
NOT_DEALER = Refusal(
    "not_dealer", Text("只有庄家可以天胡", "只有莊家可以天胡", "only the dealer can be complete as dealt")
)
OPENING_WITH_MELDS = Refusal(
    "opening_with_melds",
    Text("开局的胡牌不能有吃碰杠", "開局的胡牌不能有吃碰槓", "an opening win comes before any chow, pong or kong"),
)
TOO_FEW_GOLDS = Refusal(
    "too_few_golds", Text("三金倒要有三张金", "三金倒要有三張金", "three golds are needed; the hand has fewer")
)
NO_YOUJIN_SHAPE = Refusal(
    "no_youjin_shape",
    Text(
        "摸牌前不是游金牌型：要留一张金做将，其余正好成组",
        "摸牌前不是游金牌型：要留一張金做將，其餘正好成組",
        "the tiles before the draw are not in 游金 shape: one gold left over, everything else in sets",
    ),
)
NEEDS_YOUJIN_FIRST = Refusal(
    "needs_youjin_first",
    Text("要先在游金状态才能双游", "要先在游金狀態才能雙游", "雙游 needs the 游金 state first"),
)

NO_DISCARD_WIN_IN_SHUANGYOU = Refusal(
    "during_double_youjin",
    Text(
        "有人双游，只能自摸，不能胡别人打的牌",
        "有人雙游，只能自摸，不能胡別人打的牌",
        "somebody is in 雙游: only self-draws win, no discards",
    ),
)
NO_CLAIMS_IN_SHUANGYOU = Refusal(
    "during_double_youjin",
    Text(
        "有人双游，不能吃、碰、杠",
        "有人雙游，不能吃、碰、槓",
        "somebody is in 雙游: no chow, pong or kong",
    ),
)


class RuleSet(ABC, Generic[P]):
    """One game. Instances carry no state; see the module for how to write one."""

    name: ClassVar[str]
    title: ClassVar[Text]
    sets: ClassVar[int]
    has_flowers: ClassVar[bool]
    gold_is_white: ClassVar[bool] = False
    seven_pairs: ClassVar[bool] = False
    #: The ``win.by`` this game has.
    win_ways: ClassVar[frozenset[str]]
    #: Whether discarding a gold from 游金 shape opens 雙游/三游/財飄 (not in Jinhua).
    youjin_states: ClassVar[bool] = True
    #: The ``youjin`` of a player whose discard left 游金 shape (7.2); 0 where the field counts golds only.
    youjin_of_shape: ClassVar[int] = 1
    #: Whether ``youjin`` in a record claims that the tiles were in 游金 shape (R 7; not in Jinhua).
    youjin_in_record: ClassVar[bool] = True

    @property
    @abstractmethod
    def house(self) -> type[P]:
        """The class of the house profile."""

    def profile(self, record: HandRecord | EventRecord) -> P:
        """The house rules of a record of this game."""
        return cast("P", record.house)

    # --- the tiles ------------------------------------------------------------------------------------

    def concealed(self, record: HandRecord) -> Concealed:
        """The hand between turns (3n + 1 tiles), without the tile drawn or claimed."""
        return _concealed(record.hand, record.gold, self.sets - len(record.melds))

    def winning_hand(self, record: HandRecord) -> Concealed:
        """The concealed tiles of a win, the winning one included where there is one."""
        return _concealed(record.hand, record.gold, self.sets - len(record.melds), winning_tile(record))

    def special(self, hand: Concealed, record: HandRecord) -> bool:
        """Whether 3n + 2 tiles win by a shape of this game other than sets and a pair or seven pairs."""
        del hand, record
        return False

    def special_distance(self, hand: Concealed, record: HandRecord) -> int:
        """Tiles still to exchange for the nearest special shape (0: complete); large if there is none."""
        del hand, record
        return shapes.IMPOSSIBLE

    def complete(self, hand: Concealed, record: HandRecord) -> bool:
        """Whether 3n + 2 concealed tiles are a winning hand, by self-draw."""
        if shapes.complete(hand.natural, hand.wilds):
            return True
        if self.seven_pairs and hand.sets == self.sets and shapes.pairs_complete(hand.natural, hand.wilds):
            return True
        return self.special(hand, record)

    def waits(self, hand: Concealed, record: HandRecord) -> list[int]:
        """Physical kinds, the gold excepted, that complete 3n + 1 tiles (7.4.5); copies left are not looked at."""
        return [kind for kind in range(PLAYABLE) if kind != hand.gold and self.complete(hand.add(kind), record)]

    def distance(self, hand: Concealed, record: HandRecord) -> int:
        """Fewest tiles still to exchange until the hand is complete; shanten is one less."""
        standard = shapes.standard_distance(hand.natural, hand.wilds, hand.sets)
        return min(standard, self._other_distance(hand, record))

    def _other_distance(self, hand: Concealed, record: HandRecord) -> int:
        """The same without counting sets and a pair."""
        least = self.special_distance(hand, record)
        if self.seven_pairs and hand.sets == self.sets:
            least = min(least, shapes.pairs_distance(hand.natural, hand.wilds))
        return least

    def improving(self, hand: Concealed, record: HandRecord) -> tuple[int, list[int]]:
        """The distance of 3n + 1 tiles, and the physical kinds that lower it, the gold included."""
        plain, each = shapes.distances_with_each(hand.natural, hand.sets)
        other = self._other_distance(hand, record)
        before = min(max(0, plain - hand.wilds), other)
        useful = []
        for kind in range(PLAYABLE):
            wild = kind == hand.gold
            after = plain - 1 if wild else each[shapes.face(kind, hand.gold)]
            # One tile brings another shape one step nearer at most.
            if after - hand.wilds < before or (
                other == before and self._other_distance(hand.add(kind), record) < before
            ):
                useful.append(kind)
        return before, useful

    def copies_left(self, record: HandRecord) -> list[int]:
        """Copies of each playable kind that the player has not seen (R 2, 7.4.5)."""
        left = [4] * PLAYABLE
        seen = [*record.hand, *(kind for meld in record.melds for kind in meld.tiles)]
        if record.drawn is not None:
            seen.append(record.drawn)
        for kind in seen:
            left[kind] -= 1
        visible = [kind for kind in record.table.visible if kind < PLAYABLE]
        for kind in visible:
            left[kind] -= 1
        gold = record.gold
        if gold is not None:
            if not self.gold_is_white:
                left[gold] -= 1
            left[gold] -= max(0, self.golds_discarded(record.youjin) - visible.count(gold))
        return left

    def in_youjin_shape(self, hand: Concealed, record: HandRecord) -> bool:
        """The predicate of RULES 7.1 for 3n + 1 tiles."""
        del record
        if shapes.lone_wild(hand.natural, hand.wilds):
            return True
        return self.seven_pairs and hand.sets == self.sets and shapes.lone_wild_pairs(hand.natural, hand.wilds)

    # --- winning --------------------------------------------------------------------------------------

    def settle(self, record: HandRecord) -> Settlement | Refusal:
        """What the win of a record pays, or why it is none (R 5)."""
        win = record.win
        if win is None:
            raise InputError("missing", "win", Text("缺少胡牌（win）", "缺少胡牌（win）", "the win is missing"))
        return self.refuse(record, win) or self.pay(record, win)

    @abstractmethod
    def pay(self, record: HandRecord, win: Win) -> Settlement:
        """The settlement of a win that `refuse` has let through."""

    def refuse(self, record: HandRecord, win: Win) -> Refusal | None:
        """Why this way of winning is not open to this hand; ``None`` if it is."""
        if win.by not in self.win_ways:
            return Refusal(
                "no_such_win",
                Text("{game}没有{way}", "{game}沒有{way}", "{game} has no such win: {way}").format(
                    game=self.title, way=WIN_NAMES[win.by]
                ),
            )
        if win.by in (DISCARD, ROB_KONG) and win.tile == record.gold:
            return GOLD_DISCARDED
        if record.melds and (win.by in (OPENING, GOLD_GRAB) or win.opening):
            return OPENING_WITH_MELDS
        if win.by == OPENING and not record.is_dealer:
            return NOT_DEALER
        if win.by == THREE_GOLDS:
            return None if self.winning_hand(record).wilds >= 3 else TOO_FEW_GOLDS
        if record.youjin and self.youjin_in_record and win.by in (SELF_DRAW, YOUJIN_DECLARED):
            # Any drawn tile wins from here, so nothing else is asked (R 7, R 8).
            return None if self.in_youjin_shape(self.concealed(record), record) else NO_YOUJIN_SHAPE
        if win.by == DISCARD and self.youjin_states and _others_youjin(record) >= 2:
            return NO_DISCARD_WIN_IN_SHUANGYOU
        return None if self.complete(self.winning_hand(record), record) else NOT_COMPLETE

    # --- options --------------------------------------------------------------------------------------

    def own_turn_wins(self, record: HandRecord) -> list[Win]:
        """The wins a player who has just drawn may declare, in the order of the table."""
        wins = [Win(SELF_DRAW, record.drawn)]
        if THREE_GOLDS in self.win_ways:
            wins.append(Win(THREE_GOLDS))
        return wins

    def golds_discarded(self, youjin: int) -> int:
        """How many golds the player has discarded to be in this state (R 2)."""
        return max(0, youjin - 1)

    def youjin_after_gold(self, youjin: int) -> int:
        """The state after one more gold is discarded out of 游金 shape: 雙游, then 三游 (7.2)."""
        return 3 if youjin >= 2 else 2

    def direct_youjin(self, record: HandRecord) -> bool:
        """Whether a pair of golds may be opened without having been in 游金 (XM-A8): ``direct_shuangyou``."""
        return bool(getattr(self.profile(record), "direct_shuangyou", True))

    def refuse_gold_discard(self, record: HandRecord) -> Refusal | None:
        """Why a gold may not be discarded when that opens no 游金 state; ``None``: it may."""
        del record
        return None

    def forced_discards(self, record: HandRecord) -> frozenset[int] | None:
        """Physical kinds of which one must be discarded (跟打); ``None``: free choice."""
        del record
        return None

    def refuse_discard(self, record: HandRecord, kind: int) -> Refusal | None:
        """Any further reason why a tile that is not a gold may not be discarded."""
        del record, kind
        return None

    def if_won(self, record: HandRecord) -> Settlement | Refusal:
        """The least a win from a 游金 state pays (7.4.4): R 8, a drawn tile that fits nowhere.

        Args:
            record: the hand after the discard, ``youjin`` already at the new state.
        """
        return self.settle(replace(record, win=Win(SELF_DRAW)))

    def least_win(self, record: HandRecord, worth: Callable[[int], int], floor: int) -> Settlement | Refusal:
        """The self-draw that pays least, over all tiles other than a gold that can still be drawn (7.4.4).

        Args:
            record: 3n + 1 tiles in 游金 shape.
            worth: what a tile is worth when it is drawn, in any unit.
            floor: no tile is worth less, so that the search ends at the first one worth no more.
        """
        left = self.copies_left(record)
        drawable = [kind for kind in range(PLAYABLE) if left[kind] > 0 and kind != record.gold] or [0]
        # Tiles of a suit the hand has little of are the likeliest to fit nowhere.
        held = [min(kind // 9, 3) for kind in record.hand]
        drawable.sort(key=lambda kind: held.count(min(kind // 9, 3)))
        best, least = drawable[0], worth(drawable[0])
        for kind in drawable[1:]:
            if least <= floor:
                break
            value = worth(kind)
            if value < least:
                best, least = kind, value
        return self.settle(replace(record, win=Win(SELF_DRAW, best)))

    # --- claims ---------------------------------------------------------------------------------------

    def refuse_claim(self, record: HandRecord, claim: str) -> Refusal | None:
        """Why a discard may not be chowed, ponged or konged, for a reason that lies in the table.

        Args:
            record: a hand between turns.
            claim: ``chow``, ``pong`` or ``kong``.
        """
        del claim
        mode = getattr(self.profile(record), "shuangyou_mode", None)
        level = _others_youjin(record)
        if mode is None or level < 2 or (level == 2 and mode == "claims_allowed"):
            return None
        return NO_CLAIMS_IN_SHUANGYOU

    def bars_discard_of_chowed(self, record: HandRecord) -> bool:
        """Whether a chow may not be followed by the discard of a tile that fits the same place (吃張打張)."""
        del record
        return False

    def wins_in_spite_of_pass(self, settlement: Settlement) -> bool:
        """Whether a passed win leaves this win open (YX 2.8)."""
        del settlement
        return False

    # --- events ---------------------------------------------------------------------------------------

    def event(self, event: EventRecord) -> EventResult:
        """What an event moves and who deals next.

        Raises:
            InputError: the game has no such event, or the event contradicts itself.
        """
        if event.event == DRAW:
            return self.draw(event)
        return self.false_win(event) if event.event == FALSE_WIN else self.follow(event)

    def draw(self, event: EventRecord) -> EventResult:
        """A hand without a winner: nothing is paid."""
        text = Text("流局，不计分", "流局，不計分", "Nobody won; nothing is paid")
        nothing = zero()
        return EventResult(
            nothing, dict(nothing), (Line("draw", text),), self.next_deal(event.dealer, None, event.table, event)
        )

    def false_win(self, event: EventRecord) -> EventResult:
        """詐胡; only Xiamen has a price for it."""
        raise self.no_such_event(event)

    def follow(self, event: EventRecord) -> EventResult:
        """分餅; only Zhangzhou has it."""
        raise self.no_such_event(event)

    def no_such_event(self, event: EventRecord) -> InputError:
        """The error for an event this game does not have."""
        return InputError(
            "no_such_event",
            "event",
            Text(
                f"{self.title.zh}没有 {event.event} 这个事件",
                f"{self.title.zh_hant}沒有 {event.event} 這個事件",
                f"{self.title.en} has no event {event.event}",
            ),
        )

    def next_deal(
        self, dealer: str, winner: str | None, table: TableFacts, record: HandRecord | EventRecord
    ) -> NextDeal:
        """Who deals after a win (``winner``) or a draw (``None``), by the house key ``next_dealer``."""
        mode = getattr(self.profile(record), "next_dealer", "rotate")
        if mode == "random":
            return NextDeal(None)
        if winner is None:
            return NextDeal(dealer, table.dealer_streak + 1, table.draw_streak + 1)
        if winner == dealer:
            return NextDeal(dealer, table.dealer_streak + 1)
        return NextDeal(winner if mode == "winner" else after(dealer))


def _others_youjin(record: HandRecord) -> int:
    """The highest 游金 state another seat is known to be in."""
    return max((level for seat, level in record.table.youjin.items() if seat != record.seat), default=0)


@lru_cache(maxsize=256)
def _concealed(hand: tuple[int, ...], gold: int | None, sets: int, tile: int | None = None) -> Concealed:
    # One question asks for the same hand many times.
    found = Concealed.of(hand, gold, sets)
    return found if tile is None else found.add(tile)


def winning_tile(record: HandRecord) -> int | None:
    """The tile that completes the win of a record; ``None`` where there is none."""
    win = record.win
    if win is None:
        return record.drawn
    if win.by == GOLD_GRAB:
        return record.gold
    return record.drawn if win.by == THREE_GOLDS else win.tile
