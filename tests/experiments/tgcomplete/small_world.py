"""A world of five countries and of passages about them, by hand."""

from __future__ import annotations

from kgverify.completion.breakpoints import Edge
from kgverify.evidence.corpus import Corpus
from kgverify.evidence.passages import Passage
from kgverify.experiments.tgcomplete.worlds import Template, World
from kgverify.language.checks import load_rules_text

BOOK = load_rules_text("""
class Country, City
disjoint Country, City
relation capital (Country, City) functional
    "the capital of {0} is {1}"
    phrases "{1} is the capital of {0}"
relation borders (Country, Country) symmetric, irreflexive
    "{0} borders {1}"
    phrases "borders"
""")
NAMES = {
    "no": "Norway",
    "se": "Sweden",
    "fi": "Finland",
    "dk": "Denmark",
    "is": "Iceland",
    "oslo": "Oslo",
    "stockholm": "Stockholm",
    "helsinki": "Helsinki",
    "reykjavik": "Reykjavik",
}
KINDS = {id_: "Country" if len(id_) == 2 else "City" for id_ in NAMES}
CAPITALS = (
    Edge("fi", "capital", "helsinki"),
    Edge("is", "capital", "reykjavik"),
    Edge("no", "capital", "oslo"),
    Edge("se", "capital", "stockholm"),
)
# The first pair is there in both directions.
BORDERS = (
    Edge("no", "borders", "se"),
    Edge("se", "borders", "fi"),
    Edge("se", "borders", "no"),
)
PASSAGES = (
    Passage("p0", "Oslo is the capital of Norway.", "Norway"),
    Passage("p1", "Norway borders Sweden.", "Norway"),
    Passage("p2", "Helsinki lies by the sea.", "Finland"),
    Passage("p3", "Stockholm is the capital of Sweden.", "Sweden"),
    Passage("p4", "Iceland is an island.", "Iceland"),
)
TEMPLATES = (
    Template("What is the capital of {}?", ("capital",)),
    Template("What are the capitals of the countries that border {}?", ("borders", "capital")),
)


def world(passages: tuple[Passage, ...] = PASSAGES) -> World:
    return World(
        "small",
        BOOK,
        {"borders": BORDERS, "capital": CAPITALS},
        (),
        KINDS,
        {id_: (name,) for id_, name in NAMES.items()},
        TEMPLATES,
        {"prose": Corpus.of(passages)},
    )
