"""Whether what lies there can be the work of one player with one roll, however wrongly played."""

from __future__ import annotations

from pi_board.referee.reconcile import Turn
from pi_board.rules import Position, Side


def is_of_one_turn(turn: Turn, seen: Position) -> bool:
    """Whether `seen` can be the work of this player with this roll, however wrongly played: the other side's checkers
    lie still except for hits, none of his own was hit, and few of his own were moved. Else the game has gone on unseen,
    or hands were at the board."""
    was, now = turn.before.seen_from(turn.side), seen.seen_from(turn.side)
    if now[1][0] > was[1][0] or now[1][1] < was[1][1]:
        return False
    moved = sum(max(0, max(0, a) - max(0, b)) for a, b in zip(was[0], now[0], strict=True))
    others = sum(max(0, max(0, -a) - max(0, -b)) for a, b in zip(was[0], now[0], strict=True))
    hits = now[1][1] - was[1][1]
    return moved <= (6 if turn.dice[0] == turn.dice[1] else 4) and others == max(0, hits)


def touched_nothing(before: Position, seen: Position, side: Side) -> bool:
    """`seen` differs from `before`, and not in one checker of `side`."""
    was, now = before.seen_from(side), seen.seen_from(side)
    same = all(max(0, a) == max(0, b) for a, b in zip(was[0], now[0], strict=True))
    return seen != before and same and was[1][0] == now[1][0] and was[2][0] == now[2][0]


def moved_one_of_theirs(turn: Turn, seen: Position) -> bool:
    """`seen` is of this turn but for one of the opponent's checkers, which lies elsewhere without having been hit."""
    was, now = turn.before.seen_from(turn.side), seen.seen_from(turn.side)
    moved = sum(max(0, max(0, a) - max(0, b)) for a, b in zip(was[0], now[0], strict=True))
    others = sum(max(0, max(0, -a) - max(0, -b)) for a, b in zip(was[0], now[0], strict=True))
    hit = sum(a == -1 and b > 0 for a, b in zip(was[0], now[0], strict=True))
    return (
        now[1][0] <= was[1][0]
        and moved <= (4 if turn.dice[0] == turn.dice[1] else 2)
        and others in (hit + 1, max(0, now[1][1] - was[1][1]) + 1)
    )
