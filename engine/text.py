"""Sentences for people, in the three languages of the product."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

#: The languages a text exists in, by the key they have in JSON.
LANGUAGES: Final = ("zh", "zh_hant", "en")


@dataclass(frozen=True, slots=True)
class Text:
    """One sentence in simplified Chinese, traditional Chinese and English.

    >>> Text("自摸", "自摸", "self-draw").in_language("en")
    'self-draw'
    """

    zh: str
    zh_hant: str
    en: str

    def as_json(self) -> dict[str, str]:
        """The three languages by their JSON key.

        >>> Text("东", "東", "east").as_json()
        {'zh': '东', 'zh_hant': '東', 'en': 'east'}
        """
        return {"zh": self.zh, "zh_hant": self.zh_hant, "en": self.en}

    def format(self, **values: object) -> Text:
        """The text with ``{name}`` replaced in each language; a ``Text`` value by its own language.

        >>> Text("{n} 张 {t}", "{n} 張 {t}", "{n} × {t}").format(n=2, t=Text("东", "東", "east")).en
        '2 × east'
        """
        if not any(isinstance(value, Text) for value in values.values()):
            return Text(self.zh.format_map(values), self.zh_hant.format_map(values), self.en.format_map(values))
        return Text(
            *(
                getattr(self, language).format_map(
                    {
                        name: value.in_language(language) if isinstance(value, Text) else value
                        for name, value in values.items()
                    }
                )
                for language in LANGUAGES
            )
        )

    def in_language(self, language: str) -> str:
        """The sentence in one language.

        Raises:
            KeyError: the language is none of ``LANGUAGES``.
        """
        return self.as_json()[language]


def printable(text: str, most: int = 40) -> str:
    r"""A piece of foreign input as it may be quoted in a message: short, and without control characters.

    >>> printable("abcdefgh", 5)
    'abcd…'
    """
    shown = "".join(char if char.isprintable() else "\ufffd" for char in text[: most + 1])
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def same(text: str) -> Text:
    """A text that reads the same in every language: a number, a tile code.

    >>> same("5m").zh
    '5m'
    """
    return Text(text, text, text)


def join(texts: list[Text], *, chinese: str = "、", english: str = ", ") -> Text:
    """Several texts as one list.

    >>> join([same("1m"), same("2m")]).en
    '1m, 2m'
    """
    return Text(
        chinese.join(text.zh for text in texts),
        chinese.join(text.zh_hant for text in texts),
        english.join(text.en for text in texts),
    )


def language_of(environment: Mapping[str, str]) -> str:
    """The language that a command line speaks: what the usual variables of the environment ask for, else English.

    >>> language_of({"LANG": "zh_TW.UTF-8"}), language_of({"LC_ALL": "zh_CN.UTF-8", "LANG": "de_DE"}), language_of({})
    ('zh_hant', 'zh', 'en')
    """
    asked = next((environment[key] for key in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(key)), "").lower()
    if not asked.startswith("zh"):
        return "en"
    return "zh_hant" if any(place in asked for place in ("tw", "hk", "mo", "hant")) else "zh"
