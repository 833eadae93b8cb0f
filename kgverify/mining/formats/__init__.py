"""Files of rules, of this tool and of others: read whole or not at all, and written."""

from __future__ import annotations

from kgverify.mining.formats.front import FORMATS, Format, read, write
from kgverify.mining.formats.names import Names
from kgverify.mining.formats.values import ImportedRule, RuleSet, Stated

__all__ = ["FORMATS", "Format", "ImportedRule", "Names", "RuleSet", "Stated", "read", "write"]
