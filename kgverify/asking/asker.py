"""Questions in plain words to readings: templates first, then the grammar."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from kgverify.asking.choosing import Chooser
from kgverify.asking.comparing import ask_the_same
from kgverify.asking.embeddings import Embeddings
from kgverify.asking.guessing import CommonWords, Guesser, Matcher
from kgverify.asking.lexicon import Lexicon
from kgverify.asking.linking import Link, Linker
from kgverify.asking.meaning import sketches
from kgverify.asking.modelled import ModelReader
from kgverify.asking.reading import Part, Reading, answer_words
from kgverify.asking.statements import faults, sentence_of, statement_of
from kgverify.asking.tagging import Arc, Tagger, Tagging, taggings
from kgverify.asking.templates import Filled, Templates
from kgverify.asking.trees import readings
from kgverify.asking.words import Word, words
from kgverify.asking.writing import Written, write
from kgverify.errors import ModelError, Problem, QuestionError, Span
from kgverify.evidence.language_model import LanguageModel
from kgverify.graph import Graph
from kgverify.language import syntax as s
from kgverify.language.printing import condition_text, exceptions_text
from kgverify.language.rulebook import RuleBook
from kgverify.reasoning.knowledge import Knowledge

LEAST_CONFIDENCE = 0.6
MOST_WORDS = 80
MOST_CHARACTERS = 2_000
_TAGGINGS = 24  # ways to take the words that are tried
_EQUAL = 0.97  # readings with this share of the best rank are as good
_PER_EDGE = 0.96  # of two readings the one that says less is likelier


@dataclass(frozen=True, slots=True)
class _Found:
    """One way to understand a question; `score` is its confidence, `rank` orders such ways."""

    written: Written
    tagging: Tagging
    rivals: tuple[tuple[Link, ...], ...]
    score: float
    rank: float

    @property
    def meaning(self) -> frozenset[tuple[str, str]]:
        """What two readings that say the same have in common."""
        found = self.written.parameters

        def filled(word: re.Match[str]) -> str:
            return f"#{found[word[0]][0].entity}" if word[0] in found else word[0]

        return frozenset(
            (part.demand, re.sub(r"\w+", filled, part.text)) for part in self.written.parts
        )


class Asker:
    """Reads questions in plain words about one graph, with the words of one rule file.

    `least_confidence`: a reading with less is refused.  `embeddings` finds relations for words that
    the rule file does not have, beside the words in common.  `llm` is a language model that
    reads every question as well: its reading is taken where the grammar has none that is certain
    enough, or with `llm_first` where it has one itself; that the two differ is a warning."""

    def __init__(
        self,
        graph: Graph,
        rules: RuleBook,
        least_confidence: float = LEAST_CONFIDENCE,
        *,
        embeddings: Embeddings | None = None,
        llm: LanguageModel | None = None,
        llm_first: bool = False,
    ) -> None:
        self.rules = rules
        self._least = least_confidence
        self._linker = Linker(graph, rules, Knowledge(graph, rules))
        self._lexicon = Lexicon(rules)
        matchers: list[Matcher] = [CommonWords(self._lexicon)]
        if embeddings is not None:
            matchers.append(embeddings.matcher(rules))
        self._tagger = Tagger(self._lexicon, self._linker, Guesser(self._lexicon, matchers))
        self._chooser = Chooser(rules, self._lexicon, self._linker)
        self._templates = Templates(rules, self._linker)
        self._model = ModelReader(llm, rules, self._linker) if llm else None
        self._model_first = llm_first

    def read(self, text: str, name: str = "asked", span: Span | None = None) -> Reading:
        """What a question asks, as a statement of the rule language called `name`.

        Raises QuestionError when the text is no question that the rule file has words for, when
        it can be read in two ways, when a name means several entities, and when the reading is
        less certain than allowed; the message says what was understood."""
        _refuse_unreadable(text, span)
        tries: list[Callable[[str, str, Span | None], Reading]] = [self._by_words]
        if self._model is not None:
            tries.insert(0 if self._model_first else 1, self._model.read)
        found: list[Reading] = []
        errors: list[QuestionError | ModelError] = []
        for read in tries:
            try:
                found.append(read(text, name, span))
            except (QuestionError, ModelError) as error:
                errors.append(error)
        certain = [reading for reading in found if reading.confidence >= self._least]
        if not certain:
            problems = [problem for reading in found for problem in _uncertain(reading, span)]
            raise QuestionError([*problems, *(p for error in errors for p in error.problems)])
        return replace(certain[0], warnings=self._second(certain[0], found, errors))

    def _second(
        self, taken: Reading, found: Sequence[Reading], errors: Sequence[QuestionError | ModelError]
    ) -> tuple[str, ...]:
        """What the other way to read a question said, where it did not say the same."""
        others = [reading for reading in found if reading is not taken]
        return (
            *(
                f"{_way(other)} reads the question otherwise, with confidence "
                f"{other.confidence:.2f}: {_said(other.parts)}"
                for other in others
                if not ask_the_same(taken, other, self.rules)
            ),
            *(
                f"read by {_way(taken)} alone: {problem.message}"
                for error in errors
                for problem in error.problems
            ),
        )

    def _by_words(self, text: str, name: str, span: Span | None) -> Reading:
        """The reading by templates, or by the grammar."""
        template = self._by_template(text, span)
        if template is not None:
            return template
        found = words(text)
        if len(found) > MOST_WORDS:
            raise _error("long-question", f"a question has {MOST_WORDS} words at most", span)
        arcs = self._tagger.arcs(text, found)
        best = self._best(arcs)
        if not best:
            raise self._not_understood(text, found, arcs, span)
        reading = self._reading(best[0], text, found, name)
        is_certain = reading.confidence >= self._least
        if is_certain or not reading.unused:  # what is not made use of may tell the ways apart
            self._refuse_ambiguous(best, span)
        if not is_certain:
            return reading
        wrong = faults(statement_of(reading, self.rules), self.rules)
        if wrong:
            said = _said(reading.parts)
            problems = [Problem(p.code, f"read as: {said}; {p.message}", span) for p in wrong]
            raise QuestionError(problems)
        return reading

    # -------------------------------------------------------- templates

    def _by_template(self, text: str, span: Span | None) -> Reading | None:
        found = sorted(self._templates.matches(text), key=lambda filled: -filled.score)
        if not found or found[0].score < self._least:
            return None
        first = found[0]
        rivals = {f.question.name.text for f in found if f.score == first.score}
        if len(rivals) > 1:
            names = ", ".join(f"`{name}`" for name in sorted(rivals))
            message = f"the question is a sentence of several templates: {names}"
            raise _error("ambiguous-question", message, span, "ask the one that is meant by name")
        for parameter, links in first.links.items():
            if len(links) > 1:
                start, end = first.spans[parameter]
                raise self._linker.ambiguous(text[start:end].strip(), links, span)
        return self._of_template(first, text)

    def _of_template(self, filled: Filled, text: str) -> Reading:
        arguments: dict[str, object] = dict(filled.values)
        names = []
        for parameter, (link, *_) in filled.links.items():
            arguments[parameter] = self._linker.id(link)
            names.append(self._linker.named(text, filled.spans[parameter], link))
        shown = {n: links[0].name for n, links in filled.links.items()}
        parts = _template_parts(filled.question, {**filled.values, **shown}, len(text))
        return Reading(
            text,
            filled.question.name.text,
            "",
            arguments,
            parts,
            tuple(names),
            (),
            round(filled.score, 4),
            "template",
        )

    # -------------------------------------------------------- grammar

    def _best(self, arcs: Sequence[Sequence[Arc]]) -> list[_Found]:
        """The best readings: one, or several that are as good and say different things."""
        found: dict[frozenset[tuple[str, str]], _Found] = {}
        best = 0.0
        for tagging in taggings(arcs, _TAGGINGS):
            if tagging.score < best * _EQUAL:
                break
            for one in self._readings(tagging):
                best = max(best, one.rank)
                earlier = found.get(one.meaning)
                if earlier is None or earlier.rank < one.rank:
                    found[one.meaning] = one
        kept = [one for one in found.values() if one.rank >= best * _EQUAL]
        return sorted(kept, key=lambda one: -one.rank)

    def _readings(self, tagging: Tagging) -> Iterator[_Found]:
        for tree in readings(tagging.tags):
            for drawn in sketches(tree, tagging.arcs):
                for solution in self._chooser.solutions(drawn):
                    written = write(drawn, solution, self.rules)
                    if written is not None:
                        rivals = tuple(links for _, links in solution.rivals)
                        score = tagging.score * solution.score * written.score
                        rank = score * _PER_EDGE ** len(solution.choices)
                        yield _Found(written, tagging, rivals, score, rank)

    def _refuse_ambiguous(self, best: Sequence[_Found], span: Span | None) -> None:
        if best[0].rivals:
            links = best[0].rivals[0]
            raise self._linker.ambiguous(links[0].name, links, span)
        if len(best) > 1:
            shown = [_said(found.written.parts) for found in best[:4]]
            raise QuestionError(
                Problem(
                    "ambiguous-question",
                    "the question can be read in several ways: "
                    + "; or ".join(f"({n}) {said}" for n, said in enumerate(shown, 1)),
                    span,
                    "say it with words that only one of them has",
                )
            )

    def _reading(self, found: _Found, text: str, all_words: Sequence[Word], name: str) -> Reading:
        written = found.written

        def place(span: tuple[int, int]) -> tuple[int, int]:
            return all_words[span[0]].start, all_words[span[1] - 1].end

        parts = tuple(
            Part(p.demand, p.text, p.words, tuple(map(place, p.spans)), p.confidence)
            for p in written.parts
        )
        places = {
            place((arc.start, arc.end)): parameter
            for parameter, arcs in written.named.items()
            for arc in arcs
        }
        names = [
            self._linker.named(text, where, written.parameters[parameter][0])
            for where, parameter in sorted(places.items())
        ]
        unused = (*(all_words[n].text for n in found.tagging.unused), *written.lost)
        arguments = {
            parameter: self._linker.id(link) for parameter, (link, _) in written.parameters.items()
        }
        return Reading(
            text,
            name,
            written.statement(name, sentence_of(text, places)),
            arguments,
            parts,
            tuple(names),
            unused,
            round(found.score, 4),
            "grammar",
        )

    def _not_understood(
        self,
        text: str,
        found: Sequence[Word],
        arcs: Sequence[Sequence[Arc]],
        span: Span | None,
    ) -> QuestionError:
        """Why nothing was made of a question: what words are unknown, what is missing."""
        all_arcs = [arc for own in arcs for arc in own]
        # Something is known of a word, or that it says nothing.
        known = {
            place
            for arc in all_arcs
            if (arc.tag and not arc.is_guess) or (not arc.tag and arc.score == 1)
            for place in range(arc.start, arc.end)
        }
        tags = {arc.tag for arc in all_arcs}
        problems = []
        lost = [word.text for place, word in enumerate(found) if place not in known]
        if lost:
            names = ", ".join(f"`{word}`" for word in lost[:10])
            near = self._linker.suggestions(" ".join(lost[:10]))
            hint = "did you mean " + ", ".join(f"`{n}`" for n in near) + "?" if near else ""
            message = f"neither the graph nor the rules know {names}"
            problems.append(Problem("unknown-words", message, span, hint))
        if "ENT" not in tags and "VAL" not in tags:
            problems.append(
                Problem(
                    "no-entity",
                    "the question names no entity of the graph",
                    span,
                    "name one by its id or label, in [brackets] where it is hard to tell",
                )
            )
        if not {"REL", "NOUN"} & tags:
            problems.append(
                Problem(
                    "no-relation",
                    "the question has no word for a relation of the rule file",
                    span,
                    "give the relation `phrases` that people use for it",
                )
            )
        if not problems:
            problems.append(
                Problem(
                    "not-understood",
                    "the words are known, but not how they go together",
                    span,
                    'ask plainly, as in "Which drugs treat asthma but do not cause nausea?"',
                )
            )
        return QuestionError(problems)


def _template_parts(question: s.Question, shown: dict[str, str], length: int) -> tuple[Part, ...]:
    """The constraints of a template, which all come from the whole of its sentence."""

    def place(term: s.Term) -> s.Term:
        given = shown.get(term.text) if term.kind is s.TermKind.NAME else None
        if term.kind is s.TermKind.NAME and term.text == question.answer.text:
            given = "the answer"
        return term if given is None else s.Term(s.TermKind.NAME, given, term.span)

    parts = [
        Part(
            "answer",
            f"{question.answer} : {question.answer_class}",
            answer_words(question.answer_class.text),
            ((0, length),),
            1.0,
        )
    ]
    for item in question.items:
        words = item.sentence or condition_text(s.map_terms(item.condition, place))
        text = condition_text(item.condition) + exceptions_text(item.exceptions)
        parts.append(Part(str(item.demand), text, words, ((0, length),), 1.0))
    return tuple(parts)


def _said(parts: Sequence[Part]) -> str:
    return ", ".join(part.words for part in parts[1:])


def _error(code: str, message: str, span: Span | None, hint: str = "") -> QuestionError:
    return QuestionError(Problem(code, message, span, hint))


def _refuse_unreadable(text: str, span: Span | None) -> None:
    if not text.strip():
        raise _error("empty-question", "the question is empty", span)
    if len(text) > MOST_CHARACTERS:
        message = f"the question has {len(text):,} characters; {MOST_CHARACTERS:,} are the most"
        raise _error("long-question", message, span, "ask for one thing at a time")
    if not any(character.isalpha() for character in text):
        raise _error("no-question", "the text has no words", span)


def _uncertain(reading: Reading, span: Span | None) -> Iterator[Problem]:
    unused = ", ".join(f"`{word}`" for word in reading.unused)
    rest = f"; nothing was made of {unused}" if unused else ""
    by = f" by {_way(reading)}" if reading.source == "llm" else ""
    yield Problem(
        "uncertain-reading",
        f"read{by} with confidence {reading.confidence:.2f} only: {_said(reading.parts)}{rest}",
        span,
        "say it more plainly, or allow less confidence",
    )


def _way(reading: Reading) -> str:
    """What read a question, in words."""
    if reading.source == "llm":
        return "the language model"
    return "a template" if reading.source == "template" else "the grammar"
