"""A graph from a language model's replies: what is taken from them, and that they are kept."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from kgverify.errors import EvidenceError, QuestionError
from kgverify.evidence.corpus import Corpus
from kgverify.evidence.language_model import LanguageModel
from kgverify.evidence.passages import Passage
from kgverify.evidence.synergy.extracting import (
    ReplyError,
    Said,
    SaidRelation,
    extract,
    messages,
    read_reply,
    schema,
)
from kgverify.evidence.synergy.knowledge_base import KnowledgeBase
from kgverify.evidence.synergy.recording import Recorder
from tests.asking.chat_server import Answer, chat_server

PASSAGE = Passage("p2", "Ada Lind was born in Visby, she said.", "Ada Lind")
OTHER = Passage("p3", "visby is a town on Gotland.", "Visby")


def reply(entities: Sequence[str], *relations: tuple[str, str, str]) -> str:
    ends = ("subject", "relation", "object")
    said = [dict(zip(ends, relation, strict=True)) for relation in relations]
    return json.dumps({"entities": list(entities), "relations": said})


GOOD = reply(["Ada Lind", "Visby"], ("Ada Lind", "was born in", "Visby"))


def names(base: KnowledgeBase) -> list[str]:
    return [base.names[number] for number in range(len(base))]


class Told:
    """A model that says what a test tells it to, and counts how often it is asked."""

    model = "told"

    def __init__(self, *replies: str) -> None:
        self.replies = list(replies)
        self.asked: list[list[Mapping[str, str]]] = []

    def reply(self, asked: Sequence[Mapping[str, str]], schema: Mapping[str, Any]) -> str:
        self.asked.append(list(asked))
        if not self.replies:
            raise QuestionError([])
        return self.replies.pop(0)


def test_what_stands_in_the_passage_is_taken() -> None:
    said, dropped = read_reply(GOOD, PASSAGE)
    relation = SaidRelation("Ada Lind", "was born in", "Visby")
    assert (said, dropped) == (Said(("Ada Lind", "Visby"), (relation,)), 0)


@pytest.mark.parametrize(
    ("text", "entities", "relations", "dropped"),
    [
        # A name that the passage lacks goes, with what it is connected by.
        (reply(["Ada Lind", "Oslo"], ("Ada Lind", "left", "Oslo")), ["Ada Lind"], 0, 2),
        (reply(["Lin", "Vis", ""]), [], 0, 3),
        # Both ends of a relation have been listed.
        (reply(["Ada Lind"], ("Ada Lind", "was born in", "Visby")), ["Ada Lind"], 0, 1),
        (reply(["Ada Lind", "Visby"], ("Ada Lind", " ", "Visby")), ["Ada Lind", "Visby"], 0, 1),
        (
            reply(["Ada Lind", "Visby"], ("Ada Lind", "x" * 81, "Visby")),
            ["Ada Lind", "Visby"],
            0,
            1,
        ),
        # Case and spacing are the passage's affair; what is said twice is said once.
        (reply(["ada  lind", "ADA LIND"]), ["ada lind"], 0, 0),
        (
            reply(["Ada Lind", "Visby"], *[("ADA LIND", "was  born in", "Visby")] * 2),
            ["Ada Lind", "Visby"],
            1,
            0,
        ),
        (reply([]), [], 0, 0),
    ],
)
def test_nothing_else_is(text: str, entities: list[str], relations: int, dropped: int) -> None:
    said, lost = read_reply(text, PASSAGE)
    assert (list(said.entities), len(said.relations), lost) == (entities, relations, dropped)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I found nothing.",
        f"```json\n{GOOD}\n```",
        '{"entities": []}',
        '{"entities": [1], "relations": []}',
        '{"entities": "Ada Lind", "relations": []}',
        '{"entities": [], "relations": [], "notes": ""}',
        '{"entities": [], "relations": [["Ada Lind", "in", "Visby"]]}',
        "[" * 5000,
    ],
)
def test_a_reply_of_another_form_counts_for_nothing(text: str) -> None:
    with pytest.raises(ReplyError, match="not JSON of the form"):
        read_reply(text, PASSAGE)
    found = extract(Corpus.of([PASSAGE, OTHER]), Told(text, reply(["Gotland"])))
    (problem,) = found.problems
    assert "p2" in problem.message
    assert not problem.is_error
    assert names(found.base) == ["Ada Lind", "Visby", "Gotland"]
    assert len(found.base.links) == 0


def test_names_that_differ_in_case_are_one_entity() -> None:
    second = reply(["visby", "Gotland"], ("visby", "is on", "Gotland"))
    told = Told(GOOD, second)
    seen: list[str] = []
    found = extract(Corpus.of([PASSAGE, OTHER]), told, seen.append)
    base = found.base
    links = map(base.link, range(len(base.links)))
    assert [
        (base.names[x.subject], x.relation, base.names[x.object], x.passage) for x in links
    ] == [
        ("Ada Lind", "was born in", "Visby", 0),
        ("Visby", "is on", "Gotland", 1),
    ]
    assert base.about[1].tolist() == [1]
    assert base.passages_of[1].tolist() == [0, 1]
    assert (found.dropped, found.problems, len(seen)) == (0, (), 2)
    assert told.asked[0] == messages(PASSAGE)
    assert PASSAGE.text in told.asked[0][1]["content"]


def test_the_schema_holds_a_model_to_the_form() -> None:
    text = json.dumps(schema())
    assert '"additionalProperties": false' in text
    assert '"entities"' in text


def test_a_stopped_run_goes_on_where_it_was(tmp_path: Path) -> None:
    corpus, path = Corpus.of([PASSAGE, OTHER]), tmp_path / "kept" / "replies.jsonl"
    first = Told(GOOD)
    with Recorder(first, path) as recorder, pytest.raises(QuestionError):
        extract(corpus, recorder)
    assert len(first.asked) == 2
    with path.open("ab") as stream:
        stream.write(b'{"asked": "cut o')
    second = Told(reply(["Gotland"]))
    with Recorder(second, path) as recorder:
        found = extract(corpus, recorder)
    assert second.asked == [messages(OTHER)]
    third = Told()
    with Recorder(third, path) as recorder:
        again = extract(corpus, recorder)
    assert third.asked == []
    assert again.base.links.tolist() == found.base.links.tolist()
    assert names(again.base) == names(found.base)


def test_another_model_is_asked_anew(tmp_path: Path) -> None:
    path = tmp_path / "replies.jsonl"
    with Recorder(Told("one"), path) as recorder:
        assert recorder.reply(messages(PASSAGE), {}) == "one"
    other = Told("two")
    other.model = "other"
    with Recorder(other, path) as recorder:
        assert recorder.reply(messages(PASSAGE), {}) == "two"
        assert recorder.reply(messages(PASSAGE), {}) == "two"
    assert len(other.asked) == 1


@pytest.mark.parametrize("content", [b"nothing\n", b'{"asked": 1, "reply": ""}\n', b"\xff\n"])
def test_another_file_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "replies.jsonl"
    path.write_bytes(content)
    with pytest.raises(EvidenceError, match="no record of replies"):
        Recorder(Told(), path)
    assert path.read_bytes() == content
    with pytest.raises(EvidenceError, match="can't be opened"):
        Recorder(Told(), tmp_path)


def test_over_the_chat_interface(tmp_path: Path) -> None:
    with chat_server(Answer(GOOD)) as server:
        llm = LanguageModel(server.url, "small", seconds=20)
        with Recorder(llm, tmp_path / "replies.jsonl") as recorder:
            found = extract(Corpus.of([PASSAGE]), recorder)
    assert len(found.base.links) == 1
    assert server.asked[0]["response_format"]["json_schema"]["schema"] == schema()
