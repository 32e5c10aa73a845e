from __future__ import annotations

import numpy as np
import pytest

from pi_board.simulator import STYLES, render_still


@pytest.mark.parametrize("seed", range(4))
def test_truth_agrees_with_itself_and_with_the_picture(seed: int) -> None:
    image, truth = render_still(np.random.default_rng(seed), size=(480, 360))
    assert image.shape == (360, 480, 3) and image.dtype == np.uint8
    for i, side in enumerate(("light", "dark")):
        total = sum(p[side] for p in truth["points"]) + truth["bar"][side] + truth["off"][side]
        assert total == 15, (i, side)
    assert len(truth["checkers"]) == 30
    for side in ("light", "dark"):
        for p in range(1, 25):
            lie = [c for c in truth["checkers"] if c["color"] == side and c["point"] == p]
            assert len(lie) == truth["points"][p - 1][side]
    corners = np.array(truth["corners_px"])
    assert corners[0, 0] < corners[1, 0] and corners[0, 1] < corners[3, 1]
    assert 0 < np.ptp(corners[:, 0]) <= 480


def test_light_checkers_are_lighter_in_the_picture() -> None:
    for seed in range(2):
        image, truth = render_still(
            np.random.default_rng(seed), "travel", size=(640, 480), difficulty=0.1, hand=False
        )
        level = {"light": [], "dark": []}
        for c in truth["checkers"]:
            x, y = (round(v) for v in c["center_px"])
            if c["visible"] > 0.9 and 2 < x < 637 and 2 < y < 477:
                level[c["color"]].append(image[y - 1 : y + 2, x - 1 : x + 2].mean())
        assert np.median(level["light"]) > np.median(level["dark"]) + 40


@pytest.mark.parametrize("style", STYLES)
def test_styles_and_seeds(style: str) -> None:
    a, ta = render_still(np.random.default_rng(5), style, size=(320, 240), near="light")
    b, tb = render_still(np.random.default_rng(5), style, size=(320, 240), near="light")
    assert np.array_equal(a, b) and ta == tb
    assert ta["style"] == style and ta["near_color"] == "light"
