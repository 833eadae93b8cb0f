"""When an edge may be added: thresholds and weights, exactly.

The score of an edge (TGComplete, section 4.2, equations 1 to 3) is

    final = w_multi * min(1, n_sup / n0) + w_llm * {1, tau_unc, 0}

by the judge's verdict ENTAILED, UNCERTAIN or NOT_ENTAILED and by the number n_sup of sources.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any, Literal

from kgverify.errors import EvidenceError, Problem, did_you_mean
from kgverify.evidence.judging import LABELS, Label

MOST = 2**31 - 1  # the solver's greatest integer
_NUMBER = re.compile(r"[+-]?\d{1,30}(\.\d{0,30})?(/\d{1,30})?|[+-]?\.\d{1,30}")
_SHARES = ("tau", "tau_unc", "w_multi", "w_llm", "margin")
_WHOLE = {"n0": 1, "k": 0, "top_k": 1}  # with the least that is allowed
_WORDS: dict[str, tuple[str, ...]] = {
    "count": ("origins", "articles"),
    "cite": ("agreeing", "named"),
    "weakest": LABELS,
}
_FLAGS = ("needs_source", "needs_all_judged", "needs_agreement")


@dataclass(frozen=True)
class Policy:
    """When an edge is added.  Made by `configured`, which reads decimals from text.

    - `tau`: the least score; it is the same in every round.
    - `tau_unc`: what UNCERTAIN is worth, of the 1 that ENTAILED is.
    - `w_multi`, `w_llm`: the weights of the sources and of the judge; they sum to 1.
    - `n0`: so many sources are enough.
    - `k`: further rounds of searching after the first.  `top_k`: passages read in a round.
    - `count`: sources are told apart by `origins` (copies of a text are one) or by `articles`.
    - `cite`: sources are passages that name both ends, all of them (`named`) or those alone that
      say what the verdict says (`agreeing`).
    - `weakest`: the weakest verdict with which an edge may be added.
    - `needs_source`: an edge without a source is not added; `needs_all_judged`: nor one with a
      passage that the judge failed on; `needs_agreement`: nor one that one passage states and
      another denies.
    - `margin`: what the score must lead by over those of other objects of a functional relation, or
      of other subjects of an inverse functional one; 0 for none.

    Raises EvidenceError with everything that is wrong with it."""

    name: str
    tau: Fraction = Fraction(1, 2)
    tau_unc: Fraction = Fraction(3, 5)
    w_multi: Fraction = Fraction(7, 20)
    w_llm: Fraction = Fraction(13, 20)
    n0: int = 3
    k: int = 2
    top_k: int = 5
    count: Literal["origins", "articles"] = "origins"
    cite: Literal["agreeing", "named"] = "agreeing"
    weakest: Label = "ENTAILED"
    needs_source: bool = True
    needs_all_judged: bool = True
    needs_agreement: bool = True
    margin: Fraction = Fraction(1, 10)
    warnings: tuple[Problem, ...] = field(default=(), init=False, compare=False)

    def __post_init__(self) -> None:
        problems = list(_problems(self))
        errors = [problem for problem in problems if problem.is_error]
        if errors:
            raise EvidenceError(errors)
        object.__setattr__(self, "warnings", tuple(problems))

    def final(self, verdict: Label, n_sup: int) -> Fraction:
        """The score by a verdict and a number of sources."""
        share = min(Fraction(1), Fraction(n_sup, self.n0))
        return self.w_multi * share + self.w_llm * self.worth(verdict)

    def worth(self, verdict: Label) -> Fraction:
        """What a verdict counts, of 1."""
        if verdict == "UNCERTAIN":
            return self.tau_unc
        return Fraction(verdict == "ENTAILED")

    @cached_property
    def scale(self) -> int:
        """The least number that makes whatever the solver adds and compares whole."""
        parts = (self.w_multi / self.n0, self.w_llm, self.w_llm * self.tau_unc)
        return lcm(*(part.denominator for part in (*parts, self.tau, self.margin)))

    def to_dict(self) -> dict[str, Any]:
        """All of it, for the record of a run; numbers as they are written exactly."""
        found: dict[str, Any] = {}
        for item in fields(self):
            value = getattr(self, item.name)
            if item.name != "warnings":
                found[item.name] = exactly(value) if isinstance(value, Fraction) else value
        return found


def _problems(policy: Policy) -> Iterator[Problem]:
    """What is wrong with a policy, or questionable: with its values one by one, then together."""
    single = [problem for name in _OPTIONS for problem in _range(name, getattr(policy, name))]
    yield from single
    weights = policy.w_multi, policy.w_llm
    total = (
        sum(weights, Fraction(0)) if all(isinstance(w, Fraction) for w in weights) else Fraction(1)
    )
    if total != 1:
        said = " + ".join(map(exactly, weights))
        yield _bad("policy-weights", f"the weights sum to {said} = {exactly(total)}", "1")
        return
    if single:
        return
    if 2 * policy.scale > MOST or policy.n0 > MOST:
        message = f"the numbers of this policy need units of 1/{policy.scale:,}"
        hint = "write them with fewer decimal places, or take a smaller n0"
        yield Problem("policy-precision", f"{message}, beyond the solver's integers", None, hint)
        return
    yield from _together(policy)


def _together(policy: Policy) -> Iterator[Problem]:
    """What values that are right by themselves come to."""
    most = min(policy.top_k, policy.n0)
    best = policy.final("ENTAILED", most)
    if best < policy.tau:
        yield Problem(
            "policy-contradiction",
            f"nothing could be added: with {policy.top_k} passages and n0 = {policy.n0} the best "
            f"score is {exactly(best)}, and tau is {exactly(policy.tau)}",
            None,
            "lower tau or n0, or read more passages",
        )
    elif most < policy.n0:
        message = f"{policy.top_k} passages in a round never come to n0 = {policy.n0} sources"
        yield _questionable("policy-saturation", message)
    if policy.tau <= policy.w_multi:
        what = "sources alone add" if policy.weakest == "NOT_ENTAILED" else "sources alone reach it"
        yield _questionable(
            "policy-sources-alone",
            f"tau = {exactly(policy.tau)} is not above w_multi = {exactly(policy.w_multi)}: {what} "
            "what the judge denies",
        )
    unsure = policy.final("UNCERTAIN", policy.n0)
    if policy.weakest != "ENTAILED" and unsure < policy.tau:
        yield _questionable(
            "policy-uncertain",
            f"UNCERTAIN may be added, but scores {exactly(unsure)} at the most, and tau is "
            f"{exactly(policy.tau)}",
        )
    if policy.tau_unc == 1:
        yield _questionable("policy-uncertain", "tau_unc = 1 makes UNCERTAIN as good as ENTAILED")


def _range(name: str, value: Any) -> Iterator[Problem]:
    """What is wrong with one value."""
    if name in _SHARES:
        if not isinstance(value, Fraction):
            yield _bad(
                "policy-number", f"`{name}` is {value!r}", 'a decimal as text, such as "0.5"'
            )
        elif not 0 <= value <= 1:
            yield _bad("policy-range", f"`{name}` is {exactly(value)}", "a number from 0 to 1")
        elif name == "tau" and not value:
            why = "it would add edges that the judge denies and that no source names"
            yield _bad("policy-range", f"`tau` is 0: {why}", "a number above 0, up to 1")
    elif name in _WHOLE:
        if type(value) is not int or value < _WHOLE[name]:
            allowed = f"a whole number from {_WHOLE[name]} on"
            yield _bad("policy-range", f"`{name}` is {value!r}", allowed)
    elif name in _FLAGS:
        if type(value) is not bool:
            yield _bad("policy-option", f"`{name}` is {value!r}", "true or false")
    elif value not in _WORDS[name]:
        allowed = " or ".join(f"`{word}`" for word in _WORDS[name])
        yield _bad("policy-option", f"`{name}` is {value!r}", allowed)


_OPTIONS = (*_SHARES, *_WHOLE, *_WORDS, *_FLAGS)


def _bad(code: str, message: str, allowed: str) -> Problem:
    return Problem(code, message, None, f"allowed is {allowed}")


def _questionable(code: str, message: str) -> Problem:
    return Problem(code, message, severity="warning")


CAREFUL = Policy("careful")
# As published: the verdict and the sources decide alone.  The paper leaves n0 open.
PAPER = Policy(
    "paper",
    count="articles",
    cite="named",
    weakest="NOT_ENTAILED",
    needs_source=False,
    needs_all_judged=False,
    needs_agreement=False,
    margin=Fraction(0),
)
POLICIES = {policy.name: policy for policy in (CAREFUL, PAPER)}


def configured(base: str = "careful", options: Mapping[str, Any] | None = None) -> Policy:
    """A named policy with some options changed.

    Numbers are texts (`"0.35"`, `"7/20"`), fractions, decimals or integers; a binary floating-point
    number is none of the decimals that people mean, and refused.  Raises EvidenceError with
    everything that is wrong."""
    options = options or {}
    problems = []
    if base not in POLICIES:
        hint = did_you_mean(base, POLICIES) or "allowed is `careful` or `paper`"
        problems.append(Problem("policy-option", f"there is no policy `{base}`", None, hint))
    policy = POLICIES.get(base, CAREFUL)
    for name in options:
        if name not in _OPTIONS:
            hint = did_you_mean(name, _OPTIONS) or f"options are {', '.join(_OPTIONS)}"
            problems.append(Problem("policy-option", f"there is no option `{name}`", None, hint))
    values = {n: _value(n, given) for n, given in options.items() if n in _OPTIONS}
    try:
        found = replace(policy, **values)
    except EvidenceError as error:
        raise EvidenceError([*problems, *error.problems]) from error
    if problems:
        raise EvidenceError(problems)
    return found


def _value(name: str, given: Any) -> Any:
    """An option's value; what can't be read stays as it is, and is told with all the rest."""
    if name in _SHARES:
        if isinstance(given, str) and _NUMBER.fullmatch(given.strip()):
            return _fraction(given.strip())
        if type(given) is int or (isinstance(given, Decimal) and given.is_finite()):
            return Fraction(given)
    if name in _WHOLE and isinstance(given, str) and given.strip().isdecimal():
        return int(given)
    return given


def _fraction(text: str) -> Any:
    number, _, divisor = text.partition("/")
    if divisor and not int(divisor):
        return text
    return Fraction(number) / int(divisor or 1)


def exactly(value: Fraction) -> str:
    """A fraction as a decimal where it is one; else as a fraction, with about what it is."""
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest > 1:
        return f"{value} (about {float(value):.6g})"
    places = 0
    while (value * 10**places).denominator > 1:
        places += 1
    digits = str(abs(int(value * 10**places))).rjust(places + 1, "0")
    sign = "-" if value < 0 else ""
    return sign + (f"{digits[:-places]}.{digits[-places:]}" if places else digits)
