"""The question files of GoG: CWQ and WebQSP, with the triples that were deleted for each question.

A file is a JSON list, gzipped or not.  `data_with_ct_0.4.json` has the deleted ("crucial") triples
of 40 %; other files have questions alone.  A record has one of two shapes:

- CWQ: `ID`, `question`, `sparql`, `topic_entity`, `answer` (a name or a list), perhaps
  `compositionality_type` and `aliases`;
- WebQSP: `QuestionId`, `RawQuestion`, `topic_entity` and `Parses`, each with its `Sparql` and
  `Answers`; where `answer` is given too, it says the same.

Deleted triples come twice, in one order: `mid_crucial_triples` with ids, `crucial_triples` with
names.  A node without a name has its id there as well.  Other fields are of no concern.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from kgverify.errors import GraphError, Problem, Span, nearest
from kgverify.experiments.gog.patterns import NotRead, Pattern, patterns
from kgverify.experiments.scoring.gold import GoldQuestion, gold_of, repeated
from kgverify.experiments.scoring.lines import Record, records

CWQ, WEBQSP = "cwq", "webqsp"
_LEVEL = re.compile(r"data_with_ct_(\d+(?:\.\d+)?)\.json(?:\.gz)?$")
_ENTITY = re.compile(r"[mg]\.\w+")
_RELATION = re.compile(r"\w+(?:\.\w+){2,}")
_SHAPES = ((CWQ, "ID"), (WEBQSP, "QuestionId"))
_ANSWER = ("AnswerArgument", "AnswerType", "EntityName")
_IDS, _NAMES = "mid_crucial_triples", "crucial_triples"

Fault = Callable[[str, str, str], None]


class Triple(NamedTuple):
    """A deleted triple as it is listed: ids of entities, the relation with points between."""

    subject: str
    relation: str
    object: str


@dataclass(frozen=True, slots=True)
class GogQuestion:
    """A question: its gold answers (`gold` has id, text, answers, aliases and the kind of
    question), the ids of the answers where the file has them, topics by id, the triple patterns of
    each of its queries, and what was deleted, each triple once.  `names` are those of the deleted
    triples' ends; a node without a name has its id."""

    gold: GoldQuestion
    answer_ids: tuple[str, ...]
    topics: Mapping[str, str]
    queries: tuple[str, ...]
    patterns: tuple[tuple[Pattern, ...], ...]
    deleted: tuple[Triple, ...] = ()
    names: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def is_unnamed(self, entity: str) -> bool:
        """Is this end of a deleted triple a node without a name, a mediator?"""
        return self.names[entity] == entity


@dataclass(frozen=True, slots=True)
class GogFile:
    """A file; `level` is the share that was deleted, as its name has it, None where it has none."""

    path: Path
    dataset: str
    level: str | None
    questions: tuple[GogQuestion, ...]

    @property
    def by_id(self) -> dict[str, GogQuestion]:
        return {question.gold.id: question for question in self.questions}


def read_folder(folder: Path) -> list[GogFile]:
    """All files of a folder, those of one data set by level.  Raises GraphError with everything
    that is wrong with any of them."""
    paths = sorted(p for p in folder.glob("*") if p.name.endswith((".json", ".json.gz")))
    if not paths:
        there = folder.is_dir()
        message = "there is no .json or .json.gz in it" if there else "there is no such folder"
        hint = "name the folder with GoG's question files"
        raise GraphError(Problem("no-questions", message, Span(str(folder)), hint))
    files, problems = [], []
    for path in paths:
        found, wrong = _read(path)
        problems += wrong
        if found is not None:
            files.append(found)
    if not problems:
        problems = _other_questions(files)
    if problems:
        raise GraphError(problems)
    return sorted(files, key=lambda f: (f.dataset, float(f.level or 0), f.path.name))


def read_file(path: Path) -> GogFile:
    """One file.  Raises GraphError with everything that is wrong with it."""
    found, problems = _read(path)
    if found is None:
        raise GraphError(problems)
    return found


def _read(path: Path) -> tuple[GogFile | None, list[Problem]]:
    named = _LEVEL.search(path.name)
    level = named[1] if named else None
    found, problems = records(path)
    if level is not None and float(level) > 1:
        message = f"a share of {level} can't be deleted"
        problems.append(Problem("level", message, Span(str(path)), "it is from 0 to 1"))
    questions: list[GogQuestion] = []
    shapes: set[str] = set()
    names: dict[str, str] = {}
    for record in found:
        question, shape, wrong = _question(record, level is not None)
        problems += wrong
        shapes.add(shape)
        if question is not None:
            questions.append(question)
            problems += _renamed(question, names, record)
    problems += repeated((q.gold.id, q.gold.span) for q in questions)
    if not found and not problems:
        problems.append(Problem("no-questions", "there is no question in it", Span(str(path))))
    if len(shapes) > 1 and "" not in shapes:
        message = "has records of CWQ and of WebQSP"
        problems.append(Problem("mixed-shapes", message, Span(str(path)), "keep them apart"))
    if problems:
        return None, problems
    return GogFile(path, shapes.pop(), level, tuple(questions)), []


def _question(record: Record, deleted: bool) -> tuple[GogQuestion | None, str, list[Problem]]:
    """A question, the shape of its record ("" for none), and what is wrong."""
    shapes = [shape for shape, id_ in _SHAPES if id_ in record.fields]
    if len(shapes) != 1:
        both = "both of CWQ (`ID`) and" if shapes else "neither of CWQ (`ID`) nor"
        message = f"the record is {both} of WebQSP (`QuestionId`)"
        near = nearest("ID", record.fields) or nearest("QuestionId", record.fields)
        hint = f"rename `{near}`" if near and not shapes else "keep one of the two"
        return None, "", [record.problem("question-shape", message, hint)]
    problems: list[Problem] = []

    def fault(where: str, message: str, hint: str = "") -> None:
        problems.append(record.problem("question-record", f"{message} @ $.{where}", hint))

    (shape,) = shapes
    if shape == CWQ:
        answers, queries = record.fields.get("answer"), [record.fields.get("sparql")]
        ids: tuple[str, ...] = ()
        asked = {"type": record.fields.get("compositionality_type", "")}
        places = ["sparql"]
    else:
        answers, ids, queries = _parses(record, fault)
        asked, places = {}, [f"Parses[{place}].Sparql" for place in range(len(queries))]
    gold, wrong = gold_of([replace(record, fields=record.fields | asked | {"answer": answers})])
    problems += wrong
    topics = _topics(record.fields.get("topic_entity"), fault)
    read = tuple(
        _patterns(query, place, fault) for query, place in zip(queries, places, strict=True)
    )
    triples, names = _deleted(record, deleted, fault)
    if problems:
        return None, shape, problems
    texts = tuple(map(str, queries))
    found = GogQuestion(gold[0], ids, topics, texts, read, triples, MappingProxyType(names))
    return found, shape, []


def _parses(record: Record, fault: Fault) -> tuple[Any, tuple[str, ...], list[Any]]:
    """The names and ids of WebQSP's answers, and its queries."""
    parses = record.fields.get("Parses")
    if not isinstance(parses, list) or not parses or not all(isinstance(p, dict) for p in parses):
        fault("Parses", "expected a list of objects, one at least", "")
        return [], (), []
    answers: dict[str, str] = {}
    for place, parse in enumerate(parses):
        listed = parse.get("Answers")
        for number, answer in enumerate(listed if isinstance(listed, list) else [None]):
            where = f"Parses[{place}].Answers[{number}]"
            given = answer if isinstance(answer, dict) else {}
            id_, kind, name = (given.get(key) for key in _ANSWER)
            is_named = isinstance(name, str) or (name is None and kind == "Value")
            if not isinstance(id_, str) or kind not in ("Entity", "Value") or not is_named:
                fault(where, f"expected an answer: {', '.join(_ANSWER)}", "")
            else:
                answers[id_] = name or id_
    names = list(dict.fromkeys(answers.values()))
    said = record.fields.get("answer", names)
    if not isinstance(said, list) or not all(isinstance(name, str) for name in said):
        fault("answer", "expected a list of names", "")
    elif set(said) != set(names):
        fault("answer", "these are not the answers of its `Parses`", "keep one of the two")
    return names, tuple(answers), [parse.get("Sparql") for parse in parses]


def _topics(value: Any, fault: Fault) -> Mapping[str, str]:
    pairs = value.items() if isinstance(value, dict) else ()
    if not isinstance(value, dict) or not all(
        _ENTITY.fullmatch(id_) and isinstance(name, str) and name for id_, name in pairs
    ):
        fault("topic_entity", "expected names by id", '{"m.03_dwn": "Lou Seal"}')
        return {}
    return MappingProxyType(dict(value))


def _patterns(query: Any, place: str, fault: Fault) -> tuple[Pattern, ...]:
    if not isinstance(query, str):
        fault(place, "expected a query", "")
        return ()
    try:
        return patterns(query)
    except NotRead as error:
        fault(place, f"the query can't be read: {error}", "")
        return ()


def _deleted(
    record: Record, needed: bool, fault: Fault
) -> tuple[tuple[Triple, ...], dict[str, str]]:
    """What was deleted, and the names of the ends."""
    given = [key for key in (_IDS, _NAMES) if key in record.fields]
    if len(given) == 1 or (needed and not given):
        (missing, *_) = [key for key in (_IDS, _NAMES) if key not in given]
        fault(missing, "there are no deleted triples", "an empty list where there are none")
    by_id, by_name = record.fields.get(_IDS, []), record.fields.get(_NAMES, [])
    if not isinstance(by_id, list) or not isinstance(by_name, list) or len(by_id) != len(by_name):
        fault(_IDS, f"expected a list, as long as `{_NAMES}`", "")
        return (), {}
    triples: dict[Triple, None] = {}
    names: dict[str, str] = {}
    for place, (ids, called) in enumerate(zip(by_id, by_name, strict=True)):
        where = f"{_IDS}[{place}]"
        if not (_is_triple(ids) and _is_triple(called)):
            fault(where, "expected three texts, by ids and by names", "")
            continue
        triple = Triple(*ids)
        ends = ((triple.subject, called[0]), (triple.object, called[2]))
        if not _RELATION.fullmatch(triple.relation) or triple.relation != called[1]:
            fault(where, f"expected a relation, the same in `{_NAMES}`", "location.country.capital")
        for id_, name in ends:
            if not _ENTITY.fullmatch(id_):
                fault(where, f"`{id_}` is no id of an entity", "m.03_dwn")
            elif names.setdefault(id_, name) != name:
                fault(where, f"`{id_}` is named `{names[id_]}` and `{name}`", "")
        triples[triple] = None
    return tuple(triples), names


def _is_triple(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 3
        and all(isinstance(part, str) and part for part in value)
    )


def _renamed(question: GogQuestion, names: dict[str, str], record: Record) -> list[Problem]:
    """Ends of triples that another question of the file gives another name."""
    return [
        record.problem("two-names", f"`{id_}` is named `{names[id_]}` and `{name}`", "keep one")
        for id_, name in question.names.items()
        if names.setdefault(id_, name) != name
    ]


def _other_questions(files: Iterable[GogFile]) -> list[Problem]:
    """Levels of one data set are of the same questions, asked in the same words."""
    problems = []
    first: dict[str, GogFile] = {}
    levels: dict[tuple[str, str], GogFile] = {}
    for file in files:
        if file.level is None:
            continue
        twin = levels.setdefault((file.dataset, file.level), file)
        if twin is not file:
            message = f"has the level of {twin.path.name}"
            problems.append(Problem("repeated-level", message, Span(str(file.path)), "keep one"))
        known = first.setdefault(file.dataset, file).by_id
        own = file.by_id
        others = sorted(known.keys() ^ own.keys()) + [
            id_
            for id_ in sorted(known.keys() & own.keys())
            if (known[id_].gold.text, known[id_].queries) != (own[id_].gold.text, own[id_].queries)
        ]
        if others:
            with_ = first[file.dataset].path.name
            message = f"does not ask the questions of {with_}: {len(others)}, such as `{others[0]}`"
            hint = "levels of one data set have the same questions"
            problems.append(Problem("other-questions", message, Span(str(file.path)), hint))
    return problems
