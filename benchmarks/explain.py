"""What an explanation costs, beside the decision that it explains.

    python benchmarks/explain.py
    KGVERIFY_DATA=… python benchmarks/explain.py --json benchmarks/results/explain.json

Each case decides one candidate of one question, then explains the verdict: proofs made minimal and
replayed, and what would settle what is open.  Chains of a transitive relation are the hard case
for proofs, open comparisons and counts for what would settle them.  Hetionet, when KGVERIFY_DATA
names the folder of its data, is the hard case for gathering: candidates of every kind, in a batch
of many of which one is explained.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import common

if TYPE_CHECKING:
    from kgverify import Graph, Question, RuleBook

CHAINS = (30, 100, 300)
MOST = 40  # questions of Hetionet
RULES = """
class Person
relation parent (Person, Person)
relation forebear (Person, Person) transitive
rule up "a parent is a forebear":
    forebear(X, Y) :- parent(X, Y).
question forebears(p: Person)
    "Who has the forebear {p}?"
    answer x : Person
    require forebear(x, p)
"""
OPEN = 40  # questions whose constraints are all open
OPEN_RULES = """
class Person, City
relation born (Person, date) functional
relation height (Person, integer)
relation child (Person, Person)
relation seen_in (Person, City)
question open()
    "Who?"
    answer x : Person
    prefer born(x) < 1950
    prefer height(x) > 180
    prefer count child(x, _) >= 4
    prefer count child/seen_in(x, _) >= 2
    prefer seen_in(x, "rome") at 1995
    prefer seen_in(x, "oslo")
"""


class Case(NamedTuple):
    """A graph with its rules and questions of one candidate each, decided and explained alone."""

    name: str
    graph: Graph
    rules: RuleBook
    questions: list[Question]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=3, help="repetitions (default: 3)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all results")
    options = parser.parse_args()
    found = [measure(case, options.repeat) for case in cases()]
    headers = ("case", "explained", "decide", "explain", "explain / decide", "most cited")
    common.say(common.table(headers, map(row, found)))
    if options.json:
        results = {"benchmark": "explain", "machine": common.machine(), "cases": found}
        common.write_json(options.json, results)


def cases() -> Iterator[Case]:
    """The cases, one after the other."""
    from kgverify import load_rules_text

    rules = load_rules_text(RULES)
    for length in CHAINS:
        yield chain(length, rules)
    yield open_views()
    if os.environ.get(common.DATA_VARIABLE):
        yield hetionet()


def chain(length: int, rules: RuleBook) -> Case:
    """Does the first of a line of parents have the last one for a forebear?"""
    from kgverify import Candidate, Graph, Question

    facts = [(f"ep{n}", "parent", f"ep{n + 1}") for n in range(length)]
    asked = Question("chain", "forebears", {"p": f"p{length}"}, (Candidate("p0"),))
    return Case(f"chain of {length}", Graph.from_triples(facts, []), rules, [asked])


def open_views() -> Case:
    """Comparisons, counts and a time of which little is known: what would settle them?"""
    from kgverify import Candidate, Graph, Question, load_rules_text

    facts = [(f"ep{n}", "child", f"ep{n + 1}") for n in range(50 * OPEN)]
    facts += [(f"ep{n}", "seen_in", "eparis") for n in range(0, 50 * OPEN, 3)]
    facts += [(city, "rdf:type", "eCity") for city in ("erome", "eoslo")]
    graph, rules = Graph.from_triples(facts, []), load_rules_text(OPEN_RULES)
    asked = [Question(f"{n}", "open", {}, (Candidate(f"p{7 * n}"),)) for n in range(OPEN)]
    return Case("comparisons, counts and a time, open", graph, rules, asked)


def hetionet() -> Case:
    """One candidate each of questions about Hetionet, with its curated non-indications."""
    import hetionet as real
    import msgspec

    from kgverify import load_rules
    from kgverify.experiments.hetionet import read
    from kgverify.resources import folder as resource

    found = read(common.data_folder("hetionet"))
    questions = []
    for number, asked in enumerate(real.questions(found)):
        chosen = asked.candidates[number % len(asked.candidates)]
        questions.append(msgspec.structs.replace(asked, candidates=(chosen,)))
    rules = load_rules(resource("rules") / "hetionet.kgr")
    step = max(1, len(questions) // MOST)
    return Case("Hetionet", found.graph(found.edges), rules, questions[::step])


def measure(case: Case, repeat: int) -> dict[str, Any]:
    """Decide and explain each question by itself; the medians over all of them."""
    from kgverify import Verifier, check_explanation

    verifier = Verifier(case.graph, case.rules, "rank")
    decide, explain, ratios, cited = [], [], [], 0
    for question in case.questions:
        for _ in range(max(1, repeat)):
            answers, deciding = common.timed(lambda q=question: list(verifier.verify([q])))
            ((verdict,), _), *_ = answers
            explanation, explaining = common.timed(verdict.explain)
            decide.append(deciding)
            explain.append(explaining)
            ratios.append(explaining / deciding)
        faults = check_explanation(explanation, case.graph, case.rules)
        if faults:
            raise SystemExit(f"{case.name}: {question.id} does not replay: {faults}")
        proofs = [e.proof for e in explanation.constraints if e.proof is not None]
        cited = max([cited, *(len(proof.citations) for proof in proofs)])
    return {
        "case": case.name,
        "explained": len(case.questions),
        "decide_seconds": common.spread(decide)._asdict(),
        "explain_seconds": common.spread(explain)._asdict(),
        "ratio": common.spread(ratios)._asdict(),
        "most_citations": cited,
    }


def row(found: dict[str, Any]) -> tuple[str, ...]:
    """A case for people."""
    ratio = found["ratio"]
    return (
        found["case"],
        f"{found['explained']}",
        common.seconds(found["decide_seconds"]["median"]),
        common.seconds(found["explain_seconds"]["median"]),
        f"{ratio['median']:.2f} ({ratio['least']:.2f}–{ratio['most']:.2f})",
        f"{found['most_citations']}",
    )


if __name__ == "__main__":
    main()
