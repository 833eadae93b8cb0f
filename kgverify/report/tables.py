"""Verdicts and proofs for people, through rich."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from kgverify.errors import printable
from kgverify.report.placeholders import told
from kgverify.verdicts import Verdict
from kgverify.vocabulary import Explanation, Node

STYLE = {"sat": "green", "viol": "red", "unk": "yellow"}
MARK = {"sat": "✓", "viol": "✗", "unk": "?"}
LEGEND = (
    "[green]✓ sat[/] the evidence is for it   [red]✗ viol[/] the evidence is against it   "
    "[yellow]? unk[/] nothing is known, or both   [dim]dimmed: not kept by the policy[/]"
)


def print_verdicts(console: Console, title: str, verdicts: Sequence[Verdict]) -> None:
    """One question as a table: a line a candidate, a column a constraint."""
    if not verdicts:
        return
    table = Table(
        title=escape(printable(title)), title_justify="left", header_style="bold", box=None
    )
    table.add_column("#", justify="right")
    table.add_column("candidate", overflow="fold")
    table.add_column("verdict")
    table.add_column("support", justify="right")
    table.add_column("basis")
    for text, required in verdicts[0].constraint_texts:
        table.add_column(escape(printable(text if required else f"prefer {text}")), overflow="fold")
    for verdict in verdicts:
        name = verdict.label
        if verdict.label != verdict.candidate:
            name += f"  ({verdict.candidate})"
        table.add_row(
            str(verdict.rank),
            Text(printable(name)),
            _status(verdict.verdict),
            f"{verdict.support:.2f}",
            verdict.basis,
            *(_status(status) for status in verdict.statuses.values()),
            style="" if verdict.kept else "dim",
        )
    console.print(table)


def _status(status: str) -> Text:
    return Text(f"{MARK[status]} {status}", style=STYLE[status])


def print_legend(console: Console) -> None:
    console.print(LEGEND)


def print_explanation(console: Console, explanation: Explanation) -> None:
    """The proof of each constraint as a tree in the rule file's sentences."""
    title = Text.assemble(
        (printable(explanation.label), "bold"),
        " for “",
        printable(explanation.text),
        "”: ",
        _status(explanation.verdict),
        f", support {explanation.support:.2f}",
    )
    root = Tree(title)
    for explained in explanation.constraints:
        constraint = explained.constraint
        reason = f" ({constraint.reason})" if constraint.reason else ""
        wish = "" if constraint.required else " (preferred)"
        words = f"  “{printable(constraint.sentence)}”" if constraint.sentence else ""
        text = printable(constraint.text)
        branch = root.add(
            Text.assemble(_status(constraint.status), f"{reason}  ", text, wish, words)
        )
        if explained.pro and explained.con:
            _grow(branch.add("for it"), explained.pro)
            _grow(branch.add("against it"), explained.con)
        else:
            for proof in (explained.pro, explained.con):
                if proof:
                    _grow(branch, proof)
        for missing in constraint.would_settle:
            verb = "stating " if missing.facts[0].startswith("complete ") else "adding "
            facts = printable(" and ".join(missing.facts))
            where = printable("".join(f", {told(found)}" for found in missing.where))
            comma = "," if where else ""
            text = where + comma + " would make it "
            branch.add(Text.assemble(verb, (facts, "italic"), text, missing.status))
    if explanation.joint:
        _grow(root, explanation.joint)
    console.print(root)


def _grow(tree: Tree, node: Node) -> None:
    line = Text(printable(node.text))
    if node.kind == "absence":
        line.append("  (absent)", style="dim")
    elif node.kind == "denial":
        line.append("  (stated)", style="dim")
    if not node.children and not node.why and node.source:
        line.append(f"  [{printable(node.source)}]", style="dim")
    branch = tree.add(line)
    if node.why:
        place = f"  [{node.source}]" if node.source else ""
        branch.add(Text(printable(f"because {node.why}{place}"), style="dim"))
    for child in node.children:
        _grow(branch, child)
