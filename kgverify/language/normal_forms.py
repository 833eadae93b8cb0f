"""One form for all constraints that say the same."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from kgverify.language import syntax as s
from kgverify.language.printing import condition_text, path_text

# The constraint without its denial, and whether it is denied (`exclude`, `not`, `!=`).
NormalForm = tuple[s.Constraint, bool]


def normal_form(item: s.Item) -> NormalForm:
    """The constraint's atom, equality or group, and whether it is denied (`exclude`, `not`, `!=`).

    Two constraints that say the same have the same normal form."""
    positive, negated = signed_form(item.condition)
    return positive, negated != (item.demand is s.Demand.EXCLUDE)


def signed_form(constraint: s.Constraint) -> NormalForm:
    """The normal form of a constraint as it stands, whatever the question demands of it."""
    if isinstance(constraint, s.Literal):
        atom = _normal_atom(constraint.atom)
        return replace(constraint, atom=atom, negated=False), constraint.negated
    if isinstance(constraint, s.Comparison):
        return replace(constraint, operator="="), constraint.operator == "!="
    members = {member: condition_text(member) for member in map(_signed, constraint.members)}
    ordered = tuple(sorted(members, key=members.__getitem__))
    return replace(constraint, members=ordered, negated=False), constraint.negated


def _signed(constraint: s.Constraint) -> s.Constraint:
    """The normal form of a member, with its sign."""
    return s.signed(*signed_form(constraint))


def _normal_atom(atom: s.Atom) -> s.Atom:
    if isinstance(atom, s.RelationAtom | s.ClassAtom):
        return atom
    path, arguments = normal_path(atom.path), atom.arguments
    if path.kind == "inverse" and not isinstance(atom, s.ValueAtom):
        path, arguments = path.parts[0], arguments[::-1]
    if isinstance(atom, s.PathAtom) and path.relation is not None:
        return s.RelationAtom(path.relation, arguments, atom.span)
    return replace(atom, path=path, arguments=arguments)


def normal_path(path: s.Path, inverse: bool = False) -> s.Path:
    """The path with `^` at its relations only, without brackets that change nothing, and with its
    alternatives sorted."""
    match path.kind:
        case "relation":
            return s.Path("inverse", None, (path,), path.span) if inverse else path
        case "inverse":
            return normal_path(path.parts[0], not inverse)
        case "sequence":
            steps = path.parts[::-1] if inverse else path.parts
            parts = _flat("sequence", (normal_path(part, inverse) for part in steps))
        case "alternative":
            found = _flat("alternative", (normal_path(part, inverse) for part in path.parts))
            ways = {part: path_text(part) for part in found}
            parts = tuple(sorted(ways, key=ways.__getitem__))
            if len(parts) == 1:
                return parts[0]
        case _:
            (part,) = (normal_path(part, inverse) for part in path.parts)
            if part.kind == "closure":
                return part
            parts = (part,)
    return replace(path, parts=parts)


def _flat(kind: str, parts: Iterable[s.Path]) -> tuple[s.Path, ...]:
    """The parts, with those of a part of this kind in its place."""
    return tuple(one for part in parts for one in (part.parts if part.kind == kind else (part,)))
