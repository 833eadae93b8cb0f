"""The tables of the report on the policy: its numbers, its parts, its scores, and what it costs."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from kgverify.experiments.markdown import paragraphs, table
from kgverify.experiments.tgcomplete.findings import cases, mean_of, said
from kgverify.experiments.tgcomplete.sensitivity import front

Numbers = Mapping[str, Any]


def sensitivity(results: Numbers) -> str:
    """Ten configurations of the policy, with the Pareto front."""
    rows = []
    for name, share, of in cases(results):
        found = of["sensitivity"]
        points = {
            config: (_exact(one["admitted"]), _exact(one["faithful"]))
            for config, one in found.items()
        }
        best = front(points)
        for config, one in found.items():
            rows.append(
                (
                    f"{name}, {share}",
                    config,
                    said(one["admitted"], 0),
                    said(one["faithful"]),
                    said(one["precision"]),
                    said(one["first"], 3),
                    "yes" if config in best else "no",
                )
            )
    return paragraphs(
        "What the paper's policy would admit of what it read, under ten configurations. *On the "
        "front*: no other admits at least as many edges of which at least as large a share is "
        "stated.",
        table(
            (
                *("setting", "configuration", "admitted", "stated", "precision"),
                *("first right", "on the front"),
            ),
            rows,
        ),
    )


def _exact(found: Numbers) -> Fraction | None:
    value = mean_of(found)
    return None if value is None else Fraction(value)


def ablations(results: Numbers) -> str:
    """The policy without each of its factors."""
    rows = [
        (
            f"{name}, {share}",
            part,
            said(one["first"], 3),
            said(one["admitted"], 0),
            said(one["faithful"]),
            said(one["precision"]),
            said(one["recall"]),
        )
        for name, share, of in cases(results)
        for part, one in of["ablations"].items()
    ]
    return paragraphs(
        "What the paper's policy read is decided anew without each of its parts. Recall is against "
        "all deleted edges here.",
        table(
            ("setting", "loop", "first right", "admitted", "stated", "precision", "recall"), rows
        ),
    )


def risk(results: Numbers) -> str:
    """Thresholds: how many edges they admit, and how many of these are wrong."""
    rows = [
        (f"{name}, {share}", method, said(one["area"]), said(one["all"]))
        for name, share, of in cases(results)
        for method, one in of["risk"].items()
    ]
    return paragraphs(
        "*Area*: the mean risk over the candidates, each with that of the highest threshold that "
        "admits it; *all*: the risk when everything is admitted. A score that tells right from "
        "wrong has an area well below that.",
        table(("setting", "method", "area", "all"), rows),
    )


def cost(results: Numbers) -> str:
    """What a question costs by each method."""
    rows = [
        (
            f"{name}, {share}",
            method,
            *(said(numbers["cost"][what], 1) for what in ("searches", "judged", "calls")),
        )
        for name, share, of in cases(results)
        for method, numbers in of["methods"].items()
    ]
    return paragraphs(
        "Per question. A missing edge that several questions share is completed once.",
        table(("setting", "method", "searches", "pairs judged", "calls of a model"), rows),
    )
