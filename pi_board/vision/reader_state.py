"""What `BoardReader` keeps from look to look, in parts by role. A copy of all of it is one value to go back to."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from pi_board.rules import Position
from pi_board.sighting import CubeSeen, DieSeen, Sighting
from pi_board.vision.board.bump import BumpWatch
from pi_board.vision.board.canvas import Canvas
from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.changes import Change, ChangeWatch
from pi_board.vision.checkers.appearance import Appearance
from pi_board.vision.checkers.blind import BlindReader
from pi_board.vision.checkers.disc import Disc
from pi_board.vision.checkers.likelihood import CheckerFinder
from pi_board.vision.checkers.pixels import WeighedPixels
from pi_board.vision.dice.marks import Marks
from pi_board.vision.dice.memory import Memory
from pi_board.vision.dice.sizes import DiceSizes
from pi_board.vision.first_board import FirstBoard
from pi_board.vision.gate import FrameGate, Obstacle
from pi_board.vision.occluders import Occluder, Occluders

Floats = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class LocatedBoard:
    """What follows from where the board lies in the picture. zone: (H, W) canvas pixels in which an obstacle counts (`gate.zone`)."""

    canvas: Canvas
    finder: CheckerFinder
    zone: Mask
    blind: BlindReader


@dataclass(frozen=True, slots=True)
class LostBoard:
    """A board that was moved, and nobody knows where to. search_at: s, it is not looked for before then; pause: s, from then to the next
    search. in_vain: it has been looked for."""

    search_at: float
    pause: float
    in_vain: bool = False

    def searched(self, now: float) -> LostBoard:
        """The same after a search in vain: each pause is twice as long as the one before."""
        return LostBoard(now + self.pause, 2 * self.pause, in_vain=True)


@dataclass(slots=True)
class LearnedBoard:
    """What was learned of this board.

    appearance: None before the first lesson. confirmed: somebody accepted what was read by it. stood: the checkers of the last
    picture without dice among them, or of the last lesson. watch: landmarks of the picture that was learned from first; unset
    before. first: the bare board as it was seen first. lost: None while it is known where the board lies.
    compared: seconds on the camera's clock at which its landmarks were looked for last.
    """

    appearance: Appearance | None = None
    confirmed: bool = False
    stood: list[Disc] = field(default_factory=list)
    watch: BumpWatch = field(init=False)
    first: FirstBoard | None = None
    lost: LostBoard | None = None
    compared: float = float("-inf")


@dataclass(slots=True)
class PictureRead:
    """The last picture that was read, step by step. What has no default is unset before the first.

    agreement: share of pixels like the reference. shaded: (H, W, 3) float32, canvas in the reference's light; bgr: the same without the
    shadows of known things. covered, under, beside_dice: (H, W) canvas pixels that dice and cube cover, those right under
    dice, and those where their sides and shadows may be, as in `Footprint`.
    pixels: its pixels weighed. scores: disc scores (H, W) of light and dark. own: (28, 31) nats, what the learned look says without the second opinion. in_way: what is
    unexplained and large enough to be a hand; obstacle: the one for which the picture was refused.
    """

    agreement: float = 1.0
    shaded: Floats = field(init=False)
    bgr: Floats = field(init=False)
    dice: list[DieSeen] = field(init=False)
    cube: CubeSeen | None = field(init=False)
    covered: Mask = field(init=False)
    under: Mask = field(init=False)
    beside_dice: Mask | None = None
    pixels: WeighedPixels = field(init=False)
    scores: tuple[Floats, Floats] = field(init=False)
    own: Floats = field(init=False)
    in_way: list[Obstacle] = field(default_factory=list)
    obstacle: Obstacle | None = None


@dataclass(slots=True)
class LyingDice:
    """Where dice and cube lay. memory: what was read at which place; motion_memory: the same of pictures in which a hand moves, and
    next_glimpse: s, when dice are searched in such a picture next. marks, sizes: what looks like a die and is none.

    cube: (H, W) canvas pixels that the cube covered when it was last seen well, around: where its sides and its shadow may have been then,
    and left: the same of the place where it lay before. dice: canvas places (px) of the dice seen last, each with the
    known things beside it that might have covered it and did not.
    alone_since: s, since when a die has come to lie by itself beside a thing; none_lay: no die lay there before.
    """

    memory: Memory = field(default_factory=Memory)
    marks: Marks = field(default_factory=Marks)
    sizes: DiceSizes = field(default_factory=DiceSizes)
    motion_memory: Memory = field(init=False)
    next_glimpse: float = float("-inf")
    cube: Mask | None = None
    around: Mask | None = None
    left: Mask | None = None
    dice: list[tuple[tuple[float, float], list[Occluder]]] = field(default_factory=list)
    alone_since: float | None = None
    none_lay: bool = False

    def __post_init__(self) -> None:
        # The finder sees both kinds of pictures: what it said of one holds for most of the other.
        self.motion_memory = Memory(self.memory.finder)

    def cube_lies(self, covers: Mask, around: Mask) -> None:
        """The cube has been seen well: (H, W) what it `covers`, and where its sides and its shadow may be."""
        lay = self.cube
        if lay is not None and lay.shape != covers.shape:
            # Another canvas: places on the old one say nothing.
            self.left = None
        elif lay is not None and not (lay & covers).any():
            self.left = self.around
        self.cube, self.around = covers, around


@dataclass(slots=True)
class InTheWay:
    """Hands and things. hides: (H, W) canvas pixels that known things cover, None when none stands there.

    saw_hand: the last picture was not looked at closely, for the hand in it. plain: nothing stood where the bare board was seen first.
    """

    things: Occluders
    hides: Mask | None = None
    saw_hand: bool = False
    plain: bool = False


@dataclass(slots=True)
class LookPace:
    """Which pictures were looked at, and which need not be again.

    image: the last one that got past the gate; last: what it was read as, where that still holds; shown: the same, kept when
    something is learned. looks: full looks at this scene; read_at: s, time of the last one. alike: pictures in a row that show
    what the one noted in `scene` showed; kept: what was read of them, until something is learned. change: what is new in the last one,
    None when it was not noted. half_read: the last one was refused before dice were looked for, or before the second opinion.
    """

    gate: FrameGate
    scene: ChangeWatch = field(default_factory=ChangeWatch)
    image: npt.NDArray[np.uint8] | None = None
    last: Sighting | None = None
    shown: Sighting | None = None
    looks: int = 0
    read_at: float = float("-inf")
    alike: int = 0
    kept: Sighting | None = None
    change: Change | None = None
    half_read: bool = False


@dataclass(frozen=True, slots=True)
class NewLight:
    """A picture in which some of what seemed to stand on the board is new light. position: what it shows; stand: what does stand there."""

    position: Position
    stand: list[Occluder]


@dataclass(slots=True)
class Lessons:
    """expecting: the starting position is to be learned afresh. next_try: s, not before then. waiting: the position of the last
    settled picture, which is still to be learned from. accepted: the position that was accepted last.
    may_show: positions that the first picture may show when a game goes on, likeliest first.
    suspect_at: s, new light is not suspected before then; pause: s, from then on to the next time, twice as long each time until a position
    is accepted.
    light: what was found in the last picture, to be learned in the next; was_put_off: what was found last had to wait. start_waits: the
    last picture shows the starting position of the next game, which is to be learned from the next."""

    expecting: bool = False
    next_try: float = float("-inf")
    waiting: Position | None = None
    accepted: Position | None = None
    may_show: tuple[Position, ...] = ()
    suspect_at: float = float("-inf")
    pause: float = 1.0
    light: NewLight | None = None
    was_put_off: bool = False
    start_waits: bool = False

    @property
    def is_put_off(self) -> bool:
        """Whether the next look has something to learn."""
        return self.light is not None or self.start_waits


@dataclass(slots=True)
class ReaderState:
    """All that changes from look to look. geometry: where the board lies; board: what follows from it, None before the first lesson."""

    geometry: BoardGeometry | None
    way: InTheWay
    pace: LookPace
    board: LocatedBoard | None = None
    learned: LearnedBoard = field(default_factory=LearnedBoard)
    picture: PictureRead = field(default_factory=PictureRead)
    lying: LyingDice = field(default_factory=LyingDice)
    lessons: Lessons = field(default_factory=Lessons)

    @property
    def appearance(self) -> Appearance | None:
        return self.learned.appearance

    @property
    def located(self) -> LocatedBoard:
        """The board where it lies; only after the first look at it."""
        assert self.board is not None
        return self.board

    @property
    def canvas(self) -> Canvas:
        assert self.board is not None
        return self.board.canvas

    @property
    def finder(self) -> CheckerFinder:
        assert self.board is not None
        return self.board.finder

    def put_back(self, before: ReaderState) -> None:
        """Become what `before` is: the parts of a reader all hold this one object."""
        for part in fields(self):
            setattr(self, part.name, getattr(before, part.name))

    def copied(self) -> ReaderState:
        """This state as it is now. Its parts are copied; gate, watches and memories, which look at every picture, are shared."""
        return ReaderState(**{part.name: copy(getattr(self, part.name)) for part in fields(self)})
