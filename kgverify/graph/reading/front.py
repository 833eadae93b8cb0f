"""Recognises what a file is, and reads it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from kgverify.errors import GraphError, Problem, Span, missing_file
from kgverify.graph.building import Builder
from kgverify.graph.reading.files import SourceFile
from kgverify.graph.reading.options import Options
from kgverify.graph.reading.recognising import ROLES, Reader, recognise
from kgverify.graph.reading.rejects import Rejects
from kgverify.graph.reading.target import Target

PathLike: TypeAlias = str | os.PathLike[str]


@dataclass(frozen=True, slots=True)
class Reading:
    """What reading left out: the problems, at most a thousand of them, and how many there were."""

    rejected: tuple[Problem, ...]
    rejected_count: int


def read(
    paths: Iterable[PathLike],
    builder: Builder,
    options: Options | None = None,
    denied_paths: Iterable[PathLike] = (),
) -> Reading:
    """Reads files into a builder; every fact in `denied_paths` is a denied one.

    The format is recognised by name and content.  `labels:FILE`, `types:FILE` and `triples:FILE`
    say what a table is that doesn't show it.  Raises GraphError when a file can't be read, or, if
    `options.on_error` is "stop", when any line can't; then the builder must be thrown away."""
    options = options or Options()
    rejects = Rejects(options.on_error, options.on_reject)
    tasks = [_task(path, denied=False) for path in paths]
    tasks += [_task(path, denied=True) for path in denied_paths]
    if missing := [problem for _, path, _ in tasks if (problem := _not_a_file(path))]:
        raise GraphError(missing)
    total = sum(path.stat().st_size for _, path, _ in tasks)
    done = 0
    for role, path, denied in tasks:

        def progress(count: int, before: int = done) -> None:
            if options.progress:
                options.progress(before + count, total)

        with SourceFile(path, options.max_unpacked, progress) as source:
            if denied and not source.head().strip():
                continue  # nothing is denied
            target = Target(builder, options, source.name, denied)
            known = rejects.count
            (role or recognise(source))(source, target, rejects)
            if not target.count and not denied and rejects.count == known:
                raise source.problem("empty-file", "holds no facts and no labels")
        rejects.check()
        done += path.stat().st_size
    return Reading(tuple(rejects.problems), rejects.count)


def _task(path: PathLike, denied: bool) -> tuple[Reader | None, Path, bool]:
    text = os.fspath(path)
    role, colon, rest = text.partition(":")
    if colon and role in ROLES and not Path(text).exists():
        return ROLES[role], Path(rest), denied
    return None, Path(text), denied


def _not_a_file(path: Path) -> Problem | None:
    span = Span(str(path))
    if path.is_dir():
        hint = "name the files in it, or a store"
        return Problem("not-a-file", "is a folder, and not a kgverify graph store", span, hint)
    if path.exists():
        return None
    return missing_file(path)


def as_paths(paths: PathLike | Sequence[PathLike]) -> list[PathLike]:
    """One path or several, as a list."""
    return [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
