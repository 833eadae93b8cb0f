"""`kgverify verify`: verdicts, options, exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.seaport import QUESTIONS, Seaport, ask

WORLD = ["--kg", "facts.tsv", "--kg", "labels.tsv", "--rules", "port.kgr"]


def by_candidate(verdicts: list[dict]) -> dict[str, dict]:
    return {verdict["candidate"]: verdict for verdict in verdicts}


def statuses(verdict: dict) -> list[str]:
    return [constraint["status"] for constraint in verdict["constraints"]]


def test_verdicts_statuses_and_support(port: Seaport) -> None:
    verdicts = port.verdicts("questions.jsonl")
    first = [v for v in verdicts if v["question"] == "q1"]
    assert [(v["candidate"], v["verdict"], statuses(v)) for v in first] == [
        ("cygnus", "sat", ["sat", "sat", "sat", "viol"]),
        ("aurora", "unk", ["sat", "sat", "unk", "sat"]),
        ("ghost", "unk", ["unk", "unk", "unk", "unk"]),
        ("borealis", "viol", ["sat", "sat", "viol", "unk"]),
        ("bergen", "viol", ["viol", "viol", "sat", "viol"]),
    ]
    # weights 1, 1, 1 and 0.5
    assert [v["support"] for v in first] == pytest.approx([6 / 7, 5 / 7, 0, 4 / 7, 2 / 7])
    assert [v["rank"] for v in first] == [1, 2, 3, 4, 5]
    assert [v["kept"] for v in first] == [True, True, True, False, False]
    assert [v["basis"] for v in first] == ["derived", "", "", "", ""]


def test_a_candidate_that_the_graph_lacks_is_unresolved(port: Seaport) -> None:
    ghost = by_candidate(port.verdicts("questions.jsonl"))["ghost"]
    assert {c["reason"] for c in ghost["constraints"]} == {"unresolved"}
    assert ghost["label"] == "ghost"


def test_a_missing_fact_is_unk_and_says_what_would_settle_it(port: Seaport) -> None:
    aurora = by_candidate([v for v in port.verdicts("questions.jsonl") if v["question"] == "q1"])[
        "aurora"
    ]
    constraint = aurora["constraints"][2]
    assert constraint["reason"] == "missing"
    settle = {w["status"]: w["fact"] for w in constraint["would_settle"]}
    assert settle == {"sat": "not carries(MS Aurora, oil)", "viol": "carries(MS Aurora, oil)"}


def test_a_conflict_shows_both_sides_and_stays_in_its_place(port: Seaport) -> None:
    facts = (
        port.folder / "facts.tsv"
    ).read_text() + "odd\ttype\tShip\nodd\ttype\tPort\nodd\tdocks_at\tbergen\n"
    port.write("facts.tsv", facts)
    asked = port.questions(ask("a", ["odd", "cygnus"]))
    found = by_candidate(port.verdicts(asked))
    answer = found["odd"]["constraints"][0]
    assert (answer["status"], answer["reason"]) == ("unk", "conflict")
    assert any("odd : Ship" in line for line in answer["because"])
    assert any("odd : Port" in line for line in answer["because"])
    assert found["cygnus"]["verdict"] == "sat"


# ---------------------------------------------------------------- policy and engine


@pytest.mark.parametrize(
    ("policy", "kept"),
    [
        ("filter", {"cygnus", "aurora", "ghost"}),
        ("strict", {"cygnus"}),
        ("rank", {"cygnus", "aurora", "ghost", "borealis", "bergen"}),
    ],
)
def test_policies(port: Seaport, policy: str, kept: set[str]) -> None:
    verdicts = port.verdicts(port.questions(QUESTIONS[0]), "--policy", policy)
    assert {v["candidate"] for v in verdicts if v["kept"]} == kept
    assert len(verdicts) == 5


def test_filter_is_the_default_policy(port: Seaport) -> None:
    plain = port.verify("questions.jsonl", "--format", "jsonl").stdout
    assert plain == port.verify("questions.jsonl", "--format", "jsonl", "--policy", "filter").stdout


@pytest.mark.parametrize("format", ["jsonl", "csv", "table"])
def test_both_engines_write_the_same(port: Seaport, format: str) -> None:
    runs = [
        port.verify("questions.jsonl", "--format", format, "--engine", engine)
        for engine in ("slice", "reference")
    ]
    assert runs[0].stdout == runs[1].stdout
    assert runs[0].exit_code == runs[1].exit_code == 1


# ---------------------------------------------------------------- exit codes


def test_exit_code_0_when_nothing_is_violated(port: Seaport) -> None:
    assert port.verify(port.questions(ask("a", ["cygnus", "aurora", "ghost"]))).exit_code == 0


def test_exit_code_1_when_something_is_violated(port: Seaport) -> None:
    assert port.verify(port.questions(ask("a", ["cygnus", "borealis"]))).exit_code == 1


@pytest.mark.parametrize("policy", ["strict", "rank"])
def test_exit_code_1_does_not_depend_on_the_policy(port: Seaport, policy: str) -> None:
    asked = port.questions(ask("a", ["cygnus", "borealis"]))
    assert port.verify(asked, "--policy", policy).exit_code == 1


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["questions.jsonl"],
        ["questions.jsonl", "--kg", "facts.tsv"],
        ["questions.jsonl", "--rules", "port.kgr"],
        ["questions.jsonl", *WORLD, "--stdin"],
        WORLD,
        ["questions.jsonl", *WORLD, "--policy", "kind"],
        ["questions.jsonl", *WORLD, "--engine", "steam"],
        ["questions.jsonl", *WORLD, "--format", "xml"],
        ["questions.jsonl", *WORLD, "--on-error", "ignore"],
        ["questions.jsonl", *WORLD, "--no-such-option"],
        ["nowhere.jsonl", *WORLD],
        ["questions.jsonl", "--kg", "nowhere.tsv", "--rules", "port.kgr"],
        ["questions.jsonl", "--kg", "facts.tsv", "--rules", "nowhere.kgr"],
        ["questions.jsonl", *WORLD, "--denied", "nowhere.tsv"],
        ["questions.jsonl", *WORLD, "--out", "no-folder/verdicts.jsonl"],
        [".", *WORLD],
    ],
    ids=lambda arguments: " ".join(arguments) or "nothing",
)
def test_exit_code_2_on_wrong_use_and_missing_files(port: Seaport, arguments: list[str]) -> None:
    result = port.run("verify", *arguments)
    assert result.exit_code == 2
    assert result.stderr.strip()
    assert "sat" not in result.stdout


@pytest.mark.parametrize("name", ["questions.jsonl", "facts.tsv", "port.kgr"])
@pytest.mark.parametrize("content", ["", "\n\n"])
def test_empty_files_are_errors(port: Seaport, name: str, content: str) -> None:
    port.write(name, content)
    result = port.verify("questions.jsonl")
    assert result.exit_code == 2
    assert name in result.stderr
    assert "empty-file" in result.stderr


def test_a_mistyped_file_name_gets_the_nearest(port: Seaport) -> None:
    assert "questions.jsonl" in port.verify("question.jsonl").stderr
    assert (
        "facts.tsv"
        in port.run("verify", "questions.jsonl", "--kg", "fact.tsv", "--rules", "port.kgr").stderr
    )


def test_a_rule_file_with_an_error_gives_no_verdict(port: Seaport) -> None:
    port.write(
        "port.kgr",
        (port.folder / "port.kgr").read_text().replace("require tonnage", "require tonage"),
    )
    result = port.verify("questions.jsonl", "--format", "jsonl")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "did you mean `tonnage`?" in result.stderr


# ---------------------------------------------------------------- --out


def test_out_holds_what_would_have_been_printed(port: Seaport) -> None:
    for format in ("jsonl", "csv", "table"):
        printed = port.verify("questions.jsonl", "--format", format)
        written = port.verify("questions.jsonl", "--format", format, "--out", "verdicts")
        assert written.exit_code == printed.exit_code == 1
        assert written.stdout == ""
        assert (port.folder / "verdicts").read_text("utf-8") == printed.stdout


@pytest.mark.parametrize("before", [None, "precious\n"])
@pytest.mark.parametrize(
    "line", ['{"oops', json.dumps(ask("z", ["aurora"], "no_such_question")), '{"id": "q1"}']
)
def test_out_leaves_nothing_behind_after_an_error(
    port: Seaport, before: str | None, line: str
) -> None:
    asked = port.questions(*QUESTIONS, line)
    if before is not None:
        port.write("verdicts.jsonl", before)
    files = sorted(port.folder.iterdir())
    assert port.verify(asked, "--format", "jsonl", "--out", "verdicts.jsonl").exit_code == 2
    assert sorted(port.folder.iterdir()) == files
    if before is not None:
        assert (port.folder / "verdicts.jsonl").read_text() == before


def test_out_leaves_nothing_behind_when_the_stream_breaks_off(port: Seaport) -> None:
    lines = json.dumps(QUESTIONS[0]) + "\n{oops\n"
    files = sorted(port.folder.iterdir())
    result = port.verify("--stdin", "--format", "jsonl", "--out", "verdicts.jsonl", stdin=lines)
    assert result.exit_code == 2
    assert sorted(port.folder.iterdir()) == files


# ---------------------------------------------------------------- --stdin


def test_stdin_gives_what_the_file_gives(port: Seaport) -> None:
    text = (port.folder / "questions.jsonl").read_text()
    assert port.verdicts("--stdin", stdin=text) == port.verdicts("questions.jsonl")


def test_stdin_answers_a_line_before_the_next_is_written(port: Seaport) -> None:
    command = [sys.executable, "-m", "kgverify", "verify", "--stdin", *WORLD, "--format", "jsonl"]
    with subprocess.Popen(
        command,
        cwd=port.folder,
        text=True,
        encoding="utf-8",
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in range(3):
            process.stdin.write(json.dumps(ask(f"s{number}", ["cygnus"])) + "\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
            assert (answer["question"], answer["verdict"]) == (f"s{number}", "sat")
        process.stdin.close()
        assert process.stdout.read() == ""
        assert process.wait() == 0


def test_stdin_skips_a_bad_line_and_goes_on(port: Seaport) -> None:
    lines = "\n".join([json.dumps(ask("a", ["cygnus"])), "{oops", json.dumps(ask("b", ["cygnus"]))])
    result = port.verify("--stdin", "--on-error", "skip", "--format", "jsonl", stdin=lines)
    assert [json.loads(line)["question"] for line in result.stdout.splitlines()] == ["a", "b"]
    assert "<stdin>:2:2" in result.stderr


def test_stdin_stops_at_a_bad_line(port: Seaport) -> None:
    lines = "\n".join([json.dumps(ask("a", ["cygnus"])), "{oops", json.dumps(ask("b", ["cygnus"]))])
    result = port.verify("--stdin", "--format", "jsonl", stdin=lines)
    assert result.exit_code == 2
    assert [json.loads(line)["question"] for line in result.stdout.splitlines()] == ["a"]


def test_stdin_notices_a_repeated_id(port: Seaport) -> None:
    lines = (json.dumps(ask("a", ["cygnus"])) + "\n") * 2
    result = port.verify("--stdin", stdin=lines)
    assert result.exit_code == 2
    assert "duplicate-question" in result.stderr


def test_a_reader_that_goes_away_is_no_error(port: Seaport) -> None:
    port.questions(*(ask(f"q{n}", ["cygnus"]) for n in range(2000)), name="many.jsonl")
    command = [
        sys.executable,
        "-m",
        "kgverify",
        "verify",
        "many.jsonl",
        *WORLD,
        "--format",
        "jsonl",
    ]
    with subprocess.Popen(
        command, cwd=port.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()
        assert process.wait() in (0, 1)


# ---------------------------------------------------------------- --on-error, one bad line


BAD_LINES = [
    '{"oops',
    "[]",
    "null",
    '"text"',
    '{"id": "z"}',
    '{"id": "z", "question": "calls"}',
    "\x00",
    json.dumps(ask("z", ["aurora"], "no_such_question")),
    json.dumps(ask("z", ["aurora"], p="bergen")),
    json.dumps(ask("z", [])),
    json.dumps(ask("z", ["Nordlys"])),
]


@pytest.mark.parametrize("bad", BAD_LINES)
def test_skip_reports_the_line_and_processes_the_others(port: Seaport, bad: str) -> None:
    asked = port.questions(ask("a", ["cygnus"]), bad, "", ask("b", ["cygnus"]))
    result = port.verify(asked, "--on-error", "skip", "--format", "jsonl")
    assert [json.loads(line)["question"] for line in result.stdout.splitlines()] == ["a", "b"]
    assert f"{asked}:2" in result.stderr
    assert result.exit_code == 0


@pytest.mark.parametrize("bad", BAD_LINES)
def test_stop_shows_the_line_and_gives_no_verdict(port: Seaport, bad: str) -> None:
    asked = port.questions(ask("a", ["cygnus"]), bad, "", ask("b", ["cygnus"]))
    result = port.verify(asked, "--format", "jsonl")
    assert result.exit_code == 2
    assert f"{asked}:2" in result.stderr
    assert result.stdout == ""


def test_stop_shows_every_bad_line(port: Seaport) -> None:
    asked = port.questions("{oops", ask("a", ["cygnus"]), "[]", '{"id": "z"}')
    result = port.verify(asked)
    for line in (1, 3, 4):
        assert f"{asked}:{line}" in result.stderr


@pytest.mark.parametrize("on_error", ["stop", "skip"])
def test_duplicate_question_ids(port: Seaport, on_error: str) -> None:
    asked = port.questions(ask("a", ["cygnus"]), ask("b", ["cygnus"]), ask("a", ["borealis"]))
    result = port.verify(asked, "--on-error", on_error, "--format", "jsonl")
    assert f"{asked}:3: error: question id `a` is used twice" in result.stderr
    assert f"{asked}:1: first used here" in result.stderr
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    if on_error == "stop":
        assert (result.exit_code, lines) == (2, [])
    else:
        assert [(v["question"], v["candidate"]) for v in lines] == [
            ("a", "cygnus"),
            ("b", "cygnus"),
        ]


def test_skip_also_skips_bad_lines_of_the_graph(port: Seaport) -> None:
    port.write("facts.tsv", (port.folder / "facts.tsv").read_text() + "only two\tcolumns\n")
    result = port.verify("questions.jsonl", "--on-error", "skip")
    assert result.exit_code == 1
    assert "facts.tsv:21" in result.stderr


# ---------------------------------------------------------------- candidates and arguments


def test_duplicate_candidates_count_once(port: Seaport) -> None:
    asked = port.questions(
        ask("a", ["cygnus", {"entity": "cygnus", "score": 1}, "aurora", "MS Aurora"])
    )
    result = port.verify(asked, "--format", "jsonl")
    verdicts = [json.loads(line) for line in result.stdout.splitlines()]
    assert [v["candidate"] for v in verdicts] == ["cygnus", "aurora"]
    assert "repeated-candidate" in result.stderr


@pytest.mark.parametrize("name", ["aurora", "MS Aurora", "ms aurora", "  MS  Aurora "])
def test_entities_by_id_or_label(port: Seaport, name: str) -> None:
    (verdict,) = port.verdicts(port.questions(ask("a", [name])))
    assert (verdict["candidate"], verdict["label"]) == ("aurora", "MS Aurora")


@pytest.mark.parametrize(
    "line", [ask("a", ["Nordlys"]), ask("a", ["cygnus"], p="Nordlys", c="oil")]
)
def test_ambiguous_labels_list_their_choices(port: Seaport, line: dict) -> None:
    result = port.verify(port.questions(line))
    assert result.exit_code == 2
    assert "`Nordlys` is the label of 2 entities: `nordlys1`, `nordlys2`" in result.stderr


def test_every_use_of_an_ambiguous_label_is_an_error(port: Seaport) -> None:
    asked = port.questions(*(ask(id, ["Nordlys"]) for id in "abc"))
    result = port.verify(asked, "--on-error", "skip", "--format", "jsonl")
    assert result.stdout == ""
    assert result.stderr.count("ambiguous-entity") == 3


def test_an_id_is_never_ambiguous(port: Seaport) -> None:
    port.write("labels.tsv", "id\tlabel\naurora\tcygnus\n")
    (verdict,) = port.verdicts(port.questions(ask("a", ["cygnus"])))
    assert (verdict["candidate"], verdict["verdict"]) == ("cygnus", "sat")


def test_entities_by_curie_and_iri(port: Seaport) -> None:
    port.write(
        "port.kgr", (port.folder / "port.kgr").read_text() + "prefix s: <https://ex.org/ship/>\n"
    )
    port.write("more.nt", "<https://ex.org/ship/vega> <docks:at> <https://ex.org/ship/x> .\n")
    asked = port.questions(ask("a", ["s:vega", "<https://ex.org/ship/x>", "https://ex.org/ship/y"]))
    assert {v["candidate"] for v in port.verdicts(asked, "--kg", "more.nt")} == {
        "https://ex.org/ship/vega",
        "https://ex.org/ship/x",
        "https://ex.org/ship/y",
    }


STRANGE = ['say "hi"', "two words", "back\\slash", "C:\\new\\table", "line\nbreak", "tab\tstop",
           "(f(x), g)",
           "Tromsø", "東京", "a,b;c", "'; drop", "#hash", "%41", "{d}", "[red]x[/red]",
           "a|b", "1e5", "-7",
           "\u202eright", "e\u0301", "x" * 5000]  # fmt: skip


@pytest.mark.parametrize("name", STRANGE)
def test_strange_candidates_come_back_unharmed(port: Seaport, name: str) -> None:
    asked = port.questions(ask("a", [name, "cygnus"]))
    for engine in ("slice", "reference"):
        found = by_candidate(port.verdicts(asked, "--engine", engine))
        assert set(found) == {name, "cygnus"}
        assert found[name]["verdict"] == "unk"
        assert found["cygnus"]["verdict"] == "sat"


@pytest.mark.parametrize("name", [n for n in STRANGE if "\n" not in n and "\t" not in n])
def test_strange_entities_of_the_graph_are_decided(port: Seaport, name: str) -> None:
    port.write("more.tsv", f"{name}\ttype\tFerry\n{name}\tdocks_at\tbergen\n")
    asked = port.questions(ask("a", [name]), ask(name, ["cygnus"]))
    for engine in ("slice", "reference"):
        verdicts = port.verdicts(asked, "--kg", "more.tsv", "--engine", engine)
        assert [(v["question"], v["candidate"], v["verdict"]) for v in verdicts] == [
            ("a", name, "sat"),
            (name, "cygnus", "sat"),
        ]


def test_an_id_with_a_newline_is_escaped_on_one_line(port: Seaport) -> None:
    port.write("more.nt", '<x:a\\nb> <x:r> "v" .\n')
    result = port.verify(port.questions(ask("a\nb", ["c\nd"])), "--format", "jsonl")
    (line,) = result.stdout.splitlines()
    assert (json.loads(line)["question"], json.loads(line)["candidate"]) == ("a\nb", "c\nd")


@pytest.mark.parametrize("format", ["jsonl", "csv", "table"])
def test_half_a_character_is_an_error_with_its_line(port: Seaport, format: str) -> None:
    asked = port.questions(
        '{"id": "a", "question": "calls", "arguments": {"p": "bergen", "c": "oil"}, '
        '"candidates": ["\\ud800"]}'
    )
    command = [sys.executable, "-m", "kgverify", "verify", asked, *WORLD, "--format", format]
    done = subprocess.run(command, cwd=port.folder, capture_output=True, check=False)
    assert done.returncode in (0, 2)
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    "t", [4294967297, "4294967297", "+4294967297", "04294967297", 4294967297.0]
)
def test_large_integers_are_compared_exactly(port: Seaport, t: object) -> None:
    found = by_candidate(
        port.verdicts(port.questions(ask("a", ["aurora", "borealis"], "of_tonnage", t=t)))
    )
    assert found["aurora"]["verdict"] == "sat"
    assert found["borealis"]["verdict"] == "viol"


@pytest.mark.parametrize("engine", ["slice", "reference"])
@pytest.mark.parametrize(
    "number", [2**31 - 1, 2**31, 2**32, 2**32 + 1, 2**63, 10**40, -(2**31) - 1]
)
def test_no_integer_wraps_to_another(port: Seaport, number: int, engine: str) -> None:
    port.write(
        "more.tsv",
        f"vega\ttype\tShip\nvega\ttonnage\t{number}\n"
        f"wega\ttype\tShip\nwega\ttonnage\t{number - 2**32}\n",
    )
    asked = port.questions(ask("a", ["vega", "wega"], "of_tonnage", t=number))
    found = by_candidate(port.verdicts(asked, "--kg", "more.tsv", "--engine", engine))
    assert (found["vega"]["verdict"], found["wega"]["verdict"]) == ("sat", "viol")


def test_denied_facts_decide(port: Seaport) -> None:
    port.write("denied.tsv", "aurora\tcarries\toil\n")
    asked = port.questions(ask("a", ["aurora"]))
    (before,) = port.verdicts(asked)
    (after,) = port.verdicts(asked, "--denied", "denied.tsv")
    assert (before["verdict"], after["verdict"]) == ("unk", "sat")
    assert after["constraints"][2]["because"]
    assert "denied.tsv:1" in " ".join(after["constraints"][2]["because"])


# ---------------------------------------------------------------- names that the graph lacks


def mistype_in_graph(port: Seaport) -> None:
    port.write(
        "port.kgr",
        (port.folder / "port.kgr")
        .read_text()
        .replace("relation home_port (", 'relation home_port = "homeport" ('),
    )


def test_a_relation_that_the_graph_lacks_is_a_warning_with_the_nearest(port: Seaport) -> None:
    mistype_in_graph(port)
    result = port.verify("questions.jsonl")
    assert result.exit_code == 1
    assert "port.kgr:6:22: warning: the graph has no relation `homeport`" in result.stderr
    assert "did you mean `home_port`?" in result.stderr


def test_strict_names_makes_it_an_error(port: Seaport) -> None:
    mistype_in_graph(port)
    result = port.verify(
        "questions.jsonl", "--strict-names", "--format", "jsonl", "--out", "v.jsonl"
    )
    assert result.exit_code == 2
    assert "`homeport`" in result.stderr
    assert not (port.folder / "v.jsonl").exists()


def test_strict_names_accepts_a_graph_that_has_them_all(port: Seaport) -> None:
    result = port.verify("questions.jsonl", "--strict-names")
    assert result.exit_code == 1
    assert result.stderr == ""


# ---------------------------------------------------------------- the same however it comes


def test_a_store_gives_what_its_files_give(port: Seaport) -> None:
    build = port.run(
        "kg", "build", "facts.tsv", "labels.tsv", "--rules", "port.kgr", "--out", "port.store"
    )
    assert build.exit_code == 0
    stored = port.run(
        "verify",
        "questions.jsonl",
        "--kg",
        "port.store",
        "--rules",
        "port.kgr",
        "--format",
        "jsonl",
    )
    assert stored.stdout == port.verify("questions.jsonl", "--format", "jsonl").stdout


def test_marks_line_ends_and_order_change_nothing(port: Seaport) -> None:
    plain = [strip_places(v) for v in port.verdicts("questions.jsonl")]
    for name in ("facts.tsv", "questions.jsonl", "labels.tsv", "port.kgr"):
        path = port.folder / name
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert [strip_places(v) for v in port.verdicts("questions.jsonl")] == plain
    lines = (
        (port.folder / "facts.tsv")
        .read_bytes()
        .replace(b"\xef\xbb\xbf", b"")
        .splitlines(keepends=True)
    )
    (port.folder / "facts.tsv").write_bytes(b"".join(lines[::-1] + lines[:5]))
    assert [strip_places(v) for v in port.verdicts("questions.jsonl")] == plain


def strip_places(verdict: dict) -> dict:
    kept = {
        key: verdict[key]
        for key in ("question", "candidate", "verdict", "support", "basis", "rank", "kept")
    }
    return kept | {"statuses": statuses(verdict)}


def test_candidates_one_at_a_time_get_the_same_verdicts(port: Seaport) -> None:
    together = {
        v["candidate"]: strip_places(v) for v in port.verdicts(port.questions(QUESTIONS[0]))
    }
    for item in QUESTIONS[0]["candidates"]:
        (alone,) = port.verdicts(port.questions(ask("q1", [item])))
        together[alone["candidate"]]["rank"] = 1
        assert strip_places(alone) == together[alone["candidate"]]


def test_ties_are_broken_by_score_then_id(port: Seaport) -> None:
    items = [
        {"entity": "zeta"},
        {"entity": "yota", "score": 0.1},
        {"entity": "xeno", "score": 0.9},
        "alfa",
    ]
    verdicts = port.verdicts(port.questions(ask("a", items)))
    assert [v["candidate"] for v in verdicts] == ["xeno", "yota", "alfa", "zeta"]


def test_pins_name_the_inputs(port: Seaport) -> None:
    (pins,) = {json.dumps(v["pins"]) for v in port.verdicts("questions.jsonl")}
    port.write("facts.tsv", (port.folder / "facts.tsv").read_text() + "vega\ttype\tShip\n")
    (other,) = {json.dumps(v["pins"]) for v in port.verdicts("questions.jsonl")}
    assert json.loads(pins)["kg"] != json.loads(other)["kg"]
    assert json.loads(pins)["rules"] == json.loads(other)["rules"]


def test_the_command_runs_as_a_module(port: Seaport, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "kgverify", "verify", "questions.jsonl", *WORLD]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "cygnus" in done.stdout


def test_a_folder_in_place_of_the_questions_is_named_as_one(port: Seaport) -> None:
    (port.folder / "asked").mkdir()
    for result in (
        port.verify("asked"),
        port.run("explain", "asked", "--question", "a", "--candidate", "aurora",
                 "--kg", "facts.tsv", "--rules", "port.kgr"),
    ):  # fmt: skip
        assert result.exit_code == 2
        assert "asked: error: is a folder [not-a-file]" in result.stderr


@pytest.mark.parametrize("name", ["<<aurora>>", "<>", "<", ">", "<<>>"])
def test_a_candidate_in_many_brackets_is_somebody_unknown(port: Seaport, name: str) -> None:
    asked = port.questions(ask("a", [name, "aurora"]))
    assert len(port.verdicts(asked)) == 2


def test_cross_check_says_that_both_engines_agree(port: Seaport) -> None:
    plain, checked = (
        port.verify("questions.jsonl", "--format", "csv", *options)
        for options in ([], ["--cross-check"])
    )
    assert checked.stdout == plain.stdout
    assert checked.exit_code == plain.exit_code == 1
    line = "cross-check: 22 atoms, both engines agree"
    assert checked.stderr.splitlines() == [*plain.stderr.splitlines(), line]


@pytest.mark.parametrize("engine", ["slice", "reference"])
def test_engines_that_differ_give_no_verdict(
    port: Seaport, monkeypatch: pytest.MonkeyPatch, engine: str
) -> None:
    monkeypatch.setattr("kgverify.reasoning.crosscheck.derive", lambda rules: set())
    result = port.verify(
        "questions.jsonl", "--cross-check", "--engine", engine, "--out", "verdicts.txt"
    )
    assert result.exit_code == 2
    assert "clingo derives docks_at(MS Aurora, Bergen), pyDatalog does not" in result.stderr
    assert "[engines-differ]" in result.stderr
    assert "agree" not in result.stderr
    assert not (port.folder / "verdicts.txt").exists()
