"""A small rule file to add mistakes to, and how the tests write down what was found."""

from __future__ import annotations

from kgverify.errors import Problem
from kgverify.language.checks import check

HARBOUR = """\
class Ship, Port, Cargo
relation docks_at (Ship, Port)
relation carries (Ship, Cargo)
"""
ASK = """\
question calls(p: Port, c: Cargo)
    "Which ships call at {p} without {c}?"
    answer x : Ship
    require docks_at(x, p)
    exclude carries(x, c)
"""
USED = HARBOUR + ASK  # eight lines; what a test adds begins at line 9


def problems(text: str) -> list[Problem]:
    """Every problem of a rule file, in the order in which it is told."""
    return check(text, "f.kgr")[1]


def found(text: str) -> list[str]:
    """Every problem as `line:column code`."""
    return [f"{p.span.line}:{p.span.column} {p.code}" for p in problems(text) if p.span]
