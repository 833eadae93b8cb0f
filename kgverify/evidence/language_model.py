"""A language model behind the chat interface that OpenAI's service has, and many others too.

No redirects are followed, no proxy is used, and an answer that is late, large or no JSON is an
error.  Nothing here reads a question or knows a graph.
"""

from __future__ import annotations

import http.client
import json
import socket
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Timer
from typing import Any
from urllib.parse import urlsplit

import msgspec

from kgverify.errors import ModelError, Problem, Span, counted

SECONDS = 60.0
MOST_BYTES = 1 << 20
_QUOTED = 200  # characters of a refusal that are shown
_UNKNOWN_FIELDS = ("400", "422")  # statuses by which services refuse fields that they don't know


@dataclass(frozen=True)
class LanguageModel:
    """Where a language model is asked: `url` is the base of the interface, as in
    `http://localhost:11434/v1`.

    A whole answer has to come within `seconds`, and to have `most_bytes` at the most.  Raises
    ModelError when the URL is no http(s) URL, or when the key can't be sent."""

    url: str
    model: str
    key: str = field(default="", repr=False)
    seconds: float = SECONDS
    most_bytes: int = MOST_BYTES

    def __post_init__(self) -> None:
        try:
            parts = urlsplit(self.url)
            is_good = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        except ValueError:
            is_good = False
        if not is_good or not self.url.isascii() or not self.url.isprintable() or " " in self.url:
            message = "a language model is asked over http or https"
            hint = "write the base of its interface, as in http://localhost:11434/v1"
            raise _error("llm-url", message, self.url, hint)
        if parts.username is not None or parts.query or parts.fragment:
            hint = "give a key by the environment variable KGVERIFY_LLM_KEY"
            message = "the URL of a language model has a host and a path only"
            raise _error("llm-url", message, parts.hostname or "", hint)
        if not (self.key.isascii() and self.key.isprintable()):
            raise _error("llm-key", "the key has characters that can't be sent", self.url)
        if not self.model.strip():
            raise _error("llm-model", "no language model is named", self.url)

    def reply(self, messages: Sequence[Mapping[str, str]], schema: Mapping[str, Any]) -> str:
        """What the model says to some messages, which should be JSON of a schema.

        Raises ModelError when no answer comes, or one that is no answer of this interface."""
        plain: dict[str, Any] = {"model": self.model, "messages": list(messages)}
        form = {"name": "reading", "strict": True, "schema": schema}
        kept = {"temperature": 0, "response_format": {"type": "json_schema", "json_schema": form}}
        try:
            body = self._exchanged({**plain, **kept})
        except ModelError as error:
            if error.problems[0].subject not in _UNKNOWN_FIELDS:
                raise
            body = self._exchanged(plain)  # some services know no forms, or no temperature
        try:
            answer = msgspec.json.decode(body, type=_Answer)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            message = f"the service's answer is not that of a chat interface: {error}"
            raise _error("llm-answer", message, self.url, raw=_text(body)) from error
        choice = answer.choices[0] if answer.choices else None
        if choice is None or not choice.message.content:
            raise _error(
                "llm-answer", "the service's answer has no text", self.url, raw=_text(body)
            )
        if choice.finish_reason == "length":
            cut = "the model's reply was cut off"
            raise _error("llm-answer", cut, self.url, raw=choice.message.content)
        return choice.message.content

    # -------------------------------------------------------- the exchange

    def _exchanged(self, asked: Mapping[str, Any]) -> bytes:
        body = json.dumps(asked).encode("ascii")
        parts = urlsplit(self.url)
        path = parts.path.rstrip("/").removesuffix("/chat/completions") + "/chat/completions"
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        kind = (
            http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        )
        connection = kind(parts.hostname or "", parts.port, timeout=self.seconds)
        late = False
        end = time.monotonic() + self.seconds
        try:
            connection.connect()
            with _ended(connection.sock, end) as ended:
                try:
                    connection.request("POST", path, body, headers)
                    with connection.getresponse() as response:
                        found = self._received(response)
                finally:
                    late = ended()
        except (OSError, http.client.HTTPException) as error:
            if late or isinstance(error, TimeoutError):
                raise self._late() from error
            why = str(error) or type(error).__name__
            message = f"the language model can't be reached: {why}"
            raise _error("llm-unreachable", message, self.url) from error
        except ModelError as error:
            if late:  # what is wrong with the answer is that it was cut off
                raise self._late() from error
            raise
        finally:
            connection.close()
        if late:
            raise self._late()
        return found

    def _received(self, response: http.client.HTTPResponse) -> bytes:
        """The body of an answer, if it is JSON and not too large."""
        if response.status != 200:
            said = response.read(4 * _QUOTED).decode("utf-8", "replace")
            said = " ".join(said.split())[:_QUOTED]
            message = f"the service answered with status {response.status}" + (
                f": {said}" if said else ""
            )
            hint = _hint(response.status)
            status = str(response.status)
            problem = Problem("llm-status", message, Span(self.url), hint, subject=status)
            raise ModelError(problem, said)
        kind = response.headers.get_content_type()
        if kind != "application/json":
            message = f"the service answered with {kind}, not with application/json"
            raise _error("llm-content-type", message, self.url)
        if response.headers.get("Content-Encoding", "identity").lower() != "identity":
            raise _error("llm-content-type", "the service's answer is compressed", self.url)
        body = response.read(self.most_bytes + 1)
        if len(body) > self.most_bytes:
            most = counted(self.most_bytes, "byte")
            raise _error("llm-too-large", f"the service's answer has more than {most}", self.url)
        return body

    def _late(self) -> ModelError:
        message = f"no whole answer came within {self.seconds:g} seconds"
        return _error("llm-timeout", message, self.url, "allow more time, or ask a faster model")


class _Message(msgspec.Struct):
    content: str | None = None


class _Choice(msgspec.Struct):
    message: _Message
    finish_reason: str | None = None


class _Answer(msgspec.Struct):
    choices: list[_Choice]


@contextmanager
def _ended(sock: socket.socket, end: float) -> Iterator[Any]:
    """Ends a connection at a time, however slowly the other side goes on; what is yielded tells
    whether it was."""
    done: list[bool] = []

    def shut() -> None:
        done.append(True)
        try:
            # Not the method of an encrypted socket, which other threads must leave alone.
            socket.socket.shutdown(sock, socket.SHUT_RDWR)
        except OSError:
            return  # the other side was quicker

    timer = Timer(max(0.0, end - time.monotonic()), shut)
    timer.daemon = True
    timer.start()
    try:
        yield lambda: bool(done)
    finally:
        timer.cancel()
        timer.join()


def _hint(status: int) -> str:
    if status in (401, 403):
        return "give a key by the environment variable KGVERIFY_LLM_KEY"
    if status in (301, 302, 303, 307, 308):
        return "redirects are not followed; write the URL that is meant"
    if status == 404:
        return "write the base of the interface, as in http://localhost:11434/v1"
    return ""


def _text(body: bytes) -> str:
    return body.decode("utf-8", "replace")


def _error(code: str, message: str, url: str, hint: str = "", raw: str = "") -> ModelError:
    return ModelError(Problem(code, message, Span(url), hint), raw)
