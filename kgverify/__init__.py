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
    from kgverify.errors import (
        EngineError,
        GraphError,
        KgverifyError,
        LimitReached,
        Problem,
        QuestionError,
        RuleError,
    )
    from kgverify.graph import Graph, Options, build_store, open_graph
    from kgverify.language.checks import load_rules, load_rules_text
    from kgverify.language.rulebook import RuleBook
    from kgverify.verdicts import Verdict
    from kgverify.verification import Verifier, explain, verify
    from kgverify.version import VERSION
    from kgverify.vocabulary import Candidate, Constraint, Explanation, Question

__all__ = [
    "VERSION",
    "Candidate",
    "Constraint",
    "EngineError",
    "Explanation",
    "Graph",
    "GraphError",
    "KgverifyError",
    "LimitReached",
    "Options",
    "Problem",
    "Question",
    "QuestionError",
    "RuleBook",
    "RuleError",
    "Verdict",
    "Verifier",
    "build_store",
    "explain",
    "load_rules",
    "load_rules_text",
    "open_graph",
    "verify",
]

_HOMES = {
    "kgverify.errors": (
        "EngineError GraphError KgverifyError LimitReached Problem QuestionError RuleError"
    ),
    "kgverify.graph": "Graph Options build_store open_graph",
    "kgverify.language.checks": "load_rules load_rules_text",
    "kgverify.language.rulebook": "RuleBook",
    "kgverify.verdicts": "Verdict",
    "kgverify.verification": "Verifier explain verify",
    "kgverify.vocabulary": "Candidate Constraint Explanation Question",
    "kgverify.version": "VERSION",
}
_HOME = {name: module for module, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'kgverify' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
