"""The Flask application."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Flask, Response, request

from webui import errors, i18n, security
from webui.config import Config
from webui.services import Services
from webui.views import api, calibration, corrections, install, live, pages, phone, scores, setup

if TYPE_CHECKING:
    from webui.lan import Lan
    from webui.live import Loop


def create_app(config: Config | None = None, *, loop: Loop | None = None, lan: Lan | None = None) -> Flask:
    """Build the application.

    Args:
        config: settings; the defaults give the JSON API and uploads without a camera.
        loop: the live loop to show; by default one is made for `config.source`. It is started by `webui.server`, or
            by whoever made it: building an application starts nothing.
        lan: lets paired phones of the local network in, and asks other machines for the pairing.
    """
    config = config or Config()
    # The version is part of the path, so that scripts that import each other by relative names are kept as well.
    app = Flask(__name__, static_url_path=f"/static/{pages.asset_version()}")
    app.add_url_rule("/static/<path:filename>", endpoint="newest_static", view_func=app.send_static_file)
    app.config["MAX_CONTENT_LENGTH"] = config.max_upload_bytes
    app.config["BABEL_TRANSLATION_DIRECTORIES"] = "translations"
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.jinja_env.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "sort_keys": False}
    app.extensions["youjin"] = Services(config, loop, lan=lan)
    security.register(app, config, lan)
    i18n.register(app)
    errors.register(app)
    app.register_blueprint(pages.area)
    app.register_blueprint(api.area)
    app.register_blueprint(live.area)
    app.register_blueprint(phone.area)
    app.register_blueprint(scores.area)
    app.register_blueprint(corrections.area)
    app.register_blueprint(calibration.area)
    app.register_blueprint(install.area)
    app.register_blueprint(setup.area)

    @app.after_request
    def caching(response: Response) -> Response:
        if request.endpoint == "static":
            response.cache_control.max_age = 365 * 24 * 3600
            response.cache_control.immutable = True
            response.cache_control.no_cache = None
        elif request.endpoint == "newest_static":
            response.cache_control.no_cache = True
        elif "Cache-Control" not in response.headers:
            response.cache_control.no_store = True
        return response

    return app
