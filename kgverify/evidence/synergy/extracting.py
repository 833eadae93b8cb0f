"""A graph from passages by a language model, none of whose words are trusted.

A model names the things of a passage and how they are connected.  A name that does not stand in
the passage is dropped with all that it is connected by, and a reply of another form counts for
nothing; both are told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from kgverify.errors import Problem, Span
from kgverify.evidence.corpus import Corpus
from kgverify.evidence.passages import Passage
from kgverify.evidence.synergy.knowledge_base import KnowledgeBase, Link
from kgverify.evidence.synergy.recording import Replies
from kgverify.graph.columns import fold

_LONGEST_RELATION = 80  # characters
_TASK = (
    "You turn a passage into a small knowledge graph. In `entities`, list the people, places, "
    "organisations, works, events and other things with a name of their own that the passage "
    "speaks of, each as the passage spells it; take the fullest form of a name that it uses. In "
    "`relations`, list what the passage states of two of them: `subject` and `object` are names "
    "from your list, and `relation` says in a few words how the first stands to the second, so "
    "that the three read as a sentence. Add nothing that the passage does not state, even if you "
    "know it. If there is nothing to list, leave the lists empty. Answer with JSON only."
)


class ReplyError(Exception):
    """A reply has another form than was asked for."""


class SaidRelation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Two things and how they are connected, as a model says it."""

    subject: str
    relation: str
    object: str


class Said(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a model says of a passage."""

    entities: tuple[str, ...]
    relations: tuple[SaidRelation, ...]


@dataclass(frozen=True)
class Extraction:
    """The knowledge base, with the number of `dropped` names and relations, and a problem for each
    passage whose reply could not be read."""

    base: KnowledgeBase
    dropped: int
    problems: tuple[Problem, ...]


def messages(passage: Passage) -> list[dict[str, str]]:
    """What a model is asked about a passage."""
    headed = ": ".join(said for said in (passage.title, passage.heading) if said)
    shown = f"{headed}\n\n{passage.text}" if headed else passage.text
    return [{"role": "system", "content": _TASK}, {"role": "user", "content": shown}]


def schema() -> dict[str, Any]:
    """The JSON schema of replies."""
    return msgspec.json.schema(Said)


def read_reply(text: str, passage: Passage) -> tuple[Said, int]:
    """What of a reply stands in the passage, and how many names and relations were dropped.

    Raises ReplyError when the reply is not JSON of the schema."""
    try:
        said = msgspec.json.decode(text, type=Said, strict=True)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise ReplyError(f"the reply is not JSON of the form wanted: {error}") from error
    whole = fold(f"{passage.title}\n{passage.text}")
    entities = {fold(name): " ".join(name.split()) for name in reversed(said.entities)}
    kept = {key: name for key, name in entities.items() if _stands_in(key, whole)}
    relations = []
    for one in said.relations:
        ends = fold(one.subject), fold(one.object)
        relation = " ".join(one.relation.split())
        if all(end in kept for end in ends) and 0 < len(relation) <= _LONGEST_RELATION:
            relations.append(SaidRelation(kept[ends[0]], relation, kept[ends[1]]))
    dropped = len(entities) - len(kept) + len(said.relations) - len(relations)
    return Said(tuple(sorted(kept.values())), tuple(dict.fromkeys(relations))), dropped


def extract(
    corpus: Corpus, llm: Replies, progress: Callable[[str], None] = lambda _: None
) -> Extraction:
    """Asks about each passage in turn.  Names that differ only in case and spacing are one entity,
    and a passage is about what its title names.

    Raises QuestionError when the model can't be asked."""
    found: list[Said] = []
    problems, dropped = [], 0
    for number, passage in enumerate(corpus, 1):
        progress(f"passage {number} of {len(corpus)}")
        said = Said((), ())
        try:
            said, lost = read_reply(llm.reply(messages(passage), schema()), passage)
            dropped += lost
        except ReplyError as error:
            message = f"passage `{passage.id}`: {error}"
            problems.append(Problem("llm-reply", message, Span(corpus.name), severity="warning"))
        found.append(said)
    return Extraction(_base(corpus, found), dropped, tuple(problems))


def _base(corpus: Corpus, found: Sequence[Said]) -> KnowledgeBase:
    numbers: dict[str, int] = {}
    names: list[str] = []

    def number(name: str) -> int:
        key = fold(name)
        if key not in numbers:
            numbers[key] = len(names)
            names.append(" ".join(name.split()))
        return numbers[key]

    about = [
        (number(corpus.titles[place]), place)
        for place in range(len(corpus))
        if corpus.titles[place].strip()
    ]
    mentions, links = [], []
    for place, said in enumerate(found):
        mentions += [(place, number(name)) for name in said.entities]
        links += [
            Link(number(one.subject), one.relation, number(one.object), place)
            for one in said.relations
        ]
    return KnowledgeBase.of(corpus, names, links, mentions, about)


def _stands_in(name: str, text: str) -> bool:
    return bool(name) and bool(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text))
