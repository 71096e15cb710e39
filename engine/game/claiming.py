"""A tile on the table: who may claim or rob it, in which order, and what becomes of it."""

from __future__ import annotations

from dataclasses import replace

from engine import claims as claims_module
from engine import shapes
from engine.errors import Refusal
from engine.game import events as ev
from engine.game.drawing import reserve_of, to_draw
from engine.game.ending import drawn_game, won
from engine.game.refusals import Refused, by_rule, paragraph, refused
from engine.game.seats import active, active_seat, expect, going_on, in_turn, running_hand, seats_from, with_player
from engine.game.state import (
    BY_CLAIM,
    CLAIMING,
    DRAWING,
    LAST_KONG,
    ROBBING,
    TURN,
    Asked,
    Game,
    Hand,
    Player,
    evolve,
)
from engine.game.views import record_of
from engine.game.wins import LAST_HAND, own_kongs, refuse_kongs, rob, rob_record
from engine.record import (
    ADDED_KONG,
    CHOW,
    CONCEALED_KONG,
    DISCARD,
    KONG,
    PONG,
    ROB_KONG,
    Meld,
    Offer,
    Win,
)
from engine.settlement import SEATS, Settlement
from engine.text import Text
from engine.tiles import NAMES, parse_tiles


def offer_discard(game: Game, hand: Hand, tile: int) -> Game:
    """Who may claim the discard of the seat in turn; the next turn if nobody may."""
    hand = evolve(hand, offered=tile)
    asked = [
        one
        for number in active(hand, seats_from(hand.turn, own=False))
        if (one := _claims_of(game, hand, number, tile)) is not None
    ]
    if not asked:
        return to_draw(game, hand, (hand.turn + 1) % 4)
    return going_on(game, evolve(hand, phase=CLAIMING, asked=tuple(asked)))


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


def claim_tile(game: Game, event: ev.Claim) -> Game:
    """吃, 碰, 槓 of a discard."""
    hand = running_hand(game)
    number = active_seat(game, hand, event.seat)
    explain_late_claim(game, hand, number, event)
    expect(game, hand, CLAIMING, ROBBING)
    return answer(game, hand, number, event)


def explain_late_claim(game: Game, hand: Hand, number: int, event: ev.Claim | ev.DeclareWin) -> None:
    """The rule by which the last discard could not be claimed, while it still is the last thing that happened.

    Raises:
        Refused: always, if a discard lies there that nobody could claim, or that everybody has let go.
    """
    if hand.phase == DRAWING and not hand.replacing and hand.thrown_by is not None and hand.discards:
        window = evolve(hand, offered=hand.discards[-1], turn=hand.thrown_by, phase=CLAIMING, asked=())
        raise _why_no_claim(game, window, number, event)


def answer(game: Game, hand: Hand, number: int, event: ev.Claim | ev.DeclareWin) -> Game:
    """A seat that is asked claims; the claim is carried out once nobody can outrank it."""
    one = next((one for one in hand.asked if one.seat == number), None)
    if one is not None and one.answer is not None:
        raise refused("answered", game.rules, seat=event.seat)
    rank = 0 if one is None else _rank(one, event)
    if one is None or not rank:
        raise _why_no_claim(game, hand, number, event)
    asked = tuple(replace(other, answer=(rank, event)) if other.seat == number else other for other in hand.asked)
    return decide(game, evolve(hand, asked=asked))


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
            refusal = rob(game, hand, number)
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


def decide(game: Game, hand: Hand) -> Game:
    """Carries out the best claim as soon as no seat that has not answered could outrank it (XM 2.2)."""
    best: Asked | None = None
    for one in hand.asked:
        if one.answer is not None and (best is None or one.answer[0] > best.answer[0]):
            best = one
    for one in hand.asked:
        if one.answer is None:
            if best is None:
                return going_on(game, hand)
            nearer = hand.asked.index(one) < hand.asked.index(best)
            if one.best > best.answer[0] or (one.best == best.answer[0] and nearer):
                return going_on(game, hand)
    if best is None:
        return _nobody(game, hand)
    event = best.answer[1]
    if isinstance(event, ev.DeclareWin):
        return _win_on_offer(game, hand, best.seat, event.by)
    return _carry_out(game, hand, best, event)


def _nobody(game: Game, hand: Hand) -> Game:
    """Everybody has let the tile go."""
    if hand.phase == ROBBING:
        return complete_kong(game, evolve(hand, asked=()))
    return to_draw(game, hand, (hand.turn + 1) % 4)


def _win_on_offer(game: Game, hand: Hand, number: int, by: str) -> Game:
    """點炮 or 搶槓."""
    if by == ROB_KONG:
        record = rob_record(game, hand, number)
    else:
        record = record_of(game, hand, number)
        late = game.rules == "zhangzhou" and hand.drawable <= LAST_HAND
        first = hand.turn == hand.dealer and len(hand.discards) == 1
        win = Win(DISCARD, hand.offered, SEATS[hand.turn], first_discard=first, last_tile=late)
        record = replace(record, win=win)
    return won(game, hand, number, record)


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
    hand = with_player(
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
        return after_kong(game, evolve(hand, kong_kind=KONG))
    return going_on(game, hand)


def _kept_youjin(game: Game, hand: Hand, number: int, player: Player) -> int:
    """The 游金 state after a kong: kept as long as the tiles still have the shape (RULES 7.2)."""
    if not player.youjin:
        return 0
    rules = game.ruleset
    packed = shapes.Concealed.from_packed(player.tiles, hand.gold, rules.sets - len(player.melds))
    record = replace(record_of(game, hand, number), melds=player.melds)
    return player.youjin if rules.in_youjin_shape(packed, record) else 0


def declare_kong(game: Game, event: ev.DeclareKong) -> Game:
    """暗槓, 補槓, and Yunxiao's exposed kong of the own four tiles."""
    hand = running_hand(game)
    number = in_turn(game, hand, event.seat, TURN, LAST_KONG)
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
    hand = with_player(hand, number, player, offered=event.tile, kong_kind=kind)
    asked: list[Asked] = []
    if _may_be_robbed(game, hand, kind, event.tile):
        asked = [
            Asked(other, wins=(ROB_KONG,))
            for other in active(hand, seats_from(number, own=False))
            if isinstance(rob(game, hand, other), Settlement)
        ]
    if asked:
        return going_on(game, evolve(hand, phase=ROBBING, asked=tuple(asked)))
    return complete_kong(game, hand)


def _may_be_robbed(game: Game, hand: Hand, kind: str, tile: int) -> bool:
    """Which kongs can be robbed: never concealed ones; Xiamen: not one of this very turn (XM 2.10)."""
    if kind == CONCEALED_KONG or ROB_KONG not in game.ruleset.win_ways or hand.youjin_seat is not None:
        return False
    if any(player.youjin >= 2 for player in hand.players):
        return False
    return not (game.rules == "xiamen" and tile in hand.turn_pongs)


def complete_kong(game: Game, hand: Hand) -> Game:
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
    return after_kong(game, with_player(hand, number, player, offered=None))


def after_kong(game: Game, hand: Hand) -> Game:
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
    hand = evolve(hand, reserve=reserve_of(game, hand))
    return drawn_game(game, hand) if hand.drawable == 0 else going_on(game, hand)
