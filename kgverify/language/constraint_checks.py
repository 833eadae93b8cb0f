"""Checks of what only the constraints of questions have: comparisons of values, counts, times,
exceptions, and absence that counts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from kgverify.errors import Problem
from kgverify.language import syntax as s
from kgverify.language.paths import Kinds, cannot_meet, describe, ends
from kgverify.language.printing import path_text, term_text
from kgverify.language.rulebook import DATATYPES, RuleBook
from kgverify.language.signatures import bad_value, known_types

_ORDERED = ("<", "<=", ">=", ">")


def check_constraints(book: RuleBook) -> Iterator[Problem]:
    """Comparisons, counts, times and exceptions that have no meaning, or none of their own."""
    for question in book.questions.values():
        known = known_types(book, question)
        for item in question.items:
            for part in s.leaves(item.condition):
                if isinstance(part, s.Literal):
                    yield from _literal(book, part, known)
            yield from _exceptions(book, question, item, known)


def _literal(book: RuleBook, literal: s.Literal, known: Mapping[str, str]) -> Iterator[Problem]:
    match literal.atom:
        case s.ValueAtom():
            yield from _value(book, literal.atom, known)
        case s.CountAtom():
            yield from _count(book, literal.atom, known)
    if literal.at is not None:
        yield from _time(literal.atom, literal.at, known)
    if literal.closed:
        yield from _closed(book, literal)


def _declared(term: s.Term, known: Mapping[str, str]) -> str | None:
    """The class or datatype of a parameter or the answer; None for any other term."""
    return known.get(term.text) if term.kind is s.TermKind.NAME else None


# ---------------------------------------------------------------- values


def _value(book: RuleBook, atom: s.ValueAtom, known: Mapping[str, str]) -> Iterator[Problem]:
    _, end = ends(book, atom.path)
    path = path_text(atom.path, 1)
    if not end or any(name.text not in book.relations for name in atom.relations):
        return
    if not set(end) <= set(DATATYPES):
        equal = {"=": f"{path}(x, y)", "!=": f"not {path}(x, y)"}.get(atom.operator)
        yield Problem(
            "comparison",
            f"`{path}` leads to {describe(end)}; `{atom.operator}` compares values",
            atom.path.span,
            f"write `{equal}`" if equal else "use a relation to numbers, dates or texts",
        )
        return
    if atom.operator in _ORDERED and "boolean" in end:
        yield Problem(
            "comparison",
            f"truth values have no order, so `{atom.operator}` can't compare them",
            atom.span,
            "use `=` or `!=`",
        )
    if not atom.value.is_variable:
        problem = _operand(book, atom, end, known)
        if problem:
            yield problem


def _operand(
    book: RuleBook, atom: s.ValueAtom, end: Kinds, known: Mapping[str, str]
) -> Problem | None:
    """What is wrong with the value that a path is compared with."""
    term = atom.value
    declared = _declared(term, known)
    if declared is None:
        return _written(term, end)
    if not cannot_meet(book, (declared,), end):
        return None
    values = f", but `{path_text(atom.path, 1)}` leads to {describe(end)}"
    return Problem(
        "comparison",
        f"`{term.text}` is {describe((declared,))}"
        + (values if declared in DATATYPES else ", no value"),
        term.span,
        "numbers compare with numbers, dates with dates, texts with texts",
    )


def _written(term: s.Term, end: Kinds) -> Problem | None:
    problem = bad_value(term, end)
    if problem is None and term.kind in (s.TermKind.NUMBER, s.TermKind.DATE) and end == ("string",):
        kind = "number" if term.kind is s.TermKind.NUMBER else "date"
        return Problem(
            "value-type",
            f"`{term.text}` is a {kind}, and texts are compared here",
            term.span,
            f'write `"{term.text}"` for the text, or declare the relation with `{kind}`',
        )
    return problem


# ---------------------------------------------------------------- counts


def _count(book: RuleBook, atom: s.CountAtom, known: Mapping[str, str]) -> Iterator[Problem]:
    open_ = [t.kind is s.TermKind.ANONYMOUS for t in atom.arguments]
    path = path_text(atom.path, 1)
    if len(open_) == 2 and open_.count(True) != 1:
        yield Problem(
            "count",
            "nothing is counted: one argument must be `_`"
            if not any(open_)
            else "both arguments are `_`; only one can be counted",
            atom.span,
            f"write `count {path}(x, _)` for the objects, `count {path}(_, x)` for the subjects",
        )
    declared = _declared(atom.value, known)
    if declared not in (None, "integer"):
        yield Problem(
            "count",
            f"`{atom.value.text}` is {describe((str(declared),))}; a count is compared with an "
            "integer",
            atom.value.span,
            "declare the parameter as `integer`",
        )
    elif declared is None and not atom.value.is_variable:
        yield from _bound(book, atom, open_)


def _bound(book: RuleBook, atom: s.CountAtom, open_: list[bool]) -> Iterator[Problem]:
    """What is wrong with the number that a count is compared with."""
    text = term_text(atom.value)
    if atom.value.kind is not s.TermKind.NUMBER or not re.fullmatch(r"\+?\d+|-0+", text):
        below = text.startswith("-") and atom.value.kind is s.TermKind.NUMBER
        yield Problem(
            "count",
            f"`{text}` is no number of things" + (": it is below 0" if below else ""),
            atom.value.span,
            "compare with a whole number, 0 or more, or with an `integer` parameter",
        )
        return
    least, most = counted(atom.operator, int(text))
    if atom.operator == "!=":
        return
    if most is not None and most < 0:
        yield _vacuous(atom, "never holds: no number is below 0")
    elif least <= 0 and most is None:
        yield _vacuous(atom, "always holds: every number is 0 or more")
    elif open_ in ([False, True], [True, False]) and (reason := _one_at_most(book, atom, open_)):
        if least > 1:
            yield _vacuous(atom, f"never holds: {reason}", "warning")
        elif least <= 0 and most is not None and most >= 1:
            yield _vacuous(atom, f"always holds: {reason}", "warning")


def counted(operator: str, bound: int) -> tuple[int, int | None]:
    """The least and the greatest whole number that compare so with `bound`; None: no greatest."""
    match operator:
        case ">=":
            return bound, None
        case ">":
            return bound + 1, None
        case "<=":
            return 0, bound
        case "<":
            return 0, bound - 1
        case _:
            return bound, bound


def _one_at_most(book: RuleBook, atom: s.CountAtom, open_: list[bool]) -> str:
    """Why there can't be two of what is counted; empty when there can be."""
    relation = book.relations.get(atom.relations[0].text) if atom.path.kind == "relation" else None
    if relation is None:
        return ""
    kind, said = (
        ("functional", "a subject has one object")
        if open_[1]
        else ("inverse_functional", "an object has one subject")
    )
    has = any(item.kind == kind for item in relation.properties)
    return f"`{relation.name}` is {kind.replace('_', ' ')}, {said}" if has else ""


def _vacuous(atom: s.CountAtom, why: str, severity: str = "error") -> Problem:
    return Problem(
        "vacuous-constraint",
        f"this count {why}",
        atom.span,
        "change the number or the comparison",
        severity=severity,
    )


# ---------------------------------------------------------------- times


def _time(atom: s.Atom, time: s.Term, known: Mapping[str, str]) -> Iterator[Problem]:
    untimed = {
        s.ClassAtom: "a class has its members at all times",
        s.PathAtom: "a path has no time of its own",
        s.ValueAtom: "a comparison of values has no time",
        s.CountAtom: "a count has no time",
    }
    reason = untimed.get(type(atom))
    if reason:
        yield Problem(
            "time",
            f"`at` stands behind one relation only: {reason}",
            time.span,
            "remove `at`, or write a relation such as `capital(c, x) at 1995`",
        )
    declared = _declared(time, known)
    if declared is not None:
        if declared != "date":
            yield Problem(
                "time",
                f"`{time.text}` is {describe((declared,))}, no time",
                time.span,
                "declare the parameter as `date`",
            )
    elif not time.is_variable and (problem := bad_value(time, ("date",))):
        yield problem


# ---------------------------------------------------------------- absence that counts


def _closed(book: RuleBook, literal: s.Literal) -> Iterator[Problem]:
    """`assume closed` where the file says already that every relation is complete."""
    complete = {c.relation.text: c.span for c in book.complete if c.cls is None and not c.subjects}
    names = [name.text for name in literal.atom.relations]
    if names and all(name in complete for name in names):
        said = " and ".join(f"`complete {name}`" for name in dict.fromkeys(names))
        yield Problem(
            "implied",
            f"{said} says `assume closed` already",
            literal.span,
            "remove one of the two",
            severity="warning",
            notes=tuple((complete[name], "declared here") for name in dict.fromkeys(names)),
        )


# ---------------------------------------------------------------- exceptions


def _exceptions(
    book: RuleBook, question: s.Question, item: s.Item, known: Mapping[str, str]
) -> Iterator[Problem]:
    seen: set[str] = set()
    answers = (question.answer_class.text,) if question.answer_class.text in book.classes else ()
    for term in item.exceptions:
        declared = _declared(term, known)
        name = book.entity_ids(term)[0]
        problem = _no_entity(term)
        if problem:
            yield problem
        elif term.kind is s.TermKind.NAME and term.text == question.answer.text:
            yield Problem(
                "exception",
                f"`{term.text}` is the answer: the constraint would apply to nobody",
                term.span,
                "name the entities that are excepted",
            )
        elif declared is not None and cannot_meet(book, (declared,), answers):
            yield Problem(
                "exception",
                f"`{term.text}` is {describe((declared,))}, which no answer can be: an answer is "
                f"{describe(answers)}",
                term.span,
                "except entities that can be answers",
            )
        elif name in seen:
            yield Problem(
                "repeated",
                f"`{term_text(term)}` is excepted twice",
                term.span,
                "remove it",
                severity="warning",
            )
        seen.add(name)


def _no_entity(term: s.Term) -> Problem | None:
    if term.kind not in (s.TermKind.NUMBER, s.TermKind.DATE):
        return None
    return Problem(
        "exception",
        f"`{term.text}` is a value; exceptions are entities",
        term.span,
        "name entities; put a name that looks like a value into double quotes",
    )
