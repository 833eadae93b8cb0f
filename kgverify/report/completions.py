"""What came of missing edges, as lines of JSON and as a table."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from kgverify.completion.admission import Rejected, Weighed
from kgverify.completion.asking import Asked
from kgverify.completion.breakpoints import Edge, Source
from kgverify.completion.extracting import NamedObject, Place
from kgverify.completion.journal import Pins
from kgverify.completion.policy import Policy, exactly
from kgverify.completion.searching import Outcome
from kgverify.errors import counted, printable
from kgverify.evidence.corpus import Corpus
from kgverify.evidence.judging import Failure
from kgverify.graph import Graph


def json_line(
    asked: Asked,
    outcome: Outcome,
    policy: Policy,
    pins: Pins,
    proven: bool,
    graph: Graph,
    corpus: Corpus,
) -> str:
    """One missing edge as a line of JSON, with all that was read and all reasons."""
    named = {one.id: one for one in outcome.trail.candidates}

    def told(weighed: Weighed, round: int) -> dict[str, Any]:
        return {
            "object": weighed.edge.object,
            "label": label_of(graph, weighed.edge.object),
            "round": round,
            "verdict": weighed.verdict,
            "final": None if weighed.final is None else exactly(weighed.final),
            "sources": weighed.sources,
            "cited": list(weighed.passages),
        }

    found = {
        "id": asked.id,
        "subject": asked.missing.subject,
        "relation": asked.missing.relation,
        "status": "completed" if outcome.admitted else "abstained",
        "why": outcome.why,
        "edges": [
            told(one.weighed, one.round)
            | {"passages": _passages(one.edge, outcome, named[one.edge.object], corpus)}
            for one in outcome.admitted
        ],
        "rejected": [
            told(one.weighed, one.round)
            | {"reasons": [{"code": r.code, "text": r.text} for r in one.reasons]}
            for one in outcome.rejected
        ],
        "rounds": [
            {"round": one.round, "query": one.query, "passages": list(one.passages)}
            for one in outcome.trail.readings
        ],
        "left_out": outcome.trail.left_out,
        "generated": list(outcome.trail.generated),
        "unlinked": [msgspec.to_builtins(one) for one in outcome.trail.unlinked],
        "searches": len(outcome.trail.readings),
        "judged": sum(len(one.answers) for one in outcome.trail.readings),
        "proven": proven,
        "policy": policy.to_dict(),
        "pins": msgspec.to_builtins(pins),
    }
    return json.dumps(found, ensure_ascii=False, allow_nan=False) + "\n"


def _passages(
    edge: Edge, outcome: Outcome, named: NamedObject, corpus: Corpus
) -> list[dict[str, Any]]:
    """What was read for an edge: label, score and quote, and where the object is named."""
    found = []
    for source in outcome.sources[edge]:
        (number,) = corpus.find([source.passage]).tolist()
        places = [place for place in named.places if place.passage == number]
        found.append(
            {
                "id": source.passage,
                "origin": source.origin,
                "names_both": source.names_both,
                **_said(source, corpus[number].text),
                "mentions": [_pair(place) for place in places if not place.in_title],
                "title_mentions": [_pair(place) for place in places if place.in_title],
            }
        )
    return found


def _said(source: Source, text: str) -> dict[str, Any]:
    answer = source.answer
    if isinstance(answer, Failure):
        return {"label": None, "failure": answer.problem.message}
    place = answer.extent
    return {
        "label": answer.label,
        "score": answer.score,
        "quote": place.of(text) if place else None,
        "place": [place.start, place.end] if place else None,
    }


def _pair(place: Place) -> list[int]:
    return [place.extent.start, place.extent.end]


def print_outcomes(
    screen: Console, found: Iterable[tuple[Asked, Outcome]], graph: Graph, corpus: Corpus
) -> None:
    """A row for each edge that was admitted, with quotes; for each that was rejected in the last
    round that had any, with its first reason; for each name that was generated and is no candidate;
    and for each missing edge with nothing proposed."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in ("", "missing edge", "object", "final", "round", "why"):
        table.add_column(column, overflow="fold")
    for asked, outcome in found:
        subject = label_of(graph, asked.missing.subject)
        place = _text(f"{asked.id}: {asked.missing.relation}({subject}, ?)")
        for one in outcome.admitted:
            quotes = _quotes(outcome.sources[one.edge], one.weighed, corpus)
            table.add_row("+", place, *_row(one.weighed, one.round, graph), _text(quotes))
        for left in _last(outcome.rejected):
            first, *others = left.reasons
            why = first.text + (f" (and {counted(len(others), 'other reason')})" if others else "")
            table.add_row("-", place, *_row(left.weighed, left.round, graph), _text(why))
        for name in outcome.trail.unlinked:
            table.add_row("-", place, _text(name.text), "", "", _text(name.message))
        if not outcome.admitted and (outcome.trail.failure or not outcome.rejected):
            table.add_row("?", place, "", "", "", _text(outcome.why))
    screen.print(table)


def _row(weighed: Weighed, round: int, graph: Graph) -> tuple[Text, Text, str]:
    final = "" if weighed.final is None else exactly(weighed.final)
    return _text(label_of(graph, weighed.edge.object)), _text(final), str(round)


def _last(rejected: Sequence[Rejected]) -> list[Rejected]:
    """The rejections of the last round that had any."""
    last = max((one.round for one in rejected), default=0)
    return [one for one in rejected if one.round == last]


def _quotes(sources: Iterable[Source], weighed: Weighed, corpus: Corpus) -> str:
    """What cited passages say, in their words."""
    said = []
    for source in sources:
        if source.passage in weighed.passages and not isinstance(source.answer, Failure):
            (number,) = corpus.find([source.passage]).tolist()
            place = source.answer.extent
            quote = f" “{place.of(corpus[number].text)}”" if place else ""
            said.append(f"{source.passage}: {source.answer.label}{quote}")
    return "; ".join(said)


def label_of(graph: Graph, id: str) -> str:
    """What people call an entity: its label, or else its id."""
    (number,) = graph.find(["e" + id]).tolist()
    return (graph.label(number) if number >= 0 else "") or id


def _text(text: str) -> Text:
    return Text(printable(text))
