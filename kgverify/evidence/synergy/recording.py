"""A language model's replies, written down as they come, so that an interrupted run goes on where
it stopped and a finished one can be done again without the model."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

import msgspec

from kgverify.errors import EvidenceError, Problem, Span


class Replies(Protocol):
    """What answers messages with JSON of a schema, as `LanguageModel` does."""

    @property
    def model(self) -> str:
        """The model's name."""

    def reply(self, messages: Sequence[Mapping[str, str]], schema: Mapping[str, Any]) -> str:
        """What the model says."""


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    asked: str
    reply: str


class Recorder:
    """Answers from a file of JSON Lines where the same model was asked the same before; else asks,
    and adds the reply to the file before it is used.  To be used in a `with`.

    A last line that was cut off is asked for again.  Raises EvidenceError when the file holds
    something else, or can't be read or written."""

    def __init__(self, llm: Replies, path: Path) -> None:
        self.model = llm.model
        self._llm, self._path = llm, path
        self._known: dict[str, str] = {}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("a+b")
        except OSError as error:
            raise _error(path, f"can't be opened: {error.strerror or error}") from error
        try:
            self._read()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Recorder:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def reply(self, messages: Sequence[Mapping[str, str]], schema: Mapping[str, Any]) -> str:
        """The reply on record, or a new one."""
        asked = json.dumps([self.model, list(messages), schema], sort_keys=True)
        key = hashlib.sha256(asked.encode()).hexdigest()
        if key not in self._known:
            reply = self._llm.reply(messages, schema)
            try:
                self._file.write(msgspec.json.encode(_Line(key, reply)) + b"\n")
                self._file.flush()
            except OSError as error:
                message = f"can't be written: {error.strerror or error}"
                raise _error(self._path, message) from error
            self._known[key] = reply
        return self._known[key]

    def _read(self) -> None:
        self._file.seek(0)
        whole = 0
        for number, line in enumerate(self._file, 1):
            if not line.endswith(b"\n"):
                break  # the run that wrote it was stopped
            try:
                found = msgspec.json.decode(line, type=_Line)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                message = f"this is no record of replies: {error}"
                raise _error(self._path, message, number) from error
            self._known[found.asked] = found.reply
            whole += len(line)
        self._file.truncate(whole)


def _error(path: Path, message: str, line: int = 0) -> EvidenceError:
    return EvidenceError(Problem("reply-record", message, Span(str(path), line)))
