"""Asks a running server."""

from __future__ import annotations

import json
import urllib.request
from typing import Any


def ask(url: str, body: object = None, method: str | None = None) -> Any:
    """JSON there and back."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)  # noqa: S310
    with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310
        return json.load(answer)
