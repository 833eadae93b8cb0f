"""Where compiled code is kept."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("numba", reason="the compiled loops need numba")

ROOT = Path(__file__).parents[2]
SCRIPT = """
from kgverify.graph import Graph
from kgverify.mining.compiled import Compiled
from kgverify.mining.relations import Relations
from numba.core import config
before = config.CACHE_DIR
graph = Graph.from_triples([("ea", "p", "eb")])
compiled = Compiled(Relations.of(graph))
assert config.CACHE_DIR == before
print(compiled._supports.count_kinds(compiled._graph, 0).tolist())
"""


def run(**environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env=os.environ | {"PYTHONPATH": str(ROOT)} | environment,
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    return done.stdout.strip()


def test_compiled_code_is_kept_in_the_folder_that_is_named(tmp_path: Path) -> None:
    assert run(KGVERIFY_CACHE=str(tmp_path)) == "[1, 0]"
    assert list((tmp_path / "numba").rglob("*.nbc"))


def test_compiled_code_is_kept_with_the_users_caches(tmp_path: Path) -> None:
    if sys.platform in ("win32", "darwin"):
        pytest.skip("the folder is another one there")
    assert run(KGVERIFY_CACHE="", XDG_CACHE_HOME=str(tmp_path)) == "[1, 0]"
    assert list((tmp_path / "kgverify" / "numba").rglob("*.nbc"))


def test_where_nothing_can_be_kept_it_compiles_all_the_same(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("in the way")
    assert run(KGVERIFY_CACHE=str(file / "folder"), TMPDIR=str(tmp_path)) == "[1, 0]"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
