"""Do the arguments of every atom fit the signature of its relation or path?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from kgverify.errors import Problem
from kgverify.graph.terms import value_key
from kgverify.language import syntax as s
from kgverify.language.paths import Kinds, cannot_meet, describe, ends, path_problems
from kgverify.language.printing import path_text, term_text
from kgverify.language.rulebook import DATATYPES, RuleBook

# Where a term stands: its text, what the place wants, the atom.
_Uses = dict[str, list[tuple[Kinds, s.Atom]]]


def signature_problems(book: RuleBook) -> Iterator[Problem]:
    """Swapped arguments, things of a disjoint class, values where entities belong, and paths that
    lead nowhere."""
    for rule in book.implications:
        literals = [rule.head, *(c for c in rule.body if isinstance(c, s.Literal))]
        yield from _check(book, [x.atom for x in literals], {})
    for test in book.tests:
        yield from _check(book, [fact.atom for fact in test.facts], {})
    for question in book.questions.values():
        parts = [part for item in question.items for part in s.leaves(item.condition)]
        atoms = [part.atom for part in parts if isinstance(part, s.Literal)]
        yield from _check(book, atoms, known_types(book, question))


def known_types(book: RuleBook, question: s.Question) -> dict[str, str]:
    """The declared class or datatype of each parameter and of the answer."""
    known = {p.name.text: p.type.text for p in question.parameters}
    if question.answer_class.text in book.classes:
        known[question.answer.text] = question.answer_class.text
    types = (*book.classes, *DATATYPES)
    return {name: type_ for name, type_ in known.items() if type_ in types}


def _check(book: RuleBook, atoms: Sequence[s.Atom], known: Mapping[str, str]) -> Iterator[Problem]:
    uses: _Uses = defaultdict(list)
    sound: list[s.Atom] = []  # those whose path leads somewhere
    for atom in dict.fromkeys(atoms):  # an atom that is repeated is no second use
        if isinstance(atom, s.PathAtom | s.ValueAtom | s.CountAtom):
            found = list(path_problems(book, atom.path, *_beside(atom, known)))
            yield from found
            if found:
                continue
        sound.append(atom)
        for term, kinds in _places(book, atom):
            if _is_open(term, known):
                uses[term.text].append((kinds, atom))
    reported: set[str] = set()
    for atom in sound:
        if _swapped(book, atom, uses, known):
            yield _say_swapped(book, atom)
            reported |= {term.text for term, _ in _places(book, atom)}
    for atom in sound:
        for term, kinds in _places(book, atom):
            if term.text in reported:
                continue
            problem = _misfit(book, term, kinds, atom, uses, known)
            if problem:
                reported.add(term.text)
                yield problem


def _beside(atom: s.PathAtom | s.ValueAtom | s.CountAtom, known: Mapping[str, str]) -> list[Kinds]:
    """What stands at the two ends of a path, as far as the question declares it."""
    found: list[Kinds] = [
        (known[term.text],) if _is_declared(term, known) else () for term in atom.arguments[:2]
    ]
    return [*found, (), ()][:2]


def _is_declared(term: s.Term, known: Mapping[str, str]) -> bool:
    """Is this the answer or a parameter?  A quoted name never is."""
    return term.kind is s.TermKind.NAME and term.text in known


def _is_open(term: s.Term, known: Mapping[str, str]) -> bool:
    return term.kind is s.TermKind.VARIABLE or _is_declared(term, known)


def _places(book: RuleBook, atom: s.Atom) -> list[tuple[s.Term, Kinds]]:
    """The terms of an atom with what their places want; not those that may be anything."""
    if isinstance(atom, s.ClassAtom):
        return [(atom.term, (atom.cls.text,))] if atom.cls.text in book.classes else []
    if len(atom.arguments) != (1 if isinstance(atom, s.ValueAtom) else 2):
        return []
    places = zip(atom.arguments, ends(book, _path(atom)), strict=False)
    counts = isinstance(atom, s.CountAtom)
    return [
        (term, kinds)
        for term, kinds in places
        if kinds and not (counts and term.kind is s.TermKind.ANONYMOUS)
    ]


def _path(atom: s.RelationAtom | s.PathAtom | s.ValueAtom | s.CountAtom) -> s.Path:
    if isinstance(atom, s.RelationAtom):
        return s.Path("relation", atom.relation, (), atom.relation.span)
    return atom.path


def _swapped(book: RuleBook, atom: s.Atom, uses: _Uses, known: Mapping[str, str]) -> bool:
    """Would both arguments, or the one that isn't counted, fit the other place better?"""
    if isinstance(atom, s.ClassAtom | s.ValueAtom) or len(atom.arguments) != 2:
        return False
    start, end = ends(book, _path(atom))
    subject, object_ = atom.arguments
    if not start or not end or set(start) & set(end) or subject.text == object_.text:
        return False

    def belongs(term: s.Term, there: Kinds, here: Kinds) -> bool:
        """Do the other uses of a term say that it is of the one kind, and not of the other?"""
        others = uses.get(term.text, ()) if _is_open(term, known) else ()
        kinds = {kind for kinds, other in others if other is not atom for kind in kinds}
        kinds |= {known[term.text]} if _is_declared(term, known) else set()
        return bool(kinds & set(there)) and not any(
            _related(book, one, other) for one in kinds for other in here
        )

    pairs = ((subject, end, start), (object_, start, end))
    if isinstance(atom, s.CountAtom):
        pairs_named = [pair for pair in pairs if pair[0].kind is not s.TermKind.ANONYMOUS]
        return len(pairs_named) == 1 and belongs(*pairs_named[0])
    return all(belongs(*pair) for pair in pairs)


def _related(book: RuleBook, one: str, other: str) -> bool:
    """Is one class the other, or above it, or below it?"""
    return one in book.superclasses.get(other, (other,)) or other in book.superclasses.get(
        one, (one,)
    )


def _say_swapped(book: RuleBook, atom: s.Atom) -> Problem:
    assert not isinstance(atom, s.ClassAtom)
    path = _path(atom)
    start, end = ends(book, path)
    text = path_text(path, 1)
    one, two = map(term_text, atom.arguments)
    declared = book.relations[path.relations[0].text].name.span
    return Problem(
        "signature",
        f"the arguments of `{text}` look swapped: it relates "
        f"{' or '.join(start)} to {' or '.join(end)}",
        atom.span,
        f"write `{text}({two}, {one})`",
        notes=((declared, "declared here"),) if path.kind == "relation" else (),
    )


def _misfit(
    book: RuleBook,
    term: s.Term,
    kinds: Kinds,
    atom: s.Atom,
    uses: _Uses,
    known: Mapping[str, str],
) -> Problem | None:
    wanted = describe(kinds)
    values = all(kind in DATATYPES for kind in kinds)
    if values and not term.is_variable and not _is_declared(term, known):
        return bad_value(term, kinds)
    if _is_declared(term, known):
        given = (known[term.text],)
        if cannot_meet(book, given, kinds):
            return Problem(
                "signature",
                f"`{term.text}` is {describe(given)}, but {wanted} belongs here",
                term.span,
                "change the parameter's type or the relation",
            )
    if term.kind is s.TermKind.DATE and not values:
        return Problem("signature", f"a date stands where {wanted} belongs", term.span)
    for other, place in uses.get(term.text, ()) if _is_open(term, known) else ():
        if place is not atom and cannot_meet(book, other, kinds):
            return Problem(
                "signature",
                f"`{term.text}` would have to be {wanted} and {describe(other)}, "
                "which nothing can be",
                term.span,
                "check the arguments of both atoms",
                notes=((place.span, f"{describe(other)} belongs here"),),
            )
    return None


def bad_value(term: s.Term, datatypes: Kinds) -> Problem | None:
    """A written value that none of the datatypes has."""
    if term.kind in (s.TermKind.CURIE, s.TermKind.IRI):
        return Problem(
            "value-type",
            f"`{term_text(term)}` names an entity, no value of type {' or '.join(datatypes)}",
            term.span,
            "put a text into double quotes",
        )
    if not all(value_key(term.text, datatype).startswith("lill ") for datatype in datatypes):
        return None
    return Problem(
        "value-type",
        f"`{term.text}` is not a value of type {' or '.join(datatypes)}",
        term.span,
        "dates are YYYY, YYYY-MM or YYYY-MM-DD" if "date" in datatypes else "change the value",
    )
