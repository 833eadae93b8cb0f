"""What is told to a person: atoms in words, proofs as steps, and what they cite."""

from __future__ import annotations

import pytest

from kgverify.errors import Span
from kgverify.graph import Graph
from kgverify.graph.building import Builder
from kgverify.language.checks import load_rules_text
from kgverify.reasoning.datalog import Aggregate, Atom, Compare, Origin, Rule, Variable
from kgverify.reasoning.evidence import Ground, Step
from kgverify.reasoning.explanation import (
    Narrator,
    _terms,
    citation_line,
    cited,
    fill,
)
from kgverify.reasoning.knowledge import Knowledge
from kgverify.reasoning.proofs import Derivation
from kgverify.reasoning.rules import hard_rules
from kgverify.reasoning.times import Period
from kgverify.reasoning.views import View
from kgverify.vocabulary import Citation, Inference, Node

RULES = """
class City, Island, Town sub of Place
class Place "{0} can be visited"
relation near (City, City)
relation capital (City, City) "{1} is ruled from {0}"
same oslo, tigerstaden
"""
FACTS = [
    ("eoslo", "near", "ebergen"),
    ("etigerstaden", "near", "edrammen"),
    ("eoslo", "capital", "enorway"),
    ("eoslo", "rdf:type", "eCity"),
    ("etigerstaden", "rdf:type", "eIsland"),
    ("eHamlet", "rdfs:subClassOf", "eTown"),
]
DENIED = [("etigerstaden", "near", "erome"), ("erome", "rdf:type", "eIsland")]


def knowledge(more: str = "") -> Knowledge:
    builder = Builder()
    file = builder.add_source("kg.tsv")
    for line, fact in enumerate(FACTS, 1):
        builder.add_fact(*fact, file, line)
    for line, fact in enumerate(DENIED, len(FACTS) + 1):
        builder.add_denied(*fact, file, line)
    builder.add_label("ebergen", "Bergen")
    return Knowledge(Graph(builder.columns()), load_rules_text(RULES + more))


KNOWN = knowledge()
VIEWS = {
    "near/near": View("near/near", "near/near({0}, {1})", ""),
    "ever capital": View("ever capital", "capital({0}, {1}) ever", "", relation="capital"),
    "capital at 1995": View(
        "capital at 1995", "capital({0}, {1}) at 1995", "", relation="capital", time="1995"
    ),
}
NARRATOR = Narrator(KNOWN, VIEWS)


def id_(name: str, known: Knowledge = KNOWN) -> int:
    return known.term("e" + name)


def atom(text: str, known: Knowledge = KNOWN) -> Ground:
    """`predicate argument …`, with entities as `@name`."""
    return tuple(id_(w[1:], known) if w.startswith("@") else w for w in text.split())


def step(
    head: str, *children: Derivation, origin: Origin | None = None, extra: tuple[str, ...] = ()
) -> Derivation:
    """A proof by one step; `extra` are `kind atom …`."""
    rule = Rule(Atom("for", ()), (), origin or Origin("schema", "since it is so"))
    more = tuple((e.split()[0], atom(e.split(" ", 1)[1])) for e in extra)
    made = Step(rule, atom(head), tuple(child.atom for child in children), more)
    return Derivation(atom(head), made, children, 1 + sum(c.size for c in children))


def fact(text: str) -> Derivation:
    return Derivation(atom(text), None)


READ = Origin("encoding", "")


# ---------------------------------------------------------------- atoms


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("for near @oslo @bergen", "near(oslo, Bergen)"),
        ("triple near @oslo @bergen", "near(oslo, Bergen)"),
        ("counted near/near @oslo @bergen", "near/near(oslo, Bergen)"),
        ("against near @oslo @rome", "not near(oslo, rome)"),
        ("denied near @oslo @rome", "not near(oslo, rome)"),
        ("listed near @oslo", "all objects of oslo by `near` are listed"),
        ("meets lt @oslo @rome", "oslo < rome"),
        ("fails ge @oslo @rome", "not oslo >= rome"),
        ("size @oslo 2", "oslo is a number"),
        ("is_a @oslo City", "oslo : City"),
        ("member @oslo City", "oslo : City"),
        ("isnt_a @oslo Island", "not oslo : Island"),
        ("denied_member @oslo Island", "not oslo : Island"),
        ("subclass City Island", "every City is an Island"),
        ("same @oslo @tigerstaden", "oslo and tigerstaden are the same"),
        ("different @oslo @rome", "oslo and rome are different"),
        ("different @oslo @rome @bergen", "oslo, rome and Bergen are different"),
    ],
)
def test_atoms_as_the_rule_language_writes_them(written: str, said: str) -> None:
    assert NARRATOR.formal(atom(written)) == said


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("for capital @oslo @norway", "norway is ruled from oslo"),
        ("counted capital @oslo @norway", "norway is ruled from oslo"),
        ("denied capital @rome @norway", "it is false that norway is ruled from rome"),
        ("against near @oslo @rome", "it is false that near(oslo, rome)"),
        ("is_a @oslo Island", "oslo is an Island"),
        ("is_a @oslo Place", "oslo can be visited"),
        ("isnt_a @oslo City", "it is false that oslo is a City"),
        ("denied_member @oslo Place", "it is false that oslo can be visited"),
        ("member @oslo @rome", "oslo is a rome"),
        ("listed near @oslo", "all objects of oslo by `near` are listed"),
        # At some time a relation is what its sentence says; at a time it is more than that.
        ("for ever*capital @oslo @norway", "norway is ruled from oslo"),
        ("for capital*at*1995 @oslo @norway", "capital(oslo, norway) at 1995"),
        ("for near/near @oslo @rome", "near/near(oslo, rome)"),
    ],
)
def test_atoms_in_the_sentences_of_the_rule_file(written: str, said: str) -> None:
    spaced = tuple(w.replace("*", " ") if isinstance(w, str) else w for w in atom(written))
    assert NARRATOR.sentence(spaced) == said


def test_periods_are_told_by_their_ends() -> None:
    known = knowledge()
    narrator = Narrator(known)
    begun, ended = (known.periods.number(Period(*p, True)) for p in (("1990", ""), ("", "2000")))
    oslo, norway = id_("oslo", known), id_("norway", known)
    held = "norway is ruled from oslo, since 1990"
    assert narrator.formal(("during", "capital", oslo, norway, begun)) == held
    assert narrator.formal(("period", "capital", oslo, norway, begun)) == held
    assert narrator.formal(("throughout", begun, "1995")) == "since 1990 includes 1995"
    assert narrator.formal(("meet", begun, ended)) == "since 1990 meets until 2000"
    assert narrator.formal(("unlimited", ended)) == "until 2000"


def test_terms_may_be_called_otherwise() -> None:
    named = NARRATOR.calling({id_("rome"): "some city"})
    assert named.formal(atom("for near @oslo @rome")) == "near(oslo, some city)"
    assert named.formal(atom("for near/near @oslo @rome")) == "near/near(oslo, some city)"
    assert NARRATOR.calling({}) is NARRATOR


def test_a_name_that_looks_like_a_placeholder_stays() -> None:
    assert fill("{0} is given for {1}", {"0": "{1}", "1": "pain"}) == "{1} is given for pain"
    assert fill("{0} and {other}", {"0": "a"}) == "a and {other}"


# ---------------------------------------------------------------- stored facts


@pytest.mark.parametrize(
    ("written", "source", "stated"),
    [
        ("triple near @oslo @bergen", "kg.tsv:1", "triple near @oslo @bergen"),
        ("triple near @oslo @drammen", "kg.tsv:2", "triple near @tigerstaden @drammen"),
        ("member @oslo City", "kg.tsv:4", "member @oslo City"),
        ("member @oslo Island", "kg.tsv:5", "member @tigerstaden Island"),
        ("subclass @Hamlet Town", "kg.tsv:6", "subclass @Hamlet Town"),
        ("subclass Town Place", "<rules>:2:21", "subclass Town Place"),
        ("denied near @oslo @rome", "kg.tsv:7", "denied near @tigerstaden @rome"),
        ("denied_member @rome Island", "kg.tsv:8", "denied_member @rome Island"),
        ("meets lt @oslo @rome", "", "meets lt @oslo @rome"),
    ],
)
def test_where_and_how_facts_are_stated(written: str, source: str, stated: str) -> None:
    assert NARRATOR.source(atom(written)) == source
    assert NARRATOR.stated(atom(written)) == atom(stated)


def test_what_is_cited_has_the_names_and_keys_of_its_place() -> None:
    assert NARRATOR.stored(atom("triple near @oslo @drammen")) == Citation(
        "fact", "near(tigerstaden, drammen)", "kg.tsv:2", "near", ("etigerstaden", "edrammen")
    )
    assert NARRATOR.stored(atom("denied_member @rome Island")) == Citation(
        "denial", "not rome : Island", "kg.tsv:8", "rdf:type", ("erome", "eIsland")
    )
    assert NARRATOR.stored(atom("subclass @Hamlet Town")) == Citation(
        "fact", "every Hamlet is a Town", "kg.tsv:6", "rdfs:subClassOf", ("eHamlet", "eTown")
    )


def test_facts_of_a_period_are_cited_with_its_ends_and_rank() -> None:
    builder = Builder()
    file = builder.add_source("kg.tsv")
    said = [
        ("etigerstaden", "enorway", {"since": "1990"}),
        ("eoslo", "enorway", {"until": "2000-05"}),
        ("eoslo", "edenmark", {"rank": "preferred"}),
    ]
    for line, (one, other, qualifiers) in enumerate(said, 1):
        builder.add_fact(one, "capital", other, file, line, qualifiers)
    known = Knowledge(Graph(builder.columns()), load_rules_text(RULES))
    narrator = Narrator(known)
    oslo, norway, denmark = (id_(name, known) for name in ("oslo", "norway", "denmark"))

    def cited_for(object_: int, since: str, until: str, best: bool = True) -> Citation:
        period = known.periods.number(Period(since, until, best))
        return narrator.stored(("period", "capital", oslo, object_, period))

    assert cited_for(norway, "1990", "") == Citation(
        "period",
        "norway is ruled from tigerstaden, since 1990",
        "kg.tsv:1",
        "capital",
        ("etigerstaden", "enorway", "ldate 1990", ""),
    )
    assert cited_for(norway, "", "2000-05", False) == Citation(
        "outranked",
        "norway is ruled from oslo, until 2000-05",
        "kg.tsv:2",
        "capital",
        ("eoslo", "enorway", "", "ldate 2000-05"),
    )
    assert cited_for(denmark, "", "").terms == ("eoslo", "edenmark", "", "")


def test_what_nothing_states_is_cited_too() -> None:
    keys = ("eoslo", "erome")
    assert NARRATOR.extra("absence", atom("for near @oslo @rome")) == Citation(
        "absence", "near(oslo, rome) is not listed", "", "near", keys
    )
    assert NARRATOR.extra("absence", atom("for near/near @oslo @rome")) == Citation(
        "absence", "near/near(oslo, rome) is not listed", "", VIEWS["near/near"].syntax, keys
    )
    ever = ("for", "ever capital", *atom("@oslo @rome"))
    assert NARRATOR.extra("absence", ever) == Citation(
        "absence", "capital(oslo, rome) ever is not listed", "", "capital", keys
    )
    assert NARRATOR.extra("listing", atom("for near @oslo @rome @bergen")) == Citation(
        "listing",
        "the graph lists no other `near` of oslo than rome, Bergen",
        "",
        "near",
        ("eoslo", "erome", "ebergen"),
    )
    assert NARRATOR.extra("listing", atom("for near @oslo")).text == (
        "the graph lists no `near` of oslo"
    )
    for one, other in (keys, keys[::-1]):  # the same in any order
        assert NARRATOR.extra("identity", atom(f"different @{one[1:]} @{other[1:]}")) == Citation(
            "identity", "oslo and rome are different", "", "", keys
        )
    assert NARRATOR.assumption(atom("is_a @oslo Island")) == Citation(
        "assumption", "assumed: oslo : Island is not known", "", "rdf:type", ("eoslo", "eIsland")
    )
    assert NARRATOR.assumption(atom("for near @oslo @rome")) == Citation(
        "assumption", "assumed: near(oslo, rome) is not known", "", "near", keys
    )


def test_that_classes_are_disjoint_is_cited_once_for_both_orders() -> None:
    for pair in (("City", "Island"), ("Island", "City")):
        for kind in ("disjoint", "disjoint_classes"):
            said = NARRATOR.statement(Origin("schema", "whatever", statement=(kind, *pair)))
            assert said == Citation(
                "statement", "`City` and `Island` are disjoint", "", kind, ("City", "Island")
            )
    said = NARRATOR.statement(Origin("schema", "it goes on", statement=("sub", "near", "capital")))
    assert said == Citation("statement", "it goes on", "", "sub", ("near", "capital"))


def test_lines_for_people_end_with_the_place_where_there_is_one() -> None:
    assert citation_line(Citation("fact", "it is so", "kg.tsv:3")) == "it is so [kg.tsv:3]"
    assert citation_line(Citation("identity", "they differ")) == "they differ"
    assert cited(Node("it is so", "fact", "", "kg.tsv:3")) == "it is so [kg.tsv:3]"
    assert cited(Node("they differ", "identity")) == "they differ"


# ---------------------------------------------------------------- names of one entity


def test_names_of_one_entity_as_steps() -> None:
    oslo, tigerstaden, rome = (id_(name) for name in ("oslo", "tigerstaden", "rome"))
    same = Node("oslo and tigerstaden are the same", "identity", "", "<rules>:6:1")
    assert NARRATOR.names_of_one(oslo, tigerstaden) == [same]
    assert NARRATOR.identity(("same", oslo, tigerstaden)) == same
    assert NARRATOR.identity(("same", oslo, oslo)) == Node("oslo and oslo are the same", "identity")
    assert NARRATOR.identity(("different", oslo, rome)) == Node(
        "oslo and rome are different", "identity"
    )
    assert NARRATOR.declarations(oslo, tigerstaden) == [
        Citation("same", same.text, same.source, "same", ("eoslo", "etigerstaden"))
    ]


def test_a_chain_of_names_is_told_as_one_step() -> None:
    known = knowledge("same tigerstaden, christiania\n")
    narrator = Narrator(known)
    oslo, other = id_("oslo", known), id_("christiania", known)
    told = narrator.identity(("same", oslo, other))
    assert told.text == "oslo and christiania are the same"
    assert told.kind == "identity"
    assert [child.text for child in told.children] == [
        "oslo and tigerstaden are the same",
        "tigerstaden and christiania are the same",
    ]
    (joined,) = narrator.joining(oslo, other)
    assert joined == Inference(
        "names of one entity", "", told.text, tuple(child.text for child in told.children)
    )
    assert list(narrator.joining(oslo, id_("tigerstaden", known))) == []  # just as declared


def test_names_are_told_by_their_labels_where_these_differ() -> None:
    builder = Builder()
    builder.add_fact("eQ1", "owl:sameAs", "eQ2")
    for key, label in (("eQ1", "Oslo"), ("eQ2", "Christiania")):
        builder.add_label(key, label)
    known = Knowledge(Graph(builder.columns()), load_rules_text(RULES))
    (said,) = Narrator(known).names_of_one(id_("Q1", known), id_("Q2", known))
    assert said.text == "Oslo and Christiania are the same"


def test_names_that_read_alike_are_told_apart_by_their_ids() -> None:
    builder = Builder()
    builder.add_fact("eQ1", "owl:sameAs", "eQ2")
    for key in ("eQ1", "eQ2"):
        builder.add_label(key, "Oslo")
    known = Knowledge(Graph(builder.columns()), load_rules_text(RULES))
    (said,) = Narrator(known).names_of_one(id_("Q1", known), id_("Q2", known))
    names = known.name(id_("Q1", known)), known.name(id_("Q2", known))
    assert names[0] != names[1]
    assert said.text == f"{names[0]} and {names[1]} are the same"


def test_a_difference_in_another_order_than_cited_is_a_step() -> None:
    assert list(NARRATOR.differing(atom("different @oslo @rome"))) == []
    assert list(NARRATOR.differing(atom("different @rome @oslo"))) == [
        Inference(
            "in either order",
            "",
            "rome and oslo are different",
            ("oslo and rome are different",),
        )
    ]


def test_the_ids_that_a_rule_names() -> None:
    x = Variable("X")
    counting = Aggregate(7, ">=", x, Atom("for", ("near", 8, x)))
    rule = Rule(
        Atom("for", ("near", x, 3)),
        (Atom("is_a", (4, "City")), Compare(5, "!=", x), Compare(x, "=", 6), counting),
    )
    assert _terms(rule) == (3, 4, 5, 6)


def test_the_names_that_statements_use_and_the_ones_that_stand_for_them() -> None:
    known = knowledge(
        'near(X, "tigerstaden") :- capital(X, "rome"), near("tigerstaden", X).\n'
        'complete near for "tigerstaden", "rome"\n'
    )
    narrator = Narrator(known)
    oslo, tigerstaden, rome = (id_(name, known) for name in ("oslo", "tigerstaden", "rome"))
    origin = hard_rules(known.book, known.named)[0].origin
    assert narrator.constants(origin) == (tigerstaden, rome, tigerstaden)
    assert list(narrator.names_in(origin)) == [(tigerstaden, oslo)]  # rome has no other name
    listed = Origin("schema", "", statement=("complete_subject", "near", oslo))
    assert list(narrator.names_in(listed)) == [(tigerstaden, oslo)]
    assert narrator.constants(listed) == ()
    assert narrator.statement(listed).terms == ("near", "etigerstaden")
    unnamed = Origin("schema", "", statement=("complete_subject", "near", rome))
    assert list(narrator.names_in(unnamed)) == []
    assert narrator.statement(unnamed).terms == ("near", "erome")


# ---------------------------------------------------------------- proofs


def outline(node: Node) -> list[str]:
    line = f"{node.kind}: {node.text}" + (f" ({node.why})" if node.why else "")
    return [line, *("  " + below for child in node.children for below in outline(child))]


def read(head: str, stored: str) -> Derivation:
    return step(head, fact(stored), origin=READ)


def test_stored_facts_as_nodes() -> None:
    assert NARRATOR.tell(fact("triple near @oslo @bergen")) == Node(
        "near(oslo, Bergen)", "fact", "", "kg.tsv:1"
    )
    assert NARRATOR.tell(fact("denied_member @rome Island")) == Node(
        "it is false that rome is an Island", "denial", "", "kg.tsv:8"
    )
    assert NARRATOR.tell(fact("meets lt @oslo @rome")) == Node("oslo < rome", "value")
    assert outline(NARRATOR.tell(fact("triple near @oslo @drammen"))) == [
        "identity: near(oslo, drammen)",
        "  fact: near(tigerstaden, drammen)",
        "  identity: oslo and tigerstaden are the same",
    ]


def test_steps_that_only_read_are_not_told() -> None:
    near = read("for near @oslo @bergen", "triple near @oslo @bergen")
    assert NARRATOR.tell(near) == NARRATOR.tell(fact("triple near @oslo @bergen"))
    assert NARRATOR.tell(step("counted near @oslo @bergen", near)).kind == "fact"
    above = read("is_a @oslo Place", "subclass Town Place")
    assert outline(NARRATOR.tell(above)) == [
        "schema: oslo can be visited (the class hierarchy)",
        "  fact: every Town is a Place",
    ]
    two = step(
        "for near @oslo @rome",
        fact("triple near @oslo @bergen"),
        fact("triple near @oslo @drammen"),
        origin=READ,
    )
    assert len(NARRATOR.tell(two).children) == 2


def test_a_derived_fact_is_told_with_all_that_it_needs() -> None:
    near = read("for near @oslo @bergen", "triple near @oslo @bergen")
    proof = step(
        "against near @oslo @rome",
        near,
        fact("size @oslo 2"),
        fact("meets lt @oslo @rome"),
        origin=Origin("rule", "as the rule says", Span("r.kgr", 7, 3)),
        extra=(
            "absence for near @rome @oslo",
            "listing for near @oslo @bergen",
            "identity different @rome @bergen",
        ),
    )
    assert outline(NARRATOR.tell(proof)) == [
        "rule: it is false that near(oslo, rome) (as the rule says)",
        "  fact: near(oslo, Bergen)",
        "  value: oslo < rome",
        "  absence: the graph does not list that near(rome, oslo) (as the rule says)",
        "  absence: the graph lists no other `near` of oslo than Bergen",
        "  identity: rome and Bergen are different",
    ]
    told = NARRATOR.tell(proof)
    places = ["kg.tsv:1", "", "r.kgr:7:3", "", ""]
    assert [told.source, *(child.source for child in told.children)] == ["r.kgr:7:3", *places]
    assert NARRATOR.infer(proof) == [
        Inference("values and times as they are", "", "oslo is a number", ()),
        Inference("values and times as they are", "", "oslo < rome", ()),
        Inference(
            "as the rule says",
            "r.kgr:7:3",
            "not near(oslo, rome)",
            (
                "near(oslo, Bergen)",
                "oslo is a number",
                "oslo < rome",
                "near(rome, oslo) is not listed",
                "the graph lists no other `near` of oslo than Bergen",
                "Bergen and rome are different",
            ),
        ),
    ]


def test_a_relation_at_some_time_is_told_as_the_relation() -> None:
    held = read("for capital @oslo @norway", "triple capital @oslo @norway")
    ever = Derivation(("for", "ever capital", *held.atom[2:]), held.step, (held,))
    dated = Derivation(("for", "capital at 1995", *held.atom[2:]), held.step, (held,))
    path = Derivation(("for", "near/near", *held.atom[2:]), held.step, (held,))
    assert outline(NARRATOR.tell(ever)) == ["fact: norway is ruled from oslo"]
    for other in (dated, path):
        assert NARRATOR.tell(other).children == (NARRATOR.tell(held),)


def test_a_proof_cites_facts_first_each_once() -> None:
    sub = Origin("schema", "one", statement=("sub", "near", "near"))
    near = read("for near @oslo @bergen", "triple near @oslo @bergen")
    inner = step("for near @bergen @oslo", near, origin=sub)
    proof = step(
        "for near @rome @oslo",
        inner,
        near,
        fact("meets lt @oslo @rome"),
        fact("triple capital @oslo @norway"),
        origin=sub,
        extra=("identity different @rome @bergen",),
    )
    assert [(c.kind, c.text) for c in NARRATOR.cite(proof)] == [
        ("fact", "near(oslo, Bergen)"),
        ("fact", "capital(oslo, norway)"),
        ("identity", "Bergen and rome are different"),
        ("statement", "one"),
    ]
    said = {atom("triple near @oslo @bergen")}
    assert len(NARRATOR.cite(proof, said)) == 3


def test_what_defines_a_view_is_not_cited() -> None:
    made = step("for near/near @oslo @rome", origin=Origin("encoding", "", None, ("sequence", "x")))
    assert made.step is not None
    assert NARRATOR.needs(made.step) == []


def test_other_names_that_a_proof_rests_on() -> None:
    oslo, tigerstaden = id_("oslo"), id_("tigerstaden")
    stored = fact("triple near @oslo @drammen")
    proof = step("for near @oslo @drammen", stored)
    assert list(NARRATOR.other_names(proof)) == [(tigerstaden, oslo)]
    assert list(NARRATOR.other_names(proof, {stored.atom})) == []
    assert list(NARRATOR.other_names(fact("triple near @oslo @bergen"))) == []


def test_the_step_from_one_name_to_another_is_inferred() -> None:
    stored = fact("triple near @oslo @drammen")
    (same,) = NARRATOR.names_of_one(id_("tigerstaden"), id_("oslo"))
    renamed = Inference(
        "names of one entity", "", "near(oslo, drammen)", ("near(tigerstaden, drammen)", same.text)
    )
    assert NARRATOR.infer(step("for near @oslo @drammen", stored, origin=READ)) == [renamed]
    assert NARRATOR.infer(fact("triple near @oslo @bergen")) == []
