"""Tile sets that openly licensed packages bring: further art styles for training, where the packages are installed.

Nothing of them is committed and no player needs them. A set becomes the style ``package:NAME`` of ``tiles.raster``; faces it
lacks are taken from an own style. Each table below was written by looking at the pictures. Faces that are none of the 42
(jokers, a set of radicals, a trade mark) are ``strangers()``: what a reader must not give a name.

Debian: ``apt-get install kdegames-mahjongg-data-kf5 gnome-mahjongg xmahjongg fonts-symbola fonts-noto-core fonts-freefont-ttf``.
PyPI: ``mahjong-learner``, which the extra ``train`` brings, for FluffyStuff's drawings of a Japanese set (CC0); ``riichienv``
(``pip install --no-deps``, as ``make setup-train`` does), whose viewer brings another (CC BY-SA 4.0). The font GL-MahjongTile
(Gutenberg Labo, free for every use) is in PyPI's ``mjx-0.1.0.tar.gz`` as ``mjx/visualizer/GL-MahjongTile.ttf``: laid into
``~/.local/share/fonts/`` it is used too.

xmahjongg's set "real" is a scan of engraved tiles by Mark Sanctuary, in a package under GPL-2+.
"""

from __future__ import annotations

import base64
import gzip
import re
import zlib
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import cv2
import numpy as np

from engine.tiles import CODES, PLAYABLE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

PREFIX = "package:"
_MASTER = 256
"""Height in pixels at which faces are kept."""

_KDE_CODES = (
    *(f"{rank}{suit}" for suit in "msp" for rank in range(1, 10)),
    "1f", "2f", "3f", "4f", "4z", "2z", "1z", "3z", "",
    "5z", "6z", "7z", "5f", "6f", "8f", "7f", "", "",
)  # fmt: skip
_KDE_CELL, _KDE_TOP, _KDE_COLUMNS = (69.0, 89.0), 116.0, 9

_GNOME_CODES = (
    *(f"{rank}p" for rank in range(1, 10)), "4z", "3z", "2z", "1z", "7z", "6z", *(f"{rank}m" for rank in range(1, 10)),
    *(f"{rank}s" for rank in range(1, 10)), "6f", "8f", "5f", "7f", "5z", "1f", "2f", "3f", "4f",
)  # fmt: skip
_GNOME_COLUMNS = 43  # the last one is the empty tile

_UNICODE_CODES = (
    "1z", "2z", "3z", "4z", "7z", "6z", "5z", *(f"{rank}{suit}" for suit in "msp" for rank in range(1, 10)),
    "5f", "6f", "7f", "8f", "1f", "2f", "3f", "4f", "joker",
)  # fmt: skip
_SCAN_CODES = (
    *(f"{rank}{suit}" for suit in "psm" for rank in range(1, 10)), "1f", "2f", "3f", "4f", "4z", "2z", "1z", "3z", "",
    "5f", "6f", "8f", "7f", "6z", "5z", "7z",
)  # fmt: skip
_SCAN_GRID = (9, 5)

_ATLAS_CODES = (*(f"{rank}{suit}" for suit in "mps" for rank in range(10)), *(f"{rank}z" for rank in range(1, 8)))
"""Of the viewer's atlas, ten to a row; rank 0 is a red five."""
_ATLAS_GRID, _ATLAS_LIP = (10, 4), 22

_FLUFFY_NAMES = {
    **{f"{rank}{name[0].lower()}": f"{name}{rank}" for name in ("Man", "Pin", "Sou") for rank in range(1, 10)},
    "1z": "Ton", "2z": "Nan", "3z": "Shaa", "4z": "Pei", "6z": "Hatsu", "7z": "Chun",
}  # fmt: skip

_PAINTS: tuple[Mapping[str, tuple[int, int, int]], ...] = (
    {"ink": (34, 27, 28), "red": (40, 34, 185), "green": (58, 104, 18), "blue": (150, 60, 29)},
    {"ink": (140, 50, 25), "red": (30, 30, 200), "green": (50, 120, 20), "blue": (140, 50, 25)},
    {"ink": (30, 26, 22), "red": (34, 28, 60), "green": (46, 40, 20), "blue": (60, 34, 26)},
)


@dataclass(frozen=True)
class _Source:
    """Where a set lies, which package brings it and what of it is left out (because it shows something else)."""

    name: str
    package: str
    file: str
    kind: str
    without: frozenset[str] = field(default_factory=frozenset)

    def path(self) -> Path | None:
        if self.kind == "font" and find_spec("PIL") is None:
            return None
        if self.kind in {"module", "atlas", "plates"}:
            module, _, inside = self.file.partition("/")
            found_module = find_spec(module)
            places = found_module.submodule_search_locations if found_module is not None else None
            return next((Path(place) / inside for place in places or () if (Path(place) / inside).exists()), None)
        found = (Path(root) / self.file for root in ("/usr/share", "/usr/local/share", Path.home() / ".local/share"))
        return next((path for path in found if path.is_file()), None)


_FLOWERS = frozenset(f"{rank}f" for rank in range(1, 9))
_SOURCES = (
    _Source("kde-default", "kdegames-mahjongg-data-kf5", "kmahjongglib/tilesets/default.svgz", "kde"),
    # Its seasons are a butterfly, a sun, a leaf and a snowflake, its plants carry English names: no set on a table has those.
    _Source(
        "kde-traditional", "kdegames-mahjongg-data-kf5", "kmahjongglib/tilesets/traditional.svgz", "kde",
        _FLOWERS | {"5z"},
    ),
    # The one of bamboos is a single stick in both of gnome's sets, and the second has no white and no real flowers.
    _Source("gnome-smooth", "gnome-mahjongg", "gnome-mahjongg/themes/smooth.png", "strip", frozenset({"1s"})),
    _Source(
        "gnome-postmodern", "gnome-mahjongg", "gnome-mahjongg/themes/postmodern.svg", "strip",
        _FLOWERS | {"1s", "5z"},
    ),
    _Source("symbola", "fonts-symbola", "fonts/truetype/ancient-scripts/Symbola_hint.ttf", "font"),
    _Source("noto", "fonts-noto-core", "fonts/truetype/noto/NotoSansSymbols2-Regular.ttf", "font"),
    # As in kde-traditional.
    _Source(
        "freeserif", "fonts-freefont-ttf", "fonts/truetype/freefont/FreeSerif.ttf", "font", frozenset({"2f", "3f", "4f"})
    ),
    _Source("gutenberg", "", "fonts/GL-MahjongTile.ttf", "font"),
    _Source("scan", "xmahjongg", "games/xmahjongg/tiles/real.gif", "scan"),
    _Source("fluffystuff", "mahjong-learner", "mahjong_learner/tiles_img", "module"),
    _Source("riichienv", "riichienv", "riichienv/visualizer/assets/viewer.js.gz", "atlas"),
)  # fmt: skip
# No training draws from these: what is read of them says how a set of their kind is read that was never seen.
_RESERVED = (
    _Source(
        "nonebot", "nonebot-plugin-mahjong-utils",
        "nonebot_plugin_mahjong_utils/mapper/htmlrender/templates/tiles", "plates",
    ),
)  # fmt: skip
_RADICALS = _Source("gnome-radicals", "gnome-mahjongg", "gnome-mahjongg/themes/edu_kang_xi.png", "strip")
_BAMBOO_RADICAL = 7  # 竹 among the radicals may stand for the plant
_VARIANTS = {
    "symbola": len(_PAINTS), "noto": len(_PAINTS), "freeserif": len(_PAINTS), "gutenberg": len(_PAINTS),
    "fluffystuff": 2, "scan": 2,
}  # fmt: skip


@cache
def installed() -> tuple[str, ...]:
    """The styles that the installed packages bring; empty where there are none."""
    names: list[str] = []
    for source in _SOURCES:
        if source.path() is not None:
            names += [f"{PREFIX}{source.name}/{variant}" for variant in range(_VARIANTS.get(source.name, 1))]
    return tuple(names)


@cache
def reserved() -> tuple[str, ...]:
    """The styles that no training draws from, where their packages are installed."""
    return tuple(f"{PREFIX}{source.name}/0" for source in _RESERVED if source.path() is not None)


def tell(say: Callable[[str], None]) -> None:
    """Say which tile sets were found and which packages would add more."""
    found = sorted({source.name for source in _SOURCES if source.path() is not None})
    missing = [source for source in (*_SOURCES, _RADICALS) if source.path() is None]
    say(f"tile sets of installed packages: {', '.join(found) or 'none'}")
    for command, kinds in (
        ("apt-get install", {"kde", "strip", "font", "scan"}),
        ("pip install", {"module"}),
        ("pip install --no-deps", {"atlas"}),
    ):
        wanted = sorted({source.package for source in missing if source.kind in kinds} - {""})
        if wanted:
            say(f"more would come with: {command} {' '.join(wanted)}")


def raster(code: str, height_px: int, style: str) -> NDArray[np.uint8] | None:
    """The ink of a face as pixels, without a plate.

    Args:
        code: one of the 42 codes.
        height_px: height of the picture; the width is three quarters of it.
        style: one of ``installed()`` or ``reserved()``.

    Returns:
        (height, width, 4) BGR and alpha, not premultiplied; ``None`` where the set has no such face.

    Raises:
        ValueError: a style that is not installed.
    """
    if style not in (*installed(), *reserved()):
        raise ValueError(f"no tile set {style!r} is installed; there are {', '.join(installed()) or 'none'}")
    face = _faces(style).get(code)
    return None if face is None else resize(face, height_px)


@cache
def strangers() -> tuple[NDArray[np.uint8], ...]:
    """Faces of installed sets that are none of the 42: (height, width, 4) BGR and alpha."""
    found: list[NDArray[np.uint8]] = []
    radicals = _RADICALS.path()
    if radicals is not None:
        found += [face for place, face in enumerate(_strip(radicals)) if place != _BAMBOO_RADICAL]
    for style in installed():
        found += [face for code, face in _faces(style).items() if code == "joker" or code[0] == "0"]
    return tuple(found)


@cache
def _faces(style: str) -> Mapping[str, NDArray[np.uint8]]:
    """All faces of a style at the master's size."""
    name, _, variant = style.removeprefix(PREFIX).partition("/")
    source = next(source for source in (*_SOURCES, *_RESERVED) if source.name == name)
    path = source.path()
    if path is None:
        return {}
    if source.kind == "kde":
        faces = _kde(path)
    elif source.kind == "strip":
        faces = dict(zip(_GNOME_CODES, _strip(path), strict=True))
    elif source.kind == "module":
        faces = _pictures(path, dark=variant == "1")
    elif source.kind == "plates":
        faces = _plates(path)
    elif source.kind == "scan":
        faces = _scan(path, blue=variant == "1")
    elif source.kind == "atlas":
        faces = _atlas(path)
    else:
        faces = _font(path, _PAINTS[int(variant)])
    return {code: face for code, face in faces.items() if code not in source.without}


def _picture(path: Path, how: int = cv2.IMREAD_COLOR) -> NDArray[np.uint8]:
    """A picture file as OpenCV reads it."""
    read = cv2.imread(str(path), how)
    if read is None:
        raise RuntimeError(f"{path} cannot be read as a picture")
    return np.asarray(read, np.uint8)


def _svg(text: str, width: int) -> NDArray[np.uint8]:
    """An SVG document as (height, width, 4) BGR and alpha."""
    import resvg_py  # noqa: PLC0415 - a native library that only drawing needs

    data = resvg_py.svg_to_bytes(svg_string=text, width=width, skip_system_fonts=True)
    picture = cv2.imdecode(np.frombuffer(bytes(data), np.uint8), cv2.IMREAD_UNCHANGED)
    if picture is None or picture.ndim != 3 or picture.shape[2] != 4:
        raise RuntimeError("resvg gave no RGBA picture")
    return np.asarray(picture, np.uint8)


def resize(face: NDArray[np.uint8], height: int) -> NDArray[np.uint8]:
    """A face at another size; colours of transparent pixels do not bleed into the ink."""
    size = (max(1, round(height * 0.75)), height)
    solid = face[..., 3:].astype(np.float32) / 255
    paint = np.dstack([face[..., :3] * solid, solid * 255])
    small = cv2.resize(paint, size, interpolation=cv2.INTER_AREA if height < face.shape[0] else cv2.INTER_LINEAR)
    colour = small[..., :3] / np.maximum(small[..., 3:] / 255, 1e-3)
    return np.asarray(np.clip(np.dstack([colour, small[..., 3:]]), 0, 255), np.uint8)


def _framed(part: NDArray[np.uint8], fill: float = 0.94) -> NDArray[np.uint8]:
    """A cut-out on a transparent face of three to four, as large as ``fill`` of it allows."""
    high, wide = _MASTER, _MASTER * 3 // 4
    scale = fill * min(high / part.shape[0], wide / part.shape[1])
    small = _to_size(part, (round(part.shape[1] * scale), round(part.shape[0] * scale)))
    face = np.zeros((high, wide, 4), np.uint8)
    top, left = (high - small.shape[0]) // 2, (wide - small.shape[1]) // 2
    face[top : top + small.shape[0], left : left + small.shape[1]] = small
    return face


def _to_size(part: NDArray[np.uint8], size: tuple[int, int]) -> NDArray[np.uint8]:
    shrinks = size[0] < part.shape[1]
    return np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR), np.uint8)


def _kde(path: Path) -> dict[str, NDArray[np.uint8]]:
    """The faces of a KDE set whose cells lie as in its default set."""
    root = ET.fromstring(gzip.decompress(path.read_bytes()))  # noqa: S314 - a file of the operating system
    for parent in root.iter():
        for child in [c for c in parent if str(c.get("id", "")).startswith("TILE_")]:
            parent.remove(child)  # the empty tiles with their blurred shadows take seconds to draw
    scale = 2.0
    sheet = _svg(ET.tostring(root, encoding="unicode"), round(768 * scale))
    wide, high = _KDE_CELL
    faces = {}
    for place, code in enumerate(_KDE_CODES):
        if not code:
            continue
        row, column = divmod(place, _KDE_COLUMNS)
        # Two units inside the cell: its border is drawn as a faint line.
        left, top = (round((column * wide + 2) * scale), round((_KDE_TOP + row * high + 2) * scale))
        cell = sheet[top : top + round((high - 4) * scale), left : left + round((wide - 4) * scale)]
        faces[code] = _framed(np.ascontiguousarray(cell))
    return faces


def _strip(path: Path) -> list[NDArray[np.uint8]]:
    """The 42 faces of one of gnome's strips, told from its empty tile."""
    if path.suffix == ".svg":
        sheet = _svg(path.read_text(encoding="utf-8"), _GNOME_COLUMNS * 128)
    else:
        sheet = _picture(path, cv2.IMREAD_UNCHANGED)
    wide, high = sheet.shape[1] / _GNOME_COLUMNS, sheet.shape[0] // 2
    tiles = []
    for column in range(_GNOME_COLUMNS):
        left = round(column * wide)
        inside = sheet[round(high * 0.04) : round(high * 0.88), left + round(wide * 0.13) : left + round(wide * 0.97)]
        tiles.append(inside[..., :3].astype(np.float32))
    plain = tiles.pop()
    narrow = min(tile.shape[1] for tile in (*tiles, plain))
    faces = []
    for tile in tiles:
        face, ground = tile[:, :narrow], np.median(tile[:, :narrow].reshape(-1, 3), axis=0)
        ground = plain[:, :narrow] if np.abs(ground - np.median(plain.reshape(-1, 3), axis=0)).max() < 12 else ground
        apart = np.abs(face - ground).max(2)
        alpha = np.clip((apart - 14) / 70, 0, 1)
        alpha[_rim(alpha.shape)] = 0
        ink = ground + (face - ground) / np.maximum(alpha, 0.3)[..., None]
        faces.append(_framed(np.dstack([np.clip(ink, 0, 255), alpha * 255]).astype(np.uint8)))
    return faces


def _pictures(folder: Path, *, dark: bool) -> dict[str, NDArray[np.uint8]]:
    """FluffyStuff's faces, one file each; ``dark``: with black ink for blue, as many sets have their winds."""
    faces = {}
    for code, name in _FLUFFY_NAMES.items():
        picture = cv2.imread(str(folder / f"{name}.png"), cv2.IMREAD_UNCHANGED)
        if picture is None or picture.ndim != 3 or picture.shape[2] != 4:
            raise RuntimeError(f"{folder / name}.png cannot be read as a picture with transparency")
        face = np.asarray(picture, np.uint8).copy()
        if dark:
            blue, green, red = (face[..., channel].astype(np.int16) for channel in range(3))
            inked = (blue > red + 40) & (blue > green + 40)
            face[inked, :3] = (face[inked, :3] * 0.25).astype(np.uint8)
        faces[code] = _to_size(face, (_MASTER * 3 // 4, _MASTER))
    return faces


def _plates(folder: Path) -> dict[str, NDArray[np.uint8]]:
    """Tiles on white plates, one file each, named by their codes; the white dragon has no ink."""
    faces = {}
    for code in CODES[:PLAYABLE]:
        faces[code] = _framed(_lifted(_picture(folder / f"{code}.png"), faint=20), 1.0)
    return faces


def _scan(path: Path, *, blue: bool) -> dict[str, NDArray[np.uint8]]:
    """The engraved tiles of xmahjongg's scan, their ink lifted off; ``blue``: where it is black."""
    read = _picture(path)
    columns, rows = _SCAN_GRID
    wide, high = read.shape[1] / columns, read.shape[0] / rows
    faces = {}
    for place, code in enumerate(_SCAN_CODES):
        row, column = divmod(place, columns)
        cell = read[
            round(row * high) + 4 : round((row + 1) * high) - 4,
            round(column * wide) + 3 : round((column + 1) * wide) - 3,
        ]
        if code:
            face = _lifted(cell, faint=28)
            if blue:
                dark = face[..., :3].max(2) < 110
                face[dark, 0] = np.minimum(face[dark, 0].astype(np.int16) + 90, 255).astype(np.uint8)
            faces[code] = _framed(face, 1.0)
    return faces


def _atlas(path: Path) -> dict[str, NDArray[np.uint8]]:
    """The tiles in the viewer of riichienv: of its two atlases the second, which has no corner letters."""
    try:
        script = gzip.decompress(path.read_bytes()).decode("utf-8")
        found = re.findall(r'"data:image/png;base64,([A-Za-z0-9+/=]{20000,})"', script)
        read = cv2.imdecode(np.frombuffer(base64.b64decode(found[1]), np.uint8), cv2.IMREAD_COLOR)
    except (OSError, EOFError, ValueError, IndexError, zlib.error):
        read = None
    if read is None:
        raise RuntimeError(
            f"{path} holds no tiles as riichienv 0.4.11 does; uninstall riichienv or install that version"
        )
    columns, rows = _ATLAS_GRID
    wide, high = read.shape[1] // columns, read.shape[0] // rows
    faces = {}
    for place, code in enumerate(_ATLAS_CODES):
        row, column = divmod(place, columns)
        cell = read[row * high + _ATLAS_LIP : (row + 1) * high - 4, column * wide + 4 : (column + 1) * wide - 4]
        faces[code] = _framed(_lifted(np.asarray(cell, np.uint8), faint=20), 1.0)
    return faces


def _lifted(cell: NDArray[np.uint8], faint: float) -> NDArray[np.uint8]:
    """The ink of a tile on its pale plate (H, W, 3) as BGR and alpha; what differs less than ``faint`` is plate."""
    face = cell.astype(np.float32)
    bright = face.sum(2)
    ground = np.median(face[bright >= np.median(bright)], axis=0)
    apart = np.maximum((ground - face).max(2), 0)  # darker in some colour: ink; brighter: gloss
    alpha = np.clip((apart - faint) / 60, 0, 1)
    alpha[_rim(alpha.shape)] = 0
    ink = ground + (face - ground) / np.maximum(alpha, 0.35)[..., None]
    return np.dstack([np.clip(ink, 0, 255), alpha * 255]).astype(np.uint8)


def _rim(shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """The outermost pixels, where the tile's own bevel is drawn."""
    mask = np.ones(shape, np.bool_)
    edge = max(2, round(shape[0] * 0.03))
    mask[edge:-edge, edge:-edge] = False
    return mask


def _font(path: Path, paints: Mapping[str, tuple[int, int, int]]) -> dict[str, NDArray[np.uint8]]:
    """The mahjong characters U+1F000 … U+1F02A of a font, coloured as sets are."""
    # Pillow comes with the extra `train`; resvg would read the whole font again for each of the characters.
    drawing: Any = import_module("PIL.ImageDraw")
    pictures: Any = import_module("PIL.Image")
    font = import_module("PIL.ImageFont").truetype(str(path), 400)
    faces = {}
    for place, code in enumerate(_UNICODE_CODES):
        picture = pictures.new("L", (700, 700))
        drawing.Draw(picture).text((350, 350), chr(0x1F000 + place), font=font, fill=255, anchor="mm")
        ink = np.asarray(picture, np.uint8)
        rows, columns = np.flatnonzero(ink.any(1)), np.flatnonzero(ink.any(0))
        if not len(rows):
            continue
        # The outermost line is the tile's own edge.
        inset = round(0.055 * (rows[-1] - rows[0]))
        part = ink[rows[0] + inset : rows[-1] - inset, columns[0] + inset : columns[-1] - inset]
        faces[code] = _framed(_colour(part, code, paints), 0.9)
    return faces


def _colour(ink: NDArray[np.uint8], code: str, paints: Mapping[str, tuple[int, int, int]]) -> NDArray[np.uint8]:
    """Paint line art: 萬 red under a dark figure, 中 red, 發 green, dots and sticks in groups of rows, flowers' pictures green."""
    high = len(ink)
    rows = np.empty((high, 1, 3), np.uint8)
    rows[:] = paints["ink"]
    suit = code[-1]
    if suit == "m":
        rows[high // 2 :] = paints["red"]
    elif suit == "p":
        rows[:] = paints["blue"]
        if code in {"3p", "5p", "7p", "9p"}:
            rows[high * 3 // 8 : high * 5 // 8] = paints["red"]
            rows[: high * 3 // 8] = paints["green"]
    elif suit in "sf":
        rows[:] = paints["green"]
        if suit == "f":
            rows[: high * 3 // 8] = paints["red" if int(code[0]) <= 4 else "blue"]
    elif code in {"6z", "7z", "5z"}:
        rows[:] = paints[{"6z": "green", "7z": "red", "5z": "blue"}[code]]
    elif code == "joker":
        rows[:] = paints["red"]
    return np.dstack([np.broadcast_to(rows, (*ink.shape, 3)), ink])
