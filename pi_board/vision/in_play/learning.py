"""What is learned of board and checkers: from the starting position, from every accepted one, and in new light."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.errors import AmbiguousError
from pi_board.frame import Frame
from pi_board.rules import Position
from pi_board.sighting import BAR_LIGHT, OFF_LIGHT, ZERO, Sighting
from pi_board.vision.board.bump import BumpWatch
from pi_board.vision.board.canvas import CHECKER_PX
from pi_board.vision.checkers.appearance import Appearance
from pi_board.vision.checkers.blind import Seen
from pi_board.vision.checkers.disc import BOARD, UNKNOWN, Disc
from pi_board.vision.checkers.known_position import (
    START,
    farthest_moved,
    have_stayed,
    ideal_discs,
    in_order,
    layout_of,
    moved,
    neighbourhood,
    signed_counts,
)
from pi_board.vision.checkers.likelihood import centres
from pi_board.vision.checkers.pile_changes import PILE
from pi_board.vision.checkers.strips import plain_layout
from pi_board.vision.checkers.whole_position import plainly_shown
from pi_board.vision.first_board import FirstBoard
from pi_board.vision.in_play.checkers import CheckersInPlay
from pi_board.vision.in_play.dice import DiceInPlay
from pi_board.vision.in_play.in_the_way import ThingsInTheWay, is_set
from pi_board.vision.in_play.pace import FULL_LOOKS
from pi_board.vision.in_play.part import ReaderInterface, ReaderPart
from pi_board.vision.in_play.place import BoardPlace
from pi_board.vision.occluders import MODEL as OCCLUDERS
from pi_board.vision.occluders import around_discs
from pi_board.vision.reader_state import NewLight

Floats = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]

#: Seconds between two tries to learn from a picture that may show the starting position.
TRY_AGAIN = 1.0
#: A picture of a known position is learned from when this share of its checkers looks like the others of their side.
CONVINCING = 0.9
#: Where no point differs this share is enough in play, and at the start if the other reader sees the whole position, too: in the hard
#: shadows of a window some look like none. (Of 26 men late in 2790004 three did, and as long as that lesson was refused the shadows were
#: things, for 88 s. Of 30 at the start of `bench_webcam.py --seed 4078000 --room mount=drawn` four did, and nothing was refereed.)
ENOUGH_IN_SHADOWS = 0.8
#: If a picture is read worse by more than so many nats after it has been learned from, the lesson is undone.
UNLEARNED = 3.0
#: A known position is fitted until a round moves no checker by more than so many canvas px, the step of its search; at most so often.
FITTED, MOST_FITS = 1.0, 3
#: A checker has stayed where it stood before when it is fitted within so many checker diameters of there. (A row is fitted up to 4 px along
#: its point from where it was read, of 16; what somebody has pushed to another place of its point mostly lies further.)
STAYED = 0.25
#: A picture does not show a position whose summed log-likelihood is below this, nats.
DISAGREES = -12.0
#: Nor one of which a single place says less than this. Source: what was written down in 18 rendered games (745000 and 755000 on) and
#: taken for a lesson: 4 places of 12 said -1 to -4 nats and were wrong, 21 of 21 said less, and what was read was right.
CONTRADICTS = -4.5
#: This share of the checkers must be seen where a thing seems to stand before it is taken for new light, and so many where things
#: seem to stand, or the board's structure through it.
SEEN_THROUGH, ALL_SEEN = 3, 0.8
#: Radius of a checker with its own shadow, in checker diameters.
BESIDE = 0.6
#: What dice and cube cover is wider by half of this with their sides, canvas px. (A cube on the bar, seen aslant, showed 3 px of red beside
#: what it was known to cover: learned as board, that made a phantom of the bare bar when the cube had gone, 4076001.)
SIDES = 9
#: So many positions that a game which goes on may show are tried.
LIKELIEST = 3
#: Where the checkers are; the disc scores (H, W) of light and dark; and what lies where (H, W) by a look that was learned from these very
#: places, None where it is still to be learned from them.
Lesson = tuple[list[Disc], tuple[Floats, Floats], npt.NDArray[np.int8] | None]


class Learner(ReaderPart):
    """The look of this board, learned and refreshed."""

    def __init__(
        self,
        reader: ReaderInterface,
        place: BoardPlace,
        way: ThingsInTheWay,
        dice: DiceInPlay,
        checkers: CheckersInPlay,
    ) -> None:
        super().__init__(reader)
        self._place, self._way, self._dice, self._checkers = place, way, dice, checkers

    def learn(self, position: Position) -> None:
        """Learn the look of board and checkers from the last settled picture, which shows `position`. (Where looks are dear this waits
        until the scene changes or has been read often enough: somebody may be waiting for the next look.)"""
        if (
            self.options.motion
            and self.reader.budget.dear
            and self.state.learned.confirmed
            and self.state.appearance is not None
        ):
            self.state.lessons.waiting = self.state.lessons.accepted = position
            return
        self._learn(position)

    def take_lesson(self) -> None:
        """What waited to be learned, if anything did."""
        if self.state.lessons.waiting is not None:
            position, self.state.lessons.waiting = self.state.lessons.waiting, None
            self._learn(position)

    def _learn(self, position: Position) -> None:
        lessons = self.state.lessons
        lessons.accepted, lessons.suspect_at, lessons.pause = position, float("-inf"), TRY_AGAIN
        if self.state.pace.image is None:
            return
        self.state.pace.last = self.state.pace.kept = None
        self.state.pace.looks = min(self.state.pace.looks, FULL_LOOKS - 1)
        if self.state.appearance is None or (
            not self.state.learned.confirmed and position != self.reader.start
        ):
            try:
                self.begin(self.state.pace.image, position)
            except AmbiguousError:
                self.state.learned.appearance = None
                return
            self.state.learned.confirmed = True
            return
        self.state.learned.confirmed = True
        if not self.options.relearn or self.state.picture.obstacle is not None:
            return
        counts = signed_counts(position)
        last = self.state.pace.shown
        if last is None or last.log_likelihood is None or last.mixed:
            return
        says = last.log_likelihood[np.arange(OFF_LIGHT), counts[:OFF_LIGHT] + ZERO]
        if _shows(_but_for_long_points(says, last.log_likelihood, counts)):
            # How many lie on a long point is what one sees least, and what the next picture is compared with.
            self.state.located.blind.accept(self.state.pace.image, counts, last.hidden)
        if not _shows(says):
            # The position is of the turn before and the game has gone on, or somebody has written down what never lay there.
            return
        discs, fitted = self._standing(counts)
        # What was in a thing's shadow is not the board's look either: taken away, its soft edge leaves a trace.
        shadows = self.state.way.things.shadows(self.state.picture.bgr.shape)
        around = _with_sides(self.state.picture.pixels.covered | shadows)
        around |= self._checkers.hardly_placed(discs, fitted)
        kept = self.state.appearance.known()
        self.state.appearance.learn(
            self.state.picture.bgr, discs, around, columns=self.state.finder.columns, fresh=False
        )
        self._way.conceal(shadows & ~around_discs(discs, BESIDE, shadows.shape))
        self.state.appearance.counts = counts
        # (How many lie on a long point this reader can hardly count.)
        plain = np.flatnonzero(np.abs(counts[:OFF_LIGHT]) < 5)
        again = self.state.finder.read(self._checkers.weigh(self.state.picture.bgr), self._checkers.judge)
        if (
            again[plain, counts[plain] + ZERO].sum()
            < self.state.picture.own[plain, counts[plain] + ZERO].sum() - UNLEARNED
        ):
            # Where checkers and points have one colour, the learned look may misread the very picture it was
            # learned from. Undo it then.
            self.state.appearance.restore(kept)
        else:
            self.state.learned.stood = discs

    def _standing(self, counts: npt.NDArray[np.int64]) -> tuple[list[Disc], list[int]]:
        """The checkers of the accepted position in the last picture: where they were read, or, where another
        number was read, where they fit best; and the slots where they were fitted.
        """
        seen: dict[int, list[Disc]] = {}
        for d in self.state.finder.seen:
            seen.setdefault(d.slot, []).append(d)
        read = {
            slot: discs
            for slot, discs in seen.items()
            if slot < OFF_LIGHT
            and (discs[0].side == 0) == (counts[slot] > 0)
            and (len(discs) == abs(int(counts[slot])) or _lie_piled(slot, discs, counts))
        }
        others = counts.copy()
        others[list(read)] = 0
        standing = [d for discs in read.values() for d in discs]
        fitted = np.flatnonzero(others[:OFF_LIGHT]).tolist()
        if fitted:
            standing += self.state.finder.fit(self.state.picture.scores, others, self._checkers.judge)
        return standing, fitted

    def looks_like_start(self, sighting: Sighting) -> bool:
        """Whether this is nearly the starting position, judged by the look learned in the game before."""
        if sighting.log_likelihood is None:
            return False
        counts = signed_counts(self.reader.start)
        return (
            int((sighting.log_likelihood[np.arange(24), counts[:24] + ZERO] < START.differs).sum())
            <= START.most_differ
        )

    def new_light(self, frame: Frame, seen: Seen) -> NewLight | None:
        """What is to be learned afresh when what seems to stand on the board is only new light, for hard shadows that have come or gone
        look like things to what was learned with or without them; or is the bare board, where a cup that nobody noticed was learned as
        board. None when that is not so.

        The uncalibrated reader must see a whole position; and through such a thing the board's structure must show, as it is known or as
        it was seen first, or the checkers that it would cover.
        """
        look, position, things = (
            self.state.appearance,
            self.state.lessons.accepted,
            self.state.way.things,
        )
        waiting = things.perhaps_light if self.state.picture.in_way else []
        known = [*things.known, *waiting]
        if look is None or position is None or not known or frame.time < self.state.lessons.next_try:
            return None
        self.state.lessons.next_try = frame.time + TRY_AGAIN
        position = plainly_shown(seen.evidence(), position)
        if position is None:
            return None
        counts = signed_counts(position)
        tops = self.state.located.blind.checkers(seen, self.state.canvas)
        discs = ideal_discs(counts, self.state.canvas, self.orientation)
        under = [[is_set(tops, d.x, d.y) for d in discs if is_set(thing.core, d.x, d.y)] for thing in known]
        # Checkers that are seen where things would cover them: all over the board, for one alone may be a mistake.
        all_seen = [bool(there) and sum(there) >= ALL_SEEN * len(there) for there in under]
        many = sum(sum(there) for there, them in zip(under, all_seen, strict=True) if them) >= SEEN_THROUGH
        reference, now = look.reference[..., 1], self.state.picture.bgr[..., 1]
        stand = [
            thing
            for thing, them in zip(known, all_seen, strict=True)
            if not (many and them)
            and not thing.is_light(reference, now)
            and not self._way.is_bare(thing.core)
        ]
        if len(stand) == len(known) or any(thing in waiting for thing in stand):
            return None
        light = [thing for thing in known if thing not in stand]
        stand = [
            thing
            for thing in stand
            if not (thing.came_with(light) and thing.is_light(reference, now, beside=True))
        ]
        return NewLight(position, stand)

    def suspect_light(self, frame: Frame, seen: Seen) -> None:
        """The readers contradict each other: a shadow without an edge that has come or gone looks like rows of checkers to the learned
        look. What the uncalibrated reader plainly sees is learned in the next look, if that shows the same. (Where that helps nothing it is
        tried ever more rarely: a lesson keeps a small processor for seconds.)"""
        lessons = self.state.lessons
        if lessons.accepted is None or frame.time < lessons.suspect_at:
            return
        lessons.suspect_at, lessons.pause = frame.time + lessons.pause, 2 * lessons.pause
        position = plainly_shown(seen.evidence(), lessons.accepted)
        if position is not None:
            lessons.light = NewLight(position, list(self.state.way.things.known))

    def puts_off(self, light: NewLight) -> bool:
        """Whether this is learned in the next look, if that shows the same: where looks are dear, one that finds new light and learns in
        it takes seconds, and whatever happens meanwhile is missed. (Nothing is put off twice.)"""
        lessons = self.state.lessons
        lessons.was_put_off = self.may_wait() and not lessons.was_put_off
        lessons.light = light if lessons.was_put_off else None
        return lessons.was_put_off

    def may_wait(self) -> bool:
        """Whether looks are dear and another one of this scene will come."""
        return self.options.motion and self.reader.budget.dear

    def take_up(self, frame: Frame) -> bool:
        """Learn what was put off, if the scene has not changed since. True when something was learned."""
        lessons = self.state.lessons
        light, lessons.light = lessons.light, None
        if light is None:
            return False
        if not self.state.pace.gate.unchanged():
            # Whatever this picture shows, it is looked at for new light.
            lessons.next_try = frame.time
            return False
        lessons.next_try = frame.time + TRY_AGAIN
        return self.learn_light(frame.image, light)

    def learn_light(self, image: npt.NDArray[np.uint8], light: NewLight) -> bool:
        """Learn afresh from a picture in new light. False when it does not show it after all."""
        self.state.lessons.was_put_off = False
        before = self.state.copied()
        things = self.state.way.things.known
        self.state.way.things.known = light.stand
        self._way.hide()
        try:
            self.begin(image, light.position, self.state.learned.stood)
        except AmbiguousError:
            self.state.put_back(before)
            self.state.way.things.known = things
            self._way.hide()
            return False
        return True

    def from_the_middle(self, image: npt.NDArray[np.uint8]) -> bool:
        """Learn from a picture of a game that goes on, if the uncalibrated reader plainly sees a whole position of it. True when it has."""
        if not self.state.lessons.may_show:
            return False
        seen = self.state.located.blind.read(image)
        slots = np.arange(OFF_LIGHT)

        def likely(position: Position) -> float:
            counts = signed_counts(position)
            return float(seen.named_as(counts).evidence()[slots, counts[:OFF_LIGHT] + ZERO].sum())

        for expected in sorted(self.state.lessons.may_show, key=likely, reverse=True)[:LIKELIEST]:
            position = plainly_shown(seen.named_as(signed_counts(expected)).evidence(), expected)
            if position is None:
                continue
            try:
                self.begin(image, position)
            except AmbiguousError:
                self.state.learned.appearance = None
                continue
            self.state.lessons.may_show, self.state.learned.confirmed = (), True
            self.state.lessons.accepted = position
            return True
        return False

    def begin(self, image: npt.NDArray[np.uint8], position: Position, stood: Sequence[Disc] = ()) -> None:
        """Learn everything from one picture of a known position. Raises AmbiguousError when it does not show it.

        stood: the checkers that were seen last where the board lies now; most of the lesson is to find out where on their points they
        stand, and those that have stayed show it.
        """
        assert self.state.geometry is not None
        self.state.way.things.take_shadows()
        layout = self.state.finder.layout if stood else None
        self._place.look_at(self.state.geometry, layout)
        self.state.learned.appearance = look = Appearance(self.state.canvas)
        look.counts = signed_counts(position)
        self.state.picture.obstacle = None
        bgr = self.state.canvas.warp(image)
        counts = signed_counts(position)
        self._dice.see(image, before_a_roll=not stood)
        # Drop dice that lie where the position has a checker: the finder took the checker for a die.
        ideal = ideal_discs(counts, self.state.canvas, self.orientation)
        self.state.picture.covered &= ~around_discs(ideal, 0.5, self.state.picture.covered.shape)
        if self.state.way.hides is not None:
            self.state.picture.covered |= self.state.way.hides
        strangers = self._way.strangers(bgr, [*ideal, *have_stayed(stood, counts)])
        self.state.picture.covered |= strangers
        covered = _with_sides(self.state.picture.covered)
        lesson = self._where_they_stood(bgr, counts, stood, covered) if stood else None
        if lesson is None:
            if layout is not None:
                self.state.finder.set_layout(plain_layout())
            lesson = self._where_they_belong(bgr, counts, ideal, covered)
        discs, scores, label = lesson
        untold = self._untold(image, position)
        own = self.state.finder.read(scores, self._checkers.judge)
        good, wrong = self._agreement(discs, own, counts, untold)
        enough = good >= CONVINCING or (
            good >= ENOUGH_IN_SHADOWS and not wrong and (bool(stood) or self._plainly(image, position))
        )
        if not enough or wrong > START.most_wrong:
            raise AmbiguousError(
                f"the picture does not show the expected position ({good:.0%} of its checkers found, {wrong} points differ)"
            )
        hidden = self._checkers.hidden(own, self.state.finder.hidden_places())
        if label is None:
            columns = self.state.finder.columns
            look.learn(bgr, discs, covered, columns=columns, fresh=True)
        else:
            look.label = label
        self._way.conceal()
        look.forget(strangers)
        self.state.way.things.look_again(bgr)
        self.state.learned.stood = discs
        if stood and self.state.learned.watch.geometry is self.state.geometry:
            self.state.learned.watch = self.state.learned.watch.renewed(image)
        else:
            self.state.learned.watch = BumpWatch(self.state.geometry, image)
        self._remember_first(bgr, look.label == BOARD, discs)
        self.state.located.blind.accept(image, counts, hidden)
        self.state.picture.shaded = self.state.picture.bgr = bgr
        self.state.picture.scores = scores

    def _where_they_stood(
        self, bgr: Floats, counts: npt.NDArray[np.int64], stood: Sequence[Disc], covered: Mask
    ) -> Lesson | None:
        """The look learned from those of `stood` whose points hold as many as before; None where they have not stayed there. covered: (H, W)
        what shows neither board nor checkers."""
        look, finder = self.state.appearance, self.state.finder
        assert look is not None
        stayed = have_stayed(stood, counts)
        if not stayed:
            return None
        slots = {d.slot for d in stayed}
        others = counts.copy()
        others[list(slots)] = 0
        shy = neighbourhood(others, self.state.canvas, self.orientation, self.profile)
        try:
            look.learn(bgr, stayed, covered, columns=finder.columns, fresh=True, shy=shy)
        except AmbiguousError:
            return None
        # (What is tested here may not vouch for itself: as in the rounds below.)
        label, look.label = look.label, np.full_like(look.label, UNKNOWN)
        scores = self._checkers.weigh(bgr)
        discs = finder.fit(scores, counts, self._checkers.judge)
        off = moved(stayed, in_order(d for d in discs if d.slot in slots))
        if (off <= STAYED * CHECKER_PX).mean() < CONVINCING:
            return None
        exact = off.max() <= FITTED and not others[:OFF_LIGHT].any()
        return discs, scores, label if exact else None

    def _where_they_belong(
        self, bgr: Floats, counts: npt.NDArray[np.int64], ideal: list[Disc], covered: Mask
    ) -> Lesson:
        """The look learned in rounds, from the places where checkers ought to stand to those where they do. covered: as in
        `_where_they_stood`."""
        look = self.state.appearance
        assert look is not None
        shy = neighbourhood(counts, self.state.canvas, self.orientation, self.profile)
        columns = self.state.finder.columns
        look.learn(bgr, ideal, covered, columns=columns, fresh=True, shy=shy)
        before: list[Disc] = []
        for i in range(MOST_FITS):
            # Do not use the reference's labels, they come from the rough fit that is tested here. Use colours
            # and the empty board only.
            look.label[:] = UNKNOWN
            discs = self.state.finder.fit(
                self._checkers.weigh(bgr), counts, self._checkers.judge if i else None
            )
            self.state.finder.set_layout(layout_of(discs, self.state.canvas, self.orientation))
            # Do not guess anew what the checkers cover: the guess hardly changes between the rounds. The last
            # lesson makes it again.
            look.learn(bgr, discs, covered, columns=columns, fresh=True, shy=shy, guess=False)
            if before and farthest_moved(before, discs) <= FITTED:
                break
            before = discs
        look.label[:] = UNKNOWN
        scores = self._checkers.weigh(bgr)
        return self.state.finder.fit(scores, counts, self._checkers.judge), scores, None

    def _beside_what_stands(self, discs: Sequence[Disc]) -> Mask:
        """(H, W) where the sides and shadows of the checkers `discs`, of dice and of the cube may lie on the board."""
        picture, lying = self.state.picture, self.state.lying
        out = around_discs(discs, OCCLUDERS.near, picture.covered.shape)
        if picture.beside_dice is not None:
            out |= picture.beside_dice
        if lying.around is not None and lying.around.shape == out.shape:
            out |= lying.around
        return out

    def _remember_first(self, bgr: Floats, bare: Mask, discs: Sequence[Disc]) -> None:
        """Keeps how the bare board looks where (H, W) `bare` is set and it was never seen before; `discs`: the checkers that stand there.
        (What is learned later may hold a cup.)"""
        known = self._way.first_board(bgr)
        beside = self._beside_what_stands(discs)
        self.state.learned.first = (
            FirstBoard(bgr.copy(), bare, bare & ~beside)
            if known is None
            else known.with_more(bgr, bare, beside)
        )

    def _untold(self, image: npt.NDArray[np.uint8], position: Position) -> set[int]:
        """The points of which colours cannot tell whether as many lie there as in `position`, and of which the other reader says so, or of
        which it cannot tell either, though nothing that it sees of the whole board speaks against this position."""
        counts = signed_counts(position)
        theirs = np.stack([counts[:24] > 0, counts[:24] < 0], axis=1)
        slots = np.flatnonzero((self._checkers.cannot_tell() & theirs).any(axis=1)).tolist()
        if not slots:
            return set()
        # (There is time for a look as careful as at a photo: a lesson is rare, and most sets have no such point.)
        seen = self._seen_as_photo(image, counts)
        if plainly_shown(seen.evidence(), position) == position:
            return set(slots)
        return {slot for slot in slots if seen.tells(slot, int(counts[slot] < 0), abs(int(counts[slot])))}

    def _seen_as_photo(self, image: npt.NDArray[np.uint8], counts: npt.NDArray[np.int64]) -> Seen:
        """What the other reader sees, as careful as with a photo."""
        return self.state.located.blind.read_photo(image)[0].named_as(counts)

    def _plainly(self, image: npt.NDArray[np.uint8], position: Position) -> bool:
        """Whether the other reader sees all of `position`."""
        seen = self._seen_as_photo(image, signed_counts(position))
        return plainly_shown(seen.evidence(), position) == position

    def _agreement(
        self,
        discs: list[Disc],
        log_likelihood: Floats,
        counts: npt.NDArray[np.int64],
        untold: set[int],
    ) -> tuple[float, int]:
        """(share of the checkers that look like the others of their side, number of points that differ) if the picture shows these
        counts. untold: points that are not asked."""
        discs = [d for d in discs if d.slot not in untold]
        look = self.state.appearance
        assert look is not None
        says = np.concatenate(
            [self._checkers.judge(side, centres([d for d in discs if d.side == side])) for side in (0, 1)]
        )
        good = float((says > 0).mean()) if len(says) else 0.0
        slots = np.array([slot for slot in range(24) if slot not in untold])
        wrong = int((log_likelihood[slots, counts[slots] + ZERO] < START.wrong).sum())
        return good, wrong


def _shows(says: Floats) -> bool:
    """Whether a picture whose places say so many nats (N,) for a position may show it."""
    return bool(says.sum() >= DISAGREES and says.min() >= CONTRADICTS)


def _but_for_long_points(says: Floats, log_likelihood: Floats, counts: npt.NDArray[np.int64]) -> Floats:
    """(26,) `says` where long points of (28,) signed `counts` are only asked whether as long a row of that side may lie there at all."""
    long = (np.abs(counts[:BAR_LIGHT]) >= PILE).nonzero()[0]
    out = says.copy()
    for slot in long.tolist():
        columns = ZERO + np.sign(counts[slot]) * np.arange(PILE, ZERO + 1)
        out[slot] = log_likelihood[slot, columns].max()
    return out


def _with_sides(covered: Mask) -> Mask:
    """(H, W) `covered` with the sides and shadows of dice and cube, which are not the board either."""
    return cv2.dilate(covered.astype(np.uint8), np.ones((SIDES, SIDES), np.uint8)).astype(bool)


def _lie_piled(slot: int, discs: Sequence[Disc], counts: npt.NDArray[np.int64]) -> bool:
    """Whether more lie on the bar than `discs`, which are seen there: the others lie upon them."""
    return slot >= BAR_LIGHT and len(discs) < abs(int(counts[slot]))
