"""What is written is read back, whatever the names."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgverify.errors import KgverifyError
from kgverify.graph import Graph
from kgverify.mining.formats import FORMATS, Format, ImportedRule, ImportedRules
from kgverify.mining.formats import read_mined_rules as read
from kgverify.mining.formats import write_mined_rules as write
from kgverify.mining.horn import MinedRule
from tests.mining.formats.strategies import mined


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("rules") / "rules.txt"


def back(text: str, format: Format, file: Path, graph: Graph | None = None) -> ImportedRules:
    file.write_text(text, encoding="utf-8", newline="")
    return read(file, graph, format)


def graph_of(rules: list[MinedRule]) -> Graph:
    """A graph that knows the names of the rules, and no others."""

    def key(term: int | str) -> str:
        return term if isinstance(term, str) else "e some entity"

    return Graph.from_triples(
        (key(atom.subject), atom.relation, key(atom.object))
        for rule in rules
        for atom in rule.rule.atoms
    )


@pytest.mark.parametrize("format", ["amie", "json"])
@pytest.mark.parametrize("with_graph", [False, True])
@settings(max_examples=500, deadline=None)
@given(rules=st.lists(mined, max_size=3))
def test_amie_and_json_keep_everything(
    format: Format, with_graph: bool, file: Path, rules: list[MinedRule]
) -> None:
    graph = graph_of(rules) if with_graph else None
    found = back(write(rules, format), format, file, graph)
    assert list(found.mined) == rules
    assert found.skipped == 0


@pytest.mark.parametrize("with_graph", [False, True])
@settings(max_examples=500, deadline=None)
@given(rules=st.lists(mined, max_size=3))
def test_anyburl_keeps_rules_and_its_two_counts(
    with_graph: bool, file: Path, rules: list[MinedRule]
) -> None:
    graph = graph_of(rules) if with_graph else None
    found = back(write(rules, "anyburl"), "anyburl", file, graph)
    assert [rule.rule.canonical for rule in found.rules] == [rule.rule for rule in rules]
    assert [(rule.stated.support, rule.stated.body_size) for rule in found.rules] == [
        (rule.measures.support, rule.measures.body_size) for rule in rules
    ]


@settings(max_examples=200, deadline=None)
@given(rule=mined, format=st.sampled_from(FORMATS))
def test_the_format_is_recognised(file: Path, rule: MinedRule, format: Format) -> None:
    file.write_text(write([rule], format), encoding="utf-8", newline="")
    assert read(file) == read(file, format=format)


noise = st.text(st.sampled_from('?ab XY  \t,()<=>"\\{}:[]0.5-\n'), max_size=60)


@settings(max_examples=600, deadline=None)
@given(
    format=st.sampled_from(FORMATS),
    rules=st.lists(mined, max_size=2),
    cut=st.integers(0, 200),
    garbage=noise,
    graph=st.booleans(),
)
def test_broken_files_are_refused_with_places_or_read_whole(
    file: Path, format: Format, rules: list[MinedRule], cut: int, garbage: str, graph: bool
) -> None:
    text = write(rules, format)
    broken = text[:cut] + garbage + text[cut:]
    try:
        found = back(broken, format, file, graph_of(rules) if graph else None)
    except KgverifyError as error:
        for problem in error.problems:
            assert problem.span is not None
            assert problem.span.file == str(file)
            assert problem.span.line > 0
            assert problem.message
    else:
        assert all(isinstance(rule, ImportedRule) and rule.rule.is_safe for rule in found.rules)
