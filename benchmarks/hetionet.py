"""What verification is worth on real graphs: Hetionet v1.0 and CoDEx-S.

    KGVERIFY_DATA=… python benchmarks/hetionet.py
    KGVERIFY_DATA=… python benchmarks/hetionet.py --json benchmarks/results/hetionet.json

Hetionet: for every disease with at least three treatments, which compounds treat it, and which
treat it but don't cause a side effect of one of its treatments.  Candidates are drawn by seed.
Gold is what the graph asserts; the curated non-indications are loaded as denied facts.  CoDEx-S:
are its human-checked negatives refuted, and is what it asserts confirmed (see `codex.py`)?
Everything is verified by both engines, which must agree.
"""

from __future__ import annotations

import argparse
import gzip
import random
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import codex
import common

if TYPE_CHECKING:
    from kgverify import Question, Verdict

SEED = 20_240_502
LEAST_TREATMENTS = 3
QUICK_DISEASES = 4
# At most so many candidates of a kind; all curated non-indications of the disease are asked about.
MIX = {"gold": 10, "excluded gold": 10, "excluded other": 5, "other compound": 10, "wrong type": 5}
KINDS = ("gold", "denied", "excluded gold", "excluded other", "other compound", "wrong type")
KIND_LEGEND = (
    "gold            the graph says it treats the disease (and not that it causes the side effect)",
    "denied          curated as no indication",
    "excluded gold   treats the disease and causes the side effect",
    "excluded other  causes the side effect; the graph says nothing of the disease",
    "other compound  the graph says nothing",
    "wrong type      no compound",
)
POLICIES = ("none", "filter", "strict")


@dataclass
class Hetionet:
    """What the questions are made from; every list is sorted."""

    names: list[str] = field(default_factory=list)
    treats: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    causes: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    denied: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def of_kind(self, *kinds: str) -> list[str]:
        """The nodes of these kinds."""
        return [name for name in self.names if name.partition("::")[0] in kinds]


class Asked(NamedTuple):
    """A question, and the kind of each candidate."""

    question: Question
    kinds: dict[str, str]


class Score(NamedTuple):
    """How good the candidates are that a policy keeps."""

    kept: int
    precision: float
    recall: float
    f1: float


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few questions, one repetition")
    parser.add_argument("--repeat", type=int, default=5, help="repetitions (default: 5)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all results")
    options = parser.parse_args()
    repeat = 1 if options.quick else max(1, options.repeat)
    data = common.data_folder("hetionet"), common.data_folder("kg/codex-s")
    with tempfile.TemporaryDirectory(prefix="kgverify-benchmark-") as folder:
        ours = measure(data[0], Path(folder), options.quick, repeat)
        common.say(report(ours))
        theirs = codex.measure(data[1], Path(folder), options.quick, repeat)
        common.say("\n" + codex.report(theirs))
    if options.json:
        results = {"benchmark": "hetionet", "machine": common.machine(), "seed": SEED}
        results |= {"hetionet": ours, "codex": theirs}
        common.write_json(options.json, results)
    if not (common.engines_agree(ours) and codex.as_it_must_be(theirs)):
        sys.exit("the engines DISAGREE, or a negative is not refuted")


# ---------------------------------------------------------------- measuring


def measure(data: Path, folder: Path, quick: bool, repeat: int) -> dict[str, Any]:
    """Build, ask, verify with both engines, count."""
    from kgverify import build_store, load_rules, open_graph
    from kgverify.resources import folder as resource

    hetionet = read(data)
    denied = folder / "denied.tsv"
    denied.write_text(
        "".join(f"{x}\tCtD\t{d}\n" for d, found in hetionet.denied.items() for x in found)
    )
    sources = [data / "nodes.tsv.gz", data / "edges.tsv.gz"]
    summary = build_store(sources, folder / "hetionet", denied=denied)
    build_store(sources, folder / "hetionet-undenied")
    rules = load_rules(resource("rules") / "hetionet.kgr")
    graph, opened = common.timed(lambda: open_graph(folder / "hetionet"))
    asked = list(questions(hetionet, quick))
    compared = common.compare_engines(graph, rules, [a.question for a in asked], repeat)
    undenied = common.verdicts(
        open_graph(folder / "hetionet-undenied"), rules, [a.question for a in asked]
    )
    return {
        "graph": {
            "triples": summary.facts,
            "denied": summary.denied,
            "build_seconds": summary.seconds,
            "open_seconds": opened,
        },
        "diseases": len({a.question.arguments["d"] for a in asked}),
        "questions": {
            template: _evaluate([a for a in asked if a.question.question == template], compared)
            for template in ("treats", "treats_without")
        },
        "changed_by_denied_facts": _changed(compared.verdicts, undenied),
        **compared.as_json(),
    }


def read(data: Path) -> Hetionet:
    """The part of Hetionet that the questions are about."""
    found = Hetionet()
    with gzip.open(data / "nodes.tsv.gz", "rt", encoding="utf-8") as lines:
        found.names = sorted(fields[0] for fields in _rows(lines))
    with gzip.open(data / "edges.tsv.gz", "rt", encoding="utf-8") as lines:
        for source, metaedge, target in sorted(_rows(lines)):
            if metaedge == "CtD":
                found.treats[target].append(source)
            elif metaedge == "CcSE":
                found.causes[source].add(target)
    with (data / "negatives-NOT.tsv").open(encoding="utf-8") as lines:
        for compound, metaedge, disease in sorted(_rows(lines)):
            if metaedge == "not_indicated":
                found.denied[disease].append(compound)
    return found


def _rows(lines: Iterable[str]) -> Iterator[list[str]]:
    """The fields of the lines after the header."""
    rows = iter(lines)
    next(rows)
    return (line.rstrip("\n").split("\t") for line in rows)


def _changed(ours: dict[str, list[Verdict]], others: dict[str, list[Verdict]]) -> dict[str, int]:
    """The verdicts that the denied facts changed, as `unk -> viol`."""
    changes: dict[str, int] = defaultdict(int)
    for question, verdicts in ours.items():
        before = {v.candidate: v.verdict for v in others[question]}
        for v in verdicts:
            if before[v.candidate] != v.verdict:
                changes[f"{before[v.candidate]} -> {v.verdict}"] += 1
    return dict(sorted(changes.items()))


# ---------------------------------------------------------------- questions


def questions(hetionet: Hetionet, quick: bool) -> Iterator[Asked]:
    """Both questions about every disease with enough treatments."""
    diseases = sorted(d for d, x in hetionet.treats.items() if len(x) >= LEAST_TREATMENTS)
    for disease in diseases[: QUICK_DISEASES if quick else None]:
        chance = random.Random(f"{SEED} {disease}")
        yield _treats(hetionet, disease, chance)
        effects = sorted({s for x in hetionet.treats[disease] for s in hetionet.causes[x]})
        if effects:
            yield _treats_without(hetionet, disease, chance.choice(effects), chance)


def _treats(hetionet: Hetionet, disease: str, chance: random.Random) -> Asked:
    gold = hetionet.treats[disease]
    pools = {"gold": gold, "denied": hetionet.denied[disease]}
    pools["other compound"] = hetionet.of_kind("Compound")
    pools["wrong type"] = hetionet.of_kind("Disease", "Gene", "Side Effect")
    return _asked("treats", {"d": disease}, pools, chance)


def _treats_without(hetionet: Hetionet, disease: str, effect: str, chance: random.Random) -> Asked:
    causing = [x for x in hetionet.of_kind("Compound") if effect in hetionet.causes[x]]
    treating = hetionet.treats[disease]
    pools = {
        "gold": [x for x in treating if effect not in hetionet.causes[x]],
        "denied": hetionet.denied[disease],
        "excluded gold": [x for x in treating if effect in hetionet.causes[x]],
        "excluded other": [x for x in causing if x not in treating],
        "other compound": [
            x for x in hetionet.of_kind("Compound") if effect not in hetionet.causes[x]
        ],
        "wrong type": hetionet.of_kind("Disease", "Gene", "Side Effect"),
    }
    return _asked("treats_without", {"d": disease, "s": effect}, pools, chance)


def _asked(
    template: str, arguments: dict[str, str], pools: dict[str, list[str]], chance: random.Random
) -> Asked:
    """A question with candidates from each pool; none is drawn twice, earlier pools go first."""
    from kgverify import Candidate, Question

    kinds: dict[str, str] = {}
    for kind, pool in pools.items():
        left = [x for x in pool if x not in kinds]
        if kind == "other compound":
            taken = {x for earlier in pools for x in pools[earlier] if earlier in KINDS[:4]}
            left = [x for x in left if x not in taken]
        drawn = chance.sample(left, min(MIX.get(kind, len(left)), len(left)))
        kinds |= dict.fromkeys(drawn, kind)
    id_ = " ".join((template, *arguments.values()))
    names = list(kinds)
    chance.shuffle(names)
    return Asked(Question(id_, template, arguments, tuple(map(Candidate, names))), kinds)


# ---------------------------------------------------------------- evaluation


def _evaluate(asked: list[Asked], compared: common.Compared) -> dict[str, Any]:
    """Counts by kind of candidate, scores by policy."""
    judged = [(a.kinds[v.candidate], v) for a in asked for v in compared.verdicts[a.question.id]]
    kinds = {}
    for kind in KINDS:
        own = [v for k, v in judged if k == kind]
        if own:
            counts = {word: sum(v.verdict == word for v in own) for word in common.WORDS}
            kinds[kind] = counts | {"support": _mean(v.support for v in own)}
    return {
        "asked": len(asked),
        "candidates": len(judged),
        "kinds": kinds,
        "verdicts": {word: sum(v.verdict == word for _, v in judged) for word in common.WORDS},
        "support_of_gold": _mean(v.support for k, v in judged if k == "gold"),
        "support_of_others": _mean(v.support for k, v in judged if k != "gold"),
        "scores": {policy: _score(judged, policy)._asdict() for policy in POLICIES},
    }


def _score(judged: list[tuple[str, Verdict]], policy: str) -> Score:
    """Precision, recall and F1 over all candidates of all questions together."""
    keeps = {"none": common.WORDS, "filter": ("sat", "unk"), "strict": ("sat",)}[policy]
    kept = [kind for kind, v in judged if v.verdict in keeps]
    right, gold = kept.count("gold"), sum(kind == "gold" for kind, _ in judged)
    precision = right / len(kept) if kept else 0.0
    recall = right / gold if gold else 0.0
    total = precision + recall
    return Score(len(kept), precision, recall, 2 * precision * recall / total if total else 0.0)


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found) if found else 0.0


# ---------------------------------------------------------------- the report


def report(results: dict[str, Any]) -> str:
    """Everything, as plain text."""
    changed = results["changed_by_denied_facts"]
    parts = [_heading(results), "\n".join(KIND_LEGEND)]
    parts += [_question_report(name, found) for name, found in results["questions"].items()]
    parts.append(
        f"The {results['graph']['denied']} denied facts changed {sum(changed.values())} verdicts: "
        + (", ".join(f"{count} {change}" for change, count in changed.items()) or "none")
    )
    parts.append(common.engines_text(results))
    return "\n\n".join(parts)


def _heading(results: dict[str, Any]) -> str:
    graph = results["graph"]
    mix = ", ".join(f"{count} {kind}" for kind, count in MIX.items())
    return "\n".join(
        (
            f"Hetionet: {graph['triples']:,} triples, {graph['denied']:,} denied; store built in "
            f"{common.seconds(graph['build_seconds'])}, opened in "
            f"{common.seconds(graph['open_seconds'])}",
            f"{results['diseases']} diseases with at least {LEAST_TREATMENTS} treatments.  "
            "Candidates of a question: all curated non-indications,",
            f"and at most {mix}.",
            "Policy `none` keeps all candidates, `filter` drops viol, `strict` keeps sat alone.",
            "Gold is what the graph asserts and `denied` what it is told is false: these are right",
            "by construction, and how good a policy looks depends on the mix.",
        )
    )


def _question_report(name: str, found: dict[str, Any]) -> str:
    kinds = [
        (kind, *(f"{counts[word]:,}" for word in common.WORDS), f"{counts['support']:.3f}")
        for kind, counts in found["kinds"].items()
    ]
    kinds.append(("all", *(f"{found['verdicts'][word]:,}" for word in common.WORDS), ""))
    scores = [
        (policy, f"{s['kept']:,}", *(f"{s[m]:.3f}" for m in ("precision", "recall", "f1")))
        for policy, s in found["scores"].items()
    ]
    return "\n\n".join(
        (
            f"{name}: {found['asked']} questions, {found['candidates']:,} candidates; mean support "
            f"{found['support_of_gold']:.3f} of gold, {found['support_of_others']:.3f} of others",
            common.table(("candidates", *common.WORDS, "support"), kinds),
            common.table(("policy", "kept", "precision", "recall", "F1"), scores),
        )
    )


if __name__ == "__main__":
    main()
