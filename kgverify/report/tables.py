"""Verdicts and proofs for people, through rich."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from kgverify.errors import counted, printable
from kgverify.report.placeholders import told
from kgverify.verdicts import Verdict
from kgverify.vocabulary import (
    AdmittedEdge,
    Explanation,
    Node,
    Plausible,
    Quote,
    TextEvidence,
)

STYLE = {"sat": "green", "viol": "red", "unk": "yellow"}
MARK = {"sat": "✓", "viol": "✗", "unk": "?"}
LEGEND = (
    "[green]✓ sat[/] the evidence is for it   [red]✗ viol[/] the evidence is against it   "
    "[yellow]? unk[/] nothing is known, or both   [dim]dimmed: not kept by the policy[/]"
)

TEXT_LEGEND = "   text +0.90 passages state it, -0.90 that it is broken; text decides nothing"
EDGE_LEGEND = "   admitted: rests on an edge that text gave and a policy admitted"
SOFT_LEGEND = "   +0.42 plausibly so, -0.42 plausibly not: by soft rules, which decide nothing"


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
    soft = verdicts[0].plausibility is not None
    if soft:
        table.add_column("plausible", justify="right")
    texts = verdicts[0].stated is not None
    if texts:
        table.add_column("stated", justify="right")
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
            *([signed(verdict.plausibility or 0.0)] if soft else []),
            *([signed(verdict.stated or 0.0)] if texts else []),
            *(
                _status(status)
                .append(" admitted" if id in verdict.admitted else "")
                .append(_soft(status, verdict.plausibilities.get(id)))
                .append(_texts(verdict.statements.get(id)))
                for id, status in verdict.statuses.items()
            ),
            style="" if verdict.kept else "dim",
        )
    console.print(table)


def _soft(status: str, sides: tuple[float, float] | None) -> str:
    """What soft rules say of a constraint that evidence leaves open."""
    return (" inferred" if sides and status != "unk" else "") + leaning(sides)


def _texts(sides: tuple[float, float] | None) -> str:
    """What passages state of a constraint that evidence leaves open."""
    return " text" + leaning(sides) if sides else ""


def leaning(sides: tuple[float, float] | None) -> str:
    """How plausible a constraint is, with a `-` where it plausibly does not hold."""
    shown = [value for value in (sides[0], -sides[1]) if value] if sides else []
    return "".join(f" {signed(value)}" for value in shown)


def signed(value: float) -> str:
    """A plausibility with two decimals and a sign, never shown as more than it is."""
    cut = floor(abs(value) * 100 + 1e-9) / 100
    return f"{'-' if value < 0 and cut else '+'}{cut:.2f}"


def _status(status: str) -> Text:
    return Text(f"{MARK[status]} {status}", style=STYLE[status])


def print_legend(
    console: Console, soft: bool = False, texts: bool = False, edges: bool = False
) -> None:
    """What the marks mean; `soft`: there are soft rules; `texts`: passages were read; `edges`:
    missing edges were searched for."""
    more = (SOFT_LEGEND if soft else "") + (TEXT_LEGEND if texts else "")
    more += EDGE_LEGEND if edges else ""
    console.print(LEGEND + more)


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
        if constraint.basis in ("admitted", "inferred"):
            reason = f" ({constraint.basis})"
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
        if explained.plausible:
            _weigh(branch, explained.plausible, explanation)
        for edge in constraint.admitted:
            _admitted(branch, edge)
        for evidence in constraint.texts:
            _quote(branch, evidence)
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


def _quote(tree: Tree, evidence: TextEvidence) -> None:
    """What passages say of a statement, passage by passage."""
    label = evidence.label or ("none could be judged" if evidence.quotes else "none was found")
    best = f" {evidence.score:.2f}" if evidence.label else ""
    said = f"; stated by {counted(evidence.sources, 'source')}" if evidence.sources else ""
    said += "; passages disagree" if evidence.disagree else ""
    text = f"passages on “{evidence.statement}”: {label}{best}{said}"
    _quotes(tree.add(Text(printable(text))), evidence.quotes)


def _admitted(tree: Tree, edge: AdmittedEdge) -> None:
    """Why an edge was admitted, passage by passage."""
    said = f"{edge.verdict}, score {edge.final}, {counted(edge.sources, 'source')}"
    text = f"{edge.text} was admitted by the policy {edge.policy} in round {edge.round}: {said}"
    _quotes(tree.add(Text(printable(text))), edge.quotes)


def _quotes(branch: Tree, quotes: Sequence[Quote]) -> None:
    for quote in quotes:
        parts = (quote.title, quote.heading, quote.source)
        where = " · ".join(part for part in parts if part)
        if quote.text:
            line = f"“{quote.text}”: {quote.label} {quote.score:.2f}"
        else:
            score = f" {quote.score:.2f}" if quote.label else ""
            why = f": {quote.reason}" if quote.reason else ""
            line = f"{quote.label or 'not judged'}{score}{why}"
        place = f"{quote.passage}:{quote.start}-{quote.end}" if quote.text else quote.passage
        branch.add(
            Text.assemble(printable(line), (f"  [{printable(place)}] {printable(where)}", "dim"))
        )


def _weigh(tree: Tree, plausible: Plausible, explanation: Explanation) -> None:
    """What soft rules make of an open constraint: of a group, of each member that they speak of."""
    if plausible.claim.kind == "group" and plausible.proof is None:
        sides = (plausible.pro, plausible.con)
        branch = tree.add(Text(f"plausible{leaning(sides)}: {printable(plausible.claim.text)}"))
        for member in plausible.members:
            if member.backings or (member.members and (member.pro or member.con)):
                _weigh(branch, member, explanation)
        return
    if len(plausible.backings) > 1:
        number = counted(len(plausible.backings), "soft rule")
        side = leaning((plausible.pro, plausible.con))
        how = "the strongest" if explanation.combine == "max" else explanation.combine
        tree = tree.add(Text(f"plausible{side}: {how} of {number}"))
    for backing in plausible.backings:
        _grow(tree, backing.node)


def _grow(tree: Tree, node: Node) -> None:
    line = Text(printable(node.text))
    if node.kind == "absence":
        line.append("  (absent)", style="dim")
    elif node.kind == "admitted":
        line.append("  (admitted)", style="dim")
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
