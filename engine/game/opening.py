"""From the deal to the first discard: flowers, the gold, and wins as dealt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine import shapes
from engine.game.drawing import reserve_of, take, to_draw
from engine.game.ending import drawn_game, won
from engine.game.refusals import refused
from engine.game.seats import active, active_seat, expect, going_on, running_hand, seats_from, with_player
from engine.game.state import (
    BY_DEAL,
    FLIP,
    FLOWERS,
    OPENING,
    SEAT_NUMBERS,
    TURN,
    Asked,
    Game,
    Hand,
    Player,
    evolve,
    full_set,
)
from engine.game.wins import dealt_wins
from engine.record import (
    GOLD_GRAB,
    THREE_GOLDS,
)
from engine.record import OPENING as DEALT
from engine.settlement import SEATS
from engine.tiles import PLAYABLE, WHITE

if TYPE_CHECKING:
    from engine.game import events as ev

# Who may win as dealt, in order of priority (XM 3.3; ZZ 3; YX 3.1; JH 3.1).
_DEALER, _OTHERS, _EVERYBODY = "dealer", "others", "everybody"

_OPENING_ORDER: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "xiamen": ((_DEALER, DEALT), (_EVERYBODY, THREE_GOLDS), (_OTHERS, GOLD_GRAB), (_DEALER, GOLD_GRAB)),
    "zhangzhou": ((_DEALER, DEALT), (_OTHERS, THREE_GOLDS), (_OTHERS, GOLD_GRAB), (_DEALER, GOLD_GRAB)),
    "yunxiao": ((_DEALER, DEALT), (_DEALER, GOLD_GRAB)),
    "jinhua": ((_DEALER, DEALT),),
    "hangzhou": (),
}


def deal(game: Game, event: ev.Deal) -> Game:
    """XM 1.3, ZZ 1.3, YX 1.2: four at a time, then the dealer's last tile (跳牌)."""
    if game.running:
        raise refused("hand_running", game.rules)
    if game.course_over:
        raise refused("course_over", game.rules)
    if game.dealer is None and event.dealer is None:
        raise refused("dealer_missing", game.rules)
    if game.dealer is not None and event.dealer not in (None, game.dealer):
        raise refused("wrong_dealer", game.rules, seat=game.dealer)
    whole = full_set(game.ruleset)
    if sorted(event.wall) != whole:
        raise refused("wrong_wall", game.rules, count=len(whole))
    seat = event.dealer or game.dealer or "A"
    dealer = SEAT_NUMBERS[seat]
    wall = event.wall
    dealt: list[list[int]] = [[], [], [], []]
    front = 0
    for _ in range(4 if game.ruleset.sets == 5 else 3):
        for number in seats_from(dealer):
            dealt[number] += wall[front : front + 4]
            front += 4
    if game.ruleset.sets == 5:
        extra = wall[front]
        front += 1
    else:
        # The dealer takes the upper tiles of the first and the third stack, the others one each (YX 1.2).
        for step, number in enumerate(seats_from(dealer)):
            dealt[number].append(wall[front + step])
        extra = wall[front + 4]
        front += 5
    dealt[dealer].append(extra)
    players = tuple(
        Player(
            tiles=shapes.pack(kind for kind in kinds if kind < PLAYABLE),
            loose=tuple(kind for kind in kinds if kind >= PLAYABLE),
        )
        for kinds in dealt
    )
    hand = Hand(FLOWERS, wall, front, len(wall), dealer, dealer, players, extra=extra)
    hand = evolve(hand, reserve=reserve_of(game, hand))
    game = evolve(game, dealer=seat, deals=game.deals + 1, hand=hand)
    return next_flowers(game, hand)


def next_flowers(game: Game, hand: Hand) -> Game:
    """The next seat that replaces flowers in this round, or the next round, or the gold (XM 1.4)."""
    pending = active(hand, hand.pending) or active(
        hand, tuple(number for number in seats_from(hand.dealer) if hand.players[number].loose)
    )
    if pending:
        return going_on(game, evolve(hand, pending=pending, turn=pending[0]))
    if game.ruleset.gold_is_white:
        return _open(game, evolve(hand, gold=WHITE))
    return going_on(game, evolve(hand, phase=FLIP, turn=hand.dealer))


def replace_flowers(game: Game, event: ev.ReplaceFlowers) -> Game:
    """補花: as dealt in rounds, in play at once, always from the tail."""
    hand = running_hand(game)
    number = active_seat(game, hand, event.seat)
    player = hand.players[number]
    if hand.phase == TURN and number == hand.turn and player.loose:
        if hand.drawable == 0:
            return drawn_game(game, hand)
        flowers = tuple(sorted((*player.flowers, *player.loose)))
        hand = with_player(hand, number, evolve(player, flowers=flowers, loose=()))
        hand = evolve(hand, reserve=reserve_of(game, hand))
        if hand.drawable == 0:
            return drawn_game(game, hand)
        return take(game, hand, number, from_tail=True)
    expect(game, hand, FLOWERS)
    if number != hand.turn:
        raise refused("not_your_turn" if player.loose else "no_flowers", game.rules, seat=event.seat)
    count = len(player.loose)
    taken = hand.wall[hand.back - count : hand.back]
    player = evolve(
        player,
        tiles=player.tiles + shapes.pack(kind for kind in taken if kind < PLAYABLE),
        loose=tuple(kind for kind in taken if kind >= PLAYABLE),
        flowers=tuple(sorted((*player.flowers, *player.loose))),
    )
    hand = with_player(hand, number, player, back=hand.back - count, pending=hand.pending[1:])
    return next_flowers(game, evolve(hand, reserve=reserve_of(game, hand)))


def flip_gold(game: Game, event: ev.FlipGold) -> Game:
    """開金: a flower is put back and the dice are thrown again."""
    hand = running_hand(game)
    expect(game, hand, FLIP)
    if not all(1 <= number <= 6 for number in event.dice):
        raise refused("bad_dice", game.rules)
    total = sum(event.dice)
    # Counted from the last tile of the wall: every tile (XM 1.5), the upper layer only (YX 1.3), or the stack
    # that the larger die names (JH 1.2).
    from_end = {"yunxiao": 2 * total - 1, "jinhua": 2 * max(event.dice) - 1}.get(game.rules, total)
    place = hand.back - from_end
    kind = hand.wall[place]
    if kind >= PLAYABLE:
        return going_on(game, evolve(hand, turned=(*hand.turned, kind)))
    wall = (*hand.wall[:place], *hand.wall[place + 1 :])
    return _open(game, evolve(hand, wall=wall, back=hand.back - 1, gold=kind))


def _open(game: Game, hand: Hand) -> Game:
    """After the gold lies open: who may win as dealt, in order (XM 3.3)."""
    dealer = hand.dealer
    player = hand.players[dealer]
    # The dealer's last tile counts as drawn, so that 3n + 2 tiles have the form of a turn.
    extra = hand.extra
    if extra is None or extra >= PLAYABLE:
        extra = shapes.distinct(player.tiles)[-1]
    player = evolve(player, tiles=player.tiles - shapes.UNIT[extra], drawn=extra)
    hand = with_player(hand, dealer, player, extra=extra, phase=OPENING, turn=dealer)
    asked: list[Asked] = []
    timing = getattr(game.house, "qiangjin_timing", None)
    for who, by in _OPENING_ORDER[game.rules]:
        if (who, by) == (_OTHERS, GOLD_GRAB) and timing == "first_turn":
            continue
        for number in seats_from(dealer):
            if (number == dealer and who == _OTHERS) or (number != dealer and who == _DEALER):
                continue
            if any(earlier.seat == number and by in earlier.wins for earlier in asked):
                continue
            ways = (by, THREE_GOLDS) if game.rules == "xiamen" and by == DEALT else (by,)
            if dealt_wins(game, hand, number, by):
                asked.append(Asked(number, wins=tuple(way for way in ways if dealt_wins(game, hand, number, way))))
    return next_opening(game, evolve(hand, asked=tuple(asked)))


def next_opening(game: Game, hand: Hand) -> Game:
    """The next seat that may win as dealt, or the dealer's first turn."""
    asked = tuple(one for one in hand.asked if not hand.players[one.seat].sitting_out)
    if asked:
        return going_on(game, evolve(hand, asked=asked, turn=asked[0].seat))
    hand = evolve(hand, asked=(), phase=TURN, turn=hand.dealer, source=BY_DEAL)
    if hand.players[hand.dealer].sitting_out:
        return to_draw(game, hand, (hand.dealer + 1) % 4)
    return going_on(game, hand)


def declare_opening(game: Game, hand: Hand, number: int, event: ev.DeclareWin) -> Game:
    """天和, 三金倒 and 搶金 by the seat that is asked first."""
    first = hand.asked[0]
    if number != first.seat:
        raise refused("wait_for_higher", game.rules, seat=SEATS[first.seat])
    wins = dict(dealt_wins(game, hand, number, event.by)) if event.by in first.wins else {}
    if event.removed is None and event.by == GOLD_GRAB and number == hand.dealer and len(wins) == 1:
        record = next(iter(wins.values()))
    elif event.removed in wins:
        record = wins[event.removed]
    else:
        raise refused("no_such_win_now", game.rules)
    removed = next(key for key, value in wins.items() if value is record)
    return won(game, evolve(hand, aside=removed), number, record)
