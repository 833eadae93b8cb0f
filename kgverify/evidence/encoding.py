"""Vectors of texts by a transformers model on this machine; needs the extra `neural`.

A text's vector is the mean of its tokens' vectors, or the first of them where the model's folder
says so (Reimers and Gurevych, "Sentence-BERT", 2019); two texts are as like as the cosine of their
vectors.  Nothing is ever downloaded.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kgverify.errors import KgverifyError, Problem, Span, counted
from kgverify.evidence.pooling import pooling_of

_BATCH = 64  # texts that the model is given at once
# Of a model's folder: settings, words and weights, but no description for people.
_FILES = (".json", ".txt", ".model", ".safetensors", ".bin")

Vectors = npt.NDArray[np.float32]


class Encoder:
    """A model, from a folder in which transformers or sentence-transformers has saved it with its
    tokenizer.

    `longest`: so many tokens of a text count, or fewer where the model was trained on fewer."""

    def __init__(self, path: str | Path, longest: int = 256) -> None:
        self.path = Path(path)
        self._pooling = pooling_of(self.path)
        self._longest = min(longest, self._pooling.longest or longest)
        self._tokenizer, self._model, self._torch = _loaded(self._pooling.folder)

    @property
    def width(self) -> int:
        """The number of columns of a vector."""
        return int(self._model.config.hidden_size)

    @property
    def key(self) -> str:
        """All that the vectors depend on: the model's files, and how they are used."""
        digest = hashlib.sha256()
        for file in sorted(self.path.rglob("*")):
            if file.suffix in _FILES and file.is_file():
                digest.update(str(file.relative_to(self.path)).encode() + b"\0")
                with file.open("rb") as stream:
                    digest.update(hashlib.file_digest(stream, "sha256").digest())
        return f"{digest.hexdigest()}, {self._longest} tokens"

    def vectors(
        self, texts: Sequence[str], progress: Callable[[int, int], None] | None = None
    ) -> Vectors:
        """The vectors of some texts, row by row, each of length 1 (or 0 where it has none).

        `progress` is told after each batch how many texts of how many are done."""
        rows = []
        for first in range(0, len(texts), _BATCH):
            rows.append(self._batch(texts[first : first + _BATCH]))
            if progress is not None:
                progress(min(first + _BATCH, len(texts)), len(texts))
        found = np.concatenate(rows) if rows else np.zeros((0, self.width), np.float32)
        lengths = np.sqrt(np.square(found).sum(axis=1, keepdims=True))
        return np.divide(found, np.where(lengths > 0, lengths, 1), dtype=np.float32)

    def _batch(self, texts: Sequence[str]) -> Vectors:
        with self._torch.no_grad():
            inputs = self._tokenizer(
                [text.lower() for text in texts] if self._pooling.lower else list(texts),
                padding=True,
                truncation=True,
                max_length=self._longest,
                return_tensors="pt",
            )
            hidden = self._model(**inputs).last_hidden_state
            if self._pooling.mode == "cls":
                return np.asarray(hidden[:, 0].to(self._torch.float32).numpy())
            mask = inputs["attention_mask"].unsqueeze(-1).to(hidden.dtype)
            mean = (hidden * mask).sum(1) / mask.sum(1).clamp(min=1)
        return np.asarray(mean.to(self._torch.float32).numpy())


def import_transformers(what: str) -> tuple[Any, Any]:
    """The packages torch and transformers; `what` says what they are needed for."""
    try:
        # By name, since the extra may be absent where the types are checked.
        return import_module("torch"), import_module("transformers")
    except ImportError as error:
        message = f"{what} needs torch and transformers ({error})"
        hint = "install them: pip install 'kgverify[neural]'"
        raise KgverifyError(Problem("missing-extra", message, None, hint)) from error


def _loaded(path: Path) -> tuple[Any, Any, Any]:
    """The tokenizer, the model and torch."""
    torch, transformers = import_transformers("embeddings")
    span = Span(str(path))
    if not (path / "config.json").is_file():
        message = "this is no folder with a transformers model: it has no config.json"
        hint = "name the folder into which a model was saved; nothing is downloaded"
        raise KgverifyError(Problem("no-model", message, span, hint))
    try:
        with quiet(transformers.utils.logging):
            tokenizer = transformers.AutoTokenizer.from_pretrained(str(path), local_files_only=True)
            model, loaded = transformers.AutoModel.from_pretrained(
                str(path), local_files_only=True, output_loading_info=True
            )
    except Exception as error:  # transformers raises nearly anything for a broken folder
        lines = str(error).strip().splitlines() or [type(error).__name__]
        message = f"the model can't be loaded: {lines[0]}"
        raise KgverifyError(Problem("no-model", message, span)) from error
    # Weights that are missing would be made up at random; the pooler's are not used.
    missing = sorted(key for key in loaded["missing_keys"] if "pooler" not in key.split("."))
    if missing:
        shown = ", ".join(f"`{key}`" for key in missing[:3])
        message = f"the model lacks {counted(len(missing), 'weight')}, among them {shown}"
        raise KgverifyError(Problem("no-model", message, span))
    model.eval()
    return tokenizer, model, torch


@contextmanager
def quiet(logging: Any) -> Iterator[None]:
    """Without the bars and reports of transformers, which otherwise end up among messages."""
    level, has_bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if has_bars:
            logging.enable_progress_bar()
