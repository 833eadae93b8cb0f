"""`kgverify ask`."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kgverify.cli import console
from kgverify.cli.options import (
    LLM_KEY,
    CombineChoice,
    CombineOption,
    DeniedPaths,
    ExactAtoms,
    ExactOption,
    ExactSeconds,
    InferOption,
    KgPaths,
    PolicyChoice,
    PolicyOption,
    RulesPath,
    budget_of,
    language_model,
    open_kg,
)
from kgverify.errors import counted

if TYPE_CHECKING:
    from kgverify import Answer, Embeddings, Reading

EPILOG = (
    'Example: kgverify ask "Which drugs treat hypertension but do not cause dry cough?" '
    "--kg corpora/pharmacy/facts.tsv --kg corpora/pharmacy/labels.tsv --rules rules/pharmacy.kgr"
)


class AskFormat(StrEnum):
    TABLE = "table"
    JSONL = "jsonl"


def ask(
    text: Annotated[str, typer.Argument(help="The question, in plain words.")],
    kg: KgPaths,
    rules: RulesPath,
    denied: DeniedPaths = [],  # noqa: B006  (typer reads the default)
    candidates: Annotated[
        list[str],
        typer.Option(
            "--candidate",
            help="An entity to verify; without any, the graph gives the candidates.",
            show_default=False,
        ),
    ] = [],  # noqa: B006
    policy: PolicyOption = PolicyChoice.FILTER,
    exact: ExactOption = False,
    exact_atoms: ExactAtoms = None,
    exact_seconds: ExactSeconds = None,
    combine: CombineOption = CombineChoice.MAX,
    infer_from: InferOption = None,
    confidence: Annotated[
        float,
        typer.Option(
            help="The least confidence with which a reading is acted on.", min=0.0, max=1.0
        ),
    ] = 0.6,
    limit: Annotated[
        int, typer.Option(help="Show at most so many answers; 0 shows all.", min=0)
    ] = 20,
    only_read: Annotated[
        bool, typer.Option("--only-read", help="Show how the question is read, and stop.")
    ] = False,
    save: Annotated[
        Path | None,
        typer.Option(help="Save the question as a statement of the rule language, in a new file."),
    ] = None,
    embeddings: Annotated[
        Path | None,
        typer.Option(
            help="A folder with a transformers model that finds relations for words which the rule "
            "file does not have (extra `neural`). Nothing is downloaded.",
            show_default=False,
        ),
    ] = None,
    likeness: Annotated[
        float | None,
        typer.Option(
            help="The least likeness of words and relations that counts with --embeddings (0.6).",
            min=0.0,
            max=1.0,
            show_default=False,
        ),
    ] = None,
    llm: Annotated[
        str | None,
        typer.Option(
            help="The base URL of a language model with OpenAI's chat interface, which reads the "
            "question too. It is sent the question and the rule file's names, with the key in "
            f"{LLM_KEY}.",
            show_default=False,
        ),
    ] = None,
    llm_model: Annotated[
        str | None,
        typer.Option(help="The language model's name, with --llm.", show_default=False),
    ] = None,
    llm_first: Annotated[
        bool,
        typer.Option("--llm-first", help="Take the language model's reading before the grammar's."),
    ] = False,
    llm_seconds: Annotated[
        float | None,
        typer.Option(
            help="The most seconds that a reply of the language model may take (60).",
            min=0.001,
            show_default=False,
        ),
    ] = None,
    format: Annotated[AskFormat, typer.Option(help="How to write it.")] = AskFormat.TABLE,
) -> None:
    """Ask a question in plain words: read it, and answer it from the graph or by candidates."""
    with console.mistakes_shown():
        from kgverify import Asker, load_rules
        from kgverify import ask as answer

        read_by = language_model(llm, llm_model, llm_first, llm_seconds)
        alike = _embeddings(embeddings, likeness)
        budget = budget_of(exact, exact_atoms, exact_seconds)
        book = load_rules(rules)
        graph = open_kg(kg, denied, book)
        asker = Asker(graph, book, confidence, embeddings=alike, llm=read_by, llm_first=llm_first)
        if only_read:
            reading = asker.read(text)
            console.report(reading.problems())
            _show_reading(reading, format)
            _save(reading, save)
            return
        found = answer(
            text,
            graph,
            book,
            candidates=candidates,
            policy=policy.value,
            exact=budget,
            combine=combine.value,
            infer_from=infer_from,
            asker=asker,
        )
        console.report(found.problems)
        _show_reading(found.reading, format)
        _show(found, format, limit)
        _save(found.reading, save)
        if any(problem.code == "budget" for problem in found.problems):
            raise SystemExit(console.LIMIT)
        if candidates and any(verdict.verdict == "viol" for verdict in found.verdicts):
            raise SystemExit(console.SOMETHING_VIOLATED)


def _embeddings(path: Path | None, likeness: float | None) -> Embeddings | None:
    """The model that the options name."""
    if path is None:
        if likeness is not None:
            raise typer.BadParameter("goes with --embeddings", param_hint="--likeness")
        return None
    from kgverify import Embeddings

    return Embeddings(path) if likeness is None else Embeddings(path, likeness)


def _show_reading(reading: Reading, format: AskFormat) -> None:
    if format is AskFormat.JSONL:
        line = json.dumps({"reading": reading.to_dict()}, ensure_ascii=False)
        sys.stdout.write(line + "\n")
        return
    from kgverify.report.readings import print_reading

    screen = console.screen(sys.stdout)
    print_reading(screen, reading)
    screen.print()


def _show(found: Answer, format: AskFormat, limit: int) -> None:
    """The answers that the policy keeps, and a word on the others."""
    kept = [verdict for verdict in found.verdicts if verdict.kept]
    shown = kept[:limit] if limit else kept
    if format is AskFormat.JSONL:
        from kgverify.report.rows import json_lines

        sys.stdout.writelines(json_lines(shown))
        return
    from kgverify.report.tables import print_legend, print_verdicts

    screen = console.screen(sys.stdout)
    if shown:
        print_verdicts(screen, shown[0].question_text, shown)
    said = {word: sum(v.verdict == word for v in found.verdicts) for word in ("sat", "unk", "viol")}
    counts = ", ".join(f"{number:,} {word}" for word, number in said.items())
    screen.print(f"{counted(found.examined, 'candidate')}: {counts}; {len(shown):,} shown")
    if not found.everything and all(p.code != "too-many-candidates" for p in found.problems):
        screen.print("only candidates that evidence leads to were verified: the graph is large")
    print_legend(screen, bool(shown) and shown[0].plausibility is not None)


def _save(reading: Reading, path: Path | None) -> None:
    if path is None:
        return
    if not reading.statement:
        message = f"note: the rule file has this question already, as `{reading.name}`"
        print(f"{message}; nothing is saved", file=sys.stderr)
        return
    with console.output(path) as stream:
        stream.write(reading.statement)
