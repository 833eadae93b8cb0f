"""What was read for missing edges, kept on disk line by line, so that a run can be gone on with.

The journal has what is dear: which passages were found and what the judge said.  What follows from
it is computed anew, so that a run that was interrupted ends with what it would have ended with."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from kgverify.completion.breakpoints import Breakpoint
from kgverify.errors import EvidenceError, Problem, Span
from kgverify.evidence.judging import Failure, Judgement


class Answer(msgspec.Struct, frozen=True):
    """What the judge said of an object and a passage, by their ids; one of the two is there."""

    object: str
    passage: str
    judgement: Judgement | None = None
    failure: Failure | None = None

    @classmethod
    def of(cls, object: str, passage: str, said: Judgement | Failure) -> Answer:
        if isinstance(said, Failure):
            return cls(object, passage, failure=said)
        return cls(object, passage, said)

    @property
    def said(self) -> Judgement | Failure:
        found = self.judgement or self.failure
        assert found is not None  # `Journal` reads no other
        return found


class Reading(msgspec.Struct, frozen=True):
    """What was read for a missing edge in a round: the query's text, the ids of the passages that
    were found, best first, and what the judge said of what had not been judged before.

    `generated`, in the first round, are the names that a generator said."""

    missing: Breakpoint
    round: int
    query: str
    passages: tuple[str, ...]
    answers: tuple[Answer, ...]
    generated: tuple[str, ...] = ()


class Pins(msgspec.Struct, frozen=True):
    """What readings rest on: with something else they could be others.  `candidates` says where
    the objects come from that are judged."""

    version: str
    graph: str
    rules: str
    corpus: str
    retriever: str
    judge: str
    top_k: int
    most: int
    candidates: str


class Journal:
    """Readings by missing edge and round; with a path, each is on disk before the next begins.

    A last line that was not written to its end is cut off.  Raises EvidenceError when another line
    is none, or when the file is of another run."""

    def __init__(self, pins: Pins, path: Path | None = None) -> None:
        self._path = path
        self._readings: dict[tuple[Breakpoint, int], Reading] = {}
        if path is None:
            return
        if not path.exists() or not self._read(path, pins):
            path.write_bytes(b"")
            self._append(msgspec.json.encode(pins))

    def __len__(self) -> int:
        return len(self._readings)

    def get(self, missing: Breakpoint, round: int) -> Reading | None:
        return self._readings.get((missing, round))

    def add(self, reading: Reading) -> None:
        """Keep a reading.  Raises ValueError for one that is there already."""
        if (reading.missing, reading.round) in self._readings:
            raise ValueError(f"{reading.missing} was read for in round {reading.round}")
        self._append(msgspec.json.encode(reading))
        self._readings[reading.missing, reading.round] = reading

    def _append(self, line: bytes) -> None:
        if self._path is not None:
            with self._path.open("ab") as stream:
                stream.write(line + b"\n")
                stream.flush()
                os.fsync(stream.fileno())

    def _read(self, path: Path, pins: Pins) -> bool:
        """Is there a journal?  Its readings are then known."""
        data = path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        head, *lines = whole.splitlines() or [b""]
        if not whole:
            # Only what could be the beginning of a first line is thrown away.
            if data and not msgspec.json.encode(pins).startswith(data):
                raise _broken(path, 1, "is no line of a journal")
            return False
        try:
            found = msgspec.json.decode(head, type=Pins)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise _broken(path, 1, str(error)) from error
        others = [name for name in pins.__struct_fields__ if _differ(name, found, pins)]
        if others:
            message = f"the journal is of a run with another {', '.join(others)}"
            hint = "name a new file, or go on as that run was begun"
            raise EvidenceError(Problem("journal-other-run", message, Span(str(path), 1), hint))
        for number, line in enumerate(lines, 2):
            try:
                reading = msgspec.json.decode(line, type=Reading)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise _broken(path, number, str(error)) from error
            key = reading.missing, reading.round
            if any((one.judgement is None) is (one.failure is None) for one in reading.answers):
                raise _broken(path, number, "an answer is a judgement or a failure")
            if key in self._readings:
                message = f"{reading.missing} is there twice for round {reading.round}"
                raise _broken(path, number, message)
            self._readings[key] = reading
        if len(whole) < len(data):
            os.truncate(path, len(whole))
        return True


def _differ(name: str, one: Pins, other: Pins) -> bool:
    return bool(getattr(one, name) != getattr(other, name))


def _broken(path: Path, line: int, why: str) -> EvidenceError:
    hint = "take away the file, or the line"
    return EvidenceError(Problem("journal", f"broken journal: {why}", Span(str(path), line), hint))
