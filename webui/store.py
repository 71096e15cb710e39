"""What outlives the program: settings, and the score sheets as lists of what was confirmed.

One SQLite file in the user's data folder. A confirmation is written, and on the disk, before it is answered; it is never
changed or removed afterwards, only marked as taken back.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import threading
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from engine.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FILE = "youjin.sqlite3"

_SCHEMA = """
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE sheet (id INTEGER PRIMARY KEY AUTOINCREMENT, started TEXT NOT NULL, players TEXT NOT NULL);
CREATE TABLE entry (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    sheet INTEGER NOT NULL REFERENCES sheet (id),
    token TEXT NOT NULL UNIQUE,
    made TEXT NOT NULL,
    record TEXT NOT NULL,
    answer TEXT NOT NULL,
    next TEXT,
    undone TEXT
);
CREATE INDEX entry_sheet ON entry (sheet, id);
PRAGMA user_version = 1;
"""
_VERSION = 1

_UNUSABLE = Text(
    "记分和设置存不下来：{path} 用不了。请检查这个文件夹的权限和磁盘空间。",
    "記分和設定存不下來：{path} 用不了。請檢查這個資料夾的權限和磁碟空間。",
    "Scores and settings cannot be kept: {path} cannot be used. Check the folder's permissions and the space on the disk.",
)
_NO_DATABASE = Text(
    "{path} 已损坏，不是记分文件。请把它移到别处，程序会建一个新的。",
    "{path} 已損壞，不是記分檔案。請把它移到別處，程式會建一個新的。",
    "{path} is damaged: it is no score file. Move it somewhere else, and the program makes a new one.",
)
_NEWER = Text(
    "{path} 来自更新版本的 youjin，请先更新程序。",
    "{path} 來自更新版本的 youjin，請先更新程式。",
    "{path} was written by a newer youjin; update the program first.",
)

_GONE = Text(
    "{path} 不见了或被换掉了，没有记下。请把它放回原处；要从空的记分表开始，就重新启动程序。",
    "{path} 不見了或被換掉了，沒有記下。請把它放回原處；要從空的記分表開始，就重新啟動程式。",
    "{path} is gone or is another file now: nothing was written. Put it back; to begin with an empty sheet, start the program anew.",
)


class StoreError(Exception):
    """The user's data cannot be kept or read; `text` says why and what to do."""

    def __init__(self, text: Text) -> None:
        super().__init__(text.en)
        self.text = text


@dataclass(frozen=True)
class Sheet:
    """A score sheet.

    Attributes:
        number: its number, counting from 1.
        started: when, ISO 8601 in UTC.
        players: names by seat; a seat without a name is missing.
    """

    number: int
    started: str
    players: dict[str, str]


@dataclass(frozen=True)
class Entry:
    """One confirmed hand or event.

    Attributes:
        number: its number in the file.
        token: the name its sender gave it, by which a repeated request is known.
        made, undone: when it was confirmed, and when it was taken back (`None`: it holds).
        record, answer: what was asked of the engine, and what it said.
        next: who deals the next hand; `None` where the hand went on.
    """

    number: int
    token: str
    made: str
    record: dict[str, Any]
    answer: dict[str, Any]
    next: dict[str, Any] | None
    undone: str | None


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


class Store:
    """The user's file; made when it is first needed, used by one thread at a time.

    Every method raises `StoreError` where the file cannot be used.

    Args:
        folder: the user's data folder; it need not exist yet.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        # Which file was opened: what is written into one that was moved away is lost, and nobody would be told.
        self._known: tuple[int, int] | None = None

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    @contextlib.contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All that is written inside is written, or nothing is; nobody else writes meanwhile. May be nested."""
        with self._lock:
            if self._connection is not None and self._connection.in_transaction:
                yield self._connection
                return
            try:
                self._check_place()
                if self._connection is None:
                    self._connection = self._open()
                    self._known = self._identity()
                connection = self._connection
                connection.execute("BEGIN IMMEDIATE")
                try:
                    yield connection
                except BaseException:
                    connection.execute("ROLLBACK")
                    raise
                connection.execute("COMMIT")
            except sqlite3.Error as error:
                self.close()
                damaged = "not a database" in str(error) or "malformed" in str(error)
                if damaged:
                    self._known = None  # told to move it away: then a new one is made
                text = _NO_DATABASE if damaged else _UNUSABLE
                raise StoreError(text.format(path=self.path)) from error

    def _identity(self) -> tuple[int, int] | None:
        try:
            found = self.path.stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def _check_place(self) -> None:
        """See that the file is still the one that was opened."""
        if self._known is not None and self._identity() != self._known:
            self.close()
            raise StoreError(_GONE.format(path=self.path))

    def _open(self) -> sqlite3.Connection:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(_UNUSABLE.format(path=self.path)) from error
        connection = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False, timeout=5)
        try:
            connection.execute("PRAGMA synchronous = FULL")  # confirmed means: survives a power cut
            connection.execute("PRAGMA foreign_keys = ON")
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version == 0:
                connection.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")
        except BaseException:
            connection.close()
            raise
        if version > _VERSION:
            connection.close()
            raise StoreError(_NEWER.format(path=self.path))
        return connection

    # --- settings -----------------------------------------------------------------------------------------

    def setting(self, name: str) -> Any:
        """Return a kept setting, `None` where there is none."""
        with self.transaction() as connection:
            row = connection.execute("SELECT value FROM setting WHERE name = ?", (name,)).fetchone()
        return json.loads(row[0]) if row is not None else None

    def keep_setting(self, name: str, value: object) -> None:
        """Keep a setting (JSON)."""
        with self.transaction() as connection:
            connection.execute(
                "INSERT INTO setting VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                (name, _dump(value)),
            )

    # --- score sheets -------------------------------------------------------------------------------------

    def sheets(self) -> list[Sheet]:
        """Return all score sheets, the newest first; there is always one."""
        with self.transaction() as connection:
            rows = connection.execute("SELECT id, started, players FROM sheet ORDER BY id DESC").fetchall()
            if not rows:
                return [self.begin_sheet({})]
        return [Sheet(number, started, json.loads(players)) for number, started, players in rows]

    def begin_sheet(self, players: dict[str, str]) -> Sheet:
        """Begin a new score sheet."""
        started = _now()
        with self.transaction() as connection:
            cursor = connection.execute("INSERT INTO sheet (started, players) VALUES (?, ?)", (started, _dump(players)))
        return Sheet(int(cursor.lastrowid or 0), started, players)

    def name_players(self, sheet: int, players: dict[str, str]) -> None:
        """Name the players of a sheet."""
        with self.transaction() as connection:
            connection.execute("UPDATE sheet SET players = ? WHERE id = ?", (_dump(players), sheet))

    def entries(self, sheet: int) -> list[Entry]:
        """Return what was confirmed on a sheet, the oldest first, with what was taken back."""
        with self.transaction() as connection:
            rows = connection.execute(
                "SELECT id, token, made, record, answer, next, undone FROM entry WHERE sheet = ? ORDER BY id", (sheet,)
            ).fetchall()
        return [
            Entry(
                number,
                token,
                made,
                json.loads(record),
                json.loads(answer),
                json.loads(following) if following is not None else None,
                undone,
            )
            for number, token, made, record, answer, following, undone in rows
        ]

    def sheet_of(self, token: str) -> int | None:
        """Return the sheet that holds an entry of this name; `None` where none does."""
        with self.transaction() as connection:
            row = connection.execute("SELECT sheet FROM entry WHERE token = ?", (token,)).fetchone()
        return int(row[0]) if row is not None else None

    def add_entry(
        self, sheet: int, token: str, record: dict[str, Any], answer: dict[str, Any], following: dict[str, Any] | None
    ) -> None:
        """Write down what was confirmed."""
        with self.transaction() as connection:
            connection.execute(
                "INSERT INTO entry (sheet, token, made, record, answer, next) VALUES (?, ?, ?, ?, ?, ?)",
                (sheet, token, _now(), _dump(record), _dump(answer), None if following is None else _dump(following)),
            )

    def take_back(self, entry: int) -> None:
        """Mark an entry as taken back."""
        with self.transaction() as connection:
            connection.execute("UPDATE entry SET undone = ? WHERE id = ?", (_now(), entry))
