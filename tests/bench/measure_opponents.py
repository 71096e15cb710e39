"""How far along greedy players are, for the light model of `engine.advice`: prints the table ``OPPONENTS``.

Run: ``python tests/bench/measure_opponents.py [HANDS]``.
"""

from __future__ import annotations

import random
import sys
from collections import Counter

from engine import shapes
from engine.game import Discard, Event, Game, new_game
from engine.game.state import SEAT_NUMBERS
from engine.game.views import record_of
from engine.rules import GAMES
from engine.simulator import greedy, play_hand

TURNS = 16


def measure(rules: str, hands: int, seed: int = 7) -> str:
    """The line of one game."""
    rng = random.Random(seed)
    game = new_game(rules)
    ruleset = game.ruleset
    discards: Counter[int] = Counter()
    ready: Counter[int] = Counter()
    waits: Counter[int] = Counter()
    golds: Counter[int] = Counter()
    won: list[float] = []

    def watch(state: Game, event: Event) -> None:
        hand = state.hand
        if not isinstance(event, Discard) or hand is None:
            return
        number = SEAT_NUMBERS[event.seat]
        player = hand.players[number]
        turn = min(TURNS, len(player.discards))
        discards[turn] += 1
        record = record_of(state, hand, number)
        concealed = shapes.Concealed.from_packed(player.tiles, hand.gold, ruleset.sets - len(player.melds))
        if ruleset.distance(concealed, record) == 1:
            ready[turn] += 1
            waits[min(9, max(1, len(ruleset.waits(concealed, record))))] += 1
            golds[min(2, concealed.wilds)] += 1

    for _ in range(hands):
        game = play_hand(game, rng, [greedy] * 4, watch=watch)
        result = None if game.hand is None else game.hand.result
        if result is not None and result.settlement is not None:
            won.append(result.settlement.total / 3)
    share = [ready[turn] / discards[turn] if discards[turn] else 0.0 for turn in range(1, TURNS + 1)]
    rising = tuple(round(max(share[: turn + 1]), 2) for turn in range(TURNS))
    return (
        f'    "{rules}": Opponents(\n'
        f"        ready={rising},\n"
        f"        waits={_shares([waits[count] for count in range(1, 10)])},\n"
        f"        golds={_shares([golds[count] for count in range(3)])},\n"
        f"        loss={sum(won) / len(won):.1f},\n"
        "    ),"
    )


def _shares(counts: list[int]) -> tuple[float, ...]:
    """Parts of the whole, in hundredths that add up to one."""
    shares = [round(count / sum(counts), 2) for count in counts]
    largest = shares.index(max(shares))
    shares[largest] = round(shares[largest] + 1 - sum(shares), 2)
    return tuple(shares)


if __name__ == "__main__":
    for name in GAMES:
        print(measure(name, int(sys.argv[1]) if len(sys.argv) > 1 else 400), flush=True)
