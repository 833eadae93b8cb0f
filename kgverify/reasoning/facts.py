"""Gathered evidence as facts of the solver.

Terms are integers, the ids of the graph; relations and named classes go by their names.  Program
text is the fastest way into clingo, and plain integers are the fastest terms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice, pairwise

import numpy as np

from kgverify.graph.terms import compatible, is_exact, time_interval
from kgverify.reasoning.datalog import symbol
from kgverify.reasoning.gathering import Slice
from kgverify.reasoning.knowledge import SUBCLASS, TYPE, Knowledge
from kgverify.reasoning.layers import Ids
from kgverify.reasoning.times import time_text
from kgverify.reasoning.values import ZONES, value_text


def slice_text(
    slice_: Slice,
    knowledge: Knowledge,
    extra: Iterable[int] = (),
    measured: bool = False,
    moments: Iterable[str] = (),
) -> str:
    """All facts of a slice; `extra` are the terms of the questions themselves, `moments` the times
    that they ask about.  `measured`: values are compared or counted, so it matters where they
    lie."""
    classes = _ClassSymbols(knowledge)
    parts = [
        *_pairs(slice_.triples, "triple", "member", classes),
        *_pairs(slice_.denied, "denied", "denied_member", classes),
    ]
    below, above = slice_.triples.get(SUBCLASS, (np.empty(0), np.empty(0)))
    parts += [
        f"subclass({classes(one)},{classes(other)})."
        for one, other in zip(below.tolist(), above.tolist(), strict=True)
    ]
    if slice_.timed:
        parts.append(time_text(slice_.timed, knowledge.periods, moments))
    return "\n".join([*parts, vague_text(slice_, knowledge, extra, measured)])


def vague_text(
    slice_: Slice, knowledge: Knowledge, extra: Iterable[int] = (), measured: bool = False
) -> str:
    """Which terms of a slice, and of `extra`, may be others, and where values lie if `measured`."""
    terms = [
        pair[i]
        for side in (slice_.triples, slice_.denied, slice_.timed)
        for pair in side.values()
        for i in (0, 1)
    ]
    ids = np.unique(np.concatenate([*terms, np.fromiter(extra, np.int64)]))
    parts = [f"vague({id})." for id in knowledge.vague(ids).tolist()]
    parts += [f"blank({id})." for id in np.intersect1d(ids, knowledge.blanks).tolist()]
    values = {id: knowledge.key(id) for id in knowledge.literals(ids)}
    pairs = overlaps(values)
    parts += [f"overlap({a},{b})." for a, b in pairs]
    parts += [f"imprecise({id})." for id, key in values.items() if not is_exact(key)]
    if measured:
        parts.append(value_text(values))
        parts += [f"narrower({a},{b})." for a, b in pairs if _is_narrower(a, b, values)]
    return "\n".join(parts)


def stated(slice_: Slice, knowledge: Knowledge) -> Iterator[tuple[str | int, ...]]:
    """The facts of a slice one by one, as (predicate, argument, …): those of `slice_text`."""
    names = knowledge.class_names
    for side, predicate, member in (
        (slice_.triples, "triple", "member"),
        (slice_.denied, "denied", "denied_member"),
    ):
        for name, (subjects, objects) in side.items():
            for one, other in zip(subjects.tolist(), objects.tolist(), strict=True):
                if name == TYPE:
                    yield member, one, names.get(other, other)
                elif name == SUBCLASS:
                    yield "subclass", names.get(one, one), names.get(other, other)
                else:
                    yield predicate, name, one, other


class _ClassSymbols:
    """A class as program text: its name in the rule file, else its id."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._names = {id: symbol(name) for id, name in knowledge.class_names.items()}

    def __call__(self, id: int) -> str:
        return self._names.get(id) or str(id)


def _pairs(
    side: dict[str, tuple[Ids, Ids]], predicate: str, member: str, classes: _ClassSymbols
) -> Iterator[str]:
    for name, (subjects, objects) in side.items():
        if name == TYPE:
            for cls in np.unique(objects).tolist():
                yield f"{member}({pool(subjects[objects == cls])},{classes(cls)})."
        elif name != SUBCLASS:
            yield grouped(f"{predicate}({symbol(name)},", subjects, objects)


def grouped(head: str, subjects: Ids, objects: Ids) -> str:
    """The facts of a relation, those of one subject together, or of one object if these are
    fewer."""
    by_object = len(np.unique(objects)) < len(np.unique(subjects))
    keys, others = (objects, subjects) if by_object else (subjects, objects)
    order = np.argsort(keys, kind="stable")
    keys, others = keys[order], others[order]
    bounds = [*np.flatnonzero(np.diff(keys, prepend=-1)).tolist(), len(keys)]
    texts = list(map(str, others.tolist()))
    lines = []
    for start, end in pairwise(bounds):
        key, some = int(keys[start]), f"({';'.join(texts[start:end])})"
        lines.append(f"{head}{some},{key})." if by_object else f"{head}{key},{some}).")
    return "".join(lines)


def overlaps(values: Mapping[int, str]) -> list[tuple[int, int]]:
    """The pairs of different values, in both orders, that may be one: 1990 and 1990-05-01.

    `values` are keys of literals by id."""
    spans = []
    for id, key in values.items():
        interval = time_interval(key)
        if interval is not None:
            spans.append((interval[0] - ZONES, interval[1] + ZONES, key, id))
    spans.sort()
    found = []
    for place, (_, end, key, id) in enumerate(spans):
        for start, _, other_key, other in islice(spans, place + 1, None):
            if start > end:
                break
            if compatible(key, other_key):
                found += [(id, other), (other, id)]
    return found


def _is_narrower(one: int, other: int, values: Mapping[int, str]) -> bool:
    """Is the first of two overlapping values the more precise, or as precise and first by id?"""
    return (_length(values[one]), one) < (_length(values[other]), other)


def _length(key: str) -> Fraction:
    """How long the stretch of time is that a value denotes, in seconds."""
    interval = time_interval(key)
    assert interval is not None  # it overlaps another
    return interval[1] - interval[0]


def pool(ids: Ids) -> str:
    """Some ids, each at least once, as one term that stands for each of them: clingo reads it much
    faster than as many facts."""
    return f"({';'.join(_runs(np.unique(ids)))})"


def _runs(ids: Ids) -> Iterator[str]:
    """Ascending ids as program text, neighbours as one interval."""
    breaks = np.flatnonzero(np.diff(ids) != 1)
    starts = ids[np.concatenate(([0], breaks + 1))].tolist()
    ends = ids[np.concatenate((breaks, [len(ids) - 1]))].tolist()
    for start, end in zip(starts, ends, strict=True):
        yield str(start) if start == end else f"{start}..{end}"


def candidate_text(question: int, candidates: Sequence[int]) -> str:
    if not candidates:
        return ""
    return f"candidate({question},{pool(np.array(candidates, np.int64))})."


def stranger_text(ids: Iterable[int]) -> str:
    return "".join([f"stranger({id})." for id in ids])
