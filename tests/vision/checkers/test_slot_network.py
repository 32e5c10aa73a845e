"""The stills network's geometry and arithmetic."""

from __future__ import annotations

import numpy as np
import pytest

from pi_board.vision.checkers import slot_network as network
from pi_board.vision.checkers.slot_network import (
    CANVAS_H,
    CANVAS_W,
    MARGIN_X,
    MARGIN_Y,
    PITCH,
    PinholeView,
    canvas_axes,
    canvas_map,
    estimate_view,
)


def camera(focal: float, tilt: float, azimuth: float, aspect: float, distance: float = 1.6) -> PinholeView:
    t, a = np.radians(tilt), np.radians(azimuth)
    forward = np.array([-np.cos(a) * np.sin(t), -np.sin(a) * np.sin(t), -np.cos(t)])
    right = np.cross(forward, [0, 1.0, 0])
    right /= np.linalg.norm(right)
    rotation = np.stack([right, np.cross(forward, right), forward])
    return PinholeView(focal, (399.5, 299.5), rotation, rotation @ (forward * distance), aspect)


def corners_of(view: PinholeView) -> np.ndarray:
    h = 0.5 / view.aspect
    return view.project(np.array([[-0.5, h, 0], [0.5, h, 0], [0.5, -h, 0], [-0.5, -h, 0]]))


@pytest.mark.parametrize(
    ("focal", "tilt", "azimuth", "aspect"), [(620, 30, -75, 1.25), (760, 25, -60, 1.2), (700, 35, -120, 1.3)]
)
def test_a_tilted_rectangle_tells_the_camera(
    focal: float, tilt: float, azimuth: float, aspect: float
) -> None:
    true = camera(focal, tilt, azimuth, aspect)
    found = estimate_view(corners_of(true), (800, 600))
    top = np.array([[0.3, 0.3, 0.02], [-0.45, -0.35, 0.02], [0.0, 0.2, 0.04]])
    assert np.abs(found.project(top) - true.project(top)).max() < 2.5


@pytest.mark.parametrize("tilt", [0, 5])
def test_from_above_the_guess_is_good_enough(tilt: float) -> None:
    true = camera(650, tilt, -90, 1.25)
    found = estimate_view(corners_of(true), (800, 600))
    top = np.array([[0.45, 0.38, 0.02], [-0.45, -0.38, 0.02]])
    assert np.abs(found.project(top) - true.project(top)).max() < 3.0


def test_canvas_axes_put_columns_and_edges_where_they_belong() -> None:
    x, y = canvas_axes(0.1)
    assert (len(x), len(y)) == (CANVAS_W, CANVAS_H)
    assert np.all(np.diff(x) > 0)
    assert np.all(np.diff(y) < 0)
    edge = (x[MARGIN_X - 1] + x[MARGIN_X]) / 2
    assert edge == pytest.approx(-0.5, abs=1e-5)
    assert (y[MARGIN_Y - 1] + y[MARGIN_Y]) / 2 == pytest.approx(0.5, abs=1e-5)
    first = (x[MARGIN_X + PITCH // 2 - 1] + x[MARGIN_X + PITCH // 2]) / 2
    assert first == pytest.approx(-0.5 + 0.9 / 24, abs=1e-5)


def test_canvas_map_is_the_projection() -> None:
    view = camera(650, 20, -70, 1.25)
    maps = canvas_map(view.project, 1.0, 0.8, 0.09, 0.02)
    x, y = canvas_axes(0.09)
    for row, column in ((0, 0), (100, 200), (311, 351), (155, 30)):
        want = view.project(np.array([[x[column], y[row] * 0.8, 0.02]]))[0]
        assert np.hypot(maps[0][row, column] - want[0], maps[1][row, column] - want[1]) < 0.3


def test_scores_are_finite_and_cells_add_up() -> None:
    canvas = np.random.default_rng(0).integers(0, 255, (CANVAS_H, CANVAS_W, 3)).astype(np.uint8)
    scores = network.score(canvas)
    assert scores.points.shape == (2, 12, 31)
    assert scores.bar.shape == (2, network.MAX_BAR + 1)
    assert np.isfinite(scores.points).all()
    assert np.isfinite(scores.bar).all()
    assert np.allclose(scores.cells.sum(axis=2), 1, atol=1e-4)
    assert ((scores.hidden >= 0) & (scores.hidden <= 1)).all()


@pytest.mark.slow
def test_numpy_and_torch_agree() -> None:
    torch = pytest.importorskip("torch", reason="torch is only needed for training (extra `train`)")
    from pi_board.vision.training.train import SlotNetwork

    torch.manual_seed(3)
    net = SlotNetwork()
    for module in net.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.running_mean.uniform_(-0.2, 0.2)
            module.running_var.uniform_(0.5, 2)
    net.eval()
    weights = {k: np.asarray(v, np.float32) for k, v in net.arrays().items()}
    weights |= {"prior.points": np.zeros(31, np.float32), "prior.bar": np.zeros(8, np.float32)}
    canvas = np.random.default_rng(1).integers(0, 255, (CANVAS_H, CANVAS_W, 3)).astype(np.uint8)
    ours = network.score(canvas, weights)
    x = torch.from_numpy(network.normalised(canvas)).permute(2, 0, 1)[None]
    with torch.no_grad():
        points, hidden, bar, cells = net(x)
    assert np.abs(points[0].log_softmax(1).numpy().reshape(2, 12, 31) - ours.points).max() < 1e-4
    assert np.abs(bar[0].log_softmax(1).numpy() - ours.bar).max() < 1e-4
    assert np.abs(hidden[0].sigmoid().numpy().reshape(2, 12) - ours.hidden).max() < 1e-4
    assert np.abs(cells[0].softmax(0).permute(1, 2, 0).numpy() - ours.cells).max() < 1e-4
