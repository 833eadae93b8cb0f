"""What RDF triples say: names, denied facts, and all other facts."""

from __future__ import annotations

from collections import defaultdict

from kgverify.errors import Span
from kgverify.graph.reading.rejects import Rejects
from kgverify.graph.reading.target import Target

_OWL = "http://www.w3.org/2002/07/owl#"
_SKOS = "http://www.w3.org/2004/02/skos/core#"
_LABELS = frozenset({"http://www.w3.org/2000/01/rdf-schema#label", _SKOS + "prefLabel"})
_ALIASES = frozenset({_SKOS + "altLabel"})
_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_NEGATIVE = "e" + _OWL + "NegativePropertyAssertion"
# The triples of a negative property assertion, by the part that they give of the denied fact.
_PARTS = {
    _OWL + "sourceIndividual": "subject",
    _OWL + "assertionProperty": "relation",
    _OWL + "targetIndividual": "object",
    _OWL + "targetValue": "object",
}


class Statements:
    """Takes RDF triples in any order.  Labels become names, a negative property assertion becomes a
    denied fact (once `finish` is called), and every other triple is a fact."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._assertions: dict[str, dict[str, str]] = defaultdict(dict)
        self._lines: dict[str, int] = {}

    def add(
        self, subject: str, predicate: str, object: str, line: int = 0, text: str | None = None,
        lang: str = "",
    ) -> None:  # fmt: skip
        """Adds a triple: two term keys and the predicate's IRI.  Of a literal object, `text` is
        the lexical form and `lang` the language."""
        if text is not None and predicate in _LABELS:
            self._target.label(subject, text, lang)
        elif text is not None and predicate in _ALIASES:
            self._target.alias(subject, text)
        elif predicate in _PARTS:
            self._assertions[subject][_PARTS[predicate]] = object
            self._lines.setdefault(subject, line)
        elif predicate == _TYPE and object == _NEGATIVE:
            self._assertions[subject].setdefault("relation", "")
            self._lines.setdefault(subject, line)
        else:
            self._target.fact(subject, predicate, object, line)

    def finish(self, file: str, rejects: Rejects) -> None:
        """Adds the denied facts; an assertion that lacks a part is rejected."""
        for node, parts in self._assertions.items():
            line = self._lines[node]
            subject, relation, object = (
                parts.get(p, "") for p in ("subject", "relation", "object")
            )
            if subject and relation[:1] == "e" and object:
                self._target.fact(subject, relation[1:], object, line, denied=True)
                continue
            lacking = " and ".join(
                name
                for name, part in (
                    ("sourceIndividual", subject),
                    ("assertionProperty", relation),
                    ("targetIndividual or targetValue", object),
                )
                if not part
            )
            message = f"the negative property assertion lacks its {lacking or 'property'}"
            rejects.add("bad-denial", message, Span(file, line))
