"""Drawn boards of marble."""

from __future__ import annotations

import numpy as np

from pi_board.vision.training import boards
from pi_board.vision.training.boards import Plane, draw_field, draw_veins, lay_out, marble


def test_marble_is_a_texture_about_one_with_veins() -> None:
    tones = [marble(np.random.default_rng(i), (120, 160), 24) for i in range(8)]
    assert all(tone.shape == (120, 160) and tone.min() >= 0.1 and tone.max() <= 2 for tone in tones)
    assert all(abs(float(np.median(tone)) - 1) < 0.2 for tone in tones)
    assert all(np.ptp(tone) > 0.1 for tone in tones)


def test_veins_run_over_the_field_and_not_beside_it() -> None:
    rng = np.random.default_rng(3)
    plane = Plane(lay_out(rng), np.array([0.0, 0.0, 40.0]))
    colours = [boards.random_colour(rng) for _ in range(4)]
    draw_field(rng, plane, colours)
    before = plane.image.copy()
    for _ in range(4):
        draw_veins(rng, plane, colours[1:])
    changed = np.abs(plane.image - before).max(2) > 0.01
    x, y, _ = plane.flat(-plane.scene.width / 2, plane.scene.height / 2, 0)
    assert changed[round(y) + 2 :, round(x) + 2 :].any()
    assert not changed[: round(y) - 1].any()
    assert not changed[:, : round(x) - 1].any()
