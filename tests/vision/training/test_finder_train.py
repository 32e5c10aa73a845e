"""Targets of the finder's training: hottest where a thing is, and a thing's own values around it."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from pi_board.vision.training import finder_train, in_time  # noqa: E402


def test_targets_of_a_die_and_a_cube() -> None:
    table = torch.zeros(1, 10, 5)
    table[0, 0] = torch.tensor([1.0, 21.5, 41.5, 12.0, 1.0])
    table[0, 1] = torch.tensor([2.0, 82.5, 101.5, 24.0, 0.0])
    heat, values, mask = finder_train.targets(table.reshape(1, -1), 32)
    assert heat[0, 0, 10, 5] == 1 and heat[0, 1, 25, 20] == 1
    assert heat[0, 0, 25, 20] < 0.01 and heat[0, 1, 10, 5] < 0.01
    assert values[0, :, 10, 5].tolist() == pytest.approx([0.0, 0.0, 0.0, 1.0])
    assert values[0, :, 25, 20].tolist() == pytest.approx([0.25, 0.0, np.log(2), 0.0])
    assert mask[0, 0, 10, 5] == 1 and mask[0, 0, 0, 0] == 0


def test_no_time_is_refused() -> None:
    net = torch.nn.Linear(1, 1)
    with pytest.raises(ValueError, match="no time"):
        in_time.trained(net, lambda: net(torch.ones(1)).sum(), 1e-3, -5.0, "net")
