"""Teaching the program one's own set: the page, and what it asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, jsonify, render_template, request

from engine.text import Text
from vision.profiles import ProfileError
from webui.errors import NO_MODEL, ApiError
from webui.services import services
from webui.views.api import image_of_request, json_object
from webui.views.pages import asset_version, page_data

if TYPE_CHECKING:
    import numpy as np
    from flask.typing import ResponseReturnValue
    from numpy.typing import NDArray

area = Blueprint("calibration", __name__)

#: Pixels of the long side of a picture on the page.
SHOWN = 1280
_STATUS = {"unknown_profile": 404, "unknown_step": 400, "no_such_shot": 409, "busy": 409, "not_written": 500}
_NO_PICTURE = Text(
    "镜头还没有画面。请等一下，或上传一张照片。",
    "鏡頭還沒有畫面。請等一下，或上傳一張照片。",
    "The camera shows no picture yet. Wait a moment, or upload a photo.",
)


@area.errorhandler(ProfileError)
def profile_error(error: ProfileError) -> ResponseReturnValue:
    """Answer what cannot be done with a set."""
    return jsonify(ApiError(422, error.code, error.text).as_json()), _STATUS.get(error.code, 422)


@area.get("/calibrate")
def page() -> ResponseReturnValue:
    """Show the page."""
    return render_template(
        "calibrate.html", data=page_data(), camera=services().loop is not None, version=asset_version()
    )


@area.get("/api/calibration")
def state() -> ResponseReturnValue:
    """Return `{steps, profiles, damaged, active, trouble}`."""
    return jsonify(services().calibration.as_json())


@area.post("/api/calibration/look")
def look() -> ResponseReturnValue:
    """Look for a row, in the picture of the camera or in a photo that was sent.

    JSON `{"step", "turned"}`, or multipart `image` and `step`. The answer says what was found; nothing is taken yet.
    """
    from vision.images import ImageError, load_image  # noqa: PLC0415
    from vision.runtime import ModelError  # noqa: PLC0415

    shared = services()
    turned: bool | None = None
    if request.mimetype == "multipart/form-data":
        step: object = request.form.get("step")
        try:
            image = load_image(image_of_request()[0])
        except ImageError as error:
            raise ApiError(422, error.code, error.text) from error
    else:
        body = json_object()
        step = body.get("step")
        if isinstance(body.get("turned"), bool):
            turned = body["turned"]
        image = shared.calibration.pending(body["shot"]).image if "shot" in body else _newest()
    try:
        return jsonify(shared.calibration.look(image, step, turned=turned))
    except ModelError as error:
        raise ApiError(503, "no_model", NO_MODEL.format(why=error.text)) from error


def _newest() -> NDArray[np.uint8]:
    loop = services().loop
    image = loop.picture() if loop is not None else None
    if image is None:
        raise ApiError(409, "no_picture", _NO_PICTURE)
    return image


@area.get("/calibrate/<shot>.jpg")
def shot_picture(shot: str) -> ResponseReturnValue:
    """Return a picture that was looked at."""
    import cv2  # noqa: PLC0415

    image = services().calibration.pending(shot).image
    height, width = image.shape[:2]
    scale = min(1.0, SHOWN / max(height, width))
    small = cv2.resize(image, (round(width * scale), round(height * scale)), interpolation=cv2.INTER_AREA)
    return Response(cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes(), mimetype="image/jpeg")


@area.post("/api/calibration/take")
def take() -> ResponseReturnValue:
    """Take the row of a picture that was looked at: `{"shot"}`."""
    services().calibration.take(json_object().get("shot"))
    return state()


@area.post("/api/calibration/drop")
def drop() -> ResponseReturnValue:
    """Forget what was taken: `{"step"}`, or `{}` for all rows."""
    services().calibration.drop(json_object().get("step"))
    return state()


@area.post("/api/calibration/learn")
def learn() -> ResponseReturnValue:
    """Learn what was taken: `{"name"}`; or a set anew from its kept pictures: `{"again"}`. Answers the profile."""
    from vision.runtime import ModelError  # noqa: PLC0415

    body: dict[str, Any] = json_object()
    calibration = services().calibration
    try:
        if isinstance(body.get("again"), str):
            profile = calibration.learn_again(body["again"])
        else:
            profile = calibration.learn(str(body.get("name") or ""))
    except ModelError as error:
        raise ApiError(503, "no_model", NO_MODEL.format(why=error.text)) from error
    return jsonify({"profile": profile.as_json(), "state": calibration.as_json()})


@area.put("/api/calibration/active")
def use() -> ResponseReturnValue:
    """Choose the set in use: `{"name"}`, `null` for none."""
    name = json_object().get("name")
    services().calibration.use(name if isinstance(name, str) else None)
    return state()


@area.post("/api/calibration/remove")
def remove() -> ResponseReturnValue:
    """Forget a set: `{"name"}`."""
    services().calibration.delete(str(json_object().get("name") or ""))
    return state()
