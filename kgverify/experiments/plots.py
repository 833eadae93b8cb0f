"""Plots as SVG text.  The same values give the same bytes."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WIDTH, _HEIGHT = 4.2, 3.2  # inches, of a panel
_SETTINGS: Any = {"svg.hashsalt": "kgverify", "svg.fonttype": "none", "font.size": 8}


@dataclass(frozen=True, slots=True)
class Line:
    """Values along x, None where there is none, each perhaps with an interval (low, high)."""

    label: str
    x: Sequence[float]
    y: Sequence[float | None]
    spans: Sequence[tuple[float, float] | None] = ()
    style: str = "o-"


@dataclass(frozen=True, slots=True)
class Panel:
    """Lines in one frame; both axes begin at 0, and y ends at 1."""

    title: str
    x_label: str
    y_label: str
    lines: Sequence[Line]


def svg(panels: Sequence[Panel], columns: int = 3) -> str:
    """The panels side by side, in rows."""
    import matplotlib
    from matplotlib.figure import Figure

    columns = min(columns, len(panels))
    rows = -(-len(panels) // columns)
    with matplotlib.rc_context(_SETTINGS):
        figure = Figure(figsize=(columns * _WIDTH, rows * _HEIGHT), layout="constrained")
        frames = figure.subplots(rows, columns, squeeze=False).flat
        for frame, panel in zip(frames, panels, strict=False):
            _draw(frame, panel)
        for frame in list(frames)[len(panels) :]:
            frame.set_visible(False)
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None})
    return out.getvalue()


def _draw(frame: Axes, panel: Panel) -> None:
    for line in panel.lines:
        places = [place for place, value in enumerate(line.y) if value is not None]
        xs = [line.x[place] for place in places]
        ys = [value for value in line.y if value is not None]
        (drawn,) = frame.plot(xs, ys, line.style, label=line.label, markersize=4)
        for place, span in enumerate(line.spans):
            if span is not None:
                frame.vlines(line.x[place], *span, color=drawn.get_color(), linewidth=1)
    frame.set_title(panel.title)
    frame.set_xlabel(panel.x_label)
    frame.set_ylabel(panel.y_label)
    frame.set_ylim(-0.03, 1.05)
    frame.set_xlim(left=-0.01)
    frame.grid(alpha=0.3)
    frame.legend(fontsize=7)
