"""Whether right answers depend on edges that were added (TGComplete, section 5.4), from saved
records alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from kgverify.completion.breakpoints import Edge
from kgverify.reasoning.program import ATTRIBUTION, encoding
from kgverify.reasoning.solver import solve

Class = Literal["A", "B", "S", "C"]
CLASSES: dict[Class, str] = {
    "A": "redundant: the graph alone leads to the answer",
    "B": "dependent: an added edge without support is needed",
    "S": "supported: added edges are needed, and supported ones are enough",
    "C": "outside: neither the graph nor added edges lead to the answer",
}
_BY_WORD: dict[str, Class] = {text.partition(":")[0]: letter for letter, text in CLASSES.items()}


@dataclass(frozen=True, slots=True)
class AddedEdge:
    """An edge that was added while a question was answered; `supported`: a passage states it."""

    edge: Edge
    supported: bool


@dataclass(frozen=True, slots=True)
class Answered:
    """A question with its topics, its right answers, whether it was answered rightly, and the edges
    that were added for it."""

    id: str
    topics: tuple[str, ...]
    answers: tuple[str, ...]
    correct: bool
    added: tuple[AddedEdge, ...] = ()


@dataclass(frozen=True)
class Attribution:
    """The class of each question that was answered rightly.  `both_ways`: edges were gone along in
    both directions.

    Class S is not in the paper, whose three classes leave out answers that need added edges and
    find supported ones enough."""

    classes: Mapping[str, Class]
    both_ways: bool

    @property
    def counts(self) -> dict[Class, int]:
        """How many questions are in each class."""
        found = Counter(self.classes.values())
        return {letter: found[letter] for letter in CLASSES}

    @property
    def independent(self) -> Fraction | None:
        """The share of right answers that need no unsupported edge, A + S + C; None of none."""
        return self._share("ASC")

    @property
    def independent_as_published(self) -> Fraction | None:
        """A + C, as the paper's table 6 has it."""
        return self._share("AC")

    def _share(self, letters: str) -> Fraction | None:
        inside = sum(letter in letters for letter in self.classes.values())
        return Fraction(inside, len(self.classes)) if self.classes else None


def attribute(
    questions: Sequence[Answered], graph: Iterable[Edge], both_ways: bool = True
) -> Attribution:
    """What the right answers depend on.  Questions that were answered wrongly are left out.

    Raises ValueError when two questions have one id."""
    right = [question for question in questions if question.correct]
    if len({question.id for question in questions}) < len(questions):
        raise ValueError("two questions have the same id")
    numbers: dict[str, int] = {}
    facts = _facts(right, graph, numbers)
    shown = solve(encoding(*ATTRIBUTION), f"both_ways({int(both_ways)}).", *facts)
    classes: dict[int, Class] = {}
    for atom in shown:
        number, word = atom[len("class(") : -1].split(",")
        classes[int(number)] = _BY_WORD[word]
    # A question without a right answer has none in reach.
    found = {question.id: classes.get(n, "C") for n, question in enumerate(right)}
    return Attribution(found, both_ways)


def _facts(
    questions: Sequence[Answered], graph: Iterable[Edge], numbers: dict[str, int]
) -> Iterator[str]:
    def number(name: str) -> int:
        return numbers.setdefault(name, len(numbers))

    for edge in graph:
        yield f"fact({number(edge.subject)},{number(edge.object)})."
    for place, question in enumerate(questions):
        yield from (f"topic({place},{number(topic)})." for topic in question.topics)
        yield from (f"answer({place},{number(answer)})." for answer in question.answers)
        for added in question.added:
            ends = f"{number(added.edge.subject)},{number(added.edge.object)}"
            word = "supported" if added.supported else "unsupported"
            yield f"added({place},{ends},{word})."
