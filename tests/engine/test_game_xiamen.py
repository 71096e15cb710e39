"""The course of a Xiamen hand, by the paragraphs of RULES XM."""

from __future__ import annotations

import pytest
from game_tools import Table

from engine.game import (
    Claim,
    Deal,
    DeclareKong,
    DeclareWin,
    Discard,
    Draw,
    FalseWin,
    FlipGold,
    NewCourse,
    Pass,
    Refused,
    ReplaceFlowers,
    SitOut,
    apply,
    awaited,
    legal_events,
    new_game,
    view,
)
from engine.tiles import CODES, INDEX

# A hand of 16 that nobody can do anything with: no pairs, no neighbours.
LOOSE = "147m 258p 369s 1234567z"
NO_HONOURS = "1479m 2589p 1369s 147m 2p"


def refused(table: Table, *events: object) -> Refused:
    """The refusal of the last event; the state is unchanged by it."""
    table.do(*events[:-1])  # type: ignore[arg-type]
    before = table.game
    with pytest.raises(Refused) as found:
        apply(before, events[-1])  # type: ignore[arg-type]
    assert table.game is before
    for language in ("zh", "zh_hant", "en"):
        assert getattr(found.value.text, language)
    return found.value


# --- deal, flowers, gold --------------------------------------------------------------------------------


def test_xm_1_3_the_dealer_gets_the_tile_after_the_last_round() -> None:
    table = Table("xiamen", ["1m", "2m"], gold="9p").do()
    game = apply(new_game("xiamen"), Deal(table.wall))
    hand = game.hand
    assert hand is not None
    counts = [len(view(game, seat).hand) + len(hand.players[n].loose) for n, seat in enumerate("ABCD")]
    drawn = view(game, "A").drawn
    assert drawn is not None
    assert counts[0] + 1 == 17
    assert counts[1:] == [16, 16, 16]
    assert hand.front == 65
    assert hand.extra == table.wall[64]


def test_xm_1_4_flowers_drawn_as_replacements_wait_for_the_next_round() -> None:
    table = Table("xiamen", ["1f", "2f", "", "3f"], tail="4f 1z 2z 3z", early=4, gold="9p")
    table.do(Deal(table.wall))
    assert awaited(table.game) == ("A",)
    table.do(ReplaceFlowers("A"))
    # A drew the spring's replacement 4f: it waits until B and D have replaced theirs.
    assert table.player("A").loose == (INDEX["4f"],)
    assert awaited(table.game) == ("B",)
    table.do(ReplaceFlowers("B"))
    assert awaited(table.game) == ("D",)
    table.do(ReplaceFlowers("D"))
    assert awaited(table.game) == ("A",)
    table.do(ReplaceFlowers("A"))
    assert table.player("A").flowers == (INDEX["1f"], INDEX["4f"])
    assert table.hand.phase == "flip"


def test_xm_1_4_a_flower_drawn_in_play_is_replaced_at_once_from_the_tail() -> None:
    table = Table("xiamen", [LOOSE], draws="1f", tail="9m", gold="9p").start()
    table.throw("A", "1z")
    assert refused(table, Draw("B"), Discard("B", INDEX["1m"])).code == "flowers_first"
    assert legal_events(table.game, "B") == [ReplaceFlowers("B")]
    table.do(ReplaceFlowers("B"))
    assert table.player("B").drawn == INDEX["9m"]
    assert table.player("B").flowers == (INDEX["1f"],)


def test_xm_1_5_a_flower_turned_up_is_put_back_and_the_dice_are_thrown_again() -> None:
    table = Table("xiamen", [LOOSE], gold="9p")
    wall = list(table.wall)
    flower = wall.index(INDEX["1f"])
    # The third tile from the end becomes a flower, the gold stays the second.
    wall[flower], wall[-3] = wall[-3], wall[flower]
    table.do(Deal(tuple(wall)))
    table.do(FlipGold((1, 2)))
    assert table.hand.phase == "flip"
    assert table.hand.turned == (INDEX["1f"],)
    assert table.hand.wall == tuple(wall)
    table.do(FlipGold((1, 1)))
    assert table.hand.gold == INDEX["9p"]
    assert len(table.hand.wall) == 143
    assert refused(table, FlipGold((1, 1))).code == "not_now"


def test_dice_have_six_faces() -> None:
    table = Table("xiamen", [LOOSE])
    table.do(Deal(table.wall))
    assert refused(table, FlipGold((0, 7))).paragraph == "XM 1.5"


def test_the_wall_is_the_whole_set() -> None:
    with pytest.raises(Refused, match="144"):
        apply(new_game("xiamen"), Deal((1, 2, 3)))


def test_xm_1_10_the_dealer_is_not_chosen() -> None:
    table = Table("xiamen", [LOOSE])
    with pytest.raises(Refused) as found:
        apply(table.game, Deal(table.wall, "C"))
    assert found.value.paragraph == "XM 1.10"


# --- wins as dealt --------------------------------------------------------------------------------------

HEAVEN = "111p 234m 567m 345s 789s 2z 2z"


def test_xm_09_heaven_goes_before_three_golds() -> None:
    table = Table("xiamen", [HEAVEN, "", "999p"], gold="9p").start(opening=True)
    assert awaited(table.game) == ("A",)
    assert refused(table, DeclareWin("C", "three_golds")).code == "wait_for_higher"
    table.do(DeclareWin("A", "opening"))
    assert table.game.points == (204, -68, -68, -68)
    result = table.hand.result
    assert result is not None
    assert (result.winner, result.next.dealer, result.next.dealer_streak) == ("A", "A", 1)


def test_xm_3_3_three_golds_as_dealt_after_a_declined_heaven() -> None:
    table = Table("xiamen", [HEAVEN, "", "999p"], gold="9p").start(opening=True)
    table.do(Pass("A"))
    assert awaited(table.game) == ("C",)
    table.do(DeclareWin("C", "three_golds"))
    # (8 + 3 golds) × 4 and 50 outside.
    assert table.game.points == (-44, -44, 132, -44)
    assert table.game.outside == (-50, -50, 150, -50)
    assert table.game.dealer == "B"


def test_xm_3_3_a_dealer_with_heaven_and_three_golds_takes_the_better() -> None:
    table = Table("xiamen", ["111p 234m 567m 345s 78s 999p"], gold="9p").start(opening=True)
    wins = [event for event in legal_events(table.game, "A") if isinstance(event, DeclareWin)]
    assert {win.by for win in wins} == {"opening", "three_golds"}


GRAB = "123m 456m 789m 234s 55s 77s"


def test_xm_08_robbing_the_gold_nearest_to_the_dealer_first() -> None:
    table = Table("xiamen", [LOOSE, "", GRAB, "123m 456m 789m 678s 99s 88p"], gold="4p").start(opening=True)
    assert awaited(table.game) == ("C",)
    table.do(DeclareWin("C", "gold_grab"))
    assert table.hand.gold_taken
    # (8 + 1 gold) × 4
    assert table.game.points == (-36, -36, 108, -36)


def test_xm_3_3_the_dealer_robs_the_gold_last_and_puts_a_tile_aside() -> None:
    dealer = GRAB + " 4z"
    table = Table("xiamen", [dealer, "123m 456m 789m 678s 99s 88p"], gold="4p").start(opening=True)
    assert awaited(table.game) == ("B",)
    table.do(Pass("B"))
    assert awaited(table.game) == ("A",)
    assert refused(table, DeclareWin("A", "gold_grab", INDEX["1m"])).code == "no_such_win_now"
    table.do(DeclareWin("A", "gold_grab"))
    assert table.hand.aside == INDEX["4z"]
    assert table.game.points == (204, -68, -68, -68)


def test_qiangjin_timing_first_turn() -> None:
    house = {"qiangjin_timing": "first_turn", "follow_discard": False}
    table = Table("xiamen", [LOOSE, GRAB], gold="4p", house=house).start(opening=True)
    assert table.hand.phase == "turn"
    table.throw("A", "1z")
    assert legal_events(table.game, "B") == [DeclareWin("B", "gold_grab"), Draw("B")]
    table.do(DeclareWin("B", "gold_grab"))
    assert table.game.points == (-36, 108, -36, -36)


# --- turns and claims -----------------------------------------------------------------------------------


def test_xm_2_1_out_of_turn() -> None:
    table = Table("xiamen", [LOOSE]).start()
    assert refused(table, Discard("B", 0)).paragraph == "XM 2.1"
    assert refused(table, Draw("A")).code == "not_now"
    assert refused(table, Discard("A", INDEX["9m"])).code == "tile_not_held"
    assert refused(table, Pass("A")).code == "not_now"
    assert refused(table, Deal(table.wall)).code == "hand_running"


def test_nothing_before_the_deal() -> None:
    game = new_game("xiamen")
    assert legal_events(game, "A") == []
    assert awaited(game) == ()
    with pytest.raises(Refused, match="deal first"):
        apply(game, Draw("A"))


def test_xm_2_2_win_before_pong_before_chow_and_the_nearest_first() -> None:
    ready = "123m 678s 99s 56s 789m 234p"
    table = Table(
        "xiamen",
        ["7s" + "147m 258p 39s 1234567z", "68s 147m 25p 39p 234567z 1z", ready, "77s 4m 258p 369s 1234z 69m"],
        gold="9p",
    ).start()
    table.do(Discard("A", INDEX["7s"]))
    assert set(awaited(table.game)) == {"B", "C", "D"}
    table.claim("B", "chow", "68s")
    assert refused(table, Pass("B")).code == "answered"
    assert refused(table, Claim("B", "pong")).code == "answered"
    table.claim("D", "pong")
    assert table.hand.phase == "claiming"
    table.do(DeclareWin("C", "discard"))
    result = table.hand.result
    assert result is not None
    assert result.winner == "C"


def test_xm_2_2_a_pong_goes_before_a_chow() -> None:
    table = Table("xiamen", ["7s" + "147m 258p 39s 1234567z", "68s", "", "77s"], gold="9p").start()
    table.do(Discard("A", INDEX["7s"]))
    table.claim("B", "chow", "68s").claim("D", "pong")
    assert table.hand.turn == 3
    assert table.player("D").melds[0].source == "A"
    assert table.player("B").melds == ()
    assert table.hand.river == ()


def test_xm_18_the_nearest_winner_takes_it() -> None:
    one = "123m 678s 99s 56s 789m 234p"
    two = "456m 678s 33p 68s 789p 111m"
    table = Table("xiamen", ["7s" + "258m 258p 39s 1234567z", one, "", two], gold="1p").start()
    table.do(Discard("A", INDEX["7s"]), DeclareWin("D", "discard"))
    assert table.hand.phase == "claiming"
    table.do(DeclareWin("B", "discard"))
    assert table.game.points == (-8, 24, -8, -8)


def test_xm_b1_follow_discard() -> None:
    first = "1z 2z 7z 147m 258p 369s 4566z 1m"
    you = "1z 7z 3z 22z 147m 258p 369s 56m"
    table = Table("xiamen", [first, you], draws="9s 9s", gold="9p").start()
    table.throw("A", "1z")
    table.do(Draw("B"))
    # Only 1z lies there yet.
    assert [event.tile for event in legal_events(table.game, "B") if isinstance(event, Discard)] == [INDEX["1z"]]
    found = refused(table, Discard("B", INDEX["3z"]))
    assert (found.code, found.paragraph) == ("must_follow", "XM 2.8")
    table.throw("B", "1z")


def test_xm_b4_a_pong_let_go_may_still_be_chowed() -> None:
    house = {"follow_discard": False}
    table = Table("xiamen", ["1m", "", "5p", "55p 46p 258m 147s 12345z 9m"], draws="5p", gold="9s", house=house).start()
    table.throw("A", "1m")
    table.draw("B").do(Discard("B", INDEX["5p"]))
    assert "D" in awaited(table.game)
    table.let_go()
    table.draw("C").do(Discard("C", INDEX["5p"]))
    found = refused(table, Claim("D", "pong"))
    assert (found.code, found.paragraph) == ("passed_this_circle", "XM 2.6")
    table.claim("D", "chow", "46p")
    assert table.player("D").melds[0].kind == "chow"


def test_xm_b5_a_win_let_go_is_locked_until_the_own_turn() -> None:
    ready = "123m 678s 99s 45s 789m 234p"
    table = Table(
        "xiamen",
        ["6s" + "147m 258p 39s 1234567z", "6s 147m 258p 39s 1234567z", "", ready],
        gold="1s",
        house={"follow_discard": False},
    ).start()
    table.do(Discard("A", INDEX["6s"]))
    table.let_go()
    table.draw("B").do(Discard("B", INDEX["6s"]))
    assert "D" not in awaited(table.game)
    found = refused(table, DeclareWin("D", "discard"))
    assert (found.code, found.paragraph) == ("passed_this_circle", "XM 2.6")
    while table.hand.phase == "claiming":
        table.do(Pass(awaited(table.game)[0]))
    table.turn("C")
    table.draw("D")
    assert table.player("D").passed == ()


def test_xm_b6_a_white_is_chowed_as_the_face_of_the_gold() -> None:
    table = Table("xiamen", ["5z 147m 258p 369s 123467z", "46m"], gold="5m").start()
    table.do(Discard("A", INDEX["5z"]))
    table.claim("B", "chow", "46m")
    assert table.player("B").melds[0].tiles == (INDEX["4m"], INDEX["6m"], INDEX["5z"])


def test_xm_b7_a_gold_discarded_for_shuangyou_is_nobodys() -> None:
    table = shuangyou("7z")
    found = refused(table, Claim("C", "pong"))
    assert (found.code, found.paragraph) == ("gold_discarded", "R 6")


def test_xm_2_9_a_gold_is_not_discarded_outside_shuangyou() -> None:
    table = Table("xiamen", ["9p" + "147m 25p 369s 1234567z 1m"], gold="9p").start()
    found = refused(table, Discard("A", INDEX["9p"]))
    assert (found.code, found.paragraph) == ("gold_discard", "XM 2.9")


def test_xm_2_9_gold_discard_as_an_offence() -> None:
    house = {"gold_discard": "xianggong"}
    table = Table("xiamen", ["9p" + "147m 25p 369s 1234567z 1m"], gold="9p", house=house).start()
    table.do(Discard("A", INDEX["9p"]))
    assert table.player("A").sitting_out
    assert awaited(table.game) == ("B",)
    found = refused(table, Draw("A"))
    assert (found.code, found.paragraph) == ("sitting_out", "XM 2.13")


def test_xm_2_9_gold_discard_locks_for_one_round() -> None:
    house = {"gold_discard": "lock_one_round", "no_discard_win_with_golds": 3, "follow_discard": False}
    ready = "123m 678s 99s 56s 789m 234p"
    table = Table("xiamen", [ready + "8p", "7s"], draws="7s", gold="8p", house=house).start()
    table.do(Discard("A", INDEX["8p"]))
    table.draw("B").do(Discard("B", INDEX["7s"]))
    assert "A" not in awaited(table.game)
    if table.hand.phase == "claiming":
        assert refused(table, DeclareWin("A", "discard")).code == "lock_one_round"
    table.let_go()
    table.turn("C")
    table.turn("D")
    table.draw("A")
    assert not table.player("A").only_self_draw


def test_xm_b8_a_gold_bars_a_discard_but_not_a_robbed_kong() -> None:
    you = "9p 123m 678s 99s 45s 789m 23p"
    table = Table(
        "xiamen",
        ["3s 147m 258p 69s 1234567z", you, "33s 147m 258p 69s 123467z", ""],
        gold="9p",
    )
    table.start()
    table.do(Discard("A", INDEX["3s"]))
    # B may only chow it.
    assert not any(isinstance(event, DeclareWin) for event in legal_events(table.game, "B"))
    found = refused(table, DeclareWin("B", "discard"))
    assert (found.code, found.paragraph) == ("holds_gold", "XM 2.4")


def robbing() -> Table:
    """C has an old pong of 3s and adds the fourth; B waits on 3s with a gold in hand."""
    you = "9p 123m 678s 99s 45s 789m 23p"
    table = Table(
        "xiamen",
        ["3s 147m 258p 69s 1234567z 9m", you, "33s 147m 258p 69s 12346z 2m", ""],
        draws="1s1s1s3s",
        tail="9m",
        gold="9p",
        house={"follow_discard": False},
    ).start()
    table.do(Discard("A", INDEX["3s"]))
    table.claim("C", "pong")
    table.throw("C", "2m")
    table.turn("D")
    table.turn("A")
    table.turn("B", "1s")
    table.draw("C")
    return table


def test_xm_10_robbing_an_added_kong_counts_as_self_draw() -> None:
    table = robbing()
    table.do(DeclareKong("C", INDEX["3s"]))
    assert table.hand.phase == "robbing"
    assert legal_events(table.game, "B") == [DeclareWin("B", "rob_kong"), Pass("B")]
    assert refused(table, Claim("B", "pong")).code == "no_such_claim"
    table.do(DeclareWin("B", "rob_kong"))
    # (8 + 1 gold) × 2, from all three.
    assert table.game.points == (-18, 54, -18, -18)
    assert [meld.kind for meld in table.player("C").melds] == ["pong"]


def test_xm_2_10_nobody_robs_and_the_kong_is_replaced_from_the_tail() -> None:
    table = robbing()
    last = table.hand.wall[-1]
    table.do(DeclareKong("C", INDEX["3s"]), Pass("B"))
    assert table.hand.kongs == 1
    table.draw("C")
    assert table.player("C").drawn == last
    assert table.player("C").melds[0].kind == "added_kong"
    assert table.player("B").passed[-1].tile == INDEX["3s"]


def test_xm_2_10_a_pong_of_this_very_turn_is_not_robbed() -> None:
    you = "9p 123m 678s 99s 45s 789m 23p"
    table = Table("xiamen", ["3s 147m 258p 69s 1234567z 1m", you, "333s", ""], gold="9p").start()
    table.do(Discard("A", INDEX["3s"]))
    table.claim("C", "pong")
    table.do(DeclareKong("C", INDEX["3s"]))
    assert table.hand.phase == "drawing"


def test_xm_b9_a_kong_claimed_from_a_discard_cannot_be_robbed() -> None:
    ready = "123m 456m 99s 79p 111s 345s"
    table = Table("xiamen", ["", ready, "8p", "888p"], draws="2z", gold="1z").start()
    table.throw("A", None if table.player("A").drawn is not None else "1m")
    table.turn("B")
    table.draw("C").do(Discard("C", INDEX["8p"]))
    assert set(awaited(table.game)) == {"B", "D"}
    table.claim("D", "kong")
    # B could have won on the discard: he is asked before the kong is carried out.
    assert awaited(table.game) == ("B",)
    table.do(Pass("B"))
    assert table.hand.phase == "drawing"
    assert table.player("D").melds[0].kind == "kong"
    assert refused(table, DeclareWin("B", "rob_kong")).code == "not_your_turn"


# --- 游金 -----------------------------------------------------------------------------------------------

YOU = "222p 678p 345s 67s 5z 8s 345m"


def youjin(**more: object) -> Table:
    """B in 游金 state after discarding 1z (XM-03), gold 8s; C, D and A draw and discard."""
    draws = more.pop("draws", "1z 1s 1s 9m")
    table = Table("xiamen", ["", YOU], draws=str(draws), gold="8s", house=more.pop("house", None), **more)  # type: ignore[arg-type]
    table.start()
    table.throw("A", next_loose(table))
    table.turn("B", "1z")
    return table


def next_loose(table: Table) -> str:
    """Any discard that is legal and nobody wants, in MPSZ."""
    for event in legal_events(table.game, "A"):
        if isinstance(event, Discard):
            after = apply(table.game, event)
            if after.hand is not None and after.hand.phase == "drawing":
                return CODES[event.tile]
    raise AssertionError("nothing harmless to discard")


def round_of_others(table: Table) -> None:
    """C, D and A draw and discard what nobody wants."""
    for seat in "CDA":
        table.draw(seat)
        drawn = table.player(seat).drawn
        if drawn is None:
            table.do(ReplaceFlowers(seat))
        moves = [event for event in legal_events(table.game, seat) if isinstance(event, Discard)]
        for event in moves:
            after = apply(table.game, event)
            if after.hand is not None and after.hand.phase == "drawing":
                table.do(event)
                break
        else:
            table.do(moves[0])
            table.let_go()


def test_xm_03_youjin() -> None:
    table = youjin()
    assert table.player("B").youjin == 1
    round_of_others(table)
    table.draw("B")
    table.do(DeclareWin("B", "self_draw"))
    assert table.game.points == (-40, 120, -40, -40)
    assert table.game.outside == (-50, 150, -50, -50)


def shuangyou(last: str, house: dict[str, object] | None = None, others: str = "1s 1s 9m") -> Table:
    """XM-04: B draws a second gold in 游金 state and discards it."""
    table = Table("xiamen", ["", YOU], draws="1z 1s 9m 9m 8s" + others + last, gold="8s", house=house).start()
    table.throw("A", next_loose(table))
    table.turn("B", "1z")
    round_of_others(table)
    table.draw("B")
    assert table.player("B").drawn == INDEX["8s"]
    table.do(Discard("B", INDEX["8s"]))
    return table


def test_xm_04_shuangyou_each_other_draws_once_without_discard() -> None:
    table = shuangyou("9m")
    assert table.player("B").youjin == 2
    for seat in "CDA":
        assert awaited(table.game) == (seat,)
        table.draw(seat)
    assert awaited(table.game) == ("B",)
    table.draw("B")
    found = refused(table, Discard("B", INDEX["9m"]))
    assert (found.code, found.paragraph) == ("shuangyou_win", "XM 2.12")
    assert legal_events(table.game, "B") == [DeclareWin("B", "self_draw")]
    table.do(DeclareWin("B", "self_draw"))
    assert table.game.points == (-80, 240, -80, -80)
    assert table.game.outside == (-100, 300, -100, -100)


def test_xm_b10_a_flower_as_last_tile_is_not_replaced() -> None:
    table = shuangyou("9m", others="1f 1s 9m")
    table.draw("C")
    assert awaited(table.game) == ("D",)
    assert table.player("C").flowers == ()


def test_xm_05_sanyou_ends_the_hand_at_once() -> None:
    table = shuangyou("8s")
    for seat in "CDA":
        table.draw(seat)
    table.draw("B")
    assert DeclareWin("B", "self_draw") in legal_events(table.game, "B")
    table.do(Discard("B", INDEX["8s"]))
    # kill_all: all chips, 150 and 100 outside.
    assert table.game.points == (-100, 300, -100, -100)
    assert table.game.outside == (-250, 750, -250, -250)
    assert table.game.course_over


def test_sanyou_one_draw_for_each_of_the_others() -> None:
    table = shuangyou("8s" + "1s 9m 1m", house={"sanyou_mode": "one_draw"})
    for seat in "CDA":
        table.draw(seat)
    table.draw("B").do(Discard("B", INDEX["8s"]))
    assert awaited(table.game) == ("C",)
    for seat in "CDA":
        table.draw(seat)
    assert table.game.outside == (-250, 750, -250, -250)


def test_sanyou_kong_only_without_kongs_ends_at_once() -> None:
    table = shuangyou("8s", house={"sanyou_mode": "kong_only"})
    for seat in "CDA":
        table.draw(seat)
    table.draw("B").do(Discard("B", INDEX["8s"]))
    assert table.game.outside == (-250, 750, -250, -250)


@pytest.mark.parametrize("mode", ["draw_and_discard", "claims_allowed"])
def test_shuangyou_mode_others_draw_and_discard(mode: str) -> None:
    table = shuangyou("9m", house={"shuangyou_mode": mode})
    round_of_others(table)
    table.draw("B")
    assert legal_events(table.game, "B") == [DeclareWin("B", "self_draw")]
    assert refused(table, DeclareKong("B", INDEX["2p"])).code == "shuangyou_no_kong"


def test_xm_a8_shuangyou_needs_youjin_first() -> None:
    table = Table("xiamen", ["123m 456p 789s 222z 34s 55m 5s"], gold="5m").start()
    found = refused(table, Discard("A", INDEX["5m"]))
    assert (found.code, found.paragraph) == ("needs_youjin_first", "XM-A8")


def test_xm_14_an_exposed_kong_keeps_youjin_and_a_concealed_one_does_not() -> None:
    # B is in 游金 state with a concealed triplet 2p; he draws the fourth.
    table = youjin(draws="1z 1s 1s 9m 2p", tail="3z")
    round_of_others(table)
    table.draw("B")
    table.do(DeclareKong("B", INDEX["2p"]))
    table.draw("B").do(DeclareWin("B", "self_draw"))
    result = table.hand.result
    assert result is not None
    assert result.settlement is not None
    assert result.settlement.method == "self_draw"
    assert table.game.outside == (0, 0, 0, 0)


def test_xm_14_exposed_kong_from_a_discard_in_youjin() -> None:
    house = {"follow_discard": False}
    table = Table("xiamen", ["", YOU, "2p"], draws="1z 1s", tail="3z", gold="8s", house=house).start()
    table.throw("A", next_loose(table))
    table.turn("B", "1z")
    table.draw("C").do(Discard("C", INDEX["2p"]))
    table.claim("B", "kong")
    assert table.player("B").youjin == 1
    table.draw("B").do(DeclareWin("B", "self_draw"))
    result = table.hand.result
    assert result is not None
    assert result.settlement is not None
    assert result.settlement.method == "youjin"


def test_xm_07_three_golds_in_mid_hand_may_be_declined() -> None:
    table = Table(
        "xiamen",
        ["", "", "", "19m 258p 1479s 12347z 33m"],
        draws="1s 1s 3m",
        gold="3m",
        house={"follow_discard": False},
    )
    table.start()
    table.throw("A", next_loose(table))
    table.turn("B", "1s")
    table.turn("C", "1s")
    table.draw("D")
    wins = [event for event in legal_events(table.game, "D") if isinstance(event, DeclareWin)]
    assert wins == [DeclareWin("D", "three_golds")]
    assert refused(table, DeclareWin("D", "self_draw")).code == "not_complete"
    table.do(*wins)
    assert table.game.points == (-33, -33, -33, 99)


# --- the end of a hand ----------------------------------------------------------------------------------


def test_xm_1_9_the_hand_is_drawn_at_sixteen_tiles_and_the_dealer_stays() -> None:
    table = Table("xiamen", [], gold="9p", house={"dead_wall": 71}).start()
    # 144 - 65 dealt - 1 gold = 78 in the wall: seven may be drawn.
    assert table.hand.drawable == 7
    seats = 0
    while table.game.running:
        seat = awaited(table.game)[0]
        move = next(
            event
            for event in legal_events(table.game, seat)
            if isinstance(event, (Draw, Pass, ReplaceFlowers, Discard))
        )
        if isinstance(move, Draw):
            seats += 1
        table.do(move)
    result = table.hand.result
    assert result is not None
    assert result.kind == "draw"
    assert (table.game.dealer, table.game.dealer_streak, table.game.draw_streak) == ("A", 1, 1)
    assert table.game.points == (0, 0, 0, 0)


def test_xm_12_the_dealer_who_wins_after_a_draw_has_base_32() -> None:
    drawn = Table("xiamen", [], gold="9p", house={"dead_wall": 78}).start()
    drawn.do(next(event for event in legal_events(drawn.game, "A") if isinstance(event, Discard))).let_go()
    assert not drawn.game.running
    assert drawn.game.dealer_streak == 1
    again = Table("xiamen", [HEAVEN], gold="9p", game=drawn.game).start(opening=True)
    again.do(DeclareWin("A", "opening"))
    # (32 + 1) × 4 is more than the chips of a course.
    assert again.game.points == (300, -100, -100, -100)
    assert again.game.outside == (300, -100, -100, -100)
    assert again.game.chips == (400, 0, 0, 0)


def test_xm_4_4_a_course_that_is_over_begins_anew() -> None:
    over = Table("xiamen", [HEAVEN], gold="9p", house={"base_dealer": 200}).start(opening=True)
    assert refused(over, NewCourse()).code == "hand_running"
    over.do(DeclareWin("A", "opening"))
    assert over.game.course_over
    with pytest.raises(Refused) as found:
        apply(over.game, Deal(over.wall))
    assert found.value.paragraph == "XM 4.4"
    new = apply(over.game, NewCourse())
    assert new.chips == (100,) * 4
    assert new.points == over.game.points
    with pytest.raises(Refused, match="everybody has chips"):
        apply(new, NewCourse())


def test_xm_15_a_false_win_pays_fifty_to_each_and_the_deal_is_repeated() -> None:
    table = Table("xiamen", [LOOSE]).start()
    table.do(FalseWin("B"))
    assert table.game.outside == (50, -150, 50, 50)
    assert table.game.points == (0, 0, 0, 0)
    assert (table.game.dealer, table.game.dealer_streak) == ("A", 0)


def test_xm_16_rejudgement_pays_the_youjin_player_in_full() -> None:
    table = youjin()
    table.do(FalseWin("C"))
    # B's 游金: (8 + 2) × 4 × 3 = 120 and 150, and 50 to each.
    assert table.game.outside == (50, 320, -420, 50)


def test_xm_17_a_player_who_sits_out_pays_like_any_loser() -> None:
    table = Table("xiamen", ["", YOU], draws="2s", gold="8s").start()
    table.do(SitOut("D"))
    assert refused(table, SitOut("D")).code == "sitting_out"
    assert refused(table, FalseWin("D")).code == "sitting_out"
    table.throw("A", next_loose(table))
    table.draw("B")
    wins = [event for event in legal_events(table.game, "B") if isinstance(event, DeclareWin)]
    assert not wins or wins[0].by == "self_draw"
    discards = [event for event in legal_events(table.game, "B") if isinstance(event, Discard)]
    table.do(discards[0]).let_go()
    assert awaited(table.game) == ("C",)
    discards = []
    table.draw("C")
    table.do(next(event for event in legal_events(table.game, "C") if isinstance(event, Discard))).let_go()
    # D is left out.
    assert awaited(table.game) == ("A",)
