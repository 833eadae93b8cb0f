"""Reads graph files of many formats into a `Builder`."""

from __future__ import annotations

from kgverify.graph.reading.front import Reading, read
from kgverify.graph.reading.options import Options

__all__ = ["Options", "Reading", "read"]
