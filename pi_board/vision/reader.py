"""`BoardReader`: frames of one board in, `Sighting`s out.

The game's known starting position teaches the board's and the checkers' look; every accepted position (`learn`)
refreshes it. A look goes: gate (light, motion) → the board where it should be → the picture in the reference's
light → dice and cube → checkers → what nothing explains (a hand) → a second opinion (`blind`). The steps are parts of
their own (`in_play`); what is kept from look to look is in `reader_state`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pi_board.errors import AmbiguousError
from pi_board.frame import Frame
from pi_board.rules import STARTING_POSITION, Position, Side
from pi_board.sighting import COUNTS, DIE_HIDDEN, SLOTS, ZERO, Gate, Sighting
from pi_board.vision.board.canvas import Canvas
from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.board.orientation import Orientation
from pi_board.vision.board.registration import Registration
from pi_board.vision.budget import Effort, LookBudget
from pi_board.vision.checkers.appearance import Appearance
from pi_board.vision.checkers.blind import BlindReader, Seen
from pi_board.vision.checkers.densities import explain
from pi_board.vision.checkers.known_position import signed_counts
from pi_board.vision.checkers.likelihood import CheckerFinder
from pi_board.vision.checkers.opinions import for_fewer, undecided
from pi_board.vision.gate import FrameGate
from pi_board.vision.in_play.checkers import CheckersInPlay, covered
from pi_board.vision.in_play.dice import DiceInPlay
from pi_board.vision.in_play.in_the_way import ThingsInTheWay
from pi_board.vision.in_play.learning import TRY_AGAIN, Learner
from pi_board.vision.in_play.pace import FULL_LOOKS, LONGEST_REST, REST_SECONDS, LookingPace
from pi_board.vision.in_play.place import BoardPlace
from pi_board.vision.occluders import HIDDEN, Occluders
from pi_board.vision.options import VisionOptions
from pi_board.vision.profile import BoardProfile
from pi_board.vision.reader_state import InTheWay, LookPace, ReaderState

__all__ = ["FULL_LOOKS", "LONGEST_REST", "MOST_HIDDEN", "REST_SECONDS", "BoardReader", "signed_counts"]

Floats = npt.NDArray[Any]

#: When fewer than this share of the pixels agree with the reference, the picture does not show the learned board.
STRANGE = 0.25
#: An unchanged picture is read so many times in full. Then its reading is kept, and only one in so many pictures is read again.
FRESH_LOOKS, REFRESH_EVERY = 3, 4
#: Things may hide one of the so many places next to the rim on so many points and bar halves. If they hide more, somebody is asked to
#: move them. (Whose a point is and whether it is made shows there. Two cups in mid-board hide the far ends of ten points or more, which
#: are empty as a rule, and the referee asks where they matter.)
MOST_HIDDEN, NEXT_TO_THE_RIM = 8, 2


class BoardReader:
    """Reads one board in play.

    profile: sizes. near, home: seating, as in `Orientation`. registration: where the board lies.
    geometry: instead of a registration. start: the position that the first settled picture shows.
    """

    def __init__(
        self,
        profile: BoardProfile,
        *,
        near: Side = "light",
        home: Literal["right", "left"] = "right",
        registration: Registration | None = None,
        geometry: BoardGeometry | None = None,
        options: VisionOptions | None = None,
        start: Position = STARTING_POSITION,
    ) -> None:
        self.profile = registration.profile if registration is not None else profile
        self.orientation = Orientation(near, home)
        self.options = options or VisionOptions()
        self.registration = registration
        self.start = start
        self._given = geometry
        #: What looks cost here; whoever times them tells it. How much work the last one was.
        self.budget = LookBudget()
        self.effort: Effort = "none"
        self.state = self._nothing_known()
        self._rest = LookingPace(self)
        self._things = ThingsInTheWay(self)
        self._place = BoardPlace(self, self._things)
        self._dice = DiceInPlay(self, self._things)
        self._checkers = CheckersInPlay(self)
        self._learner = Learner(self, self._place, self._things, self._dice, self._checkers)

    def reset(self) -> None:
        """Forget everything learned; the next settled picture must show the starting position again."""
        self.state.put_back(self._nothing_known())

    def _nothing_known(self) -> ReaderState:
        motion = self.options.motion
        return ReaderState(
            self._given, InTheWay(Occluders(pictures=not motion)), LookPace(FrameGate(self.options))
        )

    # -- what it knows ------------------------------------------------------------------------------------

    @property
    def geometry(self) -> BoardGeometry | None:
        """Where the board lies; None before the first picture, when no geometry was given."""
        return self.state.geometry

    @property
    def appearance(self) -> Appearance | None:
        """The learned look; None before the starting position was seen."""
        return self.state.appearance

    @property
    def canvas(self) -> Canvas:
        return self.state.canvas

    @property
    def finder(self) -> CheckerFinder:
        return self.state.finder

    @property
    def blind(self) -> BlindReader | None:
        """The uncalibrated reader of the board where it lies; None before the first look at it."""
        return None if self.state.board is None else self.state.board.blind

    # -- the frame ----------------------------------------------------------------------------------------

    def look(self, frame: Frame) -> Sighting:
        """One frame. Never raises for what a picture may show; `Sighting.gate` says why there is no evidence."""
        if (
            self.state.pace.last is not None
            and frame.image is self.state.pace.image
            and not self.options.motion
        ):
            # A picture of a folder is read once, however long it is shown.
            return replace(self.state.pace.last, seq=frame.seq, time=frame.time, name=frame.name)
        self.effort = "none"
        frame = self.state.pace.gate.steadied(frame)
        gate = self.state.pace.gate.check(frame, self._place.box(frame.image))
        if gate is not None:
            self.state.pace.looks = 0
            self._learner.take_lesson()
            if gate is Gate.MOVING and self.budget.dear:
                # A hand that moves is plainly a hand wherever it pauses: it does not get a full look for having been there before.
                self.state.way.saw_hand = False
            refused = self._refuse(frame, gate)
            return replace(refused, dice=self._dice.beside_a_hand(frame)) if gate is Gate.MOVING else refused
        if not self.state.pace.gate.unchanged():
            self.state.pace.looks = 0
            self._learner.take_lesson()
        elif self._rest.nothing_new(frame):
            last = self.state.pace.last
            assert last is not None
            if self.state.lessons.waiting is not None:
                # What was read of this scene stands: it is not read anew for what has been learned from it.
                self._learner.take_lesson()
                self.state.pace.last = last
            return replace(last, seq=frame.seq, time=frame.time, name=frame.name)
        if self.state.geometry is None:
            self._place.register(frame.image)
        self.state.pace.image = frame.image
        self.state.pace.last = None
        if self.state.appearance is not None:
            self.effort = "again" if self.state.pace.looks else "first"
        if self.state.appearance is None:
            sighting = self._first_look(frame)
        else:
            sighting = self._read_or_learn_start(frame)
        # Report a bump once. The second look at the same picture reads it at the new place.
        self.state.pace.last = None if sighting.gate is Gate.BOARD_MOVED else sighting
        self.state.pace.shown = sighting
        self.state.pace.gate.was_read()
        self.state.pace.looks += 1
        self.state.pace.read_at = frame.time
        return sighting

    def _refuse(self, frame: Frame, gate: Gate, note: str = "", quality: float = 0.0) -> Sighting:
        moved = gate in (Gate.BOARD_MOVED, Gate.NO_BOARD)
        return Sighting(
            frame.seq, frame.time, gate, registered=not moved, quality=quality, name=frame.name, note=note
        )

    def _read(self, frame: Frame) -> Sighting:
        """A picture of the learned board, step by step: its place, what explains each pixel, dice and checkers, what is in the way, and
        what both readers say of what can be seen. Each step may refuse it.
        """
        look = self.state.appearance
        assert look is not None
        still, known = self._known_already(frame)
        if known is not None:
            return known
        if self._learner.take_up(frame):
            return self._read(frame)
        canvas, change, picture = self.state.canvas, self.state.pace.change, self.state.picture
        # What the last picture showed is not known where it was refused half-way.
        still &= not self.state.pace.half_read
        self.state.pace.half_read = True
        picture.shaded, picture.agreement = look.to_reference(canvas.warp(frame.image, change), canvas.inside)
        if picture.agreement < STRANGE:
            return self._refuse(frame, Gate.NO_BOARD, "the picture does not show the board that was learned")
        if self.state.way.things.review(picture.shaded):
            still = False
        bgr = self.state.way.things.relit(picture.shaded)
        self._things.hide()
        explained = explain(look, bgr)
        if self._things.hand_reaches_in(explained, still):
            return self._refuse(frame, Gate.HAND)
        self._dice.see(frame.image, still, change)
        scores = self._checkers.weigh(bgr, explained)
        picture.bgr, picture.scores = bgr, scores
        quality = self._checkers.quality()
        if quality < self.options.blur_ratio:
            return self._refuse(frame, Gate.BLURRED, quality=quality)
        own = self._checkers.read(scores)
        seen = self.state.located.blind.look_again(frame.image, still=still, change=change)
        # (What was learned tells the sides by their colours, however far the game has gone on since it was learned.)
        seen = seen.named_as(own.argmax(axis=1) - ZERO)
        if picture.dice and self._dice.leave_out_faces(
            frame.image, self.state.located.blind.checkers(seen, canvas)
        ):
            picture.scores = self._checkers.weigh(bgr, explained)
            own = self._checkers.read(picture.scores)
        self.state.pace.half_read = False
        own, new_things = self._leave_out_what_is_known(frame, own, seen)
        # Before anything is read anew without new things: that is in vain where they are light.
        is_no_light = picture.in_way and not self.state.way.things.perhaps_light
        in_light = None if is_no_light else self._in_new_light(frame, seen, quality)
        if in_light is None and new_things:
            own = self._read_without_things(frame, seen)
            in_light = None if picture.obstacle is not None else self._in_new_light(frame, seen, quality)
        if in_light is not None:
            return in_light
        if picture.obstacle is not None:
            gate = Gate.HAND if picture.obstacle.enters else Gate.BLOCKED
            return self._refuse(frame, gate, quality=quality)
        places = self.state.finder.hidden_places()
        if int((places[:, :NEXT_TO_THE_RIM] > HIDDEN).any(axis=1).sum()) > MOST_HIDDEN:
            return replace(self._refuse(frame, Gate.BLOCKED, quality=quality), hidden=covered(places))
        if self._dice.one_lies_behind(frame.time):
            return replace(self._refuse(frame, Gate.BLOCKED, DIE_HIDDEN, quality), hidden=covered(places))
        picture.own = own
        hidden = self._checkers.hidden(own, places)
        both = self._checkers.with_second_opinion(own, seen, hidden)
        if either_way := undecided(both, hidden):
            self._learner.suspect_light(frame, seen)
            both = for_fewer(both, either_way)
        self.state.learned.stood = self._dice.stand(self.state.finder.seen)
        kept = self.state.pace.kept = Sighting(
            frame.seq, frame.time, Gate.SETTLED, both, tuple(picture.dice), picture.cube,
            quality=quality, name=frame.name, mixed=self.state.finder.mixed, hidden=hidden, dice_hidden=self._dice.are_hidden(),
            strips=self.state.finder.at_a_glance(bgr),
        )  # fmt: skip
        return kept

    def _known_already(self, frame: Frame) -> tuple[bool, Sighting | None]:
        """(whether the picture shows what the last one did, what is to be said of it without reading it: the kept reading, or that
        the board was moved; else None).
        """
        pace = self.state.pace
        still = pace.scene.see(frame.image, self._place.box(frame.image))
        pace.alike = pace.alike + 1 if still else 0
        pace.change = None
        due = pace.alike % REFRESH_EVERY == 0
        if (
            pace.kept is not None
            and pace.alike >= FRESH_LOOKS
            and not due
            and self.state.lying.alone_since is None
        ):
            self.effort = "kept"
            return still, replace(pace.kept, seq=frame.seq, time=frame.time, name=frame.name)
        pace.kept = None
        if not due:
            return still, None
        pace.change = pace.scene.note(still=still)
        # (After a play or a roll the next full look compares.)
        may_have_moved = self.state.learned.lost or self.state.learned.watch.may_have_moved(pace.change)
        moved = self._place.moved_to(frame) if may_have_moved else None
        if moved is None:
            self._place.follow(frame)
            lost = self.state.learned.lost
            if lost is not None and not lost.in_vain:
                # It may lie elsewhere, and is looked for when it stays so: what is seen till then may be another place.
                return False, self._refuse(frame, Gate.NO_BOARD, "the board may have been moved")
            return False, None
        shift = float(
            np.linalg.norm(moved.geometry.corners - self.state.canvas.geometry.corners, axis=1).max()
        )
        self._place.move(moved)
        note = f"the board moved by {shift:.0f} pixels; found again"
        return False, self._refuse(frame, Gate.BOARD_MOVED, note)

    def _leave_out_what_is_known(self, frame: Frame, own: Floats, seen: Seen) -> tuple[Floats, bool]:
        """((28, 31) `own` again, read anew where something that seemed in the way is the cube; whether something has become a known thing,
        without which the picture has not been read yet). What still is in the way is the picture's obstacle afterwards.
        """
        picture, lay = self.state.picture, self.state.lying.cube
        picture.obstacle = self._things.seek(seen)
        if lay is not None and picture.obstacle is not None and self._dice.is_the_cube(picture.obstacle):
            picture.covered |= lay
            own = self._checkers.read(self._checkers.weigh(picture.bgr))
            picture.obstacle = self._things.seek(seen)
        if picture.in_way and self._things.takes_back(seen):
            own = self._checkers.read(self._checkers.weigh(picture.bgr))
            picture.obstacle = self._things.seek(seen)
        new_things = self._things.has_come_to_rest(picture.shaded, frame, seen)
        if new_things:
            self._things.hide()
        return own, new_things

    def _read_without_things(self, frame: Frame, seen: Seen) -> Floats:
        """(28, 31) nats of the learned look, where known things are left out for the first time."""
        picture = self.state.picture
        picture.bgr = self.state.way.things.relit(picture.shaded)
        self._dice.see(frame.image)
        self._dice.leave_out_faces(frame.image, self.state.located.blind.checkers(seen, self.state.canvas))
        picture.scores = self._checkers.weigh(picture.bgr)
        own = self._checkers.read(picture.scores)
        picture.obstacle = self._things.seek(seen)
        if picture.obstacle is not None and self._things.were_no_shadows(picture.in_way):
            return self._read_without_things(frame, seen)
        return own

    def _in_new_light(self, frame: Frame, seen: Seen, quality: float) -> Sighting | None:
        """What is read of the picture when what seems to stand there is new light; None when it is not."""
        light = self._learner.new_light(frame, seen)
        if light is None:
            return None
        if self._learner.puts_off(light):
            return self._refuse(frame, Gate.BLOCKED, quality=quality)
        return self._read(frame) if self._learner.learn_light(frame.image, light) else None

    # -- learning -----------------------------------------------------------------------------------------

    def learn(self, position: Position) -> None:
        """Learn the look of board and checkers from the last settled picture, which shows `position`. (Where looks are dear this waits
        until the scene changes or has been read often enough: somebody may be waiting for the next look.)"""
        self._learner.learn(position)

    def expect_start(self) -> None:
        """The game is over: learn afresh from the next settled picture of the starting position."""
        self.state.lessons.expecting = True

    def go_on(self, positions: Sequence[Position]) -> None:
        """A game goes on that this reader has not seen: the first picture shows one of `positions`, or what has been played from one."""
        self.state.lessons.may_show = tuple(positions)

    def _read_or_learn_start(self, frame: Frame) -> Sighting:
        """What the picture shows; if that is the starting position of the next game, by what is learned from it. (Where looks are dear one
        finds this out and the next one learns, as in new light.)"""
        lessons = self.state.lessons
        waited, lessons.start_waits = lessons.start_waits, False
        if waited and self.state.pace.gate.unchanged():
            lessons.next_try = frame.time + TRY_AGAIN
            learned = self._learn_again(frame)
            if learned is not None:
                return learned
        sighting = self._read(frame)
        lessons = self.state.lessons
        if (
            not lessons.expecting
            or frame.time < lessons.next_try
            or not self._learner.looks_like_start(sighting)
        ):
            return sighting
        lessons.next_try = frame.time + TRY_AGAIN
        if self._learner.may_wait() and not waited:
            lessons.start_waits = True
            return sighting
        return self._learn_again(frame) or sighting

    def _learn_again(self, frame: Frame) -> Sighting | None:
        """Learn the starting position afresh if this picture shows it. The look drifts during a game, and late
        in it few checkers are left to learn from.
        """
        before, accepted = self.state.copied(), self.state.located.blind.accepted
        try:
            self._learner.begin(frame.image, self.start, self.state.finder.seen)
            sighting = self._read(frame)
        except AmbiguousError:
            sighting = None
        if sighting is None or not sighting.settled:
            self.state.put_back(before)
            self.state.located.blind.accepted = accepted
            return None
        self.state.lessons.expecting = False
        return sighting

    def _first_look(self, frame: Frame) -> Sighting:
        """Learn from the picture if it shows the starting position; else give the uncalibrated reader's evidence."""
        note = "the starting position has not been seen yet"
        if frame.time >= self.state.lessons.next_try or not self.options.motion:
            self.state.lessons.next_try = frame.time + TRY_AGAIN
            try:
                self._learner.begin(frame.image, self.start)
                return self._read(frame)
            except AmbiguousError as error:
                self.state.learned.appearance = None
                note = str(error)
            if self._learner.from_the_middle(frame.image):
                return self._read(frame)
        return Sighting(
            frame.seq,
            frame.time,
            Gate.SETTLED,
            np.zeros((SLOTS, COUNTS)),
            quality=0.5,
            name=frame.name,
            note=note,
        )
