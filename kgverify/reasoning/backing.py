"""Which soft rules speak for the atoms that evidence leaves open.

Soft rules decide nothing.  Their conclusions are looked up once the batch is decided, for the open
atoms alone, in relations of their own that no other rule reads; so no verdict can depend on them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from kgverify.language import syntax as s
from kgverify.language.sameness import Form, Forms, alike
from kgverify.reasoning.deciding import Probe, ReferenceEngine, Request, SliceEngine
from kgverify.reasoning.knowledge import Knowledge
from kgverify.reasoning.layers import Ids
from kgverify.reasoning.program import SOFT, encoding
from kgverify.reasoning.rules import soft_facts, soft_name, soft_rules
from kgverify.reasoning.solver import solve

Name = tuple[str, str]  # "relation" or "class", and its name in the rule file
Asked = tuple[Name, Sequence[Ids]]  # some atoms: their terms by place


@dataclass(frozen=True, slots=True)
class Backed:
    """Which of some soft rules, by their numbers, speak for n atoms.  bool[n, soft rules]"""

    numbers: tuple[int, ...]
    speaks: NDArray[np.bool_]

    def sets(self) -> tuple[list[tuple[int, ...]], NDArray[np.int64]]:
        """The distinct sets of rules that speak for an atom, and which of them each atom has."""
        packed, of = np.unique(np.packbits(self.speaks, axis=1), axis=0, return_inverse=True)
        rows = np.unpackbits(packed, axis=1, count=len(self.numbers))
        sets = [tuple(self.numbers[n] for n in np.flatnonzero(row).tolist()) for row in rows]
        return sets, of.reshape(-1)


class Backers(Protocol):
    """Says which soft rules speak for atoms."""

    def backing(self, asked: Sequence[Asked]) -> list[Backed]:
        """The soft rules that speak for each of the atoms asked about."""
        ...


class SoftRules:
    """The soft rules of a rule file, known by their numbers in it, over what a graph calls things.

    An atom may be backed by rule N's own head, or by one that says the same in other words, with
    its terms exchanged or not."""

    def __init__(self, knowledge: Knowledge) -> None:
        book = knowledge.book
        self.rules = soft_rules(book, knowledge.constant)
        self.weights = [Fraction(soft.weight) for soft in book.soft]
        self._knowledge = knowledge
        self._first: dict[Name, dict[int, int]] = {}

    def speaking_for(self, name: Name) -> list[tuple[int, bool]]:
        """The soft rules that may speak for atoms of this relation or class, and whether they
        conclude the terms in the other order."""
        return self._concluding.get(name, [])

    @cached_property
    def _concluding(self) -> dict[Name, list[tuple[int, bool]]]:
        found: dict[Name, list[tuple[int, bool]]] = {}
        book = self._knowledge.book
        for number, soft in enumerate(book.soft):
            atom = soft.rule.head.atom
            if isinstance(atom, s.ClassAtom):
                own = atom.cls.text
                for cls in dict.fromkeys((own, *self._knowledge.hierarchy.named_above(own))):
                    found.setdefault(("class", cls), []).append((number, False))
            else:
                for name, turned in sorted(book.says(atom.relations[0].text)):
                    found.setdefault(("relation", name), []).append((number, turned))
        return found

    def reasons(self, name: Name, numbers: Sequence[int]) -> tuple[int, ...]:
        """Of the rules that speak for an atom of this relation or class those that are reasons of
        their own: of rules that say the same of it, once names of one entity are one name, the
        one that weighs most."""
        if name not in self._first:
            self._first[name] = self._firsts(name)
        first = self._first[name]
        found: dict[int, int] = {}
        for number in sorted(numbers, key=lambda n: (-self.weights[n], n)):
            found.setdefault(first[number], number)
        return tuple(sorted(found.values()))

    def _firsts(self, name: Name) -> dict[int, int]:
        """For each rule that may speak for atoms of this name, the first that says the same."""
        forms: dict[int, list[Form]] = {}
        for number, turned in self.speaking_for(name):
            forms.setdefault(number, []).append(self._forms[number].as_head("", turned))
        numbers = list(forms)
        same = alike(list(forms.values()))
        return {number: numbers[place] for number, place in zip(numbers, same, strict=True)}

    @cached_property
    def _forms(self) -> list[Form]:
        knowledge = self._knowledge
        forms = Forms(
            knowledge.book, lambda term, datatype: str(knowledge.constant(term, datatype))
        )
        return [forms.of(soft.rule) for soft in knowledge.book.soft]


class SliceBackers:
    """Gathers what the bodies of soft rules can look at, for the atoms that are asked about.

    `engine` has the soft rules among its rules."""

    def __init__(self, engine: SliceEngine, soft: SoftRules) -> None:
        self._engine, self._soft = engine, soft

    def backing(self, asked: Sequence[Asked]) -> list[Backed]:
        probes: list[Probe] = []
        for name, columns in asked:
            for order in (False, True):
                names = [
                    soft_name(n) for n, turned in self._soft.speaking_for(name) if turned is order
                ]
                if names:
                    probes.append((names, *_placed(columns, order)))
        shown = self._engine.derive(probes)
        found = []
        for name, columns in asked:
            speaks: dict[int, NDArray[np.bool_]] = {}
            for number, turned in self._soft.speaking_for(name):
                holds = shown.holds("for", soft_name(number), _placed(columns, turned))
                speaks[number] = speaks[number] | holds if number in speaks else holds
            found.append(_backed(speaks, len(columns[0])))
        return found


class ReferenceBackers:
    """Grounds the whole graph with the soft rules, under the encodings unchanged."""

    def __init__(self, engine: ReferenceEngine, requests: Sequence[Request]) -> None:
        self._knowledge, self._requests = engine.knowledge, requests
        self._engine = engine

    def backing(self, asked: Sequence[Asked]) -> list[Backed]:
        knowledge = self._knowledge
        rules = [*soft_rules(knowledge.book, knowledge.constant), *soft_facts(knowledge.book)]
        program = self._engine.program(self._requests, rules)
        held: dict[Name, dict[int, set[tuple[str, ...]]]] = {}
        for name, number, terms in _backs(solve(*program, encoding(*SOFT), _SHOW_BACKED)):
            held.setdefault(name, {}).setdefault(number, set()).add(terms)
        found = []
        for name, columns in asked:
            rows = zip(*(column.tolist() for column in columns), strict=True)
            atoms = [tuple(map(str, row)) for row in rows]
            speaks = {
                number: np.array([atom in backed for atom in atoms], np.bool_)
                for number, backed in held.get(name, {}).items()
            }
            found.append(_backed(speaks, len(atoms)))
        return found


_SHOW_BACKED = """
#show backs(N,R,S,O) : backs(N,R,S,O).
#show backs_a(N,E,C) : backs_a(N,E,C).
"""


def _backs(shown: Sequence[str]) -> Iterator[tuple[Name, int, tuple[str, ...]]]:
    """Which rules speak for which atoms, of all that the encodings show."""
    for text in shown:
        match text[:-1].replace("(", ",").split(","):
            case ["backs", number, name, *terms]:
                yield ("relation", name.strip('"')), int(number), tuple(terms)
            case ["backs_a", number, *terms, name]:
                yield ("class", name.strip('"')), int(number), tuple(terms)


def _backed(speaks: Mapping[int, NDArray[np.bool_]], size: int) -> Backed:
    numbers = tuple(sorted(speaks))
    columns = np.array([speaks[number] for number in numbers], np.bool_)
    return Backed(numbers, columns.reshape(len(numbers), size).T)


def _placed(columns: Sequence[Ids], turned: bool) -> tuple[Ids, Ids]:
    """Subjects and objects; a member of a class is both."""
    one, other = columns[0], columns[-1]
    return (other, one) if turned else (one, other)
