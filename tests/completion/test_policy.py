"""The published arithmetic, and what is wrong with a policy."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import product

import pytest

from kgverify.completion.admission import decide
from kgverify.completion.policy import CAREFUL, MOST, PAPER, POLICIES, Policy, configured, exactly
from kgverify.errors import EvidenceError
from tests.completion.proposed import LETTERS, candidate


def admits(policy: Policy, letter: str, n_sup: int) -> tuple[bool, Fraction | None]:
    """Is an edge admitted that has this verdict from one passage, and names from so many?"""
    # The passage with the verdict names both ends only if some passage should.
    named = [f"p{n}:{letter}" for n in range(n_sup)] or [f"p:{letter.lower()}"]
    found = decide([candidate("s r o", " ".join(named))], policy)
    (one,) = found.admitted or found.rejected
    return bool(found.admitted), one.weighed.final


# By hand: 0.35 of the sources' share, and 0.65, 0.39 or 0 for the verdict.
TABLE = [
    ("E", 0, 3, "0.65", True),
    ("E", 1, 3, "23/30", True),
    ("E", 1, 4, "0.7375", True),
    ("E", 2, 6, "23/30", True),
    ("E", 3, 3, "1", True),
    ("U", 0, 3, "0.39", False),
    ("U", 1, 3, "38/75", True),
    ("U", 1, 4, "0.4775", False),
    ("U", 2, 6, "38/75", True),
    ("U", 3, 3, "0.74", True),
    ("U", 9, 3, "0.74", True),
    ("U", 11, 35, "0.5", True),
    ("U", 22, 70, "0.5", True),
    ("U", 10, 32, "0.499375", False),
    ("U", 31, 100, "0.4985", False),
    ("N", 0, 3, "0", False),
    ("N", 1, 3, "7/60", False),
    ("N", 2, 6, "7/60", False),
    ("N", 3, 3, "0.35", False),
]


@pytest.mark.parametrize(("letter", "n_sup", "n0", "final", "admitted"), TABLE)
def test_the_paper_s_policy_by_hand(
    letter: str, n_sup: int, n0: int, final: str, admitted: bool
) -> None:
    policy = configured("paper", {"n0": n0, "top_k": 100})
    assert policy.final(LETTERS[letter], n_sup) == Fraction(final)
    assert admits(policy, letter, n_sup) == (admitted, Fraction(final))


def test_the_paper_s_policy_for_every_verdict_number_of_sources_and_n0() -> None:
    for letter, n_sup, n0 in product("EUN", range(7), range(1, 8)):
        # In 6,000ths: 0.65, 0.39 and 0.35, of which a share of n0.
        verdict = {"E": 3900, "U": 2340, "N": 0}[letter]
        final = Fraction(verdict * n0 + 2100 * min(n_sup, n0), 6000 * n0)
        policy = configured("paper", {"n0": n0, "top_k": 7})
        assert admits(policy, letter, n_sup) == (final >= Fraction(1, 2), final)
        # The corner: UNCERTAIN passes from 11 sources of 35 on.
        if letter == "U":
            assert (final >= Fraction(1, 2)) == (35 * min(n_sup, n0) >= 11 * n0)


# Where binary floating point gives a little less than the threshold.
EXACT = [
    ("0.3", "0.5", "0.45", 1, 3, Fraction(9, 20)),
    ("0.3", "0.5", "0.55", 2, 3, Fraction(11, 20)),
    ("0.3", "0.6", "0.66", 4, 5, Fraction(33, 50)),
    ("0.3", "0.5", "0.65", 9, 3, Fraction(13, 20)),
]


@pytest.mark.parametrize(("w_multi", "tau_unc", "tau", "n_sup", "n0", "final"), EXACT)
def test_exactly_the_threshold_is_enough(
    w_multi: str, tau_unc: str, tau: str, n_sup: int, n0: int, final: Fraction
) -> None:
    w_llm = str(1 - Decimal(w_multi))
    options = {"w_multi": w_multi, "w_llm": w_llm, "tau_unc": tau_unc, "tau": tau, "n0": n0}
    assert admits(configured("paper", options), "U", n_sup) == (True, final)
    more = options | {"tau": Fraction(tau) + Fraction(1, 10**6)}
    assert admits(configured("paper", more), "U", n_sup) == (False, final)


def test_tau_below_the_weight_of_sources_admits_what_is_denied_and_warns() -> None:
    policy = configured("paper", {"tau": "0.35"})
    assert admits(policy, "N", 3) == (True, Fraction(7, 20))
    assert [problem.code for problem in policy.warnings] == ["policy-sources-alone"]
    careful = configured("careful", {"tau": "0.35", "weakest": "UNCERTAIN"})
    assert not admits(careful, "N", 3)[0]


def problems(options: dict[str, object], base: str = "careful") -> list[str]:
    with pytest.raises(EvidenceError) as caught:
        configured(base, options)
    return [f"{p.code}: {p.message} ({p.hint})" for p in caught.value.problems]


def test_everything_wrong_is_told_at_once() -> None:
    said = problems(
        {
            **{"tau": "0", "w_multi": "-0.5", "w_llm": "1.2", "tau_unc": "much", "n0": 0},
            **{"k": -1, "top_k": "2.5", "count": "book", "needs_source": "no", "tua": "1"},
            **{"margin": 0.1, "weakest": "MAYBE"},
        },
        "carefull",
    )
    assert [text.partition(" (")[0] for text in said] == [
        "policy-option: there is no policy `carefull`",
        "policy-option: there is no option `tua`",
        "policy-range: `tau` is 0: it would add edges that the judge denies and that no source "
        "names",
        "policy-number: `tau_unc` is 'much'",
        "policy-range: `w_multi` is -0.5",
        "policy-range: `w_llm` is 1.2",
        "policy-number: `margin` is 0.1",
        "policy-range: `n0` is 0",
        "policy-range: `k` is -1",
        "policy-range: `top_k` is '2.5'",
        "policy-option: `count` is 'book'",
        "policy-option: `weakest` is 'MAYBE'",
        "policy-option: `needs_source` is 'no'",
        "policy-weights: the weights sum to -0.5 + 1.2 = 0.7",
    ]
    assert all("did you mean" in text for text in said[:2])
    assert all("allowed is" in text for text in said[2:])


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"tau": "1.0001"}, "policy-range"),
        ({"tau": "1/0"}, "policy-number"),
        ({"tau": True}, "policy-number"),
        ({"tau": Decimal("NaN")}, "policy-number"),
        ({"tau": "1e-3"}, "policy-number"),
        ({"n0": True}, "policy-range"),
        ({"n0": "three"}, "policy-range"),
        ({"w_multi": "0.3"}, "policy-weights"),
        ({"tau": "0.123456789"}, "policy-precision"),
        ({"n0": MOST // 2}, "policy-precision"),
        ({"n0": MOST + 1, "w_multi": "0", "w_llm": "1"}, "policy-precision"),
        ({"tau": "1", "top_k": 2}, "policy-contradiction"),
        ({"base": "paper"}, "policy-option"),
    ],
)
def test_what_is_refused(options: dict[str, object], code: str) -> None:
    assert [text.partition(":")[0] for text in problems(options)] == [code]


def test_what_is_questionable_is_warned_of() -> None:
    assert CAREFUL.warnings == PAPER.warnings == ()

    def warned(base: str = "careful", **options: object) -> list[str]:
        found = configured(base, options).warnings
        assert all(not problem.is_error for problem in found)
        return [problem.code for problem in found]

    assert warned(top_k=2) == ["policy-saturation"]
    assert warned(top_k=3) == []
    assert warned(tau_unc="1") == ["policy-uncertain"]
    assert warned("paper", tau="0.75") == ["policy-uncertain"]
    assert warned("paper", tau="0.74") == []
    assert warned(tau="0.75") == []  # UNCERTAIN is not admitted anyway
    assert warned(tau="0.35") == ["policy-sources-alone"]
    assert warned(tau="0.3501") == []


def test_numbers_are_read_exactly() -> None:
    for written in ("0.5", ".5", "1/2", "+0.50", " 0.5 ", Decimal("0.5"), Fraction(1, 2)):
        assert configured("paper", {"tau": written}) == PAPER
    assert configured("paper", {"tau": 1}).tau == 1
    assert configured("paper", {"n0": "4"}).n0 == 4
    assert configured("careful") is not PAPER
    assert configured() == CAREFUL
    assert configured("careful", {"w_multi": "1/3", "w_llm": "2/3"}).w_multi == Fraction(1, 3)


def test_the_record_says_all() -> None:
    assert POLICIES == {"careful": CAREFUL, "paper": PAPER}
    assert PAPER.to_dict() == {
        **{"name": "paper", "tau": "0.5", "tau_unc": "0.6", "w_multi": "0.35", "w_llm": "0.65"},
        **{"n0": 3, "k": 2, "top_k": 5, "count": "articles", "cite": "named"},
        **{"weakest": "NOT_ENTAILED", "needs_source": False, "needs_all_judged": False},
        **{"needs_agreement": False, "margin": "0"},
    }
    assert CAREFUL.to_dict() == PAPER.to_dict() | {
        **{"name": "careful", "count": "origins", "cite": "agreeing", "weakest": "ENTAILED"},
        **{"needs_source": True, "needs_all_judged": True, "needs_agreement": True},
        **{"margin": "0.1"},
    }


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("1/2", "0.5"),
        ("799/1600", "0.499375"),
        ("1/1", "1"),
        ("0/1", "0"),
        ("-1/8", "-0.125"),
        ("1/100", "0.01"),
        ("25/2", "12.5"),
        ("38/75", "38/75 (about 0.506667)"),
    ],
)
def test_fractions_are_written_exactly(value: str, text: str) -> None:
    assert exactly(Fraction(value)) == text


def test_the_scale_makes_everything_whole() -> None:
    assert PAPER.scale == 300
    assert configured("paper", {"n0": 35}).scale == 100
    assert configured("paper", {"margin": "0.007"}).scale == 3000


def kinds(options: dict[str, object]) -> list[str]:
    return [problem.partition(":")[0] for problem in problems(options)]


def test_what_is_no_number_is_not_summed_up() -> None:
    assert kinds({"w_multi": 0.35}) == ["policy-number"]
    assert kinds({"w_multi": "much", "w_llm": "more"}) == ["policy-number"] * 2


def test_as_much_precision_as_the_solver_has_is_allowed() -> None:
    # Of n0 sources each counts 0.35 / n0, so that the scale is 20 n0 where 5 divides n0.
    fits = (MOST // 2) // 100 * 5
    assert configured("careful", {"n0": fits}).scale == 20 * fits
    assert kinds({"n0": fits + 10}) == ["policy-precision"]
    # Where sources count nothing they are still counted.
    alone: dict[str, object] = {"w_multi": "0", "w_llm": "1"}
    assert configured("careful", {**alone, "n0": MOST}).n0 == 2**31 - 1
    assert kinds({**alone, "n0": MOST + 1}) == ["policy-precision"]


def test_one_source_can_be_enough() -> None:
    assert configured("careful", {"n0": 1}).final("ENTAILED", 1) == 1
    assert configured("careful", {"top_k": 1, "k": 0}).top_k == 1


@pytest.mark.parametrize(
    ("weakest", "said"),
    [("NOT_ENTAILED", "sources alone add what"), ("UNCERTAIN", "sources alone reach it what")],
)
def test_what_sources_alone_do_is_said(weakest: str, said: str) -> None:
    found = configured("careful", {"weakest": weakest, "tau": "0.3"}).warnings
    assert [p.code for p in found if said in p.message] == ["policy-sources-alone"]
