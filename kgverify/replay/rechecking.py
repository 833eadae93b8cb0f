"""Does an explanation hold of a graph and a rule file?

What follows from the citations is checked by `replay`.  Here it is checked that the citations are
true: that the facts and denials are in the graph, that terms which are said to differ are known,
that what is said to be absent is, and that what is said to be all that is listed is all.  An
absence, or a listing, is a statement about the whole graph, so the evidence about it is gathered
and solved anew.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import numpy as np

from kgverify.errors import GraphError, Problem, QuestionError, Span
from kgverify.graph import Graph
from kgverify.language.rulebook import RuleBook
from kgverify.reasoning.datalog import Atom, Rule, Variable
from kgverify.reasoning.deciding import SliceEngine, evidence_rules
from kgverify.reasoning.evidence import SHOW, Evidence, Ground, read, wanted
from kgverify.reasoning.knowledge import SUBCLASS, TYPE, Knowledge, graph_warnings
from kgverify.reasoning.program import compile_question
from kgverify.reasoning.solver import solve
from kgverify.replay.checker import check_statuses
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
        probes = [rule for name in rules.relations for rule in _probes(name)]
        self._engine = SliceEngine(self._knowledge, [*evidence_rules(self._knowledge), *probes])
        self._views = {
            view.syntax: name
            for question in rules.questions.values()
            for name, view in compile_question(rules, question).views.items()
        }

    def faults(self, explanation: Explanation) -> Iterator[Problem]:
        """What is cited and not true."""
        proofs = [e.proof for e in explanation.constraints if e.proof is not None]
        found: dict[str, None] = {}
        for proof in proofs:
            complete = {c.terms[0] for c in proof.citations if c.name in _COMPLETE and c.terms}
            alike = [c.terms for c in proof.citations if c.name == "alike"]
            complete |= {terms[0] for terms in alike if complete.intersection(terms)}
            for citation in proof.citations:
                fault = self._fault(citation)
                if not fault and citation.kind == "listing" and citation.name in complete:
                    fault = self._shadow(citation)
                if fault:
                    found[f"{fault}: {citation.text}"] = None
        for message in found:
            yield Problem("untrue-citation", message)

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
            case "listing":
                return self._more(citation, ids)
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
        name = citation.name
        if any(map(self._knowledge.is_stranger, ids[:1] if name == TYPE else ids)):
            return "completeness says nothing of a name that nobody knows"
        atom: Ground
        if name == TYPE and len(ids) == 2:
            cls = self._knowledge.class_names.get(ids[1])
            if cls is None:
                return "the rule file has no such class"
            atom = ("is_a", ids[0], cls)
        elif name in self._knowledge.book.relations and len(ids) == 2:
            atom = ("for", name, *ids)
        elif name in self._views and len(ids) == 2:
            atom = ("for", self._views[name], *ids)
        else:
            return "the rule file has no such relation"
        evidence = self._about(atom)
        there = atom in evidence or ("maybe", *atom[1:]) in evidence
        return "there is evidence for it, or for what may be it" if there else ""

    def _more(self, citation: Citation, ids: list[int]) -> str:
        """Why this can't be all that the graph lists of a subject, "" if it can."""
        name, back = citation.name.removeprefix("^"), citation.name.startswith("^")
        if name not in self._knowledge.book.relations or not ids:
            return "the rule file has no such relation"
        subject, *objects = ids
        if self._knowledge.is_stranger(subject):
            return "completeness says nothing of a name that nobody knows"
        probe = ("for", _probe_name(name, back), subject, subject)
        evidence = self._about(probe)
        pattern = (name, None, subject) if back else (name, subject, None)
        listed = {
            atom[2 if back else 3]
            for atom in evidence.matching("for", pattern)
            if atom[1] == name and atom[3 if back else 2] == subject
        }
        return "" if listed <= set(objects) else "the graph lists more"

    def _shadow(self, citation: Citation) -> str:
        """Why completeness can't count for a listing, "" if it can: no blank node has objects by
        the relation, which would be the subject's if it were the blank node."""
        subject = self._knowledge.identity.one(self._knowledge.term(citation.terms[0]))
        shadow = ("for", _shadow_name(citation.name), subject, subject)
        if shadow in self._about(shadow):
            return "completeness says nothing where a blank node has objects too"
        return ""

    def _about(self, atom: Ground) -> Evidence:
        return Evidence(read(solve(*self._engine.about([atom], measured=True), SHOW)))


_COMPLETE = ("complete", "complete_for", "complete_subject")


def _probe_name(relation: str, back: bool) -> str:
    return f"all:{'^' if back else ''}{relation}"


def _shadow_name(relation: str) -> str:
    return f"blank:{relation}"


def _probes(relation: str) -> Iterator[Rule]:
    """Rules whose heads ask for everything that a relation leads to from a subject, forwards and
    backwards, and for what it leads to from blank nodes."""
    x, y, z = Variable("X"), Variable("Y"), Variable("Z")
    for back in (False, True):
        ends = (y, x) if back else (x, y)
        # The second condition makes all objects matter: of the first alone one would do.
        body = Atom("for", (relation, *ends)), Atom("vague", (y,), absent=True)
        yield Rule(Atom("for", (_probe_name(relation, back), x, x)), body)
    head = Atom("for", (_shadow_name(relation), x, x))
    body = Atom("blank", (y,)), Atom("for", (relation, y, z))
    yield Rule(head, (wanted(head), *body))
