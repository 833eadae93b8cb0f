"""Terms as keys: one string per term, equal exactly when the terms are the same value.

The first character of a key is the term's kind:

- `e` an entity, followed by its id or IRI (without angle brackets): `eKenya`, `ehttp://ex.org/a`;
- `b` a blank node, followed by a label that is unique over all source files: `b0.x`;
- `l` a literal, followed by its canonical value:

      number 12.5          every numeric datatype, exactly; also `INF`, `-INF`
      date 1990-05         a year, month or day, with its time zone if it has one
      time 1990-05-01T10:00:00Z     an instant; with a zone it is converted to UTC
      boolean true
      string text          xsd:string
      text@en text         a language-tagged string; the tag is in lower case
      ill xsd:date 1990-13-45       a lexical form that its datatype doesn't have, and NaN
      other IRI text       any other datatype: lexical form and datatype decide
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

from kgverify.graph import moments

XSD = "http://www.w3.org/2001/XMLSchema#"
_LANG_STRING = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"

_INTEGER = re.compile(r"[+-]?[0-9]+")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
_DOUBLE = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,18}))?")

# Least and greatest value of each integer datatype; None where there is none.
_INTEGER_RANGES: dict[str, tuple[int | None, int | None]] = {
    "integer": (None, None),
    "nonPositiveInteger": (None, 0),
    "negativeInteger": (None, -1),
    "nonNegativeInteger": (0, None),
    "positiveInteger": (1, None),
    "long": (-(2**63), 2**63 - 1),
    "int": (-(2**31), 2**31 - 1),
    "short": (-(2**15), 2**15 - 1),
    "byte": (-(2**7), 2**7 - 1),
    "unsignedLong": (0, 2**64 - 1),
    "unsignedInt": (0, 2**32 - 1),
    "unsignedShort": (0, 2**16 - 1),
    "unsignedByte": (0, 2**8 - 1),
}
_BOOLEANS = {"true": "true", "1": "true", "false": "false", "0": "false"}
_ZEROS_WRITTEN_OUT = 30  # beyond so many zeros a number's key has an exponent


class Kind:
    """The kinds of term, as `Graph.kinds` gives them."""

    ENTITY = 0
    LITERAL = 1
    BLANK = 2


def entity_key(name: str) -> str:
    """The key of the entity with this id or IRI."""
    return "e" + name


def blank_key(label: str, scope: str) -> str:
    """The key of a blank node; `scope` names the source file that the label belongs to."""
    return f"b{scope}.{label}"


def literal_key(lexical: str, datatype_iri: str | None = None, lang: str | None = None) -> str:
    """The key of a literal: two literals get one key exactly when they are one value.

    A lexical form that the datatype doesn't allow is no error: it is an `ill` literal, which has
    no value.  Numbers are compared as the decimal that is written, also those of xsd:double."""
    if lang:
        return f"ltext@{lang.lower()} {lexical}"
    if datatype_iri is None or datatype_iri == XSD + "string":
        return f"lstring {lexical}"
    if not datatype_iri.startswith(XSD):
        kind = "ill" if datatype_iri == _LANG_STRING else "other"
        return f"l{kind} {datatype_iri} {lexical}"
    name = datatype_iri[len(XSD) :]
    trimmed = lexical.strip(" \t\r\n")
    value: str | None
    if name in _INTEGER_RANGES or name in ("decimal", "double", "float"):
        value = _canonical_number(trimmed, name)
    elif name == "boolean":
        value = _BOOLEANS.get(trimmed)
        value = value and f"boolean {value}"
    elif name in moments.DATATYPES:
        value = moments.canonical(trimmed, name)
    else:
        return f"lother {datatype_iri} {lexical}"
    return f"lill xsd:{name} {lexical}" if value is None else f"l{value}"


def plain_literal_key(text: str) -> str:
    """The key of a bare literal as a TSV file writes it: a number if it reads as one, a date if it
    has the form YYYY-MM or YYYY-MM-DD, else a string."""
    number = _canonical_number(text, "double") if text[-1:].isdigit() or text[-1:] == "." else None
    if number is not None:
        return "l" + number
    for name in ("gYearMonth", "date"):
        value = moments.canonical(text, name)
        if value is not None:
            return "l" + value
    return f"lstring {text}"


def value_key(text: str, datatype: str) -> str:
    """The key of a value written plainly, of one of the rule language's datatypes: `integer`,
    `decimal`, `number`, `date` (of any precision), `string` or `boolean`."""
    if datatype == "string":
        return literal_key(text, XSD + "string")
    if datatype == "date":
        dashes = text.lstrip("-").count("-")
        name = "dateTime" if "T" in text else ("gYear", "gYearMonth", "date")[min(dashes, 2)]
        return literal_key(text, XSD + name)
    if datatype in ("number", "decimal"):
        exponent = "e" in text or "E" in text
        return literal_key(text, XSD + ("double" if exponent else "decimal"))
    return literal_key(text, XSD + datatype)


def number_value(key: str) -> Decimal | None:
    """The number that a literal key denotes (infinite for INF and -INF); None for other terms."""
    return Decimal(key[8:]) if key.startswith("lnumber ") else None


def time_interval(key: str) -> tuple[Fraction, Fraction] | None:
    """The stretch of time that a `date` or `time` key denotes, as (start, end) in seconds since
    1970-01-01T00:00, end excluded; an instant has start = end.  None for other terms.

    A value without a time zone is read as UTC here; `compatible` knows better."""
    text = _moment_text(key)
    return None if text is None else moments.interval(text)


def is_exact(key: str) -> bool:
    """Whether a literal key denotes one value: a year or a month stands for any day in it, and an
    `ill` literal has no value."""
    text = _moment_text(key)
    return not key.startswith("lill ") and (text is None or moments.is_day_or_instant(text))


def has_zone(key: str) -> bool:
    """Whether a `date` or `time` key has a time zone."""
    text = _moment_text(key)
    return text is not None and moments.has_zone(text)


def compatible(key1: str, key2: str) -> bool:
    """Whether two *different* literal keys may yet denote the same value.

    True for overlapping dates of different precision (1990 and 1990-05-01), for dates of which only
    one has a time zone if they are within 14 hours, and where one is ill-typed, since it has no
    value that could differ.  False for everything else, also when a key is not a literal."""
    if key1[:1] != "l" or key2[:1] != "l":
        return False
    if key1.startswith("lill ") or key2.startswith("lill "):
        return True
    text1, text2 = _moment_text(key1), _moment_text(key2)
    if text1 is None or text2 is None:
        return False
    return moments.may_be_equal(text1, text2)


def display(key: str) -> str:
    """The term as a person writes it: `Kenya`, `_:x`, `12.5`, `1990-05`, `"text"@en`."""
    kind, rest = key[:1], key[1:]
    if kind == "e":
        return rest
    if kind == "b":
        return "_:" + rest
    form, _, value = rest.partition(" ")
    if form == "string":
        return f'"{value}"'
    if form.startswith("text@"):
        return f'"{value}"@{form[5:]}'
    if form in ("ill", "other"):
        datatype, _, lexical = value.partition(" ")
        name = datatype if datatype.startswith("xsd:") else f"<{datatype}>"
        return f'"{lexical}"^^{name}'
    return value


def _moment_text(key: str) -> str | None:
    return key[6:] if key.startswith(("ldate ", "ltime ")) else None


def _canonical_number(text: str, datatype: str) -> str | None:
    """`number …` for a lexical form of a numeric datatype; None if it isn't one, or is NaN."""
    if datatype in ("double", "float") and text in ("INF", "+INF", "-INF"):
        return "number " + text.removeprefix("+")
    allowed = _DECIMAL if datatype == "decimal" else _INTEGER
    if datatype not in ("double", "float") and not allowed.fullmatch(text):
        return None
    match = _DOUBLE.fullmatch(text)
    if match is None or not (match[2] or match[3]):
        return None
    fraction = match[3] or ""
    digits = (match[2] + fraction).lstrip("0")
    significant = digits.rstrip("0")
    exponent = int(match[4] or 0) - len(fraction) + len(digits) - len(significant)
    negative = match[1] == "-" and significant != ""
    least, greatest = _INTEGER_RANGES.get(datatype, (None, None))
    if not _in_range(negative, significant, exponent, least, greatest):
        return None
    return "number " + ("-" if negative else "") + _written(significant, exponent)


def _in_range(
    negative: bool, significant: str, exponent: int, least: int | None, greatest: int | None
) -> bool:
    """Whether an integer lies within bounds; compares as decimals, which have no size limit."""
    if least is None and greatest is None:
        return True
    value = Decimal(f"{'-' if negative else ''}{significant or '0'}E{exponent}")
    return (least is None or value >= least) and (greatest is None or value <= greatest)


def _written(digits: str, exponent: int) -> str:
    """digits · 10^exponent, where digits ends in no zero; short numbers are written out."""
    if not digits:
        return "0"
    if 0 <= exponent <= _ZEROS_WRITTEN_OUT:
        return digits + "0" * exponent
    whole = len(digits) + exponent
    if exponent < 0 < whole:
        return f"{digits[:whole]}.{digits[whole:]}"
    if exponent < 0 and -whole <= _ZEROS_WRITTEN_OUT:
        return f"0.{'0' * -whole}{digits}"
    return f"{digits}E{exponent}"
