"""Verdicts as lines for machines: JSON Lines and CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping

from kgverify.verdicts import Verdict

COLUMNS = (
    "question",
    "candidate",
    "label",
    "verdict",
    "support",
    "basis",
    "rank",
    "kept",
    "score",
    "constraints",
)


def json_lines(verdicts: Iterable[Verdict]) -> Iterator[str]:
    """One JSON object a verdict, with evidence; the keys are those of `Verdict.to_dict`."""
    for verdict in verdicts:
        yield json.dumps(verdict.to_dict(), ensure_ascii=False) + "\n"


SOFT_COLUMNS = ("plausibility", "plausible")  # where the rule file has soft rules
TEXT_COLUMNS = ("stated", "statements")  # where passages were read
EDGE_COLUMNS = ("admitted",)  # where missing edges were searched for


def csv_header(soft: bool = False, texts: bool = False, edges: bool = False) -> str:
    more = (soft, SOFT_COLUMNS), (texts, TEXT_COLUMNS), (edges, EDGE_COLUMNS)
    return _row((*COLUMNS, *(name for asked, names in more if asked for name in names)))


def csv_lines(
    verdicts: Iterable[Verdict], soft: bool = False, texts: bool = False, edges: bool = False
) -> Iterator[str]:
    """One CSV row a verdict; the statuses of the constraints as `id=status`, one after the other.

    `soft`: with the plausibility of the candidate, and of its open constraints: `id=0.42` for one
    that plausibly holds, `id=-0.42` for one that plausibly does not.  `texts`: the same by the
    scores of what passages state.  `edges`: with the ids of the constraints whose status needs an
    admitted edge.

    A text that a spreadsheet would run as a formula gets an apostrophe in front."""
    for v in verdicts:
        statuses = " ".join(f"{id}={status}" for id, status in v.statuses.items())
        score = "" if v.score is None else v.score
        yield _row(
            (
                _safe(v.question),
                _safe(v.candidate),
                _safe(v.label),
                v.verdict,
                v.support,
                v.basis,
                v.rank,
                str(v.kept).lower(),
                score,
                statuses,
                *((v.plausibility, _leaning(v.plausibilities)) if soft else ()),
                *((v.stated, _leaning(v.statements)) if texts else ()),
                *((" ".join(id for id in v.statuses if id in v.admitted),) if edges else ()),
            )
        )


def _leaning(sides: Mapping[str, tuple[float, float]]) -> str:
    return " ".join(
        f"{id}={value}" for id, (pro, con) in sides.items() for value in (pro, -con) if value != 0
    )


def _safe(text: str) -> str:
    runs = text[:1] in ("\t", "\r") or text.lstrip()[:1] in ("=", "+", "-", "@")
    return "'" + text if runs else text


def _row(values: Iterable[object]) -> str:
    buffer = io.StringIO()
    # With this line end the writer quotes cells with either kind of line break.
    csv.writer(buffer, lineterminator="\r\n").writerow(values)
    return buffer.getvalue().removesuffix("\r\n") + "\n"
