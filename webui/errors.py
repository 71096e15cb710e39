"""Errors of the HTTP layer: one JSON form for the API, one page for people."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from flask import Blueprint, Flask, Response, current_app, jsonify, render_template, request
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge

from engine.text import Text
from webui.store import StoreError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask.typing import ResponseReturnValue

log = logging.getLogger(__name__)


NO_MODEL = Text("缺少识别模型：{why}", "缺少辨識模型：{why}", "The models that read the tiles are missing: {why}")


class ApiError(Exception):
    """An answer that is an error: HTTP status, code, and a sentence that says what to do."""

    def __init__(self, status: int, code: str, text: Text) -> None:
        super().__init__(text.en)
        self.status = status
        self.code = code
        self.text = text

    def as_json(self) -> dict[str, dict[str, str]]:
        """Return `{"error": {"code", "zh", "zh_hant", "en"}}`."""
        return {"error": {"code": self.code, **self.text.as_json()}}


# What werkzeug raises by itself, in words a player understands.
_HTTP_TEXTS: Mapping[int, tuple[str, Text]] = {
    400: (
        "bad_request",
        Text(
            "请求无法读懂，请刷新页面再试。",
            "請求無法讀懂，請重新整理頁面再試。",
            "The request could not be understood. Reload the page and try again.",
        ),
    ),
    403: (
        "forbidden",
        Text(
            "这个请求不是从本页面发出的，已拒绝。",
            "這個請求不是從本頁面發出的，已拒絕。",
            "This request did not come from this page and was refused.",
        ),
    ),
    404: (
        "not_found",
        Text(
            "没有这个页面，请回到首页。",
            "沒有這個頁面，請回到首頁。",
            "There is no such page. Go back to the start page.",
        ),
    ),
    405: (
        "method_not_allowed",
        Text(
            "这个地址不接受这种请求方式。",
            "這個位址不接受這種請求方式。",
            "This address does not take this kind of request.",
        ),
    ),
    413: (
        "too_large",
        Text(
            "文件太大：最多 {limit} MB。请缩小照片后再上传。",
            "檔案太大：最多 {limit} MB。請縮小照片後再上傳。",
            "The file is too large: at most {limit} MB. Make the photo smaller and upload it again.",
        ),
    ),
    415: (
        "unsupported_media_type",
        Text(
            "内容类型不对：记录请用 application/json，照片请用 multipart/form-data 或 image/*。",
            "內容類型不對：記錄請用 application/json，照片請用 multipart/form-data 或 image/*。",
            "Wrong content type: send records as application/json, photos as multipart/form-data or image/*.",
        ),
    ),
    500: (
        "internal",
        Text(
            "程序内部出错，已记入日志。你的手牌还在，请再试一次。",
            "程式內部出錯，已記入日誌。你的手牌還在，請再試一次。",
            "Something went wrong inside the program and was written to the log. Your hand is kept; try again.",
        ),
    ),
}


def _describe(status: int) -> tuple[str, Text]:
    code, text = _HTTP_TEXTS.get(status) or _HTTP_TEXTS[400 if status < 500 else 500]
    if status == 413:
        text = text.format(limit=(request.max_content_length or 0) // (1024 * 1024))
    return code, text


def _wants_json() -> bool:
    return request.path.startswith("/api/") or request.path.startswith("/live/")


def _answer(status: int, code: str, text: Text) -> ResponseReturnValue:
    if _wants_json():
        response: Response = jsonify(ApiError(status, code, text).as_json())
        response.status_code = status
        return response
    return render_template("error.html", text=text, code=code, status=status), status


def register(app: Flask) -> None:
    """Let `app` answer every error in the right form."""
    area = Blueprint("errors", __name__)

    @area.app_errorhandler(ApiError)
    def api_error(error: ApiError) -> ResponseReturnValue:
        return _answer(error.status, error.code, error.text)

    @area.app_errorhandler(StoreError)
    def store_error(error: StoreError) -> ResponseReturnValue:
        log.error("%s %s: %s", request.method, request.path, error.__cause__ or error)
        return _answer(503, "not_kept", error.text)

    @area.app_errorhandler(HTTPException)
    def http_error(error: HTTPException) -> ResponseReturnValue:
        status = error.code or 500
        if status < 400:  # a redirect is an HTTPException too
            return error.get_response()
        answer = current_app.make_response(_answer(status, *_describe(status)))
        if isinstance(error, RequestEntityTooLarge):
            answer.headers["Connection"] = "close"
        for name, value in error.get_headers():
            if name == "Allow":
                answer.headers[name] = value
        return answer

    @area.app_errorhandler(Exception)
    def crash(error: Exception) -> ResponseReturnValue:
        log.error("%s %s failed", request.method, request.path, exc_info=error)
        return _answer(500, *_describe(500))

    app.register_blueprint(area)
