"""The score sheet: what was confirmed, and its export."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, jsonify, request

from engine.errors import InputError
from engine.text import Text
from webui import i18n
from webui.errors import ApiError
from webui.services import services
from webui.views.api import json_object

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

area = Blueprint("scores", __name__)

_TOKEN = re.compile(r"[A-Za-z0-9-]{8,64}")
_BAD_REQUEST = Text(
    "缺少 {name}，请刷新页面再试。",
    "缺少 {name}，請重新整理頁面再試。",
    "{name} is missing; reload the page and try again.",
)


def _number(body: dict[str, Any], name: str) -> int:
    value = body.get(name)
    if type(value) is not int:
        raise ApiError(400, "bad_value", _BAD_REQUEST.format(name=name))
    return value


def _asked_sheet() -> int | None:
    """The sheet that the address names, `None` where it names none; what is no number is no sheet either."""
    return request.args.get("sheet", 0, int) if "sheet" in request.args else None


@area.get("/api/scores")
def sheet() -> ResponseReturnValue:
    """Return the present score sheet, or with `?sheet=N` an earlier one."""
    return jsonify(services().scores.read(_asked_sheet()))


@area.post("/api/scores/book")
def book() -> ResponseReturnValue:
    """Write down what a person confirmed: `{"record", "token", "revision"}`."""
    body = json_object()
    token = body.get("token")
    if not isinstance(token, str) or not _TOKEN.fullmatch(token):
        raise ApiError(400, "bad_value", _BAD_REQUEST.format(name="token"))
    try:
        return jsonify(services().scores.book(body.get("record"), token, _number(body, "revision")))
    except InputError as error:
        return jsonify(error.as_json()), 422


@area.post("/api/scores/undo")
def undo() -> ResponseReturnValue:
    """Take back the last confirmation: `{"entry": N}`."""
    return jsonify(services().scores.take_back(_number(json_object(), "entry")))


@area.put("/api/scores/players")
def players() -> ResponseReturnValue:
    """Name the four players: `{"players": {"A": "…", …}}`."""
    return jsonify(services().scores.name_players(json_object().get("players")))


@area.post("/api/scores/begin")
def begin() -> ResponseReturnValue:
    """Begin a new sheet; the old one is kept."""
    json_object()
    return jsonify(services().scores.begin())


@area.get("/scores.csv")
def export() -> ResponseReturnValue:
    """Return a sheet as CSV, without `?sheet=N` the present one."""
    found = services().scores.read(_asked_sheet())
    text = services().scores.as_csv(found["sheet"], i18n.TEXT_KEYS[i18n.locale()])
    name = f"youjin-{found['started'][:10]}-{found['sheet']}.csv"
    return Response(text, mimetype="text/csv", headers={"Content-Disposition": f'attachment; filename="{name}"'})
