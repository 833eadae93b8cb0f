"""Smallest proofs, of plain atoms and rules."""

from __future__ import annotations

import random

import pytest

from kgverify.reasoning.datalog import Rule
from kgverify.reasoning.evidence import Evidence, Forward, Ground, Joins, read
from kgverify.reasoning.proofs import Derivation, Prover, restricted
from kgverify.reasoning.solver import read_rules

FACTS = "for(q,X,Y) :- triple(q,X,Y). for(r,X,Y) :- triple(r,X,Y). is_a(X,c) :- member(X,c)."
CHAIN = "for(r,X,Z) :- for(r,X,Y), for(r,Y,Z)."


def evidence(*atoms: str) -> Evidence:
    return Evidence(read(atoms))


def atom(text: str) -> Ground:
    (found,) = read([text])
    return found


def shown(proof: Derivation | None) -> str | None:
    """A proof as one line: each atom with what it rests on, and its size."""
    if proof is None:
        return None

    def line(part: Derivation) -> str:
        head = f"{part.atom[0]}({','.join(map(str, part.atom[1:]))})"
        if part.step is None:
            return head
        return f"{head}[{' '.join(map(line, part.children))}]"

    return f"{proof.size} {line(proof)}"


def prove(rules: str, goal: str, *atoms: str) -> str | None:
    """The proof of an atom from evidence that is given whole."""
    return shown(Prover(read_rules(rules), evidence(*atoms)).prove(atom(goal)))


def test_what_the_evidence_does_not_hold_has_no_proof() -> None:
    assert prove(FACTS, "for(q,1,2)", "triple(q,1,2)") is None
    assert prove(FACTS, "for(q,1,2)", "for(q,1,2)") is None  # nothing that it rests on
    assert prove(FACTS, "for(q,1,2)", "for(q,1,2)", "triple(q,1,2)") == (
        "2 for(q,1,2)[triple(q,1,2)]"
    )
    assert prove(FACTS, "triple(q,1,2)", "triple(q,1,2)") == "1 triple(q,1,2)"


def test_the_size_of_a_proof_counts_what_it_rests_on() -> None:
    rules = FACTS + "for(p,X,Y) :- for(q,X,Y), for(r,X,Y), is_a(X,c)."
    known = ["triple(q,1,2)", "triple(r,1,2)", "member(1,c)"]
    more = ["for(q,1,2)", "for(r,1,2)", "is_a(1,c)", "for(p,1,2)"]
    assert prove(rules, "for(p,1,2)", *known, *more) == (
        "7 for(p,1,2)[for(q,1,2)[triple(q,1,2)] for(r,1,2)[triple(r,1,2)] is_a(1,c)[member(1,c)]]"
    )


def test_the_smallest_of_several_proofs_is_found() -> None:
    rules = FACTS + "for(p,X,Y) :- for(q,X,Z), for(q,Z,Y). for(p,X,Y) :- for(r,X,Y)."
    long = ["for(p,1,2)", "for(q,1,5)", "for(q,5,2)", "triple(q,1,5)", "triple(q,5,2)"]
    assert prove(rules, "for(p,1,2)", *long) == (
        "5 for(p,1,2)[for(q,1,5)[triple(q,1,5)] for(q,5,2)[triple(q,5,2)]]"
    )
    assert prove(rules, "for(p,1,2)", *long, "for(r,1,2)", "triple(r,1,2)") == (
        "3 for(p,1,2)[for(r,1,2)[triple(r,1,2)]]"
    )


def test_proofs_are_kept_and_used_again() -> None:
    rules = FACTS + "for(p,X,Y) :- for(q,X,Y), for(r,X,Y)."
    known = evidence(
        *("triple(q,1,2)", "for(q,1,2)", "triple(r,1,2)", "for(r,1,2)", "for(p,1,2)"),
    )
    prover = Prover(read_rules(rules), known)
    part = prover.prove(atom("for(q,1,2)"))
    whole = prover.prove(atom("for(p,1,2)"))
    assert whole is not None
    assert whole.size == 5
    assert whole.children[0] is part
    assert prover.prove(atom("for(p,1,2)")) is whole


def test_a_circle_proves_nothing() -> None:
    rules = "for(q,X,Y) :- for(r,X,Y). for(r,X,Y) :- for(q,X,Y)."
    assert prove(rules, "for(q,1,2)", "for(q,1,2)", "for(r,1,2)") is None


def test_a_stored_fact_needs_no_other_way() -> None:
    rules = FACTS + "for(q,X,Y) :- is_a(X,c), for(r,X,Y). for(q,X,Y) :- for(q,X,Y)."
    known = ["triple(q,1,2)", "for(q,1,2)", "is_a(1,c)", "member(1,c)", "for(r,1,2)"]
    assert prove(rules, "for(q,1,2)", *known) == "2 for(q,1,2)[triple(q,1,2)]"


def test_a_fact_that_needs_an_absence_is_not_the_only_way() -> None:
    rules = "for(p,X,Y) :- triple(p,X,Y), not for(s,X,Y). for(p,X,Y) :- for(q,X,Y)."
    known = evidence("triple(p,1,2)", "for(q,1,2)", "for(p,1,2)")
    step, other = Prover(read_rules(rules), known)._ways(atom("for(p,1,2)"), None)
    assert [bool(step.extra), bool(other.extra)] == [True, False]
    (only,) = Prover(
        read_rules("for(p,X,Y) :- triple(p,X,Y). for(p,X,Y) :- for(q,X,Y)."), known
    )._ways(atom("for(p,1,2)"), None)
    assert only.body == (atom("triple(p,1,2)"),)


def test_what_rests_on_an_absence_alone_is_proved_by_one_step() -> None:
    rules = "against(p,X,Y) :- want(p,X,Y), not for(p,X,Y). against(q,X,Y) :- against(p,X,Y)."
    known = ["against(p,1,2)", "against(q,1,2)"]
    assert prove(rules, "against(p,1,2)", *known) == "1 against(p,1,2)[]"
    assert prove(rules, "against(q,1,2)", *known) == "2 against(q,1,2)[against(p,1,2)[]]"


def test_the_parts_of_a_proof_come_before_it_from_left_to_right() -> None:
    rules = FACTS + "for(p,X,Y) :- for(q,X,Y), for(r,X,Y)."
    known = ["triple(q,1,2)", "for(q,1,2)", "triple(r,1,2)", "for(r,1,2)", "for(p,1,2)"]
    proof = Prover(read_rules(rules), evidence(*known)).prove(atom("for(p,1,2)"))
    assert proof is not None
    assert [part.atom for part in proof.parts()] == list(map(atom, known))


def test_more_ways_than_are_tried_at_first() -> None:
    """Of the first fifty ways none has a proof; all are tried then."""
    rules = "for(p,X,Y) :- for(q,X,Z), for(r,Z,Y). for(q,X,Y) :- triple(q,X,Y). " + (
        "for(r,X,Y) :- triple(r,X,Y)."
    )
    known = ["for(p,1,2)", "triple(q,1,99)", "triple(r,99,2)"]
    known += [f"for(q,1,{way})" for way in range(10, 100)]
    known += [f"for(r,{way},2)" for way in range(10, 100)]
    assert prove(rules, "for(p,1,2)", *known) == (
        "5 for(p,1,2)[for(q,1,99)[triple(q,1,99)] for(r,99,2)[triple(r,99,2)]]"
    )


def test_fifty_ways_are_tried_at_first() -> None:
    rules = read_rules("for(p,X,Y) :- for(q,X,Z), for(r,Z,Y).")
    known = ["for(p,1,2)"]
    known += [f"for({name})" for way in range(60) for name in (f"q,1,{way}", f"r,{way},2")]
    prover = Prover(rules, evidence(*known))
    assert [len(prover._ways(atom("for(p,1,2)"), n)) for n in (50, None)] == [50, 60]


# ---------------------------------------------------------------- chains


def links(*pairs: tuple[int, int]) -> list[str]:
    return [f"{name}(r,{x},{y})" for x, y in pairs for name in ("for", "triple")]


def test_the_links_of_a_chain_stand_side_by_side() -> None:
    known = [*links((1, 2), (2, 3), (3, 4)), "for(r,1,3)", "for(r,2,4)", "for(r,1,4)"]
    proof = Prover(read_rules(FACTS + CHAIN), evidence(*known)).prove(atom("for(r,1,4)"))
    assert proof is not None
    assert [child.atom for child in proof.children] == [
        ("for", "r", 1, 2),
        ("for", "r", 2, 3),
        ("for", "r", 3, 4),
    ]
    assert proof.size == 8  # with the rest of the chain as a part of its own


def test_a_shorter_chain_is_taken() -> None:
    known = [*links((1, 2), (2, 3), (3, 9), (1, 8), (8, 9)), "for(r,1,9)", "for(r,2,9)"]
    proof = Prover(read_rules(FACTS + CHAIN), evidence(*known, "for(r,1,3)")).prove(
        atom("for(r,1,9)")
    )
    assert proof is not None
    assert [child.atom[2:] for child in proof.children] == [(1, 8), (8, 9)]


def test_chains_go_round_in_circles() -> None:
    pairs = [f"for(r,{x},{y})" for x in (1, 2, 3) for y in (1, 2, 3)]
    stored = [f"triple(r,{x},{y})" for x, y in ((1, 2), (2, 3), (3, 1))]
    prover = Prover(read_rules(FACTS + CHAIN), evidence(*pairs, *stored))
    for end, length in ((2, 1), (3, 2), (1, 3)):
        proof = prover.prove(atom(f"for(r,1,{end})"))
        assert proof is not None
        assert len(proof.children) == length


def test_a_chain_is_of_its_own_relation() -> None:
    other = FACTS + CHAIN + "for(q,X,Z) :- for(q,X,Y), for(q,Y,Z)."
    known = ["for(q,1,2)", "for(q,2,3)", "triple(q,1,2)", "triple(q,2,3)", "for(q,1,3)"]
    proof = Prover(read_rules(other), evidence(*known, *links((1, 2), (2, 3)))).prove(
        atom("for(q,1,3)")
    )
    assert proof is not None
    assert [str(child.atom[1]) for child in proof.children] == ["q", "q"]


def test_a_link_that_follows_by_a_rule_keeps_its_proof() -> None:
    rules = FACTS + CHAIN + "for(r,X,Y) :- for(q,X,Y)."
    known = [*links((2, 3)), "for(q,1,2)", "triple(q,1,2)", "for(r,1,2)", "for(r,1,3)"]
    assert prove(rules, "for(r,1,3)", *known) == (
        "6 for(r,1,3)[for(r,1,2)[for(q,1,2)[triple(q,1,2)]] for(r,2,3)[triple(r,2,3)]]"
    )


@pytest.mark.parametrize(
    ("rule", "chain"),
    [
        (CHAIN, True),
        ("for(r,X,Z) :- for(r,Y,Z), for(r,X,Y).", True),  # its body turned round
        ("for(r,X,Z) :- for(r,X,Y), for(q,Y,Z).", False),
        ("for(r,X,Z) :- for(q,X,Y), for(r,Y,Z).", False),
        ("for(r,X,Z) :- for(r,X,Y), for(r,Z,Y).", False),
        ("for(r,X,Z) :- for(r,Y,X), for(r,Y,Z).", False),
        ("for(r,X,Z) :- for(r,X,Z), for(r,X,Z).", False),
        ("for(r,X,X) :- for(r,X,Y), for(r,Y,X).", False),
        ("for(r,X,Z) :- for(r,X,1), for(r,1,Z).", False),
        ("for(r,1,Z) :- for(r,1,Y), for(r,Y,Z).", False),
        ("for(R,X,Z) :- for(R,X,Y), for(R,Y,Z).", False),
        ("for(r,X,Z) :- for(r,X,Y), for(r,Y,Z), X != Z.", False),
        ("for(r,X,Z) :- for(r,X,Z), X != Z.", False),
        ("for(r,X,Z) :- X != Z, for(r,X,Z).", False),
        ("for(r,X,Z) :- against(r,X,Y), for(r,Y,Z).", False),
        ("for(r,X,Z) :- for(r,X,Y), against(r,Y,Z).", False),
        ("against(r,X,Z) :- against(r,X,Y), against(r,Y,Z).", False),
        ("against(r,X,Z) :- for(r,X,Y), for(r,Y,Z).", False),
        ("for(r,X,Z) :- want(r,X,Z), for(r,X,Y), for(r,Y,Z).", True),
        ("for(r,X,Z) :- is_a(X,c), for(r,X,Y), for(r,Y,Z).", False),
        ("for(r,X,Z) :- for(r,X,Z).", False),
    ],
)
def test_which_rules_are_chains(rule: str, chain: bool) -> None:
    prover = Prover(read_rules(rule), evidence())
    assert [bool(prover._chains), bool(prover._rules)] == [chain, not chain]


# ---------------------------------------------------------------- parts of the evidence


def test_steps_that_are_not_allowed_are_not_taken() -> None:
    rules = read_rules(FACTS + CHAIN + "for(r,X,Y) :- for(q,X,Y).")
    known = evidence(
        *links((1, 2), (2, 3), (1, 8), (8, 9), (9, 3)),
        *("for(r,1,3)", "for(r,1,9)", "for(r,8,3)", "for(r,1,3)"),
    )
    free = Prover(rules, known).prove(atom("for(r,1,3)"))
    kept = Prover(
        rules, known, allowed=lambda step: ("for", "r", 1, 2) not in (step.head, *step.body)
    ).prove(atom("for(r,1,3)"))
    assert free is not None
    assert kept is not None
    assert [len(free.children), len(kept.children)] == [2, 3]
    alone = Prover(rules, known, allowed=lambda step: len(step.body) < 2)  # no chains
    assert alone.prove(atom("for(r,1,3)")) is None
    assert alone.prove(atom("for(r,1,2)")) is not None
    none = Prover(rules, known, allowed=lambda step: False)
    assert none.prove(atom("for(r,1,3)")) is None
    assert none.prove(atom("triple(r,1,2)")) is not None


def test_a_proof_from_some_facts_alone() -> None:
    rules = read_rules(FACTS + CHAIN + "against(q,X,Y) :- want(q,X,Y), for(r,X,Y), meets(lt,X,Y).")
    known = evidence(
        *links((1, 2), (2, 3), (1, 8), (8, 3)),
        *("for(r,1,3)", "want(q,1,3)", "meets(lt,1,3)", "against(q,1,3)"),
    )
    facts = [atom("triple(r,1,8)"), atom("triple(r,8,3)")]
    prover = restricted(rules, known, facts, lambda step: True)
    proof = prover.prove(atom("against(q,1,3)"))
    assert proof is not None
    stored = [part.atom for part in proof.parts() if part.atom[0] == "triple"]
    assert stored == facts
    assert ("meets", "lt", 1, 3) in [part.atom for part in proof.parts()]
    assert restricted(rules, known, facts[:1], lambda step: True).prove(proof.atom) is None
    assert restricted(rules, known, facts, lambda step: False).prove(proof.atom) is None


def test_what_is_absent_is_absent_from_all_that_is_known() -> None:
    rules = read_rules("for(p,X,Y) :- triple(p,X,Y), not for(s,X,Y).")
    fact = atom("triple(p,1,2)")
    known = evidence("triple(p,1,2)", "for(s,1,2)")
    assert restricted(rules, known, [fact], lambda s: True).prove(atom("for(p,1,2)")) is None
    known = evidence("triple(p,1,2)", "for(s,2,1)")
    assert restricted(rules, known, [fact], lambda s: True).prove(atom("for(p,1,2)")) is not None


# ---------------------------------------------------------------- against the slow way


def smallest(rules: list[Rule], known: Evidence, atoms: list[Ground]) -> dict[Ground, int]:
    """The sizes of smallest proofs, by trying all steps until nothing changes."""
    joins = Joins(rules, known)
    steps = [step for goal in atoms for rule in rules for step in joins.towards(rule, goal)]
    sizes = {goal: 1 for goal in atoms if goal[0] == "triple"}
    changed = True
    while changed:
        changed = False
        for step in steps:
            if all(body in sizes for body in step.body):
                size = 1 + sum(sizes[body] for body in step.body)
                if size < sizes.get(step.head, size + 1):
                    sizes[step.head] = size
                    changed = True
    return sizes


@pytest.mark.parametrize("seed", range(30))
def test_no_proof_is_larger_than_the_smallest(seed: int) -> None:
    chance = random.Random(seed)
    text = FACTS + CHAIN + "for(q,X,Y) :- for(r,Y,X). for(r,X,Y) :- for(q,X,Z), for(q,Z,Y)."
    stated = [
        f"triple({chance.choice('qr')},{chance.randrange(4)},{chance.randrange(4)})"
        for _ in range(4)
    ]
    rules = read_rules(text)
    known = Forward(rules).consequences(Evidence(()), list(map(atom, dict.fromkeys(stated))))
    atoms = list(known)
    sizes = smallest(rules, known, atoms)
    prover = Prover(rules, known)
    for goal in atoms:
        proof = prover.prove(goal)
        assert proof is not None
        assert proof.size == sizes[goal]
