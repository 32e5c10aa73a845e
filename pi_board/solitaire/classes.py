"""Position classes: the proof, without search, that a position can never become another (Reiss 1857).

Colour the diagonals in turn with three colours, once for each direction. A jump changes the number of pieces on
each of the three colours by one, so whether two colours have equal parity never changes: four bits that every
position keeps for ever.
"""

from __future__ import annotations

from functools import cache

from pi_board.solitaire.board import Board, bit


@cache
def _colours(board: Board) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    masks = []
    for sign in (1, -1):
        row = [0, 0, 0]
        for i, (r, c) in enumerate(board.places):
            row[(r + sign * c) % 3] |= 1 << i
        masks.append((row[0], row[1], row[2]))
    return masks[0], masks[1]


def position_class(board: Board, position: int) -> tuple[int, int, int, int]:
    """Four bits that no jump changes."""
    bits = []
    for a, b, c in _colours(board):
        pa, pb, pc = ((position & m).bit_count() & 1 for m in (a, b, c))
        bits += [pa ^ pb, pb ^ pc]
    return bits[0], bits[1], bits[2], bits[3]


def single_finishes(board: Board, position: int) -> list[int]:
    """The holes where one last piece could stand as far as the class tells (necessary, not sufficient)."""
    wanted = position_class(board, position)
    return [n for n in range(1, board.holes + 1) if position_class(board, bit(n)) == wanted]
