"""The folder of a run: whole or not at all, and never over something else."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kgverify.errors import GraphError, KgverifyError
from kgverify.experiments import runs
from kgverify.experiments.runs import (
    RunRecord,
    as_json,
    check_place,
    file_hash,
    names_of,
    require,
    slugs,
    write_run,
)
from kgverify.version import VERSION

RECORD = RunRecord("trial", True, (1, 2), {"size": 3}, {"a.tsv": "00"}, {"numpy": "2"})


def write(out: Path, report: str = "# Report\n", **plots: str) -> None:
    write_run(out, RECORD, {"cells": [1.5]}, report, plots)


def test_a_run_is_written(tmp_path: Path) -> None:
    write(tmp_path / "new" / "run", **{"a.svg": "<svg/>"})
    folder = tmp_path / "new" / "run"
    assert sorted(path.name for path in folder.iterdir()) == ["a.svg", "report.md", "results.json"]
    found = json.loads((folder / "results.json").read_text("utf-8"))
    assert found["record"] == {
        "experiment": "trial",
        "quick": True,
        "seeds": [1, 2],
        "options": {"size": 3},
        "inputs": {"a.tsv": "00"},
        "packages": {"numpy": "2"},
        "kgverify": VERSION,
    }
    assert found["cells"] == [1.5]
    assert [path.name for path in folder.parent.iterdir()] == ["run"]


def test_an_earlier_run_is_replaced_whole(tmp_path: Path) -> None:
    out = tmp_path / "run"
    out.mkdir()
    write(out, **{"old.svg": "<svg/>"})
    write(out, "# Again\n")
    assert (out / "report.md").read_text() == "# Again\n"
    assert not (out / "old.svg").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


@pytest.mark.parametrize(
    "make", [lambda p: p.write_text(""), lambda p: (p / "thesis").mkdir(parents=True)]
)
def test_something_else_is_left_alone(tmp_path: Path, make: Callable[[Path], object]) -> None:
    out = tmp_path / "out"
    make(out)
    for attempt in (check_place, write):
        with pytest.raises(KgverifyError) as caught:
            attempt(out)
        assert caught.value.problems[0].code == "not-a-run"
    assert out.is_file() or (out / "thesis").is_dir()


def test_a_failure_leaves_the_earlier_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "run"
    write(out, "# First\n")
    rename = runs.os.rename

    def fail(source: Any, target: Any) -> None:
        if Path(target) == out and Path(source).name.startswith(".run."):
            raise OSError(28, "No space left on device")
        rename(source, target)

    monkeypatch.setattr(runs.os, "rename", fail)
    with pytest.raises(KgverifyError, match="No space left"):
        write(out, "# Second\n")
    monkeypatch.undo()
    assert (out / "report.md").read_text() == "# First\n"
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_json_is_rounded_and_the_same_for_the_same() -> None:
    value = {"x": [0.1 + 0.2, -0.0, None, "é"], "long": {"k": list(range(100))}, "empty": []}
    text = as_json(value)
    assert json.loads(text) == {"x": [0.3, 0.0, None, "é"], "long": value["long"], "empty": []}
    assert "-0.0" not in text
    assert as_json({"x": (1, 2)}) == '{"x": [1, 2]}\n'
    with pytest.raises(ValueError):
        as_json({"x": float("nan")})


def test_a_missing_package_is_named() -> None:
    require("json")
    with pytest.raises(KgverifyError) as caught:
        require("json", "no_such_package")
    problem = caught.value.problems[0]
    assert problem.code == "missing-extra"
    assert "no_such_package" in problem.message
    assert "kgverify[experiments]" in problem.hint


def test_files_are_hashed(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abc")
    assert file_hash(tmp_path / "a").startswith("ba7816bf8f01cfea")
    with pytest.raises(GraphError):
        file_hash(tmp_path / "b")


def test_paths_of_one_name_have_two() -> None:
    paths = [Path("a/facts.tsv"), Path("b/facts.tsv"), Path("graph"), Path("c/..")]
    found = names_of(paths, taken=("graph",))
    assert list(found) == ["facts.tsv", "facts.tsv (2)", "graph (2)", Path().resolve().name]
    assert list(found.values()) == paths


def test_file_names_are_plain_and_differ() -> None:
    names = ["family-0", "Family-0", "a$x_{$b", "a x b", "a/x\\b", "..", "größe (2)"]
    found = slugs(names)
    assert list(found) == names
    assert list(found.values())[:3] == ["family-0", "Family-0-2", "a-x_-b"]
    assert len({slug.casefold() for slug in found.values()}) == len(names)
    assert all(re.fullmatch(r"\w[\w.-]*", slug) for slug in found.values())
