import numpy as np
import pytest

from vision.detections import iou
from vision.synthesis import lettering
from vision.synthesis.dice import dice, paste
from vision.training import captions

BOXES = np.array([(40 + 30 * k, 200, 66 + 30 * k, 240) for k in range(8)], np.float32)


def photo():
    return np.full((360, 480, 3), 110, np.uint8)


def changed(one, two):
    return np.abs(one.astype(int) - two).max(2) > 12


def test_dice_lie_beside_the_tiles_and_their_boxes_hold_them(monkeypatch):
    monkeypatch.setattr(captions, "DICE", 1.0)
    found = 0
    for seed in range(12):
        picture, boxes = captions.paint(photo(), BOXES, np.random.default_rng(seed), 0)
        found += len(boxes)
        assert not len(boxes) or iou(boxes, BOXES).max() == 0
        for left, top, right, bottom in boxes:
            inside = changed(picture, photo())[max(0, int(top)) : int(bottom) + 1, max(0, int(left)) : int(right) + 1]
            assert not inside.size or inside.mean() > 0.4
    assert found >= 15


def test_keys_lie_where_no_tile_does_and_their_boxes_hold_them(monkeypatch):
    monkeypatch.setattr(captions, "DICE", 0.0)
    monkeypatch.setattr(captions, "KEYS", 1.0)
    covered = []
    for seed in range(12):
        picture, boxes = captions.paint(photo(), BOXES, np.random.default_rng(seed), 0)
        assert not changed(picture, photo())[200:240, 40:276].any()
        for left, top, right, bottom in boxes:
            inside = changed(picture, photo())[max(0, int(top)) : int(bottom) + 1, max(0, int(left)) : int(right) + 1]
            covered += [inside.mean()] if inside.size else []
    assert len(covered) >= 60
    assert np.mean(covered) > 0.6  # keys and what is between them may be as grey as the photo


def test_keys_on_a_dark_photo_do_not_shine(monkeypatch):
    monkeypatch.setattr(captions, "DICE", 0.0)
    monkeypatch.setattr(captions, "KEYS", 1.0)
    for seed in range(6):
        dark = np.full((360, 480, 3), 30, np.uint8)
        assert captions.paint(dark, BOXES, np.random.default_rng(seed), 0)[0].max() < 110


def test_text_keeps_off_the_tiles(monkeypatch):
    if not lettering.available():
        pytest.skip("no Chinese font, or no Pillow, is installed here")
    monkeypatch.setattr(captions, "DICE", 0.0)
    letters = 0
    for seed in range(12):
        picture, boxes = captions.paint(photo(), BOXES, np.random.default_rng(seed), 2)
        letters += len(boxes)
        touched = changed(picture, photo())
        for left, top, right, bottom in BOXES.astype(int):
            assert touched[top:bottom, left:right].mean() < 0.02
        if len(boxes):
            assert (boxes[:, 2:] > boxes[:, :2]).all()
            assert touched.any()
    assert letters >= 20


def test_the_photo_itself_is_not_touched():
    image = photo()
    captions.paint(image, BOXES, np.random.default_rng(3), 3)
    assert (image == 110).all()


def test_dice_show_pips_on_up_to_three_faces_and_are_reproducible():
    one, two = (dice(np.random.default_rng(5), 40, 3, elevation=45) for _ in range(2))
    assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))
    for sprite in one:
        assert 40 <= max(sprite.shape[:2]) <= 75
        solid = sprite[..., 3] > 250
        assert 0.5 < solid.mean() < 0.95
        assert sprite[..., :3][solid].std() > 10


def test_a_sprite_outside_the_picture_changes_nothing():
    image = photo()
    (sprite,) = dice(np.random.default_rng(1), 20, 1)
    paste(image, sprite, -200, 50)
    assert (image == 110).all()
