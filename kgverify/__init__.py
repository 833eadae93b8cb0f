"""kgverify: verify candidate answers over an incomplete knowledge graph, in three values.

    >>> import kgverify
    >>> rules = kgverify.load_rules("rules/family.kgr")              # doctest: +SKIP
    >>> graph = kgverify.open_graph("corpora/family/facts.tsv")      # doctest: +SKIP
    >>> kgverify.verify(question, graph, rules)                      # doctest: +SKIP

The names below are loaded when first used, so that `import kgverify` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kgverify.analysis.analyzing import analyze_rules
    from kgverify.analysis.differences import compare_rules
    from kgverify.analysis.results import (
        Alike,
        Analysis,
        Difference,
        Finding,
        Omission,
        RuleComparison,
        Scenario,
        Scenarios,
    )
    from kgverify.analysis.scenarios import find_scenarios
    from kgverify.answering import Answer, ask
    from kgverify.asking.asker import Asker
    from kgverify.asking.embeddings import Embeddings
    from kgverify.asking.reading import Reading
    from kgverify.asking.texts import Texts, read_texts
    from kgverify.completing import TextCompleter
    from kgverify.errors import (
        EngineError,
        EvidenceError,
        GraphError,
        KgverifyError,
        LimitReached,
        ModelError,
        Problem,
        QuestionError,
        RuleError,
    )
    from kgverify.evidence.bm25 import Bm25, Bm25Options, Bm25Reference
    from kgverify.evidence.building import CorpusSummary, build_corpus, open_corpus
    from kgverify.evidence.calibrating import Calibration, Pair, calibrate, read_pairs
    from kgverify.evidence.claims import Claims
    from kgverify.evidence.corpus import Corpus
    from kgverify.evidence.dense import Dense
    from kgverify.evidence.encoding import Encoder
    from kgverify.evidence.endpoint_judge import EndpointJudge, same_model
    from kgverify.evidence.gazetteer import Gazetteer
    from kgverify.evidence.hybrid import Hybrid
    from kgverify.evidence.indexes import IndexFolder
    from kgverify.evidence.judging import Claim, Failure, Judge, Judgement, RelationWords, Value
    from kgverify.evidence.language_model import LanguageModel
    from kgverify.evidence.nli import NliJudge
    from kgverify.evidence.options import CorpusOptions
    from kgverify.evidence.overview import CorpusInfo, corpus_info
    from kgverify.evidence.passages import Passage
    from kgverify.evidence.queries import edge_query, named_entity
    from kgverify.evidence.reader import PassageReader
    from kgverify.evidence.retrieving import Hit, Query, Retriever
    from kgverify.evidence.rule_judge import RuleJudge
    from kgverify.evidence.synergy.building import (
        graph_knowledge_base,
        titled_knowledge_base,
    )
    from kgverify.evidence.synergy.gathering import Synergy, SynergyEvidence
    from kgverify.evidence.synergy.knowledge_base import KnowledgeBase
    from kgverify.evidence.synergy.likeness import VectorLikeness, WordLikeness
    from kgverify.evidence.synergy.options import SynergyOptions
    from kgverify.evidence.synergy.verbalising import evidence_text, path_text
    from kgverify.graph import (
        Graph,
        GraphInfo,
        Options,
        Summary,
        build_store,
        info,
        open_graph,
        sample,
    )
    from kgverify.language.checks import check_rules, load_rules, load_rules_text
    from kgverify.language.formatting import format_rules
    from kgverify.language.parsing import read_rule_text
    from kgverify.language.rulebook import RuleBook
    from kgverify.language.suites import Suite, check_suites, load_suites
    from kgverify.mining.confirming import Confirmation, confirm_rules
    from kgverify.mining.formats import ImportedRules, read_mined_rules, write_mined_rules
    from kgverify.mining.reviewing import Reviewed, review_rules
    from kgverify.questions import read_questions
    from kgverify.reasoning.exact import Budget
    from kgverify.reasoning.program import program_text
    from kgverify.replay.rechecking import check_explanation, read_explanation
    from kgverify.rule_coverage import RuleCoverage, RulePlace, measure_coverage
    from kgverify.rule_stories import RulePart, RuleStory, explain_rule
    from kgverify.rule_tests import Outcome, run_tests
    from kgverify.suggesting.against import rules_against_graph
    from kgverify.suggesting.writing import suggest_rules
    from kgverify.verdicts import Verdict
    from kgverify.verification import (
        Verifier,
        duplicate_ids,
        explain,
        find_question,
        verify,
    )
    from kgverify.version import VERSION
    from kgverify.vocabulary import AdmittedEdge, Candidate, Constraint, Explanation, Question

__all__ = [
    "VERSION",
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

_HOMES = {
    "kgverify.analysis.analyzing": "analyze_rules",
    "kgverify.analysis.differences": "compare_rules",
    "kgverify.analysis.results": (
        "Alike Analysis Difference Finding Omission RuleComparison Scenario Scenarios"
    ),
    "kgverify.analysis.scenarios": "find_scenarios",
    "kgverify.answering": "Answer ask",
    "kgverify.asking.asker": "Asker",
    "kgverify.asking.embeddings": "Embeddings",
    "kgverify.evidence.building": "CorpusSummary build_corpus open_corpus",
    "kgverify.evidence.corpus": "Corpus",
    "kgverify.evidence.gazetteer": "Gazetteer",
    "kgverify.evidence.calibrating": "Calibration Pair calibrate read_pairs",
    "kgverify.evidence.claims": "Claims",
    "kgverify.evidence.endpoint_judge": "EndpointJudge same_model",
    "kgverify.evidence.judging": "Claim Failure Judge Judgement RelationWords Value",
    "kgverify.evidence.nli": "NliJudge",
    "kgverify.evidence.passages": "Passage",
    "kgverify.evidence.rule_judge": "RuleJudge",
    "kgverify.evidence.language_model": "LanguageModel",
    "kgverify.evidence.options": "CorpusOptions",
    "kgverify.evidence.overview": "CorpusInfo corpus_info",
    "kgverify.evidence.bm25": "Bm25 Bm25Options Bm25Reference",
    "kgverify.evidence.dense": "Dense",
    "kgverify.evidence.encoding": "Encoder",
    "kgverify.evidence.hybrid": "Hybrid",
    "kgverify.evidence.indexes": "IndexFolder",
    "kgverify.evidence.reader": "PassageReader",
    "kgverify.evidence.queries": "edge_query named_entity",
    "kgverify.evidence.retrieving": "Hit Query Retriever",
    "kgverify.evidence.synergy.building": "graph_knowledge_base titled_knowledge_base",
    "kgverify.evidence.synergy.gathering": "Synergy SynergyEvidence",
    "kgverify.evidence.synergy.knowledge_base": "KnowledgeBase",
    "kgverify.evidence.synergy.likeness": "VectorLikeness WordLikeness",
    "kgverify.evidence.synergy.options": "SynergyOptions",
    "kgverify.evidence.synergy.verbalising": "evidence_text path_text",
    "kgverify.asking.reading": "Reading",
    "kgverify.asking.texts": "Texts read_texts",
    "kgverify.errors": (
        "EngineError EvidenceError GraphError KgverifyError LimitReached ModelError Problem "
        "QuestionError RuleError"
    ),
    "kgverify.graph": "Graph GraphInfo Options Summary build_store info open_graph sample",
    "kgverify.language.checks": "check_rules load_rules load_rules_text",
    "kgverify.language.formatting": "format_rules",
    "kgverify.language.parsing": "read_rule_text",
    "kgverify.language.rulebook": "RuleBook",
    "kgverify.mining.confirming": "Confirmation confirm_rules",
    "kgverify.mining.formats": "ImportedRules read_mined_rules write_mined_rules",
    "kgverify.mining.reviewing": "Reviewed review_rules",
    "kgverify.questions": "read_questions",
    "kgverify.reasoning.exact": "Budget",
    "kgverify.reasoning.program": "program_text",
    "kgverify.replay.rechecking": "check_explanation read_explanation",
    "kgverify.language.suites": "Suite check_suites load_suites",
    "kgverify.rule_coverage": "RuleCoverage RulePlace measure_coverage",
    "kgverify.rule_stories": "RulePart RuleStory explain_rule",
    "kgverify.rule_tests": "Outcome run_tests",
    "kgverify.suggesting.against": "rules_against_graph",
    "kgverify.suggesting.writing": "suggest_rules",
    "kgverify.completing": "TextCompleter",
    "kgverify.verdicts": "Verdict",
    "kgverify.verification": "Verifier duplicate_ids explain find_question verify",
    "kgverify.vocabulary": "AdmittedEdge Candidate Constraint Explanation Question",
    "kgverify.version": "VERSION",
}
_HOME = {name: module for module, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'kgverify' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
