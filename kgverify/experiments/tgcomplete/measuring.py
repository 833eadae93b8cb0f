"""The measures of one run of a method, as plain numbers; and their means over seeds."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from kgverify.completion.breakpoints import Edge
from kgverify.completion.curves import edge_scores
from kgverify.experiments.metrics import mean, ratio
from kgverify.experiments.statistics import t_interval
from kgverify.experiments.tgcomplete.cases import Case
from kgverify.experiments.tgcomplete.depending import depending
from kgverify.experiments.tgcomplete.records import Answered, MethodRun, PathQuestion
from kgverify.experiments.tgcomplete.supporting import TEXT, TITLED, WINDOWS, Support

Numbers = dict[str, Any]


def measures(case: Case, run: MethodRun) -> Numbers:
    """All measures of a run."""
    support = case.reading.exhaustive.of(one.edge for one in run.edges)
    answered = {one.question: one for one in run.answered}
    losing = [q for q in case.questions if case.lost[q.id]]
    stated = {edge: found.is_stated() for edge, found in support.items()}
    return {
        "answers": {
            "all": answers(case.questions, answered),
            "losing": answers(losing, answered),
        },
        "edges": edges(case, run),
        "support": supported(case, run, support),
        "depending": depending(
            case.questions, run, case.left, stated, case.world.symmetric
        ),
        "cost": cost(run, len(case.questions)),
    }


def answers(questions: Sequence[PathQuestion], answered: Mapping[str, Answered]) -> Numbers:
    """How good the answers are.

    `exact`: they are all of the right ones and no others.  `hit`: the first is right.  `f1`: of the
    set of answers, 0 where nothing is answered."""
    pairs = [(set(answered[q.id].answers), q.answers) for q in questions]
    return {
        "questions": len(questions),
        "exact": mean(float(given == right) for given, right in pairs),
        "hit": mean(map(float, hits(questions, answered))),
        "f1": mean(2 * len(g & r) / (len(g) + len(r)) for g, r in pairs),
    }


def hits(questions: Sequence[PathQuestion], answered: Mapping[str, Answered]) -> list[bool]:
    """Is the first answer to each right?"""
    firsts = (answered[q.id].answers[:1] for q in questions)
    return [bool(f) and f[0] in q.answers for f, q in zip(firsts, questions, strict=True)]


def edges(case: Case, run: MethodRun) -> Numbers:
    """Proposed edges against the deleted ones (table 3).

    `precision` is against all deleted edges, `recall` against those that the questions need;
    edges of symmetric relations count in either direction."""
    admitted = [one.edge for one in run.edges if one.admitted]
    rejected = [one.edge for one in run.edges if not one.admitted]
    both = case.world.symmetric
    whole = edge_scores(admitted, rejected, case.deleted, case.left, "declared", both)
    needed = frozenset().union(*case.lost.values())
    asked = edge_scores(admitted, rejected, needed, case.left, "declared", both)
    return {
        "missing": len({place for one in run.answered for place in one.missing}),
        "proposed": len(run.edges),
        "admitted": len(admitted),
        "rejected": len(rejected),
        "precision": _float(whole.precision),
        "gold_correct": _float(whole.gold_correct),
        "recall": _float(asked.recall),
        "needed": asked.gold,
        "false_rejection": _float(whole.false_rejection),
    }


def _float(share: Any) -> float | None:
    return None if share is None else float(share)


def supported(case: Case, run: MethodRun, support: Mapping[Edge, Support]) -> Numbers:
    """What the second judge finds stated, of admitted edges and of proposed ones (tables 4 and 5,
    figure 3).

    `cited`: by the passages that the edge itself cites.  `stated`: by any passage of the corpus.
    `no_passage`: no text names both ends within 50 words.  `gap`: of the right edges, those that no
    passage states; `recovered`: of the right edges without a passage within 50 words, those that
    the full text states; `matrix`: all proposed edges, right or wrong, stated or not."""
    admitted = [one for one in run.edges if one.admitted]
    right = case.both_ways(case.world.all_edges)
    states = case.reading.exhaustive.states
    return {
        "cited": mean(float(states(one.edge, one.passages)) for one in admitted),
        "stated": mean(float(support[one.edge].is_stated()) for one in admitted),
        "no_passage": mean(float(not support[one.edge].named[WINDOWS[0]]) for one in admitted),
        "no_full_text": mean(float(not support[one.edge].named[TITLED]) for one in admitted),
        "gap": gap([one.edge for one in admitted if one.edge in right], support),
        "gap_proposed": gap([one.edge for one in run.edges if one.edge in right], support),
        "matrix": {
            f"{'right' if is_right else 'wrong'}, {'stated' if is_stated else 'not stated'}": sum(
                (one.edge in right) is is_right and support[one.edge].is_stated() is is_stated
                for one in run.edges
            )
            for is_right in (True, False)
            for is_stated in (True, False)
        },
    }


def gap(edges: Sequence[Edge], support: Mapping[Edge, Support]) -> Numbers:
    """The share of some edges that no passage states, by window, and what wider windows recover."""
    found = [support[edge] for edge in edges]
    none = [one for one in found if not one.named[WINDOWS[0]]]
    return {
        "edges": len(found),
        **{window: mean(float(not one.is_stated(window)) for one in found) for window in WINDOWS},
        "recovered": mean(float(one.is_stated()) for one in none),
        "named": mean(float(one.named[TITLED] > 0) for one in found),
        "named_in_text": mean(float(one.named[TEXT] > 0) for one in found),
    }


def gaps(case: Case) -> Numbers:
    """The gap of all deleted edges, whoever proposes them: by relation, and by how many edges of
    the complete graph their subject has (in thirds of the subjects)."""
    gone = sorted(case.deleted)
    support = case.reading.exhaustive.of(gone)
    degrees: dict[str, int] = {}
    for edge in case.world.all_edges:
        for end in (edge.subject, edge.object):
            degrees[end] = degrees.get(end, 0) + 1
    ordered = sorted(degrees[edge.subject] for edge in gone)
    cuts = [ordered[len(ordered) * n // 3] for n in (1, 2)] if ordered else [0, 0]

    def third(edge: Edge) -> str:
        return ("rare", "middle", "frequent")[sum(degrees[edge.subject] >= cut for cut in cuts)]

    return {
        "all": gap(gone, support),
        "relation": _grouped(gone, support, lambda edge: edge.relation, sorted(case.world.edges)),
        "frequency": _grouped(gone, support, third, ("rare", "middle", "frequent")),
    }


def _grouped(
    found: Iterable[Edge], support: Mapping[Edge, Support], of: Any, groups: Collection[str]
) -> Numbers:
    members: dict[str, list[Edge]] = {group: [] for group in groups}
    for edge in found:
        members[of(edge)].append(edge)
    return {group: gap(some, support) for group, some in members.items()}


def cost(run: MethodRun, questions: int) -> Numbers:
    """What a question costs on average."""
    return {
        name: ratio(getattr(run.cost, name), questions) for name in ("searches", "judged", "calls")
    }


def over_seeds(found: Sequence[Any]) -> Any:
    """The numbers of several seeds as means with Student's t intervals, in the same tree; what a
    seed lacks is undefined there."""
    if any(isinstance(one, Mapping) for one in found):
        keys = dict.fromkeys(key for one in found if one is not None for key in one)
        return {key: over_seeds([(one or {}).get(key) for one in found]) for key in keys}
    return asdict(t_interval([None if one is None else float(one) for one in found]))
