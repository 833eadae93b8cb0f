"""Questions to readings by a language model, none of whose words are trusted.

A reply is checked name by name: relations and classes are the rule file's, everything else is
quoted from the question, and its entities are the graph's.  What it says becomes a statement of
the rule language, which is checked like any other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kgverify.asking.linking import Link, Linker
from kgverify.asking.prompting import messages, told
from kgverify.asking.reading import Part, Reading, answer_words
from kgverify.asking.replies import Reply, ReplyError, Said, read_reply, reply_schema
from kgverify.asking.statements import ANSWER, faults, sentence_of, statement_of, statement_text
from kgverify.asking.tagging import denials, is_function_word, values_of
from kgverify.asking.words import Word, words
from kgverify.asking.writing import parameter_name
from kgverify.errors import Problem, QuestionError, Span, did_you_mean
from kgverify.evidence.language_model import LanguageModel
from kgverify.language import syntax as s
from kgverify.language.parsing import parse
from kgverify.language.paths import Kinds, describe, ends
from kgverify.language.printing import condition_text, quoted
from kgverify.language.rulebook import DATATYPES, RuleBook

MOST_CONFIDENCE = 0.9
_UNUSED = 0.9  # a word of the question that no constraint quotes
_UNDENIED = 0.6  # a question that denies something, and a reply that doesn't
_ASKED_TWICE = 2
_LONGEST_QUOTATION = 8  # words
_TOLD = 20_000  # characters of a reply that the model is shown again
_PATH = re.compile(r"[^\W\d]\w*|[/|^+()]|\s+")
_BEFORE = {"require": "", "exclude": "it is not so that ", "prefer": "preferably, "}
_LONGEST_PATH = 300  # characters
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?|-?\d{4,}-\d{2}(-\d{2})?")

Place = tuple[int, int]


class ModelReader:
    """Reads questions by a language model, for one rule file and graph."""

    def __init__(self, llm: LanguageModel, book: RuleBook, linker: Linker) -> None:
        self._llm, self._book, self._linker = llm, book, linker

    def read(self, text: str, name: str, span: Span | None = None) -> Reading:
        """What the model says that a question asks.  A reply that can't be used is told why,
        once.

        Raises QuestionError when no reply can be used, and when a name means several entities."""
        asked = messages(self._book, text)
        errors: list[str] = []
        for _ in range(_ASKED_TWICE):
            reply = self._llm.reply(asked, reply_schema())
            try:
                return _Writer(text, name, self._book, self._linker, span).reading(
                    read_reply(reply)
                )
            except ReplyError as error:
                errors.append(str(error))
                asked += told(reply[:_TOLD], str(error))
        raise QuestionError(
            Problem(
                "llm-reply",
                f"the language model's reply can't be used: {errors[-1]}",
                span,
                "ask more plainly, or ask another model",
                notes=tuple((Span("<first reply>"), error) for error in errors[:-1]),
            )
        )


class _Writer:
    """Makes a reading of one reply."""

    def __init__(
        self, text: str, name: str, book: RuleBook, linker: Linker, span: Span | None
    ) -> None:
        self._text, self._name, self._book, self._linker = text, name, book, linker
        self._span = span
        self._words = words(text)
        self._values = values_of(self._words)
        self._parameters: dict[str, tuple[Link, str]] = {}
        self._places: dict[Place, str] = {}
        self._quoted: list[Place] = []

    def reading(self, reply: Reply) -> Reading:
        cls = self._class(reply.answer.cls)
        answer = Part(
            "answer",
            f"{ANSWER} : {cls}",
            answer_words(cls),
            self._quotations(reply.answer.words),
            1.0,
        )
        # What is said twice counts once.
        said = {(part.demand, part.text): part for part in self._parts(reply.constraints, cls)}
        parts = [answer, *said.values()]
        unused, score = self._left_out(parts)
        confidence = MOST_CONFIDENCE * score
        for link, _ in self._parameters.values():
            confidence *= link.score
        parts = [_with_confidence(part, confidence) for part in parts]
        types = {name: type_ for name, (_, type_) in self._parameters.items()}
        sentence = sentence_of(self._text, self._apart())
        found = Reading(
            self._text,
            self._name,
            statement_text(self._name, sentence, types, answer.text, parts[1:]),
            {name: self._linker.id(link) for name, (link, _) in self._parameters.items()},
            tuple(parts),
            tuple(
                self._linker.named(self._text, place, self._parameters[name][0])
                for place, name in sorted(self._places.items())
            ),
            unused,
            round(confidence, 4),
            "llm",
        )
        wrong = faults(statement_of(found, self._book), self._book)
        if wrong:
            raise ReplyError("; ".join(problem.message for problem in wrong))
        return found

    def _apart(self) -> dict[Place, str]:
        """The parameters by their places, without those that lie in another."""
        kept: dict[Place, str] = {}
        for place, name in sorted(self._places.items()):
            if all(end <= place[0] for _, end in kept):
                kept[place] = name
        return kept

    # -------------------------------------------------------- constraints

    def _parts(self, constraints: Sequence[Said], cls: str) -> list[Part]:
        parts: list[Part] = []
        groups: dict[int, list[Said]] = {}
        for said in constraints:
            if said.either is None:
                text, shown = self._constraint(said, cls)
                parts.append(self._part([said], text, shown))
            else:
                groups.setdefault(said.either, []).append(said)
        for members in groups.values():
            if len({said.demand for said in members}) > 1:
                raise ReplyError("constraints with one number in `either` have one `demand`")
            both = [self._constraint(said, cls) for said in members]
            text, shown = both[0]
            if len(both) > 1:
                text = "any of { " + ", ".join(text for text, _ in both) + " }"
                shown = "one of these: " + "; ".join(shown for _, shown in both)
            parts.append(self._part(members, text, shown))
        return parts

    def _part(self, members: Sequence[Said], text: str, shown: str) -> Part:
        demand = members[0].demand
        return Part(demand, text, _BEFORE[demand] + shown, self._spans(members), 1.0)

    def _spans(self, members: Sequence[Said]) -> tuple[Place, ...]:
        """The words that constraints quote, with their names."""
        found: set[Place] = set()
        for said in members:
            if not said.words:
                raise ReplyError(f"the constraint with `{said.relation}` quotes no words")
            found.update(self._quotations(said.words))
            names = (said.subject, said.object)
            found.update(self._place(name) for name in names if name and name != ANSWER)
        return tuple(_joined(sorted(found)))

    def _constraint(self, said: Said, cls: str) -> tuple[str, str]:
        """A constraint in the rule language, and in plain words."""
        if said.compare and said.count:
            raise ReplyError("a constraint has `compare` or `count`, not both")
        if said.compare or said.count:
            if said.subject != ANSWER or said.object is not None:
                message = f"with `compare` or `count` the subject is `{ANSWER}`, the object null"
                raise ReplyError(message)
            path, _, end = self._path(said.relation)
            if said.count:
                number = self._number(said.count.value)
                text = f"count {path}({ANSWER}, _) {said.count.operator} {number}"
            else:
                assert said.compare is not None
                value = self._value(said.compare.value, end)
                text = f"{path}({ANSWER}) {said.compare.operator} {value}"
        elif said.object is None:
            raise ReplyError(f"the constraint with `{said.relation}` has no object")
        elif (said.subject == ANSWER) == (said.object == ANSWER):
            raise ReplyError(f"one of the subject and the object is `{ANSWER}`")
        elif said.relation == "!=":
            other = said.object if said.subject == ANSWER else said.subject
            text = f"{ANSWER} != {self._parameter(other, (cls,))}"
        else:
            path, start, end = self._path(said.relation)
            if said.subject == ANSWER:
                text = f"{path}({ANSWER}, {self._parameter(said.object, end)})"
            else:
                text = f"{path}({self._parameter(said.subject, start)}, {ANSWER})"
        return text, self._shown(text)

    def _class(self, name: str) -> str:
        if name not in self._book.classes:
            hint = did_you_mean(name, self._book.classes)
            raise ReplyError(f"there is no class `{_short(name)}`" + (f", {hint}" if hint else ""))
        return name

    def _path(self, text: str) -> tuple[str, Kinds, Kinds]:
        """A path, and what it begins at and ends at."""
        rest = _PATH.sub("", text)
        if rest or not text.strip() or len(text) > _LONGEST_PATH:
            raise ReplyError(f"`{_short(text)}` is no relation and no path")
        for name in re.findall(r"[^\W\d]\w*", text):
            if name not in self._book.relations:
                hint = did_you_mean(name, self._book.relations)
                message = f"there is no relation `{_short(name)}`"
                raise ReplyError(message + (f", {hint}" if hint else ""))
        text = " ".join(text.split())
        condition = _condition(f"{text}(x, y)")
        atom = condition.atom if isinstance(condition, s.Literal) else None
        if isinstance(atom, s.PathAtom):
            return text, *ends(self._book, atom.path)
        if isinstance(atom, s.RelationAtom):
            path = s.Path("relation", atom.relation, (), atom.span)
            return text, *ends(self._book, path)
        raise ReplyError(f"`{_short(text)}` is no relation and no path")

    def _value(self, text: str, kinds: Kinds) -> str:
        """A value that the question has, as the rule language writes it."""
        said = text.strip()
        if not kinds or any(kind not in DATATYPES for kind in kinds):
            raise ReplyError(f"a value is compared, but the relation leads to {describe(kinds)}")
        is_truth = "boolean" in kinds and said in ("true", "false")
        if not is_truth and said not in self._values:
            self._quoted.append(self._place(said))
        is_bare = _NUMBER.fullmatch(said) and "string" not in kinds
        return said if is_bare else quoted(said)

    def _number(self, number: int) -> int:
        """A number that the question has; "some" and "a" are 1."""
        if number != 1 and str(number) not in self._values:
            raise ReplyError(f"the question has no number {number}")
        return number

    def _shown(self, text: str) -> str:
        """A constraint in plain words: by the sentence of its relation, if it has just one."""
        names = {name: link.name for name, (link, _) in self._parameters.items()}
        names[ANSWER] = "the answer"

        def place(term: s.Term) -> s.Term:
            if term.kind is s.TermKind.NAME and term.text in names:
                return s.Term(s.TermKind.NAME, names[term.text], term.span)
            return term

        condition = _condition(text)
        atom = condition.atom if isinstance(condition, s.Literal) else None
        if isinstance(atom, s.RelationAtom):
            sentence = self._book.relations[atom.relation.text].sentence
            if sentence:
                ends_ = [place(term).text for term in atom.arguments]
                return re.sub(r"\{([01])\}", lambda match: ends_[int(match[1])], sentence)
        return condition_text(s.map_terms(condition, place))

    # -------------------------------------------------------- names

    def _parameter(self, mention: str, kinds: Kinds) -> str:
        """The parameter for what the question names, where something of some kinds is wanted."""
        place = self._place(mention)
        self._quoted.append(place)
        link, type_ = self._link(_bare(self._text[place[0] : place[1]]), kinds)
        for name, (other, _) in self._parameters.items():
            if other.entity == link.entity:
                self._places[place] = name
                return name
        name = parameter_name(type_, self._parameters)
        self._parameters[name] = link, type_
        self._places[place] = name
        return name

    def _link(self, mention: str, kinds: Kinds) -> tuple[Link, str]:
        """The entity that a name means, and the class of its place."""
        classes = [kind for kind in kinds if kind in self._book.classes]
        if not classes:
            raise ReplyError(f"`{_short(mention)}` is a value there; use `compare`")
        links = self._linker.exact(mention) or self._linker.near(mention)
        if not links:
            raise ReplyError(f"the graph has nothing called `{_short(mention)}`")
        fits = [max((self._fit(link, cls), -n) for n, cls in enumerate(classes)) for link in links]
        best = max(fit for fit, _ in fits)
        if not best:
            raise ReplyError(f"`{_short(mention)}` is not {describe(tuple(classes))}")
        fitting = [(link, n) for link, (fit, n) in zip(links, fits, strict=True) if fit == best]
        if len(fitting) > 1:
            several = [link for link, _ in fitting]
            raise self._linker.ambiguous(mention, several, self._span)
        link, number = fitting[0]
        return link, classes[-number]

    def _fit(self, link: Link, cls: str) -> int:
        """2 for an entity of a class, 1 for one that may be of it, 0 for others."""
        known = self._linker.classes(link.entity)
        if cls in known:
            return 2
        return int(not any(self._book.are_disjoint(cls, other) for other in known))

    # -------------------------------------------------------- quotations

    def _quotations(self, quotations: Sequence[str]) -> tuple[Place, ...]:
        places = [self._place(quotation) for quotation in quotations]
        # Who quotes half the question has not said where a constraint comes from.
        self._quoted += [
            place
            for place, quotation in zip(places, quotations, strict=True)
            if len(quotation.split()) <= _LONGEST_QUOTATION
        ]
        return tuple(_joined(sorted(places)))

    def _place(self, quotation: str) -> Place:
        """Where the question has some words; whole ones, whatever their case and spacing."""
        parts = quotation.split()
        if parts:
            pattern = r"\s+".join(map(re.escape, parts))
            before = r"(?<!\w)" if re.match(r"\w", parts[0]) else ""
            after = r"(?!\w)" if re.search(r"\w$", parts[-1]) else ""
            match = re.search(before + pattern + after, self._text, re.IGNORECASE)
            if match:
                return match.span()
        raise ReplyError(f"the question does not have the words `{_short(quotation)}`")

    def _left_out(self, parts: Sequence[Part]) -> tuple[tuple[str, ...], float]:
        """The words that nothing quotes, and how much less sure the reading is by them."""
        unused = [
            word for word in self._words if not is_function_word(word) and not self._is_quoted(word)
        ]
        score = _UNUSED ** len(unused)
        denied = denials(self._words)
        says_no = any(part.demand == "exclude" or " != " in part.text for part in parts)
        if denied and not says_no:
            score *= _UNDENIED
            unused += [word for word in denied if word not in unused]
        return tuple(word.text for word in unused), score

    def _is_quoted(self, word: Word) -> bool:
        return any(start < word.end and word.start < end for start, end in self._quoted)


def _condition(text: str) -> s.Constraint:
    """A constraint from its text."""
    file, problems = parse(
        f'question q(y: C)\n    "q"\n    answer {ANSWER} : C\n    require {text}\n', "<question>"
    )
    question = file.statements[0] if len(file.statements) == 1 else None
    if problems or not isinstance(question, s.Question) or len(question.items) != 1:
        raise ReplyError(f"`{_short(text)}` is no constraint")
    return question.items[0].condition


def _with_confidence(part: Part, confidence: float) -> Part:
    return Part(part.demand, part.text, part.words, part.spans, round(confidence, 4))


def _bare(mention: str) -> str:
    """A name without the brackets or quotation marks that mark it."""
    return re.sub(r"^[\[\"“](.*)[\]\"”]$", r"\1", mention.strip()).strip()


def _joined(places: Sequence[Place]) -> list[Place]:
    """Places in order, those that overlap as one."""
    found: list[Place] = []
    for start, end in places:
        if found and start < found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found


def _short(text: str) -> str:
    return text if len(text) <= 80 else text[:79] + "…"
