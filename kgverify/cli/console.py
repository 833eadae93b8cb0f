"""What all commands share: where text goes, how mistakes are shown, and the exit codes."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, NoReturn

from kgverify import errors
from kgverify.errors import GraphError, KgverifyError, Problem, Span, render

if TYPE_CHECKING:
    from rich.console import Console

NOTHING_VIOLATED, SOMETHING_VIOLATED, WRONG_INPUT, LIMIT = 0, 1, 2, 3
INTERRUPTED = 130  # as shells say it
_QUOTABLE = 16 * 1024 * 1024  # files larger than this are not read again to quote a line


def report(problems: Iterable[Problem]) -> None:
    """Show problems on standard error, with the lines they are about."""
    found = list(problems)
    if found:
        print(render(found, sources(found)), file=sys.stderr)


def sources(problems: Iterable[Problem]) -> dict[str, str]:
    """The texts of the rule files that problems are about, by name."""
    found: dict[str, str] = {}
    for problem in problems:
        spans = (problem.span, *(span for span, _ in problem.notes))
        for span in spans:
            if span and span.file not in found and span.column:
                path = Path(span.file)
                if path.suffix == ".kgr" and path.is_file() and path.stat().st_size < _QUOTABLE:
                    text = path.read_text("utf-8-sig", errors="replace")
                    found[span.file] = text.replace("\r\n", "\n").replace("\r", "\n")
    return found


def stop(problems: Problem | Iterable[Problem], code: int = WRONG_INPUT) -> NoReturn:
    """Show the problems and leave with an exit code."""
    report([problems] if isinstance(problems, Problem) else problems)
    raise SystemExit(code)


@contextmanager
def mistakes_shown() -> Iterator[None]:
    """Turns kgverify's own errors into messages and exit codes; a closed pipe ends quietly."""
    try:
        yield
    except KgverifyError as error:
        stop(error.problems, error.exit_code)
    except BrokenPipeError:
        # The reader has gone (`| head`): nothing is wrong, and nothing more can be said.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(NOTHING_VIOLATED) from None
    except KeyboardInterrupt:
        print("stopped by Ctrl-C; a file that was to be written is as it was", file=sys.stderr)
        raise SystemExit(INTERRUPTED) from None


@contextmanager
def output(path: Path | None) -> Iterator[IO[str]]:
    """Standard output, or a file that appears whole or not at all."""
    if path is None:
        yield sys.stdout
        sys.stdout.flush()
        return
    try:
        handle = tempfile.NamedTemporaryFile(  # noqa: SIM115 (closed below, then renamed)
            "w",
            encoding="utf-8",
            newline="",
            dir=path.parent,
            prefix=f".{path.name}.",
            delete=False,
        )
    except OSError as error:
        raise _unwritable(path, error) from error
    try:
        with handle:
            yield handle
            handle.flush()
            os.fsync(handle.fileno())
        os.chmod(handle.name, 0o666 & ~_umask())
        os.replace(handle.name, path)
    except OSError as error:
        raise _unwritable(path, error) from error
    finally:
        if os.path.exists(handle.name):
            os.unlink(handle.name)


def screen(stream: IO[str]) -> Console:
    """Where tables and trees go: as wide as the terminal, 160 columns elsewhere."""
    from rich.console import Console

    terminal = stream is sys.stdout and stream.isatty()
    return Console(file=stream, width=None if terminal else 160, highlight=False, emoji=False)


@contextmanager
def progress_shown() -> Iterator[Callable[[str], None]]:
    """What is being done, on a terminal; nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status("beginning") as status:
        yield lambda text: status.update(text)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _unwritable(path: Path, error: OSError) -> KgverifyError:
    message = f"can't write the output: {error.strerror or error}"
    return KgverifyError(Problem("unwritable", message, Span(str(path))))


def missing_file(path: Path) -> KgverifyError:
    """An input file that isn't there, with the nearest name that is; or a folder in its place."""
    if path.is_dir():
        problem = Problem("not-a-file", "is a folder", Span(str(path)), "name a file in it")
        return GraphError(problem)
    return GraphError(errors.missing_file(path))
