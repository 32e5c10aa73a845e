"""One picture of a learned board, weighed pixel by pixel: what explains each pixel, and which pixels say anything at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pi_board.vision.checkers.appearance import Appearance
from pi_board.vision.checkers.densities import Explanation, top_ratio, where_a_top_lies
from pi_board.vision.checkers.disc import LIGHT, UNKNOWN
from pi_board.vision.checkers.log_ratios import labelled, ratio
from pi_board.vision.checkers.patches import TOP_WEIGHTS, top_index
from pi_board.vision.checkers.row_numbers import EFFECTIVE_PIXELS, PIXEL_CAP

Floats = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]

#: Log density above which a pixel counts as unchanged since the reference.
UNCHANGED = -10.5
#: Nats against a checker where a die or the cube lies: they lie on the board.
UNDER_A_DIE = 16.0
#: The same for each pixel of a new checker: where a die lies flat none can have come, not even in part. Source: `bench_beside_dice.py`.
UNDER_A_DIE_EACH = 1.0
#: Pixels of a checker's top, those at its edge in part.
_TOP_AREA = TOP_WEIGHTS.sum()


@dataclass(frozen=True, slots=True, eq=False)
class WeighedPixels:
    """What one picture says before any checker is looked for. All planes are (H, W) of the canvas.

    look: the board as it was learned. explanation: log densities of each pixel. covered: pixels on which a die, the cube or a known
    thing lies; they say nothing. open: the others, as weights 0 or 1. under: pixels that surely lie under a die or the cube.
    plain: log density of a light top and of a dark top. rest: log density of everything else, for each of the two.
    """

    look: Appearance
    explanation: Explanation
    covered: Mask
    any_covered: bool
    open: Floats
    under: Floats
    plain: tuple[Floats, Floats]
    rest: tuple[Floats, Floats]

    def ratios(self, side: int) -> Floats:
        """(H, W) nats of each pixel for a top of `side` (0 light, 1 dark) against everything else; 0 where it is covered."""
        says = ratio(self.plain[side], self.rest[side])
        if self.any_covered:
            says *= self.open
        return says

    def judge(self, side: int, places: Floats) -> Floats:
        """(N,) evidence (nats) of the learned tops for a checker of `side` at each of (N, 2) canvas px."""
        if not len(places):
            return np.zeros(0)
        index = top_index(self.open.shape, places)
        each = top_ratio(
            self.look, self.explanation.planes, self.rest[side], self.plain[side], side, places, index
        )
        each *= np.float32(0.5)
        each.clip(-PIXEL_CAP, PIXEL_CAP, out=each)
        if self.any_covered:
            each *= self.open.take(index)
        says = each @ TOP_WEIGHTS * (EFFECTIVE_PIXELS / _TOP_AREA)
        if self.any_covered:
            under = self.under.take(index)
            came = under * (self.look.label.take(index) != LIGHT + side)
            says = says - UNDER_A_DIE / _TOP_AREA * (under @ TOP_WEIGHTS)
            says -= np.minimum(UNDER_A_DIE_EACH * (came @ TOP_WEIGHTS), UNDER_A_DIE)
        return np.asarray(says, np.float64)


def would_say_each(look: Appearance, places: Floats) -> Floats:
    """(N, 2) what `WeighedPixels.judge` says (nats) of a light and of a dark checker that do lie at (N, 2) canvas px: little where they can
    hardly be told from the board in this light."""
    index = top_index(look.label.shape, places)
    share = EFFECTIVE_PIXELS / float(_TOP_AREA)
    return np.stack(
        [(ratio(top, board) @ TOP_WEIGHTS) * share for top, board in where_a_top_lies(look, index)], axis=1
    )


def would_say(look: Appearance, places: Floats) -> tuple[float, float]:
    """`would_say_each` on average."""
    light, dark = would_say_each(look, places).mean(axis=0).tolist()
    return light, dark


def weigh(
    look: Appearance, explanation: Explanation, things: Mask, die_places: Mask, hides: Mask | None
) -> WeighedPixels:
    """explanation: of the picture, by `look`. things: (H, W) where dice and cube were found, sides and shadows included; die_places:
    where they surely lie. hides: pixels that known things cover, None without any."""
    e = explanation
    # A pixel that has not changed is what it was before, even where the finder sees a die.
    covered = things & ~((e.same > UNCHANGED) & (look.label != UNKNOWN))
    if hides is not None:
        covered = covered | hides
    board, light, dark = labelled(e.light, e.dark, e.same, e.board, look.label)
    return WeighedPixels(
        look,
        e,
        covered,
        bool(covered.any()),
        (~covered).astype(np.float32),
        (covered & die_places).astype(np.float32),
        plain=(light, dark),
        rest=(np.maximum(board, dark), np.maximum(board, light)),
    )
