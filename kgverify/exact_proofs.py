"""Proofs of what only exact mode decides, as values that an independent checker can follow.

Exact mode gives a minimal set of statements without a completion that is otherwise; minimal by what
its encodings take along silently.  Here it becomes citations of all that such a proof rests on:
facts as they are stated, names of one entity, terms that differ, and what completeness excludes.
The checker (`replay/completions.py`) then says what can be left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from msgspec import structs

from kgverify.batches import Batch
from kgverify.graph.terms import compatible
from kgverify.reasoning.datalog import Atom, Origin, Rule, Variable
from kgverify.reasoning.deciding import SliceEngine
from kgverify.reasoning.evidence import SHOW, Evidence, Ground, read
from kgverify.reasoning.exact import Cited
from kgverify.reasoning.knowledge import SUBCLASS, TYPE
from kgverify.reasoning.proofs import Prover
from kgverify.reasoning.solver import solve
from kgverify.replay.completions import least
from kgverify.vocabulary import Citation, Claim, Inference, Proof

RULE = "no completion is otherwise"
_SIDES = ("told", "refuted", "supposed")  # of a core: what is no statement
# What is left out first; and how citations are listed.
_SPARED = {"identity": 0, "same": 1, "period": 1, "absence": 2, "listing": 2, "statement": 4}
_LISTED = {"statement": 1, "same": 2}


def exact_proof(
    batch: Batch, proof: Proof, core: Sequence[Cited], named: Iterable[tuple[int, int]]
) -> Proof | None:
    """The minimal proof of a claim that follows from a core; None where the checker can't follow
    it.

    `proof` has the claim and the citations of constraints that evidence decides; `named` are the
    ids by which the claim names its terms, each with the one that stands for it."""
    collected = _Collected(batch, proof, core, named)
    citations = sorted(collected.citations, key=lambda c: _SPARED.get(c.kind, 3))
    found = least(structs.replace(proof, citations=tuple(citations)), batch.knowledge.book)
    if found is None:
        return None
    ordered = sorted(found.citations, key=lambda c: _LISTED.get(c.kind, 0))
    conclusion = f"{proof.claim.text} is {proof.status}"
    step = Inference(RULE, "", conclusion, tuple(dict.fromkeys(c.text for c in ordered)))
    return structs.replace(proof, citations=tuple(ordered), inferences=(step,))


class _Collected:
    """All citations that a core may need."""

    def __init__(
        self, batch: Batch, proof: Proof, core: Sequence[Cited], named: Iterable[tuple[int, int]]
    ) -> None:
        self._batch, self._knowledge, self._narrator = batch, batch.knowledge, batch.narrator
        self._found = dict.fromkeys(proof.citations)
        self._pairs = dict.fromkeys(named)
        self._terms: dict[int, int] = {}  # what stands for a term, and the term as it is named
        covered: list[tuple[Ground, Origin]] = []
        for statement, origin in core:
            if isinstance(statement, Origin):
                self._add_statement(statement)
            elif origin is not None:
                covered.append((statement, origin))
            elif statement[0] not in _SIDES:
                self._add_fact(statement)
        for key in (*_claimed(proof.claim), *_cited(self._found)):
            self._name(self._knowledge.term(key))
        self._add_excluded(covered)
        for pair in self._pairs:
            self._found |= dict.fromkeys(self._narrator.declarations(*pair))
        self._add_differences()

    @property
    def citations(self) -> list[Citation]:
        return list(self._found)

    def _name(self, term: int) -> None:
        self._terms.setdefault(self._knowledge.identity.one(term), term)

    def _add_statement(self, origin: Origin) -> None:
        self._found.setdefault(self._narrator.statement(origin))
        self._pairs |= dict.fromkeys(self._narrator.names_in(origin))
        for term in self._narrator.constants(origin):
            self._name(term)

    def _add_fact(self, fact: Ground) -> None:
        stated = self._narrator.stated(fact)
        self._found.setdefault(self._narrator.stored(fact))
        for one, other in zip(stated[1:], fact[1:], strict=True):
            if one != other:
                self._pairs.setdefault((int(one), int(other)))
        if fact[0] == "triple":
            relation, *ids = stated[1:]
            for period in self._knowledge.stated_periods(str(relation), *map(int, ids)):
                number = self._knowledge.periods.number(period)
                if period.best:
                    atom: Ground = ("period", *fact[1:], number)
                    self._found.setdefault(self._narrator.stored(atom))

    def _add_excluded(self, covered: Sequence[tuple[Ground, Origin]]) -> None:
        """What completeness excludes: the evidence against each other object that the proof may be
        about, and all that is listed, for objects that have no name."""
        engine = self._batch.engine
        rules: list[Rule] = []
        atoms: list[Ground] = []
        scopes: list[Ground] = []
        for (_, name, subject), origin in covered:
            relation = str(name)
            atoms += [("against", relation, subject, term) for term in self._terms]
            if origin.statement[0] == "complete_for":
                scopes.append(("is_a", subject, str(origin.statement[2])))
            rules.append(_listing(relation))
            atoms.append(("for", f"all:{relation}", subject, subject))
        if not covered:
            return
        asking = SliceEngine(self._knowledge, [*engine.rules, *rules])
        evidence = Evidence(read(solve(*asking.about([*atoms, *scopes], measured=True), SHOW)))
        prover = Prover(engine.rules, evidence)
        for atom in (*atoms, *scopes):
            derivation = prover.prove(atom) if atom[0] != "for" else None
            if derivation is not None:
                self._found |= dict.fromkeys(self._narrator.cite(derivation))
                self._pairs |= dict.fromkeys(self._narrator.other_names(derivation))
        for (_, relation_, subject), origin in covered:
            self._add_statement(origin)
            pattern = (relation_, subject)
            found = (a for a in evidence.matching("for", (*pattern, None)) if a[1:3] == pattern)
            objects = sorted({int(atom[3]) for atom in found})
            listed: Ground = ("listed", relation_, subject, *objects)
            self._found.setdefault(self._narrator.extra("listing", listed))

    def _add_differences(self) -> None:
        terms = [term for term in self._terms.values() if not self._knowledge.is_stranger(term)]
        for pair in combinations(sorted(terms), 2):
            one, other = map(self._knowledge.key, pair)
            if not (_may_be_anything(one) or _may_be_anything(other) or compatible(one, other)):
                self._found.setdefault(self._narrator.extra("identity", ("different", *pair)))


def _listing(relation: str) -> Rule:
    """A rule whose head asks for everything that a relation leads to from a subject."""
    x, y = Variable("X"), Variable("Y")
    # The second condition makes all objects matter: of the first alone one would do.
    body = Atom("for", (relation, x, y)), Atom("vague", (y,), absent=True)
    return Rule(Atom("for", (f"all:{relation}", x, x)), body)


def _may_be_anything(key: str) -> bool:
    return key.startswith(("b", "lill "))


def _claimed(claim: Claim) -> Iterator[str]:
    yield from claim.terms
    for member in claim.members:
        yield from _claimed(member)


def _cited(citations: Iterable[Citation]) -> Iterator[str]:
    """The terms that are cited, classes and dates of periods left out."""
    for citation in citations:
        if citation.kind in ("period", "outranked"):
            yield from citation.terms[:2]
        elif citation.kind != "statement" and citation.name != SUBCLASS:
            yield from citation.terms[: 1 if citation.name == TYPE else None]
