"""A language model whose replies are read strictly: what can't be read is asked for again, and then
is an error."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from kgverify import strict_json
from kgverify.errors import ModelError, Problem
from kgverify.evidence.synergy.recording import Replies

RETRIES = 1
_QUOTED = 200  # characters of a reply that a message shows

T = TypeVar("T")


class StrictModel:
    """A language model, or a record of its replies; `calls` counts what was asked, also where a
    record had the reply."""

    def __init__(self, llm: Replies, retries: int = RETRIES) -> None:
        self._llm, self._retries = llm, max(0, retries)
        self.calls = 0

    @property
    def model(self) -> str:
        """The model's name."""
        return self._llm.model

    @property
    def name(self) -> str:
        """What a user of the model goes by in results."""
        return f"endpoint {self._llm.model}"

    def ask(
        self,
        messages: Sequence[Mapping[str, str]],
        schema: Mapping[str, Any],
        read: Callable[[str], T],
    ) -> T:
        """What `read` makes of the reply.  A ModelError that it raises, or that the model does,
        lets it be asked again, so many times as there are retries, and is then raised."""
        for _ in range(self._retries):
            try:
                return self._once(messages, schema, read)
            except ModelError:
                continue
        return self._once(messages, schema, read)

    def _once(
        self,
        messages: Sequence[Mapping[str, str]],
        schema: Mapping[str, Any],
        read: Callable[[str], T],
    ) -> T:
        self.calls += 1
        return read(self._llm.reply(messages, schema))


def read_json(reply: str, form: type[T], code: str) -> T:
    """A reply that is JSON of a form and nothing else.  Raises ModelError with the code."""
    try:
        return msgspec.convert(strict_json.loads(reply), form)
    except (strict_json.NotJson, msgspec.ValidationError) as error:
        message = f"the reply is no JSON of the form wanted: {error}"
        raise reply_error(code, message, reply) from error


def reply_error(code: str, message: str, reply: str) -> ModelError:
    """A reply that can't be used, with the whole of it."""
    return ModelError(Problem(code, message), reply)


def shortly(text: str) -> str:
    """What a reply says, for a message: its beginning, in quotes, with plain letters."""
    return ascii(text if len(text) <= _QUOTED else text[: _QUOTED - 1] + "…")
