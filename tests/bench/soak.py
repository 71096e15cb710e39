"""The program for an hour: a table played on and on, four phones that send pictures, a page that asks for news.

    python tests/bench/soak.py --minutes 60

The real server runs in a process of its own, with the real models. One phone is the camera and sends ten pictures a
second, three others wait and send as well; every minute another one becomes the camera. A page asks for the state and
the picture as a browser does. Printed are the memory of the server, its threads and open files, the pictures taken, the
readings, and every error. Linux only: it reads /proc.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import ssl
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import cv2

RATE = 10.0
PHONES = 4
WARM_UP = 300.0


def serve(folder: Path) -> None:
    """The server's process: tells its addresses in a file and serves until its input ends."""
    from webui.config import Config  # noqa: PLC0415  (the other process needs none of it)
    from webui.server import Server  # noqa: PLC0415

    server = Server(Config(source="phone", lan=True, lan_port=0, data_dir=folder), 0)
    assert server.lan is not None
    told = {"port": server.port, "lan": server.lan.port, "secret": server.lan.secret}
    (folder / "told.new").write_text(json.dumps(told))
    (folder / "told.new").rename(folder / "told.json")
    threading.Thread(target=lambda: (sys.stdin.read(), server.close()), daemon=True).start()
    server.run()


@dataclass
class Counts:
    """What the clients saw."""

    sent: int = 0
    taken: int = 0
    news: int = 0
    pictures: int = 0
    errors: list[str] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)


def film(seconds: float) -> list[bytes]:
    """JPEG frames of the demo at `RATE`, moves and all."""
    from vision.synthesis.demo import DemoScript  # noqa: PLC0415

    script = DemoScript(size=(1280, 720))
    frames = []
    for number in range(int(seconds * RATE)):
        image, _ = script.frame(4.0 + number / RATE)
        frames.append(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes())
    return frames


class Phone(threading.Thread):
    """A phone that sends a film; the camera of every fourth minute."""

    def __init__(
        self, number: int, told: dict[str, object], frames: list[bytes], counts: Counts, end: threading.Event
    ) -> None:
        super().__init__(daemon=True)
        self.number, self.told, self.frames, self.counts, self.end = number, told, frames, counts, end
        self.cookie = ""
        self.connection: http.client.HTTPSConnection | None = None

    def ask(self, method: str, path: str, body: bytes = b"", kind: str = "application/json") -> tuple[int, bytes]:
        if self.connection is None:
            context = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            self.connection = http.client.HTTPSConnection(
                "localhost", int(str(self.told["lan"])), timeout=30, context=context
            )
        origin = f"https://localhost:{self.told['lan']}"
        headers = {"Content-Type": kind, "Cookie": self.cookie, "Origin": origin, "Sec-Fetch-Site": "same-origin"}
        self.connection.request(method, path, body or None, headers)
        answer = self.connection.getresponse()
        data = answer.read()
        if "Set-Cookie" in answer.headers:
            self.cookie = answer.headers["Set-Cookie"].split(";")[0]
        return answer.status, data

    def run(self) -> None:
        name = f"phone-{self.number:04d}"
        self.ask("GET", f"/pair/{self.told['secret']}")
        minute, place = -1, self.number * 37
        began = time.monotonic()
        while not self.end.is_set():
            started = time.monotonic()
            now = int((started - began) / 60)
            try:
                if now != minute and now % PHONES == self.number:
                    self.ask("POST", "/api/phone/hello", json.dumps({"phone": name, "start": True}).encode())
                minute = now
                place = (place + 1) % len(self.frames)
                # Garbage now and then: a phone whose picture was cut off on its way.
                data = self.frames[place] if place % 97 else self.frames[place][: 200 + place]
                status, answer = self.ask("POST", f"/api/phone/frame?phone={name}", data, "image/jpeg")
                self.counts.sent += 1
                if status == 200 and json.loads(answer)["role"] == "camera":
                    self.counts.taken += 1
                    self.counts.delays.append(time.monotonic() - started)
                elif status != 200 and not (status == 422 and place % 97 == 0):
                    self.counts.errors.append(f"{name}: {status} {answer[:200]!r}")
            except (OSError, http.client.HTTPException, ValueError) as error:
                self.counts.errors.append(f"{name}: {error!r}")
                self.connection = None
            self.end.wait(max(0.0, 1 / RATE - (time.monotonic() - started)))


def follow(told: dict[str, object], counts: Counts, end: threading.Event) -> None:
    """Ask for news and for the picture, as the page does."""
    connection = http.client.HTTPConnection("127.0.0.1", int(str(told["port"])), timeout=60)
    version = -1
    while not end.is_set():
        try:
            connection.request("GET", f"/api/state?after={version}&wait=5")
            state = json.loads(connection.getresponse().read())
            if state["version"] == version:
                continue
            counts.news += 1
            version = state["version"]
            if state["frame"] is not None:
                connection.request("GET", state["frame"]["url"])
                counts.pictures += bool(connection.getresponse().read())
        except (OSError, http.client.HTTPException, ValueError) as error:
            counts.errors.append(f"page: {error!r}")
            connection.close()


def look(pid: int) -> tuple[float, int, int, float]:
    """Memory in MiB, threads, open files, and seconds of processor time of a process."""
    fields = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines() if ":" in line)
    ticks = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13]
    return (
        int(fields["VmRSS"].split()[0]) / 1024,
        int(fields["Threads"]),
        len(list(Path(f"/proc/{pid}/fd").iterdir())),
        sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK"),
    )


def main() -> None:
    """Run and print the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--minutes", type=float, default=60.0)
    options.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.serve is not None:
        serve(chosen.serve)
        return
    frames = film(20)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        with log.open("wb") as out:
            server = subprocess.Popen(
                [sys.executable, __file__, "--serve", folder], stdin=subprocess.PIPE, stdout=out, stderr=out
            )
        while not (Path(folder) / "told.json").exists():
            time.sleep(0.2)
            assert server.poll() is None, log.read_text()
        told = json.loads((Path(folder) / "told.json").read_text())
        counts, end = Counts(), threading.Event()
        clients = [Phone(number, told, frames, counts, end) for number in range(PHONES)]
        clients.append(threading.Thread(target=follow, args=(told, counts, end), daemon=True))  # type: ignore[arg-type]
        began = time.monotonic()
        for client in clients:
            client.start()
        seen: list[tuple[float, float]] = []
        seconds = chosen.minutes * 60
        warm = min(WARM_UP, seconds / 5)
        while (now := time.monotonic() - began) < seconds and server.poll() is None:
            memory, threads, files, spent = look(server.pid)
            seen.append((now, memory))
            print(f"{now / 60:5.1f} min  {memory:6.1f} MiB  {threads} threads  {files} files  {spent:.0f} s of processor time  {counts.taken} pictures taken  {counts.news} news  {len(counts.errors)} errors", flush=True)  # fmt: skip
            time.sleep(min(30.0, max(1.0, seconds / 60)))
        end.set()
        for client in clients:
            client.join(10)
        died = server.poll() is not None
        if server.stdin is not None:
            server.stdin.close()
        server.wait(30)
        late = [(when, memory) for when, memory in seen if when >= warm]
        slope, _ = statistics.linear_regression([when / 3600 for when, _ in late], [memory for _, memory in late])
        print(f"memory: {seen[0][1]:.0f} MiB at the start, {late[0][1]:.0f} after {warm / 60:.0f} min, {late[-1][1]:.0f} at the end, at most {max(m for _, m in late):.0f}; trend {slope:+.1f} MiB an hour")  # fmt: skip
        print(f"{counts.taken / seconds:.1f} pictures a second taken, {counts.sent / seconds:.1f} sent; answered in {statistics.median(counts.delays) * 1000:.0f} ms (median)")  # fmt: skip
        print(f"{counts.news} news, {counts.pictures} pictures fetched; {len(counts.errors)} errors {counts.errors[:5]}; server {'died' if died else 'lived'}; its log: {log.read_text()[-2000:] or 'empty'}")  # fmt: skip


if __name__ == "__main__":
    main()
