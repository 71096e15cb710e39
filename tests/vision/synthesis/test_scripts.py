import runpy
from pathlib import Path

import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

from vision.synthesis import scripts


def box(left):
    pen = TTGlyphPen(None)
    pen.moveTo((left, 0))
    for point in ((left, 500), (left + 200, 500), (left + 200, 0)):
        pen.lineTo(point)
    pen.closePath()
    return pen.glyph()


def font(path, characters, left=100):
    """A font whose characters are boxes; TrueType inside, whatever its name says."""
    builder = FontBuilder(1000, isTTF=True)
    names = {ord(character): f"c{ord(character)}" for character in characters}
    builder.setupGlyphOrder([".notdef", *names.values()])
    builder.setupCharacterMap(names)
    builder.setupGlyf({name: box(left) for name in (".notdef", *names.values())})
    builder.setupHorizontalMetrics(dict.fromkeys((".notdef", *names.values()), (400, left)))
    builder.setupHorizontalHeader(ascent=880, descent=-120)
    builder.setupPost()
    path.parent.mkdir(parents=True, exist_ok=True)
    builder.save(path)


@pytest.fixture
def fontsource(tmp_path, monkeypatch):
    monkeypatch.setattr(scripts, "FONTSOURCE", tmp_path)
    monkeypatch.setattr(scripts, "FOLDERS", ())
    monkeypatch.setattr(scripts, "find_spec", lambda name: name)  # as where training is set up
    scripts.installed.cache_clear()
    yield tmp_path
    scripts.installed.cache_clear()


def test_an_npm_package_gives_a_hand_from_its_whole_files_not_its_slices(fontsource):
    files = fontsource / "yuji-mai" / "files"
    font(files / "yuji-mai-japanese-400-normal.woff2", "萬")
    font(files / "yuji-mai-latin-400-normal.woff2", "5", left=300)
    font(files / "yuji-mai-17-400-normal.woff2", "發")
    (script,) = scripts.installed()
    assert Path(script.removeprefix(scripts.PREFIX)) == fontsource / "yuji-mai"
    assert scripts.outline(script, "萬").startswith("M100")
    assert scripts.outline(script, "5").startswith("M300")
    assert scripts.outline(script, "發") is None
    assert scripts.brush(script)


def test_a_player_without_a_home_folder_needs_none(monkeypatch):
    """Fonts in the home folder were looked for as soon as the demo's drawings were loaded."""

    def homeless(*_):
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "expanduser", homeless)
    assert runpy.run_path(scripts.__file__)["PREFIX"] == scripts.PREFIX


def test_what_is_missing_is_said_with_the_command_that_brings_it(fontsource):
    said = []
    scripts.tell(said.append)
    assert scripts.installed() == ()
    assert said[0].startswith("hands of installed fonts: 0 of ")
    assert any("npm install" in line and "@fontsource/yuji-mai" in line for line in said)
    assert any("ukai.ttc" in line for line in said)


@pytest.mark.parametrize(
    ("script", "brush"), [("kai", True), ("font:/x/ukai.ttc", True), ("hei", False), ("font:/x/uming.ttc", False)]
)
def test_brushes_are_told_from_print(script, brush):
    assert scripts.brush(script) is brush
