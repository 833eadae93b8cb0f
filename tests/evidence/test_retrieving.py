"""Search by words: the fast form against the slow one on random corpora, and what both promise."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgverify.errors import Problem
from kgverify.evidence.bm25 import Bm25, Bm25Options, Bm25Reference
from kgverify.evidence.corpus import Corpus
from kgverify.evidence.hybrid import Hybrid
from kgverify.evidence.indexes import IndexFolder
from kgverify.evidence.passages import Passage
from kgverify.evidence.ranking import ranked
from kgverify.evidence.retrieving import Hit, Query, Retriever

Maker = Callable[[Corpus], Retriever]
MAKERS: list[Maker] = [
    Bm25,
    Bm25Reference,
    lambda corpus: Hybrid([Bm25(corpus), Bm25Reference(corpus)]),
]
makers = pytest.mark.parametrize("make", MAKERS, ids=["bm25", "reference", "hybrid"])

# Few words, so that passages share them and many scores are equal; marks and stop words among them.
WORDS = ["Oslo", "oslo's", "capital", "capitals", "the", "of", "Bogotá", "river", "1999", "—", "ß"]
said = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)
corpora = st.lists(st.tuples(said, said), max_size=9).map(
    lambda pairs: corpus(*[Passage(f"{n}", text, title) for n, (title, text) in enumerate(pairs)])
)
queries = st.lists(
    st.builds(
        Query, said, st.lists(said, max_size=2).map(tuple), st.lists(said, max_size=2).map(tuple)
    ),
    max_size=4,
)
weights = st.sampled_from([0.0, 0.5, 1.0, 2.0])
options = st.builds(
    Bm25Options, st.sampled_from([0.1, 0.9, 1.2]), st.sampled_from([0.0, 0.4, 1.0]),
    st.integers(0, 3), weights, weights,
)  # fmt: skip


def corpus(*passages: Passage) -> Corpus:
    return Corpus.of(passages)


def texts(*found: str) -> Corpus:
    return corpus(*(Passage(f"{n}", text) for n, text in enumerate(found)))


def numbers(hits: list[Hit]) -> list[int]:
    return [hit.passage for hit in hits]


@given(corpora, queries, options)
@settings(max_examples=300, deadline=None)
def test_the_fast_form_has_the_scores_of_the_slow_one(
    found: Corpus, asked: list[Query], how: Bm25Options
) -> None:
    fast = Bm25(found, how).search(asked, len(found) + 1)
    slow = Bm25Reference(found, how).search(asked, len(found) + 1)
    for ours, theirs in zip(fast, slow, strict=True):
        assert {h.passage: pytest.approx(h.score, rel=1e-9) for h in ours} == {
            h.passage: h.score for h in theirs
        }
        # They may order alike only what is not equal but for rounding.
        place = {hit.passage: hit.score for hit in theirs}
        for one, next_ in pairwise(ours):
            assert place[one.passage] >= place[next_.passage] * (1 - 1e-9)


@given(corpora, queries, st.integers(0, 12), st.sampled_from(MAKERS))
@settings(max_examples=150, deadline=None)
def test_a_list_of_hits_is_what_retrievers_promise(
    found: Corpus, asked: list[Query], most: int, make: Maker
) -> None:
    retriever = make(found)
    together = retriever.search(asked, most)
    assert together == retriever.search(asked, most)
    assert together == [retriever.search([query], most)[0] for query in asked]
    everything = retriever.search(asked, len(found) + 1)
    for hits, all_ in zip(together, everything, strict=True):
        assert hits == all_[:most]
        assert all(hit.score > 0 for hit in hits)
        assert hits == sorted(hits, key=lambda hit: (-hit.score, hit.passage))
        assert len({hit.passage for hit in hits}) == len(hits)


@given(corpora, queries)
@settings(max_examples=100, deadline=None)
def test_copies_of_a_passage_have_one_score_and_stand_in_order(
    found: Corpus, asked: list[Query]
) -> None:
    copies = [Passage(f"copy {p.id}", p.text, p.title) for p in found]
    twice = corpus(*found, *copies)
    for hits in Bm25(twice).search(asked, len(twice)):
        scores = {hit.passage: hit.score for hit in hits}
        for passage, score in scores.items():
            assert scores[(passage + len(found)) % len(twice)] == score


@makers
def test_nothing_is_found_where_nothing_is_shared(make: Maker) -> None:
    for found in (texts(), texts("", "—"), texts("Oslo")):
        retriever = make(found)
        assert retriever.search([Query(""), Query("—"), Query("unknown words")], 5) == [[], [], []]
        assert retriever.search([], 5) == []


@makers
def test_a_word_that_is_in_every_passage_is_found(make: Maker) -> None:
    assert numbers(make(texts("Oslo")).search([Query("oslo")], 5)[0]) == [0]
    assert numbers(make(texts("Oslo", "Oslo Oslo")).search([Query("oslo")], 5)[0]) == [1, 0]


@makers
def test_words_are_the_same_whatever_their_case_accents_and_endings(make: Maker) -> None:
    found = texts("BOGOTÁ", "Bogota\N{COMBINING ACUTE ACCENT}'s rivers", "Łódź", "straße")
    asked = [Query(text) for text in ("bogota", "river", "lodz", "STRASSE")]
    assert [sorted(numbers(hits)) for hits in make(found).search(asked, 5)] == [
        [0, 1],
        [1],
        [2],
        [3],
    ]


def test_words_that_say_nothing_count_where_there_are_no_others() -> None:
    found = texts("the river", "who", "a river and the sea")
    retriever = Bm25(found)
    assert numbers(retriever.search([Query("the who")], 5)[0])[0] == 1
    assert numbers(retriever.search([Query("the river")], 1)[0]) == [0]
    assert retriever.search([Query("the sea")], 5)[0] == retriever.search([Query("sea")], 5)[0]


def test_titles_names_and_phrases_weigh_as_they_are_told() -> None:
    found = corpus(
        Passage("a", "Oslo", "river"), Passage("b", "river", "Oslo"), Passage("c", "capital")
    )
    assert numbers(Bm25(found).search([Query("oslo")], 5)[0]) == [1, 0]
    assert numbers(Bm25(found, Bm25Options(title=0)).search([Query("oslo")], 5)[0]) == [0]
    query = Query("capital", ("Oslo",), ("river",))
    assert Bm25Options(names=3, phrases=2).weights(query) == {"capit": 1, "oslo": 3, "river": 2}
    assert Bm25Options(phrases=0).weights(query).keys() == {"capit", "oslo"}
    # In several places a word has the greatest of their weights, not their sum.
    assert Bm25Options().weights(Query("oslo", ("Oslo", "Oslo"), ("oslo",))) == {"oslo": 1.5}


@makers
@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(said, said, said), max_size=9), queries)
def test_a_heading_counts_as_its_title_does(
    make: Maker, found: list[tuple[str, str, str]], asked: list[Query]
) -> None:
    headed = [Passage(f"{n}", x, t, heading=h) for n, (t, h, x) in enumerate(found)]
    titled = [Passage(f"{n}", x, f"{t} {h}") for n, (t, h, x) in enumerate(found)]
    assert make(corpus(*headed)).search(asked, 5) == make(corpus(*titled)).search(asked, 5)


@pytest.mark.parametrize(
    "wrong",
    [
        {"k1": -1.0},
        {"k1": 0.0},
        {"b": 1.5},
        {"title": -1},
        {"names": float("nan")},
        {"phrases": -0.5},
    ],
)
def test_options_that_make_no_sense_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError):
        Bm25Options(**wrong)  # type: ignore[arg-type]


@given(st.lists(st.sampled_from([-1.0, 0.0, 0.25, 0.5, 1.0]), max_size=40), st.integers(-1, 45))
def test_the_best_are_those_of_a_sorted_list(scores: list[float], most: int) -> None:
    wanted = sorted(
        (Hit(n, score) for n, score in enumerate(scores) if score > 0),
        key=lambda hit: (-hit.score, hit.passage),
    )
    assert ranked(np.array(scores), most) == wanted[: max(most, 0)]


# ---------------------------------------------------------------- hybrid


class Fixed:
    """Finds the same passages whatever is asked."""

    def __init__(self, *found: int) -> None:
        self.name, self._found = "fixed", found

    def search(self, queries: list[Query], most: int) -> list[list[Hit]]:
        return [[Hit(n, 1 / rank) for rank, n in enumerate(self._found[:most], 1)] for _ in queries]


def test_ranks_are_fused_by_their_reciprocals() -> None:
    hits = Hybrid([Fixed(4, 7, 2), Fixed(7, 9)], [1, 2]).search([Query("x")], 10)[0]
    assert [(h.passage, pytest.approx(h.score)) for h in hits] == [
        (7, 1 / 62 + 2 / 61),
        (9, 2 / 62),
        (4, 1 / 61),
        (2, 1 / 63),
    ]


def test_passages_with_the_same_ranks_stand_in_the_order_of_the_corpus() -> None:
    lists = [Fixed(5, 3, 8), Fixed(3, 8, 5), Fixed(8, 5, 3)]
    for most in (1, 2, 3):
        assert numbers(Hybrid(lists).search([Query("x")], most)[0]) == [3, 5, 8][:most]


def test_more_hits_than_the_depth_can_be_asked_for() -> None:
    hybrid = Hybrid([Fixed(*range(50))], depth=10)
    assert len(hybrid.search([Query("x")], 5)[0]) == 5
    assert len(hybrid.search([Query("x")], 40)[0]) == 40


def test_a_hybrid_that_makes_no_sense_is_refused() -> None:
    for make in (
        lambda: Hybrid([]),
        lambda: Hybrid([Fixed(1)], [1, 2]),
        lambda: Hybrid([Fixed(1)], [0]),
        lambda: Hybrid([Fixed(1)], k=-1),
        lambda: Hybrid([Fixed(1)], depth=0),
    ):
        with pytest.raises(ValueError):
            make()


# ---------------------------------------------------------------- kept indexes

SOME = [Passage("a", "Oslo is a city", "Norway"), Passage("b", "the river Oslo", "rivers")]


def test_an_index_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found, kept = corpus(*SOME), IndexFolder(tmp_path / "x.index")
    first = Bm25(found, index=kept).search([Query("river oslo")], 5)
    monkeypatch.setattr("kgverify.evidence.bm25._index", None)
    assert Bm25(found, index=kept).search([Query("river oslo")], 5) == first
    assert Bm25(found, Bm25Options(names=9, phrases=9), kept).search([Query("oslo")], 1)
    for other, how in ((corpus(*SOME[:1]), None), (found, Bm25Options(title=1))):
        with pytest.raises(TypeError):
            Bm25(other, how, kept)


def test_a_kept_index_is_no_pickle_and_leaves_nothing_else_behind(tmp_path: Path) -> None:
    Bm25(corpus(*SOME), index=IndexFolder(tmp_path / "x.index"))
    (place,) = (tmp_path / "x.index").iterdir()
    files = {file.name for file in place.iterdir()}
    assert "index.json" in files
    for file in files - {"index.json"}:
        np.load(place / file, allow_pickle=False)
    assert [path.name for path in tmp_path.iterdir()] == ["x.index"]


def test_a_damaged_index_is_made_again_with_a_warning(tmp_path: Path) -> None:
    told: list[Problem] = []
    kept = IndexFolder(tmp_path / "x.index", told.append)
    first = Bm25(corpus(*SOME), index=kept).search([Query("oslo")], 5)
    (place,) = (tmp_path / "x.index").iterdir()
    for damage in (
        lambda: (place / "postings.scores.npy").write_bytes(b""),
        lambda: (place / "postings.starts.npy").unlink(),
        lambda: (place / "index.json").write_text("{"),
    ):
        damage()
        assert Bm25(corpus(*SOME), index=kept).search([Query("oslo")], 5) == first
        assert [(p.severity, p.code) for p in told] == [("warning", "index-damaged")]
        told.clear()
    assert Bm25(corpus(*SOME), index=kept).search([Query("oslo")], 5) == first
    assert told == []


def test_where_an_index_cannot_be_kept_it_is_made_each_time(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    told: list[Problem] = []
    kept = IndexFolder(tmp_path / "file", told.append)
    assert numbers(Bm25(corpus(*SOME), index=kept).search([Query("river")], 5)[0]) == [1]
    assert [(p.severity, p.code) for p in told] == [("warning", "index-not-written")]
    assert (tmp_path / "file").read_text() == "not a folder"


def test_an_empty_corpus_has_an_index_too(tmp_path: Path) -> None:
    for _ in range(2):
        assert Bm25(texts(), index=IndexFolder(tmp_path / "x")).search([Query("oslo")], 5) == [[]]


def test_a_kept_index_is_searched_without_loading_what_made_it(tmp_path: Path) -> None:
    Bm25(corpus(*SOME), index=IndexFolder(tmp_path))
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from tests.evidence.test_retrieving import *\n"
        "sys.modules['bm25s'] = sys.modules['rank_bm25'] = None\n"
        f"found = Bm25(corpus(*SOME), index=IndexFolder(Path({str(tmp_path)!r})))\n"
        "assert found.search([Query('river')], 1)[0][0].passage == 1\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])
