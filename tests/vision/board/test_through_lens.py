from dataclasses import replace

import numpy as np
import pytest

from pi_board.vision.board.distortion import RadialDistortion
from pi_board.vision.board.through_lens import geometry_through
from tests.vision.drawn_board import PROFILE, flat_board, photograph

SIZE = (960, 720)
W, H = PROFILE.field_width / 2, PROFILE.field_height / 2
#: The middles of the field's ends, which a lens moves farther out than its corners.
MIDDLES = np.array([[0.0, H], [0.0, -H], [W / 2, H], [-W / 2, -H]])


def lens(k1):
    return replace(RadialDistortion.for_picture(np.zeros((SIZE[1], SIZE[0], 3), np.uint8)), k1=k1)


@pytest.mark.parametrize("k1", [-0.2, -0.35])
def test_the_ends_of_a_field_are_curved_as_the_lens_curves_them(k1):
    _, truth = photograph(flat_board(), size=SIZE, tilt=6, distance=40)
    straight = geometry_through(None, PROFILE, truth, SIZE)
    bent = lens(k1)
    g = geometry_through(bent, PROFILE, bent.bend(truth), SIZE)
    where = bent.bend(straight.project(MIDDLES))
    assert np.abs(g.project(MIDDLES) - where).max() < 0.6
    pinhole = geometry_through(None, PROFILE, bent.bend(truth), SIZE)
    assert np.abs(pinhole.project(MIDDLES) - where).max() > 3
    assert np.abs(g.unproject(where) - MIDDLES).max() < 0.05


@pytest.mark.parametrize("k1", [-0.03, -0.1, 0.05])
def test_a_lens_that_hardly_bends_is_none(k1):
    _, truth = photograph(flat_board(), size=SIZE, tilt=6)
    assert geometry_through(lens(k1), PROFILE, truth, SIZE).distortion is None
