import cv2
import numpy as np
import pytest

from pi_board.vision.finding.colour_search import places_by_colours, turns_of_colour
from pi_board.vision.finding.edge_picture import EdgePicture
from pi_board.vision.finding.pattern import apply, unit_homographies
from tests.vision.drawn_board import flat_board, photograph, share_of_width
from tests.vision.simulated_board import SimulatedBoard


@pytest.fixture(scope="module")
def veneer():
    """(picture, corners): stripes finer than points all over the board."""
    board = flat_board(power=2.2)
    board[:, ::6] = np.clip(board[:, ::6].astype(int) + 60, 0, 255)
    board[:, 1::6] = np.clip(board[:, 1::6].astype(int) + 60, 0, 255)
    return photograph(board, size=(640, 480), tilt=8, azimuth=20, roll=2)


def test_colours_take_turns_where_the_points_lie_and_not_between_the_rows(veneer):
    picture, corners = veneer
    colours = cv2.GaussianBlur(picture, (0, 0), 3).astype(np.float32)
    unit = np.array([[-0.5, 0.34], [0.5, 0.34], [0.5, 0.66], [-0.5, 0.66]])
    between = apply(unit_homographies(corners[None]), unit)
    there, elsewhere = turns_of_colour(colours, np.concatenate([corners[None], between]))
    assert there > 0.5 and elsewhere < there / 2


@pytest.mark.parametrize("shown", ["veneer", "checkers"])
def test_a_board_is_among_the_first_places(veneer, shown):
    if shown == "veneer":
        picture, corners = veneer
    else:
        board = SimulatedBoard("wood", seed=7)
        picture, corners = board.frame().image, board.corners()
    places = places_by_colours(EdgePicture(picture))
    assert min(share_of_width(place, corners) for place in places[:3]) < 0.09


def test_an_empty_picture_has_no_place():
    picture = np.full((480, 640, 3), 90, np.uint8)
    assert turns_of_colour(picture.astype(np.float32), np.zeros((0, 4, 2))).shape == (0,)
    assert places_by_colours(EdgePicture(picture)).shape[1:] == (4, 2)
