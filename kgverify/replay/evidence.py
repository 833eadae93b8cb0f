"""Evidence that is derived again: what the citations of a proof say for and against its claim.

It is plain Python and shares nothing with the encodings, the solver or the search for proofs: the
implications of the statements (`replay/statements.py`) have their conclusions tabled goal by goal.
Along with each conclusion it keeps which citations *every* derivation of it uses.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from kgverify.graph.terms import compatible, is_exact
from kgverify.language.rulebook import RuleBook
from kgverify.replay import times
from kgverify.replay.clauses import Implication, Pattern, Var, X, Y, Z
from kgverify.replay.names import Names, joins
from kgverify.replay.periods import ALWAYS, holds_throughout, period, surely_meet
from kgverify.replay.statements import Statements
from kgverify.replay.values import compares
from kgverify.replay.views import KINDS, Cited, view_implications
from kgverify.vocabulary import Citation, Claim, Proof

TYPE, SUBCLASS = "rdf:type", "rdfs:subClassOf"


Goal = tuple[str | None, ...]  # None stands for any term
Fact = tuple[str, ...]  # ("for", r, s, o), ("against", …), ("is", c, e), ("isnt", c, e),
#                         ("absent", r, s, o), ("differ", a, b), ("term", t); of relations and
#                         paths also ("listed", r, s), ("single", r), ("lone", r); of periods
#                         ("held", r, s, o, p), and ("current", r, s, o, p) of the best rank


class Evidence:
    """One proof, with its citations read as implications and facts."""

    def __init__(self, proof: Proof, book: RuleBook) -> None:
        self._proof = proof
        same = [
            (c.terms[0], c.terms[1])
            for c in proof.citations
            if c.kind == "same" and joins(c.name, c.terms, book)
        ]
        self._names = Names(same)
        self._asked = dict.fromkeys(when for _, when in _timed(proof.claim))
        self._statements = Statements(book, [*self._asked])
        self._implications: dict[tuple[str, str], list[Implication]] = defaultdict(list)
        self._leaves: dict[tuple[str, str], dict[Fact, int]] = defaultdict(dict)
        self._tables: dict[Goal, dict[Fact, int]] = {}
        self._readers: dict[Goal, dict[Goal, None]] = defaultdict(dict)
        self._opened: list[Goal] = []  # goals that are new since the last look
        self._unread: list[str] = []
        self._terms = {*_claimed(proof.claim), *(key for pair in same for key in pair)}
        self._chained: set[str] = set()
        self._listings: dict[tuple[str, str], tuple[frozenset[str], int]] = {}
        self._distinct: list[tuple[tuple[str, ...], int]] = []
        for citation in proof.citations:
            if citation.kind in ("period", "outranked"):
                self._terms |= set(citation.terms[:2])
            elif citation.kind != "statement":
                self._terms |= set(citation.terms)
            elif citation.name == "transitive":
                self._chained |= set(citation.terms)
        for place, citation in enumerate(proof.citations):
            if not self._read(citation, 1 << place):
                self._unread.append(citation.text)
        for claim in dict.fromkeys(_views(proof.claim)):
            cited = Cited(self._listings, self._distinct)
            terms = self._names.of(claim.terms)
            for implication in view_implications(claim.kind, claim.name, terms, cited):
                self._add(implication)
        relations = [name for name, _ in _timed(proof.claim)]
        for citation in proof.citations:
            relations += [citation.name, *citation.terms]
        known = [name for name in dict.fromkeys(relations) if name in book.relations]
        for head, body in times.definitions(known, self._asked):
            self._add(Implication(head, body, 0))

    # ------------------------------------------------------------ what is asked

    def faults(self) -> list[str]:
        """What can't be read, or derived."""
        return [*self._unread, *self._missing(self._proof.claim)]

    def need(self) -> int:
        """The citations that all derivations of the claim use, as bits."""
        found = 0
        for goal in self._goals(self._proof.claim):
            found |= self._derive(goal) or 0
        return found

    def lists(self, relation: str, subject: str) -> bool:
        """Does it follow that what is listed of a subject is all there is?"""
        return self._derive(("listed", relation, self._names.one(subject))) is not None

    def _missing(self, claim: Claim) -> list[str]:
        status = self._proof.status
        if claim.kind == "group":
            enough = claim.least if status == "sat" else claim.size - claim.least + 1
            if len(claim.members) < enough or status == "conflict":
                return [claim.text]
            return [text for member in claim.members for text in self._missing(member)]
        if len(claim.terms) != _TERMS.get(claim.kind) or not _is_readable(claim):
            return [claim.text]
        pro, con = (self._derive(goal) is not None for goal in self._sides(claim))
        expected = {"sat": (True, False), "viol": (False, True), "conflict": (True, True)}
        return [] if (pro, con) == expected[status] else [claim.text]

    def _goals(self, claim: Claim) -> Iterator[Fact]:
        if claim.kind == "group":
            for member in claim.members:
                yield from self._goals(member)
            return
        pro, con = self._sides(claim)
        if self._proof.status in ("sat", "conflict"):
            yield pro
        if self._proof.status in ("viol", "conflict"):
            yield con

    def _sides(self, claim: Claim) -> tuple[Fact, Fact]:
        """What speaks for and against a constraint."""
        pair: tuple[Fact, Fact]
        terms = self._names.of(claim.terms)
        match claim.kind:
            case "class":
                cls = self._statements.class_key(claim.name)
                pair = ("is", cls, *terms), ("isnt", cls, *terms)
            case "same":
                pair = ("same", *terms), ("differ", *terms)
            case kind:
                name = claim.name
                if kind in times.KINDS:
                    relation, when = times.asked_relation(claim)
                    name = when.of(relation)
                pair = ("for", name, *terms), ("against", name, *terms)
        return pair[::-1] if claim.negated else pair

    # ------------------------------------------------------------ what is cited

    def _read(self, citation: Citation, bit: int) -> bool:
        """Take a citation in; False when it says nothing that can be used."""
        name, terms = citation.name, self._names.of(citation.terms)
        match citation.kind:
            case "same":
                return joins(name, citation.terms, self._statements.book)
            case "period" | "outranked" if len(terms) == 4 and name in self._statements.relations:
                return self._read_period(citation, bit)
            case "admitted" if len(terms) == 2 and name in self._statements.relations:
                self._leaf(("for", name, *terms), bit)
            case "fact" | "denial" | "assumption" if len(terms) == 2:
                denied = citation.kind != "fact"
                if name == TYPE:
                    self._leaf(("isnt" if denied else "is", terms[1], terms[0]), bit)
                elif name == SUBCLASS and not denied:
                    lower, upper = terms
                    self._add(Implication(("is", upper, X), (("is", lower, X),), bit))
                    self._add(Implication(("isnt", lower, X), (("isnt", upper, X),), bit))
                else:
                    self._leaf(("against" if denied else "for", name, *terms), bit)
            case "absence" if len(terms) == 2 and not is_vague(terms[0]):
                self._leaf(("absent", name, *terms), bit)
            case "listing" if terms:
                self._listings.setdefault((name, terms[0]), (frozenset(terms[1:]), bit))
            case "identity" if len(terms) > 1 and all_differ(terms):
                self._distinct.append((terms, bit))
                if len(terms) == 2:
                    self._leaf(("differ", *terms), bit)
                    self._leaf(("differ", *reversed(terms)), bit)
            case "statement":
                found = self._statements.implications((name, *citation.terms), self._pick)
                for head, body in found or ():
                    self._add(Implication(head, body, bit))
                return found is not None
            case _:
                return False
        return True

    def _read_period(self, citation: Citation, bit: int) -> bool:
        """Take in that a fact is stated for a period."""
        subject, object_, since, until = citation.terms
        span = period(since, until)
        if span is None:
            return False
        said = citation.name, *self._names.of((subject, object_))
        self._leaf(("held", *said, span), bit)
        if citation.kind == "period":
            self._leaf(("current", *said, span), bit)
            self._leaf(("for", *said), bit)
        return True

    def _pick(self, options: Sequence[str]) -> str:
        """The term of a constant that may have several keys: the one that the proof is about."""
        key = next((key for key in options if key in self._terms), options[0])
        return self._names.one(key)

    def _leaf(self, fact: Fact, bit: int) -> None:
        # A fact that is cited twice is needed by neither citation.
        leaves = self._leaves[self._based(fact)[:2]]  # type: ignore[index]
        based = self._based(fact)
        leaves[based] = leaves[based] & bit if based in leaves else bit  # type: ignore[index]

    def _add(self, implication: Implication) -> None:
        head = self._based(implication.head)
        based = Implication(head, implication.body, implication.bits)
        if implication.head[0] == "for" and _is_chain(implication):
            relation = implication.head[1]
            links = (("for", relation, X, Y), ("base", relation, Y, Z))
            based = Implication(("for", relation, X, Z), links, implication.bits)
            self._implications["for", str(relation)].append(
                Implication(("for", relation, X, Y), (("base", relation, X, Y),), 0)
            )
        self._implications[str(based.head[0]), str(based.head[1])].append(based)

    def _based(self, pattern: Pattern) -> Pattern:
        """Evidence for a transitive relation is first of all a link; chains are made of links."""
        if pattern[0] == "for" and pattern[1] in self._chained:
            return ("base", *pattern[1:])
        return pattern

    # ------------------------------------------------------------ deriving

    def _derive(self, goal: Fact) -> int | None:
        """The citations that all derivations of a goal use; None when there is no derivation."""
        if goal[0] == "same":
            return 0 if goal[1] == goal[2] else None
        self._table(goal)
        return self._tables[goal].get(goal)

    def _table(self, goal: Goal) -> None:
        if goal in self._tables:
            return
        self._tables[goal] = {}
        agenda: dict[Goal, None] = {goal: None}
        while agenda:
            pattern = next(iter(agenda))
            del agenda[pattern]
            changed = self._evaluate(pattern)
            agenda |= dict.fromkeys(self._opened)
            self._opened.clear()
            if changed:
                agenda |= self._readers[pattern]

    def _evaluate(self, goal: Goal) -> bool:
        """Apply all implications to a goal once; did its answers change?"""
        answers = self._tables[goal]
        changed = False
        for fact, need in [*self._stated(goal), *self._implied(goal)]:
            old = answers.get(fact)
            new = need if old is None else old & need
            if new != old:
                answers[fact] = new
                changed = True
        return changed

    def _stated(self, goal: Goal) -> Iterator[tuple[Fact, int]]:
        if goal[0] == "term":
            terms = {*map(self._names.one, self._terms)} if goal[1] is None else (goal[1],)
            yield from ((("term", term), 0) for term in terms)
            return
        places = [self._leaves.get((goal[0], goal[1]), {})]  # type: ignore[arg-type]
        if goal[1] is None or goal[0] == "differ":
            places = [found for key, found in self._leaves.items() if key[0] == goal[0]]
        for leaves in places:
            yield from ((fact, bit) for fact, bit in leaves.items() if _matches(goal, fact))

    def _implied(self, goal: Goal) -> Iterator[tuple[Fact, int]]:
        for implication in self._implications.get((str(goal[0]), str(goal[1])), ()):
            values: dict[Var, str] | None = {}
            for want, have in zip(implication.head, goal, strict=True):
                values = _unify(want, have, values)
            if values is not None:
                yield from self._join(goal, implication, list(implication.body), values, 0)

    def _join(
        self,
        goal: Goal,
        implication: Implication,
        todo: list[Pattern],
        values: dict[Var, str],
        need: int,
    ) -> Iterator[tuple[Fact, int]]:
        if not todo:
            head = tuple(_value(part, values) for part in implication.head)
            assert None not in head
            yield head, need | implication.bits  # type: ignore[misc]
            return
        best = todo[0] if len(todo) == 1 else max(todo, key=lambda p: _bound(p, values))
        rest = [part for part in todo if part is not best]
        pattern = tuple(_value(part, values) for part in best)
        if best[0] in _TESTS:
            known = [part for part in pattern[1:] if part is not None]
            if len(known) == len(pattern) - 1 and _TESTS[best[0]](*known):
                yield from self._join(goal, implication, rest, values, need)
            return
        if best[0] == "equal":
            left, right = pattern[1:]
            extended: dict[Var, str] | None = values
            if left is not None:
                extended = _unify(best[2], left, values)
            elif right is not None:
                extended = _unify(best[1], right, values)
            if extended is not None:
                yield from self._join(goal, implication, rest, extended, need)
            return
        self._readers[pattern].setdefault(goal)
        if pattern not in self._tables:
            self._tables[pattern] = {}
            self._opened.append(pattern)
        for fact, used in list(self._tables[pattern].items()):
            found: dict[Var, str] | None = values
            for want, have in zip(best, fact, strict=True):
                found = _unify(want, have, found)
            if found is not None:
                yield from self._join(goal, implication, rest, found, need | used)


def _is_readable(claim: Claim) -> bool:
    return claim.kind not in times.KINDS or times.is_readable(claim)


def _timed(claim: Claim) -> Iterator[tuple[str, times.Asked]]:
    """The relations that a claim is about at a time, or at some time, and when."""
    if claim.kind in times.KINDS:
        yield times.asked_relation(claim)
    for member in claim.members:
        yield from _timed(member)


def _claimed(claim: Claim) -> Iterator[str]:
    yield from claim.terms
    for member in claim.members:
        yield from _claimed(member)


def _views(claim: Claim) -> Iterator[Claim]:
    """The claims about paths, comparisons and counts in a claim."""
    if claim.kind in KINDS and len(claim.terms) == _TERMS[claim.kind]:
        yield claim
    for member in claim.members:
        yield from _views(member)


def is_vague(key: str) -> bool:
    """May the term be anything: a blank node, or a value that can't be read?"""
    return key.startswith(("b", "lill "))


def _may_differ(one: str, other: str) -> bool:
    """Can two terms be provably different, as far as their keys tell?"""
    vague = is_vague(one) or is_vague(other)
    return one != other and not vague and not compatible(one, other)


def all_differ(terms: Sequence[str]) -> bool:
    return all(_may_differ(one, other) for one, other in combinations(terms, 2))


# Conditions that the terms themselves meet.
_TESTS: dict[str | Var, Callable[..., bool]] = {
    "exact": is_exact,
    "known": lambda term: not is_vague(term),
    "meets": lambda operator, value, bound: compares(value, operator, bound) is True,
    "fails": lambda operator, value, bound: compares(value, operator, bound) is False,
    "throughout": holds_throughout,
    "meeting": surely_meet,
    "always": lambda span: span == ALWAYS,
}
# How many terms a claim of a kind has.
_TERMS = {"class": 1, **dict.fromkeys(("same", "relation", *KINDS, *times.KINDS), 2)}


def _is_chain(implication: Implication) -> bool:
    return implication.body == (
        ("for", implication.head[1], X, Y),
        ("for", implication.head[1], Y, Z),
    ) and implication.head[2:] == (X, Z)


def _value(part: str | Var, values: dict[Var, str]) -> str | None:
    return values.get(part) if isinstance(part, Var) else part


def _bound(pattern: Pattern, values: dict[Var, str]) -> tuple[bool, int]:
    """How eagerly to look at a condition: evidence before differences, known terms first."""
    open_ = sum(_value(part, values) is None for part in pattern)
    return pattern[0] not in ("differ", "term", "equal", *_TESTS) or not open_, -open_


def _unify(
    want: str | Var, have: str | None, values: dict[Var, str] | None
) -> dict[Var, str] | None:
    if values is None or have is None:
        return values
    if isinstance(want, Var):
        old = values.get(want)
        if old is None:
            return {**values, want: have}
        want = old
    return values if want == have else None


def _matches(goal: Goal, fact: Fact) -> bool:
    return len(goal) == len(fact) and all(
        want is None or want == have for want, have in zip(goal, fact, strict=True)
    )
