"""What every game has from the base class, where the five games do not show it."""

from __future__ import annotations

from engine import house
from engine.record import HandRecord
from engine.rules import GAMES
from engine.rules.base import winning_tile


def test_r2_a_game_without_a_gold_has_four_of_each_left() -> None:
    record = HandRecord(rules="xiamen", house=house.Xiamen(), gold=None, hand=(0, 0))
    left = GAMES["xiamen"].copies_left(record)
    assert left[0] == 2
    assert set(left[1:]) == {4}


def test_the_winning_tile_of_a_hand_that_is_not_won_is_the_one_drawn() -> None:
    assert winning_tile(HandRecord(rules="xiamen", house=house.Xiamen(), gold=4, drawn=3)) == 3
