"""A rule told, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rich.markup import escape

from kgverify.errors import counted, printable
from kgverify.report.problems import place_object
from kgverify.report.tables import print_explanation
from kgverify.rule_stories import RulePart, RuleStory

if TYPE_CHECKING:
    from rich.console import Console


def print_story(screen: Console, story: RuleStory) -> None:
    """What the rule says, needs and is used for, and the first test that shows it at work."""
    for line in _lines(story):
        screen.print(escape(printable(line)), soft_wrap=True)
    if story.examples and story.examples[0].verdict is not None:
        print_explanation(screen, story.examples[0].verdict.explain())


def _lines(story: RuleStory) -> Iterator[str]:
    weight = f", weight {story.weight}" if story.weight else ""
    yield f"{story.span}: {story.kind} {story.name}{weight}"
    yield f"    {story.text}"
    if story.sentence:
        yield f"in the author's words: {story.sentence}"
    verb = "makes it plausible that" if story.kind == "soft rule" else "says that"
    yield f"{verb}: {story.head.words}"
    for number, part in enumerate(story.body):
        yield f"  {'and' if number else 'where'} {part.words}  [{part.text}]"
        yield f"      needs {_needed(part)}" if part.concluded_by else "      " + _stated(part)
    yield f"used by {_listed('rule', story.used_by)}"
    yield f"matters to {_listed('question', story.questions)}"
    if not story.examples:
        yield "no test exercises it"
        return
    first, number = story.examples[0], len(story.examples)
    rest = "rests" if number == 1 else "rest"
    yield (
        f"{counted(number, 'expectation')} of tests {rest} on it; the first, "
        f'at {first.span}, in test "{first.test}":'
    )


def _needed(part: RulePart) -> str:
    return f"the graph to say so, or {_listed('rule', part.concluded_by)}"


def _stated(part: RulePart) -> str:
    return "needs the graph or the schema to say so"


def _listed(noun: str, names: tuple[str, ...]) -> str:
    if not names:
        return f"no {noun}"
    return f"{noun}{'s' * (len(names) > 1)} {', '.join(names)}"


def story_document(story: RuleStory) -> dict[str, Any]:
    """The same as a JSON object."""
    first = story.examples[0] if story.examples else None
    example = first.verdict.explain().to_dict() if first and first.verdict else None
    return {
        "name": story.name,
        "kind": story.kind,
        **({"weight": story.weight} if story.weight else {}),
        "text": story.text,
        "sentence": story.sentence,
        **place_object(story.span),
        "head": _object(story.head),
        "body": [_object(part) for part in story.body],
        "used_by": list(story.used_by),
        "questions": list(story.questions),
        "tests": [str(outcome.span) for outcome in story.examples],
        "example": example,
    }


def _object(part: RulePart) -> dict[str, Any]:
    return {"text": part.text, "words": part.words, "concluded_by": list(part.concluded_by)}
