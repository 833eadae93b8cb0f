"""Do the arguments of every atom fit the signature of its relation?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from kgverify.errors import Problem, article
from kgverify.graph.terms import value_key
from kgverify.language import syntax as s
from kgverify.language.rulebook import DATATYPES, RuleBook

# Where a term stands: its text, the classes that the place wants, the atom.
_Uses = dict[str, list[tuple[str, s.Atom]]]


def signature_problems(book: RuleBook) -> Iterator[Problem]:
    """Swapped arguments, things of a disjoint class, and values where entities belong."""
    for rule in book.rules:
        literals = [rule.head, *(c for c in rule.body if isinstance(c, s.Literal))]
        yield from _check(book, [x.atom for x in literals], {})
    for test in book.tests:
        yield from _check(book, [fact.atom for fact in test.facts], {})
    for question in book.questions.values():
        known = {p.name.text: p.type.text for p in question.parameters}
        if question.answer_class.text in book.classes:
            known[question.answer.text] = question.answer_class.text
        parts = [part for item in question.items for part in s.leaves(item.condition)]
        atoms = [part.atom for part in parts if isinstance(part, s.Literal)]
        yield from _check(book, atoms, known)


def _check(book: RuleBook, atoms: Sequence[s.Atom], known: dict[str, str]) -> Iterator[Problem]:
    uses: _Uses = defaultdict(list)
    for atom in atoms:
        for term, cls in _places(book, atom):
            if term.kind is s.TermKind.VARIABLE or term.text in known:
                uses[term.text].append((cls, atom))
    reported: set[str] = set()
    for atom in atoms:
        places = _places(book, atom)
        if len(places) == 2 and _swapped(atom, places, uses, known):
            relation = book.relations[atom.relation.text]  # type: ignore[union-attr]
            one, two = (term.text for term, _ in places)
            yield Problem(
                "signature",
                f"the arguments of `{relation.name}` look swapped: it relates "
                f"{relation.domain} to {relation.range}",
                atom.span,
                f"write `{relation.name}({two}, {one})`",
                notes=((relation.name.span, "declared here"),),
            )
            reported |= {one, two}
    for atom in atoms:
        for term, cls in _places(book, atom):
            if term.text in reported:
                continue
            problem = _misfit(book, term, cls, atom, uses, known)
            if problem:
                reported.add(term.text)
                yield problem


def _places(book: RuleBook, atom: s.Atom) -> list[tuple[s.Term, str]]:
    """The terms of an atom with the class or datatype that its place wants."""
    if isinstance(atom, s.ClassAtom):
        return [(atom.term, atom.cls.text)] if atom.cls.text in book.classes else []
    if not isinstance(atom, s.RelationAtom):
        return []
    relation = book.relations.get(atom.relation.text)
    if relation is None or len(atom.arguments) != 2:
        return []
    wanted = (relation.domain.text, relation.range.text)
    places = zip(atom.arguments, wanted, (False, True), strict=True)
    return [
        (term, cls)
        for term, cls, is_object in places
        if cls in book.classes or (is_object and cls in DATATYPES)
    ]


def _swapped(
    atom: s.Atom, places: list[tuple[s.Term, str]], uses: _Uses, known: dict[str, str]
) -> bool:
    (subject, domain), (object_, range_) = places
    if domain == range_ or subject.text == object_.text:
        return False

    def elsewhere(term: s.Term) -> set[str]:
        classes = {cls for cls, other in uses.get(term.text, ()) if other is not atom}
        return classes | ({known[term.text]} if term.text in known else set())

    one, two = elsewhere(subject), elsewhere(object_)
    return range_ in one and domain not in one and domain in two and range_ not in two


def _misfit(
    book: RuleBook, term: s.Term, cls: str, atom: s.Atom, uses: _Uses, known: dict[str, str]
) -> Problem | None:
    wanted = _describe(cls)
    if cls in DATATYPES and not term.is_variable and term.text not in known:
        return _bad_value(term, cls)
    if term.text in known and known[term.text] != cls:
        given = known[term.text]
        if _cannot_meet(book, given, cls):
            return Problem(
                "signature",
                f"`{term.text}` is {_describe(given)}, but {wanted} belongs here",
                term.span,
                "change the parameter's type or the relation",
            )
    if term.kind is s.TermKind.DATE and cls not in DATATYPES:
        return Problem("signature", f"a date stands where {wanted} belongs", term.span)
    for other, place in uses.get(term.text, ()):
        if place is not atom and _cannot_meet(book, other, cls):
            return Problem(
                "signature",
                f"`{term.text}` would have to be {wanted} and {_describe(other)}, "
                "which nothing can be",
                term.span,
                "check the arguments of both atoms",
                notes=((place.span, f"{_describe(other)} belongs here"),),
            )
    return None


def _cannot_meet(book: RuleBook, one: str, other: str) -> bool:
    """Can nothing be of both classes or datatypes?  All numeric datatypes share their values."""
    if one in DATATYPES and other in DATATYPES:
        return one != other and not {one, other} <= _NUMERIC
    return (one in DATATYPES) != (other in DATATYPES) or book.are_disjoint(one, other)


_NUMERIC = {"integer", "decimal", "number"}


def _bad_value(term: s.Term, datatype: str) -> Problem | None:
    """A written value that its datatype doesn't have."""
    if not value_key(term.text, datatype).startswith("lill "):
        return None
    return Problem(
        "value-type",
        f"`{term.text}` is not a value of type {datatype}",
        term.span,
        "dates are YYYY, YYYY-MM or YYYY-MM-DD" if datatype == "date" else "change the value",
    )


def _describe(cls: str) -> str:
    return f"a value ({cls})" if cls in DATATYPES else article(cls)
