"""Numbers with units and dates as texts write them, and how they compare with a claim's.

What a text states is a stretch of values: "about 5 km" and "in May 1819" are each more than one.
"""

from __future__ import annotations

import calendar
import datetime
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Literal

from kgverify.evidence.english import (
    ABOVE,
    APPROXIMATE,
    BELOW,
    MONTHS,
    MULTIPLES,
    NUMBER_WORDS,
)
from kgverify.evidence.judging import Value
from kgverify.evidence.tokens import Token, is_dash

Answer = Literal["yes", "no", "open"]

_TENTH = Fraction(1, 10)
_ABOUT = 5  # years by which a year may be off that is about right
_UNITS: dict[str, tuple[str, Fraction]] = {}


def _units(dimension: str, factor: Fraction | int, names: str) -> None:
    for name in names.split("|"):
        _UNITS[name] = (dimension, Fraction(factor))


_units("length", 1, "m|metre|metres|meter|meters")
_units("length", 1000, "km|kilometre|kilometres|kilometer|kilometers")
_units("length", Fraction(1, 100), "cm|centimetre|centimetres|centimeter|centimeters")
_units("length", Fraction(1, 1000), "mm|millimetre|millimetres|millimeter|millimeters")
_units("length", Fraction(1609344, 1000), "mi|mile|miles")
_units("length", Fraction(3048, 10000), "ft|foot|feet")
_units("mass", 1, "g|gram|grams|gramme|grammes")
_units("mass", Fraction(1, 1000), "mg|milligram|milligrams")
_units("mass", Fraction(1, 10**6), "µg|μg|mcg|ug|microgram|micrograms")
_units("mass", 1000, "kg|kilogram|kilograms|kilo|kilos")
_units("mass", 10**6, "t|tonne|tonnes|ton|tons")
_units("volume", 1, "l|litre|litres|liter|liters")
_units("volume", Fraction(1, 1000), "ml|millilitre|millilitres|milliliter|milliliters")
_units("area", 10**6, "km2|km²|sqkm|square km|square kilometres|square kilometers|sq km")
_units("area", 1, "m2|m²|square metres|square meters|sq m")
_units("area", 10**4, "ha|hectare|hectares")
_units("area", Fraction(2589988110336, 10**6), "square miles|sq mi|square mile")
_units("share", Fraction(1, 100), "%|percent|per cent|percentage")
_units("time", 1, "s|second|seconds|sec")
_units("time", 60, "min|minute|minutes")
_units("time", 3600, "h|hour|hours|hr|hrs")
_units("time", 86400, "d|day|days")
_units("time", 604800, "week|weeks")
_units("years", 1, "year|years")
_units("temperature", 1, "°c|celsius|degrees celsius")
_units("dollars", 1, "$|usd|dollar|dollars")
_units("euros", 1, "€|eur|euro|euros")
_units("pounds", 1, "£|gbp|pound sterling")


@dataclass(frozen=True, slots=True)
class Stated:
    """What a text states: values from `low` to `high`, None where there is no bound; of a date they
    are days.  `is_exact`: the number is meant as it stands;
    `about`: it is given as about this."""

    low: Fraction | None
    high: Fraction | None
    unit: str = ""
    is_exact: bool = True
    low_is_out: bool = False
    high_is_out: bool = False
    about: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Marked:
    """A sentence's tokens with its quantities as tokens of role `V`, and those by their starts."""

    tokens: tuple[Token, ...]
    stated: dict[int, Stated]


def mark(tokens: Sequence[Token], kind: str) -> Marked:
    """The tokens with each number, or date, as one."""
    found: list[Token] = []
    stated: dict[int, Stated] = {}
    place = 0
    read = _date if kind == "date" else _quantity
    while place < len(tokens):
        one = read(tokens, place)
        if one is None:
            found.append(tokens[place])
            place += 1
            continue
        what, end = one
        part = tokens[place:end]
        start = part[0].start
        text = " ".join(token.text for token in part)
        found.append(Token(text, text.casefold(), "value", start, part[-1].end, "V", "name"))
        stated[start] = what
        place = end
    return Marked(tuple(found), stated)


# ------------------------------------------------------------------ comparing


def compare(stated: Stated, value: Value) -> Answer:
    """Does what a text states fulfil what a claim says of its value?"""
    wanted = read_value(value)
    if wanted is None:
        return "open"
    if value.kind == "number":
        if _unit_name(value.unit) in _UNITS and not stated.unit:
            return "open"
        changed = _in_unit(stated, value.unit)
        if changed is None:
            return "open"
        stated = changed
    return _compare(stated, wanted, value.comparison)


def can_compare(stated: Stated, value: Value) -> bool:
    """Are the units of one kind?"""
    return value.kind == "date" or _in_unit(stated, value.unit) is not None


def _compare(stated: Stated, wanted: Stated, comparison: str) -> Answer:
    low, high = stated.low, stated.high
    first, last = wanted.low, wanted.high
    if first is None or last is None:
        return "open"
    if comparison in ("=", "!=") and low is not None and low == high and low == first == last:
        return "yes" if comparison == "=" else "no"
    if comparison == "=" and stated.about is not None and stated.about == first == last:
        return "yes"  # as precisely as the text gives it
    if not stated.is_exact and low is not None and low == high:
        # A rounded number: whatever is rounded to it.
        half = _step(low) / 2
        low, high = low - half, low + half
    if comparison in ("<", "<="):
        return _side(
            high,
            low,
            first if comparison == "<" else last,
            is_strict=comparison == "<",
            high_is_out=stated.high_is_out,
            low_is_out=stated.low_is_out,
        )
    if comparison in (">", ">="):  # the same of the numbers below 0
        return _side(
            None if low is None else -low,
            None if high is None else -high,
            -last if comparison == ">" else -first,
            is_strict=comparison == ">",
            high_is_out=stated.low_is_out,
            low_is_out=stated.high_is_out,
        )
    is_apart = (high is not None and (high < first or (high == first and stated.high_is_out))) or (
        low is not None and (low > last or (low == last and stated.low_is_out))
    )
    is_within = low is not None and high is not None and first <= low and high <= last
    if comparison == "!=":
        return "yes" if is_apart else "no" if is_within else "open"
    if is_within:
        return "yes"
    if is_apart and not wanted.is_exact and low is not None and high is not None:
        step = _step(first) / 2
        return "open" if low < first + step and high > first - step else "no"
    return "no" if is_apart else "open"


def _side(
    high: Fraction | None,
    low: Fraction | None,
    bound: Fraction,
    *,
    is_strict: bool,
    high_is_out: bool,
    low_is_out: bool,
) -> Answer:
    """Are all values from `low` to `high` below a bound, none of them, or some?"""
    if high is not None and (high < bound or (high == bound and (not is_strict or high_is_out))):
        return "yes"
    if low is not None and (low > bound or (low == bound and (is_strict or low_is_out))):
        return "no"
    return "open"


def _step(number: Fraction) -> Fraction:
    """One in the last place of a number that is not 0."""
    if number.denominator != 1:
        places = 0
        while number.denominator != 1 and places < 12:
            number *= 10
            places += 1
        return Fraction(1, 10**places)
    step, rest = 1, int(number)
    while rest and rest % 10 == 0:
        rest //= 10
        step *= 10
    return Fraction(step)


def _in_unit(stated: Stated, unit: str) -> Stated | None:
    """What is stated, in another unit; None if it is none of its kind."""
    own, wanted = _UNITS.get(stated.unit), _UNITS.get(_unit_name(unit))
    # A unit that is none of these is what is counted, as in "children"; the phrases say it.
    if wanted is None or stated.unit == _unit_name(unit):
        return stated
    if own is None or wanted is None or own[0] != wanted[0]:
        return None if stated.unit else stated
    factor = own[1] / wanted[1]
    low = None if stated.low is None else stated.low * factor
    high = None if stated.high is None else stated.high * factor
    about = None if stated.about is None else stated.about * factor
    return replace(stated, low=low, high=high, unit=_unit_name(unit), about=about)


def _unit_name(unit: str) -> str:
    return " ".join(unit.casefold().split())


# ------------------------------------------------------------------ reading


def read_value(value: Value) -> Stated | None:
    """A claim's number or date; None if it can't be read."""
    if value.kind == "date":
        match = re.fullmatch(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?(?:T.*)?", value.text.strip())
        if match is None:
            return None
        year, month, day = (int(part) if part else None for part in match.groups())
        return _days(year or 0, month, day)
    try:
        number = Decimal(value.text.replace(",", "").replace("_", "").strip())
    except InvalidOperation:
        return None
    if not number.is_finite() or abs(number.adjusted()) > 100:
        return None
    exact = Fraction(number)
    return Stated(exact, exact, is_exact=exact.denominator != 1 or _step(exact) < 100)


def _days(year: int, month: int | None, day: int | None) -> Stated | None:
    try:
        first = datetime.date(year, month or 1, day or 1)
        last_month = month or 12
        last_day = day or calendar.monthrange(year, last_month)[1]
        last = datetime.date(year, last_month, last_day)
    except (ValueError, calendar.IllegalMonthError):
        return None
    return Stated(Fraction(first.toordinal()), Fraction(last.toordinal()))


def _date(tokens: Sequence[Token], place: int) -> tuple[Stated, int] | None:
    """The date that begins at a place, and its end."""
    token = tokens[place]
    if token.kind == "date":
        parts = [int(part) for part in token.text.split("-")]
        found = _days(parts[0], parts[1], parts[2] if len(parts) > 2 else None)
        return (found, place + 1) if found else None

    def number(at: int, digits: int) -> int | None:
        if at >= len(tokens) or tokens[at].kind != "number":
            return None
        text = re.sub(r"(?<=\d)(st|nd|rd|th)$", "", tokens[at].text)
        return int(text) if text.isdigit() and len(text) <= digits else None

    def month(at: int) -> int | None:
        return MONTHS.get(tokens[at].lower) if at < len(tokens) else None

    day = number(place, 2)
    if day is not None:
        at = place + 1
        while at < len(tokens) and tokens[at].lower in ("st", "nd", "rd", "th", "of"):
            at += 1
        if (name := month(at)) is not None:
            at += 1
            if at < len(tokens) and tokens[at].text == ",":
                at += 1
            year = number(at, 4)
            if year is not None and year > 31 and (found := _days(year, name, day)):
                return found, at + 1
        return None
    if (name := month(place)) is not None and token.is_capital:
        at = place + 1
        day = number(at, 2)
        if day is not None:
            at += 1
            while at < len(tokens) and tokens[at].lower in ("st", "nd", "rd", "th", ","):
                at += 1
        elif at < len(tokens) and tokens[at].lower in ("of", ","):
            at += 1
        year = number(at, 4)
        if year is not None and year > 31 and (found := _days(year, name, day)):
            return found, at + 1
        return None
    year = number(place, 4)
    if year is not None and 1000 <= year <= 2999 and (found := _days(year, None, None)):
        before = tokens[place - 1].lower if place else ""
        if before in APPROXIMATE:
            low, high = _days(year - _ABOUT, None, None), _days(year + _ABOUT, None, None)
            if low is not None and high is not None:
                found = Stated(low.low, high.high, is_exact=False)
        return found, place + 1
    return None


def _quantity(tokens: Sequence[Token], place: int) -> tuple[Stated, int] | None:
    """The number that begins at a place, with what stands before it ("about", "between") and
    behind it (its unit), and its end."""
    at, bound = place, ""
    words = [token.lower for token in tokens[place : place + 3]]
    if words[:2] in (["more", "than"], ["greater", "than"], ["at", "least"]):
        at, bound = place + 2, "low" if words[0] != "at" else "least"
    elif words[:2] in (["less", "than"], ["fewer", "than"], ["at", "most"], ["up", "to"]):
        at, bound = place + 2, "high" if words[1] == "than" else "most"
    elif words[:1] == ["between"]:
        at, bound = place + 1, "between"
    elif words and words[0] in ABOVE:
        at, bound = place + 1, "low"
    elif words and words[0] in BELOW:
        at, bound = place + 1, "high"
    elif words and words[0] in APPROXIMATE:
        at, bound = place + 1, "about"
        while at < len(tokens) and tokens[at].lower in APPROXIMATE | {"."}:
            at += 1
    one = _number(tokens, at)
    if one is None:
        return None
    first, is_round, end = one
    unit, end = _unit(tokens, end, at)
    second = None
    if end < len(tokens) and (
        is_dash(tokens[end]) or tokens[end].lower == ("and" if bound == "between" else "to")
    ):
        other = _number(tokens, end + 1)
        if other is not None:
            second, _, end = other
            factor = _shared_factor(tokens, end)
            other_unit, end = _unit(tokens, end, at)
            if factor != 1 and first < factor:  # "5 to 7 million"
                first *= factor
            unit = unit or other_unit
    if bound == "between" and second is None:
        return None
    if second is not None:
        if second < first:
            return None
        return Stated(first, second, unit, is_exact=False), end
    match bound:
        case "low" | "least":
            return Stated(first, None, unit, True, low_is_out=bound == "low"), end
        case "high" | "most":
            return Stated(None, first, unit, True, high_is_out=bound == "high"), end
        case "about":
            spread = abs(first) * _TENTH
            return Stated(first - spread, first + spread, unit, is_exact=False, about=first), end
    return Stated(first, first, unit, is_exact=not is_round), end


def _shared_factor(tokens: Sequence[Token], end: int) -> int:
    """The multiple that stands before a place, as in "5 to 7 million"; 1 if none."""
    return MULTIPLES.get(tokens[end - 1].lower, 1) if len(tokens[end - 1].lower) > 2 else 1


def _number(tokens: Sequence[Token], place: int) -> tuple[Fraction, bool, int] | None:
    """A number, whether it is a round one, and its end."""
    at = place
    if at < len(tokens) and tokens[at].text in ("$", "€", "£"):
        at += 1
    if at >= len(tokens):
        return None
    token = tokens[at]
    if token.kind == "number":
        text = re.sub(r"[,\s\u00a0\u202f\u2009]", "", token.text)
        number = Fraction(text)
        is_minus = at > place and tokens[at - 1].text == "-"
        number = -number if is_minus else number
    elif token.lower in NUMBER_WORDS:
        number = Fraction(NUMBER_WORDS[token.lower])
    elif (
        token.lower in ("a", "half")
        and at + 1 < len(tokens)
        and (tokens[at + 1].lower in MULTIPLES and len(tokens[at + 1].lower) > 2)
    ):
        number = Fraction(1)
    else:
        return None
    at += 1
    is_round = number.denominator == 1 and _step(number) >= 100
    while at < len(tokens) and (factor := MULTIPLES.get(tokens[at].lower)) is not None:
        if tokens[at].lower in ("m", "mn") and not _is_money_or_count(tokens, place):
            break
        number *= factor
        is_round = True
        at += 1
    return number, is_round, at


def _is_money_or_count(tokens: Sequence[Token], place: int) -> bool:
    return tokens[place].text in ("$", "€", "£")


def _unit(tokens: Sequence[Token], place: int, start: int) -> tuple[str, int]:
    """The unit at a place, and the place behind it."""
    if start < len(tokens) and tokens[start].text in ("$", "€", "£"):
        return tokens[start].text, place
    at = place
    if at < len(tokens) and tokens[at].text == "-":
        at += 1
    for length in (2, 1):
        part = tokens[at : at + length]
        name = " ".join(token.lower for token in part)
        raw = " ".join(token.text.casefold() for token in part)
        for said in (raw, name):
            if len(part) == length and said in _UNITS:
                end = at + length
                if said in ("km", "m") and end < len(tokens) and tokens[end].text in ("2", "²"):
                    return said + "²", end + 1
                return said, end
    return "", place
