"""Decides batches of questions: gather the evidence, ground and solve, read off the statuses.

`SliceEngine` gathers only what the questions can look at.  `ReferenceEngine` grounds the whole
graph under the encodings as they stand: slow, obviously right, and what the other is held against.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from kgverify.language import syntax as s
from kgverify.reasoning.datalog import Aggregate, Atom, Compare, Rule, mentions, renamed, symbol
from kgverify.reasoning.evidence import Ground, wanted
from kgverify.reasoning.facts import candidate_text, grouped, pool, slice_text, stranger_text
from kgverify.reasoning.gathering import (
    Gatherer,
    GoalName,
    Slice,
    evidence_key,
    unique_pairs,
    unique_rows,
)
from kgverify.reasoning.knowledge import Knowledge
from kgverify.reasoning.layers import Ids
from kgverify.reasoning.patterns import (
    BITS,
    SHOW_WANTED,
    EvidenceColumns,
    Patterns,
    distinct,
    pattern_text,
)
from kgverify.reasoning.program import (
    DECISION,
    EVIDENCE,
    LIMB,
    QUESTIONS,
    VIEWS,
    CompiledConstraint,
    Template,
    constants,
    constraint_facts,
    encoding,
    evidence_program,
    question_text,
    schema,
    wanted_rules,
)
from kgverify.reasoning.rules import Resolver, hard_rules
from kgverify.reasoning.solver import solve


@dataclass(frozen=True, slots=True)
class Request:
    """A question with its terms resolved: one argument id a parameter, candidate ids without
    repetition.  These are representatives (see `identity`); the ids that the question named are
    `given_arguments` and `given_candidates`, by which its verdicts go."""

    template: Template
    arguments: tuple[int, ...]
    candidates: tuple[int, ...]
    given_arguments: tuple[int, ...] = ()
    given_candidates: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """What the solver said of one candidate.

    `statuses` holds one of `sat`, `viol`, `conflict` and `unk` for each constraint, `derived` the
    decided constraints whose atom is not stated outright, `assumed` those that rest on absence
    which the question counts as falsehood, `inferred` those that rest on what is plausible only,
    `admitted` those that need an edge that was admitted from text; `support` is exact."""

    verdict: str
    support: Fraction
    statuses: tuple[str, ...]
    derived: frozenset[int]
    assumed: frozenset[int]
    inferred: frozenset[int] = frozenset()
    admitted: frozenset[int] = frozenset()


VERDICTS = ("sat", "unk", "viol")  # in the order in which they rank
STATUSES = ("unk", "sat", "viol", "conflict")


@dataclass(frozen=True, slots=True)
class Decisions:
    """The decisions on all candidates of a request, as columns.

    `verdicts` int8[n] indexes `VERDICTS`; `supports` holds n whole numbers, shares of `whole`;
    `statuses` int8[n, c] indexes `STATUSES`; `derived`, `assumed`, `inferred` and `admitted`
    bool[n, c]."""

    verdicts: NDArray[np.int8]
    supports: list[int]
    whole: int
    statuses: NDArray[np.int8]
    derived: NDArray[np.bool_]
    assumed: NDArray[np.bool_]
    inferred: NDArray[np.bool_]
    admitted: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.verdicts)

    def take(self, rows: NDArray[np.int64]) -> Decisions:
        """The decisions in these rows, which may repeat."""
        supports = [self.supports[row] for row in rows.tolist()]
        return Decisions(
            self.verdicts[rows],
            supports,
            self.whole,
            self.statuses[rows],
            self.derived[rows],
            self.assumed[rows],
            self.inferred[rows],
            self.admitted[rows],
        )

    def marked_as(self, before: Decisions) -> Decisions:
        """These decisions, in which what was decided before, and the same, rests on what it rested
        on, where some of that is admitted: more than it needs may be known by now."""
        if not before.admitted.any():
            return self
        same = (self.statuses == before.statuses) & (before.statuses != 0)
        return replace(
            self,
            derived=np.where(same, before.derived, self.derived),
            assumed=np.where(same, before.assumed, self.assumed),
            admitted=before.admitted & same,
        )

    def __getitem__(self, n: int) -> Decision:
        return Decision(
            VERDICTS[self.verdicts[n]],
            Fraction(self.supports[n], self.whole),
            tuple([STATUSES[code] for code in self.statuses[n].tolist()]),
            frozenset(np.flatnonzero(self.derived[n]).tolist()),
            frozenset(np.flatnonzero(self.assumed[n]).tolist()),
            frozenset(np.flatnonzero(self.inferred[n]).tolist()),
            frozenset(np.flatnonzero(self.admitted[n]).tolist()),
        )


# Relations that are asked about the same pairs, and the subjects and objects of these.
Probe = tuple[Sequence[str], Ids, Ids]


class Engine(Protocol):
    """Decides a batch: the decisions on each request, candidates in the request's order."""

    def decide(self, requests: Sequence[Request]) -> list[Decisions]: ...


class SliceEngine:
    """Gather, then decide over the gathered slice alone.

    `rules` are the `evidence_rules` of this knowledge, or of the one that it is a copy of."""

    def __init__(self, knowledge: Knowledge, rules: Sequence[Rule]) -> None:
        self.knowledge, self.rules = knowledge, rules
        self._moments = _times(rules)

    def gather(self, requests: Sequence[Request], reaching: Sequence[Rule] = ()) -> Slice:
        """The evidence that the requests can look at; with the rules `reaching`, also what their
        atoms lead to and clash with."""
        gatherer = Gatherer(self.knowledge, [*self.rules, *reaching])
        for constraint, places in self.asked(requests):
            is_class = constraint.kind == "class"
            sides = ["is_a", "isnt_a"] if is_class else ["for", "against"]
            if constraint.closed:
                sides.append("maybe_a" if is_class else "maybe")
            for side in sides:
                gatherer.ask((side, constraint.name), *places)
                if constraint.stated and side not in ("maybe", "maybe_a"):
                    gatherer.ask((side, constraint.stated), *places)
            if reaching:
                gatherer.touch(("touch_a" if is_class else "touch", constraint.name), *places)
        return gatherer.run()

    def asked(self, requests: Sequence[Request]) -> Iterator[tuple[CompiledConstraint, list[Ids]]]:
        """The atoms of every constraint about a relation or class and of every candidate: their
        terms by place, those with a stranger left out."""
        for group in by_template(requests):
            for constraint, columns, known in self.columns(group):
                if constraint.kind in ("relation", "class"):
                    yield constraint, [ids[known] for ids in columns]

    def columns(
        self, group: Sequence[Request]
    ) -> Iterator[tuple[CompiledConstraint, list[Ids], NDArray[np.bool_]]]:
        """For each constraint but groups: the ids of its terms, as columns over the candidates of
        all requests of one template, and in which rows no term is a stranger."""
        template = group[0].template
        sizes = [len(request.candidates) for request in group]
        values = {template.question.answer.text: _joined(request.candidates for request in group)}
        for place, name in enumerate(template.parameters):
            values[name] = np.repeat(_joined([[r.arguments[place]] for r in group]), sizes)
        known_values = {name: self._known(ids) for name, ids in values.items()}
        for constraint in template.constraints:
            if constraint.kind == "group":
                continue
            columns, known = [], np.ones(sum(sizes), np.bool_)
            for term, datatype in zip(constraint.terms, constraint.datatypes, strict=True):
                if term.kind is s.TermKind.NAME and term.text in values:
                    columns.append(values[term.text])
                    known = known & known_values[term.text]
                else:
                    id_ = self.knowledge.constant(term, datatype)
                    columns.append(np.full(sum(sizes), id_, np.int64))
                    known = known & (not self.knowledge.is_stranger(id_))
            yield constraint, columns, known

    def _known(self, ids: Ids) -> NDArray[np.bool_]:
        """Which ids are no strangers.  bool[n]"""
        known = ids < self.knowledge.graph.n_terms
        for place in np.flatnonzero(~known).tolist():
            known[place] = not self.knowledge.is_stranger(int(ids[place]))
        return known

    def program(self, requests: Sequence[Request], slice_: Slice | None = None) -> list[str]:
        """The program text that derives the evidence: rules, questions and gathered facts."""
        if slice_ is None:
            slice_ = self.gather(requests)
        terms = named_terms(requests, self.knowledge, self.rules)
        return [
            *self._rule_text(slice_),
            slice_text(slice_, self.knowledge, terms, _measured(requests), self._moments),
            *question_parts(self.knowledge, requests, wanted_rules),
            stranger_text(id for id in terms if self.knowledge.is_stranger(id)),
        ]

    def _rule_text(self, slice_: Slice) -> list[str]:
        """The rules that can matter to what was gathered, and what was asked."""
        rules = _relevant(self.rules, slice_)
        named = {_goal_key(rule.head) for rule in rules if _joins(rule)}
        text = "\n".join(str(found) for rule in rules for found in _guarded(rule, slice_))
        return [text, _goal_text(slice_, named)]

    def about(
        self,
        atoms: Sequence[Ground],
        supposed: Sequence[Ground] = (),
        partial: Sequence[Rule] = (),
        more: Sequence[Rule] = (),
        measured: bool = False,
    ) -> list[str]:
        """The program text that derives the evidence for and against evidence atoms.

        The facts are gathered as if the atoms that are `supposed` were stated too, for they may
        be; the program doesn't have these.  For `partial` see `Gatherer`; `more` are
        further rules of the program.  `measured`: values are compared or counted."""
        gatherer = Gatherer(self.knowledge.supposing(supposed), self.rules, partial)
        for (sides, name), rows in _by_name(atoms).items():
            for side in sides:
                gatherer.ask((side, name), *(np.array(column, np.int64) for column in rows))
        slice_ = gatherer.run().among(self.knowledge)
        named = {int(term) for atom in atoms for term in atom[1:] if isinstance(term, int)}
        terms = named | named_terms((), self.knowledge, self.rules)
        return [
            *self._rule_text(slice_),
            slice_text(slice_, self.knowledge, terms, measured, self._moments),
            *map(str, more),
            *(f"{wanted(Atom(str(atom[0]), atom[1:]))}." for atom in atoms),
            stranger_text(id for id in terms if self.knowledge.is_stranger(id)),
        ]

    def derive(self, asked: Sequence[Probe]) -> EvidenceColumns:
        """The evidence for some pairs of terms by the relations of each probe."""
        gatherer = Gatherer(self.knowledge, self.rules)
        probes: dict[str, list[int]] = defaultdict(list)
        for number, (names, subjects, objects) in enumerate(asked):
            ends = np.unique(subjects), np.unique(objects)
            for name in names:
                gatherer.ask(("for", name), *ends)
                probes[name].append(number)
        slice_ = gatherer.run()
        guarded = (r for rule in _relevant(self.rules, slice_) for r in _guarded(rule, slice_))
        rules = [found for rule in guarded for found in _probed(rule, probes)]
        terms = named_terms((), self.knowledge, self.rules)
        program = [
            "\n".join(map(str, rules)),
            _goal_text(slice_, {_goal_key(rule.head) for rule in self.rules if _joins(rule)}),
            slice_text(slice_, self.knowledge, terms, False, self._moments),
            *(grouped(f"probe({n},", *pair) for n, (_, *pair) in enumerate(asked)),
            *(f"probed({symbol(name)})." for name in probes),
            stranger_text(id for id in terms if self.knowledge.is_stranger(id)),
        ]
        shown = solve(*program, "#show. #show for(R,S,O) : probed(R), for(R,S,O).")
        return EvidenceColumns(shown, slice_, self.knowledge)

    def decide(self, requests: Sequence[Request]) -> list[Decisions]:
        slice_ = self.gather(requests)
        shown = solve(*self.program(requests, slice_), SHOW_WANTED)
        evidence = EvidenceColumns(shown, slice_, self.knowledge)
        groups = by_template(requests)
        patterns = [self._patterns(group, evidence) for group in groups]
        return handed_out(requests, groups, patterns, decide_patterns(groups, patterns))

    def _patterns(self, group: Sequence[Request], evidence: EvidenceColumns) -> Patterns:
        """What the evidence says of each constraint of each candidate, distinct rows apart."""
        size = sum(len(request.candidates) for request in group)
        codes = np.zeros((size, len(group[0].template.constraints)), np.int64)
        for constraint, columns, known in self.columns(group):
            codes[:, constraint.index] = evidence.codes(constraint, columns) * known
        return distinct(codes)


def decide_patterns(
    groups: Sequence[Sequence[Request]],
    patterns: Sequence[Patterns],
    encodings: Sequence[str] = DECISION,
) -> list[Decisions]:
    """The decisions on the distinct patterns of groups of requests, one template a group."""
    parts, requests = [encoding(*encodings)], []
    for number, (group, found) in enumerate(zip(groups, patterns, strict=True)):
        template = group[0].template
        parts.append(constraint_facts(template))
        parts.append(f"asked({number},{symbol(template.name)},()).")
        parts.append(pattern_text(number, found.rows, BITS))
        requests.append(Request(template, (), tuple(range(len(found.rows)))))
    return _read(solve(*parts), requests)


def handed_out(
    requests: Sequence[Request],
    groups: Sequence[Sequence[Request]],
    patterns: Sequence[Patterns],
    decided: Sequence[Decisions],
) -> list[Decisions]:
    """The decisions on each request, from those on the patterns of the groups that they form."""
    found: dict[int, Decisions] = {}
    for group, pattern, decisions in zip(groups, patterns, decided, strict=True):
        start = 0
        for request in group:
            end = start + len(request.candidates)
            found[id(request)] = decisions.take(pattern.of[start:end])
            start = end
    return [found[id(request)] for request in requests]


def by_template(requests: Sequence[Request]) -> list[list[Request]]:
    groups: dict[str, list[Request]] = defaultdict(list)
    for request in requests:
        groups[request.template.name].append(request)
    return list(groups.values())


class ReferenceEngine:
    """Ground the whole graph with the questions, under the encodings unchanged."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge

    def program(self, requests: Sequence[Request], more: Sequence[Rule] = ()) -> list[str]:
        """The program text for the requests: everything, and the rules `more`."""
        text, terms = self.basis(requests, more)
        strangers = (id for id in terms if self.knowledge.is_stranger(id))
        return [*text, *asked_parts(requests), stranger_text(strangers)]

    def basis(
        self,
        requests: Sequence[Request],
        more: Sequence[Rule] = (),
        decision: Sequence[str] = DECISION,
    ) -> tuple[list[str], set[int]]:
        """The program text but for who asks about whom, and who is a stranger; and the terms that
        it names.  `decision` are the encodings that decide."""
        knowledge = self.knowledge
        resolve = knowledge.constant
        facts = [Rule(atom) for atom, _ in schema(knowledge.book, resolve)]
        for template in _bound(requests):
            facts += [Rule(atom) for atom, _ in template.facts]
        facts = list(dict.fromkeys(facts))
        rules = [*facts, *hard_rules(knowledge.book, resolve), *more]
        terms = named_terms(requests, knowledge, rules)
        timed = [str(fact.head.arguments[0]) for fact in facts if fact.head.predicate == "timed"]
        text = [
            encoding(*EVIDENCE, *VIEWS, *QUESTIONS, *decision),
            "\n".join(map(str, rules)),
            slice_text(
                whole_graph(knowledge, timed),
                knowledge,
                terms,
                _measured(requests),
                _moments(requests),
            ),
            *template_parts(knowledge, requests, question_text),
        ]
        return text, terms

    def decide(self, requests: Sequence[Request]) -> list[Decisions]:
        return _read(solve(*self.program(requests)), requests)


def whole_graph(knowledge: Knowledge, timed: Iterable[str] = ()) -> Slice:
    """Every fact and denied fact of the graph and the rule file; relations that the rule file
    doesn't name keep the graph's name.  Of the `timed` relations, the periods too."""
    graph, book = knowledge.graph, knowledge.book
    found = Slice(timed={name: unique_rows([knowledge.timed(name, None, None)]) for name in timed})
    for layer, side in ((knowledge.facts, found.triples), (knowledge.denied, found.denied)):
        for name in (*book.relations, "rdf:type", "rdfs:subClassOf"):
            pair = layer.all(name)
            if len(pair[0]):
                side[name] = unique_pairs([pair])
    named = {book.kg_name(name) for name in book.relations}
    for id, name in enumerate(graph.relations):
        if name not in named and id not in (graph.type_relation, graph.subclass_relation):
            for table, side in ((graph.facts, found.triples), (graph.denied, found.denied)):
                pairs = table.all(id)
                ends = pairs.subjects.astype(np.int64), pairs.objects.astype(np.int64)
                left, right = map(knowledge.identity.of, ends)
                side["graph:" + name] = unique_pairs([(left, right)])
    return found


def evidence_rules(knowledge: Knowledge) -> list[Rule]:
    """The specialised evidence encodings and the hard rules, over the ids of `knowledge`."""
    resolve = knowledge.constant
    return [*evidence_program(knowledge.book, resolve), *hard_rules(knowledge.book, resolve)]


def _by_name(atoms: Iterable[Ground]) -> dict[tuple[tuple[str, ...], str], list[list[int]]]:
    """The terms of evidence atoms, as columns, by the relation or class, and by the predicates of
    what speaks for, against, and for what may be it."""
    found: dict[tuple[tuple[str, ...], str], list[list[int]]] = {}
    for predicate, *rest in atoms:
        is_class = predicate in ("is_a", "isnt_a")
        sides = ("is_a", "isnt_a", "maybe_a") if is_class else ("for", "against", "maybe")
        name, terms = (rest[1], rest[:1]) if is_class else (rest[0], rest[1:])
        columns = found.setdefault((sides, str(name)), [[] for _ in terms])
        for column, term in zip(columns, terms, strict=True):
            column.append(int(term))
    return found


def _joined(parts: Iterable[Sequence[int]]) -> Ids:
    return np.fromiter((id for part in parts for id in part), np.int64)


def named_terms(
    requests: Sequence[Request], knowledge: Knowledge, rules: Sequence[Rule]
) -> set[int]:
    """Every term that the questions or the rules name."""
    found = {id for r in requests for ids in (r.arguments, r.candidates) for id in ids}
    for template in {r.template.name: r.template for r in requests}.values():
        found |= {int(id) for id in constants(template, knowledge.constant)}
    for rule in rules:
        for part in (rule.head, *rule.body):
            if isinstance(part, Aggregate):
                continue  # these name relations only
            if isinstance(part, Compare) and part.operator not in ("=", "!="):
                continue  # numbers are no terms
            sides = part.arguments if isinstance(part, Atom) else (part.left, part.right)
            found |= {side for side in sides if isinstance(side, int)}
    return found


def _times(rules: Sequence[Rule]) -> set[str]:
    """The times that rules speak of."""
    atoms = (c for rule in rules for c in rule.body if isinstance(c, Atom))
    return {
        str(atom.arguments[0])
        for atom in atoms
        if atom.predicate == "moment" and not str(atom.arguments[0]).startswith("?")
    }


def _moments(requests: Sequence[Request]) -> set[str]:
    """The times that the questions ask about."""
    return {time for r in requests for time in r.template.moments if not time.startswith("?")}


def _bound(requests: Sequence[Request]) -> list[Template]:
    """The templates among them that are bound to times, each once."""
    return list({r.template.name: r.template for r in requests if r.template.names}.values())


def bound_rules(rules: Sequence[Rule], requests: Sequence[Request]) -> list[Rule]:
    """The rules; those about times that are parameters, for the times of the requests too."""
    found = dict.fromkeys(rules)
    for template in _bound(requests):
        about = [rule for rule in rules if mentions(rule, template.names)]
        found |= dict.fromkeys(renamed(rule, template.names) for rule in about)
    return list(found)


def _measured(requests: Sequence[Request]) -> bool:
    """Does some constraint compare or count values?"""
    return any(view.base for r in requests for view in r.template.views.values())


# ---------------------------------------------------------------- program text


def question_parts(
    knowledge: Knowledge,
    requests: Sequence[Request],
    say: Callable[[Template, Resolver], str],
) -> Iterator[str]:
    """The templates asked, and who asks them about whom."""
    yield from template_parts(knowledge, requests, say)
    yield from asked_parts(requests)


def template_parts(
    knowledge: Knowledge,
    requests: Sequence[Request],
    say: Callable[[Template, Resolver], str],
) -> Iterator[str]:
    """The templates asked, each once."""
    for template in {r.template.name: r.template for r in requests}.values():
        yield say(template, knowledge.constant)


def asked_parts(requests: Sequence[Request]) -> Iterator[str]:
    """Who asks the templates about whom."""
    for number, request in enumerate(requests):
        yield f"{asked_atom(number, request)}."
        yield candidate_text(number, request.candidates)


def asked_atom(number: int, request: Request) -> str:
    """The atom that a request, by its number, asks its template with its arguments."""
    arguments = ",".join(map(str, request.arguments))
    tuple_ = f"({arguments},)" if len(request.arguments) == 1 else f"({arguments})"
    return f"asked({number},{symbol(request.template.name)},{tuple_})"


def _relevant(rules: Sequence[Rule], slice_: Slice) -> list[Rule]:
    """The rules whose heads some goal asks about; no other can matter to the questions."""
    asked = {name.key for name in slice_.goals}
    sides = {"want": "against", "want_a": "isnt_a", "listing": "listed"}
    found = []
    for rule in rules:
        predicate = rule.head.predicate
        key = evidence_key(replace(rule.head, predicate=sides.get(predicate, predicate)))
        if key is None or key in asked:
            found.append(rule)
    return found


def _probed(rule: Rule, probes: Mapping[str, Sequence[int]]) -> Iterator[Rule]:
    """The rule; one that is guarded by what is asked of a probed relation, for each of the probes
    in the place of that guard.  So pairs that many relations are asked about are told once."""
    guard = rule.body[0] if rule.body else None
    if not isinstance(guard, Atom) or guard.predicate != "want" or rule.head.predicate != "for":
        yield rule
        return
    name, *terms = guard.arguments
    if str(name) not in probes:
        yield rule
        return
    for number in probes[str(name)]:
        yield Rule(rule.head, (Atom("probe", (number, *terms)), *rule.body[1:]), rule.origin)


def _joins(rule: Rule) -> bool:
    """Does the rule join evidence, so that its head must be guarded by what is asked?"""
    body = [a for a in rule.body if isinstance(a, Atom) and a.predicate in ("for", "is_a")]
    return rule.head.predicate in ("for", "is_a") and len(body) > 1 and _has_name(rule.head)


def _has_name(head: Atom) -> bool:
    return isinstance(head.arguments[0 if head.predicate == "for" else 1], str)


def _goal_key(head: Atom) -> tuple[str, str]:
    return head.predicate, str(head.arguments[0 if head.predicate == "for" else 1])


def _guarded(rule: Rule, slice_: Slice) -> Iterator[Rule]:
    """The rule once for each way in which its head is asked; a rule that can't cost more than the
    facts it reads stays as it is."""
    if not _joins(rule):
        yield rule
        return
    key = _goal_key(rule.head)
    names = [name for name in slice_.goals if name.key == key]
    if any("b" not in name.mode for name in names):
        yield rule
        return
    terms = rule.head.arguments[1:] if key[0] == "for" else rule.head.arguments[:1]
    for name in names:
        if name.wanted:
            wanted = "want" if key[0] == "for" else "want_a"
            guards = [Atom(wanted, rule.head.arguments)]
        else:
            guards = [
                Atom("seek", (*key, name.mode, place, term))
                for place, (term, kind) in enumerate(zip(terms, name.mode, strict=True))
                if kind == "b"
            ]
        yield Rule(rule.head, (*guards, *rule.body), rule.origin)


def _goal_text(slice_: Slice, keys: set[tuple[str, str]]) -> str:
    """What is asked of the relations and classes with joining rules."""
    return "\n".join(
        _seek(name, places) for name, places in slice_.goals.items() if name.key in keys
    )


def _seek(name: GoalName, places: tuple[Ids, ...]) -> str:
    if name.wanted:
        return ""
    head = ",".join(map(symbol, (*name.key, name.mode)))
    return "".join(
        f"seek({head},{place},{pool(ids)})."
        for place, (ids, kind) in enumerate(zip(places, name.mode, strict=True))
        if kind == "b" and len(ids)
    )


# ---------------------------------------------------------------- answers


def _read(shown: Sequence[str], requests: Sequence[Request]) -> list[Decisions]:
    """The decisions in the solver's shown atoms, all of whose arguments are numbers."""
    found: dict[str, list[str]] = defaultdict(list)
    for text in shown:
        predicate, _, rest = text.partition("(")
        found[predicate].append(rest[:-1])
    columns = {predicate: _Columns(texts, requests) for predicate, texts in found.items()}
    nothing = _Columns([], requests)
    return [
        _decisions(number, request, lambda name: columns.get(name, nothing))
        for number, request in enumerate(requests)
    ]


class _Columns:
    """Shown atoms of one predicate, by request: `question, …` with the rest as whole numbers."""

    def __init__(self, texts: list[str], requests: Sequence[Request]) -> None:
        width = texts[0].count(",") + 1 if texts else 1
        values = np.array(",".join(texts).split(",") if texts else [], np.int64)
        values = values.reshape(-1, width)
        values = values[np.argsort(values[:, 0], kind="stable")]
        bounds = np.searchsorted(values[:, 0], np.arange(len(requests) + 1))
        self._values, self._bounds = values, bounds

    def of(self, number: int) -> list[Ids]:
        """The arguments after the first, as columns, of the atoms of one request."""
        part = self._values[self._bounds[number] : self._bounds[number + 1]]
        return [part[:, column] for column in range(1, part.shape[1])]


def _decisions(number: int, request: Request, columns: Callable[[str], _Columns]) -> Decisions:
    ids = np.array(request.candidates, np.int64)
    order = np.argsort(ids)

    def places(values: Ids) -> Ids:
        return order[np.searchsorted(ids, values, sorter=order)]

    template = request.template
    shape = (len(ids), len(template.constraints))
    statuses = np.zeros(shape, np.int8)
    derived, assumed, inferred = np.zeros((3, *shape), np.bool_)
    for name in STATUSES[1:]:
        if pair := columns(name).of(number):
            statuses[places(pair[1]), pair[0]] = STATUSES.index(name)
    for name, marks in (
        ("derived", derived),
        ("supposed", assumed),
        ("inferred", inferred),
    ):
        if pair := columns(name).of(number):
            marks[places(pair[1]), pair[0]] = True
    verdicts = np.full(len(ids), VERDICTS.index("unk"), np.int8)
    for name, verdict in (("accept", "sat"), ("reject", "viol")):
        for candidates in columns(name).of(number):
            verdicts[places(candidates)] = VERDICTS.index(verdict)
    supports = [0] * len(ids)
    if limbs := columns("support").of(number):
        for place, limb, value in zip(
            places(limbs[0]).tolist(), limbs[1].tolist(), limbs[2].tolist(), strict=True
        ):
            supports[place] += value * LIMB**limb
    whole = int(template.total * template.scale)
    nothing = np.zeros(shape, np.bool_)
    return Decisions(verdicts, supports, whole, statuses, derived, assumed, inferred, nothing)
