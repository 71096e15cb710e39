"""The score sheet: nothing is written before a confirmation, nothing confirmed is lost."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from engine import api
from webui.app import create_app
from webui.config import Config
from webui.store import FILE, Store, StoreError

if TYPE_CHECKING:
    from pathlib import Path

    from flask.testing import FlaskClient

WIN: dict[str, Any] = {
    "rules": "xiamen",
    "gold": "5m",
    "dealer": "A",
    "seat": "C",
    "hand": "123m 678s 99p 45s",
    "melds": [{"kind": "chow", "tiles": "234p"}, {"kind": "pong", "tiles": "777z"}],
    "flowers": "16f",
    "win": {"by": "discard", "tile": "6s", "from": "D"},
}
FALSE_WIN = {"rules": "xiamen", "event": "false_win", "seat": "B", "dealer": "A"}
DRAW = {"rules": "xiamen", "event": "draw", "dealer": "A"}
NOTHING = dict.fromkeys("ABCD", 0)


def book(client: FlaskClient, record: object, revision: int, token: str | None = None) -> Any:
    token = token or f"token-{revision:04}"
    return client.post("/api/scores/book", json={"record": record, "token": token, "revision": revision})


def test_a_new_sheet_is_empty(client: FlaskClient) -> None:
    sheet = client.get("/api/scores").json
    assert (sheet["entries"], sheet["totals"], sheet["outside"], sheet["revision"]) == ([], NOTHING, NOTHING, 0)
    assert sheet["current"] is True
    assert sheet["deal"] is None


def test_what_is_confirmed_is_settled_again_and_added_up(client: FlaskClient) -> None:
    sheet = book(client, WIN, 0).json
    assert sheet["totals"] == {"A": -11, "B": -11, "C": 33, "D": -11}
    assert sheet["entries"][0]["answer"] == api.score(WIN)
    assert sheet["entries"][0]["record"] == WIN
    assert sheet["deal"] == {"dealer": "B", "dealer_streak": 0, "draw_streak": 0, "chips": None}
    sheet = book(client, FALSE_WIN, 1).json
    assert sheet["totals"]["C"] == 33
    assert sheet["outside"] == {"A": 50, "B": -150, "C": 50, "D": 50}
    sheet = book(client, DRAW, 2).json
    assert sheet["deal"] == {"dealer": "A", "dealer_streak": 1, "draw_streak": 1, "chips": None}
    assert [entry["what"]["zh_hant"] for entry in sheet["entries"]] == ["平和（點炮）", "詐胡", "流局"]


def test_an_event_within_a_hand_leaves_the_next_deal_alone(client: FlaskClient) -> None:
    book(client, WIN, 0)
    follow = {"rules": "zhangzhou", "event": "follow", "dealer": "B", "count": 1}
    sheet = book(client, follow, 1).json
    assert sheet["entries"][1]["next"] is None
    assert sheet["deal"]["dealer"] == "B"
    assert sheet["totals"] == {"A": -6, "B": -26, "C": 38, "D": -6}


def test_every_worked_win_can_be_confirmed(client: FlaskClient, cases: Path) -> None:
    revision = 0
    total = dict(NOTHING)
    for game in ("xiamen", "zhangzhou", "yunxiao", "jinhua", "hangzhou"):
        for case in json.loads((cases / f"{game}.json").read_text("utf-8"))[::4]:
            answer = api.score(case["record"])
            response = book(client, case["record"], revision, case["id"].ljust(8, "-").replace("_", "-"))
            if "error" in answer:
                assert response.status_code == 422, case["id"]
                continue
            assert response.status_code == 200, (case["id"], response.json)
            revision += 1
            total = {seat: total[seat] + answer["payments"][seat] for seat in total}
            assert response.json["totals"] == total, case["id"]
    assert revision > 20


@pytest.mark.parametrize(
    ("record", "code"),
    [
        ({**WIN, "win": {"by": "discard", "tile": "1z", "from": "D"}}, "not_a_win"),
        ({key: value for key, value in WIN.items() if key != "win"}, None),
        ({**WIN, "flowers": "11f"}, "flower_twice"),
        ({**DRAW, "event": "follow"}, "no_such_event"),
        (None, None),
        ([WIN], None),
    ],
)
def test_what_is_no_settlement_is_not_written(client: FlaskClient, record: object, code: str | None) -> None:
    answer = book(client, record, 0)
    assert answer.status_code == 422
    assert code is None or answer.json["error"]["code"] == code
    assert answer.json["error"]["zh_hant"]
    assert client.get("/api/scores").json["entries"] == []


def test_a_request_that_is_sent_twice_is_written_once(client: FlaskClient) -> None:
    first = book(client, WIN, 0, "same-token").json
    again = book(client, WIN, 0, "same-token")
    assert again.status_code == 200
    assert again.json == first


def test_two_pages_do_not_confirm_the_same_hand(client: FlaskClient) -> None:
    book(client, WIN, 0)
    late = book(client, WIN, 0, "another-page")
    assert late.status_code == 409
    assert late.json["error"]["code"] == "sheet_changed"
    assert len(client.get("/api/scores").json["entries"]) == 1


def test_the_last_one_is_taken_back_and_stays_to_be_seen(client: FlaskClient) -> None:
    book(client, WIN, 0)
    sheet = book(client, FALSE_WIN, 1).json
    first, last = (entry["entry"] for entry in sheet["entries"])
    assert client.post("/api/scores/undo", json={"entry": first}).status_code == 409
    for _ in range(2):  # sent twice
        sheet = client.post("/api/scores/undo", json={"entry": last}).json
        assert sheet["totals"]["C"] == 33
        assert sheet["outside"] == NOTHING
        assert sheet["entries"][1]["undone"]
        assert sheet["deal"]["dealer"] == "B"
    sheet = client.post("/api/scores/undo", json={"entry": first}).json
    assert sheet["totals"] == NOTHING
    assert sheet["deal"] == {"dealer": "A", "dealer_streak": 0, "draw_streak": 0, "chips": None}
    assert len(sheet["entries"]) == 2
    assert client.post("/api/scores/undo", json={"entry": 999}).json["error"]["code"] == "nothing_to_undo"
    assert book(client, WIN, 3).status_code == 409, "taking back is a change too"
    assert book(client, WIN, 4).status_code == 200


def test_the_sheet_says_who_deals_and_who_has_how_many_chips(client: FlaskClient) -> None:
    chips = dict.fromkeys("ABCD", 100)
    sheet = book(client, {**WIN, "table": {"chips": chips}}, 0).json
    assert sheet["deal"]["chips"] == {"A": 89, "B": 89, "C": 133, "D": 89}
    sheet = book(client, {**DRAW, "dealer": "B"}, 1).json
    assert sheet["deal"] == {
        "dealer": "B",
        "dealer_streak": 1,
        "draw_streak": 1,
        "chips": {"A": 89, "B": 89, "C": 133, "D": 89},
    }
    sheet = book(client, WIN, 2).json
    assert sheet["deal"]["chips"] is None, "nobody counts them any more"


@pytest.mark.parametrize("left_out", [{}, {"dealer": None, "table": None}, {"table": {"dealer_streak": None}}])
def test_a_record_may_leave_out_what_is_usual(client: FlaskClient, left_out: dict[str, Any]) -> None:
    sheet = book(client, {"rules": "xiamen", "event": "draw", **left_out}, 0).json
    sheet = client.post("/api/scores/undo", json={"entry": sheet["entries"][0]["entry"]}).json
    assert sheet["deal"] == {"dealer": "A", "dealer_streak": 0, "draw_streak": 0, "chips": None}


def test_the_program_behind_the_camera_goes_on_by_itself() -> None:
    """The page that booked may be cut off before it tells the others who deals."""
    told = []
    app = create_app(Config())
    app.extensions["youjin"].scores.on_change = lambda deal, paid: told.append((deal and deal["dealer"], paid["C"]))
    client = app.test_client()
    book(client, WIN, 0)
    book(client, WIN, 0)  # sent again
    entry = client.get("/api/scores").json["entries"][0]["entry"]
    for _ in range(2):
        client.post("/api/scores/undo", json={"entry": entry})
    assert told == [("B", 33), ("A", -33)]


def test_it_survives_a_restart(client: FlaskClient) -> None:
    client.put("/api/scores/players", json={"players": {"A": " 阿  明 ", "C": "Mei", "D": " "}})
    before = book(client, WIN, 0).json
    assert before["players"] == {"A": "阿 明", "C": "Mei"}
    assert create_app(Config()).test_client().get("/api/scores").json == before


def test_a_new_sheet_leaves_the_old_one(client: FlaskClient) -> None:
    client.put("/api/scores/players", json={"players": {"A": "Mei"}})
    assert client.post("/api/scores/begin", json={}).json["sheet"] == 1, "an empty sheet goes on"
    book(client, WIN, 0)
    sheet = client.post("/api/scores/begin", json={}).json
    assert (sheet["sheet"], sheet["entries"], sheet["players"]) == (2, [], {"A": "Mei"})
    assert [one["sheet"] for one in sheet["sheets"]] == [2, 1]
    old = client.get("/api/scores?sheet=1").json
    assert (old["current"], old["totals"]["C"]) == (False, 33)
    for address in ("/api/scores?sheet=7", "/api/scores?sheet=abc", "/api/scores?sheet="):
        assert client.get(address).json["error"]["code"] == "no_sheet"
    assert client.get("/scores.csv?sheet=1e9").status_code == 404
    entry = old["entries"][0]["entry"]
    assert client.post("/api/scores/undo", json={"entry": entry}).status_code == 409, "an old sheet is closed"


@pytest.mark.parametrize(
    ("names", "told"),
    [(None, "by seat"), ({"E": "x"}, "by seat"), ({"A": 5}, "by seat"), ({"A": "x" * 25}, "24 letters")],
)
def test_bad_names(client: FlaskClient, names: object, told: str) -> None:
    answer = client.put("/api/scores/players", json={"players": names})
    assert answer.status_code == 422
    assert answer.json["error"]["code"] == "bad_name"
    assert told in answer.json["error"]["en"]


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("\u200b\u2060", {}),
        ("\u202e林\u200b阿婆\x07", {"A": "林 阿婆"}),
        ("👨\u200d👩", {"A": "👨\u200d👩"}),
        ("\u200d", {}),
    ],
    ids=["nothing to see", "turned round", "joined", "joining nothing"],
)
def test_names_can_be_seen(client: FlaskClient, name: str, kept: dict[str, str]) -> None:
    assert client.put("/api/scores/players", json={"players": {"A": name}}).json["players"] == kept


@pytest.mark.parametrize("body", [{"record": WIN}, {"record": WIN, "token": "a b", "revision": 0}, {"token": "x" * 9}])
def test_requests_that_are_not_whole(client: FlaskClient, body: dict[str, Any]) -> None:
    assert client.post("/api/scores/book", json=body).status_code == 400
    assert client.post("/api/scores/book", json=[]).status_code == 400
    assert client.post("/api/scores/undo", json={"entry": "1"}).status_code == 400


def test_the_sheet_as_csv(client: FlaskClient) -> None:
    client.put("/api/scores/players", json={"players": {"A": "阿明", "B": "=cmd()"}})
    book(client, WIN, 0)
    sheet = book(client, FALSE_WIN, 1).json
    client.post("/api/scores/undo", json={"entry": sheet["entries"][1]["entry"]})
    client.set_cookie("lang", "zh_Hans")
    answer = client.get("/scores.csv")
    assert answer.mimetype == "text/csv"
    assert "attachment" in answer.headers["Content-Disposition"]
    assert answer.text.startswith("\ufeff")
    head, first, second, total = list(csv.reader(io.StringIO(answer.text.removeprefix("\ufeff"))))
    assert head[:4] == ["局", "时间", "打法", "赢家"]
    assert head[7:9] == ["阿明", "'=cmd()"]
    assert head[11] == "阿明 课外"
    assert (first[0], first[3], first[7:11]) == ("1", "C", ["-11", "-11", "33", "-11"])
    assert (second[0], second[11:]) == ("", ["50", "-150", "50", "50"])
    assert second[6], "marked as taken back"
    assert total[7:] == ["-11", "-11", "33", "-11", "0", "0", "0", "0"]


# --- the file -----------------------------------------------------------------------------------------------


def test_a_folder_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    client = create_app(Config(data_dir=tmp_path / "file")).test_client()
    answer = book(client, WIN, 0)
    assert answer.status_code == 503
    assert answer.json["error"]["code"] == "not_kept"
    assert str(tmp_path / "file") in answer.json["error"]["zh"]


def test_a_damaged_file_is_told_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / FILE
    file.write_bytes(b"this is no database, whatever its name says" * 30)
    with pytest.raises(StoreError, match="damaged"):
        Store(tmp_path).setting("x")
    assert file.read_bytes().startswith(b"this is no database")


def test_a_file_that_was_moved_away_is_told_and_works_again_once_it_is_back(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.keep_setting("name", 1)
    store.path.rename(tmp_path / "elsewhere")
    with pytest.raises(StoreError, match="gone"):
        store.keep_setting("name", 2)
    assert not store.path.exists()
    (tmp_path / "elsewhere").rename(store.path)
    store.keep_setting("name", 3)
    assert store.setting("name") == 3
    store.close()


def test_a_file_of_a_newer_program_is_told(tmp_path: Path) -> None:
    Store(tmp_path).keep_setting("x", 1)
    connection = sqlite3.connect(tmp_path / FILE)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreError, match="newer"):
        Store(tmp_path).setting("x")


def test_settings_are_kept(tmp_path: Path) -> None:
    store = Store(tmp_path)
    assert store.setting("zones") is None
    store.keep_setting("zones", [1, "二"])
    store.keep_setting("zones", {"a": None})
    store.close()
    assert store.setting("zones") == {"a": None}


def test_half_a_transaction_is_none(tmp_path: Path) -> None:
    store = Store(tmp_path)

    def fail() -> None:
        with store.transaction():
            store.keep_setting("x", 1)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert store.setting("x") is None
