"""The closer look at long points: where the strip lies, what a second layer does, how many are counted."""

from __future__ import annotations

import numpy as np
import pytest

from pi_board.vision.checkers import stacks
from pi_board.vision.checkers.stacks import LEAST, OUTSIDE, STRIP_H, STRIP_PITCH, STRIP_W, BoardView
from pi_board.vision.training.stack_samples import strips_of

WIDTH, HEIGHT, BAR, THICK = 26.0, 24.0, 2.0, 0.6


def camera(tilt: float = 0.0, distance: float = 50.0):
    """A pinhole above mid-field, tilted towards the near player, 1000 px focal length."""
    c, s = np.cos(np.radians(tilt)), np.sin(np.radians(tilt))
    rotation = np.array([[1, 0, 0], [0, -c, -s], [0, s, -c]])  # board (y up, z to the camera) -> camera

    def project(xyz):
        p = np.asarray(xyz, float) @ rotation.T + (0, 0, distance)
        return p[:, :2] / p[:, 2:] * 1000 + 500

    return project


def board(tilt: float = 0.0) -> BoardView:
    return BoardView(camera(tilt), WIDTH, HEIGHT, BAR, THICK)


@pytest.mark.parametrize("far", [True, False])
@pytest.mark.parametrize("column", [0, 5, 6, 11])
def test_strip_lies_on_its_point(column: int, far: bool) -> None:
    b = board(20)
    u, v = stacks.strip_map(b, column, far)
    assert u.shape == v.shape == (STRIP_H, STRIP_W)
    # The middle of the fourth place from the edge, at the height of the checkers' tops.
    y = (HEIGHT / 2 - 3.5 * b.pitch) * (1 if far else -1)
    wanted = b.project(np.array([[b.column_x(column), y, THICK]]))[0]
    row, middle = OUTSIDE + round(3.5 * STRIP_PITCH), STRIP_W // 2
    got = [
        u[row - 1 : row + 1, middle - 1 : middle + 1].mean(),
        v[row - 1 : row + 1, middle - 1 : middle + 1].mean(),
    ]
    assert np.allclose(got, wanted, atol=0.3)


def test_columns_are_symmetric_about_the_bar() -> None:
    b = board()
    assert b.column_x(5) == pytest.approx(-BAR / 2 - b.pitch / 2)
    assert [b.column_x(c) for c in range(12)] == pytest.approx([-b.column_x(11 - c) for c in range(12)])


def test_lift_points_away_from_the_camera() -> None:
    """Seen from straight above, what is higher moves outwards; a tilted camera adds its slant to every place."""
    for far in (True, False):
        left, right = stacks.lift(board(), 0, far), stacks.lift(board(), 11, far)
        assert left[0, 0] < 0 < right[0, 0]
        assert left[:, 0] == pytest.approx(-right[:, 0])
        assert left[0, 1] < left[1, 1] < 0.5  # towards the edge of the board, less so near the middle
    flat, tilted = stacks.lift(board(), 6, True), stacks.lift(board(25), 6, True)
    # The camera has moved towards the near player, so what is higher moves to the far edge.
    assert (tilted[:, 1] < flat[:, 1] - 5).all()
    assert (stacks.lift(board(25), 6, False)[:, 1] > stacks.lift(board(), 6, False)[:, 1] + 5).all()


def test_thickness_moves_the_next_layer_in_proportion() -> None:
    thin = stacks.lift(BoardView(camera(25), WIDTH, HEIGHT, BAR, 0.3), 3, True)
    thick = stacks.lift(BoardView(camera(25), WIDTH, HEIGHT, BAR, 0.6), 3, True)
    assert thick == pytest.approx(2 * thin, rel=0.03)


def test_large_pictures_are_smoothed_not_aliased() -> None:
    """A fine checkerboard on a picture three times the strip's resolution must come out grey."""
    project = camera()
    big = BoardView(lambda xyz: project(xyz) * 4, WIDTH, HEIGHT, BAR, THICK)
    fine = np.indices((4000, 4000)).sum(0) % 2 * 255
    picture = np.repeat(fine[..., None], 3, 2).astype(np.uint8)
    assert stacks.cut_strip(picture, big, 4, True).std() < 25


def test_board_beyond_the_picture_gives_a_strip_all_the_same() -> None:
    strip = stacks.cut_strip(np.full((120, 120, 3), 90, np.uint8), board(), 11, False)
    assert strip.shape == (STRIP_H, STRIP_W, 3) and strip.dtype == np.uint8


def test_mirror_image_has_the_same_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a strip is not plain, since both are looked at."""
    monkeypatch.setattr(stacks, "PLAIN", np.inf)
    strip, lifted, _, _ = strips_of(np.random.default_rng(3))[0]
    a = stacks.count_stack(strip, lifted)
    b = stacks.count_stack(np.ascontiguousarray(strip[:, ::-1]), lifted * (-1, 1))
    assert np.allclose(a[LEAST:], b[LEAST:], atol=1e-3)
    assert np.isneginf(a[:LEAST]).all()


def test_counts_drawn_stacks() -> None:
    """Boards that training never saw, dim and blurred ones among them: far better than always the commonest count."""
    rows = [r for seed in range(4) for r in strips_of(np.random.default_rng(seed))]
    truth = np.array([n for *_, n, _ in rows])
    counted = np.array([int(np.argmax(stacks.count_stack(strip, lifted))) for strip, lifted, *_ in rows])
    assert len(truth) > 40
    assert np.mean(counted == truth) > 0.5 > 0.1 + np.bincount(truth).max() / len(truth)


def test_training_goes_on_from_shipped_weights() -> None:
    torch = pytest.importorskip("torch", reason="torch is only needed for training (extra `train`)")
    from pi_board.vision.training.stack_train import StackNetwork

    torch.manual_seed(1)
    net, w = StackNetwork(), stacks.load_weights()
    net.restore(w, torch.randn(3, 5, STRIP_H, STRIP_W))
    kept = net.arrays()
    assert set(kept) == set(w) - {"prior"}
    for name, array in kept.items():
        np.testing.assert_allclose(array, w[name], atol=1e-5, err_msg=name)
