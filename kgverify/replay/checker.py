"""An independent check of proofs: does what a proof cites suffice, without anything else?

The checker gets the citations of a proof and the rule file's own statements, and derives evidence
from these alone.  It is plain Python and shares nothing with the encodings, the solver or the
search for proofs: each statement becomes a few implications, written down here a second time from
the definition of the semantics, and their conclusions are tabled goal by goal.

Along with each conclusion it keeps which citations *every* derivation of it uses.  A proof is
minimal when that is all of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import combinations

from msgspec import structs

from kgverify.errors import Problem
from kgverify.graph.terms import compatible, is_exact, value_key
from kgverify.language import syntax as s
from kgverify.language.printing import rule_text
from kgverify.language.rulebook import DATATYPES, RuleBook
from kgverify.replay import times
from kgverify.replay.clauses import Clause, Implication, Pattern, Var, X, Y, Z
from kgverify.replay.names import Names, joins
from kgverify.replay.periods import ALWAYS, holds_throughout, period, surely_meet
from kgverify.replay.values import compares
from kgverify.replay.views import KINDS, Cited, declared, view_implications
from kgverify.vocabulary import Citation, Claim, Explanation, Proof

TYPE, SUBCLASS = "rdf:type", "rdfs:subClassOf"


Goal = tuple[str | None, ...]  # None stands for any term
Fact = tuple[str, ...]  # ("for", r, s, o), ("against", …), ("is", c, e), ("isnt", c, e),
#                         ("absent", r, s, o), ("differ", a, b), ("term", t); of relations and
#                         paths also ("listed", r, s), ("single", r), ("lone", r); of periods
#                         ("held", r, s, o, p), and ("current", r, s, o, p) of the best rank


def underivable(proof: Proof, book: RuleBook) -> list[str]:
    """What of a proof can't be derived from its citations; empty when it replays."""
    return _Checker(proof, book).faults()


def needed(proof: Proof, book: RuleBook) -> frozenset[int] | None:
    """The places of the citations that the proof can't do without; None when it doesn't replay."""
    checker = _Checker(proof, book)
    if checker.faults():
        return None
    bits = checker.need()
    return frozenset(
        place
        for place, citation in enumerate(proof.citations)
        if bits >> place & 1 or (citation.kind == "same" and underivable(_less(proof, place), book))
    )


def _less(proof: Proof, place: int) -> Proof:
    """The proof without one of its citations."""
    rest = proof.citations[:place] + proof.citations[place + 1 :]
    return structs.replace(proof, citations=rest)


def check_statuses(explanation: Explanation, book: RuleBook) -> list[Problem]:
    """Everything in an explanation that doesn't follow from what it cites: statuses without a
    proof, proofs that don't replay, and a verdict that isn't the conjunction of its required
    constraints."""
    problems = []
    statuses = []
    for explained in explanation.constraints:
        constraint, proof = explained.constraint, explained.proof
        if constraint.required:
            statuses.append(constraint.status)
        if proof is None:
            if constraint.status != "unk":
                problems.append(_fault(f"`{constraint.text}` is {constraint.status} without proof"))
            continue
        expected = "unk" if proof.status == "conflict" else proof.status
        if constraint.status != expected:
            problems.append(
                _fault(f"`{constraint.text}` is {constraint.status}, its proof {proof.status}")
            )
        for what in underivable(proof, book):
            problems.append(_fault(f"`{what}` does not follow from what is cited"))
    verdict = "viol" if "viol" in statuses else "sat" if set(statuses) == {"sat"} else "unk"
    if verdict != explanation.verdict:
        problems.append(_fault(f"the verdict is {verdict}, not {explanation.verdict}"))
    return problems


def _fault(message: str) -> Problem:
    return Problem("not-replayed", message)


class _Checker:
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
            case "absence" if len(terms) == 2 and not _is_vague(terms[0]):
                self._leaf(("absent", name, *terms), bit)
            case "listing" if terms:
                self._listings.setdefault((name, terms[0]), (frozenset(terms[1:]), bit))
            case "identity" if len(terms) > 1 and _all_differ(terms):
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


def _is_vague(key: str) -> bool:
    """May the term be anything: a blank node, or a value that can't be read?"""
    return key.startswith(("b", "lill "))


def _may_differ(one: str, other: str) -> bool:
    """Can two terms be provably different, as far as their keys tell?"""
    vague = _is_vague(one) or _is_vague(other)
    return one != other and not vague and not compatible(one, other)


def _all_differ(terms: Sequence[str]) -> bool:
    return all(_may_differ(one, other) for one, other in combinations(terms, 2))


# Conditions that the terms themselves meet.
_TESTS: dict[str | Var, Callable[..., bool]] = {
    "exact": is_exact,
    "known": lambda term: not _is_vague(term),
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


# ---------------------------------------------------------------- what statements mean


class Statements:
    """The statements of a rule file, each as implications of its own."""

    def __init__(self, book: RuleBook, asked: Sequence[times.Asked] = ()) -> None:
        self.book = self._book = book
        self.relations = book.relations
        self._asked = asked

    def implications(
        self, statement: tuple[str, ...], pick: Callable[[Sequence[str]], str]
    ) -> list[Clause] | None:
        """What a cited statement implies; None when the rule file doesn't say it.

        `pick` chooses the key of a constant among those that it may have."""
        name, *arguments = statement
        if name == "rule":
            rule = self._rules.get(arguments[0])
            return None if rule is None else [_rule(self._book, rule, pick)]
        if not self._says(statement):
            return None
        names = [self.class_key(a) if a in self._book.classes else a for a in arguments]
        if name == "complete_subject":
            names[1] = pick(names[1:])
        return [*_meaning(name, names), *times.meaning_in_time(name, names, self._asked)]

    def class_key(self, name: str) -> str:
        """The term key of a class of the rule file."""
        return "e" + self._book.kg_name(name) if name in self._book.classes else name

    @cached_property
    def _rules(self) -> dict[str, s.Rule]:
        return {rule_text(rule): rule for rule in self._book.rules if rule.body}

    @cached_property
    def _declared(self) -> set[tuple[str, ...]]:
        """Everything that the declarations say, one property each."""
        book = self._book
        found: set[tuple[str, ...]] = set()
        for relation in book.relations.values():
            name = relation.name.text
            found |= {("domain", name, relation.domain.text), ("range", name, relation.range.text)}
            for item in relation.properties:
                found.add((item.kind, name, *([item.target.text] if item.target else [])))
        for one, other, _ in book.disjoint_pairs:
            kind = "disjoint_classes" if one in book.classes else "disjoint"
            found.add((kind, one, other))
        for complete in book.complete:
            if complete.cls:
                found.add(("complete_for", complete.relation.text, complete.cls.text))
            elif not complete.subjects:
                found.add(("complete", complete.relation.text))
        return found

    def _says(self, statement: tuple[str, ...]) -> bool:
        return (
            statement in self._declared
            or self._is_complete_subject(statement)
            or declared(self._book, statement)
        )

    def _is_complete_subject(self, statement: tuple[str, ...]) -> bool:
        return any(
            statement == ("complete_subject", complete.relation.text, "e" + id_)
            for complete in self._book.complete
            for subject in complete.subjects
            for id_ in self._book.entity_ids(subject)
        )


def _meaning(kind: str, names: Sequence[str]) -> Iterable[Clause]:
    """What a declaration implies; relations by name, classes and entities by key."""
    r, q = names[0], names[-1]
    match kind:
        case "symmetric":
            yield ("for", r, X, Y), (("for", r, Y, X),)
            yield ("against", r, X, Y), (("against", r, Y, X),)
        case "transitive":
            yield ("for", r, X, Z), (("for", r, X, Y), ("for", r, Y, Z))
        case "inverse":
            for one, other in ((r, q), (q, r)):
                yield ("for", other, Y, X), (("for", one, X, Y),)
                yield ("against", other, Y, X), (("against", one, X, Y),)
        case "subrelation":
            yield ("for", q, X, Y), (("for", r, X, Y),)
            yield ("against", r, X, Y), (("against", q, X, Y),)
        case "functional":
            yield ("against", r, X, Y), (("for", r, X, Z), ("differ", Y, Z))
            yield ("single", r), ()
        case "inverse_functional":
            yield ("against", r, X, Y), (("for", r, Z, Y), ("differ", X, Z))
            yield ("lone", r), ()
        case "asymmetric":
            yield ("against", r, X, Y), (("for", r, Y, X),)
            yield ("against", r, X, X), (("term", X),)
        case "irreflexive":
            yield ("against", r, X, X), (("term", X),)
        case "disjoint":
            yield ("against", r, X, Y), (("for", q, X, Y),)
            yield ("against", q, X, Y), (("for", r, X, Y),)
        case "domain":
            yield ("is", q, X), (("for", r, X, Y),)
            yield ("against", r, X, Y), (("isnt", q, X), ("term", Y))
            yield ("listed", r, X), (("isnt", q, X),)
        case "range":
            yield ("is", q, Y), (("for", r, X, Y),)
            yield ("against", r, X, Y), (("isnt", q, Y), ("term", X))
        case "disjoint_classes":
            yield ("isnt", r, X), (("is", q, X),)
            yield ("isnt", q, X), (("is", r, X),)
        case "complete":
            yield ("against", r, X, Y), (("absent", r, X, Y),)
            yield ("listed", r, X), (("known", X),)
        case "complete_for":
            yield ("against", r, X, Y), (("absent", r, X, Y), ("is", q, X))
            yield ("listed", r, X), (("is", q, X), ("known", X))
        case "complete_subject":
            yield ("against", r, q, Y), (("absent", r, q, Y),)
            yield ("listed", r, q), (("known", q),)
        case "single":
            yield ("single", r), ()
        case "starts":
            yield ("listed", r, X), (("isnt", q, X),)
        case "ends":
            yield ("against", r, X, Y), (("isnt", q, Y), ("term", X))
        case "alike":
            yield ("listed", r, X), (("listed", q, X),)


def _rule(book: RuleBook, rule: s.Rule, pick: Callable[[Sequence[str]], str]) -> Clause:
    """A hard rule as an implication."""
    anonymous = iter(range(len(rule.body) * 2))
    values = _value_variables(book, (rule.head, *rule.body))

    def term(written: s.Term, datatype: str = "") -> str | Var:
        if written.kind is s.TermKind.ANONYMOUS:
            return Var(f"_{next(anonymous)}")
        if written.is_variable:
            return Var(written.text)
        if datatype:
            return value_key(written.text, datatype)
        return pick(["e" + id_ for id_ in book.entity_ids(written)])

    def pattern(condition: s.Condition) -> Pattern:
        if isinstance(condition, s.Comparison):
            datatype = _side(condition, values)
            sides = tuple(term(side, datatype) for side in condition.terms)
            return ("equal" if condition.operator == "=" else "differ", *sides)
        atom = condition.atom
        if isinstance(atom, s.ClassAtom):
            cls = "e" + book.kg_name(atom.cls.text)
            return "isnt" if condition.negated else "is", cls, term(atom.term)
        subject, object_ = atom.arguments
        sign, name = "against" if condition.negated else "for", atom.relations[0].text
        return sign, name, term(subject), term(object_, _range(book, name))

    joined = [("exact", Var(name)) for name in _joined(rule, values)]
    return pattern(rule.head), (*map(pattern, rule.body), *joined)


def _joined(rule: s.Rule, values: dict[str, str]) -> list[str]:
    """The variables for values that several conditions of a body must agree on: a value that is
    not known exactly is not provably the same twice."""
    agreed = [
        term.text
        for condition in dict.fromkeys(rule.body)
        if (condition.operator == "=" if isinstance(condition, s.Comparison) else True)
        and not (isinstance(condition, s.Literal) and condition.negated)
        for term in condition.terms
        if term.kind is s.TermKind.VARIABLE and term.text in values
    ]
    return [name for name in dict.fromkeys(agreed) if agreed.count(name) > 1]


def _range(book: RuleBook, relation: str) -> str:
    """The datatype of a relation's objects, "" when they are entities."""
    name = book.relations[relation].range.text
    return name if name in DATATYPES else ""


def _value_variables(book: RuleBook, parts: Iterable[s.Condition]) -> dict[str, str]:
    """The variables that stand for values, with their datatypes."""
    found = {}
    for part in parts:
        if isinstance(part, s.Literal) and isinstance(part.atom, s.RelationAtom):
            datatype, object_ = _range(book, part.atom.relation.text), part.atom.arguments[1]
            if datatype and object_.is_variable:
                found[object_.text] = datatype
    return found


def _side(comparison: s.Comparison, values: dict[str, str]) -> str:
    """The datatype of the two sides of a comparison, "" when they are entities."""
    for side in comparison.terms:
        if side.is_variable and side.text in values:
            return values[side.text]
    looks = {s.TermKind.NUMBER: "number", s.TermKind.DATE: "date"}
    kinds = {looks.get(side.kind, "") for side in comparison.terms}
    return kinds.pop() if len(kinds) == 1 else ""
