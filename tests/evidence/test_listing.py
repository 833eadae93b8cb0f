"""What a field lists: labels, entries, and names that are not cut."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgverify.evidence.listing import Entry, entries, field_tokens, heading_parts
from kgverify.evidence.tokens import Token

Row = tuple[str, str, bool]
NAMES = ["Kesh and Marnia", "Varr, South", "Kesh"]


def known(tokens: Sequence[Token], place: int) -> int:
    for name in NAMES:
        own = [t.text for t in field_tokens(name)]
        if [t.text for t in tokens[place : place + len(own)]] == own:
            return len(own)
    return 0


def listed(text: str) -> list[Entry]:
    return entries(field_tokens(text), text, known)


def rows(text: str) -> list[Row]:
    """Label, words, and whether each entry is surely whole."""
    return [
        (" ".join(e.label_words), text[e.tokens[0].start : e.tokens[-1].end], e.is_apart)
        for e in listed(text)
    ]


CASES: list[tuple[str, list[Row]]] = [
    ("Telmar", [("", "Telmar", True)]),
    ("The Telmar.", [("", "Telmar", True)]),
    (
        "total: 1,204 km; border countries (2): Dolm 390 km, Odel 7.5 km",
        [
            ("total", "1,204 km", True),
            ("border countries", "Dolm 390 km", True),
            ("border countries", "Odel 7.5 km", True),
        ],
    ),
    ("a: Q; R; d: T", [("a", "Q", True), ("a", "R", True), ("d", "T", True)]),
    ("P, b: R, S; T", [("", "P", True), ("b", "R", True), ("b", "S", True), ("", "T", True)]),
    ("P; note - Q, R", [("", "P", True), ("note", "Q", True), ("note", "R", True)]),
    ("P ++ Q\nR | S", [("", letter, True) for letter in "PQRS"]),
    ("* P\n- Q\n• R", [("", letter, True) for letter in "PQR"]),
    ("P (x, y; z), Q", [("", "P (x, y; z)", True), ("", "Q", True)]),
    ("P (x, Q", [("", "P (x, Q", True)]),
    ("P and Q", [("", "P", True), ("", "Q", True)]),
    ("P, Q and R", [("", letter, True) for letter in "PQR"]),
    ("P, Q, and R", [("", letter, True) for letter in "PQR"]),
    ("P and Q, R", [("", "P", False), ("", "Q", False), ("", "R", True)]),
    ("P 1 km and Q 2 km, R", [("", "P 1 km", True), ("", "Q 2 km", True), ("", "R", True)]),
    ("P and Q 2 km", [("", "P", False), ("", "Q 2 km", False)]),
    ("P (x), Q and R (x)", [("", "P (x)", True), ("", "Q", False), ("", "R (x)", True)]),
    ("Kesh and Marnia 404 km", [("", "Kesh and Marnia 404 km", True)]),
    ("Dolm and Kesh and Marnia", [("", "Dolm", True), ("", "Kesh and Marnia", True)]),
    ("Varr, South, P", [("", "Varr, South", True), ("", "P", True)]),
    ("Dolm, South, P", [("", "Dolm", False), ("", "South", True), ("", "P", True)]),
    ("Dolm, The; P", [("", "Dolm", False), ("", "P", True)]),
    ("see http://x.org: P", [("", "see http://x.org: P", True)]),
    ("", []),
    (" ;, and ++ :", [("", ":", True)]),
]


@pytest.mark.parametrize(("text", "wanted"), CASES)
def test_a_field_is_cut_where_it_lists(text: str, wanted: list[Row]) -> None:
    assert rows(text) == wanted


def test_a_heading_has_parts() -> None:
    assert heading_parts("People and Society: Languages") == (
        ("peopl", "and", "societi"),
        ("languag",),
    )
    assert heading_parts("10:30 trains") == (("10", "30", "train"),)
    assert heading_parts(" : ") == heading_parts("") == ()


hostile = st.text(alphabet="AbZ ,;:()[]{}+|&.-–\n\t019é'’\"*•%andote", max_size=60)


@settings(max_examples=400)
@given(hostile)
def test_reading_is_total_and_entries_follow_each_other(text: str) -> None:
    found = listed(text)
    places = [(token.start, token.end) for entry in found for token in entry.tokens]
    assert places == sorted(places)
    assert all(entry.tokens and entry.named <= len(entry.tokens) for entry in found)
    kept = {text[start:end] for start, end in places}
    assert kept <= {token.text for token in field_tokens(text)}


names = st.lists(st.sampled_from(["Dolm", "Odel", "Upper Varr", "Kesh", "Brask"]), min_size=1)


@settings(max_examples=200)
@given(names, st.sampled_from([", ", "; ", " ++ ", "\n", " | "]), st.sampled_from(["", " 12 km"]))
def test_a_list_is_what_was_joined(found: list[str], mark: str, figure: str) -> None:
    text = "label: " + mark.join(name + figure for name in found)
    assert rows(text) == [("label", name + figure, True) for name in found]
