"""What can't be read is reported, with its place and the repair; nothing is half read."""

from __future__ import annotations

import gzip
import io
import zipfile

import pytest

from kgverify.errors import GraphError, KgverifyError
from kgverify.graph import Options, build_store, open_graph


def problems(path, **options):
    with pytest.raises(KgverifyError) as caught:
        open_graph(path, Options(**options))
    return caught.value.problems


@pytest.mark.parametrize(
    ("line", "code", "column"),
    [
        (b"a\tp", "wrong-columns", 0),
        (b"a b c", "wrong-columns", 0),
        (b"a\tp\tb\tc\td", "wrong-columns", 0),
        (b"a\tp\tb\tc", "bad-column", 7),
        (b"a\t\tb", "empty-field", 3),
        (b"a\tp\t ", "empty-field", 5),
        (b"a\tp\tb\xff", "not-utf8", 6),
        (b"a\tp\xc3\xa9\t\xed\xa0\x80", "not-utf8", 6),
        (b"a\tp\tb\0c", "nul-character", 6),
        (b'a\tp\t"\\x"@en', "bad-literal", 0),
    ],
)
def test_bad_lines_of_tables(write, line, code, column):
    path = write("g.tsv", b"a\tp\tb\n" + line + b"\na\tp\tc\n")
    (problem,) = problems(path)
    assert (problem.code, problem.span.line) == (code, 2)
    assert not column or problem.span.column == column
    assert len(open_graph(path, Options("skip")).facts) == 2


def test_the_byte_offset_of_bad_text_is_named(write):
    (problem,) = problems(write("g.tsv", b"\xc3\xa9\tp\tb\n" + b"a\tp\t\xff\n"))
    assert "0xFF at offset 11" in problem.message


def test_reading_stops_after_twenty_problems(write):
    found = problems(write("g.tsv", "a\tp\tb\n" + "bad\n" * 100))
    assert [problem.span.line for problem in found] == list(range(2, 22))


def test_skipped_lines_are_counted_and_the_first_ones_kept(write, tmp_path):
    path = write("g.tsv", "a\tp\tb\n" + "bad\n" * 1500)
    summary = build_store(path, tmp_path / "s", Options("skip"))
    assert summary.rejected_count == 1500
    assert len(summary.rejected) == 1000


@pytest.mark.parametrize("name", ["g.tsv", "g.nt", "g.ttl", "g.jsonl", "g.json", "g.rdf", "g"])
@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xef\xbb\xbf"])
def test_empty_files(write, name, content):
    (problem,) = problems(write(name, content))
    assert problem.code == "empty-file"


@pytest.mark.parametrize("name", ["g.nt", "g.ttl"])
def test_files_with_only_comments_hold_no_facts(write, name):
    assert problems(write(name, "# nothing\n"))[0].code == "empty-file"


def test_missing_files_are_named_with_the_nearest(write, tmp_path):
    write("hetionet.tsv", "a\tp\tb\n")
    (problem, other) = problems([tmp_path / "hetoinet.tsv", tmp_path / "no" / "x.tsv"])
    assert problem.code == "missing-file"
    assert "hetionet.tsv" in problem.hint
    assert "folder" in other.message


def test_folders_that_are_no_stores(tmp_path):
    assert problems(tmp_path)[0].code == "not-a-file"


def test_no_files():
    with pytest.raises(GraphError, match="no graph file"):
        open_graph([])


def zipped() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("../evil.tsv", "a\tp\tb\n")
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (zipped(), "zip archive"),
        (gzip.compress(gzip.compress(b"a\tp\tb\n")), "gzip data within gzip"),
        (b"BZh91AY", "bzip2"),
        ("a\tp\tb\n".encode("utf-16"), "UTF-16"),
        (b"SQLite format 3\0", "SQLite"),
        (gzip.compress(b"a".ljust(257, b"\0") + b"ustar"), "tar archive"),
    ],
    # Packed data says when it was packed, which makes no name of a test.
    ids=lambda given: given if isinstance(given, str) else "",
)
@pytest.mark.parametrize("name", ["g.tsv", "g.nt", "g.zip"])
def test_foreign_formats_are_named(write, tmp_path, content, what, name):
    (problem,) = problems(write(name, content))
    assert what in problem.message
    assert problem.hint
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_comma_separated_files_are_named(write):
    assert "comma" in problems(write("g.csv", "a,p,b\n"))[0].message


@pytest.mark.parametrize("name", ["g.tsv", "g.nt", "g.ttl", "g.rdf"])
def test_damaged_gzip(write, name):
    whole = gzip.compress(b"<http://ex.org/a>\t<http://ex.org/p>\t<http://ex.org/b> .\n" * 999)
    for content in (whole[: len(whole) // 2], whole[:-4] + b"\0\0\0\0"):
        (problem,) = problems(write(name, content))
        assert problem.code in ("damaged-gzip", "unsafe-xml" if name == "g.rdf" else "")


@pytest.mark.parametrize("name", ["bomb.nt.gz", "bomb.ttl.gz", "bomb.tsv.gz", "bomb.json"])
def test_gzip_bombs_stop_at_the_limit(write, name):
    block = b"#" + b"0" * 99_999 + b"\n"
    line = b"<http://ex.org/a>\t<http://ex.org/p>\t<http://ex.org/b>\t.\n"
    path = write(name, line + block * 200, packed=True)
    assert path.stat().st_size < 100_000
    (problem,) = problems(path, max_unpacked=5_000_000, on_error="skip")
    assert "unpacked size exceeds 5 MB" in problem.message
    if "json" not in name and "tsv" not in name:
        assert len(open_graph(path, Options(max_unpacked=30_000_000)).facts) == 1


@pytest.mark.parametrize("name", ["g.ttl", "g.trig"])
def test_nul_and_bad_text_in_turtle(write, name):
    start = b'<http://ex.org/a> <http://ex.org/p> "x" .\n<http://ex.org/a> <http://ex.org/p> "'
    (problem,) = problems(write(name, start + b'\0" .\n'))
    assert (problem.code, problem.span.line) == ("nul-character", 2)
    assert problems(write(name, start + b'\xff" .\n'))[0].span.line == 2


def test_bad_text_in_documents(write):
    (problem,) = problems(write("g.json", b'{"nodes": [],\n "edges": ["\xff"]}'))
    assert (problem.code, problem.span.line) == ("not-utf8", 2)
