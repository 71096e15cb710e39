"""The JSON API: the engine's answers and the reading of a photo, the same as on the command line."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, jsonify, request
from werkzeug.exceptions import UnsupportedMediaType

from engine import api as engine_api
from engine.decoding import decode, decode_text
from engine.errors import InputError
from engine.text import Text, printable
from engine.tiles import CODES, NAMES, PLAYABLE, parse_tiles
from webui.config import RULE_SETS
from webui.errors import ApiError
from webui.games import GAMES
from webui.services import services

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from flask.typing import ResponseReturnValue

area = Blueprint("api", __name__, url_prefix="/api")

#: A course has far fewer hands; more records in one request are a mistake.
MAX_RECORDS = 1000

_NOT_AN_OBJECT = Text("需要一个 JSON 对象 {…}。", "需要一個 JSON 物件 {…}。", "A JSON object {…} is needed.")
_HALF_A_CHARACTER = Text(
    "里面有半个字符，请重新输入这段文字。",
    "裡面有半個字元，請重新輸入這段文字。",
    "There is half a character in it; type that text again.",
)
_NO_TEXT = Text("缺少 text：要读的牌。", "缺少 text：要讀的牌。", "text is missing: the tiles to read.")
_TOO_MANY_TILES = Text(
    "一手牌最多 {most} 张（花牌另算），这里有 {n} 张。",
    "一手牌最多 {most} 張（花牌另算），這裡有 {n} 張。",
    "A hand has at most {most} tiles beside its flowers; these are {n}.",
)
_FIVE = Text(
    "{tile}写了 {n} 张，一副牌只有 4 张。",
    "{tile}寫了 {n} 張，一副牌只有 4 張。",
    "{tile} is there {n} times; a set has four.",
)
_FLOWER_TWICE = Text(
    "{tile}写了 {n} 张，每种花牌只有 1 张。",
    "{tile}寫了 {n} 張，每種花牌只有 1 張。",
    "{tile} is there {n} times; a set has one of each flower.",
)
_NO_GAME = Text("没有这种打法：{rules}。", "沒有這種打法：{rules}。", "There is no game {rules}.")
_TOO_MANY = Text(
    "一次最多 {n} 个记录，请分几次发送。",
    "一次最多 {n} 個記錄，請分幾次傳送。",
    "At most {n} records at a time; send them in several requests.",
)
_NO_IMAGE = Text(
    "没有收到照片：请在 image 栏附上图片文件。",
    "沒有收到照片：請在 image 欄附上圖片檔案。",
    "No photo arrived: attach a picture file in the field image.",
)


def json_body() -> Any:
    """Return the JSON of this request.

    Raises:
        UnsupportedMediaType: the content type is not JSON (a form of another site cannot send it).
        ApiError: `bad_json`.
    """
    if not request.is_json:
        raise UnsupportedMediaType
    try:
        text = decode_text(request.get_data(cache=False))
        body = decode(text)
    except InputError as error:
        raise ApiError(400, "bad_json", error.text) from error
    if "\\u" in text and not _can_be_kept(body):
        raise ApiError(400, "bad_json", _HALF_A_CHARACTER)
    return body


def _can_be_kept(body: object) -> bool:
    r"""Tell whether all text in it is text; JSON can write half a character (`"\ud83d"`), no file takes it."""
    try:
        json.dumps(body, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def json_object() -> dict[str, Any]:
    """Return the JSON object of this request.

    Raises:
        ApiError: `bad_json` or `not_an_object`.
    """
    body = json_body()
    if not isinstance(body, dict):
        raise ApiError(400, "not_an_object", _NOT_AN_OBJECT)
    return body


def answer_records(function: Callable[[object], dict[str, Any]]) -> ResponseReturnValue:
    """Answer one record, or each of an array in order.

    A record that cannot be a hand is answered with its error and makes the status 422, as it makes the exit status 2
    on the command line; the others are answered all the same.
    """
    body = json_body()
    records = body if isinstance(body, list) else [body]
    if len(records) > MAX_RECORDS:
        raise ApiError(413, "too_many_records", _TOO_MANY.format(n=MAX_RECORDS))
    results = [function(record) for record in records]
    malformed = any("error" in result and "valid" not in result for result in results)
    response: Response = jsonify(results if isinstance(body, list) else results[0])
    response.status_code = 422 if malformed else 200
    return response


@area.post("/score")
def score() -> ResponseReturnValue:
    """Settle a win."""
    return answer_records(engine_api.score)


@area.post("/options")
def options() -> ResponseReturnValue:
    """Say what a hand with a drawn tile may do."""
    return answer_records(engine_api.options)


@area.post("/waits")
def waits() -> ResponseReturnValue:
    """Say what a hand between two turns waits for."""
    return answer_records(engine_api.waits)


@area.post("/claims")
def claims() -> ResponseReturnValue:
    """Say whether a discard may be claimed."""
    return answer_records(engine_api.claims)


@area.post("/event")
def event() -> ResponseReturnValue:
    """Settle an event without a win."""
    return answer_records(engine_api.event)


@area.post("/table")
def table() -> ResponseReturnValue:
    """Answer what the page asks at each change of its hand, all at once.

    Asked are `{"record", "win", "claim"}`: the hand, the same with a `win`, the same with an `offered` tile; each may be
    `null`. The answer is `{"answer", "settlement", "claims"}` and for each an `…error`, `null` where it does not apply.
    A hand that is still being entered is no failed request, so the status is 200 whatever the engine says.
    """
    body = json_object()
    record = body.get("record")
    hand = engine_api.options if isinstance(record, dict) and record.get("drawn") else engine_api.waits
    result: dict[str, Any] = {}
    for asked, function, name in (
        (record, hand, "answer"),
        (body.get("win"), engine_api.score, "settlement"),
        (body.get("claim"), engine_api.claims, "claims"),
    ):
        said = function(asked) if asked is not None else None
        malformed = said is not None and "error" in said and "valid" not in said
        result[name] = None if malformed else said
        result[f"{name}_error"] = said["error"] if said is not None and malformed else None
    return jsonify(result)


@area.post("/tiles")
def tiles() -> ResponseReturnValue:
    """Read tiles that somebody typed: `{"text": "123m 白", "rules": "xiamen"}` gives `{"tiles": ["1m", …]}`.

    More than a hand of that game holds, and more than a set has of a kind, is refused at once.
    """
    body = json_object()
    text = body.get("text")
    if not isinstance(text, str):
        raise ApiError(400, "no_text", _NO_TEXT)
    rules = _rules(body.get("rules", services().config.rules))
    try:
        kinds = parse_tiles(text, "text")
        _fits(kinds, 3 * GAMES[rules].sets + 2)
    except InputError as error:
        return jsonify(error.as_json()), 422
    return jsonify({"tiles": [CODES[kind] for kind in kinds]})


def _fits(kinds: Sequence[int], most: int) -> None:
    """Refuse tiles that no hand holds.

    Raises:
        InputError: `too_many_tiles`, `five_of_a_kind` or `flower_twice`.
    """
    count = sum(kind < PLAYABLE for kind in kinds)
    if count > most:
        raise InputError("too_many_tiles", "text", _TOO_MANY_TILES.format(n=count, most=most))
    for kind, copies in Counter(kinds).items():
        if copies > (4 if kind < PLAYABLE else 1):
            code, text = ("five_of_a_kind", _FIVE) if kind < PLAYABLE else ("flower_twice", _FLOWER_TWICE)
            raise InputError(code, "text", text.format(n=copies, tile=NAMES[kind]))


def _rules(name: object) -> str:
    if not isinstance(name, str) or name not in RULE_SETS:
        raise ApiError(400, "unknown_rules", _NO_GAME.format(rules=printable(str(name))))
    return name


@area.post("/read")
def read() -> ResponseReturnValue:
    """Read a photo: multipart field `image`, or the picture itself as the body.

    The answer is the reading of hand-record.md, with `hand` and `boxes` for the page beside it. `?rules=` says which
    game the table is laid out for.
    """
    data, name = image_of_request()
    rules = _rules(request.args.get("rules", services().config.rules))
    answer = services().eyes.read_photo(data, name, rules)
    return jsonify(answer), (422 if "error" in answer else 200)


def image_of_request() -> tuple[bytes, str]:
    """Return the picture of this request and its name: of the multipart field `image`, or the body itself.

    Raises:
        ApiError: `no_image`.
        UnsupportedMediaType: it is neither.
    """
    kind = request.mimetype
    if kind == "multipart/form-data":
        upload = request.files.get("image") or next(iter(request.files.values()), None)
        if upload is None:
            raise ApiError(400, "no_image", _NO_IMAGE)
        return upload.read(), upload.filename or "image"
    if kind.startswith("image/") or kind == "application/octet-stream":
        data = request.get_data()
        if not data:
            raise ApiError(400, "no_image", _NO_IMAGE)
        return data, request.args.get("name", "image")
    raise UnsupportedMediaType
