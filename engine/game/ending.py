"""The end of a hand: a win is settled, or the hand is drawn; the points move and the next dealer is known."""

from __future__ import annotations

from engine.errors import Refusal
from engine.game.state import (
    OVER,
    WIN,
    Game,
    Hand,
    Result,
    evolve,
)
from engine.record import (
    DRAW,
    FOLLOW,
    GOLD_GRAB,
    EventRecord,
    HandRecord,
    TableFacts,
)
from engine.settlement import SEATS, Line, NextDeal, Settlement, add, zero
from engine.text import Text


def follow_payments(game: Game, count: int) -> dict[str, int]:
    """What 分餅 has moved after so many followed discards."""
    event = EventRecord(game.rules, game.house, FOLLOW, dealer=game.dealer or "A", count=count)
    return game.ruleset.event(event).payments


def table_facts(game: Game) -> TableFacts:
    """Streaks and chips, for a settlement without a hand."""
    chips = None if game.chips is None else dict(zip(SEATS, game.chips, strict=True))
    return TableFacts(dealer_streak=game.dealer_streak, draw_streak=game.draw_streak, chips=chips)


def won(game: Game, hand: Hand, number: int, record: HandRecord) -> Game:
    """A win: settled by the rule set, with what 分餅 adds to a last hand (ZZ 4.5)."""
    settlement = game.ruleset.settle(record)
    if isinstance(settlement, Refusal):  # pragma: no cover  # only wins that settle are let through
        raise AssertionError(settlement)  # noqa: TRY004  # a fault of the engine, not of a type
    payments, lines = settlement.payments, settlement.lines
    source = record.win.source if record.win is not None else None
    if source is not None and hand.followed > 0 and any(line.key == "last_hand" for line in lines):
        payments, lines = _give_back(game, hand, record.seat, source, settlement)
    deal = game.ruleset.next_deal(SEATS[hand.dealer], record.seat, record.table, record)
    by_gold = record.win is not None and record.win.by == GOLD_GRAB
    hand = evolve(hand, turn=number, gold_taken=by_gold)
    return end_hand(game, hand, Result(WIN, record, settlement, payments, settlement.bonus, lines, deal))


def _give_back(
    game: Game, hand: Hand, winner: str, source: str, settlement: Settlement
) -> tuple[dict[str, int], tuple[Line, ...]]:
    """ZZ 4.5: who pays the last hand for everybody also gives the dealer back what 分餅 paid the winner."""
    dealer = SEATS[hand.dealer]
    if dealer in (winner, source):
        return settlement.payments, settlement.lines
    amount = follow_payments(game, hand.followed)[winner]
    payments = add(settlement.payments, {**zero(), source: -amount, dealer: amount})
    text = Text(
        "最后一手：{source} 把分饼付给赢家的 {amount} 还给庄家 {dealer}",
        "最後一手：{source} 把分餅付給贏家的 {amount} 還給莊家 {dealer}",
        "Last hand: {source} gives the dealer {dealer} back the {amount} that 分餅 paid the winner",
    ).format(source=source, amount=amount, dealer=dealer)
    return payments, (*settlement.lines, Line("follow_given_back", text))


def drawn_game(game: Game, hand: Hand) -> Game:
    """臭莊, 和局: nobody wins."""
    fact = EventRecord(game.rules, game.house, DRAW, dealer=SEATS[hand.dealer], table=table_facts(game))
    answer = game.ruleset.event(fact)
    deal = answer.next or NextDeal(SEATS[hand.dealer])
    return end_hand(game, hand, Result(DRAW, None, None, answer.payments, answer.bonus, answer.lines, deal))


def end_hand(game: Game, hand: Hand, result: Result) -> Game:
    """The points move, and the next dealer is known."""
    chips = game.chips
    if chips is not None:
        chips = tuple(chip + result.payments[seat] for chip, seat in zip(chips, SEATS, strict=True))
    return evolve(
        game,
        dealer=result.next.dealer,
        dealer_streak=result.next.dealer_streak,
        draw_streak=result.next.draw_streak,
        chips=chips,
        points=tuple(point + result.payments[seat] for point, seat in zip(game.points, SEATS, strict=True)),
        outside=tuple(point + result.bonus[seat] for point, seat in zip(game.outside, SEATS, strict=True)),
        hand=evolve(hand, phase=OVER, result=result),
    )
