"""The real data, where there is any."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture
def data() -> Path:
    """The folder of real data; the test is skipped when it has no GoG files."""
    folder = Path(os.environ.get("KGVERIFY_DATA", ""))
    if not (folder / "qa" / "gog").is_dir():
        pytest.skip("the environment variable KGVERIFY_DATA names no folder with qa/gog")
    return folder
