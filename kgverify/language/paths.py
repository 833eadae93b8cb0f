"""Where the paths of constraints begin and end, and the steps that can't follow each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from kgverify.errors import Problem, article
from kgverify.language import syntax as s
from kgverify.language.printing import path_text
from kgverify.language.rulebook import DATATYPES, RuleBook

# What may stand at a place: any of these classes or datatypes; anything at all when empty.
Kinds = tuple[str, ...]

_NUMERIC = {"integer", "decimal", "number"}


def ends(book: RuleBook, path: s.Path) -> tuple[Kinds, Kinds]:
    """What a path begins at and what it ends at; empty where an undeclared name leaves it open."""
    match path.kind:
        case "relation":
            relation = book.relations.get(path.relations[0].text)
            if relation is None:
                return (), ()
            start, end = relation.domain.text, relation.range.text
            return (
                (start,) if start in book.classes else (),
                (end,) if end in book.classes or end in DATATYPES else (),
            )
        case "inverse":
            start_, end_ = ends(book, path.parts[0])
            return end_, start_
        case "sequence":
            return ends(book, path.parts[0])[0], ends(book, path.parts[-1])[1]
        case "alternative":
            starts, stops = zip(*(ends(book, part) for part in path.parts), strict=True)
            return _union(starts), _union(stops)
        case _:
            return ends(book, path.parts[0])


def _union(parts: Iterable[Kinds]) -> Kinds:
    found = list(parts)
    return tuple(dict.fromkeys(kind for kinds in found for kind in kinds)) if all(found) else ()


def cannot_meet(book: RuleBook, one: Kinds, other: Kinds) -> bool:
    """Can nothing be of both kinds?  All numeric datatypes share their values."""
    return bool(one and other) and not any(_can_meet(book, a, b) for a in one for b in other)


def _can_meet(book: RuleBook, one: str, other: str) -> bool:
    if one in DATATYPES and other in DATATYPES:
        return one == other or {one, other} <= _NUMERIC
    return (one in DATATYPES) == (other in DATATYPES) and not book.are_disjoint(one, other)


def describe(kinds: Kinds) -> str:
    """The kinds in words, each with its article."""
    return " or ".join(f"a value ({k})" if k in DATATYPES else article(k) for k in kinds)


def path_problems(
    book: RuleBook, path: s.Path, before: Kinds = (), after: Kinds = ()
) -> Iterator[Problem]:
    """Steps and branches that no way leads through, where `before` and `after` stand at the
    ends."""
    stuck = list(_stuck(book, path, ""))
    yield from stuck
    if not stuck:
        yield from _gaps(book, path, before, after)


def _stuck(book: RuleBook, path: s.Path, reason: str) -> Iterator[Problem]:
    """Relations to values where the path would have to go on; `reason` says why it would."""
    match path.kind:
        case "relation":
            name = path.relations[0]
            if reason and name.text in book.relations and book.is_literal(name.text):
                datatype = book.relations[name.text].range.text
                yield Problem(
                    "path",
                    f"`{name}` leads to a value ({datatype}), and {reason}",
                    name.span,
                    "a relation to values can only be the last step of a path",
                    notes=((book.relations[name.text].name.span, "declared here"),),
                )
        case "inverse":
            yield from _stuck(book, path.parts[0], "`^` would begin there")
        case "closure":
            yield from _stuck(book, path.parts[0], "`+` would go on from there")
        case "sequence":
            for part in path.parts[:-1]:
                yield from _stuck(book, part, "the path would go on from there")
            yield from _stuck(book, path.parts[-1], reason)
        case _:
            for part in path.parts:
                yield from _stuck(book, part, reason)


def _gaps(book: RuleBook, path: s.Path, before: Kinds, after: Kinds) -> Iterator[Problem]:
    match path.kind:
        case "inverse":
            yield from _gaps(book, path.parts[0], after, before)
        case "sequence":
            yield from _steps(book, path.parts, before, after)
        case "alternative":
            yield from _branches(book, path, before, after)
        case "closure":
            start, end = ends(book, path)
            if cannot_meet(book, end, start):
                yield Problem(
                    "path",
                    f"`{path_text(path)}` can't take a second step: a step ends at "
                    f"{describe(end)} and begins at {describe(start)}",
                    path.span,
                    f"write `{path_text(path.parts[0], 1)}`, or check `disjoint`",
                )
            yield from _gaps(book, path.parts[0], (), ())


def _steps(
    book: RuleBook, parts: Sequence[s.Path], before: Kinds, after: Kinds
) -> Iterator[Problem]:
    found = [ends(book, part) for part in parts]
    for place, (one, two) in enumerate(pairwise(parts)):
        end, start = found[place][1], found[place + 1][0]
        if cannot_meet(book, end, start):
            yield Problem(
                "path",
                f"`{path_text(one)}` ends at {describe(end)}, but `{path_text(two)}` begins at "
                f"{describe(start)}",
                two.span,
                "is one of the two steps to be walked backwards, with `^`?",
            )
    befores = [before, *(end for _, end in found[:-1])]
    afters = [*(start for start, _ in found[1:]), after]
    for part, one_before, one_after in zip(parts, befores, afters, strict=True):
        yield from _gaps(book, part, one_before, one_after)


def _branches(book: RuleBook, path: s.Path, before: Kinds, after: Kinds) -> Iterator[Problem]:
    starts, stops = ends(book, path)
    first = ends(book, path.parts[0])[1]
    mixed = [part for part in path.parts if cannot_meet(book, first, ends(book, part)[1])]
    if mixed and set(stops) & set(DATATYPES):
        end = ends(book, mixed[0])[1]
        yield Problem(
            "path",
            f"`{path_text(mixed[0])}` leads to {describe(end)}, and the first way to "
            f"{describe(first)}",
            mixed[0].span,
            "the ways of `|` lead to entities, or to values of one kind",
        )
        return
    for part in path.parts:
        start, end = ends(book, part)
        for kinds, own, all_ in ((before, start, starts), (after, end, stops)):
            if cannot_meet(book, kinds, own) and not cannot_meet(book, kinds, all_):
                yield Problem(
                    "path",
                    f"the way `{path_text(part)}` can't be taken: {describe(kinds)} stands where "
                    f"it has {describe(own)}",
                    part.span,
                    "remove it, or check `disjoint`",
                )
        yield from _gaps(book, part, before, after)
