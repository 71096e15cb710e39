"""An application without a camera."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from webui.app import create_app
from webui.config import Config

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient

    from webui.live import Loop


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test touches what belongs to the machine's user."""
    folder = tmp_path / "data"
    monkeypatch.setenv("YOUJIN_DATA", str(folder))
    return folder


@pytest.fixture
def app() -> Flask:
    app = create_app(Config())
    app.testing = False  # errors must become answers, as in the real program
    return app


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def eventually() -> Callable[[Callable[[], object]], None]:
    """Wait until something is true; says so when it never becomes true."""

    def wait(condition: Callable[[], object], seconds: float = 20.0) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if condition():
                return
            time.sleep(0.01)
        pytest.fail(f"still not true after {seconds} s")

    return wait


@pytest.fixture
def running() -> Iterator[list[Loop]]:
    """Loops put in here are stopped when the test ends."""
    loops: list[Loop] = []
    yield loops
    for loop in loops:
        loop.stop()
