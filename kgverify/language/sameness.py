"""Which rules say the same, whatever their variables are called and their constants are spelt like.

A rule says all of another one when its body can be laid into what the other's body entails.  Where
each says all of the other, they are one observation, and it must not count twice.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from kgverify.graph.terms import value_key
from kgverify.language import syntax as s
from kgverify.language.datatypes import joined_values, side_datatype, value_variables
from kgverify.language.rulebook import RuleBook

STEPS = 5_000
"""How often a condition is laid onto another one before a comparison is given up: the worst bodies
would take as many steps as there are ways to lay the one into the other."""

Said = tuple[str, tuple[str, ...]]  # what a condition says, and of what: "?X", or "=" a constant
Constants = Callable[[s.Term, str], str]  # a term and its datatype, "" for an entity; its one name
# Conditions by what they say, with how many terms, and what one of these is at which place.
_Places = Mapping[tuple[str, int, int, str], list[Said]]
_Image = Mapping[str, str]  # what the variables of one rule are in the other one


@dataclass(frozen=True)
class Form:
    """A rule for comparison: its head, its conditions, and what these entail by declarations."""

    head: Said
    body: tuple[Said, ...]
    entailed: frozenset[Said]

    @cached_property
    def places(self) -> _Places:
        """What the rule's conditions entail, by what it is said of."""
        found: dict[tuple[str, int, int, str], list[Said]] = defaultdict(list)
        for said in sorted(self.entailed):
            kind, terms = said
            found[kind, len(terms), -1, ""].append(said)
            for place, term in enumerate(terms):
                found[kind, len(terms), place, term].append(said)
        return found

    @cached_property
    def outline(self) -> tuple[object, ...]:
        """What rules that say the same have in common."""
        fixed = tuple(term if term[0] == "=" else "?" for term in self.head[1])
        kinds = frozenset((kind, len(terms)) for kind, terms in self.entailed)
        constants = frozenset(t for _, terms in self.entailed for t in terms if t[0] == "=")
        return self.head[0], fixed, kinds, constants

    def as_head(self, name: str, turned: bool) -> Form:
        """The rule with a head that follows from its own: of this name, its terms exchanged or
        not."""
        terms = self.head[1]
        return replace(self, head=(name, terms[::-1] if turned else terms))


class Forms:
    """Reads rules of a rule book for comparison.

    `constants` has one name for all spellings of a constant; by default that of its value, or of
    the entity by `same` statements of the rule file.  Without `declared`, conditions entail nothing
    but themselves."""

    def __init__(
        self, book: RuleBook, constants: Constants | None = None, *, declared: bool = True
    ) -> None:
        self._book = book
        self._constants = constants or _Spellings(book)
        self._declared = declared

    def of(self, rule: s.Rule) -> Form:
        """The rule, ready to be compared."""
        fresh = iter(range(2 * len(rule.body) + 2))
        datatypes = value_variables(self._book, rule)
        body: dict[Said, None] = {}
        for condition in dict.fromkeys(rule.body):
            body[self._said(condition, datatypes, fresh)] = None
        for name in joined_values(rule, datatypes):
            body["exactly known", (f"?{name}",)] = None
        head, *said = _identified([self._said(rule.head, datatypes, fresh), *body])
        entailed = {other for condition in said for other in self._entailed(condition)}
        return Form(head, tuple(said), frozenset(entailed))

    def _said(
        self, condition: s.Condition, datatypes: Mapping[str, str], fresh: Iterator[int]
    ) -> Said:
        def name(term: s.Term, datatype: str) -> str:
            if term.kind is s.TermKind.ANONYMOUS:
                return f"? {next(fresh)}"
            return f"?{term.text}" if term.is_variable else f"={self._constants(term, datatype)}"

        if isinstance(condition, s.Comparison):
            datatype = side_datatype(condition, datatypes)
            return condition.operator, tuple(name(term, datatype) for term in condition.terms)
        atom = condition.atom
        if isinstance(atom, s.ClassAtom):
            kind, types = atom.cls.text, [""]
        else:
            kind = atom.relations[0].text
            types = ["", self._book.datatype(kind)]
        types += [""] * (len(atom.terms) - len(types))
        terms = tuple(map(name, atom.terms, types))
        return f"not {kind}" if condition.negated else kind, terms

    # ------------------------------------------------------------ declarations

    def _entailed(self, condition: Said) -> Iterator[Said]:
        """What a condition says, and what declarations make of that."""
        kind, terms = condition
        if kind in ("=", "!="):
            yield from ((kind, terms), (kind, terms[::-1]))
        elif not self._declared or len(terms) > 2:
            yield condition
        elif kind.startswith("not "):
            own = kind.removeprefix("not ")
            ways = self._book.says(own) if len(terms) == 2 else {(own, False)}
            for other, turned in ways:
                if (own, turned) in self._book.says(other):  # it says the same, so its denial does
                    yield f"not {other}", terms[::-1] if turned else terms
        elif len(terms) == 2:
            for other, turned in self._book.says(kind):
                one, two = terms[::-1] if turned else terms
                yield other, (one, two)
                if relation := self._book.relations.get(other):
                    for cls, term in ((relation.domain, one), (relation.range, two)):
                        yield from ((above, (term,)) for above in self._above(cls.text))
        else:
            yield from ((above, terms) for above in self._above(kind))

    def _above(self, cls: str) -> Iterable[str]:
        return (cls, *self._book.superclasses.get(cls, ()))


class _Spellings:
    """One name for a constant, by the rule file alone."""

    def __init__(self, book: RuleBook) -> None:
        self._book = book
        self._one: dict[str, str] = {}
        for same in book.same:
            names = {self._find(book.entity_ids(term)[0]) for term in same.terms}
            first = min(names)
            self._one.update((name, first) for name in names if name != first)

    def _find(self, name: str) -> str:
        while name in self._one:
            name = self._one[name]
        return name

    def __call__(self, term: s.Term, datatype: str) -> str:
        if datatype:
            return value_key(term.text, datatype)
        return "e" + self._find(self._book.entity_ids(term)[0])


def _unites(equal: Said) -> bool:
    """Does it make two terms one, or nothing?  Two constants may yet be different."""
    one, other = equal[1]
    return one == other or not one[0] == other[0] == "="


def _identified(conditions: Iterable[Said]) -> list[Said]:
    """The conditions with one term for those that an `=` among them makes one."""
    found = list(conditions)
    while equal := next((said for said in found if said[0] == "=" and _unites(said)), None):
        found.remove(equal)
        one, other = equal[1]
        gone, stays = (other, one) if one[0] == "=" else (one, other)
        found = [
            (kind, tuple(stays if term == gone else term for term in terms))
            for kind, terms in found
        ]
    return list(dict.fromkeys(found))


# ---------------------------------------------------------------- one rule in another


def say_the_same(one: Form, other: Form, steps: int = STEPS) -> bool | None:
    """Does each say all of the other?  None where that takes too many steps to find out."""
    if one.outline != other.outline:
        return False
    if one.head == other.head and set(one.body) == set(other.body):
        return True  # at once, whatever a search would take
    there = says_all_of(one, other, steps)
    if there is False:
        return False
    back = says_all_of(other, one, steps)
    return False if back is False else None if there is None or back is None else True


def alike(rules: Sequence[Sequence[Form]]) -> list[int]:
    """For each rule the first one that is the same, itself if there is none before; each is given
    by the forms that it has.

    Rules that can't be told apart are taken to be the same: what counts once by mistake makes
    nothing plausible that isn't."""
    first = list(range(len(rules)))

    def find(number: int) -> int:
        while first[number] != number:
            number = first[number]
        return number

    seen: dict[tuple[object, ...], list[tuple[int, Form]]] = defaultdict(list)
    for number, forms in enumerate(rules):
        for form in forms:
            for other, its in seen[form.outline]:
                one, two = find(number), find(other)
                if one != two and say_the_same(form, its) is not False:
                    first[max(one, two)] = min(one, two)
        for form in forms:
            seen[form.outline].append((number, form))
    return [find(number) for number in range(len(rules))]


def says_all_of(general: Form, special: Form, steps: int = STEPS) -> bool | None:
    """Does the one rule, for some choice of its variables, conclude the other's head wherever the
    other's body holds?  None where that takes too many steps to find out."""
    start = _laid(general.head, special.head, {})
    if start is None:
        return False
    places = special.places
    todo: list[tuple[_Image, tuple[Said, ...]]] = [(start, general.body)]
    while todo:
        image, left = todo.pop()
        if not left:
            return True
        # The condition with the fewest places to go first: most bodies leave no choice at all.
        first = min(left, key=lambda condition: len(_open(condition, image, places)))
        rest = tuple(condition for condition in left if condition != first)
        for onto in _open(first, image, places):
            steps -= 1
            if steps < 0:
                return None
            more = _laid(first, onto, image)
            if more is not None:
                todo.append((more, rest))
    return False


def _open(condition: Said, image: _Image, places: _Places) -> list[Said]:
    """The conditions that this one may be laid onto, by the best known of its terms."""
    kind, terms = condition
    best = places.get((kind, len(terms), -1, ""), [])
    for place, term in enumerate(terms):
        known = term if term[0] == "=" else image.get(term)
        if known is not None:
            found = places.get((kind, len(terms), place, known), [])
            if len(found) < len(best):
                best = found
    return best


def _laid(one: Said, other: Said, image: _Image) -> _Image | None:
    """What the variables are when the one condition is to be the other."""
    if one[0] != other[0] or len(one[1]) != len(other[1]):
        return None
    found = dict(image)
    for mine, its in zip(one[1], other[1], strict=True):
        if (mine if mine[0] == "=" else found.setdefault(mine, its)) != its:
            return None
    return found
