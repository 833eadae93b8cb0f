"""Questions that a template of the rule file says word for word, but for its parameters."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from kgverify.asking.linking import Link, Linker
from kgverify.graph.terms import value_key
from kgverify.language import syntax as s
from kgverify.language.rulebook import DATATYPES, RuleBook

_PLACE = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Filled:
    """A template whose sentence a text is: for each parameter the words, their place in the text,
    and the entities that they may mean; none for a value."""

    question: s.Question
    spans: dict[str, tuple[int, int]]
    links: dict[str, tuple[Link, ...]]
    values: dict[str, str]
    score: float


class Templates:
    """The questions of a rule file, found by their sentences."""

    def __init__(self, book: RuleBook, linker: Linker) -> None:
        self._linker = linker
        self._patterns = [
            (_pattern(sentence, [p.name.text for p in question.parameters]), question)
            for question in book.questions.values()
            for sentence in question.sentences
        ]

    def matches(self, text: str) -> Iterator[Filled]:
        """The templates whose sentence the text is, with parameters that fit; those with misspelt
        names only where there is no other."""
        found = [(q, match) for pattern, q in self._patterns if (match := pattern.fullmatch(text))]
        for find in (self._linker.exact, self._linker.near):
            filled = [one for q, match in found if (one := self._filled(q, match, find))]
            if filled:
                yield from filled
                return

    def _filled(
        self, question: s.Question, match: re.Match[str], find: Callable[[str], tuple[Link, ...]]
    ) -> Filled | None:
        spans, links, values = {}, {}, {}
        score = 1.0
        for number, parameter in enumerate(question.parameters):
            name, type_ = parameter.name.text, parameter.type.text
            group = f"p{number}"
            if group not in match.re.groupindex:
                return None  # a sentence without this parameter asks something else
            words = match[group].strip()
            spans[name] = match.span(group)
            if type_ in DATATYPES:
                if value_key(words, type_).startswith("lill "):
                    return None
                values[name] = words
                continue
            words = re.sub(r"^[\[\"“](.*)[\]\"”]$", r"\1", words)
            found = self._linker.exact(words) or find(words)
            fitting = tuple(x for x in found if type_ in self._linker.classes(x.entity)) or found
            if not fitting:
                return None
            links[name] = fitting
            score *= max(link.score for link in fitting)
        return Filled(question, spans, links, values, score)


def _pattern(sentence: str, names: Sequence[str]) -> re.Pattern[str]:
    """A sentence as a pattern: spacing, case and the mark at its end don't matter.  The group of
    parameter number i is `p<i>`."""
    parts = _PLACE.split(sentence.rstrip(" ?.!"))
    text = ""
    seen: set[str] = set()
    for number, part in enumerate(parts):
        if number % 2 == 0:
            text += r"\s+".join(re.escape(word) for word in re.split(r"\s+", part))
        elif part in seen:
            text += f"(?P=p{names.index(part)})"
        else:
            seen.add(part)
            text += f"(?P<p{names.index(part)}>.+?)"
    return re.compile(r"\s*" + text + r"\s*[?.!]*\s*", re.IGNORECASE | re.DOTALL)
