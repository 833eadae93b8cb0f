"""What a graph and a rule file know together: terms, classes, periods, names, warnings."""

from __future__ import annotations

import numpy as np
import pytest

from kgverify.errors import Problem
from kgverify.graph import Graph
from kgverify.graph.building import Builder
from kgverify.graph.terms import value_key
from kgverify.language.checks import load_rules_text
from kgverify.reasoning.knowledge import Knowledge, graph_warnings
from kgverify.reasoning.times import Period
from tests.reasoning.small import graph

RULES = """
prefix ex: <http://ex.org/>
class Person, Old sub of Person, Town = ex:Town
relation knows (Person, Person)
relation lives (Person, Town)
relation age (Person, integer)
"""
ALWAYS = Period("", "", True)


def knowledge(kg: str | Graph = "", more: str = "", **values: str) -> Knowledge:
    return Knowledge(
        graph(kg, **values) if isinstance(kg, str) else kg, load_rules_text(RULES + more)
    )


def ids(known: Knowledge, *keys: str) -> np.ndarray:
    return np.array([known.term(key) for key in keys], np.int64)


def keys(known: Knowledge, found: np.ndarray | list[int]) -> list[str]:
    return [known.key(int(id_)) for id_ in found]


# ---------------------------------------------------------------- classes

HIERARCHY = """
Baby subclass Child
Child subclass Person
Person subclass Being
Being subclass Thing
Elder subclass Old
City subclass http://ex.org/Town
"""


def test_a_class_lies_under_all_above_it_and_itself() -> None:
    known = knowledge(HIERARCHY)
    classes = ids(known, "eBaby", "eElder", "ePerson", "eBeing", "eCity", "eBaby", "eNowhere")
    hierarchy = known.hierarchy
    assert hierarchy.under(classes, "Person").tolist() == [
        *(True, True, True, False, False, True, False),
    ]
    assert hierarchy.under(classes, "Old").tolist() == [
        *(False, True, False, False, False, False, False),
    ]
    assert hierarchy.under(np.zeros(0, np.int64), "Person").tolist() == []
    assert hierarchy.names_above(known.term("eElder")) == {"Old", "Person"}
    assert hierarchy.names_above(known.term("eBaby")) == {"Person"}
    assert hierarchy.names_above(known.term("eNowhere")) == set()


def test_named_classes_stand_above_and_below_each_other() -> None:
    hierarchy = knowledge(HIERARCHY).hierarchy
    assert hierarchy.named_below("Person") == ["Person", "Old"]
    assert hierarchy.named_below("Old") == ["Old"]
    assert hierarchy.named_above("Old") == ["Old", "Person"]
    assert hierarchy.named_above("Town") == ["Town"]


def test_all_classes_below_a_named_one() -> None:
    known = knowledge(HIERARCHY)
    assert sorted(keys(known, known.hierarchy.below("Person"))) == [
        *("eBaby", "eChild", "eElder", "eOld", "ePerson"),
    ]
    assert keys(known, known.hierarchy.below("Old")) != keys(known, known.hierarchy.below("Town"))


def pairs(known: Knowledge) -> list[tuple[str, str]]:
    found = known.hierarchy.pairs()
    if found is None:
        return []
    return sorted(zip(keys(known, found[0]), keys(known, found[1]), strict=True))


def test_the_hierarchy_is_learnt_from_the_named_classes_upwards() -> None:
    known = knowledge(HIERARCHY)
    above = [("eBeing", "eThing"), ("eOld", "ePerson"), ("ePerson", "eBeing")]
    assert pairs(known) == above
    known.hierarchy.above(ids(known, "eChild"))
    assert pairs(known) == sorted([*above, ("eChild", "ePerson")])
    known.hierarchy.under(ids(known, "eElder"), "Town")
    assert ("eElder", "eOld") in pairs(known)
    assert knowledge("ada knows bob", "").hierarchy.pairs() is not None
    plain = Knowledge(graph("ada knows bob"), load_rules_text("class A\nrelation knows (A, A)\n"))
    assert plain.hierarchy.pairs() is None


def test_a_circle_of_classes_ends() -> None:
    known = knowledge("Person subclass Human\nHuman subclass Person")
    human = known.term("eHuman")
    assert known.hierarchy.names_above(human) == {"Person"}
    assert known.hierarchy.under(np.array([human]), "Person").tolist() == [True]
    assert sorted(keys(known, known.hierarchy.below("Person"))) == ["eHuman", "eOld", "ePerson"]


def test_the_stated_classes_of_an_entity() -> None:
    known = knowledge(HIERARCHY + "ada type Elder\nada type City\nbob type Thing")
    assert known.stated_classes(known.term("eada")) == {"Old", "Person", "Town"}
    assert known.stated_classes(known.term("ebob")) == set()
    assert known.stated_classes(known.term("eeve")) == set()


# ---------------------------------------------------------------- periods


def dated() -> Graph:
    builder = Builder()
    file = builder.add_source("kg.tsv")
    since = {"since": "1990", "rank": "preferred"}
    builder.add_fact("eada", "lives", "erome", file, 3, qualifiers=since)
    builder.add_fact("eada", "lives", "eoslo", file, 4, qualifiers={"until": "1980"})
    builder.add_fact("eada", "lives", "eoslo", file, 5, qualifiers={"until": "1985"})
    builder.add_fact("ebob", "lives", "eoslo", file)
    builder.add_fact("ebob", "lives", "erome", file, 6)
    return Graph(builder.columns())


def stated(known: Knowledge, *of: str) -> list[tuple[str, str, Period]]:
    subjects, objects, periods = known.timed("lives", ids(known, *of) if of else None, None)
    return sorted(
        (
            (known.key(s)[1:], known.key(o)[1:], known.periods[p])
            for s, o, p in zip(subjects.tolist(), objects.tolist(), periods.tolist(), strict=True)
        ),
        key=str,
    )


def test_facts_of_any_rank_with_their_periods() -> None:
    known = knowledge(dated(), "lives(eve, rome).\nlives(ada, bonn).\n")
    ada = [
        ("ada", "bonn", ALWAYS),
        ("ada", "oslo", Period("", "1980", False)),
        ("ada", "oslo", Period("", "1985", False)),
        ("ada", "rome", Period("1990", "", True)),
    ]
    assert stated(known, "eada") == ada
    everyone = [("bob", "oslo", ALWAYS), ("bob", "rome", ALWAYS), ("eve", "rome", ALWAYS)]
    assert stated(known) == ada + everyone


def test_the_periods_of_one_fact() -> None:
    known = knowledge(dated(), "lives(eve, rome).\nlives(bob, oslo).\nsame ada, adele\n")

    def periods(subject: str, object_: str) -> list[Period]:
        return known.stated_periods("lives", known.term(subject), known.term(object_))

    assert periods("eada", "eoslo") == [Period("", "1980", False), Period("", "1985", False)]
    assert periods("eada", "erome") == [Period("1990", "", True)]
    assert periods("ebob", "erome") == [ALWAYS]
    assert periods("eeve", "erome") == [ALWAYS]
    assert periods("ebob", "eoslo") == [ALWAYS, ALWAYS]  # the graph, and the rule file
    assert periods("eada", "ebonn") == []
    assert periods("eadele", "erome") == []  # it is stated under another name


def test_where_a_fact_is_stated_for_a_period() -> None:
    known = knowledge(dated(), "lives(eve, rome).\nsame ada, adele\n")

    def source(subject: str, object_: str, period: Period) -> str:
        one = known.identity.one(known.term(subject))
        number = known.periods.number(period)
        return known.period_source("lives", one, known.term(object_), number)

    assert source("eada", "erome", Period("1990", "", True)) == "kg.tsv:3"
    assert source("eada", "eoslo", Period("", "1980", False)) == "kg.tsv:4"
    assert source("eadele", "eoslo", Period("", "1985", False)) == "kg.tsv:5"
    assert source("ebob", "erome", ALWAYS) == "kg.tsv:6"
    assert source("ebob", "eoslo", ALWAYS) == "kg.tsv"  # from no line
    assert source("eeve", "erome", ALWAYS) == "<rules>:7:1"


def test_under_which_names_a_fact_is_stated_for_a_period() -> None:
    known = knowledge(dated(), "lives(eve, rome).\nsame ada, adele\nsame eve, evi\n")

    def stated_as(subject: str, object_: str, period: Period) -> list[str]:
        one = known.identity.one(known.term(subject))
        number = known.periods.number(period)
        return keys(known, list(known.period_as("lives", one, known.term(object_), number)))

    assert stated_as("eadele", "eoslo", Period("", "1985", False)) == ["eada", "eoslo"]
    assert stated_as("eada", "erome", Period("1990", "", True)) == ["eada", "erome"]
    assert stated_as("eevi", "erome", ALWAYS) == ["eeve", "erome"]


# ---------------------------------------------------------------- what is supposed


def test_an_invented_name_is_new_and_known() -> None:
    known = knowledge("other1 knows other2\nother4 knows ada")
    found = [known.invent("other") for _ in range(3)]
    assert keys(known, found) == ["eother3", "eother5", "eother6"]
    assert not any(map(known.is_stranger, found))
    assert known.is_stranger(known.term("enobody"))
    first = known.graph.key(0)  # the very first of the graph's terms is taken as well
    assert first == "eada"
    assert keys(known, [known.invent("more")]) == ["emore1"]
    lone = knowledge("z1 knows z2")
    assert lone.graph.key(0) == "ez1"
    assert keys(lone, [lone.invent("z")]) == ["ez3"]


def test_a_copy_hands_out_ids_of_its_own() -> None:
    known = knowledge("ada knows bob")
    before = known.term("eone")
    other = known.copy()
    assert other.key(before) == "eone"
    assert other.invent("two") == known.term("ethree")
    assert known.is_stranger(known.term("ethree"))


def test_what_is_supposed_is_known_beside_the_rest() -> None:
    known = knowledge("ada knows bob")
    ada, bob, eve = ids(known, "eada", "ebob", "eeve").tolist()
    other = known.supposing(
        [
            ("for", "knows", bob, eve),
            ("against", "knows", eve, ada),
            ("is_a", bob, "Old"),
            ("isnt_a", eve, known.term("eBaby")),
        ]
    )

    def told(of: Knowledge) -> list[list[tuple[int, int]]]:
        return [
            sorted(zip(*(column.tolist() for column in layer.all(name)), strict=True))
            for layer in (of.facts, of.denied)
            for name in ("knows", "rdf:type")
        ]

    old, baby = known.class_ids["Old"], known.term("eBaby")
    assert told(other) == [[(ada, bob), (bob, eve)], [(bob, old)], [(eve, ada)], [(eve, baby)]]
    assert told(known) == [[(ada, bob)], [], [], []]


# ---------------------------------------------------------------- identity


def same_as() -> Graph:
    builder = Builder()
    file = builder.add_source("kg.tsv")
    builder.add_fact("eada", "owl:sameAs", "eadele", file, 3)
    builder.add_fact("ebob", "http://www.w3.org/2002/07/owl#sameAs", "erobert", file, 4)
    builder.add_fact("ebob", "owl:sameAs", "erob", file)
    builder.add_fact("ePerson", "owl:sameAs", "eHuman", file, 6)
    builder.add_fact("b1", "owl:sameAs", "eeve", file, 7)
    builder.add_fact("ekim", "owl:sameAs", "lstring Kim", file, 8)
    builder.add_fact("ekim", "owl:sameAs", "ekim", file, 9)
    return Graph(builder.columns())


def test_what_the_graph_and_the_rule_file_declare_the_same() -> None:
    known = knowledge(same_as(), "same adele, adelheid\n")
    one = known.identity.one
    for names in (("eada", "eadele", "eadelheid"), ("ebob", "erobert", "erob"), ("b1", "eeve")):
        assert len({one(known.term(name)) for name in names}) == 1
    apart = ["eada", "ebob", "eeve", "ePerson", "eHuman", "ekim", "lstring Kim"]
    assert len({one(known.term(name)) for name in apart}) == len(apart)
    assert known.key(one(known.term("b1"))) == "eeve"  # a name stands for a blank node


def test_where_two_names_are_declared_the_same() -> None:
    known = knowledge(same_as(), "same adele, adelheid\n")

    def declared(one: str, other: str) -> tuple[str, str]:
        pair = known.term(one), known.term(other)
        return known.identity_statement(*pair), known.identity_source(*pair)

    assert declared("eada", "eadele") == ("owl:sameAs", "kg.tsv:3")
    assert declared("ebob", "erobert") == ("http://www.w3.org/2002/07/owl#sameAs", "kg.tsv:4")
    assert declared("ebob", "erob") == ("owl:sameAs", "kg.tsv")
    assert declared("eadele", "eadelheid") == ("same", "<rules>:7:1")
    assert declared("eada", "eadelheid") == ("", "")


# ---------------------------------------------------------------- terms and names


def test_what_rules_conclude_about_is_known() -> None:
    known = knowledge(
        "ada knows bob",
        "lives(eve, rome).\nnot knows(kim, kit).\nole : Old.\nage(max, 7).\n"
        "knows(X, zoe) :- knows(X, yan).\nnot knows(X, una) :- knows(X, ada).\n",
    )
    strange = [
        name
        for name in ("ada", "eve", "rome", "kim", "kit", "ole", "max", "zoe", "yan", "una", "new")
        if known.is_stranger(known.term("e" + name))
    ]
    assert strange == ["yan", "una", "new"]
    assert not known.is_stranger(known.term("lnumber 7"))
    assert not known.is_stranger(known.term("lnumber 8"))
    _, classes = known.facts.from_subjects("rdf:type", ids(known, "eole"))
    assert classes.tolist() == [known.class_ids["Old"]]


def test_the_first_stranger_and_the_last_of_the_graph() -> None:
    known = Knowledge(
        graph("ada knows bob"), load_rules_text("relation knows (A, A)\nclass A = ada\n")
    )
    last = known.graph.n_terms - 1
    assert not known.is_stranger(last)
    first = known.term("enobody")
    assert first == known.graph.n_terms
    assert known.is_stranger(first)
    assert known.vague(np.array([last, first])).tolist() == [first]
    assert (known.name(first), known.label(first), known.labels([first, last])) == (
        *("nobody", "nobody", ["nobody", known.label(last)]),
    )
    value = Knowledge(
        graph("ada knows bob"), load_rules_text("class A = ada\nrelation knows (A, A)\n")
    )
    literal = value.term("lnumber 5")
    assert literal == value.graph.n_terms
    assert value.literals(np.array([literal, last])) == [literal]


def test_two_names_that_only_the_rule_file_has_are_one() -> None:
    rules = "class A = ada\nrelation knows (A, A)\nsame yan, zoe\n"
    known = Knowledge(graph("ada knows 5", knows="integer"), load_rules_text(rules))
    one, other = known.term("eyan"), known.term("ezoe")
    assert known.graph.n_terms in (one, other)
    assert known.identity.one(one) == known.identity.one(other)


MANY, SOME_DAY = value_key("many", "integer"), value_key("x", "date")


def test_what_may_be_anything() -> None:
    known = knowledge("_:b knows ada\nada age 5\nbob age many", "same ada, adele\n", age="integer")
    own = ids(known, "bb", "eada", "lnumber 5", MANY, "eadele")
    found = keys(known, known.vague(np.append(own, ids(known, "enew", "lnumber 6", SOME_DAY))))
    assert sorted(found) == ["bb", "enew", SOME_DAY, MANY]
    literals = known.literals(np.append(own, ids(known, "enew", "lnumber 6", SOME_DAY)))
    assert sorted(keys(known, literals)) == [
        *(SOME_DAY, MANY, "lnumber 5", "lnumber 6"),
    ]


def test_the_blank_nodes_that_have_no_other_name() -> None:
    builder = Builder()
    for name in ("b1", "b2", "b3", "b4"):
        builder.add_fact(name, "knows", "eada")
    builder.add_fact("b1", "owl:sameAs", "eeve")
    builder.add_fact("b2", "owl:sameAs", "b3")
    known = knowledge(Graph(builder.columns()))
    assert keys(known, known.blanks) == ["b2", "b4"]
    builder = Builder()
    builder.add_fact("b1", "knows", "eada")
    builder.add_fact("b1", "owl:sameAs", "eada")  # the first of all that are not blank
    assert len(knowledge(Graph(builder.columns())).blanks) == 0


def named() -> Graph:
    builder = Builder()
    builder.add_fact("eq1", "knows", "eq2")
    builder.add_fact("eq1", "knows", "ehttp://ex.org/q3")
    builder.add_fact("eq1", "rdf:type", "ePerson")
    builder.add_label("eq1", "Ada")
    builder.add_label("eq2", "Kim")
    builder.add_label("ehttp://ex.org/q3", "Kim")
    builder.add_label("ePerson", "human being")
    return Graph(builder.columns())


def test_labels_are_of_the_rule_file_the_graph_or_the_term_itself() -> None:
    known = knowledge(named())
    terms = ids(known, "eq1", "ePerson", "eTown", "ehttp://ex.org/Town", "lnumber 5", "enew")
    labels = ["Ada", "Person", "Town", "Town", "5", "new"]
    assert known.labels(terms.tolist()) == labels
    assert [known.label(id_) for id_ in terms.tolist()] == labels
    names = ["q1", "Person", "Town", "http://ex.org/Town", "5", "new"]
    assert known.names(terms.tolist()) == names
    assert [known.name(id_) for id_ in terms.tolist()] == names


def test_names_are_ids_or_labels() -> None:
    known = knowledge(named(), "lives(<http://ex.org/own>, rome).\n")
    texts = ["q1", "<q1>", "Ada", "ex:q3", "<http://ex.org/q3>", "ex:own", "rome", "who", "ex:who"]
    found, ambiguous = known.resolve(texts)
    assert keys(known, found) == [
        *("eq1", "eq1", "eq1", "ehttp://ex.org/q3", "ehttp://ex.org/q3", "ehttp://ex.org/own"),
        *("erome", "ewho", "ehttp://ex.org/who"),
    ]
    assert ambiguous == []
    assert [known.is_stranger(id_) for id_ in found] == [False] * 7 + [True] * 2
    assert known.resolve(["who", "ex:who"])[0] == found[-2:]


def test_a_curie_may_be_the_first_term_of_the_graph() -> None:
    known = knowledge("http://ex.org/a knows z")
    assert known.graph.key(0) == "ehttp://ex.org/a"
    assert known.resolve(["ex:a"]) == ([0], [])


@pytest.mark.parametrize("text", ["<who", "who>", "<", ">", "", "w", "<<who>", "who:", ":"])
def test_only_whole_brackets_are_taken_off(text: str) -> None:
    known = knowledge()
    ((found,), _) = known.resolve([text])
    assert known.key(found) == ("e<who" if text == "<<who>" else "e" + text)


def test_a_label_of_several_is_ambiguous_unless_they_are_one() -> None:
    known = knowledge(named())
    both = tuple(sorted(ids(known, "eq2", "ehttp://ex.org/q3").tolist()))
    (_, first), ambiguous = known.resolve(["q1", "Kim"])
    assert ambiguous == [(1, both)]
    assert first in both
    known = knowledge(named(), "same q2, ex:q3\n")
    assert known.resolve(["q1", "Kim"])[1] == []


def test_names_that_are_looked_up_at_once_are_not_looked_up_again() -> None:
    known = knowledge("ada knows bob")
    asked: list[list[str]] = []
    find = known.graph.find

    class Asked:
        def __getattr__(self, name: str) -> object:
            return getattr(kg, name)

        def find(self, keys: list[str]) -> object:
            asked.append(keys)
            return find(keys)

    kg = known.graph
    known.graph = Asked()  # type: ignore[assignment]
    known.prefetch(["ada", "<bob>", "ada"])
    assert asked == [["eada", "ebob"]]
    assert len(known.resolve(["bob", "ada"])[0]) == 2
    assert asked == [["eada", "ebob"]]


# ---------------------------------------------------------------- warnings


def warnings(kg: str | Graph, rules: str, **values: str) -> list[tuple[str, str, int]]:
    found = graph_warnings(
        graph(kg, **values) if isinstance(kg, str) else kg, load_rules_text(rules)
    )
    return [(p.code, p.subject, p.span.line if p.span else 0) for p in found]


def problems(kg: str | Graph, rules: str, **values: str) -> list[Problem]:
    return graph_warnings(
        graph(kg, **values) if isinstance(kg, str) else kg, load_rules_text(rules)
    )


PAIR = "class A\nrelation knows (A, A)\n"


def test_a_relation_that_nothing_gives_facts_for_is_told() -> None:
    assert warnings("ada knows bob", PAIR) == []
    assert warnings("ada knows bob", PAIR + "relation likes (A, A)\n") == [
        ("relation-not-in-graph", "likes", 3)
    ]
    (found,) = problems("ada knows bob", PAIR + "relation know (A, A)\n")
    assert "knows" in found.hint
    (found,) = problems("ada knows bob", PAIR + "relation likes (A, A)\n")
    assert found.hint == "no fact of the graph can decide constraints about it"
    (found,) = problems("ada knows bob", PAIR + "relation likes = liked (A, A)\n")
    assert (found.subject, found.span and found.span.column) == ("liked", 18)


@pytest.mark.parametrize(
    ("more", "silent"),
    [
        ("relation likes (A, A)\nlikes(X, Y) :- knows(X, Y).\n", True),
        ("relation likes (A, A)\nlikes(ada, bob).\n", True),
        ("relation likes (A, A)\nnot likes(X, Y) :- knows(X, Y).\n", False),
        ("relation likes (A, A)\nrelation loves (A, A) sub of likes\n", True),
        ("relation likes (A, A) inverse of knows\n", True),
        ("relation likes (A, A) symmetric\n", False),
    ],
)
def test_a_relation_that_the_rules_derive_need_not_be_in_the_graph(more: str, silent: bool) -> None:
    assert (warnings("ada knows bob", PAIR + more) == []) == silent


def test_objects_of_the_other_kind_are_told() -> None:
    rules = "class A\nrelation age (A, integer)\nrelation knows (A, A)\n"
    own = "ada knows bob\n"
    assert warnings(own + "ada age 5", rules, age="integer") == []
    (found,) = problems(own + "ada age five", rules)
    assert (found.code, found.severity, found.subject) == ("values-as-entities", "error", "age")
    mixed = Graph.from_triples(
        [("ea", "knows", "eb"), ("ea", "age", "efive"), ("ea", "age", "lnumber 5")]
    )
    (found,) = problems(mixed, rules)
    assert (found.code, found.severity) == ("values-as-entities", "warning")
    assert found.message.startswith("1 of 2 objects of `age` are entities")
    (found,) = problems("ada knows 5\nada age 5", rules, age="integer", knows="integer")
    assert (found.code, found.severity) == ("entities-as-values", "error")


def test_a_class_with_a_name_of_the_graph_must_be_there() -> None:
    rules = "class A = a, B = b, C\nrelation knows (A, A)\n"
    assert warnings("a type b", rules.replace("(A, A)", "(A, A) symmetric")) == [
        ("relation-not-in-graph", "knows", 2)
    ]
    kg = "x knows y\nx type "
    assert warnings(kg + "a", rules) == [("class-not-in-graph", "b", 1)]
    assert warnings("z type b", rules)[1:] == [("class-not-in-graph", "a", 1)]  # its one relation
    assert warnings(kg + "b", rules) == [("class-not-in-graph", "a", 1)]
    assert warnings("x knows y", rules) == []  # a graph without types
    assert warnings("a knows y\ny type x", rules) == [("class-not-in-graph", "b", 1)]


ASK = 'question q(a: A)\n    "?"\n    answer x : A\n    {}\n'


@pytest.mark.parametrize(
    ("more", "found"),
    [
        ("knows(X, zoe) :- knows(zoe, X).\n", [("zoe", 3), ("zoe", 3)]),
        ("knows(X, Y) :- knows(X, Y), X != zoe.\n", [("zoe", 3)]),
        ("X : A :- knows(X, zoe).\n", [("zoe", 3)]),
        ("knows(X, Y) :- knows(Y, bob), knows(X, Y).\n", []),
        ("knows(zoe, ada).\nknows(X, zoe) :- knows(X, X).\n", []),
        ("zoe : A.\nknows(X, zoe) :- knows(X, X).\n", []),
        ("knows(zoe, ada).\n", []),
        ('complete knows for "zoe", "bob"\n', [("zoe", 3)]),
        ("same zoe, yan\n", [("zoe", 3), ("yan", 3)]),
        ("same zoe, bob\n", []),
        ("same yan, zoe\nsame zoe, bob\nknows(X, yan) :- knows(X, X).\n", []),
        ("same yan, una\nsame zoe, bob\n", [("yan", 3), ("una", 3)]),
        ("knows(zoe, ada).\nsame zoe, yan\n", []),
        (ASK.format("require knows(x, zoe)"), [("zoe", 6)]),
        (ASK.format("require knows(x, a)"), []),
        (ASK.format("require knows(x, bob)"), []),
        (ASK.format("require any of { knows(x, bob), knows(x, zoe) }"), [("zoe", 6)]),
        (ASK.format("require x != zoe"), [("zoe", 6)]),
        (ASK.format("require knows(x, a) except zoe, bob, a"), [("zoe", 6)]),
        (ASK.format("require knows+(x, zoe)"), [("zoe", 6)]),
        (ASK.format("require knows/age(x, 5)"), []),
        (ASK.format("require knows/age(zoe, 5)\n    require age(x, 6)"), [("zoe", 6)]),
        (ASK.format("require age(x) > 5"), []),
        (ASK.format("require count knows(x, _) > 5"), []),
        (ASK.format("require count knows(zoe, _) > 5\n    require x : A"), [("zoe", 6)]),
    ],
)
def test_entities_that_are_nowhere_are_told(more: str, found: list[tuple[str, int]]) -> None:
    rules = PAIR + more
    if "age" in more:
        rules = PAIR + "relation age (A, integer)\n" + more
        found = [(name, line + 1) for name, line in found]
    told = warnings("ada knows bob\nada age 5", rules, age="integer")
    assert told == [("entity-not-in-graph", *place) for place in found]


def test_a_stated_entity_is_told_only_with_a_near_name() -> None:
    rules = PAIR + "knows({}, ada).\n"
    kg = "alexandra knows bob\nada knows bob"
    assert warnings(kg, rules.format("somebody_else")) == []
    assert warnings(kg, rules.format("alexandra")) == []
    (found,) = problems(kg, rules.format("alexandr"))
    assert (found.subject, found.hint) == ("alexandr", "did you mean `alexandra`?")
    (found,) = problems(kg, PAIR + "knows(X, alexandr) :- knows(X, ada).\n")
    assert found.hint == "did you mean `alexandra`?"
    item = 'require knows(x, quercas)\n    require knows(x, "quercus")'
    (found,) = problems(kg, PAIR + ASK.format(item).replace("a: A", "quercas: A"))
    assert found.hint == "did you mean `quercas`?"


def test_the_first_entity_of_the_graph_is_there() -> None:
    kg = graph("ada knows bob")
    assert kg.key(0) == "eada"
    assert warnings(kg, PAIR + "knows(X, ada) :- knows(ada, X).\n") == []


def test_a_class_that_is_the_same_as_something_is_told() -> None:
    kg = "ada knows bob\nada type A\n"
    assert warnings(kg + "B owl:sameAs A", PAIR) == [("identity-of-class", "", 1)]
    assert warnings(kg + "A owl:sameAs B", PAIR) == [("identity-of-class", "", 1)]
    assert warnings(kg + "bob owl:sameAs ada", PAIR) == []
    assert warnings("ada knows bob\nada owl:sameAs bob", PAIR) == []
    long = "A http://www.w3.org/2002/07/owl#sameAs B"
    assert warnings(kg + long, PAIR) == [("identity-of-class", "", 1)]
    first = graph("A knows b\nA owl:sameAs c")
    assert first.key(0) == "eA"
    assert warnings(first, PAIR) == [("identity-of-class", "", 1)]
