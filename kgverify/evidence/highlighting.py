"""Where a passage has what was searched for."""

from __future__ import annotations

from collections.abc import Sequence

from kgverify.evidence.passages import Extent
from kgverify.evidence.retrieving import Query
from kgverify.evidence.terms import is_stop_word, placed_terms, terms


def matched_words(text: str, query: Query) -> list[Extent]:
    """The words of a text that are among those of a query, in order.

    As in a search, words that say nothing don't count where the query has others."""
    wanted = {term for part in (query.text, *query.names, *query.phrases) for term in terms(part)}
    wanted = {term for term in wanted if not is_stop_word(term)} or wanted
    return [extent for term, extent in placed_terms(text) if term in wanted]


def matched_names(text: str, names: Sequence[str]) -> list[Extent]:
    """Where names stand in a text, whatever their case, accents and endings; where one is within
    another, the longest counts."""
    placed = list(placed_terms(text))
    found = []
    for wanted in {tuple(terms(name)) for name in names} - {()}:
        for first in range(len(placed) - len(wanted) + 1):
            part = placed[first : first + len(wanted)]
            if tuple(term for term, _ in part) == wanted:
                found.append(Extent(part[0][1].start, part[-1][1].end))
    kept: list[Extent] = []
    for extent in sorted(found, key=lambda extent: (extent.start, -extent.end)):
        if not kept or extent.start >= kept[-1].end:
            kept.append(extent)
    return kept
