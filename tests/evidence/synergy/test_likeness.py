"""How like entities are to a query, by words and by vectors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kgverify.evidence.corpus import Corpus
from kgverify.evidence.indexes import IndexFolder
from kgverify.evidence.passages import Passage
from kgverify.evidence.synergy.building import titled_knowledge_base
from kgverify.evidence.synergy.knowledge_base import KnowledgeBase
from kgverify.evidence.synergy.likeness import VectorLikeness, WordLikeness, entity_texts
from tests.evidence.synergy.worlds import corpus


class Letters:
    """Vectors that count letters; it remembers what it was given."""

    path, width, key = Path("letters"), 26, "letters"

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def vectors(self, texts: list[str]) -> np.ndarray:
        self.asked.append(list(texts))
        rows = np.array(
            [[text.lower().count(chr(97 + n)) for n in range(26)] for text in texts], np.float32
        ).reshape(-1, 26)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return rows / np.where(lengths > 0, lengths, 1)


def test_an_entity_is_compared_by_its_name_and_first_sentence() -> None:
    base, _ = titled_knowledge_base(corpus())
    assert entity_texts(base)[1:3] == [
        "North Wind (film). North Wind (1964) is a western.",
        "Ada Lind. Ada Lind was born in Visby.",
    ]
    bare = KnowledgeBase.of(Corpus.of([Passage("a", "x" * 999, "A")]), ["A", "B"], [], [], [(0, 0)])
    assert entity_texts(bare) == [f"A. {'x' * 300}", "B"]


def test_tf_idf_by_hand() -> None:
    base = KnowledgeBase.of(Corpus.of([]), ["red boat", "red house", "blue"], [], [])
    idf = {"red": np.log(4 / 3) + 1, "boat": np.log(4 / 2) + 1}
    length = np.hypot(idf["red"], idf["boat"])
    found = WordLikeness(base).to("Red!")
    assert found.tolist() == pytest.approx([idf["red"] / length, idf["red"] / length, 0])
    assert WordLikeness(base).to("a red boat, unheard of").max() == pytest.approx(1)
    assert WordLikeness(base).to("nothing known").tolist() == [0, 0, 0]
    assert WordLikeness(KnowledgeBase.of(Corpus.of([]), [], [], [])).to("red").tolist() == []


def test_cosines_are_of_the_texts_in_their_order(tmp_path: Path) -> None:
    base, _ = titled_knowledge_base(corpus())
    encoder = Letters()
    found = VectorLikeness(base, encoder).to("Visby")
    query, texts = encoder.vectors(["Visby"])[0], encoder.vectors(entity_texts(base))
    assert found.tolist() == pytest.approx((texts @ query).tolist())
    assert found.max() <= 1
    index = IndexFolder(tmp_path / "index")
    assert VectorLikeness(base, Letters(), index).to("Visby").tolist() == found.tolist()
    again = Letters()
    assert VectorLikeness(base, again, index).to("Visby").tolist() == found.tolist()
    assert again.asked == [["Visby"]]
    # Another graph has other vectors.
    other = KnowledgeBase.of(corpus(), ["b"], [], [])
    assert len(VectorLikeness(other, Letters(), index).to("Visby")) == 1
