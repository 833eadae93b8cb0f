"""The plots of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kgverify.completion.curves import Point
from kgverify.experiments.plots import Bars, Line, Panel, bars, svg
from kgverify.experiments.tgcomplete.findings import cases, mean_of
from kgverify.experiments.tgcomplete.measuring import FULL, WINDOWS

GAP, WINDOW, RELATIONS, RISK, FRONT = (
    "gap.svg",
    "windows.svg",
    "relations.svg",
    "risk.svg",
    "sensitivity.svg",
)


def drawn(results: Mapping[str, Any], curves: Mapping[str, Sequence[Point]]) -> dict[str, str]:
    """All plots by file name."""
    found = {
        GAP: _gap(results),
        WINDOW: _windows(results),
        RELATIONS: _relations(results),
        FRONT: _front(results),
    }
    if panels := _risk(curves):
        found[RISK] = svg(panels, 2)
    return found


def _gap(results: Mapping[str, Any]) -> str:
    """Figure 2: the gap by setting, of all deleted edges and of those that no passage names."""
    rows = [(f"{name}, {share}", of["gaps"]["all"]) for name, share, of in cases(results)]
    series = [
        Bars("stated by no passage", [mean_of(gap[FULL]) or 0.0 for _, gap in rows]),
        Bars("both named by no passage", [mean_of(gap["unnamed"]) or 0.0 for _, gap in rows]),
    ]
    return bars("Deleted edges without provenance", [name for name, _ in rows], series)


def _windows(results: Mapping[str, Any]) -> str:
    places = list(range(len(WINDOWS)))
    lines = [
        Line(f"{name}, {share}", places, [mean_of(of["gaps"]["all"][w]) for w in WINDOWS])
        for name, share, of in cases(results)
    ]
    return svg([Panel("The gap by window", ", ".join(WINDOWS), "stated by no passage", lines)])


def _relations(results: Mapping[str, Any]) -> str:
    """The gap by relation, at the greatest share."""
    last = {name: (share, of) for name, share, of in cases(results)}
    labels, values = [], []
    for name, (_, of) in last.items():
        for relation, gap in of["gaps"]["relation"].items():
            value = mean_of(gap["gap"])
            if value is not None:
                labels.append(f"{name}: {relation}")
                values.append(value)
    share = max(share for share, _ in last.values())
    return bars(f"Stated by no passage, {share} deleted", labels, [Bars("gap", values)])


def _front(results: Mapping[str, Any]) -> str:
    panels = []
    for name, share, of in cases(results):
        points = [
            (mean_of(one["admitted"]) or 0.0, mean_of(one["faithful"]))
            for one in of["sensitivity"].values()
        ]
        line = Line("configurations", [x for x, _ in points], [y for _, y in points], style="o")
        panels.append(Panel(f"{name}, {share}", "admitted edges", "stated", [line]))
    return svg(panels, 2)


def _risk(curves: Mapping[str, Sequence[Point]]) -> list[Panel]:
    """Risk against coverage in the first seed."""
    panels = []
    for name, curve in curves.items():
        if curve:
            xs = [float(point.coverage or 0) for point in curve]
            ys = [None if point.risk is None else float(point.risk) for point in curve]
            panels.append(Panel(name, "coverage", "risk", [Line("first seed", xs, ys)]))
    return panels
