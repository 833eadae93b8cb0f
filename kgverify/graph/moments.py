"""Dates and instants of any year, as text: XML Schema's date, gYear, gYearMonth and dateTime.

Python's own dates end at the years 1 and 9999, and have no partial dates.
"""

from __future__ import annotations

import re
from fractions import Fraction

DATATYPES = frozenset({"gYear", "gYearMonth", "date", "dateTime", "dateTimeStamp"})

_YEAR = r"(-?(?:[1-9][0-9]{4,17}|[0-9]{4}))"
_ZONE = r"(Z|[+-][0-9]{2}:[0-9]{2})?"
_CLOCK = r"T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,1000}))?"
_DATE = re.compile(_YEAR + r"(?:-([0-9]{2})(?:-([0-9]{2}))?)?" + _ZONE)
_TIME = re.compile(_YEAR + r"-([0-9]{2})-([0-9]{2})" + _CLOCK + _ZONE)
_PARTS = {"gYear": 1, "gYearMonth": 2, "date": 3}

_DAY = 86_400
_MOST_SHIFTED = 14 * 3600  # a time zone is at most 14 hours from UTC
_EPOCH_DAYS = 719_468  # from 0000-03-01 to 1970-01-01


def canonical(text: str, datatype: str) -> str | None:
    """`date …` or `time …` for a lexical form of a datatype in `DATATYPES`; None if it isn't one.

    Dates keep their precision and time zone.  An instant with a zone is converted to UTC."""
    if datatype in _PARTS:
        match = _DATE.fullmatch(text)
        if (
            match is None
            or sum(part is not None for part in match.groups()[:3]) != _PARTS[datatype]
        ):
            return None
        year, month, day = int(match[1]), int(match[2] or 1), int(match[3] or 1)
        if not _is_day(year, month, day) or _zone_seconds(match[4]) is None:
            return None
        date = "-".join(part for part in (_year_text(year), match[2], match[3]) if part)
        zone = "Z" if match[4] in ("+00:00", "-00:00") else match[4] or ""
        return f"date {date}{zone}"
    match = _TIME.fullmatch(text)
    if match is None or (datatype == "dateTimeStamp" and not match[8]):
        return None
    seconds = _instant(match)
    if seconds is None:
        return None
    instant = _instant_text(seconds, bool(match[8]))
    # The greatest year has no UTC form if its last hours belong to the next one.
    return f"time {instant}" if _TIME.fullmatch(instant) else None


def interval(text: str) -> tuple[Fraction, Fraction]:
    """(start, end) in seconds since 1970-01-01T00:00 of a canonical date or instant, end excluded;
    an instant has start = end.  Without a time zone it is read as UTC."""
    if "T" in text:
        match = _TIME.fullmatch(text)
        seconds = None if match is None else _instant(match)
        if seconds is None:
            raise ValueError(f"not a canonical instant: {text!r}")
        return seconds, seconds
    match = _DATE.fullmatch(text)
    if match is None:
        raise ValueError(f"not a canonical date: {text!r}")
    year, month, day = int(match[1]), int(match[2] or 1), int(match[3] or 1)
    start = _days(year, month, day)
    if match[3]:
        end = start + 1
    elif match[2]:
        end = _days(year + month // 12, month % 12 + 1, 1)
    else:
        end = _days(year + 1, 1, 1)
    shift = _zone_seconds(match[4]) or 0
    return Fraction(start * _DAY - shift), Fraction(end * _DAY - shift)


def may_be_equal(text1: str, text2: str) -> bool:
    """Whether two different canonical texts may denote the same day or instant."""
    zoned1, zoned2 = has_zone(text1), has_zone(text2)
    if _precision(text1) == _precision(text2) and zoned1 == zoned2:
        # Equal only as the same stretch of time, as 2002-10-10+13:00 and 2002-10-09-11:00 are.
        return interval(text1) == interval(text2)
    start1, end1 = interval(text1)
    start2, end2 = interval(text2)
    if zoned1 != zoned2:  # the one without a zone may lie in any of them
        if start1 == end1 and start2 == end2:
            return abs(start1 - start2) <= _MOST_SHIFTED
        if start1 == end1:  # a stretch is made wider, which stays one without its end
            start1, end1, start2, end2 = start2, end2, start1, end1
        start1, end1 = start1 - _MOST_SHIFTED, end1 + _MOST_SHIFTED
    first, second = (start1, end1), (start2, end2)
    return _meet(first, second)


def _meet(first: tuple[Fraction, Fraction], second: tuple[Fraction, Fraction]) -> bool:
    start, end = max(first[0], second[0]), min(first[1], second[1])
    # An instant is inside a stretch that starts at it, but not inside one that ends there.
    is_instant = first[0] == first[1] or second[0] == second[1]
    if not is_instant:
        return start < end
    instant, stretch = (first, second) if first[0] == first[1] else (second, first)
    if stretch[0] == stretch[1]:
        return stretch == instant
    return stretch[0] <= instant[0] < stretch[1]


def is_day_or_instant(text: str) -> bool:
    """Whether a canonical date or instant is no less precise than a day."""
    return _precision(text) >= 3


def has_zone(text: str) -> bool:
    """Whether a canonical date or instant has a time zone."""
    return text.endswith("Z") or re.search(r"[+-][0-9]{2}:[0-9]{2}$", text) is not None


def day_text(days: int) -> str:
    """The day that is so many days after 1970-01-01."""
    year, month, day = _civil(days)
    return f"{_year_text(year)}-{month:02}-{day:02}"


def _precision(text: str) -> int:
    if "T" in text:
        return 4
    match = _DATE.fullmatch(text)
    return 0 if match is None else sum(part is not None for part in match.groups()[:3])


def _is_day(year: int, month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= _month_length(year, month)


def _month_length(year: int, month: int) -> int:
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def _days(year: int, month: int, day: int) -> int:
    """Days since 1970-01-01 in the proleptic Gregorian calendar, for any year.

    Years start in March, so that the leap day is the last of its year."""
    shifted = year - (month <= 2)
    day_of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return (
        shifted * 365 + shifted // 4 - shifted // 100 + shifted // 400 + day_of_year - _EPOCH_DAYS
    )


def _civil(days: int) -> tuple[int, int, int]:
    """(year, month, day) of a number of days since 1970-01-01: the inverse of `_days`."""
    era, day_of_era = divmod(days + _EPOCH_DAYS, 146_097)  # an era is 400 years
    year_of_era = (
        day_of_era - day_of_era // 1460 + day_of_era // 36_524 - day_of_era // 146_096
    ) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    month_from_march = (5 * day_of_year + 2) // 153
    day = day_of_year - (153 * month_from_march + 2) // 5 + 1
    month = (month_from_march + 2) % 12 + 1
    return year_of_era + era * 400 + (month <= 2), month, day


def _zone_seconds(zone: str | None) -> int | None:
    """Seconds east of UTC; 0 without a zone, None for an impossible one."""
    if zone is None or zone == "Z":
        return 0
    hours, minutes = int(zone[1:3]), int(zone[4:6])
    seconds = hours * 3600 + minutes * 60
    if minutes > 59 or seconds > _MOST_SHIFTED:
        return None
    return -seconds if zone[0] == "-" else seconds


def _instant(match: re.Match[str]) -> Fraction | None:
    """Seconds since 1970-01-01T00:00Z of a match of `_TIME`; None for an impossible one."""
    year, month, day, hour, minute, second = (int(match[group]) for group in range(1, 7))
    fraction = match[7] or ""
    shift = _zone_seconds(match[8])
    midnight_after = hour == 24 and minute == second == 0 and not fraction.strip("0")
    clock = (hour <= 23 and minute <= 59 and second <= 59) or midnight_after
    if not _is_day(year, month, day) or shift is None or not clock:
        return None
    whole = _days(year, month, day) * _DAY + hour * 3600 + minute * 60 + second - shift
    return whole + Fraction(int(fraction or 0), 10 ** len(fraction))


def _instant_text(seconds: Fraction, zoned: bool) -> str:
    whole = seconds.numerator // seconds.denominator
    days, clock = divmod(whole, _DAY)
    text = f"{day_text(days)}T{clock // 3600:02}:{clock // 60 % 60:02}:{clock % 60:02}"
    rest = seconds - whole
    if rest:
        digits = ""
        while rest:
            rest *= 10
            digits += str(rest.numerator // rest.denominator)
            rest -= rest.numerator // rest.denominator
        text += "." + digits
    return text + ("Z" if zoned else "")


def _year_text(year: int) -> str:
    return f"-{-year:04}" if year < 0 else f"{year:04}"
