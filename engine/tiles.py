"""The 42 kinds of tiles and the ways people write them.

A *kind* is an index 0..41 in the order ``1m..9m 1p..9p 1s..9s 1z..7z 1f..8f``. MPSZ letters: ``m`` 萬,
``p`` 餅/筒, ``s`` 條/索, ``z`` honours 東南西北白發中, ``f`` flowers 春夏秋冬梅蘭竹菊 (RULES 8.3; the
letter ``f`` is this project's own).
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final

from engine.errors import InputError
from engine.text import Text, printable

if TYPE_CHECKING:
    from collections.abc import Iterable

#: MPSZ code of every kind.
CODES: Final[tuple[str, ...]] = tuple(
    f"{digit}{letter}"
    for letter, top in (("m", 9), ("p", 9), ("s", 9), ("z", 7), ("f", 8))
    for digit in range(1, top + 1)
)
#: Kind of every MPSZ code.
INDEX: Final[dict[str, int]] = {code: kind for kind, code in enumerate(CODES)}

#: Kinds below this one can be part of a hand; the others are flowers.
PLAYABLE: Final = 34
#: The first honour (東); honours are ``HONOUR <= kind < PLAYABLE``.
HONOUR: Final = 27
EAST: Final = 27
WHITE: Final = INDEX["5z"]
GREEN: Final = INDEX["6z"]
RED: Final = INDEX["7z"]
SEASONS: Final = frozenset(range(34, 38))
PLANTS: Final = frozenset(range(38, 42))

_NUMBERS: Final = "一二三四五六七八九"
_HONOURS: Final = ("东南西北白发中", "東南西北白發中")
_FLOWERS: Final = ("春夏秋冬梅兰竹菊", "春夏秋冬梅蘭竹菊")
_ENGLISH: Final = (
    *("east", "south", "west", "north", "white dragon", "green dragon", "red dragon"),
    *("spring", "summer", "autumn", "winter", "plum", "orchid", "bamboo flower", "chrysanthemum"),
)


def _name(kind: int) -> Text:
    """The table's own name of a kind."""
    if kind >= HONOUR:
        offset = kind - HONOUR
        simplified, traditional = (_HONOURS[i] + _FLOWERS[i] for i in (0, 1))
        return Text(simplified[offset], traditional[offset], _ENGLISH[offset])
    number, suit = kind % 9, kind // 9
    english = (("characters", "dots", "bamboo") if number else ("character", "dot", "bamboo"))[suit]
    return Text(_NUMBERS[number] + "万饼条"[suit], _NUMBERS[number] + "萬餅條"[suit], f"{number + 1} {english}")


#: What people call each kind.
NAMES: Final[tuple[Text, ...]] = tuple(_name(kind) for kind in range(len(CODES)))

# The Unicode block orders dragons red-green-white, suits characters-bamboo-circles and flowers
# plants-seasons; MPSZ orders every one of them differently (RULES 8.3).
_UNICODE_ORDER: Final = (
    *("1z", "2z", "3z", "4z", "7z", "6z", "5z"),
    *(f"{digit}{suit}" for suit in "msp" for digit in range(1, 10)),
    *("5f", "6f", "7f", "8f", "1f", "2f", "3f", "4f"),
)
_FROM_UNICODE: Final = {chr(0x1F000 + offset): INDEX[code] for offset, code in enumerate(_UNICODE_ORDER)}
_TO_UNICODE: Final = {kind: char for char, kind in _FROM_UNICODE.items()}
_FACELESS: Final = {"\U0001f02a", "\U0001f02b"}

_DIGITS: Final = {str(i): i for i in range(10)} | {char: i for i, char in enumerate(_NUMBERS, 1)}
_SUITS: Final = (
    {letter: letter for letter in "mpszf"}
    | dict.fromkeys("萬万", "m")
    | dict.fromkeys("餅饼筒", "p")
    | dict.fromkeys("條条索", "s")
)
_WORDS: Final = {
    char: HONOUR + offset for script in (0, 1) for offset, char in enumerate(_HONOURS[script] + _FLOWERS[script])
}
# Decorations of a name that add nothing: 東風, 紅中, 白板, 發財, commas, the emoji selectors.
_PREFIXES: Final = {"紅": RED, "红": RED, "青": GREEN, "綠": GREEN, "绿": GREEN}
_SUFFIXES: Final = {"風": range(27, 31), "风": range(27, 31), "板": (WHITE,), "財": (GREEN,), "财": (GREEN,)}
_IGNORED: Final = frozenset(",，、;；。|·\ufe0e\ufe0f\u200b\ufeff")

#: No text of tiles is longer: 144 tiles with two-letter names and separators fit easily.
MAX_TEXT: Final = 2000


def _error(code: str, field: str, text: Text) -> InputError:
    return InputError(code, field, text)


def parse_tiles(text: str, field: str = "tiles") -> tuple[int, ...]:
    """Kinds named by a text, in the order written: MPSZ, Unicode tiles and Chinese names, mixed at will.

    Args:
        text: the tiles.
        field: which field of a record the text belongs to, for the error.

    Raises:
        InputError: the text names no tiles; the message quotes the place.

    >>> parse_tiles("13m 5z")
    (0, 2, 31)
    >>> [CODES[kind] for kind in parse_tiles("三萬 五筒 🀐 紅中 春")]
    ['3m', '5p', '1s', '7z', '1f']
    """
    plain = _plain(text)
    if plain is not None:
        return plain
    if len(text) > MAX_TEXT:
        raise _error(
            "too_long",
            field,
            Text(
                f"文字太长（{len(text)} 字），没有这么多牌",
                f"文字太長（{len(text)} 字），沒有這麼多牌",
                f"the text is too long ({len(text)} characters): there are not that many tiles",
            ),
        )
    kinds: list[int] = []
    pending: list[tuple[str, int]] = []  # digits that wait for their suit
    prefix: tuple[str, int] | None = None  # 紅, 青: must be followed by its dragon
    # Upper case and full-width forms are what phone keyboards produce; they can mean nothing else.
    for char in unicodedata.normalize("NFKC", text).lower():
        if prefix is not None and _WORDS.get(char) != prefix[1]:
            raise _unknown(prefix[0], field)
        if char in _DIGITS:
            pending.append((char, _DIGITS[char]))
        elif char in _SUITS:
            if not pending:
                raise _error(
                    "suit_without_digits",
                    field,
                    Text(
                        f"“{char}”前面缺少数字，例如 123{char}",
                        f"「{char}」前面缺少數字，例如 123{char}",
                        f'"{char}" has no digits before it; write for instance 123{char}',
                    ),
                )
            for written, number in pending:
                code = f"{number}{_SUITS[char]}"
                if code not in INDEX:
                    raise _error(
                        "unknown_tile",
                        field,
                        Text(
                            f"没有 {written}{char} 这张牌",
                            f"沒有 {written}{char} 這張牌",
                            f"there is no tile {written}{char}",
                        ),
                    )
                kinds.append(INDEX[code])
            pending.clear()
        elif char.isspace() or char in _IGNORED:
            continue
        else:
            if pending:
                raise _no_suit(pending, field)
            if char in _FROM_UNICODE:
                kinds.append(_FROM_UNICODE[char])
            elif char in _WORDS:
                kinds.append(_WORDS[char])
            elif char in _PREFIXES:
                prefix = (char, _PREFIXES[char])
                continue
            elif not (char in _SUFFIXES and kinds and kinds[-1] in _SUFFIXES[char]):
                raise _unknown(char, field)
        prefix = None
    if prefix is not None:
        raise _unknown(prefix[0], field)
    if pending:
        raise _no_suit(pending, field)
    return tuple(kinds)


def _plain(text: str) -> tuple[int, ...] | None:
    """Ordinary MPSZ read quickly; ``None`` for anything else, which the full parser then judges."""
    if len(text) > MAX_TEXT:
        return None
    kinds: list[int] = []
    for word in text.split():
        start = 0
        for position, char in enumerate(word):
            if char in "mpszf":
                for digit in word[start:position]:
                    kind = INDEX.get(digit + char)
                    if kind is None:
                        return None
                    kinds.append(kind)
                if start == position:
                    return None
                start = position + 1
        if start != len(word):
            return None
    return tuple(kinds)


def _no_suit(pending: list[tuple[str, int]], field: str) -> InputError:
    digits = printable("".join(written for written, _ in pending))
    return _error(
        "digits_without_suit",
        field,
        Text(
            f"“{digits}”后面缺少花色，请加上 m（万）、p（饼）、s（条）、z（字）或 f（花）",
            f"「{digits}」後面缺少花色，請加上 m（萬）、p（餅）、s（條）、z（字）或 f（花）",
            f'"{digits}" has no suit after it; add m, p, s, z (honours) or f (flowers)',
        ),
    )


def _unknown(char: str, field: str) -> InputError:
    char = printable(char)
    if char in _FACELESS:
        return _error(
            "unknown_tile",
            field,
            Text(
                f"“{char}”看不到牌面，请写出是哪一张",
                f"「{char}」看不到牌面，請寫出是哪一張",
                f'"{char}" shows no face; write which tile it is',
            ),
        )
    return _error(
        "unknown_tile",
        field,
        Text(
            f"“{char}”不是牌，请用 123m 456p 789s 1234567z 12345678f、🀇 或 三万 这样的写法",
            f"「{char}」不是牌，請用 123m 456p 789s 1234567z 12345678f、🀇 或 三萬 這樣的寫法",
            f'"{char}" is no tile; write 123m 456p 789s 1234567z 12345678f, 🀇 or 三萬',
        ),
    )


def format_tiles(kinds: Iterable[int]) -> str:
    """MPSZ text of tiles, sorted, each suit letter once.

    >>> format_tiles([31, 0, 2])
    '13m5z'
    """
    parts: list[str] = []
    suit = ""
    for kind in sorted(kinds):
        code = CODES[kind]
        if code[1] != suit:
            parts.append(suit)
            suit = code[1]
        parts.append(code[0])
    return "".join(parts) + suit


def to_unicode(kinds: Iterable[int]) -> str:
    r"""Unicode mahjong tiles in the order given; the red dragon with U+FE0E, so that it stays a plain glyph.

    >>> to_unicode([0, 33]) == "\U0001f007\U0001f004\ufe0e"
    True
    """
    return "".join(_TO_UNICODE[kind] + ("\ufe0e" if kind == RED else "") for kind in kinds)


def names(kinds: Iterable[int]) -> Text:
    """What people call the tiles, in the order given, separated by spaces.

    >>> names([2, 31]).zh_hant
    '三萬 白'
    """
    listed = [NAMES[kind] for kind in kinds]
    return Text(
        " ".join(name.zh for name in listed),
        " ".join(name.zh_hant for name in listed),
        ", ".join(name.en for name in listed),
    )
