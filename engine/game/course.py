"""The fold: one event on one state gives the next state, or `Refused` with the rule.

What a hand is worth and what may be claimed is never decided here: wins go through the rule set's ``settle``,
claims through `engine.claims`, discards through `engine.youjin` and the rule set. This module knows the order
of things.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from engine import claims as claims_module
from engine import options, shapes, youjin
from engine.errors import InputError, Refusal
from engine.game import events as ev
from engine.game.refusals import Refused, by_rule, paragraph, refused
from engine.game.state import (
    BY_CLAIM,
    BY_DEAL,
    BY_DRAW,
    BY_KONG,
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
    WIN,
    Asked,
    Game,
    Hand,
    Player,
    Result,
    evolve,
    full_set,
)
from engine.game.views import record_of
from engine.record import (
    ADDED_KONG,
    CHOW,
    CONCEALED_KONG,
    DISCARD,
    DRAW,
    FALSE_WIN,
    FOLLOW,
    GOLD_GRAB,
    KONG,
    PONG,
    ROB_KONG,
    SELF_DRAW,
    THREE_GOLDS,
    YOUJIN_DECLARED,
    EventRecord,
    HandRecord,
    Meld,
    Offer,
    TableFacts,
    Win,
)
from engine.record import OPENING as DEALT
from engine.settlement import SEATS, Line, NextDeal, Settlement, add, zero
from engine.text import Text
from engine.tiles import NAMES, PLAYABLE, WHITE, parse_tiles

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# Who may win as dealt, in order of priority (XM 3.3; ZZ 3; YX 3.1; JH 3.1).
_DEALER, _OTHERS, _EVERYBODY = "dealer", "others", "everybody"
_OPENING_ORDER: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "xiamen": ((_DEALER, DEALT), (_EVERYBODY, THREE_GOLDS), (_OTHERS, GOLD_GRAB), (_DEALER, GOLD_GRAB)),
    "zhangzhou": ((_DEALER, DEALT), (_OTHERS, THREE_GOLDS), (_OTHERS, GOLD_GRAB), (_DEALER, GOLD_GRAB)),
    "yunxiao": ((_DEALER, DEALT), (_DEALER, GOLD_GRAB)),
    "jinhua": ((_DEALER, DEALT),),
    "hangzhou": (),
}
# What a dealer may still declare at his first turn, before he discards.
_DEALT_TURN_WINS: Final = {"zhangzhou": (THREE_GOLDS,), "yunxiao": (THREE_GOLDS,), "hangzhou": (SELF_DRAW,)}
#: Last drawable tiles of ZZ 1.9.
_LAST_HAND: Final = 4
_TILES_PER_STACK: Final = 2
#: XM 2.9: this discard is possible, and makes its player a 相公.
_OFFENCE: Final = "gold_discard_offence"

_AWAITED: Final[dict[str, Text]] = {
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


def apply(game: Game, event: ev.Event) -> Game:
    """The state after one more event.

    Raises:
        Refused: the rules do not allow the event now.
    """
    return _HANDLERS[type(event)](game, event)


# --- small things ---------------------------------------------------------------------------------------


def _hand(game: Game) -> Hand:
    hand = game.hand
    if hand is None or hand.phase == OVER:
        raise refused("no_hand", game.rules)
    return hand


def _number(game: Game, hand: Hand, seat: str) -> int:
    """The number of a seat that still takes part."""
    number = SEAT_NUMBERS[seat]
    if hand.players[number].sitting_out:
        raise refused("sitting_out", game.rules, seat=seat)
    return number


def _expect(game: Game, hand: Hand, *phases: str) -> None:
    if hand.phase not in phases:
        raise refused("not_now", game.rules, awaited=_AWAITED[hand.phase])


def _in_turn(game: Game, hand: Hand, seat: str, *phases: str) -> int:
    number = _number(game, hand, seat)
    _expect(game, hand, *phases)
    if number != hand.turn:
        raise refused("not_your_turn", game.rules, seat=seat)
    return number


def _with(hand: Hand, number: int, player: Player, **changes: Any) -> Hand:
    """The hand with one player changed, and more."""
    players = hand.players
    return evolve(hand, players=(*players[:number], player, *players[number + 1 :]), **changes)


def _order(first: int, *, own: bool = True) -> tuple[int, ...]:
    """Seat numbers in turn order, from ``first`` on or from the seat after it."""
    return tuple((first + step) % 4 for step in range(0 if own else 1, 4))


def _active(hand: Hand, numbers: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(number for number in numbers if not hand.players[number].sitting_out)


def _on(game: Game, hand: Hand) -> Game:
    return evolve(game, hand=hand)


# --- deal, flowers, gold --------------------------------------------------------------------------------


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


def _deal(game: Game, event: ev.Deal) -> Game:
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
        for number in _order(dealer):
            dealt[number] += wall[front : front + 4]
            front += 4
    if game.ruleset.sets == 5:
        extra = wall[front]
        front += 1
    else:
        # The dealer takes the upper tiles of the first and the third stack, the others one each (YX 1.2).
        for step, number in enumerate(_order(dealer)):
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
    hand = evolve(hand, reserve=_reserve(game, hand))
    game = evolve(game, dealer=seat, deals=game.deals + 1, hand=hand)
    return _next_flowers(game, hand)


def _next_flowers(game: Game, hand: Hand) -> Game:
    """The next seat that replaces flowers in this round, or the next round, or the gold (XM 1.4)."""
    pending = _active(hand, hand.pending) or _active(
        hand, tuple(number for number in _order(hand.dealer) if hand.players[number].loose)
    )
    if pending:
        return _on(game, evolve(hand, pending=pending, turn=pending[0]))
    if game.ruleset.gold_is_white:
        return _open(game, evolve(hand, gold=WHITE))
    return _on(game, evolve(hand, phase=FLIP, turn=hand.dealer))


def _replace_flowers(game: Game, event: ev.ReplaceFlowers) -> Game:
    """補花: as dealt in rounds, in play at once, always from the tail."""
    hand = _hand(game)
    number = _number(game, hand, event.seat)
    player = hand.players[number]
    if hand.phase == TURN and number == hand.turn and player.loose:
        if hand.drawable == 0:
            return _drawn_game(game, hand)
        flowers = tuple(sorted((*player.flowers, *player.loose)))
        hand = _with(hand, number, evolve(player, flowers=flowers, loose=()))
        hand = evolve(hand, reserve=_reserve(game, hand))
        if hand.drawable == 0:
            return _drawn_game(game, hand)
        return _take(game, hand, number, from_tail=True)
    _expect(game, hand, FLOWERS)
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
    hand = _with(hand, number, player, back=hand.back - count, pending=hand.pending[1:])
    return _next_flowers(game, evolve(hand, reserve=_reserve(game, hand)))


def _flip_gold(game: Game, event: ev.FlipGold) -> Game:
    """開金: a flower is put back and the dice are thrown again."""
    hand = _hand(game)
    _expect(game, hand, FLIP)
    if not all(1 <= number <= 6 for number in event.dice):
        raise refused("bad_dice", game.rules)
    total = sum(event.dice)
    # Counted from the last tile of the wall: every tile (XM 1.5), the upper layer only (YX 1.3), or the stack
    # that the larger die names (JH 1.2).
    from_end = {"yunxiao": 2 * total - 1, "jinhua": 2 * max(event.dice) - 1}.get(game.rules, total)
    place = hand.back - from_end
    kind = hand.wall[place]
    if kind >= PLAYABLE:
        return _on(game, evolve(hand, turned=(*hand.turned, kind)))
    wall = (*hand.wall[:place], *hand.wall[place + 1 :])
    return _open(game, evolve(hand, wall=wall, back=hand.back - 1, gold=kind))


def _reserve(game: Game, hand: Hand) -> int:
    """Tiles that stay in the wall (XM 1.9, ZZ 1.8, YX 1.7)."""
    house: Any = game.house
    reserve = int(house.dead_wall)
    mode = getattr(house, "dead_wall_increase", "off")
    if mode != "off":
        points = [_points(game, hand, number) for number in range(4)]
        stacks = sum(points) if mode == "per_point" else sum(1 for one in points if one)
        reserve += _TILES_PER_STACK * stacks
    mode = getattr(house, "dead_wall_kong", "off")
    if mode != "off" and hand.kongs:
        reserve += 2 * _TILES_PER_STACK * (1 if mode == "once" else hand.kongs)
    return reserve


def _points(game: Game, hand: Hand, number: int) -> int:
    """Flower and kong points of a seat (ZZ 4.2)."""
    house: Any = game.house
    player = hand.players[number]
    points: int = max(0, len(player.flowers) - house.free_flowers)
    return points + sum(2 if meld.kind == CONCEALED_KONG else 1 for meld in player.melds if meld.is_kong)


# --- wins as dealt --------------------------------------------------------------------------------------


def _open(game: Game, hand: Hand) -> Game:
    """After the gold lies open: who may win as dealt, in order (XM 3.3)."""
    dealer = hand.dealer
    player = hand.players[dealer]
    # The dealer's last tile counts as drawn, so that 3n + 2 tiles have the form of a turn.
    extra = hand.extra
    if extra is None or extra >= PLAYABLE:
        extra = shapes.distinct(player.tiles)[-1]
    player = evolve(player, tiles=player.tiles - shapes.UNIT[extra], drawn=extra)
    hand = _with(hand, dealer, player, extra=extra, phase=OPENING, turn=dealer)
    asked: list[Asked] = []
    timing = getattr(game.house, "qiangjin_timing", None)
    for who, by in _OPENING_ORDER[game.rules]:
        if (who, by) == (_OTHERS, GOLD_GRAB) and timing == "first_turn":
            continue
        for number in _order(dealer):
            if (number == dealer and who == _OTHERS) or (number != dealer and who == _DEALER):
                continue
            if any(earlier.seat == number and by in earlier.wins for earlier in asked):
                continue
            ways = (by, THREE_GOLDS) if game.rules == "xiamen" and by == DEALT else (by,)
            if dealt_wins(game, hand, number, by):
                asked.append(Asked(number, wins=tuple(way for way in ways if dealt_wins(game, hand, number, way))))
    return _next_opening(game, evolve(hand, asked=tuple(asked)))


def _next_opening(game: Game, hand: Hand) -> Game:
    """The next seat that may win as dealt, or the dealer's first turn."""
    asked = tuple(one for one in hand.asked if not hand.players[one.seat].sitting_out)
    if asked:
        return _on(game, evolve(hand, asked=asked, turn=asked[0].seat))
    hand = evolve(hand, asked=(), phase=TURN, turn=hand.dealer, source=BY_DEAL)
    if hand.players[hand.dealer].sitting_out:
        return _to_draw(game, hand, (hand.dealer + 1) % 4)
    return _on(game, hand)


def dealt_wins(game: Game, hand: Hand, number: int, by: str) -> list[tuple[int | None, HandRecord]]:
    """The wins as dealt of one kind open to a seat: the tile put aside by a dealer, and the record."""
    record = record_of(game, hand, number)
    candidates: list[tuple[int | None, HandRecord]]
    if by == THREE_GOLDS:
        candidates = [(None, replace(record, win=Win(THREE_GOLDS, opening=True)))]
    elif by == DEALT:
        every = tuple(sorted((*record.hand, record.drawn or 0)))
        candidates = [(None, replace(record, hand=every, drawn=None, win=Win(DEALT)))]
    else:
        candidates = list(_gold_grabs(hand, number, record))
    return [
        (removed, candidate)
        for removed, candidate in candidates
        if isinstance(game.ruleset.settle(candidate), Settlement)
    ]


def _gold_grabs(hand: Hand, number: int, record: HandRecord) -> Iterator[tuple[int | None, HandRecord]]:
    """搶金: a dealer first puts one tile aside (ZZ 3)."""
    win = Win(GOLD_GRAB)
    if record.drawn is None:
        yield None, replace(record, win=win)
        return
    held = hand.players[number].held
    for removed in shapes.distinct(held):
        if removed != hand.gold:
            rest = tuple(shapes.unpack(held - shapes.UNIT[removed]))
            yield removed, replace(record, hand=rest, drawn=None, win=win)


# --- drawing --------------------------------------------------------------------------------------------


def _to_draw(game: Game, hand: Hand, number: int) -> Game:
    """The turn passes to the next seat that takes part; the hand is drawn if nothing may be drawn any more."""
    order = _active(hand, _order(number))
    if not order or hand.drawable == 0:
        return _drawn_game(game, hand)
    return _on(
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


def _draw(game: Game, event: ev.Draw) -> Game:
    """摸牌."""
    hand = _hand(game)
    number = _in_turn(game, hand, event.seat, DRAWING)
    player = hand.players[number]
    if player.passed or player.only_self_draw:
        hand = _with(hand, number, evolve(player, passed=(), only_self_draw=False))
    if hand.wild_discarder == number and getattr(game.house, "wild_discard_ban", "") == "one_circle":
        hand = evolve(hand, wild_discarder=None)
    hand = evolve(hand, source=BY_KONG if hand.replacing else BY_DRAW)
    return _take(game, hand, number, from_tail=hand.replacing)


def _take(game: Game, hand: Hand, number: int, *, from_tail: bool) -> Game:
    """One tile into the hand of the seat in turn, and what it may do then."""
    house: Any = game.house
    window = _LAST_HAND if game.rules == "zhangzhou" else getattr(house, "haidi_window", 0)
    tile = hand.wall[hand.back - 1] if from_tail else hand.wall[hand.front]
    changes = {"back": hand.back - 1} if from_tail else {"front": hand.front + 1}
    changes["late"] = hand.drawable <= window
    player = hand.players[number]
    last = hand.youjin_seat is not None and hand.youjin_seat != number and _procedure(game, hand) != "normal"
    if tile >= PLAYABLE:
        hand = _with(hand, number, evolve(player, loose=(*player.loose, tile)), phase=TURN, **changes)
        # XM 2.12: a flower as last tile is not replaced and nothing is discarded.
        return _next_last(game, hand) if last else _on(game, hand)
    hand = _with(hand, number, evolve(player, drawn=tile), phase=TURN, replacing=False, **changes)
    if last:
        if own_wins(game, hand):
            return _on(game, evolve(hand, phase=LAST_DRAW))
        return _next_last(game, hand)
    if game.rules == "yunxiao" and _must_win(game, hand):
        hand = evolve(hand, must_win=True)
        if not own_wins(game, hand):
            return _drawn_game(game, hand)
    return _on(game, hand)


def _must_win(game: Game, hand: Hand) -> bool:
    """YX 1.7, 1.8: the last drawable tile, and the replacement of the third kong."""
    house: Any = game.house
    third = house.third_kong_draw and hand.kongs >= 3 and hand.source == BY_KONG
    return third or hand.drawable == 0


# --- own turn: wins -------------------------------------------------------------------------------------


def own_wins(game: Game, hand: Hand, record: HandRecord | None = None) -> dict[str, HandRecord]:
    """The wins open to the seat in turn, by ``win.by``; each record settles.

    Args:
        game: the game.
        hand: its hand.
        record: the record of the seat in turn, where it is known already.
    """
    number = hand.turn
    player = hand.players[number]
    drawn = player.drawn
    if drawn is None or hand.source == BY_CLAIM:
        return {}
    ways: tuple[str, ...] = (SELF_DRAW, THREE_GOLDS)
    if hand.source == BY_DEAL:
        ways = _DEALT_TURN_WINS.get(game.rules, ())
    rules = game.ruleset
    found: dict[str, HandRecord] = {}
    for by in ways:
        if by not in rules.win_ways:
            continue
        if by == THREE_GOLDS and (hand.gold is None or shapes.count(player.held, hand.gold) < 3):
            continue
        record = record or record_of(game, hand, number)
        if by == THREE_GOLDS:
            candidate = replace(record, win=Win(THREE_GOLDS))
        else:
            win = Win(
                SELF_DRAW,
                drawn,
                last_tile=hand.late,
                first_round=_first_round(game, hand, number),
                kong=hand.kong_win if hand.source == BY_KONG else None,
            )
            candidate = replace(record, drawn=None, win=win)
            if not record.youjin and not rules.complete(rules.concealed(record).add(drawn), record):
                continue
        if isinstance(rules.settle(candidate), Settlement):
            found[by] = candidate
    return found


def _first_round(game: Game, hand: Hand, number: int) -> bool:
    """人胡 (JH 3.1): the own first draw, no claim before; or the first round whatever happened."""
    if hand.players[number].discards or game.rules != "jinhua":
        return False
    house: Any = game.house
    return house.renhu_window == "first_round" or (not hand.claimed and hand.source == BY_DRAW)


def turn_start_wins(game: Game, hand: Hand) -> dict[str, HandRecord]:
    """Wins a seat may declare instead of drawing: Yunxiao's 游金, and 搶金 at the first turn (YX 3.1)."""
    number = hand.turn
    player = hand.players[number]
    rules = game.ruleset
    found: dict[str, HandRecord] = {}
    if hand.replacing or player.drawn is not None:
        return found
    if YOUJIN_DECLARED in rules.win_ways and hand.gold is not None and shapes.count(player.tiles, hand.gold):
        record = record_of(game, hand, number)
        candidate = replace(record, youjin=max(1, player.youjin), win=Win(YOUJIN_DECLARED))
        if isinstance(rules.settle(candidate), Settlement):
            found[YOUJIN_DECLARED] = candidate
    if _may_grab_at_turn(game, hand, number):
        candidate = replace(record_of(game, hand, number), win=Win(GOLD_GRAB))
        if isinstance(rules.settle(candidate), Settlement):
            found[GOLD_GRAB] = candidate
    return found


def _may_grab_at_turn(game: Game, hand: Hand, number: int) -> bool:
    """搶金 at a non-dealer's own first turn, as long as nobody has claimed (YX 3.1, ``qiangjin_timing``)."""
    if game.rules != "yunxiao" and getattr(game.house, "qiangjin_timing", None) != "first_turn":
        return False
    player = hand.players[number]
    untouched = not player.discards and not player.melds and not hand.claimed and number != hand.dealer
    return untouched and all(other.youjin < 2 for other in hand.players)


def _declare_win(game: Game, event: ev.DeclareWin) -> Game:
    """胡: in whatever phase it is possible."""
    hand = _hand(game)
    number = _number(game, hand, event.seat)
    if hand.phase == OPENING:
        return _declare_opening(game, hand, number, event)
    if hand.phase in (CLAIMING, ROBBING):
        return _answer(game, hand, number, event)
    if event.by == DISCARD:
        _explain_late_claim(game, hand, number, event)
    _expect(game, hand, DRAWING, TURN, LAST_DRAW)
    if number != hand.turn:
        raise refused("not_your_turn", game.rules, seat=event.seat)
    wins = turn_start_wins(game, hand) if hand.phase == DRAWING else own_wins(game, hand)
    record = wins.get(event.by)
    if record is None:
        raise _why_no_win(game, hand, number, event.by)
    return _won(game, hand, number, record)


def _why_no_win(game: Game, hand: Hand, number: int, by: str) -> Refused:
    """The reason a win at the own turn is not open: the rule set's, where the moment is right."""
    player = hand.players[number]
    drawn = hand.phase in (TURN, LAST_DRAW) and hand.source != BY_CLAIM and player.drawn is not None
    if drawn and by in (SELF_DRAW, THREE_GOLDS) and hand.source != BY_DEAL:
        record = record_of(game, hand, number)
        tile = record.drawn if by == SELF_DRAW else None
        refusal = game.ruleset.settle(
            replace(record, drawn=None if tile is not None else record.drawn, win=Win(by, tile))
        )
        if isinstance(refusal, Refusal):
            return by_rule(refusal, game.rules)
    return refused("no_such_win_now", game.rules)


def _declare_opening(game: Game, hand: Hand, number: int, event: ev.DeclareWin) -> Game:
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
    return _won(game, evolve(hand, aside=removed), number, record)


# --- own turn: discards ---------------------------------------------------------------------------------


def _discard(game: Game, event: ev.Discard) -> Game:
    """打牌."""
    hand = _hand(game)
    number = _in_turn(game, hand, event.seat, TURN)
    move = legal_discard(game, hand, event.tile)
    if isinstance(move, Refused):
        raise move
    player = hand.players[number]
    rules = game.ruleset
    opened = opens_gold(move, hand)
    house: Any = game.house
    mode = getattr(house, "gold_discard", "refuse") if event.tile == hand.gold and not opened else "refuse"
    player = evolve(
        player,
        tiles=player.held - shapes.UNIT[event.tile],
        drawn=None,
        youjin=move.youjin,
        discards=(*player.discards, event.tile),
        passed=(Offer(event.tile, SEATS[number]),),
        sitting_out=mode == "xianggong",
        only_self_draw=mode == "lock_one_round",
    )
    wild = hand.wild_discarder
    if event.tile == hand.gold:
        wild = number
    elif wild == number and getattr(house, "wild_discard_ban", "") == "until_next_discard":
        wild = None
    hand = _with(
        hand,
        number,
        player,
        discards=(*hand.discards, event.tile),
        thrown_by=number,
        river=(*hand.river, event.tile),
        wild_discarder=wild,
        banned=frozenset(),
        turn_pongs=frozenset(),
        kong_win=None,
    )
    game, hand = _follow(game, hand, number)
    if opened and hasattr(house, "shuangyou_mode") and rules.youjin_states:
        return _begin_procedure(game, evolve(hand, youjin_seat=number))
    return _offer(game, hand, event.tile)


def legal_discard(game: Game, hand: Hand, tile: int) -> youjin.Move | Refused:
    """What discarding a tile does, or why the seat in turn may not."""
    return _refuse_discards(game, hand) or _Discards(game, hand, record_of(game, hand, hand.turn)).judge(tile)


def legal_discards(game: Game, hand: Hand, record: HandRecord) -> list[int]:
    """The physical kinds the seat in turn may discard; ``record`` is its own."""
    if _refuse_discards(game, hand) is not None:
        return []
    discards = _Discards(game, hand, record)
    return [kind for kind in shapes.distinct(hand.players[hand.turn].held) if discards.allows(kind)]


def _refuse_discards(game: Game, hand: Hand) -> Refused | None:
    """Why nothing at all may be discarded at this moment."""
    if hand.players[hand.turn].loose:
        return refused("flowers_first", game.rules)
    if hand.must_win:
        return refused("win_or_draw", game.rules)
    return refused("must_win_last", game.rules) if forced_win(game, hand) else None


class _Discards:
    """The discards of the seat in turn, judged one by one."""

    def __init__(self, game: Game, hand: Hand, record: HandRecord) -> None:
        self.game = game
        self.hand = hand
        self.record = record
        self.held = hand.players[hand.turn].held
        rules = game.ruleset
        self.packed = shapes.Concealed.from_packed(self.held, hand.gold, rules.sets - len(record.melds))
        self.forced = rules.forced_discards(record)

    def move(self, tile: int) -> youjin.Move:
        """What discarding a tile that is held does."""
        return youjin.discard(self.game.ruleset, self.record, self.packed, tile)

    def allows(self, tile: int) -> bool:
        """Whether a tile that is held may be discarded."""
        move = self.move(tile)
        if tile in self.hand.banned or (move.refusal is not None and move.refusal.code != _OFFENCE):
            return False
        if opens_gold(move, self.hand):
            return True
        return self.hand.youjin_seat != self.hand.turn and (self.forced is None or tile in self.forced)

    def judge(self, tile: int) -> youjin.Move | Refused:
        """What discarding a tile does, or why it may not be discarded."""
        hand, rules = self.hand, self.game.rules
        if tile >= PLAYABLE or not shapes.count(self.held, tile):
            return refused("tile_not_held", rules, seat=SEATS[hand.turn], tile=NAMES[tile])
        move = self.move(tile)
        if self.allows(tile):
            return move
        if tile in hand.banned:
            return refused("chowed_tile", rules, tile=NAMES[tile])
        if hand.youjin_seat == hand.turn:
            return refused("shuangyou_win", rules)
        if move.refusal is not None and move.refusal.code != _OFFENCE:
            return by_rule(move.refusal, rules)
        return by_rule(options.must_follow(self.forced or frozenset()), rules)


def opens_gold(move: youjin.Move, hand: Hand) -> bool:
    """Whether a discard is a gold that opens 雙游, 三游 or 財飄."""
    return move.kind == hand.gold and move.state in (youjin.DOUBLE_YOUJIN, youjin.TRIPLE_YOUJIN)


def forced_win(game: Game, hand: Hand) -> bool:
    """ZZ 1.9: one of the last four drawable tiles that completes the hand wins by itself."""
    if game.rules != "zhangzhou" or not hand.late or hand.source not in (BY_DRAW, BY_KONG):
        return False
    return bool(own_wins(game, hand))


def _follow(game: Game, hand: Hand, number: int) -> tuple[Game, Hand]:
    """分餅 (ZZ 2.7): whether this discard keeps or completes a round of followed discards."""
    house: Any = game.house
    if not getattr(house, "fenbing", False) or hand.follow_ended:
        return game, hand
    current = hand.followed
    dealt = hand.players[hand.dealer].discards
    if hand.claimed and house.fenbing_broken_by_claim:
        return game, evolve(hand, follow_ended=True)
    if number == hand.dealer:
        return game, hand if len(dealt) == current + 1 else evolve(hand, follow_ended=True)
    own = hand.players[number].discards
    if len(own) != current + 1 or len(dealt) <= current or own[current] != dealt[current]:
        return game, evolve(hand, follow_ended=True)
    if any(len(hand.players[other].discards) <= current for other in _order(hand.dealer, own=False)):
        return game, hand
    before = _follow_payments(game, current)
    now = _follow_payments(game, current + 1)
    points = tuple(point + now[seat] - before[seat] for point, seat in zip(game.points, SEATS, strict=True))
    return evolve(game, points=points), evolve(hand, followed=current + 1)


def _follow_payments(game: Game, count: int) -> dict[str, int]:
    """What 分餅 has moved after so many followed discards."""
    event = EventRecord(game.rules, game.house, FOLLOW, dealer=game.dealer or "A", count=count)
    return game.ruleset.event(event).payments


# --- claims ---------------------------------------------------------------------------------------------


def _offer(game: Game, hand: Hand, tile: int) -> Game:
    """Who may claim the discard of the seat in turn; the next turn if nobody may."""
    hand = evolve(hand, offered=tile)
    asked = [
        one
        for number in _active(hand, _order(hand.turn, own=False))
        if (one := _claims_of(game, hand, number, tile)) is not None
    ]
    if not asked:
        return _to_draw(game, hand, (hand.turn + 1) % 4)
    return _on(game, evolve(hand, phase=CLAIMING, asked=tuple(asked)))


def _claims_of(game: Game, hand: Hand, number: int, tile: int) -> Asked | None:
    """What a seat may do with a discard, or ``None``; the tiles are looked at before the rules are asked."""
    player = hand.players[number]
    gold = hand.gold
    if tile == gold or hand.youjin_seat == number:
        return None
    rules = game.ruleset
    next_seat = number == (hand.turn + 1) % 4
    wants = shapes.count(player.tiles, tile) >= 2 or (next_seat and _may_chow(player.tiles, tile, gold))
    if not wants:
        if DISCARD not in rules.win_ways:
            return None
        record = record_of(game, hand, number)
        packed = shapes.Concealed.from_packed(player.tiles, gold, rules.sets - len(player.melds)).add(tile)
        if not rules.complete(packed, record):
            return None
    else:
        record = record_of(game, hand, number)
    answer = claims_module.claims(rules, replace(record, offered=Offer(tile, SEATS[hand.turn])))
    wins = (DISCARD,) if answer["win"]["legal"] and not player.only_self_draw else ()
    kong = bool(answer["kong"]["legal"]) and hand.drawable > 0
    pong = bool(answer["pong"]["legal"])
    chows = tuple(
        (
            parse_tiles(chow["with"]),
            frozenset(kind for code in chow["may_not_discard"] for kind in parse_tiles(code)),
        )
        for chow in answer["chow"]
        if chow["legal"]
    )
    if not (wins or kong or pong or chows):
        return None
    return Asked(number, wins, kong, pong, chows)


def _may_chow(tiles: int, tile: int, gold: int | None) -> bool:
    """Whether two tiles of a hand could make a run with a third; a quick look before the rules are asked."""
    face = shapes.face(tile, gold)
    if face >= 27:
        return False
    rank = face % 9
    near = [
        0 <= rank + step <= 8
        and (other := shapes.tile_for(face + step, gold)) is not None
        and shapes.count(tiles, other) > 0
        for step in (-2, -1, 1, 2)
    ]
    return (near[0] and near[1]) or (near[1] and near[2]) or (near[2] and near[3])


def _claim(game: Game, event: ev.Claim) -> Game:
    """吃, 碰, 槓 of a discard."""
    hand = _hand(game)
    number = _number(game, hand, event.seat)
    _explain_late_claim(game, hand, number, event)
    _expect(game, hand, CLAIMING, ROBBING)
    return _answer(game, hand, number, event)


def _explain_late_claim(game: Game, hand: Hand, number: int, event: ev.Claim | ev.DeclareWin) -> None:
    """The rule by which the last discard could not be claimed, while it still is the last thing that happened.

    Raises:
        Refused: always, if a discard lies there that nobody could claim, or that everybody has let go.
    """
    if hand.phase == DRAWING and not hand.replacing and hand.thrown_by is not None and hand.discards:
        window = evolve(hand, offered=hand.discards[-1], turn=hand.thrown_by, phase=CLAIMING, asked=())
        raise _why_no_claim(game, window, number, event)


def _answer(game: Game, hand: Hand, number: int, event: ev.Claim | ev.DeclareWin) -> Game:
    """A seat that is asked claims; the claim is carried out once nobody can outrank it."""
    one = next((one for one in hand.asked if one.seat == number), None)
    if one is not None and one.answer is not None:
        raise refused("answered", game.rules, seat=event.seat)
    rank = 0 if one is None else _rank(one, event)
    if one is None or not rank:
        raise _why_no_claim(game, hand, number, event)
    asked = tuple(replace(other, answer=(rank, event)) if other.seat == number else other for other in hand.asked)
    return _decide(game, evolve(hand, asked=asked))


def _rank(one: Asked, event: ev.Claim | ev.DeclareWin) -> int:
    """Rank of a claim that is open to a seat; 0 if it is not."""
    if isinstance(event, ev.DeclareWin):
        return 3 if event.by in one.wins else 0
    if event.kind == CHOW:
        return 1 if any(event.using == using for using, _ in one.chows) else 0
    return 2 if (one.kong if event.kind == KONG else one.pong) else 0


def _why_no_claim(game: Game, hand: Hand, number: int, event: ev.Claim | ev.DeclareWin) -> Refused:
    """The reason `engine.claims` or the rule set gives."""
    if hand.offered is None or number == hand.turn:
        return refused("not_asked", game.rules, seat=event.seat)
    if hand.youjin_seat is not None and isinstance(event, ev.DeclareWin):
        return refused("during_double_youjin", game.rules)
    record = record_of(game, hand, number)
    if isinstance(event, ev.DeclareWin):
        if hand.players[number].only_self_draw and event.by == DISCARD:
            return refused("lock_one_round", game.rules, seat=event.seat)
        expected = ROB_KONG if hand.phase == ROBBING else DISCARD
        if event.by == expected == ROB_KONG:
            refusal = _rob(game, hand, number)
            if isinstance(refusal, Refusal):
                return by_rule(refusal, game.rules)
        if event.by != expected:
            return refused("no_such_win_now", game.rules)
    if hand.phase == ROBBING:
        return refused("no_such_claim", game.rules, seat=event.seat)
    answer = claims_module.claims(game.ruleset, replace(record, offered=Offer(hand.offered, SEATS[hand.turn])))
    if isinstance(event, ev.DeclareWin):
        found = answer["win"]
    elif event.kind == CHOW:
        found = next((chow for chow in answer["chow"] if parse_tiles(chow["with"]) == event.using), {})
    else:
        found = answer[event.kind]
    why = found.get("why")
    if why is None:
        if isinstance(event, ev.Claim) and event.kind == KONG and hand.drawable == 0:
            return refused("no_replacement", game.rules)
        return refused("no_such_claim", game.rules, seat=event.seat)
    return Refused(why["code"], paragraph(why["code"], game.rules), Text(why["zh"], why["zh_hant"], why["en"]))


def _decide(game: Game, hand: Hand) -> Game:
    """Carries out the best claim as soon as no seat that has not answered could outrank it (XM 2.2)."""
    best: Asked | None = None
    for one in hand.asked:
        if one.answer is not None and (best is None or one.answer[0] > best.answer[0]):
            best = one
    for one in hand.asked:
        if one.answer is None:
            if best is None:
                return _on(game, hand)
            nearer = hand.asked.index(one) < hand.asked.index(best)
            if one.best > best.answer[0] or (one.best == best.answer[0] and nearer):
                return _on(game, hand)
    if best is None:
        return _nobody(game, hand)
    event = best.answer[1]
    if isinstance(event, ev.DeclareWin):
        return _win_on_offer(game, hand, best.seat, event.by)
    return _carry_out(game, hand, best, event)


def _nobody(game: Game, hand: Hand) -> Game:
    """Everybody has let the tile go."""
    if hand.phase == ROBBING:
        return _complete_kong(game, evolve(hand, asked=()))
    return _to_draw(game, hand, (hand.turn + 1) % 4)


def _win_on_offer(game: Game, hand: Hand, number: int, by: str) -> Game:
    """點炮 or 搶槓."""
    if by == ROB_KONG:
        record = _rob_record(game, hand, number)
    else:
        record = record_of(game, hand, number)
        late = game.rules == "zhangzhou" and hand.drawable <= _LAST_HAND
        first = hand.turn == hand.dealer and len(hand.discards) == 1
        win = Win(DISCARD, hand.offered, SEATS[hand.turn], first_discard=first, last_tile=late)
        record = replace(record, win=win)
    return _won(game, hand, number, record)


def _carry_out(game: Game, hand: Hand, one: Asked, event: ev.Claim) -> Game:
    """The tile and those of the hand become a meld; its owner discards, or replaces his kong."""
    number, tile = one.seat, hand.offered
    player = hand.players[number]
    if tile is None:  # pragma: no cover  # a window always has its tile
        raise AssertionError(hand)
    banned: frozenset[int] = frozenset()
    if event.kind == CHOW:
        using = event.using
        banned = next(barred for tiles, barred in one.chows if tiles == using)
    else:
        using = (tile,) * (3 if event.kind == KONG else 2)
    meld = Meld(event.kind, tuple(sorted((*using, tile))), SEATS[hand.turn])
    player = evolve(
        player,
        tiles=player.tiles - shapes.pack(using),
        melds=(*player.melds, meld),
        passed=(),
        only_self_draw=False,
    )
    player = evolve(player, youjin=_kept_youjin(game, hand, number, player) if event.kind == KONG else 0)
    hand = _with(
        hand,
        number,
        player,
        river=hand.river[:-1],
        claimed=True,
        asked=(),
        offered=None,
        turn=number,
        source=BY_CLAIM,
        phase=TURN,
        late=False,
        kong_win=None,
        banned=banned,
        turn_pongs=frozenset({tile}) if event.kind == PONG else frozenset(),
    )
    if event.kind == KONG:
        return _after_kong(game, evolve(hand, kong_kind=KONG))
    return _on(game, hand)


def _kept_youjin(game: Game, hand: Hand, number: int, player: Player) -> int:
    """The 游金 state after a kong: kept as long as the tiles still have the shape (RULES 7.2)."""
    if not player.youjin:
        return 0
    rules = game.ruleset
    packed = shapes.Concealed.from_packed(player.tiles, hand.gold, rules.sets - len(player.melds))
    record = replace(record_of(game, hand, number), melds=player.melds)
    return player.youjin if rules.in_youjin_shape(packed, record) else 0


# --- kongs ----------------------------------------------------------------------------------------------


def own_kongs(game: Game, hand: Hand, number: int, record: HandRecord | None = None) -> list[ev.DeclareKong]:
    """Kongs a seat may declare from its own tiles (RULES 7.4.6), the wall aside."""
    player = hand.players[number]
    found = []
    for code in options.kongs(record or record_of(game, hand, number)):
        kind = parse_tiles(code)[0]
        found.append(ev.DeclareKong(SEATS[number], kind))
        if game.rules == "yunxiao" and shapes.count(player.held, kind) == 4:
            found.append(ev.DeclareKong(SEATS[number], kind, exposed=True))
    return found


def refuse_kongs(game: Game, hand: Hand) -> Refused | None:
    """Why no kong at all may be declared at this moment."""
    if hand.players[hand.turn].loose:
        return refused("flowers_first", game.rules)
    if hand.drawable == 0:
        return refused("no_replacement", game.rules)
    if hand.must_win:
        return refused("win_or_draw", game.rules)
    if hand.youjin_seat is not None and hand.phase != LAST_KONG:
        return refused("shuangyou_no_kong", game.rules)
    if hand.source == BY_CLAIM and hand.phase == TURN and not getattr(game.house, "kong_after_claim", True):
        return refused("no_kong_after_claim", game.rules)
    if forced_win(game, hand):
        return refused("must_win_last", game.rules)
    return None


def _declare_kong(game: Game, event: ev.DeclareKong) -> Game:
    """暗槓, 補槓, and Yunxiao's exposed kong of the own four tiles."""
    hand = _hand(game)
    number = _in_turn(game, hand, event.seat, TURN, LAST_KONG)
    refusal = refuse_kongs(game, hand)
    if refusal is not None:
        raise refusal
    if event not in own_kongs(game, hand, number):
        if event.exposed and game.rules != "yunxiao":
            raise refused("no_exposed_kong", game.rules)
        raise refused("no_kong", game.rules, seat=event.seat, tile=NAMES[event.tile])
    player = hand.players[number]
    four = shapes.count(player.held, event.tile) == 4
    kind = (KONG if event.exposed else CONCEALED_KONG) if four else ADDED_KONG
    # The tile that may be robbed lies open; the others stay with their owner until nobody robs.
    taken = 0 if kind == CONCEALED_KONG else shapes.UNIT[event.tile]
    player = evolve(player, tiles=player.held - taken, drawn=None)
    hand = _with(hand, number, player, offered=event.tile, kong_kind=kind)
    asked: list[Asked] = []
    if _may_be_robbed(game, hand, kind, event.tile):
        asked = [
            Asked(other, wins=(ROB_KONG,))
            for other in _active(hand, _order(number, own=False))
            if isinstance(_rob(game, hand, other), Settlement)
        ]
    if asked:
        return _on(game, evolve(hand, phase=ROBBING, asked=tuple(asked)))
    return _complete_kong(game, hand)


def _may_be_robbed(game: Game, hand: Hand, kind: str, tile: int) -> bool:
    """Which kongs can be robbed: never concealed ones; Xiamen: not one of this very turn (XM 2.10)."""
    if kind == CONCEALED_KONG or ROB_KONG not in game.ruleset.win_ways or hand.youjin_seat is not None:
        return False
    if any(player.youjin >= 2 for player in hand.players):
        return False
    return not (game.rules == "xiamen" and tile in hand.turn_pongs)


def _rob_record(game: Game, hand: Hand, number: int) -> HandRecord:
    late = game.rules == "zhangzhou" and hand.drawable <= _LAST_HAND
    win = Win(ROB_KONG, hand.offered, SEATS[hand.turn], last_tile=late)
    return replace(record_of(game, hand, number), win=win)


def _rob(game: Game, hand: Hand, number: int) -> Settlement | Refusal:
    """What robbing the kong pays a seat, or why it may not."""
    return game.ruleset.settle(_rob_record(game, hand, number))


def _complete_kong(game: Game, hand: Hand) -> Game:
    """Nobody robs: the four tiles become a meld."""
    number, tile, kind = hand.turn, hand.offered, hand.kong_kind
    if tile is None or kind is None:  # pragma: no cover  # only called with a kong on the table
        raise AssertionError(hand)
    player = hand.players[number]
    if kind == ADDED_KONG:
        melds = tuple(
            Meld(ADDED_KONG, (tile,) * 4, meld.source) if meld.kind == PONG and meld.tiles[0] == tile else meld
            for meld in player.melds
        )
        tiles = player.tiles
    else:
        melds = (*player.melds, Meld(kind, (tile,) * 4))
        tiles = player.tiles - (3 if kind == KONG else 4) * shapes.UNIT[tile]
    player = evolve(player, tiles=tiles, melds=melds)
    player = evolve(player, youjin=_kept_youjin(game, hand, number, player))
    return _after_kong(game, _with(hand, number, player, offered=None))


def _after_kong(game: Game, hand: Hand) -> Game:
    """The replacement is drawn from the tail, if the wall still has one to give."""
    concealed = hand.kong_kind == CONCEALED_KONG
    hand = evolve(
        hand,
        kongs=hand.kongs + 1,
        kong_kind=None,
        offered=None,
        asked=(),
        phase=DRAWING,
        replacing=True,
        kong_win="concealed" if concealed else "exposed",
    )
    hand = evolve(hand, reserve=_reserve(game, hand))
    return _drawn_game(game, hand) if hand.drawable == 0 else _on(game, hand)


# --- 雙游 and 三游 --------------------------------------------------------------------------------------


def _procedure(game: Game, hand: Hand) -> str:
    """How the others go on while a gold lies discarded for 雙游 or 三游; ``normal`` where they just play on."""
    if hand.youjin_seat is None:
        return "normal"
    house: Any = game.house
    if hand.players[hand.youjin_seat].youjin >= 3:
        return str(house.sanyou_mode)
    mode = str(house.shuangyou_mode)
    return mode if mode == "one_draw" else "normal"


def _begin_procedure(game: Game, hand: Hand) -> Game:
    """XM 2.12, ZZ 2.5, 2.6: what happens after a gold has been discarded for 雙游 or 三游."""
    number = hand.turn
    mode = _procedure(game, hand)
    if mode == "normal":
        return _to_draw(game, hand, (number + 1) % 4)
    return _next_last(game, evolve(hand, pending=_order(number)))


def _next_last(game: Game, hand: Hand) -> Game:
    """The next of the others to take his last tile, then the 雙游 player himself."""
    mode = _procedure(game, hand)
    hand = evolve(hand, pending=hand.pending[1:], replacing=False, kong_win=None)
    pending = _active(hand, hand.pending)
    hand = evolve(hand, pending=pending)
    winner = hand.youjin_seat
    if winner is None:  # pragma: no cover  # only called while somebody is in 雙游
        raise AssertionError(hand)
    triple = hand.players[winner].youjin >= 3
    if triple and (mode == "immediate" or not pending or hand.drawable == 0):
        # R 8: 三游 ends without a drawn tile.
        record = replace(record_of(game, hand, winner), win=Win(SELF_DRAW))
        return _won(game, evolve(hand, turn=winner), winner, record)
    if not pending:
        return _to_draw(game, hand, winner)
    if triple and mode == "kong_only":
        hand = evolve(hand, phase=LAST_KONG, turn=pending[0], source=BY_DRAW)
        return _on(game, hand) if own_kongs(game, hand, pending[0]) else _next_last(game, hand)
    if hand.drawable == 0:
        return _drawn_game(game, hand)
    return _on(game, evolve(hand, phase=DRAWING, turn=pending[0], offered=None, kong_kind=None))


# --- passing, offences ----------------------------------------------------------------------------------


def _pass(game: Game, event: ev.Pass) -> Game:
    """過: a seat that is asked lets it go."""
    hand = _hand(game)
    number = _number(game, hand, event.seat)
    if hand.phase == OPENING:
        if number != hand.asked[0].seat:
            raise refused("wait_for_higher", game.rules, seat=SEATS[hand.asked[0].seat])
        return _next_opening(game, evolve(hand, asked=hand.asked[1:]))
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
        return _decide(game, _with(hand, number, player, asked=asked))
    _expect(game, hand, LAST_DRAW, LAST_KONG, TURN)
    if number != hand.turn:
        raise refused("not_your_turn", game.rules, seat=event.seat)
    if hand.phase == TURN:
        if hand.must_win:
            return _drawn_game(game, hand)
        raise refused("not_now", game.rules, awaited=_AWAITED[TURN])
    if forced_win(game, hand):
        raise refused("must_win_last", game.rules)
    return _next_last(game, hand)


def _sit_out(game: Game, event: ev.SitOut) -> Game:
    """相公 (XM 2.13): no drawing, no claiming, pays like any other loser."""
    hand = _hand(game)
    number = _number(game, hand, event.seat)
    hand = _with(hand, number, evolve(hand.players[number], sitting_out=True, youjin=0))
    if not _active(hand, _order(number)):
        return _drawn_game(game, hand)
    if hand.phase == FLOWERS:
        return _next_flowers(game, hand)
    if hand.phase == FLIP:
        return _on(game, hand)
    if hand.youjin_seat == number:
        # His 雙游 is void; the game goes on with the seat whose turn it would be.
        hand = evolve(hand, youjin_seat=None, pending=())
        return _to_draw(game, hand, (hand.turn if hand.turn != number else number + 1) % 4)
    if hand.phase == OPENING:
        return _next_opening(game, hand)
    if hand.phase in (CLAIMING, ROBBING):
        hand = evolve(hand, asked=tuple(one for one in hand.asked if one.seat != number))
        if hand.phase == ROBBING and hand.turn == number and hand.offered is not None:
            # The kong is void: its tile goes back into the covered hand.
            player = hand.players[number]
            hand = _with(hand, number, evolve(player, tiles=player.tiles + shapes.UNIT[hand.offered]))
            return _to_draw(game, hand, (number + 1) % 4)
        return _decide(game, hand)
    if hand.turn != number:
        return _on(game, hand)
    if hand.pending:
        return _next_last(game, hand)
    return _to_draw(game, hand, (number + 1) % 4)


def _false_win(game: Game, event: ev.FalseWin) -> Game:
    """詐胡 and its re-judgement (XM 2.14, 2.15)."""
    hand = _hand(game)
    _number(game, hand, event.seat)
    players = []
    for number, player in enumerate(hand.players):
        if SEATS[number] == event.seat or player.sitting_out or not player.youjin:
            continue
        record = replace(record_of(game, hand, number), drawn=None, win=Win(SELF_DRAW))
        if isinstance(game.ruleset.settle(record), Settlement):
            players.append(record)
    fact = EventRecord(
        game.rules,
        game.house,
        FALSE_WIN,
        seat=event.seat,
        dealer=SEATS[hand.dealer],
        table=_table(game),
        youjin_players=tuple(players),
    )
    try:
        answer = game.ruleset.event(fact)
    except InputError as error:
        raise Refused(error.code, paragraph(error.code, game.rules), error.text) from error
    deal = answer.next or NextDeal(SEATS[hand.dealer], game.dealer_streak, game.draw_streak)
    result = Result(FALSE_WIN, None, None, answer.payments, answer.bonus, answer.lines, deal)
    return _end(game, hand, result)


# --- the end --------------------------------------------------------------------------------------------


def _table(game: Game) -> TableFacts:
    chips = None if game.chips is None else dict(zip(SEATS, game.chips, strict=True))
    return TableFacts(dealer_streak=game.dealer_streak, draw_streak=game.draw_streak, chips=chips)


def _won(game: Game, hand: Hand, number: int, record: HandRecord) -> Game:
    """A win: settled by the rule set, with what 分餅 adds to a last hand (ZZ 4.5)."""
    settlement = game.ruleset.settle(record)
    if isinstance(settlement, Refusal):
        raise by_rule(settlement, game.rules)
    payments, lines = settlement.payments, settlement.lines
    source = record.win.source if record.win is not None else None
    if source is not None and hand.followed > 0 and any(line.key == "last_hand" for line in lines):
        payments, lines = _give_back(game, hand, record.seat, source, settlement)
    deal = game.ruleset.next_deal(SEATS[hand.dealer], record.seat, record.table, record)
    by_gold = record.win is not None and record.win.by == GOLD_GRAB
    hand = evolve(hand, turn=number, gold_taken=by_gold)
    return _end(game, hand, Result(WIN, record, settlement, payments, settlement.bonus, lines, deal))


def _give_back(
    game: Game, hand: Hand, winner: str, source: str, settlement: Settlement
) -> tuple[dict[str, int], tuple[Line, ...]]:
    """ZZ 4.5: who pays the last hand for everybody also gives the dealer back what 分餅 paid the winner."""
    dealer = SEATS[hand.dealer]
    if dealer in (winner, source):
        return settlement.payments, settlement.lines
    amount = _follow_payments(game, hand.followed)[winner]
    payments = add(settlement.payments, {**zero(), source: -amount, dealer: amount})
    text = Text(
        "最后一手：{source} 把分饼付给赢家的 {amount} 还给庄家 {dealer}",
        "最後一手：{source} 把分餅付給贏家的 {amount} 還給莊家 {dealer}",
        "last hand: {source} gives the dealer {dealer} back the {amount} that 分餅 paid the winner",
    ).format(source=source, amount=amount, dealer=dealer)
    return payments, (*settlement.lines, Line("follow_given_back", text))


def _drawn_game(game: Game, hand: Hand) -> Game:
    """臭莊, 和局: nobody wins."""
    fact = EventRecord(game.rules, game.house, DRAW, dealer=SEATS[hand.dealer], table=_table(game))
    answer = game.ruleset.event(fact)
    deal = answer.next or NextDeal(SEATS[hand.dealer])
    return _end(game, hand, Result(DRAW, None, None, answer.payments, answer.bonus, answer.lines, deal))


def _end(game: Game, hand: Hand, result: Result) -> Game:
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


_HANDLERS: Final[dict[type, Callable[[Game, Any], Game]]] = {
    ev.Deal: _deal,
    ev.ReplaceFlowers: _replace_flowers,
    ev.FlipGold: _flip_gold,
    ev.Draw: _draw,
    ev.Discard: _discard,
    ev.Claim: _claim,
    ev.DeclareKong: _declare_kong,
    ev.DeclareWin: _declare_win,
    ev.Pass: _pass,
    ev.FalseWin: _false_win,
    ev.SitOut: _sit_out,
    ev.NewCourse: _new_course,
}
