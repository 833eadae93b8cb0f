"""The report of a run: what was deleted, and what the rule file could say against a wrong edge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kgverify.experiments.gog.covering import AT_A_TIME, FUNCTIONAL, KINDS, ORDER
from kgverify.experiments.markdown import UNDEFINED, literally, number, paragraphs, table
from kgverify.experiments.plots import Bars, bars
from kgverify.experiments.runs import RunRecord

_TITLES = {"cwq": "CWQ", "webqsp": "WebQSP"}
_MOST = 25  # relations shown, of the highest level
_WAYS = {
    "all": "all",
    "declared": "declared in freebase.kgr",
    FUNCTIONAL: "functional or inverse functional",
    "functional_named": "… with names at both ends",
    AT_A_TIME: "functional at a time",
    ORDER: "asymmetric or irreflexive",
    "without_kinds": "any of these",
    KINDS: "class of an argument excludes others",
    "any": "any way",
    "named": "of the paper's four named relations",
    "substrings": "… as substrings of names",
    "filled": "functional, and another value is kept",
}
_PLOTTED = {
    FUNCTIONAL: "functional by freebase.kgr",
    "functional_named": "… with names at both ends",
    "substrings": "the paper's four, as substrings",
}


def report(results: Mapping[str, Any], record: RunRecord, plots: Sequence[str]) -> str:
    """The whole report, as Markdown."""
    parts = ["# GoG's questions: what was deleted, and what rules can defend", _about(record)]
    parts += ["## What is one", _sameness(results["sameness"])]
    for dataset, found in results["datasets"].items():
        parts.append(f"## {_TITLES[dataset]}")
        parts.append(_files(found["files"]))
        levels = {name: level for name, level in found["levels"].items() if level["triples"]}
        if not levels:
            parts.append("No file of this data set lists deleted triples.")
            continue
        parts += ["### What was deleted", _levels(levels), _split(levels, "by_hops", "hops")]
        parts += [_split(levels, "by_kind", "kind of question"), _relations(levels)]
        parts += ["### Between levels", _overlaps(found["overlaps"])]
        parts += ["### What rules could refute", _coverage(levels, "facts")]
        parts += [f"![{dataset}]({dataset}.svg)" if f"{dataset}.svg" in plots else ""]
        parts += ["The same of links, each by any of its facts:", _coverage(levels, "links")]
        parts += [_what_is_not_known(), _on_lists(found["graph"])]
    if "graph" in results:
        parts += ["## The declarations on a graph", _graph(results["graph"])]
    return paragraphs(*parts) + "\n"


def drawn(results: Mapping[str, Any]) -> dict[str, str]:
    """A plot of the coverage for each data set that lists deleted triples."""
    found = {}
    for dataset, measured in results["datasets"].items():
        levels = {name: level for name, level in measured["levels"].items() if level["triples"]}
        if levels:
            series = [
                Bars(shown, [_share(level, way) or 0.0 for level in levels.values()])
                for way, shown in _PLOTTED.items()
            ]
            title = f"Share of deleted facts, by share deleted: {_TITLES[dataset]}"
            found[f"{dataset}.svg"] = bars(title, list(levels), series)
    return found


def _share(level: Mapping[str, Any], way: str) -> float | None:
    counts = level["coverage"]["facts"]
    return counts[way] / counts["all"] if counts["all"] else None


def _about(record: RunRecord) -> str:
    part = " Only the first questions of each file are counted." if record.quick else ""
    return (
        "The files list, for each question, the triples that GoG's experiment deletes from "
        f"Freebase at a share of deletion.{part} kgverify {record.kgverify}.\n\n"
        "*Triple*: one that is listed. *Fact*: triples that say the same from both ends are one. "
        "*Link*: two ends, with all that is listed between them. *Mediated*: an end of the link "
        "has no name. What two questions lose counts twice."
    )


def _sameness(found: Mapping[str, Any]) -> str:
    sizes = ", ".join(f"{n} of {size}" for size, n in found["groups"].items())
    parts = [
        f"The {found['relations']} relations of the lists fall into groups by how they are "
        f"exchanged: {sizes or 'none'}. Two are exchanged where each triple of the one stands "
        "beside one of the other with its ends exchanged, in the same question, and the other way "
        "round."
    ]
    if found["larger"]:
        listed = "\n".join(
            "- " + ", ".join(f"`{name}`" for name in group) for group in found["larger"]
        )
        parts.append("Not told apart, since they always occur together:\n\n" + listed)
    return paragraphs(*parts)


def _files(files: Sequence[Mapping[str, Any]]) -> str:
    rows = [
        (
            literally(f["file"]),
            f["level"] or UNDEFINED,
            *(f"{f[k]:,}" for k in ("questions", "topics", "answers")),
        )
        for f in files
    ]
    return table(("file", "share deleted", "questions", "topics", "answers"), rows)


def _levels(levels: Mapping[str, Any]) -> str:
    rows = []
    for name, found in levels.items():
        links = found["links"]
        rows.append(
            (
                name,
                *(f"{found[key]:,}" for key in ("triples", "facts", "links")),
                _of(found["one_way"], found["facts"]),
                _of(found["losing"], found["questions"]),
                _of(found["losing_more"], found["questions"]),
                number(links / found["losing"] if found["losing"] else None, 1),
                _of(found["mediated"], links),
            )
        )
    headers = ("deleted", "triples", "facts", "links", "facts listed from one end")
    more = ("questions that lose", "… two links or more", "links a losing question", "mediated")
    return table((*headers, *more), rows)


def _split(levels: Mapping[str, Any], key: str, title: str) -> str:
    (first, *_) = levels.values()
    rows = []
    for name, counts in first[key].items():
        cells = []
        for found in levels.values():
            part = found[key][name]
            cells.append(f"{_of(part['losing'], part['questions'])} / {_of_links(part)}")
        rows.append((literally(name), f"{counts['questions']:,}", *cells))
    return "Share of the questions that lose / links for each question:\n\n" + table(
        (title, "questions", *levels), rows
    )


def _of_links(part: Mapping[str, int]) -> str:
    return number(part["links"] / part["questions"] if part["questions"] else None, 1)


def _relations(levels: Mapping[str, Any]) -> str:
    (*_, highest) = levels
    counted = {
        name: {tuple(row["relations"]): row["facts"] for row in found["by_relation"]}
        for name, found in levels.items()
    }
    shown = list(counted[highest])[:_MOST]
    rows = [
        (" ⇄ ".join(f"`{r}`" for r in group), *(f"{c.get(group, 0):,}" for c in counted.values()))
        for group in shown
    ]
    said = f"Facts by relation: the first {len(shown)} of {len(counted[highest])} groups."
    return paragraphs(said, table(("relations", *levels), rows))


def _overlaps(overlaps: Sequence[Mapping[str, Any]]) -> str:
    rows = [
        (
            f"{o['lower']} in {o['higher']}",
            f"{o['links']:,}",
            _of(o["common"], o["links"]),
            _of(o["within"], o["losing"]),
            _of(o["same_triples"], o["common"]),
        )
        for o in overlaps
        if o["links"]
    ]
    headers = ("levels", "links", "also deleted at the higher", "questions with all of them")
    return table((*headers, "common links with the same triples"), rows)


def _coverage(levels: Mapping[str, Any], key: str) -> str:
    counts = {name: found["coverage"][key] for name, found in levels.items()}
    rows = []
    for way, title in _WAYS.items():
        if way == "all":
            rows.append((title, *(f"{c[way]:,}" for c in counts.values())))
        else:
            rows.append((title, *(_of(c[way], c["all"]) for c in counts.values())))
    return table((key, *levels), rows)


def _what_is_not_known() -> str:
    return (
        "*What this can't say*: in what share a wrong object would be refuted. A functional "
        "relation refutes an object by another value of the same subject; at a deleted fact that "
        "value is what was deleted, so nothing is left to refute by (*another value is kept*). "
        "What could speak is what the graph says of the wrong object: that it belongs to another "
        "subject, or to another class. The files have no graph, so no share is given. Nor is the "
        "paper's list known: it names four of fifteen functional relations, and none of ten "
        "substrings. What those four would cover is a lower bound of what its check covers."
    )


def _on_lists(found: Mapping[str, Any]) -> str:
    """What the rule file declares, on the listed triples themselves."""
    rows = [row for row in found["declarations"] if row["property"] != "symmetric"]
    broken = [row for row in rows if row["broken"]]
    single = [row for row in rows if row["property"] in ("functional", "inverse_functional")]
    said = (
        f"The listed triples as a graph: {found['facts']:,} different ones. "
        f"{len(single)} of their relations are functional or inverse functional, by themselves or "
        f"by their inverse, and that is said {sum(row['of'] for row in single):,} times. Of all "
        f"{len(rows)} properties {len(broken) or 'none'} fail somewhere, and "
        f"{len(found['shared']) or 'no'} pairs of disjoint classes share a member by signatures."
    )
    return paragraphs(said, _properties(broken) if broken else "", _shared(found["shared"]))


def _graph(found: Mapping[str, Any]) -> str:
    head = (
        f"The graph has {found['facts']:,} facts in {found['relations']:,} relations; "
        f"{found['declared']} of the rule file's relations are among them. *Broken* counts "
        "subjects of functional relations, objects of inverse functional ones, facts of the "
        "others. A symmetric relation of which one direction is not stated is no contradiction."
    )
    read = [(f"`{row['relation']}`", *_broken(row)) for row in found["readings"]]
    return paragraphs(
        head,
        _properties(found["declarations"]),
        "The paper's reading, by which each of these is functional:" if read else "",
        table(("relation", "subjects", "broken", "examples"), read) if read else "",
        _shared(found["shared"]),
    )


def _properties(declarations: Sequence[Mapping[str, Any]]) -> str:
    rows = [
        (f"`{row['relation']}`", row["property"].replace("_", " "), *_broken(row))
        for row in declarations
    ]
    return table(("relation", "declared", "of", "broken", "examples"), rows)


def _shared(shared: Sequence[Mapping[str, Any]]) -> str:
    rows = [
        (
            " and ".join(row["classes"]),
            " and ".join(f"{n:,}" for n in row["of"]),
            f"{row['broken']}",
            ", ".join(map(literally, row["examples"])),
        )
        for row in shared
    ]
    if not rows:
        return ""
    said = "Disjoint classes that share members by signatures:"
    return paragraphs(said, table(("classes", "members", "in both", "examples"), rows))


def _broken(row: Mapping[str, Any]) -> tuple[str, str, str]:
    examples = "; ".join(
        f"{literally(one)}: {', '.join(map(literally, others))}" for one, *others in row["examples"]
    )
    return f"{row['of']:,}", f"{row['broken']:,}", examples


def _of(part: int, whole: int) -> str:
    return number(100 * part / whole, 1) + " %" if whole else UNDEFINED
