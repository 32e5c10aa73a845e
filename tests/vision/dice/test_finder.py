"""The finder says of a picture that has changed in parts what it says of the whole."""

from __future__ import annotations

import numpy as np
import pytest

from pi_board.vision.changes import blocks
from pi_board.vision.dice import finder
from pi_board.vision.dice.finder import CELL, KeptFinder
from pi_board.vision.products import Products

SIZE = (328, 440)
BLOCK = 2 * CELL


def noise(seed: int, low: int = 60, high: int = 180) -> np.ndarray:
    return np.random.default_rng(seed).integers(low, high, (*SIZE, 3), dtype=np.uint8)


def answers(kept: KeptFinder, flat: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return kept.answers(flat, blocks(flat, BLOCK))


@pytest.mark.parametrize(
    "places",
    [
        [(160, 200, 184, 224)],
        [(0, 0, 16, 16)],
        [(304, 416, 328, 440)],
        [(160, 40, 184, 64), (40, 300, 64, 324)],
        [(40, 40, 64, 64), (56, 100, 80, 124)],
        [(40, 40, 280, 64)],
    ],
    ids=["one", "first corner", "last corner", "far apart", "near each other", "a long one"],
)
def test_what_changed_is_found_as_in_the_whole(
    places: list[tuple[int, int, int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    before, now = noise(1), noise(1)
    for top, left, bottom, right in places:
        now[top:bottom, left:right] = 255 - now[top:bottom, left:right] // 2
    kept, expected = KeptFinder(), finder.answers(now)
    answers(kept, before)
    wholes: list[int] = []
    monkeypatch.setattr(Products, "run", lambda self: wholes.append(1))
    says, rests_on = answers(kept, now)
    assert not wholes, "only parts are looked at"
    assert np.abs(says - expected).max() < 1e-4
    assert (rests_on == blocks(now, BLOCK)).all()


def test_what_is_kept_of_an_answer_does_not_change_with_the_next() -> None:
    before, now = noise(1), noise(1)
    now[160:184, 200:224] = 250
    kept = KeptFinder()
    says, rests_on = answers(kept, before)
    answers(kept, now)
    assert np.abs(says - finder.answers(before)).max() < 1e-4
    assert (rests_on == blocks(before, BLOCK)).all()


def test_a_creeping_change_is_noticed() -> None:
    """Each step is too small to be looked at, but it is compared with what was looked at last."""
    kept, now = KeptFinder(), noise(2)
    answers(kept, now)
    for step in range(1, 5):
        now = noise(2)
        now[160:184, 200:224] += np.uint8(3 * step)
        says, _ = answers(kept, now)
    assert np.abs(says - finder.answers(now)).max() < 1e-4


@pytest.mark.parametrize("other", [noise(4)[::-1], noise(3)[:200]], ids=["all is new", "another view"])
def test_another_picture_is_seen_as_a_whole(other: np.ndarray) -> None:
    other = np.ascontiguousarray(255 - other)
    other[:100] //= 2
    kept = KeptFinder()
    answers(kept, noise(3))
    says, rests_on = answers(kept, other)
    assert np.abs(says - finder.answers(other)).max() < 1e-4
    assert (rests_on == blocks(other, BLOCK)).all()
