"""What is proposed for comparisons, counts, and constraints at a time: which facts, with which
conditions, and examples that meet them."""

from __future__ import annotations

import pytest

from kgverify.graph import Graph
from kgverify.language.checks import load_rules_text
from kgverify.reasoning.evidence import Evidence, Ground
from kgverify.reasoning.knowledge import Knowledge
from kgverify.reasoning.program import compile_question
from kgverify.reasoning.supposing import Supposer
from kgverify.verdicts import Verdict
from tests.reasoning.small import ask, graph
from tests.reasoning.test_settling import LIVES, at_a_time, by_status, dated, open_now


def verdict(item: str, kg: Graph, more: str = "", candidate: str = "ada") -> Verdict:
    rules = LIVES.format(item, "require height(x) > 0") + more
    return ask(rules, kg, "life", candidate)[candidate]


def examples(found: Verdict) -> dict[tuple[str, ...], dict[str, tuple[str, ...]]]:
    """The examples of each placeholder, by the facts it stands in."""
    return {
        settle.facts: {part.name: part.examples for part in settle.where}
        for settle in found.constraints[1].would_settle
    }


def offices(item: str, kg: Graph, date: str = "1995") -> dict[tuple[str, ...], object]:
    rules = LIVES.format("require height(x) > 0", item)
    (found,) = ask(rules, kg, "offices", "ada", c="rome", d=date).values()
    return {**examples(found)}


def proposed(item: str, subject: str, object_: str, *known: Ground) -> list[tuple[Ground, ...]]:
    """What is proposed for the view of an item, about two terms by their keys."""
    book = load_rules_text(LIVES.format("require height(x) > 0", item))
    knowledge = Knowledge(graph("_:b child eve\nada child eve"), book)
    template = compile_question(book, book.questions["offices"]).bound({"d": "1995"})
    ids = {name: knowledge.term(name) for name in ("eada", "bb", subject, object_)}
    evidence = Evidence([("vague", ids["bb"]), *known])
    supposer = Supposer(knowledge, [template], evidence, lambda relation, subject: [])
    view = template.constraints[-1].name
    target = "for", view, ids[subject], ids[object_]
    return [proposal.facts for choice in supposer.choices(target) for proposal in choice]


@pytest.mark.parametrize(
    ("item", "object_"),
    [
        ("require count child(x, _) >= 1", "lnumber 1"),
        ("require born(x) > 1990", "ldate 1990"),
        ("require seen_in(x, c) at d", "erome"),
    ],
)
def test_nothing_is_proposed_about_what_may_be_anything(item: str, object_: str) -> None:
    assert proposed(item, "eada", object_)
    assert not proposed(item, "bb", object_)


def test_a_value_that_has_none_is_no_condition_on_another() -> None:
    found = open_now("require born(x) < 1950", "ada born someday", born="date")
    assert found == {
        "sat": [("born(ada, V)", "V < 1950")],
        "viol": [("born(ada, V)", "V >= 1950")],
    }


@pytest.mark.parametrize(
    ("count", "known", "sat", "viol"),
    [
        ("> 0", 0, 1, True),
        (">= 1", 0, 1, True),
        ("> 1", 0, 2, True),
        (">= 22", 2, 20, True),  # twenty are missing
        (">= 23", 2, None, True),  # no more than that are named
        (">= 1000000", 0, None, True),
        (">= 1000001", 0, None, False),
    ],
)
def test_a_count_names_what_it_lacks(count: str, known: int, sat: int | None, viol: bool) -> None:
    facts = "\n".join(["ada type Person", *(f"ada child c{n}" for n in range(known))])
    found = verdict(f"require count child(x, _) {count}", graph(facts))
    numbers = [part.number for s in found.constraints[1].would_settle for part in s.where]
    assert numbers == ([] if sat is None else [sat])
    assert ("viol" in by_status(found)) == viol


def test_completeness_is_named_for_two_things_and_not_for_three() -> None:
    item = "require count child/seen_in(x, _) >= 2"
    assert "viol" in open_now(item, "ada child bob")
    assert "viol" not in open_now(item, "ada child bob\nada child eve")


def test_rules_without_not_leave_completeness_to_be_stated() -> None:
    item = "require count child(x, _) >= 2"
    rule = "\nseen_in(X, C) :- mayor(C, X)."
    found = verdict(item, graph("ada child bob"), rule)
    assert by_status(found)["viol"] == [("complete child for ada",)]


def test_no_completeness_is_stated_of_what_the_graph_does_not_know() -> None:
    item = "require count child(x, _) >= 2"
    assert "viol" not in by_status(verdict(item, graph("eve child bob")))


def test_a_way_of_two_steps_has_an_example_for_each() -> None:
    found = verdict("require count child/seen_in(x, _) >= 1", graph("ada type Person"))
    facts = ("child(ada, M)", "seen_in(M, V)")
    assert examples(found)[facts] == {"M": ("between1",), "V": ("other1",)}
    (settle,) = (s for s in found.constraints[1].would_settle if s.facts == facts)
    assert [(part.name, part.type) for part in settle.where] == [("M", "Person"), ("V", "City")]
    back = verdict("require count ^child(x, _) >= 1", graph("ada type Person"))
    ((settle),) = (s for s in back.constraints[1].would_settle if s.status == "sat")
    assert [(s.facts, [p.type for p in s.where]) for s in [settle]] == [
        (("child(V, ada)",), ["Person"])
    ]


# ---------------------------------------------------------------- times


def test_a_period_is_the_closest_that_holds_the_time() -> None:
    kg = dated(("rome", "mayor", "eve", "2001", ""))
    fact = ("mayor(rome, ada) since S until U",)
    found = offices("require mayor(c, x) at d", kg)
    assert found[fact] == {"S": ("1994-12-31",), "U": ("1996-01-01",)}
    found = offices("require mayor(c, x) at d", kg, "1995-06-01")
    assert found[fact] == {"S": ("1995-05-31",), "U": ("1995-06-02",)}
    # A time in a zone may be on the day before or after elsewhere.
    found = offices("require mayor(c, x) at d", kg, "1995-06-01T10:00:00Z")
    assert found[fact] == {"S": ("1995-05-29",), "U": ("1995-06-04",)}


def test_either_end_of_a_period_is_made_precise() -> None:
    kg = dated(("rome", "mayor", "ada", "1994", "1995"))
    fact = ("mayor(rome, ada) since 1994 until U",)
    assert offices("require mayor(c, x) at d", kg, "1995-06-01")[fact] == {"U": ("1995-12-31",)}
    kg = dated(("rome", "mayor", "ada", "1995", "2001"))
    fact = ("mayor(rome, ada) since S until 2001",)
    assert offices("require mayor(c, x) at d", kg, "1995-06-01")[fact] == {"S": ("1995-01-01",)}
    kg = dated(("rome", "mayor", "ada", "1995", "1995"))
    fact = ("mayor(rome, ada) since S until U",)
    found = offices("require mayor(c, x) at d", kg, "1995-06-01")[fact]
    assert found == {"S": ("1995-01-01",), "U": ("1995-12-31",)}


def test_an_office_before_or_after_all_others_has_an_example_that_is() -> None:
    kg = dated(("rome", "mayor", "eve", "1994", "1996"))
    found = offices("require mayor(c, x)", kg)
    assert found[("mayor(rome, ada) since S",)] == {"S": ("1997-01-03",)}
    kg = dated(("rome", "mayor", "eve", "1994", "1994-05"), ("rome", "mayor", "bob", "1994-06", ""))
    found = offices("require mayor(c, x)", kg)
    assert found[("mayor(rome, ada) until U",)] == {"U": ("1993-12-29",)}


def test_what_is_known_of_another_time_is_no_reason_against_completeness() -> None:
    kg = dated(("ada", "seen_in", "rome", "2001", ""), ("ada", "seen_in", "oslo", "1995", "1995"))
    found = at_a_time("require seen_in(x, c) at 1995-06-01", kg)
    assert ("complete seen_in for ada",) in found["viol"]


DAYS = """
class Shop
relation sale (Shop, date)
question sales(t: date)
    "Which shop had a sale on a day, in 1995?"
    answer x : Shop
    require sale(x, 1990-05-01) at t
"""


def test_what_may_be_the_same_value_at_that_time_is_one_against_completeness() -> None:
    def against(*stated: tuple[str, str]) -> bool:
        from kgverify.graph.building import Builder

        builder = Builder()
        for value, since in stated:
            builder.add_fact("eada", "sale", f"ldate {value}", qualifiers={"since": since})
        (found,) = ask(DAYS, Graph(builder.columns()), "sales", "ada", t="1995").values()
        return ("complete sale for ada",) in [s.facts for s in found.constraints[1].would_settle]

    assert against(("1990-05-01", "2001"))
    assert not against(("1990-05-01", "2001"), ("1990", "1994"))
    assert against(("1990-05-01", "2001"), ("1991", "1994"))


def test_examples_of_values_are_written_as_a_table_of_facts_has_them() -> None:
    found = verdict("require count alias(x, _) >= 2", graph("ada type Person"))
    assert examples(found)[("alias(ada, V)",)] == {"V": ("new1", "new2")}


def test_each_proposal_has_its_own_things_between() -> None:
    items = "require count child/seen_in(x, _) >= 1\n    require count child(x, _) >= 1"
    found = verdict(items, graph("ada type Person"))
    one, other = found.constraints[1:]
    assert ("child(ada, M)", "seen_in(M, V)") in [s.facts for s in one.would_settle]
    assert [s.facts for s in other.would_settle if s.status == "sat"] == [("child(ada, V)",)]


def test_nothing_is_proposed_of_what_may_be_anything_at_some_time() -> None:
    assert proposed("require mayor(c, x) at d", "erome", "eada")
    assert not proposed("require mayor(c, x) at d", "erome", "bb")
