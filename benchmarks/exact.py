"""Times exact mode on one question, from few open atoms to many.

Each candidate has six atoms that may be true or false (its class, two diseases that it may treat,
an effect that it may cause, one that a rule derives and another forbids, and its resemblance to
itself), so n atoms are n / 6 candidates, which exact mode decides together.  The Kleene decision
of the same question is timed beside it; what is beyond that is exact mode's own time.  Processor
time is what other processes disturb least.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from common import machine, seconds, spread, table, timed, write_json

if TYPE_CHECKING:
    from kgverify import Graph, Question, RuleBook

RESULTS = Path(__file__).parent / "results" / "exact.json"
ATOMS_EACH = 6
SIZES = (50, 100, 250, 500, 1_000, 2_000, 5_000)
TARGET = 500, 0.05  # open atoms, seconds

RULES = """
class Compound, Disease, SideEffect
disjoint Compound, Disease, SideEffect
relation treats (Compound, Disease)
relation first_choice (Disease, Compound) functional
relation causes (Compound, SideEffect)
relation resembles (Compound, Compound) symmetric, irreflexive
relation used_against (Compound, SideEffect)
relation symptom (Disease, SideEffect)
rule relief "what treats a disease is used against its symptoms":
    used_against(X, S) :- treats(X, D), symptom(D, S).
rule harm "nobody uses against a symptom what causes it":
    not used_against(X, S) :- causes(X, S).
question better(d: Disease, e: Disease, s: SideEffect)
    "Which compounds treat {d} without harm?"
    answer x : Compound
    require not all of { treats(x, d), causes(x, s) }
    require any of { treats(x, e), not used_against(x, s) }
    prefer not resembles(x, x)
"""


def world(candidates: int) -> tuple[Graph, RuleBook, Question]:
    """A graph of 100,000 facts and a question about some of its compounds."""
    from kgverify import Candidate, Graph, Question, load_rules_text

    random_ = random.Random(candidates)
    compounds = [f"c{n}" for n in range(5_000)]
    diseases = [f"d{n}" for n in range(200)]
    effects = [f"s{n}" for n in range(500)]
    facts = {("ed0", "symptom", "es0"), ("ed1", "symptom", "es1")}
    for names, cls in ((compounds, "Compound"), (diseases, "Disease"), (effects, "SideEffect")):
        facts |= {("e" + name, "rdf:type", "e" + cls) for name in names}
    for name in diseases[2:]:
        facts |= {("e" + name, "symptom", "e" + found) for found in random_.sample(effects[2:], 10)}
    while len(facts) < 100_000:
        compound = random_.choice(compounds)
        facts |= {
            ("e" + compound, "treats", "e" + random_.choice(diseases[2:])),
            ("e" + compound, "causes", "e" + random_.choice(effects[2:])),
        }
    asked = Question(
        "better",
        "better",
        {"d": "d0", "e": "d1", "s": "s0"},
        tuple(map(Candidate, random_.sample(compounds, candidates))),
    )
    return Graph.from_triples(sorted(facts), ()), load_rules_text(RULES, "exact.kgr"), asked


def measure(atoms: int, repeat: int) -> dict[str, Any]:
    """Times of one question with about so many open atoms."""
    from kgverify import Budget, Verifier

    graph, book, question = world(atoms // ATOMS_EACH)
    kleene = Verifier(graph, book, "rank")
    exact = Verifier(graph, book, "rank", exact=Budget(atoms=10 * atoms, seconds=120))
    list(kleene.verify([question]))
    ((verdicts, problems),) = exact.verify([question])
    times: dict[str, list[float]] = {}
    for _ in range(repeat):
        for name, verifier in (("kleene", kleene), ("exact", exact)):
            start = time.process_time()
            taken = timed(lambda verifier=verifier: list(verifier.verify([question])))[1]
            times.setdefault(f"{name}_seconds", []).append(taken)
            times.setdefault(f"{name}_cpu", []).append(time.process_time() - start)
    return {
        "atoms": atoms,
        "candidates": len(verdicts),
        "decided": sum(v.verdict != "unk" for v in verdicts),
        "problems": [str(p) for p in problems],
        **times,
    }


def own(row: dict[str, Any]) -> float:
    """Exact mode's own processor time, in seconds: the median of what it adds."""
    return statistics.median(
        e - k for e, k in zip(row["exact_cpu"], row["kleene_cpu"], strict=True)
    )


def report(rows: list[dict[str, Any]]) -> str:
    """The medians as a table."""
    lines = []
    for row in rows:
        wall, cpu = spread(row["exact_seconds"]), spread(row["exact_cpu"])
        lines.append(
            (
                f"{row['atoms']:,}",
                f"{row['candidates']:,}",
                seconds(wall.median),
                f"{seconds(wall.least)}–{seconds(wall.most)}",
                seconds(cpu.median),
                seconds(spread(row["kleene_cpu"]).median),
                seconds(own(row)),
            )
        )
    headers = ("open atoms", "candidates", "exact", "least–most", "cpu", "Kleene cpu", "own cpu")
    return table(headers, lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=9)
    parser.add_argument("--out", type=Path, default=RESULTS)
    options = parser.parse_args()
    rows = [measure(size, options.repeat) for size in SIZES]
    print(report(rows))
    atoms, limit = TARGET
    taken = next(own(row) for row in rows if row["atoms"] == atoms)
    met = "met" if taken < limit else "missed"
    print(f"\ntarget: under {seconds(limit)} of its own at {atoms} atoms: {met} ({seconds(taken)})")
    write_json(options.out, {"machine": machine(), "sizes": rows})


if __name__ == "__main__":
    main()
