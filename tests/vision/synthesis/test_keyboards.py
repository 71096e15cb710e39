import numpy as np
import pytest

from vision.synthesis import clutter, lettering
from vision.synthesis.keyboards import PITCH, keys
from vision.training.drawn import lying_about

SEEDS = range(24)


@pytest.mark.parametrize("seed", SEEDS)
def test_keys_lie_side_by_side_on_their_body(seed):
    picture, boxes = keys(np.random.default_rng(seed))
    height, width = picture.shape[:2]
    where = np.array(boxes)
    assert len(boxes) >= 6
    assert (where[:, :2] >= 0).all()
    assert (where[:, 2] <= width).all()
    assert (where[:, 3] <= height).all()
    sizes = where[:, 2:] - where[:, :2]
    assert (sizes[:, 0] <= 2 * PITCH).all()
    assert (sizes[:, 1] > PITCH * 0.7).all()
    assert (sizes[:, 1] <= PITCH).all()
    for row in np.unique(where[:, 1]):
        starts = where[where[:, 1] == row]
        starts = starts[np.argsort(starts[:, 0])]
        assert (starts[1:, 0] >= starts[:-1, 2]).all()
    assert (picture[height // 2, :, 3] == 255).all()  # the body is nowhere seen through


def test_keyboards_are_reproducible_and_differ():
    one, same, other = (keys(np.random.default_rng(seed))[0] for seed in (3, 3, 4))
    assert np.array_equal(one, same)
    assert one.shape != other.shape or not np.array_equal(one, other)


def test_keys_bear_signs_without_any_font(monkeypatch):
    monkeypatch.setattr(lettering, "available", lambda: False)
    for seed in SEEDS:
        picture, boxes = keys(np.random.default_rng(seed))
        spread = [
            np.ptp(picture[round(t) : round(b), round(x) : round(r), :3].astype(int), (0, 1)).max()
            for x, t, r, b in boxes
        ]
        assert np.mean(np.array(spread) > 60) > 0.5


def test_a_seat_mark_shows_four_winds_or_one_with_and_without_fonts(monkeypatch):
    with_fonts = [clutter.mark(np.random.default_rng(seed)) for seed in SEEDS]
    monkeypatch.setattr(lettering, "available", lambda: False)
    without = [clutter.mark(np.random.default_rng(seed)) for seed in SEEDS]
    for picture in (*with_fonts, *without):
        middle = picture[32:96, 32:96]
        assert (middle[..., 3] == 255).all()
        assert np.ptp(picture[..., :3][picture[..., 3] == 255].astype(int), 0).max() > 15


def test_what_lies_about_is_cut_as_tiles_are():
    images = lying_about(40, 80, 1.6, seed=2)
    assert images.shape == (40, 80, 80, 3)
    assert np.array_equal(images, lying_about(40, 80, 1.6, seed=2))
    assert not np.array_equal(images, lying_about(40, 80, 1.6, seed=3))
    flat = images.reshape(40, -1)
    assert len(np.unique(flat, axis=0)) > 35
    assert (np.ptp(flat.astype(int), 1) > 15).all()  # each shows something
    for image in images[32:]:  # seat marks, chips and coins lie on a plain ground
        assert (image[:4] == image[0, 0]).all()
