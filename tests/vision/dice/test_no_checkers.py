"""A die that lies on no checker tells that none is there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pi_board.sighting import ZERO, DieSeen
from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.board.orientation import Orientation
from pi_board.vision.dice.no_checkers import MODEL, against_checkers_under
from pi_board.vision.profile import load_profile

CORNERS = np.array([[100.0, 80], [700, 80], [700, 520], [100, 520]])
GEOMETRY = BoardGeometry(load_profile("generic"), CORNERS, (800, 600))
ORIENTATION = Orientation()
#: Three light checkers on point 8, two dark ones on point 17.
POINTS = [0] * 7 + [3] + [0] * 8 + [-2] + [0] * 7


def die_at(point: int, place: int, *, aside: float = 0.0) -> DieSeen:
    """A flat one over a place on a point; aside: checker diameters off it."""
    profile = GEOMETRY.profile
    x, y, _ = GEOMETRY.checker_place(*ORIENTATION.column_of(point), place)
    ((px, py),) = GEOMETRY.project([[x + aside * profile.checker_diameter, y, profile.die_size]])
    return DieSeen(4, 0.98, float(px), float(py), size=20.0)


@pytest.mark.parametrize(("point", "place", "most"), [(8, 2, 2), (8, 0, 0), (17, 1, 1)])
def test_a_flat_die_says_that_no_checker_lies_under_it(point: int, place: int, most: int) -> None:
    says = against_checkers_under([die_at(point, place)], POINTS, GEOMETRY, ORIENTATION)
    allowed = range(ZERO - most, ZERO + most + 1)
    assert not says[point - 1, allowed].any()
    assert (np.delete(says[point - 1], allowed) == -MODEL.against).all()
    assert not np.delete(says, point - 1, 0).any()


@pytest.mark.parametrize(
    "die",
    [
        replace(die_at(8, 1), on_checker=True, cocked=True),
        replace(die_at(8, 1), value=None),
        die_at(8, 3),
        die_at(8, 1, aside=0.5),
    ],
    ids=["on a checker", "no die for sure", "where none is seen", "beside"],
)
def test_other_dice_say_nothing(die: DieSeen) -> None:
    assert not against_checkers_under([die], POINTS, GEOMETRY, ORIENTATION).any()
    assert not against_checkers_under([], POINTS, GEOMETRY, ORIENTATION).any()
