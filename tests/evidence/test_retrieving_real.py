"""Search by words on real country profiles finds the passages that state facts of a graph."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path

import pytest

from kgverify.evidence.bm25 import Bm25

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
pytestmark = [
    pytest.mark.data,
    pytest.mark.skipif("KGVERIFY_DATA" not in os.environ, reason="needs KGVERIFY_DATA"),
]


def test_passages_that_state_facts_are_among_the_best_five(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    retrieval = importlib.import_module("retrieval")
    for name in ("retrieval", "common"):
        monkeypatch.delitem(sys.modules, name)
    data = retrieval.load()
    numbers = data.part(retrieval.SUBSET)
    task = retrieval.Task(data, numbers)
    assert sum(bool(found) for found in task.wanted.values()) > 1_300
    found = {
        titles: task.run(Bm25(retrieval.corpus_of(data, numbers, titles)), True)["all"]["recall@5"]
        for titles in retrieval.TITLES
    }
    assert min(found["heading"], found["section"]) >= 0.98
    assert found["heading"] > found["country"] > found["none"]
