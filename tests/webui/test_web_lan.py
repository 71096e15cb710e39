"""The local network's door: certificate, pairing, who may ask for what, and TLS that one silent phone cannot hold up."""

from __future__ import annotations

import datetime as dt
import logging
import ssl
import stat
import struct
import sys
import threading
import urllib.request
from contextlib import contextmanager
from http.client import HTTPSConnection
from socket import IPPROTO_TCP, SO_LINGER, SOL_SOCKET, TCP_NODELAY, create_connection
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
import resvg_py
from click.testing import CliRunner
from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID

from webui import lan as lan_module
from webui import listener
from webui.app import create_app
from webui.certificate import EARLY, VALID, Certificate
from webui.cli_serve import serve
from webui.config import Config
from webui.lan import Lan, addresses, host_names, qr_svg, qr_terminal
from webui.security import COOKIE
from webui.server import THREADS, ServeError, Server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask.testing import FlaskClient

PHONE = {"REMOTE_ADDR": "192.168.1.77"}
HOST = {"Host": "192.168.1.5:8443"}
NAMES = {"localhost", "laptop.local", "192.168.1.5", "127.0.0.1"}


@pytest.fixture
def lan(tmp_path: Path) -> Lan:
    return Lan(tmp_path, 8443, find=lambda: ["192.168.1.5", "10.0.0.2"])


@pytest.fixture
def phone(lan: Lan) -> FlaskClient:
    client = create_app(Config(lan=True), lan=lan).test_client()
    client.environ_base.update(PHONE)
    return client


# --- the certificate ----------------------------------------------------------------------------------------


def test_the_certificate_is_what_phones_accept(tmp_path: Path) -> None:
    made = Certificate(tmp_path, NAMES)
    found = x509.load_pem_x509_certificate(made.path.read_bytes())
    found.verify_directly_issued_by(found)
    assert made.names == NAMES
    assert found.not_valid_after_utc - found.not_valid_before_utc == dt.timedelta(days=VALID)
    assert ExtendedKeyUsageOID.SERVER_AUTH in found.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert not found.extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    assert len(made.fingerprint.split(":")) == 32
    if sys.platform != "win32":
        assert stat.S_IMODE((tmp_path / "key.pem").stat().st_mode) == 0o600


def test_the_certificate_stays_until_it_must_change(tmp_path: Path) -> None:
    first = Certificate(tmp_path, NAMES).fingerprint
    key = (tmp_path / "key.pem").read_bytes()
    assert Certificate(tmp_path, NAMES).fingerprint == first
    assert Certificate(tmp_path, NAMES - {"192.168.1.5"}).fingerprint == first  # good for more than is needed
    later = dt.datetime.now(dt.UTC) + dt.timedelta(days=VALID - EARLY)
    renewed = Certificate(tmp_path, NAMES, now=lambda: later)
    assert renewed.fingerprint != first
    assert renewed.ends > later + dt.timedelta(days=300)
    assert not renewed.renew(NAMES)
    assert renewed.renew({*NAMES, "10.9.8.7"})
    assert "10.9.8.7" in renewed.names
    assert (tmp_path / "key.pem").read_bytes() == key


def test_a_clock_that_was_wrong_makes_a_new_certificate(tmp_path: Path) -> None:
    future = dt.datetime.now(dt.UTC) + dt.timedelta(days=90)
    wrong = Certificate(tmp_path, NAMES, now=lambda: future).fingerprint
    assert Certificate(tmp_path, NAMES).fingerprint != wrong


@pytest.mark.parametrize("name", ["cert.pem", "key.pem"])
def test_damaged_files_are_made_anew(tmp_path: Path, name: str) -> None:
    first = Certificate(tmp_path, NAMES).fingerprint
    (tmp_path / name).write_text("-----BEGIN NONSENSE-----")
    assert Certificate(tmp_path, NAMES).fingerprint != first


def test_the_certificate_follows_the_addresses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lan_module, "_FRESH", -1.0)
    found = ["192.168.1.5"]
    lan = Lan(tmp_path, 8443, find=lambda: list(found))
    assert "192.168.1.5" in lan.certificate.names
    found[:] = ["172.20.10.3"]
    assert lan.links()[0].startswith("https://172.20.10.3:8443/pair/")
    assert "172.20.10.3" in lan.certificate.names


def test_addresses_and_names_of_this_machine() -> None:
    assert all(not address.startswith("127.") for address in addresses())
    assert host_names()[0] == "localhost"


# --- pairing ------------------------------------------------------------------------------------------------


def test_the_secret_is_kept_until_phones_are_to_be_forgotten(tmp_path: Path) -> None:
    first = Lan(tmp_path, 8443, find=list)
    assert len(first.secret) >= 22
    assert Lan(tmp_path, 8443, find=list).secret == first.secret
    forgotten = Lan(tmp_path, 8443, find=list, forget=True)
    assert not forgotten.right_cookie(first.cookie)
    (tmp_path / "lan" / "pairing").write_text("x")
    assert len(Lan(tmp_path, 8443, find=list).secret) >= 22


def test_a_stranger_gets_nothing_but_the_explanation(phone: FlaskClient) -> None:
    for path in ("/", "/phone", "/connect", "/connect.svg", "/glossary", "/tiles/1m.svg", "/healthz"):
        answer = phone.get(path, headers=HOST)
        assert answer.status_code == 403, path
    for path in ("/api/tiles", "/api/phone/hello", "/api/phone/frame?phone=12345678", "/api/live/pin"):
        answer = phone.post(path, json={"text": "1m"}, headers=HOST)
        assert answer.status_code == 403
        assert answer.json["error"]["code"] == "not_paired"
    phone.set_cookie(COOKIE, "0" * 64, domain="192.168.1.5")
    assert phone.get("/api/state", headers=HOST).status_code == 403
    with phone.get("/static/css/base.css", headers=HOST) as styles:
        assert styles.status_code == 200


@pytest.mark.parametrize(
    ("lang", "title", "text"),
    [
        ("zh-CN", "这部手机还没有配对", "重新扫电脑上的二维码"),
        ("zh-TW", "這部手機還沒有配對", "重新掃電腦上的 QR 碼"),
        ("en", "This phone is not paired", "scan the code on the computer again"),
    ],
)
def test_a_wrong_code_is_explained(phone: FlaskClient, lang: str, title: str, text: str) -> None:
    answer = phone.get("/pair/wrong", headers={**HOST, "Accept-Language": lang})
    assert answer.status_code == 403
    assert title in answer.text
    assert text in answer.text
    assert "Set-Cookie" not in answer.headers
    assert phone.get("/pair/密码", headers=HOST).status_code == 403


def test_the_code_pairs_a_phone_for_good(phone: FlaskClient, lan: Lan) -> None:
    secure = {"base_url": "https://192.168.1.5:8443"}
    answer = phone.get(f"/pair/{lan.secret}", **secure)
    assert answer.status_code == 303
    assert answer.headers["Location"] == "/phone"
    cookie = answer.headers["Set-Cookie"]
    assert all(part in cookie for part in ("Secure", "HttpOnly", "SameSite=Lax"))
    assert lan.secret not in cookie
    assert phone.get("/phone", **secure).status_code == 200
    assert phone.get("/healthz", **secure).json == {"ok": True}


def test_this_machine_stays_as_it_is(lan: Lan) -> None:
    client = create_app(Config(lan=True), lan=lan).test_client()
    assert client.get("/healthz").status_code == 200
    text = client.get("/connect").text
    assert lan.links()[0] in text
    assert "10.0.0.2:8443" in text
    assert client.get("/connect.svg?n=1").mimetype == "image/svg+xml"
    assert client.get("/connect.svg?n=2").status_code == 404
    assert "youjin serve --lan" in create_app(Config()).test_client().get("/connect").text
    assert create_app(Config()).test_client().get("/pair/x").status_code == 404


def test_the_codes_can_be_read() -> None:
    # A fixed link, because OpenCV's reader does not manage every code that a phone reads.
    link = "https://192.168.1.5:8443/pair/Y11AbTMYNRZxfscI6rFB-g"
    drawn = resvg_py.svg_to_bytes(svg_string=qr_svg(link))
    shown = cv2.imdecode(np.frombuffer(bytes(drawn), np.uint8), cv2.IMREAD_COLOR)
    assert cv2.QRCodeDetector().detectAndDecode(shown)[0] == link
    # What stands in the terminal, half a character for each module, read back by the same detector.
    halves = {"█": (255, 255), "▀": (255, 0), "▄": (0, 255), " ": (0, 0), "\xa0": (0, 0)}
    rows = qr_terminal(link).splitlines()
    modules = np.array([[halves[char][half] for char in row] for row in rows if row for half in (0, 1)], np.uint8)
    grown = cv2.copyMakeBorder(np.kron(modules, np.ones((8, 8), np.uint8)), 24, 24, 24, 24, cv2.BORDER_CONSTANT, value=255)  # fmt: skip
    assert cv2.QRCodeDetector().detectAndDecode(grown)[0] == link


# --- the real server ----------------------------------------------------------------------------------------


@contextmanager
def serving(tmp_path: Path) -> Iterator[Server]:
    server = Server(Config(lan=True, lan_port=0, data_dir=tmp_path), 0)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield server
    finally:
        server.close()
        thread.join(20)
        assert not thread.is_alive()


def test_the_real_server_speaks_tls_and_survives_silence(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        assert server.lan is not None
        trusted = ssl.create_default_context(cafile=tmp_path / "lan" / "cert.pem")
        # Phones that fall asleep in the middle of the handshake must not keep the next one out.
        silent = [create_connection(("127.0.0.1", server.lan.port)) for _ in range(4)]
        connection = HTTPSConnection("localhost", server.lan.port, context=trusted, timeout=5)
        for _ in range(3):
            connection.request("GET", "/healthz")
            answer = connection.getresponse()
            assert (answer.status, answer.read()) == (200, b'{"ok":true}\n')
        connection.close()
        for stranger in silent:
            stranger.close()
        with pytest.raises(ssl.SSLCertVerificationError):
            HTTPSConnection("localhost", server.lan.port, context=ssl.create_default_context(), timeout=5).request("GET", "/")  # fmt: skip
        with create_connection(("127.0.0.1", server.lan.port)) as plain:
            plain.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert "https://" in plain.recv(1000).decode()
        with urllib.request.urlopen(f"{server.url}healthz", timeout=5) as own:  # noqa: S310
            assert own.status == 200


def test_an_answer_does_not_wait_for_the_receipt_of_its_head(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        with urllib.request.urlopen(f"{server.url}healthz", timeout=10):  # noqa: S310  (it runs)
            pass
        assert len(server._listeners) == 2
        for accepting in server._listeners:
            assert accepting.socket is not None
            assert accepting.socket.getsockopt(IPPROTO_TCP, TCP_NODELAY)


def test_connections_opened_in_advance_hold_nobody_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener, "PATIENCE", 0.5)
    with serving(tmp_path) as server:
        assert server.lan is not None
        early = [create_connection(("127.0.0.1", server.port), 10) for _ in range(3 * THREADS)]
        with urllib.request.urlopen(f"{server.url}healthz", timeout=10) as answer:  # noqa: S310
            assert answer.status == 200
        for one in early:
            assert one.recv(1000) == b""  # closed in silence, without an answer to what was not asked
            one.close()


def test_a_phone_that_leaves_in_the_middle_is_nothing_to_report(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with serving(tmp_path) as server:
        assert server.lan is not None
        trusted = ssl.create_default_context(cafile=tmp_path / "lan" / "cert.pem")
        for request in (b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", b"POST /api/read HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999\r\n\r\nxx"):  # fmt: skip
            raw = create_connection(("127.0.0.1", server.lan.port))
            with trusted.wrap_socket(raw, server_hostname="localhost") as phone:
                phone.sendall(request)
                phone.setsockopt(
                    SOL_SOCKET, SO_LINGER, struct.pack("hh" if sys.platform == "win32" else "ii", 1, 0)
                )  # reset, as when the Wi-Fi is gone
        with urllib.request.urlopen(f"{server.url}healthz", timeout=10) as answer:  # noqa: S310
            assert answer.status == 200
    assert not [record.message for record in caplog.records if record.levelno >= logging.WARNING]


def test_a_renewed_certificate_is_used_at_once(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        assert server.lan is not None
        server.lan.certificate.renew({*server.lan.certificate.names, "10.1.2.3"})
        trusted = ssl.create_default_context(cafile=tmp_path / "lan" / "cert.pem")
        connection = HTTPSConnection("127.0.0.1", server.lan.port, context=trusted, timeout=5)
        connection.connect()
        names = connection.sock.getpeercert()["subjectAltName"]
        connection.close()
        assert ("IP Address", "10.1.2.3") in names


def test_a_server_may_be_closed_before_it_ran(tmp_path: Path) -> None:
    server = Server(Config(lan=True, lan_port=0, data_dir=tmp_path), 0)
    server.close()
    server.run()


def test_a_taken_port_and_a_closed_folder_are_explained(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        assert server.lan is not None
        with pytest.raises(ServeError) as caught:
            Server(Config(lan=True, lan_port=server.lan.port, data_dir=tmp_path), 0)
        assert f"--lan-port {server.lan.port + 1}" in caught.value.text.en
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ServeError) as caught:
        Server(Config(lan=True, lan_port=0, data_dir=tmp_path / "file"), 0)
    assert "permissions" in caught.value.text.en


def test_the_command_prints_the_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YOUJIN_DATA", str(tmp_path))
    monkeypatch.setattr(lan_module, "_towards_the_world", lambda: None)
    monkeypatch.setattr(Server, "run", lambda server, **_: server.close())
    monkeypatch.setattr(lan_module.Lan, "addresses", ["192.168.1.5"])
    result = CliRunner().invoke(serve, ["--lan", "--port", "0", "--lan-port", "0"])
    assert result.exit_code == 0, result.output
    secret = (tmp_path / "lan" / "pairing").read_text()
    assert f"/pair/{secret}" in result.output
    assert "█" in result.output
