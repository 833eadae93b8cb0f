"""Files of questions in two shapes, and their gold passages in a corpus."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from kgverify.errors import KgverifyError
from kgverify.evidence.corpus import Corpus
from kgverify.evidence.passages import Passage
from kgverify.experiments.tgsrag.questions import HopQuestion, gold_in, pooled, read

MUSIQUE = {
    "id": "2hop__1",
    "question": "Where was the star born?",
    "answer": "Visby",
    "paragraphs": [
        {"idx": 0, "title": "A", "paragraph_text": "Of Ada.", "is_supporting": True},
        {"idx": 1, "title": "B", "paragraph_text": "Of boats.", "is_supporting": False},
        {"idx": 2, "title": "Ada", "paragraph_text": "Of Visby.", "is_supporting": True},
    ],
}
HOTPOT = {
    "_id": "5a",
    "question": "Where was the star born?",
    "answer": "Visby",
    "type": "bridge",
    "context": [["A", ["Of", " Ada."]], ["B", ["Of boats."]], ["Ada", ["Of Visby."]]],
    "supporting_facts": [["A", 0], ["A", 1], ["Ada", 0]],
}
PASSAGES = (("A", "Of Ada."), ("B", "Of boats."), ("Ada", "Of Visby."))


def expected(id_: str) -> HopQuestion:
    gold = (PASSAGES[0], PASSAGES[2])
    return HopQuestion(id_, "Where was the star born?", "Visby", PASSAGES, gold)


def test_both_shapes_say_the_same(tmp_path: Path) -> None:
    lines, listed = tmp_path / "m.jsonl.gz", tmp_path / "h.json"
    lines.write_bytes(gzip.compress(json.dumps(MUSIQUE).encode() + b"\n\n"))
    listed.write_text(json.dumps([HOTPOT], indent=1))
    assert read(lines) == [expected("2hop__1")]
    assert read(listed) == [expected("5a")]


def test_every_wrong_question_is_named(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    unsupported = {**MUSIQUE, "paragraphs": MUSIQUE["paragraphs"][1:2]}
    absent = {**HOTPOT, "supporting_facts": [["C", 0]]}
    rows = [MUSIQUE, unsupported, absent, {"id": "x"}, [], MUSIQUE]
    path.write_text("\n".join(map(json.dumps, rows)))
    with pytest.raises(KgverifyError) as caught:
        read(path)
    messages = [problem.message for problem in caught.value.problems]
    assert [message.split(":")[0] for message in messages[:4]] == [
        f"question {number}" for number in (2, 3, 4, 5)
    ]
    assert "no passage supports the answer" in messages[0]
    assert "the context has no `C`" in messages[1]
    assert messages[4:] == ["two questions have the id `2hop__1`"]


@pytest.mark.parametrize("content", [b"\x1f\x8b\x00", b"{", b"\xff\xfe", b"", b"[]", None])
def test_a_file_that_holds_no_questions_is_refused(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "q.jsonl"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(KgverifyError, match=r"q\.jsonl"):
        read(path)


def test_the_questions_passages_are_a_corpus() -> None:
    found = pooled([expected("1"), expected("2")])
    assert found == [Passage(str(n), text, title) for n, (title, text) in enumerate(PASSAGES)]
    assert gold_in([expected("1")], Corpus.of(found)) == [frozenset({0, 2})]


def test_gold_is_found_in_another_corpus_or_told() -> None:
    passages = [Passage("x", "Of  Visby.\n", "Ada"), Passage("y", "Of Ada.", "A")]
    assert gold_in([expected("1")], Corpus.of(passages)) == [frozenset({0, 1})]
    with pytest.raises(
        KgverifyError, match="lacks 1 of the questions' passages: `A` of question 1"
    ):
        gold_in([expected("1")], Corpus.of(passages[:1]))
