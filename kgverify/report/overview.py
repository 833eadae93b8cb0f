"""What is in a graph, for people: sizes, relations, classes and a few of its triples."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from kgverify.errors import counted, printable
from kgverify.graph import Graph, info, sample
from kgverify.graph.terms import display


def sizes(facts: int, denied: int, entities: int, relations: int) -> str:
    """The sizes of a graph in words."""
    things = f"{entities:,} entit{'y' if entities == 1 else 'ies'}"
    return (
        f"{counted(facts, 'triple')}, {denied:,} denied, {things}, {counted(relations, 'relation')}"
    )


def ranks(lesser: int, deprecated: int) -> str:
    """How many facts rank leaves out, in words that follow other sizes; "" if none."""
    if not lesser and not deprecated:
        return ""
    return f"; {lesser:,} outranked, {deprecated:,} deprecated"


def print_overview(screen: Console, graph: Graph) -> None:
    """Sizes, relations with their functionality, the largest classes and ten triples."""
    found = info(graph)
    found_sizes = sizes(found.facts, found.denied, found.entities, len(found.relations))
    outranked = ranks(found.lesser, found.deprecated)
    screen.print(Text(printable(f"{found.name}: {found_sizes}{outranked}")))
    screen.print(f"hash {found.hash}")
    table = Table(box=None, header_style="bold")
    table.add_column("relation", overflow="fold")
    for name in ("triples", "denied", "subjects", "objects", "functionality", "inverse"):
        table.add_column(name, justify="right")
    for r in found.relations:
        table.add_row(
            Text(printable(r.name)),
            f"{r.facts:,}",
            f"{r.denied:,}",
            f"{r.subjects:,}",
            f"{r.objects:,}",
            f"{r.functionality:.3f}",
            f"{r.inverse_functionality:.3f}",
        )
    screen.print(table)
    if found.classes:
        names = ", ".join(f"{display(key)} {count:,}" for key, count in found.classes[:20])
        more = f" and {len(found.classes) - 20} more" if len(found.classes) > 20 else ""
        screen.print(Text(printable(f"classes: {names}{more}")))
    screen.print("sample:")
    for subject, relation, object_ in sample(graph):
        screen.print(Text(printable(f"  {display(subject)}  {relation}  {display(object_)}")))
