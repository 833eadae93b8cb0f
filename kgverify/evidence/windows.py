"""Windows: some neighbouring sentences of a passage, which a judge reads at once."""

from __future__ import annotations

from kgverify.evidence.passages import Extent
from kgverify.evidence.sentences import paragraphs, sentences

SENTENCES = 3
OVERLAP = 1


def windows(text: str, size: int = SENTENCES, overlap: int = OVERLAP) -> list[Extent]:
    """The windows of a text: `size` sentences each, the last `overlap` of which begin the next one.

    No window goes beyond its paragraph; the last one of a paragraph may have fewer sentences, and a
    text without a character that shows has one window, the whole.  Each sentence is in a window."""
    if not 0 <= overlap < size:
        raise ValueError("the overlap of windows is at least 0 and less than their size")
    found: list[Extent] = []
    for paragraph in paragraphs(text):
        parts = sentences(text, paragraph)
        # So many sentences fit before the last window, whose beginning is the first to reach them.
        starts = range(0, max(len(parts) - overlap, 1), size - overlap)
        found += [
            Extent(parts[start].start, parts[min(start + size, len(parts)) - 1].end)
            for start in starts
        ]
    return found or [Extent(0, len(text))]
