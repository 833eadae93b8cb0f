"""Does an explanation hold of a graph and a rule file?

What follows from the citations is checked by `replay`.  Here it is checked that the citations are
true: that the facts and denials are in the graph, under these names and for these periods, that
names which are said to be of one entity are declared so, that terms which are said to differ are
known and not one, that admitted edges are neither stated nor refuted, that what is said to be
absent is, and that what is said to be all that is listed is all.  An absence, or a listing, is a
statement about the whole graph, so the evidence about it is gathered and solved anew.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from kgverify.errors import GraphError, Problem, QuestionError, Span
from kgverify.graph import Graph
from kgverify.graph.terms import value_key
from kgverify.language import syntax as s
from kgverify.language.rulebook import RuleBook
from kgverify.reasoning.datalog import Atom, Rule, Variable
from kgverify.reasoning.deciding import Request, SliceEngine, bound_rules, evidence_rules
from kgverify.reasoning.evidence import (
    SHOW,
    Evidence,
    Ground,
    opposite,
    read,
    stored,
    wanted,
)
from kgverify.reasoning.knowledge import TYPE, Knowledge, graph_warnings
from kgverify.reasoning.program import compile_question
from kgverify.reasoning.solver import solve
from kgverify.replay.checker import check_statuses, proofs_in
from kgverify.replay.periods import is_time
from kgverify.replay.soft import Known, check_plausibility
from kgverify.vocabulary import Citation, Claim, Explanation


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
    facts = _Facts(graph, rules, explanation)
    return [
        *_pins(explanation, graph, rules),
        *check_statuses(explanation, rules),
        *check_plausibility(explanation, rules, facts.known),
        *facts.faults(),
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

    def __init__(self, graph: Graph, rules: RuleBook, explanation: Explanation) -> None:
        self._knowledge = Knowledge(graph, rules)
        proofs = [*(e.proof for e in explanation.constraints), explanation.joint_proof]
        self._proofs = [proof for proof in proofs if proof is not None]
        for explained in explanation.constraints:
            self._proofs += proofs_in(explained.plausible)
        probes = [rule for name in rules.relations for rule in _probes(name)]
        templates = [compile_question(rules, question) for question in rules.questions.values()]
        bound = [
            template.bound(dict.fromkeys(template.parameters, time))
            for time in dict.fromkeys(t for proof in self._proofs for t in _times(proof.claim))
            for template in templates
        ]
        asked = [Request(template, (), ()) for template in bound]
        evidence = bound_rules(evidence_rules(self._knowledge), asked)
        self._engine = SliceEngine(self._knowledge, [*evidence, *probes])
        self._views = {
            view.syntax: name
            for template in (*templates, *bound)
            for name, view in template.views.items()
        }

    @property
    def known(self) -> Known:
        """What the graph says of names."""
        knowledge = self._knowledge

        def one(key: str) -> str:
            return knowledge.key(knowledge.identity.one(knowledge.term(key)))

        def above(name: str) -> list[str]:
            return knowledge.hierarchy.named_above(name) if name in knowledge.class_ids else []

        def constant(term: s.Term, datatype: str) -> str:
            return knowledge.key(knowledge.constant(term, datatype))

        return Known(above, one, constant)

    def faults(self) -> Iterator[Problem]:
        """What is cited and not true."""
        found: dict[str, None] = {}
        for proof in self._proofs:
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
        named = list(map(self._knowledge.term, keys))
        ids = list(map(self._knowledge.identity.one, named))
        match citation.kind:
            case "fact":
                stated = self._is_stated(citation, named, False)
                return "" if stated else "the graph has no such fact"
            case "admitted":
                return self._unfit(citation, ids)
            case "denial":
                stated = self._is_stated(citation, named, True)
                return "" if stated else "the graph denies no such fact"
            case "period" | "outranked":
                stated = self._is_stated_for(citation)
                return "" if stated else "the graph has no such fact for this period"
            case "same":
                declared = len(named) == 2 and self._knowledge.identity_statement(*named)
                return "" if declared else "nothing declares that the two are one"
            case "identity":
                strange = any(map(self._knowledge.is_stranger, ids))
                if len(set(ids)) < len(ids):
                    return "these are names of one entity"
                return "a name that nobody knows may be anything" if strange else ""
            case "absence" | "assumption":
                return self._present(citation, ids)
            case "listing":
                return self._more(citation, ids)
            case _:
                return ""  # the checker looks statements up itself

    def _unfit(self, citation: Citation, ids: list[int]) -> str:
        """Why an edge can't have been admitted beside the graph, "" if it can."""
        if citation.name not in self._knowledge.book.relations or len(ids) != 2:
            return "the rule file has no such relation"
        if any(map(self._knowledge.is_stranger, ids)):
            return "nothing could be known against an edge to what nobody knows"
        fact: Ground = ("for", citation.name, *ids)
        evidence = self._about(fact)
        if stored(fact) in evidence:
            return "the graph states it, so nobody had to admit it"
        return "there is evidence against it" if opposite(fact) in evidence else ""

    def _is_stated(self, citation: Citation, ids: list[int], denied: bool) -> bool:
        """Is a fact stated, under these very names?"""
        layer = self._knowledge.denied if denied else self._knowledge.facts
        return len(ids) == 2 and layer.states(citation.name, *ids)

    def _is_stated_for(self, citation: Citation) -> bool:
        """Is a fact stated for a period, under these very names?"""
        if len(citation.terms) != 4 or citation.name not in self._knowledge.book.relations:
            return False
        subject, object_ = map(self._knowledge.term, citation.terms[:2])
        return any(
            period.best == (citation.kind == "period")
            and citation.terms[2:] == (_date(period.since), _date(period.until))
            for period in self._knowledge.stated_periods(citation.name, subject, object_)
        )

    def _present(self, citation: Citation, ids: list[int]) -> str:
        """Why something can't count as absent, "" if it can."""
        name = citation.name
        if any(map(self._knowledge.is_stranger, ids[:1] if name == TYPE else ids)):
            return "completeness says nothing of a name that nobody knows"
        atoms: list[Ground] = []
        if name == TYPE and len(ids) == 2:
            cls = self._knowledge.class_names.get(ids[1])
            if cls is None:
                return "the rule file has no such class"
            atoms = [("is_a", ids[0], cls)]
        elif len(ids) == 2:
            named = [name] if name in self._knowledge.book.relations else []
            named += [self._views[name]] if name in self._views else []
            atoms = [("for", found, *ids) for found in named]
        if not atoms:
            return "the rule file has no such relation"
        there = any(
            atom in evidence or (_MAY_BE[str(atom[0])], *atom[1:]) in evidence
            for atom in atoms
            for evidence in [self._about(atom)]
        )
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


def _times(claim: Claim) -> Iterator[str]:
    """The times that a claim is about, as far as they are times."""
    time = claim.name.partition(" at ")[2]
    if claim.kind == "time" and is_time(time):
        yield time
    for member in claim.members:
        yield from _times(member)


def _date(text: str) -> str:
    """The term key of a date, "" for none."""
    return text and value_key(text, "date")


_MAY_BE = {"for": "maybe", "is_a": "maybe_a"}
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
