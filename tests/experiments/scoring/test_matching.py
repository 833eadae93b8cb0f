"""When two names are one answer, and how a text is divided into answers."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgverify.experiments.scoring import matching
from kgverify.experiments.scoring.matching import (
    Known,
    Texts,
    Words,
    is_negated,
    normal_form,
    split,
)

NOBODY = Known.of(())
TEXTS = st.text("abTHE n.,'-!<>pd\n\té", max_size=30)


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("The Beatles.", "beatles"),
        ("  an   Apple. ", "apple"),
        ("A-ha", "aha"),
        ("Washington, D.C.", "washington dc"),
        ("Lord of the Rings", "lord of rings"),
        ("“Ångström”", "ångström"),
        ("Cafe\u0301", "café"),
        ("A", "a"),
        ("The The", "the the"),
        ("!!!", "!!!"),
        ("the ...", "the"),
        ("Oslo<pad><pad>", "oslo"),
        ("<PAD>", ""),
        ("  ", ""),
    ],
)
def test_names_are_compared_in_their_normal_form(name: str, form: str) -> None:
    assert normal_form(name) == form


def test_articles_within_a_name_can_count() -> None:
    assert normal_form("Hepatitis A") == normal_form("Hepatitis")
    assert normal_form("Hepatitis A", "leading") == "hepatitis a"
    assert normal_form("The Who", "leading") == "who"
    assert normal_form("The The", "leading") == "the"
    assert normal_form("The", "leading") == "the"


@settings(max_examples=400)
@given(TEXTS)
def test_a_normal_form_is_its_own_and_is_empty_for_no_name_only(name: str) -> None:
    form = normal_form(name)
    assert normal_form(form) == form
    assert (form == "") == (name.lower().replace("<pad>", " ").split() == [])
    assert form == " ".join(form.split())


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("Paris, London", ["Paris", " London"]),
        ("New York City\nLos Angeles", ["New York City", "Los Angeles"]),
        ("Washington, D.C., Rome", ["Washington, D.C.", " Rome"]),
        ("Rome, Washington, D.C.", ["Rome", " Washington, D.C."]),
        ("Paris London", ["Paris London"]),
        ("3 4", ["3 4"]),
        ("", []),
    ],
)
def test_a_text_is_divided_but_not_within_a_known_name(text: str, answers: list[str]) -> None:
    assert split(text, Known.of(["Washington, D.C."])) == answers


def test_the_longest_known_name_stays_whole() -> None:
    known = Known.of(["Paris, Texas", "Paris, Texas, Reunited", "Texas"])
    assert split("Paris, Texas, Reunited, Oslo", known) == ["Paris, Texas, Reunited", " Oslo"]


def test_blanks_divide_private_ids_and_nothing_else() -> None:
    ids = Known.of(["205", "138"])
    assert split("205 138, 7", ids) == ["205", "138", " 7"]
    assert split("205 or 138", ids) == ["205 or 138"]
    assert split("205 138", Known.of(["205", "Rome"])) == ["205 138"]
    assert split("205 138", NOBODY) == ["205 138"]


@settings(max_examples=300)
@given(TEXTS, st.lists(TEXTS, max_size=4))
def test_dividing_loses_and_adds_nothing(text: str, names: list[str]) -> None:
    joined = "".join(split(text, Known.of(names)))
    assert joined.replace(",", "") == "".join(text.splitlines()).replace(",", "")


def by_every_run(text: str, known: Known) -> list[str]:
    """The same as `split`, and every run of parts is tried."""
    found = []
    for line in text.splitlines():
        parts = line.split(",")
        while parts:
            whole = (n for n in range(len(parts), 1, -1) if is_known(",".join(parts[:n]), known))
            size = next(whole, 1)
            own, parts = ",".join(parts[:size]), parts[size:]
            ids = own.split() if known.only_numbers else []
            found += ids if len(ids) > 1 and all(i.isdecimal() for i in ids) else [own]
    return found


def is_known(name: str, known: Known) -> bool:
    return normal_form(name) in known.forms


WORDS = ("the", "The", "a", "an", "t", "he", "n", "A.", "x", "y", "12", "3", ".", "-", "<pad>")
PIECES = st.lists(st.sampled_from([*WORDS, ",", ",", ",", ",", " ", " ", "\n"]), max_size=10).map(
    "".join
)


@settings(max_examples=800)
@given(PIECES, st.lists(PIECES, max_size=4), st.integers(0, 10), st.integers(0, 10))
def test_texts_are_divided_as_when_every_run_is_tried(
    text: str, names: list[str], start: int, end: int
) -> None:
    known = Known.of([*names, text[start:end]])
    assert split(text, known) == by_every_run(text, known)


def test_runs_are_no_longer_than_the_longest_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dividing many names takes a few looks at each, not one at every run of them."""
    looked = 0

    def counting(name: str) -> str:
        nonlocal looked
        looked += 1
        return normal_form(name)

    known = Known.of(["Washington, D.C.", "Paris, Texas"])
    monkeypatch.setattr(matching, "normal_form", counting)
    for name in ("Somebody Else", "", "a"):
        looked = 0
        assert len(split(", ".join([name] * 1200), known)) == 1200
        assert looked <= 1200 * 40


def test_permissive_matching_by_letters_and_by_words() -> None:
    assert Texts({"niger", "peru"}).within("nigeria") == {"niger"}
    assert Words({"niger"}).within("nigeria") == set()
    assert Words({"york", "new", "new york", "new york city"}).within("new york") == {
        "york",
        "new",
        "new york",
    }
    assert Texts({"rome"}).within("") == Words({"rome"}).within("") == set()


@settings(max_examples=400)
@given(st.text("ab ", max_size=12), st.sets(st.text("ab ", min_size=1, max_size=4), max_size=30))
def test_permissive_matching_finds_what_looking_one_by_one_finds(
    text: str, names: set[str]
) -> None:
    form = " ".join(text.split())
    forms = {" ".join(name.split()) for name in names} - {""}
    assert Texts(forms).within(form) == {name for name in forms if name in form}
    assert Words(forms).within(form) == {name for name in forms if f" {name} " in f" {form} "}


@pytest.mark.parametrize(
    ("text", "negated"),
    [
        ("not Mark Twain", True),
        ("It isn't Rome", True),
        ("It isn’t Rome", True),
        ("Asia, never Africa", True),
        ("Notting Hill", False),
        ("Norway", False),
        ("Giant", False),
    ],
)
def test_words_of_negation(text: str, negated: bool) -> None:
    assert is_negated(text) is negated
