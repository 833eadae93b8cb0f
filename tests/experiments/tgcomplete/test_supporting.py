"""Exhaustive retrieval: every passage that names both ends, by window, against plain counting."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from kgverify.completion.breakpoints import Edge
from kgverify.errors import Problem
from kgverify.evidence.corpus import Corpus
from kgverify.evidence.judging import Claim, Failure, Judgement
from kgverify.evidence.passages import Passage
from kgverify.evidence.rule_judge import RuleJudge
from kgverify.experiments.tgcomplete.supporting import TEXT, TITLED, WINDOWS, WORDS, Exhaustive
from tests.experiments.tgcomplete.small_world import PASSAGES, world

OSLO = Edge("no", "capital", "oslo")
NARROW = WINDOWS[0]


def look(passages: Sequence[Passage], judge: object = None) -> Exhaustive:
    found = world(tuple(passages))
    return Exhaustive(found, found.corpora["prose"], judge or RuleJudge())  # type: ignore[arg-type]


class Says:
    """A judge that finds everything stated, and remembers what it was asked."""

    name = "says"

    def __init__(self, label: str = "ENTAILED") -> None:
        self.label = label
        self.asked: list[str] = []

    def judge(self, pairs: Sequence[tuple[Passage, Claim]]) -> list[Judgement | Failure]:
        self.asked += [passage.id for passage, _ in pairs]
        if self.label == "failure":
            return [Failure(Problem("model", "no answer")) for _ in pairs]
        return [Judgement(self.label, 1.0) for _ in pairs]  # type: ignore[arg-type]


def test_what_names_both_is_found_and_judged() -> None:
    found = look(PASSAGES)
    stated = found.of([OSLO, Edge("no", "capital", "stockholm"), Edge("fi", "capital", "helsinki")])
    assert stated[OSLO].is_stated(NARROW)
    assert stated[OSLO].named == dict.fromkeys(WINDOWS, 1)
    # Nothing names Norway and Stockholm together.
    assert stated[Edge("no", "capital", "stockholm")].named == dict.fromkeys(WINDOWS, 0)
    # Finland is in the title alone, and the passage says something else of Helsinki.
    helsinki = stated[Edge("fi", "capital", "helsinki")]
    assert (helsinki.named[TEXT], helsinki.named[TITLED]) == (0, 1)
    assert not helsinki.is_stated()


def test_a_symmetric_edge_is_found_from_either_side() -> None:
    found = look(PASSAGES).of([Edge("no", "borders", "se"), Edge("se", "borders", "no")])
    assert all(one.is_stated() for one in found.values())


def test_a_failure_of_the_judge_states_nothing() -> None:
    found = look(PASSAGES, Says("failure")).of([OSLO])[OSLO]
    assert (found.failed, found.is_stated(), found.named[TITLED]) == (1, False, 1)


def test_cited_passages_are_judged_alone() -> None:
    found = look(PASSAGES)
    assert found.states(OSLO, ["p0", "p3"])
    assert not found.states(OSLO, ["p3"])
    assert not found.states(OSLO, [])


def test_an_edge_is_looked_up_once() -> None:
    judge = Says()
    found = look(PASSAGES, judge)
    found.of([OSLO, OSLO])
    found.of([OSLO])
    assert judge.asked == ["p0"]


WORD = st.sampled_from(("Norway", "Oslo", "Sweden", "and", "so"))


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(("Norway", "Oslo", "Elsewhere", "")),
            st.lists(st.tuples(WORD, st.integers(0, 120)), max_size=6),
        ),
        max_size=4,
    )
)
def test_windows_are_what_counting_words_gives(
    drawn: list[tuple[str, list[tuple[str, int]]]],
) -> None:
    """Each drawn word is followed by so many words that mean nothing."""
    passages = []
    for number, (title, parts) in enumerate(drawn):
        words = [w for word, gap in parts for w in (word, *["blah"] * gap)]
        passages.append(Passage(f"p{number}", " ".join(words), title))
    judge = Says()
    support = look(passages, judge).of([OSLO])[OSLO]
    wanted = dict.fromkeys(WINDOWS, 0)
    for passage in passages:
        words = passage.text.split()
        spans = [
            abs(i - j) + 1
            for i, one in enumerate(words)
            for j, other in enumerate(words)
            if (one, other) == ("Norway", "Oslo")
        ]
        for window, most in zip(WINDOWS, WORDS, strict=False):
            wanted[window] += any(span <= most for span in spans)
        wanted[TEXT] += bool(spans)
        everything = {*words, passage.title}
        wanted[TITLED] += {"Norway", "Oslo"} <= everything
    assert support.named == support.stating == wanted
    assert len(judge.asked) == wanted[TITLED]
