"""Who judges must not be who generated, where faithfulness is reported."""

from __future__ import annotations

from kgverify.errors import EvidenceError, Problem
from kgverify.evidence.endpoint_judge import model_name, same_model

UNKNOWN = "unknown"  # the name of a model that nobody knows
_SAYS_NOTHING = frozenset(("", UNKNOWN, "none", "null", "na", "model", "llm"))


def require_independent(generator: str | None, judge: str | None) -> None:
    """Makes sure that `judge` may judge how faithful the edges are that `generator` proposed.

    A generator of "" is none: the edges came from passages, or from the graph.  Raises
    EvidenceError when the two are one model, by names in whichever spelling; and when nobody knows
    that they aren't: None, or a name that says nothing."""
    if judge is None or model_name(judge) in _SAYS_NOTHING:
        raise _refused("nobody knows which model judged", "name the judge")
    if generator == "":
        return
    if generator is None or model_name(generator) in _SAYS_NOTHING:
        hint = 'name the model that generated, such as by "model" in each line of a record'
        raise _refused("nobody knows which model generated", hint)
    if same_model(generator, judge):
        message = f"`{judge}` would judge what `{generator}` generated, and they are one model"
        raise _refused(message, "have another model judge: one that judges itself is too mild")


def _refused(message: str, hint: str) -> EvidenceError:
    return EvidenceError(
        Problem("same-model", f"faithfulness is not reported: {message}", None, hint)
    )
