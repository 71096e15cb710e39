"""What makes the page an app: its manifest, its icons, and the sentence it shows while the program does not run."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import TYPE_CHECKING

from flask import Blueprint, Response, current_app, jsonify, render_template, request, url_for
from flask_babel import force_locale  # type: ignore[import-untyped]
from flask_babel import gettext as _
from werkzeug.exceptions import NotFound

from webui import i18n
from webui.config import LOCALES
from webui.views.pages import asset_version

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

area = Blueprint("install", __name__)

_GREEN, _IVORY = "#14493a", "#f5f0e2"
_DAY = 24 * 3600
#: Pixels of each icon, and how much of it the drawing fills: what a phone cuts off a maskable one is background.
ICONS = {"icon-192": (192, None), "icon-512": (512, None), "icon-maskable": (512, 0.86), "icon-apple": (180, 1.0)}


@functools.cache
def icon_png(name: str) -> bytes:
    """Draw an icon of `ICONS` from the one SVG."""
    import resvg_py  # noqa: PLC0415  (a native library that only drawing needs)

    side, fill = ICONS[name]
    svg = (Path(__file__).resolve().parent.parent / "static" / "icons" / "icon.svg").read_text("utf-8")
    if fill is not None:
        inner = re.sub(r"^.*?<rect[^>]*/>|</svg>\s*$", "", svg, flags=re.DOTALL)
        edge = 64 * (1 - fill) / 2
        svg = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="{_GREEN}"/>'
            f'<g transform="translate({edge} {edge}) scale({fill})">{inner}</g></svg>'
        )
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=side, height=side, skip_system_fonts=True))


@area.get("/<name>.png")
def icon(name: str) -> ResponseReturnValue:
    """Serve an icon."""
    if name not in ICONS:
        raise NotFound
    response = Response(icon_png(name), mimetype="image/png")
    response.cache_control.public = True
    response.cache_control.max_age = _DAY
    response.add_etag()
    return response.make_conditional(request)


@area.get("/manifest.webmanifest")
def manifest() -> ResponseReturnValue:
    """Describe the app in the language of `?lang=`."""
    asked = request.args.get("lang", "")
    locale = asked if asked in LOCALES else i18n.locale()
    with force_locale(locale):
        data = {
            "id": "/",
            "name": _("youjin: your tiles, read and reckoned"),
            "short_name": _("youjin"),
            "description": _("Reads the mahjong tiles on your table and says what your hand may do."),
            "lang": i18n.HTML_LANGS[locale],
            "dir": "ltr",
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "theme_color": _GREEN,
            "background_color": _IVORY,
            "categories": ["games", "utilities"],
            "icons": [
                {"src": url_for("static", filename="icons/icon.svg"), "sizes": "any", "type": "image/svg+xml"},
                *(
                    {
                        "src": url_for("install.icon", name=name),
                        "sizes": f"{side}x{side}",
                        "type": "image/png",
                        "purpose": "any" if fill is None else "maskable",
                    }
                    for name, (side, fill) in ICONS.items()
                    if name != "icon-apple"
                ),
            ],
            "shortcuts": [
                {"name": _("Settle"), "url": "/?tab=settle"},
                {"name": _("Score sheet"), "url": "/?tab=sheet"},
            ],
        }
    response = jsonify(data)
    response.mimetype = "application/manifest+json"
    return response


@area.get("/sw.js")
def service_worker() -> ResponseReturnValue:
    """Serve the script that answers while the program does not run; from the root, so that it may answer for all."""
    response = current_app.send_static_file("js/sw.js")
    response.cache_control.no_cache = True
    return response


@area.get("/offline")
def offline() -> ResponseReturnValue:
    """Say that the program does not run; browsers that have the app keep this page."""
    return render_template("offline.html", version=asset_version())
