"""What is in a corpus, and what building it did, for people."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from kgverify.errors import counted, printable
from kgverify.evidence.building import CorpusSummary
from kgverify.evidence.overview import CorpusInfo

_IDS = 4  # of a group that are shown


def summary_lines(summary: CorpusSummary) -> list[str]:
    """What building a corpus did, in sentences."""
    near = (
        f"{summary.copies:,} near-duplicates in {counted(summary.groups, 'group')}"
        if summary.groups
        else "no near-duplicates"
    )
    lines = [
        f"{counted(summary.passages, 'passage')}, {counted(summary.windows, 'window')}, "
        f"{counted(summary.words, 'word')}; {near}; "
        f"{counted(summary.sources, 'independent source')}; "
        f"{counted(summary.rejected_count, 'passage')} rejected; {summary.seconds:.1f} s"
    ]
    if summary.mentions is not None:
        lines.append(f"{counted(summary.mentions, 'mention')} of the graph's entities")
    if summary.reused:
        lines.append(f"{counted(summary.reused, 'unchanged passage')} taken from the older corpus")
    return lines


def print_info(screen: Console, found: CorpusInfo) -> None:
    """Sizes, the longest passages, sources, near-duplicates, mentions by class, ten titles, and the
    headings of most passages."""

    def say(line: str) -> None:
        screen.print(Text(printable(line)))

    say(
        f"{found.name}: {counted(found.passages, 'passage')}, {counted(found.windows, 'window')}, "
        f"{counted(found.words, 'word')}, {counted(found.characters, 'character')}"
    )
    say(f"hash {found.hash}")
    say("longest: " + ", ".join(f"{id_} {size:,}" for id_, size in found.longest))
    say(f"independent sources: {found.sources:,}")
    for name, count in found.named_sources:
        say(f"  {name}  {counted(count, 'passage')}")
    say(f"groups of near-duplicates: {found.groups:,}")
    for ids in found.largest_groups:
        more = f" and {len(ids) - _IDS} more" if len(ids) > _IDS else ""
        say(f"  {', '.join(ids[:_IDS])}{more}")
    if found.mentions is None:
        say("mentions: none were looked for")
    else:
        entities = f"{found.mentioned:,} entit{'y' if found.mentioned == 1 else 'ies'}"
        say(f"mentions: {found.mentions:,} of {entities}")
        if found.classes:
            say("  " + ", ".join(f"{name} {count:,}" for name, count in found.classes[:20]))
    say("titles:")
    for title in found.titles:
        say(f"  {title or '(none)'}")
    if found.headings:
        passages = counted(found.headed, "passage")
        say(f"{counted(found.headings, 'heading')} of {passages}:")
        for name, count in found.common_headings:
            say(f"  {name}  {counted(count, 'passage')}")
