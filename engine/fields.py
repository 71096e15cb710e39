"""A JSON object read field by field, with an error that names the field for everything unexpected."""

from __future__ import annotations

import json
from difflib import get_close_matches
from typing import Any

from engine.errors import InputError
from engine.settlement import SEATS
from engine.text import Text, printable
from engine.tiles import NAMES, PLAYABLE, parse_tiles


def shown(value: object) -> str:
    """A value as a short quotation; containers by their kind, so that nothing large or deep is printed."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, dict):
        return "{…}"
    if isinstance(value, list):
        return "[…]"
    return printable(json.dumps(value)) if value is None or isinstance(value, bool) else printable(_number(value))


def _quoted(value: object) -> Text:
    """A value in a sentence: text in quotation marks, so that ``"3"`` is not taken for the number."""
    name = shown(value)
    return Text(f"“{name}”", f"「{name}」", f'"{name}"') if isinstance(value, str) else Text(name, name, name)


def _number(value: object) -> str:
    # Python refuses to print integers of more than 4300 digits, and nobody wants to read them.
    return "10^…" if isinstance(value, int) and abs(value) >= 10**30 else repr(value)


class Fields:
    """A JSON object read field by field; what is left over at the end is an error."""

    def __init__(self, data: object, prefix: str, known: tuple[str, ...]) -> None:
        if not isinstance(data, dict):
            raise InputError(
                "not_an_object",
                prefix,
                Text(
                    f"这里应该是一个对象 {{…}}，而不是 {shown(data)}" if prefix else "记录应该是一个 JSON 对象 {…}",
                    f"這裡應該是一個物件 {{…}}，而不是 {shown(data)}" if prefix else "記錄應該是一個 JSON 物件 {…}",
                    f"this must be an object {{…}}, not {shown(data)}" if prefix else "a record is a JSON object {…}",
                ),
            )
        self.data: dict[Any, Any] = data
        self.prefix = prefix + "." if prefix else ""
        for key in data:
            if key not in known:
                listed = ", ".join(known)
                close = get_close_matches(shown(key), known, 1)
                name = shown(key)
                raise InputError(
                    "unknown_field",
                    self.prefix + name,
                    Text(
                        f"没有“{name}”这一项" + (f"，是不是 {close[0]}？" if close else f"，可用的有：{listed}"),
                        f"沒有「{name}」這一項" + (f"，是不是 {close[0]}？" if close else f"，可用的有：{listed}"),
                        f'there is no field "{name}"'
                        + (f"; did you mean {close[0]}?" if close else f"; there are: {listed}"),
                    ),
                )

    def path(self, key: str) -> str:
        """The field's name from the top of the record."""
        return self.prefix + key

    def get(self, key: str) -> Any:
        """The raw value; ``None`` if missing."""
        return self.data.get(key)

    def wrong(self, key: str, value: object, expected: Text) -> InputError:
        """The error for a value of a wrong type."""
        given = _quoted(value)
        return InputError(
            "bad_value",
            self.path(key),
            Text(
                f"这里应该是{expected.zh}，而不是 {given.zh}",
                f"這裡應該是{expected.zh_hant}，而不是 {given.zh_hant}",
                f"this must be {expected.en}, not {given.en}",
            ),
        )

    def missing(self, key: str, what: Text) -> InputError:
        """The error for a value that must be there."""
        return InputError(
            "missing", self.path(key), Text(f"缺少{what.zh}", f"缺少{what.zh_hant}", f"{what.en} is missing")
        )

    def choice(self, key: str, allowed: tuple[str, ...]) -> str | None:
        """One of some words, or ``None`` if missing."""
        value = self.data.get(key)
        if value is not None and (not isinstance(value, str) or value not in allowed):
            listed = ", ".join(allowed)
            raise self.wrong(key, value, Text(f"其中之一：{listed}", f"其中之一：{listed}", f"one of {listed}"))
        return value

    def seat(self, key: str, default: str | None = None) -> str | None:
        """A seat, or the default if missing."""
        return self.choice(key, SEATS) or default

    def flag(self, key: str) -> bool:
        """True or false; false if missing."""
        value = self.data.get(key)
        if value is not None and not isinstance(value, bool):
            raise self.wrong(key, value, Text(" true 或 false", " true 或 false", "true or false"))
        return bool(value)

    def integer(self, key: str, least: int, most: int) -> int | None:
        """A whole number in a range, or ``None`` if missing."""
        value = self.data.get(key)
        if value is not None and (type(value) is not int or not least <= value <= most):
            raise self.wrong(
                key,
                value,
                Text(
                    f" {least} 到 {most} 的整数", f" {least} 到 {most} 的整數", f"a whole number from {least} to {most}"
                ),
            )
        return value

    def tiles(self, key: str) -> tuple[int, ...] | None:
        """Tiles in the order written, or ``None`` if missing."""
        value = self.data.get(key)
        if value is None:
            return None
        if not isinstance(value, str):
            raise self.wrong(
                key, value, Text("牌的文字，例如 123m", "牌的文字，例如 123m", "tiles as text, such as 123m")
            )
        return parse_tiles(value, self.path(key))

    def tile(self, key: str) -> int | None:
        """Exactly one tile that is no flower, or ``None`` if missing."""
        kinds = self.tiles(key)
        if kinds is None:
            return None
        if len(kinds) != 1:
            raise InputError(
                "one_tile",
                self.path(key),
                Text(
                    f"这里只能是一张牌，写了 {len(kinds)} 张",
                    f"這裡只能是一張牌，寫了 {len(kinds)} 張",
                    f"this is exactly one tile; {len(kinds)} are given",
                ),
            )
        if kinds[0] >= PLAYABLE:
            raise InputError(
                "flower_not_allowed",
                self.path(key),
                Text(
                    f"{NAMES[kinds[0]].zh}是花牌：请放到 flowers，先补花",
                    f"{NAMES[kinds[0]].zh_hant}是花牌：請放到 flowers，先補花",
                    f"{NAMES[kinds[0]].en} is a flower: lay it out in flowers and draw its replacement first",
                ),
            )
        return kinds[0]

    def items(self, key: str) -> list[Any]:
        """A list; empty if missing."""
        value = self.data.get(key)
        if value is None:
            return []
        if not isinstance(value, list):
            raise self.wrong(key, value, Text("列表 […]", "列表 […]", "a list […]"))
        return value
