"""Checks of question templates and of tests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from kgverify.errors import Problem, Span, counted, did_you_mean, nearest
from kgverify.language import syntax as s
from kgverify.language.implications import contradicts, entails
from kgverify.language.normal_forms import NormalForm, normal_form, signed_form
from kgverify.language.rulebook import RuleBook

_LEAST, _MOST = Decimal("1e-9"), Decimal("1e15")


def check_questions(book: RuleBook) -> Iterator[Problem]:
    """Templates whose names, texts or constraints don't fit together."""
    for question in book.questions.values():
        yield from _parameters(question)
        yield from _placeholders(question)
        names = {p.name.text for p in question.parameters} | {question.answer.text}
        for item in question.items:
            yield from _question_terms(item, names)
            yield from _groups(item.condition)
        yield from _vacuous(question)
        yield from _pairs(book, question)


def _parameters(question: s.Question) -> Iterator[Problem]:
    seen: set[str] = set()
    for name in [question.answer, *(p.name for p in question.parameters)]:
        if name.text in seen:
            yield Problem("duplicate", f"parameter `{name}` is declared twice", name.span)
        seen.add(name.text)
        if name.text == "not":
            hint = "choose another name"
            yield Problem("reserved-name", "`not` is a keyword", name.span, hint)
        if name.text[0].isupper():
            yield Problem(
                "capital-name",
                f"`{name}` begins with a capital letter",
                name.span,
                "parameters and answers begin with a small letter",
            )


def _placeholders(question: s.Question) -> Iterator[Problem]:
    known = [p.name.text for p in question.parameters]
    for item in question.items:
        for name in re.findall(r"\{([^{}]*)\}", item.sentence):
            if name not in known:
                hint = did_you_mean(name, known) or "the sentence of a constraint has parameters"
                message = f"unknown parameter `{name}` in the sentence"
                yield Problem("unknown-parameter", message, item.span, hint, subject=name)
    for text, span in zip(question.sentences, question.sentence_spans, strict=True):
        for match in re.finditer(r"\{([^{}]*)\}", text):
            if match[1] not in known:
                column = span.column + 1 + match.start()
                yield Problem(
                    "unknown-parameter",
                    f"unknown parameter `{match[1]}`",
                    Span(span.file, span.line, column, column + len(match[0])),
                    did_you_mean(match[1], known)
                    or (
                        "the parameters are " + ", ".join(f"`{k}`" for k in known) if known else ""
                    ),
                    subject=match[1],
                )


def _question_terms(item: s.Item, names: set[str]) -> Iterator[Problem]:
    for term in (*item.condition.terms, *item.exceptions):
        if term.is_variable:
            yield Problem(
                "variable-in-question",
                f"`{term.text}` is no parameter; questions have no variables",
                term.span,
                did_you_mean(term.text, names) or "quote the name of an entity",
            )
        elif term.kind is s.TermKind.NAME and term.text not in names:
            close = nearest(term.text, names)
            if close:
                yield Problem(
                    "unknown-parameter",
                    f"`{term.text}` is neither a parameter nor a known entity",
                    term.span,
                    f"did you mean `{close}`? An entity of that name can be written in quotes",
                    subject=term.text,
                )


def _vacuous(question: s.Question) -> Iterator[Problem]:
    required = [i for i in question.items if i.demand is not s.Demand.PREFER]
    if not required:
        yield Problem(
            "vacuous-question",
            f"`{question.name}` requires only its answer class",
            question.name.span,
            "add a `require` or an `exclude`",
            severity="warning",
            subject=question.name.text,
        )
    answer = s.Term(s.TermKind.NAME, question.answer.text, question.answer.span)
    for item in question.items:
        if not _LEAST <= item.weight <= _MOST:
            yield Problem(
                "weight", f"a weight lies between {_LEAST} and {_MOST}", item.span, "change it"
            )
        if answer not in item.condition.terms:
            yield Problem(
                "no-answer",
                f"this constraint does not mention the answer `{answer.text}`",
                item.span,
                "it is the same for every candidate"
                + (", and exceptions are candidates" if item.exceptions else ""),
                severity="warning",
            )
        positive, _ = normal_form(item)
        if isinstance(positive, s.Comparison) and positive.left == positive.right:
            yield Problem("vacuous-constraint", "both sides are the same", item.span)


def _pairs(book: RuleBook, question: s.Question) -> Iterator[Problem]:
    """Constraints that another one repeats, implies or rules out; each is reported once."""
    items = [answer_item(question), *question.items]
    forms = [normal_form(item) for item in items]
    reported: set[int] = set()
    for later, item in enumerate(items):
        for earlier, other in enumerate(items[:later]):
            found = _pair(book, (other, forms[earlier]), (item, forms[later]))
            if found is not None:
                problem, about_later = found
                about = later if about_later else earlier
                if about not in reported:
                    reported.add(about)
                    yield problem


_Formed = tuple[s.Item, NormalForm]


def _pair(book: RuleBook, earlier: _Formed, later: _Formed) -> tuple[Problem, bool] | None:
    """What is wrong with two constraints together, and whether it is reported at the later one."""
    (one, form), (two, other) = earlier, later
    is_answer = one.demand is s.Demand.ANSWER
    both = s.Demand.PREFER not in (one.demand, two.demand)
    excepted = (set(one.exceptions), set(two.exceptions))
    if form == other and excepted[0] == excepted[1] and not is_answer:
        text, hint = "this constraint was given already; it counts once", "remove it"
        return Problem("repeated", text, two.span, hint, severity="warning"), True
    if both and not any(excepted) and contradicts(book, form, other):
        opposite = form == (other[0], not other[1])
        return Problem(
            "contradiction",
            "no answer can meet this and " + ("its opposite" if opposite else "another constraint"),
            two.span,
            "remove one of the two",
            notes=((one.span, "the opposite" if opposite else "the other constraint"),),
        ), True
    if (both or is_answer) and excepted[0] <= excepted[1] and entails(book, form, other):
        if is_answer:
            return _implied("the answer class says this already", two), True
        return _implied("another constraint says this already", two, one), True
    if both and not is_answer and excepted[1] <= excepted[0] and entails(book, other, form):
        return _implied("another constraint says this already", one, two), False
    return None


def _implied(message: str, item: s.Item, by: s.Item | None = None) -> Problem:
    return Problem(
        "implied",
        message,
        item.span,
        severity="warning",
        notes=((by.span, "the other constraint"),) if by else (),
    )


def answer_item(question: s.Question) -> s.Item:
    """The constraint that `answer x : Class` makes."""
    span = question.answer_class.span
    answer = s.Term(s.TermKind.NAME, question.answer.text, question.answer.span)
    condition = s.Literal(s.ClassAtom(answer, question.answer_class, span), False, span)
    return s.Item(s.Demand.ANSWER, condition, Decimal(1), "", span)


def _groups(constraint: s.Constraint) -> Iterator[Problem]:
    """Groups that ask for more than they have, or that hold a member twice."""
    if not isinstance(constraint, s.Group):
        return
    normal, _ = signed_form(constraint)
    assert isinstance(normal, s.Group)
    if len(normal.members) < len(constraint.members):
        yield Problem(
            "repeated",
            "the group holds a constraint twice; it counts once",
            constraint.span,
            "remove it",
            severity="warning",
        )
    if constraint.quantity == "least" and not 1 <= constraint.number <= len(normal.members):
        yield Problem(
            "group-size",
            f"at least {constraint.number} of {len(normal.members)} can't be asked",
            constraint.span,
            f"ask for 1 to {len(normal.members)}",
        )
    for member in constraint.members:
        yield from _groups(member)


def check_tests(book: RuleBook) -> Iterator[Problem]:
    """Tests that assert nothing, or that ask what isn't there."""
    for test in book.tests:
        if not test.asks:
            yield Problem(
                "no-assertion",
                f'test "{test.name}" asserts nothing',
                test.span,
                "add `ask question(arguments): candidate = sat`",
            )
        for fact in test.facts:
            for term in fact.terms:
                if term.is_variable:
                    yield Problem(
                        "variable-in-test",
                        f"`{term.text}` is a variable; a test's facts name entities",
                        term.span,
                        "begin with a small letter, or quote the name",
                    )
        for ask in test.asks:
            question = book.questions.get(ask.question.text)
            if question is None:
                hint = did_you_mean(ask.question.text, book.questions)
                message = f"unknown question `{ask.question}`"
                name = ask.question.text
                yield Problem("unknown-question", message, ask.question.span, hint, subject=name)
            elif len(ask.arguments) != len(question.parameters):
                yield Problem(
                    "arity",
                    f"`{ask.question}` takes {counted(len(question.parameters), 'argument')}, "
                    f"{len(ask.arguments)} given",
                    ask.span,
                    "parameters: " + ", ".join(p.name.text for p in question.parameters),
                    notes=((question.name.span, "declared here"),),
                )
            for term in (*ask.arguments, *(e.candidate for e in ask.expectations)):
                if term.is_variable:
                    yield Problem(
                        "variable-in-test",
                        f"`{term.text}` is a variable",
                        term.span,
                        "begin with a small letter, or quote the name",
                    )
