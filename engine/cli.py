"""The command line of the engine: ``youjin score``, ``options``, ``waits``, ``claims``."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from engine import api
from engine import house as house_rules
from engine.decoding import decode, decode_text, read_text, unreadable
from engine.errors import InputError
from engine.rules import GAMES
from engine.sheet import sheet
from engine.text import LANGUAGES, language_of, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Document:
    """One record of the input: its name for messages, and its data or why there are none."""

    name: str
    data: object = None
    error: InputError | None = None


def system_language() -> str:
    """The language of the terminal."""
    return language_of(os.environ)


# --- reading files --------------------------------------------------------------------------------------


def _documents(source: str) -> Iterator[_Document]:
    """The records of a file, or of standard input for ``-``: one record, a JSON array, or JSON lines."""
    shown = "stdin" if source == "-" else source
    try:
        text = _standard_input() if source == "-" else read_text(Path(source))
    except InputError as error:
        yield _Document(shown, error=error)
        return
    yield from _split(text, shown)


def _standard_input() -> str:
    try:
        raw = sys.stdin.buffer.read()
    except OSError as error:
        raise unreadable(error) from error
    return decode_text(raw)


def _split(text: str, shown: str) -> Iterator[_Document]:
    try:
        data = decode(text)
    except InputError as error:
        lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
        if len(lines) < 2 or not (_is_json(lines[0][1]) or _are_lines([line for _, line in lines])):
            yield _Document(shown, error=error)
            return
        for number, line in lines:
            name = f"{shown}:{number}"
            try:
                yield _Document(name, decode(line))
            except InputError as line_error:
                yield _Document(name, error=line_error)
        return
    if isinstance(data, list):
        for number, item in enumerate(data, 1):
            yield _Document(f"{shown}[{number}]", item)
    else:
        yield _Document(shown, data)


def _is_json(line: str) -> bool:
    try:
        decode(line)
    except InputError:
        return False
    return True


def _are_lines(lines: list[str]) -> bool:
    """Whether these are JSON lines although the first one is broken: each opens a record, and one is whole."""
    return all(line.lstrip().startswith("{") for line in lines) and any(map(_is_json, lines))


# --- answering ------------------------------------------------------------------------------------------

_QUESTIONS: Final[dict[str, Callable[..., Json]]] = {
    "score": api.score,
    "options": api.options,
    "waits": api.waits,
    "claims": api.claims,
}


def _unwrapped(document: _Document) -> _Document:
    """A worked case (``{"id": …, "record": {…}}``) stands for its record."""
    data = document.data
    if isinstance(data, dict) and isinstance(data.get("id"), str):
        document = _Document(f"{document.name} {printable(data['id'])}", data)
    if isinstance(data, dict) and "rules" not in data and isinstance(data.get("record"), dict):
        return _Document(document.name, data["record"])
    return document


def _house_of(data: object, profile: str | None) -> dict[str, object] | None:
    """What the profile file says for the game of a record."""
    if profile is None or not isinstance(data, dict) or data.get("rules") not in GAMES:
        return None
    return house_rules.read_profile(profile, data["rules"])


def _run(question: str, files: tuple[str, ...], profile: str | None, language: str, *, human: bool) -> None:
    """Answers every record in order; leaves with status 2 if one of them was not well formed."""
    failed = False
    first = True
    for source in files:
        for found in _documents(source):
            document = _unwrapped(found)
            if document.error is not None:
                answer: Json = document.error.as_json()
            else:
                try:
                    house = _house_of(document.data, profile)
                    answer = _QUESTIONS[question](document.data, house=house)
                except InputError as error:
                    answer = error.as_json()
            error_found: Any = answer.get("error")
            if error_found is not None and "valid" not in answer:
                failed = True
                where = f"{error_found['field']}: " if error_found["field"] else ""
                _echo(f"{document.name}: {where}{error_found[language]}", err=True)
            if human:
                _echo(("" if first else "\n") + f"— {document.name}\n{sheet(answer, language)}")
            else:
                _echo(json.dumps(answer, ensure_ascii=False))
            first = False
    if failed:
        sys.exit(2)


def _echo(text: str, *, err: bool = False) -> None:
    # A terminal without Chinese, or half a character in the input, must not end in a traceback.
    stream = sys.stderr if err else sys.stdout
    encoding = stream.encoding or "utf-8"
    click.echo(text.encode(encoding, "backslashreplace").decode(encoding), err=err)


def _profile_text(profile: Path | None, language: str) -> str | None:
    """The house rules' file; leaves with status 2 if it cannot be read."""
    if profile is None:
        return None
    try:
        return read_text(profile)
    except InputError as error:
        _echo(f"{profile}: {error.text.in_language(language)}", err=True)
        sys.exit(2)


def _command(name: str, summary: str) -> click.Command:
    """One command; all of them take the same arguments."""

    @click.command(name, help=summary, short_help=summary.split(".", 1)[0])
    @click.argument("files", nargs=-1, required=True, metavar="FILE...")
    @click.option("--human", is_flag=True, help="Print a sheet to read aloud instead of JSON.")
    @click.option(
        "--lang",
        "language",
        type=click.Choice(LANGUAGES),
        default=system_language,
        show_default="of the terminal",
        help="Language of the sheet and of messages.",
    )
    @click.option(
        "--house",
        "profile",
        type=click.Path(path_type=Path),
        help="House rules from a TOML profile; a record's own house rules go before them.",
    )
    def command(files: tuple[str, ...], language: str, profile: Path | None, *, human: bool) -> None:
        _run(name, files, _profile_text(profile, language), language, human=human)

    return command


_INPUT: Final = (
    " FILE holds one record, a JSON array or JSON lines; - is standard input. One result per record, in order; "
    "exit status 2 if a record was not well formed, and the others are still answered."
)

#: The commands of the engine, for the group `youjin`.
commands: Final[list[click.Command]] = [
    _command("score", "What a won hand, or an event, pays." + _INPUT),
    _command("options", "What may be done with the tile just drawn." + _INPUT),
    _command("waits", "What a hand between turns waits for." + _INPUT),
    _command("claims", "What may be done with an offered discard." + _INPUT),
]
