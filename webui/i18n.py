"""The language and the colours of a request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import request
from flask_babel import Babel, get_locale  # type: ignore[import-untyped]

from webui.config import LOCALES

if TYPE_CHECKING:
    from flask import Flask

#: The key under which texts of the engine carry each language of the page.
TEXT_KEYS = {"zh_Hans": "zh", "zh_Hant": "zh_hant", "en": "en"}
#: What `<html lang>` says.
HTML_LANGS = {"zh_Hans": "zh-Hans", "zh_Hant": "zh-Hant", "en": "en"}
#: Each language in its own words.
OWN_NAMES = {"zh_Hans": "简体中文", "zh_Hant": "繁體中文", "en": "English"}

_TRADITIONAL = ("zh-hant", "zh-tw", "zh-hk", "zh-mo")


def choose_locale(cookie: str | None, accepted: list[str]) -> str:
    """Choose one of `LOCALES`: the switch first, then the browser's list, best first, then English.

    >>> choose_locale(None, ["fr", "zh-TW", "en"]), choose_locale("en", ["zh"]), choose_locale(None, ["zh-CN"])
    ('zh_Hant', 'en', 'zh_Hans')
    """
    if cookie in LOCALES:
        return cookie
    for tag in accepted:
        language = tag.lower().replace("_", "-")
        if language.startswith(_TRADITIONAL):
            return "zh_Hant"
        if language.split("-")[0] == "zh":
            return "zh_Hans"
        if language.split("-")[0] == "en":
            return "en"
    return "en"


def _select() -> str:
    return choose_locale(request.cookies.get("lang"), [tag for tag, _ in request.accept_languages])


def locale() -> str:
    """Return the locale of this request, one of `LOCALES`."""
    found = str(get_locale())
    return found if found in LOCALES else "en"


def theme() -> str:
    """Return `light`, `dark`, or `auto` where the reader has not chosen."""
    cookie = request.cookies.get("theme")
    return cookie if cookie in {"light", "dark"} else "auto"


def register(app: Flask) -> None:
    """Give `app` its catalogs and its templates what they say about language and colours."""
    Babel(app, default_locale="en", locale_selector=_select)

    @app.context_processor
    def language() -> dict[str, object]:
        chosen = locale()
        return {
            "html_lang": HTML_LANGS[chosen],
            "locale": chosen,
            "text_key": TEXT_KEYS[chosen],
            "languages": OWN_NAMES,
            "theme": theme(),
        }
