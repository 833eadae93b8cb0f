"""The experiment on a small corpus of our own, and on the real questions."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from kgverify.errors import KgverifyError
from kgverify.evidence.language_model import LanguageModel
from kgverify.experiments.tgsrag.running import Sources, run
from tests.asking.chat_server import Answer, chat_server
from tests.evidence.synergy.worlds import PASSAGES

GOLD = [
    ("Where was the star of Quiet Harbour born?", ("p0", "p2")),
    ("Which actress was in Quiet Harbour and North Wind?", ("p0", "p1")),
    ("On which island was the star of North Wind born?", ("p1", "p2", "p3")),
]


def silent(_: str) -> None:
    """Takes the place of a progress bar."""


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    rows = [
        {
            "id": f"q{number}",
            "question": text,
            "paragraphs": [
                {"title": p.title, "paragraph_text": p.text, "is_supporting": p.id in gold}
                for p in PASSAGES
            ],
        }
        for number, (text, gold) in enumerate(GOLD)
    ]
    path = tmp_path / "questions.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.jsonl"
    rows = [{"id": p.id, "title": p.title, "text": p.text} for p in PASSAGES]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def results(out: Path) -> dict:
    found: dict = json.loads((out / "results.json").read_text("utf-8"))
    return found


def test_all_systems_are_measured_and_compared(
    questions: Path, corpus: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    record = run(Sources(questions, corpus), out, False, 0, silent)
    assert record.experiment == "tgs-rag"
    found = results(out)
    names = set(found["systems"])
    assert {"naive", "synergy", "naive, as many as synergy", "synergy without memory"} <= names
    assert not any("hybrid" in name for name in names)  # there are no vectors to fuse with
    pairs = {(one["ours"], one["theirs"]) for one in found["comparisons"]}
    budgets = {(name.split(", as many as ")[1], name) for name in names if "as many" in name}
    few = {name for name in names if name.endswith("passages only")}
    others = {name for name in names if "as many" not in name} - few - {"synergy"}
    assert pairs == budgets | {("synergy", n) for n in others} | {(n, "naive") for n in few}
    for ours, theirs in budgets:
        systems = found["systems"]
        assert systems[theirs]["documents"] <= systems[ours]["documents"]
    assert found["systems"]["synergy"]["hops"]["3"]["questions"] == 1
    assert found["graph"]["from"] == "titles"
    assert found["graph"]["links"] == 3
    # The articles on the star and on her town say little of what is asked; the graph leads there.
    assert found["systems"]["synergy"]["hit"]["mean"] == 1
    report = (out / "report.md").read_text("utf-8")
    assert "| synergy without bridging |" in report
    assert "Quiet Harbour" in report
    assert sorted(p.name for p in out.iterdir()) == ["report.md", "results.json", "systems.svg"]


def test_the_same_run_gives_the_same_files(questions: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        run(Sources(questions), tmp_path / name, True, 3, silent)
    for path in (tmp_path / "a").iterdir():
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes()


def test_a_language_model_makes_the_graph(questions: Path, tmp_path: Path) -> None:
    relation = {"subject": "Ada Lind", "relation": "was born in", "object": "Visby"}
    reply = json.dumps({"entities": ["Ada Lind", "Visby"], "relations": [relation]})
    replies = tmp_path / "replies.jsonl"
    with chat_server(Answer(reply)) as server:
        llm = LanguageModel(server.url, "small", seconds=20)
        sources = Sources(questions, llm=llm, replies=replies)
        run(sources, tmp_path / "out", False, 0, silent)
        assert len(server.asked) == len(PASSAGES)
        run(sources, tmp_path / "again", False, 0, silent)
        assert len(server.asked) == len(PASSAGES)
    found = results(tmp_path / "out")
    assert found["graph"]["from"] == "a language model"
    assert found["graph"]["links"] == 1
    assert found["graph"]["dropped"] > 0  # not every passage names the two
    assert found == results(tmp_path / "again")


def test_a_corpus_without_the_gold_passages_is_refused(
    questions: Path, corpus: Path, tmp_path: Path
) -> None:
    lines = corpus.read_text("utf-8").splitlines()
    corpus.write_text("\n".join(lines[1:]), encoding="utf-8")
    with pytest.raises(KgverifyError, match="lacks 2 of the questions' passages"):
        run(Sources(questions, corpus), tmp_path / "out", False, 0, silent)
    assert not (tmp_path / "out").exists()


@pytest.mark.data
def test_real_questions_by_words(tmp_path: Path) -> None:
    data = Path(os.environ.get("KGVERIFY_DATA", ""), "qa", "multihop")
    if not data.is_dir():
        pytest.skip("the environment variable KGVERIFY_DATA names no folder with qa/multihop")
    files = [data / f"musique-dev200{end}.jsonl.gz" for end in ("", "-corpus")]
    run(Sources(*files), tmp_path / "out", True, 0, silent)
    found = results(tmp_path / "out")
    assert found["graph"]["passages"] == 3141
    systems = found["systems"]
    assert systems["synergy"]["questions"] == 50
    assert systems["synergy"]["hit"]["mean"] > systems["naive"]["hit"]["mean"]
    more, less = systems["synergy"], systems["synergy without bridging"]
    assert more["recall"] >= less["recall"]  # bridging adds documents and takes none
