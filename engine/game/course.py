"""The fold: one event on one state gives the next state, or `Refused` with the rule.

What a hand is worth and what may be claimed is never decided here: wins go through the rule set's ``settle``,
claims through `engine.claims`, discards through `engine.youjin` and the rule set. This module knows the order
of things.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from engine import shapes
from engine.errors import InputError
from engine.game import events as ev
from engine.game.claiming import answer, claim_tile, decide, declare_kong, explain_late_claim
from engine.game.discarding import discard_tile
from engine.game.drawing import draw_tile, next_last, to_draw
from engine.game.ending import drawn_game, end_hand, table_facts, won
from engine.game.opening import deal, declare_opening, flip_gold, next_flowers, next_opening, replace_flowers
from engine.game.refusals import Refused, paragraph, refused
from engine.game.seats import AWAITED, active, active_seat, expect, going_on, running_hand, seats_from, with_player
from engine.game.state import (
    CLAIMING,
    DRAWING,
    FLIP,
    FLOWERS,
    LAST_DRAW,
    LAST_KONG,
    OPENING,
    ROBBING,
    TURN,
    Game,
    Result,
    evolve,
)
from engine.game.views import record_of
from engine.game.wins import forced_win, own_wins, turn_start_wins, why_no_win
from engine.record import (
    DISCARD,
    FALSE_WIN,
    SELF_DRAW,
    EventRecord,
    Offer,
    Win,
)
from engine.settlement import SEATS, NextDeal

if TYPE_CHECKING:
    from collections.abc import Callable


def apply(game: Game, event: ev.Event) -> Game:
    """The state after one more event.

    Raises:
        Refused: the rules do not allow the event now.
    """
    return _HANDLERS[type(event)](game, event)


def _new_course(game: Game, event: ev.NewCourse) -> Game:
    """Everybody begins again with the chips of a course (XM 4.4)."""
    del event
    if game.chips is None:
        raise refused("no_course", game.rules)
    if game.running:
        raise refused("hand_running", game.rules)
    if not game.course_over:
        raise refused("course_running", game.rules)
    return evolve(game, chips=(game.house.course_chips,) * 4)  # type: ignore[attr-defined]  # chips: a course


def _declare_win(game: Game, event: ev.DeclareWin) -> Game:
    """胡: in whatever phase it is possible."""
    hand = running_hand(game)
    number = active_seat(game, hand, event.seat)
    if hand.phase == OPENING:
        return declare_opening(game, hand, number, event)
    if hand.phase in (CLAIMING, ROBBING):
        return answer(game, hand, number, event)
    if event.by == DISCARD:
        explain_late_claim(game, hand, number, event)
    expect(game, hand, DRAWING, TURN, LAST_DRAW)
    if number != hand.turn:
        raise refused("not_your_turn", game.rules, seat=event.seat)
    wins = turn_start_wins(game, hand) if hand.phase == DRAWING else own_wins(game, hand)
    record = wins.get(event.by)
    if record is None:
        raise why_no_win(game, hand, number, event.by)
    return won(game, hand, number, record)


def _pass(game: Game, event: ev.Pass) -> Game:
    """過: a seat that is asked lets it go."""
    hand = running_hand(game)
    number = active_seat(game, hand, event.seat)
    if hand.phase == OPENING:
        if number != hand.asked[0].seat:
            raise refused("wait_for_higher", game.rules, seat=SEATS[hand.asked[0].seat])
        return next_opening(game, evolve(hand, asked=hand.asked[1:]))
    if hand.phase in (CLAIMING, ROBBING):
        one = next((one for one in hand.asked if one.seat == number), None)
        if one is None:
            raise refused("not_asked", game.rules, seat=event.seat)
        if one.answer is not None:
            raise refused("answered", game.rules, seat=event.seat)
        player = hand.players[number]
        if one.best > 1 and hand.offered is not None:
            # What could only be chowed is no copy that was let go: the chow comes at the own turn anyway.
            player = evolve(player, passed=(*player.passed, Offer(hand.offered, SEATS[hand.turn])))
        asked = tuple(other for other in hand.asked if other.seat != number)
        return decide(game, with_player(hand, number, player, asked=asked))
    expect(game, hand, LAST_DRAW, LAST_KONG, TURN)
    if number != hand.turn:
        raise refused("not_your_turn", game.rules, seat=event.seat)
    if hand.phase == TURN:
        if hand.must_win:
            return drawn_game(game, hand)
        raise refused("not_now", game.rules, awaited=AWAITED[TURN])
    if forced_win(game, hand):
        raise refused("must_win_last", game.rules)
    return next_last(game, hand)


def _sit_out(game: Game, event: ev.SitOut) -> Game:
    """相公 (XM 2.13): no drawing, no claiming, pays like any other loser."""
    hand = running_hand(game)
    number = active_seat(game, hand, event.seat)
    hand = with_player(hand, number, evolve(hand.players[number], sitting_out=True, youjin=0))
    if not active(hand, seats_from(number)):
        return drawn_game(game, hand)
    if hand.phase == FLOWERS:
        return next_flowers(game, hand)
    if hand.phase == FLIP:
        return going_on(game, hand)
    if hand.youjin_seat == number:
        # His 雙游 is void; the game goes on with the seat whose turn it would be.
        hand = evolve(hand, youjin_seat=None, pending=())
        return to_draw(game, hand, (hand.turn if hand.turn != number else number + 1) % 4)
    if hand.phase == OPENING:
        return next_opening(game, hand)
    if hand.phase in (CLAIMING, ROBBING):
        hand = evolve(hand, asked=tuple(one for one in hand.asked if one.seat != number))
        if hand.phase == ROBBING and hand.turn == number and hand.offered is not None:
            # The kong is void: its tile goes back into the covered hand.
            player = hand.players[number]
            hand = with_player(hand, number, evolve(player, tiles=player.tiles + shapes.UNIT[hand.offered]))
            return to_draw(game, hand, (number + 1) % 4)
        return decide(game, hand)
    if hand.turn != number:
        return going_on(game, hand)
    if hand.pending:
        return next_last(game, hand)
    return to_draw(game, hand, (number + 1) % 4)


def _false_win(game: Game, event: ev.FalseWin) -> Game:
    """詐胡 and its re-judgement (XM 2.14, 2.15)."""
    hand = running_hand(game)
    active_seat(game, hand, event.seat)
    players = []
    for number, player in enumerate(hand.players):
        if SEATS[number] == event.seat or player.sitting_out or not player.youjin:
            continue
        players.append(replace(record_of(game, hand, number), drawn=None, win=Win(SELF_DRAW)))
    fact = EventRecord(
        game.rules,
        game.house,
        FALSE_WIN,
        seat=event.seat,
        dealer=SEATS[hand.dealer],
        table=table_facts(game),
        youjin_players=tuple(players),
    )
    try:
        answer = game.ruleset.event(fact)
    except InputError as error:
        raise Refused(error.code, paragraph(error.code, game.rules), error.text) from error
    deal = answer.next or NextDeal(SEATS[hand.dealer], game.dealer_streak, game.draw_streak)
    result = Result(FALSE_WIN, None, None, answer.payments, answer.bonus, answer.lines, deal)
    return end_hand(game, hand, result)


_HANDLERS: Final[dict[type, Callable[[Game, Any], Game]]] = {
    ev.Deal: deal,
    ev.ReplaceFlowers: replace_flowers,
    ev.FlipGold: flip_gold,
    ev.Draw: draw_tile,
    ev.Discard: discard_tile,
    ev.Claim: claim_tile,
    ev.DeclareKong: declare_kong,
    ev.DeclareWin: _declare_win,
    ev.Pass: _pass,
    ev.FalseWin: _false_win,
    ev.SitOut: _sit_out,
    ev.NewCourse: _new_course,
}
