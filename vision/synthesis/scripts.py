"""Chinese fonts that are installed where training happens: further hands for the characters of drawn tiles and for print.

A player needs none of them: the own hands lie in ``glyphs.json``. All are openly licensed Debian packages (see README.md).
"""

from __future__ import annotations

import logging
from functools import cache
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

PREFIX = "font:"
EM = 1000
FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "/Library/Fonts", "/System/Library/Fonts", "C:/Windows/Fonts")
# file name: number inside a collection. Hands in which tiles are cut: regular and running brush, print, round.
_TILE_FONTS = {
    "ukai.ttc": 0, "bkai00mp.ttf": 0, "cwkai.ttf": 0, "TW-Kai-98_1.ttf": 0, "AoyagiKouzanT.ttf": 0,
    "kouzan-mouhitsu.ttf": 0, "kouzan-mouhitsu-gyosho.ttf": 0, "KleeOne-SemiBold.ttf": 0, "LXGWWenKai-Regular.ttf": 0,
    "uming.ttc": 0, "cwming.ttf": 0, "cwfs.ttf": 0, "cwheib.ttf": 0, "cwyen.ttf": 0, "wqy-zenhei.ttc": 0,
}  # fmt: skip
_PRINT_PATTERNS = (
    "*CJK*.ttc", "*CJK*.otf", "ukai*.ttc", "uming*.ttc", "wqy*.ttc", "bkai*.ttf", "gkai*.ttf", "cw*.ttf", "LXGW*.ttf",
    "TW-Kai-98*.ttf", "Yusei*.ttf", "Klee*.ttf", "setofont.ttf", "Aoyagi*.ttf", "aoyagi*.ttf", "kouzan-mouhitsu*.ttf",
    "YOzRS_.ttf", "msyh*.ttc", "simsun*.ttc", "PingFang*.ttc", "STHeiti*.ttc",
)  # fmt: skip


@cache
def print_fonts() -> tuple[Path, ...]:
    """All fonts with Chinese characters on this machine, in print and by hand."""
    return tuple(sorted({p for folder in FOLDERS for pattern in _PRINT_PATTERNS for p in Path(folder).rglob(pattern)}))


@cache
def installed() -> tuple[str, ...]:
    """Scripts for ``drawing.Pen.character`` that installed fonts give; none without fontTools (extra ``train``)."""
    if find_spec("fontTools") is None:
        return ()
    found = {
        path.name: path for folder in FOLDERS for path in Path(folder).rglob("*.tt[cf]") if path.name in _TILE_FONTS
    }
    return tuple(f"{PREFIX}{found[name]}" for name in _TILE_FONTS if name in found)


@cache
def _font(path: str) -> Any:
    from fontTools.ttLib import TTFont  # noqa: PLC0415 - not installed with the product

    logging.getLogger("fontTools").setLevel(logging.ERROR)  # some fonts carry odd dates and tables a few bytes too long
    # From memory: a font is kept for good, and its file must not stay open.
    return TTFont(BytesIO(Path(path).read_bytes()), fontNumber=_TILE_FONTS[Path(path).name], lazy=True)


@cache
def outline(script: str, character: str) -> str | None:
    """The outline of a character in an installed font, as ``glyph_outline``; ``None`` if the font lacks it."""
    return glyph_outline(_font(script.removeprefix(PREFIX)), character)


def glyph_outline(font: Any, character: str) -> str | None:
    """The outline of one character as an SVG path on a 1000-unit em, y down; ``None`` if the font lacks it.

    Args:
        font: a ``fontTools.ttLib.TTFont``.
        character: one character.
    """
    from fontTools.misc.transform import Transform  # noqa: PLC0415 - not installed with the product
    from fontTools.pens.svgPathPen import SVGPathPen  # noqa: PLC0415
    from fontTools.pens.transformPen import TransformPen  # noqa: PLC0415

    name = font.getBestCmap().get(ord(character))
    if name is None:
        return None
    glyphs = font.getGlyphSet()
    scale = EM / font["head"].unitsPerEm
    # The em box of a Chinese font runs from 0.12 below the base line to 0.88 above it.
    pen = SVGPathPen(glyphs, ntos=lambda value: str(round(value)))
    glyphs[name].draw(TransformPen(pen, Transform(scale, 0, 0, -scale, 0, 0.88 * EM)))
    return str(pen.getCommands()) or None
