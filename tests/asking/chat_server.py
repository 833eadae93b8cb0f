"""A small server with the chat interface, which says what a test tells it to."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Answer:
    """What the server sends.  Where `body` is None it is a chat completion with `content`."""

    content: str = ""
    body: bytes | None = None
    status: int = 200
    kind: str = "application/json; charset=utf-8"
    headers: dict[str, str] = field(default_factory=dict)
    pause: float = 0.0  # before each byte; a test's client does not wait for all of them

    def bytes(self) -> bytes:
        if self.body is not None:
            return self.body
        message = {"role": "assistant", "content": self.content}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        return json.dumps({"id": "1", "object": "chat.completion", "choices": [choice]}).encode()


class ChatServer(ThreadingHTTPServer):
    """Sends its answers in order, the last one again and again, and keeps what it was asked."""

    daemon_threads = True

    def __init__(self, answers: list[Answer]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers = answers
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.stopped = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that has gone away is no failure of a test."""


class _Handler(BaseHTTPRequestHandler):
    server: ChatServer

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        self.server.asked.append(json.loads(self.rfile.read(length)))
        self.server.headers.append(dict(self.headers.items()))
        self.server.paths.append(self.path)
        number = min(len(self.server.asked), len(self.server.answers)) - 1
        answer = self.server.answers[number]
        body = answer.bytes()
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.end_headers()
        if not answer.pause:
            self.wfile.write(body)
            return
        for byte in body:
            if self.server.stopped.wait(answer.pause):
                return
            self.wfile.write(bytes([byte]))

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""


@contextmanager
def chat_server(*answers: Answer | str) -> Iterator[ChatServer]:
    """A running server; a text is the content of a completion."""
    server = ChatServer([a if isinstance(a, Answer) else Answer(a) for a in answers])
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.stopped.set()
        server.shutdown()
        thread.join()
        server.server_close()
