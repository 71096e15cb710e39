"""Helpers of the fold: who takes part, whose turn it is, and the hand with one player changed."""

from __future__ import annotations

from typing import Any, Final

from engine.game.refusals import refused
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
    Player,
    evolve,
)
from engine.text import Text

AWAITED: Final[dict[str, Text]] = {
    FLOWERS: Text("补花", "補花", "flowers to be replaced"),
    FLIP: Text("开金", "開金", "the gold to be turned up"),
    OPENING: Text("起手胡牌的回答", "起手胡牌的回答", "an answer to a win as dealt"),
    DRAWING: Text("摸牌", "摸牌", "a tile to be drawn"),
    TURN: Text("打牌", "打牌", "a discard"),
    CLAIMING: Text("吃、碰、杠、胡的回答", "吃、碰、槓、胡的回答", "the answers to a discard"),
    ROBBING: Text("抢杠的回答", "搶槓的回答", "the answers to a kong"),
    LAST_DRAW: Text("最后一张的回答", "最後一張的回答", "an answer to the last tile"),
    LAST_KONG: Text("开杠的回答", "開槓的回答", "an answer about a kong"),
}


def running_hand(game: Game) -> Hand:
    """The hand in play.

    Raises:
        Refused: there is none.
    """
    hand = game.hand
    if hand is None or hand.phase == OVER:
        raise refused("no_hand", game.rules)
    return hand


def active_seat(game: Game, hand: Hand, seat: str) -> int:
    """The number of a seat that still takes part."""
    number = SEAT_NUMBERS[seat]
    if hand.players[number].sitting_out:
        raise refused("sitting_out", game.rules, seat=seat)
    return number


def expect(game: Game, hand: Hand, *phases: str) -> None:
    """Refuses what does not belong to the phase of the hand."""
    if hand.phase not in phases:
        raise refused("not_now", game.rules, awaited=AWAITED[hand.phase])


def in_turn(game: Game, hand: Hand, seat: str, *phases: str) -> int:
    """The number of a seat whose turn it must be, in one of some phases."""
    number = active_seat(game, hand, seat)
    expect(game, hand, *phases)
    if number != hand.turn:
        raise refused("not_your_turn", game.rules, seat=seat)
    return number


def with_player(hand: Hand, number: int, player: Player, **changes: Any) -> Hand:
    """The hand with one player changed, and more."""
    players = hand.players
    return evolve(hand, players=(*players[:number], player, *players[number + 1 :]), **changes)


def seats_from(first: int, *, own: bool = True) -> tuple[int, ...]:
    """Seat numbers in turn order, from ``first`` on or from the seat after it."""
    return tuple((first + step) % 4 for step in range(0 if own else 1, 4))


def active(hand: Hand, numbers: tuple[int, ...]) -> tuple[int, ...]:
    """Those of some seats that take part, in the same order."""
    return tuple(number for number in numbers if not hand.players[number].sitting_out)


def going_on(game: Game, hand: Hand) -> Game:
    """The game with its hand changed."""
    return evolve(game, hand=hand)
