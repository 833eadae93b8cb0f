"""Does an explanation hold of a graph and a rule file?

What follows from the citations is checked by `replay`.  Here it is checked that the citations are
true: that the facts and denials are in the graph, that terms which are said to differ are known,
and that what is said to be absent is.  An absence is a statement about the whole graph, so the
evidence about it is gathered and solved anew.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import numpy as np

from kgverify.errors import GraphError, Problem, QuestionError, Span
from kgverify.graph import Graph
from kgverify.language.rulebook import RuleBook
from kgverify.reasoning.deciding import SliceEngine, evidence_rules
from kgverify.reasoning.evidence import SHOW, Evidence, Ground, read
from kgverify.reasoning.knowledge import SUBCLASS, TYPE, Knowledge, graph_warnings
from kgverify.reasoning.solver import solve
from kgverify.replay import check_statuses
from kgverify.vocabulary import Citation, Explanation


def read_explanation(text: str | bytes, file: str = "<explanation>") -> Explanation:
    """An explanation from the JSON that `Explanation.to_dict` and `explain --format json` give.

    Raises QuestionError when it is no such JSON."""
    try:
        return msgspec.json.decode(text, type=Explanation)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        problem = Problem(
            "malformed-explanation",
            f"not an explanation: {error}",
            Span(file),
            "write one with `kgverify explain … --format json`",
        )
        raise QuestionError(problem) from error


def check_explanation(explanation: Explanation, graph: Graph, rules: RuleBook) -> list[Problem]:
    """Everything in an explanation that does not hold; empty when it all does.

    Its statuses must follow from what it cites alone (with the independent checker, `replay`), and
    what it cites must be true of the graph and the rule file.  Another graph or rule file than the
    one that it was written for is a warning."""
    found = [problem for problem in graph_warnings(graph, rules) if problem.is_error]
    if found:
        raise GraphError(found)
    return [
        *_pins(explanation, graph, rules),
        *check_statuses(explanation, rules),
        *_Facts(graph, rules).faults(explanation),
    ]


def _pins(explanation: Explanation, graph: Graph, rules: RuleBook) -> Iterator[Problem]:
    pins = explanation.pins
    for what, pinned, own in (
        ("graph", pins.kg, graph.hash),
        ("rule file", pins.rules, rules.hash),
    ):
        if pinned != own:
            message = f"the explanation was written for another {what}"
            yield Problem("other-pins", message, severity="warning")


class _Facts:
    """Looks citations up in a graph."""

    def __init__(self, graph: Graph, rules: RuleBook) -> None:
        self._knowledge = Knowledge(graph, rules)
        self._engine = SliceEngine(self._knowledge, evidence_rules(self._knowledge))

    def faults(self, explanation: Explanation) -> Iterator[Problem]:
        """What is cited and not true."""
        cited = dict.fromkeys(
            citation
            for explained in explanation.constraints
            if explained.proof is not None
            for citation in explained.proof.citations
        )
        for citation in cited:
            fault = self._fault(citation)
            if fault:
                yield Problem("untrue-citation", f"{fault}: {citation.text}")

    def _fault(self, citation: Citation) -> str:
        """What is wrong with a citation, "" when it is true."""
        keys = [key for key in citation.terms if key[:1] in ("e", "l", "b")]
        ids = [self._knowledge.identity.one(self._knowledge.term(key)) for key in keys]
        match citation.kind:
            case "fact":
                return "" if self._is_stated(citation, ids, False) else "the graph has no such fact"
            case "denial":
                return (
                    "" if self._is_stated(citation, ids, True) else "the graph denies no such fact"
                )
            case "identity":
                strange = any(map(self._knowledge.is_stranger, ids))
                return "a name that nobody knows may be anything" if strange else ""
            case "absence" | "assumption":
                return self._present(citation, ids)
            case _:
                return ""  # the checker looks statements up itself

    def _is_stated(self, citation: Citation, ids: list[int], denied: bool) -> bool:
        layer = self._knowledge.denied if denied else self._knowledge.facts
        if len(ids) != 2 or citation.name not in (TYPE, SUBCLASS, *self._knowledge.book.relations):
            return False
        one, other = (np.array([id_], np.int64) for id_ in ids)
        return len(layer.present(citation.name, one, other)[0]) > 0

    def _present(self, citation: Citation, ids: list[int]) -> str:
        """Why something can't count as absent, "" if it can."""
        if any(map(self._knowledge.is_stranger, ids)):
            return "completeness says nothing of a name that nobody knows"
        name = citation.name
        atom: Ground
        if name == TYPE and len(ids) == 2:
            cls = self._knowledge.class_names.get(ids[1])
            if cls is None:
                return "the rule file has no such class"
            atom = ("is_a", ids[0], cls)
        elif name in self._knowledge.book.relations and len(ids) == 2:
            atom = ("for", name, *ids)
        else:
            return "the rule file has no such relation"
        evidence = Evidence(read(solve(*self._engine.about([atom]), SHOW)))
        there = atom in evidence or ("maybe", *atom[1:]) in evidence
        return "there is evidence for it, or for what may be it" if there else ""
