"""Generations from a file: read whole or not at all, with the place of everything that is wrong."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgverify.completion.breakpoints import Breakpoint
from kgverify.completion.recorded import Recorded, read_generations
from kgverify.errors import EvidenceError, ModelError, Problem
from tests.completion.test_searching import BOOK, NORWAY, SWEDEN, kg


def read(*lines: str | bytes) -> Recorded:
    encoded = [line if isinstance(line, bytes) else line.encode() for line in lines]
    return read_generations(encoded, "said.jsonl", kg(), BOOK)


def line(subject: str, *objects: str, model: str | None = "Small-Model", **more: object) -> str:
    fields: dict[str, object] = {"subject": subject, "relation": "capital", "objects": objects}
    if model is not None:
        fields["model"] = model
    return json.dumps(fields | more, ensure_ascii=False)


def test_what_is_on_record_is_generated() -> None:
    first = "\ufeff" + line("Norway", "Oslo", "Atlantis")
    found = read(first, "", line("se", model="x/small_model"))
    assert found.generate(NORWAY) == ("Oslo", "Atlantis")
    assert found.generate(SWEDEN) == ()
    assert (len(found), found.model, found.calls) == (2, "Small-Model", 0)
    with pytest.raises(ModelError, match=r"nothing is on record for capital\(dk, \?\)"):
        found.generate(Breakpoint("dk", "capital"))


def test_records_without_a_model_are_of_one_that_nobody_knows() -> None:
    assert read(line("no", "Oslo", model=None)).model is None


def test_everything_that_is_wrong_is_told_at_once() -> None:
    with pytest.raises(EvidenceError) as caught:
        read(
            line("Norwai", "Oslo"),
            line("Norway", "Oslo", relation="capitol"),
            "nonsense",
            b"\xff",
            "[]",
            '{"subject": "no", "relation": "capital", "objects": "Oslo"}',
            '{"subject": "no", "relation": "capital", "objects": ["Oslo", 1]}',
            '{"subject": "no", "relation": "capital", "objects": [" "], "model": ""}',
            line("se", "Oslo", objekts=["x"]),
            '{"objects": []}',
            line("no", "Oslo"),
            line("Norge", "Bergen"),
            line("dk", "Bergen", model="other"),
            line("se", "Bergen", model=None),
            '{"subject": "no", "relation": "capital", "relation": "capital", "objects": []}',
        )
    problems = caught.value.problems
    assert [place(one) for one in problems] == [
        (1, 2, "unknown-entity"),
        (2, 23, "unknown-relation"),
        (3, 1, "not-json"),
        (4, 0, "not-utf8"),
        (5, 0, "generation-line"),
        (6, 42, "generation-line"),
        (7, 42, "generation-line"),
        (8, 42, "generation-line"),
        (8, 60, "generation-line"),
        (9, 87, "generation-line"),
        (10, 0, "generation-line"),
        (10, 0, "generation-line"),
        (15, 0, "not-json"),
        (12, 0, "duplicate-generation"),
        (13, 0, "several-models"),
        (14, 0, "several-models"),
    ]
    hints = {place(one)[0]: one.hint for one in problems}
    assert hints[1] == "did you mean `Norway`?"
    assert hints[2] == "did you mean `capital`?"
    assert hints[9] == "did you mean `objects`?"
    notes = [note for one in problems for note in one.notes]
    assert [(span.line, text) for span, text in notes] == [
        (11, "first here"),
        (11, "the other line"),
        (11, "the other line"),
    ]


def place(problem: Problem) -> tuple[int, int, str]:
    assert problem.span is not None
    assert problem.span.file == "said.jsonl"
    return problem.span.line, problem.span.column, problem.code


@pytest.mark.parametrize("lines", [[], ["", " "]])
def test_a_file_without_lines_is_empty(lines: list[str]) -> None:
    with pytest.raises(EvidenceError, match="empty-file"):
        read(*lines)


@given(st.lists(st.text().filter(str.strip), max_size=5))
def test_objects_are_as_they_were_said(objects: list[str]) -> None:
    objects = [text for text in objects if text.isprintable()]
    assert read(line("no", *objects)).generate(NORWAY) == tuple(objects)


def test_other_objects_make_another_generator() -> None:
    one, same, other = (read(line("no", *said)) for said in (["a", "b"], ["a", "b"], ["a, b"]))
    assert one.name == same.name != other.name
