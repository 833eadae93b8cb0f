"""`kgverify mine`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import kgverify.cli.mine
import kgverify.mining.engines
from kgverify.cli.app import app

pytest.importorskip("numba", reason="the compiled loops need numba")

FAMILY = Path(__file__).parents[2] / "corpora" / "family" / "facts.tsv"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["mine", *map(str, arguments)])


def lines(path: Path) -> list[list[str]]:
    return [line.split("\t") for line in path.read_text("utf-8").splitlines()]


def test_rules_are_written_with_their_measures(tmp_path: Path) -> None:
    out = tmp_path / "rules.tsv"
    result = run(FAMILY, "--min-support", "5", "--out", out)
    assert result.exit_code == 0, result.stderr
    assert result.stdout == ""
    header, *rows = lines(out)
    assert header[0] == "Rule"
    assert result.stderr.startswith(f"{out}: {len(rows)} rules for 8 relations: ")
    (found,) = (row for row in rows if row[0].startswith("?e  mother_of  ?b  ?e  spouse  ?a "))
    assert found == [
        *("?e  mother_of  ?b  ?e  spouse  ?a   => ?a  father_of  ?b",),
        *("0.596153846", "0.911764706", "0.911764706", "31", "34", "34", "?b"),
        *("52", "object"),
    ]


def test_without_a_file_the_rules_go_to_standard_output(tmp_path: Path) -> None:
    out = tmp_path / "rules.tsv"
    run(FAMILY, "--min-support", "5", "--out", out)
    result = run(FAMILY, "--min-support", "5")
    assert result.stdout == out.read_text("utf-8")


@pytest.mark.parametrize(
    "options", [[], ["--max-length", "4", "--min-support", "8"], ["--constants", "--all-rules"]]
)
def test_both_engines_write_the_same(tmp_path: Path, options: list[str]) -> None:
    written = []
    for engine in ("compiled", "sparse"):
        out = tmp_path / engine
        assert run(FAMILY, *options, "--engine", engine, "--out", out).exit_code == 0
        written.append(out.read_text("utf-8"))
    assert written[0] == written[1]
    assert written[0].count("\n") > 5


def test_only_these_relations_and_heads(tmp_path: Path) -> None:
    out = tmp_path / "rules.tsv"
    named = ("--relations", "spouse", "--relations", "mother_of", "--relations", "father_of")
    run(FAMILY, *named, "--heads", "father_of", "--out", out)
    _, *rows = lines(out)
    assert rows
    for row in rows:
        body, head = row[0].split("=>")
        assert head.split()[1] == "father_of"
        assert set(body.split()[1::3]) <= {"spouse", "mother_of", "father_of"}


def test_the_options_of_the_search_reach_it(tmp_path: Path) -> None:
    counts = {}
    for name, options in {
        "default": [],
        "support": ["--min-support", "30"],
        "head size": ["--min-head-size", "40"],
        "coverage": ["--min-head-coverage", "0.5"],
        "confidence": ["--min-confidence", "0.9"],
        "pca": ["--min-pca", "0.95"],
        "length": ["--max-length", "2"],
    }.items():
        out = tmp_path / name
        assert run(FAMILY, *options, "--out", out).exit_code == 0
        counts[name] = len(lines(out)) - 1
    fewer = ("support", "head size", "coverage", "confidence", "pca", "length")
    assert all(counts[name] < counts["default"] for name in fewer), counts


def test_rules_that_are_no_better_and_extensions_of_perfect_ones_come_on_demand(
    tmp_path: Path,
) -> None:
    """By q and by r the same is known of h, with one mistake; by s exactly what is true."""
    facts = [(f"x{i}", f"y{i}", "hqrs") for i in range(4)] + [("x0", "y1", "qr")]
    graph = tmp_path / "facts.tsv"
    graph.write_text("".join(f"{x}\t{r}\t{y}\n" for x, y, rs in facts for r in rs), "utf-8")

    def bodies(*options: str) -> set[str]:
        out = tmp_path / "rules.tsv"
        assert run(graph, "--heads", "h", *options, "--out", out).exit_code == 0
        found = (row[0].split("=>")[0].split() for row in lines(out)[1:])
        return {
            "".join(words[1::3]) for words in found if {*words[::3], *words[2::3]} == {"?a", "?b"}
        }

    assert bodies() == {"q", "r", "s"}
    assert bodies("--all-rules") == {"q", "r", "s", "qr"}
    assert bodies("--refine-perfect") == {"q", "r", "s"}
    assert bodies("--all-rules", "--refine-perfect") == {"q", "r", "s", "qr", "qs", "rs"}


@pytest.mark.parametrize("side", ["subject", "object"])
def test_the_side_of_the_assumption_is_written(tmp_path: Path, side: str) -> None:
    out = tmp_path / "rules.tsv"
    run(FAMILY, "--pca", side, "--out", out)
    _, *rows = lines(out)
    assert {row[-1] for row in rows} == {side}


def test_a_mistyped_relation_is_named_with_its_neighbour() -> None:
    for option in ("--relations", "--heads"):
        result = run(FAMILY, option, "fathr_of")
        assert result.exit_code == 2
        assert "relation-not-in-graph" in result.stderr
        assert "did you mean `father_of`?" in result.stderr


def test_all_mistyped_relations_are_told_at_once() -> None:
    result = run(FAMILY, "--relations", "fathr_of", "--relations", "mother_of", "--heads", "spuse")
    assert result.exit_code == 2
    assert "did you mean `father_of`?" in result.stderr
    assert "did you mean `spouse`?" in result.stderr


def test_a_head_that_no_rule_may_name_is_a_mistake() -> None:
    result = run(FAMILY, "--relations", "mother_of", "--heads", "spouse")
    assert result.exit_code == 2
    assert "rules for `spouse` are wanted" in result.stderr
    assert "head-left-out" in result.stderr


def test_mining_for_one_head_leaves_other_reviewed_rules_alone(tmp_path: Path) -> None:
    out = tmp_path / "rules.kgr"
    run(FAMILY, "--min-support", "5", "--out", out)
    text = out.read_text("utf-8").replace("\n# review: open", "\n# review: accepted, by Ada")
    out.write_text(text, "utf-8")
    result = run(FAMILY, "--min-support", "5", "--heads", "spouse", "--out", out)
    assert result.exit_code == 0
    assert "0 rejected, 0 not found again" in result.stderr
    again = out.read_text("utf-8")
    assert sorted(again.splitlines()) == sorted(text.splitlines())


def test_without_numba_and_scipy_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kgverify.mining.engines, "find_spec", lambda name: None)
    result = run(FAMILY)
    assert result.exit_code == 2
    assert "missing-package" in result.stderr
    assert "pip install 'kgverify[mining]'" in result.stderr


def test_without_numba_matrices_count(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = run(FAMILY, "--min-support", "5").stdout
    real = kgverify.mining.engines.find_spec
    monkeypatch.setattr(
        kgverify.mining.engines, "find_spec", lambda name: None if name == "numba" else real(name)
    )
    monkeypatch.setitem(sys.modules, "kgverify.mining.compiled", None)
    assert run(FAMILY, "--min-support", "5").stdout == compiled


def test_ctrl_c_writes_what_was_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def interrupting() -> Iterator[Callable[[int, int], None]]:
        def progress(done: int, total: int) -> None:
            if done:
                raise KeyboardInterrupt

        yield progress

    monkeypatch.setattr(kgverify.cli.mine, "_progress", interrupting)
    out = tmp_path / "rules.tsv"
    result = run(FAMILY, "--all-rules", "--threads", "1", "--out", out)
    assert result.exit_code == 3
    assert "stopped" in result.stderr
    header, *_ = lines(out)
    assert header[0] == "Rule"


def test_ctrl_c_while_a_rule_file_is_written_leaves_it_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    out = tmp_path / "rules.kgr"
    assert run(FAMILY, "--min-support", "5", "--out", out).exit_code == 0
    before = out.read_bytes()
    monkeypatch.setattr(kgverify, "review_rules", interrupted)
    result = run(FAMILY, "--out", out)
    assert result.exit_code == 130
    assert "stopped by Ctrl-C" in result.stderr
    assert out.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["rules.kgr"]
