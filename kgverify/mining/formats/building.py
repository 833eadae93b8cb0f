"""One rule in the making: its names are looked up, and what is wrong with it is noted by place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from kgverify.errors import Problem, Span
from kgverify.graph.reading.rejects import Rejects
from kgverify.mining.formats.names import Names
from kgverify.mining.horn import Atom, HornRule, Term

MOST_ATOMS = 8


class Refused(Exception):
    """A line that gives no rule, with every reason."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__()
        self.problems = tuple(problems)


@contextmanager
def refusals(rejects: Rejects) -> Iterator[None]:
    """What a line that is refused within is refused for goes to `rejects`."""
    try:
        yield
    except Refused as refused:
        for problem in refused.problems:
            assert problem.span is not None  # every problem of a line has its place
            rejects.add(problem.code, problem.message, problem.span, problem.hint)


class Building:
    """What is found in one line.  Problems are collected; `rule` and `refused` end the line."""

    def __init__(self, names: Names, file: str, line: int) -> None:
        self.names = names
        self.warnings: list[Problem] = []
        self._problems: list[Problem] = []
        self._file, self._line = file, line
        self._variables: dict[str, int] = {}

    def span(self, column: int = 0, end: int = 0) -> Span:
        return Span(self._file, self._line, column, end)

    def add(self, code: str, message: str, column: int, hint: str = "") -> None:
        """Notes something that is wrong."""
        self._problems.append(Problem(code, message, self.span(column), hint))

    def warn(self, code: str, message: str, column: int, hint: str = "") -> None:
        """Notes something that deserves a second look."""
        problem = Problem(code, message, self.span(column), hint, severity="warning")
        self.warnings.append(problem)

    def refused(self, code: str, message: str, column: int, hint: str = "") -> Refused:
        """The end of this line, with what was noted before."""
        self.add(code, message, column, hint)
        return Refused(self._problems)

    @contextmanager
    def collecting(self) -> Iterator[None]:
        """Raises what was noted within, at the end of it."""
        yield
        if self._problems:
            raise Refused(self._problems)

    def variable(self, name: str, number: int | None = None) -> int:
        """The number of a variable: the one that is asked for, or the next that is free."""
        if name not in self._variables:
            taken = set(self._variables.values())
            free = next(n for n in range(len(taken) + 1) if n not in taken)
            self._variables[name] = free if number is None or number in taken else number
        return self._variables[name]

    def constant(self, text: str, column: int) -> Term:
        """The constant that a name means; "" where that is not one, which is noted."""
        found = self.names.constants(text)
        if len(found) == 1:
            return found[0]
        if found:
            message = f"`{text}` may be each of {len(found)} terms of the graph"
            self.add("ambiguous-name", message, column, "write the one that is meant in quotes")
        else:
            self.unknown_entity(text, column)
        return ""

    def relation(self, text: str, column: int) -> str:
        """The relation that a name means, in the same way."""
        found = self.names.relations(text)
        if len(found) == 1:
            return found[0]
        if found:
            message = f"`{text}` may be each of {len(found)} relations of the graph"
            self.add("ambiguous-name", message, column)
        else:
            self.unknown_relation(text, column)
        return ""

    def unknown_entity(self, text: str, column: int) -> None:
        """Notes that the graph has no such entity or value."""
        hint = self.names.near_constant(text)
        self.add("unknown-entity", f"the graph has no `{text}`", column, hint)

    def unknown_relation(self, name: str, column: int) -> None:
        """Notes that the graph has no such relation."""
        hint = self.names.near_relation(name)
        self.add("unknown-relation", f"the graph has no relation `{name}`", column, hint)

    def rule(
        self,
        head: Atom,
        body: Sequence[Atom],
        different: Sequence[tuple[Term, Term]] = (),
        injective: bool = False,
    ) -> HornRule:
        """The rule; its variables are numbered without a gap.  Raises Refused for one that can't be
        used."""
        numbers = {old: new for new, old in enumerate(sorted(self._variables.values()))}
        if numbers:
            head, *body = (atom.renamed(numbers) for atom in (head, *body))
            different = [
                (_renumbered(one, numbers), _renumbered(other, numbers)) for one, other in different
            ]
        rule = HornRule(head, tuple(body), injective, tuple(different))
        if not body:
            hint = "such a rule can't be used: it would hold of everything"
            raise self.refused("no-body", "the rule has no body", 1, hint)
        if len(rule) > MOST_ATOMS:
            message = f"the rule has {len(rule)} atoms; {MOST_ATOMS} are the most"
            raise self.refused("long-rule", message, 1)
        if not rule.is_safe:
            message = "a variable of the rule's head is not in its body"
            raise self.refused("unsafe-variable", message, 1, "every answer must be bound")
        loose = [t for pair in different for t in pair if isinstance(t, int)]
        if any(variable not in rule.variables for variable in loose):
            message = "a variable is said to be different, and is in no atom"
            raise self.refused("unsafe-variable", message, 1)
        if any(a == b for a, b in different):
            raise self.refused("never-different", "a term is said to differ from itself", 1)
        if not injective and rule.names_every_pair:
            return HornRule(head, rule.body, injective=True)
        return rule


def _renumbered(term: Term, numbers: dict[int, int]) -> Term:
    return numbers[term] if isinstance(term, int) else term
