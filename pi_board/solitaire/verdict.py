"""What was physically done between two looks at the solitaire board: a jump, or which mistake."""

from __future__ import annotations

from dataclasses import dataclass

from pi_board.solitaire.board import Board, Jump, bit


@dataclass(frozen=True, slots=True)
class JumpVerdict:
    """legal; jumps: what was done (several in one sweep are found too). code: nothing_moved, diagonal, nothing_jumped,
    not_removed, removed_wrong, too_far, piece_added, piece_removed, unclear. reason: one sentence."""

    legal: bool
    jumps: tuple[Jump, ...] = ()
    code: str = ""
    reason: str = ""


#: A sweep longer than this between two looks is not looked for.
LONGEST_SWEEP = 9


def explain_jump(board: Board, before: int, after: int) -> JumpVerdict:
    """The verdict on going from `before` to `after` (positions)."""
    gone, come = before & ~after, after & ~before
    if before == after:
        return JumpVerdict(True, (), "nothing_moved", "Nothing has moved.")
    way = _sweep(board, before, after)
    if way:
        return JumpVerdict(True, way)
    left, new = _numbers(board, gone), _numbers(board, come)
    if not new:
        which = ", ".join(map(str, left))
        return JumpVerdict(False, (), "piece_removed", f"The piece on {which} was taken off without a jump.")
    if not left:
        return JumpVerdict(False, (), "piece_added", f"A piece was put on {', '.join(map(str, new))}.")
    if len(new) == 1 and len(left) <= 2:
        return _one_piece(board, before, left, new[0])
    return JumpVerdict(False, (), "unclear", "More than one piece has moved; put the last position back.")


def _one_piece(board: Board, before: int, left: list[int], end: int) -> JumpVerdict:
    jumps_here = {j.start: j for j in board.jumps if j.end == end}
    for start in left:
        (r, c), (s, d) = board.places[start - 1], board.places[end - 1]
        other = [n for n in left if n != start]
        jump = jumps_here.get(start)
        if jump is not None:
            over = jump.over
            if not before & bit(over):
                return JumpVerdict(
                    False, (), "nothing_jumped", f"{start}-{end} jumps over {over}, which is empty."
                )
            if not other:
                return JumpVerdict(
                    False, (), "not_removed", f"{start}-{end}: take the piece on {over} off the board."
                )
            if other != [over]:
                return JumpVerdict(
                    False, (), "removed_wrong", f"{start}-{end} takes {over}, but {other[0]} was taken off."
                )
        if abs(r - s) == abs(c - d) and r != s and _clean(other, (r + s) // 2, (c + d) // 2, board):
            return JumpVerdict(
                False, (), "diagonal", f"{start}-{end} is diagonal; jumps go along a row or a column."
            )
    start = left[0]
    if len(left) == 1:
        return JumpVerdict(False, (), "nothing_jumped", f"{start}-{end} jumps over nothing.")
    return JumpVerdict(False, (), "too_far", f"{left[0]} or {left[1]} cannot have reached {end} by one jump.")


def _clean(other: list[int], row: int, column: int, board: Board) -> bool:
    """Whether what was taken off besides fits a diagonal jump over (row, column)."""
    return not other or board.number.get((row, column)) in other


def _numbers(board: Board, position: int) -> list[int]:
    return [n for n in range(1, board.holes + 1) if position & bit(n)]


def _sweep(board: Board, before: int, after: int) -> tuple[Jump, ...]:
    """The jumps (of one piece first, else of several) that lead from `before` to `after`, fewest first."""
    steps = before.bit_count() - after.bit_count()
    if not 1 <= steps <= LONGEST_SWEEP:
        return ()
    touched = before ^ after

    def go(position: int, last: int, left: int, way: tuple[Jump, ...]) -> tuple[Jump, ...]:
        if not left:
            return way if position == after else ()
        # On a multiple jump, holes that look the same before and after were only passed through.
        options = board.legal(position)
        options.sort(key=lambda j: j.start != last)
        for jump in options:
            if way and jump.start != last and left > 2:
                continue
            if not touched & bit(jump.over):
                continue
            found = go(board.after(position, jump), jump.end, left - 1, (*way, jump))
            if found:
                return found
        return ()

    return go(before, 0, steps, ())
