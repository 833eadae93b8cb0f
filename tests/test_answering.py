"""A question in plain words, answered."""

from __future__ import annotations

import pytest

import kgverify
from tests.asking.corpora import Corpus, corpus, small


@pytest.fixture(scope="module")
def pharmacy() -> Corpus:
    return corpus("pharmacy")


def test_candidates_come_from_the_graph(pharmacy: Corpus) -> None:
    text = "Which drugs treat hypertension but do not cause dry cough?"
    found = kgverify.ask(text, pharmacy.graph, pharmacy.book, policy="rank")
    assert found.everything
    assert found.examined == len(found.verdicts) > 50
    assert found.verdicts[0].candidate == "losartan"
    given = kgverify.ask(
        text, pharmacy.graph, pharmacy.book, policy="rank", candidates=["losartan", "lisinopril"]
    )
    assert [(v.candidate, v.verdict) for v in given.verdicts] == [
        ("losartan", "sat"),
        ("lisinopril", "viol"),
    ]
    by_name = {v.candidate: v.verdict for v in found.verdicts}
    assert all(by_name[v.candidate] == v.verdict for v in given.verdicts)


def test_of_a_large_graph_only_what_evidence_leads_to_is_verified(pharmacy: Corpus) -> None:
    text = "medicines that treat migraine without causing nausea"
    whole = kgverify.ask(text, pharmacy.graph, pharmacy.book)
    part = kgverify.ask(text, pharmacy.graph, pharmacy.book, most=3)
    assert whole.everything
    assert not part.everything
    assert part.examined < whole.examined
    sat = [v.candidate for v in whole.verdicts if v.verdict == "sat"]
    assert [v.candidate for v in part.verdicts if v.verdict == "sat"] == sat
    assert "too-many-candidates" not in [p.code for p in part.problems]


def test_what_is_cut_short_is_told(pharmacy: Corpus) -> None:
    part = kgverify.ask("medicines that don't cause nausea", pharmacy.graph, pharmacy.book, most=3)
    assert (part.everything, part.examined) == (False, 3)
    assert "too-many-candidates" in [p.code for p in part.problems]


def test_members_by_signature_alone_are_candidates() -> None:
    found = small(
        'class A phrases "person"\nrelation knows (A, A) "{0} knows {1}"\n'
        'relation likes (A, A) "{0} likes {1}"\n',
        [("a", "knows", "b"), ("c", "likes", "d")],
    )
    answer = kgverify.ask("Which person does not know b?", found.graph, found.book, policy="rank")
    assert {v.candidate for v in answer.verdicts} == {"a", "b", "c", "d"}


@pytest.mark.parametrize("text", ["", "  ", "asdf"])
def test_what_can_not_be_read_is_an_error(pharmacy: Corpus, text: str) -> None:
    with pytest.raises(kgverify.QuestionError):
        kgverify.ask(text, pharmacy.graph, pharmacy.book)


def test_an_argument_of_the_wrong_kind_is_an_error(pharmacy: Corpus) -> None:
    with pytest.raises(kgverify.QuestionError, match="`dry_cough` is a SideEffect"):
        kgverify.ask("Which drugs treat dry cough?", pharmacy.graph, pharmacy.book)


def test_texts_of_one_wording_share_a_template(pharmacy: Corpus) -> None:
    asked = [
        (kgverify.errors.Span("asked", n), kgverify.Question(str(n), "", {}, (), text))
        for n, text in enumerate(
            [
                "medicines that treat migraine",
                "medicines that treat pain",
                "Which drugs treat asthma?",
                "medicines that prevent migraine",
                "nothing that anybody knows",
            ]
        )
    ]
    texts = kgverify.read_texts(asked, pharmacy.asker)
    assert [q.question for _, q in texts.questions] == ["asked_1", "asked_1", "treats", "asked_2"]
    assert [q.id for _, q in texts.questions] == ["0", "1", "2", "3"]
    assert set(texts.readings) == {"0", "1", "2", "3"}
    assert {p.span for p in texts.problems} == {asked[4][0]}
    assert set(texts.book.questions) - set(pharmacy.book.questions) == {"asked_1", "asked_2"}
    assert texts.book.hash == pharmacy.book.hash
