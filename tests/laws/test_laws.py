"""The laws of the semantics hold, over random worlds."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kgverify.testing import LAWS, Law, cases
from tests.laws.common import LAW

CHECKED = [law for law in LAWS if not law.missing]
EXAMPLES = {4: 400}  # the two engines share the least code


@pytest.mark.parametrize("law", CHECKED, ids=lambda law: f"{law.number}-{law.name}")
def test_the_law_holds(law: Law) -> None:
    @settings(LAW, max_examples=EXAMPLES.get(law.number, LAW.max_examples))
    @given(st.data())
    def holds(data: st.DataObject) -> None:
        world, change = data.draw(cases(law))
        assume(law.speaks_of(world, change))
        assert law.breach(world, change) is None

    holds()


def test_there_are_fourteen_laws_in_order() -> None:
    assert [law.number for law in LAWS] == list(range(1, 15))
    assert all(law.name and law.statement for law in LAWS)
