"""The record of a run, and the folder that it leaves: the same for every experiment.

A run is repeatable: nothing in its files depends on the time, the place or the machine.  So times
are told on the screen and written nowhere.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from itertools import chain, count
from pathlib import Path
from typing import Any

from kgverify.errors import GraphError, KgverifyError, Problem, Span, missing_file
from kgverify.version import VERSION

RESULTS = "results.json"  # every run has one, and it says which experiment it is of
REPORT = "report.md"
_DIGITS = 6  # what is beyond differs between machines
_WIDTH = 120


@dataclass(frozen=True, slots=True)
class RunRecord:
    """What a run rests on: `seeds` decide everything that is drawn, `inputs` are the SHA-256 of
    each file that was read, `packages` the versions of what computed it ("" where missing)."""

    experiment: str
    quick: bool
    seeds: tuple[int, ...]
    options: Mapping[str, Any]
    inputs: Mapping[str, str]
    packages: Mapping[str, str]
    kgverify: str = field(default=VERSION)


def require(*modules: str, of: str = "an experiment", extra: str = "experiments") -> None:
    """Raises KgverifyError when a package of an extra is not installed."""
    missing = [name for name in modules if find_spec(name) is None]
    if missing:
        message = f"{of} needs {' and '.join(missing)}, which is not installed"
        hint = f"pip install 'kgverify[{extra}]'"
        raise KgverifyError(Problem("missing-extra", message, hint=hint))


def packages(*names: str) -> dict[str, str]:
    """The installed version of each, "" where it is missing."""
    return {name: _installed(name) for name in names}


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def file_hash(path: Path) -> str:
    """SHA-256 of a file.  Raises GraphError when it can't be read."""
    try:
        with path.open("rb") as data:
            return hashlib.file_digest(data, "sha256").hexdigest()
    except FileNotFoundError as error:
        raise GraphError(missing_file(path)) from error
    except OSError as error:
        message = f"can't be read: {error.strerror or error}"
        raise GraphError(Problem("unreadable-file", message, Span(str(path)))) from error


def names_of(paths: Iterable[Path], taken: Iterable[str] = ()) -> dict[str, Path]:
    """A name for each path: its last part, with a number behind it where that is taken."""
    found: dict[str, Path] = {}
    for path in paths:
        own = path.name if path.name not in ("", "..") else path.resolve().name
        found[_free(own, "{} ({})", {*taken, *found}.__contains__)] = path
    return found


def _free(own: str, numbered: str, is_taken: Callable[[str], bool]) -> str:
    """The name, or the first that is not taken of those with a number behind it."""
    others = (numbered.format(own, number) for number in count(2))
    return next(name for name in chain((own,), others) if not is_taken(name))


def slugs(names: Iterable[str], of: Callable[[str], str] = str) -> dict[str, str]:
    """A file name for each name, of letters, digits, points and dashes, and nobody else's in any
    case of letters.  It is made of what `of` leaves of the name."""
    found: dict[str, str] = {}
    met: set[str] = set()
    for name in names:
        own = re.sub(r"[^\w.-]+", "-", of(name)).strip(".-") or "unnamed"
        found[name] = _free(own, "{}-{}", lambda slug: slug.casefold() in met)
        met.add(found[name].casefold())
    return found


def text_hash(text: str) -> str:
    """SHA-256 of a text."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def check_place(out: Path) -> None:
    """Raises KgverifyError when `out` holds anything but an earlier run; that is replaced."""
    if not out.exists() or (out / RESULTS).is_file():
        return
    if not out.is_dir() or any(out.iterdir()):
        raise KgverifyError(
            Problem(
                "not-a-run",
                "holds something else than the results of an experiment",
                Span(str(out)),
                "name a new folder",
            )
        )


def write_run(
    out: Path, record: RunRecord, results: Mapping[str, Any], report: str, files: Mapping[str, str]
) -> None:
    """Writes the folder of a run: results, report and other files.  It appears whole or not at
    all."""
    check_place(out)
    own = {RESULTS: as_json({"record": asdict(record), **results}), REPORT: report}
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=f".{out.name}.", dir=out.parent))
        try:
            for name, text in (own | dict(files)).items():
                (made / name).write_text(text, encoding="utf-8", newline="")
            made.chmod(0o755)
            _replace(made, out)
        finally:
            shutil.rmtree(made, ignore_errors=True)
    except OSError as error:
        message = f"can't write the results: {error.strerror or error}"
        raise KgverifyError(Problem("unwritable", message, Span(str(out)))) from error


def _replace(made: Path, out: Path) -> None:
    """Puts a folder in the place of another.  The old one is moved away first and comes back when
    the new one can't take its place."""
    if not out.exists():
        os.rename(made, out)
        return
    old = Path(tempfile.mkdtemp(prefix=f".{out.name}.old.", dir=out.parent))
    os.rename(out, old / out.name)
    try:
        os.rename(made, out)
    except OSError:
        os.rename(old / out.name, out)
        raise
    finally:
        shutil.rmtree(old, ignore_errors=True)


def as_json(value: Any) -> str:
    """A value as JSON: what is short on one line, floats to six digits."""
    return _encode(rounded(value), "") + "\n"


def rounded(value: Any) -> Any:
    """A value as it comes back from its JSON: a report of it can be made again from the file."""
    if isinstance(value, float):
        return round(value, _DIGITS) + 0.0  # no negative zero
    if isinstance(value, Mapping):
        return {str(key): rounded(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(inner) for inner in value]
    return value


def _encode(value: Any, indent: str) -> str:
    plain = json.dumps(value, ensure_ascii=False, allow_nan=False)
    if len(plain) <= _WIDTH or not isinstance(value, dict | list):
        return plain
    inner = indent + " "
    if isinstance(value, dict):
        parts = [f"{inner}{json.dumps(k)}: {_encode(v, inner)}" for k, v in value.items()]
        return "{\n" + ",\n".join(parts) + f"\n{indent}}}"
    return "[\n" + ",\n".join(inner + _encode(v, inner) for v in value) + f"\n{indent}]"
