"""What the facts of each relation are like: which properties hold, of how many, and where not.

That a property holds in an incomplete graph is no proof of it: the second capital may be what is
missing.  So each is counted with what it was tried on, and with its exceptions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kgverify.graph import Graph
from kgverify.graph.building import RDF_TYPE, SUBCLASS_OF
from kgverify.graph.strings import Longs
from kgverify.graph.terms import Kind, plain_literal_key

EXAMPLES = 3
MOST_CHAINS = 20_000_000  # chains of two facts that are looked at for `transitive`


@dataclass(frozen=True, slots=True)
class Held:
    """How often a property was tried on a relation, and failed: `tried` subjects, objects, facts,
    entities or chains, `exceptions` of them, and some of these in words.  `target` is the other
    relation of `inverse` and `subrelation`."""

    kind: str
    tried: int
    exceptions: int
    unit: str
    examples: tuple[str, ...] = ()
    target: str = ""


@dataclass(frozen=True)
class RelationProfile:
    """A relation's distinct facts.  `datatype` is that of its objects, "" where they are entities;
    `mixed` says that some are entities and some are values.  `subjects` and `objects` are terms,
    each once."""

    name: str
    facts: int
    subjects: Longs
    objects: Longs
    datatype: str
    mixed: bool
    held: tuple[Held, ...]


def profiles(graph: Graph) -> list[RelationProfile]:
    """Every relation but those of classes, in the order of names."""
    names = [
        number
        for number, name in enumerate(graph.relations)
        if name not in (RDF_TYPE, SUBCLASS_OF) and graph.facts.count(number)
    ]
    codes = {number: _codes(graph, number) for number in names}
    links = _links(graph, codes)
    none = np.empty(0, np.int64)
    subjects = np.unique(np.concatenate([none, *(code >> 32 for code in codes.values())]))
    return [_profile(graph, n, codes[n], links.get(n, ()), subjects) for n in names]


def _codes(graph: Graph, relation: int) -> Longs:
    """A relation's distinct facts, each as subject · 2^32 + object, ascending."""
    pairs = graph.facts.all(relation)
    return np.unique(pairs.subjects.astype(np.int64) << 32 | pairs.objects)


def _mirrored(codes: Longs) -> Longs:
    """Each fact turned round, in its place."""
    return (codes & 0xFFFFFFFF) << 32 | codes >> 32


def _turned(codes: Longs) -> Longs:
    """The facts turned round, ascending by what is the subject now."""
    return np.sort(_mirrored(codes))


def _profile(
    graph: Graph, number: int, codes: Longs, links: tuple[Held, ...], every: Longs
) -> RelationProfile:
    """`every` are the subjects of all relations."""
    subjects, objects = np.unique(codes >> 32), np.unique(codes & 0xFFFFFFFF)
    values = graph.kinds(objects) == Kind.LITERAL
    keys = graph.keys(objects[values]) if values.any() else _plain(graph, objects, every)
    held = [_functional(graph, codes, "functional")]
    if not keys:
        held.append(_functional(graph, _turned(codes), "inverse_functional"))
        held += _within(graph, codes, np.intersect1d(subjects, objects))
    return RelationProfile(
        graph.relations[number],
        len(codes),
        subjects,
        objects,
        _datatype(keys),
        bool(values.any() and not values.all()),
        (*held, *links),
    )


def _functional(graph: Graph, codes: Longs, kind: str) -> Held:
    """One object for each subject?"""
    ids, starts, counts = np.unique(codes >> 32, return_index=True, return_counts=True)
    several = np.flatnonzero(counts > 1)
    examples = []
    for place in several[:EXAMPLES].tolist():
        some = codes[starts[place] : starts[place] + min(counts[place], EXAMPLES)] & 0xFFFFFFFF
        names = " and ".join(_names(graph, some))
        examples.append(f"{_name(graph, int(ids[place]))} has {names}")
    unit = "subjects" if kind == "functional" else "objects"
    return Held(kind, len(ids), len(several), unit, tuple(examples))


def _within(graph: Graph, codes: Longs, both: Longs) -> Iterator[Held]:
    """What can be said of a relation only where something is subject and object of it."""
    if not len(both):
        return
    loops = codes[codes >> 32 == codes & 0xFFFFFFFF]
    others = codes[codes >> 32 != codes & 0xFFFFFFFF]
    back = np.isin(_mirrored(others), codes)
    yield Held("irreflexive", len(both), len(loops), "entities", _facts(graph, loops))
    yield Held("symmetric", len(others), int((~back).sum()), "facts", _facts(graph, others[~back]))
    yield Held("asymmetric", len(others), int(back.sum()), "facts", _facts(graph, others[back]))
    chains = _chains(others)
    if chains is not None:
        closed = np.isin(chains, codes)
        missing = _facts(graph, np.unique(chains[~closed]))
        yield Held("transitive", len(chains), int((~closed).sum()), "chains", missing)


def _chains(codes: Longs) -> Longs | None:
    """The ends of all chains of two facts that end elsewhere than they begin; None where there are
    too many to look at."""
    left, middle = codes >> 32, codes & 0xFFFFFFFF
    starts, ends = np.searchsorted(left, middle, "left"), np.searchsorted(left, middle, "right")
    lengths = ends - starts
    if lengths.sum() > MOST_CHAINS:
        return None
    rows = np.repeat(starts - np.cumsum(lengths) + lengths, lengths) + np.arange(lengths.sum())
    found = np.repeat(left, lengths) << 32 | middle[rows]
    elsewhere: Longs = found[found >> 32 != found & 0xFFFFFFFF]
    return elsewhere


def _links(graph: Graph, codes: dict[int, Longs]) -> dict[int, tuple[Held, ...]]:
    """For each relation others that have most of its facts, or the same facts turned round."""
    shared = _shared(codes)
    found: dict[int, list[Held]] = {}
    for (one, other, turned), n in shared.items():
        size, name = len(codes[one]), graph.relations[other]
        if 2 * n <= size:
            continue
        if turned:
            # Said of the first of the two; what is tried are the facts of both.
            if one < other and 2 * n > len(codes[other]):
                lost = codes[one][~np.isin(_mirrored(codes[one]), codes[other])]
                both = size + len(codes[other])
                examples = _facts(graph, lost)
                held = Held("inverse", both, both - 2 * n, "facts", examples, name)
                found.setdefault(one, []).append(held)
        elif size < len(codes[other]) or (size == len(codes[other]) and one < other):
            lost = codes[one][~np.isin(codes[one], codes[other])]
            held = Held("subrelation", size, size - n, "facts", _facts(graph, lost), name)
            found.setdefault(one, []).append(held)
    return {one: tuple(held) for one, held in found.items()}


def _shared(codes: dict[int, Longs]) -> dict[tuple[int, int, bool], int]:
    """How many facts of one relation are facts of another, as they are or turned round, in the
    order of relations; pairs that share none are left out."""
    if not codes:
        return {}
    numbers = np.array(list(codes))
    most = int(numbers.max()) + 1
    lines = [(code, number) for number, code in codes.items()]
    lines += [(_turned(code), number + most) for number, code in codes.items()]
    facts = np.concatenate([code for code, _ in lines])
    relations = np.concatenate([np.full(len(code), number) for code, number in lines])
    order = np.lexsort((relations, facts))
    facts, relations = facts[order], relations[order]
    found: dict[tuple[int, int, bool], int] = {}
    for step in range(1, 2 * most):
        same = facts[step:] == facts[:-step]
        if not same.any():
            break
        one, other = relations[:-step][same], relations[step:][same]
        pairs, counts = np.unique(one * 2 * most + other, return_counts=True)
        for pair, count in zip(pairs.tolist(), counts.tolist(), strict=True):
            left, right = divmod(pair, 2 * most)
            if left < most and left != right % most:
                key = left, right % most, right >= most
                found[key] = found.get(key, 0) + count
    found |= {(b, a, False): n for (a, b, turned), n in found.items() if not turned}
    return dict(sorted(found.items()))


def _facts(graph: Graph, codes: Longs) -> tuple[str, ...]:
    some = codes[:EXAMPLES]
    pairs = zip(_names(graph, some >> 32), _names(graph, some & 0xFFFFFFFF), strict=True)
    return tuple(f"({one}, {other})" for one, other in pairs)


def _name(graph: Graph, term: int) -> str:
    return _names(graph, np.array([term]))[0]


def _names(graph: Graph, terms: Longs) -> list[str]:
    """Labels where there are some, else what stands in the graph."""
    pairs = zip(graph.labels(terms), graph.keys(terms), strict=True)
    return [label or key[1:] for label, key in pairs]


def _plain(graph: Graph, objects: Longs, subjects: Longs) -> list[str]:
    """Objects that a table has as plain words and that are all numbers, dates or truth values, as
    values; none where there is another among them, or one that has a label or is a subject."""
    keys = graph.keys(objects)
    words = [key[1:] for key in keys]
    if any(key[0] != "e" for key in keys) or np.isin(objects, subjects).any():
        return []
    if any(graph.labels(objects)):
        return []
    if set(words) <= {"true", "false"}:
        return [f"lboolean {word}" for word in words]
    found = [plain_literal_key(word) for word in words]
    return [] if any(key.startswith("lstring ") for key in found) else found


def _datatype(keys: list[str]) -> str:
    """The datatype of the rule language that all of these values have, `string` if there is none;
    "" of no values."""
    kinds = {key[1:].split(" ", 1)[0].split("@")[0] for key in keys}
    if not kinds:
        return ""
    if kinds == {"number"}:
        whole = all(key[len("lnumber ") :].lstrip("+-").isdigit() for key in keys)
        return "integer" if whole else "number"
    named = {"date": "date", "time": "date", "boolean": "boolean"}
    return named.get(kinds.pop(), "string") if len(kinds) == 1 else "string"
