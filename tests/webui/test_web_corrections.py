"""Corrected pictures: kept with consent only, with right labels only, and deleted when told."""

from __future__ import annotations

import io
import json
import zipfile
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest
from scripted import ScriptedReader, ScriptedSource, picture, reading_of

from vision.dataset import read_folder
from webui.app import create_app
from webui.config import Config
from webui.live import Loop

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from flask.testing import FlaskClient

SCENE = "scene-0001"


def photo(width: int = 200, height: int = 100) -> bytes:
    image = np.full((height, width, 3), 90, np.uint8)
    return cv2.imencode(".jpg", image)[1].tobytes()


def box(tile: str | None, left: int, *, certain: bool = True, pinned: bool = False, **more: Any) -> dict[str, Any]:
    return {"tile": tile, "box": [left, 10, left + 20, 40], "certain": certain, "pinned": pinned, **more}


GOOD = [box("5m", 0), box("9p", 30, certain=False, pinned=True), box(None, 60)]


def send(client: FlaskClient, boxes: object, scene: str = SCENE, image: bytes | None = None, **more: Any) -> Any:
    labels = {"scene": scene, "width": 200, "height": 100, "tiles": boxes, **more}
    data = {"image": (io.BytesIO(image or photo()), "手牌.jpg"), "labels": json.dumps(labels)}
    return client.post("/api/corrections", data=data)


@pytest.fixture
def agreed(client: FlaskClient) -> FlaskClient:
    assert client.put("/api/corrections/consent", json={"consent": True}).json["consent"] is True
    return client


def kept(client: FlaskClient) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get("/api/corrections").json["pictures"]
    return found


def test_nobody_is_assumed_to_agree(client: FlaskClient) -> None:
    assert client.get("/api/corrections").json["consent"] is None
    answer = send(client, GOOD)
    assert answer.status_code == 409
    assert answer.json["error"]["code"] == "no_consent"
    assert kept(client) == []


def test_consent_can_be_taken_back_and_is_remembered(agreed: FlaskClient) -> None:
    assert create_app(Config()).test_client().get("/api/corrections").json["consent"] is True
    agreed.put("/api/corrections/consent", json={"consent": False})
    assert send(agreed, GOOD).status_code == 409
    assert agreed.put("/api/corrections/consent", json={"consent": "yes"}).status_code == 400


def test_a_corrected_picture_is_kept_in_yolo_form(agreed: FlaskClient, own_data: Path) -> None:
    assert send(agreed, GOOD).json == {"kept": True}
    (one,) = kept(agreed)
    assert one["named"] == ["9p"]
    assert [tile["tile"] for tile in one["tiles"]] == ["5m", "9p", None]
    assert one["tiles"][1]["box"] == pytest.approx([0.15, 0.1, 0.25, 0.4])
    (read,) = read_folder(own_data / "corrections")
    assert read.kinds.tolist() == [4, 17, 42]
    assert read.boxes[0].tolist() == pytest.approx([0, 10, 20, 40], abs=0.01)
    assert (own_data / "corrections" / "data.yaml").read_text().count("\n") == 47


@pytest.mark.parametrize(
    "tiles",
    [
        [box("5m", 0, certain=False), box("9p", 30, pinned=True)],  # one in doubt
        [box("5m", 0), box("9p", 30)],  # nobody said anything
        [box(None, 0, pinned=True)],  # no tile to learn
        [],
    ],
)
def test_a_picture_that_teaches_nothing_or_wrongly_is_not_kept(agreed: FlaskClient, tiles: list[Any]) -> None:
    send(agreed, GOOD)
    assert send(agreed, tiles).json == {"kept": False}
    assert kept(agreed) == [], "what was kept of the same scene may be wrong too"


def test_what_is_said_later_replaces_what_was_said(agreed: FlaskClient) -> None:
    send(agreed, GOOD)
    send(agreed, [box("6m", 0, pinned=True), *GOOD[1:]])
    (one,) = kept(agreed)
    assert one["tiles"][0]["tile"] == "6m"


def test_what_is_no_tile_has_no_label(agreed: FlaskClient) -> None:
    send(agreed, [*GOOD, box(None, 90, certain=False, pinned=True, nothing=True)])
    assert len(kept(agreed)[0]["tiles"]) == 3


def test_photos_are_made_upright_and_smaller_and_tell_no_place(agreed: FlaskClient, own_data: Path) -> None:
    large = cv2.imencode(".jpg", np.zeros((3000, 6000, 3), np.uint8))[1].tobytes()
    secret = large[:2] + b"\xff\xe1\x00\x12Exif\x00\x00GPS secret" + large[2:]
    assert send(agreed, GOOD, image=secret).json == {"kept": True}
    (file,) = (own_data / "corrections" / "images").iterdir()
    assert b"secret" not in file.read_bytes()
    assert cv2.imread(str(file)).shape == (2048, 4096, 3)


@pytest.mark.parametrize(
    "more",
    [
        {"tiles": None},
        {"tiles": [5]},
        {"tiles": [{"tile": "5m"}]},
        {"tiles": [box("5q", 0, pinned=True)]},
        {"tiles": [{**GOOD[0], "box": [5, 5, 5, 9]}]},
        {"tiles": [{**GOOD[0], "box": "abcd"}]},
        {"tiles": [{**GOOD[0], "box": [0, 0, 10**400, 9]}]},
        {"tiles": [{**GOOD[0], "box": [5000, 0, 5050, 60]}]},  # outside the picture
        {"width": 0},
        {"width": -200},
        {"width": 10**400},
        {"width": "200"},
        {"scene": "../../etc"},
        {"scene": None},
    ],
)
def test_labels_that_make_no_sense(agreed: FlaskClient, more: dict[str, Any]) -> None:
    answer = send(agreed, GOOD, **more)
    assert answer.status_code == 422
    assert answer.json["error"]["code"] == "bad_labels"


def test_bad_uploads(agreed: FlaskClient) -> None:
    assert send(agreed, GOOD, image=b"no picture").status_code == 422
    data = {"image": (io.BytesIO(photo()), "a.jpg"), "labels": "{"}
    assert agreed.post("/api/corrections", data=data).json["error"]["code"] == "bad_json"
    data = {"image": (io.BytesIO(photo()), "a.jpg"), "labels": "[]"}
    assert agreed.post("/api/corrections", data=data).json["error"]["code"] == "bad_labels"


def test_pictures_are_shown_and_deleted(agreed: FlaskClient, own_data: Path) -> None:
    for number in range(3):
        send(agreed, GOOD, f"scene-000{number}")
    names = [one["name"] for one in kept(agreed)]
    assert sorted(names) == [f"own_scene-000{number}" for number in range(3)]
    small = agreed.get(f"/corrections/{names[0]}.jpg?small")
    assert small.mimetype == "image/jpeg"
    with agreed.get(f"/corrections/{names[0]}.jpg") as answer:
        assert answer.data
    assert len(agreed.delete(f"/api/corrections/{names[0]}").json["pictures"]) == 2
    assert agreed.delete(f"/api/corrections/{names[0]}").status_code == 404
    assert agreed.get(f"/corrections/{names[0]}.jpg").status_code == 404
    assert agreed.get("/corrections/own_..%2f..%2fsecret.jpg").status_code == 404
    assert agreed.delete("/api/corrections").json["pictures"] == []
    assert [file.name for file in (own_data / "corrections").rglob("*") if file.is_file()] == ["data.yaml"]


def test_the_archive_is_what_the_eyes_read(agreed: FlaskClient, tmp_path: Path) -> None:
    send(agreed, GOOD)
    with agreed.get("/corrections.zip") as answer:
        assert answer.mimetype == "application/zip"
        with zipfile.ZipFile(io.BytesIO(answer.data)) as archive:
            archive.extractall(tmp_path)
    (read,) = read_folder(tmp_path / "corrections")
    assert read.kinds.tolist() == [4, 17, 42]


def test_labels_that_were_damaged_stop_nothing(agreed: FlaskClient, own_data: Path) -> None:
    send(agreed, GOOD)
    (file,) = (own_data / "corrections" / "labels").iterdir()
    file.write_text("no label")
    assert kept(agreed)[0]["tiles"] == []


def test_a_full_disk_is_told(agreed: FlaskClient, own_data: Path) -> None:
    (own_data / "corrections").write_text("a file where the folder should be")
    answer = send(agreed, GOOD)
    assert answer.status_code == 503
    assert str(own_data) in answer.json["error"]["en"]


# --- the live picture ---------------------------------------------------------------------------------------


@pytest.fixture
def table(running: list[Loop], eventually: Callable[..., None]) -> Any:
    """A live table with a doubtful tile, and its client."""
    doubtful = reading_of("123m456p789s222z345s9p", sure=0.6)
    reader = ScriptedReader({1: doubtful, 2: reading_of("123m456p789s222z345s9p", sure=0.6)})
    source = ScriptedSource()
    config = Config(source="scripted")
    app = create_app(config)
    services = app.extensions["youjin"]
    services.eyes._reader = reader
    services.loop = Loop(config, services.eyes, open_source=lambda _: source)
    running.append(services.loop)
    services.loop.start()
    source.show(picture(1))
    eventually(lambda: services.loop.board.read()["tiles"])
    return app.test_client(), source


def test_a_live_picture_is_kept_once_all_its_tiles_are_known(table: Any) -> None:
    client, _ = table
    tiles = client.get("/api/state").json["tiles"]
    client.post("/api/live/pin", json={"id": tiles[0]["id"], "tile": "1m"})
    assert kept(client) == [], "nobody agreed"
    client.put("/api/corrections/consent", json={"consent": True})
    for number, tile in enumerate(tiles):
        assert kept(client) == [], "some are in doubt"
        last = number == len(tiles) - 1
        say = {"id": tile["id"], "tile": None, "nothing": True} if last else {"id": tile["id"], "tile": tile["tile"]}
        client.post("/api/live/pin", json=say)
    (one,) = kept(client)
    assert len(one["tiles"]) == len(tiles) - 1
    client.post("/api/live/pin", json={"id": tiles[0]["id"], "tile": "9m"})
    (one,) = kept(client)
    assert one["tiles"][0]["tile"] == "9m", "the same tiles are the same scene"
    client.post("/api/live/unpin", json={"id": tiles[0]["id"]})
    assert kept(client) == [], "now one is in doubt again"
