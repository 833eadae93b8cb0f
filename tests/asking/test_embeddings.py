"""A language model on this machine finds relations for words that the rule file does not have.

The model is a real one, made here: a BERT without layers, whose words' vectors are chosen, so that
what is like what is known.
"""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import numpy as np
import pytest

import kgverify
from kgverify import Asker, Graph, KgverifyError, QuestionError, RuleBook
from kgverify.asking.embeddings import Embeddings
from kgverify.asking.words import words
from kgverify.evidence.encoding import Encoder
from tests.models import needs_extra, word_model
from tests.reasoning import small

RULES = """
class Drug      phrases "drug"
class Disease   phrases "disease"
class Person    phrases "person"
disjoint Drug, Disease, Person
relation treats (Drug, Disease)
    phrases "is indicated for"
relation causes (Drug, Disease)
    phrases "gives rise to"
relation studies (Person, Disease)
"""
FACTS = "salbutamol treats asthma\nmint causes asthma\nann studies asthma"
# Words with one direction mean the same; `salve` is between the first two.
DIRECTIONS = {
    0: "treats treat remedy remedies indicated",
    1: "causes cause culprit gives rise",
    2: "studies study expert",
    3: "is for to drug which what are of",
    4: "banana",
}


@pytest.fixture(scope="module")
def book() -> RuleBook:
    return kgverify.load_rules_text(RULES)


@pytest.fixture(scope="module")
def graph() -> Graph:
    return small.graph(FACTS)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a model whose words have the directions above."""
    between = {"salve": ("treats", "causes")}
    return word_model(tmp_path_factory.mktemp("model"), DIRECTIONS, between)


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a model is never looked for elsewhere")

    monkeypatch.setattr(socket.socket, "connect", refuse)


@needs_extra
@pytest.mark.usefixtures("offline")
def test_a_word_that_means_the_same_is_understood(
    model: Path, graph: Graph, book: RuleBook
) -> None:
    with pytest.raises(QuestionError):
        Asker(graph, book).read("Which drugs are remedies for asthma?")
    asker = Asker(graph, book, embeddings=Embeddings(model))
    reading = asker.read("Which drugs are remedies for asthma?")
    assert [part.text for part in reading.parts[1:]] == ["treats(x, disease)"]
    assert reading.confidence < 0.85


@needs_extra
def test_the_threshold_keeps_what_is_less_like_out(
    model: Path, graph: Graph, book: RuleBook
) -> None:
    found = Embeddings(model, 0.9).matcher(book).guesses([words("salve"), words("remedy")])
    assert [[guess.relation for guess in guesses] for guesses in found] == [[], ["treats"]]
    found = Embeddings(model, 0.5).matcher(book).guesses([words("salve"), words("banana")])
    assert [sorted(g.relation for g in guesses) for guesses in found] == [["causes", "treats"], []]


@needs_extra
def test_relations_that_are_as_like_are_ambiguous(
    model: Path, graph: Graph, book: RuleBook
) -> None:
    asker = Asker(graph, book, 0.0, embeddings=Embeddings(model, 0.3))
    with pytest.raises(QuestionError) as caught:
        asker.read("Which drugs are a salve for asthma?")
    assert [problem.code for problem in caught.value.problems] == ["ambiguous-question"]
    assert "treats" in str(caught.value)
    assert "causes" in str(caught.value)


@needs_extra
def test_likeness_is_the_cosine_of_means_of_the_tokens_vectors(model: Path) -> None:
    rows = Encoder(model).vectors(["treats", "remedy remedies", "treats causes", "causes"])
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1.0)
    assert rows[0] @ rows[1] == pytest.approx(1.0, abs=1e-4)
    assert rows[2] == pytest.approx(
        (rows[0] + rows[3]) / np.linalg.norm(rows[0] + rows[3]), abs=1e-4
    )


@needs_extra
def test_a_text_has_the_same_vector_in_any_batch(model: Path) -> None:
    encoder = Encoder(model)
    texts = ["treats", "remedy gives rise to banana", *["culprit"] * 70]
    together = encoder.vectors(texts)
    alone = np.concatenate([encoder.vectors([text]) for text in texts])
    assert together == pytest.approx(alone, abs=1e-5)
    assert encoder.vectors([]).shape[0] == 0


@needs_extra
def test_the_vectors_of_a_rule_file_are_made_once(
    model: Path, book: RuleBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    embeddings = Embeddings(model)
    embeddings.matcher(book)
    monkeypatch.setattr(Encoder, "vectors", None)
    embeddings.matcher(kgverify.load_rules_text(RULES))
    with pytest.raises(TypeError):
        embeddings.matcher(kgverify.load_rules_text(RULES + "relation eases (Drug, Disease)\n"))


@needs_extra
def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    for make in (lambda: None, lambda: (tmp_path / "config.json").write_text("{")):
        make()
        with pytest.raises(KgverifyError) as caught:
            Embeddings(tmp_path)
        assert [problem.code for problem in caught.value.problems] == ["no-model"]
        assert str(tmp_path) in str(caught.value)


@needs_extra
def test_weights_that_are_missing_are_not_made_up(model: Path, tmp_path: Path) -> None:
    import shutil

    from safetensors.torch import load_file, save_file

    folder = shutil.copytree(model, tmp_path / "part")
    weights = load_file(folder / "model.safetensors")
    del weights["embeddings.word_embeddings.weight"]
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    with pytest.raises(KgverifyError, match=r"lacks 1 weight.*word_embeddings"):
        Embeddings(folder)


@needs_extra
def test_loading_says_nothing(model: Path, capfd: pytest.CaptureFixture[str]) -> None:
    Embeddings(model)
    assert capfd.readouterr() == ("", "")


def test_without_the_extra_the_error_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(KgverifyError, match=r"kgverify\[neural\]") as caught:
        Embeddings(tmp_path)
    assert [problem.code for problem in caught.value.problems] == ["missing-extra"]


def test_asking_without_a_model_loads_no_torch(graph: Graph, book: RuleBook) -> None:
    import subprocess

    code = "import sys, kgverify.asking.asker; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
