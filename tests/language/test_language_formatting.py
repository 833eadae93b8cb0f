"""Laying out a rule file changes blanks and nothing else."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_file_strategies import rule_files

from kgverify import resources
from kgverify.errors import RuleError
from kgverify.language import syntax as s
from kgverify.language.formatting import format_rules as formatted
from kgverify.language.parsing import parse
from kgverify.language.printing import file_text
from kgverify.language.scanning import with_comments

SHIPPED = sorted(resources.folder("rules").glob("*.kgr"))
CORPORA = sorted((Path(__file__).parents[2] / "corpora").glob("*/*.kgr"))


def pieces(text: str) -> list[str]:
    """All that is not blank, comments too."""
    return [token.text.rstrip() for token in with_comments(text)]


@st.composite
def mangled(draw: st.DrawFn) -> str:
    """A rule file with blanks, blank lines and comments where nobody would put them."""
    lines: list[str] = []
    for line in file_text(draw(rule_files)).split("\n"):
        tokens = list(with_comments(line.strip()))
        if not tokens:
            continue
        text = tokens[0].text
        for one, two in pairwise(tokens):
            blanks = two.start - one.end
            text += " " * (blanks and draw(st.integers(1, 4))) + two.text
        # A statement begins in column 1; what goes on does not.
        first = line[:1] not in ("", " ", "}")
        indent = 0 if first else draw(st.integers(1, 9))
        lines += [""] * draw(st.sampled_from((0, 0, 0, 1, 3)))
        if draw(st.integers(0, 5)) == 0:
            said = draw(st.text('a #"{(.,', max_size=6))
            lines.append(" " * draw(st.integers(0, 6)) + "#" + said)
        behind = draw(st.sampled_from(("", "", "", "   ", "# why", "  #", "   # a  b \t")))
        lines.append(" " * indent + text + behind)
    return "\n".join(lines) + "\n" * draw(st.integers(0, 3))


@given(mangled())
@settings(max_examples=500, deadline=None)
def test_blanks_change_and_nothing_else(text: str) -> None:
    before, problems = parse(text)
    assert problems == []
    found = formatted(text)
    after, problems = parse(found)
    assert problems == []
    assert file_text(after) == file_text(before)
    assert pieces(found) == pieces(text)


@given(mangled())
@settings(max_examples=500, deadline=None)
def test_laying_out_twice_is_laying_out_once(text: str) -> None:
    once = formatted(text)
    assert formatted(once) == once


@given(mangled())
@settings(max_examples=300, deadline=None)
def test_lines_are_tidy(text: str) -> None:
    found = formatted(text)
    assert all(line == line.rstrip() for line in found.split("\n"))
    assert "\n\n\n" not in found
    assert not found.startswith("\n")
    assert not found.endswith("\n\n")
    assert all(len(re.match(" *", line)[0]) % 4 == 0 for line in found.split("\n"))  # type: ignore[index]


@given(mangled(), st.randoms(use_true_random=False))
@settings(max_examples=300, deadline=None)
def test_how_far_lines_were_set_in_does_not_matter(text: str, random: object) -> None:
    def shifted(match: re.Match[str]) -> str:
        return " " * random.randint(1, 12)  # type: ignore[attr-defined]

    # A comment that is set in belongs to what is above it, so that it is stays as it is.
    assert formatted(re.sub(r"^ +(?=\S)", shifted, text, flags=re.MULTILINE)) == formatted(text)


@pytest.mark.parametrize("path", SHIPPED + CORPORA, ids=lambda path: path.name)
def test_what_is_shipped_is_laid_out(path: Path) -> None:
    text = path.read_text("utf-8")
    assert formatted(text, str(path)) == text


EVERYTHING = """\
# Every statement, badly laid out.
prefix   ex:    <https://example.org/>



class   Country , City
class Ship="A ship"   sub of   Country       phrases "ship",
  "vessel"
relation  capital(Country,City)functional # one
 "the capital of {0} is {1}"
 phrases "a" ,
   "b"
   # of the relation
relation borders (Country, Country) symmetric,
 irreflexive
complete   capital for "x" ,
 "y"
rule  why "because" :
 borders( X , Y ) :-borders(Y,X) ,
   X!=Y.
borders (a , b) .
not borders (a,c) :-
 borders(a , b).
question q( c :Country ,
   d: City )
  "Which {c}?",
  "What {c} {d}?"
  answer x: City
  require capital / ^capital+ (c , x)
     weight   2
    # of the group
  prefer not   any  of{ capital (c,x) ,
      at least 1 of {
   x : City
   x: Country
   } }
  exclude (borders|capital) (c, x)   # last
  require count   capital (x , _)>=2
test "t"{
 capital(a,b).   capital(c,d).
    # facts
 capital(long_name,e).   x : City.
 ask q(a , b):b=sat,
   c = unk , # open
   long = viol # shut
 ask q(a,c) : b = sat
 # the end
}
"""

LAID_OUT = """\
# Every statement, badly laid out.
prefix ex:  <https://example.org/>

class Country, City
class Ship = "A ship" sub of Country  phrases "ship",
        "vessel"
relation capital (Country, City) functional  # one
    "the capital of {0} is {1}"
    phrases "a",
        "b"
    # of the relation
relation borders (Country, Country) symmetric,
    irreflexive
complete capital for "x",
    "y"
rule why "because":
    borders(X, Y) :- borders(Y, X),
        X != Y.
borders(a, b).
not borders(a, c) :-
    borders(a, b).
question q(c: Country,
        d: City)
    "Which {c}?",
    "What {c} {d}?"
    answer x : City
    require capital/^capital+(c, x)
        weight 2
    # of the group
    prefer not any of { capital(c, x),
        at least 1 of {
            x : City
            x : Country
        } }
    exclude (borders|capital)(c, x)  # last
    require count capital(x, _) >= 2
test "t" {
    capital(a, b).  capital(c, d).
    # facts
    capital(long_name, e).  x : City.
    ask q(a, b): b = sat,
        c = unk,     # open
        long = viol  # shut
    ask q(a, c): b = sat
    # the end
}
"""


def test_every_statement_has_its_layout() -> None:
    found = formatted(EVERYTHING)
    assert found == LAID_OUT


def test_columns_of_neighbouring_lines_stand_under_each_other() -> None:
    text = (
        'class A  phrases "a"\nclass Bcd   phrases "b"  # one\nclass E   # two\n'
        '\nclass F  phrases "f"\n'
    )
    assert formatted(text) == (
        'class A    phrases "a"\n'
        'class Bcd  phrases "b"  # one\n'
        "class E                 # two\n"
        "\n"
        'class F  phrases "f"\n'
    )


def test_a_file_that_cannot_be_read_is_left_alone() -> None:
    with pytest.raises(RuleError) as caught:
        formatted('class A phrases "x\nrelation r A, B)\nclass C', "f.kgr")
    assert [problem.span.line for problem in caught.value.problems if problem.span] == [1, 2]


def test_nothing_is_laid_out_as_nothing() -> None:
    assert formatted("") == ""
    assert formatted("\n\n  \n") == ""
    assert formatted("  # only this  ") == "# only this\n"


def test_what_a_file_says_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    from kgverify.language import formatting

    def loses(text: str, file: str) -> list[formatting._Line]:
        return [line for line in original(text, file) if "two" not in line.cells[0]]

    original = formatting._lines
    monkeypatch.setattr(formatting, "_lines", loses)
    with pytest.raises(RuleError, match="would change what it says"):
        formatted("class one\nclass two\n")


def test_types_of_statements_are_all_covered() -> None:
    """But `same` and `disjoint`, which are lists, and `soft`, which is a rule."""
    kinds = {type(statement) for statement in parse(EVERYTHING)[0].statements}
    assert kinds == {
        *(s.Prefix, s.ClassDeclaration, s.RelationDeclaration, s.Complete, s.Rule),
        *(s.Question, s.Test),
    }
