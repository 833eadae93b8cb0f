"""What passages say together: by the encoding, against plain Python; and what it changes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from fractions import Fraction

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import kgverify
from kgverify import Candidate, Graph, Question
from kgverify.errors import Problem
from kgverify.evidence.findings import Finding, Findings, Statement
from kgverify.evidence.judging import LABELS, Failure, Judgement
from kgverify.evidence.passages import Extent, Passage
from kgverify.reasoning.texts import Said, millionths, say
from kgverify.testing import World, worlds
from kgverify.verification import Verifier

FAILED = Failure(Problem("judge-reply", "the judge said something else"), raw="maybe")

answers = st.one_of(
    st.builds(Judgement, st.sampled_from(LABELS), st.integers(0, 10).map(lambda n: n / 10)),
    st.just(FAILED),
)
# Eight passages; what is said of one, and where it comes from, is drawn anew for each reading, but
# a passage has one origin.
read = st.lists(
    st.tuples(st.integers(0, 7), answers, st.booleans(), st.booleans()),
    max_size=5,
    unique_by=lambda one: one[0],
)


def finding(number: int, answer: Judgement | Failure, subject: bool, object_: bool) -> Finding:
    return Finding(Passage(f"p{number}", "…"), number // 2, answer, subject, object_)


def said_by_hand(found: Findings) -> Said:
    """The definition, in plain Python."""
    judged = [(f, f.answer) for f in found.found if isinstance(f.answer, Judgement)]
    labels = {answer.label for _, answer in judged}
    if not judged:
        return Said(found)
    disagree = {"ENTAILED", "NOT_ENTAILED"} <= labels
    label = next(
        one
        for one in ("ENTAILED", "NOT_ENTAILED", "UNCERTAIN")
        if (one in labels and not disagree) or one == "UNCERTAIN"
    )
    scores = [millionths(answer.score) for _, answer in judged if answer.label == label]
    return Said(
        found,
        label,
        Fraction(max(scores, default=0), 10**6),
        disagree,
        len({f.origin for f, answer in judged if answer.label == "ENTAILED"}),
        len({f.origin for f, _ in judged if f.names_subject and f.names_object}),
    )


@settings(max_examples=300, deadline=None)
@given(st.lists(read, max_size=4))
def test_the_encoding_says_what_plain_python_says(drawn: list[list]) -> None:
    # Names are of the passage: whoever reads it, it names the same things.
    names = {n: (s, o) for one in drawn for n, _, s, o in one}
    findings = [
        Findings("…", tuple(finding(n, answer, *names[n]) for n, answer, _, _ in one))
        for one in drawn
    ]
    statements = [Statement("r", "ea", "eb")] * len(findings)
    assert say(statements, findings) == tuple(map(said_by_hand, findings))


@settings(max_examples=200, deadline=None)
@given(read, st.randoms())
def test_the_order_of_passages_changes_nothing_but_the_order_of_quotes(drawn, random) -> None:
    found = [finding(*one) for one in drawn]
    mixed = random.sample(found, len(found))
    one, other = (
        say([Statement("r", "ea", "eb")], [Findings("…", tuple(x))])[0] for x in (found, mixed)
    )
    assert (one.label, one.score, one.disagree, one.sources, one.together) == (
        (other.label, other.score, other.disagree, other.sources, other.together)
    )


def test_a_failure_is_no_label() -> None:
    (said,) = say([Statement("r", "ea", "eb")], [Findings("…", (finding(0, FAILED, True, True),))])
    assert said == Said(said.findings, None, Fraction(0), disagree=False, sources=0, together=0)


class Chance:
    """A reader whose answers hang on the statement alone, and say anything."""

    name = "by chance"

    def __init__(self) -> None:
        self.asked: list[Statement] = []

    def read(self, asked: Sequence[Statement]) -> list[Findings]:
        self.asked += asked
        return [self._findings(statement) for statement in asked]

    def _findings(self, statement: Statement) -> Findings:
        digest = hashlib.sha256(repr(statement).encode()).digest()
        given = [
            finding(n, Judgement(LABELS[byte % 3], byte / 255), byte > 99, byte > 150)
            if byte % 4
            else finding(n, FAILED, True, True)
            for n, byte in enumerate(digest[: digest[9] % 4])
        ]
        return Findings(str(statement), tuple(given))


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(worlds(size=8))
def test_passages_change_no_verdict(world: World) -> None:
    reader = Chance()
    plain, read = (
        [
            verdict
            for found, _ in Verifier(world.graph, world.book, "rank", reader=one).verify(
                world.asked
            )
            for verdict in found
        ]
        for one in (None, reader)
    )
    own = {(v.question, v.candidate): v for v in plain}
    assert len(reader.asked) == len(set(reader.asked))
    for verdict in read:
        other = own.pop((verdict.question, verdict.candidate))
        assert verdict.verdict == other.verdict
        assert verdict.statuses == other.statuses
        assert (verdict.support, verdict.basis, verdict.kept) == (
            (other.support, other.basis, other.kept)
        )
    assert not own
    for verdict in read[:1]:  # what is open is told with what was read about it
        for constraint in verdict.constraints:
            assert constraint.texts == () or constraint.status == "unk"
        json.dumps(verdict.to_dict())


RULES = """
class Drug, Disease
relation treats (Drug, Disease) "{0} treats {1}"
relation worsens (Drug, Disease) "{0} makes {1} worse"
question for_it(d: Disease)
    "What treats {d}?"
    answer x : Drug
    require treats(x, d)
    exclude worsens(x, d)
"""
GRAPH = [
    ("ea", "rdf:type", "eDrug"),
    ("eb", "rdf:type", "eDrug"),
    ("ec", "rdf:type", "eDrug"),
    ("eflu", "rdf:type", "eDisease"),
]


class Book:
    """A reader that knows what is written about some statements."""

    name = "by hand"

    def __init__(self, written: dict[tuple[str, str], Finding]) -> None:
        self._written = written
        self.asked: list[Statement] = []

    def read(self, asked: Sequence[Statement]) -> list[Findings]:
        self.asked += asked
        found = []
        for statement in asked:
            key = statement.relation, statement.subject[1:]
            own = (self._written[key],) if key in self._written else ()
            found.append(Findings(" ".join(key), own))
        return found


def test_what_passages_state_ranks_after_support_and_is_quoted() -> None:
    graph = Graph.from_triples(GRAPH)
    book = kgverify.load_rules_text(RULES)
    text = "Trials say that b treats flu."
    passage = Passage("p7", text, "About b", "A journal")
    written = {
        ("treats", "b"): Finding(
            passage, 0, Judgement("ENTAILED", 0.9, Extent(16, 28)), True, True
        ),
        ("worsens", "a"): Finding(passage, 0, Judgement("ENTAILED", 0.4), True, True),
        ("treats", "c"): Finding(passage, 0, FAILED, True, True),
    }
    question = Question("q", "for_it", {"d": "flu"}, tuple(map(Candidate, "abc")))
    found = kgverify.verify(question, graph, book, reader=Book(written))
    assert [(v.candidate, v.verdict) for v in found] == [("b", "unk"), ("c", "unk"), ("a", "unk")]
    assert [v.stated for v in found] == [0.3, 0.0, -0.4 / 3]
    best, failed, _ = found
    assert best.to_dict()["pins"]["texts"] == "by hand"
    (evidence,) = next(c.texts for c in best.constraints if "treats" in c.text)
    assert (evidence.label, evidence.score, evidence.sources) == ("ENTAILED", 0.9, 1)
    (quote,) = evidence.quotes
    assert quote.text == "b treats flu" == text[quote.start : quote.end]
    assert (quote.passage, quote.title, quote.source) == ("p7", "About b", "A journal")
    (evidence,) = next(c.texts for c in failed.constraints if "treats" in c.text)
    assert evidence.label == ""
    assert "something else" in evidence.quotes[0].reason
    assert best.statements == {"c1": (0.9, 0.0)}


def test_passages_are_read_about_what_is_open_of_things_that_the_graph_knows() -> None:
    graph = Graph.from_triples(
        [*GRAPH, ("ea", "treats", "eflu"), ("ewater", "treats", "ethirst")],
    )
    reader = Book({})
    question = Question("q", "for_it", {"d": "flu"}, tuple(map(Candidate, ("a", "water", "x"))))
    found = kgverify.verify(question, graph, kgverify.load_rules_text(RULES), reader=reader)
    assert {(one.relation, one.subject, one.object) for one in reader.asked} == {
        ("worsens", "ea", "eflu"),  # that it treats flu is known
        ("treats", "ewater", "eflu"),
        ("worsens", "ewater", "eflu"),
    }
    # Nor is anything stated of what nobody reads about: whether water is a drug.
    assert {v.candidate: v.stated for v in found} == {"a": 0.0, "water": 0.0, "x": 0.0}
