"""What the tests of in-play reading share."""

from __future__ import annotations

import numpy as np
import pytest

from pi_board.vision.board.canvas import Canvas
from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.profile import load_profile


@pytest.fixture(scope="session")
def canvas() -> Canvas:
    corners = np.array([[200.0, 90.0], [760.0, 80.0], [790.0, 500.0], [170.0, 505.0]])
    return Canvas(BoardGeometry(load_profile("jumbo-travel"), corners, (960, 540)))
