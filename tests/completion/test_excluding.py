"""What a graph excludes of edges that are proposed."""

from __future__ import annotations

import pytest

from kgverify.completion.admission import decide
from kgverify.completion.excluding import GraphExcluder
from kgverify.completion.policy import CAREFUL, PAPER
from kgverify.errors import EvidenceError
from kgverify.graph import Graph
from kgverify.graph.building import Builder
from kgverify.language.checks import load_rules_text
from kgverify.reasoning.knowledge import TYPE
from tests.completion.proposed import candidate, edge
from tests.reasoning.small import graph

RULES = """\
class Country, City, Person
disjoint Country, City, Person
relation capital (Country, City) functional, inverse functional
relation located (City, Country)
relation parent (Person, Person) asymmetric
relation father (Person, Person) sub of parent
relation sibling (Person, Person) symmetric, irreflexive
relation born (Person, date) functional
relation leads (Person, Country) functional at a time
rule apart "nobody is a sibling of a child": not sibling(X, Y) :- parent(X, Y).
rule odd: not located(X, Y) :- parent(P, Q), leads(Q, Y), located(X, Y).
complete father
same kristiania, oslo
"""
FACTS = """\
italy capital rome
france type Country
norway type Country
paris type City
lyon type City
oslo type City
ann parent bob
bob leads denmark
cle type Person
dan type Person
"""


def excluder(seconds: float = 60) -> GraphExcluder:
    return GraphExcluder(graph(FACTS), load_rules_text(RULES), seconds)


def refuted(*texts: str) -> dict[str, tuple[str, ...]]:
    found = excluder().conflicts(list(map(edge, texts)))
    return {str(one): why for one, why in found.refuted.items()}


def together(*texts: str) -> list[list[str]]:
    found = excluder().conflicts(list(map(edge, texts)))
    assert not found.refuted
    assert not found.unknown
    return sorted(sorted(map(str, clash)) for clash in found.together)


def test_the_graph_excludes_with_its_facts() -> None:
    assert refuted(
        "italy capital paris",
        "france capital rome",
        "france capital paris",
        "ann sibling bob",
        "bob parent ann",
        "rome parent ann",
        "cle father dan",
        "cle sibling cle",
        "cle sibling dan",
    ) == {
        "capital(italy, paris)": ("capital(italy, rome)", "paris and rome are different"),
        "capital(france, rome)": ("capital(italy, rome)", "france and italy are different"),
        "sibling(ann, bob)": ("parent(ann, bob)",),
        "parent(bob, ann)": ("parent(ann, bob)",),
        "parent(rome, ann)": ("capital(italy, rome)",),
        # A complete relation lists all that there is, so what is added to it is excluded.
        "father(cle, dan)": ("the graph does not list that father(cle, dan) [<rules>:12:1]",),
        "sibling(cle, cle)": ("it is false that sibling(cle, cle) [<rules>:7:46]",),
    }


def test_an_edge_may_exclude_itself() -> None:
    # Nothing is against it before it is there; once it is, the rule `odd` is, by this very edge.
    assert refuted("lyon located denmark", "lyon located france") == {"located(lyon, denmark)": ()}
    conflicts = excluder().conflicts([edge("lyon located denmark")])
    (out,) = decide([candidate("lyon located denmark", "p1:E")], CAREFUL, conflicts).rejected
    assert [reason.text for reason in out.reasons] == ["the graph excludes it"]


def test_edges_exclude_each_other() -> None:
    assert together("france capital paris", "france capital lyon", "norway capital lyon") == [
        ["capital(france, lyon)", "capital(france, paris)"],
        ["capital(france, lyon)", "capital(norway, lyon)"],
    ]
    assert together("cle parent dan", "dan parent cle", "dan sibling cle") == [
        ["parent(cle, dan)", "parent(dan, cle)"],
        ["parent(cle, dan)", "sibling(dan, cle)"],
        ["parent(dan, cle)", "sibling(dan, cle)"],
    ]
    assert together("cle born 1990", "cle born 1991", "cle born 1990-05", "dan born 1990") == [
        ["born(cle, 1990)", "born(cle, 1991)"],
        ["born(cle, 1990-05)", "born(cle, 1991)"],
    ]
    # Two that lead one country, or one that leads two, may do so at different times.
    assert together("cle leads france", "dan leads france", "cle leads norway") == []
    # Two names of one entity are one.
    names = together("norway capital oslo", "norway capital kristiania", "norway capital paris")
    assert names == [
        ["capital(norway, kristiania)", "capital(norway, paris)"],
        ["capital(norway, oslo)", "capital(norway, paris)"],
    ]


def test_what_nobody_knows_is_told() -> None:
    found = excluder().conflicts([edge("france capital xyz"), edge("abc born 1990")])
    assert found.unknown == {edge("france capital xyz"): ("xyz",), edge("abc born 1990"): ("abc",)}
    assert not found.refuted


def test_what_is_admitted_already_excludes() -> None:
    asked = [edge("france capital lyon"), edge("norway capital paris"), edge("cle parent dan")]
    found = excluder().conflicts(asked, [edge("france capital paris")])
    assert found.refuted == {
        edge("france capital lyon"): ("capital(france, paris), which is admitted",),
        edge("norway capital paris"): ("capital(france, paris), which is admitted",),
    }


def test_three_edges_exclude_each_other_by_a_rule() -> None:
    three = ["cle parent dan", "dan leads france", "lyon located france"]
    assert together(*three) == []
    assert excluder().check(list(map(edge, three))) == frozenset(map(edge, three))
    assert excluder().check([*map(edge, three[:2]), edge("paris located norway")]) is None
    assert excluder().check([]) is None
    taken = edge("italy capital paris")
    assert excluder().check([*map(edge, three[:2]), taken]) == {taken}
    asked = [candidate(text, "p1:E") for text in three]
    chosen = decide(asked, CAREFUL, excluder().conflicts([]), excluder().check)
    assert [str(one.edge) for one in chosen.admitted] == ["parent(cle, dan)", "leads(dan, france)"]
    (out,) = chosen.rejected
    assert [reason.text for reason in out.reasons] == [
        "parent(cle, dan), leads(dan, france) are added, and with them it can't hold"
    ]


def test_edges_of_the_graph_are_decided_together() -> None:
    asked = [
        candidate("france capital paris", "p1:E p2:E"),
        candidate("norway capital paris", "p1:E"),
        candidate("norway capital oslo", "p3:E"),
        candidate("italy capital lyon", "p4:E"),
    ]
    conflicts = excluder().conflicts([one.edge for one in asked])
    found = decide(asked, PAPER, conflicts, excluder().check)
    assert [str(one.edge) for one in found.admitted] == [
        "capital(france, paris)",
        "capital(norway, oslo)",
    ]
    assert {str(one.edge): [r.text for r in one.reasons] for one in found.rejected} == {
        "capital(italy, lyon)": [
            "it conflicts with capital(italy, rome); lyon and rome are different"
        ],
        "capital(norway, paris)": [
            "capital(france, paris) is added, and the two can't both hold",
            "capital(norway, oslo) is added, and the two can't both hold",
        ],
    }


def test_mistakes_are_told() -> None:
    with pytest.raises(EvidenceError) as caught:
        excluder().conflicts([edge("france capitol paris"), edge("france lead paris")])
    assert [(p.code, p.hint) for p in caught.value.problems] == [
        ("unknown-relation", "did you mean `capital`?"),
        ("unknown-relation", "did you mean `leads`?"),
    ]
    builder = Builder()
    for name in ("a", "b"):
        builder.add_fact("e" + name, TYPE, "eCity")
        builder.add_label("e" + name, "Paris")
    named = GraphExcluder(Graph(builder.columns()), load_rules_text(RULES))
    with pytest.raises(EvidenceError) as caught:
        named.conflicts([edge("Paris located a"), edge("Paris lies a")])
    assert [p.code for p in caught.value.problems] == ["unknown-relation", "ambiguous-name"]
