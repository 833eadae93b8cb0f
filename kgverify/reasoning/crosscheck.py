"""A second engine's opinion: what pyDatalog derives from the gathered facts, beside clingo.

Evidence *for* an atom is a positive Datalog program, but for the hard rules that ask for a
refutation, a difference or an exact value.  pyDatalog evaluates that program over the same slice,
with the schema read from the rule file afresh, so that the encodings are checked too.  Of the
atoms that the questions ask about, both engines must derive the same wherever no rule that was
left out has a say; elsewhere clingo may derive more, never less.

pyDatalog is an optional dependency, and this is the one module that imports it.
"""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from kgverify.errors import EngineError, KgverifyError, Problem, counted
from kgverify.language.rulebook import DATATYPES
from kgverify.language.syntax import RelationDeclaration
from kgverify.reasoning.datalog import (
    Argument,
    Atom,
    Compare,
    Condition,
    Rule,
    Variable,
    substitute,
)
from kgverify.reasoning.deciding import Request, SliceEngine
from kgverify.reasoning.evidence import Ground
from kgverify.reasoning.explanation import Narrator
from kgverify.reasoning.gathering import Slice
from kgverify.reasoning.knowledge import SUBCLASS, TYPE, Knowledge
from kgverify.reasoning.layers import Ids
from kgverify.reasoning.patterns import SHOW_WANTED, EvidenceColumns
from kgverify.reasoning.program import Template
from kgverify.reasoning.rules import hard_rules
from kgverify.reasoning.solver import solve

Written = tuple[str, Iterable[object]]  # a predicate of pyDatalog with its terms
NAMED = 20  # so many differences are named one by one
_ARITY = {"for": 3, "is_a": 2, "subclass": 2}
_S, _M, _O = Variable("S"), Variable("M"), Variable("O")
_E, _C, _D = Variable("E"), Variable("C"), Variable("D")


def cross_check(engine: SliceEngine, requests: Sequence[Request]) -> int:
    """Compare what clingo and pyDatalog derive of the atoms that the requests ask about; the
    number of atoms compared.  Comparisons and counts of values are no Datalog: they are left out.

    Raises EngineError, naming the atoms, when the two differ, and KgverifyError when pyDatalog is
    not installed."""
    knowledge, slice_ = engine.knowledge, engine.gather(requests)
    shown = solve(*engine.program(requests, slice_), SHOW_WANTED)
    evidence = EvidenceColumns(shown, slice_, knowledge)
    templates = {r.template.name: r.template for r in requests}.values()
    views = {name: view for template in templates for name, view in template.views.items()}
    by_clingo: dict[Ground, bool] = {}
    for constraint, places in engine.asked(requests):
        name, side = constraint.name, "is_a" if constraint.kind == "class" else "for"
        if name not in views or not (views[name].base or views[name].relation):
            holds = evidence.holds(side, name, places).tolist()
            by_clingo.update(zip(_atoms(side, name, places), holds, strict=True))
    kept, left_out = positive_rules(knowledge)
    kept += dict.fromkeys(rule for template in templates for rule in _path_rules(template))
    kept += _facts(slice_, knowledge)
    by_pydatalog = derive(kept)
    unsure = _reach({_about(rule.head) for rule in left_out}, kept)
    narrator = Narrator(knowledge)
    problems = []
    for ground, clingo in by_clingo.items():
        atom = _with_class_id(Atom(str(ground[0]), ground[1:]), knowledge)
        pydatalog = (atom.predicate, *atom.arguments) in by_pydatalog
        if pydatalog > clingo or (clingo > pydatalog and _about(atom) not in unsure):
            problems.append(_problem(narrator.formal(ground), clingo))
    if len(problems) > NAMED:
        more = f"and {counted(len(problems) - NAMED, 'other atom')}"
        problems = [*problems[:NAMED], Problem("engines-differ", more)]
    if problems:
        raise EngineError(problems)
    return len(by_clingo)


def _problem(atom: str, by_clingo: bool) -> Problem:
    one, other = ("clingo", "pyDatalog") if by_clingo else ("pyDatalog", "clingo")
    return Problem(
        "engines-differ",
        f"{one} derives {atom}, {other} does not",
        hint="a fault of kgverify or of one of the engines: no verdict is given; "
        "please report the rule file and the facts about these terms",
    )


# ---------------------------------------------------------------- the positive program


def positive_rules(knowledge: Knowledge) -> tuple[list[Rule], list[Rule]]:
    """What derives evidence for atoms: the rules that are positive Datalog, and those that are
    left out because they ask for a refutation, a difference or an exact value.

    Classes go by their ids here: `for(relation,S,O)`, `is_a(E,class)`, `subclass(C,D)`."""
    kept = [
        Rule(Atom("is_a", (_E, _D)), (Atom("is_a", (_E, _C)), Atom("subclass", (_C, _D)))),
    ]
    left_out = []
    for relation in knowledge.book.relations.values():
        kept += _schema_rules(relation, knowledge)
    for rule in hard_rules(knowledge.book, knowledge.constant):
        if rule.head.predicate not in ("for", "is_a"):
            continue
        by_id = Rule(
            _with_class_id(rule.head, knowledge),
            tuple(
                _with_class_id(part, knowledge) if isinstance(part, Atom) else part
                for part in rule.body
            ),
        )
        if all(_is_positive(part) for part in rule.body):
            kept += _without_equations(by_id)
        else:
            left_out.append(by_id)
    return kept, left_out


def _schema_rules(relation: RelationDeclaration, knowledge: Knowledge) -> Iterator[Rule]:
    name = relation.name.text
    forward, backward = Atom("for", (name, _S, _O)), Atom("for", (name, _O, _S))
    for term, cls in ((_S, relation.domain.text), (_O, relation.range.text)):
        if cls not in DATATYPES:
            yield Rule(Atom("is_a", (term, knowledge.class_ids[cls])), (forward,))
    for item in relation.properties:
        other = Atom("for", (item.target.text if item.target else "", _S, _O))
        match item.kind:
            case "symmetric":
                yield Rule(forward, (backward,))
            case "transitive":
                yield Rule(forward, tuple(_chain((name, name))))
            case "subrelation":
                yield Rule(other, (forward,))
            case "inverse":
                yield Rule(other, (backward,))
                yield Rule(backward, (other,))


def _path_rules(template: Template) -> Iterator[Rule]:
    """What the paths of a question lead to, step by step."""
    for fact, _ in template.facts:
        path, *steps = fact.arguments
        whole = Atom("for", (path, _S, _O))
        match fact.predicate:
            case "mirror":
                yield Rule(whole, (Atom("for", (steps[0], _O, _S)),))
            case "sequence":
                yield Rule(whole, tuple(_chain(steps)))
            case "alternative":
                yield from (Rule(whole, (Atom("for", (step, _S, _O)),)) for step in steps)
            case "closure":
                yield Rule(whole, (Atom("for", (steps[0], _S, _O)),))
                yield Rule(whole, tuple(_chain((path, steps[0]))))


def _chain(steps: Sequence[Argument]) -> Iterator[Atom]:
    for step, ends in zip(steps, ((_S, _M), (_M, _O)), strict=True):
        yield Atom("for", (step, *ends))


def _is_positive(part: Condition) -> bool:
    if isinstance(part, Compare):
        return part.operator == "="
    return isinstance(part, Atom) and part.predicate in ("for", "is_a")


def _with_class_id(atom: Atom, knowledge: Knowledge) -> Atom:
    if atom.predicate != "is_a":
        return atom
    entity, name = atom.arguments
    return Atom("is_a", (entity, knowledge.class_ids[str(name)]))


def _without_equations(rule: Rule) -> Iterator[Rule]:
    """The rule with both sides of each `=` made one; none when two constants differ."""
    for part in rule.body:
        if isinstance(part, Compare):
            rest = Rule(rule.head, tuple(other for other in rule.body if other is not part))
            if isinstance(part.left, Variable):
                yield from _without_equations(substitute(rest, {part.left: part.right}))
            elif isinstance(part.right, Variable):
                yield from _without_equations(substitute(rest, {part.right: part.left}))
            elif part.left == part.right:
                yield from _without_equations(rest)
            return
    yield rule


def _facts(slice_: Slice, knowledge: Knowledge) -> Iterator[Rule]:
    """The stated facts of a slice."""
    for name, (left, right) in slice_.triples.items():
        for one, other in zip(left.tolist(), right.tolist(), strict=True):
            if name == TYPE:
                yield Rule(Atom("is_a", (one, other)))
            elif name == SUBCLASS:
                yield Rule(Atom("subclass", (one, other)))
            elif name in knowledge.book.relations:
                yield Rule(Atom("for", (name, one, other)))


def _atoms(side: str, name: str, places: list[Ids]) -> Iterator[Ground]:
    rows = zip(*(ids.tolist() for ids in places), strict=True)
    return (("for", name, *row) if side == "for" else ("is_a", *row, name) for row in rows)


def _about(atom: Atom) -> object:
    """The relation or class that an atom is about, or the variable in its place."""
    return atom.arguments[0 if atom.predicate == "for" else 1]


def _reach(start: set[object], rules: Iterable[Rule]) -> set[object]:
    """The relations and classes whose evidence may rest on that for the ones in `start`."""
    above: dict[object, list[object]] = defaultdict(list)
    for rule in rules:
        if rule.head.predicate == "subclass":
            lower, upper = rule.head.arguments
            above[lower].append(upper)
        for part in rule.body:
            if isinstance(part, Atom):
                above[_about(part)].append(_about(rule.head))
    todo, found = list(start), set(start)
    while todo:
        new = set(above[todo.pop()]) - found
        found |= new
        todo += new
    return found


# ---------------------------------------------------------------- pyDatalog


def require_pydatalog() -> None:
    """Raises KgverifyError when pyDatalog is not installed."""
    _pydatalog()


def _pydatalog() -> Any:
    """pyDatalog's engine.  Its parser is not used: terms go in and come out as they are."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # its sources have escapes that Python warns of
            from pyDatalog import pyEngine
    except ImportError as error:
        message = "the cross-check needs pyDatalog, which is not installed"
        hint = "pip install 'kgverify[cross-check]'"
        raise KgverifyError(Problem("missing-package", message, hint=hint)) from error
    return pyEngine


def derive(rules: Iterable[Rule]) -> set[Ground]:
    """All that follows from positive rules, facts among them.

    Raises KgverifyError when pyDatalog is not installed."""
    engine = _pydatalog()
    # pyDatalog keeps one program for each thread.  Its caller's comes back unchanged.
    before = engine.Logic(True)
    engine.Logic()
    try:
        return _derive(engine, list(rules))
    finally:
        engine.Logic(before)


def _derive(engine: Any, rules: Sequence[Rule]) -> set[Ground]:
    """Round by round, each new atom meets all that is known.

    pyDatalog evaluates the bodies only; its own recursion (0.17.4) goes on for ever when three
    goals or more ask for one another."""
    for predicate in _ARITY:
        _forget(engine, "known", predicate)
    joins = [(rule.head, _joined(rule, place)) for rule in rules for place in range(len(rule.body))]
    known: set[Ground] = set()
    new = {_ground(rule.head.predicate, rule.head.arguments) for rule in rules if not rule.body}
    while new:
        known |= new
        for predicate in _ARITY:
            _forget(engine, "new", predicate)
            _forget(engine, "found", predicate)
        for name, *terms in new:
            _state(engine, (f"known {name}", terms))
            _state(engine, (f"new {name}", terms))
        for head, (first, *others) in joins:
            _state(
                engine,
                (f"found {head.predicate}", head.arguments),
                (f"new {first.predicate}", first.arguments),
                *((f"known {part.predicate}", part.arguments) for part in others),
            )
        new = {
            _ground(predicate, terms)
            for predicate, arity in _ARITY.items()
            for terms in _literal(engine, f"found {predicate}", (_S, _M, _O)[:arity]).ask()
        } - known
    return known


def _ground(predicate: str, terms: Iterable[Any]) -> Ground:
    return (predicate, *terms)


def _joined(rule: Rule, place: int) -> list[Atom]:
    """The body with the atom at `place` first, and each next one as bound as can be."""
    todo = [part for part in rule.body if isinstance(part, Atom)]
    found = [todo.pop(place)]
    while todo:
        bound = {v for part in found for v in part.variables}
        best = min(todo, key=lambda part: len(set(part.variables) - bound))
        todo.remove(best)
        found.append(best)
    return found


def _literal(engine: Any, name: str, terms: Iterable[object]) -> Any:
    return engine.Literal(
        name, [engine.Var(t.name) if isinstance(t, Variable) else engine.Const(t) for t in terms]
    )


def _state(engine: Any, head: Written, *body: Written) -> None:
    literals = [_literal(engine, *part) for part in (head, *body)]
    engine.assert_(engine.Clause(literals[0], literals[1:]))  # noqa: PT009  (not a test)


def _forget(engine: Any, kind: str, predicate: str) -> None:
    """Begin a predicate anew.  One that was never begun is an error when it is asked about."""
    name, arity = f"{kind} {predicate}", _ARITY[predicate]
    engine.remove(engine.Pred(name, arity))
    engine.insert(engine.Pred(name, arity))
