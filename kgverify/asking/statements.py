"""The `question` statements that readings are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from kgverify.asking.reading import Part, Reading
from kgverify.errors import Problem
from kgverify.language import syntax as s
from kgverify.language.constraint_checks import check_constraints
from kgverify.language.parsing import parse
from kgverify.language.printing import quoted
from kgverify.language.question_checks import check_questions
from kgverify.language.rulebook import RuleBook
from kgverify.language.signatures import signature_problems

ANSWER = "x"  # what the answer is called in statements that readings are


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


def statement_text(
    name: str,
    sentence: str,
    parameters: Mapping[str, str],
    answer: str,
    constraints: Iterable[Part],
) -> str:
    """A `question` statement of the rule language: its parameters with their types, the answer's
    part `x : Class`, and its constraints."""
    declared = ", ".join(f"{parameter}: {type_}" for parameter, type_ in parameters.items())
    lines = [
        f"question {name}({declared})",
        f"    {quoted(sentence)}",
        f"    answer {answer}",
        *(f"    {part.demand} {part.text}" for part in constraints),
    ]
    return "\n".join(lines) + "\n"


def sentence_of(text: str, places: Mapping[tuple[int, int], str]) -> str:
    """The question as a template's sentence, with parameters in place of the names."""
    found, end = "", 0
    for (start, stop), parameter in sorted(places.items()):
        found += _without_braces(text[end:start]) + f"{{{parameter}}}"
        end = stop
    return " ".join((found + _without_braces(text[end:])).split())


def _without_braces(text: str) -> str:
    return text.replace("{", "(").replace("}", ")")
