"""Values in a table take the datatype that the rule file declares for their relation."""

from __future__ import annotations

import pytest

from tests.cli.seaport import Seaport, ask

VALUES = [
    ("integer", "007", 7, "sat"),
    ("integer", "4294967297", 1, "viol"),
    ("number", "1e3", 1000, "sat"),
    ("number", "2.50", "2.5", "sat"),
    ("decimal", "0.1", 0.1, "sat"),
    ("number", "0.30000000000000004", 0.3, "viol"),
    ("date", "1990-05-01", "1990-05-01", "sat"),
    ("date", "1990-05-01", "1990-05-02", "viol"),
    ("date", "1990-05", "1990-05-02", "unk"),
    ("date", "1990-05", "1990-06-02", "viol"),
    ("date", "-0044-03-15", "-0044-03-15", "sat"),
    ("date", "1990", "1991-05-01", "viol"),
    ("string", "oak", "oak", "sat"),
    ("string", "oak", "Oak", "viol"),
    ("date", "1990", "1990", "sat"),
    ("date", "1990", "1990-05-01", "unk"),
    ("string", "007", "007", "sat"),
    ("string", "007", "7", "viol"),
    ("string", "1990-05", "1990-05", "sat"),
    ("boolean", "true", True, "sat"),
    ("boolean", "true", False, "viol"),
]


@pytest.mark.parametrize("engine", ["slice", "reference"])
@pytest.mark.parametrize(("datatype", "stored", "asked", "status"), VALUES)
def test_a_stored_value_meets_an_asked_one(
    port: Seaport, datatype: str, stored: str, asked: object, status: str, engine: str
) -> None:
    port.write(
        "port.kgr",
        f"class Ship\nrelation has (Ship, {datatype}) functional\n"
        f'question which(v: {datatype})\n    "Which have {{v}}?"\n    answer x : Ship\n'
        "    require has(x, v)\n",
    )
    port.write("facts.tsv", f"tug\ttype\tShip\ntug\thas\t{stored}\n")
    (verdict,) = port.verdicts(
        port.questions(ask("a", ["tug"], "which", v=asked)), "--engine", engine
    )
    assert verdict["constraints"][1]["status"] == status


@pytest.mark.parametrize(
    ("datatype", "asked"),
    [("date", "1990-13-01"), ("date", "soon"), ("integer", "1.5"), ("boolean", "maybe")],
)
def test_an_asked_value_that_its_datatype_lacks_is_an_error(
    port: Seaport, datatype: str, asked: str
) -> None:
    port.write(
        "port.kgr",
        f"class Ship\nrelation has (Ship, {datatype}) functional\n"
        f'question which(v: {datatype})\n    "Which have {{v}}?"\n    answer x : Ship\n'
        "    require has(x, v)\n",
    )
    port.write("facts.tsv", "tug\ttype\tShip\n")
    result = port.verify(port.questions(ask("a", ["tug"], "which", v=asked)))
    assert result.exit_code == 2
    assert "argument-type" in result.stderr


def test_ten_thousand_candidates_of_four_kinds(port: Seaport) -> None:
    lines = []
    for n in range(10_000):
        if n % 4 != 3:
            lines.append(f"s{n}\ttype\t{'Port' if n % 4 == 2 else 'Ship'}\n")
        if n % 4 == 0:
            lines.append(f"s{n}\tdocks_at\tbergen\n")
    port.write("many.tsv", "".join(lines))
    port.write(
        "port.kgr",
        "class Ship, Port\ndisjoint Ship, Port\nrelation docks_at (Ship, Port)\n"
        'question at(p: Port)\n    "Which are at {p}?"\n    answer x : Ship\n'
        "    prefer docks_at(x, p)\n",
    )
    asked = port.questions(ask("a", [f"s{n}" for n in range(10_000)], "at", p="bergen"))
    out = port.run("verify", asked, "--kg", "many.tsv", "--kg", "facts.tsv", "--rules", "port.kgr",
                   "--format", "csv").stdout  # fmt: skip
    rows = [line.split(",") for line in out.splitlines()[1:]]
    assert len(rows) == 10_000
    kinds = {"0": set(), "1": set(), "2": set(), "3": set()}
    for row in rows:
        kinds[str(int(row[1][1:]) % 4)].add((row[3], float(row[4]), row[7]))
    assert kinds == {
        "0": {("sat", 1.0, "true")},
        "1": {("sat", 0.5, "true")},
        "2": {("viol", 0.0, "false")},
        "3": {("unk", 0.0, "true")},
    }
