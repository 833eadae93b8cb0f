"""The report of a run: the paper's tables and figures on our data, beside what was published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kgverify.experiments.markdown import number, paragraphs, table
from kgverify.experiments.runs import RunRecord
from kgverify.experiments.tgcomplete import findings as f
from kgverify.experiments.tgcomplete import policy_tables, published, tables
from kgverify.experiments.tgcomplete.findings import cases, said
from kgverify.experiments.tgcomplete.methods import CAREFULS, GUESSES, PAPERS, generated

Numbers = Mapping[str, Any]
GUESSED = generated(GUESSES)


def report(results: Numbers, record: RunRecord, plots: Sequence[str]) -> str:
    """The whole report, as Markdown."""
    parts = [
        "# Completing edges from text, and abstaining",
        _about(results, record),
        "## The three findings",
        _findings(results),
        "## Questions",
        _questions(results),
        "## Answers (tables 1 and 2)",
        tables.answers(results),
        tables.comparisons(results),
        "## Edges (table 3)",
        tables.edges(results),
        "## The provenance gap (table 4, figures 2 and 3)",
        tables.gap(results),
        tables.by_group(results),
        tables.matrix(results),
        "## What passages state of admitted edges (tables 5 and 7)",
        tables.support(results),
        "## What right answers depend on (table 6)",
        tables.depending(results),
        "## The policy's numbers",
        policy_tables.sensitivity(results),
        "## The loop without each of its parts",
        policy_tables.ablations(results),
        "## Risk and coverage",
        policy_tables.risk(results),
        "## The judges",
        _judges(results),
        "## Cost",
        policy_tables.cost(results),
        *(f"![{name}]({name})" for name in plots),
        "## Published",
        _published(),
    ]
    return paragraphs(*parts) + "\n"


def _about(results: Numbers, record: RunRecord) -> str:
    o = record.options
    settings = "\n".join(f"- *{n}*: {of['note']}." for n, of in results["settings"].items())
    counts = " or ".join(map(str, sorted(set(o["questions"].values()))))
    part = " (a small part, by `--quick`)" if record.quick else ""
    return (
        f"Seeds {', '.join(map(str, record.seeds))}{part}; {counts} questions of each seed and "
        "share, half of one hop and half of two as far as there are. Shares of each relation's "
        "edges are deleted; both directions of a symmetric relation go together. Numbers are "
        "means over seeds, with 95 % intervals by Student's t. The judge in the loop is "
        f"*{o['judge']}*, the second judge, who says what is stated, *{o['second']}*. kgverify "
        f"{record.kgverify}.\n\n{settings}"
    )


def _findings(results: Numbers) -> str:
    def shown(rows: Sequence[tuple[str, str, str]]) -> str:
        return table(("setting", "here it", "why"), rows)

    return paragraphs(
        "**The provenance gap**: 76–96 % of right edges are stated by no passage. Here, of all "
        "deleted edges, whoever proposes them:",
        shown(f.gap_finding(results)),
        "**Redundancy**: 91–97 % of right answers need no edge without support. Here, by the "
        f"policy of the paper (*{PAPERS}*), and strictly, along the question's own path:",
        shown(f.redundancy_finding(results, PAPERS)),
        "**Precision for recall**: what is verified is more often right than what is generated, "
        f"and less of it is found. Here *{PAPERS}* beside *{GUESSED}*, which stands in for a "
        "language model and is none:",
        shown(f.precision_finding(results, PAPERS, GUESSED)),
        f"The same for *{CAREFULS}*, which admits only what a passage states:",
        shown(f.precision_finding(results, CAREFULS, GUESSED)),
    )


def _questions(results: Numbers) -> str:
    rows = [
        (
            f"{name}, {share}",
            said(of["deleted"], 0),
            said(of["questions"]["all"], 0),
            said(of["questions"]["losing"], 0),
            said(of["questions"]["stopping"], 0),
        )
        for name, share, of in cases(results)
    ]
    return paragraphs(
        "*Losing* are questions whose path needs a deleted edge in the complete graph, "
        "*stopping* those whose path stops somewhere. What loses and does not stop is answered "
        "in part, and no method that waits for reasoning to stop can notice it.",
        table(("setting", "deleted edges", "questions", "losing", "stopping"), rows),
    )


def _judges(results: Numbers) -> str:
    rows = [
        (
            one["reading"],
            one["judge"],
            str(one["pairs"]),
            str(one["stated"]),
            *(number(one[name]) for name in ("accuracy", "kappa", "precision", "recall")),
        )
        for one in results["judges"]
    ]
    return paragraphs(
        "Against pairs of passage and edge that were labelled by hand, with the passage's title "
        "and heading in view. κ is Cohen's. One person labelled them, and wrote the field reader "
        "after having read the passages: its numbers are those of a judge that knows its test. "
        "Where a reading leaves out the headings, a judge can't see what the person saw.",
        table(
            ("reading", "judge", "pairs", "stated", "accuracy", "κ", "precision", "recall"), rows
        ),
    )


def _published() -> str:
    def row(values: Sequence[float | int | None]) -> tuple[str, ...]:
        return tuple("–" if v is None else f"{v:g}" for v in values)

    p = published
    return paragraphs(
        "From the paper, whose graph is Freebase, whose text is Wikipedia, and whose generator and "
        "judges are language models. In %, but for counts.",
        table(("exact match", *p.SUBSETS), [(n, *row(v)) for n, v in p.ACCURACY.items()]),
        table(
            ("edges", "admitted", "precision", "recall", "false rejections"),
            [(n, *row(v)) for n, v in p.EDGES.items()],
        ),
        table(("gap", "GoG", "TGComplete"), [(n, *row(v)) for n, v in p.GAP.items()]),
        table(("right answers", "A", "B", "C"), [(n, *row(v)) for n, v in p.CAUSES.items()]),
        table(
            ("faithfulness", "admitted", "strictly entailed", "no passage"),
            [(n, *row(v)) for n, v in p.FAITHFUL.items()],
        ),
    )
