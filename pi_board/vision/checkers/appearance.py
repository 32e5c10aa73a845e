"""What this board, these checkers and this light look like: learned from a known position, refreshed by others.

No colour picker: the starting position says where 15 + 15 checkers stand, so their colours, the empty board and
the fall of light over it can be read off. All of it is kept in the light of the first picture ("reference
light"); every later picture is brought to that light before it is compared.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.errors import AmbiguousError
from pi_board.vision.board.canvas import CHECKER_PX, Canvas, features
from pi_board.vision.board.orientation import Row
from pi_board.vision.checkers.light_fit import LightFit

Floats = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]
Planes = Sequence[npt.NDArray[Any]]
What = TypeVar("What")

#: Labels of reference pixels: what lay there when the position was accepted.
UNKNOWN, BOARD, LIGHT, DARK = -1, 0, 1, 2
#: Density of a pixel that nothing explains (three features, 8-bit levels), as a log.
OUTLIER = -13.0
#: Added to a squared distance or a log density, it says "not here".
FAR = 1e9
#: Brightness (8-bit levels) above which the bare board is also known exactly.
BRIGHT = 110.0
#: Noise until it is measured in the first picture that is learned from, 8-bit levels. Chosen by eye; no reading uses it.
FIRST_NOISE = 4.0
#: A new measurement of the noise within this share of the old one is ignored, so that everything derived from it can be reused.
SAME_NOISE = 0.05
#: So many pixels tell the noise.
NOISE_SAMPLE = 12000
#: Radius of a top, and of its inner part that tells its brightness, as shares of CHECKER_PX (a top's own radius is 0.5).
TOP_SHARE, INNER_SHARE = 0.48, 0.42
#: Side of a checker's patch on the canvas, px, and the part of it that is checker.
PATCH = 19
_rows, _columns = np.mgrid[:PATCH, :PATCH] - PATCH // 2
RADII = np.hypot(_rows, _columns).astype(np.float32)
_HALF = PATCH // 2
_SPAN = np.arange(PATCH) - _HALF
TOP = np.clip(CHECKER_PX * TOP_SHARE + 0.5 - RADII, 0.0, 1.0).astype(np.float32)
#: The pixels of a patch that are checker, in part at least, and how much of each.
_TOP_PIXELS = np.flatnonzero(TOP)
TOP_WEIGHTS = TOP.ravel()[_TOP_PIXELS]
_TOP_OFFSETS = np.stack([_TOP_PIXELS // PATCH, _TOP_PIXELS % PATCH], axis=1) - _HALF
#: The inner part of a top, by which its brightness is told, and which of those pixels it is.
_INNER = RADII < CHECKER_PX * INNER_SHARE
_INNER_AT = np.flatnonzero(_INNER.ravel()[_TOP_PIXELS])


@dataclass(frozen=True, slots=True)
class Learning:
    """Tuned numbers of what one accepted picture teaches. Lengths are in checker radii unless named px, levels are 8-bit.

    Source: chosen by eye on rendered boards (travel, wood, felt) and kept because the looks of
    `tests/bench/bench_vision.py` stay right with them. No sweep is recorded. Derived numbers say from what.
    """

    #: A pixel within `on` of a checker's middle is that checker; up to `beside` it is its edge and says nothing; from
    #: `in_shadow` on the board is bare and unshaded. 1 < beside < in_shadow.
    on: float = 0.96
    beside: float = 1.22
    in_shadow: float = 1.6
    #: Half side of the window in which a checker's distances are drawn, px: covers `in_shadow` checker radii (12.8 px).
    window: int = 14
    #: Share (0..1) of a new picture in what is remembered: of the bare board, and of a side's look.
    board_rate: float = 0.4
    side_rate: float = 0.3
    #: A patch teaches when at least this share (0..1) of it within `patch_radius` (share of CHECKER_PX) is the checker.
    clear: float = 0.97
    patch_radius: float = 0.44
    #: Part of a top that tells its brightness, share of CHECKER_PX.
    level_radius: float = 0.4
    #: Fewer checkers than this do not tell a side's colour.
    least_checkers: int = 3
    #: Checkers that are off the brightness plane by more than this (levels, and in medians of the error) do not count.
    off_plane: float = 8.0
    off_plane_medians: float = 3.0
    #: Levels below which a mean brightness is not divided by.
    dark: float = 4.0
    #: Largest relative change of brightness in 100 canvas px, and the least gain that such a slope may give.
    steepest: float = 0.35
    least_gain: float = 0.3
    #: How much brighter or darker than its side one checker may be (factors).
    own_low: float = 0.6
    own_high: float = 1.6
    #: Standard deviation per median absolute deviation (1 / 0.6745) and per mean absolute deviation (√(π/2)) of a Gaussian.
    sd_per_mad: float = 1.48
    sd_per_mean: float = 1.25
    #: Bounds of the spread of a side's colour, the least one of its pattern, and the part of the plain standard deviation below which
    #: the robust one is not trusted (levels; share).
    least_spread: float = 2.0
    least_top_spread: float = 1.0
    most_spread: float = 30.0
    plain_share: float = 0.6
    #: Weight of the Laplacian in the board's roughness: what half a pixel of misplacement shows.
    edge_share: float = 0.15
    #: Noise: the calmest fifth (percentile 20) of the field against its neighbours' mean. A fifth of a Gaussian lies within
    #: 0.253 standard deviations. Widened by 1.3 and by one level, within bounds (levels). The mean is a Gaussian blur, canvas px.
    calm_percentile: float = 20
    calm_sd: float = 0.253
    noise_blur: float = 1.2
    noise_gain: float = 1.3
    noise_floor: float = 1.0
    least_noise: float = 1.8
    most_noise: float = 12.0
    #: The same from the change since the reference: its calmest 30 % lie within 0.385 standard deviations. Only pixels without
    #: edges (roughness in levels) count, and at least so many.
    change_share: float = 0.3
    change_sd: float = 0.385
    change_floor: float = 0.8
    smooth: float = 6.0
    least_calm: int = 500
    #: The sharpness is told by the roughest fifth of the picture.
    edges_percentile: float = 80


@dataclass(frozen=True, slots=True)
class Guessing:
    """Tuned numbers of the guess what the board looks like under the checkers of the first picture. Levels are 8-bit.

    Source: as of `Learning`.
    """

    #: Doubt (standard deviation, levels) where nothing like it is seen, and on a bar that is seen elsewhere.
    doubt: float = 14.0
    bar_doubt: float = 4.0
    #: A point of which this share (0..1) is seen needs no guess.
    seen: float = 0.98
    #: The gain between two points is pulled to 1 as if so many more pixels of this level agreed, and bounded.
    firm: float = 200 * 50.0**2
    least_gain: float = 0.75
    most_gain: float = 1.33
    #: Weight of a like point: falls by this factor (log) for each like point on the way, and to `across_bar` beyond the bar,
    #: where the places are less certain.
    distance: float = 0.5
    across_bar: float = 0.03
    #: Sum of weights below which there is no guess.
    least_weight: float = 0.005
    #: A change of light that like points show is carried to what checkers cover when it is more than so many times the noise, and
    #: more than this share of the brightness; this share of the change is doubt. (A dusk after glare, seed 350004 of the campaign:
    #: bare points that had been covered since before were expected 40 % too bright and read as checkers.)
    change_noise: float = 1.5
    change_share: float = 0.06
    change_doubt: float = 0.5
    #: Doubt of a guess: a floor, a share of the spread of the like points, a share of the brightness, and the most (levels).
    least_doubt: float = 1.5
    spread_share: float = 0.5
    level_share: float = 0.03
    most_doubt: float = 9.0


@dataclass(frozen=True, slots=True)
class Shading:
    """Tuned standard deviations of `Appearance.mahalanobis`: floors in levels, the others as shares.

    Source: as of `Learning`; the gate's threshold on the distance was chosen with them.
    """

    #: Noise (levels) from which neighbourhoods are 5 px wide instead of 3, and the width at which noise counts in full.
    noisy: float = 4.0
    noise_width: float = 2.0
    #: Against the reference and the bare board: floors of brightness and colour, shares of roughness, of the brightness and of doubt.
    level: float = 3.0
    colour: float = 2.5
    rough: float = 0.3
    rough_colour: float = 0.2
    bright_reference: float = 0.05
    bright_bare: float = 0.06
    doubt_colour: float = 0.7
    #: Colour floor (levels) and gain bounds of the board in a checker's shadow; levels added before the quotient.
    shadow_colour: float = 3.5
    shadow_low: float = 0.3
    shadow_high: float = 1.05
    shadow_black: float = 2.0
    #: The same of a checker in other light than where its like was learned.
    checker_level: float = 4.0
    checker_colour: float = 3.0
    checker_bright: float = 0.05
    checker_low: float = 0.6
    checker_high: float = 1.4
    checker_black: float = 4.0
    #: Radii (checker diameters) within which a checker is tried, and within which the board may lie in its shadow.
    top: float = 0.62
    around: float = 1.1


@dataclass(frozen=True, slots=True)
class Density:
    """Tuned standard deviations of the log densities of `Appearance.explain` and `Appearance.top_ratio`.

    Shares are of roughness, noise, doubt or brightness as named; floors in 8-bit levels. Source: as of `Learning`.
    """

    #: 1.5 · ln 2π = 2.757: the norm of a Gaussian of three features, as it was rounded when the thresholds were chosen.
    log_norm: float = 2.76
    #: An outlier's log density: so much below OUTLIER, where a Gaussian stops falling.
    below_outlier: float = 3.0
    #: The bare board: brightness varies with shading, colour differences less so.
    shade: float = 0.05
    rough: float = 0.8
    colour: float = 0.7
    colour_floor: float = 1.0
    #: A bright bare point known exactly: shares of doubt, roughness and shade, of them all for the colours, and their floor.
    exact_doubt: float = 0.4
    exact_rough: float = 0.35
    exact_shade: float = 0.4
    exact_colour: float = 0.6
    exact_colour_floor: float = 0.8
    #: Prior of the exact look.
    exact_prior: float = 0.5
    #: A guessed board may lie so many px beside the true one (nats for each), and gets back this share of what doubt costs.
    shift: float = 0.2
    eased: float = 0.8
    #: As in the reference: shares of brightness and roughness.
    same_bright: float = 0.03
    same_rough: float = 0.7
    #: A side's plain colour: shares of brightness and noise.
    flat_bright: float = 0.06
    flat_noise: float = 0.7
    #: A learned top: its spread is widened, a share of the side's brightness and of the noise is added.
    top_spread: float = 1.3
    top_bright: float = 0.03
    top_noise: float = 1.2
    top_colour: float = 1.0
    #: Brightness of one checker against what its place suggests: a factor within bounds (in a hard shadow half as bright),
    #: levels added before the quotient, and what it costs (nats per squared log factor).
    free_low: float = 0.5
    free_high: float = 1.4
    free_black: float = 6
    free_cost: float = 4.0
    #: The gain that a side's slope of brightness may give at a place.
    slope_low: float = 0.6
    slope_high: float = 1.6
    #: Nats by which a side's plain colour is worse than its learned top.
    plain_cost: float = 0.3


LEARNING, GUESSING, SHADING, DENSITY = Learning(), Guessing(), Shading(), Density()


@dataclass(frozen=True, slots=True)
class Disc:
    """A checker's top on the canvas. x, y: px; side 0 light, 1 dark; point: slot 0-23, 24/25 = bar."""

    x: float
    y: float
    side: int
    slot: int
    layer: int = 0


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


class Appearance:
    """The learned look of one board on one canvas."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas
        shape = (canvas.height, canvas.width)
        self.reference = np.zeros((*shape, 3), np.float32)  # BGR, reference light
        self.label = np.full(shape, UNKNOWN, np.int8)
        self.board = np.zeros((*shape, 3), np.float32)  # features of the empty board
        self.doubt = np.zeros(shape, np.float32)  # its standard deviation beyond noise
        self.seen = np.zeros(shape, bool)  # where the empty board has really been seen
        self.sides: list[SideLook] = []
        self.discs: list[Disc] = []
        self.counts = np.zeros(28, np.int64)  # signed, of the reference picture
        self.noise = FIRST_NOISE
        self._hidden = np.nonzero(np.zeros(shape, bool))
        #: What follows from all that, worked out when first asked for, until something is learned again.
        self._derived: dict[Any, Any] = {}
        #: The part of the picture that says something, the reference and the light on it.
        self._light: tuple[Mask, Floats, LightFit] | None = None
        self._centre = np.array([(canvas.width - 1) / 2, (canvas.height - 1) / 2])

    # -- learning -----------------------------------------------------------------------------------------

    def learn(
        self,
        bgr: Floats,
        discs: list[Disc],
        ignore: Mask,
        *,
        columns: Floats,
        fresh: bool,
        shy: Mask | None = None,
        guess: bool = True,
    ) -> None:
        """Take `bgr` ((H, W, 3) float32, reference light) with checkers at `discs` as the truth.

        ignore: (H, W) where dice, the cube or the picture's end make pixels say nothing.
        columns: (12, 2) canvas x of the columns' middles, by `Row`.
        fresh: forget what was known (a first picture). shy: (H, W) where checkers may be, though nobody knows
        exactly where: not taken for empty board. guess: guess anew what a first picture's checkers cover.
        """
        radius = CHECKER_PX / 2
        f = features(bgr)
        near = np.full(self.label.shape, 1e3, np.float32)
        label = np.zeros(self.label.shape, np.int8)
        for d in sorted(discs, key=lambda d: d.layer):
            reach = LEARNING.window
            x0, x1 = max(0, int(d.x - reach)), min(self.canvas.width, int(d.x + reach + 1))
            y0, y1 = max(0, int(d.y - reach)), min(self.canvas.height, int(d.y + reach + 1))
            if x0 >= x1 or y0 >= y1:
                continue
            yy, xx = np.mgrid[y0:y1, x0:x1]
            r = np.hypot(xx - d.x, yy - d.y).astype(np.float32)
            window = near[y0:y1, x0:x1]
            label[y0:y1, x0:x1][r < radius * LEARNING.on] = LIGHT + d.side
            np.minimum(window, r, out=window)
        label[(near >= radius * LEARNING.on) & (near < radius * LEARNING.beside)] = UNKNOWN
        label[ignore | ~self.canvas.inside] = UNKNOWN
        if shy is not None:
            label[shy & (label == BOARD)] = UNKNOWN
        # Beside a checker the board lies in its shadow: fit to be recognised again, not to be learned as bare board.
        free = (label == BOARD) & (near > radius * LEARNING.in_shadow)
        if fresh:
            self.noise = _noise(f, self.canvas.field)
            _put(f, free, self.board)
            self.seen = free.copy()
            if guess:
                self._guess_covered(f, columns)
            else:
                self.doubt[free] = 0.0
        else:
            new, old = free & ~self.seen, free & self.seen
            self._carry_change(f, old, columns)
            _put(f, new, self.board)
            blend = cv2.addWeighted(self.board, 1.0 - LEARNING.board_rate, f, LEARNING.board_rate, 0.0)
            _put(np.asarray(blend), old, self.board)
            self.seen |= free
            self.doubt[free] = 0.0
        self._hidden = np.nonzero((self.doubt > 0) & self.canvas.field)
        self._learn_sides(f, label, discs, fresh)
        self.reference, self.label, self.discs = bgr.copy(), label, discs
        smooth = cv2.blur(self.board, (3, 3))
        # Half a pixel of misplacement shows wherever the board has edges.
        self.rough: Floats = (
            _largest(np.abs(self.board - smooth))
            + np.abs(cv2.Laplacian(self.board[:, :, 0], cv2.CV_32F)) * LEARNING.edge_share
        )
        self.rough = cv2.dilate(self.rough, np.ones((2, 2), np.uint8))
        rf = features(self.reference)
        self.reference_features = rf
        self.reference_rough = cv2.dilate(
            _largest(np.abs(rf - cv2.blur(rf, (3, 3)))), np.ones((2, 2), np.uint8)
        )
        self._derived = {}

    def forget(self, where: Mask) -> None:
        """`where` (H, W) the reference shows something that is no part of board and game: the bare board takes its place."""
        self.reference[where] = _to_bgr(self.board[where])
        self.reference_features[where] = self.board[where]
        self.label[where] = UNKNOWN
        self._derived = {}

    def known(self) -> dict[str, Any]:
        """All that is known now, for `restore`."""
        mine = dict(self.__dict__)
        return mine | {name: mine[name].copy() for name in ("board", "doubt", "seen")}

    def restore(self, known: dict[str, Any]) -> None:
        """What has been learned since `known` was taken is forgotten."""
        self.__dict__.update(known)

    def _learn_sides(self, f: Floats, label: npt.NDArray[np.int8], discs: list[Disc], fresh: bool) -> None:
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
            if len(mine) < LEARNING.least_checkers:
                if fresh or not self.sides:
                    raise AmbiguousError("too few checkers are seen clearly to learn a side's colour")
                sides.append(self.sides[side])
                continue
            inner = CHECKER_PX * LEARNING.level_radius > RADII
            level = np.median(patches[:, inner, 0], axis=1)
            spots = np.array([(d.x, d.y) for d in mine]) - self._centre
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
            if not fresh and self.sides:
                old = self.sides[side]
                rate, kept = LEARNING.side_rate, 1 - LEARNING.side_rate
                mean = kept * old.mean + rate * mean
                spread = kept * old.spread + rate * spread
                slope = kept * old.slope + rate * slope
                top = kept * old.top + rate * top
                top_spread = kept * old.top_spread + rate * top_spread
            sides.append(SideLook(mean, spread, top, top_spread, slope))
        self.sides = sides

    def _guess_covered(self, f: Floats, columns: Floats) -> None:
        """Under the checkers of the first picture the board is taken from like points of the same row.

        columns: (12, 2) canvas x of each column's middle, by `Row`.
        """
        c = self.canvas
        hidden = ~self.seen
        _put(f, hidden, self.board)
        clear = cv2.erode(self.seen.astype(np.uint8), np.ones((7, 7), np.uint8)).astype(bool)
        self.doubt = np.where(self.seen, 0.0, GUESSING.doubt).astype(np.float32)
        # The bar is much the same all along.
        bar = c.rectangle(
            -c.profile.bar_width / 2,
            -c.profile.field_height / 2,
            c.profile.bar_width / 2,
            c.profile.field_height / 2,
        )
        strip, bare = f[bar], self.seen[bar]
        if bare.any(axis=0).all():
            along = np.ma.median(
                np.ma.masked_array(strip, ~np.repeat(bare[..., None], 3, axis=2)), axis=0
            ).filled(0.0)
            self.board[bar][~bare] = np.broadcast_to(along[None], strip.shape)[~bare]
            self.doubt[bar][~bare] = GUESSING.bar_doubt
        for like in self._like_points(columns):
            self._guess_points(f, clear, like)
        # Where nothing like it is seen, it is about what is around it.
        nowhere = hidden & c.field & (self.doubt == GUESSING.doubt)
        if nowhere.any():
            bare = np.clip(_to_bgr(self.board), 0, 255).astype(np.uint8)
            around = cv2.inpaint(bare, nowhere.astype(np.uint8), 3, cv2.INPAINT_TELEA)
            _put(features(around.astype(np.float32)), nowhere, self.board)

    def _like_points(self, columns: Floats) -> list[list[tuple[slice, slice]]]:
        """The points' windows on the canvas, every second one of a row together: those look alike. columns: as in `learn`."""
        c = self.canvas
        half = int(0.5 * c.profile.point_width * c.px_per_cm) + 1
        middle = c.place([[0.0, 0.0]])[0][1]
        top = c.place([[0.0, c.profile.field_height / 2]])[0][1]
        bottom = 2 * middle - top
        out = []
        for row, low, high in ((Row.NEAR, middle, bottom), (Row.FAR, top, middle)):
            rows = slice(max(0, round(low)), min(c.height, round(high) + 1))
            windows = [(rows, slice(round(x) - half, round(x) + half + 1)) for x in columns[:, row]]
            out += [windows[parity::2] for parity in (0, 1)]
        return out

    def _carry_change(self, f: Floats, bare: Mask, columns: Floats) -> None:
        """The light on the board has changed: what checkers cover has changed as the same places of like points have.

        f: (H, W, 3) features of the picture; bare: (H, W) where it shows board that has been seen before.
        """
        shown = bare.astype(np.float32)
        change = cv2.blur((f - self.board) * shown[..., None], (3, 3))
        share = cv2.blur(shown, (3, 3))
        change = np.where(bare[..., None], change / np.maximum(share, 1e-3)[..., None], 0.0).astype(
            np.float32
        )
        for like in self._like_points(columns):
            changes = np.stack([change[b] for b in like]).reshape(len(like), -1, 3)
            known = np.stack([shown[b] for b in like]).reshape(len(like), -1)
            shape = change[like[0]].shape[:2]
            # (No mean of changes is larger than the largest of them, and most are small.)
            enough = np.abs(changes[..., 0]).max(axis=0) > GUESSING.change_noise * self.noise
            for i, b in enumerate(like):
                covered = np.flatnonzero((known[i] == 0) & enough)
                weight = known[:, covered] * _alike(i, len(like))[:, None]
                total, mean, spread = _mean_of_like(weight, changes[:, covered])
                rows, places = np.unravel_index(covered, shape)
                level = np.abs(self.board[b][rows, places, 0])
                size = np.abs(mean[:, 0])
                use = (total > GUESSING.least_weight) & (size > GUESSING.change_noise * self.noise)
                use &= size > GUESSING.change_share * level
                at = rows[use], places[use]
                self.board[b][at] += LEARNING.board_rate * mean[use]
                doubt = GUESSING.least_doubt + GUESSING.spread_share * spread[use]
                doubt += GUESSING.change_doubt * size[use]
                self.doubt[b][at] = np.maximum(self.doubt[b][at], np.minimum(doubt, GUESSING.most_doubt))

    def _guess_points(self, f: Floats, clear: Mask, like: list[tuple[slice, slice]]) -> None:
        """Hidden pixels of points that are alike, from one another. clear: (H, W) bare board away from all shadows."""
        colour = np.stack([f[b] for b in like]).reshape(len(like), -1, 3)
        known, deep = (
            np.stack([mask[b] for b in like]).reshape(len(like), -1).astype(np.float32)
            for mask in (self.seen, clear)
        )
        # Both points show some bare board away from shadows. Use it to match the light of one to the other.
        y = colour[..., 0] * deep
        firm = np.float32(GUESSING.firm)
        gains = (y @ y.T + firm) / (deep @ np.square(y).T + firm)
        gains = np.clip(gains, GUESSING.least_gain, GUESSING.most_gain)
        shape = f[like[0]].shape[:2]
        for i, b in enumerate(like):
            if known[i].mean() > GUESSING.seen:
                continue
            missing = np.flatnonzero(known[i] == 0)
            weight = known[:, missing] * _alike(i, len(like))[:, None]
            theirs = colour[:, missing] * gains[i][:, None, None]
            total, mean, spread = _mean_of_like(weight, theirs)
            use = total > GUESSING.least_weight
            doubt = GUESSING.least_doubt + GUESSING.spread_share * spread[use]
            doubt += GUESSING.level_share * np.abs(mean[use, 0])
            rows, columns = np.unravel_index(missing[use], shape)
            self.board[b][rows, columns] = mean[use]
            self.doubt[b][rows, columns] = np.minimum(doubt, GUESSING.most_doubt)

    # -- explaining ---------------------------------------------------------------------------------------

    def _once(self, what: Any, work: Callable[[], What]) -> What:
        """`work()`, done once until something is learned again."""
        found = self._derived.get(what)
        if found is None:
            found = self._derived[what] = work()
        return found  # type: ignore[no-any-return]

    def _with_noise(self, what: str, work: Callable[[], What]) -> What:
        """`work()`, done once for the noise of now."""
        found = self._derived.get(what)
        if found is None or found[0] != self.noise:
            found = self._derived[what] = (self.noise, work())
        return found[1]  # type: ignore[no-any-return]

    def to_reference(self, bgr: Floats, use: Mask) -> tuple[Floats, float]:
        """The picture in reference light, and how much of it agrees with the reference (0..1)."""
        # `use` is one array for as long as the same of the board is in view.
        if self._light is None or self._light[0] is not use or self._light[1] is not self.reference:
            self._light = (
                use,
                self.reference,
                LightFit(self.reference, use, self._light[2] if self._light is not None else None),
            )
        gain, agree = self._light[2].between(bgr)
        bgr = bgr / gain
        calm, reference = self._once("calm", self._calm)
        if len(calm) > LEARNING.least_calm:
            error = np.abs(bgr.reshape(-1, 3)[calm, 1] - reference)
            nth = int(LEARNING.change_share * (len(error) - 1))
            error.partition(nth)
            noise = LEARNING.noise_gain * error[nth] / LEARNING.change_sd + LEARNING.change_floor
            noise = float(np.clip(noise, LEARNING.least_noise, LEARNING.most_noise))
            if abs(noise / self.noise - 1.0) > SAME_NOISE:
                self.noise = noise
        return bgr, agree

    def _calm(self) -> tuple[npt.NDArray[np.intp], Floats]:
        """Pixels of the field without edges, thinned out evenly, and the reference's green there."""
        calm = np.flatnonzero((self.reference_rough < LEARNING.smooth) & self.canvas.field)
        calm = calm[:: max(1, len(calm) // NOISE_SAMPLE)] if len(calm) > LEARNING.least_calm else calm
        return calm, self.reference.reshape(-1, 3)[calm, 1]

    def sharpness(self) -> tuple[npt.NDArray[np.intp], float]:
        """Pixels at which the reference shows the bare board's edges, and how sharp they are there (median of the Laplacian)."""
        return self._once("sharpness", self._sharpness)

    def _sharpness(self) -> tuple[npt.NDArray[np.intp], float]:
        known = (self.label != UNKNOWN) & self.canvas.field
        if not known.any():
            return np.zeros(0, np.intp), 0.0
        edges = np.flatnonzero(
            known
            & (self.reference_rough > np.percentile(self.reference_rough[known], LEARNING.edges_percentile))
        )
        before = np.abs(cv2.Laplacian(self.reference_features[..., 0], cv2.CV_32F)).ravel()[edges]
        return edges, float(np.median(before)) if len(edges) else 0.0

    def side_features(self, side: int) -> Planes:
        """Three (H, W) features of a checker of that side, wherever it stands."""

        def work() -> Planes:
            look = self.sides[side]
            h, w = self.label.shape
            gx = (np.arange(w, dtype=np.float32) - self._centre[0]) * look.slope[0]
            gy = (np.arange(h, dtype=np.float32) - self._centre[1]) * look.slope[1]
            gain = 1.0 + gx[None, :] + gy[:, None]
            gain = np.clip(gain, DENSITY.slope_low, DENSITY.slope_high).astype(np.float32)
            return tuple(gain * np.float32(m) for m in look.mean)  # type: ignore[return-value]

        return self._once(("side", side), work)

    def _planes(self, name: str) -> Planes:
        """The three planes of a kept (H, W, 3) array."""
        return self._once(name, lambda: cv2.split(getattr(self, name)))  # type: ignore[arg-type,return-value]

    def brightness_before(self) -> tuple[Floats, Floats]:
        """(H, W) each: brightness and roughness of the last accepted picture."""
        return self._planes("reference_features")[0], self.reference_rough

    def _outside(self) -> Floats:
        """(H, W) 0 on the field, very large beside it: added, it takes the bare board's word from what lies there."""
        return self._once("outside", lambda: np.where(self.canvas.field, 0.0, FAR).astype(np.float32))

    def mahalanobis(self, f: Floats, seen: list[Disc], far: float = 0.0) -> tuple[Floats, Floats]:
        """(H, W) how many standard deviations each pixel's neighbourhood is away from the best of all it could be:
        as before, the bare board, or a checker where one was seen; and the same without the checkers. f: features, reference light.

        Neighbourhoods, because noise averages out and a hand does not. far: what is no further than that from the picture as it was is
        not compared with anything else.
        """
        m = SHADING
        k = 3 if self.noise < m.noisy else 5
        noise = self.noise * (m.noise_width / k)

        def smoothed() -> tuple[Planes, Planes, Floats, Floats]:
            return (
                cv2.split(cv2.blur(self.reference_features, (k, k))), cv2.split(cv2.blur(self.board, (k, k))),  # type: ignore[return-value]
                cv2.blur(self.reference_rough, (k, k)), cv2.blur(self.rough, (k, k)),
            )  # fmt: skip

        reference, bare, reference_rough, rough = self._once(("smooth", k), smoothed)

        def spreads() -> tuple[Floats, Floats, Floats, Floats, Floats]:
            n, rough_share = np.float32(noise), np.float32(m.rough)
            rough_colour, doubt_colour = np.float32(m.rough_colour), np.float32(m.doubt_colour)
            return (
                m.level + n + rough_share * reference_rough,
                1.0 / np.square(m.colour + n + rough_colour * reference_rough),
                m.level + n + rough_share * rough + self.doubt,
                1.0 / np.square(m.colour + n + rough_colour * rough + doubt_colour * self.doubt),
                1.0 / np.square(m.shadow_colour + n + rough_share * rough),
            )

        ref_sd, ref_colour, bare_sd, bare_colour, shadow_colour = self._with_noise("mahalanobis", spreads)
        smooth = cv2.split(cv2.blur(f, (k, k)))
        whole = _distance(smooth, reference, ref_sd + np.float32(m.bright_reference) * smooth[0], ref_colour)
        left = np.flatnonzero(whole > far**2)

        def at(plane: Floats) -> Floats:
            return patches_at(plane, left)

        best, here, empty = at(whole), tuple(at(p) for p in smooth), tuple(at(p) for p in bare)
        y = here[0]
        sd = at(bare_sd) + np.float32(m.bright_bare) * y
        np.minimum(best, _distance(here, empty, sd, at(bare_colour)) + at(self._outside()), out=best)
        np.sqrt(whole, out=whole)
        without = whole.copy()
        without.reshape(-1)[left] = np.sqrt(best)
        around = np.full(whole.shape, FAR, np.float32)
        for side in (0, 1):
            mine = [d for d in seen if d.side == side]
            if not mine:
                continue
            middles = np.rint([(d.x, d.y) for d in mine]).astype(np.intp)
            tops = np.full(whole.shape, FAR, np.float32)
            _fill_discs(tops, middles, _TOP_AT)
            _fill_discs(around, middles, _AROUND_AT)
            look, expected = self.sides[side], tuple(at(p) for p in self.side_features(side))
            # A checker may stand in other light than where its like was learned: brightness is free within bounds.
            black = np.float32(m.checker_black)
            free = np.clip((y + black) / (expected[0] + black), m.checker_low, m.checker_high)
            floor = np.float32(float(look.spread[0]) + noise + m.checker_level)
            top_sd = floor + np.float32(m.checker_bright) * expected[0]
            colour = np.float32(1.0 / (float(look.spread[1:].max()) + noise + m.checker_colour) ** 2)
            np.minimum(best, _distance(here, expected, top_sd, colour, free) + at(tops), out=best)
        if seen:
            # Beside a checker lie its own side and its shadow: the board, only darker.
            black = np.float32(m.shadow_black)
            free = np.clip((y + black) / (empty[0] + black), m.shadow_low, m.shadow_high)
            np.minimum(best, _distance(here, empty, sd, at(shadow_colour), free) + at(around), out=best)
        whole.reshape(-1)[left] = np.sqrt(best)
        return whole, without

    def _flat_spread(self, side: int) -> tuple[float, float]:
        """Standard deviations (brightness, colour) about a side's plain colour."""
        look = self.sides[side]
        y = float(look.spread[0] + DENSITY.flat_bright * abs(look.mean[0]) + self.noise)
        return y, float(look.spread[1:].max()) + DENSITY.flat_noise * self.noise + DENSITY.colour_floor

    def top_ratio(
        self, f: Planes, board: Floats, plain: Floats, side: int, places: Floats, index: npt.NDArray[np.intp]
    ) -> Floats:
        """(N, M) log-ratio of each pixel of a top: a checker of `side` with its top there, against `board`.

        f: three (H, W) features; board: (H, W) log densities of what the picture shows if no checker is there.
        plain: (H, W) log densities of the side's plain colour or its unchanged look, the second opinion where glare
        or a hard shadow moves the pattern about. Each checker may be somewhat brighter or darker than its place suggests.
        places: (N, 2) canvas px; index: their `top_index`.
        """
        look = self.sides[side]

        def known() -> tuple[Planes, Floats, Floats, Floats, float]:
            wide = look.top_spread * DENSITY.top_spread
            bright = DENSITY.top_bright * abs(float(look.mean[0]))
            sd_y = np.hypot(wide[..., 0] + bright, DENSITY.top_noise * self.noise)
            sd_c = np.hypot(wide[..., 1:].max(axis=-1) + DENSITY.top_colour, self.noise)
            level = -np.log(sd_y) - 2 * np.log(sd_c) - DENSITY.log_norm
            planes = (*np.moveaxis(look.top, 2, 0), -0.5 / sd_y**2, -0.5 / sd_c**2, level)
            y, r, b, inverse, colour_inverse, level = (
                plane.ravel()[_TOP_PIXELS].astype(np.float32) for plane in planes
            )
            return (y, r, b), inverse, colour_inverse, level, float(np.median(y[_INNER_AT]))

        top, inverse, colour_inverse, level, usual = self._with_noise(f"top {side}", known)
        y, r, b = (patches_at(plane, index) for plane in f)
        gain = 1 + (places - self._centre) @ look.slope
        gain = np.clip(gain, DENSITY.slope_low, DENSITY.slope_high)
        seen = _medians(y[:, _INNER_AT])
        black = DENSITY.free_black
        free = np.clip((seen + black) / (gain * usual + black), DENSITY.free_low, DENSITY.free_high)
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
        np.maximum(y, np.float32(OUTLIER - DENSITY.below_outlier), out=y)
        np.maximum(y, patches_at(plain, index) - np.float32(DENSITY.plain_cost), out=y)
        y -= (DENSITY.free_cost * np.square(np.log(free))).astype(np.float32)[:, None]
        y -= patches_at(board, index)
        return y

    def explain(self, bgr: Floats) -> Explanation:
        """Log densities of every pixel of `bgr` (reference light) under each thing it could be."""
        f = features(bgr)
        planes: Planes = cv2.split(f)  # type: ignore[assignment]
        known = self._with_noise("explain", self._known_densities)
        bare, same = self._planes("board"), self._planes("reference_features")
        board = _density(planes, bare, known.board)
        if known.exact is not None:
            # A bare point looks as it was learned, or nearly so: the light differs, or it is a pixel off. "Nearly" is wider on bright
            # points. So both densities are needed, or a white checker's narrow one would explain a white point better.
            np.maximum(board, _density(planes, bare, known.exact), out=board)
        if known.guessed is not None:
            # A guessed board may lie a pixel or two beside the true one.
            at, beside, inverse, colour_inverse, ease, shifts = known.guessed
            flat, here = board.reshape(-1), f.reshape(-1, 3)[at].T
            most = flat[at]
            q = np.square(here[0] - beside[0]) * inverse
            q += (np.square(here[1] - beside[1]) + np.square(here[2] - beside[2])) * colour_inverse
            q += shifts
            np.maximum(most, q.max(axis=0), out=most)
            # A badly known board is no evidence for a checker, so most of what the wide density costs is given back.
            flat[at] = most + ease
        sides = [_density(planes, self.side_features(side), known.sides[side]) for side in (0, 1)]
        return Explanation(f, planes, board, sides[0], sides[1], _density(planes, same, known.same))

    def _known_densities(self) -> _Densities:
        """What of the densities does not depend on the picture."""
        noise = np.float32(self.noise)
        ground = np.abs(self.board[..., 0])
        # Brightness varies with shading, colour differences less so.
        shade = np.float32(DENSITY.shade) * ground
        doubtful = noise + self.doubt + np.float32(DENSITY.rough) * self.rough
        sd, colour_sd = (
            doubtful + shade,
            np.float32(DENSITY.colour) * doubtful + np.float32(DENSITY.colour_floor),
        )
        board, exact = _Gauss.of(sd, colour_sd), None
        bright = self.board[..., 0] > BRIGHT
        if bright.any():
            m = DENSITY
            grain = noise + np.float32(m.exact_doubt) * self.doubt + np.float32(m.exact_rough) * self.rough
            exact = _Gauss.of(
                grain + np.float32(m.exact_shade) * shade,
                np.float32(m.exact_colour) * grain + np.float32(m.exact_colour_floor),
            )
            prior = np.float32(np.log(m.exact_prior))
            exact.level[...] = np.where(bright, exact.level + prior, -FAR)
        guessed = None
        if len(self._hidden[0]):
            rows, columns = self._hidden
            w = self.label.shape[1]
            at = rows * w + columns
            shifts = np.array((-2, -1, 1, 2))
            there = self.board.reshape(-1, 3)[rows * w + np.clip(columns + shifts[:, None], 0, w - 1)]
            here_sd, here_colour, doubt = (
                sd.reshape(-1)[at],
                colour_sd.reshape(-1)[at],
                self.doubt.reshape(-1)[at],
            )
            ease = np.log(here_sd / (here_sd - doubt)) + 2.0 * np.log(
                here_colour / (here_colour - DENSITY.colour * doubt)
            )
            level = board.level.reshape(-1)[at] - (DENSITY.shift * np.abs(shifts))[:, None].astype(np.float32)
            guessed = (
                at, np.ascontiguousarray(there.transpose(2, 0, 1)), board.inverse.reshape(-1)[at], board.colour_inverse.reshape(-1)[at],
                (DENSITY.eased * ease).astype(np.float32), level,
            )  # fmt: skip
        sides = []
        for side in (0, 1):
            y, chroma = self._flat_spread(side)
            sides.append(_Gauss.of(np.float32(y), np.float32(chroma)))
        rough = noise + np.float32(DENSITY.same_rough) * self.reference_rough
        same = _Gauss.of(
            noise
            + np.float32(DENSITY.same_bright) * self.reference[..., 1]
            + np.float32(DENSITY.same_rough) * self.reference_rough,
            np.float32(DENSITY.colour) * rough + np.float32(DENSITY.colour_floor),
        )
        return _Densities(board, exact, guessed, (sides[0], sides[1]), same)


def _alike(i: int, n: int) -> Floats:
    """(n,) how much each of `n` like points of a row tells about the `i`-th."""
    others = np.arange(n)
    share = np.exp(-GUESSING.distance * np.abs(others - i))
    share[others // 3 != i // 3] *= GUESSING.across_bar
    share[i] = 0.0
    return share.astype(np.float32)


def _mean_of_like(weight: Floats, values: Floats) -> tuple[Floats, Floats, Floats]:
    """What like points say of M pixels: (M,) sum of their weights, (M, 3) weighted mean, (M,) standard deviation of its brightness.
    weight: (N, M). values: (N, M, 3) features."""
    total = weight.sum(axis=0)
    least = np.maximum(total, 1e-6)
    mean = np.einsum("jm,jmc->mc", weight, values) / least[:, None]
    square = np.einsum("jm,jm->m", weight, np.square(values[..., 0])) / least
    return total, mean, np.sqrt(np.maximum(square - np.square(mean[:, 0]), 0.0))


def cut(image: Floats, places: list[Disc]) -> Floats:
    """(N, PATCH, PATCH[, C]) patches of a (H, W[, C]) image around places rounded to whole px; edge pixels repeat."""
    return patches_at(
        image, patch_index(image.shape[:2], np.array([(d.x, d.y) for d in places]).reshape(-1, 2))
    )


def patch_index(shape: Sequence[int], places: Floats) -> npt.NDArray[np.intp]:
    """(N, PATCH, PATCH) flat indices of the patches around (N, 2) places x, y of an image of this (H, W)."""
    h, w = shape[0], shape[1]
    at = np.rint(places).astype(np.intp)
    if len(at) and (at.min() < _HALF or at[:, 1].max() >= h - _HALF or at[:, 0].max() >= w - _HALF):
        rows, columns = np.clip(at[:, 1:] + _SPAN, 0, h - 1), np.clip(at[:, :1] + _SPAN, 0, w - 1)
        return rows[:, :, None] * w + columns[:, None, :]
    return (at[:, 1] * w + at[:, 0])[:, None, None] + (_SPAN[:, None] * w + _SPAN)


def top_index(shape: Sequence[int], places: Floats) -> npt.NDArray[np.intp]:
    """(N, M) flat indices of the pixels of a checker's top at (N, 2) places x, y of an image of this (H, W); weights: `TOP_WEIGHTS`."""
    h, w = shape[0], shape[1]
    at = np.rint(places).astype(np.intp)
    if len(at) and (at.min() < _HALF or at[:, 1].max() >= h - _HALF or at[:, 0].max() >= w - _HALF):
        return patch_index(shape, places).reshape(len(places), -1)[:, _TOP_PIXELS]
    return np.asarray((at @ (1, w))[:, None] + _TOP_OFFSETS @ (w, 1))


def patches_at(image: Floats, index: npt.NDArray[np.intp]) -> Floats:
    """Patches of a (H, W[, C]) image at a `patch_index`."""
    if image.ndim == 2:
        return image.reshape(-1).take(index)  # type: ignore[no-any-return]
    return image.reshape(-1, *image.shape[2:]).take(index, axis=0)  # type: ignore[no-any-return]


def _disc(diameters: float) -> npt.NDArray[np.intp]:
    """(N, 2) px x, y from its middle of a filled circle with this radius in checker diameters."""
    radius = round(diameters * CHECKER_PX)
    side = 2 * radius + 1
    drawn = np.zeros((side, side), np.uint8)
    cv2.circle(drawn, (radius, radius), radius, 1, -1)
    return np.argwhere(drawn)[:, ::-1] - radius


_TOP_AT, _AROUND_AT = _disc(SHADING.top), _disc(SHADING.around)


def _fill_discs(plane: Floats, middles: npt.NDArray[np.intp], disc: npt.NDArray[np.intp]) -> None:
    """`plane` (H, W) becomes 0 on a `_disc` around each of (N, 2) px x, y; what lies outside is left out."""
    h, w = plane.shape
    x, y = middles[:, :1] + disc[:, 0], middles[:, 1:] + disc[:, 1]
    inside = (x >= 0) & (y >= 0) & (x < w) & (y < h)
    plane.reshape(-1)[(y * w + x)[inside]] = 0.0


def _medians(rows: Floats) -> Floats:
    """(N,) median of each row of (N, M), which are put out of order."""
    middle = rows.shape[1] // 2
    if rows.shape[1] % 2:
        rows.partition(middle, axis=1)
        return rows[:, middle]
    rows.partition((middle - 1, middle), axis=1)
    return 0.5 * (rows[:, middle - 1] + rows[:, middle])


def _noise(f: Floats, where: Mask) -> float:
    """Standard deviation of brightness noise (8-bit levels), from pixels against their neighbours' mean."""
    y = f[..., 0]
    rough = np.abs(y - cv2.GaussianBlur(y, (5, 5), LEARNING.noise_blur))[where]
    # Use the calmest fifth of the board only: grain and edges are not noise.
    m = LEARNING
    noise = m.noise_gain * np.percentile(rough, m.calm_percentile) / m.calm_sd + m.noise_floor
    return float(np.clip(noise, m.least_noise, m.most_noise))


def _put(values: Floats, where: Mask, into: Floats) -> None:
    """`into` (H, W, C) gets the `values` (H, W, C) at the pixels `where`. (numpy's own takes five times as long.)"""
    cv2.copyTo(values, where.view(np.uint8), into)


def _to_bgr(f: Floats) -> Floats:
    """BGR of features (the inverse of `features`)."""
    y, rg, bg = f[..., 0], f[..., 1], f[..., 2]
    green = y - 0.25 * (rg + bg)
    return np.stack([green + bg, green, green + rg], axis=-1)


def _largest(planes: Floats) -> Floats:
    """(H, W) the largest of each pixel's three values. (numpy's own maximum over neighbours takes ten times as long.)"""
    a, b, c = cv2.split(planes)
    return np.asarray(cv2.max(cv2.max(a, b), c))


@dataclass(frozen=True)
class _Gauss:
    """A Gaussian of feature errors, for all pixels: -1 / (2 variance) of brightness and of both colours, and the log of its height."""

    inverse: Floats
    colour_inverse: Floats
    level: Floats

    @classmethod
    def of(cls, sd_y: Any, sd_c: Any) -> _Gauss:
        half = np.float32(-0.5)
        return cls(
            half / np.square(sd_y),
            half / np.square(sd_c),
            -np.log(sd_y) - np.float32(2.0) * np.log(sd_c) - np.float32(DENSITY.log_norm),
        )


@dataclass(frozen=True)
class _Densities:
    """`Appearance.explain` before the picture. guessed: flat indices, (3, 4, N) features beside them, both inverses, what is given
    back, and (4, N) heights."""

    board: _Gauss
    exact: _Gauss | None
    guessed: tuple[npt.NDArray[np.intp], Floats, Floats, Floats, Floats, Floats] | None
    sides: tuple[_Gauss, _Gauss]
    same: _Gauss


def _density(f: Planes, mean: Planes, gauss: _Gauss) -> Floats:
    """(H, W) float32 log density of features about `mean`: a Gaussian with a floor for outliers."""
    y, r, b = f[0] - mean[0], f[1] - mean[1], f[2] - mean[2]
    y *= y
    y *= gauss.inverse
    r *= r
    b *= b
    r += b
    r *= gauss.colour_inverse
    y += r
    y += gauss.level
    return np.maximum(y, np.float32(OUTLIER - DENSITY.below_outlier), out=y)


def _distance(
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


@dataclass
class Explanation:
    """features: (H, W, 3), and the same as three planes; (H, W) log densities: empty board, light checker, dark checker, same as in the reference picture."""

    features: Floats
    planes: Planes
    board: Floats
    light: Floats
    dark: Floats
    same: Floats
