"""Pictures for the network of slots: varied, and their truth with them."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from pi_board.vision.checkers.slot_network import CANVAS_H, CANVAS_W, STRIDE  # noqa: E402
from pi_board.vision.training.train import WITHIN, point_losses, slot_batch  # noqa: E402


def _samples(count: int) -> dict[str, torch.Tensor]:
    """Boards that are dark but for their far left quarter, where five light checkers stand on the outermost point."""
    canvas = np.full((count, CANVAS_H, CANVAS_W, 3), 40, np.uint8)
    canvas[:, : CANVAS_H // 2, : CANVAS_W // 2] = 200
    points, hidden = np.zeros((count, 2, 12), np.int8), np.zeros((count, 2, 12), np.float16)
    points[:, 0, 0], hidden[:, 0, 0] = 5, 0.5
    cells = np.zeros((count, CANVAS_H // STRIDE, CANVAS_W // STRIDE), np.uint8)
    cells[:, 0, 0] = 1
    bar = np.tile(np.array([1, 9], np.int8), (count, 1))
    sample = {"canvas": canvas, "points": points, "bar": bar, "hidden": hidden, "cells": cells}
    return {name: torch.from_numpy(v) for name, v in sample.items()}


def test_a_batch_is_what_the_network_and_its_loss_want() -> None:
    x, points, bar, hidden, cells = slot_batch(_samples(2), vary=False)
    assert x.shape == (2, 3, CANVAS_H, CANVAS_W)
    assert abs(float(x.mean())) < 0.01
    assert points.tolist()[0] == [20] + [15] * 23
    assert bar.tolist()[0] == [1, 7]  # no more than the network tells
    assert hidden[0, 0] == 0.5
    assert cells[0, 0, 0] == 1


def test_the_truth_is_mirrored_with_its_picture() -> None:
    torch.manual_seed(4)
    x, points, _, hidden, cells = slot_batch(_samples(12), vary=True)
    places = set()
    for i in range(12):
        row, column = divmod(int((points[i] == 20).nonzero()), 12)
        assert column in (0, 11)
        assert hidden[i, 12 * row + column] == 0.5
        assert cells[i, -row, -(column == 11)] == 1
        quarters = x[i].mean(0).reshape(2, CANVAS_H // 2, 2, CANVAS_W // 2).mean((1, 3))
        assert int(quarters.argmax()) == 2 * row + (column == 11)
        places.add((row, column))
    assert len(places) == 4


def test_of_four_and_more_it_counts_most_that_they_are_so_many() -> None:
    chances = torch.full((1, 24, 31), 1e-6)
    chances[0, :, 15 + 6] = 0.5
    chances[0, :, 15 + 5] = 0.25
    chances[0, :, 15 - 5] = 0.25
    for count, chance_of_many, chance in ((5, 0.75, 0.25), (6, 0.75, 0.5), (-5, 0.25, 0.25)):
        lost = point_losses(chances.log(), torch.full((1, 24), 15 + count))
        many, exact = -np.log(chance_of_many), -np.log(chance)
        assert lost[0].tolist() == pytest.approx([many + WITHIN * (exact - many)] * 24, abs=1e-3)
    few = torch.full((1, 24, 31), 1e-6)
    few[0, :, 15 + 3], few[0, :, 15 + 2] = 0.9, 0.1
    lost = point_losses(few.log(), torch.full((1, 24), 15 + 2))
    assert lost[0].tolist() == pytest.approx([-np.log(0.1)] * 24, abs=1e-3)
