"""The art styles of the drawn tiles: named ones, and any number of mixed ones.

>>> style("classic").bird, style("mix:3") == style("mix:3"), style("mix:3") == style("mix:4")
('peacock', True, False)
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from vision.synthesis.drawing import Turning, glyphs
from vision.synthesis.scripts import brush, installed

MIX = "mix:"
"""A style of this beginning and a number is put together by chance from that number."""

FULL_COLOUR = {
    "ink": "#1c1b22", "blue": "#1d3c8a", "green": "#12683a", "red": "#b3202c", "pink": "#e07a8b", "gold": "#d99a1f",
    "amber": "#d8701e", "violet": "#7a4a9c", "brown": "#6b4429", "face": "#fbf7ea",
}  # fmt: skip
# Cut and filled with three paints only, as machine-made sets are.
THREE_PAINTS = FULL_COLOUR | {
    "blue": "#2233a8", "green": "#0d6a35", "red": "#cf2418", "pink": "#cf2418", "gold": "#cf2418", "amber": "#0d6a35",
    "violet": "#cf2418", "brown": "#0d6a35",
}  # fmt: skip
DARK_PAINTS = THREE_PAINTS | {
    "ink": "#15161a", "blue": "#191d33", "green": "#14382c", "red": "#8d1b1f", "pink": "#8d1b1f", "gold": "#8d1b1f",
    "amber": "#14382c", "violet": "#8d1b1f", "brown": "#14382c",
}  # fmt: skip
BRIGHT_PAINTS = FULL_COLOUR | {
    "ink": "#101014", "blue": "#0a63c9", "green": "#129a43", "red": "#e22b2b", "pink": "#f06a9b", "gold": "#f0b000",
    "amber": "#f08a1d", "violet": "#8a4fd0", "brown": "#8a5a30",
}  # fmt: skip


@dataclass(frozen=True)
class Style:
    """One art variant of a whole set.

    Attributes:
        palette: colours by name; ``face`` is the colour of the plate.
        script: hand of the characters, a key of ``glyphs.json``.
        weight: how much heavier than the font's the strokes are, in units of the 300-unit face.
        number_ink, myriad_ink, wind_ink, green_ink, red_ink: paint of 一…九, 萬, the winds, 發 and 中.
        five: 五 or 伍; myriad: 萬 or 万; fortune: 發 or 发; east: 東 or 东; orchid: 蘭 or 兰.
        dragons: pictures of dragons for 發 and 中.
        white: frame, double, single, chain, corners, letter, blank or inscribed.
        dots: kind of circle; great: kind of the one of dots, as ``dots`` if empty; sticks: kind of stick; bird: which bird, or
            "cut": one of few lines, by chance from ``sprigs``.
        turning: how the sticks are turned, instead of ``sticks``.
        stick_fit, dot_fit: width and length of the sticks, and size of the dots, 1 as drawn; their pattern's width and height.
        number_fit, myriad_fit: width and height of 一…九 and of 萬, and how far each stands lower than drawn, in units.
        great_scale, bird_scale, white_scale: their sizes, 1 as drawn.
        bird_left: the bird looks the other way.
        dot_paints, stick_paints: paints of the first, second and third group of a pattern.
        eight: the slanting sticks of 8s form W above M, as on most sets, or M above W.
        slant: 3p and 7p fall to the right, as on most sets, or (False) to the left.
        corners: arabic numerals and letters in the corner: "left", "right" or none; their paint (of the suit if empty) and size.
        flowers: full (character, digit, picture), digits (digit and picture: blue 1–4 the plants, red 一–四 the seasons),
            plain (character and digit only), outlined (contours only), engraved (as digits, with plants of few cut
            lines), named (as engraved, with the character), both (character and digit).
        figures: paints of the figures of plants and seasons; swapped: those of plants at the right, of seasons at the left.
        sprigs: number from which the engraved plants are drawn.
    """

    palette: Mapping[str, str] = field(default_factory=lambda: FULL_COLOUR)
    script: str = "kai"
    weight: float = 9.0
    number_ink: str = "ink"
    myriad_ink: str = "red"
    wind_ink: str = "ink"
    green_ink: str = "green"
    red_ink: str = "red"
    five: str = "五"
    myriad: str = "萬"
    fortune: str = "發"
    east: str = "東"
    orchid: str = "蘭"
    dragons: bool = False
    white: str = "frame"
    dots: str = "ornate"
    sticks: str = "bamboo"
    bird: str = "peacock"
    dot_paints: tuple[str, str, str] = ("green", "blue", "red")
    stick_paints: tuple[str, str, str] = ("green", "blue", "red")
    eight: str = "WM"
    corners: str = ""
    corner_ink: str = ""
    corner_size: float = 1.0
    flowers: str = "full"
    great: str = ""
    great_scale: float = 1.0
    bird_scale: float = 1.0
    white_scale: float = 1.0
    bird_left: bool = False
    slant: bool = True
    figures: tuple[str, str] = ("blue", "red")
    swapped: bool = False
    sprigs: int = 0
    turning: Turning | None = None
    stick_fit: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)
    dot_fit: tuple[float, float, float] = (1.0, 1.0, 1.0)
    number_fit: tuple[float, float, float] = (1.0, 1.0, 0.0)
    myriad_fit: tuple[float, float, float] = (1.0, 1.0, 0.0)


_STYLES: dict[str, Style] = {
    "classic": Style(),
    "parlour": Style(
        palette=THREE_PAINTS,
        number_ink="blue",
        wind_ink="blue",
        five="伍",
        white="double",
        bird="phoenix",
        dots="wheel",
        flowers="digits",
        weight=7.0,
    ),
    "ivory": Style(
        palette=DARK_PAINTS,
        script="wenkai",
        weight=4.0,
        five="伍",
        white="blank",
        dots="coin",
        sticks="slit",
        bird="sparrow",
        dot_paints=("ink", "ink", "red"),
        stick_paints=("ink", "ink", "ink"),
        flowers="outlined",
    ),
    "export": Style(
        palette=BRIGHT_PAINTS,
        script="song",
        weight=5.0,
        number_ink="blue",
        wind_ink="ink",
        white="corners",
        dots="rings",
        sticks="bone",
        bird="phoenix",
        eight="MW",
        corners="left",
        flowers="full",
    ),
    "modern": Style(
        palette=BRIGHT_PAINTS,
        script="hei",
        weight=0.0,
        myriad="万",
        fortune="发",
        east="东",
        white="inscribed",
        dots="plain",
        sticks="bar",
        bird="sparrow",
        flowers="plain",
    ),
    "travel": Style(
        palette=THREE_PAINTS,
        script="marker",
        weight=4.0,
        number_ink="ink",
        five="伍",
        white="frame",
        dots="rings",
        sticks="bar",
        bird="peacock",
        flowers="outlined",
        dot_paints=("blue", "blue", "red"),
        corners="left",
    ),
    "mono": Style(
        palette=DARK_PAINTS,
        script="kai",
        weight=6.0,
        number_ink="ink",
        white="double",
        dots="rings",
        sticks="bone",
        bird="phoenix",
        flowers="digits",
        five="伍",
        dot_paints=("green", "ink", "red"),
    ),
}
STYLES: tuple[str, ...] = tuple(_STYLES)


def style(name: str) -> Style:
    """The style of a name: one of ``STYLES``, or ``mix:`` and a number.

    Raises:
        ValueError: no such style.
    """
    if name in _STYLES:
        return _STYLES[name]
    number = name.removeprefix(MIX)
    if number == name or not number.isdecimal():
        raise ValueError(f"no art style {name!r}; there are {', '.join(STYLES)} and {MIX}NUMBER")
    return _mixed(int(number))


@lru_cache(maxsize=64)
def _mixed(number: int) -> Style:
    """A set nobody drew: the parts of sets put together as makers do, the usual more often than the odd."""
    rng = np.random.default_rng([number, 42])

    def one(*choices: str, usual: float = 0.0) -> str:
        """One of the choices; the first with an extra chance."""
        return choices[0] if rng.random() < usual else choices[int(rng.integers(len(choices)))]

    def spread(low: float, high: float) -> float:
        """As drawn in two sets of five, else anything between."""
        return float(rng.uniform(low, high)) if rng.random() < 0.6 else (0.0 if low < 0 else 1.0)

    palette = dict((FULL_COLOUR, THREE_PAINTS, DARK_PAINTS, BRIGHT_PAINTS)[int(rng.integers(4))])
    for colour in ("ink", "blue", "green", "red"):
        palette[colour] = _near(palette[colour], rng)
    single = rng.random() < 0.08  # one paint for all, but for the red of 中 and 萬
    if single:
        dark = palette[one("ink", "blue", "green")]
        palette |= dict.fromkeys(("ink", "blue", "green", "amber", "brown", "violet"), dark)
    scripts = (*glyphs(), *installed())
    script = one("kai", *(filter(brush, scripts) if rng.random() < 0.5 else scripts), usual=0.08)
    # A brush hand is heavy by itself; bones of thin print are cut wider than they are printed.
    weight = float(rng.uniform(0, 11))
    paints = [("green", "blue", "red"), ("blue", "green", "red"), ("green", "ink", "red"), ("blue", "blue", "red"),
              ("ink", "ink", "red"), ("green", "green", "red"), ("ink", "ink", "ink")]  # fmt: skip
    likely = [0.34, 0.18, 0.14, 0.12, 0.1, 0.08, 0.04]
    dots, sticks = (paints[int(rng.choice(len(paints), p=likely))] for _ in range(2))
    if rng.random() < 0.6:
        sticks = paints[int(rng.choice([0, 2, 5]))]
    simple = rng.random() < 0.15
    number_ink = one("ink", "blue", "green", usual=0.4)
    return Style(
        palette=palette,
        script=script,
        weight=weight,
        number_ink=number_ink,
        myriad_ink=one("red", number_ink, usual=0.8),
        wind_ink=one("ink", "blue", "green", usual=0.3),
        green_ink=one("green", "ink", usual=0.9),
        red_ink=one("red", "ink", usual=0.95),
        five=one("伍", "五"),
        myriad="万" if simple or rng.random() < 0.05 else "萬",
        fortune="发" if simple else "發",
        east="东" if simple else "東",
        orchid="兰" if simple or rng.random() < 0.2 else "蘭",
        dragons=bool(rng.random() < 0.05),
        white=one("frame", "double", "single", "chain", "corners", "letter", "blank", "inscribed", "blank", "double"),
        dots=one(
            "ornate", "rings", "wheel", "coin", "plain", "target", "eye", "quartered", "crossed", "whirl", "bloom"
        ),
        great=one("ornate", "rings", "wheel", "coin", "beads", "rosette", "target"),
        great_scale=float(rng.uniform(0.55, 1.08)),
        sticks=one("bamboo", "bone", "bar", "slit", "peanut", "cane"),
        bird=one("cut", "peacock", "phoenix", "sparrow", "parrot", "fan", "crane", usual=0.5),
        bird_scale=float(rng.uniform(0.62, 1.0)),
        bird_left=bool(rng.random() < 0.3),
        white_scale=float(rng.uniform(0.72, 1.0)),
        dot_paints=dots,
        stick_paints=sticks,
        eight=one("WM", "MW", usual=0.6),
        slant=bool(rng.random() < 0.85),
        corners=one("", "left", "right", usual=0.5),
        corner_ink=one("", "red", "ink", "blue", usual=0.4),
        corner_size=float(rng.uniform(0.75, 1.75)),
        flowers=one("engraved", "full", "digits", "plain", "outlined", "named", "both", "both", usual=0.3),
        figures=(("blue", "red"), ("red", "ink"), ("blue", "blue"), ("red", "blue"), ("green", "red"), ("ink", "ink"))[
            int(rng.choice(6, p=[0.6, 0.1, 0.1, 0.08, 0.07, 0.05]))
        ],
        swapped=bool(rng.random() < 0.1),
        sprigs=number,
        turning=_turning(rng) if rng.random() < 0.55 else None,
        stick_fit=(
            spread(0.7, 1.2),
            # On some sets the rows of 6s, 7s and 9s touch.
            float(rng.uniform(1.12, 1.2)) if rng.random() < 0.15 else spread(0.82, 1.06),
            spread(0.72, 1.06),
            spread(0.85, 1.0),
        ),
        dot_fit=(spread(0.78, 1.08), spread(0.85, 1.04), spread(0.88, 1.02)),
        number_fit=(spread(0.8, 1.2), spread(0.85, 1.15), spread(-10, 16)),
        myriad_fit=(spread(0.8, 1.15), spread(0.82, 1.08), spread(-14, 8)),
    )


def _turning(rng: np.random.Generator) -> Turning:
    """How a maker turned the sticks of a set: beads, canes, plain canes; cut as an outline or filled."""
    outlined = rng.random() < 0.6
    flared = bool(rng.random() < 0.4)
    return Turning(
        lobes=int(rng.choice([1, 2, 3, 4, 5], p=[0.08, 0.34, 0.34, 0.16, 0.08])),
        waist=float(rng.uniform(0.4, 0.75) if flared else rng.uniform(0.15, 0.7)),
        flared=flared,
        boxy=float(rng.uniform(0.2, 1.0)),
        line=float(rng.uniform(0.1, 0.26)) if outlined else 0.0,
        slit=float(rng.uniform(0.08, 0.24)) if rng.random() < (0.25 if outlined else 0.7) else 0.0,
        collars=bool(rng.random() < 0.5),
    )


def _near(colour: str, rng: np.random.Generator) -> str:
    """A neighbouring mix of a paint ``#rrggbb``."""
    parts = [int(colour[place : place + 2], 16) for place in (1, 3, 5)]
    factor = rng.uniform(0.75, 1.3)
    mixed = [int(np.clip(part * factor * rng.uniform(0.8, 1.25) + rng.uniform(-8, 14), 0, 255)) for part in parts]
    return "#" + "".join(f"{part:02x}" for part in mixed)
