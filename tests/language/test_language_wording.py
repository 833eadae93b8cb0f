"""Phrases of classes and relations: what is wrong with one, and what none changes."""

from __future__ import annotations

import pytest

from kgverify.language.checks import check

START = 'class A\nclass B phrases "thing", "object"\nrelation r (A, B) '
BAD = [
    ('class C phrases "{0} thing"', "unknown-placeholder", "no places"),
    ('class C phrases "?!"', "empty-phrase", "no word"),
    ('class C phrases ""', "empty-phrase", "no word"),
    ('class C phrases "Thing"', "ambiguous-phrase", "`B` and `C`"),
    ('class C, D phrases "kind"', "ambiguous-phrase", "`C` and `D`"),
    ('relation q (A, B) phrases "{0} likes {2}"', "unknown-placeholder", "{2}"),
    ('relation q (A, B) phrases "{0} likes"', "phrase-places", "each once"),
    ('relation q (A, B) phrases "{1} likes {1}"', "phrase-places", "each once"),
    ('relation q (A, B) phrases "{0} {1}"', "empty-phrase", "no word"),
    ('relation q (A, B) "{0} likes {x}"', "unknown-placeholder", "{x}"),
]


@pytest.mark.parametrize(("line", "code", "word"), BAD)
def test_a_bad_phrase_is_told_at_its_place(line: str, code: str, word: str) -> None:
    _, problems = check(f"{START}\n{line}\n", "words.kgr")
    (found,) = [p for p in problems if p.code == code]
    assert word in found.message
    assert found.span is not None
    assert found.span.line == 4
    assert found.is_error == (code != "ambiguous-phrase")


GOOD = [
    'class C phrases "side effect", "adverse reaction"',
    'relation q (A, B) phrases "likes", "{1} is liked by {0}", "the love of {0} is {1}"',
]


@pytest.mark.parametrize("line", GOOD)
def test_good_phrases_have_no_problem_and_count_as_use(line: str) -> None:
    _, problems = check(f"{START}\n{line}\n", "words.kgr")
    assert not [p for p in problems if p.span and p.span.line == 4]
