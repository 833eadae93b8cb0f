"""Files of rules, of this tool and of others: read whole or not at all, and written."""

from __future__ import annotations

from kgverify.mining.formats.front import FORMATS, Format, read_mined_rules, write_mined_rules
from kgverify.mining.formats.names import Names
from kgverify.mining.formats.values import ImportedRule, ImportedRules, Stated

__all__ = [
    "FORMATS",
    "Format",
    "ImportedRule",
    "ImportedRules",
    "Names",
    "Stated",
    "read_mined_rules",
    "write_mined_rules",
]
