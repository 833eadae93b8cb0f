"""The report of a run: every system's measures, the comparisons, and what was published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kgverify.evidence.synergy.gathering import SynergyEvidence
from kgverify.evidence.synergy.knowledge_base import KnowledgeBase
from kgverify.evidence.synergy.verbalising import path_text
from kgverify.experiments.markdown import interval, literally, number, paragraphs, table
from kgverify.experiments.plots import Bars, bars
from kgverify.experiments.runs import RunRecord
from kgverify.experiments.statistics import Interval
from kgverify.experiments.tgsrag.systems import HYBRID, NAIVE, SYNERGY

PLOT = "systems.svg"
_LEAST_P = 0.0001
_SHOWN = 3  # questions whose paths are shown
# What the paper's text says of its Tables 1 and 3: strict hit rate, support precision, F1.
PUBLISHED = (
    ("MuSiQue", "Hybrid RAG (Naive RAG virtually the same)", 0.1423, None, None),
    ("MuSiQue", "KG²RAG", 0.0910, None, None),
    ("MuSiQue", "TGS-RAG", 0.3484, None, None),
    ("HotpotQA", "TGS-RAG", 0.6200, 0.2741, 0.2606),
    ("HotpotQA", "TGS-RAG without re-ranking", 0.5265, None, 0.2408),
    ("HotpotQA", "TGS-RAG without bridging", 0.4782, None, None),
)


def report(
    results: Mapping[str, Any],
    record: RunRecord,
    plots: Sequence[str],
    base: KnowledgeBase,
    evidence: Sequence[SynergyEvidence],
) -> str:
    """The whole report, as Markdown."""
    parts = [
        "# Text-graph synergy",
        _about(results, record),
        "## Systems",
        _systems(results),
        "## By hops",
        _hops(results["systems"]),
        "## Side by side",
        "Differences are the first minus the second, with paired bootstrap intervals. *only one*: "
        "questions that only the first hits, and only the second; p is McNemar's, exact. Nothing "
        "is corrected for the number of comparisons.",
        _comparisons(results["comparisons"]),
        _analysis(results),
    ]
    parts += [f"![{name}]({name})" for name in plots]
    parts += ["## Published", _published(), "## Paths", _paths(base, evidence)]
    return paragraphs(*parts) + "\n"


def drawn(results: Mapping[str, Any]) -> dict[str, str]:
    """The strict hit rate and F1 of all systems as bars."""
    found = results["systems"]
    series = [
        Bars("strict hit rate", [one["hit"]["mean"] for one in found.values()]),
        Bars("support F1", [one["f1"]["mean"] for one in found.values()]),
    ]
    return {PLOT: bars("Retrieval by system", list(found), series)}


def _about(results: Mapping[str, Any], record: RunRecord) -> str:
    graph, search, options = results["graph"], results["search"], record.options
    part = " (a sample, drawn by the seed)" if record.quick else ""
    retrievers = "; ".join(f"*{name}* is {one}" for name, one in options["retrievers"].items())
    return (
        f"{options['questions']} questions{part}, {graph['passages']:,} passages. The graph is "
        f"made of {graph['from']}: {graph['entities']:,} entities, {graph['links']:,} links, "
        f"{number(graph['mentions_of_a_passage'])} entities mentioned in a passage. {retrievers}; "
        f"entities are compared by {options['likeness']}. α {options['alpha']:g}, "
        f"ε {options['epsilon']:g}, K {options['beam']}, depth {options['depth']}; at most "
        f"{options['passages']} passages, {options['paths']} paths and {options['bridges']} "
        f"bridges. kgverify {record.kgverify}.\n\n"
        f"A search begins at {number(search['seeds'], 1)} entities and sees "
        f"{number(search['visited'], 1)}; it returns {number(search['returned_paths'], 1)} paths, "
        f"and none at all for {search['without_paths']} questions. The first passages mention "
        f"{number(search['orphans'], 1)} entities that these paths lack, and the search saw "
        f"{number(search['orphans_seen'], 1)} of them.\n\n"
        "*Documents*: passages that are given, or that paths stand for. *SHR*: the share of "
        "questions with every gold passage among them. *as many as*: the best passages of a "
        "retriever, for each question as many as that synergy has documents."
    )


def _systems(results: Mapping[str, Any]) -> str:
    rows = [
        (
            name,
            number(one["documents"], 1),
            interval(Interval(**one["hit"]), 3),
            number(one["precision"], 3),
            number(one["recall"], 3),
            interval(Interval(**one["f1"]), 3),
        )
        for name, one in results["systems"].items()
    ]
    headers = ("system", "documents", "SHR", "support precision", "recall", "F1")
    return table(headers, rows)


def _hops(systems: Mapping[str, Any]) -> str:
    hops = list(next(iter(systems.values()))["hops"])
    questions = next(iter(systems.values()))["hops"]
    headers = ["SHR"] + [f"{h} hops ({questions[h]['questions']})" for h in hops]
    rows = [
        (name, *(number(one["hops"][hop]["hit"], 3) for hop in hops))
        for name, one in systems.items()
    ]
    return table(headers, rows)


def _comparisons(comparisons: Sequence[Mapping[str, Any]]) -> str:
    rows = [
        (
            one["ours"],
            one["theirs"],
            interval(Interval(**one["hit"]), 3),
            f"{one['only_ours']} : {one['only_theirs']}",
            number(one["p"], 4) if one["p"] >= _LEAST_P else f"< {_LEAST_P}",
            interval(Interval(**one["f1"]), 3),
        )
        for one in comparisons
    ]
    return table(("first", "second", "SHR", "only one", "p", "F1"), rows)


def _analysis(results: Mapping[str, Any]) -> str:
    """Whether anything is left of the gain at an equal number of documents, in words."""
    beside = {one["theirs"]: one for one in results["comparisons"] if one["ours"] == SYNERGY}
    return " ".join(
        f"Beside *{name}* with its few passages the synergy's strict hit rate is "
        f"{_more(beside[name])}; beside *{name}* with as many documents as the synergy it is "
        f"{_more(beside[f'{name}, as many as {SYNERGY}'])}."
        for name in (NAIVE, HYBRID)
        if name in beside
    )


def _more(compared: Mapping[str, Any]) -> str:
    found = Interval(**compared["hit"])
    if found.mean is None or found.low is None or found.high is None:
        return "not to be told from one question"
    way = "higher" if found.mean > 0 else "lower" if found.mean < 0 else "the same"
    clear = found.low > 0 or found.high < 0
    by = "" if way == "the same" else f" by {number(abs(found.mean), 3)}"
    doubt = "" if clear else ", which chance may have done"
    return f"{way}{by}{doubt}"


def _published() -> str:
    rows = [
        (data, name, number(hit, 4), number(precision, 4), number(f1, 4))
        for data, name, hit, precision, f1 in PUBLISHED
    ]
    return (
        "From the text of the paper, whose graph a language model made and whose vectors are those "
        "of Qwen3-Embedding-0.6B, on other samples of the questions:\n\n"
        + table(("data", "system", "SHR", "support precision", "F1"), rows)
    )


def _paths(base: KnowledgeBase, evidence: Sequence[SynergyEvidence]) -> str:
    """The first path and bridge of some questions."""
    lines = []
    for found in [e for e in evidence if e.paths or e.bridges][:_SHOWN]:
        lines.append(f"- {literally(found.query.text)}")
        for kind, scored in (("path", found.paths), ("bridge", found.bridges)):
            lines += [f"  - {kind}: {literally(path_text(base, s.path))}" for s in scored[:1]]
    return "\n".join(lines) or "No question has a path."
