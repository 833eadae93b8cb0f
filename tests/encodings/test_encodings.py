"""Each encoding alone, by example: a file of facts that says which atoms must follow (`%!`), which
must not (`%-`), of which predicates no others may (`%=`), and, of an encoding with several answer
sets, which are in some and not in all (`%?`).  Where an encoding says which answer set is best,
that one alone is looked at."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kgverify.reasoning.program import (
    ADMISSIBLE,
    ADMISSION,
    ATTRIBUTION,
    COMPLETION,
    DECISION,
    EVIDENCE,
    INFERRED,
    MOMENTS,
    NOISY_OR,
    QUESTIONS,
    SIGHT,
    SOFT,
    STRONGEST,
    TEXT,
    VIEWS,
    encoding,
    templates,
)
from kgverify.reasoning.solver import Consequences, consequences, optimum, read_rules, solve

HERE = Path(__file__).parent
CASES = sorted(HERE.glob("*/*.lp"))
ANALYSIS = ("guess.lp", "seen.lp", "outcome.lp", "both.lp")
ATOM = re.compile(r"\w+\([^()]*\)")


def expectations(text: str, mark: str) -> set[str]:
    lines = [line for line in text.splitlines() if line.startswith(mark)]
    return {atom for line in lines for atom in ATOM.findall(line)}


@pytest.mark.parametrize("case", CASES, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_encoding(case: Path) -> None:
    text = case.read_text(encoding="utf-8")
    wanted, unwanted, open_ = (expectations(text, mark) for mark in ("%!", "%-", "%?"))
    assert wanted | unwanted | open_, "the case expects nothing"
    shows = {atom.partition("(")[0]: atom.count(",") + 1 for atom in wanted | unwanted | open_}
    show = "".join(f"#show {name}/{arity}." for name, arity in shows.items())
    name = case.parent.name + ".lp"
    parts = encoding(name), text, show
    if name not in (*COMPLETION, *SIGHT, *MOMENTS, *ADMISSION, "guess.lp", "seen.lp"):
        assert set(solve(*parts)) >= wanted  # and there is one answer set only
    found = best(parts) if name in ADMISSION else consequences(parts, seconds=60)
    assert found is not None
    assert wanted <= found.cautious
    assert open_ <= found.brave - found.cautious
    assert not unwanted & found.brave
    exact = {word for line in re.findall("^%= (.*)", text, re.MULTILINE) for word in line.split()}
    assert exact <= shows.keys(), "an exact predicate needs an atom"
    more = found.brave - wanted - open_ - (set(solve(text, show)) if exact else set())
    assert not {atom for atom in more if atom.partition("(")[0] in exact}


def best(parts: tuple[str, ...]) -> Consequences:
    """What the best answer set shows."""
    found = optimum(parts, seconds=60)
    assert found is not None
    assert found.proven
    return Consequences(found.shown, found.shown)


def test_every_encoding_has_cases() -> None:
    assert {f"{case.parent.name}.lp" for case in CASES} == {*CHAPTERS}


PLAUSIBILITY = (*SOFT, *STRONGEST, *NOISY_OR, *INFERRED)
CHAPTERS = (
    *(*EVIDENCE, *VIEWS, *QUESTIONS, *DECISION, *COMPLETION, *SIGHT, *MOMENTS),
    *PLAUSIBILITY,
    *TEXT,
    *(*ADMISSIBLE, *ADMISSION, *ATTRIBUTION),
    *ANALYSIS,
)


@pytest.mark.parametrize("name", CHAPTERS)
def test_every_predicate_is_documented_at_the_head(name: str) -> None:
    text = encoding(name)
    head = "\n".join(line for line in text.splitlines() if line.startswith("%"))
    predicates = set(re.findall(r"\b([a-z_]+)\(", re.sub(r"%.*", "", text)))
    undocumented = {p for p in predicates if f"{p}(" not in head}
    assert not undocumented


def test_templates_are_plain_rules() -> None:
    assert len(templates()) == sum(len(read_rules(encoding(name))) for name in (*EVIDENCE, *VIEWS))
    assert all(rule.body for rule in templates())
