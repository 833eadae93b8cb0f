"""`kgverify verify`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

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
    OnError,
    OnErrorOption,
    PolicyChoice,
    PolicyOption,
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
from kgverify.errors import counted

if TYPE_CHECKING:
    from kgverify import Problem, Question, Reading, RuleBook, Verdict, Verifier
    from kgverify.cli.wording import Wording
    from kgverify.errors import Span

EPILOG = (
    "Example: kgverify verify corpora/pharmacy/questions.jsonl --kg corpora/pharmacy/facts.tsv "
    "--rules rules/pharmacy.kgr"
)


class EngineChoice(StrEnum):
    SLICE = "slice"
    REFERENCE = "reference"


class Format(StrEnum):
    TABLE = "table"
    JSONL = "jsonl"
    CSV = "csv"


def verify(
    questions: Annotated[
        Path | None,
        typer.Argument(help="Questions, one JSON object a line.", show_default=False),
    ] = None,
    kg: KgPaths = [],  # noqa: B006  (typer reads the default)
    rules: RulesPath = Path(),
    denied: DeniedPaths = [],  # noqa: B006
    policy: PolicyOption = PolicyChoice.FILTER,
    engine: Annotated[
        EngineChoice,
        typer.Option(help="slice gathers what is needed; reference grounds the whole graph."),
    ] = EngineChoice.SLICE,
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
    format: Annotated[Format, typer.Option(help="How to write the verdicts.")] = Format.TABLE,
    out: Annotated[
        Path | None, typer.Option(help="Write to this file, whole or not at all.")
    ] = None,
    stdin: Annotated[
        bool,
        typer.Option("--stdin", help="Read questions from standard input; answer line by line."),
    ] = False,
    on_error: OnErrorOption = OnError.STOP,
    strict_names: Annotated[
        bool,
        typer.Option(
            "--strict-names",
            help="A relation, class or entity of the rules that the graph lacks is an error.",
        ),
    ] = False,
    cross_check: Annotated[
        bool,
        typer.Option(
            "--cross-check",
            help="Let pyDatalog derive the evidence too; a difference is an error.",
        ),
    ] = False,
) -> None:
    """Verify the candidates of questions against a graph and a rule file."""
    with console.mistakes_shown():
        _check_usage(questions, kg, rules, stdin)
        budget = budget_of(exact, exact_atoms, exact_seconds)
        policy_of_edges = admitting(complete, complete_policy, complete_options)
        from kgverify import Verifier, load_rules
        from kgverify.cli.wording import Wording

        book = load_rules(rules)
        graph = open_kg(kg, denied, book, on_error)
        reader, completer = texts_of(
            graph,
            book,
            policy_of_edges,
            corpus,
            passages,
            retriever,
            retriever_model,
            judge,
            judge_model,
            judge_url,
            judge_cache,
        )

        def verifier_of(book: RuleBook) -> Verifier:
            return Verifier(
                graph,
                book,
                policy.value,
                engine.value,
                budget,
                cross_check=cross_check,
                combine=combine.value,
                infer_from=infer_from,
                reader=reader,
                completer=completer,
            )

        verifier = verifier_of(book)
        if strict_names and verifier.warnings:
            console.stop([replace(warning, severity="error") for warning in verifier.warnings])
        asked, problems = ([], []) if questions is None else load_questions(questions)
        wording = Wording(graph, book)
        asked, unread = wording.read(asked)
        if wording.readings:
            verifier = verifier_of(wording.book)
        _warn(verifier, None if stdin else [question for _, question in asked])
        if on_error is OnError.STOP:
            # All mistakes are told before any question costs time, and no half output is left.
            problems = [*problems, *unread, *verifier.check(asked)]
            if any(problem.is_error for problem in problems):
                console.stop(sorted(filter(_is_error, problems), key=_line))
        else:
            console.report([*problems, *unread])
        with console.output(out) as stream:
            extras = Extras(bool(book.soft), reader is not None, completer is not None)
            writer = _writer(format, stream, extras)
            if stdin:
                code, checked = _stream(verifier, verifier_of, wording, writer, on_error)
            else:
                code = _whole_file(verifier, asked, wording.readings, writer, on_error)
                checked = verifier.cross_checked
            writer.end()
        if cross_check:
            agreed = f"{counted(checked, 'atom')}, both engines agree"
            print(f"cross-check: {agreed}", file=sys.stderr)
    raise SystemExit(code)


def _check_usage(questions: Path | None, kg: list[Path], rules: Path, stdin: bool) -> None:
    if (questions is None) != stdin:
        raise typer.BadParameter("give a file of questions, or --stdin", param_hint="QUESTIONS")
    if not kg:
        raise typer.BadParameter("say which graph", param_hint="--kg")
    if rules == Path():
        raise typer.BadParameter("say which rule file", param_hint="--rules")


def _stream(
    verifier: Verifier,
    verifier_of: Callable[[RuleBook], Verifier],
    wording: Wording,
    writer: Writer,
    on_error: OnError,
) -> tuple[int, int]:
    """Answer each question as soon as its line is there; the exit code, and how many atoms both
    engines derived."""
    from kgverify import duplicate_ids, read_questions

    code, checked = console.NOTHING_VIOLATED, 0
    seen: dict[str, Span] = {}
    for span, question, problems in read_questions(sys.stdin.buffer, "<stdin>"):
        verdicts: list[Verdict] = []
        if question is not None and seen.setdefault(question.id, span) is not span:
            problems = duplicate_ids([(seen[question.id], question), (span, question)])
        elif question is not None:
            read, unread = wording.read([(span, question)])
            problems = problems + unread
            for asked in read:
                own = verifier_of(wording.book) if wording.readings else verifier
                before = own.cross_checked
                ((verdicts, found),) = own.verify([asked])
                problems = problems + found
                checked += own.cross_checked - before
        _shown(problems, on_error)
        writer.write(verdicts, wording.readings)
        code = max(code, _exit_code(verdicts, problems))
    return code, checked


def _warn(verifier: Verifier, asked: list[Question] | None) -> None:
    """Show the warnings that matter to the questions, and count the others."""
    shown = verifier.warnings if asked is None else verifier.warnings_for(asked)
    console.report(shown)
    others = sum(warning not in shown for warning in verifier.warnings)
    if others:
        print(
            f"note: {counted(others, 'other name')} of the rule file not in the graph; "
            "no constraint here names them (--strict-names shows all)",
            file=sys.stderr,
        )


def _is_error(problem: Problem) -> bool:
    return problem.is_error


def _line(problem: Problem) -> int:
    return problem.span.line if problem.span else 0


def _whole_file(
    verifier: Verifier,
    asked: list[tuple[Span, Question]],
    readings: Mapping[str, Reading],
    writer: Writer,
    on_error: OnError,
) -> int:
    code = console.NOTHING_VIOLATED
    for verdicts, problems in _with_progress(verifier, asked):
        _shown(problems, on_error)
        writer.write(verdicts, readings)
        code = max(code, _exit_code(verdicts, problems))
    return code


def _exit_code(verdicts: list[Verdict], problems: list[Problem]) -> int:
    """What the answer to one question says of the run: a limit comes before a violation."""
    if any(problem.code == "budget" for problem in problems):
        return console.LIMIT
    violated = any(verdict.verdict == "viol" for verdict in verdicts)
    return console.SOMETHING_VIOLATED if violated else console.NOTHING_VIOLATED


def _shown(problems: list[Problem], on_error: OnError) -> None:
    if on_error is OnError.STOP and any(p.is_error for p in problems):
        console.stop(problems)
    console.report(problems)


def load_questions(path: Path) -> tuple[list[tuple[Span, Question]], list[Problem]]:
    """All questions of a file, and the problems of bad lines and repeated ids, which are left
    out."""
    from kgverify import Problem, QuestionError, duplicate_ids, read_questions
    from kgverify.errors import Span

    if not path.is_file():
        raise console.missing_file(path)
    asked: list[tuple[Span, Question]] = []
    problems: list[Problem] = []
    with path.open("rb") as lines:
        for span, question, found in read_questions(lines, str(path)):
            problems += found
            if question is not None:
                asked.append((span, question))
    repeated = duplicate_ids(asked)
    problems += repeated
    if not asked and not problems:
        problems.append(Problem("empty-file", "there are no questions", Span(str(path))))
        raise QuestionError(problems)
    again = {problem.span for problem in repeated}
    return [(span, question) for span, question in asked if span not in again], problems


def _with_progress(
    verifier: Verifier, asked: list[tuple[Span, Question]]
) -> Iterator[tuple[list[Verdict], list[Problem]]]:
    """The verdicts, with a bar on a terminal when there is much to do."""
    total = sum(len(question.candidates) for _, question in asked)
    results: Iterable[tuple[list[Verdict], list[Problem]]] = verifier.verify(asked)
    if total < 10_000 or not sys.stderr.isatty():
        yield from results
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("verifying candidates", total=total)
        for (_, question), result in zip(asked, results, strict=True):
            progress.advance(task, len(question.candidates))
            yield result


@dataclass(frozen=True)
class Extras:
    """What verdicts have beside statuses: plausibility by `soft` rules, what `texts` state, and
    what rests on `edges` that were admitted."""

    soft: bool = False
    texts: bool = False
    edges: bool = False


class Writer:
    """Writes verdicts in one format; `readings` tell how questions in plain words were read."""

    def __init__(self, stream: IO[str], extras: Extras) -> None:
        self.stream, self.extras = stream, extras

    def write(self, verdicts: list[Verdict], readings: Mapping[str, Reading]) -> None:
        raise NotImplementedError

    def end(self) -> None:
        """After the last verdict."""


class _JsonLines(Writer):
    def write(self, verdicts: list[Verdict], readings: Mapping[str, Reading]) -> None:
        from kgverify.report.rows import json_lines

        self.stream.writelines(json_lines(verdicts))
        self.stream.flush()


class _Csv(Writer):
    def __init__(self, stream: IO[str], extras: Extras) -> None:
        from kgverify.report.rows import csv_header

        super().__init__(stream, extras)
        stream.write(csv_header(extras.soft, extras.texts, extras.edges))

    def write(self, verdicts: list[Verdict], readings: Mapping[str, Reading]) -> None:
        from kgverify.report.rows import csv_lines

        extras = self.extras
        self.stream.writelines(csv_lines(verdicts, extras.soft, extras.texts, extras.edges))
        self.stream.flush()


class _Table(Writer):
    def __init__(self, stream: IO[str], extras: Extras) -> None:
        super().__init__(stream, extras)
        self._console = console.screen(stream)

    def write(self, verdicts: list[Verdict], readings: Mapping[str, Reading]) -> None:
        from kgverify.report.tables import print_verdicts

        if verdicts:
            first = verdicts[0]
            if first.question in readings:
                from kgverify.report.readings import print_reading

                print_reading(self._console, readings[first.question])
            print_verdicts(self._console, f"{first.question}: {first.question_text}", verdicts)
            self._console.print()

    def end(self) -> None:
        from kgverify.report.tables import print_legend

        print_legend(self._console, self.extras.soft, self.extras.texts, self.extras.edges)


def _writer(format: Format, stream: IO[str], extras: Extras) -> Writer:
    kinds = {Format.TABLE: _Table, Format.JSONL: _JsonLines, Format.CSV: _Csv}
    return kinds[format](stream, extras)
