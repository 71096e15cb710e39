"""`youjin doctor`: says what is installed, which model is used, which cameras open, and what to fix."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import re
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

import click

from engine.text import Text, language_of, same
from vision import MODELS
from webui.folders import data_dir

if TYPE_CHECKING:
    from collections.abc import Iterator

State: TypeAlias = Literal["good", "note", "bad"]

#: A camera driver can hang for ever; each index is tried in a process of its own for this long, in seconds.
CAMERA_PATIENCE = 6.0
CAMERAS_TRIED = 4

_MARK: dict[State, str] = {"good": "✓", "note": "·", "bad": "✗"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: what was found, and what to do about it if it is not as it should be."""

    key: str
    state: State
    text: Text
    remedy: Text | None = None


def installed(name: str) -> str | None:
    """The version of an installed distribution, or None."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def dependencies(extra: str | None = None) -> list[str]:
    """Names of the distributions that youjin asks for: always, or with one of its extras."""
    names = []
    for line in importlib.metadata.requires("youjin") or []:
        found = re.search(r"extra\s*==\s*['\"]([^'\"]+)['\"]", line)
        if (found.group(1) if found else None) == extra:
            names.append(re.split(r"[^A-Za-z0-9._-]", line, maxsplit=1)[0])
    return names


def check_python() -> Iterator[Finding]:
    """The interpreter and the system."""
    yield Finding(
        "python",
        "good",
        same(f"youjin {installed('youjin') or '?'}, Python {platform.python_version()}, {platform.platform()}"),
    )


def check_packages() -> Iterator[Finding]:
    """What the product runs on, and whether the extra for training is there."""
    missing = [name for name in dependencies() if installed(name) is None]
    have = ", ".join(f"{name} {installed(name)}" for name in dependencies() if name not in missing)
    if have:
        yield Finding("packages", "good", same(have))
    if missing:
        names = " ".join(missing)
        yield Finding(
            "packages",
            "bad",
            Text(f"缺少软件包:{names}", f"缺少套件:{names}", f"missing packages: {names}"),
            Text(f"运行 pip install {names}", f"執行 pip install {names}", f"run: pip install {names}"),
        )
    absent = [name for name in dependencies("train") if installed(name) is None]
    if absent:
        yield Finding(
            "train",
            "note",
            Text(
                "没有安装训练组件(看牌不需要)",
                "沒有安裝訓練元件(看牌不需要)",
                "the extra for training is not installed (reading tiles does not need it)",
            ),
            Text(
                "要训练或使用 .pt 模型时:pip install 'youjin[train]'",
                "要訓練或使用 .pt 模型時:pip install 'youjin[train]'",
                "to train, or to run a .pt model: pip install 'youjin[train]'",
            ),
        )
    else:
        have = ", ".join(f"{name} {installed(name)}" for name in dependencies("train"))
        yield Finding("train", "good", same(have))


def opencv_wheels() -> list[str]:
    """The distributions that each bring a module `cv2`; two of them overwrite one another's files."""
    return sorted(
        name
        for name in (
            "opencv-python",
            "opencv-python-headless",
            "opencv-contrib-python",
            "opencv-contrib-python-headless",
        )
        if installed(name) is not None
    )


def check_opencv() -> Iterator[Finding]:
    """One OpenCV wheel, and one only; and it loads."""
    wheels = opencv_wheels()
    if len(wheels) > 1:
        extra = " ".join(name for name in wheels if name != "opencv-python")
        fix = f"pip uninstall -y {' '.join(wheels)} && pip install opencv-python"
        yield Finding(
            "opencv",
            "bad",
            Text(
                f"装了不止一个 OpenCV(多出 {extra}),它们会互相覆盖",
                f"裝了不止一個 OpenCV(多出 {extra}),它們會互相覆蓋",
                f"more than one OpenCV wheel is installed (besides opencv-python: {extra}); they overwrite one another",
            ),
            Text(f"运行 {fix}", f"執行 {fix}", f"run: {fix}"),
        )
    try:
        import cv2  # noqa: PLC0415 - whether it loads is the question
    except ImportError as error:
        yield Finding(
            "opencv",
            "bad",
            Text(f"OpenCV 无法加载:{error}", f"OpenCV 無法載入:{error}", f"OpenCV does not load: {error}"),
            Text(
                "Debian/Ubuntu:apt-get install libgl1 libglib2.0-0;其他系统:重新安装 opencv-python",
                "Debian/Ubuntu:apt-get install libgl1 libglib2.0-0;其他系統:重新安裝 opencv-python",
                "on Debian or Ubuntu: apt-get install libgl1 libglib2.0-0; elsewhere: reinstall opencv-python",
            ),
        )
    else:
        yield Finding("opencv", "good", same(f"OpenCV {cv2.__version__} ({', '.join(wheels)})"))


def check_models(folder: Path) -> Iterator[Finding]:
    """Both networks are there and ONNX Runtime can open them."""
    for name in ("detector.onnx", "classifier.onnx"):
        path = folder / name
        remedy = Text(
            f"重新安装 youjin,或把 {name} 放到 {folder}",
            f"重新安裝 youjin,或把 {name} 放到 {folder}",
            f"reinstall youjin, or put {name} into {folder}",
        )
        if not path.is_file():
            text = Text(f"缺少模型文件 {path}", f"缺少模型檔案 {path}", f"the model file {path} is missing")
            yield Finding("models", "bad", text, remedy)
            continue
        try:
            from vision.runtime import ModelError, session  # noqa: PLC0415 - heavy, and its failure is a finding

            network = session(path)
        except ImportError as error:
            text = Text(
                f"ONNX Runtime 无法加载:{error}",
                f"ONNX Runtime 無法載入:{error}",
                f"ONNX Runtime does not load: {error}",
            )
            fix = "pip install --force-reinstall onnxruntime"
            yield Finding("models", "bad", text, Text(f"运行 {fix}", f"執行 {fix}", f"run: {fix}"))
            continue
        except ModelError as error:
            yield Finding("models", "bad", error.text, remedy)
            continue
        size = path.stat().st_size / 1e6
        shape = "×".join(str(side) for side in network.get_inputs()[0].shape)
        yield Finding("models", "good", same(f"{path} ({size:.1f} MB, {shape})"))


_OPEN_CAMERA = """
import os, sys
os.environ["OPENCV_LOG_LEVEL"] = "OFF"
import cv2
capture = cv2.VideoCapture(int(sys.argv[1]))
good, frame = capture.read() if capture.isOpened() else (False, None)
print(f"{frame.shape[1]} {frame.shape[0]}" if good else "")
"""


def open_camera(index: int) -> tuple[int, int] | Literal["absent", "hangs"]:
    """Try one webcam in a process of its own: its picture's (width, height) in pixels, or why there is none."""
    try:
        done = subprocess.run(  # noqa: S603 - our own interpreter and our own text
            [sys.executable, "-c", _OPEN_CAMERA, str(index)],
            capture_output=True,
            text=True,
            timeout=CAMERA_PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "hangs"
    sides = done.stdout.split()
    return (int(sides[0]), int(sides[1])) if len(sides) == 2 else "absent"


def check_cameras() -> Iterator[Finding]:
    """Which webcams give a picture."""
    found = False
    for index in range(CAMERAS_TRIED):
        answer = open_camera(index)
        if answer == "hangs":
            found = True
            yield Finding(
                "camera",
                "bad",
                Text(f"摄像头 {index} 没有响应", f"攝影機 {index} 沒有回應", f"camera {index} does not answer"),
                Text(
                    "拔下再插上,并关闭其他正在使用它的程序",
                    "拔下再插上,並關閉其他正在使用它的程式",
                    "unplug it and plug it in again, and close other programs that use it",
                ),
            )
        elif answer != "absent":
            found = True
            size = f"{answer[0]} × {answer[1]}"
            use = f"youjin serve --source {index}"
            yield Finding(
                "camera",
                "good",
                Text(
                    f"摄像头 {index}:{size}({use})", f"攝影機 {index}:{size}({use})", f"camera {index}: {size} ({use})"
                ),
            )
    if not found:
        yield Finding(
            "camera",
            "note",
            Text("没有找到摄像头", "沒有找到攝影機", "no camera was found"),
            Text(
                "没有摄像头也能试:youjin serve --source demo;或在网页上传照片",
                "沒有攝影機也能試:youjin serve --source demo;或在網頁上傳照片",
                "without one: youjin serve --source demo, or upload a photo on the page",
            ),
        )
    if sys.platform == "linux" and (devices := sorted(Path("/dev").glob("video*"))):
        closed = [str(path) for path in devices if not os.access(path, os.R_OK | os.W_OK)]
        if closed:
            names = " ".join(closed)
            yield Finding(
                "camera",
                "bad",
                Text(f"没有权限使用 {names}", f"沒有權限使用 {names}", f"no permission to use {names}"),
                Text(
                    "运行 sudo usermod -aG video $USER,然后重新登录",
                    "執行 sudo usermod -aG video $USER,然後重新登入",
                    "run: sudo usermod -aG video $USER, then log in again",
                ),
            )


def check_data(folder: Path) -> Iterator[Finding]:
    """Where the score sheets, learned sets, kept pictures and the phones' secret lie, and whether they can be written."""
    nearest = next(place for place in (folder, *folder.parents) if place.exists())
    if nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK):
        yield Finding("data", "good", Text(f"你的数据：{folder}", f"你的資料：{folder}", f"your data: {folder}"))
        return
    yield Finding(
        "data",
        "bad",
        Text(
            f"数据文件夹 {folder} 不能写入，确认过的结算就存不下来",
            f"資料夾 {folder} 不能寫入，確認過的結算就存不下來",
            f"the data folder {folder} cannot be written: what is confirmed cannot be kept",
        ),
        Text(
            f"给 {nearest} 写入权限，或用环境变量 YOUJIN_DATA 指定别的文件夹",
            f"給 {nearest} 寫入權限，或用環境變數 YOUJIN_DATA 指定別的資料夾",
            f"allow writing to {nearest}, or name another folder in the environment variable YOUJIN_DATA",
        ),
    )


def examine(*, cameras: bool = True) -> list[Finding]:
    """Look at everything, in the order in which it is printed."""
    findings = [*check_python(), *check_packages(), *check_opencv(), *check_models(MODELS), *check_data(data_dir())]
    if cameras:
        findings.extend(check_cameras())
    return findings


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--cameras/--no-cameras", default=True, show_default=True, help="Try to open the webcams.")
@click.option(
    "--lang", type=click.Choice(["zh", "zh_hant", "en"]), default=None, help="Language; default: the system's."
)
@click.pass_context
def doctor(context: click.Context, *, as_json: bool, cameras: bool, lang: str | None) -> None:
    """Say what is installed, which model, which cameras open, and what to fix.

    Exit status 0 when nothing needs fixing, 1 otherwise.
    """
    findings = examine(cameras=cameras)
    language = lang or language_of(os.environ)
    if as_json:
        click.echo(json.dumps([asdict(finding) for finding in findings], ensure_ascii=False, indent=1))
    else:
        for finding in findings:
            click.echo(f"{_MARK[finding.state]} {finding.text.in_language(language)}")
            if finding.remedy is not None:
                click.echo(f"    → {finding.remedy.in_language(language)}")
    context.exit(int(any(finding.state == "bad" for finding in findings)))
