"""What searches and fits share of a picture."""

import numpy as np
import pytest

from pi_board.vision.finding import edge_picture
from pi_board.vision.finding.edge_picture import EdgePicture
from pi_board.vision.finding.find_board import find_board
from tests.vision.drawn_board import flat_board, photograph, share_of_width


@pytest.fixture(scope="module", params=[0.0, 20.0], ids=["upright", "turned"])
def photo(request):
    """(picture, true corners, degrees by which it is turned)."""
    return *photograph(flat_board(), size=(800, 600), tilt=8, roll=request.param), request.param


def test_a_turned_board_lies_upright_in_one_of_its_views(photo):
    picture, corners, roll = photo
    views = EdgePicture(picture).turned
    assert bool(views) == bool(roll)
    for view, back in views[:1]:
        middle = np.array([view.image.shape[1], view.image.shape[0]]) / 2
        assert np.abs(back[:, :2] @ middle + back[:, 2] - (400, 300)).max() < 2
        top = corners[1] - corners[0]
        upright = np.linalg.inv(back[:, :2]) @ top
        assert abs(upright[1]) < 0.1 * abs(upright[0])


def test_edges_and_lines_of_one_picture_are_worked_out_once(photo, monkeypatch):
    picture, corners, _ = photo
    asked = []
    for name in ("segments", "edge_tensor"):
        work = getattr(edge_picture, name)
        monkeypatch.setattr(
            edge_picture,
            name,
            lambda image, _work=work, _name=name, **how: (
                asked.append((_name, image.tobytes())),
                _work(image, **how),
            )[1],
        )
    assert share_of_width(find_board(picture).corners, corners) < 0.02
    assert len(asked) == len(set(asked)) >= 2
