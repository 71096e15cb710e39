"""Network cameras: a real MJPEG server that is slow, stalls, sends garbage, breaks off, goes away and comes back."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from vision.camera import open_source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from vision.camera import Source

PATIENCE = 40.0
BOUNDARY = b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n"


def jpeg(shade: int) -> bytes:
    image = np.full((96, 128, 3), shade, np.uint8)
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()


def wait_for(truth: Callable[[], Any]) -> Any:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if value := truth():
            return value
        time.sleep(0.02)
    pytest.fail("waited in vain")


class Camera:
    """A network camera in the hands of a test.

    It shows `shade` thirty times a second to everybody who asks, unless it is told otherwise.
    """

    def __init__(self, port: int = 0) -> None:
        self.shade = 100
        self.garbage = False
        self.stalls = threading.Event()
        self.breaks = threading.Event()
        self._end = threading.Event()
        self._door = socket.create_server(("127.0.0.1", port))
        self._door.settimeout(0.1)
        self.port: int = self._door.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/video.mjpg"
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def _accept(self) -> None:
        while not self._end.is_set():
            with contextlib.suppress(TimeoutError):
                guest, _ = self._door.accept()
                self._threads.append(threading.Thread(target=self._serve, args=(guest,)))
                self._threads[-1].start()

    def _serve(self, guest: socket.socket) -> None:
        with guest, contextlib.suppress(OSError):
            guest.settimeout(5)
            guest.recv(65536)
            guest.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=frame\r\n\r\n")
            while not self._end.is_set():
                if self.stalls.is_set():
                    time.sleep(0.02)
                    continue
                data = jpeg(self.shade)
                if self.garbage:
                    data = data[:40] + bytes(range(256)) * 2 + data[200:]
                if self.breaks.is_set():
                    guest.sendall(BOUNDARY % len(data) + data[: len(data) // 2])
                    return  # in the middle of a picture
                guest.sendall(BOUNDARY % len(data) + data + b"\r\n")
                time.sleep(1 / 30)

    def close(self) -> None:
        self._end.set()
        for thread in self._threads:
            thread.join(10)
        self._door.close()


@pytest.fixture
def camera() -> Iterator[Camera]:
    made = Camera()
    yield made
    made.close()


def shows(source: Source, shade: int) -> bool:
    frame = source.latest()
    return frame is not None and abs(int(frame.image[48, 64, 0]) - shade) < 12 and source.status is None


def test_a_stream_is_shown_and_stalls_and_goes_on(camera: Camera, capfd: pytest.CaptureFixture[str]) -> None:
    with open_source(camera.url) as source:
        wait_for(lambda: shows(source, 100))
        camera.stalls.set()
        assert "no more pictures" in wait_for(lambda: source.status).en
        assert camera.url in wait_for(lambda: source.status).zh
        camera.shade = 180
        camera.stalls.clear()
        wait_for(lambda: shows(source, 180))
    assert capfd.readouterr() == ("", "")


def test_a_stream_that_breaks_off_in_a_picture_is_opened_again(
    camera: Camera, capfd: pytest.CaptureFixture[str]
) -> None:
    with open_source(camera.url) as source:
        wait_for(lambda: shows(source, 100))
        camera.breaks.set()
        wait_for(lambda: source.status)
        camera.shade = 30
        camera.breaks.clear()
        wait_for(lambda: shows(source, 30))
    assert capfd.readouterr() == ("", "")


def test_a_camera_that_goes_away_and_comes_back_at_the_same_address(
    camera: Camera, capfd: pytest.CaptureFixture[str]
) -> None:
    with open_source(camera.url) as source:
        wait_for(lambda: shows(source, 100))
        camera.close()
        wait_for(lambda: source.status)
        again = Camera(camera.port)
        try:
            again.shade = 200
            wait_for(lambda: shows(source, 200))
        finally:
            again.close()
    assert capfd.readouterr() == ("", "")


def test_garbage_in_a_stream_is_survived(camera: Camera, capfd: pytest.CaptureFixture[str]) -> None:
    with open_source(camera.url) as source:
        wait_for(lambda: shows(source, 100))
        camera.garbage = True
        time.sleep(0.5)
        camera.garbage, camera.shade = False, 220
        wait_for(lambda: shows(source, 220))
    assert capfd.readouterr() == ("", "")


def test_what_is_no_stream_says_so() -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:
        url = f"http://127.0.0.1:{door.getsockname()[1]}/"

        def answer() -> None:
            with contextlib.suppress(OSError):
                while True:
                    guest, _ = door.accept()
                    guest.recv(4096)
                    guest.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nhello")
                    guest.close()

        thread = threading.Thread(target=answer)
        thread.start()
        with open_source(url) as source:
            assert url in wait_for(lambda: source.status).en
            assert source.latest() is None
        door.shutdown(socket.SHUT_RDWR)
        thread.join(10)


def test_no_raw_lines_of_drivers_reach_the_terminal() -> None:
    """In a process of its own: what the libraries write when they are loaded counts as well."""
    program = (
        "import time\n"
        "from vision.camera import open_source\n"
        "for spec in ('77', 'rtsp://127.0.0.1:9/live', 'http://127.0.0.1:9/x.mjpg'):\n"
        "    with open_source(spec) as source:\n"
        "        end = time.monotonic() + 30\n"
        "        while source.status is None and time.monotonic() < end:\n"
        "            time.sleep(0.05)\n"
        "        assert source.status is not None, spec\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=200, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
