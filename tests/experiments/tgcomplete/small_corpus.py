"""A small graph, texts of its names, and judges that say what is written down for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hypothesis import strategies as st

from kgverify.completion.breakpoints import Edge
from kgverify.errors import Problem
from kgverify.evidence.claims import Claims
from kgverify.evidence.judging import LABELS, Claim, Failure, Judgement
from kgverify.evidence.passages import Passage
from kgverify.graph import Graph
from kgverify.graph.building import Builder
from kgverify.language.checks import load_rules_text

BOOK = load_rules_text("""
class Place
relation near (Place, Place) "{0} is near {1}"
relation beside (Place, Place) "{0} is beside {1}"
""")
# Two entities have one name, and one name is within another.
NAMES: dict[str, tuple[str, ...]] = {
    "alma": ("Alma", "Almara"),
    "upper": ("Upper Alma",),
    "berro": ("Berro",),
    "corda": ("Corda",),
    "other_corda": ("Corda",),
}
WORDS = ["Alma", "Almara", "Upper", "Berro", "Corda", "is", "near", "Cordas", "x"]
FAILED = Failure(Problem("judge-reply", "no label can be read"), "well")


def graph() -> Graph:
    builder = Builder()
    for id_, (label, *others) in NAMES.items():
        builder.add_label(f"e{id_}", label)
        for name in others:
            builder.add_alias(f"e{id_}", name)
        builder.add_fact(f"e{id_}", "rdf:type", "ePlace")
    return Graph(builder.columns())


GRAPH = graph()
CLAIMS = Claims(BOOK, GRAPH)
ANSWERS = [*(Judgement(label, 0.9) for label in LABELS), FAILED]

ENTITIES = st.sampled_from(sorted(NAMES))
EDGES = st.builds(Edge, ENTITIES, st.sampled_from(("near", "beside")), ENTITIES)
BLANKS = st.sampled_from((" ", "  ", "\n", "\n\n"))


@st.composite
def texts(draw: st.DrawFn, most: int = 14) -> str:
    words = draw(st.lists(st.sampled_from(WORDS), max_size=most))
    return "".join(word + draw(BLANKS) for word in words)


@st.composite
def passages(draw: st.DrawFn, most: int = 5) -> list[Passage]:
    number = draw(st.integers(0, most))
    return [Passage(f"p{n}", draw(texts()), draw(texts(3))) for n in range(number)]


class Judge:
    """Says of each passage and claim what a seed makes of their ids; counts what it is asked."""

    def __init__(self, name: str = "by hand", seed: int = 0) -> None:
        self.name, self._seed, self.asked = name, seed, 0

    def judge(self, pairs: Sequence[tuple[Passage, Claim]]) -> list[Judgement | Failure]:
        self.asked += len(pairs)
        return [self.says(passage.id, claim.hypothesis) for passage, claim in pairs]

    def says(self, passage: str, hypothesis: str) -> Judgement | Failure:
        return ANSWERS[sum(map(ord, f"{self._seed}{passage}{hypothesis}")) % len(ANSWERS)]

    def of(self, passage: str, edge: Edge) -> Judgement | Failure:
        return self.says(passage, CLAIMS.of(edge.subject, edge.relation, edge.object).hypothesis)


class Written:
    """Says what is written down of a passage, whatever the claim."""

    def __init__(self, labels: Mapping[str, Judgement | Failure], name: str = "written") -> None:
        self.name, self._labels = name, labels

    def judge(self, pairs: Sequence[tuple[Passage, Claim]]) -> list[Judgement | Failure]:
        return [self._labels[passage.id] for passage, _ in pairs]
