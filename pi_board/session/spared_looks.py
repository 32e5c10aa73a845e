"""A look that ends in an error nobody foresaw: at a table it counts as one that saw nothing, and the game goes on.

Most such errors belong to one scene and are over when the players have moved on. If they are not, the program must end after all: it is
started again by the service, reads the journal and learns the board anew, and an update that cannot see is taken back.
"""

from __future__ import annotations

import logging
from typing import Protocol

from pi_board.frame import Frame
from pi_board.sighting import Gate, Sighting


class Looking(Protocol):
    def look(self, frame: Frame) -> Sighting: ...


class SparedLooks:
    """at_most: so many looks in a row may fail (0: none, so that benches and tests see every error)."""

    #: At a table, 5 to 20 seconds.
    AT_A_TABLE = 50

    def __init__(self, at_most: int = 0) -> None:
        self.at_most = at_most
        self._in_a_row = 0

    def look(self, reader: Looking, frame: Frame) -> Sighting:
        """What `reader` sees, or BLOCKED without evidence; raises what the reader raises when too many fail in a row."""
        try:
            sighting = reader.look(frame)
        except Exception:
            self._in_a_row += 1
            if self._in_a_row > self.at_most:
                raise
            if self._in_a_row == 1:
                logging.getLogger(__name__).exception("picture %d could not be read", frame.seq)
            return Sighting(
                frame.seq,
                frame.time,
                Gate.BLOCKED,
                registered=False,
                quality=0.0,
                name=frame.name,
                note="unreadable",
            )
        self._in_a_row = 0
        return sighting
