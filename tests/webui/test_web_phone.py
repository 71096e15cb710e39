"""A phone as the camera: its pictures, garbage, size limits, four phones at once, going away and coming back."""

from __future__ import annotations

import gc
import threading
import time
import tracemalloc
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest
from scripted import ScriptedReader, picture, reading_of

from vision.camera import SourceError, open_source
from vision.phone import PhoneSource
from webui.app import create_app
from webui.config import Config
from webui.live import KEPT, Loop
from webui.phones import Phones
from webui.services import Eyes

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask
    from flask.testing import FlaskClient

READY = reading_of("1z|xxxxx", "123m456p789s222z345s5m")
A, B = "phone-aaaa", "phone-bbbb"


def png(number: int) -> bytes:
    """Lossless, so that the scripted reader knows the picture by its first pixel."""
    return cv2.imencode(".png", picture(number))[1].tobytes()


@pytest.fixture
def app(running: list[Loop]) -> Flask:
    config = Config(source="phone")
    app = create_app(config)
    services = app.extensions["youjin"]
    services.reader = ScriptedReader(dict.fromkeys(range(256), READY))
    services.loop = Loop(config, Eyes(config, services.reader), open_source=services.phones.open, retry=0.01)
    running.append(services.loop)
    services.loop.start()
    return app


@pytest.fixture
def client(app: Flask, eventually: Callable[..., None]) -> FlaskClient:
    eventually(lambda: app.extensions["youjin"].phones._source)
    return app.test_client()


def post(client: FlaskClient, phone: str, data: bytes, query: str = "") -> Any:
    return client.post(f"/api/phone/frame?phone={phone}{query}", data=data, content_type="image/jpeg")


def hello(client: FlaskClient, phone: str, **more: Any) -> dict[str, Any]:
    answer = client.post("/api/phone/hello", json={"phone": phone, **more})
    assert answer.status_code == 200
    return answer.json


def status(app: Flask) -> dict[str, Any]:
    return app.extensions["youjin"].loop.board.read()["status"]


def test_what_was_read_comes_back_to_the_phone(client: FlaskClient, eventually: Callable[..., None]) -> None:
    seen: list[dict[str, Any]] = []

    def settled() -> bool:
        answer = post(client, A, png(1)).json
        assert answer["role"] == "camera"
        seen.append(answer["seen"])
        return all(tile["certain"] for tile in seen[-1]["hand"]["concealed"]) and bool(seen[-1]["hand"]["concealed"])

    eventually(settled)
    assert [tile["tile"] for tile in seen[-1]["hand"]["concealed"]][:3] == ["1m", "2m", "3m"]
    assert seen[-1]["frame"]["width"] == READY.width
    assert set(seen[-1]) >= {"status", "tiles", "problems", "answer", "error", "settings"}
    version = seen[-1]["version"]
    assert hello(client, A, version=version)["seen"] is None  # nothing new, nothing sent


@pytest.mark.parametrize(
    ("data", "code"),
    [(b"", "empty"), (b"garbage", "not_an_image"), (b"\xff\xd8\xff\xe0" + b"\0" * 500, "not_an_image")],
)
def test_garbage_is_answered_and_ignored(
    client: FlaskClient, app: Flask, eventually: Callable[..., None], data: bytes, code: str
) -> None:
    post(client, A, png(1))
    eventually(lambda: app.extensions["youjin"].loop.board.read()["frame"])
    before = app.extensions["youjin"].phones._source._frame.index
    answer = post(client, A, data)
    assert answer.status_code == 422
    assert answer.json["error"]["code"] == code
    assert app.extensions["youjin"].phones._source._frame.index == before
    assert not status(app)["trouble"]


def test_what_is_too_large_is_refused(client: FlaskClient) -> None:
    answer = post(client, A, b"\0" * (6 * 1024 * 1024 + 1))
    assert answer.status_code == 413
    assert "6 MB" in answer.json["error"]["en"]
    bomb = cv2.imencode(".png", np.zeros((4001, 4000, 3), np.uint8))[1].tobytes()
    assert post(client, A, bomb).json["error"]["code"] == "too_large"
    assert "1600 万" in post(client, A, bomb).json["error"]["zh"]
    assert post(client, A, bomb, "&photo=1").status_code == 200  # a photo may be that large


@pytest.mark.parametrize("phone", ["", "short", "x" * 65, "../../etc", "a b c d e f"])
def test_nonsense_names_are_refused(client: FlaskClient, phone: str) -> None:
    assert post(client, phone, png(1)).status_code == 400
    assert client.post("/api/phone/hello", json={"phone": phone}).status_code == 400
    assert client.post("/api/phone/bye", json={"phone": phone}).status_code == 400
    assert client.post("/api/phone/hello", json=[phone]).status_code == 400


def test_the_phone_started_last_is_the_camera(client: FlaskClient, app: Flask) -> None:
    assert hello(client, A, start=True)["role"] == "camera"
    assert hello(client, B)["role"] == "standby"
    assert post(client, B, png(2)).json["role"] == "standby"
    assert app.extensions["youjin"].phones._source._frame is None  # what it sent was not looked at
    assert hello(client, B, start=True)["role"] == "camera"
    assert hello(client, A)["role"] == "standby"
    assert post(client, B, png(2)).json["role"] == "camera"
    assert app.extensions["youjin"].phones._source._frame.index == 1
    assert app.extensions["youjin"].phones.count == 2
    assert client.post("/api/phone/bye", json={"phone": A}).json == {"ok": True}
    assert app.extensions["youjin"].phones.count == 1


def test_four_phones_at_once_do_no_harm(client: FlaskClient, app: Flask, eventually: Callable[..., None]) -> None:
    answers: dict[str, list[int]] = {}
    hello(client, "phone-0000", start=True)

    def send(name: str) -> None:
        own = app.test_client()
        answers[name] = [
            (post(own, name, png(number)) if number % 3 else post(own, name, b"garbage")).status_code
            for number in range(1, 13)
        ]

    threads = [threading.Thread(target=send, args=(f"phone-000{number}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert answers["phone-0000"] == [422 if number % 3 == 0 else 200 for number in range(1, 13)]
    for name in ("phone-0001", "phone-0002", "phone-0003"):
        assert answers[name] == [200] * 12  # told that they are not the camera, whatever they sent
    phones = app.extensions["youjin"].phones
    assert phones._source._frame.index == 8  # only those of the chosen one
    eventually(lambda: app.extensions["youjin"].loop.board.read()["frame"])
    assert not status(app)["trouble"]


def test_hundreds_of_pictures_leave_nothing_behind(client: FlaskClient, app: Flask) -> None:
    """A short soak; the long one is tests/bench/soak.py."""
    services = app.extensions["youjin"]
    pictures = [png(number) for number in range(1, 9)]
    names = [f"phone-000{number}" for number in range(4)]
    done: list[int] = []

    def send(name: str, rounds: int) -> None:
        own = app.test_client()
        hello(own, name, start=True)
        for number in range(rounds):
            answer = post(own, name, pictures[number % 8] if number % 5 else b"garbage")
            done.append(answer.status_code)
            state = services.loop.board.read()
            if state["frame"] is not None:
                own.get(state["frame"]["url"])
            if number % 10 == 0 and state["tiles"]:
                own.post("/api/live/pin", json={"id": state["tiles"][0]["id"], "tile": "9m"})
                hello(own, name, start=True)

    def all_send(rounds: int) -> tuple[int, int]:
        threads = [threading.Thread(target=send, args=(name, rounds)) for name in names]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        gc.collect()
        return tracemalloc.get_traced_memory()[0], threading.active_count()

    tracemalloc.start()
    try:
        for _ in range(10):  # until as many pictures are kept as ever will be
            before = all_send(10)
            if len(services.loop._images) == KEPT:
                break
        after = all_send(25)
    finally:
        tracemalloc.stop()
    assert set(done) == {200, 422}
    assert after[1] == before[1]
    assert after[0] - before[0] < 6_000_000  # two pictures of 1280 × 720
    loop = services.loop
    assert max(len(loop._images), len(loop._jpegs)) <= KEPT
    assert len(loop._tracker.tracks) < 60
    assert services.phones.count == 4


def test_a_phone_that_went_away_is_told_and_comes_back(
    client: FlaskClient, app: Flask, eventually: Callable[..., None]
) -> None:
    phones = app.extensions["youjin"].phones
    phones._source._stale = 0.2
    eventually(lambda: "scan" in status(app)["en"])
    post(client, A, png(1))
    eventually(lambda: not status(app)["trouble"])
    eventually(lambda: status(app)["trouble"])  # nothing comes any more
    assert "Wi-Fi" in status(app)["en"]
    assert app.extensions["youjin"].loop.board.read()["hand"]["concealed"]  # what was read stays
    eventually(lambda: post(client, A, png(1)).status_code == 200 and not status(app)["trouble"])
    client.post("/api/phone/bye", json={"phone": A})
    eventually(lambda: "paused" in status(app)["en"])
    eventually(lambda: post(client, A, png(1)).status_code == 200 and not status(app)["trouble"])


def test_trouble_is_told_while_a_picture_is_being_read(
    client: FlaskClient, app: Flask, eventually: Callable[..., None]
) -> None:
    services = app.extensions["youjin"]
    services.phones._source._stale = 0.1
    reading, going = threading.Event(), threading.Event()
    read = services.reader.read

    def slow(image: np.ndarray) -> Any:
        reading.set()
        assert going.wait(20)
        return read(image)

    services.reader.read = slow
    post(client, A, png(1))
    assert reading.wait(10)
    eventually(lambda: "Wi-Fi" in status(app)["en"])
    hello(client, A)
    services.phones._source._stale = 60
    eventually(lambda: not status(app)["trouble"])  # and that it is over as well
    going.set()


def test_a_sign_of_life_keeps_a_still_picture(client: FlaskClient, app: Flask) -> None:
    source = app.extensions["youjin"].phones._source
    source._stale = 0.3
    post(client, A, png(1))
    for _ in range(4):
        time.sleep(0.1)
        hello(client, A)
        assert source.status is None
    source._put_at -= 10
    assert hello(client, A)["want"]
    assert not hello(client, B)["want"]


def test_a_photo_stands_alone(client: FlaskClient, app: Flask, eventually: Callable[..., None]) -> None:
    source = app.extensions["youjin"].phones._source
    source._stale = 0.05
    assert post(client, A, png(1), "&photo=1").json["role"] == "camera"

    def settled() -> bool:
        seen = hello(client, A)["seen"]
        return bool(seen["hand"]["concealed"]) and all(tile["certain"] for tile in seen["hand"]["concealed"])

    eventually(settled)
    time.sleep(0.1)
    assert source.status is None
    assert not hello(client, A)["want"]


def test_the_newest_frame_wins_and_an_old_source_gets_nothing() -> None:
    phones = Phones()
    old = phones.open("phone")
    phones.role(A)
    for number in range(1, 5):
        phones.feed(A, png(number))
    frame = old.latest(0)
    assert frame is not None
    assert (frame.index, frame.image[0, 0, 0]) == (4, 4)
    assert old.latest(4) is None
    new = phones.open("phone")
    phones.feed(A, png(9))
    assert old.latest(4) is None
    assert new.latest(0) is not None


def test_the_source_alone() -> None:
    with PhoneSource().start() as source:
        assert source.status is not None
        source.feed(picture(1))
        assert source.status is None
        assert source.latest(0, timeout=0.01) is not None
    with pytest.raises(SourceError, match="serve --lan"):
        open_source("phone")


def test_with_another_camera_the_phone_is_told() -> None:
    client = create_app(Config()).test_client()
    answer = client.post("/api/phone/hello", json={"phone": A})
    assert answer.status_code == 409
    assert answer.json["error"]["code"] == "other_camera"
    assert "serve --lan" in answer.json["error"]["zh_hant"]
    page = client.get("/phone")
    assert page.status_code == 200
    assert '"camera": false' in page.text


@pytest.mark.parametrize("path", ["/phone", "/connect"])
def test_the_pages_have_no_inline_script_or_style(path: str) -> None:
    text = create_app(Config()).test_client().get(path).text
    assert " style=" not in text
    assert " onclick=" not in text
    assert text.count("<script") == text.count('<script type="application/json"') + text.count(
        '<script type="module" src="/static/'
    )
