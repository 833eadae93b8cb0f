"""What the checks say of two constraints holds in every world: one that is called implied is never
violated where the other is sat, and two that are called contradictory are never both sat."""

from __future__ import annotations

from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from kgverify.language.checks import check
from kgverify.language.implications import contradicts, entails
from kgverify.language.normal_forms import normal_form
from kgverify.testing import World, completeness, rules, schemas
from kgverify.testing import facts as some_facts
from kgverify.testing.strategies import CLASSES, ENTITIES, HIERARCHY, RELATIONS
from kgverify.verification import Verifier
from kgverify.vocabulary import Candidate, Question

SIGNS = st.sampled_from(["<", "<=", "=", "!=", ">=", ">"])
DATES = st.sampled_from(
    ["1990", "1990-05", "1990-05-01", "1991", '"1990-05-01T10:00:00"', '"1990-05-01T10:00:00Z"']
)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[str, str]:
    """Two atoms about the same things, so that one may well say something of the other."""
    p, q = draw(st.sampled_from(RELATIONS)), draw(st.sampled_from(RELATIONS))
    path = st.sampled_from(
        [p, q, f"{p}+", f"{q}+", f"({p}|{q})", f"{p}/{p}", f"{p}/{q}", f"{q}+/{p}", f"^{p}"]
    )
    compared = draw(
        st.sampled_from(
            ["year(x)", "size(x)", f"{p}/year(x)", f"count {p}(x, _)", f"count {q}+(_, x)"]
        )
    )
    bounds = DATES if "year" in compared else st.sampled_from("0123")
    kind = draw(st.integers(0, 3))
    if kind < 2:
        return tuple(f"{compared} {draw(SIGNS)} {draw(bounds)}" for _ in range(2))  # type: ignore[return-value]
    if kind == 2:
        return f"{draw(path)}(x, a)", f"{draw(path)}(x, a)"
    return f"{draw(path)}(x, a)", f"x : {draw(st.sampled_from(CLASSES))}"


@st.composite
def constraints(draw: st.DrawFn) -> tuple[str, str]:
    one, other = draw(st.permutations(draw(pairs())))
    closed = [draw(st.sampled_from(["", "", " assume closed"])) for _ in range(2)]
    one, other = one + closed[0], other + closed[1]
    shape = draw(st.integers(0, 5))
    if shape == 0:
        other = f"any of {{ {one}, {other} }}"
    elif shape == 1:
        one = f"all of {{ {one}, not {other} }}"
    words = [draw(st.sampled_from(["require", "exclude"])) for _ in range(2)]
    return f"{words[0]} {one}", f"{words[1]} {other}"


def question(name: str, item: str) -> str:
    head = f'question {name}(a: {CLASSES[0]})\n    "Which?"\n    answer x : {CLASSES[1]}'
    return f"{head}\n    {item}"


@st.composite
def judged(draw: st.DrawFn) -> tuple[World, bool, bool]:
    """A world with two questions of one constraint each; does the first one entail the second, and
    do they contradict each other?"""
    lines = draw(schemas()) + draw(completeness())
    items = draw(constraints())
    lines += [question(f"ask{n}", item) for n, item in enumerate(items)]
    book, problems = check("\n".join(lines), "world.kgr")
    assume(not any(p.is_error for p in problems))
    one, other = (normal_form(book.questions[f"ask{n}"].items[0]) for n in range(2))
    implied, opposed = entails(book, one, other), contradicts(book, one, other)
    assume(implied or opposed)
    more = [rule for rule in draw(st.lists(rules(), max_size=2)) if _passes([*lines, rule])]
    facts = (*draw(some_facts(30)), *draw(st.lists(st.sampled_from(HIERARCHY), max_size=1)))
    world = World("\n".join([*lines, *more[:1]]), facts, tuple(draw(some_facts(3))))
    return world, implied, opposed


def _passes(lines: list[str]) -> bool:
    return not any(p.is_error for p in check("\n".join(lines), "world.kgr")[1])


@given(judged())
@settings(max_examples=100, deadline=None)
def test_implied_and_contradictory_constraints_are_so_in_every_world(
    case: tuple[World, bool, bool],
) -> None:
    world, implied, opposed = case
    verifier = Verifier(world.graph, world.book, "rank")
    candidates = tuple(map(Candidate, (*ENTITIES, "nobody")))
    asked = [
        Question(f"{name}/{a}", name, {"a": a}, candidates)
        for a in ENTITIES[:2]
        for name in ("ask0", "ask1")
    ]
    results = [verdicts for verdicts, _ in verifier.verify(asked)]
    for firsts, seconds in zip(results[::2], results[1::2], strict=True):
        second = {v.candidate: v.constraints[-1] for v in seconds}
        for verdict in firsts:
            first, found = verdict.constraints[-1], second[verdict.candidate]
            if first.status == "sat":
                event(f"{'implied' if implied else 'opposed'} and sat")
                assert not (opposed and found.status == "sat")
                assert not implied or found.status == "sat" or found.reason == "conflict"
