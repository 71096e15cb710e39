"""What can be wrong: an input that is no possible hand, and a hand that is no win.

The two are kept apart on purpose (``design/hand-record.md``): an `InputError` says which field of the
record to correct; a `Refusal` is an answer of the rules ("this hand does not win").
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.text import Text


class InputError(ValueError):
    """The input cannot be a hand.

    Attributes:
        code: stable key, for instance ``five_of_a_kind``.
        field: path of the field to correct, for instance ``melds[0].tiles``; ``""`` for the record itself.
        text: what is wrong and what to do about it.
    """

    def __init__(self, code: str, field: str, text: Text) -> None:
        super().__init__(f"{field}: {text.en}" if field else text.en)
        self.code = code
        self.field = field
        self.text = text

    def within(self, prefix: str) -> InputError:
        """The same error seen from the record that contains this one.

        >>> from engine.text import Text
        >>> InputError("x", "hand", Text("", "", "")).within("youjin_players[0]").field
        'youjin_players[0].hand'
        """
        field = f"{prefix}.{self.field}" if self.field else prefix
        return InputError(self.code, field, self.text)

    def as_json(self) -> dict[str, object]:
        """``{"error": {code, field, zh, zh_hant, en}}``."""
        return {"error": {"code": self.code, "field": self.field, **self.text.as_json()}}


@dataclass(frozen=True, slots=True)
class Refusal:
    """The rules do not allow it: the hand does not win, the move is not legal.

    Attributes:
        code: stable key, for instance ``not_complete`` or ``holds_gold``.
        text: why, as a sentence.
    """

    code: str
    text: Text

    def why(self) -> dict[str, str]:
        """``{code, zh, zh_hant, en}``, the form of every ``why``."""
        return {"code": self.code, **self.text.as_json()}

    def as_json(self) -> dict[str, object]:
        """``{"valid": false, "error": {…}}``."""
        return {"valid": False, "error": self.why()}
