"""The labels of the built-in judge on the 300 pairs, one by one.

They are what the judge says, right or not (docs/text.md tells how many are).  A change of the judge
that is not about sentences leaves them as they are; one that is about them changes them here, and
raises its VERSION.
"""

from __future__ import annotations

import pytest

from kgverify import Claims, load_rules, read_pairs, resources
from kgverify.evidence.rule_judge import judge_pair

FOLDER = resources.folder("corpora") / "entailment"
# The first letter of the label of each pair, in the order of the file.
LABELS = {
    "entailment": (
        "EUEEEUUUUUUUUUUEUUUUUUUUNEUUUUUUUUUNUUUUUUUUUUUUEUUUUUUUUUEUUUUNUUUENNUUUUU"
        "EEEEEEUUUUUUUUUEUUEUNUUENEUNEUUNUUUENUNUUUUNEUUUUNUUUUUUEUUUEEUUNENNEUUUUUU"
        "EEUEEUUUUUUUUUUUUUUUUUEUUEEEUUNNNUUUUUUUUEUUUUUUUUUUUUUUUEUUEUUUUUUUNUUUEUU"
        "UUUEUNUUUUEUUUNEUUUUUNUUUUEUUUUUUUUUUNUUUUUUUUUUUUUUUUUEUEUNUEUUUUUUUUUEUUU"
    ),
    "entailment_phrases": (
        "EEEEEEUUUUUUUUNEUUUUUUUNNEUNUUUUUUUNUUUUEUUUUUUUEUUUUUUUUUEUUUUNUUUENNUUUUU"
        "EEEEEENUUUUUUUUEUUEUNUUENEUNEUUNUUUENUNUUUUNEUUUUNUUUUUUEUUUEEUUNENNEUUUUUU"
        "EEEEEUUUUEUUUUUNUUNUUUEUUEEEUUNNNUUUUUUUUEUUEUEUUUUUUUUUUEUUEUUUUUUUNUUUEEU"
        "UEUEUNUUUUEUUUNEUUUUUNUUUUEUUUUUUUUUUNUUUUUUUUUEUUUUUUUEUEUNUEUUUUUUUUUEUUU"
    ),
}


@pytest.mark.parametrize("name", LABELS)
def test_labels_are_as_they_were(name: str) -> None:
    pairs = read_pairs(FOLDER / "pairs.jsonl", Claims(load_rules(FOLDER / f"{name}.kgr")))
    found = "".join(judge_pair(pair.passage, pair.claim).label[0] for pair in pairs)
    changed = [
        (pair.id, old, new)
        for pair, old, new in zip(pairs, LABELS[name], found, strict=True)
        if old != new
    ]
    assert changed == []
