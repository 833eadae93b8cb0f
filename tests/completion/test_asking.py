"""Missing edges are read from lines, and all that is wrong is told at once."""

from __future__ import annotations

import pytest

from kgverify.completion.asking import Asked, read_breakpoints
from kgverify.completion.breakpoints import Breakpoint
from kgverify.errors import EvidenceError, Problem
from kgverify.graph import Graph
from kgverify.graph.building import Builder
from kgverify.language.checks import load_rules_text

BOOK = load_rules_text("""
class Country, City
relation capital (Country, City)  phrases "{1} is the capital of {0}"
relation seat (Country, City)
relation inhabitants (Country, integer)
""")


def kg() -> Graph:
    builder = Builder()
    for id_, label in (("eno", "Norway"), ("ege", "Georgia"), ("eus_ge", "Georgia")):
        builder.add_label(id_, label)
        builder.add_fact(id_, "rdf:type", "eCountry")
    builder.add_fact("emute", "rdf:type", "eCountry")
    builder.add_fact("bnode", "rdf:type", "eCountry")
    builder.add_label("bnode", "Nowhere")
    return Graph(builder.columns())


def read(*lines: str) -> tuple[list[Asked], list[Problem]]:
    return read_breakpoints([line.encode() for line in lines], "m.jsonl", kg(), BOOK)


def line(id: str, subject: str, relation: str) -> str:
    return f'{{"id": "{id}", "subject": "{subject}", "relation": "{relation}"}}'


def test_subjects_go_by_id_or_label() -> None:
    asked, problems = read(
        "\ufeff" + line("a", "Norway", "capital"), "", line("b", "no", "capital")
    )
    assert asked == [Asked(id_, Breakpoint("no", "capital")) for id_ in "ab"]
    assert problems == []


def test_everything_that_is_wrong_is_told_at_once() -> None:
    with pytest.raises(EvidenceError) as caught:
        read_breakpoints(
            [
                line("a", "Norwai", "capitol").encode(),
                line("b", "Norway", "inhabitants").encode(),
                line("c", "Georgia", "capital").encode(),
                b"nonsense",
                b"\xff\xfe",
                b'["a"]',
                b'{"id": 1, "subject": "Norway", "relation": "capital"}',
                b'{"id": "d", "subject": "Norway", "relation": "capital", "objekt": "x"}',
                b'{"id": "d", "subject": "Norway", "subject": "Norway", "relation": "capital"}',
                b'{"id": "\\ud800", "subject": "Norway", "relation": "capital"}',
                line("e", "Norway", "capital").encode(),
                line("e", "Norway", "capital").encode(),
                line("f", "mute", "seat").encode(),
                line("g", "Nowhere", "capital").encode(),
                b'{"subject": " ", "relation": "capital"}',
            ],
            "m.jsonl",
            kg(),
            BOOK,
        )
    found = [(p.span.line if p.span else 0, p.code) for p in caught.value.problems]
    assert found == [
        (1, "unknown-entity"),
        (1, "unknown-relation"),
        (2, "literal-relation"),
        (3, "ambiguous-entity"),
        (4, "not-json"),
        (5, "not-utf8"),
        (6, "breakpoint-line"),
        (7, "breakpoint-line"),
        (8, "breakpoint-line"),
        (9, "not-json"),
        (10, "breakpoint-line"),
        (12, "duplicate-breakpoint"),
        (13, "no-label"),
        (13, "no-phrases"),
        (14, "blank-subject"),
        (15, "breakpoint-line"),
        (15, "breakpoint-line"),
    ]
    hints = [p.hint for p in caught.value.problems]
    assert hints[:2] == ["did you mean `Norway`?", "did you mean `capital`?"]


def test_what_makes_a_search_poor_is_a_warning() -> None:
    asked, problems = read(line("a", "mute", "seat"))
    assert [one.missing for one in asked] == [Breakpoint("mute", "seat")]
    assert [(p.code, p.severity) for p in problems] == [
        ("no-label", "warning"),
        ("no-phrases", "warning"),
    ]


@pytest.mark.parametrize("lines", [[], ["", "  "]])
def test_a_file_without_lines_is_empty(lines: list[str]) -> None:
    with pytest.raises(EvidenceError, match="empty-file"):
        read(*lines)
