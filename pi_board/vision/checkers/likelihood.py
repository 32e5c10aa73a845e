"""Checkers on points and bar: from per-pixel log densities to log-likelihoods over (colour, count).

Each point is a strip in which a row of discs of one colour is laid from the edge inwards. A dynamic programme finds,
for every count, the places that explain the picture best; placing jitter, gaps and touching neighbours cost
nothing special, overlapping does. Neighbouring pixels err together, so a whole disc counts as a few independent pixels,
not as its two hundred pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pi_board.sighting import BAR_DARK, BAR_LIGHT, COUNTS, SLOTS, ZERO
from pi_board.vision.board.canvas import CHECKER_PX
from pi_board.vision.checkers.disc import Disc
from pi_board.vision.checkers.log_ratios import calibrated
from pi_board.vision.checkers.row_numbers import (
    ALL,
    HOPELESS,
    IMPOSSIBLE,
    NOWHERE,
    ROWS,
    SIDEWAYS,
    SINGLE_LAYER,
)
from pi_board.vision.checkers.rows import Judge, Rows
from pi_board.vision.checkers.strips import PointStrips

Floats = npt.NDArray[Any]


#: How many checkers rows of one layer have.
_IN_ROW = np.arange(1, SINGLE_LAYER + 1)
#: And how many a side may have anywhere.
_NUMBERS = np.arange(1, ALL + 1)
#: Nats that so many checkers that lie upon others on the bar cost.
_PILED = ROWS.bar_piled * _NUMBERS


class CheckerFinder(PointStrips):
    """Reads counts on one canvas."""

    def rows_of_discs(self, profile: Floats, gap: int) -> tuple[Floats, list[npt.NDArray[np.intp]]]:
        """(P, SINGLE_LAYER + 1) best sum for 0, 1, … discs in each of P strips; for each of these discs (P, L) where up to here the
        best place is."""
        strips, length = profile.shape
        total = np.zeros((strips, SINGLE_LAYER + 1))
        before = np.zeros((strips, length))
        at = np.arange(length)
        back = []
        for n in range(1, SINGLE_LAYER + 1):
            here = profile + self.prior[n - 1]
            if n > 1:
                here[:, gap:] += before[:, :-gap]
                here[:, :gap] += IMPOSSIBLE
            run = np.maximum.accumulate(here, axis=1)
            better = np.empty(here.shape, bool)
            better[:, 0] = True
            np.greater(here[:, 1:], run[:, :-1], out=better[:, 1:])
            back.append(np.maximum.accumulate(np.where(better, at, 0), axis=1))
            total[:, n] = run[:, -1]
            before = run
        return total, back

    def rows_off_the_rim(
        self, profile: Floats, gap: int, most: int
    ) -> tuple[Floats, npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """Rows of discs that touch each other, in those K strips of `profile` (P, L) that seem to hold one which begins off the rim.

        (K, SINGLE_LAYER + 1) best sum for 0, 1, ... such discs; (K,) the strips; (SINGLE_LAYER, K, SINGLE_LAYER) sample indices of the
        discs, -1 beyond a row's end. gap, most: samples by which neighbours are apart, at least and at most. Where the first one lies is
        one accident and no more: the others lie against it.
        """
        rim = round(ROWS.begins_at_rim * self.layout.pitch - self.first)
        last = round(ROWS.begins_at_most * self.layout.pitch - self.first)
        near, far = (np.maximum.reduce(part, axis=1) for part in (profile[:, :rim], profile[:, rim:]))
        strips = ((far > ROWS.row_score) & (near < ROWS.bare_rim * far)).nonzero()[0]
        some, length = len(strips), profile.shape[1]
        totals = np.zeros((some, SINGLE_LAYER + 1))
        samples = np.full((SINGLE_LAYER, some, SINGLE_LAYER), -1, np.intp)
        if not some:
            return totals, strips, samples
        alone = profile[strips]
        here = alone + self.prior[0]
        here[:, last:] += IMPOSSIBLE
        back: list[npt.NDArray[np.intp]] = []
        at, each = np.arange(length), np.arange(some)
        #: Where each row's last disc lies; then, the one before it.
        ends = np.empty((SINGLE_LAYER, some), np.intp)
        # The one before lies `gap` to `most` samples nearer to the rim. (In few calls: each of them costs more than its numbers.)
        padded = np.full((some, length + most), float(IMPOSSIBLE))
        windows = at[:, None] + np.arange(most - gap + 1)
        for n in range(1, SINGLE_LAYER + 1):
            if n > 1:
                padded[:, most:] = here
                window = padded[:, windows]
                best = window.argmax(axis=2)
                back.append(at - most + best)
                here = alone + window[each[:, None], at, best]
            ends[n - 1] = here.argmax(axis=1)
            totals[:, n] = here[each, ends[n - 1]]
        for k in range(SINGLE_LAYER, 0, -1):
            # The disc k of all rows that are as long.
            samples[k - 1 :, :, k - 1] = ends[k - 1 :]
            if k > 1:
                ends[k - 1 :] = np.maximum(0, back[k - 2][each, ends[k - 1 :]])
        return totals, strips, samples

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
            s = self.bar_scores(scores[side])
            for _ in range(abs(int(counts[slot]))):
                i, j = (int(k) for k in np.unravel_index(int(s.argmax()), s.shape))
                out.append(Disc(float(self.strips.bar_x[i, j]), float(self.strips.bar_y[i, j]), side, slot))
                gap = round(ROWS.touch * CHECKER_PX)
                s[:, max(0, j - gap) : j + gap + 1] = NOWHERE
        return out

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
            best = np.empty(ALL)
            best[...] = ROWS.bar_none
            best[: len(gains)] = gains
            total = (np.minimum(best, ROWS.bar_most) - self.bar_priors[side]).cumsum()
            least = np.empty(ALL)
            least[...] = HOPELESS
            if unseen:
                np.maximum(least, -ROWS.unseen_on_bar * _NUMBERS, out=least)
            if slot in self.untold:
                np.maximum(least, -ROWS.bar_untold * _NUMBERS, out=least)
            row = out[slot]
            row[:] = IMPOSSIBLE
            row[ZERO] = 0.0
            np.maximum(total, least, out=total)
            # One that lies upon another is hardly told from above.
            row[ZERO + sign * _NUMBERS] = np.maximum.accumulate(total + _PILED) - _PILED

    def _on_bar(self, scores: Floats) -> tuple[Floats, list[int]]:
        """((N, 2) canvas px, px along the bar) of the places where the bar may hold a checker, likeliest first."""
        s = self.bar_scores(scores)
        gap = round(ROWS.touch * CHECKER_PX)
        length, found = s.shape[1], []
        for _ in range(ROWS.most_on_bar):
            k = s.argmax()
            i, j = k // length, k % length
            if s[i, j] < ROWS.bar_least:
                break
            found.append(k)
            s[:, (j - gap if j > gap else 0) : j + gap + 1] = NOWHERE
        at = np.empty((len(found), 2))
        at[:, 0], at[:, 1] = self.strips.bar_x.take(found), self.strips.bar_y.take(found)
        return at, [int(k % length) for k in found]

    def _beside_the_rows(
        self, scores: tuple[Floats, Floats], profile: Floats, across: npt.NDArray[np.intp], judge: Judge
    ) -> list[list[tuple[float, int]]]:
        """What `read_bar` wants; `mixed`, `strays` and what of `seen` is on the bar are set. Both kinds of places are judged together.
        profile, across: (48, L) as in `_proposals`."""
        apart = self._other_colour(profile, across)
        bar: list[list[tuple[float, int]]] = []
        mixed: list[tuple[int, float]] = []
        self.strays: list[Disc] = []
        for side, (slots, places) in enumerate(apart):
            at, along = self._on_bar(scores[side])
            nats = judge(side, np.concatenate([places, at])).tolist()
            for slot, (x, y), v in zip(slots, places.tolist(), nats, strict=False):
                if v >= ROWS.mixed:
                    mixed.append((slot, v))
                    self.strays.append(Disc(x, y, side, slot))
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
        (light, across), (dark, across_dark) = (self.profiles(s) for s in scores)
        profile, across = np.concatenate([light, dark]), np.concatenate([across, across_dark])
        rows = self._proposals(profile, across, judge)
        best = np.where(rows.hopeful, rows.worth(), -np.inf)
        alone = (np.maximum.reduce(best, axis=0) > 0).nonzero()[0]
        standing = np.zeros(len(rows.says), bool)
        standing[rows.which[best.argmax(axis=0)[alone], alone].ravel()] = True
        for part in rows.sides:
            rows.says[part] = self._one_place_each(
                rows.at[part], rows.strip[part] % 24, rows.says[part], standing[part]
            )
        self._make_room(rows, standing[:-1])
        #: Slots whose long row begins off the rim.
        self.off_the_rim = self._begin_off_the_rim(rows, best)
        worth = np.where(rows.hopeful, rows.worth(), HOPELESS).T
        more = np.arange(SINGLE_LAYER + 1, ALL + 1)
        for sign, each in ((1, worth[:24]), (-1, worth[24:])):
            out[:24, ZERO + sign * _IN_ROW] = each
            # On top of five, or of six in the row: neither can be counted from above.
            five, six = (
                each[:, 4:5] - ROWS.seventh * (more - 5) - ROWS.on_five,
                each[:, 5:6] - ROWS.seventh * (more - 7) - ROWS.on_six,
            )
            out[:24, ZERO + sign * more] = np.maximum(five, six)
            out[:24, ZERO + sign * 6] = np.maximum(each[:, 5], each[:, 4] - ROWS.stacked_sixth)
        self.seen: list[Disc] = self._seen_in(rows, (out[:24].argmax(axis=1) - ZERO).tolist())
        self.read_bar(self._beside_the_rows(scores, profile, across, judge), out)
        out[26:] = 0.0
        out[26, :ZERO] = IMPOSSIBLE
        out[27, ZERO + 1 :] = IMPOSSIBLE
        return calibrated(out)

    def _proposals(self, profile: Floats, across: npt.NDArray[np.intp], judge: Judge) -> Rows:
        """The rows of 1 to SINGLE_LAYER discs that the strips may hold, with what is known of each place. profile, across: (48, L) as
        of `profiles`, for light and then for dark."""
        gap = max(2, round(ROWS.touch * self.layout.pitch))
        total, back = self.rows_of_discs(profile, gap)
        strips, length = profile.shape
        samples = self.rows_of_places(back, gap)
        touching = int((1.0 + ROWS.touching) * min(CHECKER_PX, self.layout.pitch)) - 1
        shifted, those, their_samples = self.rows_off_the_rim(profile, gap, touching)
        better = shifted > total[those]
        total[those] = np.maximum(total[those], shifted)
        samples[:, those] = np.where(better[:, 1:].T[..., None], their_samples, samples[:, those])
        hopeful = (total[:, 1:] >= total.max(axis=1, keepdims=True) - ROWS.hopeless).T
        wanted = (samples >= 0) & hopeful[..., None]
        keys = np.where(wanted, np.arange(strips)[:, None] * length + samples, strips * length)
        # Rows of different length share most of their places. (The number of each, by counting: sorting takes five times as long.)
        asked = np.zeros(strips * length + 1, bool)
        asked[keys] = True
        asked[-1] = False
        unique = asked.nonzero()[0]
        number = np.empty(len(asked), np.intp)
        number[unique] = np.arange(len(unique))
        # The last index stands for "no place".
        number[-1] = len(unique)
        which = number.take(keys)
        strip, sample = np.divmod(unique, length)
        row = strip % 24 * (2 * SIDEWAYS + 1) + across[strip, sample]
        at = np.empty((len(unique), 2))
        at[:, 0], at[:, 1] = self.strips.map_x[row, sample], self.strips.map_y[row, sample]
        covered = None if self.hidden is None else np.append(self.hidden_shares(at), 0.0)[which]
        rows = Rows(at, strip, np.zeros(len(at) + 1), which, hopeful, *self._place_priors(at, which), covered)
        for side, part in enumerate(rows.sides):
            rows.says[part] = judge(side, at[part])
        return rows

    def _begin_off_the_rim(self, rows: Rows, best: Floats) -> list[int]:
        """The slots (0-23) whose likeliest row is long and begins plainly off the rim. best: (SINGLE_LAYER, 48) worth of each row."""
        likeliest = best.argmax(axis=0)
        strips = ((best.max(axis=0) > 0) & (likeliest + 1 >= ROWS.long)).nonzero()[0]
        first = rows.at[rows.which[likeliest[strips], strips, 0], 1]
        away = np.abs(first - self.feet[strips % 24, 1]) > ROWS.plainly_off * self.layout.pitch
        return sorted({int(strip) % 24 for strip in strips[away]})

    def _place_priors(self, at: Floats, which: npt.NDArray[np.intp]) -> tuple[Floats, Floats]:
        """(SINGLE_LAYER, 48) what is known of where checkers lie, for rows of so many, and of those that are all seen: they may begin off
        the rim."""
        n, i = _IN_ROW[:, None, None], _IN_ROW - 1
        y = np.append(at[:, 1], 0.0).take(which)
        distance = np.abs(y - np.concatenate([self.feet[:, 1:]] * 2))
        nearest = np.rint(distance - self.first).astype(np.intp)
        np.maximum(nearest, 0, out=nearest)
        np.minimum(nearest, self.prior.shape[1] - 1, out=nearest)
        prior = self.prior[i, nearest]
        before = np.full(distance.shape, NOWHERE, np.float64)
        before[..., 1:] = distance[..., :-1]
        overlap = 1.0 - (distance - before) / min(CHECKER_PX, self.layout.pitch)
        laid = np.where(i < n, -ROWS.overlap_cost * np.maximum(0.0, overlap - ROWS.overlap_free), 0.0)
        overlaps = np.add.reduce(laid, axis=2)
        each = np.add.reduce(np.where(i < n, prior, 0.0), axis=2)
        touching = np.logical_and.reduce((overlap > -ROWS.touching)[..., 1:] | (i[1:] >= n), axis=2)
        begins = distance[..., 0]
        # All touch: wherever the first one lies, the others lie against it. (What lies apart beyond the middle stands on the point opposite.)
        off = touching & (n[..., 0] > 1) & (begins < ROWS.begins_at_most * self.layout.pitch)
        return np.asarray(overlaps + each), np.asarray(
            overlaps + np.where(off, np.maximum(each, prior[..., 0]), each)
        )

    @staticmethod
    def _seen_in(rows: Rows, read: list[int]) -> list[Disc]:
        """The checkers of the counts that were `read`, one of each point: where they are."""
        seen: list[Disc] = []
        hopeful, which = rows.hopeful.tolist(), rows.which.tolist()
        at, says = rows.at.tolist(), rows.says.tolist()
        for side, sign in ((0, 1), (1, -1)):
            for strip, count in enumerate(read):
                best_count = count * sign
                if best_count <= 0:
                    continue
                # Here a sixth checker must only not be taken for a hand. Whether it counts is decided by the
                # likelihood.
                full = (SINGLE_LAYER, SINGLE_LAYER - 1) if best_count >= SINGLE_LAYER - 1 else (best_count,)
                row = strip + 24 * side
                for n in full:
                    if hopeful[n - 1][row]:
                        seen += [
                            Disc(at[i][0], at[i][1], side, strip)
                            for i in which[n - 1][row][:n]
                            if says[i] > 0
                        ]
                        break
        return seen

    def _make_room(self, rows: Rows, standing: npt.NDArray[np.bool_]) -> None:
        """Long rows reach over the middle: where a place lies half over one of the other side's on the point opposite that is seen
        better, it costs what it costs within a row. (A dark board in the shadow between two rows resembles a dark checker.) standing (N,): as in
        `_one_place_each`; lowers `says` of `rows`."""
        says = rows.says[:-1]
        # (Points opposite each other add up to 23, and dark's strips are 24 further on.)
        opposite = rows.strip[:, None] + rows.strip[None, standing] == 23 + 24
        apart = np.hypot(*(rows.at[:, None] - rows.at[None, standing]).transpose(2, 0, 1))
        over = 1.0 - apart / min(CHECKER_PX, self.layout.pitch) - ROWS.overlap_free
        over[~opposite | (says[None, standing] <= says[:, None])] = 0.0
        says -= ROWS.overlap_cost * over.max(axis=1, initial=0.0)

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
        # may be two. (No strip reaches over the next one.)
        beside = np.abs(columns - self.layout.pitch) < 0.5 * self.layout.pitch
        rivals = beside & (apart < columns - 2 * SIDEWAYS + ROWS.overlap)
        theirs = says[None, standing]
        # (A checker that stands well inside its own strip is where it is seen: a place beside it that says more than its flank does holds
        # another one. Where two strips see one at their edges, it lies between both places.)
        inside = np.abs(at[standing, 0] - column[standing]) < SIDEWAYS
        flank = theirs * (1.0 - np.square(apart / (ROWS.flank * CHECKER_PX)))
        rivals &= ~inside | (says[:, None] <= flank)
        beaten = (rivals & (theirs > says[:, None] + ROWS.better) & (theirs > 0)).any(axis=1)
        says[beaten] = np.minimum(says[beaten], -ROWS.taken)
        return says

    def _other_colour(self, profile: Floats, across: npt.NDArray[np.intp]) -> list[tuple[list[int], Floats]]:
        """For light and for dark (slots, (N, 2) canvas px) of the points on which a checker of that side, the other colour, may stand
        apart from the ones that were read. A checker that touches its own side's row on the opposite point belongs to that row: long
        rows reach over the middle. profile, across: (48, L) as in `_proposals`.
        """
        # All checkers read on a point are of one colour.
        held = sorted({(1 - d.side, d.slot) for d in self.seen})
        if not held:
            return [([], np.zeros((0, 2))), ([], np.zeros((0, 2)))]
        slot, sides = np.array([(d.slot, d.side) for d in self.seen], np.intp).T
        side, strips = np.array(held, np.intp).T
        of_side = strips + 24 * side
        free = round(ROWS.free * min(CHECKER_PX, self.layout.pitch))
        touching = ROWS.touching_row * self.layout.pitch
        there = centres(self.seen)
        number = np.bincount(slot, minlength=24)
        row = strips[:, None] * (2 * SIDEWAYS + 1) + across[of_side]
        sample = np.arange(row.shape[1])
        xs, ys = self.strips.map_x[row, sample], self.strips.map_y[row, sample]
        feet = self.feet[strips]
        clear = np.abs(ys - feet[:, 1:]) <= (number[strips, None] + ROWS.over_row) * self.layout.pitch
        of_point = slot == strips[:, None]
        of_row = (sides == side[:, None]) & (
            np.abs(there[:, 0] - feet[:, :1]) < ROWS.of_row * self.layout.pitch
        )
        # A checker of the points beside this one is none of it, though the strips see its edge.
        beside = np.abs(there[:, 0] - feet[:, :1]) < ROWS.beside * self.layout.pitch
        # Squares are compared, for there are many of them. A disc of the point itself or beside it is no nearer than a free place,
        # one of the row no nearer than touching.
        near = np.where(of_row, touching**2, -1.0)
        np.maximum(near, np.where(of_point | beside, np.nextafter(free**2, 0.0), -1.0), out=near)
        # Most discs do not matter. Sort those that do to the front, and keep as many as the worst case needs.
        which = (-near).argsort(axis=1)[:, : int((near > 0).sum(axis=1).max())]
        near = near[np.arange(len(strips))[:, None], which]
        apart = np.square(xs[..., None] - there[which, 0][:, None])
        apart += np.square(ys[..., None] - there[which, 1][:, None])
        clear &= ~(apart <= near[:, None]).any(axis=2)
        best = np.where(clear, profile[of_side], -np.inf).argmax(axis=1)
        some = np.logical_or.reduce(clear, axis=1).nonzero()[0]
        at = np.empty((len(some), 2))
        at[:, 0], at[:, 1] = xs[some, best[some]], ys[some, best[some]]
        slots, light = strips[some].tolist(), int(side[some].searchsorted(1))
        return [(slots[:light], at[:light]), (slots[light:], at[light:])]


def centres(discs: Sequence[Disc]) -> Floats:
    """(N, 2) canvas px."""
    return np.array([(d.x, d.y) for d in discs], np.float64).reshape(-1, 2)
