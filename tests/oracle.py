"""The semantics in plain Python, slow and obvious, sharing no code with the encodings.

Evidence for and against every atom over a small universe, by naive iteration.  Absence (of complete
relations) is resolved by the alternating fixpoint, so the order of the rules cannot matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product

from kgverify.graph.terms import compatible, display, value_key
from kgverify.language import syntax as s
from kgverify.language.rulebook import DATATYPES
from kgverify.testing import World
from tests.time_oracle import Stated, TimeOracle
from tests.view_oracle import ViewOracle

Atom = tuple[str, ...]  # ("for", r, s, o), ("against", r, s, o), ("is", e, c), ("isnt", e, c)
TYPE, SUBCLASS = "rdf:type", "rdfs:subClassOf"
SAME_AS = ("owl:sameAs", "http://www.w3.org/2002/07/owl#sameAs")


class Oracle:
    """All evidence in a world, and the statuses of its questions."""

    def __init__(self, world: World) -> None:
        self.book = world.book
        self.one: dict[str, str] = {}
        kept = [fact for fact in world.dated if fact[5] != "deprecated"]
        topics = {fact[:2] for fact in kept if fact[5] == "preferred"}
        stated = [(*fact, "", "", fact[:2] not in topics) for fact in world.facts]
        stated += [(*f[:5], f[5] == "preferred" or f[:2] not in topics) for f in kept]
        self.facts = {fact[:3] for fact in stated if fact[5]}
        self.denied = set(world.denied)
        in_graph = {fact[:3] for fact in stated} | self.denied
        for rule in self.book.rules:
            if not rule.body:
                target = self.denied if rule.head.negated else self.facts
                target.add(self._stored(rule.head.atom))
                if not rule.head.negated:
                    stated.append((*self._stored(rule.head.atom), "", "", True))
        self.known = {t for x in self.facts | self.denied | in_graph for t in (x[0], x[2])}
        heads = [t for r in self.book.rules if not r.head.negated for t in r.head.terms]
        self.known |= {"e" + t.text for t in heads if t.kind is s.TermKind.NAME}
        self.one = self._identify()
        self.known = {self.name(key) for key in self.known}
        self.facts = {(self.name(x), r, self.name(o)) for x, r, o in self.facts}
        self.denied = {(self.name(x), r, self.name(o)) for x, r, o in self.denied}
        by_relation: dict[str, list[Stated]] = {}
        for x, r, o, since, until, best in stated:
            fact = Stated(self.name(x), self.name(o), since, until, best)
            by_relation.setdefault(r, []).append(fact)
        self.times = TimeOracle(self, by_relation)
        self.universe = sorted(self.known | self._constants())
        self.evidence = self._alternate()

    def _identify(self) -> dict[str, str]:
        """One name for each of the keys that are names of one entity: a blank node's only if all
        are blank."""
        pairs = [(x, o) for x, r, o in self.facts if r in SAME_AS and "l" not in (x[0], o[0])]
        for same in self.book.same:
            names = ["e" + t.text for t in same.terms]
            pairs += [(names[0], name) for name in names[1:]]
        classes = {"e" + self.book.kg_name(name) for name in self.book.classes}
        groups: list[set[str]] = []
        for pair in pairs:
            if not classes & set(pair):
                joined = set(pair).union(*(g for g in groups if g & set(pair)))
                groups = [g for g in groups if not g & joined] + [joined]
        return {
            key: min(group, key=lambda k: (k[0] == "b", k)) for group in groups for key in group
        }

    def name(self, key: str) -> str:
        """The name that stands for all names of an entity."""
        return self.one.get(key, key)

    def _constants(self) -> set[str]:
        """The entities that rules and completeness statements name."""
        conditions = [c for rule in self.book.implications for c in (rule.head, *rule.body)]
        terms = [t for c in conditions for t in c.terms]
        terms += [t for complete in self.book.complete for t in complete.subjects]
        kinds = (s.TermKind.NAME, s.TermKind.STRING)
        return {self.name("e" + t.text) for t in terms if t.kind in kinds}

    # ------------------------------------------------------------ evidence

    def _alternate(self) -> set[Atom]:
        """The well-founded evidence: between an under- and an overestimate of what is absent."""
        under = self._close(lambda atom: False)
        while True:
            over = self._close(lambda atom, low=under: atom not in low)  # type: ignore[misc]
            again = self._close(lambda atom, high=over: atom not in high)  # type: ignore[misc]
            if again == under:
                assert over == under, "the rule file has a cycle through absence"
                return under
            under = again

    def _close(self, absent: Callable[[Atom], bool]) -> set[Atom]:
        known: set[Atom] = set()
        while True:
            new = {atom for atom in self._consequences(known, absent) if atom not in known}
            if not new:
                return known
            known |= new

    def _consequences(self, known: set[Atom], absent: Callable[[Atom], bool]) -> Iterator[Atom]:
        names = {self.book.kg_name(n): n for n in self.book.relations}
        for sign, facts in (("for", self.facts), ("against", self.denied)):
            for subject, relation, object_ in facts:
                if relation == TYPE:
                    yield "is" if sign == "for" else "isnt", subject, object_
                elif relation in names:
                    yield sign, names[relation], subject, object_
        above = {(x[0], x[2]) for x in self.facts if x[1] == SUBCLASS}
        above |= {
            ("e" + c.name.text, "e" + p.text) for c in self.book.classes.values() for p in c.supers
        }
        for atom in known:
            if atom[0] == "is":
                yield from (("is", atom[1], d) for c, d in above if c == atom[2])
            if atom[0] == "isnt":
                yield from (("isnt", atom[1], c) for c, d in above if d == atom[2])
        for one, other, _ in self.book.disjoint_pairs:
            if one in self.book.classes:
                yield from (
                    ("isnt", a[1], "e" + one) for a in known if a[0] == "is" and a[2] == "e" + other
                )
            else:
                yield from (("against", one, *a[2:]) for a in known if a[:2] == ("for", other))
        for relation in self.book.relations.values():
            yield from self._schema(relation, known)
        for complete in self.book.complete:
            yield from self._complete(complete, known, absent)
        for rule in self.book.rules:
            yield from self._rule(rule, known)

    def _schema(self, relation: s.RelationDeclaration, known: set[Atom]) -> Iterator[Atom]:
        r = relation.name.text
        for_r = [a[2:] for a in known if a[:2] == ("for", r)]
        against_r = [a[2:] for a in known if a[:2] == ("against", r)]
        pairs = list(product(self.universe, self.universe))
        for place, cls in enumerate((relation.domain.text, relation.range.text)):
            if cls not in DATATYPES:
                yield from (("is", pair[place], "e" + cls) for pair in for_r)
                yield from (
                    ("against", r, *p) for p in pairs if ("isnt", p[place], "e" + cls) in known
                )
        for item in relation.properties:
            other = item.target.text if item.target else ""
            for_q = [a[2:] for a in known if a[:2] == ("for", other)]
            against_q = [a[2:] for a in known if a[:2] == ("against", other)]
            match item.kind:
                case "symmetric":
                    yield from (("for", r, o, x) for x, o in for_r)
                    yield from (("against", r, o, x) for x, o in against_r)
                case "transitive":
                    yield from (("for", r, x, z) for x, y in for_r for w, z in for_r if w == y)
                case "asymmetric":
                    yield from (("against", r, o, x) for x, o in for_r)
                    yield from (("against", r, x, x) for x in self.universe)
                case "irreflexive":
                    yield from (("against", r, x, x) for x in self.universe)
                case "functional":
                    yield from (
                        ("against", r, x, o)
                        for x, p in for_r
                        for o in self.universe
                        if self.differ(o, p)
                    )
                case "functional_at_a_time":
                    yield from (
                        ("against", r, x, o)
                        for x, p in self.times.lasting(r)
                        for o in self.universe
                        if self.differ(o, p)
                    )
                case "inverse_functional":
                    yield from (
                        ("against", r, x, o)
                        for y, o in for_r
                        for x in self.universe
                        if self.differ(x, y)
                    )
                case "inverse":
                    yield from (("for", other, o, x) for x, o in for_r)
                    yield from (("for", r, o, x) for x, o in for_q)
                    yield from (("against", r, o, x) for x, o in against_q)
                    yield from (("against", other, o, x) for x, o in against_r)
                case "subrelation":
                    yield from (("for", other, *pair) for pair in for_r)
                    yield from (("against", r, *pair) for pair in against_q)

    def _complete(
        self, complete: s.Complete, known: set[Atom], absent: Callable[[Atom], bool]
    ) -> Iterator[Atom]:
        r = complete.relation.text
        named = {self.name("e" + t.text) for t in complete.subjects}
        for x in self.universe:
            in_scope = (not complete.cls and not complete.subjects) or x in named
            if complete.cls:
                in_scope = ("is", x, "e" + complete.cls.text) in known
            if not in_scope or self.vague(x):
                continue
            for o in self.universe:
                # A blank node may be the subject, and then what it has is listed too.
                subjects = [x, *(t for t in self.universe if t[0] == "b" and self.vague(t))]
                listed = [
                    p for p in self.universe for t in subjects if not absent(("for", r, t, p))
                ]
                if all(o != p and self.differ(o, p) for p in listed):
                    yield "against", r, x, o

    def _rule(self, rule: s.Rule, known: set[Atom]) -> Iterator[Atom]:
        if not rule.body:
            return
        terms = [t for part in (rule.head, *rule.body) for t in part.terms]
        variables = sorted({t.text for t in terms if t.kind is s.TermKind.VARIABLE})
        positive = [c for c in rule.body if isinstance(c, s.Literal) and not c.negated]
        rest = [c for c in rule.body if c not in positive]
        for values in self._bindings(positive, {}, known):
            assert set(values) == set(variables)
            if self._inexact_join(rule, values):
                continue
            if all(self._holds(c, values, known) for c in rest):
                yield self._instance(rule.head, values)

    def _inexact_join(self, rule: s.Rule, values: dict[str, str]) -> bool:
        """Do two conditions share a value that is not known exactly?"""
        places: dict[str, set[s.Condition]] = {}
        for condition in rule.body:
            is_joined = (
                not condition.negated
                if isinstance(condition, s.Literal)
                else (condition.operator == "=")
            )
            for term in condition.terms if is_joined else ():
                places.setdefault(term.text, set()).add(condition)
        shared = {values[name] for name, used in places.items() if name in values and len(used) > 1}
        days = {key for key in shared if key.startswith("ldate") and key.count("-") < 2}
        return bool(days) or any(key.startswith("lill ") for key in shared)

    def _bindings(
        self, todo: list[s.Literal], values: dict[str, str], known: set[Atom]
    ) -> Iterator[dict[str, str]]:
        if not todo:
            yield values
            return
        pattern = self._instance(todo[0], values, keep=True)
        for atom in known:
            if atom[0] != pattern[0] or len(atom) != len(pattern):
                continue
            extended = dict(values)
            for want, have in zip(pattern[1:], atom[1:], strict=True):
                if want.startswith("?"):
                    if want != "?_" and extended.setdefault(want[1:], have) != have:
                        break
                elif want != have:
                    break
            else:
                yield from self._bindings(todo[1:], extended, known)

    def _holds(self, condition: s.Condition, values: dict[str, str], known: set[Atom]) -> bool:
        if isinstance(condition, s.Comparison):
            left, right = (self._term(t, values) for t in condition.terms)
            return left == right if condition.operator == "=" else self.differ(left, right)
        return self._instance(condition, values) in known

    def _instance(self, literal: s.Literal, values: dict[str, str], keep: bool = False) -> Atom:
        atom = literal.atom
        if isinstance(atom, s.ClassAtom):
            term = self._term(atom.term, values, keep=keep)
            return "isnt" if literal.negated else "is", term, "e" + atom.cls.text
        relation = atom.relation.text
        subject, object_ = atom.arguments
        return (
            "against" if literal.negated else "for",
            relation,
            self._term(subject, values, keep=keep),
            self._term(object_, values, relation, keep),
        )

    def _term(
        self, term: s.Term, values: dict[str, str], relation: str = "", keep: bool = False
    ) -> str:
        if term.kind is s.TermKind.ANONYMOUS:
            return "?_"
        if term.text in values and term.kind in (s.TermKind.VARIABLE, s.TermKind.NAME):
            return self.name(values[term.text])
        if term.kind is s.TermKind.VARIABLE:
            assert keep
            return "?" + term.text
        if relation and self.book.is_literal(relation):
            return value_key(term.text, self.book.relations[relation].range.text)
        return self.name("e" + term.text)

    def _stored(self, atom: s.Atom) -> tuple[str, str, str]:
        if isinstance(atom, s.ClassAtom):
            return "e" + atom.term.text, TYPE, "e" + atom.cls.text
        subject, object_ = atom.arguments
        relation = atom.relation.text
        return self._term(subject, {}), relation, self._term(object_, {}, relation)

    # ------------------------------------------------------------ questions

    def known_entity(self, key: str) -> bool:
        """Values are themselves; an entity is known when some fact is about it."""
        return key[0] == "l" or self.name(key) in self.known

    def _view_terms(self, atom: s.Atom, values: dict[str, str]) -> list[str]:
        """The terms of an atom that only questions have; the last may be a value."""
        last = atom.terms[-1]
        name = str(atom.relations[-1])
        if isinstance(atom, s.CountAtom):
            datatype = "integer"
        elif self.book.is_literal(name):
            datatype = self.book.relations[name].range.text
        else:
            datatype = ""
        ends = [self._term(t, values) for t in atom.terms[:-1]]
        is_constant = last.text not in values or last.kind is not s.TermKind.NAME
        if datatype and is_constant:
            return [*ends, value_key(last.text, datatype)]
        return [*ends, self._term(last, values)]

    def _assumed(self, item: s.Literal, atom: Atom) -> bool:
        """Does the absence of an atom without evidence count as its falsehood?"""
        if not item.closed:
            return False
        blank = {t for t in self.universe if t[0] == "b" and self.vague(t)}
        if atom[0] == "is":  # a blank node may be the member
            return not any(("is", t, atom[2]) in self.evidence for t in blank)
        subjects = {atom[2], *blank}  # a blank node may be the subject
        listed = [a[3] for a in self.evidence if a[:2] == atom[:2] and a[2] in subjects]
        return all(o != atom[3] and self.differ(o, atom[3]) for o in listed)

    def status(self, item: s.Literal | s.Comparison, values: dict[str, str]) -> str:
        """`sat`, `viol`, `conflict` or `unk` of a positive condition."""
        if isinstance(item, s.Literal) and not isinstance(item.atom, s.RelationAtom | s.ClassAtom):
            terms = self._view_terms(item.atom, values)
            if isinstance(item.atom, s.PathAtom):
                for new in terms:
                    self._holds_atom(("is", "", new))
            pro, con = ViewOracle(self).pro_con(item, terms)
            con = con or self._clash_on(item.atom, terms)
            if item.negated:
                pro, con = con, pro
        elif isinstance(item, s.Comparison):
            terms = [self._term(t, values) for t in item.terms]
            equal, different = terms[0] == terms[1], self.differ(*terms)
            pro, con = (equal, different) if item.operator == "=" else (different, equal)
        else:
            atom = self._instance(replace(item, negated=False), values)
            flip = {"for": "against", "is": "isnt"}
            pro = self._holds_atom(atom)
            con = self._holds_atom((flip[atom[0]], *atom[1:]))
            terms = list(atom[1:2] if atom[0] == "is" else atom[2:])
            if item.at is not None:
                pro, con = self.times.pro_con(item, *terms, self._time(item.at, values))
            else:
                con = con or (atom[0] == "for" and self.times.clash(*atom[1:]))
                con = con or (not pro and self._assumed(item, atom))
            if item.negated:
                pro, con = con, pro
        if not all(self.known_entity(t) for t in terms):
            return "unk"
        return {(1, 0): "sat", (0, 1): "viol", (1, 1): "conflict"}.get((int(pro), int(con)), "unk")

    def _clash_on(self, atom: s.Atom, terms: list[str]) -> bool:
        """Is a path that comes to one relation stated so that it excludes another statement?"""
        if not isinstance(atom, s.PathAtom):
            return False
        path, back = ViewOracle(self)._simple((atom.path, False))
        pair = terms[::-1] if back else terms
        return path.kind == "relation" and self.times.clash(str(path.relation), *pair)

    def _time(self, term: s.Term, values: dict[str, str]) -> str:
        """A time as it is written."""
        is_given = term.kind is s.TermKind.NAME and term.text in values
        return display(values[term.text]) if is_given else term.text

    def _holds_atom(self, atom: Atom) -> bool:
        """Look an atom up; a value that no fact has is put into the universe first."""
        atom = (atom[0], *map(self.name, atom[1:]))
        new = [t for t in atom[2:] if t[0] == "l" and t not in self.universe]
        if new:
            self.universe = sorted({*self.universe, *new})
            self.evidence = self._alternate()
        return atom in self.evidence

    def vague(self, key: str) -> bool:
        """May a term be anything: a blank node, a value that can't be read, an unknown name?"""
        unknown = key[0] == "e" and key not in self.known
        return key[0] == "b" or key.startswith("lill ") or unknown

    def differ(self, one: str, other: str) -> bool:
        """Are the two provably different?"""
        vague = self.vague(one) or self.vague(other)
        return one != other and not vague and not compatible(one, other)

    def truth(self, condition: s.Constraint, values: dict[str, str]) -> str:
        """The status of a constraint, groups by counting their distinct members."""
        if not isinstance(condition, s.Group):
            return self.status(condition, values)
        members = {key_of(member): self.truth(member, values) for member in condition.members}
        found = list(members.values())
        least = {"all": len(found), "any": 1, "least": condition.number}[condition.quantity]
        status = "unk"
        if found.count("sat") >= least:
            status = "sat"
        elif len(found) - found.count("viol") < least:
            status = "viol"
        return OPPOSITE.get(status, status) if condition.negated else status

    def contradicts(self, fact: str) -> bool:
        """Is there evidence both for and against a fact, given as the rule language writes it?"""
        text = fact.removeprefix("not ")
        if " : " in text:
            entity, cls = text.split(" : ")
            atom: Atom = ("is", "e" + entity, "e" + cls)
        else:
            relation, rest = text[:-1].split("(")
            subject, object_ = rest.split(", ")
            is_value = self.book.is_literal(relation)
            datatype = self.book.relations[relation].range.text
            atom = (
                "for",
                relation,
                "e" + subject,
                value_key(object_, datatype) if is_value else "e" + object_,
            )
        opposite = {"for": "against", "is": "isnt"}[atom[0]]
        return self._holds_atom(atom) and self._holds_atom((opposite, *atom[1:]))

    def decide(self, name: str, values: dict[str, str]) -> tuple[str, Fraction, dict[str, str]]:
        """(verdict, support, status by text) of a question for one candidate."""
        question = self.book.questions[name]
        answer = s.Term(s.TermKind.NAME, question.answer.text, question.span)
        is_answer = s.Literal(
            s.ClassAtom(answer, question.answer_class, question.span), False, question.span
        )
        Excepted = tuple[s.Term, ...]
        none: Excepted = ()
        items = [(key_of(is_answer), is_answer, False, True, Fraction(1), none)]
        for item in question.items:
            key, negated = key_of(item.condition), item.demand is s.Demand.EXCLUDE
            required = item.demand is not s.Demand.PREFER
            weight = Fraction(item.weight)
            items.append((key, item.condition, negated, required, weight, item.exceptions))
        statuses: dict[tuple[object, ...], tuple[str, bool, Fraction]] = {}
        for key, condition, negated, required, weight, excepted in items:
            sign, body = key
            place = (body, sign != negated, frozenset(excepted))
            found = self.truth(condition, values)
            found = OPPOSITE.get(found, found) if negated else found
            found = self._excepted(found, values[question.answer.text], excepted)
            old = statuses.get(place, (found, False, Fraction(0)))
            statuses[place] = (found, old[1] or required, max(old[2], weight))
        needed = [found for found, required, _ in statuses.values() if required]
        verdict = "viol" if "viol" in needed else "sat" if set(needed) == {"sat"} else "unk"
        total = sum(w for _, _, w in statuses.values())
        support = sum((w for f, _, w in statuses.values() if f == "sat"), Fraction(0)) / total
        return verdict, support, {str(n): v[0] for n, v in enumerate(statuses.values())}

    def _excepted(self, found: str, candidate: str, excepted: tuple[s.Term, ...]) -> str:
        """What a constraint comes to when some entities are excepted from it."""
        others = [self._term(term, {}) for term in excepted]
        candidate = self.name(candidate)
        if not others:
            return found
        if candidate in others and self.known_entity(candidate):
            return "sat"
        known = [o for o in (candidate, *others) if not self.known_entity(o)]
        different = not known and all(self.differ(candidate, other) for other in others)
        decided = found == "sat" or (found == "viol" and different)
        return found if decided else "unk"


OPPOSITE = {"sat": "viol", "viol": "sat"}


def key_of(condition: s.Constraint) -> tuple[bool, object]:
    """(denied, what it says without the denial); equal for constraints that say the same."""
    if isinstance(condition, s.Literal):
        return condition.negated, (condition.atom, condition.closed, condition.at)
    if isinstance(condition, s.Comparison):
        return condition.operator == "!=", (condition.left, condition.right)
    members = frozenset(key_of(member) for member in condition.members)
    return condition.negated, (condition.quantity, condition.number, members)
