"""The plots of `Statistics`: one SVG text per name."""

from __future__ import annotations

from collections import Counter
from statistics import median

from pi_board.record.plots import bars, lines
from pi_board.record.statistics import Statistics


def statistics_plots(statistics: Statistics) -> dict[str, str]:
    """Name -> SVG: dice, illegal, points, time, errors; those without figures are left out."""
    numbers = [str(n) for n in range(1, 7)]
    counts = [float(statistics.dice[n]) for n in range(1, 7)]
    found = {"dice": bars("Dice", numbers, counts, expected=sum(counts) / 6)}
    players = statistics.players
    illegal = Counter[str]()
    for p in players.values():
        illegal.update(p.illegal)
    if illegal:
        codes = [code for code, _ in illegal.most_common(8)]
        found["illegal"] = bars(
            "Illegal plays",
            [c.replace("_", " ") for c in codes],
            [float(illegal[c]) for c in codes],
            kind="illegal",
        )
    running: dict[str, list[float]] = {name: [0.0] for name in players}
    seconds: dict[str, list[float]] = {}
    for game in statistics.games:
        for name, values in running.items():
            values.append(values[-1] + (game.points if game.winner == name else 0))
        for name, figures in game.players.items():
            if figures.seconds:
                seconds.setdefault(name, []).append(median(figures.seconds))
    found["points"] = lines("Points", running)
    # A player keeps the same colour in every plot, even where others are missing.
    order = list(players)
    if seconds:
        found["time"] = lines("Time per turn by game (median)", seconds, unit=" s", order=order)
    if rates := statistics.error_rates():
        found["errors"] = lines("Error rate by game (thousandths per decision)", rates, order=order)
    return found
