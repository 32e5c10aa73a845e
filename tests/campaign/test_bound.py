"""The bound is the textbook's: Clopper and Pearson, one-sided."""

from __future__ import annotations

import pytest

from pi_board.campaign.bound import at_most, upper_bound


@pytest.mark.parametrize(
    ("errors", "trials", "bound"),
    [
        (0, 1, 0.95),
        (0, 10, 0.2588656),  # 1 - 0.05^(1/10)
        (0, 3000, 0.000998074),  # the rule of three
        (1, 20, 0.2161079),  # published tables of the binomial, one-sided 95 %
        (5, 5, 1.0),
        (0, 0, 1.0),
    ],
)
def test_upper_bound(errors: int, trials: int, bound: float) -> None:
    assert upper_bound(errors, trials) == pytest.approx(bound, rel=1e-5)


def test_so_few_errors_have_one_chance_in_twenty_at_the_bound() -> None:
    for errors, trials in ((0, 7), (2, 31), (17, 400)):
        assert at_most(errors, trials, upper_bound(errors, trials)) == pytest.approx(0.05, rel=1e-6)
