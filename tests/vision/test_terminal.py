from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import logging, os, sys
from vision.terminal import keep_clean
keep_clean()
keep_clean()
logging.basicConfig(format="%(message)s")
os.write(2, b"a driver's line\\n")
print("ours", file=sys.stderr)
logging.warning("ours as well, 游金")
raise ValueError("and this")
"""


def test_only_the_program_writes_to_the_terminal() -> None:
    done = subprocess.run([sys.executable, "-X", "utf8", "-c", PROGRAM], capture_output=True, encoding="utf-8", timeout=60, check=False)  # fmt: skip
    assert done.stdout == ""
    assert "driver" not in done.stderr.replace("raise ValueError", "")
    assert done.stderr.startswith("ours\nours as well, 游金\nTraceback")
    assert done.stderr.endswith("ValueError: and this\n")
    assert done.returncode == 1


def test_damaged_pictures_are_told_without_raw_lines() -> None:
    program = """
import cv2, numpy as np
from vision.images import ImageError, load_image
from vision.terminal import keep_clean
keep_clean()
image = np.random.default_rng(1).integers(0, 255, (90, 120, 3), np.uint8)
for suffix in (".jpg", ".png", ".webp", ".tiff"):
    data = cv2.imencode(suffix, image)[1].tobytes()
    for damaged in (data[: len(data) // 2], data[:300] + bytes(range(256)) + data[900:]):
        try:
            load_image(damaged)
        except ImageError:
            pass
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
