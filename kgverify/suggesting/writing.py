"""A rule file that a graph suggests, for people to review.

Classes and relations are declared, since the graph has them.  Properties are written as comments:
what holds of the facts that are there need not hold of those that are missing.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from kgverify.errors import counted
from kgverify.graph import Graph
from kgverify.language.checks import RESERVED_NAMES
from kgverify.language.formatting import format_rules
from kgverify.language.printing import quoted
from kgverify.suggesting.classes import Classes, Covered
from kgverify.suggesting.relations import Held, RelationProfile, profiles

Key = TypeVar("Key")

LEAST = 10  # times that a property was tried, or members of a disjoint class
NEARLY = 0.02  # the share of exceptions up to which a property is mentioned
_WRITTEN = {
    "functional": "functional",
    "inverse_functional": "inverse functional",
    "irreflexive": "irreflexive",
    "symmetric": "symmetric",
    "asymmetric": "asymmetric",
    "transitive": "transitive",
    "inverse": "inverse of {}",
    "subrelation": "sub of {}",
}
_ENTITY = "Entity"


_INTRODUCTION = (
    "# Classes and relations are those of the graph.  A signature is the smallest class of all",
    "# subjects or objects that have one.  Properties are comments, each with what it was tried",
    "# on, and the share of exceptions that can't be excluded, at 95 %, if that was a fair sample.",
    "# The graph is incomplete: what holds in it need not hold in the world.  Take over what you",
    "# know to be so, and write sentences that people would say.",
)


@dataclass(frozen=True, slots=True)
class _Names:
    """What the rule file calls classes, by their terms, and relations, by the graph's names."""

    classes: dict[int, str]
    relations: dict[str, str]


def suggest_rules(graph: Graph, least: int = LEAST) -> str:
    """The text of a rule file for a graph.

    Properties are mentioned that were tried `least` times and failed at most in two of a hundred.
    """
    found = profiles(graph)
    classes = Classes(graph)
    listed = classes.profiles
    taken = {_ENTITY}
    names = _Names(
        _named([(c.term, _own(graph, c.term)) for c in listed], _capital, taken),
        _named([(r.name, r.name) for r in found], _small, taken),
    )
    what = f"{counted(len(found), 'relation')}, {len(listed):,} class{'es' * (len(listed) != 1)}"
    lines = [f"# Suggested by the graph {graph.name}: {what}.", "#", *_INTRODUCTION]
    lines += _classes(graph, classes, names, least, found)
    for relation in found:
        lines += ["", *_relation(graph, classes, relation, names, least)]
    return format_rules("\n".join(lines) + "\n")


# ------------------------------------------------------------------ classes


def _classes(
    graph: Graph,
    classes: Classes,
    names: _Names,
    least: int,
    relations: Sequence[RelationProfile],
) -> Iterator[str]:
    yield ""
    for one in classes.profiles:
        above = " sub of " + " and ".join(names.classes[t] for t in one.above) if one.above else ""
        name = names.classes[one.term]
        entities = f"{one.members:,} entit{'y' if one.members == 1 else 'ies'}"
        yield f"class {name}{_kg(name, graph.key(one.term)[1:])}{above}  # {entities}"
    if not classes.profiles or any(_needs_entity(classes, relation) for relation in relations):
        yield f"class {_ENTITY}  # whatever has no class in the graph"
    for group in classes.apart(least):
        said = f"disjoint {', '.join(names.classes[term] for term in group)}"
        yield from textwrap.wrap(
            said, 98, initial_indent="# ", subsequent_indent="#     ", break_long_words=False
        )
        yield f"#     ? No two of them share an entity; each has {least} or more."


def _needs_entity(classes: Classes, relation: RelationProfile) -> bool:
    sides = [relation.subjects] if relation.datatype else [relation.subjects, relation.objects]
    return not relation.mixed and any(classes.covering(side).cls is None for side in sides)


# ------------------------------------------------------------------ relations


def _relation(
    graph: Graph, classes: Classes, relation: RelationProfile, names: _Names, least: int
) -> Iterator[str]:
    name = names.relations[relation.name]
    subjects = classes.covering(relation.subjects)
    objects = None if relation.datatype else classes.covering(relation.objects)
    yield (
        f"# {counted(relation.facts, 'fact')}, {counted(len(relation.subjects), 'subject')}, "
        f"{counted(len(relation.objects), 'object')}"
    )
    for side, what in ((subjects, "subjects"), (objects, "objects")):
        if side is not None and side.untyped and classes.profiles:
            yield f"# {side.untyped:,} of {side.entities:,} {what} have no class"
        if side is not None and side.largest:
            inside = ", ".join(f"{names.classes[cls]} {n:,}" for cls, n in side.largest)
            yield f"# no class has all {what}: {inside}"
    range_ = _called(objects, names) if objects else relation.datatype
    ends = f"({_called(subjects, names)}, {range_})"
    words = name.strip("_").replace("_", " ")
    line = f"relation {name}{_kg(name, relation.name)} {ends}"
    mark = "# " if relation.mixed else ""
    if relation.mixed:
        yield "# some objects are entities and some are values, which no relation can have:"
    yield mark + line
    yield f'{mark}    "{{0}} {words} {{1}}"'
    for held in relation.held:
        if held.tried >= least and held.exceptions <= NEARLY * held.tried:
            yield from _property(held, names)


def _property(held: Held, names: _Names) -> Iterator[str]:
    written = _WRITTEN[held.kind].format(names.relations.get(held.target, held.target))
    if not held.exceptions:
        # Were it more, one of so many that are drawn by chance would fail, with 95 %.
        share = 1 - 0.05 ** (1 / held.tried)
        yield (
            f"    # {written}?  All {held.tried:,} {held.unit}; "
            f"fewer than {share:.1%} may be otherwise"
        )
        return
    yield f"    # nearly {written}: {held.exceptions:,} of {held.tried:,} {held.unit} are not"
    for example in held.examples:
        yield f"    #     {' '.join(example.split())}"


def _called(side: Covered, names: _Names) -> str:
    return _ENTITY if side.cls is None else names.classes[side.cls]


# ------------------------------------------------------------------ names


def _own(graph: Graph, term: int) -> str:
    """A class's label, or its id."""
    return graph.label(term) or graph.key(term)[1:]


def _kg(name: str, own: str) -> str:
    """What the graph calls it, where that differs."""
    if name == own:
        return ""
    is_iri = re.fullmatch(r"[a-zA-Z][\w+.-]*:[^<>\"{}|^`\\\s]+", own)
    return f" = <{own}>" if is_iri else f" = {quoted(own)}"


def _named(
    wanted: Sequence[tuple[Key, str]], form: Callable[[str], str], taken: set[str]
) -> dict[Key, str]:
    """A name of its own for each: of the last part of what it is called, or of more of it."""
    found: dict[Key, str] = {}
    for key, own in wanted:
        parts = [part for part in re.split(r"[/#:]", own) if re.search(r"\w", part)] or [own]
        tries = (form(" ".join(parts[-length:])) for length in range(1, len(parts) + 1))
        name = next((one for one in tries if one not in taken), "")
        number = 2
        while not name or name in taken:
            name = f"{form(parts[-1])}_{number}"
            number += 1
        taken.add(name)
        found[key] = name
    return found


def _words(own: str) -> list[str]:
    return re.findall(r"[^\W_]+", own)


def _capital(own: str) -> str:
    """A name as classes have it: `Side Effect` is `SideEffect`."""
    return _free("".join(word[:1].upper() + word[1:] for word in _words(own)), "C")


def _small(own: str) -> str:
    """A name as relations have it: `place of birth` is `place_of_birth`, `CtD` stays."""
    return _free("_".join(_words(own)), "r")


def _free(name: str, letter: str) -> str:
    """The name where it is one of the language, and no word of its own."""
    if not re.match(r"[^\W\d]", name):
        name = f"{letter}{name}"
    return f"{name}_" if name in RESERVED_NAMES else name
