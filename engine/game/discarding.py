"""Discards: which are legal, what they do to the 游金 state, and 分餅."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from engine import options, shapes, youjin
from engine.game.claiming import offer_discard
from engine.game.drawing import begin_procedure
from engine.game.ending import follow_payments
from engine.game.refusals import Refused, by_rule, refused
from engine.game.seats import in_turn, running_hand, seats_from, with_player
from engine.game.state import (
    TURN,
    Game,
    Hand,
    evolve,
)
from engine.game.views import record_of
from engine.game.wins import forced_win
from engine.record import (
    HandRecord,
    Offer,
)
from engine.settlement import SEATS
from engine.tiles import NAMES, PLAYABLE

if TYPE_CHECKING:
    from engine.game import events as ev

#: XM 2.9: this discard is possible, and makes its player a 相公.
OFFENCE: Final = "gold_discard_offence"


def discard_tile(game: Game, event: ev.Discard) -> Game:
    """打牌."""
    hand = running_hand(game)
    number = in_turn(game, hand, event.seat, TURN)
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
    hand = with_player(
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
        return begin_procedure(game, evolve(hand, youjin_seat=number))
    return offer_discard(game, hand, event.tile)


def legal_discard(game: Game, hand: Hand, tile: int) -> youjin.Move | Refused:
    """What discarding a tile does, or why the seat in turn may not."""
    return refuse_discards(game, hand) or Discards(game, hand, record_of(game, hand, hand.turn)).judge(tile)


def legal_discards(game: Game, hand: Hand, record: HandRecord) -> list[int]:
    """The physical kinds the seat in turn may discard, when it may discard at all; ``record`` is its own."""
    discards = Discards(game, hand, record)
    return [kind for kind in shapes.distinct(hand.players[hand.turn].held) if discards.allows(kind)]


def refuse_discards(game: Game, hand: Hand) -> Refused | None:
    """Why nothing at all may be discarded at this moment."""
    if hand.players[hand.turn].loose:
        return refused("flowers_first", game.rules)
    if hand.must_win:
        return refused("win_or_draw", game.rules)
    return refused("must_win_last", game.rules) if forced_win(game, hand) else None


class Discards:
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
        if tile in self.hand.banned or (move.refusal is not None and move.refusal.code != OFFENCE):
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
        if move.refusal is not None and move.refusal.code != OFFENCE:
            return by_rule(move.refusal, rules)
        return by_rule(options.must_follow(self.forced or frozenset()), rules)


def opens_gold(move: youjin.Move, hand: Hand) -> bool:
    """Whether a discard is a gold that opens 雙游, 三游 or 財飄."""
    return move.kind == hand.gold and move.state in (youjin.DOUBLE_YOUJIN, youjin.TRIPLE_YOUJIN)


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
    if any(len(hand.players[other].discards) <= current for other in seats_from(hand.dealer, own=False)):
        return game, hand
    before = follow_payments(game, current)
    now = follow_payments(game, current + 1)
    points = tuple(point + now[seat] - before[seat] for point, seat in zip(game.points, SEATS, strict=True))
    return evolve(game, points=points), evolve(hand, followed=current + 1)
