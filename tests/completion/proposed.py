"""Candidate edges and policies, briefly written, and drawn at random."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from kgverify.completion.breakpoints import CandidateEdge, Edge, Source
from kgverify.completion.policy import CAREFUL, PAPER, Policy, configured
from kgverify.errors import Problem
from kgverify.evidence.judging import Failure, Judgement, Label

LETTERS: dict[str, Label] = {"E": "ENTAILED", "U": "UNCERTAIN", "N": "NOT_ENTAILED"}


def edge(text: str) -> Edge:
    """An edge of the words `subject relation object`."""
    return Edge(*text.split())


def source(text: str) -> Source:
    """A source as `passage:label[:origin[:article]]`; a label of `F` is a failure, and a small
    letter says that the passage does not name both ends."""
    passage, label, *more = text.split(":")
    origin = int(more[0]) if more else sum(map(ord, passage))
    article = more[1] if len(more) > 1 else ""
    answer: Judgement | Failure
    if label.upper() == "F":
        answer = Failure(Problem("judge-answer", "no label can be read"), "yes and no")
    else:
        answer = Judgement(LETTERS[label.upper()], 0.9)
    return Source(passage, origin, answer, article, label.isupper())


def candidate(text: str, sources: str = "") -> CandidateEdge:
    """An edge with the sources, in words."""
    return CandidateEdge(edge(text), tuple(map(source, sources.split())))


@st.composite
def policies(draw: st.DrawFn) -> Policy:
    """A policy with some of its options changed; thresholds lie where scores often are."""
    base = draw(st.sampled_from((CAREFUL, PAPER)))
    weight = draw(st.sampled_from(("0.35", "0.3", "1/3", "0", "1", "0.125")))
    options = {
        "w_multi": weight,
        "w_llm": 1 - Fraction(weight),
        "tau_unc": draw(st.sampled_from(("0.6", "0", "0.5", "1"))),
        "n0": draw(st.integers(1, 4)),
        "weakest": draw(st.sampled_from(tuple(LETTERS.values()))),
        "count": draw(st.sampled_from(("origins", "articles"))),
        "cite": draw(st.sampled_from(("agreeing", "named"))),
        "margin": draw(st.sampled_from(("0", "0.1", "0.05"))),
    }
    flags = "needs_source", "needs_all_judged", "needs_agreement"
    options |= {flag: draw(st.booleans()) for flag in flags}
    finals = [Fraction(n, 20) for n in range(1, 21)] + [Fraction(1, 3), Fraction(38, 75)]
    options["tau"] = draw(st.sampled_from(finals))
    return configured(base.name, options)


_PASSAGES = [f"p{n}" for n in range(5)]


@st.composite
def candidates(draw: st.DrawFn, most: int = 6) -> list[CandidateEdge]:
    """Candidates over few names, so that they often exclude each other, with a few sources each."""
    places = [(draw(st.integers(0, 2)), draw(st.sampled_from(("", "a", "b")))) for _ in _PASSAGES]
    names = st.sampled_from("xyz")
    found = []
    labels: dict[tuple[Edge, int], str] = {}
    for _ in range(draw(st.integers(0, most))):
        read = draw(st.lists(st.sampled_from(range(len(_PASSAGES))), max_size=3, unique=True))
        proposed = Edge(draw(names), draw(st.sampled_from("rs")), draw(names))
        sources = []
        for number in read:
            origin, article = places[number]
            label = labels.setdefault((proposed, number), draw(st.sampled_from("EEUUNFeun")))
            sources.append(source(f"{_PASSAGES[number]}:{label}:{origin}:{article}"))
        found.append(CandidateEdge(proposed, tuple(sources)))
    return found
