"""Our own match equity table: the chance to win a match from every score, computed, not copied.

Equal players; a fresh game is a coin flip in which `GAMMONS` of the wins are gammons and `BACKGAMMONS` backgammons (the
shares of the starting position in our network's own games), the cube is valued as in `equity` with a usual life.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise

GAMMONS = 0.265
BACKGAMMONS = 0.012
LIFE = 0.68
MAX_AWAY = 64


def match_equity(mine: int, theirs: int, *, post_crawford: bool = False) -> float:
    """Chance (0-1) that the player who needs `mine` points beats the one who needs `theirs`, before a game.

    Zero or less means the match is won. One point away is the Crawford game unless `post_crawford`.
    """
    if mine <= 0:
        return 1.0
    if theirs <= 0:
        return 0.0
    if mine == theirs:
        return 0.5
    mine, theirs = min(mine, MAX_AWAY), min(theirs, MAX_AWAY)
    if mine > theirs:
        return 1.0 - match_equity(theirs, mine, post_crawford=post_crawford)
    # From here the first player leads.
    if mine == 1:
        return 1.0 - (_after_crawford(theirs) if post_crawford else _crawford(theirs))
    return _before_crawford(mine, theirs)


def table(size: int = 15) -> list[list[float]]:
    """Rows: my points away 1…size, columns: theirs. The Crawford game where one is a single point away."""
    return [[match_equity(a, b) for b in range(1, size + 1)] for a in range(1, size + 1)]


def _game(mine: int, theirs: int, cube: int, *, post_crawford: bool) -> tuple[float, float]:
    """Mean equity after I win and after I lose a fresh game whose cube is dead at `cube`."""
    shares = ((1, 1 - GAMMONS), (2, GAMMONS - BACKGAMMONS), (3, BACKGAMMONS))
    up = sum(s * match_equity(mine - k * cube, theirs, post_crawford=post_crawford) for k, s in shares)
    down = sum(s * match_equity(mine, theirs - k * cube, post_crawford=post_crawford) for k, s in shares)
    return up, down


@cache
def _crawford(trailer: int) -> float:
    """The trailer's chance in the Crawford game: no cube; then post-Crawford."""
    up, _ = _game(trailer, 1, 1, post_crawford=True)
    return 0.5 * up


@cache
def _after_crawford(trailer: int) -> float:
    """The trailer doubles at once; the leader takes or passes, whichever is better for it."""
    if trailer <= 1:
        return 0.5
    up, _ = _game(trailer, 1, 2, post_crawford=True)
    return min(0.5 * up, match_equity(trailer - 1, 1, post_crawford=True))


def _turn(mine: int, theirs: int, cube: int) -> float:
    """My winning chance at which my (live) double of `cube` is just passed."""
    up, down = _game(mine, theirs, 2 * cube, post_crawford=False)
    passed = match_equity(mine - cube, theirs)
    low, at = 0.0, down
    if theirs > 2 * cube:
        low, at = 1 - _turn(theirs, mine, 2 * cube), match_equity(mine, theirs - 2 * cube)
    if up - at < 1e-9:
        return 1.0
    return min(1.0, max(low, low + (passed - at) * (1 - low) / (up - at)))


@cache
def _before_crawford(mine: int, theirs: int) -> float:
    up, down = _game(mine, theirs, 1, post_crawford=False)
    dead = 0.5 * (up + down)
    points = [(0.0, down)]
    if theirs > 1:
        points.append((1 - _turn(theirs, mine, 1), match_equity(mine, theirs - 1)))
    if mine > 1:
        points.append((_turn(mine, theirs, 1), match_equity(mine - 1, theirs)))
    points.append((1.0, up))
    live = dead
    for (x0, y0), (x1, y1) in pairwise(points):
        if x0 <= 0.5 <= x1 and x1 > x0:
            live = y0 + (0.5 - x0) / (x1 - x0) * (y1 - y0)
    return LIFE * live + (1 - LIFE) * dead
