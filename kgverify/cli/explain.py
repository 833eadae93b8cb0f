"""`kgverify explain`."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from kgverify.cli import console
from kgverify.cli.admitting import CompleteOption, CompletePolicyOption, SetOptions, admitting
from kgverify.cli.options import (
    CombineChoice,
    CombineOption,
    DeniedPaths,
    ExactAtoms,
    ExactOption,
    ExactSeconds,
    InferOption,
    KgPaths,
    RulesPath,
    budget_of,
    open_kg,
)
from kgverify.cli.texts import (
    CorpusOption,
    JudgeCacheOption,
    JudgeModelOption,
    JudgeOption,
    JudgeUrlOption,
    PassagesOption,
    RetrieverOption,
    VectorsOption,
    texts_of,
)
from kgverify.cli.verify import load_questions

EPILOG = (
    "Example: kgverify explain corpora/pharmacy/questions.jsonl --kg corpora/pharmacy/facts.tsv "
    "--rules rules/pharmacy.kgr --question cough --candidate lisinopril"
)


class ProofFormat(StrEnum):
    TREE = "tree"
    JSON = "json"
    TRACE = "trace"


def explain(
    questions: Annotated[Path, typer.Argument(help="Questions, one JSON object a line.")],
    question: Annotated[str, typer.Option(help="The id of the question.", show_default=False)],
    candidate: Annotated[
        str,
        typer.Option(
            help="The entity to explain; it need not be among the question's candidates.",
            show_default=False,
        ),
    ],
    kg: KgPaths,
    rules: RulesPath,
    denied: DeniedPaths = [],  # noqa: B006  (typer reads the default)
    exact: ExactOption = False,
    exact_atoms: ExactAtoms = None,
    exact_seconds: ExactSeconds = None,
    combine: CombineOption = CombineChoice.MAX,
    infer_from: InferOption = None,
    corpus: CorpusOption = None,
    passages: PassagesOption = None,
    retriever: RetrieverOption = None,
    retriever_model: VectorsOption = None,
    judge: JudgeOption = None,
    judge_model: JudgeModelOption = None,
    judge_url: JudgeUrlOption = None,
    judge_cache: JudgeCacheOption = None,
    complete: CompleteOption = False,
    complete_policy: CompletePolicyOption = None,
    complete_options: SetOptions = [],  # noqa: B006
    format: Annotated[ProofFormat, typer.Option(help="How to write the proof.")] = ProofFormat.TREE,
) -> None:
    """Show why a candidate got its verdict: the proof of every constraint, down to the facts."""
    with console.mistakes_shown():
        from kgverify import Problem, Verifier, find_question, load_rules
        from kgverify import explain as explain_one
        from kgverify.cli.wording import Wording

        budget = budget_of(exact, exact_atoms, exact_seconds)
        policy = admitting(complete, complete_policy, complete_options)
        book = load_rules(rules)
        asked, problems = load_questions(questions)
        if problems:
            console.stop(problems)
        found = find_question((q for _, q in asked), question)
        graph = open_kg(kg, denied, book)
        wording = Wording(graph, book)
        read, unread = wording.read([(span, q) for span, q in asked if q is found])
        if not read:
            console.stop(unread)
        ((_, found),) = read
        book = wording.book
        console.report(Verifier(graph, book).warnings_for([found]))
        reader, completer = texts_of(
            graph,
            book,
            policy,
            corpus,
            passages,
            retriever,
            retriever_model,
            judge,
            judge_model,
            judge_url,
            judge_cache,
        )
        explanation = explain_one(
            found,
            candidate,
            graph,
            book,
            exact=budget,
            combine=combine.value,
            infer_from=infer_from,
            reader=reader,
            completer=completer,
        )
        if format is ProofFormat.JSON:
            _write(explanation.to_dict())
        elif format is ProofFormat.TRACE:
            from kgverify.report.trace import trace

            _write(trace(explanation))
        else:
            from kgverify.report.readings import print_reading
            from kgverify.report.tables import print_explanation

            for reading in wording.readings.values():
                print_reading(console.screen(sys.stdout), reading)
            print_explanation(console.screen(sys.stdout), explanation)
        if any(explained.constraint.reason == "budget" for explained in explanation.constraints):
            limit = Problem("budget", "exact mode gave up here: what is open may be decided")
            console.stop(replace(limit, severity="warning"), console.LIMIT)


def _write(value: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=False) + "\n")
