"""Options for the whole test suite.

    pytest tests/compile --update-snapshots

rewrites the recorded logic programs in `tests/compile` from what the compiler gives now; read the
difference before committing it.
"""

from __future__ import annotations

import pytest
from hypothesis import settings

# How long an example takes is the machine's affair.
settings.register_profile("tests", deadline=None)
settings.load_profile("tests")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-snapshots",
        action="store_true",
        default=False,
        help="Rewrite the recorded logic programs in tests/compile.",
    )
