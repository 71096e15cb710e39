"""Rare moments of a hand: the end of the wall, offences in every phase, house rules of the procedures."""

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
from engine.tiles import INDEX

LOOSE = "147m 258p 369s 1234567z"
FREE: dict[str, object] = {"follow_discard": False}


def refused(table: Table, event: object) -> tuple[str, str]:
    """Code and paragraph of the refusal of an event."""
    with pytest.raises(Refused) as found:
        apply(table.game, event)  # type: ignore[arg-type]
    written = found.value.as_json()["refused"]
    assert isinstance(written, dict)
    assert written["code"] == found.value.code
    return found.value.code, found.value.paragraph


def drawable(count: int, **house: object) -> dict[str, object]:
    """House rules that leave so many drawable tiles after the deal of a 144-tile game."""
    return {"dead_wall": 144 - 65 - 1 - count, **house}


def test_the_view_of_no_hand() -> None:
    with pytest.raises(ValueError, match="no hand"):
        view(new_game("xiamen"), "A")


def test_a_flower_as_the_last_drawable_tile_ends_the_hand() -> None:
    table = Table("xiamen", [LOOSE], draws="1f", gold="9p", house=drawable(1)).start()
    table.throw("A", "1z").draw("B").do(ReplaceFlowers("B"))
    assert table.hand.result is not None
    assert table.hand.result.kind == "draw"


def test_flower_points_may_take_the_last_tiles() -> None:
    # Three flowers are replaced after the deal; the fourth is a point, and two more tiles stay in the wall.
    house = {"dead_wall": 144 - 65 - 1 - 3 - 3}
    table = Table("zhangzhou", ["", "123f"], draws="4f", tail="9m 9s 9m", early=3, gold="9p", house=house).start()
    assert table.hand.drawable == 3
    table.do(next(event for event in legal_events(table.game, "A") if isinstance(event, Discard))).let_go()
    table.draw("B").do(ReplaceFlowers("B"))
    assert table.hand.result is not None
    assert table.hand.result.kind == "draw"


def test_flowers_are_replaced_by_whom_it_concerns() -> None:
    table = Table("xiamen", ["1f", "2f"], tail="9m 9m", gold="9p")
    table.do(Deal(table.wall))
    assert refused(table, ReplaceFlowers("B"))[0] == "not_your_turn"
    assert refused(table, ReplaceFlowers("C"))[0] == "no_flowers"
    assert refused(table, Draw("A"))[0] == "not_now"


def test_a_dealer_whose_last_tile_is_a_flower() -> None:
    table = Table("xiamen", ["147m 258p 369s 1234567z 1f"], tail="9m", early=1, gold="9p").start()
    assert table.player("A").flowers == (INDEX["1f"],)
    assert table.player("A").drawn is not None


@pytest.mark.parametrize("phase", ["flowers", "flip", "opening", "turn"])
def test_sitting_out_before_the_first_discard(phase: str) -> None:
    heaven = "111p 234m 567m 345s 789s 22z" if phase == "opening" else "1f" if phase == "flowers" else LOOSE
    table = Table("xiamen", [heaven], tail="9m" if phase == "flowers" else "", gold="9p")
    if phase in ("flowers", "flip"):
        table.do(Deal(table.wall))
        assert table.hand.phase == phase
        table.do(SitOut("A"))
        assert table.hand.phase == "flip"
        return
    table.start(opening=True)
    assert table.hand.phase == phase
    table.do(SitOut("A"))
    assert awaited(table.game) == ("B",)


def test_a_dealer_who_sits_out_before_the_gold_is_turned_up_is_skipped() -> None:
    table = Table("xiamen", [LOOSE], gold="9p")
    table.do(Deal(table.wall), SitOut("A"))
    table.do(FlipGold((1, 1)))
    assert awaited(table.game) == ("B",)
    assert table.hand.phase == "drawing"


def test_when_everybody_sits_out_the_hand_is_drawn() -> None:
    table = Table("xiamen", [LOOSE]).start()
    table.do(*(SitOut(seat) for seat in "ABCD"))
    assert table.hand.result is not None
    assert table.hand.result.kind == "draw"


def test_the_double_youjin_player_who_sits_out_loses_it() -> None:
    hands = ["123p 111m 789m 456m 222z 66s"]
    table = Table("zhangzhou", hands, draws="1s 1s", gold="6s").start()
    table.discard("A", "6s").draw("B")
    table.do(SitOut("A"))
    assert table.hand.youjin_seat is None
    assert awaited(table.game) == ("C",)


def test_one_of_the_others_sits_out_during_the_last_draws() -> None:
    table = Table("zhangzhou", ["123p 111m 789m 456m 222z 66s"], draws="1s 1s", gold="6s").start()
    table.discard("A", "6s").do(SitOut("B"))
    assert awaited(table.game) == ("C",)


def test_the_wall_ends_during_the_last_draws() -> None:
    table = Table("zhangzhou", ["123p 111m 789m 456m 222z 66s"], draws="1s", gold="6s", house={"dead_wall": 77}).start()
    table.discard("A", "6s").draw("B")
    assert table.hand.result is not None
    assert table.hand.result.kind == "draw"


def test_a_complete_hand_among_the_last_four_may_not_pass() -> None:
    table = Table(
        "zhangzhou",
        ["123p 111m 789m 456m 222z 66s", "123s 678m 99p 45p 234p 678p"],
        draws="3p",
        gold="6s",
        house={"dead_wall": 144 - 65 - 1 - 3},
    ).start()
    table.discard("A", "6s").draw("B")
    assert refused(table, Pass("B")) == ("must_win_last", "ZZ 1.9")
    assert refused(table, Pass("C"))[0] == "not_your_turn"


def test_house_must_youjin_leaves_no_three_golds_in_mid_hand() -> None:
    house = FREE | {"mid_three_golds": "must_youjin"}
    table = Table("xiamen", ["1z", "19m 258p 1479s 12347z 33m"], draws="3m", gold="3m", house=house).start()
    table.throw("A", "1z").draw("B")
    assert not any(isinstance(event, DeclareWin) for event in legal_events(table.game, "B"))
    assert refused(table, DeclareWin("B", "three_golds")) == ("must_youjin", "XM-A2")
    assert refused(table, DeclareWin("B", "opening"))[0] == "no_such_win_now"
    assert refused(table, DeclareWin("C", "self_draw"))[0] == "not_your_turn"


def test_refusals_about_somebody_elses_tile() -> None:
    ready = "123m 678s 99s 56s 789m 234p"
    table = Table("xiamen", ["7s 147m 258p 39s 1234567z", ready, "", "77s"], gold="1p", house=FREE).start()
    table.do(Discard("A", INDEX["7s"]))
    assert refused(table, Claim("A", "pong"))[0] == "not_asked"
    assert refused(table, Pass("A"))[0] == "not_asked"
    assert refused(table, Claim("D", "kong")) == ("not_enough_copies", "R 3")
    assert refused(table, Claim("D", "chow", (0, 1)))[0] == "no_such_claim"
    assert refused(table, DeclareWin("B", "rob_kong"))[0] == "no_such_win_now"
    assert refused(table, DeclareWin("D", "discard"))[0] == "not_complete"
    table.do(SitOut("D"))
    assert awaited(table.game) == ("B",)


def test_a_kong_of_a_discard_needs_a_replacement() -> None:
    table = Table("xiamen", ["8p 1z", "", "", "888p"], gold="9s", house=drawable(0, follow_discard=False)).start()
    table.do(Discard("A", INDEX["8p"]))
    assert awaited(table.game) == ("D",)
    assert refused(table, Claim("D", "kong")) == ("no_replacement", "XM 1.9")
    table.claim("D", "pong")


def test_lock_one_round_refuses_a_discard_win() -> None:
    house = {"gold_discard": "lock_one_round", "no_discard_win_with_golds": 3, "follow_discard": False}
    ready = "123m 678s 99s 56s 789m 234p"
    table = Table("xiamen", [ready + "8p", "7s"], draws="7s", gold="8p", house=house).start()
    table.do(Discard("A", INDEX["8p"]))
    table.draw("B").do(Discard("B", INDEX["7s"]))
    assert refused(table, DeclareWin("A", "discard")) == ("lock_one_round", "XM 2.9")


def test_house_rob_kong_with_gold() -> None:
    you = "9p 123m 678s 99s 45s 789m 23p"
    other = "123m 678m 11p 45s 456p 234p"
    table = Table(
        "xiamen",
        ["3s 147m 258p 69s 1234567z", you, "33s 147m 58p 69s 12346z 2m", other],
        draws="1s1s1s3s",
        tail="9m",
        gold="9p",
        house=FREE | {"rob_kong_with_gold": False, "no_discard_win_with_golds": 1},
    ).start()
    table.do(Discard("A", INDEX["3s"]))
    table.claim("C", "pong").let_go()
    table.throw("C", "2m")
    table.turn("D")
    table.turn("A")
    table.turn("B", "1s")
    table.draw("C").do(DeclareKong("C", INDEX["3s"]))
    # D has no gold and may rob; B has one.
    assert awaited(table.game) == ("D",)
    assert refused(table, DeclareWin("B", "rob_kong")) == ("holds_gold", "XM 2.4")
    assert refused(table, DeclareWin("D", "discard"))[0] == "no_such_win_now"
    table.do(SitOut("D"))
    assert table.hand.phase == "drawing"


def test_flowers_come_before_a_kong() -> None:
    table = Table("xiamen", ["1z", "1111m"], draws="1f", tail="9m", gold="9p", house=FREE).start()
    table.throw("A", "1z").draw("B")
    assert refused(table, DeclareKong("B", INDEX["1m"])) == ("flowers_first", "XM 1.4")


def test_nobody_robs_a_kong_during_an_announced_youjin() -> None:
    b = "345m 222p 678p 33s 88s"
    table = Table("yunxiao", ["", b, "444s", "123m 678m 99p 56s 789p"], draws="3s 4s", tail="1z", gold="8s").start()
    harmless = next(
        event
        for event in legal_events(table.game, "A")
        if isinstance(event, Discard) and apply(table.game, event).hand.phase == "drawing"  # type: ignore[union-attr]
    )
    table.do(harmless)
    table.draw("B").discard("B", "8s").draw("C")
    table.do(DeclareKong("C", INDEX["4s"], exposed=True))
    assert table.hand.phase == "drawing"


def test_a_false_win_of_somebody_in_turn_while_another_is_in_youjin_by_claim() -> None:
    table = Table("xiamen", ["1z"], gold="9p", house=FREE).start()
    table.do(FalseWin("A"))
    assert table.game.outside == (-150, 50, 50, 50)


def test_last_hand_of_the_dealer_himself_gives_nothing_back() -> None:
    ready = "1z 123m 678m 99p 45p 24p 678p"
    table = Table(
        "zhangzhou",
        ["1z 3p", ready, "1z", "1z"],
        draws="3p 1s 1s",
        gold="9s",
        house={"dead_wall": 144 - 65 - 1 - 3},
    ).start()
    for seat in "ABCD":
        if seat != "A":
            table.draw(seat)
        table.discard(seat, "1z").let_go()
    assert table.game.points == (-15, 5, 5, 5)
    # The wall has ended: the hand is drawn, and 分餅 stays paid (ZZ 1.10).
    assert table.hand.result is not None
    assert table.hand.result.kind == "draw"
    assert table.game.points == (-15, 5, 5, 5)


def test_the_tile_put_aside_for_a_gold_grab_is_seen_by_all() -> None:
    dealer = "123m 456m 789m 234s 55s 77s 4z"
    table = Table("xiamen", [dealer], gold="4p").start(opening=True)
    while awaited(table.game) != ("A",):
        table.do(Pass(awaited(table.game)[0]))
    table.do(DeclareWin("A", "gold_grab", INDEX["4z"]))
    assert INDEX["4z"] in view(table.game, "B").table.visible


def test_refusals_during_the_last_draws_and_the_opening() -> None:
    table = Table("zhangzhou", ["123p 111m 789m 456m 222z 66s"], draws="1s 1s", gold="6s").start()
    table.discard("A", "6s")
    assert refused(table, DeclareWin("C", "discard")) == ("during_double_youjin", "ZZ 2.5")
    heaven = "111p 234m 567m 345s 789s 22z"
    table = Table("xiamen", [heaven, "", "999p"], gold="9p").start(opening=True)
    assert refused(table, Pass("C")) == ("wait_for_higher", "XM 3.3")
    assert refused(table, DeclareWin("A", "gold_grab"))[0] == "no_such_win_now"


def test_a_kong_that_completes_nobody_cannot_be_robbed_without_the_hand() -> None:
    you = "9p 123m 678s 99s 45s 789m 23p"
    table = Table(
        "xiamen",
        ["3s 147m 258p 69s 1234567z", you, "33s 147m 258p 69s 12346z 2m"],
        draws="1s1s1s3s",
        tail="9m",
        gold="9p",
        house=FREE,
    ).start()
    table.do(Discard("A", INDEX["3s"]))
    table.claim("C", "pong").let_go()
    table.throw("C", "2m")
    table.turn("D")
    table.turn("A")
    table.turn("B", "1s")
    table.draw("C").do(DeclareKong("C", INDEX["3s"]))
    assert awaited(table.game) == ("B",)
    assert refused(table, DeclareWin("D", "rob_kong"))[0] == "not_complete"


def test_a_kong_let_go_is_not_robbed_after_all() -> None:
    table = Table("yunxiao", ["", "6m 66m", "123m 99p 45m 789p 222s", "123p 678s 22z 45m 789s"], draws="6m", gold="5s")
    table.start()
    table.do(next(event for event in legal_events(table.game, "A") if isinstance(event, Discard))).let_go()
    table.draw("B").do(DeclareKong("B", INDEX["6m"], exposed=True))
    assert awaited(table.game) == ("C", "D")
    table.do(Pass("C"))
    assert refused(table, DeclareWin("C", "rob_kong"))[0] == "no_such_claim"
    table.do(DeclareWin("D", "rob_kong"))
    assert table.game.points == (-20, -20, -20, 60)


def test_the_dealer_as_discarder_of_the_last_hand_gives_nothing_back() -> None:
    ready = "1z 123m 678m 99p 45p 24p 678p"
    table = Table(
        "zhangzhou",
        ["1z 3p", ready, "1z", "1z"],
        draws="3p 1s 1s",
        gold="9s",
        house={"dead_wall": 144 - 65 - 1 - 5},
    ).start()
    for seat in "ABCD":
        if seat != "A":
            table.draw(seat)
        table.discard(seat, "1z").let_go()
    table.draw("A").do(Discard("A", INDEX["3p"]))
    table.do(DeclareWin("B", "discard"))
    # 6 + 5 + 5 from A alone, who had paid 5 to each and gets nothing back.
    assert table.game.points == (-15 - 16, 5 + 16, 5, 5)


@pytest.mark.parametrize(("mode", "awaiting"), [("draw_and_discard", "C"), ("claims_allowed", "C")])
def test_claims_during_shuangyou_by_house_rule(mode: str, awaiting: str) -> None:
    table = Table(
        "zhangzhou",
        ["123p 111m 789m 456m 222z 66s", "8p", "88p"],
        draws="1s",
        gold="6s",
        house={"shuangyou_mode": mode},
    ).start()
    table.discard("A", "6s")
    assert awaited(table.game) == ("B",)
    table.draw("B").do(Discard("B", INDEX["8p"]))
    if mode == "claims_allowed":
        assert table.hand.phase == "claiming"
        table.claim("C", "pong")
        assert awaited(table.game) == (awaiting,)
    else:
        assert refused(table, Claim("C", "pong")) == ("during_double_youjin", "ZZ 2.5")
