"""Cameras that hang anyhow: always the same way, and with the whole board in the picture."""

from __future__ import annotations

import numpy as np
import pytest

from pi_board.errors import InvalidSettingsError
from pi_board.simulator import SimulatorOptions
from pi_board.simulator.game import make_table
from pi_board.simulator.lens import Projection
from pi_board.simulator.mount import drawn_pose, mount_number
from pi_board.simulator.style import STYLES


def test_a_number_is_always_the_same_pose_and_another_one_is_another() -> None:
    extent = STYLES["wood"].extent
    assert drawn_pose(7, 10.0, (1280, 720), extent) == drawn_pose(7, 10.0, (1280, 720), extent)
    assert drawn_pose(7, 10.0, (1280, 720), extent) != drawn_pose(8, 10.0, (1280, 720), extent)


@pytest.mark.parametrize("size", [(640, 480), (1280, 720), (1920, 1080)])
@pytest.mark.parametrize("style", sorted(STYLES))
def test_the_whole_frame_is_in_the_picture(style: str, size: tuple[int, int]) -> None:
    rolls, fills = [], []
    for number in range(40):
        extent = STYLES[style].extent
        pose = drawn_pose(number, number % 32, size, extent)
        x, y = extent[0] / 2, extent[1] / 2
        corners = Projection.looking(pose, size, extent).project(
            [(-x, -y, 0), (x, -y, 0), (x, y, 0), (-x, y, 0)]
        )
        assert corners.min() > 0
        assert (corners < size).all()
        # The lens bends no picture over itself.
        assert (np.diff(corners[[0, 1], 0]) > 0).all()
        rolls.append(pose.roll)
        fills.append(pose.fill)
    assert max(np.abs(rolls)) > 25
    assert 0.25 < min(fills) < max(fills) < 1.05


def test_the_table_hangs_its_camera_as_the_options_say() -> None:
    usual, _ = make_table(SimulatorOptions(seed=3))
    drawn, _ = make_table(SimulatorOptions(seed=3, mount="drawn-3", tilt=20))
    assert abs(usual.view.pose.roll) < 4
    assert drawn.view.pose == drawn_pose(3, 20, (1280, 720), drawn.style.extent)


@pytest.mark.parametrize("name", ["", "drawn", "drawn-", "drawn--1", "drawn-1.5", "drawn-¹", "gooseneck"])
def test_any_other_name_is_refused(name: str) -> None:
    with pytest.raises(InvalidSettingsError, match="mount: expected usual or drawn-N"):
        mount_number(name)
    with pytest.raises(InvalidSettingsError, match="mount: expected usual or drawn-N"):
        SimulatorOptions(mount=name)
