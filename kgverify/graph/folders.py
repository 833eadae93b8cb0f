"""A folder of arrays: a JSON file that describes it, read first, and one `.npy` file an array.

The arrays are memory-mapped, so that a folder of any size opens in milliseconds and processes share
it.  A folder is written beside its place and then renamed: it is there as a whole or not at all.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kgverify.errors import GraphError, KgverifyError, Problem, Span

Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class FolderFormat:
    """One kind of folder: `name` and `version` stand in the file `description`; `what` it is called
    in messages, and `command` builds one.  Problems are raised as `error`."""

    name: str
    version: int
    description: str
    what: str
    command: str
    error: type[KgverifyError] = GraphError

    def is_one(self, path: Path) -> bool:
        """Whether a path is a folder that says it is of this kind, whole or not."""
        return (path / self.description).is_file()

    def check_place(self, place: Path) -> None:
        """Raises `error` if a folder must not be written here, since something else is there."""
        if place.is_symlink() or (place.exists() and not place.is_dir()):
            message = "is a file; it is not overwritten"
            raise self.problem(place, f"not-a-{self.what}", message, "name a folder")
        if place.is_dir() and not self.is_one(place) and any(place.iterdir()):
            message = "is a folder that holds something else; it is not overwritten"
            raise self.problem(place, f"not-a-{self.what}", message, "name a new folder")

    def write(self, place: Path, described: Mapping[str, Any], arrays: Arrays) -> None:
        """Writes a folder, replacing one of its kind that is there.

        Raises `error` when something else is there, or when the disk refuses."""
        self.check_place(place)
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            folder = Path(tempfile.mkdtemp(prefix=f".{place.name}.", dir=place.parent))
            try:
                self._write_files(folder, described, arrays)
                _move(folder, place)
            finally:
                shutil.rmtree(folder, ignore_errors=True)
        except OSError as error:
            message = f"can't write the {self.what}: {error}"
            raise self.problem(place, f"{self.what}-not-written", message) from error

    def describe(self, place: Path, kinds: Mapping[str, type]) -> dict[str, Any]:
        """What the description says, with fields of these types, checked, and `arrays`."""
        hint = f"build one with `{self.command}`"
        if not place.exists():
            raise self.problem(place, "missing-file", f"there is no such {self.what}", hint)
        foreign = f"is not a {self.name}".removesuffix(f" {self.what}") + f" {self.what}"
        if not self.is_one(place):
            raise self.problem(place, f"not-a-{self.what}", foreign, hint)
        try:
            found = json.loads((place / self.description).read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            raise self.damaged(place, self.description, f"can't be read: {error}") from error
        if not isinstance(found, dict) or found.get("format") != self.name:
            raise self.problem(place, f"not-a-{self.what}", foreign, hint)
        if found.get("version") != self.version:
            version = found.get("version")
            message = f"is a {self.what} of version {version}; this kgverify reads {self.version}"
            hint = f"build the {self.what} again from its sources"
            raise self.problem(place, f"{self.what}-version", message, hint)
        for field, kind in kinds.items():
            if not isinstance(found.get(field), kind):
                raise self.damaged(place, self.description, f"has no usable {field!r}")
        if not isinstance(found.get("arrays"), dict):
            raise self.damaged(place, self.description, "has no usable 'arrays'")
        return found

    def map(
        self, place: Path, name: str, sizes: Mapping[str, Any], dtype: str, width: int = 0
    ) -> NDArray[Any]:
        """An array, mapped and not read; `width` is the number of columns of one that has rows."""
        file = place / f"{name}.npy"
        try:
            length, size = sizes[name]
            actual = file.stat().st_size
        except (KeyError, TypeError, ValueError) as error:
            message = f"doesn't describe the array {name!r}"
            raise self.damaged(place, self.description, message) from error
        except OSError as error:
            raise self.damaged(place, file.name, "is missing") from error
        if actual != size:
            raise self.damaged(place, file.name, f"has {actual} bytes where {size} were written")
        try:
            # An empty array can't be mapped.
            array = np.load(file, mmap_mode="r" if length else None, allow_pickle=False)
        except (OSError, ValueError) as error:
            raise self.damaged(place, file.name, f"can't be read: {error}") from error
        shape = (length, width) if width else (length,)
        if array.shape != shape or array.dtype != np.dtype(dtype):
            raise self.damaged(place, file.name, f"holds {array.dtype}{list(array.shape)}")
        return np.asarray(array)  # still mapped; look-ups on a plain array are faster

    def damaged(self, place: Path, file: str, why: str) -> KgverifyError:
        """The error that a file of the folder is not as it was written."""
        message = f"the {self.what} is damaged: {file} {why}"
        return self.problem(place, f"{self.what}-damaged", message, "build it again")

    def problem(self, place: Path, code: str, message: str, hint: str = "") -> KgverifyError:
        """The error that says something about a folder."""
        return self.error(Problem(code, message, Span(str(place)), hint))

    def _write_files(self, folder: Path, described: Mapping[str, Any], arrays: Arrays) -> None:
        sizes: dict[str, list[int]] = {}
        for name, array in arrays.items():
            file = folder / f"{name}.npy"
            with file.open("xb") as stream:
                np.save(stream, array, allow_pickle=False)
                stream.flush()
                os.fsync(stream.fileno())
            sizes[name] = [len(array), file.stat().st_size]
        head = {"format": self.name, "version": self.version}
        with (folder / self.description).open("x", encoding="utf-8") as text:
            json.dump(head | dict(described) | {"arrays": sizes}, text, ensure_ascii=True, indent=1)
            text.flush()
            os.fsync(text.fileno())
        folder.chmod(0o755)  # a temporary folder is private
        _sync(folder)


def _move(folder: Path, place: Path) -> None:
    """Puts the finished folder in its place; an older one makes way, or comes back on failure."""
    if not place.exists():
        folder.rename(place)
    else:
        aside = Path(tempfile.mkdtemp(prefix=f".{place.name}.", dir=place.parent))
        older = aside / "older"
        place.rename(older)
        try:
            folder.rename(place)
        except OSError:
            older.rename(place)
            raise
        finally:
            shutil.rmtree(aside, ignore_errors=True)  # what is open keeps its mapped files
    _sync(place.parent)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
