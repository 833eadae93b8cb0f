"""Proofs of paths, comparisons and counts: checked from what they cite, and against the graph."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from kgverify.graph import Graph
from kgverify.language.checks import check
from kgverify.language.rulebook import RuleBook
from kgverify.replay.checker import underivable
from kgverify.replay.rechecking import check_explanation
from kgverify.replay.views import declared
from kgverify.verification import Verifier
from kgverify.vocabulary import Candidate, Citation, Explanation, Question

RULES = """
class Person, Town
disjoint Person, Town
relation child (Person, Person)
relation parent (Person, Person) inverse of child
relation mother (Person, Person) functional
relation lives (Person, Town) functional
relation near (Town, Town) symmetric
relation born (Person, date)
complete child
complete born
complete near
question cousins(t: Town)
    "Whose?"
    answer x : Person
    require {constraint}
"""
PEOPLE = (
    ("ann", "child", "bob"),
    ("ann", "child", "cleo"),
    ("bob", "lives", "oslo"),
    ("cleo", "lives", "bergen"),
    ("oslo", "near", "moss"),
)
FACTS = tuple((f"e{s}", r, f"e{o}") for s, r, o in PEOPLE)


def explained(
    constraint: str, facts: tuple[tuple[str, str, str], ...] = FACTS
) -> tuple[Explanation, Graph, RuleBook]:
    """How ann fares, with `t` for the town of hamar."""
    book, problems = check(RULES.replace("{constraint}", constraint), "people.kgr")
    assert not [problem for problem in problems if problem.is_error], problems
    known = (("eann", "rdf:type", "ePerson"), ("ehamar", "rdf:type", "eTown"))
    graph = Graph.from_triples((*facts, *known))
    question = Question("q", "cousins", {"t": "hamar"}, (Candidate("ann"),))
    ((verdicts, _),) = Verifier(graph, book, "rank").verify([question])
    return verdicts[0].explain(), graph, book


def citations(explanation: Explanation, kind: str) -> list[str]:
    proof = explanation.constraints[1].proof
    assert proof is not None
    return [citation.text for citation in proof.citations if citation.kind == kind]


@pytest.mark.parametrize(
    ("constraint", "status", "listings"),
    [
        ("child/lives(x, t)", "viol", ["`child` of ann than bob, cleo"]),
        ("^parent/lives(x, t)", "viol", ["`child` of ann than bob, cleo"]),
        ('child/lives(x, "oslo")', "sat", []),
        ("count child(x, _) >= 2", "sat", []),
        ("count child(x, _) >= 3", "viol", ["`child` of ann than bob, cleo"]),
        (
            "count child/lives(x, _) <= 2",
            "sat",
            [
                "`child` of ann than bob, cleo",
                "`lives` of bob than oslo",
                "`lives` of cleo than bergen",
            ],
        ),
        ("count mother(x, _) >= 2", "viol", []),
        ("mother/lives(x, t)", "unk", []),
        ("child+/lives(x, t)", "viol", ["`child` of ann than bob, cleo"]),
        ("born(x) < 1990", "viol", ["no `born` of ann"]),
    ],
)
def test_views_replay(constraint: str, status: str, listings: list[str]) -> None:
    explanation, graph, book = explained(constraint)
    assert explanation.constraints[1].constraint.status == status
    assert check_explanation(explanation, graph, book) == []
    if status != "unk":
        said = citations(explanation, "listing")
        assert [t for t in listings if not any(t in s for s in said)] == []
        assert bool(said) == bool(listings)


def changed(explanation: Explanation, change: Callable[[Citation], Citation | None]) -> Explanation:
    """The explanation with the citations of its second constraint changed, or left out."""
    first, second, *rest = explanation.constraints
    assert second.proof is not None
    kept = tuple(c for c in map(change, second.proof.citations) if c is not None)
    proof = msgspec.structs.replace(second.proof, citations=kept)
    second = msgspec.structs.replace(second, proof=proof)
    return msgspec.structs.replace(explanation, constraints=(first, second, *rest))


def test_an_object_that_is_left_out_of_a_listing_is_missed() -> None:
    explanation, graph, book = explained("child/lives(x, t)")

    def shorter(citation: Citation) -> Citation:
        is_listing = citation.kind == "listing"
        terms = citation.terms[:-1] if is_listing else citation.terms
        return msgspec.structs.replace(citation, terms=terms)

    (problem,) = check_explanation(changed(explanation, shorter), graph, book)
    assert "the graph lists more" in problem.message


def test_without_the_listing_nothing_follows() -> None:
    explanation, graph, book = explained("child/lives(x, t)")
    forged = changed(explanation, lambda c: None if c.kind == "listing" else c)
    (problem,) = check_explanation(forged, graph, book)
    assert "does not follow from what is cited" in problem.message


def test_a_graph_that_lists_more() -> None:
    explanation, _, book = explained("child/lives(x, t)")
    _, richer, _ = explained("child/lives(x, t)", (*FACTS, ("eann", "child", "edan")))
    messages = [p.message for p in check_explanation(explanation, richer, book) if p.is_error]
    assert any("the graph lists more" in message for message in messages)


def test_completeness_says_nothing_beside_a_blank_node_with_objects() -> None:
    explanation, _, book = explained("count child(x, _) >= 3")
    shadow = ("bsomeone", "child", "edan")
    _, shadowed, _ = explained("count child(x, _) >= 3", (*FACTS, shadow))
    messages = [p.message for p in check_explanation(explanation, shadowed, book) if p.is_error]
    assert any("a blank node has objects too" in message for message in messages)


def test_an_assumption_about_a_view_is_looked_up() -> None:
    constraint = "mother/lives(x, t) assume closed"
    explanation, graph, book = explained(constraint)
    assert explanation.constraints[1].constraint.basis == "assumed"
    assert check_explanation(explanation, graph, book) == []
    more = (("eann", "mother", "eeve"), ("eeve", "lives", "ehamar"))
    _, richer, _ = explained(constraint, (*FACTS, *more))
    messages = [p.message for p in check_explanation(explanation, richer, book) if p.is_error]
    assert any("there is evidence for it" in message for message in messages)


def test_long_listings_replay() -> None:
    many = tuple(("eann", "child", f"ec{n:03}") for n in range(300))
    homes = tuple((f"ec{n:03}", "lives", "eoslo") for n in range(300))
    for constraint in ("child/lives(x, t)", "count child(x, _) >= 250"):
        explanation, graph, book = explained(constraint, (*many, *homes))
        assert explanation.constraints[1].proof is not None
        assert check_explanation(explanation, graph, book) == []


@pytest.mark.parametrize(
    ("statement", "holds"),
    [
        (("functional", "mother/lives"), True),
        (("functional", "child/lives"), False),
        (("functional", "(mother|lives)"), False),
        (("inverse_functional", "^mother"), True),
        (("starts", "^parent/lives", "Person"), True),
        (("ends", "^parent/lives", "Town"), True),
        (("ends", "^parent/lives", "Person"), False),
        (("ends", "^lives", "Person"), True),
        (("alike", "child", "parent"), False),
        (("functional", "nothing"), False),
        (("functional", "child) or (child"), False),
    ],
)
def test_what_a_path_is_by_declaration(statement: tuple[str, ...], holds: bool) -> None:
    _, _, book = explained("child/lives(x, t)")
    assert declared(book, statement) is holds


def test_a_claim_that_can_not_be_read_is_not_derived() -> None:
    explanation, _, book = explained("count child(x, _) >= 2")
    proof = explanation.constraints[1].proof
    assert proof is not None
    assert underivable(proof, book) == []
    for name in ("count child >= ", "child(x, x) ", "count child >= 2, 3"):
        claim = msgspec.structs.replace(proof.claim, name=name)
        assert underivable(msgspec.structs.replace(proof, claim=claim), book)
