"""A synthetic graph in the shape of Hetionet, of any size, and questions about it.

The 11 classes and 24 metaedges have the sizes that Hetionet v1.0 has; a smaller graph has them in
proportion.  How often a node of a class takes part in a metaedge falls off with its rank as in
Zipf's law, and depends on its rank's *share* of the class alone, so that the nodes at one share
have about the same degree whatever the size of the graph.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Longs = NDArray[np.int64]

BASE = "https://example.org/"
RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"


class Metaedge(NamedTuple):
    """A kind of edge: its classes, its abbreviation, and how many edges Hetionet has."""

    source: str
    relation: str
    target: str
    edges: int


CLASSES = {
    "Anatomy": 402,
    "BiologicalProcess": 11_381,
    "CellularComponent": 1_391,
    "Compound": 1_552,
    "Disease": 137,
    "Gene": 20_945,
    "MolecularFunction": 2_884,
    "Pathway": 1_822,
    "PharmacologicClass": 345,
    "SideEffect": 5_734,
    "Symptom": 438,
}
# Two small classes shrink by the square root: else they had too few pairs for their edges.
SLOWLY_SHRINKING = ("Anatomy", "Symptom")
METAEDGES = (
    Metaedge("Anatomy", "AdG", "Gene", 102_240),
    Metaedge("Anatomy", "AeG", "Gene", 526_407),
    Metaedge("Anatomy", "AuG", "Gene", 97_848),
    Metaedge("Compound", "CbG", "Gene", 11_571),
    Metaedge("Compound", "CcSE", "SideEffect", 138_944),
    Metaedge("Compound", "CdG", "Gene", 21_102),
    Metaedge("Compound", "CpD", "Disease", 390),
    Metaedge("Compound", "CrC", "Compound", 6_486),
    Metaedge("Compound", "CtD", "Disease", 755),
    Metaedge("Compound", "CuG", "Gene", 18_756),
    Metaedge("Disease", "DaG", "Gene", 12_623),
    Metaedge("Disease", "DdG", "Gene", 7_623),
    Metaedge("Disease", "DlA", "Anatomy", 3_602),
    Metaedge("Disease", "DpS", "Symptom", 3_357),
    Metaedge("Disease", "DrD", "Disease", 543),
    Metaedge("Disease", "DuG", "Gene", 7_731),
    Metaedge("Gene", "GcG", "Gene", 61_690),
    Metaedge("Gene", "GiG", "Gene", 147_164),
    Metaedge("Gene", "GpBP", "BiologicalProcess", 559_504),
    Metaedge("Gene", "GpCC", "CellularComponent", 73_566),
    Metaedge("Gene", "GpMF", "MolecularFunction", 97_222),
    Metaedge("Gene", "GpPW", "Pathway", 84_372),
    Metaedge("Gene", "GrG", "Gene", 265_672),
    Metaedge("PharmacologicClass", "PCiC", "Compound", 1_029),
)
EDGES = sum(metaedge.edges for metaedge in METAEDGES)
ZIPF_SHIFT = 0.02  # the share of a class by which ranks are shifted: bounds the degree of hubs

# What the questions call the metaedges that they look at; the others keep their abbreviation.
_NAMES = {
    "CtD": "treats",
    "CcSE": "causes",
    "CpD": "palliates",
    "CbG": "binds",
    "DaG": "associates",
    "PCiC": "includes",
}
_PROPERTIES = {
    "CrC": "symmetric",
    "DrD": "symmetric",
    "GcG": "symmetric",
    "GiG": "symmetric",
    "PCiC": "inverse functional",
}
_QUESTIONS = """
relation acts_on_cause (Compound, Disease)
rule target_is_a_cause "a compound acts on a cause if it binds a gene of the disease":
    acts_on_cause(X, D) :- binds(X, G), associates(D, G).

question by_target(d: Disease, s: SideEffect)
    "Which compounds treat {d}, do not cause {s} and act on a cause?"
    answer x : Compound
    require treats(x, d)
    exclude causes(x, s)
    prefer  palliates(x, d)
    prefer  acts_on_cause(x, d)

question of_class(d: Disease, s: SideEffect, k: PharmacologicClass)
    "Which compounds treat {d}, do not cause {s} and belong to {k}?"
    answer x : Compound
    require treats(x, d)
    exclude causes(x, s)
    prefer  palliates(x, d)
    prefer  includes(k, x)
"""


def rules() -> str:
    """The rule file: the whole schema, and two question templates of five constraints each.

    The fifth is derived by a Horn rule in the one, and in the other ruled out by a functional
    conflict wherever the compound is known to be in another class."""
    lines = [f"prefix h: <{BASE}>"]
    lines += [f"class {name} = h:{name}" for name in CLASSES]
    lines.append(f"disjoint {', '.join(CLASSES)}")
    for source, relation, target, _ in METAEDGES:
        name, properties = _NAMES.get(relation, relation), _PROPERTIES.get(relation, "")
        lines.append(f"relation {name} = h:{relation} ({source}, {target}) {properties}")
    return "\n".join(lines) + "\n" + _QUESTIONS


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it is put to every contender: IRIs throughout."""

    id: str
    template: str
    arguments: dict[str, str]
    candidates: tuple[str, ...]


Call = list[Asked]  # the questions that are answered together
Batches = dict[str, list[Call]]


@dataclass(frozen=True, slots=True)
class Shape:
    """What a graph turned out to be; `degree` is the mean degree of the compounds that are asked
    about in the batch `alike`."""

    edges: int
    nodes: int
    degree: float


class Synthetic:
    """The graph: for each metaedge its pairs, as numbers of nodes within their classes."""

    def __init__(self, scale: float, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.sizes = {name: _size(name, scale) for name in CLASSES}
        self.pairs: dict[str, tuple[Longs, Longs]] = {}
        for source, relation, target, edges in METAEDGES:
            count = max(1, round(edges * scale))
            sizes = self.sizes[source], self.sizes[target]
            if "functional" in _PROPERTIES.get(relation, ""):
                self.pairs[relation] = self._functional(*sizes, count)
            else:
                self.pairs[relation] = self._pairs(*sizes, count, loops=source != target)

    @property
    def edges(self) -> int:
        return sum(len(subjects) for subjects, _ in self.pairs.values())

    def _pairs(self, left: int, right: int, count: int, loops: bool) -> tuple[Longs, Longs]:
        """Distinct pairs, each drawn by the weights of its two nodes."""
        count = min(count, left * right // 2)
        found = np.empty(0, np.int64)
        while len(found) < count:
            drawn = (count - len(found)) * 3 // 2 + 16
            subjects, objects = self._draw(left, drawn), self._draw(right, drawn)
            codes = (subjects * right + objects)[loops | (subjects != objects)]
            found = np.unique(np.concatenate((found, codes)))
        found = np.sort(self.random.choice(found, count, replace=False))
        return found // right, found % right

    def _functional(self, left: int, right: int, count: int) -> tuple[Longs, Longs]:
        """Pairs in which every object has one subject."""
        objects = np.sort(self.random.choice(right, min(count, right), replace=False))
        return self._draw(left, len(objects)), objects

    def _draw(self, size: int, count: int) -> Longs:
        weights = np.cumsum(1 / (np.arange(size) / size + ZIPF_SHIFT))
        found: Longs = np.searchsorted(weights, self.random.random(count) * weights[-1])
        return found

    def degree(self, compounds: Longs) -> float:
        """The mean number of edges of these compounds."""
        total = 0
        for metaedge in METAEDGES:
            ends = self.pairs[metaedge.relation]
            for cls, end in zip((metaedge.source, metaedge.target), ends, strict=True):
                if cls == "Compound":
                    total += int(np.bincount(end, minlength=self.sizes[cls])[compounds].sum())
        return total / len(compounds)

    def triples(self) -> Iterator[tuple[str, str, str]]:
        """Everything, as IRIs: the types of all nodes first."""
        for name, size in self.sizes.items():
            yield from ((iri(name, n), RDF_TYPE, BASE + name) for n in range(size))
        for source, relation, target, _ in METAEDGES:
            for one, other in zip(*(end.tolist() for end in self.pairs[relation]), strict=True):
                yield iri(source, one), BASE + relation, iri(target, other)


def _size(name: str, scale: float) -> int:
    return max(4, round(CLASSES[name] * scale ** (0.5 if name in SLOWLY_SHRINKING else 1)))


def iri(cls: str, number: int) -> str:
    """The name of a node."""
    return f"{BASE}{cls}/{number}"


# ---------------------------------------------------------------- questions

CANDIDATES = 100  # of a question
GOLD = 20  # at most so many of them are answers that the graph asserts
WRONG = 5  # so many are no compounds


class Asker:
    """Makes questions.  What they are about is chosen by its share of its class, so that questions
    to graphs of different sizes are about nodes of like degrees.

    `scale` bounds the variety: about as many entities are asked about as a graph of this scale
    has."""

    def __init__(self, graph: Synthetic, scale: float) -> None:
        self._graph = graph
        self._variety = {name: min(_size(name, scale), graph.sizes[name]) for name in CLASSES}
        subjects, objects = graph.pairs["CtD"]
        self._gold = {int(d): np.sort(subjects[objects == d]) for d in np.unique(objects)}
        self._causing = np.argsort(np.bincount(graph.pairs["CcSE"][1]), kind="stable")
        self._causes = np.sort(np.bincount(graph.pairs["CcSE"][1]))

    def question(self, number: int, candidates: int = CANDIDATES) -> Asked:
        """The question of this number, with at most so many candidates."""
        disease = self._pick("Disease", _spread(number))
        arguments = {
            "d": iri("Disease", disease),
            "s": iri("SideEffect", self._side_effect(number)),
        }
        template = "by_target"
        if number % 2:
            template = "of_class"
            cls = self._pick("PharmacologicClass", _spread(number * 3) / 10)
            arguments["k"] = iri("PharmacologicClass", cls)
        names = self._candidates(number, disease)
        first = number * 37 % max(1, len(names) - candidates + 1)
        chosen = tuple(names[first : first + candidates])
        return Asked(f"q{number}", template, arguments, chosen)

    def compounds(self) -> Longs:
        """The compounds that may be asked about whatever the disease."""
        variety = self._variety["Compound"]
        return np.unique([self._pick("Compound", n / variety) for n in range(variety)])

    def _side_effect(self, number: int) -> int:
        """One that 2 to 10 % of all compounds cause: of this, unlike of the degree, it depends how
        many candidates the question excludes."""
        wanted = (0.02 + 0.08 * _spread(number * 7)) * self._graph.sizes["Compound"]
        place = min(int(np.searchsorted(self._causes, wanted)), len(self._causes) - 1)
        return int(self._causing[place])

    def _candidates(self, number: int, disease: int) -> list[str]:
        """Answers that the graph asserts, nodes of another class, and compounds of all degrees."""
        names = [iri("Compound", int(n)) for n in self._gold.get(disease, [])[:GOLD]]
        names += [iri("Gene", self._pick("Gene", _spread(number + n))) for n in range(WRONG)]
        for n in range(CANDIDATES):
            share = (n + _spread(number)) / CANDIDATES
            names.append(iri("Compound", self._pick("Compound", share)))
        return list(dict.fromkeys(names))[:CANDIDATES]

    def _pick(self, cls: str, share: float) -> int:
        """The node of a class at a share of its ranks, from 0 to 1."""
        variety = self._variety[cls]
        return int(share * variety + 1e-9) * self._graph.sizes[cls] // variety


def _spread(number: int) -> float:
    """Evenly spread shares for the numbers 0, 1, 2…"""
    return number * 0.6180339887498949 % 1


@dataclass(frozen=True, slots=True)
class Plan:
    """How much to ask: so many questions of 100 candidates together, and so many calls of the small
    batches, each about something else.  `alike` is the scale that bounds the variety of the batch
    of this name, which is the same in graphs of all sizes."""

    questions: int
    calls: int
    alike: float


def batches(graph: Synthetic, plan: Plan) -> Batches:
    """The calls of each batch."""
    asker, alike = Asker(graph, 1.0), Asker(graph, plan.alike)
    return {
        "one": [[asker.question(n, 1)] for n in range(plan.calls)],
        "hundred": [[asker.question(n)] for n in range(plan.calls)],
        "all": [[asker.question(n) for n in range(plan.questions)]],
        "alike": [[alike.question(n) for n in range(plan.questions)]],
    }


# ---------------------------------------------------------------- files


def write(folder: Path, scale: float, seed: int, plan: Plan) -> None:
    """Write the graph, denied facts, the part of the graph that the questions touch, the rules and
    the questions."""
    graph = Synthetic(scale, seed)
    asked = batches(graph, plan)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / RULES).write_text(rules(), encoding="utf-8")
    _write_triples(folder / GRAPH, graph.triples())
    _write_triples(folder / DENIED, _denied(graph, asked))
    _write_triples(folder / TOUCHED, _touched(graph, asked))
    (folder / BATCHES).write_text(
        json.dumps({name: [[asdict(q) for q in c] for c in calls] for name, calls in asked.items()})
    )
    degree = graph.degree(Asker(graph, plan.alike).compounds())
    shape = Shape(graph.edges, sum(graph.sizes.values()), degree)
    (folder / SHAPE).write_text(json.dumps(asdict(shape)))


GRAPH, DENIED, TOUCHED, RULES = "graph.nt", "denied.nt", "touched.nt", "rules.kgr"
BATCHES, SHAPE = "batches.json", "shape.json"


def _write_triples(path: Path, triples: Iterator[tuple[str, str, str]]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"<{s}> <{r}> <{o}> .\n" for s, r, o in triples)


def _denied(graph: Synthetic, asked: Batches) -> Iterator[tuple[str, str, str]]:
    """That a compound causes the side effect in question, for every fourth that isn't said to."""
    subjects, objects = graph.pairs["CcSE"]
    known = {
        (iri("Compound", x), iri("SideEffect", s))
        for x, s in zip(subjects.tolist(), objects.tolist(), strict=True)
    }
    pairs = {(x, q.arguments["s"]) for q in _questions(asked) for x in q.candidates[::4]}
    for compound, side_effect in sorted(pairs - known):
        if compound.startswith(f"{BASE}Compound/"):
            yield compound, f"{BASE}CcSE", side_effect


def _questions(asked: Batches) -> list[Asked]:
    return [question for calls in asked.values() for call in calls for question in call]


def _touched(graph: Synthetic, asked: Batches) -> Iterator[tuple[str, str, str]]:
    """The triples of the entities that any question names."""
    questions = _questions(asked)
    touched = {name for q in questions for name in (*q.candidates, *q.arguments.values())}
    return (t for t in graph.triples() if t[0] in touched or t[2] in touched)


def read_batches(folder: Path) -> Batches:
    """The batches that `write` wrote."""
    found = json.loads((folder / BATCHES).read_text())
    return {
        name: [
            [Asked(**{**q, "candidates": tuple(q["candidates"])}) for q in call] for call in calls
        ]
        for name, calls in found.items()
    }


def read_shape(folder: Path) -> Shape:
    """The shape of the graph that `write` wrote."""
    return Shape(**json.loads((folder / SHAPE).read_text()))
