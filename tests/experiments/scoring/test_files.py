"""What is read of prediction files and of gold, and what is refused."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from kgverify.errors import KgverifyError
from kgverify.experiments.scoring.gold import read_gold
from kgverify.experiments.scoring.matching import Known
from kgverify.experiments.scoring.predictions import read_predictions
from kgverify.experiments.scoring.scoring import score_files

NOBODY = Known.of(())


def lines(path: Path, *values: Any) -> Path:
    text = "".join(v if isinstance(v, str) else json.dumps(v) + "\n" for v in values)
    path.write_text(text, encoding="utf-8")
    return path


def answers(path: Path, **options: str) -> list[tuple[str, ...]]:
    found, problems = read_predictions(path, NOBODY, **options)
    assert problems == []
    return [tuple(name.strip() for name in p.answers) for p in found]


def codes(gold: Path, *files: Path) -> list[tuple[str, int]]:
    with pytest.raises(KgverifyError) as caught:
        score_files(files, gold)
    return [(p.code, p.span.line if p.span else 0) for p in caught.value.problems]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ({"id": "q", "prediction": ["Rome", "Oslo, Norway"]}, ("Rome", "Oslo, Norway")),
        ({"id": "q", "prediction": "Rome\nOslo", "ground_truth": ["Rome"]}, ("Rome", "Oslo")),
        ({"id": "q", "prediction": None}, ()),
        ({"id": "q", "prediction": ""}, ()),
        ({"ID": "q", "answer": ["Rome"], "prediction": "Rome, Oslo"}, ("Rome", "Oslo")),
        ({"qid": 7, "pred": [205, 138]}, ("205", "138")),
        ({"qid": 7, "pred": 5}, ("5",)),
        ({"qid": 7, "pred": -(10**30)}, (f"-{10**30}",)),
        ({"question": "where?", "results": "{Yes}. It is {Rome}, {Oslo}"}, ("Rome", "Oslo")),
        ({"question": "where?", "results": "{No}"}, ("No",)),
        ({"question": "where?", "results": "Rome"}, ("Rome",)),
        (
            {"question": "where?", "cand": [["Rome", 0.9], ["Oslo", 0.1]], "hit": 1},
            ("Rome", "Oslo"),
        ),
    ],
)
def test_lines_of_several_systems(tmp_path: Path, line: dict, expected: tuple) -> None:
    assert answers(lines(tmp_path / "p.jsonl", line)) == [expected]


def test_a_list_of_objects_a_packed_file_and_a_mark_are_read(tmp_path: Path) -> None:
    value = [{"id": "p", "prediction": []}, {"id": "q", "prediction": ["Rome"]}]
    (tmp_path / "list.json").write_text("\ufeff" + json.dumps(value, indent=1), "utf-8")
    with gzip.open(tmp_path / "packed.jsonl.gz", "wt", encoding="utf-8") as packed:
        packed.write('{"id": "q", "prediction": ["Rome"]}\r\n\r\n')
    assert answers(tmp_path / "list.json") == [(), ("Rome",)]
    assert answers(tmp_path / "packed.jsonl.gz") == [("Rome",)]


def test_the_field_with_the_answers_can_be_named(tmp_path: Path) -> None:
    path = lines(tmp_path / "p.jsonl", {"id": "q", "prediction": "Rome", "results": "{Oslo}"})
    assert [p.code for p in read_predictions(path, NOBODY)[1]] == ["several-predictions"]
    assert answers(path, answers_in="results") == [("Oslo",)]
    other = lines(tmp_path / "o.jsonl", {"id": "q", "mine": ["Rome"]})
    assert answers(other, answers_in="mine") == [("Rome",)]


def test_questions_are_found_by_their_text(tmp_path: Path) -> None:
    gold = lines(
        tmp_path / "g.jsonl",
        {"id": "1", "question": "Where  is it?", "answers": ["Rome"]},
        {"id": "2", "question": "Who is it?", "answers": ["Eva"]},
    )
    file = lines(tmp_path / "p.jsonl", {"question": "Where is it?", "results": "{Rome}"})
    (found,) = score_files([file], gold)
    assert [o.hit for o in found.outcomes] == [True, False]
    assert found.missing == ("2",)


def test_without_gold_the_file_has_it(tmp_path: Path) -> None:
    file = lines(
        tmp_path / "p.jsonl",
        {"id": "1", "prediction": "Rome", "ground_truth": ["Rome", "Oslo"]},
        {"question": "who", "cand": [["Eva", 1.0]], "answers": ["Bo"]},
    )
    (found,) = score_files([file])
    assert (found.strict.hits, found.strict.questions) == (1, 2)


def test_everything_wrong_is_told_at_once(tmp_path: Path) -> None:
    gold = lines(
        tmp_path / "g.jsonl",
        {"id": "1", "answers": ["Rome"], "hard": "Milan"},
        {"id": "2", "answer_list": ["Rome"]},
        {"id": "3", "answers": [True]},
        {"id": "4", "answers": ["Rome", "<pad>"]},
        {"id": "5", "answers": ["Rome"], "aliases": {"Oslo": ["O"]}},
        {"id": "6", "answers": ["Rome", "Oslo"], "aliases": {"Rome": ["R"], "Oslo": ["r"]}},
        {"id": "7", "answers": ["Rome"]},
        {"id": "7", "answers": ["Rome"]},
        {"answers": ["Rome"]},
        "not json\n",
        '{"id": "8", "id": "9", "answers": []}\n',
        "[1]\n",
    )
    file = lines(
        tmp_path / "p.jsonl",
        {"id": "7", "prediction": {"a": 1}},
        {"id": "7", "predicted_answer": []},
        {"prediction": []},
        {"id": "8", "prediction": float("inf")},
        {"id": "9", "cand": [[["x"], 1]]},
    )
    assert codes(gold, file) == [
        ("malformed-json", 10),
        ("malformed-json", 11),
        ("not-an-object", 12),
        ("hard-not-gold", 1),
        ("gold-line", 2),
        ("gold-line", 3),
        ("empty-answer", 4),
        ("alias-of-nothing", 5),
        ("ambiguous-alias", 6),
        ("gold-line", 9),
        ("repeated-id", 8),
        ("malformed-json", 4),
        ("prediction-line", 1),
        ("prediction-line", 2),
        ("prediction-line", 3),
        ("prediction-line", 5),
        ("repeated-id", 2),
    ]


def test_a_question_that_gold_lacks_is_told_beside_other_mistakes(tmp_path: Path) -> None:
    gold = lines(tmp_path / "g.jsonl", {"id": "1", "answers": ["Eva"]})
    file = lines(tmp_path / "p.jsonl", {"id": "9", "prediction": []}, {"id": "1"}, "no\n")
    expected = [("malformed-json", 3), ("prediction-line", 2), ("unknown-question", 1)]
    assert codes(gold, file) == expected


def test_an_id_that_is_given_twice_is_told_beside_other_mistakes(tmp_path: Path) -> None:
    gold = lines(tmp_path / "g.jsonl", {"id": "1", "answers": ["Eva"]}, {"id": "1", "answers": 0.5})
    file = lines(tmp_path / "p.jsonl", {"id": "1", "prediction": {}})
    assert ("repeated-id", 2) in codes(gold, file)


def test_unknown_and_repeated_questions_are_errors(tmp_path: Path) -> None:
    gold = lines(
        tmp_path / "g.jsonl",
        {"id": "1", "question": "who?", "answers": ["Eva"]},
        {"id": "2", "question": "where?", "answers": ["Rome"]},
        {"id": "3", "question": "where?", "answers": ["Oslo"]},
    )
    file = lines(
        tmp_path / "p.jsonl",
        {"id": "10", "prediction": []},
        {"question": "where?", "prediction": []},
        {"id": "9", "question": "who?", "prediction": []},
    )
    assert codes(gold, file) == [
        ("ambiguous-question", 2),
        ("unknown-question", 1),
        ("unknown-question", 3),
    ]
    twice = lines(
        tmp_path / "t.jsonl", {"id": "1", "prediction": []}, {"question": "who?", "prediction": []}
    )
    assert codes(gold, twice) == [("repeated-id", 2)]
    many = lines(tmp_path / "m.jsonl", *({"id": f"x{n}", "prediction": []} for n in range(12)))
    assert len(codes(gold, many)) == 11  # ten by name, and one for the others


@pytest.mark.parametrize("value", [1.5, [1.5], ["a", 1e3], {"a": 1}, True, [None]])
def test_a_number_that_is_no_whole_one_is_no_name(tmp_path: Path, value: Any) -> None:
    number = "written as a text" if "1" in str(value) and not isinstance(value, dict) else ""
    file = lines(tmp_path / "p.jsonl", {"id": "q", "prediction": value})
    found, problems = read_predictions(file, NOBODY)
    assert (found, [p.code for p in problems]) == ([], ["prediction-line"])
    assert number in problems[0].hint
    gold = lines(tmp_path / "g.jsonl", {"id": "q", "answers": value, "hard": value})
    none, problems = read_gold(gold)
    assert none == []
    assert {p.code for p in problems} == {"gold-line"}
    assert number in problems[0].hint


def test_a_file_that_is_none_of_predictions_is_told_once(tmp_path: Path) -> None:
    gold = lines(tmp_path / "g.jsonl", *({"id": f"{n}", "answers": ["Eva"]} for n in range(9)))
    with pytest.raises(KgverifyError) as caught:
        score_files([gold], gold)
    (problem,) = caught.value.problems
    assert problem.code == "prediction-line"
    assert problem.message == "none of the 9 lines has a prediction"
    assert "--gold" in problem.hint
    other = lines(tmp_path / "o.jsonl", {"id": "1", "prediction": []}, {"id": "2", "said": []})
    assert codes(gold, other) == [("prediction-line", 2)]
    none = lines(tmp_path / "n.jsonl", {"id": "1", "said": []}, {"id": "2", "said": []})
    (problem,) = read_predictions(none, NOBODY)[1]
    assert problem.hint == "their answers belong in `prediction`"


def test_files_that_are_not_there_or_have_nothing(tmp_path: Path) -> None:
    gold = lines(tmp_path / "g.jsonl", {"id": "1", "answers": ["Eva"]})
    (tmp_path / "bad.jsonl").write_bytes(b"\xff")
    (tmp_path / "bad.gz").write_bytes(b"no gzip")
    empty = lines(tmp_path / "empty.jsonl", "\n")
    assert codes(gold, tmp_path / "none.jsonl") == [("missing-file", 0)]
    (tmp_path / "short.jsonl.gz").write_bytes(gzip.compress(b'{"id": "1"}')[:-9])
    (tmp_path / "cut.json").write_bytes(b'[{"id": \xff}]')
    for name, told in [
        ("bad.jsonl", ("not-utf8", 1)),
        ("bad.gz", ("malformed-json", 1)),
        ("short.jsonl.gz", ("damaged-gzip", 0)),
        ("cut.json", ("not-utf8", 1)),
        (".", ("unreadable-file", 0)),
    ]:
        assert codes(gold, tmp_path / name) == [told]
    with pytest.raises(KgverifyError) as caught:
        score_files([gold], gold, names=tmp_path / "nowhere" / "names.txt")
    assert "missing-file" in {problem.code for problem in caught.value.problems}
    assert codes(empty, lines(tmp_path / "p.jsonl", {"id": "1", "prediction": []})) == [
        ("no-questions", 0)
    ]
    (found,) = score_files([empty], gold)
    assert found.missing == ("1",)


def test_known_names_keep_their_commas(tmp_path: Path) -> None:
    gold = lines(tmp_path / "g.jsonl", {"id": "1", "answers": ["Rome"]})
    file = lines(tmp_path / "p.jsonl", {"id": "1", "prediction": "Rome, Boston, Mass."})
    names = tmp_path / "names.txt"
    names.write_text("Boston, Mass.\n", encoding="utf-8")
    (plain,), (whole,) = score_files([file], gold), score_files([file], gold, names=names)
    assert (plain.outcomes[0].predicted, whole.outcomes[0].predicted) == (3, 2)
    with pytest.raises(KgverifyError, match="missing-file"):
        score_files([file], gold, names=tmp_path / "none.txt")


def test_records_of_gold_from_other_benchmarks(tmp_path: Path) -> None:
    path = tmp_path / "cwq.json"
    value = [{"ID": "a", "question": "who?", "answer": ["Eva"], "compositionality_type": "x"}]
    path.write_text(json.dumps(value), encoding="utf-8")
    (question,), problems = read_gold(path)
    assert problems == []
    assert (question.id, question.answers, question.hard) == ("a", ("Eva",), None)
