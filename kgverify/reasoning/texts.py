"""What passages say of the constraints that evidence leaves open.  It ranks and it shows; it
decides nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from kgverify.evidence.findings import Findings, Reader, Statement
from kgverify.evidence.judging import Judgement, Label
from kgverify.reasoning.deciding import Decisions, Request, SliceEngine, by_template
from kgverify.reasoning.plausibility import Plausibilities, plain
from kgverify.reasoning.program import TEXT, encoding
from kgverify.reasoning.solver import solve

MILLION = 10**6
_LABELS: dict[str, Label] = {
    "entailed": "ENTAILED",
    "uncertain": "UNCERTAIN",
    "not_entailed": "NOT_ENTAILED",
}
_WORDS = {label: word for word, label in _LABELS.items()}


@dataclass(frozen=True, slots=True)
class Said:
    """What the passages that were read for a statement say together.

    `label` is None where no passage was judged.  `score` is the best with which one says so;
    `disagree`: one states it and another denies it.  `sources` independent ones state it,
    `together` name both its subject and its object."""

    findings: Findings
    label: Label | None = None
    score: Fraction = Fraction(0)
    disagree: bool = False
    sources: int = 0
    together: int = 0


@dataclass(frozen=True)
class Texts:
    """What passages say of the open constraints of a request's candidates.

    `said` has one entry for each statement that was read about.  `leaning` has the scores of what
    is stated, as plausibilities: by the same rules a group is as likely as its weakest needed
    member."""

    said: tuple[Said, ...]
    leaning: Plausibilities

    def of(self, place: int, index: int) -> Said | None:
        """What was read for the atom of a constraint; None where nothing was."""
        numbers = self.leaning.backers(place, index)
        return self.said[numbers[0]] if numbers else None

    @property
    def shares(self) -> list[Fraction]:
        """For each candidate the share of the weight of all constraints that is open and stated by
        passages, less what they state to be broken."""
        return self.leaning.shares


@dataclass(frozen=True, slots=True)
class Stated:
    """What passages say of one candidate of a request, the one at `place`."""

    all: Texts
    place: int

    def of(self, index: int) -> Said | None:
        """What was read for the atom of a constraint; None where nothing was."""
        return self.all.of(self.place, index)

    def open_sides(self, index: int) -> tuple[Fraction, Fraction] | None:
        """How surely passages state that an open constraint holds, and that it does not."""
        return self.all.leaning.open_sides(self.place, index)


def weigh_texts(
    engine: SliceEngine,
    reader: Reader,
    requests: Sequence[Request],
    decided: Sequence[Decisions],
) -> list[Texts]:
    """What passages say of what is left open, for each request.

    `engine` knows the columns of the requests; `decided` are the decisions on each.  Each statement
    is read about once, however many candidates or questions ask for it."""
    statuses = {id(r): d.statuses for r, d in zip(requests, decided, strict=True)}
    numbers: dict[Statement, int] = {}
    sets = {key: np.zeros(found.shape, np.int64) for key, found in statuses.items()}
    for group in by_template(requests):
        bounds = np.cumsum([0, *(len(request.candidates) for request in group)])
        together = np.concatenate([statuses[id(request)] for request in group])
        for constraint, columns, known in engine.columns(group):
            name = plain(constraint, group[0].template)
            if name is None or name[0] != "relation":
                continue
            for row in np.flatnonzero(known & (together[:, constraint.index] == 0)).tolist():
                keys = (engine.knowledge.key(int(column[row])) for column in columns)
                asked = Statement(name[1], *keys)
                owner = int(np.searchsorted(bounds, row, side="right")) - 1
                place = numbers.setdefault(asked, len(numbers) + 1)
                sets[id(group[owner])][row - bounds[owner], constraint.index] = place
    said = say(list(numbers), reader.read(list(numbers)) if numbers else [])
    values = (Fraction(0), *(one.score if one.label == "ENTAILED" else Fraction(0) for one in said))
    rules = ((), *((number,) for number in range(len(said))))
    return [
        Texts(
            said,
            Plausibilities(
                request.template, decisions, sets[id(request)], rules, values, "max", None
            ),
        )
        for request, decisions in zip(requests, decided, strict=True)
    ]


def say(statements: Sequence[Statement], findings: Sequence[Findings]) -> tuple[Said, ...]:
    """What the findings about each statement say together, by the encoding `text.lp`."""
    labels: dict[int, str] = {}
    counts: dict[tuple[str, int], int] = {}
    disagree: set[int] = set()
    facts = "".join(_facts(statements, findings))
    for text in solve(encoding(*TEXT), facts):
        predicate, _, rest = text[:-1].partition("(")
        number, _, value = rest.partition(",")
        if predicate == "says":
            labels[int(number)] = value
        elif predicate == "disagree":
            disagree.add(int(number))
        else:
            counts[predicate, int(number)] = int(value)
    return tuple(
        Said(
            found,
            _LABELS[labels[number]],
            Fraction(counts["best", number], MILLION),
            number in disagree,
            counts["sources", number],
            counts["together", number],
        )
        if number in labels
        else Said(found)
        for number, found in enumerate(findings)
    )


def _facts(statements: Sequence[Statement], findings: Sequence[Findings]) -> Iterator[str]:
    """The facts of `text.lp`, in which passages and terms have numbers."""
    passages: dict[str, int] = {}
    terms: dict[str, int] = {}
    for number, (statement, read) in enumerate(zip(statements, findings, strict=True)):
        subject, object_ = (
            terms.setdefault(key, len(terms)) for key in (statement.subject, statement.object)
        )
        yield f"about({number},{subject},{object_})."
        for finding in read.found:
            if finding.passage.id not in passages:
                passages[finding.passage.id] = len(passages)
                yield f"passage({passages[finding.passage.id]},{finding.origin})."
            passage = passages[finding.passage.id]
            if finding.names_subject:
                yield f"mentions({passage},{subject})."
            if finding.names_object:
                yield f"mentions({passage},{object_})."
            if isinstance(finding.answer, Judgement):
                label, score = _WORDS[finding.answer.label], millionths(finding.answer.score)
                yield f"entails({number},{passage},{label},{score})."


def millionths(score: float) -> int:
    """A judge's score as a whole number of millionths: the one place where it is rounded."""
    return round(Fraction(score) * MILLION)
