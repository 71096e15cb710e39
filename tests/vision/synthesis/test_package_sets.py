import gzip
from itertools import combinations

import cv2
import numpy as np
import pytest

from engine.tiles import CODES, PLAYABLE
from vision.synthesis import package_sets
from vision.synthesis.strangers import strangers
from vision.synthesis.tiles import raster


def need_sets():
    if not package_sets.installed():
        pytest.skip("no package with tile sets is installed here (see vision/synthesis/package_sets.py)")


def test_every_face_of_an_installed_set_is_another_picture():
    need_sets()
    for style in package_sets.installed():
        faces = {code: raster(code, 96, style)[..., :3].astype(int) for code in CODES}
        for one, two in combinations(CODES, 2):
            assert np.abs(faces[one] - faces[two]).mean() > 0.8, (style, one, two)


def test_what_a_set_lacks_is_drawn_by_an_own_style():
    need_sets()
    for style in package_sets.installed():
        for code in CODES:
            face = raster(code, 80, style, plate=False)
            assert face.shape == (80, 60, 4)
            if code != "5z":
                assert (face[..., 3] > 128).mean() > 0.01, (style, code)


def test_faces_lie_where_the_table_of_codes_says():
    # 中 is red, 發 green and the figures of 萬 stand over red in every set that has those paints; a table read wrong fails.
    need_sets()
    for style in package_sets.installed():
        if style.endswith("/2"):
            continue  # the dark variant
        dragon, fortune = (raster(code, 96, style, plate=False) for code in ("7z", "6z"))
        for face, strong, weak in ((dragon, 2, 1), (fortune, 1, 2)):
            ink = face[face[..., 3] > 200][:, :3].astype(int)
            assert ink[:, strong].mean() > ink[:, weak].mean() + 20, style
        sizes = [(raster(f"{rank}m", 96, style, plate=False)[:40, :, 3] > 128).sum() for rank in (1, 4)]
        assert sizes[0] < sizes[1], style


def test_a_set_that_is_not_installed_is_refused():
    with pytest.raises(ValueError, match="no tile set"):
        package_sets.raster("1m", 40, "package:nobody/0")


def test_without_packages_everything_works_and_says_what_would_help(monkeypatch):
    monkeypatch.setattr(package_sets._Source, "path", lambda self: None)
    package_sets.installed.cache_clear()
    said = []
    try:
        assert package_sets.installed() == ()
        package_sets.tell(said.append)
    finally:
        monkeypatch.undo()
        package_sets.installed.cache_clear()
    assert "none" in said[0]
    assert said[1].startswith("more would come with: apt-get install")
    assert "fonts-symbola" in said[1]
    assert said[2:] == [
        "more would come with: pip install mahjong-learner",
        "more would come with: pip install --no-deps riichienv",
    ]


def test_strangers_are_pictures_on_a_plate_and_differ():
    faces = strangers(12, 64, seed=4)
    assert len(faces) == 12
    assert all(face.shape == (64, 48, 4) for face in faces)
    assert all((face[32, 24, 3] == 255) for face in faces)
    assert len({face.tobytes() for face in faces}) >= 11
    assert all(np.array_equal(one, two) for one, two in zip(faces, strangers(12, 64, seed=4), strict=True))


@pytest.mark.parametrize(
    "data", [b"no archive", gzip.compress(b'var a="data:image/png;base64,AAAA"'), gzip.compress(b"\xff\xfe")]
)
def test_another_viewer_of_riichienv_is_told_by_name(tmp_path, data):
    viewer = tmp_path / "viewer.js.gz"
    viewer.write_bytes(data)
    with pytest.raises(RuntimeError, match=r"viewer\.js\.gz .* riichienv 0\.4\.11"):
        package_sets._atlas(viewer)


def test_a_scan_that_is_no_picture_is_told_by_name(tmp_path):
    scan = tmp_path / "real.gif"
    scan.write_bytes(b"GIF89a?")
    with pytest.raises(RuntimeError, match=r"real\.gif cannot be read"):
        package_sets._scan(scan, blue=False)


def test_tiles_on_plates_give_their_ink_and_a_missing_one_is_told_by_name(tmp_path):
    for code in CODES[:PLAYABLE]:
        tile = np.full((168, 120, 3), 255, np.uint8)
        cv2.rectangle(tile, (0, 0), (119, 167), (0, 0, 0), 2)
        if code != "5z":
            cv2.circle(tile, (60, 84), 20, (20, 20, 200), -1)
        cv2.imwrite(str(tmp_path / f"{code}.png"), tile)
    faces = package_sets._plates(tmp_path)
    assert len(faces) == 34
    assert not faces["5z"][..., 3].any()
    middle = faces["1m"][128, 96]
    assert middle[3] == 255
    assert middle[2] > 150 > middle[1]
    (tmp_path / "9s.png").unlink()
    with pytest.raises(RuntimeError, match=r"9s\.png cannot be read"):
        package_sets._plates(tmp_path)


def test_no_training_draws_from_what_is_reserved(monkeypatch, tmp_path):
    monkeypatch.setattr(package_sets._Source, "path", lambda self: tmp_path)  # all packages are installed
    kept = package_sets.installed.cache_clear, package_sets.reserved.cache_clear
    for clear in kept:
        clear()
    try:
        assert package_sets.reserved() == ("package:nonebot/0",)
        assert "package:scan/1" in package_sets.installed()
        assert not set(package_sets.reserved()) & set(package_sets.installed())
    finally:
        for clear in kept:
            clear()
    assert {source.name for source in package_sets._RESERVED} == {"nonebot"}
