"""A gazetteer: the names of a graph's entities, found in texts.

All names are searched for at once (Aho and Corasick, "Efficient string matching", 1975).  Of names
that overlap, the one that begins first counts, and of those the longest.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kgverify.errors import EvidenceError, Problem, did_you_mean
from kgverify.evidence.boundaries import begins_a_sentence, is_word_character, stands_alone
from kgverify.evidence.folding import Folded, fold_name
from kgverify.evidence.mentions import Mentions
from kgverify.evidence.passages import Extent
from kgverify.evidence.wordlists import FUNCTION_WORDS
from kgverify.graph.store import Graph
from kgverify.graph.terms import entity_key

if TYPE_CHECKING:
    from ahocorasick_rs import AhoCorasick

_CHUNK = 1 << 20  # characters that are searched at once
_SHORT = 3  # letters: a name with so few matches its own case only
_END = "\0"  # between texts; no name has it


@dataclass(frozen=True, slots=True)
class _Name:
    """A name of an entity: `text` in normal form C, `kept` folded with its case.

    `capitals` are the places of the capitals that begin its words, which a text must have too."""

    entity: int
    text: str
    kept: str
    capitals: tuple[int, ...]
    is_exact: bool
    is_function_word: bool


class Gazetteer:
    """Finds entities by their names.

    A name with capitals at the beginning of its words has them in the text too: `Turkey` is not in
    `turkey`, but in `TURKEY`.  A name of three letters or fewer, or all in capitals, is matched
    letter by letter.  Otherwise case, diacritics and the kind of apostrophes, dashes and blanks
    don't matter; where a text has the exact name of some entities, the others are not meant.  Names
    of one character and names without letters are left out."""

    def __init__(
        self,
        names: Iterable[tuple[int, str]],
        *,
        wanted: Collection[int] | None = None,
        small: Collection[int] = (),
        graph: str = "",
        n_entities: int | None = None,
    ) -> None:
        """A gazetteer of (entity, name).

        Only entities of `wanted` are reported, where it is given; the names of the others still
        stand for themselves, and cover what is in them.  Names of entities in `small` may be
        written without their capitals.  `graph` is the hash of the graph that numbers them."""
        self.graph = graph
        self._wanted = None if wanted is None else frozenset(wanted)
        smalls = frozenset(small)
        exact: defaultdict[str, dict[_Name, None]] = defaultdict(dict)
        loose: defaultdict[str, dict[_Name, None]] = defaultdict(dict)
        greatest = -1
        for entity, text in names:
            greatest = max(greatest, entity)
            name = _name(entity, text, entity in smalls)
            if name is not None:
                if name.is_exact:
                    exact[name.kept][name] = None
                else:
                    loose[_low(name.kept)][name] = None
        self.n_entities = greatest + 1 if n_entities is None else n_entities
        self._exact = [(kept, tuple(found)) for kept, found in exact.items()]
        self._loose = [(low, tuple(found)) for low, found in loose.items()]
        self._exact_automaton = _automaton([kept for kept, _ in self._exact])
        self._loose_automaton = _automaton([low for low, _ in self._loose])

    @classmethod
    def of(
        cls,
        graph: Graph,
        *,
        types: Collection[str] = (),
        lower_case: Collection[str] = (),
    ) -> Gazetteer:
        """The gazetteer of the labels and aliases of a graph.

        An entity that has none goes by its id, with blanks for underscores, unless the id is an IRI
        or a CURIE.  Classes are not among the entities.  With `types` only entities of these
        classes, and of the classes beneath them, are reported; names of the classes `lower_case`
        may be written without capitals, as those of drugs are.

        Raises EvidenceError when the graph has no such class."""
        wanted = _members(graph, types) if types else None
        small = _members(graph, lower_case) if lower_case else frozenset()
        return cls(
            _names_of(graph),
            wanted=wanted,
            small=small,
            graph=graph.hash,
            n_entities=graph.entities(),
        )

    def __len__(self) -> int:
        """How many different names there are, but for what doesn't matter."""
        return len(self._exact) + len(self._loose)

    def mentions(self, text: str) -> list[tuple[Extent, tuple[int, ...]]]:
        """The names in a text, in its order, each with the entities that have it, ascending."""
        return [(extent, entities) for _, extent, entities in self._found([text])]

    def mentions_in(
        self, texts: Iterable[str], progress: Callable[[int], None] | None = None
    ) -> Mentions:
        """The mentions in some texts, which are numbered from 0."""
        rows: list[tuple[int, int, int, int]] = []
        done = 0
        for chunk in _chunks(texts):
            rows += [
                (done + number, extent.start, extent.end, entity)
                for number, extent, entities in self._found(chunk)
                for entity in entities
            ]
            done += len(chunk)
            if progress:
                progress(done)
        return Mentions.of(np.array(rows, np.int32), done, self.n_entities, self.graph)

    # ---------------------------------------------------------------- the search

    def _found(self, texts: Sequence[str]) -> Iterator[tuple[int, Extent, tuple[int, ...]]]:
        """(number of the text, place, entities) of each name, in the order of the texts."""
        folded = [Folded(text) for text in texts]
        begins = [0]
        for each in folded:
            begins.append(begins[-1] + len(each.kept) + 1)
        candidates = self._candidates(folded)
        last = 0
        for (start, length), group in groupby(candidates, key=lambda c: (c[0], c[1])):
            if start < last:
                continue
            number = bisect_right(begins, start) - 1
            text, one = texts[number], folded[number]
            local = start - begins[number]
            span = one.span(local, local - length)
            if span is None or not stands_alone(text, *span):
                continue
            kept = one.kept[local : local - length]
            meant = [
                name
                for _, _, is_exact, pattern in group
                for name in (self._exact if is_exact else self._loose)[pattern][1]
                if _is_written(name, kept, text, span[0])
            ]
            if not meant:
                continue
            last = start - length
            entities = self._chosen(meant, text[slice(*span)])
            if entities:
                yield number, Extent(*span), entities

    def _candidates(self, folded: Sequence[Folded]) -> list[tuple[int, int, bool, int]]:
        """(start, -length, whether case matters, pattern) of all names, those that begin first and
        are longest first; those that a letter or digit is beside are left out."""
        found: list[tuple[int, int, bool, int]] = []
        for is_exact, automaton in (
            (True, self._exact_automaton),
            (False, self._loose_automaton),
        ):
            if automaton is None:
                continue
            joined = _END.join(each.kept if is_exact else each.low for each in folded)
            matches = automaton.find_matches_as_indexes(joined, overlapping=True)
            if not matches:
                continue
            table = _outside_words(np.array(matches, np.int64), joined)
            found += [
                (start, start - end, is_exact, pattern) for pattern, start, end in table.tolist()
            ]
        found.sort()
        return found

    def _chosen(self, meant: Sequence[_Name], written: str) -> tuple[int, ...]:
        """The entities that are meant by a name that some have: those that have just it, if any."""
        normal = unicodedata.normalize("NFC", written)
        same = [name for name in meant if name.text == normal] or meant
        entities = {name.entity for name in same}
        if self._wanted is not None:
            entities &= self._wanted
        return tuple(sorted(entities))


def _name(entity: int, text: str, may_be_small: bool) -> _Name | None:
    """A name as it is searched for; None for one that would be found everywhere."""
    kept, low = fold_name(text)
    letters = sum(map(str.isalpha, kept))
    if len(kept) < 2 or not letters or _END in kept:
        return None
    is_upper = kept.upper() == kept and kept.lower() != kept
    is_function_word = low in FUNCTION_WORDS and not is_upper
    is_exact = letters <= _SHORT or is_upper or is_function_word
    if is_function_word and not kept[0].isupper():
        return None
    capitals = () if may_be_small else _capitals(kept)
    normal = unicodedata.normalize("NFC", text.strip())
    return _Name(entity, normal, kept, capitals, is_exact, is_function_word)


def _capitals(kept: str) -> tuple[int, ...]:
    return tuple(
        place
        for place, character in enumerate(kept)
        if character.isupper() and not (place and kept[place - 1].isalnum())
    )


def _is_written(name: _Name, kept: str, text: str, start: int) -> bool:
    """Is a name written here with the capitals that it must have?"""
    if name.is_function_word and begins_a_sentence(text, start):
        return False
    return all(kept[place].isupper() for place in name.capitals)


def _low(kept: str) -> str:
    return Folded(kept).low


def _automaton(patterns: list[str]) -> AhoCorasick | None:
    if not patterns:
        return None
    from ahocorasick_rs import AhoCorasick

    return AhoCorasick(patterns, store_patterns=False)


def _chunks(texts: Iterable[str]) -> Iterator[list[str]]:
    chunk: list[str] = []
    size = 0
    for text in texts:
        chunk.append(text)
        size += len(text) + 1
        if size >= _CHUNK:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _outside_words(table: NDArray[np.int64], joined: str) -> NDArray[np.int64]:
    """The matches beside which no letter or digit stands."""
    codes = np.frombuffer(f"{_END}{joined}{_END}".encode("utf-32-le", "surrogatepass"), np.uint32)
    keep = np.ones(len(table), np.bool_)
    for beside in (codes[table[:, 1]], codes[table[:, 2] + 1]):
        kinds, places = np.unique(beside, return_inverse=True)
        inner = np.array([is_word_character(chr(code)) for code in kinds.tolist()], np.bool_)
        keep &= ~inner[places]
    return table[keep]


# ---------------------------------------------------------------- what a graph offers


def _names_of(graph: Graph) -> Iterator[tuple[int, str]]:
    """(entity, name) of all names that are searched for."""
    n = graph.entities()
    classes = _classes(graph)
    named = np.zeros(n, np.bool_)
    for entity, text in graph.names():
        if entity < n:
            named[entity] = True
            if entity not in classes:
                yield entity, text
    bare = np.flatnonzero(~named)
    bare = bare[bare >= graph.blank_nodes()]
    for entity, key in zip(bare.tolist(), graph.keys(bare), strict=True):
        text = key[1:]
        # Tables have `true` and `false` for values, which then look like entities.
        if entity not in classes and ":" not in text and text not in ("true", "false"):
            yield entity, text if " " in text else text.replace("_", " ")


def _classes(graph: Graph) -> frozenset[int]:
    """The classes that have members, and those above them; none that is itself a member of one."""
    types = graph.facts.all(graph.type_relation)
    reached = np.unique(types.objects)
    while True:
        above = graph.facts.from_subjects(graph.subclass_relation, reached).objects
        wider = np.union1d(reached, above)
        if len(wider) == len(reached):
            return frozenset(np.setdiff1d(reached, types.subjects).tolist())
        reached = wider


def _members(graph: Graph, types: Collection[str]) -> frozenset[int]:
    """The members of some classes and of all classes beneath them."""
    known = np.unique(
        np.concatenate(
            [
                graph.facts.all(graph.type_relation).objects,
                graph.facts.all(graph.subclass_relation).objects,
            ]
        )
    )
    numbers = graph.find([entity_key(name) for name in types])
    unknown = [
        name
        for name, number in zip(types, numbers.tolist(), strict=True)
        if number not in set(known.tolist())
    ]
    if unknown:
        names = [key[1:] for key in graph.keys(known)]
        raise EvidenceError(
            [
                Problem(
                    "unknown-class",
                    f"the graph has no class `{name}`",
                    None,
                    did_you_mean(name, names),
                    subject=name,
                )
                for name in unknown
            ]
        )
    reached = np.unique(numbers)
    while True:
        below = graph.facts.from_objects(graph.subclass_relation, reached).subjects
        wider = np.union1d(reached, below)
        if len(wider) == len(reached):
            break
        reached = wider
    found = graph.facts.from_objects(graph.type_relation, reached).subjects
    return frozenset(found.tolist())
