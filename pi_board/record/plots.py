"""Plots of the statistics as SVG, without a plotting library.

Colours are attributes, so that a file stands alone; the classes let the page's style sheet put its own in their place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Literal

#: Of the series, whatever their number: told apart without colour by their dashes. Green, amber and red are verdicts'.
COLOURS = ("#24527a", "#7a4fb0", "#0f766e", "#6b4f2a")
DASHES = ("", "6 3", "2 3", "9 3 2 3")
#: Of bars: what was counted.
BAR_COLOURS = {"first": COLOURS[0], "illegal": "#b3261e"}


def bars(
    title: str,
    labels: Sequence[str],
    values: Sequence[float],
    *,
    expected: float | None = None,
    kind: Literal["first", "illegal"] = "first",
) -> str:
    """A bar chart; `expected` draws a dashed line. kind: what is counted, for its colour."""
    height, left, bottom = 260, 40, 40
    width = max(480, left + 10 + len(labels) * (8 + 7 * max(map(len, labels), default=0)))
    top = max([*values, expected or 0, 1e-9])
    # One or two bars are no wider than six would be.
    step = (width - left - 10) / max(6, len(values))
    parts = [_head(title, width, height)]
    for i, (label, value) in enumerate(zip(labels, values, strict=True)):
        h = (height - bottom - 50) * value / top
        x = left + i * step
        parts.append(
            f'<rect x="{x + 4:.1f}" y="{height - bottom - h:.1f}" width="{step - 8:.1f}" height="{h:.1f}" class="plot-{kind}" fill="{BAR_COLOURS[kind]}"/>'
        )
        parts.append(
            f'<text x="{x + step / 2:.1f}" y="{height - bottom + 16}" text-anchor="middle">{escape(label)}</text>'
        )
        parts.append(
            f'<text x="{x + step / 2:.1f}" y="{height - bottom - h - 4:.1f}" text-anchor="middle">{value:g}</text>'
        )
    if expected is not None:
        y = height - bottom - (height - bottom - 50) * expected / top
        parts.append(
            f'<line x1="{left}" x2="{width - 10}" y1="{y:.1f}" y2="{y:.1f}" class="plot-expected" stroke="#1d1f22" stroke-dasharray="5 4"/>'
        )
    return "\n".join([*parts, "</svg>"]) + "\n"


def lines(
    title: str, series: Mapping[str, Sequence[float]], *, unit: str = "", order: Sequence[str] = ()
) -> str:
    """Line chart of one or more series over their index. order: names in the order of their colours, those of other
    plots too; without it the series' own."""
    width, height, left, bottom, top = 560, 280, 52, 34, 36
    everything = [v for s in series.values() for v in s] or [0.0]
    low, high = min(0.0, *everything), max(0.0, *everything)
    span = (high - low) or 1.0
    longest = max((len(s) for s in series.values()), default=1)
    places = {name: n for n, name in enumerate(dict.fromkeys([*order, *series]))}
    parts = [_head(title, width, height)]
    for value in (low, (low + high) / 2, high):
        y = height - bottom - (height - bottom - top) * (value - low) / span
        parts.append(
            f'<line x1="{left}" x2="{width - 10}" y1="{y:.1f}" y2="{y:.1f}" class="plot-grid" stroke="#c9c2b2"/>'
        )
        parts.append(
            f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{value:.3g}{escape(unit)}</text>'
        )
    for i, (name, values) in enumerate(series.items()):
        nth = places[name] % len(COLOURS)
        points, colour = [], COLOURS[nth]
        for k, value in enumerate(values):
            x = left + (width - left - 10) * (k / max(1, longest - 1))
            points.append(f"{x:.1f},{height - bottom - (height - bottom - top) * (value - low) / span:.1f}")
        # Dots, so that a series of one value is seen too.
        parts += [
            f'<circle cx="{x}" cy="{y}" r="3.5" class="plot-name-{nth}" fill="{colour}"/>'
            for x, _, y in (p.partition(",") for p in points)
        ]
        dash = f' stroke-dasharray="{DASHES[nth]}"' if DASHES[nth] else ""
        parts.append(
            f'<polyline points="{" ".join(points)}" fill="none" class="plot-line-{nth}" stroke="{colour}" stroke-width="2"{dash}/>'
        )
        parts.append(
            f'<text x="{left + 10 + 160 * i}" y="{height - 8}" class="plot-name-{nth}" fill="{colour}">{escape(name)}</text>'
        )
    return "\n".join([*parts, "</svg>"]) + "\n"


def _head(title: str, width: int, height: int) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" class="plot-paper" fill="#ffffff"/>'
        f'<text x="12" y="20" font-size="15" font-weight="bold">{escape(title)}</text>'
    )
