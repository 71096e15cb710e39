"""How fast the phone as a camera is: picture to reading, a network that goes and comes back, what a still table costs.

A browser whose camera shows a drawn table looks at the real server through a relay that can swallow everything, as a
Wi-Fi does that is gone: connections stay open and nothing arrives. Run: `python tests/bench/bench_phone.py`.
"""

from __future__ import annotations

import contextlib
import selectors
import socket
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "e2e"))
from browsing import FLAGS, PHONE, chromium, serving

from vision.synthesis.demo import DemoScript
from webui.config import Config

if TYPE_CHECKING:
    from webui.server import Server

TIMES = 5


class Relay:
    """Passes everything on to `port`, until it is `gone`."""

    def __init__(self, port: int) -> None:
        self.gone = threading.Event()
        self.bytes = 0
        self._target = port
        self._door = socket.create_server(("127.0.0.1", 0))
        self._door.settimeout(0.2)
        self.port: int = self._door.getsockname()[1]
        self._end = threading.Event()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while not self._end.is_set():
            if self.gone.is_set():
                time.sleep(0.02)
                continue
            with contextlib.suppress(OSError):
                near, _ = self._door.accept()
                far = socket.create_connection(("127.0.0.1", self._target))
                threading.Thread(target=self._pass, args=(near, far), daemon=True).start()

    def _pass(self, near: socket.socket, far: socket.socket) -> None:
        other = {near: far, far: near}
        with selectors.DefaultSelector() as both, near, far, contextlib.suppress(OSError):
            both.register(near, selectors.EVENT_READ)
            both.register(far, selectors.EVENT_READ)
            while not self._end.is_set():
                if self.gone.is_set():
                    time.sleep(0.02)
                    continue
                for key, _ in both.select(0.2):
                    data = key.fileobj.recv(65536)
                    if not data:
                        return
                    if key.fileobj is near:
                        self.bytes += len(data)
                    other[key.fileobj].sendall(data)

    def close(self) -> None:
        self._end.set()
        self._door.close()


def until(condition: object, seconds: float = 20.0) -> float:
    """Seconds until something is true."""
    began = time.perf_counter()
    while time.perf_counter() - began < seconds:
        if condition():  # type: ignore[operator]
            return time.perf_counter() - began
        time.sleep(0.01)
    raise TimeoutError("this never came true")


def away_and_back(page: Page, relay: Relay, server: Server) -> dict[str, list[float]]:
    """Let the network go for six seconds, several times."""
    board = server.app.extensions["youjin"].loop.board
    took: dict[str, list[float]] = {"phone says so": [], "table says so": [], "phone back": [], "table back": []}
    lost = "document.documentElement.dataset.camera"
    for number in range(TIMES):
        began = time.perf_counter()
        relay.gone.set()
        told: dict[str, float] = {}
        while time.perf_counter() - began < 6 + number * 0.4:
            if "table" not in told and board.read()["status"]["trouble"]:
                told["table"] = time.perf_counter() - began
            if "phone" not in told and page.evaluate(lost) == "lost":
                told["phone"] = time.perf_counter() - began
            time.sleep(0.02)
        relay.gone.clear()
        began = time.perf_counter()
        back: dict[str, float] = {}
        until(
            lambda began=began, back=back: (
                back.setdefault("phone", time.perf_counter() - began) if page.evaluate(lost) == "camera" else None,
                back.setdefault("table", time.perf_counter() - began)
                if not board.read()["status"]["trouble"]
                else None,
                len(back) == 2,
            )[-1]
        )
        for who in ("phone", "table"):
            took[f"{who} says so"].append(told[who])
            took[f"{who} back"].append(back[who])
        time.sleep(1.5)
    return took


def main() -> None:
    """Print the figures."""
    script = DemoScript(size=(1280, 720))
    spans = [span for span in script._spans(0) if span.step.key != "other"]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        film = Path(folder) / "table.mjpeg"
        stills = [script.frame(span.still + 0.5 * (span.end - span.still))[0] for span in spans[:2]]
        noise = np.random.default_rng(1)
        pictures = [
            cv2.imencode(".jpg", (still + noise.integers(-2, 3, still.shape)).clip(0, 255).astype(np.uint8))[1]
            for still in stills
            for _ in range(150)  # five seconds each at the 30 pictures a second of the fake camera
        ]
        film.write_bytes(b"".join(picture.tobytes() for picture in pictures))
        browser = playwright.chromium.launch(
            executable_path=chromium(),
            args=[
                *FLAGS,
                "--use-fake-ui-for-media-stream",
                "--use-fake-device-for-media-stream",
                f"--use-file-for-fake-video-capture={film}",
            ],
        )
        config = Config(source="phone", lan=True, lan_port=0, data_dir=Path(folder))
        with serving(config) as server:
            assert server.lan is not None
            relay = Relay(server.lan.port)
            page = browser.new_context(viewport=PHONE, ignore_https_errors=True).new_page()
            page.goto(f"https://localhost:{relay.port}/pair/{server.lan.secret}")
            page.locator("#start").click()
            page.wait_for_function("() => document.querySelectorAll('#seen .tile').length >= 13")
            frames: list[float] = []
            page.on(
                "requestfinished",
                lambda request: (
                    frames.append(request.timing["responseEnd"]) if "/api/phone/frame" in request.url else None
                ),
            )
            time.sleep(1)
            relay.bytes = 0
            page.wait_for_timeout(20_000)
            print(f"a film that changes every 5 s: {len(frames) / 20:.1f} pictures/s, {relay.bytes / 20 / 1024:.0f} KiB/s, answered in {statistics.median(frames):.0f} ms (median)")  # fmt: skip
            for what, seconds in away_and_back(page, relay, server).items():
                print(f"{what}: {statistics.median(seconds):.2f} s median, {max(seconds):.2f} s at most, of {TIMES}")
            relay.close()
        browser.close()


if __name__ == "__main__":
    main()
