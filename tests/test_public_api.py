"""What kgverify offers to programs: these names, documented and typed, and nothing loaded early."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import kgverify

PUBLIC = [
    "AdmittedEdge",
    "Alike",
    "Analysis",
    "Answer",
    "Asker",
    "Bm25",
    "Bm25Options",
    "Bm25Reference",
    "Budget",
    "Calibration",
    "Candidate",
    "Claim",
    "Claims",
    "Confirmation",
    "Constraint",
    "Corpus",
    "CorpusInfo",
    "CorpusOptions",
    "CorpusSummary",
    "Dense",
    "Difference",
    "Embeddings",
    "Encoder",
    "EndpointJudge",
    "EngineError",
    "EvidenceError",
    "Explanation",
    "Failure",
    "Finding",
    "Gazetteer",
    "Graph",
    "GraphError",
    "GraphInfo",
    "Hit",
    "Hybrid",
    "ImportedRules",
    "IndexFolder",
    "Judge",
    "Judgement",
    "KgverifyError",
    "KnowledgeBase",
    "LanguageModel",
    "LimitReached",
    "ModelError",
    "NliJudge",
    "Omission",
    "Options",
    "Outcome",
    "Pair",
    "Passage",
    "PassageReader",
    "Problem",
    "Query",
    "Question",
    "QuestionError",
    "Reading",
    "RelationWords",
    "Retriever",
    "Reviewed",
    "RuleBook",
    "RuleComparison",
    "RuleCoverage",
    "RuleError",
    "RuleJudge",
    "RulePart",
    "RulePlace",
    "RuleStory",
    "Scenario",
    "Scenarios",
    "Suite",
    "Summary",
    "Synergy",
    "SynergyEvidence",
    "SynergyOptions",
    "TextCompleter",
    "Texts",
    "VERSION",
    "Value",
    "VectorLikeness",
    "Verdict",
    "Verifier",
    "WordLikeness",
    "analyze_rules",
    "ask",
    "build_corpus",
    "build_store",
    "calibrate",
    "check_explanation",
    "check_rules",
    "check_suites",
    "compare_rules",
    "confirm_rules",
    "corpus_info",
    "duplicate_ids",
    "edge_query",
    "evidence_text",
    "explain",
    "explain_rule",
    "find_question",
    "find_scenarios",
    "format_rules",
    "graph_knowledge_base",
    "info",
    "load_rules",
    "load_rules_text",
    "load_suites",
    "measure_coverage",
    "named_entity",
    "open_corpus",
    "open_graph",
    "path_text",
    "program_text",
    "read_explanation",
    "read_mined_rules",
    "read_pairs",
    "read_questions",
    "read_rule_text",
    "read_texts",
    "review_rules",
    "rules_against_graph",
    "run_tests",
    "same_model",
    "sample",
    "suggest_rules",
    "titled_knowledge_base",
    "verify",
    "write_mined_rules",
]
FUNCTIONS = [name for name in PUBLIC if name.islower()]
CLASSES = [name for name in PUBLIC if name[0].isupper() and not name.isupper()]


def test_the_public_names_are_these() -> None:
    assert sorted(kgverify.__all__) == sorted(PUBLIC)


@pytest.mark.parametrize("name", PUBLIC)
def test_every_name_can_be_had(name: str) -> None:
    assert getattr(kgverify, name) is not None
    namespace: dict[str, object] = {}
    exec(f"from kgverify import {name}", namespace)
    assert namespace[name] is getattr(kgverify, name)
    assert name in dir(kgverify)


@pytest.mark.parametrize("name", FUNCTIONS + CLASSES)
def test_every_name_is_documented(name: str) -> None:
    text = (
        vars(getattr(kgverify, name)).get("__doc__")
        if name in CLASSES
        else getattr(kgverify, name).__doc__
    )
    assert text
    assert not text.startswith(f"{name}(")  # the signature that dataclasses write by themselves
    assert text.strip()[0].isupper() or text.startswith("`")


@pytest.mark.parametrize("name", CLASSES)
def test_public_methods_are_documented_and_typed(name: str) -> None:
    cls = getattr(kgverify, name)
    for key, member in vars(cls).items():
        if key.startswith("_") or not (inspect.isfunction(member) or isinstance(member, property)):
            continue
        function = member.fget if isinstance(member, property) else member
        assert function.__doc__ or isinstance(member, property), f"{name}.{key}"
        assert inspect.signature(function).return_annotation is not inspect.Signature.empty


@pytest.mark.parametrize("name", FUNCTIONS)
def test_signatures_are_typed(name: str) -> None:
    signature = inspect.signature(getattr(kgverify, name))
    assert signature.return_annotation is not inspect.Signature.empty
    for parameter in signature.parameters.values():
        assert parameter.annotation is not inspect.Parameter.empty


def test_the_package_says_that_it_is_typed() -> None:
    assert (Path(kgverify.__file__).parent / "py.typed").is_file()


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'verfy'"):
        kgverify.verfy  # noqa: B018


@pytest.mark.parametrize(
    "name", ["EngineError", "GraphError", "LimitReached", "QuestionError", "RuleError"]
)
def test_errors_have_one_root_and_an_exit_code(name: str) -> None:
    cls = getattr(kgverify, name)
    assert issubclass(cls, kgverify.KgverifyError)
    problem = kgverify.Problem("some-code", "something is wrong")
    error = cls([problem, problem])
    assert error.problems == (problem, problem)
    assert str(error).count("something is wrong") == 2
    assert error.exit_code == (3 if name == "LimitReached" else 2)


@pytest.mark.parametrize(
    "code",
    [
        "import kgverify",
        "import kgverify; kgverify.__all__; kgverify.VERSION; dir(kgverify)",
        "from kgverify import KgverifyError, Problem",
        "import kgverify.cli.app",
    ],
)
def test_an_import_costs_nothing(code: str) -> None:
    heavy = "{'numpy', 'clingo', 'lark', 'pyoxigraph', 'rdflib', 'rich.table'}"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint(sorted({heavy} & set(sys.modules)))"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"


# ---------------------------------------------------------------- the tour, by hand

RULES = """\
class Person
relation parent_of (Person, Person)
relation mother_of (Person, Person) inverse functional, sub of parent_of
rule grandparents: grandparent_of(X, Z) :- parent_of(X, Y), parent_of(Y, Z).
relation grandparent_of (Person, Person)
question grandparents(p: Person)
    "Who is a grandparent of {p}?"
    answer x : Person
    require grandparent_of(x, p)
question mothers(p: Person)
    "Who is {p}'s mother?"
    answer x : Person
    require mother_of(x, p)
"""
FACTS = "ada\tparent_of\tben\nben\tparent_of\tcyd\ndora\tmother_of\tcyd\n"


@pytest.fixture
def world(tmp_path: Path):
    (tmp_path / "family.kgr").write_text(RULES)
    (tmp_path / "facts.tsv").write_text(FACTS)
    return kgverify.open_graph(tmp_path / "facts.tsv"), kgverify.load_rules(tmp_path / "family.kgr")


def question(id: str, name: str, *candidates: str) -> kgverify.Question:
    return kgverify.Question(id, name, {"p": "cyd"}, tuple(map(kgverify.Candidate, candidates)))


def test_verify_and_explain(world) -> None:
    graph, rules = world
    verdicts = kgverify.verify(question("g", "grandparents", "ben", "ada"), graph, rules)
    assert [(v.candidate, v.verdict) for v in verdicts] == [("ada", "sat"), ("ben", "unk")]
    assert verdicts[0].statuses == {"answer": "sat", "c1": "sat"}
    proof = kgverify.explain(question("g", "grandparents", "ada"), "ada", graph, rules)
    (_, explained) = proof.constraints
    assert {leaf.source.rsplit("/", 1)[-1] for leaf in explained.pro.leaves()} >= {
        "facts.tsv:1",
        "facts.tsv:2",
    }


def test_several_questions_and_engines_and_policies(world) -> None:
    graph, rules = world
    asked = [question("g", "grandparents", "ada"), question("m", "mothers", "dora", "ada")]
    for engine in ("slice", "reference"):
        found = kgverify.verify(asked, graph, rules, policy="strict", engine=engine)
        assert [(v.question, v.candidate, v.verdict, v.kept) for v in found] == [
            ("g", "ada", "sat", True),
            ("m", "dora", "sat", True),
            ("m", "ada", "viol", False),
        ]


def test_faults_are_raised_together(world) -> None:
    graph, rules = world
    asked = [
        question("a", "grandparent", "ada"),
        question("a", "mothers", "ada"),
        kgverify.Question("c", "mothers", {}, (kgverify.Candidate("ada"),)),
    ]
    with pytest.raises(kgverify.QuestionError) as caught:
        kgverify.verify(asked, graph, rules)
    assert {p.code for p in caught.value.problems} == {
        "unknown-question",
        "duplicate-question",
        "missing-argument",
    }


@pytest.mark.parametrize("option", [{"policy": "kind"}, {"engine": "steam"}])
def test_unknown_options_are_errors(world, option: dict[str, str]) -> None:
    graph, rules = world
    with pytest.raises(kgverify.QuestionError):
        kgverify.verify(question("g", "grandparents", "ada"), graph, rules, **option)


def test_an_empty_candidate_list_gives_no_verdict(world) -> None:
    graph, rules = world
    assert kgverify.verify(question("g", "grandparents"), graph, rules) == []


def test_rules_from_a_text_know_their_name() -> None:
    with pytest.raises(kgverify.RuleError) as caught:
        kgverify.load_rules_text("class A\nrelation r (A, B)\n", "inline.kgr")
    assert "inline.kgr:2:16" in str(caught.value)


def test_explain_needs_a_known_question(world) -> None:
    graph, rules = world
    with pytest.raises(kgverify.QuestionError):
        kgverify.explain(question("g", "grandparent", "ada"), "ada", graph, rules)


@pytest.mark.parametrize(
    ("arguments", "candidates", "told"),
    [
        ({"p": "dora"}, ("ada",), "$.candidates[0]"),
        ({"p": "dora"}, (kgverify.Candidate(None),), "$.candidates[0]"),
        ({"p": "dora"}, (kgverify.Candidate("ada", float("nan")),), "a score is finite"),
        ({"p": "dora"}, (kgverify.Candidate("ada\ud800"),), "surrogate"),
        ({"p": None}, (kgverify.Candidate("ada"),), "$.arguments.p"),
        (None, (kgverify.Candidate("ada"),), "$.arguments"),
    ],
)
def test_a_question_made_by_a_program_is_checked_like_a_line(
    world, arguments, candidates, told: str
) -> None:
    graph, rules = world
    asked = kgverify.Question("q", "mothers", arguments, candidates)
    with pytest.raises(kgverify.QuestionError) as caught:
        kgverify.verify(asked, graph, rules)
    assert told in str(caught.value)
