"""Corpora on disk: as they were in memory, whole or not at all, the same built anew or again."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs
from msgspec.structs import asdict

from kgverify.errors import EvidenceError
from kgverify.evidence.building import build_corpus, open_corpus
from kgverify.evidence.gazetteer import Gazetteer
from kgverify.evidence.options import CorpusOptions
from kgverify.evidence.overview import corpus_info
from kgverify.evidence.passages import Passage
from kgverify.evidence.storage import open_stored
from kgverify.evidence.windows import windows
from kgverify.graph import Graph

GRAPH = Graph.from_triples(
    [("eke", "rdf:type", "eCountry"), ("enb", "rdf:type", "eCity"), ("enb", "in", "eke")],
    labels=[("eke", "Kenya"), ("enb", "Nairobi"), ("enb", "Enkare Nairobi")],
)
OTHER = Graph.from_triples([("exy", "rdf:type", "eCity")], labels=[("exy", "capital")])
PASSAGES = [
    Passage("1", "Nairobi is the capital of Kenya. It is large. It grew. It grows.", "Kenya", "A"),
    Passage("2", "Nairobi is the capital of Kenya. It is large. It grew. It grows!", "Kenya", "B"),
    Passage("3", "Nothing.", "Enkare Nairobi", "A", "2014"),
    Passage("4", "Other words."),
]


def lines(folder: Path, passages: list[Passage], name: str = "p.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(asdict(p)) + "\n" for p in passages), encoding="utf-8")
    return path


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_what_a_corpus_holds(tmp_path: Path) -> None:
    out = tmp_path / "made" / "c"
    summary = build_corpus(lines(tmp_path, PASSAGES), out, graph=GRAPH)
    corpus = open_corpus(out)
    assert list(corpus) == PASSAGES
    assert corpus.find(["3", "none"]).tolist() == [2, -1]
    for number, passage in enumerate(PASSAGES):
        assert [w.extent for w in corpus.windows_of(number)] == windows(passage.text)
    assert corpus.copies.tolist() == [0, 0, 1, 2]
    assert corpus.origins.tolist() == [0, 0, 0, 1]
    assert corpus.mentions is not None
    assert corpus.title_mentions is not None
    found = [(m.passage, m.extent.start, GRAPH.key(m.entity)) for m in corpus.mentions]
    assert found == [(0, 0, "enb"), (0, 26, "eke"), (1, 0, "enb"), (1, 26, "eke")]
    titles = [(m.passage, GRAPH.key(m.entity)) for m in corpus.title_mentions]
    assert titles == [(0, "eke"), (1, "eke"), (2, "enb")]
    assert replace(summary, seconds=0.0) == type(summary)(4, 6, 29, 2, 1, 2, 7, 0, (), 0, 0.0)
    assert sorted(p.name for p in out.parent.iterdir()) == ["c"]


def test_the_same_without_a_folder(tmp_path: Path) -> None:
    path = lines(tmp_path, PASSAGES)
    build_corpus(path, tmp_path / "c", graph=GRAPH)
    stored, read = open_corpus(tmp_path / "c"), open_corpus([path], GRAPH)
    assert stored.hash == read.hash
    assert (stored.name, read.name) == ("p", "p")
    assert list(stored.mentions or ()) == list(read.mentions or ())
    assert open_corpus(path).mentions is None


def test_what_is_in_a_corpus(tmp_path: Path) -> None:
    build_corpus(lines(tmp_path, PASSAGES), tmp_path / "c", graph=GRAPH)
    info = corpus_info(tmp_path / "c")
    assert (info.passages, info.windows, info.words, info.characters) == (4, 6, 29, 148)
    assert info.longest[:2] == (("1", 64), ("2", 64))
    assert (info.sources, info.named_sources) == (2, (("A", 2), ("B", 1)))
    assert (info.groups, info.largest_groups) == (1, (("1", "2"),))
    assert (info.mentions, info.mentioned) == (7, 2)
    assert info.classes == (("Country", 4), ("City", 3))
    assert info.titles == ("Kenya", "Kenya", "Enkare Nairobi", "")
    plain = corpus_info(tmp_path / "p.jsonl")
    assert (plain.hash, plain.mentions, plain.classes) == (info.hash, None, ())


def test_headings_are_kept_and_counted(tmp_path: Path) -> None:
    fields = [replace_heading(p, "Facts: Capital" if p.id < "3" else "") for p in PASSAGES]
    fields += [Passage("5", "None.", "Kenya", heading="Climate")]
    build_corpus(lines(tmp_path, fields), tmp_path / "c", graph=GRAPH)
    assert list(open_corpus(tmp_path / "c")) == fields
    info = corpus_info(tmp_path / "c")
    assert (info.headings, info.headed) == (2, 3)
    assert info.common_headings == (("Facts: Capital", 2), ("Climate", 1))
    # Another heading is another passage to build again, and no other copy or source.
    build_corpus(lines(tmp_path, PASSAGES), tmp_path / "bare", graph=GRAPH)
    again = build_corpus(lines(tmp_path, fields), tmp_path / "bare", graph=GRAPH)
    assert again.reused == 2
    assert contents(tmp_path / "bare") == contents(tmp_path / "c")
    bare, headed = open_corpus(lines(tmp_path, PASSAGES)), open_corpus(tmp_path / "c")
    assert headed.copies.tolist()[:4] == bare.copies.tolist()
    assert headed.origins.tolist()[:4] == bare.origins.tolist()
    assert headed.windows.tolist()[: len(bare.windows)] == bare.windows.tolist()


def test_a_corpus_of_the_version_without_headings_is_told(tmp_path: Path) -> None:
    build_corpus(lines(tmp_path, PASSAGES), tmp_path / "c")
    place = tmp_path / "c" / "corpus.json"
    described = json.loads(place.read_text("utf-8"))
    described["version"] = 1
    place.write_text(json.dumps(described), encoding="utf-8")
    with pytest.raises(EvidenceError, match="of version 1; this kgverify reads 2"):
        open_corpus(tmp_path / "c")


def replace_heading(passage: Passage, heading: str) -> Passage:
    return structs.replace(passage, heading=heading)


texts = st.lists(
    st.sampled_from(["Kenya", "Nairobi", "is", "big.", "It", "was", "a", "town;", "\n\n"]),
    min_size=1,
    max_size=12,
).map(" ".join)
passages_ = st.lists(
    st.builds(
        Passage,
        st.sampled_from("abcdef"),
        texts.filter(lambda text: bool(text.strip())),
        st.sampled_from(["", "Kenya", "T"]),
        st.sampled_from(["", "s", "t"]),
        st.sampled_from(["", "2014"]),
        st.sampled_from(["", "Capital", "History: Towns"]),
    ),
    min_size=1,
    max_size=6,
    unique_by=lambda p: p.id,
)
options_ = st.builds(
    CorpusOptions,
    window=st.integers(2, 3),
    overlap=st.integers(0, 1),
    likeness=st.sampled_from([0.3, 0.8]),
    titles_are_sources=st.booleans(),
    types=st.sampled_from([(), ("City",)]),
)


@settings(max_examples=60, deadline=None)
@given(
    passages_,
    passages_,
    st.tuples(options_, options_),
    st.tuples(*[st.sampled_from([None, GRAPH, GRAPH, OTHER])] * 2),
    st.booleans(),
)
def test_building_again_is_as_building_anew(
    tmp_path_factory: pytest.TempPathFactory,
    old: list[Passage],
    new: list[Passage],
    options: tuple[CorpusOptions, CorpusOptions],
    graphs: tuple[Graph | None, Graph | None],
    same_options: bool,
) -> None:
    folder = tmp_path_factory.mktemp("again")
    before, after = (options[0], options[0]) if same_options else options
    build_corpus(lines(folder, old), folder / "c", before, graphs[0])
    path = lines(folder, new + [p for p in old if p.id not in {q.id for q in new}][:2])
    again = build_corpus(path, folder / "c", after, graphs[1])
    anew = build_corpus(path, folder / "fresh", after, graphs[1])
    assert contents(folder / "c") == contents(folder / "fresh")
    assert anew.reused == 0
    if before == after and graphs[0] is graphs[1]:
        assert again.reused == len({*old} & {*open_corpus(folder / "c")})
    corpus = open_corpus(folder / "c")
    assert open_corpus(path, options=after).hash == corpus.hash
    if graphs[1] is not None:
        gazetteer = Gazetteer.of(graphs[1], types=after.types)
        assert list(corpus.mentions or ()) == list(gazetteer.mentions_in(p.text for p in corpus))


def test_what_has_not_changed_is_not_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = lines(tmp_path, PASSAGES)
    build_corpus(path, tmp_path / "c", graph=GRAPH)
    cut: list[str] = []

    def noted(text: str, size: int, overlap: int) -> list[object]:
        cut.append(text)
        return list(windows(text, size, overlap))

    monkeypatch.setattr("kgverify.evidence.building.windows", noted)
    changed = [*PASSAGES[1:], Passage("5", "New.")]
    summary = build_corpus(lines(tmp_path, changed), tmp_path / "c", graph=GRAPH)
    assert (summary.reused, cut) == (3, ["New."])


def test_mentions_of_another_graph_are_looked_for(tmp_path: Path) -> None:
    build_corpus(lines(tmp_path, PASSAGES), tmp_path / "c", graph=GRAPH)
    corpus = open_corpus(tmp_path / "c", OTHER)
    assert corpus.mentions is not None
    assert corpus.mentions.graph == OTHER.hash
    assert [m.passage for m in corpus.mentions] == [0, 1]
    small = open_corpus(tmp_path / "c", OTHER, CorpusOptions(types=("City",)))
    assert small.mentions is not None
    cities = open_corpus(tmp_path / "c", GRAPH, CorpusOptions(types=("City",)))
    assert {GRAPH.key(m.entity) for m in cities.mentions or ()} == {"enb"}
    same = open_corpus(tmp_path / "c", GRAPH)
    assert len(same.mentions or ()) == 4
    build_corpus(lines(tmp_path, PASSAGES), tmp_path / "c", CorpusOptions(types=("City",)), GRAPH)
    kept = open_corpus(tmp_path / "c", GRAPH)
    assert {GRAPH.key(m.entity) for m in kept.mentions or ()} == {"enb"}


def test_what_is_damaged_is_told(tmp_path: Path) -> None:
    path, out = lines(tmp_path, PASSAGES), tmp_path / "c"

    def code() -> str:
        with pytest.raises(EvidenceError) as raised:
            open_corpus(out)
        return raised.value.problems[0].code

    build_corpus(path, out)
    (out / "windows.npy").write_bytes(b"short")
    assert code() == "corpus-damaged"
    (out / "windows.npy").unlink()
    assert code() == "corpus-damaged"
    assert build_corpus(path, out).reused == 0  # and it is replaced
    described = json.loads((out / "corpus.json").read_text())
    (out / "corpus.json").write_text(json.dumps(described | {"version": 0}))
    assert code() == "corpus-version"
    (out / "corpus.json").write_text(json.dumps(described | {"format": "other"}))
    assert code() == "not-a-corpus"
    (out / "corpus.json").write_text("[")
    assert code() == "corpus-damaged"


def test_nothing_else_is_overwritten(tmp_path: Path) -> None:
    path = lines(tmp_path, PASSAGES)
    with pytest.raises(EvidenceError, match="not-a-corpus"):
        build_corpus(path, path)
    with pytest.raises(EvidenceError, match="not-a-corpus"):
        build_corpus(path, tmp_path)
    build_corpus(path, tmp_path / "c")
    before = contents(tmp_path / "c")
    path.write_text("{}")
    with pytest.raises(EvidenceError, match="missing-id"):
        build_corpus(path, tmp_path / "c")
    assert contents(tmp_path / "c") == before


def test_a_corpus_is_replaced_while_it_is_open(tmp_path: Path) -> None:
    build_corpus(lines(tmp_path, PASSAGES), tmp_path / "c")
    corpus = open_corpus(tmp_path / "c")
    build_corpus(lines(tmp_path, PASSAGES[:1]), tmp_path / "c")
    assert list(corpus) == PASSAGES
    assert len(open_corpus(tmp_path / "c")) == 1


def test_one_corpus_is_opened_at_a_time(tmp_path: Path) -> None:
    path, out = lines(tmp_path, PASSAGES), tmp_path / "c"
    build_corpus(path, out)
    for sources in ([out, path], [out, out]):
        with pytest.raises(EvidenceError, match="corpus-with-files"):
            open_corpus(sources)
    with pytest.raises(EvidenceError, match="missing-file"):
        open_corpus(tmp_path / "none")


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"window": 0}, "bad-window"),
        ({"window": 2, "overlap": 2}, "bad-window"),
        ({"likeness": 0.1}, "bad-likeness"),
        ({"likeness": float("nan")}, "bad-likeness"),
        ({"max_passage": 2**31}, "bad-limit"),
    ],
)
def test_options_that_make_no_sense(options: dict[str, float], code: str) -> None:
    with pytest.raises(EvidenceError, match=code):
        CorpusOptions(**options)  # type: ignore[arg-type]


def test_progress_is_told_step_by_step(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    options = CorpusOptions(progress=lambda *step: told.append(step))
    build_corpus(lines(tmp_path, PASSAGES), tmp_path / "c", options, GRAPH)
    steps = list(dict.fromkeys(step for step, _, _ in told))
    assert steps == ["reading", "cutting", "signing", "comparing", "looking for names"]
    assert all(0 <= done <= total for _, done, total in told)


def test_what_is_stored_is_mapped(tmp_path: Path) -> None:
    build_corpus(lines(tmp_path, PASSAGES), tmp_path / "c")
    stored = open_stored(tmp_path / "c")
    assert isinstance(stored.signatures.base, np.memmap)
    assert isinstance(stored.corpus.texts.blob.base, np.memmap)
