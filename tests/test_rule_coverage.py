"""What tests exercise of a rule file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from hypothesis import HealthCheck, event, given, settings

from kgverify.errors import Span
from kgverify.language import syntax as s
from kgverify.language.checks import load_rules_text
from kgverify.language.rulebook import RuleBook
from kgverify.language.suites import Suite
from kgverify.rule_coverage import measure_coverage
from kgverify.rule_tests import run_tests
from tests.suite_strategies import suites

health = list(HealthCheck)
many = settings(max_examples=150, suppress_health_check=health)
some = settings(max_examples=60, suppress_health_check=health)


def proofs(book: RuleBook) -> list[object]:
    """Everything that is said of each expectation, without the hash of the rule file."""
    found: list[object] = []
    for outcome in run_tests(book):
        told = outcome.verdict and outcome.verdict.explain()
        found.append((outcome.got, told and told.constraints))
    return found


def without(book: RuleBook, span: Span) -> RuleBook:
    """The rules without the statement, or the part of one, at a place; by another way than the
    coverage goes, from the syntax alone."""
    return replace(
        book,
        rules=tuple(r for r in book.rules if r.span != span),
        soft=tuple(r for r in book.soft if r.span != span),
        complete=tuple(c for c in book.complete if c.span != span),
        same=tuple(x for x in book.same if x.span != span),
        disjoint=tuple(_fewer(d, span) for d in book.disjoint if len(_fewer(d, span).names) > 1),
        classes={
            name: replace(c, supers=tuple(p for p in c.supers if p.span != span))
            for name, c in book.classes.items()
        },
        relations={
            name: replace(r, properties=tuple(p for p in r.properties if p.span != span))
            for name, r in book.relations.items()
        },
    )


def _fewer(disjoint: s.Disjoint, span: Span) -> s.Disjoint:
    return replace(disjoint, names=tuple(n for n in disjoint.names if n.span != span))


STATEMENTS = ("rule", "fact", "soft rule", "complete", "same", "disjoint", "subclass", "property")


@many
@given(suites())
def test_without_what_is_exercised_a_proof_is_another(suite: Suite) -> None:
    _mutate(suite)


@some
@given(suites(soft=True))
def test_so_with_soft_rules(suite: Suite) -> None:
    _mutate(suite)


@some
@given(suites())
def test_what_no_question_can_rest_on_is_never_exercised(suite: Suite) -> None:
    for place in measure_coverage(suite).idle:
        event(place.kind)
        assert not place.is_exercised, place


def _mutate(suite: Suite) -> None:
    before = proofs(suite.book)
    for place in measure_coverage(suite).places:
        if place.kind in STATEMENTS and place.is_exercised:
            event(place.kind)
            mutant = without(suite.book, place.span)
            assert proofs(mutant) != before, place


@many
@given(suites())
def test_what_is_not_exercised_changes_no_status(suite: Suite) -> None:
    """But for a statement that names an entity: what it alone names is unresolved without it."""
    naming = {r.span for r in suite.book.rules for c in (r.head, *r.body) if _names(c.terms)}
    naming |= {c.span for c in suite.book.complete if c.subjects}
    before = list(run_tests(suite.book))
    for place in measure_coverage(suite).places:
        if place.kind not in ("rule", "property", "disjoint", "complete") or place.is_exercised:
            continue
        if place.span not in naming:
            event(place.kind)
            after = run_tests(without(suite.book, place.span))
            for one, other in zip(before, after, strict=True):
                if one.passed:
                    assert one.verdict is not None
                    assert other.verdict is not None
                    assert one.verdict.statuses == other.verdict.statuses, place


def _names(terms: Iterable[s.Term]) -> bool:
    return any(not term.is_variable for term in terms)


@some
@given(suites())
def test_without_an_exception_that_is_exercised_a_status_is_another(suite: Suite) -> None:
    def statuses(book: RuleBook) -> list[object]:
        return [o.verdict and o.verdict.statuses for o in run_tests(book)]

    before = statuses(suite.book)
    for place in measure_coverage(suite).places:
        if place.kind == "exception" and place.is_exercised:
            event("exception")
            assert statuses(_not_excepted(suite.book, place.span)) != before


def _not_excepted(book: RuleBook, span: Span) -> RuleBook:
    questions = {}
    for name, question in book.questions.items():
        items = tuple(
            replace(i, exceptions=tuple(t for t in i.exceptions if t.span != span))
            for i in question.items
        )
        questions[name] = replace(question, items=items)
    return replace(book, questions=questions)


@some
@given(suites(tests=3))
def test_a_further_test_takes_nothing_away(suite: Suite) -> None:
    book = suite.book
    counts = []
    whole = measure_coverage(suite).places
    for number in range(len(book.tests)):
        found = measure_coverage(Suite(replace(book, tests=book.tests[:number])))
        assert [replace(p, tests=()) for p in found.places] == [replace(p, tests=()) for p in whole]
        counts.append([len(place.tests) for place in found.places])
    counts.append([len(place.tests) for place in whole])
    for fewer, more in pairwise(counts):
        assert all(one <= other for one, other in zip(fewer, more, strict=True))
    turned = measure_coverage(Suite(replace(book, tests=book.tests[::-1])))
    assert [sorted(map(str, p.tests)) for p in turned.places] == [
        sorted(map(str, p.tests)) for p in whole
    ]


@some
@given(suites())
def test_constraints_are_exercised_with_what_comes_out(suite: Suite) -> None:
    """Counted again from the constraints that a verdict shows."""
    expected: dict[str, set[str]] = {}
    for outcome in run_tests(suite.book):
        for number, constraint in enumerate(outcome.verdict.constraints if outcome.verdict else ()):
            way = (outcome.question, str(number), constraint.status)
            expected.setdefault("/".join(way), set()).add(str(outcome.span))
    found: dict[str, set[str]] = {}
    places = [p for p in measure_coverage(suite).places if p.kind == "constraint"]
    for name, question in suite.book.questions.items():
        spans = [question.answer_class.span]
        spans += [item.condition.span for item in question.items]
        own = [p for p in places if p.span in spans]
        order = list(dict.fromkeys((p.span, p.text) for p in own))
        order.sort(key=lambda key: spans.index(key[0]))
        for place in own:
            number = order.index((place.span, place.text))
            if place.tests:
                found[f"{name}/{number}/{place.way}"] = set(map(str, place.tests))
    assert found == expected


# ---------------------------------------------------------------- by hand

RULES = """\
class Ship, Port, Crew
disjoint Ship, Port, Crew
relation docks_at (Ship, Port)
relation home (Ship, Port) functional
relation crew (Ship, Crew)
complete crew for Ship
question calls(p: Port)
    "Which ships call at {p}?"
    answer x : Ship
    require any of { docks_at(x, p), home(x, p) }
    exclude count crew(x, _) < 1  except "ghost"
    prefer count home(x, _) <= 1
test "t" {
    FACTS
    ask calls(oslo): EXPECTED
}
"""


def missed(facts: str, expected: str) -> set[str]:
    text = RULES.replace("FACTS", facts).replace("EXPECTED", expected)
    found = measure_coverage(Suite(load_rules_text(text, "ships.kgr")))
    assert not found.failed
    return {str(place) for place in found.missed}


def test_a_group_is_exercised_by_the_members_that_decide_it() -> None:
    docks, home = ("`docks_at(x, p)`: never makes its group", "`home(x, p)`: never makes its group")
    both = missed("docks_at(tug, oslo). home(tug, oslo). crew(tug, ann).", "tug = sat")
    assert {f"{docks} viol", f"{home} sat", f"{home} viol"} <= both
    assert f"{docks} sat" not in both
    other = missed("home(tug, oslo). crew(tug, ann).", "tug = sat")
    assert {f"{docks} sat"} <= other
    assert f"{home} sat" not in other
    kind = missed("ann : Crew.  oslo : Port.", "ann = viol")
    assert {f"{docks} viol", f"{home} viol"} & kind == set()


def test_an_exception_is_exercised_where_it_matters() -> None:
    exception = 'except `"ghost"`: never what makes the constraint sat'
    assert exception in missed("docks_at(ghost, oslo). crew(ghost, eve).", "ghost = sat")
    assert exception not in missed("docks_at(ghost, oslo).", "ghost = sat")


def test_a_declaration_is_exercised_through_what_follows_for_a_count() -> None:
    functional = "property `home: functional`"
    assert functional not in missed("docks_at(tug, oslo). crew(tug, ann).", "tug = sat")
    assert functional in missed("ann : Crew.", "nobody = unk")


def test_what_no_question_asks_is_idle() -> None:
    text = RULES.replace("FACTS", "crew(tug, ann).").replace("EXPECTED", "tug = unk")
    more = "relation sunk (Ship, Port) functional\nrelation near (Port, Port) asymmetric\n"
    used = "docks_at(X, P) :- docks_at(X, Q), near(Q, P), sunk(X, Q).\n"
    found = measure_coverage(Suite(load_rules_text(more + used + text, "ships.kgr")))
    assert {str(p) for p in found.idle} == {
        "property `sunk: functional`",
        "property `near: asymmetric`",
    }
    assert "rule `line 3`" in {str(p) for p in found.missed}


def test_an_empty_file_of_tests_exercises_nothing() -> None:
    text = RULES[: RULES.index("test")]
    found = measure_coverage(Suite(load_rules_text(text, "ships.kgr")))
    assert (found.tests, found.share) == (0, 0)
    assert found.missed == found.places
