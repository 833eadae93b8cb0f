"""The plots of the report."""

from __future__ import annotations

from collections.abc import Sequence

from kgverify.experiments.cespk.asking import BALANCED, CLOSED, UNKNOWN
from kgverify.experiments.cespk.judging import SCORES
from kgverify.experiments.cespk.plausibility import METHODS
from kgverify.experiments.cespk.results import FORMS, PAPER, Results, form, interval
from kgverify.experiments.plots import Line, Panel, svg
from kgverify.experiments.statistics import Interval

REMOVED = "share of the edges removed"


def plots(results: Results) -> dict[str, str]:
    """Each plot's file name and SVG text."""
    found = {
        "precision.svg": svg(_precision(results)),
        "curves.svg": svg(_curves(results), columns=4),
        "support.svg": svg(_support(results), columns=4),
    }
    if results.plausibility:
        found["plausibility.svg"] = svg([_plausibility(results)])
    if results.shapes:
        found["shapes.svg"] = svg(_shapes(results), columns=4)
    return found


def _line(label: str, x: Sequence[float], found: Sequence[Interval], style: str = "o-") -> Line:
    spans = [(i.low, i.high) if i.low is not None and i.high is not None else None for i in found]
    return Line(label, x, [i.mean for i in found], spans, style)


def _precision(results: Results) -> list[Panel]:
    """Precision on the paper's mix, before and after, as more is removed."""
    panels = []
    for question, reading in (("Q1", ""), ("Q2", UNKNOWN), ("Q2", CLOSED)):
        lines = [
            _line(
                label,
                results.removals,
                [
                    results.measure(f"{policy} precision", question, reading, share, PAPER)
                    for share in results.removals
                ],
            )
            for policy, label in (
                ("none", "before"),
                ("filter", "after filter"),
                ("strict", "after strict"),
            )
        ]
        recall = [
            results.measure("strict recall", question, reading, share, PAPER)
            for share in results.removals
        ]
        lines.append(_line("recall after strict", results.removals, recall, "s--"))
        title = f"{form(question, reading)}: precision"
        panels.append(Panel(title, REMOVED, "precision", lines))
    return panels


def _curves(results: Results) -> list[Panel]:
    """Precision and recall of each ranking, where the most is removed; and where the policies
    stop."""
    share = results.removals[-1]
    panels = []
    for question, reading in (
        ("Q1", ""),
        ("Q1", "with plausibility"),
        ("Q2", UNKNOWN),
        ("Q2", CLOSED),
    ):
        lines = []
        for ranking in SCORES:
            points = results.curves[question, reading, BALANCED.name, share, ranking]
            recall = [point[2] for point in points]
            lines.append(Line(ranking, recall, [point[1] for point in points]))
        points = results.curves[question, reading, BALANCED.name, share, "rank"]
        for policy, least, style in (("filter", 1.0, "k^"), ("strict", 2.0, "k*")):
            kept = [point for point in points if point[0] >= least]
            if kept:
                lines.append(Line(f"{policy} stops", [kept[-1][2]], [kept[-1][1]], style=style))
        title = f"{form(question, reading)}, {100 * share:g} % removed"
        panels.append(Panel(title, "recall", "precision", lines))
    return panels


def _support(results: Results) -> list[Panel]:
    """Support of gold and of the others, by either denominator."""
    panels = []
    for question, reading in (form_ for form_ in FORMS if form_[0] in ("Q1", "Q2", "Q4")):
        lines = [
            _line(
                f"{group}, {label}",
                results.removals,
                [
                    results.measure(f"{group} {name}", question, reading, share)
                    for share in results.removals
                ],
                style,
            )
            for name, label, style in (
                ("support", "of all", "o-"),
                ("decided support", "of the decided", "s--"),
            )
            for group in ("gold", "others")
        ]
        panels.append(Panel(form(question, reading), REMOVED, "mean support", lines))
    return panels


def _plausibility(results: Results) -> Panel:
    shares = [share for share in results.removals if share]
    lines = [
        _line(
            method,
            shares,
            [interval(results.plausibility[share, method]["MAP"]) for share in shares],
        )
        for method in METHODS
    ]
    return Panel("removed treatments, found again", REMOVED, "mean average precision", lines)


def _shapes(results: Results) -> list[Panel]:
    """What is said of gold: by SHACL that it violates, by kgverify that it is unknown."""
    panels = []
    for question, reading in FORMS:
        if reading == UNKNOWN:
            continue
        violating = [
            interval(results.shapes[question, share]["gold violating"])
            for share in results.removals
        ]
        lines = [_line("SHACL: violation", results.removals, violating)]
        for verdict, style in (("viol", "s-"), ("unk", "^--")):
            found = [
                results.measure(f"gold {verdict}", question, reading, share)
                for share in results.removals
            ]
            lines.append(_line(f"kgverify: {verdict}", results.removals, found, style))
        panels.append(Panel(f"{form(question, reading)}: gold", REMOVED, "share of gold", lines))
    return panels
