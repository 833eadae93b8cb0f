"""Small graphs written as text, and what is asked of them."""

from __future__ import annotations

from typing import Any

from kgverify.graph import Graph
from kgverify.graph.building import Builder
from kgverify.graph.terms import value_key
from kgverify.language.checks import load_rules_text
from kgverify.verdicts import Verdict
from kgverify.verification import Verifier
from kgverify.vocabulary import Candidate, Question


def graph(text: str, **values: str) -> Graph:
    """A graph of lines `subject relation object`; a leading `not` denies.  `values` names the
    relations to values with their datatypes."""
    facts, denied = [], []
    for line in filter(None, map(str.strip, text.splitlines())):
        words = line.split()
        subject, relation, object_ = words[-3:]
        key = value_key(object_, values[relation]) if relation in values else _key(object_)
        name = "rdf:type" if relation == "type" else relation
        name = "rdfs:subClassOf" if relation == "subclass" else name
        (denied if words[0] == "not" else facts).append((_key(subject), name, key))
    return Graph.from_triples(facts, denied)


def dated(text: str) -> Graph:
    """A graph of lines `subject relation object [since [until [rank]]]`; `-` for none."""
    builder = Builder()
    for line in filter(None, map(str.strip, text.splitlines())):
        subject, relation, object_, *said = line.split()
        pairs = zip(("since", "until", "rank"), said, strict=False)
        qualifiers = {name: word for name, word in pairs if word != "-"}
        name = "rdf:type" if relation == "type" else relation
        builder.add_fact(_key(subject), name, _key(object_), qualifiers=qualifiers)
    return Graph(builder.columns())


def _key(name: str) -> str:
    return "b" + name[2:] if name.startswith("_:") else "e" + name


def ask(
    rules: str, kg: Graph, question: str, *candidates: str, engine: str = "slice", **arguments: Any
) -> dict[str, Verdict]:
    """The verdicts on the candidates, by name."""
    verifier = Verifier(kg, load_rules_text(rules), "rank", engine)  # type: ignore[arg-type]
    asked = Question("q", question, arguments, tuple(map(Candidate, candidates)))
    ((verdicts, problems),) = verifier.verify([asked])
    assert not [p for p in problems if p.is_error], problems
    return {verdict.candidate: verdict for verdict in verdicts}


def statuses(verdict: Verdict) -> list[str]:
    """Each constraint as `status` or `unk reason`, the answer class left out."""
    return [f"{c.status} {c.reason}".strip() for c in verdict.constraints if c.id != "answer"]
