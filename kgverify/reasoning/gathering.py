"""Gathers, in vectorised batches, the evidence that a set of questions can look at.

A network of *goals* is laid over the specialised rules.  A goal asks for the evidence about one
relation or class, with some arguments known (`bb`: both, `bf`: the subject, `fb`: the object, `ff`:
none; `b-` and `-b`: one known, and whether there is any counterpart is all that matters).  Known
values flow in, matching facts are fetched from the store in one look-up for all values, the values
found flow on to the goals of the rules' next atoms, until nothing new turns up.

Only sets of values flow, not the pairs they came from, so a slice may hold more facts than needed;
it never holds fewer.  That is what keeps the verdicts equal to those over the whole graph.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from kgverify.reasoning.datalog import Aggregate, Argument, Atom, Compare, Rule, Variable
from kgverify.reasoning.knowledge import SUBCLASS, TYPE, Knowledge
from kgverify.reasoning.layers import Ids, Layer

Key = tuple[str, str]  # an evidence predicate and a relation or class
EVIDENCE = frozenset(
    (
        *("for", "against", "is_a", "isnt_a", "maybe", "maybe_a", "clouded"),
        *("open", "listed", "unlisted", "undecided", "counted", "doubled", "shadowed"),
        *("period", "during", "dated", "present"),
        *("may", "may_a", "touch", "touch_a"),
    )
)
OF_CLASSES = ("is_a", "isnt_a", "maybe_a", "may_a", "touch_a")
# What only says which atoms matter; the goals know that.
GUARDS = frozenset(("want", "want_a", "listing", "seek"))
# What gives terms values.
BINDING = frozenset(("for", "is_a", "may", "may_a", "during", "period", "present"))
Columns = TypeVar("Columns", tuple[Ids, Ids], tuple[Ids, Ids, Ids])
_NONE: Ids = np.empty(0, np.int64)


@dataclass
class Slice:
    """The gathered evidence, as parallel id arrays by relation; each fact once."""

    triples: dict[str, tuple[Ids, Ids]] = field(default_factory=dict)
    denied: dict[str, tuple[Ids, Ids]] = field(default_factory=dict)
    # Stated facts with the numbers of their periods, where these matter.
    timed: dict[str, tuple[Ids, Ids, Ids]] = field(default_factory=dict)
    # What was asked, for the rules that join: the values by place, "-" and "f" places empty.
    goals: dict[GoalName, tuple[Ids, ...]] = field(default_factory=dict)

    def among(self, knowledge: Knowledge) -> Slice:
        """The slice without what this knowledge doesn't state."""
        sides = (self.triples, knowledge.facts), (self.denied, knowledge.denied)
        triples, denied = (
            {name: layer.present(name, *pair) for name, pair in side.items()}
            for side, layer in sides
        )
        timed = {
            name: unique_rows([knowledge.timed(name, np.unique(subjects), np.unique(objects))])
            for name, (subjects, objects, _) in self.timed.items()
        }
        return Slice(triples, denied, timed, self.goals)

    def __len__(self) -> int:
        return sum(len(pair[0]) for side in (self.triples, self.denied) for pair in side.values())


@dataclass(frozen=True, slots=True)
class GoalName:
    """`wanted` goals come from the questions themselves: their pairs are known exactly.  `apart`
    goals serve rules that must not see what other askers of the same evidence find."""

    key: Key
    mode: str
    wanted: bool = False
    apart: bool = False


class Bag:
    """A growing set of ids; what is new in it flows on to whoever listens."""

    def __init__(self, queue: deque[tuple[Callable[[Ids], None], Ids]]) -> None:
        self.values: Ids = _NONE
        self._queue = queue
        self._listeners: list[Callable[[Ids], None]] = []

    def add(self, values: Ids) -> None:
        """Add ids, ascending and each once."""
        new = values
        if len(self.values):
            new = values[~_among(values, self.values)]
        if len(new):
            # An array that is new as a whole is passed on as it is: later stages know it again.
            self.values = _merged(self.values, new) if len(self.values) else new
            self._queue += [(listener, new) for listener in self._listeners]

    def listen(self, listener: Callable[[Ids], None]) -> None:
        """Call `listener` with what is here already and with all that comes."""
        self._listeners.append(listener)
        if len(self.values):
            self._queue.append((listener, self.values))


@dataclass(frozen=True)
class Goal:
    """`places` holds one bag for each argument: known values flow in, found values out."""

    key: Key
    mode: str
    places: tuple[Bag, ...]


class Gatherer:
    """Gathers over one `Knowledge` by the rules of its schema and rule file.

    `partial` are rules without some of their conditions; what the rest of them asks for is gathered
    as well, for the atoms of the questions themselves."""

    def __init__(
        self, knowledge: Knowledge, rules: Sequence[Rule], partial: Sequence[Rule] = ()
    ) -> None:
        self._knowledge = knowledge
        self._rules, self._partial = _by_key(rules), _by_key(partial)
        self._queue: deque[tuple[Callable[[Ids], None], Ids]] = deque()
        self._goals: dict[GoalName, Goal] = {}
        self._new: list[tuple[Goal, bool]] = []  # goals that are not connected yet
        self._triples: dict[str, list[tuple[Ids, Ids]]] = defaultdict(list)
        self._denied: dict[str, list[tuple[Ids, Ids]]] = defaultdict(list)
        self._timed: dict[str, list[tuple[Ids, Ids, Ids]]] = defaultdict(list)
        self._classes = knowledge.hierarchy
        self._last_types: tuple[Ids, tuple[Ids, Ids]] | None = None

    def ask(self, key: Key, *values: Ids) -> None:
        """Ask, for questions, for the evidence about `key`: values by place, one for each atom."""
        goal = self._goal(key, "b" * len(values), wanted=True)
        for bag, known in zip(goal.places, values, strict=True):
            bag.add(_distinct(known))
        if key[0] in ("for", "against") and self._layer(key)[0].stores(key[1]):
            # The pairs of a question are known exactly; to fetch all between the two sets would
            # mix the questions of a batch.
            layer, record = self._layer(key)
            found = layer.present(key[1], *values)
            if len(found[0]):
                record[key[1]].append(found)

    def touch(self, key: Key, *values: Ids) -> None:
        """Ask for all that an atom can lead to, or clash with, were it true or false: the key's
        predicate is `touch` or `touch_a`.  Only the rules of completions have such heads."""
        for bag, known in zip(self._goal(key, "b" * len(values)).places, values, strict=True):
            bag.add(_distinct(known))

    def run(self) -> Slice:
        """Follow every goal to its end; the slice of all that was asked so far."""
        while self._new or self._queue:
            if self._new:
                self._build(*self._new.pop())
            else:
                listener, values = self._queue.popleft()
                listener(values)
        facts = dict(self._triples)
        pairs = self._classes.pairs()
        if pairs:
            facts[SUBCLASS] = [pairs]
        return Slice(
            {name: unique_pairs(found) for name, found in facts.items()},
            {name: unique_pairs(found) for name, found in self._denied.items()},
            {name: unique_rows(found) for name, found in self._timed.items()},
            {name: tuple(bag.values for bag in g.places) for name, g in self._goals.items()},
        )

    # ------------------------------------------------------------ goals

    def _goal(self, key: Key, mode: str, wanted: bool = False, apart: bool = False) -> Goal:
        name = GoalName(key, mode, wanted, apart)
        goal = self._goals.get(name)
        if goal is None:
            goal = Goal(key, mode, tuple(Bag(self._queue) for _ in mode))
            self._goals[name] = goal
            self._new.append((goal, wanted))
        return goal

    def _build(self, goal: Goal, wanted: bool) -> None:
        """Connect a new goal to the store and to the rules that may answer it."""
        if goal.key[0] == "is_a":
            self._class_goal(goal)
            if wanted:
                for rule in self._partial[goal.key]:
                    self._lay(rule, goal)
            return
        if goal.key[0] in ("may", "may_a"):
            self._possible_goal(goal)
            return
        if goal.key[0] == "isnt_a":
            self._denied_class_goal(goal)
        elif goal.key[0] == "touch_a":
            self._pass_upwards(goal)
        elif goal.key[0] in ("for", "against") and not wanted:
            layer, record = self._layer(goal.key)
            if layer.stores(goal.key[1]):
                self._relation_goal(goal, layer, record)
        elif goal.key[0] == "period":
            self._period_goal(goal)
        for rule in self._rules[goal.key]:
            self._lay(rule, goal)
        if wanted:
            for rule in self._partial[goal.key]:
                self._lay(rule, goal)

    def _layer(self, key: Key) -> tuple[Layer, dict[str, list[tuple[Ids, Ids]]]]:
        """Where the stored facts for a goal are, and where the found ones go."""
        if key[0] == "for":
            return self._knowledge.facts, self._triples
        return self._knowledge.denied, self._denied

    def _relation_goal(
        self, goal: Goal, layer: Layer, record: dict[str, list[tuple[Ids, Ids]]]
    ) -> None:
        """Fetch the stored facts that match the goal."""
        name, some = goal.key[1], "-" in goal.mode

        def look_up(left: Ids | None, right: Ids | None) -> tuple[Ids, Ids]:
            if left is not None and right is not None:
                return layer.between(name, left, right)
            if left is not None:
                return (layer.some_object if some else layer.from_subjects)(name, left)
            if right is not None:
                return (layer.some_subject if some else layer.from_objects)(name, right)
            return layer.all(name)

        self._stored(goal, look_up, lambda found: record[name].append(found))

    def _period_goal(self, goal: Goal) -> None:
        """Fetch the stated facts that match the goal, of any rank, with their periods."""
        name = goal.key[1]
        self._stored(
            goal,
            lambda left, right: self._knowledge.timed(name, left, right),
            lambda found: self._timed[name].append(found),
        )

    def _stored(
        self,
        goal: Goal,
        look_up: Callable[[Ids | None, Ids | None], Columns],
        keep: Callable[[Columns], None],
    ) -> None:
        """Look up what is stored for the known values of a goal, and let the values found flow on;
        None stands for any value."""
        subjects, objects = goal.places

        def fetch(left: Ids | None, right: Ids | None) -> None:
            found = look_up(left, right)
            if len(found[0]):
                keep(found)
                for place, column, mode in zip(goal.places, found, goal.mode, strict=False):
                    if mode == "f":
                        place.add(_distinct(column))

        match goal.mode:
            case "bb":
                subjects.listen(lambda new: fetch(new, objects.values))
                objects.listen(lambda new: fetch(subjects.values, new))
            case "bf" | "b-":
                subjects.listen(lambda new: fetch(new, None))
            case "fb" | "-b":
                objects.listen(lambda new: fetch(None, new))
            case _:
                fetch(None, None)

    def _class_goal(self, goal: Goal) -> None:
        """Fetch stored types; look further only for members that these don't settle."""
        cls, (members,) = goal.key[1], goal.places
        missing = Bag(self._queue)
        onward = Goal(goal.key, goal.mode, (missing if goal.mode == "b" else members,))

        def fetch(new: Ids) -> None:
            entities, classes = self._types(new)
            settled = _distinct(entities[self._classes.under(classes, cls)])
            missing.add(new[~_among(new, settled)] if len(settled) else new)

        if goal.mode == "b":
            members.listen(fetch)
        else:
            ids = self._classes.below(cls)
            entities, classes = self._knowledge.facts.from_objects(TYPE, ids)
            self._classes.under(classes, cls)
            self._triples[TYPE].append((entities, classes))
            members.add(_distinct(entities))
        for rule in self._rules[goal.key]:
            self._lay(rule, onward)
        for name in self._classes.named_below(cls)[1:]:
            (lower,) = self._goal(("is_a", name), goal.mode).places
            if goal.mode == "b":
                missing.listen(lower.add)
            else:
                lower.listen(members.add)

    def _types(self, entities: Ids) -> tuple[Ids, Ids]:
        """The stored types of these entities.  Many goals ask about the same ones in turn."""
        if self._last_types is None or self._last_types[0] is not entities:
            found = self._knowledge.facts.from_subjects(TYPE, entities)
            self._triples[TYPE].append(found)
            self._last_types = entities, found
        return self._last_types[1]

    def _denied_class_goal(self, goal: Goal) -> None:
        """Fetch denied types; what refutes a class above refutes this one."""
        (members,) = goal.places

        def fetch(new: Ids) -> None:
            self._denied[TYPE].append(self._knowledge.denied.from_subjects(TYPE, new))

        members.listen(fetch)
        self._pass_upwards(goal)

    def _pass_upwards(self, goal: Goal) -> None:
        """Ask the same of the classes above."""
        (members,) = goal.places
        for name in self._classes.named_above(goal.key[1]):
            if name != goal.key[1]:
                members.listen(self._goal((goal.key[0], name), "b").places[0].add)

    def _possible_goal(self, goal: Goal) -> None:
        """Find what there is evidence for, and what is touched and may be true as well."""
        evidence, touched = ("for", "touch") if goal.key[0] == "may" else ("is_a", "touch_a")
        known = self._goal((evidence, goal.key[1]), goal.mode, apart=True)
        others = self._goal((touched, goal.key[1]), "b" * len(goal.mode))
        for mode, place, bag, other in zip(
            goal.mode, goal.places, known.places, others.places, strict=True
        ):
            if mode == "b":
                place.listen(bag.add)
            elif mode == "f":
                bag.listen(place.add)
                other.listen(place.add)

    # ------------------------------------------------------------ rules

    def _lay(self, rule: Rule, goal: Goal) -> None:
        """Connect a rule to a goal that its head may answer, and its body to goals of its own."""
        bags: dict[Argument, Bag] = defaultdict(lambda: Bag(self._queue))
        known: set[Argument] = set()
        head = _terms(rule.head)
        for term, place, mode in zip(head, goal.places, goal.mode, strict=True):
            if mode == "b" and isinstance(term, Variable):
                place.listen(bags[term].add)
                known.add(term)
        atoms = [c.atom if isinstance(c, Aggregate) else c for c in rule.body]
        body = [c for c in atoms if isinstance(c, Atom) and c.predicate in EVIDENCE]
        equal = [c for c in rule.body if isinstance(c, Compare) and c.operator == "="]
        # Where the goal asks only whether there is a counterpart, the head needs none by itself.
        some = tuple(t for t, mode in zip(head, goal.mode, strict=True) if mode == "-")
        counts = _Occurrences(rule, some)
        for term in {t for atom in (*body, rule.head) for t in _terms(atom)} | {
            side for c in equal for side in (c.left, c.right)
        }:
            if not isinstance(term, Variable):
                bags[term].add(np.array([term], np.int64))
                known.add(term)
        for atom in rule.body:
            if isinstance(atom, Atom) and atom.predicate == "blank":
                bags[atom.arguments[0]].add(self._knowledge.blanks)
                known.add(atom.arguments[0])
        self._equate(equal, bags, known)
        positive = [a for a in body if a.predicate in BINDING and not a.absent]
        later = [a for a in body if a not in positive]
        while positive:
            atom = max(positive, key=lambda a: sum(t in known for t in _terms(a)) / len(_terms(a)))
            positive.remove(atom)
            self._connect(atom, bags, known, counts)
            self._equate(equal, bags, known)
        for atom in later:
            self._connect(atom, bags, known, counts)
        for term, place, mode in zip(head, goal.places, goal.mode, strict=True):
            if mode == "f":
                bags[term].listen(place.add)

    def _equate(
        self, equal: list[Compare], bags: dict[Argument, Bag], known: set[Argument]
    ) -> None:
        """Let the values of one side of `=` flow to a side that is not known yet."""
        for comparison in equal * len(equal):
            for here, there in (
                (comparison.left, comparison.right),
                (comparison.right, comparison.left),
            ):
                if here in known and there not in known:
                    bags[here].listen(bags[there].add)
                    known.add(there)

    def _connect(
        self,
        atom: Atom,
        bags: dict[Argument, Bag],
        known: set[Argument],
        counts: _Occurrences,
    ) -> None:
        terms = _terms(atom)
        mode = "".join("b" if t in known else "f" for t in terms)
        if len(terms) == 2 and mode != "ff":
            mode = "".join(
                "-" if m == "f" and counts.of(t) == 1 else m
                for m, t in zip(mode, terms, strict=True)
            )
        key = evidence_key(atom)
        assert key is not None
        goal = self._goal(key, mode)
        for term, place, kind in zip(terms, goal.places, mode, strict=True):
            if kind == "b":
                bags[term].listen(place.add)
            elif kind == "f":
                place.listen(bags[term].add)
                known.add(term)


def _by_key(rules: Sequence[Rule]) -> dict[Key, list[Rule]]:
    found: dict[Key, list[Rule]] = defaultdict(list)
    for rule in rules:
        key = evidence_key(rule.head)
        if key is not None:
            found[key].append(rule)
    return found


def evidence_key(atom: Atom) -> Key | None:
    """The relation or class that an evidence atom is about; None when it is open."""
    if atom.predicate in OF_CLASSES:
        name = atom.arguments[1]
    elif atom.predicate in EVIDENCE:
        name = atom.arguments[0]
    else:
        return None
    return (atom.predicate, str(name)) if not isinstance(name, Variable) else None


def _terms(atom: Atom) -> tuple[Argument, ...]:
    """The arguments of an evidence atom that are terms."""
    if atom.predicate in OF_CLASSES:
        return atom.arguments[:1]
    return atom.arguments[1:3]


class _Occurrences:
    """How often the variables of a rule occur in it, once less for each of `unasked`; counted when
    first asked, as most rules that are laid are never asked."""

    def __init__(self, rule: Rule, unasked: tuple[Argument, ...]) -> None:
        self._rule, self._unasked = rule, unasked

    def of(self, variable: Argument) -> int:
        return self._counts[variable] - self._unasked.count(variable)

    @cached_property
    def _counts(self) -> dict[Argument, int]:
        counts: dict[Argument, int] = defaultdict(int)
        for part in (self._rule.head, *self._rule.body):
            if isinstance(part, Atom) and part.predicate in GUARDS:
                continue  # the head repeats what they say
            for variable in part.atom.variables if isinstance(part, Aggregate) else part.variables:
                # What is counted is looked at, though it occurs nowhere else.
                counts[variable] += 2 if isinstance(part, Aggregate) else 1
        return counts


def _among(values: Ids, known: Ids) -> NDArray[np.bool_]:
    """Which values are in `known`, ascending and not empty.  bool[n]"""
    places = np.minimum(np.searchsorted(known, values), len(known) - 1)
    found: NDArray[np.bool_] = known[places] == values
    return found


def _merged(one: Ids, other: Ids) -> Ids:
    """Two ascending arrays that share nothing as one; a stable sort merges sorted runs."""
    both = np.concatenate((one, other))
    both.sort(kind="stable")
    return both


def unique_rows(found: list[tuple[Ids, Ids, Ids]]) -> tuple[Ids, Ids, Ids]:
    """Facts with their periods, each once."""
    rows = np.unique(
        np.stack([np.concatenate(column) for column in zip(*found, strict=True)]), axis=1
    )
    return rows[0], rows[1], rows[2]


def _distinct(values: Ids) -> Ids:
    """The values, ascending, each once.  (np.unique hashes first, which is slower here.)"""
    ordered = np.sort(values)
    return (
        ordered[np.concatenate(([True], ordered[1:] != ordered[:-1]))] if len(ordered) else values
    )


def unique_pairs(found: list[tuple[Ids, Ids]]) -> tuple[Ids, Ids]:
    """The pairs, sorted, each once."""
    left = np.concatenate([pair[0] for pair in found])
    right = np.concatenate([pair[1] for pair in found])
    packed = _distinct(left << 32 | right)
    return packed >> 32, packed & 0xFFFFFFFF
