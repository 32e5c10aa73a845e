from dataclasses import replace

import cv2
import numpy as np
import pytest

from pi_board.errors import AmbiguousError
from pi_board.vision.finding.find_board import find_board, register_by_markers
from pi_board.vision.finding.markers import (
    DICTIONARY,
    MARKER_SIZE,
    MarkerLayout,
    standard_layout,
)
from tests.vision.drawn_board import AROUND, PROFILE, PX, flat_board, photograph

FLAT = replace(PROFILE, board_thickness=0.0)  # the drawn board is as thin as paper


def lay(flat, layout, ids=(0, 1, 2, 3)):
    out = flat.copy()
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    for i in ids:
        x, y = layout.corners[i][0]
        left = round((x + FLAT.field_width / 2 + AROUND) * PX)
        top = round((FLAT.field_height / 2 + AROUND - y) * PX)
        n = round(MARKER_SIZE * PX)
        out[top - 12 : top + n + 12, left - 12 : left + n + 12] = 245
        out[top : top + n, left : left + n] = cv2.aruco.generateImageMarker(dictionary, i, n)[..., None]
    return out


@pytest.mark.parametrize("ids", [(0, 1, 2, 3), (0, 2), (1, 2, 3)])
def test_markers_alone_place_the_board(ids):
    picture, truth = photograph(lay(flat_board(FLAT), standard_layout(FLAT), ids), FLAT, tilt=15, distance=70)
    found = register_by_markers(picture, FLAT, refine=False)
    error = np.linalg.norm(found.corners - truth, axis=1).max() / np.linalg.norm(truth[1] - truth[0])
    assert error < 0.015
    assert found.how == "markers"


def test_cards_laid_wrongly_are_corrected_by_the_board():
    layout = standard_layout(FLAT)
    crooked = MarkerLayout({k: v + np.array([0.6, -0.5]) for k, v in layout.corners.items()})
    picture, truth = photograph(lay(flat_board(FLAT), crooked), FLAT, size=(960, 720), distance=70)
    found = register_by_markers(picture, FLAT)
    assert np.linalg.norm(found.corners - truth, axis=1).max() < 0.01 * np.linalg.norm(truth[1] - truth[0])


def test_a_board_with_markers_is_found_by_them():
    picture, truth = photograph(
        lay(flat_board(FLAT), standard_layout(FLAT)), FLAT, size=(960, 720), distance=70
    )
    found = find_board(picture, FLAT)
    assert found.how == "markers"
    assert np.linalg.norm(found.corners - truth, axis=1).max() < 0.01 * np.linalg.norm(truth[1] - truth[0])


def test_cards_that_lie_anywhere_leave_the_board_to_itself():
    anywhere = MarkerLayout({k: v + np.array([3.0, -2.5]) for k, v in standard_layout(FLAT).corners.items()})
    picture, truth = photograph(lay(flat_board(FLAT), anywhere), FLAT, size=(960, 720), distance=74)
    found = find_board(picture)
    assert found.how == "found"
    assert np.linalg.norm(found.corners - truth, axis=1).max() < 0.01 * np.linalg.norm(truth[1] - truth[0])


def test_refusals_say_what_is_missing():
    bare, _ = photograph(flat_board(FLAT), FLAT)
    with pytest.raises(AmbiguousError, match=r"at least two of .0, 1, 2, 3. in view, found"):
        register_by_markers(bare, FLAT)
    swapped = standard_layout(FLAT).corners
    swapped = MarkerLayout({0: swapped[1], 1: swapped[0], 2: swapped[2], 3: swapped[3]})
    picture, _ = photograph(lay(flat_board(FLAT), standard_layout(FLAT)), FLAT, distance=70)
    with pytest.raises(AmbiguousError, match="do not lie as the layout says"):
        register_by_markers(picture, FLAT, swapped)
