"""The scripts of tools/ and benchmarks/ can be loaded, and say what they are for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCRIPTS = [
    path
    for folder in ("tools", "benchmarks")
    for path in sorted((ROOT / folder).glob("*.py"))
    if "parse_args" in path.read_text("utf-8")
]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_script_explains_itself(script: Path) -> None:
    found = subprocess.run(
        [sys.executable, str(script), "--help"], capture_output=True, text=True, cwd=ROOT
    )
    assert found.returncode == 0, found.stderr
    assert "usage:" in found.stdout
