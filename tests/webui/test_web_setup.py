"""Choosing the camera while the program runs, and what a person draws on the picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from scripted import ScriptedReader, ScriptedSource, picture, reading_of

from engine.text import Text
from vision.camera import SourceError
from webui.app import create_app
from webui.config import Config
from webui.live import Loop

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask.testing import FlaskClient

    from vision.camera import Source

SQUARE = [[0.1, 0.7], [0.9, 0.7], [0.9, 1.0], [0.1, 1.0]]
PHONE = {"REMOTE_ADDR": "192.168.1.7"}


@pytest.fixture
def table(running: list[Loop], eventually: Callable[..., None]) -> tuple[FlaskClient, Loop]:
    """A running table that looks at a scripted camera; `other.mp4` is one more, everything else is not there."""

    def open_source(spec: str) -> Source:
        if spec not in {"demo", "other.mp4"}:
            raise SourceError(Text("没有", "沒有", f"there is no {spec}"))
        source = ScriptedSource()
        source.show(picture(1))
        return source  # type: ignore[return-value]

    config = Config(source="demo")
    app = create_app(config)
    services = app.extensions["youjin"]
    services.eyes._reader = ScriptedReader({1: reading_of("123m456p789s222z345s9p")})
    services.loop = Loop(config, services.eyes, open_source=open_source, store=services.store)
    running.append(services.loop)
    services.loop.start()
    eventually(lambda: services.loop.board.read()["tiles"])
    return app.test_client(), services.loop


def current(client: FlaskClient) -> list[str]:
    return [source["spec"] for source in client.get("/api/sources").json["sources"] if source["current"]]


def test_the_sources_are_listed(table: tuple[FlaskClient, Loop]) -> None:
    client, _ = table
    assert current(client) == ["demo"]
    for source in client.get("/api/sources").json["sources"]:
        assert source["name"]["zh_hant"]


def test_another_source_while_running(table: tuple[FlaskClient, Loop], eventually: Callable[..., None]) -> None:
    client, _ = table
    assert client.post("/api/source", json={"spec": " other.mp4 "}).status_code == 200
    eventually(lambda: current(client) == ["other.mp4"])
    eventually(lambda: client.get("/api/state").json["tiles"])


def test_a_source_that_does_not_open_leaves_the_one_before(table: tuple[FlaskClient, Loop]) -> None:
    client, _ = table
    answer = client.post("/api/source", json={"spec": "none.mp4"})
    assert answer.status_code == 422
    assert answer.json["error"]["code"] == "no_source"
    assert "none.mp4" in answer.json["error"]["en"]
    assert current(client) == ["demo"]


@pytest.mark.parametrize("body", [{}, {"spec": ""}, {"spec": 0}, {"spec": None}])
def test_no_source_is_named(table: tuple[FlaskClient, Loop], body: dict[str, Any]) -> None:
    assert table[0].post("/api/source", json=body).json["error"]["code"] == "no_spec"


def test_a_phone_opens_no_files_of_the_computer(table: tuple[FlaskClient, Loop]) -> None:
    client, _ = table
    answer = client.post("/api/source", json={"spec": "other.mp4"}, environ_base=PHONE)
    assert answer.status_code == 403
    assert answer.json["error"]["code"] == "not_from_outside"
    assert client.post("/api/source", json={"spec": "demo"}, environ_base=PHONE).status_code == 200


def test_zones_are_kept_for_the_next_start(table: tuple[FlaskClient, Loop]) -> None:
    client, _ = table
    assert client.get("/api/zones").json == {"zones": [], "seat": None}
    drawn = {"zones": [{"kind": "concealed", "polygon": SQUARE}], "seat": "left"}
    assert client.put("/api/zones", json=drawn).json == drawn
    again = create_app(Config(source="demo", resume=frozenset({"source", "rules", "hand"}))).test_client()
    assert again.get("/api/zones").json == drawn


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"zones": [{"kind": "lawn", "polygon": SQUARE}]}, "unknown_kind"),
        ({"zones": [{"kind": "melds", "polygon": SQUARE[:2]}]}, "too_few_corners"),
        ({"zones": None}, "not_a_list"),
        ({"zones": [], "seat": "above"}, "no_side"),
        ({"zones": [], "seat": 5}, "no_side"),
    ],
)
def test_zones_that_cannot_be(table: tuple[FlaskClient, Loop], body: dict[str, Any], code: str) -> None:
    client, _ = table
    answer = client.put("/api/zones", json=body)
    assert answer.status_code == 422
    assert answer.json["error"]["code"] == code
    assert answer.json["error"]["zh"]
    assert client.get("/api/zones").json == {"zones": [], "seat": None}


def test_without_a_camera_there_is_nothing_to_set_up(client: FlaskClient) -> None:
    for path in ("/api/sources", "/api/zones"):
        assert client.get(path).json["error"]["code"] == "no_camera"
