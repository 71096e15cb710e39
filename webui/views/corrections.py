"""The corrected pictures: whether they may be kept, which are, and what becomes of them."""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING

from flask import Blueprint, Response, jsonify, render_template, request, send_file

from engine.decoding import decode
from engine.errors import InputError
from engine.text import Text
from webui.corrections import labels_from_json
from webui.errors import ApiError
from webui.services import services
from webui.store import StoreError
from webui.views.api import image_of_request, json_object
from webui.views.pages import asset_version, page_data

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

area = Blueprint("corrections", __name__)

#: Pixels of the long side of a kept photo; the reader gains nothing from more.
LONGEST = 4096
_QUALITY = 93
_NO_ANSWER = Text(
    "请回答：同意还是不同意保存。",
    "請回答：同意還是不同意保存。",
    "Say whether corrected pictures may be kept: true or false.",
)
_NOT_WRITTEN = Text(
    "照片存不下来：{why}。请检查 {folder} 的权限和磁盘空间。",
    "照片存不下來：{why}。請檢查 {folder} 的權限和磁碟空間。",
    "The picture cannot be kept: {why}. Check the permissions of {folder} and the space on the disk.",
)


@area.get("/corrections")
def corrections() -> ResponseReturnValue:
    """Show the kept pictures."""
    return render_template("corrections.html", data=page_data(), version=asset_version())


@area.get("/api/corrections")
def pictures() -> ResponseReturnValue:
    """Return `{consent, folder, pictures}`."""
    kept = services().corrections
    return jsonify({"consent": kept.consent, "folder": str(kept.folder), "pictures": kept.read()})


@area.put("/api/corrections/consent")
def consent() -> ResponseReturnValue:
    """Say whether pictures may be kept: `{"consent": true}`."""
    answer = json_object().get("consent")
    if not isinstance(answer, bool):
        raise ApiError(400, "bad_value", _NO_ANSWER)
    services().corrections.agree(answer)
    return pictures()


@area.post("/api/corrections")
def keep() -> ResponseReturnValue:
    """Keep a corrected photo: multipart `image` and `labels`, `{"scene", "width", "height", "tiles"}`.

    The answer says whether it was kept: not while a tile in it is in doubt.
    """
    import cv2  # noqa: PLC0415

    from vision.images import ImageError, load_image  # noqa: PLC0415

    kept = services().corrections
    data, _ = image_of_request()
    try:
        said = decode(request.form.get("labels", ""))
        image = load_image(data)  # turned upright; what the camera wrote into the file, its place too, goes
    except InputError as error:
        raise ApiError(422, error.code, error.text) from error
    except ImageError as error:
        raise ApiError(422, error.code, error.text) from error
    said = said if isinstance(said, dict) else {}
    labels = labels_from_json(said.get("tiles"), said.get("width"), said.get("height"))
    height, width = image.shape[:2]
    scale = LONGEST / max(width, height)
    if scale < 1:
        image = cv2.resize(image, (round(width * scale), round(height * scale)), interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1].tobytes()
    try:
        return jsonify({"kept": kept.keep(str(said.get("scene", "")), jpeg, labels)})
    except OSError as error:
        raise StoreError(_NOT_WRITTEN.format(why=error.strerror, folder=kept.folder)) from error


@area.get("/corrections/<name>.jpg")
def picture(name: str) -> ResponseReturnValue:
    """Return a kept picture; with `?small` one for a list."""
    import cv2  # noqa: PLC0415

    from vision.images import load_image  # noqa: PLC0415

    path = services().corrections.picture(name)
    if "small" not in request.args:
        return send_file(path, mimetype="image/jpeg")
    image = load_image(path)
    height, width = image.shape[:2]
    scale = min(1.0, 640 / max(width, height))
    small = cv2.resize(image, (round(width * scale), round(height * scale)), interpolation=cv2.INTER_AREA)
    return Response(cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 80])[1].tobytes(), mimetype="image/jpeg")


@area.delete("/api/corrections/<name>")
def delete(name: str) -> ResponseReturnValue:
    """Delete a picture."""
    services().corrections.delete([name])
    return pictures()


@area.delete("/api/corrections")
def delete_all() -> ResponseReturnValue:
    """Delete all pictures."""
    services().corrections.delete()
    return pictures()


@area.get("/corrections.zip")
def export() -> ResponseReturnValue:
    """Return all pictures and labels as one archive."""
    file = tempfile.TemporaryFile()  # noqa: SIM115  (closed with the answer)
    services().corrections.write_zip(file)
    file.seek(0)
    return send_file(file, mimetype="application/zip", as_attachment=True, download_name="youjin-corrections.zip")
