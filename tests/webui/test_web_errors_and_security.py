"""Errors in the right form for machines and people, and the doors that stay shut."""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import webui
from webui.app import create_app
from webui.config import Config
from webui.security import host_allowed
from webui.views.pages import asset_version

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient


def test_unknown_address_and_wrong_method(client: FlaskClient) -> None:
    missing = client.get("/api/nothing")
    assert missing.status_code == 404
    assert missing.json["error"]["code"] == "not_found"
    wrong = client.get("/api/score")
    assert wrong.status_code == 405
    assert wrong.json["error"]["code"] == "method_not_allowed"
    assert "POST" in wrong.headers["Allow"]


@pytest.mark.parametrize(
    ("lang", "text"), [("zh_Hans", "没有这个页面"), ("zh_Hant", "沒有這個頁面"), ("en", "There is no such page")]
)
def test_people_get_a_page(client: FlaskClient, lang: str, text: str) -> None:
    client.set_cookie("lang", lang)
    answer = client.get("/nothing")
    assert answer.status_code == 404
    assert answer.mimetype == "text/html"
    assert text in answer.text


def test_a_fault_of_the_program_is_told_and_logged(app: Flask, caplog: pytest.LogCaptureFixture) -> None:
    @app.get("/api/broken")
    def broken() -> str:
        raise RuntimeError("secret detail")

    with caplog.at_level(logging.ERROR):
        answer = app.test_client().get("/api/broken")
    assert answer.status_code == 500
    assert answer.json["error"]["code"] == "internal"
    assert "secret detail" not in answer.text
    assert "secret detail" in caplog.text


@pytest.mark.parametrize(
    ("host", "alone", "lan", "everywhere"),
    [
        ("127.0.0.1:8000", True, True, True),
        ("localhost", True, True, True),
        ("[::1]:8000", True, True, True),
        ("192.168.1.5", False, True, True),
        ("[fe80::1]:8443", False, True, True),
        ("laptop.local:8443", False, True, False),
        ("table.club:8000", True, False, False),
        ("evil.example", False, False, False),
        ("127.0.0.1.evil.example", False, False, False),
        ("", False, False, False),
        ("[", False, False, False),
    ],
)
def test_host_names_of_others_are_refused(host: str, alone: bool, lan: bool, everywhere: bool) -> None:
    assert host_allowed(host, "table.club") is alone
    assert host_allowed(host, "127.0.0.1", {"laptop.local"}) is lan
    assert host_allowed(host, "0.0.0.0") is everywhere  # noqa: S104


def test_dns_rebinding(client: FlaskClient) -> None:
    answer = client.post("/api/score", json={}, headers={"Host": "evil.example"})
    assert answer.status_code == 403
    assert answer.json["error"]["code"] == "foreign_host"
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": "[::1"}, {"Sec-Fetch-Site": "cross-site"}],
)
def test_requests_of_other_sites(client: FlaskClient, headers: dict[str, str]) -> None:
    answer = client.post("/api/read", data=b"x", content_type="image/png", headers=headers)
    assert answer.status_code == 403
    assert answer.json["error"]["code"] == "foreign_origin"


def test_own_origin_passes(client: FlaskClient) -> None:
    answer = client.post(
        "/api/tiles", json={"text": "1m"}, headers={"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}
    )
    assert answer.status_code == 200


def test_protective_headers_everywhere(client: FlaskClient) -> None:
    for path in ("/", "/glossary", "/api/nothing", "/static/js/main.js"):
        with client.get(path) as answer:
            headers = answer.headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        policy = headers["Content-Security-Policy"]
        assert "script-src 'self'" in policy
        assert "unsafe-inline" not in policy
        assert "Access-Control-Allow-Origin" not in headers


def test_the_page_has_no_inline_script_or_style(client: FlaskClient) -> None:
    for path in ("/", "/glossary", "/nothing"):
        text = client.get(path).text
        assert " style=" not in text
        assert " onclick=" not in text
        assert "<style" not in text
        assert text.count("<script") == text.count('<script type="application/json"') + text.count(
            '<script type="module" src="/static/'
        )


def test_nothing_is_fetched_from_elsewhere(client: FlaskClient) -> None:
    for path in ("/", "/glossary"):
        text = client.get(path).text
        assert "//" not in text.replace("http://www.w3.org", "").split('id="page-data"')[0].replace("</", "")


def test_without_a_camera_there_is_no_live_state(client: FlaskClient) -> None:
    for answer in (
        client.get("/api/state"),
        client.get("/live/frame.jpg"),
        client.post("/api/live/pin", json={"id": 1, "tile": "1m"}),
    ):
        assert answer.status_code == 404
        assert answer.json["error"]["code"] == "no_camera"


def test_tiles_are_served_with_lasting_caches(client: FlaskClient) -> None:
    with client.application.app_context():
        version = asset_version()
    answer = client.get(f"/tiles/5m.svg?v={version}")
    assert answer.mimetype == "image/svg+xml"
    assert answer.text.startswith("<svg")
    assert answer.cache_control.max_age == 365 * 24 * 3600
    again = client.get(f"/tiles/5m.svg?v={version}", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304
    assert client.get("/tiles/5m.svg").cache_control.max_age == 60
    assert client.get("/tiles/back.svg").status_code == 200
    assert client.get("/tiles/0m.svg").status_code == 404
    assert client.get("/tiles/..%2Fapp.py.svg").status_code == 404


def test_health_and_icon(client: FlaskClient) -> None:
    assert client.get("/healthz").json == {"ok": True}
    with client.get("/favicon.ico") as icon:
        assert icon.mimetype == "image/svg+xml"


def test_scripts_and_styles_are_kept_until_they_change(client: FlaskClient) -> None:
    text = client.get("/").text
    sources = re.findall(r'(?:src|href)="(/static/[^"]+\.(?:js|css))"', text)
    assert len(sources) > 20
    for source in sources:
        with client.get(source) as answer:
            assert answer.status_code == 200, source
            assert answer.cache_control.max_age == 365 * 24 * 3600
            assert answer.cache_control.immutable
            assert not answer.cache_control.no_cache
    loaded = {source.rsplit("/", 1)[1] for source in sources if source.endswith(".js")}
    folder = Path(webui.__file__).parent / "static" / "js"
    needed, wanted = set(), {"main.js"}
    while wanted:
        needed |= wanted
        found = {
            name for file in wanted for name in re.findall(r'from "\./(\w+\.js)"', (folder / file).read_text("utf-8"))
        }
        wanted = found - needed
    assert needed <= loaded, "what is imported is announced, so that no script waits for another to be read"


def test_static_files_are_checked_for_news(client: FlaskClient) -> None:
    with client.get("/static/js/main.js") as answer:
        assert answer.cache_control.no_cache
        assert "ETag" in answer.headers


def test_house_rules_of_the_club_reach_the_page() -> None:
    client = create_app(Config(rules="zhangzhou", house={"fenbing": False})).test_client()
    text = client.get("/").text
    assert '"house": {"zhangzhou": {"fenbing": false}}' in text
    assert '"default_rules": "zhangzhou"' in text
