"""What the pipeline hands to everything that shows or keeps the game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from pi_board.events import Event
from pi_board.frame import Frame
from pi_board.sighting import Sighting
from pi_board.table import TableView


@dataclass(frozen=True, slots=True)
class Moment:
    """One step of the pipeline: the look, what it led to and how the table stands now.

    frame, sighting: None when a person's command (not a picture) led to it. time: monotonic seconds.
    """

    time: float
    view: TableView
    events: tuple[Event, ...] = ()
    frame: Frame | None = None
    sighting: Sighting | None = None


class Output(Protocol):
    """Lights, display, page, terminal, evidence. Must return quickly and must not raise for a device that fails."""

    def show(self, moment: Moment) -> None: ...

    def close(self) -> None: ...
