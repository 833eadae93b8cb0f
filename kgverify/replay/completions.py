"""An independent check of what only exact mode decides: no completion is otherwise.

What a proof cites is read as classical clauses over one world: facts hold in it, denied facts
don't, and a statement of the rule file is what its implications say of truth instead of evidence.
A search then looks for a world in which the claim is otherwise.  The proof holds when there is
none.

Only the terms that the citations and the claim name are looked at.  All clauses are universal, so a
part of a completion obeys them too, and the claim is about these terms alone.  An atom that no
clause can make true from what may be true is false: that makes the clauses that it is in true.

What evidence decides is so in every completion (law 1).  So a claim that is about more than an atom
(a path, a comparison, a count, a time, absence that counts as falsehood) has the status that the
evidence in the citations gives it, and may hold or fail where that gives none.  Likewise an atom
that is cited as absent is false where completeness refutes it by evidence, and what differs from
all that is listed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Literal

from msgspec import structs

from kgverify.graph.terms import is_exact
from kgverify.language.rulebook import RuleBook
from kgverify.replay import times
from kgverify.replay.clauses import Clause, P, Pattern, Var, X, Y, Z
from kgverify.replay.evidence import SUBCLASS, TYPE, Evidence, all_differ, is_vague
from kgverify.replay.formulas import Atom, Formula
from kgverify.replay.names import Names, joins
from kgverify.replay.periods import (
    ALWAYS,
    crosses,
    holds_partly,
    holds_throughout,
    includes,
    is_time,
    period,
)
from kgverify.replay.satisfying import Effort, TooMuch
from kgverify.replay.statements import Statements
from kgverify.replay.ways import Ways, is_imagined
from kgverify.vocabulary import Citation, Claim, Proof

Outcome = Literal["holds", "otherwise", "contradictory", "not checked", "unreadable"]
Sought = Literal["otherwise", "as claimed"]

STEPS = 2_000_000  # … that one check may take
_UNSIGNED = {"text": "", "negated": False, "pro": "", "con": ""}
_TRUE = ("claim", "true")  # an atom that always holds
_TERMS = {"class": 1, "same": 2, "relation": 2, "path": 2, "value": 2, "count": 2}
_OF_WORLDS = ("for", "is", "held", "current")
_TESTS = ("differ", "equal", "exact", "term", "throughout", "partly", "always")


def faults(proof: Proof, book: RuleBook) -> list[str]:
    """What keeps an exact proof from holding; empty when no completion is otherwise."""
    match outcome(proof, book):
        case "holds":
            return []
        case "not checked":
            return [f"{proof.claim.text} (not checked: it takes too many steps)"]
        case _:
            return [proof.claim.text]


def outcome(proof: Proof, book: RuleBook, steps: int = STEPS) -> Outcome:
    """Does an exact proof hold: has what is cited a completion, and none in which the claim is
    `otherwise`?  `not checked` when that takes more steps, `unreadable` when something says nothing
    that can be used."""
    found = _otherwise(proof, book, steps)
    if found == "holds" and _otherwise(proof, book, steps, "as claimed") == "holds":
        return "contradictory"  # anything would follow
    return found


def _otherwise(
    proof: Proof, book: RuleBook, steps: int = STEPS, sought: Sought = "otherwise"
) -> Outcome:
    """`otherwise` when there is a completion as it is sought, `holds` when there is none."""
    try:
        world = _World(proof, book, Effort(steps))
        if not world.is_readable:
            return "unreadable"
        return "otherwise" if world.exists(sought) else "holds"
    except TooMuch:
        return "not checked"


def needed(proof: Proof, book: RuleBook) -> frozenset[int] | None:
    """The places of the citations that an exact proof can't do without; None when it does not
    hold."""
    if outcome(proof, book) != "holds":
        return None
    places = range(len(proof.citations))
    return frozenset(p for p in places if _otherwise(_without(proof, {p}), book) != "holds")


def least(proof: Proof, book: RuleBook) -> Proof | None:
    """The proof without the citations that it can do without, left out one after the other, the
    first ones first; None when it does not hold."""
    if outcome(proof, book) != "holds":
        return None
    todo: list[Sequence[Citation]] = [proof.citations]
    while todo:
        part = todo.pop()
        dropped = {proof.citations.index(citation) for citation in part}
        less = _without(proof, dropped)
        if _otherwise(less, book) == "holds":
            proof = less
        elif len(part) > 1:
            half = len(part) // 2
            todo += [part[half:], part[:half]]
    return proof


def _without(proof: Proof, places: set[int]) -> Proof:
    kept = tuple(c for place, c in enumerate(proof.citations) if place not in places)
    return structs.replace(proof, citations=kept)


@dataclass(frozen=True)
class _Law:
    """A clause of every completion: where all of `body` are true and the `tests` are met, one of
    `head` is."""

    body: tuple[Pattern, ...]
    tests: tuple[Pattern, ...]
    head: tuple[Pattern, ...]


def _classical(clause: Clause) -> _Law | None:
    """What an implication about evidence says of truth; None when it is about evidence alone."""
    head, body = clause
    true: list[Pattern] = []
    tests: list[Pattern] = []
    or_: list[Pattern] = []
    for part in body:
        match part[0]:
            case name if name in _OF_WORLDS:
                true.append(part)
            case "against" | "isnt":
                or_.append(_affirmed(part))
            case name if name in _TESTS:
                tests.append(part)
            case _:
                return None
    match head[0]:
        case name if name in _OF_WORLDS:
            or_.append(head)
        case "against" | "isnt":
            true.append(_affirmed(head))
        case _:
            return None
    return _Law(tuple(dict.fromkeys(true)), tuple(tests), tuple(dict.fromkeys(or_)))


def _affirmed(pattern: Pattern) -> Pattern:
    return ("for" if pattern[0] == "against" else "is", *pattern[1:])


class _World:
    """What a completion must obey by the citations of one proof, and must be for its claim to be
    otherwise."""

    def __init__(self, proof: Proof, book: RuleBook, effort: Effort) -> None:
        self._proof, self._book, self._effort = proof, book, effort
        self._names = Names(
            (c.terms[0], c.terms[1])
            for c in proof.citations
            if c.kind == "same" and joins(c.name, c.terms, book)
        )
        leaves = [structs.replace(leaf, **_UNSIGNED) for leaf in _leaves(proof.claim)]
        self._claims = dict.fromkeys(leaves)
        timed = [times.asked_relation(claim) for claim in self._claims if claim.kind == "time"]
        # What is not listed at a time is false at any time that this one is a part of.
        absent = (times.parted(c.name) for c in proof.citations if c.kind == "absence")
        timed += [(relation, when) for relation, when in absent if is_time(when.time)]
        self._asked = dict.fromkeys(when for _, when in timed)
        self._statements = Statements(book, [*self._asked])
        self._keys = {*_claimed(proof.claim), *_cited(proof.citations)}
        self._terms = dict.fromkeys(map(self._names.one, sorted(self._keys)))
        self._differ: set[tuple[str, str]] = set()
        self._formula = Formula(effort)
        self._laws: dict[_Law, None] = {}
        self._stated: dict[Atom, None] = {}  # what is said of relations
        self._index: dict[tuple[object, ...], list[Atom]] = defaultdict(list)
        read = [self._read(citation) for citation in proof.citations]
        for relation in book.relations if timed else ():
            for clause in (*times.definitions([relation], self._asked), *self._parts(relation)):
                self._obey(clause)
        self.is_readable = all(read) and proof.status != "conflict" and _is_readable(proof.claim)

    def exists(self, sought: Sought) -> bool:
        """Is there a completion in which the claim is otherwise, or as it is claimed?"""
        value = (self._proof.status == "viol") == (sought == "otherwise")
        self._formula.add([self._meets(self._proof.claim, value)])
        claims = [*self._claims]
        self._stated |= {atom: None for atom in map(self._atom, claims) if atom[0] == "for"}
        objects = [atom[3] for atom in self._stated]
        self._ways = Ways(self._book, claims, [*self._terms], objects, self._formula, self._are_two)
        self._terms |= dict.fromkeys(self._ways.imagined)
        for claim in self._claims:
            self._decide(claim)
        for atom in self._stated:
            self._ways.realize(atom)
        for citation in self._proof.citations:
            if citation.kind == "absence" and len(citation.terms) == 2:
                self._refute(citation)
            if citation.kind == "listing" and citation.name in self._book.relations:
                self._refute_others(citation)
        self._ground()
        return self._formula.has_model()

    # ------------------------------------------------------------ what is cited

    def _read(self, citation: Citation) -> bool:
        """Take a citation in; False when it says nothing that can be used."""
        name, terms = citation.name, self._names.of(citation.terms)
        match citation.kind:
            case "same":
                return joins(name, citation.terms, self._book)
            case "fact" | "denial" if len(terms) == 2:
                if name == SUBCLASS:
                    lower, upper = terms
                    self._laws[_Law((("is", lower, X),), (), (("is", upper, X),))] = None
                    return citation.kind == "fact"
                atom = ("is", terms[1], terms[0]) if name == TYPE else ("for", name, *terms)
                number = self._formula.number(atom)
                self._formula.add([number if citation.kind == "fact" else -number])
                self._stated |= {atom: None} if atom[0] == "for" else {}
            case "period" if len(terms) == 4 and name in self._book.relations:
                span = period(*citation.terms[2:])
                for said in ("for", "held", "current"):
                    own = (span or "",) * (said != "for")
                    self._formula.add([self._formula.number((said, name, *terms[:2], *own))])
                self._stated["for", name, *terms[:2]] = None
                return span is not None
            case "listing":
                return bool(terms)
            case "outranked" | "assumption":
                return True  # evidence alone, about a claim of its own
            case "absence":
                return bool(terms) and not is_vague(terms[0])
            case "identity" if len(terms) > 1 and all_differ(terms):
                self._differ |= set(permutations(terms, 2))
            case "statement":
                found = self._statements.implications((name, *citation.terms), self._pick)
                for clause in found or ():
                    self._obey(clause)
                if found and name in ("functional", "functional_at_a_time"):
                    for clause in self._one_at_a_time(citation.terms[0]):
                        self._obey(clause)
                return found is not None
            case _:
                return False
        return True

    def _obey(self, clause: Clause) -> None:
        law = _classical(clause)
        if law is not None:
            self._laws[law] = None

    def _parts(self, relation: str) -> Iterator[Clause]:
        """What holds throughout a time holds throughout each part of it."""
        for when, part in permutations(self._asked, 2):
            if when.time and part.time and includes(when.time, part.time):
                body = ("for", when.of(relation), X, Y)
                yield ("for", part.of(relation), X, Y), (body,)

    def _one_at_a_time(self, relation: str) -> Iterator[Clause]:
        """Of a relation with one object at a time, one that holds throughout a time leaves no room
        for another then."""
        for when in self._asked:
            v = when.of(relation)
            some = ("held", relation, X, Z, P), ("partly", P, when.time)
            yield ("against", v, X, Y), (*some, ("differ", Y, Z))
            for other in self._asked:
                if other != when and crosses(when.time, other.time):
                    body = ("for", other.of(relation), X, Z)
                    yield ("against", v, X, Y), (body, ("differ", Y, Z))

    def _pick(self, options: Sequence[str]) -> str:
        """The term of a constant that may have several keys: the one that the proof is about."""
        key = next((key for key in options if key in self._keys), options[0])
        self._terms.setdefault(self._names.one(key))
        return self._names.one(key)

    def _refute(self, citation: Citation) -> None:
        """What is not listed is false, where evidence shows that all would be."""
        relation, when = times.parted(citation.name)
        claim = Claim("", "time" if when.time else "relation", citation.name, citation.terms)
        is_own = relation in self._book.relations and (not when.time or is_time(when.time))
        if is_own and self._has(claim, "viol"):
            terms = self._names.of(citation.terms)
            self._formula.add([-self._formula.number(("for", citation.name, *terms))])

    def _refute_others(self, citation: Citation) -> None:
        """What differs from all that is listed is false, where evidence shows that all would be.
        What has no name is none of these."""
        relation, (subject, *objects) = citation.name, self._names.of(citation.terms)
        claim = Claim("", "same", "", (subject, subject))
        evidence = Evidence(Proof(claim, "sat", self._proof.citations, ()), self._book)
        if evidence.lists(relation, subject):
            for term in self._terms:
                if all(self._are_two(term, one) for one in objects):
                    self._formula.add([-self._formula.number(("for", relation, subject, term))])

    # ------------------------------------------------------------ what is claimed

    def _decide(self, claim: Claim) -> None:
        """Take in what is so where a claim is true, and what evidence says of it."""
        atom = self._atom(claim)
        number = self._formula.number(atom)
        if claim.kind == "same" and self._are_two(*self._names.of(claim.terms)):
            self._formula.add([-number])
        if claim.kind in ("path", "value", "count"):
            self._ways.tell(claim, self._names.of(claim.terms), number)
        if claim.kind not in ("class", "same", "relation") or claim.closed:
            if self._has(claim, "sat"):
                self._formula.add([number])
            if self._has(claim, "viol"):
                self._formula.add([-number])

    def _has(self, claim: Claim, status: Literal["sat", "viol"]) -> bool:
        """Does the evidence in the citations give this claim the status?  Absence counts as
        falsehood for a claim that says so, and of its own atom."""
        self._effort.spend(len(self._proof.citations))
        own = claim.name, self._names.of(claim.terms)
        if claim.kind == "class":
            own = TYPE, (*own[1], self._statements.class_key(claim.name))
        kept = tuple(
            c
            for c in self._proof.citations
            if c.kind != "assumption" or (claim.closed and (c.name, self._names.of(c.terms)) == own)
        )
        return not Evidence(Proof(claim, status, kept, ()), self._book).faults()

    def _meets(self, claim: Claim, value: bool) -> int:
        """A literal that is true only where the claim holds, or with False, where it fails."""
        if claim.kind != "group":
            number = self._formula.number(self._atom(claim))
            return number if value != claim.negated else -number
        members = [self._meets(member, value) for member in claim.members]
        least = claim.least if value else claim.size - claim.least + 1
        return self._formula.at_least(least, members)

    def _atom(self, claim: Claim) -> Atom:
        """The atom of a claim that is no group: of the world where the claim is about one."""
        terms = self._names.of(claim.terms)
        if not claim.closed:
            match claim.kind:
                case "class":
                    return ("is", self._statements.class_key(claim.name), *terms)
                case "relation":
                    return ("for", claim.name, *terms)
                case "ever":  # whether it ever holds is whether it is true
                    return ("for", times.asked_relation(claim)[0], *terms)
                case "time":
                    relation, when = times.asked_relation(claim)
                    return ("for", when.of(relation), *terms)
                case "same" if terms[0] == terms[1]:
                    return _TRUE
                case "same":
                    return ("claim", "same", *sorted(terms))
        return ("claim", claim.kind, "closed" if claim.closed else "", claim.name, *terms)

    def _are_two(self, one: str, other: str) -> bool:
        """Are two terms provably different?"""
        if is_imagined(one) or is_imagined(other):
            return self._ways.apart(one, other)
        return (one, other) in self._differ

    # ------------------------------------------------------------ as clauses

    def _ground(self) -> None:
        """Write the laws down for all that may be true: what they make true may be, too."""
        for law in self._laws:
            if not law.body:
                self._join(law, (), list(law.tests), {})
        while self._formula.new:
            atom = self._formula.new.pop()
            for place in range(len(atom)):
                self._index[place, atom[place], *atom[:2]].append(atom)
            self._index[atom[:2]].append(atom)
            for law in self._laws:
                for part in law.body:
                    values = _unified(part, atom, {})
                    if values is not None:
                        rest = tuple(other for other in law.body if other is not part)
                        self._join(law, rest, list(law.tests), values)

    def _join(
        self, law: _Law, todo: tuple[Pattern, ...], tests: list[Pattern], values: dict[Var, str]
    ) -> None:
        self._effort.spend()
        tests, found = self._tested(tests, values)
        if found is None:
            return
        values = found
        if todo:
            part = max(todo, key=lambda p: sum(_value(x, values) is not None for x in p))
            rest = tuple(other for other in todo if other is not part)
            for atom in list(self._matching(part, values)):
                self._effort.spend()
                extended = _unified(part, atom, values)
                if extended is not None:
                    self._join(law, rest, tests, extended)
            return
        left = [v for p in (*law.head, *tests) for v in p if isinstance(v, Var) and v not in values]
        if left:
            for term in list(self._terms):
                self._join(law, (), tests, {**values, left[0]: term})
            return
        body = [-self._formula.number(_filled(part, values)) for part in law.body]
        self._formula.add(
            [*body, *(self._formula.number(_filled(part, values)) for part in law.head)]
        )

    def _tested(
        self, tests: list[Pattern], values: dict[Var, str]
    ) -> tuple[list[Pattern], dict[Var, str] | None]:
        """The tests that can't be made yet, and the values, with those that an equality gives; None
        where a test fails."""
        left = []
        for test in tests:
            known = [_value(part, values) for part in test[1:]]
            if test[0] == "equal" and known.count(None) == 1:
                given = next(key for key in known if key is not None)
                values = {**values, **{v: given for v in test[1:] if isinstance(v, Var)}}
                known = [given, given]
            if None in known:
                left.append(test)
                continue
            match test[0]:
                case "differ":
                    met = self._are_two(str(known[0]), str(known[1]))
                case "equal":
                    met = known[0] == known[1]
                case "exact":
                    met = is_imagined(str(known[0])) or is_exact(str(known[0]))
                case "throughout":
                    met = holds_throughout(str(known[0]), str(known[1]))
                case "partly":
                    met = holds_partly(str(known[0]), str(known[1]))
                case "always":
                    met = known[0] == ALWAYS
                case _:
                    met = True
            if not met:
                return [], None
        return left, values

    def _matching(self, part: Pattern, values: dict[Var, str]) -> Sequence[Atom]:
        """The atoms found so far that may match a pattern."""
        lists = [self._index.get(part[:2], [])]
        for place in range(2, len(part)):
            value = _value(part[place], values)
            if value is not None:
                lists.append(self._index.get((place, value, *part[:2]), []))
        return min(lists, key=len)


# ---------------------------------------------------------------- claims and citations


def _is_readable(claim: Claim) -> bool:
    if claim.kind == "group":
        return claim.size == len(claim.members) > 0 and all(map(_is_readable, claim.members))
    if claim.kind in times.KINDS:
        return len(claim.terms) == 2 and times.is_readable(claim)
    return len(claim.terms) == _TERMS.get(claim.kind)


def _leaves(claim: Claim) -> Iterator[Claim]:
    if claim.kind == "group":
        for member in claim.members:
            yield from _leaves(member)
    else:
        yield claim


def _claimed(claim: Claim) -> Iterator[str]:
    for leaf in _leaves(claim):
        yield from leaf.terms


def _cited(citations: Sequence[Citation]) -> Iterator[str]:
    """The terms that are cited, without classes and dates of periods."""
    for citation in citations:
        match citation.kind:
            case "statement":
                pass
            case "fact" | "denial" if citation.name in (TYPE, SUBCLASS):
                yield from citation.terms[: citation.name == TYPE]
            case "period" | "outranked":
                yield from citation.terms[:2]
            case _:
                yield from citation.terms


def _value(part: str | Var, values: dict[Var, str]) -> str | None:
    return values.get(part) if isinstance(part, Var) else part


def _unified(pattern: Pattern, atom: Atom, values: dict[Var, str]) -> dict[Var, str] | None:
    """The values under which the pattern is the atom; None when there are none."""
    if pattern[:2] != atom[:2] or len(pattern) != len(atom):
        return None
    found = dict(values)
    for want, have in zip(pattern[2:], atom[2:], strict=True):
        if (found.setdefault(want, have) if isinstance(want, Var) else want) != have:
            return None
    return found


def _filled(pattern: Pattern, values: dict[Var, str]) -> Atom:
    return tuple(values[part] if isinstance(part, Var) else part for part in pattern)
