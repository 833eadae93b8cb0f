"""The report of a run: our row beside the published one, and what it rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kgverify.experiments.markdown import literally, number, paragraphs, table
from kgverify.experiments.plots import Bars, Line, Panel, bars, svg
from kgverify.experiments.runs import RunRecord, slugs

# Table 5 of the paper: Hits@Any, HHR, F1 of GoG.
PUBLISHED = {
    "Family, complete": (0.60, 0.96, 0.48),
    "Family, incomplete": (0.58, 0.28, 0.36),
    "FB15k-237, complete": (0.46, 0.57, 0.26),
    "FB15k-237, incomplete": (0.20, 0.23, 0.11),
}
_COLUMNS = {
    "hits_any": "Hits@Any",
    "hits_hard": "Hits@Hard",
    "hhr": "HHR",
    "precision": "precision",
    "recall": "recall",
    "f1": "F1",
    "micro_f1": "micro F1",
}
_SAID = {
    "lookup": "what the graph says",
    "all rules": "and all that rules say",
    "by F1": "and what scores enough, chosen by F1",
    "chosen": "and what scores enough",
}
_GRAPHS = ("incomplete", "complete")
Results = Mapping[str, Mapping[str, Any]]


def report(results: Results, record: RunRecord, plots: Mapping[str, str]) -> str:
    """The whole report, as Markdown."""
    parts = ["# Questions on incomplete graphs, answered with mined rules", _about(record)]
    parts += ["## Beside the published row", _summary(results), _published()]
    file_of = slugs(results)
    for name, found in results.items():
        slug = file_of[name]
        parts += [f"## {literally(name)}", _methods(found), _chosen(found)]
        parts += [
            f"![{literally(plot)}]({plot})"
            for plot in plots
            if plot in (_curve(slug), _types(slug))
        ]
        parts += ["### By type of rule", _by_type(found), "### Ways to score", _settings(found)]
    return paragraphs(*parts) + "\n"


def _about(record: RunRecord) -> str:
    part = " A sample of the questions, drawn by the seed." if record.quick else ""
    return (
        "Each question names a topic and a relation, and asks for the other end. Its hard answer's "
        "triple is removed from the incomplete graph. Answers are what the graph says, and what "
        "rules predict that were mined from this graph alone, with scores by their confidence. "
        "How they are scored, and from which score on they count, is chosen on the validation "
        "questions: of all settings whose F1 is at most one standard error below the best one, "
        "that with the most hard answers. What the graph's other relations of a pair exclude is "
        "left out. *Chosen by F1* is the setting with the best F1, with nothing left out. The "
        f"table is of the test questions.{part} kgverify {record.kgverify}; "
        f"rules of up to {record.options['length']} atoms. Rules are evaluated one by one "
        "(`kgverify.mining.evaluation`); the verifier, which has them as soft statements, agrees "
        "on every candidate: what the graph says is sat, all else open, and as plausible; and what "
        "is drawn of all the rest is open and not plausible. "
        "`…-incomplete.jsonl` and `…-complete.jsonl` have the predictions, as `kgverify score` "
        "reads them. On the complete graph the right answers are what the graph says, so that its "
        "rows show only what rules add wrongly."
    )


def _methods(found: Mapping[str, Any]) -> str:
    rows = [
        (f"{graph}: {_SAID[method]}", *(number(measured[key], 3) for key in _COLUMNS))
        for graph in _GRAPHS
        for method, measured in found[graph]["methods"].items()
    ]
    return table(("graph and answers", *_COLUMNS.values()), rows)


def _chosen(found: Mapping[str, Any]) -> str:
    said = []
    for graph in _GRAPHS:
        of, left = found[graph], found[graph]["excluded"]
        said.append(
            f"{graph.capitalize()} graph: {of['rules']:,} rules, {of['questions']['test']:,} test "
            f"questions; chosen on {of['questions']['valid']:,}: {_setting(of['chosen'])}; by F1: "
            f"{_setting(of['by_f1'])}. Of the predictions {left['predictions']:,} are left out, "
            f"{left['right']:,} of them right. The "
            f"verifier agrees on {of['verified']['candidates']:,} candidates of "
            f"{of['verified']['questions']:,} different questions, and on "
            f"{of['verified']['others']:,} other things that are neither known nor predicted."
        )
    return " ".join(said)


def _setting(found: Mapping[str, Any]) -> str:
    if found["known"] is found["unknown"] is None:
        return f"{_way(found)}, nothing is added"
    return (
        f"{_way(found)}, from {_at(found['known'])} on where the graph knows an answer, from "
        f"{_at(found['unknown'])} on where it knows none"
    )


def _at(threshold: float | None) -> str:
    return "no score" if threshold is None else f"{threshold:g}"


def _way(setting: Mapping[str, Any]) -> str:
    names = {
        "confidence": "standard confidence",
        "pca_topic": "PCA confidence on the topic's side",
        "pca_subject": "PCA confidence on the subject's side",
        "pca_object": "PCA confidence on the object's side",
    }
    how = {"max": "the greatest", "noisy-or": "noisy-or"}
    return f"{names[setting['scoring']]}, {how[setting['combination']]}"


def _by_type(found: Mapping[str, Any]) -> str:
    rows = []
    for graph in _GRAPHS:
        types = found[graph]["by_type"]
        for type_, measured in types["chosen"].items():
            plain = types["lookup"][type_]
            rows.append(
                (
                    f"{graph}: {literally(type_)}",
                    f"{measured['questions']:,}",
                    number(plain["hhr"], 3),
                    number(measured["hhr"], 3),
                    number(plain["f1"], 3),
                    number(measured["f1"], 3),
                )
            )
    columns = ("questions", "HHR, lookup", "HHR, chosen", "F1, lookup", "F1, chosen")
    return table(("graph and type", *columns), rows)


def _settings(found: Mapping[str, Any]) -> str:
    rows = []
    for graph in _GRAPHS:
        for setting in found[graph]["settings"]:
            rows.append(
                (
                    f"{graph}: {_way(setting)}{', excluding' if setting['excluding'] else ''}",
                    f"{_at(setting['known'])}, {_at(setting['unknown'])}",
                    *(number(setting[key], 3) for key in ("valid_f1", "f1", "hhr", "hits_any")),
                )
            )
    columns = ("thresholds", "F1, validation", "F1, test", "HHR, test", "Hits@Any, test")
    return table(("graph and way", *columns), rows)


def _summary(results: Results) -> str:
    keys = ("hits_any", "hits_hard", "hhr", "f1")
    rows = []
    for name, found in results.items():
        for graph in _GRAPHS:
            for method, said in (("chosen", ""), ("by F1", ", chosen by F1")):
                measured = found[graph]["methods"][method]
                rows.append(
                    (
                        f"kgverify: {literally(name)}, {graph}{said}",
                        *(number(measured[k], 3) for k in keys),
                    )
                )
    for name, (hits_any, hhr, f1) in PUBLISHED.items():
        rows.append((f"GoG, published: {name}", number(hits_any), "", number(hhr), number(f1)))
    return table(("", *(_COLUMNS[key] for key in keys)), rows)


def _published() -> str:
    return (
        "The paper's benchmarks are not at hand: ours are built by its recipe, with other "
        "groundings drawn. GoG is a language model that answers questions in plain words without "
        "having seen others; here topic and relation are given, rules are mined and a threshold is "
        "chosen. So the rows say how much of the missing can be inferred, and not which system is "
        "better."
    )


# ---------------------------------------------------------------- plots


def _curve(slug: str) -> str:
    return f"{slug}-thresholds.svg"


def _types(slug: str) -> str:
    return f"{slug}-types.svg"


def drawn(results: Results) -> dict[str, str]:
    """F1 by threshold, and HHR by type of rule, of each benchmark."""
    plots = {}
    for name, slug in slugs(results).items():
        found = results[name]
        plots[_curve(slug)] = svg([_panel(name, graph, found[graph]) for graph in _GRAPHS], 2)
        types = found["incomplete"]["by_type"]
        labels = sorted(types["chosen"])
        if labels:
            plots[_types(slug)] = bars(
                f"HHR on the incomplete graph: {name}", labels, _type_bars(types, labels)
            )
    return plots


def _panel(name: str, graph: str, found: Mapping[str, Any]) -> Panel:
    curve = found["by_threshold"]
    lines = [
        Line(label, curve["threshold"], curve[part], style="-")
        for part, label in (("valid", "validation"), ("test", "test"))
    ]
    return Panel(f"{name}, {graph}: {_way(found['chosen'])}", "threshold", "F1", lines)


def _type_bars(types: Mapping[str, Any], labels: Sequence[str]) -> list[Bars]:
    return [
        Bars(_SAID[method], [types[method][label]["hhr"] or 0.0 for label in labels])
        for method in ("lookup", "chosen")
    ]
