"""What of the synergy can be chosen, and switched off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from kgverify.evidence.synergy.beam_search import BEAM, DEPTH
from kgverify.evidence.synergy.confirming import EPSILON, GAMMA
from kgverify.evidence.synergy.voting import ALPHA


@dataclass(frozen=True, slots=True)
class SynergyOptions:
    """How evidence is gathered.  The paper has `beam`, `depth`, `alpha`, `epsilon`, `passages`;
    the other numbers are ours.

    `found` — passages that are retrieved at first.  `seeds` — the entities most like the query that
    the search begins at, beside those that the query names.  `neighbours` — at most so many of an
    entity are looked at, those with most links.
    `passages`, `paths`, `bridges` — at most so many of each are given in the end.

    `returned` — the paths of the `last` level only, as in the paper's Algorithm 1, or all that were
    `kept` at any level.  `sources` — the passages that a path stands for (equation 4): those that
    state its links or are `about` its entities, or all that have `mentions` of its entities.

    `votes` — what votes say for a passage: the `number` of visited entities that it mentions, as in
    the paper, or how like the query the `best` of them is.

    `vote`, `confirm`, `bridge`, `remember` switch the parts off.  Without memory only entities of
    kept paths vote, and there is nothing to bridge from."""

    found: int = 20
    seeds: int = 5
    beam: int = BEAM
    depth: int = DEPTH
    neighbours: int | None = None
    alpha: float = ALPHA
    epsilon: float = EPSILON
    gamma: float = GAMMA
    passages: int = 5
    paths: int = 5
    bridges: int = 5
    returned: Literal["last", "kept"] = "last"
    sources: Literal["about", "mentions"] = "about"
    votes: Literal["number", "best"] = "number"
    vote: bool = True
    confirm: bool = True
    bridge: bool = True
    remember: bool = True

    def __post_init__(self) -> None:
        least = {"found": 1, "seeds": 0, "beam": 1, "depth": 0, "passages": 0, "paths": 0}
        least |= {"bridges": 0, "epsilon": 0, "gamma": 0, "alpha": 0}
        for name, number in least.items():
            if not getattr(self, name) >= number:  # NaN is no number either
                raise ValueError(f"`{name}` is at least {number}")
        if self.alpha > 1:
            raise ValueError("`alpha` is a share, from 0 to 1")
        if self.neighbours is not None and self.neighbours < 1:
            raise ValueError("`neighbours` is at least 1")
