"""`kgverify judge`: one passage for a person, a file of pairs to measure a judge, and mistakes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.asking.chat_server import chat_server
from tests.cli.seaport import Seaport

RULES = """
class Country phrases "country"
class City phrases "city"
disjoint Country, City
relation capital (Country, City) functional phrases "{1} is the capital of {0}"
relation size (Country, number) functional phrases "the size of {0} is {1}"
"""
FACT = ("--subject", "Brenda", "--relation", "capital", "--object", "Osk", "--rules", "r.kgr")


@pytest.fixture
def files(port: Seaport) -> Seaport:
    port.write("r.kgr", RULES)
    return port


def pair(number: int, text: str, label: str) -> str:
    claim = {"subject": "Brenda", "relation": "capital", "object": "Osk"}
    passage = {"id": f"p{number}", "text": text}
    return json.dumps({"id": str(number), "passage": passage, "claim": claim, "label": label})


def test_a_passage_is_judged_for_a_person(files: Seaport) -> None:
    result = files.run("judge", "text", "Brenda's capital is Osk.", *FACT)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines()[1].startswith("ENTAILED")
    assert "characters 0-23" in result.stdout


def test_a_passage_is_judged_for_a_program(files: Seaport) -> None:
    result = files.run("judge", "text", "Osk isn't Brenda's capital.", *FACT,
                       "--format", "json")  # fmt: skip
    found = json.loads(result.stdout)
    assert found["label"] == "NOT_ENTAILED"
    assert found["quote"] == "Osk isn't Brenda's capital"
    assert found["place"] == [0, 26]


def test_values_have_units_and_comparisons(files: Seaport) -> None:
    fact = ("--subject", "Brenda", "--relation", "size", "--rules", "r.kgr", "--unit", "km2")
    for bound, label in (("500", "ENTAILED"), ("900", "NOT_ENTAILED")):
        result = files.run("judge", "text", "The size of Brenda is 700 km².", *fact,
                           "--object", bound, "--compare", ">", "--format", "json")  # fmt: skip
        assert json.loads(result.stdout)["label"] == label


def test_names_come_from_a_graph(files: Seaport) -> None:
    files.write("kg.tsv", "b\tcapital\to\n")
    files.write("labels.tsv", "b\tBrenda\tCountry\no\tOsk\tCity\n")
    result = files.run("judge", "text", "Osk is the capital of Brenda.", "--subject", "b",
                       "--relation", "capital", "--object", "o", "--rules", "r.kgr",
                       "--kg", "kg.tsv", "--kg", "labels.tsv")  # fmt: skip
    assert "ENTAILED" in result.stdout, result.stderr


def test_pairs_measure_a_judge(files: Seaport) -> None:
    rows = [
        pair(1, "Osk is the capital of Brenda.", "ENTAILED"),
        pair(2, "Osk is not the capital of Brenda.", "NOT_ENTAILED"),
        pair(3, "Osk rules Brenda.", "ENTAILED"),
    ]
    files.write("pairs.jsonl", "\n".join(rows))
    result = files.run("judge", "calibrate", "pairs.jsonl", "--rules", "r.kgr")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "3 pairs judged, 0 without a label" in result.stdout
    result = files.run("judge", "calibrate", "pairs.jsonl", "--rules", "r.kgr", "--format", "json",
                       "--out", "found.json")  # fmt: skip
    assert result.stdout == ""
    found = json.loads((files.folder / "found.json").read_text())
    assert found["accuracy"] == pytest.approx(2 / 3)
    assert found["confusion"]["ENTAILED"] == {"ENTAILED": 1, "UNCERTAIN": 1, "NOT_ENTAILED": 0}
    assert [answer["judged"] for answer in found["answers"]][:2] == ["ENTAILED", "NOT_ENTAILED"]


def test_all_mistakes_of_a_file_are_told_at_once(files: Seaport) -> None:
    files.write("pairs.jsonl", "{\n" + pair(1, "x", "YES") + "\n" + pair(1, "x", "ENTAILED"))
    result = files.run("judge", "calibrate", "pairs.jsonl", "--rules", "r.kgr")
    assert result.exit_code == 2
    assert result.stdout == ""
    for code in ("malformed-pair", "unknown-label", "duplicate-id"):
        assert f"[{code}]" in result.stderr


def test_an_endpoint_judges_and_its_failures_are_counted_beside(files: Seaport) -> None:
    files.write(
        "pairs.jsonl", pair(1, "Osk.", "ENTAILED") + "\n" + pair(2, "Osk, Osk.", "ENTAILED")
    )
    with chat_server('{"label": "ENTAILED", "score": 1}', "I can't say.") as server:
        options = ("--judge", "endpoint", "--model", "m", "--url", server.url, "--retries", "0")
        result = files.run(
            "judge", "calibrate", "pairs.jsonl", "--rules", "r.kgr", *options, "--format", "json"
        )
        found = json.loads(result.stdout)
        assert (found["count"], found["failures"], found["accuracy"]) == (1, 1, 1.0)
        assert found["answers"][1]["code"] == "judge-reply"
        result = files.run("judge", "text", "Osk.", *FACT, *options)
    assert result.exit_code == 2
    assert "[judge-reply]" in result.stderr
    assert "the judge said: I can't say." in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    "options",
    [
        ("--judge", "nli"),
        ("--judge", "endpoint", "--model", "m"),
        ("--judge", "endpoint", "--url", "http://127.0.0.1:1/v1"),
        ("--model", "m"),
        ("--url", "http://127.0.0.1:1/v1"),
        ("--cache", "x"),
        ("--label", "LABEL_0=neutral"),
        ("--unit", "km"),
        ("--compare", ">"),
    ],
)
def test_options_that_do_not_go_together_are_told(files: Seaport, options: list[str]) -> None:
    result = files.run("judge", "text", "Osk.", *FACT, *options)
    assert result.exit_code == 2
    assert "goes with" in result.stderr
    assert not Path("x").exists()


def test_an_unknown_relation_has_a_hint(files: Seaport) -> None:
    result = files.run("judge", "text", "Osk.", "--subject", "a", "--relation", "capitol",
                       "--object", "b", "--rules", "r.kgr")  # fmt: skip
    assert result.exit_code == 2
    assert "[unknown-relation]" in result.stderr
    assert "did you mean `capital`?" in result.stderr
