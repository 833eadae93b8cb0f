"""Which sets of facts would settle an open constraint, and which would only contradict."""

from __future__ import annotations

from kgverify.vocabulary import WouldSettle
from tests.reasoning.small import ask, graph

RULES = """
class Drug, Disease, Organ
disjoint Drug, Disease, Organ
class Both sub of Drug and Disease
relation treats (Drug, Disease)
relation localizes (Disease, Organ)
relation acts_in (Drug, Organ)
relation listed_in (Drug, Organ)
complete listed_in for Drug
rule where "a drug acts where its disease is":
    acts_in(X, A) :- treats(X, D), localizes(D, A).
not acts_in(X, A) :- treats(X, D), spares(D, A).
relation spares (Disease, Organ)
acts_in(X, A) :- listed_in(X, A).
question acting(a: Organ)
    "What acts in {a}?"
    answer x : Drug
    require acts_in(x, a)
question both()
    "What is both?"
    answer x : Both
question either(a: Organ, b: Organ)
    "What acts in {a} and {b}?"
    answer x : Drug
    require all of { acts_in(x, a), acts_in(x, b) }
"""
FACTS = """
    aspirin treats pain
    aspirin listed_in foot
    gout localizes toe
    toe type Organ
"""


def settling(rules: str, question: str, facts: str = FACTS, **arguments: str) -> set[WouldSettle]:
    (verdict,) = ask(rules, graph(facts), question, "aspirin", **arguments).values()
    return {settle for c in verdict.constraints for settle in c.would_settle}


def test_what_a_rule_lacks_settles_as_well() -> None:
    assert settling(RULES, "acting", a="toe") == {
        WouldSettle(("acts_in(aspirin, toe)",), "sat"),
        WouldSettle(("not acts_in(aspirin, toe)",), "viol"),
        WouldSettle(("localizes(pain, toe)",), "sat"),
        WouldSettle(("treats(aspirin, gout)",), "sat"),
        WouldSettle(("spares(pain, toe)",), "viol"),
    }
    # Not `listed_in(aspirin, toe)`: what aspirin is listed in is complete.


def test_two_facts_are_named_where_both_are_needed() -> None:
    rules = RULES.replace(
        "treats(X, D), localizes(D, A).", 'treats(X, "ache"), localizes("ache", A).'
    )
    facts = FACTS + "ache type Disease"
    found = settling(rules, "acting", facts, a="toe")
    assert WouldSettle(("localizes(ache, toe)", "treats(aspirin, ache)"), "sat") in found
    known = settling(rules, "acting", facts + "\n aspirin treats ache", a="toe")
    assert WouldSettle(("localizes(ache, toe)",), "sat") in known
    assert all(len(settle.facts) == 1 for settle in known)


def test_nothing_is_a_member_of_an_empty_class() -> None:
    facts = "aspirin type Thing"
    assert settling(RULES, "both", facts) == {WouldSettle(("not aspirin : Both",), "viol")}


def test_a_fact_from_which_a_denied_one_follows_is_not_named() -> None:
    facts = FACTS + "ibuprofen treats pain"
    named = WouldSettle(("localizes(pain, toe)",), "sat")
    assert named in settling(RULES, "acting", facts, a="toe")
    # With that, ibuprofen would act in the toe as well.
    denied = facts + "\n not ibuprofen acts_in toe"
    assert named not in settling(RULES, "acting", denied, a="toe")


def test_a_group_names_what_decides_it_alone() -> None:
    facts = FACTS + "pain localizes hand\n hand type Organ"
    found = settling(RULES, "either", facts, a="toe", b="hand")
    assert WouldSettle(("localizes(pain, toe)",), "sat") in found
    both_open = settling(RULES, "either", FACTS, a="toe", b="hand")
    assert {settle.status for settle in both_open} == {"viol"}


PATHS = """
class T
relation p (T, T)
relation q (T, T) functional
relation r (T, T)
question long(y: T)
    "?"
    answer x : T
    require p/q/r(x, y)
question either(y: T)
    "?"
    answer x : T
    require (p|q)(x, y)
question some(y: T)
    "?"
    answer x : T
    require p+(x, y)
question back(y: T)
    "?"
    answer x : T
    require q/^p(x, y)
question many(y: T)
    "?"
    answer x : T
    prefer p(x, y)
    require count p(x, _) >= 2
"""
STEPS = """
    aspirin p gout
    gout q pain
    aspirin q foot
    toe type T
"""


def test_the_missing_steps_of_a_path_settle_it() -> None:
    assert settling(PATHS, "long", STEPS, y="toe") == {WouldSettle(("r(pain, toe)",), "sat")}
    assert settling(PATHS, "some", STEPS, y="toe") == {
        WouldSettle(("p(aspirin, toe)",), "sat"),
        WouldSettle(("p(gout, toe)",), "sat"),
    }


def test_what_refutes_every_way_of_a_path_settles_it() -> None:
    # aspirin has its one q, so it can't be toe that it has by q.
    assert settling(PATHS, "either", STEPS, y="toe") == {
        WouldSettle(("p(aspirin, toe)",), "sat"),
        WouldSettle(("not p(aspirin, toe)",), "viol"),
    }
    assert settling(PATHS, "back", STEPS, y="toe") == {
        WouldSettle(("p(toe, foot)",), "sat"),
        WouldSettle(("not p(toe, foot)",), "viol"),
    }
    both = settling(PATHS, "either", STEPS.replace("aspirin q foot", ""), y="toe")
    assert WouldSettle(("not p(aspirin, toe)", "not q(aspirin, toe)"), "viol") in both


def test_nothing_is_named_that_would_settle_a_count() -> None:
    found = settling(PATHS, "many", STEPS, y="toe")
    assert {settle.facts for settle in found} == {("p(aspirin, toe)",), ("not p(aspirin, toe)",)}
