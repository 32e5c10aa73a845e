"""What the small display shows at each moment: one screen, drawn to a picture (pure).

People look sooner than they read: what was played against the rules, what is expected and what is advised is drawn on a board. Such a
screen has several faces (the picture, the words), which the button `next` turns.
"""

from pi_board.panel.screens.advice import cube_words
from pi_board.panel.screens.layout import draw, lay_out
from pi_board.panel.screens.showing import (
    COACH_SECONDS,
    HINT_SECONDS,
    MENU_SECONDS,
    PAGES,
    Showing,
    faces,
)
from pi_board.panel.screens.verdict import reason_of

__all__ = [
    "COACH_SECONDS",
    "HINT_SECONDS",
    "MENU_SECONDS",
    "PAGES",
    "Showing",
    "cube_words",
    "draw",
    "faces",
    "lay_out",
    "reason_of",
]
