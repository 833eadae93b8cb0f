"""The completions of what is known, as a logic program whose answer sets they are.

The closure under schema and rules is that of the evidence: the same specialised rules, read over
what is true in a world (`for` becomes `true`, a `not` becomes falsehood).  What a world must not
hold is `encodings/completions.lp`, what holds of a constraint in it `encodings/holds.lp`.

A slice for Kleene statuses holds what speaks for and against the atoms of the constraints.  For
completions it must also hold what these atoms would lead to, were they true or false, and what
that clashes with: `reaching` makes the rules by which it is gathered.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType

import numpy as np

from kgverify.language.rulebook import RuleBook
from kgverify.reasoning.datalog import (
    Argument,
    Atom,
    Compare,
    Condition,
    Origin,
    Rule,
    Variable,
    symbol,
)
from kgverify.reasoning.deciding import (
    ReferenceEngine,
    Request,
    SliceEngine,
    named_terms,
    question_parts,
    whole_graph,
)
from kgverify.reasoning.evidence import Evidence, Ground, read
from kgverify.reasoning.facts import pool, slice_text, stated, stranger_text, vague_text
from kgverify.reasoning.gathering import GoalName, Key, Slice, evidence_key
from kgverify.reasoning.knowledge import SUBCLASS, TYPE, Knowledge
from kgverify.reasoning.layers import Ids
from kgverify.reasoning.program import (
    COMPLETION,
    MOMENTS,
    SIGHT,
    CompiledConstraint,
    Template,
    compile_question,
    constraint_facts,
    encoding,
    question_rules,
    schema,
)
from kgverify.reasoning.solver import solve
from kgverify.reasoning.times import time_text
from kgverify.reasoning.ways import Domain, Shapes, Sighting, Ways, touching

Statement = Ground | Origin  # a stated fact, or a line of the schema or a rule
FACTS = ("triple", "denied", "member", "denied_member", "covered")
_TRUE = {"for": "true", "is_a": "in"}
_FALSE = {"against": "true", "isnt_a": "in"}
_TOUCH = {"for": "touch", "against": "touch", "is_a": "touch_a", "isnt_a": "touch_a"}
_MAY = {"for": "may", "against": "may", "is_a": "may_a", "isnt_a": "may_a"}
_OPEN = {"want": "open", "want_a": "open_a", "against": "open", "isnt_a": "open_a"}
_STRONG = ("against", "isnt_a")
_NONE: Ids = np.empty(0, np.int64)


def is_plain(constraint: CompiledConstraint, template: Template) -> bool:
    """Is the constraint about atoms of the rule file itself, and not assumed closed?  Of the others
    some have a `Sighting`, which says what their truth in a completion is; the rest keep the
    status that evidence gives them."""
    is_own = constraint.name not in template.views or bool(constraint.stated)
    return is_own and not constraint.closed


# ---------------------------------------------------------------- what to gather


def reaching(rules: Sequence[Rule], book: RuleBook) -> list[Rule]:
    """Rules for gathering what atoms of the rule file's relations and classes lead to, which may be
    true or false.

    Each rule of the evidence is a clause: its body atoms true, or one of the others false.  Touch
    one atom of a clause, and the others are touched when the rest of the body may hold."""
    found: dict[Rule, None] = {}
    keys: dict[Key, Atom] = {}
    for rule in rules:
        if not _is_about(rule, book):
            continue
        body = [c for c in rule.body if isinstance(c, Atom)]
        atoms = [rule.head, *(a for a in body if a.predicate in _TOUCH)]
        for atom in atoms:
            key = evidence_key(atom)
            if key and atom.predicate in _TOUCH:
                keys.setdefault((_TOUCH[atom.predicate], key[1]), atom)
        if rule.head.predicate not in _TOUCH or None in map(evidence_key, atoms):
            continue
        if rule.head.predicate in _STRONG and rule.origin.kind != "rule":
            continue  # gathered by the goal for evidence against what is touched
        equal = [c for c in rule.body if isinstance(c, Compare)]
        true = [a for a in body if a.predicate in _TRUE]
        false = [a for a in body if a.predicate in _STRONG]
        if false:
            # Whoever looks for the head needs to know whether the atoms behind `not` may be true.
            touched = [_as(_TOUCH, a) for a in (rule.head, *false)]
            found.setdefault(Rule(rule.head, (*true, *equal, *touched)))
        if rule.head.predicate in _TRUE:
            false = [rule.head, *false]
        else:
            true = [*true, rule.head]
        for atom in (*true, *false):
            others = [_as(_MAY, a) for a in true if a is not atom]
            touched = [_as(_TOUCH, a) for a in false if a is not atom]
            if touched or atom in true:
                found.setdefault(Rule(_as(_TOUCH, atom), (*others, *equal, *touched)))
    for atom in keys.values():
        sides = ("for", "against") if _TOUCH[atom.predicate] == "touch" else ("is_a", "isnt_a")
        general = _general(atom)
        body_ = tuple(replace(general, predicate=side) for side in sides)
        found.setdefault(Rule(_as(_TOUCH, general), body_))
    for question in book.questions.values():
        for rule in touching(compile_question(book, question), book):
            found.setdefault(rule)
    # Where a relation is complete, an atom that is not listed is excluded: all that is listed must
    # be at hand, also for blank nodes, which may be the subject.
    for name in dict.fromkeys(statement.relation.text for statement in book.complete):
        subject, object_, other = Variable("S"), Variable("O"), Variable("T")
        touch = Atom("touch", (name, subject, object_))
        found.setdefault(Rule(touch, (Atom("for", (name, subject, Variable("P"))),)))
        shadow = (Atom("blank", (other,)), Atom("for", (name, other, Variable("P"))))
        found.setdefault(Rule(touch, shadow))
    return list(found)


def _is_about(rule: Rule, book: RuleBook) -> bool:
    """Does the rule conclude about a relation or class of the rule file, and not about a view?"""
    key = evidence_key(rule.head)
    return key is None or key[1] in book.relations or key[1] in book.classes


def _as(names: dict[str, str], atom: Atom) -> Atom:
    return replace(atom, predicate=names[atom.predicate])


def _general(atom: Atom) -> Atom:
    """The atom with different variables for its terms."""
    place = 1 if atom.predicate in ("is_a", "isnt_a") else 0
    terms: list[Argument] = [Variable(f"T{n}") for n in range(len(atom.arguments))]
    terms[place] = atom.arguments[place]
    return replace(atom, arguments=tuple(terms))


# ---------------------------------------------------------------- the program


@dataclass(frozen=True, slots=True)
class Line:
    """A rule of the program; `statement` is what it goes back to, None when it always holds."""

    head: str
    body: str
    statement: Statement | None = None


class Completions:
    """The completions of the slice around one request.

    `whole`: of the whole graph, without gathering.  `reach` are the rules of `reaching`.
    `unknown` holds (constraint, candidate) for constraints of which nothing is known in a world,
    `known` those that evidence decides, with how; `seen` is what is asked of views, and `never`
    has what evidence says of relations at a time, by the constraint that it comes from.
    `assumed` are those of `known` that rest on absence, which a question counts as falsehood."""

    def __init__(
        self,
        engine: SliceEngine,
        request: Request,
        reach: Sequence[Rule],
        unknown: Sequence[tuple[int, int]] = (),
        known: Mapping[tuple[int, int], bool] = MappingProxyType({}),
        seen: Sequence[Sighting] = (),
        never: Sequence[Sighting] = (),
        assumed: Collection[tuple[int, int]] = (),
        whole: bool = False,
    ) -> None:
        self.request, self.whole = request, whole
        self._engine, self._unknown, self._known = engine, unknown, known
        self._never, self._assumed = never, assumed
        self._asked = _part(request, ())
        self._viewed = _part(request, {sighting.constraint for sighting in seen})
        timed = [str(a.arguments[0]) for a, _ in request.template.facts if a.predicate == "timed"]
        self._slice = _dated(
            whole_graph(engine.knowledge, timed) if whole else engine.gather([self._viewed], reach),
            engine.knowledge,
        )
        self._ways = Ways(Shapes(request.template, engine.knowledge.book), seen)
        self._measured: dict[str, tuple[int, int, int]] = {}
        self._goals: dict[Key, list[GoalName]] = defaultdict(list)
        for name in self._slice.goals:
            self._goals[name.key].append(name)

    @property
    def _knowledge(self) -> Knowledge:
        return self._engine.knowledge

    @property
    def sees(self) -> bool:
        """Is there a view whose truth in a completion is told?"""
        return bool(self._ways.seen)

    # ------------------------------------------------------------ its size

    @property
    def open_atoms(self) -> int:
        """An estimate, from above, of how many atoms may be true or false."""
        own = sum(c.kind != "group" for c in self._asked.template.constraints)
        choices = [r for r, _ in self._rules if r.head.predicate in ("want", "want_a")]
        own_atoms = own * len(self.request.candidates) + int(sum(map(self._instances, choices)))
        return own_atoms + self._ways.size(self._domain)

    @property
    def instances(self) -> int:
        """An estimate of how many instances the rules that join atoms have."""
        return int(sum(self._instances(rule) for rule, _ in self._rules))

    def _instances(self, rule: Rule) -> float:
        """Selinger's estimate of the size of a join: the product of the tables, divided, for each
        variable, by all but the least of its numbers of values."""
        size = 1.0
        values: dict[Argument, list[int]] = defaultdict(list)
        for atom in rule.body:
            if isinstance(atom, Atom) and atom.predicate in (*_TRUE, "reach"):
                rows, columns = self._table(atom)
                size *= rows
                for term, distinct in columns:
                    values[term].append(distinct)
        for term, counts in values.items():
            counts.sort()
            for distinct in counts[0 if not isinstance(term, Variable) else 1 :]:
                size /= max(1, distinct)
        return size

    def _table(self, atom: Atom) -> tuple[int, list[tuple[Argument, int]]]:
        """How many rows a body atom may match, and each of its terms with its number of values."""
        if atom.predicate == "reach":
            rows = len(self._values(atom))
            return rows, [(atom.arguments[-1], rows)]
        key = evidence_key(atom)
        name = key[1] if key else ""
        goals = self._goals.get((_TOUCH[atom.predicate], name), ())
        extra = sum(max(map(len, self._slice.goals[goal])) for goal in goals)
        if atom.predicate == "is_a":
            members = self._slice.triples.get("rdf:type", (_NONE, _NONE))[0]
            rows = len(members) + extra
            return rows, [(atom.arguments[0], rows)]
        rows, *distinct = self._sizes(name)
        columns = zip(atom.arguments[1:], (size + extra for size in distinct), strict=True)
        return rows + extra, list(columns)

    def _sizes(self, relation: str) -> tuple[int, int, int]:
        """The numbers of facts of a relation, of their subjects and of their objects."""
        if relation not in self._measured:
            subjects, objects = self._slice.triples.get(relation, (_NONE, _NONE))
            sizes = len(subjects), len(np.unique(subjects)), len(np.unique(objects))
            self._measured[relation] = sizes
        return self._measured[relation]

    # ------------------------------------------------------------ its lines

    @cached_property
    def _rules(self) -> list[tuple[Rule, Origin | None]]:
        """The evidence rules that matter here, guarded by what the goals ask of their heads."""
        found = []
        for rule in self._engine.rules:
            predicate = rule.head.predicate
            written = rule.origin.kind == "rule"
            if not _is_about(rule, self._knowledge.book):
                continue
            if predicate not in _TRUE and not written:
                continue  # completions.lp says what the schema forbids
            statement = rule.origin if rule.origin.text else None
            found += [(guarded, statement) for guarded in self._guarded(rule)]
        return found

    def _guarded(self, rule: Rule) -> Iterator[Rule]:
        """The rule, once for each goal that asks about its head; none when nothing does.  Only a
        rule that joins needs the guard."""
        evidence = {"want": "against", "want_a": "isnt_a"}
        head = replace(rule.head, predicate=evidence.get(rule.head.predicate, rule.head.predicate))
        key = evidence_key(head)
        if key is None or self.whole:
            yield rule
            return
        plain = "for" if _TOUCH[head.predicate] == "touch" else "is_a"
        wanted = [(_TOUCH[head.predicate], key[1])]
        if rule.head.predicate in _TRUE:
            wanted.append((plain, key[1]))
        goals = [goal for name in wanted for goal in self._goals.get(name, ())]
        joined = [a for a in rule.body if isinstance(a, Atom) and a.predicate in _TRUE]
        if not goals:
            return
        if len(joined) < 2 or rule.head.predicate in _STRONG:
            yield rule
            return
        if any("b" not in name.mode for name in goals):
            yield rule
            return
        terms = head.arguments[1:] if plain == "for" else head.arguments[:1]
        for mode in dict.fromkeys(_reached(name.mode) for name in goals):
            guards = [
                Atom("reach", (plain, key[1], mode, place, term))
                for place, (term, kind) in enumerate(zip(terms, mode, strict=True))
                if kind == "b"
            ]
            yield Rule(rule.head, (*guards, *rule.body), rule.origin)

    def _values(self, guard: Atom) -> Ids:
        """The terms that goals of one mode ask about, at one place: what `reach` holds of."""
        plain, name, mode, place, _ = guard.arguments
        touch = "touch" if plain == "for" else "touch_a"
        return _union(
            self._slice.goals[goal][int(str(place))]
            for key in ((str(plain), str(name)), (touch, str(name)))
            for goal in self._goals.get(key, ())
            if _reached(goal.mode) == mode
        )

    @cached_property
    def _rule_lines(self) -> list[Line]:
        return [Line(*classical(rule), statement) for rule, statement in self._rules]

    @cached_property
    def _schema(self) -> list[tuple[Atom, Origin]]:
        return schema(self._knowledge.book, self._knowledge.constant)

    @cached_property
    def _schema_lines(self) -> list[Line]:
        """What the schema forbids.  Completeness is said subject by subject: `covered`."""
        static = [
            *("functional", "inverse_functional", "asymmetric", "irreflexive"),
            *("disjoint", "disjoint_classes"),
        ]
        facts = dict(self._schema)
        if self._has_times:
            static += ["functional_at_a_time", "symmetric", "inverse", "subrelation"]
            facts |= dict(self.request.template.facts)
        return [Line(str(a), "", o) for a, o in facts.items() if a.predicate in static]

    @property
    def _has_times(self) -> bool:
        """Do the periods of facts matter, or is it asked what holds at a time?"""
        return bool(self._slice.timed or self.request.template.moments)

    @cached_property
    def _times(self) -> str:
        """When what holds, and the times asked about."""
        template = self.request.template
        views = [f"{atom}." for atom, _ in template.facts if atom.predicate == "at"]
        text = time_text(self._slice.timed, self._knowledge.periods, template.moments)
        return "\n".join([encoding(*MOMENTS), *views, text])

    @cached_property
    def _listing(self) -> tuple[dict[Ground, Origin], list[Ground]]:
        """The subjects whose objects are all listed, with the statement that says so, and the
        objects for which there is evidence."""
        statements = [
            (atom, origin)
            for atom, origin in self._schema
            if atom.predicate in ("complete", "complete_for", "complete_subject")
        ]
        subjects = {str(a.arguments[0]): self._subjects(str(a.arguments[0])) for a, _ in statements}
        if not any(map(len, subjects.values())):
            return {}, []
        evidence = self._evidence(self._asked)
        covered: dict[Ground, Origin] = {}
        for atom, origin in statements:
            relation, *scope = atom.arguments
            for subject in subjects[str(relation)]:
                if atom.predicate == "complete_for":
                    in_scope = ("is_a", subject, str(scope[0])) in evidence
                else:
                    in_scope = not scope or scope[0] == subject
                if in_scope:
                    covered.setdefault(("covered", str(relation), subject), origin)
        listed: list[Ground] = [
            ("listed", *atom[1:])
            for atom in evidence.matching("for", (None, None, None))
            if atom[1] in subjects
        ]
        return covered, listed

    def _evidence(self, request: Request) -> Evidence:
        """What there is evidence for, of all that some of the constraints look at."""
        program = (
            ReferenceEngine(self._knowledge).program([request])
            if self.whole
            else self._engine.program([request], self._slice)
        )
        return Evidence(read(solve(*program, "#show for/3. #show is_a/2. #show clouded/3.")))

    @property
    def _ways_text(self) -> str:
        listings = dict.fromkeys(self._ways.listings)
        evidence = self._evidence(self._viewed) if listings else Evidence(())
        listed = {
            (path, subject): [int(a[3]) for a in evidence.matching("for", (path, subject, None))]
            for path, subject in listings
        }
        clouded = {
            (str(a[1]), int(a[2]), int(a[3]))
            for a in evidence.matching("clouded", (None, None, None))
        }
        return self._ways.text(self._domain, listed, clouded)

    def _subjects(self, relation: str) -> list[int]:
        """The terms that may be subjects of a relation here, but for those that may be anything."""
        if self.whole:
            ids = np.array(sorted(self._terms), np.int64)
        else:
            touched = self._goals.get(("touch", relation), ())
            ids = _union(self._slice.goals[name][0] for name in touched)
        return [int(id_) for id_ in np.setdiff1d(ids, self._knowledge.vague(ids))]

    @cached_property
    def _named(self) -> set[int]:
        """The terms of the question and the rules."""
        return named_terms([self._viewed], self._knowledge, self._engine.rules)

    @property
    def _vague(self) -> str:
        return vague_text(self._slice, self._knowledge, self._named)

    @cached_property
    def _terms(self) -> set[int]:
        """All terms of the slice, the question and the rules."""
        found = set(self._named)
        for side in (self._slice.triples, self._slice.denied):
            for pair in side.values():
                found |= {*pair[0].tolist(), *pair[1].tolist()}
        return found

    @cached_property
    def _domain(self) -> Domain:
        """The things and the values of which steps of a view may speak."""
        terms = set(self._named)
        for side in (self._slice.triples, self._slice.denied):
            for name, pair in side.items():
                terms |= set(pair[0].tolist()) if name != SUBCLASS else set()
                terms |= set(pair[1].tolist()) if name not in (TYPE, SUBCLASS) else set()
        values = {id: self._knowledge.key(id) for id in self._values_among(terms)}
        return Domain(tuple(sorted(terms - values.keys())), values)

    def _values_among(self, terms: set[int]) -> list[int]:
        return self._knowledge.literals(np.array(sorted(terms), np.int64))

    @cached_property
    def _fixed(self) -> str:
        """What is no statement of the graph or the rule file."""
        knowledge = self._knowledge
        guards = {
            a.arguments[:-1]: a
            for rule, _ in self._rules
            for a in rule.body
            if isinstance(a, Atom) and a.predicate == "reach"
        }
        lines = []
        for known, guard in guards.items():
            head = f"reach({','.join(map(_symbol, known))},"
            if len(values := self._values(guard)):
                lines.append(f"{head}{pool(values)}).")
            lines += [f"{head}{name})." for name in self._ways.imagined]
        lines += [f"{_text(atom)}." for atom in self._listing[1]]
        lines += [f"free(0,{i},{x})." for i, x in self._unknown]
        lines += [f"settled(0,{i},{x})." for i, x in self._known]
        return "\n".join(
            [
                encoding(*COMPLETION),
                stranger_text(id for id in self._named if knowledge.is_stranger(id)),
                *question_parts(knowledge, [self._asked], question_rules),
                constraint_facts(self.request.template),
                *lines,
                *((encoding(*SIGHT), self._ways_text) if self._ways.seen else ()),
                *((self._times,) if self._has_times else ()),
            ]
        )

    def _fact_lines(self, dropped: frozenset[Statement]) -> Iterator[Line]:
        for atom in (*stated(self._slice, self._knowledge), *self._listing[0]):
            if atom not in dropped:
                yield Line(_text(atom), "", atom)

    def _is_assumed(self, statement: Statement | None) -> bool:
        """Is it that absence counts as falsehood, or what follows from that?"""
        if not isinstance(statement, tuple):
            return False
        return statement[0] == "supposed" or statement[2:] in self._assumed

    @property
    def _told(self) -> list[Line]:
        """The constraints that evidence decides, and that have no meaning of their own here."""
        found: list[Ground] = [
            ("told" if holds else "refuted", 0, i, x) for (i, x), holds in self._known.items()
        ]
        found += [("supposed", 0, *key) for key in self._ways.supposed]
        lines = [Line(_text(atom), "", atom) for atom in found]
        for one in self._never:
            key = one.constraint, one.candidate
            statement = "told" if self._known[key] else "refuted", 0, *key
            denied = _text(("denied", one.view, one.subject, one.object))
            lines.append(Line(denied, "", statement))
        return lines

    def program(self, dropped: frozenset[Statement] = frozenset(), firm: bool = False) -> list[str]:
        """The program text, without the facts `dropped`; `firm`: absence counts for nothing."""
        told = [line for line in self._told if not (firm and self._is_assumed(line.statement))]
        lines = (*self._schema_lines, *self._rule_lines, *told)
        if dropped:
            lines = (*lines, *self._fact_lines(dropped))
            return [self._fixed, self._vague, *map(_rule_text, lines)]
        untimed = replace(self._slice, timed={})  # the periods are in what is fixed
        facts = slice_text(untimed, self._knowledge, self._named)
        covered = [f"{_text(atom)}." for atom in self._listing[0]]
        return [self._fixed, facts, *covered, *map(_rule_text, lines)]

    def retractable(
        self, dropped: frozenset[Statement] = frozenset()
    ) -> tuple[list[str], list[Statement]]:
        """The program text in which every statement can be switched off, by its number, and the
        statements by number: rules and schema first, so that a minimal set rather spares facts."""
        numbers: dict[Statement, int] = {}
        parts = [self._fixed, self._vague]
        facts = (*self._fact_lines(dropped), *self._told)
        for line in (*self._schema_lines, *self._rule_lines, *facts):
            guard = ""
            if line.statement is not None:
                guard = f"on({numbers.setdefault(line.statement, len(numbers))})"
            body = ", ".join(part for part in (line.body, guard) if part)
            parts.append(_rule_text(replace(line, body=body)))
        if numbers:
            parts.append(f"{{ on(0..{len(numbers) - 1}) }}.")
        return parts, list(numbers)

    def with_origin(self, statement: Statement) -> tuple[Statement, Origin | None]:
        """A statement, and for a subject whose objects are all listed the line that says so."""
        covered = self._listing[0]
        return statement, covered[statement] if isinstance(
            statement, tuple
        ) and statement in covered else None

    def is_fact(self, statement: Statement) -> bool:
        """Is it a fact, a denied fact or a listing, and no part of the schema?"""
        return isinstance(statement, tuple) and statement[0] in FACTS


def classical(rule: Rule) -> tuple[str, str]:
    """An evidence rule as a rule about one world: head and body as program text.

    A rule for evidence against forbids that its head holds; a rule for what is wanted says which
    falsehoods rules use, so that the atoms may be true or false."""
    body = [text for condition in rule.body for text in _classical(condition)]
    head = rule.head
    if head.predicate in _TRUE:
        return str(_as(_TRUE, head)), ", ".join(body)
    if head.predicate in ("want", "want_a"):
        return str(_as(_OPEN, head)), ", ".join(body)
    return "", ", ".join([str(_as(_FALSE, head)), *body])


def _classical(condition: Condition) -> Iterator[str]:
    if not isinstance(condition, Atom):
        yield str(condition)
    elif condition.predicate in _TRUE:
        yield str(_as(_TRUE, condition))
    elif condition.predicate in _STRONG:
        yield str(_as(_OPEN, condition))
        yield f"not {_as(_FALSE, condition)}"
    elif condition.predicate in ("want", "want_a"):
        yield str(replace(condition, predicate="true" if condition.predicate == "want" else "in"))
    else:
        yield str(condition)


def _part(request: Request, views: Collection[int]) -> Request:
    """The request with its plain constraints, and these.  Whether a relation ever holds is whether
    it is true."""
    template = request.template
    kept = tuple(
        replace(c, name=c.stated or c.name) if is_plain(c, template) else c
        for c in template.constraints
        if is_plain(c, template) or c.index in views
    )
    return replace(request, template=replace(template, constraints=kept))


def _dated(slice_: Slice, knowledge: Knowledge) -> Slice:
    """The slice, in which what is stated for a period is stated, too."""
    triples = dict(slice_.triples)
    for name, (subjects, objects, periods) in slice_.timed.items():
        best = np.array([knowledge.periods[n].best for n in periods.tolist()], np.bool_)
        pair = subjects[best] << 32 | objects[best]
        if name in triples:
            pair = np.concatenate([pair, triples[name][0] << 32 | triples[name][1]])
        packed = np.unique(pair)
        triples[name] = packed >> 32, packed & 0xFFFFFFFF
    return replace(slice_, triples=triples)


def _symbol(argument: Argument) -> str:
    return argument.name if isinstance(argument, Variable) else symbol(argument)


def _reached(mode: str) -> str:
    """The mode of a goal as its guard sees it: whether a place is asked about."""
    return mode.replace("f", "-")


def _union(parts: Iterable[Ids]) -> Ids:
    found = list(parts)
    return np.unique(np.concatenate(found)) if found else _NONE


def _rule_text(line: Line) -> str:
    return f"{line.head} :- {line.body}." if line.body else f"{line.head}."


def _text(atom: Ground) -> str:
    return f"{atom[0]}({','.join(map(symbol, atom[1:]))})"
