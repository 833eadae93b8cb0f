"""Checks of question templates and of tests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from kgverify.errors import Problem, Span, counted, did_you_mean, nearest
from kgverify.language import syntax as s
from kgverify.language.printing import condition_text
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
    for cls in book.classes.values():
        for placeholder in re.findall(r"\{(\w*)\}", cls.sentence):
            if placeholder != "0":
                yield Problem(
                    "unknown-placeholder",
                    f"a class's sentence has {{0}}, not {{{placeholder}}}",
                    cls.span,
                    "{0} is the member",
                )
    for relation in book.relations.values():
        for placeholder in re.findall(r"\{(\w*)\}", relation.sentence):
            if placeholder not in ("0", "1"):
                yield Problem(
                    "unknown-placeholder",
                    f"a relation's sentence has {{0}} and {{1}}, not {{{placeholder}}}",
                    relation.span,
                    "{0} is the subject, {1} the object",
                )


def _parameters(question: s.Question) -> Iterator[Problem]:
    seen: set[str] = set()
    for name in [question.answer, *(p.name for p in question.parameters)]:
        if name.text in seen:
            yield Problem("duplicate", f"parameter `{name}` is declared twice", name.span)
        seen.add(name.text)
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
                yield Problem("unknown-parameter", message, item.span, hint)
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
                )


def _question_terms(item: s.Item, names: set[str]) -> Iterator[Problem]:
    for term in item.condition.terms:
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
        )
    answer = s.Term(s.TermKind.NAME, question.answer.text, question.answer.span)
    first = answer_item(question)
    seen: dict[NormalForm, s.Item] = {normal_form(first): first}
    for item in question.items:
        if not _LEAST <= item.weight <= _MOST:
            yield Problem(
                "weight", f"a weight lies between {_LEAST} and {_MOST}", item.span, "change it"
            )
        positive, negated = normal_form(item)
        if seen.get((positive, negated), first) is not first:
            yield Problem(
                "repeated",
                "this constraint was given already; it counts once",
                item.span,
                "remove it",
                severity="warning",
            )
        opposite = seen.get((positive, not negated))
        both = item.demand is not s.Demand.PREFER
        if opposite and both and opposite.demand is not s.Demand.PREFER:
            yield Problem(
                "contradiction",
                "no answer can meet this and its opposite",
                item.span,
                "remove one of the two",
                notes=((opposite.span, "the opposite"),),
            )
        seen.setdefault((positive, negated), item)
        if isinstance(positive, s.Literal) and isinstance(positive.atom, s.ClassAtom):
            atom = positive.atom
            if atom.term == answer and atom.cls == question.answer_class and not negated:
                yield Problem(
                    "implied", "the answer class says this already", item.span, severity="warning"
                )
        if answer not in item.condition.terms:
            yield Problem(
                "no-answer",
                f"this constraint does not mention the answer `{answer.text}`",
                item.span,
                "it is the same for every candidate",
                severity="warning",
            )
        if isinstance(positive, s.Comparison) and positive.left == positive.right:
            yield Problem("vacuous-constraint", "both sides are the same", item.span)


def answer_item(question: s.Question) -> s.Item:
    """The constraint that `answer x : Class` makes."""
    span = question.answer_class.span
    answer = s.Term(s.TermKind.NAME, question.answer.text, question.answer.span)
    condition = s.Literal(s.ClassAtom(answer, question.answer_class, span), False, span)
    return s.Item(s.Demand.ANSWER, condition, Decimal(1), "", span)


NormalForm = tuple[s.Constraint, bool]


def normal_form(item: s.Item) -> NormalForm:
    """The constraint's atom, equality or group, and whether it is denied (`exclude`, `not`, `!=`).

    Two constraints that say the same have the same normal form."""
    positive, negated = signed_form(item.condition)
    return positive, negated != (item.demand is s.Demand.EXCLUDE)


def signed_form(constraint: s.Constraint) -> NormalForm:
    """The normal form of a constraint as it stands, whatever the question demands of it."""
    if isinstance(constraint, s.Literal):
        return replace(constraint, negated=False), constraint.negated
    if isinstance(constraint, s.Comparison):
        return replace(constraint, operator="="), constraint.operator == "!="
    members = {member: condition_text(member) for member in map(_signed, constraint.members)}
    ordered = tuple(sorted(members, key=members.__getitem__))
    return replace(constraint, members=ordered, negated=False), constraint.negated


def _signed(constraint: s.Constraint) -> s.Constraint:
    """The normal form of a member, with its sign."""
    positive, negated = signed_form(constraint)
    if isinstance(positive, s.Comparison):
        return replace(positive, operator="!=" if negated else "=")
    return replace(positive, negated=negated)


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
                yield Problem("unknown-question", message, ask.question.span, hint)
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
