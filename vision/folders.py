"""Where the program keeps what belongs to its user."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_data_path


def data_dir(chosen: Path | None = None) -> Path:
    """The folder for the user's data: the chosen one, ``YOUJIN_DATA``, or what is usual on this system.

    The folder need not exist yet.
    """
    if chosen is not None:
        return chosen
    named = os.environ.get("YOUJIN_DATA")
    return Path(named) if named else user_data_path("youjin", appauthor=False)


def write_private(path: Path, data: bytes) -> None:
    """Write a file that only its owner may read, whole or not at all.

    Raises:
        OSError: the folder cannot be made or written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(path.name + ".new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)
    new.replace(path)
