"""Wrong inputs on the command line: each with its code and its place."""

from __future__ import annotations

import json
import re

import pytest

from kgverify.errors import Problem, Span, did_you_mean, nearest, render
from tests.cli.seaport import FACTS, RULES, Seaport, ask

TOLD = re.compile(
    r"^(\S+?)(?::(\d+))?(?::(\d+))?: (?:error|warning): .* \[([\w-]+)\]$", re.MULTILINE
)


def told(stderr: str) -> list[tuple[str, int, int, str]]:
    """(file, line, column, code) of every problem shown; 0 where there is none."""
    return [
        (f, int(line or 0), int(column or 0), code)
        for f, line, column, code in TOLD.findall(stderr)
    ]


# ---------------------------------------------------------------- rule files

RULE_FILES = [
    ("complete carries for Ferry", "complete carries for Fery", 9, 22, "unknown-class"),
    ("docks_at(X, P), carries(X, C).", "docks_at(X, P), carrys(X, C).", 11, 37, "unknown-relation"),
    ("carries(X, C).", "carries(X, C)", 11, 50, "missing-dot"),
    (
        '"a port serves what its ships carry":',
        '"a port serves what its ships carry:',
        10,
        12,
        "unclosed-quote",
    ),
    ("serves(P, C) :-", "serves(P, C) : -", 11, 18, "split-arrow"),
    ("serves(P, C) :-", "serves(P, Q) :-", 11, 15, "unsafe-variable"),
    ("carries(X, C).", "carries(X).", 11, 37, "arity"),
    ("serves(P, C) :-", "serves(C, P) :-", 11, 5, "signature"),
    ("question served(c: Cargo)", "question calls(c: Cargo)", 23, 10, "duplicate"),
    ("require serves(x, c)", "require serves(x, cc)", 26, 23, "unknown-parameter"),
    ("require serves(x, c)", "require serves(x) > 3", 26, 13, "comparison"),
    ("require serves(x, c)", "require serves+(x, c)", 26, 13, "path"),
    ("require serves(x, c)", "require serves/^serves(x, c) at 1995", 26, 37, "time"),
    ("require serves(x, c)", "require count serves(x, c) > 1", 26, 13, "count"),
    ("require serves(x, c)", "require count serves(x, _) > 1.5", 26, 34, "count"),
    ("require serves(x, c)", "require count serves(x, _) >= 0", 26, 13, "vacuous-constraint"),
    ("require serves(x, c)", "require serves(x, c) at 1995-13", 26, 29, "value-type"),
    ("require serves(x, c)", "require serves(x, c) except x", 26, 33, "exception"),
    ("require serves(x, c)", "require serves(x, c) % or not", 26, 26, "syntax"),
    ("require serves(x, c)", "exclude any of { x : Port }", 26, 5, "contradiction"),
    ("{t} tons", "{tt} tons", 20, 23, "unknown-parameter"),
    ("ask calls(oslo, tea)", "ask call(oslo, tea)", 30, 9, "unknown-question"),
    ("ask calls(oslo, tea)", "ask calls(oslo)", 30, 5, "arity"),
    ("tug = sat, rowboat", "tug = true, rowboat", 30, 33, "syntax"),
    ("tug = sat, rowboat = unk\n}", "tug = sat, rowboat = unk\n", 28, 32, "unclosed-brace"),
]


@pytest.mark.parametrize(("good", "bad", "line", "column", "code"), RULE_FILES)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_rule_files(
    port: Seaport, good: str, bad: str, line: int, column: int, code: str, end: str
) -> None:
    assert RULES.count(good) == 1
    port.write("port.kgr", RULES.replace(good, bad).replace("\n", end))
    for command in (
        ["rules", "check", "port.kgr"],
        ["rules", "asp", "port.kgr"],
        ["verify", "questions.jsonl", "--kg", "facts.tsv", "--rules", "port.kgr"],
    ):
        result = port.run(*command)
        assert result.exit_code == 2
        errors = [e for e in told(result.stderr) if e[3] not in ("unused", "lookalike-variables")]
        assert ("port.kgr", line, column, code) in errors
        assert {e[1] for e in errors} == {line}
        assert result.stdout == ""


# ---------------------------------------------------------------- question lines


def line(**changes: object) -> str:
    value = {**ask("a", ["aurora"]), **changes}
    return json.dumps({key: found for key, found in value.items() if found is not None})


QUESTIONS = [
    ('{"id": "a"', 11, "malformed-json", ""),
    ('{"id": a}', 8, "malformed-json", ""),
    ("{'id': 'a'}", 2, "malformed-json", ""),
    (line() + " extra", len(line()) + 2, "malformed-json", ""),
    ('{"id": NaN}', 0, "malformed-json", "NaN"),
    ("[1, 2]", 0, "question-line", "expected an object"),
    ("[" * 100_000, 0, "malformed-json", ""),
    (line(id=True), 0, "question-line", "$.id"),
    (line(id=["a"]), 0, "question-line", "$.id"),
    (line(question=None), 0, "question-line", "$.question"),
    (line(question=3), 0, "question-line", "$.question"),
    (line(arguments=["bergen"]), 0, "question-line", "$.arguments"),
    (line(arguments={"p": None, "c": "oil"}), 0, "question-line", "$.arguments.p"),
    (line(arguments={"p": {"id": 1}, "c": "oil"}), 0, "question-line", "$.arguments.p"),
    (line(candidates=None), 0, "question-line", "$.candidates"),
    (line(candidates="aurora"), 0, "question-line", "$.candidates"),
    (line(candidates=[]), 0, "question-line", "no candidates"),
    (line(candidates=["aurora", None]), 0, "question-line", "$.candidates[1]"),
    (line(candidates=["aurora", ""]), 0, "question-line", "$.candidates[1]"),
    (line(candidates=[{"score": 1}]), 0, "question-line", "$.candidates[0]"),
    (line(candidates=[{"entity": "a", "score": "high"}]), 0, "question-line", "$.candidates[0]"),
    (line(candidates=[{"entity": "a", "scores": 1}]), 0, "question-line", "$.candidates[0]"),
    (line(candidate=["aurora"]), 0, "question-line", "did you mean `candidates`?"),
    (line(question="cals"), 0, "unknown-question", "did you mean `calls`?"),
    (line(arguments={"p": "bergen"}), 0, "missing-argument", "calls(p: Port, c: Cargo)"),
    (line(arguments={}), 0, "missing-argument", "`p`"),
    (line(arguments={"p": "bergen", "c": "oil", "q": "x"}), 0, "extra-argument", "`q`"),
    (line(arguments={"p": "oil", "c": "cars"}), 0, "argument-type", "`oil` is a Cargo"),
    (line(question="of_tonnage", arguments={"t": "heavy"}), 0, "argument-type", "integer"),
    (line(question="of_tonnage", arguments={"t": 1.5}), 0, "argument-type", "integer"),
    (line(question="of_tonnage", arguments={"t": True}), 0, "argument-type", "integer"),
    (line(question="of_tonnage", arguments={"t": ""}), 0, "argument-type", "integer"),
    (line(candidates=["Nordlys"]), 0, "ambiguous-entity", "`nordlys1`, `nordlys2`"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "column", "code", "word"), QUESTIONS, ids=lambda v: str(v)[:60])
def test_question_lines(port: Seaport, text: str, column: int, code: str, word: str) -> None:
    asked = port.questions(line(id="fine"), text)
    result = port.verify(asked, "--format", "jsonl")
    assert result.exit_code == 2
    assert result.stdout == ""
    found = told(result.stderr)
    assert (asked, 2, column, code) in found
    assert {entry[3] for entry in found} == {code}
    assert word in result.stderr


def test_all_faults_of_a_line_come_together(port: Seaport) -> None:
    asked = port.questions(line(id=[], question=1, arguments=[], candidates=[""], more=1))
    shown = port.verify(asked).stderr
    for path in ("$.id", "$.question", "$.arguments", "$.candidates[0]", "$.more"):
        assert path in shown


def test_missing_and_extra_arguments_come_together(port: Seaport) -> None:
    asked = port.questions(line(arguments={"port": "bergen", "c": "oil"}))
    codes = [entry[3] for entry in told(port.verify(asked).stderr)]
    assert codes == ["extra-argument", "missing-argument"]


def test_a_question_line_that_is_not_utf8(port: Seaport) -> None:
    port.write("latin.jsonl", line(id="fine").encode() + b'\n{"id": "caf\xe9"}\n')
    result = port.verify("latin.jsonl")
    assert result.exit_code == 2
    assert told(result.stderr) == [("latin.jsonl", 2, 0, "not-utf8")]


def test_a_key_that_is_given_twice(port: Seaport) -> None:
    asked = port.questions('{"id": "b", ' + line()[1:])
    assert port.verify(asked).exit_code == 2


# ---------------------------------------------------------------- graph files

TSV = FACTS.replace(" ", "\t")
GRAPHS = [
    ("bad.tsv", TSV + "aurora\tcarries\n", 21, 0, "wrong-columns"),
    ("bad.tsv", TSV + "aurora carries oil\n", 21, 0, "wrong-columns"),
    ("bad.tsv", TSV + "a\tb\tc\td\te\n", 21, 0, "wrong-columns"),
    ("bad.tsv", TSV + "aurora\tcarries\toil\tperhaps\n", 21, 20, "bad-column"),
    ("bad.tsv", TSV + "aurora\t\toil\n", 21, 8, "empty-field"),
    ("bad.tsv", TSV + "\tcarries\toil\n", 21, 1, "empty-field"),
    ("bad.tsv", TSV.encode() + b"aurora\tcarries\tcaf\xe9\n", 21, 19, "not-utf8"),
    ("bad.tsv", TSV + "aur\0ora\tcarries\toil\n", 21, 4, "nul-character"),
    ("bad.tsv", b"\xff\xfe" + TSV.encode("utf-16-le"), 0, 0, "foreign-format"),
    ("bad.tsv", "", 0, 0, "empty-file"),
    ("bad.csv", "a,b,c\n", 0, 0, "foreign-format"),
    ("bad.nt", "<x:a> <x:r> <x:b> .\n<x:a b> <x:r> <x:c> .\n", 2, 0, None),
    ("bad.nt", "<x:a> <x:r> <x:b> .\n<x:a> <x:r> <x:c>\n", 2, 0, None),
    ("bad.ttl", "@prefix x: <http://x/> .\nx:a x:r x:b .\nx:a x:r ;;; .\n", 3, 0, None),
    ("bad.jsonl", '{"subject": "a", "predicate": "r", "object": "b"}\n{"subject"\n', 2, 0, None),
    ("bad.nt.gz", b"\x1f\x8b\x08\x00broken", 0, 0, "damaged-gzip"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content", "at", "column", "code"), GRAPHS)
def test_graph_files(
    port: Seaport, name: str, content: str | bytes, at: int, column: int, code: str | None
) -> None:
    port.write(name, content)
    world = ["--kg", name, "--rules", "port.kgr"]
    for command in (
        ["verify", "questions.jsonl", *world, "--format", "jsonl"],
        ["kg", "build", name, "--out", "bad.store"],
        ["kg", "info", name],
    ):
        result = port.run(*command)
        assert result.exit_code == 2
        assert result.stdout == ""
        (problem,) = told(result.stderr)
        assert problem[:2] == (name, at)
        if column:
            assert problem[2] == column
        if code:
            assert problem[3] == code
    assert not (port.folder / "bad.store").exists()


# ---------------------------------------------------------------- how a problem is shown


def test_a_problem_is_shown_with_its_line_caret_hint_and_notes() -> None:
    problem = Problem(
        "unknown-relation",
        "unknown relation `r`",
        Span("f.kgr", 2, 3, 6),
        "did you mean `s`?",
        notes=((Span("f.kgr", 1, 1, 2), "declared here"),),
    )
    assert render([problem], {"f.kgr": "one\n  two three\n"}) == (
        "f.kgr:2:3: error: unknown relation `r` [unknown-relation]\n"
        "      two three\n"
        "      ^^^\n"
        "    help: did you mean `s`?\n"
        "    note: f.kgr:1:1: declared here"
    )


def test_a_problem_without_a_place_or_a_source() -> None:
    assert render([Problem("x", "wrong")]) == "error: wrong [x]"
    assert (
        render([Problem("x", "wrong", Span("f"), severity="warning")], {})
        == "f: warning: wrong [x]"
    )
    assert (
        render([Problem("x", "wrong", Span("f", 9, 9, 9))], {"f": "short"})
        == "f:9:9: error: wrong [x]"
    )


@pytest.mark.parametrize(
    ("name", "known", "best"),
    [
        ("treat", ["treats", "causes"], "treats"),
        ("Treats", ["treat", "treats"], "treats"),
        ("TREATS", ["treat", "treats"], "treats"),
        ("zzz", ["treats", "causes"], None),
        ("treats", [], None),
    ],
)
def test_the_nearest_name(name: str, known: list[str], best: str | None) -> None:
    assert nearest(name, known) == best


def test_a_name_is_not_offered_for_itself() -> None:
    assert did_you_mean("treats", ["treats"]) == ""
