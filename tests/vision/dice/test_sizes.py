"""What is no die by its size."""

import pytest

from pi_board.sighting import DieSeen
from pi_board.vision.dice.marks import is_plain
from pi_board.vision.dice.sizes import DiceSizes


def die(value: int | None = 3, confidence: float = 0.99) -> DieSeen:
    return DieSeen(value, confidence, 0.0, 0.0)


def left(sizes: DiceSizes, dice: list[DieSeen], *edges: float) -> list[DieSeen]:
    none = sizes.which_are_none([is_plain(d) for d in dice], edges)
    return [d for d, odd in zip(dice, none, strict=True) if not odd]


def observe(sizes: DiceSizes, dice: list[DieSeen], *edges: float) -> None:
    sizes.observe(dice, [is_plain(d) for d in dice], edges)


def rolled(sizes: DiceSizes, a: int, b: int, *edges: float) -> None:
    observe(sizes, [die(a), die(b)], *(edges or (1.2, 1.25)))


@pytest.mark.parametrize(("edge", "one"), [(0.72, False), (1.0, True), (1.5, True), (1.8, False)])
def test_what_is_far_from_all_that_were_rolled_is_no_die_however_plainly_it_reads(
    edge: float, one: bool
) -> None:
    sizes = DiceSizes()
    rolled(sizes, 6, 1)
    rolled(sizes, 5, 1)
    dice = [die(5), die(6)]
    observe(sizes, dice, 1.2, edge)
    assert left(sizes, dice, 1.2, edge) == (dice if one else dice[:1])


def test_two_plain_dice_of_another_size_are_another_pair() -> None:
    sizes = DiceSizes()
    rolled(sizes, 6, 1)
    rolled(sizes, 5, 1)
    dice = [die(5), die(2)]
    assert left(sizes, dice, 2.0, 2.1) == dice
    assert left(sizes, dice[:1], 2.0) == []
    observe(sizes, dice, 2.0, 2.1)
    assert left(sizes, dice[:1], 2.0) == dice[:1]


@pytest.mark.parametrize(
    "rolls", [[], [(6, 1)], [(6, 1), (6, 1), (6, 1)]], ids=["none", "one", "the same for many looks"]
)
def test_nothing_is_left_out_before_two_rolls(rolls: list[tuple[int, int]]) -> None:
    sizes = DiceSizes()
    for a, b in rolls:
        rolled(sizes, a, b)
    assert left(sizes, [die(6)], 0.5) == [die(6)]


def test_two_of_different_sizes_are_no_roll() -> None:
    sizes = DiceSizes()
    for a, b in ((6, 1), (5, 1), (3, 2)):
        rolled(sizes, a, b, 1.2, 0.7)
    assert left(sizes, [die(6)], 2.0) == [die(6)]
