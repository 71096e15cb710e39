"""The real program, killed without warning and started again."""

from __future__ import annotations

import contextlib
import os
import re
import socket
import subprocess
import sys
from typing import TYPE_CHECKING

from asking import ask

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ZONES = [{"kind": "ignore", "polygon": [[0.0, 0.0], [0.3, 0.0], [0.3, 0.2]]}]


@contextlib.contextmanager
def program(folder: Path, *options: str, port: int = 0) -> Iterator[str]:
    """Run `youjin serve`; it is killed at the end, as by a power cut."""
    running = subprocess.Popen(
        [sys.executable, "-c", "from webui.cli import main; main()", "serve", "--port", str(port), *options],
        env={**os.environ, "YOUJIN_DATA": str(folder), "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert running.stdout is not None
    assert running.stderr is not None
    try:
        line = running.stdout.readline()
        found = re.search(r"http://[\d.:]+/", line)
        assert found is not None, line + running.stderr.read()
        yield found[0]
    finally:
        running.kill()
        running.wait(20)
        running.stdout.close()
        running.stderr.close()


def test_a_killed_program_goes_on_where_it_was(tmp_path: Path) -> None:
    with program(tmp_path, "--source", "demo", "--rules", "zhangzhou", "--lang", "en") as url:
        ask(f"{url}api/live/context", {"seat": "C", "dealer": "B", "gold": "5m", "house": {"base_nondealer": 3}})
        ask(f"{url}api/zones", {"zones": ZONES, "seat": "left"}, "PUT")
    with program(tmp_path, "--lang", "en") as url:
        state = ask(f"{url}api/state")
        assert state["source"] == "demo"
        assert state["settings"].items() >= {"rules": "zhangzhou", "seat": "C", "dealer": "B"}.items()
        assert ask(f"{url}api/zones") == {"zones": ZONES, "seat": "left"}
    with program(tmp_path, "--source", "demo", "--rules", "yunxiao", "--lang", "en") as url:
        assert ask(f"{url}api/state")["settings"]["rules"] == "yunxiao"  # what is said now comes first


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as door:
        return int(door.getsockname()[1])


def test_two_programs_on_one_folder_keep_their_own_tables(tmp_path: Path) -> None:
    one, two = free_port(), free_port()
    with (
        program(tmp_path, "--source", "demo", port=one) as url,
        program(tmp_path, "--source", "demo", port=two) as other,
    ):
        ask(f"{url}api/zones", {"zones": ZONES, "seat": "left"}, "PUT")
        ask(f"{other}api/zones", {"zones": [], "seat": "top"}, "PUT")
        ask(f"{url}api/live/context", {"dealer": "D"})
    with program(tmp_path, "--source", "demo", port=two) as url:
        assert ask(f"{url}api/zones") == {"zones": [], "seat": "top"}
    with program(tmp_path, "--source", "demo", port=one) as url:
        assert ask(f"{url}api/zones") == {"zones": ZONES, "seat": "left"}
        assert ask(f"{url}api/state")["settings"]["dealer"] == "D"
