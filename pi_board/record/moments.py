"""Every moment of a recorded game with all that surrounds it, so that each has its XGID."""

from __future__ import annotations

from collections.abc import Iterator

from pi_board.record.match import Doubled, Dropped, GameRecord, MatchRecord, Rolled, Took, move_words
from pi_board.rules import GameState, Position, Side, opponent


def moments(match: MatchRecord, game: GameRecord) -> Iterator[tuple[str, GameState]]:
    """(words, state): before the first roll, and after each roll, play, double and answer, in order.

    The words say what has just happened. Scores that a match cannot have (a file's mistake) are given as a money
    session's, which an XGID can hold.
    """
    score, length, crawford = game.score, match.length, game.crawford
    if length and max(score) >= length:
        score, length, crawford = (0, 0), 0, False
    if crawford and length - 1 not in score:
        crawford = False
    cube, owner, offer = 1, None, 1

    def state(
        position: Position, turn: Side, dice: tuple[int, int] | None = None, doubled: bool = False
    ) -> GameState:
        return GameState(
            position,
            cube=cube,
            owner=owner,
            turn=turn,
            dice=dice,
            doubled=doubled,
            score=score,
            length=length,
            crawford=crawford,
            jacoby=match.jacoby and not length,
        )

    first: Side = next((a.side for a in game.actions), "light")
    yield "the start", state(game.start, first)
    for action, before, after in game.positions():
        side = action.side
        if isinstance(action, Doubled):
            offer = action.value if action.value > cube and action.value.bit_count() == 1 else 2 * cube
            yield f"{side} doubles to {action.value}", state(before, side, doubled=True)
        elif isinstance(action, Took):
            cube, owner = offer, side
            yield f"{side} takes", state(before, opponent(side))
        elif isinstance(action, Dropped):
            yield f"{side} drops", state(before, opponent(side))
        elif isinstance(action, Rolled):
            dice = f"{action.dice[0]}{action.dice[1]}"
            yield f"{side} rolls {dice}", state(before, side, action.dice)
            if action.moves is None:
                continue
            if action.stood is not None:
                words = "an illegal play that stood"
            else:
                words = move_words(before, side, action.moves) or "no play"
            yield f"{side} {dice}: {words}", state(after, opponent(side))
