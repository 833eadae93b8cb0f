"""Checks the folder of a benchmark from its files alone.

Nothing of what built it is used, and of the scorer only when two names are one.  The graphs are
sets of lines, a rule is matched with its groundings atom by atom, and every claim is looked up.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kgverify.errors import GraphError, KgverifyError, Problem, Span
from kgverify.experiments.scoring.matching import normal_form

PARTS = ("train", "valid", "test")
_SHOWN = 20  # faults of one kind that are told

Triple = tuple[str, str, str]
Line = tuple[int, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Checked:
    """What was looked at, and what does not hold."""

    faults: tuple[Problem, ...]
    triples: int
    removed: int
    groundings: int
    questions: int


def check(folder: Path) -> Checked:
    """Raises KgverifyError when the files can't be read."""
    complete, incomplete = ({*_triples(folder / f"{n}.tsv")} for n in ("complete", "incomplete"))
    entities = _triples(folder / "entities.tsv")
    rules = {line["rule"]: line for _, line in _lines(folder / "rules.jsonl")}
    removed = _lines(folder / "removed.jsonl")
    parts = {part: _lines(folder / f"{part}.jsonl") for part in PARTS}
    statistics = json.loads(_text(folder / "results.json"))["statistics"]
    try:
        gone = {tuple(line["triple"]) for _, line in removed}
        found = (
            *_graphs(folder, complete, incomplete, gone),
            *_named(folder / "entities.tsv", entities, complete),
            *_inferable(folder / "removed.jsonl", removed, rules, incomplete, gone),
            *_selected(folder / "rules.jsonl", removed, rules),
            *_questions(folder, parts, complete, gone),
            *_apart(folder, parts),
            *_balanced(folder, parts, statistics["questions"]["most_of_one_answer"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        message = f"a line of the benchmark is not as it is written: {error!r}"
        raise KgverifyError(Problem("benchmark-line", message, Span(str(folder)))) from error
    groundings = sum(len(line["groundings"]) for _, line in removed)
    return Checked(found, len(complete), len(removed), groundings, sum(map(len, parts.values())))


def faults(checked: Checked) -> Iterator[Problem]:
    """The first faults of each kind, and how many more there are."""
    met: Counter[str] = Counter()
    for fault in checked.faults:
        met[fault.code] += 1
        if met[fault.code] <= _SHOWN:
            yield fault
    for code, number in met.items():
        if number > _SHOWN:
            yield Problem(code, f"… and {number - _SHOWN:,} more of these")


# ---------------------------------------------------------------- what must hold


def _graphs(
    folder: Path, complete: set[Triple], incomplete: set[Triple], gone: set[Any]
) -> Iterator[Problem]:
    """The incomplete graph is the complete one without what is removed."""
    place = Span(str(folder / "incomplete.tsv"))
    for triple in sorted(incomplete - complete):
        yield Problem("not-in-complete", f"{_shown(triple)} is not in the complete graph", place)
    for triple in sorted((complete - incomplete) ^ gone):
        what = "is missing, but not among the removed" if triple in complete else "is none"
        if triple in gone and triple in incomplete:
            what = "is said to be removed, but is there"
        yield Problem("not-removed", f"{_shown(triple)} {what}", place)


def _named(path: Path, entities: Sequence[Triple], complete: set[Triple]) -> Iterator[Problem]:
    """Each entity has a name that the scorer tells from all others, and the graph no other."""
    met: dict[str, tuple[int, str]] = {}
    for number, (name, _, _) in enumerate(entities, 1):
        first, other = met.setdefault(normal_form(name), (number, name))
        if first != number:
            message = f"`{name}` and `{other}` in line {first} are one name to the scorer"
            yield Problem("same-name", message, Span(str(path), number))
    names = {name for name, _, _ in entities}
    for name in sorted({end for s, _, o in complete for end in (s, o)} ^ names):
        what = "has no triple" if name in names else "is in the graph, and not among the names"
        yield Problem("unknown-name", f"`{name}` {what}", Span(str(path)))


def _inferable(
    path: Path,
    removed: Sequence[Line],
    rules: Mapping[int, Mapping[str, Any]],
    incomplete: set[Triple],
    gone: set[Any],
) -> Iterator[Problem]:
    """Every removed triple has a grounding; each is one of its rule, and its body is left."""
    for number, line in removed:
        span, triple = Span(str(path), number), tuple(line["triple"])
        if not line["groundings"]:
            yield Problem("not-inferable", f"nothing infers {_shown(triple)}", span)
        for grounding in line["groundings"]:
            body = [tuple(atom) for atom in grounding["body"]]
            for atom in body:
                if atom in gone:
                    message = f"{_shown(atom)} is in a body, and removed"
                    yield Problem("body-removed", message, span)
                elif atom not in incomplete:
                    message = f"{_shown(atom)} is in a body, and not in the incomplete graph"
                    yield Problem("body-missing", message, span)
            if not _is_instance(rules.get(grounding["rule"]), triple, body):
                message = f"a grounding of {_shown(triple)} is no instance of its rule"
                yield Problem("no-instance", message, span)


def _is_instance(
    rule: Mapping[str, Any] | None, head: Sequence[str], body: Sequence[Sequence[str]]
) -> bool:
    """Do head and body, atom by atom, match the rule's under one substitution?"""
    if rule is None or len(rule["body"]) != len(body):
        return False
    stands: dict[str, str] = {}
    for atom, triple in zip((rule["head"], *rule["body"]), (head, *body), strict=True):
        if atom[1] != triple[1]:
            return False
        for term, name in ((atom[0], triple[0]), (atom[2], triple[2])):
            if (stands.setdefault(term, name) if _is_variable(term) else term) != name:
                return False
    return all(stands.get(a, a) != stands.get(b, b) for a, b in rule["different"])


def _is_variable(term: str) -> bool:
    return term.startswith("?") and term[1:].isdecimal()


def _selected(
    path: Path, removed: Sequence[Line], rules: Mapping[int, Mapping[str, Any]]
) -> Iterator[Problem]:
    """The numbers that the rules state are those of the groundings."""
    counted = Counter(g["rule"] for _, line in removed for g in line["groundings"])
    for number, rule in rules.items():
        if counted[number] != rule["selected"] or rule["selected"] > rule["drawn"]:
            message = f"rule {number} has {counted[number]} groundings, not {rule['selected']}"
            yield Problem("wrong-number", message, Span(str(path)))


def _questions(
    folder: Path, parts: Mapping[str, Sequence[Line]], complete: set[Triple], gone: set[Any]
) -> Iterator[Problem]:
    """Answers are all that the complete graph has, and the hard one's triple is removed."""
    ends: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for subject, relation, object_ in complete:
        ends["object", relation, subject].add(object_)
        ends["subject", relation, object_].add(subject)
    for part, lines in parts.items():
        for number, q in lines:
            span = Span(str(folder / f"{part}.jsonl"), number)
            topic, hard = q["topic"], q["hard"]
            if set(q["answers"]) != ends[q["asks"], q["relation"], topic]:
                message = f"the answers of {q['id']} are not those of the complete graph"
                yield Problem("wrong-answers", message, span)
            if hard not in q["answers"]:
                message = f"the hard answer of {q['id']} is not among its answers"
                yield Problem("hard-not-gold", message, span)
            pair = (topic, hard) if q["asks"] == "object" else (hard, topic)
            if (pair[0], q["relation"], pair[1]) not in gone:
                message = f"the triple of the hard answer of {q['id']} is not removed"
                yield Problem("hard-not-removed", message, span)


def _apart(folder: Path, parts: Mapping[str, Sequence[Line]]) -> Iterator[Problem]:
    """No question is in two parts, by its id or by what it asks; and no id is there twice."""
    ids: dict[str, str] = {}
    asked: dict[tuple[str, str, str], str] = {}
    for part, lines in parts.items():
        for number, q in lines:
            span = Span(str(folder / f"{part}.jsonl"), number)
            if q["id"] in ids:
                yield Problem("repeated-id", f"{q['id']} is in {ids[q['id']]} too", span)
            ids[q["id"]] = part
            key = q["topic"], q["relation"], q["asks"]
            if asked.setdefault(key, part) != part:
                message = f"what {q['id']} asks is asked in {asked[key]} too"
                yield Problem("not-disjoint", message, span)


def _balanced(folder: Path, parts: Mapping[str, Sequence[Line]], most: int) -> Iterator[Problem]:
    """No answer is the hard one of too many questions."""
    counted = Counter(q["hard"] for lines in parts.values() for _, q in lines)
    for answer, number in sorted(counted.items()):
        if number > most:
            message = f"`{answer}` is the hard answer of {number:,} questions, more than {most:,}"
            yield Problem("too-frequent", message, Span(str(folder)))


def _shown(triple: Sequence[str]) -> str:
    return f"({', '.join(triple)})"


# ---------------------------------------------------------------- files


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        message = f"can't be read: {error}"
        raise GraphError(Problem("unreadable-file", message, Span(str(path)))) from error


def _triples(path: Path) -> list[Triple]:
    found = []
    for number, line in enumerate(_text(path).splitlines(), 1):
        parts = line.split("\t")
        if len(parts) != 3:
            message = "expected subject, relation and object with tabs between them"
            raise GraphError(Problem("wrong-columns", message, Span(str(path), number)))
        found.append((parts[0], parts[1], parts[2]))
    return found


def _lines(path: Path) -> list[Line]:
    try:
        lines = enumerate(_text(path).splitlines(), 1)
        return [(number, json.loads(line)) for number, line in lines]
    except ValueError as error:
        raise KgverifyError(Problem("malformed-json", str(error), Span(str(path)))) from error
