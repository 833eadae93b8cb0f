"""Passages from files: every form, and every mistake with its place."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgverify.errors import EvidenceError, LimitReached
from kgverify.evidence.options import CorpusOptions
from kgverify.evidence.passages import Passage
from kgverify.evidence.reading import read_passages


def written(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return path


def mistakes(path: Path | list[Path], **options: object) -> list[tuple[str, int, int]]:
    with pytest.raises(EvidenceError) as raised:
        read_passages(path, CorpusOptions(**options))  # type: ignore[arg-type]
    return [
        (p.code, p.span.line, p.span.column) if p.span else (p.code, 0, 0)
        for p in raised.value.problems
    ]


ALL = Passage("a", "A text.", "T", "S", "2014")


def test_json_lines(tmp_path: Path) -> None:
    line = '{"id": "a", "title": "T", "text": "A text.", "source": "S", "date": 2014, "x": [1]}\r\n'
    more = '\n{"id": 7.50, "text": "B", "title": null}\n{"_id": "c", "text": "\\ud83d\\ude00"}'
    wanted = (ALL, Passage("7.50", "B"), Passage("c", "😀"))
    data = ("\ufeff" + line + more).encode()
    for name, content in (("p.jsonl", data), ("p.jsonl.gz", gzip.compress(data)), ("p", data)):
        found = read_passages(written(tmp_path, name, content))
        assert (found.passages, found.rejected_count) == (wanted, 0)


def test_names_of_fields_in_other_corpora(tmp_path: Path) -> None:
    lines = '{"idx": 3, "title": "T", "paragraph_text": "A", "is_supporting": false}'
    assert read_passages(written(tmp_path, "m.jsonl", lines)).passages == (Passage("3", "A", "T"),)


def test_tables(tmp_path: Path) -> None:
    text = "\ufefftitle\tid\textra\ttext\tdate\tsource\r\nT\ta\t?\tA text.\t2014\tS\r\n\r\n"
    assert read_passages(written(tmp_path, "p.tsv", text)).passages == (ALL,)
    assert read_passages(written(tmp_path, "p.tsv.gz", gzip.compress(text.encode()))).passages == (
        ALL,
    )
    bad = "id\ttext\na\tA\nb\n \tB\nc\t\na\tagain"
    assert mistakes(written(tmp_path, "q.tsv", bad)) == [
        ("wrong-columns", 3, 0),
        ("missing-id", 4, 1),
        ("missing-text", 5, 3),
        ("duplicate-id", 6, 0),
    ]
    assert mistakes(written(tmp_path, "r.tsv", "1\tA passage\n")) == [("no-header", 1, 0)]


HEADED = [
    ({"heading": "H", "section": "S", "field": "F"}, "H"),
    ({"section": "Government", "field": "Capital"}, "Government: Capital"),
    ({"field": " Capital "}, "Capital"),
    ({"section": "Climate", "field": " "}, "Climate"),
    ({"heading": "", "field": "Capital"}, "Capital"),
    ({"heading": None, "section": None}, ""),
    ({"section": ["S"], "field": {"x": 1}, "heading": None}, ""),
    ({"section": 7, "field": "F"}, "7: F"),
    ({}, ""),
]


@pytest.mark.parametrize(("fields", "heading"), HEADED)
def test_headings_of_lines(tmp_path: Path, fields: dict[str, object], heading: str) -> None:
    line = json.dumps({"id": "a", "text": "A", **fields})
    wanted = Passage("a", "A", heading=heading)
    assert read_passages(written(tmp_path, "h.jsonl", line)).passages == (wanted,)


def test_headings_of_tables(tmp_path: Path) -> None:
    text = "field\tid\ttext\tsection\nCapital\ta\tA\tGovernment\n\tb\tB\tClimate\n\tc\tC\t\n"
    found = read_passages(written(tmp_path, "h.tsv", text)).passages
    assert [p.heading for p in found] == ["Government: Capital", "Climate", ""]
    text = "id\ttext\theading\tfield\na\tA\tH\tF\nb\tB\t\tF\n"
    found = read_passages(written(tmp_path, "i.tsv", text)).passages
    assert [p.heading for p in found] == ["H", "F"]


def test_a_heading_is_a_text(tmp_path: Path) -> None:
    line = '{"id": "a", "text": "A", "heading": ["H"]}'
    assert mistakes(written(tmp_path, "h.jsonl", line)) == [("bad-field", 1, 26)]


def test_folders_of_texts(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    written(folder, "b/deep.md", "\ufeff# A heading #\r\n\r\nText.\r\n")
    written(folder, "a.txt", "Plain.\n")
    written(folder, "c.TXT.gz", gzip.compress(b"Packed."))
    written(folder, "b/.hidden.txt", "no")
    written(folder, ".git/x.txt", "no")
    written(folder, "data.bin", b"\0")
    (folder / "b" / "same.txt").symlink_to(folder / "a.txt")
    (folder / "loop").symlink_to(folder, target_is_directory=True)
    assert read_passages(folder).passages == (
        Passage("a.txt", "Plain.", "a"),
        Passage("b/deep.md", "# A heading #\n\nText.", "A heading"),
        Passage("b/same.txt", "Plain.", "same"),
        Passage("c.TXT.gz", "Packed.", "c"),
    )
    assert read_passages(folder / "a.txt").passages == (Passage("a.txt", "Plain.", "a"),)


def test_links_out_of_a_folder_are_refused(tmp_path: Path) -> None:
    secret = written(tmp_path, "secret/x.txt", "secret")
    folder = tmp_path / "docs"
    written(folder, "a.txt", "Plain.")
    (folder / "out.txt").symlink_to(secret)
    (folder / "more").symlink_to(secret.parent, target_is_directory=True)
    assert mistakes(folder) == [("outside-folder", 0, 0)] * 2
    found = read_passages(folder, CorpusOptions(on_error="skip"))
    assert [p.id for p in found.passages] == ["a.txt"]
    assert found.rejected_count == 2


def test_bad_texts(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    written(folder, "a.txt", b"One.\n\xff")
    written(folder, "b.txt", " \n")
    written(folder, "c.txt", "x\n\0")
    written(folder, "d.txt", "é" * 11)
    assert mistakes(folder, max_passage=10) == [
        ("not-utf8", 2, 0),
        ("missing-text", 0, 0),
        ("nul-character", 2, 0),
        ("long-passage", 0, 0),
    ]
    (tmp_path / "none").mkdir()
    assert mistakes(tmp_path / "none") == [("empty-folder", 0, 0)]


LINES = [
    ('{"text": "A"}', "missing-id", 0),
    ('{"id": "", "text": "A"}', "missing-id", 2),
    ('{"id": " ", "text": "A"}', "missing-id", 2),
    ('{"id": "b"}', "missing-text", 0),
    ('{"id": "b", "txt": "A"}', "missing-text", 0),
    ('{"id": "b", "text": " \\n"}', "missing-text", 13),
    ('{"id": "b", "text": null}', "missing-text", 0),
    ('{"id": "b", "text": 5}', "bad-field", 13),
    ('{"id": "b", "text": ["A"]}', "bad-field", 13),
    ('{"id": true, "text": "A"}', "bad-field", 2),
    ('{"id": "b", "text": "A", "source": {}}', "bad-field", 26),
    ('{"id": "b", "text": "A"', "malformed-json", 24),
    ('{"id": "b", "id": "b", "text": "A"}', "malformed-json", 0),
    ('{"id": "b", "text": "A", "x": NaN}', "malformed-json", 0),
    ('{"id": "b", "text": "\\ud800"}', "malformed-json", 0),
    ('["b", "A"]', "bad-passage", 0),
    ('{"id": "q", "paragraphs": []}', "bad-passage", 13),
    ('{"id": "a", "text": "A again"}', "duplicate-id", 0),
    ('{"id": "b", "text": "' + "x" * 200 + '"}', "long-passage", 0),
    ('{"id": "b", "text": ' + "[" * 100_000, "malformed-json", 0),
    ('{"id": "b", "text": "\0"}', "nul-character", 22),
]  # fmt: skip


def test_all_mistakes_at_once(tmp_path: Path) -> None:
    first = '{"id": "a", "text": "A"}'
    some = LINES[:19]
    path = written(tmp_path, "p.jsonl", "\n".join([first, *(line for line, _, _ in some)]))
    assert mistakes(path, max_passage=100) == [
        (code, number, column) for number, (_, code, column) in enumerate(some, 2)
    ]
    found = read_passages(path, CorpusOptions(on_error="skip", max_passage=100))
    assert [p.id for p in found.passages] == ["a"]
    assert found.rejected_count == len(some)


@pytest.mark.parametrize(("line", "code", "column"), LINES)
def test_one_mistake(tmp_path: Path, line: str, code: str, column: int) -> None:
    path = written(tmp_path, "p.jsonl", '{"id": "a", "text": "A"}\n' + line)
    assert mistakes(path, max_passage=100) == [(code, 2, column)]


def test_both_places_of_a_repeated_id(tmp_path: Path) -> None:
    one = written(tmp_path, "one.jsonl", '\n{"id": "a", "text": "A"}')
    two = written(tmp_path, "two.tsv", "id\ttext\na\tB")
    with pytest.raises(EvidenceError) as raised:
        read_passages([one, two])
    (problem,) = raised.value.problems
    assert str(problem.span) == f"{two}:2"
    assert [str(span) for span, _ in problem.notes] == [f"{one}:2"]


def test_hints(tmp_path: Path) -> None:
    with pytest.raises(EvidenceError) as raised:
        read_passages(written(tmp_path, "p.jsonl", '{"id": "b", "txt": "A"}\n{"text": "A"}'))
    hints = [problem.hint for problem in raised.value.problems]
    assert hints[0] == "the field `txt` would be `text`"
    assert "a line number will do" in hints[1]


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("p.jsonl", "", "empty-corpus"),
        ("p.jsonl", "\ufeff\n\n", "empty-corpus"),
        ("p.tsv", "id\ttext\n", "empty-corpus"),
        ("p.csv", "id,text\n", "foreign-format"),
        ("p.json", '[{"id": 1}]', "foreign-format"),
        ("p.dat", "words", "unknown-format"),
        ("p.jsonl", b"PK\x03\x04....", "foreign-format"),
        ("p.jsonl.gz", b"\x1f\x8b\x08nonsense", "damaged-gzip"),
        ("p.jsonl", b'{"id": "a", "text": "\xff"}', "not-utf8"),
    ],
)
def test_files_that_are_no_corpus(
    tmp_path: Path, name: str, content: str | bytes, code: str
) -> None:
    assert [c for c, _, _ in mistakes(written(tmp_path, name, content))] == [code]


def test_missing_files_are_told_together(tmp_path: Path) -> None:
    written(tmp_path, "passages.jsonl", "{}")
    with pytest.raises(EvidenceError) as raised:
        read_passages([tmp_path / "pasages.jsonl", tmp_path / "no" / "x.jsonl"])
    assert [(p.code, p.hint) for p in raised.value.problems] == [
        ("missing-file", "did you mean `passages.jsonl`?"),
        ("missing-file", ""),
    ]
    with pytest.raises(EvidenceError, match="no-files"):
        read_passages([])


def test_a_bomb_is_stopped(tmp_path: Path) -> None:
    line = json.dumps({"id": "a", "text": "A"}) + "\n"
    path = written(tmp_path, "bomb.jsonl", gzip.compress(line.encode() + b"\n" * 3_000_000))
    with pytest.raises(LimitReached, match="unpacked size exceeds 1 MB"):
        read_passages(path, CorpusOptions(max_unpacked=10**6))
    assert len(read_passages(path, CorpusOptions(max_unpacked=4 * 10**6)).passages) == 1
    text = written(tmp_path, "bomb.txt.gz", gzip.compress(b"x" * 3_000_000))
    assert mistakes(text, max_passage=1000) == [("long-passage", 0, 0)]


def test_a_passage_of_ten_megabytes_is_told(tmp_path: Path) -> None:
    path = written(tmp_path, "p.jsonl", json.dumps({"id": "a", "text": "x " * 5_000_000}))
    assert mistakes(path) == [("long-passage", 1, 0)]


lines_ = st.lists(
    st.text(st.characters(codec="utf-8", exclude_characters="\0\r\n"), max_size=30)
    | st.recursive(
        st.none() | st.booleans() | st.integers() | st.text("ab", max_size=3),
        lambda inner: (
            st.lists(inner, max_size=2)
            | st.dictionaries(st.sampled_from(["id", "text", "idx", "title"]), inner, max_size=4)
        ),
        max_leaves=5,
    ).map(json.dumps),
    max_size=6,
)


@given(lines_)
def test_whatever_is_in_a_file_is_a_passage_or_a_problem(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("fuzz")
    path = written(folder, "p.jsonl", "\n".join(['{"id": "first", "text": "A"}', *lines]))
    found = read_passages(path, CorpusOptions(on_error="skip"))
    filled = sum(1 for line in lines if line.strip())
    assert len({p.id for p in found.passages}) == len(found.passages)
    assert all(p.id.strip() and p.text.strip() for p in found.passages)
    assert found.rejected_count >= filled + 1 - len(found.passages)
