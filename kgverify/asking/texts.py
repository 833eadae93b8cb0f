"""Many questions in plain words, and the rule book with the questions that they were read as."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from msgspec.structs import replace

from kgverify.asking.asker import Asker
from kgverify.asking.reading import Reading
from kgverify.asking.statements import statement_of
from kgverify.errors import Problem, QuestionError, Span
from kgverify.language import syntax as s
from kgverify.language.rulebook import RuleBook
from kgverify.vocabulary import Question


@dataclass(frozen=True)
class Texts:
    """Questions with their texts read: each has a template of `book` and its arguments, and keeps
    its id and candidates; `readings` go by id.  `problems` are those of texts that can't be read,
    which are not among the questions."""

    questions: tuple[tuple[Span, Question], ...]
    book: RuleBook
    readings: dict[str, Reading]
    problems: tuple[Problem, ...]


def read_texts(asked: Iterable[tuple[Span, Question]], asker: Asker) -> Texts:
    """The questions, those in plain words read.  Texts that ask the same of other entities share a
    template, `asked_1` and so on."""
    book = asker.rules
    names: dict[str, str] = {}
    statements: dict[str, s.Question] = {}
    questions: list[tuple[Span, Question]] = []
    readings: dict[str, Reading] = {}
    problems: list[Problem] = []
    for span, question in asked:
        if not question.text:
            questions.append((span, question))
            continue
        try:
            reading = asker.read(question.text, span=span)
        except QuestionError as error:
            problems += error.problems
            continue
        if reading.statement:
            name = names.setdefault(reading.statement, _free(len(names) + 1, book))
            text = reading.statement.replace(f"question {reading.name}(", f"question {name}(", 1)
            reading = replace(reading, name=name, statement=text)
            if name not in statements:
                statements[name] = statement_of(reading, book)
        readings[question.id] = reading
        given = Question(question.id, reading.name, reading.arguments, question.candidates)
        questions.append((span, given))
    wider = book.with_questions(statements.values())
    return Texts(tuple(questions), wider, readings, tuple(problems))


def _free(number: int, book: RuleBook) -> str:
    """A name that the rule file has not given to a question."""
    name = f"asked_{number}"
    return name if name not in book.questions else f"{name}_in_words"
