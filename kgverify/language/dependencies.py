"""What each kind of evidence depends on, and the cycles that have no meaning.

Evidence for and against one relation or class are two nodes.  `against r` depends on the
*absence* of evidence for r exactly where r is declared complete; a cycle through such an
edge has no well-defined answer and is an error.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kgverify.errors import Problem, Span
from kgverify.language import syntax as s
from kgverify.language.rulebook import DATATYPES, RuleBook

Node = tuple[str, str]  # ("for" | "against", relation or class)


@dataclass(frozen=True, slots=True)
class Edge:
    """`head` depends on `body`; `absence` says that it depends on there being no evidence."""

    head: Node
    body: Node
    why: str
    span: Span
    absence: bool = False


def dependencies(book: RuleBook) -> Iterator[Edge]:
    """Every dependency that the schema and the rules make."""
    for cls in book.classes.values():
        for parent in cls.supers:
            yield Edge(("for", parent.text), ("for", cls.name.text), "subclass", cls.span)
            yield Edge(("against", cls.name.text), ("against", parent.text), "subclass", cls.span)
    for one, other, span in book.disjoint_pairs:
        yield Edge(("against", one), ("for", other), "disjoint", span)
    for relation in book.relations.values():
        yield from _relation_edges(relation)
    for complete in book.complete:
        name = complete.relation.text
        yield Edge(("against", name), ("for", name), f"`complete {name}`", complete.span, True)
        if complete.cls:
            yield Edge(
                ("against", name), ("for", complete.cls.text), f"`complete {name}`", complete.span
            )
    for rule in book.rules:
        head = ("against" if rule.head.negated else "for", _name(rule.head.atom))
        for condition in rule.body:
            if isinstance(condition, s.Literal):
                sign = "against" if condition.negated else "for"
                why = f"rule `{book.rule_id(rule)}`"
                yield Edge(head, (sign, _name(condition.atom)), why, rule.span)


def _name(atom: s.Atom) -> str:
    """The class or relation of an atom of a rule."""
    return atom.cls.text if isinstance(atom, s.ClassAtom) else atom.relations[0].text


def _relation_edges(relation: s.RelationDeclaration) -> Iterator[Edge]:
    name, span = relation.name.text, relation.span
    yield Edge(("against", name), ("for", name), "its own schema", span)
    for cls in (relation.domain.text, relation.range.text):
        if cls not in DATATYPES:
            yield Edge(("for", cls), ("for", name), "signature", span)
            yield Edge(("against", name), ("against", cls), "signature", span)
    for item in relation.properties:
        if item.target is None:
            continue
        other = item.target.text
        pairs = [(other, name)] + ([(name, other)] if item.kind == "inverse" else [])
        for above, below in pairs:
            yield Edge(("for", above), ("for", below), item.kind, item.span)
            yield Edge(("against", below), ("against", above), item.kind, item.span)


def subclass_edges(pairs: Iterable[tuple[str, str]]) -> Iterator[Edge]:
    """The dependencies that a graph makes whose every member of the one class is in the other."""
    for lower, upper in pairs:
        why, place = f"the graph: every `{lower}` is `{upper}`", Span("")
        yield Edge(("for", upper), ("for", lower), why, place)
        yield Edge(("against", lower), ("against", upper), why, place)


def negative_cycles(book: RuleBook, more: Iterable[Edge] = ()) -> list[Problem]:
    """One problem for each group of statements that depend on their own absence; `more` are
    dependencies beyond those of the rule file."""
    edges: dict[Node, list[Edge]] = defaultdict(list)
    for edge in (*dependencies(book), *more):
        edges[edge.head].append(edge)
    problems = []
    done: set[Node] = set()
    for edge in [e for group in list(edges.values()) for e in group if e.absence]:
        path = _path(edges, edge.body, edge.head)
        if path is None or edge.head in done:
            continue
        cycle = [edge, *path]
        done |= {e.head for e in cycle}
        story = "; ".join(
            f"{_say(e.head)} needs {'no ' if e.absence else ''}{_say(e.body)} ({_reason(e)})"
            for e in cycle
        )
        problems.append(
            Problem(
                "negative-cycle",
                f"a cycle through the absence of `{edge.body[1]}`: {story}",
                next((e.span for e in cycle if e.why.startswith("rule")), edge.span),
                f"remove the completeness of `{edge.body[1]}`, or the `not` that closes the cycle",
                notes=tuple((e.span, e.why) for e in cycle if e.span.file),
            )
        )
    return problems


def used_by(book: RuleBook, questions: Iterable[str], soft: bool = False) -> set[str]:
    """The relations and classes that the constraints of these questions are about, directly or
    through hard rules and links between relations; `soft`: or through soft rules."""
    edges: dict[str, set[str]] = defaultdict(set)
    for edge in dependencies(book):
        between_classes = edge.why == "disjoint" and edge.head[1] in book.classes
        if edge.why != "signature" and not between_classes:
            edges[edge.head[1]].add(edge.body[1])
    for rule in (found.rule for found in book.soft) if soft else ():
        conditions = [c for c in rule.body if isinstance(c, s.Literal)]
        edges[_name(rule.head.atom)].update(_name(condition.atom) for condition in conditions)
    atoms = [
        part.atom
        for name in questions
        for item in book.questions[name].items
        for part in s.leaves(item.condition)
        if isinstance(part, s.Literal)
    ]
    todo = [name.text for atom in atoms for name in atom.relations]
    todo += [atom.cls.text for atom in atoms if isinstance(atom, s.ClassAtom)]
    todo += [book.questions[name].answer_class.text for name in questions]
    seen: set[str] = set()
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += edges[name]
    return seen


def reached(book: RuleBook) -> set[Node]:
    """The evidence that constraints of the questions may rest on, and conditions of soft rules."""
    edges: dict[Node, list[Node]] = defaultdict(list)
    for edge in dependencies(book):
        edges[edge.head].append(edge.body)
    conditions = [part for soft in book.soft for part in (soft.rule.head, *soft.rule.body)]
    for question in book.questions.values():
        conditions += [part for item in question.items for part in s.leaves(item.condition)]
    atoms = [condition.atom for condition in conditions if isinstance(condition, s.Literal)]
    names = {question.answer_class.text for question in book.questions.values()}
    names |= {name.text for atom in atoms for name in atom.relations}
    names |= {atom.cls.text for atom in atoms if isinstance(atom, s.ClassAtom)}
    todo = [(side, name) for name in sorted(names) for side in ("for", "against")]
    seen: set[Node] = set()
    while todo:
        node = todo.pop()
        if node not in seen:
            seen.add(node)
            todo += edges[node]
    return seen


def _reason(edge: Edge) -> str:
    return f"{edge.why}, {edge.span}" if edge.span.file else edge.why


def _say(node: Node) -> str:
    return f"evidence {node[0]} `{node[1]}`"


def _path(edges: dict[Node, list[Edge]], start: Node, goal: Node) -> list[Edge] | None:
    """The shortest chain of dependencies from `start` to `goal`; [] when they are the same."""
    came: dict[Node, Edge | None] = {start: None}
    todo = [start]
    for node in todo:
        if node == goal:
            path: list[Edge] = []
            edge = came[node]
            while edge is not None:
                path.append(edge)
                edge = came[edge.head]
            return path[::-1]
        for edge in edges[node]:
            if edge.body not in came:
                came[edge.body] = edge
                todo.append(edge.body)
    return None
