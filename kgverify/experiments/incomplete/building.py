"""Builds a benchmark: rules and a graph in, questions and two graphs out."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from kgverify.errors import KgverifyError, Problem
from kgverify.experiments.incomplete.asking import Asked, Words, asked
from kgverify.experiments.incomplete.balancing import TAU, downsampled, split
from kgverify.experiments.incomplete.grounding import PER_RULE, Selection, select
from kgverify.experiments.incomplete.mentions import named_beside
from kgverify.experiments.incomplete.naming import Naming, names
from kgverify.graph import Graph
from kgverify.graph.strings import Longs
from kgverify.graph.terms import display
from kgverify.language.rulebook import RuleBook
from kgverify.mining.horn import MinedRule
from kgverify.mining.spelling import rule_line

Triple = tuple[str, str, str]
BREAKING = frozenset(("Cc", "Zl", "Zp", "Cs"))  # controls, line breaks, halves of surrogate pairs


@dataclass(frozen=True, slots=True)
class Options:
    """How a benchmark is built; the same options give the same benchmark."""

    seed: int = 0
    per_rule: int = PER_RULE
    tau: Fraction = TAU
    naming: Naming = "private"


@dataclass(frozen=True)
class Benchmark:
    """A benchmark in the graph's ids and rows, and what things are called in it.

    `rules` are sorted by their text; `rows` are those of all triples, each once; `asked` the
    questions before they were thinned, `parts` those that are kept; `texts` the words of each
    row's question, `numbers` its number, which is dealt out by chance: in the order of rows it
    would say which triple of the graph it is."""

    graph: Graph
    rules: tuple[MinedRule, ...]
    options: Options
    rows: tuple[int, ...]
    selection: Selection
    asked: tuple[Asked, ...]
    parts: Mapping[str, Sequence[Asked]]
    names: Mapping[int, str]
    texts: Mapping[int, str]
    numbers: Mapping[int, int]

    def triples(self, rows: Sequence[int]) -> list[Triple]:
        """Rows as they are called in the benchmark."""
        facts = self.graph.facts.at(list(rows))
        relations = self.graph.facts.relations_of(list(rows)).tolist()
        ends = zip(facts.subjects.tolist(), relations, facts.objects.tolist(), strict=True)
        return [(self.names[s], self.graph.relations[r], self.names[o]) for s, r, o in ends]

    def key(self, term: int) -> str:
        """What the graph calls a term."""
        return display(self.graph.key(term))


def build(
    graph: Graph,
    rules: Sequence[MinedRule],
    options: Options,
    book: RuleBook | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> Benchmark:
    """The benchmark, whatever the order of the rules.  Raises KgverifyError when no question comes
    of it."""
    rules = sorted(rules, key=lambda mined: (rule_line(mined.rule), repr(mined)))
    selection = select(graph, rules, options.seed, options.per_rule, progress)
    progress("making questions")
    every = asked(graph, selection.groundings, options.seed)
    if not every:
        message = "no rule has a grounding in the graph whose head could be removed"
        hint = "are the rules about the relations of this graph?"
        raise KgverifyError(Problem("no-groundings", message, hint=hint))
    kept = downsampled(every, options.tau, options.seed)
    rows = _distinct_rows(graph)
    facts = graph.facts.at(rows)
    terms = np.unique(np.concatenate([facts.subjects, facts.objects])).tolist()
    called = names(graph, terms, options.naming, options.seed)
    _require_lines([*called.values(), *graph.relations])
    return Benchmark(
        graph=graph,
        rules=tuple(rules),
        options=options,
        rows=tuple(rows.tolist()),
        selection=selection,
        asked=tuple(every),
        parts=split(kept, [q.key for q in kept], options.seed),
        names=called,
        texts=_texts(kept, called, Words(book)),
        numbers=_numbers(kept, options.seed),
    )


def _numbers(questions: Sequence[Asked], seed: int) -> dict[int, int]:
    """From 1 on, in random order."""
    rows = [q.row for q in questions]
    random.Random(f"{seed} questions").shuffle(rows)
    return {row: number for number, row in enumerate(rows, 1)}


def _texts(questions: Sequence[Asked], called: Mapping[int, str], words: Words) -> dict[int, str]:
    """The words of each question: the best that name none of its answers.

    Raises KgverifyError for a question of which any words name one."""
    found = {}
    for q in questions:
        topic = called[q.topic]
        answers = [called[answer] for answer in q.answers if answer != q.topic]
        forms = words.forms(q.relation, topic, q.side)
        text = next((form for form in forms if not named_beside(answers, topic, form)), None)
        if text is None:
            message = f"an answer of `{forms[0]}` is named in the question itself"
            raise KgverifyError(Problem("answer-in-text", message, hint="--names private"))
        found[q.row] = text
    return found


def _require_lines(called: Sequence[str]) -> None:
    """Raises KgverifyError when a name can't stand in a line with tabs, whoever reads it."""
    for name in called:
        if not name or any(unicodedata.category(c) in BREAKING for c in name):
            what = "a line break or a control character in it" if name else "nothing in it"
            message = f"the name {name!r} can't stand in a table: there is {what}"
            hint = "`--names private` for entities; a relation has to be renamed"
            raise KgverifyError(Problem("name-in-table", message, hint=hint))


def _distinct_rows(graph: Graph) -> Longs:
    """The first row of each triple; one that is said with several qualifiers is one triple."""
    facts = graph.facts.at(np.arange(len(graph.facts)))
    relations = graph.facts.relations_of(facts.rows)
    columns = np.stack([relations, facts.subjects, facts.objects], 1)
    found: Longs = np.sort(np.unique(columns, axis=0, return_index=True)[1])
    return found
