"""Arms that sway and sink: always the same way, and no further than a player would put up with."""

from __future__ import annotations

import numpy as np
import pytest

from pi_board.errors import InvalidSettingsError
from pi_board.simulator import SimulatedTable, SimulatorOptions
from pi_board.simulator.arm import MODEL, Arm, Sway, arm_number
from pi_board.simulator.things import Checker, Die, as_matrix


def thrown(x: float) -> list[Die]:
    return [Die("light", 3, x, 0.0, 0.5, as_matrix(np.eye(3)), 1.0)]


def after_a_throw(number: int) -> list[Sway]:
    """Of every twentieth of a second for two seconds after dice were thrown."""
    arm = Arm(number, 1.0)
    arm.feel([], {}, 9.9)
    arm.feel(thrown(1.0), {}, 10.0)
    return [arm.sway(10.0 + i / 20) for i in range(41)]


def test_a_number_is_always_the_same_arm_and_another_one_is_another() -> None:
    assert after_a_throw(7) == after_a_throw(7) != after_a_throw(8)


def test_a_throw_makes_it_sway_for_a_while() -> None:
    most = []
    for number in range(40):
        swaying = after_a_throw(number)
        still = Arm(number, 1.0).sway(10.0)
        off = [np.hypot(s.dx - still.dx, s.dy - still.dy) for s in swaying]
        assert max(off[:20]) <= MODEL.knock[1] and off[-1] <= max(off)
        assert max(s.smear for s in swaying) > 0
        most.append(max(off))
    assert min(most) < 0.3 < 2.0 < max(most)


def test_a_checker_that_is_set_down_knocks_less_than_a_throw() -> None:
    def most(dice: list[Die], places: dict[tuple[str, int], list[Checker]]) -> float:
        arm = Arm(3, 1.0)
        arm.feel([], {("point", 1): []}, 9.9)
        arm.feel(dice, places, 10.0)
        return max(arm.sway(10.0 + i / 20).smear for i in range(20))

    lightly = most([], {("point", 1): [Checker("light", 0.0, 0.0, 0.0)]})
    assert lightly == pytest.approx(MODEL.lightly * most(thrown(1.0), {("point", 1): []}))


def test_it_sinks_all_evening_and_no_further_than_it_may() -> None:
    for number in range(40):
        arm = Arm(number, 1.0)
        sunk = [np.hypot(arm.sway(t).dx, arm.sway(t).dy) for t in (0.0, 60.0, 600.0, 6000.0)]
        assert sunk == sorted(sunk) and sunk[0] == 0.0
        assert sunk[-1] <= MODEL.sinks[2]
        assert abs(arm.sway(6000.0).degrees) <= MODEL.turns[1]


def test_a_picture_moves_with_it() -> None:
    image = np.zeros((60, 80, 3), np.uint8)
    image[20:30, 20:30] = 200
    assert Sway().moved(image) is image
    assert (Sway(dx=5.0, dy=3.0).moved(image)[23:33, 25:35] == 200).all()
    assert Sway(smear=4.0).moved(image)[25, 19].max() > 0


def test_a_table_sways_as_its_options_say() -> None:
    plain = {"seed": 3, "width": 320, "height": 180, "noise": 0.0}
    tables = [SimulatedTable(SimulatorOptions(**plain, **more)) for more in ({}, {"arm": "drawn-3"})]
    differ = []
    for _ in range(30):
        stiff, swaying = (table.next_frame() for table in tables)
        assert stiff is not None and swaying is not None and stiff.time == swaying.time
        differ.append(bool((stiff.image != swaying.image).any()))
    assert not differ[0] and any(differ)


@pytest.mark.parametrize("name", ["", "drawn", "gooseneck"])
def test_any_other_name_is_refused(name: str) -> None:
    with pytest.raises(InvalidSettingsError, match="arm: expected stiff or drawn-N"):
        arm_number(name)
    with pytest.raises(InvalidSettingsError, match="arm: expected stiff or drawn-N"):
        SimulatorOptions(arm=name)
