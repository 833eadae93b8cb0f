"""The experiment: the questions of a benchmark answered from its graphs with mined rules.

From the incomplete graph, and from the complete one, rules are mined anew; nothing else is known of
the other graph.  How rules are scored and from which score on their answers count is chosen on the
validation questions (`choosing`), and for comparison also by F1 alone with nothing excluded.  The
test questions are answered once with each.  Their candidates are given to the verifier too, with
the rules as soft statements, and it has to agree.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kgverify.errors import EngineError, Problem, Span, counted
from kgverify.experiments.incomplete.answering import Answerer, Answers, Query, answer_all
from kgverify.experiments.incomplete.choosing import (
    GRID,
    Case,
    Confidences,
    Setting,
    Tuned,
    by_f1,
    by_hard_answers,
    chosen,
    eligible,
    f1_by_threshold,
    scores,
    sweeps,
)
from kgverify.experiments.incomplete.reading import (
    GRAPHS,
    BenchQuestion,
    about,
    check_folder,
    read_part,
)
from kgverify.experiments.incomplete.report import drawn, report
from kgverify.experiments.incomplete.verifying import Agreement, compare
from kgverify.experiments.runs import (
    RunRecord,
    check_place,
    file_hash,
    names_of,
    packages,
    require,
    rounded,
    slugs,
    write_run,
)
from kgverify.experiments.scoring.gold import GoldQuestion
from kgverify.experiments.scoring.measuring import (
    Outcome,
    as_floats,
    by_type,
    measures,
    strict,
)
from kgverify.graph import Graph, open_graph
from kgverify.mining.entrance import mine_graph
from kgverify.mining.evaluation import Evaluator
from kgverify.mining.horn import MinedRule
from kgverify.mining.search import Search

QUICK = 100  # questions of a part
METHODS = ("lookup", "all rules", "by F1", "chosen")
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Answered:
    """The questions of a part, and what a graph and its rules say to each."""

    questions: tuple[BenchQuestion, ...]
    answers: Mapping[Query, Answers]

    @property
    def cases(self) -> list[Case]:
        return [
            Case(frozenset(q.gold.answers), q.query.side, self.answers[q.query], q.gold.hard)
            for q in self.questions
        ]

    def predictions(self, setting: Setting, confidences: Confidences) -> dict[str, list[str]]:
        """The answers to each question by its id."""
        found = {}
        for q in self.questions:
            answers = self.answers[q.query]
            scored = scores(answers, q.query.side, setting, confidences)
            scored = eligible(answers, scored, setting)
            found[q.gold.id] = chosen(answers.known, scored, setting.threshold(answers))
        return found


def run(
    benchmarks: Sequence[Path], out: Path, quick: bool, seed: int, progress: Progress
) -> RunRecord:
    """Answers the questions of each benchmark and writes the folder of the run."""
    require("matplotlib", "scipy")
    check_place(out)
    for folder in benchmarks:
        check_folder(folder)
    search = Search()
    names = names_of(benchmarks)
    file_of = slugs(names)
    results: dict[str, Any] = {}
    files: dict[str, str] = {}
    for name, folder in names.items():
        found = {"about": about(folder)["statistics"]}
        for graph in GRAPHS:
            say = _prefixed(progress, f"{name}, {graph}")
            found[graph], lines = _on_graph(folder, graph, search, quick, seed, say)
            files[f"{file_of[name]}-{graph}.jsonl"] = lines
        results[name] = found
    inputs = {
        f"{name}/{file.name}": file_hash(file)
        for name, folder in names.items()
        for file in sorted(folder.iterdir())
        if file.suffix in (".tsv", ".jsonl")
    }
    record = RunRecord(
        experiment="incomplete",
        quick=quick,
        seeds=(seed,),
        options=as_floats(asdict(search)),
        inputs=inputs,
        packages=packages("clingo", "numpy", "numba", "matplotlib"),
    )
    kept = rounded(results)
    plots = drawn(kept)
    write_run(out, record, {"benchmarks": kept}, report(kept, record, plots), {**files, **plots})
    return record


def _prefixed(progress: Progress, what: str) -> Progress:
    return lambda text: progress(f"{what}: {text}")


# ---------------------------------------------------------------- one graph


def _on_graph(
    folder: Path, name: str, search: Search, quick: bool, seed: int, progress: Progress
) -> tuple[dict[str, Any], str]:
    """The results on one graph, and the predictions that were chosen, as lines."""
    graph = open_graph(f"triples:{folder / name}.tsv")
    rules = mined(graph, search, progress)
    answerer = Answerer(graph, rules)
    progress("measuring rules")
    confidences = Confidences(Evaluator(graph), rules)
    valid, test = (
        _answered(answerer, folder, part, quick, seed, progress) for part in ("valid", "test")
    )
    plain, excluding = (
        sweeps(valid.cases, confidences, excluded, progress) for excluded in (False, True)
    )
    plainly, tuned = by_f1(plain), by_hard_answers(excluding)
    best = tuned.setting
    progress("asking the verifier")
    agreement = compare(graph, rules, test.answers, best, confidences, seed)
    _require_agreement(agreement, graph)
    used = {
        "lookup": Setting(best.scoring, best.combination),
        "all rules": Setting(best.scoring, best.combination, 0.0, 0.0),
        "by F1": plainly.setting,
        "chosen": best,
    }
    predicted = {method: test.predictions(used[method], confidences) for method in METHODS}
    gold = [q.gold for q in test.questions]
    scored = {method: _outcomes(gold, predicted[method]) for method in METHODS}
    result = {
        "rules": len(rules),
        "rules_by_type": dict(sorted(Counter(m.rule.type for m in rules).items())),
        "questions": {"valid": len(valid.questions), "test": len(gold)},
        "settings": [
            _said(found) | _measures(_outcomes(gold, test.predictions(found.setting, confidences)))
            for found in (way.tuned(way.best()) for way in (*plain, *excluding))
        ],
        "chosen": _said(tuned),
        "by_f1": _said(plainly),
        "excluded": _excluded(test),
        "verified": {
            "questions": agreement.questions,
            "candidates": agreement.candidates,
            "others": agreement.others,
        },
        "by_threshold": _by_threshold(valid, test, best, confidences),
        "methods": {method: _measures(found) for method, found in scored.items()},
        "by_type": {
            method: {type_: as_floats(asdict(m)) for type_, m in by_type(found).items()}
            for method, found in scored.items()
        },
    }
    lines = "".join(
        json.dumps({"id": id_, "prediction": names}, ensure_ascii=False) + "\n"
        for id_, names in predicted["chosen"].items()
    )
    return result, lines


def _require_agreement(found: Agreement, graph: Graph) -> None:
    """Raises EngineError where the verifier decides or weighs a candidate otherwise."""
    if found.different:
        topic, relation, name = found.different[0]
        message = (
            f"the verifier disagrees on {counted(len(found.different), 'candidate')} of "
            f"{found.candidates + found.others:,}, such as `{name}` for `{topic}` and `{relation}`"
        )
        raise EngineError(Problem("engines-differ", message, Span(graph.name)))


def mined(graph: Graph, search: Search, progress: Progress) -> tuple[MinedRule, ...]:
    """The rules of a graph.  An interruption ends the run: half of the rules are no result."""
    found = mine_graph(
        graph, search, progress=lambda done, total: progress(f"mined {done} of {total} relations")
    )
    if found.stopped:
        raise KeyboardInterrupt
    return tuple(found.rules)


def _answered(
    answerer: Answerer, folder: Path, part: str, quick: bool, seed: int, progress: Progress
) -> Answered:
    questions = read_part(folder, part)
    if quick and len(questions) > QUICK:
        places = random.Random(f"{seed} {part}").sample(range(len(questions)), QUICK)
        questions = [questions[place] for place in sorted(places)]
    progress(f"answering {len(questions):,} questions of {part}")
    return Answered(tuple(questions), answer_all(answerer, (q.query for q in questions)))


def _by_threshold(
    valid: Answered, test: Answered, best: Setting, confidences: Confidences
) -> dict[str, list[float]]:
    """The mean F1 along the grid."""
    found: dict[str, list[float]] = {"threshold": list(GRID)}
    for name, part in (("valid", valid), ("test", test)):
        values = f1_by_threshold(part.cases, confidences, best)
        found[name] = [values[at] for at in GRID]
    return found


def _said(tuned: Tuned) -> dict[str, Any]:
    return asdict(tuned.setting) | {"valid_f1": tuned.f1, "valid_hard": tuned.hard}


def _excluded(part: Answered) -> dict[str, int]:
    """How many predictions are excluded, each question counted, and how many of them are right."""
    found = [(case.answers.excluded, case.gold) for case in part.cases]
    return {
        "predictions": sum(len(excluded) for excluded, _ in found),
        "right": sum(len(excluded & gold) for excluded, gold in found),
    }


def _outcomes(
    gold: Sequence[GoldQuestion], predicted: Mapping[str, Sequence[str]]
) -> list[Outcome]:
    return [strict(question, predicted[question.id]) for question in gold]


def _measures(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    found: dict[str, Any] = as_floats(asdict(measures(outcomes)))
    return found
