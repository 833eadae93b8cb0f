"""`kgverify rules fmt`."""

from __future__ import annotations

import difflib
import sys
from pathlib import Path
from typing import Annotated

import typer

from kgverify.cli import console
from kgverify.errors import KgverifyError, Problem, counted

EPILOG = "Example: kgverify rules fmt rules/pharmacy.kgr --diff"
_INPUT = Path("-")


def format(
    files: Annotated[
        list[Path],
        typer.Argument(help="Rule files (.kgr), or - for standard input.", show_default=False),
    ],
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; say which files would change.")
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Write nothing; show what would change.")
    ] = False,
) -> None:
    """Lay out rule files: indents, blanks and columns.

    Words, comments and line breaks stay as they are. Files are changed in place; what is read from
    standard input is written to standard output. A file that cannot be read is left alone.

    Exit code 2 with an error in a file, 1 with --check or --diff if a file would change, else 0."""
    with console.mistakes_shown():
        from kgverify import format_rules, read_rule_text

        problems: list[Problem] = []
        texts: dict[Path, tuple[str, str]] = {}
        for file in dict.fromkeys(files):
            try:
                text = sys.stdin.read() if file == _INPUT else read_rule_text(file)
                texts[file] = text, format_rules(text, _name(file))
            except KgverifyError as error:
                problems += error.problems
        changed = [file for file, (text, found) in texts.items() if _differs(file, text, found)]
        for file, (text, found) in texts.items():
            if diff:
                sys.stdout.writelines(_difference(file, text, found))
            elif check and file in changed:
                print(f"{_name(file)} would change")
            elif check:
                continue
            elif file == _INPUT:
                sys.stdout.write(found)
            elif file in changed:
                with console.output(file) as stream:
                    stream.write(found)
                print(f"{file} is laid out")
        if problems:
            console.stop(problems)
        if check or diff:
            said = f"{counted(len(texts), 'file')}, {len(changed)} would change"
            print(said, file=sys.stderr)
            raise SystemExit(console.SOMETHING_VIOLATED if changed else console.NOTHING_VIOLATED)


def _differs(file: Path, text: str, found: str) -> bool:
    """Is a file other than it should be, in its line ends or a byte order mark too?"""
    return text != found if file == _INPUT else file.read_bytes() != found.encode()


def _name(file: Path) -> str:
    return "<standard input>" if file == _INPUT else str(file)


def _difference(file: Path, text: str, found: str) -> list[str]:
    """A unified diff, whose lines all end."""
    lines = difflib.unified_diff(
        text.splitlines(), found.splitlines(), _name(file), f"{_name(file)} (laid out)", lineterm=""
    )
    return [line + "\n" for line in lines]
