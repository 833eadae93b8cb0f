"""A small random graph in the files of Hetionet."""

from __future__ import annotations

import gzip
import random
from collections.abc import Collection
from pathlib import Path

SIZES = {
    "Compound": 40,
    "Disease": 8,
    "Gene": 20,
    "Side Effect": 12,
    "Pathway": 5,
    "Pharmacologic Class": 6,
}
# Each kind of edge with its ends, and how likely an edge is.
EDGES = {
    "CtD": ("Compound", "Disease", 0.2),
    "CcSE": ("Compound", "Side Effect", 0.4),
    "CbG": ("Compound", "Gene", 0.12),
    "DaG": ("Disease", "Gene", 0.15),
    "DrD": ("Disease", "Disease", 0.15),
    "GpPW": ("Gene", "Pathway", 0.25),
    "PCiC": ("Pharmacologic Class", "Compound", 0.1),
    "CpD": ("Compound", "Disease", 0.05),
}


def write(folder: Path, seed: int = 0, sample: bool = True, only: Collection[str] = EDGES) -> Path:
    """Writes the files, with `only` these kinds of edges, and returns their folder."""
    chance = random.Random(seed)
    nodes = {kind: [f"{kind}::{n}" for n in range(size)] for kind, size in SIZES.items()}
    edges = [
        (a, metaedge, b)
        for metaedge, (left, right, likely) in EDGES.items()
        if metaedge in only
        for a in nodes[left]
        for b in nodes[right]
        if a != b and chance.random() < likely
    ]
    treated = {(a, b) for a, metaedge, b in edges if metaedge == "CtD"}
    pairs = [(a, b) for a in nodes["Compound"] for b in nodes["Disease"]]
    denied = [pair for pair in pairs if pair not in treated and chance.random() < 0.1]
    resembling = [
        (a, "CrC", b)
        for a in nodes["Compound"]
        for b in nodes["Compound"]
        if a < b and chance.random() < 0.05
    ]
    folder.mkdir(parents=True, exist_ok=True)
    every = [(node, node.lower(), kind) for kind, found in nodes.items() for node in found]
    _write(folder / "nodes.tsv.gz", ("id", "name", "kind"), every)
    heading = ("source", "metaedge", "target")
    _write(folder / "edges.tsv.gz", heading, edges)
    if sample:
        other = [("Gene::1", "GiG", "Gene::2")]  # another kind, which is not read
        _write(folder / "edges-sample5k.tsv.gz", heading, [*resembling, *other])
    rows = [heading, *((a, "not_indicated", b) for a, b in denied)]
    text = "".join("\t".join(row) + "\n" for row in rows)
    (folder / "negatives-NOT.tsv").write_text(text, encoding="utf-8")
    return folder


def _write(path: Path, heading: tuple[str, str, str], rows: list[tuple[str, str, str]]) -> None:
    with gzip.open(path, "wt", encoding="utf-8", newline="") as out:
        out.writelines("\t".join(row) + "\n" for row in [heading, *rows])
