"""What a person calls a colour."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pi_board.vision.checkers.set_colours import lab

#: CIE chroma below which a colour has no hue to speak of, and lightness (0..100) below and above which it is black, white.
_GREY, _BLACK, _WHITE = 12.0, 28.0, 68.0
#: Upper end (degrees of CIE hue) of each word, and what it is called when it is dark or pale: word, dark, pale.
_HUES = (
    (18.0, "pink", "maroon", "pink"),
    (48.0, "red", "maroon", "pink"),
    (72.0, "orange", "brown", "beige"),
    (105.0, "yellow", "olive", "cream"),
    (165.0, "green", "green", "light green"),
    (225.0, "turquoise", "petrol", "light blue"),
    (300.0, "blue", "navy", "light blue"),
    (345.0, "purple", "purple", "lilac"),
    (360.1, "pink", "maroon", "pink"),
)
#: Below this lightness a hue is dark, above the other one, with little chroma, pale.
_DARK, _PALE, _FAINT = 38.0, 72.0, 42.0


def colour_word(bgr: npt.ArrayLike) -> str:
    """A word like "red" or "black" for a BGR colour (3,), 0..255."""
    l8, a, b = lab(np.clip(np.asarray(bgr, np.float64), 0, 255).round().astype(np.uint8))
    light, chroma = float(l8) / 2.55, float(np.hypot(a - 128, b - 128))
    if chroma < _GREY or (light < _BLACK / 2 and chroma < 2 * _GREY):
        return "black" if light < _BLACK else "white" if light > _WHITE else "grey"
    hue = float(np.degrees(np.arctan2(b - 128, a - 128))) % 360
    word, dark, pale = next(names for end, *names in _HUES if hue < end)
    return dark if light < _DARK else pale if light > _PALE and chroma < _FAINT else word
