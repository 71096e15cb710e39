from collections import Counter

import cv2
import numpy as np
import pytest

from engine.tiles import CODES, INDEX
from vision.synthesis.dataset import (
    BACK_CLASS,
    CLASS_NAMES,
    INGREDIENTS,
    KINDS,
    label_lines,
    random_scene,
    tables,
    write,
)
from vision.synthesis.geometry import project
from vision.synthesis.render import Box
from vision.synthesis.scene import Block, Dice, Flat


@pytest.mark.parametrize("kind", KINDS)
def test_scenes_show_tiles_of_one_real_set(kind):
    for seed in range(3):
        scene = random_scene(np.random.default_rng([4, seed]), kind, (320, 240))
        codes = Counter(tile.code for tile in scene.tiles)
        assert scene.tiles
        for code, count in codes.items():
            assert code == "back" or INDEX[code] >= 0
            # melds are drawn as three of a kind from one tile of the deck: a set may show a few too many of one kind there
            assert code == "back" or count <= 6


@pytest.mark.parametrize("kind", KINDS)
def test_most_pictures_of_a_kind_show_boxes_inside_the_picture(kind):
    shown = 0
    for rendered in tables(4, seed=9, kind=kind, size=(320, 240)):
        assert rendered.image.shape == (240, 320, 3)
        shown += bool(rendered.boxes)
        for box in rendered.boxes:
            left, top, right, bottom = box.xyxy
            assert 0 <= left < right <= 320
            assert 0 <= top < bottom <= 240
            assert 0.25 <= box.visible <= 1
    assert shown >= 3


def test_any_picture_can_be_made_alone():
    several = list(tables(3, seed=2, size=(240, 180)))
    alone = next(tables(1, seed=2, first=2, size=(240, 180)))
    assert np.array_equal(several[2].image, alone.image)


def test_label_lines():
    corner = np.zeros((4, 2), np.float32)
    boxes = [
        Box("1p", (10, 20, 30, 60), corner, 1.0, 0),
        Box("back", (0, 0, 50, 50), corner, 1.0, 1),
        Box("1m", (0, 0, 4, 50), corner, 1.0, 2),
    ]
    assert label_lines(boxes, 100, 200) == [
        "9 0.200000 0.200000 0.200000 0.200000",
        "42 0.250000 0.125000 0.500000 0.250000",
    ]


def test_written_folder_is_a_yolo_dataset(tmp_path):
    folder = tmp_path / "画"
    write(folder, 2, seed=3, kind="closeup")
    images = sorted((folder / "images").glob("*.jpg"))
    assert len(images) == 2
    for image in images:
        assert cv2.imdecode(np.frombuffer(image.read_bytes(), np.uint8), cv2.IMREAD_COLOR) is not None
        for line in (folder / "labels" / f"{image.stem}.txt").read_text().splitlines():
            kind, *numbers = line.split()
            assert 0 <= int(kind) <= BACK_CLASS
            assert all(0 <= float(number) <= 1 for number in numbers)
    assert "42: back" in (folder / "data.yaml").read_text(encoding="utf-8")
    assert (*CODES, "back") == CLASS_NAMES


def test_unknown_kind_is_refused():
    with pytest.raises(ValueError, match="no kind of scene"):
        random_scene(np.random.default_rng(1), "casino")


def scenes(ingredients, count=40, kind=None):
    return [random_scene(np.random.default_rng([8, n]), kind, (320, 240), frozenset(ingredients)) for n in range(count)]


def test_each_ingredient_can_be_left_out():
    plain = scenes(())
    assert not any(isinstance(prop, Dice | Flat) for scene in plain for prop in scene.props)
    assert not any(":" in scene.look.style for scene in plain)
    assert all(scene.look.body.width >= 21 for scene in plain)
    everything = scenes(INGREDIENTS, 60)
    props = [prop for scene in everything for prop in scene.props]
    assert any(isinstance(prop, Dice) for prop in props)
    assert any(isinstance(prop, Flat) for prop in props)
    assert any(scene.look.style.startswith("mix:") for scene in everything)
    assert any(scene.look.body.width < 21 for scene in everything)


def test_an_upright_hand_stands_behind_its_bar():
    for scene in scenes(INGREDIENTS, 12, "rack"):
        bars = [prop for prop in scene.props if isinstance(prop, Block) and not prop.screen]
        row = [tile for tile in scene.tiles if abs(tile.y + 200) < 3 and tile.pitch >= 60]
        assert len(row) >= 4
        assert all(bar.y + bar.size[1] / 2 < min(tile.y for tile in row) for bar in bars)


def test_edges_cut_rows_off():
    def cut(ingredients):
        found = 0
        for scene in scenes(ingredients, 60, "laid"):
            places = np.array([(tile.x, tile.y, 0.0) for tile in scene.tiles])
            across = project(scene.camera.matrix(scene.width, scene.height), places)[:, 0]
            found += bool(((across < 0) | (across > scene.width)).any())
        return found

    assert cut(INGREDIENTS) > 1.5 * cut([name for name in INGREDIENTS if name != "edges"])


def test_an_unknown_ingredient_is_refused():
    with pytest.raises(ValueError, match="no ingredient salt"):
        next(tables(1, seed=1, ingredients=("salt",)))
