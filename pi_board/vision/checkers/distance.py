"""How far each pixel's neighbourhood is from everything that it could show."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.vision.checkers.appearance import Appearance
from pi_board.vision.checkers.appearance_numbers import SHADING
from pi_board.vision.checkers.disc import FAR, Disc
from pi_board.vision.checkers.patches import Planes, disc_pixels, fill_discs, planes_of

Floats = npt.NDArray[Any]
TOP_AT, AROUND_AT = disc_pixels(SHADING.top), disc_pixels(SHADING.around)


def mahalanobis(
    appearance: Appearance, f: Floats, seen: list[Disc], far: float = 0.0
) -> tuple[Floats, Floats]:
    """(H, W) how many standard deviations each pixel's neighbourhood is away from the best of all it could be:
    as before, the bare board, or a checker where one was seen; and the same without the checkers. f: features, reference light.

    Neighbourhoods, because noise averages out and a hand does not. far: what is no further than that from the picture as it was counts
    as no way away and is not compared with anything else.
    """
    m = SHADING
    k = 3 if appearance.noise < m.noisy else 5
    noise = appearance.noise * (m.noise_width / k)

    def smoothed() -> tuple[Planes, Planes, Floats, Floats]:
        return (
            planes_of(cv2.blur(appearance.reference_features, (k, k))), planes_of(cv2.blur(appearance.board, (k, k))),
            cv2.blur(appearance.reference_rough, (k, k)), cv2.blur(appearance.rough, (k, k)),
        )  # fmt: skip

    reference, bare, reference_rough, rough = appearance.once(("smooth", k), smoothed)

    def spreads() -> tuple[Floats, Floats, Floats, Floats, Floats]:
        n, rough_share = np.float32(noise), np.float32(m.rough)
        rough_colour, doubt_colour = np.float32(m.rough_colour), np.float32(m.doubt_colour)
        return (
            m.level + n + rough_share * reference_rough,
            1.0 / np.square(m.colour + n + rough_colour * reference_rough),
            m.level + n + rough_share * rough + appearance.doubt,
            1.0 / np.square(m.colour + n + rough_colour * rough + doubt_colour * appearance.doubt),
            1.0 / np.square(m.shadow_colour + n + rough_share * rough),
        )

    ref_sd, ref_colour, bare_sd, bare_colour, shadow_colour = appearance.with_noise("mahalanobis", spreads)
    smooth = planes_of(cv2.blur(f, (k, k)))
    sd = np.float32(m.bright_reference) * smooth[0]
    sd += ref_sd
    squared = squared_distance(smooth, reference, sd, ref_colour)
    left = np.flatnonzero(squared > far**2)
    shape = squared.shape

    best, here, empty = squared.take(left), [p.take(left) for p in smooth], [p.take(left) for p in bare]
    y = here[0]
    sd = bare_sd.take(left) + np.float32(m.bright_bare) * y
    away = squared_distance(here, empty, sd, bare_colour.take(left)) + appearance.outside().take(left)
    np.minimum(best, away, out=best)
    whole, without = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    without.reshape(-1)[left] = np.sqrt(best)
    around = np.empty(shape, np.float32)
    around[...] = FAR
    for side in (0, 1):
        mine = [d for d in seen if d.side == side]
        if not mine:
            continue
        middles = np.rint([(d.x, d.y) for d in mine]).astype(np.intp)
        tops = np.empty(shape, np.float32)
        tops[...] = FAR
        fill_discs(tops, middles, TOP_AT)
        fill_discs(around, middles, AROUND_AT)
        look, expected = appearance.sides[side], [p.take(left) for p in appearance.side_features(side)]
        # A checker may stand in other light than where its like was learned: brightness is free within bounds.
        black = np.float32(m.checker_black)
        free = ((y + black) / (expected[0] + black)).clip(m.checker_low, m.checker_high)
        floor = np.float32(float(look.spread[0]) + noise + m.checker_level)
        top_sd = floor + np.float32(m.checker_bright) * expected[0]
        colour = np.float32(1.0 / (float(look.spread[1:].max()) + noise + m.checker_colour) ** 2)
        away = squared_distance(here, expected, top_sd, colour, free) + tops.take(left)
        np.minimum(best, away, out=best)
    if seen:
        # Beside a checker lie its own side and its shadow: the board, only darker.
        black = np.float32(m.shadow_black)
        free = ((y + black) / (empty[0] + black)).clip(m.shadow_low, m.shadow_high)
        away = squared_distance(here, empty, sd, shadow_colour.take(left), free) + around.take(left)
        np.minimum(best, away, out=best)
    whole.reshape(-1)[left] = np.sqrt(best)
    return whole, without


def squared_distance(
    f: Planes, mean: Planes, sd_y: Floats, colour_inverse: Floats | np.float32, free: Floats | None = None
) -> Floats:
    """(H, W) squared distance of features from `mean` (times `free`), in standard deviations; colour_inverse: 1 / variance."""
    if free is not None:
        mean = (free * mean[0], free * mean[1], free * mean[2])
    y, r, b = f[0] - mean[0], f[1] - mean[1], f[2] - mean[2]
    y /= sd_y
    y *= y
    r *= r
    b *= b
    r += b
    r *= colour_inverse
    y += r
    return y
