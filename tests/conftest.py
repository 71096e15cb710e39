"""Fixtures for all tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

# A busy machine is no fault of what is tested.
settings.register_profile("youjin", deadline=None)
settings.load_profile("youjin")

ROOT = Path(__file__).resolve().parent.parent
CASES = Path(__file__).resolve().parent / "cases"


@pytest.fixture(scope="session")
def cases() -> Path:
    """The folder with the worked cases (copied from the rules; always there)."""
    return CASES


@pytest.fixture(scope="session")
def shared() -> Path:
    """The developers' read-only material beside the checkout; a user's checkout has none, and the skip says so."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip(f"{folder} is absent: only the developers' checkout has the real photos")
    return folder
