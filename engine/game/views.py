"""What one seat holds and knows, as a hand record: the form every other part of the engine speaks."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from engine import shapes
from engine.game.state import CLAIMING, SEAT_NUMBERS, Game, Hand
from engine.record import CONCEALED_KONG, HandRecord, Offer, TableFacts
from engine.rules.jinhua import claims_from
from engine.settlement import SEATS
from engine.tiles import PLAYABLE

if TYPE_CHECKING:
    from engine.record import Meld


def record_of(game: Game, hand: Hand, number: int) -> HandRecord:
    """The record of a seat, with all that a rule may look back on; seen tiles are left out (see `view`).

    The tiles of a seat that has just claimed are all in ``hand``.
    """
    player = hand.players[number]
    drawn = player.drawn
    return HandRecord(
        rules=game.rules,
        house=game.house,
        gold=hand.gold,
        dealer=SEATS[hand.dealer],
        seat=SEATS[number],
        hand=_kinds(player.tiles),
        drawn=drawn if drawn is not None and drawn < PLAYABLE else None,
        melds=player.melds,
        flowers=player.flowers,
        youjin=player.youjin,
        table=facts(game, hand, number),
        sitting_out=tuple([SEATS[seat] for seat in range(4) if hand.players[seat].sitting_out]),
    )


@lru_cache(maxsize=4096)
def _kinds(packed: int) -> tuple[int, ...]:
    return tuple(shapes.unpack(packed))


def facts(game: Game, hand: Hand, number: int) -> TableFacts:
    """The table as a seat sees it, without ``visible``."""
    rules = game.ruleset
    youjin: dict[str, int] = {}
    claims: dict[str, dict[str, int]] = {}
    bound = hasattr(game.house, "chengbao_count")
    for seat, player in enumerate(hand.players):
        if seat != number:
            # The table knows of a state once a gold was discarded for it; 單游 is kept secret (RULES 8.1).
            if player.youjin and rules.golds_discarded(player.youjin):
                youjin[SEATS[seat]] = player.youjin
            if bound and player.melds and (counts := claims_of(game, player.melds)):
                claims[SEATS[seat]] = counts
    return TableFacts(
        dealer_streak=game.dealer_streak,
        draw_streak=game.draw_streak,
        tiles_left=hand.left,
        chips=None if game.chips is None else dict(zip(SEATS, game.chips, strict=True)),
        claims=claims,
        passed=hand.players[number].passed,
        discards=hand.discards,
        wild_discarder=None if hand.wild_discarder is None else SEATS[hand.wild_discarder],
        youjin=youjin,
    )


def claims_of(game: Game, melds: tuple[Meld, ...]) -> dict[str, int]:
    """From whom the melds were claimed, counted as 承包 counts them (JH 4.2)."""
    sources = [meld.source for meld in melds if meld.kind != CONCEALED_KONG and meld.source is not None]
    count = getattr(game.house, "chengbao_count", "total")
    return {seat: claims_from(sources, seat, count) for seat in sorted(set(sources))}


def visible(hand: Hand, number: int) -> tuple[int, ...]:
    """Tiles a seat sees elsewhere: the discards that lie on the table and the open melds and flowers of others."""
    tiles = list(hand.river)
    for seat, player in enumerate(hand.players):
        if seat != number:
            tiles += [kind for meld in player.melds if meld.kind != CONCEALED_KONG for kind in meld.tiles]
            tiles += player.flowers
    if hand.aside is not None:
        tiles.append(hand.aside)
    return tuple(sorted(tiles))


def view(game: Game, seat: str) -> HandRecord:
    """What a seat sees now, for `engine.options`, `engine.claims` and `engine.advice`.

    After a claim, and on the dealer's first turn, one of the tiles is shown as drawn, as the record form wants it.

    Raises:
        ValueError: no hand has been dealt.
    """
    hand = game.hand
    if hand is None:
        raise ValueError("no hand has been dealt")
    number = SEAT_NUMBERS[seat]
    record = record_of(game, hand, number)
    table = replace(record.table, visible=visible(hand, number))
    if record.drawn is None and (len(record.hand) - 2) % 3 == 0:
        record = replace(record, hand=record.hand[:-1], drawn=record.hand[-1])
    if hand.phase == CLAIMING and hand.turn != number and hand.offered is not None and record.drawn is None:
        # The tile on offer is in the hand record as ``offered``, not as one of the seen ones.
        rest = list(table.visible)
        rest.remove(hand.offered)
        table = replace(table, visible=tuple(rest))
        record = replace(record, offered=Offer(hand.offered, SEATS[hand.turn]))
    return replace(record, table=table)
