"""The settings: which world in which reading, and where reasoning stops in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kgverify.experiments.tgcomplete import countries, diseases
from kgverify.experiments.tgcomplete.cases import Stopping
from kgverify.experiments.tgcomplete.worlds import World

SHARES = (0.2, 0.4)
SEEDS = 5
QUESTIONS = 300  # of a case, as in the paper
FEWER = 60  # of one in which reasoning stops almost everywhere
QUICK_SHARES, QUICK_QUESTIONS = (0.4,), 20


@dataclass(frozen=True, slots=True)
class Setting:
    """A world in one reading, with so many questions of a case; `note` says what it is in words."""

    name: str
    world: str
    reading: str
    stopping: Stopping
    note: str
    questions: int = QUESTIONS


READERS: dict[str, Callable[[Path], World]] = {
    countries.NAME: countries.read,
    diseases.NAME: diseases.read,
}
SETTINGS = (
    Setting(
        "countries, fragments",
        countries.NAME,
        countries.FRAGMENTS,
        "nothing left",
        "the fields of country profiles as pieces of text that name their country and no more; "
        "reasoning stops where the graph has no edge of a subject and relation, as in the paper",
    ),
    Setting(
        "countries, titled fields",
        countries.NAME,
        countries.FIELDS,
        "nothing left",
        "the same with the headings of the fields (“Government: Capital”), for the search and for "
        "the judges",
    ),
    Setting(
        "countries, titled fields, told what is missing",
        countries.NAME,
        countries.FIELDS,
        "deleted",
        "the same, and reasoning stops wherever an edge was deleted, also where others are left: "
        "what a method could do that knew where the graph is incomplete",
        FEWER,
    ),
    Setting(
        "diseases, definitions",
        diseases.NAME,
        diseases.PROSE,
        "deleted",
        "definitions of diseases in prose, which do not name what they define; told what is "
        "missing, since after a deletion some edges are left almost everywhere",
        FEWER,
    ),
    Setting(
        "diseases, sentences",
        diseases.NAME,
        diseases.SENTENCES,
        "deleted",
        "the same definitions, each put behind the name of its disease and “is”",
        FEWER,
    ),
)
# A quick run leaves out what is much like another setting.
QUICK_SETTINGS = tuple(
    one
    for one in SETTINGS
    if one.name in ("countries, fragments", "countries, titled fields", "diseases, sentences")
)
