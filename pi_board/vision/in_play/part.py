"""What the parts of a `BoardReader` have in common."""

from __future__ import annotations

from typing import Protocol

from pi_board.rules import Position
from pi_board.vision.board.orientation import Orientation
from pi_board.vision.board.registration import Registration
from pi_board.vision.budget import LookBudget
from pi_board.vision.options import VisionOptions
from pi_board.vision.profile import BoardProfile
from pi_board.vision.reader_state import ReaderState


class ReaderInterface(Protocol):
    """What the parts may ask of the reader that they belong to."""

    profile: BoardProfile
    orientation: Orientation
    options: VisionOptions
    registration: Registration | None
    start: Position
    budget: LookBudget
    state: ReaderState


class ReaderPart:
    """A part keeps nothing itself: what is known from look to look is the reader's `state`, which is put back as a whole when a lesson
    fails."""

    def __init__(self, reader: ReaderInterface) -> None:
        self.reader = reader
        self.state = reader.state

    @property
    def options(self) -> VisionOptions:
        return self.reader.options

    @property
    def profile(self) -> BoardProfile:
        return self.reader.profile

    @property
    def orientation(self) -> Orientation:
        return self.reader.orientation
