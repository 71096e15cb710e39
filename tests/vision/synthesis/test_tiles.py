import itertools
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from engine.tiles import CODES
from vision.synthesis import styles, tiles
from vision.synthesis.creatures import cut_bird
from vision.synthesis.drawing import Pen, Turning, turned_stick


def mix(wanted):
    """The first mixed style of which ``wanted`` is true."""
    return next(f"mix:{number}" for number in itertools.count() if wanted(styles.style(f"mix:{number}")))


MIXED = {
    "plain": "mix:0",
    "beads": mix(lambda style: style.turning and style.turning.line and not style.turning.flared),
    "canes": mix(lambda style: style.turning and not style.turning.line and style.turning.flared),
    "bird": mix(lambda style: style.bird == "cut" and style.flowers == "outlined"),
    "dragons": mix(lambda style: style.dragons),
    "corners": mix(lambda style: style.corners == "right" and style.corner_size > 1.6),
    "letter": mix(lambda style: style.white == "letter" and style.flowers == "both" and style.orchid == "兰"),
    "swapped": mix(lambda style: style.swapped and style.flowers == "both"),
}
STYLES = (*styles.STYLES, *MIXED.values())
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


def test_each_set_has_a_bird_of_its_own_and_always_the_same():
    birds = {}
    for seed in range(30):
        pen = Pen(styles.FULL_COLOUR)
        cut_bird(pen, seed)
        again = Pen(styles.FULL_COLOUR)
        cut_bird(again, seed)
        assert pen.parts == again.parts
        birds["".join(pen.parts)] = seed
    assert len(birds) == 30


def test_dragons_take_the_place_of_two_characters_only():
    name = MIXED["dragons"]
    own = styles.style(name)
    for code in CODES:
        one, other = Pen(own.palette), Pen(own.palette)
        tiles.draw_face(one, own, code)
        tiles.draw_face(other, replace(own, dragons=False), code)
        assert (one.parts != other.parts) == (code in {"6z", "7z"}), code


@pytest.mark.parametrize("lobes", range(1, 6))
def test_a_turned_stick_swells_as_often_as_it_has_lobes(lobes):
    for flared in (False, True):
        pen = Pen(styles.FULL_COLOUR)
        turned_stick(pen, (150, 60), (150, 340), 80, "green", Turning(lobes=lobes, waist=0.3, flared=flared, line=0))
        ink = tiles.raster_pen(pen, 400)[..., :3].max(2) < 150
        wide = ink[64:337].sum(1)  # pixels are units here
        assert 70 <= wide.max() <= 82
        narrow = wide < 50
        gaps = int((narrow[1:] & ~narrow[:-1]).sum()) + int(narrow[0])
        assert gaps == (lobes if flared else lobes + 1), wide


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
