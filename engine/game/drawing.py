"""Drawing: the wall and its reserve, the next turn, and the last draws while somebody is in 雙游 or 三游."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from engine.game.ending import drawn_game, won
from engine.game.seats import active, going_on, in_turn, running_hand, seats_from, with_player
from engine.game.state import (
    BY_DRAW,
    BY_KONG,
    DRAWING,
    LAST_DRAW,
    LAST_KONG,
    TURN,
    Game,
    Hand,
    evolve,
)
from engine.game.views import record_of
from engine.game.wins import LAST_HAND, own_kongs, own_wins
from engine.record import SELF_DRAW, Win
from engine.rules.zhangzhou import point_items
from engine.tiles import PLAYABLE

if TYPE_CHECKING:
    from engine.game import events as ev

_TILES_PER_STACK: Final = 2


def reserve_of(game: Game, hand: Hand) -> int:
    """Tiles that stay in the wall (XM 1.9, ZZ 1.8, YX 1.7)."""
    house: Any = game.house
    reserve = int(house.dead_wall)
    mode = getattr(house, "dead_wall_increase", "off")
    if mode != "off":
        points = [points_of(game, hand, number) for number in range(4)]
        stacks = sum(points) if mode == "per_point" else sum(1 for one in points if one)
        reserve += _TILES_PER_STACK * stacks
    mode = getattr(house, "dead_wall_kong", "off")
    if mode != "off" and hand.kongs:
        reserve += 2 * _TILES_PER_STACK * (1 if mode == "once" else hand.kongs)
    return reserve


def points_of(game: Game, hand: Hand, number: int) -> int:
    """Flower and kong points of a seat (ZZ 4.2)."""
    house: Any = game.house
    player = hand.players[number]
    return sum(item.value for item in point_items(player.flowers, player.melds, house.free_flowers))


def to_draw(game: Game, hand: Hand, number: int) -> Game:
    """The turn passes to the next seat that takes part; the hand is drawn if nothing may be drawn any more."""
    order = active(hand, seats_from(number))
    if not order or hand.drawable == 0:
        return drawn_game(game, hand)
    return going_on(
        game,
        evolve(
            hand,
            phase=DRAWING,
            turn=order[0],
            asked=(),
            offered=None,
            kong_kind=None,
            replacing=False,
            kong_win=None,
            banned=frozenset(),
            turn_pongs=frozenset(),
        ),
    )


def draw_tile(game: Game, event: ev.Draw) -> Game:
    """摸牌."""
    hand = running_hand(game)
    number = in_turn(game, hand, event.seat, DRAWING)
    player = hand.players[number]
    if player.passed or player.only_self_draw:
        hand = with_player(hand, number, evolve(player, passed=(), only_self_draw=False))
    if hand.wild_discarder == number and getattr(game.house, "wild_discard_ban", "") == "one_circle":
        hand = evolve(hand, wild_discarder=None)
    hand = evolve(hand, source=BY_KONG if hand.replacing else BY_DRAW)
    return take(game, hand, number, from_tail=hand.replacing)


def take(game: Game, hand: Hand, number: int, *, from_tail: bool) -> Game:
    """One tile into the hand of the seat in turn, and what it may do then."""
    house: Any = game.house
    window = LAST_HAND if game.rules == "zhangzhou" else getattr(house, "haidi_window", 0)
    tile = hand.wall[hand.back - 1] if from_tail else hand.wall[hand.front]
    changes = {"back": hand.back - 1} if from_tail else {"front": hand.front + 1}
    changes["late"] = hand.drawable <= window
    player = hand.players[number]
    last = hand.youjin_seat is not None and hand.youjin_seat != number and procedure(game, hand) != "normal"
    if tile >= PLAYABLE:
        hand = with_player(hand, number, evolve(player, loose=(*player.loose, tile)), phase=TURN, **changes)
        # XM 2.12: a flower as last tile is not replaced and nothing is discarded.
        return next_last(game, hand) if last else going_on(game, hand)
    hand = with_player(hand, number, evolve(player, drawn=tile), phase=TURN, replacing=False, **changes)
    if last:
        if own_wins(game, hand):
            return going_on(game, evolve(hand, phase=LAST_DRAW))
        return next_last(game, hand)
    if game.rules == "yunxiao" and _must_win(game, hand):
        hand = evolve(hand, must_win=True)
        if not own_wins(game, hand):
            return drawn_game(game, hand)
    return going_on(game, hand)


def _must_win(game: Game, hand: Hand) -> bool:
    """YX 1.7, 1.8: the last drawable tile, and the replacement of the third kong."""
    house: Any = game.house
    third = house.third_kong_draw and hand.kongs >= 3 and hand.source == BY_KONG
    return third or hand.drawable == 0


def procedure(game: Game, hand: Hand) -> str:
    """How the others go on while a gold lies discarded for 雙游 or 三游; ``normal`` where they just play on."""
    if hand.youjin_seat is None:  # pragma: no cover  # only asked while somebody is in 雙游
        raise AssertionError(hand)
    house: Any = game.house
    if hand.players[hand.youjin_seat].youjin >= 3:
        return str(house.sanyou_mode)
    mode = str(house.shuangyou_mode)
    return mode if mode == "one_draw" else "normal"


def begin_procedure(game: Game, hand: Hand) -> Game:
    """XM 2.12, ZZ 2.5, 2.6: what happens after a gold has been discarded for 雙游 or 三游."""
    number = hand.turn
    mode = procedure(game, hand)
    if mode == "normal":
        return to_draw(game, hand, (number + 1) % 4)
    return next_last(game, evolve(hand, pending=seats_from(number)))


def next_last(game: Game, hand: Hand) -> Game:
    """The next of the others to take his last tile, then the 雙游 player himself."""
    mode = procedure(game, hand)
    hand = evolve(hand, pending=hand.pending[1:], replacing=False, kong_win=None)
    pending = active(hand, hand.pending)
    hand = evolve(hand, pending=pending)
    winner = hand.youjin_seat
    if winner is None:  # pragma: no cover  # only called while somebody is in 雙游
        raise AssertionError(hand)
    triple = hand.players[winner].youjin >= 3
    if triple and (mode == "immediate" or not pending or hand.drawable == 0):
        # R 8: 三游 ends without a drawn tile.
        record = replace(record_of(game, hand, winner), win=Win(SELF_DRAW))
        return won(game, evolve(hand, turn=winner), winner, record)
    if not pending:
        return to_draw(game, hand, winner)
    if triple and mode == "kong_only":
        hand = evolve(hand, phase=LAST_KONG, turn=pending[0], source=BY_DRAW)
        return going_on(game, hand) if own_kongs(game, hand, pending[0]) else next_last(game, hand)
    if hand.drawable == 0:
        return drawn_game(game, hand)
    return going_on(game, evolve(hand, phase=DRAWING, turn=pending[0], offered=None, kong_kind=None))
