"""Measures how often a passage that states a fact is among the best that a search finds.

Passages: fields of 261 country profiles (text/factbook-passages.jsonl.gz of the data sets).  Facts:
capitals, official languages, land borders and currencies of kg/countries.  A query is built from
shipped rules/countries.kgr for (subject, relation, ?): it never has the object's name.

**What counts as found (gold).**  The passages of the subject's profile in the one field that states
the relation (FIELDS), if they mention the object:

- a capital, a language or a country by its label or by what the profiles call it (CALLED), as whole
  words, whatever their case and accents; within a longer name of another country it doesn't count,
  so that `Guinea-Bissau` is no mention of Guinea;
- a currency by its code in parentheses, or by its whole label, in the singular or the plural; "per
  US dollar", which every such passage has, is left out first.

A fact without such a passage (a profile that is missing, another spelling, a changed capital) is
counted apart and has no part in recall.  A profile may state a fact elsewhere too: that is not
counted, so the true recall is no lower than what is shown.

**Corpora.**  `full` is all passages; `fields` is those of the eight fields in SUBSET, in which a
profile has about as many passages as a search shows.  **Titles**: none; `country`, the profile's
name; `heading`, that and the field as heading; `section`, that and section and field as heading, as
a passage with both is read.

The defaults of BM25 were chosen on these very facts (`--choose` tries a grid of them), so what is
shown for them is no estimate for other texts; `bm25, all weights 1` is what was not chosen.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from common import data_folder, machine, say, table, timed, write_json

if TYPE_CHECKING:
    from kgverify.evidence.corpus import Corpus
    from kgverify.evidence.retrieving import Hit, Query, Retriever

RESULTS = Path(__file__).parent / "results" / "retrieval.json"
RULES = Path(__file__).parents[1] / "rules" / "countries.kgr"
FIELDS = {
    "capital": "Capital",
    "official_language": "Languages",
    "borders": "Land boundaries",
    "currency": "Exchange rates",
}
SUBSET = {
    *FIELDS.values(),
    "Background",
    "Country name",
    "Ethnic groups",
    "Location",
}
# What the profiles call things whose labels in the graph are others.
CALLED = {
    "Bahamas": ("The Bahamas",),
    "Cape Verde": ("Cabo Verde",),
    "Czechia": ("Czech Republic",),
    "DR Congo": ("DRC", "Democratic Republic of the Congo"),
    "Dominican Republic": ("The Dominican",),
    "Eswatini": ("Swaziland",),
    "Falkland Islands": ("Falkland Islands (Islas Malvinas)",),
    "Gambia": ("The Gambia",),
    "Ivory Coast": ("Cote d'Ivoire",),
    "Micronesia": ("Federated States of Micronesia",),
    "Myanmar": ("Burma",),
    "North Macedonia": ("Macedonia",),
    "Republic of the Congo": ("Congo (Brazzaville)",),
    "Türkiye": ("Turkey",),
    "United Arab Emirates": ("UAE",),
    "United Kingdom": ("UK",),
    "United States": ("US",),
    "United States Virgin Islands": ("Virgin Islands",),
    "United States dollar": ("US dollar",),
    "Vatican City": ("Holy See (Vatican City)",),
}
DEPTHS = (5, 20)
TITLES = ("none", "country", "heading", "section")
Fact = tuple[str, str, str]


@dataclass(frozen=True)
class Data:
    """The passages as records, and the facts with the passages that state them."""

    records: list[dict[str, str]]
    names: dict[str, tuple[str, ...]]
    gold: dict[Fact, list[int]]

    def part(self, fields: set[str] | None) -> list[int]:
        """The records of some fields, or all."""
        return [n for n, r in enumerate(self.records) if fields is None or r["field"] in fields]


# ---------------------------------------------------------------- the data


def load() -> Data:
    """The passages, names and facts, with their gold passages."""
    passages = data_folder("text") / "factbook-passages.jsonl.gz"
    with gzip.open(passages, "rt", encoding="utf-8") as stream:
        records = [json.loads(line) for line in stream]
    folder = data_folder("kg/countries")
    labels = {id_: (label, cls) for id_, label, cls in rows(folder / "labels.tsv")}
    names = {id_: (label, *CALLED.get(label, ())) for id_, (label, _) in labels.items()}
    profiles: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for number, record in enumerate(records):
        profiles[plain(record["title"]), record["field"]].append(number)
    countries = [id_ for id_, (_, cls) in labels.items() if cls == "Country"]
    gold = {}
    for subject, relation, object_ in rows(folder / "triples.tsv"):
        if relation not in FIELDS:
            continue
        found = {
            number
            for name in names[subject]
            for number in profiles[plain(name), FIELDS[relation]]
            if states(records[number]["text"], relation, object_, names, countries)
        }
        gold[subject, relation, object_] = sorted(found)
    return Data(records, names, gold)


def rows(path: Path) -> list[list[str]]:
    """The fields of each line."""
    return [line.split("\t") for line in path.read_text("utf-8").splitlines()]


def plain(text: str) -> str:
    """A text as its words between spaces, without case and accents."""
    folded = unicodedata.normalize("NFKD", text.casefold())
    kept = "".join(c for c in folded if not unicodedata.combining(c))
    return f" {' '.join(re.findall(r'[a-z0-9]+', kept.replace(chr(39), '')))} "


def states(
    text: str,
    relation: str,
    object_: str,
    names: dict[str, tuple[str, ...]],
    countries: Sequence[str],
) -> bool:
    """Does a passage of the right field mention the object?"""
    own = [plain(name) for name in names[object_]]
    if relation == "currency":
        text = re.sub(r"per US dollar", " ", text)
        if f"({object_.removeprefix('cur:')})" in text:
            return True
        own += [name.rstrip() + "s " for name in own]
    said = plain(text)
    if relation == "borders":
        longer = (plain(name) for id_ in countries if id_ != object_ for name in names[id_])
        for name in sorted(longer, key=len, reverse=True):
            if any(mine in name for mine in own):
                said = said.replace(name, " | ")
    return any(name in said for name in own)


def corpus_of(data: Data, numbers: Sequence[int], titles: str) -> Corpus:
    """Some passages with titles and headings of a kind."""
    from kgverify.evidence.corpus import Corpus
    from kgverify.evidence.passages import Passage

    def passage(number: int, record: dict[str, str]) -> Passage:
        title = "" if titles == "none" else record["title"]
        field = record["field"]
        headed = {"heading": field, "section": f"{record['section']}: {field}"}
        return Passage(f"{number}", record["text"], title, heading=headed.get(titles, ""))

    return Corpus.of(passage(n, data.records[number]) for n, number in enumerate(numbers))


# ---------------------------------------------------------------- measuring


class Task:
    """Queries for all facts that have a passage, over some of the passages."""

    def __init__(self, data: Data, numbers: Sequence[int]) -> None:
        from kgverify import load_rules
        from kgverify.evidence.queries import worded_query

        book = load_rules(RULES)
        places = {number: place for place, number in enumerate(numbers)}
        self.wanted = {
            fact: {places[number] for number in found if number in places}
            for fact, found in data.gold.items()
        }
        self.asked = list(dict.fromkeys(fact[:2] for fact, found in self.wanted.items() if found))
        self.queries = [worded_query(book, r, data.names[s]) for s, r in self.asked]

    def run(self, retriever: Retriever, phrases: bool) -> dict[str, Any]:
        """Recall by relation and in all."""
        queries = self.queries if phrases else [without_phrases(q) for q in self.queries]
        found, taken = timed(lambda: retriever.search(queries, max(DEPTHS)))
        return {**self.recall(found), "seconds_per_query": round(taken / len(queries), 6)}

    def recall(self, found: Sequence[Sequence[Hit]]) -> dict[str, Any]:
        """Recall of lists of hits, one for each query."""
        hits = dict(zip(self.asked, found, strict=True))
        parts: dict[str, Callable[[Fact], bool]] = {
            relation: lambda fact, relation=relation: fact[1] == relation for relation in FIELDS
        }
        parts["all"] = lambda _: True
        results = {}
        for part, belongs in parts.items():
            facts = [fact for fact, wanted in self.wanted.items() if wanted and belongs(fact)]
            results[part] = {
                f"recall@{depth}": round(
                    sum(
                        any(hit.passage in self.wanted[fact] for hit in hits[fact[:2]][:depth])
                        for fact in facts
                    )
                    / len(facts),
                    4,
                )
                for depth in DEPTHS
            }
        return results


def without_phrases(query: Query) -> Query:
    """The query with its text and names only."""
    from kgverify.evidence.retrieving import Query

    return Query(query.text, query.names)


class Apart:
    """Titles and texts as two corpora whose BM25 scores are added: another way to weigh titles."""

    def __init__(self, corpus: Corpus, title: float) -> None:
        from kgverify.evidence.bm25 import Bm25, Bm25Options
        from kgverify.evidence.corpus import Corpus
        from kgverify.evidence.passages import Passage

        plain_ = Bm25Options(title=0)
        self.name, self._title, self._length = "bm25, fields apart", title, len(corpus)
        self._parts = [
            (
                title,
                Bm25(Corpus.of(Passage(p.id, f"{p.title} {p.heading}") for p in corpus), plain_),
            ),
            (1.0, Bm25(Corpus.of(Passage(p.id, p.text) for p in corpus), plain_)),
        ]

    def search(self, queries: Sequence[Query], most: int) -> list[list[Hit]]:
        from kgverify.evidence.retrieving import Hit

        lists = []
        for query in queries:
            added: defaultdict[int, float] = defaultdict(float)
            for weight, part in self._parts:
                for hit in part.search([query], self._length)[0]:
                    added[hit.passage] += weight * hit.score
            best = sorted(added.items(), key=lambda pair: (-pair[1], pair[0]))[:most]
            lists.append([Hit(*pair) for pair in best])
        return lists


def choose(data: Data, tasks: dict[str, Task]) -> list[dict[str, Any]]:
    """Recall@5 of options of BM25, with titles."""
    from kgverify.evidence.bm25 import Bm25, Bm25Options

    found = []
    for corpus_name, task in tasks.items():
        numbers = data.part(SUBSET if corpus_name == "fields" else None)
        for titles in TITLES[1:]:
            corpus = corpus_of(data, numbers, titles)
            for title in (2, 4, 6):
                for k1, b in ((1.2, 0.75), (1.2, 0.4)):
                    for names, phrases in ((1, 1), (1, 0.5), (1.5, 0.5), (2, 0.5)):
                        options = Bm25Options(k1, b, title, names, phrases)
                        if (names, phrases) == (1, 1):
                            made = Bm25(corpus, options)
                        made._options = options  # the index depends on k1, b and title only
                        got = task.run(made, True)
                        found.append(
                            {
                                "corpus": corpus_name,
                                "titles": titles,
                                "options": [k1, b, title, names, phrases],
                                "recall@5": got["all"]["recall@5"],
                            }
                        )
    return found


def measure(
    data: Data,
    model: Path | None,
    vectors: Sequence[str],
    everything: bool,
    index: Path | None,
) -> list[dict[str, Any]]:
    """All retrievers on both corpora; the dense one with some titles, on all if so asked."""
    from kgverify.evidence.bm25 import Bm25, Bm25Options, Bm25Reference
    from kgverify.evidence.dense import Dense
    from kgverify.evidence.encoding import Encoder
    from kgverify.evidence.hybrid import Hybrid
    from kgverify.evidence.indexes import IndexFolder

    class Remembering(Encoder):
        """Makes the vector of a query once: times of later searches are without it."""

        def vectors(self, texts: Sequence[str], progress: Any = None) -> Any:
            if len(texts) != 1:
                return super().vectors(texts, progress)
            if texts[0] not in known:
                known[texts[0]] = super().vectors(texts)
            return known[texts[0]]

    known: dict[str, Any] = {}
    encoder = None if model is None else Remembering(model)
    kept = None if index is None else IndexFolder(index)
    results = []

    def add(corpus_name: str, titles: str, name: str, phrases: bool, got: dict[str, Any]) -> None:
        labelled = {
            "corpus": corpus_name,
            "titles": titles,
            "retriever": name,
            "phrases": phrases,
        }
        results.append({**labelled, **got})
        say(f"{corpus_name} {titles} {name} {phrases}: {got['all']}", progress=True)

    for corpus_name, fields in (("fields", SUBSET), ("full", None)):
        numbers = data.part(fields)
        task = Task(data, numbers)
        for titles in TITLES:
            corpus = corpus_of(data, numbers, titles)
            words, built = timed(lambda corpus=corpus: Bm25(corpus))
            say(f"{corpus_name} {titles}: BM25 built in {built:.1f} s", progress=True)
            retrievers: list[Retriever] = [words]
            if corpus_name == "fields" and titles == "heading":
                retrievers.append(Bm25Reference(corpus))
            if titles == "heading":
                retrievers += [Apart(corpus, 1.0), Apart(corpus, 2.0)]
            for retriever in retrievers:
                weight = f" 1:{retriever._title:g}" if isinstance(retriever, Apart) else ""
                for phrases in (False, True):
                    got = task.run(retriever, phrases)
                    add(corpus_name, titles, retriever.name + weight, phrases, got)
            if titles == "heading":
                with patch("kgverify.evidence.bm25.is_stop_word", lambda _: False):
                    add(corpus_name, titles, "bm25, stop words kept", True, task.run(words, True))
                unweighed = Bm25(corpus, Bm25Options(1.2, 0.75, 1, 1, 1))
                add(corpus_name, titles, "bm25, all weights 1", True, task.run(unweighed, True))
            if encoder is not None and titles in vectors and (fields or everything):
                dense, taken = timed(lambda corpus=corpus: Dense(corpus, encoder, kept))
                say(f"{corpus_name} {titles}: vectors in {taken:.0f} s", progress=True)
                add(corpus_name, titles, "dense", True, task.run(dense, True))
                for phrases in (False, True):
                    fused = Hybrid([words, dense])
                    add(corpus_name, titles, "hybrid", phrases, task.run(fused, phrases))
    return results


def report(results: dict[str, Any]) -> str:
    """Recall@5 and @20 as a table."""
    parts = (*FIELDS, "all")
    lines = []
    for row in results["runs"]:
        cells = (f"{row[p]['recall@5']:.2f} {row[p]['recall@20']:.2f}" for p in parts)
        expanded = "yes" if row["phrases"] else "no"
        lines.append((row["corpus"], row["titles"], row["retriever"], expanded, *cells))
    return table(("corpus", "titles", "retriever", "phrases", *parts), lines, left=4)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=Path, help="a folder with a model, for vectors")
    parser.add_argument(
        "--titles", nargs="*", choices=TITLES, default=TITLES, help="with which vectors are made"
    )
    parser.add_argument(
        "--all-vectors", action="store_true", help="make vectors of all passages, too"
    )
    parser.add_argument("--index", type=Path, help="a folder in which vectors are kept")
    parser.add_argument("--choose", action="store_true", help="try options of BM25, and stop")
    parser.add_argument("--out", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    data = load()
    if arguments.choose:
        tasks = {"fields": Task(data, data.part(SUBSET)), "full": Task(data, data.part(None))}
        for row in choose(data, tasks):
            say(json.dumps(row))
        return
    counts = {
        relation: {
            "facts": sum(fact[1] == relation for fact in data.gold),
            "with a passage": sum(fact[1] == relation and bool(g) for fact, g in data.gold.items()),
        }
        for relation in FIELDS
    }
    results = {
        "machine": machine(),
        "model": "/".join(arguments.model.parts[-2:]) if arguments.model else "",
        "passages": {"full": len(data.records), "fields": len(data.part(SUBSET))},
        "facts": counts,
        "runs": measure(
            data, arguments.model, arguments.titles, arguments.all_vectors, arguments.index
        ),
    }
    say(report(results))
    write_json(arguments.out, results)


if __name__ == "__main__":
    main()
