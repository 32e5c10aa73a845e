"""Targets of the finder's training: hottest where a thing is, and a thing's own values around it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pi_board.vision import convolutions

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


def test_learns_from_two_files_and_keeps_a_part_of_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(1)
    for name, count in (("drawn", 60), ("traced", 40)):
        table = np.zeros((count, 10, 5), np.float32)
        table[:, 0] = 1, 60, 60, 12, 0
        images = rng.integers(0, 255, (count, 128, 128, 3), dtype=np.uint8)
        np.savez(
            tmp_path / name, images=images, labels=table.reshape(count, -1), number=np.arange(count) // 2
        )
    out = tmp_path / "out.npz"
    finder_train.learn(tmp_path / "drawn.npz", out, 0.1, 1e-4, afresh=False, also=tmp_path / "traced.npz")
    said = capsys.readouterr().out
    # The handfuls 0 and 20 of the first and 0 of the second are for proof.
    assert "out: 56 samples, 38 traced" in said
    assert "end traced: loss" in said
    assert convolutions.Network(str(out)).layers


def test_no_time_is_refused() -> None:
    net = torch.nn.Linear(1, 1)
    with pytest.raises(ValueError, match="no time"):
        in_time.trained(net, lambda: net(torch.ones(1)).sum(), 1e-3, -5.0, "net")
