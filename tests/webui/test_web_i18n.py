"""Three languages, complete: no text untranslated, no key without a text, no catalog out of date."""

from __future__ import annotations

import io
import json
import re
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po

import webui
from webui.config import LOCALES
from webui.games import GAMES
from webui.glossary import GLOSSARY
from webui.i18n import choose_locale
from webui.messages import MESSAGES

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog
    from flask.testing import FlaskClient

    from engine.text import Text

ROOT = Path(webui.__file__).parent
JS = ROOT / "static" / "js"
PLACEHOLDER = re.compile(r"\{(\w+)\}")


def catalog(locale: str) -> Catalog:
    with (ROOT / "translations" / locale / "LC_MESSAGES" / "messages.po").open("rb") as file:
        return read_po(file, locale=locale)


def msgids() -> set[str | tuple[str, ...]]:
    """The sentences of the program; those that depend on a number with both forms."""
    methods = [("**.py", "python"), ("templates/**.html", "jinja2")]
    found = extract_from_dir(str(ROOT), methods, keywords={"_": None, "_n": (1, 2)})
    return {message if isinstance(message, str) else tuple(message) for _, _, message, _, _ in found}


def forms(text: str | tuple[str, ...] | list[str]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


def test_there_are_texts() -> None:
    assert len(msgids()) > 150


@pytest.mark.parametrize("locale", LOCALES)
def test_every_text_is_translated(locale: str) -> None:
    known = {message.id: message for message in catalog(locale) if message.id}
    assert set(known) == msgids(), "run pybabel extract and update (see webui/translations/README.md)"
    for msgid, message in known.items():
        assert all(forms(message.string)), msgid
        assert not message.fuzzy, msgid
        for said, text in product(forms(msgid), forms(message.string)):
            assert sorted(PLACEHOLDER.findall(said)) == sorted(PLACEHOLDER.findall(text)), msgid
        if locale == "en":
            assert forms(message.string) == forms(msgid)


@pytest.mark.parametrize("locale", ["zh_Hans", "zh_Hant"])
def test_chinese_is_chinese(locale: str) -> None:
    for message in catalog(locale):
        if message.id:
            assert all(re.search(r"[\u3400-\u9fff（]", text) for text in forms(message.string)), message.id


def test_the_two_scripts_are_not_mixed() -> None:
    # Characters that exist in one script only and that the page uses.
    simplified, traditional = "张没这镜头认选结颜语点", "張沒這鏡頭認選結顏語點"
    for message in catalog("zh_Hans"):
        assert not set(traditional) & set(str(message.string) if message.id else ""), message.string
    for message in catalog("zh_Hant"):
        assert not set(simplified) & set(str(message.string) if message.id else ""), message.string


@pytest.mark.parametrize("locale", LOCALES)
def test_compiled_catalogs_are_up_to_date(locale: str) -> None:
    buffer = io.BytesIO()
    write_mo(buffer, catalog(locale))
    buffer.seek(0)
    with (ROOT / "translations" / locale / "LC_MESSAGES" / "messages.mo").open("rb") as file:
        written, fresh = ({forms(m.id): forms(m.string) for m in read_mo(one) if m.id} for one in (file, buffer))
    assert written == fresh


@pytest.mark.parametrize(("locale", "said"), [("en", ["{n} tile", "{n} tiles"]), ("zh_Hans", ["{n} 张", "{n} 张"])])
def test_one_tile_is_not_tiles(client: FlaskClient, locale: str, said: list[str]) -> None:
    client.set_cookie("lang", locale)
    data = re.search(r'id="page-data"[^>]*>(.*?)</script>', client.get("/").text, re.DOTALL)
    assert data is not None
    assert json.loads(data[1])["messages"]["tile_count"] == said


def test_scripts_use_known_keys_and_all_keys_are_used() -> None:
    source = "\n".join(file.read_text("utf-8") for file in JS.glob("*.js"))
    used = set(re.findall(r"\btn?\(\s*\"(\w+)\"", source)) | set(
        re.findall(r"say\(\"\w+\", (?:following\(\) \? )?\"(\w+)\"(?: : \"(\w+)\")?", source)[0]
    )
    for name in re.findall(r"\btn?\(`(\w+)\$\{", source):
        matching = {key for key in MESSAGES if key.startswith(name)}
        assert matching, name
        used |= matching
    used |= {word for word in re.findall(r"\"(\w+)\"", source) if word in MESSAGES}
    used |= set(re.findall(r"page\.messages\.(\w+)", source))
    used.discard("")
    assert used <= set(MESSAGES), used - set(MESSAGES)
    assert set(MESSAGES) <= used, set(MESSAGES) - used


def test_every_term_in_question_is_in_the_glossary() -> None:
    source = "\n".join(file.read_text("utf-8") for file in JS.glob("*.js")) + (
        ROOT / "templates" / "table.html"
    ).read_text("utf-8")
    asked = set(re.findall(r"\bterm\(\"(\w+)\"\)", source)) | set(re.findall(r"data-term=\"(\w+)\"", source))
    assert asked
    assert asked <= set(GLOSSARY)


def texts() -> list[Text]:
    result = [text for term in GLOSSARY.values() for text in (term.term, term.text)]
    for game in GAMES.values():
        result += [game.name, *game.youjin_names, *(method.name for method in game.methods.values())]
    return result


def test_texts_of_games_and_glossary_are_complete() -> None:
    for text in texts():
        assert text.zh
        assert text.zh_hant
        assert text.en


@pytest.mark.parametrize(
    ("cookie", "accepted", "locale"),
    [
        (None, [], "en"),
        (None, ["de", "zh-TW"], "zh_Hant"),
        (None, ["zh-HK"], "zh_Hant"),
        (None, ["zh-Hant-MO"], "zh_Hant"),
        (None, ["zh"], "zh_Hans"),
        (None, ["zh-SG", "en"], "zh_Hans"),
        (None, ["en-GB", "zh"], "en"),
        ("zh_Hant", ["en"], "zh_Hant"),
        ("tlh", ["zh-CN"], "zh_Hans"),
    ],
)
def test_choosing_a_language(cookie: str | None, accepted: list[str], locale: str) -> None:
    assert choose_locale(cookie, accepted) == locale


@pytest.mark.parametrize(
    ("header", "lang", "word"),
    [
        ("zh-CN,zh;q=0.9", "zh-Hans", "我的手牌"),
        ("zh-TW", "zh-Hant", "牌桌設定"),
        ("en", "en", "My hand"),
        ("fr", "en", "My hand"),
    ],
)
def test_the_page_speaks_the_browsers_language(client: FlaskClient, header: str, lang: str, word: str) -> None:
    text = client.get("/", headers={"Accept-Language": header}).text
    assert f'<html lang="{lang}"' in text
    assert word in text


def test_the_switch_beats_the_browser(client: FlaskClient) -> None:
    client.set_cookie("lang", "en")
    client.set_cookie("theme", "dark")
    text = client.get("/", headers={"Accept-Language": "zh-CN"}).text
    assert '<html lang="en" data-theme="dark"' in text
    client.set_cookie("theme", "<script>")
    assert 'data-theme="auto"' in client.get("/").text
