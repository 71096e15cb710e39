from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.text import LANGUAGES
from vision.zones import KINDS, MOST_CORNERS, MOST_ZONES, ZoneError, Zones

SQUARE = [[0.1, 0.6], [0.9, 0.6], [0.9, 0.95], [0.1, 0.95]]


def zone(polygon: object, kind: object = "concealed") -> dict[str, object]:
    return {"kind": kind, "polygon": polygon}


def test_zones_go_through_json_unchanged() -> None:
    data = [
        zone(SQUARE),
        zone([[0, 0], [1, 0], [0.5, 1]], "ignore"),
        zone([[0.2, 0.2], [0.4, 0.2], [0.4, 0.3]], "gold"),
    ]
    zones = Zones.from_json(json.loads(json.dumps(data)))
    assert zones.as_json() == data
    assert Zones.from_json(zones.as_json()) == zones
    assert zones.has("gold")
    assert not zones.has("melds")
    assert zones
    assert not Zones.from_json([])


def test_what_lies_in_which_zone() -> None:
    zones = Zones.from_json([zone(SQUARE), zone([[0.7, 0.6], [0.9, 0.6], [0.9, 0.95], [0.7, 0.95]], "melds"),
                             zone([[0, 0.9], [1, 0.9], [1, 1], [0, 1]], "ignore"), zone(SQUARE[:3], "flowers")])  # fmt: skip
    points = [[0.15, 0.85], [0.5, 0.5], [0.5, 0.92], [0.85, 0.65], [0.72, 0.89]]
    assert zones.kinds_at(points) == ["concealed", None, "ignore", "flowers", "melds"]
    assert zones.kinds_at([]) == []


def test_a_hollow_shape_does_not_hold_what_lies_in_its_bay() -> None:
    bay = [[0, 0], [1, 0], [1, 1], [0.7, 1], [0.7, 0.3], [0.3, 0.3], [0.3, 1], [0, 1]]
    assert Zones.from_json([zone(bay, "others")]).kinds_at([[0.1, 0.9], [0.5, 0.9], [0.5, 0.2]]) == [
        "others", None, "others",
    ]  # fmt: skip


def test_a_corner_given_twice_and_a_closed_polygon_are_the_same_zone() -> None:
    assert Zones.from_json([zone([*SQUARE, SQUARE[0]])]) == Zones.from_json([zone(SQUARE)])
    assert Zones.from_json([zone([SQUARE[0], *SQUARE])]) == Zones.from_json([zone(SQUARE)])


@pytest.mark.parametrize(
    ("data", "code", "field"),
    [
        ({}, "not_a_list", ""),
        (None, "not_a_list", ""),
        ([zone(SQUARE)] * (MOST_ZONES + 1), "too_many", ""),
        ([7], "not_a_zone", "[0]"),
        ([{"kind": "concealed"}], "not_a_zone", "[0]"),
        ([{**zone(SQUARE), "colour": "red"}], "not_a_zone", "[0]"),
        ([zone(SQUARE), zone(SQUARE, "wall")], "unknown_kind", "[1].kind"),
        ([zone(SQUARE, ["melds"])], "unknown_kind", "[0].kind"),
        ([zone("0 0 1 1")], "not_points", "[0].polygon"),
        ([zone([[0, 0], [1, 0], [1, "1"]])], "not_points", "[0].polygon"),
        ([zone([[0, 0], [1, 0], [1, True]])], "not_points", "[0].polygon"),
        ([zone([[0, 0], [1, 0], [1, 1, 1]])], "not_points", "[0].polygon"),
        ([zone([[0, 0], [1, 0], [1, math.nan]])], "not_points", "[0].polygon"),
        ([zone([[0, 0], [1, 0], [1, 1.001]])], "outside", "[0].polygon"),
        ([zone([[0, 0], [1, 0], [-0.2, 1]])], "outside", "[0].polygon"),
        ([zone([[0, 0], [1, 0], [10**400, 1]])], "outside", "[0].polygon"),
        ([zone([])], "too_few_corners", "[0].polygon"),
        ([zone([[0, 0]])], "too_few_corners", "[0].polygon"),
        ([zone([[0, 0], [1, 0]])], "too_few_corners", "[0].polygon"),
        ([zone([[0, 0], [1, 0], [1, 0], [0, 0]])], "too_few_corners", "[0].polygon"),
        ([zone([[0, 0], [1, 1], [1, 0], [0, 1]])], "self_crossing", "[0].polygon"),
        ([zone([[0, 0], [1, 0], [0.5, 0]])], "self_crossing", "[0].polygon"),
        ([zone([[0, 0], [1, 0], [0.5, 0.5], [0.5, 0], [0, 1]])], "self_crossing", "[0].polygon"),
        ([zone([[0, 0], [1, 0], [1, 1], [1, 0.5], [1, 1], [0, 1]])], "self_crossing", "[0].polygon"),
        ([zone([[0.5, 0.5], [0.51, 0.5], [0.51, 0.51]])], "too_small", "[0].polygon"),
        ([zone([[i / 100, (i % 2) / 10] for i in range(MOST_CORNERS + 1)])], "too_many_corners", "[0].polygon"),
    ],
)  # fmt: skip
def test_what_cannot_be_a_zone_is_said_in_a_sentence(data: object, code: str, field: str) -> None:
    with pytest.raises(ZoneError) as caught:
        Zones.from_json(data)
    error = caught.value
    assert (error.code, error.field) == (code, field)
    assert error.as_json() == {"code": code, "field": field, **error.text.as_json()}
    sentences = [error.text.in_language(language) for language in LANGUAGES]
    assert all(sentence and "{" not in sentence for sentence in sentences)
    assert error.text.en in str(error)


def test_an_unknown_kind_is_quoted_and_the_known_ones_are_named() -> None:
    with pytest.raises(ZoneError) as caught:
        Zones.from_json([zone(SQUARE, "wall" * 100)])
    assert len(caught.value.text.en) < 200
    assert all(kind in caught.value.text.zh for kind in KINDS)


@given(
    st.integers(3, 12), st.floats(0.1, 0.45), st.floats(0, 6.28), st.lists(st.floats(0.2, 1), min_size=12, max_size=12)
)
def test_star_shapes_hold_their_middle_and_not_what_is_beyond(
    count: int, radius: float, turn: float, reach: list[float]
) -> None:
    angles = turn + np.arange(count) * 2 * np.pi / count
    radii = radius * np.maximum(np.array(reach[:count]), 0.5)
    points = np.stack([0.5 + radii * np.cos(angles), 0.5 + radii * np.sin(angles)], 1)
    zones = Zones.from_json([zone(points.tolist(), "discards")])
    assert zones.kinds_at([[0.5, 0.5], [0.02, 0.02], [0.98, 0.5]]) == ["discards", None, None]
    # Just within and just beyond each corner.
    assert zones.kinds_at(0.5 + (points - 0.5) * 0.95) == ["discards"] * count
    assert zones.kinds_at(0.5 + (points - 0.5) * 1.05) == [None] * count


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=3),
                    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.sampled_from(["kind", "polygon", "x"]), inner, max_size=3),
                    max_leaves=12))  # fmt: skip
def test_any_json_is_zones_or_a_sentence(data: object) -> None:
    try:
        zones = Zones.from_json(data)
    except ZoneError as error:
        assert error.text.zh  # noqa: PT017  (that it was raised is one of two good ends)
    else:
        assert Zones.from_json(zones.as_json()) == zones
