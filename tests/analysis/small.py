"""Small rule files, and all graphs of a small domain judged by the semantics in plain Python."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, combinations

from hypothesis import assume
from hypothesis import strategies as st

from kgverify import KgverifyError, RuleBook, load_rules_text
from kgverify.analysis.domains import Bound, question_domain
from kgverify.analysis.things import Asked, Domain, Fact
from kgverify.reasoning.knowledge import TYPE
from kgverify.testing import World
from tests.oracle import Oracle

PROPERTIES = (
    *("functional", "inverse functional", "symmetric"),
    *("asymmetric", "irreflexive", "transitive"),
)
STATEMENTS = (
    "disjoint A, B",
    "disjoint r, s",
    "complete r",
    "complete s for A",
    "s(c, c).",
    "not r(c, c).",
)
RULES = (
    "s(X, Y) :- r(Y, X).",
    "s(X, Z) :- r(X, Y), r(Y, Z).",
    "not s(X, Y) :- r(X, Y).",
    "not r(X, Y) :- s(Y, X), X != Y.",
    "r(X, Y) :- s(X, Y), not s(Y, X).",
    "X : B :- r(X, Y).",
    "not X : B :- s(X, Y).",
    "s(X, c) :- X : B.",
    "t(X, Y) :- r(X, Y), s(X, Y).",
)
ITEMS = (
    "require r(x, p)",
    "exclude s(x, p)",
    "require s(p, x)",
    "require not r(x, p)",
    "prefer t(x, p)",
    "exclude t(x, p)",
    "require x : B",
    'require r(x, "c")',
    "exclude s(x, p) assume closed",
    "require r/s(x, p)",
    "require (r|s)(x, p)",
    "require r+(x, p)",
    "require count r(x, _) >= 2",
    "require any of { r(x, p), s(x, p) }",
    "require at least 2 of { r(x, p), s(x, p), x : B }",
    "exclude r(x, p) except \"c\"",
    "require x != p",
)


@st.composite
def rule_files(draw: st.DrawFn, rules: int = 2) -> str:
    """The text of a small rule file with one question, which passes its checks."""
    properties = st.lists(st.sampled_from(PROPERTIES), max_size=2, unique=True)
    lines = ["class A, B"]
    for name, range_ in (("r", "A"), ("s", draw(st.sampled_from("AB"))), ("t", "A")):
        own = draw(properties)
        if name == "s" and range_ == "A" and draw(st.booleans()):
            own = [*own, draw(st.sampled_from(("sub of r", "inverse of r")))]
        lines.append(f"relation {name} (A, {range_}) {', '.join(own)}".rstrip())
    lines += draw(st.lists(st.sampled_from(STATEMENTS), max_size=2, unique=True))
    lines += draw(st.lists(st.sampled_from(RULES), max_size=rules, unique=True))
    items = draw(st.lists(st.sampled_from(ITEMS), min_size=1, max_size=3, unique=True))
    lines += ["question q(p: A)", '    "What of {p}?"', "    answer x : A"]
    lines += [f"    {item}" for item in items]
    text = "\n".join(lines) + "\n"
    try:
        load_rules_text(text)
    except KgverifyError:
        assume(False)
    return text


def small_domain(
    draw: st.DrawFn, *books: RuleBook, size: int = 5
) -> tuple[Domain, list[frozenset[str]]]:
    """A few facts of the domain of question `q`, about three things, none of which is alike to
    another."""
    domain, names, full = question_domain([(book, "q") for book in books], Bound(1))
    assert full
    facts = draw(st.lists(st.sampled_from(domain.facts), min_size=3, max_size=size, unique=True))
    facts.sort(key=domain.facts.index)
    entities = domain.entities
    options = draw(st.lists(st.sampled_from(domain.options), min_size=1, max_size=3, unique=True))
    return replace(
        domain, facts=tuple(facts), own=entities, named=(), unnamed=(), options=tuple(options)
    ), names


@dataclass(frozen=True)
class Judged:
    """What the oracle says of a candidate on a graph."""

    facts: tuple[Fact, ...]
    asked: Asked
    verdict: str
    statuses: dict[int, str]
    agrees: bool


def judged(text: str, domain: Domain, names: frozenset[str]) -> Iterator[Judged]:
    """Every graph and way to ask of a domain, as the oracle judges it."""
    for facts in subsets(domain.facts):
        world = World(
            text,
            tuple(f.triple for f in facts if not f.denied),
            tuple(f.triple for f in facts if f.denied),
        )
        oracle = Oracle(world)
        agrees = not clashes(oracle, names)
        for asked in domain.options:
            if refused(world.book, facts, asked):
                continue
            values = {"x": asked.candidate.key, "p": asked.arguments[0].key}
            verdict, _, statuses = oracle.decide("q", values)
            yield Judged(facts, asked, verdict, {int(n): x for n, x in statuses.items()}, agrees)


def subsets(facts: tuple[Fact, ...]) -> Iterator[tuple[Fact, ...]]:
    """All sets of these facts, the small ones first."""
    return chain.from_iterable(combinations(facts, size) for size in range(len(facts) + 1))


def clashes(oracle: Oracle, names: frozenset[str]) -> bool:
    """Has some atom of these relations and classes evidence for and against it?"""
    signs = {"for": "against", "is": "isnt"}
    return any(
        (signs[atom[0]], *atom[1:]) in oracle.evidence
        for atom in oracle.evidence
        if atom[0] in signs and (atom[1] if atom[0] == "for" else atom[2]) in names
    )


def refused(book: RuleBook, facts: tuple[Fact, ...], asked: Asked) -> bool:
    """Is the argument stated to be of a class that shares no member with the parameter's?"""
    (argument,) = asked.arguments
    own = [f for f in facts if f.subject == argument and not f.denied]
    stated = {f.object.key[1:] for f in own if f.relation == TYPE}
    return "A" not in stated and any(book.are_disjoint(name, "A") for name in stated)
