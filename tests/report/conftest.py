"""The seaport, for every test in this folder."""

from __future__ import annotations

from tests.cli.seaport import port

__all__ = ["port"]
