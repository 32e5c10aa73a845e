"""`BoardReader`: frames of one board in, `Sighting`s out.

The game's known starting position teaches the board's and the checkers' look; every accepted position (`learn`)
refreshes it. A look goes: gate (light, motion) → the board where it should be → the picture in the reference's
light → dice and cube → checkers → what nothing explains (a hand) → a second opinion (`blind`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Literal

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.errors import AmbiguousError
from pi_board.frame import Frame
from pi_board.rules import STARTING_POSITION, Position, Side
from pi_board.sighting import COUNTS, OFF_LIGHT, SLOTS, ZERO, CubeSeen, DieSeen, Gate, Sighting
from pi_board.vision.board.bump import BumpWatch
from pi_board.vision.board.canvas import CHECKER_PX, Canvas
from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.board.orientation import Orientation
from pi_board.vision.board.registration import Registration
from pi_board.vision.budget import Effort, LookBudget
from pi_board.vision.changes import Change
from pi_board.vision.checkers.appearance import Appearance
from pi_board.vision.checkers.blind import BlindReader, Seen
from pi_board.vision.checkers.densities import OUTLIER, Explanation, explain
from pi_board.vision.checkers.disc import BOARD, UNKNOWN, Disc
from pi_board.vision.checkers.distance import mahalanobis
from pi_board.vision.checkers.full_points import compare_full_points
from pi_board.vision.checkers.known_position import (
    START,
    farthest_moved,
    ideal_discs,
    layout_of,
    neighbourhood,
    signed_counts,
)
from pi_board.vision.checkers.likelihood import CheckerFinder, centres
from pi_board.vision.checkers.log_ratios import calibrated
from pi_board.vision.checkers.patches import medians
from pi_board.vision.checkers.pixels import weigh
from pi_board.vision.checkers.row_numbers import FLOOR, OUT_OF_THE_QUESTION
from pi_board.vision.checkers.strips import PointLayout
from pi_board.vision.checkers.whole_position import plainly_shown
from pi_board.vision.dice.cube import find_dice_and_cube, survey_in_play
from pi_board.vision.dice.footprint import MODEL as FOOTPRINT
from pi_board.vision.dice.footprint import against_checkers, footprint_of
from pi_board.vision.dice.options import DiceOptions
from pi_board.vision.dice.reading import find_dice
from pi_board.vision.finding.again import found_again
from pi_board.vision.gate import FrameGate, Obstacle, obstacles, zone
from pi_board.vision.occluders import HIDDEN, Occluder, Occluders, may_be_too_big, no_checkers
from pi_board.vision.options import VisionOptions
from pi_board.vision.profile import BoardProfile
from pi_board.vision.reader_state import (
    InTheWay,
    LearnedBoard,
    Lessons,
    LocatedBoard,
    LookPace,
    LyingDice,
    PictureRead,
    ReaderState,
)

Floats = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]

#: When fewer than this share of the pixels agree with the reference, the picture does not show the learned board.
STRANGE = 0.25
#: Mahalanobis distance to the nearest known look from which a pixel counts as unexplained.
OUTLIER_DISTANCE = 3.2
#: Seconds between two tries to learn from a picture that may show the starting position.
TRY_AGAIN = 1.0
#: A picture of a known position is learned from when this share of its checkers looks like the others of their side.
CONVINCING = 0.9
#: If a picture is read worse by more than so many nats after it has been learned from, the lesson is undone.
UNLEARNED = 3.0
#: A known position is fitted until a round moves no checker by more than so many canvas px, the step of its search; at most so often.
FITTED, MOST_FITS = 1.0, 3
#: A picture does not show a position whose summed log-likelihood is below this, nats.
DISAGREES = -12.0
#: Nor one of which a single place says less than this. Source: what was written down in 18 rendered games (745000 and 755000 on) and
#: taken for a lesson: 4 places of 12 said -1 to -4 nats and were wrong, 21 of 21 said less, and what was read was right.
CONTRADICTS = -4.5
#: The uncalibrated reader allows for a checker from this probability on.
PERHAPS_A_CHECKER = 0.5
#: In play the thresholds are high: each roll gets several looks, and the referee doubts unsure dice before it
#: doubts a play.
DICE_IN_PLAY = DiceOptions(least_confidence=0.75, least_valued=0.985)
#: Seconds between two searches for dice in pictures in which a hand moves; the same where looks are dear.
GLIMPSE_SECONDS, DEAR_GLIMPSE_SECONDS = 0.2, 0.6
#: Weights of the learned look's evidence and of the uncalibrated reader's; the most that the latter may say (nats).
OWN_OPINION, SECOND_OPINION, MOST_SURE = 0.5, 0.7, 25.0
#: A scene that has come to rest gets so many full looks.
FULL_LOOKS = 3
#: An unchanged picture is read so many times in full. Then its reading is kept, and only one in so many pictures is read again.
FRESH_LOOKS, REFRESH_EVERY = 3, 4
#: Seconds between looks at a scene that has had its full looks; the pause grows from the first value to the second.
REST_SECONDS, LONGEST_REST = 1.0, 4.0
#: Seconds between looks while something at rest may turn out to be a thing.
WAITING_SECONDS = 0.3
#: An obstacle that comes in over the rim with so many times a hand's least area is taken for a hand at once.
PLAINLY_A_HAND = 2.5
#: Things may hide one of the so many places next to the rim on so many points and bar halves. If they hide more, somebody is asked to
#: move them. (Whose a point is and whether it is made shows there. Two cups in mid-board hide the far ends of ten points or more, which
#: are empty as a rule, and the referee asks where they matter.)
MOST_HIDDEN, NEXT_TO_THE_RIM = 8, 2
#: This share of the checkers must be seen where a thing seems to stand before it is taken for new light, and so many where things
#: seem to stand, or the board's structure through it.
SEEN_THROUGH, ALL_SEEN = 3, 0.8
#: So many positions that a game which goes on may show are tried.
LIKELIEST = 3
#: One die has lain alone beside a thing for this many seconds: then the other die is behind the thing. Before the first value it may
#: still be rolling in (an opening roll comes one by one); after the second, the single "die" was probably none.
ALONE = (2.0, 12.0)
#: The reading of a point is in doubt when more than this share of one of its checkers' places is covered.
SPOILT = 0.1
#: Pixels rougher than this (8-bit levels) are edges, by which a moved board is recognised. A move is believed when it lowers their mean
#: error to less than this share.
ROUGH_EDGE, BETTER_FIT = 6.0, 0.9
#: A single pixel is unexplained only so many nats below `OUTLIER`: pixels are noisier than smoothed patches.
PIXEL_ODDER = 1.5


def _is_set(mask: Mask, u: float, v: float) -> bool:
    """Whether `mask` (H, W) holds the place (column u, row v), which may lie outside."""
    h, w = mask.shape
    return 0 <= round(v) < h and 0 <= round(u) < w and bool(mask[round(v), round(u)])


@lru_cache(maxsize=2)
def _box_around(geometry: BoardGeometry, shape: tuple[int, ...]) -> tuple[slice, slice]:
    """Rows and columns that show the field, of pictures of `shape` (H, W, 3)."""
    xs, ys = geometry.corners.T.tolist()
    h, w = shape[:2]
    top, left = min(max(min(ys), 0), h - 2), min(max(min(xs), 0), w - 2)
    bottom, right = min(max(max(ys), 1), h), min(max(max(xs), 1), w)
    return slice(int(top), int(bottom)), slice(int(left), int(right))


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
        self.reset()

    def reset(self) -> None:
        """Forget everything learned; the next settled picture must show the starting position again."""
        motion = self.options.motion
        self.state = ReaderState(
            self._given, InTheWay(Occluders(pictures=not motion)), LookPace(FrameGate(self.options))
        )

    # -- what it keeps, by role (`reader_state`) ----------------------------------------------------------

    @property
    def geometry(self) -> BoardGeometry | None:
        """Where the board lies; None before the first picture, when no geometry was given."""
        return self.state.geometry

    @property
    def appearance(self) -> Appearance | None:
        """The learned look; None before the starting position was seen."""
        return self.state.learned.appearance

    @property
    def canvas(self) -> Canvas:
        assert self.state.board is not None
        return self.state.board.canvas

    @property
    def finder(self) -> CheckerFinder:
        assert self.state.board is not None
        return self.state.board.finder

    @property
    def blind(self) -> BlindReader | None:
        """The uncalibrated reader of the board where it lies; None before the first look at it."""
        return None if self.state.board is None else self.state.board.blind

    @property
    def _board(self) -> LocatedBoard:
        assert self.state.board is not None
        return self.state.board

    @property
    def _learned(self) -> LearnedBoard:
        return self.state.learned

    @property
    def _picture(self) -> PictureRead:
        return self.state.picture

    @property
    def _lying(self) -> LyingDice:
        return self.state.lying

    @property
    def _way(self) -> InTheWay:
        return self.state.way

    @property
    def _pace(self) -> LookPace:
        return self.state.pace

    @property
    def _lessons(self) -> Lessons:
        return self.state.lessons

    # -- the frame ----------------------------------------------------------------------------------------

    def look(self, frame: Frame) -> Sighting:
        """One frame. Never raises for what a picture may show; `Sighting.gate` says why there is no evidence."""
        if self._pace.last is not None and frame.image is self._pace.image and not self.options.motion:
            # A picture of a folder is read once, however long it is shown.
            return replace(self._pace.last, seq=frame.seq, time=frame.time, name=frame.name)
        self.effort = "none"
        gate = self._pace.gate.check(frame, self._board_box(frame.image))
        if gate is not None:
            self._pace.looks = 0
            self._take_lesson()
            if gate is Gate.MOVING and self.budget.dear:
                # A hand that moves is plainly a hand wherever it pauses: it does not get a full look for having been there before.
                self._way.saw_hand = False
            refused = self._refuse(frame, gate)
            return replace(refused, dice=self._dice_beside_a_hand(frame)) if gate is Gate.MOVING else refused
        if not self._pace.gate.unchanged():
            self._pace.looks = 0
            self._take_lesson()
        elif self._nothing_new(frame):
            last = self._pace.last
            assert last is not None
            if self._lessons.waiting is not None:
                # What was read of this scene stands: it is not read anew for what has been learned from it.
                self._take_lesson()
                self._pace.last = last
            return replace(last, seq=frame.seq, time=frame.time, name=frame.name)
        if self.geometry is None:
            self._place(frame.image)
        self._pace.image = frame.image
        self._pace.last = None
        if self.appearance is not None:
            self.effort = "again" if self._pace.looks else "first"
        if self.appearance is None:
            sighting = self._first_look(frame)
        else:
            sighting = self._read(frame)
            if (
                self._lessons.expecting
                and frame.time >= self._lessons.next_try
                and self._looks_like_start(sighting)
            ):
                self._lessons.next_try = frame.time + TRY_AGAIN
                sighting = self._learn_again(frame) or sighting
        # Report a bump once. The second look at the same picture reads it at the new place.
        self._pace.last = None if sighting.gate is Gate.BOARD_MOVED else sighting
        self._pace.shown = sighting
        self._pace.gate.was_read()
        self._pace.looks += 1
        self._pace.read_at = frame.time
        return sighting

    def _nothing_new(self, frame: Frame) -> bool:
        """Whether this unchanged scene has been read often enough. A full look now and then still checks it,
        which keeps the Pi cool.
        """
        rested = self._pace.looks - self.budget.full_looks(FULL_LOOKS) + 1
        return (
            self.options.motion
            and self._pace.last is not None
            and rested > 0
            and frame.time - self._pace.read_at
            < (
                WAITING_SECONDS
                if self._way.things.waiting or self._lying.alone_since is not None
                else self.budget.pause(min(rested * REST_SECONDS, LONGEST_REST))
            )
        )

    def _fits_better(self, geometry: BoardGeometry, image: npt.NDArray[np.uint8]) -> bool:
        """Whether the learned board fits at `geometry` better than at its old place. Many moved checkers can
        look like a bump.
        """
        look = self.appearance
        assert look is not None
        edges = (look.label == BOARD) & (look.rough > ROUGH_EDGE) & self.canvas.field
        if edges.sum() < 200:
            return True
        errors = []
        for canvas in (self.canvas, Canvas(geometry)):
            bgr, _ = look.to_reference(canvas.warp(image), canvas.inside)
            errors.append(float(np.abs(bgr[..., 1] - look.reference[..., 1])[edges].mean()))
        if errors[1] < BETTER_FIT * errors[0]:
            return True
        self._learned.watch.restart(self.geometry or geometry, image)
        return False

    def _move(self, geometry: BoardGeometry) -> None:
        """Move to the board's new place in the picture. The learned look stays."""
        assert self.appearance is not None
        self.state.geometry = geometry
        self._look_at(geometry, self.finder.layout)
        self.appearance.canvas = self.canvas

    def _look_at(self, geometry: BoardGeometry, layout: PointLayout | None = None) -> None:
        """Set up everything that depends on where the board lies in the picture."""
        self._pace.scene.forget()
        self._pace.kept = None
        canvas = Canvas(geometry)
        self.state.board = LocatedBoard(
            canvas,
            CheckerFinder(canvas, self.orientation, layout),
            zone(canvas),
            BlindReader(geometry, self.orientation),
        )
        if self._way.hides is not None and self._way.hides.shape != self._board.zone.shape:
            self._way.things.forget()
        self._hide()

    def _refuse(self, frame: Frame, gate: Gate, note: str = "", quality: float = 0.0) -> Sighting:
        moved = gate in (Gate.BOARD_MOVED, Gate.NO_BOARD)
        return Sighting(
            frame.seq, frame.time, gate, registered=not moved, quality=quality, name=frame.name, note=note
        )

    def _board_box(self, image: npt.NDArray[np.uint8]) -> tuple[slice, slice] | None:
        geometry = self.geometry
        return None if geometry is None else _box_around(geometry, image.shape)

    def _place(self, image: npt.NDArray[np.uint8]) -> None:
        given = self.registration
        if given is None:
            raise ValueError("BoardReader: expected a registration or a geometry, got neither")
        size = (image.shape[1], image.shape[0])
        if tuple(given.image_size) == size:
            geometry = given.geometry()
        else:
            geometry = BoardGeometry(self.profile, given.corners, size, bar_edges=given.bar_edges)
        self.state.geometry, self.profile = geometry, geometry.profile

    def _read(self, frame: Frame) -> Sighting:
        """A picture of the learned board, step by step: its place, what explains each pixel, dice and checkers, what is in the way, and
        what both readers say of what can be seen. Each step may refuse it.
        """
        look = self.appearance
        assert look is not None
        still, known = self._known_already(frame)
        if known is not None:
            return known
        canvas, change, picture = self.canvas, self._pace.change, self._picture
        bgr, picture.agreement = look.to_reference(canvas.warp(frame.image, change), canvas.inside)
        if picture.agreement < STRANGE:
            return self._refuse(frame, Gate.NO_BOARD, "the picture does not show the board that was learned")
        if self._way.things.review(bgr):
            still = False
        self._hide()
        explained = explain(look, bgr)
        if self._hand_reaches_in(explained, still):
            return self._refuse(frame, Gate.HAND)
        self._see_dice_and_cube(frame.image, still, change)
        scores = self._weigh(bgr, explained)
        picture.bgr, picture.scores = bgr, scores
        quality = self._quality(bgr)
        if quality < self.options.blur_ratio:
            return self._refuse(frame, Gate.BLURRED, quality=quality)
        own = self._compare_stacks(self.finder.read(scores, self._judge))
        seen = self._board.blind.look_again(frame.image, still=still, change=change)
        own = self._leave_out_what_is_known(frame, own, seen)
        if picture.obstacle is not None:
            gate = Gate.HAND if picture.obstacle.enters else Gate.BLOCKED
            return self._refuse(frame, gate, quality=quality)
        places = self.finder.hidden_places()
        hidden = tuple(int(slot) for slot in np.flatnonzero((places[:, :5] > SPOILT).any(axis=1)))
        if self._way.things.known and self._learn_in_new_light(frame, seen):
            return self._read(frame)
        if int((places[:, :NEXT_TO_THE_RIM] > HIDDEN).any(axis=1).sum()) > MOST_HIDDEN:
            return replace(self._refuse(frame, Gate.BLOCKED, quality=quality), hidden=hidden)
        if self._die_lies_behind(frame.time):
            return replace(self._refuse(frame, Gate.BLOCKED, quality=quality), hidden=hidden)
        picture.own = own
        both = self._with_second_opinion(own, seen, places)
        if not picture.dice:
            self._learned.stood = list(self.finder.seen)
        kept = self._pace.kept = Sighting(
            frame.seq, frame.time, Gate.SETTLED, both, tuple(picture.dice), picture.cube,
            quality=quality, name=frame.name, mixed=self.finder.mixed, hidden=hidden, dice_hidden=self._dice_are_hidden(),
            strips=self.finder.at_a_glance(bgr),
        )  # fmt: skip
        return kept

    def _known_already(self, frame: Frame) -> tuple[bool, Sighting | None]:
        """(whether the picture shows what the last one did, what is to be said of it without reading it: the kept reading, or that
        the board was moved; else None).
        """
        pace = self._pace
        still = pace.scene.see(frame.image, self._board_box(frame.image))
        pace.alike = pace.alike + 1 if still else 0
        pace.change = None
        due = pace.alike % REFRESH_EVERY == 0
        if (
            pace.kept is not None
            and pace.alike >= FRESH_LOOKS
            and not due
            and self._lying.alone_since is None
        ):
            self.effort = "kept"
            return still, replace(pace.kept, seq=frame.seq, time=frame.time, name=frame.name)
        pace.kept = None
        if not due:
            return still, None
        pace.change = pace.scene.note(still=still)
        if not (self._learned.lost or self._learned.watch.may_have_moved(pace.change)):
            # A play or a throw. (The next full look at it compares.)
            return False, None
        moved = self._moved_to(frame)
        if moved is None:
            return False, None
        shift = float(np.linalg.norm(moved.corners - self.canvas.geometry.corners, axis=1).max())
        self._move(moved)
        note = f"the board moved by {shift:.0f} pixels; found again"
        return False, self._refuse(frame, Gate.BOARD_MOVED, note)

    def _moved_to(self, frame: Frame) -> BoardGeometry | None:
        """Where the board lies now, None when it has not moved or is not found again."""
        learned = self._learned
        bump = learned.watch.compare(frame.image)
        if bump.state == "moved" and bump.geometry is not None:
            if self._fits_better(bump.geometry, frame.image):
                learned.lost = False
                return bump.geometry
        elif bump.state == "steady":
            learned.lost = False
            return None
        if not learned.lost:
            learned.lost, learned.search_at, learned.search_pause = True, frame.time, TRY_AGAIN
        if frame.time < learned.search_at:
            return None
        learned.search_at, learned.search_pause = frame.time + learned.search_pause, 2 * learned.search_pause
        found = found_again(frame.image, learned.watch)
        if found is None or not self._fits_better(found, frame.image):
            return None
        learned.lost = False
        return found

    def _leave_out_what_is_known(self, frame: Frame, own: Floats, seen: Seen) -> Floats:
        """(28, 31) `own` again, read anew where something that seemed in the way is the cube, or has become a known thing. What still is
        in the way is the picture's obstacle afterwards.
        """
        picture, lay = self._picture, self._lying.cube
        picture.obstacle = self._in_the_way(seen)
        if lay is not None and picture.obstacle is not None and self._is_the_cube(picture.obstacle):
            picture.covered |= lay
            own = self._compare_stacks(self.finder.read(self._weigh(picture.bgr), self._judge))
            picture.obstacle = self._in_the_way(seen)
        if self._has_come_to_rest(picture.bgr, frame):
            self._hide()
            self._see_dice_and_cube(frame.image)
            picture.scores = self._weigh(picture.bgr)
            own = self._compare_stacks(self.finder.read(picture.scores, self._judge))
            picture.obstacle = self._in_the_way(seen)
        return own

    # -- things that stand there --------------------------------------------------------------------------

    def _hide(self) -> None:
        """Take out the evidence of all places that known things cover."""
        known = self._way.things.known
        self._way.hides = self._way.things.mask((self.canvas.height, self.canvas.width)) if known else None
        self.finder.hidden = self._way.hides

    def _has_come_to_rest(self, bgr: Floats, frame: Frame) -> bool:
        """Whether something in the way has looked the same for long enough to become a known thing."""
        known = [self._way.things.see(found, bgr, frame.time) for found in self._picture.in_way]
        return any(known)

    def _dice_are_hidden(self) -> bool:
        """Whether a thing stands where the dice lay last, and no two dice are seen elsewhere."""
        dice = self._picture.dice
        seen = self.canvas.from_picture([(d.x, d.y) for d in dice]).tolist() if dice else []
        covered = [
            at
            for at in self._lying.dice
            if self._way.hides is not None and len(seen) < 2 and _is_set(self._way.hides, *at)
        ]
        self._lying.dice = [(u, v) for u, v in seen] + covered
        return bool(covered)

    def _die_lies_behind(self, time: float) -> bool:
        """Whether one die of a roll is seen and the other must lie behind a thing. Holds for a limited time
        only, because what was taken for a die may be none.
        """
        if len(self._picture.dice) != 1 or self._way.hides is None:
            self._lying.none_lay = not self._picture.dice
            self._lying.alone_since = None
            return False
        if self._lying.alone_since is None and self._lying.none_lay:
            self._lying.alone_since = time
        return self._lying.alone_since is not None and ALONE[0] <= time - self._lying.alone_since < ALONE[1]

    def _conceal(self) -> None:
        """Remove known things from the reference: when they are gone, the bare board is expected in their
        place.
        """
        if self._way.hides is not None and self.appearance is not None:
            self.appearance.forget(self._way.hides)

    def _quality(self, bgr: Floats) -> float:
        """Sharpness against the reference, 0..1, where both show the bare board."""
        look = self.appearance
        assert look is not None
        edges, before = look.sharpness()
        if len(edges) < 100:
            return 1.0
        now = np.abs(cv2.Laplacian(self._picture.pixels.explanation.planes[0], cv2.CV_32F).take(edges))
        return float(min(max(medians(now[None])[0] / max(1.0, before), 0.0), 1.0))

    def _with_second_opinion(self, own: Floats, seen: Seen, places: Floats) -> Floats:
        """(28, 31) weighted evidence of the learned look and of the uncalibrated reader. Shadows that have moved
        confuse the first, crooked rows the second. Glare deceives both alike, so their evidence is averaged and
        not added.
        """
        both, theirs = OWN_OPINION * own, seen.evidence()
        both[:OFF_LIGHT] += SECOND_OPINION * np.maximum(theirs[:OFF_LIGHT], -MOST_SURE)
        # The uncalibrated reader cannot see two colours on one point: it counts all checkers there as one side's.
        mixed = [slot for slot, _ in self.finder.mixed]
        both[mixed] = own[mixed]
        # A thing on the board can deceive both readers. Beside it, keep only what they agree on.
        spoilt = np.flatnonzero((places > SPOILT).any(axis=1))
        uncalibrated = SECOND_OPINION * theirs[spoilt]
        both[spoilt] = np.maximum(own[spoilt], uncalibrated - uncalibrated.max(axis=1, keepdims=True))
        return np.where(own <= FLOOR - OUT_OF_THE_QUESTION, own, calibrated(both))

    def _unexplained(self, e: Explanation) -> Mask:
        """(H, W) pixels that no density explains, each by itself."""
        strange = np.maximum(e.same, np.maximum(e.light, e.dark)) < OUTLIER - PIXEL_ODDER
        strange &= ~self.canvas.field | (e.board < OUTLIER - PIXEL_ODDER)
        return np.asarray(strange, bool)

    def _hand_reaches_in(self, explained: Explanation, still: bool) -> bool:
        """Whether an arm is plain to see in a changed picture. Nothing else in it is worth reading then, which
        would take a slow processor seconds. Reported once; an arm that stays gets a full look.
        """
        if still or self._way.saw_hand or not self.options.motion:
            self._way.saw_hand = False
            return False
        strange = self._unexplained(explained)
        if self._way.hides is not None:
            strange &= ~self._way.hides
        least = PLAINLY_A_HAND * self.options.hand_area
        # Half of its pixels at least: gaps between them are closed below.
        if np.count_nonzero(strange) < 0.5 * least * np.pi / 4 * CHECKER_PX**2:
            return False
        found = [o for o in obstacles(strange, self._board.zone, self.canvas) if o.enters]
        if not found or found[0].area < least:
            return False
        self._way.saw_hand = True
        self._picture.obstacle = found[0]
        return True

    def _in_the_way(self, seen: Seen) -> Obstacle | None:
        look = self.appearance
        assert look is not None
        picture, board = self._picture, self._board
        e = picture.pixels.explanation
        # Two opinions: pixel by pixel against all densities, and smoothed against what is seen (for noisy light).
        strange = self._unexplained(e)
        away, without_checkers = mahalanobis(look, e.features, self.finder.seen, OUTLIER_DISTANCE)
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
            found = obstacles(
                strange & (~board.blind.checkers(seen, board.canvas) | big),
                board.zone,
                board.canvas,
                odd,
            )
        picture.in_way = [o for o in found if o.area >= least]
        return picture.in_way[0] if picture.in_way else None

    def _no_checkers(self, seen: Seen, there: Mask) -> tuple[Mask, Mask]:
        """`no_checkers` of (H, W) pixels that are not the board."""
        return no_checkers(there, self._board.blind.checkers(seen, self.canvas, PERHAPS_A_CHECKER))

    def _changed_beside_things(self) -> Mask:
        """(H, W) where a known thing may stand, but neither it nor dice are what is seen there now."""
        if self._way.hides is None:
            return np.zeros_like(self._picture.covered)
        return self._way.things.changed(self._picture.bgr) & ~self._picture.covered

    # -- dice and cube ------------------------------------------------------------------------------------

    def _see_dice_and_cube(
        self, image: npt.NDArray[np.uint8], still: bool = False, change: Change | None = None
    ) -> None:
        """still: the picture shows what the last one showed in which dice were looked for; change: what is new in it, where known."""
        assert self.geometry is not None
        dice: list[DieSeen]
        cube: CubeSeen | None
        checkers = self._checkers()
        dice, cube = find_dice_and_cube(
            image,
            self.geometry,
            self.orientation,
            memory=self._lying.memory,
            still=still,
            change=change,
            options=DICE_IN_PLAY,
            checkers=checkers,
        )
        if self._way.hides is not None:
            # Ignore candidates on a cup: prints and highlights look like pips.
            dice = [d for d in dice if not self._is_hidden(d.x, d.y)]
            cube = (
                None
                if cube is not None and cube.place != "none" and self._is_hidden(cube.x, cube.y)
                else cube
            )
        if checkers is not None:
            dice = [against_checkers(d, checkers, self.geometry, self.profile) for d in dice]
        self._picture.dice, self._picture.cube = dice, cube
        covers = footprint_of(dice, cube, self.canvas, self.profile)
        if covers.lay is not None:
            self._lying.cube = covers.lay
        self._picture.under, self._picture.covered = covers.under, covers.covered

    def _dice_beside_a_hand(self, frame: Frame) -> tuple[DieSeen, ...]:
        """Dice that are read in a picture in which something moves, where none lay in the last one at rest: who throws and plays without
        a pause may have lifted them before the next."""
        if (
            not self._learned.confirmed
            or len(self._picture.dice) > 1
            or frame.time < self._lying.next_glimpse
        ):
            return ()
        assert self.geometry is not None
        self._lying.next_glimpse = frame.time + (
            DEAR_GLIMPSE_SECONDS if self.budget.dear else GLIMPSE_SECONDS
        )
        memory = self._lying.motion_memory
        dice = find_dice(
            frame.image,
            self.geometry,
            self.orientation,
            seen=survey_in_play(frame.image, self.geometry, memory),
            memory=memory,
            options=DICE_IN_PLAY,
            checkers=self._checkers(),
        )
        return tuple(
            d
            for d in dice
            if d.value is not None and (self._way.hides is None or not self._is_hidden(d.x, d.y))
        )

    def _is_hidden(self, x: float, y: float) -> bool:
        """A known thing covers the picture's place (x, y) px."""
        assert self._way.hides is not None
        u, v = self.canvas.from_picture([(x, y)])[0]
        return _is_set(self._way.hides, float(u), float(v))

    def _is_the_cube(self, found: Obstacle) -> bool:
        """Whether the unexplained thing is the cube: it lies where the cube lay, and the cube is not found
        elsewhere. Checkers pushed against the cube can hide it. It is then treated as covered.
        """
        if (
            self._lying.cube is None
            or found.enters
            or (self._picture.cube is not None and self._picture.cube.place != "none")
        ):
            return False
        return bool((found.mask & self._lying.cube).sum() > FOOTPRINT.lay_share * found.mask.sum())

    def _checkers(self) -> Floats | None:
        """(N, 2) cm, the checkers when no dice lay among them, or in the last learned picture; None before."""
        return self.canvas.cm([(d.x, d.y) for d in self._learned.stood]) if self._learned.stood else None

    # -- checkers -----------------------------------------------------------------------------------------

    def _weigh(self, bgr: Floats, explained: Explanation | None = None) -> tuple[Floats, Floats]:
        """Disc scores of light and dark; the weighed pixels are kept as `_pixels`. explained: of `bgr`, to save working it out again."""
        look = self.appearance
        assert look is not None
        e = explained if explained is not None else explain(look, bgr)
        picture, finder = self._picture, self.finder
        pixels = picture.pixels = weigh(look, e, picture.covered, picture.under, self._way.hides)
        return finder.disc_scores(0, pixels.ratios(0)), finder.disc_scores(1, pixels.ratios(1))

    def _judge(self, side: int, places: Floats) -> Floats:
        """`WeighedPixels.judge` of the picture that was weighed last."""
        return self._picture.pixels.judge(side, places)

    def _compare_stacks(self, log_likelihood: Floats) -> Floats:
        return compare_full_points(log_likelihood, self._picture.pixels, self.finder.in_row)

    # -- learning -----------------------------------------------------------------------------------------

    def learn(self, position: Position) -> None:
        """Learn the look of board and checkers from the last settled picture, which shows `position`. (Where looks are dear this waits
        until the scene changes or has been read often enough: somebody may be waiting for the next look.)"""
        if (
            self.options.motion
            and self.budget.dear
            and self._learned.confirmed
            and self.appearance is not None
        ):
            self._lessons.waiting = position
            return
        self._learn(position)

    def _take_lesson(self) -> None:
        """What waited to be learned, if anything did."""
        if self._lessons.waiting is not None:
            position, self._lessons.waiting = self._lessons.waiting, None
            self._learn(position)

    def _learn(self, position: Position) -> None:
        self._lessons.accepted = position
        if self._pace.image is None:
            return
        self._pace.last = self._pace.kept = None
        self._pace.looks = min(self._pace.looks, FULL_LOOKS - 1)
        if self.appearance is None or (not self._learned.confirmed and position != self.start):
            try:
                self._begin(self._pace.image, position)
            except AmbiguousError:
                self._learned.appearance = None
                return
            self._learned.confirmed = True
            return
        self._learned.confirmed = True
        if not self.options.relearn or self._picture.obstacle is not None:
            return
        counts = signed_counts(position)
        last = self._pace.shown
        if last is None or last.log_likelihood is None or last.mixed:
            return
        says = last.log_likelihood[np.arange(OFF_LIGHT), counts[:OFF_LIGHT] + ZERO]
        if says.sum() < DISAGREES or says.min() < CONTRADICTS:
            # The position is of the turn before and the game has gone on, or somebody has written down what never lay there.
            return
        discs = self._standing(counts)
        # Exclude the sides and shadows of dice and cube too: they are not the board.
        around = cv2.dilate(self._picture.pixels.covered.astype(np.uint8), np.ones((9, 9), np.uint8)).astype(
            bool
        )
        kept = self.appearance.known()
        self.appearance.learn(self._picture.bgr, discs, around, columns=self.finder.columns, fresh=False)
        self._conceal()
        self.appearance.counts = counts
        # Stacks are compared with the reference, which is this very picture now.
        plain = np.flatnonzero(np.abs(counts[:OFF_LIGHT]) < 5)
        again = self.finder.read(self._weigh(self._picture.bgr), self._judge)
        if (
            again[plain, counts[plain] + ZERO].sum()
            < self._picture.own[plain, counts[plain] + ZERO].sum() - UNLEARNED
        ):
            # Where checkers and points have one colour, the learned look may misread the very picture it was
            # learned from. Undo it then.
            self.appearance.restore(kept)
        else:
            self._learned.stood = discs

    def _standing(self, counts: npt.NDArray[np.int64]) -> list[Disc]:
        """The checkers of the accepted position in the last picture: where they were read, or, where another
        number was read, where they fit best.
        """
        seen: dict[int, list[Disc]] = {}
        for d in self.finder.seen:
            seen.setdefault(d.slot, []).append(d)
        read = {
            slot: discs
            for slot, discs in seen.items()
            if slot < OFF_LIGHT
            and len(discs) == abs(int(counts[slot]))
            and (discs[0].side == 0) == (counts[slot] > 0)
        }
        fitted = self.finder.fit(self._picture.scores, counts, self._judge)
        return [d for discs in read.values() for d in discs] + [d for d in fitted if d.slot not in read]

    def expect_start(self) -> None:
        """The game is over: learn afresh from the next settled picture of the starting position."""
        self._lessons.expecting = True

    def _looks_like_start(self, sighting: Sighting) -> bool:
        """Whether this is nearly the starting position, judged by the look learned in the game before."""
        if sighting.log_likelihood is None:
            return False
        counts = signed_counts(self.start)
        return (
            int((sighting.log_likelihood[np.arange(24), counts[:24] + ZERO] < START.differs).sum())
            <= START.most_differ
        )

    def _learn_again(self, frame: Frame) -> Sighting | None:
        """Learn the starting position afresh if this picture shows it. The look drifts during a game, and late
        in it few checkers are left to learn from.
        """
        before = self.state.copied()
        try:
            self._begin(frame.image, self.start)
            sighting = self._read(frame)
        except AmbiguousError:
            sighting = None
        if sighting is None or not sighting.settled:
            self.state = before
            return None
        self._lessons.expecting = False
        return sighting

    def _learn_in_new_light(self, frame: Frame, seen: Seen) -> bool:
        """Learn afresh when what seems to stand on the board is only new light, for hard shadows that have come or gone look like things
        to what was learned with or without them; or is the bare board, where a cup that nobody noticed was learned as board. True when
        that was so.

        The uncalibrated reader must see a whole position; and through such a thing the board's structure must show, as it is known or as
        it was seen first, or the checkers that it would cover.
        """
        look, position = self.appearance, self._lessons.accepted
        if look is None or position is None or frame.time < self._lessons.next_try:
            return False
        self._lessons.next_try = frame.time + TRY_AGAIN
        position = plainly_shown(seen.evidence(), position)
        if position is None:
            return False
        counts = signed_counts(position)
        tops = self._board.blind.checkers(seen, self.canvas)
        discs = ideal_discs(counts, self.canvas, self.orientation)
        known = self._way.things.known
        under = [[_is_set(tops, d.x, d.y) for d in discs if _is_set(thing.core, d.x, d.y)] for thing in known]
        # Checkers that are seen where things would cover them: all over the board, for one alone may be a mistake.
        all_seen = [bool(there) and sum(there) >= ALL_SEEN * len(there) for there in under]
        many = sum(sum(there) for there, them in zip(under, all_seen, strict=True) if them) >= SEEN_THROUGH
        reference, now = look.reference[..., 1], self._picture.bgr[..., 1]
        stand = [
            thing
            for thing, them in zip(known, all_seen, strict=True)
            if not (many and them) and not thing.is_light(reference, now) and not self._is_bare(thing)
        ]
        if len(stand) == len(known):
            return False
        light = [thing for thing in known if thing not in stand]
        stand = [
            thing
            for thing in stand
            if not (thing.came_with(light) and thing.is_light(reference, now, beside=True))
        ]
        before = self.state.copied()
        things = self._way.things.known
        self._way.things.known = stand
        self._hide()
        try:
            self._begin(frame.image, position)
        except AmbiguousError:
            self.state = before
            self._way.things.known = things
            self._hide()
            return False
        return True

    def _is_bare(self, thing: Occluder) -> bool:
        """Whether the board is bare where `thing` seems to stand."""
        if self._learned.first is None:
            return False
        first, bare = self._learned.first
        return thing.is_bare(first, self._picture.bgr[..., 1], bare & ~self._picture.covered)

    def _first_look(self, frame: Frame) -> Sighting:
        """Learn from the picture if it shows the starting position; else give the uncalibrated reader's evidence."""
        note = "the starting position has not been seen yet"
        if frame.time >= self._lessons.next_try or not self.options.motion:
            self._lessons.next_try = frame.time + TRY_AGAIN
            try:
                self._begin(frame.image, self.start)
                return self._read(frame)
            except AmbiguousError as error:
                self._learned.appearance = None
                note = str(error)
            if (sighting := self._look_in_the_middle(frame)) is not None:
                return sighting
        return Sighting(
            frame.seq,
            frame.time,
            Gate.SETTLED,
            np.zeros((SLOTS, COUNTS)),
            quality=0.5,
            name=frame.name,
            note=note,
        )

    def go_on(self, positions: Sequence[Position]) -> None:
        """A game goes on that this reader has not seen: the first picture shows one of `positions`, or what has been played from one."""
        self._lessons.may_show = tuple(positions)

    def _look_in_the_middle(self, frame: Frame) -> Sighting | None:
        """Learn from a picture of a game that goes on, if the uncalibrated reader plainly sees a whole position of it; else None."""
        if not self._lessons.may_show:
            return None
        seen = self._board.blind.read(frame.image)
        table = seen.evidence()[:OFF_LIGHT]
        slots = np.arange(OFF_LIGHT)

        def likely(position: Position) -> float:
            return float(table[slots, signed_counts(position)[:OFF_LIGHT] + ZERO].sum())

        for expected in sorted(self._lessons.may_show, key=likely, reverse=True)[:LIKELIEST]:
            position = plainly_shown(seen.evidence(), expected)
            if position is None:
                continue
            try:
                self._begin(frame.image, position)
            except AmbiguousError:
                self._learned.appearance = None
                continue
            self._lessons.may_show, self._learned.confirmed = (), True
            self._lessons.accepted = position
            return self._read(frame)
        return None

    def _begin(self, image: npt.NDArray[np.uint8], position: Position) -> None:
        """Learn everything from one picture of a known position. Raises AmbiguousError when it does not show it."""
        assert self.geometry is not None
        self._look_at(self.geometry)
        self._learned.appearance = look = Appearance(self.canvas)
        look.counts = signed_counts(position)
        self._picture.obstacle = None
        bgr = self.canvas.warp(image)
        counts = signed_counts(position)
        self._see_dice_and_cube(image)
        # Drop dice that lie where the position has a checker: the finder took the checker for a die.
        ideal = ideal_discs(counts, self.canvas, self.orientation)
        for d in ideal:
            cut_out = np.zeros(self._picture.covered.shape, np.uint8)
            cv2.circle(cut_out, (round(d.x), round(d.y)), round(0.5 * CHECKER_PX), 1, -1)
            self._picture.covered &= ~cut_out.astype(bool)
        if self._way.hides is not None:
            self._picture.covered |= self._way.hides
        shy = neighbourhood(counts, self.canvas, self.orientation, self.profile)
        columns = self.finder.columns
        look.learn(bgr, ideal, self._picture.covered, columns=columns, fresh=True, shy=shy)
        before: list[Disc] = []
        for i in range(MOST_FITS):
            # Do not use the reference's labels, they come from the rough fit that is tested here. Use colours
            # and the empty board only.
            look.label[:] = UNKNOWN
            discs = self.finder.fit(self._weigh(bgr), counts, self._judge if i else None)
            self.finder.set_layout(layout_of(discs, self.canvas, self.orientation))
            # Do not guess anew what the checkers cover: the guess hardly changes between the rounds. The last
            # call below makes it again.
            look.learn(bgr, discs, self._picture.covered, columns=columns, fresh=True, shy=shy, guess=False)
            if before and farthest_moved(before, discs) <= FITTED:
                break
            before = discs
        look.label[:] = UNKNOWN
        scores = self._weigh(bgr)
        discs = self.finder.fit(scores, counts, self._judge)
        self._check(discs, self.finder.read(scores, self._judge), counts)
        look.learn(bgr, discs, self._picture.covered, columns=columns, fresh=True)
        self._conceal()
        self._way.things.look_again(bgr)
        self._learned.stood = discs
        self._learned.watch = BumpWatch(self.geometry, image)
        self._remember_first(bgr[..., 1], look.label == BOARD)
        self._picture.bgr, self._picture.scores = bgr, scores

    def _remember_first(self, brightness: Floats, bare: Mask) -> None:
        """Keeps how the bare board looks; where (H, W) `bare` is not set it stays as it was seen before."""
        known = self._learned.first
        if known is not None and known[0].shape == brightness.shape:
            brightness, bare = np.where(bare, brightness, known[0]), bare | known[1]
        self._learned.first = brightness.copy(), bare

    def _check(self, discs: list[Disc], log_likelihood: Floats, counts: npt.NDArray[np.int64]) -> None:
        """Does the picture really show these counts? Raises AmbiguousError."""
        look = self.appearance
        assert look is not None
        says = np.concatenate(
            [self._judge(side, centres([d for d in discs if d.side == side])) for side in (0, 1)]
        )
        good = float((says > 0).mean()) if len(says) else 0.0
        slots = np.arange(24)
        wrong = int((log_likelihood[slots, counts[:24] + ZERO] < START.wrong).sum())
        if good < CONVINCING or wrong > START.most_wrong:
            raise AmbiguousError(
                f"the picture does not show the expected position ({good:.0%} of its checkers found, {wrong} points differ)"
            )
