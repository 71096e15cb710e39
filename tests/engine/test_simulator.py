"""Whole games through `engine.game`: no illegal state, no lost tile, no lost point, and every way of winning."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from game_tools import Table
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import api, simulator
from engine.errors import InputError
from engine.game import (
    Claim,
    Deal,
    DeclareKong,
    DeclareWin,
    Discard,
    Draw,
    Event,
    FalseWin,
    FlipGold,
    Game,
    Pass,
    Refused,
    SitOut,
    apply,
    awaited,
    from_json,
    full_set,
    legal_events,
    new_game,
    replay,
    to_json,
    view,
)
from engine.game.state import evolve
from engine.house import HANGZHOU_PATTERNS, JINHUA_PATTERNS
from engine.parsing import parse
from engine.rules import GAMES
from engine.simulator import (
    Tally,
    at_random,
    count_tiles,
    greedy,
    play_hand,
    play_many,
    shuffled_wall,
    throw,
    youjin_seeker,
)
from engine.tiles import INDEX

if TYPE_CHECKING:
    from collections.abc import Sequence

LINE_UPS = ([at_random] * 4, [greedy] * 4, [youjin_seeker] * 4, [greedy, youjin_seeker, at_random, greedy])

#: Every way of winning a settlement can name (RULES XM 3, ZZ 3, YX 3, JH 4, HZ 1.4), and the drawn hand.
METHODS = {
    "xiamen": {"discard", "self_draw", "rob_kong", "gold_grab", "three_golds", "opening", "draw"}
    | {"youjin", "double_youjin", "triple_youjin"},
    "zhangzhou": {"discard", "self_draw", "rob_kong", "gold_grab", "three_golds", "opening", "draw"}
    | {"youjin", "double_youjin", "triple_youjin"},
    "yunxiao": {"discard", "self_draw", "rob_kong", "gold_grab", "three_golds", "opening", "earth", "draw"}
    | {"youjin", "double_youjin", "triple_youjin", "kong_exposed", "kong_concealed"}
    | {"terminals", "unrelated", "seven_pairs", "pure_suit"},
    "jinhua": {"discard", "self_draw", "rob_kong", "opening", "draw"},
    "hangzhou": {"self_draw", "piao", "draw"},
}
PATTERNS = {"jinhua": set(JINHUA_PATTERNS), "hangzhou": {*HANGZHOU_PATTERNS, "piao"}}

# What hands as they fall do not show in a short run, or hardly ever: walls arranged for it, played by the same
# players. Hands of the seats from the dealer on, tiles drawn, tiles of the tail, gold, and who plays.
Arranged = tuple[str, list[str], str, str, str | None]
_XM_YOU = "222p 678p 345s 67s 5z 8s 345m"
ARRANGED: dict[str, Arranged] = {
    "xm heaven": ("xiamen", ["111p 234m 567m 345s 789s 22z"], "", "", "9p"),
    "xm gold grab": ("xiamen", ["", "123m 456m 789m 234s 55s 77s"], "", "", "4p"),
    "xm three golds": ("xiamen", ["", "", "999p"], "", "", "9p"),
    "xm youjin": ("xiamen", [_XM_YOU + "1z"], "9m 9m 1m 3z", "", "8s"),
    "xm double": ("xiamen", [_XM_YOU + "1z"], "9m 9m 1m 8s 9m 2p 9s 3z", "", "8s"),
    "xm triple": ("xiamen", [_XM_YOU + "1z"], "9m 9m 1m 8s 9m 2s 9s 8s", "", "8s"),
    "zz heaven": ("zhangzhou", ["111p 234m 567m 345s 789s 22z"], "", "", "9p"),
    "zz gold grab": ("zhangzhou", ["", "123m 456m 789m 111z 34p 88s"], "", "", "9s"),
    "zz three golds": ("zhangzhou", ["", "", "999p"], "", "", "9p"),
    "zz youjin": ("zhangzhou", ["123p 111m 789m 456m 222z 6s 4p"], "9m 9p 1s 3z", "", "6s"),
    "zz double": ("zhangzhou", ["123p 111m 789m 456m 222z 66s"], "9p 2p 9s 3z", "", "6s"),
    "zz triple": ("zhangzhou", ["123p 111m 789m 456m 222z 66s"], "9p 2p 9s 6s", "", "6s"),
    "yx heaven": ("yunxiao", ["111p 234m 567m 345s 22z"], "", "", "9p"),
    "yx gold grab": ("yunxiao", ["", "123m 456m 789m 55s 77s"], "", "", "4p"),
    "yx three golds": ("yunxiao", ["", "333m"], "9s", "", "3m"),
    "yx youjin": ("yunxiao", ["", "345m 222p 678p 345s 8s"], "", "", "8s"),
    "yx double": ("yunxiao", ["123p 345m 789m 123s 66s"], "9p 2p 9s 3z", "", "6s"),
    "yx triple": ("yunxiao", ["123p 345m 789m 123s 66s"], "9p 2p 9s 6s 9p 1p 8s 3z", "", "6s"),
    "yx terminals": ("yunxiao", ["", "119m 9p 19s 12234z 5z 1p"], "7z", "", "1p"),
    "yx unrelated": ("yunxiao", ["", "147m 258p 369s 1236z"], "7z", "", "5m"),
    "yx seven pairs": ("yunxiao", ["", "1133m 2255p 66s 77z 8p"], "8p", "", "9m"),
    "yx pure suit": ("yunxiao", ["", "123s 999s 678s 23s 11s"], "4s", "", "5m"),
    "yx kong": ("yunxiao", ["", "444s 123m 67m 99p 123p"], "4s", "8m", "5p"),
    "jh heaven": ("jinhua", ["111p 234m 567m 345s 22z"], "", "", "9p"),
    "jh wild pair": ("jinhua", ["", "111z 456m 789p 345s 2m"], "2m", "", "2m"),
    "jh wild triplet": ("jinhua", ["", "111z 456m 789p 222m 8s"], "8s", "", "2m"),
    "jh seven winds": ("jinhua", ["", "147m 25p 3s 123467z 5z"], "9s", "", "5s"),
    "jh unrelated": ("jinhua", ["", "147m 258p 369s 1236z"], "7z", "", "5s"),
    "jh loose honours": ("jinhua", ["", "1122z 44z 666z 777z 5z"], "3z", "", "5m"),
    "jh ordered honours": ("jinhua", ["", "111z 333z 222z 666z 7z"], "7z", "", "5m"),
    "jh pure suit": ("jinhua", ["", "123s 345s 678s 999s 2s"], "2s", "", "5m"),
    "jh pure suit wild": ("jinhua", ["", "123s 34s 678s 999s 5s 7s"], "7s", "", "5s"),
    "jh mixed suit": ("jinhua", ["", "111z 123s 456s 99s 33z"], "3z", "", "5m"),
    "jh pure seven pairs": ("jinhua", ["", "1133m 2255p 66s 77z 8p"], "8p", "", "9m"),
    "jh seven pairs": ("jinhua", ["", "1133m 2255p 6s 77z 8p 9m"], "8p", "", "9m"),
    "jh seven pairs baotou": ("jinhua", ["", "1133m 2255p 66s 77z 9m"], "4s", "", "9m"),
    "jh kong bloom": ("jinhua", ["", "444s 123m 67m 99p 123p"], "4s", "8m", "5p"),
    "jh all pongs": ("jinhua", ["2p", "22p 88s 33z 55m 77p 14m 1s"], "", "", "1m"),
    "hz luxury": ("hangzhou", ["", "11m 2222p 55p 66s 77z 8p"], "8p", "", None),
    "hz double luxury": ("hangzhou", ["", "2222p 5555p 66s 77z 8p"], "8p", "", None),
    "hz triple luxury": ("hangzhou", ["", "2222p 5555p 6666s 8p"], "8p", "", None),
    "hz baotou": ("hangzhou", ["", "123m 456p 789s 222z 5z"], "4s", "", None),
    "hz piao": ("hangzhou", ["", "123m 456p 789s 222z 5z"], "5z 1z 1z 1z 4s", "", None),
    "hz seven pairs": ("hangzhou", ["", "1133m 2255p 66s 77z 8p"], "8p", "", None),
}


def drawer(game: Game, seat: str, moves: Sequence[Event], rng: random.Random) -> Event:
    """Takes nothing from anybody: waits for the own draw, and declares exposed kongs where there is a choice."""
    for move in moves:
        if isinstance(move, (Pass, Draw)) and not any(_own(other) for other in moves):
            return move
    kongs = [move for move in moves if isinstance(move, DeclareKong)]
    return kongs[-1] if kongs and not any(_own(move) for move in moves) else greedy(game, seat, moves, rng)


def _own(move: Event) -> bool:
    return isinstance(move, DeclareWin) and move.by in ("self_draw", "youjin_declared")


def seeker(level: int) -> Any:
    """A player who wins only in this 游金 state, and goes for it with every discard."""

    def player(game: Game, seat: str, moves: Sequence[Event], rng: random.Random) -> Event:
        assert game.hand is not None
        state = game.hand.players["ABCD".index(seat)].youjin
        if state < level:
            waiting = [move for move in moves if isinstance(move, (Pass, Draw))]
            if waiting:
                return waiting[0]
            discards = [move for move in moves if isinstance(move, Discard)]
            if discards:
                opening = [move for move in discards if move.tile == game.hand.gold]
                return (
                    opening[0] if opening and state + 1 >= 1 and level > 1 else youjin_seeker(game, seat, discards, rng)
                )
        return greedy(game, seat, moves, rng)

    return player


#: Who plays the arranged walls.
PLAYERS = (greedy, youjin_seeker, drawer, seeker(1), seeker(2), seeker(3))


def play(name: str, player: Any) -> Game:
    """One hand on an arranged wall."""
    rules, hands, draws, tail, gold = ARRANGED[name]
    table = Table(rules, hands, draws=draws, tail=tail, gold=gold)
    game = new_game(rules, dealer="A")
    return play_hand(game, random.Random(3), [player] * 4, wall=table.wall, dice=(1, 1))


def reached(rules: str, hands: int, seed: int) -> Tally:
    """Methods and patterns of hands as they fall, line-up after line-up."""
    total = Tally()
    for turn, players in enumerate(LINE_UPS):
        tally = play_many(rules, hands // len(LINE_UPS), seed + turn, players)
        total.hands += tally.hands
        total.events += tally.events
        total.methods.update(tally.methods)
        total.patterns.update(tally.patterns)
        total.kinds.update(tally.kinds)
    return total


@pytest.mark.parametrize("rules", sorted(GAMES))
def test_hands_as_they_fall(rules: str) -> None:
    """Every event is legal, tiles are conserved and payments sum to zero at each step (checked by `play_many`)."""
    tally = reached(rules, 60, 11)
    assert tally.hands == 60
    assert tally.methods["draw"] > 0
    assert sum(tally.methods.values()) == 60


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("rules", sorted(GAMES))
def test_ten_thousand_hands_and_every_method(rules: str) -> None:
    tally = reached(rules, 10_000, 77)
    arranged = Counter[str]()
    patterns = Counter[str]()
    for name in (name for name in ARRANGED if ARRANGED[name][0] == rules):
        for player in PLAYERS:
            method, found = outcome(play(name, player))
            arranged[method] += 1
            patterns.update(found)
    for script in SCRIPTED.get(rules, ()):
        method, found = outcome(script())
        arranged[method] += 1
        patterns.update(found)
    print(f"\n{rules}: {tally.hands} hands, {tally.events} events")  # noqa: T201  # the figures of the run
    print("  as they fall:", dict(tally.methods), dict(tally.patterns))  # noqa: T201
    missing = METHODS[rules] - set(tally.methods)
    print("  methods only on arranged walls:", sorted(missing & set(arranged)))  # noqa: T201
    absent = PATTERNS.get(rules, set()) - set(tally.patterns)
    print("  patterns only on arranged walls:", sorted(absent & set(patterns)))  # noqa: T201
    assert tally.hands == 10_000
    assert not missing - set(arranged)
    assert not absent - set(patterns)


def outcome(game: Game) -> tuple[str, set[str]]:
    """The method and the patterns of the hand that has ended."""
    assert game.hand is not None
    result = game.hand.result
    assert result is not None
    if result.settlement is None:
        return result.kind, set()
    return result.settlement.method, {pattern.key for pattern in result.settlement.patterns}


def all_claimed() -> Game:
    """Jinhua: four pongs from A's discards, and the single tile left is won on his fifth (JH-05)."""
    hands = ["2p 8s 3z 9p 4s 1s 5s 9s 1p 5p", "22p 88s 33z 99p 4s 1z 2z 4z 6z"]
    table = Table("jinhua", hands, draws="777z 555z 666z 111z", gold="1m").start()
    for kind, thrown in (("2p", "1z"), ("8s", "2z"), ("3z", "4z"), ("9p", "6z")):
        table.discard("A", kind).claim("B", "pong")
        table.throw("B", thrown)
        table.turn("C")
        table.turn("D")
        table.draw("A")
    table.discard("A", "4s").do(DeclareWin("B", "discard"))
    return table.game


def robbed(rules: str) -> Game:
    """C has ponged 8m and adds the fourth; B, ready on 5m and 8m, robs it."""
    hands = ["8m 1z", "123m 678s 99p 67m 123s", "88m 147p 258s 12345z"]
    table = Table(rules, hands, draws="777z 8m", tail="1p", gold="6p").start()
    table.discard("A", "8m").claim("C", "pong").let_go()
    table.throw("C", "1z")
    for seat in "DAB":
        table.turn(seat)
    table.draw("C").do(DeclareKong("C", INDEX["8m"]), DeclareWin("B", "rob_kong"))
    return table.game


@pytest.mark.parametrize("rules", ["yunxiao", "jinhua"])
def test_robbing_an_added_kong(rules: str) -> None:
    game = robbed(rules)
    assert outcome(game)[0] == "rob_kong"
    assert game.points == {"yunxiao": (-20, 60, -20, -20), "jinhua": (-5, 20, -10, -5)}[rules]


#: Played by hand, because no player of the simulator goes for it: the games that show it.
SCRIPTED = {"jinhua": (all_claimed, lambda: robbed("jinhua")), "yunxiao": (lambda: robbed("yunxiao"),)}


def test_jh_05_all_claimed_and_all_pongs() -> None:
    method, patterns = outcome(all_claimed())
    assert (method, patterns) == ("discard", {"all_claimed", "all_pongs"})


@pytest.mark.parametrize("name", sorted(ARRANGED))
def test_arranged_walls(name: str) -> None:
    """Each arranged wall shows something another player does not reach; together they show every rare win."""
    rules = ARRANGED[name][0]
    for player in (greedy, drawer, seeker(3)):
        method, patterns = outcome(play(name, player))
        assert method in METHODS[rules]
        assert patterns <= PATTERNS.get(rules, set())


def test_arranged_walls_reach_what_is_rare() -> None:
    found = {
        (ARRANGED[name][0], outcome(play(name, player))[0])
        for name in ("xm double", "xm triple", "zz double", "zz triple", "yx double", "yx triple", "yx kong", "hz piao")
        for player in (seeker(1), seeker(2), seeker(3), drawer)
    }
    for rules in ("xiamen", "zhangzhou", "yunxiao"):
        assert {(rules, "double_youjin"), (rules, "triple_youjin")} <= found
    assert {("yunxiao", "kong_exposed"), ("hangzhou", "piao")} <= found


# --- the fold itself ------------------------------------------------------------------------------------


def anything(game: Game, seat: str, rng: random.Random) -> Event:
    """An event that may or may not be allowed."""
    tile = rng.randrange(34)
    hand = game.hand
    offered = tile if hand is None or hand.offered is None else hand.offered
    mates = tuple(sorted((max(0, offered - rng.choice((1, 2))), min(33, offered + 1))))
    return rng.choice(
        [
            Draw(seat),
            Pass(seat),
            Discard(seat, tile),
            Claim(seat, "pong"),
            Claim(seat, "kong"),
            Claim(seat, "chow", mates),
            DeclareKong(seat, tile, rng.random() < 0.3),
            FlipGold((1, 2)),
            DeclareWin(seat, rng.choice(("discard", "self_draw", "rob_kong", "gold_grab", "three_golds", "opening"))),
        ]
    )


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(sorted(GAMES)))
def test_only_legal_events_are_accepted(seed: int, rules: str) -> None:
    """`legal_events` and `apply` agree, a refused event leaves a reason, and undoing is one event fewer."""
    rng = random.Random(seed)
    start = new_game(rules, dealer="A")
    game = start
    events: list[Event] = []
    players = rng.choice(LINE_UPS)
    while len(events) < 120 and (game.running or not events):
        if not events:
            event: Event = Deal(shuffled_wall(game, rng), "A")
        elif game.hand is not None and game.hand.phase == "flip":
            event = throw(rng)
        else:
            seat = rng.choice(awaited(game))
            moves = legal_events(game, seat)
            event = players[0](game, seat, moves, rng)
            stranger = rng.choice("ABCD")
            wild = anything(game, stranger, rng)
            if wild not in legal_events(game, stranger):
                with pytest.raises(Refused) as found:
                    apply(game, wild)
                assert found.value.text.zh
                assert found.value.text.zh_hant
                assert found.value.text.en
                assert found.value.paragraph
            if moves:
                # Every move that is offered is accepted.
                apply(game, rng.choice(moves))
        assert from_json(to_json(event)) == event
        before = game
        game = apply(game, event)
        events.append(event)
        if rng.random() < 0.05:
            assert replay(start, events[:-1]) == before
            assert replay(start, events) == game
    assert count_tiles(game.hand) == Counter(full_set(game.ruleset))  # type: ignore[arg-type]


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(sorted(GAMES)))
def test_what_a_seat_sees_is_a_hand_record(seed: int, rules: str) -> None:
    """At any moment the view of a seat can be written, read again, and asked for options or claims."""
    rng = random.Random(seed)
    game = new_game(rules, dealer="A")
    steps = rng.randrange(5, 90)

    def watch(state: Game, event: Event) -> None:
        nonlocal steps
        steps -= 1
        if steps or state.hand is None or state.hand.gold is None or not state.running:
            return
        for seat in "ABCD":
            record = view(state, seat)
            player = state.hand.players["ABCD".index(seat)]
            if state.hand.phase == "robbing" or player.loose:
                continue
            data = record.as_json()
            assert parse(data, GAMES) == record
            if record.drawn is not None:
                assert "error" not in api.options(data)
            elif record.offered is not None:
                answer = api.claims(data)
                assert "error" not in answer

    play_hand(game, rng, rng.choice(LINE_UPS), watch=watch)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(sorted(GAMES)))
def test_players_may_sit_out_at_any_moment(seed: int, rules: str) -> None:
    """相公 at any moment: the hand still ends, and no tile is lost."""
    rng = random.Random(seed)
    game = apply(new_game(rules, dealer="A"), Deal(shuffled_wall(new_game(rules), rng), "A"))
    whole = Counter(full_set(game.ruleset))
    out = 0
    for _ in range(600):
        if not game.running:
            break
        assert game.hand is not None
        assert count_tiles(game.hand) == whole
        if game.hand.phase == "flip":
            game = apply(game, throw(rng))
            continue
        if rng.random() < 0.01 and out < 4:
            seat = rng.choice([seat for seat in "ABCD" if not game.hand.players["ABCD".index(seat)].sitting_out])
            game = apply(game, SitOut(seat))
            out += 1
            continue
        seat = rng.choice(awaited(game))
        game = apply(game, greedy(game, seat, legal_events(game, seat), rng))
    assert not game.running
    assert sum(game.points) == 0


def test_a_game_of_many_hands_is_the_list_of_its_events() -> None:
    rng = random.Random(5)
    start = new_game("xiamen")
    events: list[Event] = []
    game = start
    for _ in range(6):
        game = play_hand(game, rng, [greedy] * 4, watch=lambda _, event: events.append(event))
    assert replay(start, [from_json(to_json(event)) for event in events]) == game
    assert sum(game.points) == 0
    assert game.deals == 6


def test_false_win_ends_a_xiamen_hand_at_any_moment() -> None:
    rng = random.Random(9)
    game = apply(new_game("xiamen"), Deal(shuffled_wall(new_game("xiamen"), rng)))
    ended = apply(game, FalseWin("D"))
    assert ended.outside == (50, 50, 50, -150)


def test_a_hand_that_nobody_can_go_on_with_is_a_fault() -> None:
    game = new_game("jinhua")

    def stuck(state: Game, seat: str, moves: Sequence[Event], rng: random.Random) -> Event:
        raise RuntimeError(f"{seat} gives up")

    with pytest.raises(RuntimeError, match="gives up"):
        play_hand(game, random.Random(1), [stuck] * 4)


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ([], ""),
        ({"type": "steal"}, "type"),
        ({"type": []}, "type"),
        ({"type": "draw"}, "seat"),
        ({"type": "draw", "seat": "E"}, "seat"),
        ({"type": "draw", "seat": "A", "tile": "1m"}, "tile"),
        ({"type": "discard", "seat": "A"}, "tile"),
        ({"type": "discard", "seat": "A", "tile": "1f"}, "tile"),
        ({"type": "claim", "seat": "A"}, "kind"),
        ({"type": "claim", "seat": "A", "kind": "steal"}, "kind"),
        ({"type": "win", "seat": "A"}, "by"),
        ({"type": "win", "seat": "A", "by": "luck"}, "by"),
        ({"type": "deal"}, "wall"),
        ({"type": "flip_gold", "dice": [1, 7]}, "dice"),
        ({"type": "flip_gold"}, "dice"),
    ],
)
def test_what_is_no_event(data: object, field: str) -> None:

    with pytest.raises(InputError) as found:
        from_json(data)
    assert found.value.field == field


@pytest.mark.parametrize(
    "data",
    [
        {"type": "draw", "seat": "A"},
        {"type": "flowers", "seat": "A"},
        {"type": "pass", "seat": "B"},
        {"type": "false_win", "seat": "B"},
        {"type": "sit_out", "seat": "B"},
        {"type": "new_course"},
        {"type": "flip_gold", "dice": [3, 4]},
        {"type": "discard", "seat": "D", "tile": "5z"},
        {"type": "claim", "seat": "D", "kind": "chow", "using": "46m"},
        {"type": "claim", "seat": "D", "kind": "pong"},
        {"type": "kong", "seat": "D", "tile": "1m"},
        {"type": "kong", "seat": "D", "tile": "1m", "exposed": True},
        {"type": "win", "seat": "D", "by": "self_draw"},
        {"type": "win", "seat": "A", "by": "gold_grab", "removed": "4z"},
        {"type": "deal", "wall": "1m2m3m"},
        {"type": "deal", "wall": "1m2m3m", "dealer": "C"},
    ],
)
def test_events_are_read_as_they_are_written(data: dict[str, Any]) -> None:
    assert to_json(from_json(data)) == data


def test_players_without_a_hand_take_the_first_move() -> None:
    for player in (greedy, youjin_seeker):
        assert player(new_game("jinhua"), "A", [Pass("A"), Draw("A")], random.Random(1)) == Pass("A")


def test_faults_of_the_engine_do_not_pass_unnoticed(monkeypatch: pytest.MonkeyPatch) -> None:
    game, rng = new_game("jinhua"), random.Random(1)
    with pytest.raises(AssertionError, match="has not ended"):
        Tally().count(game)
    with monkeypatch.context() as patch:
        patch.setattr(simulator, "legal_events", lambda _game, _seat: [])
        with pytest.raises(AssertionError, match="has no move"):
            play_hand(game, rng, [greedy] * 4)
    with monkeypatch.context() as patch:
        patch.setattr(simulator, "_MOST_EVENTS", 5)
        with pytest.raises(AssertionError, match="does not end"):
            play_hand(game, rng, [greedy] * 4)
    with monkeypatch.context() as patch:
        patch.setattr(simulator, "count_tiles", lambda _hand: Counter[int]())
        with pytest.raises(AssertionError, match="lost or doubled"):
            play_many("jinhua", 1, 1, [greedy] * 4)
        assert play_many("jinhua", 1, 1, [greedy] * 4, check=False).hands == 1
    with monkeypatch.context() as patch:
        crooked = evolve(game, points=(1, 0, 0, 0))
        patch.setattr(simulator, "new_game", lambda _rules, _house: crooked)
        with pytest.raises(AssertionError, match="do not add up"):
            play_many("jinhua", 1, 1, [greedy] * 4)
