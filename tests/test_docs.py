"""The documentation is true: its commands, snippets and links are run.

What a fenced block is for stands behind its language:

- `console`: lines that begin with `$ ` are commands, what follows is their output, standard error
  included.  They run in a folder of their own, with the repository's `corpora` and `rules` in it,
  one after the other through the whole document; a plain `kgverify …` runs in this process, which
  saves its start.  In expected output, `...` stands for anything within a line, and for any lines
  where it is a line of its own.
- `python` with `>>>`: a doctest, in the same folder.
- `… file=NAME`, `… append=NAME`: the block is written to that file before what follows runs.
- `kgr`: statements that parse.  `kgr problem`: a malformed example; the heading above names the
  problem's code, and the `text` block below is how kgverify reports it.
- `json`, `jsonl`: JSON, whole or line by line.
"""

from __future__ import annotations

import ast
import doctest
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import typer

import kgverify
from kgverify.cli.app import app
from kgverify.errors import render
from kgverify.language.checks import check
from kgverify.language.parsing import parse

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
PAGES = [path for path in DOCUMENTS if "decisions" not in path.parts]
_FENCE = re.compile(r"^```([^\n`]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^(#+) (.+)$", re.MULTILINE)
_PLAIN = re.compile(r'kgverify ([^;|&<>$`()*\n]+?)(; echo "exit code \$\?")?')
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, the words behind it, its text, its line in the document."""

    language: str
    words: tuple[str, ...]
    text: str
    line: int
    heading: str

    @property
    def target(self) -> tuple[str, str] | None:
        """("file" or "append", name) of a block that is to be written."""
        for word in self.words:
            mode, equals, name = word.partition("=")
            if equals and mode in ("file", "append"):
                return mode, name
        return None


def blocks(path: Path) -> list[Block]:
    text = path.read_text(encoding="utf-8")
    found = []
    for match in _FENCE.finditer(text):
        language, *words = match[1].split() or [""]
        headings = [h[2] for h in _HEADING.finditer(text, 0, match.start())]
        line = text.count("\n", 0, match.start()) + 1
        found.append(Block(language, tuple(words), match[2], line, (headings or [""])[-1]))
    return found


def without_blocks(path: Path) -> str:
    return _FENCE.sub("", path.read_text(encoding="utf-8"))


def documents() -> pytest.MarkDecorator:
    return pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: str(p.relative_to(ROOT)))


# ---------------------------------------------------------------- what is run


class Shell:
    """A folder with the corpora and rules, in which `kgverify` is the command of this checkout."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder / "work"
        self.folder.mkdir()
        monkeypatch.chdir(self.folder)
        monkeypatch.setenv("COLUMNS", "80")
        for name in ("corpora", "rules"):
            shutil.copytree(ROOT / name, self.folder / name)
        command = folder / "bin" / "kgverify"
        command.parent.mkdir()
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m kgverify "$@"\n')
        command.chmod(0o755)
        for name in ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
            monkeypatch.delenv(name, raising=False)
        self.environment = os.environ | {
            "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "PYTHONIOENCODING": "utf-8",
            "LC_ALL": "C.UTF-8",
        }

    def run(self, command: str) -> str:
        """What a command prints, on both streams."""
        plain = _PLAIN.fullmatch(command.replace("\\\n", ""))
        if plain:
            printed, code = run_here(shlex.split(plain[1]))
            return tidy(printed + (f"exit code {code}\n" if plain[2] else ""))
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=50,
            check=False,
        )
        return tidy(done.stdout.decode("utf-8"))

    def write(self, block: Block) -> None:
        target = block.target
        if target is not None:
            mode, name = target
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            with (self.folder / name).open("w" if mode == "file" else "a", encoding="utf-8") as out:
                out.write(block.text)


def run_here(arguments: list[str]) -> tuple[str, int]:
    """What `kgverify` prints with these arguments, in the order of printing, and its exit code."""
    data = io.BytesIO()
    stream = io.TextIOWrapper(data, "utf-8", write_through=True)
    with redirect_stdout(stream), redirect_stderr(stream):
        try:
            app(arguments, prog_name="kgverify")
            code = 0
        except SystemExit as end:
            code = int(end.code or 0)
    return data.getvalue().decode("utf-8"), code


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Each command of a console block with its expected output."""
    command: list[str] = []
    output: list[str] = []
    for line in text.splitlines():
        if command and command[-1].endswith("\\"):
            command.append(line)
        elif line.startswith("$ "):
            if command:
                yield "\n".join(command), tidy("\n".join(output))
            command, output = [line[2:]], []
        else:
            output.append(line)
    yield "\n".join(command), tidy("\n".join(output))


def tidy(text: str) -> str:
    """Text without blanks at the ends of lines and empty lines at its end."""
    return "\n".join(line.rstrip() for line in text.splitlines()).rstrip()


def matches(expected: str, got: str) -> bool:
    """Is this the expected output, where `...` stands for anything?"""
    pattern = ""
    for line in expected.splitlines():
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*?".join(map(re.escape, line.split("..."))) + r"\n"
    return re.fullmatch(pattern, got + "\n" if got else "") is not None


def problem_text(block: Block) -> str:
    """How the problem of a malformed example is reported; the code stands in the heading above."""
    code = block.heading.strip("`")
    problems = [p for p in check(block.text, "example.kgr")[1] if p.code == code]
    return tidy(render(problems, {"example.kgr": block.text}))


@documents()
def test_examples_run(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = blocks(path)
    if not any(b.language in ("console", "python") for b in found):
        return
    shell = Shell(tmp_path, monkeypatch)
    names: dict[str, Any] = {}
    faults = []
    for block in found:
        shell.write(block)
        if block.language == "console":
            assert block.text.startswith("$ "), f"{path.name}:{block.line}: begin with a command"
            for command, expected in commands(block.text):
                got = shell.run(command)
                if not matches(expected, got):
                    faults.append(f"{path.name}:{block.line}: $ {command}\n{got}")
        elif block.language == "python" and ">>>" in block.text:
            faults += _doctest(block, names, path)
    assert not faults, "\n\n".join(faults)


def _doctest(block: Block, names: dict[str, Any], path: Path) -> list[str]:
    parser = doctest.DocTestParser()
    test = parser.get_doctest(block.text, names, path.name, str(path), block.line)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    lines: list[str] = []
    runner.run(test, out=lines.append, clear_globs=False)
    names |= test.globs
    return ["".join(lines)] if runner.failures else []


@documents()
def test_snippets_parse(path: Path) -> None:
    for block in blocks(path):
        place = f"{path.name}:{block.line}"
        if block.language == "kgr" and "problem" not in block.words:
            assert not parse(block.text, place)[1], place
        elif block.language == "json":
            json.loads(block.text)
        elif block.language == "jsonl":
            assert all(json.loads(line) for line in block.text.splitlines()), place


def test_problems_are_reported_as_shown() -> None:
    found = blocks(ROOT / "docs" / "rule-language.md")
    shown = 0
    for block, after in pairwise(found):
        if "problem" in block.words:
            shown += 1
            assert after.language == "text", f"line {block.line}: show the message"
            assert matches(tidy(after.text), problem_text(block)), (
                f"line {block.line}:\n{problem_text(block)}"
            )
    assert shown


# ---------------------------------------------------------------- what is complete


def language_codes() -> set[str]:
    """The codes of all problems that the language package reports."""
    codes = {"unknown-class", "unknown-relation"}  # made from the kind of name
    codes.add("missing-file")  # of any file, said by `kgverify.errors`
    for path in (ROOT / "kgverify" / "language").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Problem":
                codes |= {
                    str(part.value)
                    for part in ast.walk(node.args[0])
                    if isinstance(part, ast.Constant) and not str(part.value).endswith("-")
                }
    missing = re.search(r"_MISSING = \{(.*?)\n\}", _text("kgverify/language/parsing.py"), re.DOTALL)
    assert missing
    codes |= set(re.findall(r'\("(missing-\w+)"', missing[1]))
    return codes | set(re.findall(r'^ +"(missing-\w+)",$', _text(_MISTAKES), re.MULTILINE))


_MISTAKES = "kgverify/language/mistakes.py"


def _text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_every_problem_has_its_entry_and_no_other() -> None:
    entries = _HEADING.finditer(_sections(_text("docs/rule-language.md"))["Problems"])
    assert {f"`{code}`" for code in language_codes()} == {entry[2] for entry in entries}


def _commands(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    for word, child in getattr(command, "commands", {}).items():
        yield from _commands(child, f"{name} {word}")
    if not getattr(command, "commands", {}):
        yield name, command


def test_every_command_and_option_is_documented() -> None:
    sections = _sections(_text("docs/commands.md"))
    for name, command in _commands(typer.main.get_command(app), "kgverify"):
        section = sections.get(f"`{name}`")
        assert section, f"`{name}` has no section"
        for parameter in command.params:
            for option in parameter.opts:
                if option.startswith("--"):
                    assert re.search(rf"`{option}[` ]", section), f"{name}: {option}"


def _sections(text: str) -> dict[str, str]:
    """The text below each heading, up to the next of the same or a higher level."""
    plain = _FENCE.sub(lambda m: m[0].replace("\n#", "\n "), text)
    headings = list(_HEADING.finditer(plain))
    found = {}
    for place, heading in enumerate(headings):
        after = [h.start() for h in headings[place + 1 :] if len(h[1]) <= len(heading[1])]
        found[heading[2]] = plain[heading.end() : (after or [len(plain)])[0]]
    return found


def test_every_public_name_is_documented() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in PAGES)
    assert [n for n in kgverify.__all__ if not re.search(rf"`(kgverify\.)?{n}\b", text)] == []


def test_every_encoding_is_documented() -> None:
    text = _text("docs/encodings.md")
    assert [p.name for p in (ROOT / "encodings").glob("*.lp") if f"`{p.name}`" not in text] == []


def test_decisions_are_numbered_and_listed() -> None:
    folder = ROOT / "docs" / "decisions"
    names = sorted(p.name for p in folder.glob("[0-9]*.md"))
    numbers = [name[:4] for name in names]
    assert numbers == sorted(set(numbers))
    index = (folder / "README.md").read_text(encoding="utf-8")
    for name in names:
        assert f"({name})" in index
        headings = [h[2] for h in _HEADING.finditer((folder / name).read_text(encoding="utf-8"))]
        assert headings[1:] == ["Question", "Choice", "Why", "What would change our mind"], name


@documents()
def test_links_lead_somewhere(path: Path) -> None:
    for link in _LINK.findall(without_blocks(path)):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (path.parent / name).resolve() if name else path
        assert target.exists(), f"{path.name}: {link}"
        if anchor:
            text = _FENCE.sub("", target.read_text(encoding="utf-8"))
            assert anchor in {_slug(h[2]) for h in _HEADING.finditer(text)}, f"{path.name}: {link}"


@documents()
def test_named_files_exist(path: Path) -> None:
    """Files of the repository that the text names, as `folder/…`."""
    folders = "encodings|grammars|rules|corpora|kgverify|tests|docs|benchmarks"
    for name in re.findall(rf"`((?:{folders})/[^`]*)`", without_blocks(path)):
        assert list(ROOT.glob(name.rstrip("/"))), f"{path.name}: {name}"


def _slug(heading: str) -> str:
    """The anchor that a heading gets."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
