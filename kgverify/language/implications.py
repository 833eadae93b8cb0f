"""When one constraint of a question says another one too, or rules it out.

Only what the rule file alone shows is found; what is not found may still be so.
"""

from __future__ import annotations

from fractions import Fraction

from kgverify.graph.terms import has_zone, number_value, time_interval, value_key
from kgverify.language import syntax as s
from kgverify.language.normal_forms import NormalForm, signed_form
from kgverify.language.paths import ends
from kgverify.language.rulebook import RuleBook

# A stretch of numbers: each bound with what is added to it, 1 or -1 where the bound itself is out.
_Bound = tuple[Fraction | float, int]
_Stretch = tuple[_Bound, _Bound]
_LOWEST: _Bound = (float("-inf"), 0)
_HIGHEST: _Bound = (float("inf"), 0)


def entails(book: RuleBook, one: NormalForm, other: NormalForm) -> bool:
    """Does the one constraint say the other too: is the other sat wherever it is?"""
    (positive, negated), (wanted, unwanted) = one, other
    if _in_group(one, other):
        return True
    if isinstance(positive, s.Literal) and isinstance(wanted, s.Literal) and negated == unwanted:
        # What nobody knows decides nothing, so the other must not name more than the one does.
        if not _things(wanted.atom) <= _things(positive.atom):
            return False
        if not negated:
            return _holds_too(book, positive, wanted)
        return _holds_too(book, wanted, positive) and (wanted.closed or not positive.closed)
    return one == other


def contradicts(book: RuleBook, one: NormalForm, other: NormalForm) -> bool:
    """Can the two never both be sat?"""
    (positive, negated), (wanted, unwanted) = one, other
    opposite = (wanted, not unwanted)
    if _in_group(one, opposite) or _in_group(other, (positive, not negated)):
        return True
    if not isinstance(positive, s.Literal) or not isinstance(wanted, s.Literal):
        return one == opposite
    if negated != unwanted:
        holds, denied = (wanted, positive) if negated else (positive, wanted)
        return _holds_too(book, holds, denied)
    return not negated and _apart(book, positive.atom, wanted.atom)


def _things(atom: s.Atom) -> set[s.Term]:
    return {atom.term} if isinstance(atom, s.ClassAtom) else set(atom.arguments)


def _in_group(one: NormalForm, other: NormalForm) -> bool:
    """Is the one a member of the `any of` that the other is, or the other of the one's `all of`?"""
    (positive, negated), (wanted, unwanted) = one, other
    if isinstance(wanted, s.Group) and wanted.quantity == "any" and not unwanted:
        return one in map(signed_form, wanted.members)
    if isinstance(positive, s.Group) and positive.quantity == "all" and not negated:
        return other in map(signed_form, positive.members)
    return False


def _holds_too(book: RuleBook, one: s.Literal, other: s.Literal) -> bool:
    """Is there evidence for the other atom wherever there is some for the one?"""
    if other.at is not None and one.at != other.at:
        return False
    a, b = one.atom, other.atom
    if a == b:
        return True
    match a, b:
        case s.ClassAtom(), s.ClassAtom():
            return a.term == b.term and b.cls.text in book.superclasses.get(a.cls.text, ())
        case ((s.RelationAtom() | s.PathAtom()), s.ClassAtom()):
            sides = zip(a.arguments, ends(book, _path(a)), strict=False)
            return any(
                term == b.term
                and len(kinds) == 1
                and b.cls.text in book.superclasses.get(kinds[0], ())
                for term, kinds in sides
            )
        case ((s.RelationAtom() | s.PathAtom()), (s.RelationAtom() | s.PathAtom())):
            return a.arguments == b.arguments and _leads_too(book, _path(a), _path(b))
        case s.ValueAtom(), s.ValueAtom():
            same = (a.path, a.arguments) == (b.path, b.arguments)
            return same and _within(_values(book, a), _values(book, b))
        case s.CountAtom(), s.CountAtom():
            same = (a.path, a.arguments) == (b.path, b.arguments)
            return same and _within(_numbers(a), _numbers(b))
        case _:
            return False


def _path(atom: s.RelationAtom | s.PathAtom) -> s.Path:
    if isinstance(atom, s.PathAtom):
        return atom.path
    return s.Path("relation", atom.relation, (), atom.relation.span)


def _leads_too(book: RuleBook, one: s.Path, other: s.Path) -> bool:
    """Does the other path lead wherever the one does?"""
    if one == other:
        return True
    if one.kind == "alternative":
        return all(_leads_too(book, part, other) for part in one.parts)
    if other.kind == "alternative":
        return any(_leads_too(book, one, part) for part in other.parts)
    if other.kind == "closure":
        step = one.parts[0] if one.kind == "closure" else one
        steps = step.parts if step.kind == "sequence" else (step,)
        return _leads_too(book, step, other.parts[0]) or all(
            _leads_too(book, part, other.parts[0]) for part in steps
        )
    if one.kind != other.kind or len(one.parts) != len(other.parts):
        return False
    if one.kind == "relation":
        return other.relations[0].text in _above(book, one.relations[0].text)
    return all(_leads_too(book, a, b) for a, b in zip(one.parts, other.parts, strict=True))


def _above(book: RuleBook, name: str) -> set[str]:
    """The relations of which this one is declared a kind, itself included."""
    seen, todo = {name}, [name]
    while todo:
        relation = book.relations.get(todo.pop())
        for item in relation.properties if relation else ():
            target = item.target.text if item.target and item.kind == "subrelation" else None
            if target and target not in seen:
                seen.add(target)
                todo.append(target)
    return seen


# ---------------------------------------------------------------- numbers


def _apart(book: RuleBook, one: s.Atom, other: s.Atom) -> bool:
    """Do two counts of one thing, or two comparisons of its one value, rule each other out?"""
    match one, other:
        case s.CountAtom(), s.CountAtom():
            a, b = _numbers(one), _numbers(other)
        case s.ValueAtom(), s.ValueAtom():
            if not _has_one_value(book, one.path):
                return False
            a, b = _values(book, one), _values(book, other)
        case _:
            return False
    if (one.path, one.arguments) != (other.path, other.arguments) or a is None or b is None:
        return False
    return a[0] > b[1] or b[0] > a[1]


def _within(one: _Stretch | None, other: _Stretch | None) -> bool:
    return one is not None and other is not None and one[0] >= other[0] and one[1] <= other[1]


def _has_one_value(book: RuleBook, path: s.Path) -> bool:
    relation = book.relations.get(path.relations[0].text) if path.kind == "relation" else None
    return relation is not None and any(p.kind == "functional" for p in relation.properties)


def _numbers(atom: s.CountAtom) -> _Stretch | None:
    """The numbers that a count asks for; None when they are no stretch or not known."""
    if atom.value.kind is not s.TermKind.NUMBER:
        return None
    found = _stretch(atom.operator, _number(atom.value.text))
    if found is None:
        return None
    (low, above), (high, below) = found
    return (low + above, 0), (high + below, 0)


def _values(book: RuleBook, atom: s.ValueAtom) -> _Stretch | None:
    """The numbers or moments that a comparison asks for; None when they are no stretch or not
    known."""
    if atom.value.kind is s.TermKind.NAME:
        return None
    _, end = ends(book, atom.path)
    if end == ("date",):
        return _moments(atom.operator, value_key(atom.value.text, "date"))
    if end and set(end) <= {"integer", "decimal", "number"}:
        return _stretch(atom.operator, _number(atom.value.text))
    return None


def _moments(operator: str, key: str) -> _Stretch | None:
    """The moments before, within or after a date; a date is compared as a whole (decision 22).

    Nothing is said of dates with a time zone: how they compare depends on the value's own."""
    moment = time_interval(key)
    if moment is None or has_zone(key):
        return None
    start, end = moment
    behind = (end, 1) if start == end else (end, 0)  # the first moment after the date
    before_end = (end, 0) if start == end else (end, -1)
    match operator:
        case "<":
            return _LOWEST, (start, -1)
        case "<=":
            return _LOWEST, before_end
        case "=":
            return (start, 0), before_end
        case ">=":
            return (start, 0), _HIGHEST
        case ">":
            return behind, _HIGHEST
        case _:
            return None


def _number(text: str) -> Fraction | None:
    value = number_value(value_key(text, "number"))
    # An exponent without limit would take all memory when it is written out.
    if value is None or not value.is_finite() or abs(value.adjusted()) > 1000:
        return None
    return Fraction(value)


def _stretch(operator: str, bound: Fraction | None) -> _Stretch | None:
    if bound is None:
        return None
    match operator:
        case "<":
            return _LOWEST, (bound, -1)
        case "<=":
            return _LOWEST, (bound, 0)
        case "=":
            return (bound, 0), (bound, 0)
        case ">=":
            return (bound, 0), _HIGHEST
        case ">":
            return (bound, 1), _HIGHEST
        case _:
            return None
