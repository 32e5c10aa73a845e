"""Sums that are made anew where a plane has changed are those of the whole plane."""

from __future__ import annotations

import numpy as np
import pytest

from pi_board.vision.checkers.disc_sums import DiscSums
from pi_board.vision.checkers.strips import disc_kernel, separated

DISC = separated(disc_kernel(7.5))
SHAPE = (244, 288)
PART = slice(11, 230), slice(5, 280)


def plane(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=SHAPE).astype(np.float32)


@pytest.mark.parametrize(
    "places",
    [
        [(100, 120, 110, 130)],
        [(11, 5, 12, 6)],
        [(229, 279, 230, 280)],
        [(20, 20, 40, 40), (200, 250, 220, 270), (60, 100, 61, 101)],
        [(0, 0, 11, 288)],
        [],
    ],
    ids=["inside", "first pixel", "last pixel", "several", "outside of the part", "nothing"],
)
def test_what_differs_is_summed_anew(
    places: list[tuple[int, int, int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    sums, now = DiscSums(DISC), plane(1)
    before = sums.of(plane(1), PART)
    for top, left, bottom, right in places:
        now[top:bottom, left:right] += 1.0
    expected = DiscSums(DISC).of(now, PART)
    summed: list[int] = []
    run = DiscSums._summed
    monkeypatch.setattr(DiscSums, "_summed", lambda self, p: (summed.append(p.size), run(self, p))[1])
    assert np.abs(sums.of(now, PART) - expected).max() < 1e-5
    assert sum(summed) < 0.2 * now.size
    assert (before == DiscSums(DISC).of(plane(1), PART)).all(), "what was said before stays"


@pytest.mark.parametrize(
    ("now", "part"),
    [(plane(2), PART), (plane(1), (slice(0, 244), slice(0, 288))), (plane(1)[:200, :250], (slice(0, 200), slice(0, 250)))],
    ids=["all differs", "another part", "another size"],
)  # fmt: skip
def test_another_plane_is_summed_as_a_whole(now: np.ndarray, part: tuple[slice, slice]) -> None:
    sums = DiscSums(DISC)
    sums.of(plane(1), PART)
    assert (sums.of(now, part) == DiscSums(DISC).of(now, part)).all()
