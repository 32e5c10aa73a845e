"""Which points have been touched since before a roll, by how they look: whoever moves a checker changes the picture of the point.

What a stack reads as is one thing, whether it looks as before is another: errors of reading stay as long as nobody touches what they are
made of. Each point is seen as a few blocks (`Sighting.strips`), and the same blocks are compared.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Strips = npt.NDArray[np.number]
POINTS, QUARTER, ALL = 24, 6, 15


@dataclass(frozen=True, slots=True)
class TouchModel:
    """A point's change: by how many levels of 255 (the most of three channels, without what is common to all points) its blocks have become
    brighter or darker; of the means of two by two neighbours the second most, which no speck reaches. untouched: below it nobody has
    touched the point, unless it reads quite otherwise; certain: below it, whatever it reads; certain_of_piles: the same where some lie upon
    others, which hardly shows; touched: from it on somebody has, though he
    may have left as many checkers. most: of half of the points none may have changed so much for this to be told of any: else the light
    has changed, or the camera; unless it is noise, which is the same everywhere: less than noisiest, and of the points, in the order of their
    changes, the eighteenth no more than even times the sixth. (1990009: 2.2 to 3.5 in 374 of 533 looks, 1.2 times.)

    Source: 16 rendered games (690000-690015), the mean pictures between two rolls and the next two. Of 1,957 points with another number
    or another side's checkers none had changed by less than 2, .4 % by less than 4 (dark stacks of six in a dark room, 640 x 480), 1.0 % by
    less than 6. Of 6,200 stacks that held as many as before 98 % had changed by less than 2, 1.4 % by 6 and more: nudged, or lifted and
    put back. Of 17,300 points with another number in 142 games (690000-730034) none had changed by less than 1.5; of 163,000 with as many
    as before, 93 % had, and of these 170 were read otherwise by 3 nats and more. Of 37,400 points with another number in 278 games
    (745022-760224) two had changed by less than 1.5 and one by .5: the sixth upon the fifth.
    """

    spared: int = 1
    untouched: float = 2.0
    certain: float = 1.5
    certain_of_piles: float = 0.5
    touched: float = 6.0
    most: float = 2.0
    noisiest: float = 3.5
    even: float = 1.4


TOUCH = TouchModel()


@dataclass(frozen=True, slots=True)
class BarModel:
    """The same of the bar, whose checkers may be as dark as it is: they change it by 1 to 3 levels, beside a noise of .2 to 1.

    certain: a change (levels, as in `TouchModel`) below which nobody has touched it. touched, plainly: levels, and times the bar's median
    change, from which on somebody has. row: levels, and times the median, from which on a row of blocks has changed. rows: so many
    rows are one checker at least; so many may be one or two; from so many on they are two, and from so many on three.
    nats: against a count that does not go with it; another count is read so much less surely than this if it is doubtful at all.

    Source: 17 rendered games (700012, 720023, 760001-760252), seven of them with dark checkers on a dark bar at dusk; single looks against
    the mean before the roll. With as many as before 76 % of 1,770 looks changed by less than 1, of 310 with another number none; one
    checker changed 4-7 rows (95 %), two 7-10 (70 %).
    """

    certain: float = 1.0
    touched: float = 1.2
    plainly: float = 3.0
    row: tuple[float, float] = (0.7, 2.0)
    rows: tuple[int, int, int, int] = (3, 7, 9, 13)
    nats: float = 4.0
    doubtful: float = 7.0


BAR = BarModel()


@dataclass(frozen=True, slots=True)
class ChangedRowsModel:
    """What it tells of a point that so many rows of its blocks have changed: each checker that comes or goes changes some five of them,
    whatever the point is read as.

    changed: levels, and part of the most that any row of the point has changed, from which a row has. in_a_row: checkers beside each other,
    before the next ones lie upon them. nats: of 0, 1, 2 … changed rows, where as many checkers as before lie there, one, two, three or four
    have come or gone. beside: of a point with as many as before, whose neighbour looks touched (checkers hide and shade what lies beside
    them). piled: where some lie upon others, before or after: the sixth has come or gone, one above it, two, three or more. most: nats that
    it may tell against a number.

    Source: 490,000 points before and after turns of 278 rendered games (745022-745243, 755000-755036 and 760000-760224), no dice lying on
    the board. (With 6 levels for every row, 2 % of one to four checkers were told as another number, with these .8 %: light checkers on a
    light point change some of their rows by 3 to 5 levels, dark ones shade the rows beside them by a tenth of their own.) Piles: 1,392;
    points beside changed ones: 46,600, of which 7 % look touched.
    """

    changed: tuple[float, float] = (2.5, 0.12)
    in_a_row: int = 5
    nats: tuple[tuple[float, ...], ...] = (
        (-0.1, -2.4, -5.4, -5.4, -5.5, -6.0, -6.7, -7.4, -7.6, -8.6, -9.7, -10.3, -10.3, -10.5, -10.9, -10.9, -10.9, -10.9, -10.9),
        (-11.4, -10.0, -8.5, -4.3, -1.8, -0.9, -1.1, -2.6, -4.9, -6.4, -7.2, -8.3, -9.1, -9.9, -9.9, -11.2, -11.7, -11.7, -11.7),
        (-10.0, -10.0, -10.0, -9.1, -7.3, -7.3, -6.1, -3.5, -1.4, -1.0, -1.3, -3.2, -5.9, -6.4, -7.3, -8.3, -8.4, -8.5, -9.7),
        (-7.2, -7.2, -7.2, -7.2, -7.2, -7.2, -6.9, -6.7, -6.7, -5.7, -5.7, -2.9, -1.1, -1.1, -1.5, -3.2, -5.9, -6.9, -6.9),
        (-6.0, -6.0, -6.0, -6.0, -6.0, -6.0, -6.0, -6.0, -6.0, -6.0, -6.0, -5.7, -4.4, -3.9, -3.9, -3.1, -1.6, -0.8, -0.8),
    )  # fmt: skip
    beside: tuple[float, ...] = (-0.1, -4.6, -4.6, -4.0, -3.7, -4.5, -5.7, -5.9, -5.6, -6.9, -8.8, -8.9, -8.9, -8.9, -9.5, -9.5, -9.5, -9.5, -9.5)  # fmt: skip
    piled: tuple[tuple[float, ...], ...] = (
        (-5.5, -4.6, -3.4, -2.0, -1.2, -1.2, -2.1, -3.1, -4.5, -5.4, -5.9, -7.4, -7.4, -7.4, -7.8, -7.8, -7.8, -7.8, -8.1),
        (-4.5, -4.1, -3.0, -3.0, -2.0, -1.4, -1.1, -2.0, -3.8, -6.4, -7.6, -7.6, -7.6, -7.6, -7.6, -7.6, -7.6, -7.6, -7.6),
        (-6.2, -6.2, -5.5, -4.2, -3.6, -3.1, -2.1, -1.6, -1.6, -1.6, -2.1, -3.2, -4.4, -5.5, -6.2, -6.2, -6.2, -6.2, -6.2),
        (-5.2, -5.2, -5.2, -5.2, -5.2, -5.2, -4.5, -4.1, -3.3, -2.9, -2.4, -2.1, -2.1, -2.0, -2.2, -2.2, -2.5, -3.1, -4.1),
    )  # fmt: skip
    most: float = 5.0
    a_checker: int = 5


ROWS = ChangedRowsModel()
_NATS = np.array((*ROWS.nats, *ROWS.piled, ROWS.beside))
_COUNTS = np.arange(-ALL, ALL + 1)


@dataclass(frozen=True, slots=True)
class Changes:
    """What looks otherwise than before. points: (24,) each point's change, as in `TouchModel`. rows: (24,) how many rows of its blocks
    have changed. first: (24,) which is the first of them, from the edge; 0 where none has. untouched: nobody has touched the bar.
    come_or_gone: how many checkers on it have come or gone, at least and at most; (0, 0) where that is not known."""

    points: npt.NDArray[np.float64]
    rows: npt.NDArray[np.int64]
    first: npt.NDArray[np.int64]
    untouched: bool
    come_or_gone: tuple[int, int]

    def of_point(self, point: int, was: int) -> npt.NDArray[np.float64]:
        """(31,) nats, 0 at best, of the signed counts -15 to 15 by the rows that have changed, where `was` (signed) lay before."""
        same_side = _COUNTS * was >= 0
        counts = np.abs(_COUNTS)
        # (A hit checker and the one that hit it lie in the same place.)
        come = np.where(same_side, np.abs(counts - abs(was)), np.maximum(counts, abs(was)))
        kinds = np.minimum(come, len(ROWS.nats) - 1)
        higher, lower = np.maximum(counts, abs(was)), np.minimum(counts, abs(was))
        piled = same_side & (come > 0) & (lower >= ROWS.in_a_row) & (higher > ROWS.in_a_row)
        upon = np.where(come == 1, np.minimum(lower - ROWS.in_a_row, 1), np.minimum(come, 3))
        kinds = np.where(piled, len(ROWS.nats) + upon, kinds)
        if any(self.points[near] >= TOUCH.touched for near in neighbours(point)):
            kinds[kinds == 0] = len(_NATS) - 1
        nats = _NATS[kinds, min(int(self.rows[point]), _NATS.shape[1] - 1)]
        return np.asarray(np.maximum(nats - nats.max(), -ROWS.most), np.float64)


def neighbours(point: int) -> list[int]:
    """The points (0-23) that lie beside `point`, in the same quarter of the board."""
    return [near for near in (point - 1, point + 1) if near // QUARTER == point // QUARTER]


def relit(before: Strips, now: Strips) -> Strips:
    """`now` (26, L, W, 3) in the light of `before`: without what has become brighter or darker everywhere."""
    difference = now.astype(np.float32) - before
    # (A third of the blocks tells what is common; and numpy's own median takes 25 calls.)
    common = difference.reshape(-1, 3)[::3].copy()
    common.sort(axis=0)
    return now - common[len(common) // 2]


def changes(before: Strips, now: Strips) -> Changes | None:
    """Between two pictures of the points and the bar's halves (26, L, W, 3), as in `Sighting`; None where it tells nothing."""
    difference = relit(before, now) - before
    four = difference[:, :-1, :-1] + difference[:, 1:, :-1] + difference[:, :-1, 1:] + difference[:, 1:, 1:]
    levels = np.abs(four).max(axis=3) / 4
    flat = levels[:POINTS].reshape(POINTS, -1)
    place = flat.shape[1] - 1 - TOUCH.spared
    found = np.partition(flat, place, axis=1)[:, place].astype(np.float64)
    in_order = sorted(found.tolist())
    noise = in_order[POINTS // 2]
    noisy = noise >= TOUCH.most
    if noisy:
        if noise >= TOUCH.noisiest or in_order[3 * POINTS // 4] > TOUCH.even * in_order[POINTS // 4]:
            return None
        # Noise adds as much to each point, as squares. (Of the bar, which changes less, it leaves nothing that could be told.)
        found, levels = (np.sqrt(np.maximum(x * x - noise * noise, 0.0)) for x in (found, levels))
    by_row = levels[:POINTS].max(axis=2)
    least, part = ROWS.changed
    rows = by_row >= np.maximum(max(least, noise), part * by_row.max(axis=1))[:, None]
    bar = (False, (0, 0)) if noisy else _of_bar(levels[POINTS:])
    return Changes(found, rows.sum(axis=1), rows.argmax(axis=1), *bar)


def _of_bar(levels: npt.NDArray[np.floating]) -> tuple[bool, tuple[int, int]]:
    """(untouched, come_or_gone) as in `Changes`; levels: (2, L, W) of the halves."""
    # (Both halves see the middle.)
    rows = levels[:, :-1].max(axis=2).ravel()
    if not rows.size:
        return False, (0, 0)
    most = float(np.partition(levels[:, :-1].ravel(), -1 - TOUCH.spared)[-1 - TOUCH.spared])
    usual = sorted(rows.tolist())[rows.size // 2]
    if most < BAR.touched or most < BAR.plainly * usual:
        return most < BAR.certain, (0, 0)
    changed = int((rows >= max(BAR.row[0], BAR.row[1] * usual)).sum())
    one, one_or_two, two, three = BAR.rows
    if changed < one:
        return False, (0, 0)
    if changed < two:
        return False, (1, 1 if changed < one_or_two else 2)
    return False, (2, 2) if changed < three else (3, ALL)
