"""JSON is read strictly, and what is wrong with a text has its place."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgverify.strict_json import NotJson, has_halves, loads

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(VALUES)
def test_what_is_json_is_read_as_python_reads_it(value: Any) -> None:
    assert loads(json.dumps(value)) == value
    assert not has_halves(value)


@pytest.mark.parametrize(
    ("text", "message", "line", "column"),
    [
        ("", "Expecting value", 1, 1),
        ('{\n"a" 1}', "Expecting ':' delimiter", 2, 5),
        ("[NaN]", "NaN is no JSON number", 0, 0),
        ("-Infinity", "-Infinity is no JSON number", 0, 0),
        ('{"a": 1, "b": {"c": 1, "c": 1}}', "the key `c` is given twice", 0, 0),
        ("[" * 100_000, "nested too deeply", 0, 0),
        ("1" * 5_000, "4300 digits", 0, 0),
    ],
)
def test_what_is_not(text: str, message: str, line: int, column: int) -> None:
    with pytest.raises(NotJson) as caught:
        loads(text)
    assert message in caught.value.message
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize("text", ['"a\\ud800"', '{"\\udfff": 1}', '[["\\udc00\\ud800"]]'])
def test_half_of_a_character_is_seen(text: str) -> None:
    assert has_halves(loads(text))
    assert not has_halves(loads('"\\ud83d\\ude00"'))
