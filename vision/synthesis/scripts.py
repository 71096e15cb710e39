"""Chinese fonts that are installed where training happens: further hands for the characters of drawn tiles and for print.

A player needs none of them: the own hands lie in ``glyphs.json``. All are openly licensed packages of Debian or npm (see
README.md).
"""

from __future__ import annotations

import logging
from functools import cache
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

PREFIX = "font:"
EM = 1000
FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "/Library/Fonts", "/System/Library/Fonts", "C:/Windows/Fonts")
FONTSOURCE = "~/.local/share/fonts/node_modules/@fontsource"
"""Where ``npm install --prefix ~/.local/share/fonts @fontsource/NAME`` lays fonts."""
# file name: number inside a collection. Hands in which tiles are cut: regular and running brush, print, round.
_TILE_FONTS = {
    "ukai.ttc": 0, "bkai00mp.ttf": 0, "cwkai.ttf": 0, "TW-Kai-98_1.ttf": 0, "AoyagiKouzanT.ttf": 0,
    "kouzan-mouhitsu.ttf": 0, "kouzan-mouhitsu-gyosho.ttf": 0, "KleeOne-SemiBold.ttf": 0, "LXGWWenKai-Regular.ttf": 0,
    "uming.ttc": 0, "cwming.ttf": 0, "cwfs.ttf": 0, "cwheib.ttf": 0, "cwyen.ttf": 0, "wqy-zenhei.ttc": 0,
    "aoyagi-soseki.ttf": 0, "OradanoGSRR.ttf": 0, "ReggaeOne-Regular.ttf": 0, "setofont.ttf": 0,
    "TW-Sung-98_1.ttf": 0, "SmileySans-Oblique.ttf": 0,
}  # fmt: skip
TILE_HANDS = (
    "yuji-mai", "yuji-boku", "yuji-syuku", "kaisei-tokumin", "potta-one", "new-tegomin", "ma-shan-zheng", "zhi-mang-xing",
    "long-cang", "zcool-xiaowei", "lxgw-wenkai-tc", "cactus-classical-serif", "zen-antique", "shippori-mincho",
)  # fmt: skip
"""Packages of npm's ``@fontsource``: brush, pen and print; four (馬善政 to 小薇) are simplified only and lack 萬, 東, 發 and 蘭."""
_BRUSHES = (
    "kai",
    "wenkai",
    "ukai",
    "bkai",
    "cwkai",
    "TW-Kai",
    "Aoyagi",
    "aoyagi",
    "kouzan",
    "yuji",
    "ma-shan",
    "lxgw",
    "LXGW",
    "seto",
)
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
    folder = Path(FONTSOURCE).expanduser()
    hands = [folder / name for name in TILE_HANDS if _fontsource(folder / name)] if find_spec("brotli") else []
    return tuple(f"{PREFIX}{path}" for path in (*(found[name] for name in _TILE_FONTS if name in found), *hands))


def brush(script: str) -> bool:
    """Whether a script, own or installed, is a regular or running brush, as most tiles are cut, not print."""
    return Path(script.removeprefix(PREFIX)).name.startswith(_BRUSHES)


def _fontsource(folder: Path) -> list[Path]:
    """The files of a fontsource package that hold a whole writing each, not a numbered slice of it."""
    files = folder.glob(f"files/{folder.name}-*-400-normal.woff2")
    return sorted(path for path in files if not path.name.removeprefix(f"{folder.name}-").split("-")[0].isdecimal())


def tell(say: Callable[[str], None]) -> None:
    """Say how many hands were found and what would add more."""
    found = {Path(script.removeprefix(PREFIX)).name for script in installed()}
    say(f"hands of installed fonts: {len(found)} of {len(_TILE_FONTS) + len(TILE_HANDS)}")
    if missing := [name for name in _TILE_FONTS if name not in found]:
        say(f"more would come with the Debian packages that hold {', '.join(missing)}: make setup-drawing")
    if missing := [f"@fontsource/{name}" for name in TILE_HANDS if name not in found]:
        say(f"more would come with: npm install --prefix ~/.local/share/fonts {' '.join(missing)}")


@cache
def _fonts(path: str) -> tuple[Any, ...]:
    from fontTools.ttLib import TTFont  # noqa: PLC0415 - not installed with the product

    logging.getLogger("fontTools").setLevel(logging.ERROR)  # some fonts carry odd dates and tables a few bytes too long
    place = Path(path)
    # From memory: a font is kept for good, and its file must not stay open.
    if place.is_dir():
        return tuple(TTFont(BytesIO(file.read_bytes()), lazy=True) for file in _fontsource(place))
    return (TTFont(BytesIO(place.read_bytes()), fontNumber=_TILE_FONTS[place.name], lazy=True),)


@cache
def outline(script: str, character: str) -> str | None:
    """The outline of a character in an installed font, as ``glyph_outline``; ``None`` if the font lacks it."""
    fonts = _fonts(script.removeprefix(PREFIX))
    return next(filter(None, (glyph_outline(font, character) for font in fonts)), None)


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


if __name__ == "__main__":
    print(*(f"@fontsource/{name}" for name in TILE_HANDS))  # noqa: T201 - for npm, see the Makefile
