"""The built-in judge on sentences of every kind, and the laws that it keeps."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kgverify
from kgverify import Claim, Claims, Failure, Judgement, Passage, RuleJudge
from kgverify.evidence.english import MODALS
from kgverify.evidence.rule_judge import judge_pair

HERE = Path(__file__).parent
ROWS: list[dict[str, Any]] = [
    json.loads(line) for line in (HERE / "judged.jsonl").read_text("utf-8").splitlines()
]
CLAIMS = Claims(kgverify.load_rules(HERE / "judged.kgr"))


def claim_of(row: dict[str, Any]) -> Claim:
    given = row["object"]
    if isinstance(given, str):
        return CLAIMS.of(row["subject"], row["relation"], given)
    value = CLAIMS.value(
        row["relation"], given["value"], given.get("unit", ""), given.get("comparison", "=")
    )
    return CLAIMS.of(row["subject"], row["relation"], value)


def passage_of(row: dict[str, Any]) -> Passage:
    return Passage("p", row["text"], row.get("title", ""))


PAIRS = [(passage_of(row), claim_of(row)) for row in ROWS]
ANSWERS = [judge_pair(passage, claim) for passage, claim in PAIRS]


@pytest.mark.parametrize("number", range(len(ROWS)))
def test_a_sentence_has_a_right_label(number: int) -> None:
    answer = ANSWERS[number]
    assert answer.label in ROWS[number]["labels"], answer.reason
    assert answer.reason
    assert 0 <= answer.score <= 1
    if answer.extent is not None:
        assert 0 <= answer.extent.start < answer.extent.end <= len(ROWS[number]["text"])
    if answer.label != "UNCERTAIN":
        assert answer.extent is not None, "a label comes from a place"


def test_the_sentences_are_of_all_labels() -> None:
    labels = [row["labels"][0] for row in ROWS if len(row["labels"]) == 1]
    assert min(map(labels.count, ("ENTAILED", "UNCERTAIN", "NOT_ENTAILED"))) > 40


def test_a_batch_is_as_one_at_a_time_in_any_order() -> None:
    judge = RuleJudge()
    assert judge.judge(PAIRS) == ANSWERS
    assert judge.judge(PAIRS[::-1]) == ANSWERS[::-1]
    assert not [a for a in judge.judge(PAIRS[:3] * 2) if isinstance(a, Failure)]


# ------------------------------------------------------------------ laws

ENTAILED = [n for n, answer in enumerate(ANSWERS) if answer.label == "ENTAILED"]
VERB = re.compile(r"\b(is|was|are|were|has been|have been|has|had|can|may|does|do)\b")


@pytest.mark.parametrize("number", ENTAILED)
def test_not_behind_the_verb_leaves_nothing_entailed(number: int) -> None:
    """A denied verb: that of the words which the label comes from."""
    passage, claim = PAIRS[number]
    extent = ANSWERS[number].extent
    assert extent is not None
    said = extent.of(passage.text)
    for verb in VERB.finditer(said):
        place = extent.start + verb.end()
        text = f"{passage.text[:place]} not{passage.text[place:]}"
        if "not only" in text[place:] or re.match(r"\s+not", passage.text[place:]):
            continue  # said already
        denied = judge_pair(Passage("p", text, passage.title), claim)
        assert denied.label != "ENTAILED", text


NAMES = ["Kovar", "Tirune", "Bel Aston", "Zembra", "Old Harrow", "Mirrin Vale", "Quessy"]


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(range(len(ROWS))), st.permutations(NAMES))
def test_names_can_be_exchanged_for_others(number: int, names: list[str]) -> None:
    row = ROWS[number]
    old = [row["subject"], *([row["object"]] if isinstance(row["object"], str) else [])]
    if any(not name.istitle() or " " in name or len(name) < 4 for name in old):
        return  # short forms and words in small letters are names of another kind
    if any(re.search(rf"\b{name}\b[a-z]?[ ]?[A-Z]", row["text"]) for name in old):
        return  # a part of a longer name
    renamed = dict(zip(old, (n for n in names if " " not in n), strict=False))

    def other(text: str) -> str:
        return re.sub("|".join(rf"\b{name}\b" for name in renamed), lambda m: renamed[m[0]], text)

    claim = claim_of(
        {
            **row,
            "subject": other(row["subject"]),
            "object": (other(row["object"]) if isinstance(row["object"], str) else row["object"]),
        }
    )
    passage = Passage("p", other(row["text"]), other(row.get("title", "")))
    assert judge_pair(passage, claim).label == ANSWERS[number].label, passage.text


@settings(max_examples=200, deadline=None)
@given(
    st.text(alphabet=st.sampled_from("AbZ .,;:!?'’\"“”()-–\n\t1203%é of not is the"), max_size=80)
)
def test_any_text_has_an_answer_and_nonsense_entails_nothing(text: str) -> None:
    claim = CLAIMS.of("Kovar", "capital", "Tirune")
    answer = judge_pair(Passage("p", text, text[:10]), claim)
    assert isinstance(answer, Judgement)
    assert answer.label == "UNCERTAIN"


@pytest.mark.parametrize("modal", sorted(MODALS - {"cannot", "'ll"}))
@pytest.mark.parametrize("relation", ["spouse", "borders", "directed"])
def test_modals_leave_open(modal: str, relation: str) -> None:
    verb = {"spouse": "marry", "borders": "border", "directed": "direct"}[relation]
    claim = CLAIMS.of("Kovar", relation, "Tirune")
    answer = judge_pair(Passage("p", f"Kovar {modal} {verb} Tirune."), claim)
    assert answer.label == "UNCERTAIN"


# ------------------------------------------------------------------ the shipped rule files


@pytest.mark.parametrize("name", ["codex", "countries", "family", "pharmacy"])
def test_each_phrase_of_a_shipped_rule_file_is_understood(name: str) -> None:
    book = kgverify.load_rules(Path("rules") / f"{name}.kgr")
    claims = Claims(book)
    missed = []
    for relation, declared in book.relations.items():
        if book.is_literal(relation):
            continue
        claim = claims.of("Mola Dun", relation, "Perak Vost")
        for phrase in declared.spoken:
            text = phrase if "{0}" in phrase else f"{{0}} {phrase} {{1}}"
            said = text.replace("{0}", "Mola Dun").replace("{1}", "Perak Vost") + "."
            if judge_pair(Passage("p", said[0].upper() + said[1:]), claim).label != "ENTAILED":
                missed.append(said)
            swapped = text.replace("{1}", "Mola Dun").replace("{0}", "Perak Vost") + "."
            other = judge_pair(Passage("p", swapped[0].upper() + swapped[1:]), claim)
            if claim.relation.is_one_way and other.label == "ENTAILED":
                missed.append(swapped)
    assert missed == []


# ------------------------------------------------------------------ names and claims


def test_longer_names_that_the_claim_knows_are_no_mentions() -> None:
    claim = Claim(("asthma drug",), CLAIMS.words("treats"), ("asthma",), "", ("cardiac asthma",))
    text = "The asthma drug treats cardiac asthma."
    assert judge_pair(Passage("p", text), claim).label == "UNCERTAIN"
    without = Claim(claim.subject, claim.relation, claim.object, "")
    assert judge_pair(Passage("p", "The asthma drug treats asthma."), without).label == "ENTAILED"


def test_a_claim_of_a_time_is_judged_by_the_years() -> None:
    claim = CLAIMS.of("Brenda", "capital", "Osk")
    text = "Osk was the capital of Brenda from 1820 until 1950."

    def at(year: str) -> str:
        own = Claim(claim.subject, claim.relation, claim.object, "", (), year)
        return judge_pair(Passage("p", text), own).label

    assert [at(y) for y in ("1800", "1900", "1999", "")] == [
        "UNCERTAIN",
        "ENTAILED",
        "NOT_ENTAILED",
        "NOT_ENTAILED",
    ]
