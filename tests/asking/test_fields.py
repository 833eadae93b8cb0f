"""Phrases of titled fields are not what people say in questions: nothing is read by them."""

from __future__ import annotations

import kgverify
from kgverify.asking.embeddings import _said
from kgverify.asking.lexicon import Lexicon
from kgverify.asking.prompting import _schema

RULES = """
class Country   phrases "country"
class City      phrases "city"
relation capital (Country, City) functional   "the capital of {0} is {1}"
    phrases "{1} is the capital of {0}"%s
relation borders (Country, Country) symmetric
    phrases "borders"%s
"""
WITHOUT = kgverify.load_rules_text(RULES % ("", ""))
WITH = kgverify.load_rules_text(
    RULES % (', "Seat of power: {1} (official)"', ', "Land limits: border nations: {1}"')
)


def test_questions_are_read_by_the_same_words() -> None:
    assert WITH.relations["capital"].fields == ("Seat of power: {1} (official)",)
    with_, without = Lexicon(WITH), Lexicon(WITHOUT)
    assert with_.lexemes == without.lexemes
    assert with_.documents == without.documents
    assert with_.stems == without.stems
    assert list(_said(WITH)) == list(_said(WITHOUT))
    assert _schema(WITH) == _schema(WITHOUT)
