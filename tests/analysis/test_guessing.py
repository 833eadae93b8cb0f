"""Searches for graphs find what enumerating all graphs finds, and nothing smaller."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kgverify import load_rules_text
from kgverify.analysis.blocks import block_text, confirm, said_statuses
from kgverify.analysis.domains import Bound, question_domain
from kgverify.analysis.guessing import CLASH, Deadline, Guesses, Look
from kgverify.analysis.questions import SHOW_OUTCOME
from tests.analysis.small import judged, rule_files, small_domain

GOALS = SHOW_OUTCOME + "apart(J,I) :- status(J,sat), constraint(I), not status(I,sat)."


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_a_search_equals_the_enumeration_of_all_graphs(data: st.DataObject) -> None:
    text = data.draw(rule_files())
    book = load_rules_text(text)
    domain, (names,) = small_domain(data.draw, book)
    everything = list(judged(text, domain, names))
    guesses = Guesses(domain, [Look(book, names, "q")], GOALS, Deadline(600))
    for consistent in ((CLASH,), ()):
        graphs = [one for one in everything if one.agrees or not consistent]
        for verdict in ("sat", "viol", "unk"):
            found = guesses.smallest(f"verdict({verdict})", consistent=consistent)
            sizes = [len(one.facts) for one in graphs if one.verdict == verdict]
            assert (None if found is None else len(found.facts)) == min(sizes, default=None)
            if found is not None:
                confirmed = confirm(book, "q", found)
                assert confirmed.verdict.verdict == verdict
                assert "= " + verdict in block_text(book, "found", "q", confirmed)
        indexes = sorted(said_statuses(guesses.some(consistent=())))
        items = [c.index for c in Look(book, names, "q").template.items]
        place = {index: number for number, index in enumerate(items)}
        assert set(items) <= set(indexes)
        for one in items:
            for other in items:
                apart = [
                    len(g.facts)
                    for g in graphs
                    if g.statuses[place[one]] == "sat" and g.statuses[place[other]] != "sat"
                ]
                found = guesses.smallest(f"apart({one},{other})", consistent=consistent)
                assert (None if found is None else len(found.facts)) == min(apart, default=None)


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(rule_files(), st.integers(1, 2))
def test_things_without_names_are_alike(text: str, bound: int) -> None:
    book = load_rules_text(text)
    domain, (names,), _ = question_domain([(book, "q")], Bound(bound))
    apart = replace(domain, named=(*domain.named, *domain.unnamed), unnamed=())
    look = Look(book, names, "q")
    one, other = (Guesses(d, [look], GOALS, Deadline(600)) for d in (domain, apart))
    for verdict in ("sat", "viol", "unk"):
        found = [g.smallest(f"verdict({verdict})") for g in (one, other)]
        assert len({None if f is None else len(f.facts) for f in found}) == 1


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(rule_files())
def test_a_search_is_repeatable(text: str) -> None:
    book = load_rules_text(text)
    domain, (names,), _ = question_domain([(book, "q")], Bound(2))
    found = [
        Guesses(domain, [Look(book, names, "q")], GOALS, Deadline(600)).smallest("verdict(viol)")
        for _ in range(2)
    ]
    assert found[0] == found[1]
