"""What the browser tests share: window sizes, a running server, screenshots."""

from __future__ import annotations

import os
import shutil
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from webui.server import Server

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Page

    from vision.reading import Reader
    from webui.config import Config

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 800}
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
SCREENS = os.environ.get("YOUJIN_SCREENS")
"""A folder for screenshots, to look at what the tests see."""


def chromium() -> str | None:
    """Where Chromium is on this machine."""
    usual = Path("/usr/bin/chromium")
    return str(usual) if usual.exists() else shutil.which("chromium") or shutil.which("chromium-browser")


@contextmanager
def serving(
    config: Config, *, port: int = 0, reader: Reader | None = None, open_source: Callable[[str], Any] | None = None
) -> Iterator[Server]:
    """Run the real server in a thread."""
    server = Server(config, port)
    services = server.app.extensions["youjin"]
    if reader is not None:
        services.eyes._reader = reader
    if open_source is not None:
        services.loop._open = open_source
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield server
    finally:
        server.close()
        thread.join(20)
        assert not thread.is_alive(), "the server did not end"


def picture_of(page: Page, name: str, *, full: bool = False) -> None:
    """Keep a screenshot where somebody wants to look at them."""
    if SCREENS:
        page.screenshot(path=Path(SCREENS) / f"{name}.png", full_page=full)
