"""Edges that the fit finds, and what it knows of a field without them."""

import cv2
import numpy as np
import pytest

from pi_board.vision.board.distortion import RadialDistortion
from pi_board.vision.board.pose import USUAL_FOCAL
from pi_board.vision.finding.edge_fit import skew_of, skew_spread

SIZE = (800, 600)
LENS = RadialDistortion(0.0, USUAL_FOCAL * 800, ((SIZE[0] - 1) / 2, (SIZE[1] - 1) / 2))


def seen(tilt: float, turned: float, focal: float = LENS.focal, lean: float = 0.0):
    """(4, 2) px: a field (57 by 46 cm, its far edge leaning by so many cm) seen by a camera tilted and turned by so many degrees."""
    field = np.array([[-28.5, -23 - lean], [28.5, -23 + lean], [28.5, 23 + lean], [-28.5, 23 - lean]])
    about_z, _ = cv2.Rodrigues(np.array([0.0, 0.0, np.radians(turned)]))
    about_x, _ = cv2.Rodrigues(np.array([np.radians(-tilt), 0.0, 0.0]))
    xyz = np.column_stack([field, np.zeros(4)]) @ (about_x @ about_z).T + [0.0, 0.0, 90.0]
    return xyz[:, :2] / xyz[:, 2:] * focal + np.array(LENS.centre)


@pytest.mark.parametrize(("tilt", "turned"), [(0, 0), (0, 20), (30, 0), (40, 15)])
def test_a_field_is_a_rectangle_from_wherever_it_is_seen(tilt, turned):
    assert abs(float(skew_of(seen(tilt, turned)[None], np.array(LENS.centre), LENS.focal)[0])) < 1e-6


def test_ends_that_lean_make_none():
    leaning = seen(4, 5, lean=1.0)
    assert abs(float(skew_of(leaning[None], np.array(LENS.centre), LENS.focal)[0])) > 5 * skew_spread(
        leaning, LENS
    )


@pytest.mark.parametrize("focal", [0.65, 1.5])
def test_what_a_focal_length_that_nobody_knows_does_is_allowed_for(focal):
    quad = seen(40, 15, LENS.focal * focal)
    assert abs(float(skew_of(quad[None], np.array(LENS.centre), LENS.focal)[0])) < skew_spread(quad, LENS)
