"""House rules as the page shows them: every key of a game with its values and its source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine import house
from engine.decoding import read_text
from engine.rules import hangzhou, jinhua

if TYPE_CHECKING:
    from pathlib import Path

#: Name and usual multiplier of each pattern, in the games whose house may change them.
_PATTERNS = {"jinhua": jinhua.PATTERNS, "hangzhou": hangzhou.PATTERNS}
#: How the page edits each kind of key.
_CONTROLS = {"flag": "boolean", "choice": "choice", "integer": "integer", "patterns": "patterns"}


def keys_as_json(rules: str) -> list[dict[str, Any]]:
    """Return the house keys of a game in the order of RULES 10.

    Each is `{key, label, meaning, type, default, choices, minimum, patterns, mark, paragraph, course}`, a pattern
    `{key, name, usual}` with its usual multiplier.
    """
    profile = house.PROFILES[rules]
    defaults = house.as_dict(house.load(profile, None))
    return [
        {
            "key": key,
            "label": rule.setting.label.as_json(),
            "meaning": rule.setting.sentence.as_json(),
            "type": _CONTROLS[rule.setting.kind],
            "default": defaults[key],
            "choices": [{"value": value, "label": label.as_json()} for value, label in rule.setting.values],
            "minimum": rule.setting.minimum,
            "patterns": [
                {"key": pattern, "name": _PATTERNS[rules][pattern][0].as_json(), "usual": _PATTERNS[rules][pattern][1]}
                for pattern in rule.patterns
            ],
            "mark": rule.mark,
            "paragraph": rule.paragraph,
            "course": rule.setting.course,
        }
        for key, rule in house.keys(profile).items()
    ]


def read_file(path: Path, rules: str) -> dict[str, Any]:
    """Read a club's TOML file.

    Raises:
        InputError: the file cannot be read, is no TOML, or has a key or value this game does not know.
    """
    return dict(house.read_profile(read_text(path), rules))
