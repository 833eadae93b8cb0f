"""Property tests of the semantics, for kgverify's own tests and for users': random worlds, the
laws that verdicts obey, and a way to run them.

Needs Hypothesis, the extra `testing`.
"""

from __future__ import annotations

from importlib.util import find_spec

from kgverify.errors import KgverifyError, Problem

if find_spec("hypothesis") is None:
    raise KgverifyError(
        Problem(
            "missing-extra",
            "kgverify.testing needs Hypothesis, which is not installed",
            hint="pip install 'kgverify[testing]'",
        )
    )

from kgverify.testing.evidence import contradicts
from kgverify.testing.examining import (
    Counterexample,
    Outcome,
    cases,
    examine,
    examine_rules,
    random_worlds,
    smallest,
)
from kgverify.testing.law import Breach, Change, Law, Nothing, Scope
from kgverify.testing.laws import LAWS, law
from kgverify.testing.own_worlds import own_worlds, pieces_of
from kgverify.testing.strategies import (
    atoms,
    completeness,
    evidence,
    facts,
    groups,
    question_templates,
    rule_files,
    rules,
    schemas,
    worlds,
)
from kgverify.testing.world import World

__all__ = [
    "LAWS",
    "Breach",
    "Change",
    "Counterexample",
    "Law",
    "Nothing",
    "Outcome",
    "Scope",
    "World",
    "atoms",
    "cases",
    "completeness",
    "contradicts",
    "evidence",
    "examine",
    "examine_rules",
    "facts",
    "groups",
    "law",
    "own_worlds",
    "pieces_of",
    "question_templates",
    "random_worlds",
    "rule_files",
    "rules",
    "schemas",
    "smallest",
    "worlds",
]
