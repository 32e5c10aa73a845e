"""The derivative of residuals by finite differences, for the two small least-squares fits of this room.

Each fit has its own loop: `pattern_fit` looks for its edges anew in every turn, `pose` is damped until it settles.
scipy's `least_squares` would be a wheel of 30 MB on a Pi in the place of these few lines.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[Any]  # float64


def jacobian_at_once(
    residuals: Callable[[Floats], Floats], theta: Floats, steps: Floats, free: int | None = None
) -> tuple[Floats, Floats]:
    """((N,) residuals at theta, (N, P) their derivative) of `residuals` that takes many parameter vectors (M, P) and gives (M, N): one
    pass over arrays is much quicker than one for every parameter. free: only of the first so many parameters."""
    steps = steps[:free]
    many = np.repeat(theta[None], len(steps) + 1, axis=0)
    each = np.arange(len(steps))
    many[each + 1, each] += steps
    values = residuals(many)
    return values[0], ((values[1:] - values[0]) / steps[:, None]).T
