from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from engine.tiles import INDEX
from vision.classifier import Classifier
from vision.dataset import Photo, beside, picture_hash, read_folder, read_labels, read_repairs, save_image
from vision.reading import MODELS
from vision.synthesis.tiles import raster
from vision.training.repairs import mirror_evidence, propose

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "images").mkdir()
    (tmp_path / "labels").mkdir()
    image = np.zeros((100, 200, 3), np.uint8)
    image[:, :100] = 255
    save_image(tmp_path / "images" / "a_1.png", image)
    (tmp_path / "labels" / "a_1.txt").write_text("4 0.25 0.5 0.1 0.4\n\n41 0.75 0.5 0.1 0.4\n")
    return tmp_path


def test_labels_in_pixels(folder: Path) -> None:
    (photo,) = read_folder(folder)
    assert photo.source == "a"
    assert photo.kinds.tolist() == [4, 41]
    assert photo.boxes[0] == pytest.approx([40, 30, 60, 70])


def test_polygons_become_boxes(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text("3 0.1 0.2 0.3 0.2 0.3 0.6 0.1 0.6\n")
    boxes, _ = read_labels(path, 100, 100)
    assert boxes[0] == pytest.approx([10, 20, 30, 60])


@pytest.mark.parametrize("line", ["1 2 3", "one 0.1 0.1 0.1 0.1", "1 0.1 0.1 0.1 wide"])
def test_broken_labels_name_file_and_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "x.txt"
    path.write_text("1 0.5 0.5 0.1 0.1\n" + line)
    with pytest.raises(ValueError, match=r"x\.txt, line 2"):
        read_labels(path, 100, 100)


def test_no_pictures(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no pictures"):
        read_folder(tmp_path)


def test_repairs(folder: Path, tmp_path: Path) -> None:
    name = picture_hash(folder / "images" / "a_1.png")
    repairs = tmp_path / "repairs.txt"
    repairs.write_text(
        f"# comment\n{name} mirrored  # why\n{name} kind 0 7\n{name} hide 1 2 3 4\n{name} add 42 10 20 30 40\n"
        f"{name} tile 5 6 7 8\n{name} strange 9 9 20 20\n{name} nothing 1 1 4 4\n"
    )
    (photo,) = read_folder(folder, repairs=repairs)
    image, boxes = photo.load()
    assert photo.kinds.tolist() == [7, 41, 42]
    assert photo.hidden == ((1, 2, 3, 4),)
    assert (photo.unnamed, photo.strange, photo.nothing) == (((5, 6, 7, 8),), ((9, 9, 20, 20),), ((1, 1, 4, 4),))
    assert image[0, 0, 0] == 0
    assert boxes[0] == pytest.approx([140, 30, 160, 70])
    assert image[50, 150, 0] == 255
    repairs.write_text(f"{name} add 3 10 20 30 40\n{name} twice 0\n")
    (photo,) = read_folder(folder, repairs=repairs)
    assert photo.kinds.tolist() == [41, 3]
    repairs.write_text(f"{name} drop\n")
    with pytest.raises(ValueError, match="no pictures"):
        read_folder(folder, repairs=repairs)
    repairs.write_text(f"{name} paint it green\n")
    with pytest.raises(ValueError, match="paint it green"):
        read_folder(folder, repairs=repairs)


def test_the_shipped_repairs_are_well_formed() -> None:
    repairs = read_repairs()
    assert len(repairs) > 50
    assert all(len(name) == 16 and int(name, 16) >= 0 for name in repairs)
    assert {words[0] for actions in repairs.values() for words in actions} <= {
        "mirrored",
        "drop",
        "twice",
        "add",
        "hide",
        "kind",
        "loose",
        "tile",
        "strange",
        "nothing",
    }


def test_backgrounds_hold_no_tile(folder: Path) -> None:
    (photo,) = read_folder(folder)
    found = list(beside(photo.load()[1], np.random.default_rng(1), 50))
    assert found
    for box in found:
        for tile in photo.boxes:
            common = max(0, min(box[2], tile[2]) - max(box[0], tile[0])) * max(
                0, min(box[3], tile[3]) - max(box[1], tile[1])
            )
            assert common < 0.56 * min((box[2] - box[0]) * (box[3] - box[1]), (tile[2] - tile[0]) * (tile[3] - tile[1]))


def test_saving(tmp_path: Path) -> None:
    save_image(tmp_path / "牌.png", np.zeros((9, 9, 3), np.uint8))
    assert (tmp_path / "牌.png").stat().st_size > 0
    with pytest.raises(OSError, match=r"\.jpg"):
        save_image(tmp_path / "x.xyz", np.zeros((9, 9, 3), np.uint8))


def test_mirrored_pictures_are_told(tmp_path: Path) -> None:
    # Dots and bamboo are nearly their own mirror images; characters are not.
    codes = [f"{number}m" for number in range(1, 10)]
    image = np.full((160, 960, 3), (70, 110, 30), np.uint8)
    for number, code in enumerate(codes):
        face = raster(code, 96)
        image[32:128, 20 + 100 * number : 20 + 100 * number + face.shape[1]] = face[..., :3]
    lefts = np.arange(20, 920, 100, dtype=np.float32)
    boxes = np.stack([lefts, np.full(9, 32), lefts + 72, np.full(9, 128)], 1).astype(np.float32)
    kinds = np.array([INDEX[code] for code in codes], np.int64)
    classifier = Classifier(MODELS / "classifier.onnx")
    save_image(tmp_path / "a_right.png", image)
    mirrored = np.stack([960 - boxes[:, 2], boxes[:, 1], 960 - boxes[:, 0], boxes[:, 3]], 1)
    save_image(tmp_path / "a_wrong.png", np.ascontiguousarray(image[:, ::-1]))
    right, wrong = Photo(tmp_path / "a_right.png", boxes, kinds), Photo(tmp_path / "a_wrong.png", mirrored, kinds)
    assert mirror_evidence(right, classifier) < 0 < mirror_evidence(wrong, classifier)
    (line,) = propose([wrong], classifier, margin=0.0)
    assert line.split()[:2] == [picture_hash(wrong.path), "mirrored"]
