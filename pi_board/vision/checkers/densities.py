"""Log densities of every pixel under each thing that it could show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pi_board.vision.board.canvas import features
from pi_board.vision.checkers.appearance import Appearance
from pi_board.vision.checkers.appearance_numbers import DENSITY
from pi_board.vision.checkers.disc import FAR
from pi_board.vision.checkers.patches import INNER_AT, TOP_PIXELS, Planes, at_least, medians, planes_of

Floats = npt.NDArray[Any]
#: Density of a pixel that nothing explains (three features, 8-bit levels), as a log.
OUTLIER = -13.0
#: Pixels to the left (negative) and to the right by which a guessed board may be off.
_SHIFTS = np.array((-2, -1, 1, 2))
#: Brightness (8-bit levels) above which the bare board is also known exactly.
BRIGHT = 110.0


@dataclass
class Explanation:
    """features: (H, W, 3), and the same as three planes; (H, W) log densities: empty board, light checker, dark checker, same as in the reference picture."""

    features: Floats
    planes: Planes
    board: Floats
    light: Floats
    dark: Floats
    same: Floats


def explain(appearance: Appearance, bgr: Floats) -> Explanation:
    """Log densities of every pixel of `bgr` (reference light) under each thing it could be."""
    f = features(bgr)
    planes = planes_of(f)
    known = appearance.with_noise("explain", lambda: _known_densities(appearance))
    bare, same = appearance.planes("board"), appearance.planes("reference_features")
    # (Of so many planes fresh ones are not in the processor's cache.)
    room = np.empty_like(planes[0]), np.empty_like(planes[0])
    board = _of_the_bare_board(planes, bare, known.board, known.exact, room)
    if known.guessed is not None:
        # A guessed board may lie a pixel or two beside the true one.
        at, beside, inverse, colour_inverse, ease, shifts = known.guessed
        flat, here = board.reshape(-1), [plane.take(at) for plane in planes]
        most = flat.take(at)
        q = np.square(here[0] - beside[0]) * inverse
        q += (np.square(here[1] - beside[1]) + np.square(here[2] - beside[2])) * colour_inverse
        q += shifts
        np.maximum(most, np.maximum.reduce(q, axis=0), out=most)
        # A badly known board is no evidence for a checker, so most of what the wide density costs is given back.
        flat[at] = most + ease
    sides = [density(planes, appearance.side_features(side), known.sides[side], room) for side in (0, 1)]
    return Explanation(f, planes, board, sides[0], sides[1], density(planes, same, known.same, room))


def _known_densities(appearance: Appearance) -> Densities:
    """What of the densities does not depend on the picture."""
    noise = np.float32(appearance.noise)
    brightness = appearance.planes("board")[0]
    ground = np.abs(brightness)
    # Brightness varies with shading, colour differences less so.
    shade = np.float32(DENSITY.shade) * ground
    doubtful = noise + appearance.doubt + np.float32(DENSITY.rough) * appearance.rough
    sd, colour_sd = (
        doubtful + shade,
        np.float32(DENSITY.colour) * doubtful + np.float32(DENSITY.colour_floor),
    )
    board, exact = Gauss.of(sd, colour_sd), None
    bright = brightness > BRIGHT
    if bright.any():
        m = DENSITY
        grain = (
            noise
            + np.float32(m.exact_doubt) * appearance.doubt
            + np.float32(m.exact_rough) * appearance.rough
        )
        exact = Gauss.of(
            grain + np.float32(m.exact_shade) * shade,
            np.float32(m.exact_colour) * grain + np.float32(m.exact_colour_floor),
        )
        prior = np.float32(np.log(m.exact_prior))
        exact.level[...] = np.where(bright, exact.level + prior, -FAR)
    guessed = None
    if len(appearance.hidden[0]):
        at, beside, doubt = appearance.once("beside", lambda: _beside(appearance))
        here_sd, here_colour = sd.take(at), colour_sd.take(at)
        ease = np.log(here_sd / (here_sd - doubt)) + 2.0 * np.log(
            here_colour / (here_colour - DENSITY.colour * doubt)
        )
        level = board.level.take(at) - (DENSITY.shift * np.abs(_SHIFTS))[:, None].astype(np.float32)
        guessed = (
            at, beside, board.inverse.take(at), board.colour_inverse.take(at), (DENSITY.eased * ease).astype(np.float32), level,
        )  # fmt: skip
    sides = []
    for side in (0, 1):
        y, chroma = _flat_spread(appearance, side)
        sides.append(Gauss.of(np.float32(y), np.float32(chroma)))
    rough = noise + np.float32(DENSITY.same_rough) * appearance.reference_rough
    same = Gauss.of(
        noise
        + np.float32(DENSITY.same_bright) * appearance.reference[..., 1]
        + np.float32(DENSITY.same_rough) * appearance.reference_rough,
        np.float32(DENSITY.colour) * rough + np.float32(DENSITY.colour_floor),
    )
    return Densities(board, exact, guessed, (sides[0], sides[1]), same)


def _beside(appearance: Appearance) -> tuple[npt.NDArray[np.intp], Floats, Floats]:
    """Flat indices of the guessed pixels, (3, 4, N) features of the board beside each, and (N,) how doubtful it is. (Of this nothing
    depends on the picture's noise, which may be another in the next one.)"""
    rows, columns = appearance.hidden
    w = appearance.label.shape[1]
    at = rows * w + columns
    near = rows * w + np.clip(columns + _SHIFTS[:, None], 0, w - 1)
    beside = np.stack([plane.take(near) for plane in appearance.planes("board")])
    return at, beside, appearance.doubt.take(at)


def _flat_spread(appearance: Appearance, side: int) -> tuple[float, float]:
    """Standard deviations (brightness, colour) about a side's plain colour."""
    look = appearance.sides[side]
    y = float(look.spread[0] + DENSITY.flat_bright * abs(look.mean[0]) + appearance.noise)
    return y, float(look.spread[1:].max()) + DENSITY.flat_noise * appearance.noise + DENSITY.colour_floor


def top_ratio(
    appearance: Appearance,
    f: Planes,
    board: Floats,
    plain: Floats,
    side: int,
    places: Floats,
    index: npt.NDArray[np.intp],
) -> Floats:
    """(N, M) log-ratio of each pixel of a top: a checker of `side` with its top there, against `board`.

    f: three (H, W) features; board: (H, W) log densities of what the picture shows if no checker is there.
    plain: (H, W) log densities of the side's plain colour or its unchanged look, the second opinion where glare
    or a hard shadow moves the pattern about. Each checker may be somewhat brighter or darker than its place suggests.
    places: (N, 2) canvas px; index: their `top_index`.
    """
    look = appearance.sides[side]
    top, inverse, colour_inverse, level, usual = _known_top(appearance, side)
    y, r, b = [plane.take(index) for plane in f]
    gain = 1 + (places - appearance.centre) @ look.slope
    gain = np.minimum(np.maximum(gain, DENSITY.slope_low), DENSITY.slope_high)
    seen = medians(y.take(INNER_AT, axis=1))
    black = DENSITY.free_black
    free = (seen + black) / (gain * usual + black)
    free = np.minimum(np.maximum(free, DENSITY.free_low), DENSITY.free_high)
    gain = (gain * free).astype(np.float32)[:, None]
    y -= gain * top[0]
    r -= gain * top[1]
    b -= gain * top[2]
    y *= y
    y *= inverse
    r *= r
    b *= b
    r += b
    r *= colour_inverse
    y += r
    y += level
    at_least(y, OUTLIER - DENSITY.below_outlier)
    np.maximum(y, plain.take(index) - np.float32(DENSITY.plain_cost), out=y)
    y -= (DENSITY.free_cost * np.square(np.log(free))).astype(np.float32)[:, None]
    y -= board.take(index)
    return y


def _known_top(appearance: Appearance, side: int) -> tuple[Planes, Floats, Floats, Floats, float]:
    """Of the learned top of `side`, at `TOP_PIXELS`: its features, -1 / (2 variance) of brightness and of both colours, the log of its
    height; and its usual brightness."""
    look = appearance.sides[side]

    def known() -> tuple[Planes, Floats, Floats, Floats, float]:
        wide = look.top_spread * DENSITY.top_spread
        bright = DENSITY.top_bright * abs(float(look.mean[0]))
        sd_y = np.hypot(wide[..., 0] + bright, DENSITY.top_noise * appearance.noise)
        sd_c = np.hypot(wide[..., 1:].max(axis=-1) + DENSITY.top_colour, appearance.noise)
        level = -np.log(sd_y) - 2 * np.log(sd_c) - DENSITY.log_norm
        planes = (*np.moveaxis(look.top, 2, 0), -0.5 / sd_y**2, -0.5 / sd_c**2, level)
        y, r, b, inverse, colour_inverse, level = (
            plane.ravel()[TOP_PIXELS].astype(np.float32) for plane in planes
        )
        return (y, r, b), inverse, colour_inverse, level, float(medians(y[None, INNER_AT])[0])

    return appearance.with_noise(f"top {side}", known)


def _of_the_bare_board(
    f: Planes, bare: Planes, nearly: Gauss, exactly: Gauss | None, room: tuple[Floats, Floats] | None = None
) -> Floats:
    """Log densities of features `f` where the bare board, which looks like `bare`, is seen.

    A bare point looks as it was learned, or nearly so: the light differs, or it is a pixel off. "Nearly" is wider on bright
    points. So both densities are needed, or a white checker's narrow one would explain a white point better.
    """
    board = density(f, bare, nearly, room)
    if exactly is not None:
        np.maximum(board, density(f, bare, exactly, room), out=board)
    return board


def where_a_top_lies(appearance: Appearance, index: npt.NDArray[np.intp]) -> list[tuple[Floats, Floats]]:
    """Of light and of dark the log densities of each pixel of a top that looks as its side was learned: ((M,) if one lies there, (N, M) if
    the bare board does). index: `top_index` of N places."""
    known = appearance.with_noise("explain", lambda: _known_densities(appearance))
    bare = [plane.take(index) for plane in appearance.planes("board")]
    nearly, exactly = known.board.at(index), None if known.exact is None else known.exact.at(index)
    found = []
    for side in (0, 1):
        top, _, _, level, _ = _known_top(appearance, side)
        found.append((level, _of_the_bare_board(top, bare, nearly, exactly)))
    return found


def density(f: Planes, mean: Planes, gauss: Gauss, room: tuple[Floats, Floats] | None = None) -> Floats:
    """(H, W) float32 log density of features about `mean`: a Gaussian with a floor for outliers. room: two arrays to work in."""
    red, blue = (None, None) if room is None else room
    y, r, b = f[0] - mean[0], np.subtract(f[1], mean[1], out=red), np.subtract(f[2], mean[2], out=blue)
    y *= y
    y *= gauss.inverse
    r *= r
    b *= b
    r += b
    r *= gauss.colour_inverse
    y += r
    y += gauss.level
    at_least(y, OUTLIER - DENSITY.below_outlier)
    return y


@dataclass(frozen=True)
class Gauss:
    """A Gaussian of feature errors, for all pixels: -1 / (2 variance) of brightness and of both colours, and the log of its height."""

    inverse: Floats
    colour_inverse: Floats
    level: Floats

    @classmethod
    def of(cls, sd_y: Any, sd_c: Any) -> Gauss:
        half = np.float32(-0.5)
        return cls(
            half / np.square(sd_y),
            half / np.square(sd_c),
            -np.log(sd_y) - np.float32(2.0) * np.log(sd_c) - np.float32(DENSITY.log_norm),
        )

    def at(self, index: npt.NDArray[np.intp]) -> Gauss:
        """The same of some pixels, by their flat indices."""
        return Gauss(self.inverse.take(index), self.colour_inverse.take(index), self.level.take(index))


@dataclass(frozen=True)
class Densities:
    """`Appearance.explain` before the picture. guessed: flat indices, (3, 4, N) features beside them, both inverses, what is given
    back, and (4, N) heights."""

    board: Gauss
    exact: Gauss | None
    guessed: tuple[npt.NDArray[np.intp], Floats, Floats, Floats, Floats, Floats] | None
    sides: tuple[Gauss, Gauss]
    same: Gauss
