"""Dice and cube of the picture that is read, and where they lay before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pi_board.frame import Frame
from pi_board.sighting import CubeSeen, DieSeen
from pi_board.vision.board.canvas import CHECKER_PX
from pi_board.vision.changes import Change
from pi_board.vision.checkers.disc import Disc
from pi_board.vision.checkers.likelihood import centres
from pi_board.vision.dice.cube import find_dice_and_cube, survey_in_play
from pi_board.vision.dice.faces import Faces, cube_but_a_face
from pi_board.vision.dice.footprint import MODEL as FOOTPRINT
from pi_board.vision.dice.footprint import against_checkers, footprint_of
from pi_board.vision.dice.marks import is_plain
from pi_board.vision.dice.options import HEAT_IN_PLAY, DiceOptions
from pi_board.vision.dice.reading import find_dice
from pi_board.vision.dice.sizes import edges_of
from pi_board.vision.gate import Obstacle
from pi_board.vision.in_play.in_the_way import ThingsInTheWay, is_set, share_within
from pi_board.vision.in_play.part import ReaderInterface, ReaderPart
from pi_board.vision.occluders import Occluder

Floats = npt.NDArray[Any]

#: In play the thresholds are high: each roll gets several looks, and the referee doubts unsure dice before it
#: doubts a play.
DICE_IN_PLAY = DiceOptions(least_heat=HEAT_IN_PLAY, least_confidence=0.75, least_valued=0.985)
#: Seconds between two searches for dice in pictures in which a hand moves; the same where looks are dear.
GLIMPSE_SECONDS, DEAR_GLIMPSE_SECONDS = 0.2, 0.6
#: One die has lain alone beside a thing for this many seconds: then the other die is behind the thing. Before the first value it may
#: still be rolling in (an opening roll comes one by one); after the second, the single "die" was probably none.
ALONE = (2.0, 12.0)
#: Radius of a die's outline, canvas px, where it is as long as a checker is wide.
FOOTPRINT_PX = CHECKER_PX / np.sqrt(2.0)
#: (Share of a die's outline that known things may cover, most confidence in its number then.) Of half a die a play tells the number rather
#: (`RefereeOptions.dice_misread`), and of less it is doubted before the play is (`dice_doubt`). Source: bench_cups 967, a four half
#: behind a cup that was read as two with .95.
BESIDE_THINGS = ((0.4, 0.84), (0.05, 0.94))
#: What shows no number so near (canvas px) to the middle of a checker that stood there may be the rings of its top. (In
#: `bench campaign --seed 1920012 --slow 15` they were 1 to 2 px apart, in every look without another die.)
RINGS = 0.2 * CHECKER_PX
#: So near (canvas px) to the middle of a die it may hide a checker, or look like one: half of each, and as much again as dice are high.
BESIDE_DICE = CHECKER_PX
#: A die may be the top of a checker where the other reader sees one on so much of a disc of this radius (canvas px) around it. (In three
#: path-traced games gloss on tops: .7 and more; dice on the board: .2 at most.)
ON_A_TOP, AROUND_A_DIE = 0.6, 0.35 * CHECKER_PX
#: Checkers of a row lie up to so many diameters apart.
NEXT_IN_A_ROW = 1.15


class DiceInPlay(ReaderPart):
    """Dice and cube."""

    def __init__(self, reader: ReaderInterface, way: ThingsInTheWay) -> None:
        super().__init__(reader)
        self._way = way

    def see(
        self,
        image: npt.NDArray[np.uint8],
        still: bool = False,
        change: Change | None = None,
        before_a_roll: bool = False,
    ) -> None:
        """still: the picture shows what the last one showed in which dice were looked for; change: what is new in it, where known.
        before_a_roll: it shows a board at which nobody has rolled."""
        assert self.state.geometry is not None
        dice: list[DieSeen]
        cube: CubeSeen | None
        checkers = self.checkers()
        dice, cube = find_dice_and_cube(
            image,
            self.state.geometry,
            self.orientation,
            memory=self.state.lying.memory,
            still=still,
            change=change,
            options=DICE_IN_PLAY,
            checkers=checkers,
        )
        if self.state.way.hides is not None:
            # Ignore candidates on a cup: prints and highlights look like pips.
            dice = [self._beside_things(d) for d in dice if not self._way.is_hidden(d.x, d.y)]
            cube = (
                None
                if cube is not None and cube.place != "none" and self._way.may_cover(cube.x, cube.y)
                else cube
            )
        cube = cube_but_a_face(image, cube, self.state.geometry, checkers)
        dice = self._but_none(dice, before_a_roll)
        if checkers is not None:
            dice = [against_checkers(d, checkers, self.state.geometry, self.profile) for d in dice]
        self._lie(dice, cube)

    def _but_none(self, dice: list[DieSeen], before_a_roll: bool) -> list[DieSeen]:
        """Without what stays where it is while one roll after the other is lifted, and what is of another size than all that were rolled.
        before_a_roll: nobody has rolled, so none of these is likely to be a die that counts."""
        assert self.state.geometry is not None
        lying, edge = self.state.lying, self.profile.die_size
        places = self._cm(dice) if dice else np.zeros((0, 2))
        at = [(x, y) for x, y in places.tolist()]
        if before_a_roll:
            lying.marks.lie_before_a_roll(at, [abs(x) < self.profile.bar_width / 2 for x, _ in at])
        if not dice:
            return dice
        plain = [is_plain(d) for d in dice]
        edges = edges_of(dice, places, self.state.geometry)
        lying.sizes.observe(dice, plain, edges)
        odd = lying.sizes.which_are_none(plain, edges)
        # (What is none by its size is no part of a roll.)
        shown = [d.value if sure and not o else None for d, sure, o in zip(dice, plain, odd, strict=True)]
        lying.marks.observe(shown, at, edge)
        marks = lying.marks.which_are_none(shown, at, edge)
        return [d for d, none, mark in zip(dice, odd, marks, strict=True) if not none and not mark]

    def _cm(self, dice: Sequence[DieSeen]) -> Floats:
        """(len(dice), 2) cm of the field, of their tops."""
        assert self.state.geometry is not None
        return self.state.geometry.unproject([(d.x, d.y) for d in dice], self.profile.die_size)

    def leave_out_faces(self, image: npt.NDArray[np.uint8], tops: npt.NDArray[np.bool_]) -> bool:
        """Takes out what seemed to be dice and are checkers' tops: gloss on them looks like pips. The other reader sees a checker there, and it
        looks like several others. (A die on a checker looks unlike them.) Returns whether there were any; else nothing has changed.

        image: the camera's picture (H, W, 3) BGR; tops: (H, W) of the canvas, where the other reader sees checkers."""
        dice, checkers = self.state.picture.dice, self.checkers()
        if not dice or checkers is None:
            return False
        assert self.state.geometry is not None
        at = self.state.canvas.from_picture([(d.x, d.y) for d in dice]).tolist()
        on_tops = [
            d
            for d, (u, v), place in zip(dice, at, self._cm(dice).tolist(), strict=True)
            if share_within(tops, u, v, AROUND_A_DIE) >= ON_A_TOP and self._may_be_a_top(*place)
        ]
        if not on_tops:
            return False
        faces = Faces(image, self.state.geometry, checkers)
        none = [d for d in on_tops if faces.look_like(d.x, d.y)]
        if none:
            self._lie([d for d in dice if d not in none], self.state.picture.cube)
        return bool(none)

    def _may_be_a_top(self, x: float, y: float) -> bool:
        """Whether a checker may lie at these cm: on the bar, or in a row that begins at the rim, or next to one. (4174001: at dusk a white die
        on an empty point, its one pip above, looked like the white checkers, and a turn was lost.)"""
        p, row = self.profile, 0
        if abs(x) < p.bar_width / 2:
            return True
        if seen := self.state.finder.seen:
            at = self.state.canvas.cm([(d.x, d.y) for d in seen])
            row = int(np.count_nonzero((np.abs(at[:, 0] - x) < p.point_width / 2) & (at[:, 1] * y > 0)))
        return p.field_height / 2 - abs(y) < (row + 1) * NEXT_IN_A_ROW * p.checker_diameter

    def _lie(self, dice: list[DieSeen], cube: CubeSeen | None) -> None:
        """These lie in the picture."""
        self.state.picture.dice, self.state.picture.cube = dice, cube
        covers = footprint_of(dice, cube, self.state.canvas, self.profile)
        if covers.lay is not None and covers.around is not None:
            self.state.lying.cube_lies(covers.lay, covers.around)
        picture = self.state.picture
        picture.under, picture.covered, picture.beside_dice = covers.under, covers.covered, covers.beside_dice

    def _beside_things(self, die: DieSeen) -> DieSeen:
        """`die`, doubted where a thing may cover a part of it: half a four looks like a two."""
        cover = self._way.covers(
            die.x, die.y, FOOTPRINT_PX * self.profile.die_size / self.profile.checker_diameter
        )
        most = next((confidence for share, confidence in BESIDE_THINGS if cover >= share), 1.0)
        return die.at_most(most)

    def beside_a_hand(self, frame: Frame) -> tuple[DieSeen, ...]:
        """Dice that are read in a picture in which something moves, where none lay in the last one at rest: who rolls and plays without
        a pause may have lifted them before the next."""
        if (
            not self.state.learned.confirmed
            or len(self.state.picture.dice) > 1
            or frame.time < self.state.lying.next_glimpse
        ):
            return ()
        assert self.state.geometry is not None
        self.state.lying.next_glimpse = frame.time + (
            DEAR_GLIMPSE_SECONDS if self.reader.budget.dear else GLIMPSE_SECONDS
        )
        memory, checkers = self.state.lying.motion_memory, self.checkers()
        dice = find_dice(
            frame.image,
            self.state.geometry,
            self.orientation,
            seen=survey_in_play(frame.image, self.state.geometry, memory),
            memory=memory,
            options=DICE_IN_PLAY,
            checkers=checkers,
        )
        dice = [d for d in dice if d.value is not None and not self._way.may_cover(d.x, d.y)]
        if dice and checkers is not None:
            faces = Faces(frame.image, self.state.geometry, checkers)
            dice = [d for d in dice if not faces.look_like(d.x, d.y)]
        return tuple(dice)

    def stand(self, seen: Sequence[Disc]) -> list[Disc]:
        """The checkers that stand there by this look, which found `seen`: beside dice, which may hide one or look like one, those that stood
        there before."""
        if not self._lie_among_checkers():
            return list(seen)
        at = self.state.canvas.from_picture([(d.x, d.y) for d in self.state.picture.dice])

        def beside(discs: Sequence[Disc]) -> npt.NDArray[np.bool_]:
            apart = np.hypot(*(at[:, None] - centres(discs)).transpose(2, 0, 1))
            return np.asarray(np.logical_or.reduce(apart < BESIDE_DICE, axis=0))

        before = self.state.learned.stood
        elsewhere, here = (~beside(seen)).nonzero()[0].tolist(), beside(before).nonzero()[0].tolist()
        return [seen[k] for k in elsewhere] + [before[k] for k in here]

    def _lie_among_checkers(self) -> bool:
        """Whether dice lie there, other than what shows no number in the middle of a checker that stood there."""
        dice, stood = self.state.picture.dice, self.state.learned.stood
        if not dice or not stood or any(d.value is not None for d in dice):
            return bool(dice)
        at = self.state.canvas.from_picture([(d.x, d.y) for d in dice])
        apart = np.hypot(*(at[:, None] - centres(stood)).transpose(2, 0, 1))
        return bool((apart.min(axis=1) > RINGS).any())

    def are_hidden(self) -> bool:
        """Whether a thing stands where the dice lay last, and no two dice are seen elsewhere. (Not one that stood there already, and beside
        which they were seen.)"""
        dice = self.state.picture.dice
        seen = [(u, v) for u, v in self.state.canvas.from_picture([(d.x, d.y) for d in dice])] if dice else []
        covered = [
            (at, beside)
            for at, beside in self.state.lying.dice
            if len(seen) < 2 and any(thing not in beside for thing in self._things_over(at))
        ]
        self.state.lying.dice = [(at, self._things_over(at)) for at in seen] + covered
        return bool(covered)

    def _things_over(self, at: tuple[float, float]) -> list[Occluder]:
        """The known things that may cover the canvas place `at` (px)."""
        return [thing for thing in self.state.way.things.known if is_set(thing.mask, *at)]

    def one_lies_behind(self, time: float) -> bool:
        """Whether one die of a roll is seen and the other must lie behind a thing. Holds for a limited time
        only, because what was taken for a die may be none.
        """
        if len(self.state.picture.dice) != 1 or self.state.way.hides is None:
            self.state.lying.none_lay = not self.state.picture.dice
            self.state.lying.alone_since = None
            return False
        if self.state.lying.alone_since is None and self.state.lying.none_lay:
            self.state.lying.alone_since = time
        return (
            self.state.lying.alone_since is not None
            and ALONE[0] <= time - self.state.lying.alone_since < ALONE[1]
        )

    def is_the_cube(self, found: Obstacle) -> bool:
        """Whether the unexplained thing is the cube: it lies where the cube lay, and the cube is not found
        elsewhere. Checkers pushed against the cube can hide it. It is then treated as covered.
        """
        if (
            self.state.lying.cube is None
            or found.enters
            or (self.state.picture.cube is not None and self.state.picture.cube.place != "none")
        ):
            return False
        return bool((found.mask & self.state.lying.cube).sum() > FOOTPRINT.lay_share * found.mask.sum())

    def checkers(self) -> Floats | None:
        """(N, 2) cm, the checkers of the last look or the last learned picture, and beside dice those from before; None before."""
        return (
            self.state.canvas.cm([(d.x, d.y) for d in self.state.learned.stood])
            if self.state.learned.stood
            else None
        )
