"""The options that say when an edge from text is admitted."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kgverify.cli import console

if TYPE_CHECKING:
    from kgverify.completion.policy import Policy


class PolicyName(StrEnum):
    CAREFUL = "careful"
    PAPER = "paper"


CompleteOption = Annotated[
    bool,
    typer.Option(
        "--complete",
        help="With --corpus, search it for edges that the graph lacks, and let what it leaves open "
        "rest on those that are admitted.",
    ),
]
CompletePolicyOption = Annotated[
    PolicyName | None,
    typer.Option(
        "--complete-policy",
        help="With --complete, when an edge is admitted (careful): carefully, or as TGComplete's "
        "paper has it.",
        show_default=False,
    ),
]
SetOptions = Annotated[
    list[str],
    typer.Option(
        "--set",
        metavar="OPTION=VALUE",
        help="Change an option of the policy by which edges are admitted, such as tau=0.6, k=1, "
        "n0=5 or needs_agreement=false; may be given several times.",
        show_default=False,
    ),
]


def admitting(complete: bool, name: PolicyName | None, options: list[str]) -> Policy | None:
    """The policy by which edges are admitted that verdicts may rest on; None for no edges."""
    if complete:
        return policy_of(name or PolicyName.CAREFUL, options)
    if name is not None or options:
        option = "--set" if options else "--complete-policy"
        raise typer.BadParameter("goes with --complete", param_hint=option)
    return None


def policy_of(name: PolicyName, options: list[str]) -> Policy:
    """The policy, with its options changed; what is questionable is told."""
    from kgverify.completion.policy import configured

    values: dict[str, Any] = {}
    for text in options:
        option, equals, value = text.partition("=")
        if not equals:
            raise typer.BadParameter("write it as OPTION=VALUE", param_hint="--set")
        if option in values:
            raise typer.BadParameter(f"`{option}` is given twice", param_hint="--set")
        values[option] = {"true": True, "false": False}.get(value, value)
    found = configured(name.value, values)
    console.report(found.warnings)
    return found
