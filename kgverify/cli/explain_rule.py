"""`kgverify rules explain-rule`."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from kgverify.cli import console
from kgverify.cli.rule_files import load

EPILOG = "Example: kgverify rules explain-rule rules/pharmacy.kgr class_effect_applies"


class StoryFormat(StrEnum):
    TEXT = "text"
    JSON = "json"


def explain_rule(
    file: Annotated[Path, typer.Argument(help="A rule file (.kgr).", show_default=False)],
    name: Annotated[
        str, typer.Argument(help="The rule's name, or a line of it.", show_default=False)
    ],
    format: Annotated[
        StoryFormat, typer.Option(help="text for people, or a JSON document.")
    ] = StoryFormat.TEXT,
) -> None:
    """Tell in words what a rule says, needs and is used for, with a test that shows it at work."""
    with console.mistakes_shown():
        import kgverify
        from kgverify.report.rule_stories import print_story, story_document

        (suite,) = load([file])
        story = kgverify.explain_rule(suite, name)
        if format is StoryFormat.JSON:
            json.dump(story_document(story), sys.stdout, ensure_ascii=False, indent=2)
            print()
        else:
            print_story(console.screen(sys.stdout), story)
