"""One side's checkers: colour, spread and pattern of a top, learned from those that are seen clearly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pi_board.errors import AmbiguousError
from pi_board.vision.board.canvas import CHECKER_PX
from pi_board.vision.checkers.appearance_numbers import LEARNING
from pi_board.vision.checkers.disc import LIGHT, Disc
from pi_board.vision.checkers.patches import RADII, cut

Floats = npt.NDArray[Any]


@dataclass
class SideLook:
    """One side's checkers. mean, spread: (3,) features; slope: relative change of brightness per canvas px in x, y.

    top, top_spread: (PATCH, PATCH, 3) the same, seen over the whole top: rings, bevels, the lamp's reflection.
    """

    mean: Floats
    spread: Floats
    top: Floats
    top_spread: Floats
    slope: Floats


def learned_sides(
    before: list[SideLook],
    f: Floats,
    label: npt.NDArray[np.int8],
    discs: list[Disc],
    centre: Floats,
    fresh: bool,
) -> list[SideLook]:
    """The look of light and of dark after this picture. before: what was known of them; fresh: nothing of it counts.

    f: (H, W, 3) features; label: (H, W) what lies there; centre: (2,) canvas px about which slopes are taken. Raises AmbiguousError
    when too few checkers of a side that is not known yet are seen clearly.
    """
    sides = []
    for side in (0, 1):
        mine = [d for d in discs if d.side == side]
        known = cut(label.astype(np.float32), mine)
        patches = cut(f, mine)
        clear = ((known == LIGHT + side) | (CHECKER_PX * LEARNING.patch_radius < RADII)).mean(
            axis=(1, 2)
        ) > LEARNING.clear
        mine = [d for d, ok in zip(mine, clear, strict=True) if ok]
        patches = patches[clear]
        first = fresh or not before
        # Who sees a game for the first time at its end has all there is to be seen, however few they are.
        least = max(1, min(LEARNING.least_checkers, len(clear))) if first else LEARNING.least_checkers
        if len(mine) < least:
            if first:
                raise AmbiguousError("too few checkers are seen clearly to learn a side's colour")
            sides.append(before[side])
            continue
        inner = CHECKER_PX * LEARNING.level_radius > RADII
        level = np.median(patches[:, inner, 0], axis=1)
        spots = np.array([(d.x, d.y) for d in mine]) - centre
        basis = np.column_stack([np.ones(len(level)), spots / 100.0])
        keep = np.ones(len(level), bool)
        for _ in range(2):
            a = basis[keep].T @ basis[keep] + np.diag([0.0, 1.0, 1.0])
            fit = np.linalg.solve(a, basis[keep].T @ level[keep])
            e = np.abs(level - basis @ fit)
            keep = e <= max(LEARNING.off_plane, LEARNING.off_plane_medians * float(np.median(e)))
        mid = max(float(fit[0]), LEARNING.dark)
        slope = np.clip(fit[1:] / mid, -LEARNING.steepest, LEARNING.steepest) / 100.0
        flat = patches / np.maximum(LEARNING.least_gain, 1 + spots @ slope)[:, None, None, None]
        inside = flat[:, inner].reshape(-1, 3)
        mean = np.median(inside, axis=0)
        spread = LEARNING.sd_per_mad * np.median(np.abs(inside - mean), axis=0)
        spread = np.clip(spread, LEARNING.least_spread, LEARNING.most_spread)
        spread = np.maximum(
            spread, LEARNING.plain_share * np.minimum(inside.std(axis=0), LEARNING.most_spread)
        )
        # For the pattern each checker is first brought to the common brightness.
        own = np.median(flat[:, inner, 0], axis=1) / max(float(mean[0]), LEARNING.dark)
        own = np.clip(own, LEARNING.own_low, LEARNING.own_high)
        flat = flat / own[:, None, None, None]
        top = np.median(flat, axis=0)
        top_spread = LEARNING.sd_per_mean * np.abs(flat - top).mean(axis=0)
        top_spread = np.clip(top_spread, LEARNING.least_top_spread, LEARNING.most_spread)
        if not fresh and before:
            old = before[side]
            rate, kept = LEARNING.side_rate, 1 - LEARNING.side_rate
            mean = kept * old.mean + rate * mean
            spread = kept * old.spread + rate * spread
            slope = kept * old.slope + rate * slope
            top = kept * old.top + rate * top
            top_spread = kept * old.top_spread + rate * top_spread
        sides.append(SideLook(mean, spread, top, top_spread, slope))
    return sides
