"""Opens a file to read, packed or not, and gives its lines as text."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

from kgverify.errors import (
    GraphError,
    KgverifyError,
    LimitReached,
    Problem,
    Span,
    missing_file,
)
from kgverify.graph.reading.rejects import Rejects

_BOM = b"\xef\xbb\xbf"
_BUFFER = 1 << 18
_HEAD = 1 << 16  # the bytes by which a format is recognised
# How files begin that are no text, and what to do about them.
_FOREIGN = (
    (b"PK\x03\x04", "a zip archive", "unpack it first"),
    (b"PK\x05\x06", "an empty zip archive", "name the file itself"),
    (b"BZh", "bzip2 data", "unpack it, or use gzip"),
    (b"\xfd7zXZ", "xz data", "unpack it, or use gzip"),
    (b"7z\xbc\xaf", "a 7z archive", "unpack it first"),
    (b"\x28\xb5\x2f\xfd", "zstd data", "unpack it, or use gzip"),
    (b"PAR1", "a Parquet file", "write it as TSV"),
    (b"SQLite format 3", "an SQLite database", "write it as TSV"),
    (b"\x1f\x8b", "gzip data within gzip data", "unpack it once"),
    (b"\xff\xfe", "UTF-16 text", "convert it to UTF-8"),
    (b"\xfe\xff", "UTF-16 text", "convert it to UTF-8"),
)


class SourceFile:
    """A file that is being read: unpacked if it is gzip data, whatever its name, and without a
    byte order mark.  Use it in a `with` statement.

    Raises `error` when the file can't be opened or is no text, and LimitReached when it unpacks to
    more than `max_unpacked` bytes; the trailer of a gzip file can lie, so the bytes are counted."""

    def __init__(
        self,
        path: Path,
        max_unpacked: int,
        progress: Callable[[int], None],
        error: type[KgverifyError] = GraphError,
    ) -> None:
        self._error = error
        self.path = path
        self.name = str(path)
        try:
            self._packed = io.BufferedReader(io.FileIO(path), _BUFFER)
        except FileNotFoundError as error:
            raise self._error(missing_file(path)) from error
        except OSError as error:
            raise self.problem("unreadable-file", f"can't be opened: {error.strerror}") from error
        try:
            first = self._packed.peek(2)[:2]
            counted = _Counted(self, self._packed, first == b"\x1f\x8b", max_unpacked, progress)
            self.stream = io.BufferedReader(counted, _BUFFER)
            self._refuse_foreign()
        except BaseException:
            self._packed.close()
            raise

    def __enter__(self) -> SourceFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._packed.close()

    def problem(self, code: str, message: str, hint: str = "", line: int = 0) -> KgverifyError:
        """The error that says something about this file."""
        return self._error(Problem(code, message, Span(self.name, line), hint))

    def head(self) -> bytes:
        """The first bytes, which stay unread: up to 64 KiB, at least the first line if it fits."""
        return self.stream.peek(_HEAD)[:_HEAD]

    def lines(self, rejects: Rejects) -> Iterator[tuple[int, str]]:
        """(number, text) of each line, without its end; lines that are no UTF-8 or hold a NUL
        character are rejected."""
        offset = 0
        for number, raw in enumerate(self.stream, 1):
            try:
                line = raw.decode()
            except UnicodeDecodeError as error:
                rejects.add(
                    "not-utf8",
                    f"byte 0x{raw[error.start]:02X} at offset {offset + error.start} is not UTF-8",
                    self.span(number, len(raw[: error.start].decode()) + 1),
                    "convert the file to UTF-8",
                )
            else:
                if "\0" in line:
                    column = line.index("\0") + 1
                    rejects.add("nul-character", "a NUL character", self.span(number, column))
                else:
                    yield number, line.rstrip("\r\n")
            offset += len(raw)

    def text(self) -> str:
        """All of the file.  Raises the error if it is not UTF-8."""
        data = self.stream.read()
        try:
            return data.decode()
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            message = f"byte 0x{data[error.start]:02X} at offset {error.start} is not UTF-8"
            raise self.problem("not-utf8", message, "convert the file to UTF-8", line) from error

    def span(self, line: int = 0, column: int = 0, end_column: int = 0) -> Span:
        """A place in this file."""
        return Span(self.name, line, column, end_column)

    def _refuse_foreign(self) -> None:
        head = self.head()
        if head.startswith(_BOM):
            self.stream.read(len(_BOM))
            head = head[len(_BOM) :]
        for start, what, hint in _FOREIGN:
            if head.startswith(start):
                raise self.problem("foreign-format", f"this is {what}", hint)
        if head[257:262] == b"ustar":
            raise self.problem("foreign-format", "this is a tar archive", "unpack it first")


class _Counted(io.RawIOBase):
    """The bytes of a file, unpacked if need be, counted against a limit."""

    def __init__(
        self,
        source: SourceFile,
        packed: io.BufferedReader[io.FileIO],
        is_gzip: bool,
        limit: int,
        progress: Callable[[int], None],
    ) -> None:
        self._source = source
        self._packed = packed
        self._plain: gzip.GzipFile | io.BufferedReader[io.FileIO] = (
            gzip.GzipFile(fileobj=packed) if is_gzip else packed
        )
        self._limit = limit if is_gzip else None
        self._progress = progress if packed.seekable() else None
        self._count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        try:
            data = self._plain.read(len(buffer))
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            message = f"the gzip data is damaged: {error}"
            raise self._source.problem("damaged-gzip", message, "fetch the file again") from error
        except OSError as error:
            message = f"can't be read: {error.strerror}"
            raise self._source.problem("unreadable-file", message) from error
        self._count += len(data)
        if self._limit is not None and self._count > self._limit:
            raise LimitReached(
                Problem(
                    "unpacked-size",
                    f"unpacked size exceeds {_size(self._limit)}",
                    Span(self._source.name),
                    "raise --max-unpacked (Options.max_unpacked) if you trust the file",
                )
            )
        if self._progress:
            self._progress(self._packed.tell())
        buffer[: len(data)] = data
        return len(data)


def _size(count: int) -> str:
    for unit, name in ((1024**3, "GiB"), (1024**2, "MiB"), (10**6, "MB")):
        if count >= unit and count % unit == 0:
            return f"{count // unit} {name}"
    return f"{count} bytes"
