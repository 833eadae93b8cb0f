"""A judge by a cross-encoder for natural language inference, a transformers model on this machine.

The model reads a piece of the passage as premise and the claim's sentence as hypothesis, and has a
logit for each of its labels.  Which label is which is read from the labels' names, never guessed.
Needs the extra `neural`; nothing is ever downloaded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from kgverify.errors import EvidenceError, Problem, Span
from kgverify.evidence.encoding import import_transformers, quiet
from kgverify.evidence.judging import Claim, Failure, Judgement, Label
from kgverify.evidence.passages import Extent, Passage

Meaning = Literal["entailment", "neutral", "contradiction", "not_entailment"]
MEANINGS: tuple[Meaning, ...] = ("entailment", "neutral", "contradiction", "not_entailment")
LONGEST = 512  # tokens that a model reads at once, unless its tokenizer knows better
STRIDE = 128  # tokens that neighbouring windows of a long passage share

Logits = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class _Window:
    """A piece of a pair's passage as the model reads it."""

    pair: int
    extent: Extent
    inputs: Mapping[str, Sequence[int]]


class NliJudge:
    """Judges by a model in a folder, or of a name that transformers has already kept here.

    `labels` gives the meaning of the model's labels by their names, where those do not say it:
    `{"LABEL_0": "contradiction", …}`.  A passage that is too long is read in windows that overlap
    by `stride` tokens.

    A label's score is the greatest probability that a window gives it (softmax over the labels of
    one row).  Windows that entail and windows that contradict leave the claim UNCERTAIN; neutral
    ones don't speak against others.  `neutral` is UNCERTAIN, and a model with two labels,
    `entailment` and `not_entailment`, never says UNCERTAIN unless its windows disagree."""

    def __init__(
        self,
        model: str | Path,
        labels: Mapping[str, str] | None = None,
        *,
        stride: int = STRIDE,
        longest: int | None = None,
    ) -> None:
        self._source = str(model)
        self._tokenizer, self._model, self._torch = _loaded(str(model))
        self.meanings = read_labels(self._model.config.id2label, labels, self._source)
        known = getattr(self._tokenizer, "model_max_length", LONGEST) or LONGEST
        places = getattr(self._model.config, "max_position_embeddings", LONGEST) or LONGEST
        self._longest = min(longest or LONGEST, known, places)
        self._stride = stride

    @property
    def name(self) -> str:
        """The kind of judge and its model."""
        return f"nli {self._source}"

    def judge(self, pairs: Sequence[tuple[Passage, Claim]]) -> list[Judgement | Failure]:
        """One answer for each pair, the same in any batch."""
        windows: list[_Window] = []
        failed: dict[int, Failure] = {}
        for number, (passage, claim) in enumerate(pairs):
            try:
                windows += self._windows(number, passage, claim)
            except EvidenceError as error:
                failed[number] = Failure(error.problems[0])
        rows = list(self._logits(windows))
        found: list[Judgement | Failure] = []
        for number, (passage, _) in enumerate(pairs):
            own = [(w, row) for w, row in zip(windows, rows, strict=True) if w.pair == number]
            found.append(failed.get(number) or self._answer(passage, own))
        return found

    # -------------------------------------------------------- windows

    def _windows(self, number: int, passage: Passage, claim: Claim) -> Iterator[_Window]:
        """The pieces of a passage, each with the hypothesis; the title stands before the text."""
        title = "".join(f"{said}. " for said in (passage.title, passage.heading) if said)
        text = title + passage.text
        room = self._longest - len(
            self._tokenizer("", claim.hypothesis, add_special_tokens=True)["input_ids"]
        )
        if room <= 1:
            message = f"the claim's sentence leaves no room for the passage: {claim.hypothesis}"
            raise EvidenceError(Problem("long-claim", message))
        read = self._tokenizer(
            text,
            claim.hypothesis,
            truncation="only_first",
            max_length=self._longest,
            stride=max(0, min(self._stride, room - 1)),
            return_overflowing_tokens=True,
            return_offsets_mapping=True,
        )
        keys = [key for key in read if key in self._tokenizer.model_input_names]
        for place, offsets in enumerate(read["offset_mapping"]):
            sequence = read.sequence_ids(place)
            own = [o for o, s in zip(offsets, sequence, strict=True) if s == 0 and o[1] > o[0]]
            start = max(0, own[0][0] - len(title)) if own else 0
            end = max(start, own[-1][1] - len(title)) if own else 0
            yield _Window(number, Extent(start, end), {key: read[key][place] for key in keys})

    def _logits(self, windows: Sequence[_Window]) -> Iterator[Logits]:
        """A row of logits for each window.  Each is read alone: what else is in a batch changes the
        last bits of a result, and a pair must have the same answer in any company."""
        for window in windows:
            inputs = {key: self._torch.tensor([list(v)]) for key, v in window.inputs.items()}
            with self._torch.no_grad():
                logits = self._model(**inputs).logits
            yield np.asarray(logits[0].to(self._torch.float32).numpy())

    # -------------------------------------------------------- answers

    def _answer(
        self, passage: Passage, own: Sequence[tuple[_Window, Logits]]
    ) -> Judgement | Failure:
        rows: list[dict[Meaning, float]] = []
        for _, logits in own:
            found = probabilities(logits, self.meanings)
            if isinstance(found, Problem):
                return Failure(found, " ".join(f"{value:g}" for value in np.ravel(logits)))
            rows.append(found)
        return combined([w.extent for w, _ in own], rows)


def probabilities(
    logits: NDArray[Any], meanings: Mapping[int, Meaning]
) -> dict[Meaning, float] | Problem:
    """The softmax of one row of logits, by the meanings of its places; or what is wrong with it."""
    row = np.asarray(logits, np.float64)
    if row.shape != (len(meanings),):
        count = row.shape[-1] if row.ndim else 0
        message = f"the model gave {count} logits for {len(meanings)} labels"
        return Problem("nli-logits", message)
    if not np.isfinite(row).all():
        return Problem("nli-logits", "the model gave a logit that is no number")
    powers = np.exp(row - row.max())
    shares = powers / powers.sum()
    return {meaning: float(shares[place]) for place, meaning in meanings.items()}


def combined(
    extents: Sequence[Extent], rows: Sequence[Mapping[Meaning, float]]
) -> Judgement | Failure:
    """What the windows of one passage say together."""
    if not rows:
        return Failure(Problem("empty-passage", "the passage has no text"))
    best: dict[Label, tuple[float, int]] = {}
    for place, row in enumerate(rows):
        meaning = max(row, key=lambda known: (row[known], -MEANINGS.index(known)))
        label = _LABEL[meaning]
        if label not in best or row[meaning] > best[label][0]:
            best[label] = row[meaning], place
    said = f" in the best of {len(rows)} windows" if len(rows) > 1 else ""
    if "ENTAILED" in best and "NOT_ENTAILED" in best and "contradiction" in rows[0]:
        score = min(best["ENTAILED"][0], best["NOT_ENTAILED"][0])
        reason = "one window entails the claim and another contradicts it"
        return Judgement("UNCERTAIN", 1 - score, extents[best["ENTAILED"][1]], reason)
    for label in ("ENTAILED", "NOT_ENTAILED", "UNCERTAIN"):
        if label in best:
            score, place = best[label]
            if label == "NOT_ENTAILED" and "contradiction" not in rows[0]:
                score = min(row["not_entailment"] for row in rows)  # that no window entails it
            return Judgement(label, score, extents[place], f"probability {score:.4f}{said}")
    raise AssertionError("a row has a greatest share")


_LABEL: dict[Meaning, Label] = {
    "entailment": "ENTAILED",
    "neutral": "UNCERTAIN",
    "contradiction": "NOT_ENTAILED",
    "not_entailment": "NOT_ENTAILED",
}


def read_labels(
    id2label: Mapping[Any, str], given: Mapping[str, str] | None, model: str
) -> dict[int, Meaning]:
    """What the places of a model's logits mean.  The keys of `id2label` are the places; their order
    is nothing.

    Raises EvidenceError when the names do not say it, or say it twice."""
    names = {int(place): str(name) for place, name in id2label.items()}
    wanted = {_plain(name): meaning for name, meaning in (given or {}).items()}
    shown = ", ".join(f"{place}: `{name}`" for place, name in sorted(names.items()))
    hint = (
        "give what each means, one of entailment, neutral, contradiction and not_entailment, "
        "as in LABEL_0=contradiction"
    )

    def wrong(message: str) -> EvidenceError:
        text = f"{message}; the model's labels are {shown}"
        return EvidenceError(Problem("nli-labels", text, Span(model), hint))

    unknown = [name for name in given or {} if _plain(name) not in set(map(_plain, names.values()))]
    if unknown:
        raise wrong(f"the model has no label `{unknown[0]}`")
    if sorted(names) != list(range(len(names))):
        raise wrong("the labels are not numbered from 0")
    found: dict[int, Meaning] = {}
    for place, name in names.items():
        meaning = _plain(wanted.get(_plain(name), name))
        known = next((known for known in MEANINGS if known == meaning), None)
        if known is None:
            raise wrong(f"`{name}` does not say what it means")
        if known in found.values():
            raise wrong(f"two labels are called `{known}`")
        found[place] = known
    sets = {frozenset(MEANINGS[:3]), frozenset(("entailment", "not_entailment"))}
    if frozenset(found.values()) not in sets:
        raise wrong("a judge needs entailment, neutral and contradiction, or not_entailment alone")
    return found


def _plain(name: str) -> str:
    return name.strip().casefold().replace("-", "_").replace(" ", "_")


def _loaded(source: str) -> tuple[Any, Any, Any]:
    """The tokenizer, the model and torch."""
    torch, transformers = import_transformers("a judge by an NLI model")
    span = Span(source)
    try:
        with quiet(transformers.utils.logging):
            tokenizer = transformers.AutoTokenizer.from_pretrained(source, local_files_only=True)
            kind = transformers.AutoModelForSequenceClassification
            model, loaded = kind.from_pretrained(
                source, local_files_only=True, output_loading_info=True
            )
    except Exception as error:  # transformers raises nearly anything for a broken folder
        lines = str(error).strip().splitlines() or [type(error).__name__]
        message = f"the model can't be loaded: {lines[0]}"
        hint = "name a folder with a model, or one that is kept here; nothing is downloaded"
        raise EvidenceError(Problem("no-model", message, span, hint)) from error
    missing = sorted(loaded["missing_keys"])
    if missing:
        message = f"the model lacks weights, among them `{missing[0]}`"
        hint = "it is no model for sequence classification, or its file is broken"
        raise EvidenceError(Problem("no-model", message, span, hint))
    if not getattr(tokenizer, "is_fast", False):
        message = "the model's tokenizer can't tell the places of its tokens"
        raise EvidenceError(Problem("no-model", message, span, "give a model with a fast one"))
    model.eval()
    return tokenizer, model, torch
