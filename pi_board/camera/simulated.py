"""Cameras above simulated tables; backends like any other."""

from __future__ import annotations

from pi_board.camera.base import FrameSource
from pi_board.camera.pacing import Metronome
from pi_board.frame import Frame
from pi_board.simulator import Habits, Scene, SimulatedTable, SimulatorOptions, Truth
from pi_board.simulator.solitaire import STYLES, SolitaireSimulatorOptions, SolitaireTable, all_but


class SimulatedCamera(FrameSource):
    """Frames of a `SimulatedTable`, in simulated time (realtime=True: paced by the wall clock).

    Its users get frames and may `tell` the players what the referee says. `truth` is for the demo's score
    after the games.
    """

    finite = True

    def __init__(
        self, options: SimulatorOptions, *, realtime: bool = False, habits: Habits | None = None
    ) -> None:
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

    @property
    def scene(self) -> Scene:
        """The table itself: like `truth`, for whoever scores or measures, never for the pipeline."""
        return self._table.scene

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

    @property
    def next_time(self) -> float:
        """Seconds on its clock at which the next picture is due."""
        return self._table.next_time

    @property
    def seq(self) -> int:
        """Number of the last picture, taken or not."""
        return self._table.seq

    @property
    def time(self) -> float:
        """Seconds on its clock of the last picture."""
        return self._table.seq / self._table.options.fps

    def skip(self) -> bool:
        """A picture that nobody has time for is not taken; False when there are no more."""
        return not self._closed and self._table.pass_by()

    def close(self) -> None:
        self._closed = True


class SimulatedSolitaireCamera(FrameSource):
    """Frames of one person who plays the 37-hole game again and again, each time from another empty hole."""

    finite = False
    #: Empty holes of the games, in turn; the first can be won.
    VACANCIES = (1, 19, 3, 20)

    def __init__(
        self, *, seed: int = 1, mistakes: float = 0.15, fps: float = 8.0, realtime: bool = False
    ) -> None:
        self._seed, self._mistakes, self._fps = seed, mistakes, fps
        self._beat = Metronome(fps, realtime)
        self._game, self._seq = 0, -1
        self._table = self._new_table()
        self._closed = False
        self.description = f"simulated camera, 37-hole board at {fps:g} frames/s, seed {seed}"

    def _new_table(self) -> SolitaireTable:
        hole = self.VACANCIES[self._game % len(self.VACANCIES)]
        return SolitaireTable(
            SolitaireSimulatorOptions(
                seed=self._seed + self._game,
                start=all_but(hole),
                mistakes=self._mistakes,
                # The board stays the same from game to game, as on a real table.
                style=sorted(STYLES)[self._seed % len(STYLES)],
                fps=self._fps,
            )
        )

    def tell(self, word: str) -> None:
        """The player hears the referee: "illegal"."""
        self._table.tell(word)

    def read(self, timeout: float | None = None) -> Frame | None:
        if self._closed:
            return None
        self._beat.wait()
        frame = self._table.next_frame()
        if frame is None:
            self._game += 1
            self._table = self._new_table()
            frame = self._table.next_frame()
            assert frame is not None
        self._seq += 1
        return Frame(frame.image, self._seq / self._fps, self._seq)

    def close(self) -> None:
        self._closed = True
