"""The course of a hand in Zhangzhou, Yunxiao, Jinhua and Hangzhou, by the paragraphs of RULES."""

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
    NewCourse,
    Pass,
    Refused,
    SitOut,
    apply,
    awaited,
    legal_events,
    new_game,
)
from engine.game.views import claims_of
from engine.record import Meld
from engine.tiles import CODES, INDEX


def refused(table: Table, event: object) -> Refused:
    """The refusal of an event."""
    with pytest.raises(Refused) as found:
        apply(table.game, event)  # type: ignore[arg-type]
    return found.value


def result(table: Table) -> tuple[str, str | None]:
    """How the hand ended: kind or method, and the winner."""
    ended = table.hand.result
    assert ended is not None
    return (ended.kind if ended.settlement is None else ended.settlement.method, ended.winner)


# --- Zhangzhou ------------------------------------------------------------------------------------------

LOOSE = "147m 258p 369s 1234567z"


def followed(rounds: int, **more: object) -> Table:
    """ZZ-12: the dealer's first discards are followed by everybody."""
    kinds = ["1z", "9m", "2p"][:rounds]
    held = "".join(kinds)
    table = Table("zhangzhou", [held] * 4, gold="9s", **more)  # type: ignore[arg-type]
    table.start()
    for kind in kinds:
        for seat in "ABCD":
            if kind != kinds[0] or seat != "A":
                table.draw(seat)
                while table.player(seat).loose:
                    table.do(legal_events(table.game, seat)[0])
            table.discard(seat, kind).let_go()
    return table


def test_zz_12_fenbing_pays_one_then_two() -> None:
    table = followed(2)
    assert table.hand.followed == 2
    assert table.game.points == (-45, 15, 15, 15)


def test_zz_12_fenbing_of_the_first_discard() -> None:
    assert followed(1).game.points == (-15, 5, 5, 5)


def test_zz_2_7_without_the_first_followed_nothing_is_paid() -> None:
    table = Table("zhangzhou", ["1z 9m", "2z 9m", "1z 9m", "1z 9m"], gold="9s").start()
    for seat, kind in zip("ABCD", ("1z", "2z", "1z", "1z"), strict=True):
        if seat != "A":
            table.draw(seat)
        table.discard(seat, kind).let_go()
    assert table.hand.follow_ended
    for seat in "ABCD":
        table.draw(seat)
        table.discard(seat, "9m").let_go()
    assert table.game.points == (0, 0, 0, 0)


def test_zz_2_7_a_claim_ends_fenbing() -> None:
    table = Table("zhangzhou", ["1z", "1z", "", "11z"], gold="9s").start()
    table.discard("A", "1z")
    table.claim("D", "pong")
    table.do(next(event for event in legal_events(table.game, "D") if isinstance(event, Discard))).let_go()
    assert table.hand.follow_ended


def test_house_fenbing_off() -> None:
    assert followed(1, house={"fenbing": False}).game.points == (0, 0, 0, 0)


def test_zz_16_dead_wall_grows_with_flower_and_kong_points() -> None:
    table = Table("zhangzhou", ["", "1234f", "8p", "888p"], tail="1z 2z 3z 4z 5z", early=4, gold="9s").start()
    assert table.hand.reserve == 18
    table.throw("A", first_discard(table, "A"))
    table.draw("B")
    table.do(next(event for event in legal_events(table.game, "B") if isinstance(event, Discard))).let_go()
    table.draw("C").discard("C", "8p")
    table.claim("D", "kong")
    assert table.hand.reserve == 20


@pytest.mark.parametrize(("mode", "stacks"), [("per_point", 4), ("per_event", 2), ("off", 0)])
def test_house_dead_wall_increase(mode: str, stacks: int) -> None:
    table = Table(
        "zhangzhou",
        ["", "1234f", "5678f"],
        tail="1z 2z 3z 4z 5z 6z 7z 1m",
        early=8,
        gold="9s",
        house={"dead_wall_increase": mode, "free_flowers": 2},
    ).start()
    # Two flower points each.
    assert table.hand.reserve == 16 + 2 * stacks


def first_discard(table: Table, seat: str) -> str:
    """A legal discard that nobody wants, if there is one."""
    discards = [event for event in legal_events(table.game, seat) if isinstance(event, Discard)]
    for event in discards:
        after = apply(table.game, event)
        if after.hand is not None and after.hand.phase == "drawing":
            return CODES[event.tile]
    return CODES[discards[0].tile]


def late(hands: list[str], draws: str, drawable: int, **more: object) -> Table:
    """A Zhangzhou hand with only so many drawable tiles after the deal."""
    house = {"dead_wall": 144 - 65 - 1 - drawable} | dict(more.pop("house", {}))  # type: ignore[call-overload]
    return Table("zhangzhou", hands, draws=draws, gold="9s", house=house, **more).start()  # type: ignore[arg-type]


def test_zz_1_9_one_of_the_last_four_tiles_wins_by_itself() -> None:
    table = late(["", "123m 678m 99p 45p 234p 678p"], "3p", 4)
    table.throw("A", first_discard(table, "A"))
    table.draw("B")
    assert legal_events(table.game, "B") == [DeclareWin("B", "self_draw")]
    found = refused(table, Discard("B", INDEX["1m"]))
    assert (found.code, found.paragraph) == ("must_win_last", "ZZ 1.9")
    assert refused(table, DeclareKong("B", INDEX["1m"])).code == "must_win_last"


def test_zz_13_the_discarder_of_the_last_hand_pays_for_everybody() -> None:
    table = late(["3p", "123m 678m 99p 45p 234p 678p"], "", 4)
    table.discard("A", "3p")
    table.do(DeclareWin("B", "discard"))
    # 6 + 5 + 5, all from A.
    assert table.game.points == (-16, 16, 0, 0)


def test_zz_13_b_fenbing_is_given_back_to_the_dealer() -> None:
    ready = "1z 123m 678m 99p 45p 24p 678p"
    table = Table(
        "zhangzhou",
        ["1z", ready, "1z 3p", "1z"],
        draws="3p 1s 1s 1s",
        gold="9s",
        house={"dead_wall": 144 - 65 - 1 - 8},
    ).start()
    for seat in "ABCD":
        if seat != "A":
            table.draw(seat)
        table.discard(seat, "1z").let_go()
    assert table.game.points == (-15, 5, 5, 5)
    table.draw("A")
    table.throw("A", first_discard(table, "A"))
    assert table.hand.drawable == 4
    table.draw("B")
    # B has drawn 3p before and waits for 3p and 6p.
    assert table.hand.late
    table.throw("B", "1s" if table.player("B").drawn is None else None)
    table.draw("C").discard("C", "3p")
    table.do(DeclareWin("B", "discard"))
    # 6 + 5 + 5 = 16 from C alone, and 5 back to the dealer.
    assert table.game.points == (-10, 5 + 16, 5 - 16 - 5, 5)


def test_zz_06_shuangyou_directly() -> None:
    table = Table("zhangzhou", ["123p 111m 789m 456m 222z 66s"], draws="1s 1s 1s 4p", gold="6s").start()
    table.discard("A", "6s")
    assert table.player("A").youjin == 2
    for seat in "BCD":
        assert awaited(table.game) == (seat,)
        table.draw(seat)
    table.draw("A").do(DeclareWin("A", "self_draw"))
    assert table.game.points == (144, -48, -48, -48)


def test_zz_2_5_a_self_draw_interrupts_shuangyou() -> None:
    table = Table(
        "zhangzhou",
        ["123p 111m 789m 456m 222z 66s", "123s 678m 99p 45p 234p 678p"],
        draws="3p 4p",
        gold="6s",
    ).start()
    table.discard("A", "6s").draw("B")
    assert legal_events(table.game, "B") == [DeclareWin("B", "self_draw"), Pass("B")]
    passed = apply(table.game, Pass("B"))
    assert awaited(passed) == ("C",)
    table.do(DeclareWin("B", "self_draw"))
    assert result(table) == ("self_draw", "B")


def test_zz_2_6_sanyou_kong_only() -> None:
    table = Table(
        "zhangzhou",
        ["123p 111m 789m 456m 222z 66s", "", "8888p"],
        draws="1s 1s 1s 6s",
        tail="5z",
        gold="6s",
        house={"sanyou_mode": "kong_only"},
    ).start()
    table.discard("A", "6s")
    for seat in "BCD":
        table.draw(seat)
    table.draw("A")
    assert table.player("A").drawn == INDEX["6s"]
    table.discard("A", "6s")
    # Only C has a kong to declare.
    assert awaited(table.game) == ("C",)
    assert legal_events(table.game, "C") == [DeclareKong("C", INDEX["8p"]), Pass("C")]
    table.do(DeclareKong("C", INDEX["8p"])).draw("C")
    assert result(table) == ("triple_youjin", "A")


def test_zz_opening_order_of_the_others() -> None:
    table = Table("zhangzhou", ["999p", "", "147m", "123m 456m 789m 111z 34s 88s"], gold="9p")
    table.start(opening=True)
    # The dealer's three golds wait for his turn; D may rob the gold first.
    assert awaited(table.game) == ("D",)
    table.do(Pass("D"))
    assert DeclareWin("A", "three_golds") in legal_events(table.game, "A")
    table.do(DeclareWin("A", "three_golds"))
    assert result(table) == ("three_golds", "A")


def test_zz_08_three_golds_of_a_non_dealer_come_before_the_gold_grab() -> None:
    table = Table("zhangzhou", ["", "123m 456m 789m 111z 34s 88s", "999p"], gold="9p").start(opening=True)
    assert awaited(table.game) == ("C",)
    table.do(SitOut("C"))
    assert awaited(table.game) == ("B",)


def test_false_win_has_no_price_outside_xiamen() -> None:
    table = Table("zhangzhou", [LOOSE]).start()
    assert refused(table, FalseWin("B")).code == "no_such_event"
    assert refused(table, NewCourse()).code == "no_course"


# --- Yunxiao --------------------------------------------------------------------------------------------

YX_LOOSE = "147m 258p 369s 1234z"


def test_yx_1_1_the_dealer_is_drawn_by_lot() -> None:
    game = new_game("yunxiao")
    assert game.dealer is None
    table = Table("yunxiao", [YX_LOOSE])
    with pytest.raises(Refused) as found:
        apply(game, Deal(table.wall))
    assert (found.value.code, found.value.paragraph) == ("dealer_missing", "YX 1.1")
    started = apply(game, Deal(table.wall, "C"))
    assert started.dealer == "C"
    assert awaited(started) == ()


def test_yx_1_2_the_dealer_takes_the_first_tile_of_the_first_and_third_stack() -> None:
    table = Table("yunxiao", ["1111222233334z 5z", "", "", ""], gold="9p")
    table.do(Deal(table.wall))
    assert table.hand.extra == INDEX["5z"]
    assert table.wall[48] == INDEX["4z"]
    assert table.wall[52] == INDEX["5z"]


def test_yx_1_3_the_gold_is_counted_in_the_upper_layer() -> None:
    table = Table("yunxiao", [YX_LOOSE], gold="9p").start()
    # Dice 1 + 1: the third tile from the end.
    assert table.wall[-3] == INDEX["9p"]
    assert table.hand.gold == INDEX["9p"]


def test_yx_07_heaven() -> None:
    table = Table("yunxiao", ["111p 234m 567m 345s 22z"], gold="9p").start(opening=True)
    table.do(DeclareWin("A", "opening"))
    assert table.game.points == (240, -80, -80, -80)
    assert table.game.dealer is None


def test_yx_08_earth_on_the_dealers_first_discard() -> None:
    table = Table("yunxiao", ["6s", "", "", "111p 234m 567m 22z 45s"], gold="9p").start()
    table.discard("A", "6s").do(DeclareWin("D", "discard"))
    assert table.game.points == (-80, -80, -80, 240)


def test_yx_09_robbing_the_gold_at_the_first_turn() -> None:
    table = Table("yunxiao", [YX_LOOSE, "123m 456m 789m 55s 77s"], gold="4p").start()
    table.throw("A", first_discard(table, "A"))
    assert legal_events(table.game, "B") == [DeclareWin("B", "gold_grab"), Draw("B")]
    table.do(DeclareWin("B", "gold_grab"))
    assert table.game.points == (-20, 60, -20, -20)


def test_yx_09_not_once_somebody_has_claimed() -> None:
    table = Table("yunxiao", ["8p", "123m 456m 789m 55s 77s", "", "88p"], gold="4p").start()
    table.discard("A", "8p").claim("D", "pong")
    table.throw("D", first_discard(table, "D"))
    table.turn("A", None)
    assert awaited(table.game) == ("B",)
    assert legal_events(table.game, "B") == [Draw("B")]


def test_yx_a11_the_dealer_robs_the_gold_only_by_house_rule() -> None:
    dealer = "123m 456m 789m 55s 77s 4z"
    assert Table("yunxiao", [dealer], gold="4p").start(opening=True).hand.phase == "turn"
    table = Table("yunxiao", [dealer], gold="4p", house={"qiangjin_dealer": True}).start(opening=True)
    assert legal_events(table.game, "A") == [DeclareWin("A", "gold_grab", INDEX["4z"]), Pass("A")]


def test_yx_03_youjin_is_declared_without_drawing() -> None:
    table = Table("yunxiao", [YX_LOOSE, "345m 222p 678p 345s 8s"], gold="8s").start()
    table.throw("A", first_discard(table, "A"))
    assert DeclareWin("B", "youjin_declared") in legal_events(table.game, "B")
    table.do(DeclareWin("B", "youjin_declared"))
    assert table.game.points == (-40, 120, -40, -40)


def test_yx_b1_after_shuangyou_nobody_wins_on_a_discard() -> None:
    waiting = "123m 456m 789m 99p 34p"
    table = Table("yunxiao", ["", "345m 222p 678p 33s 88s", waiting, "5p"], draws="3s 1z 1z", gold="8s").start()
    table.throw("A", first_discard(table, "A"))
    table.draw("B").discard("B", "8s")
    assert table.player("B").youjin == 2
    table.turn("C", "1z")
    table.draw("D")
    table.discard("D", "5p")
    assert "C" not in awaited(table.game)
    found = refused(table, DeclareWin("C", "discard"))
    assert (found.code, found.paragraph) == ("during_double_youjin", "YX 2.6")
    table.let_go()
    table.turn("A")
    table.do(DeclareWin("B", "youjin_declared"))
    assert result(table) == ("double_youjin", "B")


def test_yx_b4_the_own_fourth_tile_exposed_concealed_or_none() -> None:
    table = Table("yunxiao", ["", "444s 123m 67m 99p 123p"], draws="4s", tail="8m", gold="5p").start()
    table.throw("A", first_discard(table, "A"))
    table.draw("B")
    kongs = [event for event in legal_events(table.game, "B") if isinstance(event, DeclareKong)]
    four = INDEX["4s"]
    assert kongs == [DeclareKong("B", four), DeclareKong("B", four, exposed=True)]
    concealed = apply(apply(apply(table.game, kongs[0]), Draw("B")), DeclareWin("B", "self_draw"))
    assert concealed.points == (-20, 60, -20, -20)
    exposed = apply(apply(apply(table.game, kongs[1]), Draw("B")), DeclareWin("B", "self_draw"))
    assert exposed.points == (-40, 120, -40, -40)


def test_yx_19_an_exposed_kong_of_the_own_four_may_be_robbed() -> None:
    table = Table(
        "yunxiao", ["", "8m 88m 258p 369s 1234z", "123m 678s 99p 67m 123s"], draws="8m", tail="1z", gold="5p"
    ).start()
    table.throw("A", first_discard(table, "A"))
    table.draw("B").do(DeclareKong("B", INDEX["8m"], exposed=True))
    assert table.hand.phase == "robbing"
    robbed = apply(table.game, DeclareWin("C", "rob_kong"))
    assert robbed.points == (-20, -20, 60, -20)
    table.do(SitOut("B"))
    assert awaited(table.game) == ("C",)
    assert table.player("B").tiles.bit_count() > 0


def test_exposed_kongs_of_the_own_four_are_yunxiaos_only() -> None:
    table = Table("jinhua", ["444s 123m 67m 99p 123p 4s"], gold="5p").start()
    assert refused(table, DeclareKong("A", INDEX["4s"], exposed=True)).code == "no_exposed_kong"
    assert refused(table, DeclareKong("A", INDEX["1m"])).code == "no_kong"


def test_yx_20_the_third_kong_must_win_or_the_hand_is_drawn() -> None:
    table = Table("yunxiao", ["1111m 2222m 3333m 14z"], tail="9s 6z 8p", gold="5p").start()
    for kind in ("1m", "2m", "3m"):
        table.do(DeclareKong("A", INDEX[kind])).draw("A")
    assert result(table) == ("draw", None)
    assert table.game.points == (0, 0, 0, 0)


def test_yx_20_the_third_kong_that_wins() -> None:
    table = Table("yunxiao", ["1111m 2222m 3333m 44z"], tail="4z 5s 5s", gold="5p").start()
    for kind in ("1m", "2m"):
        table.do(DeclareKong("A", INDEX[kind])).draw("A")
    table.do(DeclareKong("A", INDEX["3m"])).draw("A")
    assert legal_events(table.game, "A") == [DeclareWin("A", "self_draw"), Pass("A")]
    assert refused(table, Discard("A", INDEX["5s"])).code == "win_or_draw"
    assert refused(table, DeclareKong("A", INDEX["4z"])).code == "win_or_draw"
    assert apply(table.game, Pass("A")).hand.result.kind == "draw"  # type: ignore[union-attr]
    table.do(DeclareWin("A", "self_draw"))
    assert result(table) == ("kong_concealed", "A")


def test_yx_1_7_two_more_stacks_after_a_kong() -> None:
    table = Table("yunxiao", ["1111m 2222m"], gold="5p").start()
    assert table.hand.reserve == 34
    table.do(DeclareKong("A", INDEX["1m"])).draw("A")
    table.do(DeclareKong("A", INDEX["2m"]))
    assert table.hand.reserve == 38


def test_house_dead_wall_kong_each() -> None:
    table = Table("yunxiao", ["1111m 2222m"], gold="5p", house={"dead_wall_kong": "each"}).start()
    table.do(DeclareKong("A", INDEX["1m"])).draw("A")
    table.do(DeclareKong("A", INDEX["2m"]))
    assert table.hand.reserve == 42


def test_yx_1_7_the_last_tile_is_not_followed_by_a_discard() -> None:
    table = Table("yunxiao", [YX_LOOSE], gold="9p", house={"dead_wall": 136 - 53 - 1 - 1}).start()
    assert table.hand.drawable == 1
    table.throw("A", first_discard(table, "A"))
    table.draw("B")
    assert result(table) == ("draw", None)


def test_a_kong_without_a_replacement_left() -> None:
    table = Table("yunxiao", ["1111m"], gold="9p", house={"dead_wall": 82}).start()
    assert table.hand.drawable == 0
    found = refused(table, DeclareKong("A", INDEX["1m"]))
    assert (found.code, found.paragraph) == ("no_replacement", "YX 1.7")


def test_a_kong_whose_stacks_take_the_last_tiles_ends_the_hand() -> None:
    table = Table("yunxiao", ["1111m"], gold="9p", house={"dead_wall": 80}).start()
    table.do(DeclareKong("A", INDEX["1m"]))
    assert result(table) == ("draw", None)


def test_house_kong_after_claim() -> None:
    hands = ["8p", "", "", "88p 1111m"]
    table = Table("yunxiao", hands, gold="9s", house={"kong_after_claim": False}).start()
    table.discard("A", "8p").claim("D", "pong")
    found = refused(table, DeclareKong("D", INDEX["1m"]))
    assert (found.code, found.paragraph) == ("no_kong_after_claim", "YX 2.8")
    table = Table("yunxiao", hands, gold="9s").start()
    table.discard("A", "8p").claim("D", "pong").do(DeclareKong("D", INDEX["1m"]))
    assert table.hand.phase == "drawing"


# --- Jinhua ---------------------------------------------------------------------------------------------


def test_jh_1_2_the_larger_die_names_the_stack() -> None:
    table = Table("jinhua", [YX_LOOSE], gold="5m").start()
    assert table.hand.gold == INDEX["5m"]


def test_jh_b1_chow_and_discard_of_the_same_run() -> None:
    table = Table("jinhua", ["6s", "345s"], gold="9p").start()
    table.discard("A", "6s").claim("B", "chow", "45s")
    table.discard("B", "3s")


def test_jh_2_4_after_two_chows_the_same_run_may_not_be_discarded() -> None:
    # A discards 4m, 7p and 6s; B chows every one of them.
    hands = ["4m 7p 6s", "345s 23m 56p 1234z"]
    table = Table("jinhua", hands, draws="6z 7z 5z 6z 7z 5z", gold="9p").start()
    table.discard("A", "4m").claim("B", "chow", "23m")
    for kind, using, thrown in (("7p", "56p", "1z"), ("6s", "45s", "2z")):
        table.throw("B", thrown)
        table.turn("C")
        table.turn("D")
        table.draw("A").discard("A", kind)
        table.claim("B", "chow", using)
    found = refused(table, Discard("B", INDEX["3s"]))
    assert (found.code, found.paragraph) == ("chowed_tile", "JH 2.4")


def test_jh_b2_after_a_discarded_wild_only_its_discarder_claims() -> None:
    table = Table("jinhua", ["5m", "5p", "55p"], draws="1z", gold="5m").start()
    table.discard("A", "5m")
    assert table.hand.wild_discarder == 0
    table.draw("B").discard("B", "5p")
    assert table.hand.phase == "drawing"
    found = refused(table, Claim("C", "pong"))
    assert (found.code, found.paragraph) == ("wild_discarded", "JH 2.5")
    table.let_go()
    for seat in "CD":
        table.draw(seat)
        table.throw(seat, first_discard(table, seat))
    table.draw("A")
    assert table.hand.wild_discarder == 0
    table.throw("A", first_discard(table, "A"))
    assert table.hand.wild_discarder is None


def test_house_wild_discard_ban_one_circle() -> None:
    table = Table("jinhua", ["5m"], gold="5m", house={"wild_discard_ban": "one_circle"}).start()
    table.discard("A", "5m")
    for seat in "BCD":
        table.draw(seat)
        table.throw(seat, first_discard(table, seat))
    table.draw("A")
    assert table.hand.wild_discarder is None


def test_jh_b3_a_pong_let_go_is_locked() -> None:
    table = Table("jinhua", ["2z", "2z", "", "22z"], gold="9p").start()
    table.discard("A", "2z").let_go()
    table.draw("B").discard("B", "2z")
    found = refused(table, Claim("D", "pong"))
    assert (found.code, found.paragraph) == ("passed_this_circle", "JH 2.3")


def test_jh_b4_the_first_after_the_discarder_wins() -> None:
    ready = ["123m 456m 789m 99p 34s", "123p 456p 789p 11z 34s", "111m 456m 222z 33z 34s"]
    table = Table("jinhua", ["5s", *ready], gold="9s").start()
    table.discard("A", "5s")
    table.do(DeclareWin("D", "discard"), DeclareWin("C", "discard"), DeclareWin("B", "discard"))
    assert result(table) == ("discard", "B")
    ended = table.hand.result
    assert ended is not None
    assert ended.settlement is not None
    assert "earth" in {pattern.key for pattern in ended.settlement.patterns}


def test_jh_man_is_the_own_first_draw_without_a_claim() -> None:
    table = Table("jinhua", ["", "123m 456m 789m 99p 34s"], draws="5s", gold="9s").start()
    table.throw("A", first_discard(table, "A"))
    table.draw("B").do(DeclareWin("B", "self_draw"))
    ended = table.hand.result
    assert ended is not None
    assert ended.settlement is not None
    assert "man" in {pattern.key for pattern in ended.settlement.patterns}


@pytest.mark.parametrize("window", ["unclaimed", "first_round"])
def test_house_renhu_window(window: str) -> None:
    hands = ["8p", "123m 456m 789m 99p 34s", "", "88p"]
    table = Table("jinhua", hands, gold="9s", draws="1z5s", house={"renhu_window": window}).start()
    table.discard("A", "8p").claim("D", "pong")
    table.throw("D", first_discard(table, "D"))
    table.turn("A", "1z")
    table.draw("B").do(DeclareWin("B", "self_draw"))
    ended = table.hand.result
    assert ended is not None
    assert ended.settlement is not None
    assert ("man" in {pattern.key for pattern in ended.settlement.patterns}) == (window == "first_round")


def test_jh_last_tile() -> None:
    hands = ["", "123m 456m 789m 99p 34s"]
    table = Table("jinhua", hands, gold="9s", draws="5s", house={"dead_wall": 136 - 53 - 1 - 4}).start()
    table.throw("A", first_discard(table, "A"))
    table.draw("B").do(DeclareWin("B", "self_draw"))
    ended = table.hand.result
    assert ended is not None
    assert ended.settlement is not None
    assert "last_tile" in {pattern.key for pattern in ended.settlement.patterns}


@pytest.mark.parametrize(("count", "liable"), [("total", True), ("consecutive", False)])
def test_jh_24_chengbao_counts_the_claims_of_other_seats(count: str, liable: bool) -> None:
    """B claims from A, from C, and twice from A; then A wins, and B pays for everybody under ``total``."""
    game = new_game("jinhua", {"chengbao_count": count})
    melds = tuple(Meld("pong", (kind,) * 3, source) for kind, source in ((0, "A"), (1, "C"), (2, "A"), (3, "A")))
    counts = claims_of(game, melds)
    assert (counts["A"] >= 3) == liable
    assert counts["C"] == 1


# --- Hangzhou -------------------------------------------------------------------------------------------


def test_hz_1_4_a_dealt_complete_hand_is_a_self_draw() -> None:
    table = Table("hangzhou", ["123m 456p 789s 222z 11s"], gold=None).start()
    assert DeclareWin("A", "self_draw") in legal_events(table.game, "A")
    table.do(DeclareWin("A", "self_draw"))
    assert table.game.points == (30, -10, -10, -10)


def test_hz_1_4_nobody_wins_on_a_discard() -> None:
    table = Table("hangzhou", ["6m", "", "123m 456p 789s 22z 45m"], gold=None).start()
    table.discard("A", "6m")
    assert "C" not in awaited(table.game)
    assert refused(table, DeclareWin("C", "discard")).code == "no_such_win"


def test_hz_06_piao_and_hz_10_its_failure() -> None:
    b = "123m 456p 789s 222z 5z"
    table = Table("hangzhou", ["", b, "123p 456m 789m 33z 45m"], draws="5z 1z 1z 1z 4s", gold=None).start()
    table.throw("A", first_discard(table, "A"))
    table.draw("B").discard("B", "5z")
    assert table.player("B").youjin == 1
    for seat in "CDA":
        table.turn(seat, "1z")
    table.draw("B").do(DeclareWin("B", "self_draw"))
    assert table.game.points == (-40, 120, -40, -40)


def test_hz_10_somebody_else_wins_first() -> None:
    b = "123m 456p 789s 222z 5z"
    table = Table("hangzhou", ["", b, "123m 456p 789s 33z 45m"], draws="5z 6m", gold=None).start()
    table.throw("A", first_discard(table, "A"))
    table.draw("B").discard("B", "5z")
    table.draw("C").do(DeclareWin("C", "self_draw"))
    assert table.game.points == (-10, -10, 30, -10)
