"""Clouds that pass the window."""

from __future__ import annotations

import numpy as np
import pytest

from pi_board.errors import InvalidSettingsError
from pi_board.simulator import SimulatedTable, SimulatorOptions
from pi_board.simulator.sky import MODEL, Sky, sky_number


def test_clouds_take_and_give_no_more_than_people_put_up_with() -> None:
    for number in range(30):
        gains = [Sky(number).gain(t) for t in np.arange(0.0, 600.0, 2.0)]
        assert 1 - 2 * MODEL.depth[1] <= min(gains) < 1 < max(gains) <= 1 + 2 * MODEL.depth[1]
        assert gains == [Sky(number).gain(t) for t in np.arange(0.0, 600.0, 2.0)]


def test_the_room_is_as_bright_as_its_sky() -> None:
    plain = {"seed": 3, "width": 320, "height": 180, "noise": 0.0}
    steady, cloudy = (SimulatedTable(SimulatorOptions(**plain, **more)) for more in ({}, {"sky": "drawn-3"}))
    ratios = []
    for _ in range(120):
        one, other = steady.next_frame(), cloudy.next_frame()
        assert one is not None and other is not None
        ratios.append(float(other.image.mean() / one.image.mean()))
    assert max(ratios) > 1.01 * min(ratios)


@pytest.mark.parametrize("name", ["", "drawn", "blue"])
def test_any_other_name_is_refused(name: str) -> None:
    with pytest.raises(InvalidSettingsError, match="sky: expected steady or drawn-N"):
        sky_number(name)
    with pytest.raises(InvalidSettingsError, match="sky: expected steady or drawn-N"):
        SimulatorOptions(sky=name)
