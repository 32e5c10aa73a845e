"""Draws the golden pictures of the small display: python -m tests.panel.make_screens. Look at them before committing."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from pi_board.panel.language import load_language
from pi_board.panel.screens import draw
from tests.panel.scenes import SCENES

GAP = 2
FOLDER = Path(__file__).resolve().parent / "screens"
#: name, size, colour, language
KINDS = (
    ("oled", (128, 64), False, "en"),
    ("oled_de", (128, 64), False, "de"),
    ("lcd", (240, 240), True, "en"),
    ("lcd_de", (240, 240), True, "de"),
)


def sheet(kind: str) -> Image.Image:
    """All screens of one kind side by side, five in a row, in the order of SCENES, a light line between them."""
    _, size, colour, code = next(k for k in KINDS if k[0] == kind)
    rows = -(-len(SCENES) // 5)
    mode = "RGB" if colour else "1"
    step = size[0] + GAP, size[1] + GAP
    picture = Image.new(mode, (5 * step[0] - GAP, rows * step[1] - GAP), 0xFFFFFF if colour else 1)
    for i, showing in enumerate(SCENES.values()):
        screen = draw(showing, load_language(code), size, colour=colour)
        assert screen.mode == mode and screen.size == size
        picture.paste(screen, (i % 5 * step[0], i // 5 * step[1]))
    return picture


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, *_ in KINDS:
        sheet(name).save(FOLDER / f"{name}.png", optimize=True)
