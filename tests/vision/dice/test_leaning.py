"""From which probability on a die counts as cocked, by what it could lean on."""

import numpy as np
import pytest

from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.dice.leaning import NEVER, least_leaning
from pi_board.vision.profile import load_profile

PROFILE = load_profile("generic")
GEOMETRY = BoardGeometry(PROFILE, [[100, 60], [540, 60], [540, 420], [100, 420]], (640, 480))
W, H, BAR, DIE = PROFILE.field_width / 2, PROFILE.field_height / 2, PROFILE.bar_width / 2, PROFILE.die_size
NONE = np.zeros((0, 2))


def asked(place, checkers=NONE, others=NONE):
    return least_leaning(np.array(place), np.array(checkers), np.array(others), GEOMETRY)


@pytest.mark.parametrize(
    "at",
    [
        lambda edges: (W - edges * DIE, 0.3 * H),
        lambda edges: (edges * DIE - W, 0.3 * H),
        lambda edges: (0.5 * W, H - edges * DIE),
        lambda edges: (0.5 * W, edges * DIE - H),
        lambda edges: (BAR + edges * DIE, 0.0),
        lambda edges: (-BAR - edges * DIE, 0.0),
    ],
    ids=["right", "left", "far", "near", "bar's right", "bar's left"],
)
def test_the_nearer_a_wall_the_less_must_be_seen(at):
    # A flat die's middle is half an edge from the wall at least.
    within, touching, beside, apart = (asked(at(edges)) for edges in (0.2, 0.6, 1.0, 1.5))
    assert within < touching < beside < 1 < apart == NEVER


def test_a_die_that_may_touch_another_needs_as_much_as_one_beside_a_wall():
    place = np.array([0.5 * W, 0.0])
    assert asked(place) == NEVER
    assert asked(place, others=[(0.5 * W + 1.1 * DIE, 0.0)]) == asked((W - DIE, 0.0))


def test_a_known_checker_goes_before_the_wall():
    place = np.array([W - 0.6 * DIE, H - 3.0])
    beside = place - np.array([0.9 * PROFILE.checker_diameter, 0])
    upon = place - np.array([0.2 * PROFILE.checker_diameter, 0])
    assert asked(place, [upon]) < asked(place, [beside])
    assert asked(place, [beside]) == asked((0.5 * W, 0.0), [(0.5 * W - 0.9 * PROFILE.checker_diameter, 0.0)])


def test_no_die_leans_on_a_checker_that_it_cannot_reach():
    place = np.array([0.5 * W, 0.0])
    touching, apart, far = (
        asked(place, [place - np.array([PROFILE.checker_diameter / 2 + edges * DIE, 0])])
        for edges in (0.7, 1.0, 1.3)
    )
    assert touching < apart == asked((W - DIE, 0.0)) < far == NEVER
