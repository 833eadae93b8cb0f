"""Checks the folder of a benchmark from its files alone.

Nothing of what built it is used, and of others only when two names are one, and when a text has a
name.  The graphs are sets of lines, a rule is matched with its groundings atom by atom, and every
claim is looked up.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from kgverify.errors import GraphError, KgverifyError, Problem, Span, missing_file
from kgverify.experiments.incomplete.mentions import named_beside
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
    rule_lines = _lines(folder / "rules.jsonl")
    removed = _lines(folder / "removed.jsonl")
    parts = {part: _lines(folder / f"{part}.jsonl") for part in PARTS}
    results = _json(folder / "results.json")
    try:
        rules = {line["rule"]: line for _, line in rule_lines}
        tau = Fraction(str(results["record"]["options"]["tau"]))
        gone = {tuple(line["triple"]) for _, line in removed}
        found = (
            *_graphs(folder, complete, incomplete, gone),
            *_named(folder / "entities.tsv", entities, complete),
            *_inferable(folder / "removed.jsonl", removed, rules, incomplete, gone),
            *_selected(folder / "rules.jsonl", removed, rules),
            *_questions(folder, parts, complete, gone),
            *_inferred(folder, parts, removed, rules),
            *_apart(folder, parts),
            *_sizes(folder, parts),
            *_balanced(folder, parts, int(tau * len(gone))),
            *_numbers(
                folder / "results.json",
                results["statistics"],
                _counted(len(complete), len(incomplete), tau, removed, rules, parts),
            ),
        )
        groundings = sum(len(line["groundings"]) for _, line in removed)
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        message = f"a line of the benchmark is not as it is written: {error!r}"
        raise KgverifyError(Problem("benchmark-line", message, Span(str(folder)))) from error
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
    """Every removed triple is there once and has a grounding; each is one of its rule, and its body
    is left."""
    met: set[Any] = set()
    for number, line in removed:
        span, triple = Span(str(path), number), tuple(line["triple"])
        if triple in met:
            yield Problem("repeated-triple", f"{_shown(triple)} is removed twice", span)
        met.add(triple)
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
            if (stands.setdefault(term, name) if _is_variable(term) else _constant(term)) != name:
                return False
    return all(
        stands.get(a, _constant(a)) != stands.get(b, _constant(b)) for a, b in rule["different"]
    )


def _is_variable(term: str) -> bool:
    return term.startswith("?") and term[1:].isdecimal()


def _constant(term: str) -> str:
    """The name that a rule's constant is; one with a question mark first is written with two."""
    return term[1:] if term.startswith("??") else term


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
            if _triple(q) not in gone:
                message = f"the triple of the hard answer of {q['id']} is not removed"
                yield Problem("hard-not-removed", message, span)


def _triple(q: Mapping[str, Any]) -> Triple:
    """The triple that a question lost."""
    ends = (q["topic"], q["hard"]) if q["asks"] == "object" else (q["hard"], q["topic"])
    return ends[0], q["relation"], ends[1]


def _inferred(
    folder: Path,
    parts: Mapping[str, Sequence[Line]],
    removed: Sequence[Line],
    rules: Mapping[int, Mapping[str, Any]],
) -> Iterator[Problem]:
    """A removed triple is asked once, by words that don't name an answer, and what is said of the
    rule is true of one that infers it."""
    by_head: dict[Any, set[int]] = defaultdict(set)
    for _, line in removed:
        by_head[tuple(line["triple"])] |= {g["rule"] for g in line["groundings"]}
    asked: dict[Triple, str] = {}
    for part, lines in parts.items():
        for number, q in lines:
            span = Span(str(folder / f"{part}.jsonl"), number)
            first = asked.setdefault(_triple(q), q["id"])
            if first != q["id"]:
                message = f"the triple of {q['id']} is that of {first} too"
                yield Problem("repeated-triple", message, span)
            rule = rules.get(q["rule"])
            if rule is None or q["rule"] not in by_head[_triple(q)]:
                message = f"rule {q['rule']} does not infer the hard answer of {q['id']}"
                yield Problem("wrong-rule", message, span)
            elif (q["rule_type"], q["motif"]) != (rule["type"], rule["motif"]):
                message = f"type and motif of {q['id']} are not those of rule {q['rule']}"
                yield Problem("wrong-rule", message, span)
            others = [answer for answer in q["answers"] if answer != q["topic"]]
            if named_beside(others, q["topic"], q["question"]):
                message = f"the words of {q['id']} name one of its answers"
                yield Problem("answer-in-text", message, span)


def _sizes(folder: Path, parts: Mapping[str, Sequence[Line]]) -> Iterator[Problem]:
    """Valid and test have a tenth each, and more only as far as what asks the same stays together.
    They have less only where nothing is left for train."""
    share = (sum(map(len, parts.values())) + 5) // 10
    for part, others in (("test", ("train", "valid")), ("valid", ("train",))):
        size = len(parts[part])
        same = Counter((q["topic"], q["relation"], q["asks"]) for _, q in parts[part])
        is_short = size < share and any(parts[other] for other in others)
        if is_short or size >= share + max(same.values(), default=1):
            message = f"has {size:,} questions, where its share is {share:,}"
            yield Problem("wrong-share", message, Span(str(folder / f"{part}.jsonl")))


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


def _counted(
    complete: int,
    incomplete: int,
    tau: Fraction,
    removed: Sequence[Line],
    rules: Mapping[int, Mapping[str, Any]],
    parts: Mapping[str, Sequence[Line]],
) -> dict[str, Any]:
    """The statistics, counted anew."""
    kept = [q for lines in parts.values() for _, q in lines]
    selected = [g["rule"] for _, line in removed for g in line["groundings"]]
    answers = sum(len(q["answers"]) for q in kept)
    return {
        "rules": Counter(rule["type"] for rule in rules.values()),
        "triples": {"complete": complete, "incomplete": incomplete},
        "removed": len(removed),
        "groundings": {
            "drawn": sum(rule["drawn"] for rule in rules.values()),
            "selected": len(selected),
            "rules_without": len(rules) - len(set(selected)),
        },
        "questions": {
            "asked": len(removed),
            "most_of_one_answer": int(tau * len(removed)),
            "kept": len(kept),
            **{part: len(lines) for part, lines in parts.items()},
            "by_type": Counter(q["rule_type"] for q in kept),
            "by_side": Counter(q["asks"] for q in kept),
            "different": len({(q["topic"], q["relation"], q["asks"]) for q in kept}),
            "most_frequent_answer": max(Counter(q["hard"] for q in kept).values(), default=0),
            "mean_answers": round(answers / len(kept), 6) if kept else None,
            "only_answer_removed": sum(len(q["answers"]) == 1 for q in kept),
        },
    }


def _numbers(
    path: Path, stated: Mapping[str, Any], counted: Mapping[str, Any], within: str = ""
) -> Iterator[Problem]:
    """What is stated is what was counted; what was not counted is stated as none."""
    for key in sorted({*stated, *counted}):
        one, other = stated.get(key, 0), counted.get(key, 0)
        if isinstance(one, dict) and isinstance(other, dict):
            yield from _numbers(path, one, other, f"{within}{key}.")
        elif one != other:
            message = f"{within}{key} is {other}, not {one}"
            yield Problem("wrong-statistics", message, Span(str(path)))


def _shown(triple: Sequence[str]) -> str:
    return f"({', '.join(triple)})"


# ---------------------------------------------------------------- files


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except FileNotFoundError as error:
        raise GraphError(missing_file(path)) from error
    except (OSError, UnicodeDecodeError) as error:
        message = f"can't be read: {error}"
        raise GraphError(Problem("unreadable-file", message, Span(str(path)))) from error


def _numbered(path: Path) -> list[tuple[int, str]]:
    """The lines.  Nothing but a line feed ends one: a name may have U+2028 or U+0085 in it."""
    lines = _text(path).split("\n")
    return list(enumerate(lines if lines[-1] else lines[:-1], 1))


def _triples(path: Path) -> list[Triple]:
    found = []
    for number, line in _numbered(path):
        parts = line.split("\t")
        if len(parts) != 3:
            message = "expected subject, relation and object with tabs between them"
            raise GraphError(Problem("wrong-columns", message, Span(str(path), number)))
        found.append((parts[0], parts[1], parts[2]))
    return found


def _lines(path: Path) -> list[Line]:
    try:
        return [(number, json.loads(line)) for number, line in _numbered(path)]
    except (ValueError, RecursionError) as error:
        raise KgverifyError(Problem("malformed-json", str(error), Span(str(path)))) from error


def _json(path: Path) -> Any:
    try:
        return json.loads(_text(path))
    except (ValueError, RecursionError) as error:
        raise KgverifyError(Problem("malformed-json", str(error), Span(str(path)))) from error
