"""A position as text: 24 points, bar, cube, dice, as the camera sees it (pure, no terminal library)."""

from __future__ import annotations

from pi_board.rules import Position, Side

LIGHT, DARK = "○", "●"  # ○ ●
DIE = " ⚀⚁⚂⚃⚄⚅"
ROWS = 5


def _cell(count: int, row: int, rows: int) -> str:
    """What a point of `count` checkers shows `row` places from the edge (the last of `rows` carries the overflow number)."""
    n, mark = abs(count), LIGHT if count > 0 else DARK
    if n <= row:
        return "   "
    if row == rows - 1 and n > rows:
        return f"{n:^3}"
    return f" {mark} "


def text_diagram(
    position: Position,
    *,
    near: Side = "light",
    home: str = "right",
    dice: tuple[int, int] | None = None,
    side: Side | None = None,
    cube: int = 1,
    cube_owner: Side | None = None,
    rows: int = ROWS,
) -> list[str]:
    """`2 * rows + 5` lines. `near` sits at the bottom and bears off to `home`, as in the picture. rows: checkers drawn one
    by one on a point, 1 or more; a number tells of those above."""
    order = list(range(1, 25)) if near == "light" else list(range(24, 0, -1))
    bottom, top = order[:12][::-1], order[12:]  # left to right
    if home == "left":
        bottom, top = bottom[::-1], top[::-1]

    def numbers(points: list[int]) -> str:
        cells = [f"{p:^3}" for p in points]
        return " " + "".join(cells[:6]) + "     " + "".join(cells[6:]) + " "

    def rule(left: str, middle: str, right: str) -> str:
        return left + "─" * 18 + middle + "─" * 3 + middle + "─" * 18 + right

    far: Side = "dark" if near == "light" else "light"
    bar = {"light": position.bar[0], "dark": -position.bar[1]}
    lines = [numbers(top), rule("┌", "┬", "┐")]

    def row_of(points: list[int], bar_count: int, row: int) -> str:
        cells = [_cell(position.points[p - 1], row, rows) for p in points]
        # Checkers on the bar wait on the opponent's half, nearest the middle of the board last.
        middle = _cell(bar_count, row, rows)
        return "│" + "".join(cells[:6]) + "│" + middle + "│" + "".join(cells[6:]) + "│"

    for row in range(rows):
        lines.append(row_of(top, bar[near], row))
    cube_text = f"{64 if cube == 1 else cube:^3}" if cube_owner is None else "   "
    rolled = f"{DIE[dice[0]]} {DIE[dice[1]]}" if dice else ""
    right_hand_of_near = side == near
    left_text = rolled if dice and side is not None and not right_hand_of_near else ""
    right_text = rolled if dice and (side is None or right_hand_of_near) else ""
    lines.append(f"│{left_text:^18}│{cube_text}│{right_text:^18}│")
    for row in reversed(range(rows)):
        lines.append(row_of(bottom, bar[far], row))
    lines += [rule("└", "┴", "┘"), numbers(bottom)]
    for owner, at in ((far, 1), (near, len(lines) - 2)):
        if cube_owner == owner:
            lines[at] += f" [{cube}]"
    off = {"light": position.off[0], "dark": position.off[1]}
    for who, at in ((far, 2), (near, len(lines) - 3)):
        if off[who]:
            lines[at] += f" {LIGHT if who == 'light' else DARK}×{off[who]} off"
    return lines
