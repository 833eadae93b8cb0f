"""Text to graph: paths that the search dropped come back where the text speaks of their end
(Algorithm 2 of the paper).

An *orphan* is an entity that the passages mention and no kept path has.  If the search saw it, the
way by which it came there is a bridge; nothing is searched anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kgverify.evidence.synergy.beam_search import Path, Visit


def orphans(mentioned: Iterable[int], paths: Iterable[Path]) -> list[int]:
    """The entities that are mentioned and in no path, ascending."""
    return sorted(set(mentioned) - {entity for path in paths for entity in path})


def bridges(
    mentioned: Iterable[int], paths: Iterable[Path], memory: Mapping[int, Visit]
) -> list[Path]:
    """The remembered path to each orphan that the search saw, by ascending orphan."""
    return [memory[orphan].path for orphan in orphans(mentioned, paths) if orphan in memory]
