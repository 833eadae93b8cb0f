"""Measures over questions, for each type and for all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from kgverify.experiments.metaqa.answering import Outcome, f1
from kgverify.experiments.metrics import mean

ALL = "all"


def measures(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Means over the questions of one kind.

    `read`: the share that was read, not refused.  `hits_at_1`: the first answer is gold.  `exact`:
    the answers are the gold ones.  `f1`: of the sets.  The same of the walk that the question's
    type names, as `ceiling_…`; and `as_walked`, the share whose answers are those of the walk: what
    the reading has to answer for.  A question without answers counts 0."""

    def share(holds: Callable[[Outcome], float | bool]) -> float | None:
        return mean(float(holds(outcome)) for outcome in outcomes)

    found: dict[str, Any] = {
        "questions": len(outcomes),
        "read": share(lambda o: not o.refused),
        "hits_at_1": share(lambda o: o.is_hit),
        "exact": share(lambda o: o.is_exact),
        "f1": share(lambda o: o.f1),
    }
    typed = [outcome for outcome in outcomes if outcome.walked is not None]
    pairs = [(o, o.walked) for o in typed if o.walked is not None]
    found["ceiling_exact"] = mean(float(walk == o.question.gold) for o, walk in pairs)
    found["ceiling_f1"] = mean(f1(walk, o.question.gold) for o, walk in pairs)
    found["as_walked"] = mean(float(walk == frozenset(o.answers)) for o, walk in pairs)
    found["refused"] = dict(sorted(Counter(o.refused for o in outcomes if o.refused).items()))
    return found


def by_type(outcomes: Sequence[Outcome]) -> dict[str, dict[str, Any]]:
    """The measures of all questions, and of each type."""
    types = sorted({outcome.question.type for outcome in outcomes})
    found = {ALL: measures(outcomes)}
    for type_ in types:
        found[type_] = measures([o for o in outcomes if o.question.type == type_])
    return found
