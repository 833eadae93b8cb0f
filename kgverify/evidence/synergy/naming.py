"""Which entities a corpus without a graph has: what titles name, and other names in texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import msgspec

from kgverify.evidence.corpus import Corpus

LEAST = 2
_DISAMBIGUATED = re.compile(r"(.*\S)\s*\([^()]*\)")
# A name is capitalised words, perhaps with small ones between: `Duke of York`.
_WORD = r"(?:[^\W\d_a-z]\.|[^\W\d_a-z][\w’'-]+)"  # a dot follows an initial only
_SMALL = r"(?:of|the|de|da|del|della|di|du|la|le|van|von|der|and|&|al-|bin|ibn)"
_NAME = re.compile(rf"(?<!\w){_WORD}(?:\s+(?:{_SMALL}\s+){{0,2}}{_WORD})*")
_SENTENCE_END = re.compile(r"(?:^|[.!?:;]['\"”)]*)\s*$")


class NamedEntity(msgspec.Struct, frozen=True):
    """An entity by its names, the usual one first; `about` are the passages with it as title."""

    names: tuple[str, ...]
    about: tuple[int, ...] = ()


def titled_entities(corpus: Corpus) -> list[NamedEntity]:
    """An entity for each title, in the order of the corpus.  What stands in brackets at a title's
    end tells it from others (`Signs (film)`): without it the title is another name."""
    about: dict[str, list[int]] = {}
    for number in range(len(corpus)):
        title = _spaced(corpus.titles[number])
        if title:
            about.setdefault(title, []).append(number)
    return [
        NamedEntity(tuple(dict.fromkeys((title, _plain(title)))), tuple(numbers))
        for title, numbers in about.items()
    ]


def capitalised_entities(
    corpus: Corpus, known: list[NamedEntity], least: int = LEAST
) -> list[NamedEntity]:
    """Further names: capitalised words that stand in at least so many passages, and are no name of
    a known entity.  A single word counts only where it does not begin a sentence."""
    taken = {name for entity in known for name in entity.names}
    found: Counter[str] = Counter()
    for number in range(len(corpus)):
        found.update(set(_capitalised(corpus.texts[number])) - taken)
    return [NamedEntity((name,)) for name in sorted(found) if found[name] >= least]


def _capitalised(text: str) -> Iterator[str]:
    for match in _NAME.finditer(text):
        name = _spaced(match[0]).removeprefix("The ").rstrip(".'’-")
        name = name.removesuffix("'s").removesuffix("’s")
        starts = _SENTENCE_END.search(text[max(0, match.start() - 5) : match.start()])
        if len(name) > 2 and (" " in name or not starts):
            yield name


def _plain(title: str) -> str:
    match = _DISAMBIGUATED.fullmatch(title)
    return match[1] if match else title


def _spaced(text: str) -> str:
    return " ".join(text.split())
