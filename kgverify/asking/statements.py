"""The `question` statements that readings are."""

from __future__ import annotations

from dataclasses import replace

from kgverify.asking.reading import Reading
from kgverify.errors import Problem
from kgverify.language import syntax as s
from kgverify.language.constraint_checks import check_constraints
from kgverify.language.parsing import parse
from kgverify.language.question_checks import check_questions
from kgverify.language.rulebook import RuleBook
from kgverify.language.signatures import signature_problems


def statement_of(reading: Reading, book: RuleBook) -> s.Question:
    """The question that a reading is: a statement of its own, or a template of the rule file."""
    if not reading.statement:
        return book.questions[reading.name]
    file, problems = parse(reading.statement, "<question>")
    question = file.statements[0] if len(file.statements) == 1 else None
    if problems or not isinstance(question, s.Question):
        raise AssertionError(f"this is no question statement: {reading.statement}")
    return question


def faults(question: s.Question, book: RuleBook) -> list[Problem]:
    """The errors that a rule file with this question would have because of it."""
    alone = replace(book, questions={question.name.text: question}, rules=(), tests=())
    found = [*check_questions(alone), *check_constraints(alone), *signature_problems(alone)]
    return [problem for problem in found if problem.is_error]


def sentence_of(text: str, places: dict[str, tuple[int, int]]) -> str:
    """The question as a template's sentence, with parameters in place of the names."""
    found, end = "", 0
    for parameter, (start, stop) in sorted(places.items(), key=lambda pair: pair[1]):
        found += _without_braces(text[end:start]) + f"{{{parameter}}}"
        end = stop
    return " ".join((found + _without_braces(text[end:])).split())


def _without_braces(text: str) -> str:
    return text.replace("{", "(").replace("}", ")")
