"""The pages people open."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, current_app, jsonify, render_template, request, url_for
from flask_babel import lazy_gettext as _  # type: ignore[import-untyped]
from werkzeug.exceptions import NotFound

from engine.parsing import MOST_STREAK
from engine.text import Text
from engine.tiles import CODES, NAMES
from vision.zones import KIND_NAMES
from webui import house, i18n, messages
from webui.games import GAMES
from webui.glossary import GLOSSARY
from webui.security import from_this_machine
from webui.services import services

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

area = Blueprint("pages", __name__)

_YEAR = 365 * 24 * 3600
_HONOURS_EN = ("East", "South", "West", "North", "White", "Green", "Red")

#: What the scripts say when the server cannot.
_TEXTS = {
    "offline": Text(
        "连不上程序：它可能已经关闭。手牌都还在，重新启动后会自动连上。",
        "連不上程式：它可能已經關閉。手牌都還在，重新啟動後會自動連上。",
        "The program cannot be reached; it may have been closed. Your hand is kept and the page connects again by itself.",
    ),
    "unreadable": Text(
        "程序的回答读不懂，请刷新页面。",
        "程式的回答讀不懂，請重新整理頁面。",
        "The program's answer could not be read. Reload the page.",
    ),
}


def _short_names() -> dict[str, str]:
    short = {code: code for code in CODES}
    short.update({f"{digit}z": name for digit, name in enumerate(_HONOURS_EN, 1)})
    return short


def _short_names_chinese() -> dict[str, dict[str, str]]:
    return {
        key: {code: name.as_json()[key] for code, name in zip(CODES, NAMES, strict=True)} for key in ("zh", "zh_hant")
    }


@functools.cache
def asset_version() -> str:
    """Return a short hash of the scripts, styles and tiles, so that browsers may keep them until they change."""
    digest = hashlib.sha256()
    folder = Path(__file__).resolve().parent.parent / "static"
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            digest.update(file.read_bytes())
    from vision.synthesis import tiles as drawn  # noqa: PLC0415  (drawings are parsed on import)

    for code in ("1m", "1s", "5z", "back"):
        digest.update(drawn.svg(code).encode())
    return digest.hexdigest()[:12]


#: What the menu leads to, by endpoint.
_TOOLS = {
    "pages.table": _("Table"),
    "calibration.page": _("Teach it my tiles"),
    "corrections.corrections": _("Corrected pictures"),
    "phone.connect": _("Phone as the camera"),
    "pages.glossary": _("Glossary"),
}


@area.app_context_processor
def navigation() -> dict[str, object]:
    """Give every template the menu."""
    return {"tools": [(endpoint, name) for endpoint, name in _TOOLS.items() if endpoint in current_app.view_functions]}


def page_data() -> dict[str, Any]:
    """Return everything the scripts of the table page need to know at the start."""
    config = services().config
    return {
        "lang": i18n.TEXT_KEYS[i18n.locale()],
        "messages": messages.for_page(),
        "most_streak": MOST_STREAK,
        "texts": {key: text.as_json() for key, text in _TEXTS.items()},
        "codes": list(CODES),
        "tiles": {code: name.as_json() for code, name in zip(CODES, NAMES, strict=True)},
        "short": _short_names(),
        "short_zh": _short_names_chinese(),
        "tile_url": url_for("pages.tile", code="CODE", v=asset_version()),
        "rules": {key: {**game.as_json(), "house": house.keys_as_json(key)} for key, game in GAMES.items()},
        "default_rules": config.rules,
        "house": {config.rules: config.house} if config.house else {},
        "glossary": {key: term.as_json() for key, term in GLOSSARY.items()},
        "source": services().source_name(),
        "local": from_this_machine(request.remote_addr),
        "zone_kinds": {kind: name.as_json() for kind, name in KIND_NAMES.items()},
    }


@area.get("/")
def table() -> ResponseReturnValue:
    """Show the table: picture, hand, answers, settlement."""
    shared = services()
    return render_template(
        "table.html",
        data=page_data(),
        games=GAMES,
        version=asset_version(),
        phones=shared.phones is not None or shared.lan is not None,
        code=shared.phones is not None and shared.lan is not None and bool(shared.lan.addresses),
    )


@area.get("/glossary")
def glossary() -> ResponseReturnValue:
    """Explain the words."""
    return render_template("glossary.html", terms=GLOSSARY, version=asset_version())


@area.get("/tiles/<code>.svg")
def tile(code: str) -> ResponseReturnValue:
    """Serve the drawing of a tile, or of its back."""
    if code not in CODES and code != "back":
        raise NotFound
    from vision.synthesis import tiles as drawn  # noqa: PLC0415

    response = Response(drawn.svg(code), mimetype="image/svg+xml")
    response.add_etag()
    response.cache_control.public = True
    response.cache_control.max_age = _YEAR if request.args.get("v") == asset_version() else 60
    # A drawing carries its own colours; the page's policy forbids inline styles to pages only.
    response.headers["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'"
    return response.make_conditional(request)


@area.get("/favicon.ico")
def favicon() -> ResponseReturnValue:
    """Serve the icon to browsers that ask for the old address."""
    return current_app.send_static_file("icons/icon.svg")


@area.get("/healthz")
def health() -> ResponseReturnValue:
    """Say that the server runs."""
    return jsonify({"ok": True})
