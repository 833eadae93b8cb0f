"""Reads passages: JSON Lines, tables with a header, and folders of plain texts."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from kgverify import strict_json
from kgverify.errors import EvidenceError, Problem, Span, counted, missing_file, nearest
from kgverify.evidence.options import CorpusOptions
from kgverify.evidence.passages import Passage
from kgverify.graph.reading.files import SourceFile
from kgverify.graph.reading.rejects import Rejects

PathLike: TypeAlias = str | os.PathLike[str]

# What other corpora call the fields: BEIR, MuSiQue, HotpotQA.
FIELDS: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "_id", "idx"),
    "text": ("text", "paragraph_text"),
    "title": ("title",),
    "source": ("source",),
    "date": ("date",),
    "heading": ("heading",),
}
# Where a passage has no `heading`, it is made of these, the wider one first.
PARTS = ("section", "field")
_TEXTS = (".txt", ".md")
_RECORD = '{"id": "…", "title": "…", "text": "…", "heading": "…"}'
_HEADING = re.compile(r"\s*#{1,6}[ \t]+(.*?)[ \t#]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Read:
    """The passages of some files in order, what was left out (the first thousand problems), and
    how much that was."""

    passages: tuple[Passage, ...]
    rejected: tuple[Problem, ...]
    rejected_count: int


class _Number(str):
    """A JSON number as it is written: `007.50` and `7.5` are two ids."""


def read_passages(
    sources: PathLike | Sequence[PathLike], options: CorpusOptions | None = None
) -> Read:
    """The passages of files and folders.

    Raises EvidenceError when a file can't be read, when there is no passage at all, and, if
    `options.on_error` is "stop", when any can't be read."""
    options = options or CorpusOptions()
    rejects = Rejects(options.on_error, options.on_reject, EvidenceError)
    paths = [sources] if isinstance(sources, (str, os.PathLike)) else list(sources)
    if not paths:
        raise EvidenceError(Problem("no-files", "no file of passages is named"))
    tasks = _tasks([Path(path) for path in paths], rejects)
    collected = _Collected(rejects, options.max_passage)
    total = sum(path.stat().st_size for path, _ in tasks)
    done, told = 0, options.told("reading")
    for path, id_ in tasks:

        def progress(count: int, before: int = done) -> None:
            told(before + count, total)

        with SourceFile(path, options.max_unpacked, progress, EvidenceError) as source:
            if id_:
                _read_text(source, id_, collected)
            else:
                _reader(source)(source, collected)
        done += path.stat().st_size
    rejects.check()
    if not collected.passages:
        span = Span(str(paths[0]))
        hint = f"write one passage a line: {_RECORD}"
        raise EvidenceError(Problem("empty-corpus", "there is no passage to read", span, hint))
    return Read(tuple(collected.passages), tuple(rejects.problems), rejects.count)


class _Collected:
    """The passages so far, with the places of their ids."""

    def __init__(self, rejects: Rejects, longest: int) -> None:
        self.passages: list[Passage] = []
        self.rejects = rejects
        self.longest = longest
        self._spans: dict[str, Span] = {}

    def add(self, passage: Passage, span: Span) -> None:
        """Adds a passage, unless it is too long or its id is taken."""
        if len(passage.text) > self.longest:
            size = f"{len(passage.text):,} characters where {self.longest:,} are allowed"
            hint = "split it into paragraphs, or raise --max-passage"
            self.rejects.add("long-passage", f"the passage has {size}", span, hint)
            return
        first = self._spans.setdefault(passage.id, span)
        if first is not span:
            hint = "give each passage an id of its own"
            notes = ((first, "the first passage with this id"),)
            message = f"the id `{passage.id}` is taken"
            self.rejects.add("duplicate-id", message, span, hint, notes)
            return
        self.passages.append(passage)


# ---------------------------------------------------------------- which files


def _tasks(paths: Iterable[Path], rejects: Rejects) -> list[tuple[Path, str]]:
    """The files to read; those of folders, and plain texts, with their ids.

    Raises EvidenceError with all that are missing."""
    found: list[tuple[Path, str]] = []
    missing: list[Problem] = []
    for path in paths:
        if path.is_dir():
            found += _texts_in(path, rejects, missing)
        elif not path.exists():
            missing.append(missing_file(path))
        else:
            found.append((path, path.name if _is_text(path.name) else ""))
    if missing:
        raise EvidenceError(missing)
    return found


def _is_text(name: str) -> bool:
    return name.lower().removesuffix(".gz").endswith(_TEXTS)


def _texts_in(folder: Path, rejects: Rejects, missing: list[Problem]) -> Iterator[tuple[Path, str]]:
    """The plain texts in a folder and the folders in it, in the order of their ids; hidden ones
    are passed over."""
    root = folder.resolve()
    found: list[tuple[str, Path]] = []
    others = 0
    for place, folders, files in os.walk(folder, followlinks=False):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted({*folders, *files}):
            path = Path(place, name)
            if name.startswith(".") or (not path.is_symlink() and name in folders):
                continue
            if path.is_symlink() and not path.resolve().is_relative_to(root):
                message = "is a link that leads out of the folder; it is not followed"
                rejects.add("outside-folder", message, Span(str(path)), "copy the file, or name it")
            elif path.is_file() and _is_text(name):
                found.append((path.relative_to(folder).as_posix(), path))
            else:
                others += 1
    if not found and not rejects.count:
        message = "the folder holds no .txt and no .md files"
        hint = f"it has {counted(others, 'other file')}; name the files to read" if others else ""
        missing.append(Problem("empty-folder", message, Span(str(folder)), hint))
    yield from ((path, id_) for id_, path in sorted(found))


def _reader(source: SourceFile) -> Callable[[SourceFile, _Collected], None]:
    name = source.path.name.lower().removesuffix(".gz")
    start = source.head().lstrip()
    if name.endswith(".csv"):
        hint = "write the columns separated by tabs, as .tsv"
        raise source.problem("foreign-format", "comma-separated files are not read", hint)
    if name.endswith((".tsv", ".tab")):
        return _read_table
    if name.endswith((".jsonl", ".ndjson")) or not start or start.startswith(b"{"):
        return _read_lines
    if start.startswith(b"["):
        hint = f"write one object a line, without the list around them: {_RECORD}"
        raise source.problem("foreign-format", "this is one JSON document", hint)
    if b"\t" in start.split(b"\n", 1)[0]:
        return _read_table
    hint = "passages are read from .jsonl, .tsv, .txt and .md files, packed with gzip or not"
    raise source.problem("unknown-format", "this is no format of passages that is known", hint)


# ---------------------------------------------------------------- JSON Lines


def _read_lines(source: SourceFile, collected: _Collected) -> None:
    rejects = collected.rejects
    for number, line in source.lines(rejects):
        if not line.strip():
            continue
        try:
            value = strict_json.loads(line, _Number)
        except strict_json.NotJson as error:
            end = error.column + 1 if error.column else 0
            span = source.span(number, error.column, end)
            hint = f"write one object a line: {_RECORD}"
            rejects.add("malformed-json", f"not a JSON object: {error.message}", span, hint)
            continue
        if "\\u" in line and strict_json.has_halves(value):
            rejects.add("malformed-json", strict_json.HALF, source.span(number), "write it in full")
            continue
        passage = _passage(value, line, number, source, rejects)
        if passage is not None:
            collected.add(passage, source.span(number))


def _passage(
    value: Any, line: str, number: int, source: SourceFile, rejects: Rejects
) -> Passage | None:
    """A passage from its JSON value; every fault of the line at once."""
    known = rejects.count

    def fault(code: str, message: str, hint: str = "", key: str = "") -> None:
        match = re.search(rf'"{re.escape(key)}"\s*:', line) if key else None
        column = match.start() + 1 if match else 0
        end = column + len(key) + 2 if match else 0
        rejects.add(code, message, source.span(number, column, end), hint)

    if not isinstance(value, dict):
        fault("bad-passage", "expected an object", _RECORD)
        return None
    if "paragraphs" in value and not any(name in value for name in FIELDS["text"]):
        message = "this is a question with its paragraphs, and no passage"
        fault("bad-passage", message, "write one paragraph a line", "paragraphs")
        return None
    found: dict[str, str] = {}
    for field, names in FIELDS.items():
        key = next((name for name in names if value.get(name) is not None), "")
        content = value.get(key)
        if key and (isinstance(content, bool) or not isinstance(content, str)):
            fault("bad-field", f"expected a text or a number @ $.{key}", key=key)
        elif field == "text" and isinstance(content, _Number):
            fault("bad-field", f"expected a text @ $.{key}", "put it in quotes", key)
        elif field in ("id", "text") and not str(content or "").strip():
            _missing(field, key, value, fault)
        else:
            found[field] = str(content or "")
    if rejects.count > known:
        return None
    # What is no text has another meaning there, and is left out as other fields are.
    parts = [value.get(part) for part in PARTS]
    found["heading"] = found["heading"] or _headed(p for p in parts if isinstance(p, str))
    return Passage(**found)


def _headed(parts: Iterable[str]) -> str:
    """The heading of a passage by its section and its field."""
    return ": ".join(part.strip() for part in parts if part.strip())


def _missing(field: str, key: str, value: Mapping[str, Any], fault: Callable[..., None]) -> None:
    known = [*PARTS, *(name for names in FIELDS.values() for name in names)]
    near = None if key else nearest(FIELDS[field][0], [n for n in value if n not in known])
    hint = f"the field `{near}` would be `{field}`" if near else ""
    if field == "id" and not hint:
        hint = 'give each passage an id: {"id": "…", …}; a line number will do'
    fault(f"missing-{field}", f"the passage has no {field}", hint, key)


# ---------------------------------------------------------------- tables


def _read_table(source: SourceFile, collected: _Collected) -> None:
    """Columns separated by tabs; the first line names them, and others than ours may be there."""
    rejects = collected.rejects
    places: dict[str, int] = {}
    parts: list[int] = []
    width = 0
    for number, line in source.lines(rejects):
        if not line.strip():
            continue
        fields = line.split("\t")
        if not places:
            width, places = len(fields), _header(fields, source, number)
            names = [field.strip() for field in fields]
            parts = [names.index(part) for part in PARTS if part in names]
            continue
        if len(fields) != width:
            message = f"{counted(len(fields), 'column')} where the header has {width}"
            hint = "texts hold no tabs and no line ends; use JSON Lines for those that do"
            rejects.add("wrong-columns", message, source.span(number), hint)
            continue
        found = {field: fields[place] for field, place in places.items()}
        empty = [field for field in ("id", "text") if not found[field].strip()]
        for field in empty:
            column = sum(len(each) + 1 for each in fields[: places[field]]) + 1
            span = source.span(number, column)
            rejects.add(f"missing-{field}", f"the passage has no {field}", span)
        found["heading"] = found.get("heading") or _headed(fields[place] for place in parts)
        if not empty:
            collected.add(Passage(**found), source.span(number))


def _header(fields: Sequence[str], source: SourceFile, number: int) -> dict[str, int]:
    """The column of each field.  Raises EvidenceError if `id` or `text` has none."""
    names = [field.strip() for field in fields]
    places: dict[str, int] = {}
    for field, known in FIELDS.items():
        for name in known:
            if name in names:
                places.setdefault(field, names.index(name))
    lacking = [f"`{field}`" for field in ("id", "text") if field not in places]
    if lacking:
        message = f"the header has no column {' and no column '.join(lacking)}"
        hint = "the first line names the columns: id, text, and perhaps title, heading, source"
        raise source.problem("no-header", message, hint, number)
    return places


# ---------------------------------------------------------------- plain texts


def _read_text(source: SourceFile, id_: str, collected: _Collected) -> None:
    """A file that is one passage: its title is its first line, if that is a heading, or its name
    without the ending."""
    rejects = collected.rejects
    span = source.span()
    data = source.stream.read(4 * collected.longest + 4)
    try:
        id_.encode()
        text = data.decode("utf-8", "strict" if len(data) < 4 * collected.longest else "ignore")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"byte 0x{data[error.start]:02X} at offset {error.start} is not UTF-8"
        rejects.add("not-utf8", message, source.span(line), "convert the file to UTF-8")
        return
    except UnicodeEncodeError:
        rejects.add("bad-name", "the name of the file is not UTF-8", Span(ascii(str(source.path))))
        return
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        rejects.add("nul-character", "a NUL character", source.span(line))
    elif not text:
        rejects.add("missing-text", "the file is empty", span, "remove it, or write a text in it")
    else:
        heading = _HEADING.match(text)
        name = re.sub(r"\.gz\Z", "", source.path.name, flags=re.IGNORECASE)
        title = heading[1] if heading and heading[1] else name.rsplit(".", 1)[0]
        collected.add(Passage(id_, text, title), span)
