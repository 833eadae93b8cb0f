"""`kgverify ask`, and questions in plain words in `verify` and `explain`."""

from __future__ import annotations

import json

import pytest

from tests.cli.seaport import Seaport, ask

KG = ("--kg", "facts.tsv", "--kg", "labels.tsv", "--rules", "port.kgr")
TEXT = "Which ships dock at Bergen but do not carry oil?"


def rows(output: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in output.splitlines()]


def test_a_question_is_answered_from_the_graph(port: Seaport) -> None:
    result = port.run("ask", TEXT, *KG)
    assert result.exit_code == 0
    assert "read with confidence 0.88 (grammar)" in result.stdout
    assert "exclude it is not so that the answer carries oil" in result.stdout
    assert "← “not carry oil”" in result.stdout
    assert "“Bergen” is Bergen" in result.stdout
    assert "1 sat" in result.stdout
    lines = [line for line in result.stdout.splitlines() if "✓ sat" in line or "? unk" in line]
    assert "cygnus" in lines[0]


def test_json_lines(port: Seaport) -> None:
    first, *verdicts = rows(port.run("ask", TEXT, *KG, "--format", "jsonl").stdout)
    reading = first["reading"]
    assert isinstance(reading, dict)
    assert reading["arguments"] == {"port": "bergen", "cargo": "oil"}
    assert {v["candidate"]: v["verdict"] for v in verdicts}["cygnus"] == "sat"
    assert all(v["verdict"] != "viol" for v in verdicts)


def test_candidates_a_policy_and_a_limit(port: Seaport) -> None:
    given = ("--candidate", "borealis", "--candidate", "cygnus", "--format", "jsonl")
    result = port.run("ask", TEXT, *KG, *given, "--policy", "rank")
    assert result.exit_code == 1
    assert [(v["candidate"], v["verdict"]) for v in rows(result.stdout)[1:]] == [
        ("cygnus", "sat"),
        ("borealis", "viol"),
    ]
    assert len(rows(port.run("ask", TEXT, *KG, "--limit", "1", "--format", "jsonl").stdout)) == 2


def test_only_reading_and_saving(port: Seaport) -> None:
    result = port.run("ask", TEXT, *KG, "--only-read", "--save", "kept.kgr")
    assert result.exit_code == 0
    assert "verdict" not in result.stdout
    port.write("wider.kgr", port.text("port.kgr") + "\n" + port.text("kept.kgr"))
    assert port.run("rules", "check", "wider.kgr").exit_code == 0
    wider = (*KG[:-1], "wider.kgr")
    assert "(template asked)" in port.run("ask", TEXT, *wider, "--only-read").stdout
    again = port.run("ask", TEXT, *wider, "--only-read", "--save", "again.kgr")
    assert "has this question already, as `asked`" in again.stderr
    assert not (port.folder / "again.kgr").exists()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty-question"),
        ("Which ships dock at Atlantis?", "unknown-words"),
        ("Which ships rarely dock at Bergen?", "uncertain-reading"),
        ("Which ships carry Nordlys?", "not-understood"),
    ],
)
def test_what_can_not_be_read_is_no_guess(port: Seaport, text: str, code: str) -> None:
    result = port.run("ask", text, *KG)
    assert result.exit_code == 2
    assert f"[{code}]" in result.stderr
    assert result.stdout == ""


def test_less_confidence_may_be_allowed(port: Seaport) -> None:
    text = "Which ships rarely dock at Bergen?"
    result = port.run("ask", text, *KG, "--confidence", "0.3", "--only-read")
    assert result.exit_code == 0
    assert "nothing was made of “rarely”" in result.stdout


# ---------------------------------------------------------------- verify, explain

LINES = (
    {"id": "w", "text": TEXT, "candidates": ["cygnus", "borealis"]},
    {"id": "bad", "text": "Which ships dock at Atlantis?", "candidates": ["cygnus"]},
    ask("t", ["aurora"]),
)


def test_verify_reads_texts_and_shows_how(port: Seaport) -> None:
    asked = port.questions(LINES[0], LINES[2])
    result = port.run("verify", asked, *KG)
    assert result.exit_code == 1
    assert result.stdout.count("read with confidence") == 1
    assert "w: Which ships dock at Bergen but do not carry oil?" in result.stdout
    plain = rows(port.run("verify", asked, *KG, "--format", "jsonl").stdout)
    assert [(v["question"], v["candidate"], v["verdict"]) for v in plain] == [
        ("w", "cygnus", "sat"),
        ("w", "borealis", "viol"),
        ("t", "aurora", "unk"),
    ]
    assert set(plain[0]) == set(plain[2])


def test_a_text_that_can_not_be_read_is_an_error_of_its_line(port: Seaport) -> None:
    asked = port.questions(*LINES)
    result = port.run("verify", asked, *KG)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "asked.jsonl:2: error: neither the graph nor the rules know `Atlantis`" in result.stderr
    result = port.run("verify", asked, *KG, "--on-error", "skip", "--format", "jsonl")
    assert result.exit_code == 1
    assert [v["question"] for v in rows(result.stdout)] == ["w", "w", "t"]
    assert "asked.jsonl:2: error" in result.stderr


def test_all_that_is_wrong_with_a_file_is_told_at_once(port: Seaport) -> None:
    """Lines that are no questions, texts that can't be read, and templates that are not there."""
    asked = port.write(
        "wrong.jsonl",
        '{"id": "a", "text": "Which ships fly to Mars?", "candidates": ["aurora"]}\n'
        '{"id": "b", "candidates": ["aurora"]}\n'
        '{"id": "c", "question": "no_such", "candidates": ["aurora"]}\n',
    )
    result = port.run("verify", asked, *KG)
    assert (result.exit_code, result.stdout) == (2, "")
    for line, code in ((1, "unknown-words"), (2, "question-line"), (3, "unknown-question")):
        assert any(
            said.startswith(f"{asked}:{line}: error:") and said.endswith(f"[{code}]")
            for said in result.stderr.splitlines()
        ), (line, result.stderr)


def test_a_stream_may_have_texts(port: Seaport) -> None:
    lines = "".join(json.dumps(line) + "\n" for line in LINES)
    file = port.run("verify", port.questions(*LINES), *KG, "--on-error", "skip")
    result = port.run("verify", "--stdin", *KG, "--on-error", "skip", stdin=lines)
    assert (result.exit_code, result.stdout) == (1, file.stdout)
    assert "<stdin>:2: error" in result.stderr
    stopped = port.run("verify", "--stdin", *KG, "--format", "jsonl", stdin=lines)
    assert stopped.exit_code == 2
    assert [v["question"] for v in rows(stopped.stdout)] == ["w", "w"]


def test_explain_reads_the_text_that_is_asked_about(port: Seaport) -> None:
    asked = port.questions(*LINES)
    chosen = ("--question", "w", "--candidate", "cygnus")
    result = port.run("explain", asked, *KG, *chosen)
    assert result.exit_code == 0
    assert "read with confidence" in result.stdout
    assert "✓ sat  docks_at(x, Bergen)" in result.stdout
    told = port.run("explain", asked, *KG, *chosen, "--format", "json")
    port.write("told.json", told.stdout)
    assert port.run("replay", "told.json", *KG).exit_code == 0
    result = port.run("explain", asked, *KG, "--question", "bad", "--candidate", "cygnus")
    assert result.exit_code == 2
    assert "[unknown-words]" in result.stderr
