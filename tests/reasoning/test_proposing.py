"""Sets of facts that are proposed, and what follows from them, by rules alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kgverify.reasoning.datalog import Origin, Rule
from kgverify.reasoning.evidence import Evidence, Ground, read
from kgverify.reasoning.settling import Proposer, Settler, followers
from kgverify.reasoning.solver import read_rules


def rules(text: str, kind: str = "rule", *statement: str) -> list[Rule]:
    return [replace(r, origin=Origin(kind, "", None, statement)) for r in read_rules(text)]


def evidence(*texts: str) -> Evidence:
    return Evidence(read(texts))


def atom(text: str) -> Ground:
    (found,) = read([text])
    return found


def said(facts: tuple[Ground, ...]) -> str:
    return " + ".join(f"{fact[0]}({','.join(map(str, fact[1:]))})" for fact in facts)


def proposals(
    found: list[Rule], target: str, *known: str, paths: tuple[str, ...] = (), not_stated: str = ""
) -> list[str]:
    proposer = Proposer(found, lambda a: a[1] != not_stated and a[1] not in paths, frozenset(paths))
    return list(map(said, proposer.proposals(atom(target), evidence(*known))))


TWO = "for(p,X,Y) :- want(p,X,Y), for(q,X,Z), for(r,Z,Y)."


def test_the_atom_alone_comes_first_then_what_a_rule_lacks() -> None:
    assert proposals(rules(TWO), "for(p,1,5)", "for(q,1,2)", "for(r,4,5)") == [
        *("for(p,1,5)", "for(q,1,4)", "for(r,2,5)"),
    ]
    assert proposals(rules(TWO), "against(p,1,5)", "for(q,1,2)") == ["against(p,1,5)"]
    bound = rules("for(p,X,Y) :- for(q,X,3), for(r,3,Y).")
    assert proposals(bound, "for(p,1,5)") == ["for(p,1,5)", "for(q,1,3) + for(r,3,5)"]


def test_only_facts_are_proposed_and_none_that_is_known_denied_or_vague() -> None:
    known = ("for(q,1,2)", "for(q,1,3)", "for(q,1,6)")
    assert proposals(rules(TWO), "for(p,1,5)", *known, "against(r,2,5)", "vague(3)") == [
        *("for(p,1,5)", "for(r,6,5)"),
    ]
    assert proposals(rules(TWO), "for(p,1,5)", *known, not_stated="r") == ["for(p,1,5)"]
    assert proposals(rules(TWO), "for(p,1,5)", *known, not_stated="p")[0] == "for(r,2,5)"


def test_no_vague_thing_is_proposed_as_a_member() -> None:
    member = rules("for(p,X,X) :- for(q,X,Y), is_a(Y,c).")
    assert proposals(member, "for(p,1,1)", "for(q,1,2)", "for(q,1,3)", "vague(3)") == [
        *("for(p,1,1)", "is_a(2,c)"),
    ]


def test_only_ten_instances_are_proposed() -> None:
    known = [f"for(q,1,{n})" for n in range(10, 30)]
    assert len(proposals(rules(TWO), "for(p,1,5)", *known)) == 1 + 10


def test_other_rules_propose_nothing() -> None:
    known = ("for(q,1,2)",)
    assert proposals(rules(TWO, "schema", "transitive", "p"), "for(p,1,5)", *known) == [
        "for(p,1,5)"
    ]
    partial = Proposer(rules("counted(p,X) :- for(p,X,Y)."), lambda a: True).partial
    assert partial == []


def test_what_a_rule_may_lack_leaves_no_variable_open() -> None:
    def partial(text: str) -> list[str]:
        return list(map(str, Proposer(rules(text), lambda a: True).partial))

    assert partial(TWO) == [
        *("for(p,X,Y) :- want(p,X,Y), for(r,Z,Y).", "for(p,X,Y) :- want(p,X,Y), for(q,X,Z)."),
    ]
    assert partial("for(p,X,Y) :- for(q,X,Y), for(r,X,Y).") == [
        *("for(p,X,Y) :- for(r,X,Y).", "for(p,X,Y) :- for(q,X,Y).", "for(p,X,Y)."),
    ]
    assert partial("for(p,X,Y) :- for(q,X,Z), Z = Y.") == ["for(p,X,Y) :- Z = Y."]
    assert partial("for(p,X,Y) :- for(q,X,Z), Y = Z.") == ["for(p,X,Y) :- Y = Z."]
    assert partial("for(p,X,Y) :- for(q,X,Z), Z = 3.") == ["for(p,X,Y) :- Z = 3."]
    assert partial("for(p,X,Y) :- for(q,X,V), V = W, W = Y.") == ["for(p,X,Y) :- V = W, W = Y."]
    assert partial("for(p,X,Y) :- for(q,X,V), for(r,W,Y), V = W.") == [
        *("for(p,X,Y) :- for(r,W,Y), V = W.", "for(p,X,Y) :- for(q,X,V), V = W."),
    ]
    assert partial("for(p,X,Y) :- for(q,X,Z), Z != Y.") == []
    assert partial("for(p,X,Y) :- for(q,X,Z), not vague(Z).") == []
    assert partial("for(p,X,Y) :- triple(q,X,Y).") == []
    three = "for(p,X,Y) :- for(q,X,Y), for(r,X,Y), for(s,X,Y)."
    assert len(partial(three)) == 3 + 3  # not all three at once


SEQUENCE = [
    *rules("for(s,X,Y) :- for(a,X,Z), for(b,Z,Y).", "schema", "sequence", "s", "a", "b"),
    *rules("for(b,X,Y) :- for(c,X,Y).", "schema", "alternative", "b", "c", "d"),
    *rules("for(b,X,Y) :- for(d,X,Y).", "schema", "alternative", "b", "c", "d"),
]


def test_the_missing_steps_of_a_path_are_proposed() -> None:
    assert proposals(SEQUENCE, "for(s,1,5)", "for(a,1,2)", paths=("s", "b")) == [
        *("for(c,2,5)", "for(d,2,5)"),
    ]
    assert proposals(SEQUENCE, "for(s,1,5)", "for(a,1,2)", paths=("s",)) == ["for(b,2,5)"]
    ends = rules("for(s,X,Y) :- for(a,X,Y).", "schema", "ends", "s", "T")
    assert proposals(ends, "for(s,1,5)", paths=("s",)) == []
    absent = rules("for(s,X,Y) :- for(a,X,Y), not maybe(s,X,Y).", "schema", "sequence", "s")
    assert proposals(absent, "for(s,1,5)", paths=("s",)) == []


def test_a_path_that_leads_round_ends_and_needs_two_facts_at_most() -> None:
    round_ = [
        *rules("for(s,X,Y) :- for(t,X,Y).", "schema", "closure", "s", "t"),
        *rules("for(t,X,Y) :- for(s,X,Y).", "schema", "closure", "t", "s"),
        *rules("for(t,X,Y) :- for(a,X,Y), for(b,X,Y), for(c,X,Y).", "schema", "sequence", "t"),
        *rules("for(t,X,Y) :- for(d,X,Y), for(e,Y,X).", "schema", "sequence", "t"),
    ]
    assert proposals(round_, "for(s,1,5)", paths=("s", "t")) == ["for(d,1,5) + for(e,5,1)"]
    found = proposals(round_, "for(s,1,5)", "for(c,1,5)", paths=("s", "t"))
    assert sorted(found) == ["for(a,1,5) + for(b,1,5)", "for(d,1,5) + for(e,5,1)"]


# ---------------------------------------------------------------- what follows


def shown(found: tuple[Rule, ...]) -> list[str]:
    return list(map(str, found))


def test_what_a_fact_may_lead_to_is_gathered_and_asked_about() -> None:
    found = followers(rules(TWO))
    assert shown(found.gather) == [
        "for(q,X,Z) :- for(r,Z,Y), against(p,X,Y).",
        "for(r,Z,Y) :- for(q,X,Z), against(p,X,Y).",
    ]
    assert shown(found.want) == [
        "want(p,X,Y) :- want(q,X,Z), for(r,Z,Y).",
        "want(p,X,Y) :- want(q,X,Z), want(r,Z,Y).",
        "want(p,X,Y) :- want(r,Z,Y), for(q,X,Z).",
        "want(p,X,Y) :- want(r,Z,Y), want(q,X,Z).",
    ]


def test_of_three_conditions_one_or_all_may_be_supposed() -> None:
    found = followers(rules("for(p,X,Y) :- for(a,X,Y), for(b,X,Y), for(c,X,Y), X != Y."))
    assert len(found.gather) == 3
    assert shown(found.want)[:4] == [
        "want(p,X,Y) :- want(a,X,Y), for(b,X,Y), for(c,X,Y), X != Y.",
        "want(p,X,Y) :- want(a,X,Y), want(b,X,Y), for(c,X,Y), X != Y.",
        "want(p,X,Y) :- want(a,X,Y), for(b,X,Y), want(c,X,Y), X != Y.",
        "want(p,X,Y) :- want(a,X,Y), want(b,X,Y), want(c,X,Y), X != Y.",
    ]
    # The rest of the body is asked about too, where the fact says of what.
    assert "want(b,X,Y) :- want(a,X,Y)." in shown(found.want)
    assert len(found.want) == 3 * (4 + 2)


def test_followers_are_of_hard_rules_and_of_transitivity() -> None:
    transitive = rules("for(p,X,Z) :- for(p,X,Y), for(p,Y,Z).", "schema", "transitive", "p")
    assert len(followers(transitive).gather) == 2
    assert followers(rules(TWO, "schema", "inverse", "p", "q")).gather == ()
    assert followers(rules("counted(p,X) :- for(p,X,Y).")).gather == ()
    classes = followers(rules("is_a(X,c) :- for(p,X,Y), not maybe(p,X,Y)."))
    assert shown(classes.gather) == ["for(p,X,Y) :- not maybe(p,X,Y), isnt_a(X,c)."]
    assert shown(classes.want) == ["want_a(X,c) :- want(p,X,Y)."]


PLAIN = """
for(R,X,Y) :- triple(R,X,Y).
against(R,X,Y) :- denied(R,X,Y).
is_a(X,C) :- member(X,C).
isnt_a(X,C) :- denied_member(X,C).
during(R,X,Y,I) :- period(R,X,Y,I).
for(p,X,Y) :- for(q,X,Z), for(r,Z,Y).
against(s,X,Y) :- for(p,X,Y).
against(k,X,Y) :- listed(p,X), not for(p,X,Y), want(k,X,Y).
"""


@pytest.mark.parametrize(
    ("facts", "target", "known", "settles"),
    [
        (["for(p,1,5)"], "for(p,1,5)", [], True),
        (["for(r,2,5)"], "for(p,1,5)", ["for(q,1,2)"], True),
        (["for(r,2,5)"], "for(p,1,5)", [], False),
        (["for(r,2,5)"], "for(p,1,5)", ["for(q,1,2)", "against(p,1,5)"], False),
        (["for(r,2,5)"], "for(p,1,5)", ["for(q,1,2)", "for(s,1,5)"], False),  # contradicts
        (["for(r,2,5)"], "against(s,1,5)", ["for(q,1,2)"], True),
        (["isnt_a(1,c)"], "isnt_a(1,c)", [], True),
        (["isnt_a(1,c)"], "isnt_a(1,c)", ["is_a(1,c)"], False),
        (["during(p,1,5,3)"], "during(p,1,5,3)", [], True),
        (["during(p,1,5,3)"], "for(p,1,5)", [], True),
        (["for(p,1,5)"], "during(p,1,5,7)", [], True),  # always
        (["against(p,1,5)"], "during(p,1,5,7)", [], False),
        (["given(listed,p,1)"], "listed(p,1)", [], True),
        (["given(listed,p,1)"], "against(k,1,5)", ["want(k,1,5)"], True),
        (["given(listed,p,1)"], "listed(p,1)", ["unlisted(p,1)"], True),
    ],
)
def test_facts_settle_an_atom(
    facts: list[str], target: str, known: list[str], settles: bool
) -> None:
    settler = Settler(rules(PLAIN), evidence(*known), 7)
    assert settler.settles(tuple(map(atom, facts)), atom(target)) is settles


def test_what_undoes_its_own_reason_is_a_contradiction() -> None:
    own = PLAIN + "listed(p,X) :- unlisted(p,X). against(p,X,Y) :- maybe(p,X,Y)."
    settler = Settler(rules(own), evidence(), 7)
    assert not settler.settles((atom("given(unlisted,p,1)"),), atom("listed(p,1)"))
    assert not settler.settles((atom("given(maybe,p,1,5)"),), atom("against(p,1,5)"))


def test_what_follows_by_itself_is_implied() -> None:
    own = PLAIN + "against(k,X,Y) :- for(p,X,Y), X != Y."
    settler = Settler(rules(own), evidence("for(q,1,2)"), 7)
    assert sorted(settler.implied((atom("for(p,1,5)"),))) == [
        *(atom("against(s,1,5)"), atom("for(p,1,5)")),
    ]
