"""The table at the end of a campaign, and its document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from pi_board.campaign.bound import upper_bound
from pi_board.campaign.play import GameScore


def percentiles(values: Sequence[float]) -> list[float]:
    """[median, 95th percentile], linear between ranks; empty without values."""
    ranked = sorted(values)
    if not ranked:
        return []

    def at(share: float) -> float:
        rank = share * (len(ranked) - 1)
        low = int(rank)
        high = min(low + 1, len(ranked) - 1)
        return round(ranked[low] + (rank - low) * (ranked[high] - ranked[low]), 2)

    return [at(0.5), at(0.95)]


def document(scores: Sequence[GameScore]) -> dict[str, Any]:
    """The campaign in the form of the contract. bound95: of false accusations a turn."""
    turns, false = sum(s.turns for s in scores), sum(s.false for s in scores)
    return {
        "games": sum(s.games for s in scores),
        "turns": turns,
        "false_accusations": false,
        "bound95": round(upper_bound(false, turns), 7),
        "exact": sum(s.exact for s in scores),
        "illegal_shown": sum(s.shown for s in scores),
        "illegal_flagged": sum(s.flagged for s in scores),
        "questions": sum(s.questions for s in scores),
        "delay_s": {
            "green": percentiles([d for s in scores for d in s.green]),
            "red": percentiles([d for s in scores for d in s.red]),
        },
        "failures": [{"seed": s.seed, "why": "; ".join(s.why)} for s in scores if s.why],
    }


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole}" + (f" ({100 * part / whole:.1f} %)" if whole else "")


def lines(scores: Sequence[GameScore]) -> Iterable[str]:
    """The table in words."""
    d = document(scores)
    games, turns = d["games"], d["turns"]
    yield f"games               {games}, {turns} turns"
    yield (
        f"false accusations   {d['false_accusations']}; at 95 % fewer than {d['bound95']:.2g} a turn"
        + (f" (1 in {1 / d['bound95']:,.0f})" if turns else "")
    )
    yield f"exact transcripts   {_share(d['exact'], games)}"
    yield f"illegal flagged     {_share(d['illegal_flagged'], d['illegal_shown'])}, {sum(s.amber for s in scores)} more asked about (amber)"
    yield f"right reason        {_share(sum(s.reasons for s in scores), d['illegal_flagged'])}"
    asked: Counter[str] = Counter()
    for s in scores:
        asked.update(s.asked)
    often = ", ".join(f"{n} {name}" for name, n in asked.most_common(4))
    yield f"questions           {d['questions'] / max(1, games):.2f} a game" + (
        f" ({often})" if often else ""
    )
    for name, some in (("claim to light", scores), ("  at 10 fps", [s for s in scores if s.fps >= 10])):
        parts = []
        for color in ("green", "red"):
            values = [v for s in some for v in getattr(s, color)]
            if values:
                middle, late = percentiles(values)
                parts.append(f"{color} {middle:.1f} s, 95 % within {late:.1f} s ({len(values)})")
        yield f"{name:<19} {'; '.join(parts) or '-'}"
    if ready := [v for s in scores for v in s.ready]:
        middle, late = percentiles(ready)
        yield f"board to ready      {middle:.1f} s, 95 % within {late:.1f} s ({len(ready)})"
    if blind := sum(s.blind for s in scores):
        most = max(scores, key=lambda s: s.blind)
        yield f"blind to nothing    {blind / max(1, games):.1f} s a game, most {most.blind:.0f} s (seed {most.seed})"
    cpu, worked, clock = (sum(getattr(s, n) for s in scores) for n in ("seconds", "worked", "clock"))
    frames = sum(s.frames for s in scores)
    yield (
        f"cost                {cpu / max(1, games):.0f} CPU s a game, {worked / max(1, games):.0f} of them vision and referee; "
        f"{frames / max(1e-9, cpu):.0f} frames/s; {clock / max(1e-9, cpu):.1f} times real time"
    )
