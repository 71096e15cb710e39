"""The live table: its state, its picture, and what people say about it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, jsonify, request
from werkzeug.exceptions import NotFound

from engine.errors import InputError
from engine.parsing import MOST_STREAK
from engine.settlement import SEATS
from engine.text import Text
from engine.tiles import CODES
from webui.config import RULE_SETS
from webui.errors import ApiError
from webui.services import services
from webui.views.api import json_object

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from webui.live import Loop

area = Blueprint("live", __name__)

#: Longest a request may wait for news; browsers and proxies give up later than that.
MAX_WAIT = 25.0

_NO_CAMERA = Text(
    "启动时没有选择镜头，请上传照片或手动输入。",
    "啟動時沒有選擇鏡頭，請上傳照片或手動輸入。",
    "No camera was chosen at the start; upload a photo or enter the hand.",
)
_BAD_VALUE = Text(
    "{name} 的值不对。",
    "{name} 的值不對。",
    "The value of {name} is not possible.",
)
_NO_SUCH_TILE = Text(
    "这张牌已经不在画面里，请再点一次。",
    "這張牌已經不在畫面裡，請再點一次。",
    "This tile is not in the picture any more; tap again.",
)


def live_loop() -> Loop:
    """Return the loop behind the camera.

    Raises:
        ApiError: `no_camera`.
    """
    loop = services().loop
    if loop is None:
        raise ApiError(404, "no_camera", _NO_CAMERA)
    return loop


def _bad(name: str) -> ApiError:
    return ApiError(400, "bad_value", _BAD_VALUE.format(name=name))


def _table(value: object) -> dict[str, Any]:
    """Streaks and chips, as in `table` of the hand record.

    Raises:
        ApiError: `bad_value`, with the name of what is wrong.
    """
    if not isinstance(value, dict):
        raise _bad("table")
    for name, found in value.items():
        if name in {"dealer_streak", "draw_streak"}:
            good = type(found) is int and 0 <= found <= MOST_STREAK
        elif name == "chips":
            good = isinstance(found, dict) and set(found) == set(SEATS) and all(type(n) is int for n in found.values())
        else:
            good = False
        if not good:
            raise _bad(f"table.{name}")
    return value


@area.get("/api/state")
def state() -> ResponseReturnValue:
    """Return the newest state; with `?after=VERSION&wait=SECONDS` only once it differs from that version."""
    loop = live_loop()
    try:
        after = int(request.args.get("after", -1))
        wait = float(request.args.get("wait", 0))
    except ValueError as error:
        raise _bad("after, wait") from error
    if not wait > 0:
        return jsonify(loop.board.read())
    return jsonify(loop.board.wait(after, min(wait, MAX_WAIT)))


@area.get("/live/frame.jpg")
def frame() -> ResponseReturnValue:
    """Return the picture of `?v=VERSION` as JPEG, without it the newest; nothing (204) where it is gone."""
    asked = request.args.get("v")
    if asked is not None and not re.fullmatch(r"[0-9]{1,18}", asked):
        raise _bad("v")
    loop = live_loop()
    picture = loop.jpeg(int(asked) if asked is not None else None)
    if request.args.get("run", loop.run) != loop.run:
        return "", 204
    if picture is None:
        if asked is None or loop.jpeg() is None:
            raise NotFound
        return "", 204
    response = Response(picture[0], mimetype="image/jpeg")
    if asked is not None:
        response.cache_control.private = True
        response.cache_control.max_age = 60
    return response


@area.post("/api/live/pin")
def pin() -> ResponseReturnValue:
    """Say what a tile on the table is: `{"id": 7, "tile": "5m"}`.

    `null` is a tile that lies face down; with `"nothing": true` it is no tile at all.
    """
    body = json_object()
    number, tile = body.get("id"), body.get("tile")
    if type(number) is not int:
        raise _bad("id")
    if tile is not None and tile not in CODES:
        raise _bad("tile")
    if not live_loop().pin(number, tile):
        raise ApiError(409, "no_such_tile", _NO_SUCH_TILE)
    services().live_corrections.said(live_loop(), number, nothing=tile is None and body.get("nothing") is True)
    return jsonify(live_loop().board.read())


@area.post("/api/live/unpin")
def unpin() -> ResponseReturnValue:
    """Take back what was said about a tile: `{"id": 7}`."""
    number = json_object().get("id")
    if type(number) is not int:
        raise _bad("id")
    live_loop().unpin(number)
    services().live_corrections.said(live_loop(), number)
    return jsonify(live_loop().board.read())


@area.post("/api/live/context")
def context() -> ResponseReturnValue:
    """Tell the loop what the picture cannot show.

    Any of `rules`, `seat`, `dealer`, `dealer_open`, `house`, `gold`, `youjin`, `table`; the others stay.
    """
    loop = live_loop()
    body = json_object()
    changes: dict[str, Any] = {}
    for name, allowed in (("rules", RULE_SETS), ("seat", SEATS), ("dealer", SEATS)):
        if name in body:
            if body[name] not in allowed:
                raise _bad(name)
            changes[name] = body[name]
    if "dealer_open" in body:
        if type(body["dealer_open"]) is not bool:
            raise _bad("dealer_open")
        changes["dealer_open"] = body["dealer_open"]
    if "gold" in body:
        if body["gold"] is not None and body["gold"] not in CODES:
            raise _bad("gold")
        changes["gold"] = body["gold"]
    if "youjin" in body:
        if type(body["youjin"]) is not int or not 0 <= body["youjin"] <= 3:
            raise _bad("youjin")
        changes["youjin"] = body["youjin"]
    if "house" in body:
        if not isinstance(body["house"], dict):
            raise _bad("house")
        changes["house"] = body["house"]
    if "table" in body:
        changes["table"] = _table(body["table"])
    try:
        loop.set_context(changes)
    except InputError as error:
        raise ApiError(422, error.code, error.text) from error
    return jsonify(loop.board.read())
