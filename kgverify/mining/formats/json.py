"""Rules as JSON Lines, exactly: an object a rule, terms as in `mining.horn`.

A variable is its number, a constant the key of its term in the graph (`"eParis"`, `"lnumber 5"`).
`different` and `measures` may be missing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from kgverify.graph.reading.files import SourceFile
from kgverify.graph.reading.rejects import Rejects
from kgverify.mining.formats.building import Building, refusals
from kgverify.mining.formats.names import Names
from kgverify.mining.formats.numbers import contradictions
from kgverify.mining.formats.values import COUNTS, ImportedRule, ImportedRules, Stated
from kgverify.mining.horn import Atom, HornRule, MinedRule, Term

_MOST_VARIABLE = 999


def write(rules: Iterable[MinedRule]) -> str:
    """The rules, one a line."""
    lines = []
    for mined in rules:
        found = mined.measures
        measures = {name: getattr(found, name) for name in (*COUNTS, "pca_side")}
        line = json.dumps(rule_object(mined.rule) | {"measures": measures}, ensure_ascii=False)
        # These end a line for some readers, but not in JSON.
        lines.append(line.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029") + "\n")
    return "".join(lines)


def rule_object(rule: HornRule) -> dict[str, Any]:
    """A rule as an object for JSON."""
    found: dict[str, Any] = {"head": _atom(rule.head), "body": [_atom(a) for a in rule.body]}
    found["injective"] = rule.injective
    if rule.different:
        found["different"] = [list(pair) for pair in rule.different]
    return found


def _atom(atom: Atom) -> dict[str, Term]:
    return {"relation": atom.relation, "subject": atom.subject, "object": atom.object}


def recognises(line: str) -> bool:
    """Whether a line is an object."""
    return line.lstrip().startswith("{")


def read(source: SourceFile, names: Names, rejects: Rejects) -> ImportedRules:
    """All rules of a file; problems go to `rejects`.  Names are taken as they are: an unknown one
    is a problem when there is a graph."""
    rules = []
    for number, line in source.lines(rejects):
        if not line.strip():
            continue
        building = Building(names, source.name, number)
        with refusals(rejects):
            rules.append(_rule(line, building))
    return ImportedRules(tuple(rules))


def _rule(line: str, building: Building) -> ImportedRule:
    try:
        found = json.loads(line)
    except json.JSONDecodeError as error:
        raise building.refused("bad-json", error.msg, error.colno) from error
    except RecursionError as error:
        raise building.refused("bad-json", "nested too deep", 1) from error
    check = _Checked(building)
    with building.collecting():
        object_ = check.object(found, "$", {"head", "body"}, {"injective", "different", "measures"})
    with building.collecting():
        head = check.atom(object_["head"], "$.head")
        body = [
            check.atom(atom, f"$.body[{n}]")
            for n, atom in enumerate(check.list(object_["body"], "$.body"))
        ]
        different = [
            check.pair(pair, f"$.different[{n}]")
            for n, pair in enumerate(check.list(object_.get("different", []), "$.different"))
        ]
        injective = check.boolean(object_.get("injective", False), "$.injective")
        stated = check.measures(object_.get("measures"))
    return ImportedRule(building.rule(head, body, different, injective), stated, building.span(1))


class _Checked:
    """Reads values of a JSON object; what is wrong is said with the path to it."""

    def __init__(self, building: Building) -> None:
        self._building = building

    def _wrong(self, path: str, wanted: str) -> None:
        self._building.add("bad-rule", f"{path} is not {wanted}", 1)

    def object(
        self, value: Any, path: str, required: set[str], optional: set[str]
    ) -> dict[str, Any]:
        if not isinstance(value, dict):
            self._wrong(path, "an object")
            return {}
        for name in sorted(required - value.keys()):
            self._building.add("bad-rule", f"{path} has no `{name}`", 1)
        for name in sorted(value.keys() - required - optional):
            hint = "known are " + ", ".join(sorted(required | optional))
            self._building.add("bad-rule", f"{path} has an unknown field `{name}`", 1, hint)
        return value

    def list(self, value: Any, path: str) -> list[Any]:
        if not isinstance(value, list):
            self._wrong(path, "a list")
            return []
        return value

    def boolean(self, value: Any, path: str) -> bool:
        if not isinstance(value, bool):
            self._wrong(path, "true or false")
        return value is True

    def atom(self, value: Any, path: str) -> Atom:
        found = self.object(value, path, {"relation", "subject", "object"}, set())
        relation = found.get("relation", "")
        if not isinstance(relation, str):
            self._wrong(f"{path}.relation", "a name")
        elif "relation" in found and not self._building.names.has_relation(relation):
            self._building.unknown_relation(relation, 1)
        terms = [self.term(found.get(name, 0), f"{path}.{name}") for name in ("subject", "object")]
        return Atom(str(relation), *terms)

    def term(self, value: Any, path: str) -> Term:
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST_VARIABLE:
            return value
        if not isinstance(value, str) or value[:1] not in ("e", "b", "l"):
            self._wrong(path, "the number of a variable, or a key such as `eParis`")
            return 0
        if not self._building.names.has_key(value):
            self._building.unknown_entity(value[1:], 1)
        return value

    def pair(self, value: Any, path: str) -> tuple[Term, Term]:
        if not isinstance(value, list) or len(value) != 2:
            self._wrong(path, "a pair of terms")
            return 0, 1
        one, other = (self.term(term, f"{path}[{n}]") for n, term in enumerate(value))
        return one, other

    def measures(self, value: Any) -> Stated:
        if value is None:
            return Stated()
        found = self.object(value, "$.measures", set(), {*COUNTS, "pca_side"})
        for name in COUNTS:
            count = found.get(name, 0)
            if not isinstance(count, int) or isinstance(count, bool) or count < 0:
                self._wrong(f"$.measures.{name}", "a number of pairs")
                return Stated()
        side = found.get("pca_side", "subject")
        if side not in ("subject", "object"):
            self._wrong("$.measures.pca_side", "`subject` or `object`")
            return Stated()
        stated = Stated(**{name: found[name] for name in (*COUNTS, "pca_side") if name in found})
        for _, message in contradictions(stated):
            self._building.add("contradicting-numbers", f"$.measures: {message}", 1)
        return stated
