"""Verdicts as JSON lines, CSV and a table."""

from __future__ import annotations

import csv
import io
import json

import pytest

from kgverify.version import VERSION
from tests.cli.seaport import QUESTIONS, Seaport, ask

FIELDS = [
    "question",
    "candidate",
    "label",
    "verdict",
    "support",
    "basis",
    "rank",
    "kept",
    "constraints",
    "pins",
]
CONSTRAINT = ["id", "text", "status", "reason", "basis", "because", "would_settle"]
STATUSES = {"sat", "viol", "unk"}


# ---------------------------------------------------------------- JSON lines


def test_every_field_is_there_and_has_its_type(port: Seaport) -> None:
    verdicts = port.verdicts("questions.jsonl")
    assert len(verdicts) == 9
    for verdict in verdicts:
        assert [key for key in verdict if key in FIELDS] == FIELDS
        for key in ("question", "candidate", "label"):
            assert isinstance(verdict[key], str)
        assert verdict["verdict"] in STATUSES
        assert isinstance(verdict["support"], float)
        assert 0 <= verdict["support"] <= 1
        assert verdict["basis"] in ("", "asserted", "derived")
        assert (verdict["basis"] != "") == (verdict["verdict"] == "sat")
        assert isinstance(verdict["rank"], int)
        assert isinstance(verdict["kept"], bool)
        assert list(verdict["pins"]) == ["kg", "rules", "version"]
        assert verdict["pins"]["version"] == VERSION
        assert len(verdict["pins"]["kg"]) == len(verdict["pins"]["rules"]) == 64


def test_every_constraint_has_its_fields(port: Seaport) -> None:
    for verdict in port.verdicts("questions.jsonl"):
        for constraint in verdict["constraints"]:
            assert [key for key in constraint if key in CONSTRAINT] == CONSTRAINT
            assert constraint["status"] in STATUSES
            open_ = constraint["status"] == "unk"
            assert constraint["reason"] in (
                ("missing", "conflict", "unresolved") if open_ else ("",)
            )
            assert bool(constraint["because"]) == (not open_ or constraint["reason"] == "conflict")
            assert bool(constraint["would_settle"]) == (constraint["reason"] == "missing")
            assert all({"facts", "status"} <= set(w) for w in constraint["would_settle"])
        ids = [c["id"] for c in verdict["constraints"]]
        assert ids[0] == "answer"
        assert len(set(ids)) == len(ids)


def test_no_field_is_added(port: Seaport) -> None:
    for verdict in port.verdicts("questions.jsonl"):
        assert set(verdict) == {*FIELDS, "score"}
        assert all(
            set(constraint) == {*CONSTRAINT, "required"} for constraint in verdict["constraints"]
        )


def test_support_is_the_weighted_share_of_all_constraints(port: Seaport) -> None:
    weight = {"answer": 1.0, "c1": 1.0, "c2": 1.0, "c3": 0.5}
    for verdict in port.verdicts(port.questions(QUESTIONS[0])):
        sat = sum(weight[c["id"]] for c in verdict["constraints"] if c["status"] == "sat")
        assert verdict["support"] == pytest.approx(sat / 3.5)


def test_a_constraint_that_is_given_twice_counts_once(port: Seaport) -> None:
    rules = (port.folder / "port.kgr").read_text()
    port.write(
        "port.kgr", rules.replace("    exclude carries(x, c)\n", "    exclude carries(x, c)\n" * 3)
    )
    for verdict in port.verdicts(port.questions(QUESTIONS[0])):
        assert len(verdict["constraints"]) == 4
        sat = {"cygnus": 3, "aurora": 2.5, "ghost": 0, "borealis": 2, "bergen": 1}[
            verdict["candidate"]
        ]
        assert verdict["support"] == pytest.approx(sat / 3.5)


@pytest.mark.parametrize(
    "weight", ["0.1", "1e-9", "2000000000", "4294967296", "1e15", "0.30000000000000004"]
)
def test_support_stays_within_0_and_1_for_any_weight(port: Seaport, weight: str) -> None:
    rules = (port.folder / "port.kgr").read_text().replace("weight 0.5", f"weight {weight}")
    port.write("port.kgr", rules)
    for engine in ("slice", "reference"):
        found = {
            v["candidate"]: v["support"]
            for v in port.verdicts(port.questions(QUESTIONS[0]), "--engine", engine)
        }
        w = float(weight)
        assert found["cygnus"] == pytest.approx(3 / (3 + w))
        assert found["aurora"] == pytest.approx((2 + w) / (3 + w))
        assert found["ghost"] == 0


def test_non_ascii_is_written_as_itself(port: Seaport) -> None:
    asked = port.questions(ask("東", ["Tromsø"]))
    text = port.verify(asked, "--format", "jsonl").stdout
    assert '"question": "東"' in text
    assert '"candidate": "Tromsø"' in text


def test_two_runs_write_the_same_bytes(port: Seaport) -> None:
    runs = {port.verify("questions.jsonl", "--format", "jsonl").stdout for _ in range(2)}
    assert len(runs) == 1


# ---------------------------------------------------------------- CSV


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_csv_says_what_json_says(port: Seaport) -> None:
    verdicts = port.verdicts("questions.jsonl")
    found = rows(port.verify("questions.jsonl", "--format", "csv").stdout)
    assert len(found) == len(verdicts)
    for row, verdict in zip(found, verdicts, strict=True):
        for key in ("question", "candidate", "label", "verdict", "basis"):
            assert row[key] == verdict[key]
        assert float(row["support"]) == verdict["support"]
        assert int(row["rank"]) == verdict["rank"]
        assert row["kept"] == str(verdict["kept"]).lower()
        assert row["constraints"] == " ".join(
            f"{c['id']}={c['status']}" for c in verdict["constraints"]
        )


FORMULAS = [
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\tx",
    '=HYPERLINK("http://x","y")',
    "=cmd|' /C calc'!A0",
]


@pytest.mark.parametrize("name", FORMULAS)
def test_csv_runs_no_formula(port: Seaport, name: str) -> None:
    asked = port.questions(ask(name, [name]))
    (row,) = rows(port.verify(asked, "--format", "csv").stdout)
    for key in ("question", "candidate", "label"):
        assert row[key] == "'" + name
    for cell in row.values():
        assert cell[:1] not in tuple("=+-@\t\r")


def test_csv_runs_no_formula_after_a_line_feed(port: Seaport) -> None:
    asked = port.questions(ask("a", ["\n=1+1"]))
    (row,) = rows(port.verify(asked, "--format", "csv").stdout)
    assert row["candidate"] == "'\n=1+1"


@pytest.mark.parametrize("name", ["\rx", "two\rlines"])
def test_csv_cells_with_a_carriage_return_survive(port: Seaport, name: str) -> None:
    asked = port.questions(ask("a", [name]))
    (row,) = rows(port.verify(asked, "--format", "csv").stdout)
    assert row["candidate"].removeprefix("'") == name


@pytest.mark.parametrize("name", ["a,b", 'a "b" c', "two\nlines", "semi;colon", "東京"])
def test_csv_cells_survive_a_round_trip(port: Seaport, name: str) -> None:
    asked = port.questions(ask(name, [name, "cygnus"]))
    found = rows(port.verify(asked, "--format", "csv").stdout)
    assert {(row["question"], row["candidate"]) for row in found} == {
        (name, name),
        (name, "cygnus"),
    }


# ---------------------------------------------------------------- the table


def test_the_table_has_a_line_for_each_candidate_with_labels(port: Seaport) -> None:
    result = port.verify("questions.jsonl")
    lines = result.stdout.splitlines()
    assert any(line.startswith("q1: Which ships call at Bergen without oil?") for line in lines)
    aurora = [line for line in lines if "MS Aurora" in line]
    assert len(aurora) == 2
    assert aurora[0].split()[:5] == ["2", "MS", "Aurora", "(aurora)", "?"]
    assert "0.71" in aurora[0]
    header = next(line for line in lines if "candidate" in line)
    for column in (
        "verdict",
        "support",
        "basis",
        "x : Ship",
        "docks_at(x, Bergen)",
        "not carries(x, oil)",
    ):
        assert column in header


def test_the_table_ends_with_a_legend(port: Seaport) -> None:
    legend = port.verify("questions.jsonl").stdout.strip().splitlines()[-1]
    for word in ("✓ sat", "✗ viol", "? unk", "not kept"):
        assert word in legend


MARKUP = [
    "[red]x[/red]",
    "[/]",
    "[bold",
    "[link=http://x]y[/link]",
    ":smile:",
    "[/nothing]",
    "\\[x]",
]


@pytest.mark.parametrize("name", MARKUP)
def test_markup_in_names_is_text(port: Seaport, name: str) -> None:
    port.write("more.tsv", f"{name}\ttype\tShip\n{name}\tdocks_at\tbergen\nkai\ttype\tPort\n")
    port.write("labels.tsv", f"id\tlabel\nbergen\tBergen\nkai\t{name}\n")
    asked = port.questions(ask(name, [name, "cygnus"]), ask("k", ["cygnus"], p="kai", c="oil"))
    shown = port.verify(asked, "--kg", "more.tsv").stdout
    assert f"{name}: Which ships call at Bergen without oil?" in shown
    assert f"k: Which ships call at {name} without oil?" in shown
    assert f"docks_at(x, {name})" in shown
    assert any(line.split()[1:2] == [name.split()[0]] for line in shown.splitlines())


def test_markup_in_a_question_of_the_rule_file_is_text(port: Seaport) -> None:
    rules = (
        (port.folder / "port.kgr")
        .read_text()
        .replace("Which ships call", "[red]Which[/red] ships call")
    )
    port.write("port.kgr", rules)
    assert "q1: [red]Which[/red] ships call at Bergen" in port.verify("questions.jsonl").stdout


def test_there_is_no_colour_in_a_file_or_a_pipe(port: Seaport) -> None:
    port.verify("questions.jsonl", "--out", "table.txt")
    assert "\x1b" not in (port.folder / "table.txt").read_text("utf-8")
    assert "\x1b" not in port.verify("questions.jsonl").stdout


@pytest.mark.parametrize("name", [
    "\x1b[31mred\x1b[0m", "bell\x07", "back\x08space",
    "\x1b]0;title\x07",
])  # fmt: skip
def test_no_control_character_reaches_the_terminal(port: Seaport, name: str) -> None:
    asked = port.questions(ask("a", [name]))
    shown = port.verify(asked).stdout
    assert not any(mark in shown for mark in "\x1b\x07\x08")
    (line,) = port.verify(asked, "--format", "jsonl").stdout.splitlines()
    assert json.loads(line)["candidate"] == name
    assert "\x1b" not in line


def test_argument_names_in_labels_are_not_filled_again(port: Seaport) -> None:
    port.write("labels.tsv", "id\tlabel\nbergen\t{c}\noil\tcrude\n")
    (line,) = [
        x
        for x in port.verify(port.questions(ask("a", ["cygnus"]))).stdout.splitlines()
        if x.startswith("a: ")
    ]
    assert line.strip() == "a: Which ships call at {c} without crude?"
