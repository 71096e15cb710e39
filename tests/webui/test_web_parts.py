"""The parts below the page: the board, the answers, the layout, the forms, the program."""

from __future__ import annotations

import json
import socket
import threading
import urllib.error
import urllib.request
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from scripted import reading_of

from engine.house import PROFILES
from engine.rules import GAMES as RULES
from vision.table import Table
from webui import layout
from webui.answers import YoujinWatch, answer, stage
from webui.board import Board
from webui.cli_serve import serve
from webui.config import RULE_SETS, Config
from webui.games import GAMES
from webui.house import keys_as_json
from webui.server import ServeError, Server, address_of, open_socket

if TYPE_CHECKING:
    from pathlib import Path


# --- board --------------------------------------------------------------------------------------------------


def test_equal_states_have_no_new_version() -> None:
    board = Board({"a": 1}, 2)
    assert not board.publish({"a": 1})
    assert board.publish({"a": 2})
    assert board.read() == {"version": 1, "a": 2}


def test_closing_lets_everybody_go() -> None:
    board = Board({"a": 1}, 2)
    thread = threading.Thread(target=board.wait, args=(0, 60))
    thread.start()
    board.close()
    thread.join(10)
    assert not thread.is_alive()


def test_a_place_is_free_again_after_waiting() -> None:
    board = Board({"a": 1}, 1)
    for _ in range(5):
        assert "busy" not in board.wait(0, 0.001)


# --- answers ------------------------------------------------------------------------------------------------


def record(hand: str, drawn: str | None = None, **more: Any) -> dict[str, Any]:
    result: dict[str, Any] = {"rules": "xiamen", "gold": "5m", "seat": "C", "hand": hand, "melds": [], **more}
    if drawn:
        result["drawn"] = drawn
    return result


def test_stages() -> None:
    assert stage(record("123m456p789s222z345s5m")) == "between"
    assert stage(record("123m456p789s222z345s5m", "9p")) == "drawn"
    assert stage(record("123m")) == "count"
    assert stage(record("123m9p", rules="yunxiao", melds=[{}, {}, {}])) == "between"


def test_nothing_is_asked_before_the_hand_is_whole() -> None:
    assert answer(record("123m")) == (None, None)
    assert answer(record("123m456p789s222z345s5m", gold=None)) == (None, None)
    result, error = answer(record("11111m56p789s222z345s"))
    assert result is None
    assert error is not None
    assert error["code"] == "five_of_a_kind"


def test_youjin_rises_when_a_gold_is_discarded() -> None:
    watch = YoujinWatch()

    def see(hand: str, drawn: str | None = None) -> int:
        now = record(hand, drawn, youjin=watch.level)
        result, error = answer(now)
        assert error is None
        assert result is not None
        return watch.see(now, result)

    assert see("123m456p789s222z34s55m", "9p") == 0
    assert see("123m456p789s222z34s55m") == 1
    assert see("123m456p789s222z34s55m", "5s") == 1
    assert see("123m456p789s222z345s5m") == 2
    assert see("123m456p789s222z345s5m", "1z") == 2
    assert see("123m456p789s22z345s5m1z") == 0
    watch.set(2)
    assert watch.level == 2
    watch.reset()
    assert watch.level == 0


# --- layout -------------------------------------------------------------------------------------------------


def test_a_table_is_laid_out() -> None:
    seen = layout.of_table(
        Table.from_reading(reading_of("16f|234p|777z|9xx9m", "||||||123m678s|6s")), "xiamen", gold="5m"
    )
    assert [meld["kind"] for meld in seen.hand["melds"]] == ["chow", "pong", "concealed_kong"]
    assert [tile["tile"] for tile in seen.hand["melds"][2]["tiles"]] == ["9m"] * 4
    assert seen.hand["drawn"]["tile"] == "6s"
    assert seen.hand["gold"] == "5m"
    text = layout.record_of(seen.hand, "xiamen", house={"base_dealer": 20}, table={"dealer_streak": 2})
    assert text["hand"] == "123m678s"
    assert text["drawn"] == "6s"
    assert text["flowers"] == "16f"
    assert text["melds"][2] == {"kind": "concealed_kong", "tiles": "9999m"}
    assert text["table"] == {"dealer_streak": 2, "visible": ""}
    assert len(list(layout.tiles_of(seen.hand))) == 6 + 1 + 10 + 2


def test_a_flower_in_doubt_that_is_there_already_is_asked_and_stops_nothing() -> None:
    rows = ("11f|3f", "123m456p789s222z345s9p")
    seen = layout.of_table(Table.from_reading(reading_of(*rows)), "xiamen", gold="5m")
    assert [flower["certain"] for flower in seen.hand["flowers"]] == [False, False, True]
    assert layout.record_of(seen.hand, "xiamen")["flowers"] == "13f"
    result, error = answer(layout.record_of(seen.hand, "xiamen"))
    assert error is None
    assert result is not None
    for flower in seen.hand["flowers"]:  # a person says that both are there
        flower["pinned"] = True
    assert answer(layout.record_of(seen.hand, "xiamen"))[1]["code"] == "flower_twice"  # type: ignore[index]


def test_the_gold_of_hangzhou_is_always_white() -> None:
    assert layout.of_table(Table.from_reading(reading_of("123m")), "hangzhou").hand["gold"] == "5z"
    assert layout.of_table(Table.from_reading(reading_of("123m")), "xiamen").hand["gold"] is None


def test_a_guessed_gold_is_in_doubt_until_a_person_says_it() -> None:
    rows = ("6s", "", "", "123m456p789s222z345s")
    photo = layout.of_photo(reading_of(*rows), "xiamen")
    assert (photo["hand"]["gold"], photo["hand"]["gold_certain"]) == ("6s", False)
    said = layout.of_table(Table.from_reading(reading_of(*rows)), "xiamen", gold="6s")
    assert (said.hand["gold"], said.hand["gold_certain"]) == ("6s", True)
    wall = layout.of_photo(reading_of("xxxxxxxx6s", "", "", rows[-1]), "xiamen")
    assert (wall["hand"]["gold"], wall["hand"]["gold_certain"]) == ("6s", True)
    two = layout.of_photo(reading_of("6s|||||9p", "", "", rows[-1]), "xiamen")
    assert two["hand"]["gold"] is None
    assert two["hand"]["gold_candidates"] == ["6s", "9p"]


def test_problems_reach_the_page() -> None:
    seen = layout.of_table(Table.from_reading(reading_of("11111m")), "xiamen")
    assert [problem["code"] for problem in seen.problems] == ["too_many"]
    assert not any(box["settled"] for box in seen.boxes)


# --- forms --------------------------------------------------------------------------------------------------


def test_forms_agree_with_the_rules() -> None:
    assert set(GAMES) == set(RULE_SETS) == set(PROFILES)
    for key, game in GAMES.items():
        rules = RULES[key]
        assert set(game.methods) == set(rules.win_ways), key
        assert game.sets == rules.sets
        assert game.flowers is rules.has_flowers
        assert (game.gold == "5z") is rules.gold_is_white


def test_house_keys_carry_their_texts() -> None:
    for key in RULE_SETS:
        for entry in keys_as_json(key):
            assert entry["label"]["zh"]
            assert entry["meaning"]["zh_hant"]
            assert entry["type"] in {"boolean", "choice", "integer", "patterns"}
            if entry["type"] == "choice":
                assert entry["default"] in [choice["value"] for choice in entry["choices"]]


# --- the program --------------------------------------------------------------------------------------------


@pytest.fixture
def taken_port() -> Any:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


def test_a_taken_port_is_explained(taken_port: int) -> None:
    with pytest.raises(ServeError) as caught:
        open_socket("127.0.0.1", taken_port)
    assert str(taken_port) in caught.value.text.en
    assert str(taken_port + 1) in caught.value.text.zh
    result = CliRunner().invoke(serve, ["--source", "demo", "--port", str(taken_port)])
    assert result.exit_code == 2
    assert "in use" in result.output
    assert "Traceback" not in result.output


@pytest.mark.parametrize("host", ["203.0.113.7", "no such host"])
def test_a_foreign_address_is_explained(host: str) -> None:
    with pytest.raises(ServeError) as caught:
        open_socket(host, 0)
    assert "127.0.0.1" in caught.value.text.en


def test_bad_house_files_end_with_a_sentence(tmp_path: Path) -> None:
    for name, data in (("a.toml", b"= nonsense"), ("b.toml", b"no_such_rule = 1"), ("c.toml", b"\xff\xfe\x00")):
        file = tmp_path / name
        file.write_bytes(data)
        result = CliRunner().invoke(serve, ["--house", str(file), "--port", "0"])
        assert result.exit_code == 2
        assert name in result.output
        assert "Traceback" not in result.output


@pytest.mark.parametrize(
    ("language", "words"), [("zh", "没有这个文件"), ("zh_hant", "沒有這個檔案"), ("en", "no such file")]
)
def test_a_house_file_that_is_missing_is_told_in_the_language_asked_for(
    tmp_path: Path, language: str, words: str
) -> None:
    result = CliRunner().invoke(serve, ["--house", str(tmp_path / "none.toml"), "--lang", language])
    assert result.exit_code == 2
    assert words in result.output
    assert "Errno" not in result.output


def test_addresses_for_browsers() -> None:
    assert address_of("127.0.0.1", 80) == "http://127.0.0.1:80/"
    assert address_of("0.0.0.0", 80) == "http://127.0.0.1:80/"  # noqa: S104
    assert address_of("::1", 80) == "http://[::1]:80/"


def test_the_real_server_answers_and_ends() -> None:
    server = Server(Config(), 0)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        with urllib.request.urlopen(f"{server.url}healthz", timeout=10) as answer:  # noqa: S310
            assert json.load(answer) == {"ok": True}
        request = urllib.request.Request(  # noqa: S310
            f"{server.url}api/tiles", data=b"{", headers={"Content-Type": "application/json"}
        )
        with pytest.raises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(request, timeout=10)  # noqa: S310
        with caught.value as error:
            assert error.code == 400
            assert json.load(error)["error"]["code"] == "bad_json"
    finally:
        server.close()
        thread.join(10)
    assert not thread.is_alive()
