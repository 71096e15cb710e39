"""Who is awaited, and what each seat may do: the moves `engine.game.apply` accepts now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import events as ev
from engine.game.discarding import legal_discards
from engine.game.state import (
    CLAIMING,
    DRAWING,
    FLIP,
    FLOWERS,
    LAST_DRAW,
    LAST_KONG,
    OPENING,
    OVER,
    ROBBING,
    SEAT_NUMBERS,
    TURN,
    Game,
    Hand,
)
from engine.game.views import record_of
from engine.game.wins import dealt_wins, forced_win, own_kongs, own_wins, refuse_kongs, turn_start_wins
from engine.record import CHOW, KONG, PONG
from engine.settlement import SEATS

if TYPE_CHECKING:
    from engine.game.state import Asked


def awaited(game: Game) -> tuple[str, ...]:
    """The seats that must act before the hand can go on; none between hands and while the gold is turned up."""
    hand = game.hand
    if hand is None or hand.phase in (OVER, FLIP):
        return ()
    if hand.phase in (CLAIMING, ROBBING):
        return tuple(SEATS[one.seat] for one in hand.asked if one.answer is None)
    return (SEATS[hand.turn],)


def legal_events(game: Game, seat: str) -> list[ev.Event]:
    """What a seat may do now, wins first.

    Left out: offences (`FalseWin`, `SitOut`), which are never moves, and what belongs to no seat (`Deal`, `FlipGold`).
    """
    hand = game.hand
    if hand is None or seat not in awaited(game):
        return []
    number = SEAT_NUMBERS[seat]
    if hand.phase == FLOWERS:
        return [ev.ReplaceFlowers(seat)]
    if hand.phase == OPENING:
        return [
            *(
                ev.DeclareWin(seat, by, removed)
                for by in hand.asked[0].wins
                for removed, _ in dealt_wins(game, hand, number, by)
            ),
            ev.Pass(seat),
        ]
    if hand.phase in (CLAIMING, ROBBING):
        return _answers(seat, next(one for one in hand.asked if one.seat == number))
    if hand.phase == DRAWING:
        return [*(ev.DeclareWin(seat, by) for by in turn_start_wins(game, hand)), ev.Draw(seat)]
    if hand.phase == LAST_KONG:
        return [*([] if refuse_kongs(game, hand) else own_kongs(game, hand, number)), ev.Pass(seat)]
    if hand.players[number].loose:
        return [ev.ReplaceFlowers(seat)]
    return _turn(game, hand, number)


def _answers(seat: str, one: Asked) -> list[ev.Event]:
    """What a seat that is asked about a tile may say."""
    answers: list[ev.Event] = [ev.DeclareWin(seat, by) for by in one.wins]
    if one.kong:
        answers.append(ev.Claim(seat, KONG))
    if one.pong:
        answers.append(ev.Claim(seat, PONG))
    answers += [ev.Claim(seat, CHOW, using) for using, _ in one.chows]
    return [*answers, ev.Pass(seat)]


def _turn(game: Game, hand: Hand, number: int) -> list[ev.Event]:
    """With a tile drawn or claimed: win, kong, discard."""
    seat = SEATS[number]
    record = record_of(game, hand, number)
    moves: list[ev.Event] = [ev.DeclareWin(seat, by) for by in own_wins(game, hand, record)]
    if moves and forced_win(game, hand):
        return moves
    if hand.phase == LAST_DRAW or hand.must_win:
        return [*moves, ev.Pass(seat)]
    if hand.phase == TURN and refuse_kongs(game, hand) is None:
        moves += own_kongs(game, hand, number, record)
    moves += [ev.Discard(seat, kind) for kind in legal_discards(game, hand, record)]
    return moves
