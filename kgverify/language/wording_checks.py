"""Checks of the words that a rule file gives to its classes and relations."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgverify.errors import Problem, Span
from kgverify.language import syntax as s
from kgverify.language.fields import is_field, read_field
from kgverify.language.rulebook import RuleBook

_PLACEHOLDER = re.compile(r"\{(\w*)\}")


def check_wording(book: RuleBook) -> Iterator[Problem]:
    """Sentences and phrases whose places for the arguments don't fit what they are about."""
    named: dict[str, s.ClassDeclaration] = {}
    for cls in book.classes.values():
        yield from _strange(cls.sentence, ("0",), "a class's sentence has {0}", cls.span)
        for phrase in cls.phrases:
            yield from _strange(phrase, (), "a phrase for a class has no places", cls.span)
            yield from _wordless(phrase, cls.span)
            earlier = named.setdefault(phrase.casefold(), cls)
            if earlier is not cls:
                yield Problem(
                    "ambiguous-phrase",
                    f'"{phrase}" names both `{earlier.name}` and `{cls.name}`',
                    cls.span,
                    "declare the class in a statement of its own, with phrases of its own",
                    severity="warning",
                )
    for relation in book.relations.values():
        both = ("0", "1")
        yield from _strange(
            relation.sentence, both, "a relation's sentence has {0} and {1}", relation.span
        )
        for phrase in relation.phrases:
            yield from _strange(phrase, both, "a phrase has {0} and {1}", relation.span)
            yield from _wordless(phrase, relation.span)
            yield from _field(phrase, relation) if is_field(phrase) else _places(phrase, relation)


def _strange(text: str, known: tuple[str, ...], message: str, span: Span) -> Iterator[Problem]:
    for name in _PLACEHOLDER.findall(text):
        if name not in known:
            hint = "{0} is the subject, {1} the object" if len(known) == 2 else ""
            hint = hint or ("{0} is the member" if known else "write the words alone")
            yield Problem("unknown-placeholder", f"{message}, not {{{name}}}", span, hint)


def _wordless(phrase: str, span: Span) -> Iterator[Problem]:
    if not re.search(r"[^\W_]", _PLACEHOLDER.sub("", phrase)):
        yield Problem("empty-phrase", f'the phrase "{phrase}" has no word', span, "remove it")


def _places(phrase: str, relation: s.RelationDeclaration) -> Iterator[Problem]:
    """A phrase has both places, each once, or none: then the subject comes first."""
    found = sorted(name for name in _PLACEHOLDER.findall(phrase) if name in ("0", "1"))
    if found not in ([], ["0", "1"]):
        yield Problem(
            "phrase-places",
            f'the phrase "{phrase}" needs {{0}} and {{1}}, each once, or neither',
            relation.span,
            "without them the subject stands before the phrase and the object after it; "
            'a titled field has one place, behind a heading: "Capital: {1}"',
        )


def _field(phrase: str, relation: s.RelationDeclaration) -> Iterator[Problem]:
    """A phrase of a titled field has headings, one place, and perhaps a note and words behind."""
    try:
        read_field(phrase)
    except ValueError as error:
        yield Problem(
            "field-phrase",
            f'the phrase "{phrase}" of a titled field {error}',
            relation.span,
            "write headings, each with a colon, the place, and perhaps a note in parentheses: "
            '"Languages: {1} (official)"',
        )
