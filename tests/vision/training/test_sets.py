"""The training pictures of sets that people own."""

from __future__ import annotations

import numpy as np

from pi_board.vision.training import sets
from pi_board.vision.training.boards import luma
from pi_board.vision.training.pictures import make_photo, make_sample


def test_sides_of_one_brightness_still_differ_to_a_person() -> None:
    rng = np.random.default_rng(3)
    for _ in range(30):
        light, dark = sets.near_colours(rng)
        assert sets.LEAST_GAP < luma(light) - luma(dark) < 0.16
        assert np.abs(light - dark).max() > sets.LEAST_HUE


def test_tops_keep_their_side_apart_and_fill_their_disc() -> None:
    rng = np.random.default_rng(4)
    light, other = np.array([0.9, 0.9, 0.85], np.float32), np.array([0.1, 0.1, 0.3], np.float32)
    tops = [sets.checker_face(rng, light, other, np.array([0.6, 0.8, 1.5])) for _ in range(25)]
    assert all(top.shape == (48, 48, 3) and np.isfinite(top).all() for top in tops)
    assert len({round(float(top.std()), 4) for top in tops}) > 20  # no two sets alike


def test_owned_sets_are_drawn_anew_and_the_plain_ones_stay_as_they_were() -> None:
    plain, again = (make_photo(np.random.default_rng(7), hardness=0.2, hand=False) for _ in range(2))
    owned = make_photo(np.random.default_rng(7), hardness=0.2, hand=False, owned=1.0)
    assert (plain.image == again.image).all()
    assert owned.points == plain.points
    assert owned.image.shape != plain.image.shape or (owned.image != plain.image).mean() > 0.3


def test_a_cup_or_coin_covers_no_checker_that_counts() -> None:
    sample = make_sample(np.random.default_rng(12))
    tops = np.isin(sample.cells, (1, 2)).sum()
    men = np.abs(sample.points).clip(max=6).sum()
    assert tops > 8 * men or sample.hidden.any()
