"""Damaged rule files: whatever is typed, the answer is a list of problems, never an exception."""

from __future__ import annotations

import pytest
from harbour import USED
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rule_file_strategies import rule_files

from kgverify import resources
from kgverify.errors import Problem
from kgverify.language.checks import check
from kgverify.language.parsing import parse
from kgverify.language.printing import file_text
from kgverify.reasoning.program import program_text

VALID = (
    "# harbours\nprefix imo: <https://example.org/imo/>\n"
    + USED.replace("class Ship", "class Boat, Ship sub of Boat")
    + """\
relation moored (Ship, Port) sub of docks_at
relation hosts = "hosts ship" (Port, Ship) inverse of docks_at  "{0} hosts {1}"
    phrases "hosts", "is home to"
relation tons (Ship, integer) functional
relation built (Ship, date) functional at a time
disjoint Ship, Port, Cargo
complete carries for Boat
complete moored for imo:1, <https://example.org/a(b)>, "the tug"
rule brings "a ship brings what it carries":
    moored(X, P) :- docks_at(X, P), not carries(X, C), P != C, C : Cargo.
not docks_at(X, P) :- moored(X, Q), hosts(P, Y), X = Y, Q != P.
tons(imo:1, 4294967297).
question heavy(t: integer)
    "Which ships have {t} tons?"
    answer x : Ship
    require tons(x, t)
    prefer not moored(x, "oslo")  weight 0.25  "rather at sea"
question old(d: date, n: integer)
    "Which ships are older than {d} and call at {n} ports?"
    answer x : Ship
    require built(x) < d  except imo:1, "the tug"
    require count docks_at(x, _) >= n
    exclude (docks_at|moored)/(hosts/^hosts)+/hosts(x, x) assume closed
    prefer any of { moored(x, "oslo") at d, not tons(x) > 5
        x : Boat } weight 2
test "a missing fact is open" {
    docks_at(tug, oslo).  tea : Cargo.  not carries(tug, tea).
    ask calls(oslo, tea): tug = sat, ferry = unk
    ask heavy(12): tug = unk
}
"""
)
PIECES = [
    "(",
    ")",
    "{",
    "}",
    ",",
    ".",
    ":",
    ":-",
    ": -",
    '"',
    "'",
    "#",
    "<",
    ">",
    "=",
    "!=",
    "_",
    "not ",
    "\n",
    "\r",
    "\t",
    " ",
    "class ",
    "\nrule ",
    "\nquestion ",
    "test ",
    "weight 1e99",
    "1990-13-45",
    "0",
    "-",
    "^",
    "/",
    "|",
    "\\",
    "%",
    "@",
    "é",
    "\u2028",
    "\x00",
    "\ufeff",
    "count ",
    "+",
    ">= ",
    " at 1995",
    " assume closed",
    " except ",
    "at least 2 of {",
    "soft 0.1 ",
    "sub of ",
    "inverse of ",
    "prefix :",
    "{x}",
]
positions = st.integers(0, len(VALID))


def damage(text: str, edits: list[tuple[str, int, int, str]]) -> str:
    for kind, one, two, piece in edits:
        start, end = sorted((one % (len(text) + 1), two % (len(text) + 1)))
        end = min(end, start + 40)
        match kind:
            case "insert":
                text = text[:start] + piece + text[start:]
            case "delete":
                text = text[:start] + text[end:]
            case "replace":
                text = text[:start] + piece + text[end:]
            case "repeat":
                text = text[:end] + text[start:end] + text[end:]
            case "cut":
                text = text[:start]
    return text


SUPERCLASS = VALID.index("sub of Boat") + len("sub of B")
edits = st.lists(
    st.tuples(st.sampled_from(("insert", "delete", "replace", "repeat", "insert", "delete", "cut")),
              positions, positions, st.sampled_from(PIECES) | st.text(max_size=3)),
    min_size=1, max_size=4,
)  # fmt: skip


def checked(text: str) -> list[Problem]:
    """The problems of a text, each with a place that is in it: those of what can't be read first,
    as they stand in the file."""
    book, problems = check(text, "f.kgr")
    lines = text.split("\n")
    places = []
    for problem in problems:
        span = problem.span
        assert problem.code
        assert problem.message
        assert span is not None
        assert 0 <= span.line <= len(lines)
        if span.line:
            assert 0 <= span.column <= len(lines[span.line - 1]) + 1
        places.append((span.line, span.column))
    unread = parse(text, "f.kgr")[1]
    assert problems[: len(unread)] == list(dict.fromkeys(unread))
    assert len(set(problems)) == len(problems)
    if not any(problem.is_error for problem in problems):
        assert program_text(book)
    return problems


def test_the_undamaged_file_is_fine() -> None:
    assert [str(p) for p in checked(VALID) if p.is_error] == []


@example([("insert", SUPERCLASS, SUPERCLASS, "x")])
@given(edits)
@settings(max_examples=500, deadline=None)
def test_damage_is_reported_and_never_raised(changes: list[tuple[str, int, int, str]]) -> None:
    checked(damage(VALID, changes))


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_damage_to_shipped_files_is_never_raised(data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(sorted(resources.folder("rules").glob("*.kgr"))))
    text = path.read_text("utf-8")
    start = data.draw(st.integers(0, len(text)))
    window = text[start : start + data.draw(st.integers(1, 3000))]
    checked(window)


@given(st.text(max_size=60))
@settings(max_examples=300, deadline=None)
def test_any_text_at_all_is_never_raised(text: str) -> None:
    checked(text)


@given(rule_files)
@settings(max_examples=300, deadline=None)
def test_any_syntax_tree_is_checked_without_raising(file) -> None:
    checked(file_text(file))


@pytest.mark.parametrize("weight", [
    "1e400", "1e-400", "0.1",
    "1e999999999999999999999",
])  # fmt: skip
def test_a_weight_of_any_size_is_no_crash(weight: str) -> None:
    checked(USED + "    prefer docks_at(x, c) weight " + weight + "\n")
