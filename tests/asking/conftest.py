"""The shipped corpora, each opened once."""

from __future__ import annotations

import pytest

from tests.asking.corpora import Corpus, corpus


@pytest.fixture(scope="session")
def pharmacy() -> Corpus:
    return corpus("pharmacy")


@pytest.fixture(scope="session")
def countries() -> Corpus:
    return corpus("countries")


@pytest.fixture(scope="session")
def family() -> Corpus:
    return corpus("family")
