"""Which sets of facts would settle an open constraint, and which would only contradict."""

from __future__ import annotations

import pytest

from kgverify.graph import Graph
from kgverify.reasoning.witnesses import NEGATED
from kgverify.testing import World
from kgverify.verdicts import Verdict
from kgverify.vocabulary import Placeholder, WouldSettle
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


def test_a_count_names_the_objects_that_are_missing_or_that_all_are_listed() -> None:
    found = settling(PATHS, "many", STEPS, y="toe")
    assert found == {
        WouldSettle(("p(aspirin, toe)",), "sat"),
        WouldSettle(("not p(aspirin, toe)",), "viol"),
        WouldSettle(
            ("p(aspirin, V)",), "sat", (Placeholder("V", "T", ("V != gout",), 1, ("other1",)),)
        ),
        WouldSettle(("complete p for aspirin",), "viol"),
    }


LIVES = """
class Person, City, Country
relation born (Person, date) functional
relation alias (Person, string)
relation height (Person, integer)
relation child (Person, Person)
relation mayor (City, Person) functional at a time
relation seen_in (Person, City)
question life()
    "?"
    answer x : Person
    {}
question offices(c: City, d: date)
    "?"
    answer x : Person
    {}
"""


def open_now(item: str, facts: str, **values: str) -> dict[str, list[tuple[str, ...]]]:
    """What would settle the one constraint, each set as its facts and conditions, by status."""
    rules = LIVES.format(item, "require height(x) > 0")
    (verdict,) = ask(rules, graph(facts, **values), "life", "ada").values()
    return by_status(verdict)


def by_status(verdict: Verdict) -> dict[str, list[tuple[str, ...]]]:
    found: dict[str, list[tuple[str, ...]]] = {}
    for settle in verdict.constraints[1].would_settle:
        conditions = [text for part in settle.where for text in part.conditions]
        found.setdefault(settle.status, []).append((*settle.facts, *conditions))
    return found


@pytest.mark.parametrize("sign", ["<", "<=", "=", "!=", ">=", ">"])
def test_a_value_settles_a_comparison_either_way(sign: str) -> None:
    found = open_now(f"require born(x) {sign} 1950", "ada type Person")
    assert found == {
        "sat": [("born(ada, V)", f"V {sign} 1950")],
        "viol": [("born(ada, V)", f"V {NEGATED[sign]} 1950"), ("complete born for ada",)],
    }


def test_of_several_values_none_refutes_a_comparison_but_that_all_are_listed() -> None:
    found = open_now("require height(x) > 180", "ada height 170", height="integer")
    assert found == {
        "sat": [("height(ada, V)", "V > 180")],
        "viol": [("complete height for ada",)],
    }


def test_a_year_is_settled_by_a_day_in_it() -> None:
    facts = "ada born 1950"
    found = open_now("require born(x) < 1950-06", facts, born="date")
    assert found == {
        "sat": [("born(ada, V)", "V < 1950-06", "V = 1950")],
        "viol": [("born(ada, V)", "V >= 1950-06", "V = 1950")],
    }
    found = open_now("require born(x, 1950-06-01)", facts, born="date")
    assert found == {
        "sat": [("born(ada, 1950-06-01)",)],
        "viol": [("not born(ada, 1950-06-01)",), ("born(ada, V)", "V != 1950-06-01", "V = 1950")],
    }


def test_no_value_is_named_that_is_denied_or_that_there_is_not() -> None:
    # There is nothing before the empty text.
    assert "sat" not in open_now('require alias(x) < ""', "ada type Person")
    # No entity is in two disjoint classes, so ada can have no child that is a Person.
    rules = LIVES.format("require count child(x, _) >= 1", "require height(x) > 0")
    barren = rules + "\nnot child(X, Y) :- seen_in(X, C), Y : Person."
    kg = graph("ada seen_in rome")
    (verdict,) = ask(barren, kg, "life", "ada").values()
    assert "sat" not in by_status(verdict)


def test_as_many_objects_are_named_as_are_missing() -> None:
    facts = "ada child bob\n ada child _:someone"
    rules = LIVES.format("require count child(x, _) >= 4", "require height(x) > 0")
    (verdict,) = ask(rules, graph(facts), "life", "ada").values()
    (settle,) = verdict.constraints[1].would_settle
    (part,) = settle.where
    assert (settle.facts, settle.fact, part.number) == (("child(ada, V)",), "", 3)
    assert part.type == "Person"
    assert len(set(part.examples)) == 3


def test_a_path_is_counted_by_its_last_step_or_by_two_where_it_has_none() -> None:
    item = "require count child/seen_in(x, _) >= 2"
    one = open_now(item, "ada child bob")
    assert one["sat"] == [("seen_in(bob, V)",)]
    assert one["viol"] == [("complete child for ada", "complete seen_in for bob")]
    none = open_now(item, "ada type Person")
    assert none["sat"] == [("child(ada, M)", "seen_in(M, V)")]


def test_completeness_is_not_named_where_a_rule_asks_for_absence() -> None:
    item = "require count child(x, _) >= 2"
    assert open_now(item, "ada child bob")["viol"] == [("complete child for ada",)]
    rules = LIVES.format(item, "require height(x) > 0")
    rules += "\nseen_in(X, C) :- mayor(C, X), mayor(C, Y), not child(X, Y)."
    (verdict,) = ask(rules, graph("ada child bob"), "life", "ada").values()
    assert "viol" not in by_status(verdict)


def dated(*facts: tuple[str, str, str, str, str]) -> Graph:
    """A graph of facts with `since` and `until`, about people of a city."""
    world = tuple((f"e{s}", r, f"e{o}", since, until, "") for s, r, o, since, until in facts)
    return World("", (("eada", "rdf:type", "ePerson"),), (), world).graph


def at_a_time(item: str, kg: Graph) -> dict[str, list[tuple[str, ...]]]:
    rules = LIVES.format("require height(x) > 0", item)
    (verdict,) = ask(rules, kg, "offices", "ada", c="rome", d="1995").values()
    return by_status(verdict)


def test_a_period_that_holds_the_time_settles_a_constraint_at_a_time() -> None:
    kg = dated(("rome", "mayor", "eve", "2001", ""))
    assert at_a_time("require mayor(c, x) at d", kg) == {
        "sat": [("mayor(rome, ada) since S until U", "S < 1995", "U > 1995")],
        "viol": [
            ("not mayor(rome, ada)",),
            ("mayor(rome, V) since S until U", "V != ada", "S < 1995", "U > 1995"),
        ],
    }


def test_what_held_at_another_time_is_refuted_by_completeness() -> None:
    kg = dated(("rome", "mayor", "ada", "2001", ""))
    assert at_a_time("require mayor(c, x) at d", kg) == {
        "sat": [("mayor(rome, ada) since S until U", "S < 1995", "U > 1995")],
        "viol": [
            ("mayor(rome, V) since S until U", "V != ada", "S < 1995", "U > 1995"),
            ("complete mayor for rome",),
        ],
    }
    perhaps = dated(("rome", "mayor", "ada", "1995", ""))
    found = at_a_time("require mayor(c, x) at d", perhaps)
    assert ("complete mayor for rome",) not in found["viol"]  # perhaps all of 1995


def test_a_period_that_is_there_is_made_precise() -> None:
    kg = dated(("rome", "mayor", "ada", "1995", "2001"))
    found = at_a_time("require mayor(c, x) at 1995-06-01", kg)
    assert found["sat"] == [
        ("mayor(rome, ada) since S until 2001", "S < 1995-06-01", "S = 1995"),
    ]
    # … and nothing denies what holds at some time, but that another one held the office then.
    assert {facts[0] for facts in found.get("viol", ())} <= {"mayor(rome, V) since S until U"}


def test_no_period_is_named_in_which_another_held_the_office() -> None:
    kg = dated(("rome", "mayor", "eve", "1994", "1995-07"))
    assert "sat" not in at_a_time("require mayor(c, x) at 1995", kg)


def test_an_office_is_held_at_some_time_before_or_after_others() -> None:
    kg = dated(("rome", "mayor", "eve", "1994", "1996"))
    found = at_a_time("require mayor(c, x)", kg)
    assert found == {
        "sat": [("mayor(rome, ada) since S", "S > 1996")],
        "viol": [("not mayor(rome, ada)",)],
    }
    kg = dated(("rome", "mayor", "eve", "1994", ""))
    assert at_a_time("require mayor(c, x)", kg)["sat"] == [("mayor(rome, ada) until U", "U < 1994")]
    free = dated(("rome", "seen_in", "rome", "", ""))
    assert at_a_time("require mayor(c, x)", free)["sat"] == [("mayor(rome, ada)",)]


CIRCLE = """
class A
relation p (A, A) functional
complete p
question round(a: A)
    "Where does one come from {a}?"
    answer x : A
    require (p+|^p)+(a, x)
"""


def test_ways_that_lead_round_in_a_circle_end() -> None:
    kg = graph("x p y\ny p x\na type A")
    (constraint,) = ask(CIRCLE, kg, "round", "x", a="a")["x"].constraints[1:]
    assert (constraint.status, constraint.reason) == ("unk", "missing")
    assert constraint.would_settle == ()  # `p` is complete: no step can be added


def test_a_fact_that_meets_two_conditions_at_once_is_not_named_where_that_contradicts() -> None:
    """Aspirin would be stronger than itself, for it would be as strong as it is."""
    rules = """
class Drug
relation strength (Drug, integer)
relation stronger (Drug, Drug) asymmetric
relation tested (Drug, Drug)
stronger(X, X) :- tested(X, V), strength(X, W), strength(Z, W).
question strong(n: integer)
    "What has strength {n}?"
    answer x : Drug
    require strength(x, n)
"""
    named = {s.fact for s in settling(rules, "strong", "aspirin tested pain", n="1")}
    assert "strength(aspirin, 1)" not in named
    named = {s.fact for s in settling(rules, "strong", "aspirin type Drug", n="1")}
    assert "strength(aspirin, 1)" in named


def test_no_set_makes_a_blank_node_a_member() -> None:
    rules = """
class Drug, Safe
relation part (Drug, Drug)
relation good (Drug, Drug)
good(X, X) :- part(X, Y), Y : Safe.
question which()
    "?"
    answer x : Drug
    require good(x, x)
"""
    named = settling(rules, "which", "aspirin part salt")
    assert WouldSettle(("salt : Safe",), "sat") in named
    assert settling(rules, "which", "aspirin part _:some") == {
        WouldSettle(("good(aspirin, aspirin)",), "sat"),
        WouldSettle(("not good(aspirin, aspirin)",), "viol"),
    }
