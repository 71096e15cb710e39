"""Setting up the table: which camera is looked at, where I sit, and what lies where on the picture."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from flask import Blueprint, jsonify, request

from engine.text import Text
from webui.errors import ApiError
from webui.security import from_this_machine
from webui.views.api import json_object
from webui.views.live import live_loop

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from webui.live import Loop

area = Blueprint("setup", __name__)

#: Seconds that the loop may take until it looks at another source.
TAKEN_OVER = 5.0

_NO_SPEC = Text(
    "请选一个镜头，或写明网址、文件、文件夹。",
    "請選一個鏡頭，或寫明網址、檔案、資料夾。",
    "Choose a camera, or name an address, a file or a folder.",
)
_NOT_FROM_OUTSIDE = Text(
    "手机上只能选列出来的镜头；网址和文件请在电脑上选。",
    "手機上只能選列出來的鏡頭；網址和檔案請在電腦上選。",
    "From a phone only the cameras in the list can be chosen; addresses and files are chosen on the computer.",
)
_NO_SIDE = Text(
    "“我坐哪边”只能是下、右、上、左，或自动。",
    "「我坐哪邊」只能是下、右、上、左，或自動。",
    "The side where I sit is bottom, right, top, left, or found from the picture.",
)


@area.get("/api/sources")
def sources() -> ResponseReturnValue:
    """Return what could be looked at: `{"sources": [{"spec", "name", "current"}]}`."""
    return jsonify({"sources": live_loop().sources()})


@area.post("/api/source")
def switch() -> ResponseReturnValue:
    """Look at another source: `{"spec": "0"}`. The one before stays where it does not open."""
    from vision.camera import SourceError, canonical  # noqa: PLC0415  (loads OpenCV)

    loop = live_loop()
    spec = json_object().get("spec")
    if not isinstance(spec, str) or not spec.strip():
        raise ApiError(400, "no_spec", _NO_SPEC)
    spec = spec.strip()
    # Any path would let whoever was let in look at every picture on this computer.
    if not from_this_machine(request.remote_addr) and spec not in {source["spec"] for source in loop.sources()}:
        raise ApiError(403, "not_from_outside", _NOT_FROM_OUTSIDE)
    try:
        loop.switch(spec)
    except SourceError as error:
        raise ApiError(422, "no_source", error.text) from error
    # The loop takes over between two pictures; whoever asked goes on when it has.
    wanted, end = canonical(spec), time.monotonic() + TAKEN_OVER
    while loop.spec != wanted and time.monotonic() < end:
        time.sleep(0.02)
    return sources()


@area.get("/api/zones")
def zones() -> ResponseReturnValue:
    """Return what was drawn on the picture: `{"zones": [{"kind", "polygon"}], "seat": "bottom" or null}`."""
    return jsonify(_drawn(live_loop()))


@area.put("/api/zones")
def draw() -> ResponseReturnValue:
    """Take what was drawn on the picture, in the form of `GET`; both parts are kept for the next start."""
    from vision.table import SIDES  # noqa: PLC0415
    from vision.zones import ZoneError, Zones  # noqa: PLC0415

    loop = live_loop()
    body = json_object()
    seat = body.get("seat")
    if seat is not None and seat not in SIDES:
        raise ApiError(422, "no_side", _NO_SIDE)
    try:
        drawn = Zones.from_json(body.get("zones"))
    except ZoneError as error:
        raise ApiError(422, error.code, error.text) from error
    loop.set_zones(drawn)
    loop.set_seat(seat)
    return jsonify(_drawn(loop))


def _drawn(loop: Loop) -> dict[str, Any]:
    return {"zones": loop.zones.as_json(), "seat": loop.side}
