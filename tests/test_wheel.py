"""The built wheel, installed in an environment of its own, works from any folder."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from kgverify.version import VERSION

ROOT = Path(__file__).parents[1]
CODE = """
import kgverify, json
from kgverify import resources
kinds = ("rules", "grammars", "encodings")
found = {kind: sorted(p.name for p in resources.folder(kind).iterdir()) for kind in kinds}
print(json.dumps({"file": kgverify.__file__, **found}))
"""
RULES = """\
class Ship, Port
disjoint Ship, Port
relation docks_at (Ship, Port)
question calls(p: Port)
    "Which ships call at {p}?"
    answer x : Ship
    require docks_at(x, p)
"""


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    clean = {
        k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV", "COV"))
    }
    return subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=clean,
        capture_output=True,
        text=True,
        check=False,
    )


def must(*command: str | Path, cwd: Path) -> str:
    done = run(*command, cwd=cwd)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.skipif(
    not (importlib.util.find_spec("build") and importlib.util.find_spec("hatchling")),
    reason="needs build and hatchling (the extra `test`)",
)
def test_the_wheel_works_in_a_fresh_environment(tmp_path: Path) -> None:
    elsewhere = tmp_path / "else where"
    elsewhere.mkdir()
    must(
        sys.executable,
        "-m",
        "build",
        "--wheel",
        "--no-isolation",
        "--outdir",
        tmp_path,
        ROOT,
        cwd=tmp_path,
    )
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert not [
        n
        for n in names
        if n.startswith(("tests/", "docs/", "benchmarks/", "rules/")) or "__pycache__" in n
    ]
    assert "kgverify/py.typed" in names

    venv.create(tmp_path / "env", with_pip=True)
    bin_ = tmp_path / "env" / ("Scripts" if os.name == "nt" else "bin")
    must(
        bin_ / "python",
        "-m",
        "pip",
        "install",
        "--disable-pip-version-check",
        "-q",
        wheel,
        cwd=elsewhere,
    )
    command = bin_ / "kgverify"

    assert must(command, "--version", cwd=elsewhere) == f"kgverify {VERSION}\n"
    found = json.loads(must(bin_ / "python", "-c", CODE, cwd=elsewhere))
    assert Path(found["file"]).is_relative_to(tmp_path / "env")
    for kind in ("rules", "grammars", "encodings"):
        shipped = {p.name for p in (ROOT / kind).iterdir() if p.is_file()}
        assert set(found[kind]) == shipped

    rules = Path(found["file"]).parent / "shipped" / "rules"
    for path in sorted(rules.glob("*.kgr")):
        assert " 0 failed" in must(command, "rules", "check", path, "--test", cwd=elsewhere)

    (elsewhere / "port.kgr").write_text(RULES)
    (elsewhere / "facts.tsv").write_text("tug\tdocks_at\toslo\noslo\ttype\tPort\n")
    asked = {
        "id": "q",
        "question": "calls",
        "arguments": {"p": "oslo"},
        "candidates": ["tug", "ghost", "oslo"],
    }
    (elsewhere / "q.jsonl").write_text(json.dumps(asked))
    done = run(
        command,
        "verify",
        "q.jsonl",
        "--kg",
        "facts.tsv",
        "--rules",
        "port.kgr",
        "--format",
        "jsonl",
        cwd=elsewhere,
    )
    assert done.returncode == 1, done.stderr
    verdicts = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(v["candidate"], v["verdict"]) for v in verdicts] == [
        ("tug", "sat"),
        ("ghost", "unk"),
        ("oslo", "viol"),
    ]
    assert "tug" in must(
        command,
        "explain",
        "q.jsonl",
        "--kg",
        "facts.tsv",
        "--rules",
        "port.kgr",
        "--question",
        "q",
        "--candidate",
        "tug",
        cwd=elsewhere,
    )
    assert must(
        command, "kg", "build", "facts.tsv", "--out", "port.store", cwd=elsewhere
    ).startswith("port.store: 2 triples")
