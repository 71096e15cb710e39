"""Every worked case of the rules, through the facade and compared as RULES section 11 says.

``extra.json`` holds our own cases in the same form, reckoned by hand from RULES. It may also expect ``claims`` (what
is legal), ``legal_discards``, and ``waits``, ``left`` and ``state`` of a hand between turns.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine import api

Json = dict[str, Any]
FOLDER = Path(__file__).resolve().parent.parent / "cases"


def collected() -> list[Any]:
    """One parameter for each record of each file; a behaviour case may hold several, or none."""
    found = []
    for path in sorted(FOLDER.glob("*.json")):
        for case in json.loads(path.read_text(encoding="utf-8")):
            if "record" in case:
                found.append(pytest.param(case["record"], case["expect"], id=case["id"]))
            for number, inner in enumerate(case.get("records", [])):
                found.append(pytest.param(inner["record"], inner["expect"], id=f"{case['id']}-{number}"))
    return found


def entries(discards: list[Json], state: str, seat: str) -> Json:
    """The discards with one state, in the form the cases write them."""
    listed: Json = {}
    for entry in discards:
        if entry["state"] != state:
            continue
        if not entry["legal"]:
            listed[entry["tile"]] = {"legal": False}
            continue
        worth = entry["if_won"]
        each = {-points for loser, points in worth["payments"].items() if loser != seat}
        bonus = {-points for loser, points in worth["bonus"].items() if loser != seat}
        assert len(bonus) == 1
        if len(each) == 1:
            listed[entry["tile"]] = {"each": each.pop(), "bonus": bonus.pop()}
        else:
            listed[entry["tile"]] = {"payments": worth["payments"], "bonus": bonus.pop()}
    return listed


def compare_options(record: Json, expect: Json) -> None:
    answer = api.options(record)
    assert "error" not in answer, answer
    if "win_now" in expect:
        assert answer["win_now"]["legal"] == expect["win_now"]
    for key, value in expect.get("win_settlement", {}).items():
        assert answer["win_now"]["settlement"][key] == value, key
    for state in ("youjin", "double_youjin", "triple_youjin"):
        if state in expect:
            assert entries(answer["discards"], state, record["seat"]) == expect[state]
    if "ready" in expect:
        ready = {
            entry["tile"]: sorted(wait["tile"] for wait in entry["waits"])
            for entry in answer["discards"]
            if entry["state"] == "ready" and entry["tile"] != record["gold"]
        }
        assert ready == {tile: sorted(waits) for tile, waits in expect["ready"].items()}
    if "kongs" in expect:
        assert sorted(answer["kongs"]) == sorted(expect["kongs"])
    if "legal_discards" in expect:
        legal = [entry["tile"] for entry in answer["discards"] if entry["legal"]]
        assert sorted(legal) == sorted(expect["legal_discards"])


def compare_claims(record: Json, expect: Json) -> None:
    answer = api.claims(record)
    assert "error" not in answer, answer
    chows = {chow["with"]: chow["may_not_discard"] for chow in answer["chow"] if chow["legal"]}
    for key, value in expect.items():
        if key == "chow":
            assert sorted(chows) == sorted(value)
        elif key == "may_not_discard":
            assert chows == value
        else:
            assert answer[key]["legal"] == value, key


def compare_waits(record: Json, expect: Json) -> None:
    answer = api.waits(record)
    assert "error" not in answer, answer
    if "state" in expect:
        assert answer["state"] == expect["state"]
    if expect.get("waits") == "any":
        assert answer["waits"] == "any"
    elif "waits" in expect:
        assert sorted(wait["tile"] for wait in answer["waits"]) == sorted(expect["waits"])
    if "left" in expect:
        assert {wait["tile"]: wait["left"] for wait in answer["waits"]} == expect["left"]


@pytest.mark.parametrize(("record", "expect"), collected())
def test_worked_case(record: Json, expect: Json) -> None:
    if "claims" in expect:
        compare_claims(record, expect["claims"])
        return
    if "drawn" in record and "win" not in record:
        compare_options(record, expect)
        return
    if {"waits", "state"} & expect.keys():
        compare_waits(record, expect)
        return
    answer = api.score(record)
    if expect.get("input_error"):
        assert "field" in answer["error"]
        return
    assert "field" not in answer.get("error", {}), answer
    if "valid" in expect:
        assert answer["valid"] == expect["valid"]
    for key in ("payments", "bonus", "multiplier", "water_total", "next"):
        if key in expect:
            assert answer[key] == expect[key], key
    if "patterns" in expect:
        assert sorted(pattern["key"] for pattern in answer["patterns"]) == sorted(expect["patterns"])


def test_every_file_is_there() -> None:
    names = {path.stem for path in FOLDER.glob("*.json")}
    assert names == {"behaviour", "extra", "hangzhou", "jinhua", "options", "xiamen", "yunxiao", "zhangzhou"}
    assert len(collected()) > 800


def test_copies_are_the_originals(shared: Path) -> None:
    for path in FOLDER.glob("*.json"):
        if path.stem == "extra":
            continue
        assert path.read_bytes() == (shared / "rules" / "cases" / path.name).read_bytes(), path.name
