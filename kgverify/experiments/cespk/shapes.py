"""The same questions as SHACL shapes, validated by pySHACL on the same masked edges.

A shape is closed: a required edge that is missing is a violation, and an excluded one that is
missing is none.  Validation needs pySHACL, the extra `shacl`; without it the experiment says so and
goes on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING
from urllib.parse import quote

from kgverify.experiments import metrics
from kgverify.experiments.cespk.asking import GOLD, Asked
from kgverify.experiments.hetionet import Edges, Pair

if TYPE_CHECKING:
    import rdflib

SKIPPED = (
    "pySHACL is not installed, so the shapes were not validated: pip install 'kgverify[shacl]'"
)
_BASE = "urn:hetionet:"
_SHACL = "http://www.w3.org/ns/shacl#"
# Each question's paths from a candidate: the relations to follow, `^` backwards, `~` either way,
# the argument at the end, and whether there must be such a path or must not.
_PATHS = {
    "Q1": ((("CtD",), "d", True),),
    "Q2": ((("CtD",), "d", True), (("CcSE",), "s", False)),
    "Q3": ((("CbG", "^DaG", "~DrD"), "d", True),),
    "Q4": ((("CtD",), "d", True), (("CbG", "GpPW"), "p", False)),
}


def available() -> bool:
    """Is pySHACL installed?"""
    return find_spec("pyshacl") is not None and find_spec("rdflib") is not None


def measures(
    question: str, questions: Sequence[Asked], edges: Edges, kinds: Mapping[str, str]
) -> dict[str, float | None]:
    """Which share of gold is reported as violating its shape, which of the others is not."""
    reported = violations(question, questions, edges, kinds)
    pairs = [
        (kind == GOLD, (place, x) in reported)
        for place, asked in enumerate(questions)
        for x, kind in asked.kinds.items()
    ]
    gold = sum(is_gold for is_gold, _ in pairs)
    violating = sum(is_gold and is_reported for is_gold, is_reported in pairs)
    conforming = sum(not is_gold and not is_reported for is_gold, is_reported in pairs)
    return {
        "gold violating": metrics.ratio(violating, gold),
        "others conforming": metrics.ratio(conforming, len(pairs) - gold),
    }


def violations(
    question: str, questions: Sequence[Asked], edges: Edges, kinds: Mapping[str, str]
) -> set[tuple[int, str]]:
    """The candidates that violate the shape of their question, as (its place, candidate)."""
    import pyshacl
    import rdflib

    names = {str(_iri(x)): x for asked in questions for x in asked.kinds}
    shapes = rdflib.Graph()
    text = "".join(_shape(question, n, asked) for n, asked in enumerate(questions))
    shapes.parse(data=f"@prefix sh: <{_SHACL}> .\n{text}", format="turtle")
    data = _data(question, questions, edges, kinds)
    _, report, _ = pyshacl.validate(data, shacl_graph=shapes, inplace=True)
    node, source = rdflib.URIRef(_SHACL + "focusNode"), rdflib.URIRef(_SHACL + "sourceShape")
    found = set()
    for result in report.subjects(source):
        shape, focus = report.value(result, source), report.value(result, node)
        number = str(shape).removeprefix(f"{_BASE}shape:").partition(":")[0]
        found.add((int(number), names[str(focus)]))
    return found


@cache
def _iri(name: str) -> rdflib.URIRef:
    import rdflib

    return rdflib.URIRef(_BASE + quote(name, safe=""))


def _data(
    question: str, questions: Sequence[Asked], edges: Edges, kinds: Mapping[str, str]
) -> rdflib.Graph:
    """The edges that lie on the paths from the candidates, and the candidates' kinds."""
    import rdflib

    graph = rdflib.Graph()
    candidates = {x for asked in questions for x in asked.kinds}
    for x in candidates:
        graph.add((_iri(x), rdflib.RDF.type, _iri(kinds[x])))
    for path, end, _ in _PATHS[question]:
        reached, ends = candidates, {asked.arguments[end] for asked in questions}
        for place, step in enumerate(path, 1):
            following = set()
            for a, b in edges.get(step.lstrip("^~"), ()):
                for near, far in _ways(step, a, b):
                    if near in reached and (place < len(path) or far in ends):
                        following.add(far)
                        graph.add((_iri(a), _iri(step.lstrip("^~")), _iri(b)))
            reached = following
    return graph


def _ways(step: str, a: str, b: str) -> tuple[Pair, ...]:
    """The ways in which a step may follow an edge."""
    match step[0]:
        case "^":
            return ((b, a),)
        case "~":
            return (a, b), (b, a)
        case _:
            return ((a, b),)


def _shape(question: str, number: int, asked: Asked) -> str:
    """The question's constraints, each a shape of its own with the candidates as focus nodes."""
    checks = [f"sh:NodeShape ; sh:class {_iri('Compound').n3()}"]
    for path, end, wanted in _PATHS[question]:
        steps = " ".join(map(_step, path))
        has = f"sh:path ( {steps} )" if len(path) > 1 else f"sh:path {steps}"
        has += f" ; sh:hasValue {_iri(asked.arguments[end]).n3()}"
        checks.append(f"sh:PropertyShape ; {has}" if wanted else f"sh:NodeShape ; sh:not [ {has} ]")
    nodes = ", ".join(_iri(x).n3() for x in asked.kinds)
    return "".join(
        f"<{_BASE}shape:{number}:{place}> sh:targetNode {nodes} ; a {check} .\n"
        for place, check in enumerate(checks)
    )


def _step(step: str) -> str:
    """A step as a SHACL path."""
    relation = _iri(step.lstrip("^~")).n3()
    backwards = f"[ sh:inversePath {relation} ]"
    match step[0]:
        case "^":
            return backwards
        case "~":
            return f"[ sh:alternativePath ( {relation} {backwards} ) ]"
        case _:
            return relation
