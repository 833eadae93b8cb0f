"""The questions and their candidates: sampled gold, and distractors of each kind.

*Gold* is what meets the question on the graph before anything is removed, where an exclusion is met
when the graph has no such edge.  So gold of an exclusion is gold by the graph's silence: no list of
side effects is complete, and some gold may be wrong.  It is the only gold that the graph has.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from kgverify.experiments.hetionet import Hetionet, Pair

GOLD, DENIED, SAME, WRONG = "gold", "denied", "same type", "wrong type"
EXCLUDED, EXCLUDED_OTHER = "excluded treatment", "excluded other"
KINDS = {
    GOLD: "meets the question on the whole graph",
    DENIED: "curated as no indication of the disease",
    EXCLUDED: "treats the disease and has what is excluded",
    EXCLUDED_OTHER: "has what is excluded; no edge says that it treats the disease",
    SAME: "a compound that no edge connects with what is asked",
    WRONG: "no compound: a disease, a gene or a side effect",
}
UNKNOWN, CLOSED = "unknown", "assumed closed"
# The rule file's templates.  Those with an exclusion are asked in both readings of a missing edge.
TEMPLATES = {
    "Q1": {"": "treats"},
    "Q2": {UNKNOWN: "treats_without", CLOSED: "treats_not_known_to_cause"},
    "Q3": {"": "acts_on_kin"},
    "Q4": {UNKNOWN: "treats_off_pathway", CLOSED: "treats_not_known_on_pathway"},
}
LEAST_TREATMENTS = 3

# What the paper reports: precision before and after filtering.
PAPER = {"Q1": (0.66, 0.70), "Q2": (0.17, 0.62)}


@dataclass(frozen=True, slots=True)
class Part:
    """So many distractors, or all (None): of the first of these kinds, and when there are no more,
    of the next."""

    kinds: tuple[str, ...]
    amount: float | None


@dataclass(frozen=True, slots=True)
class Mix:
    """How many candidates of which kind a question gets: at most `gold` of gold, and of each part
    its amount, per gold candidate (`per_gold`) or per question."""

    name: str
    gold: int
    parts: tuple[Part, ...]
    per_gold: bool


def calibrated(question: str) -> Mix:
    """The mix that gives the paper's two precisions on the whole graph.

    Filtering drops what is violated: wrong types, and what is excluded.  So both precisions fix how
    many distractors of the same type there are for each gold candidate (they stay), and how many
    others (they go).  For Q1 the others are wrong types.  For Q2 the paper leaves open how many
    are; here there are as many for each of the same type as in Q1, and the rest is excluded."""
    before, after = PAPER["Q1"]
    same, wrong = 1 / after - 1, 1 / before - 1 / after
    if question == "Q1":
        return Mix("paper", 5, (Part((SAME,), same), Part((WRONG,), wrong)), True)
    before, after = PAPER["Q2"]
    share = wrong / same
    same, gone = 1 / after - 1, 1 / before - 1 / after
    parts = (
        Part((SAME,), same),
        Part((WRONG,), same * share),
        Part((EXCLUDED, EXCLUDED_OTHER), gone - same * share),
    )
    return Mix("paper", 5, parts, True)


BALANCED = Mix(
    "balanced",
    5,
    (
        Part((DENIED,), None),
        Part((EXCLUDED,), 5),
        Part((EXCLUDED_OTHER,), 5),
        Part((SAME,), 5),
        Part((WRONG,), 5),
    ),
    False,
)
MIXES = {
    "Q1": (calibrated("Q1"), BALANCED),
    "Q2": (calibrated("Q2"), BALANCED),
    "Q3": (BALANCED,),
    "Q4": (BALANCED,),
}


@dataclass(frozen=True, slots=True)
class Topic:
    """What a question is about, and who may be a candidate of each kind."""

    arguments: Mapping[str, str]
    pools: Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question's arguments, and the kind of each of its candidates, in the order to be asked."""

    arguments: Mapping[str, str]
    kinds: Mapping[str, str]

    @property
    def id(self) -> str:
        return " ".join(self.arguments.values())


class Whole:
    """Who answers what, on the graph before anything is removed."""

    def __init__(self, hetionet: Hetionet) -> None:
        self._edges = hetionet.edges
        self.compounds = hetionet.nodes.get("Compound", ())
        self.others = tuple(
            node
            for kind in ("Disease", "Gene", "Side Effect")
            for node in hetionet.nodes.get(kind, ())
        )
        self.denied = _by(_back(hetionet.denied))

    @cached_property
    def treating(self) -> dict[str, set[str]]:
        """The compounds that treat each disease."""
        return _by(_back(self._edges.get("CtD", ())))

    @cached_property
    def causing(self) -> dict[str, set[str]]:
        """The compounds that cause each side effect."""
        return _by(_back(self._edges.get("CcSE", ())))

    @cached_property
    def effects(self) -> dict[str, set[str]]:
        """The side effects of each compound."""
        return _by(self._edges.get("CcSE", ()))

    @cached_property
    def pathways(self) -> dict[str, set[str]]:
        """The pathways of the genes that each compound binds."""
        return _joined(_by(self._edges.get("CbG", ())), _by(self._edges.get("GpPW", ())))

    @cached_property
    def touching(self) -> dict[str, set[str]]:
        """The compounds that bind a gene in each pathway."""
        return _by((p, x) for x, found in self.pathways.items() for p in found)

    @cached_property
    def kin(self) -> dict[str, set[str]]:
        """The compounds that bind a gene of a disease that resembles each disease."""
        genes = _by(self._edges.get("CbG", ()))
        diseases = _joined(genes, _by(_back(self._edges.get("DaG", ()))))
        resembling = _by(self._edges.get("DrD", ()))
        for disease, other in self._edges.get("DrD", ()):
            resembling[other].add(disease)
        return _by((d, x) for x, found in _joined(diseases, resembling).items() for d in found)

    @property
    def diseases(self) -> list[str]:
        """The diseases with enough treatments to ask about."""
        return sorted(d for d, x in self.treating.items() if len(x) >= LEAST_TREATMENTS)


def _back(pairs: Iterable[Pair]) -> Iterator[Pair]:
    return ((b, a) for a, b in pairs)


def _by(pairs: Iterable[Pair]) -> defaultdict[str, set[str]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for a, b in pairs:
        found[a].add(b)
    return found


def _joined(first: Mapping[str, set[str]], then: Mapping[str, set[str]]) -> dict[str, set[str]]:
    return {a: {c for b in found for c in then.get(b, ())} for a, found in first.items()}


# ---------------------------------------------------------------- what is asked about


def topics(whole: Whole, question: str, diseases: Sequence[str], seed: int) -> Iterator[Topic]:
    """A topic of the question for every disease that has one; the seed chooses the side effect, or
    the pathway, among those that some treatments have and some don't."""
    for disease in diseases:
        chance = random.Random(f"{seed} {question} {disease}")
        treating = whole.treating[disease]
        if question == "Q1":
            yield Topic({"d": disease}, _pools(whole, disease, treating, set()))
        elif question == "Q3":
            kin = whole.kin.get(disease, set())
            if kin:
                yield Topic({"d": disease}, _pools(whole, "", kin, set()))
        else:
            of, having, name = (
                (whole.effects, whole.causing, "s")
                if question == "Q2"
                else (whole.pathways, whole.touching, "p")
            )
            found = sorted({thing for x in treating for thing in of.get(x, ())})
            mixed = [thing for thing in found if not treating <= having[thing]]
            if mixed:
                thing = chance.choice(mixed)
                arguments = {"d": disease, name: thing}
                yield Topic(arguments, _pools(whole, disease, treating, having[thing]))


def _pools(
    whole: Whole, disease: str, treating: set[str], excluded: set[str]
) -> dict[str, list[str]]:
    """Who is what: `treating` meet the relation asked for, `excluded` what is excluded."""
    denied = whole.denied.get(disease, set())
    return {
        GOLD: sorted(treating - excluded - denied),
        DENIED: sorted(denied),
        EXCLUDED: sorted((treating & excluded) - denied),
        EXCLUDED_OTHER: sorted(excluded - treating - denied),
        SAME: sorted(set(whole.compounds) - treating - excluded - denied),
        WRONG: list(whole.others),
    }


def asked(topics: Iterable[Topic], mix: Mix, seed: int) -> list[Asked]:
    """Candidates for every topic, drawn by the mix and shuffled; topics that leave no gold are left
    out.

    What a part is owed in fractions, or what its pools lack, the next topics make up for when the
    mix is per gold candidate: so the whole has the mix's proportions."""
    owed = dict.fromkeys(mix.parts, 0.0)
    found = []
    for topic in topics:
        chance = random.Random(f"{seed} {mix.name} {' '.join(topic.arguments.values())}")
        gold = _draw(chance, topic.pools[GOLD], mix.gold)
        if not gold:
            continue
        kinds = dict.fromkeys(gold, GOLD)
        for part in mix.parts:
            if part.amount is None:
                kinds |= {name: kind for kind in part.kinds for name in topic.pools[kind]}
                continue
            carried = owed[part] if mix.per_gold else 0.0
            owed[part] = carried + part.amount * (len(gold) if mix.per_gold else 1)
            wanted = int(owed[part] + 0.5)
            for kind in part.kinds:
                drawn = _draw(chance, topic.pools[kind], wanted)
                kinds |= dict.fromkeys(drawn, kind)
                wanted -= len(drawn)
                owed[part] -= len(drawn)
        names = list(kinds)
        chance.shuffle(names)
        found.append(Asked(topic.arguments, {name: kinds[name] for name in names}))
    return found


def _draw(chance: random.Random, pool: Sequence[str], wanted: int) -> list[str]:
    return chance.sample(pool, min(max(wanted, 0), len(pool)))
