"""A question that was read can be kept: its statement loads, and asks the same again."""

from __future__ import annotations

import pytest

from kgverify import Asker, load_rules_text
from tests.asking.corpora import corpus
from tests.asking.test_readings import COUNTRIES, FAMILY, PHARMACY

TEXTS = [
    pytest.param(name, text, id=f"{name}: {text}")
    for name, cases in (("pharmacy", PHARMACY), ("countries", COUNTRIES), ("family", FAMILY))
    for text, constraints in cases.items()
    if constraints[0].startswith("x : ")
]


@pytest.mark.parametrize(("name", "text"), TEXTS)
def test_a_saved_question_loads_and_reads_the_same(name: str, text: str) -> None:
    known = corpus(name)
    reading = known.asker.read(text, "kept")
    wider = load_rules_text(known.book.text + "\n" + reading.statement)
    again = Asker(known.graph, wider).read(text)
    assert (again.source, again.name) == ("template", "kept")
    assert again.arguments == reading.arguments
    assert [(p.demand, p.text) for p in again.parts] == [(p.demand, p.text) for p in reading.parts]
