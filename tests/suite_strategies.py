"""Random small rule files with test blocks that pass."""

from __future__ import annotations

from hypothesis import assume
from hypothesis import strategies as st

from kgverify.errors import KgverifyError
from kgverify.language.checks import load_rules_text
from kgverify.language.rulebook import RuleBook
from kgverify.language.suites import Suite
from kgverify.rule_tests import run_tests
from kgverify.testing import strategies as worlds

_entities = st.sampled_from((*worlds.ENTITIES, "other"))
_links = st.builds("{}({}, {})".format, st.sampled_from(worlds.RELATIONS), _entities, _entities)
_members = st.builds("{} : {}".format, _entities, st.sampled_from(worlds.CLASSES))
_values = st.builds(
    "year({}, {})".format, _entities, st.sampled_from(("1990", "1990-05-01", "1991-02-03"))
) | st.builds("size({}, {})".format, _entities, st.sampled_from(("1", "2", "4294967297")))
_facts = st.builds(
    "    {}{}.".format, st.sampled_from(("", "", "", "not ")), _links | _links | _members | _values
)


@st.composite
def tests_of(draw: st.DrawFn, book: RuleBook, name: str) -> str:
    """A test block; what it expects is `unk` throughout."""
    lines = [f'test "{name}" {{', *draw(st.lists(_facts, min_size=1, max_size=8, unique=True))]
    for question in draw(st.lists(st.sampled_from(sorted(book.questions)), min_size=1, max_size=1)):
        first = draw(st.sampled_from(worlds.ENTITIES[:3]))
        asked = draw(st.lists(_entities | st.just("nobody"), min_size=1, max_size=2, unique=True))
        expected = ", ".join(f"{one} = unk" for one in asked)
        lines.append(f"    ask {question}({first}, 1990, 1): {expected}")
    return "\n".join([*lines, "}"])


def passing(text: str) -> str:
    """The rule file with expectations that are met; those that can't be asked stay as they are."""
    lines = text.split("\n")
    for outcome in reversed(list(run_tests(load_rules_text(text, "suite.kgr")))):
        if outcome.verdict is None:
            continue
        line, end = lines[outcome.span.line - 1], outcome.span.end_column - 1
        assert line[end - 3 : end] == "unk"
        lines[outcome.span.line - 1] = line[: end - 3] + outcome.got + line[end:]
    return "\n".join(lines)


@st.composite
def suites(draw: st.DrawFn, tests: int = 2, soft: bool = False) -> Suite:
    """A rule file with up to so many test blocks, all expectations of which are met."""
    rules = draw(worlds.rule_files(soft=soft))
    book = load_rules_text(rules, "suite.kgr")
    blocks = [draw(tests_of(book, f"t{n}")) for n in range(draw(st.integers(1, tests)))]
    try:
        text = passing("\n".join([rules, *blocks]))
    except KgverifyError:
        assume(False)
        raise
    return Suite(load_rules_text(text, "suite.kgr"))
