"""Checks JSON-LD before it is parsed: no remote context, no IRI that would be dropped silently."""

from __future__ import annotations

import json
from collections.abc import Iterator

from kgverify.errors import GraphError, Problem
from kgverify.graph.reading.files import SourceFile
from kgverify.graph.reading.ntriples import ILLEGAL_IN_IRI, illegal_character
from kgverify.graph.reading.rejects import Rejects

_HINT = "put the context's content in the file, in place of its URL: kgverify fetches nothing"


def check_jsonld(text: str, source: SourceFile, rejects: Rejects) -> None:
    """Raises GraphError when the text is no JSON or names a remote context, anywhere; rejects ids
    that are no IRIs, which the parser would leave out together with what is said of them."""
    try:
        document = json.loads(text, parse_int=str, parse_float=str)
    except json.JSONDecodeError as error:
        raise source.problem("bad-json", error.msg, line=error.lineno) from error
    except RecursionError as error:
        raise source.problem("bad-json", "the JSON is nested too deeply") from error
    objects = list(_objects(document))
    contexts = [item for each in objects for item in _listed(each.get("@context"))]
    contexts += [each["@import"] for each in objects if "@import" in each]
    if remote := sorted({item for item in contexts if isinstance(item, str)}):
        raise GraphError(
            Problem("remote-context", f"refers to the remote context {url}", source.span(), _HINT)
            for url in remote
        )
    inline = [item for item in contexts if isinstance(item, dict)]
    has_base = any(context.get("@base") for context in inline)
    id_keys = {"@id"} | {term for context in inline for term, to in context.items() if to == "@id"}
    for each in objects:
        for key in id_keys & each.keys():
            name = each[key]
            if isinstance(name, str) and not any(each is context for context in inline):
                _check_id(name, has_base, source, rejects)


def _check_id(text: str, has_base: bool, source: SourceFile, rejects: Rejects) -> None:
    illegal = next((character for character in text if character in ILLEGAL_IN_IRI), None)
    if illegal is not None:
        message = f"{illegal_character(illegal)}: `{text}`"
        hint = f"an IRI may have it percent-encoded: %{ord(illegal):02X}"
        rejects.add("bad-iri", message, source.span(), hint)
    elif ":" not in text and not text.startswith("@") and not has_base:
        message = f"`{text}` is a relative IRI, and there is no base to resolve it"
        rejects.add("bad-iri", message, source.span(), "declare `@base` in the context")


def _objects(document: object) -> Iterator[dict[str, object]]:
    """Every JSON object in a document, contexts included."""
    waiting = [document]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            yield value
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]
