"""Verdicts that rest on edges which were admitted from text."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec import structs

from kgverify import EvidenceError, QuestionError, Verifier, explain, verify
from kgverify.believing import Completed
from kgverify.completing import TextCompleter
from kgverify.completion.breakpoints import Breakpoint
from kgverify.completion.policy import PAPER
from kgverify.errors import LimitReached, ModelError, Problem
from kgverify.evidence.bm25 import Bm25
from kgverify.evidence.corpus import Corpus
from kgverify.evidence.judging import Claim, Failure, Judgement
from kgverify.evidence.passages import Passage
from kgverify.evidence.rule_judge import RuleJudge
from kgverify.language.checks import load_rules_text
from kgverify.report.trace import trace
from kgverify.verdicts import Verdict
from kgverify.vocabulary import AdmittedEdge, Candidate, Explanation, Question
from tests.admitting import Fixed, admitted
from tests.reasoning.small import graph
from tests.reasoning.tampering import changed, faults

RULES = """
class Drug, Illness, Effect
relation treats (Drug, Illness)
relation causes (Drug, Effect)
relation form_of (Illness, Illness)
relation unsafe_in (Drug, Illness)
relation leads (Drug, Drug) functional at a time
relation weighs (Drug, integer)
rule general: treats(X, E) :- treats(X, D), form_of(D, E).
not treats(X, D) :- unsafe_in(X, D).
soft 0.5 causes(X, S) :- treats(X, _), causes(_, S).
question good(d: Illness, s: Effect)
    "Which drugs treat {d} without {s}?"
    answer x : Drug
    require treats(x, d)
    exclude causes(x, s)
question path(d: Illness)
    "Which drugs treat a form of {d}?"
    answer x : Drug
    require treats/form_of(x, d)
question back(x: Effect)
    "Which illnesses go with {x}?"
    answer i : Illness
    require ^treats/causes(i, x)
question either(d: Illness, s: Effect)
    "Which drugs do one of them?"
    answer x : Drug
    require any of { treats(x, d), causes(x, s) }
question heads(d: Drug)
    "Which drugs lead {d}?"
    answer x : Drug
    require leads(x, d)
    prefer weighs(x, 3)
"""
FACTS = """
ibu type Drug
asa type Drug
pain type Illness
ache type Illness
ulcer type Effect
ache form_of pain
asa treats pain
"""
BOOK, KG = load_rules_text(RULES), graph(FACTS)
GOOD = Question("q", "good", {"d": "pain", "s": "ulcer"}, (Candidate("ibu"), Candidate("asa")))


def ask(question: Question, *edges: str, **options: object) -> dict[str, Verdict]:
    """The verdicts with these edges admitted, as `subject relation object`."""
    keys = [("e" + s, r, "e" + o) for s, r, o in map(str.split, edges)]
    found = verify(question, KG, BOOK, policy="rank", completer=Fixed(keys), **options)  # type: ignore[arg-type]
    return {verdict.candidate: verdict for verdict in found}


def asked_for(question: Question) -> set[str]:
    completer = Fixed([])
    verify(question, KG, BOOK, completer=completer)
    return set(map(str, completer.asked))


def told(verdict: Verdict) -> list[tuple[str, str, str]]:
    return [(c.id, c.status, c.basis) for c in verdict.constraints]


def test_where_questions_stop() -> None:
    assert asked_for(GOOD) == {
        *("treats(ibu, ?)", "causes(ibu, ?)", "unsafe_in(ibu, ?)"),
        *("causes(asa, ?)",),
    }
    one = (Candidate("ibu"),)
    # What alone would close the path: the last step is there.
    assert "treats(ibu, ?)" in asked_for(Question("q", "path", {"d": "pain"}, one))
    # A step that is read backwards is an edge from its other end, here one of a known drug.
    back = asked_for(Question("q", "back", {"x": "ulcer"}, (Candidate("pain"),)))
    assert "causes(asa, ?)" in back
    # Nobody knows when an admitted edge holds, and values aren't searched for.
    assert asked_for(Question("q", "heads", {"d": "asa"}, one)) == set()
    # A name that nobody knows has no edges that could be missing.
    assert asked_for(structs.replace(GOOD, candidates=(Candidate("xyz"),))) == set()


def test_an_admitted_edge_makes_sat_and_viol() -> None:
    found = ask(GOOD, "ibu treats pain", "asa causes ulcer")
    ibu, asa = found["ibu"], found["asa"]
    assert (ibu.verdict, ibu.basis, asa.verdict, asa.basis) == ("unk", "", "viol", "admitted")
    assert told(ibu) == [
        ("answer", "sat", "asserted"),
        ("c1", "sat", "admitted"),
        ("c2", "unk", ""),
    ]
    assert told(asa)[1:] == [("c1", "sat", "asserted"), ("c2", "viol", "admitted")]
    (edge,) = ibu.constraints[1].admitted
    assert (edge.text, edge.cited, edge.round) == ("treats(ibu, pain)", ("p1",), 0)
    assert ibu.constraints[1].because == ("treats(ibu, pain) [admitted from p1]",)
    assert ibu.pins.admitted == "fixed"
    assert ibu.to_dict()["constraints"][1]["admitted"][0]["quotes"][0]["text"] == "so it is"


def test_what_follows_from_an_admitted_edge_is_admitted() -> None:
    ibu = ask(GOOD, "ibu treats ache")["ibu"]
    assert told(ibu)[1] == ("c1", "sat", "admitted")
    assert [edge.text for edge in ibu.constraints[1].admitted] == ["treats(ibu, ache)"]
    path = ask(Question("q", "path", {"d": "pain"}, (Candidate("ibu"),)), "ibu treats ache")["ibu"]
    assert (path.verdict, path.basis) == ("sat", "admitted")


def test_the_graph_decides_before_admitted_edges() -> None:
    """One member of the group is stated, the other one admitted."""
    question = structs.replace(GOOD, question="either")
    asa = ask(question, "asa causes ulcer")["asa"]
    assert (asa.verdict, asa.basis, asa.admitted) == ("sat", "asserted", frozenset())
    ibu = ask(question, "ibu causes ulcer")["ibu"]
    assert (ibu.verdict, ibu.basis) == ("sat", "admitted")
    assert "admitted" not in ibu.to_dict()["constraints"][0]


def test_an_edge_for_one_candidate_is_not_believed_for_another() -> None:
    found = ask(
        Question("q", "back", {"x": "ulcer"}, (Candidate("pain"), Candidate("ache"))),
        "asa causes ulcer",
        "asa treats ache",
    )
    assert (found["pain"].verdict, found["pain"].basis) == ("sat", "admitted")


def test_what_contradicts_the_graph_is_not_believed() -> None:
    """Nothing speaks against the edge itself, and with a rule it refutes what the graph states."""
    rule = "relation forbids (Illness, Effect)\nnot treats(X, D) :- causes(X, S), forbids(D, S)."
    book = load_rules_text(RULES + rule)
    kg = graph(FACTS + "pain forbids rash\nrash type Effect\n")
    question = structs.replace(GOOD, candidates=(Candidate("asa"),))
    both = Fixed([("easa", "causes", "erash"), ("easa", "causes", "eulcer")])
    (((verdict,), problems),) = Verifier(kg, book, completer=both).verify([question])
    assert (verdict.verdict, verdict.admitted) == ("unk", frozenset())
    assert [problem.code for problem in problems] == ["admitted-contradiction"]
    assert "causes(asa, rash)" in problems[0].message
    assert problems[0].message.endswith("would contradict what is known")
    assert verdict.to_dict() == verify(question, kg, book)[0].to_dict()
    one = Fixed([("easa", "causes", "eulcer")])
    (found,) = verify(question, kg, book, completer=one)
    assert (found.verdict, found.basis) == ("viol", "admitted")


def test_soft_rules_are_weaker() -> None:
    question = structs.replace(GOOD, candidates=(Candidate("ibu"), Candidate("asa")))
    kg = graph(FACTS + "other causes ulcer\nasa treats ache\n")
    completer = Fixed([("eibu", "treats", "epain")])
    found = verify(question, kg, BOOK, policy="rank", completer=completer, infer_from="0.4")
    asa = next(v for v in found if v.candidate == "asa")
    ibu = next(v for v in found if v.candidate == "ibu")
    assert told(asa)[1:] == [("c1", "sat", "asserted"), ("c2", "viol", "inferred")]
    # Soft rules don't look at admitted edges.
    assert told(ibu)[1:] == [("c1", "sat", "admitted"), ("c2", "unk", "")]


def test_sat_of_the_graph_ranks_before_admitted() -> None:
    question = Question("q", "either", GOOD.arguments, GOOD.candidates)
    found = ask(question, "ibu treats pain")
    assert [(v.candidate, v.basis) for v in found.values()] == [
        ("asa", "asserted"),
        ("ibu", "admitted"),
    ]


def explanation() -> Explanation:
    completer = Fixed([("eibu", "treats", "epain")])
    return explain(GOOD, "ibu", KG, BOOK, completer=completer)


def test_proofs_replay_and_tampering_is_seen() -> None:
    found = explanation()
    assert faults(found, KG, BOOK) == []
    (edge,) = found.admitted
    untold = "`treats(ibu, pain)` is admitted without saying from what"
    assert untold in faults(structs.replace(found, admitted=()), KG, BOOK)
    bare = structs.replace(edge, quotes=())
    assert untold in faults(structs.replace(found, admitted=(bare,)), KG, BOOK)
    as_fact = changed(found, lambda c: structs.replace(c, kind="fact"))
    assert "the graph has no such fact: treats(ibu, pain)" in faults(as_fact, KG, BOOK)
    first, second, *rest = found.constraints
    asserted = structs.replace(second.constraint, basis="asserted")
    hidden = structs.replace(
        found, constraints=(first, structs.replace(second, constraint=asserted), *rest)
    )
    said = "`treats(x, pain)` rests on admitted edges, and its basis is `asserted`"
    assert said in faults(hidden, KG, BOOK)
    denying = graph(FACTS + "not ibu treats pain\n")
    assert "there is evidence against it: treats(ibu, pain)" in faults(found, denying, BOOK)
    stating = graph(FACTS + "ibu treats pain\n")
    assert any("the graph states it" in fault for fault in faults(found, stating, BOOK))


def test_traces_name_admitted_edges() -> None:
    steps = trace(explanation())["inferences"]
    assert {"admitted from text (admitted from p1)"} <= {step["ruleName"] for step in steps}


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(QuestionError, match="an admitted edge holds in some only"):
        Verifier(KG, BOOK, exact=True, completer=Fixed([]))
    with pytest.raises(EvidenceError, match="doesn't have both of its ends"):
        ask(GOOD, "ibu treats nothing")


def test_a_stated_edge_is_not_admitted_again() -> None:
    class Stating(Fixed):
        def complete(self, missing: Sequence[Breakpoint]) -> Completed:
            return Completed(tuple(self.told(place) for place in missing))

        def told(self, place: Breakpoint) -> AdmittedEdge:
            return admitted("asa", "treats", "pain")

    found = verify(GOOD, KG, BOOK, policy="rank", completer=Stating([]))
    assert [v.to_dict() for v in found] == [
        v.to_dict() for v in verify(GOOD, KG, BOOK, policy="rank")
    ]


CITIES = load_rules_text("""
class Country, City
relation capital (Country, City) functional, inverse functional
    "the capital of {0} is {1}"
    phrases "{1} is the capital of {0}"
relation twin (City, Country) functional, inverse functional
    "{0} is the twin of {1}"
    phrases "{0} is the twin of {1}"
disjoint capital, twin
question both(c: Country)
    "Which city?"
    answer x : City
    require capital(c, x)
""")
NORDIC = graph("no type Country\nse type Country\noslo type City\nbergen type City\n")
PASSAGES = (
    Passage("a", "oslo is the capital of no.", "Atlas"),
    Passage("b", "oslo is the capital of se.", "Gazette"),
    Passage("c", "oslo is the capital of se.", "Register"),
)


def completer(
    judge: RuleJudge | None = None, passages: Sequence[Passage] = PASSAGES
) -> TextCompleter:
    corpus = Corpus.of(passages)
    return TextCompleter(NORDIC, CITIES, corpus, Bm25(corpus), judge or RuleJudge(), PAPER)


def test_edges_for_several_missing_ones_hold_together() -> None:
    """Each alone is admitted; together the better one is."""
    norway, sweden = Breakpoint("no", "capital"), Breakpoint("se", "capital")
    by = completer()
    assert [edge.subject for edge in by.complete([norway]).edges] == ["no"]
    assert [edge.subject for edge in by.complete([sweden]).edges] == ["se"]
    assert [edge.subject for edge in by.complete([norway, sweden]).edges] == ["se"]
    assert by.complete([sweden, norway]) == completer().complete([norway, sweden])


def test_a_judge_that_stops_admits_nothing() -> None:
    class Silent(RuleJudge):
        def judge(self, pairs: Sequence[tuple[Passage, Claim]]) -> list[Judgement | Failure]:
            raise ModelError(Problem("model", "nobody answers"))

    found = completer(Silent()).complete([Breakpoint("no", "capital")])
    assert found.edges == ()
    (problem,) = found.problems
    assert "capital(no, ?) was given up: the judge stopped: nobody answers" in problem.message
    assert not problem.is_error


def test_a_limit_admits_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: object, **__: object) -> None:
        raise LimitReached(Problem("budget", "the time is over"))

    by = completer()
    monkeypatch.setattr("kgverify.completing.search", late)
    found = by.complete([Breakpoint("no", "capital")])
    assert (found.edges, [p.code for p in found.problems]) == ((), ["budget"])
    by = completer()
    monkeypatch.undo()
    monkeypatch.setattr("kgverify.completing.decide", late)
    found = by.complete([Breakpoint("no", "capital"), Breakpoint("se", "capital")])
    assert (found.edges, [p.message for p in found.problems]) == ((), ["the time is over"])


def test_a_question_is_answered_from_text() -> None:
    question = Question("q", "both", {"c": "no"}, (Candidate("oslo"), Candidate("bergen")))
    found = verify(question, NORDIC, CITIES, policy="rank", completer=completer())
    assert [(v.candidate, v.verdict, v.basis) for v in found] == [
        ("oslo", "sat", "admitted"),
        ("bergen", "viol", "admitted"),
    ]
