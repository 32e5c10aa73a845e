"""Whether the colours of the points take turns, and whether a half is whole columns off."""

from __future__ import annotations

import cv2
import numpy as np

from pi_board.vision.board.distortion import RadialDistortion
from pi_board.vision.board.geometry import exact_homography, transform
from pi_board.vision.finding.edge_fit import points_beside
from pi_board.vision.finding.edge_picture import EdgePicture
from pi_board.vision.finding.pattern import UNIT_FIELD, Floats, PointPattern, Template, score_quads
from pi_board.vision.finding.pattern_numbers import COLUMNS, PRIORS


def settle_columns(
    picture: EdgePicture, quad: Floats, pattern: PointPattern, lens: RadialDistortion
) -> tuple[Floats, PointPattern]:
    """Moves one half, or both, by whole columns where the pattern fits better so.

    Six columns look like the six beside them but for the outermost, so a fit may settle one column off.
    """
    best, best_value = (quad, pattern), -1.0
    for left in (0, 1, -1):
        for right in (0, 1, -1):
            unit, bar = pattern.aside(left, right)
            if not PRIORS.least_bar <= bar <= PRIORS.most_bar:
                continue
            other = pattern.with_(bar=max(bar, 0.0))
            moved = transform(exact_homography(UNIT_FIELD, quad), unit)
            template = Template.of(other, COLUMNS.side_heights)
            value = float(score_quads(picture.tensor, lens.bend(moved)[None] * picture.scale, [template])[0])
            # One column off, a half has its colours the wrong way round; and bars have usual widths.
            usual, spread = PRIORS.usual_bar
            in_turn = COLUMNS.alternation * alternation(picture.smooth, moved, other, lens)
            value += in_turn - COLUMNS.usual_bar * ((bar - usual) / spread) ** 2
            value -= COLUMNS.beside * max(points_beside(picture.smooth, moved, other, lens))
            if (left, right) == (0, 0):
                value += COLUMNS.stays
            if value > best_value:
                best, best_value = (moved, other), value
    return best


def alternation(smooth: Floats, quad: Floats, pattern: PointPattern, lens: RadialDistortion) -> float:
    """0..1: points take turns in two colours, all around the board; 0 for what any picture would give.

    smooth: (H, W, 3) float32. quad: ideal corners. Compares the colours in the outer thirds of the points, where
    checkers seldom lie, after removing each quarter's own light.
    """
    heights = np.array(COLUMNS.colour_heights)
    x = pattern.column_x()
    places = np.array(
        [
            [(a, h * pattern.length if row == 0 else 1 - h * pattern.length) for h in heights]
            for row in (0, 1)
            for a in x
        ]
    )
    px = lens.bend(transform(exact_homography(UNIT_FIELD, quad), places.reshape(-1, 2))).astype(np.float32)
    seen = cv2.remap(
        smooth,
        px[:, 0].reshape(24, -1),
        px[:, 1].reshape(24, -1),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    colour = np.median(seen.reshape(24, len(heights), 3), axis=1)
    turn = np.array([1.0 if (c + row) % 2 else -1.0 for row in (0, 1) for c in range(12)])
    quarter = np.array([2 * row + (c >= 6) for row in (0, 1) for c in range(12)])
    for q in range(4):
        mine = quarter == q
        colour[mine] -= (
            np.median(colour[mine & (turn > 0)], axis=0) + np.median(colour[mine & (turn < 0)], axis=0)
        ) / 2
    # Each quarter is judged by what the other three say the two colours are.
    right = []
    for q in range(4):
        others, mine = quarter != q, quarter == q
        axis = np.median(colour[others & (turn > 0)], axis=0) - np.median(colour[others & (turn < 0)], axis=0)
        right += list(np.sign(colour[mine] @ axis) == turn[mine])
    return float(np.clip(2 * np.mean(right) - 1, 0, 1))
