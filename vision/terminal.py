"""Keeping the terminal for what the program itself has to say."""

from __future__ import annotations

import os
import sys


def keep_clean() -> None:
    """Let only Python write to standard error from now on.

    Camera drivers and the decoders of damaged pictures write lines of their own into it ("Corrupt JPEG data: …"), which no
    setting turns off; the same is told by the program in a sentence. Nothing happens where standard error is not the
    process's own, as in a test.
    """
    before = sys.__stderr__
    if before is None or sys.stderr is not before:
        return
    before.flush()
    sys.stderr = os.fdopen(os.dup(2), "w", buffering=1, encoding=before.encoding, errors="backslashreplace")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)
