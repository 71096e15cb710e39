"""Teaching the program a set: rows are looked for and taken, a set is learned, used, and forgotten."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from vision.calibration import Examples
from vision.capture import STEPS
from vision.profiles import Profile, Profiles
from vision.synthesis.geometry import Camera
from vision.synthesis.render import PlacedTile, Scene, render
from webui.app import create_app
from webui.config import Config
from webui.live import Loop
from webui.services import Eyes

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient
    from numpy.typing import NDArray


def row(key: str, *, less: int = 0) -> NDArray[np.uint8]:
    """A drawn photo of one of the rows that are asked for."""
    tiles = next(step.tiles for step in STEPS if step.key == key)
    tiles = tiles[: len(tiles) - less]
    left = -27 * (len(tiles) - 1) / 2
    placed = tuple(PlacedTile(code, left + 27 * i, 0) for i, code in enumerate(tiles))
    camera = Camera(position=(0, -250, 420), target=(0, 30, 0), focal=1.1)
    return render(Scene(1280, 720, camera=camera, tiles=placed), np.random.default_rng(1)).image


def as_file(image: NDArray[np.uint8]) -> BytesIO:
    return BytesIO(cv2.imencode(".jpg", image)[1].tobytes())


@pytest.fixture(scope="module")
def photos() -> dict[str, NDArray[np.uint8]]:
    return {key: row(key) for key in ("characters", "dots")}


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return create_app(Config(data_dir=tmp_path))


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def look(client: FlaskClient, image: NDArray[np.uint8], step: str) -> dict[str, Any]:
    answer = client.post("/api/calibration/look", data={"step": step, "image": (as_file(image), "a.jpg")})
    assert answer.status_code == 200, answer.json
    found: dict[str, Any] = answer.get_json()
    return found


def test_a_set_is_learned_used_and_forgotten(
    app: Flask, client: FlaskClient, photos: dict[str, NDArray[np.uint8]], tmp_path: Path
) -> None:
    assert client.get("/api/calibration").get_json()["profiles"] == []
    for key, image in photos.items():
        found = look(client, image, key)
        assert found["problem"] is None
        assert found["warning"] is None
        assert sum(tile["tile"] == tile["seen"] for tile in found["tiles"]) >= 7
        assert client.get(f"/calibrate/{found['shot']}.jpg").mimetype == "image/jpeg"
        taken = client.post("/api/calibration/take", json={"shot": found["shot"]}).get_json()["steps"]
        assert next(step for step in taken if step["key"] == key)["taken"] == 1
    refused = client.post("/api/calibration/learn", json={"name": " "})
    assert refused.status_code == 422
    assert refused.get_json()["error"]["code"] == "bad_name"
    answer = client.post("/api/calibration/learn", json={"name": "外婆的牌"})
    assert answer.status_code == 200, answer.json
    assert len(answer.get_json()["profile"]["covered"]) == 18
    assert answer.get_json()["state"]["active"] == "外婆的牌"
    assert all(step["taken"] == 0 for step in answer.get_json()["state"]["steps"])
    eyes: Eyes = app.extensions["youjin"].eyes
    with eyes.reader() as reader:
        assert reader.classifier.profile is not None

    again = Eyes(Config(data_dir=tmp_path))
    with again.reader() as reader:
        assert reader.classifier.profile is not None, "the set in use outlives the program"
    off = client.put("/api/calibration/active", json={"name": None}).get_json()
    assert off["active"] is None
    with eyes.reader() as reader:
        assert reader.classifier.profile is None
    assert client.put("/api/calibration/active", json={"name": "外婆的牌"}).get_json()["active"] == "外婆的牌"
    relearned = client.post("/api/calibration/learn", json={"again": "外婆的牌"})
    assert relearned.get_json()["profile"]["covered"] == answer.get_json()["profile"]["covered"]
    gone = client.post("/api/calibration/remove", json={"name": "外婆的牌"}).get_json()
    assert (gone["active"], gone["profiles"]) == (None, [])
    with eyes.reader() as reader:
        assert reader.classifier.profile is None
    missing = client.post("/api/calibration/remove", json={"name": "外婆的牌"})
    assert missing.status_code == 404
    assert "外婆的牌" in missing.get_json()["error"]["zh"]


def test_rows_that_do_not_fit_are_not_taken(client: FlaskClient, photos: dict[str, NDArray[np.uint8]]) -> None:
    short = look(client, row("characters", less=1), "characters")
    assert "8" in short["problem"]["en"]
    refused = client.post("/api/calibration/take", json={"shot": short["shot"]})
    assert (refused.status_code, refused.get_json()["error"]["code"]) == (422, "not_usable")
    other = look(client, photos["dots"], "characters")
    assert other["warning"] is not None
    assert sum(tile["doubtful"] for tile in other["tiles"]) >= 7
    turned = client.post(
        "/api/calibration/look", json={"step": "dots", "shot": other["shot"], "turned": True}
    ).get_json()
    straight = look(client, photos["dots"], "dots")
    assert [tile["box"] for tile in turned["tiles"]] == [tile["box"] for tile in straight["tiles"]][::-1]
    client.post("/api/calibration/take", json={"shot": straight["shot"]})
    dropped = client.post("/api/calibration/drop", json={"step": "dots"}).get_json()
    assert all(step["taken"] == 0 for step in dropped["steps"])


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("look", {"step": "nonsense"}, 409, "no_picture"),
        ("look", {"step": "dots", "shot": "gone"}, 409, "no_such_shot"),
        ("take", {"shot": "gone"}, 409, "no_such_shot"),
        ("take", {}, 409, "no_such_shot"),
        ("drop", {"step": "nonsense"}, 400, "unknown_step"),
        ("learn", {"name": "x"}, 422, "nothing_taken"),
        ("learn", {"again": "x"}, 404, "unknown_profile"),
    ],
)
def test_what_cannot_be_done_is_told(
    client: FlaskClient, path: str, body: dict[str, Any], status: int, code: str
) -> None:
    answer = client.post(f"/api/calibration/{path}", json=body)
    assert answer.status_code == status
    error = answer.get_json()["error"]
    assert error["code"] == code
    assert error["zh"]
    assert error["zh_hant"]


def test_photos_that_are_none_and_sets_that_do_not_fit_are_told(client: FlaskClient, tmp_path: Path) -> None:
    answer = client.post("/api/calibration/look", data={"step": "dots", "image": (BytesIO(b"no picture"), "a.jpg")})
    assert answer.status_code == 422
    other = Profile(
        name="old", classifier="0" * 16, weights=np.zeros((192, 44), np.float32), bias=np.zeros(44, np.float32),
        centre=np.zeros(192, np.float32), temperature=1.0, crops=Examples.cut(
            np.zeros((9, 9, 3), np.uint8), np.empty((0, 4), np.float32), np.empty(0, np.int64)
        ).crops, kinds=np.empty(0, np.int64), right_before=0.5, right_after=1.0, held_out=False, confusions=(),
    )  # fmt: skip
    profiles = Profiles(tmp_path)
    profiles.save(other)
    refused = client.put("/api/calibration/active", json={"name": "old"})
    assert (refused.status_code, refused.get_json()["error"]["code"]) == (422, "other_classifier")
    profiles.use("old")
    fresh = create_app(Config(data_dir=tmp_path))
    with fresh.extensions["youjin"].eyes.reader() as reader:
        assert reader.classifier.profile is None
    told = fresh.test_client().get("/api/calibration").get_json()["trouble"]
    assert "old" in told["en"]
    # One that can be learned anew from its kept pictures is.
    image = np.random.default_rng(3).integers(0, 256, (120, 1000, 3), dtype=np.uint8)
    boxes = np.array([(50 * i, 20, 50 * i + 40, 80) for i in range(18)], np.float32)
    profiles.save(replace(other, crops=(kept := Examples.cut(image, boxes, np.arange(18))).crops, kinds=kept.kinds))
    fresh = create_app(Config(data_dir=tmp_path))
    with fresh.extensions["youjin"].eyes.reader() as reader:
        assert reader.classifier.profile is not None
        assert profiles.load("old").classifier == reader.classifier.digest
    assert fresh.test_client().get("/api/calibration").get_json()["trouble"] is None
    profiles.save(replace(profiles.load("old"), classifier="0" * 16))
    assert fresh.test_client().put("/api/calibration/active", json={"name": "old"}).status_code == 200


def test_the_page_shows_in_three_languages(client: FlaskClient) -> None:
    for lang, title in (("zh_Hans", "认"), ("zh_Hant", "認"), ("en", "Teach it my tiles")):
        client.set_cookie("lang", lang)
        answer = client.get("/calibrate")
        assert answer.status_code == 200
        assert title in answer.text


def test_the_loop_lends_its_newest_picture(tmp_path: Path) -> None:
    loop = Loop(Config(source="demo", data_dir=tmp_path), Eyes(Config(data_dir=tmp_path)))
    assert loop.picture() is None
    image = np.full((4, 5, 3), 7, np.uint8)
    loop._images[1] = image
    loop._frame_version = 1
    assert loop.picture() is image
