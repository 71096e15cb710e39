"""Which wins and kongs are open to a seat at its own turn, as dealt, and on a kong of another; all settled by the rule set."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from engine import options, shapes
from engine.errors import Refusal
from engine.game import events as ev
from engine.game.refusals import Refused, by_rule, refused
from engine.game.state import (
    BY_CLAIM,
    BY_DEAL,
    BY_DRAW,
    BY_KONG,
    LAST_DRAW,
    LAST_KONG,
    TURN,
    Game,
    Hand,
)
from engine.game.views import record_of
from engine.record import (
    GOLD_GRAB,
    ROB_KONG,
    SELF_DRAW,
    THREE_GOLDS,
    YOUJIN_DECLARED,
    HandRecord,
    Win,
)
from engine.record import OPENING as DEALT
from engine.settlement import SEATS, Settlement
from engine.tiles import parse_tiles

if TYPE_CHECKING:
    from collections.abc import Iterator


# What a dealer may still declare at his first turn, before he discards.
_DEALT_TURN_WINS: Final = {"zhangzhou": (THREE_GOLDS,), "yunxiao": (THREE_GOLDS,), "hangzhou": (SELF_DRAW,)}

#: Last drawable tiles of ZZ 1.9.
LAST_HAND: Final = 4


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


def why_no_win(game: Game, hand: Hand, number: int, by: str) -> Refused:
    """The reason a win at the own turn is not open: the rule set's, where the moment is right."""
    player = hand.players[number]
    drawn = hand.phase in (TURN, LAST_DRAW) and hand.source != BY_CLAIM and player.drawn is not None
    if drawn and by in (SELF_DRAW, THREE_GOLDS) and hand.source != BY_DEAL:
        record = record_of(game, hand, number)
        tile = record.drawn if by == SELF_DRAW else None
        refusal = game.ruleset.settle(
            replace(record, drawn=None if tile is not None else record.drawn, win=Win(by, tile))
        )
        if isinstance(refusal, Refusal):  # pragma: no branch  # a hand that wins is never asked why not
            return by_rule(refusal, game.rules)
    return refused("no_such_win_now", game.rules)


def forced_win(game: Game, hand: Hand) -> bool:
    """ZZ 1.9: one of the last four drawable tiles that completes the hand wins by itself."""
    if game.rules != "zhangzhou" or not hand.late or hand.source not in (BY_DRAW, BY_KONG):
        return False
    return bool(own_wins(game, hand))


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


def rob_record(game: Game, hand: Hand, number: int) -> HandRecord:
    """The record of a seat that robs the kong on the table."""
    late = game.rules == "zhangzhou" and hand.drawable <= LAST_HAND
    win = Win(ROB_KONG, hand.offered, SEATS[hand.turn], last_tile=late)
    return replace(record_of(game, hand, number), win=win)


def rob(game: Game, hand: Hand, number: int) -> Settlement | Refusal:
    """What robbing the kong pays a seat, or why it may not."""
    return game.ruleset.settle(rob_record(game, hand, number))
