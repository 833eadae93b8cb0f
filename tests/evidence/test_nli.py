"""A judge by an NLI model: what its labels mean, its windows, and what it refuses.

The model is a real one, made here: a BERT without layers whose words have chosen vectors, so that
what it says of a passage is known from the passage's first word after the mark.
"""

from __future__ import annotations

import importlib.util
import math
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kgverify import Claim, EvidenceError, Failure, Judgement, NliJudge, Passage, RelationWords
from kgverify.evidence.nli import MEANINGS, combined, probabilities, read_labels
from kgverify.evidence.passages import Extent

HAS_EXTRA = all(importlib.util.find_spec(name) for name in ("torch", "transformers"))
needs_extra = pytest.mark.skipif(not HAS_EXTRA, reason="needs the extra `neural`")

THREE = {0: "entailment", 1: "neutral", 2: "contradiction"}
CLAIM = Claim(("a",), RelationWords("r"), ("b",), "claim holds")


# ------------------------------------------------------------------ labels


@pytest.mark.parametrize(
    ("id2label", "logits", "meaning"),
    [
        ({"0": "contradiction", "1": "entailment", "2": "neutral"}, [0.2, 2.5, 0.1], "entailment"),
        ({"0": "Entailment", "1": "NEUTRAL", "2": "contradiction"}, [-1, 0, 4], "contradiction"),
        ({"2": "ENTAILMENT", "0": "CONTRADICTION", "1": "NEUTRAL"}, [-1, 0, 4], "entailment"),
        ({1: "neutral", 0: "contradiction", 2: "entailment"}, [0, 4, 0], "neutral"),
        ({"0": "entailment", "1": "not_entailment"}, [-1, 2], "not_entailment"),
        ({"0": "Not-Entailment", "1": "entailment"}, [-1, 2], "entailment"),
    ],
)
def test_labels_are_read_by_their_names(
    id2label: dict[Any, str], logits: list[float], meaning: str
) -> None:
    meanings = read_labels(id2label, None, "m")
    found = probabilities(np.array(logits), meanings)
    assert isinstance(found, dict)
    assert max(found, key=lambda known: found[known]) == meaning
    assert sum(found.values()) == pytest.approx(1)


@pytest.mark.parametrize(
    ("id2label", "said"),
    [
        ({0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2"}, "does not say what it means"),
        ({0: "neutral", 1: "entailment", 2: "Entailment"}, "two labels are called `entailment`"),
        ({0: "supports", 1: "refutes", 2: "not enough info"}, "does not say what it means"),
        ({0: "entailment", 1: "neutral"}, "needs entailment"),
        ({0: "entailment", 2: "neutral", 3: "contradiction"}, "not numbered from 0"),
        ({0: "neutral", 1: "contradiction"}, "needs entailment"),
    ],
)
def test_labels_that_leave_doubt_are_refused(id2label: dict[int, str], said: str) -> None:
    with pytest.raises(EvidenceError, match=said) as caught:
        read_labels(id2label, None, "some/model")
    (problem,) = caught.value.problems
    assert problem.code == "nli-labels"
    assert "LABEL_0=contradiction" in problem.hint
    assert all(f"`{name}`" in problem.message for name in id2label.values())
    assert str(problem.span) == "some/model"


def test_a_mapping_says_what_labels_mean() -> None:
    names = {0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2"}
    given = {"label_0": "contradiction", "LABEL_1": "neutral", "LABEL_2": "entailment"}
    assert read_labels(names, given, "m") == {
        0: "contradiction",
        1: "neutral",
        2: "entailment",
    }
    with pytest.raises(EvidenceError, match="no label `LABEL_9`"):
        read_labels(names, {**given, "LABEL_9": "neutral"}, "m")
    with pytest.raises(EvidenceError, match="does not say"):
        read_labels(names, {"LABEL_0": "yes"}, "m")


def test_softmax_is_over_one_row() -> None:
    meanings = read_labels({0: "contradiction", 1: "neutral", 2: "entailment"}, None, "m")
    found = probabilities(np.array([1.0, 1.0, 5.0]), meanings)
    assert isinstance(found, dict)
    assert found["entailment"] == pytest.approx(math.e**5 / (math.e**5 + 2 * math.e))


@pytest.mark.parametrize(
    "logits", [[4.0, 0.0], [4.0, 0, 0, 0], [math.nan, 0, 1], [math.inf, 0, 1], [[0, 1, 2]]]
)
def test_wrong_logits_are_no_verdict(logits: list[Any]) -> None:
    meanings = read_labels(THREE, None, "m")
    found = probabilities(np.array(logits), meanings)
    assert not isinstance(found, dict)
    assert found.code == "nli-logits"


# ------------------------------------------------------------------ windows together


def row(**shares: float) -> dict[Any, float]:
    return {m: shares.get(m, 0.0) for m in MEANINGS[:3]}


EXTENTS = [Extent(0, 5), Extent(4, 9), Extent(8, 12)]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2)])
def test_windows_that_disagree_leave_it_open(order: tuple[int, ...]) -> None:
    rows = [row(entailment=0.9), row(neutral=0.8), row(contradiction=0.7)]
    found = combined([EXTENTS[n] for n in order], [rows[n] for n in order])
    assert isinstance(found, Judgement)
    assert found.label == "UNCERTAIN"
    assert "contradicts" in found.reason


def test_a_neutral_window_speaks_against_none() -> None:
    found = combined(EXTENTS, [row(neutral=0.99), row(entailment=0.6), row(entailment=0.8)])
    assert found == Judgement(
        "ENTAILED", 0.8, EXTENTS[2], "probability 0.8000 in the best of 3 windows"
    )
    found = combined(EXTENTS[:2], [row(neutral=0.99), row(contradiction=0.6)])
    assert isinstance(found, Judgement)
    assert (found.label, found.score) == ("NOT_ENTAILED", 0.6)


def test_a_model_of_two_labels_is_never_uncertain() -> None:
    yes, no = ({"entailment": p, "not_entailment": 1 - p} for p in (0.7, 0.2))
    found = combined(EXTENTS[:2], [no, yes])  # type: ignore[list-item]
    assert isinstance(found, Judgement)
    assert (found.label, found.score, found.extent) == ("ENTAILED", 0.7, EXTENTS[1])
    found = combined(EXTENTS[:2], [no, {"entailment": 0.4, "not_entailment": 0.6}])  # type: ignore[list-item]
    assert isinstance(found, Judgement)
    assert (found.label, found.score) == ("NOT_ENTAILED", 0.6)


# ------------------------------------------------------------------ a model

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "yes", "no", "maybe", "filler", "claim",
         "holds", "."]  # fmt: skip
# The classifier sees the mark's vector, which attention fills with those of the words.
DIRECTION = {"yes": 0, "maybe": 1, "no": 2}


@pytest.fixture(scope="module")
def make(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Makes folders with models whose labels have these names."""

    def build(labels: dict[int, str], head: bool = True, longest: int = 64) -> Path:
        import torch
        from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

        folder = tmp_path_factory.mktemp("nli")
        (folder / "vocab.txt").write_text("\n".join(WORDS) + "\n")
        BertTokenizerFast(str(folder / "vocab.txt"), model_max_length=longest).save_pretrained(
            folder
        )
        config = BertConfig(
            vocab_size=len(WORDS),
            hidden_size=8,
            num_hidden_layers=1,
            num_attention_heads=1,
            intermediate_size=8,
            max_position_embeddings=longest,
            id2label=labels,
            label2id={name: place for place, name in labels.items()},
        )
        model = BertForSequenceClassification(config)
        with torch.no_grad():
            for weights in model.parameters():
                weights.zero_()
            for name, weights in model.named_parameters():
                if "LayerNorm.weight" in name:
                    weights.fill_(1.0)
            rows = model.bert.embeddings.word_embeddings.weight
            for word, place in DIRECTION.items():
                rows[WORDS.index(word), place] = 1.0
                rows[WORDS.index(word)] -= 1 / 8
            attention = model.bert.encoder.layer[0].attention
            attention.self.value.weight.copy_(torch.eye(8))
            attention.output.dense.weight.copy_(torch.eye(8))
            model.bert.pooler.dense.weight.copy_(torch.eye(8))
            for place in range(len(labels)):
                model.classifier.weight[place, place] = 5.0
        (model if head else model.bert).save_pretrained(folder)
        return folder

    return build


@pytest.fixture(autouse=True)
def _offline(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a model is never looked for elsewhere")

    monkeypatch.setattr(socket.socket, "connect", refuse)


def only(found: list[Judgement | Failure]) -> Judgement:
    (answer,) = found
    assert isinstance(answer, Judgement), answer
    return answer


@needs_extra
def test_a_model_judges(make: Callable[..., Path]) -> None:
    judge = NliJudge(make(THREE))
    for word, label in (("yes", "ENTAILED"), ("maybe", "UNCERTAIN"), ("no", "NOT_ENTAILED")):
        answer = only(judge.judge([(Passage("p", word), CLAIM)]))
        assert answer.label == label
        assert answer.extent == Extent(0, len(word))
    assert judge.name.startswith("nli ")


@needs_extra
def test_the_order_of_labels_in_the_model_is_what_counts(make: Callable[..., Path]) -> None:
    judge = NliJudge(make({0: "contradiction", 1: "neutral", 2: "entailment"}))
    assert only(judge.judge([(Passage("p", "yes"), CLAIM)])).label == "NOT_ENTAILED"


@needs_extra
def test_a_title_counts_and_the_place_is_in_the_text(make: Callable[..., Path]) -> None:
    answer = only(NliJudge(make(THREE)).judge([(Passage("p", "filler", "yes"), CLAIM)]))
    assert answer.label == "ENTAILED"
    assert answer.extent == Extent(0, 6)


@needs_extra
def test_a_heading_counts_and_the_place_is_in_the_text(make: Callable[..., Path]) -> None:
    passage = Passage("p", "filler", "filler", heading="yes")
    answer = only(NliJudge(make(THREE)).judge([(passage, CLAIM)]))
    assert answer.label == "ENTAILED"
    assert answer.extent == Extent(0, 6)


@needs_extra
def test_a_long_passage_is_read_to_its_end_in_windows(make: Callable[..., Path]) -> None:
    judge = NliJudge(make(THREE, longest=32), stride=4)
    text = "filler " * 60 + "yes yes yes"
    answer = only(judge.judge([(Passage("p", text), CLAIM)]))
    assert answer.label == "ENTAILED"
    assert "windows" in answer.reason
    assert answer.extent is not None
    assert answer.extent.end == len(text)
    assert answer.extent.of(text).endswith("yes")
    both = only(judge.judge([(Passage("p", "no no no " + text), CLAIM)]))
    assert both.label == "UNCERTAIN"


@needs_extra
def test_a_batch_is_as_one_at_a_time(make: Callable[..., Path]) -> None:
    judge = NliJudge(make(THREE, longest=32), stride=4)
    texts = ["yes", "no filler", "maybe " * 50, "filler yes no", "yes " * 3, ""]
    pairs = [(Passage(str(n), text), CLAIM) for n, text in enumerate(texts)]
    together = judge.judge(pairs)
    assert together == [answer for pair in pairs for answer in judge.judge([pair])]
    assert together == judge.judge(pairs[::-1])[::-1]
    assert judge.judge([]) == []


@needs_extra
def test_a_claim_that_leaves_no_room_is_a_failure_of_its_own(make: Callable[..., Path]) -> None:
    judge = NliJudge(make(THREE, longest=16))
    long = Claim(("a",), RelationWords("r"), ("b",), "claim holds " * 20)
    failed, answer = judge.judge([(Passage("p", "yes"), long), (Passage("p", "yes"), CLAIM)])
    assert isinstance(failed, Failure)
    assert failed.problem.code == "long-claim"
    assert isinstance(answer, Judgement)


@needs_extra
def test_logits_that_are_no_numbers_are_a_failure(make: Callable[..., Path]) -> None:
    import torch

    judge = NliJudge(make(THREE))
    with torch.no_grad():
        judge._model.classifier.bias[0] = math.nan
    (answer,) = judge.judge([(Passage("p", "yes"), CLAIM)])
    assert isinstance(answer, Failure)
    assert "nan" in answer.raw


@needs_extra
def test_labels_are_checked_before_anything_is_judged(make: Callable[..., Path]) -> None:
    folder = make({0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2"})
    with pytest.raises(EvidenceError, match="does not say what it means"):
        NliJudge(folder)
    given = {"LABEL_0": "entailment", "LABEL_1": "neutral", "LABEL_2": "contradiction"}
    judge = NliJudge(folder, given)
    assert only(judge.judge([(Passage("p", "yes"), CLAIM)])).label == "ENTAILED"


@needs_extra
def test_weights_that_are_missing_are_not_made_up(make: Callable[..., Path]) -> None:
    with pytest.raises(EvidenceError, match=r"lacks weights.*classifier"):
        NliJudge(make(THREE, head=False))


@needs_extra
@pytest.mark.parametrize("name", ["nowhere", "some-org/some-model"])
def test_what_is_not_here_is_not_downloaded(name: str, tmp_path: Path) -> None:
    with pytest.raises(EvidenceError) as caught:
        NliJudge(tmp_path / name if name == "nowhere" else name)
    assert caught.value.problems[0].code == "no-model"
