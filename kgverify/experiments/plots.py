"""Plots as SVG text.  The same values give the same bytes."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDTH, _HEIGHT = 4.2, 3.2  # inches, of a panel
_SETTINGS: Any = {
    "svg.hashsalt": "kgverify",
    "svg.fonttype": "none",
    "font.size": 8,
    "text.parse_math": False,  # a dollar in a name is a dollar
}


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
        return _svg(figure)


@dataclass(frozen=True, slots=True)
class Bars:
    """A value between 0 and 1 for each label."""

    label: str
    values: Sequence[float]


def bars(title: str, labels: Sequence[str], found: Sequence[Bars]) -> str:
    """Horizontal bars, one beside the other for each label, the first label on top."""
    import matplotlib
    from matplotlib.figure import Figure

    thickness = 0.8 / len(found)
    with matplotlib.rc_context(_SETTINGS):
        figure = Figure(figsize=(2 * _WIDTH, 0.35 * len(labels) + 1), layout="constrained")
        frame = figure.subplots()
        for number, bar in enumerate(found):
            places = [place + number * thickness for place in range(len(labels))]
            frame.barh(places, bar.values, thickness, label=bar.label)
        frame.set_yticks([place + 0.4 - thickness / 2 for place in range(len(labels))], labels)
        frame.invert_yaxis()
        frame.set_xlim(0, 1)
        frame.set_title(title)
        frame.grid(axis="x", alpha=0.3)
        frame.legend(fontsize=7, loc="lower left")
        return _svg(figure)


def _svg(figure: Figure) -> str:
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
