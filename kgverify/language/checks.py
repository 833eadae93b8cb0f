"""Static checks of a rule file: everything that is wrong, collected in file order.

What clingo would reject is rejected here, in the author's words; a message of clingo's own about
a rule file is a bug of kgverify.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from kgverify.errors import Problem, RuleError, Span, did_you_mean, nearest
from kgverify.language import syntax as s
from kgverify.language.dependencies import negative_cycles
from kgverify.language.parsing import parse, read_rule_text
from kgverify.language.rulebook import DATATYPES, RuleBook
from kgverify.language.signatures import signature_problems


def load_rules(path: str | Path) -> RuleBook:
    """Read and check the rule file at `path`.

    Raises RuleError with every problem found; warnings alone don't raise and are kept in
    `RuleBook.warnings`."""
    return load_rules_text(read_rule_text(path), str(path))


def load_rules_text(text: str, file: str = "<rules>") -> RuleBook:
    """`load_rules` for a text at hand; `file` names it in messages."""
    book, problems = check(text, file)
    if any(problem.is_error for problem in problems):
        raise RuleError(problems)
    return book


def check(text: str, file: str = "<rules>") -> tuple[RuleBook, list[Problem]]:
    """The rule book of `text` and all problems with it, errors and warnings, in file order.

    With errors among them the book is incomplete and must not be used for verdicts."""
    parsed, problems = parse(text, file)
    book, found = _collect(parsed)
    problems = problems + found
    if not parsed.statements and not problems:
        problems.append(Problem("empty-file", "the rule file has no statement", Span(file)))
    for step in CHECKS:
        problems += step(book)
    if not any(p.is_error for p in problems):
        problems += negative_cycles(book)
    problems = sorted(dict.fromkeys(problems), key=_place)
    warnings = tuple(p for p in problems if not p.is_error)
    return RuleBook(**{**_fields(book), "warnings": warnings}), problems


def _fields(book: RuleBook) -> dict[str, object]:
    return {name: getattr(book, name) for name in RuleBook.__dataclass_fields__}


def _place(problem: Problem) -> tuple[int, int, str]:
    span = problem.span
    return (span.line, span.column, problem.code) if span else (0, 0, problem.code)


def _collect(parsed: s.RuleFile) -> tuple[RuleBook, list[Problem]]:
    """Sort the statements by kind; report what is declared twice."""
    problems: list[Problem] = []
    first: dict[tuple[str, str], Span] = {}

    def new(kind: str, name: str, span: Span) -> bool:
        earlier = first.setdefault((kind, name), span)
        if earlier is not span:
            problems.append(
                Problem(
                    "duplicate",
                    f"{kind} `{name}` is declared twice",
                    span,
                    "rename or remove one of them",
                    notes=((earlier, "first declared here"),),
                )
            )
        return earlier is span

    prefixes: dict[str, str] = {}
    classes: dict[str, s.ClassDeclaration] = {}
    relations: dict[str, s.RelationDeclaration] = {}
    questions: dict[str, s.Question] = {}
    rest: dict[type, list[s.Statement]] = {k: [] for k in (s.Disjoint, s.Complete, s.Rule, s.Test)}
    for statement in parsed.statements:
        match statement:
            case s.Prefix(name, iri, span):
                if new("prefix", name + ":", span):
                    prefixes[name] = iri
            case s.ClassDeclaration(name=name):
                if new("class", name.text, name.span) and _not_datatype(name, problems):
                    classes[name.text] = statement
            case s.RelationDeclaration(name=name):
                if new("relation", name.text, name.span):
                    relations[name.text] = statement
                    if name.text in classes:
                        new("class", name.text, name.span)
            case s.Question(name=name):
                if new("question", name.text, name.span):
                    questions[name.text] = statement
            case _:
                if isinstance(statement, s.Rule) and statement.name:
                    new("rule", statement.name, statement.span)
                if isinstance(statement, s.Test):
                    new("test", statement.name, statement.span)
                rest[type(statement)].append(statement)
    book = RuleBook(
        parsed.path,
        parsed.text,
        prefixes,
        classes,
        relations,
        tuple(rest[s.Disjoint]),  # type: ignore[arg-type]
        tuple(rest[s.Complete]),  # type: ignore[arg-type]
        tuple(rest[s.Rule]),  # type: ignore[arg-type]
        questions,
        tuple(rest[s.Test]),  # type: ignore[arg-type]
    )
    return book, problems


def _not_datatype(name: s.Ident, problems: list[Problem]) -> bool:
    if name.text in DATATYPES:
        problems.append(
            Problem("reserved-name", f"`{name}` is a datatype, not a class", name.span, "rename it")
        )
    return name.text not in DATATYPES


# ---------------------------------------------------------------- names


def _unknown(kind: str, name: s.Ident, known: Iterable[str]) -> Problem:
    return Problem(
        f"unknown-{kind}", f"unknown {kind} `{name}`", name.span, did_you_mean(name.text, known)
    )


def _literals(book: RuleBook) -> Iterator[s.Literal]:
    """Every literal written in the file."""
    for rule in book.rules:
        yield rule.head
        yield from (c for c in rule.body if isinstance(c, s.Literal))
    for question in book.questions.values():
        yield from (i.condition for i in question.items if isinstance(i.condition, s.Literal))
    for test in book.tests:
        yield from test.facts


def check_names(book: RuleBook) -> Iterator[Problem]:
    """Classes, relations, questions and prefixes that are used but not declared."""
    types = (*book.classes, *DATATYPES)
    for cls in book.classes.values():
        for parent in cls.supers:
            if parent.text not in book.classes:
                yield _unknown("class", parent, book.classes)
    for relation in book.relations.values():
        if relation.domain.text not in book.classes:
            yield _unknown("class", relation.domain, book.classes)
        if relation.range.text not in types:
            yield _unknown("class", relation.range, types)
        for item in relation.properties:
            if item.target and item.target.text not in book.relations:
                yield _unknown("relation", item.target, book.relations)
    for disjoint in book.disjoint:
        yield from _check_disjoint(book, disjoint)
    for complete in book.complete:
        if complete.relation.text not in book.relations:
            yield _unknown("relation", complete.relation, book.relations)
        if complete.cls and complete.cls.text not in book.classes:
            yield _unknown("class", complete.cls, book.classes)
    for literal in _literals(book):
        match literal.atom:
            case s.ClassAtom(cls=name):
                if name.text not in book.classes:
                    yield _unknown("class", name, book.classes)
            case s.RelationAtom(relation=name):
                if name.text not in book.relations:
                    yield _unknown("relation", name, book.relations)
    for question in book.questions.values():
        for parameter in question.parameters:
            if parameter.type.text not in types:
                yield _unknown("class", parameter.type, types)
        if question.answer_class.text not in book.classes:
            yield _unknown("class", question.answer_class, book.classes)


def _check_disjoint(book: RuleBook, disjoint: s.Disjoint) -> Iterator[Problem]:
    known = {**book.classes, **book.relations}
    kinds = {n.text in book.classes for n in disjoint.names if n.text in known}
    for name in disjoint.names:
        if name.text not in known:
            yield _unknown("class", name, known)
    if len(kinds) > 1:
        yield Problem(
            "mixed-disjoint",
            "`disjoint` lists classes or relations, not both",
            disjoint.span,
            "write two statements",
        )
    twice = {n.text for n in disjoint.names if [m.text for m in disjoint.names].count(n.text) > 1}
    for name in disjoint.names:
        if name.text in twice:
            yield Problem(
                "duplicate", f"`{name}` is listed twice; nothing is disjoint from itself", name.span
            )


def check_prefixes(book: RuleBook) -> Iterator[Problem]:
    """Prefixed names whose prefix is not declared."""
    for declared in (*book.classes.values(), *book.relations.values()):
        kg = declared.kg_name
        if kg and kg.kind is s.KgNameKind.CURIE and book.expand(kg.text) is None:
            yield _unknown_prefix(book, kg.text, kg.span)
    for term in _all_terms(book):
        if term.kind is s.TermKind.CURIE and book.expand(term.text) is None:
            yield _unknown_prefix(book, term.text, term.span)


def _unknown_prefix(book: RuleBook, curie: str, span: Span) -> Problem:
    prefix = curie.partition(":")[0] + ":"
    known = [name + ":" for name in book.prefixes]
    hint = did_you_mean(prefix, known) or f"declare it: `prefix {prefix} <https://…>`"
    return Problem("unknown-prefix", f"unknown prefix `{prefix}`", span, hint)


def _all_terms(book: RuleBook) -> Iterator[s.Term]:
    for literal in _literals(book):
        yield from literal.terms
    for complete in book.complete:
        yield from complete.subjects
    for rule in book.rules:
        for condition in rule.body:
            if isinstance(condition, s.Comparison):
                yield from condition.terms
    for test in book.tests:
        for ask in test.asks:
            yield from ask.arguments
            yield from (e.candidate for e in ask.expectations)


def check_arity(book: RuleBook) -> Iterator[Problem]:
    """Relations relate two things."""
    for literal in _literals(book):
        atom = literal.atom
        if isinstance(atom, s.RelationAtom) and len(atom.arguments) != 2:
            declared = book.relations.get(atom.relation.text)
            notes = ((declared.name.span, "declared here"),) if declared else ()
            yield Problem(
                "arity",
                f"`{atom.relation}` takes 2 arguments, {len(atom.arguments)} given",
                atom.span,
                "a relation has a subject and an object",
                notes=notes,
            )


# ---------------------------------------------------------------- rules


def check_variables(book: RuleBook) -> Iterator[Problem]:
    """Every variable must be bound by a positive atom of the body."""
    for rule in book.rules:
        yield from _unsafe(rule)
        yield from _lookalikes(rule)
        yield from _lower_case(rule)


def _unsafe(rule: s.Rule) -> Iterator[Problem]:
    bound = {
        t.text
        for c in rule.body
        if isinstance(c, s.Literal) and not c.negated
        for t in c.terms
        if t.kind is s.TermKind.VARIABLE
    }
    equalities = [c for c in rule.body if isinstance(c, s.Comparison) and c.operator == "="]
    for _ in equalities:  # each pass binds at least one more variable, or none is left to bind
        for equality in equalities:
            sides = equality.terms
            if any(not t.is_variable or t.text in bound for t in sides):
                bound |= {t.text for t in sides if t.kind is s.TermKind.VARIABLE}
    occurrences = [
        (t, "head", rule.head.negated) for t in rule.head.terms if t.is_variable
    ]
    for condition in rule.body:
        kind = "comparison" if isinstance(condition, s.Comparison) else "body"
        negated = isinstance(condition, s.Literal) and condition.negated
        occurrences += [(t, kind, negated) for t in condition.terms if t.is_variable]
    reported: set[str] = set()
    for term, kind, negated in occurrences:
        if term.kind is s.TermKind.ANONYMOUS:
            if kind != "body" or negated:
                yield Problem(
                    "unsafe-variable",
                    "`_` stands for some unnamed thing; only a positive body atom can hold it",
                    term.span,
                    "name a variable that a positive atom binds",
                )
        elif term.text not in bound and term.text not in reported:
            reported.add(term.text)
            yield Problem("unsafe-variable", *_why_unsafe(term, rule, occurrences))


def _why_unsafe(
    term: s.Term, rule: s.Rule, occurrences: list[tuple[s.Term, str, bool]]
) -> tuple[str, Span, str]:
    places = [(kind, negated) for t, kind, negated in occurrences if t.text == term.text]
    in_body = [p for p in places if p[0] != "head"]
    if not in_body:
        text = f"`{term.text}` occurs in the head only"
    elif any(kind == "comparison" for kind, _ in in_body):
        text = f"`{term.text}` is bound by no positive atom; a comparison with `!=` binds nothing"
    elif len(in_body) > 1:
        text = f"`{term.text}` is shared by negated atoms and bound by no positive atom"
    elif len(places) == 1:
        text = f"`{term.text}` occurs in a negated atom only"
    else:
        text = f"`{term.text}` is bound by no positive atom"
    if not rule.body:
        return text, term.span, "a fact names its entities; entities begin with a small letter"
    return text, term.span, f"add a positive atom with `{term.text}` to the body"


def _lookalikes(rule: s.Rule) -> Iterator[Problem]:
    """Two variables that occur once each and look alike are probably one."""
    terms = [t for c in (rule.head, *rule.body) for t in c.terms if t.kind is s.TermKind.VARIABLE]
    single = [t for t in terms if [u.text for u in terms].count(t.text) == 1]
    for term in single:
        others = [t.text for t in single if t is not term]
        if len(term.text) > 2 and (close := difflib.get_close_matches(term.text, others, 1, 0.75)):
            yield Problem(
                "lookalike-variables",
                f"`{term.text}` and `{close[0]}` occur once each; are they the same variable?",
                term.span,
                "use one spelling, or `_` for a value that doesn't matter",
                severity="warning",
            )


def _lower_case(rule: s.Rule) -> Iterator[Problem]:
    """A rule over lower-case names only says nothing in general: variables were meant."""
    terms = [t for c in (rule.head, *rule.body) for t in c.terms]
    if rule.body and terms and all(t.kind is s.TermKind.NAME for t in terms):
        names = ", ".join(dict.fromkeys(f"`{t.text}`" for t in terms))
        yield Problem(
            "lower-case-variables",
            f"{names} are read as entities",
            terms[0].span,
            "variables begin with a capital letter; quote a name that is meant as an entity",
        )


def check_rules(book: RuleBook) -> Iterator[Problem]:
    """Rules that can never fire, and conditions that say nothing."""
    for rule in book.rules:
        seen: set[s.Condition] = set()
        for condition in rule.body:
            if condition in seen:
                yield Problem(
                    "repeated", "this condition stands in the body already", condition.span,
                    "remove it", severity="warning",
                )
            seen.add(condition)
            if isinstance(condition, s.Comparison) and condition.left == condition.right:
                never = condition.operator == "!="
                yield Problem(
                    "never-fires" if never else "repeated",
                    "the rule can never fire: nothing differs from itself"
                    if never
                    else "this comparison always holds",
                    condition.span,
                    "compare two different terms",
                    severity="warning",
                )
        for condition in rule.body:
            if isinstance(condition, s.Literal) and condition.negated:
                if s.Literal(condition.atom, False, condition.span) in seen:
                    yield Problem(
                        "never-fires",
                        "the rule needs an atom and its denial; it fires on a conflict only",
                        condition.span,
                        severity="warning",
                    )
            if condition == rule.head:
                yield Problem(
                    "never-fires", "the rule derives what its body needs already",
                    condition.span, "remove the rule or the condition", severity="warning",
                )


# ---------------------------------------------------------------- questions and tests


def check_questions(book: RuleBook) -> Iterator[Problem]:
    """Templates whose names, texts or constraints don't fit together."""
    for question in book.questions.values():
        yield from _parameters(question)
        yield from _placeholders(question)
        names = {p.name.text for p in question.parameters} | {question.answer.text}
        for item in question.items:
            yield from _question_terms(item, names)
        yield from _vacuous(question)
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
                "capital-name", f"`{name}` begins with a capital letter", name.span,
                "parameters and answers begin with a small letter",
            )


def _placeholders(question: s.Question) -> Iterator[Problem]:
    known = [p.name.text for p in question.parameters]
    for text, span in zip(question.sentences, question.sentence_spans, strict=True):
        for match in re.finditer(r"\{([^{}]*)\}", text):
            if match[1] not in known:
                column = span.column + 1 + match.start()
                yield Problem(
                    "unknown-parameter",
                    f"unknown parameter `{match[1]}`",
                    Span(span.file, span.line, column, column + len(match[0])),
                    did_you_mean(match[1], known)
                    or ("the parameters are " + ", ".join(f"`{k}`" for k in known) if known else ""),
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
    seen: dict[tuple[s.Condition, bool], s.Item] = {}
    answer = s.Term(s.TermKind.NAME, question.answer.text, question.answer.span)
    for item in question.items:
        if item.weight <= 0:
            yield Problem(
                "weight", "a weight must be greater than zero", item.span, "remove the constraint"
            )
        positive, negated = normal_form(item)
        if (positive, negated) in seen:
            yield Problem(
                "repeated", "this constraint was given already; it counts once", item.span,
                "remove it", severity="warning",
            )
        opposite = seen.get((positive, not negated))
        both = item.demand is not s.Demand.PREFER
        if opposite and both and opposite.demand is not s.Demand.PREFER:
            yield Problem(
                "contradiction", "no answer can meet this and its opposite", item.span,
                "remove one of the two", notes=((opposite.span, "the opposite"),),
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
                "no-answer", f"this constraint does not mention the answer `{answer.text}`",
                item.span, "it is the same for every candidate", severity="warning",
            )
        if isinstance(positive, s.Comparison) and positive.left == positive.right:
            yield Problem("vacuous-constraint", "both sides are the same", item.span)


def normal_form(item: s.Item) -> tuple[s.Condition, bool]:
    """The constraint's atom or equality, and whether it is denied (`exclude`, `not`, `!=`)."""
    negated = item.demand is s.Demand.EXCLUDE
    condition = item.condition
    if isinstance(condition, s.Literal):
        return s.Literal(condition.atom, False, condition.span), negated != condition.negated
    equal = s.Comparison(condition.left, "=", condition.right, condition.span)
    return equal, negated != (condition.operator == "!=")


def check_tests(book: RuleBook) -> Iterator[Problem]:
    """Tests that assert nothing, or that ask what isn't there."""
    for test in book.tests:
        if not test.asks:
            yield Problem(
                "no-assertion", f'test "{test.name}" asserts nothing', test.span,
                "add `ask question(arguments): candidate = sat`",
            )
        for fact in test.facts:
            for term in fact.terms:
                if term.is_variable:
                    yield Problem(
                        "variable-in-test", f"`{term.text}` is a variable; a test's facts name "
                        "entities", term.span, "begin with a small letter, or quote the name",
                    )
        for ask in test.asks:
            question = book.questions.get(ask.question.text)
            if question is None:
                yield _unknown("question", ask.question, book.questions)
            elif len(ask.arguments) != len(question.parameters):
                yield Problem(
                    "arity",
                    f"`{ask.question}` takes {len(question.parameters)} arguments, "
                    f"{len(ask.arguments)} given",
                    ask.span,
                    "parameters: " + ", ".join(p.name.text for p in question.parameters),
                    notes=((question.name.span, "declared here"),),
                )
            for term in (*ask.arguments, *(e.candidate for e in ask.expectations)):
                if term.is_variable:
                    yield Problem(
                        "variable-in-test", f"`{term.text}` is a variable", term.span,
                        "begin with a small letter, or quote the name",
                    )


def check_unused(book: RuleBook) -> Iterator[Problem]:
    """Declarations that nothing uses."""
    used = {literal.atom.relation.text for literal in _literals(book)
            if isinstance(literal.atom, s.RelationAtom)}
    used |= {complete.relation.text for complete in book.complete}
    used |= {p.target.text for r in book.relations.values() for p in r.properties if p.target}
    used |= {n.text for d in book.disjoint for n in d.names}
    classes = {literal.atom.cls.text for literal in _literals(book)
               if isinstance(literal.atom, s.ClassAtom)}
    classes |= {c.text for r in book.relations.values() for c in (r.domain, r.range)}
    classes |= {p.type.text for q in book.questions.values() for p in q.parameters}
    classes |= {q.answer_class.text for q in book.questions.values()}
    classes |= {p.text for c in book.classes.values() for p in c.supers}
    classes |= {c.cls.text for c in book.complete if c.cls}
    classes |= {n.text for d in book.disjoint for n in d.names}
    for cls in book.classes.values():
        if cls.name.text not in classes:
            yield _unused("class", cls.name)
    for relation in book.relations.values():
        linked = any(p.target for p in relation.properties)
        if relation.name.text not in used and not linked:
            yield _unused("relation", relation.name)
    for question in book.questions.values():
        terms = {t.text for i in question.items for t in i.condition.terms}
        for parameter in question.parameters:
            if parameter.name.text not in terms:
                yield _unused("parameter", parameter.name)


def _unused(kind: str, name: s.Ident) -> Problem:
    return Problem(
        "unused", f"{kind} `{name}` is never used", name.span, "remove it", severity="warning"
    )


CHECKS: tuple[Callable[[RuleBook], Iterator[Problem]], ...] = (
    check_names,
    check_prefixes,
    check_arity,
    signature_problems,
    check_variables,
    check_rules,
    check_questions,
    check_tests,
    check_unused,
)
