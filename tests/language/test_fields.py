"""Phrases that have the form of a titled field: how they are read, and what is wrong with one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgverify.language.checks import check
from kgverify.language.fields import ANYTHING, FieldPhrase, is_field, read_field
from kgverify.language.parsing import parse
from kgverify.language.printing import file_text

READ = [
    ("Capital: {1}", FieldPhrase(("Capital",), 1)),
    ("Cities:{0}", FieldPhrase(("Cities",), 0)),
    ("Languages: {1} (official)", FieldPhrase(("Languages",), 1, "official")),
    ("Land: border countries: {1}", FieldPhrase(("Land", "border countries"), 1)),
    ("Capital: {1} (…)", FieldPhrase(("Capital",), 1, ANYTHING)),
    ("Capital: {1} (...)", FieldPhrase(("Capital",), 1, ANYTHING)),
    ("Rates: {1} (…) per US dollar", FieldPhrase(("Rates",), 1, ANYTHING, "per US dollar")),
    ("Rates: {1} is used", FieldPhrase(("Rates",), 1, "", "is used")),
]  # fmt: skip


@pytest.mark.parametrize(("phrase", "field"), READ)
def test_a_field_is_read(phrase: str, field: FieldPhrase) -> None:
    assert is_field(phrase)
    assert read_field(phrase) == field


@pytest.mark.parametrize(
    "phrase",
    ["is the capital of", "{1}: {0}", "Note: {0} treats {1}", "note: treats", "{1}", "{1}: it", ""],
)
def test_other_phrases_are_no_fields(phrase: str) -> None:
    assert not is_field(phrase)
    with pytest.raises(ValueError, match="no colon"):
        read_field(phrase)


BAD = [
    (": {1}", "a colon without a heading"),
    ("Land: : {1}", "a colon without a heading"),
    ("!?: {1} is used", "a colon without a heading"),
    ("Capital: the {1}", "has `the` between"),
    ("Languages: {1} (official", "parentheses that don't stand"),
    ("Languages: {1} official)", "parentheses that don't stand"),
    ("Languages: {1} (a) (b)", "parentheses that don't stand"),
    ("Languages: {1} spoken (a)", "parentheses that don't stand"),
    ("Languages: {1} ((a))", "parentheses that don't stand"),
    ("Languages: {1} ()", "parentheses with nothing"),
    ("Languages: {1} (?)", "parentheses with nothing"),
    ("Languages: {1} ;", "has `;` behind"),
]


@pytest.mark.parametrize(("phrase", "why"), BAD)
def test_a_malformed_field_is_told_at_its_place(phrase: str, why: str) -> None:
    text = f'class A\nclass B\nrelation r (A, B)\nrelation q (A, B) phrases "{phrase}"\n'
    _, problems = check(text, "fields.kgr")
    told = [p for p in problems if p.code in ("field-phrase", "empty-phrase")]
    assert told
    assert all(p.is_error and p.span is not None and p.span.line == 4 for p in told)
    assert any(why in p.message for p in told)


@pytest.mark.parametrize("phrase", ["Capital of {1}", "{1}: Capital", "Capital: {1}, {1}"])
def test_one_place_without_a_heading_is_a_mistake_as_ever(phrase: str) -> None:
    _, problems = check(f'class A\nrelation q (A, A) phrases "{phrase}"\n', "fields.kgr")
    (found,) = [p for p in problems if p.code == "phrase-places"]
    assert "one place, behind a heading" in (found.hint or "")


def test_good_fields_are_no_problem_and_are_kept_when_printed() -> None:
    phrases = ", ".join(f'"{phrase}"' for phrase, _ in READ)
    text = f"class A\nrelation q (A, A) phrases {phrases}\n"
    book, problems = check(text, "fields.kgr")
    assert not [p for p in problems if p.is_error]
    assert book.relations["q"].phrases == tuple(phrase for phrase, _ in READ)
    assert book.relations["q"].fields == book.relations["q"].phrases
    assert book.relations["q"].spoken == ()
    printed = file_text(parse(text, "fields.kgr")[0])
    assert parse(printed, "fields.kgr") == parse(text, "fields.kgr")


pieces = st.lists(
    st.sampled_from(["{0}", "{1}", ":", "(", ")", " ", "a", "Land", "…", "...", "?", "{2}", "\n"]),
    max_size=10,
).map("".join)


@settings(max_examples=500)
@given(pieces)
def test_reading_is_total_and_a_field_says_where_it_was(phrase: str) -> None:
    try:
        field = read_field(phrase)
    except ValueError:
        return
    assert is_field(phrase)
    assert f"{{{field.place}}}" in phrase
    assert all(heading in phrase for heading in field.headings)
    assert field.note in ("", ANYTHING) or field.note in phrase
    assert field.tail in phrase
