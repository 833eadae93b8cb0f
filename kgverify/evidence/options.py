"""How corpora are read and built."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from kgverify.errors import EvidenceError, Problem
from kgverify.evidence.duplicates import LEAST_LIKENESS, LIKENESS
from kgverify.evidence.windows import OVERLAP, SENTENCES


@dataclass(frozen=True, slots=True)
class CorpusOptions:
    """How a corpus is read and built.

    - `window`, `overlap`: the sentences of a window, and how many of them begin the next one.
    - `likeness`: from which Jaccard similarity on passages are near-duplicates, 0.3 to 1.
    - `titles_are_sources`: passages that name no source and have one title are of one source.
    - `types`, `lower_case`: which classes' entities are looked for, and which may be written
      without capitals; see `Gazetteer.of`.
    - `on_error`: with passages that can't be read, "stop" raises all problems (at most twenty),
      "skip" leaves them out.
    - `max_passage`: the most characters of a passage.
    - `max_unpacked`: the most bytes that one gzip file may unpack to.
    - `on_reject`: called with every passage that is left out.
    - `progress`: called now and then with the name of a step, and how much of it is done, of what.
    """

    window: int = SENTENCES
    overlap: int = OVERLAP
    likeness: float = LIKENESS
    titles_are_sources: bool = False
    types: tuple[str, ...] = ()
    lower_case: tuple[str, ...] = ()
    on_error: Literal["stop", "skip"] = "stop"
    max_passage: int = 1_000_000
    max_unpacked: int = 4 * 1024**3
    on_reject: Callable[[Problem], None] | None = None
    progress: Callable[[str, int, int], None] | None = None

    def __post_init__(self) -> None:
        problems = []
        if self.window < 1 or not 0 <= self.overlap < self.window:
            message = f"windows of {self.window} sentences can't overlap by {self.overlap}"
            hint = "a window has at least one sentence, and the overlap is less than the window"
            problems.append(Problem("bad-window", message, None, hint))
        if not LEAST_LIKENESS <= self.likeness <= 1:
            message = f"near-duplicates can't be those with a likeness of {self.likeness:g}"
            hint = f"it is between {LEAST_LIKENESS:g} and 1"
            problems.append(Problem("bad-likeness", message, None, hint))
        if not 1 <= self.max_passage < 2**31:
            message = f"a passage can't have at most {self.max_passage} characters"
            problems.append(Problem("bad-limit", message, None, "it is between 1 and 2^31 - 1"))
        if problems:
            raise EvidenceError(problems)

    def told(self, step: str) -> Callable[[int, int], None]:
        """The function that is told of the progress of one step."""
        progress = self.progress
        if progress is None:
            return lambda done, total: None
        return lambda done, total: progress(step, done, total)
