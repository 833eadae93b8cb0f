"""Numbers as other tools print them, and whether those that they print together can be true."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

from kgverify.mining.formats.values import SHARES, Stated

_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
_CALLED = {
    "head_coverage": "head coverage",
    "confidence": "standard confidence",
    "pca_confidence": "PCA confidence",
}
_NOTHING = frozenset({"", "nan", "null", "none", "-", "n/a", "undefined", "infinity"})


def decimal(text: str) -> Decimal | None:
    """A number with a decimal point or comma; None where the tool had none to give.  Raises
    ValueError for other text."""
    if text.strip().lower() in _NOTHING:
        return None
    if not _NUMBER.fullmatch(text.strip()):
        raise ValueError(text)
    return Decimal(text.strip().replace(",", "."))


def share(text: str) -> Decimal | None:
    """A number from 0 to 1; None for a negative one, by which tools mean that they didn't count."""
    found = decimal(text)
    if found is not None and found > 1:
        raise ValueError(text)
    return None if found is None or found < 0 else found


def count(text: str) -> int | None:
    """A whole number, as `7` or `7.0`; None for a negative one."""
    found = decimal(text)
    if found is None or found < 0:
        return None
    if found != found.to_integral_value():
        raise ValueError(text)
    return int(found)


def agrees(printed: Decimal, exact: Fraction) -> bool:
    """Whether the exact value may have been printed so, rounded or cut off."""
    exponent = printed.as_tuple().exponent
    unit = Fraction(10) ** (exponent if isinstance(exponent, int) else 0)
    return abs(Fraction(printed) - exact) < unit or Fraction(printed) == exact


def head_size(support: int | None, coverage: Decimal | None) -> int | None:
    """The head's size that gives this head coverage; None where several would."""
    if not support or not coverage:
        return None
    size = round(support / Fraction(coverage))
    fits = [s for s in (size - 1, size, size + 1) if s >= support]
    fits = [s for s in fits if s and agrees(coverage, Fraction(support, s))]
    return fits[0] if len(fits) == 1 else None


def contradictions(stated: Stated) -> Iterator[tuple[str, str]]:
    """Shares that are not those of the counts beside them: which one, and what is wrong."""
    for share_, count_ in SHARES.items():
        printed: Decimal | None = getattr(stated, share_)
        whole: int | None = getattr(stated, count_)
        if stated.support is None or whole is None:
            continue
        if whole < stated.support:
            yield share_, f"the support {stated.support} is more than the {whole} pairs it is of"
        elif printed is not None and not _may_be(printed, stated.support, whole):
            name = _CALLED[share_]
            yield share_, f"the {name} {printed} is not {stated.support}/{whole}"


def _may_be(printed: Decimal, part: int, whole: int) -> bool:
    return agrees(printed, Fraction(part, whole)) if whole else not printed
