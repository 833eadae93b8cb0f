"""Objects that somebody generates: what is linked, what GoG admits, what verifying leaves."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgverify.completion.breakpoints import Breakpoint, Edge
from kgverify.completion.excluding import GraphExcluder
from kgverify.completion.generating import Generated, generate_to_complete
from kgverify.completion.linking import Linker
from kgverify.completion.policy import CAREFUL, PAPER, Policy, configured
from kgverify.completion.retrieving import retrieve_to_complete
from kgverify.completion.searching import Outcome, Searcher, Spent, search
from kgverify.errors import EvidenceError, ModelError, Problem
from kgverify.evidence.bm25 import Bm25
from kgverify.evidence.corpus import Corpus
from kgverify.evidence.passages import Passage
from kgverify.evidence.retrieving import Retriever
from kgverify.evidence.rule_judge import RuleJudge
from kgverify.graph import Graph
from kgverify.graph.building import Builder
from kgverify.language.checks import load_rules_text
from kgverify.reasoning.knowledge import Knowledge
from tests.completion.test_searching import (
    BOOK,
    NORWAY,
    OTHER,
    SILENT,
    STATED,
    SWEDEN,
    Counting,
    Script,
    kg,
    objects,
)

DENMARK = Breakpoint("dk", "capital")


class Says:
    """Says what it is told to, and counts; a missing edge that it has no names for is a failure."""

    name, model = "says", "small-model"

    def __init__(self, names: Mapping[Breakpoint, Sequence[str]]) -> None:
        self.names = names
        self.calls = 0

    def generate(self, missing: Breakpoint) -> tuple[str, ...]:
        self.calls += 1
        if missing not in self.names:
            raise ModelError(Problem("model", "nobody answers"))
        return tuple(self.names[missing])


def run(
    passages: Sequence[Passage],
    says: Says | None,
    policy: Policy = CAREFUL,
    missing: Sequence[Breakpoint] = (NORWAY,),
    retriever: Retriever | None = None,
    journal: Path | None = None,
    judge: RuleJudge | None = None,
) -> tuple[list[Outcome], Searcher]:
    graph, corpus = kg(), Corpus.of(passages)
    searcher = Searcher(
        graph,
        BOOK,
        corpus,
        retriever or Bm25(corpus),
        judge or RuleJudge(),
        policy,
        journal,
        generator=says,
    )
    _, found = search(missing, searcher, policy, GraphExcluder(graph, BOOK))
    return found, searcher


def gog(says: Says, *missing: Breakpoint) -> list[Generated]:
    return generate_to_complete(missing, says, Linker(Knowledge(kg(), BOOK)))


# ---------------------------------------------------------------- names


TOWNS = load_rules_text("""
prefix db: <https://example.org/>
class Place, Person
class City sub of Place
relation near (Place, Place)
relation home (Person, City)
same alma, alma_again
""")


def towns() -> Graph:
    builder = Builder()
    for id_, cls, names in (
        ("kim", "Person", ["Kim"]),
        ("alma", "City", ["Alma", "Upper Town"]),
        ("alma_again", "City", ["Alma"]),
        ("berro", "Place", ["Berro"]),
        ("corda", "City", ["Corda"]),
        ("corda_two", "City", ["Corda"]),
        ("corda_three", "Place", ["Corda"]),
        ("https://example.org/d", "City", ["Dunno"]),
        ("Berro", "City", ["Elsewhere"]),
    ):
        builder.add_fact(f"e{id_}", "rdf:type", f"e{cls}")
        builder.add_label(f"e{id_}", names[0])
        for alias in names[1:]:
            builder.add_alias(f"e{id_}", alias)
    builder.add_fact("bnode", "rdf:type", "eCity")
    builder.add_label("bnode", "Nowhere")
    builder.add_fact("ekim", "home", "ealma")
    builder.add_fact("ealma", "near", "eberro")
    return Graph(builder.columns())


@pytest.mark.parametrize(
    ("name", "relation", "id_"),
    [
        ("Alma", "home", "alma"),
        ("  upper\ttown ", "home", "alma"),
        ("ＡＬＭＡ", "home", "alma"),
        ("alma_again", "home", "alma"),
        ("db:d", "home", "https://example.org/d"),
        ("Dunno", "home", "https://example.org/d"),
        ("Berro", "home", "Berro"),  # an id of the right class comes before a label
        ("berro", "near", "berro"),
    ],
)
def test_names_that_are_linked(name: str, relation: str, id_: str) -> None:
    linker = Linker(Knowledge(towns(), TOWNS))
    found = linker.entity(name, relation)
    assert isinstance(found, int)
    assert linker.id(found) == id_


@pytest.mark.parametrize(
    ("name", "relation", "why", "words"),
    [
        ("Almo", "home", "unknown", "is no entity of the graph; did you mean `Alma`?"),
        ("Atlantis", "home", "unknown", "`Atlantis` is no entity of the graph"),
        ("dorda", "home", "unknown", "did you mean `corda`"),
        ("", "home", "unknown", "is no entity"),
        ("Kim", "home", "class", "is not stated to be a City"),
        ("corda_three", "home", "class", "a City"),
        ("Nowhere", "home", "class", "a City"),
        ("Corda", "home", "several", "the name of `corda`, `corda_two`"),
        ("x" * 10_000, "home", "unknown", "x…"),
        ("\x1b[2J", "home", "unknown", "\\x1b"),
    ],
)
def test_names_that_are_not(name: str, relation: str, why: str, words: str) -> None:
    found = Linker(Knowledge(towns(), TOWNS)).entity(name, relation)
    assert not isinstance(found, int)
    assert (found.text, found.why) == (name, why)
    assert words in found.message
    assert len(found.message) < 200


def test_what_is_stated_and_the_subject_are_no_objects() -> None:
    linker = Linker(Knowledge(towns(), TOWNS))
    linked, left = linker.link(Breakpoint("kim", "home"), ["Alma", "Corda", "corda", "Corda"])
    assert list(map(linker.id, linked)) == ["corda"]
    assert [(one.text, one.why) for one in left] == [("Alma", "stated"), ("Corda", "several")]
    linked, left = linker.link(Breakpoint("alma_again", "near"), ["Alma", "Elsewhere", "berro"])
    assert list(map(linker.id, linked)) == ["Berro"]
    assert [(one.text, one.why) for one in left] == [("Alma", "subject"), ("berro", "stated")]
    with pytest.raises(EvidenceError, match="no entity `nobody`"):
        linker.link(Breakpoint("nobody", "home"), ["Alma"])


# ---------------------------------------------------------------- generate-to-complete


def test_all_that_is_generated_is_admitted_but_what_is_no_entity() -> None:
    says = Says({NORWAY: ["Bergen", "Trondheim", "OSLO", "Norway"], SWEDEN: []})
    norway, sweden, denmark = gog(says, NORWAY, SWEDEN, DENMARK, NORWAY)
    assert norway.edges == (Edge("no", "capital", "bergen"), Edge("no", "capital", "oslo"))
    assert norway.names == ("Bergen", "Trondheim", "OSLO", "Norway")
    assert [(one.text, one.why) for one in norway.unlinked] == [
        ("Trondheim", "unknown"),
        ("Norway", "class"),
    ]
    assert sweden == Generated(SWEDEN)
    assert denmark.failure == Problem("model", "nobody answers")
    assert says.calls == 3


# ---------------------------------------------------------------- GoG+Verify


def test_what_is_generated_is_verified_by_passages() -> None:
    says = Says({NORWAY: ["Bergen", "Oslo", "Atlantis"]})
    says.generate(NORWAY)  # what was asked for before is no cost of the search
    (found,), searcher = run([STATED, SILENT], says)
    assert objects(found) == [("oslo", 0)]
    assert [(r.edge.object, r.reasons[0].code) for r in found.rejected] == [("bergen", "no_source")]
    assert found.trail.generated == ("Bergen", "Oslo", "Atlantis")
    assert [one.text for one in found.trail.unlinked] == ["Atlantis"]
    assert [(one.id, one.origins, one.rank) for one in found.trail.candidates] == [
        ("bergen", 0, -1),
        ("oslo", 1, 0),
    ]
    assert searcher.spent == Spent(1, 4, 1)
    assert searcher.pins.candidates == "generator says"


def test_what_passages_name_is_no_candidate_where_candidates_are_generated() -> None:
    (found,), _ = run([STATED], Says({NORWAY: ["Malmo"]}))
    assert [one.id for one in found.trail.candidates] == ["malmo"]
    assert not found.admitted
    (found,), _ = run([STATED], Says({NORWAY: ["Atlantis"]}))
    assert found.why == "nothing that was generated could be the object"


def test_a_generator_that_stops_ends_in_abstention_and_is_asked_again(tmp_path: Path) -> None:
    places, path = [NORWAY, SWEDEN], tmp_path / "journal"
    (norway, sweden), _ = run([STATED], Says({NORWAY: ["Oslo"]}), missing=places, journal=path)
    assert objects(norway) == [("oslo", 0)]
    assert (sweden.admitted, sweden.why) == ((), "the generator stopped: nobody answers")
    # What was generated is in the journal, and not asked for again.
    again = Says({SWEDEN: ["Malmo"]})
    found, searcher = run([STATED], again, missing=places, journal=path)
    assert found[0] == norway
    assert [one.id for one in found[1].trail.candidates] == ["malmo"]
    assert again.calls == 1
    assert searcher.spent.searches == 3
    again = Says({})
    assert run([STATED], again, missing=places, journal=path)[0] == found
    assert again.calls == 0
    for says in (None, _named("another", {NORWAY: ["Oslo"]})):
        with pytest.raises(EvidenceError, match="another candidates"):
            run([STATED], says, missing=places, journal=path)


def _named(name: str, names: Mapping[Breakpoint, Sequence[str]]) -> Says:
    says = Says(names)
    says.name = name  # type: ignore[misc]
    return says


def test_a_run_that_broke_anywhere_ends_as_one_that_did_not(tmp_path: Path) -> None:
    says = Says({NORWAY: ["Bergen", "Oslo"], SWEDEN: ["Malmo", "x"], DENMARK: []})
    places, passages = [NORWAY, SWEDEN, DENMARK], [STATED, OTHER, SILENT]
    whole = tmp_path / "whole"
    expected, _ = run(passages, says, missing=places, journal=whole)
    lines = whole.read_bytes().splitlines(keepends=True)
    assert len(lines) == 1 + 3 * 3
    generated = [json.loads(line).get("generated") for line in lines[1:]]
    assert generated == [[], ["Bergen", "Oslo"], ["Malmo", "x"], *[[]] * 6]
    for kept in range(len(lines) + 1):
        path = tmp_path / "broken"
        path.write_bytes(b"".join(lines[:kept]))
        assert run(passages, says, missing=places, journal=path)[0] == expected


STATEMENTS = [
    Passage(f"p{number}", text, title)
    for number, (text, title) in enumerate(
        [
            ("Oslo is the capital of Norway.", "A"),
            ("Bergen is the capital of Norway.", "B"),
            ("The capital of Norway is not Bergen.", "C"),
            ("Malmo is the capital of Sweden.", "D"),
            ("Oslo is the capital of Sweden.", "E"),
            ("Oslo, Bergen and Malmo are cities of Norway.", "F"),
            ("Norway's capital may become Bergen.", "G"),
            ("Denmark lies between Norway and Sweden.", "H"),
            ("The seat of Denmark, Malmo, is old.", "I"),
        ]
    )
]
names = st.lists(st.sampled_from(["Oslo", "bergen", "Malmo", "Norway", "Nowhere"]), max_size=4)
policies = st.sampled_from(
    [CAREFUL, PAPER, configured("paper", {"k": 0}), configured("paper", {"tau": "0.3", "k": 1})]
)
corpora = st.lists(st.sampled_from(STATEMENTS), min_size=1, max_size=6, unique_by=lambda p: p.id)


@settings(max_examples=200, deadline=None)
@given(corpora, names, names, policies)
def test_verification_admits_a_part_of_what_is_generated(
    passages: list[Passage], norway: list[str], sweden: list[str], policy: Policy
) -> None:
    says = Says({NORWAY: norway, SWEDEN: sweden})
    proposed = {edge for one in gog(says, NORWAY, SWEDEN) for edge in one.edges}
    found, _ = run(passages, says, policy, [NORWAY, SWEDEN])
    admitted = {one.edge for outcome in found for one in outcome.admitted}
    rejected = {one.edge for outcome in found for one in outcome.rejected}
    assert admitted <= proposed
    assert admitted | rejected == proposed


@settings(max_examples=200, deadline=None)
@given(corpora, policies.map(lambda policy: configured(policy.name, {"k": 0})))
def test_only_the_source_of_candidates_differs(passages: list[Passage], policy: Policy) -> None:
    """A generator that says what the passages name ends as the search that reads it there."""
    places = [NORWAY, SWEDEN]
    read, reader = run(passages, None, policy, places)
    says = Says({one.missing: [c.id for c in one.trail.candidates] for one in read})
    generated, generator = run(passages, says, policy, places)
    for one, other in zip(read, generated, strict=True):
        assert (one.admitted, one.rejected, one.sources) == (
            other.admitted,
            other.rejected,
            other.sources,
        )
        assert one.trail.candidates == other.trail.candidates
    assert reader.spent == Spent(2, generator.spent.judged, 0)


def test_candidates_beyond_the_number_are_told() -> None:
    graph, corpus = kg(), Corpus.of([STATED])
    says = Says({NORWAY: ["Malmo", "Bergen", "Oslo"]})
    judge = Counting()
    searcher = Searcher(
        graph, BOOK, corpus, Bm25(corpus), judge, CAREFUL, most=2, generator=says
    )
    found = searcher.propose([NORWAY], 0)
    assert [one.edge.object for one in found] == ["malmo", "bergen"]
    assert (searcher.trail(NORWAY).left_out, len(judge.pairs)) == (1, 2)


# ---------------------------------------------------------------- retrieve-to-complete


def test_what_most_sources_name_is_taken_unjudged() -> None:
    passages = [
        OTHER,
        STATED,
        Passage("p", "Oslo is not the capital of Norway.", "Denial"),
        Passage("q", "The capital of Norway is old.", "Old"),
    ]
    corpus, script = Corpus.of(passages), Script([0, 1, 2], [3], [])
    norway, sweden, denmark = retrieve_to_complete(
        [NORWAY, SWEDEN, DENMARK, NORWAY], kg(), BOOK, corpus, script, 3
    )
    assert norway.edge == Edge("no", "capital", "oslo")
    assert norway.naming == ("yes", "p")
    assert [one.id for one in norway.candidates] == ["oslo", "bergen"]
    assert (sweden.edge, sweden.passages, sweden.candidates) == (None, ("q",), ())
    assert (denmark.edge, denmark.passages) == (None, ())
    assert [query.text for query in script.asked] == [
        f"the capital of {name} is" for name in ("Norway", "Sweden", "Denmark")
    ]


@settings(max_examples=200, deadline=None)
@given(corpora)
def test_it_takes_the_first_candidate_of_the_first_round(passages: list[Passage]) -> None:
    (found,) = retrieve_to_complete([NORWAY], kg(), BOOK, c := Corpus.of(passages), Bm25(c))
    searcher = Searcher(kg(), BOOK, c, Bm25(c), RuleJudge(), CAREFUL)
    searcher.propose([NORWAY], 0)
    candidates = searcher.trail(NORWAY).candidates
    assert found.candidates == candidates
    assert found.edge == (Edge("no", "capital", candidates[0].id) if candidates else None)
