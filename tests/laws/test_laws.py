"""The laws of the semantics that hold for every rule file of this version, over random worlds."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from kgverify.verification import Verifier
from kgverify.vocabulary import Candidate
from tests.laws.common import LAW, by_candidate, decide, with_denied, with_facts
from tests.oracle import Oracle
from tests.worlds import CLASSES, ENTITIES, RELATIONS, World, worlds

FLIP = {"for": "against", "against": "for", "is": "isnt", "isnt": "is"}


def additions() -> st.SearchStrategy[tuple[bool, tuple[str, str, str]]]:
    """A fact to add; the flag says that it is a denied one."""
    things = st.sampled_from(["e" + e for e in ENTITIES])
    triples = st.one_of(
        st.tuples(things, st.sampled_from(RELATIONS), things),
        st.tuples(things, st.just("rdf:type"), st.sampled_from(["e" + c for c in CLASSES])),
    )
    return st.tuples(st.booleans(), triples)


def undated(world: World) -> World:
    """The world without periods and ranks: a fact that is added to it counts, and always."""
    return replace(world, dated=())


@LAW
@given(worlds(complete=False, size=8).map(undated), additions())
def test_law_2_knowledge_only_moves_unk(
    world: World, addition: tuple[bool, tuple[str, str, str]]
) -> None:
    denied, fact = addition
    richer = with_denied(world, fact) if denied else with_facts(world, fact)
    before = Oracle(world).evidence
    refuted = {(FLIP[a[0]], *a[1:]) for a in before}
    assume(not Oracle(richer).evidence & refuted)  # what is added is consistent with the world
    old, new = by_candidate(world), by_candidate(richer)
    for key, verdict in old.items():
        # A question whose argument has the wrong type by now is not answered at all.
        if verdict.verdict != "unk" and key in new:
            assert new[key].verdict == verdict.verdict, key


@LAW
@given(worlds(complete=False), st.data())
def test_law_3_deletion_never_turns_sat_into_viol_or_back(
    world: World, data: st.DataObject
) -> None:
    assume(world.facts)
    kept = data.draw(st.lists(st.sampled_from(world.facts), unique=True))
    # Two names of one entity are provably different without the fact that says so.
    kept += [fact for fact in world.facts if fact[1].endswith("sameAs") and fact not in kept]
    old, new = by_candidate(world), by_candidate(replace(world, facts=tuple(kept)))
    # An argument whose class was in conflict may be of the wrong class by now; such a question is
    # refused, not answered.
    for key in old.keys() & new.keys():
        before, after = old[key].decision.statuses, new[key].decision.statuses
        for one, other in zip(before, after, strict=True):
            assert (one, other) not in (("sat", "viol"), ("viol", "sat")), key


@LAW
@given(worlds(), st.lists(st.tuples(*[st.sampled_from(["ee0", "ee1", "enew"])] * 2), min_size=1))
def test_law_5_an_unmentioned_relation_changes_nothing(
    world: World, pairs: list[tuple[str, str]]
) -> None:
    known = {t for fact in (*world.facts, *world.denied) for t in (fact[0], fact[2])}
    extra = [(a, "whatever", b) for a, b in pairs if a in known and b in known]
    old, new = by_candidate(world), by_candidate(with_facts(world, *extra))
    assert {k: v.decision for k, v in old.items()} == {k: v.decision for k, v in new.items()}


@LAW
@given(worlds(), st.permutations(ENTITIES))
def test_law_6_renaming_entities_renames_the_verdicts(world: World, names: list[str]) -> None:
    rename = dict(zip(ENTITIES, names, strict=True))

    def term(key: str) -> str:
        return "e" + rename[key[1:]] if key[1:] in rename and key[0] == "e" else key

    def facts(old: tuple[tuple[str, str, str], ...]) -> tuple[tuple[str, str, str], ...]:
        return tuple((term(s), r, term(o)) for s, r, o in old)

    rules = re.sub(r"\be[0-3]\b", lambda m: rename[m[0]], world.rules)
    dated = tuple((term(s), r, term(o), *said) for s, r, o, *said in world.dated)
    renamed = World(rules, facts(world.facts), facts(world.denied), dated)  # type: ignore[arg-type]
    asked = [replace_question(q, rename) for q in world.questions()]
    verifier = Verifier(renamed.graph, renamed.book, "rank")
    new = {
        (v.question, v.candidate): v.decision for found, _ in verifier.verify(asked) for v in found
    }
    for (question, candidate), verdict in by_candidate(world).items():
        assert new[question, rename.get(candidate, candidate)] == verdict.decision


def replace_question(question: object, rename: dict[str, str]) -> object:
    import msgspec

    arguments = dict(question.arguments)  # type: ignore[attr-defined]
    arguments["a"] = rename[arguments["a"]]
    candidates = tuple(
        Candidate(rename.get(c.entity, c.entity))
        for c in question.candidates  # type: ignore[attr-defined]
    )
    return msgspec.structs.replace(question, arguments=arguments, candidates=candidates)  # type: ignore[type-var]


@LAW
@given(worlds(), st.randoms(use_true_random=False))
def test_law_7_order_and_repetition_change_nothing(world: World, random: object) -> None:
    def shuffled(items: tuple[Any, ...]) -> tuple[Any, ...]:
        found = [*items, *items[:2]]
        random.shuffle(found)  # type: ignore[attr-defined]
        return tuple(found)

    lines = world.rules.split("\n")
    first = next(n for n, line in enumerate(lines) if line.startswith("question"))
    declarations, questions = lines[:first], lines[first:]
    random.shuffle(declarations)  # type: ignore[attr-defined]
    other = World(
        "\n".join([*declarations, *questions]),
        shuffled(world.facts),
        shuffled(world.denied),
        shuffled(world.dated),
    )
    old, new = by_candidate(world), by_candidate(other)
    assert {k: (v.decision, v.rank) for k, v in old.items()} == {
        k: (v.decision, v.rank) for k, v in new.items()
    }


@LAW
@given(worlds())
def test_law_9_a_batch_equals_one_at_a_time(world: World) -> None:
    import msgspec

    together = by_candidate(world)
    verifier = Verifier(world.graph, world.book, "rank")
    for question in world.questions()[:2]:
        for candidate in question.candidates:
            alone = msgspec.structs.replace(question, candidates=(candidate,))
            ((verdicts, _),) = verifier.verify([alone])
            for verdict in verdicts:
                key = question.id, verdict.candidate
                # Of two names of one entity only the first has a verdict in the batch.
                assert key not in together or verdict.decision == together[key].decision


@LAW
@given(worlds())
def test_law_10_support_is_a_share(world: World) -> None:
    for verdict in decide(world):
        decision = verdict.decision
        assert 0 <= decision.support <= 1
        assert (decision.support == 1) == (set(verdict.statuses.values()) == {"sat"})
