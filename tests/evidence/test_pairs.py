"""The pairs that measure judges of entailment are well formed, balanced and not to be guessed.

What a label should be only a reader can say.  Held here is what a program can see: the form of
each line, the counts that `SOURCES.md` tells, that a claim's names stand in its passage, and that
neither the kind of a pair nor its relation nor a cue word gives the label away.
"""

from __future__ import annotations

import calendar
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Any

import pytest

from kgverify import resources
from kgverify.language.checks import check
from kgverify.language.parsing import read_rule_text

FOLDER = resources.folder("corpora") / "entailment"
PAIRS: list[dict[str, Any]] = [
    json.loads(line) for line in (FOLDER / "pairs.jsonl").read_text("utf-8").splitlines()
]
LABELS = {"ENTAILED": 120, "UNCERTAIN": 90, "NOT_ENTAILED": 90}
DOMAINS = ("drugs", "countries", "people", "works")
KINDS = {
    "plain",
    "passive",
    "paraphrase",
    "pronoun",
    "negation",
    "hedge",
    "swapped",
    "number",
    "date",
    "unit",
    "co-mention",
    "ended",
    "longer-name",
    "list",
    "appositive",
    "question",
    "report",
    "conditional",
    "double-negation",
    "other-clause",
    "contradiction-functional",
    "distractor",
    "injection",
}
# A plain statement is there to be entailed; a functional relation with another object, to be not.
ONE_LABEL_BY_NATURE = {"plain", "contradiction-functional"}
# Here the claim's number is reckoned from the passage's, or is not the passage's.
OTHER_NUMBER = {"number", "unit", "contradiction-functional"}

each_pair = pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair["id"])


@each_pair
def test_a_line_has_its_keys(pair: dict[str, Any]) -> None:
    keys = {"id", "domain", "passage", "claim", "hypothesis", "label", "kind", "hard"}
    assert set(pair) == keys
    assert set(pair["passage"]) == {"id", "title", "text", "source"}
    assert set(pair["claim"]) - {"at"} == {"subject", "relation", "object"}
    assert pair["passage"]["id"] == pair["id"]
    assert pair["domain"] in DOMAINS
    assert pair["label"] in LABELS
    assert pair["kind"] in KINDS
    assert isinstance(pair["hard"], bool)
    texts = [*pair["passage"].values(), pair["hypothesis"], pair["claim"]["subject"]]
    assert all(isinstance(text, str) and text and text == text.strip() for text in texts)


@each_pair
def test_a_value_says_what_it_is(pair: dict[str, Any]) -> None:
    value = pair["claim"]["object"]
    if isinstance(value, str):
        return
    assert set(value) - {"comparison"} in ({"value", "unit"}, {"value", "datatype"})
    if "datatype" in value:
        assert value["datatype"] == "date"
        assert re.fullmatch(r"\d{4}(-\d\d-\d\d)?", value["value"])
    else:
        assert isinstance(value["value"], int | float)
    if "comparison" in value:
        words = {"<": r"\b(fewer|less|shorter) than\b", ">": r"\b(more|longer) than\b"}
        assert re.search(words[value["comparison"]], pair["hypothesis"])


@each_pair
def test_passages_are_short_and_hypotheses_one_sentence(pair: dict[str, Any]) -> None:
    assert 1 <= len(sentences(pair["passage"]["text"])) <= 4
    assert len(sentences(pair["hypothesis"])) == 1
    assert pair["hypothesis"].endswith(".")


def sentences(text: str) -> list[str]:
    """The sentences of a text; "J. R. R." and "No. 8" end none."""
    text = re.sub(r"\b([A-Z]|No)\. ", r"\1 ", text)
    return re.split(r"(?<=[.?!])\s+(?=[A-Z])", text)


@each_pair
def test_the_names_of_a_claim_stand_in_its_passage_and_hypothesis(pair: dict[str, Any]) -> None:
    claim, passage = pair["claim"], pair["passage"]
    read = f"{passage['title']}\n{passage['text']}"
    for text in (read, pair["hypothesis"]):
        assert named(claim["subject"], text)
        if isinstance(claim["object"], str):
            assert named(claim["object"], text)
    if not isinstance(claim["object"], str) and pair["kind"] not in OTHER_NUMBER:
        assert valued(claim["object"], read)
    if "at" in claim:
        assert re.fullmatch(r"\d{4}", claim["at"])
        assert claim["at"] in pair["hypothesis"]


def named(name: str, text: str) -> bool:
    """Whether the name stands in the text, as words of their own."""
    pattern = rf"(?<!\w){re.escape(name.casefold())}(?!\w)"
    return re.search(pattern, text.casefold()) is not None


def valued(value: dict[str, Any], text: str) -> bool:
    """Whether a number or a date stands in the text, a date perhaps as its year alone."""
    if value.get("datatype") == "date":
        year, *month_and_day = value["value"].split("-")
        if not month_and_day:
            return named(year, text)
        month = calendar.month_name[int(month_and_day[0])]
        return named(f"{int(month_and_day[1])} {month} {year}", text)
    plain = re.sub(r"(?<=\d),(?=\d{3})", "", text)
    million = f"{value['value'] / 1_000_000:g} million"
    return named(f"{value['value']}", plain) or named(million, plain)


def test_counts() -> None:
    assert [pair["id"] for pair in PAIRS] == [f"p{n:03}" for n in range(1, 301)]
    assert Counter(pair["label"] for pair in PAIRS) == LABELS
    assert Counter(pair["domain"] for pair in PAIRS) == dict.fromkeys(DOMAINS, 75)
    kinds = Counter(pair["kind"] for pair in PAIRS)
    assert set(kinds) == KINDS
    assert min(kinds.values()) >= 8
    for label in LABELS:
        hard = Counter(pair["hard"] for pair in PAIRS if pair["label"] == label)
        assert hard[True] * 3 >= LABELS[label]
        assert hard[False] >= 10  # being hard is no label either
    assert sum(pair["hard"] for pair in PAIRS) >= 130


def test_sources_tell_the_counts() -> None:
    told = {}
    for line in (FOLDER / "SOURCES.md").read_text("utf-8").splitlines():
        cells = [cell.strip(" `") for cell in line.strip("|").split("|")]
        if cells[0] in DOMAINS and all(cell.isdigit() for cell in cells[1:]):
            told[cells[0]] = [int(cell) for cell in cells[1:]]
    for domain in DOMAINS:
        found = [pair for pair in PAIRS if pair["domain"] == domain]
        labels = Counter(pair["label"] for pair in found)
        hard = sum(pair["hard"] for pair in found)
        assert told[domain] == [*(labels[label] for label in LABELS), hard]


def test_no_premise_stands_twice() -> None:
    words = [" ".join(re.findall(r"\w+", p["passage"]["text"].casefold())) for p in PAIRS]
    assert len(set(words)) == len(PAIRS)
    claims = [(p["hypothesis"], p["passage"]["title"]) for p in PAIRS]
    assert len(set(claims)) == len(PAIRS)


def test_relations_are_declared_and_used() -> None:
    book, problems = check(read_rule_text(FOLDER / "entailment.kgr"), "entailment.kgr")
    # A relation that has no phrases yet, and that no rule mentions, is told as a warning.
    assert {problem.code for problem in problems} <= {"unused"}
    used = {pair["claim"]["relation"] for pair in PAIRS}
    assert used == set(book.relations)
    assert len(used) >= 25
    for relation in book.relations.values():
        assert relation.sentence is not None
        assert "{0}" in relation.sentence
        assert "{1}" in relation.sentence
    for pair in PAIRS:
        relation = pair["claim"]["relation"]
        is_value = not isinstance(pair["claim"]["object"], str)
        assert is_value == (relation in book.literal_relations)


def test_the_file_with_phrases_has_nothing_else_besides() -> None:
    plain, _ = check(read_rule_text(FOLDER / "entailment.kgr"), "entailment.kgr")
    phrased, problems = check(
        read_rule_text(FOLDER / "entailment_phrases.kgr"), "entailment_phrases.kgr"
    )
    assert not problems
    assert not any(relation.phrases for relation in plain.relations.values())
    assert all(2 <= len(relation.phrases) <= 6 for relation in phrased.relations.values())
    bare = {name: replace(said, phrases=()) for name, said in phrased.relations.items()}
    assert bare == plain.relations
    assert phrased.classes == plain.classes


def hits(feature: Callable[[dict[str, Any]], Hashable]) -> float:
    """The share of labels that are right if each value of a feature gets its usual label."""
    found: dict[Hashable, Counter[str]] = defaultdict(Counter)
    for pair in PAIRS:
        found[feature(pair)][pair["label"]] += 1
    return sum(max(labels.values()) for labels in found.values()) / len(PAIRS)


def cue(pattern: str) -> Callable[[dict[str, Any]], Hashable]:
    return lambda pair: bool(re.search(pattern, pair["passage"]["text"], re.IGNORECASE))


NEGATED = r"\b(not|no|never|neither|nor|nobody|none|nothing|without|cannot)\b"
HEDGED = r"\?|\b(may|might|could|would|if|perhaps|possibly|probably|likely|thought|said)\b"


@pytest.mark.parametrize(
    ("feature", "most"),
    [
        pytest.param(lambda pair: "", 0.4, id="nothing"),
        pytest.param(lambda pair: pair["kind"], 0.6, id="kind"),
        pytest.param(lambda pair: pair["claim"]["relation"], 0.55, id="relation"),
        pytest.param(lambda pair: pair["domain"], 0.42, id="domain"),
        pytest.param(lambda pair: len(pair["passage"]["text"]) // 40, 0.5, id="length"),
        pytest.param(cue(NEGATED), 0.45, id="a negation"),
        pytest.param(cue(HEDGED), 0.45, id="a hedge"),
    ],
)
def test_labels_are_not_to_be_guessed(
    feature: Callable[[dict[str, Any]], Hashable], most: float
) -> None:
    assert hits(feature) <= most


@pytest.mark.parametrize("kind", sorted(KINDS - ONE_LABEL_BY_NATURE))
def test_a_kind_has_several_labels(kind: str) -> None:
    labels = Counter(pair["label"] for pair in PAIRS if pair["kind"] == kind)
    assert set(labels) == set(LABELS)
    assert max(labels.values()) <= 0.9 * labels.total()
