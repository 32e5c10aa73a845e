"""`SimulatedCamera`: a camera above a simulated table; a backend like any other."""

from __future__ import annotations

from pi_board.camera.base import FrameSource
from pi_board.camera.pacing import Metronome
from pi_board.frame import Frame
from pi_board.simulator import Habits, SimulatedTable, SimulatorOptions, Truth


class SimulatedCamera(FrameSource):
    """Frames of a `SimulatedTable`, in simulated time (realtime=True: paced by the wall clock).

    Its users get frames and may `tell` the players what the referee says. `truth` is for the demo's score
    after the games.
    """

    finite = True

    def __init__(self, options: SimulatorOptions, *, realtime: bool = False, habits: Habits | None = None) -> None:
        self._table = SimulatedTable(options, habits=habits)
        self._beat = Metronome(options.fps, realtime)
        self._closed = False
        self.description = (
            f"simulated camera, {options.style} set, {options.width}×{options.height} at {options.fps:g} frames/s,"
            f" seed {options.seed}"
        )

    @property
    def truth(self) -> Truth:
        return self._table.truth

    def tell(self, word: str) -> None:
        """The players hear the referee: "legal", "illegal", "throw_again", "dice", "stands", "game_won"."""
        self._table.tell(word)

    def pressed(self) -> list[str]:
        """Buttons of the panel that the players pressed since the last call: "pass"."""
        return self._table.pressed()

    def read(self, timeout: float | None = None) -> Frame | None:
        if self._closed:
            return None
        self._beat.wait()
        return self._table.next_frame()

    def close(self) -> None:
        self._closed = True
