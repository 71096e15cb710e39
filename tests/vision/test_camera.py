from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from vision.camera import (
    GIVEN_UP,
    CameraSource,
    DemoSource,
    FolderSource,
    PhotoSource,
    Source,
    SourceError,
    VideoSource,
    cameras,
    canonical,
    open_source,
)
from vision.dataset import save_image

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PATIENCE = 20.0


def picture(shade: int) -> np.ndarray:
    return np.full((48, 64, 3), shade, np.uint8)


def wait_for(truth: Callable[[], Any]) -> Any:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if value := truth():
            return value
        time.sleep(0.01)
    pytest.fail("waited in vain")


class Capture:
    """A camera driver that gives its pictures and then nothing."""

    def __init__(self, pictures: list[np.ndarray], *, opens: bool = True) -> None:
        self.pictures, self.opens, self.released = list(pictures), opens, False

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return self.opens

    def read(self) -> tuple[bool, np.ndarray | None]:
        return (True, self.pictures.pop(0)) if self.pictures else (False, None)

    def release(self) -> None:
        self.released = True


def test_newest_frame_wins() -> None:
    shades = list(range(10, 60))
    with CameraSource("0", 0, lambda _: Capture([picture(s) for s in shades])).start() as source:
        frame = wait_for(lambda: (f := source.latest()) and f.index == len(shades) and f)
        assert frame.image[0, 0, 0] == shades[-1]
        assert source.latest(after=frame.index) is None
        assert source.latest(after=frame.index - 1) is frame


def test_gray_cameras_give_colour() -> None:
    with CameraSource("0", 0, lambda _: Capture([picture(9)[..., 0]])).start() as source:
        assert wait_for(source.latest).image.shape == (48, 64, 3)


def test_a_camera_that_does_not_open_says_so_and_is_tried_again() -> None:
    attempts: list[int | str] = []

    def opener(address: int | str) -> Capture:
        attempts.append(address)
        return Capture([], opens=False)

    with CameraSource("3", 3, opener).start() as source:
        status = wait_for(lambda: source.status)
        assert "3" in status.zh
        assert "cannot be opened" in status.en
        assert source.latest() is None
    assert attempts == [3]


def test_a_stream_that_does_not_open_names_the_address() -> None:
    with CameraSource("http://phone:8080/video", "http://phone:8080/video", lambda _: None).start() as source:
        assert "http://phone:8080/video" in wait_for(lambda: source.status).en


class Hanging(Capture):
    """A driver that hangs in reading, once its pictures are used up, until it is let go."""

    def __init__(self, pictures: list[np.ndarray], let_go: threading.Event) -> None:
        super().__init__(pictures)
        self.let_go = let_go

    def read(self) -> tuple[bool, np.ndarray | None]:
        if not self.pictures:
            self.let_go.wait(PATIENCE)
        return super().read()


def test_a_driver_that_hangs_in_opening_hangs_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.camera.OPENING", 0.05)
    release = threading.Event()

    def hang(_: int | str) -> Capture:
        release.wait(PATIENCE)
        return Capture([], opens=False)

    source = CameraSource("0", 0, hang).start()
    assert "no picture yet" in wait_for(lambda: source.status).en
    assert source.latest() is None
    began = time.monotonic()
    source.close()
    assert time.monotonic() - began < PATIENCE / 2
    release.set()


def test_a_driver_that_hangs_in_reading_is_given_up_and_the_camera_opened_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.camera.SLOW", 0.1)
    monkeypatch.setattr("vision.camera.HANGING", 0.4)
    monkeypatch.setattr("vision.camera.OPENING", 0.4)
    let_go = threading.Event()
    opened: list[Capture] = []

    def opener(_: int | str) -> Capture:
        opened.append(Hanging([picture(10 + len(opened))], let_go))
        return opened[-1]

    with CameraSource("0", 0, opener).start() as source:
        wait_for(source.latest)
        assert "no more pictures" in wait_for(lambda: source.status).en
        frame = wait_for(lambda: source.latest(1))
        assert frame.image[0, 0, 0] == 11
        wait_for(lambda: len(opened) == GIVEN_UP + 1)
        time.sleep(1.0)
        assert len(opened) == GIVEN_UP + 1  # no more threads are lost to this driver
        newest = source.latest()
        let_go.set()
        wait_for(lambda: all(capture.released for capture in opened[:-1]))
        assert newest is not None
        assert wait_for(lambda: source.latest(newest.index)).index > newest.index
    assert all(capture.released for capture in opened)


def test_what_a_stream_hands_out_after_its_time_is_up_is_no_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """FFmpeg lets go of a frame that it held back when reading was broken off, as if the camera were there."""
    monkeypatch.setattr("vision.camera.STREAM_READS", 200)
    monkeypatch.setattr("vision.camera.RETRY", 0.05)
    opened: list[Capture] = []

    class Late(Capture):
        def read(self) -> tuple[bool, np.ndarray | None]:
            if len(self.pictures) < 2:
                time.sleep(0.25)
            return super().read()

    def opener(_: int | str) -> Capture:
        opened.append(Late([picture(10), picture(20)]) if not opened else Capture([], opens=False))
        return opened[-1]

    with CameraSource("rtsp://kitchen/table", "rtsp://kitchen/table", opener).start() as source:
        wait_for(lambda: source.status and "cannot be reached" in source.status.en)
        frame = source.latest()
        assert frame is not None
        assert (frame.index, frame.image[0, 0, 0]) == (1, 10)


def test_a_camera_that_was_pulled_out_is_reported_and_goes_on_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.camera.RETRY", 0.05)
    plugged = threading.Event()

    def opener(_: int | str) -> Capture:
        return Capture([picture(20)] if plugged.is_set() else [], opens=plugged.is_set())

    plugged.set()
    with CameraSource("0", 0, opener).start() as source:
        first = wait_for(source.latest)
        plugged.clear()
        wait_for(lambda: source.status and "cannot be opened" in source.status.en)
        plugged.set()
        wait_for(lambda: source.latest(first.index + 1))


def test_a_slow_computer_is_no_broken_camera(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("vision.camera.SLOW", 0.0)
    monkeypatch.setattr("vision.camera.OPENING", 0.0)
    save_image(tmp_path / "1.png", picture(1))
    for source in (DemoSource(rate=0.1), FolderSource(tmp_path), PhotoSource(tmp_path / "1.png")):
        with source.start():
            assert source.status is None  # nobody can unplug these
            wait_for(source.latest)
            time.sleep(0.05)
            assert source.status is None


def test_a_driver_that_raises_is_reported() -> None:
    def broken(_: int | str) -> Capture:
        raise RuntimeError("no such backend")

    with CameraSource("0", 0, broken).start() as source:
        assert "no such backend" in wait_for(lambda: source.status).en


def test_photo_is_read_again_when_it_changes(tmp_path: Path) -> None:
    path = tmp_path / "桌.png"
    save_image(path, picture(10))
    with open_source(str(path)) as source:
        assert isinstance(source, PhotoSource)
        assert source.still
        first = wait_for(source.latest)
        assert first.note == "桌.png"
        path.write_bytes(b"half written")
        assert "not a picture" in wait_for(lambda: source.status).en
        save_image(path, picture(20))
        second = wait_for(lambda: source.latest(first.index))
        assert second.image[0, 0, 0] == 20
        assert source.status is None


def test_folder_gives_its_photos_then_new_ones_and_names_bad_ones(tmp_path: Path) -> None:
    for number in (1, 2):
        save_image(tmp_path / f"{number}.png", picture(number))
    with FolderSource(tmp_path, show=0.05).start() as source:
        assert wait_for(lambda: (f := source.latest()) and f.note == "2.png")
        (tmp_path / "3.png").write_bytes(b"no picture")
        assert "3.png" in wait_for(lambda: source.status).en
        save_image(tmp_path / "4.png", picture(4))
        assert wait_for(lambda: (f := source.latest()) and f.note == "4.png")


def test_empty_folder(tmp_path: Path) -> None:
    with open_source(str(tmp_path)) as source:
        assert "no pictures" in wait_for(lambda: source.status).en


def test_video_plays_to_its_end_and_keeps_the_last_frame(tmp_path: Path) -> None:
    path = tmp_path / "game.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 50, (64, 48))
    for shade in range(0, 100, 10):
        writer.write(picture(shade))
    writer.release()
    with open_source(str(path)) as source:
        assert isinstance(source, VideoSource)
        wait_for(lambda: source.ended)
        frame = source.latest()
        assert frame is not None
        assert frame.index == 10
        assert frame.seconds == pytest.approx(9 / 50)
        assert abs(int(frame.image[0, 0, 0]) - 90) < 8


def test_a_video_that_is_none(tmp_path: Path) -> None:
    path = tmp_path / "game.mp4"
    path.write_bytes(b"nothing of the kind")
    with open_source(str(path)) as source:
        assert "game.mp4" in wait_for(lambda: source.status).en


@pytest.mark.parametrize("spec", ["", "nowhere.jpg", "webcam", "-1", "ftp://x/y", "9" * 30, "a" * 5000, "http://["])
def test_what_is_no_source(spec: str) -> None:
    with pytest.raises(SourceError) as caught:
        open_source(spec)
    assert "demo" in caught.value.text.en


def test_a_file_that_is_no_picture(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a picture")
    with pytest.raises(SourceError, match=r"notes\.txt"):
        open_source(str(path))


def test_waiting_for_a_frame_ends_when_the_source_is_closed() -> None:
    class Silent(Source):
        def _run(self) -> None:
            self._closing.wait()

    source = Silent("silent").start()
    threading.Timer(0.1, source.close).start()
    assert source.latest(timeout=PATIENCE) is None


def test_demo_gives_frames_with_their_truth() -> None:
    with open_source("demo") as source:
        frame = wait_for(source.latest)
        assert frame.image.ndim == 3
        assert source.truth is not None
        assert source.status is None


class Listed:
    def __init__(self, index: int, name: str) -> None:
        self.index, self.name = index, name


def test_cameras_have_names_and_are_found_by_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "vision.camera.enumerate_cameras", lambda _: [Listed(2, "HD Pro Webcam C920"), Listed(0, "Integrated Camera")]
    )
    assert [(camera.number, camera.name) for camera in cameras()] == [
        (0, "Integrated Camera"),
        (2, "HD Pro Webcam C920"),
    ]
    assert canonical("c920") == "2"
    assert canonical(" integrated ") == "0"
    assert canonical("Logitech") == "Logitech"
    assert canonical("demo") == "demo"
    assert canonical("192.168.1.5:8080/video") == "http://192.168.1.5:8080/video"
    assert canonical("my-cam.local:81/stream") == "http://my-cam.local:81/stream"
    assert canonical("192.168.1.5/mjpg") == "http://192.168.1.5/mjpg"
    assert canonical("rtsp://192.168.1.5/live") == "rtsp://192.168.1.5/live"
    assert canonical(r"C:\photos\table.jpg") == r"C:\photos\table.jpg"

    def broken(_: int) -> list[Listed]:
        raise OSError("no such service")

    monkeypatch.setattr("vision.camera.enumerate_cameras", broken)
    assert cameras() == []


def test_a_password_in_an_address_is_not_shown() -> None:
    with open_source("http://me:secret@127.0.0.1:9/video") as source:
        assert "secret" not in source.name
        assert "127.0.0.1:9" in wait_for(lambda: source.status).en
