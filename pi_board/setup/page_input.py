"""What the page sends, checked: points, names and numbers; and points as the settings keep them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pi_board.errors import InvalidError
from pi_board.setup.corners import parse_corners
from pi_board.setup.settings_file import Value


def text_of_points(points: npt.ArrayLike) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in np.asarray(points))


def quad(value: Any, key: str) -> npt.NDArray[np.float64]:
    good = (
        isinstance(value, list)
        and len(value) == 4
        and all(
            isinstance(p, list)
            and len(p) == 2
            and all(isinstance(v, int | float) and not isinstance(v, bool) and abs(v) < 1e5 for v in p)
            for p in value
        )
    )
    if not good:
        raise InvalidError(f"{key}: expected four points [x, y]")
    return np.array(value, dtype=np.float64)


def plain_value(key: str, value: Any) -> Value:
    """A value of [game] from the client; ranges are checked by the settings themselves."""
    if key == "match_length":
        if isinstance(value, bool) or not isinstance(value, int):
            raise InvalidError("match_length: expected a whole number")
        return value
    if not isinstance(value, str) or len(value) > 40 or not value.isprintable() or not value.strip():
        raise InvalidError(f"{key}: expected 1 to 40 printable characters")
    return value.strip()


def saved_quad(text: str) -> npt.NDArray[np.float64] | None:
    """`corners` or `bar_edges` of the settings, None when empty. Raises InvalidError."""
    return parse_corners(text) if text else None
