"""Checkers on points and bar: from per-pixel log densities to log-likelihoods over (colour, count).

Each point is a strip in which a row of discs of one colour is laid from the edge inwards. A dynamic programme finds,
for every count, the places that explain the picture best; placing jitter, gaps and touching neighbours cost
nothing special, overlapping does. Neighbouring pixels err together, so a whole disc counts as a few independent pixels,
not as its two hundred pixels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.sighting import BAR_DARK, BAR_LIGHT, COUNTS, SLOTS, ZERO
from pi_board.vision.board.canvas import CHECKER_PX, Canvas
from pi_board.vision.board.orientation import COLUMNS, Orientation, Row
from pi_board.vision.checkers.disc import BOARD, DARK, FAR, LIGHT, Disc
from pi_board.vision.checkers.patches import TOP, patch_index, patches_at

Floats = npt.NDArray[Any]

#: Effective sample size of a checker's top, 5..30: its pixels err together, so its two hundred pixels count as so many
#: independent ones. Chosen by eye, not swept.
EFFECTIVE_PIXELS = 12.0
#: Floor of a slot's log-likelihood below its best count, nats: the probability of everything that this model leaves out.
FLOOR = -14.0
#: Nats below the floor at which a count stands that is impossible, rather than unlikely; enough to be told apart, no more.
OUT_OF_THE_QUESTION = 6.0
#: Checkers in one layer of a point, and the ends of the search: raw scores (nats) of places that were skipped as hopeless, of
#: counts that are impossible, and of a place where no checker may lie.
SINGLE_LAYER = 6
HOPELESS, IMPOSSIBLE, NOWHERE = -200.0, -1e4, -1e3
#: Checkers of one side, rank of the separable approximation of the disc filter (one more term would add 1e-4 of its sum), and
#: bound of one pixel's word, nats.
ALL, DISC_RANK, PIXEL_CAP = 15, 5, 3.0
#: Sideways play of a checker on its point, and on the bar, canvas px: half the width of the strips that are sampled.
SIDEWAYS, SIDEWAYS_ON_BAR = 4, 5


@dataclass(frozen=True, slots=True)
class RowModel:
    """What is known of where checkers lie, and how much their evidence weighs. Diameters are those of a checker on the canvas.

    Source, where no other is named: chosen by eye on the shared stills and rendered games of `tests/bench/bench_vision.py`, no sweep
    is recorded; that bench shows what a change does.

    disc: radius over which pixels are summed, diameters: less than half, to stay off the edge.
    touch: least distance of two checkers in one layer, diameters; learned_touch: the same for the starting position, whose rows
    are known. first: where the strips begin, diameters from the edge; beyond_middle: how far they reach over the middle.
    shortest: and how long they are at least.

    edge: how far the first checker stands off the edge, diameters. play, more_play: standard deviation of a checker's distance
    from its place, diameters, and what each further checker adds. far_slope, far_cost: nats a standard deviation far out, where
    the prior is no longer a normal one: there the row was laid carelessly. sideways, sideways_weight: standard deviation across,
    canvas px, and the weight of that prior.
    room: pitches within which only five checkers have room. beyond: nats that one of the first five costs where only a sixth
    fits, and gains where five touch with a gap at their foot.
    overlap_cost, overlap_free: nats for a whole diameter of overlap, and the share that costs nothing. touching: share of a
    pitch by which neighbours may be apart and still touch.

    per_checker: prior cost of each, nats: without evidence, fewer checkers are likelier. sixth: of a sixth in the row, because
    players mostly stack the sixth and the shadow of five resembles one. stacked_sixth: of a sixth on top of five.
    seventh, on_six, on_five: nats for each checker more than can be counted from above, and once, on top of six or of five.
    hopeless: nats behind the best at which a row is not looked at.
    mixed: nats that a checker of the other colour needs before the point is called mixed. free, touching_row: diameters
    (pitches) from checkers of the point, and of its own side's row opposite, from which such a checker stands apart;
    over_row: pitches beyond a row in which one is looked for; of_row: pitches across within which a row is the same.
    overlap, better, taken: px to which two strips agree on a checker that both see, nats by which one must be the better, and
    what the other loses.

    bar_covered, unseen_on_bar: covered share of the bar's middle half from which unseen checkers may stand there, and the cost
    of each, nats. most_on_bar, bar_prior: most that are searched there, and prior cost of each, nats: the bar is mostly empty.
    bar_least: score below which no further place is searched. bar_lost, bar_most, bar_none: nats of a place that the other
    colour explains better, most that one place may say, and of a checker without a place.
    """

    disc: float = 0.47
    touch: float = 0.94
    learned_touch: float = 0.96
    first: float = 0.3
    beyond_middle: float = 0.35
    shortest: float = 5.6
    edge: float = 0.06
    play: float = 0.28
    more_play: float = 0.08
    far_slope: float = 1.2
    far_cost: float = 1.0
    sideways: float = 2.2
    sideways_weight: float = 0.6
    room: float = 5.3
    beyond: float = 40.0
    overlap_cost: float = 70.0
    overlap_free: float = 0.06
    touching: float = 0.35
    per_checker: float = 1.5
    sixth: float = 9.0
    stacked_sixth: float = 2.7
    seventh: float = 0.7
    on_six: float = 1.0
    on_five: float = 2.0
    hopeless: float = 30.0
    mixed: float = 9.0
    free: float = 0.85
    touching_row: float = 1.25
    over_row: float = 1.6
    of_row: float = 0.7
    overlap: float = 2.0
    better: float = 2.0
    taken: float = 6.0
    bar_covered: float = 0.15
    unseen_on_bar: float = 1.5
    most_on_bar: int = 6
    bar_prior: float = 4.5
    bar_least: float = -25.0
    bar_lost: float = -4.0
    bar_most: float = 30.0
    bar_none: float = -8.0


ROWS = RowModel()


#: (side, (N, 2) canvas px) → (N,) nats that a checker's top there says for itself.
Judge = Callable[[int, Floats], Floats]


@dataclass(frozen=True)
class Strips:
    """Sampling places: 24 point strips (index = absolute point - 1), then the bar.

    maps: (26 × width, length) float32 map x and y; rows are grouped by strip. first: px from the edge of the first
    sample. Steps are one canvas pixel.
    """

    map_x: npt.NDArray[np.float32]
    map_y: npt.NDArray[np.float32]
    bar_x: npt.NDArray[np.float32]
    bar_y: npt.NDArray[np.float32]
    length: int


@dataclass
class PointLayout:
    """Where checkers of each point are expected on the canvas: learned from the starting position.

    offset: (12, 2, 2): for column and `Row`, canvas px added to the profile's place.
    pitch: distance of touching neighbours, canvas px. bar_shift: (2,) px of the bar's middle line.
    """

    offset: Floats
    pitch: float
    bar_shift: Floats


def plain_layout() -> PointLayout:
    """The layout that the profile gives."""
    return PointLayout(np.zeros((COLUMNS, 2, 2)), CHECKER_PX, np.zeros(2))


class CheckerFinder:
    """Reads counts on one canvas."""

    def __init__(self, canvas: Canvas, orientation: Orientation, layout: PointLayout | None = None) -> None:
        self.canvas = canvas
        self.orientation = orientation
        self.disc = _separated(_disc_kernel(CHECKER_PX * ROWS.disc) * EFFECTIVE_PIXELS)
        #: (H, W) canvas pixels that something known covers (`occluders`), None when there is no such thing.
        self.hidden: npt.NDArray[np.bool_] | None = None
        self.set_layout(layout or plain_layout())

    def set_layout(self, layout: PointLayout) -> None:
        self.layout = layout
        canvas, geometry = self.canvas, self.canvas.geometry
        height = canvas.profile.field_height
        scale = canvas.px_per_cm
        length = int(height / 2 * scale + ROWS.beyond_middle * CHECKER_PX)
        length = max(length, int(ROWS.shortest * CHECKER_PX))
        start = ROWS.first * CHECKER_PX
        along = start + np.arange(length - int(start))
        across = np.arange(-SIDEWAYS, SIDEWAYS + 1)
        self.columns = np.zeros((COLUMNS, 2))
        self.feet = np.zeros((24, 2))
        xs, ys = [], []
        for point in range(1, 25):
            column, row = self.orientation.column_of(point)
            foot = canvas.place(
                [[geometry.column_x(column), -height / 2 if row is Row.NEAR else height / 2]]
            )[0]
            self.columns[column, row] = foot[0]
            foot = foot + layout.offset[column, row]
            self.feet[point - 1] = foot
            step = -1.0 if row is Row.NEAR else 1.0
            xs.append(np.repeat(foot[0] + across[:, None], len(along), axis=1))
            ys.append(np.repeat((foot[1] + step * along)[None, :], len(across), axis=0))
        top = canvas.place([[0.0, height / 2]])[0] + layout.bar_shift
        bottom = canvas.place([[0.0, -height / 2]])[0] + layout.bar_shift
        bar_along = np.arange(top[1] + start, bottom[1] - start)
        bar_across = np.arange(-SIDEWAYS_ON_BAR, SIDEWAYS_ON_BAR + 1)
        self.strips = Strips(
            np.concatenate(xs).astype(np.float32),
            np.concatenate(ys).astype(np.float32),
            np.repeat(top[0] + bar_across[:, None], len(bar_along), axis=1).astype(np.float32),
            np.repeat(bar_along[None, :], len(bar_across), axis=0).astype(np.float32),
            len(along),
        )
        #: Rows and columns of the first pixels that are sampled, and of those after the last.
        rows, columns = (
            np.concatenate([a.ravel(), b.ravel()])
            for a, b in (
                (self.strips.map_y, self.strips.bar_y),
                (self.strips.map_x, self.strips.bar_x),
            )
        )
        self._sampled = np.array(
            [[int(rows.min()), int(columns.min())], [int(rows.max()) + 2, int(columns.max()) + 2]]
        )
        self._first = start
        # Expected distance from the edge of the i-th checker; later ones have more play.
        index = np.arange(SINGLE_LAYER + 1)
        expected = (index + 0.5) * layout.pitch + ROWS.edge * CHECKER_PX
        play = CHECKER_PX * (ROWS.play + ROWS.more_play * index)
        off = (along[None, :] - expected[:, None]) / play[:, None]
        self._prior = -np.minimum(0.5 * off**2, ROWS.far_slope * np.abs(off) + ROWS.far_cost)
        # Only a sixth checker fits beyond the first five. Anything further belongs to the opposite point.
        self._room = ROWS.room * max(layout.pitch, CHECKER_PX)
        self._prior[:5, along > self._room] -= ROWS.beyond
        self._sideways = -0.5 * (across / ROWS.sideways) ** 2 * ROWS.sideways_weight

    # -- evidence -----------------------------------------------------------------------------------------

    def disc_scores(self, ratio: Floats) -> Floats:
        """(H, W) effective sum of a (H, W) log-ratio over the disc centred at each pixel, right where strips are sampled."""
        # What lies as far away as a disc reaches has a say, too.
        half = len(self.disc[0][0]) // 2
        first = np.maximum(self._sampled[0] - half, 0)
        end = np.minimum(self._sampled[1] + half, ratio.shape)
        part = slice(first[0], end[0]), slice(first[1], end[1])
        whole = np.zeros(ratio.shape, np.float32)
        ratio = ratio[part]
        total = np.zeros(ratio.shape, np.float32)
        for across, along in self.disc:
            total += cv2.sepFilter2D(ratio, cv2.CV_32F, across, along, borderType=cv2.BORDER_REPLICATE)
        whole[part] = total
        return whole

    def profiles(self, scores: Floats) -> tuple[Floats, npt.NDArray[np.intp]]:
        """(24, L) best score across each strip at each distance from the edge, and (24, L) the px across at
        which it is reached.
        """
        s = cv2.remap(
            scores, self.strips.map_x, self.strips.map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        s = s.reshape(24, 2 * SIDEWAYS + 1, -1) + self._sideways[None, :, None]
        best = s.argmax(axis=1)
        return np.take_along_axis(s, best[:, None, :], axis=1)[:, 0], best

    def rows_of_discs(self, profile: Floats, gap: int) -> tuple[Floats, list[npt.NDArray[np.intp]]]:
        """(P, SINGLE_LAYER + 1) best sum for 0, 1, … discs in each of P strips; for each of these discs (P, L) where up to here the
        best place is."""
        strips, length = profile.shape
        total = np.zeros((strips, SINGLE_LAYER + 1))
        before = np.zeros((strips, length))
        at = np.arange(length)
        back = []
        for n in range(1, SINGLE_LAYER + 1):
            here = profile + self._prior[n - 1]
            if n > 1:
                here[:, gap:] += before[:, :-gap]
                here[:, :gap] += IMPOSSIBLE
            run = np.maximum.accumulate(here, axis=1)
            better = np.ones(here.shape, bool)
            np.greater(here[:, 1:], run[:, :-1], out=better[:, 1:])
            back.append(np.maximum.accumulate(np.where(better, at, 0), axis=1))
            total[:, n] = run[:, -1]
            before = run
        return total, back

    @staticmethod
    def places(n: int, back: list[npt.NDArray[np.intp]], gap: int) -> npt.NDArray[np.intp]:
        """(P, n) sample indices of the n discs of each strip, nearest the edge first."""
        strips = np.arange(len(back[0]))
        out = np.zeros((len(strips), n), np.intp)
        end = np.full(len(strips), back[0].shape[1])
        for k in range(n, 0, -1):
            out[:, k - 1] = back[k - 1][strips, end - 1]
            end = np.maximum(1, out[:, k - 1] - gap + 1)
        return out

    @staticmethod
    def rows_of_places(back: list[npt.NDArray[np.intp]], gap: int) -> npt.NDArray[np.intp]:
        """(SINGLE_LAYER, P, SINGLE_LAYER) the `places` of rows of 1, 2, ... discs; -1 beyond a row's end."""
        strips, length = back[0].shape
        out = np.full((SINGLE_LAYER, strips, SINGLE_LAYER), -1, np.intp)
        end = np.full((SINGLE_LAYER, strips), length)
        for k in range(SINGLE_LAYER, 0, -1):
            # The disc k of all rows that are as long.
            here = out[k - 1 :, :, k - 1]
            here[...] = back[k - 1][np.arange(strips), end[k - 1 :] - 1]
            np.maximum(1, here - gap + 1, out=end[k - 1 :])
        return out

    def fit(
        self, scores: tuple[Floats, Floats], counts: npt.NDArray[np.int64], judge: Judge | None = None
    ) -> list[Disc]:
        """Discs of known counts ((28,) signed: points, light on the bar, dark on the bar (negative)).

        judge: as in `read`; with it the whole of each strip is searched by the checkers' learned tops.
        """
        discs: list[Disc] = []
        width = 2 * SIDEWAYS + 1
        for side in (0, 1):
            strips = [p for p in range(24) if (counts[p] if side == 0 else -counts[p]) > 0]
            if not strips:
                continue
            profile, across = self.profiles(scores[side])
            profile, across = profile[strips], across[strips]
            rows = np.array(strips)[:, None] * width + across
            at = np.arange(profile.shape[1])
            xs, ys = self.strips.map_x[rows, at], self.strips.map_y[rows, at]
            if judge is not None:
                every = np.stack([xs.ravel(), ys.ravel()], axis=1)
                profile = 0.5 * profile + 0.5 * judge(side, every).reshape(profile.shape)
            gap = max(2, round(ROWS.learned_touch * self.layout.pitch))
            _, back = self.rows_of_discs(profile, gap)
            rows_of = {
                n: self.places(n, back, gap)
                for n in {min(abs(int(counts[p])), SINGLE_LAYER) for p in strips} | {SINGLE_LAYER - 1}
            }
            for k, strip in enumerate(strips):
                row = rows_of[min(abs(int(counts[strip])), SINGLE_LAYER)][k]
                if len(row) == SINGLE_LAYER and (
                    judge is None or judge(side, np.array([[xs[k, row[-1]], ys[k, row[-1]]]]))[0] <= 0
                ):
                    # The sixth does not lie in the row but on top of the others.
                    row = rows_of[SINGLE_LAYER - 1][k]
                discs += [Disc(float(xs[k, i]), float(ys[k, i]), side, strip) for i in row]
        return discs + self.fit_bar(scores, counts)

    def fit_bar(self, scores: tuple[Floats, Floats], counts: npt.NDArray[np.int64]) -> list[Disc]:
        """The bar's discs of known counts."""
        out = []
        for side, slot in ((0, BAR_LIGHT), (1, BAR_DARK)):
            s = self._bar_scores(scores[side])
            for _ in range(abs(int(counts[slot]))):
                i, j = (int(k) for k in np.unravel_index(int(s.argmax()), s.shape))
                out.append(Disc(float(self.strips.bar_x[i, j]), float(self.strips.bar_y[i, j]), side, slot))
                gap = round(ROWS.touch * CHECKER_PX)
                s[:, max(0, j - gap) : j + gap + 1] = NOWHERE
        return out

    def _bar_scores(self, scores: Floats) -> Floats:
        return cv2.remap(
            scores, self.strips.bar_x, self.strips.bar_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )

    def read_bar(self, found: list[list[tuple[float, int]]], out: Floats) -> None:
        """Fill the two bar rows of `out` (28, 31). found: of light and dark (nats, px along the bar) of each place."""
        unseen = self.hidden is not None and bool(self.hidden_places()[24, 0] > ROWS.bar_covered)
        gap = round(ROWS.touch * CHECKER_PX)
        for side, slot, sign in ((0, BAR_LIGHT, 1), (1, BAR_DARK, -1)):
            gains = []
            for value, j in found[side]:
                rivals = [v for v, k in found[1 - side] if -gap < k - j < gap]
                # Each place holds one checker, so the better explanation takes it.
                beaten = bool(rivals) and max(rivals) >= value
                gains.append(min(value, ROWS.bar_lost) if beaten else value)
            gains.sort(reverse=True)
            best = np.full(ALL, ROWS.bar_none)
            best[: len(gains)] = gains
            total = (np.minimum(best, ROWS.bar_most) - ROWS.bar_prior).cumsum()
            least = np.full(ALL, HOPELESS)
            if unseen:
                np.maximum(least, -ROWS.unseen_on_bar * np.arange(1, ALL + 1), out=least)
            row = out[slot]
            row[:] = IMPOSSIBLE
            row[ZERO] = 0.0
            row[ZERO + sign * np.arange(1, ALL + 1)] = np.maximum(total, least)

    def _on_bar(self, scores: Floats) -> tuple[Floats, list[int]]:
        """((N, 2) canvas px, px along the bar) of the places where the bar may hold a checker, likeliest first."""
        s = self._bar_scores(scores)
        gap = round(ROWS.touch * CHECKER_PX)
        across, along = [], []
        for _ in range(ROWS.most_on_bar):
            i, j = divmod(int(s.argmax()), s.shape[1])
            if s[i, j] < ROWS.bar_least:
                break
            across.append(i)
            along.append(j)
            s[:, (j - gap if j > gap else 0) : j + gap + 1] = NOWHERE
        at = np.stack([self.strips.bar_x[across, along], self.strips.bar_y[across, along]], axis=1)
        return at.astype(np.float64), along

    def _beside_the_rows(
        self, scores: tuple[Floats, Floats], profiles: list[tuple[Floats, npt.NDArray[np.intp]]], judge: Judge
    ) -> list[list[tuple[float, int]]]:
        """What `read_bar` wants; `mixed` and what of `seen` is on the bar are set. Both kinds of places are judged together."""
        apart = [self._other_colour(side, *profiles[side]) for side in (0, 1)]
        bar: list[list[tuple[float, int]]] = []
        mixed: list[tuple[int, float]] = []
        for side, (slots, places) in enumerate(apart):
            at, along = self._on_bar(scores[side])
            nats = judge(side, np.concatenate([places, at])).tolist()
            mixed += [(slot, v) for slot, v in zip(slots, nats, strict=False) if v >= ROWS.mixed]
            values = nats[len(slots) :]
            bar.append(list(zip(values, along, strict=True)))
            self.seen += [
                Disc(x, y, side, BAR_LIGHT + side)
                for (x, y), v in zip(at.tolist(), values, strict=True)
                if v > ROWS.bar_prior
            ]
        self.mixed = tuple(mixed)
        return bar

    def read(self, scores: tuple[Floats, Floats], judge: Judge) -> Floats:
        """(28, 31) log-likelihood. scores: disc scores of light and dark, which propose places; judge: (side, places)
        → (N,) what each checker's top says for it being there. `seen` then holds the checkers of the best counts."""
        out = np.full((SLOTS, COUNTS), HOPELESS)
        out[:24, ZERO] = 0.0
        # Nats by which a sixth in the row explains each point better than five, for light (1) and dark (-1).
        self.in_row: dict[int, Floats] = {}
        profiles = [self.profiles(s) for s in scores]
        rows = [self._proposals(side, *profiles[side], judge) for side in (0, 1)]
        for sign, row in zip((1, -1), rows, strict=True):
            worth = row.worth()
            best = np.where(row.hopeful, worth, -np.inf)
            alone = best.max(axis=0) > 0
            standing = np.zeros(len(row.says), bool)
            standing[row.which[best.argmax(axis=0)[alone], np.flatnonzero(alone)].ravel()] = True
            standing[-1] = False
            row.says[:-1] = self._one_place_each(row.at, row.strip, row.says[:-1], standing[:-1])
            worth = row.worth()
            for n in range(1, SINGLE_LAYER + 1):
                out[:24, ZERO + sign * n] = np.where(row.hopeful[n - 1], worth[n - 1], HOPELESS)
        for sign in (1, -1):
            more = np.arange(SINGLE_LAYER + 1, ALL + 1)
            # On top of five, or of six in the row: neither can be counted from above.
            five, six = (
                out[:24, ZERO + sign * 5, None] - ROWS.seventh * (more - 5) - ROWS.on_five,
                out[:24, ZERO + sign * 6, None] - ROWS.seventh * (more - 7) - ROWS.on_six,
            )
            out[:24, ZERO + sign * more] = np.maximum(five, six)
            self.in_row[sign] = out[:24, ZERO + sign * 6] - out[:24, ZERO + sign * 5]
            out[:24, ZERO + sign * 6] = np.maximum(
                out[:24, ZERO + sign * 6], out[:24, ZERO + sign * 5] - ROWS.stacked_sixth
            )
        self.seen: list[Disc] = []
        read = out[:24].argmax(axis=1) - ZERO
        for side, sign, row in ((0, 1, rows[0]), (1, -1, rows[1])):
            for strip in np.flatnonzero(row.hopeful.any(axis=0) & (read * sign > 0)):
                best_count = int(read[strip]) * sign
                # Here it only matters that a sixth checker is no hand. Whether it counts is decided by the
                # likelihood.
                full = (SINGLE_LAYER, SINGLE_LAYER - 1) if best_count >= SINGLE_LAYER - 1 else (best_count,)
                n = next((n for n in full if row.hopeful[n - 1, strip]), 0)
                indices = [int(i) for i in row.which[n - 1, strip, :n]] if n else []
                self.seen += [
                    Disc(float(row.at[i, 0]), float(row.at[i, 1]), side, int(strip))
                    for i in indices
                    if row.says[i] > 0
                ]
        self.read_bar(self._beside_the_rows(scores, profiles, judge), out)
        out[26:] = 0.0
        out[26, :ZERO] = IMPOSSIBLE
        out[27, ZERO + 1 :] = IMPOSSIBLE
        return calibrated(out)

    def _proposals(self, side: int, profile: Floats, across: npt.NDArray[np.intp], judge: Judge) -> _Rows:
        """The rows of 1 to SINGLE_LAYER discs that the strips may hold, with what is known of each place."""
        gap = max(2, round(ROWS.touch * self.layout.pitch))
        total, back = self.rows_of_discs(profile, gap)
        hopeful = (total[:, 1:] >= total.max(axis=1, keepdims=True) - ROWS.hopeless).T
        length = profile.shape[1]
        samples = self.rows_of_places(back, gap)
        keys = np.where((samples >= 0) & hopeful[..., None], np.arange(24)[:, None] * length + samples, -1)
        # Rows of different length share most of their places.
        unique, which = np.unique(keys, return_inverse=True)
        which = which.reshape(keys.shape) - (1 if len(unique) and unique[0] < 0 else 0)
        unique = unique[unique >= 0]
        strip, sample = unique // length, unique % length
        row = strip * (2 * SIDEWAYS + 1) + across[strip, sample]
        at = np.stack([self.strips.map_x[row, sample], self.strips.map_y[row, sample]], axis=1).astype(float)
        # The last index stands for "no place".
        which[which < 0] = len(unique)
        says = np.append(judge(side, at) if len(at) else np.zeros(0), 0.0)
        covered = np.append(self._hidden_shares(at), 0.0)[which]
        return _Rows(at, strip, says, which, hopeful, self._place_priors(at, which), covered)

    def _hidden_shares(self, at: Floats) -> Floats:
        """(N,) share (0..1) of a checker at (N, 2) canvas px that known things cover."""
        if self.hidden is None or not len(at):
            return np.zeros(len(at))
        open_ = patches_at(self.hidden.astype(np.float32), patch_index(self.hidden.shape, at))
        return np.asarray((open_ * TOP).sum(axis=(1, 2)) / TOP.sum())

    def hidden_places(self) -> Floats:
        """(26, 6) how much of each checker's place on each point is covered (first the one at the edge), then, the same in all six,
        how much of the bar's middle half is."""
        out = np.zeros((26, SINGLE_LAYER))
        if self.hidden is None:
            return out
        rows = [self.orientation.column_of(point + 1)[1] for point in range(24)]
        step = np.array([-1.0 if row is Row.NEAR else 1.0 for row in rows])
        along = (np.arange(SINGLE_LAYER) + 0.5) * self.layout.pitch + ROWS.edge * CHECKER_PX
        y = self.feet[:, 1, None] + step[:, None] * along
        x = np.repeat(self.feet[:, 0, None], SINGLE_LAYER, axis=1)
        out[:24] = self._hidden_shares(np.stack([x.ravel(), y.ravel()], axis=1)).reshape(24, SINGLE_LAYER)
        seen = cv2.remap(
            self.hidden.astype(np.float32), self.strips.bar_x, self.strips.bar_y, cv2.INTER_NEAREST
        )
        quarter = seen.shape[1] // 4
        out[24:] = float(seen[:, quarter:-quarter].mean())
        return out

    def _place_priors(self, at: Floats, which: npt.NDArray[np.intp]) -> Floats:
        """(SINGLE_LAYER, 24) what is known of where checkers lie, for rows of so many."""
        n = np.arange(1, SINGLE_LAYER + 1)[:, None, None]
        i = np.arange(SINGLE_LAYER)
        y = np.append(at[:, 1], 0.0)[which]
        distance = np.abs(y - self.feet[:, 1][:, None])
        prior = self._prior[
            i, np.clip(np.rint(distance - self._first).astype(np.intp), 0, self._prior.shape[1] - 1)
        ]
        before = np.concatenate([np.full((*distance.shape[:2], 1), NOWHERE), distance[..., :-1]], axis=2)
        overlap = 1.0 - (distance - before) / min(CHECKER_PX, self.layout.pitch)
        each = np.where(i < n, prior - ROWS.overlap_cost * np.maximum(0.0, overlap - ROWS.overlap_free), 0.0)
        total = each.sum(axis=2)
        touching = ((overlap > -ROWS.touching) | (i == 0))[..., :5].all(axis=2)
        # All five touch: a row with a gap at its foot. (Others there stand on the point opposite.)
        total += np.where((n[..., 0] >= 5) & touching & (distance[..., 4] > self._room), ROWS.beyond, 0.0)
        return np.asarray(total)

    def _one_place_each(
        self, at: Floats, strip: npt.NDArray[np.intp], says: Floats, standing: npt.NDArray[np.bool_]
    ) -> Floats:
        """`says` of (N, 2) places, lowered where a checker of the neighbouring point explains the same pixels
        better. A checker that was pushed aside reaches into both strips and must count once. standing (N,):
        what each point shows by itself.
        """
        says = says.copy()
        if len(at) < 2:
            return says
        column = self.feet[strip, 0]
        apart = np.hypot(*(at[:, None] - at[None, standing]).transpose(2, 0, 1))
        columns = np.abs(column[:, None] - column[None, standing])
        # Both strips see this checker at their edges. Closer than that it is one checker; further apart it
        # may be two.
        rivals = (apart < columns - 2 * SIDEWAYS + ROWS.overlap) & (columns > 0.5 * self.layout.pitch)
        theirs = says[None, standing]
        beaten = (rivals & (theirs > says[:, None] + ROWS.better) & (theirs > 0)).any(axis=1)
        says[beaten] = np.minimum(says[beaten], -ROWS.taken)
        return says

    def _other_colour(
        self, side: int, profile: Floats, across: npt.NDArray[np.intp]
    ) -> tuple[list[int], Floats]:
        """(slots, (N, 2) canvas px) of the points on which a checker of `side`, the other colour, may stand apart from the ones that
        were read. A checker that touches its own side's row on the opposite point belongs to that row: long rows reach over the middle.
        """
        slot, sides = np.array([(d.slot, d.side) for d in self.seen], np.intp).reshape(-1, 2).T
        # All of a point are of one colour.
        strips = np.unique(slot[sides != side])
        if not len(strips):
            return [], np.zeros((0, 2))
        free = round(ROWS.free * min(CHECKER_PX, self.layout.pitch))
        touching = ROWS.touching_row * self.layout.pitch
        there = centres(self.seen)
        number = np.bincount(slot, minlength=24)
        row = strips[:, None] * (2 * SIDEWAYS + 1) + across[strips]
        sample = np.arange(row.shape[1])
        xs, ys = self.strips.map_x[row, sample], self.strips.map_y[row, sample]
        feet = self.feet[strips]
        clear = np.abs(ys - feet[:, 1:]) <= (number[strips, None] + ROWS.over_row) * self.layout.pitch
        of_point = slot == strips[:, None]
        of_row = (sides == side) & (np.abs(there[:, 0] - feet[:, :1]) < ROWS.of_row * self.layout.pitch)
        # Squares are compared, for there are many of them. A disc of the point itself is no nearer than a free place, one of
        # the row no nearer than touching.
        near = np.where(of_row, touching**2, -1.0)
        np.maximum(near, np.where(of_point, np.nextafter(free**2, 0.0), -1.0), out=near)
        # Of most discs nothing is asked: those that matter come first, as many as matter anywhere.
        which = (-near).argsort(axis=1)[:, : int((near > 0).sum(axis=1).max())]
        near = near[np.arange(len(strips))[:, None], which]
        apart = np.square(xs[..., None] - there[which, 0][:, None])
        apart += np.square(ys[..., None] - there[which, 1][:, None])
        clear &= ~(apart <= near[:, None]).any(axis=2)
        best = np.where(clear, profile[strips], -np.inf).argmax(axis=1)
        some = np.flatnonzero(clear.any(axis=1))
        at = np.stack([xs[some, best[some]], ys[some, best[some]]], axis=1)
        return strips[some].tolist(), at.astype(np.float64)


@dataclass
class _Rows:
    """Rows of checkers of one side that the 24 strips may hold.

    at: (N, 2) canvas px, the places; strip: (N,) of which strip; says: (N + 1,) nats, the last for no place. which: (SINGLE_LAYER, 24,
    SINGLE_LAYER) places of the row of 1, 2, … checkers, N beyond its end. hopeful: (SINGLE_LAYER, 24) worth a look. prior:
    (SINGLE_LAYER, 24) nats. covered: as `which`, how much of each place something known covers.
    """

    at: Floats
    strip: npt.NDArray[np.intp]
    says: Floats
    which: npt.NDArray[np.intp]
    hopeful: npt.NDArray[np.bool_]
    prior: Floats
    covered: Floats

    def worth(self) -> Floats:
        """(SINGLE_LAYER, 24) nats for each row."""
        n = np.arange(1, SINGLE_LAYER + 1)[:, None]
        # A checker in a covered place costs nothing, seen or not.
        seen = n - self.covered.sum(axis=2)
        sixth = ROWS.sixth * (n == SINGLE_LAYER) * (1.0 - self.covered[..., -1])
        return np.asarray(self.says[self.which].sum(axis=2) + self.prior - ROWS.per_checker * seen - sixth)


def centres(discs: Sequence[Disc]) -> Floats:
    """(N, 2) canvas px."""
    return np.array([(d.x, d.y) for d in discs], np.float64).reshape(-1, 2)


def calibrated(rows: Floats) -> Floats:
    """Each row relative to its best count, softened by the probability of what the model leaves out."""
    impossible = rows <= IMPOSSIBLE
    soft = np.logaddexp(rows - rows.max(axis=1, keepdims=True), FLOOR)
    soft -= soft.max(axis=1, keepdims=True)
    return np.where(impossible, FLOOR - OUT_OF_THE_QUESTION, soft)


def ratio(checker: Floats, board: Floats) -> Floats:
    """(H, W) float32 log-ratio of one pixel, bounded so that no single pixel decides."""
    says = np.subtract(checker, board, dtype=np.float32)
    says *= np.float32(0.5)
    return np.clip(says, -PIXEL_CAP, PIXEL_CAP, out=says)


def _disc_kernel(radius: float) -> npt.NDArray[np.float32]:
    half = int(np.ceil(radius))
    yy, xx = np.mgrid[-half : half + 1, -half : half + 1]
    kernel = np.clip(radius + 0.5 - np.hypot(xx, yy), 0, 1).astype(np.float32)
    return kernel / kernel.sum()


def _separated(kernel: npt.NDArray[np.float32]) -> list[tuple[Floats, Floats]]:
    """A kernel as a sum of products of a row and a column, which cost a fraction of it: DISC_RANK of them, to 3e-4 of its sum."""
    u, s, v = np.linalg.svd(kernel.astype(np.float64))
    return [((v[i] * s[i]).astype(np.float32), u[:, i].astype(np.float32)) for i in range(DISC_RANK)]


def labelled(
    light: Floats, dark: Floats, same: Floats, board: Floats, label: npt.NDArray[np.int8]
) -> tuple[Floats, Floats, Floats]:
    """Densities of board, light and dark, each raised to "as in the reference" where the reference had that
    label.
    """

    def helped(density: Floats, what: int) -> Floats:
        elsewhere = (label != what).astype(np.float32)
        elsewhere *= np.float32(-FAR)
        elsewhere += same
        return np.maximum(density, elsewhere, out=elsewhere)

    return helped(board, BOARD), helped(light, LIGHT), helped(dark, DARK)
