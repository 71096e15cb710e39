from __future__ import annotations

import json
from pathlib import Path

import click
import numpy as np
import pytest
from click.testing import CliRunner, Result

from vision.cli import commands
from vision.dataset import save_image
from vision.synthesis.dataset import tables
from vision.training.drawn import ensure


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("照片")
    (picture,) = tables(1, 79, kind="laid", size=(640, 480))
    save_image(folder / "手牌 一.jpg", picture.image)
    save_image(folder / "b.png", np.full((60, 80, 3), 90, np.uint8))
    return folder


def run(*arguments: object) -> Result:
    group = click.Group(commands=commands)
    return CliRunner().invoke(group, [str(a) for a in arguments])


def test_read_prints_one_object_per_image_in_order(photos: Path) -> None:
    result = run("read", photos / "b.png", photos / "手牌 一.jpg", "--json")
    assert result.exit_code == 0
    plain, hand = (json.loads(line) for line in result.stdout.splitlines())
    assert plain["image"] == str(photos / "b.png")
    assert plain["tiles"] == []
    assert hand["image"] == str(photos / "手牌 一.jpg")
    assert len(hand["tiles"]) >= 4


def test_a_folder_stands_for_its_pictures(photos: Path) -> None:
    result = run("read", photos, "--json")
    assert [Path(json.loads(line)["image"]).name for line in result.stdout.splitlines()] == ["b.png", "手牌 一.jpg"]


def test_bad_pictures_are_named_and_the_rest_is_read(photos: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.jpg").write_bytes(b"")
    (tmp_path / "nothing").mkdir()
    result = run(
        "read", tmp_path / "empty.jpg", tmp_path / "missing.png", tmp_path / "nothing", photos / "b.png", "--json"
    )
    assert result.exit_code == 2
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [a.get("error", {}).get("code") for a in answers] == ["empty", "not_found", "empty_folder", None]
    assert len(result.stderr.splitlines()) == 3
    assert "empty.jpg" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("language", "row", "nothing"),
    [
        ("en", "row 1:", "no face-up tile found"),
        ("zh", "第 1 排：", "没有看到正面朝上的牌"),
        ("zh_hant", "第 1 排：", "沒有看到正面朝上的牌"),
    ],
)
def test_read_for_people(photos: Path, language: str, row: str, nothing: str) -> None:
    result = run("read", photos / "手牌 一.jpg", photos / "b.png", "--lang", language)
    assert result.exit_code == 0
    assert row in result.stdout
    assert nothing in result.stdout


def test_draw_one_and_several(photos: Path, tmp_path: Path) -> None:
    assert run("read", photos / "手牌 一.jpg", "--draw", tmp_path / "out.png").exit_code == 0
    assert (tmp_path / "out.png").stat().st_size > 1000
    assert run("read", photos, "--draw", tmp_path / "all").exit_code == 0
    assert sorted(p.name for p in (tmp_path / "all").iterdir()) == ["b_read.jpg", "手牌 一_read.jpg"]
    result = run("read", photos / "b.png", "--draw", tmp_path / "out.xyz")
    assert result.exit_code == 2
    assert "out.xyz" in result.stderr


def test_missing_models(photos: Path, tmp_path: Path) -> None:
    result = run("read", photos / "b.png", "--models", tmp_path)
    assert result.exit_code == 2
    assert "missing" in result.stderr


def test_evaluate(tmp_path: Path) -> None:
    ensure(tmp_path / "set", 3, 5, lambda _: None)
    result = run("evaluate", tmp_path / "set", "--json", "--html", tmp_path / "worst.html")
    assert result.exit_code == 0
    figures = json.loads(result.stdout)
    assert figures["photos"] == 3
    assert 0 <= figures["exact_photo_rate"] <= 1
    assert "<html" in (tmp_path / "worst.html").read_text(encoding="utf-8")
    assert "photos exact" in run("evaluate", tmp_path / "set", "--every", "2", "--repaired", "--source", "d").stdout
    nobody = run("evaluate", tmp_path / "set", "--source", "k")
    assert nobody.exit_code == 2
    assert "k_" in nobody.stderr
    two = run("evaluate", tmp_path / "set", "--only", "d_5_0000[02]*", "--json")
    assert json.loads(two.stdout)["photos"] == 2
    none = run("evaluate", tmp_path / "set", "--only", "x*")
    assert none.exit_code == 2
    assert "--only" in none.stderr


def test_evaluate_bad_folders(photos: Path, tmp_path: Path) -> None:
    for folder, word in ((tmp_path / "none", "no such folder"), (tmp_path, "no pictures"), (photos, "labels")):
        result = run("evaluate", folder)
        assert result.exit_code == 2
        assert word in result.stderr
        assert "Traceback" not in result.output


def test_train_without_the_extra_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.cli.find_spec", lambda _: None)
    for command in (["train", "classifier", tmp_path], ["train", "detector", tmp_path], ["export", "a.pt", "a.onnx"]):
        result = run(*command)
        assert result.exit_code == 2
        assert "youjin[train]" in result.stderr


def test_train_bad_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.cli.find_spec", lambda _: object())
    result = run("train", "classifier", tmp_path)
    assert result.exit_code == 2
    assert "train/images" in result.stderr
    assert run("export", tmp_path / "no.pt", tmp_path / "x.onnx").exit_code == 2
