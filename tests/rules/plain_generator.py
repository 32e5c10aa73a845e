"""An independent generator of the international plays, as plain as it can be: it shares no code with pi_board.

Positions are 28-tuples from the mover's side: points 1-24 (own positive), own bar, their bar, own off, their off. It plays every
order of the dice in every way, remembers how many dice were used and keeps the longest: slow and obvious.
"""

from __future__ import annotations


def one_move(board: tuple[int, ...], die: int) -> list[tuple[int, ...]]:
    """Every board after moving one checker by `die`."""
    boards = []
    if board[24] > 0:
        starts = [25]
    else:
        starts = [p for p in range(1, 25) if board[p - 1] > 0]
    everybody_home = board[24] == 0 and max(board[6:24]) <= 0
    for start in starts:
        end = start - die
        new = list(board)
        if start == 25:
            new[24] -= 1
        else:
            new[start - 1] -= 1
        if end >= 1:
            if board[end - 1] < -1:
                continue
            if board[end - 1] == -1:
                new[end - 1] = 0
                new[25] += 1
            new[end - 1] += 1
        else:
            if not everybody_home:
                continue
            if end < 0 and max(board[start:6], default=0) > 0:
                continue
            new[26] += 1
        boards.append(tuple(new))
    return boards


def sequences(board: tuple[int, ...], dice: list[int]) -> list[tuple[tuple[int, ...], list[int]]]:
    """Every board at which playing `dice` in this order gets stuck or ends, with the dice used."""
    if dice:
        following = one_move(board, dice[0])
        if following:
            return [(end, [dice[0], *used]) for b in following for end, used in sequences(b, dice[1:])]
    return [(board, [])]


def plays(board: tuple[int, ...], a: int, b: int) -> set[tuple[int, ...]]:
    """The distinct boards after a legal play of a-b; without one, the board itself."""
    orders = [[a] * 4] if a == b else [[a, b], [b, a]]
    ends = [end for order in orders for end in sequences(board, order)]
    most = max(len(used) for _, used in ends)
    ends = [(end, used) for end, used in ends if len(used) == most]
    if most == 1:
        larger = max(used[0] for _, used in ends)
        ends = [(end, used) for end, used in ends if used[0] == larger]
    return {end for end, _ in ends}


def other_side(board: tuple[int, ...]) -> tuple[int, ...]:
    """The same position seen by the opponent."""
    points = [-n for n in reversed(board[:24])]
    return (*points, board[25], board[24], board[27], board[26])


START = (-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0, 0, 0, 0)
ROLLS = [(a, b) for a in range(1, 7) for b in range(1, a + 1)]


def count_table(board: tuple[int, ...] = START) -> dict[tuple[int, int], tuple[int, int]]:
    """roll -> (distinct plays, distinct plays of all 21 answers to each of them, summed)."""
    table = {}
    for roll in ROLLS:
        first = plays(board, *roll)
        second = sum(len(plays(other_side(b), *answer)) for b in first for answer in ROLLS)
        table[roll] = (len(first), second)
    return table
