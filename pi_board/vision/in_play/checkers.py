"""The checkers of a picture, by the learned look and by a second opinion."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.sighting import BAR_DARK, BAR_LIGHT, OFF_LIGHT, ZERO
from pi_board.vision.checkers.appearance_numbers import GUESSING, LEARNING
from pi_board.vision.checkers.blind import Seen
from pi_board.vision.checkers.densities import BRIGHT, Explanation, explain
from pi_board.vision.checkers.disc import LIGHT, Disc
from pi_board.vision.checkers.likelihood import centres
from pi_board.vision.checkers.opinions import (
    Deceived,
    as_told_by_colours,
    combined,
    decide_lengths,
    nobody_is_deceived,
)
from pi_board.vision.checkers.patches import TOP_WEIGHTS, medians, top_index
from pi_board.vision.checkers.pixels import weigh, would_say, would_say_each
from pi_board.vision.checkers.row_numbers import ROWS
from pi_board.vision.checkers.strips import loudness
from pi_board.vision.in_play.part import ReaderPart
from pi_board.vision.occluders import around_discs

Floats = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]

#: The reading of a point is in doubt when more than this share of one of its checkers' places is covered.
SPOILT = 0.1
#: Places behind the last checker of a point that must be in view too: the row's next one, and one more for rows that begin off the rim.
BEYOND = 2
#: Places of a point in which checkers lie beside each other (a sixth one lies upon the first as a rule).
IN_A_ROW = 5
#: So many of a point's places tell whether its checkers can be told from the bare point at all.
FIRST_PLACES = 3
#: A new checker lies on a poor guess of the board, or half under a die or the cube, when this share (0..1) of its place does. Source: three
#: games of the campaign (1200012, the bar where the cube had lain; 1315002, a rim that five checkers had covered from the start on;
#: 1520001, the cube's shadow); no sweep.
GUESSED = 0.3
#: Standard deviations of the guess of a bare board (its doubt) within which a checker's brightness could be the board's. Source: campaign
#: 2160005 (3.4 to 5, white on white felt).
RESEMBLES = 6.0
#: So many checkers at once are a row that has come to a point, and one that hardly a turn brings.
ROW, LONG_ROW = 2, 3
#: Nats by which the other reader must see such a row, to have seen it.
CLEARLY = 1.0
#: Nats by which it may take them for the other side's all the same: that they lie there it has seen. (Of lime green and light blue, 87_03 of
#: `bench_traced_live.py`, it took both for dark, by 1 to 3 nats. Set.)
WHOSE = 4.0
#: So many more of a side than lay there before are something else in their colour. Source of these four: `bench_in_the_way.py`.
TOO_MANY = 2
#: Signs of light's counts and of dark's.
_OF_EACH = np.array([[1], [-1]])


def covered(places: Floats) -> tuple[int, ...]:
    """The slots (0-25) of which something covers one of the `places`: (26, N) share (0..1) of each that it does."""
    spoilt = np.logical_or.reduce(places[:, :IN_A_ROW] > SPOILT, axis=1)
    return tuple(spoilt.nonzero()[0].tolist())


def _on_much(what: Mask) -> Mask:
    """(N,) whether more than `GUESSED` of each top lies on `what`, (N, M) of the pixels of `top_index`."""
    return np.asarray(what @ TOP_WEIGHTS / TOP_WEIGHTS.sum() > GUESSED)


class CheckersInPlay(ReaderPart):
    """What the pixels say of checkers."""

    def weigh(self, bgr: Floats, explained: Explanation | None = None) -> tuple[Floats, Floats]:
        """Disc scores (H, W) of light and dark; the weighed pixels are kept with the picture. explained: of `bgr`, to save working it out again."""
        look = self.state.appearance
        assert look is not None
        e = explained if explained is not None else explain(look, bgr)
        picture, finder = self.state.picture, self.state.finder
        told = look.once(("bar", loudness(look.noise)), lambda: would_say(look, finder.on_bar))
        if finder.bar_told is not told:
            finder.told_on_bar(told)
        pixels = picture.pixels = weigh(look, e, picture.covered, picture.under, self.state.way.hides)
        return finder.disc_scores(0, pixels.ratios(0)), finder.disc_scores(1, pixels.ratios(1))

    def judge(self, side: int, places: Floats) -> Floats:
        """`WeighedPixels.judge` of the picture that was weighed last."""
        return self.state.picture.pixels.judge(side, places)

    def read(self, scores: tuple[Floats, Floats]) -> Floats:
        """(28, 31) nats by the learned look, of what `weigh` gave."""
        return self.state.finder.read(scores, self.judge)

    def with_second_opinion(self, own: Floats, seen: Seen, hidden: Sequence[int]) -> Floats:
        """(28, 31) nats of the learned look (`own`, likewise) and of the uncalibrated reader. hidden: slots that something covers
        in part. Shadows that have moved confuse the first, crooked rows the second."""
        theirs, compared = seen.evidence(), seen.compared
        theirs[self.state.finder.hardly_told] *= ROWS.hardly_heard
        if behind := [slot for slot in hidden if slot in compared]:
            # What stands before a point now, or stood there then, is no change of its checkers.
            decide_lengths(theirs, {slot: seen.alone[slot] for slot in behind})
            compared = {slot: says for slot, says in compared.items() if slot not in behind}
        deceived, whose = self._deceived(own, theirs, hidden)
        return combined(own, as_told_by_colours(own, theirs, whose), deceived, compared)

    def _deceived(
        self, own: Floats, theirs: Floats, hidden: Sequence[int]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
        """((28,) of `Deceived`: who can be wrong about a slot, however sure of it; (24,) the points of which the uncalibrated reader cannot
        tell whose checkers lie there)."""
        look, finder = self.state.appearance, self.state.finder
        assert look is not None
        deceived = nobody_is_deceived()
        # The uncalibrated reader cannot see two colours on one point: it counts all checkers there as one side's.
        # And it counts long rows by how far they reach, as if all of them began at the rim.
        deceived[[slot for slot, _ in finder.mixed] + finder.off_the_rim] = Deceived.UNCALIBRATED
        deceived[finder.untold] = Deceived.BOTH
        said, was = own[:OFF_LIGHT].argmax(axis=1) - ZERO, look.counts[:OFF_LIGHT]
        side = np.sign(said)
        came = side * said - np.maximum(0, side * was)
        # Two or more that have come to a point and that the other reader does not see: perhaps a hand or a thing in the colour of the checkers.
        # (Where that one is deceived, hardly a turn brings three.)
        points = np.arange(BAR_LIGHT)
        others = theirs[points]
        so_many, of_the_other = others[points, ZERO + said[points]], others[points, ZERO - said[points]]
        others[points, ZERO + said[points]] = -np.inf
        hardly_told = of_the_other - so_many < WHOSE
        others[points[hardly_told], ZERO - said[points[hardly_told]]] = -np.inf
        whose = hardly_told & (so_many - of_the_other < WHOSE) & (said[points] != 0)
        so_many = np.where(hardly_told, np.maximum(so_many, of_the_other), so_many)
        unseen = so_many < np.maximum.reduce(others, axis=1) + CLEARLY
        trusted = deceived[points] == Deceived.NOBODY
        rows = np.where(trusted, (came[points] >= ROW) & unseen, came[points] >= LONG_ROW)
        deceived[points[rows]] = Deceived.BOTH
        more = np.maximum(0, _OF_EACH * said) - np.maximum(0, _OF_EACH * was)
        if np.add.reduce(more, axis=1).max() >= TOO_MANY:
            # What has the checkers' colour lies over others too.
            deceived[:OFF_LIGHT][said != was] = Deceived.BOTH
        # A new checker may be the board itself where that was never seen bare, and the shadow of a die or the cube beside it.
        on_a_guess, half_covered = self._hardly_seen(said != was)
        deceived[on_a_guess] |= Deceived.LEARNED
        deceived[half_covered] = Deceived.BOTH
        # One that has left a point of its own colour leaves what looks like it, if that was never seen bare.
        like = self._like_the_guess(np.abs(theirs[:OFF_LIGHT].argmax(axis=1) - ZERO) < np.abs(said))
        deceived[:OFF_LIGHT][like & (said != was)] |= Deceived.LEARNED
        deceived[:OFF_LIGHT][like & (said == was)] = Deceived.BOTH
        cannot_tell = self.cannot_tell()
        if cannot_tell.any():
            heard = theirs[points].argmax(axis=1) - ZERO
            otherwise = np.maximum(0, _OF_EACH * heard) != np.maximum(0, _OF_EACH * said[points])
            deceived[points[(cannot_tell.T & otherwise).any(axis=0)]] |= Deceived.LEARNED
        # Beside a thing on the board, both may take a part of it for checkers.
        deceived[list(hidden)] = Deceived.BOTH
        return deceived, whose

    def cannot_tell(self) -> npt.NDArray[np.bool_]:
        """(24, 2) the points from which a light checker, and a dark one, can hardly be told by their colours: black ones with a green ring lie on
        black points of a green board as if nothing was there. The other reader goes by their shape.

        (In a path-traced game with such a set a dark one says .1 to 4.3 nats on eleven of twelve black points, 14 and more on all other points
        there and on those of four other games.)"""
        look, finder = self.state.appearance, self.state.finder
        assert look is not None

        def told() -> Floats:
            places = finder.first_places(FIRST_PLACES)
            return would_say_each(look, places.reshape(-1, 2)).reshape(*places.shape[:2], 2).mean(axis=1)

        return np.asarray(look.once(("points", loudness(look.noise)), lambda: told() < ROWS.hardly_told))

    def hidden(self, own: Floats, places: Floats) -> tuple[int, ...]:
        """The slots (0-25) of which something covers a place where a checker may lie: one of those that are read there or lay there last, or
        one of the next `BEYOND`, since a row has no gaps. own: (28, 31) nats of the learned look; places: (26, 6) share of each place that
        something covers."""
        assert self.state.appearance is not None
        read, lay = own[:OFF_LIGHT].argmax(axis=1) - ZERO, self.state.appearance.counts[:OFF_LIGHT]
        reach = np.maximum(np.abs(read), np.abs(lay)) + BEYOND
        within = np.arange(places.shape[1]) < reach[:, None]
        return covered(np.where(within, places, 0.0))

    def _hardly_seen(self, otherwise: npt.NDArray[np.bool_]) -> tuple[list[int], list[int]]:
        """Of the slots (26,) that are read otherwise than was accepted last, those with a new checker where nobody has ever seen the bare
        board and the guess of it is poor, and those with one that a die or the cube covers in part."""
        look = self.state.appearance
        assert look is not None
        discs = [d for d in self.state.finder.seen if otherwise[d.slot]]
        if not discs:
            return [], []
        index = top_index(look.doubt.shape, centres(discs))
        slots = np.array([d.slot for d in discs])
        # (A guess of the bar has little doubt, for a bar is much the same all along; where the cube has lain it need not be.)
        on_bar = (slots >= BAR_LIGHT)[:, None]
        poor = np.where(on_bar, self._never_seen(index), look.doubt.take(index) >= GUESSING.most_doubt)
        # (What lies where one of its side lay before need not be told from the board.)
        news = look.label.take(index) != np.array([[LIGHT + d.side] for d in discs])
        found = []
        for what in (poor, self.state.picture.pixels.covered.take(index)):
            found.append(sorted(set(slots[_on_much(news & what)].tolist())))
        return found[0], found[1]

    def hardly_placed(self, discs: Sequence[Disc], fitted: Collection[int]) -> Mask:
        """(H, W) what nothing is to be learned of, though the checkers `discs` are known to lie there: the bar, if it is among the slots
        `fitted` that were read otherwise, for nobody knows where on it they lie; and those on the bar where nobody has seen it bare, for
        what is taken for a checker there may be dark for another reason. (4076001 of the campaign with mounts drawn, at dusk: a black checker
        on a black bar was thought to lie where the cube had lain, and went on lying there in the learned look when it had entered.)"""
        look = self.state.appearance
        assert look is not None
        out = np.zeros(look.doubt.shape, np.bool_)
        if {BAR_LIGHT, BAR_DARK} & set(fitted):
            out[self.state.canvas.bar] = True
        elif lying := [d for d in discs if BAR_LIGHT <= d.slot < OFF_LIGHT]:
            on_a_guess = _on_much(self._never_seen(top_index(look.doubt.shape, centres(lying))))
            guessed = [d for d, guess in zip(lying, on_a_guess, strict=True) if guess]
            out |= around_discs(guessed, LEARNING.beside / 2, out.shape)
        return out

    def _never_seen(self, index: npt.NDArray[np.intp]) -> Mask:
        """Whether the bare board is guessed at these pixels of the canvas."""
        look = self.state.appearance
        assert look is not None
        return (look.doubt.take(index) > 0) & ~look.seen.take(index)

    def _like_the_guess(self, where: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """(26,) the slots, of those `where` (26,) it is asked, on which a checker is seen where nobody has ever seen the bare board, and the
        guess of it could be such a checker."""
        look = self.state.appearance
        assert look is not None
        like = np.zeros(OFF_LIGHT, np.bool_)
        if not where.any() or not len(look.hidden[0]):
            return like
        discs = [d for d in self.state.finder.seen if where[d.slot]]
        if not discs:
            return like
        index = top_index(look.doubt.shape, centres(discs))
        guess, sides = look.planes("board")[0].take(index), np.array([d.side for d in discs])
        theirs = np.where(
            (sides == 0)[:, None], *(look.side_features(side)[0].take(index) for side in (0, 1))
        )
        alike = ~look.seen.take(index) & (guess > BRIGHT)
        alike &= np.abs(theirs - guess) < RESEMBLES * look.doubt.take(index)
        like[[d.slot for d, much in zip(discs, _on_much(alike), strict=True) if much]] = True
        return like

    def quality(self) -> float:
        """Sharpness of the picture that was weighed last against the reference, 0..1, where both show the bare board."""
        look = self.state.appearance
        assert look is not None
        edges, before = look.sharpness()
        if len(edges) < 100:
            return 1.0
        now = np.abs(cv2.Laplacian(self.state.picture.pixels.explanation.planes[0], cv2.CV_32F).take(edges))
        return float(min(max(medians(now[None])[0] / max(1.0, before), 0.0), 1.0))
