"""The JSON API gives the engine's answers, and errors in one form."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import cv2
import pytest
from scripted import ScriptedReader, picture, reading_of

from engine import api
from webui.app import create_app
from webui.config import Config

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from flask.testing import FlaskClient

HAND = {"rules": "xiamen", "gold": "5m", "seat": "C", "hand": "123m 456p 789s 222z 345s 5m", "drawn": "9p"}
WIN = {
    "rules": "xiamen",
    "gold": "5m",
    "seat": "C",
    "hand": "123m 678s 99p 45s",
    "melds": [{"kind": "chow", "tiles": "234p"}, {"kind": "pong", "tiles": "777z"}],
    "flowers": "16f",
    "win": {"by": "discard", "tile": "6s", "from": "D"},
}


def test_every_worked_case_is_answered_as_by_the_engine(client: FlaskClient, cases: Path) -> None:
    for name in ("xiamen", "options"):
        for case in json.loads((cases / f"{name}.json").read_text("utf-8")):
            record = case["record"]
            if record["rules"] != "xiamen":
                continue
            path, function = (
                ("options", api.options)
                if name == "options"
                else ("event", api.event)
                if "event" in record
                else ("score", api.score)
            )
            answer = client.post(f"/api/{path}", json=record)
            assert answer.json == json.loads(json.dumps(function(record))), case["id"]
            assert answer.status_code == (422 if case["expect"].get("input_error") else 200), case["id"]


def test_a_win_is_settled(client: FlaskClient) -> None:
    answer = client.post("/api/score", json=WIN)
    assert answer.status_code == 200
    assert answer.json["payments"] == {"A": -11, "B": -11, "C": 33, "D": -11}


def test_waits(client: FlaskClient) -> None:
    record = {key: value for key, value in WIN.items() if key != "win"}
    answer = client.post("/api/waits", json=record).json
    assert answer["state"] == "ready"
    assert {wait["tile"] for wait in answer["waits"]} == {"3s", "6s", "9s"}


def test_claims(client: FlaskClient) -> None:
    record = {key: value for key, value in WIN.items() if key != "win"}
    answer = client.post("/api/claims", json={**record, "offered": {"tile": "6s", "from": "B"}})
    assert answer.status_code == 200
    assert answer.json["win"]["legal"] is True


def test_an_array_is_answered_in_order_and_its_faults_do_not_stop_it(client: FlaskClient) -> None:
    answer = client.post("/api/score", json=[WIN, {**WIN, "flowers": "99f"}, 7, WIN])
    assert answer.status_code == 422
    assert [("error" in result) for result in answer.json] == [False, True, True, False]
    assert answer.json[0] == answer.json[3]


def test_a_hand_that_does_not_win_is_an_answer_and_no_error(client: FlaskClient) -> None:
    answer = client.post("/api/score", json={**WIN, "win": {"by": "discard", "tile": "1z", "from": "D"}})
    assert answer.status_code == 200
    assert answer.json["valid"] is False


@pytest.mark.parametrize("path", ["score", "options", "waits", "claims", "event"])
def test_an_impossible_hand_names_the_field(client: FlaskClient, path: str) -> None:
    answer = client.post(f"/api/{path}", json={**HAND, "hand": "11111m", "rules": "no such game"})
    assert answer.status_code == 422
    error = answer.json["error"]
    assert error["field"]
    assert error["zh"]
    assert error["zh_hant"]
    assert error["en"]


@pytest.mark.parametrize("body", [b"{", b"", b"[1,", b"\xff\xfe", b"[" * 100_000])
def test_broken_json(client: FlaskClient, body: bytes) -> None:
    answer = client.post("/api/score", data=body, content_type="application/json")
    assert answer.status_code == 400
    assert answer.json["error"]["code"] == "bad_json"
    assert "Bad Request" not in answer.json["error"]["en"]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b'{"rules": "xiamen", "gold": NaN}', "NaN is no number"),
        (b'{"rules": "xiamen", "rules": "jinhua"}', '"rules" is given twice'),
        (b'{"count": ' + b"9" * 5000 + b"}", "a number is too long"),
        (b" ", "there is nothing in it"),
        (rb'{"note": "\ud83d"}', "half a character"),
    ],
)
def test_json_with_traps_is_refused_as_on_the_command_line(client: FlaskClient, body: bytes, words: str) -> None:
    for path in ("score", "event", "table"):
        answer = client.post(f"/api/{path}", data=body, content_type="application/json")
        assert answer.status_code == 400
        assert answer.json["error"]["code"] == "bad_json"
        assert words in answer.json["error"]["en"]


@pytest.mark.parametrize("body", ["null", "7", '"a"', "true"])
def test_json_that_is_no_record(client: FlaskClient, body: str) -> None:
    answer = client.post("/api/score", data=body, content_type="application/json")
    assert answer.status_code == 422
    assert "error" in answer.json


def test_a_form_of_another_site_is_no_json(client: FlaskClient) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded"):
        answer = client.post("/api/score", data=json.dumps(WIN), content_type=kind)
        assert answer.status_code == 415
        assert answer.json["error"]["code"] == "unsupported_media_type"


def test_too_many_records(client: FlaskClient) -> None:
    answer = client.post("/api/score", json=[{}] * 1001)
    assert answer.status_code == 413
    assert answer.json["error"]["code"] == "too_many_records"


@pytest.mark.parametrize(
    ("text", "tiles"),
    [
        ("123m 5z", ["1m", "2m", "3m", "5z"]),
        ("三萬 五筒 白 春", ["3m", "5p", "5z", "1f"]),
        ("🀇🀀", ["1m", "1z"]),
        ("", []),
    ],
)
def test_typed_tiles(client: FlaskClient, text: str, tiles: list[str]) -> None:
    assert client.post("/api/tiles", json={"text": text}).json == {"tiles": tiles}


def test_typed_nonsense_is_explained(client: FlaskClient) -> None:
    answer = client.post("/api/tiles", json={"text": "12q"})
    assert answer.status_code == 422
    assert answer.json["error"]["zh"]
    assert client.post("/api/tiles", json={"text": 5}).status_code == 400
    assert client.post("/api/tiles", json=[]).status_code == 400


@pytest.mark.parametrize(
    ("text", "rules", "code"),
    [
        ("123456789m" * 11, "xiamen", "too_many_tiles"),
        ("123456789m 123456789p", "xiamen", "too_many_tiles"),
        ("123456789m 123456p", "yunxiao", "too_many_tiles"),
        ("11111m", "xiamen", "five_of_a_kind"),
        ("55f", "xiamen", "flower_twice"),
    ],
)
def test_more_tiles_than_there_are_is_told_before_any_gold_is_named(
    client: FlaskClient, text: str, rules: str, code: str
) -> None:
    answer = client.post("/api/tiles", json={"text": text, "rules": rules})
    assert answer.status_code == 422
    assert answer.json["error"]["code"] == code
    assert answer.json["error"]["zh_hant"]


def test_as_many_tiles_as_a_hand_holds(client: FlaskClient) -> None:
    text = "123456789m 12345678p 12345678f"
    assert len(client.post("/api/tiles", json={"text": text, "rules": "xiamen"}).json["tiles"]) == 25
    assert client.post("/api/tiles", json={"text": "1m", "rules": "riichi"}).status_code == 400


def test_what_the_page_asks(client: FlaskClient) -> None:
    record = {key: value for key, value in WIN.items() if key != "win"}
    offered = {**record, "offered": {"tile": "9p", "from": "D"}}
    both = client.post("/api/table", json={"record": record, "win": WIN, "claim": offered}).json
    assert both["claims"] == client.post("/api/claims", json=offered).json
    assert both["claims"]["pong"]["legal"] is True
    assert both["answer"] == client.post("/api/waits", json=record).json
    assert both["settlement"] == client.post("/api/score", json=WIN).json
    assert both["answer_error"] is both["settlement_error"] is both["claims_error"] is None
    assert client.post("/api/table", json={"record": HAND}).json["answer"]["win_now"]["legal"] is True
    unfinished = client.post("/api/table", json={"record": {**record, "hand": "1m"}, "win": {**WIN, "hand": "1m"}})
    assert unfinished.status_code == 200
    assert unfinished.json["answer"] is unfinished.json["settlement"] is None
    assert unfinished.json["answer_error"]["field"] == unfinished.json["settlement_error"]["field"]
    refused = client.post("/api/table", json={"win": {**WIN, "win": {"by": "discard", "tile": "1z", "from": "D"}}}).json
    assert refused["settlement"]["valid"] is False
    assert client.post("/api/table", json=[1]).status_code == 400


# --- photos -------------------------------------------------------------------------------------------------


def png(image: np.ndarray) -> bytes:
    good, data = cv2.imencode(".png", image)
    assert good
    return data.tobytes()


@pytest.fixture
def reader_client() -> FlaskClient:
    app = create_app(Config(max_upload_bytes=1024 * 1024))
    reading = reading_of("234p|777z|16f", "123m678s99p45s|6s")
    app.extensions["youjin"].eyes._reader = ScriptedReader({7: reading})
    return app.test_client()


def test_a_photo_as_form_and_as_body(reader_client: FlaskClient) -> None:
    data = png(picture(7))
    form = reader_client.post("/api/read", data={"image": (io.BytesIO(data), "手牌.png")})
    raw = reader_client.post("/api/read?name=x.png", data=data, content_type="image/png")
    assert form.status_code == raw.status_code == 200
    answer: dict[str, Any] = form.json
    assert answer["image"] == "手牌.png"
    assert raw.json["image"] == "x.png"
    assert answer["rows"][1] == ["1m", "2m", "3m", "6s", "7s", "8s", "9p", "9p", "4s", "5s", "6s"]
    assert answer["record"]["hand"] == "123m99p45678s"
    assert answer["record"]["drawn"] == "6s"
    assert [meld["kind"] for meld in answer["record"]["melds"]] == ["chow", "pong"]
    assert answer["record"]["flowers"] == "16f"
    assert {key: answer[key] for key in ("width", "height")} == {"width": 1280, "height": 720}
    assert len(answer["boxes"]) == len(answer["tiles"]) == 19


@pytest.mark.parametrize("data", [b"", b"no picture", b"\xff\xd8\xff\xe0 broken"])
def test_what_is_no_picture(reader_client: FlaskClient, data: bytes) -> None:
    answer = reader_client.post("/api/read", data={"image": (io.BytesIO(data), "a.jpg")})
    assert answer.status_code == 422
    assert answer.json["image"] == "a.jpg"
    assert answer.json["error"]["zh"]


def test_no_photo_at_all(reader_client: FlaskClient) -> None:
    assert (
        reader_client.post("/api/read", data={"a": "b"}, content_type="multipart/form-data").json["error"]["code"]
        == "no_image"
    )
    assert reader_client.post("/api/read", data=b"", content_type="image/png").json["error"]["code"] == "no_image"
    assert reader_client.post("/api/read", json={}).status_code == 415


def test_a_photo_that_is_too_large(reader_client: FlaskClient) -> None:
    answer = reader_client.post("/api/read", data=b"x" * (1024 * 1024 + 1), content_type="image/png")
    assert answer.status_code == 413
    assert answer.json["error"]["code"] == "too_large"
    assert "1 MB" in answer.json["error"]["en"]


def test_a_game_nobody_knows(reader_client: FlaskClient) -> None:
    answer = reader_client.post("/api/read?rules=riichi", data=png(picture(7)), content_type="image/png")
    assert answer.status_code == 400
    assert answer.json["error"]["code"] == "unknown_rules"


def test_missing_models_are_told(tmp_path: Path) -> None:
    client = create_app(Config(models_dir=tmp_path)).test_client()
    answer = client.post("/api/read", data=png(picture(1)), content_type="image/png")
    assert answer.status_code == 422
    assert answer.json["error"]["code"] == "no_model"
