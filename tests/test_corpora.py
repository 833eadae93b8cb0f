"""The shipped corpora and rule files: sound, tested, and the same under both engines."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgverify import resources
from kgverify.graph import Options, open_graph
from kgverify.language.checks import check, load_rules
from kgverify.language.parsing import read_rule_text
from kgverify.language.suites import load_suites
from kgverify.questions import read_questions
from kgverify.rule_coverage import measure_coverage
from kgverify.rule_tests import run_tests
from kgverify.verification import Verifier

FILES = sorted(resources.folder("rules").glob("*.kgr"))
TESTS = [path for path in FILES if path.stem.endswith("_test")]
RULES = [path for path in FILES if path not in TESTS]
COVERED = [path for path in RULES if path.with_name(f"{path.stem}_test.kgr") in TESTS]
# What proofs do without: rules say again what `transitive` says, and where `located_in` is complete
# every place that it does not lead to is one.
NEEDLESS = {
    "family": {"`located_in: asymmetric`"},
    "pharmacy": {"`narrower_than: transitive`", "`form_of: transitive`"},
}
# A corpus with a graph has its facts; corpora/entailment has pairs of sentences only.
CORPORA = sorted(p.parent for p in resources.folder("corpora").glob("*/facts.tsv"))


def load(corpus: Path) -> tuple[object, object, list[object]]:
    book = load_rules(resources.folder("rules") / f"{corpus.name}.kgr")
    options = Options(literal_relations=book.literal_relations)
    sources = [corpus / "facts.tsv", corpus / "labels.tsv"]
    graph = open_graph(sources, options, [corpus / "denied.tsv"])
    with (corpus / "questions.jsonl").open("rb") as lines:
        read = list(read_questions(lines, "questions.jsonl"))
    assert not [problem for _, _, problems in read for problem in problems]
    return book, graph, [question for _, question, _ in read]


@pytest.mark.parametrize("path", RULES, ids=lambda p: p.stem)
def test_rule_files_pass_their_checks_and_tests(path: Path) -> None:
    book, problems = check(read_rule_text(path), path.name)
    assert not problems
    outcomes = list(run_tests(book))
    assert len(outcomes) >= 20
    assert [str(o.span) for o in outcomes if not o.passed] == []
    assert {o.expected for o in outcomes} == {"sat", "viol", "unk"}


@pytest.mark.parametrize("path", COVERED, ids=lambda p: p.stem)
def test_tests_exercise_all_of_a_rule_file(path: Path) -> None:
    (suite,) = load_suites([path])
    assert suite.beside is not None
    assert not suite.beside.warnings
    found = measure_coverage(suite)
    assert not found.failed
    assert {place.text for place in found.missed} == NEEDLESS.get(path.stem, set())


@pytest.mark.parametrize("corpus", CORPORA, ids=lambda p: p.name)
def test_corpora_reach_every_verdict_and_both_engines_agree(corpus: Path) -> None:
    book, graph, questions = load(corpus)
    found = {}
    for engine in ("slice", "reference"):
        verifier = Verifier(graph, book, "rank", engine)  # type: ignore[arg-type]
        results = list(verifier.verify(questions))  # type: ignore[arg-type]
        assert not [p for _, problems in results for p in problems if p.is_error]
        found[engine] = [(v.candidate, v.decision, v.rank) for vs, _ in results for v in vs]
    assert found["slice"] == found["reference"]
    verdicts = {decision.verdict for _, decision, _ in found["slice"]}
    assert verdicts == {"sat", "viol", "unk"}
    assert not any("conflict" in decision.statuses for _, decision, _ in found["slice"])


@pytest.mark.parametrize("corpus", CORPORA, ids=lambda p: p.name)
def test_corpora_name_their_sources(corpus: Path) -> None:
    assert (corpus / "SOURCES.md").stat().st_size > 500
    facts = [line.split("\t") for line in (corpus / "facts.tsv").read_text("utf-8").splitlines()]
    assert len({tuple(f) for f in facts}) == len(facts) >= 100
    assert {len(f) for f in facts} == {3}


def test_every_proof_of_the_corpora_can_be_told() -> None:
    for corpus in CORPORA:
        book, graph, questions = load(corpus)
        for verdicts, _ in Verifier(graph, book, "rank").verify(questions):  # type: ignore[arg-type]
            for verdict in verdicts:
                for explained in verdict.explain().constraints:
                    decided = explained.constraint.status != "unk"
                    is_identity = " != " in explained.constraint.text
                    assert decided == bool(explained.pro or explained.con) or is_identity
