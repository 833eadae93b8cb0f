"""The whole run: read the questions, count, compare with the rule file and with a graph, write."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from kgverify import resources
from kgverify.experiments.gog.breaks import broken_declarations, readings, shared_members
from kgverify.experiments.gog.covering import (
    NAMED,
    Cover,
    coverage,
    listed,
    schema_name,
)
from kgverify.experiments.gog.measuring import level_measures, level_overlaps
from kgverify.experiments.gog.questions import GogFile, read_folder
from kgverify.experiments.gog.sameness import Sameness
from kgverify.experiments.runs import (
    RunRecord,
    check_place,
    file_hash,
    names_of,
    packages,
    require,
    rounded,
    text_hash,
    write_run,
)
from kgverify.graph import Graph, Options, open_graph
from kgverify.language.rulebook import RuleBook

RULES = "freebase.kgr"
QUICK = 100  # questions of each file
# Readings that FB15k-237 can be asked about: the paper's four, with its joined spouses.
_READ = (*map(schema_name, NAMED), "/people/person/spouse_s./people/marriage/spouse")


def run(
    data: Path,
    kg: Sequence[Path],
    out: Path,
    quick: bool,
    progress: Callable[[str], None],
) -> RunRecord:
    """Measures the question files of a folder, and the declarations on a graph if there is one, and
    writes the folder `out`.

    Raises KgverifyError when a package, a file or a place to write is missing or a file wrong."""
    require("matplotlib")
    check_place(out)
    from kgverify.experiments.gog.report import drawn, report
    from kgverify.language.checks import load_rules_text

    text = resources.text("rules", RULES)
    book = load_rules_text(text, RULES)
    progress("reading the questions")
    files = read_folder(data)
    named = names_of(file.path for file in files)
    named |= names_of(kg, named)
    record = RunRecord(
        experiment="gog",
        quick=quick,
        seeds=(),
        options={"questions": QUICK if quick else "all"},
        inputs={name: file_hash(path) for name, path in named.items()}
        | {f"rules/{RULES}": text_hash(text)},
        packages=packages("lark", "numpy", "matplotlib"),
    )
    # What is exchanged is learned from all questions, also where few are counted.
    sameness = Sameness(question.deleted for file in files for question in file.questions)
    if quick:
        files = [replace(file, questions=file.questions[:QUICK]) for file in files]
    results: dict[str, Any] = {"sameness": _groups(sameness)}
    results["datasets"] = {
        dataset: _measured([f for f in files if f.dataset == dataset], sameness, book)
        for dataset in sorted({file.dataset for file in files})
    }
    if kg:
        progress("reading the graph")
        results["graph"] = _on_graph(kg, book)
    results = rounded(results)
    plots = drawn(results)
    write_run(out, record, results, report(results, record, list(plots)), plots)
    return record


def _groups(sameness: Sameness) -> dict[str, Any]:
    groups = sameness.groups.values()
    sizes = sorted({len(group) for group in groups})
    return {
        "relations": sum(map(len, groups)),
        "groups": {str(size): sum(len(g) == size for g in groups) for size in sizes},
        "larger": [list(group) for group in groups if len(group) > 2],
        "pairs": [list(group) for group in groups if len(group) == 2],
    }


def _measured(files: Sequence[GogFile], sameness: Sameness, book: RuleBook) -> dict[str, Any]:
    cover = Cover(book)
    levels = [file for file in files if file.level is not None]
    return {
        "files": [
            {
                "file": file.path.name,
                "level": file.level,
                "questions": len(file.questions),
                "answers": sum(len(q.gold.answers) for q in file.questions),
                "topics": sum(len(q.topics) for q in file.questions),
            }
            for file in files
        ],
        "levels": {
            str(file.level): level_measures(file, sameness)
            | {"coverage": coverage(file, levels, sameness, cover)}
            for file in levels
        },
        "overlaps": level_overlaps(levels),
        "graph": _declarations(_graph_of(levels), book),
    }


def _graph_of(files: Sequence[GogFile]) -> Graph:
    """All listed triples as a graph, with the names of the rule file."""
    triples = {triple for found in listed(files).values() for triple in found}
    names = {id_: name for f in files for q in f.questions for id_, name in q.names.items()}
    return Graph.from_triples(
        [(f"e{t.subject}", schema_name(t.relation), f"e{t.object}") for t in sorted(triples)],
        labels=[(f"e{id_}", name) for id_, name in sorted(names.items())],
    )


def _on_graph(kg: Sequence[Path], book: RuleBook) -> dict[str, Any]:
    graph = open_graph(list(kg), Options(literal_relations=book.literal_relations))
    return _declarations(graph, book) | {"readings": readings(graph, _READ)}


def _declarations(graph: Graph, book: RuleBook) -> dict[str, Any]:
    return {
        "facts": len(graph.facts),
        "relations": len(graph.relations),
        "declared": sum(graph.relation_id(book.kg_name(n)) >= 0 for n in book.relations),
        "declarations": broken_declarations(graph, book),
        "shared": shared_members(graph, book),
    }
