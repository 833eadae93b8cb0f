"""`kgverify experiment tgs-rag`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.asking.chat_server import Answer, chat_server
from tests.cli.seaport import Seaport

QUESTION = {
    "_id": "5a",
    "question": "Where was the star of Quiet Harbour born?",
    "context": [
        ["Quiet Harbour", ["Quiet Harbour stars Ada Lind.", " It is a drama."]],
        ["Ada Lind", ["Ada Lind is from Visby."]],
    ],
    "supporting_facts": [["Quiet Harbour", 0], ["Ada Lind", 0]],
}


@pytest.fixture
def files(port: Seaport) -> Seaport:
    port.write("hotpot.json", json.dumps([QUESTION]))
    return port


def test_a_file_of_hotpotqa_with_a_graph_by_a_language_model(
    files: Seaport, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KGVERIFY_LLM_KEY", "sesame")
    with chat_server(Answer(json.dumps({"entities": ["Ada Lind"], "relations": []}))) as server:
        done = files.run(
            *(
                "experiment",
                "tgs-rag",
                "--questions",
                "hotpot.json",
                "--out",
                str(tmp_path / "out"),
            ),
            *("--llm", server.url, "--llm-model", "small", "--replies", str(tmp_path / "replies")),
        )
    assert (done.exit_code, done.stderr) == (0, "")
    assert [headers["Authorization"] for headers in server.headers] == ["Bearer sesame"] * 2
    found = json.loads((tmp_path / "out" / "results.json").read_text("utf-8"))
    assert found["record"]["options"]["language_model"] == "small"
    assert "sesame" not in (tmp_path / "out" / "results.json").read_text("utf-8")


@pytest.mark.parametrize(
    "given",
    [
        ("--llm", "http://localhost:1/v1"),
        ("--llm", "http://localhost:1/v1", "--llm-model", "small"),
        ("--replies", "replies.jsonl"),
    ],
)
def test_a_language_model_is_named_whole(files: Seaport, given: tuple[str, ...]) -> None:
    out = files.folder / "out"
    done = files.run(
        "experiment", "tgs-rag", "--questions", "hotpot.json", "--out", str(out), *given
    )
    assert done.exit_code == 2
    assert "belong together" in done.stderr
    assert not out.exists()


def test_a_wrong_question_is_told(files: Seaport) -> None:
    files.write("wrong.json", json.dumps([QUESTION | {"supporting_facts": []}]))
    out = files.folder / "out"
    done = files.run("experiment", "tgs-rag", "--questions", "wrong.json", "--out", str(out))
    assert done.exit_code == 2
    assert "no passage supports the answer" in done.stderr
