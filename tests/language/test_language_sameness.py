"""Which rules say the same: against every way to lay one into the other, on random rules."""

from __future__ import annotations

from itertools import permutations, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgverify.language import sameness
from kgverify.language.checks import load_rules_text
from kgverify.language.sameness import Form, Forms, alike, say_the_same, says_all_of

DECLARED = """
class City
relation near (City, City)
relation far (City, City)
question near_to(c: City)
    "What is near {c}, and far?"
    answer x : City
    require near(x, c)
    require far(x, c)
"""
TERMS = st.sampled_from(["X", "Y", "Z", "W", "_", "paris"])
CONDITIONS = st.builds("{}({}, {})".format, st.sampled_from(["near", "far"]), TERMS, TERMS)
BODIES = st.lists(CONDITIONS, max_size=4).map(lambda more: ["near(X, Y)", *more])


def form(body: list[str]) -> Form:
    text = f"{DECLARED}soft 0.5 far(X, Y) :- {', '.join(body)}.\n"
    book = load_rules_text(text)
    return Forms(book, declared=False).of(book.soft[0].rule)


def slowly(general: Form, special: Form) -> bool:
    """Does some choice of the one rule's variables make each condition one of the other's?"""
    names = sorted({t for _, terms in (general.head, *general.body) for t in terms if t[0] == "?"})
    terms = sorted({t for _, terms in (special.head, *special.body) for t in terms})
    for chosen in product(terms, repeat=len(names)):
        image = dict(zip(names, chosen, strict=True))
        said = [(k, tuple(image.get(t, t) for t in ts)) for k, ts in (general.head, *general.body)]
        if said[0] == special.head and set(said[1:]) <= set(special.body):
            return True
    return False


@settings(max_examples=300, deadline=None)
@given(BODIES, BODIES)
def test_one_rule_says_all_of_another(one: list[str], other: list[str]) -> None:
    first, second = form(one), form(other)
    there, back = slowly(first, second), slowly(second, first)
    assert says_all_of(first, second) is there
    assert says_all_of(second, first) is back
    assert say_the_same(first, second) is (there and back)
    assert alike([[first], [second]]) == [0, 0 if there and back else 1]


@settings(max_examples=300, deadline=None)
@given(BODIES, st.randoms(use_true_random=False))
def test_names_and_order_are_nothing(body: list[str], random: Random) -> None:
    renamed = [c.translate(str.maketrans("ZW", "WZ")) for c in body]
    random.shuffle(renamed)
    assert say_the_same(form(body), form(renamed)) is True


def test_long_bodies_are_compared_at_once() -> None:
    chain = ["near(X, Y)", *(f"near(A{n}, A{n + 1})" for n in range(300)), "near(Y, A0)"]
    turned = [*chain[:-1], "near(A0, Y)"]
    assert say_the_same(form(chain), form(chain[::-1])) is True
    assert say_the_same(form(turned), form(chain)) is False


def test_what_cannot_be_told_is_taken_to_be_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Are three colours enough for a graph?  In general that takes too many steps to say."""
    pairs = [(a, b) for a in range(30) for b in range(a) if (a * b + a + b) % 7 in (0, 3)]
    graph = [f"near(N{a}, N{b}), near(N{b}, N{a})" for a, b in pairs]
    colours = [f"near({a}, {b})" for a, b in permutations(["P", "Q", "R"], 2)]
    one, other = form(["near(X, Y)", *graph]), form(["near(X, Y)", *colours])
    assert says_all_of(one, other, steps=50) is None
    assert say_the_same(one, other, steps=50) is None
    first, second = form(["near(X, Y)", "near(Y, Z)"]), form(["near(X, Y)", "near(Z, Y)"])
    assert alike([[first], [second]]) == [0, 1]
    monkeypatch.setattr(sameness, "say_the_same", lambda *_: None)
    assert alike([[first], [second]]) == [0, 0]
