import itertools
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from engine.tiles import CODES
from vision.synthesis import styles, tiles

STYLES = (*styles.STYLES, *(f"mix:{number}" for number in (0, 2)))
ALL = (*CODES, tiles.BACK)
FACES = Path(tiles.__file__).with_name("faces")


def test_there_are_42_faces_in_the_order_of_the_kinds():
    assert len(CODES) == 42
    assert CODES[:2] == ("1m", "2m")
    assert CODES[-1] == "8f"
    assert styles.STYLES[0] == "classic"


@pytest.mark.parametrize("style", STYLES)
def test_every_face_is_well_formed_and_needs_no_font(style):
    for code in ALL:
        text = tiles.svg(code, style)
        root = ET.fromstring(text)  # noqa: S314 (our own drawing)
        assert root.attrib["viewBox"] == "0 0 300 400"
        assert "<text" not in text
        assert "font" not in text
        assert not re.search(r"nan|inf", text)


@pytest.mark.parametrize("style", STYLES)
def test_faces_of_a_style_all_differ(style):
    rasters = {code: tiles.raster(code, 96, style, plate=True)[..., :3].astype(int) for code in ALL}
    for one, two in itertools.combinations(ALL, 2):
        assert np.abs(rasters[one] - rasters[two]).mean() > 1.0, (one, two)


@pytest.mark.parametrize("style", STYLES)
def test_ink_stays_on_the_face_and_only_a_blank_white_has_none(style):
    for code in CODES:
        ink = tiles.raster(code, 200, style, plate=False)[..., 3]
        blank = not ink.any()
        assert blank == (code == "5z" and styles.style(style).white == "blank"), code
        assert not ink[[0, -1]].any(), code
        assert not ink[:, [0, -1]].any(), code


def test_raster_size_and_cache_safety():
    picture = tiles.raster("1s", 80)
    assert picture.shape == (80, 60, 4)
    assert picture.dtype == np.uint8
    with pytest.raises(ValueError, match="read-only"):
        picture[0, 0] = 0


def test_colours_are_where_tradition_puts_them():
    def ink_colour(code, rows):
        picture = tiles.raster(code, 200, "classic", plate=False)[rows]
        return picture[picture[..., 3] > 250][:, :3].mean(axis=0)

    blue, green, red = ink_colour("7z", slice(None))
    assert red > 2 * green
    assert red > 2 * blue
    blue, green, red = ink_colour("6z", slice(None))
    assert green > 1.5 * red
    blue, green, red = ink_colour("5z", slice(None))
    assert blue > 1.5 * red
    blue, green, red = ink_colour("3m", slice(110, 200))
    assert red > 2 * green


def test_the_committed_files_are_the_classic_drawings():
    assert {path.stem for path in FACES.glob("*.svg")} == set(ALL)
    for code in ALL:
        assert (FACES / f"{code}.svg").read_text(encoding="utf-8") == tiles.svg(code), (
            "run python -m vision.synthesis.write_faces"
        )


@pytest.mark.parametrize(("code", "style"), [("0m", "classic"), ("8z", "classic"), ("1m", "baroque")])
def test_unknown_names_are_refused(code, style):
    with pytest.raises(ValueError, match=r"no (tile|art style)"):
        tiles.svg(code, style)
