"""What is in the way: hands that reach in, and things that stand on the board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.frame import Frame
from pi_board.vision.board.canvas import CHECKER_AREA, CHECKER_PX
from pi_board.vision.checkers.blind import Seen
from pi_board.vision.checkers.densities import OUTLIER, Explanation
from pi_board.vision.checkers.disc import Disc
from pi_board.vision.checkers.distance import mahalanobis
from pi_board.vision.dice.footprint import MODEL as FOOTPRINT
from pi_board.vision.first_board import FirstBoard
from pi_board.vision.gate import Obstacle, obstacles
from pi_board.vision.in_play.part import ReaderPart
from pi_board.vision.occluders import (
    MODEL,
    around_discs,
    beside_checkers,
    core_of,
    is_bare,
    may_be_too_big,
    no_checkers,
    unlike,
    whole_checkers,
)
from pi_board.vision.shade import shade_of

Floats = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]

#: Mahalanobis distance to the nearest known look from which a pixel counts as unexplained.
OUTLIER_DISTANCE = 3.2
#: The uncalibrated reader allows for a checker from this probability on.
PERHAPS_A_CHECKER = 0.5
#: What covers less than this of the field (checker areas) hides none of it: men borne off that lie against the rim, or a resting hand.
HIDES = 0.2
#: An obstacle that comes in over the rim with so many times a hand's least area is taken for a hand at once.
PLAINLY_A_HAND = 2.5
#: A single pixel is unexplained only so many nats below `OUTLIER`: pixels are noisier than smoothed patches.
PIXEL_ODDER = 1.5
#: The uncalibrated reader sees no hand where it gives each point less than this probability of one. Source: of what seemed to be in the way on
#: board that was never bare before, .16 at most where nothing was (`bench_nothing_there.py`, 55 looks in seven rooms, and 3230007); .37, .95
#: and .96 under hands of the shared game on wood. (Of 224 hands over the starting position of drawn rooms six had less: all but one of them
#: are plainly larger than such a piece of board.)
NO_HAND = 0.2
#: A checker stands where one stood before if it is so near, in canvas px.
STOOD = 0.35 * CHECKER_PX


def is_set(mask: Mask, u: float, v: float) -> bool:
    """Whether `mask` (H, W) holds the place (column u, row v), which may lie outside."""
    h, w = mask.shape
    return 0 <= round(v) < h and 0 <= round(u) < w and bool(mask[round(v), round(u)])


def share_within(mask: Mask, u: float, v: float, radius: float) -> float:
    """Share (0..1) that is set in `mask` (H, W) of the disc of `radius` px around the place (column u, row v), as far as it lies inside."""
    disc = np.zeros(mask.shape, np.uint8)
    cv2.circle(disc, (round(u), round(v)), round(radius), 1, -1)
    around = disc.astype(bool)
    return float(mask[around].mean()) if around.any() else 0.0


def have_stood(discs: Sequence[Disc], stood: Sequence[Disc]) -> Mask:
    """bool (N,) beside which of `discs` a checker of the same side `stood` before."""
    if not discs or not stood:
        return np.zeros(len(discs), bool)
    now, before = (np.array([(d.x, d.y, d.side) for d in some]) for some in (discs, stood))
    apart = now[:, None] - before
    near = (apart[..., 0] ** 2 + apart[..., 1] ** 2 < STOOD**2) & (apart[..., 2] == 0)
    return np.asarray(near.any(axis=1))


def _area(mask: Mask) -> float:
    """Of (H, W) `mask`, in checker areas."""
    return float(np.count_nonzero(mask) / CHECKER_AREA)


def _mostly_in(found: Obstacle, place: Mask) -> bool:
    """Whether nearly all of it lies in (H, W) `place`."""
    return bool((found.mask & place).sum() >= FOOTPRINT.around_share * found.mask.sum())


class ThingsInTheWay(ReaderPart):
    """Hands and things in the picture that was read last."""

    def hide(self) -> None:
        """Take out the evidence of all places that known things cover."""
        known = self.state.way.things.known
        self.state.way.hides = (
            self.state.way.things.mask((self.state.canvas.height, self.state.canvas.width)) if known else None
        )
        self.state.finder.hidden = self.state.way.hides

    def has_come_to_rest(self, bgr: Floats, frame: Frame, seen: Seen) -> bool:
        """Whether something in the way has looked the same for long enough to become a known thing. It is in the way no more. (In a picture of
        a folder, a finished moment, what neither comes in over the rim nor looks like a hand to the uncalibrated reader is one at once.)
        seen: as in `seek`."""
        picture, look = self.state.picture, self.state.appearance
        reference = None if look is None else look.reference
        no_hand = not self.options.motion and float(seen.hidden.max()) < NO_HAND
        known = [
            self.state.way.things.see(
                found, bgr, frame.time, reference, picture.covered, at_once=no_hand and not found.enters
            )
            for found in picture.in_way
        ]
        picture.in_way = [
            found for found, is_known in zip(picture.in_way, known, strict=True) if not is_known
        ]
        return any(known)

    def is_bare(self, place: Mask) -> bool:
        """Whether the bare board is seen in (H, W) `place`, as it was seen first."""
        picture = self.state.picture
        known = self.first_board(picture.bgr)
        for board in () if known is None else known.in_each_light:
            first, clear = board.in_light_of(picture.bgr, picture.covered)
            if is_bare(place, first, picture.bgr, clear):
                return True
        return False

    def strangers(self, bgr: Floats, checkers: Sequence[Disc], covered: Mask | None = None) -> Mask:
        """(H, W) what stands in `bgr` ((H, W, 3), a picture of `checkers` that is to be learned from) where the bare board was seen first, and is
        neither board, in whatever light, nor checkers, dice and cube: a cup must not be learned as board. covered: (H, W) what is not asked
        about (default where dice and cube lie)."""
        covered = self.state.picture.covered if covered is None else covered
        known = self.first_board(bgr)
        there = around_discs(checkers, MODEL.near, covered.shape)
        if known is None:
            return np.zeros_like(covered)
        out = self._unlike(known, bgr, covered, there)
        if known.earlier is not None and out.any():
            # The bare board in either light is none.
            out &= self._unlike(known.earlier, bgr, covered, there) | ~known.earlier.bare
        return out & ~there

    def _unlike(self, known: FirstBoard, bgr: Floats, covered: Mask, there: Mask) -> Mask:
        """(H, W) `strangers` to one picture of the bare board. there: (H, W) where checkers, their sides and shadows are."""
        board = self.state.located
        first, clear = known.in_light_of(bgr, covered)
        taken = covered | there
        # (The shadows of a window come and go on the table, too, and grey tells nothing of them.)
        strange = unlike(first, bgr, clear & ~there & board.zone)
        out = np.zeros_like(covered)
        for found in obstacles(strange, board.zone, board.canvas):
            # (Men that were borne off lie beside the field.)
            if not self.options.hand_area <= found.area <= MODEL.largest or not self._hides_any(found):
                continue
            mask = core_of(found)[0]
            # (What is none has a shadow that has come there, or gone.)
            stands = shade_of(first, bgr, mask, taken)[0] & shade_of(bgr, first, mask, taken)[0]
            # (Beside what stood there when it was seen, it showed a side or a shadow of that.)
            if _area(stands & found.mask & known.sure) >= self.options.hand_area:
                out |= stands
        if _area(out) > MODEL.most:
            return np.zeros_like(out)
        return out

    def first_board(self, like: Floats) -> FirstBoard | None:
        """The bare board as it was seen first; None where nothing was, or on another canvas than that of the picture `like`."""
        known = self.state.learned.first
        return known if known is not None and known.bgr.shape == like.shape else None

    def takes_back(self, seen: Seen) -> bool:
        """Where what seems to be in the way is the bare board, something was learned as board that stands there no more: what is seen now is
        the board. True when there is such a place. seen: what the uncalibrated reader says of the picture."""
        look, picture = self.state.appearance, self.state.picture
        assert look is not None
        if sum(found.area for found in picture.in_way) > MODEL.most:
            return False
        bare = np.zeros_like(self.state.located.zone)
        for found in picture.in_way:
            mask, core = core_of(found)
            # (What was seen around the cube is not known without it.)
            left_by_the_cube = self._lies_within(found, self.state.lying.left)
            if left_by_the_cube or self.is_bare(core):
                bare |= mask
            if left_by_the_cube:
                self.state.lying.left = None
        if not bare.any():
            return False
        bare &= ~picture.covered & ~self.state.located.blind.checkers(seen, self.state.canvas)
        look.take_for_board(picture.bgr, bare)
        return True

    def were_no_shadows(self, found: Sequence[Obstacle]) -> bool:
        """Whether something is still in the way where a known thing's shadow was thought to lie: that is a part of the thing then."""
        strange = np.zeros_like(self.state.located.zone)
        for obstacle in found:
            strange |= obstacle.mask
        taken = self.state.way.things.take_shadow_again(strange)
        if taken:
            self.hide()
        return taken

    def conceal(self, shadows: Mask | None = None) -> None:
        """Remove known things from the reference, and (H, W) `shadows` of them that fell on the board: when they are gone, the bare board is
        expected in their place.
        """
        hides = self.state.way.hides
        if hides is not None and self.state.appearance is not None:
            self.state.appearance.forget(hides if shadows is None else hides | shadows)

    def may_cover(self, x: float, y: float) -> bool:
        """A known thing may cover the picture's place (x, y) px."""
        hides = self.state.way.hides
        return hides is not None and is_set(hides, *self._on_canvas(x, y))

    def is_hidden(self, x: float, y: float) -> bool:
        """A known thing covers the picture's place (x, y) px, and looks there as it did when it came. (What stands there is smaller than what
        it may cover: a die that is rolled beside it may come to lie there.)"""
        if not self.may_cover(x, y):
            return False
        changed = self.state.way.things.changed(self.state.picture.shaded)
        return not is_set(changed, *self._on_canvas(x, y))

    def covers(self, x: float, y: float, radius: float) -> float:
        """Share (0..1) of the disc of `radius` canvas px around the picture's place (x, y) px that known things may cover."""
        assert self.state.way.hides is not None
        return share_within(self.state.way.hides, *self._on_canvas(x, y), radius)

    def _on_canvas(self, x: float, y: float) -> tuple[float, float]:
        """(column, row) of the picture's place (x, y) px."""
        u, v = self.state.canvas.from_picture([(x, y)])[0]
        return float(u), float(v)

    def hand_reaches_in(self, explained: Explanation, still: bool) -> bool:
        """Whether an arm is plain to see in a changed picture. Nothing else in it is worth reading then, which
        would take a slow processor seconds. Reported once; an arm that stays gets a full look.
        """
        if still or self.state.way.saw_hand or not self.options.motion:
            self.state.way.saw_hand = False
            return False
        strange = self._unexplained(explained)
        if self.state.way.hides is not None:
            strange &= ~self.state.way.hides
        least = PLAINLY_A_HAND * self.options.hand_area
        # Half of its pixels at least: gaps between them are closed below.
        if _area(strange) < 0.5 * least:
            return False
        found = [
            o
            for o in obstacles(strange, self.state.located.zone, self.state.canvas)
            if o.enters and self._hides_any(o)
        ]
        if not found or found[0].area < least:
            return False
        self.state.way.saw_hand = True
        self.state.picture.obstacle = found[0]
        return True

    def seek(self, seen: Seen) -> Obstacle | None:
        """The largest thing in the weighed picture that nothing explains; all of them are kept with the picture. None: nothing is there.
        seen: what the uncalibrated reader says of the picture."""
        look = self.state.appearance
        assert look is not None
        picture, board = self.state.picture, self.state.located
        e = picture.pixels.explanation
        # Two opinions: pixel by pixel against all densities, and smoothed against what is seen (for noisy light).
        strange = self._unexplained(e)
        away, without_checkers = mahalanobis(look, e.features, self.state.finder.seen, OUTLIER_DISTANCE)
        strange |= away > OUTLIER_DISTANCE
        there = without_checkers > OUTLIER_DISTANCE
        there &= ~picture.pixels.covered | self._changed_beside_things()
        strange &= ~picture.pixels.covered
        # The dark inside of a cup has the colour of dark checkers, which would explain it.
        odd = big = None
        if may_be_too_big(there):
            odd, big = self._no_checkers(seen, there)
            strange |= big
        least = self.options.hand_area
        found = obstacles(strange, board.zone, board.canvas)
        if found and found[0].area >= least:
            # A checker in new light looks unknown, but the uncalibrated reader still sees a checker: it is not in the way.
            if odd is None or big is None:
                odd, big = self._no_checkers(seen, there)
            strange &= ~beside_checkers(strange, self.state.finder.seen)
            found = obstacles(
                strange & (~board.blind.checkers(seen, board.canvas) | big) & ~self._told_by_both(seen),
                board.zone,
                board.canvas,
                odd,
            )
        picture.in_way = self._no_part_of_the_game(found, seen)
        lying = self.state.lying
        left = lying.left
        if left is not None and (
            left.shape != strange.shape or not any((o.mask & left).any() for o in picture.in_way)
        ):
            # Nothing is strange where the cube lay; what comes there is a thing.
            lying.left = None
        if not picture.in_way and (stands := self._unlike_the_first_board(seen)) is not None:
            # It has the colour of dark checkers, or was learned as board: neither was there when the board was seen first.
            picture.in_way = self._no_part_of_the_game(obstacles(stands, board.zone, board.canvas), seen)
        return picture.in_way[0] if picture.in_way else None

    def _no_part_of_the_game(self, found: Sequence[Obstacle], seen: Seen) -> list[Obstacle]:
        """Those of `found` that are large enough to be a hand or a thing, and neither sides and shadows of dice and cube nor a piece of the
        board that was never seen before. seen: as in `seek`."""
        picture, lying = self.state.picture, self.state.lying
        around = lying.around if picture.cube is not None and picture.cube.place != "none" else None
        return [
            o
            for o in found
            if o.area >= self.options.hand_area
            and self._hides_any(o)
            and not self._lies_within(o, around)
            and not self._lies_within(o, picture.beside_dice)
            and not self._was_never_seen_bare(o, seen)
        ]

    def _was_never_seen_bare(self, found: Obstacle, seen: Seen) -> bool:
        """Whether all of it that lies on the field, or nearly all of it, is board that was never seen bare, as under the rows that stood there
        from the start on: that may look as it likes, a window's shadow falls there as well. Nothing that is large, nor where the uncalibrated
        reader may see a hand, for hands reach over such rows. seen: as in `seek`."""
        look = self.state.appearance
        assert look is not None
        if found.area > PLAINLY_A_HAND * self.options.hand_area or seen.hidden.max() >= NO_HAND:
            return False
        return _mostly_in(found, look.never_bare) or not self._hides_any(found, look.never_bare)

    def _hides_any(self, found: Obstacle, but: Mask | None = None) -> bool:
        """Whether it covers any of the field, where checkers, dice and cube belong. but: (H, W) what does not count."""
        field = self.state.canvas.field if but is None else self.state.canvas.field & ~but
        return _area(found.mask & field) >= HIDES

    def _lies_within(self, found: Obstacle, place: Mask | None) -> bool:
        """What is no hand lies in (H, W) `place`, where the sides and shadows of dice or cube may be."""
        if place is None or found.enters or found.mask.shape != place.shape:
            return False
        return _mostly_in(found, place)

    def _told_by_both(self, seen: Seen) -> Mask:
        """(H, W) what lies beside the checkers of points and bar on which both readers see as many of one side. seen: as in `seek`."""
        discs = self.state.finder.seen
        of_slot = Counter(d.slot for d in discs)
        told = [d for d in discs if seen.tells(d.slot, d.side, of_slot[d.slot])]
        return around_discs(told, MODEL.near, self.state.located.zone.shape)

    def _unlike_the_first_board(self, seen: Seen) -> Mask | None:
        """(H, W) `strangers` beside known things and the checkers that both readers see, or that stood there before; None where
        there is plainly nothing. (In the dark inside of a cup one of them often sees checkers.) seen: as in `seek`."""
        state = self.state
        picture, stood, way = state.picture, state.learned.stood, state.way
        if way.plain and state.pace.alike:
            # The picture shows what the last one did.
            return None
        way.plain = True
        taken = picture.covered if way.hides is None else picture.covered | way.hides
        # (A checker that stands on the other side's point is one too: that may be the play.)
        discs = [*state.finder.seen, *state.finder.strays]
        told = have_stood(discs, stood)
        if not self._may_hold_a_thing(taken, discs, told):
            return None
        whole = whole_checkers(self.state.located.blind.checkers(seen, self.state.canvas, PERHAPS_A_CHECKER))
        both = np.array([is_set(whole, d.x, d.y) for d in discs], bool) & ~told
        told |= both
        if both.any() and not self._may_hold_a_thing(taken, discs, told):
            return None
        checkers = [disc for disc, is_one in zip(discs, told, strict=True) if is_one]
        stands = self.strangers(picture.bgr, checkers, taken)
        way.plain = not stands.any()
        return None if way.plain else stands

    def _may_hold_a_thing(self, taken: Mask, discs: Sequence[Disc], told: Mask) -> bool:
        """Whether anything too big for a checker may stand where the board was bare, beside what is `taken` (H, W) and those of `discs` that
        are `told` (N,) for checkers."""
        bgr = self.state.picture.bgr
        known = self.first_board(bgr)
        if known is None:
            return False
        places = np.array([(d.x, d.y) for d in discs]).reshape(-1, 2)[told]
        return all(board.may_hold_a_thing(bgr, taken, places) for board in known.in_each_light)

    def _unexplained(self, e: Explanation) -> Mask:
        """(H, W) pixels that no density explains, each by itself."""
        strange = np.maximum(e.same, np.maximum(e.light, e.dark)) < OUTLIER - PIXEL_ODDER
        strange &= ~self.state.canvas.field | (e.board < OUTLIER - PIXEL_ODDER)
        return np.asarray(strange, bool)

    def _no_checkers(self, seen: Seen, there: Mask) -> tuple[Mask, Mask]:
        """`no_checkers` of (H, W) pixels that are not the board."""
        return no_checkers(
            there, self.state.located.blind.checkers(seen, self.state.canvas, PERHAPS_A_CHECKER)
        )

    def _changed_beside_things(self) -> Mask:
        """(H, W) where a known thing may stand, but neither it nor dice are what is seen there now."""
        if self.state.way.hides is None:
            return np.zeros_like(self.state.picture.covered)
        return self.state.way.things.changed(self.state.picture.shaded) & ~self.state.picture.covered
