"""The ways to read a sequence of kinds of words, by the grammar of questions."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any, TypeAlias

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput
from lark.visitors import CollapseAmbiguities

from kgverify import resources

Reading: TypeAlias = "Tree[Any]"

_MOST = 64  # readings of one sequence; a sequence with more of them says nothing definite


@cache
def _grammar() -> Lark:
    text = resources.text("grammars", "question.lark")
    return Lark(text, parser="earley", lexer="basic", ambiguity="explicit")


@lru_cache(4096)
def readings(tags: str) -> tuple[Reading, ...]:
    """The trees of a sequence; each token's value is the number of its place in it."""
    try:
        forest = _grammar().parse(tags)
    except UnexpectedInput:
        return ()
    places = {start: number for number, start in enumerate(_starts(tags))}
    trees = CollapseAmbiguities().transform(forest)[:_MOST]
    return tuple(_numbered(tree.children[0], places) for tree in trees)


def _starts(tags: str) -> list[int]:
    starts, place = [], 0
    for tag in tags.split(" "):
        starts.append(place)
        place += len(tag) + 1
    return starts


def _numbered(tree: Reading, places: dict[int, int]) -> Reading:
    """The tree with the number of a tag in place of its text; optional parts left out are gone."""
    children = [
        _numbered(child, places)
        if isinstance(child, Tree)
        else Token(child.type, str(places[child.start_pos or 0]))
        for child in tree.children
        if child is not None
    ]
    return Tree(tree.data, children)
