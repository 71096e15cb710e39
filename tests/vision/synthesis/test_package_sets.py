import gzip
from itertools import combinations

import numpy as np
import pytest

from engine.tiles import CODES
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
