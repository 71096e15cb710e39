"""What may be done with a discard: win, kong, pong, chow, and why not (``design/hand-record.md``, "Claims").

The same for every game; what a game forbids beyond the common rules is asked of it: ``refuse`` (discard
wins), ``refuse_claim`` and ``may_not_discard``. Which seat goes first when several may claim is the table's
business: win before kong and pong before chow, and of several winners the nearest after the discarder
(XM 2.2, ZZ 2.1, YX 2.1, JH 2.1).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from engine import options, shapes, youjin
from engine.errors import InputError, Refusal
from engine.record import CHOW, DISCARD, KONG, PONG, HandRecord, Offer, Win
from engine.settlement import Settlement, before
from engine.text import Text
from engine.tiles import CODES, HONOUR, NAMES, format_tiles

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.rules.base import RuleSet

Json = dict[str, Any]

GOLD_CANNOT_BE_CLAIMED = Refusal(
    "gold_discarded",
    Text("打出的金谁也不能吃、碰、杠", "打出的金誰也不能吃、碰、槓", "nobody may chow, pong or kong a discarded gold"),
)
_NONE_HELD: Final = Text(
    "手里没有{name}，{claim}要 {needed} 张（金不能算）",
    "手裡沒有{name}，{claim}要 {needed} 張（金不能算）",
    "no {name} in hand; to {claim} it takes {needed} (golds do not count)",
)
_NOT_ENOUGH: Final = Text(
    "手里只有 {held} 张{name}，{claim}要 {needed} 张（金不能算）",
    "手裡只有 {held} 張{name}，{claim}要 {needed} 張（金不能算）",
    "only {held} × {name} in hand; to {claim} it takes {needed} (golds do not count)",
)
PASSED = Refusal(
    "passed_this_circle",
    Text(
        "这种牌刚放过，到自己下一轮之前不能碰也不能胡（本桌规则 pass_lock）",
        "這種牌剛放過，到自己下一輪之前不能碰也不能胡（本桌規則 pass_lock）",
        "a copy of this tile was let go: no pong and no win on it until your own next turn (house rule pass_lock)",
    ),
)
PASSED_WIN = Refusal(
    "passed_win",
    Text(
        "刚放过能胡的牌，到自己下一轮之前不能胡别人打的牌（本桌规则 pass_lock）",
        "剛放過能胡的牌，到自己下一輪之前不能胡別人打的牌（本桌規則 pass_lock）",
        "a winning tile was let go: no win on a discard until your own next turn (house rule pass_lock)",
    ),
)
NOT_FROM_BEFORE = Refusal(
    "not_previous_player",
    Text("只能吃上家打的牌", "只能吃上家打的牌", "only a discard of the player before you can be chowed"),
)
NOTHING_TO_DISCARD = Refusal(
    "nothing_to_discard",
    Text(
        "吃碰之后手里没有一张牌可以打出",
        "吃碰之後手裡沒有一張牌可以打出",
        "after this claim no tile in hand could be discarded",
    ),
)
_CLAIM_NAMES: Final = {
    PONG: Text("碰", "碰", "pong"),
    KONG: Text("杠", "槓", "kong"),
}


def claims(game: RuleSet[Any], record: HandRecord) -> Json:
    """Win, kong, pong and every chow of the tile that is offered, in the order of priority.

    Args:
        game: the rules of the record.
        record: a hand between turns, with ``offered``.

    Returns:
        ``win``, ``kong`` and ``pong`` as ``{legal}`` with ``why`` where they are not, a legal ``win`` with its
        ``settlement``; ``chow`` as a list of ``{with, legal, may_not_discard}``, one for each pair of tiles in
        hand that makes a run with it.

    Raises:
        InputError: nothing is ``offered``, a tile was just drawn, or the record is a finished win.
    """
    offer = record.offered
    if offer is None:
        raise InputError(
            "missing",
            "offered",
            Text(
                "缺少别人打出的牌（offered）",
                "缺少別人打出的牌（offered）",
                "the discard that may be claimed is missing (offered)",
            ),
        )
    options.refuse_win(record)
    record = replace(record, offered=None)
    return {
        "win": _win(game, record, offer),
        "kong": _answer(_refuse_set(game, record, offer, KONG)),
        "pong": _answer(_refuse_set(game, record, offer, PONG)),
        "chow": _chows(game, record, offer),
    }


def _answer(refusal: Refusal | None) -> Json:
    return {"legal": True} if refusal is None else {"legal": False, "why": refusal.why()}


# --- win ------------------------------------------------------------------------------------------------


def _win(game: RuleSet[Any], record: HandRecord, offer: Offer) -> Json:
    """Whether the discard may be won on, and what that pays."""
    settlement = _settled(game, record, offer)
    if isinstance(settlement, Refusal):
        return _answer(settlement)
    refusal = _refuse_passed_win(game, record, offer, settlement)
    if refusal is not None:
        return _answer(refusal)
    return {"legal": True, "settlement": settlement.as_json()}


def _settled(game: RuleSet[Any], record: HandRecord, offer: Offer) -> Settlement | Refusal:
    """The win on a discard without regard to what was let go before."""
    first = offer.source == record.dealer and record.table.discards == (offer.tile,) and not record.melds
    return game.settle(replace(record, win=Win(DISCARD, offer.tile, offer.source, first_discard=first)))


def _refuse_passed_win(game: RuleSet[Any], record: HandRecord, offer: Offer, settlement: Settlement) -> Refusal | None:
    """可吃不胡 (XM 2.6) and its variants, by house key ``pass_lock``."""
    mode = _pass_lock(game, record)
    if mode == "kind":
        return PASSED if _passed_kind(game, record, offer) else None
    if mode == "all" and not game.wins_in_spite_of_pass(settlement):
        for passed in record.table.passed:
            # The hand has not changed since: what wins now would have won then.
            if passed.source != record.seat and isinstance(_settled(game, record, passed), Settlement):
                return PASSED_WIN
    return None


def _pass_lock(game: RuleSet[Any], record: HandRecord) -> str:
    """The house key; a game without it locks nothing."""
    return str(getattr(game.profile(record), "pass_lock", "off"))


def _passed_kind(game: RuleSet[Any], record: HandRecord, offer: Offer) -> bool:
    """Whether a copy of the kind was let go; under ``kind`` the player's own discard counts too (XM 2.6).

    Whites and the gold never come in here together: a discarded gold cannot be claimed at all.
    """
    mode = _pass_lock(game, record)
    return mode != "off" and any(
        passed.tile == offer.tile and (mode == "kind" or passed.source != record.seat) for passed in record.table.passed
    )


# --- kong and pong --------------------------------------------------------------------------------------


def _refuse_set(game: RuleSet[Any], record: HandRecord, offer: Offer, claim: str) -> Refusal | None:
    """Why the discard may not be ponged or konged."""
    if offer.tile == record.gold:
        return GOLD_CANNOT_BE_CLAIMED
    needed = 3 if claim == KONG else 2
    held = record.hand.count(offer.tile)
    if held < needed:
        text = (_NOT_ENOUGH if held else _NONE_HELD).format(
            held=held, name=NAMES[offer.tile], claim=_CLAIM_NAMES[claim], needed=needed
        )
        return Refusal("not_enough_copies", text)
    if _passed_kind(game, record, offer):
        return PASSED
    refusal = game.refuse_claim(record, claim)
    if refusal is not None or claim == KONG:
        return refusal
    return _refuse_discard_after(game, record, (offer.tile,) * 2, frozenset())


def _refuse_discard_after(
    game: RuleSet[Any], record: HandRecord, used: Iterable[int], forbidden: frozenset[int]
) -> Refusal | None:
    """A claim is followed by a discard, so there must be one that is legal."""
    hand = list(record.hand)
    for kind in used:
        hand.remove(kind)
    sets = game.sets - len(record.melds) - 1
    held = shapes.Concealed.of(hand, record.gold, sets)
    after = replace(record, youjin=0)
    for kind in shapes.distinct(held.physical):
        if kind not in forbidden and youjin.discard(game, after, held, kind).refusal is None:
            return None
    return NOTHING_TO_DISCARD


# --- chow -----------------------------------------------------------------------------------------------


def _chows(game: RuleSet[Any], record: HandRecord, offer: Offer) -> list[Json]:
    """Every pair of tiles in hand that makes a run with the discard."""
    gold = record.gold
    if offer.tile == gold:
        return []
    face = shapes.face(offer.tile, gold)
    answer: list[Json] = []
    for mates in _mates(face):
        tiles = [tile for mate in mates if (tile := shapes.tile_for(mate, gold)) in record.hand and tile is not None]
        if len(tiles) < 2:
            continue
        used = (tiles[0], tiles[1])
        refusal = NOT_FROM_BEFORE if offer.source != before(record.seat) else game.refuse_claim(record, CHOW)
        forbidden: frozenset[int] = frozenset()
        if refusal is None:
            forbidden = _may_not_discard(game, record, used, mates)
            refusal = _refuse_discard_after(game, record, used, forbidden)
        entry: Json = {
            "with": format_tiles(used),
            "legal": refusal is None,
            "may_not_discard": [CODES[kind] for kind in sorted(forbidden)],
        }
        if refusal is not None:
            entry["why"] = refusal.why()
        answer.append(entry)
    return answer


def _mates(face: int) -> list[tuple[int, int]]:
    """The two other faces of every run a face belongs to, lowest run first.

    >>> _mates(0), _mates(4), _mates(27)
    ([(1, 2)], [(2, 3), (3, 5), (5, 6)], [])
    """
    if face >= HONOUR:
        return []
    rank, first = face % 9, face - face % 9
    runs = [[first + low + step for step in range(3)] for low in range(max(0, rank - 2), min(6, rank) + 1)]
    return [(mates[0], mates[1]) for run in runs if (mates := [kind for kind in run if kind != face])]


def _may_not_discard(
    game: RuleSet[Any], record: HandRecord, used: tuple[int, int], mates: tuple[int, int]
) -> frozenset[int]:
    """吃張打張 (JH 2.4): tiles in hand that would have made a run with the same two tiles, where that is barred."""
    if not game.bars_discard_of_chowed(record):
        return frozenset()
    hand = list(record.hand)
    for kind in used:
        hand.remove(kind)
    ends = {face for face in range(HONOUR) if tuple(sorted(mates)) in _mates(face)}
    return frozenset(kind for kind in hand if kind != record.gold and shapes.face(kind, record.gold) in ends)
