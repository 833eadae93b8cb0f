"""Finds the rule files, grammars, encodings and corpora that ship with kgverify.

In a wheel they lie in `kgverify/shipped/`; in a checkout they are the top-level folders.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def folder(kind: str) -> Path:
    """The folder of one kind of resource: `rules`, `grammars`, `encodings` or `corpora`."""
    for place in (_PACKAGE / "shipped" / kind, _PACKAGE.parent / kind):
        if place.is_dir():
            return place
    raise FileNotFoundError(f"kgverify's own {kind} are missing from this installation")


def text(kind: str, name: str) -> str:
    """The text of one shipped file."""
    return (folder(kind) / name).read_text(encoding="utf-8")
