"""Sets in drawn colours: always the same ones, and such as people can tell apart."""

from __future__ import annotations

import numpy as np
import pytest

from pi_board.errors import InvalidSettingsError
from pi_board.simulator.drawn_style import POINTS, SIDES, STANDS_OUT, drawn_style, style_of
from pi_board.simulator.style import STYLES


def apart(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    return float(np.abs(np.subtract(a, b)).max())


def test_a_number_is_always_the_same_set_and_another_one_is_another() -> None:
    assert drawn_style(7) == drawn_style(7) == style_of("drawn-7") != drawn_style(8)
    assert style_of("felt") is STYLES["felt"]


def test_people_can_tell_what_lies_on_a_drawn_set() -> None:
    for style in (drawn_style(n) for n in range(60)):
        assert apart(style.light, style.dark) > SIDES
        for ground in (style.field, style.triangle_a, style.triangle_b):
            assert min(apart(style.light, ground), apart(style.dark, ground)) > STANDS_OUT
        assert min(apart(style.field, style.triangle_a), apart(style.field, style.triangle_b)) > POINTS
        # Six checkers fit on a point, as on any set.
        assert style.checker_diameter < style.pitch


@pytest.mark.parametrize("name", ["", "drawn", "drawn-", "drawn--1", "drawn-1.5", "drawn-¹", "marble"])
def test_any_other_name_is_refused(name: str) -> None:
    with pytest.raises(InvalidSettingsError, match="style: expected one of travel, wood, felt or drawn-N"):
        style_of(name)
