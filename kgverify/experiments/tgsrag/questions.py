"""Questions of several hops with the passages that support their answers.

Two shapes of files are read, JSON Lines or one JSON list, gzipped or not: that of MuSiQue
(`paragraphs` with `is_supporting`) and that of HotpotQA (`context` and `supporting_facts`).
"""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from kgverify.errors import KgverifyError, Problem, Span
from kgverify.evidence.corpus import Corpus
from kgverify.evidence.passages import Passage

Titled = tuple[str, str]  # title and text


class HopQuestion(msgspec.Struct, frozen=True):
    """A question with the titles and texts of its own passages; `gold` are those that support the
    answer, each once.  As many hops as gold passages."""

    id: str
    text: str
    answer: str
    passages: tuple[Titled, ...]
    gold: tuple[Titled, ...]


class _Paragraph(msgspec.Struct):
    title: str
    paragraph_text: str
    is_supporting: bool = False


class _MuSiQue(msgspec.Struct):
    id: str
    question: str
    paragraphs: list[_Paragraph]
    answer: str = ""


class _HotpotQA(msgspec.Struct, kw_only=True):
    id: str = msgspec.field(name="_id")
    question: str
    context: list[tuple[str, list[str]]]
    supporting_facts: list[tuple[str, int]]
    answer: str = ""


def read(path: Path) -> list[HopQuestion]:
    """All questions of a file.  Raises KgverifyError with every one that is wrong."""
    try:
        data = path.read_bytes()
        if data[:2] == b"\x1f\x8b":
            data = gzip.decompress(data)
        values = _values(data)
    except (OSError, EOFError, msgspec.DecodeError, UnicodeDecodeError) as error:
        problem = Problem("unreadable-file", f"can't be read: {error}", Span(str(path)))
        raise KgverifyError(problem) from error
    found, problems = [], []
    for number, value in enumerate(values, 1):
        try:
            found.append(_question(value))
        except (msgspec.ValidationError, ValueError) as error:
            span = Span(str(path), number)
            problems.append(Problem("hop-question", f"question {number}: {error}", span))
    ids = [question.id for question in found]
    if len(set(ids)) < len(ids):
        twice = next(id_ for id_ in ids if ids.count(id_) > 1)
        message = f"two questions have the id `{twice}`"
        problems.append(Problem("duplicate-question", message, Span(str(path))))
    if not (values or problems):
        problems.append(Problem("hop-question", "there is no question", Span(str(path))))
    if problems:
        raise KgverifyError(problems)
    return found


def pooled(questions: Iterable[HopQuestion]) -> list[Passage]:
    """The passages of all questions as one corpus: each title and text once, numbered from 0."""
    texts = dict.fromkeys(titled for question in questions for titled in question.passages)
    return [Passage(str(number), text, title) for number, (title, text) in enumerate(texts)]


def gold_in(questions: Sequence[HopQuestion], corpus: Corpus) -> list[frozenset[int]]:
    """The numbers of the gold passages of each question.

    Raises KgverifyError when one is not in the corpus: what can't be found would count as missed.
    """
    places: dict[Titled, int] = {}
    for number in range(len(corpus)):
        places.setdefault(_key(corpus.titles[number], corpus.texts[number]), number)
    missing = [
        f"`{title}` of question {question.id}"
        for question in questions
        for title, text in question.gold
        if _key(title, text) not in places
    ]
    if missing:
        shown = ", ".join(missing[:3])
        message = f"the corpus lacks {len(missing)} of the questions' passages: {shown}"
        hint = "leave --corpus away: the questions' own passages are a corpus"
        raise KgverifyError(Problem("missing-passage", message, None, hint))
    return [frozenset(places[_key(*titled)] for titled in q.gold) for q in questions]


def _key(title: str, text: str) -> Titled:
    return " ".join(title.split()), " ".join(text.split())


def _values(data: bytes) -> list[Any]:
    if data.lstrip()[:1] == b"[":
        return msgspec.json.decode(data, type=list[Any])
    return [msgspec.json.decode(line) for line in data.splitlines() if line.strip()]


def _question(value: Any) -> HopQuestion:
    if isinstance(value, dict) and "paragraphs" in value:
        one = msgspec.convert(value, _MuSiQue)
        passages = [(p.title, p.paragraph_text) for p in one.paragraphs]
        gold = [(p.title, p.paragraph_text) for p in one.paragraphs if p.is_supporting]
        return _made(one.id, one.question, one.answer, passages, gold)
    other = msgspec.convert(value, _HotpotQA)
    passages = [(title, "".join(sentences)) for title, sentences in other.context]
    titles = {title for title, _ in other.supporting_facts}
    lacking = sorted(titles - {title for title, _ in passages})
    if lacking:
        raise ValueError(f"the context has no `{lacking[0]}`, which supports the answer")
    gold = [(title, text) for title, text in passages if title in titles]
    return _made(other.id, other.question, other.answer, passages, gold)


def _made(
    id_: str, text: str, answer: str, passages: Sequence[Titled], gold: Sequence[Titled]
) -> HopQuestion:
    if not gold:
        raise ValueError("no passage supports the answer")
    kept = tuple(dict.fromkeys(passages))
    return HopQuestion(id_, text, answer, kept, tuple(dict.fromkeys(gold)))
