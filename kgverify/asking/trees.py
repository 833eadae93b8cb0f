"""The ways to read a sequence of kinds of words, by the grammar of questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import islice
from typing import Any, TypeAlias

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from kgverify import resources

ParseTree: TypeAlias = "Tree[Any]"

_MOST = 150  # readings of one sequence; a sequence with more of them says nothing definite
_LONGEST = 30  # tags; the time that a forest takes grows faster than any question


@cache
def _grammar() -> Lark:
    text = resources.text("grammars", "question.lark")
    return Lark(text, parser="earley", lexer="basic", ambiguity="explicit")


@lru_cache(4096)
def readings(tags: str) -> tuple[ParseTree, ...]:
    """The trees of a sequence; each token's value is the number of its place in it.  None when
    there are too many to look at them all: any choice among them would be a guess."""
    if tags.count(" ") >= _LONGEST:
        return ()
    try:
        forest = _grammar().parse(tags)
    except UnexpectedInput:
        return ()
    places = {start: number for number, start in enumerate(_starts(tags))}
    trees = tuple(islice(_unambiguous(forest), _MOST + 1))
    if len(trees) > _MOST:
        return ()
    return tuple(_numbered(tree.children[0], places) for tree in trees)


def _unambiguous(node: ParseTree | Token) -> Iterator[Any]:
    """The trees that a forest stands for, one by one: they may be too many to wait for."""
    if isinstance(node, Token):
        yield node
    elif node.data == "_ambig":
        for choice in node.children:
            yield from _unambiguous(choice)
    else:
        yield from (Tree(node.data, children) for children in _choices(node.children))


def _choices(nodes: Sequence[Any]) -> Iterator[list[Any]]:
    if not nodes:
        yield []
        return
    first, *rest = nodes
    for tree in [None] if first is None else _unambiguous(first):
        yield from ([tree, *others] for others in _choices(rest))


def _starts(tags: str) -> list[int]:
    starts, place = [], 0
    for tag in tags.split(" "):
        starts.append(place)
        place += len(tag) + 1
    return starts


def _numbered(tree: ParseTree, places: dict[int, int]) -> ParseTree:
    """The tree with the number of a tag in place of its text; optional parts left out are gone."""
    children = [
        _numbered(child, places)
        if isinstance(child, Tree)
        else Token(child.type, str(places[child.start_pos or 0]))
        for child in tree.children
        if child is not None
    ]
    return Tree(tree.data, children)
