"""`kgverify kg` and `kgverify rules`."""

from __future__ import annotations

import gzip

import pytest

from kgverify import resources
from tests.cli.seaport import Seaport, ask

SHIPPED = sorted(resources.folder("rules").glob("*.kgr"))


def build(port: Seaport, *arguments: str):
    return port.run("kg", "build", *arguments, "--out", "port.store")


# ---------------------------------------------------------------- kg build


def test_build_says_what_it_did(port: Seaport) -> None:
    port.write("facts.tsv", (port.folder / "facts.tsv").read_text() + "aurora\ttype\tShip\n")
    port.write("denied.tsv", "aurora\tcarries\toil\n")
    result = build(port, "facts.tsv", "labels.tsv", "--denied", "denied.tsv", "--rules", "port.kgr")
    assert result.exit_code == 0
    assert "20 triples, 1 denied" in result.stdout
    assert "1 duplicate dropped, 0 lines rejected" in result.stdout


def test_build_stops_at_a_bad_line_and_leaves_nothing(port: Seaport) -> None:
    port.write("bad.tsv", "a\tr\tb\na\tr\n\n  \nb\tr\tc\nx\ty\tz\tmaybe\n")
    before = sorted(port.folder.iterdir())
    result = build(port, "bad.tsv")
    assert result.exit_code == 2
    assert "bad.tsv:2" in result.stderr
    assert "bad.tsv:6:7" in result.stderr
    assert sorted(port.folder.iterdir()) == before


def test_build_skips_bad_lines_when_told_to(port: Seaport) -> None:
    port.write("bad.tsv", "a\tr\tb\na\tr\nb\tr\tc\n")
    result = build(port, "bad.tsv", "--on-error", "skip")
    assert result.exit_code == 0
    assert "2 triples" in result.stdout
    assert "1 line rejected" in result.stdout
    assert "bad.tsv:2" in result.stderr


def test_a_failed_build_leaves_the_old_store(port: Seaport) -> None:
    assert build(port, "facts.tsv").exit_code == 0
    before = port.run("kg", "info", "port.store").stdout
    port.write("bad.tsv", "one column\n")
    assert build(port, "bad.tsv").exit_code == 2
    assert port.run("kg", "info", "port.store").stdout == before


def test_literal_relations_hold_values(port: Seaport) -> None:
    port.write("values.tsv", "vega\ttype\tShip\nvega\ttonnage\t04294967297\n")
    asked = port.questions(ask("a", ["vega"], "of_tonnage", t=4294967297))
    for option in (["--literal", "tonnage"], ["--rules", "port.kgr"]):
        assert build(port, "values.tsv", *option).exit_code == 0
        result = port.run(
            "verify", asked, "--kg", "port.store", "--rules", "port.kgr", "--format", "csv"
        )
        assert "a,vega,vega,sat" in result.stdout


def test_another_type_relation(port: Seaport) -> None:
    port.write(
        "kinds.tsv",
        "vega\tkind\tFerry\nvega\tdocks_at\tbergen\nbergen\tkind\tPort\noil\tkind\tCargo\n",
    )
    asked = port.questions(ask("a", ["vega"]))
    assert build(port, "kinds.tsv", "--type-relation", "kind").exit_code == 0
    result = port.run(
        "verify", asked, "--kg", "port.store", "--rules", "port.kgr", "--format", "csv"
    )
    assert "answer=sat c1=sat c2=sat" in result.stdout


def test_unpacked_size_is_limited(port: Seaport) -> None:
    port.write("zeros.nt.gz", gzip.compress(b"<x:a> <x:r> <x:b> .\n" * 100_000))
    result = build(port, "zeros.nt.gz", "--max-unpacked", "100000")
    assert result.exit_code in (2, 3)
    assert "zeros.nt.gz" in result.stderr
    assert "unpacked size exceeds" in result.stderr
    assert not (port.folder / "port.store").exists()
    assert build(port, "zeros.nt.gz", "--max-unpacked", "10000000").exit_code == 0


def test_a_zip_archive_is_refused_by_name(port: Seaport) -> None:
    port.write("upload.tsv", b"PK\x03\x04" + b"\0" * 40)
    result = build(port, "upload.tsv")
    assert result.exit_code == 2
    assert "zip" in result.stderr


def test_build_needs_sources_and_a_place(port: Seaport) -> None:
    assert port.run("kg", "build", "--out", "s").exit_code == 2
    assert port.run("kg", "build", "facts.tsv").exit_code == 2
    assert build(port, "nowhere.tsv").exit_code == 2


def test_build_does_not_overwrite_what_is_no_store(port: Seaport) -> None:
    (port.folder / "port.store").mkdir()
    port.write("port.store/thesis.txt", "irreplaceable")
    assert build(port, "facts.tsv").exit_code == 2
    assert (port.folder / "port.store/thesis.txt").read_text() == "irreplaceable"


# ---------------------------------------------------------------- kg info


def test_info_counts(port: Seaport) -> None:
    build(port, "facts.tsv", "labels.tsv", "--rules", "port.kgr")
    for source in ("port.store", "facts.tsv"):
        result = port.run("kg", "info", source)
        assert result.exit_code == 0
        assert "20 triples, 0 denied" in result.stdout
        row = next(
            line.split()
            for line in result.stdout.splitlines()
            if line.strip().startswith("docks_at")
        )
        assert row[1:5] == ["3", "0", "3", "1"]  # triples, denied, subjects, objects
        assert row[5:] == ["1.000", "0.333"]
        assert "Ship 4" in result.stdout
        assert result.stdout.split("sample:")[1].strip().count("\n") == 9


def test_info_of_a_graph_with_fewer_than_ten_facts(port: Seaport) -> None:
    port.write("two.tsv", "a\tr\tb\n[red]c[/red]\tr\t:smile:\n")
    result = port.run("kg", "info", "two.tsv")
    assert "2 triples" in result.stdout
    assert "[red]c[/red]  r  :smile:" in result.stdout


def test_info_of_a_missing_store(port: Seaport) -> None:
    build(port, "facts.tsv")
    result = port.run("kg", "info", "prot.store")
    assert result.exit_code == 2
    assert "port.store" in result.stderr


def test_a_damaged_store_is_an_error(port: Seaport) -> None:
    build(port, "facts.tsv")
    for path in (port.folder / "port.store").iterdir():
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    result = port.run("kg", "info", "port.store")
    assert result.exit_code == 2
    assert "port.store" in result.stderr


# ---------------------------------------------------------------- rules check


def test_check_counts_what_a_file_has(port: Seaport) -> None:
    result = port.run("rules", "check", "port.kgr")
    assert result.exit_code == 0
    assert "4 classes, 5 relations, 1 rule, 3 questions, 0 warnings" in result.stdout
    assert result.stderr == ""


def test_warnings_are_shown_and_pass(port: Seaport) -> None:
    port.write("port.kgr", (port.folder / "port.kgr").read_text() + "class Buoy\n")
    result = port.run("rules", "check", "port.kgr")
    assert result.exit_code == 0
    assert "1 warning" in result.stdout
    assert "warning: class `Buoy` is never used [unused]" in result.stderr


def test_errors_fail_and_quote_the_line_with_a_caret(port: Seaport) -> None:
    port.write(
        "bad.kgr",
        "class Ship, Port\nrelation docks_at (Shp, Port)\ndocks_at(X, P) :- docks_at(P, X)\n",
    )
    result = port.run("rules", "check", "bad.kgr")
    assert result.exit_code == 2
    assert "bad.kgr:2:20: error: unknown class `Shp` [unknown-class]\n" in result.stderr
    lines = result.stderr.splitlines()
    assert lines[0].startswith("bad.kgr:3:33: error: the rule is not ended")
    at = next(n for n, text in enumerate(lines) if "`Shp`" in text)
    quoted, caret = lines[at + 1 : at + 3]
    assert quoted.index("Shp") == caret.index("^^^")
    assert "help: did you mean `Ship`?" in result.stderr


@pytest.mark.parametrize(
    "line", ["\trelation docks_at (Shp, Ship)", "relation größer日本 (Shp, Ship)"]
)
def test_the_caret_stands_under_the_fault(port: Seaport, line: str) -> None:
    port.write("bad.kgr", "class Ship\n" + line + "\n")
    lines = port.run("rules", "check", "bad.kgr").stderr.splitlines()
    at = next(n for n, text in enumerate(lines) if "`Shp`" in text)
    assert lines[at + 1].index("Shp") == lines[at + 2].index("^")


def test_without_test_the_tests_are_not_run(port: Seaport) -> None:
    text = (port.folder / "port.kgr").read_text().replace("tug = sat", "tug = viol")
    port.write("port.kgr", text)
    assert port.run("rules", "check", "port.kgr").exit_code == 0
    result = port.run("rules", "check", "port.kgr", "--test")
    assert result.exit_code == 1
    assert "1 test: 1 passed, 1 failed" in result.stdout
    assert 'port.kgr: test "a ferry lists its cargo" fails\n' in result.stdout
    assert "    -     tug = viol\n    +     tug = sat\n" in result.stdout
    assert "port.kgr:30:27: tug should be viol, is sat" in result.stdout
    assert "tug docks at oslo" in result.stdout  # with the proof of what came out


def test_tests_that_pass(port: Seaport) -> None:
    result = port.run("rules", "check", "port.kgr", "--test")
    assert result.exit_code == 0
    assert "1 test: 2 passed, 0 failed" in result.stdout


def test_a_test_sees_its_own_facts_only(port: Seaport) -> None:
    port.write(
        "two.kgr",
        (port.folder / "port.kgr").read_text()
        + """
test "no facts" {
    ask calls(oslo, tea): tug = unk
}
test "a denial, a value and a derived fact" {
    docks_at(tug, oslo).  tug : Ship.  not carries(tug, tea).  tonnage(tug, 4294967297).
    carries(tug, coal).
    ask calls(oslo, tea): tug = sat
    ask of_tonnage(4294967297): tug = sat
    ask of_tonnage(1): tug = viol, rowboat = unk
    ask served(coal): oslo = sat, bergen = unk
}
""",
    )
    result = port.run("rules", "check", "two.kgr", "--test")
    assert result.exit_code == 0, result.stdout
    assert "3 tests: 9 passed, 0 failed" in result.stdout


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_shipped_rules_pass_their_own_tests(port: Seaport, path) -> None:
    result = port.run("rules", "check", str(path), "--test")
    assert result.exit_code == 0, result.stdout + result.stderr
    assert " 0 failed" in result.stdout


# ---------------------------------------------------------------- rules asp


def test_asp_names_the_authors_lines(port: Seaport) -> None:
    result = port.run("rules", "asp", "port.kgr")
    assert result.exit_code == 0
    assert "% a port serves what its ships carry  (port.kgr:10:1)" in result.stdout
    assert "% question calls" in result.stdout
    assert result.stderr == ""


def test_asp_of_a_bad_file_is_an_error(port: Seaport) -> None:
    port.write("bad.kgr", "class Ship\nrelation r (Shp, Ship)\n")
    result = port.run("rules", "asp", "bad.kgr")
    assert (result.exit_code, result.stdout) == (2, "")


@pytest.mark.parametrize("command", ["check", "asp"])
def test_a_missing_rule_file(port: Seaport, command: str) -> None:
    result = port.run("rules", command, "nowhere.kgr")
    assert result.exit_code == 2
    assert "nowhere.kgr" in result.stderr


# ---------------------------------------------------------------- names that match nothing


def test_a_relation_to_values_that_no_fact_has_is_told(port: Seaport) -> None:
    port.write("port.kgr", port.text("port.kgr").replace("tonnage (", 'tonnage = "tonage" ('))
    result = build(port, "facts.tsv", "--rules", "port.kgr")
    assert result.exit_code == 0
    assert "port.kgr:7:20: warning: the graph has no relation `tonage`" in result.stderr
    assert "did you mean `tonnage`?" in result.stderr
    assert "warning" not in build(port, "facts.tsv", "--literal", "tonnage=integer").stderr
    assert "`weight`" in build(port, "facts.tsv", "--literal", "weight").stderr


@pytest.mark.parametrize("content", ["", "\n", "  \n\n"])
def test_an_empty_file_of_denied_facts_denies_nothing(port: Seaport, content: str) -> None:
    port.write("none.tsv", content)
    result = build(port, "facts.tsv", "--denied", "none.tsv")
    assert (result.exit_code, ", 0 denied" in result.stdout) == (0, True)
    assert port.verify("questions.jsonl", "--denied", "none.tsv").exit_code == 1
    port.write("facts.tsv", content)
    assert build(port, "facts.tsv", "--denied", "none.tsv").exit_code == 2


FACT_NAMES = [
    ("carries(aurora, timbr).", "`timber`"),
    ("carries(aurora, tmiber).", "`timber`"),
    ("carries(aurora, timbeer).", "`timber`"),
    ("carries(aurora, tinber).", "`timber`"),
    ('carries(aurora, "Timber").', "`timber`"),
    ('docks_at("MS Aurora", bergen).', "`aurora`"),
    ("borealsi : Ship.", "`borealis`"),
    ("not carries(cygnus, ol).", None),  # too short to be a slip
    ("carries(aurora, nordlys3).", None),  # another number is another name
    ("carries(aurora, steel).", None),
    ("carries(aurora, oil).", None),
]


@pytest.mark.parametrize(("fact", "meant"), FACT_NAMES)
def test_a_slip_in_a_fact_of_the_rule_file_is_told(
    port: Seaport, fact: str, meant: str | None
) -> None:
    line = port.text("port.kgr").count("\n") + 1
    port.write("port.kgr", port.text("port.kgr") + fact + "\n")
    shown = port.verify("questions.jsonl").stderr
    assert ("entity-not-in-graph" in shown) == (meant is not None)
    if meant is not None:
        assert f"port.kgr:{line}:" in shown
        assert f"did you mean {meant}?" in shown


def test_an_exception_that_nobody_is_is_told(port: Seaport) -> None:
    text = port.text("port.kgr")
    port.write("port.kgr", text.replace("carries(x, c)\n", "carries(x, c) except auroora\n"))
    shown = port.verify("questions.jsonl").stderr
    assert "`auroora` [entity-not-in-graph]" in shown
    assert "did you mean `aurora`?" in shown


def test_a_quoted_name_with_brackets_is_that_name(port: Seaport) -> None:
    block = """test "brackets" {
    docks_at("<tug>", "<oslo>").  not carries("<tug>", tea).
    ask calls("<oslo>", tea): "<tug>" = sat, tug = unk
    ask calls(<oslo>, tea): "<tug>" = unk, <tug> = unk
}
"""
    port.write("port.kgr", port.text("port.kgr") + block)
    result = port.run("rules", "check", "port.kgr", "--test")
    assert result.stdout.endswith("2 tests: 6 passed, 0 failed\n"), result.stdout


def test_a_test_that_cannot_be_asked_says_why(port: Seaport) -> None:
    block = 'test "heavy" { ask of_tonnage(heavy): tug = unk }\n'
    port.write("port.kgr", port.text("port.kgr") + block)
    result = port.run("rules", "check", "port.kgr", "--test")
    assert result.exit_code == 1
    assert "tug should be unk, is error" in result.stdout
    assert "`heavy` is not a value of type integer" in result.stdout
