"""Where pictures come from: a webcam, a stream, a video, a photo, a folder of photos, the drawn demo.

Every source runs in a thread of its own and keeps only its newest frame; whoever asks gets that one. A camera driver
that hangs therefore hangs its thread and nothing else; after a while that thread is given up, and another one opens the
camera anew.
"""

from __future__ import annotations

import os
import re
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

import cv2
import numpy as np
from cv2_enumerate_cameras import enumerate_cameras

from engine.text import Text
from vision.images import ImageError, is_picture_name, load_image

# What goes wrong is told in the user's language; FFmpeg would write its own lines into the terminal.
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # AV_LOG_QUIET
# Options that OpenCV passes on to FFmpeg; it takes them from there only. The user's own are left alone.
_OPTIONS = "OPENCV_FFMPEG_CAPTURE_OPTIONS"
_OWN_OPTIONS = _OPTIONS in os.environ
_PATIENT = "rtsp_transport;tcp"
# FFmpeg by itself looks at two seconds of a stream before it begins, which a camera that comes back would cost each time.
_QUICK = f"{_PATIENT}|analyzeduration;300000"
os.environ.setdefault(_OPTIONS, _PATIENT)

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from numpy.typing import NDArray

SLOW = 1.6
"""Seconds without a frame after which a camera that gave some is reported to give none."""

OPENING = 12.0
"""Seconds that a camera may take for its first frame before it is reported not to answer; some need ten."""

HANGING = 6.0
"""Seconds without a sign of life after which the thread that reads a camera is given up and the camera opened anew."""

GIVEN_UP = 3
"""Threads that may hang at the same time; then nothing more is tried until one of them comes back."""

RETRY = 1.0
"""Seconds between attempts to open a camera that is gone."""

STREAM_OPENS, STREAM_READS = 5000, 2500
"""Milliseconds after which opening and reading a stream fail."""

LATE_READ = 0.9
"""Share of ``STREAM_READS`` from which a read took too long: after it FFmpeg still hands out a frame of long ago."""

LONGEST_NUMBER = 4
"""Digits of a webcam's number; OpenCV counts no further than its type of integers."""

SHOW = 4.0
"""Seconds for which each photo of a folder is shown."""

VIDEO_SUFFIXES = (".mp4", ".avi", ".mov", ".mkv", ".webm", ".m4v", ".mpg", ".mpeg", ".wmv", ".mjpeg", ".ts")


@dataclass(frozen=True)
class Frame:
    """One picture of a source.

    Attributes:
        index: counts up from 1; a higher one is newer.
        image: (H, W, 3) BGR.
        seconds: when it was taken, since the source was opened; for videos and the demo their own time.
        note: what is seen, where the source knows (a file's name, the demo's step).
    """

    index: int
    image: NDArray[np.uint8]
    seconds: float
    note: str = ""


class SourceError(ValueError):
    """A source that cannot be: ``text`` says what to name instead."""

    def __init__(self, text: Text) -> None:
        super().__init__(text.en)
        self.text = text


_NEVER_ANSWERED = Text(
    "摄像头 {name} 还没有画面：请稍等；若一直没有，请检查连接，或换一个。",
    "攝影機 {name} 還沒有畫面：請稍等；若一直沒有，請檢查連接，或換一個。",
    "The camera {name} gives no picture yet: wait a little; if none comes, check how it is connected, or choose another one.",
)
_NO_ANSWER = Text(
    "摄像头 {name} 没有画面了：请检查是否松脱或断网。恢复后会自动继续。",
    "攝影機 {name} 沒有畫面了：請檢查是否鬆脫或斷網。恢復後會自動繼續。",
    "The camera {name} gives no more pictures: check its cable or its network. It goes on by itself when it is back.",
)
_WENT_AWAY = Text(
    "摄像头 {name} 断开了，正在重连。", "攝影機 {name} 斷開了，正在重連。",
    "The camera {name} went away; trying to reach it again.",
)  # fmt: skip
_FAILED = Text("图像来源 {name} 出错：{why}", "影像來源 {name} 出錯：{why}", "The source {name} failed: {why}")


class Source:
    """A source of frames, filled by its own thread; use it as a context manager.

    Attributes:
        name: as it was asked for.
        still: whether the pictures are photos, each complete in itself, rather than frames of something moving.
    """

    still = False

    def __init__(self, name: str) -> None:
        self.name = name
        self._condition = threading.Condition()
        self._frame: Frame | None = None
        self._status: Text | None = None
        self._closing = threading.Event()
        self._alive = time.monotonic()
        self._began = time.monotonic()
        self._thread = threading.Thread(target=self._work, name=f"source {name}", daemon=True)

    def start(self) -> Self:
        """Start the thread. Returns the source itself."""
        self._thread.start()
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def latest(self, after: int = 0, timeout: float = 0.0) -> Frame | None:
        """The newest frame, if it is newer than frame number ``after``.

        Args:
            after: index of the last frame that was handled.
            timeout: seconds to wait for a newer one.
        """
        with self._condition:
            if timeout > 0:
                self._condition.wait_for(lambda: self._newer(after) or self._closing.is_set(), timeout)
            return self._frame if self._newer(after) else None

    def _newer(self, after: int) -> bool:
        return self._frame is not None and self._frame.index > after

    @property
    def status(self) -> Text | None:
        """What is wrong, or ``None``."""
        return self._status

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._closing.is_set()

    def close(self) -> None:
        """Stop. A thread that hangs in a driver is left behind and dies with the program."""
        self._closing.set()
        with self._condition:
            self._condition.notify_all()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(1.5)

    def _put(self, image: NDArray[np.uint8], seconds: float | None = None, note: str = "") -> None:
        with self._condition:
            self._alive = time.monotonic()
            when = self._alive - self._began if seconds is None else seconds
            self._frame = Frame(self._frame.index + 1 if self._frame else 1, image, when, note)
            self._status = None
            self._condition.notify_all()

    def _report(self, text: Text | None) -> None:
        with self._condition:
            self._alive = time.monotonic()
            self._status = text
            self._condition.notify_all()

    def _work(self) -> None:
        try:
            self._run()
        except Exception as error:  # noqa: BLE001 - a driver or a decoder may raise anything; the page must go on
            self._report(_FAILED.format(name=self.name, why=str(error) or type(error).__name__))

    def _run(self) -> None:
        raise NotImplementedError


class CameraSource(Source):
    """A webcam by number or a stream by URL; opened again when it goes away.

    One thread reads; this one watches it. A driver that hangs cannot be stopped: its thread is left behind, lets go of the
    camera if it ever comes back, and another one takes its place.
    """

    def __init__(self, name: str, address: int | str, opener: Callable[[int | str], Any] | None = None) -> None:
        super().__init__(name)
        self._address = address
        self._opener = opener or _open_capture
        self._reader = 0  # the number of the thread that is not given up

    @property
    def status(self) -> Text | None:
        """What is wrong, or ``None``."""
        if self._status is None and not self._closing.is_set():
            silent = time.monotonic() - self._alive
            if self._frame is None and silent > OPENING:
                return _NEVER_ANSWERED.format(name=self.name)
            if self._frame is not None and silent > SLOW:
                return _NO_ANSWER.format(name=self.name)
        return self._status

    def _run(self) -> None:
        threads: list[threading.Thread] = []
        while not self._closing.is_set():
            threads = [thread for thread in threads if thread.is_alive()]
            if len(threads) <= GIVEN_UP:
                self._reader += 1
                threads.append(
                    threading.Thread(target=self._read, args=(self._reader,), name=f"camera {self.name}", daemon=True)
                )
                threads[-1].start()
            began = time.monotonic()
            while threads[-1].is_alive() and not self._closing.wait(0.1):
                patience = HANGING if self._frame is not None else max(HANGING, OPENING)
                if time.monotonic() - max(self._alive, began) > patience:
                    break
            self._closing.wait(0.1)
        if threads:
            threads[-1].join(1.0)

    def _read(self, number: int) -> None:
        """Open the camera and read it, again and again, until this thread is given up."""
        while not self._ended(number):
            try:
                capture = self._opener(self._address)
                try:
                    told = self._read_capture(capture, number)
                finally:
                    if capture is not None:
                        capture.release()
            except Exception as error:  # noqa: BLE001 - a driver may raise anything; the camera is tried again
                told = _FAILED.format(name=self.name, why=str(error) or type(error).__name__)
            if self._ended(number):
                return
            self._report(told)
            self._closing.wait(RETRY)

    def _read_capture(self, capture: Any, number: int) -> Text:
        """Read until there is nothing more to be had. Returns what is wrong then."""
        if capture is None or not capture.isOpened():
            return self._closed_text()
        failures = 0
        stream = not isinstance(self._address, int)
        while not self._ended(number):
            began = time.monotonic()
            good, image = capture.read()
            if self._ended(number):
                break
            if stream and time.monotonic() - began > STREAM_READS / 1000 * LATE_READ:
                break
            if good and image is not None and image.size:
                failures = 0
                self._put(_colour(image))
                continue
            failures += 1
            # A webcam loses a frame now and then; a stream whose reading failed is over.
            if failures > (0 if stream else 20):
                break
            self._closing.wait(0.05)
        return _WENT_AWAY.format(name=self.name)

    def _ended(self, number: int) -> bool:
        return self._closing.is_set() or number != self._reader

    def _closed_text(self) -> Text:
        if isinstance(self._address, int):
            text = Text(
                "打不开摄像头 {name}：请检查是否插好、是否被别的程序占用、是否允许使用摄像头。",
                "打不開攝影機 {name}：請檢查是否插好、是否被別的程式佔用、是否允許使用攝影機。",
                "The camera {name} cannot be opened: check that it is plugged in, that no other program uses it, and that using it is allowed.",
            )
        else:
            text = Text(
                "连不上 {name}：请检查地址，并确认手机或摄像头在同一个网络里。",
                "連不上 {name}：請檢查位址，並確認手機或攝影機在同一個網路裡。",
                "{name} cannot be reached: check the address, and that phone or camera are in the same network.",
            )
        return text.format(name=self.name)


class VideoSource(Source):
    """A video file at its own pace; at its end the last frame stays."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self._path = path
        self.ended = False

    def _run(self) -> None:
        capture = cv2.VideoCapture(str(self._path))
        if not capture.isOpened():
            self._report(
                Text(
                    "视频 {name} 打不开，请换成 MP4。",
                    "影片 {name} 打不開，請換成 MP4。",
                    "The video {name} cannot be opened; use an MP4.",
                ).format(name=self.name)
            )
            return
        rate = capture.get(cv2.CAP_PROP_FPS)
        pause = 1 / rate if 1 <= rate <= 240 else 1 / 25
        number, began = 0, time.monotonic()
        while not self._closing.is_set():
            good, image = capture.read()
            if not good or image is None:
                break
            self._put(_colour(image), number * pause)
            number += 1
            self._closing.wait(max(0.0, began + number * pause - time.monotonic()))
        capture.release()
        self.ended = self.still = True
        if not number:
            self._report(
                Text(
                    "视频 {name} 里没有画面。", "影片 {name} 裡沒有畫面。", "The video {name} holds no pictures."
                ).format(name=self.name)
            )


class PhotoSource(Source):
    """One photo; read again when the file changes."""

    still = True

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self._path = path

    def _run(self) -> None:
        stamp: float | None = None
        while not self._closing.is_set():
            try:
                now = self._path.stat().st_mtime
            except OSError:
                now = -1.0
            if now != stamp:
                stamp = now
                try:
                    self._put(load_image(self._path), note=self._path.name)
                except ImageError as error:
                    self._report(_prefixed(self._path.name, error.text))
            self._closing.wait(0.5)


class FolderSource(Source):
    """The photos of a folder one after another; then the newest, and every new one as it comes in."""

    still = True

    def __init__(self, path: Path, show: float = SHOW) -> None:
        super().__init__(str(path))
        self._path = path
        self._show = show

    def _run(self) -> None:
        seen: dict[Path, float] = {}
        while not self._closing.is_set():
            fresh = [p for p in self._pictures() if seen.get(p) != _stamp(p)]
            for path in fresh:
                if self._closing.is_set():
                    return
                seen[path] = _stamp(path)
                try:
                    self._put(load_image(path), note=path.name)
                except ImageError as error:
                    self._report(_prefixed(path.name, error.text))
                self._closing.wait(self._show)
            if not seen and not fresh:
                self._report(
                    Text(
                        "文件夹 {name} 里没有图片。",
                        "資料夾 {name} 裡沒有圖片。",
                        "There are no pictures in the folder {name}.",
                    ).format(name=self.name)
                )
            self._closing.wait(0.7)

    def _pictures(self) -> list[Path]:
        try:
            return sorted(p for p in self._path.iterdir() if is_picture_name(p) and not p.name.startswith("."))
        except OSError:
            return []


class DemoSource(Source):
    """The scripted hand of ``vision.synthesis.demo``, drawn before a virtual camera.

    Args:
        rate: pictures per second.
        speed: how much faster than the script's own time the demo runs.
    """

    def __init__(self, rate: float = 6.0, speed: float = 1.0) -> None:
        super().__init__("demo")
        self._rate, self._speed = rate, speed
        self.truth: Any = None
        """What the newest frame really shows, as the script tells it."""

    def _run(self) -> None:
        from vision.synthesis.demo import DemoScript  # noqa: PLC0415 - drawing loads slowly, and only here

        script = DemoScript()
        began = time.monotonic()
        while not self._closing.is_set():
            started = time.monotonic()
            at = (started - began) * self._speed
            image, truth = script.frame(at)
            self.truth = truth
            self._put(np.ascontiguousarray(image, np.uint8), at, str(getattr(truth, "note", "")))
            self._closing.wait(max(0.0, 1 / self._rate - (time.monotonic() - started)))


_ADDRESS = re.compile(r"[\w-]+(\.[\w-]+)*:\d{2,5}(/\S*)?|\d+(\.\d+){3}(/\S*)?")


@dataclass(frozen=True)
class Camera:
    """A webcam of this machine: its number, and what it calls itself."""

    number: int
    name: str


def cameras() -> list[Camera]:
    """The webcams of this machine; none of them is opened, so that one in use is listed too."""
    backend = {"win32": cv2.CAP_DSHOW, "darwin": cv2.CAP_AVFOUNDATION}.get(sys.platform, cv2.CAP_V4L2)
    try:
        found = enumerate_cameras(backend)
    except Exception:  # noqa: BLE001 - whatever the system's own list fails with, a camera can still be named by number
        return []
    # A camera may have several entries of the same name (Linux lists one for its colour and one for its infrared eye).
    return [
        Camera(int(info.index), str(info.name or info.index)) for info in sorted(found, key=lambda info: info.index)
    ]


def canonical(spec: str) -> str:
    """The spec of a source as it is kept.

    A webcam named by a part of its name gets its number; an address as network cameras show it (``192.168.1.5:8080/video``)
    gets its ``http://``.
    """
    spec = spec.strip()
    if spec in {"demo", "phone"} or spec.isdigit() or "://" in spec or not spec or _lies_there(Path(spec)):
        return spec
    if _ADDRESS.fullmatch(spec):
        return f"http://{spec}"
    called = [camera for camera in cameras() if spec.casefold() in camera.name.casefold()]
    return str(called[0].number) if called else spec


def open_source(spec: str) -> Source:
    """Open a source and start it.

    Args:
        spec: ``demo``, a webcam's number or a part of its name, a URL (http, https, rtsp, …), a photo or video file, or a
            folder of photos.

    Returns:
        The running source. A camera that does not open is told by its ``status``.

    Raises:
        SourceError: no such file, or nothing that could be a source.
    """
    spec = canonical(spec)
    if spec == "demo":
        return DemoSource().start()
    if spec.isascii() and spec.isdigit() and len(spec) <= LONGEST_NUMBER:
        return CameraSource(spec, int(spec)).start()
    if _is_stream(spec):
        return CameraSource(without_password(spec), spec).start()
    if spec == "phone":
        raise SourceError(
            Text(
                "手机做镜头要经过网页：请运行 youjin serve --lan。",
                "手機做鏡頭要經過網頁：請執行 youjin serve --lan。",
                "A phone is the camera by way of the page: run youjin serve --lan.",
            )
        )
    path = Path(spec)
    if not spec or not _lies_there(path):
        raise SourceError(
            Text(
                "没有 {name}：请给出 demo、摄像头号码（如 0）或名称、网址、照片、视频或照片文件夹。",
                "沒有 {name}：請給出 demo、攝影機號碼（如 0）或名稱、網址、相片、影片或相片資料夾。",
                "There is no {name}: name demo, a camera by its number (0) or name, a URL, a photo, a video or a folder of photos.",
            ).format(name=spec or Text("“”", "「」", "“”"))
        )
    if path.is_dir():
        return FolderSource(path).start()
    if path.suffix.lower() in VIDEO_SUFFIXES:
        return VideoSource(path).start()
    try:
        load_image(path)
    except ImageError as error:
        raise SourceError(_prefixed(spec, error.text)) from error
    return PhotoSource(path).start()


def _is_stream(spec: str) -> bool:
    """Whether it is the address of a stream."""
    try:
        return "://" in spec and urlsplit(spec).scheme in {"http", "https", "rtsp", "rtmp", "udp", "tcp"}
    except ValueError:  # http://[
        return False


def _lies_there(path: Path) -> bool:
    """Whether there is such a file or folder; what no system takes for a name, and what may not be looked at, is none."""
    try:
        return path.is_file() or path.is_dir()
    except (OSError, ValueError):
        return False


def without_password(url: str) -> str:
    """A stream's address as it may be shown: cameras often carry their password in it."""
    return re.sub(r"^([\w+.-]+://)[^/?#]*@", r"\1", url)


def _open_capture(address: int | str) -> Any:
    if isinstance(address, int):
        # On Windows the default backend takes half a minute to open some webcams.
        capture = cv2.VideoCapture(address, cv2.CAP_DSHOW) if os.name == "nt" else cv2.VideoCapture(address)
        if capture.isOpened():
            capture.set(cv2.CAP_PROP_FRAME_WIDTH, 1920)
            capture.set(cv2.CAP_PROP_FRAME_HEIGHT, 1080)
    else:
        capture = _open_stream(address)
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return capture


def _open_stream(address: str) -> Any:
    def opened(options: str) -> Any:
        if not _OWN_OPTIONS:
            os.environ[_OPTIONS] = options
        return cv2.VideoCapture(address, cv2.CAP_FFMPEG, [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, STREAM_OPENS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, STREAM_READS])  # fmt: skip

    if address.lower().startswith(("rtsp://", "rtsps://")):
        capture = opened(_QUICK)
        # Some cameras say only with their next whole picture what they send; that takes a longer look.
        if not capture.isOpened() or capture.grab():
            return capture
        capture.release()
    return opened(_PATIENT)


def _stamp(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return -1.0


def _colour(image: NDArray[Any]) -> NDArray[np.uint8]:
    if image.ndim == 2:
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), np.uint8)
    return np.ascontiguousarray(image[..., :3], np.uint8)


def _prefixed(name: str, text: Text) -> Text:
    return Text(f"{name}：{text.zh}", f"{name}：{text.zh_hant}", f"{name}: {text.en}")
