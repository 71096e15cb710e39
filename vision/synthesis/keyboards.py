"""Keyboards, calculators and remote controls: their keys are as large and as regular as tiles in rows, and lie on many a table."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
import numpy.typing as npt

from vision.synthesis import lettering
from vision.synthesis.scripts import print_fonts

if TYPE_CHECKING:
    from pathlib import Path

Image = npt.NDArray[np.uint8]
Box = tuple[float, float, float, float]

PITCH = 48
"""Pixels from one key to the next."""
PITCH_MM = (15.0, 19.5)
"""The same on real ones, between which chance decides, mm."""

_FINE = 2  # drawn larger by this factor, then shrunk
_LONG = 2.0
"""Keys wider than this many others (space, shift) are no lesson: nobody takes them for a tile."""

_Row = list[tuple[str, float]]
_F_ROW: _Row = [("Esc", 1.0), *((f"F{number}", 1.0) for number in range(1, 13)), ("Del", 1.0), ("", 1.0)]
_ROWS: list[_Row] = [
    [(f"{upper}\n{lower}", 1.0) for upper, lower in zip("~!@#$%^&*()_+", "`1234567890-=", strict=True)] + [("Backspace", 2.0)],
    [("Tab", 1.5), *((letter, 1.0) for letter in "QWERTYUIOP"), ("{\n[", 1.0), ("}\n]", 1.0), ("|\n\\", 1.5)],
    [("Caps", 1.75), *((letter, 1.0) for letter in "ASDFGHJKL"), (":\n;", 1.0), ("\"\n'", 1.0), ("Enter", 2.25)],
    [("Shift", 2.25), *((letter, 1.0) for letter in "ZXCVBNM"), ("<\n,", 1.0), (">\n.", 1.0), ("?\n/", 1.0), ("Shift", 1.75), ("^", 1.0)],
    [("Ctrl", 1.25), ("Win", 1.25), ("Alt", 1.25), ("", 6.25), ("Alt", 1.0), ("Fn", 1.0), ("<", 1.0), ("v", 1.0), (">", 1.0)],
]  # fmt: skip
_PAD: list[str] = ["Num/*-", "789+", "456+", "123=", "00.="]
_CANGJIE = dict(zip("QWERTYUIOPASDFGHJKLZXCVBNM", "手田水口廿卜山戈人心日尸木火土竹十大中重難金女月弓一", strict=True))
_CALCULATOR = "789/%456x>123-C0.=+MMC AC<GTON"
_REMOTE = "123456789*0#+-<>PCHVOLOKMUTE"


@dataclass(frozen=True)
class _Make:
    """How all keys of one are made.

    Attributes:
        form: "sculpted" (a smaller top on a skirt), "flat" or "oval".
        plain, other: paint of letters and of the keys round them, BGR; accents: of single ones.
        gap: between keys, and round their corners, as a part of the pitch.
        corner: as a part of the pitch.
        font: of the signs; ``None``: the plain strokes of OpenCV.
        size: of the signs, as a part of the pitch.
        place: middle of the sign as a part of the key's top.
        bright: whether there is a glossy edge above.
        small: a second, smaller sign: "", "cangjie" or "icon".
        tint: of the second sign.
    """

    form: str
    plain: lettering.Paint
    other: lettering.Paint
    accents: tuple[lettering.Paint, ...]
    gap: float
    corner: float
    font: "Path | None"
    size: float
    place: tuple[float, float]
    bright: bool
    small: str
    tint: lettering.Paint


def keys(rng: np.random.Generator) -> tuple[Image, list[Box]]:
    """A keyboard or a part of one, a calculator or a remote control, seen straight from above.

    Args:
        rng: source of chance.

    Returns:
        (H, W, 4) BGR and alpha, ``PITCH`` pixels from key to key, and left, top, right, bottom of each key that is not much
        wider than a tile.
    """
    kind = rng.choice(["keyboard", "calculator", "remote"], p=[0.65, 0.2, 0.15])
    make = _make(rng, str(kind))
    if kind == "keyboard":
        rows = _keyboard(rng)
    else:
        signs = _CALCULATOR if kind == "calculator" else _REMOTE
        columns = int(rng.integers(4, 7)) if kind == "calculator" else int(rng.integers(3, 5))
        start = int(rng.integers(len(signs)))
        count = int(rng.integers(4, 7)) if kind == "calculator" else int(rng.integers(4, 9))
        rows = [
            [(signs[(start + row * columns + column) % len(signs)], 1.0) for column in range(columns)]
            for row in range(count)
        ]
    head = float(rng.uniform(0.9, 2.0)) if kind != "keyboard" else 0.0  # a display, or the name of the maker
    return _draw(rng, make, rows, head)


def _grey(rng: np.random.Generator, low: int, high: int) -> lettering.Paint:
    """Nearly a grey, a little warm or cold."""
    level, warm = int(rng.integers(low, high)), int(rng.integers(-8, 14))
    blue, green, red = (int(np.clip(level + part, 0, 255)) for part in (-warm, 0, warm // 3))
    return blue, green, red


def _vivid(rng: np.random.Generator) -> lettering.Paint:
    """A paint of accents."""
    hue = np.array([[[rng.integers(180), rng.integers(120, 240), rng.integers(120, 245)]]], np.uint8)
    blue, green, red = (int(part) for part in cv2.cvtColor(hue, cv2.COLOR_HSV2BGR)[0, 0])
    return blue, green, red


def _make(rng: np.random.Generator, kind: str) -> _Make:
    """Of a keyboard, a calculator or a remote control, by chance."""
    light = rng.random() < 0.6
    plain = _grey(rng, 205, 256) if light else _grey(rng, 22, 90)
    chance = rng.random()
    other = plain if chance < 0.4 else _grey(rng, 40, 130) if chance < 0.8 else _vivid(rng)
    fonts = print_fonts() if lettering.available() else ()
    form = "oval" if kind == "remote" and rng.random() < 0.6 else str(rng.choice(["sculpted", "flat"], p=[0.65, 0.35]))
    places = [(0.5, 0.5), (0.5, 0.42), (0.3, 0.32), (0.28, 0.5)]
    small = str(rng.choice(["", "icon", "cangjie"], p=[0.6, 0.25, 0.15])) if kind == "keyboard" else ""
    return _Make(
        form=form,
        plain=plain,
        other=other,
        accents=tuple(_vivid(rng) for _ in range(int(rng.integers(0, 3)))),
        gap=float(rng.uniform(0.03, 0.1) if form == "sculpted" else rng.uniform(0.06, 0.22)),
        corner=float(rng.uniform(0.06, 0.22)),
        font=fonts[int(rng.integers(len(fonts)))] if fonts and rng.random() < 0.8 else None,
        size=float(rng.uniform(0.26, 0.5)),
        place=places[int(rng.integers(len(places)))],
        bright=bool(rng.random() < 0.5),
        small=small,
        tint=_vivid(rng),
    )


def _keyboard(rng: np.random.Generator) -> list[_Row]:
    """The rows of a keyboard; with function keys, with a pad of figures, cut down to a part, by chance."""
    rows = [list(row) for row in _ROWS]
    if rng.random() < 0.35:
        for row, signs in zip(rows, _PAD, strict=True):
            row += [(sign, 1.0) for sign in signs]
    if rng.random() < 0.4:
        rows.insert(0, list(_F_ROW))
    if rng.random() < 0.3:
        first = int(rng.integers(0, len(rows) - 2))
        rows = rows[first : first + int(rng.integers(3, 6))]
    if rng.random() < 0.3:
        rows = [row[int(rng.integers(0, 3)) :][: int(rng.integers(6, 11))] for row in rows]
    return rows


def _draw(rng: np.random.Generator, make: _Make, rows: list[_Row], head: float) -> tuple[Image, list[Box]]:
    """All rows on their body, with room of ``head`` keys above them."""
    edge = float(rng.uniform(0.12, 0.5))
    wide = max(sum(width for _, width in row) for row in rows)
    size = (round((wide + 2 * edge) * PITCH), round((len(rows) + head + 2 * edge) * PITCH))
    picture = np.zeros((size[1] * _FINE, size[0] * _FINE, 4), np.uint8)
    body = _grey(rng, 15, 80) if rng.random() < 0.6 else _grey(rng, 120, 235)
    if rng.random() < 0.1:
        body = _vivid(rng)
    unit = PITCH * _FINE
    _rounded(picture, (0, 0, picture.shape[1], picture.shape[0]), unit * 0.25, body)
    if head > 0.9 and rng.random() < 0.7:  # the display
        _rounded(picture, (edge * unit, edge * unit, (wide + edge) * unit, (edge + head - 0.2) * unit), 4,
                 (150, 165, 150) if rng.random() < 0.6 else (35, 40, 38))  # fmt: skip
    boxes: list[Box] = []
    for number, row in enumerate(rows):
        x, y = edge, edge + head + number
        for text, width in row:
            # Letters in the middle of the board are of one paint, the keys round them often of another.
            paint = make.plain if width == 1 and len(text) < 4 else make.other
            if make.accents and (text in {"", "Esc", "Enter"} or rng.random() < 0.03):
                paint = make.accents[int(rng.integers(len(make.accents)))]
            box = ((x + make.gap / 2) * unit, (y + make.gap / 2) * unit,
                   (x + width - make.gap / 2) * unit, (y + 1 - make.gap / 2) * unit)  # fmt: skip
            _key(picture, box, text, paint, make, rng)
            if width <= _LONG:
                boxes.append((box[0] / _FINE, box[1] / _FINE, box[2] / _FINE, box[3] / _FINE))
            x += width
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8), boxes


def _rounded(picture: Image, box: Box, radius: float, paint: lettering.Paint) -> None:
    """A filled rectangle with round corners, in place."""
    left, top, right, bottom = box
    radius = min(radius, (right - left) / 2, (bottom - top) / 2)
    corners = ((right - radius, bottom - radius, 0), (left + radius, bottom - radius, 90),
               (left + radius, top + radius, 180), (right - radius, top + radius, 270))  # fmt: skip
    turns = np.radians(np.linspace(0, 90, 6))
    points = [
        (x + radius * np.cos(turn + np.radians(start)), y + radius * np.sin(turn + np.radians(start)))
        for x, y, start in corners
        for turn in turns
    ]
    cv2.fillPoly(picture, [np.round(np.array(points) * 16).astype(np.int32)], (*paint, 255), cv2.LINE_AA, 4)


def _key(picture: Image, box: Box, text: str, paint: lettering.Paint, make: _Make, rng: np.random.Generator) -> None:
    """One key with its sign, in place."""
    left, top, right, bottom = box
    unit = PITCH * _FINE
    if make.form == "oval":
        _rounded(picture, box, unit, lettering.shaded(paint, 0.7))
        _rounded(picture, (left + 3, top + 2, right - 3, bottom - 5), unit, paint)
    elif make.form == "flat":
        _rounded(picture, box, make.corner * unit, lettering.shaded(paint, 0.75))
        _rounded(picture, (left + 1.5, top + 1.5, right - 1.5, bottom - 3), make.corner * unit, paint)
    else:
        _rounded(picture, box, make.corner * unit * 0.7, lettering.shaded(paint, 0.72))
        _rounded(
            picture, (left + 3, top + 3, right - 3, bottom - 2), make.corner * unit * 0.7, lettering.shaded(paint, 0.86)
        )
        left, top, right, bottom = left + 0.13 * unit, top + 0.06 * unit, right - 0.13 * unit, bottom - 0.2 * unit
        _rounded(
            picture,
            (left, top, right, bottom),
            make.corner * unit,
            lettering.shaded(paint, 1.06 if make.bright else 1.0),
        )
        _rounded(picture, (left + 2, top + 5, right - 2, bottom - 2), make.corner * unit, paint)
    if not text:
        return
    ink = (35, 32, 30) if sum(paint) > 380 else (235, 235, 235)
    word = len(text) > 1 and "\n" not in text
    lines = text.split("\n")
    if make.size > 0.36 and len(lines) > 1:  # large signs leave room for one only
        lines = lines[1:]
    high = make.size * unit * (0.5 if word else 0.8 if len(lines) > 1 else 1.0)
    x, y = left + make.place[0] * (right - left), top + make.place[1] * (bottom - top)
    if len(lines) > 1:
        y -= high * 0.1
    for number, line in enumerate(lines):
        spot = (x, y + (number - (len(lines) - 1) / 2) * high * 1.15)
        _sign(picture, line.upper() if word and make.bright else line, spot, high, ink, make.font, right - left)
    if make.small == "cangjie" and text in _CANGJIE and make.font and lettering.has(make.font, _CANGJIE[text]):
        _sign(
            picture, _CANGJIE[text], (right - 0.22 * unit, bottom - 0.2 * unit), 0.3 * unit, make.tint, make.font, unit
        )
    elif make.small == "icon" and rng.random() < 0.5 and not word:
        middle = (round(right - 0.18 * unit), round(bottom - 0.18 * unit))
        cv2.circle(picture, middle, round(0.06 * unit), (*make.tint, 255), 2, cv2.LINE_AA)


def _sign(
    picture: Image,
    text: str,
    middle: tuple[float, float],
    high: float,
    ink: lettering.Paint,
    font: "Path | None",
    room: float,
) -> None:
    """A word round a place, ``high`` pixels, not wider than ``room``, in place."""
    if font is None:
        scale = high / 30
        (wide, tall), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, scale, 1)
        scale *= min(1.0, 0.85 * room / max(wide, 1))
        (wide, tall), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, scale, 1)
        spot = (round(middle[0] - wide / 2), round(middle[1] + tall / 2))
        cv2.putText(picture, text, spot, cv2.FONT_HERSHEY_DUPLEX, scale, (*ink, 255), max(1, round(high / 14)), cv2.LINE_AA)  # fmt: skip
        return
    cover = lettering.cover(text, font, max(8, round(high)))
    if cover.shape[1] > 0.85 * room:
        size = (max(1, round(0.85 * room)), max(1, round(cover.shape[0] * 0.85 * room / cover.shape[1])))
        cover = np.asarray(cv2.resize(cover, size, interpolation=cv2.INTER_AREA), np.uint8)
    tall, wide = cover.shape
    x, y = max(0, round(middle[0] - wide / 2)), max(0, round(middle[1] - tall / 2))
    part = picture[y : y + tall, x : x + wide]
    lettering.lay(part, cover[: part.shape[0], : part.shape[1]], ink)
