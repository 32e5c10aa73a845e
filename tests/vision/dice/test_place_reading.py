"""Which place a reading is taken from: tops, and sides that were taken for tops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pi_board.vision.dice import place_reading
from pi_board.vision.dice.found import Found

#: The camera looks on the board from below in the picture.
SLANT = np.array([-0.09, 0.58])


def die(x: float, y: float, edge: float) -> Found:
    return Found("die", x, y, edge, 0.6)


FRONT, HIND, BOTH = die(252.5, 153.0, 16.4), die(255.9, 129.2, 15.5), die(252.9, 144.8, 21.2)
NEARLY = die(252.9, 143.5, 21.2)


@pytest.mark.parametrize(
    ("others", "where"), [([HIND], FRONT), ([], BOTH), ([die(252.9, 145.0, 16.0)], BOTH)]
)
def test_of_two_dice_that_touch_none_is_moved_half_over_the_other(
    monkeypatch: pytest.MonkeyPatch, others: list[Found], where: Found
) -> None:
    """The hind one's side and the front one's top look like one large face (`bench campaign --seed 1650021`). Where no other die
    lies, or the same top was found by itself, the face that was found is a side."""

    def glance(picture: Any, seen: Any, places: list[Found]) -> tuple[np.ndarray, list[Found]]:
        # (At the second glance it lies a little nearer.)
        return np.full(len(places), 0.05), [BOTH if NEARLY in places else NEARLY] * len(places)

    monkeypatch.setattr(place_reading, "_glance", glance)
    picture: Any = None
    assert place_reading._behind(picture, picture, [FRONT], [SLANT], [FRONT, *others]) == [where]
