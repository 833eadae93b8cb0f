"""How good a judge is: its labels against people's, on pairs of a passage and a claim."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from kgverify import strict_json
from kgverify.errors import EvidenceError, KgverifyError, Problem, Span
from kgverify.evidence.claims import Claims
from kgverify.evidence.judging import LABELS, Claim, Failure, Judge, Judgement, Label
from kgverify.evidence.passages import Passage

BINS = 10
_MOST_PROBLEMS = 100
_BATCH = 256  # pairs that a judge is given at once


class Pair(msgspec.Struct, frozen=True):
    """A passage and a claim with the label that people gave; `kind` says what is hard about it."""

    id: str
    domain: str
    passage: Passage
    claim: Claim
    label: Label
    kind: str = ""
    is_hard: bool = False


# ------------------------------------------------------------------ reading


class _PassageLine(msgspec.Struct, forbid_unknown_fields=True):
    id: str
    text: str
    title: str = ""
    source: str = ""
    date: str = ""
    heading: str = ""


class _ValueLine(msgspec.Struct, forbid_unknown_fields=True):
    value: str | int | float
    datatype: str = ""
    unit: str = ""
    comparison: str = "="


class _ClaimLine(msgspec.Struct, forbid_unknown_fields=True):
    subject: str
    relation: str
    object: str | _ValueLine
    at: str | int = ""


class _Line(msgspec.Struct, forbid_unknown_fields=True):
    id: str
    passage: _PassageLine
    claim: _ClaimLine
    label: str
    domain: str = ""
    hypothesis: str = ""
    kind: str = ""
    hard: bool = False


def read_pairs(path: str | Path, claims: Claims | Mapping[str, Claims]) -> list[Pair]:
    """The pairs of a file, one JSON object a line; the words of each relation by `claims`, or by
    those for the pair's domain.

    Raises EvidenceError with every mistake of the file."""
    name = str(path)
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except OSError as error:
        message = f"can't read the pairs: {error.strerror or error}"
        raise EvidenceError(Problem("missing-file", message, Span(name))) from error
    except UnicodeDecodeError as error:
        message = f"the file is no UTF-8: {error}"
        raise EvidenceError(Problem("bad-encoding", message, Span(name))) from error
    pairs: list[Pair] = []
    problems: list[Problem] = []
    seen: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        span = Span(name, number)
        try:
            read = msgspec.convert(strict_json.loads(line), type=_Line)
        except (strict_json.NotJson, msgspec.ValidationError) as error:
            problems.append(Problem("malformed-pair", f"no pair: {error}", span))
            continue
        if read.id in seen:
            message = f"the id `{read.id}` is that of line {seen[read.id]}"
            problems.append(Problem("duplicate-id", message, span))
        seen.setdefault(read.id, number)
        found = _pair(read, span, claims)
        if isinstance(found, Pair):
            pairs.append(found)
        else:
            problems += found
    if not pairs and not problems:
        problems.append(Problem("no-pairs", "the file has no pairs", Span(name)))
    if problems:
        more = len(problems) - _MOST_PROBLEMS
        if more > 0:
            message = f"and {more:,} more mistakes"
            problems[_MOST_PROBLEMS:] = [Problem("malformed-pair", message, Span(name))]
        raise EvidenceError(problems)
    return pairs


def _pair(read: _Line, span: Span, claims: Claims | Mapping[str, Claims]) -> Pair | list[Problem]:
    problems: list[Problem] = []
    label = next((known for known in LABELS if known == read.label), None)
    if label is None:
        message = f"`{read.label}` is no label"
        problems.append(Problem("unknown-label", message, span, f"one of {', '.join(LABELS)}"))
    if not read.passage.text.strip():
        problems.append(Problem("empty-passage", "the passage has no text", span))
    if isinstance(claims, Mapping):
        if read.domain not in claims:
            message = f"no rule file is given for the domain `{read.domain}`"
            hint = f"there are {', '.join(f'`{name}`' for name in claims)}"
            return [*problems, Problem("unknown-domain", message, span, hint)]
        claims = claims[read.domain]
    claim = None
    try:
        claim = _claim(read.claim, claims)
    except KgverifyError as error:
        problems += [_placed(problem, span) for problem in error.problems]
    if problems or label is None or claim is None:
        return problems
    if read.hypothesis:
        claim = msgspec.structs.replace(claim, hypothesis=read.hypothesis)
    claim = msgspec.structs.replace(claim, at=str(read.claim.at))
    own = read.passage
    passage = Passage(own.id, own.text, own.title, own.source, own.date, own.heading)
    return Pair(read.id, read.domain, passage, claim, label, read.kind, read.hard)


def _placed(problem: Problem, span: Span) -> Problem:
    """A problem at the place of its line."""
    return Problem(problem.code, problem.message, span, problem.hint, subject=problem.subject)


def _claim(line: _ClaimLine, claims: Claims) -> Claim:
    if isinstance(line.object, str):
        return claims.of(line.subject, line.relation, line.object)
    given = line.object
    value = claims.value(line.relation, str(given.value), given.unit, given.comparison)
    return claims.of(line.subject, line.relation, value)


# ------------------------------------------------------------------ measuring


class Bin(msgspec.Struct, frozen=True):
    """The answers with a score from `low` up to `high`: how many, their mean score, and the share
    of right labels."""

    low: float
    high: float
    count: int
    score: float
    accuracy: float


class Measured(msgspec.Struct, frozen=True):
    """How a judge's labels agree with people's, over the pairs that it gave one for.

    `confusion` counts pairs by people's label and the judge's.  Rates over nothing are None; so is
    the F1 of a label that neither people nor the judge gave, and `macro_f1` is the mean of the
    others."""

    count: int
    failures: int
    accuracy: float | None
    macro_f1: float | None
    f1: dict[str, float | None]
    confusion: dict[str, dict[str, int]]


class Calibration(msgspec.Struct, frozen=True):
    """What was measured of one judge: over all pairs, by kind and by domain, and over hard pairs.

    `error` is the expected calibration error: how far scores lie from accuracies, on average
    (Guo et al., 2017)."""

    judge: str
    all: Measured
    bins: tuple[Bin, ...]
    error: float | None
    by_kind: dict[str, Measured]
    by_domain: dict[str, Measured]
    hard: Measured
    answers: tuple[tuple[Pair, Judgement | Failure], ...]

    def to_dict(self) -> dict[str, Any]:
        """The measures for JSON, with each answer in short."""
        return {
            "judge": self.judge,
            **msgspec.to_builtins(self.all),
            "calibration_error": self.error,
            "bins": msgspec.to_builtins(self.bins),
            "hard": msgspec.to_builtins(self.hard),
            "by_kind": msgspec.to_builtins(self.by_kind),
            "by_domain": msgspec.to_builtins(self.by_domain),
            "answers": [_answer(pair, answer) for pair, answer in self.answers],
        }


def _answer(pair: Pair, answer: Judgement | Failure) -> dict[str, Any]:
    found: dict[str, Any] = {"id": pair.id, "label": pair.label}
    if isinstance(answer, Failure):
        return {**found, "error": answer.problem.message, "code": answer.problem.code}
    quote = answer.extent.of(pair.passage.text) if answer.extent else None
    return {
        **found,
        "judged": answer.label,
        "score": answer.score,
        "reason": answer.reason,
        "quote": quote,
    }


def calibrate(judge: Judge, pairs: Sequence[Pair]) -> Calibration:
    """A judge's answers to some pairs, and how they agree with people's."""
    answers: list[tuple[Pair, Judgement | Failure]] = []
    for start in range(0, len(pairs), _BATCH):
        part = pairs[start : start + _BATCH]
        found = judge.judge([(pair.passage, pair.claim) for pair in part])
        answers += zip(part, found, strict=True)
    bins = tuple(_bins(answers))
    total = sum(one.count for one in bins)
    error = (
        sum(one.count * abs(one.accuracy - one.score) for one in bins) / total if total else None
    )

    def measured(by: str) -> dict[str, Measured]:
        names = sorted({getattr(pair, by) for pair in pairs})
        return {
            name: measure([(p, a) for p, a in answers if getattr(p, by) == name]) for name in names
        }

    return Calibration(
        judge.name,
        measure(answers),
        bins,
        error,
        measured("kind"),
        measured("domain"),
        measure([(pair, answer) for pair, answer in answers if pair.is_hard]),
        tuple(answers),
    )


def measure(answers: Sequence[tuple[Pair, Judgement | Failure]]) -> Measured:
    """The rates of some answers; those that are failures are counted beside them."""
    labels = [(p.label, a.label) for p, a in answers if isinstance(a, Judgement)]
    counts = Counter(labels)
    f1: dict[str, float | None] = {}
    for label in LABELS:
        right = counts[label, label]
        wrong = sum(n for (gold, own), n in counts.items() if (gold == label) != (own == label))
        f1[label] = 2 * right / (2 * right + wrong) if right or wrong else None
    known = [one for one in f1.values() if one is not None]
    right = sum(n for (gold, own), n in counts.items() if gold == own)
    return Measured(
        len(labels),
        len(answers) - len(labels),
        right / len(labels) if labels else None,
        sum(known) / len(known) if known else None,
        f1,
        {gold: {own: counts[gold, own] for own in LABELS} for gold in LABELS},
    )


def _bins(answers: Sequence[tuple[Pair, Judgement | Failure]]) -> Iterator[Bin]:
    members: dict[int, list[tuple[float, bool]]] = {}
    for pair, answer in answers:
        if isinstance(answer, Judgement):
            place = min(int(answer.score * BINS), BINS - 1)
            members.setdefault(place, []).append((answer.score, answer.label == pair.label))
    for place, own in sorted(members.items()):
        yield Bin(
            place / BINS,
            (place + 1) / BINS,
            len(own),
            sum(score for score, _ in own) / len(own),
            sum(is_right for _, is_right in own) / len(own),
        )
