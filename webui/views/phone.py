"""A phone as the camera: letting it in, the page it shows, and the pictures it sends."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, jsonify, redirect, render_template, request, url_for
from werkzeug.exceptions import NotFound, RequestEntityTooLarge

from engine.text import Text
from webui.errors import ApiError
from webui.security import COOKIE
from webui.services import services
from webui.views.api import json_object
from webui.views.pages import asset_version, page_data

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from webui.phones import Phones, Role

area = Blueprint("phone", __name__)

#: Bytes of one frame; JPEGs of 2560 × 1920 pixels are a third of it.
MAX_FRAME = 6 * 1024 * 1024
#: What of the live state a phone shows.
_SHOWN = ("version", "status", "frame", "tiles", "problems", "hand", "settings", "answer", "error")
_YEAR = 365 * 24 * 3600
_PHONE_ID = re.compile(r"[A-Za-z0-9-]{8,64}")

_WRONG_SECRET = Text(
    "这个配对码不对或已经作废：请重新扫电脑上的二维码。",
    "這個配對碼不對或已經作廢：請重新掃電腦上的 QR 碼。",
    "This pairing code is wrong or no longer valid: scan the code on the computer again.",
)
_OTHER_CAMERA = Text(
    "程序正在看别的镜头（{source}）。要用手机，请用 youjin serve --lan 启动。",
    "程式正在看別的鏡頭（{source}）。要用手機，請用 youjin serve --lan 啟動。",
    "The program looks at another camera ({source}). To use a phone, start it with youjin serve --lan.",
)
_OTHER_CAMERA_NOW = Text(
    "程序正在看别的镜头（{source}）。要改用这部手机，请点“开始”。",
    "程式正在看別的鏡頭（{source}）。要改用這部手機，請點「開始」。",
    "The program looks at another camera ({source}). Tap “Start” to use this phone instead.",
)
_BAD_PHONE = Text(
    "手机的标识不对，请刷新页面。", "手機的識別不對，請重新整理頁面。", "The phone's name is wrong; reload the page."
)


def phone_camera() -> Phones:
    """Return the phones.

    Raises:
        ApiError: `other_camera`, the program looks at another source.
    """
    found = services().phones
    if found is None or services().source_name() != "phone":
        raise ApiError(409, "other_camera", other_camera())
    return found


def other_camera() -> Text:
    """Say that the camera is another one, and how a phone becomes it."""
    text = _OTHER_CAMERA if services().phones is None else _OTHER_CAMERA_NOW
    return text.format(source=services().source_name() or "–")


def _phone(value: object) -> str:
    if not isinstance(value, str) or not _PHONE_ID.fullmatch(value):
        raise ApiError(400, "bad_phone", _BAD_PHONE)
    return value


@area.get("/pair/<secret>")
def pair(secret: str) -> ResponseReturnValue:
    """Let the phone in that scanned the code, and lead it to the camera page."""
    lan = services().lan
    if lan is None:
        raise NotFound
    if not lan.right_secret(secret):
        raise ApiError(403, "wrong_secret", _WRONG_SECRET)
    response = redirect(url_for("phone.camera"), 303)
    response.set_cookie(
        COOKIE, lan.cookie, max_age=_YEAR, httponly=True, secure=request.is_secure, samesite="Lax", path="/"
    )
    return response


@area.get("/phone")
def camera() -> ResponseReturnValue:
    """Show the page that makes a phone the camera."""
    data = {
        **page_data(),
        "camera": services().source_name() == "phone",
        "phones": services().phones is not None,
        "other_camera": other_camera().as_json(),
    }
    return render_template("phone.html", data=data, version=asset_version())


@area.get("/connect")
def connect() -> ResponseReturnValue:
    """Show the code to scan, and how."""
    lan = services().lan
    return render_template(
        "connect.html", lan=lan, links=lan.links() if lan is not None else [], phones=services().phones is not None
    )


@area.get("/connect.svg")
def code() -> ResponseReturnValue:
    """Draw the code; `?n=1` that of the second address."""
    lan = services().lan
    links = lan.links() if lan is not None else []
    number = request.args.get("n", 0, int)
    if not 0 <= number < len(links):
        raise NotFound
    from webui.lan import qr_svg  # noqa: PLC0415

    return Response(qr_svg(links[number]), mimetype="image/svg+xml")


@area.post("/api/phone/hello")
def hello() -> ResponseReturnValue:
    """A phone is there: `{"phone": ID, "start": false, "version": N}`; `start` where its owner pressed the button."""
    body = json_object()
    version = body.get("version")
    role = phone_camera().hello(_phone(body.get("phone")), start=body.get("start") is True)
    return jsonify(_answer(role, version if type(version) is int else -1))


@area.post("/api/phone/frame")
def frame() -> ResponseReturnValue:
    """Take a picture: the body is a JPEG, `?phone=ID&version=N`; `&photo=1` for a photo that stands alone.

    A phone that is not the camera is told so, its picture is not looked at. What is no picture is answered 422 and
    changes nothing.
    """
    from vision.images import ImageError  # noqa: PLC0415  (loads OpenCV)

    photo = request.args.get("photo") == "1"
    if not photo:
        request.max_content_length = MAX_FRAME
        if (request.content_length or 0) > MAX_FRAME:
            raise RequestEntityTooLarge
    name = _phone(request.args.get("phone"))
    phones = phone_camera()
    role = phones.hello(name, start=True) if photo else phones.role(name)
    if role == "camera":
        try:
            phones.feed(name, request.get_data(cache=False), photo=photo)
        except ImageError as error:
            raise ApiError(422, error.code, error.text) from error
    return jsonify(_answer(role, request.args.get("version", -1, int)))


@area.post("/api/phone/bye")
def bye() -> ResponseReturnValue:
    """A phone pauses or leaves: `{"phone": ID}`."""
    phone_camera().bye(_phone(json_object().get("phone")))
    return jsonify({"ok": True})


def _answer(role: Role, version: int) -> dict[str, Any]:
    """What a phone is told: its role, whether a picture is wanted, and what was read if it is news to it."""
    loop, phones = services().loop, phone_camera()
    answer: dict[str, Any] = {"role": role, "want": role == "camera" and phones.wants_picture, "seen": None}
    if loop is not None and loop.board.version != version:
        state = loop.board.read()
        answer["seen"] = {key: state[key] for key in _SHOWN}
    return answer
