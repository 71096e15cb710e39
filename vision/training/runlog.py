"""What a trained file came from: data, seed, revision, figures; kept beside the weights."""

from __future__ import annotations

import json
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any


def revision() -> str:
    """The git revision of the code, ``unknown`` outside a checkout."""
    try:
        answer = subprocess.run(
            ["git", "rev-parse", "--short=12", "HEAD"],  # noqa: S607
            cwd=Path(__file__).parent, capture_output=True, text=True, timeout=10, check=True,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return "unknown"
    return answer.stdout.strip()


def begun_with(start: Path | str | None, model: str) -> dict[str, Any]:
    """What a run's log says of the weights it began with: their name, and as ``before`` the log of the run they come from.

    Args:
        start: the weights; ``None``: from nothing.
        model: ``detector`` or ``classifier``.
    """
    if start is None:
        return {}
    path = Path(start)
    told: dict[str, Any] = {"start": path.name}
    for folder in (path.parent, *path.parents[2:3]):  # ultralytics keeps weights two folders below the run's
        if (folder / f"{model}.json").is_file():
            told["before"] = json.loads((folder / f"{model}.json").read_text(encoding="utf-8"))
            break
    return told


def drawn_with() -> dict[str, Any]:
    """What a run's log says of the drawn tiles: the tile sets and hands that were installed where they were drawn."""
    from vision.synthesis import package_sets, scripts  # noqa: PLC0415 - only training needs drawing

    hands = [Path(script.removeprefix(scripts.PREFIX)).name for script in scripts.installed()]
    return {"sets": list(package_sets.installed()), "hands": hands}


def write(path: Path, what: dict[str, Any]) -> None:
    """Write a run's log as JSON, with date and revision."""
    entry = {"date": datetime.now(UTC).strftime("%Y-%m-%d"), "revision": revision(), **what}
    path.write_text(json.dumps(entry, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
