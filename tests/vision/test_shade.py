"""A thing is told from its shadow, through which the board shows."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from pi_board.vision.shade import SHADE, shade_of

Floats = npt.NDArray[Any]
CUP, RADIUS = (60, 50), 20
NOTHING = np.zeros((120, 200), bool)


def board(field: tuple[int, int, int] = (40, 110, 50)) -> Floats:
    """(120, 200, 3) BGR: a field with light and dark triangles, as the canvas shows them."""
    out = np.full((120, 200, 3), field, np.float32)
    for i, x in enumerate(range(0, 200, 16)):
        colour = (200, 210, 215) if i % 2 else (30, 25, 150)
        cv2.fillConvexPoly(out, np.array([(x, 119), (x + 15, 119), (x + 8, 50)]), colour)
    noise = np.random.default_rng(1).normal(0, 2, out.shape)
    return np.clip(out + noise, 0, 255).astype(np.float32)


def shadow(depth: float) -> Floats:
    """(120, 200) factor of a shadow that lies to the right of the cup, with a soft edge."""
    dark = np.zeros((120, 200), np.float32)
    cv2.rectangle(dark, (CUP[0], CUP[1] - 15), (130, CUP[1] + 40), 1.0, -1)
    return 1 - (1 - depth) * cv2.GaussianBlur(dark, (0, 0), 3)


def with_cup(
    known: Floats, depth: float, colour: tuple[int, int, int]
) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """The board with a cup and its shadow, and where something is seen."""
    now = known * shadow(depth)[..., None]
    cv2.circle(now, CUP, RADIUS, colour, -1)
    strange = np.abs(now - known).max(axis=2) > 15
    return now, cv2.dilate(strange.astype(np.uint8), np.ones((5, 5), np.uint8)).astype(bool)


def cup() -> npt.NDArray[np.bool_]:
    out = np.zeros((120, 200), np.uint8)
    cv2.circle(out, CUP, RADIUS, 1, -1)
    return out.astype(bool)


@pytest.mark.parametrize("depth", [0.4, 0.7])
@pytest.mark.parametrize(
    "colour", [(25, 27, 30), (35, 50, 90), (225, 228, 230)], ids=["black", "leather", "white"]
)
def test_the_board_is_seen_in_the_shadow(depth: float, colour: tuple[int, int, int]) -> None:
    known = board()
    now, strange = with_cup(known, depth, colour)
    stands, factor = shade_of(known, now, strange, NOTHING)
    assert stands[cup()].all(), "nothing of the cup is taken for its shadow"
    assert stands.sum() < 1.8 * cup().sum() < strange.sum()
    middle = np.s_[40:80, 95:120]
    assert abs(float(factor[middle].mean()) - depth) < 0.04
    relit = now / factor[..., None]
    # (Along its soft edge the factor is not the same in a window, so something is left.)
    assert np.abs(relit - known)[~stands].mean() < 4 < np.abs(now - known)[strange & ~stands].mean()
    assert (factor[stands] == 1.0).all()


def test_a_shadow_on_plain_grey_is_as_dark_as_on_the_points_that_it_touches() -> None:
    """A leather cup on a grey field: in one colour and one brightness a shadow looks like a thing."""
    known = board(field=(60, 60, 62))
    now, strange = with_cup(known, 0.55, (28, 34, 52))
    stands, factor = shade_of(known, now, strange, NOTHING)
    assert stands[cup()].mean() > 0.95 and stands.sum() < 1.8 * cup().sum() < strange.sum()
    assert 0.5 < float(factor[38:46, 95:120].mean()) < 0.65, "above the points"


def test_a_part_that_is_explained_as_a_checker_belongs_to_the_cup() -> None:
    known = board()
    now, strange = with_cup(known, 1.0, (25, 27, 30))
    strange[:, CUP[0] :] = False
    assert cup()[~strange].any()
    stands, _ = shade_of(known, now, strange, NOTHING)
    assert stands[cup()].all()


def test_dice_and_other_things_do_not() -> None:
    """Neither where they touch it nor where they lie in what was taken for a part of it."""
    known = board()
    now, strange = with_cup(known, 1.0, (25, 27, 30))
    cv2.rectangle(now, (CUP[0] + RADIUS - 2, 44), (CUP[0] + RADIUS + 12, 58), (230, 230, 230), -1)
    dice = np.zeros_like(NOTHING)
    dice[44:59, CUP[0] + RADIUS - 2 : CUP[0] + RADIUS + 13] = True
    alone, _ = shade_of(known, now, strange, dice)
    together, _ = shade_of(known, now, strange, NOTHING)
    end = CUP[0] + RADIUS + SHADE.edge + 3
    assert together[50, end:].any() and not alone[50, end:].any()
    strange |= dice
    alone, _ = shade_of(known, now, strange, dice)
    assert not alone[50, end:].any()
