"""Advice: which discard, and whether to win now or to go for 游金, each with a sentence that says why.

Discards are ranked by shanten, then by the tiles left that help, then by what they pay. Where a certain win
could be given up for a dearer one (RULES 7.3), the chance that nobody else wins before the own next turn is
estimated by playing that turn cycle many times with the unseen tiles, and set beside the break-even chance.

The opponents of that simulation are a light model: how far along they are is read from a table measured with
`engine.simulator` (see ``OPPONENTS``), what they wait for is drawn among the tiles this seat has not seen.
The same record always gets the same answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from engine.settlement import others
from engine.text import Text, join
from engine.tiles import HONOUR, INDEX, NAMES, PLAYABLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.record import HandRecord
    from engine.rules.base import RuleSet

Json = dict[str, Any]

#: Turn cycles played for one decision.
SAMPLES: Final = 1000
_SEED: Final = 20080808


@dataclass(frozen=True, slots=True)
class Opponents:
    """How greedy players fare, measured over 400 hands of each game.

    Attributes:
        ready: the share of players who are ready after their 1st, 2nd … discard.
        waits: of the ready ones, the share that waits for 1, 2 … 9 kinds.
        golds: of the ready ones, the share that holds 0, 1, 2 golds.
        loss: what a loser pays on average when somebody else wins.
    """

    ready: tuple[float, ...]
    waits: tuple[float, ...]
    golds: tuple[float, float, float]
    loss: float


@lru_cache(maxsize=512)
def undisturbed(
    rules: str, left: tuple[int, ...], gold: int | None, turn: int, discard_limit: int | None
) -> tuple[float, ...]:
    """For each kind just discarded, the chance that nobody wins before the own next turn.

    Args:
        rules: name of the game.
        left: copies of each playable kind that this seat has not seen.
        gold: the wild kind.
        turn: how many discards every player has made, about.
        discard_limit: from how many golds in hand nobody wins on a discard; 0 never; ``None``: nobody wins on a
            discard at all.
    """
    model = OPPONENTS[rules]
    rng = np.random.default_rng(_SEED)
    unseen = np.repeat(np.arange(PLAYABLE), np.maximum(left, 0))
    if not len(unseen):
        return (1.0,) * PLAYABLE
    ready = rng.random((SAMPLES, 3)) < model.ready[min(turn, len(model.ready)) - 1]
    waits = np.stack([_waits(rng, unseen, model) for _ in range(3)], axis=1)
    golds = np.searchsorted(np.cumsum(model.golds), rng.random((SAMPLES, 3)) * 0.999)
    if discard_limit is None:
        by_discard = np.zeros_like(ready)
    else:
        by_discard = ready & ((golds < discard_limit) | (discard_limit == 0))
    sample = np.arange(SAMPLES)
    free = np.ones(SAMPLES, dtype=bool)
    # The three draws and the three discards that follow are tiles nobody has shown.
    tiles = unseen[rng.integers(0, len(unseen), size=(SAMPLES, 6))]
    for seat in range(3):
        drawn, thrown = tiles[:, 2 * seat], tiles[:, 2 * seat + 1]
        free &= ~(ready[:, seat] & (waits[sample, seat, drawn] | (drawn == gold)))
        for other in range(3):
            if other != seat:
                free &= ~(by_discard[:, other] & waits[sample, other, thrown] & (thrown != gold))
    won_at_once: np.ndarray[Any, Any] = np.any(waits & by_discard[:, :, None], axis=1)
    if gold is not None:
        won_at_once[:, gold] = False
    return tuple((free[:, None] & ~won_at_once).mean(axis=0).tolist())


#: Printed by ``python tests/bench/measure_opponents.py 400``.
OPPONENTS: Final[dict[str, Opponents]] = {
    "xiamen": Opponents(
        ready=(0.0, 0.01, 0.04, 0.08, 0.16, 0.26, 0.37, 0.5, 0.59, 0.68, 0.73, 0.79, 0.85, 0.87, 0.92, 0.95),
        waits=(0.18, 0.3, 0.26, 0.14, 0.06, 0.03, 0.01, 0.01, 0.01),
        golds=(0.41, 0.48, 0.11),
        loss=24.6,
    ),
    "zhangzhou": Opponents(
        ready=(0.0, 0.01, 0.03, 0.08, 0.15, 0.26, 0.32, 0.41, 0.48, 0.56, 0.63, 0.64, 0.71, 0.78, 1.0, 1.0),
        waits=(0.18, 0.36, 0.23, 0.12, 0.05, 0.02, 0.02, 0.01, 0.01),
        golds=(0.46, 0.41, 0.13),
        loss=7.9,
    ),
    "yunxiao": Opponents(
        ready=(0.0, 0.02, 0.06, 0.12, 0.17, 0.25, 0.35, 0.44, 0.49, 0.55, 0.65, 0.69, 0.8, 1.0, 1.0, 1.0),
        waits=(0.23, 0.36, 0.22, 0.1, 0.04, 0.02, 0.01, 0.01, 0.01),
        golds=(0.51, 0.41, 0.08),
        loss=15.4,
    ),
    "jinhua": Opponents(
        ready=(0.01, 0.02, 0.07, 0.12, 0.2, 0.28, 0.35, 0.42, 0.5, 0.56, 0.67, 0.67, 0.74, 0.74, 0.74, 0.8),
        waits=(0.23, 0.38, 0.22, 0.1, 0.03, 0.02, 0.02, 0.0, 0.0),
        golds=(0.48, 0.44, 0.08),
        loss=8.0,
    ),
    "hangzhou": Opponents(
        ready=(0.01, 0.02, 0.07, 0.14, 0.23, 0.32, 0.44, 0.53, 0.61, 0.67, 0.77, 0.81, 0.85, 0.89, 0.93, 0.96),
        waits=(0.18, 0.35, 0.22, 0.12, 0.06, 0.02, 0.03, 0.01, 0.01),
        golds=(0.43, 0.45, 0.12),
        loss=10.5,
    ),
}

# Ranks that are waited for beside the first one: 4-7, 1-4-7, shanpon and tanki shapes, then whole stretches.
_STEPS: Final = (0, 3, 6, 1, 4, 2, 5, 7, 8)


def _waits(rng: np.random.Generator, unseen: np.ndarray[Any, Any], model: Opponents) -> np.ndarray[Any, Any]:
    """For each sample the kinds one opponent waits for, as a table of SAMPLES × 34."""
    waits = np.zeros((SAMPLES, PLAYABLE), dtype=bool)
    first = unseen[rng.integers(0, len(unseen), size=SAMPLES)]
    count = np.searchsorted(np.cumsum(model.waits), rng.random(SAMPLES) * 0.999) + 1
    rank, suit = first % 9, first - first % 9
    sample = np.arange(SAMPLES)
    for place, step in enumerate(_STEPS):
        kind = np.where(first < HONOUR, suit + (rank + step) % 9, first)
        waits[sample[count > place], kind[count > place]] = True
    return waits


# --- ranking --------------------------------------------------------------------------------------------


def advise(
    game: RuleSet[Any], record: HandRecord, win_now: Json, discards: Sequence[Json], most: int | None = 3
) -> list[Json]:
    """The best things to do with a tile just drawn, best first.

    Args:
        game: the rules.
        record: the hand, with ``drawn``.
        win_now: the answer of `engine.options` about winning at once.
        discards: its entries about the discards.
        most: how many discards to name at most; ``None`` names every legal one.

    Returns:
        One entry for each: ``tile`` (``None`` for the win), ``key`` (``win_now`` or the state after the discard),
        ``why``, and the figures behind it: ``shanten``, ``useful`` (tiles left), ``value`` (what it is worth on
        average, in points), ``chance``, ``break_even``; the entry for the win has ``win`` true.
    """
    legal = [entry for entry in discards if entry["legal"]]
    now = _total(win_now.get("settlement"), record.seat) if win_now["legal"] else None
    chances = _Chances(game, record, now, _price(win_now["settlement"], record) if win_now["legal"] else None)
    ranked = sorted((chances.judge(entry) for entry in legal), key=lambda item: item.rank, reverse=True)
    named = [item.as_json() for item in (ranked if most is None else ranked[:most])]
    if ranked[0].best is not None and (len(ranked) == 1 or ranked[0].rank[:3] > ranked[1].rank[:3]):
        named[0]["why"] = ranked[0].best.as_json()
    if now is None:
        return named
    win: Json = {
        "tile": None,
        "win": True,
        "key": "win_now",
        "value": now,
        "why": _why_win(win_now["settlement"], record, ranked).as_json(),
    }
    dearer = ranked[0].chance is not None and ranked[0].value > now
    return [named[0], win, *named[1:]] if dearer else [win, *named]


@dataclass(frozen=True, slots=True)
class _Judged:
    """A discard with the figures it is ranked by; ``best`` is what to say if nothing else comes near."""

    entry: Json
    rank: tuple[float, ...]
    value: float
    why: Text
    useful: int
    chance: float | None = None
    break_even: float | None = None
    best: Text | None = None

    def as_json(self) -> Json:
        """The entry of the answer."""
        state = self.entry["state"]
        answer: Json = {"tile": self.entry["tile"], "key": state, "useful": self.useful, "value": round(self.value, 1)}
        if state == "not_ready":
            answer["shanten"] = self.entry["shanten"]
        if self.chance is not None:
            answer["chance"] = round(self.chance, 3)
        if self.break_even is not None:
            answer["break_even"] = round(self.break_even, 3)
        return answer | {"why": self.why.as_json()}


class _Chances:
    """Judges the discards of one record."""

    def __init__(self, game: RuleSet[Any], record: HandRecord, now: int | None, now_price: Text | None) -> None:
        self.game = game
        self.record = record
        self.now = now
        self.now_price = now_price
        self.left = tuple(game.copies_left(record))
        self.unseen = max(1, sum(max(0, copies) for copies in self.left))

    def judge(self, entry: Json) -> _Judged:
        """Rank, worth and reason of one entry."""
        if entry["state"] == "not_ready":
            return self._not_ready(entry)
        return self._ready(entry) if entry["waits"] != "any" else self._youjin(entry)

    def _not_ready(self, entry: Json) -> _Judged:
        useful = sum(tile["left"] for tile in entry["useful"])
        names = _names([tile["tile"] for tile in entry["useful"]])
        text = Text(
            "打{tile}：还差 {n} 步听牌；摸到{names}都有用，还有 {useful} 张",
            "打{tile}：還差 {n} 步聽牌；摸到{names}都有用，還有 {useful} 張",
            "Discard {tile}: {n} from ready; {useful} tiles left bring the hand nearer ({names})",
        )
        why = text.format(tile=_tile(entry), n=_steps(entry["shanten"]), useful=useful, names=names)
        best = Text(f"{why.zh}，机会最多", f"{why.zh_hant}，機會最多", f"{why.en}, more than after any other discard")
        return _Judged(entry, (0, -entry["shanten"], useful, self._cheapness(entry)), 0.0, why, useful, best=best)

    def _cheapness(self, entry: Json) -> float:
        """Of two discards that leave the same, the one that is no gold, then the honour, then the outer tile."""
        kind = INDEX[entry["tile"]]
        if kind == self.record.gold:
            return -1.0
        return 1.0 if kind >= HONOUR else abs(kind % 9 - 4) / 8

    def _ready(self, entry: Json) -> _Judged:
        waits = entry["waits"]
        useful = sum(wait["left"] for wait in waits)
        seat = self.record.seat
        worth = sum(wait["left"] * _total(wait.get("self_draw"), seat) for wait in waits)
        each = worth / useful
        text = Text(
            "打{tile}就听牌：等{names}，还有 {useful} 张；自摸平均收 {each} 分{claims}",
            "打{tile}就聽牌：等{names}，還有 {useful} 張；自摸平均收 {each} 分{claims}",
            "Discard {tile} and you are ready: you wait for {names}, {useful} tiles left; drawing one brings {each} on average{claims}",
        )
        claims = (
            Text("；别人打出来也能胡。", "；別人打出來也能胡。", "; you also win when somebody discards one.")
            if any(wait["by_discard"] for wait in waits)
            else Text("；只能自摸。", "；只能自摸。", "; you can only draw it yourself.")
        )
        names = _names([wait["tile"] for wait in waits])
        why = text.format(tile=_tile(entry), names=names, useful=useful, each=round(each), claims=claims)
        value = worth / self.unseen
        return _Judged(entry, (1, useful * each, useful, self._cheapness(entry)), value, why, useful)

    def _youjin(self, entry: Json) -> _Judged:
        """游金 and beyond: the certain win later against the certain win now (RULES 7.3)."""
        record = self.record
        settlement = entry["if_won"]
        total = _total(settlement, record.seat)
        chance = self._chance(entry)
        loss = OPPONENTS[record.rules].loss
        value = chance * total - (1 - chance) * loss
        name = _NAMES[record.rules][entry["state"]]
        price = _price(settlement, record)
        break_even: float | None = None
        if self.now is not None and self.now >= total:
            text = Text(
                "打{tile}{name}：{when}，{price}，不比现在胡多。",
                "打{tile}{name}：{when}，{price}，不比現在胡多。",
                "Discard {tile} for {name}: {when}, {price}, which is no more than winning now brings.",
            )
        elif self.now is not None:
            break_even = self.now / total
            text = Text(
                "打{tile}{name}：{when}，{price}。现在胡：{now}。这一圈没人胡的机会要超过 {even}% 才划算，估计有 {chance}%。",
                "打{tile}{name}：{when}，{price}。現在胡：{now}。這一圈沒人胡的機會要超過 {even}% 才划算，估計有 {chance}%。",
                "Discard {tile} for {name}: {when}, {price}. Winning now brings {now}. It pays if the chance that nobody else wins before your next turn is above {even}%; it is about {chance}%.",
            )
        else:
            text = Text(
                "打{tile}{name}：{when}，{price}。这一圈没人胡的机会估计有 {chance}%。",
                "打{tile}{name}：{when}，{price}。這一圈沒人胡的機會估計有 {chance}%。",
                "Discard {tile} for {name}: {when}, {price}. The chance that nobody else wins before your next turn is about {chance}%.",
            )
        why = text.format(
            tile=_tile(entry),
            name=name,
            when=self._when(entry),
            price=price,
            now=self.now_price,
            even="" if break_even is None else round(100 * break_even),
            chance=round(100 * chance),
        )
        return _Judged(entry, (2, value, 0, self._cheapness(entry)), value, why, self.unseen, chance, break_even)

    def _when(self, entry: Json) -> Text:
        if entry["state"] == "triple_youjin" and self._immediate():
            return Text("这一局马上赢", "這一局馬上贏", "the hand is won at once")
        return Text("下次不管摸到什么都胡", "下次不管摸到什麼都胡", "whatever tile you draw next wins")

    def _immediate(self) -> bool:
        return getattr(self.record.house, "sanyou_mode", "") == "immediate"

    def _chance(self, entry: Json) -> float:
        state = entry["state"]
        if state == "triple_youjin" and self._immediate():
            return 1.0
        announced = state != "youjin"
        limit: int | None = None
        if not announced and "discard" in self.game.win_ways:
            limit = int(getattr(self.record.house, "no_discard_win_with_golds", 0))
        turn = turn_of(self.game, self.record)
        chances = undisturbed(self.record.rules, self.left, self.record.gold, turn, limit)
        return chances[INDEX[entry["tile"]]]


def turn_of(game: RuleSet[Any], record: HandRecord) -> int:
    """How many discards every player has made, about: from the discards, the wall, or the tiles seen.

    A record that says nothing of it is taken to be in the middle of a hand.
    """
    table = record.table
    if table.discards:
        turns = len(table.discards) / 4
    elif table.tiles_left is not None:
        whole = 144 if game.has_flowers else 136
        turns = (whole - 4 * (3 * game.sets + 1) - 2 - table.tiles_left) / 4
    elif table.visible:
        turns = len(table.visible) / 4
    else:
        turns = 8
    return max(1, round(turns))


# --- words ----------------------------------------------------------------------------------------------


def _total(settlement: Json | None, seat: str) -> int:
    """All that a win brings, inside the course and outside it."""
    return 0 if settlement is None else int(settlement["payments"][seat] + settlement["bonus"][seat])


def _tile(entry: Json) -> Text:
    return NAMES[INDEX[entry["tile"]]]


def _names(codes: list[str], most: int = 6) -> Text:
    """Tiles by name; of many only the first."""
    listed = join([NAMES[INDEX[code]] for code in codes[:most]])
    if len(codes) > most:
        return Text(f"{listed.zh}等", f"{listed.zh_hant}等", f"{listed.en}, …")
    return listed


def _steps(count: int) -> Text:
    return Text(str(count), str(count), f"{count} step" if count == 1 else f"{count} steps")


def _price(settlement: Json, record: HandRecord) -> Text:
    """What each loser pays, or the sum where they pay different amounts."""
    paid = {-settlement["payments"][seat] for seat in others(record.seat)}
    bonus = -min(settlement["bonus"].values())
    if len(paid) > 1:
        total = _total(settlement, record.seat)
        return Text(f"共收 {total} 分", f"共收 {total} 分", f"{total} in all")
    each = paid.pop()
    if bonus:
        return Text(
            f"每家付 {each}，课外再付 {bonus}",
            f"每家付 {each}，課外再付 {bonus}",
            f"{each} from each and {bonus} outside the chips",
        )
    return Text(f"每家付 {each}", f"每家付 {each}", f"{each} from each")


def _why_win(settlement: Json, record: HandRecord, ranked: list[_Judged]) -> Text:
    """Why to win now, beside the best 游金 discard if there is one."""
    price = _price(settlement, record)
    best = next((item for item in ranked if item.chance is not None and item.break_even is not None), None)
    if best is None or best.chance is None:
        return Text("现在就胡：{price}。", "現在就胡：{price}。", "Win now: {price}.").format(price=price)
    text = Text(
        "现在就胡：{price}，稳拿。打{tile}能赢更多，但这一圈没人胡的机会约 {chance}%。",
        "現在就胡：{price}，穩拿。打{tile}能贏更多，但這一圈沒人胡的機會約 {chance}%。",
        "Win now: {price}, for certain. Discarding {tile} could win more, but only if nobody else wins first, about {chance}%.",
    )
    return text.format(price=price, tile=_tile(best.entry), chance=round(100 * best.chance))


_NAMES: Final[dict[str, dict[str, Text]]] = {
    "xiamen": {
        "youjin": Text("游金", "游金", "游金"),
        "double_youjin": Text("双游", "雙游", "雙游"),
        "triple_youjin": Text("三游", "三游", "三游"),
    },
    "zhangzhou": {
        "youjin": Text("单游", "單游", "單游"),
        "double_youjin": Text("双游", "雙游", "雙游"),
        "triple_youjin": Text("三游", "三游", "三游"),
    },
    "yunxiao": {
        "youjin": Text("单游金", "單游金", "單游金"),
        "double_youjin": Text("双游金", "雙游金", "雙游金"),
        "triple_youjin": Text("三游金", "三游金", "三游金"),
    },
    "jinhua": {"youjin": Text("敲响", "敲響", "敲響")},
    "hangzhou": {
        "youjin": Text("暴头", "暴頭", "暴頭"),
        "double_youjin": Text("财飘", "財飄", "財飄"),
        "triple_youjin": Text("再飘", "再飄", "another 財飄"),
    },
}
