from __future__ import annotations

import numpy as np
import pytest

from vision.rows import group_rows, row_direction


def boxes(points: list[tuple[float, float]], w: float = 30, h: float = 40) -> np.ndarray:
    return np.array([(x - w / 2, y - h / 2, x + w / 2, y + h / 2) for x, y in points], np.float32).reshape(-1, 4)


def test_nothing() -> None:
    assert group_rows(boxes([])) == []


def test_one_row_is_read_from_left_to_right_whatever_the_order_of_finds() -> None:
    order = [3, 0, 4, 1, 2]
    assert group_rows(boxes([(100 + 31 * k, 50) for k in order])) == [[1, 3, 4, 0, 2]]


def test_block_of_rows() -> None:
    points = [(100 + 31 * c, 50 + 41 * r) for r in range(4) for c in range(9)]
    assert group_rows(boxes(points)) == [list(range(9 * r, 9 * r + 9)) for r in range(4)]


@pytest.mark.parametrize("degrees", [-50, -30, -10, 15, 40])
def test_tilted_row(degrees: float) -> None:
    a = np.deg2rad(degrees)
    w, h = 31, 41
    size = (abs(w * np.cos(a)) + abs(h * np.sin(a)), abs(w * np.sin(a)) + abs(h * np.cos(a)))
    points = [(400 + 31 * k * np.cos(a), 400 + 31 * k * np.sin(a)) for k in range(13)]
    assert group_rows(boxes(points, *size)) == [list(range(13))]


def test_steep_row_is_read_downwards() -> None:
    points = [(100, 400 - 31 * k) for k in range(6)]
    assert group_rows(boxes(points, 40, 30)) == [[5, 4, 3, 2, 1, 0]]


def test_two_rows_one_above_the_other_come_from_the_top() -> None:
    lower, upper = [(100 + 31 * k, 300) for k in range(5)], [(120 + 31 * k, 100) for k in range(3)]
    assert group_rows(boxes(lower + upper)) == [[5, 6, 7], [0, 1, 2, 3, 4]]


def test_a_gap_does_not_end_a_row_but_distance_does() -> None:
    points = [(100, 50), (131, 50), (162, 50), (162 + 31 + 20, 50), (600, 50)]
    assert group_rows(boxes(points)) == [[0, 1, 2, 3], [4]]


def test_direction_is_a_unit_vector_to_the_right_or_down() -> None:
    assert row_direction(np.array([[0.0, 0.0]])) == pytest.approx([1, 0])
    assert row_direction(np.array([[10.0, 0.0], [0.0, 0.0]])) == pytest.approx([1, 0])
    assert row_direction(np.array([[0.0, 10.0], [0.0, 0.0]])) == pytest.approx([0, 1])
