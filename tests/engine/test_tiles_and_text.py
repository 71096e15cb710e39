"""Tiles as people write them, and texts in three languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import tiles
from engine.errors import InputError
from engine.text import LANGUAGES, Text, join, same

KINDS = st.lists(st.integers(0, 41), max_size=40)


def test_42_kinds_in_order() -> None:
    assert len(tiles.CODES) == 42
    assert [tiles.INDEX[code] for code in ("1m", "9m", "1p", "1s", "1z", "5z", "1f", "8f")] == [
        0,
        8,
        9,
        18,
        27,
        31,
        34,
        41,
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("1m2m3m", "123m"),
        ("12 3m", "123m"),
        ("１２３ｍ", "123m"),
        ("123M", "123m"),
        ("三萬 三万", "33m"),
        ("三餅三筒三饼", "333p"),
        ("三條、三索、三条", "333s"),
        ("一二三萬", "123m"),
        ("3萬", "3m"),
        ("東东南西北白發发中", "11234z5667z"),
        ("東風 红中 白板 發財 青發", "15667z"),
        ("春夏秋冬梅蘭竹菊 兰", "123456678f"),
        ("🀇🀏 🀐🀘 🀙🀡", "19m19s19p"),
        ("🀀🀁🀂🀃🀆🀅🀄", "1234567z"),
        ("🀄\ufe0e🀄\ufe0f🀄", "777z"),
        ("🀦🀧🀨🀩🀢🀣🀤🀥", "12345678f"),
        ("123m 三筒 🀐 白 春", "123m3p1s5z1f"),
        ("1m\u30002m", "12m"),
        ("1m,2m，3m", "123m"),
    ],
)
def test_ways_to_write(text: str, expected: str) -> None:
    assert tiles.format_tiles(tiles.parse_tiles(text)) == tiles.format_tiles(tiles.parse_tiles(expected))


@pytest.mark.parametrize(
    ("text", "code", "quoted"),
    [
        ("12", "digits_without_suit", "12"),
        ("1m2", "digits_without_suit", "2"),
        ("12 東", "digits_without_suit", "12"),
        ("m", "suit_without_digits", "m"),
        ("1mm", "suit_without_digits", "m"),
        ("萬", "suit_without_digits", "萬"),
        ("0m", "unknown_tile", "0m"),
        ("8z", "unknown_tile", "8z"),
        ("9f", "unknown_tile", "9f"),
        ("x", "unknown_tile", "x"),
        ("🀪", "unknown_tile", "🀪"),
        ("🀫", "unknown_tile", "🀫"),
        ("紅", "unknown_tile", "紅"),
        ("紅白", "unknown_tile", "紅"),
        ("中風", "unknown_tile", "風"),
        ("板", "unknown_tile", "板"),
        ("\u0000", "unknown_tile", "\ufffd"),
        ("1m" * 2000, "too_long", "4000"),
    ],
)
def test_what_is_no_tile(text: str, code: str, quoted: str) -> None:
    with pytest.raises(InputError) as caught:
        tiles.parse_tiles(text, "melds[0].tiles")
    assert caught.value.code == code
    assert caught.value.field == "melds[0].tiles"
    for language in LANGUAGES:
        assert quoted in caught.value.text.in_language(language)


@given(KINDS)
def test_every_form_is_read_back(kinds: list[int]) -> None:
    assert tiles.parse_tiles(tiles.format_tiles(kinds)) == tuple(sorted(kinds))
    assert tiles.parse_tiles(tiles.to_unicode(kinds)) == tuple(kinds)
    named = tiles.names(kinds)
    assert tiles.parse_tiles(named.zh) == tuple(kinds)
    assert tiles.parse_tiles(named.zh_hant) == tuple(kinds)
    assert tiles.parse_tiles("".join(tiles.CODES[kind] for kind in kinds)) == tuple(kinds)


@given(st.text(max_size=30))
def test_any_text_is_tiles_or_an_input_error(text: str) -> None:
    try:
        kinds = tiles.parse_tiles(text)
    except InputError as error:
        assert error.text.en.isprintable()  # noqa: PT017
    else:
        assert all(0 <= kind < 42 for kind in kinds)


def test_texts() -> None:
    text = Text("{n} 张", "{n} 張", "{n} tiles")
    assert text.format(n=2) == Text("2 张", "2 張", "2 tiles")
    assert text.format(n=Text("两", "兩", "two")) == Text("两 张", "兩 張", "two tiles")
    assert same("x").as_json() == {"zh": "x", "zh_hant": "x", "en": "x"}
    assert join([same("a"), same("b")]) == Text("a、b", "a、b", "a, b")
    with pytest.raises(KeyError):
        text.in_language("de")
