"""`youjin doctor`: every fault it can meet is named together with what to do."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

from webui import doctor


def only(findings, state):
    return [finding for finding in findings if finding.state == state]


def test_a_sound_installation_needs_nothing_fixed():
    run = CliRunner().invoke(doctor.doctor, ["--no-cameras", "--lang", "en"])
    assert run.exit_code == 0, run.output
    for name in ("Python", "opencv-python", "detector.onnx", "classifier.onnx"):
        assert name in run.output


def test_json_carries_the_three_languages():
    run = CliRunner().invoke(doctor.doctor, ["--no-cameras", "--json"])
    for finding in json.loads(run.output):
        assert finding["state"] in {"good", "note", "bad"}
        assert set(finding["text"]) == {"zh", "zh_hant", "en"}


@pytest.mark.parametrize(
    ("lang", "word"), [("zh_TW.UTF-8", "攝影機"), ("zh_CN.UTF-8", "摄像头"), ("C.UTF-8", "camera")]
)
def test_it_speaks_the_systems_language(monkeypatch, lang, word):
    monkeypatch.setenv("LC_ALL", lang)
    monkeypatch.setattr(doctor, "open_camera", lambda index: "absent")
    assert word in CliRunner().invoke(doctor.doctor).output


def test_dependencies_by_extra():
    assert {"flask", "numpy", "onnxruntime", "opencv-python"} <= set(doctor.dependencies())
    assert not {"torch", "ultralytics"} & set(doctor.dependencies())
    assert {"torch", "ultralytics"} <= set(doctor.dependencies("train"))


def test_a_missing_package_and_the_train_extra(monkeypatch):
    real = doctor.installed
    monkeypatch.setattr(doctor, "installed", lambda name: None if name in {"cheroot", "torch"} else real(name))
    findings = list(doctor.check_packages())
    (bad,) = only(findings, "bad")
    assert "cheroot" in bad.text.en
    assert "pip install cheroot" in bad.remedy.en
    (note,) = only(findings, "note")
    assert "youjin[train]" in note.remedy.zh


def test_a_second_opencv_wheel_is_named(monkeypatch):
    real = doctor.installed
    monkeypatch.setattr(doctor, "installed", lambda name: "4.1" if name == "opencv-python-headless" else real(name))
    (bad,) = only(doctor.check_opencv(), "bad")
    assert "opencv-python-headless" in bad.text.en
    assert "pip uninstall" in bad.remedy.en


def test_an_opencv_that_does_not_load(monkeypatch):
    monkeypatch.setitem(sys.modules, "cv2", None)
    (bad,) = only(doctor.check_opencv(), "bad")
    assert "libgl1" in bad.remedy.en


def test_models_missing_or_damaged(tmp_path):
    (tmp_path / "classifier.onnx").write_bytes(b"not a network")
    missing, damaged = doctor.check_models(tmp_path)
    assert missing.state == damaged.state == "bad"
    assert "detector.onnx" in missing.text.en
    assert "classifier.onnx" in damaged.text.en
    assert missing.remedy
    assert damaged.remedy


def test_onnxruntime_that_does_not_load(tmp_path, monkeypatch):
    (tmp_path / "detector.onnx").write_bytes(b"")
    (tmp_path / "classifier.onnx").write_bytes(b"")
    monkeypatch.setitem(sys.modules, "vision.runtime", None)
    assert all("onnxruntime" in finding.remedy.en for finding in doctor.check_models(tmp_path))


def test_cameras(monkeypatch):
    answers = {0: (1280, 720), 1: "hangs"}
    monkeypatch.setattr(doctor, "open_camera", lambda index: answers.get(index, "absent"))
    good, hanging = list(doctor.check_cameras())[:2]
    assert (good.state, hanging.state) == ("good", "bad")
    assert "1280 × 720" in good.text.en
    assert "youjin serve --source 0" in good.text.en
    assert hanging.remedy


def test_a_camera_that_is_not_there():
    assert doctor.open_camera(63) == "absent"


def test_a_camera_that_hangs(monkeypatch):
    def run(command, *, timeout, **_):
        raise subprocess.TimeoutExpired(command, timeout)

    monkeypatch.setattr(subprocess, "run", run)
    assert doctor.open_camera(0) == "hangs"


def test_exit_status_one_when_something_is_to_fix(monkeypatch):
    monkeypatch.setattr(doctor, "opencv_wheels", lambda: ["opencv-contrib-python", "opencv-python"])
    run = CliRunner().invoke(doctor.doctor, ["--no-cameras", "--lang", "en"])
    assert run.exit_code == 1
    assert "→" in run.output


def test_the_data_folder_is_named_and_must_be_writable(tmp_path):
    (good,) = doctor.check_data(tmp_path / "new" / "data")
    assert good.state == "good"
    assert str(tmp_path) in good.text.en
    file = tmp_path / "file"
    file.write_text("")
    (bad,) = doctor.check_data(file / "data")
    assert bad.state == "bad"
    assert bad.remedy is not None
    assert "YOUJIN_DATA" in bad.remedy.zh
