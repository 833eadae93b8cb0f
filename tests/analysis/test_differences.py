"""Two versions of a rule file differ where enumerating all graphs says so."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from kgverify import RuleBook, compare_rules, load_rules, load_rules_text, run_tests
from kgverify.analysis.blocks import confirm
from kgverify.analysis.differences import DIFFER, NEW, OLD
from kgverify.analysis.guessing import CLASH, Deadline, Guesses, Look
from kgverify.errors import KgverifyError
from tests.analysis.small import judged, rule_files, small_domain

RULES = Path(__file__).parents[2] / "rules"
SMALL = """\
class A
relation r (A, A) functional
relation s (A, A)
rule turned: s(X, Y) :- r(Y, X).
question q(p: A)
    "What of {p}?"
    answer x : A
    require r(x, p)
question other(p: A)
    "What else of {p}?"
    answer x : A
    require s(x, p)
"""


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_a_difference_equals_the_enumeration_of_all_graphs(data: st.DataObject) -> None:
    text = data.draw(rule_files())
    lines = text.splitlines()
    gone = data.draw(st.integers(1, len(lines) - 1))
    other = "\n".join(line for n, line in enumerate(lines) if n != gone) + "\n"
    try:
        old, new = load_rules_text(text), load_rules_text(other)
    except KgverifyError:
        assume(False)
    assume("q" in new.questions)
    domain, (one, two) = small_domain(data.draw, old, new, size=4)
    looks = [Look(old, one, "q", OLD), Look(new, two, "q", NEW)]
    guesses = Guesses(domain, looks, DIFFER, Deadline(600))
    before = {(g.facts, g.asked): g for g in judged(text, domain, one)}
    after = {(g.facts, g.asked): g for g in judged(other, domain, two)}
    for atoms, consistent, least in (
        (("differ",), (OLD + CLASH, NEW + CLASH), 2),
        (("differ", "sound"), (), 1),
        (("differ",), (), 0),
    ):
        sizes = [
            len(key[0])
            for key, graph in before.items()
            if key in after
            and graph.verdict != after[key].verdict
            and graph.agrees + after[key].agrees >= least
        ]
        found = guesses.smallest(*atoms, consistent=consistent)
        assert (None if found is None else len(found.facts)) == min(sizes, default=None)
        if found is not None:
            verdicts = [confirm(b, "q", found, p).verdict for b, p in ((old, OLD), (new, NEW))]
            assert verdicts[0].verdict != verdicts[1].verdict


def changed(book: RuleBook, old: str, new: str) -> RuleBook:
    assert book.text.count(old) == 1
    return load_rules_text(book.text.replace(old, new), book.path)


def only(book: RuleBook, *questions: str) -> RuleBook:
    return replace(book, questions={name: book.questions[name] for name in questions})


@pytest.mark.parametrize(
    ("file", "question", "old", "new", "verdicts"),
    [
        ("family", "siblings_born_elsewhere", "    exclude born_in(x, b)\n", "", {"viol", "unk"}),
        (
            "family",
            "grandchildren_of",
            'rule grandparent "a parent of a parent is a grandparent":\n'
            "    grandparent_of(X, Z) :- parent_of(X, Y), parent_of(Y, Z).\n",
            "",
            {"viol", "unk"},  # as small as one with sat: `grandparent_of` is asymmetric
        ),
        (
            "family",
            "born_on",
            "relation born (Person, date) functional ",
            "relation born (Person, date) ",
            {"viol", "unk"},
        ),
        (
            "countries",
            "capital_of",
            "relation capital (Country, City) functional, inverse functional",
            "relation capital (Country, City) inverse functional",
            {"viol", "unk"},
        ),
    ],
)
def test_changes_of_shipped_files_are_found(
    file: str, question: str, old: str, new: str, verdicts: set[str]
) -> None:
    before = load_rules(RULES / f"{file}.kgr")
    after = changed(before, old, new)
    found = compare_rules(only(before, question), only(after, question), 2, 600)
    (difference,) = found.different
    assert difference.question == question
    assert {difference.old.verdict.verdict, difference.new.verdict.verdict} == verdicts
    assert difference.agrees
    assert not found.left
    # The block is one of the newer version, and passes there only.
    for book, passes in ((after, True), (before, False)):
        longer = load_rules_text(f"{book.text}\n{difference.block}\n")
        tests = longer.tests[-1:]
        (outcome,) = run_tests(replace(longer, tests=tests))
        assert outcome.passed is passes


def test_nothing_differs_from_itself() -> None:
    book = load_rules_text(SMALL)
    found = compare_rules(book, book)
    assert not found.different
    assert [(x.question, x.claim) for x in found.alike] == [("q", "proven"), ("other", "proven")]


def test_words_and_tests_change_nothing() -> None:
    book = load_rules_text(SMALL)
    more = SMALL.replace("relation s (A, A)", 'relation s (A, A) "{0} is {1}" phrases "is"')
    found = compare_rules(book, load_rules_text(more), 1)
    assert {x.claim for x in found.alike} == {"proven"}


def test_an_unused_relation_changes_nothing_up_to_the_bound() -> None:
    found = compare_rules(
        load_rules_text(SMALL), load_rules_text(SMALL.replace("rule turned", "rule mirrored")), 2
    )
    assert {x.claim for x in found.alike} == {"proven"}
    more = SMALL + "class B\nrelation u (B, B)\n"
    found = compare_rules(load_rules_text(SMALL), load_rules_text(more), 2)
    assert not found.different
    assert [x.claim for x in found.alike] == ["up to 2 facts about 4 things"] * 2


def test_renamed_removed_and_added_questions_are_listed() -> None:
    after = SMALL.replace("question q(", "question asked(")
    after = after.replace("question other(", "question new(")
    after = after.replace("    require s(x, p)", "    exclude s(x, p)")
    found = compare_rules(load_rules_text(SMALL), load_rules_text(after), 1)
    assert (found.renamed, found.removed, found.added) == ((("q", "asked"),), ("other",), ("new",))
    assert [x.question for x in found.alike] == ["asked"]


def test_what_can_not_be_compared_is_told() -> None:
    after = SMALL.replace("question q(p: A)", "question q(p: A, o: A)")
    after = after.replace("What of {p}?", "What of {p}, {o}?")
    after = after.replace("    require r(x, p)", "    require r(x, p)\n    require r(x, o)")
    found = compare_rules(load_rules_text(SMALL), load_rules_text(after), 1)
    assert [(x.what, x.why) for x in found.left] == [("question `q`", "its parameters are others")]


def test_the_time_may_be_over() -> None:
    after = SMALL.replace(" functional", "")
    found = compare_rules(load_rules_text(SMALL), load_rules_text(after), 2, 0)
    assert [x.late for x in found.left] == [True, True]
    assert (found.different, found.alike) == ((), ())
