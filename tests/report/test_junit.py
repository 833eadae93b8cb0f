"""JUnit XML: well-formed, whatever names and proofs hold."""

from __future__ import annotations

import xml.etree.ElementTree as xml

from hypothesis import example, given
from hypothesis import strategies as st

from kgverify.errors import Span
from kgverify.report.junit import junit_xml
from kgverify.rule_tests import Outcome

HOSTILE = st.text(
    st.characters(exclude_categories=["Cs"])
    | st.sampled_from("\0\x01\x08\x0b\x0c\x1b\x1f\x7f\x85\ufffe\uffff\t\n\r<>&\"']]>")
)
statuses = st.sampled_from(("sat", "viol", "unk"))
outcomes = st.builds(
    Outcome,
    HOSTILE,
    HOSTILE,
    HOSTILE,
    statuses,
    statuses | st.just("error"),
    st.builds(Span, HOSTILE, st.integers(1, 99)),
    st.none(),
    st.lists(HOSTILE, max_size=2).map(tuple),
    HOSTILE,
)


def test_one_case_an_expectation() -> None:
    place = Span("a/harbour.kgr", 7, 9)
    good = Outcome("t", "at", "tug", "sat", "sat", place, None, asked="at(oslo)")
    bad = Outcome("t", "at", "ark", "sat", "error", place, None, ("no such thing",), "at(oslo)")
    root = xml.fromstring(junit_xml({"a/harbour.kgr": [good, bad]}, {bad: "why\nso"}))
    assert root.tag == "testsuites"
    (suite,) = root
    assert suite.attrib == {"name": "a/harbour.kgr", "tests": "2", "failures": "0", "errors": "1"}
    first, second = suite
    assert first.attrib["name"] == "t: at(oslo): tug = sat"
    assert first.attrib["classname"] == "harbour"
    assert first.attrib["line"] == "7"
    assert len(first) == 0
    (fault,) = second
    assert fault.tag == "error"
    assert fault.attrib["message"] == "ark should be sat, is error"
    assert fault.text == "a/harbour.kgr:7:9: ark should be sat, is error\nno such thing\nwhy\nso"


@given(st.dictionaries(HOSTILE, st.lists(outcomes, max_size=3), max_size=2), HOSTILE)
@example({"\0": [Outcome("\x1b[2J", "]]>", "\r\n", "sat", "viol", Span("\uffff", 1), None)]}, "]]>")
def test_hostile_names_parse(found: dict[str, list[Outcome]], proof: str) -> None:
    proofs = dict.fromkeys((outcome for given in found.values() for outcome in given), proof)
    text = junit_xml(found, proofs)
    root = xml.fromstring(text.encode())
    assert [suite.tag for suite in root] == ["testsuite"] * len(found)
    for suite, outcomes in zip(root, found.values(), strict=True):
        assert len(suite) == len(outcomes) == int(suite.attrib["tests"])
        for case, outcome in zip(suite, outcomes, strict=True):
            assert len(case) == (not outcome.passed)
            # What XML allows is there as it is, but for a line end's kind.
            if outcome.test.isprintable():
                assert case.attrib["name"].startswith(outcome.test)
