"""Laws 12 and 13: explanations replay and are minimal, and what would settle settles."""

from __future__ import annotations

import re

import msgspec
from hypothesis import assume, given
from hypothesis import strategies as st

from kgverify.graph.terms import value_key
from kgverify.language.rulebook import DATATYPES
from kgverify.replay import check_statuses, has_view, needed, underivable
from tests.laws.common import LAW, by_candidate, decide, with_denied, with_facts
from tests.oracle import Oracle
from tests.worlds import World, worlds

FLIP = {"for": "against", "against": "for", "is": "isnt", "isnt": "is"}


@LAW
@given(worlds(), st.data())
def test_law_12_explanations_replay_and_are_minimal(world: World, data: st.DataObject) -> None:
    decided = [v for v in decide(world) if set(v.decision.statuses) != {"unk"}]
    assume(decided)
    places = st.lists(st.integers(0, len(decided) - 1), min_size=1, max_size=5, unique=True)
    for verdict in [decided[place] for place in data.draw(places)]:
        explanation = verdict.explain()
        if not any(e.proof and has_view(e.proof.claim) for e in explanation.constraints):
            assert check_statuses(explanation, world.book) == []
        for explained in explanation.constraints:
            proof = explained.proof
            assert (proof is None) == (explained.constraint.status == "unk") or (
                explained.constraint.reason == "conflict"
            )
            if proof is None or has_view(proof.claim):
                continue
            assert underivable(proof, world.book) == []
            assert needed(proof, world.book) == frozenset(range(len(proof.citations)))
            for place in range(len(proof.citations)):
                rest = proof.citations[:place] + proof.citations[place + 1 :]
                less = msgspec.structs.replace(proof, citations=rest)
                assert underivable(less, world.book), (proof.claim.text, proof.citations[place])


@LAW
@given(worlds(size=8), st.data())
def test_law_13_what_would_settle_settles(world: World, data: st.DataObject) -> None:
    undecided = [v for v in decide(world) if "unk" in v.decision.statuses]
    assume(undecided)
    verdict = undecided[data.draw(st.integers(0, len(undecided) - 1))]
    found = [(n, w) for n, c in enumerate(verdict.constraints) for w in c.would_settle]
    assume(found)
    place, settle = found[data.draw(st.integers(0, len(found) - 1))]
    richer = world
    for fact in settle.facts:
        richer = _state(richer, fact)
    before = Oracle(world).evidence
    contradicted = {a for a in before if (FLIP[a[0]], *a[1:]) in before}
    after = Oracle(richer).evidence
    new = {a for a in after if (FLIP[a[0]], *a[1:]) in after} - contradicted
    assert not new, "a set that contradicts what is known"
    settled = by_candidate(richer).get((verdict.question, verdict.candidate))
    assume(settled)  # the question is refused when its argument now has the wrong type
    assert settled is not None
    assert settled.constraints[place].status == settle.status


def _state(world: World, fact: str) -> World:
    """The world with a fact, written as the rule language writes it, added to its graph."""
    denied = fact.startswith("not ")
    fact = fact.removeprefix("not ")
    if ":" in fact:
        entity, cls = fact.split(" : ")
        triple = ("e" + entity, "rdf:type", "e" + cls)
    else:
        relation, subject, object_ = re.fullmatch(r"(\w+)\((\w+), (.+)\)", fact).groups()  # type: ignore[union-attr]
        datatype = world.book.relations[relation].range.text
        value = value_key(object_, datatype) if datatype in DATATYPES else "e" + object_
        triple = ("e" + subject, relation, value)
    return with_denied(world, triple) if denied else with_facts(world, triple)
