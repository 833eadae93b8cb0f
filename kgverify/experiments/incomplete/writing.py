"""The folder of a benchmark, and the report of how it came about.

- `complete.tsv`, `incomplete.tsv`: the two graphs;
- `train.jsonl`, `valid.jsonl`, `test.jsonl`: questions, as `kgverify score` reads gold;
- `removed.jsonl`: each removed triple with the groundings that infer it;
- `rules.jsonl`: the rules, with what was drawn and selected of each;
- `entities.tsv`: each name with what the graph calls it, and its label;
- `results.json`, `report.md`: numbers and inputs.
"""

from __future__ import annotations

import json
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, get_args

from kgverify.evidence.language_model import LanguageModel
from kgverify.experiments.incomplete.asking import Asked
from kgverify.experiments.incomplete.balancing import PARTS, most_of_one_answer
from kgverify.experiments.incomplete.building import BREAKING, Benchmark, Triple
from kgverify.experiments.markdown import number, paragraphs, percent, table
from kgverify.experiments.metrics import ratio
from kgverify.experiments.runs import RunRecord, packages, write_run
from kgverify.mining.horn import Atom, MinedRule, Term, Type

PAPER_RULES = {
    "Family": {"symmetry": 0, "inversion": 6, "hierarchy": 0, "composition": 56, "other": 83},
    "FB15k-237": {
        "symmetry": 27,
        "inversion": 50,
        "hierarchy": 76,
        "composition": 343,
        "other": 570,
    },
}
PAPER_SIZES = {
    "Family": (17_615, 15_785, 1_749, 218, 198),
    "FB15k-237": (204_087, 198_183, 4_374, 535, 540),
}
TYPES: tuple[Type, ...] = get_args(Type)
SIZES = ("complete", "incomplete", *PARTS)


def write_benchmark(
    out: Path,
    benchmark: Benchmark,
    inputs: Mapping[str, str],
    model: LanguageModel | None = None,
) -> RunRecord:
    """Writes the folder; it appears whole or not at all.  `model` worded the questions."""
    options = benchmark.options
    kept: dict[str, Any] = {
        "per_rule": options.per_rule,
        "tau": str(options.tau),  # exactly: how many are kept hangs on it
        "naming": options.naming,
        "words": model.model if model else "template",
    }
    record = RunRecord(
        experiment="bench",
        quick=False,
        seeds=(options.seed,),
        options=kept,
        inputs=inputs,
        packages=packages("numpy"),
    )
    numbers = statistics(benchmark)
    write_run(out, record, {"statistics": numbers}, report(numbers, record), files(benchmark))
    return record


def files(benchmark: Benchmark) -> dict[str, str]:
    """The data files by name."""
    removed = frozenset(benchmark.selection.removed)
    left = [row for row in benchmark.rows if row not in removed]
    found = {
        "complete.tsv": _tsv(benchmark.triples(benchmark.rows)),
        "incomplete.tsv": _tsv(benchmark.triples(left)),
        "removed.jsonl": _lines(_removed(benchmark)),
        "rules.jsonl": _lines(_rules(benchmark)),
        "entities.tsv": _tsv(_entities(benchmark)),
    }
    for part in PARTS:
        asked = sorted(benchmark.parts[part], key=lambda q: benchmark.numbers[q.row])
        found[f"{part}.jsonl"] = _lines(_question(q, benchmark) for q in asked)
    return found


def _tsv(rows: Iterable[tuple[str, ...]]) -> str:
    return "".join("\t".join(row) + "\n" for row in sorted(rows))


def _lines(values: Iterable[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values)


def _question(question: Asked, benchmark: Benchmark) -> dict[str, Any]:
    rule = benchmark.rules[question.rule].rule
    called = benchmark.names
    return {
        "id": f"q{benchmark.numbers[question.row]}",
        "question": benchmark.texts[question.row],
        "topic": called[question.topic],
        "relation": question.relation,
        "asks": question.side,
        "answers": sorted(called[answer] for answer in question.answers),
        "hard": called[question.hard],
        "rule_type": rule.type,
        "motif": rule.motif,
        "rule": question.rule,
    }


def _removed(benchmark: Benchmark) -> Iterable[dict[str, Any]]:
    by_head = defaultdict(list)
    for grounding in benchmark.selection.groundings:
        by_head[grounding.head].append(grounding)
    for row in benchmark.selection.removed:
        yield {
            "triple": benchmark.triples([row])[0],
            "groundings": [
                {"rule": g.rule, "body": benchmark.triples(g.body)} for g in by_head[row]
            ],
        }


def _rules(benchmark: Benchmark) -> Iterable[dict[str, Any]]:
    selected = Counter(g.rule for g in benchmark.selection.groundings)
    for place, (mined, drawn) in enumerate(
        zip(benchmark.rules, benchmark.selection.drawn, strict=True)
    ):
        yield {
            "rule": place,
            **_rule(mined, benchmark),
            "drawn": drawn,
            "selected": selected[place],
        }


def _rule(mined: MinedRule, benchmark: Benchmark) -> dict[str, Any]:
    """A rule with its constants called as the benchmark calls them; variables are `?0`, `?1` …

    A constant that begins with a question mark has another before it, to be no variable."""
    rule, measures = mined.rule, mined.measures

    def term(value: Term) -> str:
        if isinstance(value, int):
            return f"?{value}"
        (id_,) = benchmark.graph.find([value]).tolist()
        return _constant(benchmark.names.get(id_, value))

    def atom(value: Atom) -> tuple[str, str, str]:
        return term(value.subject), value.relation, term(value.object)

    return {
        "head": atom(rule.head),
        "body": [atom(a) for a in rule.body],
        "different": [(term(a), term(b)) for a, b in rule.inequalities],
        "type": rule.type,
        "motif": rule.motif,
        "support": measures.support,
        "head_size": measures.head_size,
        "body_size": measures.body_size,
        "pca_body_size": measures.pca_body_size,
        "pca_side": measures.pca_side,
    }


def _constant(name: str) -> str:
    return f"?{name}" if name.startswith("?") else name


def _entities(benchmark: Benchmark) -> Iterable[Triple]:
    ids = list(benchmark.names)
    for id_, label in zip(ids, benchmark.graph.labels(ids), strict=True):
        yield benchmark.names[id_], _in_line(benchmark.key(id_)), _in_line(label)


def _in_line(text: str) -> str:
    """A text whose line breaks and control characters are written as in Python."""
    return "".join(
        c.encode("unicode_escape").decode() if unicodedata.category(c) in BREAKING else c
        for c in text
    )


# ---------------------------------------------------------------- numbers


def statistics(benchmark: Benchmark) -> dict[str, Any]:
    """What the paper's tables 1 and 3 say of its benchmarks, and more."""
    kept = [q for part in PARTS for q in benchmark.parts[part]]
    removed = len(benchmark.selection.removed)
    answers = Counter(q.hard for q in kept)
    types = Counter(mined.rule.type for mined in benchmark.rules)
    return {
        "rules": {type_: types[type_] for type_ in TYPES},
        "triples": {"complete": len(benchmark.rows), "incomplete": len(benchmark.rows) - removed},
        "removed": removed,
        "groundings": {
            "drawn": sum(benchmark.selection.drawn),
            "selected": len(benchmark.selection.groundings),
            "rules_without": _without(benchmark),
        },
        "questions": {
            "asked": len(benchmark.asked),
            "most_of_one_answer": most_of_one_answer(benchmark.options.tau, len(benchmark.asked)),
            "kept": len(kept),
            **{part: len(benchmark.parts[part]) for part in PARTS},
            "by_type": dict(
                sorted(Counter(benchmark.rules[q.rule].rule.type for q in kept).items())
            ),
            "by_side": dict(sorted(Counter(q.side for q in kept).items())),
            "different": len({q.key for q in kept}),
            "most_frequent_answer": max(answers.values(), default=0),
            "mean_answers": ratio(sum(len(q.answers) for q in kept), len(kept)),
            "only_answer_removed": sum(len(q.answers) == 1 for q in kept),
        },
    }


def _without(benchmark: Benchmark) -> int:
    return len(benchmark.rules) - len({g.rule for g in benchmark.selection.groundings})


def report(numbers: Mapping[str, Any], record: RunRecord) -> str:
    """The statistics as a page, beside the paper's."""
    questions, groundings = numbers["questions"], numbers["groundings"]
    options = record.options
    sizes = (*numbers["triples"].values(), *(questions[part] for part in PARTS))
    tau = float(Fraction(options["tau"]))
    share = percent(round(100 * numbers["removed"] / numbers["triples"]["complete"]) / 100)
    parts = (
        "# A benchmark for reasoning under incomplete knowledge",
        f"kgverify {record.kgverify}, seed {record.seeds[0]}; up to {options['per_rule']} "
        f"groundings a rule, τ = {tau:g}, names: {options['naming']}. The hashes of the inputs "
        "are in `results.json`.",
        "## Rules",
        _beside(TYPES, numbers["rules"].values(), {k: v.values() for k, v in PAPER_RULES.items()}),
        f"{_count(groundings['drawn'])} groundings were drawn and "
        f"{_count(groundings['selected'])} selected; {_count(groundings['rules_without'])} "
        "rules have none selected.",
        "## Triples and questions",
        _beside(SIZES, sizes, PAPER_SIZES),
        f"{_count(numbers['removed'])} triples are removed ({share}), one question is asked of "
        f"each, and {_count(questions['kept'])} are kept: no answer is the hard one of more than "
        f"{_count(questions['most_of_one_answer'])}. {_count(questions['different'])} of them are "
        "different: the others share topic, relation and side with one of their part. On average "
        f"a question has {number(questions['mean_answers'])} answers; "
        f"{_count(questions['only_answer_removed'])} have the removed one alone.",
        table(
            ("questions by type of rule, by side", "number"),
            [
                *((k, _count(v)) for k, v in questions["by_type"].items()),
                *((f"asks for the {k}", _count(v)) for k, v in questions["by_side"].items()),
            ],
        ),
    )
    return paragraphs(*parts) + "\n"


def _beside(
    columns: Iterable[str], ours: Iterable[int], theirs: Mapping[str, Iterable[int]]
) -> str:
    """Our numbers, and the paper's below them."""
    rows = [("here", *map(_count, ours))]
    rows += [(f"{name}, paper", *map(_count, found)) for name, found in theirs.items()]
    return table(("", *columns), rows)


def _count(value: int) -> str:
    return f"{value:,}"
