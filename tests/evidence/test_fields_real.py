"""The built-in judge on the fields of real country profiles, with the shipped rule file."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import Any

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
pytestmark = [
    pytest.mark.data,
    pytest.mark.skipif("KGVERIFY_DATA" not in os.environ, reason="needs KGVERIFY_DATA"),
]
# Least precision, and recall of facts that the field mentions; docs/text.md has what was measured.
LEAST = {
    "capital": (0.99, 0.94),
    "borders": (0.98, 0.97),
    "official_language": (0.98, 0.60),
    "currency": (0.98, 0.44),
}
# The field says so, and the graph does not.
SAID = {
    ("German", "Switzerland"),
    ("Danish", "Greenland"),
    ("Albanian", "Macedonia"),
    ("Brazil", "France"),
    ("Suriname", "France"),
}


@pytest.fixture(scope="module")
def fields() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCHMARKS))
        found = importlib.import_module("fields").Fields()
        for name in ("fields", "retrieval", "common"):
            patch.delitem(sys.modules, name)
    return found


@pytest.mark.parametrize("relation", LEAST)
def test_fields_state_facts_and_hardly_anything_else(fields: Any, relation: str) -> None:
    measured = fields.measured(relation, step=20)
    precision, recall = LEAST[relation]
    assert measured["precision"] >= precision
    assert measured["recall_of_stated"] >= recall
    assert sum(measured["false"].values()) > 1_000
    assert {(object_, title) for object_, title, _ in measured["wrong"]} <= SAID


def test_without_headings_next_to_nothing_was_found(fields: Any) -> None:
    bare = fields.measured("borders", headed=False, step=200)
    assert bare["recall"] < 0.01
