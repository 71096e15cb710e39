"""The command line: one result per record, messages on standard error, exit status 2 for bad records."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from engine import api
from engine.cli import commands, system_language

Json = dict[str, Any]

WIN: Json = {
    "rules": "xiamen",
    "gold": "5m",
    "seat": "C",
    "hand": "123m 789m 99p 45s 234p 678p",
    "win": {"by": "discard", "tile": "6s", "from": "D"},
}
BAD = WIN | {"hand": "123m"}
LOST = WIN | {"win": {"by": "self_draw", "tile": "1z"}}


def run(*arguments: str, stdin: str | bytes | None = None) -> Result:
    group = click.Group("youjin", {command.name: command for command in commands})
    return CliRunner().invoke(group, arguments, input=stdin)


def lines(result: Result) -> list[Json]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def written(folder: Path, name: str, data: Any) -> str:
    path = folder / name
    path.write_text(data if isinstance(data, str) else json.dumps(data, ensure_ascii=False), encoding="utf-8")
    return str(path)


def test_commands() -> None:
    assert [command.name for command in commands] == ["score", "options", "waits", "claims"]


def test_one_record_an_array_and_lines(tmp_path: Path) -> None:
    one = written(tmp_path, "一.json", WIN)
    array = written(tmp_path, "array.json", [WIN, LOST])
    many = written(tmp_path, "many.jsonl", json.dumps(LOST) + "\n\n" + json.dumps(WIN) + "\n")
    result = run("score", one, array, many)
    assert result.exit_code == 0, result.output
    assert [answer["valid"] for answer in lines(result)] == [True, True, False, False, True]
    assert result.stderr == ""


def test_standard_input() -> None:
    result = run("score", "-", stdin=json.dumps(WIN))
    assert lines(result) == [api.score(WIN)]
    assert run("score", "-", stdin=b"\xef\xbb\xbf" + json.dumps(WIN).encode()).exit_code == 0


def test_the_example_of_the_readme_is_a_hand() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    example = re.search(r"echo '(\{.*\})' \| youjin options -", readme)
    assert example is not None
    result = run("options", "-", stdin=example[1])
    assert result.exit_code == 0
    assert "youjin" in {discard["state"] for discard in lines(result)[0]["discards"]}


def test_an_empty_array_is_no_mistake() -> None:
    result = run("score", "-", stdin="[]")
    assert (result.exit_code, result.stdout) == (0, "")


def test_bad_records_are_named_and_the_others_answered(tmp_path: Path) -> None:
    path = written(tmp_path, "hands.json", [WIN, BAD, WIN | {"id": "club-7", "seat": "X"}, LOST])
    result = run("score", path, "--lang", "en")
    assert result.exit_code == 2
    answers = lines(result)
    assert [answer.get("valid") for answer in answers] == [True, None, None, False]
    assert answers[1]["error"]["field"] == "hand"
    first, second = result.stderr.splitlines()
    assert first.startswith(f"{path}[2]: hand: the hand must have 16 tiles")
    assert second.startswith(f"{path}[3] club-7: seat: ")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is nothing in it"),
        ("{", "not valid JSON"),
        ("nonsense\nmore", "not valid JSON"),
        ('{"rules": NaN}', "NaN is no number"),
        ('{"rules": 1, "rules": 2}', '"rules" is given twice'),
        ("[" * 100_000, "nested too deeply"),
        ('{"rules": ' + "9" * 5000 + "}", "not valid JSON"),
        ("5", "a record is a JSON object"),
    ],
)
def test_what_is_no_json(text: str, message: str) -> None:
    result = run("score", "-", "--lang", "en", stdin=text)
    assert result.exit_code == 2
    assert message in result.stderr
    assert len(result.stderr) < 300
    assert all("error" in answer for answer in lines(result))


def test_a_broken_line_among_good_ones() -> None:
    text = json.dumps(WIN) + "\n{broken\n" + json.dumps(LOST)
    result = run("score", "-", "--lang", "en", stdin=text)
    assert result.exit_code == 2
    assert [answer.get("valid") for answer in lines(result)] == [True, None, False]
    assert result.stderr.startswith("stdin:2: this is not valid JSON")


def test_a_broken_first_line() -> None:
    result = run("score", "-", "--lang", "en", stdin="{broken\n" + json.dumps(WIN))
    assert result.exit_code == 2
    assert [answer.get("valid") for answer in lines(result)] == [None, True]
    assert result.stderr.startswith("stdin:1: this is not valid JSON")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    binary = tmp_path / "photo.json"
    binary.write_bytes(b"\xff\xd8\xff")
    good = written(tmp_path, "good.json", WIN)
    result = run("score", str(tmp_path / "missing.json"), str(tmp_path), str(binary), good, "--lang", "zh")
    assert result.exit_code == 2
    assert [answer.get("valid") for answer in lines(result)] == [None, None, None, True]
    assert "无法读取文件" in result.stderr
    assert "不是 UTF-8" in result.stderr


def test_half_a_character_does_not_break_the_output() -> None:
    result = run("score", "-", stdin='{"rules": "\\ud83c", "id": "\\ud83c"}')
    assert result.exit_code == 2
    assert lines(result)[0]["error"]["code"] == "unknown_rules"


def test_worked_cases_can_be_given_as_they_are(cases: Path) -> None:
    result = run("score", str(cases / "xiamen.json"))
    assert result.exit_code == 0, result.stderr
    expected = json.loads((cases / "xiamen.json").read_text(encoding="utf-8"))
    for answer, case in zip(lines(result), expected, strict=True):
        for key, value in case["expect"].items():
            assert answer[key] == value, case["id"]


@pytest.mark.parametrize("language", ["zh", "zh_hant", "en"])
@pytest.mark.parametrize(("command", "name"), [("score", "xiamen"), ("score", "jinhua"), ("options", "options")])
def test_sheets(command: str, name: str, language: str, cases: Path) -> None:
    result = run(command, str(cases / f"{name}.json"), "--human", "--lang", language)
    assert result.exit_code == 0, result.stderr
    assert result.stdout.count("— ") == len(json.loads((cases / f"{name}.json").read_text(encoding="utf-8")))


def test_a_sheet_can_be_read_aloud() -> None:
    result = run("score", "-", "--human", "--lang", "zh_hant", stdin=json.dumps([WIN, LOST]))
    assert result.stdout.splitlines() == [
        "— stdin[1]",
        "C 胡：平和（點炮）  1 倍",
        "牌型：123m  789m  234p  678p  456s  99p",
        "(8 底 + 0 水) × 1 = 8，A、B、D 各付",
        "收付：A −8 · B −8 · C +24 · D −8",
        "",
        "— stdin[2]",
        "不算胡：還沒有胡：牌型不完整",
    ]
    bad = run("score", "-", "--human", "--lang", "en", stdin=json.dumps(BAD))
    assert "Input error (hand): the hand must have" in bad.stdout


def test_a_sheet_names_what_each_game_counts() -> None:
    points = WIN | {"rules": "zhangzhou", "flowers": "12345f"}
    sheet = run("score", "-", "--human", "--lang", "en", stdin=json.dumps(points)).stdout
    assert "C wins: win on a discard  ×1" in sheet
    assert "Flower and kong points 2:" in sheet
    assert "B, D, each: 5 base × 1 + 2 flower and kong points = 7" in sheet
    nobody = WIN | {"table": {"chips": {"A": 0, "B": 0, "C": 400, "D": 0}}}
    assert "wins" not in run("score", "-", "--human", "--lang", "en", stdin=json.dumps(nobody)).stdout


def test_sheets_of_events() -> None:
    draw = {"rules": "xiamen", "event": "draw", "dealer": "B"}
    result = run(
        "score", "-", "--human", "--lang", "en", stdin=json.dumps([draw, draw | {"house": {"next_dealer": "random"}}])
    )
    assert "Next dealer B, streak 1" in result.stdout
    assert "Next dealer: by lot" in result.stdout


def test_sheets_of_waits_and_options() -> None:
    open_hand = WIN | {"win": None}
    waits = run(
        "waits",
        "-",
        "--human",
        "--lang",
        "en",
        stdin=json.dumps([open_hand, open_hand | {"hand": "147m 258p 369s 1234z 6z 12s"}]),
    )
    assert "waits 6s 6 bamboo, 4 left" in waits.stdout
    assert "from ready" in waits.stdout
    kong = open_hand | {"hand": "1111z 789m 99p 45s 234p 67p", "drawn": "9s"}
    options = run("options", "-", "--human", "--lang", "zh", stdin=json.dumps([kong, open_hand | {"drawn": "1z"}]))
    assert "可杠：1111z" in options.stdout
    assert "可杠：无" in options.stdout


def test_house_profile(tmp_path: Path) -> None:
    profile = written(tmp_path, "club.toml", "base_nondealer = 5\n[zhangzhou]\nfree_flowers = 4\n")
    assert lines(run("score", "-", "--house", profile, stdin=json.dumps(WIN)))[0]["payments"]["C"] == 15
    marked = tmp_path / "notepad.toml"
    marked.write_text("base_nondealer = 5\n", encoding="utf-8-sig")
    assert lines(run("score", "-", "--house", str(marked), stdin=json.dumps(WIN)))[0]["payments"]["C"] == 15
    own = WIN | {"house": {"base_nondealer": 6}}
    assert lines(run("score", "-", "--house", profile, stdin=json.dumps(own)))[0]["payments"]["C"] == 18
    event = {"rules": "xiamen", "event": "draw"}
    assert run("score", "-", "--house", profile, stdin=json.dumps(event)).exit_code == 0
    assert run("score", "-", "--house", profile, stdin="5").exit_code == 2
    wrong = written(tmp_path, "wrong.toml", "base_nondealers = 5\n")
    result = run("score", "-", "--house", wrong, "--lang", "en", stdin=json.dumps(WIN))
    assert result.exit_code == 2
    assert "base_nondealer" in result.stderr


def test_a_profile_that_cannot_be_read_is_told_in_the_language_asked_for(tmp_path: Path) -> None:
    binary = tmp_path / "club.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    for path, words in ((tmp_path / "none.toml", "没有这个文件"), (tmp_path, "文件夹"), (binary, "UTF-8")):
        result = run("score", "-", "--house", str(path), "--lang", "zh", stdin="5")
        assert result.exit_code == 2
        assert result.stderr.startswith(f"{path}: ")
        assert words in result.stderr
        assert "Errno" not in result.stderr
        assert "codec" not in result.stderr


def test_nothing_in_it_is_told() -> None:
    result = run("score", "-", "--lang", "en", stdin=" \n")
    assert result.exit_code == 2
    assert "there is nothing in it; a hand record as JSON is needed" in result.stderr


@pytest.mark.parametrize(
    ("variables", "language"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_TW.UTF-8"}, "zh_hant"),
        ({"LC_ALL": "zh_HK", "LANG": "en_US"}, "zh_hant"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({}, "en"),
    ],
)
def test_the_language_of_the_terminal(
    variables: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert system_language() == language


def test_claims() -> None:
    offered = {"rules": "xiamen", "gold": "5m", "seat": "C", "hand": "123m 789m 99p 45s 46p 678p 55z"}
    offered |= {"hand": "123m 789m 99p 45s 46p 678p 1z", "offered": {"tile": "5p", "from": "B"}}
    for extra in ([], ["--human", "--lang", "en"], ["--human", "--lang", "zh_hant"]):
        result = run("claims", "-", *extra, stdin=json.dumps(offered))
        assert result.exit_code == 0, result.stderr
    assert json.loads(run("claims", "-", stdin=json.dumps(offered)).stdout)["chow"]
    far = run(
        "claims", "-", "--human", "--lang", "en", stdin=json.dumps(offered | {"offered": {"tile": "1z", "from": "D"}})
    )
    assert "Chow: none" in far.stdout
    jinhua = {
        "rules": "jinhua",
        "gold": "5m",
        "seat": "B",
        "hand": "345s 1122z",
        "melds": [{"kind": "chow", "tiles": "234p", "from": "A"}, {"kind": "chow", "tiles": "678p", "from": "A"}],
        "offered": {"tile": "6s", "from": "A"},
    }
    ban = run("claims", "-", "--human", "--lang", "en", stdin=json.dumps(jinhua))
    assert "may not be discarded" in ban.stdout, ban.stdout
