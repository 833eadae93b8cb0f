"""What an analysis finds: problems with the graphs that show them, and what it did not look at."""

from __future__ import annotations

from dataclasses import dataclass, field

from kgverify.analysis.blocks import Confirmed
from kgverify.errors import Problem


@dataclass(frozen=True)
class Finding:
    """Something wrong with a rule file.

    `claim` says how far it was looked: `proven`, or up to which size of graphs.  `blocks` are
    statements of the rule language that show it, ready to be pasted into the file."""

    problem: Problem
    claim: str
    blocks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Omission:
    """What was not analysed, or not to its end, and why; `late`: the time was over."""

    what: str
    why: str
    late: bool = False


@dataclass(frozen=True)
class Analysis:
    """What the analysis of a rule file found; `questions` and `rules` say how many it looked at."""

    findings: tuple[Finding, ...]
    left: tuple[Omission, ...]
    questions: int
    rules: int


@dataclass(frozen=True)
class Difference:
    """A question to which two versions of a rule file give different verdicts on one graph.

    `facts` is that graph, as the newer version writes it; `agrees`: in neither version it has
    evidence for and against one atom.  `block` is a `test` block for the newer version, or else for
    the older one, "" where neither can state all facts."""

    question: str
    old: Confirmed
    new: Confirmed
    facts: tuple[str, ...]
    agrees: bool
    block: str


@dataclass(frozen=True)
class Alike:
    """A question for which no difference was found, and how far it was looked."""

    question: str
    claim: str


@dataclass(frozen=True)
class RuleComparison:
    """What two versions of a rule file make of their questions; `renamed` are pairs of names."""

    different: tuple[Difference, ...]
    alike: tuple[Alike, ...]
    left: tuple[Omission, ...]
    renamed: tuple[tuple[str, str], ...] = ()
    removed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()


@dataclass(frozen=True)
class Scenario:
    """A graph that shows something of a question: `reaches` says what, `block` is its test."""

    question: str
    reaches: tuple[str, ...]
    block: str
    found: Confirmed


@dataclass(frozen=True)
class Scenarios:
    """Graphs that reach all that a question can come to; `unreached` is what none up to `claim`
    reaches."""

    question: str
    scenarios: tuple[Scenario, ...]
    unreached: tuple[str, ...] = ()
    claim: str = ""
    left: tuple[Omission, ...] = field(default=())
