"""How a question in plain words was read, for people."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from kgverify.asking.reading import Part, Reading
from kgverify.errors import printable


def print_reading(console: Console, reading: Reading) -> None:
    """The constraints in plain words, each with the words of the question that it came from."""
    how = f"template {reading.name}" if reading.source == "template" else reading.source
    title = f"“{printable(reading.text)}”  read with confidence {reading.confidence:.2f} ({how})"
    console.print(Text(title, style="bold"))
    for part in reading.parts:
        console.print(_part(part, reading.text))
    for name in reading.names:
        entity = "" if name.entity == name.label else f" ({name.entity})"
        near = "" if name.how in ("id", "label") else f", {name.how}"
        said = f"  “{name.text}” is {name.label}{entity}{near}"
        console.print(Text(printable(said), style="dim"))
    if reading.unused:
        unused = ", ".join(f"“{word}”" for word in reading.unused)
        console.print(Text(printable(f"  nothing was made of {unused}"), style="yellow"))


def _part(part: Part, text: str) -> Text:
    said = " … ".join(text[start:end] for start, end in part.spans)
    came = f"  ← “{printable(said)}”" if said else ""
    return Text.assemble(
        "  ",
        (part.demand, "cyan"),
        " ",
        printable(part.words),
        (f"  [{printable(part.text)}]", "dim"),
        (came, "dim"),
    )
