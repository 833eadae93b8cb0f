"""Proofs of what only exact mode decides: what they cite, and what becomes of them when somebody
changes that."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random

import pytest
from msgspec import structs

from kgverify.language.checks import load_rules_text
from kgverify.replay.completions import outcome
from kgverify.replay.satisfying import Effort, TooMuch, satisfiable
from kgverify.verification import Verifier
from kgverify.vocabulary import Candidate, Citation, Claim, Explanation, Question
from tests.reasoning.small import graph
from tests.reasoning.tampering import changed, claiming, faults, kinds, lessened, proof_of

RULES = """
class Country, City
class Port sub of City
disjoint Country, City
relation capital (Country, City) functional
relation inside (City, Country) functional
relation seat (Country, City) functional at a time
relation founded (City, date) functional
relation near (City, City) symmetric
relation twin (City, City)
relation rival (City, City)
relation partner (City, City)
complete twin for Port
not rival(X, Y) :- twin(X, Y), X != Y.
near(X, Y) :- twin(X, Y).
twin(X, Y) :- partner(X, Y).
question ask(a: City, b: City, d: date)
    "?"
    answer x : Country
    require {}
"""
FACTS = """
nz type Country
uk type Country
wellington type City
auckland type Port
oporto type Port
auckland twin brisbane
york type City
napier founded 1850
nz capital napier
"""


def explained(constraint: str, facts: str = FACTS, candidate: str = "nz") -> Explanation:
    rules = load_rules_text(RULES.format(constraint))
    verifier = Verifier(graph(facts, founded="date"), rules, "rank", exact=True)
    arguments = {"a": "wellington", "b": "auckland", "d": "1850-06-01"}
    asked = Question("q", "ask", arguments, (Candidate(candidate),))
    (((verdict,), _),) = verifier.verify([asked])
    return verdict.explain()


def found_faults(explanation: Explanation, constraint: str, facts: str = FACTS) -> list[str]:
    return faults(
        explanation, graph(facts, founded="date"), load_rules_text(RULES.format(constraint))
    )


CASES = {
    # The constraint, and the kinds of what its proof cites.
    "one object": ('not all of { inside(a, x), inside(a, "uk") }', ["identity", "statement"]),
    "either way": ("any of { near(a, b), not near(b, a) }", ["statement"]),
    "a rule read backwards": ("any of { near(a, b), not twin(a, b) }", ["statement"]),
    "a rule with `not`": ("not all of { twin(a, b), rival(a, b) }", ["identity", "statement"]),
    "what is complete": ("not partner(b, a)", ["absence", "fact", "statement"]),
    "what is listed": ('not partner/near("oporto", a)', ["fact", "listing", "statement"]),
    "the same or not": ("any of { near(a, b), not near(a, b) }", []),
    "a path": ('not all of { capital/inside(x, "nz"), capital/inside(x, "uk") }',
               ["identity", "statement"]),
    "a comparison": ('any of { founded("napier") < d, founded("napier") >= d }', ["fact"]),
    "a count": ("any of { count near(a, _) >= 2, count near(a, _) < 2 }", []),
    "two of a count": ('not all of { count near(a, _) < 2, near(a, b), near("york", a) }',
                       ["identity", "statement"]),
    "a chain": ("any of { near+(a, b), not near(a, b) }", []),
    "at a time": ("not all of { seat(x, a) at 1990, seat(x, b) at 1990-05 }",
                  ["identity", "statement"]),
    "members of a group that evidence decides": (
        'at least 2 of { capital/founded(x) < d, capital(x, a), not near(a, b), near(a, b) }',
        ["fact"],
    ),
}  # fmt: skip
FREE = FACTS.replace("nz capital napier", "")


def facts_for(name: str) -> str:
    return FREE if name == "a path" else FACTS.replace("1850", "1849") if "group" in name else FACTS


@pytest.mark.parametrize("name", CASES)
def test_what_is_cited_is_needed_and_replays(name: str) -> None:
    (constraint, expected), facts = CASES[name], facts_for(name)
    told = explained(constraint, facts)
    assert told.constraints[1].constraint.basis == "exact"
    assert kinds(told) == expected
    assert proof_of(told).exact
    assert found_faults(told, constraint, facts) == []
    for citation, less in lessened(told):
        assert found_faults(less, constraint, facts), citation


PARTNERS = "not partner(b, a)"


def _other(citation: Citation) -> Citation:
    terms = tuple("eyork" if term == "ewellington" else term for term in citation.terms)
    return structs.replace(citation, terms=terms)


def _backwards(citation: Citation) -> Citation:
    if citation.name != "rule":
        return citation
    return structs.replace(citation, terms=("partner(X, Y) :- twin(X, Y)",))


def _unwritten(citation: Citation) -> Citation:
    is_one = citation.kind == "statement"
    return structs.replace(citation, name="functional") if is_one else citation


def _about_nothing(citation: Citation) -> Citation:
    return structs.replace(citation, name="functional", terms=())


@pytest.mark.parametrize("change", [_other, _backwards, _unwritten, _about_nothing])
def test_other_citations_do_not_replay(change: Callable[[Citation], Citation]) -> None:
    told = explained(PARTNERS)
    assert found_faults(told, PARTNERS) == []
    assert found_faults(changed(told, change), PARTNERS)


def _denied(claim: Claim) -> Claim:
    return structs.replace(claim, negated=not claim.negated)


def _about_another(claim: Claim) -> Claim:
    return structs.replace(claim, terms=("eauckland", "ebrisbane"))


def _of_nothing(claim: Claim) -> Claim:
    return structs.replace(claim, kind="group", least=1, size=2, members=())


@pytest.mark.parametrize("change", [_denied, _about_another, _of_nothing])
def test_another_claim_does_not_replay(change: Callable[[Claim], Claim]) -> None:
    assert found_faults(claiming(explained(PARTNERS), change), PARTNERS)


def test_a_graph_that_says_otherwise_does_not_bear_it_out() -> None:
    told = explained(PARTNERS)
    more = FACTS + "auckland twin wellington \n"
    assert any("there is evidence for it" in fault for fault in found_faults(told, PARTNERS, more))
    less = FACTS.replace("auckland type Port", "")
    assert any("no such fact" in fault for fault in found_faults(told, PARTNERS, less))
    one = 'not all of { inside(a, x), inside(a, "uk") }'
    same = FACTS + "nz owl:sameAs uk \n"
    assert any("one entity" in fault for fault in found_faults(explained(one), one, same))


def test_names_of_one_entity_are_cited() -> None:
    constraint = 'any of { near(a, b), not near(b, "poneke") }'
    facts = FACTS + "poneke owl:sameAs wellington \n"
    told = explained(constraint, facts)
    assert kinds(told) == ["same", "statement"]
    assert found_faults(told, constraint, facts) == []
    assert all(found_faults(less, constraint, facts) for _, less in lessened(told))


def test_contradictory_citations_prove_nothing() -> None:
    """Whatever is claimed, no completion is otherwise."""
    constraint = 'not all of { inside(a, x), inside(a, "uk") }'
    proof = proof_of(explained(constraint))
    claim = Claim("near", "relation", "near", ("ewellington", "eyork"))
    facts = tuple(Citation("fact", "", "", "inside", ("eyork", c)) for c in ("enz", "euk"))
    book = load_rules_text(RULES.format(constraint))
    forged = structs.replace(proof, claim=claim, citations=(*proof.citations, *facts))
    assert outcome(forged, book) == "contradictory"


def test_a_check_that_takes_too_long_accepts_nothing() -> None:
    proof = proof_of(explained(PARTNERS))
    book = load_rules_text(RULES.format(PARTNERS))
    assert outcome(proof, book) == "holds"
    assert outcome(proof, book, steps=3) == "not checked"


JOINT = "capital(x, a)\n    require capital(x, b)"


def test_the_required_constraints_together() -> None:
    told = explained(JOINT, FREE)
    proof = told.joint_proof
    assert proof is not None
    assert told.verdict == "viol"
    assert [c.kind for c in proof.citations] == ["identity", "statement"]
    assert found_faults(told, JOINT, FREE) == []
    without = structs.replace(told, joint_proof=None)
    assert found_faults(without, JOINT, FREE) == ["the verdict is unk, not viol"]
    for place in range(2):
        less = structs.replace(proof, citations=proof.citations[place : place + 1])
        assert found_faults(structs.replace(told, joint_proof=less), JOINT, FREE)


def test_a_joint_proof_is_of_what_is_required() -> None:
    told = explained(JOINT, FREE)
    proof = told.joint_proof
    assert proof is not None
    claim = structs.replace(proof.claim, least=1)
    other = structs.replace(proof.claim.members[1], text="twin(nz, wellington)")
    members = (*proof.claim.members, other)
    more = structs.replace(proof.claim, least=4, size=4, members=members)
    for forged in (claim, more):
        tampered = structs.replace(told, joint_proof=structs.replace(proof, claim=forged))
        assert any("something else" in f for f in found_faults(tampered, JOINT, FREE))


def test_what_the_checker_does_not_do_has_no_proof() -> None:
    """Of what is assumed closed and left open by evidence, completions say more than the checker
    does."""
    constraint = 'any of { founded("napier") < d assume closed, founded("napier") >= d }'
    told = explained(constraint)
    assert told.constraints[1].constraint.status == "sat"
    assert told.constraints[1].proof is None
    assert "without proof" in found_faults(told, constraint)[0]


def test_the_search_equals_a_try_of_all_values() -> None:
    random, outcomes = Random(7), {True: 0, False: 0}
    for _ in range(400):
        size = random.randint(1, 6)
        clauses = [
            [random.choice((1, -1)) * random.randint(1, size) for _ in range(random.randint(1, 3))]
            for _ in range(random.randint(1, 24))
        ]
        tried = any(
            all(any(values[abs(n) - 1] == (n > 0) for n in clause) for clause in clauses)
            for values in product((False, True), repeat=size)
        )
        assert satisfiable(clauses, Effort(100_000)) == tried
        outcomes[tried] += 1
    assert min(outcomes.values()) > 50
    with pytest.raises(TooMuch):
        satisfiable([[1, 2], [-1, 2], [1, -2], [-1, -2]], Effort(1))


def test_a_group_cites_nothing_that_its_members_only_need_apart() -> None:
    """`near(napier, auckland)` alone is proved from `twin`, which follows from what the other
    members cite."""
    members = [
        'partner("napier", b)',
        'near("napier", b)',
        'twin("york", a)',
        'any of { near("oporto", a), not near(a, "oporto") }',
    ]
    constraint = f"at least 4 of {{ {', '.join(members)} }}"
    facts = FACTS + "napier partner auckland\nnapier twin auckland\nyork partner wellington"
    explanation = explained(constraint, facts)
    found = explanation.constraints[1]
    assert (found.constraint.status, found.constraint.basis) == ("sat", "exact")
    cited = [c.text for c in proof_of(explanation).citations if c.kind == "fact"]
    assert sorted(cited) == ["partner(napier, auckland)", "partner(york, wellington)"]
    assert [line for line in found.constraint.because if line.startswith("twin(")] == []
    assert found.pro is not None
    assert [node.text for node in found.pro.leaves() if node.kind == "fact"] == cited
    assert found_faults(explanation, constraint, facts) == []
