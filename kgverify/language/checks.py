"""Static checks of a rule file: everything that is wrong, causes before what follows from them.

What clingo would reject is rejected here, in the author's words; a message of clingo's own about
a rule file is a bug of kgverify.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from kgverify.errors import Problem, RuleError, Span, counted, did_you_mean
from kgverify.language import syntax as s
from kgverify.language.constraint_checks import check_constraints
from kgverify.language.dependencies import negative_cycles
from kgverify.language.parsing import parse, read_rule_text
from kgverify.language.printing import path_text
from kgverify.language.question_checks import check_questions, check_tests
from kgverify.language.rule_checks import check_bodies, check_variables
from kgverify.language.rulebook import DATATYPES, RuleBook
from kgverify.language.scanning import KEYWORDS
from kgverify.language.signatures import signature_problems
from kgverify.language.soft_checks import check_soft
from kgverify.language.wording_checks import check_wording


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


def check_rules(path: str | Path) -> tuple[RuleBook, list[Problem]]:
    """The rule book of the file at `path` and every problem with it, errors and warnings.

    Raises RuleError only when the file can't be read.  A book with errors must not be used."""
    return check(read_rule_text(path), str(path))


def check(text: str, file: str = "<rules>") -> tuple[RuleBook, list[Problem]]:
    """The rule book of `text` and all problems with it, errors and warnings, causes before what
    may follow from them (`roots_first`).

    With errors among them the book is incomplete and must not be used for verdicts."""
    parsed, unread = parse(text, file)
    book, named = collect(parsed)
    if not parsed.statements and not unread and not named:
        unread = [Problem("empty-file", "the rule file has no statement", Span(file))]
    broken = bool(unread)
    stages: list[list[Problem]] = [unread, named, []]
    for steps, found in zip((NAMES, CHECKS[len(NAMES) :]), stages[1:], strict=True):
        for step in steps:
            found += [p for p in step(book) if not (broken and may_be_false(p, parsed.lost))]
    misspelt = {p.span for stage in stages for p in stage if p.code == "unknown-parameter"}
    stages = [
        [p for p in stage if p.code == "unknown-parameter" or p.span not in misspelt]
        for stage in stages
    ]
    problems = roots_first(*stages)
    if not any(p.is_error for p in problems):
        problems = roots_first(*stages, negative_cycles(book))
    warnings = tuple(p for p in problems if not p.is_error)
    return replace(book, warnings=warnings), problems


def roots_first(*stages: list[Problem]) -> list[Problem]:
    """The problems that the stages of checking found, each once: what an earlier stage found (what
    can't be read, then names) before what may follow from it, otherwise as they stand in the
    file."""
    return list(dict.fromkeys(p for stage in stages for p in sorted(stage, key=_place)))


def may_be_false(problem: Problem, lost: frozenset[str]) -> bool:
    """May a statement that could not be read have declared or used what the problem is about?"""
    if problem.code == "unused":
        return True
    return problem.code.startswith("unknown-") and problem.subject in lost


def _place(problem: Problem) -> tuple[int, int, str]:
    span = problem.span
    return (span.line, span.column, problem.code) if span else (0, 0, problem.code)


def collect(parsed: s.RuleFile) -> tuple[RuleBook, list[Problem]]:
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
    rest: dict[type, list[s.Statement]] = {
        k: [] for k in (s.Disjoint, s.Complete, s.Same, s.Rule, s.SoftRule, s.Test)
    }
    for statement in parsed.statements:
        match statement:
            case s.Prefix(name, iri, span):
                if new("prefix", name + ":", span):
                    prefixes[name] = iri
            case s.ClassDeclaration(name=name):
                fresh = new("class or relation", name.text, name.span)
                if fresh and _is_free(name, RESERVED_NAMES, problems):
                    classes[name.text] = statement
            case s.RelationDeclaration(name=name):
                fresh = new("class or relation", name.text, name.span)
                if fresh and _is_free(name, _NO_RELATION, problems):
                    relations[name.text] = statement
            case s.Question(name=name):
                if new("question", name.text, name.span):
                    questions[name.text] = statement
            case _:
                rule = statement.rule if isinstance(statement, s.SoftRule) else statement
                if isinstance(rule, s.Rule) and rule.name:
                    new("rule", rule.name, rule.span)
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
        tuple(rest[s.Same]),  # type: ignore[arg-type]
        tuple(rest[s.SoftRule]),  # type: ignore[arg-type]
    )
    return book, problems


def _is_free(name: s.Ident, taken: Container[str], problems: list[Problem]) -> bool:
    """May a class or relation have this name?"""
    if name.text in taken:
        kind = "a datatype" if name.text in DATATYPES else "a keyword"
        hint = f'choose another name; `= "{name}"` says what the graph calls it'
        problems.append(Problem("reserved-name", f"`{name}` is {kind}", name.span, hint))
        return False
    return True


_NO_RELATION = frozenset({*KEYWORDS, "not", "answer", "require", "exclude", "prefer", "ask"})
RESERVED_NAMES = _NO_RELATION | {"of", "for", *DATATYPES}
"""What no class can be called; a relation may be called by a datatype, `of` or `for`."""

# ---------------------------------------------------------------- names


def _unknown(kind: str, name: s.Ident, known: Iterable[str]) -> Problem:
    return Problem(
        f"unknown-{kind}",
        f"unknown {kind} `{name}`",
        name.span,
        did_you_mean(name.text, known),
        subject=name.text,
    )


def _literals(book: RuleBook) -> Iterator[s.Literal]:
    """Every literal written in the file."""
    for rule in book.implications:
        yield rule.head
        yield from (c for c in rule.body if isinstance(c, s.Literal))
    for question in book.questions.values():
        parts = [part for item in question.items for part in s.leaves(item.condition)]
        yield from (part for part in parts if isinstance(part, s.Literal))
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
            case atom:
                for name in atom.relations:
                    if name.text not in book.relations:
                        yield _unknown("relation", name, book.relations)
    for question in book.questions.values():
        for parameter in question.parameters:
            if parameter.type.text not in types:
                yield _unknown("class", parameter.type, types)
        if question.answer_class.text not in book.classes:
            yield _unknown("class", question.answer_class, book.classes)


def check_classes(book: RuleBook) -> Iterator[Problem]:
    """Classes that can have no member, because two classes above them share none."""
    for cls in book.classes.values():
        if book.are_disjoint(cls.name.text, cls.name.text):
            yield Problem(
                "empty-class",
                f"nothing can be a `{cls.name}`: it lies under two disjoint classes",
                cls.name.span,
                "check `sub of` and `disjoint`",
                severity="warning",
            )


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


def check_properties(book: RuleBook) -> Iterator[Problem]:
    """Properties of a relation that are written twice, or that don't go together."""
    for relation in book.relations.values():
        seen: set[s.Property] = set()
        for item in relation.properties:
            if item in seen:
                yield Problem(
                    "repeated",
                    f"`{relation.name}` has this property already",
                    item.span,
                    "remove it",
                    severity="warning",
                )
            seen.add(item)
        kinds = {item.kind: item.span for item in relation.properties}
        if "functional" in kinds and "functional_at_a_time" in kinds:
            yield Problem(
                "property",
                f"`{relation.name}` can't be both `functional` and `functional at a time`: with "
                "the first it has one object for all times",
                kinds["functional_at_a_time"],
                "keep the one that is meant",
                notes=((kinds["functional"], "`functional` stands here"),),
            )


def check_kg_names(book: RuleBook) -> Iterator[Problem]:
    """Two names for one class, or relation, of the graph: each would see half of the evidence."""
    for kind, declared in (("class", book.classes), ("relation", book.relations)):
        first: dict[str, s.Ident] = {}
        for item in declared.values():
            name = book.kg_name(item.name.text)
            earlier = first.setdefault(name, item.name)
            if earlier is not item.name:
                yield Problem(
                    "duplicate-kg-name",
                    f"{kind} `{item.name}` and {kind} `{earlier}` are both `{name}` in the graph",
                    item.name.span,
                    "use one name",
                    notes=((earlier.span, "first used here"),),
                )


def check_prefixes(book: RuleBook) -> Iterator[Problem]:
    """Prefixed names whose prefix is not declared."""
    declarations: list[s.ClassDeclaration | s.RelationDeclaration] = [
        *book.classes.values(),
        *book.relations.values(),
    ]
    for declared in declarations:
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
    return Problem("unknown-prefix", f"unknown prefix `{prefix}`", span, hint, subject=prefix)


def _all_terms(book: RuleBook) -> Iterator[s.Term]:
    for literal in _literals(book):
        yield from literal.terms
    for complete in book.complete:
        yield from complete.subjects
    for same in book.same:
        yield from same.terms
    for question in book.questions.values():
        for item in question.items:
            yield from item.exceptions
            for part in s.leaves(item.condition):
                if isinstance(part, s.Comparison):
                    yield from part.terms
    for rule in book.implications:
        for condition in rule.body:
            if isinstance(condition, s.Comparison):
                yield from condition.terms
    for test in book.tests:
        for ask in test.asks:
            yield from ask.arguments
            yield from (e.candidate for e in ask.expectations)


def check_arity(book: RuleBook) -> Iterator[Problem]:
    """Relations and paths relate two things; a comparison is about one thing's values."""
    for literal in _literals(book):
        atom = literal.atom
        if isinstance(atom, s.ClassAtom):
            continue
        wanted = 1 if isinstance(atom, s.ValueAtom) else 2
        if len(atom.arguments) != wanted:
            one = atom.relations[0].text if len(atom.relations) == 1 else ""
            declared = book.relations.get(one)
            name = one if isinstance(atom, s.RelationAtom) else path_text(atom.path, 1)
            yield Problem(
                "arity",
                f"`{name}` takes {counted(wanted, 'argument')}"
                f"{_PLACE.get(type(atom), '')}, {len(atom.arguments)} given",
                atom.span,
                _ARGUMENTS.get(type(atom), "a relation has a subject and an object"),
                notes=((declared.name.span, "declared here"),) if declared else (),
            )


def check_same(book: RuleBook) -> Iterator[Problem]:
    """`same` lists different names of one entity."""
    classes = {book.kg_name(name) for name in book.classes}
    for same in book.same:
        seen: set[s.Term] = set()
        for term in same.terms:
            kind = term.kind
            if term.is_variable or kind in (s.TermKind.NUMBER, s.TermKind.DATE):
                what = "a variable" if term.is_variable else f"a {kind}"
                yield Problem(
                    "same-names",
                    f"`{term.text}` is {what}; `same` lists names of one entity",
                    term.span,
                    "entities begin with a small letter; other names go in quotes",
                )
            elif classes & set(book.entity_ids(term)):
                yield Problem(
                    "same-names",
                    f"`{term.text}` is a class; `same` lists names of one entity",
                    term.span,
                    "of classes, say `sub of` in both directions",
                )
            elif term in seen:
                yield Problem("duplicate", f"`{term.text}` is listed twice", term.span, "remove it")
            seen.add(term)


_PLACE = {s.ValueAtom: " in a comparison", s.CountAtom: " in a count"}
_ARGUMENTS = {
    s.PathAtom: "a path has a subject and an object",
    s.ValueAtom: "a comparison names whose values are compared, as in `born(x) < 1950-01-01`",
    s.CountAtom: "a count names one thing and has `_` for what is counted",
}


def check_unused(book: RuleBook) -> Iterator[Problem]:
    """Declarations that nothing uses."""
    used = {name.text for literal in _literals(book) for name in literal.atom.relations}
    used |= {complete.relation.text for complete in book.complete}
    used |= {p.target.text for r in book.relations.values() for p in r.properties if p.target}
    used |= {n.text for d in book.disjoint for n in d.names}
    classes = {
        literal.atom.cls.text
        for literal in _literals(book)
        if isinstance(literal.atom, s.ClassAtom)
    }
    classes |= {c.text for r in book.relations.values() for c in (r.domain, r.range)}
    classes |= {p.type.text for q in book.questions.values() for p in q.parameters}
    classes |= {q.answer_class.text for q in book.questions.values()}
    classes |= {p.text for c in book.classes.values() for p in c.supers}
    classes |= {c.cls.text for c in book.complete if c.cls}
    classes |= {n.text for d in book.disjoint for n in d.names}
    for cls in book.classes.values():
        if cls.name.text not in classes and not cls.supers and not cls.phrases:
            yield _unused("class", cls.name)
    for relation in book.relations.values():
        linked = any(p.target for p in relation.properties)
        # What has phrases is there for questions in plain words.
        if relation.name.text not in used and not linked and not relation.phrases:
            yield _unused("relation", relation.name)
    for question in book.questions.values():
        terms = {t.text for i in question.items for t in (*i.condition.terms, *i.exceptions)}
        for parameter in question.parameters:
            if parameter.name.text not in terms:
                yield _unused("parameter", parameter.name)


def _unused(kind: str, name: s.Ident) -> Problem:
    return Problem(
        "unused", f"{kind} `{name}` is never used", name.span, "remove it", severity="warning"
    )


NAMES: tuple[Callable[[RuleBook], Iterator[Problem]], ...] = (
    check_names,
    check_classes,
    check_properties,
    check_kg_names,
    check_prefixes,
)
"""The checks of what there is, and of the names by which it is meant."""

CHECKS = (
    *NAMES,
    check_arity,
    check_same,
    signature_problems,
    check_variables,
    check_bodies,
    check_soft,
    check_questions,
    check_wording,
    check_constraints,
    check_tests,
    check_unused,
)
