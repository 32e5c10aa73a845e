"""Which place a reading is taken from: tops, and sides that were taken for tops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pi_board.vision.dice import place_reading
from pi_board.vision.dice.found import Found
from pi_board.vision.dice.pips import PipReading
from pi_board.vision.dice.place_numbers import LOST_PIP

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


def read_as(place: Found, die: float) -> place_reading.PlaceRead:
    """`place` read as a five, and as a die with the probability `die`."""
    nothing, rest = 1 - die, die * 0.002
    reading = PipReading(np.array([nothing, rest, rest, rest, rest, die * 0.99, rest], np.float32))
    return place_reading.PlaceRead(place, place, np.zeros((48, 48, 3), np.uint8), reading)


ONE = die(100.0, 100.0, 12.0)


@pytest.mark.parametrize(
    ("read", "lies", "found"),
    [
        ([read_as(ONE, 0.99)], (100.0, 113.0), True),
        ([read_as(ONE, 0.99), read_as(die(101.0, 103.0, 12.0), 0.95)], (100.0, 113.0), True),
        # Two are seen, or none surely; what is found is the one's own side, or too far away to be hidden by it.
        ([read_as(ONE, 0.99), read_as(die(160.0, 100.0, 12.0), 0.95)], (100.0, 113.0), False),
        ([read_as(ONE, 0.6)], (100.0, 113.0), False),
        ([read_as(ONE, 0.99)], (100.0, 108.0), False),
        ([read_as(ONE, 0.99)], (100.0, 122.0), False),
    ],
)
def test_a_die_that_touches_the_only_one_is_found_beside_it(
    monkeypatch: pytest.MonkeyPatch,
    read: list[place_reading.PlaceRead],
    lies: tuple[float, float],
    found: bool,
) -> None:
    """(`bench_two_dice.py`)"""

    def glance(picture: Any, seen: Any, places: list[Found]) -> tuple[np.ndarray, list[Found]]:
        near = [np.hypot(p.x - lies[0], p.y - lies[1]) < 0.8 * p.edge for p in places]
        tops = [die(*lies, p.edge) if n else p for p, n in zip(places, near, strict=True)]
        return np.where(near, 0.05, 0.95), tops

    monkeypatch.setattr(place_reading, "_glance", glance)
    monkeypatch.setattr(place_reading, "_patch", lambda *_: np.zeros((48, 48, 3), np.uint8))
    monkeypatch.setattr(place_reading, "_read_closely", lambda *_: read_as(ONE, 0.99).reading)
    picture: Any = None
    beside = place_reading._beside_the_only_one(picture, picture, read, 0.95, 0.3)
    assert [(b.place.x, b.place.y) for b in beside] == ([lies] if found else [])


@pytest.mark.parametrize(
    ("slant", "behind", "value", "chance"),
    [
        ((0.0, 0.2), (0.0, 0.02, 0.98), 1, 0.98),
        ((0.0, 0.6), (0.0, 0.98, 0.02), 1, 0.98),
        ((0.0, 0.6), (0.0, 0.02, 0.98), 2, 0.5),
        ((0.0, 0.6), (1.0, 0.0, 0.0), 1, 0.98),
    ],
    ids=["from above", "the same further back", "another further back", "no die further back"],
)
def test_a_die_seen_from_the_side_is_read_further_back_too(
    monkeypatch: pytest.MonkeyPatch, slant: tuple, behind: tuple, value: int, chance: float
) -> None:
    """Its side is as white as its top, and both look like one face."""

    def read(picture: Any, seen: Any, place: Found, least_die: float) -> PipReading:
        none, one, two = behind if place.y < 100.0 else (0.0, 0.98, 0.02)
        return PipReading(np.array([none, one, two, 0, 0, 0, 0], np.float32))

    monkeypatch.setattr(place_reading, "_read_closely", read)
    top = place_reading._read_top(None, None, Found("die", 50.0, 100.0, 12.0, 0.9), np.array(slant), 0.5)  # type: ignore[arg-type]
    assert top.chances[value - 1] == pytest.approx(chance, abs=0.01)
    assert top.die == pytest.approx(1.0)


def test_a_pip_of_a_small_die_may_not_be_seen_however_sure_the_network_is() -> None:
    reading = PipReading(np.array([0.001, 0.001, 0.001, 0.001, 0.992, 0.003, 0.001], np.float32))
    small, large = reading.chances_at(9.3), reading.chances_at(20.0)
    assert large == reading.chances
    assert small[4] > 0.03 > 0.004 > large[4]
    assert small[3] == pytest.approx(large[3] * (1 - LOST_PIP.chance))
    assert sum(small) == pytest.approx(1.0, abs=1e-5)
    assert reading.chances_at(LOST_PIP.large - 0.1)[4] < small[4]
    six = PipReading(np.array([0.0, 0.001, 0.001, 0.001, 0.001, 0.001, 0.995], np.float32))
    assert six.chances_at(8.0) == pytest.approx(six.chances, abs=1e-4)
