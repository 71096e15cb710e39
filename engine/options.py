"""What may the player do now (RULES 7.4, ``design/hand-record.md``), the same for every game."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engine import advice, shapes, youjin
from engine.errors import InputError, Refusal
from engine.record import DISCARD, PONG, SELF_DRAW, HandRecord, Win
from engine.settlement import Settlement, before
from engine.text import Text, join
from engine.tiles import CODES, NAMES, format_tiles

if TYPE_CHECKING:
    from engine.rules.base import RuleSet
    from engine.shapes import Concealed

Json = dict[str, Any]

READY, NOT_READY = "ready", "not_ready"


def options(game: RuleSet[Any], record: HandRecord) -> Json:
    """Win now, every discard with its state and worth, the kongs, and advice.

    Args:
        game: the rules of the record.
        record: a hand with a tile just drawn.

    Raises:
        InputError: the record has no ``drawn``, or is a finished win.
    """
    if record.drawn is None:
        raise InputError(
            "missing",
            "drawn",
            Text("缺少刚摸的牌（drawn）", "缺少剛摸的牌（drawn）", "the tile just drawn is missing (drawn)"),
        )
    refuse_win(record)
    held = game.concealed(record).add(record.drawn)
    left = game.copies_left(record)
    forced = game.forced_discards(record)
    discards = [
        _discard(game, record, youjin.discard(game, record, held, kind), left, forced)
        for kind in shapes.distinct(held.physical)
    ]
    win_now = _win_now(game, record)
    return {
        "win_now": win_now,
        "discards": discards,
        "kongs": kongs(record),
        "advice": advice.advise(game, record, win_now, discards),
    }


def waits(game: RuleSet[Any], record: HandRecord) -> Json:
    """What a hand between turns waits for: an entry of ``discards`` without ``tile``.

    Raises:
        InputError: the record has a ``drawn`` tile, or is a finished win.
    """
    if record.drawn is not None:
        raise InputError(
            "drawn_not_allowed",
            "drawn",
            Text(
                "听牌要在打牌之后看：请去掉 drawn，或改用 options",
                "聽牌要在打牌之後看：請去掉 drawn，或改用 options",
                "waits are those of a hand after its discard: leave out drawn, or ask for options",
            ),
        )
    refuse_win(record)
    hand = game.concealed(record)
    left = game.copies_left(record)
    if game.in_youjin_shape(hand, record):
        level = max(record.youjin, game.youjin_of_shape)
        state = youjin.YOUJIN
        if game.youjin_states and level >= game.youjin_after_gold(0):
            state = youjin.gold_state(game, level)
        entry: Json = {"state": state, "waits": "any"}
        entry["if_won"] = game.if_won(replace(record, youjin=level)).as_json()
        return entry
    return _ready(game, replace(record, youjin=0), hand, left)


def refuse_win(record: HandRecord) -> None:
    """A finished win has no options.

    Raises:
        InputError: the record has a ``win``.
    """
    if record.win is not None:
        raise InputError(
            "win_not_allowed",
            "win",
            Text(
                "这副牌已经胡了：请去掉 win，或改用 score",
                "這副牌已經胡了：請去掉 win，或改用 score",
                "this hand is already won: leave out win, or ask for its score",
            ),
        )


def kongs(record: HandRecord) -> list[str]:
    """Kongs the player may declare at his turn, as four physical tiles (7.4.6)."""
    held = [*record.hand] if record.drawn is None else [*record.hand, record.drawn]
    possible = {kind for kind in held if held.count(kind) == 4}
    possible |= {meld.tiles[0] for meld in record.melds if meld.kind == PONG and meld.tiles[0] in held}
    return [format_tiles([kind] * 4) for kind in sorted(possible) if kind != record.gold]


def _win_now(game: RuleSet[Any], record: HandRecord) -> Json:
    """The best-paying win that may be declared at this moment, and the others beside it."""
    legal: list[Settlement] = []
    refusals: list[Refusal] = []
    for win in game.own_turn_wins(record):
        drawn = None if win.tile is not None else record.drawn
        answer = game.settle(replace(record, drawn=drawn, win=win))
        if isinstance(answer, Settlement):
            legal.append(answer)
        else:
            refusals.append(answer)
    if not legal:
        return {"legal": False, "why": refusals[0].why()}
    legal.sort(key=lambda settlement: -settlement.total)
    best = legal[0]
    answer_json: Json = {"legal": True, "method": best.method, "settlement": best.as_json()}
    if len(legal) > 1:
        answer_json["others"] = [{"method": other.method, "settlement": other.as_json()} for other in legal[1:]]
    return answer_json


def must_follow(kinds: frozenset[int]) -> Refusal:
    """跟打: one of these tiles must be discarded (XM 2.8)."""
    listed = join([NAMES[kind] for kind in sorted(kinds)], english=" or ", chinese="、")
    return Refusal(
        "must_follow",
        Text("跟打：必须打 {tiles}", "跟打：必須打 {tiles}", "single honours must follow: discard {tiles}").format(
            tiles=listed
        ),
    )


def _discard(
    game: RuleSet[Any],
    record: HandRecord,
    move: youjin.Move,
    left: list[int],
    forced: frozenset[int] | None,
) -> Json:
    """One entry of ``discards``."""
    refusal = move.refusal
    opens_gold = move.state in (youjin.DOUBLE_YOUJIN, youjin.TRIPLE_YOUJIN)
    if refusal is None and forced is not None and move.kind not in forced and not opens_gold:
        refusal = must_follow(forced)
    entry: Json = {"tile": CODES[move.kind]}
    hand = list(record.hand)
    if move.kind != record.drawn:
        hand.remove(move.kind)
        hand.append(record.drawn)  # type: ignore[arg-type]  # `options` has refused records without it
        hand.sort()
    # The tile just discarded has been seen (7.4.5).
    table = replace(record.table, visible=(*record.table.visible, move.kind))
    rest = replace(record, hand=tuple(hand), drawn=None, youjin=move.youjin, table=table)
    if move.state is None:
        entry |= _ready(game, rest, move.hand, left)
    else:
        entry["state"] = move.state
        if refusal is None or not opens_gold:
            entry["waits"] = "any"
            entry["if_won"] = game.if_won(rest).as_json()
    entry["legal"] = refusal is None
    if refusal is not None:
        entry["why"] = refusal.why()
    return entry


def _ready(game: RuleSet[Any], record: HandRecord, hand: Concealed, left: list[int]) -> Json:
    """State and waits of 3n + 1 tiles outside 游金."""
    entries = []
    source = before(record.seat)
    # A hand more than one tile away waits for nothing; most discards lead there.
    waited = game.waits(hand, record) if game.distance(hand, record) <= 1 else []
    for kind in waited:
        if left[kind] < 1:
            continue
        entry: Json = {"tile": CODES[kind], "left": left[kind]}
        drawn = game.settle(replace(record, win=Win(SELF_DRAW, kind)))
        claimed = game.settle(replace(record, win=Win(DISCARD, kind, source)))
        entry["by_discard"] = isinstance(claimed, Settlement)
        entry["self_draw"] = drawn.as_json()
        if isinstance(claimed, Settlement):
            entry["discard"] = claimed.as_json()
        else:
            entry["why_not_by_discard"] = claimed.why()
        entries.append(entry)
    if entries:
        return {"state": READY, "waits": entries}
    distance, useful = game.improving(hand, record)
    return {
        "state": NOT_READY,
        "shanten": distance - 1,
        "useful": [{"tile": CODES[kind], "left": left[kind]} for kind in useful if left[kind] > 0],
    }
