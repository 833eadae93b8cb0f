"""What a language model may say of a question: the form of its replies, and their strict reading.

A reply names classes and relations of the rule file, and quotes the question for everything else.
Whether the names are there and the quotations true is checked where constraints are made of it
(`modelled`).
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

MOST_CONSTRAINTS = 32

Operator = Literal["<", "<=", "=", "!=", ">=", ">"]


class ReplyError(Exception):
    """A reply can't be used; the message tells the model why."""


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"cls": "class"}):
    """The class of what is asked for, and the question's words that say so."""

    cls: str
    words: tuple[str, ...]


class Compared(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a value compares, as the question writes it."""

    operator: Operator
    value: str


class Counted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many there are."""

    operator: Operator
    value: int


class Said(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One constraint: a relation, or a path of the rule language, between the answer and what
    the question names, a compared value, or a number of things.  `relation` may be `!=`.  Of the
    constraints with one number in `either`, one is enough."""

    demand: Literal["require", "exclude", "prefer"]
    relation: str
    subject: str
    words: tuple[str, ...]
    object: str | None = None
    compare: Compared | None = None
    count: Counted | None = None
    either: int | None = None


class Reply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a question asks for, and the constraints on it."""

    answer: Asked
    constraints: tuple[Said, ...]


def read_reply(text: str) -> Reply:
    """A reply from its JSON; raises ReplyError where it has another form."""
    try:
        reply = msgspec.json.decode(text, type=Reply, strict=True)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise ReplyError(f"the reply is not JSON of the form wanted: {error}") from error
    if not reply.constraints:
        raise ReplyError("the reply has no constraint")
    if len(reply.constraints) > MOST_CONSTRAINTS:
        raise ReplyError(f"the reply has more than {MOST_CONSTRAINTS} constraints")
    if all(said.demand == "prefer" for said in reply.constraints):
        raise ReplyError("the reply requires and excludes nothing")
    return reply


def reply_schema() -> dict[str, Any]:
    """The JSON schema of replies.  Every field is required, as services ask that keep a model to
    a schema: what doesn't matter is null."""
    found: dict[str, Any] = msgspec.json.schema(Reply)
    _require_all(found)
    return found


def _require_all(schema: Any) -> None:
    if isinstance(schema, list):
        for member in schema:
            _require_all(member)
    elif isinstance(schema, dict):
        schema.pop("default", None)
        if isinstance(schema.get("properties"), dict):
            schema["required"] = list(schema["properties"])
        for member in schema.values():
            _require_all(member)
