"""Nobody judges what they generated themselves."""

from __future__ import annotations

import pytest

from kgverify.completion.independence import UNKNOWN, require_independent
from kgverify.errors import EvidenceError
from kgverify.evidence.rule_judge import RuleJudge


@pytest.mark.parametrize(
    ("generator", "judge", "why"),
    [
        ("qwen2.5-7b", "qwen2.5-7b", "they are one model"),
        ("endpoint Qwen2.5:7B", "endpoint http://localhost:1/v1 org/qwen2.5-7b", "one model"),
        ("Org/Qwen2.5 7B:latest", "qwen2.5-7b", "one model"),
        (None, "qwen2.5-7b", "which model generated"),
        (UNKNOWN, "qwen2.5-7b", "which model generated"),
        ("  ", "qwen2.5-7b", "which model generated"),
        ("endpoint http://localhost:1/v1", "qwen2.5-7b", "which model generated"),
        ("LLM", "qwen2.5-7b", "which model generated"),
        ("deepseek-v3", None, "which model judged"),
        ("deepseek-v3", "", "which model judged"),
        ("deepseek-v3", "Unknown", "which model judged"),
        ("", None, "which model judged"),
    ],
)
def test_faithfulness_is_refused(generator: str | None, judge: str | None, why: str) -> None:
    with pytest.raises(EvidenceError) as caught:
        require_independent(generator, judge)
    (problem,) = caught.value.problems
    assert problem.code == "same-model"
    assert problem.message.startswith("faithfulness is not reported: ")
    assert why in problem.message
    assert problem.hint


@pytest.mark.parametrize("generator", ["", "qwen2.5-7b", "guess 10 3"])
@pytest.mark.parametrize("judge", ["deepseek-v3", "nli /models/deberta", RuleJudge().name])
def test_others_may_judge(generator: str, judge: str) -> None:
    require_independent(generator, judge)
