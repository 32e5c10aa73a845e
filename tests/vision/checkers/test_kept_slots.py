"""What has changed on a canvas is seen as in a look at the whole."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from pi_board.vision.checkers import kept_slots
from pi_board.vision.checkers import slot_network as network
from pi_board.vision.checkers.kept_slots import KeptSlots
from pi_board.vision.checkers.slot_network import CANVAS_H, CANVAS_W
from pi_board.vision.products import Products

Image = np.ndarray


def canvas(seed: int = 5) -> Image:
    return np.random.default_rng(seed).integers(60, 180, (CANVAS_H, CANVAS_W, 3), dtype=np.uint8)


def changed(where: tuple[int, int], side: int = 24) -> Image:
    y, x = where
    now = canvas()
    now[y : y + side, x : x + side] = 255 - now[y : y + side, x : x + side] // 2
    return now


@pytest.fixture
def wholes(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Grows by three numbers whenever a whole canvas is looked at."""
    calls: list[int] = []
    run = Products.run
    monkeypatch.setattr(Products, "run", lambda self: (calls.append(1), run(self))[1])
    return calls


@pytest.mark.parametrize("where", [(150, 170), (0, 0), (CANVAS_H - 24, CANVAS_W - 24), (100, CANVAS_W - 20)])
@pytest.mark.parametrize(("bound", "nats"), [(0.0, 1e-3), (kept_slots._SAME_CONTEXT, 1.5)])
def test_what_changed_is_seen_as_in_a_look_at_the_whole(
    where: tuple[int, int], bound: float, nats: float, wholes: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the same light, and where what the board as a whole says may be the same, hardly otherwise where it may not."""
    for module in (kept_slots, network):
        monkeypatch.setattr(module, "moments", lambda canvas: (120.0, 34.6))
    monkeypatch.setattr(kept_slots, "_SAME_CONTEXT", bound)
    kept = KeptSlots()
    kept.score(canvas())
    now = changed(where)
    whole = network.score(now)
    wholes.clear()
    again = kept.score(now)
    assert not wholes, "only parts are looked at"
    assert np.abs(again.points - whole.points).max() < nats
    assert np.abs(again.cells - whole.cells).max() < nats / 10


def test_a_first_look_says_what_the_network_says() -> None:
    ours, theirs = KeptSlots().score(canvas()), network.score(canvas())
    for name in ("points", "hidden", "bar", "cells"):
        assert np.abs(getattr(ours, name) - getattr(theirs, name)).max() < 1e-3


@pytest.mark.parametrize(
    "now", [canvas() + np.uint8(20), canvas()[::-1].copy(), canvas()], ids=["lighter", "turned", "the same"]
)
def test_another_light_and_much_that_changed_are_seen_as_a_whole(now: Image, wholes: list[int]) -> None:
    kept = KeptSlots()
    kept.score(canvas())
    wholes.clear()
    again = kept.score(now)
    assert len(wholes) == 3 and kept.times == 0
    assert np.abs(again.points - network.score(now).points).max() < 1e-3


def test_parts_are_not_looked_at_for_ever(wholes: list[int]) -> None:
    kept = KeptSlots()
    kept.score(canvas())
    wholes.clear()
    for times in range(kept_slots._MOST_TIMES):
        assert kept.times == times
        kept.score((changed((100, 100)), canvas())[times % 2])
    assert not wholes
    kept.score(changed((100, 100)))
    assert len(wholes) == 3


def test_a_creeping_change_is_noticed() -> None:
    """Each step is too small to be looked at, but it is compared with what was looked at last."""
    kept, now = KeptSlots(), canvas()
    kept.score(now)
    for step in range(1, 4):
        now = canvas()
        now[96:124, 96:124] += np.uint8(3 * step)
        seen = kept._cells
        kept.score(now)
        if step == 1:
            kept.times = 0
    assert (kept._cells[24:31, 24:31] != seen[24:31, 24:31]).any()
