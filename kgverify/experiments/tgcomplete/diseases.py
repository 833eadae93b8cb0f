"""The setting of diseases: Hetionet's edges of diseases, and what the Disease Ontology says of
them in prose."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kgverify import resources
from kgverify.completion.breakpoints import Edge
from kgverify.errors import GraphError, Problem, Span
from kgverify.evidence.corpus import Corpus
from kgverify.evidence.passages import Passage
from kgverify.experiments import hetionet
from kgverify.experiments.runs import file_hash, text_hash
from kgverify.experiments.tgcomplete.worlds import Template, World
from kgverify.language.checks import load_rules_text

NAME = "diseases"
RULES = "diseases.kgr"
DESCRIPTIONS = "disease-descriptions.tsv"
PROSE, SENTENCES = "definitions", "sentences"
DELETED = {"localizes": "DlA", "presents": "DpS", "disease_resembles": "DrD"}
_ENDS = ("Disease", "Anatomy", "Symptom")
_COLUMNS = ["disease_id", "name", "description"]
TEMPLATES = (
    Template("In which parts of the body does {} occur?", ("localizes",)),
    Template("Which symptoms does {} have?", ("presents",)),
    Template("Which diseases are often written about together with {}?", ("disease_resembles",)),
    Template(
        "Which symptoms do the diseases have that are written about together with {}?",
        ("disease_resembles", "presents"),
    ),
)


def read(data: Path) -> World:
    """The setting from the folder of data sets.

    Edges whose disease has no description are in the graph, and never deleted.  Raises GraphError
    for what is missing or not as it should be."""
    whole = hetionet.read(data)
    folder = data if (data / hetionet.NODES).exists() else data / "hetionet"
    path = folder / DESCRIPTIONS
    passages = tuple(_passages(path))
    text = resources.text("rules", RULES)
    described = {passage.id for passage in passages}
    edges, kept = {}, []
    for relation, metaedge in DELETED.items():
        of_relation = [Edge(a, relation, b) for a, b in whole.edges[metaedge]]
        edges[relation] = tuple(edge for edge in of_relation if edge.subject in described)
        kept += [edge for edge in of_relation if edge.subject not in described]
    kinds = {node: kind for node, kind in whole.kinds.items() if kind in _ENDS}
    return World(
        NAME,
        load_rules_text(text, RULES),
        edges,
        tuple(sorted(kept)),
        kinds,
        {node: _names(whole.labels[node], kind) for node, kind in kinds.items()},
        TEMPLATES,
        {
            PROSE: Corpus.of(passages, PROSE),
            SENTENCES: Corpus.of(map(_as_sentence, passages), SENTENCES),
        },
        {f"hetionet/{name}": file for name, file in whole.hashes.items()}
        | {f"hetionet/{DESCRIPTIONS}": file_hash(path), f"rules/{RULES}": text_hash(text)},
    )


def _as_sentence(passage: Passage) -> Passage:
    """A definition as a sentence: what is defined stands before it, which else is in the title."""
    title, text = passage.title, passage.text
    whole = f"{title[:1].upper()}{title[1:]} is {text[:1].lower()}{text[1:]}"
    return Passage(passage.id, whole, title)


def _names(label: str, kind: str) -> tuple[str, ...]:
    """Symptoms have capitals as headings do, which prose does not write."""
    return tuple(dict.fromkeys((label, label.lower()))) if kind == "Symptom" else (label,)


def _passages(path: Path) -> Iterator[Passage]:
    """The descriptions that are not empty, by the disease's id in the graph.  Raises GraphError."""
    if not path.is_file():
        raise GraphError(Problem("missing-file", "there is no such file", Span(str(path))))
    heading, *lines = path.read_text("utf-8").splitlines()
    if heading.split("\t") != _COLUMNS:
        message = "expected the columns " + "\\t".join(_COLUMNS)
        raise GraphError(Problem("wrong-columns", message, Span(str(path), 1)))
    for number, line in enumerate(lines, 2):
        id_, name, text = [*line.split("\t"), "", ""][:3]
        if not id_ or not name:
            message = "an id and a name are needed"
            raise GraphError(Problem("wrong-columns", message, Span(str(path), number)))
        if text.strip():
            # The ontology writes its relations with underscores: `located_in`.
            yield Passage(f"Disease::{id_}", text.replace("_", " "), name)
