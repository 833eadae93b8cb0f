"""Mined rules as `soft` statements of a rule file that people review.

Each rule stands with its statistics, with pairs that it gives and the graph has, pairs that it
gives and the graph has not, and with a mark.  Marks survive: writing over a file keeps the mark of
every rule that is found again, keeps reviewed rules that are not, and activates no rejected one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Literal

import numpy as np

from kgverify.errors import LimitReached, Problem, RuleError, Span, counted, printable
from kgverify.graph import Graph
from kgverify.language.checks import check
from kgverify.language.printing import statement_text
from kgverify.mining.evaluation import Bindings, Evaluator
from kgverify.mining.horn import Atom, HornRule, Measures, MinedRule
from kgverify.mining.marks import BEGIN, END, INACTIVE, OURS, Block, Mark, Sections, sections
from kgverify.mining.search import Scope
from kgverify.mining.spelling import atom_line, rule_line
from kgverify.mining.statements import Unsayable, Vocabulary, declarations

EXAMPLES = 3
Weight = Literal["pca", "standard"]

_EXPLANATION = (
    f"{OURS} Lines that begin with `{OURS}` are written anew each time, and so are the statements.",
    f"{OURS} The mark of a rule is kept, `# review: open|accepted|rejected, by NAME, NOTE`, and so",
    f"{OURS} are other comments above its statement. `{INACTIVE}soft …` is not active.",
    f"{OURS} A pair that is not in the graph may be true all the same.",
)


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A rule file with mined rules: its text; how many of them are active, rejected, gone (reviewed
    before, and not found again) and unusable; and what deserves a warning."""

    text: str
    active: int
    rejected: int
    gone: int
    unusable: int
    warnings: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class _Entry:
    """A rule to be written; `why` says why it is not active, and is "" when it is."""

    rule: HornRule
    statement: str
    mark: Mark
    about: tuple[str, ...]
    why: str = ""

    @property
    def lines(self) -> Iterator[str]:
        """All lines of its block, the statement last."""
        yield ""
        yield from (f"{OURS} {line}" for line in ([self.why] if self.why else []))
        yield from (f"{OURS} {line}" for line in self.about)
        yield from self.mark.comments
        yield self.mark.line
        yield INACTIVE + self.statement if self.why else self.statement


def review_rules(
    mined: Iterable[MinedRule],
    graph: Graph,
    text: str = "",
    file: str = "<rules>",
    weight: Weight = "pca",
    scope: Scope | None = None,
) -> Reviewed:
    """The rule file `text` with these rules in its section of mined rules.

    The text may be that of an earlier run, perhaps with marks; or a rule file without such a
    section, whose names are used; or nothing.  A rule's weight is its PCA confidence, or its
    standard confidence.  `scope` says which rules were looked for (all if not given): the others
    that are in the section stay as they are.  Raises RuleError when the text is wrong, or when
    something in its section would be lost."""
    old = sections(text, file)
    writer = _Writer(old, Vocabulary(old.book, graph), graph, file, scope)
    entries = writer.entries(mined, weight)
    entries = writer.only_readable(entries)
    entries = writer.only_usable(entries)
    why = Counter(entry.why for entry in entries)
    return Reviewed(
        "\n".join(writer.lines(entries)) + "\n",
        active=why[""],
        rejected=why[_REJECTED],
        gone=why[_GONE],
        unusable=why.total() - why[""] - why[_REJECTED] - why[_GONE],
        warnings=tuple(writer.warnings),
    )


def require_reviewable(graph: Graph, text: str, file: str = "<rules>") -> None:
    """Raises RuleError where `review_rules` would for this text, whatever the rules."""
    review_rules([], graph, text, file, scope=Scope(heads=frozenset()))


_GONE = "not found again"
_LEFT = "not looked for"
_REJECTED = "rejected"
_UNBORNE = "no pair bears it out"
_ELSEWHERE = "it stands elsewhere in this file"
_TAUTOLOGY = "its head is in its body, so it says nothing"


class _Writer:
    """Puts a file together; `warnings` are about rules that it can't hold."""

    def __init__(
        self, old: Sections, vocabulary: Vocabulary, graph: Graph, file: str, scope: Scope | None
    ) -> None:
        self.warnings: list[Problem] = []
        self._old, self._vocabulary = old, vocabulary
        self._graph, self._file, self._scope = graph, file, scope
        self._marked = {block.rule: block for block in old.blocks if block.is_reviewed}

    def entries(self, mined: Iterable[MinedRule], weight: Weight) -> list[_Entry]:
        """The rules that were found, in their order, then reviewed ones that were not, and all
        that nobody looked for."""
        found: dict[HornRule, _Entry] = {}
        evaluator = Evaluator(self._graph)
        each = {one.rule.canonical: one.measures for one in mined}
        for rule, measures in each.items():
            share = measures.pca_confidence if weight == "pca" else measures.confidence
            earlier = self._marked.get(rule)
            name, sentence = (
                (earlier.soft.rule.name, earlier.soft.rule.sentence) if earlier else ("", "")
            )
            try:
                statement = self._vocabulary.statement(rule, share, name, sentence)
            except Unsayable as reason:
                self._leave_out(rule, str(reason))
                continue
            mark = earlier.mark if earlier else Mark()
            why = self._why_not(rule, mark, bool(share))
            about = tuple(_about(rule, measures, evaluator, self._vocabulary))
            found[rule] = _Entry(rule, statement, mark, about, why)
        rest = [block for block in self._old.blocks if block.rule not in found]
        missed = {b.rule for b in rest if self._scope is None or self._scope.covers(b.rule)}
        left = [_left(block) for block in rest if block.rule not in missed]
        gone = [_gone(block) for block in rest if block.is_reviewed and block.rule in missed]
        return [*found.values(), *left, *gone]

    def _why_not(self, rule: HornRule, mark: Mark, is_borne_out: bool) -> str:
        """Why a rule is not active; "" when nothing is against it."""
        if mark.status == "rejected":
            return _REJECTED
        if rule.is_tautology:
            return _TAUTOLOGY
        if rule in self._old.elsewhere:
            return _ELSEWHERE
        return "" if is_borne_out else _UNBORNE

    def only_readable(self, entries: Sequence[_Entry]) -> list[_Entry]:
        """The entries that are read back as the rules that they are.  Others would lose their
        marks, and mean something else: a name, say, that stands for an entity and for a value."""
        again = sections("\n".join(self.lines(entries)), self._file).blocks
        same = {block.rule for block in again}
        for entry in entries:
            if entry.rule not in same:
                self._leave_out(entry.rule, "the statement would not be read as this rule")
                assert not entry.mark.says_something  # it was read from such a statement
        return [entry for entry in entries if entry.rule in same]

    def only_usable(self, entries: Sequence[_Entry]) -> list[_Entry]:
        """The entries, those inactive that the checks of rule files refuse."""
        found = [*entries]
        while True:
            ends = accumulate((len([*e.lines]) for e in found), initial=self._length(found))
            statements = {line: place - 1 for place, line in enumerate(ends) if place}
            problems = check("\n".join(self.lines(found)), self._file)[1]
            problems = [p for p in problems if p.is_error]
            refused = {}
            for problem in problems:
                place = statements.get(problem.span.line if problem.span else 0, -1)
                if place >= 0 and not found[place].why:
                    refused[place] = problem
            if not refused:
                wrong = [p for p in problems if p.code != "empty-file"]
                if wrong:
                    raise RuleError(wrong)
                return found
            for place, problem in refused.items():
                why = f"can't be used: {printable(problem.message)}"
                found[place] = replace(found[place], why=why)

    def lines(self, entries: Sequence[_Entry]) -> Iterator[str]:
        """The whole file."""
        yield from self._first_lines(entries)
        for entry in entries:
            yield from entry.lines
        yield ""
        yield from self._old.loose
        yield END
        yield from self._old.after

    def _first_lines(self, entries: Sequence[_Entry]) -> Iterator[str]:
        before = [*self._old.before]
        while before and not before[-1].strip():
            before.pop()
        yield from before
        yield from [""] * bool(before)
        found = sum(entry.why != _GONE for entry in entries)
        yield f"{BEGIN}: {counted(found, 'rule')}, mined from {printable(self._graph.name)}"
        yield from _EXPLANATION
        yield from declarations((*self._old.declared, *self._vocabulary.added))

    def _length(self, entries: Sequence[_Entry]) -> int:
        """How many lines stand before the first entry."""
        return len([*self._first_lines(entries)])

    def _leave_out(self, rule: HornRule, reason: str) -> None:
        message = f"left out: {rule_line(rule)}: {reason}"
        self.warnings.append(
            Problem("unsayable-rule", message, Span(self._file), severity="warning")
        )


def _left(block: Block) -> _Entry:
    """A rule that nobody looked for, as it is; why it is not active is the first thing it says."""
    about, why = block.about, ""
    if not block.is_active:
        why, *rest = about or (_LEFT,)
        about = tuple(rest)
    return _Entry(block.rule, statement_text(block.soft), block.mark, about, why)


def _gone(block: Block) -> _Entry:
    return _Entry(block.rule, statement_text(block.soft), block.mark, (), _GONE)


# ---------------------------------------------------------------- what is said about a rule


def _about(
    rule: HornRule, measures: Measures, evaluator: Evaluator, vocabulary: Vocabulary
) -> Iterator[str]:
    yield (
        f"support {measures.support}, head {measures.head_size}, body {measures.body_size}, "
        f"PCA body {measures.pca_body_size} ({measures.pca_side} side)"
    )
    shares = (
        ("head coverage", measures.head_coverage, measures.head_size),
        ("standard confidence", measures.confidence, measures.body_size),
        ("PCA confidence", measures.pca_confidence, measures.pca_body_size),
    )
    yield ", ".join(
        f"{name} {float(share):.4f}" if whole else f"{name} undefined"
        for name, share, whole in shares
    )
    if rule.injective:
        yield "injective: different terms stand for different things"
    try:
        for holds, label in ((True, "true"), (False, "not in the graph")):
            found = evaluator.examples(rule, holds, EXAMPLES)
            yield from _examples(rule, evaluator.graph, found, label, vocabulary)
    except LimitReached:
        yield "no examples: the rule has too many bindings"


def _examples(
    rule: HornRule, graph: Graph, found: Bindings, label: str, vocabulary: Vocabulary
) -> Iterator[str]:
    relation = graph.relation_id(rule.head.relation)
    denied = graph.denied.rows(relation, *found.pairs(rule.head)) >= 0
    labels = np.array(graph.labels(found.ids.ravel()), object).reshape(found.ids.shape)
    for row, texts, is_denied in zip(found.ids, labels, denied, strict=True):
        keys = graph.keys(row)
        shown = ("e" + text if text else key for text, key in zip(texts, keys, strict=True))
        names = dict(zip(found.variables, shown, strict=True))

        def said(atom: Atom, names: dict[int, str] = names) -> str:
            subject, object_ = (t if isinstance(t, str) else names[t] for t in atom.terms)
            name = vocabulary.known_as(atom.relation)
            return printable(atom_line(Atom(name, subject, object_)))

        because = ", ".join(map(said, rule.body))
        yield f"{'denied' if is_denied else label}: {said(rule.head)}, by {because}"
