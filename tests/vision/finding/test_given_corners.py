"""The bar and the lens of a board whose corners are known."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from pi_board.vision.board.distortion import RadialDistortion
from pi_board.vision.finding import given_corners
from pi_board.vision.finding.given_corners import fit_bar
from tests.vision.simulated_board import SimulatedBoard


@pytest.mark.parametrize("k1", [-0.03, -0.3], ids=["a usual lens", "a wide one"])
def test_the_points_tell_how_the_lens_bends(k1: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who taps the corners in the picture of a wide camera gets the board that lies in it: its bar, and straight rows."""
    board = SimulatedBoard("travel", seed=4)
    image, corners, truth = board.frame().image, board.corners(), board.reader().geometry
    height, width = image.shape[:2]
    # (It is bent besides as the simulator's own lens does.)
    lens = RadialDistortion(k1, 0.7 * width, ((width - 1) / 2, (height - 1) / 2))
    grid = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).astype(np.float64)
    bent = cv2.remap(image, *np.moveaxis(lens.straighten(grid).astype(np.float32), 2, 0), cv2.INTER_LINEAR)
    assert truth is not None
    half, top = truth.profile.bar_width / 2, truth.profile.field_height / 2
    bar = lens.bend(truth.project([(-half, top), (half, top), (half, -top), (-half, -top)]))

    def most_off() -> float:
        found = fit_bar(bent, lens.bend(corners))
        return np.inf if found.bar_edges is None else float(np.abs(found.bar_edges - bar).max())

    assert most_off() < 0.005 * width
    monkeypatch.setattr(given_corners, "LENSES", given_corners.OtherLenses(k1=()))
    assert (most_off() < 0.005 * width) == (k1 > -0.2), "a strong one is not found from a usual one"
