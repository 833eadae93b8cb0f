"""Proofs replay, and need all that they cite, in worlds full of periods, ranks and other names."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from kgverify.replay.checker import underivable
from kgverify.replay.rechecking import check_explanation
from kgverify.report.trace import trace
from kgverify.testing import World
from kgverify.testing.strategies import BLANK, TIMES, everything_asked
from tests.laws.common import LAW

RULES = """
class Alpha, Beta
relation p (Alpha, Alpha) functional at a time
relation q (Alpha, Alpha) sub of p
relation back (Alpha, Alpha) inverse of p
relation r (Alpha, Alpha) symmetric, functional at a time
relation f (Alpha, Alpha) functional
complete r for "e1", "e2"
complete q
not back(X, Y) :- f(X, Y), X : Beta.
p(e0, e1).
question ask(a: Alpha, y: date, n: integer)
    "Which?"
    answer x : Alpha
    require {first}
    prefer {second}
    prefer {third}
"""
NAMES = ("", "same e0, e1\n", 'same e1, "other"\nsame "other", e2\n')
SAME = (("ee1", "owl:sameAs", BLANK), ("eelse", "owl:sameAs", "ee2"), ("ee1", "owl:sameAs", "ee2"))
relations = st.sampled_from(("p", "q", "back", "r", "f"))
entities = ("ee0", "ee1", "ee2", "ee3", "eother", BLANK)


def constraints() -> st.SearchStrategy[str]:
    places = st.sampled_from(("(x, a)", "(a, x)", '(x, "e3")', "(x, e1)"))
    times = st.sampled_from((" at y", " at 1990-05", " at 1991-02-03", "", " at 1992"))
    atom = st.builds("{}{}{}".format, relations, places, times)
    return st.one_of(
        atom,
        atom,
        st.builds("{} assume closed".format, atom),
        st.builds("any of {{ {}, not {} }}".format, atom, atom),
        st.builds("all of {{ {}, {} }}".format, atom, atom),
    )


@st.composite
def worlds(draw: st.DrawFn) -> World:
    first, second, third = draw(st.lists(constraints(), min_size=3, max_size=3, unique=True))
    rules = RULES.replace("{first}", first).replace("{second}", second)
    things, times = st.sampled_from(entities), st.sampled_from(TIMES)
    ranks = st.sampled_from(("", "", "normal", "preferred"))
    dated = draw(
        st.lists(st.tuples(things, relations, things, times, times, ranks), min_size=2, max_size=8)
    )
    same = draw(st.lists(st.sampled_from(SAME), max_size=2, unique=True))
    plain = draw(st.lists(st.tuples(things, relations, things), max_size=3, unique=True))
    denied = draw(st.lists(st.tuples(things, relations, things), max_size=1))
    types = (("ee3", "rdf:type", "eBeta"), ("ee2", "rdf:type", "eAlpha"))
    world = World(
        draw(st.sampled_from(NAMES)) + rules.replace("{third}", third),
        (*plain, *same, *types),
        tuple(denied),
        tuple(dated),
    )
    return replace(world, asked=everything_asked(world))


@settings(LAW, max_examples=60)
@given(worlds())
def test_proofs_replay_need_what_they_cite_and_are_traced(world: World) -> None:
    for key, verdict in list(world.verdicts.items())[:12]:
        explanation = verdict.explain()
        faults = check_explanation(explanation, world.graph, world.book)
        assert faults == [], key
        for proof in (found.proof for found in explanation.constraints if found.proof):
            for place, citation in enumerate(proof.citations):
                rest = proof.citations[:place] + proof.citations[place + 1 :]
                less = structs.replace(proof, citations=rest)
                assert underivable(less, world.book), (key, citation)
        derived: set[str] = set()
        for step in trace(explanation)["inferences"]:
            assert set(step["premises"]) <= derived, (key, step)
            derived.add(step["conclusion"])
