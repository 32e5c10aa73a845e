"""What of a match that is being played may be looked at: players could read the referee's mind, or the coach's, in their own journal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pi_board.events import Event, MatchAgreed, MatchStarted
from pi_board.record.journal import unfinished
from pi_board.record.match import MatchRecord


def in_play(events: Iterable[Event]) -> MatchAgreed | None:
    """What was agreed for the match that is still on after `events`; None when none is, or nothing was agreed."""
    kept = list(events)
    agreed: MatchAgreed | None = None
    length = 0
    for event in kept:
        if isinstance(event, MatchStarted):
            agreed, length = None, event.match_length
        elif isinstance(event, MatchAgreed):
            agreed = event
    return agreed if agreed is not None and length and unfinished(kept) else None


def finished_games(match: MatchRecord) -> MatchRecord:
    """The match without the game in hand."""
    return replace(match, games=tuple(game for game in match.games if game.winner is not None))
