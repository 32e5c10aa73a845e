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


def numeric_jacobian(
    residuals: Callable[[Floats], Floats], theta: Floats, at_theta: Floats, steps: Floats
) -> Floats:
    """(N, P) d residuals / d theta for the first P = len(steps) parameters; at_theta: (N,) residuals(theta)."""
    jacobian = np.empty((len(at_theta), len(steps)))
    for i, step in enumerate(steps):
        moved = theta.copy()
        moved[i] += step
        jacobian[:, i] = (residuals(moved) - at_theta) / step
    return jacobian


def jacobian_at_once(
    residuals: Callable[[Floats], Floats], theta: Floats, steps: Floats
) -> tuple[Floats, Floats]:
    """((N,) residuals at theta, (N, P) their derivative) of `residuals` that takes many parameter vectors (M, P) and gives (M, N): one
    pass over arrays is much quicker than one for every parameter."""
    values = residuals(np.concatenate([theta[None], theta + np.diag(steps)]))
    return values[0], ((values[1:] - values[0]) / steps[:, None]).T
