"""The derivative by finite differences."""

import numpy as np
import pytest

from pi_board.vision.board.jacobian import jacobian_at_once


@pytest.mark.parametrize("free", [None, 2])
def test_each_free_parameter_is_moved_by_its_own_step(free):
    slopes = np.array([[1.0, -2, 3], [0, 4, 0.5], [2, 2, 2], [1, 0, -1]])
    values, derivative = jacobian_at_once(
        lambda many: many @ slopes.T, np.array([1.0, 2, 3]), np.array([0.5, 0.25, 2]), free
    )
    assert np.allclose(values, slopes @ [1, 2, 3])
    assert np.allclose(derivative, slopes[:, :free])
