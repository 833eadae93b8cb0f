"""CoDEx-S: its human-checked hard negatives as denied facts, and as many true triples.

A triple is asked about with the shipped rule file's question that is exactly about its relation, or
else with one that is made for the relation.
"""

from __future__ import annotations

import gzip
import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import common

if TYPE_CHECKING:
    from kgverify import Question, RuleBook

SEED = 20_240_503
QUICK_TRIPLES = 60
GRAPH = ("train.txt.gz", "valid.txt", "test.txt", "labels.tsv", "entity_types.tsv")
NEGATIVES = ("valid_negatives.txt", "test_negatives.txt")

Triple = tuple[str, str, str]
Statuses = dict[tuple[str, str], tuple[str, bool]]  # verdict, and whether evidence conflicts


class Template(NamedTuple):
    """A question about a relation: its parameter, and whether the answer is the subject."""

    name: str
    parameter: str
    answer_is_subject: bool
    made: bool


class Case(NamedTuple):
    """A triple as a candidate of a question."""

    question: str
    candidate: str
    is_true: bool
    made: bool


def measure(data: Path, folder: Path, quick: bool, repeat: int) -> dict[str, Any]:
    """Build, ask, verify with both engines, count."""
    from kgverify import build_store, load_rules_text, open_graph

    triples = sorted({t for name in GRAPH[:3] for t in read(data / name)})
    negatives = sorted({t for name in NEGATIVES for t in read(data / name)})
    sources = [data / name for name in GRAPH]
    summary = build_store(sources, folder / "codex", denied=[data / name for name in NEGATIVES])
    chance = random.Random(SEED)
    if quick:
        negatives = sorted(chance.sample(negatives, QUICK_TRIPLES))
    true = sorted(chance.sample(triples, len(negatives)))
    text, templates = with_questions({t[1] for t in (*negatives, *true)})
    rules = load_rules_text(text, "codex.kgr")
    questions, cases = ask(negatives, true, templates)
    graph = open_graph(folder / "codex")
    compared = common.compare_engines(graph, rules, questions, repeat)
    statuses: Statuses = {
        (question, v.candidate): (v.verdict, _conflict(v))
        for question, verdicts in compared.verdicts.items()
        for v in verdicts
    }
    return {
        "graph": {
            "triples": summary.facts,
            "denied": summary.denied,
            "build_seconds": summary.seconds,
        },
        "questions": len(questions),
        "true": _count([c for c in cases if c.is_true], statuses),
        "negative": _count([c for c in cases if not c.is_true], statuses),
        **compared.as_json(),
    }


def read(path: Path) -> Iterator[Triple]:
    """The triples of a file."""
    with path.open("rb") as packed:
        lines = gzip.GzipFile(fileobj=packed) if path.suffix == ".gz" else packed
        for line in lines:
            subject, relation, object_ = line.decode().rstrip("\n").split("\t")
            yield subject, relation, object_


def _conflict(verdict: Any) -> bool:
    """Is there evidence on both sides of a constraint?"""
    return "unk" in verdict.statuses.values() and any(
        constraint.reason == "conflict" for constraint in verdict.constraints
    )


def _count(cases: list[Case], statuses: Statuses) -> dict[str, int]:
    found = [statuses.get((c.question, c.candidate), ("refused", False)) for c in cases]
    return {
        "triples": len(cases),
        "with_a_made_question": sum(case.made for case in cases),
        **{word: sum(verdict == word for verdict, _ in found) for word in common.WORDS},
        "conflict": sum(verdict == "unk" and conflict for verdict, conflict in found),
        "refused": sum(verdict == "refused" for verdict, _ in found),
    }


# ---------------------------------------------------------------- questions


def with_questions(relations: set[str]) -> tuple[str, dict[str, Template]]:
    """The shipped rule file, with a question for every relation that has none of its own; and the
    question for each relation."""
    from kgverify import load_rules_text
    from kgverify.resources import text as resource

    text = resource("rules", "codex.kgr")
    book = load_rules_text(text, "codex.kgr")
    names = {book.kg_name(name): name for name in book.relations}
    templates = {}
    added = ["", "class Anything"]
    for relation in sorted(relations):
        name = names.get(relation)
        template = name and _fitting(book, name)
        if template:
            templates[relation] = template
            continue
        classes = ["Anything", "Anything"]
        if name:
            declared = book.relations[name]
            classes = [declared.domain.text, declared.range.text]
        else:
            name = f"made_{relation}"
            added.append(f'relation {name} = "{relation}" (Anything, Anything)')
        added.append(
            f'question ask_{relation}(s: {classes[0]}) "What is {{s}} to {relation}?"\n'
            f"    answer x : {classes[1]}\n    require {name}(s, x)"
        )
        templates[relation] = Template(f"ask_{relation}", "s", False, True)
    return text + "\n".join(added) + "\n", templates


def _fitting(book: RuleBook, relation: str) -> Template | None:
    """The question that requires nothing but this relation, between the classes that it is declared
    for."""
    declared = book.relations[relation]
    for name, question in book.questions.items():
        terms = [getattr(item.condition, "terms", ()) for item in question.items]
        atoms = [getattr(item.condition, "atom", None) for item in question.items]
        if len(question.parameters) != 1 or len(atoms) != 1:
            continue
        if getattr(getattr(atoms[0], "relation", None), "text", "") != relation:
            continue
        (parameter,) = question.parameters
        places = tuple(term.text for term in terms[0])
        classes = {parameter.name.text: parameter.type, question.answer.text: question.answer_class}
        if [classes[place].text for place in places] == [declared.domain.text, declared.range.text]:
            is_subject = places[0] == question.answer.text
            return Template(name, parameter.name.text, is_subject, False)
    return None


def ask(
    negatives: list[Triple], true: list[Triple], templates: dict[str, Template]
) -> tuple[list[Question], list[Case]]:
    """One question for each relation and argument, and every triple as one of its candidates."""
    from kgverify import Candidate, Question

    candidates: dict[tuple[Template, str], list[str]] = defaultdict(list)
    cases = []
    for triple, is_true in [(t, False) for t in negatives] + [(t, True) for t in true]:
        template = templates[triple[1]]
        argument, candidate = triple[2], triple[0]
        if not template.answer_is_subject:
            argument, candidate = candidate, argument
        candidates[template, argument].append(candidate)
        cases.append(Case(f"{template.name} {argument}", candidate, is_true, template.made))
    questions = [
        Question(
            f"{template.name} {argument}",
            template.name,
            {template.parameter: argument},
            tuple(map(Candidate, dict.fromkeys(found))),
        )
        for (template, argument), found in candidates.items()
    ]
    return questions, cases


# ---------------------------------------------------------------- the report


def as_it_must_be(results: dict[str, Any]) -> bool:
    """Do the engines agree, and is every negative refuted but for conflicts?"""
    negative = results["negative"]
    refuted = negative["viol"] + negative["conflict"] == negative["triples"]
    return common.engines_agree(results) and refuted


def report(results: dict[str, Any]) -> str:
    """Everything, as plain text."""
    graph = results["graph"]
    columns = ("triples", "with_a_made_question", *common.WORDS, "conflict", "refused")
    rows = [
        (kind, *(f"{results[kind][column]:,}" for column in columns))
        for kind in ("negative", "true")
    ]
    headers = ("", "triples", "made question", *common.WORDS, "of these conflict", "refused")
    return "\n\n".join(
        (
            f"CoDEx-S: {graph['triples']:,} triples, {graph['denied']:,} human-checked negatives "
            f"as denied facts; store built in {common.seconds(graph['build_seconds'])}\n"
            f"{results['questions']:,} questions; for relations without a fitting question in the "
            "rule file one is made",
            common.table(headers, rows),
            common.engines_text(results),
        )
    )
