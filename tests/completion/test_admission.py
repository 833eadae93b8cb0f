"""Which edges are admitted, and what is said of the others."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgverify.completion import admission
from kgverify.completion.admission import Admission, Admitted, Conflicts, Rejected, decide
from kgverify.completion.breakpoints import Breakpoint, CandidateEdge, Edge, Source, merged
from kgverify.completion.choosing import Choice
from kgverify.completion.policy import CAREFUL, PAPER, Policy, configured
from kgverify.errors import EvidenceError, LimitReached
from kgverify.evidence.findings import Finding
from kgverify.evidence.judging import Judgement
from kgverify.evidence.passages import Passage
from tests.completion.oracle import Edges
from tests.completion.proposed import candidate, candidates, edge, policies

REFERENCE = settings(max_examples=300, deadline=None)
LAW = settings(max_examples=120, deadline=None)
Found = dict[str, list[str] | str]


def outcome(found: Admission) -> Found:
    """By edge: the passages that it is admitted with, or why it is not."""
    said: Found = {str(one.edge): " ".join(one.weighed.passages) for one in found.admitted}
    for one in found.rejected:
        said[str(one.edge)] = [reason.text for reason in one.reasons]
    return said


def codes(found: Admission) -> dict[Edge, set[str]]:
    return {one.edge: {reason.code for reason in one.reasons} for one in found.rejected}


def admitted(found: Admission) -> set[Edge]:
    return {one.edge for one in found.admitted}


def against(*pairs: tuple[str, str]) -> Conflicts:
    return Conflicts(together=frozenset(frozenset(map(edge, pair)) for pair in pairs))


CASES = [
    ("p1:E", "p1", None),
    ("p1:e", None, "no passage that says so names both its ends"),
    ("p1:e p2:U", None, "no passage that says so names both its ends"),
    ("", None, "no passage was read for it"),
    ("p1:U p2:U p3:U", None, "passages leave it UNCERTAIN"),
    ("p1:E p2:U", "p1", None),
    ("p1:E p2:N", None, "passages disagree: 1 passage (p1) for it, 1 passage (p2) against it"),
    ("p1:E p2:F", None, "the judge failed: no label can be read (passage p2)"),
    ("p1:F", None, "the judge failed: no label can be read (passage p1)"),
]


@pytest.mark.parametrize(("sources", "passages", "why"), CASES)
def test_the_careful_policy_abstains(sources: str, passages: str | None, why: str | None) -> None:
    found = outcome(decide([candidate("s r o", sources)], CAREFUL))
    assert found == {"r(s, o)": passages if why is None else [why]}


def test_the_careful_policy_tells_all_reasons() -> None:
    found = decide([candidate("s r o", "p1:n p2:F")], CAREFUL)
    assert outcome(found)["r(s, o)"] == [
        "the judge failed: no label can be read (passage p2)",
        "no passage that says so names both its ends",
        "the judge says NOT_ENTAILED",
        "final 0 < 0.5",
    ]


def test_the_paper_s_policy_goes_by_the_score() -> None:
    sources = ["p1:e", "p1:E p2:N", "p1:U", "p1:F", "", "p1:u", "p1:E p2:F"]
    asked = [candidate(f"s{n} r o", text) for n, text in enumerate(sources)]
    assert outcome(decide(asked, PAPER)) == {
        "r(s0, o)": "",
        "r(s1, o)": "p1 p2",
        "r(s2, o)": "p1",
        "r(s3, o)": ["the judge failed: no label can be read (passage p1)"],
        "r(s4, o)": ["no passage was read for it"],
        "r(s5, o)": ["final 0.39 < 0.5"],
        "r(s6, o)": "p1 p2",
    }


def test_uncertain_is_admitted_if_asked() -> None:
    asked = [candidate("s r o", "p1:U p2:U:2"), candidate("t r o", "p1:N")]
    policy = configured("careful", {"weakest": "UNCERTAIN"})
    assert admitted(decide(asked, policy)) == {edge("s r o")}


def test_copies_are_one_source_and_so_are_parts_of_an_article() -> None:
    asked = [candidate("s r o", "p1:E:7:A p2:E:7:B p3:E:8:B p4:E:9")]
    for policy, sources in ((CAREFUL, 3), (PAPER, 3), (replace(PAPER, count="origins"), 3)):
        (one,) = decide(asked, policy).admitted
        assert one.weighed.sources == sources
    # p1 and p2 are copies, p2 and p3 are of one article.
    (one,) = decide([candidate("s r o", "p1:E:7:A p2:E:7:A p3:E:8:A")], PAPER).admitted
    assert one.weighed.sources == 1
    (one,) = decide([candidate("s r o", "p1:E:7:A p2:E:7:B")], PAPER).admitted
    assert one.weighed.sources == 2
    (one,) = decide([candidate("s r o", "p1:E:7:A p2:E:7:B")], CAREFUL).admitted
    assert (one.weighed.sources, one.weighed.passages) == (1, ("p1", "p2"))
    with pytest.raises(ValueError, match="p1 comes from two sources"):
        decide([candidate("s r o", "p1:E:7"), candidate("s r p", "p1:E:8")], CAREFUL)


def test_an_admitted_edge_carries_what_it_rests_on() -> None:
    (one,) = decide([candidate("s r o", "p2:E:1 p1:E:2 p3:U:3")], CAREFUL, round=2).admitted
    assert one.round == 2
    weighed = one.weighed
    assert (weighed.verdict, weighed.final, weighed.sources) == ("ENTAILED", Fraction(53, 60), 2)
    assert weighed.passages == ("p1", "p2")
    (other,) = decide([candidate("s r o", "p2:N")], CAREFUL, round=1).rejected
    assert (other.round, other.weighed.final) == (1, Fraction(7, 60))


def test_what_the_graph_excludes() -> None:
    asked = [candidate(f"s r {name}", "p1:E") for name in "xyz"]
    conflicts = Conflicts(
        {edge("s r x"): ("r(s, w) [kg.tsv:3]", "w and x are different"), edge("s r y"): ()},
        unknown={edge("s r z"): ("z",)},
    )
    for policy in (CAREFUL, PAPER):
        assert outcome(decide(asked, policy, conflicts)) == {
            "r(s, x)": ["it conflicts with r(s, w) [kg.tsv:3]; w and x are different"],
            "r(s, y)": ["the graph excludes it"],
            "r(s, z)": ["nobody knows z"],
        }


def test_the_better_of_two_objects_needs_a_margin() -> None:
    one, two = candidate("s r x", "p1:E"), candidate("s r y", "p1:E p2:E p3:U")
    pair = against(("s r x", "s r y"))
    lead = Fraction(7, 60)
    for margin, ours in (("0", True), (lead, True), (lead + Fraction(1, 1000), False)):
        policy = configured("careful", {"margin": margin})
        found = decide([one, two], policy, pair)
        assert admitted(found) == ({edge("s r y")} if ours else set())
    assert codes(found) == {edge("s r x"): {"near"}, edge("s r y"): {"near"}}
    assert outcome(found)["r(s, y)"] == [
        "final 53/60 (about 0.883333) does not lead by 353/3000 (about 0.117667) over r(s, x) "
        "with 23/30 (about 0.766667)"
    ]


def test_margins_are_between_values_of_one_place() -> None:
    sources = "p1:E"
    for other, contested in (("s r y", True), ("t r x", True), ("x r s", False), ("s q x", False)):
        asked = [candidate("s r x", sources), candidate(other, sources)]
        found = decide(asked, CAREFUL, against(("s r x", other)))
        assert len(found.admitted) == (0 if contested else 1)
        assert {code for said in codes(found).values() for code in said} == (
            {"near"} if contested else {"rival"}
        )
        # What nothing excludes stands beside the other.
        assert len(decide(asked, CAREFUL).admitted) == 2
    # Equals without a margin: the first in order.
    asked = [candidate(f"s r {name}", sources) for name in "yx"]
    found = decide(asked, PAPER, against(("s r x", "s r y")))
    assert outcome(found) == {
        "r(s, x)": "p1",
        "r(s, y)": ["r(s, x) is added, and the two can't both hold"],
    }


def test_three_that_cant_all_hold() -> None:
    asked = [candidate(f"{name} r o", "p1:E") for name in "abc"]
    clash = Conflicts(together=frozenset({frozenset(one.edge for one in asked)}))
    text = ["r(a, o), r(b, o) are added, and with them it can't hold"]
    assert outcome(decide(asked, CAREFUL, clash))["r(c, o)"] == text
    # Found only when it is checked.
    calls = []

    def check(edges: Collection[Edge]) -> frozenset[Edge] | None:
        calls.append(set(edges))
        return frozenset(edges) if len(edges) > 2 else None

    assert outcome(decide(asked, CAREFUL, check=check))["r(c, o)"] == text
    assert [len(call) for call in calls] == [3, 2]
    alone = decide(asked[:1], CAREFUL, check=lambda edges: frozenset(edges) or None)
    assert outcome(alone) == {"r(a, o)": ["it can't hold beside the graph"]}
    for wrong in (frozenset[Edge](), frozenset({edge("x r o")})):
        with pytest.raises(ValueError):
            decide(asked, CAREFUL, check=lambda edges, wrong=wrong: wrong)  # type: ignore[misc]
    with pytest.raises(LimitReached):
        decide(asked, CAREFUL, check=check, seconds=-1)


def test_what_was_not_proved_in_time_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    some = Choice(frozenset({0}), False)
    monkeypatch.setattr(admission, "choose", lambda scores, clashes, seconds: some)
    asked = [candidate(f"{name} r o", "p1:E") for name in "abc"]
    found = decide(asked, PAPER, against(("a r o", "b r o")))
    assert not found.proven
    assert codes(found) == {edge("b r o"): {"rival"}, edge("c r o"): {"time"}}


def test_findings_become_sources() -> None:
    passage, judged = Passage("p1", "text", "Title"), Judgement("ENTAILED", 0.5)
    assert Source.of(Finding(passage, 3, judged, True, True)) == Source("p1", 3, judged, "Title")
    for names in ((True, False), (False, True)):
        assert not Source.of(Finding(passage, 3, judged, *names)).names_both
    one = candidate("s r o", "p1:E")
    assert (str(one.breakpoint), str(one.edge)) == ("r(s, ?)", "r(s, o)")
    assert one.breakpoint == Breakpoint("s", "r")


def test_proposals_of_one_edge_are_put_together() -> None:
    found = merged(
        [candidate("b r o", "p1:E p2:U"), candidate("a r o"), candidate("b r o", "p1:E")]
    )
    assert found == [candidate("a r o"), candidate("b r o", "p1:E p2:U")]
    with pytest.raises(ValueError, match=r"p1 was read twice for r\(b, o\)"):
        merged([candidate("b r o", "p1:E"), candidate("b r o", "p1:U")])


# ---------------------------------------------------------------- laws


@st.composite
def excluded(draw: st.DrawFn, asked: list[CandidateEdge]) -> Conflicts:
    """Some of the edges are refuted; some pairs, and a set of three, exclude each other."""
    edges = sorted({one.edge for one in asked})
    pairs = [frozenset(pair) for pair in combinations(edges, 2)]
    chosen = draw(st.sets(st.sampled_from(pairs), max_size=8)) if pairs else set()
    threes = [frozenset(three) for three in combinations(edges, 3)]
    if threes:
        chosen |= draw(st.sets(st.sampled_from(threes), max_size=1))
    refuted = draw(st.sets(st.sampled_from(edges), max_size=1)) if edges else set()
    return Conflicts(dict.fromkeys(refuted, ("a fact",)), frozenset(chosen))


@st.composite
def situations(draw: st.DrawFn) -> tuple[list[CandidateEdge], Policy, Conflicts]:
    asked = draw(candidates())
    return asked, draw(policies()), draw(excluded(asked))


Situation = tuple[list[CandidateEdge], Policy, Conflicts]


@REFERENCE
@given(situations())
def test_each_edge_alone_is_as_plain_python_says(situation: Situation) -> None:
    asked, policy, conflicts = situation
    plain = Edges(asked, policy)
    rivals: dict[Edge, list[Edge]] = {}
    for clash in conflicts.together:
        if len(clash) == 2:
            one, other = sorted(clash)
            ends = (one.subject == other.subject) or (one.object == other.object)
            if one.relation == other.relation and ends:
                rivals.setdefault(one, []).append(other)
                rivals.setdefault(other, []).append(one)
    found = decide(asked, policy, conflicts)
    assert found.proven
    barred = {one: plain.barred(one, conflicts.refuted, rivals) for one in plain.read}
    said = codes(found)
    assert {one: codes_ for one, codes_ in barred.items() if codes_} == {
        one: codes_ for one, codes_ in said.items() if codes_ != {"rival"}
    }
    for one in (*found.admitted, *found.rejected):
        assert one.weighed.final == plain.final(one.edge)
        assert one.weighed.verdict == plain.verdict(one.edge)
        assert one.weighed.sources == len(plain.sources(one.edge))
    # What is admitted together is the best of all choices of what nothing bars.
    free = sorted(one for one, codes_ in barred.items() if not codes_)
    choices = [
        frozenset(chosen)
        for size in range(len(free) + 1)
        for chosen in combinations(free, size)
        if not any(clash <= frozenset(chosen) for clash in conflicts.together)
    ]

    def value(chosen: frozenset[Edge]) -> tuple[Fraction, int, list[bool]]:
        total = sum((plain.final(one) or Fraction(0) for one in chosen), Fraction(0))
        return total, len(chosen), [one in chosen for one in free]

    assert admitted(found) == max(choices, key=value)


@LAW
@given(situations(), st.randoms(use_true_random=False))
def test_order_and_repetition_change_nothing(situation: Situation, random: object) -> None:
    asked, policy, conflicts = situation
    mixed = [*asked, *asked[:2]]
    random.shuffle(mixed)  # type: ignore[attr-defined]
    turned = [CandidateEdge(one.edge, one.sources[::-1]) for one in mixed]
    assert decide(turned, policy, conflicts) == decide(asked, policy, conflicts)


def higher(policy: Policy, tau: Fraction) -> Policy | None:
    """The policy with a threshold that is not lower; None where that contradicts the rest."""
    try:
        return replace(policy, tau=max(tau, policy.tau))
    except EvidenceError:
        return None


TAUS = st.sampled_from([Fraction(n, 60) for n in range(1, 61)])


@LAW
@given(situations(), TAUS)
def test_raising_the_threshold_never_admits_more(situation: Situation, tau: Fraction) -> None:
    asked, policy, conflicts = situation
    above = higher(policy, tau)
    if above is None:
        return
    low, high = (decide(asked, one, conflicts) for one in (policy, above))

    def free(found: Admission) -> set[Edge]:
        """What nothing bars before the joint choice."""
        excluded = {one for one, said in codes(found).items() if said == {"rival"}}
        return admitted(found) | excluded

    assert free(high) <= free(low)
    # The choice may then fall on other edges, but never on a better sum.
    totals = [sum(one.weighed.final or 0 for one in found.admitted) for found in (low, high)]
    assert totals[1] <= totals[0]
    # Where only pairs of one place exclude each other, each place loses its edge or keeps it.
    places = frozenset(
        frozenset((one, other))
        for one, other in combinations(sorted({one.edge for one in asked}), 2)
        if (one.subject, one.relation) == (other.subject, other.relation)
    )
    single = Conflicts(conflicts.refuted, places)
    low, high = (decide(asked, one, single) for one in (policy, above))
    assert admitted(high) <= admitted(low)


def test_a_higher_threshold_may_choose_another_edge() -> None:
    # a and c together are better than b; at a threshold that only b reaches, b is chosen.
    asked = [candidate("a r o", "p1:U"), candidate("b q o", "p1:E"), candidate("c r o", "p1:U")]
    pairs = against(("a r o", "b q o"), ("b q o", "c r o"))
    assert admitted(decide(asked, PAPER, pairs)) == {edge("a r o"), edge("c r o")}
    strict = configured("paper", {"tau": "0.6"})
    assert admitted(decide(asked, strict, pairs)) == {edge("b q o")}


@LAW
@given(situations())
def test_no_two_edges_in_conflict_are_admitted(situation: Situation) -> None:
    asked, policy, conflicts = situation
    found = admitted(decide(asked, policy, conflicts))
    assert not any(clash <= found for clash in conflicts.together)
    assert not found & conflicts.refuted.keys()


@LAW
@given(candidates())
def test_the_careful_policy_admits_nothing_that_is_not_stated(asked: list[CandidateEdge]) -> None:
    for one in decide(asked, CAREFUL).admitted:
        read = [s for each in asked if each.edge == one.edge for s in each.sources]
        labels = {s.answer.label for s in read if isinstance(s.answer, Judgement)}
        assert len(read) == sum(isinstance(s.answer, Judgement) for s in read)
        assert "ENTAILED" in labels
        assert "NOT_ENTAILED" not in labels
        assert one.weighed.passages
        stating = {s.passage for s in read if s.names_both}
        assert stating >= set(one.weighed.passages)


def test_only_edges_that_are_admitted_are_named_as_rivals() -> None:
    asked = [
        candidate("s r x", "p1:E"),
        candidate("s r y", "p1:E p2:E p3:E"),
        candidate("s r z", "p1:E"),
    ]
    every = against(("s r x", "s r y"), ("s r x", "s r z"), ("s r y", "s r z"))
    found = decide(asked, PAPER, every)
    assert outcome(found) == {
        "r(s, x)": ["r(s, y) is added, and the two can't both hold"],
        "r(s, y)": "p1 p2 p3",
        "r(s, z)": ["r(s, y) is added, and the two can't both hold"],
    }


def test_no_more_time_is_taken_than_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    given_: list[float] = []

    def chosen(scores: object, clashes: object, seconds: float) -> Choice:
        given_.append(seconds)
        return Choice(frozenset(), True)

    monkeypatch.setattr(admission, "choose", chosen)
    decide([candidate("s r x", "p1:E")], CAREFUL, seconds=5)
    assert all(0 < seconds <= 5 for seconds in given_)


def test_the_first_round_is_number_0() -> None:
    found = decide([candidate("s r x", "p1:E"), candidate("s r y")], CAREFUL)
    assert [one.round for one in (*found.admitted, *found.rejected)] == [0, 0]
    assert Admitted(found.admitted[0].weighed).round == 0
    assert Rejected(found.rejected[0].weighed, ()).round == 0
    assert Admission((), ()).proven
