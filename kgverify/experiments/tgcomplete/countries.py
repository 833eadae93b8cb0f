"""The setting of countries: a graph of 250 countries, and field passages of country profiles."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from kgverify import resources
from kgverify.completion.breakpoints import Edge
from kgverify.errors import GraphError, Problem, Span
from kgverify.evidence.building import open_corpus
from kgverify.evidence.corpus import Corpus
from kgverify.experiments.runs import file_hash, text_hash
from kgverify.experiments.tgcomplete.worlds import Template, World
from kgverify.language.checks import load_rules_text

NAME = "countries"
RULES = "world.kgr"
TRIPLES, LABELS = "kg/countries/triples.tsv", "kg/countries/labels.tsv"
PASSAGES = "text/factbook-passages.jsonl.gz"
FRAGMENTS, FIELDS = "fragments", "titled fields"
DELETED = ("borders", "capital", "currency", "official_language", "region", "subregion")
KEPT = ("part_of",)
# What the profiles call countries whose label is another.
ALSO = {
    "BHS": ("The Bahamas",),
    "CIV": ("Cote d'Ivoire",),
    "COD": ("Democratic Republic of the Congo", "DRC"),
    "COG": ("Congo (Brazzaville)",),
    "CPV": ("Cabo Verde",),
    "CZE": ("Czech Republic",),
    "FSM": ("Federated States of Micronesia",),
    "GBR": ("UK",),
    "GMB": ("The Gambia",),
    "MKD": ("Macedonia",),
    "MMR": ("Burma",),
    "SWZ": ("Swaziland",),
    "TUR": ("Turkey",),
    "USA": ("US",),
    "VAT": ("Holy See",),
    "VIR": ("Virgin Islands",),
}
TEMPLATES = (
    Template("What is the capital of {}?", ("capital",)),
    Template("Which countries border {}?", ("borders",)),
    Template("What is the currency of {}?", ("currency",)),
    Template("Which languages are official in {}?", ("official_language",)),
    Template("In which region of the world does {} lie?", ("region",)),
    Template("In which subregion does {} lie?", ("subregion",)),
    Template("What are the capitals of the countries that border {}?", ("borders", "capital")),
    Template("Which currencies are used by the neighbours of {}?", ("borders", "currency")),
    Template(
        "Which languages are official in the countries that border {}?",
        ("borders", "official_language"),
    ),
    Template("In which subregions do the neighbours of {} lie?", ("borders", "subregion")),
)


def read(data: Path) -> World:
    """The setting from the folder of data sets.

    Raises GraphError or EvidenceError for what is missing or not as it should be."""
    text = resources.text("rules", RULES)
    book = load_rules_text(text, RULES)
    kinds, names = {}, {}
    for id_, label, kind in _rows(data / LABELS):
        if kind in book.classes:
            kinds[id_] = kind
            code = (id_.partition(":")[2],) if kind == "Currency" else ()  # as ISO 4217 has it
            names[id_] = (label, *ALSO.get(id_, ()), *code)
    edges: dict[str, list[Edge]] = {relation: [] for relation in (*DELETED, *KEPT)}
    for subject, relation, object_ in _rows(data / TRIPLES):
        if relation in edges:
            for end in (subject, object_):
                if end not in kinds:
                    message = f"`{end}` has no label"
                    raise GraphError(Problem("unknown-node", message, Span(str(data / TRIPLES))))
            edges[relation].append(Edge(subject, relation, object_))
    profiles = open_corpus(data / PASSAGES)
    return World(
        NAME,
        book,
        {relation: tuple(sorted(edges[relation])) for relation in DELETED},
        tuple(sorted(edge for relation in KEPT for edge in edges[relation])),
        kinds,
        names,
        TEMPLATES,
        {FRAGMENTS: _without_headings(profiles), FIELDS: profiles},
        {name: file_hash(data / name) for name in (TRIPLES, LABELS, PASSAGES)}
        | {f"rules/{RULES}": text_hash(text)},
    )


def _without_headings(corpus: Corpus) -> Corpus:
    """The same passages, whose fields nobody names."""
    bare = (msgspec.structs.replace(passage, heading="") for passage in corpus)
    return Corpus.of(bare, FRAGMENTS, origins=corpus.origins, copies=corpus.copies)


def _rows(path: Path) -> Iterator[tuple[str, str, str]]:
    """The rows of a table of three columns.  Raises GraphError."""
    if not path.is_file():
        hint = "--data names the folder of data sets; see the documentation of the experiment"
        raise GraphError(Problem("missing-file", "there is no such file", Span(str(path)), hint))
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        fields = line.split("\t")
        if len(fields) != 3:
            message = f"expected three columns, found {len(fields)}"
            raise GraphError(Problem("wrong-columns", message, Span(str(path), number)))
        yield fields[0], fields[1], fields[2]
