import pytest

from pi_board.errors import InvalidError
from pi_board.vision.board.orientation import Orientation, Row

# near, home → points in the bottom-left, bottom-right, top-left, top-right corner (contract "Numbering").
CORNERS = {
    ("light", "right"): (12, 1, 13, 24),
    ("dark", "right"): (13, 24, 12, 1),
    ("light", "left"): (1, 12, 24, 13),
    ("dark", "left"): (24, 13, 1, 12),
}


@pytest.mark.parametrize(("setup", "corners"), CORNERS.items())
def test_corner_points_of_the_four_set_ups(setup, corners):
    o = Orientation(*setup)
    assert (
        o.point_at(0, Row.NEAR),
        o.point_at(11, Row.NEAR),
        o.point_at(0, Row.FAR),
        o.point_at(11, Row.FAR),
    ) == corners


@pytest.mark.parametrize("setup", CORNERS)
def test_every_point_has_one_place(setup):
    o = Orientation(*setup)
    assert sorted(o.point_at(c, r) for c in range(12) for r in (Row.NEAR, Row.FAR)) == list(range(1, 25))
    assert all(o.point_at(*o.column_of(p)) == p for p in range(1, 25))


def test_right_hand_half_is_the_players_own_right():
    o = Orientation("dark", "left")
    assert (o.right_hand_half_of(3.0), o.right_hand_half_of(-3.0)) == ("dark", "light")


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Orientation("white"),
        lambda: Orientation("light", "up"),
        lambda: Orientation().point_at(12, Row.NEAR),
        lambda: Orientation().column_of(0),
        lambda: Orientation().column_of(25),
    ],
)
def test_wrong_use_is_named(wrong):
    with pytest.raises(InvalidError, match="expected"):
        wrong()
