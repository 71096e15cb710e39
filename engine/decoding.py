"""Files and JSON as people write them: decoded without Python's traps, refused with a sentence.

>>> decode('{"hand": "123m", "hand": "456p"}')
Traceback (most recent call last):
    ...
engine.errors.InputError: this is not valid JSON: "hand" is given twice
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from engine.errors import InputError
from engine.text import Text, printable

if TYPE_CHECKING:
    from pathlib import Path

_EMPTY: Final = Text(
    "里面什么都没有，应该有一个 JSON 手牌记录",
    "裡面什麼都沒有，應該有一個 JSON 手牌記錄",
    "there is nothing in it; a hand record as JSON is needed",
)
_TOO_DEEP: Final = Text("JSON 嵌套太深", "JSON 巢狀太深", "the JSON is nested too deeply")
_TOO_LONG: Final = Text("有一个数字太长", "有一個數字太長", "a number is too long")
_NOT_UTF8: Final = Text("文件不是 UTF-8 文字", "檔案不是 UTF-8 文字", "the file is not UTF-8 text")

#: Why a file cannot be read, by the name of Python's exception; the system's own words are in its language only.
_WHY: Final = {
    "FileNotFoundError": Text("没有这个文件", "沒有這個檔案", "there is no such file"),
    "IsADirectoryError": Text("这是文件夹，不是文件", "這是資料夾，不是檔案", "this is a folder, not a file"),
    "PermissionError": Text("没有读取它的权限", "沒有讀取它的權限", "it may not be read; check its permissions"),
}


def decode(text: str) -> object:
    """JSON without its traps: no NaN, no key twice, no numbers or nesting without end.

    Raises:
        InputError: ``bad_json``, the text is not such JSON.
    """
    if not text.strip():
        raise InputError("bad_json", "", _EMPTY)
    try:
        return json.loads(text, parse_constant=_no_constant, object_pairs_hook=_no_duplicates)
    except RecursionError:
        message = _TOO_DEEP
    except json.JSONDecodeError as error:
        where = f"{error.lineno}:{error.colno}"
        message = Text(
            f"不是有效的 JSON（{where}）",
            f"不是有效的 JSON（{where}）",
            f"this is not valid JSON ({where}: {error.msg})",
        )
    except InputError:
        raise
    except ValueError:  # more digits than Python turns into a number
        raise _bad(_TOO_LONG) from None
    raise InputError("bad_json", "", message)


def _no_constant(name: str) -> object:
    raise _bad(Text("{what} 不是数字", "{what} 不是數字", "{what} is no number").format(what=name))


def _bad(why: Text) -> InputError:
    text = Text("不是有效的 JSON：{why}", "不是有效的 JSON：{why}", "this is not valid JSON: {why}")
    return InputError("bad_json", "", text.format(why=why))


def _no_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    data = dict(pairs)
    if len(data) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        name = printable(twice)
        raise _bad(Text(f"“{name}”写了两次", f"「{name}」寫了兩次", f'"{name}" is given twice'))
    return data


def decode_text(raw: bytes) -> str:
    """The text of a file; a byte order mark (Notepad writes one) is no part of it.

    Raises:
        InputError: ``not_utf8``.
    """
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("not_utf8", "", _NOT_UTF8) from None


def read_text(path: Path) -> str:
    """The text of a file.

    Raises:
        InputError: ``unreadable`` or ``not_utf8``.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise unreadable(error) from error
    return decode_text(raw)


def unreadable(error: OSError) -> InputError:
    """The error for a file that the system does not give."""
    reason = error.strerror or str(error)
    why = _WHY.get(type(error).__name__, Text(reason, reason, reason))
    return InputError(
        "unreadable",
        "",
        Text("无法读取文件：{why}", "無法讀取檔案：{why}", "the file cannot be read: {why}").format(why=why),
    )
