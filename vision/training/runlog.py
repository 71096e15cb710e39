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


def write(path: Path, what: dict[str, Any]) -> None:
    """Write a run's log as JSON, with date and revision."""
    entry = {"date": datetime.now(UTC).strftime("%Y-%m-%d"), "revision": revision(), **what}
    path.write_text(json.dumps(entry, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
